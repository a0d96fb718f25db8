//! Recognition of binary problems among the files of all problems.

use super::{document, pairs, table, vectors, xuan};
use crate::library;
use gridwright_core::text::{Source, decoding, ending, sheets};

/// Number of bytes that [`looks_like`] examines; a shorter file was seen completely.
pub const LOOK: usize = 1 << 16;

/// File endings of binary problems.
const OWN: [&str; 3] = ["kp", "knapsack", "nrp"];

/// File endings of other problems, results and documents.
const OTHERS: [&str; 10] = ["stu", "crs", "exam", "sol", "gridwright", "pdf", "svg", "png", "zip", "ics"];

/// Returns `true` if a source names or holds a binary problem. `start` holds the first [`LOOK`] bytes of the file,
/// empty if the source is a name such as `mmdp:300`.
pub fn looks_like(source: &str, start: &[u8]) -> bool {
    if library::NAMED.iter().any(|beginning| source.starts_with(beginning)) {
        return true;
    }
    if let Some(name) = source.strip_prefix("sample:") {
        return library::SAMPLES.contains(&name.trim());
    }
    let (path, whole) = (&gridwright_core::source::path(source), start.len() < LOOK);
    match ending(path).as_str() {
        "ron" => return document::begins(start),
        other if OWN.contains(&other) => return true,
        other if OTHERS.contains(&other) || sheets::is_named_workbook(path) => return false,
        _ => {}
    }
    let Ok((text, _)) = decoding::decode(path, start.to_vec(), None) else { return false };
    table::has_header(Source { path, text: &text })
        || xuan::begins(&text, whole)
        || vectors::begins(&text, whole)
        || pairs::begins(&text, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_problems_are_known_by_name_ending_and_content() {
        for name in ["knapsack:100-1000", "mmdp:300", "onemax:100", "nrp:100-20", "sample:backpack", "a.kp"] {
            assert!(looks_like(name, b""), "{name}");
        }
        for name in ["taillard:ta001", "sample:school", "a.sol", "a.txt"] {
            assert!(!looks_like(name, b""), "{name}");
        }
        for (name, text) in [
            ("a.csv", "# capacity: 3\nitem,profit,weight\nTent,1,2\n"),
            ("a.csv", "feature;effort;value\nSearch;1;2\n"),
            ("a.txt", "3 10\n5 4\n3 3\n9 8\n"),
            ("a.txt", "1\n4\n4 6 1 3\n0\n1\n10 1 1\n"),
            ("a.txt", "100\t3\n50\t2\n300\t1\n80\t0\n"),
            ("a.ron", "(\n    binary_problem: 1,\n"),
        ] {
            assert!(looks_like(name, text.as_bytes()), "{text:?}");
        }
        for (name, text) in [
            ("a.csv", "student,exam\n1,2\n"),
            ("a.csv", "job,Saw\nDesk,4\n"),
            ("a.txt", "0001\t0002\n0003\t0004\n0001\t0004\n0002\t0003\n"),
            ("a.txt", "0001 0002\n0003\n"),
            ("a.ron", "(\n    format: 1,\n"),
        ] {
            assert!(!looks_like(name, text.as_bytes()), "{text:?}");
        }
    }
}
