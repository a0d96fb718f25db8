//! Writing of whole files: a file is replaced by a complete new one or stays as it was.

use std::collections::BTreeSet;
use std::fs::{File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::fault;
use crate::{Error, Result};

/// Prefix and suffix of temporary files; between them stand [`RANDOM`] alphanumeric characters.
const TEMPORARY: (&str, &str) = (".gridwright-", ".tmp");
const RANDOM: usize = 6;

/// Age from which a temporary file counts as abandoned; every write renews a file's time.
const ABANDONED: Duration = Duration::from_secs(60);

/// Longest time for which a file that another program reads is waited for.
const READ_BY_OTHERS: Duration = Duration::from_secs(2);

/// Largest number of links that are followed from the name of a file to the file.
const LINKS: usize = 40;

/// Returns `true` if the name is that of a temporary file of this program.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(TEMPORARY.0).and_then(|rest| rest.strip_suffix(TEMPORARY.1));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Removes temporary files that a crashed instance of this program left in a folder; returns their number.
///
/// Only files of the program's own name pattern are removed, and only if nobody has written to them for [`ABANDONED`].
pub fn sweep(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_abandoned = |entry: &std::fs::DirEntry| {
        let is_old = |data: Metadata| {
            let age = data.modified().ok().and_then(|time| time.elapsed().ok());
            data.is_file() && age.is_some_and(|age| age >= ABANDONED)
        };
        is_temporary(&entry.file_name().to_string_lossy()) && entry.metadata().is_ok_and(is_old)
    };
    entries.filter(is_abandoned).filter(|entry| std::fs::remove_file(entry.path()).is_ok()).count()
}

/// Sweeps a folder on the first write of this process to it.
fn sweep_once(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let Ok(folder) = std::path::absolute(folder) else { return };
    let is_first = SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.clone());
    if is_first {
        sweep(&folder);
    }
}

/// The file that a path leads to, which need not exist: symbolic links are followed.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(target) = std::fs::read_link(&path) else { return Ok(path) };
        path = match path.parent() {
            Some(folder) => folder.join(target),
            None => target,
        };
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// The folder of a file; the current one if the path is a mere name.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What a path leads to before it is written.
enum Target {
    /// Nothing yet.
    New,
    /// A regular file, which is replaced.
    Regular(Metadata),
    /// A pipe, terminal or the like, which is written to as it is.
    Stream,
}

/// Looks at what a path leads to; the error says why it is not written.
fn target_of(path: &Path) -> std::result::Result<Target, String> {
    let data = match std::fs::metadata(path) {
        Ok(data) => data,
        // Below a file there is no folder yet either; whoever creates the folder says so.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Target::New);
        }
        Err(error) => return Err(refusal(&error)),
    };
    if data.is_dir() {
        return Err("this is a folder; name a file in it".to_owned());
    }
    if !data.is_file() {
        return Ok(Target::Stream);
    }
    if data.permissions().readonly() {
        return Err("the file is read-only; choose another name or make it writable".to_owned());
    }
    Ok(Target::Regular(data))
}

fn refusal(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full; free space or choose a folder on another disk".to_owned()
        }
        io::ErrorKind::InvalidFilename => "the name is too long; choose a shorter one".to_owned(),
        _ => format!("the file could not be written ({error}); choose a folder that may be written to"),
    }
}

/// Checks that a file could be written, by a trial in the nearest folder that exists; leaves nothing behind.
///
/// # Errors
/// [`Error::File`] that says why not: the path is a folder, a read-only file, too long, or in a folder that cannot be
/// written to.
pub fn check_writable(path: &Path) -> Result<()> {
    let failed = |what: String| Error::file(path, what);
    let place = followed(path).and_then(std::path::absolute).map_err(|error| failed(refusal(&error)))?;
    if let Target::Stream = target_of(&place).map_err(failed)? {
        return Ok(());
    }
    let Some(folder) = place.ancestors().skip(1).find(|folder| folder.exists()) else {
        return Err(failed("there is no such folder; choose another one".to_owned()));
    };
    if !folder.is_dir() {
        return Err(failed(format!("{} is a file, not a folder; choose another folder", folder.display())));
    }
    temporary(folder, None).map(drop).map_err(|error| match error.kind() {
        io::ErrorKind::StorageFull => failed(refusal(&error)),
        _ => failed(format!("{} cannot be written to ({error}); choose another folder", folder.display())),
    })
}

