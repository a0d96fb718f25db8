//! Typed launches of `facility.cu`: legs of annealing and generations of the island genetic algorithm for layouts with flexible bays.

mod annealing;
mod breeding;

pub use annealing::{Leg, Walkers};
pub use breeding::{Breeding, Individuals, Summary};

use crate::CudaError;
use crate::machine::{Array, Launch, Limits, Machine, Module};

/// Lanes of an individual.
pub const LANES: u32 = 16;

/// An instance as the kernels read it. Tables that differ by orientation stand twice, vertical bays first.
#[derive(Debug, Clone)]
pub struct Plant<'a> {
    /// The area of each department.
    pub areas: &'a [f64],
    /// Along ÷ across at most: 2 × departments.
    pub longest: &'a [f64],
    /// Across ÷ along at most: 2 × departments.
    pub widest: &'a [f64],
    /// The shortest side at least.
    pub side: &'a [f64],
    /// The flow of each term of the cost; whole rows of [`LANES`].
    pub flows: &'a [f64],
    /// The departments of each term, 16 bits each, the first in the lower half.
    pub pairs: &'a [u32],
    /// Department, bay and place of each lock.
    pub locks: &'a [u16],
    /// Pairs to be kept apart.
    pub apart: &'a [u16],
    /// The length of vertical and of horizontal bays.
    pub lengths: [f64; 2],
    /// Whether distances are Euclidean.
    pub euclidean: bool,
}

impl Plant<'_> {
    fn departments(&self) -> usize {
        self.areas.len()
    }

    fn check(&self) -> Result<(), CudaError> {
        let (n, lanes) = (self.departments(), LANES as usize);
        let pair = |pair: &u32| (pair & 0xffff) as usize >= n || (pair >> 16) as usize >= n;
        let fits = n > 0
            && n < 1 << 15
            && [self.longest.len(), self.widest.len()] == [2 * n; 2]
            && self.side.len() == n
            && self.flows.len() == self.pairs.len()
            && self.pairs.len().is_multiple_of(lanes)
            && !self.pairs.iter().any(pair)
            && self.locks.len().is_multiple_of(3)
            && self.apart.len().is_multiple_of(2)
            && !self.locks.iter().step_by(3).chain(self.apart).any(|&one| usize::from(one) >= n);
        if fits {
            Ok(())
        } else {
            Err(CudaError::Launch { kernel: "facility", what: "tables that do not fit".to_owned() })
        }
    }
}

/// How individuals are laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Threads of a block: a multiple of 32 up to 1,024; 0: whatever suits.
    pub block: u32,
}

/// An instance on a machine.
#[derive(Debug)]
struct Tables {
    departments: u32,
    sizes: Vec<u8>,
    reals: [Array<f64>; 5],
    pairs: Array<u32>,
    locks: Array<u16>,
    apart: Array<u16>,
}

impl Tables {
    fn upload(machine: &mut dyn Machine, plant: &Plant<'_>, individuals: u32) -> Result<Self, CudaError> {
        plant.check()?;
        let departments = plant.departments() as u32;
        let mut sizes: Vec<u8> = plant.lengths.iter().flat_map(|length| length.to_le_bytes()).collect();
        let (locks, apart) = (plant.locks.len() as u32 / 3, plant.apart.len() as u32 / 2);
        let (euclidean, terms) = (u32::from(plant.euclidean), plant.pairs.len() as u32);
        for number in [departments, terms, locks, apart, euclidean, individuals] {
            sizes.extend(number.to_le_bytes());
        }
        let mut upload = |reals: &[f64]| Array::upload(machine, reals);
        let reals = [
            upload(plant.areas)?,
            upload(plant.longest)?,
            upload(plant.widest)?,
            upload(plant.side)?,
            upload(plant.flows)?,
        ];
        Ok(Self {
            departments,
            sizes,
            reals,
            pairs: Array::upload(machine, plant.pairs)?,
            locks: Array::upload(machine, plant.locks)?,
            apart: Array::upload(machine, plant.apart)?,
        })
    }

    /// The arguments that every kernel which evaluates begins with.
    fn begin(&self, launch: Launch) -> Launch {
        let launch = self.reals.iter().fold(launch.structure(&self.sizes), |launch, reals| launch.array(reals));
        launch.array(&self.pairs).array(&self.locks).array(&self.apart)
    }
}

/// Shared memory of an individual, bytes; as `room_of` in the kernel.
fn room(departments: u32) -> u32 {
    let even = (departments + 2) / 2 * 2;
    (even * 42).div_ceil(16) * 16
}

/// Threads of a block and its shared memory, for so many individuals.
fn block(limits: &Limits, departments: u32, count: u32, tuning: Tuning) -> Result<(u32, u32), CudaError> {
    let room = room(departments) as usize;
    let most = (limits.shared_per_block / room) as u32 / 2 * 2;
    if most == 0 {
        return Err(CudaError::SharedMemory { needed: 2 * room, offered: limits.shared_per_block });
    }
    let wanted = if tuning.block > 0 {
        tuning.block / LANES
    } else {
        // Few individuals are spread evenly over the multiprocessors; a multiprocessor holds no more than 32 blocks.
        (count / limits.multiprocessors.max(1) / 16).clamp(2, 8)
    };
    let groups = wanted.min(most).max(2) / 2 * 2;
    Ok((groups * LANES, groups * room as u32))
}

/// A launch over `count` individuals.
fn launch(kernel: &'static str, (block, shared): (u32, u32), count: u32) -> Launch {
    Launch::new(Module::Facility, kernel, [count.div_ceil(block / LANES), 1], block, shared)
}
