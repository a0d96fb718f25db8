//! Dates in columns of numbers, which count from a date in another table.

use super::{Filling, Reading};
use crate::data::DateReader;
use crate::text::lines::Effect;

impl<'a> Filling<'a> {
    /// Number for a date in a column of numbers, empty with a problem if the date cannot be used; `None` for other cells.
    pub(super) fn date(
        &mut self, reading: &Reading<'a>, line: usize, column: usize, place: Option<usize>, text: &str,
    ) -> Option<String> {
        let declared = self.specs[reading.table].columns.get(column)?;
        let DateReader(read) = declared.dated.filter(|_| !text.is_empty())?;
        Some(match read(&self.data, text)? {
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
