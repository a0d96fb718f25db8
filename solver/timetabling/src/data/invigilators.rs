//! Invigilators and the rules for their number as rows of tables, and back.

use std::collections::BTreeSet;

use super::number;
use super::resources::{moments, positive, unavailable};
use super::specs::{OF_EXAMS, OF_INVIGILATION, OF_INVIGILATORS};
use crate::invigilators::{ChiefScope, InvigilationRules, Invigilator, Role};
use crate::{Instance, Period};
use gridwright_core::data::{Reader, Row, RowReader, Rows, lists};
use gridwright_core::text::lines::quoted;

/// Rows of the tables of invigilators and of the rules for their number.
pub(super) fn rows_of(instance: &Instance) -> [Rows; 2] {
    let people = &instance.resources.invigilators;
    let codes = |indices: &BTreeSet<u16>, code: &dyn Fn(usize) -> Option<String>| {
        lists::joined(indices.iter().filter_map(|&index| code(index.into())))
    };
    let exam = |exam: usize| instance.exams.get(exam).map(|exam| exam.code.clone());
    let colleague = |person: usize| people.get(person).map(|person| person.code.clone());
    let person = |person: &Invigilator| {
        Row::of([
            person.code.clone(),
            person.name.clone(),
            person.email.clone(),
            if person.role == Role::default() { String::new() } else { person.role.word().to_owned() },
            positive(person.least_duties),
            number(person.most_duties),
            moments(&instance.periods, &person.unavailable),
            codes(&person.forbidden_exams, &exam),
            codes(&person.forbidden_colleagues, &colleague),
        ])
    };
    let rules = |rules: InvigilationRules| {
        let chief = rules.chief.map_or("", ChiefScope::word).to_owned();
        Row::of([
            number(rules.students),
            number(rules.least),
            chief,
            number(rules.reserves),
            number(rules.most_in_a_row),
        ])
    };
    [people.iter().map(person).collect(), instance.resources.invigilation.into_iter().map(rules).collect()]
}

/// Indices of the rows that a list in a cell names.
fn indices(reader: &Reader, table: usize, cell: &str) -> BTreeSet<u16> {
    let indices = reader.listed(table, cell).into_iter().filter_map(|name| reader.index_of(table, name));
    indices.filter_map(|index| u16::try_from(index).ok()).collect()
}

/// Colleagues with whom the person of a row does not share a room. Rows may name later ones, which a column of references does not allow.
fn colleagues_of(reader: &mut Reader, row: RowReader) -> BTreeSet<u16> {
    const COLUMN: usize = 8;
    let mut colleagues = BTreeSet::new();
    for name in reader.listed(OF_INVIGILATORS, row.text(COLUMN)) {
        match reader.index_of(OF_INVIGILATORS, name) {
            Some(own) if own == row.index => {
                let what = format!("{} is the code of the same person; leave it out", quoted(name));
                reader.issue(OF_INVIGILATORS, Some(row.index), Some(COLUMN), what);
            }
            Some(index) => colleagues.extend(u16::try_from(index)),
            None => {
                let what = format!("{} is not in the table “Invigilators”; add it there, or correct it", quoted(name));
                reader.issue(OF_INVIGILATORS, Some(row.index), Some(COLUMN), what);
            }
        }
    }
    colleagues
}

/// Invigilators of a session; contradictions within a row become issues.
pub(super) fn invigilators_of(reader: &mut Reader, periods: &[Period], warnings: &mut Vec<String>) -> Vec<Invigilator> {
    let mut people = Vec::new();
    for row in reader.rows(OF_INVIGILATORS) {
        let count = |column| row.whole(column).and_then(|count| u32::try_from(count).ok());
        let (least, most) = (count(4).unwrap_or(0), count(5));
        if let Some(most) = most.filter(|&most| most < least) {
            let what = format!("{} has at least {least} and at most {most} duties; correct one of them", row.text(0));
            reader.issue(OF_INVIGILATORS, Some(row.index), Some(5), what);
        }
        let forbidden_colleagues = colleagues_of(reader, row);
        people.push(Invigilator {
            code: row.text(0).to_owned(),
            name: row.text(1).to_owned(),
            email: row.text(2).to_owned(),
            role: Role::of_word(row.text(3)).unwrap_or_default(),
            least_duties: least,
            most_duties: most,
            unavailable: unavailable(reader, (OF_INVIGILATORS, 6), row, periods, warnings),
            forbidden_exams: indices(reader, OF_EXAMS, row.text(7)),
            forbidden_colleagues,
        });
    }
    people
}

/// Rules for the number of invigilators; `None` if there is no row.
pub(super) fn rules_of(reader: &mut Reader) -> Option<InvigilationRules> {
    let mut rows = reader.rows(OF_INVIGILATION);
    let first = rows.next()?;
    if let Some(second) = rows.next() {
        let what = "there is a second row of rules; remove one of them";
        reader.issue(OF_INVIGILATION, Some(second.index), None, what);
    }
    let of = |row: RowReader, column| row.whole(column).and_then(|count| u32::try_from(count).ok());
    Some(InvigilationRules {
        students: of(first, 0),
        least: of(first, 1),
        chief: ChiefScope::of_word(first.text(2)),
        reserves: of(first, 3),
        most_in_a_row: of(first, 4),
    })
}
