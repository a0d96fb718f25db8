//! Rows of a campaign: one per finished run, as `runs.csv` keeps them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SecondsFormat};
use gridwright_core::planning::OpenInstance;
use gridwright_core::result::{RunResult, StoredFront, StoredMember};
use gridwright_core::search::StopReason;
use gridwright_core::search::pareto::{self, MAX_OBJECTIVES};
use gridwright_core::statistics::summary::directed_gap;

use super::{COMMIT, RunSpec, VERSION};

/// A finished run. Parameters are a map; every other field is a column of the same name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Key of the run.
    pub key: String,
    /// Identifier of the problem.
    pub problem: String,
    /// Name of the instance.
    pub instance: String,
    /// Source of the instance as the plan names it.
    pub source: String,
    /// SHA-256 of the instance.
    pub(crate) instance_digest: String,
    /// Options of the problem, as `name=value; …`.
    pub options: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Name of the algorithm in reports.
    pub label: String,
    /// Parameters that the plan sets, by name; columns `parameter NAME`.
    pub set: BTreeMap<String, String>,
    /// All parameters as the run resolved them, as `name=value; …`.
    pub parameters: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// `cpu` or `cuda:N`, as the plan demands it.
    pub backend: String,
    /// Device that computed.
    pub device: String,
    /// Threads of the CPU.
    pub threads: usize,
    /// Limit in words.
    pub limit: String,
    /// Version of the program.
    pub version: String,
    /// Commit of the program, if it is known.
    pub(crate) commit: String,
    /// Start of the run: date and time, UTC.
    pub started: String,
    /// Seconds that the run took.
    pub seconds: f64,
    /// Seconds until the best cost was found.
    pub seconds_to_best: f64,
    /// Step at which the best cost was found.
    pub(crate) step_of_best: u64,
    /// Solutions or moves evaluated.
    pub evaluations: u64,
    /// Generations or steps done.
    pub steps: u64,
    /// Cost by the independent checker; smaller is better. `None` for a run that failed.
    pub cost: Option<f64>,
    /// Cost as people read it.
    pub cost_display: Option<f64>,
    /// Factor and summand with which a cost becomes the displayed one; a negative factor says that larger figures are better.
    pub display: Option<[f64; 2]>,
    /// Best cost known, as people read it.
    pub best_known: Option<f64>,
    /// Gap to `best_known` in per cent, positive if the run is worse.
    pub gap: Option<f64>,
    /// Number of solutions in the front of a multiobjective run.
    pub front: Option<usize>,
    /// Objectives of the front, as `makespan, flowtime`.
    pub front_objectives: String,
    /// Values of the front's solutions in the order of the objectives, as `1278 34521; 1290 33900`.
    pub front_points: String,
    /// Hypervolume of the front: of the values to the plan's reference point, or of the normalised values to 2.1.
    pub hypervolume: Option<f64>,
    /// True if the checker found no violation.
    pub feasible: bool,
    /// True if the checker confirmed the cost that the search reported.
    pub checked: bool,
    /// Why the run ended, as one word.
    pub stop_reason: String,
    /// Digest of the state at the end.
    pub digest: String,
    /// Why the run failed; empty if it did not.
    pub failure: String,
}

/// Prefix of the columns of parameters.
const PARAMETER: &str = "parameter ";

/// Names of the columns before and after those of the parameters.
const BEFORE: [&str; 8] = ["key", "problem", "instance", "source", "instance_digest", "options", "algorithm", "label"];
const AFTER: [&str; 29] = [
    "parameters", "seed", "backend", "device", "threads", "limit", "version", "commit", "started", "seconds",
    "seconds_to_best", "step_of_best", "evaluations", "steps", "cost", "cost_display", "display_factor",
    "display_summand", "best_known", "gap", "front", "front_objectives", "front_points", "hypervolume", "feasible",
    "checked", "stop_reason", "digest", "failure",
];

/// Columns of a table of rows whose plan sets these parameters.
pub(crate) fn columns(parameters: &BTreeSet<String>) -> Vec<String> {
    let parameters = parameters.iter().map(|name| format!("{PARAMETER}{name}"));
    let after = AFTER.iter().map(|&name| name.to_owned());
    BEFORE.iter().map(|&name| name.to_owned()).chain(parameters).chain(after).collect()
}

/// Names of the parameters that a table with these columns holds.
pub(crate) fn parameters_of(columns: &[String]) -> BTreeSet<String> {
    columns.iter().filter_map(|column| column.strip_prefix(PARAMETER)).map(str::to_owned).collect()
}

/// Pairs of names and values as `name=value; …`.
pub(crate) fn joined<N: std::fmt::Display, V: std::fmt::Display>(values: impl Iterator<Item = (N, V)>) -> String {
    values.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
}

/// Values of the members of a front, as [`Row::front_points`] holds them.
fn points(front: &StoredFront) -> String {
    let point = |member: &StoredMember| member.values.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    front.members.iter().map(point).collect::<Vec<_>>().join("; ")
}

