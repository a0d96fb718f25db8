//! A generation on the CPU, phase by phase, within a few seconds each.

use std::sync::Arc;
use std::time::Instant;

use super::{Case, ENOUGH, Figures, GENERATIONS, Milliseconds};
use crate::evolution::cpu::CpuEvolution;
use crate::evolution::evaluation::evaluate;
use crate::evolution::{Evaluator, EvolutionParameters, Reproduction, Tables};
use gridwright_core::Result;
use gridwright_core::backend::thread_pool;
use gridwright_core::numbers::counted;
use gridwright_core::search::{Construction, Epochs};

/// Number of chromosomes per thread that a pilot run evaluates to estimate the duration of one.
const PILOT: usize = 4;

impl Case<'_, '_> {
    /// Measures all phases with `threads` threads.
    ///
    /// # Errors
    /// As [`CpuEvolution::new`]; [`gridwright_core::Error::Search`] if digests or costs differ.
    pub(super) fn cpu(&mut self, threads: usize) -> Result<Figures> {
        let on = format!("CPU, {}", counted(threads, "thread"));
        self.tell(&on);
        let pool = thread_pool(threads)?;
        let (began, mut done) = (Instant::now(), 0);
        let mut search =
            CpuEvolution::new(self.instance, &self.parameters, 1, Arc::clone(&pool), &Construction::unlimited())?;
        while done < GENERATIONS && (done == 0 || began.elapsed().as_secs_f64() < ENOUGH) {
            search.advance(1)?;
            self.compare(done as usize, search.snapshot()?.digest, &on)?;
            done += 1;
        }
        let stages = search.phase_seconds();
        let per = |seconds: f64| Some(Milliseconds::of_seconds(seconds / f64::from(done)));
        let mut figures = Figures {
            reproduction: [per(stages.reproduction), None],
            mutation: per(stages.mutation),
            descent: per(stages.descent),
            ..Figures::default()
        };
        figures.evaluation[2][0] = per(stages.evaluation);
        figures.reproduction[1] = Some(self.in_two(&search, &pool, &on)?);
        self.evaluations(&search, &pool, &on, &mut figures)?;
        Ok(figures)
    }

    /// Compares the digest after a generation, counted from 0, with the first one found for it.
    fn compare(&mut self, generation: usize, digest: u64, on: &str) -> Result<()> {
        match self.digests.get(generation) {
            None => self.digests.push(digest),
            Some(&known) if known != digest => return Err(self.differs(on)),
            Some(_) => {}
        }
        Ok(())
    }

    /// Measures reproduction in two passes and compares its result with one pass. Descent is skipped: it takes long and
    /// is no part of it.
    fn in_two(&self, search: &CpuEvolution, pool: &Arc<rayon::ThreadPool>, on: &str) -> Result<Milliseconds> {
        let model = self.parameters.model(self.instance);
        let tables = Tables::new(&self.instance.name, &model, &self.parameters)?;
        let children = |reproduction| {
            let parameters = EvolutionParameters { reproduction, descent: false, ..self.parameters.clone() };
            let (genes, _) = search.population();
            let unknown = (Arc::new(crate::Timetable::unplaced(tables.exams)), u32::MAX);
            let start = (0, genes.to_vec());
            let parts = (model.clone(), tables.clone());
            let mut search = CpuEvolution::resume(&parameters, parts, 1, Arc::clone(pool), start, unknown);
            search.advance(1)?;
            Ok::<_, gridwright_core::Error>(search)
        };
        let (one_pass, two_passes) = (children(Reproduction::OnePass)?, children(Reproduction::TwoPasses)?);
        if one_pass.population() != two_passes.population() {
            return Err(self.differs(on));
        }
        Ok(Milliseconds::of_seconds(two_passes.phase_seconds().reproduction))
    }

    /// Measures the other evaluators on as many chromosomes as a few seconds allow.
    fn evaluations(
        &self, search: &CpuEvolution, pool: &rayon::ThreadPool, on: &str, figures: &mut Figures,
    ) -> Result<()> {
        let with_matrix = EvolutionParameters { evaluator: Evaluator::FullByExam, ..self.parameters.clone() };
        let tables = Tables::new(&self.instance.name, &self.parameters.model(self.instance), &with_matrix)?;
        let (genes, costs) = search.population();
        let mut found = vec![0; costs.len()];
        let ways = [(Evaluator::FullByChromosome, 0, 0), (Evaluator::FullByExam, 0, 1), (Evaluator::Sparse, 1, 0)];
        for (evaluator, sum, worker) in ways {
            let mut seconds = |count: usize| {
                let began = Instant::now();
                evaluate(&tables, evaluator, &genes[..count * tables.exams], &mut found[..count], pool);
                began.elapsed().as_secs_f64()
            };
            let pilot = costs.len().min(PILOT * pool.current_num_threads());
            let per_chromosome = seconds(pilot).max(1e-9) / pilot as f64;
            let count = ((ENOUGH / per_chromosome) as usize).clamp(pilot, costs.len());
            let taken = seconds(count);
            if found[..count] != costs[..count] {
                return Err(self.differs(on));
            }
            let value = taken * 1e3 * costs.len() as f64 / count as f64;
            figures.evaluation[sum][worker] = Some(Milliseconds { value, scaled: count < costs.len() });
        }
        Ok(())
    }
}
