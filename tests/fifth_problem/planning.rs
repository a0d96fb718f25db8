//! Single-machine problems as everything that knows no problem asks for them.

use std::path::Path;

use gridwright_core::Result;
use gridwright_core::export::formats::Format;
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::planning::{ExportOptions, Fact, Judged, Planning, Settings};
use gridwright_core::problem::{Overrides, Problem};
use gridwright_core::replay::{self, ReplayReport};
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::search::run::Judgement;
use gridwright_core::search::{Algorithms as _, Control, Progress, Snapshot, run};

use super::check::check;
use super::drawing::{self, FORMATS};
use super::instance::{self, Instance};
use super::problem::{self, Tardiness};
use super::search::{Algorithm, Solve};

impl Planning for Tardiness {
    type Instance = Instance;
    type Solution = Vec<usize>;
    type Algorithm = Algorithm;
    type Goal = ();
    type Best = Vec<usize>;

    const PROBLEM: &'static dyn Problem = &Tardiness;
    const FORMATS: &'static [Format] = &FORMATS;

    fn open(source: &str, _options: &Overrides) -> Result<Instance> {
        instance::open(source)
    }

    fn name(instance: &Instance) -> &str {
        &instance.name
    }

    fn hash(instance: &Instance) -> &str {
        &instance.hash
    }

    fn summary(instance: &Instance) -> String {
        let total: u64 = instance.jobs.iter().map(|job| job.time).sum();
        format!("{}, total time {}", counted(instance.jobs.len(), "job"), grouped(total))
    }

    fn facts(instance: &Instance, _goal: &()) -> Vec<Fact> {
        let total = instance.jobs.iter().map(|job| job.time as usize).sum();
        vec![Fact::count("jobs", "Jobs", instance.jobs.len()), Fact::count("total_time", "Total time", total)]
    }

    fn solve(
        instance: &Instance, settings: &Settings<Self>, _start: Option<&Vec<usize>>, control: &Control,
        observer: &mut dyn FnMut(&Progress<Vec<usize>>),
    ) -> Result<RunResult> {
        run::solve(&Solve { instance, algorithm: settings.algorithm.clone() }, settings, control.into(), observer)
    }

    fn judge(
        instance: &Instance, _: &Settings<Self>, _: Option<&Vec<usize>>, snapshot: &Snapshot<Vec<usize>>,
    ) -> Judgement {
        Judgement::new(problem::encode(instance, &snapshot.best), check(instance, &snapshot.best))
    }

    fn replay(
        instance: &Instance, result: &RunResult, device: (&str, usize), control: &Control,
        observer: &mut dyn FnMut(&Progress<Vec<usize>>),
    ) -> Result<ReplayReport> {
        replay::check_data(result, &instance.name, &instance.hash)?;
        let algorithm = Algorithm::of_result(&result.algorithm, &result.parameters)?;
        run::replay(&Solve { instance, algorithm }, result, device, control.into(), observer)
    }

    fn encode(instance: &Instance, sequence: &Vec<usize>) -> Encoded {
        problem::encode(instance, sequence)
    }

    fn decode(instance: &Instance, solution: &Encoded) -> std::result::Result<Vec<usize>, String> {
        problem::decode(instance, solution)
    }

    fn verify(instance: &Instance, _goal: &(), sequence: &Vec<usize>, _: Option<&RunResult>) -> Result<Judged> {
        Ok(Judged { verdict: check(instance, sequence), figures: Vec::new() })
    }

    fn export(
        instance: &Instance, sequence: &Vec<usize>, _path: &Path, ending: &str, _options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        drawing::encode(instance, sequence, ending)
    }
}