/// A temporary file in a folder, with the permissions of the file that it will replace or else those of any new file.
fn temporary(folder: &Path, replaced: Option<&Metadata>) -> io::Result<tempfile::NamedTempFile> {
    fault::check(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1).rand_bytes(RANDOM);
    if let Some(permissions) = new_permissions(replaced) {
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder)
}

/// Permissions with which a file is created; the system takes away what the user's umask forbids.
#[cfg(unix)]
fn new_permissions(replaced: Option<&Metadata>) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    let mode = replaced.map_or(0o666, |data| data.permissions().mode() & 0o777);
    // The owner may write until the content is complete.
    Some(Permissions::from_mode(mode | 0o200))
}

#[cfg(not(unix))]
fn new_permissions(_replaced: Option<&Metadata>) -> Option<Permissions> {
    None
}

/// Gives a new file owner and permissions of the file that it replaces.
#[cfg(unix)]
fn take_over(file: &File, path: &Path, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    fault::check(path)?;
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (replaced.uid(), replaced.gid()) {
        // Only root may give files away; for others the file becomes theirs, as with every editor.
        let _ = std::os::unix::fs::fchown(file, Some(replaced.uid()), Some(replaced.gid()));
    }
    file.set_permissions(replaced.permissions())
}

#[cfg(not(unix))]
fn take_over(_file: &File, path: &Path, _replaced: &Metadata) -> io::Result<()> {
    fault::check(path)
}

/// Writes the entries of a folder to the disk, so that a renamed file survives a loss of power.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fault::check(folder)?;
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some network file systems cannot sync folders.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fault::check(folder)
}

/// Renames a complete temporary file to its target.
fn persist(file: tempfile::NamedTempFile, place: &Path) -> io::Result<()> {
    let mut file = Some(file);
    patiently(|| match file.take().map(|file| file.persist(place)) {
        Some(Err(failed)) => {
            file = Some(failed.file);
            Err(failed.error)
        }
        _ => Ok(()),
    })
}

