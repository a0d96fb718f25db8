//! The commands, one file each, and what they share: how they end, how they speak, what they need of a problem.

pub(crate) mod bench;
pub mod campaign;
pub(crate) mod compare;
pub(crate) mod devices;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod interrupt;
pub(crate) mod invigilate;
pub(crate) mod outputs;
pub(crate) mod progress;
pub(crate) mod publish;
pub(crate) mod replay;
pub mod sample;
pub(crate) mod solve;
pub mod text;
pub(crate) mod update;
pub(crate) mod verify;
pub(crate) mod whatif;

use std::path::PathBuf;

use gridwright_core::Error;

use crate::Renderer;
use crate::arguments::Command;

/// Exit code of a command; scripts depend on the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done; of `verify`: feasible.
    Done = 0,
    /// Infeasible, or no feasible solution found.
    Infeasible = 1,
    /// Wrong usage or bad input.
    Usage = 2,
    /// The device, or what a window needs, is not available.
    Device = 3,
    /// Stopped by a signal before everything was done.
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

pub(crate) type OpenWindow<'a> = &'a dyn Fn(Option<&PathBuf>, Renderer) -> anyhow::Result<Exit>;

/// Runs a command. Errors are told on the standard error.
pub fn run(command: &Command, open_window: OpenWindow<'_>) -> Exit {
    let ended = match command {
        Command::Window { open, renderer } => open_window(open.as_ref(), *renderer),
        Command::Devices { json, verbose } => Ok(devices::run(*json, *verbose)),
        Command::Info(arguments) => info::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::WhatIf(arguments) => whatif::run(arguments),
        Command::Update(arguments) => update::run(arguments),
        Command::Publish(arguments) => publish::run(arguments),
        Command::Invigilate(arguments) => invigilate::run(arguments),
        Command::Generate(arguments) => generate::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Campaign(arguments) => campaign::run(arguments),
    };
    ended.unwrap_or_else(|error| {
        text::error(&format!("{error:#}"));
        exit_of(&error)
    })
}

fn exit_of(error: &anyhow::Error) -> Exit {
    match error.downcast_ref::<Error>() {
        Some(Error::Device(_)) => Exit::Device,
        Some(Error::Search(_)) => Exit::Infeasible,
        _ => Exit::Usage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_become_the_exit_codes_that_scripts_know() {
        let device = anyhow::Error::from(Error::Device("no driver".to_owned())).context("solve");
        assert_eq!(exit_of(&device), Exit::Device);
        assert_eq!(exit_of(&Error::Usage("wrong".to_owned()).into()), Exit::Usage);
        assert_eq!(exit_of(&Error::Search("broke off".to_owned()).into()), Exit::Infeasible);
        assert_eq!(exit_of(&anyhow::anyhow!("whatever")), Exit::Usage);
    }
}
