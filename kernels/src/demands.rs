//! Rules, seats and prices of a timetable in the form that the kernels of both timetabling searches read (`demands.cuh`).

use crate::CudaError;
use crate::launch::Launch;
use crate::runtime::{Array, DeviceRuntime};

/// Rules, seats and prices of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Demands {
    /// Set of allowed periods per exam: exams × 8 words, period t is bit t % 32 of word t / 32.
    pub allowed: Vec<u32>,
    /// Offsets into [`Self::relations`], exams + 1 numbers: exam e has `relations[relation_offsets[e]..relation_offsets[e + 1]]`.
    pub relation_offsets: Vec<u32>,
    /// Related exam in the lower 16 bits; kind in the upper ones: 0 = different periods, 1 = the related exam is later, 2 = it is earlier.
    pub relations: Vec<u32>,
    /// Number of students per exam.
    pub enrolment: Vec<u32>,
    /// Number of seats per period; empty if seats are unlimited.
    pub seats: Vec<u32>,
    /// Price of exam e in period t at e·periods + t; empty if there are no prices.
    pub prices: Vec<u32>,
    /// Cost of each broken rule.
    pub penalty: u64,
}

impl Demands {
    /// Number of 32-bit words of all tables.
    pub(crate) fn numbers(&self) -> usize {
        self.allowed.len()
            + self.relation_offsets.len()
            + self.relations.len()
            + self.enrolment.len()
            + self.seats.len()
            + self.prices.len()
    }
}

/// [`Demands`] in device memory.
#[derive(Debug)]
pub(crate) struct DemandArrays {
    allowed: Array<u32>,
    relation_offsets: Array<u32>,
    relations: Array<u32>,
    enrolment: Array<u32>,
    seats: Array<u32>,
    prices: Array<u32>,
    penalty: u64,
}

impl DemandArrays {
    /// Uploads all tables.
    pub(crate) fn upload(runtime: &mut dyn DeviceRuntime, demands: &Demands) -> Result<Self, CudaError> {
        Ok(Self {
            allowed: Array::upload(runtime, &demands.allowed)?,
            relation_offsets: Array::upload(runtime, &demands.relation_offsets)?,
            relations: Array::upload(runtime, &demands.relations)?,
            enrolment: Array::upload(runtime, &demands.enrolment)?,
            seats: Array::upload(runtime, &demands.seats)?,
            prices: Array::upload(runtime, &demands.prices)?,
            penalty: demands.penalty,
        })
    }

    /// Appends the arguments in the order that all restricted kernels expect.
    pub fn arguments(&self, launch: Launch) -> Launch {
        launch
            .input(&self.allowed)
            .input(&self.relation_offsets)
            .input(&self.relations)
            .input(&self.enrolment)
            .input(&self.seats)
            .input(&self.prices)
            .value(self.penalty)
            .number(u32::from(self.seats.len > 0))
            .number(u32::from(self.prices.len > 0))
    }
}
