//! Failures of file operations on demand, so that tests can make every call of a scenario fail in turn.
//!
//! Every operation of this layer that can fail calls [`check`] first. Without an armed fault that is one atomic load. A test
//! arms a [`Fault`] in its own process with [`arm`]; a program that a test starts takes it from the environment variable
//! [`VARIABLE`], for example `GRIDWRIGHT_FILE_FAULT="7+ StorageFull /tmp/x"`: from the seventh operation below `/tmp/x` on,
//! every one of them fails as on a full disk.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

/// Environment variable that arms a fault for a whole process.
pub(crate) const VARIABLE: &str = "GRIDWRIGHT_FILE_FAULT";

/// Failure of file operations below a folder.
#[derive(Debug, Clone)]
pub struct Fault {
    /// Folder whose operations are counted; others are left alone.
    pub folder: PathBuf,
    /// Number of the operation that fails, from 0.
    pub call: usize,
    /// True if all later operations fail, too.
    pub lasting: bool,
    /// Error that the operation returns.
    pub kind: ErrorKind,
}

/// Kinds of failure that [`Fault`] can be read from.
const KINDS: [(&str, ErrorKind); 5] = [
    ("StorageFull", ErrorKind::StorageFull),
    ("PermissionDenied", ErrorKind::PermissionDenied),
    ("NotFound", ErrorKind::NotFound),
    ("InvalidFilename", ErrorKind::InvalidFilename),
    ("ReadOnlyFilesystem", ErrorKind::ReadOnlyFilesystem),
];

impl FromStr for Fault {
    type Err = ();

    /// Reads `CALL[+] KIND FOLDER`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let mut words = text.splitn(3, ' ');
        let mut next = || words.next().ok_or(());
        let (call, kind, folder) = (next()?, next()?, PathBuf::from(next()?));
        let (number, lasting) = call.strip_suffix('+').map_or((call, false), |number| (number, true));
        let kind = KINDS.iter().find(|(name, _)| *name == kind).ok_or(())?.1;
        Ok(Self { folder, call: number.parse().map_err(|_| ())?, lasting, kind })
    }
}

struct Armed {
    fault: Fault,
    calls: Arc<AtomicUsize>,
}

static ARMED: Mutex<Vec<Armed>> = Mutex::new(Vec::new());
static IS_ARMED: AtomicBool = AtomicBool::new(false);

/// An armed fault; it is disarmed when this value is dropped.
#[must_use]
pub struct Guard {
    calls: Arc<AtomicUsize>,
}

impl Guard {
    /// Number of file operations below the fault's folder since it was armed.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut armed = ARMED.lock().unwrap_or_else(PoisonError::into_inner);
        armed.retain(|other| !Arc::ptr_eq(&other.calls, &self.calls));
        IS_ARMED.store(!armed.is_empty(), Ordering::SeqCst);
    }
}

/// Lets file operations below a folder fail until the returned value is dropped; for tests.
pub fn arm(fault: Fault) -> Guard {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut armed = ARMED.lock().unwrap_or_else(PoisonError::into_inner);
    armed.push(Armed { fault, calls: Arc::clone(&calls) });
    IS_ARMED.store(true, Ordering::SeqCst);
    Guard { calls }
}

/// Fails if a fault is armed for this operation on `path`, which changes something.
pub(super) fn check(path: &Path) -> std::io::Result<()> {
    check_for(path, true)
}

/// Fails if a fault is armed for reading `path`; full and read-only disks can be read.
pub(super) fn check_reading(path: &Path) -> std::io::Result<()> {
    check_for(path, false)
}

fn check_for(path: &Path, changes: bool) -> std::io::Result<()> {
    static FROM_ENVIRONMENT: Once = Once::new();
    FROM_ENVIRONMENT.call_once(|| {
        if let Some(fault) = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok()) {
            // It holds as long as the process lives.
            std::mem::forget(arm(fault));
        }
    });
    if !IS_ARMED.load(Ordering::Relaxed) {
        return Ok(());
    }
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    for Armed { fault, calls } in &*ARMED.lock().unwrap_or_else(PoisonError::into_inner) {
        let is_readable = matches!(fault.kind, ErrorKind::StorageFull | ErrorKind::ReadOnlyFilesystem);
        if path.starts_with(&fault.folder) && (changes || !is_readable) {
            let call = calls.fetch_add(1, Ordering::SeqCst);
            if call == fault.call || fault.lasting && call > fault.call {
                return Err(Error::new(fault.kind, format!("{} (made by a test)", fault.kind)));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_with_the_given_number_fails() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("a"), Path::new("/elsewhere/a"));
        let text = format!("1 StorageFull {}", folder.path().display());
        let guard = arm(text.parse().unwrap());
        assert!(check(outside).is_ok() && check(&inside).is_ok());
        assert_eq!(check(&inside).unwrap_err().kind(), ErrorKind::StorageFull);
        assert!(check(&inside).is_ok(), "only one of them fails");
        assert_eq!(guard.calls(), 3);
        drop(guard);
        let _guard = arm(text.replacen("1 ", "1+ ", 1).parse().unwrap());
        let failures: Vec<bool> = (0..4).map(|_| check(&inside).is_err()).collect();
        assert_eq!(failures, [false, true, true, true]);
        for wrong in ["", "1", "x StorageFull /", "1 Fire /"] {
            assert!(wrong.parse::<Fault>().is_err(), "{wrong}");
        }
    }
}
