//! Detection of contradictory rules before any search begins, with a remedy for each.
//!
//! Checked are durations (longer than every period), pins (beyond the last period, forbidden, two conflicting exams, relations),
//! groups that must share a period and cannot, cycles of precedences (depth-first search), and seats (largest group, total). If
//! none of them fails, relations that contradict each other are looked for, and the narrowed periods of the [`Model`] show exams
//! that several rules together leave without a period.

mod together;

use std::collections::{BTreeMap, BTreeSet};

use super::Instance;
use super::model::{Model, groups};
use super::rules::RelationKind;
use gridwright_core::text::lines::{counted, listed};

/// Largest number of students beyond a limit who are named.
pub const NAMED_STUDENTS: usize = 5;

/// Demands that no timetable satisfies together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contradiction {
    /// Sentence about the demands, with its remedy.
    pub(crate) text: String,
    /// Exams of which not all have a place, ascending; empty where all seats together are too few.
    pub(crate) exams: Vec<usize>,
}

impl Contradiction {
    pub(crate) fn new(exams: impl IntoIterator<Item = usize>, text: String) -> Self {
        let exams: BTreeSet<usize> = exams.into_iter().collect();
        Self { text, exams: exams.into_iter().collect() }
    }
}

/// Describes the contradictions among pins, forbidden periods, relations, seats and durations, one sentence with its remedy each.
///
/// An empty list does not prove that a feasible timetable exists.
pub fn contradictions(instance: &Instance) -> Vec<String> {
    found(instance).into_iter().map(|found| found.text).collect()
}

