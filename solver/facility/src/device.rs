//! Tables of an instance in the form that the CUDA kernels read.

use gridwright_kernels::facility::Plant;

use super::evaluation::{LANES, Problem, Score, Terms};

/// Tables of an instance for both orientations.
#[derive(Debug, Clone)]
pub struct Tables {
    longest: Vec<f64>,
    widest: Vec<f64>,
    pairs: Vec<u32>,
    flows: Vec<f64>,
    locks: Vec<u16>,
    apart: Vec<u16>,
}

impl Tables {
    /// Builds the tables from the two problems, vertical bays first.
    pub fn new(problems: &[Problem]) -> Self {
        let packed = |one: usize, other: usize| one as u32 | (other as u32) << 16;
        let (pairs, flows) = match &problems[0].terms {
            // Row after row of the table, from the lanes on in which something stands: the order in which the CPU adds.
            Terms::Dense { flows } => {
                let (n, stride) = (problems[0].len(), problems[0].stride);
                let terms = (0..n).flat_map(|one| ((one + 1) / LANES * LANES..stride).map(move |other| (one, other)));
                terms
                    .map(|(one, other)| (packed(one, if other < n { other } else { one }), flows[one * stride + other]))
                    .unzip()
            }
            Terms::Sparse { pairs, flows } => {
                (pairs.iter().map(|&[one, other]| packed(one.into(), other.into())).collect(), flows.clone())
            }
        };
        Self {
            longest: problems.iter().flat_map(|problem| problem.long.iter().copied()).collect(),
            widest: problems.iter().flat_map(|problem| problem.wide.iter().copied()).collect(),
            pairs,
            flows,
            locks: problems[0].locks.concat(),
            apart: problems[0].apart.concat(),
        }
    }

    /// Borrows the tables as the kernels' argument.
    pub fn plant<'a>(&'a self, problems: &'a [Problem]) -> Plant<'a> {
        let problem = &problems[0];
        Plant {
            areas: &problem.areas,
            longest: &self.longest,
            widest: &self.widest,
            side: &problem.side,
            flows: &self.flows,
            pairs: &self.pairs,
            locks: &self.locks,
            apart: &self.apart,
            lengths: [problem.length, problems[1].length],
            euclidean: problem.euclidean,
        }
    }
}

/// Flattens scores to violation, cost, violation, cost, …
pub fn flat(scores: &[Score]) -> Vec<f64> {
    scores.iter().flat_map(|score| [score.violation, score.cost]).collect()
}

/// Inverse of [`flat`].
pub(crate) fn scores(flat: &[f64]) -> Vec<Score> {
    flat.chunks_exact(2).map(|pair| Score { violation: pair[0], cost: pair[1] }).collect()
}
