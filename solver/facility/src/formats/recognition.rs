//! Recognition of layout problems among the files of all problems.

use std::path::Path;

use super::{LAYOUT, SAMPLE, ron, solution, tables};
use crate::library;
use gridwright_core::text::{Source, decoding, ending, sheets};

/// File endings of other problems and of documents.
const OTHERS: [&str; 11] = ["stu", "crs", "exam", "sol", "gridwright", "pdf", "svg", "png", "zip", "ics", "dxf"];

/// Returns `true` if the folder holds the tables of a layout problem.
pub(crate) fn is_folder(path: &Path) -> bool {
    path.is_dir() && path.join(tables::DEPARTMENTS).is_file()
}

/// Returns `true` if a source names or holds a layout problem. `start` is the beginning of the file, empty if the
/// source is a name such as `layout:F40`.
pub fn looks_like(source: &str, start: &[u8]) -> bool {
    if source.starts_with(LAYOUT) {
        return true;
    }
    if let Some(name) = source.strip_prefix(SAMPLE) {
        return library::SAMPLES.contains(&name.trim());
    }
    let path = &gridwright_core::source::path(source);
    match ending(path).as_str() {
        _ if solution::begins(start) => false,
        "ron" => ron::begins(start),
        "json" => has_words(start, &["\"departments\"", "\"area\""]),
        _ if sheets::is_named_workbook(path) => tables::is_workbook(path),
        other if OTHERS.contains(&other) => false,
        _ if is_folder(path) => true,
        _ => decoded(path, start).is_some_and(|text| tables::begins(Source { path, text: &text })),
    }
}

/// Returns `true` if a text is a quadratic assignment problem of QAPLIB: n, then two matrices of n × n numbers.
pub(super) fn is_assignment(text: &str) -> bool {
    let mut numbers = text.split_whitespace().map(|piece| piece.parse::<f64>().ok());
    let Some(Some(n)) = numbers.next().filter(|n| n.is_some_and(|n| n >= 2.0 && n.fract() == 0.0)) else {
        return false;
    };
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    // Permutations, costs and remarks of solutions are no part of an instance.
    let all: Option<Vec<f64>> = numbers.collect();
    first.is_some_and(|line| line.parse::<f64>().is_ok()) && all.is_some_and(|all| all.len() as f64 == 2.0 * n * n)
}

/// Returns `true` if an unreadable file was probably meant as a layout problem, so that this reader should report the
/// errors. `start` as for [`looks_like`].
pub(crate) fn resembles(source: &str, start: &[u8]) -> bool {
    let path = &gridwright_core::source::path(source);
    match ending(path).as_str() {
        "ron" => solution::begins(start),
        "json" => has_words(start, &["departments"]) || has_words(start, &["plant"]) || has_words(start, &["area"]),
        _ if sheets::is_named_workbook(path) => tables::is_unreadable_workbook(path),
        other if OTHERS.contains(&other) => false,
        _ => decoded(path, start)
            .is_some_and(|text| is_assignment(&text) || tables::resembles(Source { path, text: &text })),
    }
}

fn decoded(path: &Path, start: &[u8]) -> Option<String> {
    decoding::decode(path, start.to_vec(), None).ok().map(|(text, _)| text)
}

fn has_words(start: &[u8], words: &[&str]) -> bool {
    let text = String::from_utf8_lossy(start);
    words.iter().all(|word| text.contains(word))
}
