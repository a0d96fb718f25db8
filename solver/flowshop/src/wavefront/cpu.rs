//! Makespans and sums of completion times of many orders on the CPU: eight orders per SIMD bundle, bundles in parallel
//! on all threads.

use rayon::prelude::*;

use crate::check::check;
use crate::draws::random_order;
use crate::{Instance, Schedule};
use gridwright_core::lanes::lanes;
use gridwright_core::random::Philox;
use gridwright_core::{Error, Result};

/// Makespan and total flow time of one order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OrderValues {
    /// max C_j.
    pub makespan: u32,
    /// Σ C_j.
    pub flow_time: u64,
}

/// A batch of job permutations of one flow shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    jobs: usize,
    /// Job indices, row-major, orders × jobs.
    flat: Vec<u16>,
}

impl Orders {
    /// Validates and packs orders from outside.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the first order that is not a permutation of all jobs.
    pub fn new(instance: &Instance, orders: &[Vec<u16>]) -> Result<Self> {
        for (number, order) in orders.iter().enumerate() {
            if let Some(violation) = check(instance, order).violations.first() {
                return Err(Error::Usage(format!("order {} of {}: {}", number + 1, instance.name, violation.text)));
            }
        }
        Ok(Self { jobs: instance.job_count(), flat: orders.concat() })
    }

    /// Draws `count` random permutations, determined by `seed`.
    pub fn random(instance: &Instance, count: usize, seed: u64) -> Self {
        let jobs = instance.job_count();
        let order = |number: usize| random_order(Philox::new(seed), number as u64, 0, jobs);
        Self { jobs, flat: (0..count).flat_map(order).collect() }
    }

    /// Number of orders.
    pub fn count(&self) -> usize {
        self.flat.len() / self.jobs.max(1)
    }

    /// Number of jobs n.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Job indices, row-major, orders × jobs.
    pub fn flat(&self) -> &[u16] {
        &self.flat
    }

    /// Iterates over the orders.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        self.flat.chunks_exact(self.jobs.max(1))
    }

    /// Checks that the orders have the instance's number of jobs, and that it has no set-ups and working times.
    ///
    /// # Errors
    /// [`Error::Usage`] if the numbers of jobs differ, or if there are set-ups or working times.
    pub fn fit(&self, instance: &Instance) -> Result<()> {
        if let Some(times) = instance.further_times() {
            let name = &instance.name;
            return Err(Error::Usage(format!(
                "{name} has {times}, which batches of orders do not mind; take another flow shop"
            )));
        }
        let jobs = instance.job_count();
        if self.jobs != jobs {
            let (name, found) = (&instance.name, self.jobs);
            return Err(Error::Usage(format!("{name} has {jobs} jobs, the orders have {found}; make orders for it")));
        }
        Ok(())
    }
}

/// Orders per SIMD bundle.
const SIDE_BY_SIDE: usize = 8;

type Lanes = [u32; SIDE_BY_SIDE];

/// Evaluates the orders one after the other by the plain recurrence: the sequential baseline. Entry k of the result
/// belongs to order k.
///
/// # Errors
/// See [`Orders::fit`].
pub fn one_by_one(instance: &Instance, orders: &Orders) -> Result<Vec<OrderValues>> {
    orders.fit(instance)?;
    let mut ends = vec![0; instance.machine_count()];
    Ok(orders.iter().map(|order| recurrence(instance, order, &mut ends)).collect())
}

/// Evaluates one order; `ends` is a buffer of m entries.
fn recurrence(instance: &Instance, order: &[u16], ends: &mut [u32]) -> OrderValues {
    ends.fill(0);
    let mut values = OrderValues::default();
    for &job in order {
        let mut ready = instance.jobs[usize::from(job)].release;
        for (end, &time) in ends.iter_mut().zip(instance.row(usize::from(job))) {
            ready = ready.max(*end).wrapping_add(time);
            *end = ready;
        }
        values.makespan = ready;
        values.flow_time += u64::from(ready);
    }
    values
}

/// Evaluates the orders in bundles of eight on all threads of a pool. Entry k of the result belongs to order k.
///
/// # Errors
/// See [`Orders::fit`].
pub fn evaluate(instance: &Instance, orders: &Orders, threads: &rayon::ThreadPool) -> Result<Vec<OrderValues>> {
    orders.fit(instance)?;
    let mut values = vec![OrderValues::default(); orders.count()];
    let bundle = SIDE_BY_SIDE * orders.jobs;
    threads.install(|| {
        values.par_chunks_mut(SIDE_BY_SIDE).zip(orders.flat.par_chunks(bundle.max(1))).for_each_init(
            Vec::new,
            |ends, (values, orders)| {
                pulp::Arch::new().dispatch(Bundle { instance, orders, values, ends });
            },
        );
    });
    Ok(values)
}

