//! Opening a document from its file, a name, a project or a result, with the runs that were kept of it.

use std::path::Path;
use std::sync::Arc;

use gridwright_core::data::{self, differences};
use gridwright_core::files::Stamp;
use gridwright_core::planning::Planning as _;
use gridwright_core::problem::Overrides;
use gridwright_core::project::Project;
use gridwright_core::store::Store;
use gridwright_core::{Error, Result, project, recognition, registry};

use super::edits::Work;
use super::kind::DocumentKind;
use super::place::Place;
use super::tables::Data;
use super::{Document, Opener, Settings};
use crate::document::kind::Instance;
use crate::runs::RunList;
use crate::widgets::notice::{Cause, Notice};

pub(crate) struct Opening<'a, K: DocumentKind> {
    /// Path or name.
    pub source: &'a str,
    /// Options that the person gave.
    pub options: &'a Overrides,
    pub(crate) opener: &'a Opener<K>,
    /// Holds the runs of the instance.
    pub store: &'a Store,
    /// Key under which runs were kept when the source was last opened; it differs if the file has changed since.
    pub former: Option<&'a str>,
    /// File that holds the instance of a project without data, if the person has located it.
    pub located: Option<&'a Path>,
}

impl<K: DocumentKind> Document<K> {
    /// Opens an instance and the runs that were kept of it; for a thread that may take its time. A result file opens the
    /// instance that it belongs to and is shown.
    ///
    /// # Errors
    /// Faults of the file, by line; a result of another problem or of other data.
    pub(crate) fn open(opening: &Opening<'_, K>, settings: Settings<K>) -> Result<(Self, Vec<Notice>)> {
        let &Opening { source, options, opener, .. } = opening;
        let path = &gridwright_core::source::path(source);
        if project::is_project(path) {
            return Self::open_project(path, opening, settings);
        }
        // Instances and solutions may be RON, too: what is no result goes to the reader, which says what it is.
        if !registry::is_result(path) {
            return Ok(Self::with_runs(opener(source, options)?, source, opening, settings));
        }
        let result = registry::load_result(path)?;
        recognition::result_is_of(&result, path, <K::Problem>::PROBLEM)?;
        let of = recognition::result_source(path, &result);
        let mut all = K::options_of(&result.instance.options);
        for (name, value) in options.values() {
            all.set(name, value.clone());
        }
        let (mut document, mut notices) = Self::with_runs(opener(&of, &all)?, &of, opening, settings);
        let run = document.judge_run(result.clone());
        if run.as_ref().is_none_or(|run| run.earlier.is_none()) {
            recognition::result_is_for(&result, path, &of, <K::Problem>::hash(&document.work().data.instance))
                .or_else(|error| if document.table_specs().is_empty() { Err(error) } else { Ok(()) })?;
        } else {
            let text = format!("It was checked against the present data of {of}.");
            notices.push(Notice::warning("This result was found for other data", text));
        }
        let mut runs = std::mem::take(&mut document.runs);
        let number = runs.take_file(path, result, |_| run);
        document.runs = runs;
        if let Some(number) = number {
            document.show_run(number);
        }
        Ok((document, notices))
    }

