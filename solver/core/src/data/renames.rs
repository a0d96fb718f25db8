//! Names that rows had before a person changed them, so that plans made with the former names keep their items.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::lists::{joined, references};
use super::{ColumnSpec, DataTable, Dataset, Row, TableSpec, ValueKind, key};

/// A name and the one that follows it.
pub type Renamed = (String, String);

/// Former names of the rows of each table with the present ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormerNames(BTreeMap<String, BTreeMap<String, String>>);

impl FormerNames {
    /// True if no row had another name.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Present name of the row of a table that was called `name`; `None` if there is none, or if a row is called so now.
    pub fn present(&self, table: &str, name: &str) -> Option<&str> {
        self.0.get(table)?.get(name).map(String::as_str)
    }

    /// Gives a name of a table its present form.
    pub fn update(&self, table: &str, name: &mut String) {
        if let Some(present) = self.present(table, name) {
            present.clone_into(name);
        }
    }

    /// The former names after rows of `table` were renamed, which led to `data`. Names that rows bear again are no former ones.
    #[must_use]
    pub fn with(&self, specs: &[TableSpec], data: &Dataset, table: usize, renamed: &[Renamed]) -> Self {
        let mut all = self.clone();
        if !renamed.is_empty() {
            let own = all.0.entry(specs[table].id.to_owned()).or_default();
            for (before, after) in renamed {
                own.values_mut().filter(|name| *name == before).for_each(|name| name.clone_from(after));
                own.insert(before.clone(), after.clone());
            }
        }
        for (spec, table) in specs.iter().zip(&data.tables) {
            let (Some(own), Some(column)) = (all.0.get_mut(spec.id), spec.name_column()) else { continue };
            table.rows.iter().for_each(|row| {
                own.remove(row.cell(column));
            });
        }
        all.0.retain(|_, names| !names.is_empty());
        all
    }
}

/// Rows of a table that have another name at the same place, with both names: the former one is gone, the other one new.
pub fn renamed(spec: &TableSpec, before: &DataTable, after: &DataTable) -> Vec<Renamed> {
    let Some(column) = spec.name_column() else { return Vec::new() };
    let pairs = before.rows.iter().zip(after.rows.iter());
    let pairs = pairs.map(|(before, after)| (before.cell(column), after.cell(column)));
    let mut pairs: Vec<(&str, &str)> = pairs.filter(|(before, after)| before != after).collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    let counts = |table: &DataTable, names: &mut HashMap<String, [usize; 2]>, side: usize| {
        for row in table.rows.iter() {
            if let Some(counts) = names.get_mut(row.cell(column)) {
                counts[side] += 1;
            }
        }
    };
    let names = pairs.iter().flat_map(|(before, after)| [*before, *after]);
    let mut names: HashMap<String, [usize; 2]> = names.map(|name| (name.to_owned(), [0, 0])).collect();
    counts(before, &mut names, 0);
    counts(after, &mut names, 1);
    let is_clear = |name: &str, counts: [usize; 2]| !name.is_empty() && names.get(name) == Some(&counts);
    pairs.retain(|(before, after)| is_clear(before, [1, 0]) && is_clear(after, [0, 1]));
    pairs.into_iter().map(|(before, after)| (before.to_owned(), after.to_owned())).collect()
}

/// Gives the references to renamed rows of `table` their present names.
pub fn follow(specs: &[TableSpec], data: &mut Dataset, table: usize, renamed: &[Renamed]) {
    let names: HashMap<String, &str> = renamed.iter().map(|(before, after)| (key(before), after.as_str())).collect();
    if names.is_empty() {
        return;
    }
    let is_filled = |column: usize| data.tables[table].rows.iter().any(|row| !row.cell(column).is_empty());
    let has_mentions = |column: &ColumnSpec| {
        let mentions = column.mentions.filter(|mentions| mentions.table == specs[table].id);
        mentions.is_some_and(|mentions| !mentions.unless.is_some_and(is_filled))
    };
    let mentioning: Vec<Vec<bool>> = specs.iter().map(|spec| spec.columns.iter().map(has_mentions).collect()).collect();
    for ((spec, own), mentioning) in specs.iter().zip(&mut data.tables).zip(&mentioning) {
        for column in 0..spec.columns.len() {
            let is_list = match spec.kind(column) {
                ValueKind::Reference(id) if id == specs[table].id => false,
                ValueKind::References(id) if id == specs[table].id => true,
                ValueKind::Text if mentioning[column] => true,
                _ => continue,
            };
            for at in 0..own.rows.len() {
                if let Some(row) = own.rows.get(at).and_then(|row| followed(row, column, &names, is_list)) {
                    own.rows.set(at, row);
                }
            }
        }
    }
}

