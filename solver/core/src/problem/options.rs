//! Options that a problem adds to the command line, and their values.

use std::collections::BTreeMap;

use crate::{Error, Result};

/// The commands that take an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionScope {
    /// Every command that opens an instance. `changes_data`: a solution found with one value is not one for another value.
    /// `of_files`: the option describes a file and is meaningless for a generated instance. `default`: the value that holds
    /// if none is given.
    Instance {
        /// True if a solution belongs to one value of the option only.
        changes_data: bool,
        /// True if only files have the option.
        of_files: bool,
        /// The value that holds if none is given, if there is a fixed one.
        default: Option<&'static str>,
    },
    /// `solve`.
    Solve,
    /// `export`. `endings` are the formats that use the option.
    Export {
        /// File endings of the formats that use the option.
        endings: &'static [&'static str],
    },
}

/// An option that one problem adds to the command line; declared once, in the problem's folder.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Name without the two hyphens; results keep the value under it.
    pub name: &'static str,
    /// Placeholder of the value in the help text, such as `N`.
    pub value_name: &'static str,
    /// One sentence for the help text.
    pub help: &'static str,
    /// The commands that take the option.
    pub scope: OptionScope,
    /// Checks a value; an error is a sentence that says what is expected.
    pub check: fn(&str) -> std::result::Result<(), String>,
}

impl OptionSpec {
    /// True if a solution belongs to one value of the option only.
    pub fn changes_data(&self) -> bool {
        matches!(self.scope, OptionScope::Instance { changes_data: true, .. })
    }
}

/// Values of options by name, as typed on the command line or stored in a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    values: BTreeMap<String, String>,
}

impl Overrides {
    /// The value of an option as text; `None` if it was not given.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// The value of an option; `None` if it was not given.
    ///
    /// # Errors
    /// [`Error::Usage`] if the text is not one of a `T`.
    pub fn value<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>> {
        self.values.get(name).map(|text| parsed(name, text)).transpose()
    }

    /// All values of an option that may be given several times, separated by commas; empty if it was not given.
    ///
    /// # Errors
    /// [`Error::Usage`] if a text is not one of a `T`.
    pub fn list<T: std::str::FromStr>(&self, name: &str) -> Result<Vec<T>> {
        let texts = self.text(name).into_iter().flat_map(|text| text.split(','));
        texts.map(|text| parsed(name, text)).collect()
    }

    /// The value of an option that was given or has a default.
    ///
    /// # Errors
    /// [`Error::Usage`] if it was not given or is not one of a `T`.
    pub fn required<T: std::str::FromStr>(&self, name: &str) -> Result<T> {
        self.value(name)?.ok_or_else(|| Error::Usage(format!("give a value with --{name}")))
    }

    /// True if a switch was given.
    pub fn is_on(&self, name: &str) -> bool {
        self.text(name) == Some("true")
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.values.insert(name.to_owned(), value.into());
    }

    /// Names of the options that were given, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// All values by name.
    pub fn values(&self) -> &BTreeMap<String, String> {
        &self.values
    }
}

fn parsed<T: std::str::FromStr>(name: &str, text: &str) -> Result<T> {
    text.parse().map_err(|_| {
        let text = text.escape_debug();
        Error::Usage(format!("the {name} “{text}” makes no sense; give another value with --{name}"))
    })
}

impl FromIterator<(String, String)> for Overrides {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(values: I) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

/// Accepts every text; for options whose value is a name.
///
/// # Errors
/// None.
pub fn any_text(_text: &str) -> std::result::Result<(), String> {
    Ok(())
}

/// Checks a text by parsing it; the error is that of the type.
///
/// # Errors
/// The type's own message.
pub fn parses<T: std::str::FromStr>(text: &str) -> std::result::Result<(), String>
where
    T::Err: std::fmt::Display,
{
    text.parse::<T>().map(drop).map_err(|error| error.to_string())
}

/// Checks a number of type `T` by a condition.
///
/// # Errors
/// `expected`, if the text is no such number or the condition does not hold.
pub fn number_where<T: std::str::FromStr>(
    text: &str, expected: impl FnOnce() -> String, allowed: impl FnOnce(&T) -> bool,
) -> std::result::Result<(), String> {
    text.parse::<T>().ok().filter(|value| allowed(value)).map(drop).ok_or_else(expected)
}
