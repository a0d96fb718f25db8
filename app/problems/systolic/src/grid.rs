//! The grid of cells with both of its streams, iteration by iteration.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_core::search::StopReason;
use gridwright_core::text::sentence_case;
use gridwright_systolic::grid::Flavour;
use gridwright_systolic::{Frame, Kind};

use super::Document;
use super::recording::{Curves, Recording};
use super::view_state::{Colouring, Picture, Scale};
use crate::methods::*;
use crate::widgets::grid_playback::{self, Cell, Flow, GridPlayback, Heading, Mark, Stream};
use gridwright_window::runs::Shown;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{placeholder, segmented};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::playback::{self, Event, Stop, Tape};

/// Room that the legend needs.
const LEGEND: f32 = 400.0;

/// The numbers of both solutions that a cell has worked on last, or meets first.
pub fn solutions(frame: &Frame, cell: Cell) -> Option<[usize; 2]> {
    frame.left(cell.row, cell.column).or_else(|| frame.meets(cell.row, cell.column))
}

/// Calls `put` with the stream, the cell's row-major number, and the number of the cell's solution.
pub fn each(frame: &Frame, mut put: impl FnMut(usize, usize, usize)) {
    let Some(flavour) = frame.flavour else { return };
    let (grid, iteration) = (frame.grid, frame.iteration.saturating_sub(1));
    for row in 0..grid.rows {
        for (stream, run) in grid.runs(flavour, iteration, row).into_iter().enumerate() {
            for column in 0..grid.bits {
                put(stream, row * grid.bits + column, run.population * grid.cells() + run.slot(column));
            }
        }
    }
}

/// Returns name, description and direction of both streams of a flavour.
pub fn streams(flavour: Flavour, rows: usize) -> [(&'static str, String, Flow); 2] {
    let next = |other: &str, same: &str, next_line: bool| if next_line { other.to_owned() } else { same.to_owned() };
    let (across, down) = (flavour == Flavour::Both, matches!(flavour, Flavour::Vertical | Flavour::Both));
    let exchanged = match flavour {
        Flavour::Exchange => format!("; every {rows} iterations the streams change places"),
        _ => String::new(),
    };
    let right = next("from the end of a row into the next row", "from the end of a row into the same row", across);
    let below = next("from the last row into the next column", "from the last row into the same column", down);
    [
        (
            "Horizontal stream",
            format!("one column to the right an iteration, {right}{exchanged}"),
            Flow { heading: Heading::Right, next_line: across },
        ),
        (
            "Vertical stream",
            format!("one row down an iteration, {below}{exchanged}"),
            Flow { heading: Heading::Down, next_line: down },
        ),
    ]
}

/// Shows the player, the switches and the grid.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let curves =
        document.recording(ui.ctx()).filter(|recording| recording.is_ready()).map(|recording| recording.curves());
    play(ui, document, curves.as_deref());
    let Some(frame) = document.frame() else {
        waiting(ui, document);
        return;
    };
    let Some(flavour) = frame.flavour else {
        no_grid(ui, document);
        return;
    };
    notice(ui, document);
    switches(ui, document, &frame, curves.as_deref());
    let scale = scale(document, &frame, curves.as_deref());
    cells(ui, document, &frame, flavour, scale);
}

/// The scale of the run that is shown.
fn scale(document: &Document, frame: &Frame, curves: Option<&Curves>) -> Scale {
    let first = curves.and_then(|curves| curves.worst.first().copied()).filter(|worst| worst.is_finite());
    let best = curves.and_then(|curves| curves.best.last().copied());
    Scale::of(document, first.unwrap_or(frame.worst), best.unwrap_or(frame.best))
}

/// Draws a notice if the recording has reached its memory bound.
pub fn notice(ui: &mut Ui, document: &mut Document) {
    if let Some(text) = document.recorded().and_then(|recording| recording.notice()) {
        let palette = palette(ui.visuals());
        let words = format!("{}. Allow more memory for playback under the parameters.", sentence_case(&text));
        ui.label(theme::small(words).color(palette.warn));
    }
}

