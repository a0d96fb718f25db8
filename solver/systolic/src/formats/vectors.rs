//! Knapsacks as numbers: `items capacity`, on one line or on two (kplib), then `profit weight` per item, the form of most
//! collections; a solution (0 or 1 per item) may follow and is ignored.

use super::numbers::whole;
use crate::{Instance, Kind, MAX_BITS, MIN_BITS};
use gridwright_core::text::Source;
use gridwright_core::text::lines::{self, Problems, counted};
use gridwright_core::{Error, Result};

/// Non-empty lines, split into pieces, with their line numbers.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let rows = lines::of(text).map(|(line, content)| (line, pieces(content)));
    rows.filter(|(_, row)| !row.is_empty())
}

fn pieces(line: &str) -> Vec<&str> {
    if line.starts_with('#') {
        Vec::new()
    } else {
        line.split([' ', '\t', ',', ';']).filter(|piece| !piece.is_empty()).collect()
    }
}

/// Returns `true` if a text begins as such a file. The last line of a text not seen `whole` may be cut off.
pub(super) fn begins(text: &str, whole: bool) -> bool {
    let rows: Vec<Vec<&str>> = rows(text).map(|(_, row)| row).collect();
    let (items, capacity, body) = match rows.as_slice() {
        [first, body @ ..] if first.len() == 2 => (first[0], first[1], body),
        [items, capacity, body @ ..] if items.len() == 1 && capacity.len() == 1 => (items[0], capacity[0], body),
        _ => return false,
    };
    let Ok(items) = items.parse::<usize>() else { return false };
    let pairs = body.iter().take_while(|row| row.len() == 2).count();
    let rest = body.len() - pairs;
    // Fractions are accepted here so that the reader can report them; two columns for two machines would be processing
    // times.
    let fractions = items >= MIN_BITS && capacity != "2";
    let is_number = |piece: &&str| lines::is_number(piece) || (fractions && piece.parse::<f64>().is_ok());
    let numbers = rows.iter().flatten().all(is_number);
    let enough = if whole { pairs == items } else { pairs <= items && rest <= 1 };
    items > 0 && numbers && enough
}

/// Reads a file; the caller sets name and hash. `given` overrides the capacity.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every invalid line.
pub fn parse(source: Source, given: Option<u64>) -> Result<Instance> {
    let mut problems = Problems::new(source.path);
    let mut rows = rows(source.text).peekable();
    let Some((line, first)) = rows.next() else {
        return Err(Error::file(source.path, "the file is empty; export it again from where it comes from"));
    };
    let second = if first.len() == 1 { rows.next_if(|(_, row)| row.len() == 1) } else { None };
    let head: Vec<&str> = first.iter().chain(second.iter().flat_map(|(_, row)| row)).copied().collect();
    let &[items, capacity] = head.as_slice() else {
        let what =
            format!("{} where the number of items and the capacity should stand", counted(first.len(), "number"));
        return Err(Error::line(source.path, line, what));
    };
    let head =
        |text, what: &str| whole(text).map_err(|why| Error::line(source.path, line, format!("the {what}: {why}")));
    let (items, capacity) = (head(items, "number of items")?, head(capacity, "capacity")?);
    if items > MAX_BITS as u64 {
        return Err(Error::line(source.path, line, format!("{items} items; at most {MAX_BITS} can be handled")));
    }
    let mut items_read = Items { expected: items, ..Items::default() };
    rows.for_each(|(line, row)| items_read.row(&mut problems, line, &row));
    let Items { profits, weights, found, solution, .. } = items_read;
    if found < items {
        problems.file(format!("{found} of {items} items; the file breaks off, get it again"));
    }
    if solution > 0 && solution != items {
        problems.file(format!("{solution} bits of a solution below {items} items; remove them"));
    }
    problems.finish()?;
    let mut warnings = Vec::new();
    if solution > 0 {
        warnings.push("the solution below the items is not looked at".to_owned());
    }
    if let Some(given) = given.filter(|&given| given != capacity) {
        warnings.push(format!("the capacity is {given} as given, not {capacity} as in the file"));
    }
    let kind = Kind::Knapsack { profits, weights, capacity: given.unwrap_or(capacity) };
    Ok(Instance { name: String::new(), kind, names: Vec::new(), warnings, hash: String::new() })
}

