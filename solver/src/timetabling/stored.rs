//! Timetables and demands as result and project files name them: by exam codes.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::calendar::correspondence;
use super::{Exam, Instance, Period, StoredRules, Timetable, UNPLACED};
use crate::result::Encoded;

/// A timetable in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredSolution {
    /// Exam codes, each with its period, counted from 0; `None` for an exam without a period.
    Timetable(Vec<(String, Option<u16>)>),
}

/// The demands under which a run searched, in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Demands {
    /// Pins, forbidden periods, relations, seats, and the timetable to stay close to.
    Timetabling(StoredRules),
}

/// Names every exam of a timetable by its code.
pub fn encode(instance: &Instance, timetable: &Timetable) -> Encoded {
    let period = |exam: usize| timetable.period_of(exam).map(|period| period as u16);
    let rows = instance.exams.iter().enumerate().map(|(exam, data)| (data.code.clone(), period(exam)));
    Encoded::of(&StoredSolution::Timetable(rows.collect()))
}

/// Finds the exams of a stored timetable in the instance; exams that it does not name have no period.
///
/// # Errors
/// A sentence that names the instance, if the value is no timetable, names an unknown exam or names an exam twice.
pub fn decode(instance: &Instance, solution: &Encoded) -> Result<Timetable, String> {
    let (timetable, _) = decode_counting(instance, solution)?;
    Ok(timetable)
}

/// Finds the exams of a stored timetable in the instance, all of which it must name.
///
/// # Errors
/// As [`decode`], and if an exam of the instance is missing.
pub fn decode_complete(instance: &Instance, solution: &Encoded) -> Result<Timetable, String> {
    let (timetable, named) = decode_counting(instance, solution)?;
    match named.iter().position(|&named| !named) {
        None => Ok(timetable),
        Some(exam) => Err(foreign(instance, &format!("it lacks exam “{}”", instance.exams[exam].code))),
    }
}

/// Finds the exams of a stored draft in the instance: exams without a row are unplaced, unknown codes and periods beyond the
/// last are ignored. `None` if the value is no timetable.
pub fn decode_known(instance: &Instance, solution: &Encoded) -> Option<Timetable> {
    decode_carried(instance, solution, &instance.periods)
}

/// As [`decode_known`], for a timetable of the calendar `before`: exams keep date and time ([`correspondence`]).
pub fn decode_carried(instance: &Instance, solution: &Encoded, before: &[Period]) -> Option<Timetable> {
    let StoredSolution::Timetable(rows) = solution.decode()?;
    let periods: HashMap<&str, Option<u16>> = rows.iter().map(|(code, period)| (code.as_str(), *period)).collect();
    let period = |exam: &Exam| periods.get(exam.code.as_str()).copied().flatten().unwrap_or(UNPLACED);
    let mut timetable = Timetable { periods: instance.exams.iter().map(period).collect() };
    timetable.move_periods(&correspondence(before, &instance.periods));
    Some(timetable)
}

fn decode_counting(instance: &Instance, solution: &Encoded) -> Result<(Timetable, Vec<bool>), String> {
    let Some(StoredSolution::Timetable(rows)) = solution.decode() else {
        let name = &instance.name;
        return Err(format!("it holds no timetable for {name}; name the instance that it was made for"));
    };
    let indices = instance.exams.iter().enumerate().map(|(index, exam)| (exam.code.as_str(), index));
    let indices: HashMap<&str, usize> = indices.collect();
    let mut named = vec![false; instance.exam_count()];
    let mut timetable = Timetable::unplaced(instance.exam_count());
    for (code, period) in rows {
        let wrong = |what: &str| foreign(instance, &format!("{what} “{code}”"));
        let exam = *indices.get(code.as_str()).ok_or_else(|| wrong("it holds an unknown exam"))?;
        if std::mem::replace(&mut named[exam], true) {
            return Err(wrong("it holds twice the exam"));
        }
        timetable.periods[exam] = period.unwrap_or(UNPLACED);
    }
    Ok((timetable, named))
}

fn foreign(instance: &Instance, what: &str) -> String {
    format!("{what}, so it is no plan for {}; name the instance it was made for", instance.name)
}
