//! Typed launches of `facility.cu`: annealing stages and generations of the island genetic algorithm for flexible-bay layouts.

mod annealing;
mod breeding;

pub use annealing::{Annealer, AnnealingStage};
pub use breeding::{Breeding, Individuals, Summary};

use crate::CudaError;
use crate::launch::{Division, Launch, Rows};
use crate::runtime::{Array, DeviceRuntime, Element, Limits, Module};
use crate::structs::{StructLayout, kernel_struct};

/// Lanes per individual.
pub const LANES: u32 = 16;

/// Structs that cross to the kernels.
pub(crate) const STRUCTS: &[StructLayout] =
    &[Sizes::LAYOUT, annealing::Bounds::LAYOUT, breeding::Rules::LAYOUT, Summary::LAYOUT];

/// Constants that the kernels declare, too.
pub(crate) const CONSTANTS: &[(&str, u64)] = &[("LANES", LANES as u64)];

kernel_struct! {
    /// Sizes of an instance; `lengths` holds the length of vertical and of horizontal bays.
    struct Sizes = "Sizes" {
        lengths: [f64; 2],
        departments: u32,
        terms: u32,
        lock_count: u32,
        apart_count: u32,
        euclidean: u32,
        individuals: u32,
    }
}

/// Instance as the kernels read it. Tables that depend on the orientation hold the values for vertical bays, then those for horizontal bays.
#[derive(Debug, Clone)]
pub struct Plant<'a> {
    /// Area of each department.
    pub areas: &'a [f64],
    /// Largest quotient of the side along the bay and the side across it; 2 × departments.
    pub longest: &'a [f64],
    /// Largest quotient of the side across the bay and the side along it; 2 × departments.
    pub widest: &'a [f64],
    /// Smallest permitted side of each department.
    pub side: &'a [f64],
    /// Flow of each term of the cost; length a multiple of [`LANES`].
    pub flows: &'a [f64],
    /// Departments of each term, the first one in the lower 16 bits.
    pub pairs: &'a [u32],
    /// Department, bay and position of each lock, three numbers per lock.
    pub locks: &'a [u16],
    /// Pairs of departments that must not touch, two numbers per pair.
    pub apart: &'a [u16],
    /// Length of vertical and of horizontal bays.
    pub lengths: [f64; 2],
    /// True for Euclidean distances, false for rectilinear ones.
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
            && !self.locks.iter().step_by(3).chain(self.apart).any(|&department| usize::from(department) >= n);
        if fits {
            Ok(())
        } else {
            Err(CudaError::Launch { kernel: "facility", what: "tables that do not fit".to_owned() })
        }
    }
}

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Threads of a block, a multiple of 32 up to 1,024; 0: automatic.
    pub block: u32,
}

/// Instance in device memory.
#[derive(Debug)]
struct Tables {
    departments: u32,
    sizes: Sizes,
    reals: [Array<f64>; 5],
    pairs: Array<u32>,
    locks: Array<u16>,
    apart: Array<u16>,
}

impl Tables {
    fn upload(runtime: &mut dyn DeviceRuntime, plant: &Plant<'_>, individuals: u32) -> Result<Self, CudaError> {
        plant.check()?;
        let departments = plant.departments() as u32;
        let sizes = Sizes {
            lengths: plant.lengths,
            departments,
            terms: plant.pairs.len() as u32,
            lock_count: plant.locks.len() as u32 / 3,
            apart_count: plant.apart.len() as u32 / 2,
            euclidean: plant.euclidean.into(),
            individuals,
        };
        let mut upload = |reals: &[f64]| Array::upload(runtime, reals);
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
            pairs: Array::upload(runtime, plant.pairs)?,
            locks: Array::upload(runtime, plant.locks)?,
            apart: Array::upload(runtime, plant.apart)?,
        })
    }

    /// Appends the arguments with which every kernel that evaluates layouts begins.
    fn begin(&self, launch: Launch) -> Launch {
        let launch = self.reals.iter().fold(launch.value(self.sizes), |launch, reals| launch.input(reals));
        launch.input(&self.pairs).input(&self.locks).input(&self.apart)
    }
}

/// Shared memory of an individual in bytes, as `room_of` in `facility_evaluation.cuh` divides it.
fn room(departments: u32) -> u32 {
    let even = (departments + 2) / 2 * 2;
    (even * 42).div_ceil(16) * 16
}

/// Returns threads and shared memory in bytes of a block for `count` individuals.
fn block(limits: &Limits, departments: u32, count: u32, tuning: Tuning) -> Result<(u32, u32), CudaError> {
    let room = room(departments) as usize;
    let most = (limits.shared_per_block / room) as u32 / 2 * 2;
    if most == 0 {
        return Err(CudaError::SharedMemory { needed: 2 * room, offered: limits.shared_per_block });
    }
    let wanted = if tuning.block > 0 {
        tuning.block / LANES
    } else {
        // Few individuals are spread evenly over the multiprocessors, each of which holds at most 32 blocks.
        (count / limits.all_multiprocessors().max(1) / 16).clamp(2, 8)
    };
    let groups = wanted.min(most).max(2) / 2 * 2;
    Ok((groups * LANES, groups * room as u32))
}

/// Returns a launch over `count` individuals, of which `unit` neighbouring ones stay together on a device.
fn launch(kernel: &'static str, (block, shared): (u32, u32), count: u32, unit: u32) -> Launch {
    let per_block = block / LANES;
    let launch = Launch::new(Module::Facility, kernel, [count.div_ceil(per_block), 1], block, shared);
    launch.divided(Division { unit, per_block, ..Division::of(0..count, count) })
}

/// Rows of an array with `numbers` numbers for each individual.
fn rows<T: Element>(numbers: u32) -> Rows {
    Rows::Even(T::BYTES * numbers as usize)
}
