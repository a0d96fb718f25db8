//! Whether something is a layout problem at all, and not another problem's file.

use std::path::Path;

use super::{LAYOUT, SAMPLE, ron, solution, tables};
use crate::facility::library;
use crate::text::{Source, decoding, ending};

/// Endings that other problems' files and documents have.
const OTHERS: [&str; 13] =
    ["stu", "crs", "exam", "sol", "gridwright", "xls", "ods", "pdf", "svg", "png", "zip", "ics", "dxf"];

/// Whether a folder holds the tables of a layout problem.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir() && path.join(tables::DEPARTMENTS).is_file()
}

/// Whether a source names or holds a layout problem. `start` is the beginning of the file or all of it; nothing where the
/// source is a name such as `layout:F40`.
pub fn looks_like(source: &str, start: &[u8]) -> bool {
    if source.starts_with(LAYOUT) {
        return true;
    }
    if let Some(name) = source.strip_prefix(SAMPLE) {
        return library::SAMPLES.contains(&name.trim());
    }
    let path = Path::new(source);
    match ending(path).as_str() {
        "ron" => ron::begins(start),
        "json" => has_words(start, &["\"departments\"", "\"area\""]),
        "xlsx" => tables::is_workbook(path),
        other if OTHERS.contains(&other) => false,
        _ if is_folder(path) => true,
        _ => decoded(path, start).is_some_and(|text| tables::begins(Source { path, text: &text })),
    }
}

/// Whether a file that nobody else can open was meant to be a layout problem, so that its reader is the one to say what is
/// wrong with it. `start` as for [`looks_like`].
pub fn resembles(source: &str, start: &[u8]) -> bool {
    let path = Path::new(source);
    match ending(path).as_str() {
        "ron" => solution::begins(start),
        "json" => has_words(start, &["departments"]) || has_words(start, &["plant"]) || has_words(start, &["area"]),
        other if OTHERS.contains(&other) || other == "xlsx" => false,
        _ => decoded(path, start).is_some_and(|text| tables::resembles(Source { path, text: &text })),
    }
}

fn decoded(path: &Path, start: &[u8]) -> Option<String> {
    decoding::decode(path, start.to_vec(), None).ok().map(|(text, _)| text)
}

fn has_words(start: &[u8], words: &[&str]) -> bool {
    let text = String::from_utf8_lossy(start);
    words.iter().all(|word| text.contains(word))
}
