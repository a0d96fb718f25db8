//! How far the writing of documents is, and whether it is still wanted.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::{Error, Result};

/// Progress of an export, shared by the threads that write and the one that shows it.
#[derive(Debug, Default)]
pub struct Writing {
    done: AtomicU64,
    parts: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Writing {
    /// States that the export consists of this many documents.
    pub fn begin(&self, parts: usize) {
        self.parts.store(parts as u64, Ordering::Relaxed);
    }

    /// Counts a document as written.
    pub fn finish_part(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Documents that are written and all of them; `None` for an export of one document.
    pub fn progress(&self) -> Option<(u64, u64)> {
        let parts = self.parts.load(Ordering::Relaxed);
        (parts > 0).then(|| (self.done.load(Ordering::Relaxed), parts))
    }

    /// Ends the export as soon as its threads ask; no file is written then.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Checks that the export is still wanted.
    ///
    /// # Errors
    /// [`Error::Cancelled`] after [`Self::cancel`].
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }
}
