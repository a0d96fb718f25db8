//! Times of one piece with decimals, which are multiplied by the quantities of the jobs and rounded.

use super::columns::NamedColumn;
use super::csv::{is_no_visit, job_name};
use crate::MAX_TOTAL;
use crate::orders::is_per_piece;
use gridwright_core::text::lines::{Problems, Read, quoted};
use gridwright_core::text::table::{Numbers, Row, Table};
use gridwright_core::text::times::{InMinutes, has_fraction, time_of_pieces};

/// Column of a machine with times of one piece, some of them with decimals. Its times become those of whole jobs.
#[derive(Debug, Clone)]
pub(super) struct ProductColumn {
    /// Position in the file.
    pub(super) at: usize,
    /// Name of the machine as the file has it.
    machine: String,
    /// Number of products that were rounded.
    rounded: usize,
    /// The first of them in words.
    example: String,
}

impl ProductColumn {
    /// All such columns of a table with quantities.
    pub(super) fn all(
        table: &Table, numbers: &Numbers, in_minutes: Option<&InMinutes>, machines: &[NamedColumn],
        quantity: Option<usize>,
    ) -> Vec<Self> {
        let of = |(at, name): &NamedColumn| {
            let mut found = false;
            table.rows(&mut Problems::up_to(table.path(), 0), |_, row| {
                let is_time = !is_no_visit(row.at(*at));
                found |= is_time && each(&row, numbers, in_minutes, *at).is_ok_and(has_fraction);
            });
            found.then(|| Self { at: *at, machine: name.clone(), rounded: 0, example: String::new() })
        };
        let per_piece = machines.iter().filter(|(_, name)| quantity.is_some() && is_per_piece(name));
        per_piece.filter_map(of).collect()
    }

    /// Time of the whole job in a row.
    ///
    /// # Errors
    /// A sentence about the cell, a missing quantity, or a product that is too large.
    pub(super) fn time(
        &mut self, row: &Row, numbers: &Numbers, in_minutes: Option<&InMinutes>, quantity: Option<u32>,
    ) -> Read<u32> {
        let each = each(row, numbers, in_minutes, self.at)?;
        let Some(quantity) = quantity else {
            let machine = quoted(&self.machine);
            return Err(format!("the times of {machine} are per piece, and the quantity is missing; add it"));
        };
        let (time, rounding) =
            time_of_pieces(each, quantity.into()).filter(|(time, _)| *time <= MAX_TOTAL).ok_or_else(|| {
                format!("{quantity} pieces of {each} take longer than {MAX_TOTAL}; use a coarser unit of time")
            })?;
        if let Some(rounding) = rounding {
            self.rounded += 1;
            if self.example.is_empty() {
                self.example = format!("job {}: {rounding}", quoted(job_name(row)));
            }
        }
        Ok(time as u32)
    }

    /// Remark that names the multiplication and how the products were rounded.
    pub(super) fn remark(&self) -> String {
        let how = match self.rounded {
            0 => "all products are whole".to_owned(),
            1 => format!("one product was rounded to a whole time unit, halves up ({})", self.example),
            many => format!("{many} products were rounded to whole time units, halves up ({})", self.example),
        };
        let machine = quoted(&self.machine);
        format!("{machine}: times of one piece with decimals were multiplied by the quantity of each job; {how}")
    }
}

/// Time of one piece in a row.
fn each(row: &Row, numbers: &Numbers, in_minutes: Option<&InMinutes>, at: usize) -> Read<f64> {
    let evidence = numbers.evidence_at(at);
    match in_minutes.and_then(|times| times.exact(at, row.at(at), evidence)) {
        Some(minutes) => minutes,
        None => evidence.read(row.at(at)).map(|number| number.parse().unwrap_or(f64::NAN)),
    }
}
