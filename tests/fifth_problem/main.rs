//! The program `gridwright` with the fifth problem.

#[path = "mod.rs"]
mod fifth_problem;

use std::process::ExitCode;

fn main() -> ExitCode {
    let problems: Vec<_> = gridwright::PROBLEMS.into_iter().chain([&fifth_problem::UI]).collect();
    gridwright::run_with(&problems, std::env::args_os())
}
