//! An open layout problem as a project: its rules, the layout that is being edited, the runs, and how all of it is looked at;
//! and back.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gridwright_solver::facility::check::check;
use gridwright_solver::facility::{Instance, Layout};
use gridwright_solver::project::{Project, StoredDraft};
use gridwright_solver::result::{Demands, InstanceReference, RunResult, Solution};

use super::Desk;
use super::editing::Draft;
use super::solving::{self, instance_key, layout_of, names};
use super::view::View;
use crate::projects::{self, Keeper, Projected};
use crate::runs::Shown;

/// What a project keeps of the window; files of older versions may lack any of it.
const VIEW: &str = "view";
const SELECTED: &str = "selected";
const FLOWS: &str = "flows";
const LEAST: &str = "least flow";

impl Desk {
    /// Takes in what a project brings along: rules, runs that are not listed yet, what was edited, how it was looked at.
    ///
    /// # Errors
    /// Which of the rules do not fit, in words; everything else is taken in.
    pub(super) fn restore(&mut self, project: &Project) -> Result<(), String> {
        let fitted = self.restore_rules(project);
        let admit = |result| Some(solving::admit(&self.instance, result));
        self.runs.take(&project.runs, |index| projects::name_of(&project.view, index), admit);
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
