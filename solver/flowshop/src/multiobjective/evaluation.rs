//! Objective values of whole neighbourhoods: every insertion of a job, and every exchange with a position, [`LANES`]
//! neighbours side by side.
//!
//! A sweep starts at the first position in which its neighbours differ from the order (the prefix is common), visits
//! every later position once and computes in every lane
//!
//! ```text
//! C_{i,k} = max(C_{i−1,k}, C_{i,k−1}) + p_{i,π(k)},   makespan C_{m,n},   Σ C_{m,k},   Σ max(0, C_{m,k} − d),   |{C_{m,k} > d}|
//! ```
//!
//! In a block of insertions, lane l inserts the job at position first + l; behind the block all lanes process the same
//! jobs. Until the last position of the block, lane [`LANES`] − 1 holds the order without the inserted job, which is
//! the prefix of the next block, so that prefixes need no sweep of their own. Lanes have 16 bits if every makespan
//! fits, otherwise 32.

mod sweep;

use self::sweep::{Lane, SweepBuffers, TimeRows};
use crate::{Instance, Objective};
use gridwright_core::search::Control;
use gridwright_core::search::pareto::Point;

/// Neighbours evaluated side by side.
pub(crate) const LANES: usize = 16;

/// Values of all objectives in the order of [`Objective::ALL`]; 0 for tardiness and tardy jobs without due dates.
pub(crate) type Values = Point;

/// An instance in the lane layout of the sweeps.
#[derive(Debug, Clone)]
pub struct Shop {
    /// Number of jobs.
    pub jobs: usize,
    /// Number of machines.
    pub machines: usize,
    width: Width,
}

#[derive(Debug, Clone)]
enum Width {
    Narrow(TimeRows<u16>),
    Wide(TimeRows<u32>),
}

impl Shop {
    /// Converts an instance; lanes have 16 bits if every makespan fits.
    pub fn new(instance: &Instance) -> Self {
        // The critical path visits every job once and changes machine m − 1 times, each time within one job.
        let longest = |job: usize| u64::from(instance.row(job).iter().copied().max().unwrap_or(0));
        let longest_operations = || (0..instance.job_count()).map(longest);
        let release = instance.jobs.iter().map(|job| u64::from(job.release)).max().unwrap_or(0);
        let most = release
            + longest_operations().sum::<u64>()
            + longest_operations().max().unwrap_or(0) * instance.machine_count() as u64;
        let narrow = most < u64::from(u16::MAX);
        Self {
            jobs: instance.job_count(),
            machines: instance.machine_count(),
            width: if narrow { Width::Narrow(TimeRows::new(instance)) } else { Width::Wide(TimeRows::new(instance)) },
        }
    }

    /// Objective values of one order.
    pub fn values(&self, order: &[u16]) -> Values {
        fn of<T: Lane>(rows: &TimeRows<T>, order: &[u16]) -> Values {
            let mut room = SweepBuffers::new(rows);
            order.iter().for_each(|&job| room.advance(rows, job));
            room.sums.values()
        }
        match &self.width {
            Width::Narrow(rows) => of(rows, order),
            Width::Wide(rows) => of(rows, order),
        }
    }
}

/// Evaluator of neighbours, with its buffers; to be used with the [`Shop`] it was created for.
#[derive(Debug, Clone)]
pub struct Evaluator {
    room: BuffersWidth,
    control: Control,
    /// Values of the neighbours after [`Self::insert`] or [`Self::exchange`].
    pub values: Vec<Values>,
}

#[derive(Debug, Clone)]
enum BuffersWidth {
    Narrow(SweepBuffers<u16>),
    Wide(SweepBuffers<u32>),
}

impl Evaluator {
    /// Allocates the buffers.
    pub fn new(shop: &Shop) -> Self {
        let room = match &shop.width {
            Width::Narrow(rows) => BuffersWidth::Narrow(SweepBuffers::new(rows)),
            Width::Wide(rows) => BuffersWidth::Wide(SweepBuffers::new(rows)),
        };
        Self { room, control: Control::new(), values: Vec::with_capacity(shop.jobs + 1) }
    }

