//! Selections of exams and of periods.

use std::collections::BTreeSet;

use chrono::NaiveTime;

use crate::{Instance, Period};
use gridwright_core::data::lists::{self, Moment};
use gridwright_core::text::values::{self, DateOrder};

/// Property that an exam of a selection has.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Criterion {
    /// The code fits this pattern, in which `*` stands for any letters and `?` for one; capitals do not matter.
    Code(String),
    /// At least this many students.
    AtLeast(u32),
    /// At most this many students.
    AtMost(u32),
}

impl Criterion {
    fn parse(text: &str) -> Result<Self, String> {
        let size = |text: &str| {
            let text = text.trim();
            text.parse::<u32>().map_err(|_| format!("expected a number of students, found “{}”", text.escape_debug()))
        };
        match (text.strip_prefix(">="), text.strip_prefix("<=")) {
            (Some(least), _) => size(least).map(Self::AtLeast),
            (_, Some(most)) => size(most).map(Self::AtMost),
            _ if text.is_empty() => Err("expected exams, such as MAT* or >=300".to_owned()),
            _ => Ok(Self::Code(text.to_lowercase())),
        }
    }

    fn holds(&self, code: &str, students: u32) -> bool {
        match self {
            Self::Code(pattern) => fits(pattern.as_bytes(), code.as_bytes()),
            Self::AtLeast(least) => students >= *least,
            Self::AtMost(most) => students <= *most,
        }
    }
}

/// Returns `true` if `text` fits a pattern with `*` and `?`.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    // Position behind the last star, and where its text may go on.
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                at += 1;
                star = Some((at, read));
            }
            Some(&letter) if letter == b'?' || letter == text[read] => {
                at += 1;
                read += 1;
            }
            _ => match &mut star {
                Some((behind, begin)) => {
                    *begin += 1;
                    (at, read) = (*behind, *begin);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&letter| letter == b'*')
}

/// Selection of exams by code and size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// An exam belongs to the selection if all criteria of one part hold.
    parts: Vec<Vec<Criterion>>,
}

impl Selection {
    /// Reads a selection, such as `MAT*; >=300 & CS*`.
    ///
    /// # Errors
    /// A sentence that says what is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let part = |text: &str| text.split('&').map(|text| Criterion::parse(text.trim())).collect();
        let parts = text.split(';').filter(|part| !part.trim().is_empty()).map(part).collect::<Result<Vec<_>, _>>()?;
        if parts.is_empty() { Err("expected exams, such as MAT* or >=300".to_owned()) } else { Ok(Self { parts }) }
    }

    /// Indices of the exams that belong to it, ascending.
    pub fn exams(&self, instance: &Instance) -> Vec<usize> {
        let belongs = |&exam: &usize| {
            let data = &instance.exams[exam];
            let code = data.code.to_lowercase();
            self.parts.iter().any(|part| part.iter().all(|criterion| criterion.holds(&code, data.enrolment)))
        };
        (0..instance.exam_count()).filter(belongs).collect()
    }
}

/// Periods of a list such as `mornings; Mon; 2026-06-05; 09:00; 3`: periods that begin before or after noon, starts, and
/// [moments](lists::moments) such as days of the week, dates, dates with a start, ranges and numbers from 1.
///
/// # Errors
/// A sentence about the first item that names no period.
pub fn periods(instance: &Instance, text: &str) -> Result<BTreeSet<usize>, String> {
    let mut chosen = BTreeSet::new();
    for item in text.split(';').map(str::trim).filter(|item| !item.is_empty()) {
        let before = chosen.len();
        let is_meant = criterion(item).ok_or_else(|| {
            let item = item.escape_debug();
            format!("expected periods such as mornings, Mon, 2026-06-05 or 09:00, found “{item}”")
        })?;
        let meant = instance.periods.iter().enumerate().filter(|(index, period)| is_meant(*index, period));
        let meant: Vec<usize> = meant.map(|(index, _)| index).collect();
        chosen.extend(&meant);
        if meant.is_empty() && chosen.len() == before {
            return Err(format!("no period of {} is {}", instance.name, item.escape_debug()));
        }
    }
    if chosen.is_empty() { Err("expected periods, such as mornings or 2026-06-05".to_owned()) } else { Ok(chosen) }
}

