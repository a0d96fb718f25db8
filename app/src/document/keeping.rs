//! Conversion of a document to a project and back, and its saving.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_solver::project::{Project, StoredDraft};
use gridwright_solver::result::InstanceReference;
use strum::VariantArray as _;

use super::Document;
use super::edits::{Draft, Work};
use super::kind::{DocumentKind, ViewKind};
use crate::projects::{self, Saving};
use crate::runs::Shown;

/// Key of the open view in a project; files of older versions may lack it.
const VIEW: &str = "view";

impl<K: DocumentKind> Document<K> {
    /// Restores a project: demands, runs that are not listed yet, the draft, the settings of the views.
    ///
    /// # Errors
    /// Why the demands do not fit the instance, in words; everything else is restored.
    pub(super) fn restore(&mut self, project: &Project) -> Result<(), String> {
        let fitted = self.restore_work(project);
        let instance = Arc::clone(&self.instance);
        let validate = |result| K::validate(&instance, result);
        self.runs.take(&project.runs, |index| projects::name_of(&project.view, index), validate);
        self.show_best();
        let view = project.view.get(VIEW).and_then(|name| K::View::VARIANTS.iter().find(|view| view.name() == name));
        self.view = view.copied().unwrap_or(self.view);
        K::restore_view(self, &project.view);
        match projects::shown_in(&project.view, &project.runs, &self.runs) {
            Some(Shown::Draft) => self.show_draft(),
            Some(Shown::Run(number)) if self.listed().any(|run| run.number == number) => self.show_run(number),
            _ => {}
        }
        self.refresh();
        fitted
    }

    /// Restores demands and draft of a project.
    ///
    /// # Errors
    /// Why the demands do not fit the instance, in words; the draft is restored.
    pub(super) fn restore_work(&mut self, project: &Project) -> Result<(), String> {
        let (demands, fitted) = match self.demands_in(project) {
            Ok(demands) => (demands, Ok(())),
            Err(why) => (self.work().demands.clone(), Err(why)),
        };
        let instance = K::with_demands(&self.instance, &demands);
        let draft = project.draft.as_ref().and_then(|stored| draft_of::<K>(&instance, stored));
        self.take_work(Work { draft, demands });
        fitted
    }

    fn demands_in(&self, project: &Project) -> Result<K::Demands, String> {
        let demands = project.demands.as_ref().map(|stored| K::decode_demands(&self.instance, stored)).transpose()?;
        Ok(demands.flatten().unwrap_or_else(|| self.work().demands.clone()))
    }

    /// Everything as a project stores it, without the runs.
    pub fn to_project(&self) -> Project {
        let reference = InstanceReference {
            name: K::name(&self.instance).to_owned(),
            source: projects::absolute(&self.source),
            hash: K::hash(&self.instance).to_owned(),
            options: K::stored_options(&self.instance),
        };
        let mut project = Project::of(K::PROBLEM.id(), reference);
        project.demands = K::encode_demands(self);
        project.draft = self.draft().map(|draft| StoredDraft {
            name: draft.from.clone(),
            solution: K::encode(&self.instance, &draft.solution),
            base: K::encode(&self.instance, &draft.base),
        });
        project.view.insert(VIEW.to_owned(), self.view.name().to_owned());
        K::save_view(self, &mut project.view);
        projects::keep_runs(&mut project.view, &self.runs, self.shown);
        project
    }

    /// Project file chosen by the user, if there is one.
    pub fn project_file(&self) -> Option<&Path> {
        self.keeper.file()
    }

    /// Saves the project in this file from now on.
    pub(super) fn set_project_file(&mut self, path: PathBuf) {
        self.keeper.set_file(path);
    }

    /// The data to be written, which count as saved from now on; `None` if there is nothing to write.
    pub(super) fn saving(&mut self, always: bool) -> Option<Saving> {
        K::TEXTS.project?;
        if !self.keeper.is_wanted(always, self.draft().is_some()) {
            return None;
        }
        // Runs lie in the program's own folder already.
        let runs = if self.keeper.writes_file(always) { self.runs.results() } else { Vec::new() };
        let (key, project) = (self.key(), self.to_project());
        Some(self.keeper.saving(always, key, project, runs))
    }

    /// Takes the changes that are newer than the project's file, or gives them up.
    pub(super) fn decide_newer(&mut self, take: bool) -> Result<(), String> {
        let Some(project) = self.keeper.take_newer().filter(|_| take) else { return Ok(()) };
        let demands = self.demands_in(&project)?;
        let instance = K::with_demands(&self.instance, &demands);
        let draft = match &project.draft {
            Some(stored) => Some(draft_of::<K>(&instance, stored).ok_or(K::TEXTS.foreign_edits)?),
            None => None,
        };
        self.change("use the newer changes", Work { draft, demands }, None).map_err(str::to_owned)
    }

    /// Runs were named otherwise.
    pub(super) fn runs_have_changed(&mut self) {
        self.keeper.touch_runs();
    }
}

fn draft_of<K: DocumentKind>(instance: &K::Instance, stored: &StoredDraft) -> Option<Draft<K::Solution>> {
    let [solution, base] = [&stored.solution, &stored.base].map(|one| K::decode_draft(instance, one).map(Arc::new));
    Some(Draft { from: stored.name.clone(), base: base?, solution: solution? })
}
