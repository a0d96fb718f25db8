//! Named figures of an instance and a timetable, in one order for workbooks, reports, comparisons and the command line.

use super::Instance;
use super::check::Component;
use super::counts::{LAST_PERIODS, TimetableStatistics, grouped};
use gridwright_core::numbers;
use gridwright_core::text::sentence_case;

/// Value of a [`Figure`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A count.
    Count(u64),
    /// A cost per student, or another number with decimals.
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
pub(crate) struct Figure {
    /// Key in JSON.
    pub key: &'static str,
    /// Label, sentence case.
    pub label: String,
    /// Label for narrow columns.
    pub short: &'static str,
    /// Value.
    pub value: Value,
    /// True if the figure counts students, so that a percentage of all students is informative.
    pub(crate) of_students: bool,
    /// True if a value above 0 makes the timetable infeasible.
    pub forbidden: bool,
}

fn figure(key: &'static str, label: impl Into<String>, short: &'static str, value: Value) -> Figure {
    Figure { key, label: label.into(), short, value, of_students: false, forbidden: false }
}

/// Sizes of an instance: exams, periods, students, enrolments.
pub(crate) fn of_instance(instance: &Instance) -> Vec<Figure> {
    let count = |key, label: &'static str, value: usize| figure(key, label, label, Value::Count(value as u64));
    vec![
        count("exams", "Exams", instance.exam_count()),
        count("periods", "Periods", instance.period_count()),
        count("students", "Students", instance.students.len()),
        count("enrolments", "Enrolments", instance.enrolments()),
    ]
}

/// Name of the objective, and count and cost of each component; empty for the published objective, which has one component.
pub(crate) fn of_components(instance: &Instance, components: &[Component]) -> Vec<Figure> {
    if instance.objective.is_toronto() {
        return Vec::new();
    }
    let name = Value::Text(instance.objective.kind.label().to_owned());
    let of = |component: &Component| {
        let label = sentence_case(&component.label);
        let cost = figure("component_cost", format!("{label}: cost"), "Cost", Value::Count(component.cost));
        [figure("component", label, "Count", Value::Count(component.count)), cost]
    };
    let first = figure("objective", "Objective", "Objective", name);
    std::iter::once(first).chain(components.iter().flat_map(of)).collect()
}

/// Figures of a timetable with raw cost `raw`; less is better in every number. All timetables of an instance give the
/// same figures in the same order.
pub(crate) fn of_timetable(instance: &Instance, counts: &TimetableStatistics, raw: u64) -> Vec<Figure> {
    let number = |key, label: &str, short, value: u32| figure(key, label, short, Value::Count(u64::from(value)));
    let students = |key, label: &str, short, value| Figure { of_students: true, ..number(key, label, short, value) };
    let forbidden = |figure: Figure| Figure { forbidden: true, ..figure };
    let with_clash = counts.students_with_clash;
    let in_a_row = counts.students_in_a_row;
    let label = instance.cost_label();
    let mut figures = match instance.objective.is_per_student() {
        true => vec![
            figure("cost_display", label, label, Value::Cost(instance.shown(raw))),
            figure("cost", "Cost in all", "Cost in all", Value::Count(raw)),
        ],
        false => vec![figure("cost", label, label, Value::Count(raw))],
    };
    figures.extend([
        forbidden(number("unplaced", "Exams without a period", "Without a period", counts.unplaced)),
        forbidden(students("students_with_clash", "Students with a clash", "With a clash", with_clash)),
        students("students_in_a_row", "Students with two exams in a row", "Two exams in a row", in_a_row),
    ]);
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
    if let Some(clashes) = counts.late_clashes {
        let label = "Late enrolments of 100 that would clash";
        let of_hundred = Value::Cost((f64::from(clashes) / 100.0).round() / 100.0);
        figures.push(figure("late_clashes_percent", label, "Late clashes of 100", of_hundred));
    }
    figures
}
