//! Knapsacks of formats that are named rather than read: several constraints (OR-Library, mknap) and the output of D. Pisinger's
//! generators (`knapPI_*.csv`), also where its first lines are lost.

use gridwright_core::text::lines::quoted;

/// Fewest lines of items that show the generator's numbering.
const ITEMS: usize = 3;

/// Fewest items of the first problem of a file with several constraints; small numbers say little.
const FEWEST: f64 = 3.0;

/// Form in which one knapsack is read.
const TABLE: &str = "a table with the columns item, profit and weight";

/// Explains a file of these formats; `None` for others. The last line of a text not seen `whole` may be cut off.
pub(super) fn explained(text: &str, whole: bool) -> Option<String> {
    let rows: Vec<Vec<&str>> = text.lines().map(pieces).filter(|row| !row.is_empty()).collect();
    generated(&rows).or_else(|| listed(&rows, whole)).or_else(|| constrained(&rows, whole))
}

fn pieces(line: &str) -> Vec<&str> {
    line.split([' ', '\t', '\r', ',', ';']).filter(|piece| !piece.is_empty()).collect()
}

/// Returns `true` for index, profit and weight of the item at this place, and in output with solutions 0 or 1.
fn is_item(row: &[&str], index: usize) -> bool {
    let is_number = |piece: &&str| piece.parse::<u64>().is_ok();
    let is_chosen = row.get(3).is_none_or(|chosen| matches!(*chosen, "0" | "1"));
    (3..=4).contains(&row.len())
        && row.iter().all(is_number)
        && is_chosen
        && row.first().is_some_and(|first| *first == (index + 1).to_string())
}

/// Number of lines that hold items, from the first one.
fn items(rows: &[Vec<&str>]) -> usize {
    rows.iter().enumerate().take_while(|(index, row)| is_item(row, *index)).count()
}

/// Explains `knapPI_*.csv`: a name, `n`, `c`, `z` and `time`, each followed by a number, then the items.
fn generated(rows: &[Vec<&str>]) -> Option<String> {
    let named = usize::from(rows.first().is_some_and(|row| row.len() == 1 && row[0].starts_with("knapPI")));
    let head = rows.get(named..)?;
    let stated = |word: &str| {
        let line = head.iter().take(4).find(|row| row.len() == 2 && row[0] == word)?;
        line[1].parse::<u64>().ok()
    };
    let of_items = head.iter().position(|row| is_item(row, 0))?;
    let capacity = stated("c").filter(|_| of_items <= 4)?;
    if items(head.get(of_items..)?) < ITEMS.min(stated("n").map_or(ITEMS, |n| n as usize)) {
        return None;
    }
    let name = if named == 1 { rows[0][0] } else { "without the line of its name" };
    Some(format!(
        "this is the output of Pisinger's generator of knapsacks ({name}). Keep the lines of one instance, write «item,profit,weight,chosen» \
         in place of the lines above its items, and open it with the capacity {capacity}"
    ))
}

/// Explains lines of items without anything above them, as in output whose first lines are lost, or between their number and the
/// capacity, as in the generator's `test.in`.
fn listed(rows: &[Vec<&str>], whole: bool) -> Option<String> {
    let announced = rows.first().filter(|row| row.len() == 1).and_then(|row| row[0].parse::<usize>().ok());
    let body = rows.get(usize::from(announced.is_some())..)?;
    let (count, width) = (items(body), body.first()?.len());
    let rest = body.get(count..)?;
    let same = body[..count].iter().all(|row| row.len() == width);
    if count < ITEMS || !same {
        return None;
    }
    if let Some(announced) = announced {
        let capacity = rest.first().filter(|row| row.len() == 1).map(|row| row[0]);
        let is_complete = width == 3 && count == announced && rest.len() == 1;
        let capacity = capacity.filter(|text| is_complete && text.parse::<u64>().is_ok())?;
        return Some(format!(
            "this is the output of Pisinger's generator of knapsacks (test.in). Write «item,profit,weight» in place of the first line, leave \
             out the last line, and open it with the capacity {}",
            quoted(capacity)
        ));
    }
    // A line of hyphens and further instances may follow; a line that is cut off may be the last.
    let ends = rest.is_empty() || rest[0].iter().all(|piece| piece.starts_with('-')) || !whole && rest.len() == 1;
    (width == 4 && ends).then(|| {
        format!(
            "these may be items of Pisinger's generator of knapsacks (knapPI) whose first lines are lost: number, profit, weight, chosen. Make \
             {TABLE}, and state the capacity, which the lost line c has"
        )
    })
}

