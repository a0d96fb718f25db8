//! Decisions about a session that may be worth a look: days, rooms, seats, weights and rules.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDate, TimeDelta};
use gridwright_core::numbers::{counted, counted_as, grouped};
use gridwright_core::planning::{Decision, DecisionName};

use crate::around::{price_of_a_move, price_of_a_room};
use crate::check::check;
use crate::objective::{HIGHEST_WEIGHT, WeightName};
use crate::resources::Room;
use crate::rules::Relation;
use crate::run::failing::of_days;
use crate::{Instance, MAX_PERIODS, Period, Timetable};

/// Seats that a room gets.
const MORE_SEATS: u32 = 20;

/// Number of rooms, by the students in them, that are proposed to be closed.
const PROPOSED_ROOMS: usize = 3;

/// Price of a moved exam, as a share of the price with which no exam moves for its own cost.
const PRICE_SHARE: u32 = 100;

/// Weights that are numbers of something else and no costs.
const NO_COSTS: [&str; 5] = ["night", "break_minutes", "spread_periods", "large_exams", "late_periods"];

/// All decisions about a timetable: days, rooms in the order of their students, weights, rules.
pub(crate) fn of(instance: &Instance, timetable: &Timetable) -> Vec<Decision<Instance>> {
    [of_periods(instance), of_rooms(instance, timetable), of_weights(instance, timetable), of_rules(instance)].concat()
}

/// The instance with a timetable to stay close to, at prices that are low beside what an exam may cost.
pub(crate) fn close_to(instance: &Instance, timetable: &Timetable) -> Instance {
    let weight = price_of_a_move(instance, timetable).div_ceil(PRICE_SHARE);
    instance.around(timetable.clone(), weight, price_of_a_room(instance, weight).div_ceil(PRICE_SHARE))
}

fn decision(name: DecisionName, instance: Instance) -> Decision<Instance> {
    Decision { name, instance, is_of_weights: false }
}

/// Each day closed, and a day more; without dates, the last period closed and a period more.
fn of_periods(instance: &Instance) -> Vec<Decision<Instance>> {
    let days = of_days(instance);
    let last = days.len().saturating_sub(1);
    let mut all = Vec::new();
    for (at, periods) in days.iter().enumerate().filter(|_| last > 0) {
        let Some(date) = instance.periods[periods.start].date else { continue };
        let words = format!("Without {} ({})", date.format("%A %-d %B"), counted(periods.len() as u64, "period"));
        let key = format!("without-{date}");
        let name =
            if at == 0 || at == last { DecisionName::proposed(key, words) } else { DecisionName::possible(key, words) };
        all.push(decision(name, without(instance, periods.clone())));
    }
    let count = instance.period_count();
    if days.is_empty() && count > 1 {
        let name = DecisionName::proposed("period-less", "One period less");
        all.push(decision(name, without(instance, count - 1..count)));
    }
    let further = days.last().map_or(count.saturating_sub(1)..count, Clone::clone);
    if count > 0 && count + further.len() <= MAX_PERIODS {
        let mut longer = instance.clone();
        let next = next_day(instance);
        longer
            .periods
            .extend(instance.periods[further.clone()].iter().map(|period| Period { date: next, ..period.clone() }));
        let words = next.map_or_else(
            || "One period more".to_owned(),
            |date| format!("{} as well ({})", date.format("%A %-d %B"), counted(further.len() as u64, "period")),
        );
        let key = if next.is_some() { "day-more" } else { "period-more" };
        all.push(decision(DecisionName::proposed(key, words), longer));
    }
    all
}

/// The instance without exams in some periods; pins to them are dropped.
fn without(instance: &Instance, periods: std::ops::Range<usize>) -> Instance {
    let mut closed = instance.clone();
    for exam in 0..instance.exam_count() {
        periods.clone().for_each(|period| closed.rules.forbid(exam, period, true));
    }
    closed.rules.pins.retain(|_, period| !periods.contains(&usize::from(*period)));
    closed
}

/// The first date after the last one whose weekday has exams; `None` without dates.
fn next_day(instance: &Instance) -> Option<NaiveDate> {
    let dates: BTreeSet<NaiveDate> = instance.periods.iter().filter_map(|period| period.date).collect();
    let weekdays: BTreeSet<u32> = dates.iter().map(|date| date.weekday().num_days_from_monday()).collect();
    let last = *dates.last()?;
    let later = (1..=7).filter_map(|days| last.checked_add_signed(TimeDelta::days(days)));
    later.into_iter().find(|date| weekdays.contains(&date.weekday().num_days_from_monday()))
}

