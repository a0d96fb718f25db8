//! The program `gridwright`.

use std::process::ExitCode;

fn main() -> ExitCode {
    gridwright::run(std::env::args_os())
}
