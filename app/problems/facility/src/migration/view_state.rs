//! State of the view Islands.

use std::sync::Arc;

use gridwright_core::result::RunResult;
use gridwright_facility::Migration;
use gridwright_facility::journal::MigrationDetail;

use super::recording::Recording;
use crate::plan::Plan;
use gridwright_window::widgets::playback::Player;

/// Part of the view Islands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::VariantArray)]
pub enum Mode {
    /// The best cost of all islands over time.
    #[default]
    All,
    /// One migration with both populations.
    Migration,
}

impl Mode {
    pub(super) const ALL: [Self; 2] = gridwright_core::variants();

    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::All => ("All islands", "The best cost of each island over time, with a mark for each migration"),
            Self::Migration => {
                ("One migration", "Both populations of a migration before and after: who is copied, who is replaced")
            }
        }
    }
}

#[derive(Default)]
pub struct IslandViews {
    /// Part that is shown.
    pub mode: Mode,
    pub(super) recording: Option<(usize, Recording)>,
    /// Migration that a person picked before the recording was complete.
    pub(super) wanted: Option<Migration>,
    pub(super) player: Player,
    /// True if the floor plans are shown where there is no room for them below the populations.
    pub(super) shows_plans: bool,
    /// True while there is no such room.
    pub(super) is_low: bool,
    pub(super) shown: Option<(Arc<RunResult>, usize, Arc<ShownMigration>)>,
}

impl IslandViews {
    /// Number of the shown migration, from 1.
    pub fn at(&self) -> u64 {
        self.player.at()
    }
}

/// Migration with the floor plans of its copies.
pub(super) struct ShownMigration {
    pub(super) detail: MigrationDetail,
    pub(super) plans: Vec<[Plan; 2]>,
}
