//! Published file formats of examination timetabling, read and written.

use std::path::Path;

use super::Instance;
use crate::{Error, Result};

/// What a person says beyond the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Number of periods, instead of the file's or the published one.
    pub periods: Option<usize>,
}

/// Opens `sample:NAME` or a file, its kind known by its ending and content.
pub fn open(source: &str, options: &LoadOptions) -> Result<Instance> {
    load(Path::new(source), options)
}

/// Loads an instance from a file, its kind known by its ending and content.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let _ = options;
    Err(Error::file(path, "not built yet"))
}
