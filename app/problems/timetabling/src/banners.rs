//! Bars above the views: a timetable that is not valid, and the timetable that is being edited.

use egui::{Frame, Margin, Ui};
use gridwright_core::export::stamp::Stamp;
use gridwright_core::numbers::grouped;
use gridwright_core::result::Violation;
use gridwright_timetabling::Instance;
use gridwright_timetabling::check::NOUNS;

use super::commands;
use super::describe::counted;
use super::editing::Draft;
use super::state::Document;
use crate::methods::*;
use gridwright_window::document::frames::edited_title;
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{bare_icon_button, button};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;
use gridwright_window::window::command::Command;

/// Notes of a run that are shown over the picture; the panel lists the exams without a place with their reasons.
const NOTES: usize = 3;

/// Draws a warning over the picture of an invalid timetable.
pub fn invalid(ui: &mut Ui, document: &Document) {
    let palette = palette(ui.visuals());
    let Some(run) = document.shown_run() else { return };
    let RunStatus::Incomplete(text) = &run.status else { return };
    // The notes of a run are about the data for which it was solved.
    let (heading, notes) = match run.earlier {
        Some(_) => ("This timetable was solved for earlier data and does not fit the present ones", String::new()),
        None => ("This is not a valid timetable", run.result.notes.join("\n")),
    };
    Frame::new().fill(palette.bad_soft).inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.label(theme::bold(heading).color(palette.bad));
        let lines = if notes.is_empty() { text } else { &notes };
        let lines: Vec<String> = lines.lines().map(sentence).collect();
        message(ui, &lines[..lines.len().min(NOTES)].join("\n"));
        if lines.len() > NOTES {
            let more = theme::small(format!("and {} more", lines.len() - NOTES)).color(palette.weak);
            ui.label(more).on_hover_text(lines[NOTES..].join("\n"));
        }
    });
}

const AROUND: Command = Command::Problem(commands::SOLVE_AROUND);
const COMPARE: Command = Command::Problem(commands::COMPARE_DRAFT);

/// Draws the bar of the edited timetable: its cost, its verdict and its buttons. Once a run was solved around the changes,
/// the bar stands above the edited timetable only; the menu leads back to it.
pub fn edited(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
    let palette = palette(ui.visuals());
    let here = document.shown == Shown::Draft;
    let is_settled = !here && document.is_solved_around();
    let Some(draft) = document.draft().filter(|_| !is_settled) else { return };
    let verdict = document.verdict().filter(|_| here);
    let against = verdict.map_or(0, |verdict| verdict.violations.len());
    let narrow = ui.available_width() < NARROW;
    let words =
        format!("{}: {}", edited_title(here, &draft.from, narrow), draft_counts(&document.instance, draft, against));
    let lines = verdict.map_or_else(Vec::new, |verdict| Violation::lines(&verdict.violations, PROBLEMS));
    let bad = against > 0;
    let fill = if bad { palette.bad_soft } else { palette.accent_soft };
    Frame::new().fill(fill).inner_margin(Margin::symmetric(16, 6)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.horizontal_wrapped(|ui| {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), egui::Sense::hover());
            let (icon, ink) = if bad { (Icon::Warning, palette.bad) } else { (Icon::Pencil, palette.accent) };
            icon.paint(ui.painter(), rect, ink);
            let label = ui.label(theme::bold(words).color(if bad { palette.bad } else { palette.text }));
            if bad {
                label.on_hover_text(lines.join("\n"));
            }
            ui.add_space(space::XS);
            let first = if here { AROUND } else { Command::ShowDraft };
            for command in [first, COMPARE, Command::DiscardDraft] {
                if edited_button(ui, document, &command, narrow) {
                    commands.push(command);
                }
            }
        });
        // The first two at once; the others stand in the tooltip.
        let shown = if narrow { 0 } else { 2 };
        for line in lines.iter().take(shown) {
            let label = egui::Label::new(theme::small(sentence(line)).color(palette.text)).truncate();
            ui.add(label).on_hover_text(lines.join("\n"));
        }
        if lines.len() > shown && !narrow {
            let more = theme::small(format!("and {} more", against - 2)).color(palette.weak);
            ui.label(more).on_hover_text(lines.join("\n"));
        }
    });
}

/// Counts of an edited timetable with `against` violations: «1 exam moved, 2 in other rooms, 28 exams without a period, 2
/// problems».
pub(crate) fn draft_counts(instance: &Instance, draft: &Draft, against: usize) -> String {
    let unplaced = draft.solution.unplaced_exams().len();
    let others = against.saturating_sub(unplaced);
    let moved = draft.moved().into_iter().filter(|&exam| draft.solution.period_of(exam).is_some()).count();
    let mut words = format!("{} moved", counted(moved as u64, "exam"));
    let is_here = |exam: &usize| draft.solution.period_of(*exam) == draft.base.period_of(*exam);
    let reseated = draft.reseated(instance).into_iter().filter(is_here).count();
    if reseated > 0 {
        words.push_str(&format!(", {} in other rooms", grouped(reseated as u64)));
    }
    if unplaced > 0 {
        words.push_str(&format!(", {} without a period", counted(unplaced as u64, "exam")));
    }
    if others > 0 {
        words.push_str(&format!(", {}", counted(others as u64, "problem")));
    }
    words
}

/// Draws a warning over a run that was right by the rules of its time and violates those of now, with the violations.
pub(crate) fn outdated(ui: &mut Ui, document: &Document) {
    let (Some(run), Some(verdict)) = (document.shown_run(), document.verdict()) else { return };
    let Some(stamp) = Stamp::of(&verdict.violations, &NOUNS).filter(|_| document.outdated() > 0) else { return };
    let palette = palette(ui.visuals());
    let lines = stamp.lines(PROBLEMS).join("\n");
    Frame::new().fill(palette.bad_soft).inner_margin(Margin::symmetric(16, 6)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        let words = format!("{} by the present data and rules. {}", run.title(), stamp.line());
        ui.label(theme::bold(words).color(palette.bad)).on_hover_text(&lines);
        for line in stamp.lines(SHOWN) {
            ui.add(egui::Label::new(theme::small(sentence(&line)).color(palette.text)).truncate())
                .on_hover_text(&lines);
        }
    });
}

/// Problems that are listed in the banner of a run.
const SHOWN: usize = 2;

/// Returns a line of the checker with its first letter in upper case.
pub fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Width in points below which the banner of an edited timetable is one line of short words.
const NARROW: f32 = 700.0;

/// Draws the button of a command on the edited timetable; returns `true` if it was clicked.
fn edited_button(ui: &mut Ui, document: &Document, command: &Command, narrow: bool) -> bool {
    let (words, icon) = match command {
        command if *command == AROUND && narrow => ("Solve around…", Icon::Play),
        command if *command == AROUND => ("Solve around the changes…", Icon::Play),
        command if *command == COMPARE => ("Compare with before", Icon::Compare),
        Command::DiscardDraft => ("Discard", Icon::Trash),
        _ => ("Show", Icon::Grid),
    };
    let ready = if *command == AROUND { document.ready() } else { Ok(()) };
    let short = narrow && (*command == COMPARE || *command == Command::DiscardDraft);
    let response = match short {
        true => bare_icon_button(ui, icon, words, ready.is_ok()),
        false => button(ui, icon, words, ready.is_ok()),
    };
    let response = response.on_hover_text(command.tooltip(ui.ctx()));
    response.on_disabled_hover_text(ready.err().unwrap_or_default()).clicked()
}

/// Problems of an edited timetable that are listed in a tooltip.
const PROBLEMS: usize = 20;
