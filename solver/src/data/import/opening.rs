//! Opening of a file of tables whose columns say by their names what they hold, without a person.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{BadLines, Effect, Mapped, Mapping, Problem, Request, Sheet, UnknownNames, run};
use crate::data::{self, Tables};
use crate::text::lines::{counted, quoted};
use crate::text::stem;
use crate::{Error, Result};

/// Largest number of remarks about lines that become warnings of an instance; further ones are counted.
const MOST_REMARKS: usize = 20;

/// Remedy for tables that only a person can assign.
const REMEDY: &str = "open the file in the window, where the import asks what the columns mean and what to leave out";

/// Reads the sheets of a file; those that a table of `T` resembles are assigned to it.
///
/// # Errors
/// As [`Sheet::read`].
fn mapped<T: Tables>(path: &Path) -> Result<Vec<Mapped>> {
    let assigned = |sheet: Sheet| Mapped { mapping: Mapping::guess(&sheet, T::TABLES), sheet: Arc::new(sheet) };
    Ok(Sheet::read(path, T::TABLES, None, None)?.into_iter().map(assigned).collect())
}

/// Returns `true` if a sheet of the file has the columns of a table without which `T` cannot be.
pub fn has_required_table<T: Tables>(path: &Path) -> bool {
    let is_required = |sheet: &Mapped| sheet.mapping.table.is_some_and(|table| T::TABLES[table].is_required);
    mapped::<T>(path).is_ok_and(|sheets| sheets.iter().any(is_required))
}

/// Opens a file of tables, such as a workbook. Lines that repeat others, and sheets that are not used, become warnings, which
/// are returned beside the instance.
///
/// # Errors
/// [`Error::Lines`] for lines and values that cannot be used; [`Error::File`] if a table or a column is missing, or the tables
/// make no instance.
pub fn open_tables<T: Tables>(path: &Path) -> Result<(T, Vec<String>)> {
    let request = Request {
        name: stem(path),
        sheets: mapped::<T>(path)?,
        base: T::empty_data(&stem(path)),
        bad_lines: BadLines::Stop,
        unknown: UnknownNames::AreWrong,
    };
    let outcome = run(T::TABLES, &request);
    let place = |problem: &Problem| {
        let sheet = request.sheets.get(problem.sheet).map_or("", |mapped| mapped.sheet.name());
        PathBuf::from(format!("{}:{sheet}", path.display()))
    };
    let is_loss = |problem: &&Problem| problem.effect.is_loss();
    let wrong: Vec<Error> = outcome
        .problems
        .iter()
        .filter(is_loss)
        .map(|problem| Error::line(&place(problem), problem.line, &problem.what))
        .collect();
    if !wrong.is_empty() {
        return Err(Error::Lines(wrong));
    }
    if let Some(obstacle) = &outcome.obstacle {
        return Err(Error::file(path, format!("{obstacle}; {REMEDY}")));
    }
    let instance = data::open::<T>(&outcome.data).map_err(|error| Error::file(path, format!("{error}; {REMEDY}")))?;
    let unused = request.sheets.iter().filter(|mapped| mapped.mapping.table.is_none());
    let mut warnings: Vec<String> =
        unused.map(|mapped| format!("the sheet {} is not used", quoted(mapped.sheet.name()))).collect();
    for mapped in request.sheets.iter().filter(|mapped| mapped.mapping.table.is_some()) {
        let columns = mapped.unused_columns();
        if !columns.is_empty() {
            let sheet = quoted(mapped.sheet.name());
            warnings.push(format!("columns of the sheet {sheet} that are not used: {}", columns.join(", ")));
        }
    }
    let remarks = outcome.problems.iter().filter(|problem| problem.effect == Effect::Nothing);
    let total = outcome.more_problems + outcome.problems.len();
    warnings.extend(remarks.take(MOST_REMARKS).map(|problem| super::problem_line(&request, problem)));
    if total > MOST_REMARKS {
        warnings.push(format!("{} more", counted(total - MOST_REMARKS, "remark")));
    }
    Ok((instance, warnings))
}

#[cfg(test)]
mod tests {
    use rust_xlsxwriter::Workbook;

    use super::*;
    use crate::timetabling::Instance;

    /// A workbook of two sheets of text cells.
    fn workbook(enrolments: &[[&str; 2]]) -> tempfile::TempPath {
        let mut book = Workbook::new();
        let lines = |sheet: &mut rust_xlsxwriter::Worksheet, rows: &[[&str; 2]]| {
            for (row, cells) in (0..).zip(rows) {
                for (column, cell) in (0..).zip(cells) {
                    sheet.write_string(row, column, *cell).unwrap();
                }
            }
        };
        lines(book.add_worksheet().set_name("Anmeldungen").unwrap(), enrolments);
        lines(book.add_worksheet().set_name("Notes").unwrap(), &[["written by", "the office"], ["a", "b"]]);
        let file = tempfile::Builder::new().suffix(".xlsx").tempfile().unwrap().into_temp_path();
        book.save(&file).unwrap();
        file
    }

    #[test]
    fn workbooks_whose_columns_have_known_names_open_by_themselves() {
        let rows = [["Matrikelnummer", "Prüfung"], ["s1", "MAT"], ["s1", "PHY"], ["s2", " mat "], ["Summe", "3"]];
        let file = workbook(&rows);
        assert!(has_required_table::<Instance>(&file));
        let (session, warnings) = open_tables::<Instance>(&file).unwrap();
        assert_eq!((session.exam_count(), session.students.len()), (2, 2));
        assert!(warnings.iter().any(|text| text.contains("the sheet «Notes» is not used")), "{warnings:?}");
        assert!(warnings.iter().any(|text| text.contains("line of totals")), "{warnings:?}");
    }

    #[test]
    fn lines_that_cannot_be_used_are_named_with_sheet_and_line() {
        let file = workbook(&[["student", "exam"], ["s1", "MAT"], ["s2", ""]]);
        let error = open_tables::<Instance>(&file).err().unwrap().to_string();
        assert!(error.contains(":Anmeldungen:3: ") && error.contains("missing"), "{error}");
        let file = workbook(&[["who", "what"], ["s1", "MAT"]]);
        assert!(!has_required_table::<Instance>(&file));
        let error = open_tables::<Instance>(&file).err().unwrap().to_string();
        assert!(error.contains("in the window"), "{error}");
    }
}
