//! Which instance a command is about, which solution, and the options that problems add to the commands.

use std::ops::Deref;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, FromArgMatches};
use gridwright_core::planning::InstanceSource;
use gridwright_core::problem::{OptionScope, OptionSpec, Overrides, Problem};
use gridwright_core::{registry, source};

use super::values;

/// An instance as a person names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InstanceArguments(pub InstanceSource);

impl Deref for InstanceArguments {
    type Target = InstanceSource;

    fn deref(&self) -> &InstanceSource {
        &self.0
    }
}

/// Options that problems add to `solve`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SolveOptions(pub Overrides);

/// Options that problems add to `export`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportArguments(pub Overrides);

fn of_instance(scope: &OptionScope) -> bool {
    matches!(scope, OptionScope::Instance { .. })
}

fn of_solve(scope: &OptionScope) -> bool {
    *scope == OptionScope::Solve
}

fn of_export(scope: &OptionScope) -> bool {
    matches!(scope, OptionScope::Export { .. })
}

/// All options of all problems with a scope, each with its problem.
fn specs(scope: fn(&OptionScope) -> bool) -> impl Iterator<Item = (&'static dyn Problem, &'static OptionSpec)> {
    registry::problems()
        .flat_map(|problem| problem.options().iter().map(move |option| (problem, option)))
        .filter(move |(_, option)| scope(&option.scope))
}

fn augment(command: clap::Command, scope: fn(&OptionScope) -> bool) -> clap::Command {
    let mut named: Vec<(&'static str, Vec<&'static OptionSpec>)> = Vec::new();
    for (_, option) in specs(scope) {
        match named.iter_mut().find(|(name, _)| *name == option.name) {
            Some((_, options)) => options.push(option),
            None => named.push((option.name, vec![option])),
        }
    }
    named.into_iter().fold(command, |command, (name, options)| command.arg(argument(name, options)))
}

/// Argument for the options of this name, of one problem or of several, which call their values alike.
fn argument(name: &'static str, options: Vec<&'static OptionSpec>) -> Arg {
    let typed = Arg::new(name).long(name).value_name(options.first().map_or("VALUE", |option| option.value_name));
    let help: Vec<&str> = options.iter().map(|option| option.help).collect();
    let check = move |text: &str| {
        let expected: Vec<String> = options.iter().filter_map(|option| (option.check)(text).err()).collect();
        // The problem of the instance checks the text again.
        if expected.len() < options.len() { Ok(()) } else { Err(expected.join("; or ")) }
    };
    let parser = move |text: &str| values::checked(text, &check);
    typed.help(help.join("; ")).value_parser(parser).allow_negative_numbers(true)
}

fn collect(matches: &ArgMatches, scope: fn(&OptionScope) -> bool) -> Overrides {
    let value = |option: &OptionSpec| Some((option.name.to_owned(), matches.get_one::<String>(option.name)?.clone()));
    specs(scope).filter_map(|(_, option)| value(option)).collect()
}

fn source_help() -> String {
    let samples =
        registry::problems().flat_map(|problem| problem.profile().samples).map(|name| format!("sample:{name}"));
    let prefixes =
        registry::problems().flat_map(|problem| problem.profile().prefixes).map(|prefix| format!("{prefix}…"));
    let names: Vec<String> = samples.chain(prefixes).collect();
    format!("The instance: a file, a folder of tables, or a name: {}", names.join(", "))
}

/// Implements the traits of clap for a struct whose options come from the registry.
macro_rules! from_registry {
    ($type:ty, $scope:expr, $wrap:expr) => {
        impl Args for $type {
            fn augment_args(command: clap::Command) -> clap::Command {
                augment(command, $scope)
            }
            fn augment_args_for_update(command: clap::Command) -> clap::Command {
                augment(command, $scope)
            }
        }
        impl FromArgMatches for $type {
            fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
                Ok($wrap(collect(matches, $scope)))
            }
            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

from_registry!(SolveOptions, of_solve, SolveOptions);
from_registry!(ExportArguments, of_export, ExportArguments);

impl Args for InstanceArguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        let source = Arg::new("source").value_name("INSTANCE").help(source_help()).required(true);
        let source = source.value_parser(clap::value_parser!(PathBuf));
        augment(command.arg(source), of_instance)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for InstanceArguments {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let path = matches.get_one::<PathBuf>("source").cloned().unwrap_or_default();
        let source = source::of(&path).ok_or_else(|| {
            let what = format!("{} is not Unicode; rename the file or its folder\n", path.display());
            clap::Error::raw(clap::error::ErrorKind::InvalidUtf8, what)
        })?;
        Ok(Self(InstanceSource { source, overrides: collect(matches, of_instance) }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// An instance and a solution for it.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct PairArguments {
    /// The instance that the solution is for.
    #[command(flatten)]
    pub instance: InstanceArguments,
    /// The solution: .sol, .csv, a solution as .ron, or a RESULT.ron
    #[arg(value_name = "SOLUTION")]
    pub solution: PathBuf,
    /// What the solution calls the first period or job, 0 or 1, where the file itself leaves it open
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u16).range(0..=1))]
    pub(crate) counted_from: Option<u16>,
}
