//! The four flavours from the same seed side by side, and which bits a solution meets under each; where the torus failed, why.

use std::sync::Arc;

use egui::{Frame as Area, Panel, ScrollArea, Ui};
use gridwright_core::numbers::grouped;
use gridwright_systolic::Frame;
use gridwright_systolic::grid::Flavour;
use gridwright_systolic::run::{Algorithm, GridParameters};

use super::batch;
use super::diversity::Shown;
use super::grid::each;
use super::operators::bit_name;
use super::recording::{Curves, Recording, RecordingRequest};
use super::state::{Document, wake};
use super::view_state::{Flavours, Journey, Scale, Shades};
use crate::methods::*;
use crate::widgets::bitstrip::{self, Strip, Strips};
use crate::widgets::grid_playback::{self, Cell, Flow, GridPlayback, Heading, Mark, Stream};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{placeholder, primary, section};
use gridwright_window::widgets::history::{self, History, Line, Panel as Chart};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::playback::{self, Player, Tape};

/// Higher than this, there is room for the charts below the grids.
const CHART: f32 = 430.0;

/// «Torus (T)».
pub fn name(flavour: Flavour) -> String {
    let word = match flavour {
        Flavour::Torus => "Torus",
        Flavour::Exchange => "Exchange",
        Flavour::Vertical => "Vertical",
        Flavour::Both => "Both",
    };
    format!("{word} ({})", flavour.letter())
}

/// Shows what there is, or how to begin.
pub fn show(ui: &mut Ui, document: &mut Document) {
    if document.flavours.recordings.is_empty() {
        let text = format!(
            "The four flavours begin with the same solutions and differ only in where a solution goes when it leaves the \
             grid. {} iterations each, seed {}.",
            grouped(document.instance.cells() as i64),
            document.settings.seed
        );
        placeholder(ui, Icon::Cells, "Torus, exchange, vertical, both", &text, |ui| {
            if primary(ui, Icon::Play, "Run all four", !document.is_solving()).clicked() {
                begin(ui.ctx(), document);
            }
        });
        return;
    }
    let right = Panel::right("ways of a solution").default_size(300.0).size_range(220.0..=420.0);
    right.frame(Area::new().inner_margin(egui::Margin { left: 12, ..Default::default() })).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| why(ui, document));
    });
    egui::CentralPanel::default().frame(Area::new()).show(ui, |ui| side_by_side(ui, document));
}

/// Runs the four flavours from the seed of the settings.
pub(super) fn begin(ctx: &egui::Context, document: &mut Document) {
    let iterations = document.instance.cells() as u64;
    let (seed, threads) = (document.settings.seed, document.settings.threads);
    let recording = |flavour: Flavour| {
        let order = RecordingRequest {
            instance: Arc::clone(&document.instance),
            algorithm: Algorithm::Grid(flavour, GridParameters::default()).resolved(iterations),
            seed,
            bound: document.recording_bound / 4,
            threads,
        };
        (flavour, Recording::start(order, wake(ctx)))
    };
    let recordings = Flavour::ALL.map(recording).into_iter().collect();
    let mut player = Player::default();
    player.follow();
    document.flavours = Flavours { recordings, seed, player, ..Flavours::default() };
}

fn side_by_side(ui: &mut Ui, document: &mut Document) {
    if !document.flavours.is_ready() {
        let recordings = &document.flavours.recordings;
        let failed = recordings.iter().find_map(|(flavour, recording)| Some((*flavour, recording.failure()?)));
        let share: f32 =
            recordings.iter().map(|(_, recording)| recording.share()).sum::<f32>() / recordings.len().max(1) as f32;
        let (heading, text) = match failed {
            Some((flavour, why)) => ("The comparison broke off", format!("{}: {why}", name(flavour))),
            None => ("Running all four", format!("{:.0} % of the iterations are done.", 100.0 * share)),
        };
        placeholder(ui, Icon::Cells, heading, &text, |_| {});
        return;
    }
    let curves: Vec<Arc<Curves>> =
        document.flavours.recordings.iter_mut().map(|(_, recording)| recording.curves()).collect();
    play(ui, document, &curves);
    let height = ui.available_height();
    if height >= CHART {
        let below = Panel::bottom("flavours over time").default_size(height * 0.36).size_range(110.0..=height * 0.6);
        below.resizable(true).frame(Area::new()).show(ui, |ui| charts(ui, document, &curves));
    }
    egui::CentralPanel::default().frame(Area::new()).show(ui, |ui| grids(ui, document, &curves));
}

