//! A solve of any problem from the press of a button to the run that is listed: started, kept, judged.

pub mod curves;
mod list;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use gridwright_core::Result;
use gridwright_core::numbers::counted;
use gridwright_core::result::RunResult;
pub use gridwright_core::run_status::RunStatus;
use gridwright_core::search::{Control, Progress, StopReason};

use crate::session::{Job, Session};
use crate::widgets::notice::{Action, Notice};
use gridwright_core::store::{Checkpoints, Store};

pub use gridwright_core::search::partial::BY_HAND;
pub use list::RunList;

/// Which plan is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// None yet.
    Nothing,
    /// The best so far of the run that goes on.
    Live,
    /// The run with this number.
    Run(usize),
    /// The plan that is being edited.
    Draft,
}

/// A finished run with the checked solution of its problem.
#[derive(Debug, Clone)]
pub struct Run<F> {
    /// Its number in the list, from 1.
    pub number: usize,
    /// All that is known of it.
    pub result: Arc<RunResult>,
    /// Verdict of the checker now.
    pub status: RunStatus,
    /// Where it is kept.
    pub path: Option<PathBuf>,
    /// The name that a person gave it; empty where there is none.
    pub name: String,
    /// Remarks about a run that was solved for earlier data and does not fit the present ones, perhaps empty; `None` for a
    /// run of the present data.
    pub earlier: Option<String>,
    /// True if the cost on its curve contains the price of moved items, so that the curve is not of the cost alone.
    pub priced: bool,
    /// The solution and its figures.
    pub checked: F,
}

impl<F> Run<F> {
    /// A result that was judged; it has no number, place or name yet.
    pub fn new(result: RunResult, status: RunStatus, checked: F) -> Self {
        let (path, earlier) = (None, None);
        Self { number: 0, result: Arc::new(result), status, path, name: String::new(), earlier, priced: false, checked }
    }

    /// Returns `true` if the solution is proven optimal and confirmed by the checker.
    pub fn is_proven(&self) -> bool {
        self.result.stop_reason == StopReason::Proven && self.status == RunStatus::Valid && self.earlier.is_none()
    }

    /// «Run 3», or its name.
    pub fn title(&self) -> String {
        if self.name.is_empty() {
            format!("Run {}", self.number)
        } else {
            format!("Run {} “{}”", self.number, self.name)
        }
    }
}

/// Gives access to the solution and its figures.
impl<F> Deref for Run<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.checked
    }
}

/// End of a solve.
#[derive(Debug)]
pub struct Ended<F> {
    /// The run, where anything was found.
    pub run: Option<Run<F>>,
    /// Why it broke off, where it did.
    pub failure: Option<String>,
    /// Why it could not be kept on disk, where it could not.
    pub unkept: Option<String>,
}

/// Notes that a notice has room for; all of them stand beside the plan.
const NOTES: usize = 2;

/// The first notes of a run, and how many more there are.
fn brief(notes: &[String]) -> String {
    let mut lines: Vec<String> = notes.iter().take(NOTES).cloned().collect();
    if notes.len() > NOTES {
        lines.push(format!("and {} beside the plan", counted(notes.len() - NOTES, "further reason")));
    }
    lines.join("\n")
}

impl<F> Ended<F> {
    /// A worker that did not even come to an end.
    pub fn broken(why: String) -> Self {
        Self { run: None, failure: Some(why), unkept: None }
    }

