//! Messages and controls that are alike for documents of all problems.

use egui::{Frame, Margin, Ui, vec2};
use gridwright_core::numbers::{compact, counted, duration};
use gridwright_core::planning::Planning as _;

use super::kind::DocumentKind;
use super::view::Progress;
use super::{Document, Run};
use crate::runs::{RunStatus, Shown};
use crate::theme::{self, palette, space};
use crate::widgets::choices::Choices;
use crate::widgets::controls::{badge, bare_icon_button, button, placeholder, primary};
use crate::widgets::icons::Icon;
use crate::widgets::notice::message;
use crate::window::command::Command;

/// Progress of the run in progress, otherwise of the run or draft that is shown.
pub(crate) fn progress<K: DocumentKind>(document: &Document<K>) -> Progress {
    if let Some(live) = &document.live {
        let word = match (live.session.is_stopping(), live.session.is_paused(), &live.checkpoint) {
            (true, ..) => "Stopping",
            (_, true, _) => "Paused",
            (.., None) => "Preparing",
            _ => "Solving",
        };
        let word = word.to_owned();
        let Some(checkpoint) = &live.checkpoint else { return Progress { word, ..Progress::default() } };
        let at = &checkpoint.progress;
        let left = match at.share {
            share if share > 0.01 => format!("{} left", duration(at.seconds * (1.0 - share) / share)),
            _ => duration(at.seconds),
        };
        let rate =
            if checkpoint.rate > 0.0 { format!("{} evaluations/s", compact(checkpoint.rate)) } else { String::new() };
        return Progress { word, value: K::best_value(document, checkpoint), share: at.share as f32, rate, left };
    }
    if let Some(run) = document.shown_run() {
        let evaluations = match run.result.evaluations {
            1 => "1 evaluation".to_owned(),
            count => format!("{} evaluations", compact(count as f64)),
        };
        return Progress {
            word: match run.earlier {
                Some(_) => format!("Run {}, solved for earlier data", run.number),
                None => format!("Run {}: {}", run.number, run.result.stop_reason),
            },
            value: match (&run.earlier, &run.status) {
                (Some(remarks), RunStatus::Incomplete(_)) if !remarks.is_empty() => remarks.clone(),
                _ => K::value(document, run),
            },
            share: 1.0,
            rate: evaluations,
            left: format!("took {}", duration(run.result.seconds)),
        };
    }
    match document.draft().filter(|_| document.shown == Shown::Draft) {
        Some(draft) => {
            let value = K::draft_value(document);
            let note = if value.is_empty() { ", not valid" } else { "" };
            let word = format!("Draft: {}, not saved as a run{note}", K::draft_words(document, draft));
            Progress { word, value, ..Progress::default() }
        }
        None => {
            let word = document.ready().err().unwrap_or("Ready to solve").to_owned();
            Progress { word, ..Progress::default() }
        }
    }
}

/// Draws the empty state: a result that failed the check, a run that is being prepared or was lost, or nothing solved yet.
/// `lost` is the reason why the last run broke off.
pub(crate) fn nothing_yet<K: DocumentKind>(
    ui: &mut Ui, document: &Document<K>, lost: Option<&str>, commands: &mut Vec<Command>,
) {
    let (texts, noun, ready) = (K::TEXTS, <K::Problem>::PROBLEM.nouns().plan, document.ready().is_ok());
    match K::status_instead(document) {
        Some(RunStatus::Wrong(text)) => {
            let heading = "This result did not pass the check";
            placeholder(ui, Icon::Warning, heading, &format!("It is not shown as a {noun}: {text}."), |_| {});
            return;
        }
        Some(RunStatus::Incomplete(text)) => {
            let heading = format!("This is not a valid {noun}");
            placeholder(ui, Icon::Warning, &heading, texts.lacks, |ui| {
                message(ui, text);
            });
            return;
        }
        _ => {}
    }
    if document.shown == Shown::Live {
        placeholder(ui, texts.icon, "Preparing", texts.preparing, |_| {});
        return;
    }
    if let Some(why) = lost {
        let text = format!("It broke off before a {noun} was found: {why}");
        placeholder(ui, Icon::Warning, "The run was lost", &text, |ui| {
            solve(ui, "Try once more", ready, commands);
            let hint = "Another seed or the CPU as the device may help; what was told stands in the messages (the bell \
                        above).";
            ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
        });
        return;
    }
    let (heading, text) = (format!("No {noun} yet"), format!("{}. {}.", document.facts_line(), texts.watch));
    placeholder(ui, texts.icon, &heading, &text, |ui| solve(ui, "Solve now", ready, commands));
}

fn solve(ui: &mut Ui, words: &str, ready: bool, commands: &mut Vec<Command>) {
    Command::Solve.offer(primary(ui, Icon::Play, words, ready), commands);
}

