//! Marks in the files that the program made, and what a person is told of files that would be replaced.

use std::path::Path;
use std::time::SystemTime;

use crate::text::sheets;
use crate::{MARK, files, numbers};

/// Texts that mark the beginning of other outputs: results of runs and calendars.
const BEGINNINGS: [&str; 2] = ["program: \"gridwright ", "PRODID:-//Gridwright//"];

/// Creator in the properties of a PDF document.
const CREATOR: &[u8] = b"(Gridwright)";

/// Description of a file, such as «a workbook of 5 kB, last changed 3 days ago»; `None` for no file, a folder or a stream.
pub fn described(path: &Path) -> Option<String> {
    let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let age = data.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    let age = age.map_or_else(|| "at an unknown time".to_owned(), |age| ago(age.as_secs()));
    let (noun, beginning) = kind(&files::beginning(path, 200));
    Some(format!("{noun} of {}{beginning}, last changed {age}", size(data.len())))
}

/// Returns `true` if a content carries a mark of the program; a person may have changed it since.
pub(crate) fn is_marked(content: &[u8]) -> bool {
    const HEAD: usize = 1024;
    let start = String::from_utf8_lossy(content.get(..HEAD).unwrap_or(content));
    if start.starts_with("%PDF-") {
        return content.windows(CREATOR.len()).any(|window| window == CREATOR);
    }
    start.lines().take(2).any(|line| line.contains(MARK))
        || BEGINNINGS.iter().any(|mark| start.contains(mark))
        || sheets::remark(content).is_some_and(|remark| remark == MARK)
}

/// Noun with its article for a content that begins so, and what text it begins with.
fn kind(content: &[u8]) -> (&'static str, String) {
    let start = String::from_utf8_lossy(content);
    if sheets::is_workbook(content) {
        return ("a workbook", String::new());
    }
    let first = start.trim_start_matches('\u{feff}').lines().next().unwrap_or_default().trim();
    if first.is_empty() || start.contains('\0') || start.contains(char::REPLACEMENT_CHARACTER) {
        return ("a file", String::new());
    }
    ("a file", format!(" that begins with {}", crate::text::lines::quoted(first)))
}

/// Size of a file in words.
fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => numbers::counted(bytes, "byte"),
        1000..1_000_000 => format!("{} kB", numbers::grouped((bytes + 500) / 1000)),
        _ => format!("{} MB", numbers::figure(bytes as f64 / 1e6, 1)),
    }
}

/// Age in words.
fn ago(seconds: u64) -> String {
    let (count, noun) = match seconds {
        0..60 => return "less than a minute ago".to_owned(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} ago", numbers::counted(count, noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_sizes_are_told_in_words() {
        assert_eq!(
            [59, 61, 7300, 200_000].map(ago),
            ["less than a minute ago", "1 minute ago", "2 hours ago", "2 days ago"]
        );
        assert_eq!([1, 4899, 2_500_000].map(size), ["1 byte", "5 kB", "2.5 MB"]);
        assert_eq!(kind(b"\xef\xbb\xbfstudent;exam\n"), ("a file", " that begins with «student;exam»".to_owned()));
    }
}
