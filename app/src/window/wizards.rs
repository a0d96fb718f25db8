//! The dialogs for imports and calendars: how they are opened, fed and closed.

use std::path::{Path, PathBuf};

use egui::Context;
use gridwright_solver::timetabling::formats::import::TableKind;

use super::workplace::Open;
use super::{App, Command};
use crate::problems::timetabling::importing::Wish;
use crate::problems::timetabling::{calendar, importing};

impl App {
    /// Opens the import dialog, perhaps with a table of enrolments.
    pub(super) fn begin_import(&mut self, ctx: &Context, source: Option<String>) {
        let dialog = source.map(|source| importing::Dialog::of(ctx, &source));
        self.export = None;
        self.importing = Some(dialog.unwrap_or_default());
    }

    /// Opens the calendar of what is open.
    pub(super) fn begin_calendar(&mut self) {
        if let Some(desk) = self.open.as_ref().and_then(Open::timetabling).filter(|desk| !desk.is_solving()) {
            self.export = None;
            self.calendar = Some(calendar::Dialog::new(&desk.instance, desk.runs.iter().map(|run| run.periods)));
        }
    }

    /// The table that was chosen in the system's dialog.
    pub(super) fn set_import_path(&mut self, kind: TableKind, path: &Path) {
        if let Some(dialog) = &mut self.importing {
            dialog.choose_later(kind, path.to_path_buf());
        }
    }

    /// The folder that was chosen in the system's dialog.
    pub(super) fn set_import_folder(&mut self, path: &Path) {
        if let Some(dialog) = &mut self.importing {
            dialog.set_folder(path);
        }
    }

    /// Files that were let go over the import dialog are its tables.
    pub(super) fn drop_on_dialog(&mut self, ctx: &Context) -> bool {
        let Some(dialog) = &mut self.importing else { return false };
        let dropped: Vec<PathBuf> =
            ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_path_buf()).collect());
        for path in dropped {
            dialog.drop_file(path);
        }
        true
    }

    pub(super) fn poll_dialogs(&mut self, ctx: &Context) {
        let Some(dialog) = &mut self.importing else { return };
        if let Some(source) = dialog.poll(ctx) {
            self.importing = None;
            self.commands.push(Command::Load { source, periods: None });
        }
    }

    pub(super) fn show_dialogs(&mut self, ctx: &Context) {
        if let Some(dialog) = &mut self.importing {
            match dialog.show(ctx) {
                Some(Wish::Choose(kind)) => self.pick_table(ctx, kind),
                Some(Wish::ChooseFolder) => self.pick_import_folder(ctx),
                Some(Wish::Close) => self.importing = None,
                None => {}
            }
        }
        if let Some(dialog) = &mut self.calendar {
            match dialog.show(ctx) {
                Some(calendar::Wish::Apply(periods)) => {
                    self.calendar = None;
                    self.commands.push(Command::SetCalendar(periods));
                }
                Some(calendar::Wish::Close) => self.calendar = None,
                None => {}
            }
        }
    }
}