/// State of reading the items.
#[derive(Default)]
struct Items {
    /// Number of items according to the first line.
    expected: u64,
    /// Number of item lines, including unusable ones.
    found: u64,
    profits: Vec<u64>,
    weights: Vec<u64>,
    /// Number of bits of a solution below the items.
    solution: u64,
}

impl Items {
    fn row(&mut self, problems: &mut Problems, line: usize, row: &[&str]) {
        if self.found == self.expected {
            self.solution += row.iter().filter(|piece| matches!(**piece, "0" | "1")).count() as u64;
            if row.iter().any(|piece| !matches!(*piece, "0" | "1")) {
                let expected = self.expected;
                problems
                    .line(line, format!("something below the {expected} items; correct the number in the first line"));
            }
            return;
        }
        self.found += 1;
        let found = self.found;
        let &[profit, weight] = row else {
            let what = counted(row.len(), "number");
            return problems.line(line, format!("{what} where profit and weight of item {found} should stand"));
        };
        match (whole(profit), whole(weight)) {
            (Ok(profit), Ok(weight)) => {
                self.profits.push(profit);
                self.weights.push(weight);
            }
            (profit, weight) => {
                let wrong = [profit.err().map(|why| ("profit", why)), weight.err().map(|why| ("weight", why))];
                for (what, why) in wrong.into_iter().flatten() {
                    problems.line(line, format!("the {what} of item {found}: {why}"));
                }
            }
        }
    }
}

/// Writes `items capacity`, then `profit weight` per item; empty for other problems.
pub fn write(instance: &Instance) -> String {
    let Kind::Knapsack { profits, weights, capacity } = &instance.kind else { return String::new() };
    let rows: String = profits.iter().zip(weights).map(|(profit, weight)| format!("{profit} {weight}\n")).collect();
    format!("{} {capacity}\n{rows}", profits.len())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn read(text: &str) -> Result<Instance> {
        parse(Source { path: Path::new("a.txt"), text }, None)
    }

    #[test]
    fn items_follow_their_number_and_the_capacity() {
        let text = "3 10\n5 4\n3 3\n9 8\n";
        let instance = read(text).unwrap();
        assert_eq!(instance.kind, Kind::Knapsack { profits: vec![5, 3, 9], weights: vec![4, 3, 8], capacity: 10 });
        assert_eq!(write(&instance), text);
        let kplib = "\n3\n10\n\n5 4\n3 3\n9 8\n";
        assert_eq!(read(kplib).unwrap().kind, instance.kind);
        assert!(begins(kplib, true) && begins(kplib, false) && !begins("3\n10\n5 4 1\n3 3 1\n9 8 1\n", true));
        let with_solution = read(&format!("{text}1 1 0\n")).unwrap();
        assert_eq!((with_solution.kind, with_solution.warnings.len()), (instance.kind, 1));
    }

    #[test]
    fn every_bad_line_is_named() {
        let error = read("3 10\n5 x\n3\n9 -8\n").unwrap_err().to_string();
        for part in ["a.txt:2: the weight of item 1: «x»", "a.txt:3: 1 number where", "a.txt:4: the weight of item 3"]
        {
            assert!(error.contains(part), "{error}");
        }
        assert!(read("3 10\n5 4\n").unwrap_err().to_string().contains("1 of 3 items"));
        assert!(
            read("2 10\n5 4\n3 3\n9 8\n").unwrap_err().to_string().contains("a.txt:4: something below the 2 items")
        );
        assert!(read("2 10\n5 4\n3 3\n1\n").unwrap_err().to_string().contains("1 bits of a solution"));
        assert!(read("2\n5 4\n").unwrap_err().to_string().contains("number of items and the capacity"));
        assert!(read("99999 4\n").unwrap_err().to_string().contains("at most 10000"));
        assert!(read("\n").unwrap_err().to_string().contains("empty"));
    }

    #[test]
    fn files_are_known_by_their_beginning() {
        assert!(begins("3 10\n5 4\n3 3\n9 8\n", true) && begins("3 10\n5 4\n3 3\n9 8\n1 0 1\n", true));
        assert!(begins("300 10\n5 4\n3 3\n9", false) && !begins("300 10\n5 4\n3 3\n", true));
        assert!(begins("4 10.5\n5 4\n3 3\n9 8\n1 1\n", true) && !begins("4 2\n5.5 4\n3 3\n9 8\n1 1\n", true));
        assert!(!begins("3 10\n5 a\n3 3\n9 8\n", true) && !begins("100\t50\n300\t80\n", true));
    }
}
