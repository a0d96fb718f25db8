//! Assignment of invigilators to the rooms of a fixed timetable.
//!
//! 1. The needs of rooms and periods follow from the timetable and the rules of the session ([`needs`]).
//! 2. What cannot be covered by counts alone is named before anything is solved ([`shortages`]).
//! 3. A minimum-cost flow covers as many needs as possible with the most even loads ([`flow`]).
//! 4. Exchanges that keep cover and loads part colleagues who must not share a room, break long rows of duties and save changes of the
//!    building ([`exchange`]).
//! 5. A checker that shares no code with steps 1 to 4 judges the duties ([`check`]).
//!
//! A person changes duties by hand ([`open`]). Late absences keep all duties of others where a free person exists ([`replace`]);
//! on a timetable that has changed, everybody stays who can ([`adjust`]). Everything is deterministic: no clock, no random numbers, no
//! floating point. Tests: `invigilation/tests.rs`.

pub mod adjust;
pub mod check;
mod exchange;
mod flow;
mod needs;
pub mod open;
pub mod replace;
mod shortages;

use self::flow::{Bottleneck, Flow, Network};
use self::needs::{Need, Needs};
use super::invigilators::{Duty, InvigilationNeeds, Invigilator};
use super::publication::When;
use super::{Instance, Timetable};
use gridwright_core::text::lines::listed;
use gridwright_core::{Error, Result};

/// Smallest and largest number of duties of the people who may have any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loads {
    /// Smallest number that was reached.
    pub smallest: usize,
    /// Largest number that was reached.
    pub largest: usize,
    /// No assignment that covers as much has a larger smallest number.
    pub(crate) smallest_bound: usize,
    /// No assignment that covers as much has a smaller largest number.
    pub(crate) largest_bound: usize,
}

/// Duties on a timetable, and what they leave open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// Duties by period and post.
    pub duties: Vec<Duty>,
    /// Number of duties that the timetable needs.
    pub needed: usize,
    /// Shortages that follow from counts alone, as sentences.
    pub shortages: Vec<String>,
    /// Posts that are not covered completely, as sentences.
    pub gaps: Vec<String>,
    /// Loads and their proven bounds; `None` if nobody may have a duty.
    pub loads: Option<Loads>,
    /// Duties that follow another one of the same person and day in another building.
    pub(crate) building_changes: usize,
    /// Duties beyond the most in a row.
    pub(crate) too_long_rows: usize,
}

/// Assigns the invigilators of a session to the rooms of a timetable.
///
/// # Errors
/// [`Error::Usage`] if the session has no invigilators or the timetable no rooms.
pub fn assign(instance: &Instance, timetable: &Timetable) -> Result<Assignment> {
    let needs = needs_of(instance, timetable)?;
    let shortages = shortages::of(instance, &needs);
    let network = network(instance, &needs);
    let (mut flow, lacking) = network.solve();
    let loads = loads(&network, &flow);
    let gaps = gaps(instance, &needs, &flow, &lacking);
    let rules = instance.invigilation_needs();
    let exchange = exchange::Exchange::new(instance, &needs, &network, rules.most_in_a_row as usize);
    exchange.improve(&mut flow);
    let (too_long_rows, building_changes) = exchange.rows_and_changes(&flow);
    let needed = needs.all.iter().map(|need| need.count).sum();
    let duties = duties_of(instance, &needs, &flow);
    Ok(Assignment { duties, needed, shortages, gaps, loads, building_changes, too_long_rows })
}

/// Posts that are not covered completely, and the reasons; a bottleneck that is a part of a later one is no reason of its own.
fn gaps(instance: &Instance, needs: &Needs, flow: &Flow, lacking: &[(usize, Bottleneck)]) -> Vec<String> {
    let gap = |(need, _): &(usize, Bottleneck)| shortages::gap(instance, &needs.all[*need], flow.holders[*need].len());
    let is_part = |part: &Bottleneck, whole: &Bottleneck| part.needs.iter().all(|need| whole.needs.contains(need));
    let is_whole = |(at, (_, bottleneck)): &(usize, &(usize, Bottleneck))| {
        !lacking[at + 1..].iter().any(|(_, later)| is_part(bottleneck, later))
    };
    let reasons = lacking.iter().enumerate().filter(is_whole);
    let bottlenecks = shortages::merged(flow, reasons.map(|(_, (_, bottleneck))| bottleneck));
    let reasons = bottlenecks.iter().map(|bottleneck| shortages::reason(instance, needs, flow, bottleneck));
    lacking.iter().map(gap).chain(reasons).collect()
}

