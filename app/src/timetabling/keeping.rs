//! An open instance as a project: everything that a person said and made of it, and back.

use std::sync::Arc;

use gridwright_solver::result::RunResult;
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::project::Project;

use super::desk::{Desk, Shown, View};
use super::solving;
use crate::projects;

/// What a project keeps of the window; files of older versions may lack any of it.
const VIEW: &str = "view";
const SHOWN: &str = "shown";
const DRAFT: &str = "draft";

/// The key of the name of a run, by its place among the runs.
fn name_key(index: usize) -> String {
    format!("name {index}")
}

impl Desk {
    /// Everything as a project keeps it, but for the runs.
    pub fn to_project(&self) -> Project {
        let mut project = Project::of(&self.instance, &projects::absolute(&self.source));
        project.draft = self.draft().map(|draft| draft.stored(&self.instance));
        project.view.insert(VIEW.to_owned(), self.view.name().to_owned());
        let place = |number| self.runs.iter().position(|run| run.number == number);
        let shown = match self.shown {
            Shown::Draft => DRAFT.to_owned(),
            // Numbers are given anew when runs are read; places stay.
            Shown::Run(number) => place(number).map_or_else(String::new, |index| index.to_string()),
            Shown::Live | Shown::Nothing => String::new(),
        };
        project.view.insert(SHOWN.to_owned(), shown);
        for (index, run) in self.runs.iter().enumerate().filter(|(_, run)| !run.name.is_empty()) {
            project.view.insert(name_key(index), run.name.clone());
        }
        project
    }

    /// The runs that belong into the project.
    pub fn kept_runs(&self) -> Vec<Arc<RunResult>> {
        self.runs.iter().map(|run| Arc::clone(&run.result)).collect()
    }

    /// Looks at it as it was looked at.
    pub(super) fn restore_view(&mut self, project: &Project) {
        let view = project.view.get(VIEW).and_then(|name| View::ALL.into_iter().find(|view| view.name() == name));
        self.view = view.unwrap_or(self.view);
        match project.view.get(SHOWN).map(String::as_str) {
            Some(DRAFT) => self.show_draft(),
            Some(index) => {
                let index: Option<usize> = index.parse().ok();
                let run = index.and_then(|index| match project.runs.get(index) {
                    Some(result) => self.runs.iter().find(|run| *run.result == *result),
                    None => self.runs.get(index),
                });
                if let Some(number) = run.filter(|run| run.periods == self.instance.period_count()).map(|r| r.number) {
                    self.show_run(number);
                }
            }
            None => {}
        }
    }

    /// Takes in runs that a project brings along and that are not listed yet.
    pub(super) fn take_runs(&mut self, project: &Project) {
        for (index, result) in project.runs.iter().enumerate() {
            if self.runs.iter().any(|run| *run.result == *result) {
                continue;
            }
            let periods = solving::periods_of(result, &self.instance);
            if let Ok(fitted) = Instance::clone(&self.instance).with_periods(periods) {
                let mut run = solving::admit(&fitted, result.clone());
                run.number = self.next_number();
                run.name = project.view.get(&name_key(index)).cloned().unwrap_or_default();
                self.runs.push(run);
            }
        }
    }
}
