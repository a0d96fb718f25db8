//! Rules in words for panels, reports and documents: as they were given where they came from a rule for many exams, otherwise
//! one line for all exams with the same forbidden periods, and sets of periods as short as they can be said.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, NaiveTime, Timelike};
use gridwright_core::numbers::counted;
use gridwright_core::text::lines::{listed, listed_of};

use crate::bulk::{BulkRule, Kind, Selection};
use crate::rules::GivenRule;
use crate::{Instance, Relation};

/// Sets of periods up to this size are listed one by one.
const FEW: usize = 3;

/// Rules that are said in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleLine {
    /// A rule for many exams as it was given, with all that it demands.
    Given(GivenRule, BulkRule),
    /// Exams with the same forbidden periods, both ascending.
    Forbidden(Vec<u16>, BTreeSet<u16>),
    /// A relation of two exams.
    Related(Relation),
}

impl RuleLine {
    /// Forbidden periods and relations of the line: pairs of an exam and a period, and relations.
    pub fn demands(&self) -> (Vec<(usize, usize)>, Vec<Relation>) {
        match self {
            Self::Given(_, found) => (found.forbidden.clone(), found.relations.clone()),
            Self::Forbidden(exams, periods) => {
                let of = |&exam: &u16| periods.iter().map(move |&period| (usize::from(exam), usize::from(period)));
                (exams.iter().flat_map(of).collect(), Vec::new())
            }
            Self::Related(relation) => (Vec::new(), vec![*relation]),
        }
    }

    /// Exams that the line is about, ascending; of relations between groups those of the first group.
    pub fn exams(&self, instance: &Instance) -> Vec<usize> {
        match self {
            Self::Given(given, _) => {
                Selection::parse(&given.exams).map_or_else(|_| Vec::new(), |all| all.exams(instance))
            }
            Self::Forbidden(exams, _) => exams.iter().map(|&exam| exam.into()).collect(),
            Self::Related(relation) => vec![relation.first.into()],
        }
    }

    /// The line as a sentence without a full stop.
    pub fn sentence(&self, instance: &Instance) -> String {
        let code = |exam: u16| instance.exams.get(usize::from(exam)).map_or("?", |exam| exam.code.as_str());
        match self {
            Self::Given(given, found) => format!("{} ({})", given_words(given), counted(found.exams as u64, "exam")),
            Self::Forbidden(exams, periods) => {
                let noun = if exams.len() == 1 { "Exam" } else { "Exams" };
                format!("{noun} {}: {}", listed_of(exams, |&exam| code(exam).to_owned()), excluded(instance, periods))
            }
            Self::Related(relation) => {
                format!("Exam {} {} exam {}", code(relation.first), relation.kind.phrase(), code(relation.second))
            }
        }
    }
}

/// All forbidden periods and relations of an instance: rules as they were given, groups of exams, then relations. A rule
/// that no longer holds as a whole is not said as it was given.
pub fn lines(instance: &Instance) -> Vec<RuleLine> {
    let rules = &instance.rules;
    let (mut forbidden, mut relations) = (rules.forbidden.clone(), rules.relations.clone());
    let mut lines = Vec::new();
    for given in &rules.given {
        let kind = Kind::named(&given.rule);
        let found = kind.and_then(|kind| BulkRule::find(instance, &given.exams, kind, &given.with).ok());
        let Some(found) = found.filter(|found| found.holds_in(rules)) else { continue };
        for &(exam, period) in &found.forbidden {
            forbidden.entry(exam as u16).and_modify(|periods| _ = periods.remove(&(period as u16)));
        }
        found.relations.iter().for_each(|relation| _ = relations.remove(relation));
        lines.push(RuleLine::Given(given.clone(), found));
    }
    let mut groups: BTreeMap<&BTreeSet<u16>, Vec<u16>> = BTreeMap::new();
    for (&exam, periods) in forbidden.iter().filter(|(_, periods)| !periods.is_empty()) {
        groups.entry(periods).or_default().push(exam);
    }
    let mut groups: Vec<(Vec<u16>, &BTreeSet<u16>)> =
        groups.into_iter().map(|(periods, exams)| (exams, periods)).collect();
    groups.sort();
    lines.extend(groups.into_iter().map(|(exams, periods)| RuleLine::Forbidden(exams, periods.clone())));
    lines.extend(relations.into_iter().map(RuleLine::Related));
    lines
}

