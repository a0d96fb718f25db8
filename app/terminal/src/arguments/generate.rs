//! `gridwright generate`: one subcommand for each generator of each problem.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, FromArgMatches, Subcommand};
use gridwright_core::planning::generators::Generator;
use gridwright_core::problem::Overrides;
use gridwright_core::registry;

use super::options::{augment, collect};

/// A generator, and what was typed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generate {
    /// Name of the generator.
    pub name: String,
    /// Values of its options.
    pub options: Overrides,
    /// File or folder that is made.
    pub out: PathBuf,
}

fn generators() -> impl Iterator<Item = &'static Generator> {
    registry::problems().flat_map(|problem| problem.generators())
}

impl Generate {
    /// The generator that is meant; `None` if no problem has a generator of this name.
    pub fn generator(&self) -> Option<&'static Generator> {
        generators().find(|generator| generator.name == self.name)
    }
}

impl FromArgMatches for Generate {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().ok_or_else(|| {
            clap::Error::raw(clap::error::ErrorKind::MissingSubcommand, "name a kind of instance to generate\n")
        })?;
        let options = generators().filter(|generator| generator.name == name).flat_map(|generator| generator.options);
        let out = matches.get_one::<PathBuf>("out").cloned().unwrap_or_default();
        Ok(Self { name: name.to_owned(), options: collect(matches, options), out })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Generate {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        generators().fold(command.subcommand_required(true), |command, generator| {
            let (value_name, help) = generator.out;
            let out = Arg::new("out").long("out").value_name(value_name).help(help).required(true);
            let own = clap::Command::new(generator.name).about(generator.about);
            let own = generator.options.iter().fold(own, augment);
            command.subcommand(own.arg(out.value_parser(clap::value_parser!(PathBuf))))
        })
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        generators().any(|generator| generator.name == name)
    }
}
