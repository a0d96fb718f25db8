//! The thread that performs a campaign.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gridwright_campaign::RunSpec;
use gridwright_campaign::execution::{perform, runs_at_a_time};
use gridwright_campaign::folder::{self, Folder};

use super::board::Board;
use super::check;
use crate::work::Work;

/// The board that the window shows and the thread fills.
pub(crate) type SharedBoard = Arc<Mutex<Board>>;

/// Locks a board; a panic elsewhere cannot have left it half-changed in a way that matters to the window.
pub(crate) fn lock(board: &SharedBoard) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) struct Job {
    /// File of the plan.
    pub plan: PathBuf,
    /// Text of the file when it was read; `None` for a plan without a file.
    pub known: Option<String>,
    /// Folder of the rows.
    pub folder: PathBuf,
    /// True if runs that failed are repeated.
    pub(crate) retries: bool,
    /// The board of the plan.
    pub board: SharedBoard,
}

/// Starts a thread that saves the plan and performs its runs that have no row yet. The value of the work becomes true once the
/// plan is saved.
///
/// The work fails if the plan cannot be saved, if another program performs a campaign in the folder, or if a row cannot be
/// written.
pub(crate) fn start(job: Job, wake: Arc<dyn Fn() + Send + Sync>) -> Work<bool> {
    Work::start("campaign", false, wake, move |teller| {
        let Job { plan, known, folder, retries, board } = job;
        let campaign = Arc::clone(&lock(&board).campaign);
        check::save(&plan, &campaign.text, known.as_deref())?;
        teller.tell(|is_saved| *is_saved = true);
        let all: Vec<&RunSpec> = campaign.runs.iter().collect();
        let mut kept = Folder::open(&folder, &campaign, &all)?;
        // Another program may have added rows since the plan was checked.
        lock(&board).reload(folder::read_rows(&folder)?, folder::read_curves(&folder)?);
        let left: Vec<&RunSpec> = all.into_iter().filter(|run| !kept.is_done(&run.key(), retries)).collect();
        let jobs = runs_at_a_time(0, &left);
        perform(&left, jobs, &gridwright_campaign::open, &mut kept, teller.control(), &mut |event| {
            teller.tell(|_| lock(&board).take(event));
        })
    })
}
