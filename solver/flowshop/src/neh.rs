//! The constructive heuristic NEH: jobs sorted by priority, each inserted at the position of least cost.
//!
//! Priority is non-increasing total processing time for the makespan, non-decreasing total processing time for the flow
//! time, and the earliest due date for tardiness and tardy jobs.
//!
//! On large instances the construction may be cut short, by the clock ([`neh_within`]) or by the work that it takes
//! ([`neh_of_bounded_work`]). The jobs that were not inserted then follow in the order of their priority.
//!
//! Source: M. Nawaz, E. E. Enscore, I. Ham, «A heuristic algorithm for the m-machine, n-job flow-shop sequencing
//! problem», Omega 11(1), 1983.

use super::Objective;
use super::insertion::{FlowShopProblem, Tables};
use gridwright_core::search::Construction;

/// Largest work of [`neh_of_bounded_work`], in vector operations: some tenths of a second. NEH on 500 jobs and 20
/// machines takes nine tenths of it.
const MOST_WORK: u64 = 1 << 25;

/// Job indices in insertion order, first those that have started; ties by index.
pub fn priority(problem: &FlowShopProblem) -> Vec<u16> {
    let mut jobs: Vec<u16> = (0..problem.jobs() as u16).collect();
    let work = |job: u16| problem.row(job).iter().map(|&time| u64::from(time)).sum::<u64>();
    match problem.objective {
        Objective::Makespan => jobs.sort_by_key(|&job| std::cmp::Reverse(work(job))),
        Objective::FlowTime => jobs.sort_by_key(|&job| work(job)),
        Objective::Tardiness | Objective::Tardy => jobs.sort_by_key(|&job| (problem.due(job), work(job))),
    }
    if !problem.frozen().is_empty() {
        jobs.retain(|job| !problem.frozen().contains(job));
        jobs.splice(..0, problem.frozen().iter().copied());
    }
    jobs
}

/// Constructs an order of all jobs and returns it with its search cost (see [`FlowShopProblem::cost`]).
pub fn neh(problem: &FlowShopProblem) -> (Vec<u16>, u64) {
    insert_while(problem, |_| true)
}

/// As [`neh`], cut short by the clock; a unit of the construction is an insertion.
pub(crate) fn neh_within(problem: &FlowShopProblem, construction: &Construction) -> (Vec<u16>, u64) {
    construction.begin();
    insert_while(problem, |_| {
        let goes_on = construction.goes_on();
        construction.finish(u64::from(goes_on));
        goes_on
    })
}

/// As [`neh`], cut short after a fixed amount of work, so that the order is a function of the instance alone.
pub(crate) fn neh_of_bounded_work(problem: &FlowShopProblem) -> Vec<u16> {
    let mut work = 0;
    let is_affordable = |inserted| {
        work += problem.insertion_work(inserted);
        work <= MOST_WORK
    };
    insert_while(problem, is_affordable).0
}

/// Inserts jobs by priority as long as `goes_on`, which is told the number of jobs inserted before. Pinned jobs are not inserted.
fn insert_while(problem: &FlowShopProblem, mut goes_on: impl FnMut(usize) -> bool) -> (Vec<u16>, u64) {
    let (mut tables, jobs) = (Tables::new(problem), problem.movable(&priority(problem)));
    let mut order = Vec::with_capacity(jobs.len());
    let mut cost = 0;
    for &job in &jobs {
        if !goes_on(order.len()) {
            order.extend(&jobs[order.len()..]);
            let order = problem.whole(order);
            let cost = problem.cost(&order);
            return (order, cost);
        }
        if order.len() < problem.frozen().len() {
            order.push(job);
            cost = problem.cost(&order);
            continue;
        }
        let place = tables.insert(problem, &order, job);
        order.insert(place.position, job);
        cost = place.cost;
    }
    let order = problem.whole(order);
    let cost = if problem.rules().is_some() { problem.cost(&order) } else { cost };
    (order, cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instance, Schedule, library};
    use gridwright_core::search::Control;

    /// A construction that is cut short gives an order of all jobs with its cost, and the number of insertions gives the
    /// order again.
    #[test]
    fn what_is_cut_short_is_an_order_of_all_jobs() {
        let instance = library::taillard("ta031").unwrap();
        for objective in Objective::ALL {
            let problem = FlowShopProblem::new(&instance, objective);
            let cut = |insertions| neh_within(&problem, &Construction::recorded(&Control::new(), insertions));
            assert_eq!(cut(None), neh(&problem));
            assert_eq!(cut(Some(0)).0, priority(&problem));
            let (order, cost) = cut(Some(20));
            let mut jobs = order.clone();
            jobs.sort_unstable();
            assert_eq!(jobs, (0..50).collect::<Vec<u16>>());
            assert_eq!((cost, &order[20..]), (problem.cost(&order), &priority(&problem)[20..]));
            assert_eq!(neh_of_bounded_work(&problem), neh(&problem).0, "a small instance");
        }
    }

    /// 65,535 jobs on one machine take NEH a minute.
    #[test]
    fn large_instances_are_cut_short() {
        let times = (0..65_535).map(|job| 1 + job % 99).collect();
        let problem = FlowShopProblem::new(&Instance::of_times("large", 1, times).unwrap(), Objective::Makespan);
        assert!((0..65_535).map(|inserted| problem.insertion_work(inserted)).sum::<u64>() > 10 * MOST_WORK);
        let control = Control::new();
        control.cancel();
        assert_eq!(neh_within(&problem, &Construction::within(&control, None)).0, priority(&problem));
    }

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
