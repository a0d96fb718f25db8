//! Whole-file input and output: atomic writing, hashing, removal of abandoned temporary files.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// Reads a file.
///
/// # Errors
/// [`Error::File`] with the cause and a remedy.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| {
        let what = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file; check the name and the folder".to_owned(),
            std::io::ErrorKind::PermissionDenied => {
                "the file may not be read; change its permissions or copy it".to_owned()
            }
            _ if path.is_dir() => "this is a folder; name a file in it".to_owned(),
            _ => format!("the file could not be read ({error})"),
        };
        Error::file(path, what)
    })
}

/// Reads a UTF-8 text file, with or without a byte order mark.
///
/// # Errors
/// As [`read`] and [`text`].
pub fn read_text(path: &Path) -> Result<String> {
    text(path, read(path)?)
}

/// Decodes bytes as UTF-8 without the byte order mark.
///
/// # Errors
/// [`Error::File`] for an empty or binary file, [`Error::Line`] at the first invalid byte.
pub fn text(path: &Path, bytes: Vec<u8>) -> Result<String> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Error::file(path, "the file is empty; export it again from where it comes from"));
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        let what = "this is a workbook or an archive, no text; open it in your spreadsheet program, save the sheet as CSV \
                    and choose that file";
        return Err(Error::file(path, what));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        return Err(Error::line(path, line, "this is not a text file (it holds a zero byte); choose another file"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
        Error::line(path, line, "this is not UTF-8 text; save the file as UTF-8 and open it again")
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Longest of `endings` that the file's name has, case-insensitively. A compound ending such as `students.csv` also
/// matches the bare name (`students.csv`) or after «-», «_» or a space (`plan-students.csv`); `None` if it has none of
/// them.
pub fn known_ending<'a>(path: &Path, endings: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let has = |ending: &&str| {
        let compound = ending.contains('.');
        name.strip_suffix(*ending).is_some_and(|before| match before.chars().last() {
            Some('.') => before.len() > 1,
            Some('-' | '_' | ' ') | None => compound,
            Some(_) => false,
        })
    };
    endings.filter(has).max_by_key(|ending| ending.len())
}

/// Prefix and suffix of temporary files; between them stand [`RANDOM`] alphanumeric characters.
const TEMPORARY: (&str, &str) = (".gridwright-", ".tmp");
const RANDOM: usize = 6;

/// Age from which a temporary file counts as abandoned; every write renews a file's time.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// Returns `true` if the name is that of a temporary file of this program.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(TEMPORARY.0).and_then(|rest| rest.strip_suffix(TEMPORARY.1));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Removes temporary files that a crashed instance of this program left in a folder; returns their number.
///
/// Only files of the program's own name pattern are removed, and only if nobody has written to them for [`FORGOTTEN`].
pub fn sweep(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let forgotten = |entry: &std::fs::DirEntry| {
        let old = |data: std::fs::Metadata| {
            let age = data.modified().ok().and_then(|time| time.elapsed().ok());
            data.is_file() && age.is_some_and(|age| age >= FORGOTTEN)
        };
        is_temporary(&entry.file_name().to_string_lossy()) && entry.metadata().is_ok_and(old)
    };
    entries.filter(forgotten).filter(|entry| std::fs::remove_file(entry.path()).is_ok()).count()
}

/// Sweeps a folder on the first write of this process to it.
fn sweep_once(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let Ok(folder) = std::path::absolute(folder) else { return };
    let first = SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.clone());
    if first {
        sweep(&folder);
    }
}

