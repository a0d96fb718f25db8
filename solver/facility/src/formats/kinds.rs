//! Validation of values of layout problems, shared by all formats: areas, limits, flows, charts.

use crate::{Instance, Limit};
use gridwright_core::text::columns::plain;
use gridwright_core::text::lines::{Problems, Read, quoted};

/// Accepts an area: finite and more than 0.
///
/// # Errors
/// A message for any other number.
pub fn area(value: f64) -> Read<f64> {
    match value {
        value if !value.is_finite() => Err("it is no number; write the area in square units of length".to_owned()),
        value if value <= 0.0 => {
            Err(format!("{value}; areas must be more than 0, leave the department out if it needs none"))
        }
        value => Ok(value),
    }
}

/// Converts an aspect limit of at least 1; 0 or less means no limit.
///
/// # Errors
/// A message for a number between 0 and 1, or one that is not finite.
pub fn aspect(most: f64) -> Read<Limit> {
    match most {
        most if most.is_nan() => Err("the aspect limit is no number; write 1 or more, or 0 for none".to_owned()),
        most if most <= 0.0 || most.is_infinite() => Ok(Limit::None),
        most if most < 1.0 => Err(format!(
            "the aspect limit {most} is below 1; it is the longer side divided by the shorter, so write 1 or more (perhaps {})",
            (1e4 / most).round() / 1e4
        )),
        most => Ok(Limit::Aspect(most)),
    }
}

/// Converts a least side; 0 or less means no limit.
///
/// # Errors
/// A message for a number that is not finite.
pub(crate) fn least_side(least: f64) -> Read<Limit> {
    match least {
        least if !least.is_finite() => Err("the least side is no number; write a length, or 0 for none".to_owned()),
        least if least <= 0.0 => Ok(Limit::None),
        least => Ok(Limit::MinSide(least)),
    }
}

/// Converts a range of height / width; no limit if both ends are 0 or less.
///
/// # Errors
/// A message for a range that is empty or not finite.
pub fn range(low: f64, high: f64) -> Read<Limit> {
    match (low, high) {
        (low, high) if low <= 0.0 && high <= 0.0 => Ok(Limit::None),
        (low, high) if low > 0.0 && high.is_finite() && low <= high => Ok(Limit::Range(low, high)),
        _ => Err(format!(
            "the range {low} to {high} of height / width holds no shape; write the smaller number first, more than 0"
        )),
    }
}

/// Accepts a flow: finite and not negative.
///
/// # Errors
/// A message for any other number.
pub fn flow(value: f64) -> Read<f64> {
    match value {
        value if !value.is_finite() => Err("it is no number; write 0 where nothing flows".to_owned()),
        value if value < 0.0 => {
            Err(format!("{value} is negative; flows are 0 or more (to keep two departments apart rate them X)"))
        }
        value => Ok(value),
    }
}

/// Accepts a price of moving: finite and not negative.
///
/// # Errors
/// A message for any other number.
pub(crate) fn price(value: f64) -> Read<f64> {
    match value {
        value if !value.is_finite() => Err("it is no number; leave it out where moving costs nothing".to_owned()),
        value if value < 0.0 => Err(format!("{value} is negative; prices of moving are 0 or more")),
        value => Ok(value),
    }
}

/// Accepts the weight of a closeness rating: 0 or more, or 0 or less for X.
///
/// # Errors
/// A message for any other number.
pub fn weight(rating: char, value: f64) -> Read<f64> {
    match value {
        value if !value.is_finite() => Err("it is no number; write 0 to ignore the letter".to_owned()),
        value if rating == 'X' && value > 0.0 => {
            Err(format!("{value} would reward a shared wall; write -64 or X=0 to allow shared walls"))
        }
        value if rating != 'X' && value < 0.0 => {
            Err(format!("{value} is negative; only X, which keeps departments apart, has a negative weight"))
        }
        value => Ok(value),
    }
}

/// Meaning of the entries of a flow chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chart {
    /// Directed flows, from row to column.
    FromTo,
    /// One weight per unordered pair, above the diagonal.
    Upper,
    /// One weight per unordered pair, written in both places.
    Symmetric,
}

