//! Consequences of moving one exam by hand: for every period the clashes, the broken rules and the change of the cost.
//!
//! A move without clash and broken rule is free; for others the window asks and offers the best free periods
//! ([`alternatives`]).

use super::check::exceeded_by;
use super::costs::share_at;
use super::day_loads::DayShares;
use super::limit_windows::Limited;
use super::reseating::Reseating;
use super::{Instance, Relation, RelationKind, Timetable, counts};
use gridwright_core::numbers::{counted, counted_as};

/// Consequence of moving one exam to one period while all others stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consequence {
    /// Target period, from 0.
    pub period: usize,
    /// Exams in that period with shared students, as (exam, shared students), by descending number of students.
    pub clashes: Vec<(usize, u32)>,
    /// Sentences that describe the rules the move would break.
    pub broken: Vec<String>,
    /// Change of the raw cost, with that of the exam's rooms; negative is an improvement.
    pub change: i64,
}

impl Consequence {
    /// Returns `true` if the move causes no clash and breaks no rule.
    pub fn is_free(&self) -> bool {
        self.clashes.is_empty() && self.broken.is_empty()
    }

    /// Number of clashes that the move would cause, in pairs of a student and an exam.
    pub fn students(&self) -> u32 {
        self.clashes.iter().map(|&(_, shared)| shared).sum()
    }
}

/// Computes the consequences of moving `exam` to each period, the others as they are; element p belongs to period p.
pub(crate) fn consequences(instance: &Instance, timetable: &Timetable, exam: usize) -> Vec<Consequence> {
    let pairs = instance.pair_costs();
    let prices = instance.period_prices();
    let price =
        |period: usize| prices.get(exam * instance.period_count() + period).map_or(0, |&price| u64::from(price));
    let share = |period: usize| share_at(&instance.conflicts, &pairs, timetable, exam, period).1 + price(period);
    let now = timetable.period_of(exam).map_or(0, share);
    let mut clashes: Vec<Vec<(usize, u32)>> = vec![Vec::new(); instance.period_count()];
    for (other, shared) in instance.conflicts.of(exam) {
        if let Some(list) = timetable.period_of(other).and_then(|period| clashes.get_mut(period)) {
            list.push((other, shared));
        }
    }
    let shares = DayShares::of(instance);
    let loads = shares.as_ref().map_or_else(Vec::new, |shares| shares.loads(instance, timetable));
    let students = i64::from(instance.exams[exam].enrolment);
    let rules = ExamRules::of(instance, timetable, exam);
    let here = timetable.period_of(exam);
    let reseating = Reseating::of(instance, timetable, exam);
    let rooms_now = here.zip(reseating.as_ref()).map_or(0, |(here, reseating)| reseating.present_cost(here));
    let of = |(period, mut clashes): (usize, Vec<(usize, u32)>)| {
        clashes.sort_by_key(|&(other, shared)| (std::cmp::Reverse(shared), other));
        let then = share(period);
        let mut broken = rules.broken(instance, timetable, exam, period);
        let mut change = then as i64 - now as i64;
        if let Some(shares) = &shares {
            change += shares.change(&loads, students, (here, Some(period)));
        }
        if let Some(reseating) = reseating.as_ref().filter(|_| here != Some(period)) {
            let (rooms, cost) = reseating.seats_in(period);
            change += cost as i64 - rooms_now as i64;
            if rooms.iter().any(Vec::is_empty) {
                let code = &instance.exams[exam].code;
                broken.push(format!("{} has no room that is free and suits {code}", instance.period_name(period)));
            }
        }
        Consequence { period, clashes, broken, change }
    };
    clashes.into_iter().enumerate().map(of).collect()
}

/// As [`consequences`] for a move by hand, which also moves the exam's own pin, so that the pin is not reported as
/// broken.
pub fn by_hand(instance: &Instance, timetable: &Timetable, exam: usize) -> Vec<Consequence> {
    let mut found = consequences(instance, timetable, exam);
    if let Some(pin) = instance.rules.pin_of(exam) {
        for consequence in found.iter_mut().filter(|consequence| consequence.period != pin) {
            consequence.broken.retain(|sentence| *sentence != pinned(instance, exam, pin));
        }
    }
    found
}

