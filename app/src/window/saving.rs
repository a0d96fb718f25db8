//! Saving of the open document as a project, and the question about newer changes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use egui::Context;
use gridwright_solver::project;

use super::command::Command;
use super::{App, files};
use crate::document::ProblemView;
use crate::projects::Saving;
use crate::store::Recent;
use crate::theme::{self, space};
use crate::widgets::controls::{button, primary};
use crate::widgets::dialog::{Wish, dialog};
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;

/// Changes reach the disk at most so often.
const KEEP_EVERY: Duration = Duration::from_millis(500);

impl App {
    /// Saves the project, or asks where.
    pub(super) fn project_command(&mut self, ctx: &Context, command: &Command) {
        let named = self.open.as_deref().is_some_and(|open| open.project_file().is_some());
        if named && *command == Command::SaveProject {
            self.tell_saved = true;
            self.save_project(Some(ctx), true);
        } else {
            self.ask_project();
        }
    }

    /// Returns `true` while a question about a change is open.
    pub(super) fn is_asking(&self) -> bool {
        self.open.as_deref().is_some_and(|open| open.is_asking())
    }

    /// Shows the questions about changes.
    pub(super) fn show_questions(&mut self, ctx: &Context) {
        let Some(open) = self.open.as_deref_mut() else { return };
        if let Some(Err(why)) = newer_dialog(ctx, open).map(|take| open.decide_newer(take)) {
            self.notices.push(Notice::warning("The newer changes could not be used", why));
        }
        open.show_dialogs(ctx, &mut self.commands);
        for notice in open.take_sayings() {
            self.notices.push(notice);
        }
    }

    /// Keeps changes on disk soon after they were made.
    pub(super) fn keep_project(&mut self, ctx: &Context) {
        if !self.has_changed() {
            return;
        }
        let since = self.project_saved.map(|at| at.elapsed());
        match since.filter(|since| *since < KEEP_EVERY) {
            None => self.save_project(Some(ctx), false),
            Some(since) => ctx.request_repaint_after(KEEP_EVERY.saturating_sub(since)),
        }
    }

    /// Writes what is open as a project: to the program's own folder, and to the project's file where there is one.
    pub(super) fn save_project(&mut self, ctx: Option<&Context>, always: bool) {
        let Some(saving) = self.open.as_deref_mut().and_then(|open| open.saving(always)) else { return };
        self.project_saved = Some(Instant::now());
        let Saving { file, write, saves } = saving;
        let (store, told, ctx) = (self.store.clone(), Arc::clone(&self.unsaved), ctx.cloned());
        let first = std::mem::take(&mut self.tell_saved);
        let number = saves.fetch_add(1, Ordering::Relaxed) + 1;
        files::save_in_order(move || {
            // Where writing takes longer than the next change, only the newest is written: nothing piles up.
            if saves.load(Ordering::Relaxed) != number && !first {
                return;
            }
            let notice = match write(&store) {
                Ok(()) if !first => return,
                Ok(()) => {
                    let path = file.map(|path| path.display().to_string()).unwrap_or_default();
                    let text = format!("{path}\nFrom now on every change is kept there as you make it.");
                    Notice::success("The project was saved", text)
                }
                Err(error) => {
                    let text = format!("{error}\nSave it elsewhere: Ctrl+Shift+S");
                    Notice::error("The project could not be saved", text)
                }
            };
            *told.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(notice);
            if let Some(ctx) = ctx {
                ctx.request_repaint();
            }
        });
    }

    /// Tells what came of writing a project.
    pub(super) fn tell_unsaved(&mut self) {
        let told = self.unsaved.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(notice) = told {
            self.notices.push(notice);
        }
    }

    /// The project is kept in this file from now on.
    pub(super) fn set_project_file(&mut self, ctx: &Context, path: &Path) {
        let path = project::with_ending(path);
        let path = std::path::absolute(&path).unwrap_or(path);
        let Some(open) = self.open.as_deref_mut() else { return };
        open.set_project_file(path.clone());
        let recent = Recent {
            source: path.display().to_string(),
            name: open.name().to_owned(),
            facts: open.facts_line(),
            problem: open.problem().id().to_owned(),
            ..Recent::default()
        };
        self.tell_saved = true;
        self.save_project(Some(ctx), true);
        self.prefer(|state| state.remember(recent));
        self.look_again = true;
    }
}

/// Asks what is to be done with changes that are newer than the project's file; `Some(true)`: use them.
fn newer_dialog(ctx: &Context, open: &dyn ProblemView) -> Option<bool> {
    let when = open.newer()?;
    let file = open.project_file().map(|path| path.display().to_string()).unwrap_or_default();
    let mut decided = None;
    // Neither Escape nor a click beside decides: both answers would lose something that was meant.
    dialog(ctx, "Newer changes", 480.0, |ui| {
        ui.label(theme::title(format!("Newer changes from {when} were found")));
        let text = "They were made after the file was last written, which happens when the program is ended by force or \
                    the same data are opened without the project. Using them can be undone; keeping the file gives them up.";
        ui.label(text);
        ui.label(theme::small(file).color(theme::palette(ui.visuals()).weak));
        ui.add_space(space::S);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if primary(ui, Icon::Check, "Use them", true).clicked() {
                decided = Some(true);
            }
            if button(ui, Icon::File, "Keep the file", true).clicked() {
                decided = Some(false);
            }
        });
        Wish::Stay
    });
    decided
}
