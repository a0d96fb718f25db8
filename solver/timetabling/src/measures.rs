//! Figures by which people choose between several timetables, by the checker.

use gridwright_core::numbers::grouped;
use gridwright_core::planning::{Measure, Planning};

use crate::check::check;
use crate::objective::WeightName;
use crate::problem::Timetabling;
use crate::{Instance, Timetable};

/// The cost, exams without a period, and the count of each component that has a weight.
pub(crate) fn of(instance: &Instance, timetable: &Timetable) -> Vec<Measure> {
    let verdict = check(instance, timetable);
    let cost = Timetabling::shown(instance, verdict.raw as f64);
    let help = "The cost by the independent checker, without prices of moved exams";
    let text = Timetabling::shown_text(instance, cost);
    let mut all = vec![Measure { key: "cost", label: "Cost", help, value: Some(cost), text, unit_seconds: None }];
    let unplaced = timetable.unplaced_exams().len() as u64;
    all.push(count("unplaced", "Exams without a period", "Exams that have no period", Some(unplaced)));
    for weight in WeightName::ALL {
        let component = verdict.components.iter().find(|component| component.key == weight.name);
        let help = "Number of times; the cost is this number times the weight";
        all.push(count(weight.name, weight.label, help, component.map(|component| component.count)));
    }
    all
}

fn count(key: &'static str, label: &'static str, help: &'static str, value: Option<u64>) -> Measure {
    let text = value.map(grouped).unwrap_or_default();
    Measure { key, label, help, value: value.map(|value| value as f64), text, unit_seconds: None }
}