/// Returns the events of a run, shown as flags of the timeline.
pub fn events(document: &Document, curves: &Curves) -> Vec<Event> {
    let first = document.optimum().and_then(|optimum| curves.first(optimum.cost));
    first.map(|at| Event { at, name: "First optimum".to_owned() }).into_iter().collect()
}

/// Returns the events of the shown run; none before it is recorded.
pub(crate) fn events_of(document: &mut Document) -> Vec<Event> {
    let curves = document.recorded().map(Recording::curves);
    curves.map_or_else(Vec::new, |curves| events(document, &curves))
}

/// Draws the buttons of the player; while a run is in progress or being recorded, its progress instead.
pub fn play(ui: &mut Ui, document: &mut Document, curves: Option<&Curves>) {
    let Some(curves) = curves else {
        let weak = palette(ui.visuals()).weak;
        let words = match (document.shown, document.recorded()) {
            (Shown::Live, _) => "The newest iteration; when the run has ended it can be played back".to_owned(),
            (_, Some(recording)) => match recording.failure() {
                Some(why) => format!("This run cannot be played back: {why}"),
                None if recording.request().algorithm.flavour().is_none() => {
                    "This search has no grid to play back".to_owned()
                }
                None => format!("Recording for playback: {:.0} %", 100.0 * recording.share()),
            },
            _ => return,
        };
        ui.label(theme::small(words).color(weak));
        return;
    };
    let events = events(document, curves);
    let mut player = std::mem::take(&mut document.player);
    let optimum = document.optimum().map(|optimum| optimum.cost);
    let first = events.first().map(|event| event.at);
    let rows = document.grid().rows as u64;
    let better = |at: u64, _: u64| at > 0 && curves.best.get(at as usize) < curves.best.get(at as usize - 1);
    let found = |at: u64, _: u64| Some(at) == first;
    let quiet = |at: u64, patience: u64| is_quiet(curves, at, patience);
    let swapped = |at: u64, _: u64| at > 0 && at.is_multiple_of(rows);
    let mut stops = vec![Stop {
        name: "a better best",
        help: "The best solution so far gets better",
        counts: false,
        holds: &better,
    }];
    let has_grid = document.flavour().is_some();
    if has_grid {
        stops.push(Stop {
            name: "no acceptance",
            help: "No cell has accepted a child for so many iterations",
            counts: true,
            holds: &quiet,
        });
        stops.push(Stop {
            name: "every τ iterations",
            help: "When a vertical solution has been in every row",
            counts: false,
            holds: &swapped,
        });
    }
    if optimum.is_some() {
        let help = "A solution is as good as can be for the first time";
        stops.insert(0, Stop { name: "the first optimum", help, counts: false, holds: &found });
    }
    let most = curves.diversity.iter().copied().fold(0.0, f32::max).max(1e-6);
    let diversity: Vec<f32> = curves.diversity.iter().map(|distance| distance / most).collect();
    let tape = Tape {
        first: 0,
        last: curves.best.len().saturating_sub(1) as u64,
        unit: if has_grid { "Iteration" } else { "Generation" },
        activity: if has_grid { &curves.activity } else { &diversity },
        activity_name: if has_grid { "Bars: cells that accept a child" } else { "Bars: diversity" },
        events: &events,
        stops: &stops,
        live: false,
    };
    if document.canvas_had_focus() {
        playback::by_keys(ui, &mut player, &tape);
    }
    playback::show(ui, &mut player, &tape);
    document.player = player;
}

/// Returns `true` at the iteration that completes `patience` iterations in which no cell accepted a child.
fn is_quiet(curves: &Curves, at: u64, patience: u64) -> bool {
    let nothing = |at: u64| curves.accepting.get(at as usize).copied().flatten() == Some(0);
    let Some(begin) = at.checked_sub(patience) else { return false };
    // The iteration before was the last in which anything happened.
    (begin + 1..=at).all(nothing) && !nothing(begin)
}

