//! A run from the press of the button to its place in the list, and how its cost falls.

use std::sync::Arc;

use egui::Ui;
use gridwright_solver::flowshop::Order as Sequence;
use gridwright_solver::flowshop::multiobjective::Goal;
use gridwright_solver::flowshop::multiobjective::weights::PARTS;
use gridwright_solver::flowshop::run::{Algorithm, Settings};

use super::Desk;
use super::desk::Live;
use super::solving::{self, Ended, Order, Run, Solver};
use crate::runs::{self, Shown, curves};
use crate::store::Store;
use crate::widgets::convergence::{self, Quantity, Reference};
use crate::widgets::notice::Notice;

/// Quantity plotted for a search with several objectives.
const MISSING: Quantity = Quantity {
    name: "Missing hypervolume, %",
    help: "What the front lacks of the volume between the lower bounds and the reference: less is better",
};

impl Desk {
    /// Begins a run, with an order to begin with or without.
    pub fn solve(
        &mut self,
        start: Option<Arc<Sequence>>,
        solver: Solver,
        store: &Store,
        wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Option<Notice> {
        if self.ready().is_err() {
            return None;
        }
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let order = Order { instance, source, settings: self.settings.clone(), start };
        match runs::start(order, solver, store.clone(), wake) {
            Ok(session) => {
                self.live = Some(Live { session, settings: self.settings.clone(), kept: None });
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
        let Some(live) = &mut self.live else { return notices };
        let news = live.session.poll();
        if let Some(kept) = news.progress {
            live.kept = Some(kept);
            self.refresh();
        }
        let Some(ending) = news.ending else { return notices };
        self.live = None;
        let ended = ending.unwrap_or_else(Ended::broken);
        notices.extend(ended.notices("plan"));
        let was_shown = self.shown == Shown::Live;
        if let Some(run) = ended.run {
            let number = self.runs.push(run);
            if was_shown {
                self.shown = Shown::Run(number);
            }
            self.keeper.touch_runs();
        } else if was_shown {
            self.show_best();
        }
        self.refresh();
        notices
    }

    /// Lists the order that is being edited as a run and keeps it on disk; the edits end with that.
    ///
    /// # Errors
    /// Error with the reason in words if the order could not be kept; the edits stay.
    pub fn keep_draft(&mut self, store: &Store) -> Result<(), String> {
        let Some(draft) = self.draft.clone() else { return Ok(()) };
        if draft.displaced() == 0 {
            // Everything stands where it stood: that order is listed already.
            self.end_edits();
            self.show_best();
            return Ok(());
        }
        let goal = Goal::One(self.objective());
        let settings = Settings { goal, algorithm: Algorithm::for_goal(goal), ..self.settings.clone() };
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let order = Order { instance, source, settings, start: None };
        let result = solving::by_hand(&order, &draft.order);
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
        let (quantity, scale) = match self.settings.goal {
            Goal::One(objective) => (Quantity { name: objective.label(), help: objective.help() }, 1.0),
            Goal::Front(_) => (MISSING, 100.0 / PARTS as f64),
        };
        convergence::show(ui, quantity, &lines, &self.references(), self.look, scale);
    }

    /// The best that is known, and what no order can be better than.
    pub fn references(&self) -> Vec<Reference> {
        let Goal::One(objective) = self.settings.goal else { return Vec::new() };
        let of = |name: &str, value: Option<u64>| {
            value.filter(|&value| value > 0).map(|value| Reference { name: name.to_owned(), value: value as f64 })
        };
        let best = of("Best known", self.best_known(objective));
        best.or_else(|| of("Lower bound", self.lower_bound(objective))).into_iter().collect()
    }
}
