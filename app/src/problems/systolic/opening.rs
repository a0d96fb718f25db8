//! Opening a binary problem from its file, the library or a result, with the runs that were kept of it.

use std::path::Path;

use gridwright_solver::Result;
use gridwright_solver::registry;
use gridwright_solver::result::RunResult;
use gridwright_solver::systolic::Instance;
use gridwright_solver::systolic::formats::LoadOptions;
use gridwright_solver::systolic::run::Settings;

use super::Desk;
use super::desk::Opener;
use super::solving;
use crate::recognition;
use crate::runs::Shelf;
use crate::store::{Problem, Store};
use crate::widgets::notice::Notice;

impl Desk {
    /// Opens an instance and the runs that were kept of it; for a thread that may take its time. A result file opens the
    /// instance that it belongs to and is shown.
    ///
    /// # Errors
    /// Error if the file cannot be read or is malformed.
    pub fn open(source: &str, opener: &Opener, store: &Store, settings: Settings) -> Result<(Self, Vec<Notice>)> {
        let path = Path::new(source);
        let options = LoadOptions::default();
        if !registry::is_result(path) {
            return Ok(Self::with_runs(opener(source, &options)?, source, store, settings));
        }
        let result = registry::load_result(path)?;
        let of = recognition::result_source(path, &result);
        let (mut desk, notices) = Self::with_runs(opener(&of, &options)?, &of, store, settings);
        recognition::result_is_for(&result, path, &of, &desk.instance.hash)?;
        desk.add_result(path, result);
        Ok((desk, notices))
    }

    fn with_runs(instance: Instance, source: &str, store: &Store, settings: Settings) -> (Self, Vec<Notice>) {
        let key = solving::instance_key(&instance);
        let admit = |result| Some(solving::admit(&instance, result));
        let (runs, notices) = Shelf::kept(store, &key, Problem::Systolic, admit);
        (Self::of(instance, source, settings, runs), notices)
    }

    /// Lists and shows a result from a file, unless it is listed already.
    fn add_result(&mut self, path: &Path, result: RunResult) {
        let number = self.runs.take_file(path, result, |result| solving::admit(&self.instance, result));
        self.show_run(number);
    }
}
