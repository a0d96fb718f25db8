//! The start without a display: the shipped sample is solved, pictures and tables are written.

use std::path::{Path, PathBuf};

use gridwright_core::files;
use gridwright_core::planning::{InstanceSource, SolveRequest};
use gridwright_core::search::Budget;

use super::{Exit, solve};
use crate::arguments::{InstanceArguments, Reporting, Solve};

/// The sample that is solved: a session with rooms.
const SAMPLE: &str = "sample:campus";

/// Long enough for a plan that is worth looking at.
const SECONDS: f64 = 5.0;

/// Any machine of today has as many, and the result is the same on all of them.
const THREADS: usize = 2;

/// The pictures and tables.
const ENDINGS: [&str; 7] = ["svg", "png", "pdf", "csv", "xlsx", "ics", "sol"];

/// Solves the sample; the files go to `out/`.
///
/// # Errors
/// `out/` cannot be written to.
pub fn run() -> anyhow::Result<Exit> {
    let folder = Path::new("out");
    // Before anything is solved: what was solved could not be kept.
    files::create_folder(folder).map_err(|error| {
        anyhow::anyhow!(
            "the folder out/ cannot be made here ({error}); start the program in a folder that may be written to"
        )
    })?;
    let request = SolveRequest {
        algorithm: None,
        backend: "cpu".to_owned(),
        threads: THREADS,
        seed: 1,
        budget: Some(Budget::Seconds(SECONDS)),
        target: None,
        stall: None,
        parameters: Vec::new(),
        options: Default::default(),
    };
    solve::run(&Solve {
        instance: InstanceArguments(InstanceSource::of(SAMPLE)),
        request,
        out: Some(folder.join("result.ron")),
        exports: ENDINGS.iter().map(|ending| folder.join(format!("timetable.{ending}"))).collect::<Vec<PathBuf>>(),
        overwrites: false,
        reporting: Reporting::Spoken,
    })
}
