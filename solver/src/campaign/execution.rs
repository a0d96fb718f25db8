//! Performs the runs of a campaign that have no row yet.
//!
//! Runs with a limit of steps go first, several at a time: their numbers do not depend on the clock. Runs with a time limit
//! follow one by one, because runs that share cores or a device would take time from each other. A run whose backend names
//! several devices takes one of them, and as many runs with a time limit go at a time as there are devices.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::folder::Folder;
use super::row::Row;
use super::{Improvement, OpenedInstance, Opener, RunSpec};
use crate::Result;
use crate::backend::{self, Backend};
use crate::problem::Overrides;
use crate::search::{Control, StopReason};

/// A finished run: its row, and the improvements of its search with its last state.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// The row.
    pub row: Row,
    /// Improvements, then the last state.
    pub improvements: Vec<Improvement>,
}

/// News of a campaign that is being performed.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A run begins.
    Started(&'a RunSpec),
    /// A run has found a better solution: its cost as people read it, which no checker has confirmed yet.
    Improved(&'a RunSpec, f64),
    /// A run has ended; its row is in the folder.
    Finished(&'a Finished),
}

/// Message from a worker to the thread that keeps the rows.
enum Message<'a> {
    Started(&'a RunSpec),
    Improved(&'a RunSpec, f64),
    Finished(Box<Finished>),
}

/// Number of runs at a time where none is asked for (`jobs` = 0): as many as the cores allow for the run with most threads.
pub fn runs_at_a_time(jobs: usize, runs: &[&RunSpec]) -> usize {
    match jobs {
        0 => backend::available_threads() / runs.iter().map(|run| run.threads.max(1)).max().unwrap_or(1),
        jobs => jobs,
    }
    .max(1)
}

/// Performs `runs`, at most `jobs` at a time, and appends their rows to `folder`; `observer` hears of each run that begins or
/// ends. Ends early, with the rows so far, once `control` is cancelled.
///
/// # Errors
/// [`crate::Error::File`] if a row cannot be written; the other runs are then ended.
pub fn perform(
    runs: &[&RunSpec], jobs: usize, opener: &dyn Opener, folder: &mut Folder, control: &Control,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<()> {
    let names =
        |run: &&RunSpec| Backend::named(&run.backend).map_or_else(|_| Vec::new(), |backend| backend.single_devices());
    let devices = |runs: &[&RunSpec]| runs.iter().map(|run| names(run).len()).max().unwrap_or(0);
    let (timed, stepped): (Vec<&RunSpec>, Vec<&RunSpec>) = runs.iter().partition(|run| run.is_timed());
    let (shared, alone): (Vec<&RunSpec>, Vec<&RunSpec>) = timed.into_iter().partition(|run| names(run).len() > 1);
    let stepped_jobs = jobs.max(devices(&stepped)).max(1);
    let shared_jobs = devices(&shared);
    for (runs, jobs) in [(stepped, stepped_jobs), (shared, shared_jobs), (alone, 1)] {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for worker in 0..jobs.min(runs.len()) {
                let (sender, runs, next, names) = (sender.clone(), &runs, &next, &names);
                // Workers take the devices in turn.
                let backend = move |run: &RunSpec| {
                    let names = names(&run);
                    names.get(worker % names.len().max(1)).cloned().unwrap_or_else(|| run.backend.clone())
                };
                scope.spawn(move || work(runs, next, &backend, (opener, control), &sender));
            }
            drop(sender);
            let mut ended = Ok(());
            for message in receiver {
                let finished = match message {
                    Message::Started(run) => {
                        observer(Event::Started(run));
                        continue;
                    }
                    Message::Improved(run, cost) => {
                        observer(Event::Improved(run, cost));
                        continue;
                    }
                    Message::Finished(finished) => *finished,
                };
                if ended.is_err() {
                    continue;
                }
                ended = folder.append(&finished.row, &finished.improvements);
                match &ended {
                    Ok(()) => observer(Event::Finished(&finished)),
                    Err(_) => control.cancel(),
                }
            }
            ended
        })?;
    }
    Ok(())
}

/// An instance that stays open as long as runs of it follow each other.
type Opened = Option<(String, Overrides, Box<dyn OpenedInstance>)>;

/// Takes runs from a list until it is empty; `backend` names the backend on which a run is performed.
fn work<'a>(
    runs: &[&'a RunSpec], next: &AtomicUsize, backend: &dyn Fn(&RunSpec) -> String,
    (opener, control): (&dyn Opener, &Control), sender: &Sender<Message<'a>>,
) {
    let mut opened: Opened = None;
    while !control.is_interrupted()
        && let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed))
        && sender.send(Message::Started(run)).is_ok()
        && let Some(finished) = run_guarded(run, backend(run), &mut opened, (opener, control), sender)
        && sender.send(Message::Finished(Box::new(finished))).is_ok()
    {}
}

/// Performs one run; an error or a panic becomes a row with its reason. `None` if it was cancelled.
fn run_guarded<'a>(
    spec: &'a RunSpec, backend: String, opened: &mut Opened, (opener, control): (&dyn Opener, &Control),
    sender: &Sender<Message<'a>>,
) -> Option<Finished> {
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64);
    let began = Instant::now();
    let tell = |cost: f64| drop(sender.send(Message::Improved(spec, cost)));
    let outcome = catch_unwind(AssertUnwindSafe(|| run(spec, (backend, started), opened, (opener, control), &tell)));
    let why = match outcome {
        Ok(Ok(finished)) => return finished,
        Ok(Err(_)) if control.is_cancelled() => return None,
        Ok(Err(error)) => error.to_string(),
        Err(panic) => {
            *opened = None;
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            format!("the program broke off: {}", text.unwrap_or("unknown reason"))
        }
    };
    let row = Row::failed(spec, started, began.elapsed().as_secs_f64(), &why);
    Some(Finished { row, improvements: Vec::new() })
}

/// Performs one run; `tell` is told the displayed cost of each improvement. `None` if the run was cancelled.
fn run(
    spec: &RunSpec, (backend, started): (String, i64), opened: &mut Opened, (opener, control): (&dyn Opener, &Control),
    tell: &dyn Fn(f64),
) -> Result<Option<Finished>> {
    if opened.as_ref().is_none_or(|(source, options, _)| *source != spec.opened_as || *options != spec.options) {
        let instance = opener.open(&spec.opened_as, &spec.options)?;
        *opened = Some((spec.opened_as.clone(), spec.options.clone(), instance));
    }
    let Some((.., instance)) = opened else { return Ok(None) };
    let instance: &dyn OpenedInstance = &**instance;
    let (mut improvements, mut last) = (Vec::<Improvement>::new(), None);
    let performed = RunSpec { backend, ..spec.clone() };
    let result = instance.solve(&performed, control, &mut |state| {
        if improvements.last().is_none_or(|best| state.cost < best.cost) {
            improvements.push(state);
            tell(instance.shown(state.cost));
        }
        last = Some(state);
    })?;
    if result.stop_reason == StopReason::Cancelled {
        return Ok(None);
    }
    let best = improvements.last().map_or((0, 0.0), |best| (best.step, best.seconds));
    improvements.extend(last.filter(|last| improvements.last() != Some(last)));
    let row = Row::of_result(spec, started, instance, &result, best);
    Ok(Some(Finished { row, improvements }))
}
