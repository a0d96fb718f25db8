//! Tables with a header: per item profit and weight, or per requirement cost and value.
//!
//! A column of weights means a knapsack, one of costs a next release problem. The capacity of a knapsack is given by a
//! comment (`# capacity: 24`), by a row named «capacity» in the column of weights, or by an option. Comma, semicolon
//! and tab are recognised as separators.

use super::numbers::{hundredths, scaled, whole};
use crate::{Instance, Kind, MAX_BITS};
use gridwright_core::text::Source;
use gridwright_core::text::cells::records;
use gridwright_core::text::columns::{self, Column};
use gridwright_core::text::lines::{self, Problems, quoted};
use gridwright_core::text::table::{self, Numbers, Row, Table, write_table};
use gridwright_core::{Error, Result};

const NAME: usize = 0;
const PROFIT: usize = 1;
const LOAD: usize = 2;

const PROFITS: &str = "value profit profits values worth benefit revenue gain price prices \
     nutzen wert gewinn preis preise κέρδος αξία valeur prix";

/// Columns of a knapsack.
pub(crate) const ITEMS: [Column; 3] = [
    Column::optional(
        "item",
        "items name title object article product titel gegenstand artikel produkt αντικείμενο προϊόν objet produit",
    ),
    Column::required("profit", PROFITS),
    Column::required("weight", "weights mass size gewicht βάρος poids"),
];

/// Columns of a next release problem.
pub(crate) const REQUIREMENTS: [Column; 3] = [
    Column::optional(
        "requirement",
        "requirements feature name title project task anforderung titel projekt maßnahme aufgabe απαίτηση έργο exigence projet",
    ),
    Column::required("value", PROFITS),
    Column::required("cost", "costs effort kosten aufwand κόστος coût"),
];

/// Names of the row that states the capacity.
const CAPACITY: Column = Column::optional("capacity", "kapazität χωρητικότητα capacité");

/// Text with comments blanked, and what a comment states as the capacity, with its line.
struct Bare {
    text: String,
    capacity: Option<(usize, String)>,
}

fn bare(source: Source) -> Bare {
    let (mut text, mut capacity) = (String::with_capacity(source.text.len()), None);
    for (line, record) in records(source.text) {
        match record.trim_start().strip_prefix('#') {
            None => text.push_str(record),
            Some(comment) => {
                if let Some(stated) = stated_capacity(comment) {
                    capacity = Some((line, stated.to_owned()));
                }
            }
        }
        text.push('\n');
    }
    Bare { text, capacity }
}

/// Text behind «capacity» in a comment.
fn stated_capacity(comment: &str) -> Option<&str> {
    let (name, value) = comment.trim().split_once([':', '=', ' ', '\t', ',', ';'])?;
    is_capacity(name).then(|| value.trim_matches(|letter: char| letter.is_whitespace() || ":=,;".contains(letter)))
}

fn is_capacity(name: &str) -> bool {
    columns::find(std::iter::once(name), &[CAPACITY])[0].is_some()
}

/// Columns of the kind of problem that a header belongs to.
fn header_of(text: &str) -> Option<&'static [Column; 3]> {
    let headers = || b",;\t".iter().filter_map(|&delimiter| table::first_record(text, delimiter));
    [&ITEMS, &REQUIREMENTS].into_iter().find(|wanted| {
        headers().any(|header| {
            let found = columns::find(header.iter(), *wanted);
            found[PROFIT].is_some() && found[LOAD].is_some()
        })
    })
}

/// Returns `true` if a text begins with the header of such a table.
pub(super) fn has_header(source: Source) -> bool {
    // An invalid comment must not hide the header.
    let rest: String = lines::of(source.text)
        .skip_while(|(_, line)| line.starts_with('#') || line.is_empty())
        .map(|(_, line)| format!("{line}\n"))
        .take(1)
        .collect();
    header_of(&rest).is_some()
}

