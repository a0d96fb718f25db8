//! Changing a rule of an algorithm and looking at the effect: fields for the rules of the next run, and the shown run
//! beside a previous one in the same charts.
//!
//! The run again has the seed and the steps of the shown run, so that nothing but the rules differs.

use std::sync::Arc;

use egui::{Color32, Layout, Sense, Stroke, Ui, vec2};
use gridwright_core::numbers::grouped;
use gridwright_core::result::RunResult;
use gridwright_core::search::Algorithms;
use gridwright_core::text::sentence_case;

use crate::theme::{self, palette, space};
use crate::widgets::choices::Choices;
use crate::widgets::controls::{button, labelled, primary};
use crate::widgets::history::{self, History, Line, Panel};
use crate::widgets::icons::Icon;
use crate::widgets::parameters;

/// Least height of a chart with its heading; lower views scroll.
const LEAST: f32 = 104.0;

/// A chart of quantities that both runs have.
pub struct Chart<'a> {
    /// Quantity with its unit.
    pub title: &'a str,
    /// Name of each line, with the number of its colour.
    pub lines: &'a [(&'a str, usize)],
    /// True if the scale begins at zero.
    pub from_zero: bool,
    /// Known value and its name.
    pub reference: Option<(f64, &'a str)>,
    /// A value in words.
    pub words: &'a dyn Fn(f64) -> String,
}

/// Values of a run, chart by chart and line by line, one for each step from the first on.
pub type Measured = Vec<Vec<Vec<f32>>>;

/// Run of a comparison.
pub struct Side {
    /// Number in the list of runs.
    pub number: usize,
    /// «Run 3», or its name.
    pub title: String,
    /// Cost of the run, smaller for better runs.
    pub cost: f64,
    /// The cost as people read it, such as «profit 5 676».
    pub figure: String,
    /// Step in which the best solution was found first.
    pub reached: u64,
    /// Steps of the run.
    pub steps: u64,
    /// Solutions that the run evaluated.
    pub evaluations: u64,
    /// Values for the charts; `None` until they are computed.
    pub measured: Option<Arc<Measured>>,
}

/// Content of the widget.
pub struct RuleComparison<'a> {
    /// The shown run.
    pub shown: Side,
    /// The run compared with; `None` if there is no other run of this algorithm.
    pub beside: Option<Side>,
    /// Runs that can be compared with the shown one: number and title.
    pub others: &'a [(usize, String)],
    /// In what the two runs differ, as a sentence; empty without a second run.
    pub difference: &'a str,
    /// The charts, from top to bottom.
    pub charts: &'a [Chart<'a>],
    /// Noun for a step, such as «generation».
    pub step: &'a str,
    /// False while a run is in progress.
    pub enabled: bool,
}

/// State of the widget; the run compared with is measured by a recording `R`.
pub struct RuleChange<A, R> {
    /// Number of the run whose rules are changed, with the algorithm of the next run.
    draft: Option<(usize, A)>,
    is_changed: bool,
    /// Number of the run that the user wants to compare with.
    pub beside: Option<usize>,
    /// Step that is looked at.
    at: Option<u64>,
    /// Values of the runs that were looked at.
    measured: Vec<(Arc<RunResult>, Arc<Measured>)>,
    /// Number of the run compared with, with its recording until its values are known.
    recording: Option<(usize, R)>,
}

impl<A, R> Default for RuleChange<A, R> {
    fn default() -> Self {
        Self { draft: None, is_changed: false, beside: None, at: None, measured: Vec::new(), recording: None }
    }
}

/// Number of runs whose values are kept.
const KEPT: usize = 8;

impl<A, R> RuleChange<A, R> {
    /// Returns `true` if the next run has other rules than the shown one.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// Values of a run, if they are known.
    pub fn measured(&self, result: &Arc<RunResult>) -> Option<Arc<Measured>> {
        let known = self.measured.iter().find(|(of, _)| Arc::ptr_eq(of, result));
        known.map(|(_, measured)| Arc::clone(measured))
    }

    /// Keeps the values of a run.
    pub fn keep(&mut self, result: &Arc<RunResult>, measured: Measured) {
        self.measured.retain(|(of, _)| !Arc::ptr_eq(of, result));
        self.measured.push((Arc::clone(result), Arc::new(measured)));
        let excess = self.measured.len().saturating_sub(KEPT);
        self.measured.drain(..excess);
    }

    /// Measures the run with this number unless its values are known: `start` begins a recording, `measured` returns the values
    /// of a complete one.
    pub fn measure(
        &mut self, (number, result): (usize, &Arc<RunResult>), start: impl FnOnce() -> Option<R>,
        measured: impl FnOnce(&mut R) -> Option<Measured>,
    ) {
        if self.measured(result).is_some() {
            return;
        }
        if self.recording.as_ref().is_none_or(|(of, _)| *of != number) {
            self.recording = start().map(|recording| (number, recording));
        }
        if let Some(measured) = self.recording.as_mut().and_then(|(_, recording)| measured(recording)) {
            self.keep(result, measured);
            self.recording = None;
        }
    }

