//! One migration between two islands of a run: both populations before and after, the copied layouts and those whose places
//! they take. The run is recorded from its result, see [`recording`].

mod copies;
mod populations;
mod recording;
mod view_state;

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_core::search::{Algorithms, StopReason};
use gridwright_core::text::sentence_case;
use gridwright_facility::Migration;
use gridwright_facility::evaluation::Score;
use gridwright_facility::journal::MigrationDetail;
use gridwright_facility::run::Algorithm;

use self::recording::{BOUND, Recorded, Recording, mean};
pub(crate) use self::view_state::IslandViews;
pub use self::view_state::Mode;
use self::view_state::ShownMigration;
use super::islands::best_words;
use super::plan::cost_words;
use super::state::{Document, FacilityViews, Run};
use gridwright_window::document::DocumentKind;
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{modes, placeholder, primary, segmented};
use gridwright_window::widgets::explanation::{Formula, explain};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::incomplete_recording::{IncompleteRecording, Wish};
use gridwright_window::widgets::playback::{self, Player, Stop, Tape};

/// Height in points of populations with their legend above the floor plans; lower views show one or the other.
const LEAST: f32 = 122.0;

/// The shown run if its islands can be recorded, otherwise heading and text that say why not.
fn recordable(document: &Document) -> Result<&Run, (&'static str, String)> {
    let has_islands = |algorithm: &Algorithm| algorithm.islands().is_some();
    let Some(run) = document.shown_run() else {
        return Err(match (document.shown, &document.live) {
            (Shown::Live, Some(live)) if has_islands(&live.settings.algorithm) => {
                ("Run in progress", "When the run has ended, each migration can be looked at here.".to_owned())
            }
            _ => (
                "No islands to be seen",
                "Choose another run in the list, or press Solve with an algorithm that has islands, such \
                                           as the memetic one."
                    .to_owned(),
            ),
        });
    };
    let is_known = Algorithm::named(&run.result.algorithm).is_ok_and(|algorithm| has_islands(&algorithm));
    if run.result.stop_reason == StopReason::ByHand || !is_known {
        let text = format!(
            "{} was not made by an algorithm with islands. Press Solve with one, such as the memetic one.",
            run.title()
        );
        return Err(("No islands to be seen", text));
    }
    match (&run.status, &run.earlier) {
        (_, Some(_)) => Err((
            "Found for earlier data",
            "The data have changed since this run. Solve again to see its islands.".to_owned(),
        )),
        (RunStatus::Wrong(_), _) => {
            Err(("This run cannot be repeated", "The checker does not confirm its result. Solve again.".to_owned()))
        }
        _ => Ok(run),
    }
}

/// Returns `true` if the migrations of the shown run can be looked at.
pub(super) fn is_recordable(document: &Document) -> bool {
    recordable(document).is_ok()
}

/// Draws the choice of the part of the view, and what the recording takes.
pub(super) fn toolbar(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        if let Some(mode) = modes(ui, &Mode::ALL, Mode::words, document.islands.mode) {
            document.state.islands.mode = mode;
        }
        if document.islands.mode == Mode::Migration && document.islands.is_low {
            let choices = [
                ("Populations", "Both populations before and after, sorted by cost", true),
                ("Floor plans", "The copied layouts, each beside the one whose place it takes", true),
            ];
            if let Some(choice) = segmented(ui, &choices, Some(usize::from(document.islands.shows_plans))) {
                document.state.islands.shows_plans = choice == 1;
            }
        }
        let Some(recorded) = recorded(document) else { return };
        let taken = recorded.journal.bytes().div_ceil(1 << 20);
        let taken = format!("Recording: {taken} of at most {BOUND} MB");
        let share = document.islands.recording.as_ref().map_or(1.0, |(_, recording)| recording.share());
        let (words, colour) = match recorded.journal.notice() {
            Some(notice) => (sentence_case(notice), palette.warn),
            None if share < 1.0 => (format!("Recorded up to {:.0} % of the run", 100.0 * share), palette.warn),
            None => (taken.clone(), palette.weak),
        };
        ui.add(egui::Label::new(theme::small(words).color(colour)).truncate()).on_hover_text(taken);
    });
}

/// The complete recording of the shown run.
fn recorded(document: &Document) -> Option<Arc<Recorded>> {
    let number = document.shown_run()?.number;
    let (_, recording) = document.islands.recording.as_ref().filter(|(of, _)| *of == number)?;
    recording.recorded()
}