type IsMeant = Box<dyn Fn(usize, &Period) -> bool>;

/// Condition on index and data of a period that an item states; `None` if it is none.
fn criterion(item: &str) -> Option<IsMeant> {
    let noon = NaiveTime::from_hms_opt(12, 0, 0)?;
    match item.to_lowercase().as_str() {
        "mornings" => return Some(Box::new(move |_, period| period.start.is_some_and(|start| start < noon))),
        "afternoons" => return Some(Box::new(move |_, period| period.start.is_some_and(|start| start >= noon))),
        _ => {}
    }
    if let Ok(moments) = lists::moments(item, DateOrder::DayFirst) {
        let is_meant = move |moment: &Moment, index: usize, period: &Period| match moment {
            Moment::Number(number) => index + 1 == *number as usize,
            _ => period.date.is_some_and(|date| moment.holds(date, period.start)),
        };
        return Some(Box::new(move |index, period| moments.iter().any(|moment| is_meant(moment, index, period))));
    }
    let start = values::time(item).ok()?;
    Some(Box::new(move |_, period| period.start == Some(start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{GeneratorOptions, generate};

    #[test]
    fn patterns_match_whole_codes() {
        for (pattern, code, expected) in [
            ("mat*", "mat101", true),
            ("mat?01", "mat101", true),
            ("mat?", "mat101", false),
            ("*1*1", "mat101", true),
            ("*", "", true),
            ("mat101", "mat1012", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), code.as_bytes()), expected, "{pattern} {code}");
        }
    }

    #[test]
    fn exams_and_periods_are_selected_by_what_is_written() {
        let options = GeneratorOptions { exams: 40, students: 300, density: 0.4, ..GeneratorOptions::default() };
        let instance = generate(&options).unwrap();
        let of = |text: &str| Selection::parse(text).unwrap().exams(&instance);
        let expected = |holds: &dyn Fn(&str, u32) -> bool| -> Vec<usize> {
            let exams = instance.exams.iter().enumerate();
            exams.filter(|(_, exam)| holds(&exam.code, exam.enrolment)).map(|(index, _)| index).collect()
        };
        assert_eq!(of("*").len(), 40);
        assert_eq!(of("mat*"), expected(&|code, _| code.starts_with("MAT")));
        assert_eq!(of(">=30 & MAT*; <=5"), expected(&|code, size| size >= 30 && code.starts_with("MAT") || size <= 5));
        for wrong in ["", ";", ">=x", "MAT*&"] {
            assert!(Selection::parse(wrong).is_err(), "{wrong}");
        }
        // Two periods a day from Monday 1 June 2026, at 9 and 14.
        let set = |text: &str| periods(&instance, text).unwrap().into_iter().collect::<Vec<usize>>();
        let count = instance.period_count();
        assert_eq!(set("mornings"), (0..count).step_by(2).collect::<Vec<_>>());
        assert_eq!(set("14:00"), set("afternoons"));
        assert_eq!(set("Tue; 1")[..3], [0, 2, 3]);
        assert_eq!((set("2026-06-02"), set("2.6.2026 14:00")), (vec![2, 3], vec![3]));
        assert_eq!((set("until 2.6.2026"), set("from 2026-06-02")), (vec![0, 1, 2, 3], (2..count).collect()));
        for wrong in ["", "noon", "2026-07-31", "999", "2026-06-02 15:00", "after 2026-06-02", "from 2026-07-31"] {
            assert!(periods(&instance, wrong).is_err(), "{wrong}");
        }
    }
}
