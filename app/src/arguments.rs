//! The command line in two stages: as typed, and as the commands need it ([`Command`]).
//!
//! Arguments are checked here as far as that is possible without opening a file, so that errors are reported at once.

pub mod bench;
mod commands;
mod generate;
pub mod instance;
pub mod request;
mod solve;
#[cfg(test)]
mod tests;
pub mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use self::bench::Bench;
pub use self::commands::{Compare, Export, Info, Replay, Verify};
pub use self::generate::Generate;
pub use self::instance::{InstanceArguments, PairArguments, check_options, declared};
pub use self::request::SolveRequest;
use self::solve::TypedSolve;
pub use self::solve::{Reporting, Solve};
use crate::renderer::Renderer;

/// A command of the program.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Open the window, with this file or without one.
    Window {
        /// The instance to show.
        open: Option<PathBuf>,
        /// The renderer.
        renderer: Renderer,
    },
    /// List what can solve here.
    Devices {
        /// As JSON.
        json: bool,
        /// With what each kernel uses.
        verbose: bool,
    },
    /// Say what an instance holds.
    Info(Info),
    /// Solve an instance.
    Solve(Solve),
    /// Check a solution.
    Verify(Verify),
    /// Run a result again.
    Replay(Replay),
    /// Write a solution in other formats.
    Export(Export),
    /// Compare two solutions.
    Compare(Compare),
    /// Make an instance.
    Generate(Generate),
    /// Measure.
    Bench(Bench),
}

/// The command line as typed.
#[derive(Debug, Parser)]
#[command(
    name = "gridwright",
    version,
    about = "Solves planning problems, shows the plan as a picture and exports it",
    long_about = "Solves planning problems, shows the plan as a picture and exports it.\n\n\
        Without a command the window opens. Where there is no display, the shipped sample is solved instead and \
        written to out/.",
    after_help = "Exit codes: 0 done, 1 infeasible or no feasible solution found, 2 usage or bad input, \
        3 device unavailable.",
    disable_help_subcommand = true
)]
struct Typed {
    #[command(subcommand)]
    command: Option<TypedCommand>,
    #[command(flatten)]
    window: WindowArguments,
}

/// Options of the window.
#[derive(Debug, Clone, Copy, Args)]
struct WindowArguments {
    /// Renderer of the window
    #[arg(long, value_enum, value_name = "RENDERER", default_value = "auto", hide = !cfg!(feature = "wgpu"))]
    renderer: Renderer,
}

#[derive(Debug, Subcommand)]
enum TypedCommand {
    /// Open the window with an instance
    Open {
        /// The instance to show
        file: PathBuf,
        #[command(flatten)]
        window: WindowArguments,
    },
    /// List what can solve here, and why a device cannot
    Devices {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        /// Also print the kernels: what they are made from, registers, shared and local memory, occupancy
        #[arg(long)]
        verbose: bool,
    },
    /// Say what an instance holds: sizes, density, bounds, warnings
    Info(Info),
    /// Solve an instance
    Solve(TypedSolve),
    /// Check a solution, independently of the searches
    Verify(Verify),
    /// Run a result again and compare digests, epoch by epoch
    Replay(Replay),
    /// Write a solution as tables, pictures, calendars or a report
    Export(Export),
    /// Say how two solutions differ: what moved, who gains, who loses
    Compare(Compare),
    /// Make an instance
    #[command(subcommand)]
    Generate(Generate),
    /// Measure searches: speed stage by stage, costs against published ones
    Bench(Bench),
}

/// Understands the command line.
///
/// # Errors
/// The error of clap, which also carries the answers to `--help` and `--version`: print it and exit with its code.
pub fn parse<I, T>(arguments: I) -> Result<Command, clap::Error>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let Typed { command, window } = Typed::try_parse_from(arguments)?;
    Ok(match command {
        None => Command::Window { open: None, renderer: window.renderer },
        Some(TypedCommand::Open { file, window }) => Command::Window { open: Some(file), renderer: window.renderer },
        Some(TypedCommand::Devices { json, verbose }) => Command::Devices { json, verbose },
        Some(TypedCommand::Info(info)) => Command::Info(info),
        Some(TypedCommand::Solve(typed)) => Command::Solve(typed.needed()?),
        Some(TypedCommand::Verify(verify)) => Command::Verify(verify),
        Some(TypedCommand::Replay(replay)) => Command::Replay(replay),
        Some(TypedCommand::Export(export)) => Command::Export(export),
        Some(TypedCommand::Compare(compare)) => Command::Compare(compare),
        Some(TypedCommand::Generate(generate)) => Command::Generate(generate),
        Some(TypedCommand::Bench(bench)) => Command::Bench(bench),
    })
}
