//! Check sheets: a workbook per department with its exams, their sizes and demands, and empty columns for wishes and notes.
//!
//! Columns are named as imports know them, and the column of wishes marks an excerpt ([`TableSpec::excerpt`]): a corrected workbook
//! comes back by an update of the data, which changes the exams that it names and no others.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use crate::Instance;
use crate::data::specs::{OF_EXAMS, TABLES, WISHES};
use gridwright_core::Result;
use gridwright_core::data::{TableSpec, Tables as _, ValueKind};
use gridwright_core::export::archive::{Archive, file_name};
use gridwright_core::workbook::{self, Book, Style, Value, Written, count, text, width, words};

/// Number of declared columns before the number of students.
const BEFORE_STUDENTS: usize = 2;

/// Writes an archive with a workbook per department; `now` is the time stamp.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if a workbook cannot be written.
pub(super) fn of_departments(instance: &Instance, now: DateTime<Utc>) -> Result<Vec<u8>> {
    let mut archive = Archive::new(now);
    let folder = file_name(&instance.name);
    let data = instance.to_data();
    let spec = &TABLES[OF_EXAMS];
    for (department, exams) in departments(instance) {
        let title = format!("{} · {department}", instance.name);
        let rows = |exam: &usize| {
            let row = data.tables[OF_EXAMS].rows.get(*exam);
            let cells = (0..spec.columns.len()).map(|column| row.map_or("", |row| row.cell(column)).to_owned());
            (u64::from(instance.exams[*exam].enrolment), cells.collect())
        };
        let rows: Vec<(u64, Vec<String>)> = exams.iter().map(rows).collect();
        let bytes = workbook::write(&title, Some(now), |book| sheet(book, spec, &rows))?;
        archive.add_named(&folder, &department, "xlsx", &bytes)?;
    }
    archive.finish()
}

/// Writes the sheet of a department: declared columns of the exams, with the number of students behind the title, then columns
/// for wishes and notes. `rows` are the numbers of students with the cells of the declared columns.
fn sheet(book: &mut Book, spec: &TableSpec, rows: &[(u64, Vec<String>)]) -> Written {
    let declared = |column: usize| {
        let name = spec.columns[column].column.name;
        (name, width(rows.iter().map(|(_, cells)| cells[column].as_str()).chain([name])))
    };
    let (before, behind) = (0..BEFORE_STUDENTS, BEFORE_STUDENTS..spec.columns.len());
    let heads: Vec<(&str, f64)> = before
        .clone()
        .map(declared)
        .chain([("enrolled", 10.0)])
        .chain(behind.clone().map(declared))
        .chain([(WISHES, 40.0), ("notes", 40.0)])
        .collect();
    let mut sheet = book.table("Exams", &heads, rows.len())?;
    let value = |column: usize, cell: &str| match (spec.kind(column), cell.parse::<f64>()) {
        _ if cell.is_empty() => Value::Blank,
        (ValueKind::Whole { .. } | ValueKind::Minutes, Ok(number)) => Value::Number(number, Style::Plain),
        (ValueKind::Text, _) => words(cell),
        _ => text(cell),
    };
    for (line, (students, cells)) in (1..).zip(rows) {
        let values = |columns: std::ops::Range<usize>| columns.map(|column| value(column, &cells[column]));
        sheet.row(line, values(before.clone()).chain([count(*students)]).chain(values(behind.clone())))?;
    }
    Ok(())
}

/// Exams of each department, by its name: the programme of most of their students where programmes are known, otherwise the
/// letters with which their codes begin.
fn departments(instance: &Instance) -> BTreeMap<String, Vec<usize>> {
    let contacts = instance.resources.contacts_by_student();
    let mut programmes: Vec<BTreeMap<&str, u32>> = vec![BTreeMap::new(); instance.exam_count()];
    for (student, contact) in contacts.iter().filter(|(_, contact)| !contact.programme.is_empty()) {
        for &exam in instance.students.exams_of(*student) {
            *programmes[usize::from(exam)].entry(contact.programme.as_str()).or_default() += 1;
        }
    }
    let mut departments: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (exam, programmes) in programmes.iter().enumerate() {
        let code = &instance.exams[exam].code;
        let letters = || code.chars().take_while(|letter| letter.is_alphabetic()).collect::<String>();
        // Of equally frequent programmes the first by name.
        let programme = programmes.iter().max_by_key(|&(name, students)| (students, std::cmp::Reverse(name)));
        let name = programme.map_or_else(letters, |(name, _)| (*name).to_owned());
        let name = if name.is_empty() { "other".to_owned() } else { name };
        departments.entry(name).or_default().push(exam);
    }
    departments
}
