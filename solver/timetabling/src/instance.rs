//! The data of an examination session: exams, students, periods, and the conflict graph that follows from them.

use std::sync::Arc;

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use super::conflicts::{Conflicts, Students};
use super::invigilators::Duty;
use super::objective::Objective;
use super::publication::Publication;
use super::resources::{Resources, RoomNeeds};
use super::rules::Rules;
use super::{MAX_EXAMS, MAX_PAIRS, MAX_PERIODS, TimeZone, plausibility};
use gridwright_core::data::NameIndex;
use gridwright_core::numbers;
use gridwright_core::text::lines::listed;
use gridwright_core::{Error, Result};

/// One examination.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exam {
    /// Code of the exam in files, such as `0042` or `MATH101`.
    pub code: String,
    /// Title; empty if the file has none.
    pub title: String,
    /// Duration in minutes, if the file states it.
    pub duration: Option<u32>,
    /// Number of students who sit the exam.
    pub enrolment: u32,
    /// Demands on its rooms.
    #[serde(default)]
    pub needs: RoomNeeds,
}

/// One period of the session. Every field is optional, because some formats give only the number of periods.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// Date of the period.
    #[serde(default, deserialize_with = "gridwright_core::text::values::stored_date")]
    pub date: Option<NaiveDate>,
    /// Start, in local time.
    pub start: Option<NaiveTime>,
    /// End, in local time.
    pub end: Option<NaiveTime>,
    /// Seats of all rooms together.
    pub seats: Option<u32>,
    /// Penalty for each exam in the period, times the weight of the objective.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub penalty: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Period {
    /// Minutes from start to end, over midnight if the end comes before the start; `None` if one of both is not known.
    pub fn minutes(&self) -> Option<u32> {
        let minutes = (self.end? - self.start?).num_minutes();
        let over_midnight = if minutes <= 0 { 24 * 60 } else { 0 };
        u32::try_from(minutes + over_midnight).ok()
    }
}

/// Raw data of a session from which [`Instance::build`] makes an [`Instance`].
#[derive(Debug, Clone, Default)]
pub struct InstanceParts {
    /// Short name, such as `hec-s-92`.
    pub name: String,
    /// The exams; their enrolments are recounted from the students.
    pub exams: Vec<Exam>,
    /// Exam indices of each student, in any order; sorted and deduplicated by [`Instance::build`].
    pub students: Vec<Vec<u16>>,
    /// Code of each student, or empty.
    pub student_codes: Vec<String>,
    /// The periods; empty if the file does not give their number.
    pub periods: Vec<Period>,
    /// Time zone of the periods, if stated.
    pub time_zone: Option<TimeZone>,
    /// Divisor |S| of the shown cost; `None`: the number of students.
    pub divisor: Option<u32>,
    /// Rules that the file contains beyond «no clashes».
    pub rules: Rules,
    /// Rooms, people and arrangements.
    pub resources: Resources,
    /// Objective.
    pub objective: Objective,
    /// Warnings of the reader, one sentence each.
    pub warnings: Vec<String>,
    /// SHA-256 of the files, hexadecimal.
    pub file_hash: String,
}

/// An examination session to be timetabled.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Short name, such as `hec-s-92`.
    pub name: String,
    /// The exams, in the order of the file.
    pub exams: Vec<Exam>,
    /// Exams of each student.
    pub students: Arc<Students>,
    /// The periods; empty while their number is unknown.
    pub periods: Vec<Period>,
    /// Time zone of the periods, if stated; calendar files need it, and nothing else.
    pub time_zone: Option<TimeZone>,
    /// Divisor |S| of the shown cost.
    pub divisor: u32,
    /// Conflict graph.
    pub conflicts: Arc<Conflicts>,
    /// Rules beyond «no clashes».
    pub rules: Rules,
    /// Rooms, people and arrangements.
    pub resources: Resources,
    /// Objective.
    pub objective: Objective,
    /// Published versions of its timetable, the latest last.
    pub publications: Arc<Vec<Publication>>,
    /// Duties of invigilators that were assigned last.
    pub duties: Arc<Vec<Duty>>,
    /// Warnings of the reader, one sentence each.
    pub warnings: Vec<String>,
    /// SHA-256 of the files, hexadecimal.
    pub file_hash: String,
}

