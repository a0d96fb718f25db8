//! `gridwright.exe` of the Windows packages: starts the program itself, `gridwright.com`, without a console window.
//!
//! Windows decides by a flag of the file if a program gets a console. A double click starts this file; a console prefers the
//! ending `.com` where `gridwright` is typed, waits for the program and shows what it writes.

#![windows_subsystem = "windows"]

use std::process::{Command, ExitCode};

/// Environment variable that asks the program for error messages in dialogs (`gridwright::command`).
const DIALOGS: &str = "GRIDWRIGHT_DIALOGS";

/// Flag of `CreateProcess`: no console window.
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

fn main() -> ExitCode {
    let Ok(own) = std::env::current_exe() else { return ExitCode::FAILURE };
    let mut program = Command::new(own.with_file_name("gridwright.com"));
    program.args(std::env::args_os().skip(1)).env(DIALOGS, "1");
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut program, CREATE_NO_WINDOW);
    let code = program.status().ok().and_then(|status| u8::try_from(status.code()?).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}
