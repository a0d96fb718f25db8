//! Export of solutions to files.
//!
//! Every solution is checked first: one with another number of bits is refused, and one that breaks a limit carries a stamp.

pub mod run;

use super::check::{NOUNS, ViolationKind, Worth, check};
use super::exact::Front;
use super::formats::{readable, scaled, solution};
use super::{Instance, Kind, Weight, drawing};
use gridwright_core::export::stamp::{Stamp, stamped};
use gridwright_core::export::{self, Format};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::result::RunResult;
use gridwright_core::text::table::write_table;
use gridwright_core::{Error, Result};

/// All formats, the commonest first.
pub const FORMATS: [Format; 12] = [
    Format { name: "CSV table", ending: "csv", help: "All items or requirements with what is taken" },
    Format { name: "PDF document", ending: "pdf", help: "What is taken, as a picture to print" },
    Format { name: "PNG picture", ending: "png", help: "What is taken, as pixels" },
    Format { name: "SVG picture", ending: "svg", help: "What is taken, to edit and to put on pages" },
    Format { name: "Film of the run", ending: "gif", help: "The grid from the start to the end, as an animated GIF" },
    Format { name: "PNG of the grid", ending: "grid.png", help: "The grid at the end of the run, as pixels" },
    Format { name: "SVG of the grid", ending: "grid.svg", help: "The grid at the end of the run, to edit" },
    Format { name: "PNG of the operators", ending: "operators.png", help: "Crossover and mutation points, as pixels" },
    Format { name: "SVG of the operators", ending: "operators.svg", help: "Crossover and mutation points, to edit" },
    Format { name: "Solution", ending: "ron", help: "The bits with their instance, for gridwright" },
    Format { name: "String of bits", ending: "sol", help: "The bits alone, a 0 or 1 each" },
    Format { name: "CSV of the front", ending: FRONT, help: "Costs and values that no release beats in both" },
];

/// Ending of the table of the exact front of a next release problem.
pub const FRONT: &str = "front.csv";

/// Largest number of points of an exported front.
const MOST_MEMBERS: usize = 20_000;

/// Encodes a solution in the format of a file's ending.
///
/// # Errors
/// [`Error::Usage`] if the ending is unknown or the solution has another number of bits.
pub fn bytes(instance: &Instance, bits: &[bool], ending: &str) -> Result<Vec<u8>> {
    bytes_with(instance, bits, Default::default(), ending)
}

/// Encodes a solution as [`bytes`] does, documents with a letterhead.
fn bytes_with(instance: &Instance, bits: &[bool], letterhead: &Letterhead, ending: &str) -> Result<Vec<u8>> {
    let verdict = check(instance, bits);
    if let Some(violation) = verdict.violations.iter().find(|violation| violation.kind != ViolationKind::Overweight) {
        return Err(export::rejected("solution", &instance.name, &violation.text));
    }
    let stamp = Stamp::of(&verdict.violations, &NOUNS);
    let text = match ending {
        "pdf" | "png" | "svg" => {
            let mut picture = drawing::picture(instance, bits, false);
            if ending == "pdf" {
                letterhead.above(&mut picture);
            }
            return export::picture(&stamped(picture, stamp.as_ref()), ending);
        }
        "csv" => solution::write_bits(instance, bits),
        "ron" => solution::write_ron(instance, bits)?,
        "sol" => solution::text_of(bits) + "\n",
        other => return Err(export::unknown("solutions", &FORMATS, other)),
    };
    Ok(text.into_bytes())
}

/// Encodes a solution, the front of its instance or the run that found it, in whichever format has this ending.
///
/// # Errors
/// [`Error::Usage`] as for [`bytes`], [`front`] and [`run::bytes`].
pub fn any(
    instance: &Instance, bits: &[bool], result: Option<&RunResult>, letterhead: &Letterhead, ending: &str,
) -> Result<Vec<u8>> {
    match ending {
        ending if ending == FRONT => Ok(front(instance)?.into_bytes()),
        ending if run::is_of_run(ending) => run::bytes(instance, result, ending),
        ending => bytes_with(instance, bits, letterhead, ending),
    }
}

