//! Replacement of absent invigilators: duties of all others stay unless one of them has to move, and then the fewest move.
//!
//! The duties as they are make a flow of the network of [`super::flow`] in which every duty that somebody did not have before costs
//! more than any difference of loads. A cheapest path to a duty that has become free therefore moves the fewest people, and among those the
//! ones with the fewest duties.

use std::collections::{BTreeSet, HashMap};

use super::flow::{Flow, MOVED, Network};
use super::needs::{Need, Needs};
use super::{duties_of, needs_of, network, shortages};
use crate::data::periods_of;
use crate::invigilators::{Duty, Invigilator, Post};
use crate::{Instance, Timetable};
use gridwright_core::data::{NameIndex, key};
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

/// An absence that has become known late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateAbsence {
    /// Index of the invigilator.
    pub person: usize,
    /// Periods of the absence.
    pub periods: BTreeSet<u16>,
}

/// A duty that has become free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vacancy {
    /// The duty of the absent person.
    pub duty: Duty,
    /// Code of the person who takes the duty; `None` if nobody can.
    pub by: Option<String>,
    /// Codes of people who are free for the duty, those with the fewest duties first.
    pub free: Vec<String>,
    /// Codes of the reserves on duty at the same time.
    pub reserves: Vec<String>,
}

/// Replacements for late absences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// All duties after the replacement, by period and post.
    pub duties: Vec<Duty>,
    /// Duties that have become free.
    pub vacancies: Vec<Vacancy>,
    /// Further duties that change hands: the duty as it was, and the code of the person who has it now.
    pub moved: Vec<(Duty, String)>,
    /// Duties that remain without a person, as sentences.
    pub gaps: Vec<String>,
    /// Duties that the timetable does not need, as sentences; they are dropped.
    pub dropped: Vec<String>,
}

impl LateAbsence {
    /// Reads `CODE` for all periods, or `CODE=PERIODS` with periods as the table of invigilators writes absences.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the code or the periods that are not known.
    pub fn parse(text: &str, instance: &Instance) -> Result<Self> {
        let people = NameIndex::of(instance.resources.invigilators.iter().map(|person| &person.code));
        let (code, periods) = match people.get(text) {
            Some(_) => (text, None),
            None => text.split_once('=').map_or((text, None), |(code, periods)| (code.trim(), Some(periods))),
        };
        let person = people.get(code).ok_or_else(|| {
            let known: Vec<&str> =
                instance.resources.invigilators.iter().map(|person| person.code.as_str()).take(8).collect();
            Error::Usage(format!(
                "{} is no invigilator of {}; known are {}",
                quoted(code),
                instance.name,
                known.join(", ")
            ))
        })?;
        let periods = match periods {
            None => (0..instance.period_count() as u16).collect(),
            Some(periods) => periods_of(periods, &instance.periods).map_err(Error::Usage)?,
        };
        Ok(Self { person, periods })
    }
}

/// The session with late absences.
#[must_use]
pub fn with_absences(instance: &Instance, absences: &[LateAbsence]) -> Instance {
    let mut instance = instance.clone();
    for absence in absences {
        if let Some(person) = instance.resources.invigilators.get_mut(absence.person) {
            person.unavailable.extend(&absence.periods);
        }
    }
    instance
}

/// Finds people for the duties that late absences leave; `instance` is the session with the absences ([`with_absences`]). Duties whose
/// person is absent anyway are replaced, too.
///
/// # Errors
/// [`Error::Usage`] if the session has no invigilators or the timetable no rooms.
pub fn replace(instance: &Instance, timetable: &Timetable, duties: &[Duty]) -> Result<Replacement> {
    let needs = needs_of(instance, timetable)?;
    let mut network = network(instance, &needs);
    // Who is there may stay, even with more or fewer duties than wanted.
    network.least = vec![0; network.least.len()];
    let (mut flow, vacant, dropped) = present(instance, &needs, &network, duties);
    without_colleagues(instance, &needs, &flow, &mut network);
    let before = flow.clone();
    let cost = |person: usize, need: usize| if before.holders[need].contains(&person) { 0 } else { MOVED };
    let mut gaps = Vec::new();
    for &(need, _) in &vacant {
        let is_missing = flow.holders[need].len() < needs.all[need].count;
        if is_missing && network.augment(&mut flow, &[need], &cost).is_err() {
            gaps.push(shortages::gap(instance, &needs.all[need], flow.holders[need].len()));
        }
    }
    let mut taken: Vec<Vec<usize>> = vec![Vec::new(); needs.all.len()];
    for (need, holders) in flow.holders.iter().enumerate() {
        taken[need].extend(holders.iter().filter(|person| !before.holders[need].contains(person)));
    }
    let code = |person: usize| instance.resources.invigilators[person].code.clone();
    let mut vacancies = Vec::new();
    for (need, duty) in vacant {
        let by = Some(()).filter(|()| !taken[need].is_empty()).map(|()| code(taken[need].remove(0)));
        let free = free(&network, &before, need).into_iter().map(code).collect();
        let reserves = reserves(&needs, &before, need).into_iter().map(code).collect();
        vacancies.push(Vacancy { duty: duty.clone(), by, free, reserves });
    }
    let moved = moved(instance, &needs, &before, &flow, &taken);
    Ok(Replacement { duties: duties_of(instance, &needs, &flow), vacancies, moved, gaps, dropped })
}

