//! The format of the examination track of the International Timetabling Competition 2007: one `.exam` file with
//! sections in brackets.
//!
//! Everything in the file becomes part of the instance; constraints that no timetable can meet are ignored, as in the
//! competition, and named in the warnings.
//!
//! Source: B. McCollum, P. McMullan, E. K. Burke, A. J. Parkes, R. Qu, «The second International Timetabling
//! Competition: examination timetabling track», technical report QUB/IEEE/Tech/ITC2007/Exam/v4.0/17, 2007.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use chrono::{Duration, NaiveDate, NaiveTime};
use strum::VariantArray as _;

use super::loaded::Loaded;
use crate::{
    Exam, InstanceParts, MAX_EXAMS, MAX_PERIODS, Objective, ObjectiveKind, Period, Relation, RelationKind, Resources,
    Room, Rules, Weights,
};
use gridwright_core::text::lines::{self, Problems, Read, counted, is_number, listed, number, quoted};
use gridwright_core::text::{Source, stem};
use gridwright_core::{Result, files};

/// Largest weight or penalty, so that costs fit their types.
const MOST: u32 = 1_000_000;

/// Kind of a hard constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum ConstraintKind {
    /// The first exam comes in a later period than the second.
    After,
    /// Both exams are in the same period. The competition ignores the constraint for conflicting exams: see
    /// [`Session::impossible`].
    #[strum(serialize = "EXAM_COINCIDENCE")]
    Coincidence,
    /// The exams are in different periods.
    Exclusion,
    /// No other exam is in the room of the first exam.
    RoomExclusive,
}

impl ConstraintKind {
    /// Keyword in the format.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Hard constraint on exams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constraint {
    /// Line in the file, from 1.
    pub line: usize,
    /// Kind of the constraint.
    pub kind: ConstraintKind,
    /// Index of the first exam.
    pub first: usize,
    /// Index of the second exam; `None` for constraints on one exam.
    pub second: Option<usize>,
}

/// Contents of a `.exam` file.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// Exams, students, periods, rooms and weights.
    pub parts: InstanceParts,
    /// Hard constraints on periods and rooms in the order of the file, without the impossible ones.
    pub constraints: Vec<Constraint>,
    /// Constraints that no timetable satisfies: coincidences of conflicting exams, which the competition ignores, and
    /// constraints between an exam and itself.
    pub impossible: Vec<Constraint>,
    /// Length of each period in minutes; longer exams do not fit into it.
    pub period_minutes: Vec<u32>,
}

/// Loads a `.exam` file.
pub(super) fn load(path: &Path) -> Result<Loaded> {
    let bytes = files::read(path)?;
    let file_hash = files::hash(&[&bytes]);
    let text = files::text(path, bytes)?;
    let session = read(Source { path, text: &text })?;
    let rules = rules(&session);
    let mut parts = session.parts;
    parts.rules = rules;
    parts.name = stem(path);
    parts.file_hash = file_hash;
    Ok(Loaded { parts, empty_lines: 0 })
}

/// Converts the constraints on periods into rules. A period over midnight has no end, so that only a rule can keep longer
/// exams out of it.
fn rules(session: &Session) -> Rules {
    let mut rules = Rules::default();
    for constraint in &session.constraints {
        let Some(second) = constraint.second.filter(|&second| second != constraint.first) else { continue };
        let relation = match constraint.kind {
            ConstraintKind::After => Relation::new(RelationKind::Before, second, constraint.first),
            ConstraintKind::Coincidence => Relation::new(RelationKind::Same, constraint.first, second),
            ConstraintKind::Exclusion => Relation::new(RelationKind::Different, constraint.first, second),
            ConstraintKind::RoomExclusive => continue,
        };
        rules.relations.insert(relation);
    }
    for (exam, data) in session.parts.exams.iter().enumerate() {
        for (period, &minutes) in session.period_minutes.iter().enumerate() {
            let has_end = session.parts.periods[period].end.is_some();
            if !has_end && data.duration.is_some_and(|duration| duration > minutes) {
                rules.forbid(exam, period, true);
            }
        }
    }
    rules
}

/// Section of a file, named as in the format and in the order of its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, strum::VariantArray)]
enum Section {
    Exams,
    Periods,
    Rooms,
    PeriodHardConstraints,
    RoomHardConstraints,
    InstitutionalWeightings,
}

fn name(section: Section) -> &'static str {
    section.into()
}

/// Heading of a section: its line, the number of entries that it announces, and the number found.
struct Heading {
    line: usize,
    announced: Option<u32>,
    found: usize,
}

