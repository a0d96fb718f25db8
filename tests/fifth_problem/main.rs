//! The program `gridwright` with the fifth problem.

#[path = "mod.rs"]
mod fifth_problem;

use std::process::ExitCode;

fn main() -> ExitCode {
    gridwright_window::registry::add(vec![&fifth_problem::UI]);
    gridwright::run(std::env::args_os())
}
