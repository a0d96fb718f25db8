//! The program `gridwright`: arguments → a command without a window, or the window.

use std::process::ExitCode;

use gridwright::{arguments, command};

fn main() -> ExitCode {
    match arguments::parse(std::env::args_os()) {
        Ok(parsed) => command::run(&parsed).into(),
        Err(answer) => {
            // Nothing is left to do where even this cannot be printed.
            let _ = answer.print();
            ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2))
        }
    }
}
