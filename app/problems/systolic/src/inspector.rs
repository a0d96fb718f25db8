//! Details of the selected cell, or of the whole grid if none is selected.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_core::text::sentence_case;
use gridwright_systolic::check::{Worth, check};
use gridwright_systolic::{Frame, Kind};

use super::batch::error_words;
use super::grid::solutions;
use super::operators::bit_name;
use super::{Document, View, flavours};
use crate::methods::*;
use crate::widgets::bitstrip::{self, Strip, Strips};
use crate::widgets::grid_playback::Cell;
use gridwright_window::document::frames;
use gridwright_window::runs::Shown;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{badge, coloured_fact, fact, icon_button, section};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;

/// Shows the inspector.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let cell = document.selected_cell();
    match (cell, document.view) {
        (_, View::Flavours) if document.flavours.is_ready() => show_flavours(ui, document, cell),
        (Some(cell), View::Grid | View::Operators | View::Flavours) => show_cell(ui, document, cell),
        _ => show_whole(ui, document),
    }
}

/// The iteration of the four flavours that is played: the best of each, and the vertical solution of the selected cell.
fn show_flavours(ui: &mut Ui, document: &mut Document, cell: Option<Cell>) {
    let at = document.flavours.player.at();
    let frames: Vec<_> = document
        .flavours
        .recordings
        .iter_mut()
        .map(|(flavour, recording)| (*flavour, recording.exact_frame(at.min(recording.iterations()))))
        .collect();
    let palette = palette(ui.visuals());
    section(ui, &format!("Iteration {}", grouped(at as i64)), |_| {});
    ui.label(theme::small("The best solution so far of each flavour").color(palette.weak));
    let line = |ui: &mut Ui, name: &str, cost: Option<f64>| {
        let Some(cost) = cost else { return fact(ui, name, "being loaded") };
        let is_optimum = document.optimum().is_some_and(|optimum| cost <= optimum.cost);
        let colour = if is_optimum { palette.good } else { palette.text };
        coloured_fact(ui, name, &document.words(cost), colour);
    };
    for (flavour, frame) in &frames {
        line(ui, &flavours::name(*flavour), frame.as_ref().map(|frame| frame.best));
    }
    ui.add_space(space::S);
    let Some(cell) = cell else { return instance(ui, document) };
    let of = document.grid().cell(cell.row, cell.column);
    let mut close = false;
    section(ui, &format!("Cell {}, {}", cell.row + 1, grouped(cell.column as i64 + 1)), |ui| {
        close = icon_button(ui, Icon::Cross, "Back to the whole", true).clicked();
    });
    let segment = format!("{} to {}", grouped(i64::from(of.first) + 1), grouped(i64::from(of.last) + 1));
    fact(ui, "Segment exchanged", &segment);
    coloured_fact(ui, "Bit flipped", &bit_name(document, of.mutated as usize), palette.warn);
    ui.label(theme::small("The vertical solution that is in the cell").color(palette.weak));
    for (flavour, frame) in &frames {
        let cost = frame.as_ref().and_then(|frame| Some(frame.costs[solutions(frame, cell)?[1]]));
        line(ui, &flavours::name(*flavour), cost);
    }
    if close {
        document.selected = None;
    }
}

fn show_whole(ui: &mut Ui, document: &mut Document) {
    let frame = document.frame();
    let document = &*document;
    if let Some(run) = document.shown_run() {
        section(ui, "Solution", |ui| frames::status_badge(ui, document, ""));
        let name = match document.instance.kind {
            Kind::Knapsack { .. } => "Profit",
            Kind::NextRelease { .. } => "Objective, minimised",
            _ => "Fitness",
        };
        fact(ui, name, &run.words);
        worth(ui, document, run.worth);
        error(ui, document, run.cost);
        if let Some(since) = run.since {
            fact(ui, "First found in iteration", &grouped(since as i64));
        }
        fact(ui, "Iterations", &grouped(run.result.generations as i64));
        ui.add_space(space::S);
    }
    if let Some(frame) = frame {
        section(ui, &format!("Iteration {}", grouped(frame.iteration as i64)), |_| {});
        fact(ui, "Best", &document.words(frame.best));
        fact(ui, "Mean", &document.words(frame.mean));
        fact(ui, "Mean Hamming distance", &format!("{:.2} bits", frame.diversity));
        let accepted = (0..frame.count()).filter(|&number| frame.accepted(number)).count();
        fact(ui, "Children accepted", &format!("{} of {}", grouped(accepted as i64), grouped(frame.count() as i64)));
        if let Some(optimum) = document.optimum() {
            let there = frame.costs.iter().filter(|cost| **cost <= optimum.cost).count();
            fact(ui, "Optimal solutions", &grouped(there as i64));
        }
        ui.add_space(space::S);
    }
    instance(ui, document);
}

