//! Folders as the built-in file dialog lists them: read, filtered, sorted and completed; and the places at its side.

use std::cmp::Ordering;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Filter;
use crate::widgets::table::{SortColumn, SortOrder};

/// A file or folder of a listed folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) is_folder: bool,
    /// Size in bytes; 0 for folders.
    pub(super) bytes: u64,
    pub(super) changed: Option<SystemTime>,
}

impl Entry {
    /// Returns `true` if the entry is listed only where hidden files are.
    pub(super) fn is_hidden(&self) -> bool {
        self.name.starts_with('.')
    }
}

/// Column by which a list is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
pub(super) enum SortBy {
    Name,
    Size,
    Changed,
}

impl SortColumn for SortBy {}

impl SortBy {
    pub(super) fn heading(self) -> &'static str {
        self.into()
    }
}

/// A folder at the side of the dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// Reads a folder; for a thread. The error is a sentence.
pub(super) fn read(folder: &Path) -> Result<Vec<Entry>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("{} does not exist.", folder.display()),
        ErrorKind::PermissionDenied => {
            format!(
                "You may not read {}. Ask its owner for the permission, or choose another folder.",
                folder.display()
            )
        }
        ErrorKind::NotADirectory => format!("{} is no folder.", folder.display()),
        // Windows and Wine have several error codes for a file in the place of a folder.
        _ if folder.is_file() => format!("{} is no folder.", folder.display()),
        _ => format!("{} cannot be read: {error}.", folder.display()),
    })?;
    // An entry that vanishes meanwhile is no entry.
    let entries = entries.flatten().map(|entry| {
        let path = entry.path();
        // Links count as what they lead to; one that leads nowhere is an empty file.
        let data = std::fs::metadata(&path).ok();
        let is_folder = data.as_ref().is_some_and(std::fs::Metadata::is_dir);
        Entry {
            name: entry.file_name().to_string_lossy().into_owned(),
            is_folder,
            bytes: data.as_ref().filter(|_| !is_folder).map_or(0, std::fs::Metadata::len),
            changed: data.and_then(|data| data.modified().ok()),
            path,
        }
    });
    Ok(entries.collect())
}

/// Returns `true` if a file of this name passes a filter.
pub(super) fn passes(filter: Option<&Filter>, name: &str) -> bool {
    let Some(filter) = filter.filter(|filter| !filter.endings.is_empty()) else { return true };
    let name = name.to_lowercase();
    filter.endings.iter().any(|ending| name.strip_suffix(ending.as_str()).is_some_and(|rest| rest.ends_with('.')))
}

/// Indices of the entries that are listed, in the order of the list: folders first.
pub(super) fn listed(entries: &[Entry], filter: Option<&Filter>, hidden: bool, order: SortOrder<SortBy>) -> Vec<usize> {
    let shown = |entry: &Entry| (hidden || !entry.is_hidden()) && (entry.is_folder || passes(filter, &entry.name));
    let names: Vec<String> = entries.iter().map(|entry| entry.name.to_lowercase()).collect();
    let mut all: Vec<usize> = (0..entries.len()).filter(|&index| shown(&entries[index])).collect();
    all.sort_by(|&first, &second| {
        let (one, two) = (&entries[first], &entries[second]);
        let by_name = || natural(&names[first], &names[second]).then_with(|| one.name.cmp(&two.name));
        let by_column = match order.by {
            SortBy::Name => by_name(),
            SortBy::Size => one.bytes.cmp(&two.bytes).then_with(by_name),
            SortBy::Changed => one.changed.cmp(&two.changed).then_with(by_name),
        };
        let by_column = if order.is_descending { by_column.reverse() } else { by_column };
        two.is_folder.cmp(&one.is_folder).then(by_column)
    });
    all
}

/// Compares names with numbers in them by the numbers' values: `exam9` comes before `exam10`.
fn natural(first: &str, second: &str) -> Ordering {
    let (mut one, mut two) = (first, second);
    loop {
        let (a, b) = (leading_number(one), leading_number(two));
        let ordering = match (a, b) {
            (Some((number, rest)), Some((other, other_rest))) => {
                (one, two) = (rest, other_rest);
                number.len().cmp(&other.len()).then_with(|| number.cmp(other))
            }
            _ => {
                let (mut letters, mut others) = (one.chars(), two.chars());
                let ordering = letters.next().cmp(&others.next());
                if one.is_empty() || two.is_empty() {
                    return ordering;
                }
                (one, two) = (letters.as_str(), others.as_str());
                ordering
            }
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
}

/// The digits at the beginning of a text without leading zeros, and the text after them.
fn leading_number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| (text[..end].trim_start_matches('0'), &text[end..]))
}

/// The folder and the beginning of a name in a typed path; `~` is the person's folder, other relative paths begin in `folder`.
pub(super) fn split_typed(typed: &str, folder: &Path) -> (PathBuf, String) {
    let path = resolved(typed, folder);
    if typed.is_empty() || typed.ends_with(std::path::is_separator) {
        return (path, String::new());
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    (path.parent().map_or_else(|| path.clone(), Path::to_path_buf), name)
}

/// The path that a person typed.
pub(super) fn resolved(typed: &str, folder: &Path) -> PathBuf {
    let typed = typed.trim();
    let home = || directories::BaseDirs::new().map(|folders| folders.home_dir().to_path_buf());
    let below_home =
        typed.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator));
    match below_home.zip(home()) {
        Some((rest, home)) => home.join(rest.trim_start_matches(std::path::is_separator)),
        None => folder.join(typed),
    }
}

