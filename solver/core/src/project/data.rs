//! The instance's data in a project.

use std::sync::Arc;

use crate::data::{self, Dataset, TableSpec};
use crate::encoded::Encoded;

/// Data of an instance, with the declaration of their tables or as the text of their files.
#[derive(Debug, Clone)]
pub enum ProjectData {
    /// Data of an open document.
    Tables {
        /// The data.
        data: Arc<Dataset>,
        /// Declaration of the tables.
        specs: &'static [TableSpec],
    },
    /// Data as a project file holds them.
    Files(Arc<DataFiles>),
}

/// Data of an instance as text.
#[derive(Debug, Clone, PartialEq)]
pub struct DataFiles {
    /// Name of the instance.
    pub name: String,
    /// Identity of the data; see [`Dataset::hash`].
    pub hash: String,
    /// Data that no table shows.
    pub rest: Encoded,
    /// Identifier and CSV text of each table.
    pub tables: Vec<(String, String)>,
}

impl PartialEq for ProjectData {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tables { data, .. }, Self::Tables { data: other, .. }) => Arc::ptr_eq(data, other) || data == other,
            _ => self.files() == other.files(),
        }
    }
}

impl ProjectData {
    /// The data as text.
    pub fn files(&self) -> Arc<DataFiles> {
        match self {
            Self::Files(files) => Arc::clone(files),
            Self::Tables { data, specs } => {
                let tables = specs.iter().zip(&data.tables);
                let tables = tables.map(|(spec, table)| (spec.id.to_owned(), data::to_csv(spec, table)));
                let (name, hash, rest) = (data.name.clone(), data.hash.clone(), data.rest.clone());
                Arc::new(DataFiles { name, hash, rest, tables: tables.collect() })
            }
        }
    }

    /// The data with their tables as declared.
    ///
    /// # Errors
    /// A sentence that names the table, if one is missing or cannot be read.
    pub fn dataset(&self, specs: &'static [TableSpec]) -> std::result::Result<Arc<Dataset>, String> {
        let files = match self {
            Self::Tables { data, .. } => return Ok(Arc::clone(data)),
            Self::Files(files) => files,
        };
        let mut data = Dataset::empty(specs, &files.name);
        data.hash.clone_from(&files.hash);
        data.rest = files.rest.clone();
        for (id, text) in &files.tables {
            let Some(at) = specs.iter().position(|spec| spec.id == id) else {
                return Err(format!("the table “{}” is unknown; update the program", id.escape_debug()));
            };
            data.tables[at] = data::from_csv(&specs[at], text)?;
        }
        let is_there = |spec: &&TableSpec| files.tables.iter().any(|(id, _)| id == spec.id);
        if let Some(missing) = specs.iter().find(|spec| !is_there(spec)) {
            return Err(format!("the table “{}” is missing; use a copy of the file", missing.id));
        }
        Ok(Arc::new(data))
    }
}
