use std::sync::Arc;

use super::expansion::End;
use super::*;
use crate::insertion::FlowShopProblem;
use crate::neh::neh;
use crate::{Instance, Objective, library};

fn pool(threads: usize) -> Arc<rayon::ThreadPool> {
    Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
}

fn beams(instance: &Instance, widest: u32, threads: usize) -> Beams {
    of(instance, Objective::Makespan, widest, threads)
}

fn of(instance: &Instance, objective: Objective, widest: u32, threads: usize) -> Beams {
    let (order, cost) = neh(&FlowShopProblem::new(instance, objective));
    Beams::new(Shop::of(instance, objective).unwrap(), widest, order, cost, pool(threads))
}

/// Instances with zero times, so that machines idle and values tie.
fn made_up(jobs: usize, machines: usize, seed: u64) -> Instance {
    let mut state = seed;
    let times = (0..jobs * machines).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % 12) as u32
    });
    Instance::of_times("made up", machines, times.collect()).unwrap()
}

/// Least makespan over all orders that keep the first `from` jobs in place.
fn least(problem: &FlowShopProblem, order: &mut Vec<u16>, from: usize) -> u64 {
    if from + 1 >= order.len() {
        return problem.cost(order);
    }
    let mut best = u64::MAX;
    for other in from..order.len() {
        order.swap(from, other);
        best = best.min(least(problem, order, from + 1));
        order.swap(from, other);
    }
    best
}

#[test]
fn what_is_proven_is_the_least_of_all_orders() {
    for seed in 0..60 {
        let (jobs, machines) = (1 + seed as usize % 7, 1 + seed as usize % 5);
        let instance = made_up(jobs, machines, seed);
        let problem = FlowShopProblem::new(&instance, Objective::Makespan);
        let mut beams = beams(&instance, 1 << 14, 1);
        while !beams.is_done() {
            beams.advance(7).unwrap();
        }
        let (order, makespan) = beams.best();
        assert_eq!(problem.cost(order), makespan);
        assert!(beams.is_proven(), "{jobs} × {machines}: no beam was wide enough for all partial orders");
        let least = least(&problem, &mut (0..jobs as u16).collect(), 0);
        assert_eq!(makespan, least, "{jobs} × {machines}, seed {seed}");
    }
}

#[test]
fn any_number_of_threads_and_any_epoch_gives_the_same_path() {
    let instance = library::taillard("ta051").unwrap();
    let walk = |threads, epochs: &[u32]| {
        let mut beams = beams(&instance, 256, threads);
        epochs.iter().for_each(|&steps| assert_eq!(beams.advance(steps).unwrap(), steps));
        (beams.snapshot().digest, beams.step(), beams.evaluations(), beams.best().1)
    };
    let expected = walk(1, &[1; 60]);
    assert_eq!(walk(3, &[60]), expected);
    assert_eq!(walk(2, &[7, 13, 1, 39]), expected);
    assert_ne!(walk(1, &[59]).0, expected.0);
}

/// The search ends with the same step however it is divided into epochs.
#[test]
fn the_end_does_not_depend_on_epochs() {
    for name in ["ta001", "ta031"] {
        let instance = library::taillard(name).unwrap();
        let end = |epoch: u32| {
            let mut beams = beams(&instance, 128, 2);
            let mut steps = 0;
            while !beams.is_done() {
                steps += u64::from(beams.advance(epoch).unwrap());
            }
            assert_eq!((beams.step(), beams.advance(5).unwrap()), (steps, 0));
            (steps, beams.snapshot().digest)
        };
        let expected = end(1);
        for epoch in [2, 5, 1_000_000] {
            assert_eq!(end(epoch), expected, "{name}, epochs of {epoch}");
        }
    }
}

