//! Project files as ZIP archives that hold everything: readable with any archive program.
//!
//! ```text
//! project.ron          what belongs to the whole, uncompressed and first, so that the file is recognised by its beginning
//! README.txt           what the files are
//! data/TABLE.csv       one table each
//! data/other.ron       data that no table shows
//! edited/TABLE.csv     tables as they were edited, if they hold values that make no sense
//! logo.png             logo of the institution, if there is one
//! attached/NAME        files that the views show
//! runs/0001.ron        finished runs, oldest first
//! ```

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::data::{DataFiles, ProjectData};
use super::{Attachments, FORMAT, Project};
use crate::encoded::Encoded;
use crate::result::RunResult;
use crate::scene::raster::{MostPixels, Raster};
use crate::{Error, Result, files};

/// First bytes of an archive.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

/// Name of the first file in an archive.
pub(super) const FIRST: &str = "project.ron";

/// Name of the data that no table shows.
const OTHER: &str = "data/other.ron";

/// Name of the logo of printed documents.
const LOGO: &str = "logo.png";

/// Folder of the data as a person has edited them, if they hold values that make no sense.
const EDITED: &str = "edited/";

/// Folder of the files that the views show.
const ATTACHED: &str = "attached/";

/// An archive may unpack to this many times its own size; tables and runs rarely shrink to less than a thirtieth.
const MOST_EXPANSION: u64 = 100;

/// An archive may unpack to the size limit of files in any case, and never to more than this many times that limit.
const MOST_LIMITS: u64 = 4;

const README: &str = "This is a project of Gridwright: a planning problem with everything that was made of it.\n\n\
                      data/         the tables of the instance, as CSV; a text that begins with an apostrophe before = + - @ is\n\
                      \x20             meant without it\n\
                      data/other.ron, project.ron   rules, edits, and how the project was looked at\n\
                      attached/     files that are shown, such as pictures\n\
                      runs/         finished runs, oldest first\n";

/// The archive of a project with data.
///
/// # Errors
/// [`Error::File`] with `path` if a part cannot be written as RON.
pub(super) fn write(project: &Project, data: &ProjectData, path: &Path) -> Result<Vec<u8>> {
    let failed = |error: &dyn std::fmt::Display| Error::file(path, format!("the project cannot be written ({error})"));
    let data = data.files();
    let mut head = Project { plan_project: FORMAT, runs: Vec::new(), data: None, edited: None, ..project.clone() };
    head.instance.name.clone_from(&data.name);
    head.instance.hash.clone_from(&data.hash);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::DEFAULT.compression_method(CompressionMethod::Stored);
    let packed = SimpleFileOptions::DEFAULT.compression_method(CompressionMethod::Deflated).compression_level(Some(3));
    let mut add_bytes = |name: &str, bytes: &[u8], options: SimpleFileOptions| {
        archive.start_file(name, options).map_err(|error| failed(&error))?;
        archive.write_all(bytes).map_err(|error| failed(&error))
    };
    add_bytes(FIRST, super::to_ron(&head, path)?.as_bytes(), stored)?;
    if let Some(logo) = &project.letterhead.logo {
        add_bytes(LOGO, logo.png(), stored)?;
    }
    for (name, bytes) in &project.attachments {
        let options = if name.ends_with(".png") { stored } else { packed };
        add_bytes(&format!("{ATTACHED}{name}"), bytes, options)?;
    }
    let mut add = |name: &str, text: &str, options| add_bytes(name, text.as_bytes(), options);
    add("README.txt", README, packed)?;
    for (id, text) in &data.tables {
        add(&format!("data/{id}.csv"), text, packed)?;
    }
    if let Some(edited) = &project.edited {
        for (id, text) in &edited.files().tables {
            add(&format!("{EDITED}{id}.csv"), text, packed)?;
        }
    }
    add(OTHER, &super::to_ron(&data.rest, path)?, packed)?;
    for (index, run) in project.runs.iter().enumerate() {
        add(&format!("runs/{:04}.ron", index + 1), &super::to_ron(run, path)?, packed)?;
    }
    let bytes = archive.finish().map_err(|error| failed(&error))?.into_inner();
    Ok(bytes)
}

