//! Output files that a person names: an input is never replaced, and a file that the program did not write only on demand.
//!
//! A file is the program's own as long as its content is listed in `<home>/written` by its hash, so that every change of a
//! person is noticed. A mark in a content tells only that the program made it once, see [`crate::marks`].

use std::path::{Path, PathBuf};

use super::Store;
use crate::marks::{described, is_marked};
use crate::{Error, Result, files};

/// Number of hashes that the list keeps at least.
const LISTED: usize = 1 << 15;

/// Length of a line of the list: 64 hexadecimal digits and the end of the line.
const LINE: usize = 65;

/// The outputs of one command.
#[derive(Debug, Clone)]
pub struct Outputs {
    /// Store with the list of written files.
    pub store: Store,
    /// Files that are read, or that would be read with the same instance the next time.
    pub inputs: Vec<PathBuf>,
    /// True if files that the program did not write may be replaced.
    pub overwrites: bool,
    /// Remedy in the message about a file that the program did not write.
    pub remedy: &'static str,
}

impl Outputs {
    /// Outputs of a command that the person typed.
    pub fn of_user(inputs: Vec<PathBuf>, overwrites: bool) -> Self {
        let remedy = "choose another name, or add --overwrite to replace it";
        Self { store: Store::of_user(), inputs, overwrites, remedy }
    }

    /// Checks that a file may be written to `path`.
    ///
    /// # Errors
    /// [`Error::File`] if the path is one of the inputs, cannot be written to, or holds a file that the program did not write and
    /// may not replace; the text says what lies there and how old it is.
    pub fn check(&self, path: &Path) -> Result<()> {
        files::check_writable(path)?;
        if self.inputs.iter().any(|input| files::is_same(input, path)) {
            return Err(Error::file(path, "it is read as input and would be overwritten; choose another name"));
        }
        if self.inputs.iter().any(|input| place(input) == place(path)) {
            let what = "a file of this name is read together with the instance; choose another name";
            return Err(Error::file(path, what));
        }
        match self.foreign(path) {
            Some(found) if !self.overwrites => Err(Error::file(path, format!("{found}; {}", self.remedy))),
            _ => Ok(()),
        }
    }

    /// Description of the file at `path`, its age and who wrote it, unless its content is one that the program wrote; `None` also
    /// for an empty file.
    fn foreign(&self, path: &Path) -> Option<String> {
        let found = described(path)?;
        // A file that is too large or unreadable is somebody's all the same.
        let content = files::read(path).ok();
        if content.as_ref().is_some_and(|content| content.is_empty() || self.store.has_written(content)) {
            return None;
        }
        let whose = match content.is_some_and(|content| is_marked(&content)) {
            true => "it was changed after the program wrote it, or written on another computer",
            false => "the program did not write it",
        };
        Some(format!("{found}, lies here, and {whose}"))
    }

    /// Writes a file, as [`files::write`] does, and remembers its content as the program's own.
    ///
    /// # Errors
    /// As [`files::write`].
    pub fn write(&self, path: &Path, content: &[u8]) -> Result<()> {
        files::write(path, content)?;
        self.store.note_written(content);
        Ok(())
    }
}

impl Store {
    /// Returns `true` if a file with this content was written by the program.
    pub fn has_written(&self, content: &[u8]) -> bool {
        let list = files::read_text(&self.written()).unwrap_or_default();
        let hash = files::hash(&[content]);
        list.lines().any(|line| line == hash)
    }

    /// Adds a content to the list of written ones. A list that cannot be written costs a question later, not the output.
    pub fn note_written(&self, content: &[u8]) {
        let path = self.written();
        let line = format!("{}\n", files::hash(&[content]));
        let list = files::read_text(&path).unwrap_or_default();
        let _ = match list.len() / LINE {
            count if count < 2 * LISTED => files::append(&path, line.as_bytes()),
            count => {
                let recent: String = list.split_inclusive('\n').skip(count - LISTED).collect();
                files::write(&path, (recent + &line).as_bytes())
            }
        };
    }

    fn written(&self) -> PathBuf {
        self.home().join("written")
    }
}

