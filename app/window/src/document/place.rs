//! Place of a document's runs and edits in the program's own folder.

use gridwright_core::store::{document_key, instance_key};

use crate::projects::absolute;

/// Names by which a document is found in the program's own folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Key of the document.
    pub key: String,
    /// Key of its data, under which documents with equal data are found.
    pub data: String,
    /// Absolute path or name that was opened.
    pub source: String,
}

impl Place {
    /// The place of an instance with this name and hash that was opened from `source`, a project's file or that of the data.
    pub fn of(name: &str, hash: &str, source: &str) -> Self {
        let source = absolute(source);
        Self { key: document_key(name, hash, &source), data: instance_key(name, hash), source }
    }

    /// The place of the same document before its data changed, by the key that it had then.
    pub fn former(&self, key: &str) -> Self {
        let data = key.split('-').next().unwrap_or_default().to_owned();
        Self { key: document_key("", &data, &self.source), data, source: self.source.clone() }
    }
}
