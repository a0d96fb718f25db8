//! Weighted tardiness as the solver's registry sees it: names, recognition of files, stored solutions.

use std::collections::HashMap;

use gridwright_core::planning::ProblemDescriptor;
use gridwright_core::problem::{Detection, Nouns, Problem};
use gridwright_core::result::Encoded;
use serde::{Deserialize, Serialize};

use super::instance::{self, Instance, SAMPLE_NAME};

/// Weighted tardiness on a single machine.
pub struct Tardiness;

impl Problem for Tardiness {
    fn id(&self) -> &'static str {
        "tardiness"
    }

    fn nouns(&self) -> &'static Nouns {
        &Nouns {
            instance: "a single-machine problem",
            instances: "single-machine problems",
            heading: "Single machines",
            solution: "a sequence of jobs",
            plan: "sequence",
        }
    }

    fn samples(&self) -> &'static [&'static str] {
        &[SAMPLE_NAME]
    }

    fn detect(&self, _source: &str, start: &[u8]) -> Detection {
        // To a flow shop, the columns would be machines.
        if instance::has_header(start) { Detection::Exclusive } else { Detection::No }
    }

    fn description(&self) -> &'static str {
        "a single-machine problem is a table with columns “job”, “time”, “weight” and “due”"
    }

    fn descriptor(&self) -> &'static ProblemDescriptor {
        const { &ProblemDescriptor::of::<Self>() }
    }

    fn holds_solution(&self, solution: &Encoded) -> bool {
        solution.decode::<StoredSolution>().is_some()
    }
}

/// A solution in a file.
#[derive(Serialize, Deserialize)]
enum StoredSolution {
    /// Names of the jobs in the order in which they are processed.
    Sequence(Vec<String>),
}

/// Names the jobs of a sequence.
pub fn encode(instance: &Instance, sequence: &[usize]) -> Encoded {
    let names = sequence.iter().map(|&job| instance.jobs[job].name.clone());
    Encoded::of(&StoredSolution::Sequence(names.collect()))
}

/// Indices of the jobs of a stored sequence; the checker reports jobs that are missing or repeated.
///
/// # Errors
/// A sentence if the value is no sequence or names an unknown job.
pub fn decode(instance: &Instance, solution: &Encoded) -> Result<Vec<usize>, String> {
    let Some(StoredSolution::Sequence(names)) = solution.decode() else {
        return Err(format!("it holds no sequence of the jobs of {}", instance.name));
    };
    let known: HashMap<&str, usize> = instance.jobs.iter().zip(0..).map(|(job, index)| (&*job.name, index)).collect();
    let index = |name: &String| {
        let unknown = || format!("it names the job “{}”, which {} lacks", name.escape_debug(), instance.name);
        known.get(name.as_str()).copied().ok_or_else(unknown)
    };
    names.iter().map(index).collect()
}