    /// Drops the recording of a run that is not complete yet.
    pub fn forget(&mut self, number: usize) {
        self.recording.take_if(|(of, _)| *of == number);
    }
}

/// Input of a person in this frame.
pub struct Outcome<A> {
    /// Algorithm with which to run again; `None` if that was not asked for.
    pub run_again: Option<A>,
    /// True if the charts have the focus.
    pub has_focus: bool,
}

/// Shows fields, sentence, both runs and their charts. `algorithm` is that of the shown run, `rules` are the names of the
/// parameters that are offered.
pub fn show<A: Algorithms, R>(
    ui: &mut Ui, state: &mut RuleChange<A, R>, (algorithm, rules): (&A, &[&str]), comparison: &RuleComparison<'_>,
) -> Outcome<A> {
    let number = comparison.shown.number;
    let mut draft = match state.draft.take() {
        Some((of, draft)) if of == number && draft.name() == algorithm.name() => draft,
        _ => algorithm.clone(),
    };
    let is_pressed = fields(ui, &mut draft, (algorithm, rules), comparison);
    ui.add_space(space::XS);
    told(ui, state, comparison);
    ui.add_space(space::XS);
    let has_focus = charts(ui, state, comparison);
    let run_again = is_pressed.then(|| draft.clone());
    if is_pressed {
        state.beside = Some(number);
    }
    state.is_changed = draft != *algorithm;
    state.draft = Some((number, draft));
    Outcome { run_again, has_focus }
}

/// Draws the rules of the next run and the buttons; returns `true` if it shall run.
fn fields<A: Algorithms>(
    ui: &mut Ui, draft: &mut A, (algorithm, rules): (&A, &[&str]), comparison: &RuleComparison<'_>,
) -> bool {
    let mut is_pressed = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::M, space::S);
        for parameter in algorithm.list().iter().filter(|parameter| rules.contains(&parameter.name)) {
            let (value, was) = (draft.parameters().get(parameter.name), algorithm.parameters().get(parameter.name));
            let (Some(value), Some(was)) = (value, was) else { continue };
            // As wide with a former value as without, so that the controls behind it stay where they are.
            let most = format!("{}, was {}", parameter.label, parameters::words(parameter, &was).to_lowercase());
            let font = theme::font(theme::text::SMALL);
            let room = ui.painter().layout_no_wrap(most.clone(), font, Color32::PLACEHOLDER).size().x.ceil();
            let caption = if value == was { parameter.label.to_owned() } else { most };
            let new = labelled(ui, &caption, |ui| {
                ui.set_min_width(room);
                ui.add_enabled_ui(comparison.enabled, |ui| parameters::compact(ui, parameter, &value)).inner
            });
            if let Some(new) = new {
                draft.parameters_mut().put(parameter.name, &new);
            }
        }
        let is_changed = draft != algorithm;
        let run = |ui: &mut Ui| {
            ui.horizontal(|ui| {
                let help = format!(
                    "Run with these rules, the same seed and {} {}s; then both runs stand beside each other",
                    grouped(comparison.shown.steps as i64),
                    comparison.step
                );
                let response = primary(ui, Icon::Play, "Run again", comparison.enabled && is_changed);
                let response = response.on_hover_text(help).on_disabled_hover_text("Change a rule first");
                is_pressed = response.clicked();
                let help = format!("Back to the rules of {}", comparison.shown.title);
                if button(ui, Icon::Reset, "Put back", is_changed).on_hover_text(help).clicked() {
                    *draft = algorithm.clone();
                }
            });
        };
        labelled(ui, "", run);
    });
    is_pressed
}

/// Draws both runs in a line each, and in what they differ.
fn told<A, R>(ui: &mut Ui, state: &mut RuleChange<A, R>, comparison: &RuleComparison<'_>) {
    let palette = palette(ui.visuals());
    let Some(beside) = &comparison.beside else {
        let words = format!(
            "{}. Change a rule and run again: the run with the changed rule will stand beside this one.",
            run_words(&comparison.shown, comparison.step)
        );
        ui.label(theme::small(words).color(palette.text));
        return;
    };
    ui.add(egui::Label::new(theme::bold(difference(comparison, beside))).wrap());
    for (side, is_dashed) in [(&comparison.shown, false), (beside, true)] {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::S;
            ui.spacing_mut().interact_size.y = 0.0;
            sample(ui, is_dashed);
            let words = theme::small(run_words(side, comparison.step)).color(palette.text);
            if is_dashed && comparison.others.len() > 1 {
                ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                    others(ui, state, comparison, side);
                    ui.with_layout(Layout::left_to_right(egui::Align::Center), |ui| {
                        ui.add(egui::Label::new(words).truncate());
                    });
                });
            } else {
                ui.add(egui::Label::new(words).truncate());
            }
        });
    }
}

/// Draws the choice of the run to compare with.
fn others<A, R>(ui: &mut Ui, state: &mut RuleChange<A, R>, comparison: &RuleComparison<'_>, beside: &Side) {
    let list = |ui: &mut Ui| {
        for (number, title) in comparison.others {
            if ui.selectable_label(*number == beside.number, title).clicked() {
                state.beside = Some(*number);
            }
        }
    };
    Choices::new("Run beside it", theme::small(&beside.title))
        .width(110.0)
        .cut()
        .help("Another run of this algorithm")
        .show(ui, list);
    ui.label(theme::small("Beside").color(palette(ui.visuals()).weak));
}

