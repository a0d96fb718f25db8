//! A run from the press of the button to its place in the list.

use std::sync::Arc;
use std::time::Duration;

use super::{Desk, Live, Shown};
use crate::problems::timetabling::solving::{self, Ended, Order, Solver};
use crate::store::Store;
use crate::widgets::notice::Notice;

impl Desk {
    /// Begins a run.
    pub fn solve(&mut self, solver: Solver, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        if self.ready().is_err() {
            return None;
        }
        let order = Order {
            instance: Arc::clone(&self.instance),
            source: self.source.clone(),
            settings: self.settings.clone(),
        };
        match solving::start(order, solver, store.clone(), wake) {
            Ok(session) => {
                let (settings, instance) = (self.settings.clone(), Arc::clone(&self.instance));
                self.live = Some(Live { session, settings, instance, kept: None });
                self.shown = Shown::Live;
                self.refresh();
                None
            }
            Err(notice) => Some(notice),
        }
    }

    /// Processes the messages of the worker thread; returns the notices for the user.
    pub fn poll(&mut self) -> Vec<Notice> {
        let Some(live) = &mut self.live else { return Vec::new() };
        let news = live.session.poll();
        if let Some(kept) = news.progress {
            live.kept = Some(kept);
            self.refresh();
        }
        let Some(ending) = news.ending else { return Vec::new() };
        self.live = None;
        self.conclude(ending.unwrap_or_else(Ended::broken))
    }

    fn conclude(&mut self, ended: Ended) -> Vec<Notice> {
        let notices = ended.notices("timetable");
        self.bench.keeper.touch_runs();
        let was_shown = self.shown == Shown::Live;
        if let Some(run) = ended.run {
            let number = self.runs.push(run);
            if was_shown {
                self.shown = Shown::Run(number);
            }
        } else if was_shown {
            self.show_best();
        }
        self.refresh();
        notices
    }

    /// Asks the run to stop and waits a little for it to be kept; for closing.
    pub fn finish(&self, patience: Duration) {
        if let Some(live) = &self.live {
            live.session.stop();
            live.session.wait(patience);
        }
    }
}
