//! ZIP archives of several files.

use std::collections::HashSet;
use std::io::{Cursor, Write};

use chrono::{DateTime, Datelike, Timelike, Utc};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{Error, Result};

/// An archive in memory.
pub struct Archive {
    writer: ZipWriter<Cursor<Vec<u8>>>,
    options: SimpleFileOptions,
    /// Names of files that [`Self::add_named`] has given, in lower case.
    names: HashSet<String>,
}

impl Archive {
    /// An empty archive whose files have this time stamp.
    pub fn new(now: DateTime<Utc>) -> Self {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(zip_time(now))
            .unix_permissions(0o644);
        Self { writer: ZipWriter::new(Cursor::new(Vec::new())), options, names: HashSet::new() }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// [`Error::Usage`] if the archive becomes too large for its format.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.writer.start_file(name, self.options).map_err(|error| failed(&error))?;
        self.writer.write_all(bytes).map_err(|error| failed(&error))
    }

    /// Adds a file to a folder, named after the code of a person or a thing.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub fn add_named(&mut self, folder: &str, code: &str, ending: &str, bytes: &[u8]) -> Result<()> {
        let plain = file_name(code);
        // Different codes may give the same name, and some file systems ignore case.
        let numbered = (2_u32..).map(|number| format!("{plain}-{number}"));
        let mut names = std::iter::once(plain.clone()).chain(numbered);
        let name = names.find(|name| self.names.insert(name.to_lowercase())).unwrap_or(plain);
        self.add(&format!("{folder}/{name}.{ending}"), bytes)
    }

    /// The bytes of the archive.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub fn finish(self) -> Result<Vec<u8>> {
        Ok(self.writer.finish().map_err(|error| failed(&error))?.into_inner())
    }
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::Usage(format!("the archive could not be written ({error})"))
}

/// Name of a file or folder in an archive: what file systems do not allow becomes «_».
pub fn file_name(text: &str) -> String {
    let name: String = text
        .chars()
        .map(|letter| if letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.') { letter } else { '_' })
        .take(80)
        .collect();
    match name.trim_matches('.') {
        "" => "unnamed".to_owned(),
        name => name.to_owned(),
    }
}

/// Time stamp of the files in an archive, which has no years before 1980.
fn zip_time(now: DateTime<Utc>) -> zip::DateTime {
    let part = |value: u32| u8::try_from(value).unwrap_or_default();
    let (date, time) = (now.date_naive(), now.time());
    let year = u16::try_from(date.year()).unwrap_or_default();
    let (month, day) = (part(date.month()), part(date.day()));
    zip::DateTime::from_date_and_time(year, month, day, part(time.hour()), part(time.minute()), part(time.second()))
        .unwrap_or_default()
}
