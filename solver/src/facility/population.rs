//! Many layouts side by side, as both backends keep them.

use super::evaluation::Score;
use super::genes::END;
use crate::random::{Philox, happens, index, threshold};

/// Purposes of random words; islands are addressed by their individuals' numbers.
pub mod purposes {
    /// The order of departments of a first layout.
    pub const SEQUENCE: u32 = 0x70;
    /// Its breaks.
    pub const BREAKS: u32 = 0x71;
    /// Proposals of annealing.
    pub const PROPOSAL: u32 = 0x72;
    /// Parents and what is done with them between two legs of annealing.
    pub const PARENTS: u32 = 0x73;
    /// Tournaments of the published algorithm.
    pub const TOURNAMENT: u32 = 0x74;
    /// Crossover and mutation of the published algorithm.
    pub const VARIATION: u32 = 0x75;
}

/// The layout with which an individual begins: departments in random order, a bay ends with probability 1/√n.
pub fn random_genes(philox: Philox, step: u32, individual: u32, genes: &mut [u16]) {
    let n = genes.len();
    genes.iter_mut().enumerate().for_each(|(at, gene)| *gene = at as u16);
    let word = |place: usize, purpose: u32| philox.words((place / 4) as u32, step, individual, purpose)[place % 4];
    for place in (1..n).rev() {
        genes.swap(place, index(word(place, purposes::SEQUENCE), place as u32 + 1) as usize);
    }
    let often = threshold(1.0 / (n as f64).sqrt());
    for (place, gene) in genes.iter_mut().enumerate() {
        if place + 1 == n || happens(word(place, purposes::BREAKS), often) {
            *gene |= END;
        }
    }
}

/// Individuals that walk, with the best that each has met.
#[derive(Debug, Clone, Default)]
pub struct Walkers {
    /// Genes of each: individuals × departments.
    pub genes: Vec<u16>,
    /// What they cost.
    pub scores: Vec<Score>,
    /// The best genes that each has met since it set out: individuals × departments.
    pub best_genes: Vec<u16>,
    /// What those cost.
    pub best: Vec<Score>,
    /// What one unit of violation costs each.
    pub weights: Vec<f64>,
}

impl Walkers {
    /// Room for so many individuals of so many departments.
    pub fn new(count: usize, departments: usize) -> Self {
        Self {
            genes: vec![0; count * departments],
            scores: vec![Score::WORST; count],
            best_genes: vec![0; count * departments],
            best: vec![Score::WORST; count],
            weights: vec![0.0; count],
        }
    }
}