/// Hypervolume of a front: exactly, up to `reference`; that of the normalised values if it is empty.
///
/// # Errors
/// A sentence if the reference point has another number of values than the front.
fn hypervolume(front: &StoredFront, reference: &[u64]) -> Result<f64, String> {
    let count = front.objectives.len();
    if reference.is_empty() {
        return Ok(front.hypervolume);
    }
    if reference.len() != count || count > MAX_OBJECTIVES {
        let named = front.objectives.join(", ");
        return Err(format!("the plan's reference point has {} values, the front {count}: {named}", reference.len()));
    }
    let wide = |values: &[u64]| -> [f64; MAX_OBJECTIVES] {
        std::array::from_fn(|axis| values.get(axis).map_or(0.0, |&value| value as f64))
    };
    let points: Vec<_> = front.members.iter().map(|member| wide(&member.values)).collect();
    Ok(pareto::hypervolume(&points, count, &wide(reference)))
}

fn in_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

impl Row {
    /// Row of a run that has not been made; `started` in seconds since 1970.
    fn of_spec(spec: &RunSpec, started: i64) -> Self {
        let at = DateTime::from_timestamp(started, 0).unwrap_or_default();
        Self {
            key: spec.key(),
            problem: spec.problem.clone(),
            instance: spec.instance.clone(),
            source: spec.source.clone(),
            instance_digest: spec.digest.clone(),
            options: joined(spec.options.values().iter()),
            algorithm: spec.algorithm.clone(),
            label: spec.label.clone(),
            set: spec.parameters.clone(),
            parameters: joined(spec.parameters.iter()),
            seed: spec.seed,
            backend: spec.backend.clone(),
            threads: spec.threads,
            limit: spec.limit(),
            version: VERSION.to_owned(),
            commit: COMMIT.to_owned(),
            started: at.to_rfc3339_opts(SecondsFormat::Secs, true),
            ..Self::default()
        }
    }

    /// Row of a run that failed for this reason.
    pub fn failed(spec: &RunSpec, started: i64, seconds: f64, why: &str) -> Self {
        let stop_reason = "failed".to_owned();
        Self { seconds, stop_reason, failure: in_line(why), ..Self::of_spec(spec, started) }
    }

    /// Row of a result.
    pub fn of_result(spec: &RunSpec, started: i64, instance: &dyn OpenInstance, result: &RunResult) -> Self {
        let (step_of_best, seconds_to_best) =
            result.improvements.last().map_or((0, 0.0), |best| (best.step, best.seconds));
        let failure = match &result.stop_reason {
            StopReason::Failed(why) => in_line(why),
            _ if !result.verdict.confirmed => {
                "the checker does not confirm the cost that the search reported".to_owned()
            }
            _ => String::new(),
        };
        let front = result.front.as_ref();
        let (hypervolume, failure) = match front.map(|front| hypervolume(front, &spec.reference)).transpose() {
            Ok(hypervolume) => (hypervolume, failure),
            Err(why) => (None, if failure.is_empty() { why } else { failure }),
        };
        let (cost, shown) = (result.verdict.cost, instance.shown(result.verdict.cost));
        let display = [instance.shown(1.0) - instance.shown(0.0), instance.shown(0.0)];
        let is_proven = result.stop_reason == StopReason::Proven && result.verdict.feasible;
        let best_known = if is_proven { Some(shown) } else { instance.best_known() };
        Self {
            parameters: joined(result.parameters.iter()),
            device: result.device.clone(),
            threads: result.threads,
            seconds: result.seconds,
            seconds_to_best,
            step_of_best,
            evaluations: result.evaluations,
            steps: result.generations,
            cost: Some(cost),
            cost_display: Some(shown),
            display: Some(display),
            best_known,
            gap: best_known.and_then(|best| directed_gap(shown, best, display[0])),
            front: front.map(|front| front.members.len()),
            front_objectives: front.map(|front| front.objectives.join(", ")).unwrap_or_default(),
            front_points: front.map(points).unwrap_or_default(),
            hypervolume,
            feasible: result.verdict.feasible,
            checked: result.verdict.confirmed,
            stop_reason: result.stop_reason.word().to_owned(),
            digest: result.digests.last().cloned().unwrap_or_default(),
            failure,
            ..Self::of_spec(spec, started)
        }
    }

    /// The cells of the row under `columns`.
    pub fn cells(&self, columns: &[String]) -> Vec<String> {
        columns.iter().map(|column| self.cell(column)).collect()
    }

