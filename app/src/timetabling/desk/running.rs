//! A run from the press of the button to its place in the list.

use std::sync::Arc;
use std::time::Duration;

use super::{Desk, Live, Shown};
use crate::store::Store;
use crate::timetabling::solving::{self, Ended, Order, Solver, Standing};
use crate::timetabling::working::Unkept;
use crate::widgets::notice::{Action, Notice};

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
            Err(error) => {
                Some(Notice::error("The run could not begin", format!("The system gives no thread: {error}")))
            }
        }
    }

    /// Takes in what the worker has to say; returns what the person should know.
    pub fn poll(&mut self) -> Vec<Notice> {
        let Some(live) = &mut self.live else { return Vec::new() };
        let news = live.session.poll();
        if let Some(kept) = news.progress {
            live.kept = Some(kept);
            self.refresh();
        }
        let Some(ending) = news.ending else { return Vec::new() };
        self.live = None;
        let ended = ending.unwrap_or_else(|why| Ended { run: None, failure: Some(why), unkept: None });
        self.conclude(ended)
    }

    fn conclude(&mut self, ended: Ended) -> Vec<Notice> {
        let mut notices = Vec::new();
        // The project's file holds the runs, too.
        if self.bench.project.is_some() {
            self.bench.unkept = Unkept::Work;
        }
        let was_shown = self.shown == Shown::Live;
        if let Some(mut run) = ended.run {
            run.number = self.runs.last().map_or(1, |last| last.number + 1);
            let number = run.number;
            let text = match &run.standing {
                Standing::Incomplete(_) => {
                    let text = "What was found is shown, with the reasons above it. Allow more periods or more time.";
                    Some(("No feasible timetable was found", text.to_owned()))
                }
                Standing::Wrong(text) => Some(("The result did not pass the check", text.clone())),
                Standing::Valid => None,
            };
            self.runs.push(run);
            if was_shown {
                self.shown = Shown::Run(number);
            }
            if let (Some((heading, text)), None) = (text, &ended.failure) {
                notices.push(Notice::error(heading, text));
            }
            if let Some(why) = &ended.failure {
                let text = format!("{why}\nThe best timetable so far was kept.");
                notices.push(Notice::error("The run broke off", text).offering(Action::SolveAgain));
            }
        } else {
            if was_shown {
                self.show_best();
            }
            if let Some(why) = &ended.failure {
                notices.push(Notice::error("The run failed", why.clone()).offering(Action::SolveAgain));
            }
        }
        if let Some(why) = ended.unkept {
            notices.push(Notice::error("The run could not be kept on disk", why));
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