/// Reads a table; the caller sets name and hash. `capacity` overrides the file; `tenths` is the weight of the
/// objective.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every invalid line; [`Error::File`] if the capacity is missing.
pub fn parse(source: Source, capacity: Option<u64>, tenths: u8) -> Result<Instance> {
    let bare = bare(source);
    let source = Source { text: &bare.text, ..source };
    let wanted = header_of(&bare.text).unwrap_or(&ITEMS);
    let table = Table::open(source, wanted)?;
    let mut problems = Problems::new(source.path);
    let numbers = table.numbers();
    let mut reading = Reading { knapsack: std::ptr::eq(wanted, &ITEMS), ..Reading::default() };
    if let Some((line, stated)) = bare.capacity {
        match numbers.evidence(LOAD).plain_whole(&stated).and_then(|stated| whole(&stated)) {
            Ok(capacity) => reading.capacity = Some((line, capacity)),
            Err(why) => problems.line(line, format!("the capacity: {why}")),
        }
    }
    let count = table.rows(&mut problems, |problems, row| reading.row(problems, &row, &numbers, table.has(NAME)));
    if reading.names.is_empty() && problems.is_empty() {
        problems.file(format!("there is no {} below the header; add a line for each", wanted[NAME].name));
    }
    problems.finish()?;
    let mut instance = reading.instance(source, capacity, tenths)?;
    if !table.has(NAME) {
        instance.names.clear();
    }
    table::leftovers(&table, &table.unused, &count, &mut instance.warnings);
    Ok(instance)
}

/// State of reading a table.
#[derive(Default)]
struct Reading {
    knapsack: bool,
    /// Capacity stated in the table, with its line.
    capacity: Option<(usize, u64)>,
    names: Vec<String>,
    /// Weights or costs.
    loads: Vec<u64>,
    /// Profits, or values in hundredths.
    profits: Vec<u64>,
    /// True if a value has decimals.
    decimals: bool,
}

impl Reading {
    fn row(&mut self, problems: &mut Problems, row: &Row, numbers: &Numbers, named: bool) {
        let name = row.get(NAME);
        let (what, load_called) = if self.knapsack { ("item", "weight") } else { ("requirement", "cost") };
        let called = if named { quoted(name) } else { format!("in line {}", row.line) };
        let number = |column: usize| numbers.plain(row, column);
        let load = number(LOAD).and_then(|text| whole(&text));
        let load = load.map_err(|why| format!("the {load_called} of {what} {called}: {why}"));
        if self.knapsack && named && is_capacity(name) {
            match (load, self.capacity) {
                (Err(_), _) => {
                    problems.line(row.line, "the capacity has to stand in the column of weights, as a whole number")
                }
                (Ok(_), Some((first, _))) => {
                    problems
                        .line(row.line, format!("the capacity is stated already, in line {first}; remove one of them"));
                }
                (Ok(load), None) => self.capacity = Some((row.line, load)),
            }
            return;
        }
        if named && name.is_empty() {
            return problems
                .line(row.line, format!("the {what}'s name is missing; give each {what} a name of its own"));
        }
        if self.names.len() == MAX_BITS {
            return problems.line(row.line, format!("more than {MAX_BITS} {what}s; that many cannot be handled"));
        }
        let profit = if self.knapsack {
            number(PROFIT)
                .and_then(|text| whole(&text))
                .map(|profit| (profit, false))
                .map_err(|why| format!("the profit of {what} {called}: {why}"))
        } else {
            number(PROFIT)
                .and_then(|text| hundredths(&text))
                .map_err(|why| format!("the value of {what} {called}: {why}"))
        };
        for why in [load.as_ref().err(), profit.as_ref().err()].into_iter().flatten() {
            problems.line(row.line, why.as_str());
        }
        if let (Ok(load), Ok((profit, decimals))) = (load, profit) {
            self.names.push(name.to_owned());
            self.loads.push(load);
            self.profits.push(profit);
            self.decimals |= decimals;
        }
    }

