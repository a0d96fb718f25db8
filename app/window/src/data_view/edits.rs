//! Edits of a table as values: cells, rows, columns, and what is pasted from a spreadsheet.

use gridwright_core::data::{
    ColumnSpec, DataTable, Dataset, DateOrder, Renamed, Row, Spellings, TableSpec, ValueKind, canonical_in, follow,
    lists, pasted_lines, renamed,
};
use gridwright_core::text::columns;
use gridwright_core::text::columns::Column;
use gridwright_core::text::notation::Evidence;

/// Data after an edit, with the name of the edit for the menu.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Name that follows «Undo».
    pub name: String,
    /// The data.
    pub data: Dataset,
    /// Table whose rows have other names.
    pub table: usize,
    /// Names of its rows that changed.
    pub renamed: Vec<Renamed>,
}

impl Edit {
    /// Edit that leads to these data and gives no row another name; `name` follows «Undo» in the menu.
    pub fn of(name: impl Into<String>, data: Dataset) -> Self {
        Self { name: name.into(), data, table: 0, renamed: Vec::new() }
    }

    /// Edit of the cells of a table in place; references to its rows follow their names.
    fn in_place(name: String, specs: &[TableSpec], table: usize, before: &Dataset, mut data: Dataset) -> Self {
        let renamed = renamed(&specs[table], &before.tables[table], &data.tables[table]);
        follow(specs, &mut data, table, &renamed);
        Self { name, data, table, renamed }
    }
}

/// Rectangle of shown cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    /// Rows in the order in which they are shown, as indices of the table.
    pub rows: Vec<usize>,
    /// Columns in the order in which they are shown, as indices of the table.
    pub columns: Vec<usize>,
}

/// Converter of entered texts to the form of a table's columns.
pub(crate) struct Entry<'a> {
    specs: &'static [TableSpec],
    table: usize,
    data: &'a Dataset,
    /// Row whose cells the texts replace, if it is one.
    row: Option<usize>,
    /// Notation of the numbers that are entered together, by column.
    entered: Vec<Evidence>,
    /// Spellings of the names that each column refers to, once they are needed.
    spellings: Vec<Option<Spellings>>,
}

impl<'a> Entry<'a> {
    pub(crate) fn new(specs: &'static [TableSpec], table: usize, data: &'a Dataset, row: Option<usize>) -> Self {
        let width = data.tables[table].width(&specs[table]);
        let (entered, spellings) = (vec![Evidence::default(); width], vec![None; width]);
        Self { specs, table, data, row, entered, spellings }
    }

    /// Notation of the numbers in a column: of those that are entered, or else of those that are there.
    fn notation(&self, column: usize) -> Evidence {
        let rows = self.data.tables[self.table].rows.iter().enumerate();
        let others = rows.filter(|(row, _)| self.row != Some(*row)).map(|(_, row)| row.cell(column));
        self.entered.get(column).copied().unwrap_or_default().or(Evidence::of(others))
    }

    /// The text as a value of the column: a number with two readings is read as the other numbers of the column are written,
    /// references take the spelling of the table that they refer to.
    pub(crate) fn value(&mut self, column: usize, text: &str) -> String {
        let kind = self.specs[self.table].kind(column);
        let has_doubt = kind.is_number() && Evidence::default().doubt(text).is_some();
        let numbers = if has_doubt { self.notation(column) } else { Evidence::default() };
        let value = canonical_in(kind, text, DateOrder::DayFirst, numbers);
        let (ValueKind::Reference(id) | ValueKind::References(id)) = kind else { return value };
        let (specs, data) = (self.specs, self.data);
        let Some(place) = self.spellings.get_mut(column) else { return value };
        let known = place.get_or_insert_with(|| {
            let mut spellings = Spellings::default();
            let at = specs.iter().position(|spec| spec.id == id);
            if let Some((at, names)) = at.and_then(|at| Some((at, specs[at].name_column()?))) {
                data.tables[at].rows.iter().for_each(|row| {
                    spellings.learn(row.cell(names));
                });
            }
            spellings
        });
        match known.known(&value) {
            Some(known) => known.to_owned(),
            None if matches!(kind, ValueKind::References(_)) => {
                lists::joined(lists::references(&value).map(|item| known.known(item).unwrap_or(item)))
            }
            None => value,
        }
    }
}

