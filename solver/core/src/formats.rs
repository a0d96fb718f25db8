//! Tables of the file formats of a problem.
//!
//! A problem lists the formats of its instances and those of its solutions in the order in which they are tried. A further format
//! is a line of the table and its reader.

use std::path::Path;

use crate::Result;
use crate::problem::Detection;
use crate::text::{Source, decoding, ending};

/// File whose format is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Path and decoded text; no text if the file is none.
    pub source: Source<'a>,
    /// `true` if the text is the whole file, `false` if it is the beginning of a longer one.
    pub is_whole: bool,
}

/// File format with a reader `R` and a writer `W`.
pub struct FileFormat<R, W = ()> {
    /// Endings of files that are read in this format, whatever they hold.
    pub endings: &'static [&'static str],
    /// Returns how certain a file has this format; [`Detection::Possible`] for what is read in it if no other format fits.
    pub detect: fn(&Candidate<'_>) -> Detection,
    /// Reads a file.
    pub read: R,
    /// Endings of files that are written in this format, and the writer.
    pub write: Option<(&'static [&'static str], W)>,
}

impl<R, W> FileFormat<R, W> {
    /// Format that is read only.
    pub const fn reading(endings: &'static [&'static str], detect: fn(&Candidate<'_>) -> Detection, read: R) -> Self {
        Self { endings, detect, read, write: None }
    }
}

/// Writer of instances `I`; returns `None` for one that the format cannot hold.
pub type Write<I> = fn(&I) -> Result<Option<String>>;

impl Candidate<'_> {
    /// Returns `true` if the path has one of these endings.
    pub fn has_ending(&self, endings: &[&str]) -> bool {
        endings.contains(&ending(self.source.path).as_str())
    }
}

impl Detection {
    /// [`Detection::Certain`] for a file that begins as those of its format do.
    pub fn certain(begins: bool) -> Self {
        if begins { Self::Certain } else { Self::No }
    }

    /// This detection, or [`Detection::Possible`] instead of none.
    pub fn or_possible(self, resembles: impl FnOnce() -> bool) -> Self {
        if self == Self::No && resembles() { Self::Possible } else { self }
    }

    /// This detection, or [`Detection::Likely`] instead of none.
    pub fn or_likely(self, resembles: impl FnOnce() -> bool) -> Self {
        if self == Self::No && resembles() { Self::Likely } else { self }
    }
}

/// Returns the format in which a text is read: the first one that claims its ending or certainly its content, otherwise the first
/// possible one.
pub fn of_text<'f, R, W>(formats: &'f [FileFormat<R, W>], source: Source<'_>) -> Option<&'f FileFormat<R, W>> {
    let file = Candidate { source, is_whole: true };
    let claims =
        |format: &&FileFormat<R, W>| file.has_ending(format.endings) || (format.detect)(&file) >= Detection::Certain;
    formats.iter().find(claims).or_else(|| formats.iter().find(|format| (format.detect)(&file) > Detection::No))
}

/// Returns how certain a file has a format of the table. `start` holds the first `look` bytes of the file, or the whole file if it
/// is shorter.
pub fn detect<R, W>(formats: &[FileFormat<R, W>], path: &Path, start: &[u8], look: usize) -> Detection {
    let text = decoding::decode(path, start.to_vec(), None).map(|(text, _)| text).unwrap_or_default();
    let file = Candidate { source: Source { path, text: &text }, is_whole: start.len() < look };
    formats.iter().map(|format| (format.detect)(&file)).max().unwrap_or(Detection::No)
}

/// Encodes an instance in the first format with this ending that can hold it; `None` if there is none.
///
/// # Errors
/// As the writer.
pub fn encode<I, R>(formats: &[FileFormat<R, Write<I>>], instance: &I, ending: &str) -> Result<Option<String>> {
    let writers = formats.iter().filter_map(|format| format.write.as_ref());
    let mut texts = writers.filter(|(endings, _)| endings.contains(&ending)).map(|(_, write)| write(instance));
    texts.find_map(Result::transpose).transpose()
}

/// Endings under which the formats of a table are written.
pub fn written<R, W>(formats: &[FileFormat<R, W>]) -> Vec<&'static str> {
    formats
        .iter()
        .filter_map(|format| format.write.as_ref())
        .flat_map(|(endings, _)| *endings)
        .copied()
        .filter(|ending| !ending.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static FORMATS: &[FileFormat<&str, Write<u32>>] = &[
        FileFormat {
            endings: &["csv"],
            detect: |file| Detection::No.or_possible(|| file.source.text.contains(',')),
            read: "table",
            write: Some((&["csv", ""], |number| Ok((*number < 10).then(|| "small".to_owned())))),
        },
        FileFormat {
            endings: &[],
            detect: |file| Detection::certain(file.source.text.starts_with("numbers") && file.is_whole),
            read: "numbers",
            write: Some((&["txt", "csv"], |number| Ok(Some(number.to_string())))),
        },
    ];

    #[test]
    fn a_text_is_read_in_the_format_of_its_ending_or_of_its_content() {
        let read =
            |name: &str, text: &str| of_text(FORMATS, Source { path: Path::new(name), text }).map(|format| format.read);
        assert_eq!(read("a.csv", "numbers"), Some("table"), "the ending is claimed");
        assert_eq!(read("a.txt", "numbers, 1"), Some("numbers"), "the certain format comes first");
        assert_eq!((read("a.txt", "1, 2"), read("a.txt", "hello")), (Some("table"), None));
        let found = |start: &[u8]| detect(FORMATS, Path::new("a.txt"), start, 10);
        assert_eq!((found(b"numbers"), found(b"numbers 1,")), (Detection::Certain, Detection::Possible));
    }

    #[test]
    fn an_instance_is_written_in_the_first_format_that_can_hold_it() {
        assert_eq!(written(FORMATS), ["csv", "txt", "csv"]);
        let text = |number: u32, ending: &str| encode(FORMATS, &number, ending).unwrap();
        assert_eq!((text(3, "csv").as_deref(), text(30, "csv").as_deref()), (Some("small"), Some("30")));
        assert_eq!((text(30, ""), text(3, "pdf")), (None, None));
    }
}
