//! Performs the runs of a campaign that have no row yet.
//!
//! Runs with a limit of steps or evaluations go first, several at a time: their numbers do not depend on the clock. Those with a
//! limit of steps that differ only in their seeds and have a device are offered to the problem together, which may compute them
//! side by side. Runs with a time limit follow one by one, because runs that share cores or a device would take time from each
//! other. A run whose backend names several devices takes one of them, and as many runs with a time limit go at a time as there
//! are devices.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use gridwright_core::backend::{self, Backend};
use gridwright_core::planning::OpenInstance;
use gridwright_core::problem::Overrides;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Budget, Control, Improvement, StopReason, driver};
use gridwright_core::{Result, registry};

use super::folder::Folder;
use super::row::Row;
use super::{Opener, RunSpec};

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
/// [`gridwright_core::Error::File`] if a row cannot be written; the other runs are then ended.
pub fn perform(
    runs: &[&RunSpec], jobs: usize, opener: &Opener<'_>, folder: &mut Folder, control: &Control,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<()> {
    let names =
        |run: &&RunSpec| Backend::named(&run.backend).map_or_else(|_| Vec::new(), |backend| backend.single_devices());
    let devices = |runs: &[&RunSpec]| runs.iter().map(|run| names(run).len()).max().unwrap_or(0);
    let (timed, stepped): (Vec<&RunSpec>, Vec<&RunSpec>) = runs.iter().partition(|run| run.is_timed());
    let (shared, alone): (Vec<&RunSpec>, Vec<&RunSpec>) = timed.into_iter().partition(|run| names(run).len() > 1);
    let stepped_jobs = jobs.max(devices(&stepped)).max(1);
    let shared_jobs = devices(&shared);
    let alike = |one: &&RunSpec, other: &&RunSpec| {
        let is_on_device = matches!(Backend::named(&one.backend), Ok(Backend::Cuda(_) | Backend::Several(_)));
        is_on_device
            && matches!(one.budget, Some(Budget::Steps(_)))
            && registry::by_id(&one.problem).is_some_and(|problem| problem.profile().has_side_by_side_runs)
            && is_alike(one, other)
    };
    // Where there are several devices, each has its part of a group.
    let parts = devices(&stepped).max(1);
    let split = |group: &[&RunSpec]| group.len().div_ceil(parts).min(MOST_TOGETHER);
    let stepped: Vec<&[&RunSpec]> = stepped.chunk_by(alike).flat_map(|group| group.chunks(split(group))).collect();
    let [shared, alone]: [Vec<&[&RunSpec]>; 2] = [&shared, &alone].map(|runs| runs.chunks(1).collect());
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

/// Largest number of runs that are offered to a problem together.
const MOST_TOGETHER: usize = 128;

/// True if two runs differ in nothing but their seeds.
fn is_alike(one: &RunSpec, other: &RunSpec) -> bool {
    *one == RunSpec { seed: one.seed, ..other.clone() }
}

/// An instance that stays open as long as runs of it follow each other.
type Opened = Option<(String, Overrides, Box<dyn OpenInstance>)>;

/// Takes groups of runs that differ in their seeds from a list until it is empty; `backend` names the backend on which a run
/// is performed.
fn work<'a>(
    groups: &[&[&'a RunSpec]], next: &AtomicUsize, backend: &dyn Fn(&RunSpec) -> String,
    (opener, control): (&Opener<'_>, &Control), sender: &Sender<Message<'a>>,
) {
    let mut opened: Opened = None;
    let with = (opener, control);
    while !control.is_interrupted()
        && let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed))
    {
        for run in *group {
            if sender.send(Message::Started(run)).is_err() {
                return;
            }
        }
        // An error of all runs is reported in the rows of the single runs.
        let together = (group.len() > 1).then(|| run_together(group, backend(group[0]), &mut opened, with)).flatten();
        let mut finished = together.unwrap_or_default().into_iter();
        for run in *group {
            let Some(finished) = finished.next().or_else(|| run_guarded(run, backend(run), &mut opened, with, sender))
            else {
                return;
            };
            if sender.send(Message::Finished(Box::new(finished))).is_err() {
                return;
            }
        }
    }
}

/// Calls `f`; a panic becomes its text.
fn unpanicked<T>(f: impl FnOnce() -> T) -> std::result::Result<T, String> {
    catch_unwind(AssertUnwindSafe(f))
        .map_err(|panic| driver::panic_text(&*panic).unwrap_or_else(|| "unknown reason".to_owned()))
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

/// Performs one run; an error or a panic becomes a row with its reason. `None` if it was cancelled.
fn run_guarded<'a>(
    spec: &'a RunSpec, backend: String, opened: &mut Opened, (opener, control): (&Opener<'_>, &Control),
    sender: &Sender<Message<'a>>,
) -> Option<Finished> {
    let (started, began) = (now(), Instant::now());
    let tell = |cost: f64| drop(sender.send(Message::Improved(spec, cost)));
    let why = match unpanicked(|| run(spec, (backend, started), opened, (opener, control), &tell)) {
        Ok(Ok(finished)) => return finished,
        Ok(Err(_)) if control.is_cancelled() => return None,
        Ok(Err(error)) => error.to_string(),
        Err(panic) => {
            *opened = None;
            format!("the program broke off: {panic}")
        }
    };
    let row = Row::failed(spec, started, began.elapsed().as_secs_f64(), &why);
    Some(Finished { row, improvements: Vec::new() })
}