    /// A project file: its instance, and everything that was kept with it.
    fn open_project(path: &Path, opening: &Opening<'_, K>, settings: Settings<K>) -> Result<(Self, Vec<Notice>)> {
        // Before it is read: a change by another program from now on is noticed when it is saved.
        let stamp = Stamp::of(path);
        let project = registry::load_project(path)?;
        let mut notices = Vec::new();
        let (instance, source) = match project.dataset::<Instance<K>>(path)? {
            Some(tables) => {
                let instance = data::open(&tables).map_err(|error| Error::file(path, error.to_string()))?;
                let named = gridwright_core::source::path(&project.instance.source);
                let is_there = registry::is_generated(&project.instance.source) || named.exists();
                let is_unchanged = project.source_hash == tables.hash;
                let own = gridwright_core::source::of(path).filter(|_| !is_there || !is_unchanged);
                (instance, own.unwrap_or_else(|| project.instance.source.clone()))
            }
            None => {
                let (instance, source) = Self::open_old(path, &project, opening)?;
                notices.extend(told_of_source(path, &source));
                (instance, source)
            }
        };
        let (mut document, told) = Self::listing_runs(instance, &source, opening.source, opening.store, settings);
        notices.extend(told);
        if !project.source_hash.is_empty() {
            document.source_hash.clone_from(&project.source_hash);
        }
        document.restore(&project).map_err(|why| Error::file(path, why))?;
        if project.data.is_none() && project.instance.hash != <K::Problem>::hash(&document.instance) {
            let text = "Runs were checked against the present data; those of the former data are marked in the list.";
            notices.push(Notice::warning("The data have changed since the project was saved", text));
        }
        let place = document.place.clone();
        let copy = opening.store.load_copy_of_project(&place.key, &place.data, &place.source, &project);
        // What cannot be read is put aside and offers nothing.
        if document.keeper.opened_as(opening.store, &place.key, path, &project, stamp, copy.ok().flatten()) {
            notices.push(document.shared_notice());
        }
        notices.extend(document.look_elsewhere(opening.store));
        Ok((document, notices))
    }

    /// The instance of a project without data and its source: the file that the person located, the one beside the project, or
    /// the one that the project names.
    fn open_old(path: &Path, project: &Project, opening: &Opening<'_, K>) -> Result<(Instance<K>, String)> {
        let options = K::options_of(&project.instance.options);
        let open = |source: &str| (opening.opener)(source, &options);
        match opening.located.and_then(gridwright_core::source::of) {
            Some(located) => Ok((project::named(open(&located)?, &project.instance.name), located)),
            None => project::open_source(&project.instance, path, open),
        }
    }

    fn with_runs(
        instance: Instance<K>, source: &str, opening: &Opening<'_, K>, settings: Settings<K>,
    ) -> (Self, Vec<Notice>) {
        let store = opening.store;
        let (mut document, mut notices) = Self::listing_runs(instance, source, source, store, settings);
        let place = document.place.clone();
        let kept = match K::TEXTS.project {
            Some(_) => store.load_copy(&place.key, &place.data, &place.source).map_err(|error| error.to_string()),
            None => Ok(None),
        };
        let kept = kept.map(|copy| copy.map(|copy| copy.project));
        if K::TEXTS.project.is_some() {
            let known = kept.as_ref().ok().and_then(Option::as_ref);
            if document.keeper.opened(store, &place.key, known) {
                notices.push(document.shared_notice());
            }
        }
        let is_new = matches!(kept, Ok(None));
        let restored = kept.and_then(|kept| match kept {
            Some(project) if project.draft.is_some() => document.restore(&project),
            // Without a draft the solution is judged anew; the demands of the project apply again.
            Some(project) => {
                let restored = document.restore_work(&project);
                document.show_best();
                restored
            }
            None => Ok(()),
        });
        if let Err(why) = restored {
            notices.push(Notice::warning("Rules and edits could not be read", why));
        }
        let former =
            opening.former.map(|former| place.former(former)).filter(|former| is_new && former.key != place.key);
        notices.extend(former.and_then(|former| document.take_former(store, &former)));
        notices.extend(document.look_elsewhere(store));
        (document, notices)
    }

