//! Saving of the open document as a project, and the question about newer changes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use egui::Context;
use gridwright_core::files::Written;
use gridwright_core::project;
use gridwright_core::store::Recent;

use super::command::Command;
use super::open_dialog::Dialog;
use super::{App, files};
use crate::document::ProblemView;
use crate::projects::Saving;
use crate::theme::{self, space};
use crate::widgets::controls::{button, primary};
use crate::widgets::dialog::{Wish, dialog};
use crate::widgets::entry::is_handing_over;
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;

/// Exit code of a program that a signal ended.
const INTERRUPTED: i32 = 130;

/// Changes reach the disk at most so often.
const KEEP_EVERY: Duration = Duration::from_millis(500);

/// Number of further attempts to write a file.
const RETRY_EVERY: Duration = Duration::from_secs(10);

/// Longest time from a signal to the end of the program.
const ENDS_AFTER: Duration = Duration::from_secs(8);

/// Heading of the message about a project that is not on disk.
pub(super) const UNSAVED: &str = "The project could not be saved";

impl App {
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

    pub(super) fn show_questions(&mut self, ctx: &Context) {
        let Some(open) = self.open.as_deref_mut() else { return };
        if let Some(Err(why)) = newer_dialog(ctx, open).map(|take| open.decide_newer(take)) {
            self.notices.push(Notice::warning("The newer changes could not be used", why));
        }
        // The dialog that asks for another name lies over these questions.
        let is_naming = self.dialog.is_some() || self.file_dialogs.is_open();
        let decided = if is_naming { None } else { contested_dialog(ctx, open) };
        match decided {
            Some(Contested::Overwrite) => open.keeper_mut().overwrite(),
            Some(Contested::Elsewhere) => self.commands.push(Command::SaveProjectAs),
            Some(Contested::Reopen(source)) => self.commands.push(Command::load(source)),
            None => {}
        }
        if self.is_closing && !is_naming {
            let decided = unsaved_dialog(ctx, open);
            self.is_closing = decided.is_none();
            match decided {
                Some(Unsaved::Elsewhere) => self.commands.push(Command::SaveProjectAs),
                Some(Unsaved::Discard) => {
                    self.gives_up = true;
                    ctx.send_viewport_cmd(egui::ViewportCommand::Close);
                }
                Some(Unsaved::Stay) | None => {}
            }
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
        let has_failed = self.open.as_deref().is_some_and(|open| open.keeper().has_failed());
        let pause = if has_failed { RETRY_EVERY } else { KEEP_EVERY };
        let since = self.project_saved.map(|at| at.elapsed());
        match since.filter(|since| *since < pause) {
            None => self.save_project(Some(ctx), false),
            Some(since) => ctx.request_repaint_after(pause.saturating_sub(since)),
        }
    }

    /// Writes what has changed and waits until it is on disk; returns `true` if nothing would be lost now.
    pub(super) fn is_saved(&mut self) -> bool {
        if self.has_changed() {
            self.save_project(None, true);
            super::wait_for_saves();
        }
        !self.open.as_deref().is_some_and(|open| open.keeper().has_failed())
    }

    /// Closes the window without questions when the system asks the program to end: at a logout, a shutdown, or by Ctrl-C in
    /// the terminal. A window that does not close is ended after [`ENDS_AFTER`].
    pub(super) fn close_on_signals(&mut self, ctx: &Context) {
        let (ctx, signalled) = (ctx.clone(), Arc::clone(&self.signalled));
        let caught = ctrlc::set_handler(move || {
            signalled.store(true, Ordering::Relaxed);
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            ctx.request_repaint();
            std::thread::sleep(ENDS_AFTER);
            std::process::exit(INTERRUPTED);
        });
        if let Err(error) = caught {
            let text = format!("The last half second of work would be lost ({error}).");
            self.notices.push(Notice::warning("Signals of the system are not heard", text).of_program());
        }
    }

    /// Keeps the window open and asks if it is about to be closed with work that is not on disk.
    pub(super) fn guard_close(&mut self, ctx: &Context) {
        let is_requested = ctx.input(|input| input.viewport().close_requested());
        if is_requested && is_handing_over(ctx) {
            // What was typed last is taken over in this frame.
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            return;
        }
        let is_urgent = self.gives_up || self.signalled.load(Ordering::Relaxed);
        if is_requested {
            self.end_lesson();
            self.keep_typed_name();
        }
        if is_requested && !is_urgent && !self.is_saved() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.is_closing = true;
        } else if is_requested && !is_urgent && self.campaigns.would_lose() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.shows_campaigns = true;
            self.campaigns.ask_before_closing();
        }
    }

    /// Keeps the name that stands in the dialog of a run's name.
    fn keep_typed_name(&mut self) {
        let Some(Dialog::Name(name)) = &self.dialog else { return };
        let (run, text) = (name.run, name.text.trim().to_owned());
        self.set_run_name(run, &text);
    }

    /// Writes what is open as a project: to the program's own folder, and to the project's file where there is one.
    pub(super) fn save_project(&mut self, ctx: Option<&Context>, always: bool) {
        let Some(saving) = self.open.as_deref_mut().and_then(|open| open.saving(always)) else { return };
        self.project_saved = Some(Instant::now());
        let Saving { file, write, saves } = saving;
        let (store, told, ctx) = (self.own_store(), Arc::clone(&self.unsaved), ctx.cloned());
        let first = std::mem::take(&mut self.tell_saved);
        let number = saves.fetch_add(1, Ordering::Relaxed) + 1;
        files::save_in_order(move || {
            // Where writing takes longer than the next change, only the newest is written: nothing piles up.
            if saves.load(Ordering::Relaxed) != number && !first {
                return;
            }
            let notice = match write(&store) {
                Ok(_) if !first => return,
                // A question of its own tells that.
                Ok(Written::ChangedElsewhere) => return,
                Ok(Written::Replaced) => {
                    let path = file.map(|path| path.display().to_string()).unwrap_or_default();
                    let text = format!("{path}\nFrom now on every change is kept there as you make it.");
                    Notice::success("The project was saved", text)
                }
                Err(error) => {
                    let text = format!("{error}\nSave it elsewhere: Ctrl+Shift+S");
                    Notice::error(UNSAVED, text)
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
        let store = self.own_store();
        let Some(open) = self.open.as_deref_mut() else { return };
        self.file_dialogs.note_folder(&path);
        let before = open.key();
        open.set_project_file(path.clone());
        let key = open.key();
        if key != before {
            open.keeper_mut().claim(&store, &key);
            self.trash.follow(&before, &key);
            // The runs of a project that was replaced are not those of this one.
            store.discard_runs(&key);
        }
        let recent = Recent {
            source: path.display().to_string(),
            name: open.name().to_owned(),
            facts: open.facts_line(),
            problem: open.problem().id().to_owned(),
            key: open.key(),
            ..Recent::default()
        };
        self.tell_saved = true;
        self.save_project(Some(ctx), true);
        self.prefer(|state| state.remember(recent));
        self.look_again = true;
    }
}

/// Decision about a project that another program has changed.
enum Contested {
    Overwrite,
    Elsewhere,
    /// Opens this file, which drops the present document; its changes are offered again.
    Reopen(String),
}

/// Asks whose changes stay if another program has changed the project's file.
fn contested_dialog(ctx: &Context, open: &dyn ProblemView) -> Option<Contested> {
    if !open.keeper().is_contested() {
        return None;
    }
    let file = open.project_file()?.display().to_string();
    let mut decided = None;
    dialog(ctx, "Changed elsewhere", 520.0, |ui| {
        ui.label(theme::title("Another window or program has changed the project"));
        ui.label(
            "Your changes are not in the file yet. Save them under another name, or overwrite the file and lose what was \
             changed there. If you open the file as it is now, you are asked whether to use your changes.",
        );
        ui.label(theme::small(file.as_str()).color(theme::palette(ui.visuals()).weak));
        ui.add_space(space::S);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if primary(ui, Icon::Export, "Save as…", true).clicked() {
                decided = Some(Contested::Elsewhere);
            }
            if button(ui, Icon::Open, "Open the file", true).clicked() {
                decided = Some(Contested::Reopen(file.clone()));
            }
            if button(ui, Icon::File, "Overwrite it", true).clicked() {
                decided = Some(Contested::Overwrite);
            }
        });
        Wish::Stay
    });
    decided
}

/// Decision about work that could not be saved when the window was about to close.
enum Unsaved {
    Elsewhere,
    Discard,
    Stay,
}

/// Asks what is to be done with work that is not on disk before the window closes.
fn unsaved_dialog(ctx: &Context, open: &dyn ProblemView) -> Option<Unsaved> {
    if !open.keeper().has_failed() {
        return Some(Unsaved::Stay);
    }
    let mut decided = None;
    dialog(ctx, "Not saved", 480.0, |ui| {
        ui.label(theme::title("Your work could not be saved"));
        ui.label(
            "The disk may be full, or the folder may no longer be there. Save the project on another disk, or close the \
             window and lose the changes since the last save.",
        );
        ui.add_space(space::S);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if primary(ui, Icon::Export, "Save as…", true).clicked() {
                decided = Some(Unsaved::Elsewhere);
            }
            if button(ui, Icon::Cross, "Close without saving", true).clicked() {
                decided = Some(Unsaved::Discard);
            }
            if button(ui, Icon::Reset, "Stay", true).clicked() {
                decided = Some(Unsaved::Stay);
            }
        });
        Wish::Stay
    });
    decided
}

