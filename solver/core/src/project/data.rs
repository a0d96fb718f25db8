//! The instance's data in a project.

use std::collections::BTreeMap;
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
    /// CSV text of each table by its identifier.
    pub tables: BTreeMap<String, String>,
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
            // Data as a person has edited them have no identity yet, and may hold a number that was refused.
            if !files.hash.is_empty() {
                data.tables[at].disambiguate(&specs[at]);
            }
        }
        let is_there = |spec: &&TableSpec| files.tables.contains_key(spec.id);
        if let Some(missing) = specs.iter().find(|spec| !spec.is_later && !is_there(spec)) {
            return Err(format!("the table “{}” is missing; use a copy of the file", missing.id));
        }
        Ok(Arc::new(data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ColumnSpec, Reader, ValueKind};
    use crate::text::columns::Column;

    const COLUMNS: [ColumnSpec; 2] = [
        ColumnSpec::new(Column::required("name", ""), "Name", ValueKind::Name, "Name."),
        ColumnSpec::new(
            Column::optional("amount", ""),
            "Amount",
            ValueKind::Number { least: 0.0, most: 9e9 },
            "Amount.",
        ),
    ];
    const SPECS: [TableSpec; 1] = [TableSpec::new("amounts", "Amounts", "amount", "The amounts.", &COLUMNS)];

    #[test]
    fn numbers_of_former_versions_have_one_reading_and_refused_ones_keep_both() {
        let opened = |hash: &str| {
            let tables = [("amounts".to_owned(), "name,amount\n1.125,1.125\nB,12.5\nC,\n".to_owned())].into();
            let files = DataFiles { name: String::new(), hash: hash.to_owned(), rest: Encoded::of(&()), tables };
            let data = ProjectData::Files(Arc::new(files)).dataset(&SPECS).unwrap();
            let cells: Vec<String> = data.tables[0].rows.iter().map(|row| row.cell(1).to_owned()).collect();
            assert_eq!((data.tables[0].rows.get(0).unwrap().cell(0), data.hash.as_str()), ("1.125", hash));
            (cells, Reader::new(&data, &SPECS).finish(|| Ok(())).is_ok())
        };
        assert_eq!(opened("abc"), (["1.1250", "12.5", ""].map(str::to_owned).to_vec(), true));
        assert_eq!(opened(""), (["1.125", "12.5", ""].map(str::to_owned).to_vec(), false));
    }
}
