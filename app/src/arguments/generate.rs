//! `gridwright generate`: one subcommand for each generator of each problem.

use clap::{ArgMatches, FromArgMatches, Subcommand};

use crate::problem::Generator;
use crate::registry;

/// A generator by name, and what was typed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generate {
    /// Name of the generator.
    pub name: String,
    /// Its arguments.
    pub matches: ArgMatches,
}

impl Generate {
    /// The generator that is meant; `None` if no problem has a generator of this name.
    pub fn generator(&self) -> Option<Generator> {
        registry::generators().find(|generator| generator.name == self.name)
    }
}

impl FromArgMatches for Generate {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().ok_or_else(|| {
            clap::Error::raw(clap::error::ErrorKind::MissingSubcommand, "name a kind of instance to generate\n")
        })?;
        Ok(Self { name: name.to_owned(), matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Generate {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        registry::generators().fold(command.subcommand_required(true), |command, generator| {
            // The arguments bring the description of their type along.
            command.subcommand((generator.augment)(clap::Command::new(generator.name)).about(generator.about))
        })
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        registry::generators().any(|generator| generator.name == name)
    }
}
