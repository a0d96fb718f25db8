//! Device tables of a run of the evolutionary algorithm.

use gridwright_kernels::evolution::{Graph, Shape};

use super::{EvolutionParameters, Tables};
use crate::device::{demands, packed};
use gridwright_core::Result;
use gridwright_core::random::threshold;

/// Builds the device graph, with rules where the model has them.
///
/// # Errors
/// [`gridwright_core::Error::Device`] if two exams share more students than 16 bits hold.
pub(crate) fn graph(tables: &Tables) -> Result<Graph> {
    let all: Vec<usize> = (0..tables.exams).collect();
    let numbers: Vec<u16> = (0..tables.exams).map(|exam| exam as u16).collect();
    let demands = |restrictions| demands(restrictions, &all, &numbers, tables.penalty);
    Ok(Graph {
        offsets: tables.offsets.clone(),
        later: tables.later.clone(),
        neighbours: tables.neighbours.iter().map(|&(other, shared)| packed(other, shared)).collect::<Result<_>>()?,
        matrix: tables.matrix.clone(),
        demands: tables.restrictions.as_ref().map(demands),
    })
}

/// Scalar parameters of a run.
pub(crate) fn shape(tables: &Tables, parameters: &EvolutionParameters, seed: u64) -> Shape {
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