/// Draws the worth of a solution, part by part.
fn worth(ui: &mut Ui, document: &Document, worth: Worth) {
    let palette = palette(ui.visuals());
    match (worth, &document.instance.kind) {
        (Worth::Knapsack { weight, overweight, .. }, Kind::Knapsack { capacity, .. }) => {
            let words = format!("{} of {}", grouped(weight as i64), grouped(*capacity as i64));
            coloured_fact(ui, "Weight", &words, if overweight > 0 { palette.bad } else { palette.text });
        }
        (Worth::Deceptive { solved, deceived, .. }, Kind::Deceptive { blocks }) => {
            fact(ui, "Blocks solved", &format!("{} of {}", grouped(solved as i64), grouped(*blocks as i64)));
            fact(ui, "Blocks deceived", &grouped(deceived as i64));
        }
        (Worth::NextRelease { cost, value, .. }, Kind::NextRelease { value_scale, .. }) => {
            fact(ui, "Cost", &grouped(cost as i64));
            let words = match value_scale {
                0 | 1 => grouped(value as i64),
                scale => format!("{:.2}", value as f64 / *scale as f64),
            };
            fact(ui, "Value", &words);
        }
        _ => {}
    }
}

/// Draws the distance of a cost to the optimum.
fn error(ui: &mut Ui, document: &Document, cost: f64) {
    let palette = palette(ui.visuals());
    let (Some(error), Some(optimum)) = (document.error(cost), document.optimum()) else {
        fact(ui, "Optimum", "not known");
        return;
    };
    fact(ui, "Optimum", &optimum.words);
    if cost <= optimum.cost {
        coloured_fact(ui, "Error", "0, the optimum", palette.good);
    } else {
        fact(ui, "Error", &error_words(error));
    }
}

fn instance(ui: &mut Ui, document: &Document) {
    let (instance, grid) = (&document.instance, document.grid());
    section(ui, "Instance", |_| {});
    let noun = sentence_case(instance.kind.noun());
    ui.label(theme::small(noun).color(palette(ui.visuals()).weak));
    fact(ui, "Bits, columns of the grid", &grouped(grid.bits as i64));
    fact(ui, "Rows of the grid", &grid.rows.to_string());
    fact(ui, "Cells", &grouped(grid.cells() as i64));
    fact(ui, "Children an iteration", &grouped(2 * grid.cells() as i64));
    if let Kind::Knapsack { capacity, weights, .. } = &instance.kind {
        fact(ui, "Capacity", &grouped(*capacity as i64));
        fact(ui, "All items weigh", &grouped(weights.iter().sum::<u64>() as i64));
    }
    if document.shown == Shown::Nothing
        && let Some(optimum) = document.optimum()
    {
        fact(ui, "Optimum", &optimum.words);
    }
    if !instance.warnings.is_empty() {
        ui.add_space(space::S);
        ui.label(theme::bold("Remarks"));
        message(ui, &instance.warnings.join("\n"));
    }
}

/// Step of a cell in the shown iteration, for one stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The parent of this stream.
    pub parent: Vec<bool>,
    /// Cost of the parent.
    pub parent_cost: f64,
    /// Its child.
    pub child: Vec<bool>,
    /// Cost of the child, by the checker.
    pub child_cost: f64,
    /// True if the child has replaced the parent.
    pub accepted: bool,
}

