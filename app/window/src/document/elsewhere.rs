//! Runs and rules of other documents with equal data: offered, and taken over only if the person asks for them.

use std::collections::BTreeSet;

use gridwright_core::files;
use gridwright_core::numbers::counted;
use gridwright_core::planning::Planning as _;
use gridwright_core::project::Project;
use gridwright_core::store::{OfEqualData, Store};

use super::Document;
use super::kind::DocumentKind;
use crate::widgets::notice::{Action, Cause, Notice};

impl<K: DocumentKind> Document<K> {
    /// Finds runs and rules of other documents with equal data; the notice offers them.
    pub(super) fn look_elsewhere(&mut self, store: &Store) -> Option<Notice> {
        let place = &self.place;
        let is_listed = |result: &_| self.runs.iter().any(|run| *run.result == *result);
        let mut found = store.of_equal_data(&place.key, &place.data, <K::Problem>::PROBLEM, is_listed);
        found.copy = found.copy.filter(|copy| self.has_news(&copy.project));
        let what = match (found.runs.len(), found.copy.is_some()) {
            (0, false) => return None,
            (0, true) => "Rules and edits".to_owned(),
            (runs, false) => counted(runs as u64, "run"),
            (runs, true) => format!("{}, rules and edits", counted(runs as u64, "run")),
        };
        let of_runs = found.runs.iter().map(|run| run.result.instance.source.clone());
        let sources: BTreeSet<String> =
            of_runs.chain(found.copy.iter().map(|copy| copy.project.instance.source.clone())).collect();
        let sources: Vec<String> = sources.into_iter().filter(|source| !source.is_empty()).collect();
        self.of_equal_data = found;
        let text = format!("{}\nThey stay there unless you use them here, too.", sources.join("\n"));
        Some(
            Notice::warning(format!("{what} for equal data in another file"), text)
                .offering(Action::UseElsewhere)
                .offering(Action::LeaveElsewhere)
                .because_of(Cause::EqualData),
        )
    }

    /// Identifier of the runs and rules of other documents that are offered here; `None` where nothing is.
    pub(super) fn offer_elsewhere(&self) -> Option<String> {
        let OfEqualData { runs, copy } = &self.of_equal_data;
        let paths = runs.iter().map(|run| &run.path).chain(copy.iter().map(|copy| &copy.path));
        let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
        let pieces: Vec<&[u8]> = paths.iter().map(String::as_bytes).collect();
        (!pieces.is_empty()).then(|| format!("{} {}", self.place.key, files::hash(&pieces)))
    }

    /// True if a project has rules or edits where this document has none, which are not to be replaced.
    fn has_news(&self, project: &Project) -> bool {
        let own = self.work();
        let has_own = own.draft.is_some() || own.demands != K::demands(&own.data.instance);
        let (work, _) = self.work_in(project);
        K::TEXTS.project.is_some()
            && !has_own
            && (work.draft.is_some()
                || work.demands != own.demands
                || work.data.tables.tables != own.data.tables.tables)
    }

    /// Takes over the runs and rules of other documents with equal data: copies of the runs, and the rules as one step that can be
    /// undone.
    ///
    /// # Errors
    /// Why something could not be taken over; the rest is.
    pub(crate) fn use_elsewhere(&mut self, store: &Store) -> Result<(), String> {
        let OfEqualData { runs, copy } = std::mem::take(&mut self.of_equal_data);
        let mut failed = Ok(());
        let mut list = std::mem::take(&mut self.runs);
        for stored in runs {
            let name = Store::name_of(&stored.path);
            let kept = store.keep(&self.place.key, &stored.result);
            let kept = kept.and_then(|path| Store::set_name(&path, &name).map(|()| path));
            let path = kept.map_err(|error| failed = Err(error.to_string())).ok();
            if let Some(run) = self.judge_run(stored.result) {
                list.push(super::Run::<K> { path, name, ..run });
            }
        }
        list.renumber();
        self.runs = list;
        self.keeper.touch_runs();
        match copy {
            None => self.show_best(),
            Some(copy) => {
                let (work, fitted) = self.work_in(&copy.project);
                self.change("use the rules of another file", work, None).map_err(str::to_owned)?;
                self.show_best();
                fitted?;
            }
        }
        failed
    }
}