/// Sets one cell.
pub fn set_cell(
    data: &Dataset, specs: &'static [TableSpec], table: usize, row: usize, column: usize, text: &str,
) -> Option<Edit> {
    let value = Entry::new(specs, table, data, Some(row)).value(column, text);
    let present = data.tables[table].rows.get(row)?;
    if present.cell(column) == value {
        return None;
    }
    let mut changed = data.clone();
    changed.tables[table].rows.set(row, present.with(column, &value));
    let heading = data.tables[table].heading(&specs[table], column);
    Some(Edit::in_place(format!("change {heading} in row {}", row + 1), specs, table, data, changed))
}

/// Empties cells.
pub fn clear(data: &Dataset, specs: &'static [TableSpec], table: usize, cells: &Cells) -> Edit {
    let mut changed = data.clone();
    for &row in &cells.rows {
        let rows = &mut changed.tables[table].rows;
        if let Some(present) = rows.get(row).cloned() {
            rows.set(row, cells.columns.iter().fold(present, |row, &column| row.with(column, "")));
        }
    }
    Edit::of(format!("empty cells of {}", specs[table].title), changed)
}

/// Adds rows with their defaults at the end.
pub fn add_row(data: &Dataset, specs: &'static [TableSpec], table: usize) -> Edit {
    let mut changed = data.clone();
    let row = changed.tables[table].new_row(&specs[table]);
    changed.tables[table].rows.extend([row]);
    Edit::of(format!("add a {}", specs[table].noun), changed)
}

/// Removes rows.
pub fn remove_rows(data: &Dataset, specs: &'static [TableSpec], table: usize, rows: &[usize]) -> Edit {
    let mut changed = data.clone();
    let mut sorted = rows.to_vec();
    sorted.sort_unstable();
    changed.tables[table].rows.remove(|row| sorted.binary_search(&row).is_ok());
    let count = gridwright_core::numbers::counted(rows.len() as u64, specs[table].noun);
    Edit::of(format!("remove {count}"), changed)
}

/// Adds a further column; `None` if there is one of this name.
pub fn add_column(data: &Dataset, specs: &'static [TableSpec], table: usize, name: &str) -> Option<Edit> {
    let further = specs[table].further?;
    if name.trim().is_empty() || data.tables[table].further.iter().any(|known| known == name.trim()) {
        return None;
    }
    let mut changed = data.clone();
    changed.tables[table].add_column(&specs[table], name.trim());
    Some(Edit::of(format!("add the {} {}", further.noun, name.trim()), changed))
}

/// Removes a further column.
pub fn remove_column(data: &Dataset, specs: &'static [TableSpec], table: usize, column: usize) -> Option<Edit> {
    let further = specs[table].further?;
    let name = data.tables[table].further.get(column.checked_sub(specs[table].columns.len())?)?.clone();
    let mut changed = data.clone();
    changed.tables[table].remove_column(&specs[table], column);
    Some(Edit::of(format!("remove the {} {name}", further.noun), changed))
}

/// Cells as text for the clipboard: tabs between columns, one line per row.
pub(crate) fn copied(data: &Dataset, table: usize, cells: &Cells) -> String {
    let rows = &data.tables[table].rows;
    let line = |row: &Row| {
        let texts = cells.columns.iter().map(|&column| row.cell(column).replace(['\t', '\n', '\r'], " "));
        texts.collect::<Vec<_>>().join("\t")
    };
    cells.rows.iter().filter_map(|&row| rows.get(row)).map(line).collect::<Vec<_>>().join("\n")
}

