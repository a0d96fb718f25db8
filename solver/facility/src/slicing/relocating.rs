//! Search for layouts with a cost of moving: slicing trees of the whole plant beside changes of today's layout.
//!
//! A tree rarely keeps a rectangle of today's layout, so that all departments move and pay their price. [`FewMoves`] keeps all but
//! a few rectangles to the last digit. Both searches advance step by step, and the better of their layouts is the result, which
//! therefore is never worse than today's layout where that keeps all limits.

use std::time::Instant;

use super::{FewMoves, Slicing};
use crate::evaluation::Score;
use crate::islands::BestLayout;
use gridwright_core::Result;
use gridwright_core::search::{Epochs, ImprovementLog, NotedImprovement, Snapshot, digest_words};

/// Slicing trees, and layouts in which few departments leave today's layout.
pub(crate) struct Relocating {
    trees: Slicing,
    few: FewMoves,
    /// Mean cost of random layouts.
    unit: f64,
    /// Best score of which the driver knows.
    noted: Score,
    improvements: ImprovementLog,
}

impl Relocating {
    /// Joins both searches; `unit` is the mean cost of random layouts.
    pub(crate) fn new(trees: Slicing, few: FewMoves, unit: f64) -> Self {
        let mut search = Self { trees, few, unit, noted: Score::WORST, improvements: ImprovementLog::default() };
        search.note();
        search
    }

    /// Better score of both searches; the layout near today's among equals.
    fn best(&self) -> Score {
        Score::best_of([self.few.best_score(), self.trees.best_score()])
    }

    fn evaluations(&self) -> u64 {
        self.trees.evaluations_done() + self.few.evaluations_done()
    }

    fn note(&mut self) {
        let score = self.best();
        if score.is_better(&self.noted) {
            self.noted = score;
            let (step, evaluations, cost) = (self.few.steps_done(), self.evaluations(), score.told(self.unit));
            self.improvements.push(NotedImprovement { step, evaluations, cost, at: Instant::now(), exact: true });
        }
    }
}

impl Epochs for Relocating {
    type Solution = BestLayout;

    fn advance(&mut self, steps: u32) -> Result<()> {
        for _ in 0..steps {
            self.trees.advance(1)?;
            self.few.advance(1)?;
            self.note();
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestLayout>> {
        let evaluations = self.evaluations();
        let (few, trees) = (self.few.snapshot()?, self.trees.snapshot()?);
        let digest = digest_words(few.digest ^ trees.digest.rotate_left(1), &[]);
        let (best, other) = match trees.best.score.is_better(&few.best.score) {
            true => (trees, few),
            false => (few, trees),
        };
        let worst = best.worst.max(other.worst);
        Ok(Snapshot { evaluations, digest, worst, ..best })
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        // Each search has a log of its own, of layouts that need not be the best of both.
        let _ = (self.trees.improvements(), self.few.improvements());
        self.improvements.take()
    }

    /// Steps of each cycle of the trees.
    fn stages(&self) -> Option<Vec<u64>> {
        self.trees.stages()
    }
}
