//! The constructive heuristic NEH: jobs sorted by priority, each inserted at the position of least cost.
//!
//! Priority is non-increasing total processing time for the makespan, non-decreasing total processing time for the flow
//! time, and the earliest due date for tardiness and tardy jobs.
//!
//! Source: M. Nawaz, E. E. Enscore, I. Ham, «A heuristic algorithm for the m-machine, n-job flow-shop sequencing
//! problem», Omega 11(1), 1983.

use super::Objective;
use super::insertion::{FlowShopProblem, Tables};

/// Job indices in insertion order; ties by index.
pub fn priority(problem: &FlowShopProblem) -> Vec<u16> {
    let mut jobs: Vec<u16> = (0..problem.jobs() as u16).collect();
    let work = |job: u16| problem.row(job).iter().map(|&time| u64::from(time)).sum::<u64>();
    match problem.objective {
        Objective::Makespan => jobs.sort_by_key(|&job| std::cmp::Reverse(work(job))),
        Objective::FlowTime => jobs.sort_by_key(|&job| work(job)),
        Objective::Tardiness | Objective::Tardy => jobs.sort_by_key(|&job| (problem.due(job), work(job))),
    }
    jobs
}

/// Constructs an order of all jobs and returns it with its search cost (see [`FlowShopProblem::cost`]).
pub fn neh(problem: &FlowShopProblem) -> (Vec<u16>, u64) {
    let mut tables = Tables::new(problem);
    let mut order = Vec::with_capacity(problem.jobs());
    let mut cost = 0;
    for job in priority(problem) {
        let place = tables.insert(problem, &order, job);
        order.insert(place.position, job);
        cost = place.cost;
    }
    (order, cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowshop::{Schedule, library};

    #[test]
    fn it_is_within_some_per_cent_of_the_best_known() {
        for (name, percent) in [("ta001", 3), ("ta031", 1), ("ta051", 8), ("ta111", 4)] {
            let instance = library::taillard(name).unwrap();
            let problem = FlowShopProblem::new(&instance, Objective::Makespan);
            let (order, cost) = neh(&problem);
            assert_eq!(cost, u64::from(Schedule::new(&instance, &order).makespan()));
            let best = instance.best_known.makespan.unwrap();
            assert!(best <= cost && cost * 100 <= best * (100 + percent), "{name}: {cost}, best known {best}");
        }
    }
}
