//! Cells of a sheet that belong to rows of another table than the sheet's own.

use std::collections::HashSet;

use super::{Filling, Reading};
use crate::data::{CarriedTo, ValueKind, canonical};
use crate::text::lines::{Effect, quoted};

/// Value that sheets give to a row of another table.
pub(super) struct Carry {
    value: String,
    /// Line of its first mention.
    line: usize,
    /// True once a line with another value was reported.
    is_told: bool,
}

impl<'a> Filling<'a> {
    /// Takes what a line says for another table.
    pub(super) fn carry(&mut self, reading: &Reading<'a>, line: usize, values: &[String], cells: &[&str]) {
        let (spec, mapping) = (&self.specs[reading.table], &reading.mapped.mapping);
        let Some(carried) = spec.carried else { return };
        let place = mapping.columns.get(spec.columns.len()).copied().flatten();
        let text = place.and_then(|at| cells.get(at)).map_or("", |cell| cell.trim());
        let Some(name) = values.get(carried.reference).filter(|_| !text.is_empty()) else { return };
        match (carried.target, spec.kind(carried.reference)) {
            (CarriedTo::Pairs(id), _) => self.carry_pairs(reading, line, (id, name), place, text),
            (CarriedTo::Cell(column), ValueKind::Reference(id)) => {
                let Some(table) = self.specs.iter().position(|spec| spec.id == id) else { return };
                let value = canonical(self.specs[table].kind(column), text, mapping.dates);
                self.carry_cell(reading, line, (table, column, name.clone()), place, &value);
            }
            _ => {}
        }
    }

    /// Adds a pair of each name in a list with the row of this name.
    fn carry_pairs(
        &mut self, reading: &Reading<'a>, line: usize, (id, name): (&str, &str), place: Option<usize>, text: &str,
    ) {
        let Some(table) = self.specs.iter().position(|spec| spec.id == id) else { return };
        let spec = &self.specs[table];
        let Some((wide, ValueKind::Reference(of))) = spec.wide.map(|wide| (wide, spec.kind(wide.row))) else { return };
        for item in self.listed(of, text) {
            match self.reference(reading, line, place, of, item, true) {
                Some(item) => {
                    let row = self.data.tables[table].new_row(spec);
                    self.data.tables[table].rows.extend([row.with(wide.row, &item).with(wide.column, name)]);
                }
                None => self.counts[reading.at].values_left_out += 1,
            }
        }
    }

    /// Remembers what a line says of the row of another table to which it refers. The first line counts; one remark names the first
    /// line that says something else.
    fn carry_cell(
        &mut self, reading: &Reading<'a>, line: usize, key: (usize, usize, String), place: Option<usize>, text: &str,
    ) {
        let name = key.2.clone();
        let first = || Carry { value: text.to_owned(), line, is_told: false };
        let known = self.carried.entry(key).or_insert_with(first);
        if known.value != text && !std::mem::replace(&mut known.is_told, true) {
            let what = format!("line {} says {} of {}, which counts", known.line, quoted(&known.value), quoted(&name));
            self.cell_problem(reading, line, place, text, &what, Effect::Nothing);
        }
    }

    /// Fills empty cells with what other sheets say of their rows.
    pub(super) fn fill_carried(&mut self) {
        let places: HashSet<(usize, usize)> = self.carried.keys().map(|(table, column, _)| (*table, *column)).collect();
        for (table, column) in places {
            let Some(names) = self.specs[table].name_column() else { continue };
            let rows = &mut self.data.tables[table].rows;
            for index in 0..rows.len() {
                let Some(row) = rows.get(index).filter(|row| row.cell(column).is_empty()) else { continue };
                if let Some(carry) = self.carried.get(&(table, column, row.cell(names).to_owned())) {
                    let row = row.with(column, &carry.value);
                    rows.set(index, row);
                }
            }
        }
    }
}