/// Each room closed, or with more seats, and a further room like the largest one.
fn of_rooms(instance: &Instance, timetable: &Timetable) -> Vec<Decision<Instance>> {
    let rooms = &instance.resources.rooms;
    let mut students = vec![0_u64; rooms.len()];
    for seats in timetable.rooms.iter().flatten() {
        if let Some(count) = students.get_mut(usize::from(seats.room)) {
            *count += u64::from(seats.students);
        }
    }
    let mut order: Vec<usize> = (0..rooms.len()).collect();
    order.sort_by_key(|&room| std::cmp::Reverse(students[room]));
    let mut all = Vec::new();
    for (rank, &room) in order.iter().enumerate() {
        let (code, seats) = (&rooms[room].code, grouped(rooms[room].seats));
        let name = |key: String, words: String| match rank < PROPOSED_ROOMS {
            true => DecisionName::proposed(key, words),
            false => DecisionName::possible(key, words),
        };
        let mut closed = instance.clone();
        closed.resources.rooms[room].unavailable.extend((0..instance.period_count()).map(|period| period as u16));
        all.push(decision(
            name(format!("without-room-{code}"), format!("Without room {code} ({seats} seats)")),
            closed,
        ));
        let mut larger = instance.clone();
        larger.resources.rooms[room].seats = rooms[room].seats.saturating_add(MORE_SEATS);
        let words = format!("{MORE_SEATS} seats more in room {code} ({seats})");
        all.push(decision(name(format!("more-seats-{code}"), words), larger));
    }
    let largest = rooms.iter().max_by_key(|room| room.seats);
    let code = largest.map(|largest| format!("{} (second)", largest.code)).unwrap_or_default();
    if let Some(largest) = largest.filter(|_| rooms.iter().all(|room| room.code != code)) {
        let mut more = instance.clone();
        let further = Room { code, ..largest.clone() };
        more.resources.rooms.push(further);
        let words = format!("A second room like {} ({} seats)", largest.code, grouped(largest.seats));
        all.push(decision(DecisionName::proposed("room-more", words), more));
    }
    all
}

/// Each weight twice and half as high; proposed are those that cost something now.
fn of_weights(instance: &Instance, timetable: &Timetable) -> Vec<Decision<Instance>> {
    let present = &instance.objective.weights;
    let components = check(instance, timetable).components;
    let costs = |name: &str| components.iter().any(|component| component.key == name && component.cost > 0);
    let is_cost = |weight: &&WeightName| weight.of(present) > 0 && !NO_COSTS.contains(&weight.name);
    let mut all = Vec::new();
    let weights: Vec<&WeightName> = WeightName::ALL.iter().filter(is_cost).collect();
    // With a single weight another value of it changes nothing.
    for weight in weights.iter().filter(|_| weights.len() > 1) {
        let value = weight.of(present);
        for (key, how, other) in [("double", "twice", value.saturating_mul(2)), ("half", "half", value / 2)] {
            let other = other.min(HIGHEST_WEIGHT);
            if other == value || other == 0 {
                continue;
            }
            let mut changed = instance.clone();
            *weight.place(&mut changed.objective.weights) = other;
            let words = format!("Weight {how} as high ({other}): {}", weight.label);
            let name = DecisionName {
                is_proposed: key == "double" && costs(weight.name),
                ..DecisionName::possible(format!("{key}-{}", weight.name), words)
            };
            all.push(Decision { is_of_weights: true, ..decision(name, changed) });
        }
    }
    all
}

/// Each limit of students dropped, and all rules of a kind dropped.
fn of_rules(instance: &Instance) -> Vec<Decision<Instance>> {
    let rules = &instance.rules;
    let mut all = Vec::new();
    let mut drop = |key: String, words: String, change: &dyn Fn(&mut Instance)| {
        let mut dropped = instance.clone();
        change(&mut dropped);
        all.push(decision(DecisionName::proposed(key, words), dropped));
    };
    for (limit, sentence) in rules.limits.sentences() {
        drop(format!("without-{}", limit.name), format!("Without the limit: {sentence}"), &|dropped| {
            *limit.place(&mut dropped.rules.limits) = 0;
        });
    }
    let (pins, room_pins) = (rules.pins.len(), rules.room_pins.len());
    let (relations, forbidden) = (rules.relations.len(), rules.forbidden.len());
    if pins > 0 {
        let words = format!("Without {}", counted_as(pins, "pin of an exam to a period", "pins of exams to periods"));
        drop("without-pins".to_owned(), words, &|dropped| dropped.rules.pins.clear());
    }
    if room_pins > 0 {
        let words = format!("Without {}", counted_as(room_pins, "pin of an exam to rooms", "pins of exams to rooms"));
        drop("without-room-pins".to_owned(), words, &|dropped| dropped.rules.room_pins.clear());
    }
    if relations > 0 {
        let words = format!("Without {}", counted_as(relations, "relation of two exams", "relations of two exams"));
        drop("without-relations".to_owned(), words, &|dropped| dropped.rules.relations.clear());
    }
    if forbidden > 0 {
        let words = format!("With all periods allowed for {}", counted(forbidden as u64, "exam"));
        drop("without-forbidden-periods".to_owned(), words, &|dropped| dropped.rules.forbidden.clear());
    }
    all.extend(of_relations(instance));
    all
}

