//! An open flow shop as a project: the order that is being edited, the runs, and how all of it is looked at; and back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_solver::flowshop::drawing::layout::Rows;
use gridwright_solver::flowshop::{Instance, Order as Sequence};
use gridwright_solver::project::{Project, StoredDraft};
use gridwright_solver::result::{InstanceReference, Solution};

use super::Desk;
use super::editing::Draft;
use super::solving::{self, Run, instance_key, names, order_of};
use super::view::View;
use crate::projects::{self, Keeping, Saving, name_key};
use crate::runs::Shown;
use crate::widgets::gantt::Selection;

/// What a project keeps of the window; files of older versions may lack any of it.
const VIEW: &str = "view";
const SHOWN: &str = "shown";
const GOAL: &str = "minimise";
const ROWS: &str = "rows";
const SELECTED: &str = "selected";
const PATH: &str = "critical path";
const DUE: &str = "due dates";
const KEPT: &str = "efficiency to keep";
const DRAFT: &str = "draft";

/// Whether a switch is on, by what a project says.
fn on(view: &BTreeMap<String, String>, key: &str, otherwise: bool) -> bool {
    view.get(key).map_or(otherwise, |text| text == "on")
}

impl Desk {
    /// Everything as a project keeps it, but for the runs.
    pub fn to_project(&self) -> Project {
        let instance = InstanceReference {
            name: self.instance.name.clone(),
            source: projects::absolute(&self.source),
            hash: self.instance.hash.clone(),
            options: BTreeMap::new(),
        };
        let mut project = Project::of("flowshop", instance);
        project.draft = self.draft.as_ref().map(|draft| StoredDraft {
            name: draft.from.clone(),
            solution: Solution::Order(names(&self.instance, &draft.order.0)),
            base: Solution::Order(names(&self.instance, &draft.base.0)),
        });
        let mut keep = |key: &str, text: String| project.view.insert(key.to_owned(), text);
        let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
        keep(VIEW, self.view.name().to_owned());
        keep(GOAL, self.settings.objective.to_string());
        keep(ROWS, if self.charting.rows == Rows::Jobs { "jobs" } else { "machines" }.to_owned());
        keep(PATH, switch(self.charting.critical_path));
        keep(DUE, switch(self.charting.due_dates));
        keep(KEPT, self.efficiency.kept.to_string());
        if let Some(job) = self.selected.and_then(|selection| self.instance.jobs.get(selection.job)) {
            keep(SELECTED, job.name.clone());
        }
        let place = |number| self.runs.iter().position(|run| run.number == number);
        let shown = match self.shown {
            Shown::Draft => Some(DRAFT.to_owned()),
            // Numbers are given anew when runs are read; places stay.
            Shown::Run(number) => place(number).map(|index| index.to_string()),
            Shown::Live | Shown::Nothing => None,
        };
        if let Some(shown) = shown {
            keep(SHOWN, shown);
        }
        for (index, run) in self.runs.iter().enumerate().filter(|(_, run)| !run.name.is_empty()) {
            keep(&name_key(index), run.name.clone());
        }
        project
    }

    /// Takes in what a project brings along: runs that are not listed yet, what was edited, how it was looked at.
    pub(super) fn restore(&mut self, project: &Project) {
        self.take_runs(project);
        self.draft = project.draft.as_ref().and_then(|stored| draft_of(&self.instance, stored));
        self.restore_view(project);
    }

    fn take_runs(&mut self, project: &Project) {
        for (index, result) in project.runs.iter().enumerate() {
            if self.runs.iter().any(|run| *run.result == *result) {
                continue;
            }
            let admitted = solving::admit(&self.instance, result.clone());
            let name = project.view.get(&name_key(index)).cloned().unwrap_or_default();
            self.runs.push(Run { number: self.next_number(), name, ..admitted });
        }
    }

