//! Exact search for few jobs: all orders are compared, depth first, and orders with a common beginning share its evaluation.
//!
//! A job that comes next ends at C_{m,j}, and no earlier in any order with the same beginning, since jobs in between only
//! delay it. Over the jobs j that are still to come, with C_m and p_{m,j} of the last machine and the sums of the objectives
//! over the jobs of the beginning, no such order is below
//!
//! ```text
//! makespan         max(max_j C_{m,j}, C_m + Σ_j p_{m,j})
//! total flow time  Σ C + Σ_j C_{m,j}
//! total tardiness  Σ max(0, C − d) + Σ_j max(0, C_{m,j} − d_j)
//! tardy jobs       |{C > d}| + |{j : C_{m,j} > d_j}|
//! ```
//!
//! A beginning is left alone if these bounds exclude that one of its orders is better than the best so far. Jobs come next in
//! the order of their indices: of all best orders, the result is the first one in lexicographic order, whatever the search
//! before has found. The tests compare everything with the checker on all orders of up to seven jobs.

use std::sync::Arc;

use crate::multiobjective::{Front, FrontArchive};
use crate::{Instance, Objective};
use gridwright_core::search::pareto::Point;

/// Largest number of jobs of which all orders are compared for one objective: 3,628,800 orders.
pub(crate) const MOST_JOBS: usize = 10;

/// Largest number of jobs of which all orders are compared for several objectives at once, and for each objective in turn:
/// 40,320 orders.
pub(crate) const FEW_JOBS: usize = 8;

/// Largest number of operations of all beginnings together: a second or two, even if no bound excludes anything.
const MOST_OPERATIONS: u64 = 1 << 30;

/// The best orders so far.
trait BestOrders {
    /// Returns `true` if no order with values of at least `bound`, in the order of [`Objective::ALL`], is to be added.
    fn excludes(&self, bound: &Point) -> bool;

    /// Adds an order that is not excluded by its own values.
    fn add(&mut self, values: &Point, order: &[u16]);
}

/// The first order with the least value of one objective.
struct Least {
    objective: Objective,
    /// Value that an order has to fall below.
    value: u64,
    order: Option<Vec<u16>>,
}

impl BestOrders for Least {
    fn excludes(&self, bound: &Point) -> bool {
        bound[self.objective as usize] >= self.value
    }

    fn add(&mut self, values: &Point, order: &[u16]) {
        self.value = values[self.objective as usize];
        self.order = Some(order.to_vec());
    }
}

/// Non-dominated orders of several objectives: of each point the first one.
impl BestOrders for FrontArchive {
    fn excludes(&self, bound: &Point) -> bool {
        self.archive().covers(&self.objectives().select(bound))
    }

    fn add(&mut self, values: &Point, order: &[u16]) {
        let point = self.objectives().select(values);
        self.offer(point, || Arc::from(order));
    }
}

/// Depth-first search through the beginnings of orders.
struct Walk<'a, B> {
    instance: &'a Instance,
    best: B,
    /// Beginning: jobs by position.
    order: Vec<u16>,
    is_placed: Vec<bool>,
    /// Completion times by machine: a row of zeros, then a row for each job that comes next in each position, positions × jobs.
    rows: Vec<u32>,
}

/// Returns `true` if the instance has at most `most_jobs` jobs, no set-ups and working times, and not so many machines that comparing all
/// orders takes long.
/// A set-up from one job to another may take longer than a third job in between with its two set-ups, so that no bound holds.
pub(crate) fn is_enumerable(instance: &Instance, most_jobs: usize) -> bool {
    let jobs = instance.job_count();
    if jobs > most_jobs || instance.further_times().is_some() {
        return false;
    }
    let longer = |beginnings: &mut u64, open: usize| {
        *beginnings *= open as u64;
        Some(*beginnings)
    };
    let beginnings: u64 = (1..=jobs).rev().scan(1, longer).sum();
    beginnings.saturating_mul(instance.machine_count() as u64) <= MOST_OPERATIONS
}

/// Compares all orders of the jobs; returns the first order of least value and this value if the value is below `below`, and
/// `None` if no order is. For instances that are [`is_enumerable`].
pub(crate) fn order_below(instance: &Instance, objective: Objective, below: u64) -> Option<(Vec<u16>, u64)> {
    let Least { value, order, .. } = Walk::through(instance, Least { objective, value: below, order: None });
    order.map(|order| (order, value))
}

