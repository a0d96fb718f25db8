//! The result of a run: a value that says everything, saved as RON, opened again, replayed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::facility::{Layout, Orientation, Rules};
use crate::search::{CurvePoint, StopReason, Value, driver::Plan};
use crate::timetabling::StoredRules;
use crate::{Error, Result, files};

/// Version of the file format.
pub const FORMAT: u32 = 1;

/// Everything about one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Version of the file format.
    pub format: u32,
    /// Program and version that made it.
    pub program: String,
    /// `timetabling`, `flowshop`, `facility` or `systolic`.
    pub problem: String,
    /// What was solved.
    pub instance: InstanceReference,
    /// `annealing`, `evolution`, …
    pub algorithm: String,
    /// Parameters by name, as for `--set`, with everything automatic resolved.
    pub parameters: BTreeMap<String, Value>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// `cpu` or `cuda`.
    pub backend: String,
    /// The device by name.
    pub device: String,
    /// Threads of the CPU.
    pub threads: usize,
    /// How the run was planned: steps and epochs; a time limit has become a budget of steps here.
    pub plan: Plan,
    /// Seconds that were asked for, where a time limit was.
    pub time_limit: Option<f64>,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// When it ended: seconds since 1970, UTC.
    pub finished_at: i64,
    /// Seconds it took, pauses left out.
    pub seconds: f64,
    /// Generations or steps done.
    pub generations: u64,
    /// Solutions or moves evaluated.
    pub evaluations: u64,
    /// Best, mean and worst over time, in the problem's own unit.
    pub curve: Vec<CurvePoint>,
    /// Digest of the state before the first and after every epoch, hexadecimal.
    pub digests: Vec<String>,
    /// The best solution.
    pub solution: Solution,
    /// What the independent checker says of it.
    pub verdict: Verdict,
    /// What the person should know, such as why no feasible solution was found.
    pub notes: Vec<String>,
    /// What was demanded beyond the instance's own constraints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demands: Option<Demands>,
    /// All solutions of a run with several objectives, of which `solution` is one; its cost is that of the whole front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front: Option<StoredFront>,
}

/// Solutions of which none is better than another in all objectives, in terms of the instance's own names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredFront {
    /// The objectives by name.
    pub objectives: Vec<String>,
    /// For each objective a value that no solution falls below: 1 when normalised.
    pub low: Vec<u64>,
    /// For each objective the value that is 2 when normalised.
    pub high: Vec<u64>,
    /// The hypervolume of the normalised values, with reference 2.1.
    pub hypervolume: f64,
    /// The additive ε of the normalised values against a point at `low`.
    pub epsilon: f64,
    /// The members, ascending by their values.
    pub members: Vec<StoredMember>,
}

/// A member of a front.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredMember {
    /// Its values, in the order of the objectives; the checker has confirmed them.
    pub values: Vec<u64>,
    /// The solution.
    pub solution: Solution,
}

/// What a person demanded of a solution, in terms of the instance's own names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Demands {
    /// Pins, forbidden periods, relations, seats, and the timetable to stay close to.
    Timetabling(StoredRules),
    /// The order of jobs that the search began with.
    FlowShop {
        /// The names of the jobs.
        start: Vec<String>,
    },
    /// Locks and forbidden neighbours, and the layout that the search began with; departments counted as in the instance.
    Facility {
        /// Locks and forbidden neighbours.
        rules: Rules,
        /// The layout that the search began with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Layout>,
    },
}

/// Which instance was solved, and how to find it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceReference {
    /// Its name.
    pub name: String,
    /// The file, or a name such as `sample:university`.
    pub source: String,
    /// SHA-256 of its files.
    pub hash: String,
    /// What the person said beyond the file, such as `periods`.
    pub options: BTreeMap<String, String>,
}

/// A solution in terms of the instance's own names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Solution {
    /// Exam code and its period, counted from 0.
    Timetable(Vec<(String, Option<u16>)>),
    /// The names of the jobs in the order in which they are processed.
    Order(Vec<String>),
    /// The names of the departments bay by bay, and how the bays lie.
    Layout(Orientation, Vec<Vec<String>>),
    /// One `0` or `1` per bit, the first bit first.
    Bits(String),
}

