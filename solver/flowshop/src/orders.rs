//! Data of orders beside times and dates: quantities, weights of the tardiness, and texts that are carried along.
//!
//! * A time in a unit such as `min/piece` is that of one piece; it is multiplied by the quantity of its job. All other times are those of
//!   whole jobs.
//! * With w_j the weight of job j, the total tardiness is Σ w_j · max(0, C_j − d_j). Jobs with ranks, of which 1 is the most urgent one,
//!   have the weight r + 1 − rank, with r the largest rank.
//! * Texts such as customers and remarks are read by no search and are written by every export.

use std::sync::Arc;

use gridwright_core::numbers::counted_as;
use gridwright_core::text::columns::{per_order, per_piece, unit_of_time, with_unit};
use gridwright_core::text::lines::quoted;

use super::{Instance, Job, MAX_TOTAL};

/// Largest weight, and largest rank.
pub(crate) const MAX_WEIGHT: u64 = 1_000;

/// Headings of the carried columns that tables of jobs declare.
pub(crate) const CUSTOMER: &str = "Customer";
pub(crate) const REMARK: &str = "Remark";

/// Texts of jobs that no search reads, such as customers and remarks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CarriedColumns {
    /// Headings.
    pub headings: Vec<String>,
    /// Texts, row-major, jobs × headings.
    pub cells: Vec<String>,
}

impl CarriedColumns {
    /// Columns of rows that all have the length of `headings`; columns without any text are left out.
    pub(crate) fn of(headings: Vec<String>, rows: &[Vec<String>]) -> Self {
        let has_text = |at: &usize| rows.iter().any(|row| !row[*at].is_empty());
        let used: Vec<usize> = (0..headings.len()).filter(has_text).collect();
        let cells = rows.iter().flat_map(|row| used.iter().map(|&at| row[at].clone()));
        Self { cells: cells.collect(), headings: used.iter().map(|&at| headings[at].clone()).collect() }
    }

    /// Texts of a job, one per heading.
    pub fn row(&self, job: usize) -> &[String] {
        let width = self.headings.len();
        self.cells.get(job * width..(job + 1) * width).unwrap_or_default()
    }

    /// Text of a job below a heading; empty if there is none.
    pub(crate) fn text(&self, job: usize, heading: &str) -> &str {
        let at = self.headings.iter().position(|own| own == heading);
        at.and_then(|at| self.row(job).get(at)).map_or("", String::as_str)
    }
}

/// Number of a job that stands in a column of orders; `None` where it is not stated.
type Number = fn(&Job) -> Option<u32>;

impl Instance {
    /// Headings of the columns of orders in exported tables: quantity, weight or rank, and carried texts, as far as there are any.
    pub(crate) fn order_headings(&self) -> Vec<&str> {
        let numbers = ["quantity", "weight", "rank"].into_iter().zip(self.order_numbers());
        numbers
            .filter(|(_, of)| of.is_some())
            .map(|(name, _)| name)
            .chain(self.carried.headings.iter().map(String::as_str))
            .collect()
    }

    /// Cells of a job below [`Self::order_headings`].
    pub(crate) fn order_cells(&self, job: usize) -> Vec<String> {
        let numbers = self.order_numbers().into_iter().flatten();
        let cell = |of: Number| of(&self.jobs[job]).map_or_else(String::new, |value| value.to_string());
        numbers.map(cell).chain(self.carried.row(job).iter().cloned()).collect()
    }

    /// Quantity, weight and rank of a job, each `None` if no job has any.
    fn order_numbers(&self) -> [Option<Number>; 3] {
        let numbers: [Number; 3] = [|job| job.quantity, |job| job.weight, |job| job.rank];
        numbers.map(|of| self.jobs.iter().any(|job| of(job).is_some()).then_some(of))
    }

    /// A due date in words, as [`Self::moment`]. Dates before the start of the plan count as the start, so that the date itself is not
    /// known there.
    pub fn due_moment(&self, due: u32) -> String {
        if due == 0 && self.plan_start().is_some() { "by the start".to_owned() } else { self.moment(due) }
    }

    /// Headings and cells of a job in the columns of orders, without empty cells.
    pub fn order_facts(&self, job: usize) -> Vec<(String, String)> {
        let cells = self.order_headings().into_iter().zip(self.order_cells(job));
        cells.filter(|(_, cell)| !cell.is_empty()).map(|(heading, cell)| (capitalised(heading), cell)).collect()
    }

