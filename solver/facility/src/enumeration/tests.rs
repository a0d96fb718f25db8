use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::evaluation::{Problem, Score};
use crate::genes::{END, to_layout};
use crate::islands::BestLayout;
use crate::{Department, Door, DoorFlow, Layout, Limit, Orientation, Way};
use gridwright_core::search::{Construction, Epochs};

fn pool(threads: usize) -> Arc<rayon::ThreadPool> {
    Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
}

fn instance(areas: &[f64], flows: &[u32], aspect: f64) -> Instance {
    instance_with(Distance::Rectilinear, areas, flows, aspect)
}

fn instance_with(distance: Distance, areas: &[f64], flows: &[u32], aspect: f64) -> Instance {
    let n = areas.len();
    let department = |(at, &area): (usize, &f64)| Department {
        name: format!("D{}", at + 1),
        area,
        limit: Limit::Aspect(aspect),
        dummy: false,
        ..Department::default()
    };
    let instance = Instance {
        name: "small".to_owned(),
        distance,
        width: 5.0,
        height: areas.iter().sum::<f64>() / 5.0,
        departments: areas.iter().enumerate().map(department).collect(),
        flows: (0..n * n).map(|at| if at / n < at % n { f64::from(flows[at % flows.len()]) } else { 0.0 }).collect(),
        ..Instance::default()
    };
    instance.validated().unwrap()
}

fn proven(instance: &Instance, threads: usize) -> (BestLayout, u64) {
    let mut search = Enumeration::new(
        instance,
        &EnumerationParameters::default(),
        None,
        1,
        pool(threads),
        &Construction::unlimited(),
    )
    .unwrap();
    while search.snapshot().unwrap().share != Some(1.0) {
        search.advance(16).unwrap();
    }
    let last = search.snapshot().unwrap();
    ((*last.best).clone(), last.digest)
}

/// The best of all orders with all breaks.
fn by_brute_force(instance: &Instance) -> (Score, Layout) {
    let n = instance.len();
    let mut best = (Score::WORST, Layout::default());
    for orientation in Orientation::ALL {
        let problem = Problem::new(instance, orientation);
        let mut places = problem.places();
        orders::permutations(&mut (0..n).collect::<Vec<_>>(), &mut |order| {
            for breaks in 0..1 << (n - 1) {
                let end = |at: usize| if at + 1 == n || breaks >> at & 1 == 1 { END } else { 0 };
                let genes: Vec<u16> = order.iter().enumerate().map(|(at, &one)| one as u16 | end(at)).collect();
                let score = problem.evaluate(&genes, &mut places);
                if score.is_better(&best.0) {
                    best = (score, to_layout(&genes, orientation));
                }
            }
        });
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn equals_the_best_of_all_layouts(
        areas in proptest::collection::vec(1_u32..9, 2..7),
        flows in proptest::collection::vec(0_u32..6, 7..20),
        aspect in 1.5_f64..6.0, is_euclidean: bool,
        doors in proptest::collection::vec((0.0..=1.0_f64, 0.0..=1.0_f64, any::<u16>(), 0_u32..9), 0..4)
    ) {
        let areas: Vec<f64> = areas.into_iter().map(f64::from).collect();
        let distance = if is_euclidean { Distance::Euclidean } else { Distance::Rectilinear };
        let mut instance = instance_with(distance, &areas, &flows, aspect);
        // Both together cannot be proven.
        let doors = if is_euclidean { Vec::new() } else { doors };
        for (at, (x, y, department, amount)) in doors.into_iter().enumerate() {
            let (name, department) = (at.to_string(), department % areas.len() as u16);
            instance.doors.push(Door { name, x: x * instance.width, y: y * instance.height });
            let (door, amount) = (at as u16, amount.into());
            instance.door_flows.push(DoorFlow { department, door, amount, way: Way::In });
        }
        let (found, _) = proven(&instance, 2);
        let (best, layout) = by_brute_force(&instance);
        prop_assert_eq!(found.score.is_feasible(), best.is_feasible());
        if best.is_feasible() {
            let close = (found.score.cost - best.cost).abs() <= 1e-9 * best.cost.max(1.0);
            prop_assert!(close, "{:?} of {:?}, but {:?} of {:?}", found.score, found.layout, best, layout);
        }
    }
}

/// Prints how long proofs with Euclidean distances take: `cargo test --release -p gridwright-facility straight -- --ignored
/// --nocapture`.
#[test]
#[ignore = "prints times, which other tests would disturb"]
fn straight_proofs_are_measured() {
    let areas = [4.0, 6.0, 8.0, 2.0, 5.0, 7.0, 3.0, 5.0, 6.0, 4.0];
    for n in 7..=areas.len() {
        let instance = instance_with(Distance::Euclidean, &areas[..n], &[3, 0, 1, 4, 0, 2, 5], 4.0);
        let begin = std::time::Instant::now();
        let (found, _) = proven(&instance, 2);
        println!("{n} departments: {:.4} in {:.2} s", found.score.cost, begin.elapsed().as_secs_f64());
        assert!(found.proven);
    }
}

#[test]
fn threads_do_not_matter() {
    let instance = instance(&[4.0, 6.0, 8.0, 2.0, 5.0, 7.0, 3.0, 5.0], &[3, 0, 1, 4, 0, 2, 5], 4.0);
    let (one, digest) = proven(&instance, 1);
    assert!(one.proven && one.score.is_feasible());
    assert_eq!(proven(&instance, 3).1, digest);
}

#[test]
fn what_cannot_be_enumerated_is_said() {
    let small = instance(&[4.0, 6.0], &[1], 4.0);
    assert!(check(&small).is_ok());
    let euclidean = |n| instance_with(Distance::Euclidean, &vec![1.0; n], &[1], 4.0);
    assert!(check(&euclidean(10)).is_ok());
    let refused = check(&euclidean(11)).unwrap_err().to_string();
    assert!(refused.contains("Euclidean distances and 11 departments") && refused.contains("at most 10"), "{refused}");
    let large = instance(&[1.0; 14], &[1], 4.0);
    assert!(check(&large).unwrap_err().to_string().contains("at most 13"));
}