impl Solution {
    /// The problem that it solves, as results name it.
    pub fn problem(&self) -> &'static str {
        match self {
            Self::Timetable(_) => "timetabling",
            Self::Order(_) => "flowshop",
            Self::Layout(..) => "facility",
            Self::Bits(_) => "systolic",
        }
    }

    /// What people call it.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Timetable(_) => "a timetable",
            Self::Order(_) => "an order of jobs",
            Self::Layout(..) => "a layout",
            Self::Bits(_) => "a string of bits",
        }
    }
}

/// What the independent checker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether nothing is violated.
    pub feasible: bool,
    /// Cost in the problem's own unit.
    pub cost: f64,
    /// Cost as people read it.
    pub cost_display: String,
    /// Whether the cost equals the one that the search reported.
    pub confirmed: bool,
    /// What is violated.
    pub violations: Vec<Violation>,
}

/// One thing that is wrong with a solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// What sort of thing, such as `clash`.
    pub kind: String,
    /// The same for people.
    pub text: String,
}

impl StoredFront {
    /// Makes sure that there are as many values as objectives everywhere.
    fn check(&self, path: &Path) -> Result<()> {
        let count = self.objectives.len();
        let whole = [&self.low, &self.high].into_iter().all(|values| values.len() == count)
            && self.members.iter().all(|member| member.values.len() == count);
        if count == 0 || !whole || !self.hypervolume.is_finite() || self.epsilon.is_nan() {
            let what = "the front in it does not fit its objectives; the file was changed by hand, use the original";
            return Err(Error::file(path, what));
        }
        Ok(())
    }
}

/// How a note ends that says why the CPU was used and not a device …
pub const SO_THE_CPU: &str = "; so the CPU was used";

/// … and what one holds where a device was lost in the middle of a run.
const WENT_ON: &str = "the CPU went on";

impl RunResult {
    /// Why the CPU did what a device might have done, where that is so.
    pub fn device_notes(&self) -> impl Iterator<Item = &str> {
        let of_a_device = |note: &&String| note.ends_with(SO_THE_CPU) || note.contains(WENT_ON);
        self.notes.iter().filter(of_a_device).map(String::as_str)
    }

    /// Whether what was moved away from an earlier solution had a price: then the curve holds it, and the cost does not.
    pub fn has_price(&self) -> bool {
        let Some(Demands::Timetabling(rules)) = &self.demands else { return false };
        rules.reference.as_ref().is_some_and(|(weight, _)| *weight > 0)
    }

    /// Writes the result; a file that was there is replaced only when the new one is complete.
    pub fn save(&self, path: &Path) -> Result<()> {
        let style = ron::ser::PrettyConfig::new().depth_limit(2).compact_arrays(true);
        let text = ron::ser::to_string_pretty(self, style)
            .map_err(|error| Error::file(path, format!("the result cannot be written as RON ({error})")))?;
        files::write(path, text.as_bytes())
    }

    /// Opens a saved result of any problem.
    ///
    /// # Errors
    /// [`Error::Line`] where it is none; [`Error::File`] where it cannot be read, is of a newer version or makes no sense.
    pub fn load(path: &Path) -> Result<Self> {
        let text = files::read_text(path)?;
        let result: Self = ron::from_str(&text).map_err(|error| {
            let line = error.span.start.line;
            Error::line(path, line, format!("this is not a result of gridwright ({})", error.code))
        })?;
        if result.format > FORMAT {
            return Err(Error::file(path, "the result was made by a newer version of gridwright; update the program"));
        }
        // Of timetables the legs are all the steps there are; of layouts they are those of one individual.
        let planned: u128 = result.plan.legs.iter().map(|&steps| u128::from(steps)).sum();
        let meted = result.problem == "timetabling" && !result.plan.legs.is_empty();
        let beyond = meted && u128::from(result.generations) > planned;
        if result.plan.epoch == 0 || beyond || !result.seconds.is_finite() || !result.verdict.cost.is_finite() {
            let what =
                "the plan or the cost in it makes no sense; the file was damaged or changed by hand, use the original";
            return Err(Error::file(path, what));
        }
        if let Some(front) = &result.front {
            front.check(path)?;
        }
        let known = ["timetabling", "flowshop", "facility", "systolic"].contains(&result.problem.as_str());
        if known && result.solution.problem() != result.problem {
            let what = format!(
                "it is a result of the problem “{}” and holds {}; the file was changed by hand, use the original",
                result.problem,
                result.solution.noun()
            );
            return Err(Error::file(path, what));
        }
        Ok(result)
    }
}
