//! The examination track of the International Timetabling Competition 2007: one `.exam` file with sections in brackets.
//!
//! Exams, students, periods with dates and the seats of all rooms together are read; what the model does not hold yet
//! (rooms one by one, hard constraints, weightings) is checked for form and named in the warnings.
//!
//! Source: B. McCollum, P. McMullan, E. K. Burke, A. J. Parkes, R. Qu, «The second International Timetabling
//! Competition: examination timetabling track», technical report QUB/IEEE/Tech/ITC2007/Exam/v4.0/17, 2007.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use chrono::{Duration, NaiveDate, NaiveTime};

use super::lines::{self, Problems, Read, counted, is_number, listed, number, quoted};
use super::{Loaded, Source};
use crate::timetabling::{Exam, InstanceParts, MAX_EXAMS, MAX_PERIODS, Period};
use crate::{Result, files};

/// Loads a `.exam` file.
pub(super) fn load(path: &Path) -> Result<Loaded> {
    let bytes = files::read(path)?;
    let file_hash = files::hash(&[&bytes]);
    let text = files::text(path, bytes)?;
    let mut parts = parse(Source { path, text: &text })?;
    parts.name = super::stem(path);
    parts.file_hash = file_hash;
    Ok(Loaded { parts, empty_lines: 0 })
}

/// The sections of a file, in the order of the format's description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Exams,
    Periods,
    Rooms,
    PeriodConstraints,
    RoomConstraints,
    Weightings,
}

const SECTIONS: [(Section, &str); 6] = [
    (Section::Exams, "Exams"),
    (Section::Periods, "Periods"),
    (Section::Rooms, "Rooms"),
    (Section::PeriodConstraints, "PeriodHardConstraints"),
    (Section::RoomConstraints, "RoomHardConstraints"),
    (Section::Weightings, "InstitutionalWeightings"),
];

fn name(section: Section) -> &'static str {
    SECTIONS.iter().find(|(other, _)| *other == section).map_or("", |(_, name)| name)
}

/// Where a section begins, the entries that its header announces, and the lines found.
struct Heading {
    line: usize,
    announced: Option<u32>,
    found: usize,
}

/// A file while it is read.
#[derive(Default)]
struct Reading<'a> {
    exams: Vec<Exam>,
    /// Longest exam, in minutes, by exam.
    sitting: Vec<Vec<u32>>,
    students: HashMap<&'a str, u32>,
    codes: Vec<&'a str>,
    repeated: Option<(usize, usize)>,
    periods: Vec<(Period, u32)>,
    penalised_periods: usize,
    rooms: Vec<u32>,
    penalised_rooms: usize,
    /// How many hard constraints there are of each kind, and the exams that they name with the line.
    constraints: BTreeMap<(Section, String), usize>,
    named_exams: Vec<(usize, u32)>,
    weightings: Vec<String>,
}

/// Reads a session from the text of a `.exam` file; name and hash are the caller's.
///
/// Exams are called by their number from 0, as the file's own constraints do.
///
/// # Errors
/// [`crate::Error::Line`] or [`crate::Error::Lines`] for every line that cannot be used.
pub fn parse(source: Source) -> Result<InstanceParts> {
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
            // The lines of a section that is not understood are covered by the complaint about its heading.
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
    Ok(reading.into_parts())
}

/// `[Exams:607]`: the section and the number of its entries, if it is given.
fn heading(text: &str) -> Read<(Section, Option<u32>)> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let inner = inner.ok_or_else(|| format!("the heading {} is not closed with ]", quoted(text)))?;
    let (title, count) = match inner.split_once(':') {
        Some((title, count)) => (title.trim(), Some(number(count.trim(), u32::MAX)?)),
        None => (inner.trim(), None),
    };
    let section = SECTIONS.iter().find(|(_, name)| name.eq_ignore_ascii_case(title)).map(|(section, _)| *section);
    let known = || SECTIONS.map(|(_, name)| name).join(", ");
    let section = section.ok_or_else(|| format!("there is no section {}; known are {}", quoted(title), known()))?;
    Ok((section, count))
}

