//! Values of options: each is understood, or it is said what is expected.

use gridwright_core::backend::{BACKEND_NAMES, Backend};
use gridwright_core::text::notation::Evidence;

/// More threads than any machine of today has; a number beyond is a slip of the finger.
const MAX_THREADS: usize = 4096;

pub(super) fn threads(text: &str) -> Result<usize, String> {
    let wrong = || format!("expected a whole number from 0 (all threads) to {MAX_THREADS}");
    text.parse().ok().filter(|&count| count <= MAX_THREADS).ok_or_else(wrong)
}

pub(super) fn real(text: &str, expected: &str, allowed: impl Fn(f64) -> bool) -> Result<f64, String> {
    text.parse().ok().filter(|&value: &f64| value.is_finite() && allowed(value)).ok_or_else(|| expected.to_owned())
}

/// A year: beyond that a time limit is none, and the arithmetic of durations stays far from its ends.
const MAX_SECONDS: f64 = 366.0 * 86_400.0;

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    real(text, "expected a number of seconds above 0 and within a year", |value| value > 0.0 && value <= MAX_SECONDS)
}

pub(super) fn cost(text: &str) -> Result<f64, String> {
    real(text, "expected a cost of 0 or more", |value| value >= 0.0)
}

/// The text of an option that `check` accepts. A number with two readings, such as `1.500`, is refused if both are accepted.
pub(super) fn checked(text: &str, check: impl Fn(&str) -> Result<(), String>) -> Result<String, String> {
    check(text)?;
    let grouped = Evidence::of(["0,5"]).read(text);
    match Evidence::default().doubt(text) {
        // An option that takes any text has no numbers.
        Some(why) if grouped.is_ok_and(|number| check(&number).is_ok()) && check("x").is_err() => Err(why),
        _ => Ok(text.to_owned()),
    }
}

pub(super) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected NAME=VALUE, such as kempe=0.3".to_owned()),
    }
}

/// Name of a backend; a plain `cuda` is the first device.
pub(super) fn backend(text: &str) -> Result<String, String> {
    match Backend::named(text) {
        Ok(Backend::Cuda(number)) => Ok(format!("cuda:{number}")),
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err(format!("expected one of {BACKEND_NAMES}; “gridwright devices” lists what is there")),
    }
}
