//! What is demanded of a timetable beyond «no clashes», as the kernels of all searches read it.

use crate::CudaError;
use crate::machine::{Array, Launch, Machine};

/// Rules, seats and prices as the kernels read them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Demands {
    /// The periods in which an exam may stand: a bit each, eight words per exam.
    pub allowed: Vec<u32>,
    /// Relations of exam e: `relations[relation_offsets[e]..relation_offsets[e + 1]]`; exams + 1 numbers.
    pub relation_offsets: Vec<u32>,
    /// The other exam in the lower half; in the upper half 0: the two must differ, 1: the other must be later, 2: earlier.
    pub relations: Vec<u32>,
    /// Students of every exam.
    pub enrolment: Vec<u32>,
    /// Seats of every period; empty where they do not matter.
    pub seats: Vec<u32>,
    /// Price of exam e in period t at e·periods + t; empty where there is none.
    pub prices: Vec<u32>,
    /// Cost of breaking a rule once.
    pub penalty: u64,
}

impl Demands {
    pub(crate) fn numbers(&self) -> usize {
        self.allowed.len()
            + self.relation_offsets.len()
            + self.relations.len()
            + self.enrolment.len()
            + self.seats.len()
            + self.prices.len()
    }
}

/// [`Demands`] on a machine.
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
    pub fn upload(machine: &mut dyn Machine, demands: &Demands) -> Result<Self, CudaError> {
        Ok(Self {
            allowed: Array::upload(machine, &demands.allowed)?,
            relation_offsets: Array::upload(machine, &demands.relation_offsets)?,
            relations: Array::upload(machine, &demands.relations)?,
            enrolment: Array::upload(machine, &demands.enrolment)?,
            seats: Array::upload(machine, &demands.seats)?,
            prices: Array::upload(machine, &demands.prices)?,
            penalty: demands.penalty,
        })
    }

    /// The arguments, in the order in which all kernels take them.
    pub fn arguments(&self, launch: Launch) -> Launch {
        launch
            .array(&self.allowed)
            .array(&self.relation_offsets)
            .array(&self.relations)
            .array(&self.enrolment)
            .array(&self.seats)
            .array(&self.prices)
            .structure(&self.penalty.to_le_bytes())
            .number(u32::from(self.seats.len > 0))
            .number(u32::from(self.prices.len > 0))
    }
}