/// Up to eight orders; dispatched to the best SIMD instruction set at run time.
struct Bundle<'a> {
    instance: &'a Instance,
    orders: &'a [u16],
    values: &'a mut [OrderValues],
    /// Completion times by machine and lane.
    ends: &'a mut Vec<Lanes>,
}

impl pulp::NullaryFnOnce for Bundle<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { instance, orders, values, ends } = self;
        let (jobs, machines) = (instance.job_count(), instance.machine_count());
        // Unused lanes repeat the first order.
        let rows: [&[u16]; SIDE_BY_SIDE] =
            lanes(|lane| orders.get(lane * jobs..(lane + 1) * jobs).unwrap_or(&orders[..jobs]));
        ends.clear();
        ends.resize(machines, [0; SIDE_BY_SIDE]);
        let (mut ready, mut sums) = ([0; SIDE_BY_SIDE], [0_u64; SIDE_BY_SIDE]);
        for position in 0..jobs {
            let job: [usize; SIDE_BY_SIDE] = lanes(|lane| usize::from(rows[lane][position]));
            let times: [&[u32]; SIDE_BY_SIDE] = lanes(|lane| &instance.row(job[lane])[..machines]);
            ready = lanes(|lane| instance.jobs[job[lane]].release);
            for (machine, end) in ends.iter_mut().enumerate() {
                let time: Lanes = lanes(|lane| times[lane][machine]);
                // No completion time exceeds the sum of all times, which fits into 32 bits.
                ready = lanes(|lane| ready[lane].max(end[lane]).wrapping_add(time[lane]));
                *end = ready;
            }
            sums = lanes(|lane| sums[lane].wrapping_add(u64::from(ready[lane])));
        }
        for (value, (makespan, flow_time)) in values.iter_mut().zip(ready.into_iter().zip(sums)) {
            *value = OrderValues { makespan, flow_time };
        }
    }
}

/// Evaluates the orders with the reference [`Schedule`].
pub fn reference(instance: &Instance, orders: &Orders) -> Vec<OrderValues> {
    let of = |order: &[u16]| {
        let schedule = Schedule::new(instance, order);
        let flow_time = (0..order.len()).map(|position| u64::from(schedule.done(position))).sum();
        OrderValues { makespan: schedule.makespan(), flow_time }
    };
    orders.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{planned, without_clocks};
    use gridwright_core::backend;

    #[test]
    fn orders_from_outside_are_looked_at() {
        let instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        let orders = Orders::new(&instance, &[vec![0, 1], vec![1, 0]]).unwrap();
        assert_eq!((orders.count(), orders.jobs(), orders.flat()), (2, 2, &[0, 1, 1, 0][..]));
        let values = one_by_one(&instance, &orders).unwrap();
        assert_eq!(values, [OrderValues { makespan: 9, flow_time: 14 }, OrderValues { makespan: 7, flow_time: 12 }]);
        let refused = |orders: &[Vec<u16>]| Orders::new(&instance, orders).unwrap_err().to_string();
        assert!(refused(&[vec![0, 1], vec![1]]).contains("order 2 of example: job J1 has no position"));
        let other = Instance::of_times("other", 1, vec![1; 3]).unwrap();
        assert!(one_by_one(&other, &orders).unwrap_err().to_string().contains("other has 3 jobs"));
    }

    proptest! {
        /// Bundles agree with the reference for any number of orders, including partly filled bundles, on one and two
        /// threads.
        #[test]
        fn side_by_side_is_one_by_one((instance, _) in planned(), count in 0..20_usize, seed in any::<u64>()) {
            let instance = without_clocks(Instance { setups: None, ..instance });
            let orders = Orders::random(&instance, count, seed);
            let expected = reference(&instance, &orders);
            prop_assert_eq!(orders.count(), count);
            prop_assert_eq!(&one_by_one(&instance, &orders).unwrap(), &expected);
            for threads in [1, 2] {
                let threads = backend::thread_pool(threads).unwrap();
                prop_assert_eq!(&evaluate(&instance, &orders, &threads).unwrap(), &expected);
            }
        }
    }
}
