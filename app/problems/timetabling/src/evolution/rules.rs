//! Changed rules of an evolution: probabilities and tournament, with the effect beside a previous run.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::{grouped, significant};
use gridwright_timetabling::Instance;

use super::recording::{Facts, Recording};
use crate::Document;
use crate::describe::{per_student, short_cost};
use crate::state::Run;
use gridwright_window::widgets::rule_change::{self, Chart, Measured, RuleComparison, Side};
use gridwright_window::window::command::Command;

/// Names of the parameters that can be changed here.
const RULES: [&str; 5] = ["crossover", "mutation", "tournament", "population", "descent"];

/// Shows the rules of the shown run and the run beside it.
pub(super) fn show(ui: &mut Ui, document: &mut Document, facts: &Facts, commands: &mut Vec<Command>) {
    let Some((number, result)) = document.shown_run().map(|run| (run.number, Arc::clone(&run.result))) else { return };
    let Some(algorithm) = document.algorithm_of(number) else { return };
    if document.evolution.rules.measured(&result).is_none() {
        let measured = measured(facts, document.instance.shown(1));
        document.state.evolution.rules.keep(&result, measured);
    }
    let others = document.runs_beside(number);
    let beside = document.run_beside(number, document.evolution.rules.beside);
    if let Some(beside) = beside {
        measure_beside(ui, document, beside);
    }
    let side = |number: usize| document.run(number).map(|run| side(document, run));
    let Some(shown) = side(number) else { return };
    let difference = beside.and_then(|beside| document.parameter_difference([number, beside])).unwrap_or_default();
    let beside = beside.and_then(side);
    let cost_title = format!("Cost of close exams{}", per_student(&document.instance));
    let cost = |value: f64| significant(value);
    let number_words = |value: f64| if value.fract() == 0.0 { grouped(value as i64) } else { significant(value) };
    let percent = |value: f64| format!("{} %", number_words(value));
    let chart = |title, lines, from_zero, words| Chart { title, lines, from_zero, reference: None, words };
    let charts = [
        chart(&cost_title, &[("mean", 2), ("best valid", 0)], false, &cost as &dyn Fn(f64) -> String),
        chart("Violations, mean", &[("violations", 5)], true, &number_words),
        chart("Exams in which two timetables differ", &[("diversity", 3)], true, &percent),
    ];
    let comparison = RuleComparison {
        shown,
        beside,
        others: &others,
        difference: &difference,
        charts: &charts,
        step: "generation",
        enabled: !document.is_solving(),
    };
    let outcome = rule_change::show(ui, &mut document.state.evolution.rules, (&algorithm, &RULES), &comparison);
    document.canvas_focused |= outcome.has_focus;
    if let Some(changed) = outcome.run_again {
        document.settle_rules(number, changed);
        commands.push(Command::Solve);
    }
}

/// Records the run beside the shown one unless its values are known.
fn measure_beside(ui: &Ui, document: &mut Document, number: usize) {
    let Some(result) = document.run(number).map(|run| Arc::clone(&run.result)) else { return };
    let (bound, threads) = (document.evolution.bound, document.settings.threads);
    let (instance, ctx) = (Arc::clone(&document.instance), ui.ctx().clone());
    let scale = instance.shown(1);
    let wake = Arc::new(move || ctx.request_repaint());
    let start = || Some(Recording::start(instance, Arc::clone(&result), bound, threads, wake));
    let rules = &mut document.state.evolution.rules;
    rules.measure((number, &result), start, |recording| Some(measured(&*recording.facts()?, scale)));
}

/// A run as a side of the comparison.
fn side(document: &Document, run: &Run) -> Side {
    let measured = document.evolution.rules.measured(&run.result);
    let figure = figure(&document.instance, run);
    let best = measured.as_ref().map_or(0, |measured| first_least(&measured[0][1]));
    Side { measured, ..document.rule_side(run, figure, best) }
}

/// «a cost of 12.4 per student», or that violations are left.
fn figure(instance: &Instance, run: &Run) -> String {
    let cost = short_cost(instance, run.raw);
    match run.status {
        gridwright_window::runs::RunStatus::Valid => format!("a cost of {cost}{}", per_student(instance)),
        _ => format!("violations, and a cost of {cost}{}", per_student(instance)),
    }
}

/// Step of the first smallest value; 0 where there is none.
fn first_least(values: &[f32]) -> u64 {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let least = finite().fold(f32::INFINITY, f32::min);
    values.iter().position(|value| *value == least).unwrap_or(0) as u64
}

/// Values of the charts, generation by generation.
fn measured(facts: &Facts, scale: f64) -> Measured {
    use gridwright_timetabling::evolution::journal::GenerationStatistics;
    let line = |value: &dyn Fn(&GenerationStatistics) -> f64| -> Vec<f32> {
        facts.statistics.iter().map(|generation| value(generation) as f32).collect()
    };
    let best = |it: &GenerationStatistics| if it.feasible > 0 { it.cost.least as f64 * scale } else { f64::NAN };
    vec![
        vec![line(&|it| it.proximity.mean * scale), line(&best)],
        vec![line(&|it| it.violations.mean)],
        vec![line(&|it| 100.0 * it.diversity)],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_reached_in_its_first_generation() {
        assert_eq!(first_least(&[f32::NAN, 5.0, 3.0, 4.0, 3.0]), 2);
        assert_eq!(first_least(&[f32::NAN; 3]), 0);
    }
}