/// Draws that the data hold values that cannot be used, so that everything else is about the former data; returns `true` if the
/// data shall be shown.
pub(crate) fn unusable_data_bar<K: DocumentKind>(ui: &mut Ui, document: &Document<K>) -> bool {
    let count = document.data_issues().len();
    if count == 0 {
        return false;
    }
    let palette = palette(ui.visuals());
    let values = counted(count as u64, "value");
    let words = format!(
        "{values} of the changed data cannot be used; what is shown, solved and exported is of the former data"
    );
    let frame = Frame::new().fill(palette.bad_soft).inner_margin(Margin::symmetric(16, 6));
    let bar = frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), egui::Sense::hover());
            Icon::Warning.paint(ui.painter(), rect, palette.bad);
            ui.label(theme::bold(words).color(palette.text));
            button(ui, Icon::Pencil, "Correct the data", true)
                .on_hover_text("Show the tables with these values")
                .clicked()
        })
    });
    bar.inner.inner
}

/// Narrower than this, the buttons beside what is being edited are icons.
const NARROW: f32 = 760.0;

/// Beginning of the bar about a draft that was made from the solution of this name: «Edited from Run 3».
pub fn edited_title(is_shown: bool, from: &str, is_narrow: bool) -> String {
    let title = if is_shown { "Edited" } else { "Not shown: edited" };
    if is_narrow { title.to_owned() } else { format!("{title} from {from}") }
}

/// Draws the bar about the draft, if there is one; `change` is the difference of the cost in words, and `true` if that is
/// better.
pub fn edited_bar<K: DocumentKind>(
    ui: &mut Ui, document: &Document<K>, change: Option<(String, bool)>, commands: &mut Vec<Command>,
) {
    let Some(draft) = document.draft() else { return };
    let is_shown = document.shown == Shown::Draft;
    let palette = palette(ui.visuals());
    let narrow = ui.available_width() < NARROW;
    let title = edited_title(is_shown, &draft.from, narrow);
    Frame::new().fill(palette.accent_soft).inner_margin(Margin::symmetric(16, 6)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), egui::Sense::hover());
            Icon::Pencil.paint(ui.painter(), rect, palette.accent);
            let what = K::draft_words(document, draft);
            ui.label(theme::bold(format!("{title}: {what}")).color(palette.text));
            if let Some((change, better)) = change.filter(|_| is_shown) {
                ui.label(theme::bold(change).color(if better { palette.good } else { palette.text }));
            }
            ui.add_space(space::XS);
            let mut item = |ui: &mut Ui, icon: Icon, text: &str, command: Command| {
                let response =
                    if narrow { bare_icon_button(ui, icon, text, true) } else { button(ui, icon, text, true) };
                command.offer(response, commands);
            };
            if is_shown {
                item(ui, Icon::Play, "Improve from here", Command::Improve);
                item(ui, Icon::Check, "Keep as a run", Command::KeepDraft);
            } else {
                item(ui, K::TEXTS.icon, "Show", Command::ShowDraft);
            }
            item(ui, Icon::Trash, "Discard", Command::DiscardDraft);
        });
    });
}

/// Tooltip of the badge of a run that is not valid any more.
const OUTDATED: &str = "It was valid by the data and rules for which it was solved, and is not by the present ones";

/// Draws a badge for the status of the shown solution: proven optimal, with `proof` as its tooltip, checked, incomplete or
/// wrong; a draft counts as checked.
pub fn status_badge<K: DocumentKind>(ui: &mut Ui, document: &Document<K>, proof: &str) {
    let palette = palette(ui.visuals());
    let run = document.shown_run();
    let (icon, words, colour, help) = match (document.shown, run.map(|run| &run.status)) {
        _ if run.is_some_and(Run::<K>::is_proven) => (Some(Icon::Check), "proven optimal", palette.good, proof),
        (Shown::Draft, _) => (Some(Icon::Check), "edited, checked", palette.good, ""),
        (Shown::Live, _) => (None, "best so far", palette.accent, ""),
        (_, Some(RunStatus::Valid)) if K::is_outdated(document) => (None, "was valid", palette.weak, OUTDATED),
        (_, Some(RunStatus::Valid)) => (Some(Icon::Check), "checked", palette.good, ""),
        (_, Some(RunStatus::Incomplete(text))) => (Some(Icon::Cross), K::TEXTS.incomplete, palette.bad, text.as_str()),
        (_, Some(RunStatus::Wrong(text))) => (Some(Icon::Cross), "wrong", palette.bad, text.as_str()),
        (_, None) => return,
    };
    let badge = badge(ui, icon, words, colour);
    if !help.is_empty() {
        badge.on_hover_text(help);
    }
}

/// Draws the choice of a solution to compare with; `nothing` is the text while none is chosen. Returns `true` if another
/// solution was chosen this frame.
pub fn compare_with<K: DocumentKind>(
    ui: &mut Ui, document: &mut Document<K>, nothing: &str, help: &str, width: f32,
) -> bool {
    let others = document.comparable();
    if others.is_empty() {
        return false;
    }
    let now = document.ghost;
    let name = others.iter().find(|(of, _)| Some(*of) == now);
    let name = name.map_or(nothing.to_owned(), |(_, name)| format!("With {}", name.to_lowercase()));
    let mut chosen = now;
    let list = |ui: &mut Ui| {
        ui.selectable_value(&mut chosen, None, "Nothing");
        for (of, name) in &others {
            ui.selectable_value(&mut chosen, Some(*of), name);
        }
    };
    Choices::new("Compare with", name).width(width).cut().help(help).show(ui, list);
    if chosen != now {
        document.compare_with(chosen);
    }
    chosen != now
}