/// Number of entries that an archive states, those that repeat a name included; `None` if it cannot be found, or there are more than
/// 65,534 (PKWARE, APPNOTE 6.3.10, §4.3.16).
fn entries(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let count = u16::from_le_bytes(bytes.get(end + 10..end + 12)?.try_into().ok()?);
    (count < u16::MAX).then_some(usize::from(count))
}

/// Reads the archive of a project.
///
/// # Errors
/// [`Error::File`] with the part that is missing, damaged or larger than allowed.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Project> {
    let damaged = |what: &dyn std::fmt::Display| {
        Error::file(path, format!("this is not a whole project of gridwright ({what}); use a copy of the file"))
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    if entries(bytes).is_some_and(|count| count != archive.len()) {
        return Err(damaged(&"two of its parts have one name"));
    }
    let limit = files::size_limit();
    let most = (bytes.len() as u64).saturating_mul(MOST_EXPANSION).clamp(limit, limit.saturating_mul(MOST_LIMITS));
    let too_large = || {
        let most = most >> 20;
        Error::file(
            path,
            format!(
                "the project unpacks to more than {most} MiB; larger files are read after setting GRIDWRIGHT_MAX_FILE_MIB"
            ),
        )
    };
    // Nothing is unpacked of an archive that states more; of a part that states less than it holds, no more than it states.
    if archive.decompressed_size().is_some_and(|stated| stated > u128::from(most)) {
        return Err(too_large());
    }
    let mut remaining = most;
    let mut names: Vec<String> = archive.file_names().flatten().map(|name| name.to_string()).collect();
    names.sort_unstable();
    let mut content = |name: &str| -> Result<Vec<u8>> {
        let part = archive.by_name(name).map_err(|error| damaged(&format!("{name}: {error}")))?;
        let mut content = Vec::new();
        part.take(remaining + 1).read_to_end(&mut content).map_err(|error| damaged(&format!("{name}: {error}")))?;
        remaining = remaining.checked_sub(content.len() as u64).ok_or_else(too_large)?;
        Ok(content)
    };
    let logo = if names.iter().any(|name| name == LOGO) { Some(content(LOGO)?) } else { None };
    let mut attachments = Attachments::new();
    for name in &names {
        if let Some(short) = name.strip_prefix(ATTACHED).filter(|short| !short.is_empty()) {
            attachments.insert(short.to_owned(), content(name)?.into());
        }
    }
    let mut text = |name: &str| {
        String::from_utf8(content(name)?).map_err(|error| damaged(&format!("{name}: {}", error.utf8_error())))
    };
    let mut project: Project = super::of_ron(&text(FIRST)?, path, FIRST, FORMAT)?;
    // A logo that is damaged costs the logo, not the project.
    project.letterhead.logo = logo.and_then(|png| Raster::of_png(png, MostPixels::LOGO).ok());
    project.attachments = attachments;
    for name in names.iter().filter(|name| name.starts_with("runs/") && name.ends_with(".ron")) {
        project.runs.push(super::of_ron::<RunResult>(&text(name)?, path, name, crate::result::FORMAT)?);
    }
    if names.iter().any(|name| name == OTHER) {
        let rest: Encoded = super::of_ron(&text(OTHER)?, path, OTHER, u32::MAX)?;
        let (name, hash) = (project.instance.name.clone(), project.instance.hash.clone());
        let mut files = |folder: &str, hash: String| -> Result<Option<ProjectData>> {
            let mut tables = BTreeMap::new();
            for part in &names {
                if let Some(id) = part.strip_prefix(folder).and_then(|name| name.strip_suffix(".csv")) {
                    tables.insert(id.to_owned(), text(part)?);
                }
            }
            let files = DataFiles { name: name.clone(), hash, rest: rest.clone(), tables };
            Ok((!files.tables.is_empty()).then(|| ProjectData::Files(Arc::new(files))))
        };
        project.data = files("data/", hash)?;
        project.edited = files(EDITED, String::new())?;
    }
    Ok(project)
}