/// Describes each pin, each limit of students and each line of the other rules: «Exam A1 is pinned to period 3».
pub fn describe(instance: &Instance) -> Vec<String> {
    let name = |exam: u16| instance.exams.get(usize::from(exam)).map_or("?", |exam| exam.code.as_str());
    let pins = instance.rules.pins.iter();
    let pins = pins.map(|(&exam, &period)| {
        format!("Exam {} is pinned to {}", name(exam), instance.period_name(usize::from(period)))
    });
    let room_pins = instance.rules.room_pins.keys();
    let room_pins = room_pins.map(|&exam| format!("Exam {} is pinned to {}", name(exam), instance.pinned_rooms(exam)));
    let limits = instance.rules.limits.sentences().into_iter().map(|(_, sentence)| sentence);
    pins.chain(room_pins).chain(limits).chain(lines(instance).iter().map(|line| line.sentence(instance))).collect()
}

/// A rule for many exams as it was given: «200 students or more: mornings only».
pub fn given_words(given: &GivenRule) -> String {
    let exams = selection_words(&given.exams);
    let with = given.with.split(';').map(str::trim).filter(|item| !item.is_empty()).collect::<Vec<_>>().join(", ");
    match Kind::named(&given.rule) {
        Some(Kind::OnlyIn) => format!("{exams}: {with} only"),
        Some(Kind::Related(_)) if !with.is_empty() => {
            format!("{exams}: {}, with {}", given.rule, selection_words(&given.with))
        }
        _ => format!("{exams}: {} {with}", given.rule).trim_end().to_owned(),
    }
}

/// A selection of exams in words: `>=300 & CS*` is «300 students or more and CS*».
fn selection_words(selection: &str) -> String {
    let criterion = |text: &str| match (text.trim().strip_prefix(">="), text.trim().strip_prefix("<=")) {
        (Some(least), _) => format!("{} students or more", least.trim()),
        (_, Some(most)) => format!("at most {} students", most.trim()),
        _ => text.trim().to_owned(),
    };
    let part = |part: &str| part.split('&').map(criterion).collect::<Vec<_>>().join(" and ");
    let parts = selection.split(';').filter(|part| !part.trim().is_empty()).map(part);
    match selection.trim() {
        "*" => "All exams".to_owned(),
        _ => parts.collect::<Vec<_>>().join(" or "),
    }
}

/// Forbidden periods of an exam in words: «not in mornings», «only in Mondays, Fri 10 Jul, 09:00–11:00».
pub fn excluded(instance: &Instance, periods: &BTreeSet<u16>) -> String {
    let all: BTreeSet<u16> = (0..instance.period_count() as u16).collect();
    let allowed: BTreeSet<u16> = all.difference(periods).copied().collect();
    if periods.len() <= FEW {
        return format!("not in {}", listed(&parts(instance, periods)));
    }
    if allowed.is_empty() {
        return "not in any period".to_owned();
    }
    let [inside, outside] = [&allowed, periods].map(|periods| parts(instance, periods));
    match inside.len() < outside.len() {
        true => format!("only in {}", listed(&inside)),
        false => format!("not in {}", listed(&outside)),
    }
}