/// Renames again for up to [`READ_BY_OTHERS`] where Windows denies it, as it does while another program reads the target.
fn patiently(mut rename: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    let began = Instant::now();
    loop {
        match rename() {
            Err(error)
                if cfg!(windows)
                    && error.kind() == io::ErrorKind::PermissionDenied
                    && began.elapsed() < READ_BY_OTHERS =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

/// Replaces a file atomically: the content goes to a temporary file in the same folder, which is synced and renamed.
///
/// Symbolic links are followed. A file that is replaced passes on its permissions and owner, a new one gets those that the
/// user's umask allows. Other names of the file (hard links, see [`other_names`]) keep the former content. Pipes and terminals
/// are written to as they are.
///
/// # Errors
/// [`Error::File`] if the file is read-only or a folder, or if its folder cannot be created or written; the file is then as it
/// was. If only the folder cannot be synced, the new content is in place and the error says so.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    let failed = |error: io::Error| Error::file(path, refusal(&error));
    let place = followed(path).map_err(failed)?;
    let folder = folder_of(&place);
    let target = target_of(&place).map_err(|what| Error::file(path, what))?;
    let replaced = match &target {
        Target::Stream => {
            let stream = std::fs::OpenOptions::new().write(true).open(&place);
            return stream.and_then(|mut stream| stream.write_all(content)).map_err(failed);
        }
        Target::Regular(data) => Some(data),
        Target::New => {
            create_folder(folder).map_err(failed)?;
            None
        }
    };
    sweep_once(folder);
    let mut file = temporary(folder, replaced).map_err(failed)?;
    if let Err(error) = fault::check(&place) {
        // As on a disk that becomes full: a part is written.
        let _ = file.write_all(&content[..content.len() / 2]);
        return Err(failed(error));
    }
    file.write_all(content).map_err(failed)?;
    if let Some(data) = replaced {
        take_over(file.as_file(), &place, data).map_err(failed)?;
    }
    fault::check(&place).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    fault::check(&place).map_err(failed)?;
    persist(file, &place).map_err(failed)?;
    sync_folder(folder).map_err(|error| {
        let what = format!("the file was written, but may be lost if the power fails ({error}); save it once more");
        Error::file(path, what)
    })
}

/// Appends to a file, which is created if it does not exist; the content is on the disk when the function returns.
///
/// # Errors
/// [`Error::File`] if the file cannot be written; it then has its former length.
pub fn append(path: &Path, content: &[u8]) -> Result<()> {
    let failed = |error: io::Error| Error::file(path, refusal(&error));
    create_folder(folder_of(path)).and_then(|()| fault::check(path)).map_err(failed)?;
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let written = match fault::check(path) {
        Ok(()) => file.write_all(content).and_then(|()| fault::check(path)).and_then(|()| file.sync_data()),
        // As on a disk that becomes full: a part is written.
        Err(error) => file.write_all(&content[..content.len() / 2]).and(Err(error)),
    };
    written.map_err(|error| {
        let _ = file.set_len(length);
        failed(error)
    })
}

/// Creates a folder and those above it.
///
/// # Errors
/// Error of the system; nothing is said about a folder that exists.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    fault::check(folder)?;
    std::fs::create_dir_all(folder)
}

/// Creates a folder in one that exists.
///
/// # Errors
/// Error of the system; also where something of the name exists.
pub fn create_new_folder(folder: &Path) -> io::Result<()> {
    fault::check(folder)?;
    std::fs::create_dir(folder)
}

/// Renames a file, or copies it if the new place is on another disk; creates the folder for it.
///
/// # Errors
/// Error of the system; the file then lies where it lay.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    create_folder(folder_of(to))?;
    fault::check(from)?;
    let is_elsewhere = |error: &io::Error| error.kind() == io::ErrorKind::CrossesDevices;
    match patiently(|| std::fs::rename(from, to)) {
        Err(error) if is_elsewhere(&error) => {
            std::fs::copy(from, to).inspect_err(|_| {
                let _ = std::fs::remove_file(to);
            })?;
            std::fs::remove_file(from)
        }
        other => other,
    }
}

/// Removes a file; one that is not there counts as removed.
///
/// # Errors
/// Error of the system.
pub fn remove(path: &Path) -> io::Result<()> {
    fault::check(path)?;
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes a folder with everything in it; one that is not there counts as removed. Links are removed, not followed.
///
/// # Errors
/// Error of the system.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    fault::check(folder)?;
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes a folder if nothing is in it.
pub(crate) fn remove_if_empty(folder: &Path) {
    // The system refuses to remove a folder that holds anything.
    let _ = fault::check(folder).and_then(|()| std::fs::remove_dir(folder));
}

/// Creates a folder among the system's temporary files whose name nobody can predict and which only this user can read; it
/// stays when the program ends.
///
/// # Errors
/// Error of the system.
pub(crate) fn create_private_folder() -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    make_private(&mut builder);
    Ok(builder.prefix("gridwright-").tempdir()?.keep())
}

#[cfg(unix)]
fn make_private(folder: &mut tempfile::Builder<'_, '_>) {
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
}

/// The folder for temporary files belongs to one user on this system.
#[cfg(not(unix))]
fn make_private(_folder: &mut tempfile::Builder<'_, '_>) {}

/// Number of further names (hard links) of an existing file; they keep the former content when the file is written.
#[cfg(unix)]
pub fn other_names(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map_or(0, |data| if data.is_file() { data.nlink().saturating_sub(1) } else { 0 })
}

/// Number of further names (hard links) of an existing file; not known on this system.
#[cfg(not(unix))]
pub fn other_names(_path: &Path) -> u64 {
    0
}

/// Returns `true` if both paths lead to one existing file, by links or by hard links.
pub fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path| std::fs::metadata(path).map(|data| (data.dev(), data.ino()));
        matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
    }
    #[cfg(not(unix))]
    {
        matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
    }
}

#[cfg(test)]
mod tests;
