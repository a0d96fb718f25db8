//! Conversion of a document to a project and back, and its saving.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_core::data::Dataset;
use gridwright_core::planning::Planning as _;
use gridwright_core::project::{Project, ProjectData, StoredDraft};

use super::Document;
use super::edits::{Draft, Work};
use super::kind::{DocumentKind, ViewKind};
use super::tables::Data;
use crate::document::kind::{Instance, Solution};
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
        let mut runs = std::mem::take(&mut self.runs);
        runs.take(&project.runs, |index| projects::name_of(&project.view, index), |result| self.judge_run(result));
        // What an earlier program kept, such as a run that was interrupted, stands behind the runs that ended before.
        runs.renumber();
        self.runs = runs;
        self.show_best();
        let view = project
            .view
            .get(VIEW)
            .and_then(|name| K::views(&self.instance).into_iter().find(|view| view.name() == name));
        self.view = view.unwrap_or(self.view);
        K::restore_view(self, &project.view);
        K::restore_attachments(self, &project.view, &project.attachments);
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
        let (work, fitted) = self.work_in(project);
        self.readings.clone_from(&project.readings);
        self.take_work(work);
        fitted
    }

    /// Data, demands and draft of a project; what does not fit is that of the document.
    pub(super) fn work_in(&self, project: &Project) -> (Work<K>, Result<(), String>) {
        let present = self.work();
        let specs = self.table_specs();
        let stored = project.data.as_ref().filter(|_| !specs.is_empty()).map(|data| data.dataset(specs));
        let (data, mut fitted) = match stored.transpose() {
            Ok(Some(tables))
                if (&tables.hash, &tables.name) != (&present.data.tables.hash, &present.data.tables.name) =>
            {
                (Data::of_tables(tables, (0, &[]), &present.data), Ok(()))
            }
            Ok(_) => (Arc::clone(&present.data), Ok(())),
            Err(why) => (Arc::clone(&present.data), Err(why)),
        };
        let edited = project.edited.as_ref().and_then(|data| data.dataset(specs).ok());
        let data = edited.map_or_else(|| Arc::clone(&data), |edited| Data::of_tables(edited, (0, &[]), &data));
        let data = data.with_former_names(&project.former_names);
        let decoded = project.demands.as_ref().map(|stored| K::decode_demands(&data.instance, stored)).transpose();
        let demands = decoded.unwrap_or_else(|why| {
            fitted = Err(why);
            None
        });
        let demands = demands.flatten().unwrap_or_else(|| {
            K::carry_demands(&present.data.instance, &data.instance, &present.demands, &data.former_names).0
        });
        let instance = K::with_demands(&data.instance, &demands);
        let draft = project.draft.as_ref().and_then(|stored| draft_of::<K>(&instance, stored));
        (Work { draft, demands, data, letterhead: Arc::new(project.letterhead.clone()) }, fitted)
    }

    /// Everything as a project stores it, without the runs.
    pub fn to_project(&self) -> Project {
        let (source, options) = (projects::absolute(&self.source), K::stored_options(&self.instance));
        let reference = <K::Problem>::reference(&self.instance, source, options);
        let mut project = Project::of(<K::Problem>::PROBLEM.id(), reference);
        let specs = self.table_specs();
        if !specs.is_empty() {
            let tables = |data: &Arc<Dataset>| ProjectData::Tables { data: Arc::clone(data), specs };
            project.data = Some(tables(&self.work().data.usable));
            project.edited = self.unusable_tables().map(tables);
            project.source_hash.clone_from(&self.source_hash);
        }
        project.demands = K::encode_demands(self);
        project.draft = self.draft().map(|draft| StoredDraft {
            name: draft.from.clone(),
            solution: <K::Problem>::encode(&self.instance, &draft.solution),
            base: <K::Problem>::encode(&self.instance, &draft.base),
        });
        project.readings.clone_from(&self.readings);
        project.former_names = (*self.work().data.former_names).clone();
        project.letterhead = self.letterhead().clone();
        project.view.insert(VIEW.to_owned(), self.view.name().to_owned());
        K::save_view(self, &mut project.view);
        project.attachments = K::attachments(self);
        projects::keep_runs(&mut project.view, &self.runs, self.shown);
        project
    }

    /// Project file chosen by the user, if there is one.
    pub fn project_file(&self) -> Option<&Path> {
        self.keeper.file()
    }

    /// Saves the project in this file from now on.
    pub(super) fn set_project_file(&mut self, path: PathBuf) {
        self.set_place(&path.display().to_string());
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
        let (mut work, fitted) = self.work_in(&project);
        fitted?;
        K::keep_published(&mut work.demands, &self.work().demands);
        if project.draft.is_some() && work.draft.is_none() {
            return Err(K::TEXTS.foreign_edits.to_owned());
        }
        self.change("use the newer changes", work, None).map_err(str::to_owned)
    }

    /// Called after a run was renamed.
    pub(super) fn runs_have_changed(&mut self) {
        self.keeper.touch_runs();
    }
}

fn draft_of<K: DocumentKind>(instance: &Instance<K>, stored: &StoredDraft) -> Option<Draft<Solution<K>>> {
    let [solution, base] = [&stored.solution, &stored.base].map(|one| K::decode_draft(instance, one).map(Arc::new));
    Some(Draft { from: stored.name.clone(), base: base?, solution: solution? })
}