/// Least value of an objective; `None` where comparing the orders takes longer than [`FEW_JOBS`] need.
pub(crate) fn optimum(instance: &Instance, objective: Objective) -> Option<u64> {
    is_enumerable(instance, FEW_JOBS).then(|| order_below(instance, objective, u64::MAX))?.map(|(_, value)| value)
}

/// Compares all orders of the jobs; returns the front of all orders for the objectives and within the bounds of `front`. For
/// instances that are [`is_enumerable`].
pub(crate) fn whole_front(instance: &Instance, front: &Front) -> Arc<Front> {
    Walk::through(instance, FrontArchive::new(front.objectives, front.extent)).front(0)
}

impl<'a, B: BestOrders> Walk<'a, B> {
    /// Goes through all orders and returns the best ones.
    fn through(instance: &'a Instance, best: B) -> B {
        let (jobs, machines) = (instance.job_count(), instance.machine_count());
        let rows = vec![0; (1 + jobs * jobs) * machines];
        let mut walk = Self { instance, best, order: Vec::with_capacity(jobs), is_placed: vec![false; jobs], rows };
        walk.descend([0; 4]);
        walk.best
    }

    /// Goes through all orders that continue the beginning, whose jobs have these values.
    fn descend(&mut self, values: Point) {
        if self.order.len() == self.is_placed.len() {
            return self.best.add(&values, &self.order);
        }
        let bound = self.bound(values);
        if self.best.excludes(&bound) {
            return;
        }
        for job in 0..self.is_placed.len() {
            if self.is_placed[job] {
                continue;
            }
            let end = self.end(self.order.len(), job);
            self.order.push(job as u16);
            self.is_placed[job] = true;
            self.descend(self.joined(values, job, end));
            self.is_placed[job] = false;
            self.order.pop();
        }
    }

    /// Lower bounds of the objectives for all orders that continue the beginning; computes the rows of the jobs that may come
    /// next.
    fn bound(&mut self, values: Point) -> Point {
        let (position, last) = (self.order.len(), self.instance.machine_count() - 1);
        let mut bound = values;
        let mut work = self.rows[self.row_before(position) + last].into();
        for job in 0..self.is_placed.len() {
            if !self.is_placed[job] {
                self.place(position, job);
                bound = self.joined(bound, job, self.end(position, job));
                work += u64::from(self.instance.time(job, last));
            }
        }
        bound[Objective::Makespan as usize] = bound[Objective::Makespan as usize].max(work);
        bound
    }

    /// Computes the completion times of a job that comes next, in `position`.
    fn place(&mut self, position: usize, job: usize) {
        let (row, before) = (self.row(position, job), self.row_before(position));
        let (earlier, later) = self.rows.split_at_mut(row);
        let mut ready = self.instance.jobs[job].release;
        let steps = later.iter_mut().zip(&earlier[before..]).zip(self.instance.row(job));
        for ((end, &free), &time) in steps {
            ready = ready.max(free) + time;
            *end = ready;
        }
    }

    /// Values with those of another job that ends at `end`.
    fn joined(&self, [makespan, flow_time, tardiness, tardy]: Point, job: usize, end: u32) -> Point {
        let late = self.instance.jobs[job].due.map_or(0, |due| end.saturating_sub(due));
        [makespan.max(end.into()), flow_time + u64::from(end), tardiness + u64::from(late), tardy + u64::from(late > 0)]
    }

    /// Completion time on the last machine of a job that comes next, in `position`.
    fn end(&self, position: usize, job: usize) -> u32 {
        let machines = self.instance.machine_count();
        self.rows[self.row(position, job) + machines - 1]
    }

    /// First entry of the row of a job in `position`.
    fn row(&self, position: usize, job: usize) -> usize {
        (1 + position * self.is_placed.len() + job) * self.instance.machine_count()
    }