/// Writes `content` atomically: to a temporary file in the same folder, synced, then renamed to `path`.
///
/// # Errors
/// [`Error::File`] if the folder cannot be created or written.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let failed = |error: std::io::Error| {
        Error::file(path, format!("the file could not be written ({error}); choose a folder that may be written to"))
    };
    std::fs::create_dir_all(&folder).map_err(failed)?;
    sweep_once(&folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1).rand_bytes(RANDOM);
    let mut file = builder.tempfile_in(&folder).map_err(failed)?;
    file.write_all(content).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are private; saved files get the usual permissions.
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o644)).map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// SHA-256 over several pieces of content and their lengths, as 64 hexadecimal digits.
pub fn hash(pieces: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for piece in pieces {
        hasher.update((piece.len() as u64).to_le_bytes());
        hasher.update(piece);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workbook_is_told_from_other_files_that_are_no_text() {
        let said = |bytes: &[u8]| text(Path::new("a.xlsx"), bytes.to_vec()).unwrap_err().to_string();
        for start in [&b"PK\x03\x04\x14\x00"[..], &b"\xd0\xcf\x11\xe0\xa1\xb1"[..]] {
            assert!(said(start).contains("save the sheet as CSV"), "{}", said(start));
        }
        assert!(said(b"a\nb\x00").contains("a.xlsx:2: this is not a text file"));
    }

    #[test]
    fn writing_replaces_whole_files_and_leaves_no_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("plan.sol");
        write(&path, b"first").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn what_a_killed_program_left_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - 2 * FORGOTTEN;
        let make = |name: &str, time: Option<std::time::SystemTime>| {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            time.into_iter().for_each(|time| file.set_modified(time).unwrap());
        };
        make(".gridwright-aB3xyZ.tmp", Some(old));
        make(".gridwright-Young1.tmp", None);
        let others = [".gridwright-notes.tmp", ".gridwright-aB3x.Z.tmp", "gridwright-aB3xyZ.tmp", ".gridwright-aB3xyZ"];
        others.iter().for_each(|name| make(name, Some(old)));
        std::fs::create_dir(folder.path().join(".gridwright-folder.tmp")).unwrap();
        assert!(is_temporary(".gridwright-folder.tmp"));
        // Saving there is enough.
        write(&folder.path().join("plan.sol"), b"plan").unwrap();
        assert!(!folder.path().join(".gridwright-aB3xyZ.tmp").exists(), "it was forgotten");
        for name in others.into_iter().chain([".gridwright-Young1.tmp", ".gridwright-folder.tmp", "plan.sol"]) {
            assert!(folder.path().join(name).exists(), "{name}");
        }
        make(".gridwright-0ther1.tmp", Some(old));
        assert_eq!(sweep(folder.path()), 1);
        assert_eq!(sweep(&folder.path().join("nowhere")), 0);
    }

    #[test]
    fn the_longest_ending_counts() {
        let endings = ["csv", "students.csv", "pdf"];
        let of = |name: &str| known_ending(Path::new(name), endings.iter().copied());
        for name in ["a/students.csv", "plan.students.csv", "plan-Students.CSV", "spring 2026_students.csv"] {
            assert_eq!(of(name), Some("students.csv"), "{name}");
        }
        for name in ["plan.csv", "a.b.csv", "allstudents.csv", "a/students.csv/plan.csv"] {
            assert_eq!(of(name), Some("csv"), "{name}");
        }
        for name in ["csv", ".csv", "plan", "plan.csv.bak", "plan-csv", ""] {
            assert_eq!(of(name), None, "{name}");
        }
    }

    #[test]
    fn text_names_the_line_of_what_is_not_text() {
        let path = Path::new("a.stu");
        assert_eq!(text(path, b"\xef\xbb\xbf1 2\n".to_vec()).unwrap(), "1 2\n");
        assert!(text(path, b"1\n2\n\0".to_vec()).unwrap_err().to_string().starts_with("a.stu:3: "));
        assert!(text(path, b"1\n\xff".to_vec()).unwrap_err().to_string().starts_with("a.stu:2: "));
        assert!(text(path, b" \r\n".to_vec()).unwrap_err().to_string().contains("empty"));
        assert!(read(Path::new("/no/such/file")).unwrap_err().to_string().contains("no such file"));
    }
}