/// Flow of the duties whose people may keep them, the needs of the others with their duties, and sentences about duties that the timetable
/// does not need.
pub(super) fn present<'a>(
    instance: &Instance, needs: &Needs, network: &Network, duties: &'a [Duty],
) -> (Flow, Vec<(usize, &'a Duty)>, Vec<String>) {
    let people = NameIndex::of(instance.resources.invigilators.iter().map(|person| &person.code));
    let posts: HashMap<(usize, u8, String), usize> =
        needs.all.iter().enumerate().map(|(index, need)| (post_key(need.period, &need.post), index)).collect();
    let (mut flow, mut vacant, mut dropped) = (network.empty(), Vec::new(), Vec::new());
    for duty in duties {
        let period = instance.period_of(&duty.when);
        let need = period.and_then(|period| posts.get(&post_key(period, &duty.post)).copied());
        let Some(need) = need else {
            dropped.push(format!("{}, {}: {} is not needed", duty.when.words(), duty.post.words(), duty.invigilator));
            continue;
        };
        let slot = network.slot_of[need];
        match people.get(&duty.invigilator) {
            Some(person) if network.eligible[need].contains(&person) && flow.held[person][slot].is_none() => {
                flow.take(person, need, slot);
                flow.loads[person] += 1;
            }
            _ => vacant.push((need, duty)),
        }
    }
    (flow, vacant, dropped)
}

fn post_key(period: usize, post: &Post) -> (usize, u8, String) {
    match post {
        Post::Chief(building) => (period, 0, key(building)),
        Post::Room(room) => (period, 1, key(room)),
        Post::Reserve => (period, 2, String::new()),
    }
}

/// Removes people from the posts at which a colleague is with whom they must not share a room; who is there stays.
pub(super) fn without_colleagues(instance: &Instance, needs: &Needs, flow: &Flow, network: &mut Network) {
    let people = &instance.resources.invigilators;
    let excludes = |one: &Invigilator, other: usize| one.forbidden_colleagues.contains(&(other as u16));
    for (index, need) in needs.all.iter().enumerate() {
        let Need { post: Post::Room(_), .. } = need else { continue };
        let holders = &flow.holders[index];
        network.eligible[index].retain(|&person| {
            let is_excluded = |&holder: &usize| excludes(&people[person], holder) || excludes(&people[holder], person);
            holders.contains(&person) || !holders.iter().any(is_excluded)
        });
    }
}

/// People who may take a need without giving up anything, those with the fewest duties first.
fn free(network: &Network, flow: &Flow, need: usize) -> Vec<usize> {
    let slot = network.slot_of[need];
    let is_free = |&person: &usize| flow.held[person][slot].is_none() && flow.loads[person] < network.most[person];
    let mut free: Vec<usize> = network.eligible[need].iter().copied().filter(is_free).collect();
    free.sort_by_key(|&person| (flow.loads[person], person));
    free
}

/// Reserves on duty in the period of a need.
fn reserves(needs: &Needs, flow: &Flow, need: usize) -> Vec<usize> {
    let period = needs.all[need].period;
    let of_period = needs.all.iter().zip(&flow.holders);
    let of_period = of_period.filter(|(other, _)| other.period == period && other.post == Post::Reserve);
    of_period.flat_map(|(_, holders)| holders.iter().copied()).collect()
}

/// Duties that others have given up, and who has them now; `taken` are the people who came to each need beyond the vacancies.
fn moved(instance: &Instance, needs: &Needs, before: &Flow, after: &Flow, taken: &[Vec<usize>]) -> Vec<(Duty, String)> {
    let code = |person: usize| instance.resources.invigilators[person].code.clone();
    let mut moved = Vec::new();
    for (index, need) in needs.all.iter().enumerate() {
        let left = before.holders[index].iter().filter(|person| !after.holders[index].contains(person));
        for (&former, &now) in left.zip(&taken[index]) {
            let duty = Duty { invigilator: code(former), when: need.when.clone(), post: need.post.clone() };
            moved.push((duty, code(now)));
        }
    }
    moved
}
