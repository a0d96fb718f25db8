//! The constructive heuristic NEH: jobs by falling work, each where it costs least.
//!
//! Source: M. Nawaz, E. E. Enscore, I. Ham, «A heuristic algorithm for the m-machine, n-job flow-shop sequencing problem»,
//! Omega 11(1), 1983. Where due dates count, jobs come by due date; for the flow time by rising work.

use super::Objective;
use super::insertion::{Problem, Tables};

/// The order in which jobs are inserted; equal ones by number.
pub fn priority(problem: &Problem) -> Vec<u16> {
    let mut jobs: Vec<u16> = (0..problem.jobs() as u16).collect();
    let work = |job: u16| problem.row(job).iter().map(|&time| u64::from(time)).sum::<u64>();
    match problem.objective {
        Objective::Makespan => jobs.sort_by_key(|&job| std::cmp::Reverse(work(job))),
        Objective::FlowTime => jobs.sort_by_key(|&job| work(job)),
        Objective::Tardiness | Objective::Tardy => jobs.sort_by_key(|&job| (problem.due(job), work(job))),
    }
    jobs
}

/// The order that NEH finds, and what a search says it costs.
pub fn neh(problem: &Problem) -> (Vec<u16>, u64) {
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
            let problem = Problem::new(&instance, Objective::Makespan);
            let (order, cost) = neh(&problem);
            assert_eq!(cost, u64::from(Schedule::new(&instance, &order).makespan()));
            let best = instance.best_known.makespan.unwrap();
            assert!(best <= cost && cost * 100 <= best * (100 + percent), "{name}: {cost}, best known {best}");
        }
    }
}
