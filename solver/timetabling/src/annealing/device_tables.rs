//! Device tables of an annealing run.

use gridwright_kernels::annealing::{Component, Graph, Shape};

use super::Schedule;
use crate::device::{demands, packed};
use crate::model::Model;
use gridwright_core::{Error, Result};

/// Builds the device graph of all components, with rules where the model has them.
///
/// # Errors
/// [`Error::Device`] if students, periods or prices exceed the integer widths of the kernels.
pub(crate) fn graph(model: &Model, schedule: &Schedule) -> Result<Graph> {
    if model.largest() > u32::from(u16::MAX) || model.periods > 255 {
        return Err(Error::Device(format!(
            "{} students in an exam and {} periods; the device counts up to 65,535 and 255, use the CPU",
            model.largest(),
            model.periods
        )));
    }
    // The change of cost by one move must fit 32 bits.
    if 64 * i64::from(model.largest()) + i64::from(model.highest_price().unwrap_or(0)) > i64::from(i32::MAX) {
        let what = "the price of a moved exam is too high for the device; choose a lower weight, or use the CPU";
        return Err(Error::Device(what.to_owned()));
    }
    let mut local = vec![0_u16; model.nodes()];
    for component in &schedule.components {
        for (number, &exam) in component.exams.iter().enumerate() {
            local[exam] = number as u16;
        }
    }
    let component = |part: &super::Component| -> Result<Component> {
        let (proposals, alternatives) = (part.proposals(), part.alternatives());
        let mut component = Component { offsets: vec![0], neighbours: Vec::new(), proposals, alternatives };
        for &exam in &part.exams {
            for (other, shared) in model.conflicts.of(exam) {
                component.neighbours.push(packed(local[other], shared)?);
            }
            component.offsets.push(component.neighbours.len() as u32);
        }
        Ok(component)
    };
    let order: Vec<usize> = schedule.components.iter().flat_map(|component| component.exams.iter().copied()).collect();
    Ok(Graph {
        components: schedule.components.iter().map(component).collect::<Result<_>>()?,
        demands: model.restrictions.as_ref().map(|restrictions| demands(restrictions, &order, &local, 0)),
    })
}

/// Scalar parameters of a run with `chains` chains per component.
pub(crate) fn shape(schedule: &Schedule, chains: usize, seed: u64) -> Shape {
    Shape {
        periods: schedule.periods as u32,
        chains: chains as u32,
        seed,
        kempe: schedule.kempe,
        exchange: schedule.exchange,
    }
}