    fn cell(&self, column: &str) -> String {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        match column {
            "key" => self.key.clone(),
            "problem" => self.problem.clone(),
            "instance" => self.instance.clone(),
            "source" => self.source.clone(),
            "instance_digest" => self.instance_digest.clone(),
            "options" => self.options.clone(),
            "algorithm" => self.algorithm.clone(),
            "label" => self.label.clone(),
            "parameters" => self.parameters.clone(),
            "seed" => self.seed.to_string(),
            "backend" => self.backend.clone(),
            "device" => self.device.clone(),
            "threads" => self.threads.to_string(),
            "limit" => self.limit.clone(),
            "version" => self.version.clone(),
            "commit" => self.commit.clone(),
            "started" => self.started.clone(),
            "seconds" => self.seconds.to_string(),
            "seconds_to_best" => self.seconds_to_best.to_string(),
            "step_of_best" => self.step_of_best.to_string(),
            "evaluations" => self.evaluations.to_string(),
            "steps" => self.steps.to_string(),
            "cost" => number(self.cost),
            "cost_display" => number(self.cost_display),
            "display_factor" => number(self.display.map(|display| display[0])),
            "display_summand" => number(self.display.map(|display| display[1])),
            "best_known" => number(self.best_known),
            "gap" => number(self.gap),
            "front" => self.front.map(|count| count.to_string()).unwrap_or_default(),
            "front_objectives" => self.front_objectives.clone(),
            "front_points" => self.front_points.clone(),
            "hypervolume" => number(self.hypervolume),
            "feasible" => self.feasible.to_string(),
            "checked" => self.checked.to_string(),
            "stop_reason" => self.stop_reason.clone(),
            "digest" => self.digest.clone(),
            "failure" => self.failure.clone(),
            other => other.strip_prefix(PARAMETER).and_then(|name| self.set.get(name)).cloned().unwrap_or_default(),
        }
    }

    /// Row from cells by column; `None` if a number is none.
    pub(crate) fn of_cells<'a>(cell: impl Fn(&str) -> &'a str, parameters: &BTreeSet<String>) -> Option<Self> {
        let text = |column: &str| cell(column).to_owned();
        let optional = |column: &str| match cell(column) {
            "" => Some(None),
            value => value.parse().ok().map(Some),
        };
        let set = parameters.iter().map(|name| (name.clone(), text(&format!("{PARAMETER}{name}"))));
        Some(Self {
            key: Some(text("key")).filter(|key| !key.is_empty())?,
            problem: text("problem"),
            instance: text("instance"),
            source: text("source"),
            instance_digest: text("instance_digest"),
            options: text("options"),
            algorithm: text("algorithm"),
            label: text("label"),
            set: set.filter(|(_, value)| !value.is_empty()).collect(),
            parameters: text("parameters"),
            seed: cell("seed").parse().ok()?,
            backend: text("backend"),
            device: text("device"),
            threads: cell("threads").parse().ok()?,
            limit: text("limit"),
            version: text("version"),
            commit: text("commit"),
            started: text("started"),
            seconds: cell("seconds").parse().ok()?,
            seconds_to_best: cell("seconds_to_best").parse().ok()?,
            step_of_best: cell("step_of_best").parse().ok()?,
            evaluations: cell("evaluations").parse().ok()?,
            steps: cell("steps").parse().ok()?,
            cost: optional("cost")?,
            cost_display: optional("cost_display")?,
            display: match (optional("display_factor")?, optional("display_summand")?) {
                (Some(factor), Some(summand)) => Some([factor, summand]),
                _ => None,
            },
            best_known: optional("best_known")?,
            gap: optional("gap")?,
            front: match cell("front") {
                "" => None,
                count => Some(count.parse().ok()?),
            },
            front_objectives: text("front_objectives"),
            front_points: text("front_points"),
            hypervolume: optional("hypervolume")?,
            feasible: cell("feasible").parse().ok()?,
            checked: cell("checked").parse().ok()?,
            stop_reason: text("stop_reason"),
            digest: text("digest"),
            failure: text("failure"),
        })
    }

    /// A cost of the search as people read it; the cost itself if the row does not say how they read it.
    pub fn shown(&self, cost: f64) -> f64 {
        self.display.map_or(cost, |[factor, summand]| factor * cost + summand)
    }

    /// True if larger figures are better.
    pub fn is_maximised(&self) -> bool {
        self.display.is_some_and(|[factor, _]| factor < 0.0)
    }

    /// Gap to a displayed best cost in per cent, positive if the run is worse; `None` if it cannot be expressed.
    pub(crate) fn gap_to(&self, best: f64) -> Option<f64> {
        directed_gap(self.cost_display?, best, self.display.map_or(1.0, |[factor, _]| factor))
    }

    /// True if the row holds a confirmed feasible solution.
    pub fn is_valid(&self) -> bool {
        self.failure.is_empty() && self.feasible && self.checked && self.cost.is_some()
    }

    /// Cost for rank tests: infinite if the run found no feasible solution.
    pub(crate) fn ranked_cost(&self) -> f64 {
        self.cost.filter(|_| self.is_valid()).unwrap_or(f64::INFINITY)
    }
}