/// State of parsing a file.
#[derive(Default)]
struct Reading<'a> {
    exams: Vec<Exam>,
    /// Students of each exam.
    sitting: Vec<Vec<u32>>,
    students: HashMap<&'a str, u32>,
    codes: Vec<&'a str>,
    repeated: Option<(usize, usize)>,
    periods: Vec<Period>,
    period_minutes: Vec<u32>,
    rooms: Vec<Room>,
    constraints: Vec<Constraint>,
    weights: Option<Weights>,
}

/// Parses a `.exam` file as [`read`] and keeps only what the model holds.
///
/// # Errors
/// As [`read`].
pub fn parse(source: Source) -> Result<InstanceParts> {
    read(source).map(|session| session.parts)
}

/// Parses a `.exam` file; name and hash are left to the caller.
///
/// Exams are named by their number from 0, as in the constraints of the format.
///
/// # Errors
/// [`gridwright_core::Error::Line`] or [`gridwright_core::Error::Lines`] for every invalid line.
pub fn read(source: Source) -> Result<Session> {
    let mut problems = Problems::new(source.path);
    let mut reading = Reading::default();
    let mut headings: BTreeMap<Section, Heading> = BTreeMap::new();
    let mut section = None;
    for (line, text) in lines::of(source.text).filter(|(_, text)| !text.is_empty()) {
        if text.starts_with('[') {
            match heading(text) {
                Ok((found, announced)) => {
                    section = Some(found);
                    if let Some(first) = headings.insert(found, Heading { line, announced, found: 0 }) {
                        problems.line(line, format!("[{}] stands already in line {}", name(found), first.line));
                    }
                }
                Err(why) => {
                    section = None;
                    problems.line(line, why);
                }
            }
            continue;
        }
        let Some(section) = section else {
            // The error about an unknown heading covers the lines below it.
            if headings.is_empty() && problems.is_empty() {
                problems.line(line, format!("expected [Exams:number], found {}", quoted(text)));
            }
            continue;
        };
        if let Some(heading) = headings.get_mut(&section) {
            heading.found += 1;
        }
        if let Err(why) = reading.entry(section, line, text) {
            problems.line(line, why);
        }
    }
    for needed in [Section::Exams, Section::Periods] {
        if !headings.contains_key(&needed) {
            problems.file(format!("there is no section [{}:number]; the file is incomplete", name(needed)));
        }
    }
    for (section, heading) in &headings {
        let Some(announced) = heading.announced.filter(|&announced| announced as usize != heading.found) else {
            continue;
        };
        let found = heading.found;
        let what =
            format!("[{}] announces {announced} entries, but {found} follow; the file is incomplete", name(*section));
        problems.line(heading.line, what);
    }
    reading.check_named_exams(&mut problems);
    problems.finish()?;
    Ok(reading.into_session())
}

/// Parses a heading such as `[Exams:607]`: section and number of entries, if given.
fn heading(text: &str) -> Read<(Section, Option<u32>)> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let inner = inner.ok_or_else(|| format!("the heading {} is not closed with ]", quoted(text)))?;
    let (title, count) = match inner.split_once(':') {
        Some((title, count)) => (title.trim(), Some(number(count.trim(), u32::MAX)?)),
        None => (inner.trim(), None),
    };
    let section = Section::VARIANTS.iter().copied().find(|&section| name(section).eq_ignore_ascii_case(title));
    let known = || Section::VARIANTS.iter().map(|&section| name(section)).collect::<Vec<_>>().join(", ");
    let section = section.ok_or_else(|| format!("there is no section {}; known are {}", quoted(title), known()))?;
    Ok((section, count))
}

/// Splits a line into exactly `N` fields between commas; the error says what is expected.
fn fields<'a, const N: usize>(text: &'a str, expected: &str) -> Read<[&'a str; N]> {
    let found: Vec<&str> = text.split(',').map(str::trim).collect();
    <[&str; N]>::try_from(found).map_err(|_| format!("expected {expected}, found {}", quoted(text)))
}

impl<'a> Reading<'a> {
    fn entry(&mut self, section: Section, line: usize, text: &'a str) -> Read<()> {
        match section {
            Section::Exams => self.exam(line, text),
            Section::Periods => self.period(text),
            Section::Rooms => self.room(text),
            Section::PeriodHardConstraints => {
                let [first, kind, second] = fields(text, "exam, constraint, exam")?;
                const KINDS: [ConstraintKind; 3] =
                    [ConstraintKind::After, ConstraintKind::Coincidence, ConstraintKind::Exclusion];
                self.constraint(line, kind, &KINDS, first, Some(second))
            }
            Section::RoomHardConstraints => {
                let [exam, kind] = fields(text, "exam, constraint")?;
                self.constraint(line, kind, &[ConstraintKind::RoomExclusive], exam, None)
            }
            Section::InstitutionalWeightings => {
                let (name, values) = text
                    .split_once(',')
                    .ok_or_else(|| format!("expected a weighting and its values, found {}", quoted(text)))?;
                let values: Read<Vec<u32>> = values.split(',').map(|value| number(value.trim(), MOST)).collect();
                self.weighting(name.trim(), &values?)
            }
        }
    }

