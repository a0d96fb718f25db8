//! Rules for many exams at once: a selection of exams, a rule, and the periods or the other exams that it names.
//!
//! ```text
//! selection   MAT*; PHY101; >=300 & CS*      parts separated by «;»: codes with * and ?, sizes; «&» demands both
//! periods     mornings; Mon; 2026-06-05; 09:00; 2026-06-05 09:00; 3
//! ```
//!
//! A table `rules.csv` beside the enrolments holds one rule a line, in the columns `exams`, `rule` and `with`:
//! `MAT*,only in,mornings`, `CS1*,different days,CS2*`. The tests are at the end of the module.

mod rules;
mod selection;

pub use self::rules::{BulkRule, Kind, read};
pub use self::selection::{Selection, periods};