/// Each relation of two exams dropped.
fn of_relations(instance: &Instance) -> Vec<Decision<Instance>> {
    let relations = &instance.rules.relations;
    let code = |exam: u16| instance.exams[usize::from(exam)].code.as_str();
    let one = |relation: &Relation| {
        let (first, second) = (code(relation.first), code(relation.second));
        let mut dropped = instance.clone();
        dropped.rules.relations.remove(relation);
        let words = format!("Without the rule: {first} {} {second}", relation.kind.phrase());
        decision(DecisionName::possible(format!("without-rule-{first}-{second}"), words), dropped)
    };
    relations.iter().filter(|_| relations.len() > 1).map(one).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gridwright_core::planning::decisions::NO_CHANGE;
    use gridwright_core::planning::{Planning, Settings, consequences_of, decisions_about};
    use gridwright_core::search::{Budget, Control, Stop};

    use super::*;
    use crate::problem::Timetabling;
    use crate::run::holding::tests::{short_run, solved};
    use crate::{Relation, RelationKind};

    /// Every decision is solved under what it says, and judged by the checker as that.
    #[test]
    fn decisions_hold_in_what_is_found_for_them() {
        let (mut instance, timetable) = solved(80, true);
        instance.rules.relations.insert(Relation::new(RelationKind::Different, 0, 1));
        instance.rules.relations.insert(Relation::new(RelationKind::Different, 2, 3));
        let all = decisions_about::<Timetabling>(&instance, &timetable);
        let keys: BTreeSet<&str> = all.iter().map(|decision| decision.name.key.as_str()).collect();
        assert_eq!(keys.len(), all.len(), "names are unique");
        assert!(
            keys.contains("without-relations") && keys.contains("day-more") && keys.contains("room-more"),
            "{keys:?}"
        );
        let settings = Settings::<Timetabling> { threads: 2, stop: Stop::after(Budget::Steps(30)), ..short_run() };
        let found =
            consequences_of::<Timetabling>((&instance, &()), &timetable, &all, &settings, &Control::new(), &|_| ())
                .unwrap();
        assert_eq!((found.all.len(), found.all[0].name.key.as_str()), (all.len(), NO_CHANGE));
        for (decision, one) in all.iter().zip(&found.all) {
            let key = &decision.name.key;
            let solved = Timetabling::decode(&decision.instance, &one.result.solution).unwrap();
            let verdict = check(&decision.instance, &solved);
            assert_eq!(verdict.violations.is_empty(), one.obstacle.is_none(), "{key}: {:?}", one.obstacle);
            let moved = one.measures.iter().find(|measure| measure.key == "moved").and_then(|measure| measure.value);
            assert_eq!(moved, Some(Timetabling::moved(&instance, [&timetable, &solved]) as f64), "{key}");
            if let Some(code) = key.strip_prefix("without-room-") {
                let closed = instance.resources.rooms.iter().position(|room| room.code == code).unwrap();
                assert!(solved.rooms.iter().flatten().all(|seats| usize::from(seats.room) != closed), "{key}");
            }
            let date = key.strip_prefix("without-").and_then(|date| date.parse::<NaiveDate>().ok());
            if let Some(date) = date {
                let is_then =
                    |period: &u16| instance.periods.get(usize::from(*period)).and_then(|at| at.date) == Some(date);
                assert!(!solved.periods.iter().any(is_then), "{key}");
            }
            if decision.is_of_weights && one.obstacle.is_none() {
                let raw = check(&instance, &solved).raw as f64;
                assert_eq!(
                    one.measures[0].value,
                    Some(Timetabling::shown(&instance, raw)),
                    "{key}: the present weights"
                );
            }
        }
        let cost = |measures: &[gridwright_core::planning::Measure]| measures[0].value.unwrap();
        assert!(cost(&found.all[0].measures) <= cost(&found.present));
    }

    #[test]
    fn the_day_after_the_last_has_a_weekday_of_the_session() {
        let (instance, _) = solved(80, true);
        let weekdays = |instance: &Instance| -> BTreeSet<_> {
            instance
                .periods
                .iter()
                .filter_map(|period| period.date)
                .map(|date| date.weekday().num_days_from_monday())
                .collect()
        };
        let longer = of_periods(&instance).pop().unwrap();
        assert_eq!(longer.name.key, "day-more");
        let more = longer.instance.period_count() - instance.period_count();
        assert_eq!(more, of_days(&instance).last().unwrap().len());
        assert_eq!(weekdays(&longer.instance), weekdays(&instance));
        let dates: Vec<_> = longer.instance.periods.iter().filter_map(|period| period.date).collect();
        assert!(dates.is_sorted() && dates.len() == longer.instance.period_count());
    }
}