/// Exactly `N` fields between commas, or a complaint that says what they should be.
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
            Section::PeriodConstraints => {
                let [first, kind, second] = fields(text, "exam, constraint, exam")?;
                const KINDS: [&str; 3] = ["AFTER", "EXAM_COINCIDENCE", "EXCLUSION"];
                self.constraint(section, line, kind, &KINDS, &[first, second])
            }
            Section::RoomConstraints => {
                let [exam, kind] = fields(text, "exam, constraint")?;
                self.constraint(section, line, kind, &["ROOM_EXCLUSIVE"], &[exam])
            }
            Section::Weightings => {
                let (name, values) = text
                    .split_once(',')
                    .ok_or_else(|| format!("expected a weighting and its values, found {}", quoted(text)))?;
                let values: Read<Vec<String>> = values
                    .split(',')
                    .map(|value| number(value.trim(), u32::MAX).map(|value| value.to_string()))
                    .collect();
                self.weightings.push(format!("{} {}", quoted(name.trim()).trim_matches(['«', '»']), values?.join("/")));
                Ok(())
            }
        }
    }

    /// `duration, student, student, …`
    fn exam(&mut self, line: usize, text: &'a str) -> Read<()> {
        if self.exams.len() == MAX_EXAMS {
            return Err(format!("more than {MAX_EXAMS} exams; that many cannot be handled"));
        }
        let mut tokens = text.split(',').map(str::trim);
        let duration = number(tokens.next().unwrap_or(""), 24 * 60).map_err(|why| format!("the duration: {why}"));
        let mut sitting = Vec::new();
        let mut seen = HashSet::new();
        let mut wrong = Vec::new();
        // A comma may follow the last student.
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
        // An exam with a wrong line is still counted, so that the numbers of the others stay right.
        self.exams.push(exam);
        self.sitting.push(sitting);
        duration?;
        if wrong.is_empty() { Ok(()) } else { Err(format!("not the number of a student: {}", listed(&wrong))) }
    }

    /// `dd:mm:yyyy, hh:mm:ss, duration, penalty`
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
        let penalty = number(penalty, u32::MAX).map_err(|why| format!("the penalty: {why}"))?;
        let (end, next_day) = start.overflowing_add_signed(Duration::minutes(i64::from(minutes)));
        self.penalised_periods += usize::from(penalty > 0);
        // A period that goes on after midnight has no end on its day.
        let end = (next_day == 0).then_some(end);
        self.periods.push((Period { date: Some(date), start: Some(start), end, seats: None }, minutes));
        Ok(())
    }

    /// `capacity, penalty`
    fn room(&mut self, text: &str) -> Read<()> {
        let [capacity, penalty] = fields(text, "capacity, penalty")?;
        let capacity = number(capacity, 1_000_000).map_err(|why| format!("the capacity: {why}"))?;
        let penalty = number(penalty, u32::MAX).map_err(|why| format!("the penalty: {why}"))?;
        self.rooms.push(capacity);
        self.penalised_rooms += usize::from(penalty > 0);
        Ok(())
    }

    fn constraint(&mut self, section: Section, line: usize, kind: &str, kinds: &[&str], exams: &[&str]) -> Read<()> {
        if !kinds.contains(&kind) {
            return Err(format!("there is no constraint {}; known are {}", quoted(kind), kinds.join(", ")));
        }
        for exam in exams {
            self.named_exams.push((line, number(exam, u32::MAX).map_err(|why| format!("the exam: {why}"))?));
        }
        *self.constraints.entry((section, kind.to_owned())).or_default() += 1;
        Ok(())
    }

    fn check_named_exams(&self, problems: &mut Problems) {
        for &(line, exam) in &self.named_exams {
            if exam as usize >= self.exams.len() {
                let exams = counted(self.exams.len(), "exam");
                problems.line(line, format!("there is no exam {exam}; the file has {exams}, counted from 0"));
            }
        }
    }

    fn into_parts(self) -> InstanceParts {
        let warnings = self.warnings();
        let mut students = vec![Vec::new(); self.codes.len()];
        for (exam, sitting) in self.sitting.iter().enumerate() {
            for &student in sitting {
                students[student as usize].push(exam as u16);
            }
        }
        let seats = self.rooms.iter().fold(0_u32, |sum, &room| sum.saturating_add(room));
        let seats = (!self.rooms.is_empty()).then_some(seats);
        InstanceParts {
            exams: self.exams,
            students,
            student_codes: self.codes.iter().map(|&code| code.to_owned()).collect(),
            periods: self.periods.into_iter().map(|(period, _)| Period { seats, ..period }).collect(),
            warnings,
            ..InstanceParts::default()
        }
    }

    /// What the file asks for and the model does not hold.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some((count, line)) = self.repeated {
            let students = counted(count, "student");
            warnings.push(format!("{students} listed more than once for one exam, first in line {line}; counted once"));
        }
        if !self.rooms.is_empty() {
            let seats: u64 = self.rooms.iter().map(|&room| u64::from(room)).sum();
            let rooms = counted(self.rooms.len(), "room");
            warnings.push(format!(
                "not modelled yet: {rooms}; only their {seats} seats together are shown with each period"
            ));
        }
        for (section, what) in [(Section::PeriodConstraints, "period"), (Section::RoomConstraints, "room")] {
            let of_section = self.constraints.iter().filter(|((other, _), _)| *other == section);
            let kinds: Vec<String> = of_section.map(|((_, kind), count)| format!("{count} {kind}")).collect();
            if !kinds.is_empty() {
                warnings.push(format!("not modelled yet: hard constraints on {what}s ({})", kinds.join(", ")));
            }
        }
        if self.penalised_periods + self.penalised_rooms > 0 {
            let (periods, rooms) = (counted(self.penalised_periods, "period"), counted(self.penalised_rooms, "room"));
            warnings.push(format!("not modelled yet: penalties for the use of {periods} and {rooms}"));
        }
        let shortest = self.periods.iter().map(|&(_, minutes)| minutes).min().unwrap_or(0);
        let too_long = self.exams.iter().filter(|exam| exam.duration.is_some_and(|minutes| minutes > shortest)).count();
        if too_long > 0 {
            let (exams, verb) = (counted(too_long, "exam"), if too_long == 1 { "lasts" } else { "last" });
            warnings.push(format!(
                "not modelled yet: durations; {exams} {verb} longer than the shortest period ({shortest} minutes)"
            ));
        }
        if !self.weightings.is_empty() {
            let weightings = self.weightings.join(", ");
            warnings.push(format!(
                "not modelled yet: weightings ({weightings}); the cost is that of the Toronto instances"
            ));
        }
        warnings
    }
}