fn play(ui: &mut Ui, document: &mut Document, curves: &[Arc<Curves>]) {
    let last = curves.iter().map(|curves| curves.best.len()).max().unwrap_or(0).saturating_sub(1) as u64;
    // The liveliest of the four at each iteration.
    let most = |at: usize| curves.iter().filter_map(|curves| curves.activity.get(at)).copied().fold(0.0, f32::max);
    let activity: Vec<f32> = (0..=last as usize).map(most).collect();
    let first = document.optimum().map(|optimum| optimum.cost);
    let first = |index: usize| curves[index].first(first?).map(|at| (at, index));
    let events = (0..curves.len()).filter_map(first).map(|(at, index)| playback::Event {
        at,
        name: format!("{}: first optimum", name(document.flavours.recordings[index].0)),
    });
    let events: Vec<playback::Event> = events.collect();
    let tape = Tape {
        first: 0,
        last,
        unit: "Iteration",
        activity: &activity,
        activity_name: "Bars: cells that accept a child",
        events: &events,
        stops: &[],
        live: false,
    };
    playback::show(ui, &mut document.flavours.player, &tape);
}

/// The vertical streams of all four.
fn grids(ui: &mut Ui, document: &mut Document, curves: &[Arc<Curves>]) {
    let at = document.flavours.player.at();
    let revisions: Vec<u64> = document.flavours.recordings.iter().map(|(_, recording)| recording.revision()).collect();
    let frames: Vec<_> = document.flavours.recordings.iter_mut().map(|(_, recording)| recording.frame(at)).collect();
    // A frame that is not loaded yet is replaced by another one until it arrives.
    let iterations = frames.iter().map(|frame| frame.as_ref().map(|frame| frame.iteration)).collect();
    let moment = (at, revisions, iterations);
    if document.flavours.shades.as_ref().is_none_or(|(known, _)| *known != moment) {
        let made = shades(document, curves, frames);
        document.flavours.shades = Some((moment, made));
        document.flavours.revision += 1;
    }
    let Some((key, shades)) = document.flavours.shades.take() else { return };
    let grid = document.grid();
    let names = Flavour::ALL.map(name);
    let reached: Vec<String> = curves.iter().map(|curves| caption(document, curves, at)).collect();
    let stream = |index: usize| Stream {
        name: &names[index],
        caption: &reached[index],
        shades: &shades[index].0,
        marks: &shades[index].1,
        flow: Some(Flow {
            heading: Heading::Down,
            next_line: matches!(Flavour::ALL[index], Flavour::Vertical | Flavour::Both),
        }),
    };
    let streams: Vec<Stream<'_>> = (0..shades.len()).map(stream).collect();
    let describe = |stream: usize, cell: Cell| {
        let share = shades[stream].0.get(cell.row * grid.bits + cell.column).copied().unwrap_or(f32::NAN);
        let place = format!("{}, row {}, column {}", names[stream], cell.row + 1, grouped(cell.column as i64 + 1));
        format!("{place}: {:.0} % of the way to the optimum", 100.0 * share)
    };
    let summary = format!("Vertical streams of the four flavours, iteration {}", grouped(at as i64));
    let grid_playback = GridPlayback {
        rows: grid.rows,
        columns: grid.bits,
        streams: &streams,
        revision: document.flavours.revision,
        trails: &[],
        describe: &describe,
        figure: &|_, _| String::new(),
        summary: &summary,
    };
    let mut view = std::mem::take(&mut document.flavours.view);
    let outcome = grid_playback::show(ui, &grid_playback, &mut view, document.selected_cell());
    document.flavours.view = view;
    document.flavours.shades = Some((key, shades));
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.selected = picked;
    }
}

/// «best 5 676, the optimum since iteration 204», or how far it is.
fn caption(document: &Document, curves: &Curves, at: u64) -> String {
    let Some(&cost) = curves.best.get((at as usize).min(curves.best.len().saturating_sub(1))) else {
        return String::new();
    };
    let first = document.optimum().and_then(|optimum| curves.first(optimum.cost)).filter(|first| *first <= at);
    let more = match (first, document.error(cost)) {
        (Some(first), _) => format!(", the optimum since iteration {}", grouped(first as i64)),
        (None, Some(error)) => format!(", {} from the optimum", batch::error_words(error)),
        _ => String::new(),
    };
    format!("vertical stream; best {}{more}", document.words(cost))
}

fn shades(document: &Document, curves: &[Arc<Curves>], frames: Vec<Option<Arc<Frame>>>) -> Vec<Shades> {
    let worst = curves.iter().filter_map(|curves| curves.worst.first()).copied().filter(|worst| worst.is_finite());
    let best = curves.iter().filter_map(|curves| curves.best.last()).copied().fold(f64::INFINITY, f64::min);
    let worst = worst.fold(f64::NEG_INFINITY, f64::max);
    let highest = frames.iter().flatten().map(|frame| frame.worst).fold(f64::NEG_INFINITY, f64::max);
    let scale = Scale::of(document, if worst.is_finite() { worst } else { highest }, best);
    let cells = document.grid().cells();
    let of = |frame: Option<Arc<Frame>>| {
        let (mut shades, mut marks) = (vec![f32::NAN; cells], vec![Mark::Nothing; cells]);
        let Some(frame) = frame else { return (shades, marks) };
        each(&frame, |stream, cell, number| {
            if stream == 1 {
                let cost = frame.costs[number];
                shades[cell] = scale.share(cost);
                marks[cell] = match (scale.is_optimum(cost), frame.accepted(number)) {
                    (true, _) => Mark::Reached,
                    (_, true) => Mark::Changed,
                    _ => Mark::Nothing,
                };
            }
        });
        (shades, marks)
    };
    frames.into_iter().map(of).collect()
}

