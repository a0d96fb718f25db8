//! Needs that cannot be covered: by counts alone before anything is solved, and by a flow afterwards.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::{Bottleneck, Flow};
use super::needs::{Need, Needs};
use super::{is_eligible, names};
use crate::Instance;
use crate::invigilators::{Invigilator, Role};
use gridwright_core::numbers::{counted, counted_as, grouped};
use gridwright_core::text::lines::listed_of;

fn duties(count: usize) -> String {
    counted_as(count as u64, "duty", "duties")
}

/// Number of people of a role or a higher one.
fn people(count: usize, role: Role) -> String {
    match role {
        Role::Reserve => counted_as(count as u64, "person", "people"),
        role => counted(count as u64, role.word()),
    }
}

/// Shortages that follow from counts alone: of people in a slot, of people for a room, and of duties in all.
pub(super) fn of(instance: &Instance, needs: &Needs) -> Vec<String> {
    let mut texts = Vec::new();
    for slot in 0..needs.slots.len() {
        let of_slot: Vec<&Need> = needs.all.iter().filter(|need| need.slot == slot).collect();
        let before = texts.len();
        texts.extend(in_slot(instance, &of_slot));
        if texts.len() == before {
            texts.extend(of_slot.iter().filter_map(|need| at_post(instance, need)));
        }
    }
    texts.extend(in_all(instance, needs));
    texts
}

/// Shortages of people in a slot by role; one that a higher role explains is left out.
fn in_slot(instance: &Instance, needs: &[&Need]) -> Vec<String> {
    let (mut texts, mut explained) = (Vec::new(), 0);
    for role in [Role::Chief, Role::Invigilator, Role::Reserve] {
        let of_role: Vec<&&Need> = needs.iter().filter(|need| need.post.least_role() >= role).collect();
        let needed: usize = of_role.iter().map(|need| need.count).sum();
        let is_available = |periods: &BTreeSet<u16>, absent: &BTreeSet<u16>| !periods.is_subset(absent);
        let periods: BTreeSet<u16> = of_role.iter().map(|need| need.period as u16).collect();
        let available = instance.resources.invigilators.iter();
        let available =
            available.filter(|person| person.role >= role && is_available(&periods, &person.unavailable)).count();
        if needed > available + explained {
            explained = needed - available;
            let when: Vec<String> = periods.iter().map(|&period| instance.period_name(period.into())).collect();
            let (verb, is) =
                (if when.len() == 1 { "needs" } else { "need" }, if available == 1 { "is" } else { "are" });
            texts.push(format!("{} {verb} {}, {available} {is} available", when.join(" and "), people(needed, role)));
        }
    }
    texts
}

/// Shortage of people who may be at a post.
fn at_post(instance: &Instance, need: &Need) -> Option<String> {
    let eligible = instance.resources.invigilators.iter().filter(|person| is_eligible(person, need)).count();
    (eligible < need.count).then(|| {
        let (when, needed) = (instance.period_name(need.period), people(need.count, need.post.least_role()));
        format!("{when}, {}: {needed} needed, {eligible} may be there", need.post.words())
    })
}

/// Shortage of duties in all.
fn in_all(instance: &Instance, needs: &Needs) -> Option<String> {
    let needed: usize = needs.all.iter().map(|need| need.count).sum();
    let slots_of = |person: usize| {
        let person = &instance.resources.invigilators[person];
        let slots: BTreeSet<usize> =
            needs.all.iter().filter(|need| is_eligible(person, need)).map(|need| need.slot).collect();
        person.most_duties.map_or(slots.len(), |most| slots.len().min(most as usize))
    };
    let count = instance.resources.invigilators.len();
    let possible: usize = (0..count).map(slots_of).sum();
    (needed > possible).then(|| {
        let (needed, people) = (duties(needed), people(count, Role::Invigilator));
        format!("all periods together need {needed}, {people} may have {possible} together")
    })
}

