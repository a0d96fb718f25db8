//! Weighted tardiness without a window: names, recognition of files, stored solutions, and everything that command line,
//! campaigns and window ask for.

use std::collections::HashMap;
use std::path::Path;

use gridwright_core::Result;
use gridwright_core::export::formats::Format;
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::planning::{ExportOptions, Fact, Judged, Planning, Settings};
use gridwright_core::problem::{Detection, Nouns, Overrides, Problem, Profile};
use gridwright_core::replay::{self, ReplayReport};
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::search::run::Judgement;
use gridwright_core::search::{Algorithms as _, Control, Progress, Snapshot, run};
use serde::{Deserialize, Serialize};

use super::check::check;
use super::drawing::{self, FORMATS};
use super::instance::{self, Instance, SAMPLE_NAME};
use super::search::{Algorithm, Solve};

/// Weighted tardiness on a single machine.
pub struct Tardiness;

/// Constants of weighted tardiness.
static PROFILE: Profile = Profile {
    samples: &[SAMPLE_NAME],
    ..Profile::of::<Tardiness, StoredSolution>(
        "tardiness",
        Nouns {
            instance: "a single-machine problem",
            instances: "single-machine problems",
            heading: "Single machines",
            solution: "a sequence of jobs",
            plan: "sequence",
        },
        "a single-machine problem is a table with columns “job”, “time”, “weight” and “due”",
    )
};

impl Problem for Tardiness {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn detect(&self, _source: &str, start: &[u8]) -> Detection {
        // To a flow shop, the columns would be machines.
        if instance::has_header(start) { Detection::Exclusive } else { Detection::No }
    }
}

/// A solution in a file.
#[derive(Serialize, Deserialize)]
enum StoredSolution {
    /// Names of the jobs in the order in which they are processed.
    Sequence(Vec<String>),
}

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

    fn identity(instance: &Instance) -> (&str, &str) {
        (&instance.name, &instance.hash)
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
        run::solve(&Solve(instance, settings.algorithm.clone()), settings, control.into(), observer)
    }

    fn judge(
        instance: &Instance, _: &Settings<Self>, _: Option<&Vec<usize>>, snapshot: &Snapshot<Vec<usize>>,
    ) -> Judgement {
        Judgement::new(Self::encode(instance, &snapshot.best), check(instance, &snapshot.best))
    }

    fn replay(
        instance: &Instance, result: &RunResult, device: (&str, usize), control: &Control,
        observer: &mut dyn FnMut(&Progress<Vec<usize>>),
    ) -> Result<ReplayReport> {
        replay::check_data(result, &instance.name, &instance.hash)?;
        let algorithm = Algorithm::of_result(&result.algorithm, &result.parameters)?;
        run::replay(&Solve(instance, algorithm), result, device, control.into(), observer)
    }

    fn encode(instance: &Instance, sequence: &Vec<usize>) -> Encoded {
        let names = sequence.iter().map(|&job| instance.jobs[job].name.clone());
        Encoded::of(&StoredSolution::Sequence(names.collect()))
    }

    fn decode(instance: &Instance, solution: &Encoded) -> std::result::Result<Vec<usize>, String> {
        let Some(StoredSolution::Sequence(names)) = solution.decode() else {
            return Err(format!("it holds no sequence of the jobs of {}", instance.name));
        };
        let known: HashMap<&str, usize> =
            instance.jobs.iter().zip(0..).map(|(job, index)| (&*job.name, index)).collect();
        let index = |name: &String| {
            let unknown = || format!("it names the job “{}”, which {} lacks", name.escape_debug(), instance.name);
            known.get(name.as_str()).copied().ok_or_else(unknown)
        };
        names.iter().map(index).collect()
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
