//! Named figures of an instance and a timetable, in one order for workbooks, reports, comparisons and the command line.

use super::Instance;
use super::counts::{LAST_PERIODS, TimetableStatistics, grouped};
use crate::numbers;

/// Value of a [`Figure`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A count.
    Count(u64),
    /// A cost per student.
    Cost(f64),
    /// A text.
    Text(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Count(count) => f.write_str(&grouped(*count)),
            Self::Cost(cost) => f.write_str(&numbers::cost(*cost)),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Named figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Key in JSON.
    pub key: &'static str,
    /// Label, sentence case.
    pub label: String,
    /// Label for narrow columns.
    pub short: &'static str,
    /// Value.
    pub value: Value,
    /// True if the figure counts students, so that a percentage of all students is informative.
    pub of_students: bool,
    /// True if a value above 0 makes the timetable infeasible.
    pub forbidden: bool,
}

fn figure(key: &'static str, label: impl Into<String>, short: &'static str, value: Value) -> Figure {
    Figure { key, label: label.into(), short, value, of_students: false, forbidden: false }
}

/// Sizes of an instance: exams, periods, students, enrolments.
pub fn of_instance(instance: &Instance) -> Vec<Figure> {
    let count = |key, label: &'static str, value: usize| figure(key, label, label, Value::Count(value as u64));
    vec![
        count("exams", "Exams", instance.exam_count()),
        count("periods", "Periods", instance.period_count()),
        count("students", "Students", instance.students.len()),
        count("enrolments", "Enrolments", instance.enrolments()),
    ]
}

/// Figures of a timetable with raw cost `raw`; less is better in every number. All timetables of an instance give the
/// same figures in the same order.
pub fn of_timetable(instance: &Instance, counts: &TimetableStatistics, raw: u64) -> Vec<Figure> {
    let number = |key, label: &str, short, value: u32| figure(key, label, short, Value::Count(u64::from(value)));
    let students = |key, label: &str, short, value| Figure { of_students: true, ..number(key, label, short, value) };
    let forbidden = |figure: Figure| Figure { forbidden: true, ..figure };
    let with_clash = counts.students_with_clash;
    let in_a_row = counts.students_in_a_row;
    let mut figures = vec![
        figure("cost_display", "Cost per student", "Cost per student", Value::Cost(instance.shown(raw))),
        figure("cost", "Cost in all", "Cost in all", Value::Count(raw)),
        forbidden(number("unplaced", "Exams without a period", "Without a period", counts.unplaced)),
        forbidden(students("students_with_clash", "Students with a clash", "With a clash", with_clash)),
        students("students_in_a_row", "Students with two exams in a row", "Two exams in a row", in_a_row),
    ];
    if let (Some(two), Some(three)) = (counts.students_two_a_day, counts.students_three_a_day) {
        figures.push(students("students_two_a_day", "Students with two exams on a day", "Two on a day", two));
        let label = "Students with three or more exams on a day";
        figures.push(students("students_three_a_day", label, "Three or more on a day", three));
    }
    let largest = counts.largest_period();
    let (which, most) =
        largest.map_or_else(|| ("none".to_owned(), 0), |(period, students)| (instance.period_label(period), students));
    figures.push(number("largest_period_students", "Students in the largest period", "In the largest period", most));
    figures.push(figure("largest_period", "Largest period", "Largest period", Value::Text(which)));
    let last = format!("Exams in the last {} periods", LAST_PERIODS.min(instance.period_count()));
    figures.push(number("exams_at_the_end", &last, "In the last periods", counts.exams_at_the_end));
    if let Some(overfull) = counts.overfull_periods {
        figures.push(number("overfull_periods", "Periods with too few seats", "Too few seats", overfull));
    }
    figures
}
