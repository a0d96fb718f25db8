//! Names in the cells of sheets and the rows that they refer to.

use super::{Filling, Reading};
use crate::data::lists::references;
use crate::data::{ValueKind, key, told_apart};
use crate::text::columns;
use crate::text::lines::{Effect, quoted};

impl<'a> Filling<'a> {
    /// Names in a cell: the whole cell if a row of the table has this name, otherwise the items of a list.
    pub(super) fn listed(&self, id: &str, text: &str) -> Vec<String> {
        let table = self.specs.iter().position(|spec| spec.id == id);
        let is_name = table.is_some_and(|table| self.names[table].0.known(text).is_some());
        if is_name { vec![text.to_owned()] } else { references(text).map(str::to_owned).collect() }
    }

    /// A name that no other row may have.
    pub(super) fn new_name(
        &mut self, reading: &Reading<'a>, line: usize, place: Option<usize>, name: String,
    ) -> Option<String> {
        let (spellings, lines) = &mut self.names[reading.table];
        if let Some(known) = spellings.known(&name).map(str::to_owned) {
            let at = lines.get(&known).map_or_else(String::new, |line| format!(" in line {line}"));
            let known = told_apart(&known, &name);
            let what = format!("{known} stands already{at}; names are compared without regard to case");
            self.cell_problem(reading, line, place, &name, &what, Effect::Line);
            return None;
        }
        spellings.learn(&name);
        lines.insert(name.clone(), line);
        Some(name)
    }

    /// The spelling of a name in the table that it refers to; `is_listed` for one of several in a cell.
    pub(super) fn reference(
        &mut self, reading: &Reading<'a>, line: usize, place: Option<usize>, id: &str, name: String, is_listed: bool,
    ) -> Option<String> {
        let Some(target) = self.specs.iter().position(|spec| spec.id == id) else { return Some(name) };
        self.count_unknown(target, &name);
        if let Some(known) = self.known(target, &name) {
            if known != name {
                self.counts[reading.at].respelled += 1;
                let what = format!("{} is taken for {}", quoted(&name), told_apart(&known, &name));
                self.cell_problem(reading, line, place, &name, &what, Effect::Nothing);
            }
            return Some(known);
        }
        let spec = &self.specs[target];
        // A row with the name alone must be one.
        let is_enough = spec.columns.iter().all(|column| !column.column.required || column.kind == ValueKind::Name);
        if is_listed && !is_enough || self.is_given[target] && !self.request.unknown.of(target).are_added() {
            let similar = self.similar(target, &name);
            let meant = similar.map_or_else(String::new, |known| format!("; is {} meant?", told_apart(&known, &name)));
            let what = format!("{} is not in the table “{}”{meant}", quoted(&name), spec.title);
            let effect = if is_listed { Effect::Value } else { Effect::Line };
            self.cell_problem(reading, line, place, &name, &what, effect);
            return None;
        }
        if self.is_given[target] {
            self.counts[reading.at].added += 1;
            let similar = self.similar(target, &name);
            let beside = similar.map_or_else(String::new, |known| format!(", beside {}", told_apart(&known, &name)));
            let what = format!("{} is added to the table “{}”{beside}", quoted(&name), spec.title);
            self.cell_problem(reading, line, place, &name, &what, Effect::Nothing);
        }
        self.names[target].0.learn(&name);
        let table = &mut self.data.tables[target];
        let column = spec.name_column().unwrap_or(0);
        let row = table.new_row(spec).with(column, &name);
        table.rows.extend([row]);
        Some(name)
    }

    /// Counts a name that a given table lacks, unless it was counted already.
    fn count_unknown(&mut self, table: usize, name: &str) {
        if !self.is_given[table] || self.names[table].0.known(name).is_some() {
            return;
        }
        let key = key(name);
        if !self.unknown[table].contains_key(&key) {
            let is_similar = self.similar(table, name).is_some();
            self.unknown[table].insert(key, is_similar);
        }
    }

    /// The name of a table that `name` stands for; similar names do if the request says so.
    fn known(&mut self, table: usize, name: &str) -> Option<String> {
        if let Some(known) = self.names[table].0.known(name) {
            return Some(known.to_owned());
        }
        let is_meant = self.request.unknown.of(table).are_meant();
        let meant = self.similar(table, name).filter(|_| is_meant)?;
        self.names[table].0.learn_as(name, &meant);
        Some(meant)
    }

    /// The single name of a table that differs from `name` in punctuation, accents and case only.
    fn similar(&self, table: usize, name: &str) -> Option<String> {
        let column = self.specs[table].name_column()?;
        let wanted = columns::plain(name);
        let known = self.data.tables[table].rows.iter().map(|row| row.cell(column));
        let mut similar = known.filter(|known| columns::plain(known) == wanted);
        similar.next().filter(|_| similar.next().is_none()).map(str::to_owned)
    }
}
