//! The import dialog: how it is opened, fed and closed. And new instances, which begin with a small one.

use std::path::{Path, PathBuf};

use egui::Context;
use gridwright_core::data::import::{Mapping, Sheet};
use gridwright_core::text::columns::{self, Column};
use gridwright_core::text::{ending, sheets};
use gridwright_core::{files, project};

use super::App;
use super::command::Command;
use crate::importing::{self, Dialog, Finished, Wish};
use crate::problem::ProblemUi;
use crate::widgets::notice::Notice;

/// Largest file that is looked at to see whether it is a table.
const MOST_LOOKED_AT: u64 = 64 << 20;

/// Chance that a person can import a file that could not be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Importable {
    /// None: the file is no table.
    No,
    /// The header says nothing to the program: a person has to assign the columns.
    UnknownHeader,
    /// The table is known, but holds errors.
    BadLines,
}

/// Classifies a file that could not be opened; for a thread.
pub(super) fn importable(path: &Path) -> Importable {
    let ending = ending(path);
    let is_named = matches!(ending.as_str(), "csv" | "tsv" | "tab") || sheets::is_named_workbook(path);
    let is_small = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MOST_LOOKED_AT);
    if !is_small || !(is_named || matches!(ending.as_str(), "txt" | "dat" | "")) {
        return Importable::No;
    }
    let known = |problem: &ProblemUi| {
        let sheets = Sheet::read(path, problem.descriptor().tables, None, None).ok()?;
        // A table without lines below its header has nothing to import.
        let has_lines = sheets.iter().any(|sheet| sheet.len() >= 2 && sheet.width() > 1);
        has_lines.then(|| sheets.iter().any(|sheet| has_required_columns(problem, sheet)))
    };
    let found: Vec<bool> = importing::problems().filter_map(known).collect();
    match () {
        () if found.contains(&true) => Importable::BadLines,
        () if !found.is_empty() && is_named => Importable::UnknownHeader,
        () => Importable::No,
    }
}

/// Returns `true` if the header of a sheet names all columns that a required table of the problem, or any table if none is
/// required, must have.
fn has_required_columns(problem: &ProblemUi, sheet: &Sheet) -> bool {
    let needs_one = problem.descriptor().tables.iter().any(|table| table.is_required);
    let tables = problem
        .descriptor()
        .tables
        .iter()
        .enumerate()
        .filter(|(_, table)| !table.is_form && (table.is_required || !needs_one));
    tables.into_iter().any(|(at, table)| {
        let mapping = Mapping::guess_for(sheet, problem.descriptor().tables, at);
        let names = sheet.names(mapping.header);
        let columns: Vec<Column> =
            table.columns.iter().map(|column| column.column).filter(|column| column.required).collect();
        mapping.header.is_some()
            && !columns.is_empty()
            && columns::find(names.iter().map(String::as_str), &columns).iter().all(Option::is_some)
    })
}

impl App {
    /// Opens the import dialog, perhaps with a first file.
    pub(super) fn begin_import(&mut self, ctx: &Context, source: Option<String>) {
        self.export = None;
        self.importing = match source {
            Some(source) => Dialog::of(ctx, &source),
            None => Dialog::new(None),
        };
    }

    /// The file with tables that was chosen in the dialog.
    pub(super) fn add_import_file(&mut self, path: &Path) {
        if let Some(dialog) = &mut self.importing {
            dialog.add_file(path.to_path_buf());
        }
    }

    /// The file of the project that was chosen in the dialog.
    pub(super) fn set_import_target(&mut self, path: &Path) {
        if let Some(dialog) = &mut self.importing {
            dialog.set_target(path);
        }
    }

    /// Files that were let go over the import dialog are its tables; returns `true` if it is open. Of other files the first one is
    /// opened, and the others are named.
    pub(super) fn take_dropped(&mut self, ctx: &Context) -> bool {
        let dropped: Vec<PathBuf> =
            ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_path_buf()).collect());
        if let Some(dialog) = &mut self.importing {
            dropped.into_iter().for_each(|path| dialog.add_file(path));
            return true;
        }
        if !dropped.is_empty() && self.updating.is_none() {
            self.take_dropped_files(dropped);
        }
        false
    }

    pub(super) fn poll_import(&mut self, ctx: &Context) {
        let Some(dialog) = &mut self.importing else { return };
        let finished = dialog.poll(ctx);
        if finished.is_some() {
            self.importing = None;
        }
        match finished {
            Some(Finished::Written(source)) => self.commands.push(Command::load(source)),
            Some(Finished::Compared(present, update)) => self.take_assigned(present, *update),
            None => {}
        }
    }

    pub(super) fn show_import(&mut self, ctx: &Context) {
        let Some(dialog) = &mut self.importing else { return };
        match dialog.show(ctx) {
            Some(Wish::ChooseFile) => self.pick_tables(ctx),
            Some(Wish::ChooseTarget) => self.pick_import_target(ctx),
            Some(Wish::Close) => self.importing = None,
            None => {}
        }
    }

    /// Begins a new instance of a problem: a small one, kept as a project in the program's folder until it is saved elsewhere.
    pub(super) fn begin_new(&mut self, problem: &str) {
        let found = importing::problems().find(|other| other.problem.id() == problem);
        let Some((problem, data)) = found.and_then(|problem| Some((problem, (problem.descriptor().template)()?)))
        else {
            return;
        };
        let folder = self.store.new_projects();
        let names =
            (1..1000).map(|number| folder.join(format!("New {}-{number}.{}", problem.problem.id(), project::ENDING)));
        let mut free = names.filter(|path| !path.exists());
        let Some(path) = free.next() else { return };
        let kept = files::create_folder(&folder).map_err(|error| error.to_string());
        let kept = kept.and_then(|()| {
            importing::project_of(problem, data, Vec::new(), &path).save(&path).map_err(|error| error.to_string())
        });
        match kept {
            Ok(()) => self.commands.push(Command::load(path.display().to_string())),
            Err(why) => self.notices.push(Notice::error("A new instance could not be kept", why)),
        }
    }
}
