//! Reading of whole files: bounded in size, regular files and pipes only, each pipe once.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::fault;
use crate::{Error, Result};

/// Largest number of bytes that is read from one file, unless [`set_size_limit`] was called: 256 MiB.
pub(crate) const SIZE_LIMIT: u64 = 256 << 20;

static LIMIT: AtomicU64 = AtomicU64::new(SIZE_LIMIT);

/// Sets the largest number of bytes that is read from one file; for the start of a program.
pub fn set_size_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// The largest number of bytes that is read from one file.
pub fn size_limit() -> u64 {
    LIMIT.load(Ordering::Relaxed)
}

/// Kinds of file that can be read.
enum Kind {
    Regular,
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has pipes among its files"))]
    Pipe(Identity),
}

/// Device and inode of a pipe.
type Identity = (u64, u64);

/// Contents of pipes that were read. A pipe gives its content once, but recognition and reader both ask for it.
static PIPES: Mutex<BTreeMap<Identity, Vec<u8>>> = Mutex::new(BTreeMap::new());

#[cfg(unix)]
fn kind_of(data: &Metadata) -> std::result::Result<Kind, &'static str> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = data.file_type();
    if kind.is_file() {
        return Ok(Kind::Regular);
    }
    if kind.is_fifo() {
        return Ok(Kind::Pipe((data.dev(), data.ino())));
    }
    Err(match () {
        () if kind.is_dir() => "this is a folder; name a file in it",
        () if kind.is_socket() => "this is a socket; write its data to a file and open that",
        () => "this is a device; write its data to a file and open that",
    })
}

#[cfg(not(unix))]
fn kind_of(data: &Metadata) -> std::result::Result<Kind, &'static str> {
    match () {
        () if data.is_file() => Ok(Kind::Regular),
        () if data.is_dir() => Err("this is a folder; name a file in it"),
        () => Err("this is a device; write its data to a file and open that"),
    }
}

/// Reads a regular file or a pipe as a whole.
///
/// # Errors
/// [`Error::File`] with cause and remedy: the file is missing, may not be read, is a folder or a device, or is larger than
/// [`size_limit`].
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let failed = |error: std::io::Error| Error::file(path, cause(&error));
    fault::check_reading(path).map_err(failed)?;
    let data = std::fs::metadata(path).map_err(failed)?;
    match kind_of(&data).map_err(|what| Error::file(path, what))? {
        Kind::Regular => {
            let limit = size_limit();
            if data.len() > limit {
                return Err(too_large(path, limit));
            }
            bounded(path, File::open(path).map_err(failed)?, data.len())
        }
        Kind::Pipe(identity) => {
            let mut pipes = PIPES.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(content) = pipes.get(&identity) {
                return Ok(content.clone());
            }
            let content = bounded(path, File::open(path).map_err(failed)?, 0)?;
            pipes.insert(identity, content.clone());
            Ok(content)
        }
    }
}

/// Reads at most [`size_limit`] bytes; `length` is the expected number.
fn bounded(path: &Path, file: File, length: u64) -> Result<Vec<u8>> {
    let limit = size_limit();
    let mut content = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    let ended = file.take(limit.saturating_add(1)).read_to_end(&mut content);
    ended.map_err(|error| Error::file(path, cause(&error)))?;
    if content.len() as u64 > limit { Err(too_large(path, limit)) } else { Ok(content) }
}

fn too_large(path: &Path, limit: u64) -> Error {
    let what = format!(
        "the file is larger than {} MiB; choose a smaller one, or raise the limit with the environment variable \
         GRIDWRIGHT_MAX_FILE_MIB",
        limit >> 20
    );
    Error::file(path, what)
}

/// Cause and remedy of a failed reading.
fn cause(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file; check the name and the folder".to_owned(),
        ErrorKind::PermissionDenied => "the file may not be read; change its permissions or copy it".to_owned(),
        _ => format!("the file could not be read ({error})"),
    }
}

/// The first bytes of a file, at most `length`; none if the file cannot be read, which its reader reports.
pub fn beginning(path: &Path, length: usize) -> Vec<u8> {
    let is_regular = std::fs::metadata(path).is_ok_and(|data| data.is_file());
    if !is_regular {
        let mut content = read(path).unwrap_or_default();
        content.truncate(length);
        return content;
    }
    let mut start = Vec::new();
    if let Ok(file) = File::open(path) {
        // An error in the middle of the file is reported by its reader.
        let _ = file.take(length as u64).read_to_end(&mut start);
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beyond_the_limit_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse.csv");
        File::create(&path).unwrap().set_len(SIZE_LIMIT + 1).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("larger than 256 MiB") && error.contains("GRIDWRIGHT_MAX_FILE_MIB"), "{error}");
        assert!(read(Path::new("/no/such/file")).unwrap_err().to_string().contains("no such file"));
        assert!(read(folder.path()).unwrap_err().to_string().contains("a folder"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_refused_and_pipes_are_read_once_for_all() {
        use std::io::Write;
        for device in ["/dev/zero", "/dev/null"] {
            assert!(read(Path::new(device)).unwrap_err().to_string().contains("a device"), "{device}");
            assert_eq!(beginning(Path::new(device), 10), b"");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let writer = std::thread::spawn({
            let path = path.clone();
            move || std::fs::OpenOptions::new().write(true).open(path).unwrap().write_all(b"3 2\n1 2\n").unwrap()
        });
        assert_eq!(beginning(&path, 3), b"3 2");
        writer.join().unwrap();
        // Nobody writes any more: a second reading of the pipe itself would wait for ever.
        assert_eq!(read(&path).unwrap(), b"3 2\n1 2\n");
        assert_eq!(beginning(&path, 100), b"3 2\n1 2\n");
    }
}