/// Draws a piece of line as the charts have it: of the shown run, or dashed.
fn sample(ui: &mut Ui, is_dashed: bool) {
    let (rect, _) = ui.allocate_exact_size(vec2(22.0, 12.0), Sense::hover());
    let ends = [rect.left_center(), rect.right_center()];
    let stroke = Stroke::new(2.0, palette(ui.visuals()).text);
    match is_dashed {
        true => ui.painter().extend(egui::Shape::dashed_line(&ends, stroke, 4.0, 3.0)),
        false => {
            ui.painter().line_segment(ends, stroke);
        }
    }
}

/// «Run 2 ends with 12.4, first reached in generation 31 of 40; 10 496 solutions evaluated».
fn run_words(side: &Side, step: &str) -> String {
    format!(
        "{} ends with {}, first reached in {step} {} of {}; {} solutions evaluated",
        side.title,
        side.figure,
        grouped(side.reached as i64),
        grouped(side.steps as i64),
        grouped(side.evaluations as i64)
    )
}

/// In what the runs differ, and which of them ends better.
fn difference(comparison: &RuleComparison<'_>, beside: &Side) -> String {
    let shown = &comparison.shown;
    let verdict = match shown.cost.total_cmp(&beside.cost) {
        std::cmp::Ordering::Less => format!("{} ends better.", shown.title),
        std::cmp::Ordering::Greater => format!("{} ends worse.", shown.title),
        std::cmp::Ordering::Equal => match shown.reached.cmp(&beside.reached) {
            std::cmp::Ordering::Less => format!("Both end alike; {} gets there earlier.", shown.title),
            std::cmp::Ordering::Greater => format!("Both end alike; {} gets there later.", shown.title),
            std::cmp::Ordering::Equal => "Both end alike.".to_owned(),
        },
    };
    format!("{} {verdict}", comparison.difference)
}

/// Draws both runs in the same charts; returns `true` if they have the focus.
fn charts<A, R>(ui: &mut Ui, state: &mut RuleChange<A, R>, comparison: &RuleComparison<'_>) -> bool {
    let room = ui.available_size();
    let area = egui::ScrollArea::vertical().id_salt("rule charts").auto_shrink(false);
    area.show(ui, |ui| {
        ui.set_width(room.x);
        ui.set_height(room.y.max(LEAST * comparison.charts.len() as f32));
        chart_panels(ui, state, comparison)
    })
    .inner
}

struct NamedLine<'a> {
    name: String,
    colour: usize,
    is_dashed: bool,
    values: &'a [f32],
}

/// The lines of both runs in a chart, as far as their values are known.
fn lines_of<'a>(comparison: &'a RuleComparison<'_>, index: usize) -> Vec<NamedLine<'a>> {
    let chart = &comparison.charts[index];
    let sides = std::iter::once((&comparison.shown, false)).chain(comparison.beside.iter().map(|side| (side, true)));
    let of_side = |(side, is_dashed): (&'a Side, bool)| {
        let values = side.measured.as_ref().and_then(|measured| measured.get(index)).map_or(&[][..], Vec::as_slice);
        let line = move |(&(name, colour), values): (&(&str, usize), &'a Vec<f32>)| {
            let name = if comparison.beside.is_some() { format!("{}, {name}", side.title) } else { name.to_owned() };
            NamedLine { name, colour, is_dashed, values }
        };
        chart.lines.iter().zip(values).map(line)
    };
    sides.flat_map(of_side).collect()
}

fn chart_panels<A, R>(ui: &mut Ui, state: &mut RuleChange<A, R>, comparison: &RuleComparison<'_>) -> bool {
    let palette = palette(ui.visuals());
    let named: Vec<Vec<NamedLine<'_>>> =
        (0..comparison.charts.len()).map(|index| lines_of(comparison, index)).collect();
    let mut lines: Vec<Vec<Line<'_>>> = Vec::new();
    for named in &named {
        let mut of_chart = Vec::new();
        for NamedLine { name, colour, is_dashed, values } in named {
            of_chart.push(Line { name, colour: palette.curve(*colour), values, dashed: *is_dashed });
        }
        lines.push(of_chart);
    }
    let panels: Vec<Panel<'_>> = comparison
        .charts
        .iter()
        .zip(&lines)
        .map(|(chart, lines)| Panel {
            title: chart.title,
            lines,
            reference: chart.reference,
            from_zero: chart.from_zero,
            weight: 1.0,
            words: chart.words,
        })
        .collect();
    let history = History {
        panels: &panels,
        first: 0,
        unit: &sentence_case(comparison.step),
        at: state.at,
        events: &[],
        nothing: "The run is made again from its seed, to see all of its solutions",
    };
    let outcome = history::show(ui, &history);
    state.at = outcome.picked.or(state.at);
    outcome.response.has_focus()
}