/// Indices of the entries whose names begin like this, folders first, at most `most`.
pub(super) fn completions(entries: &[Entry], listed: &[usize], begins: &str, most: usize) -> Vec<usize> {
    let begins = begins.to_lowercase();
    let fits = |&index: &usize| entries[index].name.to_lowercase().starts_with(&begins);
    listed.iter().copied().filter(fits).take(most).collect()
}

/// The longest beginning that several names share, in the letters of the first one.
pub(super) fn shared_beginning(names: &[&str]) -> String {
    let Some((first, others)) = names.split_first() else { return String::new() };
    let shared = first.chars().enumerate().take_while(|&(at, letter)| {
        let same = |other: &&str| other.chars().nth(at).is_some_and(|own| own.to_lowercase().eq(letter.to_lowercase()));
        others.iter().all(same)
    });
    shared.map(|(_, letter)| letter).collect()
}

/// The folders at the side of the dialog that exist; for a thread.
pub(super) fn places() -> Vec<Place> {
    let user = directories::UserDirs::new();
    let of =
        |name: &str, path: Option<&Path>| path.map(|path| Place { name: name.to_owned(), path: path.to_path_buf() });
    let mut all = Vec::new();
    if let Some(user) = &user {
        all.extend(of("Home", Some(user.home_dir())));
        all.extend(of("Desktop", user.desktop_dir()));
        all.extend(of("Documents", user.document_dir()));
        all.extend(of("Downloads", user.download_dir()));
    }
    let current = std::env::current_dir().ok();
    let root = current.as_deref().and_then(|path| path.ancestors().last());
    all.extend(of("Computer", Some(root.unwrap_or(Path::new("/")))));
    all.extend(of("Current folder", current.as_deref()));
    let person = user.and_then(|user| user.home_dir().file_name().map(std::ffi::OsStr::to_owned)).unwrap_or_default();
    for folder in [Path::new("/media").join(&person), Path::new("/run/media").join(&person), "/mnt".into()] {
        let media = read(&folder).unwrap_or_default().into_iter().filter(|entry| entry.is_folder);
        all.extend(media.map(|entry| Place { name: entry.name, path: entry.path }));
    }
    let mut seen: Vec<PathBuf> = Vec::new();
    all.retain(|place| {
        let is_new = place.path.is_dir() && !seen.contains(&place.path);
        seen.push(place.path.clone());
        is_new
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, is_folder: bool, bytes: u64) -> Entry {
        Entry { name: name.to_owned(), path: PathBuf::from(name), is_folder, bytes, changed: None }
    }

    fn names(entries: &[Entry], listed: &[usize]) -> Vec<String> {
        listed.iter().map(|&index| entries[index].name.clone()).collect()
    }

    #[test]
    fn folders_come_first_and_numbers_count_by_their_value() {
        let entries = [
            entry("exam10.csv", false, 3),
            entry("Zoo", true, 0),
            entry("exam9.csv", false, 7),
            entry("exam010", true, 0),
        ];
        let order = |by, is_descending| SortOrder { by, is_descending };
        let listed = |order| names(&entries, &super::listed(&entries, None, false, order));
        assert_eq!(listed(order(SortBy::Name, false)), ["exam010", "Zoo", "exam9.csv", "exam10.csv"]);
        assert_eq!(listed(order(SortBy::Size, false)), ["exam010", "Zoo", "exam10.csv", "exam9.csv"]);
        assert_eq!(listed(order(SortBy::Name, true)), ["Zoo", "exam010", "exam10.csv", "exam9.csv"]);
    }

    #[test]
    fn filters_look_at_endings_and_never_at_folders() {
        let filter = Filter { name: "Tables".to_owned(), endings: vec!["csv".to_owned(), "xlsx".to_owned()] };
        let entries = [
            entry("A.CSV", false, 1),
            entry("b.txt", false, 1),
            entry("csv", false, 1),
            entry("c.csv", true, 0),
            entry(".d.csv", false, 1),
        ];
        let order = SortOrder::ascending(SortBy::Name);
        assert_eq!(names(&entries, &listed(&entries, Some(&filter), false, order)), ["c.csv", "A.CSV"]);
        assert_eq!(names(&entries, &listed(&entries, Some(&filter), true, order)), ["c.csv", ".d.csv", "A.CSV"]);
        assert_eq!(listed(&entries, None, true, order).len(), 5);
    }

    #[test]
    fn typed_paths_are_split_where_the_name_begins() {
        let folder = Path::new("/data");
        assert_eq!(split_typed("/tmp/ab", folder), (PathBuf::from("/tmp"), "ab".to_owned()));
        assert_eq!(split_typed("/tmp/", folder), (PathBuf::from("/tmp/"), String::new()));
        assert_eq!(split_typed("ab", folder), (PathBuf::from("/data"), "ab".to_owned()));
        assert_eq!(split_typed("", folder).0, folder);
        assert_eq!(resolved("~ab", folder), PathBuf::from("/data/~ab"));
    }

    #[test]
    fn names_are_completed_as_far_as_they_agree() {
        assert_eq!(shared_beginning(&["Exams.csv", "exam.txt"]), "Exam");
        assert_eq!(shared_beginning(&["alone"]), "alone");
        assert_eq!(shared_beginning(&["a", "b"]), "");
    }

    #[test]
    fn a_folder_that_cannot_be_listed_says_why() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(&folder.path().join("none")).unwrap_err().ends_with("does not exist."));
        let file = folder.path().join("file.csv");
        std::fs::write(&file, "12345").unwrap();
        assert!(read(&file).unwrap_err().contains("is no folder"), "{:?}", read(&file));
        let read = read(folder.path()).unwrap();
        assert_eq!((read.len(), read[0].name.as_str(), read[0].bytes, read[0].is_folder), (1, "file.csv", 5, false));
    }
}
