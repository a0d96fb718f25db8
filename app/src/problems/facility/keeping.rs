//! Conversion of an open layout problem to a project and back: its rules, the edited layout, the runs and the view
//! settings.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gridwright_solver::facility::check::check;
use gridwright_solver::facility::stored::{self, Demands};
use gridwright_solver::facility::{Instance, Layout, Rules};
use gridwright_solver::project::{Project, StoredDraft};
use gridwright_solver::result::{Encoded, InstanceReference, RunResult};

use super::Desk;
use super::editing::Draft;
use super::solving::{self, instance_key};
use super::view::View;
use crate::projects::{self, Keeper, Projected};
use crate::runs::Shown;

/// Keys of the view state in a project file; files of older versions may lack any of them.
const VIEW: &str = "view";
const SELECTED: &str = "selected";
const FLOWS: &str = "flows";
const LEAST: &str = "least flow";

impl Desk {
    /// Restores a project: rules, runs that are not listed yet, the edited layout, the view settings.
    ///
    /// # Errors
    /// Error with the rules that do not fit the instance, in words; everything else is restored.
    pub(super) fn restore(&mut self, project: &Project) -> Result<(), String> {
        let fitted = self.restore_rules(project);
        let admit = |result| Some(solving::admit(&self.instance, result));
        self.runs.take(&project.runs, |index| projects::name_of(&project.view, index), admit);
        self.draft = project.draft.as_ref().and_then(|stored| draft_of(&self.instance, stored));
        self.show_best();
        self.restore_view(project);
        fitted
    }

    /// Applies the rules of a project.
    ///
    /// # Errors
    /// Error with the rules that do not fit the instance, in words.
    pub(super) fn restore_rules(&mut self, project: &Project) -> Result<(), String> {
        let Some(rules) = rules_in(project) else { return Ok(()) };
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

    /// Project file chosen by the user, if there is one.
    pub fn project_file(&self) -> Option<&Path> {
        self.keeper.file()
    }
}

/// Rules that a project stores; `None` if there are none.
fn rules_in(project: &Project) -> Option<Rules> {
    project.demands.as_ref()?.decode().map(|Demands::Facility { rules, .. }| rules)
}

/// Reads a stored draft; `None` if it names unknown departments or lacks some.
fn draft_of(instance: &Instance, stored: &StoredDraft) -> Option<Draft> {
    let layout = |solution: &Encoded| {
        let layout = stored::decode(instance, solution).ok()?;
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
        project.demands = Some(Encoded::of(&Demands::Facility { rules: self.instance.rules.clone(), start: None }));
        let stored = |layout: &Layout| stored::encode(&self.instance, layout);
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
        let rules = rules_in(&project).unwrap_or_else(|| self.instance.rules.clone());
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
