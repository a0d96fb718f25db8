//! An open layout problem as a project: its rules, the layout that is being edited, the runs, and how all of it is looked at;
//! and back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_solver::facility::check::check;
use gridwright_solver::facility::{Instance, Layout};
use gridwright_solver::project::{Project, StoredDraft};
use gridwright_solver::result::{Demands, InstanceReference, Solution};

use super::Desk;
use super::editing::Draft;
use super::solving::{self, Run, instance_key, layout_of, names};
use super::view::View;
use crate::projects::{self, Keeping, Saving, name_key};
use crate::runs::Shown;

/// What a project keeps of the window; files of older versions may lack any of it.
const VIEW: &str = "view";
const SHOWN: &str = "shown";
const SELECTED: &str = "selected";
const FLOWS: &str = "flows";
const LEAST: &str = "least flow";
const DRAFT: &str = "draft";

impl Desk {
    /// Everything as a project keeps it, but for the runs.
    pub fn to_project(&self) -> Project {
        let instance = InstanceReference {
            name: self.instance.name.clone(),
            source: projects::absolute(&self.source),
            hash: self.instance.hash.clone(),
            options: BTreeMap::new(),
        };
        let mut project = Project::of("facility", instance);
        project.demands = Some(Demands::Facility { rules: self.instance.rules.clone(), start: None });
        let stored = |layout: &Layout| Solution::Layout(layout.orientation, names(&self.instance, layout));
        project.draft = self.draft.as_ref().map(|draft| StoredDraft {
            name: draft.from.clone(),
            solution: stored(&draft.layout),
            base: stored(&draft.base),
        });
        let mut keep = |key: &str, text: String| project.view.insert(key.to_owned(), text);
        keep(VIEW, self.view.name().to_owned());
        keep(FLOWS, if self.floor.lines { "on" } else { "off" }.to_owned());
        keep(LEAST, self.floor.threshold.to_string());
        if let Some(department) = self.selected.and_then(|at| self.instance.departments.get(at)) {
            keep(SELECTED, department.name.clone());
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

    /// Takes in what a project brings along: rules, runs that are not listed yet, what was edited, how it was looked at.
    ///
    /// # Errors
    /// Which of the rules do not fit, in words; everything else is taken in.
    pub(super) fn restore(&mut self, project: &Project) -> Result<(), String> {
        let fitted = self.restore_rules(project);
        for (index, result) in project.runs.iter().enumerate() {
            if self.runs.iter().any(|run| *run.result == *result) {
                continue;
            }
            let admitted = solving::admit(&self.instance, result.clone());
            let name = project.view.get(&name_key(index)).cloned().unwrap_or_default();
            self.runs.push(Run { number: self.next_number(), name, ..admitted });
        }
        self.draft = project.draft.as_ref().and_then(|stored| draft_of(&self.instance, stored));
        self.show_best();
        self.restore_view(project);
        fitted
    }

    /// Demands what a project demands.
    ///
    /// # Errors
    /// Which of it does not fit, in words.
    pub(super) fn restore_rules(&mut self, project: &Project) -> Result<(), String> {
        let Some(Demands::Facility { rules, .. }) = &project.demands else { return Ok(()) };
        rules.check(&self.instance).map_err(|error| error.to_string())?;
        self.instance = Arc::new(Instance { rules: rules.clone(), ..(*self.instance).clone() });
        self.settings = super::settings::fitting(self.settings.clone(), &self.instance);
        // What is shown is judged by the rules of now.
        self.forget_pictures();
        self.refresh();
        Ok(())
    }

    fn restore_view(&mut self, project: &Project) {
        let said = |key: &str| project.view.get(key).map(String::as_str);
        if let Some(view) = said(VIEW).and_then(|name| View::ALL.into_iter().find(|view| view.name() == name)) {
            self.view = view;
        }
        self.floor.lines = said(FLOWS).map_or(self.floor.lines, |text| text == "on");
        let least = said(LEAST).and_then(|text| text.parse().ok()).filter(|least: &f64| least.is_finite());
        self.floor.threshold = least.unwrap_or(self.floor.threshold);
        let named = |name: &str| self.instance.departments.iter().position(|one| one.name == name);
        self.selected = said(SELECTED).and_then(named);
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

/// A draft as it was kept; `None` where it names departments that the instance does not have, or lacks some.
fn draft_of(instance: &Instance, stored: &StoredDraft) -> Option<Draft> {
    let layout = |solution: &Solution| {
        let layout = layout_of(instance, solution).ok()?;
        let mut all = layout.bays.concat();
        all.sort_unstable();
        let whole = all.len() == instance.len() && all.iter().enumerate().all(|(at, &one)| at == usize::from(one));
        (whole && layout.bays.iter().all(|bay| !bay.is_empty())).then(|| Arc::new(layout))
    };
    let base = layout(&stored.base)?;
    let base_cost = check(instance, &base).cost;
    Some(Draft { from: stored.name.clone(), base, base_cost, layout: layout(&stored.solution)? })
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
                Some(draft_of(&self.instance, stored).ok_or("The departments are no longer those of this instance")?)
            }
            None => None,
        };
        let rules = match &project.demands {
            Some(Demands::Facility { rules, .. }) => rules.clone(),
            _ => self.instance.rules.clone(),
        };
        rules.check(&self.instance).map_err(|error| error.to_string())?;
        self.go_on_from(draft, rules, "use the newer changes");
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
        "The rules, the layout that is being edited, all runs and how you look at them in one file. It is kept up to date as \
         you work."
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn title(&self) -> &str {
        &self.instance.name
    }
}
