//! Times of one piece with decimals: they are multiplied by the quantity of their row.

use super::{Filling, Reading};
use crate::text::lines::Effect;
use crate::text::times::time_of_pieces;

impl<'a> Filling<'a> {
    /// Time of a whole order for the cell of a column with times of one piece, and a remark if it was rounded; `values` are those of
    /// the columns before. `None` for other columns, the inner `None` with a problem if the line cannot be used.
    pub(super) fn product(
        &mut self, reading: &Reading<'a>, line: usize, place: Option<usize>, text: &str, values: &[String],
    ) -> Option<Option<String>> {
        let each = place.and_then(|at| reading.numbers.get(at)).and_then(|numbers| numbers.piece(text))?;
        let quantity = self.specs[reading.table].quantity.and_then(|column| values.get(column));
        let quantity: Option<u64> = quantity.and_then(|quantity| quantity.parse().ok());
        let product = each.and_then(|each| {
            let missing = || "the time is that of one piece, and the quantity is missing; add it".to_owned();
            let large = || "the time of all pieces is too long, or no time; correct it".to_owned();
            time_of_pieces(each, quantity.ok_or_else(missing)?).ok_or_else(large)
        });
        Some(match product {
            Ok((time, rounding)) => {
                if let Some(rounding) = rounding {
                    self.cell_problem(reading, line, place, text, &rounding, Effect::Nothing);
                }
                Some(time.to_string())
            }
            Err(why) => {
                self.cell_problem(reading, line, place, text, &why, Effect::Line);
                None
            }
        })
    }
}
