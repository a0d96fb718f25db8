//! Recording of a run of the evolutionary algorithm from its result.

use super::{Algorithm, Task, with_demands};
use crate::Instance;
use crate::evolution::journal::{Journal, RecordedRun};
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Control};
use gridwright_core::{Error, Result, replay};

/// Repeats the run of a result on the CPU with `threads` threads (0: all) and records it in about `bound` bytes at most,
/// wherever the run was made; see [`Journal::record`]. The recording of a whole run has the digest of the result.
///
/// # Errors
/// [`Error::Usage`] if the result belongs to another instance or algorithm, or nothing was searched; [`Error::Search`] if
/// the repeated run differs from the result; as [`Journal::record`].
pub fn record_evolution(
    instance: &Instance, result: &RunResult, bound: usize, threads: usize, control: &Control,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Journal> {
    replay::check_data(result, &instance.name, &instance.file_hash)?;
    replay::check_searched(result)?;
    let Algorithm::Evolution(parameters) = Algorithm::of_result(&result.algorithm, &result.parameters)? else {
        let what = format!("{} has no generations to be played back; choose evolution", result.algorithm);
        return Err(Error::Usage(what));
    };
    let instance = with_demands(instance, result)?;
    let run = RecordedRun {
        parameters: &parameters,
        seed: result.seed,
        generations: result.generations,
        constructed: result.plan.constructed,
    };
    let task = Task::new(&instance, Algorithm::Evolution(parameters.clone()))?;
    if let Some(rounds) = result.plan.rounds {
        task.leave_out_again(result.seed, rounds, control);
    }
    let journal = Journal::record(task.origin()?, &run, bound, threads, control, tell)?;
    let digest = format!("{:016x}", journal.digest());
    if journal.generations() == result.generations && result.digests.last() != Some(&digest) {
        return Err(Error::Search(format!(
            "what the CPU repeats differs from the result after generation {}; the result was made by another version of \
             the program, or was changed by hand",
            result.generations
        )));
    }
    Ok(journal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::journal::DEFAULT_BYTES;
    use crate::generator::sample;
    use crate::run::{Settings, solve};
    use gridwright_core::search::Budget;

    fn solved(algorithm: &str) -> (Instance, RunResult) {
        let instance = sample("school").unwrap();
        let mut algorithm = Algorithm::named(algorithm).unwrap();
        if let Algorithm::Evolution(_) = algorithm {
            algorithm.set("population", "24").unwrap();
            algorithm.set("constructed", "12").unwrap();
        }
        let settings = Settings { backend: "cpu".to_owned(), ..Settings::of(algorithm, Budget::Steps(15)) };
        let result = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
        (instance, result)
    }

    fn record(instance: &Instance, result: &RunResult) -> Result<Journal> {
        record_evolution(instance, result, DEFAULT_BYTES, 1, &Control::new(), &mut |_, _| {})
    }

    #[test]
    fn a_recording_repeats_the_run_of_its_result() {
        let (instance, mut result) = solved("evolution");
        let mut journal = record(&instance, &result).unwrap();
        assert_eq!(journal.generations(), 15);
        let best = journal.statistics().iter().map(|generation| generation.cost.least).min().unwrap();
        assert_eq!(best as f64, result.verdict.cost, "the best of all generations is the solution");
        assert_eq!(journal.generation(15).unwrap().number, 15);
        result.seed += 1;
        assert!(record(&instance, &result).unwrap_err().to_string().contains("differs from the result"));
    }

    #[test]
    fn other_algorithms_have_no_generations() {
        let (instance, result) = solved("annealing");
        assert!(record(&instance, &result).unwrap_err().to_string().contains("choose evolution"));
    }
}