/// Needs of a timetable of a session with invigilators.
fn needs_of(instance: &Instance, timetable: &Timetable) -> Result<Needs> {
    if instance.resources.invigilators.is_empty() {
        return Err(Error::Usage(format!(
            "{} has no invigilators; put a table invigilators.csv beside its enrolments, or enter them in Data",
            instance.name
        )));
    }
    Needs::of(instance, timetable)
}

/// Returns `true` if a person may be at a post in its period, whatever else the person does.
fn is_eligible(person: &Invigilator, need: &Need) -> bool {
    let is_there = !person.unavailable.contains(&(need.period as u16));
    let is_allowed = || !need.exams.iter().any(|&exam| person.forbidden_exams.contains(&(exam as u16)));
    person.may_be(&need.post) && is_there && is_allowed()
}

/// Network of the people of a session and needs.
fn network(instance: &Instance, needs: &Needs) -> Network {
    let people = &instance.resources.invigilators;
    let eligible = |need: &Need| (0..people.len()).filter(|&person| is_eligible(&people[person], need)).collect();
    Network {
        slots: needs.slots.len(),
        slot_of: needs.all.iter().map(|need| need.slot).collect(),
        counts: needs.all.iter().map(|need| need.count).collect(),
        eligible: needs.all.iter().map(eligible).collect(),
        least: people.iter().map(|person| person.least_duties as usize).collect(),
        most: people.iter().map(|person| person.most_duties.map_or(usize::MAX, |most| most as usize)).collect(),
    }
}

/// Duties of a flow by period and post, the people of a post in the order of the table.
fn duties_of(instance: &Instance, needs: &Needs, flow: &Flow) -> Vec<Duty> {
    let mut duties = Vec::new();
    for (need, holders) in needs.all.iter().zip(&flow.holders) {
        let mut holders = holders.clone();
        holders.sort_unstable();
        duties.extend(holders.into_iter().map(|person| Duty {
            invigilator: instance.resources.invigilators[person].code.clone(),
            when: need.when.clone(),
            post: need.post.clone(),
        }));
    }
    duties
}

/// Loads of the people who may have a duty, with bounds that further flows prove.
fn loads(network: &Network, flow: &Flow) -> Option<Loads> {
    let mut is_usable = vec![false; network.most.len()];
    network.eligible.iter().flatten().for_each(|&person| is_usable[person] = network.most[person] > 0);
    let usable = |loads: &[usize]| -> Vec<usize> {
        loads.iter().zip(&is_usable).filter(|(_, is_usable)| **is_usable).map(|(load, _)| *load).collect()
    };
    let reached = usable(&flow.loads);
    let (smallest, largest) = (*reached.iter().min()?, *reached.iter().max()?);
    let covered = flow.covered();
    let is_covered_with_at_most = |cap: usize| {
        let most = network.most.iter().map(|&most| most.min(cap)).collect();
        Network { most, ..network.clone() }.solve().0.covered() == covered
    };
    let is_covered_with_at_least = |least: usize| {
        let flow = Network { least: vec![least; network.least.len()], ..network.clone() }.solve().0;
        flow.covered() == covered && usable(&flow.loads).iter().all(|&load| load >= least)
    };
    let largest_bound = (0..=largest).rev().find(|&cap| cap == 0 || !is_covered_with_at_most(cap - 1))?;
    let smallest_bound = (smallest..=covered).find(|&least| !is_covered_with_at_least(least + 1))?;
    Some(Loads { smallest, largest, smallest_bound, largest_bound })
}

impl Instance {
    /// Period of a duty: that of its date and start or, for a duty without a date, that of its number; `None` if there is none.
    pub fn period_of(&self, when: &When) -> Option<usize> {
        match when.date {
            Some(date) => {
                self.periods.iter().position(|period| period.date == Some(date) && period.start == when.start)
            }
            None => usize::from(when.period).checked_sub(1).filter(|&period| period < self.period_count()),
        }
    }

    /// Rules for the needs of rooms and periods, with the usual values where nothing was entered.
    pub(crate) fn invigilation_needs(&self) -> InvigilationNeeds {
        let rules = self.resources.invigilation.unwrap_or_default();
        rules.completed(&self.resources.invigilators)
    }
}

/// Names of people for a sentence.
fn names(instance: &Instance, people: &[usize]) -> String {
    let names: Vec<&str> = people.iter().map(|&person| instance.resources.invigilators[person].label()).collect();
    listed(&names)
}

#[cfg(test)]
mod tests;
