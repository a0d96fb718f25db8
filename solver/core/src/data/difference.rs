//! Differences between two versions of the same data, in words.

use std::collections::HashMap;

use super::{DataTable, Dataset, TableSpec};
use crate::numbers::counted;
use crate::text::lines::{listed, quoted};

/// Differences from `before` to `after`, one phrase per kind of change, such as «3 enrolments more», «1 exam fewer: “MAT101”» and
/// «2 jobs changed: “Desk”, “Chair”»; empty if no table differs.
pub fn differences(specs: &[TableSpec], before: &Dataset, after: &Dataset) -> Vec<String> {
    let tables = specs.iter().zip(before.tables.iter().zip(&after.tables));
    tables.flat_map(|(spec, (before, after))| differences_of(spec, before, after)).collect()
}

fn differences_of(spec: &TableSpec, before: &DataTable, after: &DataTable) -> Vec<String> {
    if before == after {
        return Vec::new();
    }
    let mut phrases = Vec::new();
    if let Some(further) = spec.further {
        let names = |own: &DataTable, other: &DataTable| {
            own.further.iter().filter(|name| !other.further.contains(name)).map(|name| quoted(name)).collect::<Vec<_>>()
        };
        phrases.extend(phrase(&names(after, before), further.noun, " more"));
        phrases.extend(phrase(&names(before, after), further.noun, " fewer"));
    }
    if spec.is_form {
        let columns = spec.columns.iter().enumerate();
        let cell = |table: &DataTable, column| table.rows.get(0).map_or("", |row| row.cell(column)).to_owned();
        let changed = columns.filter(|(column, _)| cell(before, *column) != cell(after, *column));
        phrases.extend(changed.map(|(column, spec)| {
            let [old, new] = [cell(before, column), cell(after, column)].map(|text| quoted(&text));
            format!("{} {old} became {new}", spec.title)
        }));
    } else if let Some(column) = spec.name_column() {
        phrases.extend(named(spec, column, before, after));
    } else {
        phrases.extend(unnamed(spec, before, after));
    }
    phrases
}

/// Differences of tables whose rows have names.
fn named(spec: &TableSpec, column: usize, before: &DataTable, after: &DataTable) -> Vec<String> {
    let index = |table: &DataTable| -> HashMap<String, usize> {
        table.rows.iter().enumerate().map(|(row, cells)| (cells.cell(column).to_owned(), row)).collect()
    };
    let (old, new) = (index(before), index(after));
    let names = |own: &DataTable, other: &HashMap<String, usize>| -> Vec<String> {
        let names = own.rows.iter().map(|row| row.cell(column)).filter(|name| !other.contains_key(*name));
        names.map(quoted).collect()
    };
    let is_changed = |name: &&str| {
        let row = |table: &DataTable, index: &HashMap<String, usize>| {
            index.get(*name).and_then(|&row| table.rows.get(row).cloned())
        };
        old.contains_key(*name) && row(before, &old) != row(after, &new)
    };
    let changed: Vec<String> = after.rows.iter().map(|row| row.cell(column)).filter(is_changed).map(quoted).collect();
    let more = phrase(&names(after, &old), spec.noun, " more");
    let fewer = phrase(&names(before, &new), spec.noun, " fewer");
    let moved = before.rows.len() == after.rows.len() && changed.is_empty() && more.is_none() && fewer.is_none();
    let order = moved.then(|| format!("{}s in another order", spec.noun));
    [more, fewer, phrase(&changed, spec.noun, " changed"), order].into_iter().flatten().collect()
}

/// Differences of tables whose rows have no names: numbers of rows that only one of them has.
fn unnamed(spec: &TableSpec, before: &DataTable, after: &DataTable) -> Vec<String> {
    let mut surplus: HashMap<&super::Row, i64> = HashMap::new();
    for row in after.rows.iter() {
        *surplus.entry(row).or_default() += 1;
    }
    for row in before.rows.iter() {
        *surplus.entry(row).or_default() -= 1;
    }
    let total = |sign: i64| surplus.values().map(|count| (count * sign).max(0) as u64).sum::<u64>();
    let phrase = |count: u64, word: &str| (count > 0).then(|| format!("{}{word}", counted(count, spec.noun)));
    [phrase(total(1), " more"), phrase(total(-1), " fewer")].into_iter().flatten().collect()
}

fn phrase(names: &[String], noun: &str, word: &str) -> Option<String> {
    (!names.is_empty()).then(|| format!("{}{word}: {}", counted(names.len() as u64, noun), listed(names)))
}

#[cfg(test)]
mod tests {
    use super::super::{ColumnSpec, Row, ValueKind};
    use super::*;
    use crate::text::columns::Column;

    const EXAMS: [ColumnSpec; 2] = [
        ColumnSpec::new(Column::required("code", ""), "Code", ValueKind::Name, "Code of the exam."),
        ColumnSpec::new(Column::optional("title", ""), "Title", ValueKind::Text, "Title of the exam."),
    ];
    const LINES: [ColumnSpec; 1] =
        [ColumnSpec::new(Column::required("exam", ""), "Exam", ValueKind::Reference("exams"), "The exam.")];
    const FORM: [ColumnSpec; 1] = [ColumnSpec::new(Column::optional("width", ""), "Width", ValueKind::Text, "Width.")];
    const SPECS: [TableSpec; 3] = [
        TableSpec::new("exams", "Exams", "exam", "The exams.", &EXAMS),
        TableSpec::new("enrolments", "Enrolments", "enrolment", "Who sits them.", &LINES),
        TableSpec::new("plant", "Plant", "plant", "The plant.", &FORM).form(),
    ];

    #[test]
    fn changes_are_counted_and_named() {
        let before = {
            let mut data = Dataset::empty(&SPECS, "session");
            data.tables[0].rows.extend([["A", "Algebra"], ["B", "Botany"], ["C", "Chemistry"]].map(Row::of));
            data.tables[1].rows.extend([["A"], ["A"], ["B"]].map(Row::of));
            data
        };
        let mut after = before.clone();
        assert!(differences(&SPECS, &before, &after).is_empty());
        after.tables[0].rows.remove(|row| row == 0);
        after.tables[0].rows.set(0, Row::of(["B", "Biology"]));
        after.tables[0].rows.extend([Row::of(["D", ""])]);
        after.tables[1].rows = [["A"], ["D"], ["D"], ["D"]].map(Row::of).into_iter().collect();
        after.tables[2].rows.set(0, Row::of(["7"]));
        let found = differences(&SPECS, &before, &after);
        assert_eq!(
            found,
            [
                "1 exam more: «D»", "1 exam fewer: «A»", "1 exam changed: «B»", "3 enrolments more",
                "2 enrolments fewer", "Width «» became «7»",
            ]
        );
    }
}
