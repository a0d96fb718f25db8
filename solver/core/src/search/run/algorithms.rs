//! Algorithms of a problem as descriptors, for command line and window.

use std::collections::BTreeMap;

use crate::search::{Budget, Parameter, Parameters, Value};
use crate::{Error, Result};

/// Description of an algorithm.
#[derive(Debug, Clone, Copy)]
pub struct AlgorithmDescriptor {
    /// Name for `--algorithm` and result files.
    pub name: &'static str,
    /// Name in the window, sentence case.
    pub label: &'static str,
    /// Name where there is little room.
    pub short_label: &'static str,
    /// Purpose in one sentence.
    pub help: &'static str,
    /// Noun of a step, plural.
    pub steps: &'static str,
    /// Budget unless the user chooses one; `None` if the budget depends on the instance or the parameters.
    pub budget: Option<Budget>,
    /// Reason and remedy if only the CPU has this algorithm.
    pub cpu_only: Option<&'static str>,
    /// Reason and remedy if a number of evaluations cannot limit a run.
    pub evaluations_refused: Option<&'static str>,
}

/// Algorithms of a problem with their parameters, one variant for each set of parameters. Implemented by [`algorithms!`].
pub trait Algorithms: Default + Clone + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// Noun of the solutions for messages, plural.
    const PLURAL: &'static str;

    /// Descriptors of all algorithms, the default first.
    const ALL: &'static [AlgorithmDescriptor];

    /// Descriptor of this algorithm.
    fn descriptor(&self) -> &'static AlgorithmDescriptor;

    /// Returns the algorithm with default parameters; `None` if there is no algorithm of this name.
    fn with_defaults(name: &str) -> Option<Self>;

    /// Parameters of the algorithm.
    fn parameters(&self) -> &dyn Parameters;

    /// Parameters of the algorithm, to be changed.
    fn parameters_mut(&mut self) -> &mut dyn Parameters;

    /// Name for `--algorithm` and result files.
    fn name(&self) -> &'static str {
        self.descriptor().name
    }

    /// Names of all algorithms, the default first.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|descriptor| descriptor.name)
    }

    /// Returns the algorithm with default parameters.
    ///
    /// # Errors
    /// [`Error::Usage`] with the list of names if there is no algorithm of this name.
    fn named(name: &str) -> Result<Self> {
        Self::with_defaults(name).ok_or_else(|| {
            let known: Vec<&str> = Self::names().collect();
            let known = match &known[..] {
                [first, second] => format!("{first} and {second}"),
                _ => known.join(", "),
            };
            let labels: Vec<&str> = Self::ALL.iter().map(|descriptor| descriptor.label).collect();
            Error::Usage(format!(
                "there is no algorithm “{name}” for {}; there are {known} ({})",
                Self::PLURAL,
                labels.join("; ")
            ))
        })
    }

    /// Descriptions of the parameters, in the order in which users should see them.
    fn list(&self) -> &'static [Parameter] {
        self.parameters().list()
    }

    /// Sets one parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such parameter or the value is out of range.
    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        self.parameters_mut().set(name, value)
    }

    /// Returns all parameters by name, as a result holds them.
    fn values(&self) -> BTreeMap<String, Value> {
        self.parameters().values()
    }

    /// Returns the algorithm of a result.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such algorithm or parameter, or a value is out of range.
    fn of_result(name: &str, values: &BTreeMap<String, Value>) -> Result<Self> {
        let mut algorithm = Self::named(name)?;
        for (name, value) in values {
            algorithm.set(name, &value.to_string())?;
        }
        Ok(algorithm)
    }
}

/// Implements [`Algorithms`] and [`Default`] for an enum of algorithms: one row per algorithm, the default first.
///
/// A row is `Variant(Parameters) = descriptor;`, or `Variant(Parameters) of tag = descriptor;` for one of several
/// algorithms that share a variant and differ in its first field.
#[macro_export]
macro_rules! algorithms {
    (
        $algorithm:ident for $plural:literal;
        $($variant:ident($parameters:ident) $(of $tag:path)? = $descriptor:expr;)+
    ) => {
        impl Default for $algorithm {
            fn default() -> Self {
                let [first, ..] = [$(Self::$variant($($tag,)? $parameters::default())),+];
                first
            }
        }

        impl $crate::search::Algorithms for $algorithm {
            const PLURAL: &'static str = $plural;

            const ALL: &'static [$crate::search::AlgorithmDescriptor] = &[$($descriptor),+];

            fn descriptor(&self) -> &'static $crate::search::AlgorithmDescriptor {
                match self {
                    $(Self::$variant($($tag,)? _) => {
                        const OWN: &$crate::search::AlgorithmDescriptor = &$descriptor;
                        OWN
                    })+
                }
            }

            fn with_defaults(name: &str) -> Option<Self> {
                let all = [$(Self::$variant($($tag,)? $parameters::default())),+];
                all.into_iter().find(|algorithm| algorithm.name() == name)
            }

            fn parameters(&self) -> &dyn $crate::search::Parameters {
                match self {
                    $(Self::$variant($($tag,)? parameters) => parameters,)+
                }
            }

            fn parameters_mut(&mut self) -> &mut dyn $crate::search::Parameters {
                match self {
                    $(Self::$variant($($tag,)? parameters) => parameters,)+
                }
            }
        }
    };
}

pub use crate::algorithms;