/// A set of periods in few words: parts of days, starts, days and ranges of days that it contains as a whole, then the rest
/// one by one. Periods without dates have their numbers, with ranges: «period 2–5, 7».
fn parts(instance: &Instance, periods: &BTreeSet<u16>) -> Vec<String> {
    let is_dated = periods.iter().all(|&period| instance.is_scheduled(usize::from(period)));
    if !is_dated {
        let mut numbers = ranges(periods);
        if let Some(first) = numbers.first_mut() {
            first.insert_str(0, "period ");
        }
        return numbers;
    }
    let mut candidates = if periods.len() > FEW { candidates(instance, periods) } else { Vec::new() };
    let (mut rest, mut named) = (periods.clone(), Vec::new());
    loop {
        // Of several that say equally much, the first one is the simplest.
        let gain = |candidate: &(String, BTreeSet<u16>)| candidate.1.intersection(&rest).count();
        let best = candidates.iter().enumerate().rev().max_by_key(|(_, candidate)| gain(candidate)).map(|(at, _)| at);
        let Some(best) = best.filter(|&at| gain(&candidates[at]) > 1) else { break };
        let (words, said) = candidates.swap_remove(best);
        rest.retain(|period| !said.contains(period));
        named.push(words);
    }
    named.extend(rest.into_iter().map(|period| instance.period_name(usize::from(period))));
    named
}

/// Numbers of periods from 1, with runs of three and more as ranges.
fn ranges(periods: &BTreeSet<u16>) -> Vec<String> {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for &period in periods {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == period => *last = period,
            _ => runs.push((period, period)),
        }
    }
    let words = |(first, last): (u16, u16)| match last - first {
        0 => vec![(first + 1).to_string()],
        1 => vec![(first + 1).to_string(), (last + 1).to_string()],
        _ => vec![format!("{}–{}", first + 1, last + 1)],
    };
    runs.into_iter().flat_map(words).collect()
}