impl Instance {
    /// Sentence about invigilators who are too few for every timetable with rooms; `None` if a timetable may have enough, and
    /// without invigilators. Counted are posts in rooms alone: a room of s seats with n students needs as many people as the rule
    /// demands, and at least n / s of the fewest.
    pub fn invigilators_lacking(&self) -> Option<String> {
        let people = &self.resources.invigilators;
        let largest = self.resources.rooms.iter().map(|room| u64::from(room.seats)).max().filter(|seats| *seats > 0)?;
        let needs = self.invigilation_needs();
        let students: u64 = self.sittings().iter().map(|sitting| u64::from(sitting.students)).sum();
        let by_rule = students.div_ceil(u64::from(needs.students));
        let needed = by_rule.max((students * u64::from(needs.least)).div_ceil(largest));
        let periods = self.period_count() as u64;
        let duties_of = |person: &Invigilator| {
            let present = periods.saturating_sub(person.unavailable.len() as u64);
            person.most_duties.map_or(present, |most| present.min(most.into()))
        };
        let able: Vec<&Invigilator> = people.iter().filter(|person| person.role >= Role::Invigilator).collect();
        let possible: u64 = able.iter().map(|person| duties_of(person)).sum();
        (!people.is_empty() && needed > possible).then(|| {
            let (needed, students) = (duties(needed as usize), counted(students, "seat"));
            let able = self::people(able.len(), Role::Invigilator);
            format!(
                "rooms need at least {needed} for {students} in all periods, {able} may have {} together; add people, or raise their \
                 most duties",
                grouped(possible)
            )
        })
    }
}

/// A post that is not covered completely.
pub(super) fn gap(instance: &Instance, need: &Need, covered: usize) -> String {
    let missing = people(need.count - covered, need.post.least_role());
    let (when, post) = (instance.period_name(need.period), need.post.words());
    let needed =
        if covered == 0 { "none is there".to_owned() } else { format!("{covered} of {} are there", need.count) };
    format!("{when}, {post}: {missing} missing, {needed}")
}

/// Bottlenecks with everyone to whom their needs are open, where those of the same people are one.
pub(super) fn merged<'a>(flow: &Flow, bottlenecks: impl Iterator<Item = &'a Bottleneck>) -> Vec<Bottleneck> {
    let mut merged: BTreeMap<BTreeSet<usize>, BTreeSet<usize>> = BTreeMap::new();
    for Bottleneck { needs, people } in bottlenecks {
        let holders = needs.iter().flat_map(|&need| &flow.holders[need]);
        merged.entry(people.iter().chain(holders).copied().collect()).or_default().extend(needs);
    }
    let mut merged: Vec<Bottleneck> = merged
        .into_iter()
        .map(|(people, needs)| Bottleneck { needs: needs.into_iter().collect(), people: people.into_iter().collect() })
        .collect();
    merged.sort_by(|one, other| one.needs.cmp(&other.needs));
    merged
}

/// Reason for gaps: duties that are open to a few people only, who may have fewer of them, with their periods.
pub(super) fn reason(instance: &Instance, needs: &Needs, flow: &Flow, bottleneck: &Bottleneck) -> String {
    let wanted: usize = bottleneck.needs.iter().map(|&need| needs.all[need].count).sum();
    let covered: usize = bottleneck.needs.iter().map(|&need| flow.holders[need].len()).sum();
    let periods: BTreeSet<usize> = bottleneck.needs.iter().map(|&need| needs.all[need].period).collect();
    let periods: Vec<usize> = periods.into_iter().collect();
    let when = listed_of(&periods, |&period| instance.period_name(period));
    let wanted = duties(wanted);
    match bottleneck.people.as_slice() {
        [] => format!("{wanted} open to nobody: {when}; change absences, roles or “Not at”"),
        some => format!(
            "{wanted} open to {} only ({}), who may have {covered} of them: {when}; raise most duties, shorten absences or add \
             people",
            people(some.len(), Role::Reserve),
            names(instance, some)
        ),
    }
}
