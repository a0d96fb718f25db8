//! Files of solutions.
//!
//! * The bits, with or without blanks and line ends between them.
//! * The selected items, one per line, by name or by number from 1.
//! * A table with a column for the selection: 1 or 0, yes or no.
//! * RON, with the instance.

use std::collections::HashMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Instance, Kind};
use gridwright_core::formats::{self, FileFormat};
use gridwright_core::problem::Detection;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::{self, Problems, counted, quoted};
use gridwright_core::text::table::{Table, write_table};
use gridwright_core::text::{Source, decoding, ending, ron};
use gridwright_core::{Error, Result, files};

use super::numbers::scaled;

/// Version of the RON format.
const FORMAT: u32 = 1;

const NAME: usize = 0;
const TAKEN: usize = 1;

const COLUMNS: [Column; 2] = [
    Column::required("item", "requirement bit name items requirements"),
    Column::required("taken", "chosen selected genommen gewählt x"),
];

/// RON form of a solution.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    /// Version of the file format.
    bits_format: u32,
    /// Name and SHA-256 of the instance.
    instance: (String, String),
    /// One `0` or `1` per bit, the first bit first.
    bits: String,
}

/// Solution read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionFile {
    /// One value per bit of the instance.
    pub bits: Vec<bool>,
    /// Warnings, such as that it was made for other data.
    pub warnings: Vec<String>,
}

impl SolutionFile {
    fn of(bits: Vec<bool>) -> Self {
        Self { bits, warnings: Vec::new() }
    }
}

/// Reader of solutions.
type Reader = fn(Source<'_>, &Instance) -> Result<SolutionFile>;

/// Formats of solutions.
static FORMATS: &[FileFormat<Reader>] = &[
    FileFormat::reading(&["ron"], |file| Detection::certain(begins(file.source.text.as_bytes())), read_ron),
    FileFormat::reading(
        &[],
        |file| Detection::No.or_possible(|| Table::open(file.source, &COLUMNS).is_ok()),
        |source, instance| read_table(source, &Table::open(source, &COLUMNS)?, instance).map(SolutionFile::of),
    ),
    FileFormat::reading(
        &[],
        |file| Detection::No.or_possible(|| are_bits(file.source.text)),
        |source, instance| of_text(source.path, source.text, instance).map(SolutionFile::of),
    ),
    FileFormat::reading(
        &[],
        |_| Detection::Possible,
        |source, instance| match Table::open(source, &COLUMNS) {
            Err(error) if matches!(ending(source.path).as_str(), "csv" | "tsv") => Err(error),
            _ => read_names(source, instance).map(SolutionFile::of),
        },
    ),
];

/// Returns `true` if a RON file that begins with these bytes is a solution and not a result.
pub fn begins(start: &[u8]) -> bool {
    ron::begins_with(start, "bits_format")
}

/// Reads a solution of an instance.
///
/// # Errors
/// As [`parse`].
pub fn read(path: &Path, instance: &Instance) -> Result<SolutionFile> {
    let mut warnings = Vec::new();
    let text = decoding::text(path, files::read(path)?, &mut warnings)?;
    let mut file = parse(Source { path, text: &text }, instance)?;
    file.warnings.splice(0..0, warnings);
    Ok(file)
}

/// Reads a solution from text.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for invalid, unknown and repeated entries; [`Error::File`] if the number of bits
/// differs from the instance's.
pub fn parse(source: Source, instance: &Instance) -> Result<SolutionFile> {
    let Some(format) = formats::of_text(FORMATS, source) else { return read_ron(source, instance) };
    (format.read)(source, instance)
}

/// Returns `true` for a text of zeros and ones that is no list of numbers.
fn are_bits(text: &str) -> bool {
    text.chars().all(|letter| matches!(letter, '0' | '1' | ',' | ';') || letter.is_whitespace()) && !is_list(text)
}

/// Returns `true` if a text of zeros and ones is a list of numbers: a single 1 means the first item.
fn is_list(text: &str) -> bool {
    text.trim() == "1"
}

/// Parses a text of zeros and ones.
///
/// # Errors
/// [`Error::File`] if the number of bits differs from the instance's, or other characters occur.
fn of_text(path: &Path, text: &str, instance: &Instance) -> Result<Vec<bool>> {
    if let Some(wrong) = text.chars().find(|letter| !matches!(letter, '0' | '1' | ',' | ';') && !letter.is_whitespace())
    {
        let what = format!("«{}» is no bit; a solution of {} is made of 0 and 1", wrong.escape_debug(), instance.name);
        return Err(Error::file(path, what));
    }
    let bits: Vec<bool> =
        text.chars().filter(|letter| matches!(letter, '0' | '1')).map(|letter| letter == '1').collect();
    if bits.len() == instance.bits() {
        return Ok(bits);
    }
    let (found, needed) = (counted(bits.len(), "bit"), instance.bits());
    let what = format!("{found}, but {} has {needed}; name the instance that it was made for", instance.name);
    Err(Error::file(path, what))
}

/// Bit with this name, or with this number (from 1) if no bit has it as its name.
fn bit_of(instance: &Instance, names: &HashMap<&str, usize>, text: &str) -> Option<usize> {
    let by_number = || text.parse::<usize>().ok()?.checked_sub(1).filter(|&bit| bit < instance.bits());
    names.get(text).copied().or_else(by_number)
}

fn places(instance: &Instance) -> HashMap<&str, usize> {
    instance.names.iter().enumerate().map(|(bit, name)| (name.as_str(), bit)).collect()
}

fn unknown(instance: &Instance, text: &str) -> String {
    let (noun, bits, name) = (instance.kind.bit_noun(), instance.bits(), &instance.name);
    let how = if instance.names.is_empty() { "number" } else { "name or number" };
    format!("{} is no {noun} of {name}; {how} its {bits} {noun}s 1 to {bits}", quoted(text))
}

fn read_names(source: Source, instance: &Instance) -> Result<Vec<bool>> {
    let (names, mut problems) = (places(instance), Problems::new(source.path));
    let mut first_lines: Vec<Option<usize>> = vec![None; instance.bits()];
    for (line, text) in lines::of(source.text).filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
        match bit_of(instance, &names, text) {
            None => problems.line(line, unknown(instance, text)),
            Some(bit) => {
                if let Some(first) = first_lines[bit].replace(line) {
                    problems
                        .line(line, format!("{} is taken already, in line {first}; remove one of them", quoted(text)));
                }
            }
        }
    }
    problems.finish()?;
    Ok(first_lines.iter().map(Option::is_some).collect())
}

