//! The independent checker: students and timetable in, cost and violations out.
//!
//! It walks over the students and what each of them sits, not over the conflict graph, and shares no code with the
//! searches. What is shown or exported as a result has passed it.

use serde::{Deserialize, Serialize};

use super::{Instance, Timetable};
use crate::result::Violation;

/// What the checker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether every exam has a period and no student has two exams in one.
    pub feasible: bool,
    /// Σ over students and pairs of their exams of 2^(5−d), d = 1…5 periods apart; not divided.
    pub raw: u64,
    /// raw / |S|, as the literature shows it.
    pub shown: f64,
    /// What is wrong: `length`, `unplaced`, `period`, `clash`, worst first.
    pub violations: Vec<Violation>,
}

fn violation(kind: &str, text: String) -> Violation {
    Violation { kind: kind.to_owned(), text }
}

/// Checks a timetable against the raw data.
pub fn check(instance: &Instance, timetable: &Timetable) -> Verdict {
    let exams = instance.exams.len();
    let periods = instance.periods.len();
    let mut violations = Vec::new();
    if timetable.periods.len() != exams {
        let text = format!("the timetable has {} exams, the instance {exams}", timetable.periods.len());
        violations.push(violation("length", text));
    }
    let mut placed: Vec<Option<i64>> = Vec::with_capacity(exams);
    for (exam, data) in instance.exams.iter().enumerate() {
        let name = name(&data.code, &data.title);
        let period = timetable.periods.get(exam).copied().filter(|&period| period != super::UNPLACED);
        match period {
            None => violations.push(violation("unplaced", format!("exam {name} has no period"))),
            Some(period) if usize::from(period) >= periods => {
                let text = format!("exam {name} is in period {}, but there are only {periods}", u32::from(period) + 1);
                violations.push(violation("period", text));
            }
            Some(_) => {}
        }
        placed.push(period.map(i64::from));
    }
    let mut raw = 0_u64;
    let mut clashing = std::collections::BTreeMap::<(u16, u16), u32>::new();
    for student in 0..instance.students.len() {
        let sits = instance.students.exams_of(student);
        for (position, &first) in sits.iter().enumerate() {
            for &second in &sits[position + 1..] {
                let (Some(a), Some(b)) = (placed[usize::from(first)], placed[usize::from(second)]) else { continue };
                match (a - b).abs() {
                    0 => *clashing.entry((first, second)).or_default() += 1,
                    distance @ 1..=5 => raw += 1 << (5 - distance),
                    _ => {}
                }
            }
        }
    }
    let mut clashing: Vec<_> = clashing.into_iter().collect();
    clashing.sort_by_key(|&(pair, students)| (std::cmp::Reverse(students), pair));
    for ((first, second), students) in clashing {
        let [first_exam, second_exam] = [&instance.exams[usize::from(first)], &instance.exams[usize::from(second)]];
        let text = format!(
            "exams {} and {} are both in period {} and share {students} student{}",
            name(&first_exam.code, &first_exam.title),
            name(&second_exam.code, &second_exam.title),
            placed[usize::from(first)].unwrap_or(0) + 1,
            if students == 1 { "" } else { "s" },
        );
        violations.push(violation("clash", text));
    }
    Verdict { feasible: violations.is_empty(), raw, shown: raw as f64 / f64::from(instance.divisor), violations }
}

fn name(code: &str, title: &str) -> String {
    if title.is_empty() { code.to_owned() } else { format!("{code} ({title})") }
}
