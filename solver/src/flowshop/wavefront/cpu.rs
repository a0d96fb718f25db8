//! Makespans and sums of completion times of many orders on the CPU: eight orders side by side in the lanes of a vector, such
//! bundles on all threads.

use rayon::prelude::*;

use crate::flowshop::check::check;
use crate::flowshop::multiobjective::draws::random_order;
use crate::flowshop::{Instance, Schedule};
use crate::random::Philox;
use crate::{Error, Result};

/// What an order comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Values {
    /// max C_j.
    pub makespan: u32,
    /// Σ C_j.
    pub flow_time: u64,
}

/// Orders of one flow shop, each with every job once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    jobs: usize,
    /// orders × jobs.
    flat: Vec<u16>,
}

impl Orders {
    /// Orders from outside.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the first order without every job once.
    pub fn new(instance: &Instance, orders: &[Vec<u16>]) -> Result<Self> {
        for (number, order) in orders.iter().enumerate() {
            if let Some(violation) = check(instance, order).violations.first() {
                return Err(Error::Usage(format!("order {} of {}: {}", number + 1, instance.name, violation.text)));
            }
        }
        Ok(Self { jobs: instance.job_count(), flat: orders.concat() })
    }

    /// So many orders at random; the same for the same seed.
    pub fn random(instance: &Instance, count: usize, seed: u64) -> Self {
        let jobs = instance.job_count();
        let order = |number: usize| random_order(Philox::new(seed), number as u64, 0, jobs);
        Self { jobs, flat: (0..count).flat_map(order).collect() }
    }

    /// Number of orders.
    pub fn count(&self) -> usize {
        self.flat.len() / self.jobs.max(1)
    }

    /// n.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// One behind the other: orders × jobs.
    pub fn flat(&self) -> &[u16] {
        &self.flat
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        self.flat.chunks_exact(self.jobs.max(1))
    }

    /// Whether they are orders of this flow shop.
    ///
    /// # Errors
    /// [`Error::Usage`] where the number of jobs differs.
    pub fn fit(&self, instance: &Instance) -> Result<()> {
        let jobs = instance.job_count();
        if self.jobs != jobs {
            let (name, found) = (&instance.name, self.jobs);
            return Err(Error::Usage(format!("{name} has {jobs} jobs, the orders have {found}; make orders for it")));
        }
        Ok(())
    }
}

/// Orders in the lanes of a vector.
const SIDE_BY_SIDE: usize = 8;

type Lanes = [u32; SIDE_BY_SIDE];

/// One after the other, each by the recurrence alone: what everything else is measured against.
///
/// # Errors
/// As [`Orders::fit`].
pub fn one_by_one(instance: &Instance, orders: &Orders) -> Result<Vec<Values>> {
    orders.fit(instance)?;
    let mut ends = vec![0; instance.machine_count()];
    Ok(orders.iter().map(|order| recurrence(instance, order, &mut ends)).collect())
}

/// The recurrence with one number for each machine.
fn recurrence(instance: &Instance, order: &[u16], ends: &mut [u32]) -> Values {
    ends.fill(0);
    let mut values = Values::default();
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

/// Eight orders side by side, on all threads of a pool.
///
/// # Errors
/// As [`Orders::fit`].
pub fn evaluate(instance: &Instance, orders: &Orders, threads: &rayon::ThreadPool) -> Result<Vec<Values>> {
    orders.fit(instance)?;
    let mut values = vec![Values::default(); orders.count()];
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

/// Up to eight orders, compiled for the vector unit that is there.
struct Bundle<'a> {
    instance: &'a Instance,
    orders: &'a [u16],
    values: &'a mut [Values],
    /// When each machine is free, lane by lane.
    ends: &'a mut Vec<Lanes>,
}

impl pulp::NullaryFnOnce for Bundle<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { instance, orders, values, ends } = self;
        let (jobs, machines) = (instance.job_count(), instance.machine_count());
        // Lanes without an order repeat the first.
        let rows: [&[u16]; SIDE_BY_SIDE] =
            std::array::from_fn(|lane| orders.get(lane * jobs..(lane + 1) * jobs).unwrap_or(&orders[..jobs]));
        ends.clear();
        ends.resize(machines, [0; SIDE_BY_SIDE]);
        let (mut ready, mut sums) = ([0; SIDE_BY_SIDE], [0_u64; SIDE_BY_SIDE]);
        for position in 0..jobs {
            let job: [usize; SIDE_BY_SIDE] = std::array::from_fn(|lane| usize::from(rows[lane][position]));
            let times: [&[u32]; SIDE_BY_SIDE] = std::array::from_fn(|lane| &instance.row(job[lane])[..machines]);
            ready = std::array::from_fn(|lane| instance.jobs[job[lane]].release);
            for (machine, end) in ends.iter_mut().enumerate() {
                let time: Lanes = std::array::from_fn(|lane| times[lane][machine]);
                // No completion time is larger than all times together, which fit: lanes need no look at that.
                ready = std::array::from_fn(|lane| ready[lane].max(end[lane]).wrapping_add(time[lane]));
                *end = ready;
            }
            sums = std::array::from_fn(|lane| sums[lane].wrapping_add(u64::from(ready[lane])));
        }
        for (value, (makespan, flow_time)) in values.iter_mut().zip(ready.into_iter().zip(sums)) {
            *value = Values { makespan, flow_time };
        }
    }
}

/// What the reference says.
pub fn reference(instance: &Instance, orders: &Orders) -> Vec<Values> {
    let of = |order: &[u16]| {
        let schedule = Schedule::new(instance, order);
        let flow_time = (0..order.len()).map(|position| u64::from(schedule.done(position))).sum();
        Values { makespan: schedule.makespan(), flow_time }
    };
    orders.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::backend;
    use crate::flowshop::wavefront::execution::tests::planned;

    #[test]
    fn orders_from_outside_are_looked_at() {
        let instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        let orders = Orders::new(&instance, &[vec![0, 1], vec![1, 0]]).unwrap();
        assert_eq!((orders.count(), orders.jobs(), orders.flat()), (2, 2, &[0, 1, 1, 0][..]));
        let values = one_by_one(&instance, &orders).unwrap();
        assert_eq!(values, [Values { makespan: 9, flow_time: 14 }, Values { makespan: 7, flow_time: 12 }]);
        let refused = |orders: &[Vec<u16>]| Orders::new(&instance, orders).unwrap_err().to_string();
        assert!(refused(&[vec![0, 1], vec![1]]).contains("order 2 of example: job J1 has no position"));
        let other = Instance::of_times("other", 1, vec![1; 3]).unwrap();
        assert!(one_by_one(&other, &orders).unwrap_err().to_string().contains("other has 3 jobs"));
    }

    proptest! {
        /// Any number of orders, also one that does not fill the lanes, on one and two threads.
        #[test]
        fn side_by_side_is_one_by_one((instance, _) in planned(), count in 0..20_usize, seed in any::<u64>()) {
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