/// Pastes text from a spreadsheet: lines with headings are added below the table by the names of their columns, other lines
/// go into the cells from row `at` (of the shown rows `shown`) on, in `columns` from the left; those beyond the last row are added.
/// `None` if there is nothing to paste.
pub fn paste(
    data: &Dataset, specs: &'static [TableSpec], table: usize, shown: &[usize], (at, columns): (usize, &[usize]),
    text: &str,
) -> Option<Edit> {
    let lines = pasted_lines(text);
    let spec = &specs[table];
    let mut entry = Entry::new(specs, table, data, None);
    let mut changed = data.clone();
    let own = &mut changed.tables[table];
    let places = headings(spec, own, lines.first()?);
    let body = if places.is_some() { &lines[1..] } else { &lines[..] };
    let place = |offset: usize| match &places {
        Some(places) => places.get(offset).copied().flatten(),
        None => columns.get(offset).copied(),
    };
    for (offset, cell) in body.iter().flat_map(|cells| cells.iter().enumerate()) {
        if let Some(evidence) = place(offset).and_then(|place| entry.entered.get_mut(place)) {
            evidence.look(cell);
        }
    }
    for (index, cells) in body.iter().enumerate() {
        let target = if places.is_some() { None } else { shown.get(at + index).copied() };
        let mut row = target.and_then(|row| own.rows.get(row).cloned()).unwrap_or_else(|| own.new_row(spec));
        for (offset, cell) in cells.iter().enumerate() {
            if let Some(place) = place(offset) {
                row = row.with(place, &entry.value(place, cell));
            }
        }
        match target {
            Some(target) => own.rows.set(target, row),
            None => own.rows.extend([row]),
        }
    }
    if body.is_empty() {
        return None;
    }
    let count = gridwright_core::numbers::counted(body.len() as u64, "row");
    Some(Edit::in_place(format!("paste {count} into {}", spec.title), specs, table, data, changed))
}