/// Returns the step that a cell made from the solutions of the frame before, for both streams.
pub fn made(document: &Document, before: &Frame, now: &Frame, cell: Cell) -> Option<[Made; 2]> {
    let numbers = solutions(now, cell).filter(|_| before.keeps_bits())?;
    let of = now.grid.cell(cell.row, cell.column);
    let parents = numbers.map(|number| before.bits(number));
    let child = |own: &[bool], other: &[bool]| {
        let mut child = own.to_vec();
        let segment = of.first as usize..=of.last as usize;
        child[segment.clone()].copy_from_slice(&other[segment]);
        child[of.mutated as usize] ^= true;
        child
    };
    let [horizontal, vertical] = &parents;
    let children = [child(horizontal, vertical), child(vertical, horizontal)];
    let one = |stream: usize| Made {
        parent: parents[stream].clone(),
        parent_cost: before.costs[numbers[stream]],
        child: children[stream].clone(),
        child_cost: check(&document.instance, &children[stream]).cost(),
        accepted: now.accepted(numbers[stream]),
    };
    Some([one(0), one(1)])
}

fn show_cell(ui: &mut Ui, document: &mut Document, cell: Cell) {
    let palette = palette(ui.visuals());
    let of = document.grid().cell(cell.row, cell.column);
    let mut close = false;
    section(ui, &format!("Cell {}, {}", cell.row + 1, grouped(cell.column as i64 + 1)), |ui| {
        close = icon_button(ui, Icon::Cross, "Back to the whole", true).clicked();
    });
    fact(ui, "Row", &format!("{} of {}", cell.row + 1, document.grid().rows));
    fact(ui, "Column", &format!("{} of {}", grouped(cell.column as i64 + 1), grouped(document.grid().bits as i64)));
    let segment = format!("{} to {}", grouped(i64::from(of.first) + 1), grouped(i64::from(of.last) + 1));
    fact(ui, "Segment exchanged", &segment);
    coloured_fact(ui, "Bit flipped", &bit_name(document, of.mutated as usize), palette.warn);
    ui.add_space(space::S);
    if close {
        document.selected = None;
    }
    let Some(now) = document.frame() else { return };
    match document.frame_before(&now).and_then(|before| made(document, &before, &now, cell)) {
        Some(made) => both(ui, document, &now, made, of),
        None => only(ui, document, &now, cell),
    }
}

/// Parents and children of both streams.
fn both(ui: &mut Ui, document: &Document, now: &Arc<Frame>, made: [Made; 2], of: gridwright_systolic::grid::Cell) {
    let palette = palette(ui.visuals());
    section(ui, &format!("In iteration {}", grouped(now.iteration as i64)), |_| {});
    for (index, (made, name)) in made.iter().zip(["Horizontal", "Vertical"]).enumerate() {
        let (icon, words, colour) = match made.accepted {
            true => (Icon::Check, "child accepted", palette.good),
            false => (Icon::Cross, "parent stays", palette.weak),
        };
        ui.horizontal(|ui| {
            ui.label(theme::bold(name));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                badge(ui, Some(icon), words, colour);
            });
        });
        let ink = palette.curve(index);
        let strip = |name, cost: f64, bits| Strip { name, value: document.words(cost), sign: None, bits, ink };
        let strips =
            [strip("parent", made.parent_cost, &made.parent[..]), strip("child", made.child_cost, &made.child)];
        let name_of = |bit: usize| bit_name(document, bit);
        let strips = Strips {
            strips: &strips,
            segment: Some((of.first as usize, of.last as usize)),
            marked: Some(of.mutated as usize),
            name: &name_of,
            summary: name,
        };
        bitstrip::show(ui, &strips);
        ui.add_space(space::S);
    }
    let text = "A child has the segment of the other parent, and the flipped bit. It takes its parent’s place if it is better.";
    ui.label(theme::small(text).color(palette.weak));
}

/// Draws the solutions in a cell while parents are not known: at the start, or during a run.
fn only(ui: &mut Ui, document: &Document, now: &Arc<Frame>, cell: Cell) {
    let palette = palette(ui.visuals());
    let Some(numbers) = solutions(now, cell).filter(|_| now.keeps_bits()) else { return };
    let bits = numbers.map(|number| now.bits(number));
    let heading = if now.iteration == 0 { "At the start".to_owned() } else { format!("Iteration {}", now.iteration) };
    section(ui, &heading, |_| {});
    let strip = |stream: usize, name| Strip {
        name,
        value: document.words(now.costs[numbers[stream]]),
        sign: None,
        bits: &bits[stream],
        ink: palette.curve(stream),
    };
    let name_of = |bit: usize| bit_name(document, bit);
    let strips = [strip(0, "horizontal"), strip(1, "vertical")];
    bitstrip::show(ui, &Strips { strips: &strips, segment: None, marked: None, name: &name_of, summary: "Solutions" });
}