impl Instance {
    /// Validates the parts and counts enrolments and conflicts.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no exam, if there are more than [`MAX_EXAMS`] exams or [`MAX_PERIODS`] periods, or
    /// if a student sits an exam that does not exist, or if more than [`MAX_PAIRS`] pairs of exams share a student.
    pub fn build(parts: InstanceParts) -> Result<Self> {
        let InstanceParts { name, mut exams, students, student_codes, periods, divisor, .. } = parts;
        let InstanceParts { time_zone, rules, resources, objective, warnings, file_hash, .. } = parts;
        if exams.is_empty() {
            return Err(Error::Usage(format!("{name}: there are no exams, so that nothing can be timetabled")));
        }
        if exams.len() > MAX_EXAMS {
            return Err(Error::Usage(format!("{name}: {} exams; at most {MAX_EXAMS} can be handled", exams.len())));
        }
        check_period_count(periods.len())?;
        let mut flat = Students { codes: student_codes, offsets: vec![0], exams: Vec::new() };
        for mut list in students {
            list.sort_unstable();
            list.dedup();
            flat.exams.extend_from_slice(&list);
            flat.offsets.push(flat.exams.len() as u32);
        }
        for exam in &mut exams {
            exam.enrolment = 0;
        }
        for &exam in &flat.exams {
            match exams.get_mut(usize::from(exam)) {
                Some(exam) => exam.enrolment += 1,
                None => {
                    return Err(Error::Usage(format!(
                        "{name}: a student sits exam number {exam}, which does not exist"
                    )));
                }
            }
        }
        let conflicts =
            Conflicts::count(exams.len(), &flat, MAX_PAIRS).map_err(|why| Error::Usage(format!("{name}: {why}")))?;
        let divisor = divisor.unwrap_or(flat.len() as u32).max(1);
        let mut instance = Self {
            name,
            exams,
            students: Arc::new(flat),
            periods,
            time_zone,
            divisor,
            conflicts: Arc::new(conflicts),
            rules,
            resources,
            objective,
            publications: Arc::default(),
            duties: Arc::default(),
            warnings,
            file_hash,
        };
        let doubt = plausibility::missing_zeros(&instance.students.codes);
        instance.warnings.extend(doubt.filter(|doubt| !instance.warnings.contains(doubt)));
        Ok(instance)
    }

    /// Sets the number of periods to `count`; the first periods keep their dates and seats.
    ///
    /// # Errors
    /// [`Error::Usage`] if `count` is 0 or greater than [`MAX_PERIODS`].
    pub fn with_periods(mut self, count: usize) -> Result<Self> {
        if count == 0 {
            return Err(Error::Usage("0 periods: give a number of periods of at least 1".to_owned()));
        }
        check_period_count(count)?;
        self.periods.resize(count, Period::default());
        Ok(self)
    }

    /// Number of exams.
    pub fn exam_count(&self) -> usize {
        self.exams.len()
    }

    /// Number of periods, 0 while unknown.
    pub fn period_count(&self) -> usize {
        self.periods.len()
    }

    /// Number of (student, exam) pairs.
    pub fn enrolments(&self) -> usize {
        self.students.exams.len()
    }

    /// Shown cost: raw / |S|, the figure that the literature compares, for the published objective, the cost itself for
    /// others.
    pub fn shown(&self, raw: u64) -> f64 {
        if self.objective.is_per_student() { raw as f64 / f64::from(self.divisor) } else { raw as f64 }
    }

    /// Returns `true` if `exam` lasts longer than `period`, both lengths being known.
    pub(crate) fn is_too_long(&self, exam: usize, period: usize) -> bool {
        let minutes = self.periods.get(period).and_then(Period::minutes);
        minutes.zip(self.exams[exam].duration).is_some_and(|(minutes, duration)| duration > minutes)
    }

