//! Populations of encoded layouts, in the memory layout that both backends use.

use super::evaluation::Score;
use super::frame::Frame;
use super::genes::END;
use gridwright_core::random::{Philox, happens, index, threshold};

/// Purpose words of the addressed random numbers; an individual's number is global, so that islands need no address.
pub mod purposes {
    /// Initial sequence.
    pub(super) const SEQUENCE: u32 = 0x70;
    /// Initial breaks.
    pub(super) const BREAKS: u32 = 0x71;
    /// Proposals of annealing.
    pub(crate) const PROPOSAL: u32 = 0x72;
    /// Selection and crossover between two annealing stages.
    pub(crate) const PARENTS: u32 = 0x73;
    /// Tournaments of the published genetic algorithm.
    pub(crate) const TOURNAMENT: u32 = 0x74;
    /// Crossover and mutation of the published genetic algorithm.
    pub(crate) const VARIATION: u32 = 0x75;
    /// Random slicing trees.
    pub(crate) const TREE: u32 = 0x76;
    /// Proposals of annealing on slicing trees.
    pub(crate) const CUTS: u32 = 0x77;
}

/// Writes a random layout into `genes` (one per department): a uniform permutation (Fisher–Yates), each break with
/// probability 1/√n. With a frame, only its parts are rearranged so.
pub(crate) fn random_genes(philox: Philox, step: u32, individual: u32, frame: Option<&Frame>, genes: &mut [u16]) {
    let n = genes.len();
    let word = |place: usize, purpose: u32| philox.words((place / 4) as u32, step, individual, purpose)[place % 4];
    if let Some(frame) = frame {
        let often = threshold(1.0 / (n as f64).sqrt());
        genes.iter_mut().zip(&frame.genes).for_each(|(gene, framed)| *gene = framed & !END);
        for part in &frame.parts {
            for place in (part.first + 1..part.end).rev() {
                let before = index(word(place, purposes::SEQUENCE), (place - part.first) as u32 + 1) as usize;
                genes.swap(place, part.first + before);
            }
        }
        let is_free =
            |place: usize| frame.parts.iter().any(|part| part.is_bays && (part.first..part.end - 1).contains(&place));
        for (place, gene) in genes.iter_mut().enumerate() {
            let ends =
                if is_free(place) { happens(word(place, purposes::BREAKS), often) } else { frame.ends_at(place) };
            *gene |= if ends { END } else { 0 };
        }
        return;
    }
    genes.iter_mut().enumerate().for_each(|(at, gene)| *gene = at as u16);
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

/// Population under annealing, with the best layout that each individual has visited.
#[derive(Debug, Clone, Default)]
pub struct Walkers {
    /// Genes, row-major: individuals × departments.
    pub(crate) genes: Vec<u16>,
    /// Scores of the individuals.
    pub(crate) scores: Vec<Score>,
    /// Genes of each individual's best layout since [`super::memetic`]'s stage began, row-major: individuals ×
    /// departments.
    pub(crate) best_genes: Vec<u16>,
    /// Scores of the best layouts.
    pub best: Vec<Score>,
    /// Penalty weight of each individual: cost of one unit of violation.
    pub weights: Vec<f64>,
}

impl Walkers {
    /// Population of `count` individuals, all with the worst score.
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