/// Explains knapsacks with several constraints: on a line of its own the number of problems, then for each `n m optimum`, n profits,
/// m rows of n weights and m capacities.
fn constrained(rows: &[Vec<&str>], whole: bool) -> Option<String> {
    let first = rows.first()?;
    let count = if first.len() == 1 { first[0].parse::<usize>().ok().filter(|count| *count > 0)? } else { 1 };
    let sizes = rows.get(usize::from(first.len() == 1))?;
    // Codes of exams have zeros in front.
    let is_code = |piece: &&&str| piece.len() > 1 && piece.starts_with('0') && !piece.starts_with("0.");
    if sizes.len() != 3 || rows.iter().flatten().any(|piece| is_code(&piece)) {
        return None;
    }
    let numbers: Vec<f64> = rows.iter().flatten().map(|piece| piece.parse().ok()).collect::<Option<_>>()?;
    let mut rest = numbers.get(usize::from(first.len() == 1)..)?;
    let (items, constraints) = (*rest.first()?, *rest.get(1)?);
    if items < FEWEST || constraints < 2.0 {
        return None;
    }
    for index in 0..count {
        let size = |at: usize| rest.get(at).copied().filter(|size| *size >= 1.0 && size.fract() == 0.0 && *size < 1e6);
        let (Some(n), Some(m)) = (size(0), size(1)) else {
            // Only the beginning of a large file was seen.
            return (!whole && index > 0 && rest.len() < 3).then(|| of_constraints(items, constraints));
        };
        let length = 3 + (n * m + n + m) as usize;
        match rest.get(length..) {
            Some(further) => rest = further,
            None if whole => return None,
            None => return Some(of_constraints(items, constraints)),
        }
    }
    rest.is_empty().then(|| of_constraints(items, constraints))
}

fn of_constraints(items: f64, constraints: f64) -> String {
    format!(
        "this looks like a knapsack problem with several constraints (OR-Library, mknap): {items} items with a weight and a capacity for \
         each of {constraints} knapsacks. One capacity is planned here: make {TABLE}, and state the capacity"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{LoadOptions, parse};
    use gridwright_core::text::Source;
    use std::path::Path;

    const ITEMS: &str = "1,94,485,0\n2,506,326,0\n3,416,248,1\n4,992,421,0\n";

    #[test]
    fn output_of_the_generator_is_read_once_it_is_written_as_told() {
        let head = "n 4\nc 995\nz 1408\ntime 0.00\n";
        let text = format!("knapPI_1_4_1000_1\n{head}{ITEMS}-----\n\nknapPI_1_4_1000_2\n{head}{ITEMS}-----\n");
        let what = explained(&text, true).unwrap();
        assert!(what.contains("knapPI_1_4_1000_1") && what.contains("capacity 995"), "{what}");
        let what = explained(&format!("{head}{ITEMS}-----\n"), true).unwrap();
        assert!(what.contains("without the line of its name") && what.contains("capacity 995"), "{what}");
        assert!(explained(ITEMS, true).unwrap().contains("first lines are lost"));
        let told = format!("item,profit,weight,chosen\n{ITEMS}");
        let options = LoadOptions { capacity: Some(995), ..LoadOptions::default() };
        let instance = parse(Source { path: Path::new("a.csv"), text: &told }, &options).unwrap();
        assert_eq!(instance.bits(), 4);
        assert!(explained("3\n1 94 485\n2 506 326\n3 416 248\n995\n", true).unwrap().contains("«995»"));
    }

    #[test]
    fn several_constraints_are_told_whole_and_from_the_beginning() {
        let one = "3 2 40\n7 8 9\n1 2 3\n4 5 6\n5 11\n";
        for text in [format!("1\n{one}"), format!("2\n{one}\n{one}"), one.to_owned()] {
            let what = explained(&text, true).unwrap();
            assert!(what.contains("3 items") && what.contains("2 knapsacks"), "{what}");
        }
        assert!(explained(&format!("9\n{one}\n{one}3 "), false).is_some());
        assert_eq!(explained(&format!("9\n{one}\n{one}"), true), None, "seven are missing");
    }

    #[test]
    fn other_files_are_not_explained() {
        for text in [
            "3 10\n5 4\n3 3\n9 8\n", "3\n10\n5 4\n3 3\n9 8\n", "2 2\n3 1\n2 4\n", "1\n4\n4 6 1 3\n0\n1\n10 1 1\n",
            "100\t3\n50\t2\n300\t1\n80\t0\n", "item,profit,weight\nTent,1,2\n", "0001 0002\n0003\n",
            "3 4 5\n6 7 8 9 3 4\n3 5\n", "1,2,3\n2,4,5\n3,6,7\n", "",
        ] {
            assert_eq!(explained(text, true), None, "{text}");
        }
    }
}
