//! The command line in two stages: as typed, and as the commands need it ([`Command`]).
//!
//! Arguments are checked here as far as that is possible without opening a file, so that errors are reported at once.

pub(crate) mod bench;
pub mod campaign;
mod commands;
mod generate;
pub(crate) mod instance;
mod options;
mod solve;
#[cfg(test)]
mod tests;
pub mod values;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand};
use gridwright_core::registry;

pub(crate) use self::bench::Bench;
pub use self::campaign::Campaign;
pub(crate) use self::commands::{Compare, Export, Info, Invigilate, Publish, Replay, Update, Verify};
pub(crate) use self::generate::Generate;
pub(crate) use self::instance::InstanceArguments;
pub(crate) use self::solve::{Reporting, Solve, WhatIf};
use self::solve::{TypedSolve, TypedWhatIf};
use crate::renderer::Renderer;
use gridwright_core::store::place;

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
    /// Say what decisions would cost.
    WhatIf(WhatIf),
    /// Take over fresh data into a project.
    Update(Update),
    /// Freeze a version of a solution in a project.
    Publish(Publish),
    /// Assign invigilators to the rooms of a solution.
    Invigilate(Invigilate),
    /// Make an instance.
    Generate(Generate),
    /// Measure.
    Bench(Bench),
    /// Compare algorithms by many runs.
    Campaign(Campaign),
}

/// The command line as typed.
#[derive(Debug, Parser)]
#[command(
    name = "gridwright",
    version,
    about = "Solves planning problems, shows the plan as a picture and exports it",
    long_about = "Solves planning problems, shows the plan as a picture and exports it.\n\n\
        Without a command the window opens, with a file that is named instead of a command. Where there is no display, \
        the shipped sample is solved instead and written to out/.",
    after_help = "Exit codes: 0 done, 1 infeasible or no feasible solution found, 2 usage or bad input, \
         3 device or window unavailable, 130 stopped by a signal before everything was done. A search that is stopped keeps its best \
         result and ends with 0 or 1.",
    disable_help_subcommand = true
)]
struct Typed {
    #[command(subcommand)]
    command: Option<TypedCommand>,
    #[command(flatten)]
    window: WindowArguments,
    /// Keep data and preferences beside the program, at later starts, too
    #[arg(long, global = true)]
    portable: bool,
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
    /// Say what decisions would cost, such as a day, a room or a machine less, each solved from a solution
    #[command(name = "whatif")]
    WhatIf(TypedWhatIf),
    /// Take over a fresh version of the data into a project, whose rules, edits and runs stay
    Update(Update),
    /// Freeze a version of a solution in a project, and say what has changed since the last one and whom that concerns
    Publish(Publish),
    /// Assign invigilators to the rooms of a solution, check their duties, or replace people who are absent
    Invigilate(Invigilate),
    /// Make an instance
    #[command(subcommand)]
    Generate(Generate),
    /// Measure the speed of searches stage by stage; “campaign” measures the costs that they reach
    Bench(Bench),
    /// Compare algorithms by many runs: instances × algorithms × parameters × seeds, with tests and figures
    #[command(subcommand)]
    Campaign(Campaign),
    /// A file in the place of a command, with the arguments behind it.
    #[command(external_subcommand)]
    File(Vec<OsString>),
}

/// Returns `true` if a word is a file, a folder (of tables or of a campaign), or the name of an instance that the program makes.
fn names_instance(word: &OsStr) -> bool {
    let text = word.to_string_lossy();
    Path::new(word).exists() || registry::is_generated(&text) || registry::completed(&text).is_some()
}

/// The error for a word that is neither a command nor a file or folder.
fn unknown(word: &OsStr) -> clap::Error {
    let command = Typed::command();
    let is_path = Path::new(word).components().count() > 1 || Path::new(word).extension().is_some();
    if is_path {
        let text = format!(
            "there is no file or folder “{}”, and no command of that name; check the path, or list the commands with \
             “gridwright --help”\n",
            word.to_string_lossy()
        );
        return clap::Error::raw(ErrorKind::InvalidSubcommand, text).with_cmd(&command);
    }
    let word = word.to_string_lossy();
    let distance = |name: &str| strsim::osa_distance(name, &word);
    let names = command.get_subcommands().map(clap::Command::get_name);
    let similar = names.filter(|name| distance(name) <= 2).min_by_key(|name| distance(name)).map(str::to_owned);
    let mut error = clap::Error::new(ErrorKind::InvalidSubcommand).with_cmd(&command);
    error.insert(ContextKind::InvalidSubcommand, ContextValue::String(word.into_owned()));
    if let Some(name) = similar {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![name]));
    }
    error
}

/// Understands the command line; with `--portable` the folder for data beside the program is created.
///
/// # Errors
/// The error of clap, which also carries the answers to `--help` and `--version`: print it and exit with its code.
pub fn parse<I, T>(arguments: I) -> Result<Command, clap::Error>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let mut arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let Typed { command, window, portable } = Typed::try_parse_from(&arguments)?;
    if portable {
        let failed = |error: gridwright_core::Error| clap::Error::raw(ErrorKind::Io, format!("{error}\n"));
        place::make_portable().map_err(|error| failed(error).with_cmd(&Typed::command()))?;
    }
    Ok(match command {
        Some(TypedCommand::File(words)) => {
            let first = words.first().cloned().unwrap_or_default();
            if !names_instance(&first) {
                return Err(unknown(&first));
            }
            // As if “open” stood before the file.
            let place = arguments.iter().position(|argument| *argument == first).unwrap_or(1);
            arguments.insert(place, "open".into());
            return parse(arguments);
        }
        None => Command::Window { open: None, renderer: window.renderer },
        Some(TypedCommand::Open { file, window: own }) => {
            let renderer = if own.renderer == Renderer::Auto { window.renderer } else { own.renderer };
            Command::Window { open: Some(file), renderer }
        }
        Some(TypedCommand::Devices { json, verbose }) => Command::Devices { json, verbose },
        Some(TypedCommand::Info(info)) => Command::Info(info),
        Some(TypedCommand::Solve(typed)) => Command::Solve(typed.needed()?),
        Some(TypedCommand::Verify(verify)) => Command::Verify(verify),
        Some(TypedCommand::Replay(replay)) => Command::Replay(replay),
        Some(TypedCommand::Export(export)) => Command::Export(export),
        Some(TypedCommand::Compare(compare)) => Command::Compare(compare),
        Some(TypedCommand::WhatIf(typed)) => Command::WhatIf(typed.needed()),
        Some(TypedCommand::Update(update)) => Command::Update(update),
        Some(TypedCommand::Publish(publish)) => Command::Publish(publish),
        Some(TypedCommand::Invigilate(invigilate)) => Command::Invigilate(invigilate),
        Some(TypedCommand::Generate(generate)) => Command::Generate(generate),
        Some(TypedCommand::Bench(bench)) => Command::Bench(bench),
        Some(TypedCommand::Campaign(campaign)) => Command::Campaign(campaign),
    })
}
