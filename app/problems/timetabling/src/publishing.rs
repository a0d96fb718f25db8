//! The published version of a timetable: publishing, and what has changed since.

use std::sync::Arc;

use chrono::{Local, Utc};
use egui::{Link, Ui};
use gridwright_core::text::language::Language;
use gridwright_timetabling::Instance;
use gridwright_timetabling::publication::{Affected, Change, Publication};
use gridwright_timetabling::publishing::concerned;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{fact, section};

use super::editing::{Draft, Edit};
use super::state::Document;
use crate::methods::*;

/// Changed exams that are listed at first.
const FIRST: usize = 6;

/// Publishes the timetable that is shown as the next version.
///
/// # Errors
/// Why that is not possible.
pub fn publish(document: &mut Document) -> Result<(), &'static str> {
    possible(document)?;
    let picture = document.picture().map(Arc::clone).ok_or("There is no timetable yet")?;
    let instance = Arc::clone(&document.instance);
    let version = instance.published().map_or(1, |published| published.version + 1);
    let publication = Publication::of(&instance, &picture.timetable, version, Utc::now());
    document.apply(vec![Edit::Publish(Arc::new(publication))])?;
    let words = match version {
        1 => "Export “All documents” to hand them on",
        _ => "Export “All documents” to replace those of before",
    };
    document.tell_done(format!("Version {version} is published"), words);
    Ok(())
}

/// Checks that the timetable that is shown can be published.
///
/// # Errors
/// Why not.
pub fn possible(document: &Document) -> Result<(), &'static str> {
    if document.is_solving() {
        return Err("Can be published when the run has ended");
    }
    let picture = document.picture().ok_or("There is no timetable yet")?;
    let known = document.state.publishing.known(&document.instance, &picture.timetable);
    if known.is_some_and(<[Change]>::is_empty) { Err("Nothing has changed since it was published") } else { Ok(()) }
}

/// Shows the published version and what has changed since; nothing if there is none.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let instance = Arc::clone(&document.instance);
    let (Some(published), Some(picture)) = (instance.published(), document.picture().map(Arc::clone)) else { return };
    section(ui, "Published", |ui| {
        ui.label(theme::small(format!("version {}", published.version)));
    });
    let version = versions(ui, &instance);
    let shows_all = document.state.publishing.all;
    let (mut selected, mut more) = (None, false);
    match document.state.publishing.of(ui, &instance, &picture.timetable) {
        None => {
            ui.spinner();
        }
        Some([]) => {
            ui.label("Nothing has changed since.");
        }
        Some(changes) => {
            fact(ui, "Changes concern", &concerned(changes));
            let exams: Vec<&Change> = changes.iter().filter(|change| change.affected == Affected::Exam).collect();
            let count = if shows_all { exams.len() } else { FIRST };
            for change in exams.iter().take(count) {
                if exam(ui, change) {
                    selected = instance.exam_index(&change.exam);
                }
            }
            more = exams.len() > count && ui.link(format!("{} more…", exams.len() - count)).clicked();
            ui.label(
                theme::small("The export “Changes” lists everyone whom they concern.")
                    .color(palette(ui.visuals()).weak),
            );
        }
    }
    document.state.publishing.all |= more;
    ui.add_space(space::M);
    if selected.is_some() {
        document.selected = selected;
    }
    if let Some(Err(why)) = version.map(|version| open_version(document, version)) {
        document.warn_of_edit("The version is not shown", why.to_owned());
    }
}

/// Lists the versions; returns the number of the one that is to be shown.
fn versions(ui: &mut Ui, instance: &Instance) -> Option<u32> {
    let mut chosen = None;
    for version in instance.publications.iter().rev() {
        let at = version.at.with_timezone(&Local).format("%-d %B %Y, %H:%M");
        let help = "Show this version; Undo goes back to what is shown now";
        ui.horizontal_wrapped(|ui| {
            let link = ui.add(Link::new(format!("Version {}", version.version))).on_hover_text(help);
            ui.label(theme::small(at.to_string()).color(palette(ui.visuals()).weak));
            if link.clicked() {
                chosen = Some(version.version);
            }
        });
    }
    chosen
}

/// Goes on editing from a published version, beside which nothing has changed yet.
///
/// # Errors
/// Why that is not possible.
pub fn open_version(document: &mut Document, number: u32) -> Result<(), &'static str> {
    let instance = Arc::clone(&document.instance);
    let version = instance.publications.iter().find(|version| version.version == number);
    let timetable = Arc::new(version.ok_or("This version is no longer there")?.timetable(&instance));
    let draft = Draft { from: format!("Version {number}"), base: Arc::clone(&timetable), solution: timetable };
    document.apply(vec![Edit::Start(draft)])?;
    document.show_draft();
    Ok(())
}

/// Shows what has changed for everyone about an exam; returns `true` if it was clicked.
fn exam(ui: &mut Ui, change: &Change) -> bool {
    let clicked = ui.add(Link::new(format!("{}: {}", change.exam, change.kind().words(Language::English)))).clicked();
    ui.label(theme::small(change.words()).color(palette(ui.visuals()).weak));
    clicked
}
