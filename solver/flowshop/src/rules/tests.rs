use gridwright_core::search::{Budget, Control};
use proptest::prelude::*;

use super::*;
use crate::check::check;
use crate::insertion::{FlowShopProblem, Tables};
use crate::multiobjective::Goal;
use crate::run::{Algorithm, Settings, replay, solve};
use crate::tests::{with_clocks, with_orders, with_progress, with_setups, with_skips};
use crate::{Objective, frozen};

fn of(pins: &[[u16; 2]], precedences: &[[u16; 2]]) -> Rules {
    Rules {
        pins: pins.iter().map(|&[job, position]| Pin { job, position }).collect(),
        precedences: precedences.iter().map(|&[first, then]| Precedence { first, then }).collect(),
    }
}

fn shop(jobs: usize) -> Instance {
    let times = (0..jobs as u32 * 2).map(|at| 1 + at * 7 % 5).collect();
    Instance::of_times("shop", 2, times).unwrap()
}

/// All orders of the jobs in which those that have started come first.
fn orders(instance: &Instance) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new()];
    for job in 0..instance.job_count() as u16 {
        let longer = |order: Vec<u16>| (0..=order.len()).map(move |at| [&order[..at], &[job], &order[at..]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all.retain(|order| frozen::first(instance, order) == *order);
    all
}

#[test]
fn contradictions_are_named() {
    let mut started = shop(4);
    started.jobs[2].progress.percent = Some(50);
    let started = started.validated().unwrap();
    let plain = shop(4);
    let why = |instance: &Instance, rules: Rules| rules.check(instance).unwrap_err().to_string();
    for (instance, rules, expected) in [
        (&plain, of(&[[0, 1], [2, 1]], &[]), "«J1» and «J3» are both pinned to position 2; remove one pin"),
        (&plain, of(&[[0, 1], [0, 2]], &[]), "«J1» is pinned to the positions 2 and 3"),
        (&plain, of(&[[3, 4]], &[]), "«J4» is pinned to position 5 of 4; choose a position up to 4"),
        (&plain, of(&[[4, 0]], &[]), "names a job that does not exist"),
        (&plain, of(&[], &[[1, 1]]), "«J2» cannot be behind itself"),
        (
            &plain,
            of(&[], &[[3, 0], [0, 1], [1, 2], [2, 0]]),
            "the rules «J3» not before «J2», «J1» not before «J3», «J2» not before «J1» form a circle; remove one of them",
        ),
        (&plain, of(&[[0, 3], [1, 2]], &[[0, 1]]), "«J2» not before «J1»: there is no position for"),
        (&plain, of(&[[2, 1]], &[[0, 2], [1, 2]]), "no order meets the rules «J3» in position 2"),
        (&started, of(&[[0, 0]], &[]), "«J1» is pinned to position 1, but 1 job that started come first"),
        (&started, of(&[[2, 1]], &[]), "«J3» has started and keeps another position than that of its pin"),
        (&started, of(&[], &[[1, 2]]), "«J3» has started, so it stands before «J2»; remove the rule"),
    ] {
        let found = why(instance, rules);
        assert!(found.contains(expected), "{found}");
    }
    assert!(of(&[[2, 2]], &[[0, 2], [1, 2], [2, 3]]).check(&plain).is_ok());
    assert!(of(&[[2, 0]], &[]).check(&started).is_ok(), "its own position");
}

#[test]
fn a_moved_job_passes_pinned_ones() {
    let rules = of(&[[1, 1], [3, 3]], &[]);
    let order = [0, 1, 2, 3, 4];
    assert_eq!(rules.moved(&order, [0, 4]), [2, 1, 4, 3, 0]);
    assert_eq!(rules.moved(&order, [4, 1]), [4, 1, 0, 3, 2], "position 2 is taken");
    assert_eq!(rules.moved(&order, [1, 0]), [1, 0, 2, 3, 4], "the pinned job itself is moved as it is told");
    assert_eq!(Rules::default().moved(&order, [0, 4]), [1, 2, 3, 4, 0]);
}

/// Instances of up to six jobs with all that searches evaluate, each with rules that may contradict each other, and an order.
fn ruled() -> impl Strategy<Value = (Instance, Vec<u16>)> {
    let numbers = (proptest::collection::vec(0_u32..60, 60), any::<(bool, bool, bool, bool, bool)>());
    let pair = || (0_u16..6, 0_u16..6);
    let rules = (proptest::collection::vec(pair(), 0..3), proptest::collection::vec(pair(), 0..4));
    (2..=6_usize, 1..=3_usize, numbers, rules).prop_flat_map(|(jobs, machines, (numbers, features), rules)| {
        let (setups, real_time, orders, skips, starts) = features;
        let number = |at: usize| numbers[at % numbers.len()];
        let times = (0..jobs * machines).map(|at| number(at).max(u32::from(setups))).collect();
        let mut instance = Instance::of_times("random", machines, times).unwrap();
        for (at, job) in instance.jobs.iter_mut().enumerate() {
            (job.due, job.release) = (Some(number(at) * 2), number(at + 3) / 4);
        }
        let instance = with_orders(with_setups(instance, setups, &numbers), orders, &numbers);
        let instance = with_progress(with_skips(instance, skips, &numbers), starts && number(7) % 2 == 0, &numbers);
        let mut instance = with_clocks(instance, real_time, &numbers);
        let most = jobs as u16;
        let within =
            |pairs: &[(u16, u16)]| pairs.iter().map(|&(one, other)| [one % most, other % most]).collect::<Vec<_>>();
        instance.rules = of(&within(&rules.0), &within(&rules.1));
        // No job is behind itself, which the checker does not look for.
        instance.rules.precedences.retain(|pair| pair.first != pair.then);
        let order = Just((0..most).collect::<Vec<_>>()).prop_shuffle();
        (Just(instance), order)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Rules are refused exactly if no order passes the checker, and a repaired order passes it.
    #[test]
    fn rules_are_possible_if_an_order_meets_them((instance, order) in ruled()) {
        let is_possible = orders(&instance).iter().any(|order| check(&instance, order).feasible);
        prop_assert_eq!(instance.rules.check(&instance).is_ok(), is_possible, "{:?}", instance.rules);
        if is_possible {
            let order = frozen::first(&instance, &order);
            let repaired = instance.rules.repaired(&instance, &order);
            prop_assert!(check(&instance, &repaired).feasible, "{:?}", repaired);
            if check(&instance, &order).feasible {
                prop_assert_eq!(repaired, order);
            }
        }
    }

    /// The cost of each insertion position is that of the whole order, also of orders that lack jobs.
    #[test]
    fn insertions_cost_what_the_whole_order_costs((instance, order) in ruled(), at in 0_usize..4) {
        prop_assume!(instance.rules.check(&instance).is_ok() && !instance.rules.is_empty());
        let problem = FlowShopProblem::new(&instance, Objective::ALL[at]);
        let mut sequence = problem.movable(&frozen::first(&instance, &order));
        let first = problem.frozen().len();
        prop_assume!(sequence.len() > first);
        let job = sequence.remove(first + at % (sequence.len() - first));
        let mut tables = Tables::new(&problem);
        let place = tables.insert(&problem, &sequence, job);
        let costs: Vec<u64> = (first..=sequence.len()).map(|position| {
            let mut inserted = sequence.clone();
            inserted.insert(position, job);
            problem.cost(&problem.whole(inserted))
        }).collect();
        prop_assert_eq!(&tables.costs()[first..=sequence.len()], &costs[..]);
        prop_assert_eq!(Some(place.cost), costs.iter().copied().min());
        prop_assert_eq!(costs[place.position - first], place.cost);
    }

    /// Iterated greedy finds the best of all orders that the checker accepts, and its replay is equal.
    #[test]
    fn searches_find_the_best_order_that_meets_the_rules((instance, _) in ruled(), at in 0_usize..4) {
        prop_assume!(instance.rules.check(&instance).is_ok());
        let objective = Objective::ALL[at];
        let verdicts = orders(&instance).into_iter().map(|order| check(&instance, &order));
        let best = verdicts.filter(|verdict| verdict.feasible).filter_map(|verdict| verdict.value(objective)).min();
        let goal = Goal::One(objective);
        let settings = Settings { goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(150)) };
        let found = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
        prop_assert!(found.verdict.feasible && found.verdict.confirmed, "{:?}", found.verdict);
        prop_assert_eq!(Some(found.verdict.cost as u64), best, "{:?} {:?}", instance.rules, found.solution);
        let plain = Instance { rules: Rules::default(), ..instance };
        let again = replay(&plain, &found, "cpu", 2, &Control::new(), &mut |_| {}).unwrap();
        prop_assert!(again.is_equal());
    }
}