    /// First entry of the row of the job before `position`; of the zeros before the first one.
    fn row_before(&self, position: usize) -> usize {
        position.checked_sub(1).map_or(0, |before| self.row(before, self.order[before].into()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use gridwright_core::search::pareto::dominates;
    use proptest::prelude::*;

    use super::*;
    use crate::check::{Verdict, check};
    use crate::multiobjective::Objectives;
    use crate::multiobjective::evaluation::Shop;
    use crate::multiobjective::weights::Extent;

    /// All orders of the jobs in lexicographic order.
    fn orders(jobs: usize) -> Vec<Vec<u16>> {
        let mut all = vec![Vec::new()];
        for _ in 0..jobs {
            let longer = |order: Vec<u16>| {
                let open: Vec<u16> = (0..jobs as u16).filter(|job| !order.contains(job)).collect();
                open.into_iter().map(move |job| [order.as_slice(), &[job]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }

    /// Instances of two to seven jobs with due dates, release dates and operations that take no time.
    fn few_jobs() -> impl Strategy<Value = Instance> {
        let often_nothing = |most: u32| prop_oneof![Just(0), 0..most];
        let job = (proptest::collection::vec(often_nothing(30), 4), 0..150_u32, often_nothing(40));
        (proptest::collection::vec(job, 2..=7), 1..=4_usize).prop_map(|(jobs, machines)| {
            let times = jobs.iter().flat_map(|job| job.0[..machines].to_vec()).collect();
            let mut instance = Instance::of_times("test", machines, times).unwrap();
            for (job, (_, due, release)) in instance.jobs.iter_mut().zip(jobs) {
                (job.due, job.release) = (Some(due), release);
            }
            instance
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_least_value_is_that_of_the_checker_on_all_orders(instance in few_jobs()) {
            let judged: Vec<_> = orders(instance.job_count()).into_iter().map(|order| (check(&instance, &order), order)).collect();
            for objective in Objective::ALL {
                let value = |at: usize| judged[at].0.value(objective).unwrap();
                let first = (0..judged.len()).min_by_key(|&at| value(at)).unwrap();
                let least = (judged[first].1.clone(), value(first));
                for below in [u64::MAX, value(judged.len() - 1) + 1, least.1 + 1] {
                    prop_assert_eq!(order_below(&instance, objective, below), Some(least.clone()), "{} below {}", objective, below);
                }
                prop_assert_eq!(order_below(&instance, objective, least.1), None, "{}", objective);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_whole_front_is_that_of_the_checker_on_all_orders(instance in few_jobs()) {
            let judged: Vec<_> = orders(instance.job_count()).into_iter().map(|order| (check(&instance, &order), order)).collect();
            for names in ["makespan,flowtime", "tardy,makespan", "flowtime,tardiness", "makespan,flowtime,tardiness,tardy"] {
                let objectives: Objectives = names.parse().unwrap();
                let (extent, _) = Extent::new(&instance, &Shop::new(&instance), &objectives);
                let none = Front { objectives, extent, points: Vec::new(), orders: Vec::new(), missing: 0 };
                let found = whole_front(&instance, &none);
                let value = |verdict: &Verdict, axis| {
                    objectives.as_slice().get(axis).map_or(0, |&objective| verdict.value(objective).unwrap())
                };
                // The first order of each point, in lexicographic order.
                let mut first: BTreeMap<Point, &[u16]> = BTreeMap::new();
                for (verdict, order) in &judged {
                    first.entry(std::array::from_fn(|axis| value(verdict, axis))).or_insert(order);
                }
                let points: Vec<Point> = first.keys().copied().collect();
                let expected = first.iter().filter(|(point, _)| !points.iter().any(|other| dominates(other, point)));
                let members = found.points.iter().zip(found.orders.iter().map(|order| &**order));
                prop_assert!(members.eq(expected.map(|(point, order)| (point, *order))), "{names}: {:?}", found.points);
                prop_assert_eq!(found.missing, extent.missing(&found.points, objectives.count()));
            }
        }
    }

    #[test]
    fn orders_of_few_jobs_on_not_too_many_machines_are_compared() {
        let of = |jobs: usize, machines: usize| {
            let instance = Instance::of_times("test", machines, vec![1; jobs * machines]).unwrap();
            is_enumerable(&instance, MOST_JOBS)
        };
        // 9,864,100 beginnings of ten jobs.
        assert!(of(1, 1) && of(10, 100) && !of(10, 109) && !of(11, 1));
        assert!(of(2, 65_535), "two jobs have four beginnings, however many machines");
    }
}
