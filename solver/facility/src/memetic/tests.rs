use std::sync::Arc;

use super::cpu::CpuAnnealing;
use super::search::prepared;
use super::*;
use crate::evaluation::{Problem, Score};
use crate::genes::of_layout;
use crate::islands::orientations;
use crate::{Department, Instance, Limit, Orientation};
use gridwright_core::search::Epochs;

fn pool(threads: usize) -> Arc<rayon::ThreadPool> {
    Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
}

/// Ten departments in a plant that they fill, with flows between most.
fn instance(aspect: f64) -> Instance {
    let areas = [4.0, 6.0, 8.0, 2.0, 5.0, 7.0, 3.0, 9.0, 6.0, 10.0];
    let department = |(at, &area): (usize, &f64)| Department {
        name: format!("D{}", at + 1),
        area,
        limit: Limit::Aspect(aspect),
        dummy: false,
        ..Department::default()
    };
    let flows = (0..100).map(|at| if at / 10 < at % 10 { f64::from(at as u32 * 7919 % 5) } else { 0.0 }).collect();
    let instance = Instance {
        name: "ten".to_owned(),
        width: 6.0,
        height: 10.0,
        departments: areas.iter().enumerate().map(department).collect(),
        flows,
        ..Instance::default()
    };
    instance.validated().unwrap()
}

fn search(instance: &Instance, seed: u64, threads: usize, wanted: Option<Orientation>) -> Memetic<CpuAnnealing> {
    let parameters = MemeticParameters {
        islands: 2,
        individuals: 4,
        generations: 3,
        leg: 2,
        interval: 1,
        ..MemeticParameters::default()
    };
    let prepared = prepared(instance, seed);
    let islands = orientations(2, wanted).into_iter().map(|one| one as usize).collect();
    let walk = CpuAnnealing::new(&prepared, &parameters, islands, seed, pool(threads));
    let cycles = cycles::Cycles::new(&parameters, &[], None);
    Memetic::new(walk, prepared, &parameters, cycles, wanted, None, seed).unwrap()
}

#[test]
fn any_number_of_threads_and_any_epoch_gives_the_same_path() {
    let instance = instance(4.0);
    let (mut one, mut many) = (search(&instance, 5, 1, None), search(&instance, 5, 4, None));
    for _ in 0..3 {
        one.advance(6).unwrap();
        many.advance(1).unwrap();
        many.advance(5).unwrap();
        assert_eq!(one.snapshot().unwrap().digest, many.snapshot().unwrap().digest);
    }
    let mut other = search(&instance, 6, 1, None);
    other.advance(18).unwrap();
    assert_ne!(one.snapshot().unwrap().digest, other.snapshot().unwrap().digest);
    let migrations = &one.snapshot().unwrap().best.migrations;
    assert!(migrations.is_empty(), "one island of each orientation has nobody to send to: {migrations:?}");
}

#[test]
fn what_is_found_costs_what_is_said_and_gets_better() {
    let instance = instance(4.0);
    for wanted in Orientation::ALL {
        let mut search = search(&instance, 1, 2, Some(wanted));
        let before = search.snapshot().unwrap();
        // Within the first cycle: islands that have begun anew know nothing of what was before.
        search.advance(7).unwrap();
        let after = search.snapshot().unwrap();
        let found = &after.best;
        assert_eq!(found.layout.orientation, wanted);
        let problem = Problem::new(&instance, wanted);
        let score = problem.evaluate(&of_layout(&found.layout), &mut problem.places());
        assert_eq!((score, score.cost), (found.score, after.best_cost));
        assert!(score.is_feasible() && after.best_cost < before.best_cost, "{wanted:?}: {score:?} after {before:?}");
        assert!(!found.migrations.is_empty() && found.islands.len() == 2);
        assert!(found.islands.iter().any(|island| island.best == found.score));
    }
}

/// A cycle begins with random layouts; what islands had before stays their best.
#[test]
fn the_best_of_the_islands_is_the_best_of_the_run() {
    let mut search = search(&instance(4.0), 1, 1, None);
    for _ in 0..60 {
        search.advance(3).unwrap();
        let found = search.snapshot().unwrap().best;
        let best = Score::best_of(found.islands.iter().map(|island| &island.best));
        assert_eq!(best, found.score);
        assert!(found.islands.iter().all(|island| !island.now.is_better(&island.best)));
    }
    assert!(search.stages().unwrap().len() > 2, "several cycles were begun");
}

/// Nothing fits: squares of ten different areas do not fill bays.
#[test]
fn where_nothing_is_feasible_the_least_violated_is_told() {
    let instance = instance(1.0);
    let mut search = search(&instance, 1, 2, None);
    let before = search.snapshot().unwrap().best.score;
    search.advance(20).unwrap();
    let after = search.snapshot().unwrap().best.score;
    assert!(!after.is_feasible() && after.violation < before.violation, "{after:?} after {before:?}");
}