fn read_table(source: Source, table: &Table, instance: &Instance) -> Result<Vec<bool>> {
    let (names, mut problems) = (places(instance), Problems::new(source.path));
    let mut found: Vec<Option<(usize, bool)>> = vec![None; instance.bits()];
    table.rows(&mut problems, |problems, row| {
        let name = row.get(NAME);
        let taken = match row.get(TAKEN).to_lowercase().as_str() {
            "1" | "yes" | "true" | "ja" | "x" => true,
            "0" | "no" | "false" | "nein" | "" => false,
            other => {
                let what = format!("{} does not tell whether {} is taken; write 1 or 0", quoted(other), quoted(name));
                return problems.line(row.line, what);
            }
        };
        match bit_of(instance, &names, name) {
            None => problems.line(row.line, unknown(instance, name)),
            Some(bit) => {
                if let Some((first, _)) = found[bit].replace((row.line, taken)) {
                    problems
                        .line(row.line, format!("{} stands in line {first} already; remove one of them", quoted(name)));
                }
            }
        }
    });
    problems.finish()?;
    Ok(found.iter().map(|entry| entry.is_some_and(|(_, taken)| taken)).collect())
}

fn read_ron(source: Source, instance: &Instance) -> Result<SolutionFile> {
    let stored: Stored = ron::read(source, "solution", FORMAT, |why| {
        format!("this is no string of bits ({why}); a result is opened as a result")
    })?;
    let bits = of_text(source.path, &stored.bits, instance)?;
    let (name, hash) = stored.instance;
    let other = hash != instance.hash;
    let warnings =
        other.then(|| format!("it was made for {}, with other data than {} holds", quoted(&name), instance.name));
    Ok(SolutionFile { bits, warnings: warnings.into_iter().collect() })
}

/// Writes one `0` or `1` per element of `bits`.
pub(crate) fn text_of(bits: &[bool]) -> String {
    bits.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
}

