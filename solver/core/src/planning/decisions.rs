//! Decisions that change what a plan has to fulfil, such as a room less or a shift more, and what they would cost.
//!
//! Each decision is solved from the present plan, as a run that can be repeated. Runs share the threads and the time, so that all of
//! them have equal chances; the plan as it is, improved for the same time, is what they are compared with.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::measures::{self, Measure, MeasureTable};
use crate::result::{Encoded, RunResult};
use crate::search::{Budget, Control, Settings, Stop};
use crate::text::aligned::columns;
use crate::{Error, Result, backend};

/// Key of the decision to leave everything as it is.
pub const NO_CHANGE: &str = "no-change";

/// Shortest time in seconds that a run gets.
const LEAST_SECONDS: f64 = 0.2;

/// Present solution of an instance, about which decisions are.
#[derive(Debug, Clone, Copy)]
pub struct PresentSolution<'a> {
    /// The solution.
    pub solution: &'a Encoded,
    /// Where it is from.
    pub path: &'a Path,
    /// The run that made it, if the file says.
    pub result: Option<&'a RunResult>,
}

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

/// Solution and figures under a decision.
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
    pub fn proposed(key: impl AsRef<str>, words: impl Into<String>) -> Self {
        Self { key: dashed(key.as_ref()), words: words.into(), is_proposed: true }
    }

    /// Name of a decision that is looked at where it is chosen.
    pub fn possible(key: impl AsRef<str>, words: impl Into<String>) -> Self {
        Self { is_proposed: false, ..Self::proposed(key, words) }
    }
}

/// A key with dashes in place of blanks and commas, as it is typed on the command line.
fn dashed(key: &str) -> String {
    key.replace(|letter: char| letter.is_whitespace() || letter == ',', "-")
}

/// The decision to leave everything as it is, and those that have one of the keys, with blanks or dashes; without a key, those that are proposed.
///
/// # Errors
/// [`Error::Usage`] for a key that no decision has.
pub fn chosen<I>(all: Vec<Decision<I>>, keys: &[String]) -> Result<Vec<Decision<I>>> {
    let keys: Vec<String> = keys.iter().map(|key| dashed(key)).collect();
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

/// Runs for decisions, which share the threads of the CPU, unless a device is named, which takes them one after the other. A time
/// limit is that of all runs together.
#[derive(Debug, Clone)]
pub struct Batch<A, G> {
    /// Settings of each run.
    pub settings: Settings<A, G>,
    /// Number of runs at a time.
    workers: usize,
    count: usize,
}

impl<A: Clone, G: Clone> Batch<A, G> {
    /// Runs for so many decisions with settings that stand for all together.
    pub fn of(settings: &Settings<A, G>, count: usize) -> Self {
        let threads = if settings.threads == 0 { backend::available_threads() } else { settings.threads };
        let takes_device = backend::is_device(&settings.backend);
        let backend = if takes_device { settings.backend.clone() } else { "cpu".to_owned() };
        let workers = if takes_device { 1 } else { threads.clamp(1, count.max(1)) };
        let budget = match settings.stop.budget {
            Budget::Seconds(all) => Budget::Seconds((all * workers as f64 / count.max(1) as f64).max(LEAST_SECONDS)),
            other => other,
        };
        let stop = Stop { budget, ..settings.stop };
        let settings = Settings { backend, threads: (threads / workers).max(1), stop, ..settings.clone() };
        Self { settings, workers, count }
    }
}

impl<A: Sync, G: Sync> Batch<A, G> {
    /// Consequences of the decisions in their order, of which `one` finds that with an index; `told` is called with the number of
    /// those that are done. Once the runs are cancelled no further one begins.
    ///
    /// # Errors
    /// The first error; the other runs are cancelled.
    pub fn run(
        &self, one: impl Fn(usize) -> Result<Consequence> + Sync, control: &Control, told: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Consequence>> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let found: Mutex<Vec<Option<Result<Consequence>>>> = Mutex::new((0..self.count).map(|_| None).collect());
        let work = || {
            while let at = next.fetch_add(1, Ordering::Relaxed)
                && at < self.count
                && !control.is_cancelled()
            {
                let answer = one(at);
                if answer.is_err() {
                    control.cancel();
                }
                found.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(answer);
                told(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        std::thread::scope(|scope| (0..self.workers).for_each(|_| drop(scope.spawn(work))));
        found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
    }
}

impl Consequence {
    /// Consequence of a decision, for which a run found a solution with these figures, in which `moved` items have other places.
    pub fn of(name: &DecisionName, result: RunResult, measures: Vec<Measure>, moved: usize) -> Self {
        let violations = &result.verdict.violations;
        let obstacle = violations.first().map(|first| match violations.len() - 1 {
            0 => first.text.clone(),
            others => format!("{}, and {others} more", first.text),
        });
        let measures = figures(measures, moved, obstacle.is_none());
        Self { name: name.clone(), result, measures, obstacle }
    }
}

/// Figures of a solution with the number of items that move. A solution that lacks something costs less only because of that, so that
/// the cost of an impossible one is not defined.
fn figures(mut measures: Vec<Measure>, moved: usize, is_possible: bool) -> Vec<Measure> {
    if let (Some(cost), false) = (measures.first_mut(), is_possible) {
        (cost.value, cost.text) = (None, "not possible".to_owned());
    }
    measures.push(measures::moved(moved));
    measures
}

impl Consequences {
    /// Consequences of decisions about a plan with these figures, which meets all demands or does not.
    pub fn of((present, is_possible): (Vec<Measure>, bool), all: Vec<Consequence>) -> Self {
        Self { present: figures(present, 0, is_possible), all }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    /// A key is typed as it stands in the data or as the list has it; no change is always among the decisions.
    #[test]
    fn decisions_are_chosen_by_their_keys() {
        let all = || {
            let names = [
                DecisionName::proposed(NO_CHANGE, "No change"),
                DecisionName::proposed("without-room-Main hall, 2", "Without room Main hall, 2"),
                DecisionName::possible("more", "More"),
            ];
            names.map(|name| Decision { name, instance: (), is_of_weights: false }).to_vec()
        };
        let keys = |keys: &[&str]| {
            let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
            chosen(all(), &keys).map(|found| found.into_iter().map(|one| one.name.key).collect::<Vec<_>>())
        };
        let hall = "without-room-Main-hall--2";
        assert_eq!(keys(&[]).unwrap(), [NO_CHANGE, hall]);
        assert_eq!(keys(&["more"]).unwrap(), [NO_CHANGE, "more"]);
        assert_eq!(keys(&["without-room-Main hall, 2"]).unwrap(), [NO_CHANGE, hall]);
        assert_eq!(keys(&[hall]).unwrap(), [NO_CHANGE, hall]);
        assert!(keys(&["less"]).unwrap_err().to_string().contains("no decision “less”"));
    }
}
