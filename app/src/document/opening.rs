//! Opening a document from its file, a name, a project or a result, with the runs that were kept of it.

use std::path::Path;

use gridwright_solver::files::Stamp;
use gridwright_solver::problem::Overrides;
use gridwright_solver::{Error, Result, project, registry};

use super::kind::DocumentKind;
use super::{Document, Opener, Settings};
use crate::recognition;
use crate::runs::{self, RunList};
use crate::store::Store;
use crate::widgets::notice::Notice;

impl<K: DocumentKind> Document<K> {
    /// Opens an instance and the runs that were kept of it; for a thread that may take its time. A result file opens the
    /// instance that it belongs to and is shown.
    ///
    /// # Errors
    /// Faults of the file, by line; a result of another problem or of other data.
    pub fn open(
        source: &str, options: &Overrides, opener: &Opener<K>, store: &Store, settings: Settings<K>,
    ) -> Result<(Self, Vec<Notice>)> {
        let path = &gridwright_solver::source::path(source);
        if project::is_project(path) {
            return Self::open_project(path, opener, store, settings);
        }
        // Instances and solutions may be RON, too: what is no result goes to the reader, which says what it is.
        if !registry::is_result(path) {
            return Ok(Self::with_runs(opener(source, options)?, source, store, settings));
        }
        let result = registry::load_result(path)?;
        recognition::result_is_of(&result, path, K::PROBLEM)?;
        let of = recognition::result_source(path, &result);
        let mut all = K::options_of(&result.instance.options);
        for (name, value) in options.values() {
            all.set(name, value.clone());
        }
        let (mut document, notices) = Self::with_runs(opener(&of, &all)?, &of, store, settings);
        recognition::result_is_for(&result, path, &of, K::hash(&document.instance))?;
        let instance = std::sync::Arc::clone(&document.instance);
        if let Some(number) = document.runs.take_file(path, result, |result| K::validate(&instance, result)) {
            document.show_run(number);
        }
        Ok((document, notices))
    }

    /// A project file: its instance, and everything that was kept with it.
    fn open_project(
        path: &Path, opener: &Opener<K>, store: &Store, settings: Settings<K>,
    ) -> Result<(Self, Vec<Notice>)> {
        // Before it is read: a change by another program from now on is noticed when it is saved.
        let stamp = Stamp::of(path);
        let project = registry::load_project(path)?;
        let options = K::options_of(&project.instance.options);
        let open = |source: &str| opener(source, &options);
        let (instance, source) = project.open_source(path, open, |instance| K::hash(instance).to_owned())?;
        let (mut document, mut notices) = Self::listing_runs(instance, &source, store, settings);
        document.restore(&project).map_err(|why| Error::file(path, why))?;
        let key = document.key();
        if document.keeper.opened_as(store, &key, path, &project, stamp) {
            notices.push(document.shared_notice());
        }
        Ok((document, notices))
    }

    fn with_runs(instance: K::Instance, source: &str, store: &Store, settings: Settings<K>) -> (Self, Vec<Notice>) {
        let (mut document, mut notices) = Self::listing_runs(instance, source, store, settings);
        let kept = match K::TEXTS.project {
            Some(_) => store.load_project(&document.key()).map_err(|error| error.to_string()),
            None => Ok(None),
        };
        if K::TEXTS.project.is_some() {
            let (key, known) = (document.key(), kept.as_ref().ok().and_then(Option::as_ref));
            if document.keeper.opened(store, &key, known) {
                notices.push(document.shared_notice());
            }
        }
        let restored = kept.and_then(|kept| match kept {
            Some(project) if project.draft.is_some() => document.restore(&project),
            // What nobody was editing any more is looked at anew; what was demanded is demanded again.
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
        (document, notices)
    }

    /// Tells that another window has the same instance open.
    fn shared_notice(&self) -> Notice {
        let name = K::name(&self.instance);
        let text = "The changes of each window are kept apart. To keep those of this window under a name of your own, save them as \
                    a project: Ctrl+Shift+S";
        Notice::warning(format!("{name} is open in another window, too"), text)
    }

    fn listing_runs(instance: K::Instance, source: &str, store: &Store, settings: Settings<K>) -> (Self, Vec<Notice>) {
        let key = runs::instance_key(K::name(&instance), K::hash(&instance));
        let (runs, notices) = RunList::stored(store, &key, K::PROBLEM, |result| K::validate(&instance, result));
        let instance = match K::last_demands(&runs, &instance) {
            Some(demands) => K::with_demands(&instance, &demands),
            None => instance,
        };
        (Self::new(instance, source, settings, runs), notices)
    }
}
