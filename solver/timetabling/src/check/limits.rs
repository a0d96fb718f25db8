//! Limits of students, counted from the dates and times of their exams.

use super::{Violation, ViolationKind};
use crate::Instance;
use gridwright_core::numbers::counted;
use gridwright_core::text::lines::listed;

/// Words for the limits that the exams of a student exceed in a timetable: «3 exams on one day (A, B, C, …), but at most 2 are allowed».
pub(crate) fn exceeded_by(instance: &Instance, student: usize, placed: impl Fn(usize) -> Option<usize>) -> Vec<String> {
    let exams = instance.students.exams_of(student).iter().map(|&exam| usize::from(exam));
    let mut sits: Vec<(usize, usize)> = exams.filter_map(|exam| Some((placed(exam)?, exam))).collect();
    let period = |at: usize| &instance.periods[at];
    sits.sort_by_key(|&(at, _)| (period(at).date, period(at).start, at));
    exceeded(instance, &sits)
}

/// Appends each limit that a student's exams exceed, once for each student; `placed` are the periods of the exams.
pub(super) fn violations(instance: &Instance, placed: &[Option<usize>], violations: &mut Vec<Violation>) {
    if instance.rules.limits.is_empty() {
        return;
    }
    for student in 0..instance.students.len() {
        for text in exceeded_by(instance, student, |exam| placed[exam]) {
            let text = format!("student {} has {text}", instance.students.code(student));
            violations.push(Violation::new(ViolationKind::Limit, text));
        }
    }
}

/// Words for each limit that exams exceed, which are given with their periods in the order of time.
fn exceeded(instance: &Instance, sits: &[(usize, usize)]) -> Vec<String> {
    let limits = &instance.rules.limits;
    let periods = &instance.periods;
    let date = |at: usize| periods[sits[at].0].date;
    let gap = |from: usize, to: usize| Some((date(to)? - date(from)?).num_days());
    let named = |range: std::ops::Range<usize>| {
        let code = |&(_, exam): &(usize, usize)| instance.exams[exam].code.as_str();
        listed(&sits[range].iter().map(code).collect::<Vec<_>>())
    };
    let on = |at: usize| instance.period_number(sits[at].0);
    let mut found = Vec::new();
    let mut spans = vec![(limits.a_day as usize, 1, "on one day".to_owned())];
    let several = format!("in {}", counted(u64::from(limits.days), "day"));
    spans.push((limits.in_days as usize, i64::from(limits.days), several));
    for (most, days, words) in spans.into_iter().filter(|&(most, days, _)| most > 0 && days > 0) {
        // Exams from `at` on that are within the days of a span that begins with it.
        let within = |at: usize| (at..sits.len()).take_while(|&to| gap(at, to).is_some_and(|gap| gap < days)).count();
        let fullest = (0..sits.len()).rev().max_by_key(|&at| within(at));
        if let Some(at) = fullest.filter(|&at| within(at) > most) {
            let (exams, count) = (named(at..at + within(at)), counted(within(at) as u64, "exam"));
            found.push(format!("{count} {words} ({exams}, from period {}), but at most {most} are allowed", on(at)));
        }
    }
    if limits.in_a_row > 0 {
        let follows = |at: usize| sits[at].0 == sits[at - 1].0 + 1 && date(at) == date(at - 1);
        let run = |at: usize| 1 + (at + 1..sits.len()).take_while(|&next| follows(next)).count();
        let longest = (0..sits.len()).rev().max_by_key(|&at| run(at));
        if let Some(at) = longest.filter(|&at| run(at) > limits.in_a_row as usize) {
            let (exams, count) = (named(at..at + run(at)), counted(run(at) as u64, "exam"));
            let most = limits.in_a_row;
            found.push(format!("{count} in a row ({exams}, from period {}), but at most {most} is allowed", on(at)));
        }
    }
    let close = (1..sits.len()).find(|&at| gap(at - 1, at).is_some_and(|gap| gap < i64::from(limits.days_apart)));
    if let Some(at) = close {
        let (exams, days) = (named(at - 1..at + 1), counted(u64::from(limits.days_apart), "day"));
        found.push(format!("exams {exams} less than {days} apart, in period {} and {}", on(at - 1), on(at)));
    }
    let minutes = |at: usize| {
        let [before, after] = [at - 1, at].map(|at| &periods[sits[at].0]);
        let start = before.date?.and_time(before.start?);
        let end = start + chrono::Duration::minutes(i64::from(before.minutes()?));
        Some((after.date?.and_time(after.start?) - end).num_minutes())
    };
    let short = |at: &usize| minutes(*at).is_some_and(|minutes| minutes < i64::from(limits.minutes_apart));
    if let Some(at) = (1..sits.len()).find(|at| limits.minutes_apart > 0 && short(at)) {
        let (exams, least) = (named(at - 1..at + 1), counted(u64::from(limits.minutes_apart), "minute"));
        found.push(format!("less than {least} between exams {exams}, in period {} and {}", on(at - 1), on(at)));
    }
    found
}
