//! Decisions that change what a plan has to fulfil, such as a room less or a shift more, and what they would cost.
//!
//! Each decision is solved from the present plan, as a run that can be repeated. Runs share the threads and the time, so that all of
//! them have equal chances; the plan as it is, improved for the same time, is what they are compared with.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Measure, MeasureTable, Planning, Settings, measures};
use crate::result::RunResult;
use crate::search::{Budget, Control, Stop};
use crate::text::aligned::columns;
use crate::{Error, Result, backend};

/// Key of the decision to leave everything as it is.
pub const NO_CHANGE: &str = "no-change";

/// Shortest time in seconds that a run gets.
const LEAST_SECONDS: f64 = 0.2;

/// Name of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionName {
    /// Short name by which a decision is chosen on the command line, such as `without-room-H1`.
    pub key: String,
    /// Words for people: «Without room H1 (220 seats)».
    pub words: String,
    /// True if the decision is looked at where none is chosen.
    pub is_proposed: bool,
}

/// Decision about an instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision<I> {
    /// Name.
    pub name: DecisionName,
    /// The instance as it would be.
    pub instance: I,
    /// True if it only weighs costs in another way, so that its solution is measured as that of the present instance.
    pub is_of_weights: bool,
}

/// What a decision would cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Consequence {
    /// Name of the decision.
    pub name: DecisionName,
    /// The run that solved the instance as it would be.
    pub result: RunResult,
    /// Figures of its solution, with the number of items that have other places than in the present one. The first one, which is
    /// minimised, is not defined where the solution does not meet all demands.
    pub measures: Vec<Measure>,
    /// Sentence about the first demand that the solution does not meet and the number of others; `None` if it meets all.
    pub obstacle: Option<String>,
}

/// Consequences of several decisions about one plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Consequences {
    /// Figures of the present plan.
    pub present: Vec<Measure>,
    /// In the order of the decisions; the first is to leave everything as it is.
    pub all: Vec<Consequence>,
}

impl DecisionName {
    /// Name of a decision that is looked at where none is chosen. Blanks and commas of the key become dashes.
    pub fn proposed(key: impl Into<String>, words: impl Into<String>) -> Self {
        let key = key.into().replace(|letter: char| letter.is_whitespace() || letter == ',', "-");
        Self { key, words: words.into(), is_proposed: true }
    }

    /// Name of a decision that is looked at where it is chosen.
    pub fn possible(key: impl Into<String>, words: impl Into<String>) -> Self {
        Self { is_proposed: false, ..Self::proposed(key, words) }
    }
}

/// All decisions about a plan: to leave everything as it is, and those of the problem.
pub fn decisions<P: Planning>(instance: &P::Instance, plan: &P::Solution) -> Vec<Decision<P::Instance>> {
    let name = DecisionName::proposed(NO_CHANGE, "No change, improved for the same time");
    let none = Decision { name, instance: instance.clone(), is_of_weights: true };
    std::iter::once(none).chain(P::decisions(instance, plan)).collect()
}

/// The decision to leave everything as it is, and those that have one of the keys; without a key, those that are proposed.
///
/// # Errors
/// [`Error::Usage`] for a key that no decision has.
pub fn chosen<I>(all: Vec<Decision<I>>, keys: &[String]) -> Result<Vec<Decision<I>>> {
    let is_known = |key: &&String| all.iter().any(|decision| decision.name.key == **key);
    if let Some(unknown) = keys.iter().find(|key| !is_known(key)) {
        let what = format!("there is no decision “{}”; --list shows all", unknown.escape_debug());
        return Err(Error::Usage(what));
    }
    let is_chosen = |name: &DecisionName| {
        let is_wanted = if keys.is_empty() { name.is_proposed } else { keys.contains(&name.key) };
        is_wanted || name.key == NO_CHANGE
    };
    Ok(all.into_iter().filter(|decision| is_chosen(&decision.name)).collect())
}