    /// Cells of a job in the columns of orders for tooltips: «Quantity: 10, Customer: Meyer». Empty if there is none.
    pub fn order_words(&self, job: usize) -> String {
        let words = self.order_facts(job).into_iter().map(|(heading, cell)| format!("{heading}: {cell}"));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A heading with a capital letter at its beginning.
pub(crate) fn capitalised(heading: &str) -> String {
    let mut letters = heading.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns `true` if the times of a machine are those of one piece: «Saw (min/piece)».
pub(crate) fn is_per_piece(machine: &str) -> bool {
    per_piece(with_unit(machine).1).is_some()
}

/// Returns `true` if the times of a machine are stated to be those of one piece or of a whole job: «Saw (min/job)».
pub(crate) fn states_amount(machine: &str) -> bool {
    is_per_piece(machine) || per_order(with_unit(machine).1).is_some()
}

/// Unit of the times of a machine, without the piece or the job; empty if there is none.
pub(crate) fn unit_of_times(machine: &str) -> &str {
    unit_of_time(with_unit(machine).1)
}

/// Processing time of a job on a machine, for which `stated` stands in a table.
///
/// # Errors
/// A sentence about a missing quantity, or a product that is too large.
pub(crate) fn processing_time(machine: &str, quantity: Option<u32>, stated: u32) -> Result<u32, String> {
    if !is_per_piece(machine) {
        return Ok(stated);
    }
    let Some(quantity) = quantity else {
        return Err(format!("the times of {} are per piece, and the quantity is missing; add it", quoted(machine)));
    };
    let time = u64::from(stated) * u64::from(quantity);
    let too_long = || format!("{quantity} pieces of {stated} take longer than {MAX_TOTAL}; use a coarser unit of time");
    u32::try_from(time).ok().filter(|&time| u64::from(time) <= MAX_TOTAL).ok_or_else(too_long)
}

/// Weights by job; empty if all are 1.
pub(crate) fn weights(jobs: &[Job]) -> Arc<[u32]> {
    let worst = jobs.iter().filter_map(|job| job.rank).max().unwrap_or(0);
    let weight = |job: &Job| job.weight.or(job.rank.map(|rank| worst + 1 - rank)).unwrap_or(1);
    let weights: Vec<u32> = jobs.iter().map(weight).collect();
    if weights.iter().all(|&weight| weight == 1) { Arc::default() } else { weights.into() }
}

/// Explains what is wrong with quantities, weights and ranks; `None` if nothing is.
pub(crate) fn problem(instance: &Instance) -> Option<String> {
    let jobs = &instance.jobs;
    if jobs.iter().any(|job| job.weight.is_some()) && jobs.iter().any(|job| job.rank.is_some()) {
        return Some("there are weights and ranks of jobs; keep one of both".to_owned());
    }
    let is_wrong = |value: Option<u32>| value.is_some_and(|value| !(1..=MAX_WEIGHT).contains(&u64::from(value)));
    if let Some(job) = jobs.iter().find(|job| is_wrong(job.weight) || is_wrong(job.rank)) {
        let name = quoted(&job.name);
        return Some(format!("the weight or rank of job {name} is not from 1 to {MAX_WEIGHT}; correct it"));
    }
    if let Some(job) = jobs.iter().find(|job| job.quantity == Some(0)) {
        return Some(format!("the quantity of job {} is 0; delete the job, or correct it", quoted(&job.name)));
    }
    let machine = instance.machines.iter().find(|machine| is_per_piece(machine))?;
    let job = jobs.iter().find(|job| job.quantity.is_none())?;
    Some(format!(
        "job {} has no quantity, and the times of {} are per piece; add it",
        quoted(&job.name),
        quoted(machine)
    ))
}

/// Remarks about the meaning of quantities, due dates and weights.
pub(crate) fn remarks(instance: &Instance) -> Vec<String> {
    let mut remarks = Vec::new();
    let has_quantities = instance.jobs.iter().any(|job| job.quantity.is_some());
    if has_quantities && !instance.machines.iter().any(|machine| states_amount(machine)) {
        remarks.push(NOT_MULTIPLIED.to_owned());
    }
    let early = instance.jobs.iter().filter(|job| job.due == Some(0)).count() as u64;
    if early > 0 && instance.plan_start().is_some() {
        let dates = counted_as(early, "due date lies", "due dates lie");
        remarks.push(format!("{dates} at the start of the plan or before it; lateness counts from the start"));
    }
    let weights = || instance.weights.iter().copied();
    if let Some((least, most)) = weights().min().zip(weights().max()) {
        let ranks = instance.jobs.iter().filter_map(|job| job.rank).max();
        let origin = ranks.map_or_else(String::new, |worst| format!(", rank 1 has weight {worst}"));
        remarks.push(format!("the tardiness of each job counts by its weight, from {least} to {most}{origin}"));
    }
    remarks
}

/// Remark about quantities where no machine states whether its times are those of one piece or of a whole job.
pub(crate) const NOT_MULTIPLIED: &str = "times are those of whole jobs and are not multiplied by quantities; where they are times of one \
                                         piece, write the unit of the machine as in «Saw (min/piece)», otherwise «Saw (min/job)»";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_per_piece_are_multiplied_and_others_are_not() {
        assert_eq!(processing_time("Saw (min/Stk)", Some(4), 3), Ok(12));
        assert_eq!(processing_time("Saw (min)", Some(4), 3), Ok(3));
        assert!(processing_time("Saw [s je Stück]", None, 3).unwrap_err().contains("quantity is missing"));
        assert!(processing_time("Saw (min/piece)", Some(1 << 20), 1 << 20).unwrap_err().contains("coarser unit"));
        assert_eq!(["Saw (min/piece)", "Saw (h)", "Saw", "Saw (h/job)"].map(unit_of_times), ["min", "h", "", "h"]);
    }

    #[test]
    fn the_first_rank_weighs_most() {
        let job = |weight, rank| Job { weight, rank, ..Job::default() };
        assert_eq!(*weights(&[job(None, Some(1)), job(None, Some(3)), job(None, None)]), [3, 1, 1]);
        assert_eq!(*weights(&[job(Some(5), None), job(None, None)]), [5, 1]);
        assert!(weights(&[job(Some(1), None), job(None, None)]).is_empty());
    }
}
