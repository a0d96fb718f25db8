//! Opening an instance from its file, a project or a result, with the runs that were kept of it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use gridwright_solver::Result;
use gridwright_solver::registry;
use gridwright_solver::result::RunResult;
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::formats::LoadOptions;
use gridwright_solver::timetabling::project::{self, Project};
use gridwright_solver::timetabling::run::Settings;

use super::{Desk, Opener, Shown, View};
use crate::problems::timetabling::analysis::Facts;
use crate::problems::timetabling::solving::Run;
use crate::problems::timetabling::working::Bench;
use crate::problems::timetabling::{adjusting, against, exams, grid, periods, solving, views};
use crate::recognition;
use crate::runs::Shelf;
use crate::store::{Problem, Store};
use crate::widgets::convergence::Look;
use crate::widgets::notice::Notice;

impl Desk {
    /// Opens an instance and the runs that were kept of it; for a thread that may take its time. A result file opens
    /// the instance that it belongs to and is shown.
    ///
    /// # Errors
    /// Error if the files cannot be read or are malformed.
    pub fn open(
        source: &str,
        options: &LoadOptions,
        opener: &Opener,
        store: &Store,
        settings: Settings,
    ) -> Result<(Self, Vec<Notice>)> {
        let path = Path::new(source);
        if project::is_project(path) {
            return Self::open_project(path, opener, store, settings);
        }
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("ron")) {
            return Ok(Self::with_instance(opener(source, options)?, source, store, settings, None));
        }
        let result = registry::load_result(path)?;
        recognition::result_is_of(&result, path, Problem::Timetabling.problem())?;
        let of = recognition::result_source(path, &result);
        let periods = result.instance.options.get("periods").and_then(|text| text.parse().ok());
        let options = LoadOptions { periods: options.periods.or(periods) };
        let (mut desk, notices) = Self::with_instance(opener(&of, &options)?, &of, store, settings, None);
        recognition::result_is_for(&result, path, &of, &desk.instance.file_hash)?;
        desk.add_result(path, result);
        Ok((desk, notices))
    }

    /// A project file: its instance, and everything that was kept with it.
    fn open_project(path: &Path, opener: &Opener, store: &Store, settings: Settings) -> Result<(Self, Vec<Notice>)> {
        let project = Project::load(path)?;
        let (instance, source) = project.open_source(path, |source, options| opener(source, options))?;
        // What contradicts the instance is an error before anything is shown.
        project.apply(instance.clone())?;
        let (mut desk, notices) = Self::with_instance(instance, &source, store, settings, Some(&project));
        desk.bench.keeper.opened_as(store, &solving::instance_key(&desk.instance), path, &project);
        Ok((desk, notices))
    }

    fn with_instance(
        instance: Instance,
        source: &str,
        store: &Store,
        settings: Settings,
        project: Option<&Project>,
    ) -> (Self, Vec<Notice>) {
        let key = solving::instance_key(&instance);
        let (runs, mut notices) = Shelf::kept(store, &key, Problem::Timetabling, admitting(&instance));
        let kept = match project {
            Some(project) => Some(project.clone()),
            None => store.load_project(&key).unwrap_or_else(|error| {
                notices.push(Notice::warning("Calendar, rules and edits could not be read", error.to_string()));
                None
            }),
        };
        let (bench, fitted) = Bench::new(instance, kept.as_ref());
        if let Err(error) = fitted {
            notices.push(Notice::warning("Calendar, rules and edits could not be taken over", error.to_string()));
        }
        let instance = bench.instance();
        let mut desk = Self {
            facts: Facts::of(&instance),
            instance: Arc::new(instance),
            bench,
            doubt: None,
            relating: adjusting::Relating::default(),
            sayings: Vec::new(),
            source: source.to_owned(),
            settings,
            runs,
            live: None,
            shown: Shown::Nothing,
            view: View::default(),
            selected: None,
            canvas_focused: false,
            look: Look::default(),
            runs_instead: false,
            grid: grid::State::default(),
            exams: exams::State::default(),
            periods: periods::State::default(),
            views: views::Views::default(),
            against: against::State::default(),
            picture: None,
            revision: 0,
            people: super::counting::State::default(),
        };
        if let Some(kept) = &kept {
            desk.take_runs(kept);
        }
        desk.show_best();
        if let Some(kept) = &kept {
            desk.restore_view(kept);
        }
        (desk, notices)
    }

    /// Lists and shows a result from a file, unless it is listed already.
    fn add_result(&mut self, path: &Path, result: RunResult) {
        let number = self.runs.take_file(path, result, |result| solving::admit(&self.instance, result));
        self.show_run(number);
    }
}

/// Converts kept runs to runs of the list, each checked with its own number of periods.
fn admitting(instance: &Instance) -> impl FnMut(RunResult) -> Option<Run> {
    let mut by_periods: HashMap<usize, Option<Instance>> = HashMap::new();
    move |result| {
        let periods = solving::periods_of(&result, instance);
        let fitted = by_periods.entry(periods).or_insert_with(|| instance.clone().with_periods(periods).ok());
        fitted.as_ref().map(|fitted| solving::admit(fitted, result))
    }
}