/// Asks what is to be done with changes that are newer than the project's file; `Some(true)`: use them.
fn newer_dialog(ctx: &Context, open: &dyn ProblemView) -> Option<bool> {
    let when = open.newer()?;
    let file = open.project_file().map(|path| path.display().to_string()).unwrap_or_default();
    let mut decided = None;
    // Neither Escape nor a click outside decides, because both answers discard something.
    dialog(ctx, "Newer changes", 480.0, |ui| {
        ui.label(theme::title(format!("Newer changes from {when} were found")));
        let is_beside_others = open.keeper().has_changes_beside_others();
        let text = match is_beside_others {
            true => {
                "Another window or program has written the file since they began. Using them takes the place of edits and rules \
                 that the file has, which can be undone; versions that were published stay. Keeping the file gives them up."
            }
            false => {
                "They were made after the file was last written, which happens when the program is ended by force. \
                 Using them can be undone; keeping the file gives them up."
            }
        };
        ui.label(text);
        ui.label(theme::small(file).color(theme::palette(ui.visuals()).weak));
        ui.add_space(space::S);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            // The answer that is rarely regretted stands out.
            let [use_them, keep] = if is_beside_others { [button, primary] } else { [primary, button] };
            if use_them(ui, Icon::Check, "Use them", true).clicked() {
                decided = Some(true);
            }
            if keep(ui, Icon::File, "Keep the file", true).clicked() {
                decided = Some(false);
            }
        });
        Wish::Stay
    });
    decided
}
