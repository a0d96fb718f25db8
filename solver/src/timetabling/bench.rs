//! Benchmarks of timetabling: the phases of a generation, the speed of annealing, and solving around moves by hand.

mod devices;
pub mod tables;

pub use devices::device_stages;

use std::sync::Arc;
use std::time::Instant;

use super::evolution::cpu::CpuEvolution;
use super::evolution::{Evaluator, EvolutionParameters, Reproduction};
use super::run::{Algorithm, Settings, solve, timetable_of};
use super::{Instance, Reference, Timetable, annealing::AnnealingParameters, moves};
use crate::backend::thread_pool;
use crate::random::{Philox, index};
use crate::result::RunResult;
use crate::search::report::Report;
use crate::search::{Budget, Construction, Control, Epochs, Stop};
use crate::statistics::summary::gap_percent;
use crate::{Error, Result, numbers};

/// Measures the milliseconds per generation and phase for each instance, population size and number of threads.
///
/// # Errors
/// As [`CpuEvolution::new`]; [`Error::Search`] if two variants give different results.
pub fn stages(
    instances: &[Instance], populations: &[u32], threads: &[usize], generations: u32, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let mut report = Report::new(
        "Hybrid evolutionary algorithm, milliseconds per generation",
        &[
            "instance", "population", "threads", "full, by chromosome", "full, by exam", "sparse", "half sparse",
            "reproduction, one pass", "two passes", "mutation", "descent", "generation",
        ],
    );
    for instance in instances {
        for &population in populations {
            let mut digests = Vec::new();
            for &count in threads {
                tell(&format!("{}, population {population}, {count} threads", instance.name));
                let row = stage_row(instance, population, count, generations, &mut digests)?;
                report.rows.push(row);
            }
            if digests.windows(2).any(|pair| pair[0] != pair[1]) {
                return Err(Error::Search(format!("{}: the variants gave different populations", instance.name)));
            }
        }
    }
    report.notes.push(format!(
        "Mean of {generations} generations; crossover 0.5, mutation 0.005. The digests of all variants and all numbers of \
         threads are equal. A generation is one-pass reproduction, mutation, descent and half sparse evaluation."
    ));
    Ok(report)
}

fn stage_row(
    instance: &Instance, population: u32, threads: usize, generations: u32, digests: &mut Vec<u64>,
) -> Result<Vec<String>> {
    let pool = thread_pool(threads)?;
    let base = EvolutionParameters { population, mutation: 0.005, ..EvolutionParameters::default() };
    let variants = [
        (Evaluator::FullByChromosome, Reproduction::TwoPasses),
        (Evaluator::FullByExam, Reproduction::TwoPasses),
        (Evaluator::Sparse, Reproduction::OnePass),
        (Evaluator::HalfSparse, Reproduction::OnePass),
    ];
    let mut row = vec![instance.name.clone(), population.to_string(), threads.to_string()];
    let mut measured = Vec::new();
    for (evaluator, reproduction) in variants {
        let parameters = EvolutionParameters { evaluator, reproduction, ..base.clone() };
        let mut search = CpuEvolution::new(instance, &parameters, 1, Arc::clone(&pool), &Construction::unlimited())?;
        search.advance(generations)?;
        digests.push(search.snapshot()?.digest);
        measured.push(search.phase_seconds());
    }
    let per = |seconds: f64| format!("{:.3}", seconds * 1e3 / f64::from(generations));
    row.extend(measured.iter().map(|stages| per(stages.evaluation)));
    let last = &measured[3];
    row.push(per(last.reproduction));
    row.push(per(measured[0].reproduction));
    row.push(per(last.mutation));
    row.push(per(last.descent));
    row.push(per(last.reproduction + last.mutation + last.descent + last.evaluation));
    Ok(row)
}

/// Measures steps and proposals per second of annealing for each instance and number of threads.
///
/// # Errors
/// As [`solve`].
pub fn speed(instances: &[Instance], threads: &[usize], seconds: f64, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let mut report = Report::new(
        "Annealing, millions per second over a whole run",
        &["instance", "threads", "chains", "steps", "proposals"],
    );
    for instance in instances {
        for &count in threads {
            tell(&format!("{}, {count} threads", instance.name));
            let began = Instant::now();
            let result = anneal(instance, count, 1, seconds)?;
            let chains = result.parameters.get("chains").map_or(1, |value| value.integer());
            let rate = |number: f64| format!("{:.2}", number / began.elapsed().as_secs_f64() / 1e6);
            report.rows.push(vec![
                instance.name.clone(),
                count.to_string(),
                chains.to_string(),
                rate(result.generations as f64 * chains as f64),
                rate(result.evaluations as f64),
            ]);
        }
    }
    Ok(report)
}

/// Runs annealing with its default parameters on the CPU.
fn anneal(instance: &Instance, threads: usize, seed: u64, seconds: f64) -> Result<RunResult> {
    let (algorithm, backend) = (Algorithm::Annealing(AnnealingParameters::default()), "cpu".to_owned());
    let stop = Stop::after(Budget::Seconds(seconds));
    let settings = Settings { algorithm, goal: (), backend, threads, seed, stop };
    solve(instance, &settings, &Control::new(), &mut |_| {})
}

/// Number of exams moved by hand before the rest is solved around them.
const BY_HAND: usize = 5;

/// Scenario of solving around moves by hand.
struct Around {
    words: &'static str,
    /// True if the exams move to offered (free) periods, false if into clashes.
    offered: bool,
    /// True if the moved exams are pinned.
    pinned: bool,
    /// Reference timetable of the solve.
    close_to: CloseTo,
}

enum CloseTo {
    /// The timetable before the moves by hand.
    Published,
    /// The timetable after the moves by hand: the moved exams have the price of all others.
    Edited,
    Nothing,
}

