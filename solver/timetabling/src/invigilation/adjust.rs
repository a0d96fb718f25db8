//! Duties on a timetable that has changed: everybody stays who can, and the other posts get people.
//!
//! As in [`super::replace`], a duty that somebody did not have before costs more than any difference of loads, so that the fewest
//! people move. It costs a little less for people whose former duty at that time is not needed any more.

use std::collections::{BTreeSet, HashMap};

use super::flow::{Flow, Network};
use super::needs::Needs;
use super::replace::{present, without_colleagues};
use super::{duties_of, needs_of, network, shortages};
use crate::invigilators::Duty;
use crate::{Instance, Timetable};
use gridwright_core::Result;
use gridwright_core::data::NameIndex;
use gridwright_core::numbers::{counted_as, grouped};

/// Cost of giving a duty to somebody who did not have it before; more than any sum of what follows.
const MOVED: i64 = 1 << 34;

/// Reduction of [`MOVED`] for somebody who had another duty at the same time; more than any sum of loads.
const FREED: i64 = 1 << 18;

/// Duties after an adjustment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    /// All duties, by period and post.
    pub duties: Vec<Duty>,
    /// Number of duties that the timetable needs.
    pub needed: usize,
    /// Number of duties that somebody has who had them before.
    pub kept: usize,
    /// Duties that remain without a person, as sentences.
    pub gaps: Vec<String>,
    /// Former duties that the timetable does not need, as sentences.
    pub dropped: Vec<String>,
}

impl Adjustment {
    /// How much stays and how much is new: «40 duties stay as they were, 3 are given anew».
    pub fn in_words(&self) -> String {
        let stay = if self.kept == 1 { "stays as it was" } else { "stay as they were" };
        let new = self.duties.len() - self.kept;
        let given = if new == 1 { "is given anew" } else { "are given anew" };
        format!("{} {stay}, {} {given}", counted_as(self.kept as u64, "duty", "duties"), grouped(new as u64))
    }
}

/// Keeps the duties that a timetable still needs and whose people may have them, and covers as many of the others as possible
/// while as few people as possible give up a duty that they had.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if the session has no invigilators or the timetable no rooms.
pub fn adjust(instance: &Instance, timetable: &Timetable, duties: &[Duty]) -> Result<Adjustment> {
    let needs = needs_of(instance, timetable)?;
    let mut network = network(instance, &needs);
    // Who is there may stay, even with more or fewer duties than wanted.
    network.least = vec![0; network.least.len()];
    let (mut flow, _, mut dropped) = present(instance, &needs, &network, duties);
    let before = flow.clone();
    dropped.extend(without_surplus(instance, &needs, &network, &mut flow));
    without_colleagues(instance, &needs, &flow, &mut network);
    let free = freed(instance, &needs, &flow, duties);
    let cost = |person: usize, need: usize| match before.holders[need].contains(&person) {
        true => 0,
        false if free.contains(&(person, network.slot_of[need])) => MOVED - FREED,
        false => MOVED,
    };
    let lacking = |flow: &Flow| -> Vec<usize> {
        (0..needs.all.len()).filter(|&need| flow.holders[need].len() < needs.all[need].count).collect()
    };
    let mut open = lacking(&flow);
    while !open.is_empty() && network.augment(&mut flow, &open, &cost).is_ok() {
        open = lacking(&flow);
    }
    let gaps = open.iter().map(|&need| shortages::gap(instance, &needs.all[need], flow.holders[need].len()));
    let stay = |need: usize| flow.holders[need].iter().filter(|person| before.holders[need].contains(person)).count();
    Ok(Adjustment {
        duties: duties_of(instance, &needs, &flow),
        needed: needs.all.iter().map(|need| need.count).sum(),
        kept: (0..needs.all.len()).map(stay).sum(),
        gaps: gaps.collect(),
        dropped,
    })
}

/// Takes people away from posts that need fewer than there are, those with most duties first; returns them as sentences.
fn without_surplus(instance: &Instance, needs: &Needs, network: &Network, flow: &mut Flow) -> Vec<String> {
    let mut taken = Vec::new();
    for (index, need) in needs.all.iter().enumerate() {
        while flow.holders[index].len() > need.count {
            let Some(&person) = flow.holders[index].iter().max_by_key(|&&person| (flow.loads[person], person)) else {
                break;
            };
            flow.give(person, index, network.slot_of[index]);
            flow.loads[person] -= 1;
            let code = &instance.resources.invigilators[person].code;
            taken.push(format!("{}, {}: {code} is not needed", need.when.words(), need.post.words()));
        }
    }
    taken
}

/// People and slots in which they had a duty that they do not keep.
fn freed(instance: &Instance, needs: &Needs, kept: &Flow, duties: &[Duty]) -> BTreeSet<(usize, usize)> {
    let people = NameIndex::of(instance.resources.invigilators.iter().map(|person| &person.code));
    let slots: HashMap<usize, usize> = needs.all.iter().map(|need| (need.period, need.slot)).collect();
    let slot_of = |duty: &Duty| slots.get(&instance.period_of(&duty.when)?).copied();
    let of = duties.iter().filter_map(|duty| people.get(&duty.invigilator).zip(slot_of(duty)));
    of.filter(|&(person, slot)| kept.held[person][slot].is_none()).collect()
}
