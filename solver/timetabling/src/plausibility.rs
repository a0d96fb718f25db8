//! Data of a session that can be used but are probably wrong.

use std::collections::HashMap;

use chrono::{NaiveDateTime, TimeDelta};

use super::Instance;
use gridwright_core::text::lines::{counted, listed, listed_of, quoted};

/// Durations below this number of minutes are probably hours.
const SHORT: u32 = 10;

/// Describes dates, times and durations that are probably wrong, a sentence each.
pub(super) fn doubts(instance: &Instance) -> impl Iterator<Item = String> {
    let doubts = [overlaps(instance), past_midnight(instance), missing_dates(instance), short_exams(instance)];
    doubts.into_iter().flatten()
}

/// Beginning and end of a period whose date and start are known; the end is the beginning if it is not known.
fn span(instance: &Instance, period: usize) -> Option<(NaiveDateTime, NaiveDateTime)> {
    let period = instance.periods.get(period)?;
    let begin = period.date?.and_time(period.start?);
    Some((begin, begin + TimeDelta::minutes(i64::from(period.minutes().unwrap_or(0)))))
}

/// Pairs of periods of which one begins before the other one has ended.
fn overlaps(instance: &Instance) -> Option<String> {
    let spans = (0..instance.period_count()).filter_map(|period| Some((span(instance, period)?, period)));
    let mut spans: Vec<_> = spans.collect();
    spans.sort_unstable();
    let mut pairs = Vec::new();
    for (at, &((begin, end), one)) in spans.iter().enumerate() {
        let later = spans[at + 1..].iter().take_while(|((next, _), _)| *next < end || *next == begin);
        pairs.extend(later.map(|&(_, other)| [one, other]));
    }
    let names = |pair: &[usize; 2]| pair.map(|period| instance.period_name(period)).join(" and ");
    let verb = if pairs.len() == 1 { "overlaps" } else { "overlap" };
    let pairs_of = counted(pairs.len(), "pair");
    let what = "students and rooms may be booked twice at a time; correct the dates or times";
    (!pairs.is_empty()).then(|| format!("{pairs_of} of periods {verb}: {}; {what}", listed_of(&pairs, names)))
}

/// Periods whose end comes before their start.
fn past_midnight(instance: &Instance) -> Option<String> {
    let ends_before = |&period: &usize| {
        let period = &instance.periods[period];
        period.start.zip(period.end).is_some_and(|(start, end)| end <= start)
    };
    let names: Vec<String> =
        (0..instance.period_count()).filter(ends_before).map(|period| instance.period_label(period)).collect();
    let verb = if names.len() == 1 { "ends" } else { "end" };
    (!names.is_empty()).then(|| {
        format!(
            "{} {verb} the day after the start: {}; is the end right?",
            counted(names.len(), "period"),
            listed(&names)
        )
    })
}

/// Periods without a date among others that have one.
fn missing_dates(instance: &Instance) -> Option<String> {
    let is_dated = |period: &usize| instance.periods[*period].date.is_some();
    let (dated, undated): (Vec<usize>, Vec<usize>) = (0..instance.period_count()).partition(is_dated);
    if dated.is_empty() || undated.is_empty() {
        return None;
    }
    let numbers: Vec<String> = undated.iter().map(|period| (period + 1).to_string()).collect();
    let (periods, verb) = (counted(undated.len(), "period"), if undated.len() == 1 { "has" } else { "have" });
    let which = listed(&numbers);
    Some(format!("{periods} {verb} no date (number {which}); days count only if all periods have a date"))
}

/// Exams that last only a few minutes.
fn short_exams(instance: &Instance) -> Option<String> {
    let short = |exam: &&super::Exam| exam.duration.is_some_and(|minutes| minutes < SHORT);
    let described = |exam: &super::Exam| format!("{} ({} min)", quoted(&exam.code), exam.duration.unwrap_or(0));
    let names: Vec<String> = instance.exams.iter().filter(short).map(described).collect();
    let verb = if names.len() == 1 { "lasts" } else { "last" };
    (!names.is_empty()).then(|| {
        let exams = counted(names.len(), "exam");
        format!("{exams} {verb} less than {SHORT} minutes: {}; durations are in minutes", listed(&names))
    })
}