fn pinned(instance: &Instance, exam: usize, pin: usize) -> String {
    format!("{} is pinned to {}", instance.exams[exam].code, instance.period_name(pin))
}

/// Up to `count` free periods other than `here`, by ascending change of the cost, then by period.
pub fn alternatives(consequences: &[Consequence], here: Option<usize>, count: usize) -> Vec<usize> {
    let free = consequences.iter().filter(|consequence| consequence.is_free() && Some(consequence.period) != here);
    let mut free: Vec<(i64, usize)> = free.map(|consequence| (consequence.change, consequence.period)).collect();
    free.sort_unstable();
    free.into_iter().take(count).map(|(_, period)| period).collect()
}

/// Rules and seat loads that concern one exam.
struct ExamRules {
    relations: Vec<Relation>,
    /// Students of the other exams in each period; empty if no seat limit is enforced.
    taken: Vec<u32>,
    days: Option<Vec<usize>>,
    /// Limits of students, if there are any.
    limits: Option<Limited>,
    /// Students of the exam; empty without limits.
    students: Vec<usize>,
    /// Longest extra time of the exam in minutes.
    extra: Option<u32>,
}

impl ExamRules {
    fn of(instance: &Instance, timetable: &Timetable, exam: usize) -> Self {
        let relations = instance.rules.relations_of(exam).collect();
        let periods = instance.period_count();
        let mut taken = Vec::new();
        if (0..periods).any(|period| instance.seat_limit(period).is_some()) {
            taken = vec![0; periods];
            for other in (0..instance.exam_count()).filter(|&other| other != exam) {
                if let Some(sum) = timetable.period_of(other).and_then(|period| taken.get_mut(period)) {
                    *sum += instance.exams[other].enrolment;
                }
            }
        }
        let extra = instance.extra_minutes().get(exam).copied();
        let limits = Limited::of(instance);
        let students = if limits.is_some() { instance.students.of_exam(exam) } else { Vec::new() };
        Self { relations, taken, days: counts::days(instance), limits, students, extra }
    }

    /// Describes each rule that the exam would break in `period`.
    fn broken(&self, instance: &Instance, timetable: &Timetable, exam: usize, period: usize) -> Vec<String> {
        let name = |exam: usize| instance.exams[exam].code.as_str();
        let mut broken = Vec::new();
        if let Some(pin) = instance.rules.pin_of(exam).filter(|&pin| pin != period) {
            broken.push(pinned(instance, exam, pin));
        }
        if instance.rules.forbidden.get(&(exam as u16)).is_some_and(|list| list.contains(&(period as u16))) {
            broken.push(format!("{} is forbidden for {}", instance.period_name(period), name(exam)));
        }
        if !instance.has_time_for(exam, period) {
            let [lasts, has] =
                [instance.exams[exam].duration, instance.periods[period].minutes()].map(Option::unwrap_or_default);
            broken.push(format!("{} has {has} minutes, {} lasts {lasts}", instance.period_name(period), name(exam)));
        }
        let extra = self.extra.unwrap_or(0);
        if instance.has_time_for(exam, period) && !instance.has_time_with(exam, extra, period) {
            let (name, has) = (name(exam), instance.periods[period].minutes().unwrap_or_default());
            let period = instance.period_name(period);
            broken.push(match instance.exams[exam].duration {
                Some(minutes) => {
                    format!("{period} has {has} minutes, {name} lasts {} with extra time", minutes + extra)
                }
                None => format!(
                    "{name} has no duration and lasts all of {period}, so that {extra} minutes of extra time do not fit"
                ),
            });
        }
        for person in instance.resources.people.iter().filter(|person| person.exams.contains(&(exam as u16))) {
            if person.unavailable.contains(&(period as u16)) {
                broken.push(format!("{} is absent in {}", person.name, instance.period_name(period)));
            }
            let others = person.exams.iter().map(|&other| usize::from(other)).filter(|&other| other != exam);
            for other in others.filter(|&other| timetable.period_of(other) == Some(period)) {
                broken.push(format!("{} is needed at {} there", person.name, name(other)));
            }
        }
        for relation in &self.relations {
            let (first, second) = (usize::from(relation.first), usize::from(relation.second));
            let at = |other: usize| if other == exam { Some(period) } else { timetable.period_of(other) };
            if let (Some(a), Some(b)) = (at(first), at(second))
                && !relation.holds(self.days.as_deref(), a, b)
            {
                let other = if first == exam { b } else { a };
                let stands = match relation.kind {
                    RelationKind::Different => String::new(),
                    _ => format!(" ({})", instance.period_name(other)),
                };
                broken.push(format!("{} {} {}{stands}", name(first), relation.kind.phrase(), name(second)));
            }
        }
        broken.extend(self.beyond_limits(instance, timetable, exam, period));
        if let (Some(seats), Some(taken)) = (instance.seat_limit(period), self.taken.get(period)) {
            let needed = taken + instance.exams[exam].enrolment;
            if needed > seats {
                let has = counted(u64::from(seats), "seat");
                broken.push(format!("{} has {has}, {needed} would be needed", instance.period_name(period)));
            }
        }
        broken
    }
}