    fn instance(self, source: Source, capacity: Option<u64>, tenths: u8) -> Result<Instance> {
        let mut warnings = Vec::new();
        let kind = if self.knapsack {
            let stated = self.capacity.map(|(_, capacity)| capacity);
            if let (Some(given), Some(stated)) = (capacity, stated)
                && given != stated
            {
                warnings.push(format!("the capacity is {given} as given, not {stated} as in the file"));
            }
            let Some(capacity) = capacity.or(stated) else {
                let proposal = (self.loads.iter().sum::<u64>() / 2).max(1).to_string();
                let what = format!(
                    "the capacity of the knapsack is missing. State it in the file, with {proposal} as an example (half of all \
                     weights): a first line «# capacity: {proposal}», or a row named capacity with {proposal} in the column of \
                     weights. On the command line the option --capacity {proposal} does the same"
                );
                let path = source.path.to_path_buf();
                return Err(Error::Missing { path, option: "capacity", proposal, what });
            };
            Kind::Knapsack { profits: self.profits, weights: self.loads, capacity }
        } else {
            if capacity.is_some() {
                let what = "it is a table of requirements, which has no capacity; leave it out";
                return Err(Error::file(source.path, what));
            }
            let (divisor, value_scale) = if self.decimals { (1, 100) } else { (100, 1) };
            let values = self.profits.iter().map(|value| value / divisor).collect();
            Kind::NextRelease { costs: self.loads, values, value_scale, tenths }
        };
        Ok(Instance { name: String::new(), kind, names: self.names, warnings, hash: String::new() })
    }
}