    /// Exams that last longer than at least one period, ascending, and the minutes of the shortest period.
    pub(crate) fn long_exams(&self) -> Option<(Vec<usize>, u32)> {
        let shortest = self.periods.iter().filter_map(Period::minutes).min()?;
        let is_long = |exam: &usize| self.exams[*exam].duration.is_some_and(|duration| duration > shortest);
        let exams: Vec<usize> = (0..self.exams.len()).filter(is_long).collect();
        (!exams.is_empty()).then_some((exams, shortest))
    }

    /// Remarks for people: exams that last longer than a period, what is probably wrong, and the warnings of the reader.
    pub fn remarks(&self) -> Vec<String> {
        let long = self.long_exams().map(|(exams, shortest)| {
            let codes: Vec<&str> = exams.iter().map(|&exam| self.exams[exam].code.as_str()).collect();
            let verb = if exams.len() == 1 { "lasts" } else { "last" };
            let exams = numbers::counted(exams.len() as u64, "exam");
            let codes = listed(&codes);
            format!("{exams} {verb} longer than the shortest period ({shortest} minutes) and can only be in longer ones: {codes}")
        });
        long.into_iter().chain(plausibility::doubts(self)).chain(self.warnings.iter().cloned()).collect()
    }

    /// End of `exam` in `period` and the number of midnights before it: after its own duration if that and the start are
    /// known, otherwise the end of the period.
    pub(crate) fn exam_end(&self, exam: usize, period: usize) -> Option<(NaiveTime, u32)> {
        self.end_with(exam, period, 0)
    }

    /// As [`Instance::exam_end`], with `extra` minutes of extra time.
    pub(crate) fn end_with(&self, exam: usize, period: usize, extra: u32) -> Option<(NaiveTime, u32)> {
        let data = self.periods.get(period)?;
        let own = self.exams[exam].duration.filter(|_| data.start.is_some());
        match (data.start, own.or_else(|| data.minutes())) {
            (Some(start), Some(minutes)) => {
                let (end, seconds) = start.overflowing_add_signed(TimeDelta::minutes(i64::from(minutes + extra)));
                Some((end, (seconds / (24 * 60 * 60)) as u32))
            }
            _ => data.end.map(|end| (end, 0)),
        }
    }

    /// Label of a period for people: «Mon 1 Jun, 09:00–11:00», or «Period 7» (counted from 1) if it has no date.
    pub fn period_label(&self, period: usize) -> String {
        let known = self.periods.get(period).and_then(|p| p.date.map(|date| (date, p)));
        match known {
            Some((date, p)) => {
                let day = date.format("%a %-d %b");
                match (p.start, p.end) {
                    (Some(start), Some(end)) => format!("{day}, {}–{}", start.format("%H:%M"), end.format("%H:%M")),
                    (Some(start), None) => format!("{day}, {}", start.format("%H:%M")),
                    _ => day.to_string(),
                }
            }
            None => format!("Period {}", period + 1),
        }
    }

    /// Returns `true` if a period has a date.
    pub fn has_date(&self, period: usize) -> bool {
        self.periods.get(period).is_some_and(|period| period.date.is_some())
    }

    /// Returns `true` if a period has a date and a start.
    pub fn is_scheduled(&self, period: usize) -> bool {
        self.periods.get(period).is_some_and(|period| period.date.is_some() && period.start.is_some())
    }

    /// Name of a period within a sentence: «Mon 1 Jun, 09:00–11:00», or «period 7» (counted from 1) if date or start is not
    /// known.
    pub fn period_name(&self, period: usize) -> String {
        if self.is_scheduled(period) { self.period_label(period) } else { format!("period {}", period + 1) }
    }

    /// Number of a period, counted from 1, with its date and start if they are known: «7 (Mon 1 Jun, 09:00)».
    pub(crate) fn period_number(&self, period: usize) -> String {
        let number = period + 1;
        let Some((date, start)) = self.periods.get(period).and_then(|p| p.date.map(|date| (date, p.start))) else {
            return number.to_string();
        };
        let start = start.map_or_else(String::new, |start| format!(", {}", start.format("%H:%M")));
        format!("{number} ({}{start})", date.format("%a %-d %b"))
    }

