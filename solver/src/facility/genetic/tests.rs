use std::sync::Arc;

use super::cpu::CpuGenetic;
use super::search::first_individuals;
use super::*;
use crate::facility::evaluation::Problem;
use crate::facility::genes::of_layout;
use crate::facility::islands::orientations;
use crate::facility::memetic::prepared;
use crate::facility::{Instance, library};
use crate::search::{Construction, Epochs};

fn search(instance: &Instance, parameters: &GeneticParameters, seed: u64, threads: usize) -> Genetic<CpuGenetic> {
    let threads = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let (problems, unit) = prepared(instance, seed);
    let islands = orientations(parameters.islands as usize, None);
    let first =
        first_individuals(instance, &problems, parameters, &islands, seed, &threads, &Construction::unlimited());
    let backend = CpuGenetic::new(problems, parameters, islands.clone(), seed, threads);
    Genetic::new(backend, &first, unit, parameters, islands).unwrap()
}

fn small() -> GeneticParameters {
    GeneticParameters { islands: 4, individuals: 40, interval: 3, mutation: 0.3, ..GeneticParameters::default() }
}

#[test]
fn any_number_of_threads_gives_the_same_path_and_every_seeding_another() {
    let instance = library::sample("layout-workshop").unwrap();
    let mut digests = Vec::new();
    for seeding in Seeding::ALL {
        let parameters = GeneticParameters { seeding, ..small() };
        let (mut one, mut many) = (search(&instance, &parameters, 3, 1), search(&instance, &parameters, 3, 4));
        for _ in 0..3 {
            one.advance(4).unwrap();
            many.advance(1).unwrap();
            many.advance(3).unwrap();
            assert_eq!(one.snapshot().unwrap().digest, many.snapshot().unwrap().digest, "{seeding:?}");
        }
        digests.push(one.snapshot().unwrap().digest);
    }
    digests.dedup();
    assert_eq!(digests.len(), 3);
}

#[test]
fn what_is_found_costs_what_is_said_and_gets_better() {
    let instance = library::sample("layout-workshop").unwrap();
    let mut search = search(&instance, &small(), 1, 2);
    let before = search.snapshot().unwrap();
    search.advance(60).unwrap();
    let after = search.snapshot().unwrap();
    let found = &after.best;
    let problem = Problem::new(&instance, found.layout.orientation);
    assert_eq!(problem.evaluate(&of_layout(&found.layout), &mut problem.places()), found.score);
    assert!(found.score.is_better(&before.best.score) && after.mean < before.mean, "{after:?} after {before:?}");
    let migration = found.migrations[0];
    assert_eq!((migration.generation, migration.from, migration.to), (3, 0, 2), "to the next of its orientation");
}

/// Threads of one sequence compare what their neighbours compare; with three candidates each, two of every three draws are shared.
#[test]
fn one_sequence_for_all_threads_repeats_comparisons() {
    let count = |seeding: Seeding| {
        let parameters = GeneticParameters { individuals: 256, tournament: 3, seeding, ..GeneticParameters::default() };
        let operators = Operators::new(&parameters, 7);
        let counted = repeats(&operators, 1, 0, f64::from);
        assert_eq!(counted.comparisons, 256 * 2 * 2);
        counted.repeated
    };
    let [shared, renewed, own] = Seeding::ALL.map(count);
    assert!(shared > 3 * own && renewed > 3 * own, "{shared}, {renewed} and {own}");
}

#[test]
fn one_sequence_is_the_same_in_every_generation_where_it_is_shared() {
    let candidate = |seeding: Seeding, generation: u32, thread: u32, number: u32| {
        let parameters = GeneticParameters { seeding, ..GeneticParameters::default() };
        Operators::new(&parameters, 7).candidate(Draw { generation, island: 2, thread }, 0, number)
    };
    let all =
        |seeding: Seeding, generation: u32| (0..32).map(|k| candidate(seeding, generation, k, 0)).collect::<Vec<_>>();
    assert_eq!(all(Seeding::Shared, 1), all(Seeding::Shared, 2));
    assert_ne!(all(Seeding::Renewed, 1), all(Seeding::Renewed, 2));
    for seeding in [Seeding::Shared, Seeding::Renewed] {
        assert_eq!(
            candidate(seeding, 1, 4, 1),
            candidate(seeding, 1, 5, 0),
            "thread k begins k draws into the sequence"
        );
    }
}
