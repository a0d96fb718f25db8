//! The import dialog: how it is opened, fed and closed.

use std::path::{Path, PathBuf};

use egui::Context;

use super::App;
use super::command::Command;
use crate::problem::ImportRequest;
use crate::registry;

impl App {
    /// Opens the import dialog, perhaps with a first table.
    pub(super) fn begin_import(&mut self, ctx: &Context, source: Option<String>) {
        self.export = None;
        self.importing = registry::problems().find_map(|problem| Some((problem.importer?)(ctx, source.as_deref())));
    }

    /// The table that was chosen in the system's dialog.
    pub(super) fn set_import_path(&mut self, table: usize, path: &Path) {
        if let Some(dialog) = &mut self.importing {
            dialog.choose(table, path.to_path_buf());
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

    pub(super) fn poll_import(&mut self, ctx: &Context) {
        let Some(dialog) = &mut self.importing else { return };
        if let Some(source) = dialog.poll(ctx) {
            self.importing = None;
            self.commands.push(Command::load(source));
        }
    }

    pub(super) fn show_import(&mut self, ctx: &Context) {
        let Some(dialog) = &mut self.importing else { return };
        match dialog.show(ctx) {
            Some(ImportRequest::Choose { table, title }) => self.pick_table(ctx, table, title),
            Some(ImportRequest::ChooseFolder) => self.pick_import_folder(ctx),
            Some(ImportRequest::Close) => self.importing = None,
            None => {}
        }
    }
}
