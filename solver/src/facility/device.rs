//! An instance as kernels read it.

use gridwright_kernels::CudaError;
use gridwright_kernels::facility::Plant;

use super::evaluation::{Problem, Score, Terms};
use crate::Error;

/// The tables of an instance for both orientations.
#[derive(Debug, Clone)]
pub struct Tables {
    longest: Vec<f64>,
    widest: Vec<f64>,
    pairs: Vec<u32>,
    locks: Vec<u16>,
    apart: Vec<u16>,
}

impl Tables {
    /// The tables of vertical and horizontal bays.
    pub fn new(problems: &[Problem]) -> Self {
        let pairs = match &problems[0].terms {
            Terms::Dense { .. } => Vec::new(),
            Terms::Sparse { pairs, .. } => {
                pairs.iter().map(|&[one, other]| u32::from(one) | u32::from(other) << 16).collect()
            }
        };
        Self {
            longest: problems.iter().flat_map(|problem| problem.long.iter().copied()).collect(),
            widest: problems.iter().flat_map(|problem| problem.wide.iter().copied()).collect(),
            pairs,
            locks: problems[0].locks.concat(),
            apart: problems[0].apart.concat(),
        }
    }

    /// Everything that kernels need to know.
    pub fn plant<'a>(&'a self, problems: &'a [Problem]) -> Plant<'a> {
        let problem = &problems[0];
        let (flows, dense) = match &problem.terms {
            Terms::Dense { flows } => (flows, true),
            Terms::Sparse { flows, .. } => (flows, false),
        };
        Plant {
            areas: &problem.areas,
            longest: &self.longest,
            widest: &self.widest,
            side: &problem.side,
            flows,
            pairs: &self.pairs,
            locks: &self.locks,
            apart: &self.apart,
            lengths: [problem.length, problems[1].length],
            stride: problem.stride as u32,
            euclidean: problem.euclidean,
            dense,
        }
    }
}

/// What a device reports, as an error of a search.
pub fn device_error(error: CudaError) -> Error {
    Error::Device(error.to_string())
}

/// Scores as kernels keep them: violation and cost, one after the other.
pub fn flat(scores: &[Score]) -> Vec<f64> {
    scores.iter().flat_map(|score| [score.violation, score.cost]).collect()
}

/// Scores from what kernels keep.
pub fn scores(flat: &[f64]) -> Vec<Score> {
    flat.chunks_exact(2).map(|pair| Score { violation: pair[0], cost: pair[1] }).collect()
}
