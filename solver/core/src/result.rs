//! The result of a run: a value that says everything, saved as RON, opened again, replayed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::backend::DeviceNote;
pub use crate::encoded::Encoded;
use crate::search::{CurvePoint, Improvement, StopReason, Value, driver::Plan};
use crate::{Error, Result, files, numbers, text};

/// Version of the file format.
pub const FORMAT: u32 = 1;

/// Everything about one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct RunResult {
    /// Version of the file format.
    pub format: u32,
    /// Program and version that made it.
    pub program: String,
    /// Identifier of the problem; `solution`, `demands` and the solutions of `front` are values of this problem.
    pub problem: String,
    /// The instance.
    pub instance: InstanceReference,
    /// `annealing`, `evolution`, …
    pub algorithm: String,
    /// Parameters by name, as for `--set`, with everything automatic resolved.
    pub parameters: BTreeMap<String, Value>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// `cpu` or `cuda:N`; version 0.2.0 wrote `cuda` for binary problems.
    pub backend: String,
    /// The device by name.
    pub device: String,
    /// Threads of the CPU.
    pub threads: usize,
    /// Plan of the run in steps and epochs; a time limit has become a budget of steps here.
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
    /// State before the first step, and each improvement of the best; empty in results that an earlier version wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub improvements: Vec<Improvement>,
    /// Digest of the state before the first and after every epoch, hexadecimal.
    pub digests: Vec<String>,
    /// The best solution, in terms of the instance's own names.
    pub solution: Encoded,
    /// Verdict of the independent checker.
    pub verdict: Verdict,
    /// Notes for the person, such as the reason why no feasible solution was found.
    pub notes: Vec<String>,
    /// Reasons why a device did not do the whole work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device_notes: Vec<DeviceNote>,
    /// Constraints and starting solution that the run was given beyond the instance's own data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demands: Option<Encoded>,
    /// All solutions of a run with several objectives, of which `solution` is one; its cost is that of the whole front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front: Option<StoredFront>,
}

/// Solutions of which none is better than another in all objectives, in terms of the instance's own names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct StoredMember {
    /// Its values, in the order of the objectives; the checker has confirmed them.
    pub values: Vec<u64>,
    /// The solution, in terms of the instance's own names.
    pub solution: Encoded,
}

/// Which instance was solved, and how to find it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceReference {
    /// Its name.
    pub name: String,
    /// The file, or a name such as `sample:university`.
    pub source: String,
    /// SHA-256 of its files.
    pub hash: String,
    /// Options given beyond the file, such as `periods`.
    pub options: BTreeMap<String, String>,
}

/// Verdict of the independent checker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// True if nothing is violated.
    pub feasible: bool,
    /// Cost in the problem's own unit.
    pub cost: f64,
    /// Cost as people read it.
    pub cost_display: String,
    /// True if the cost equals the one that the search reported.
    pub confirmed: bool,
    /// The violations.
    pub violations: Vec<Violation>,
}

/// One thing that is wrong with a solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Violation<K = String> {
    /// Kind: an enum of the problem; in results the identifier of the kind, such as `clash`.
    pub kind: K,
    /// Sentence for people.
    pub text: String,
}

impl Verdict {
    /// Verdict on a solution with this cost and these violations; the cost counts as confirmed.
    pub fn of(cost: f64, violations: Vec<Violation>) -> Self {
        let (feasible, cost_display) = (violations.is_empty(), numbers::quantity(cost));
        Self { feasible, cost, cost_display, confirmed: true, violations }
    }

    /// The verdict with another text for the cost.
    pub fn displayed(self, cost_display: String) -> Self {
        Self { cost_display, ..self }
    }

    /// The verdict on a solution of a search; `confirmed` is true if the search reported the same cost.
    pub fn confirmed(self, confirmed: bool) -> Self {
        Self { confirmed, ..self }
    }
}

impl<K> Violation<K> {
    /// A violation of a kind.
    pub fn new(kind: K, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    /// Violations as results store them.
    pub fn stored(violations: &[Self]) -> Vec<Violation>
    where
        K: AsRef<str>,
    {
        let stored = |violation: &Self| Violation::new(violation.kind.as_ref().to_owned(), violation.text.as_str());
        violations.iter().map(stored).collect()
    }

    /// Texts of at most `most` violations; if there are more, a last line states how many.
    pub fn lines(violations: &[Self], most: usize) -> Vec<String> {
        let mut lines: Vec<String> = violations.iter().take(most).map(|violation| violation.text.clone()).collect();
        let more = violations.len().saturating_sub(most);
        if more > 0 {
            lines.push(format!("… and {more} more"));
        }
        lines
    }
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

/// Error text for a result whose numbers contradict each other.
pub const SENSELESS: &str =
    "the plan or the cost in it makes no sense; the file was damaged or changed by hand, use the original";

impl Serialize for RunResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for RunResult {
    /// Reads a result; the notes on devices that an earlier version stored among the others are moved to
    /// [`Self::device_notes`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let mut result = Self::deserialize(deserializer)?;
        result.device_notes.extend(DeviceNote::taken_from(&mut result.notes));
        Ok(result)
    }
}

impl RunResult {
    /// Texts of all notes, those on devices last.
    pub fn all_notes(&self) -> Vec<String> {
        self.notes.iter().cloned().chain(self.device_notes.iter().map(DeviceNote::to_string)).collect()
    }

    /// Writes the result; a file that was there is replaced only when the new one is complete.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        files::write(path, &self.to_bytes()?)
    }

    /// Content of the file of the result.
    ///
    /// # Errors
    /// [`Error::Usage`] if the result cannot be encoded.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        text::ron::write(self, "result", 2).map(String::into_bytes)
    }

    /// Opens a saved result of any problem and checks what can be checked without knowing the problem;
    /// [`crate::registry::load_result`] also checks what its problem demands.
    ///
    /// # Errors
    /// [`Error::Line`] where it is none; [`Error::File`] where it cannot be read, is of a newer version or makes no sense.
    pub fn load(path: &Path) -> Result<Self> {
        let text = files::read_text(path)?;
        let refusal = |why| format!("this is not a result of gridwright ({why})");
        let result: Self = text::ron::read(text::Source { path, text: &text }, "result", FORMAT, refusal)?;
        if result.plan.epoch == 0 || !result.seconds.is_finite() || !result.verdict.cost.is_finite() {
            return Err(Error::file(path, SENSELESS));
        }
        if let Some(front) = &result.front {
            front.check(path)?;
        }
        Ok(result)
    }
}