    /// Parses `duration, student, student, …`.
    fn exam(&mut self, line: usize, text: &'a str) -> Read<()> {
        if self.exams.len() == MAX_EXAMS {
            return Err(format!("more than {MAX_EXAMS} exams; that many cannot be handled"));
        }
        let mut tokens = text.split(',').map(str::trim);
        let duration = number(tokens.next().unwrap_or(""), 24 * 60).map_err(|why| format!("the duration: {why}"));
        let mut sitting = Vec::new();
        let mut seen = HashSet::new();
        let mut wrong = Vec::new();
        // A trailing comma is allowed.
        for token in tokens.filter(|token| !token.is_empty()) {
            if !is_number(token) {
                wrong.push(quoted(token));
                continue;
            }
            let code = token.trim_start_matches('0');
            let next = self.codes.len() as u32;
            let student = *self.students.entry(code).or_insert(next);
            if student == next {
                self.codes.push(token);
            }
            if seen.insert(student) {
                sitting.push(student);
            } else {
                self.repeated.get_or_insert((0, line)).0 += 1;
            }
        }
        let exam =
            Exam { code: self.exams.len().to_string(), duration: duration.as_ref().ok().copied(), ..Exam::default() };
        // Count an invalid exam, so that the numbers of the others stay right.
        self.exams.push(exam);
        self.sitting.push(sitting);
        duration?;
        if wrong.is_empty() { Ok(()) } else { Err(format!("not the number of a student: {}", listed(&wrong))) }
    }

    /// Parses `dd:mm:yyyy, hh:mm:ss, duration, penalty`.
    fn period(&mut self, text: &str) -> Read<()> {
        if self.periods.len() == MAX_PERIODS {
            return Err(format!("more than {MAX_PERIODS} periods; that many cannot be handled"));
        }
        let [date, start, duration, penalty] = fields(text, "date, time, duration, penalty")?;
        let numbers = |text: &str| -> Option<[u32; 3]> {
            let values: Read<Vec<u32>> = text.split(':').map(|piece| number(piece, 9999)).collect();
            values.ok()?.try_into().ok()
        };
        let date = numbers(date)
            .and_then(|[day, month, year]| NaiveDate::from_ymd_opt(year as i32, month, day))
            .ok_or_else(|| format!("{} is no date; expected day:month:year", quoted(date)))?;
        let start = numbers(start)
            .and_then(|[hour, minute, second]| NaiveTime::from_hms_opt(hour, minute, second))
            .ok_or_else(|| format!("{} is no time; expected hours:minutes:seconds", quoted(start)))?;
        let minutes = number(duration, 24 * 60).map_err(|why| format!("the duration: {why}"))?;
        let penalty = number(penalty, MOST).map_err(|why| format!("the penalty: {why}"))?;
        let (end, next_day) = start.overflowing_add_signed(Duration::minutes(i64::from(minutes)));
        // A period that lasts beyond midnight has no end on its day.
        let end = (next_day == 0).then_some(end);
        self.periods.push(Period { date: Some(date), start: Some(start), end, penalty, ..Period::default() });
        self.period_minutes.push(minutes);
        Ok(())
    }

    /// Sets a weighting by its name in the format.
    fn weighting(&mut self, name: &str, values: &[u32]) -> Read<()> {
        let none = Weights { period: 1, room: 1, ..Weights::default() };
        let weights = self.weights.get_or_insert(none);
        match (name, values) {
            ("TWOINAROW", &[weight]) => weights.in_a_row = weight,
            ("TWOINADAY", &[weight]) => weights.in_a_day = weight,
            ("PERIODSPREAD", &[periods]) => (weights.spread, weights.spread_periods) = (1, periods),
            ("NONMIXEDDURATIONS", &[weight]) => weights.mixed_durations = weight,
            ("FRONTLOAD", &[exams, periods, weight]) => {
                (weights.large_exams, weights.late_periods, weights.late) = (exams, periods, weight);
            }
            _ => {
                return Err(format!(
                    "expected TWOINAROW, TWOINADAY, PERIODSPREAD or NONMIXEDDURATIONS with one number, or FRONTLOAD with \
                     three; found {} with {}",
                    quoted(name),
                    counted(values.len(), "number")
                ));
            }
        }
        Ok(())
    }

