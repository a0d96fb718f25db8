//! Opening a flow shop from its file, the library or a result, with the runs that were kept of it.

use std::path::Path;

use gridwright_solver::flowshop::Instance;
use gridwright_solver::flowshop::formats::LoadOptions;
use gridwright_solver::flowshop::run::Settings;
use gridwright_solver::project;
use gridwright_solver::registry;
use gridwright_solver::result::RunResult;
use gridwright_solver::{Error, Result};

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
        if project::is_project(path) {
            return Self::open_project(path, opener, store, settings);
        }
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("ron")) {
            return Ok(Self::with_runs(opener(source, &options)?, source, store, settings));
        }
        if !registry::is_result(path) {
            let what = "this is the schedule of a flow shop without its data; open the flow shop itself. In a terminal \
                        “gridwright verify INSTANCE SCHEDULE.ron” checks it";
            return Err(Error::file(path, what));
        }
        let result = registry::load_result(path)?;
        let of = recognition::result_source(path, &result);
        let (mut desk, notices) = Self::with_runs(opener(&of, &options)?, &of, store, settings);
        recognition::result_is_for(&result, path, &of, &desk.instance.hash)?;
        desk.add_result(path, result);
        Ok((desk, notices))
    }

    /// A project file: its instance, and everything that was kept with it.
    fn open_project(path: &Path, opener: &Opener, store: &Store, settings: Settings) -> Result<(Self, Vec<Notice>)> {
        let project = registry::load_project(path)?;
        let options = LoadOptions::default();
        let (instance, source) =
            project.open_source(path, |source| opener(source, &options), |instance| instance.hash.clone())?;
        let (mut desk, notices) = Self::listed_runs(instance, &source, store, settings);
        desk.restore(&project);
        desk.keeper.opened_as(store, &solving::instance_key(&desk.instance), path, &project);
        Ok((desk, notices))
    }

    fn with_runs(instance: Instance, source: &str, store: &Store, settings: Settings) -> (Self, Vec<Notice>) {
        let (mut desk, mut notices) = Self::listed_runs(instance, source, store, settings);
        match store.load_plan_project(&solving::instance_key(&desk.instance)) {
            // What nobody was editing any more is looked at anew.
            Ok(Some(project)) if project.draft.is_some() => desk.restore(&project),
            Ok(_) => {}
            Err(error) => notices.push(Notice::warning("The edits could not be read", error.to_string())),
        }
        (desk, notices)
    }

    fn listed_runs(instance: Instance, source: &str, store: &Store, settings: Settings) -> (Self, Vec<Notice>) {
        let key = solving::instance_key(&instance);
        let admit = |result| Some(solving::admit(&instance, result));
        let (runs, notices) = Shelf::kept(store, &key, Problem::FlowShop, admit);
        (Self::of(instance, source, settings, runs), notices)
    }

    /// Lists and shows a result from a file, unless it is listed already.
    fn add_result(&mut self, path: &Path, result: RunResult) {
        let number = self.runs.take_file(path, result, |result| solving::admit(&self.instance, result));
        self.show_run(number);
    }
}
