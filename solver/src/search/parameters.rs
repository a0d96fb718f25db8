//! Parameters that describe themselves: for `--set name=value`, the settings of the window and the result file.

use std::collections::BTreeMap;

use crate::{Error, Result};

/// Type and range of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number.
    Integer {
        /// Smallest allowed.
        min: i64,
        /// Largest allowed.
        max: i64,
    },
    /// A real number.
    Real {
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
    /// A word from a list.
    Choice(&'static [&'static str]),
    /// On or off.
    Switch,
}

/// One parameter, as a person meets it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The name for `--set` and files, `snake_case`.
    pub name: &'static str,
    /// The name in the window, sentence case.
    pub label: &'static str,
    /// The unit, or empty.
    pub unit: &'static str,
    /// One sentence: what it does.
    pub help: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// Meaning of the value 0, such as `automatic`; empty if 0 is an ordinary number.
    pub zero: &'static str,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A word from a list.
    Choice(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Switch(on) => f.write_str(if *on { "on" } else { "off" }),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Choice(word) => f.write_str(word),
        }
    }
}

impl Value {
    /// The whole number, 0 for anything else.
    pub fn integer(&self) -> i64 {
        match self {
            Self::Integer(value) => *value,
            _ => 0,
        }
    }

    /// The number, 0 for anything else.
    pub fn real(&self) -> f64 {
        match self {
            Self::Real(value) => *value,
            Self::Integer(value) => *value as f64,
            _ => 0.0,
        }
    }

    /// Returns `true` if the switch is on.
    pub fn switch(&self) -> bool {
        matches!(self, Self::Switch(true))
    }

    /// The word, empty for anything else.
    pub fn choice(&self) -> &str {
        match self {
            Self::Choice(word) => word,
            _ => "",
        }
    }
}

/// The word for one of some meanings.
pub fn word<T: Copy + PartialEq>(words: &[(&str, T)], value: T) -> Value {
    Value::Choice(words.iter().find(|row| row.1 == value).map_or("", |row| row.0).to_owned())
}

/// Meaning of a value's word.
pub fn meaning<T: Copy>(words: &[(&str, T)], value: &Value, otherwise: T) -> T {
    words.iter().find(|row| row.0 == value.choice()).map_or(otherwise, |row| row.1)
}

/// A set of parameters: typed inside, named outside.
pub trait Parameters: Default + Clone {
    /// All of them, in the order in which a person should meet them.
    fn list() -> &'static [Parameter];

    /// The value of the parameter with this name, which [`Parameters::list`] holds.
    fn get(&self, name: &str) -> Value;

    /// Sets a value that was checked against its [`Kind`].
    fn put(&mut self, name: &str, value: &Value);

    /// Sets a parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no such parameter or the value is out of range.
    fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let parameter = Self::list().iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let names: Vec<&str> = Self::list().iter().map(|parameter| parameter.name).collect();
            Error::Usage(format!("there is no parameter “{name}”; there are {}", names.join(", ")))
        })?;
        self.put(name, &parameter.parse(text)?);
        Ok(())
    }

    /// All values by name.
    fn values(&self) -> BTreeMap<String, Value> {
        Self::list().iter().map(|parameter| (parameter.name.to_owned(), self.get(parameter.name))).collect()
    }

    /// The parameters with these values, as a result file holds them.
    ///
    /// # Errors
    /// As [`Parameters::set`].
    fn from_values(values: &BTreeMap<String, Value>) -> Result<Self> {
        let mut parameters = Self::default();
        for (name, value) in values {
            parameters.set(name, &value.to_string())?;
        }
        Ok(parameters)
    }
}

/// [`Parameters`] of any algorithm, for code that does not know the algorithm.
pub trait ParameterSet {
    /// Descriptions, in the order in which users should see the parameters.
    fn list(&self) -> &'static [Parameter];

    /// Sets a parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// As [`Parameters::set`].
    fn set(&mut self, name: &str, text: &str) -> Result<()>;

    /// Returns all values by name.
    fn values(&self) -> BTreeMap<String, Value>;
}

impl<P: Parameters> ParameterSet for P {
    fn list(&self) -> &'static [Parameter] {
        P::list()
    }

    fn set(&mut self, name: &str, text: &str) -> Result<()> {
        Parameters::set(self, name, text)
    }

    fn values(&self) -> BTreeMap<String, Value> {
        Parameters::values(self)
    }
}

impl Parameter {
    /// Text to value, within the range.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the range.
    pub fn parse(&self, text: &str) -> Result<Value> {
        let text = text.trim();
        let wrong = || Error::Usage(format!("{} = “{text}”: expected {}", self.name, self.range()));
        match self.kind {
            Kind::Integer { min, max } => {
                let value: i64 = text.parse().map_err(|_| wrong())?;
                if (min..=max).contains(&value) { Ok(Value::Integer(value)) } else { Err(wrong()) }
            }
            Kind::Real { min, max } => {
                let value: f64 = text.parse().map_err(|_| wrong())?;
                if (min..=max).contains(&value) { Ok(Value::Real(value)) } else { Err(wrong()) }
            }
            Kind::Choice(words) => match words.iter().find(|word| **word == text) {
                Some(word) => Ok(Value::Choice((*word).to_owned())),
                None => Err(wrong()),
            },
            Kind::Switch => match text {
                "on" | "true" | "yes" | "1" => Ok(Value::Switch(true)),
                "off" | "false" | "no" | "0" => Ok(Value::Switch(false)),
                _ => Err(wrong()),
            },
        }
    }

    /// Type and range in words.
    pub fn range(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        match self.kind {
            Kind::Integer { min, max } => format!("a whole number from {min} to {max}{unit}"),
            Kind::Real { min, max } => format!("a number from {min} to {max}{unit}"),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Switch => "on or off".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEED: Parameter = Parameter {
        name: "speed",
        label: "Speed",
        unit: "m/s",
        help: "How fast.",
        kind: Kind::Real { min: 0.0, max: 10.0 },
        zero: "",
    };

    #[test]
    fn parses_within_the_range_and_names_it_otherwise() {
        assert_eq!(SPEED.parse(" 2.5 ").unwrap(), Value::Real(2.5));
        for bad in ["11", "-1", "NaN", "fast", ""] {
            let message = SPEED.parse(bad).unwrap_err().to_string();
            assert!(message.contains("a number from 0 to 10 m/s"), "{message}");
        }
        let switch = Parameter { kind: Kind::Switch, ..SPEED };
        assert_eq!(switch.parse("on").unwrap(), Value::Switch(true));
        let choice = Parameter { kind: Kind::Choice(&["a", "b"]), ..SPEED };
        assert!(choice.parse("c").unwrap_err().to_string().contains("one of a, b"));
    }
}
