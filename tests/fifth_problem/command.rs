//! Single-machine problems on the command line, and their place in the library.

use gridwright::arguments::InstanceArguments;
use gridwright::command::document::{CommandKind, open_instance};
use gridwright::command::problem::{Fact, OpenInstance};
use gridwright::problem::{OpenRequest, OpenedDocument, ProblemUi, Sample, open_document};
use gridwright::widgets::icons::Icon;
use gridwright_solver::Result;
use gridwright_solver::problem::Problem;
use gridwright_solver::result::{Encoded, Verdict};
use gridwright_solver::search::run::Task;

use super::check::check;
use super::document::TardinessViews;
use super::instance::Instance;
use super::problem::{Tardiness, decode};
use super::search::{Algorithm, Solve};

/// Weighted tardiness: registration of command line, documents and samples.
pub struct TardinessUi;

impl ProblemUi for TardinessUi {
    fn problem(&self) -> &'static dyn Problem {
        &Tardiness
    }

    fn open(&self, arguments: &InstanceArguments) -> Result<Box<dyn OpenInstance>> {
        open_instance::<TardinessViews>(arguments)
    }

    fn open_document(&self, request: &OpenRequest<'_>) -> Result<OpenedDocument> {
        open_document::<TardinessViews>(request)
    }

    fn icon(&self) -> Icon {
        Icon::Gantt
    }

    fn samples(&self) -> &'static [Sample] {
        &[("sample:forty-jobs", "Forty jobs", "40 jobs")]
    }

    fn endings(&self) -> &'static [&'static str] {
        &["csv"]
    }
}

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
