//! One child of a generation step by step, computed by the functions that the search itself calls.

use super::{Draws, Genetic, Operators};
use crate::evaluation::{Evaluation, unpack};
use crate::state::State;

/// Individual that takes part in a tournament.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Index in the population of the parents.
    pub individual: usize,
    /// Cost of the individual.
    pub cost: f64,
}

/// Binary tournament for one parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tournament {
    /// Individuals in the order in which they were drawn; both may be the same.
    pub candidates: [Candidate; 2],
    /// Index of the better individual (ties: lowest index).
    pub winner: usize,
}

/// Individual in the slot of a child of EGA.
#[derive(Debug, Clone, PartialEq)]
pub struct Occupant {
    /// Bits, 0 or 1.
    pub bits: Vec<u8>,
    pub cost: f64,
    /// True if the child is better and takes the slot.
    pub is_replaced: bool,
}

/// Origin of one child: every step of reproduction with its outcome. Bits are 0 or 1.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildSteps {
    /// Index of the child in its population.
    pub child: usize,
    /// Tournaments for the first and the second parent of the pair of children.
    pub tournaments: [Tournament; 2],
    /// Position of the parent whose bits the child has outside of the segment: 0 for even children, 1 for odd ones.
    pub begins_with: usize,
    /// Bits of the first and the second parent.
    pub parents: [Vec<u8>; 2],
    /// First and last bit that the child has from the other parent, both inclusive; `None` if the child is a copy.
    pub segment: Option<[usize; 2]>,
    /// Bits after crossover.
    pub crossed: Vec<u8>,
    /// Bits that mutation flipped, ascending.
    pub mutated: Vec<usize>,
    /// Bits of the finished child.
    pub bits: Vec<u8>,
    /// Costs after crossover and after mutation.
    pub costs: [f64; 2],
    /// Individual in the slot of the child; `None` for SGA, whose children replace all individuals.
    pub occupant: Option<Occupant>,
}

impl ChildSteps {
    /// Cost of the first (0) or second (1) parent.
    pub fn parent_cost(&self, parent: usize) -> f64 {
        let Tournament { candidates, winner } = &self.tournaments[parent];
        candidates.iter().find(|candidate| candidate.individual == *winner).map_or(f64::NAN, |candidate| candidate.cost)
    }
}

/// Parents and segment of a pair of children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    parents: [usize; 2],
    segment: Option<[usize; 2]>,
}

impl Origin {
    /// Parent from which the first (0) or second (1) child of the pair has a bit.
    pub fn source(&self, child: usize, bit: usize) -> usize {
        let is_other = self.segment.is_some_and(|[first, last]| (first..=last).contains(&bit));
        self.parents[child ^ usize::from(is_other)]
    }

    /// A bit of the segment, or the first bit without one.
    pub fn middle(&self) -> usize {
        self.segment.map_or(0, |[first, _]| first)
    }
}

impl<E: Evaluation> Operators<E> {
    /// Cost of an individual.
    fn cost(&self, population: &State, number: usize) -> f64 {
        self.evaluation.cost(population.sums[number])
    }
}

impl<E: Evaluation> Genetic<E> {
    /// Parents and segments of all pairs of the next generation.
    pub(super) fn origins(&self) -> Vec<Origin> {
        let (operators, generation) = (&self.operators, self.iteration as u32 + 1);
        let origin = |pair: u32| {
            let Draws { candidates, segment } = operators.draws(generation, pair);
            let parents = candidates.map(|[one, other]| operators.winner(&self.population, one, other));
            Origin { parents, segment }
        };
        (0..operators.count.div_ceil(2) as u32).map(origin).collect()
    }

    /// Explains how child `child` of the next generation comes from the present population.
    ///
    /// # Panics
    /// If `child` is not below the size of the population.
    pub fn explain(&self, child: usize) -> ChildSteps {
        let (operators, population, generation) = (&self.operators, &self.population, self.iteration as u32 + 1);
        let (pair, odd, each) = ((child / 2) as u32, child % 2, operators.each);
        let Draws { candidates, segment } = operators.draws(generation, pair);
        let tournaments = candidates.map(|drawn| Tournament {
            candidates: drawn.map(|number| Candidate {
                individual: number as usize,
                cost: operators.cost(population, number as usize),
            }),
            winner: operators.winner(population, drawn[0], drawn[1]),
        });
        let parents = tournaments.map(|tournament| tournament.winner);
        let bits = |words: &[u64]| -> Vec<u8> {
            unpack(words, E::PER_WORD, operators.evaluation.bits()).into_iter().map(u8::from).collect()
        };
        let mut words = parents.map(|parent| population.solution(parent)).concat();
        let mut sums = parents.map(|parent| population.sums[parent]);
        if let Some([first, last]) = segment {
            operators.cross(first, last, &mut words, &mut sums);
        }
        let (own, sums) = (&mut words[odd * each..(odd + 1) * each], &mut sums[odd]);
        let (crossed, crossed_cost) = (bits(own), operators.evaluation.cost(*sums));
        operators.mutate(generation, child as u32, own, sums);
        let finished = bits(own);
        let occupant = operators.elitist.then(|| Occupant {
            bits: bits(population.solution(child)),
            cost: operators.cost(population, child),
            is_replaced: operators.evaluation.better(*sums, population.sums[child]),
        });
        ChildSteps {
            child,
            tournaments,
            begins_with: odd,
            parents: parents.map(|parent| bits(population.solution(parent))),
            segment,
            mutated: (0..finished.len()).filter(|&bit| crossed[bit] != finished[bit]).collect(),
            crossed,
            costs: [crossed_cost, operators.evaluation.cost(*sums)],
            bits: finished,
            occupant,
        }
    }
}