/// Writes a CSV with one row per element of `bits`: name, numbers, selection; `bits` is as long as the instance has
/// bits.
pub(crate) fn write_bits(instance: &Instance, bits: &[bool]) -> String {
    let head = |bit: usize| instance.bit_name(bit);
    let taken = |bit: usize| u8::from(bits.get(bit) == Some(&true)).to_string();
    match &instance.kind {
        Kind::Knapsack { profits, weights, .. } => {
            let row = |bit: usize| vec![head(bit), profits[bit].to_string(), weights[bit].to_string(), taken(bit)];
            write_table(&["item", "profit", "weight", "taken"], (0..profits.len()).map(row))
        }
        Kind::NextRelease { costs, values, value_scale, .. } => {
            let value = |bit: usize| scaled(values[bit], *value_scale);
            let row = |bit: usize| vec![head(bit), costs[bit].to_string(), value(bit), taken(bit)];
            write_table(&["requirement", "cost", "value", "taken"], (0..costs.len()).map(row))
        }
        Kind::Deceptive { .. } => {
            let row = |bit: usize| vec![head(bit), (bit / 6 + 1).to_string(), taken(bit)];
            write_table(&["bit", "block", "taken"], (0..instance.bits()).map(row))
        }
        Kind::OneMax { bits: count } => {
            write_table(&["bit", "taken"], (0..*count).map(|bit| vec![head(bit), taken(bit)]))
        }
    }
}

/// Encodes a solution, one element of `bits` per bit of the instance, as RON.
///
/// # Errors
/// [`Error::Usage`] if it cannot be encoded.
pub(crate) fn write_ron(instance: &Instance, bits: &[bool]) -> Result<String> {
    let stored =
        Stored { bits_format: FORMAT, instance: (instance.name.clone(), instance.hash.clone()), bits: text_of(bits) };
    Ok(ron::write(&stored, "solution", 1)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    fn backpack() -> Instance {
        library::sample("backpack", 5).unwrap()
    }

    fn read(name: &str, text: &str) -> Result<SolutionFile> {
        parse(Source { path: Path::new(name), text }, &backpack())
    }

    const BEST: [bool; 8] = [true, true, false, true, false, false, false, false];

    #[test]
    fn bits_are_read_however_they_stand() {
        let table = "item,taken\nTent,1\nSleeping bag,yes\nFood,x\nWater,0\n";
        for (name, text) in [
            ("a.sol", "11010000\n"),
            ("a.txt", "1 1 0 1\n0 0 0 0\n"),
            ("a.csv", "1,1,0,1,0,0,0,0\n"),
            ("a.txt", "Tent\nSleeping bag\n# warm enough\nFood\n"),
            ("a.txt", "4\n1\n2\n"),
            ("a.csv", table),
        ] {
            assert_eq!(read(name, text).unwrap().bits, BEST, "{text:?}");
        }
        assert_eq!(read("a.txt", "1\n").unwrap().bits.iter().filter(|&&bit| bit).count(), 1);
    }

    #[test]
    fn what_is_written_is_read_again() {
        for name in ["sample:backpack", "sample:release", "mmdp:12", "onemax:7"] {
            let instance = match name.strip_prefix("sample:") {
                Some(name) => library::sample(name, 5),
                None => library::named(name, 5),
            };
            let instance = instance.unwrap();
            let bits: Vec<bool> = (0..instance.bits()).map(|bit| bit % 3 == 0).collect();
            let texts = [
                ("a.csv", write_bits(&instance, &bits)),
                ("a.ron", write_ron(&instance, &bits).unwrap()),
                ("a.sol", text_of(&bits)),
            ];
            for (path, text) in texts {
                let read = parse(Source { path: Path::new(path), text: &text }, &instance).unwrap();
                assert_eq!((read.bits, read.warnings), (bits.clone(), Vec::new()), "{name} {text}");
            }
        }
        assert!(write_bits(&backpack(), &BEST).starts_with("item,profit,weight,taken\nTent,24,10,1\n"));
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let says = |name: &str, text: &str| read(name, text).unwrap_err().to_string();
        assert!(says("a.sol", "1101").contains("4 bits, but backpack has 8"));
        let error = says("a.txt", "Tent\nSofa\nTent\n99\n");
        for part in ["a.txt:2: «Sofa» is no item", "a.txt:3: «Tent» is taken already, in line 1", "a.txt:4: «99»"]
        {
            assert!(error.contains(part), "{error}");
        }
        assert!(says("a.csv", "item,taken\nTent,perhaps\n").contains("a.csv:2: «perhaps» does not tell"));
        assert!(says("a.csv", "item,weight\nTent,1\n").contains("no column «taken»"));
        assert!(says("a.ron", "(format: 1)").contains("no string of bits"));
        let other = write_ron(&backpack(), &BEST).unwrap().replace(&backpack().hash, "0");
        assert!(read("a.ron", &other).unwrap().warnings[0].contains("other data"));
        assert!(begins(other.as_bytes()) && !begins(b"(format: 1"));
    }
}