fn switches(ui: &mut Ui, document: &mut Document, frame: &Frame, curves: Option<&Curves>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let choices = [
            ("Fitness", "Colours say what solutions are worth", true),
            ("Change", "Colours say how long ago a child was accepted: the darker, the newer", true),
            ("Mutated bit", "Colours say which bit is flipped in a cell", true),
        ];
        let all = [Colouring::Fitness, Colouring::Change, Colouring::Mutation];
        let chosen = all.iter().position(|other| *other == document.gridding.colouring);
        if let Some(choice) = segmented(ui, &choices, chosen).and_then(|choice| all.get(choice)) {
            document.gridding.colouring = *choice;
        }
        grid_playback::controls(ui, &mut document.gridding.view);
        ui.add_space(space::S);
        // The legend stays together.
        if ui.available_size_before_wrap().x < LEGEND {
            ui.end_row();
        }
        let scale = scale(document, frame, curves);
        let (low, high) = match document.gridding.colouring {
            Colouring::Fitness => (document.words(scale.worst), document.words(scale.best)),
            Colouring::Change => ("long ago".to_owned(), "now".to_owned()),
            Colouring::Mutation => ("1".to_owned(), grouped(frame.grid.bits as i64)),
        };
        let optimum = if scale.known { "optimum" } else { "" };
        grid_playback::legend(ui, &low, &high, "accepted", optimum);
    });
}

fn cells(ui: &mut Ui, document: &mut Document, frame: &Arc<Frame>, flavour: Flavour, scale: Scale) {
    let colouring = document.gridding.colouring;
    let same = |picture: &Picture| {
        Arc::ptr_eq(&picture.frame, frame) && picture.colouring == colouring && picture.scale == scale
    };
    if !document.gridding.picture.as_ref().is_some_and(same) {
        document.gridding.picture = Some(Picture::of(frame, colouring, scale));
        document.gridding.revision += 1;
    }
    let Some(picture) = document.gridding.picture.take() else { return };
    let mut view = std::mem::take(&mut document.gridding.view);
    let flows = streams(flavour, frame.grid.rows);
    let stream = |index: usize| Stream {
        name: flows[index].0,
        caption: &flows[index].1,
        shades: &picture.shades[index],
        marks: &picture.marks[index],
        flow: Some(flows[index].2),
    };
    let streams = [stream(0), stream(1)];
    let describe = |stream: usize, cell: Cell| describe(document, frame, stream, cell);
    let figure = |stream: usize, cell: Cell| {
        solutions(frame, cell).map_or_else(String::new, |numbers| document.words(frame.costs[numbers[stream]]))
    };
    let (rows, columns) = (frame.grid.rows, frame.grid.bits);
    let summary = format!(
        "Grid of {rows} rows and {columns} columns, iteration {}, best {}",
        grouped(frame.iteration as i64),
        document.words(frame.best)
    );
    let grid_playback = GridPlayback {
        rows,
        columns,
        streams: &streams,
        revision: document.gridding.revision,
        trails: &[],
        describe: &describe,
        figure: &figure,
        summary: &summary,
    };
    let outcome = grid_playback::show(ui, &grid_playback, &mut view, document.selected_cell());
    document.gridding.view = view;
    document.gridding.picture = Some(picture);
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.selected = picked;
    }
}

/// «Row 3, column 20, horizontal: 5 600, accepted in iteration 12».
fn describe(document: &Document, frame: &Frame, stream: usize, cell: Cell) -> String {
    let name = ["horizontal", "vertical"][stream];
    let place = format!("Row {}, column {}, {name}", cell.row + 1, grouped(cell.column as i64 + 1));
    let Some(number) = solutions(frame, cell).map(|numbers| numbers[stream]) else { return place };
    let since = match frame.since[number] {
        0 => "as at the start".to_owned(),
        since => format!("made in iteration {}", grouped(i64::from(since))),
    };
    let now = if frame.accepted(number) { ", accepted now" } else { "" };
    format!("{place}: {}, {since}{now}", document.words(frame.costs[number]))
}