/// The place that a path names, with the links of its folder followed; the file itself need not exist.
fn place(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let folder = path.parent()?.canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MARK;
    use crate::workbook;

    fn outputs(folder: &Path) -> Outputs {
        Outputs { store: Store::at(folder.join("home")), ..Outputs::of_user(vec![folder.join("in.csv")], false) }
    }

    #[test]
    fn only_files_of_the_program_are_replaced_without_being_asked() {
        let folder = tempfile::tempdir().unwrap();
        let own = outputs(folder.path());
        let at = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        };
        let book = |title: &str| workbook::write(title, None, |book| book.sheet("a").map(drop)).unwrap();
        at("in.csv", b"a");
        for (name, content) in [
            ("a.csv", &b"student,exam\ns1,A\n"[..]),
            ("a.sol", b"0 1\n"),
            ("a.svg", b"<svg>\n</svg>\n"),
            ("a.pdf", b"%PDF-1.7 (Word)"),
            ("a.xlsx", b"PK\x03\x04"),
        ] {
            let path = at(name, content);
            let refused = own.check(&path).unwrap_err().to_string();
            assert!(refused.contains("less than a minute ago") && refused.contains("--overwrite"), "{refused}");
            assert!(Outputs { overwrites: true, ..own.clone() }.check(&path).is_ok());
            own.write(&path, content).unwrap();
            assert!(own.check(&path).is_ok(), "{name}: what the program wrote it may replace");
            std::fs::write(&path, [content, b"!"].concat()).unwrap();
            assert!(own.check(&path).is_err(), "{name} was changed by a person");
        }
        let marked = format!("<svg>\n<!-- {MARK} -->\n");
        for (name, content) in [
            ("b.xlsx", &book("a")[..]),
            ("b.svg", marked.as_bytes()),
            ("b.html", format!("<!DOCTYPE html>\n<!-- {MARK} -->\n").as_bytes()),
            ("b.tex", format!("% {MARK}. Needs\n").as_bytes()),
            ("b.ics", b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Gridwright//EN\r\n"),
            ("b.ron", b"(\n    format: 1,\n    program: \"gridwright 0.2.0\","),
            ("b.pdf", b"%PDF-1.7 /Creator(Gridwright)"),
        ] {
            let path = folder.path().join(name);
            own.write(&path, content).unwrap();
            assert!(own.check(&path).is_ok(), "{name} is as the program wrote it");
            // The mark stays in what a person changes.
            std::fs::write(&path, [content, b"!"].concat()).unwrap();
            let refused = own.check(&path).unwrap_err().to_string();
            let expected = ["less than a minute ago", "was changed after the program wrote it", "--overwrite"];
            assert!(expected.iter().all(|words| refused.contains(words)), "{refused}");
            assert!(Outputs { overwrites: true, ..own.clone() }.check(&path).is_ok());
            own.write(&path, content).unwrap();
            assert!(own.check(&path).is_ok(), "{name} is the program's own again");
        }
        assert!(own.check(&at("b.csv", b"")).is_ok());
        assert!(own.check(&folder.path().join("new.csv")).is_ok());
    }

    #[test]
    fn an_input_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let own = Outputs { overwrites: true, ..outputs(folder.path()) };
        std::fs::create_dir(folder.path().join("home")).unwrap();
        let beside = own.check(&folder.path().join("./in.csv")).unwrap_err().to_string();
        assert!(beside.contains("read together with the instance"), "{beside}");
        std::fs::write(folder.path().join("in.csv"), "a").unwrap();
        assert!(own.check(&folder.path().join("home/../in.csv")).is_err());
        let refused = own.check(&folder.path().join("in.csv")).unwrap_err().to_string();
        assert!(refused.contains("is read as input"), "{refused}");
    }

    #[test]
    fn the_list_of_written_files_does_not_grow_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        let old: String = (0..2 * LISTED).map(|at| format!("{}\n", files::hash(&[&at.to_le_bytes()]))).collect();
        std::fs::write(store.written(), old).unwrap();
        store.note_written(b"new");
        let list = std::fs::read_to_string(store.written()).unwrap();
        assert_eq!(list.len(), (LISTED + 1) * LINE);
        assert!(store.has_written(b"new") && store.has_written(&(2 * LISTED - 1).to_le_bytes()));
    }
}
