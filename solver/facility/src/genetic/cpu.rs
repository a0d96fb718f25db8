//! CPU backend of the genetic algorithm: one rayon task per block of children.

use std::sync::Arc;

use rayon::prelude::*;

use super::GeneticParameters;
use super::search::{GeneticBackend, Individuals, Summary};
use super::variation::{Draw, Operators};
use crate::Orientation;
use crate::evaluation::{Problem, Score};
use gridwright_core::search::Control;
use gridwright_core::{Error, Result};

/// Children per task.
const STRETCH: usize = 32;

/// CPU backend of the genetic algorithm.
pub struct CpuGenetic {
    operators: Operators,
    problems: Arc<[Problem]>,
    orientations: Vec<Orientation>,
    threads: Arc<rayon::ThreadPool>,
    control: Control,
    now: Individuals,
    next: Individuals,
}

impl CpuGenetic {
    /// Backend without individuals; [`GeneticBackend::begin`] loads them.
    pub fn new(
        problems: Arc<[Problem]>, parameters: &GeneticParameters, orientations: Vec<Orientation>, seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let operators = Operators::new(parameters, seed);
        let (now, next) = (Individuals::default(), Individuals::default());
        Self { operators, problems, orientations, threads, control: Control::new(), now, next }
    }

    /// Sets the handle that pauses and interrupts a generation.
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.control = control;
        self
    }
}

/// Block of consecutive children, compiled for the vector unit of the processor.
struct Stretch<'a> {
    operators: &'a Operators,
    problems: &'a [Problem],
    orientations: &'a [Orientation],
    now: &'a Individuals,
    weights: &'a [f64],
    generation: u32,
    first: usize,
    genes: &'a mut [u16],
    scores: &'a mut [Score],
}

impl pulp::NullaryFnOnce for Stretch<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { operators, problems, orientations, now, weights, generation, first, genes, scores } = self;
        let n = problems[0].len();
        let mut places = problems[0].places();
        let mut room = vec![0; n];
        for (more, (child, score)) in genes.chunks_exact_mut(n).zip(scores).enumerate() {
            let individual = (first + more) as u32;
            let (island, thread) = (individual / operators.individuals, individual % operators.individuals);
            let draw = Draw { generation, island, thread };
            let begin = (island * operators.individuals) as usize;
            let weight = weights[island as usize];
            let worth = |one: u32| {
                let score = now.scores[begin + one as usize];
                score.cost + weight * score.violation
            };
            let parent = |which: u32| {
                let place = begin + operators.winner(draw, which, worth) as usize;
                &now.genes[place * n..(place + 1) * n]
            };
            operators.child(draw, [parent(0), parent(1)], &mut room, child);
            *score = problems[orientations[island as usize] as usize].evaluate(child, &mut places);
        }
    }
}

impl GeneticBackend for CpuGenetic {
    fn begin(&mut self, individuals: &Individuals) -> Result<()> {
        self.now.clone_from(individuals);
        self.next.clone_from(individuals);
        Ok(())
    }

    fn breed(&mut self, generation: u32, weights: &[f64]) -> Result<()> {
        let Self { operators, problems, orientations, threads, control, now, next } = self;
        let n = problems[0].len();
        let stretches = next.genes.par_chunks_mut(STRETCH * n).zip(next.scores.par_chunks_mut(STRETCH)).enumerate();
        threads.install(|| {
            stretches.for_each(|(stretch, (genes, scores))| {
                if control.is_interrupted() {
                    return;
                }
                let first = stretch * STRETCH;
                let work =
                    Stretch { operators, problems, orientations, now, weights, generation, first, genes, scores };
                pulp::Arch::new().dispatch(work);
            });
        });
        if control.is_over() {
            return Err(Error::Cancelled);
        }
        std::mem::swap(now, next);
        Ok(())
    }

    fn summaries(&mut self) -> Result<Vec<Summary>> {
        let size = self.operators.individuals as usize;
        let islands = self.now.scores.par_chunks_exact(size).enumerate();
        Ok(self.threads.install(|| islands.map(|(island, scores)| Summary::of(island * size, scores)).collect()))
    }

    fn scores(&mut self) -> Result<Vec<Score>> {
        Ok(self.now.scores.clone())
    }

    fn genes_of(&mut self, individual: usize, departments: usize) -> Result<Vec<u16>> {
        Ok(self.now.genes[individual * departments..(individual + 1) * departments].to_vec())
    }

    fn genes(&mut self) -> Result<Vec<u16>> {
        Ok(self.now.genes.clone())
    }

    fn migrate(&mut self, moves: &[[u32; 2]]) -> Result<()> {
        let n = self.problems[0].len();
        let Individuals { genes, scores } = &mut self.now;
        let before: Vec<(Vec<u16>, Score)> = moves
            .iter()
            .map(|&[from, _]| (genes[from as usize * n..(from as usize + 1) * n].to_vec(), scores[from as usize]))
            .collect();
        for (&[_, to], (moved, score)) in moves.iter().zip(before) {
            genes[to as usize * n..(to as usize + 1) * n].copy_from_slice(&moved);
            scores[to as usize] = score;
        }
        Ok(())
    }
}