/// Sets of periods with a name of their own that lie within `periods`.
fn candidates(instance: &Instance, periods: &BTreeSet<u16>) -> Vec<(String, BTreeSet<u16>)> {
    let mut days: BTreeMap<NaiveDate, BTreeSet<u16>> = BTreeMap::new();
    let mut starts: BTreeMap<NaiveTime, BTreeSet<u16>> = BTreeMap::new();
    let mut groups: BTreeMap<String, BTreeSet<u16>> = BTreeMap::new();
    for (index, period) in (0..).zip(&instance.periods) {
        let Some((date, start)) = period.date.zip(period.start) else { continue };
        days.entry(date).or_default().insert(index);
        starts.entry(start).or_default().insert(index);
        let half = if start.hour() < 12 { "mornings" } else { "afternoons" };
        groups.entry(half.to_owned()).or_default().insert(index);
        groups.entry(date.format("%As").to_string()).or_default().insert(index);
    }
    let day = |date: &NaiveDate| date.format("%a %-d %b").to_string();
    let mut all: Vec<(String, BTreeSet<u16>)> = groups.into_iter().collect();
    all.extend(starts.into_iter().map(|(start, set)| (format!("periods at {}", start.format("%H:%M")), set)));
    let mut run: Option<(NaiveDate, NaiveDate, BTreeSet<u16>)> = None;
    for (date, set) in &days {
        all.push((day(date), set.clone()));
        run = match run.filter(|_| set.is_subset(periods)) {
            Some((first, _, so_far)) => Some((first, *date, so_far.union(set).copied().collect())),
            None => set.is_subset(periods).then(|| (*date, *date, set.clone())),
        };
        if let Some((first, last, set)) = &run
            && first < last
        {
            all.push((format!("{} to {}", day(first), day(last)), set.clone()));
        }
    }
    all.retain(|(_, set)| set.is_subset(periods));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{GeneratorOptions, generate};

    /// Ten working days from Monday 1 June 2026 with periods at 9 and 14.
    fn session() -> Instance {
        let options = GeneratorOptions { exams: 40, students: 300, density: 0.4, ..GeneratorOptions::default() };
        let mut instance = generate(&options).unwrap();
        let date = |day: u32| NaiveDate::from_ymd_opt(2026, 6, 1 + day / 5 * 7 + day % 5);
        let time = |hour: u32| NaiveTime::from_hms_opt(hour, 0, 0);
        let period = |index: u32| {
            let hour = if index.is_multiple_of(2) { 9 } else { 14 };
            crate::Period { date: date(index / 2), start: time(hour), end: time(hour + 2), ..crate::Period::default() }
        };
        instance.periods = (0..20).map(period).collect();
        instance
    }

    fn given(instance: &mut Instance, exams: &str, kind: Kind, with: &str) {
        let rule = BulkRule::find(instance, exams, kind, with).unwrap();
        rule.add_to(&mut instance.rules);
    }

    #[test]
    fn a_rule_for_many_exams_is_said_as_it_was_given() {
        let mut instance = session();
        given(&mut instance, ">=30", Kind::OnlyIn, "mornings");
        given(&mut instance, "MAT*", Kind::Related(crate::RelationKind::DifferentDay), "");
        let many = Selection::parse(">=30").unwrap().exams(&instance).len();
        let said = describe(&instance);
        assert_eq!(
            said,
            [format!("30 students or more: mornings only ({many} exams)"), {
                let exams = Selection::parse("MAT*").unwrap().exams(&instance).len();
                format!("MAT*: different days ({exams} exams)")
            }]
        );
        // Stored and read, it is said in the same words.
        let stored = crate::StoredRules::of(&instance);
        let text = ron::to_string(&stored).unwrap();
        let read: crate::StoredRules = ron::from_str(&text).unwrap();
        assert_eq!(describe(&read.apply(session()).unwrap()), said);
        // Once a part of it is allowed again, what is left is said.
        let exam = Selection::parse(">=30").unwrap().exams(&instance)[0];
        instance.rules.forbid(exam, 1, false);
        let said = describe(&instance);
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(
            said.contains(&format!("Exam {}: not in {}", instance.exams[exam].code, {
                let periods = instance.rules.forbidden[&(exam as u16)].clone();
                excluded(&instance, &periods).trim_start_matches("not in ").to_owned()
            })) || said.iter().any(|line| line.contains(": only in "))
        );
    }

    #[test]
    fn exams_with_the_same_periods_share_a_line() {
        let mut instance = session();
        for exam in [3, 5, 8] {
            (0..20).step_by(2).for_each(|period| instance.rules.forbid(exam, period, true));
        }
        instance.rules.forbid(9, 4, true);
        let code = |exam: usize| instance.exams[exam].code.clone();
        let expected = [
            format!("Exams {}, {}, {}: not in mornings", code(3), code(5), code(8)),
            format!("Exam {}: not in {}", code(9), instance.period_name(4)),
        ];
        assert_eq!(describe(&instance), expected);
    }

    #[test]
    fn sets_of_periods_are_said_shortly() {
        let instance = session();
        let words = |periods: &[u16]| excluded(&instance, &periods.iter().copied().collect());
        let all: Vec<u16> = (0..20).collect();
        assert_eq!(words(&all), "not in any period");
        let name = |period: usize| instance.period_name(period);
        assert_eq!(words(&all[1..]), format!("only in {}", name(0)));
        assert_eq!(words(&[0, 1, 10, 11]), "not in Mondays");
        assert_eq!(words(&[2, 3, 4, 5, 6, 7]), "not in Tue 2 Jun to Thu 4 Jun");
        let afternoons: Vec<u16> = all.iter().copied().filter(|period| period % 2 == 1).collect();
        assert_eq!(words(&[&afternoons[..], &[4]].concat()), format!("not in afternoons, {}", name(4)));
    }

    #[test]
    fn periods_without_dates_are_said_by_ranges_of_numbers() {
        let mut instance = session();
        instance.periods.iter_mut().for_each(|period| *period = crate::Period::default());
        let words = |periods: &[u16]| excluded(&instance, &periods.iter().copied().collect());
        assert_eq!(words(&[7]), "not in period 8");
        assert_eq!(words(&[1, 2, 3, 4, 6]), "not in period 2–5, 7");
    }
}
