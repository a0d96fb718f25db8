//! Export formats, and the paths that exports are written to.

use std::path::{Path, PathBuf};

use crate::files;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// The ending of its files, which may have two parts: `plan.students.csv` or just `students.csv`.
    pub ending: &'static str,
    /// Purpose of the format.
    pub help: &'static str,
}

impl Format {
    /// True for a picture of the grid.
    pub fn is_picture(&self) -> bool {
        matches!(self.ending, "svg" | "png")
    }

    /// True for a report, which can compare two solutions.
    pub fn is_report(&self) -> bool {
        self.ending == "report.pdf"
    }
}

/// The person's folder of documents; the home folder where there is none.
pub fn documents_folder() -> PathBuf {
    let directories = directories::UserDirs::new();
    let documents = directories.as_ref().and_then(|user| user.document_dir().map(Path::to_path_buf));
    let home = directories.as_ref().map(|user| user.home_dir().to_path_buf());
    documents.filter(|path| path.is_dir()).or(home).unwrap_or_else(|| PathBuf::from("."))
}

/// The format of a file by its ending; `None` for an unknown ending.
pub fn format_of(formats: &'static [Format], path: &Path) -> Option<&'static Format> {
    let ending = files::known_ending(path, formats.iter().map(|format| format.ending))?;
    formats.iter().find(|format| format.ending == ending)
}

/// The format that the ending of a name stands for, if that is another one than `chosen`: «plan.pdf» for a workbook.
/// «Report.pdf» does not contradict a report `report.pdf`.
pub fn contradiction(formats: &'static [Format], path: &Path, chosen: &Format) -> Option<&'static Format> {
    let stated = format_of(formats, path)?;
    let is_alike = chosen.ending == stated.ending || chosen.ending.ends_with(&format!(".{}", stated.ending));
    (!is_alike).then_some(stated)
}

/// The path with the ending of the format, if its name has none of a format.
pub fn completed(formats: &'static [Format], path: &Path, format: &Format) -> PathBuf {
    match format_of(formats, path) {
        Some(_) => path.to_path_buf(),
        None => path.with_added_extension(format.ending),
    }
}

/// The path with the ending of another format: a known ending is replaced as a whole, any other one stays a part of the
/// name. `otherwise` is the name of a file that has no other; letters of `trimmed` do not end a name.
pub fn with_format(
    formats: &'static [Format], path: &Path, format: &Format, otherwise: &str, trimmed: &[char],
) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // A name that consists of an ending alone, such as «.csv», has no stem.
    let ending_alone = formats.iter().any(|format| name.strip_prefix('.') == Some(format.ending));
    let known =
        if ending_alone { name.len() } else { format_of(formats, path).map_or(0, |format| format.ending.len()) };
    // Known endings are ASCII, so that they are as long in either case.
    let stem = name.get(..name.len().saturating_sub(known)).unwrap_or(&name).trim_end_matches(trimmed);
    let stem = if stem.is_empty() { otherwise } else { stem };
    path.with_file_name(format!("{stem}.{}", format.ending))
}

/// Returns the first allowed path with a number before its ending: «plan-layout-2.csv».
pub fn harmless(wanted: PathBuf, format: &Format, noun: &str, allowed: impl Fn(&Path) -> bool) -> PathBuf {
    let name = wanted.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_suffix(format.ending).unwrap_or(&name).trim_end_matches('.').to_owned();
    let others = std::iter::once(wanted.clone()).chain((1..).map(|number| {
        let more = if number == 1 { String::new() } else { format!("-{number}") };
        wanted.with_file_name(format!("{stem}-{noun}{more}.{}", format.ending))
    }));
    // The iterator does not end, so there is always one.
    others.take(1_000).find(|path| allowed(path)).unwrap_or(wanted)
}

/// Why the file of an instance is not replaced.
pub const SOURCE: &str = "The file that lies here is one that the instance came from; choose another name";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_exchanged_where_they_are_formats() {
        const FORMATS: [Format; 4] = [
            Format { name: "", ending: "csv", help: "" },
            Format { name: "", ending: "front.csv", help: "" },
            Format { name: "", ending: "sol", help: "" },
            Format { name: "", ending: "grid.png", help: "" },
        ];
        let to = |path: &str, ending: &str| {
            let format = FORMATS.iter().find(|format| format.ending == ending).unwrap();
            with_format(&FORMATS, Path::new(path), format, "plan", &['.']).display().to_string().replace('\\', "/")
        };
        assert_eq!(to("a/plan.csv", "sol"), "a/plan.sol");
        assert_eq!(to("a/plan", "sol"), "a/plan.sol");
        assert_eq!(to("a/v1.2", "csv"), "a/v1.2.csv");
        assert_eq!(to("a/plan.front.csv", "sol"), "a/plan.sol");
        assert_eq!(to("a/run.grid.png", "front.csv"), "a/run.front.csv");
        assert_eq!(to("a/.csv", "sol"), "a/plan.sol");
    }

    #[test]
    fn an_ending_that_stands_for_another_format_is_a_contradiction() {
        const FORMATS: [Format; 4] = [
            Format { name: "", ending: "csv", help: "" },
            Format { name: "", ending: "periods.csv", help: "" },
            Format { name: "", ending: "pdf", help: "" },
            Format { name: "", ending: "report.pdf", help: "" },
        ];
        let stated = |name: &str, chosen: usize| {
            contradiction(&FORMATS, Path::new(name), &FORMATS[chosen]).map_or("", |format| format.ending)
        };
        assert_eq!((stated("period.csv", 1), stated("Report.pdf", 3)), ("", ""), "the end is that of the format");
        assert_eq!((stated("plan.periods.csv", 0), stated("plan.PDF", 0)), ("periods.csv", "pdf"));
        assert_eq!((stated("plan", 0), stated("plan.doc", 0)), ("", ""));
        let named = |name: &str| completed(&FORMATS, Path::new(name), &FORMATS[1]).display().to_string();
        assert_eq!((named("a/plan").as_str(), named("a/v1.2").as_str()), ("a/plan.periods.csv", "a/v1.2.periods.csv"));
        assert_eq!(named("a/plan.csv"), "a/plan.csv");
    }

    #[test]
    fn a_path_that_is_not_allowed_gets_a_number() {
        let format = Format { name: "", ending: "csv", help: "" };
        let free = |taken: &'static [&'static str]| {
            let allowed = |path: &Path| !taken.contains(&path.to_str().unwrap_or_default());
            harmless(PathBuf::from("a.csv"), &format, "layout", allowed).display().to_string()
        };
        assert_eq!(free(&[]), "a.csv");
        assert_eq!(free(&["a.csv"]), "a-layout.csv");
        assert_eq!(free(&["a.csv", "a-layout.csv"]), "a-layout-2.csv");
    }
}
