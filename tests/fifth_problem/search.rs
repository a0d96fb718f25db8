//! Insertion descent from random starts: each walk moves one to three jobs to random places and keeps what does not cost more.
//!
//! Walks are independent, and random words are addressed by step and walk, so that the numbers depend on the seed alone and
//! not on the number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_core::backend::OpenDevice;
use gridwright_core::planning::Planning as _;
use gridwright_core::random::{Philox, index};
use gridwright_core::search::run::{CPU_ONLY, Judgement, Run, Started, Subject, Task};
use gridwright_core::search::{AlgorithmDescriptor, Algorithms, Budget, Epochs, SearchOutcome, Snapshot};
use gridwright_core::{Result, algorithms, parameters, search::digest_bytes};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::check::check;
use super::instance::Instance;
use super::problem::Tardiness;

parameters! {
    /// Parameters of the insertion descent.
    pub struct InsertionParameters {
        /// Number of independent walks.
        walks: u32 = 16, label: "Walks", range: 1..=1024;
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    Insertion(InsertionParameters),
}

algorithms! {
    Algorithm for "weighted tardiness";
    Insertion(InsertionParameters) = AlgorithmDescriptor {
        name: "insertion",
        label: "Insertion descent",
        short_label: "Insertion",
        help: "Moves jobs elsewhere as long as that pays, from many random starts",
        steps: "steps",
        budget: Some(Budget::Seconds(2.0)),
        cpu_only: Some(CPU_ONLY),
        evaluations_refused: None,
    };
}

/// One solve of an instance.
pub struct Solve<'a>(pub &'a Instance, pub Algorithm);

impl Task for Solve<'_> {
    type Solution = Vec<usize>;

    fn subject(&self) -> Subject<'_> {
        let Instance { name, hash, .. } = self.0;
        Subject { problem: "tardiness", name, hash, options: BTreeMap::new(), algorithm: self.1.name() }
    }

    fn start<'s>(&'s self, run: &'s Run<'_>, _: Option<&OpenDevice>) -> Result<Started<'s, Vec<usize>>> {
        let (instance, Algorithm::Insertion(parameters)) = (self.0, &self.1);
        let random = Philox::new(run.seed);
        let start = |walk: u32| {
            let mut sequence: Vec<usize> = (0..instance.jobs.len()).collect();
            sequence.sort_by_key(|&job| random.words(job as u32, 0, walk, 1));
            (cost(instance, &sequence), sequence)
        };
        let walks = (0..parameters.walks).map(start).collect();
        let search = Insertion { instance, random, threads: Arc::clone(&run.threads), walks, step: 0 };
        // An epoch takes some milliseconds.
        Ok(Started::new(search, run.plan(1_000), self.1.values()))
    }

    fn judge(&self, outcome: &mut SearchOutcome<Vec<usize>>) -> Result<Judgement> {
        let sequence = outcome.last.as_ref().map(|last| last.best.to_vec()).unwrap_or_default();
        let mut verdict = check(self.0, &sequence);
        verdict.confirmed = outcome.last.as_ref().is_some_and(|last| last.best_cost == verdict.cost);
        Ok(Judgement::new(Tardiness::encode(self.0, &sequence), verdict))
    }
}

/// State of the search.
struct Insertion<'a> {
    instance: &'a Instance,
    random: Philox,
    threads: Arc<rayon::ThreadPool>,
    /// Cost and sequence of each walk; the best walk is the smallest one.
    walks: Vec<(u64, Vec<usize>)>,
    step: u32,
}

impl Epochs for Insertion<'_> {
    type Solution = Vec<usize>;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let Self { instance, random, step: first, .. } = *self;
        let advance = |(number, walk): (usize, &mut (u64, Vec<usize>))| {
            for step in first..first.saturating_add(steps) {
                let mut trial = walk.1.clone();
                let moves = 1 + index(random.words(0, step, number as u32, 0)[3], 3);
                for words in (0..moves).map(|draw| random.words(draw, step, number as u32, 0)) {
                    let job = trial.remove(index(words[0], trial.len() as u32) as usize);
                    trial.insert(index(words[1], trial.len() as u32 + 1) as usize, job);
                }
                let cost = cost(instance, &trial);
                if cost <= walk.0 {
                    *walk = (cost, trial);
                }
            }
        };
        let walks = &mut self.walks;
        self.threads.install(|| walks.par_iter_mut().enumerate().for_each(advance));
        self.step = first.saturating_add(steps);
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Vec<usize>>> {
        let costs = || self.walks.iter().map(|walk| walk.0);
        let state = self.walks.iter().flat_map(|walk| &walk.1).flat_map(|&job| (job as u32).to_le_bytes());
        Ok(Snapshot {
            step: self.step.into(),
            evaluations: u64::from(self.step) * self.walks.len() as u64,
            best: Arc::new(self.walks.iter().min().map_or_else(Vec::new, |walk| walk.1.clone())),
            best_cost: costs().min().unwrap_or_default() as f64,
            mean: costs().sum::<u64>() as f64 / self.walks.len() as f64,
            worst: costs().max().unwrap_or_default() as f64,
            digest: digest_bytes(0, &state.collect::<Vec<u8>>()),
            share: None,
        })
    }
}

/// Cost Σ wⱼ · max(0, Cⱼ − dⱼ) of a sequence.
fn cost(instance: &Instance, sequence: &[usize]) -> u64 {
    let mut end = 0;
    let costs = sequence.iter().map(|&job| &instance.jobs[job]).map(|job| {
        end += job.time;
        job.weight * end.saturating_sub(job.due)
    });
    costs.sum()
}
