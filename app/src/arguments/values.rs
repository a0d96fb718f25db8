//! Values of options: each is understood, or it is said what is expected.

use gridwright_solver::facility::Distance;
use gridwright_solver::facility::formats::PlantSize;
use gridwright_solver::flowshop::Objective;
use gridwright_solver::flowshop::formats::Orientation;
use gridwright_solver::flowshop::multiobjective::Goal;
use gridwright_solver::systolic::{MAX_SUM, Weight};

/// More threads than any machine of today has; a number beyond is a slip of the finger.
const MAX_THREADS: usize = 4096;

pub(super) fn threads(text: &str) -> Result<usize, String> {
    let wrong = || format!("expected a whole number from 0 (all threads) to {MAX_THREADS}");
    text.parse().ok().filter(|&count| count <= MAX_THREADS).ok_or_else(wrong)
}

pub(super) fn periods(text: &str) -> Result<usize, String> {
    let most = gridwright_solver::timetabling::MAX_PERIODS;
    let wrong = || format!("expected a whole number from 1 to {most}");
    text.parse().ok().filter(|count| (1..=most).contains(count)).ok_or_else(wrong)
}

pub(super) fn real(text: &str, expected: &str, allowed: impl Fn(f64) -> bool) -> Result<f64, String> {
    text.parse().ok().filter(|&value: &f64| value.is_finite() && allowed(value)).ok_or_else(|| expected.to_owned())
}

/// A year: beyond that a time limit is none, and the arithmetic of durations stays far from its ends.
const MAX_SECONDS: f64 = 366.0 * 86_400.0;

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    real(text, "expected a number of seconds above 0 and within a year", |value| value > 0.0 && value <= MAX_SECONDS)
}

pub(super) fn milliseconds(text: &str) -> Result<f64, String> {
    real(text, "expected a number of milliseconds above 0, at most 60000", |value| value > 0.0 && value <= 60_000.0)
}

pub(super) fn cost(text: &str) -> Result<f64, String> {
    real(text, "expected a cost of 0 or more", |value| value >= 0.0)
}

pub(super) fn density(text: &str) -> Result<f64, String> {
    real(text, "expected a share from 0 to 1", |value| (0.0..=1.0).contains(&value))
}

pub(super) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected NAME=VALUE, such as kempe=0.3".to_owned()),
    }
}

/// `auto`, `cpu` or `cuda:N`; a plain `cuda` is the first of them.
pub(super) fn backend(text: &str) -> Result<String, String> {
    match text.split_once(':') {
        None if text == "auto" || text == "cpu" => Ok(text.to_owned()),
        None if text == "cuda" => Ok("cuda:0".to_owned()),
        Some(("cuda", ordinal)) if ordinal.parse::<u16>().is_ok() => Ok(text.to_owned()),
        _ => Err("expected auto, cpu, cuda or cuda:N; “gridwright devices” lists what is there".to_owned()),
    }
}

pub(super) fn objective(text: &str) -> Result<Objective, String> {
    text.parse().map_err(|error: gridwright_solver::Error| error.to_string())
}

/// An objective, `pareto`, or several objectives with commas between.
pub(super) fn goal(text: &str) -> Result<Goal, String> {
    text.parse().map_err(|error: gridwright_solver::Error| error.to_string())
}

pub(super) fn orientation(text: &str) -> Result<Orientation, String> {
    text.parse().map_err(|error: gridwright_solver::Error| error.to_string())
}

pub(super) fn plant(text: &str) -> Result<PlantSize, String> {
    text.parse().map_err(|error: gridwright_solver::Error| error.to_string())
}

pub(super) fn aspect(text: &str) -> Result<f64, String> {
    real(text, "expected 1 or more: the longer side divided by the shorter", |value| value >= 1.0)
}

pub(super) fn distance(text: &str) -> Result<Distance, String> {
    text.parse().map_err(|error: gridwright_solver::Error| error.to_string())
}

pub(super) fn number(text: &str) -> Result<usize, String> {
    let wrong = || "expected a whole number from 1, the place of the flow shop in its file".to_owned();
    text.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)
}

pub(super) fn capacity(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a whole number from 1 to {MAX_SUM}");
    text.parse().ok().filter(|capacity| (1..=MAX_SUM).contains(capacity)).ok_or_else(wrong)
}

/// 0, 0.1, …, 1.
pub(super) fn weight(text: &str) -> Result<Weight, String> {
    text.parse().map_err(|error: gridwright_solver::Error| error.to_string())
}

/// Which flows a picture of a layout draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LeastFlow {
    /// Those of at least this much.
    From(f64),
    /// None of them.
    None,
}

/// What `--least-flow` takes.
///
/// # Errors
/// What it takes instead.
pub fn least_flow(text: &str) -> Result<LeastFlow, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(LeastFlow::None);
    }
    match text.parse::<f64>() {
        Ok(flow) if flow.is_finite() && flow >= 0.0 => Ok(LeastFlow::From(flow)),
        _ => Err("it is a flow, a number from 0 on, or “none”".to_owned()),
    }
}