/// Draws the empty state before the first progress report of a run or of its recording.
/// Draws why there is nothing to look at, or how far the recording is.
pub fn waiting(ui: &mut Ui, document: &mut Document) {
    let is_earlier = document.shown_run().is_some_and(|run| run.earlier.is_some());
    let is_unsearched = document.shown_run().is_some_and(|run| run.result.stop_reason == StopReason::ByHand);
    let (heading, text) = match (document.shown, document.recorded()) {
        (Shown::Live, _) => ("Preparing", "The first solutions are being made.".to_owned()),
        (_, Some(recording)) => match recording.failure() {
            Some(why) => ("This run cannot be played back", why),
            None => {
                let text = format!(
                    "The run is made again from its seed, to be played back: {:.0} % of {} iterations.",
                    100.0 * recording.share(),
                    grouped(recording.iterations() as i64)
                );
                ("Recording", text)
            }
        },
        _ if is_earlier => {
            let text = "The data have changed since this run. Solve again; then the run can be played back.";
            ("Found for earlier data", text.to_owned())
        }
        _ if is_unsearched => ("Nothing to play back", "This solution was not found by a search.".to_owned()),
        _ => ("Nothing to play back", "This run ended before its first iteration.".to_owned()),
    };
    placeholder(ui, Icon::Cells, heading, &text, |_| {});
}

fn no_grid(ui: &mut Ui, document: &mut Document) {
    use super::View;
    let text = "Genetic algorithms and random search have no grid. Diversity and bits show what they found, evolution the \
                generations of a genetic algorithm; choose one of the systolic searches to see a grid.";
    placeholder(ui, Icon::Cells, "No grid", text, |ui| {
        let choices = [("Show diversity", "", true), ("Show bits", "", true), ("Show evolution", "", true)];
        let views = [View::Diversity, View::Bits, View::Evolution];
        if let Some(choice) = segmented(ui, &choices, None) {
            document.view = views[choice];
        }
    });
}

impl Scale {
    /// The scale of a run: from the first population's worst, where that is known, to the optimum.
    pub fn of(document: &Document, worst: f64, best: f64) -> Self {
        let optimum = document.optimum().map(|optimum| optimum.cost);
        let logarithmic = matches!(document.instance.kind, Kind::Knapsack { .. });
        Self { best: optimum.unwrap_or(best), worst, logarithmic, known: optimum.is_some() }
    }
}

impl Picture {
    fn of(frame: &Arc<Frame>, colouring: Colouring, scale: Scale) -> Self {
        let cells = frame.grid.cells();
        let mut shades = [vec![f32::NAN; cells], vec![f32::NAN; cells]];
        let mut marks = [vec![Mark::Nothing; cells], vec![Mark::Nothing; cells]];
        let longest = (frame.grid.cells() as f32).ln_1p();
        each(frame, |stream, cell, number| {
            let cost = frame.costs[number];
            shades[stream][cell] = match colouring {
                Colouring::Fitness => scale.share(cost),
                Colouring::Change => {
                    let ago = frame.iteration - u64::from(frame.since[number]).min(frame.iteration);
                    1.0 - (ago as f32).ln_1p() / longest
                }
                Colouring::Mutation => {
                    let bits = frame.grid.bits;
                    frame.grid.cell(cell / bits, cell % bits).mutated as f32 / bits as f32
                }
            };
            marks[stream][cell] = match (scale.is_optimum(cost), frame.accepted(number)) {
                (true, _) => Mark::Reached,
                (_, true) => Mark::Changed,
                _ => Mark::Nothing,
            };
        });
        Self { frame: Arc::clone(frame), colouring, scale, shades, marks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_goes_from_the_first_to_the_best() {
        let linear = Scale { best: -100.0, worst: 0.0, logarithmic: false, known: true };
        assert_eq!([linear.share(0.0), linear.share(-50.0), linear.share(-100.0)], [0.0, 0.5, 1.0]);
        assert!(linear.is_optimum(-100.0) && !linear.is_optimum(-99.0));
        let logarithmic = Scale { worst: 1e7, logarithmic: true, ..linear };
        assert_eq!((logarithmic.share(1e9), logarithmic.share(-100.0)), (0.0, 1.0));
        assert!(logarithmic.share(-90.0) < 0.9 && logarithmic.share(-90.0) > 0.8, "a little away is seen to be away");
    }

    #[test]
    fn quiet_begins_once() {
        let accepting = [3, 2, 0, 0, 0, 0, 1, 0, 0].map(Some).to_vec();
        let curves = Curves { accepting, ..Curves::default() };
        let stops: Vec<u64> = (0..9).filter(|&at| is_quiet(&curves, at, 2)).collect();
        assert_eq!(stops, [3, 8], "two iterations without a child, each time once");
    }
}