/// The guide value of a candidate equals that of the node made from it.
#[test]
fn values_of_candidates_are_those_of_their_nodes() {
    let instance = made_up(37, 6, 5);
    let shop = Shop::of(&instance, Objective::Makespan).unwrap();
    let mut level = Level::root(&shop);
    let mut links = Links::default();
    for depth in 0..shop.jobs() {
        let share = 900.0;
        let rules = LevelContext { best: u64::MAX, guide: Guide::Makespan { share }, depth, limit: u64::MAX };
        let nodes = 0..level.len();
        let expander = Expander { shop: &shop, level: &level, rules: &rules, nodes };
        let (mut found, evaluated, has_dropped) = pulp::Arch::new().dispatch(expander);
        let left = shop.jobs() - depth;
        assert_eq!((found.len(), evaluated, has_dropped), (level.len() * left, (2 * level.len() * left) as u64, false));
        found.sort_by_key(Candidate::rank);
        found.truncate(20);
        level.tidy(&mut links);
        let mut next = Level::of(&shop, 0);
        next.follow(&shop, &level, &found, &mut links);
        for (number, candidate) in found.iter().enumerate() {
            let node = next.node(number);
            // The sum of two shares does not depend on their order.
            let waiting = ((node.share(End::Tail) + node.share(End::Head)) * share) as u64;
            assert_eq!(candidate.value, ((node.bound as u64) << expansion::FRACTION) + waiting);
        }
        level = next;
    }
    let mut order = links.order(level.link(0));
    assert_eq!(FlowShopProblem::new(&instance, Objective::Makespan).cost(&order), level.node(0).bound as u64);
    order.sort_unstable();
    assert!(order.into_iter().eq(0..shop.jobs() as u16));
}

#[test]
fn beams_find_what_iterated_greedy_does_not() {
    let instance = library::taillard("ta041").unwrap();
    let mut beams = beams(&instance, 4_096, 2);
    while !beams.is_done() {
        beams.advance(50).unwrap();
    }
    assert_eq!((beams.best().1, beams.is_proven()), (instance.best_known.makespan.unwrap(), true));
}

/// A beam that is wide enough for all orders finds the one with the least flow time.
#[test]
fn flow_times_are_the_least_where_nothing_is_left_out() {
    for seed in 0..40 {
        let (jobs, machines) = (1 + seed as usize % 6, 1 + seed as usize % 4);
        let instance = made_up(jobs, machines, seed);
        let problem = FlowShopProblem::new(&instance, Objective::FlowTime);
        let mut beams = of(&instance, Objective::FlowTime, 1_024, 2);
        while !beams.is_done() {
            beams.advance(9).unwrap();
        }
        let (order, cost) = beams.best();
        assert_eq!(problem.cost(order), cost);
        assert_eq!(cost, least(&problem, &mut (0..jobs as u16).collect(), 0), "{jobs} × {machines}, seed {seed}");
    }
}

#[test]
fn flow_times_get_better_as_beams_get_wider() {
    let instance = library::taillard("ta051").unwrap();
    let end = |widest, threads| {
        let mut beams = of(&instance, Objective::FlowTime, widest, threads);
        while !beams.is_done() {
            beams.advance(100).unwrap();
        }
        (beams.best().1, beams.snapshot().digest, beams.step())
    };
    let (narrow, wide) = (end(64, 1), end(4_096, 2));
    assert_eq!(end(64, 3), narrow);
    assert!(wide.0 < narrow.0, "{wide:?}, {narrow:?}");
    let best = instance.best_known.flow_time.unwrap();
    assert!(best <= wide.0 && wide.0 * 1_000 <= best * 1_005, "{wide:?}, best known {best}");
}

/// A run whose width was decided by the clock is repeatable without the clock.
#[test]
fn a_width_that_time_has_chosen_can_be_asked_for() {
    let instance = library::taillard("ta051").unwrap();
    let end = |mut beams: Beams| {
        while !beams.is_done() {
            beams.advance(10).unwrap();
        }
        (beams.widest(), beams.step(), beams.snapshot().digest)
    };
    let most = widest(&Shop::of(&instance, Objective::Makespan).unwrap());
    let limited = end(beams(&instance, most, 2).within(Duration::from_millis(30)));
    assert!((NARROWEST..most).contains(&limited.0), "{limited:?}");
    assert_eq!(end(beams(&instance, limited.0, 1)), limited);
    assert_eq!(end(beams(&instance, most, 1).within(Duration::ZERO)).0, NARROWEST);
}

/// Shops with many machines get narrower beams, so that levels fit into memory.
#[test]
fn widths_fit_into_the_memory() {
    for (jobs, machines) in [(1, 1), (100, 20), (2, 4_000), (1, 60_000)] {
        let shop = Shop::of(&made_up(jobs, machines, 1), Objective::Makespan).unwrap();
        let widest = widest(&shop);
        assert!(widest.is_power_of_two() && (NARROWEST..=MOST).contains(&widest));
        assert!(bytes(&shop, widest) < 2 << 30, "{jobs} × {machines}: {widest}");
    }
}
