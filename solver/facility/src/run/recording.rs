//! Recording of the migrations of a run from its result.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Algorithm, Observer, Task, demanded, orientation_of};
use crate::Instance;
use crate::islands::orientations;
use crate::journal::{Journal, Recorder};
use gridwright_core::result::RunResult;
use gridwright_core::search::run::{self, Environment};
use gridwright_core::search::{Algorithms, Control};
use gridwright_core::{Error, Result, replay};

/// Repeats the run of a result on the CPU with `threads` threads (0: all), wherever the run was made, and records its
/// migrations in at most about `bound` bytes. The observer is told of every epoch, as that of the run was. A cancelled
/// recording holds the migrations up to the cancellation.
///
/// # Errors
/// [`Error::Usage`] if the result belongs to another instance, its algorithm has no islands, or nothing was searched;
/// [`Error::Search`] if the digests of the repeated run differ from those of the result; [`Error::Cancelled`] if the
/// recording is cancelled before the first migration.
pub fn record_migrations(
    instance: &Instance, result: &RunResult, bound: usize, threads: usize, control: &Control,
    observer: &mut Observer<'_>,
) -> Result<Journal> {
    replay::check_data(result, &instance.name, &instance.hash)?;
    let algorithm = Algorithm::of_result(&result.algorithm, &result.parameters)?;
    let Some((islands, individuals)) = algorithm.islands() else {
        let what = format!("{} has no islands; choose memetic or genetic", result.algorithm);
        return Err(Error::Usage(what));
    };
    let (instance, start) = demanded(instance, result)?;
    let recorder = Arc::new(Mutex::new(Recorder::new(bound)));
    let task = Task {
        recorder: Some(Arc::clone(&recorder)),
        ..Task::new(&instance, algorithm, orientation_of(result)?, start)?
    };
    let replayed = run::replay(&task, result, ("cpu", threads), Environment::from(control), observer);
    let orientations = orientations(islands as usize, task.orientation);
    let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
    let journal = Journal::of(&mut recorder, orientations, individuals as usize);
    match replayed {
        Ok(report) if report.is_equal() => Ok(journal),
        Ok(report) => Err(Error::Search(format!(
            "what the CPU repeats differs from the result from epoch {} on; the result was made by another version of the \
             program, or was changed by hand; solve again",
            report.first_difference.unwrap_or(report.epochs) + 1
        ))),
        Err(_) if control.is_cancelled() && !journal.migrations().is_empty() => Ok(journal),
        Err(_) if control.is_cancelled() => Err(Error::Cancelled),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{DEFAULT_BYTES, Fate, IslandChange};
    use crate::library;
    use crate::run::{Settings, solve};
    use gridwright_core::search::{Budget, Stop};

    fn solved(name: &str, parameters: &[(&str, &str)], steps: u64) -> (Instance, RunResult) {
        let instance = library::sample("layout-workshop").unwrap();
        let mut algorithm = Algorithm::named(name).unwrap();
        parameters.iter().for_each(|(name, value)| algorithm.set(name, value).unwrap());
        let stop = Stop::after(Budget::Steps(steps));
        let settings = Settings { algorithm, goal: None, backend: "cpu".into(), threads: 1, seed: 3, stop };
        let result = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
        (instance, result)
    }

    fn genetic() -> (Instance, RunResult) {
        solved("genetic", &[("islands", "4"), ("individuals", "40"), ("interval", "7"), ("mutation", "0.3")], 28)
    }

    fn record(instance: &Instance, result: &RunResult, observer: &mut Observer<'_>) -> Result<Journal> {
        record_migrations(instance, result, DEFAULT_BYTES, 2, &Control::new(), observer)
    }

    fn count(change: &IslandChange, which: usize, fate: Fate) -> usize {
        change.populations[which].iter().filter(|standing| standing.fate == fate).count()
    }

    /// The replay compares the digests; beyond that, the populations after a migration are those that the search reports.
    #[test]
    fn the_recorded_populations_are_those_of_the_run() {
        let (instance, mut result) = genetic();
        let mut reported = Vec::new();
        let journal = record(&instance, &result, &mut |progress| {
            reported.push((progress.snapshot.step, progress.snapshot.best.islands.clone()));
        })
        .unwrap();
        let migrations = journal.migrations();
        assert_eq!(migrations.len(), 16, "four islands in generations 7, 14, 21 and 28");
        assert_eq!((migrations[0].from, migrations[0].to), (0, 2), "to the next of its orientation");
        let mut compared = 0;
        for index in 0..migrations.len() {
            let detail = journal.migration(index).unwrap();
            assert_eq!(detail.copies.len(), 5);
            assert_eq!(count(&detail.source, 0, Fate::Copied), 5);
            assert_eq!(count(&detail.target, 0, Fate::Replaced), 5);
            assert!(detail.target.populations[0][35..].iter().all(|standing| standing.fate == Fate::Replaced));
            assert_eq!(detail.copies[0].migrant.1, detail.source.populations[0][0].score, "the best goes first");
            assert_eq!(detail.behind, Some(detail.target.island), "two islands send to each other");
            let then = reported.iter().find(|(step, _)| *step == detail.migration.generation);
            let Some((_, islands)) = then else { continue };
            for change in [&detail.source, &detail.target] {
                let after = &change.populations[1];
                let mean = after.iter().map(|standing| standing.score.cost).sum::<f64>() / after.len() as f64;
                let known = &islands[change.island as usize];
                assert!((mean - known.mean).abs() <= 1e-9 * mean, "{mean} and {}", known.mean);
                let feasible = after.iter().filter(|standing| standing.score.is_feasible()).count();
                assert_eq!(feasible, known.feasible as usize);
                compared += 1;
            }
        }
        assert!(
            compared > 0,
            "no epoch ended with a migration: {:?}",
            reported.iter().map(|it| it.0).collect::<Vec<_>>()
        );
        result.seed += 1;
        let changed = record(&instance, &result, &mut |_| {}).unwrap_err().to_string();
        assert!(changed.contains("differs from the result"), "{changed}");
    }

    #[test]
    fn the_memetic_algorithm_copies_one_layout() {
        let settings = [("islands", "6"), ("individuals", "3"), ("generations", "6"), ("leg", "2"), ("interval", "2")];
        let (instance, result) = solved("memetic", &settings, 40);
        let journal = record(&instance, &result, &mut |_| {}).unwrap();
        assert!(!journal.migrations().is_empty());
        for index in 0..journal.migrations().len() {
            let detail = journal.migration(index).unwrap();
            assert_eq!((detail.copies.len(), count(&detail.target, 1, Fate::Arrived)), (1, 1));
            let [migrant, replaced] = [&detail.copies[0].migrant, &detail.copies[0].replaced];
            assert!(!replaced.1.is_better(&detail.target.populations[0][2].score), "the worst gives way");
            assert_eq!(migrant.1, detail.source.populations[0][0].score);
        }
    }

    #[test]
    fn what_has_no_islands_and_what_is_cancelled_is_said() {
        let (instance, result) = genetic();
        let control = Control::new();
        let part = record_migrations(&instance, &result, DEFAULT_BYTES, 1, &control, &mut |progress| {
            if progress.snapshot.step >= 8 {
                control.cancel();
            }
        });
        assert!(matches!(part, Ok(ref journal) if !journal.migrations().is_empty()), "{part:?}");
        let control = Control::new();
        control.cancel();
        let nothing = record_migrations(&instance, &result, DEFAULT_BYTES, 1, &control, &mut |_| {});
        assert!(matches!(nothing, Err(Error::Cancelled)), "{nothing:?}");
        let other = RunResult { algorithm: "enumeration".to_owned(), parameters: Default::default(), ..result };
        assert!(record(&instance, &other, &mut |_| {}).unwrap_err().to_string().contains("no islands"));
    }
}