/// As [`contradictions`], with the exams that they concern.
pub(crate) fn found(instance: &Instance) -> Vec<Contradiction> {
    if instance.period_count() == 0 || !(instance.is_restricted() || instance.is_session()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    pins(instance, &mut found);
    together(instance, &mut found);
    precedence_cycles(instance, &mut found);
    let of_students = super::limit_windows::contradictions(instance, NAMED_STUDENTS);
    found.extend(of_students.into_iter().map(|(exams, text)| Contradiction::new(exams, text)));
    seats(instance, &mut found);
    durations(instance, &mut found);
    if instance.is_session() {
        found.extend(super::seating::diagnosis::contradictions(instance));
    }
    if found.is_empty() {
        found.extend(together::contradiction(instance));
    }
    if found.is_empty() {
        without_period(instance, &mut found);
    }
    found
}

fn name(instance: &Instance, exam: usize) -> &str {
    instance.exams.get(exam).map_or("?", |exam| exam.code.as_str())
}

/// Formats «share 3 students».
fn share(students: u32) -> String {
    format!("share {}", counted(students, "student"))
}

fn pins(instance: &Instance, found: &mut Vec<Contradiction>) {
    let periods = instance.period_count();
    let rules = &instance.rules;
    let mut by_period: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for (&exam, &period) in &rules.pins {
        let exam = usize::from(exam);
        if usize::from(period) >= periods {
            found.push(Contradiction::new(
                [exam],
                format!(
                    "exam {} is pinned to period {}, but there are only {periods}: remove the pin or add periods",
                    name(instance, exam),
                    period + 1
                ),
            ));
        } else if !rules.allows(exam, usize::from(period)) {
            found.push(Contradiction::new(
                [exam],
                format!(
                    "exam {} is pinned to {}, which is forbidden for it: remove the pin or allow the period",
                    name(instance, exam),
                    instance.period_name(usize::from(period))
                ),
            ));
        }
        by_period.entry(period).or_default().push(exam);
    }
    for (period, exams) in &by_period {
        for (position, &first) in exams.iter().enumerate() {
            for &second in &exams[position + 1..] {
                let shared = instance.conflicts.shared(first, second);
                if shared > 0 {
                    found.push(Contradiction::new(
                        [first, second],
                        format!(
                            "exams {} and {} are both pinned to {} and {}: remove one pin",
                            name(instance, first),
                            name(instance, second),
                            instance.period_name(usize::from(*period)),
                            share(shared)
                        ),
                    ));
                }
            }
        }
    }
    for &exam in rules.forbidden.keys() {
        let exam = usize::from(exam);
        if rules.pin_of(exam).is_none() && (0..periods).all(|period| !rules.allows(exam, period)) {
            found.push(Contradiction::new(
                [exam],
                format!("every period is forbidden for exam {}: allow one", name(instance, exam)),
            ));
        }
    }
    let days = super::counts::days(instance);
    for relation in &rules.relations {
        let (first, second) = (usize::from(relation.first), usize::from(relation.second));
        if let (Some(a), Some(b)) = (rules.pin_of(first), rules.pin_of(second))
            && !relation.holds(days.as_deref(), a, b)
        {
            found.push(Contradiction::new(
                [first, second],
                format!(
                    "exam {} {} exam {}, but they are pinned to {} and {}: remove a pin or the rule",
                    name(instance, first),
                    relation.kind.phrase(),
                    name(instance, second),
                    instance.period_name(a),
                    instance.period_name(b)
                ),
            ));
        }
    }
}

/// Returns `true` for relations that no two exams in one period satisfy.
fn is_opposed(kind: RelationKind) -> bool {
    use RelationKind::{Before, Different, DifferentDay, DirectlyBefore};
    matches!(kind, Before | Different | DifferentDay | DirectlyBefore)
}

/// Reports groups of exams that must be in the same period although they share students or another relation excludes
/// it.
fn together(instance: &Instance, found: &mut Vec<Contradiction>) {
    for group in groups(instance).iter().filter(|group| group.len() > 1) {
        for (position, &first) in group.iter().enumerate() {
            for &second in &group[position + 1..] {
                let shared = instance.conflicts.shared(first, second);
                let between = between(instance, first, second);
                let codes: Vec<&str> = between.iter().map(|&exam| name(instance, exam)).collect();
                if shared > 0 {
                    let (why, remedy) = match codes.as_slice() {
                        [] => (String::new(), "that rule"),
                        codes => (format!(" because of rules about {}", listed(codes)), "one of these rules"),
                    };
                    found.push(Contradiction::new(
                        [first, second],
                        format!(
                            "exams {} and {} must be in the same period{why}, but {}: remove {remedy}",
                            name(instance, first),
                            name(instance, second),
                            share(shared)
                        ),
                    ));
                }
                let opposed = instance.rules.relations_of(first).filter(|relation| {
                    is_opposed(relation.kind) && [relation.first, relation.second].contains(&(second as u16))
                });
                for relation in opposed {
                    let others = match codes.as_slice() {
                        [] => "other rules".to_owned(),
                        codes => format!("rules about {}", listed(codes)),
                    };
                    found.push(Contradiction::new(
                        [first, second],
                        format!(
                            "exam {} {} exam {}, but {others} put both into the same period: remove one of the rules",
                            name(instance, usize::from(relation.first)),
                            relation.kind.phrase(),
                            name(instance, usize::from(relation.second))
                        ),
                    ));
                }
            }
        }
    }
}

/// The fewest exams by which rules put two exams of a group into one period; empty if a rule names both.
fn between(instance: &Instance, first: usize, second: usize) -> Vec<usize> {
    let mut before: BTreeMap<usize, usize> = BTreeMap::from([(first, first)]);
    let mut queue = std::collections::VecDeque::from([first]);
    while let Some(exam) = queue.pop_front().filter(|&exam| exam != second) {
        let relations = instance.rules.relations_of(exam).filter(|relation| relation.kind == RelationKind::Same);
        for next in relations.flat_map(|relation| [relation.first, relation.second]).map(usize::from) {
            before.entry(next).or_insert_with(|| {
                queue.push_back(next);
                exam
            });
        }
    }
    let mut path = Vec::new();
    let mut at = before.get(&second).copied().unwrap_or(first);
    while at != first {
        path.push(at);
        at = before.get(&at).copied().unwrap_or(first);
    }
    path.reverse();
    path
}

/// Reports a cycle of precedences, «A before B before A», if there is one.
fn precedence_cycles(instance: &Instance, found: &mut Vec<Contradiction>) {
    let mut later: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
    for relation in instance.rules.relations.iter().filter(|relation| relation.kind.is_ordered()) {
        later.entry(relation.first).or_default().push(relation.second);
    }
    let mut done = BTreeSet::new();
    for &first in later.keys() {
        // Depth-first search; the path is kept to name the exams of the cycle.
        let mut path: Vec<(u16, usize)> = vec![(first, 0)];
        while let Some(&(exam, next)) = path.last() {
            let follower = later.get(&exam).and_then(|list| list.get(next)).copied();
            if let Some(top) = path.last_mut() {
                top.1 += 1;
            }
            match follower {
                None => {
                    done.insert(exam);
                    path.pop();
                }
                Some(follower) if done.contains(&follower) => {}
                Some(follower) => match path.iter().position(|&(exam, _)| exam == follower) {
                    Some(begin) => {
                        let cycle = path[begin..].iter().map(|&(exam, _)| exam).chain([follower]);
                        let names: Vec<&str> = cycle.map(|exam| name(instance, usize::from(exam))).collect();
                        found.push(Contradiction::new(
                            path[begin..].iter().map(|&(exam, _)| exam.into()),
                            format!("exam {}: these rules form a cycle; remove one of them", names.join(" before ")),
                        ));
                        return;
                    }
                    None => path.push((follower, 0)),
                },
            }
        }
    }
}

fn seats(instance: &Instance, found: &mut Vec<Contradiction>) {
    let limits: Vec<Option<u32>> = (0..instance.period_count()).map(|period| instance.seat_limit(period)).collect();
    let Some(limits) = limits.into_iter().collect::<Option<Vec<u32>>>() else { return };
    let largest = limits.iter().copied().max().unwrap_or(0);
    for group in groups(instance) {
        let students: u32 = group.iter().map(|&exam| instance.exams[exam].enrolment).sum();
        if students > largest {
            let names: Vec<&str> = group.iter().map(|&exam| name(instance, exam)).collect();
            found.push(Contradiction::new(
                group.iter().copied(),
                format!(
                    "exam {} needs {students} seats, but no period has more than {largest}: add seats or ignore them",
                    names.join(" with ")
                ),
            ));
        }
    }
    let total: u64 = limits.iter().map(|&seats| u64::from(seats)).sum();
    let needed = instance.enrolments() as u64;
    if total < needed {
        found.push(Contradiction::new([], format!(
            "{needed} seats are needed, but all periods together have only {total}: add seats or periods, or ignore seats"
        )));
    }
}

/// Reports exams that last longer than every period, and exams pinned to a period that is too short for them.
fn durations(instance: &Instance, found: &mut Vec<Contradiction>) {
    let periods = instance.period_count();
    let longest = instance.periods.iter().filter_map(super::Period::minutes).max().unwrap_or(0);
    let homeless: Vec<usize> =
        (0..instance.exam_count()).filter(|&exam| (0..periods).all(|at| !instance.has_time_for(exam, at))).collect();
    if !homeless.is_empty() {
        let codes: Vec<&str> = homeless.iter().map(|&exam| name(instance, exam)).collect();
        let verb = if homeless.len() == 1 { "lasts" } else { "last" };
        found.push(Contradiction::new(homeless.iter().copied(), format!(
            "{} {verb} longer than every period (the longest has {longest} minutes): lengthen periods or correct the \
             durations of {}",
            counted(homeless.len(), "exam"),
            listed(&codes)
        )));
    }
    let extra = instance.extra_minutes();
    let unlimited: Vec<usize> = (0..extra.len()).filter(|&exam| instance.is_unlimited(exam, extra[exam])).collect();
    if !unlimited.is_empty() {
        let codes: Vec<&str> = unlimited.iter().map(|&exam| name(instance, exam)).collect();
        let verb = if unlimited.len() == 1 { "has" } else { "have" };
        found.push(Contradiction::new(unlimited.iter().copied(), format!(
            "{} {verb} students with extra time but no duration and would last longer than the period: enter the durations of \
             {}",
            counted(unlimited.len(), "exam"),
            listed(&codes)
        )));
    }
    for (&exam, &period) in &instance.rules.pins {
        let (exam, period) = (usize::from(exam), usize::from(period));
        if period < periods && !homeless.contains(&exam) && !instance.has_time_for(exam, period) {
            found.push(Contradiction::new(
                [exam],
                format!(
                    "exam {} is pinned to {}, which is shorter than the exam: remove the pin or lengthen the period",
                    name(instance, exam),
                    instance.period_name(period)
                ),
            ));
        }
    }
}

/// Reports exams whose allowed periods become empty only by several rules together.
fn without_period(instance: &Instance, found: &mut Vec<Contradiction>) {
    let model = Model::new(instance);
    let Some(restrictions) = &model.restrictions else { return };
    let groups = groups(instance);
    let empty = groups.iter().zip(&restrictions.allowed).filter(|(_, allowed)| allowed.is_empty());
    let exams: Vec<usize> = empty.clone().flat_map(|(group, _)| group.iter().copied()).collect();
    let impossible: Vec<&str> = empty.map(|(group, _)| name(instance, group[0])).collect();
    if !impossible.is_empty() {
        let causes = causes(instance, &exams);
        let text = format!("{causes} leave no period for exam {}: relax one of them", impossible.join(", "));
        found.push(Contradiction::new(exams, text));
    }
}

/// Kinds of demands that exclude periods from one of these exams: «pins and seats together».
fn causes(instance: &Instance, exams: &[usize]) -> String {
    let rules = &instance.rules;
    let has = |demand: &dyn Fn(usize) -> bool| exams.iter().any(|&exam| demand(exam));
    let in_any = |demand: &dyn Fn(usize) -> bool| (0..instance.period_count()).any(demand);
    let is_small = |exam: usize, period: usize| {
        instance.seat_limit(period).is_some_and(|seats| seats < instance.exams[exam].enrolment)
    };
    let causes = [
        ("pins", has(&|exam| rules.pins.contains_key(&(exam as u16)))),
        ("forbidden periods", has(&|exam| rules.forbidden.contains_key(&(exam as u16)))),
        ("durations", has(&|exam| in_any(&|period| !instance.has_time_for(exam, period)))),
        ("seats", has(&|exam| in_any(&|period| is_small(exam, period)))),
        ("rules between exams", has(&|exam| rules.relations_of(exam).next().is_some())),
    ];
    let present: Vec<&str> = causes.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect();
    match present.as_slice() {
        [] => "the demands together".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last} together", first.join(", ")),
    }
}