/// Opens the instance of a run unless it is open.
fn open<'o>(spec: &RunSpec, opened: &'o mut Opened, opener: &Opener<'_>) -> Result<&'o dyn OpenInstance> {
    let fits = |opened: &Opened| {
        opened.as_ref().is_some_and(|(source, options, _)| *source == spec.opened_as && *options == spec.options)
    };
    if !fits(opened) {
        *opened = None;
    }
    let instance = match opened.take() {
        Some((.., instance)) => instance,
        None => opener(&spec.opened_as, &spec.options)?,
    };
    let (.., instance) = opened.insert((spec.opened_as.clone(), spec.options.clone(), instance));
    Ok(&**instance)
}

/// The finished run with this result: its row, its improvements and its last state; `None` if it was cancelled.
fn finished(spec: &RunSpec, started: i64, instance: &dyn OpenInstance, result: &RunResult) -> Option<Finished> {
    let row = Row::of_result(spec, started, instance, result);
    let mut improvements = result.improvements.clone();
    if let Some(&best) = improvements.last() {
        let (step, evaluations, seconds) = (result.generations, result.evaluations, result.seconds);
        let last = Improvement { step, evaluations, seconds, ..best };
        improvements.extend((best.step < step).then_some(Improvement { exact: true, ..last }));
    }
    (result.stop_reason != StopReason::Cancelled).then_some(Finished { row, improvements })
}

/// Performs one run; `tell` receives the displayed cost of each improvement. `None` if the run was cancelled.
fn run(
    spec: &RunSpec, (backend, started): (String, i64), opened: &mut Opened, (opener, control): (&Opener<'_>, &Control),
    tell: &dyn Fn(f64),
) -> Result<Option<Finished>> {
    let instance = open(spec, opened, opener)?;
    let mut best = f64::INFINITY;
    let result = instance.solve(&spec.request(&backend), control, &mut |report| {
        if report.cost < best {
            best = report.cost;
            tell(instance.shown(best));
        }
    })?;
    Ok(finished(spec, started, instance, &result))
}

/// Performs runs that differ in their seeds side by side; `None` if the problem cannot, or if anything went wrong.
fn run_together(
    group: &[&RunSpec], backend: String, opened: &mut Opened, (opener, control): (&Opener<'_>, &Control),
) -> Option<Vec<Finished>> {
    let started = now();
    let seeds: Vec<u64> = group.iter().map(|spec| spec.seed).collect();
    let instance = open(group[0], opened, opener).ok()?;
    let request = group[0].request(&backend);
    let results = unpanicked(|| instance.solve_seeds(&request, &seeds, control, &mut |_, _| {})).ok()?.ok()??;
    group.iter().zip(&results).map(|(spec, result)| finished(spec, started, instance, result)).collect()
}