    /// Takes over runs, demands and edits of the file before it was changed, with a notice of what has changed; `former` is the
    /// place where they were kept. The former data are one step of the history: «Undo» goes back to them.
    fn take_former(&mut self, store: &Store, former: &Place) -> Option<Notice> {
        let specs = self.table_specs();
        let (runs, _) = store.document_runs(&former.key, &former.data, &former.source, <K::Problem>::PROBLEM);
        let kept = store.load_copy(&former.key, &former.data, &former.source).ok().flatten().map(|copy| copy.project);
        if specs.is_empty() || (runs.is_empty() && kept.is_none()) {
            return None;
        }
        let present = Arc::clone(&self.work().data);
        let (mut changes, mut is_same) = (Vec::new(), false);
        if let Some(project) = kept {
            let stored = project.data.as_ref().and_then(|data| data.dataset(specs).ok());
            if let Some(tables) = stored {
                is_same = tables.tables == present.tables.tables;
                changes = differences(specs, &tables, &present.tables);
                // Demands and draft fit the former data, from which they are carried over.
                let _ = self.restore_work(&project);
                let (work, remarks) = self.carried(Arc::clone(&present));
                let _ = self.change("take over the changed file", work, None);
                self.tell_carried(remarks);
            } else {
                let _ = self.restore_work(&Project { data: None, ..project });
            }
        }
        let mut list = std::mem::take(&mut self.runs);
        for stored in runs {
            list.take_file(&stored.path, stored.result, |result| self.judge_run(result));
        }
        self.runs = list;
        self.show_best();
        if is_same {
            return None;
        }
        let what = if changes.is_empty() {
            "The data are no longer those of before.".to_owned()
        } else {
            format!("{}.", changes.join(", "))
        };
        let text = format!(
            "{what} Runs, rules and edits were kept and checked against the present data; undo returns to the former data."
        );
        Some(
            Notice::warning("The file has changed since you worked with it", text).because_of(Cause::Edits(self.edits)),
        )
    }

    /// Tells that another window has the same instance open.
    fn shared_notice(&self) -> Notice {
        let name = <K::Problem>::name(&self.instance);
        let text = "The changes of each window are kept apart. To keep those of this window under a name of your own, save them as \
                    a project: Ctrl+Shift+S";
        Notice::warning(format!("{name} is open in another window, too"), text)
    }

    /// A document of an instance from `source` with the runs of `opened`: the same source, or the project that holds the data.
    fn listing_runs(
        instance: Instance<K>, source: &str, opened: &str, store: &Store, settings: Settings<K>,
    ) -> (Self, Vec<Notice>) {
        let mut document = Self::new(instance, source, settings, RunList::default());
        document.set_place(opened);
        let Place { key, data, source } = &document.place;
        let found = store.document_runs(key, data, source, <K::Problem>::PROBLEM);
        let (runs, notices) = RunList::stored(found, |result| document.judge_run(result));
        let demands = K::last_demands(&runs, &document.instance);
        document.runs = runs;
        if let Some(demands) = demands {
            let work = Work { demands, ..document.work().clone() };
            document.take_work(work);
        }
        K::opened(&mut document);
        document.show_best();
        (document, notices)
    }

    /// Keeps runs and edits of the document as those of what was opened: a project's file, or the source of the data.
    pub(super) fn set_place(&mut self, opened: &str) {
        let opened_data = &self.opened_data.instance;
        self.place = Place::of(<K::Problem>::name(opened_data), <K::Problem>::hash(opened_data), opened);
    }

    /// The tables of the document, if its data were edited and hold values that make no sense.
    pub(super) fn unusable_tables(&self) -> Option<&Arc<data::Dataset>> {
        let data: &Data<Instance<K>> = &self.work().data;
        (!data.issues.is_empty()).then_some(&data.tables)
    }
}

/// Tells that the data of a project were read from another folder than its own.
fn told_of_source(path: &Path, source: &str) -> Option<Notice> {
    let at = gridwright_core::source::path(source);
    let is_elsewhere = !registry::is_generated(source) && at.parent() != path.parent();
    is_elsewhere.then(|| {
        let text =
            format!("{}\nFrom now on the project holds the data itself; save it to keep them together.", at.display());
        Notice::warning("The data were read from another folder than the project's", text)
    })
}
