//! Opening a layout problem from its file, the library or a result, with the runs that were kept of it.

use std::path::Path;

use gridwright_solver::facility::Instance;
use gridwright_solver::facility::formats::LoadOptions;
use gridwright_solver::facility::run::Settings;
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
        if project::is_project(path) {
            return Self::open_project(path, opener, store, settings);
        }
        let options = LoadOptions::default();
        let is_ron = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
        // Instances and layouts are RON, too: what is no result goes to the reader, which says what it is.
        let result = if is_ron { registry::load_result(path).ok() } else { None };
        let Some(result) = result else {
            return Ok(Self::with_runs(opener(source, &options)?, source, store, settings));
        };
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
        desk.restore(&project).map_err(|why| Error::file(path, why))?;
        desk.keeper.opened_as(store, &solving::instance_key(&desk.instance), path, &project);
        Ok((desk, notices))
    }

    fn with_runs(instance: Instance, source: &str, store: &Store, settings: Settings) -> (Self, Vec<Notice>) {
        let (mut desk, mut notices) = Self::listed_runs(instance, source, store, settings);
        let kept = store.load_plan_project(&solving::instance_key(&desk.instance)).map_err(|error| error.to_string());
        let restored = kept.and_then(|kept| match kept {
            Some(project) if project.draft.is_some() => desk.restore(&project),
            // What nobody was editing any more is looked at anew; what was demanded is demanded again.
            Some(project) => desk.restore_rules(&project),
            None => Ok(()),
        });
        if let Err(why) = restored {
            notices.push(Notice::warning("Rules and edits could not be read", why));
        }
        (desk, notices)
    }

    fn listed_runs(instance: Instance, source: &str, store: &Store, settings: Settings) -> (Self, Vec<Notice>) {
        let key = solving::instance_key(&instance);
        let admit = |result| Some(solving::admit(&instance, result));
        let (runs, notices) = Shelf::kept(store, &key, Problem::Facility, admit);
        // What was demanded last is demanded again; before the first run it is what the file says.
        let rules = runs.last().map(|run| run.rules.clone()).filter(|rules| rules.check(&instance).is_ok());
        let rules = rules.unwrap_or_else(|| instance.rules.clone());
        (Self::of(Instance { rules, ..instance }, source, settings, runs), notices)
    }

    /// Lists and shows a result from a file, unless it is listed already.
    fn add_result(&mut self, path: &Path, result: RunResult) {
        let number = self.runs.take_file(path, result, |result| solving::admit(&self.instance, result));
        self.show_run(number);
    }
}