impl Chart {
    /// Chart type of a description; [`Self::FromTo`] for empty and unknown texts.
    pub fn named(text: &str) -> Self {
        let text = plain(text);
        if text.starts_with("upper") {
            Self::Upper
        } else if text.starts_with("symmetric") || text.contains("perpair") {
            Self::Symmetric
        } else {
            Self::FromTo
        }
    }
}

/// Checks the flows of an instance (departments × departments) against the chart type and reduces symmetric charts to
/// one entry per pair. `lines[i]` is the line of row i, for messages.
pub(crate) fn take_chart(instance: &mut Instance, problems: &mut Problems, chart: Chart, lines: &[usize]) {
    let n = instance.departments.len();
    let name = |at: usize| quoted(&instance.departments[at].name);
    let mut circular = Vec::new();
    for from in 0..n {
        for to in 0..n {
            let value = instance.flows[from * n + to];
            if let Err(why) = flow(value) {
                problems.line(lines[from], format!("the flow from {} to {}: {why}", name(from), name(to)));
            } else if from == to && value > 0.0 {
                circular.push(name(from));
            } else if from > to && chart == Chart::Upper && value != 0.0 {
                let what = format!(
                    "{value} from {} to {} stands below the diagonal of an upper triangle; write one weight per pair \
                     above it, or call it a full matrix",
                    name(from),
                    name(to)
                );
                problems.line(lines[from], what);
            } else if from > to && chart == Chart::Symmetric && value != instance.flows[to * n + from] {
                let other = instance.flows[to * n + from];
                let what = format!(
                    "{value} from {} to {} and {other} back, though the chart is declared symmetric; make them \
                     equal, or leave that out: then both directions count",
                    name(from),
                    name(to)
                );
                problems.line(lines[from], what);
            }
        }
    }
    let mut is_symmetric = n > 1 && chart == Chart::FromTo;
    for from in 0..n {
        instance.flows[from * n + from] = 0.0;
        for to in 0..from {
            is_symmetric &= instance.flows[from * n + to] == instance.flows[to * n + from];
            if chart == Chart::Symmetric {
                instance.flows[from * n + to] = 0.0;
            }
        }
    }
    if !circular.is_empty() {
        let what = format!(
            "flows from a department to itself cover no distance and are left out: {}",
            gridwright_core::text::lines::listed(&circular)
        );
        instance.warnings.push(what);
    }
    if is_symmetric && instance.flow_pairs() > 0 {
        let what = "the chart of flows is symmetric, and both directions count; if each number is meant for a pair, call the \
                    chart symmetric: costs become half";
        instance.warnings.push(what.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_reason_are_told_with_a_remedy() {
        assert_eq!(
            (aspect(0.0), aspect(4.0), aspect(f64::INFINITY)),
            (Ok(Limit::None), Ok(Limit::Aspect(4.0)), Ok(Limit::None))
        );
        assert!(aspect(0.25).unwrap_err().contains("perhaps 4"));
        assert!(aspect(f64::NAN).is_err() && area(f64::NAN).is_err() && flow(f64::NAN).is_err());
        assert!(area(0.0).unwrap_err().contains("more than 0") && area(-3.0).unwrap_err().contains("-3"));
        assert_eq!((least_side(0.0), least_side(2.0)), (Ok(Limit::None), Ok(Limit::MinSide(2.0))));
        assert_eq!((range(0.5, 2.0), range(0.0, 0.0)), (Ok(Limit::Range(0.5, 2.0)), Ok(Limit::None)));
        assert!(range(2.0, 0.5).is_err() && range(0.0, 2.0).is_err());
        assert!(flow(-1.0).unwrap_err().contains("rate them X"));
    }

    #[test]
    fn charts_are_known_by_name() {
        let named = [
            "upper triangle, one entry per unordered pair",
            "full matrix, f[i][j] from i to j",
            "symmetric",
            "one per pair",
            "",
        ];
        assert_eq!(
            named.map(Chart::named),
            [Chart::Upper, Chart::FromTo, Chart::Symmetric, Chart::Symmetric, Chart::FromTo]
        );
    }
}