/// The row with the present names in a cell; `None` if it names none that changed. Spellings are compared as readers do.
fn followed(row: &Row, column: usize, names: &HashMap<String, &str>, is_list: bool) -> Option<Row> {
    let cell = row.cell(column);
    if let Some(name) = names.get(&key(cell)) {
        return Some(row.with(column, name));
    }
    let has_one = is_list && references(cell).any(|item| names.contains_key(&key(item)));
    has_one.then(|| {
        let present = references(cell).map(|item| names.get(&key(item)).copied().unwrap_or(item));
        row.with(column, &joined(present))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::columns::Column;

    const ROOMS: [ColumnSpec; 2] = [
        ColumnSpec::new(Column::required("room", ""), "Room", ValueKind::Name, "Code."),
        ColumnSpec::new(Column::optional("seats", ""), "Seats", ValueKind::Text, "Seats."),
    ];
    const EXAMS: [ColumnSpec; 2] = [
        ColumnSpec::new(Column::required("exam", ""), "Exam", ValueKind::Name, "Code."),
        ColumnSpec::new(Column::optional("rooms", ""), "Rooms", ValueKind::References("rooms"), "Rooms."),
    ];
    const SPECS: [TableSpec; 2] = [
        TableSpec::new("rooms", "Rooms", "room", "The rooms.", &ROOMS),
        TableSpec::new("exams", "Exams", "exam", "The exams.", &EXAMS),
    ];

    fn data(rooms: &[&str], exams: &[[&str; 2]]) -> Dataset {
        let mut data = Dataset::empty(&SPECS, "session");
        data.tables[0].rows.extend(rooms.iter().map(|room| Row::of([*room, "10"])));
        data.tables[1].rows.extend(exams.iter().map(Row::of));
        data
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<Renamed> {
        pairs.iter().map(|(before, after)| ((*before).to_owned(), (*after).to_owned())).collect()
    }

    fn renamed_rooms(before: &[&str], after: &[&str]) -> Vec<Renamed> {
        renamed(&SPECS[0], &data(before, &[]).tables[0], &data(after, &[]).tables[0])
    }

    #[test]
    fn only_names_that_are_gone_and_new_are_renamings() {
        assert_eq!(renamed_rooms(&["H1", "H2"], &["Hall", "H2"]), pairs(&[("H1", "Hall")]));
        assert_eq!(renamed_rooms(&["H1", "H2"], &["Hall", "Attic", "H3"]), pairs(&[("H1", "Hall"), ("H2", "Attic")]));
        // Two rows that exchange their names, and names that are empty or there twice, do not tell which row is meant.
        for after in [&["H2", "H1"], &["", "H2"], &["H2", "H2"], &["Hall", "Hall"]] {
            assert_eq!(renamed_rooms(&["H1", "H2"], after), [], "{after:?}");
        }
        assert_eq!(renamed_rooms(&["H1", "H1"], &["Hall", "H1"]), []);
    }

    #[test]
    fn references_follow_the_names() {
        let mut changed = data(&["Hall", "H2"], &[["A", "h1; H2"], ["B", "H1"], ["C", "H11"]]);
        follow(&SPECS, &mut changed, 0, &pairs(&[("H1", "Hall")]));
        let cells: Vec<String> = changed.tables[1].rows.iter().map(|row| row.cell(1).to_owned()).collect();
        assert_eq!(cells, ["Hall; H2", "Hall", "H11"]);
    }

    #[test]
    fn names_in_texts_follow_unless_another_column_gives_them() {
        const JOBS: [ColumnSpec; 2] = [
            ColumnSpec::new(Column::required("job", ""), "Job", ValueKind::Name, "Name."),
            ColumnSpec::new(Column::optional("family", ""), "Family", ValueKind::Text, "Family."),
        ];
        const SETUPS: [ColumnSpec; 2] = [
            ColumnSpec::new(Column::optional("from", ""), "From", ValueKind::Text, "Job.").mentioning("jobs", Some(1)),
            ColumnSpec::new(Column::optional("text", ""), "Text", ValueKind::Text, "Any text."),
        ];
        const SPECS: [TableSpec; 2] = [
            TableSpec::new("jobs", "Jobs", "job", "The jobs.", &JOBS),
            TableSpec::new("setups", "Set-ups", "set-up", "The set-ups.", &SETUPS),
        ];
        for (family, first) in [("", "Gear"), ("red", "A")] {
            let mut changed = Dataset::empty(&SPECS, "shop");
            changed.tables[0].rows.extend([["Gear", family], ["B", ""]].iter().map(Row::of));
            changed.tables[1].rows.extend([["A", "A"], ["B", ""]].iter().map(Row::of));
            follow(&SPECS, &mut changed, 0, &pairs(&[("A", "Gear")]));
            let cells: Vec<[&str; 2]> = changed.tables[1].rows.iter().map(|row| [row.cell(0), row.cell(1)]).collect();
            assert_eq!(cells, [[first, "A"], ["B", ""]]);
        }
    }

    #[test]
    fn former_names_lead_to_the_present_one_until_a_row_bears_them_again() {
        let names = FormerNames::default().with(&SPECS, &data(&["B"], &[]), 0, &pairs(&[("A", "B")]));
        let names = names.with(&SPECS, &data(&["C"], &[]), 0, &pairs(&[("B", "C")]));
        assert_eq!((names.present("rooms", "A"), names.present("rooms", "B")), (Some("C"), Some("C")));
        assert_eq!((names.present("exams", "A"), names.present("rooms", "C")), (None, None));
        let names = names.with(&SPECS, &data(&["A"], &[]), 0, &pairs(&[("C", "A")]));
        assert_eq!((names.present("rooms", "A"), names.present("rooms", "C")), (None, Some("A")));
        let names = names.with(&SPECS, &data(&["A", "B", "C"], &[]), 1, &[]);
        assert!(names.is_empty(), "every name is in use: {names:?}");
    }
}