/// Scenarios; those with moves into clashes include more than the default of the window, to separate the sources of
/// their cost.
const AROUND: [Around; 5] = [
    Around { words: "free periods", offered: true, pinned: true, close_to: CloseTo::Published },
    Around { words: "clashes", offered: false, pinned: true, close_to: CloseTo::Published },
    Around { words: "clashes; the others go anywhere", offered: false, pinned: true, close_to: CloseTo::Nothing },
    Around { words: "clashes; stay if worth it", offered: false, pinned: false, close_to: CloseTo::Edited },
    Around { words: "clashes; may go back", offered: false, pinned: false, close_to: CloseTo::Published },
];

/// Measures how solving around five exams moved by hand changes a solved timetable.
///
/// Random exams are moved either to the best offered period, or to the period with the fewest clashes, but at least
/// one, and the lowest cost. They are pinned there, and each exam moved by the solver has the price that the window
/// offers: raw cost by number of exams. For moves into clashes there are three more runs: pins without a reference; and
/// no pins, close to the timetable after or before the moves.
///
/// # Errors
/// As [`solve`].
pub fn around_results(
    instances: &[Instance], threads: usize, seconds: f64, seeds: u64, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let title =
        format!("Solving around {BY_HAND} exams moved by hand, {seconds} s before and after, {threads} threads");
    let columns =
        ["instance", "seed", "moved to", "before", "clashes by hand", "after", "change, %", "exams moved", "of all, %"];
    let mut report = Report::new(title, &columns);
    for instance in instances {
        for seed in 1..=seeds {
            tell(&format!("{}, seed {seed}", instance.name));
            let before = anneal(instance, threads, seed, seconds)?;
            let cost_before = feasible_cost(instance, &before)?;
            let published = timetable_of(instance, &before)?;
            let weight = (before.verdict.cost / instance.exam_count() as f64).max(1.0) as u32;
            for Around { words, offered, pinned, close_to } in AROUND {
                let (mut around, edited) = moved_by_hand(instance, &published, offered, seed);
                if !pinned {
                    around.rules.pins.clear();
                }
                around.rules.reference = match close_to {
                    CloseTo::Published => Some(Reference { timetable: published.clone(), weight }),
                    CloseTo::Edited => Some(Reference { timetable: edited.clone(), weight }),
                    CloseTo::Nothing => None,
                };
                let after = anneal(&around, threads, seed, seconds)?;
                let cost_after = feasible_cost(&around, &after)?;
                let reference = Reference { timetable: published.clone(), weight };
                let moved = reference.moved(&timetable_of(&around, &after)?);
                report.rows.push(vec![
                    instance.name.clone(),
                    seed.to_string(),
                    words.to_owned(),
                    numbers::cost(cost_before),
                    edited.cost(instance).clashes.to_string(),
                    numbers::cost(cost_after),
                    format!("{:+.2}", gap_percent(cost_after, cost_before)),
                    moved.to_string(),
                    format!("{:.1}", f64::from(moved) * 100.0 / instance.exam_count() as f64),
                ]);
            }
        }
    }
    report.notes.push(
        "“Clashes by hand”: students with two exams in one period after the moves; after solving there are none."
            .to_owned(),
    );
    Ok(report)
}

/// Moves random exams by hand and pins them; returns the instance with the pins and the timetable after the moves.
fn moved_by_hand(instance: &Instance, published: &Timetable, offered: bool, seed: u64) -> (Instance, Timetable) {
    let (mut around, mut edited) = (instance.clone(), published.clone());
    let philox = Philox::new(seed);
    // Among this many draws there are enough exams that can be moved in this way, or none are.
    for draw in 0..10_000 {
        if around.rules.pins.len() >= BY_HAND.min(instance.exam_count()) {
            break;
        }
        let exam = index(philox.words(draw, 0, 0, HAND)[0], instance.exam_count() as u32) as usize;
        let free = |other: usize| !around.rules.pins.contains_key(&(other as u16));
        let here = edited.period_of(exam);
        let found = moves::consequences(&around, &edited, exam);
        let fitting = found.iter().filter(|consequence| {
            consequence.clashes.is_empty() == offered
                && consequence.clashes.iter().all(|&(other, _)| free(other))
                && here != Some(consequence.period)
        });
        let to =
            fitting.min_by_key(|consequence| (consequence.clashes.len(), consequence.change)).filter(|_| free(exam));
        if let Some(period) = to.map(|consequence| consequence.period as u16) {
            edited.periods[exam] = period;
            around.rules.pins.insert(exam as u16, period);
        }
    }
    (around, edited)
}

/// Purpose field of the random words that choose the exams to move.
const HAND: u32 = 0x50;

/// Cost per student by the checker; an error if the timetable is infeasible or the search reported another cost.
fn feasible_cost(instance: &Instance, result: &RunResult) -> Result<f64> {
    if result.verdict.feasible && result.verdict.confirmed {
        return Ok(result.verdict.cost / f64::from(instance.divisor));
    }
    Err(Error::Search(format!(
        "{}: the result of seed {} does not pass the checker: {}",
        instance.name,
        result.seed,
        result.notes.join("; ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timetabling::generator::sample;

    #[test]
    fn every_table_has_a_row_per_case_and_full_rows() {
        let school = [sample("school").unwrap()];
        let mut told = 0;
        let mut tell = |_: &str| told += 1;
        let tables =
            [stages(&school, &[16], &[1, 2], 2, &mut tell).unwrap(), speed(&school, &[1, 2], 0.1, &mut tell).unwrap()];
        for table in &tables {
            assert_eq!(table.rows.len(), 2);
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
        }
        assert_eq!(told, 4);
    }
}
