//! Conversion of an open flow shop to a project and back: the edited order, the runs and the view settings.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gridwright_solver::flowshop::drawing::layout::GanttRows;
use gridwright_solver::flowshop::stored;
use gridwright_solver::flowshop::{Instance, Order as Sequence};
use gridwright_solver::project::{Project, StoredDraft};
use gridwright_solver::result::{Encoded, InstanceReference, RunResult};

use super::Desk;
use super::editing::Draft;
use super::solving::{self, instance_key};
use super::view::View;
use crate::problems::flowshop::widgets::gantt::Selection;
use crate::projects::{self, Keeper, Projected};
use crate::runs::Shown;

/// Keys of the view state in a project file; files of older versions may lack any of them.
const VIEW: &str = "view";
const GOAL: &str = "minimise";
const ROWS: &str = "rows";
const SELECTED: &str = "selected";
const PATH: &str = "critical path";
const DUE: &str = "due dates";
const KEPT: &str = "efficiency to keep";

/// Returns `true` if a project stores the switch as on; `otherwise` if the project lacks the key.
fn on(view: &BTreeMap<String, String>, key: &str, otherwise: bool) -> bool {
    view.get(key).map_or(otherwise, |text| text == "on")
}

impl Desk {
    /// Restores a project: runs that are not listed yet, the edited order, the view settings.
    pub(super) fn restore(&mut self, project: &Project) {
        let admit = |result| Some(solving::admit(&self.instance, result));
        self.runs.take(&project.runs, |index| projects::name_of(&project.view, index), admit);
        self.draft = project.draft.as_ref().and_then(|stored| draft_of(&self.instance, stored));
        self.restore_view(project);
    }

    fn restore_view(&mut self, project: &Project) {
        let said = |key: &str| project.view.get(key).map(String::as_str);
        if let Some(view) = said(VIEW).and_then(|name| View::ALL.into_iter().find(|view| view.name() == name)) {
            self.view = view;
        }
        if let Some(goal) = said(GOAL).and_then(|text| text.parse().ok()).filter(|goal| self.is_possible(*goal)) {
            self.set_goal(goal);
        }
        self.charting.rows = if said(ROWS) == Some("jobs") { GanttRows::Jobs } else { GanttRows::Machines };
        self.charting.critical_path = on(&project.view, PATH, self.charting.critical_path);
        self.charting.due_dates = on(&project.view, DUE, self.charting.due_dates);
        let kept = said(KEPT).and_then(|text| text.parse().ok()).filter(|kept: &f64| kept.is_finite());
        self.efficiency.kept = kept.unwrap_or(self.efficiency.kept).clamp(0.05, 0.95);
        let job = said(SELECTED).and_then(|name| self.instance.job_index(name));
        self.selected = job.map(|job| Selection { job, machine: None });
        match projects::shown_in(&project.view, &project.runs, &self.runs) {
            Some(Shown::Draft) => self.show_draft(),
            Some(Shown::Run(number)) => self.show_run(number),
            _ => {}
        }
        self.refresh();
    }

    /// Runs were named otherwise.
    pub fn runs_have_changed(&mut self) {
        self.keeper.touch_runs();
    }

    /// Project file chosen by the user, if there is one.
    pub fn project_file(&self) -> Option<&Path> {
        self.keeper.file()
    }
}

/// Reads a stored draft; `None` if it names jobs that the instance does not have.
fn draft_of(instance: &Instance, stored: &StoredDraft) -> Option<Draft> {
    let order = |solution: &Encoded| {
        let order = stored::decode(instance, solution).ok()?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        // Every job once: drafts are orders that can be shown.
        let whole = sorted.iter().enumerate().all(|(at, &job)| at == usize::from(job));
        (whole && order.len() == instance.job_count()).then(|| Arc::new(Sequence(order)))
    };
    Some(Draft { from: stored.name.clone(), base: order(&stored.base)?, order: order(&stored.solution)? })
}

impl Projected for Desk {
    type Project = Project;

    fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    fn keeper_mut(&mut self) -> &mut Keeper {
        &mut self.keeper
    }

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn to_project(&self) -> Project {
        let instance = InstanceReference {
            name: self.instance.name.clone(),
            source: projects::absolute(&self.source),
            hash: self.instance.hash.clone(),
            options: BTreeMap::new(),
        };
        let mut project = Project::of("flowshop", instance);
        project.draft = self.draft.as_ref().map(|draft| StoredDraft {
            name: draft.from.clone(),
            solution: stored::encode(&self.instance, &draft.order.0),
            base: stored::encode(&self.instance, &draft.base.0),
        });
        let mut keep = |key: &str, text: String| project.view.insert(key.to_owned(), text);
        let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
        keep(VIEW, self.view.name().to_owned());
        keep(GOAL, self.settings.goal.to_string());
        keep(ROWS, if self.charting.rows == GanttRows::Jobs { "jobs" } else { "machines" }.to_owned());
        keep(PATH, switch(self.charting.critical_path));
        keep(DUE, switch(self.charting.due_dates));
        keep(KEPT, self.efficiency.kept.to_string());
        if let Some(job) = self.selected.and_then(|selection| self.instance.jobs.get(selection.job)) {
            keep(SELECTED, job.name.clone());
        }
        projects::keep_runs(&mut project.view, &self.runs, self.shown);
        project
    }

    fn results(&self) -> Vec<Arc<RunResult>> {
        self.runs.results()
    }

    fn is_edited(&self) -> bool {
        self.draft.is_some()
    }

    fn use_newer(&mut self, project: Project) -> Result<(), String> {
        let draft = match &project.draft {
            Some(stored) => {
                Some(draft_of(&self.instance, stored).ok_or("The jobs are no longer those of this instance")?)
            }
            None => None,
        };
        self.go_on_from(draft, "use the newer changes");
        Ok(())
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
        let order = |names: Vec<String>| Encoded::of(&stored::StoredSolution::Order(names));
        let stored = |names: Vec<String>| StoredDraft {
            name: "run 1".to_owned(),
            solution: order(names),
            base: order(vec![one.clone(), two.clone()]),
        };
        let draft = draft_of(&instance, &stored(vec![two.clone(), one.clone()])).unwrap();
        assert_eq!((&draft.order.0[..], &draft.base.0[..]), (&[1, 0][..], &[0, 1][..]));
        assert_eq!(draft_of(&instance, &stored(vec![one.clone()])), None, "jobs are missing");
        assert_eq!(draft_of(&instance, &stored(vec![one.clone(), one.clone()])), None, "one stands twice");
        assert_eq!(draft_of(&instance, &stored(vec!["Moon".to_owned(), one.clone()])), None, "nobody knows it");
    }
}