/// Describes student numbers that differ only in zeros at the beginning, which spreadsheets remove.
pub(super) fn missing_zeros(codes: &[String]) -> Option<String> {
    let bare = |code: &str| code.trim_start_matches('0').to_owned();
    let with_zeros: HashMap<String, &String> =
        codes.iter().filter(|code| code.starts_with('0')).map(|code| (bare(code), code)).collect();
    if with_zeros.is_empty() {
        return None;
    }
    let same =
        |code: &String| with_zeros.get(&bare(code)).filter(|other| **other != code).map(|other| (*other).clone());
    let pair = |code: &String| same(code).map(|other| format!("{} and {}", quoted(&other), quoted(code)));
    let pairs: Vec<String> = codes.iter().filter_map(pair).collect();
    let verb = if pairs.len() == 1 { "differs" } else { "differ" };
    (!pairs.is_empty()).then(|| {
        let count = counted(pairs.len(), "pair");
        format!(
            "{count} of student numbers {verb} only in zeros at the beginning: {}; write them alike",
            listed(&pairs)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exam, InstanceParts, Period};

    fn period(day: u32, start: u32, end: u32) -> Period {
        let time = |hour| chrono::NaiveTime::from_hms_opt(hour, 0, 0);
        Period {
            date: chrono::NaiveDate::from_ymd_opt(2026, 7, day),
            start: time(start),
            end: time(end),
            ..Period::default()
        }
    }

    fn told(periods: Vec<Period>, minutes: Option<u32>, codes: &[&str]) -> String {
        let exam = |code: &str| Exam { code: code.to_owned(), duration: minutes, ..Exam::default() };
        let parts = InstanceParts {
            name: "session".to_owned(),
            exams: ["MAT", "PHY"].map(exam).into(),
            students: codes.iter().map(|_| vec![0, 1]).collect(),
            student_codes: codes.iter().map(|code| (*code).to_owned()).collect(),
            periods,
            ..InstanceParts::default()
        };
        Instance::build(parts).unwrap().remarks().join("\n")
    }

    #[test]
    fn what_is_probably_wrong_is_told() {
        let plain = vec![period(14, 9, 11), period(14, 11, 13), period(15, 9, 11)];
        assert_eq!(told(plain.clone(), Some(60), &["01", "02", "11"]), "");
        let overlapping = vec![period(14, 14, 17), period(14, 16, 19), period(15, 9, 11), period(15, 9, 11)];
        assert_eq!(
            told(overlapping, None, &["1"]),
            "2 pairs of periods overlap: Tue 14 Jul, 14:00–17:00 and Tue 14 Jul, 16:00–19:00, Wed 15 Jul, 09:00–11:00 and Wed 15 \
             Jul, 09:00–11:00; students and rooms may be booked twice at a time; correct the dates or times"
        );
        let late = vec![period(14, 18, 11), period(16, 9, 11)];
        assert!(
            told(late, None, &["1"]).starts_with("1 period ends the day after the start: Tue 14 Jul, 18:00–11:00;")
        );
        let undated = vec![period(14, 9, 11), Period::default()];
        assert_eq!(
            told(undated, None, &["1"]),
            "1 period has no date (number 2); days count only if all periods have a date"
        );
        assert_eq!(
            told(plain.clone(), Some(1), &["1"]),
            "2 exams last less than 10 minutes: «MAT» (1 min), «PHY» (1 min); durations are in minutes"
        );
        assert_eq!(
            told(plain, None, &["01002", "7", "1002"]),
            "1 pair of student numbers differs only in zeros at the beginning: «01002» and «1002»; write them alike"
        );
    }
}
