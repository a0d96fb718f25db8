//! The tables of a problem as the kernels read them.

use gridwright_kernels::evolution::{Demands, Graph, Shape};

use super::{EvolutionParameters, Tables};
use crate::random::threshold;
use crate::timetabling::model::{Order, Restrictions};
use crate::{Error, Result};

/// The conflict graph as kernels read it.
///
/// # Errors
/// [`Error::Device`] where two exams share more students than a packed neighbour can hold.
pub fn graph(tables: &Tables) -> Result<Graph> {
    let packed = |&(other, shared): &(u16, u32)| {
        let shared = u16::try_from(shared).map_err(|_| {
            Error::Device(format!("two exams share {shared} students; the device counts up to 65,535, use the CPU"))
        })?;
        Ok(u32::from(other) | u32::from(shared) << 16)
    };
    Ok(Graph {
        offsets: tables.offsets.clone(),
        later: tables.later.clone(),
        neighbours: tables.neighbours.iter().map(packed).collect::<Result<_>>()?,
        matrix: tables.matrix.clone(),
        demands: tables.restrictions.as_ref().map(|restrictions| demands(restrictions, tables)),
    })
}

/// Rules, seats and prices as kernels read them.
fn demands(restrictions: &Restrictions, tables: &Tables) -> Demands {
    /// 32-bit words of a set of periods.
    const SET_WORDS: usize = 8;
    let mut demands = Demands {
        allowed: vec![0; tables.exams * SET_WORDS],
        relation_offsets: vec![0],
        relations: Vec::new(),
        enrolment: restrictions.enrolment.clone(),
        seats: restrictions.seats.clone(),
        prices: restrictions.prices.clone(),
        penalty: tables.penalty,
    };
    for exam in 0..tables.exams {
        for period in restrictions.allowed[exam].iter() {
            demands.allowed[exam * SET_WORDS + period / 32] |= 1 << (period % 32);
        }
        demands.relations.extend(restrictions.different[exam].iter().map(|&other| u32::from(other)));
        let order = |order: &Order| u32::from(order.other) | if order.other_later { 1 } else { 2 } << 16;
        demands.relations.extend(restrictions.orders[exam].iter().map(order));
        demands.relation_offsets.push(demands.relations.len() as u32);
    }
    demands
}

/// What the kernels know of a run.
pub fn shape(tables: &Tables, parameters: &EvolutionParameters, seed: u64) -> Shape {
    Shape {
        exams: tables.exams as u32,
        periods: tables.periods as u32,
        population: parameters.population,
        clash: tables.weights[0],
        tournament: parameters.tournament_size(),
        seed,
        crossover: threshold(parameters.crossover),
        mutation: threshold(parameters.mutation),
        restricted: tables.restrictions.is_some(),
    }
}
