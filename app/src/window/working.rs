//! Changes to what is open, as the window offers them: edits, undo, solving around them, project files.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use egui::Context;
use gridwright_solver::timetabling::moves::alternatives;
use gridwright_solver::timetabling::project;

use super::dialogs::{Wish, dialog};
use super::workplace::Open;
use super::{App, Command, files};
use crate::problems::timetabling::Desk;
use crate::problems::timetabling::adjusting::{self, ResolveDialog};
use crate::problems::timetabling::against::Side;
use crate::problems::timetabling::editing::Edit;
use crate::projects::{Keeping, Saving};
use crate::store::Recent;
use crate::theme::{self, space};
use crate::widgets::controls::{button, primary};
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;

/// Changes reach the disk at most so often.
const KEEP_EVERY: Duration = Duration::from_millis(500);

impl App {
    /// Runs a command that changes what is open.
    pub(super) fn work(&mut self, command: Command) {
        let Some(desk) = self.open.as_mut().and_then(Open::timetabling_mut) else { return };
        let done = match command {
            Command::SetCalendar(periods) => desk.set_calendar(periods),
            Command::Compare(a, b) => {
                desk.compare([Side::Run(a.min(b)), Side::Run(a.max(b))]);
                Ok(())
            }
            Command::CompareDraft => {
                desk.compare([Side::Base, Side::Draft]);
                Ok(())
            }
            Command::GoTo(exam) => {
                desk.go_to(exam);
                Ok(())
            }
            Command::Calendar => return self.begin_calendar(),
            Command::MoveEarlier => step(desk, -1),
            Command::MoveLater => step(desk, 1),
            Command::MoveToBest => to_best(desk),
            Command::PinExam => pin(desk),
            Command::SolveAround => {
                self.around = Some(ResolveDialog::new(desk));
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(why) = done {
            self.notices.push(Notice::warning("This is not possible now", why));
        }
    }

    /// Saves the project, or asks where.
    pub(super) fn project_command(&mut self, ctx: &Context, command: &Command) {
        let named = self.keeping().is_some_and(|keeping| keeping.project_file().is_some());
        if named && *command == Command::SaveProject {
            self.tell_saved = true;
            self.save_project(Some(ctx), true);
        } else {
            self.ask_project();
        }
    }

    /// State of saving of the open instance.
    pub(super) fn keeping(&self) -> Option<&dyn Keeping> {
        self.open.as_ref().and_then(|open| open.place().keeping())
    }

    fn keeping_mut(&mut self) -> Option<&mut dyn Keeping> {
        self.open.as_mut().and_then(|open| open.place_mut().keeping_mut())
    }

    /// Returns `true` while a question about a change is open.
    pub(super) fn is_asking(&self) -> bool {
        let newer = self.keeping().is_some_and(|keeping| keeping.newer().is_some());
        self.around.is_some() || newer || self.desk().is_some_and(|desk| desk.doubt.is_some())
    }

    /// Shows the questions about changes.
    pub(super) fn show_working(&mut self, ctx: &Context) {
        if let Some(take) = self.keeping().and_then(|keeping| newer_dialog(ctx, keeping))
            && let Some(Err(why)) = self.keeping_mut().map(|keeping| keeping.decide_newer(take))
        {
            self.notices.push(Notice::warning("The newer changes could not be used", why));
        }
        let Some(desk) = self.open.as_mut().and_then(Open::timetabling_mut) else {
            self.around = None;
            return;
        };
        if desk.doubt.is_some() {
            adjusting::doubt_dialog(ctx, desk);
        }
        for notice in std::mem::take(&mut desk.sayings) {
            self.notices.push(notice);
        }
        let Some(dialog) = &mut self.around else { return };
        let decided = dialog.show(ctx, desk);
        let (weight, moved) = (dialog.weight, dialog.moved);
        if let Some(solve) = decided {
            self.around = None;
            if solve {
                match desk.stay_close(weight, moved) {
                    Ok(()) => self.commands.push(Command::Solve),
                    Err(why) => self.notices.push(Notice::warning("This is not possible now", why)),
                }
            }
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
        let Some(saving) = self.keeping_mut().and_then(|keeping| keeping.saving(always)) else { return };
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
        let Some(open) = self.open.as_mut() else { return };
        let Some(keeping) = open.place_mut().keeping_mut() else { return };
        keeping.set_project_file(path.clone());
        let place = open.place();
        let recent = Recent {
            source: path.display().to_string(),
            name: place.name().to_owned(),
            facts: place.facts_line(),
            problem: place.problem(),
            ..Recent::default()
        };
        self.tell_saved = true;
        self.save_project(Some(ctx), true);
        self.prefer(|state| state.remember(recent));
        self.look_again = true;
    }
}

/// Asks what is to be done with changes that are newer than the project's file; `Some(true)`: use them.
fn newer_dialog(ctx: &Context, keeping: &dyn Keeping) -> Option<bool> {
    let when = keeping.newer()?;
    let file = keeping.project_file().map(|path| path.display().to_string()).unwrap_or_default();
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

/// Moves the selected exam by one period.
fn step(desk: &mut Desk, by: isize) -> Result<(), &'static str> {
    let exam = desk.selected.ok_or("Select an exam first")?;
    let here = desk.picture().and_then(|picture| picture.timetable.period_of(exam));
    let there = match here {
        Some(here) => here.checked_add_signed(by).filter(|&there| there < desk.instance.period_count()),
        None => Some(0),
    };
    match there {
        Some(there) => adjusting::ask(desk, exam, there),
        None => Err("The exam is at the end of the session already"),
    }
}

fn to_best(desk: &mut Desk) -> Result<(), &'static str> {
    let exam = desk.selected.ok_or("Select an exam first")?;
    let picture = desk.picture().cloned().ok_or("There is no timetable yet")?;
    let found = desk.effects(exam);
    let here = picture.timetable.period_of(exam);
    let best = alternatives(&found, here, 1).first().copied().ok_or("No other period is free for this exam")?;
    if here.is_some_and(|here| found.get(here).is_some_and(|now| now.is_free() && found[best].change >= 0)) {
        return Err("It stands in its best period already");
    }
    desk.move_exam(exam, Some(best))
}

fn pin(desk: &mut Desk) -> Result<(), &'static str> {
    let exam = desk.selected.ok_or("Select an exam first")?;
    let here = desk.picture().and_then(|picture| picture.timetable.period_of(exam));
    let period =
        if desk.rules().pin_of(exam).is_some() { None } else { Some(here.ok_or("The exam has no period yet")?) };
    desk.edit(vec![Edit::Pin { exam, period }])
}