    /// Notices for the person; `plan` is the problem's noun for a solution.
    pub fn notices(&self, plan: &str) -> Vec<Notice> {
        let mut notices = Vec::new();
        match (&self.run, &self.failure) {
            (Some(_), Some(why)) => {
                let text = format!("{why}\nThe best {plan} so far was kept.");
                notices.push(Notice::error("The run broke off", text).offering(Action::SolveAgain));
            }
            (None, Some(why)) => {
                notices.push(Notice::error("The run failed", why.clone()).offering(Action::SolveAgain));
            }
            (Some(Run { status: RunStatus::Incomplete(text), result, .. }), None) => {
                // The notes of a search name the reasons; without any, what is violated.
                let text = if result.notes.is_empty() { text.clone() } else { brief(&result.notes) };
                notices.push(Notice::error(format!("No feasible {plan} was found"), text));
            }
            (Some(Run { status: RunStatus::Wrong(text), .. }), None) => {
                notices.push(Notice::error("The result did not pass the check", text.clone()));
            }
            (_, None) => {}
        }
        if let (Some(run), None) = (&self.run, &self.failure) {
            // A result all the same, with the same numbers; but not computed where the person may think.
            let told = run.result.device_notes.iter();
            notices.extend(told.map(|note| Notice::warning("The CPU did what the GPU could not", note.to_string())));
        }
        let mut notices: Vec<Notice> = notices.into_iter().map(Notice::of_run).collect();
        if let Some(why) = &self.unkept {
            notices.push(Notice::error("The run could not be kept on disk", why.clone()));
        }
        notices
    }
}

/// A solve request, as the worker sees it.
pub trait Request: Clone + Send + 'static {
    /// Solution type of the search.
    type Solution: Send + Sync + 'static;
    /// Solution and figures that a listed run holds.
    type Checked: Send + 'static;

    /// The name under which runs of the instance are kept.
    fn key(&self) -> String;
    /// Where the instance comes from.
    fn source(&self) -> &str;
    /// Lets the checker judge a result; `None` if it cannot be listed.
    fn validate(&self, result: RunResult) -> Option<Run<Self::Checked>>;
}

/// Function that solves; tests replace it.
pub type Solver<Q> =
    Arc<dyn Fn(&Q, &Control, &mut dyn FnMut(&Progress<<Q as Request>::Solution>)) -> Result<RunResult> + Send + Sync>;

/// Starts a solve in a thread of its own.
///
/// # Errors
/// If the system starts no thread.
pub(crate) fn start<Q: Request>(
    request: Q, solver: Solver<Q>, store: Store, wake: Arc<dyn Fn() + Send + Sync>,
) -> std::io::Result<Session<Q::Solution, Ended<Q::Checked>>> {
    let key = request.key();
    // The search runs also where nothing can be kept, which shows when its result is written.
    let checkpoints = Checkpoints::of(store.begin(&key).ok());
    let (sink, solve_request) = (checkpoints.clone(), request.clone());
    Session::start(Job {
        name: "solve".to_owned(),
        solve: Box::new(move |control, observer| {
            sink.receive(control, solve_request.source().to_owned(), BTreeMap::new());
            solver(&solve_request, control, observer).map(Box::new)
        }),
        conclude: Box::new(move |outcome| conclude(&request, outcome, &checkpoints, &store, &key)),
        wake,
    })
}

fn conclude<Q: Request>(
    request: &Q, outcome: std::result::Result<Box<RunResult>, String>, checkpoints: &Checkpoints, store: &Store,
    key: &str,
) -> Ended<Q::Checked> {
    let (result, failure) = match outcome {
        Ok(result) => {
            let failure = match &result.stop_reason {
                StopReason::Failed(why) => Some(why.clone()),
                _ => None,
            };
            (Some(*result), failure)
        }
        Err(why) => {
            let failed = |last| RunResult { stop_reason: StopReason::Failed(why.clone()), ..last };
            (checkpoints.take_last().map(failed), Some(why))
        }
    };
    let Some(mut result) = result else {
        checkpoints.discard();
        return Ended { run: None, failure, unkept: None };
    };
    // The search knows the instance by name only.
    request.source().clone_into(&mut result.instance.source);
    let stored = store.keep_somewhere(key, &result);
    let mut run = request.validate(result);
    let unkept = match stored {
        Ok((path, why)) => {
            let unkept = why
                .map(|why| format!("{why}\nThe run was kept in {} instead; move it to a safe place", path.display()));
            if let Some(run) = &mut run {
                run.path = Some(path);
            }
            // Only now: until it is kept as finished, the running file is all there is.
            checkpoints.discard();
            unkept
        }
        Err(error) => Some(error.to_string()),
    };
    Ended { run, failure, unkept }
}
