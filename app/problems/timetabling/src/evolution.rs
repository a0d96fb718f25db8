//! View of the evolution of a run, generation by generation: the population, its costs, curves, and the origin of a child.

mod child;
mod curves;
mod population;
pub(crate) mod recording;
mod rules;

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::{counted_as, grouped};
use gridwright_core::search::{Algorithms, StopReason};
use gridwright_core::text::sentence_case;
use gridwright_timetabling::Instance;
use gridwright_timetabling::evolution::evaluation::CostParts;
use gridwright_timetabling::run::Algorithm;

use self::recording::{Facts, Recording};
use super::describe::{counted, short_cost};
use super::settings;
pub use super::view_state::evolution::{Mode, State};
use super::{Document, state::Run};
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{modes, placeholder, primary};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::incomplete_recording::{IncompleteRecording, Wish};
use gridwright_window::widgets::playback::{self, Event, Stop, Tape};
use gridwright_window::window::command::Command;

impl Mode {
    /// All modes.
    pub const ALL: [Self; 4] = gridwright_core::variants();

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Population => ("Population", "All timetables of a generation and their costs"),
            Self::Curves => ("Curves", "Costs, diversity, selection pressure and take-over over the generations"),
            Self::Child => ("One child", "How one timetable came from two others, step by step"),
            Self::Rules => ("Change the rules", "Change a rule, run again, and see the effect beside the previous run"),
        }
    }
}

/// Reason why there is no evolution to be shown.
enum Missing {
    /// A run that is still in progress.
    InProgress,
    /// The run is of another algorithm; a sentence about it.
    OtherAlgorithm(String),
    /// Heading and text.
    Unplayable(&'static str, &'static str),
}

/// The shown run if it has generations to be shown.
fn playable(document: &Document) -> Result<&Run, Missing> {
    let is_evolution = |name: &str| matches!(Algorithm::named(name), Ok(Algorithm::Evolution(_)));
    let Some(run) = document.shown_run() else {
        return Err(match (document.shown, &document.live) {
            (Shown::Live, Some(live)) if is_evolution(live.settings.algorithm.name()) => Missing::InProgress,
            (Shown::Draft, _) => Missing::Unplayable(
                "Edited by hand",
                "The edited timetable has no generations. Choose a run in the list.",
            ),
            _ => Missing::OtherAlgorithm("The timetable that is shown was not made by evolution.".to_owned()),
        });
    };
    let algorithm = run.result.algorithm.as_str();
    if !is_evolution(algorithm) {
        let label = Algorithm::named(algorithm).map_or(algorithm.to_owned(), |it| it.descriptor().label.to_lowercase());
        let made =
            if run.result.stop_reason == StopReason::ByHand { "by hand".to_owned() } else { format!("by {label}") };
        return Err(Missing::OtherAlgorithm(format!("{} was made {made} and has no generations.", run.title())));
    }
    match (&run.status, &run.earlier) {
        (_, Some(_)) => Err(Missing::Unplayable(
            "Found for earlier data",
            "The data have changed since this run. Solve again; then the run can be played back.",
        )),
        (RunStatus::Wrong(_), _) => {
            Err(Missing::Unplayable("This run cannot be played back", "The checker does not confirm its result."))
        }
        _ => Ok(run),
    }
}

/// Shows the evolution of the shown run, or what to do to see one.
pub fn show(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
    let facts = match record(ui, document) {
        Ok(recording) => recording.facts().filter(|_| recording.failure().is_none()),
        Err(missing) => return empty(ui, document, missing),
    };
    let Some(facts) = facts else { return waiting(ui, document) };
    toolbar(ui, document, &facts);
    match document.evolution.mode {
        Mode::Population => population::show(ui, document, &facts),
        Mode::Curves => curves::show(ui, document, &facts),
        Mode::Child => child::show(ui, document, &facts),
        Mode::Rules => rules::show(ui, document, &facts, commands),
    }
}

/// The recording of the shown run; starts it if there is none yet.
fn record<'a>(ui: &Ui, document: &'a mut Document) -> Result<&'a mut Recording, Missing> {
    let run = playable(document)?;
    let (number, result) = (run.number, Arc::clone(&run.result));
    let state = &document.evolution;
    let known = state.recording.as_ref().is_some_and(|(of, known)| *of == number && known.bound() == state.bound);
    if !known {
        let (bound, threads, ctx) = (state.bound, document.settings.threads, ui.ctx().clone());
        let wake = Arc::new(move || ctx.request_repaint());
        let recording = Recording::start(Arc::clone(&document.instance), result, bound, threads, wake);
        let state = &mut document.state.evolution;
        let rules = std::mem::take(&mut state.rules);
        *state = State { mode: state.mode, bound, rules, recording: Some((number, recording)), ..State::default() };
        state.player.go_to(0);
    }
    let recording = document.state.evolution.recording.as_mut().map(|(_, recording)| recording);
    recording.ok_or(Missing::Unplayable("Nothing is recorded", "Open the view again."))
}