/// Columns of the table that a line of headings names; `None` if the line is one of values.
fn headings(spec: &TableSpec, table: &DataTable, line: &[String]) -> Option<Vec<Option<usize>>> {
    let declared: Vec<Column> = spec.columns.iter().map(|column: &ColumnSpec| column.column).collect();
    let named = columns::find(line.iter().map(String::as_str), &declared);
    let mut places = vec![None; line.len()];
    for (column, at) in named.iter().enumerate() {
        if let Some(place) = at.and_then(|at| places.get_mut(at)) {
            *place = Some(column);
        }
    }
    for (at, name) in line.iter().enumerate() {
        let further = table.further.iter().position(|known| known.trim().eq_ignore_ascii_case(name));
        if let (None, Some(further)) = (places[at], further) {
            places[at] = Some(spec.columns.len() + further);
        }
    }
    let is_value =
        |column: usize| table.rows.iter().take(1000).any(|row| line.iter().any(|cell| cell == row.cell(column)));
    let found = places.iter().flatten().count();
    let needed = spec.columns.iter().filter(|column| column.column.required).count().clamp(1, 2);
    (found >= needed && !spec.name_column().is_some_and(is_value)).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_core::data::{FurtherColumns, Reader};

    const COLUMNS: [ColumnSpec; 2] = [
        ColumnSpec::new(Column::required("job", "auftrag"), "Job", ValueKind::Name, "Name."),
        ColumnSpec::new(Column::optional("due", "termin"), "Due", ValueKind::Text, "When it is due."),
    ];

    /// Jobs with a column of times for each machine.
    const SPECS: &[TableSpec] =
        &[TableSpec::new("jobs", "Jobs", "job", "The jobs.", &COLUMNS).with_further(FurtherColumns {
            noun: "machine",
            kind: ValueKind::Whole { least: 0, most: 1_000_000 },
            unit: "",
            help: "Times of the jobs.",
            default: "0",
            absence: "",
        })];

    /// Two jobs on two machines.
    fn shop() -> Dataset {
        let mut data = Dataset::empty(SPECS, "shop");
        data.tables[0].further = vec!["M1".into(), "M2".into()];
        data.tables[0].rows.extend([Row::of(["J1", "", "3", "2"]), Row::of(["J2", "", "1", "4"])]);
        data
    }

    fn rows(data: &Dataset) -> Vec<String> {
        data.tables[0].rows.iter().map(|row| row.cells().collect::<Vec<_>>().join("|")).collect()
    }

    #[test]
    fn cells_are_changed_and_nothing_else() {
        let data = shop();
        let edit = set_cell(&data, SPECS, 0, 1, 2, " 1 200 ").unwrap();
        assert_eq!(rows(&edit.data), ["J1||3|2", "J2||1200|4"]);
        assert_eq!(edit.name, "change M1 in row 2");
        assert!(set_cell(&data, SPECS, 0, 1, 2, "1").is_none(), "the value is the same");
        let cells = Cells { rows: vec![0, 1], columns: vec![2, 3] };
        assert_eq!(copied(&data, 0, &cells), "3\t2\n1\t4");
        assert_eq!(rows(&clear(&data, SPECS, 0, &cells).data), ["J1|||", "J2|||"]);
        assert_eq!(rows(&remove_rows(&data, SPECS, 0, &[0]).data), ["J2||1|4"]);
        assert_eq!(rows(&add_row(&data, SPECS, 0).data)[2], "||0|0");
        let wider = add_column(&data, SPECS, 0, "Saw").unwrap().data;
        assert_eq!((rows(&wider)[0].as_str(), add_column(&wider, SPECS, 0, "Saw").is_none()), ("J1||3|2|0", true));
        assert_eq!(rows(&remove_column(&wider, SPECS, 0, 2).unwrap().data)[0], "J1||2|0");
        assert!(remove_column(&data, SPECS, 0, 1).is_none(), "declared columns stay");
    }

    /// A table of names and these amounts, and its declaration.
    fn amounts(cells: &[&str]) -> (&'static [TableSpec], Dataset) {
        const COLUMNS: [ColumnSpec; 2] = [
            ColumnSpec::new(Column::required("name", ""), "Name", ValueKind::Name, "Name."),
            ColumnSpec::new(
                Column::optional("amount", ""),
                "Amount",
                ValueKind::Number { least: 0.0, most: 1e9 },
                "Amount.",
            ),
        ];
        const SPECS: [TableSpec; 1] = [TableSpec::new("amounts", "Amounts", "amount", "The amounts.", &COLUMNS)];
        let mut data = Dataset::empty(&SPECS, "amounts");
        data.tables[0].rows.extend(cells.iter().enumerate().map(|(at, cell)| Row::of([&format!("R{at}"), *cell])));
        (&SPECS, data)
    }

    #[test]
    fn a_typed_number_with_two_readings_is_read_as_its_column_or_refused() {
        let typed = |others: &[&str], text: &str| {
            let (specs, data) = amounts(others);
            let edit = set_cell(&data, specs, 0, 0, 1, text).unwrap();
            let what = Reader::new(&edit.data, specs).finish(|| Ok(())).err().map(|issues| issues[0].what.clone());
            (edit.data.tables[0].rows.get(0).unwrap().cell(1).to_owned(), what)
        };
        let (cell, what) = typed(&["12.5", "900"], "1.250");
        let what = what.unwrap();
        assert_eq!(cell, "1.250", "the former value of the cell itself shows nothing");
        assert!(what.contains("«1.250» is 1250 or 1.25") && what.ends_with("write 1250 or 1.25"), "{what}");
        assert!(typed(&["", ""], "1,250").1.unwrap().contains("1.25 or 1250"));
        assert_eq!(typed(&["", "12.5"], "1.250"), ("1.2500".to_owned(), None));
        assert_eq!(typed(&["", "12.5"], "1,250"), ("1250".to_owned(), None));
        assert_eq!(typed(&["", ""], "1.250,50"), ("1250.50".to_owned(), None));
        assert_eq!(typed(&["", "1.250"], "1.250").0, "1.250", "a refused number decides nothing");
    }

    #[test]
    fn pasted_numbers_are_read_together() {
        let pasted = |text: &str| {
            let (specs, data) = amounts(&["12.5", ""]);
            let edit = paste(&data, specs, 0, &[0, 1], (0, &[1]), text).unwrap();
            rows(&edit.data)
        };
        assert_eq!(pasted("1.250\n900,25"), ["R0|1250", "R1|900.25"]);
        assert_eq!(pasted("1.250\n900"), ["R0|1.2500", "R1|900"], "the column decides");
    }

    #[test]
    fn pasted_values_go_into_the_cells_and_below_the_table() {
        let edit = paste(&shop(), SPECS, 0, &[0, 1], (1, &[2, 3]), "7\t8\n9\t10\n\n").unwrap();
        assert_eq!(rows(&edit.data), ["J1||3|2", "J2||7|8", "||9|10"]);
        assert_eq!(edit.name, "paste 2 rows into Jobs");
    }

    #[test]
    fn pasted_lines_with_headings_are_added_by_column() {
        let edit =
            paste(&shop(), SPECS, 0, &[0, 1], (0, &[0, 1, 2, 3]), "M2;Auftrag;Termin\n5;Desk;20\n6;Chair;30").unwrap();
        assert_eq!(rows(&edit.data), ["J1||3|2", "J2||1|4", "Desk|20|0|5", "Chair|30|0|6"]);
        assert!(paste(&shop(), SPECS, 0, &[], (0, &[0]), " \n\t\n").is_none());
    }
}