impl ExamRules {
    /// The limit that the exam in `period` would break for the first of its students, and the number of the others.
    fn beyond_limits(&self, instance: &Instance, timetable: &Timetable, exam: usize, period: usize) -> Option<String> {
        let of_exam = (exam, self.students.as_slice());
        let beyond = self.limits.as_ref()?.students_beyond(instance, timetable, of_exam, period);
        let &student = beyond.first()?;
        let text = format!(
            "student {} would have {}",
            instance.students.code(student),
            limit_words(instance, timetable, (exam, period), student)
        );
        let more = beyond.len() - 1;
        Some(match more {
            0 => text,
            _ => format!(
                "{text}; {} would be beyond a limit, too",
                counted_as(more as u32, "other student", "other students")
            ),
        })
    }
}

/// Words for the limit that a student would exceed with an exam in a period and does not exceed without the exam.
pub(crate) fn limit_words(
    instance: &Instance, timetable: &Timetable, (exam, period): (usize, usize), student: usize,
) -> String {
    let without = exceeded_by(instance, student, |other| timetable.period_of(other).filter(|_| other != exam));
    let with = exceeded_by(instance, student, |other| match other == exam {
        true => Some(period),
        false => timetable.period_of(other),
    });
    let new = with.iter().find(|text| !without.contains(text)).or(with.first());
    new.map_or_else(|| "an exam beyond a limit".to_owned(), String::clone)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::check::check;
    use crate::without_place::left_over;
    use crate::{Exam, InstanceParts, Period};

    /// Three exams in three periods of one day and one of the next.
    fn dated() -> Instance {
        let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
        let period = |(day, hour): (u32, u32)| Period {
            date: chrono::NaiveDate::from_ymd_opt(2026, 6, day),
            start: chrono::NaiveTime::from_hms_opt(hour, 0, 0),
            end: chrono::NaiveTime::from_hms_opt(hour + 2, 0, 0),
            ..Period::default()
        };
        Instance::build(InstanceParts {
            exams: ["A", "B", "C"].map(exam).to_vec(),
            students: vec![vec![2], vec![0, 1, 2], vec![0, 2], vec![0, 1, 2]],
            periods: [(1, 9), (1, 12), (1, 15), (2, 9)].map(period).to_vec(),
            ..InstanceParts::default()
        })
        .unwrap()
    }

    #[test]
    fn a_move_beyond_a_limit_names_the_limit_and_the_student() {
        let mut instance = dated();
        instance.rules.limits.a_day = 2;
        let limit = "student 2 would have 3 exams on one day (A, B, C, from period 1 (Mon 1 Jun, 09:00)), but at most 2 are \
                     allowed";
        let found = consequences(&instance, &Timetable::of(vec![0, 1, 3]), 2);
        assert_eq!(found[2].broken, [format!("{limit}; 1 other student would be beyond a limit, too")]);
        assert_eq!(found[3].broken, [""; 0]);
        // An exam without a place tells it of its periods.
        let left = left_over(&instance, &Timetable::of(vec![0, 1, crate::UNPLACED]));
        let words = format!("1 period beyond a limit of students (in {}, {limit})", instance.period_name(2));
        assert!(left[0].why().contains(&words), "{}", left[0].why());
        assert!(!left[0].why().contains("rule"), "{}", left[0].why());
    }

    #[test]
    fn the_load_of_the_days_is_a_part_of_the_change() {
        let mut instance = dated();
        instance.objective.weights.uneven_days = 7;
        let now = Timetable::of(vec![0, 1, 3]);
        for (period, consequence) in consequences(&instance, &now, 2).into_iter().enumerate() {
            let moved = Timetable::of(vec![0, 1, period as u16]);
            let change = check(&instance, &moved).raw as i64 - check(&instance, &now).raw as i64;
            assert_eq!(consequence.change, change, "period {period}");
        }
    }

    proptest! {
        /// The checker confirms every predicted consequence on the moved timetable.
        #[test]
        fn consequences_come_true(
            students in proptest::collection::vec(proptest::collection::vec(0_u16..9, 0..4), 0..25),
            plan in proptest::collection::vec(0_u16..6, 9),
            relations in proptest::collection::vec((0_usize..3, 0_usize..9, 0_usize..9), 0..5),
            (pin, forbidden) in ((0_u16..9, 0_u16..6), (0_usize..9, 0_usize..6)),
            seats in proptest::option::of(5_u32..30),
            exam in 0_usize..9,
        ) {
            let exams = (0..9).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
            let periods = vec![Period { seats, ..Period::default() }; 6];
            let parts = InstanceParts { exams, students, periods, ..InstanceParts::default() };
            let mut instance = Instance::build(parts).unwrap();
            instance.rules.pins.insert(pin.0, pin.1);
            instance.rules.forbid(forbidden.0, forbidden.1, true);
            for (kind, first, second) in relations.into_iter().filter(|row| row.1 != row.2) {
                instance.rules.relations.insert(Relation::new(RelationKind::ALL[kind], first, second));
            }
            let before = Timetable::of(plan);
            let raw = check(&instance, &before).raw as i64;
            let found = consequences(&instance, &before, exam);
            for (period, consequence) in found.iter().enumerate() {
                let mut after = before.clone();
                after.periods[exam] = period as u16;
                let verdict = check(&instance, &after);
                prop_assert_eq!(verdict.raw as i64 - raw, consequence.change);
                let concerns = |text: &str| {
                    text.contains(&format!("E{exam} ")) || text.ends_with(&format!("E{exam}"))
                        || text.contains(&format!("E{exam};")) || text.contains(&format!("period {} has", period + 1))
                };
                let violations = verdict.violations.iter().filter(|violation| concerns(&violation.text)).count();
                prop_assert_eq!(violations, consequence.clashes.len() + consequence.broken.len(), "{:?} {:?}", verdict, consequence);
            }
            let hand = by_hand(&instance, &before, exam);
            for (all, hand) in found.iter().zip(&hand) {
                let pinned = instance.rules.pin_of(exam).is_some_and(|pin| pin != all.period);
                prop_assert_eq!(all.broken.len() - hand.broken.len(), usize::from(pinned));
                prop_assert_eq!((&all.clashes, all.change), (&hand.clashes, hand.change));
            }
            for period in alternatives(&found, before.period_of(exam), 3) {
                prop_assert!(found[period].is_free());
                prop_assert!(found.iter().all(|other| !other.is_free() || other.period == usize::from(before.periods[exam])
                    || other.change >= found[period].change || alternatives(&found, before.period_of(exam), 3).contains(&other.period)));
            }
        }
    }
}