/// Draws why there is no evolution, and what to do.
fn empty(ui: &mut Ui, document: &mut Document, missing: Missing) {
    match missing {
        Missing::InProgress => {
            let text = "When the run has ended, every generation can be played back here.";
            placeholder(ui, Icon::Cells, "Evolution in progress", text, |_| {});
        }
        Missing::Unplayable(heading, text) => placeholder(ui, Icon::Cells, heading, text, |_| {}),
        Missing::OtherAlgorithm(what) => {
            let is_chosen = matches!(document.settings.algorithm, Algorithm::Evolution(_));
            let next = match is_chosen {
                true => "The algorithm evolution is chosen: press Solve, and every generation can be looked at.",
                false => "Choose the algorithm evolution and solve; then every generation can be looked at.",
            };
            let enabled = !document.is_solving();
            placeholder(ui, Icon::Cells, "See how evolution works", &format!("{what} {next}"), |ui| {
                let pressed = !is_chosen
                    && primary(ui, Icon::Check, "Choose evolution", enabled)
                        .on_hover_text("Set the preset «As published»: 256 timetables, 200 generations")
                        .clicked();
                if pressed {
                    settings::choose_published(&mut document.settings);
                }
            });
        }
    }
}

/// Draws how far the recording is, or why it failed.
fn waiting(ui: &mut Ui, document: &mut Document) {
    let Some((_, recording)) = &document.evolution.recording else { return };
    let generations = counted(recording.generations(), "generation");
    let incomplete = IncompleteRecording {
        icon: Icon::Cells,
        failed: "This run cannot be played back",
        failure: recording.failure(),
        progress: format!("{:.0} % of {generations}", 100.0 * recording.share()),
        bound: recording.bound() >> 20,
        remains: "the generations up to here can be played",
    };
    match incomplete.show(ui) {
        Some(Wish::Stop) => recording.stop(),
        Some(Wish::Again) => document.state.evolution.recording = None,
        None => {}
    }
}

/// Draws the choice of the mode and what the recording takes.
fn toolbar(ui: &mut Ui, document: &mut Document, facts: &Facts) {
    let palette = palette(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        if let Some(mode) = modes(ui, &Mode::ALL, Mode::words, document.evolution.mode) {
            document.state.evolution.mode = mode;
        }
        if document.evolution.mode == Mode::Child {
            child::switches(ui, document, facts);
        }
        let Some((_, recording)) = &document.evolution.recording else { return };
        let memory = |bytes: usize| grouped(bytes.div_ceil(1 << 20) as i64);
        let taken = format!("Recording: {} of at most {} MB", memory(facts.bytes), memory(recording.bound()));
        match &facts.notice {
            Some(notice) => {
                ui.add(egui::Label::new(theme::small(sentence_case(notice)).color(palette.warn)).truncate())
                    .on_hover_text(&taken);
            }
            None if facts.last() < recording.generations() => {
                let text = format!("Recorded up to generation {}", grouped(facts.last() as i64));
                ui.label(theme::small(text).color(palette.warn)).on_hover_text(&taken);
            }
            None => {
                let label = egui::Label::new(theme::small(&taken).color(palette.weak)).truncate();
                ui.add(label).on_hover_text("Memory that the recorded generations take");
            }
        }
    });
}

/// Draws the player of the generations; returns the generation that is shown.
fn play(ui: &mut Ui, document: &mut Document, facts: &Facts) -> u64 {
    let activity: Vec<f32> = facts.statistics.iter().map(|generation| generation.diversity as f32).collect();
    let event = |at: u64, name: &str| Event { at, name: name.to_owned() };
    let first = facts.first_feasible.filter(|&at| at > 0 && at != facts.best);
    let mut events = vec![event(facts.best, "Best timetable")];
    events.extend(first.map(|at| event(at, "First valid timetable")));
    let costs = |at: u64| facts.statistics.get(at as usize).map(|generation| generation.cost.least);
    let better = |at: u64, _: u64| at > 0 && costs(at) < (0..at).filter_map(costs).min();
    let best = |at: u64, _: u64| at == facts.best;
    let uniform = |at: u64, _: u64| {
        let below = |at: u64| facts.statistics.get(at as usize).is_some_and(|it| it.diversity < 0.1);
        at > 0 && below(at) && !below(at - 1)
    };
    let stops = [
        Stop { name: "a better best", help: "A timetable costs less than all before", counts: false, holds: &better },
        Stop { name: "the best", help: "The best timetable of the run appears", counts: false, holds: &best },
        Stop {
            name: "little diversity",
            help: "Two timetables differ in fewer than 10 % of the exams",
            counts: false,
            holds: &uniform,
        },
    ];
    let tape = Tape {
        first: 0,
        last: facts.last(),
        unit: "Generation",
        activity: &activity,
        activity_name: "Bars: diversity",
        events: &events,
        stops: &stops,
        live: false,
    };
    let has_focus = document.canvas_had_focus();
    let player = &mut document.state.evolution.player;
    if has_focus {
        playback::by_keys(ui, player, &tape);
    }
    playback::show(ui, player, &tape);
    player.at()
}

/// A cost by its causes in words: «12.4» or «13.1 and 24 violations».
fn cost_words(instance: &Instance, parts: &CostParts) -> String {
    let cost = short_cost(instance, parts.proximity + parts.price);
    if parts.is_feasible() { cost } else { format!("{cost} and {}", violations_words(parts)) }
}

/// «24 students with a clash, 2 broken rules».
fn violations_words(parts: &CostParts) -> String {
    let counts = [
        (parts.clashes, "student with a clash", "students with a clash"),
        (parts.missing_seats, "student without a seat", "students without a seat"),
        (parts.broken, "broken rule", "broken rules"),
    ];
    let words = counts.into_iter().filter(|(count, ..)| *count > 0);
    let words = words.map(|(count, one, more)| counted_as(count, one, more));
    words.collect::<Vec<_>>().join(", ")
}

/// Mean of raw costs as people read it.
fn mean_words(instance: &Instance, mean: f64) -> String {
    gridwright_core::numbers::significant(mean * instance.shown(1))
}