/// Starts to record the shown run unless it is recorded.
fn record(ui: &Ui, document: &mut Document) {
    let Ok(run) = recordable(document) else { return };
    let (number, result) = (run.number, Arc::clone(&run.result));
    if document.islands.recording.as_ref().is_some_and(|(of, _)| *of == number) {
        return;
    }
    let ctx = ui.ctx().clone();
    let wake = Arc::new(move || ctx.request_repaint());
    let recording = Recording::start(Arc::clone(&document.instance), result, document.settings.threads, wake);
    let mut player = Player::default();
    player.go_to(1);
    // Slow enough to follow.
    player.set_speed(0);
    let islands = &mut document.state.islands;
    (islands.recording, islands.player) = (Some((number, recording)), player);
}

/// Takes the history of the islands from the recording of the shown run if the run was not watched.
pub(super) fn take_history(document: &mut Document) {
    let Some((number, recording)) = &document.islands.recording else { return };
    let number = *number;
    if document.histories.get(&number).is_none_or(|history| history.is_empty())
        && let Some(history) = recording.take_history()
    {
        document.state.histories.insert(number, history);
    }
}

/// Shows a migration that was picked from now on.
pub(super) fn pick(document: &mut Document, migration: Migration) {
    document.state.islands.wanted = Some(migration);
    document.state.islands.mode = Mode::Migration;
}

/// Offers to record a run that was not watched, or says why there are no islands.
pub(super) fn offer(ui: &mut Ui, document: &mut Document) {
    if let Err((heading, text)) = recordable(document) {
        return placeholder(ui, Icon::Islands, heading, &text, |_| {});
    }
    let shown = document.shown_run().map(|run| run.number);
    if document.islands.recording.as_ref().is_some_and(|(of, _)| Some(*of) == shown) {
        return waiting(ui, document);
    }
    let text = format!(
        "The window did not watch this run. It can be made again from its seed on the processor, to see its islands over time and \
         each of its migrations. This takes about as long as the run did there, and at most {BOUND} MB of memory."
    );
    let mut is_pressed = false;
    placeholder(ui, Icon::Islands, "Islands are not recorded yet", &text, |ui| {
        let response = primary(ui, Icon::Play, "Record the islands", true);
        is_pressed = response.on_hover_text("Make the run again from its seed, in the background").clicked();
    });
    if is_pressed {
        record(ui, document);
    }
}

/// Draws how far the recording is, or why it failed.
fn waiting(ui: &mut Ui, document: &mut Document) {
    let Some((_, recording)) = &document.islands.recording else { return };
    let incomplete = IncompleteRecording {
        icon: Icon::Islands,
        failed: "The islands are not recorded",
        failure: recording.failure(),
        progress: format!("{:.0} % so far", 100.0 * recording.share()),
        bound: BOUND,
        remains: "the migrations up to here can be looked at",
    };
    match incomplete.show(ui) {
        Some(Wish::Stop) => recording.stop(),
        Some(Wish::Again) => {
            document.state.islands.recording = None;
            record(ui, document);
        }
        None => {}
    }
}

/// Shows one migration of the shown run.
pub(super) fn show(ui: &mut Ui, document: &mut Document) {
    if let Err((heading, text)) = recordable(document) {
        return placeholder(ui, Icon::Islands, heading, &text, |_| {});
    }
    record(ui, document);
    let Some(recorded) = recorded(document) else { return waiting(ui, document) };
    let migrations = recorded.journal.migrations();
    if migrations.is_empty() {
        let text = "No layout was copied from one island to another: the run ended before the first migration, its migration rate is \
                    0, or each island is alone with its kind of bays. Change these parameters and solve again.";
        return placeholder(ui, Icon::Islands, "No migrations", text, |_| {});
    }
    let place_of = |wanted: &Migration| {
        let near = migrations
            .iter()
            .position(|it| it.generation >= wanted.generation && (it.from, it.to) == (wanted.from, wanted.to));
        near.unwrap_or(migrations.len() - 1) as u64 + 1
    };
    if let Some(wanted) = document.state.islands.wanted.take() {
        document.state.islands.player.go_to(place_of(&wanted));
    }
    play(ui, document, &recorded);
    let index = (document.islands.player.at() as usize).clamp(1, migrations.len()) - 1;
    let Some(shown) = shown(document, &recorded, index) else { return };
    describe(ui, &shown.detail);
    let is_low = ui.available_height() < LEAST + copies::HEIGHT + space::L;
    if std::mem::replace(&mut document.state.islands.is_low, is_low) != is_low {
        ui.ctx().request_discard("the toolbar has a choice more or less");
    }
    if is_low && document.islands.shows_plans {
        return copies::show(ui, &shown.detail, &shown.plans);
    }
    if ui.available_height() >= LEAST {
        populations::legend(ui, &shown.detail);
    }
    let below = if is_low { 0.0 } else { copies::HEIGHT + space::S };
    let room = egui::vec2(ui.available_width(), ui.available_height() - below);
    let populations = ui.allocate_ui(room, |ui| populations::show(ui, &shown.detail));
    document.canvas_focused |= populations.inner;
    if !is_low {
        copies::show(ui, &shown.detail, &shown.plans);
    }
}

