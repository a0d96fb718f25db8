//! A run from the press of the button to its place in the list, and how its cost falls.

use std::sync::Arc;

use egui::Ui;
use gridwright_solver::facility::Layout;
use gridwright_solver::facility::run::Algorithm;

use super::Desk;
use super::desk::Live;
use super::islands::IslandHistory;
use super::solving::{self, Ended, Order, Run, Solver};
use crate::runs::{self, Shown, Standing, curves};
use crate::store::Store;
use crate::widgets::convergence::{self, Quantity, Reference};
use crate::widgets::notice::Notice;

/// Quantity plotted by the convergence curve.
const COST: Quantity = Quantity {
    name: "Material handling cost",
    help: "The sum over all pairs of departments of flow × distance of their centres; a layout that breaks limits costs more",
};

impl Desk {
    /// Begins a run, with a layout to begin with or without.
    pub fn solve(
        &mut self,
        start: Option<Arc<Layout>>,
        solver: Solver,
        store: &Store,
        wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Option<Notice> {
        if self.ready().is_err() {
            return None;
        }
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let mut settings = self.settings.clone();
        if let Some(start) = &start {
            // One algorithm alone can begin with a layout; its bays lie as they lie.
            if !matches!(settings.algorithm, Algorithm::Memetic(_)) {
                settings.algorithm = Algorithm::default();
            }
            settings.goal = settings.goal.map(|_| start.orientation);
        }
        let order = Order { instance, source, settings: settings.clone(), start };
        match runs::start(order, solver, store.clone(), wake) {
            Ok(session) => {
                self.live = Some(Live { session, settings, kept: None });
                self.histories.insert(self.next_number(), IslandHistory::default());
                self.shown = Shown::Live;
                self.refresh();
                None
            }
            Err(notice) => Some(notice),
        }
    }

    /// Processes the messages of the worker thread; returns the notices for the user.
    pub fn poll(&mut self) -> Vec<Notice> {
        let mut notices = std::mem::take(&mut self.sayings);
        let number = self.next_number();
        let Some(live) = &mut self.live else { return notices };
        let news = live.session.poll();
        if let Some(kept) = news.progress {
            let snapshot = &kept.progress.snapshot;
            self.histories.entry(number).or_default().tell(snapshot.step, &snapshot.best);
            live.kept = Some(kept);
            self.refresh();
        }
        let Some(ending) = news.ending else { return notices };
        self.live = None;
        let ended = ending.unwrap_or_else(Ended::broken);
        notices.extend(self.words_of(&ended));
        let was_shown = self.shown == Shown::Live;
        if let Some(run) = ended.run {
            self.runs.push(run);
            if was_shown {
                self.shown = Shown::Run(number);
            }
            self.keeper.touch_runs();
        } else {
            self.histories.remove(&number);
            if was_shown {
                self.show_best();
            }
        }
        self.refresh();
        notices
    }

    /// Returns the notices on the end of a run; for a layout that violates limits, with the departments concerned.
    fn words_of(&self, ended: &Ended) -> Vec<Notice> {
        match &ended.run {
            Some(run) if ended.failure.is_none() && matches!(run.standing, Standing::Incomplete(_)) && run.is_whole => {
                let Standing::Incomplete(text) = &run.standing else { return Vec::new() };
                let first = text.lines().next().unwrap_or_default();
                let text = format!(
                    "The best layout found breaks limits, which are marked: {first}. Allow longer shapes or more floor, remove a rule, or \
                     search longer."
                );
                let mut notices = vec![Notice::error("No layout within all limits was found", text).of_run()];
                notices.extend(
                    ended.unkept.iter().map(|why| Notice::error("The run could not be kept on disk", why.clone())),
                );
                notices
            }
            _ => ended.notices("layout"),
        }
    }

    /// Lists the layout that is being edited as a run and keeps it on disk; the edits end with that.
    ///
    /// # Errors
    /// Error with the reason in words if the layout could not be kept; the edits stay.
    pub fn keep_draft(&mut self, store: &Store) -> Result<(), String> {
        let Some(draft) = self.draft.clone() else { return Ok(()) };
        if draft.layout == draft.base {
            // Everything stands where it stood: that layout is listed already.
            self.end_edits();
            self.show_best();
            return Ok(());
        }
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let order = Order { instance, source, settings: self.settings.clone(), start: None };
        let result = solving::by_hand(&order, &draft.layout);
        let path = store.keep(&solving::instance_key(&self.instance), &result).map_err(|error| error.to_string())?;
        let number = self.runs.push(Run { path: Some(path), ..solving::admit(&self.instance, result) });
        self.end_edits();
        self.show_run(number);
        Ok(())
    }

    /// Returns `true` if there is a curve to plot.
    pub fn has_curves(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.kept.is_some()) || curves::plotted(self.listed()).next().is_some()
    }

    /// Best, mean and worst of all listed runs.
    pub fn show_convergence(&self, ui: &mut Ui) {
        let palette = crate::theme::palette(ui.visuals());
        let mut lines = curves::ended(self.listed(), self.shown, palette);
        if let Some(kept) = self.live.as_ref().and_then(|live| live.kept.as_ref()) {
            lines.push(curves::going(kept, self.next_number(), false, self.shown, palette));
        }
        convergence::show(ui, COST, &lines, &self.references(), self.look, 1.0);
    }

    /// The best that is known.
    pub fn references(&self) -> Vec<Reference> {
        let best = self.best_known().map(|value| Reference { name: "Best known".to_owned(), value });
        best.into_iter().collect()
    }
}
