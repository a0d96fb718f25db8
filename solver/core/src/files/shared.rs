//! Files that several programs may write: a change by another program is noticed before it is overwritten.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use super::{create_folder, fault, hash, write};
use crate::{Error, Result};

/// Identity of a file's content: every replacement and every change in place gives another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl Stamp {
    /// The stamp of a file now; `None` if there is no such file.
    pub fn of(path: &Path) -> Option<Self> {
        let data = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&data);
        #[cfg(not(unix))]
        let inode = 0;
        Some(Self { length: data.len(), modified: data.modified().ok(), inode })
    }
}

/// Longest time that a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(5);

/// Outcome of [`write_if_unchanged`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// The file holds the new content.
    Replaced,
    /// Another program changed the file; it was left as it is.
    ChangedElsewhere,
}

/// Writes a file unless it exists with another stamp than `known`, which becomes the stamp of the new content; `locks` is a
/// folder for lock files that all writers share.
///
/// The check and the write are one step for all programs that use this function with the same folder of locks. Where no lock
/// file can be made, for example on a full disk, the check is made without one.
///
/// # Errors
/// As [`write`].
pub(crate) fn write_if_unchanged(
    path: &Path, content: &[u8], known: &mut Option<Stamp>, locks: &Path,
) -> Result<Written> {
    let _lock = lock(path, locks)?;
    let now = Stamp::of(path);
    if now.is_some() && now != *known {
        return Ok(Written::ChangedElsewhere);
    }
    let written = write(path, content);
    // After an error, too: the new content may be in place although it may not survive a loss of power.
    *known = Stamp::of(path);
    written.map(|()| Written::Replaced)
}

/// Opens a lock file and locks it until the returned file is dropped; `creates` it with its folder if it does not exist.
/// `None` if another program holds the lock.
///
/// # Errors
/// Error of the system: the file cannot be opened, or its file system knows no locks.
pub fn try_lock(path: &Path, creates: bool) -> io::Result<Option<File>> {
    if creates && let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    fault::check(path)?;
    let file = OpenOptions::new().read(true).write(creates).create(creates).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Locks a path among the programs that use the same folder of locks, until the returned file is dropped.
fn lock(path: &Path, locks: &Path) -> Result<Option<File>> {
    let place = path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf());
    let name = hash(&[place.as_os_str().as_encoded_bytes()]);
    let name = locks.join(format!("{}.lock", &name[..16]));
    let began = Instant::now();
    loop {
        match try_lock(&name, true) {
            Ok(Some(file)) => return Ok(Some(file)),
            Ok(None) if began.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) => {
                let what = "another window has been writing this file for several seconds; save it once more";
                return Err(Error::file(path, what));
            }
            Err(_) => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_writers_each_overwrites_only_content_that_it_knows() {
        let folder = tempfile::tempdir().unwrap();
        let (path, locks) = (folder.path().join("count"), folder.path().join("locks"));
        write(&path, b"0").unwrap();
        let add_one = || {
            let mut known = Stamp::of(&path);
            let count: usize = std::fs::read_to_string(&path).unwrap().parse().unwrap();
            // Between reading and stamp another one may have written: then the stamp is not that of the content.
            if Stamp::of(&path) != known {
                return false;
            }
            let written = write_if_unchanged(&path, (count + 1).to_string().as_bytes(), &mut known, &locks);
            written.unwrap() == Written::Replaced
        };
        let added: usize = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..4).map(|_| scope.spawn(|| (0..50).filter(|_| add_one()).count())).collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).sum()
        });
        assert_eq!(std::fs::read_to_string(&path).unwrap(), added.to_string(), "no addition was overwritten");
        assert!(added >= 50, "at least one of four writers succeeds each time: {added}");
        let foreign = write_if_unchanged(&path, b"x", &mut None, &locks).unwrap();
        assert_eq!(foreign, Written::ChangedElsewhere, "a file that nobody knew of");
    }
}
