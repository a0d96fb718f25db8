//! Lists of requirements, `cost TAB value` per line, as the Motorola data set has them.

use super::numbers::{hundredths, scaled, whole};
use super::vectors::rows;
use crate::{Instance, Kind, MAX_BITS, MIN_BITS};
use gridwright_core::text::Source;
use gridwright_core::text::lines::{Problems, counted, is_number};
use gridwright_core::text::notation::Evidence;
use gridwright_core::{Error, Result};

/// Returns `true` if a text is such a list. The last line of a text not seen `whole` may be cut off.
pub(super) fn begins(text: &str, whole: bool) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let seen = if whole { &lines[..] } else { &lines[..lines.len().saturating_sub(1)] };
    // Codes of exams may have leading zeros; numbers have none.
    let whole = |piece: &str| is_number(piece) && (piece == "0" || !piece.starts_with('0'));
    let number = |piece: &str| {
        whole(piece) || piece.split_once('.').is_some_and(|(units, rest)| whole(units) && is_number(rest))
    };
    let pair =
        |line: &str| line.split_once('\t').is_some_and(|(cost, value)| whole(cost.trim()) && number(value.trim()));
    seen.len() >= MIN_BITS && seen.iter().all(|line| pair(line))
}

/// Reads a list; the caller sets name and hash. `tenths` is the weight of the objective.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every invalid line.
pub fn parse(source: Source, tenths: u8) -> Result<Instance> {
    let mut problems = Problems::new(source.path);
    let (mut costs, mut values, mut decimals) = (Vec::new(), Vec::new(), false);
    let numbers = [0, 1].map(|at| Evidence::of(rows(source.text).filter_map(|(_, row)| row.get(at).copied())));
    let table = numbers[0].and(numbers[1]);
    let [costs_written, values_written] = numbers.map(|column| column.or(table));
    for (line, row) in rows(source.text) {
        let &[cost, value] = row.as_slice() else {
            let what = format!("{} where cost and value of a requirement should stand", counted(row.len(), "number"));
            problems.line(line, what);
            continue;
        };
        if costs.len() == MAX_BITS {
            problems.line(line, format!("more than {MAX_BITS} requirements; that many cannot be handled"));
            continue;
        }
        let cost = costs_written.plain(cost).and_then(|text| whole(&text));
        let value = values_written.plain(value).and_then(|text| hundredths(&text));
        match (cost, value) {
            (Ok(cost), Ok((value, has_decimals))) => {
                costs.push(cost);
                values.push(value);
                decimals |= has_decimals;
            }
            (cost, value) => {
                let (cost, value) = (cost.err().map(|why| ("cost", why)), value.err().map(|why| ("value", why)));
                [cost, value]
                    .into_iter()
                    .flatten()
                    .for_each(|(what, why)| problems.line(line, format!("the {what}: {why}")));
            }
        }
    }
    if costs.is_empty() && problems.is_empty() {
        return Err(Error::file(source.path, "the file is empty; export it again from where it comes from"));
    }
    problems.finish()?;
    let (divisor, value_scale) = if decimals { (1, 100) } else { (100, 1) };
    values.iter_mut().for_each(|value| *value /= divisor);
    let kind = Kind::NextRelease { costs, values, value_scale, tenths };
    Ok(Instance { name: String::new(), kind, names: Vec::new(), warnings: Vec::new(), hash: String::new() })
}

/// Writes `cost TAB value` per requirement; empty for other problems.
pub fn write(instance: &Instance) -> String {
    let Kind::NextRelease { costs, values, value_scale, .. } = &instance.kind else { return String::new() };
    costs.iter().zip(values).map(|(cost, &value)| format!("{cost}\t{}\n", scaled(value, *value_scale))).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn read(text: &str) -> Result<Instance> {
        parse(Source { path: Path::new("a.txt"), text }, 5)
    }

    #[test]
    fn requirements_are_pairs() {
        let text = "100\t3\n50\t2\n300\t1\n80\t0\n";
        let instance = read(text).unwrap();
        let kind =
            Kind::NextRelease { costs: vec![100, 50, 300, 80], values: vec![3, 2, 1, 0], value_scale: 1, tenths: 5 };
        assert_eq!((&instance.kind, write(&instance).as_str()), (&kind, text));
        assert!(begins(text, true) && begins(&format!("{text}7"), false) && !begins("1 2\n3 4\n5 6\n7 8\n", true));
        assert!(!begins("0001\t0002\n0003\t1\n1\t2\n3\t4\n", true));
        assert!(begins("1\t0.50\n2\t3.00\n3\t10.25\n4\t0\n", true));
        assert_eq!(write(&read("1\t0.5\n2\t3\n").unwrap()), "1\t0.50\n2\t3.00\n");
    }

    #[test]
    fn every_bad_line_is_named() {
        let error = read("100\t3\n50\n-3\tx\n").unwrap_err().to_string();
        for part in ["a.txt:2: 1 number where cost", "a.txt:3: the cost: «-3» is negative", "a.txt:3: the value: «x»"]
        {
            assert!(error.contains(part), "{error}");
        }
        let error = read("100\t1.250\n50\t2\n").unwrap_err().to_string();
        assert!(error.contains("a.txt:1: the value: «1.250» is 1250 or 1.25"), "{error}");
        assert!(read("\n\n").unwrap_err().to_string().contains("empty"));
    }
}