    fn restore_view(&mut self, project: &Project) {
        let said = |key: &str| project.view.get(key).map(String::as_str);
        if let Some(view) = said(VIEW).and_then(|name| View::ALL.into_iter().find(|view| view.name() == name)) {
            self.view = view;
        }
        if let Some(goal) = said(GOAL).and_then(|text| text.parse().ok()).filter(|goal| self.is_possible(*goal)) {
            self.set_goal(goal);
        }
        self.charting.rows = if said(ROWS) == Some("jobs") { Rows::Jobs } else { Rows::Machines };
        self.charting.critical_path = on(&project.view, PATH, self.charting.critical_path);
        self.charting.due_dates = on(&project.view, DUE, self.charting.due_dates);
        let kept = said(KEPT).and_then(|text| text.parse().ok()).filter(|kept: &f64| kept.is_finite());
        self.efficiency.kept = kept.unwrap_or(self.efficiency.kept).clamp(0.05, 0.95);
        let job = said(SELECTED).and_then(|name| self.instance.job_index(name));
        self.selected = job.map(|job| Selection { job, machine: None });
        match said(SHOWN) {
            Some(DRAFT) => self.show_draft(),
            Some(index) => {
                let index: Option<usize> = index.parse().ok();
                let run = index.and_then(|index| match project.runs.get(index) {
                    Some(result) => self.runs.iter().find(|run| *run.result == *result),
                    None => self.runs.get(index),
                });
                if let Some(number) = run.map(|run| run.number) {
                    self.show_run(number);
                }
            }
            None => {}
        }
        self.refresh();
    }

    /// Runs were named otherwise.
    pub fn runs_have_changed(&mut self) {
        self.keeper.touch_runs();
    }

    /// The person's file, where there is one.
    pub fn project_file(&self) -> Option<&Path> {
        self.keeper.file()
    }
}

/// A draft as it was kept; `None` where it names jobs that the instance does not have.
fn draft_of(instance: &Instance, stored: &StoredDraft) -> Option<Draft> {
    let order = |solution: &Solution| {
        let order = order_of(instance, solution).ok()?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        // Every job once: drafts are orders that can be shown.
        let whole = sorted.iter().enumerate().all(|(at, &job)| at == usize::from(job));
        (whole && order.len() == instance.job_count()).then(|| Arc::new(Sequence(order)))
    };
    Some(Draft { from: stored.name.clone(), base: order(&stored.base)?, order: order(&stored.solution)? })
}

impl Keeping for Desk {
    fn project_file(&self) -> Option<&Path> {
        self.keeper.file()
    }

    fn set_project_file(&mut self, path: PathBuf) {
        self.keeper.set_file(path);
    }

    fn has_changed(&self) -> bool {
        self.keeper.has_changed()
    }

    fn newer(&self) -> Option<String> {
        self.keeper.newer()
    }

    fn decide_newer(&mut self, take: bool) -> Result<(), String> {
        let Some(project) = self.keeper.take_newer().filter(|_| take) else { return Ok(()) };
        let draft = match &project.draft {
            Some(stored) => {
                Some(draft_of(&self.instance, stored).ok_or("The jobs are no longer those of this instance")?)
            }
            None => None,
        };
        self.go_on_from(draft, "use the newer changes");
        Ok(())
    }

    fn saving(&mut self, always: bool) -> Option<Saving> {
        let mut keeper = std::mem::take(&mut self.keeper);
        let runs = || self.runs.iter().map(|run| Arc::clone(&run.result)).collect();
        let (key, edited) = (instance_key(&self.instance), self.draft.is_some());
        let saving = keeper.saving((always, edited), key, || self.to_project(), runs);
        self.keeper = keeper;
        saving
    }

    fn contents(&self) -> &'static str {
        "The order that is being edited, all runs and how you look at them in one file. It is kept up to date as you work."
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn title(&self) -> &str {
        &self.instance.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_of_other_jobs_is_not_taken() {
        let instance = Instance::of_times("by hand", 2, vec![3, 2, 1, 4]).unwrap();
        let [one, two] = [0, 1].map(|job| instance.jobs[job].name.clone());
        let stored = |names: Vec<String>| StoredDraft {
            name: "run 1".to_owned(),
            solution: Solution::Order(names),
            base: Solution::Order(vec![one.clone(), two.clone()]),
        };
        let draft = draft_of(&instance, &stored(vec![two.clone(), one.clone()])).unwrap();
        assert_eq!((&draft.order.0[..], &draft.base.0[..]), (&[1, 0][..], &[0, 1][..]));
        assert_eq!(draft_of(&instance, &stored(vec![one.clone()])), None, "jobs are missing");
        assert_eq!(draft_of(&instance, &stored(vec![one.clone(), one.clone()])), None, "one stands twice");
        assert_eq!(draft_of(&instance, &stored(vec!["Moon".to_owned(), one.clone()])), None, "nobody knows it");
    }
}
