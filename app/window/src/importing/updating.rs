//! The import dialog for a fresh version of the data of the open document, whose differences are listed next.

use std::sync::Arc;

use gridwright_core::data::Dataset;
use gridwright_core::data::import::{Mapped, UnknownNames};
use gridwright_core::data::update::Update;
use gridwright_core::numbers::grouped;
use gridwright_core::planning::updating::{Present, compared};

use super::{Counted, Dialog, problems};
use crate::problem::ProblemUi;

impl Dialog {
    /// The dialog for sheets of a fresh version of the data of the open document; `why` says what is unclear.
    pub(crate) fn of_update(problem: &str, present: Present, sheets: &[Mapped], why: &str) -> Option<Self> {
        let mut dialog = Self::new(problems().find(|other| other.problem.id() == problem))?;
        dialog.sheets = sheets.to_vec();
        for mapped in sheets {
            dialog.choices.input(mapped.sheet.path().to_path_buf());
        }
        dialog.assign_alone();
        dialog.is_chosen = true;
        dialog.name.clone_from(&present.data.name);
        dialog.unknown = UnknownNames::AreMeantOrAdded.into();
        dialog.leads = true;
        dialog.error = Some(why.to_owned());
        dialog.updated = Some(present);
        Some(dialog)
    }
}

/// Compares the imported data with the present ones.
pub(super) fn compare(problem: &ProblemUi, present: &Arc<Dataset>, counted: &Counted) -> Update {
    let Counted { request, outcome, .. } = counted;
    let mut update = compared(problem.descriptor(), present, request, outcome);
    if outcome.losses() > 0 {
        let count = grouped(outcome.losses() as u64);
        update
            .remarks
            .push(format!("Lines or values left out of the files: {count}; rows that they hold count as removed"));
    }
    update
}