    /// Sets the handle of the run; once the run is over, the values are any that an order has.
    pub(crate) fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
    }

    /// Evaluates `job`, which is not in `base`, in every position: `values[k]` belongs to position k, `base.len() + 1`
    /// entries.
    #[inline(always)]
    pub fn insert(&mut self, shop: &Shop, base: &[u16], job: u16) {
        let Self { room, control, values } = self;
        match (&shop.width, room) {
            (Width::Narrow(rows), BuffersWidth::Narrow(room)) => room.insert(rows, base, job, control, values),
            (Width::Wide(rows), BuffersWidth::Wide(room)) => room.insert(rows, base, job, control, values),
            // Only if the evaluator belongs to another shop.
            _ => values.clear(),
        }
    }

    /// Computes the prefixes of `order` for [`Self::exchange`].
    #[inline(always)]
    pub fn prepare(&mut self, shop: &Shop, order: &[u16]) {
        match (&shop.width, &mut self.room) {
            (Width::Narrow(rows), BuffersWidth::Narrow(room)) => room.prepare(rows, order),
            (Width::Wide(rows), BuffersWidth::Wide(room)) => room.prepare(rows, order),
            _ => {}
        }
    }

    /// Evaluates exchanges of the job in `position` with every later one: `values[k]` belongs to position + 1 + k. The
    /// order must have been prepared.
    #[inline(always)]
    pub fn exchange(&mut self, shop: &Shop, order: &[u16], position: usize) {
        let Self { room, control, values } = self;
        match (&shop.width, room) {
            (Width::Narrow(rows), BuffersWidth::Narrow(room)) => room.exchange(rows, order, position, control, values),
            (Width::Wide(rows), BuffersWidth::Wide(room)) => room.exchange(rows, order, position, control, values),
            _ => values.clear(),
        }
    }
}

// The index of an objective in a list of values is its discriminant.
const _: () = assert!(Objective::Makespan as usize == 0 && Objective::FlowTime as usize == 1);
const _: () = assert!(Objective::Tardiness as usize == 2 && Objective::Tardy as usize == 3);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Schedule;
    use crate::tests::instance_of;

    fn reference(instance: &Instance, order: &[u16]) -> Values {
        let schedule = Schedule::new(instance, order);
        Objective::ALL.map(|objective| schedule.value(instance, objective))
    }

    proptest! {
        /// Every neighbour has the values of a full recomputation, with 16 and with 32 bits.
        #[test]
        fn every_neighbour_has_the_values_of_a_recount(
            jobs in 1_usize..55,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 300),
            long: bool,
            release: bool,
            position in 0_usize..55,
        ) {
            let instance = instance_of(jobs, machines, &numbers, if long { 1_000 } else { 1 }, release);
            let shop = Shop::new(&instance);
            let mut evaluator = Evaluator::new(&shop);
            let order: Vec<u16> = (0..jobs as u16).rev().collect();
            let position = position % jobs;
            prop_assert_eq!(shop.values(&order), reference(&instance, &order));
            let mut base = order.clone();
            let job = base.remove(position);
            // Stale values of an earlier sweep must not matter.
            evaluator.insert(&shop, &order[1..], order[0]);
            evaluator.insert(&shop, &base, job);
            prop_assert_eq!(evaluator.values.len(), jobs);
            for target in 0..jobs {
                let mut neighbour = base.clone();
                neighbour.insert(target, job);
                prop_assert_eq!(evaluator.values[target], reference(&instance, &neighbour), "to {}", target);
            }
            evaluator.prepare(&shop, &order);
            evaluator.exchange(&shop, &order, position);
            prop_assert_eq!(evaluator.values.len(), jobs - 1 - position);
            for (number, values) in evaluator.values.iter().enumerate() {
                let mut neighbour = order.clone();
                neighbour.swap(position, position + 1 + number);
                prop_assert_eq!(*values, reference(&instance, &neighbour), "with {}", position + 1 + number);
            }
        }
    }
}
