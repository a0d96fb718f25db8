//! Tests of the evaluation of insertion positions.

use proptest::prelude::*;

use super::*;
use crate::tests::{instance_of, with_clocks, with_setups, with_shared_hours};

/// The instance without clocks, with a clock of its own for each machine, or with hours that all machines share.
fn clocked(instance: Instance, real_time: usize, numbers: &[u32]) -> Instance {
    match real_time {
        2 => with_shared_hours(instance, numbers),
        _ => with_clocks(instance, real_time == 1, numbers),
    }
}

proptest! {
    /// Every position costs what recomputing the whole order costs.
    #[test]
    fn every_position_costs_what_a_recount_says(
        jobs in 1_usize..40,
        machines in 1_usize..7,
        numbers in proptest::collection::vec(0_u32..100, 300),
        objective in 0_usize..4,
        release: bool,
        setups: bool,
        real_time in 0_usize..3,
        taken in 0_usize..40,
    ) {
        let instance = with_setups(instance_of(jobs, machines, &numbers, 1, release), setups, &numbers);
        let instance = clocked(instance, real_time, &numbers);
        let problem = FlowShopProblem::new(&instance, Objective::ALL[objective]);
        let mut order: Vec<u16> = (0..jobs as u16).collect();
        order.rotate_left(taken % jobs);
        let job = order.remove(taken % jobs);
        let mut tables = Tables::new(&problem);
        // Stale values of an earlier order must not matter.
        tables.insert(&problem, &order[..order.len() / 2], job);
        let place = tables.insert(&problem, &order, job);
        let mut best = u64::MAX;
        for position in 0..jobs {
            let mut whole = order.clone();
            whole.insert(position, job);
            prop_assert_eq!(tables.costs()[position], problem.cost(&whole));
            best = best.min(problem.cost(&whole));
        }
        prop_assert_eq!(place.cost, best);
        prop_assert_eq!(tables.costs()[place.position], best);
    }

    /// With a bound, a better position is never missed.
    #[test]
    fn a_bound_hides_no_better_place(
        jobs in 1_usize..60,
        machines in 1_usize..7,
        numbers in proptest::collection::vec(0_u32..100, 400),
        objective in 0_usize..4,
        release: bool,
        setups: bool,
        real_time in 0_usize..3,
        taken in 0_usize..60,
        share in 80_u64..130,
    ) {
        let instance = with_setups(instance_of(jobs, machines, &numbers, 1, release), setups, &numbers);
        let instance = clocked(instance, real_time, &numbers);
        let problem = FlowShopProblem::new(&instance, Objective::ALL[objective]);
        let mut order: Vec<u16> = (0..jobs as u16).collect();
        order.rotate_left(taken % jobs);
        let job = order.remove(taken % jobs);
        let place = Tables::new(&problem).insert(&problem, &order, job);
        let bound = place.cost * share / 100;
        let below = Tables::new(&problem).insert_below(&problem, &order, job, bound);
        if place.cost < bound {
            prop_assert_eq!(below, place);
        } else {
            prop_assert!(below.cost >= bound);
        }
    }

    /// The search cost agrees with the reference schedule.
    #[test]
    fn costs_are_those_of_the_schedule(
        jobs in 1_usize..30,
        machines in 1_usize..7,
        numbers in proptest::collection::vec(0_u32..100, 300),
        objective in 0_usize..4,
        release: bool,
        setups: bool,
        real_time in 0_usize..3,
    ) {
        let instance = with_setups(instance_of(jobs, machines, &numbers, 1, release), setups, &numbers);
        let instance = clocked(instance, real_time, &numbers);
        let problem = FlowShopProblem::new(&instance, Objective::ALL[objective]);
        let order: Vec<u16> = (0..jobs as u16).rev().collect();
        let schedule = crate::Schedule::new(&instance, &order);
        prop_assert_eq!(problem.shown(problem.cost(&order)), schedule.value(&instance, Objective::ALL[objective]));
    }
}

/// Among positions of equal makespan the one with less added idle time is taken.
#[test]
fn ties_go_to_the_position_with_less_idle_time() {
    // Jobs (3, 2) and (1, 4): the first ends at 7 after the second and at 9 before it, so there is no tie.
    let instance = Instance::of_times("by hand", 2, vec![3, 2, 1, 4]).unwrap();
    let problem = FlowShopProblem::new(&instance, Objective::Makespan);
    let mut tables = Tables::new(&problem);
    assert_eq!(tables.insert(&problem, &[1], 0), Place { position: 1, cost: 7 });
    // Three jobs (2, 2): every position ends at 8. In the last position machine 2 never waits: f_1 = 6 is e_2 = 6.
    // Before a job: f_2 − e_2 + p − p + max(0, f'_1 − f_2) = 6 − 6 + max(0, 6 − 6) = 0 as well, so the first
    // position stays.
    let same = Instance::of_times("the same", 2, vec![2; 6]).unwrap();
    let problem = FlowShopProblem::new(&same, Objective::Makespan);
    assert_eq!(Tables::new(&problem).insert(&problem, &[0, 1], 2).cost, 8);
}

/// Hours that all machines share need no recurrence of their own: a device can compute the makespan.
#[test]
fn shared_hours_are_computed_in_working_time() {
    let numbers: Vec<u32> = (1..200).map(|number| number * 37 % 90 + 1).collect();
    let plain = instance_of(9, 4, &numbers, 1, true);
    let shared = with_shared_hours(plain.clone(), &numbers);
    let own = with_clocks(plain, true, &numbers);
    for objective in Objective::ALL {
        let [shared, own] = [&shared, &own].map(|instance| FlowShopProblem::new(instance, objective));
        assert!(!shared.has_clocks() && own.has_clocks(), "{objective}");
        assert_eq!((shared.fits_devices(), own.fits_devices()), (objective == Objective::Makespan, false));
    }
}
