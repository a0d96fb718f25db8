//! Evidence that lines of codes are students and their exams, and not numbers of another problem.
//!
//! The Toronto format has no beginning by which it is known: any list of numbers is one by its syntax. Codes with as many digits
//! each and leading zeros are exams. Other numbers must not look like a table: a first line that announces the rest, an
//! index in front of every line, signs and fractions, or many numbers of which hardly one recurs.

use std::collections::HashMap;

use super::carter::is_code;
use gridwright_core::text::lines::{self, quoted};

/// Fewest lines of equal length that count as a table.
const LINES: usize = 3;

/// Fewest lines of two columns that are an index in front of numbers.
const INDEXED: usize = 6;

/// Fewest numbers that are a table because hardly one recurs.
const MENTIONS: usize = 16;

/// The reason why a text lists no students, with the number of a line that shows it; `None` if it may list them.
pub(super) fn stranger(text: &str) -> Option<(usize, String)> {
    let rows: Vec<(usize, Vec<&str>)> = lines::of(text)
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| (number, line.split_whitespace().collect()))
        .collect();
    let (first, _) = rows.first()?;
    let is_bad = |(_, row): &&(usize, Vec<&str>)| !row.iter().all(|token| is_code(token));
    if let Some(bad) = rows.iter().find(is_bad)
        && (bad.0 == *first || 2 * rows.iter().filter(is_bad).count() > rows.len())
    {
        return Some((bad.0, format!("{} lists no exams of a student", quoted(&bad.1.join(" ")))));
    }
    if is_padded(&rows) {
        return None;
    }
    let table =
        |line: usize, why: &str| Some((line, format!("this is a table of numbers, not a list of students: {why}")));
    if let Some((line, token)) = fraction(&rows) {
        return table(line, &format!("{} is the code of no exam", quoted(token)));
    }
    if is_announced(&rows) {
        return table(*first, "its first line states how many lines follow");
    }
    if is_numbered(&rows) {
        return table(*first, "its lines are numbered");
    }
    if is_sparse(&rows) {
        return table(*first, "hardly a number recurs");
    }
    let is_mixed = width(&rows).is_some_and(|width| has_kinds(&rows, width));
    is_mixed.then(|| table(*first, "each line holds names and numbers in the same places")).flatten()
}

type Row<'a> = (usize, Vec<&'a str>);

fn is_number(token: &str) -> bool {
    token.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns `true` if all codes have as many digits, of which the first may be zeros.
fn is_padded(rows: &[Row]) -> bool {
    let mut tokens = rows.iter().flat_map(|(_, row)| row.iter());
    let width = tokens.clone().next().map_or(0, |token| token.len());
    let has_zeros = tokens.clone().any(|token| token.starts_with('0'));
    width > 1 && has_zeros && tokens.all(|token| token.len() == width && is_number(token))
}

/// A number with a sign, or a fraction among whole numbers, with its line.
fn fraction<'a>(rows: &[Row<'a>]) -> Option<(usize, &'a str)> {
    let is_fraction = |token: &str| token.parse::<f64>().is_ok() && token.contains(['.', '-']);
    let mut tokens = rows.iter().flat_map(|(line, row)| row.iter().map(move |&token| (*line, token)));
    let has_whole = tokens.clone().any(|(_, token)| is_number(token));
    tokens.find(|(_, token)| is_fraction(token) && (has_whole || token.starts_with('-')))
}

/// Number of tokens in each line; `None` if lines differ in it, or if there are too few of them to be a table.
fn width(rows: &[Row]) -> Option<usize> {
    let width = rows.first()?.1.len();
    (rows.len() >= LINES && rows.iter().all(|(_, row)| row.len() == width)).then_some(width)
}

/// Returns `true` if the first line holds the number of lines that follow, which all have one length.
fn is_announced(rows: &[Row]) -> bool {
    let Some(((_, first), body)) = rows.split_first() else { return false };
    let is_block = |body: &[Row]| width(body).is_some_and(|width| width >= 2);
    let count = |at: usize| first.get(at).and_then(|token| token.parse::<usize>().ok());
    let stated = [count(0), count(1)].into_iter().flatten();
    first.len() <= 3
        && stated.into_iter().any(|count| {
            // Several blocks, such as two matrices, follow each other.
            count >= LINES && body.len() % count == 0 && body.chunks(count).all(is_block)
        })
}

/// Returns `true` if the lines begin with 0, 1, 2, … or 1, 2, 3, …
fn is_numbered(rows: &[Row]) -> bool {
    let Some(width) = width(rows) else { return false };
    let is_from = |start: usize| rows.iter().enumerate().all(|(at, (_, row))| row[0] == (start + at).to_string());
    (width >= 3 || width == 2 && rows.len() >= INDEXED) && (is_from(0) || is_from(1))
}

/// Returns `true` if one column holds names throughout and another one numbers.
fn has_kinds(rows: &[Row], width: usize) -> bool {
    let all = |column: usize, is_wanted: &dyn Fn(&str) -> bool| rows.iter().all(|(_, row)| is_wanted(row[column]));
    let has = |is_wanted: &dyn Fn(&str) -> bool| (0..width).any(|column| all(column, is_wanted));
    has(&is_number) && has(&|token: &str| !is_number(token))
}

/// Returns `true` for numbers of which most stand in one place only: exams with one student each are no session.
fn is_sparse(rows: &[Row]) -> bool {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut mentions = 0;
    for token in rows.iter().flat_map(|(_, row)| row.iter()) {
        if !is_number(token) {
            return false;
        }
        *counts.entry(token).or_default() += 1;
        mentions += 1;
    }
    let alone = counts.values().filter(|count| **count == 1).count();
    mentions >= MENTIONS && 2 * alone > counts.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_are_told_from_tables_of_numbers() {
        for text in [
            "0001 0002\n0002 0003\n0001 0003\n",
            "1 2\n2 3\n1 3\n",
            "10 9\n9 MAT1\n",
            "2 2\n3 1\n2 4\n",
            "MAT101 PHY2\nCHE3\nMAT101 CHE3\n",
            "101 102 103\n101 102 103\n101 102 103\n101 102 103\n101 102 103\n101 102 103\n101 102 103\n",
            "6.001 6.002\n6.001 18.01\n",
            "1\n2\n3\n",
        ] {
            assert_eq!(stranger(text), None, "{text}");
        }
        for (text, expected) in [
            ("The quick brown fox\njumps over\n", "«The quick brown fox» lists no exams"),
            ("student;exam\n1;2\n", "lists no exams"),
            ("3\n\n0 5 2\n5 0 3\n2 3 0\n\n0 1 2\n1 0 1\n2 1 0\n", "states how many lines follow"),
            ("3 10\n5 4\n3 3\n9 8\n", "states how many lines follow"),
            ("1 94 485 0\n2 506 326 0\n3 416 248 1\n", "lines are numbered"),
            ("4 7\n1.5 3\n", "«1.5» is the code of no exam"),
            ("c1 t1 6 4\nc2 t1 3 2\nc3 t2 5 4\n", "names and numbers"),
            ("1\n6 3 0\n41 5 8 77 12 9\n13 62 34 50 2 81\n7 90 4 66 27 18\n99 45 20\n", "hardly a number recurs"),
            ("54 83 15\n71 77 36\n53 38 27\n87 76 91\n14 29 12\n77 32 87\n", "hardly a number recurs"),
        ] {
            let found = stranger(text).unwrap_or_else(|| panic!("{text}"));
            assert!(found.1.contains(expected), "{text}: {}", found.1);
        }
    }
}