/// Solves the instance of each decision from a plan. A time limit is that of all runs together. `told` is called with the number of
/// decisions that are done. Runs share the threads of the CPU, unless a device is named, which takes them one after the other.
///
/// # Errors
/// Settings that do not fit an instance, or a device that cannot be used; the runs are cancelled.
pub fn consequences<P: Planning>(
    (instance, goal): (&P::Instance, &P::Goal), plan: &P::Solution, chosen: &[Decision<P::Instance>],
    settings: &Settings<P>, control: &Control, told: &(dyn Fn(usize) + Sync),
) -> Result<Consequences> {
    let (workers, settings) = shared::<P>(settings, chosen.len());
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found: Mutex<Vec<Option<Result<Consequence>>>> = Mutex::new(chosen.iter().map(|_| None).collect());
    let work = || {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && at < chosen.len()
        {
            let one = consequence::<P>((instance, goal), plan, &chosen[at], &settings, control);
            if one.is_err() {
                control.cancel();
            }
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[at] = Some(one);
            told(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let all = found.into_iter().flatten().collect::<Result<Vec<_>>>()?;
    Ok(Consequences { present: with_moved(P::measures(instance, goal, plan)?, 0), all })
}

/// Number of runs at a time and the settings of each: a thread for every run on the CPU, and a share of the time.
fn shared<P: Planning>(settings: &Settings<P>, runs: usize) -> (usize, Settings<P>) {
    let threads = if settings.threads == 0 { backend::available_threads() } else { settings.threads };
    let takes_device = backend::is_device(&settings.backend);
    let backend = if takes_device { settings.backend.clone() } else { "cpu".to_owned() };
    let workers = if takes_device { 1 } else { threads.clamp(1, runs.max(1)) };
    let budget = match settings.stop.budget {
        Budget::Seconds(all) => Budget::Seconds((all * workers as f64 / runs.max(1) as f64).max(LEAST_SECONDS)),
        other => other,
    };
    let stop = Stop { budget, ..settings.stop };
    (workers, Settings::<P> { backend, threads: (threads / workers).max(1), stop, ..settings.clone() })
}

fn consequence<P: Planning>(
    (instance, goal): (&P::Instance, &P::Goal), plan: &P::Solution, decision: &Decision<P::Instance>,
    settings: &Settings<P>, control: &Control,
) -> Result<Consequence> {
    let close = P::close_to(&decision.instance, plan);
    let settings = P::fitted(&close, settings.clone())?;
    let result = P::solve(&close, &settings, Some(plan), control, &mut |_| ())?;
    let decode = |instance| P::decode(instance, &result.solution).map_err(Error::Search);
    let found = decode(&decision.instance)?;
    let moved = P::moved(&decision.instance, [plan, &found]);
    let judge = if decision.is_of_weights { instance } else { &decision.instance };
    let mut measures = with_moved(P::measures(judge, goal, &decode(judge)?)?, moved);
    let violations = &result.verdict.violations;
    let obstacle = violations.first().map(|first| match violations.len() - 1 {
        0 => first.text.clone(),
        others => format!("{}, and {others} more", first.text),
    });
    if let (Some(cost), true) = (measures.first_mut(), obstacle.is_some()) {
        // A solution that lacks something costs less only because of that.
        (cost.value, cost.text) = (None, "not possible".to_owned());
    }
    Ok(Consequence { name: decision.name.clone(), result, measures, obstacle })
}

fn with_moved(mut measures: Vec<Measure>, moved: usize) -> Vec<Measure> {
    measures.push(measures::moved(moved));
    measures
}

impl Consequences {
    /// Table of the figures, with differences to those of the plan that nothing but the search changed.
    pub fn table(&self) -> MeasureTable {
        let present = ("Present plan".to_owned(), self.present.clone());
        let rows = self.all.iter().map(|one| (one.name.words.clone(), one.measures.clone()));
        MeasureTable::new(std::iter::once(present).chain(rows).collect(), 1)
    }

    /// A line for each decision: its cost, the difference to no change, the number of items that move, and what is not met.
    pub fn text(&self) -> String {
        let table = self.table();
        let last = self.present.len().saturating_sub(1);
        let head = ["", "cost", "change", "%", "moved", "possible"].map(str::to_owned).to_vec();
        let line = |(row, (name, own)): (usize, &(String, Vec<Measure>))| {
            let change = table.change(row, 0).map_or_else(String::new, |(words, _)| words);
            let share = table.change_share(row, 0).map_or_else(String::new, |share| format!("{share:+.1}"));
            let is_possible =
                row.checked_sub(1).map_or("", |at| if self.all[at].obstacle.is_none() { "yes" } else { "no" });
            vec![name.clone(), own[0].text.clone(), change, share, own[last].text.clone(), is_possible.to_owned()]
        };
        let lines: Vec<_> = std::iter::once(head).chain(table.rows().iter().enumerate().map(line)).collect();
        let why = |one: &Consequence| Some(format!("{}: {}\n", one.name.words, one.obstacle.as_ref()?));
        let obstacles: String = self.all.iter().filter_map(why).collect();
        let gap = if obstacles.is_empty() { "" } else { "\n" };
        format!("{}{gap}{obstacles}", columns(&lines))
    }

    /// The table for scripts: an object per decision with its key, its figures, their changes and what is not met.
    pub fn json(&self) -> serde_json::Value {
        let table = self.table();
        let of = |(at, one): (usize, &Consequence)| {
            serde_json::json!({
                "decision": one.name.key,
                "words": one.name.words,
                "feasible": one.result.verdict.feasible,
                "obstacle": one.obstacle,
                "figures": measures::values(&one.measures),
                "changes": table.changes(at + 1),
                "seconds": one.result.seconds,
            })
        };
        let all: Vec<_> = self.all.iter().enumerate().map(of).collect();
        serde_json::json!({ "present": measures::values(&self.present), "decisions": all })
    }
}
