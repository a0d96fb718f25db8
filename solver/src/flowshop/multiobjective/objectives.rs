//! Several objectives at once, and what a run is to look for: the best order, or a front of orders.

use serde::{Deserialize, Serialize};

use crate::flowshop::{Instance, Objective};
use crate::search::pareto::{MAX_OBJECTIVES, Point};
use crate::{Error, Result};

/// Two to four objectives, none of them twice, in the order in which a person named them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Objectives {
    list: [Objective; MAX_OBJECTIVES],
    count: usize,
}

impl Default for Objectives {
    /// Makespan, flow time and tardiness.
    fn default() -> Self {
        let list = [Objective::Makespan, Objective::FlowTime, Objective::Tardiness, Objective::Makespan];
        Self { list, count: 3 }
    }
}

impl Objectives {
    /// These objectives.
    ///
    /// # Errors
    /// [`Error::Usage`] where there are fewer than two, or one stands twice.
    pub fn new(objectives: &[Objective]) -> Result<Self> {
        let twice = |(number, one): (usize, &Objective)| objectives[..number].contains(one).then_some(*one);
        if let Some(one) = objectives.iter().enumerate().find_map(twice) {
            return Err(Error::Usage(format!("the objective {one} is named twice; name each once")));
        }
        // Four different ones are all that there are.
        if objectives.len() < 2 || objectives.len() > MAX_OBJECTIVES {
            let count = objectives.len();
            let what = format!("a front has two to four objectives, not {count}; name them like makespan,flowtime");
            return Err(Error::Usage(what));
        }
        let list = std::array::from_fn(|axis| objectives.get(axis).copied().unwrap_or(Objective::Makespan));
        Ok(Self { list, count: objectives.len() })
    }

    /// The objectives.
    pub fn as_slice(&self) -> &[Objective] {
        &self.list[..self.count]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A point of the objectives, from the values of all as [`Objective::ALL`] names them.
    #[inline(always)]
    pub fn select(&self, all: &Point) -> Point {
        std::array::from_fn(|axis| if axis < self.count { all[self.list[axis] as usize] } else { 0 })
    }

    /// Makes sure that an instance holds what the objectives need.
    ///
    /// # Errors
    /// [`Error::Usage`] where one needs due dates and there are none.
    pub fn check(&self, instance: &Instance) -> Result<()> {
        match self.as_slice().iter().find(|objective| objective.needs_due_dates()) {
            Some(objective) if !instance.has_due_dates() => Err(Error::Usage(format!(
                "{}: its jobs have no due dates, so nothing can be late and {objective} says nothing; choose \
                 --objective makespan,flowtime, or add due dates (in a table, a column “due date”)",
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
    /// As [`Objectives::new`], and where there is no such objective.
    fn from_str(text: &str) -> Result<Self> {
        Self::new(&text.split(',').map(|name| name.trim().parse()).collect::<Result<Vec<_>>>()?)
    }
}

/// What a run is to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Goal {
    /// The order with the least of one objective.
    One(Objective),
    /// Orders of which none is better than another in all objectives.
    Front(Objectives),
}

impl Goal {
    /// The objective, or the first of several.
    pub fn first(self) -> Objective {
        match self {
            Self::One(objective) => objective,
            Self::Front(objectives) => objectives.list[0],
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

    /// An objective by name, `pareto` for a front of the usual objectives, or two to four names with commas between.
    ///
    /// # Errors
    /// [`Error::Usage`] that names what there is.
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
