//! Sets of objectives, and the goal of a run: the best order for one objective, or a front for several.

use serde::{Deserialize, Serialize};

use crate::{Instance, Objective};
use gridwright_core::lanes::lanes;
use gridwright_core::search::pareto::{MAX_OBJECTIVES, Point};
use gridwright_core::{Error, Result};

/// Two to four different objectives, in the order in which the user named them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Objectives {
    list: [Objective; MAX_OBJECTIVES],
    count: usize,
}

impl Default for Objectives {
    /// Makespan, total flow time and total tardiness.
    fn default() -> Self {
        let list = [Objective::Makespan, Objective::FlowTime, Objective::Tardiness, Objective::Makespan];
        Self { list, count: 3 }
    }
}

impl Objectives {
    /// Creates a set of objectives.
    ///
    /// # Errors
    /// [`Error::Usage`] for fewer than two objectives or a repeated one.
    pub fn new(objectives: &[Objective]) -> Result<Self> {
        let twice =
            |(number, objective): (usize, &Objective)| objectives[..number].contains(objective).then_some(*objective);
        if let Some(objective) = objectives.iter().enumerate().find_map(twice) {
            return Err(Error::Usage(format!("the objective {objective} is named twice; name each once")));
        }
        // Four different objectives are all there are.
        if objectives.len() < 2 || objectives.len() > MAX_OBJECTIVES {
            let count = objectives.len();
            let what = format!("a front has two to four objectives, not {count}; name them like makespan,flowtime");
            return Err(Error::Usage(what));
        }
        let list = std::array::from_fn(|axis| objectives.get(axis).copied().unwrap_or(Objective::Makespan));
        Ok(Self { list, count: objectives.len() })
    }

    /// The objectives in their order.
    pub fn as_slice(&self) -> &[Objective] {
        &self.list[..self.count]
    }

    /// Number of objectives k.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Point of the selected objectives from the values of all, given in the order of [`Objective::ALL`]; unused axes
    /// are 0.
    #[inline(always)]
    pub fn select(&self, all: &Point) -> Point {
        lanes(|axis| if axis < self.count { all[self.list[axis] as usize] } else { 0 })
    }

    /// Checks that an instance has the data that the objectives need.
    ///
    /// # Errors
    /// [`Error::Usage`] if an objective needs due dates and there are none, or if there are set-ups or working times.
    pub fn check(&self, instance: &Instance) -> Result<()> {
        if let Some(times) = instance.further_times() {
            return Err(Error::Usage(format!(
                "{}: fronts of several objectives do not mind the {times}; choose one objective, such as --objective makespan",
                instance.name
            )));
        }
        match self.as_slice().iter().find(|objective| objective.needs_due_dates()) {
            Some(objective) if !instance.has_due_dates() => Err(Error::Usage(format!(
                "{}: its jobs have no due dates, but {objective} needs them; choose --objective makespan,flowtime, or \
                 add due dates (in a table, a column “due date”)",
                instance.name
            ))),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Display for Objectives {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.as_slice().iter().map(|objective| objective.name()).collect();
        f.write_str(&names.join(","))
    }
}

impl std::str::FromStr for Objectives {
    type Err = Error;

    /// # Errors
    /// See [`Objectives::new`]; also for an unknown objective.
    fn from_str(text: &str) -> Result<Self> {
        Self::new(&text.split(',').map(|name| name.trim().parse()).collect::<Result<Vec<_>>>()?)
    }
}

/// Goal of a run, stored as text: one objective, or several separated by commas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Goal {
    /// The best order for one objective.
    One(Objective),
    /// A front of mutually non-dominated orders.
    Front(Objectives),
}

impl Default for Goal {
    fn default() -> Self {
        Self::One(Objective::Makespan)
    }
}

impl Goal {
    /// The single objective, or the first of several.
    pub fn first(self) -> Objective {
        match self {
            Self::One(objective) => objective,
            Self::Front(objectives) => objectives.list[0],
        }
    }

    /// Checks that an instance has the data that the goal needs.
    ///
    /// # Errors
    /// [`Error::Usage`] if the goal needs due dates and there are none.
    pub(crate) fn check(self, instance: &Instance) -> Result<()> {
        match self {
            Self::One(objective) if objective.needs_due_dates() && !instance.has_due_dates() => {
                let name = &instance.name;
                Err(Error::Usage(format!("{name}: its jobs have no due dates; choose makespan or flow time")))
            }
            Self::One(_) => Ok(()),
            Self::Front(objectives) => objectives.check(instance),
        }
    }
}

impl From<Objective> for Goal {
    fn from(objective: Objective) -> Self {
        Self::One(objective)
    }
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::One(objective) => objective.fmt(f),
            Self::Front(objectives) => objectives.fmt(f),
        }
    }
}

impl std::str::FromStr for Goal {
    type Err = Error;

    /// Parses an objective by name, `pareto` for the default front, or two to four names separated by commas.
    ///
    /// # Errors
    /// [`Error::Usage`] that lists the possibilities.
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "pareto" => Ok(Self::Front(Objectives::default())),
            list if list.contains(',') => list.parse().map(Self::Front),
            name => name.parse().map(Self::One).map_err(|error: Error| {
                Error::Usage(format!("{error}; pareto, or several like makespan,flowtime, look for a front"))
            }),
        }
    }
}

impl From<Goal> for String {
    fn from(goal: Goal) -> Self {
        goal.to_string()
    }
}

impl TryFrom<String> for Goal {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_back_and_what_is_none_is_refused() {
        for text in ["makespan", "tardy", "makespan,flowtime", "tardy,tardiness,makespan", "pareto"] {
            let goal: Goal = text.parse().unwrap();
            assert_eq!(goal.to_string().parse::<Goal>().unwrap(), goal, "{text}");
        }
        assert_eq!("pareto".parse::<Goal>().unwrap().to_string(), "makespan,flowtime,tardiness");
        assert_eq!("tardy, flowtime".parse::<Goal>().unwrap().first(), Objective::Tardy);
        for (text, expected) in [
            ("Cmax", "pareto"),
            ("makespan,Cmax", "no objective «Cmax»"),
            ("makespan,makespan", "named twice"),
            ("makespan,", "no objective «»"),
        ] {
            let error = text.parse::<Goal>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(Objectives::new(&[Objective::Tardy]).unwrap_err().to_string().contains("two to four"));
    }

    #[test]
    fn points_are_selected_by_name() {
        let objectives: Objectives = "tardy,makespan".parse().unwrap();
        assert_eq!(objectives.select(&[1, 2, 3, 4]), [4, 1, 0, 0]);
    }

    #[test]
    fn due_dates_are_asked_for_where_they_are_needed() {
        let instance = Instance::of_times("test", 2, vec![3, 2, 1, 4]).unwrap();
        assert!(Objectives::new(&[Objective::Makespan, Objective::FlowTime]).unwrap().check(&instance).is_ok());
        let error = Objectives::default().check(&instance).unwrap_err().to_string();
        assert!(error.contains("tardiness") && error.contains("makespan,flowtime"), "{error}");
    }
}
