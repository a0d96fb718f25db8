//! The file that an instance was opened from, while the document is open: a change by another program is told, and taken over
//! if the person wants that.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Context;
use gridwright_solver::Result;
use gridwright_solver::data::{Tables, differences};
use gridwright_solver::files::Stamp;
use gridwright_solver::source;

use super::kind::{DocumentKind, Refusal};
use super::tables::Data;
use super::{Document, Work};
use crate::later::Later;
use crate::widgets::notice::{Action, Notice};

/// Largest number of files of a folder that are watched.
const MOST_FILES: usize = 200;

/// Files of a source, and what they hold since they changed.
pub(super) struct Watch<I> {
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    reading: Later<Result<Arc<Data<I>>>>,
    found: Option<Arc<Data<I>>>,
}

impl<I> Watch<I> {
    /// The files of a source as they are now.
    pub(super) fn of(source: &str) -> Self {
        Self { stamps: stamps_of(source), reading: Later::default(), found: None }
    }
}

/// The files that a source consists of: itself and, for tables and folders, the tables beside it. Empty for a name.
fn stamps_of(source: &str) -> Vec<(PathBuf, Option<Stamp>)> {
    let path = source::path(source);
    let is_table = |path: &Path| path.extension().is_some_and(|ending| ending == "csv" || ending == "tsv");
    let folder = match path.parent() {
        _ if path.is_dir() => Some(path.as_path()),
        Some(folder) if path.is_file() && is_table(&path) => Some(folder),
        _ => None,
    };
    let beside = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
    let mut files: Vec<PathBuf> =
        beside.flatten().map(|entry| entry.path()).filter(|path| is_table(path)).take(MOST_FILES).collect();
    files.push(path);
    files.sort();
    files.dedup();
    files.into_iter().filter(|file| file.is_file()).map(|file| (file.clone(), Stamp::of(&file))).collect()
}

impl<K: DocumentKind> Document<K> {
    /// Looks whether the file of the instance has changed, and reads it in a thread if it has.
    pub fn look_at_source(&mut self, ctx: &Context) {
        if K::Instance::TABLES.is_empty() || self.watch.reading.is_busy() {
            return;
        }
        let stamps = stamps_of(&self.source);
        // A file that is away for a moment is being replaced, or its disk was taken out.
        if stamps.is_empty() || stamps == self.watch.stamps {
            return;
        }
        self.watch.stamps = stamps;
        let options = K::options_of(&K::stored_options(&self.instance));
        let source = self.source.clone();
        self.watch.reading.begin(ctx, "read changed file", move || {
            K::open_instance(&source, &options).map(|instance| Data::of(&instance))
        });
    }

    /// Tells of a changed file once it is read.
    pub(super) fn poll_source(&mut self) {
        let Some(read) = self.watch.reading.take_result() else { return };
        let heading = format!("The file of {} has changed", K::name(&self.instance));
        match read.map_err(|why| why.to_string()).and_then(|data| data.map_err(|error| error.to_string())) {
            Err(why) => {
                let text = format!("It cannot be read now: {why}. The data shown here stay as they are.");
                self.sayings.push(Notice::warning(heading, text));
            }
            Ok(data) if data.tables.tables == self.opened_data.tables.tables => self.watch.found = None,
            Ok(data) => {
                let edits = match self.data_changes().is_empty() {
                    true => "",
                    false => " The changes that you made to the data here would be replaced; undo brings them back.",
                };
                let changes = differences(K::Instance::TABLES, &self.opened_data.tables, &data.tables).join(", ");
                let text = format!("{changes}. Runs, rules and edits of the {} stay.{edits}", K::PROBLEM.nouns().plan);
                self.watch.found = Some(data);
                self.sayings.push(Notice::warning(heading, text).offering(Action::TakeOverFile));
            }
        }
    }

    /// Takes over the changed file, as one step that can be undone.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub fn take_over_source(&mut self) -> std::result::Result<(), Refusal> {
        let Some(data) = self.watch.found.clone() else { return Err("The file has not changed since") };
        let (work, remarks): (Work<K>, _) = self.carried(Arc::clone(&data));
        self.change("take over the changed file", work, None)?;
        self.watch.found = None;
        self.source_hash.clone_from(&data.tables.hash);
        self.opened_data = data;
        self.tell_carried(remarks);
        Ok(())
    }
}
