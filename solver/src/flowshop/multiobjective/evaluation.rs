//! The values of all objectives for every insertion of a job, and for every exchange with a position: [`LANES`] neighbours
//! side by side.
//!
//! A sweep of neighbours begins where the first of them differs from the order (the prefix is common), looks at every
//! position once, and ends with
//!
//! ```text
//! C_{i,k} = max(C_{i−1,k}, C_{i,k−1}) + p_{i,π(k)},   makespan C_{m,n},   Σ C_{m,k},   Σ max(0, C_{m,k} − d),   |{C_{m,k} > d}|
//! ```
//!
//! in every lane. In a block of insertions the job stands in lane l at position first + l: behind it all lanes see the same
//! jobs. Lane [`LANES`] − 1 holds the order without the job until the block's last position, which is where the next block
//! begins: so no sweep is made for the prefixes alone. Times have 16 bits where every makespan fits, otherwise 32.

mod sweep;

use self::sweep::{Lane, Room, Rows};
use crate::flowshop::{Instance, Objective};
use crate::search::pareto::Point;

/// Neighbours that are computed side by side.
pub const LANES: usize = 16;

/// The values of all objectives, in the order of [`Objective::ALL`]; 0 for lateness of jobs without due dates.
pub type Values = Point;

/// An instance as the searches for fronts read it.
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
    Narrow(Rows<u16>),
    Wide(Rows<u32>),
}

impl Shop {
    /// Of an instance.
    pub fn new(instance: &Instance) -> Self {
        // No order takes longer: its critical path goes through every job, and to the next machine once for each.
        let longest = |job: usize| u64::from(instance.row(job).iter().copied().max().unwrap_or(0));
        let each = || (0..instance.job_count()).map(longest);
        let release = instance.jobs.iter().map(|job| u64::from(job.release)).max().unwrap_or(0);
        let most = release + each().sum::<u64>() + each().max().unwrap_or(0) * instance.machine_count() as u64;
        let narrow = most < u64::from(u16::MAX);
        Self {
            jobs: instance.job_count(),
            machines: instance.machine_count(),
            width: if narrow { Width::Narrow(Rows::new(instance)) } else { Width::Wide(Rows::new(instance)) },
        }
    }

    /// The values of an order.
    pub fn values(&self, order: &[u16]) -> Values {
        fn of<T: Lane>(rows: &Rows<T>, order: &[u16]) -> Values {
            let mut room = Room::new(rows);
            order.iter().for_each(|&job| room.advance(rows, job));
            room.sums.values()
        }
        match &self.width {
            Width::Narrow(rows) => of(rows, order),
            Width::Wide(rows) => of(rows, order),
        }
    }
}

/// Computes neighbours of orders of a [`Shop`].
#[derive(Debug, Clone)]
pub struct Evaluator {
    room: RoomWidth,
    /// The values of the neighbours, as [`Self::insert`] or [`Self::exchange`] left them.
    pub values: Vec<Values>,
}

#[derive(Debug, Clone)]
enum RoomWidth {
    Narrow(Room<u16>),
    Wide(Room<u32>),
}

impl Evaluator {
    /// Room for the neighbours of orders.
    pub fn new(shop: &Shop) -> Self {
        let room = match &shop.width {
            Width::Narrow(rows) => RoomWidth::Narrow(Room::new(rows)),
            Width::Wide(rows) => RoomWidth::Wide(Room::new(rows)),
        };
        Self { room, values: Vec::with_capacity(shop.jobs + 1) }
    }

    /// The values with `job`, which is not in `base`, in every position: `base.len() + 1` of them.
    #[inline(always)]
    pub fn insert(&mut self, shop: &Shop, base: &[u16], job: u16) {
        match (&shop.width, &mut self.room) {
            (Width::Narrow(rows), RoomWidth::Narrow(room)) => room.insert(rows, base, job, &mut self.values),
            (Width::Wide(rows), RoomWidth::Wide(room)) => room.insert(rows, base, job, &mut self.values),
            // An evaluator is used with the shop that it was made for.
            _ => self.values.clear(),
        }
    }

    /// Computes the prefixes of an order, for [`Self::exchange`].
    #[inline(always)]
    pub fn prepare(&mut self, shop: &Shop, order: &[u16]) {
        match (&shop.width, &mut self.room) {
            (Width::Narrow(rows), RoomWidth::Narrow(room)) => room.prepare(rows, order),
            (Width::Wide(rows), RoomWidth::Wide(room)) => room.prepare(rows, order),
            _ => {}
        }
    }

    /// The values with the job in `position` exchanged with each one behind it, of the order that was prepared.
    #[inline(always)]
    pub fn exchange(&mut self, shop: &Shop, order: &[u16], position: usize) {
        match (&shop.width, &mut self.room) {
            (Width::Narrow(rows), RoomWidth::Narrow(room)) => room.exchange(rows, order, position, &mut self.values),
            (Width::Wide(rows), RoomWidth::Wide(room)) => room.exchange(rows, order, position, &mut self.values),
            _ => self.values.clear(),
        }
    }
}

// The place of an objective in a list of values is its number.
const _: () = assert!(Objective::Makespan as usize == 0 && Objective::FlowTime as usize == 1);
const _: () = assert!(Objective::Tardiness as usize == 2 && Objective::Tardy as usize == 3);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::flowshop::Schedule;

    fn instance(jobs: usize, machines: usize, numbers: &[u32], scale: u32, release: bool) -> Instance {
        let times = (0..jobs * machines).map(|number| scale * numbers[number % numbers.len()]).collect();
        let mut instance = Instance::of_times("random", machines, times).unwrap();
        for (number, job) in instance.jobs.iter_mut().enumerate() {
            job.due = Some(scale * numbers[number % numbers.len()] * (1 + number as u32 % 7));
            job.release = if release { scale * numbers[(number + 3) % numbers.len()] } else { 0 };
        }
        instance
    }

    fn reference(instance: &Instance, order: &[u16]) -> Values {
        let schedule = Schedule::new(instance, order);
        Objective::ALL.map(|objective| schedule.value(instance, objective))
    }

    proptest! {
        /// Every neighbour has the values that its order has when it is counted from the beginning, with 16 and 32 bits.
        #[test]
        fn every_neighbour_has_the_values_of_a_recount(
            jobs in 1_usize..55,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 300),
            long: bool,
            release: bool,
            position in 0_usize..55,
        ) {
            let instance = instance(jobs, machines, &numbers, if long { 1_000 } else { 1 }, release);
            let shop = Shop::new(&instance);
            let mut evaluator = Evaluator::new(&shop);
            let order: Vec<u16> = (0..jobs as u16).rev().collect();
            let position = position % jobs;
            prop_assert_eq!(shop.values(&order), reference(&instance, &order));
            let mut base = order.clone();
            let job = base.remove(position);
            // What an earlier sweep left does not matter.
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
