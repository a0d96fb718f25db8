//! Relations that no timetable satisfies together: a smallest set of them, named.
//!
//! The periods of the exams are narrowed until every period of an exam agrees with one of each related exam (arc consistency;
//! A. K. Mackworth, «Consistency in networks of relations», Artificial Intelligence 8(1), 1977). Beside it, exams on different
//! days are counted. Relations are then taken away as long as a contradiction remains.

use std::collections::{BTreeMap, BTreeSet};

use super::{Contradiction, name};
use crate::counts::days;
use crate::model::PeriodSet;
use crate::seating::SeatingModel;
use crate::{Instance, Relation, RelationKind};

/// A smallest set of relations that contradict each other; `None` if no contradiction is found.
pub(super) fn contradiction(instance: &Instance) -> Option<Contradiction> {
    if instance.rules.relations.is_empty() {
        return None;
    }
    let session = Session { instance, days: days(instance), allowed: allowed(instance) };
    let mut relations: Vec<Relation> = instance.rules.relations.iter().copied().collect();
    if session.agree(&relations) {
        return None;
    }
    let mut size = relations.len().div_ceil(2);
    loop {
        let mut from = 0;
        while from < relations.len() {
            let mut fewer = relations.clone();
            fewer.drain(from..(from + size).min(relations.len()));
            if session.agree(&fewer) {
                from += size;
            } else {
                relations = fewer;
            }
        }
        if size == 1 {
            break;
        }
        size = size.div_ceil(2);
    }
    let rules: Vec<String> = relations
        .iter()
        .map(|relation| {
            let [first, second] = [relation.first, relation.second].map(|exam| name(instance, exam.into()));
            format!("exam {first} {} exam {second}", relation.kind.phrase())
        })
        .collect();
    let exams = relations.iter().flat_map(|relation| [relation.first, relation.second]).map(usize::from);
    let text = match rules.as_slice() {
        [] => return None,
        [rule] => format!("{rule}, but no two periods of these exams allow it: remove the rule or allow other periods"),
        rules => format!("no timetable satisfies these rules together: {}; remove one of them", rules.join("; ")),
    };
    Some(Contradiction::new(exams, text))
}

struct Session<'a> {
    instance: &'a Instance,
    days: Option<Vec<usize>>,
    /// Periods of each exam, if no relation named it.
    allowed: Vec<PeriodSet>,
}

fn allowed(instance: &Instance) -> Vec<PeriodSet> {
    let mut unrelated = instance.clone();
    unrelated.rules.relations.clear();
    SeatingModel::new(&unrelated).allowed
}

impl Session<'_> {
    /// Returns `false` if the relations certainly contradict each other.
    fn agree(&self, relations: &[Relation]) -> bool {
        !self.has_rooms_apart_and_together(relations) && !self.has_too_few_days(relations) && self.narrow(relations)
    }

    fn has_rooms_apart_and_together(&self, relations: &[Relation]) -> bool {
        let apart = |relation: &Relation| Relation { kind: RelationKind::DifferentRoom, ..*relation };
        let mut together = relations.iter().filter(|relation| relation.kind == RelationKind::SameRoom);
        self.instance.has_rooms() && together.any(|relation| relations.contains(&apart(relation)))
    }

    /// Returns `true` if more exams must be on different days, every two of them, than there are days.
    fn has_too_few_days(&self, relations: &[Relation]) -> bool {
        let Some(days) = &self.days else { return false };
        let count = days.iter().collect::<BTreeSet<_>>().len();
        let mut apart: BTreeMap<u16, BTreeSet<u16>> = BTreeMap::new();
        for relation in relations.iter().filter(|relation| relation.kind == RelationKind::DifferentDay) {
            apart.entry(relation.first).or_default().insert(relation.second);
            apart.entry(relation.second).or_default().insert(relation.first);
        }
        apart.iter().any(|(&exam, others)| {
            let mut set = vec![exam];
            for &other in others {
                if set.iter().all(|member| apart[&other].contains(member)) {
                    set.push(other);
                }
            }
            set.len() > count
        })
    }

    /// Returns `true` if two exams have students or a person in common.
    fn clash(&self, a: u16, b: u16) -> bool {
        let mut people = self.instance.resources.people.iter();
        let needs_both = people.any(|person| person.exams.contains(&a) && person.exams.contains(&b));
        needs_both || self.instance.conflicts.shared(a.into(), b.into()) > 0
    }

    /// Narrows the periods of the related exams; returns `false` if one has none left.
    fn narrow(&self, relations: &[Relation]) -> bool {
        let days = self.days.as_deref();
        let mut periods: BTreeMap<u16, PeriodSet> = BTreeMap::new();
        let mut pairs: BTreeMap<(u16, u16), Vec<Relation>> = BTreeMap::new();
        for relation in relations {
            let (a, b) = (relation.first.min(relation.second), relation.first.max(relation.second));
            pairs.entry((a, b)).or_default().push(*relation);
            periods.insert(a, self.allowed[usize::from(a)]);
            periods.insert(b, self.allowed[usize::from(b)]);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (&(a, b), relations) in &pairs {
                let is_clash = a != b && self.clash(a, b);
                let holds = |at_a: usize, at_b: usize| {
                    let is_met = |relation: &Relation| match relation.first == a {
                        true => relation.holds(days, at_a, at_b),
                        false => relation.holds(days, at_b, at_a),
                    };
                    relations.iter().all(is_met) && !(is_clash && at_a == at_b) && (a != b || at_a == at_b)
                };
                let (of_a, of_b) = (periods[&a], periods[&b]);
                let (mut left_of_a, mut left_of_b) = (of_a, of_b);
                left_of_a.retain(|at| of_b.iter().any(|other| holds(at, other)));
                left_of_b.retain(|at| of_a.iter().any(|other| holds(other, at)));
                if left_of_a.is_empty() || left_of_b.is_empty() {
                    return false;
                }
                changed |= left_of_a.len() < of_a.len() || left_of_b.len() < of_b.len();
                periods.insert(a, left_of_a);
                periods.insert(b, left_of_b);
            }
        }
        true
    }
}
