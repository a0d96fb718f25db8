//! Changes to what is open, as the window offers them: edits, undo, solving around them, project files.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use egui::Context;
use gridwright_solver::timetabling::moves::{alternatives, consequences};
use gridwright_solver::timetabling::project;

use super::{App, Command, files};
use crate::timetabling::adjusting::{self, ResolveDialog};
use crate::timetabling::editing::Edit;
use crate::timetabling::{Desk, solving};
use crate::widgets::notice::Notice;

/// Changes reach the disk at most so often.
const KEEP_EVERY: Duration = Duration::from_millis(500);

impl App {
    /// Runs a command that changes what is open.
    pub(super) fn work(&mut self, command: Command) {
        let Some(desk) = &mut self.desk else { return };
        let done = match command {
            Command::SetCalendar(periods) => desk.set_calendar(periods),
            Command::Undo => {
                desk.undo();
                Ok(())
            }
            Command::Redo => {
                desk.redo();
                Ok(())
            }
            Command::MoveEarlier => step(desk, -1),
            Command::MoveLater => step(desk, 1),
            Command::MoveToBest => to_best(desk),
            Command::PinExam => pin(desk),
            Command::ShowDraft => {
                desk.show_draft();
                Ok(())
            }
            Command::DiscardDraft => desk.edit(vec![Edit::Discard]),
            Command::SolveAround => {
                self.around = Some(ResolveDialog::new(desk));
                Ok(())
            }
            Command::SaveProject => {
                match desk.project_file() {
                    Some(_) => self.save_project(true),
                    None => self.ask_project(),
                }
                Ok(())
            }
            Command::SaveProjectAs => {
                self.ask_project();
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(why) = done {
            self.notices.push(Notice::warning("This is not possible now", why));
        }
    }

    /// Whether a question about a change is open.
    pub(super) fn is_asking(&self) -> bool {
        self.around.is_some() || self.desk.as_ref().is_some_and(|desk| desk.doubt.is_some())
    }

    /// Shows the questions about changes.
    pub(super) fn show_working(&mut self, ctx: &Context) {
        let Some(desk) = &mut self.desk else {
            self.around = None;
            return;
        };
        if desk.doubt.is_some() {
            adjusting::doubt_dialog(ctx, desk);
        }
        for words in std::mem::take(&mut desk.sayings) {
            self.notices.push(Notice::warning("This is not possible now", words));
        }
        let Some(dialog) = &mut self.around else { return };
        let decided = dialog.show(ctx, desk);
        let (weight, keep) = (dialog.weight, dialog.keep);
        if let Some(solve) = decided {
            self.around = None;
            if solve {
                match desk.stay_close(weight, keep) {
                    Ok(()) => self.commands.push(Command::Solve),
                    Err(why) => self.notices.push(Notice::warning("This is not possible now", why)),
                }
            }
        }
    }

    /// Keeps changes on disk soon after they were made.
    pub(super) fn keep_project(&mut self, ctx: &Context) {
        if !self.desk.as_ref().is_some_and(Desk::has_changed) {
            return;
        }
        let since = self.project_saved.map(|at| at.elapsed());
        match since.filter(|since| *since < KEEP_EVERY) {
            None => self.save_project(false),
            Some(since) => ctx.request_repaint_after(KEEP_EVERY.saturating_sub(since)),
        }
    }

    /// Writes calendar, rules and edits: to the program's own folder, and to the project's file where there is one.
    pub(super) fn save_project(&mut self, always: bool) {
        let Some(desk) = &mut self.desk else { return };
        let wanted = desk.has_changed() || (always && desk.project_file().is_some());
        if !wanted {
            return;
        }
        desk.mark_kept();
        self.project_saved = Some(Instant::now());
        let (store, key) = (self.store.clone(), solving::instance_key(&desk.instance));
        let (project, path) = (desk.to_project(), desk.project_file().map(Path::to_path_buf));
        let failed = std::sync::Arc::clone(&self.unsaved);
        let (saves, number) = (Arc::clone(desk.saves()), desk.saves().fetch_add(1, Ordering::Relaxed) + 1);
        files::save_in_order(move || {
            // Where writing takes longer than the next change, only the newest is written: nothing piles up.
            if saves.load(Ordering::Relaxed) != number {
                return;
            }
            let mut kept = project.clone();
            // Runs lie in the folder already.
            kept.runs.clear();
            let result = store.save_project(&key, &kept).and_then(|()| path.map_or(Ok(()), |path| project.save(&path)));
            *failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
                result.err().map(|error| error.to_string());
        });
    }

    /// Tells of a project that could not be written.
    pub(super) fn tell_unsaved(&mut self) {
        let why = self.unsaved.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(why) = why {
            let notice =
                Notice::error("The project could not be saved", format!("{why}\nSave it elsewhere: Ctrl+Shift+S"));
            self.notices.push(notice);
        }
    }

    /// The project is kept in this file from now on.
    pub(super) fn set_project_file(&mut self, path: &Path) {
        let path = project::with_ending(path);
        let Some(desk) = &mut self.desk else { return };
        desk.set_project_file(path.clone());
        self.save_project(true);
        let text = format!("{}\nFrom now on every change is kept there as you make it.", path.display());
        self.notices.push(Notice::success("Project saved", text));
    }
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
    let found = consequences(&desk.instance, &picture.timetable, exam);
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
