//! How sheets were read, as a project keeps it, so that a fresh version of the files needs no questions.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::{DateOrder, TableSpec};
use super::{Encoding, Layout, Mapped, Mapping, Sheet};
use crate::Result;

/// Number of lines among which the names of the columns are looked for.
const HEADER_LINES: usize = 12;

/// How a sheet was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetReading {
    /// Identifier of the table; `None` if the sheet was not used.
    pub table: Option<String>,
    /// Names of all columns of the sheet.
    pub headings: Vec<String>,
    /// True if the sheet has a line with the names of its columns.
    pub has_header: bool,
    /// Name of each declared column of the table and the heading that it was read from.
    pub columns: Vec<(String, String)>,
    /// Headings of the further columns, or of those with second items.
    #[serde(default)]
    pub listed: Vec<String>,
    /// Arrangement of the table.
    #[serde(default)]
    pub layout: Layout,
    /// Meaning of a date such as `06/05/2026`.
    #[serde(default)]
    pub dates: DateOrder,
    /// Encoding and separator of a text file.
    #[serde(default)]
    pub text: Option<(Encoding, u8)>,
}

/// Names of the declared columns, then of the one that belongs to another table.
fn names(spec: &TableSpec) -> Vec<&'static str> {
    super::sheet::declared(spec).iter().map(|column| column.name).collect()
}

impl SheetReading {
    /// How a sheet was read with a mapping.
    pub fn of(mapped: &Mapped, specs: &[TableSpec]) -> Self {
        let Mapped { sheet, mapping } = mapped;
        let headings = sheet.names(mapping.header);
        let spec = mapping.table.map(|table| &specs[table]);
        let heading = |at: usize| headings.get(at).cloned();
        let columns = spec.map(names).unwrap_or_default().into_iter().zip(&mapping.columns);
        Self {
            table: spec.map(|spec| spec.id.to_owned()),
            has_header: mapping.header.is_some(),
            columns: columns.filter_map(|(name, at)| Some((name.to_owned(), heading((*at)?)?))).collect(),
            listed: mapping.listed.iter().filter_map(|&at| heading(at)).collect(),
            layout: mapping.layout,
            dates: mapping.dates,
            text: sheet.encoding().map(|encoding| (encoding, sheet.delimiter())),
            headings,
        }
    }

    /// The mapping for a sheet with the same headings, in any order; `None` if the headings differ. The columns of a matrix are
    /// named after its items, which may be others.
    fn mapping(&self, sheet: &Sheet, specs: &[TableSpec]) -> Option<Mapping> {
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort_unstable();
            names
        };
        let wanted = sorted(&self.headings);
        let used: Vec<&String> = self.columns.iter().map(|(_, heading)| heading).collect();
        let fits = |names: &[String]| match self.layout {
            Layout::Matrix => !used.is_empty() && used.iter().all(|name| names.contains(name)),
            _ => sorted(names) == wanted,
        };
        let mut headers = (0..sheet.len().min(HEADER_LINES)).map(Some);
        let header = match self.has_header {
            true => headers.find(|header| fits(&sheet.names(*header)))?,
            false => fits(&sheet.names(None)).then_some(None)?,
        };
        let Some(id) = &self.table else {
            return Some(Mapping { table: None, header, ..Mapping::guess(sheet, specs) });
        };
        let table = specs.iter().position(|spec| spec.id == id)?;
        let headings = sheet.names(header);
        let find = |name: &String| headings.iter().position(|heading| heading == name);
        let place = |column: &str| find(&self.columns.iter().find(|(name, _)| name == column)?.1);
        let columns: Vec<Option<usize>> = names(&specs[table]).into_iter().map(place).collect();
        let mut listed: Vec<usize> = self.listed.iter().filter_map(find).collect();
        if self.layout == Layout::Matrix {
            let guess = Mapping::guess_below(sheet, specs, table, header);
            let is_new = |at: &usize| headings.get(*at).is_some_and(|name| !self.headings.contains(name));
            listed.extend(guess.listed.into_iter().filter(is_new).filter(|at| !columns.contains(&Some(*at))));
            listed.sort_unstable();
        }
        let (layout, dates) = (self.layout, self.dates);
        Some(Mapping { table: Some(table), header, columns, listed, layout, dates })
    }
}

/// Returns `true` if every heading of a sheet is the name of a column of its table, so that nothing is guessed.
fn names_all(sheet: &Sheet, mapping: &Mapping, specs: &[TableSpec]) -> bool {
    let count = sheet.names(mapping.header).len();
    let exact = mapping.clone().exact(sheet, specs).columns;
    let has_table = mapping.table.is_some() && mapping.header.is_some();
    has_table && (0..count).all(|at| exact.contains(&Some(at)))
}

/// Reads the sheets of a file as they were read before, those with unknown headings as the program guesses; each with `true` if
/// it needs no question: its headings are known, or say what they mean where nothing is known or all of them are names of columns.
///
/// # Errors
/// As [`Sheet::read`].
pub fn read_as_before(path: &Path, specs: &[TableSpec], known: &[SheetReading]) -> Result<Vec<(Mapped, bool)>> {
    let find = |sheet: &Sheet| known.iter().find_map(|reading| reading.mapping(sheet, specs));
    let mut sheets = Sheet::read(path, specs, None, None)?;
    if sheets.iter().all(|sheet| find(sheet).is_none()) {
        // A person may have chosen another encoding or separator than the program guesses.
        let chosen = known.iter().filter_map(|reading| reading.text);
        let again =
            chosen.filter_map(|(encoding, delimiter)| Sheet::read(path, specs, Some(encoding), Some(delimiter)).ok());
        if let Some(found) = again.into_iter().find(|sheets| sheets.iter().any(|sheet| find(sheet).is_some())) {
            sheets = found;
        }
    }
    let mapped = |sheet: Sheet| {
        let found = find(&sheet);
        let was_found = found.is_some();
        let mapping = found.unwrap_or_else(|| Mapping::guess(&sheet, specs));
        // A table that was never asked about says what its columns mean.
        let id = mapping.table.map(|table| specs[table].id);
        let is_new = id.is_some_and(|id| known.iter().all(|reading| reading.table.as_deref() != Some(id)));
        let is_named = names_all(&sheet, &mapping, specs);
        let mapped = Mapped { sheet: Arc::new(sheet), mapping };
        let is_clear = was_found || known.is_empty() || is_new || is_named || mapped.remarks_column(specs).is_some();
        (mapped, is_clear)
    };
    Ok(sheets.into_iter().map(mapped).collect())
}
