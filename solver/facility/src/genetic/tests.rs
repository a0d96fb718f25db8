use std::sync::Arc;

use super::cpu::CpuGenetic;
use super::search::first_individuals;
use super::*;
use crate::evaluation::Problem;
use crate::genes::of_layout;
use crate::islands::orientations;
use crate::memetic::prepared;
use crate::{Instance, library};
use gridwright_core::search::{Construction, Epochs};

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

fn operators(seeding: Seeding, tournament: u32) -> Operators {
    Operators::new(&GeneticParameters { individuals: 256, tournament, seeding, ..GeneticParameters::default() }, 7)
}

/// Method 1 repeats comparisons: with three candidates each, a thread draws second and third what the next two threads
/// draw first. A sequence for each round or each thread repeats a pair of 256 individuals by chance only.
#[test]
fn only_one_sequence_for_all_rounds_repeats_comparisons() {
    let count = |seeding: Seeding| {
        let counted = repeats(&operators(seeding, 3), 1, 0, f64::from);
        assert_eq!(counted.comparisons, 256 * 2 * 2);
        counted.repeated
    };
    let [shared, renewed, own] = Seeding::ALL.map(count);
    assert!(shared > 10 * renewed.max(own) && renewed < 40 && own < 40, "{shared}, {renewed} and {own}");
}

#[test]
fn candidates_are_drawn_by_the_three_methods() {
    let draws = |seeding: Seeding, generation: u32, number: u32| -> Vec<u32> {
        let draw = |thread| {
            operators(seeding, 3).candidate(super::variation::Draw { generation, island: 2, thread }, 0, number)
        };
        (0..64).map(draw).collect()
    };
    for seeding in Seeding::ALL {
        assert_ne!(draws(seeding, 1, 0), draws(seeding, 2, 0), "{seeding:?}: every generation has its own draws");
        assert_ne!(draws(seeding, 1, 0), draws(seeding, 1, 1), "{seeding:?}");
    }
    let shifted = |seeding: Seeding| draws(seeding, 1, 0)[1..] == draws(seeding, 1, 1)[..63];
    assert_eq!(Seeding::ALL.map(shifted), [true, false, false], "of one sequence, thread k begins k draws late");
}