    /// Parses `capacity, penalty`.
    fn room(&mut self, text: &str) -> Read<()> {
        let [capacity, penalty] = fields(text, "capacity, penalty")?;
        let seats = number(capacity, 1_000_000).map_err(|why| format!("the capacity: {why}"))?;
        let penalty = number(penalty, MOST).map_err(|why| format!("the penalty: {why}"))?;
        let code = self.rooms.len().to_string();
        self.rooms.push(Room { code, seats, penalty, ..Room::default() });
        Ok(())
    }

    fn constraint(
        &mut self, line: usize, name: &str, kinds: &[ConstraintKind], first: &str, second: Option<&str>,
    ) -> Read<()> {
        let Some(&kind) = kinds.iter().find(|kind| kind.name() == name) else {
            let known: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            return Err(format!("there is no constraint {}; known are {}", quoted(name), known.join(", ")));
        };
        let exam = |text: &str| {
            let exam = number(text, u32::MAX).map_err(|why| format!("the exam: {why}"))?;
            Ok::<usize, String>(exam as usize)
        };
        let second = second.map(exam).transpose()?;
        self.constraints.push(Constraint { line, kind, first: exam(first)?, second });
        Ok(())
    }

    fn check_named_exams(&self, problems: &mut Problems) {
        for constraint in &self.constraints {
            for exam in std::iter::once(constraint.first).chain(constraint.second) {
                if exam >= self.exams.len() {
                    let exams = counted(self.exams.len(), "exam");
                    let what = format!("there is no exam {exam}; the file has {exams}, counted from 0");
                    problems.line(constraint.line, what);
                }
            }
        }
    }

    /// Returns `true` if no timetable can satisfy `constraint`.
    fn is_impossible(&self, constraint: &Constraint) -> bool {
        let Some(second) = constraint.second else { return false };
        let first = constraint.first;
        match constraint.kind {
            ConstraintKind::After | ConstraintKind::Exclusion => first == second,
            ConstraintKind::Coincidence => {
                let students: HashSet<u32> = self.sitting[first].iter().copied().collect();
                first != second && self.sitting[second].iter().any(|student| students.contains(student))
            }
            ConstraintKind::RoomExclusive => false,
        }
    }

    fn into_session(self) -> Session {
        let (impossible, constraints): (Vec<Constraint>, Vec<Constraint>) =
            self.constraints.iter().partition(|constraint| self.is_impossible(constraint));
        let warnings = self.warnings(&impossible);
        let mut students = vec![Vec::new(); self.codes.len()];
        for (exam, sitting) in self.sitting.iter().enumerate() {
            for &student in sitting {
                students[student as usize].push(exam as u16);
            }
        }
        let mut exams = self.exams;
        for constraint in constraints.iter().filter(|constraint| constraint.kind == ConstraintKind::RoomExclusive) {
            exams[constraint.first].needs.own_room = true;
        }
        let objective = self.weights.map(|weights| Objective { kind: ObjectiveKind::Itc2007, weights });
        let parts = InstanceParts {
            exams,
            students,
            student_codes: self.codes.iter().map(|&code| code.to_owned()).collect(),
            periods: self.periods,
            resources: Resources { rooms: self.rooms, ..Resources::default() },
            objective: objective.unwrap_or_default(),
            warnings,
            ..InstanceParts::default()
        };
        Session { parts, constraints, impossible, period_minutes: self.period_minutes }
    }

    /// Warnings about what was corrected or ignored.
    fn warnings(&self, impossible: &[Constraint]) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some((count, line)) = self.repeated {
            let students = counted(count, "student");
            warnings.push(format!("{students} listed more than once for one exam, first in line {line}; counted once"));
        }
        let is_idle = |constraint: &&Constraint| {
            constraint.kind == ConstraintKind::Coincidence && constraint.second == Some(constraint.first)
        };
        let idle: Vec<String> =
            self.constraints.iter().filter(is_idle).map(|constraint| constraint.line.to_string()).collect();
        if !idle.is_empty() {
            let constraints = counted(idle.len(), "constraint");
            warnings
                .push(format!("{constraints} that an exam coincides with itself ignored, in lines {}", listed(&idle)));
        }
        if !impossible.is_empty() {
            let lines: Vec<String> = impossible.iter().map(|constraint| constraint.line.to_string()).collect();
            let constraints = counted(impossible.len(), "constraint");
            warnings.push(format!("{constraints} that nothing can meet ignored, in lines {}", listed(&lines)));
        }
        warnings
    }
}
