//! Report of the rows so far and the expected time of the rest, made in a thread while a campaign goes on.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::Context;
use gridwright_campaign::RunSpec;
use gridwright_campaign::execution::runs_at_a_time;
use gridwright_campaign::expectation::expected_seconds;
use gridwright_campaign::measured::Benches;
use gridwright_campaign::report::{self, Report};

use super::board::Board;
use crate::later::Later;

/// Shortest time between two summaries.
const EVERY: Duration = Duration::from_secs(1);

/// A summary is made again after this multiple of the time that the last one took.
const REST: u32 = 4;

/// State of a campaign at some moment.
#[derive(Debug)]
pub(crate) struct Summary {
    /// Revision of the board that the summary was made of.
    pub revision: u64,
    /// Tables and figures of the rows.
    pub report: Report,
    /// Expected seconds of the runs that are left; `None` while nothing is known of one of them.
    pub(crate) seconds_left: Option<f64>,
    took: Duration,
}

/// The latest summary, and the thread that makes the next one.
#[derive(Default)]
pub(crate) struct Summaries {
    latest: Option<Arc<Summary>>,
    making: Later<Summary>,
    made_at: Option<Instant>,
}

impl Summaries {
    /// The latest summary; `None` before the first one.
    pub(crate) fn latest(&self) -> Option<&Arc<Summary>> {
        self.latest.as_ref()
    }

    /// Takes a summary that is ready and begins the next one where the board has changed.
    pub(crate) fn poll(&mut self, ctx: &Context, board: &Board, folder: &Path) {
        if let Some(summary) = self.making.take() {
            self.latest = Some(Arc::new(summary));
            self.made_at = Some(Instant::now());
        }
        let latest = self.latest.as_deref();
        if latest.is_some_and(|latest| latest.revision == board.revision()) || self.making.is_busy() {
            return;
        }
        let pause = latest.map_or(Duration::ZERO, |latest| (latest.took * REST).max(EVERY));
        let since = self.made_at.map_or(pause, |at| at.elapsed());
        if since < pause {
            ctx.request_repaint_after(pause - since);
            return;
        }
        let (campaign, revision, folder) = (Arc::clone(&board.campaign), board.revision(), folder.to_path_buf());
        let (rows, curves) = (board.rows().to_vec(), board.curves().clone());
        let left: Vec<RunSpec> = board.left().cloned().collect();
        self.making.begin(ctx, "campaign summary", move || {
            let began = Instant::now();
            // Where the file of a measurement cannot be read, its figures are missing.
            let benches = Benches::read(&folder, &campaign.published).unwrap_or_default();
            let report = report::of(&campaign.name, &campaign.published, &benches, &rows, &curves);
            let left: Vec<&RunSpec> = left.iter().collect();
            let seconds_left = expected_seconds(&left, &rows, runs_at_a_time(0, &left));
            Summary { revision, report, seconds_left, took: began.elapsed() }
        });
    }
}
