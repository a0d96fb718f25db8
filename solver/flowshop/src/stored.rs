//! Job permutations and demands as result and project files name them: by the names of jobs.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Instance;
use super::rules::{Pin, Precedence, Rules};
use gridwright_core::data::FormerNames;
use gridwright_core::numbers::counted;
use gridwright_core::result::Encoded;

/// A permutation in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredSolution {
    /// Names of the jobs in processing order.
    Order(Vec<String>),
}

/// The demands under which a run searched, in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Demands {
    /// A starting permutation and rules for the order.
    FlowShop {
        /// Names of the jobs in processing order; empty without one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        start: Vec<String>,
        /// Rules for the order.
        #[serde(default, skip_serializing_if = "NamedRules::is_empty")]
        rules: NamedRules,
    },
}

/// Rules for the order in a file, with the names of jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedRules {
    /// Pinned jobs and their positions, counted from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<(String, u16)>,
    /// Pairs of a job and the one before which it must not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_before: Vec<(String, String)>,
}

impl NamedRules {
    fn is_empty(&self) -> bool {
        self.pins.is_empty() && self.not_before.is_empty()
    }

    /// Names the jobs of the rules of an instance.
    pub fn of(instance: &Instance, rules: &Rules) -> Self {
        let name = |job: u16| names(instance, &[job]).remove(0);
        Self {
            pins: rules.pins.iter().map(|pin| (name(pin.job), pin.position.saturating_add(1))).collect(),
            not_before: rules.precedences.iter().map(|pair| (name(pair.then), name(pair.first))).collect(),
        }
    }

    /// The rules with the present names of jobs.
    #[must_use]
    pub fn renamed(mut self, names: &FormerNames) -> Self {
        let pairs = self.not_before.iter_mut().flat_map(|(then, first)| [then, first]);
        self.pins.iter_mut().map(|(name, _)| name).chain(pairs).for_each(|name| names.update("jobs", name));
        self
    }

    /// The rules for an instance, without those about jobs that it does not have.
    pub fn resolved(&self, instance: &Instance) -> Rules {
        let known: HashMap<&str, u16> =
            instance.jobs.iter().zip(0..).map(|(job, index)| (job.name.as_str(), index)).collect();
        let find = |name: &String| known.get(name.as_str()).copied();
        let pin = |(name, position): &(String, u16)| Some(Pin { job: find(name)?, position: position.checked_sub(1)? });
        let pair = |(then, first): &(String, String)| Some(Precedence { first: find(first)?, then: find(then)? });
        Rules {
            pins: self.pins.iter().filter_map(pin).collect(),
            precedences: self.not_before.iter().filter_map(pair).collect(),
        }
    }
}

/// Rules for other data, in which jobs may have other names, and a remark on rules that are lost with jobs.
pub fn carried_rules(from: &Instance, to: &Instance, rules: &Rules, names: &FormerNames) -> (Rules, Vec<String>) {
    let carried = NamedRules::of(from, rules).renamed(names).resolved(to);
    let count = |rules: &Rules| rules.pins.len() + rules.precedences.len();
    let lost = count(rules) - count(&carried);
    let mut remarks = Vec::from_iter((lost > 0).then(|| format!("{} about jobs that are gone", counted(lost, "rule"))));
    if carried.check(to).is_ok() {
        return (carried, remarks);
    }
    // Pins of positions beyond the jobs or among those that have started, for example.
    let mut kept = Rules::default();
    for pair in &carried.precedences {
        kept.precedences.push(*pair);
        if kept.check(to).is_err() {
            kept.precedences.pop();
        }
    }
    for pin in &carried.pins {
        kept.pins.push(*pin);
        if kept.check(to).is_err() {
            kept.pins.pop();
        }
    }
    let unfit = count(&carried) - count(&kept);
    remarks.push(format!("{} that no longer fit", counted(unfit, "rule")));
    (kept, remarks)
}

/// Demands of a run on an instance that begins with `start`, if it does; `None` without a start and rules.
pub fn demands(instance: &Instance, start: Option<&[u16]>) -> Option<Encoded> {
    let rules = NamedRules::of(instance, &instance.rules);
    let start = start.map(|start| names(instance, start)).unwrap_or_default();
    (!start.is_empty() || !rules.is_empty()).then(|| Encoded::of(&Demands::FlowShop { start, rules }))
}

/// Rules of stored demands for an instance; those about other jobs are left out. None if the value holds no demands.
pub fn rules_of(instance: &Instance, demands: Option<&Encoded>) -> Rules {
    let stored = demands.and_then(|demands| demands.decode());
    stored.map_or_else(Rules::default, |Demands::FlowShop { rules, .. }| rules.resolved(instance))
}

/// Names of the jobs with these indices, in the same order; an index beyond the instance has an empty name.
pub fn names(instance: &Instance, order: &[u16]) -> Vec<String> {
    let name = |&job: &u16| instance.jobs.get(usize::from(job)).map_or_else(String::new, |job| job.name.clone());
    order.iter().map(name).collect()
}

/// Names every job of `order`, a sequence of job indices.
pub fn encode(instance: &Instance, order: &[u16]) -> Encoded {
    Encoded::of(&StoredSolution::Order(names(instance, order)))
}

/// A stored permutation with the present names of jobs; `None` if the value is none.
pub fn renamed(solution: &Encoded, names: &FormerNames) -> Option<Encoded> {
    let mut order = stored_names(solution)?;
    order.iter_mut().for_each(|name| names.update("jobs", name));
    Some(Encoded::of(&StoredSolution::Order(order)))
}

/// Names of the jobs of a stored permutation; `None` if the value is none.
pub fn stored_names(solution: &Encoded) -> Option<Vec<String>> {
    solution.decode().map(|StoredSolution::Order(names)| names)
}

/// Job indices of a stored permutation, which may lack jobs or name some twice: the checker reports that.
///
/// # Errors
/// A sentence that names the instance, if the value is no permutation or names an unknown job.
pub fn decode(instance: &Instance, solution: &Encoded) -> Result<Vec<u16>, String> {
    let name = &instance.name;
    let Some(jobs) = stored_names(solution) else {
        return Err(format!("it holds no order of the jobs of {name}; name the instance that it was made for"));
    };
    indices(instance, &jobs).map_err(|job| {
        format!(
            "it holds an unknown job “{}”, so it is no order for {name}; name the instance that it was made for",
            job.escape_debug()
        )
    })
}

/// Indices of the jobs with these names.
///
/// # Errors
/// The first name that no job has.
pub fn indices(instance: &Instance, names: &[String]) -> Result<Vec<u16>, String> {
    let known: HashMap<&str, u16> =
        instance.jobs.iter().zip(0..).map(|(job, index)| (job.name.as_str(), index)).collect();
    names.iter().map(|name| known.get(name.as_str()).copied().ok_or_else(|| name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use gridwright_core::data::Tables as _;

    use super::*;

    #[test]
    fn an_order_follows_jobs_with_another_name() {
        let from = Instance::of_times("shop", 2, vec![3, 2, 1, 4, 2, 2]).unwrap();
        let mut to = from.clone();
        to.jobs[1].name = "Desk".to_owned();
        let pair = [("J2".to_owned(), "Desk".to_owned())];
        let names = FormerNames::default().with(Instance::TABLES, &to.to_data(), 0, &pair);
        let stored = encode(&from, &[2, 1, 0]);
        assert!(decode(&to, &stored).is_err());
        assert_eq!(decode(&to, &renamed(&stored, &names).unwrap()), Ok(vec![2, 1, 0]));
    }
}