/// Writes `item,profit,weight` below the capacity, or `requirement,cost,value`; empty for other kinds.
pub fn write(instance: &Instance) -> String {
    let name = |bit: usize| instance.bit_name(bit);
    match &instance.kind {
        Kind::Knapsack { profits, weights, capacity } => {
            let rows = profits.iter().zip(weights).enumerate();
            let rows = rows.map(|(bit, (profit, weight))| vec![name(bit), profit.to_string(), weight.to_string()]);
            format!("# capacity: {capacity}\n{}", write_table(&["item", "profit", "weight"], rows))
        }
        Kind::NextRelease { costs, values, value_scale, .. } => {
            let rows = costs.iter().zip(values).enumerate();
            let rows = rows.map(|(bit, (cost, &value))| vec![name(bit), cost.to_string(), scaled(value, *value_scale)]);
            write_table(&["requirement", "cost", "value"], rows)
        }
        Kind::Deceptive { .. } | Kind::OneMax { .. } => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn read(text: &str) -> Result<Instance> {
        parse(Source { path: Path::new("a.csv"), text }, None, 5)
    }

    fn refused(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn knapsacks_state_their_capacity_in_three_ways() {
        let expected = Kind::Knapsack { profits: vec![24, 18], weights: vec![10, 8], capacity: 15 };
        for text in [
            "# capacity: 15\nitem,profit,weight\nTent,24,10\nBag,18,8\n",
            "#Capacity = 15\nname;weight;value\nTent;10;24\nBag;8;18\n",
            "item,profit,weight\nTent,24,10\nCapacity,,15\nBag,18,8\n",
        ] {
            let instance = read(text).unwrap();
            assert_eq!((instance.kind, instance.names), (expected.clone(), vec!["Tent".to_owned(), "Bag".to_owned()]));
        }
        let source = Source { path: Path::new("a.csv"), text: "profit,weight\n24,10\n18,8\n" };
        let instance = parse(source, Some(15), 5).unwrap();
        assert_eq!((instance.kind, instance.names.len()), (expected, 0));
        let told = refused(source.text);
        for remedy in ["# capacity: 9", "a row named capacity", "column of weights", "--capacity 9"] {
            assert!(told.contains(remedy), "{told}");
        }
    }

    #[test]
    fn a_stated_capacity_is_read_as_the_weights_are_written() {
        let capacity = |stated: &str, weights: [&str; 2]| {
            let [one, other] = weights;
            match read(&format!("# capacity: {stated}\nitem;profit;weight\nTent;24;{one}\nBag;18;{other}\n"))?.kind {
                Kind::Knapsack { capacity, .. } => Ok(capacity),
                other => panic!("{other:?}"),
            }
        };
        for (stated, weights) in [
            ("1.250", ["400", "900"]),
            ("1.250", ["400", "1.000.900"]),
            ("1,250", ["400", "900"]),
            ("1.250", ["1.000", "2,0"]),
            ("1 250", ["4", "9"]),
        ] {
            assert_eq!(capacity(stated, weights).unwrap(), 1250, "{stated} {weights:?}");
        }
        let why = |stated: &str, weights| capacity(stated, weights).map_err(|why: Error| why.to_string()).unwrap_err();
        let both = why("1.000", ["400", "900"]);
        assert!(
            both.contains("a.csv:1: the capacity: «1.000» is 1000 or 1") && both.ends_with("write 1000 or 1"),
            "{both}"
        );
        let fraction = why("1.250", ["4.0", "9"]);
        assert!(fraction.contains("«1.250» is not a whole number"), "{fraction}");
    }

    #[test]
    fn what_is_said_counts_more_than_the_file() {
        let text = "# capacity: 15\nitem,profit,weight\nTent,24,10\n";
        let instance = parse(Source { path: Path::new("a.csv"), text }, Some(20), 5).unwrap();
        assert!(matches!(instance.kind, Kind::Knapsack { capacity: 20, .. }));
        assert!(instance.warnings[0].contains("20 as given, not 15"));
    }

    #[test]
    fn requirements_may_have_decimals() {
        let instance = read("requirement,cost,value\nSearch,3,1.5\nSort,4,2\n").unwrap();
        let kind = Kind::NextRelease { costs: vec![3, 4], values: vec![150, 200], value_scale: 100, tenths: 5 };
        assert_eq!(instance.kind, kind);
        let instance = read("feature\trevenue\tcost\nSearch\t1\t3\n").unwrap();
        assert!(matches!(instance.kind, Kind::NextRelease { value_scale: 1, .. }));
    }

    #[test]
    fn thousands_are_read_as_their_column_is_written() {
        let instance = read("requirement;cost;value\nSearch;1.200;1.250,5\nSort;4;1.500\n").unwrap();
        let kind =
            Kind::NextRelease { costs: vec![1200, 4], values: vec![125_050, 150_000], value_scale: 100, tenths: 5 };
        assert_eq!(instance.kind, kind);
        let why = refused("requirement;cost;value\nSearch;3;1.250\nSort;4;2\n");
        assert!(why.contains("a.csv:2: the value of requirement «Search»: «1.250» is 1250 or 1.25"), "{why}");
    }

    #[test]
    fn every_bad_line_is_named() {
        let error = refused("# capacity: 9\nitem,profit,weight\nTent,24,heavy\n,3,1\nBag,-1,2.5\nBook,3\n");
        for part in [
            "a.csv:3: the weight of item «Tent»: «heavy» is not a whole number",
            "a.csv:4: the item's name is missing",
            "a.csv:5: the weight of item «Bag»: «2.5» is not a whole number",
            "a.csv:5: the profit of item «Bag»: «-1» is negative",
            "a.csv:6: 2 columns where the header has 3",
        ] {
            assert!(error.contains(part), "{part} in {error}");
        }
        assert!(refused("item,weight\nTent,1\n").contains("no column «profit»"));
        assert!(refused("# capacity: much\nitem,profit,weight\n").contains("a.csv:1: the capacity: «much»"));
        assert!(refused("item,profit,weight\ncapacity,,5\ncapacity,,6\n").contains("already, in line 2"));
        assert!(refused("# capacity: 5\nitem,profit,weight\n").contains("no item below the header"));
    }

    #[test]
    fn names_stand_below_headings_of_several_languages() {
        let names =
            |heading: &str| read(&format!("{heading};Wert;Kosten\nNeues Dach;9;4\nFenster;5;3\n")).unwrap().names;
        for heading in ["Projekt", "Maßnahme", "project", "Title"] {
            assert_eq!(names(heading), ["Neues Dach", "Fenster"], "{heading}");
        }
        assert_eq!(names("Zimmer"), [""; 0]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "# capacity: 15\nitem,profit,weight\nTent,24,10\n\"Bag, warm\",18,8\n",
            "requirement,cost,value\nSearch,3,1.50\nSort,4,2.00\n",
        ] {
            assert_eq!(write(&read(text).unwrap()), text);
        }
        assert!(has_header(Source { path: Path::new("a.csv"), text: "\n# capacity: x\nitem,profit,weight\n" }));
        assert!(!has_header(Source { path: Path::new("a.csv"), text: "student,exam\n" }));
    }
}