/// Writes the exact front of a next release problem as CSV: cost, value, the weights for which a point is optimal,
/// bits.
///
/// # Errors
/// [`Error::Usage`] for other problems, and if the front is too large.
pub fn front(instance: &Instance) -> Result<String> {
    let name = &instance.name;
    let Kind::NextRelease { value_scale, .. } = instance.kind else {
        let noun = instance.kind.noun();
        return Err(Error::Usage(format!("{name}: only a next release problem has a front, and this is a {noun}")));
    };
    let Some(front) = Front::of(instance).filter(|front| front.points.len() <= MOST_MEMBERS) else {
        return Err(Error::Usage(format!("{name}: it is too large to find its whole front; write a single solution")));
    };
    let best: Vec<usize> = (0..=10).map(|tenths| front.best(tenths)).collect();
    let row = |(at, point): (usize, &super::exact::Point)| {
        let weights = best.iter().enumerate().filter(|(_, member)| **member == at);
        let weights: Vec<String> = weights.map(|(tenths, _)| Weight(tenths as u8).to_string()).collect();
        let bits = solution::text_of(&front.bits(at));
        vec![point.cost.to_string(), scaled(point.value, value_scale), weights.join(" "), bits]
    };
    Ok(write_table(&["cost", "value", "best for weight", "bits"], front.points.iter().enumerate().map(row)))
}

/// Describes a solution, one element of `bits` per bit of the instance, by the figures of its problem.
pub(crate) fn in_words(instance: &Instance, bits: &[bool]) -> String {
    use gridwright_core::numbers::grouped;
    let verdict = check(instance, bits);
    match (verdict.worth, &instance.kind) {
        (Worth::Knapsack { profit, weight, .. }, Kind::Knapsack { capacity, .. }) => {
            format!("profit {}, weight {} of {}", grouped(profit), grouped(weight), grouped(*capacity))
        }
        (Worth::NextRelease { cost, value, .. }, Kind::NextRelease { value_scale, .. }) => {
            format!("cost {}, value {}", grouped(cost), readable(value, *value_scale))
        }
        (Worth::Deceptive { solved, deceived, .. }, Kind::Deceptive { blocks }) => {
            format!("{solved} of {blocks} blocks solved, {deceived} deceived")
        }
        _ => format!("{} of {} ones", verdict.ones, instance.bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{exact, library};

    #[test]
    fn every_format_is_what_it_says() {
        let instance = library::sample("backpack", 5).unwrap();
        let bits = exact::optimum(&instance).unwrap();
        let of = |ending: &str| bytes(&instance, &bits, ending).unwrap();
        assert_eq!(of("sol"), b"11010000\n");
        assert!(of("csv").starts_with(b"item,profit,weight,taken\nTent,24,10,1\n"));
        assert!(of("ron").starts_with(b"(") && of("pdf").starts_with(b"%PDF") && of("png").starts_with(b"\x89PNG"));
        assert!(String::from_utf8(of("svg")).unwrap().contains("Sleeping bag"));
        assert_eq!(in_words(&instance, &bits), "profit 57, weight 24 of 24");
        let refused = |bits: &[bool], ending| bytes(&instance, bits, ending).unwrap_err().to_string();
        let heavy = String::from_utf8(bytes(&instance, &[true; 8], "svg").unwrap()).unwrap();
        assert!(heavy.contains("Not feasible: 1 overload") && heavy.contains("more than the capacity"), "{heavy}");
        assert!(!String::from_utf8(of("svg")).unwrap().contains("Not feasible"));
        assert!(refused(&[true; 3], "sol").contains("3 bits where there must be 8"));
        assert!(refused(&bits, "xyz").contains(".csv, .pdf"));
    }

    /// Costs 3, 1, 2, 9 with values 5, 1, 4, 0. Halfway, max(0.5 · C/15, 0.5 · (1 − V/10)) is 0.1667 for 5/9, 0.2 for 6/10 and
    /// 4/6; with w = 0.8 both 5/9 and 6/10 have 0.08, and the cheaper one is taken.
    #[test]
    fn fronts_are_written_with_their_weights() {
        let kind = Kind::NextRelease { costs: vec![3, 1, 2, 9], values: vec![5, 1, 4, 0], value_scale: 1, tenths: 5 };
        let instance = Instance { kind, names: Vec::new(), ..library::sample("release", 5).unwrap() };
        let expected = "cost,value,best for weight,bits\n0,0,0,0000\n1,1,0.1,0100\n2,4,0.2,0010\n3,5,0.3,1000\n\
                        4,6,0.4,1100\n5,9,0.5 0.6 0.7 0.8,1010\n6,10,0.9 1,1110\n";
        assert_eq!(front(&instance).unwrap(), expected);
        assert!(
            front(&library::sample("backpack", 5).unwrap()).unwrap_err().to_string().contains("only a next release")
        );
    }
}
