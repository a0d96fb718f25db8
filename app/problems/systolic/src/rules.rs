//! Changed rules of a search, with the effect beside a previous run: rows, segments, mutation points and first solutions of
//! the grid, probabilities of the genetic algorithms.

use std::sync::Arc;

use egui::Ui;
use gridwright_systolic::run::Algorithm;

use super::Document;
use super::diversity::Shown as Scale;
use super::grid::waiting;
use super::recording::{Curves, Recording, RecordingRequest};
use super::state::{Run, wake};
use crate::methods::*;
use gridwright_window::widgets::controls::placeholder;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::rule_change::{self, Chart, Measured, RuleComparison, Side};
use gridwright_window::window::command::Command;

/// Names of the parameters that can be changed.
fn rules_of(algorithm: &Algorithm) -> &'static [&'static str] {
    match algorithm {
        Algorithm::Grid(..) => &["rows", "segment", "mutation", "start"],
        Algorithm::Generational(_) | Algorithm::Elitist(_) => &["crossover", "mutation"],
        Algorithm::Random(_) => &[],
    }
}

/// Shows the rules of the shown run and the run beside it.
pub fn show(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
    let known = document.shown_run().map(|run| (run.number, Arc::clone(&run.result)));
    let Some((number, result)) = known else {
        let text = "When the run has ended, a rule can be changed here.";
        return placeholder(ui, Icon::Cells, "Run in progress", text, |_| {});
    };
    let Some(algorithm) = document.algorithm_of(number) else { return waiting(ui, document) };
    if rules_of(&algorithm).is_empty() {
        let text = "Random search has no rules to be changed. Choose one of the other algorithms and solve.";
        return placeholder(ui, Icon::Cells, "No rules", text, |_| {});
    }
    let Some(recording) = document.recording(ui.ctx()) else { return waiting(ui, document) };
    if recording.failure().is_some() {
        return waiting(ui, document);
    }
    if recording.is_complete() && document.ruling.measured(&result).is_none() {
        let curves = document.recorded().map(Recording::curves);
        if let Some(curves) = curves {
            let measured = measured(document, &curves);
            document.state.ruling.keep(&result, measured);
        }
    }
    let beside = document.run_beside(number, document.ruling.beside);
    if let Some(beside) = beside {
        measure_beside(ui, document, beside);
    }
    compare(ui, document, (number, beside), &algorithm, commands);
}

fn compare(
    ui: &mut Ui, document: &mut Document, (number, beside): (usize, Option<usize>), algorithm: &Algorithm,
    commands: &mut Vec<Command>,
) {
    let side = |number: usize| document.run(number).map(|run| side(document, run));
    let Some(shown) = side(number) else { return };
    let others = document.runs_beside(number);
    let difference = beside.and_then(|beside| document.parameter_difference([number, beside])).unwrap_or_default();
    let scale = Scale::of(document);
    let reference = scale.reference(document);
    let words = |value: f64| scale.words(value);
    let bits = |value: f64| if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") };
    let charts = [
        Chart {
            title: scale.title,
            lines: &[("mean", 2), ("best", 0)],
            from_zero: false,
            reference: reference.as_ref().map(|(value, name)| (*value, name.as_str())),
            words: &words,
        },
        Chart {
            title: "Mean Hamming distance of two solutions, bits",
            lines: &[("distance", 3)],
            from_zero: true,
            reference: None,
            words: &bits,
        },
    ];
    let comparison = RuleComparison {
        shown,
        beside: beside.and_then(side),
        others: &others,
        difference: &difference,
        charts: &charts,
        step: "iteration",
        enabled: !document.is_solving(),
    };
    let rules = (algorithm, rules_of(algorithm));
    let outcome = rule_change::show(ui, &mut document.state.ruling, rules, &comparison);
    document.canvas_focused |= outcome.has_focus;
    if let Some(changed) = outcome.run_again {
        document.settle_rules(number, changed);
        commands.push(Command::Solve);
    }
}

/// Computes the curves of the run beside the shown one unless they are known.
fn measure_beside(ui: &Ui, document: &mut Document, number: usize) {
    let Some(result) = document.run(number).map(|run| Arc::clone(&run.result)) else { return };
    let mut ruling = std::mem::take(&mut document.state.ruling);
    let start = || {
        let (bound, threads) = (document.recording_bound, document.settings.threads);
        let request = RecordingRequest::of(Arc::clone(&document.instance), &result, bound, threads)?;
        Some(Recording::start(request, wake(ui.ctx())))
    };
    ruling.measure((number, &result), start, |recording| {
        recording.is_complete().then(|| measured(document, &recording.curves()))
    });
    document.state.ruling = ruling;
}

/// A run as a side of the comparison.
fn side(document: &Document, run: &Run) -> Side {
    let side = document.rule_side(run, run.words.clone(), run.since.unwrap_or(0));
    Side { measured: document.ruling.measured(&run.result), ..side }
}

/// Values of the charts, iteration by iteration.
fn measured(document: &Document, curves: &Curves) -> Measured {
    let scale = Scale::of(document);
    let costs = [&curves.mean, &curves.best].map(|costs| scale.line(document, costs));
    vec![costs.to_vec(), vec![curves.diversity.clone()]]
}
