//! Dates: their order of day and month, and those in columns of numbers, which count from a date in another table.

use super::{Filling, Reading};
use crate::data::{DateReader, TableSpec};
use crate::text::lines::Effect;
use crate::text::values::{doubtful_order, with_leading_year};

use super::super::Mapped;

impl<'a> Filling<'a> {
    /// Remarks on columns whose dates could be read with day and month exchanged.
    pub(super) fn tell_doubtful_dates(&mut self, at: usize, mapped: &Mapped, spec: &TableSpec) {
        for (column, place) in spec.columns.iter().zip(&mapped.mapping.columns) {
            let Some(place) = place.filter(|_| column.holds_dates()) else { continue };
            let texts = mapped.texts_of(place);
            if let Some(what) = doubtful_order(texts.iter().map(String::as_str), mapped.mapping.dates) {
                self.problem(at, 0, Some(column.title), what, Effect::Nothing);
            }
        }
    }

    /// Number for a date in a column of numbers, empty with a problem if the date cannot be used; `None` for other cells.
    pub(super) fn date(
        &mut self, reading: &Reading<'a>, line: usize, column: usize, place: Option<usize>, text: &str,
    ) -> Option<String> {
        let declared = self.specs[reading.table].columns.get(column)?;
        let DateReader(read) = declared.dated.filter(|_| !text.is_empty())?;
        let date = with_leading_year(text, reading.mapped.mapping.dates);
        Some(match read(&self.data, &date)? {
            Ok((number, remark)) => {
                if !remark.is_empty() {
                    self.cell_problem(reading, line, place, text, &remark, Effect::Nothing);
                }
                number
            }
            Err(why) => {
                self.counts[reading.at].values_left_out += 1;
                self.cell_problem(reading, line, place, text, &why, Effect::Value);
                String::new()
            }
        })
    }
}
