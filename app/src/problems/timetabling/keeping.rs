//! Conversion of an open instance to a project and back: rules, edits, runs and view settings.

use std::path::Path;
use std::sync::Arc;

use gridwright_solver::result::RunResult;
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::project::Project;

use super::desk::{Desk, Shown, View};
use super::editing::{Draft, Work};
use super::solving::{self, instance_key};
use crate::projects::{self, Keeper, Projected};

/// Key of the view state in a project file; files of older versions may lack it.
const VIEW: &str = "view";

impl Desk {
    /// Restores the view settings that the project stores.
    pub(super) fn restore_view(&mut self, project: &Project) {
        let view = project.view.get(VIEW).and_then(|name| View::ALL.into_iter().find(|view| view.name() == name));
        self.view = view.unwrap_or(self.view);
        match projects::shown_in(&project.view, &project.runs, &self.runs) {
            Some(Shown::Draft) => self.show_draft(),
            Some(Shown::Run(number)) if self.listed().any(|run| run.number == number) => self.show_run(number),
            _ => {}
        }
    }

    /// Adds the runs of a project that are not listed yet.
    pub(super) fn take_runs(&mut self, project: &Project) {
        let admit = |result: RunResult| {
            let periods = solving::periods_of(&result, &self.instance);
            let fitted = Instance::clone(&self.instance).with_periods(periods).ok()?;
            Some(solving::admit(&fitted, result))
        };
        self.runs.take(&project.runs, |index| projects::name_of(&project.view, index), admit);
    }

    /// Project file chosen by the user, if there is one.
    pub fn project_file(&self) -> Option<&Path> {
        self.bench.keeper.file()
    }
}

impl Projected for Desk {
    type Project = Project;

    fn keeper(&self) -> &Keeper<Project> {
        &self.bench.keeper
    }

    fn keeper_mut(&mut self) -> &mut Keeper<Project> {
        &mut self.bench.keeper
    }

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn to_project(&self) -> Project {
        let mut project = Project::of(&self.instance, &projects::absolute(&self.source));
        project.draft = self.draft().map(|draft| draft.stored(&self.instance));
        project.view.insert(VIEW.to_owned(), self.view.name().to_owned());
        projects::keep_runs(&mut project.view, &self.runs, self.shown);
        project
    }

    fn results(&self) -> Vec<Arc<RunResult>> {
        self.runs.results()
    }

    fn is_edited(&self) -> bool {
        self.draft().is_some()
    }

    fn use_newer(&mut self, project: Project) -> Result<(), String> {
        let opened = Instance::clone(&self.bench.opened);
        let fitted = project.apply(opened).map_err(|error| error.to_string())?;
        let mut work = Work::of(&fitted);
        work.draft = project.draft.as_ref().map(|stored| Draft::of(&fitted, stored));
        self.go_on_from(work, "use the newer changes");
        Ok(())
    }

    fn contents(&self) -> &'static str {
        "Calendar, rules, the edited timetable and all runs in one file. It is kept up to date as you work."
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn title(&self) -> &str {
        &self.instance.name
    }
}