    /// Indices of the exams by their codes.
    pub(crate) fn exam_codes(&self) -> NameIndex<'_> {
        NameIndex::of(self.exams.iter().map(|exam| &exam.code))
    }

    /// Index of the exam with this code in any spelling; `None` if there is none.
    pub fn exam_index(&self, code: &str) -> Option<usize> {
        self.exam_codes().get(code)
    }

    /// Indices of the students by their codes.
    pub fn student_codes(&self) -> NameIndex<'_> {
        NameIndex::of((0..self.students.len()).map(|student| self.students.code(student)))
    }
}

/// Refuses more than [`MAX_PERIODS`] periods.
pub(super) fn check_period_count(count: usize) -> Result<()> {
    if count > MAX_PERIODS {
        return Err(Error::Usage(format!("{count} periods; at most {MAX_PERIODS} can be handled")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(students: Vec<Vec<u16>>, exams: usize) -> Instance {
        let exams = (0..exams).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
        Instance::build(InstanceParts { exams, students, ..InstanceParts::default() }).unwrap()
    }

    #[test]
    fn conflicts_are_shared_students() {
        let instance = instance(vec![vec![0, 1, 2], vec![1, 0], vec![3, 4], vec![5], vec![2, 2]], 6);
        let conflicts = &instance.conflicts;
        assert_eq!((conflicts.shared(0, 1), conflicts.shared(1, 0), conflicts.shared(0, 3)), (2, 2, 0));
        assert_eq!((conflicts.pairs(), conflicts.total_shared()), (4, 5));
        assert_eq!(conflicts.of(0).collect::<Vec<_>>(), [(1, 2), (2, 1)]);
        assert_eq!(conflicts.density(), 8.0 / 36.0);
        assert_eq!(conflicts.components(), [vec![0, 1, 2], vec![3, 4], vec![5]]);
        assert_eq!(conflicts.greedy_clique(), [0, 1, 2]);
        assert_eq!(instance.exams.iter().map(|exam| exam.enrolment).collect::<Vec<_>>(), [2, 2, 2, 1, 1, 1]);
        assert_eq!((instance.divisor, instance.enrolments()), (5, 9), "a student sits an exam once");
    }

    /// A student with 32,000 exams, in a file of 192 kB, has 512 million pairs of them.
    #[test]
    fn the_number_of_pairs_is_bounded() {
        let all = Students { codes: Vec::new(), offsets: vec![0, 100], exams: (0..100).collect() };
        assert_eq!(Conflicts::count(100, &all, 4_950).unwrap().pairs(), 4_950);
        let why = Conflicts::count(100, &all, 4_949).unwrap_err().to_string();
        assert!(why.contains(&numbers::grouped(4_949)) && why.contains("plan the session in parts"), "{why}");
    }

    #[test]
    fn periods_are_bounded_and_keep_their_dates() {
        let day = NaiveDate::from_ymd_opt(2027, 6, 1);
        let mut dated = instance(vec![vec![0]], 1);
        dated.periods = vec![Period { date: day, ..Period::default() }];
        let longer = dated.clone().with_periods(3).unwrap();
        assert_eq!((longer.periods[0].date, longer.periods[2].date), (day, None));
        assert_eq!((longer.period_label(0), longer.period_label(2)), ("Tue 1 Jun".to_owned(), "Period 3".to_owned()));
        assert!(dated.clone().with_periods(0).is_err());
        assert!(dated.with_periods(MAX_PERIODS + 1).unwrap_err().to_string().contains("at most 255"));
    }

    #[test]
    fn what_cannot_be_timetabled_is_refused() {
        assert!(Instance::build(InstanceParts::default()).unwrap_err().to_string().contains("no exam"));
        let stray = InstanceParts { exams: vec![Exam::default()], students: vec![vec![1]], ..InstanceParts::default() };
        assert!(Instance::build(stray).is_err());
    }
}
