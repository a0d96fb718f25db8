//! Parameters that describe themselves: for `--set name=value`, the settings of the window and the result file.

use std::collections::BTreeMap;

use strum::{VariantArray, VariantNames};

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

/// Description of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Name for `--set` and files, `snake_case`.
    pub name: &'static str,
    /// Name in the window, sentence case.
    pub label: &'static str,
    /// Unit, or empty.
    pub unit: &'static str,
    /// Effect in one sentence.
    pub help: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// Meaning of the value 0, such as `automatic`; empty if 0 is an ordinary number.
    pub zero: &'static str,
}

/// Value of a parameter.
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

/// Word for a variant of an enum of choices.
pub fn word<T: VariantArray + VariantNames + PartialEq>(variant: &T) -> &'static str {
    let (variants, words) = (<T as VariantArray>::VARIANTS, <T as VariantNames>::VARIANTS);
    variants.iter().position(|known| known == variant).map_or("", |index| words[index])
}

/// Variant of an enum of choices by its word; `None` if no variant has this word.
pub fn variant<T: VariantArray + VariantNames + Copy>(word: &str) -> Option<T> {
    let index = <T as VariantNames>::VARIANTS.iter().position(|known| *known == word)?;
    Some(<T as VariantArray>::VARIANTS[index])
}

/// A set of parameters: typed fields inside, names and [`Value`]s outside. Implemented by [`parameters!`].
pub trait Parameters {
    /// Descriptions, in the order in which users should see the parameters.
    fn list(&self) -> &'static [Parameter];

    /// Value of a parameter; `None` if there is no parameter of this name.
    fn get(&self, name: &str) -> Option<Value>;

    /// Sets a value that was checked against its [`Kind`]; unknown names change nothing.
    fn put(&mut self, name: &str, value: &Value);

    /// Sets a parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such parameter or the value is out of range.
    fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let parameter = self.list().iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.list().iter().map(|parameter| parameter.name).collect();
            Error::Usage(format!("there is no parameter “{name}”; there are {}", names.join(", ")))
        })?;
        self.put(name, &parameter.parse(text)?);
        Ok(())
    }

    /// All values by name.
    fn values(&self) -> BTreeMap<String, Value> {
        let named = |parameter: &Parameter| Some((parameter.name.to_owned(), self.get(parameter.name)?));
        self.list().iter().filter_map(named).collect()
    }
}

/// Declares a struct of parameters with its defaults and its [`Parameters`].
///
/// A field is `name: type = default, label: "…", unit: "…", range: …, zero: "…";` below the doc comment that is also the
/// help text of the parameter. `unit` and `zero` may be left out. The types:
///
/// * `u32`, `u64`, `f64` with a `range`, such as `1..=64`;
/// * `bool`: a switch, without a range;
/// * `String`: one of the words of the array in `range`;
/// * any enum with [`strum::VariantArray`] and [`strum::VariantNames`]: one of its variants, without a range.
#[macro_export]
macro_rules! parameters {
    (
        $(#[doc = $about:literal])+
        pub struct $set:ident {$(
            $(#[doc = $help:literal])+
            $name:ident: $type:ident = $default:expr,
            label: $label:literal $(, unit: $unit:literal)? $(, range: $range:expr)? $(, zero: $zero:literal)?;
        )+}
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default)]
        pub struct $set {$(
            $(#[doc = $help])+
            pub $name: $type,
        )+}

        impl Default for $set {
            fn default() -> Self {
                Self { $($name: $default),+ }
            }
        }

        impl $crate::search::Parameters for $set {
            fn list(&self) -> &'static [$crate::search::Parameter] {
                const LIST: &[$crate::search::Parameter] = &[$($crate::search::Parameter {
                    name: stringify!($name),
                    label: $label,
                    unit: concat!($($unit)?),
                    help: concat!($($help),+).trim_ascii_start(),
                    kind: $crate::search::parameters::field!(kind $type $($range)?),
                    zero: concat!($($zero)?),
                }),+];
                LIST
            }

            fn get(&self, name: &str) -> Option<$crate::search::Value> {
                $(if name == stringify!($name) {
                    return Some($crate::search::parameters::field!(get $type self.$name));
                })+
                None
            }

            fn put(&mut self, name: &str, value: &$crate::search::Value) {
                $(if name == stringify!($name) {
                    $crate::search::parameters::field!(put $type self.$name, value);
                })+
            }
        }
    };
}

/// Kind, reading and writing of a field of [`parameters!`] by its type.
#[doc(hidden)]
#[macro_export]
macro_rules! field {
    (kind f64 $range:expr) => {{
        const RANGE: std::ops::RangeInclusive<f64> = $range;
        $crate::search::Kind::Real { min: *RANGE.start(), max: *RANGE.end() }
    }};
    (kind bool) => {
        $crate::search::Kind::Switch
    };
    (kind String $words:expr) => {
        $crate::search::Kind::Choice(&$words)
    };
    (kind $integer:ident $range:expr) => {{
        const RANGE: std::ops::RangeInclusive<i64> = $range;
        $crate::search::Kind::Integer { min: *RANGE.start(), max: *RANGE.end() }
    }};
    (kind $choices:ident) => {
        $crate::search::Kind::Choice(<$choices as strum::VariantNames>::VARIANTS)
    };
    (get f64 $field:expr) => {
        $crate::search::Value::Real($field)
    };
    (get bool $field:expr) => {
        $crate::search::Value::Switch($field)
    };
    (get String $field:expr) => {
        $crate::search::Value::Choice($field.clone())
    };
    (get u32 $field:expr) => {
        $crate::search::Value::Integer($field.into())
    };
    (get u64 $field:expr) => {
        $crate::search::Value::Integer($field as i64)
    };
    (get $choices:ident $field:expr) => {
        $crate::search::Value::Choice($crate::search::parameters::word(&$field).to_owned())
    };
    (put f64 $field:expr, $value:expr) => {
        $field = $value.real()
    };
    (put bool $field:expr, $value:expr) => {
        $field = $value.switch()
    };
    (put String $field:expr, $value:expr) => {
        $field = $value.choice().to_owned()
    };
    (put u32 $field:expr, $value:expr) => {
        $field = $value.integer() as u32
    };
    (put u64 $field:expr, $value:expr) => {
        $field = $value.integer() as u64
    };
    (put $choices:ident $field:expr, $value:expr) => {
        if let Some(chosen) = $crate::search::parameters::variant($value.choice()) {
            $field = chosen;
        }
    };
}

#[doc(hidden)]
pub use crate::field;
pub use crate::parameters;

impl Parameter {
    /// Parses a value and checks its range.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the range if the text is no value within it.
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

    /// Type and range in words, for messages.
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
