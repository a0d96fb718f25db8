//! A run from the press of the button to its place in the list, and how its cost falls.

use std::sync::Arc;

use egui::Ui;
use gridwright_solver::systolic::Kind;

use super::Desk;
use super::desk::Live;
use super::solving::{Ended, Order, Solver};
use crate::runs::{self, Shown, curves};
use crate::store::Store;
use crate::widgets::convergence::{self, Curve, Quantity};
use crate::widgets::notice::Notice;

impl Desk {
    /// Begins a run.
    pub fn solve(&mut self, solver: Solver, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        if self.ready().is_err() {
            return None;
        }
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let order = Order { instance, source, settings: self.settings.clone() };
        match runs::start(order, solver, store.clone(), wake) {
            Ok(session) => {
                self.live = Some(Live { session, settings: self.settings.clone(), kept: None });
                self.shown = Shown::Live;
                self.player.follow();
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
        }
        let Some(ending) = news.ending else { return notices };
        let last = live.kept.as_ref().map(|kept| Arc::clone(&kept.progress.snapshot.best.frame));
        self.live = None;
        let ended = ending.unwrap_or_else(Ended::broken);
        notices.extend(ended.notices("solution"));
        let was_shown = self.shown == Shown::Live;
        if let Some(run) = ended.run {
            let number = self.runs.push(run);
            if let Some(frame) = last {
                self.remember_last(number, frame);
            }
            if was_shown {
                self.shown = Shown::Run(number);
                self.player.follow();
            }
        } else if was_shown {
            self.show_best();
        }
        notices
    }

    /// Returns `true` if there is a curve to plot.
    pub fn has_curves(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.kept.is_some()) || curves::plotted(self.listed()).next().is_some()
    }

    /// Best, mean and worst of all listed runs, as the distance from the optimum where that is known.
    pub fn show_convergence(&self, ui: &mut Ui) {
        let palette = crate::theme::palette(ui.visuals());
        let (kind, optimum) = (&self.instance.kind, self.optimum());
        // A curve rises or falls as people read the value; above the optimum there is nothing.
        // Nothing missing has no logarithm: it lies half a step below the least that can be missing.
        let floor = match kind {
            _ if !self.look.logarithmic => 0.0,
            Kind::Knapsack { .. } | Kind::OneMax { .. } => 0.5,
            Kind::Deceptive { .. } => 0.1,
            Kind::NextRelease { .. } => 1e-4,
        };
        let value = |cost: f64| match optimum {
            Some(_) => self.error(cost).unwrap_or_default().max(floor),
            None => kind.fitness(cost),
        };
        let turned = |points: &[gridwright_solver::search::CurvePoint]| {
            let turn = |point: &gridwright_solver::search::CurvePoint| {
                let mut point = *point;
                (point.best, point.mean, point.worst) = (value(point.best), value(point.mean), value(point.worst));
                point
            };
            points.iter().map(turn).collect::<Vec<_>>()
        };
        let mut lines = curves::ended(self.listed(), self.shown, palette);
        if let Some(kept) = self.live.as_ref().and_then(|live| live.kept.as_ref()) {
            lines.push(curves::going(kept, self.runs.next_number(), false, self.shown, palette));
        }
        let points: Vec<_> = lines.iter().map(|line| turned(line.points)).collect();
        let lines: Vec<_> = lines.into_iter().zip(&points).map(|(line, points)| Curve { points, ..line }).collect();
        convergence::show(ui, self.quantity(), &lines, &[], self.look, 1.0);
    }

    fn quantity(&self) -> Quantity {
        match (self.optimum().is_some(), &self.instance.kind) {
            (true, Kind::Knapsack { .. }) => Quantity {
                name: "Profit missing",
                help: "How much profit is missing to the optimum; knapsacks that are too heavy are far below it",
            },
            (true, _) => Quantity { name: "Fitness missing", help: "How much fitness is missing to the optimum" },
            (false, _) => Quantity { name: "Fitness", help: "What solutions are worth" },
        }
    }
}
