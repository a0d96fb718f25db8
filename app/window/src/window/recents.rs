//! Words that tell recent files of the same name apart.

use std::collections::HashMap;
use std::path::Path;

use gridwright_core::registry::is_generated;
use gridwright_core::store::Recent;

/// Words behind the names of recent files by their source: for names that occur more than once, the folder or, in one folder,
/// the file that tells them apart.
pub(super) struct Distinctions(HashMap<String, String>);

impl Distinctions {
    pub fn of(recent: &[Recent]) -> Self {
        let files = || recent.iter().filter(|recent| !is_generated(&recent.source));
        let words = files().filter_map(|recent| {
            let others = files().filter(|other| other.name == recent.name && other.source != recent.source);
            let others: Vec<&str> = others.map(|other| other.source.as_str()).collect();
            (!others.is_empty()).then(|| (recent.source.clone(), distinction(&recent.source, &others)))
        });
        Self(words.collect())
    }

    /// The name of a recent file, with its distinction in brackets if it has one.
    pub fn name(&self, recent: &Recent) -> String {
        match self.0.get(&recent.source) {
            Some(words) => format!("{} ({words})", recent.name),
            None => recent.name.clone(),
        }
    }

    /// A line of facts about a recent file, behind its distinction if it has one.
    pub fn facts(&self, recent: &Recent, facts: &str) -> String {
        match self.0.get(&recent.source) {
            Some(words) => format!("{words} · {facts}"),
            None => facts.to_owned(),
        }
    }
}

/// The shortest end of the folder of `source` that no other has; the file name if others lie in the same folder.
fn distinction(source: &str, others: &[&str]) -> String {
    let of_folder = |source: &str, parts: usize| {
        let path = gridwright_core::source::path(source);
        let folder: Vec<_> = path.parent().unwrap_or(Path::new("")).iter().collect();
        let end: std::path::PathBuf = folder[folder.len().saturating_sub(parts)..].iter().collect();
        end.display().to_string()
    };
    let parts = gridwright_core::source::path(source).iter().count();
    let is_own = |parts: &usize| others.iter().all(|other| of_folder(other, *parts) != of_folder(source, *parts));
    match (1..parts).find(is_own) {
        Some(parts) => of_folder(source, parts),
        None => super::short_name(source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_occur_twice_have_the_folder_that_tells_them_apart() {
        let paths = [
            "/plans/2025/autumn/exams.csv", "/plans/2026/autumn/exams.csv", "/plans/2026/spring/exams.csv",
            "/plans/2026/spring/exams.gridwright", "/plans/other.csv",
        ];
        let recent = paths.map(|source| {
            let name = gridwright_core::source::path(source).file_stem().unwrap().to_string_lossy().into_owned();
            Recent { source: source.to_owned(), name, ..Recent::default() }
        });
        let distinctions = Distinctions::of(&recent);
        let names = recent.each_ref().map(|recent| distinctions.name(recent).replace('\\', "/"));
        let expected =
            ["exams (2025/autumn)", "exams (2026/autumn)", "exams (exams.csv)", "exams (exams.gridwright)", "other"];
        assert_eq!(names, expected);
        assert_eq!(distinctions.facts(&recent[4], "3 exams"), "3 exams");
        assert!(distinctions.facts(&recent[1], "3 exams").ends_with("autumn · 3 exams"));
    }
}
