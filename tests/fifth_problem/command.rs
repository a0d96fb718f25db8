//! Single-machine problems on the command line, and their place in the library.

use gridwright_terminal::command::document::{CommandKind, open_instance};
use gridwright_core::planning::Fact;
use gridwright_window::problem::ProblemUi;
use gridwright_core::result::{Encoded, Verdict};
use gridwright_core::search::run::Task;

use super::check::check;
use super::document::TardinessViews;
use super::instance::Instance;
use super::problem::decode;
use super::search::{Algorithm, Solve};

/// Weighted tardiness: registration of command line, documents and samples.
pub static UI: ProblemUi = ProblemUi {
    samples: &[("sample:forty-jobs", "Forty jobs", "40 jobs")],
    endings: &["csv"],
    ..ProblemUi::of::<TardinessViews>(open_instance::<TardinessViews>)
};

impl CommandKind for TardinessViews {
    fn facts(instance: &Instance) -> Vec<Fact> {
        let total = instance.jobs.iter().map(|job| job.time as usize).sum();
        vec![Fact::count("jobs", "Jobs", instance.jobs.len()), Fact::count("total_time", "Total time", total)]
    }

    fn task(instance: &Instance, algorithm: Algorithm) -> impl Task<Solution = Vec<usize>> {
        Solve { instance, algorithm }
    }

    fn decode(instance: &Instance, solution: &Encoded) -> std::result::Result<Vec<usize>, String> {
        decode(instance, solution)
    }

    fn check(instance: &Instance, solution: &Vec<usize>) -> Verdict {
        check(instance, solution)
    }
}
