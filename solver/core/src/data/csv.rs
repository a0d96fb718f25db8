//! Tables as CSV text, as project files hold them: RFC 4180, the names of the columns in the first line.

use super::{DataTable, Row, TableSpec};
use crate::text::cells::{bare, guarded};

/// The table as CSV text. Texts that a spreadsheet would compute are written with an apostrophe, which [`from_csv`] takes
/// away again.
pub fn to_csv(spec: &TableSpec, table: &DataTable) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let names = spec.columns.iter().map(|column| column.column.name).chain(table.further.iter().map(String::as_str));
    let width = table.width(spec);
    let mut written = writer.write_record(names.map(|name| guarded(name).into_owned()));
    for row in table.rows.iter() {
        let cells = row.cells().chain(std::iter::repeat("")).take(width).map(guarded);
        written = written.and_then(|()| writer.write_record(cells.map(|cell| cell.into_owned())));
    }
    // Writing to memory fails only for rows of different lengths, which do not occur.
    debug_assert!(written.is_ok());
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Reads a table that [`to_csv`] wrote, perhaps with declared columns missing, in another order, or edited elsewhere.
///
/// # Errors
/// A sentence with the line, for text that is no CSV, and for a column that the table cannot have.
pub(crate) fn from_csv(spec: &TableSpec, text: &str) -> std::result::Result<DataTable, String> {
    let mut reader = ::csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut records = reader.records();
    let header = records.next().transpose().map_err(|error| format!("{}.csv: {error}", spec.id))?.unwrap_or_default();
    let mut table = DataTable::default();
    let mut places = Vec::with_capacity(header.len());
    for name in header.iter().map(bare) {
        match spec.columns.iter().position(|column| column.column.name == name) {
            Some(column) => places.push(column),
            None if spec.further.is_some() => {
                places.push(spec.columns.len() + table.further.len());
                table.further.push(name.to_owned());
            }
            None => return Err(format!("{}.csv: the column “{}” is unknown", spec.id, name.escape_debug())),
        }
    }
    let width = table.width(spec);
    let mut rows = Vec::new();
    let mut cells = vec![String::new(); width];
    for record in records {
        let record = record.map_err(|error| format!("{}.csv: {error}", spec.id))?;
        cells.iter_mut().for_each(String::clear);
        for (&place, cell) in places.iter().zip(record.iter()) {
            if let Some(own) = cells.get_mut(place) {
                own.push_str(bare(cell));
            }
        }
        rows.push(Row::of(&cells));
    }
    table.rows.extend(rows);
    Ok(table)
}

/// Lines of cells in text that was copied from a spreadsheet, separated by tabs or, without any, by semicolons; lines without
/// any text are left out.
pub fn pasted_lines(text: &str) -> Vec<Vec<String>> {
    let delimiter = if text.contains('\t') { b'\t' } else { b';' };
    let mut reader =
        ::csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let lines = reader.records().map_while(std::result::Result::ok);
    let lines = lines.map(|record| record.iter().map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
    lines.filter(|cells| cells.iter().any(|cell| !cell.is_empty())).collect()
}

#[cfg(test)]
mod tests;
