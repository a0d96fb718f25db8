//! The file layer: every file that the program reads or writes passes through here.
//!
//! * Reading is bounded in size and refuses devices ([`read`], [`beginning`]).
//! * Writing replaces a whole file or leaves it as it was ([`write`]), keeps permissions and links, and can refuse to overwrite
//!   what another program wrote meanwhile ([`write_if_unchanged`]).
//! * Tests let any operation fail ([`fault`]).

pub mod fault;
mod reading;
mod shared;
mod writing;

use std::path::Path;

use sha2::{Digest, Sha256};

pub use reading::{beginning, read, set_size_limit, size_limit};
pub(crate) use shared::write_if_unchanged;
pub use shared::{Stamp, Written, try_lock};
pub use writing::{
    append, check_writable, create_folder, create_new_folder, is_same, other_names, remove, rename, sweep, write,
};
pub(crate) use writing::{create_private_folder, remove_folder, remove_if_empty};

use crate::{Error, Result};

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