fn charts(ui: &mut Ui, document: &mut Document, curves: &[Arc<Curves>]) {
    let palette = palette(ui.visuals());
    let shown = Shown::of(document);
    let best: Vec<Vec<f32>> = curves.iter().map(|curves| shown.line(document, &curves.best)).collect();
    let names = Flavour::ALL.map(name);
    let line = |index: usize| Line {
        name: &names[index],
        colour: palette.curve(index),
        values: &best[index],
        dashed: index == 0,
    };
    let lines: Vec<Line<'_>> = (0..best.len()).map(line).collect();
    let reference = shown.reference(document);
    let words = |value: f64| shown.words(value);
    let panels = [Chart {
        title: shown.title,
        lines: &lines,
        reference: reference.as_ref().map(|(value, name)| (*value, name.as_str())),
        from_zero: false,
        weight: 1.0,
        words: &words,
    }];
    let at = Some(document.flavours.player.at());
    let history =
        History { panels: &panels, first: 0, unit: "Iteration", at, events: &[], nothing: "Nothing was recorded" };
    if let Some(at) = history::show(ui, &history).picked {
        document.flavours.player.go_to(at);
    }
}

/// Result of the torus beside the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TorusResult {
    /// Not all flavours have come to their end, or the recording broke off.
    Open,
    /// It ended worse than the best of the others.
    Failed,
    /// It ended as well as the best of the others.
    KeptUp,
}

/// Compares the best cost of the torus with that of the other flavours at the end of all four.
pub fn torus_result(document: &mut Document) -> TorusResult {
    if !document.flavours.is_complete() {
        return TorusResult::Open;
    }
    let mut end = |wanted: bool| {
        let recordings = document.flavours.recordings.iter_mut();
        let chosen = recordings.filter(|(flavour, _)| (*flavour == Flavour::Torus) == wanted);
        let ends = chosen.filter_map(|(_, recording)| recording.curves().best.last().copied());
        ends.fold(f64::INFINITY, f64::min)
    };
    let (torus, others) = (end(true), end(false));
    if torus > others { TorusResult::Failed } else { TorusResult::KeptUp }
}

/// Draws the bits that a vertical solution may have flipped, flavour by flavour.
fn why(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    let grid = document.grid();
    if document.flavours.journeys.as_ref().is_none_or(|(bits, _)| *bits != grid.bits) {
        let start = Cell { row: 0, column: 0 };
        let of = |flavour| Journey::of(grid, flavour, start, 1, grid.cells() as u64);
        document.flavours.journeys = Some((grid.bits, Flavour::ALL.map(of).into_iter().collect()));
    }
    let result = torus_result(document);
    section(ui, if result == TorusResult::Failed { "Why the torus fails" } else { "Ways of a solution" }, |_| {});
    let text = format!(
        "A cell flips one bit, always the same. Under the torus a vertical solution stays in its column and passes the same \
         {} cells again and again: only {} of {} bits are ever flipped in it. The other flavours lead every solution through \
         all columns.",
        grid.rows,
        grid.rows,
        grouped(grid.bits as i64)
    );
    ui.label(theme::small(text).color(palette.weak));
    if result == TorusResult::KeptUp {
        let text = "Here the torus ended as well as the others: the segments that its solutions exchange were enough.";
        ui.add_space(space::XS);
        ui.label(theme::small(text).color(palette.text));
    }
    ui.add_space(space::S);
    let Some((_, journeys)) = &document.flavours.journeys else { return };
    let names = Flavour::ALL.map(name);
    let strips: Vec<Strip<'_>> = journeys
        .iter()
        .zip(&names)
        .enumerate()
        .map(|(index, (journey, name))| Strip {
            name,
            value: format!("{} of {}", grouped(journey.distinct() as i64), grouped(grid.bits as i64)),
            sign: None,
            bits: &journey.met,
            ink: palette.curve(index),
        })
        .collect();
    let name = |bit: usize| bit_name(document, bit);
    let summary = "Distinct mutation points that a vertical solution meets";
    ui.label(theme::bold("Bits flipped in a vertical solution"));
    bitstrip::show(ui, &Strips { strips: &strips, segment: None, marked: None, name: &name, summary });
    ui.add_space(space::M);
    let seed = document.flavours.seed;
    ui.label(theme::small(format!("All four began with seed {seed}.")).color(palette.weak));
    let again = document.settings.seed != seed && !document.is_solving();
    ui.add_enabled_ui(again, |ui| {
        let words = format!("Run all four with seed {}", document.settings.seed);
        if ui.button(words).on_disabled_hover_text("Choose another seed above").clicked() {
            begin(ui.ctx(), document);
        }
    });
}