/// Draws the player of the migrations.
fn play(ui: &mut Ui, document: &mut Document, recorded: &Recorded) {
    let migrations = recorded.journal.migrations();
    let of = |at: u64| migrations.get(at.saturating_sub(1) as usize);
    let is_new = |at: u64, _: u64| at > 1 && of(at).map(|it| it.generation) != of(at - 1).map(|it| it.generation);
    let from = of(document.islands.player.at()).map(|it| it.from);
    let is_same = |at: u64, _: u64| of(at).map(|it| it.from) == from;
    let stops = [
        Stop {
            name: "the next generation",
            help: "The first migration of a later generation",
            counts: false,
            holds: &is_new,
        },
        Stop {
            name: "these islands",
            help: "The next migration between the same islands",
            counts: false,
            holds: &is_same,
        },
    ];
    let tape = Tape {
        first: 1,
        last: migrations.len() as u64,
        unit: "Migration",
        activity: &recorded.falls,
        activity_name: "Bars: fall of the receiving island's mean cost",
        events: &[],
        stops: &stops,
        live: false,
    };
    let has_focus = document.canvas_had_focus();
    let player = &mut document.state.islands.player;
    if has_focus {
        playback::by_keys(ui, player, &tape);
    }
    playback::show(ui, player, &tape);
}

/// The migration with this index and its plans, computed when another one is looked at.
fn shown(document: &mut Document, recorded: &Recorded, index: usize) -> Option<Arc<ShownMigration>> {
    let run = document.shown_run()?;
    if let Some((result, at, shown)) = &document.islands.shown
        && *at == index
        && Arc::ptr_eq(result, &run.result)
    {
        return Some(Arc::clone(shown));
    }
    let result = Arc::clone(&run.result);
    let instance = FacilityViews::with_demands(&document.instance, &run.rules);
    let detail = recorded.journal.migration(index)?;
    let shown = Arc::new(ShownMigration { plans: copies::plans(&instance, document.links(), &detail), detail });
    document.state.islands.shown = Some((result, index, Arc::clone(&shown)));
    Some(shown)
}

/// A share in words, such as «62 %».
fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Draws who is copied and what it changes, in words.
fn describe(ui: &mut Ui, detail: &MigrationDetail) {
    let palette = palette(ui.visuals());
    let [from, to] = [&detail.source, &detail.target].map(|change| change.island + 1);
    let (best, worst) = match detail.copies.len() {
        1 => ("its best layout".to_owned(), "the worst".to_owned()),
        count => {
            (format!("its {} best layouts", grouped(count as i64)), format!("the {} worst", grouped(count as i64)))
        }
    };
    let statement = Formula::new(format!("Island {from} copies "))
        .coloured(best, palette.accent)
        .then(" over ")
        .coloured(worst, palette.clash)
        .then(format!(" of island {to}."));
    explain(ui, &sentence(detail), &statement);
}

/// Effect of a migration in words.
fn sentence(detail: &MigrationDetail) -> String {
    let target = &detail.target;
    let [before, after] = [0, 1].map(|which| target.populations[which].first().map_or(Score::WORST, |it| it.score));
    let [was, is] = [before, after].map(|score| best_words([score.cost, score.violation]));
    let best = match before == after {
        true => "has the same best layout as before".to_owned(),
        false => format!("has a new best layout ({is} instead of {was})"),
    };
    let [mean_before, mean_after] = [0, 1].map(|which| mean(target, which));
    let means = if mean_before == mean_after {
        "its mean cost stays".to_owned()
    } else {
        let verb = if mean_after < mean_before { "falls" } else { "rises" };
        format!("its mean cost {verb} from {} to {}", cost_words(mean_before), cost_words(mean_after))
    };
    let [apart_before, apart_after] = target.diversity.map(percent);
    let apart = match apart_before == apart_after {
        true => format!("and two of its layouts still differ in {apart_after} of their places"),
        false => format!("and two of its layouts differ in {apart_after} of their places instead of {apart_before}"),
    };
    let generation = grouped(detail.migration.generation as i64);
    let behind = match detail.behind {
        Some(island) => {
            format!(" Island {} receives from island {} at the same time.", detail.source.island + 1, island + 1)
        }
        None => String::new(),
    };
    format!("Generation {generation}: island {} {best}, {means}, {apart}.{behind}", target.island + 1)
}
