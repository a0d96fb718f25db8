//! Recording of a run of the evolutionary algorithm: random access to every generation, forwards and backwards, to the
//! origin of every child, and to the descent of a generation's best individual.
//!
//! A generation follows from the one before it with the addressed random words. The recording therefore keeps populations
//! at some generations only ([`Keyframes`]) and computes those between them anew; small runs keep all. Statistics of every
//! generation are recorded ([`GenerationStatistics`]).
//!
//! Memory is bounded. Populations take at most three quarters of the bound: where they would take more, every second one
//! is dropped, and finding a generation takes longer. The statistics take at most the rest: a run of more generations is
//! recorded up to there. [`Journal::notice`] reports both.

mod statistics;

pub(crate) use self::statistics::offspring;
pub use self::statistics::{GenerationStatistics, Spread, diversity};
use super::EvolutionParameters;
use super::cpu::{ChildSteps, CpuEvolution};
use super::evaluation::CostParts;
use super::initial::Origin;
use crate::model::Model;
use gridwright_core::backend::thread_pool;
use gridwright_core::search::keyframes::{self, Keyframes};
pub use gridwright_core::search::selection::{TakeOver, expected_takeover};
use gridwright_core::search::{Construction, Control, Epochs};
use gridwright_core::{Error, Result, numbers};

/// Default memory bound in bytes.
pub const DEFAULT_BYTES: usize = 256 << 20;

/// Run to be recorded.
#[derive(Debug, Clone)]
pub(crate) struct RecordedRun<'a> {
    /// Parameters of the algorithm.
    pub parameters: &'a EvolutionParameters,
    /// Seed of the random words.
    pub seed: u64,
    /// Generations of the run.
    pub generations: u64,
    /// Individuals after which the construction was cut short; `None` if it was not.
    pub constructed: Option<u64>,
}

/// Population with its costs.
#[derive(Debug, Clone)]
struct Population {
    /// `genes[i · exams + e]` = period of exam e in individual i.
    genes: Vec<u8>,
    costs: Vec<u32>,
}

impl Population {
    fn of(search: &CpuEvolution) -> Self {
        let (genes, costs) = search.population();
        Self { genes: genes.to_vec(), costs: costs.to_vec() }
    }

    fn bytes(&self) -> usize {
        size_of::<(u64, Self)>() + self.genes.len() + size_of_val(&self.costs[..])
    }
}

/// Population of one generation, as a picture needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    /// Number of the generation; 0 is the initial population.
    pub number: u64,
    /// Number of genes of an individual.
    pub exams: usize,
    /// `genes[i · exams + e]` = period of gene e in individual i.
    pub genes: Vec<u8>,
    /// Cost of each individual.
    pub costs: Vec<u32>,
    /// Cost of each individual by its causes.
    pub parts: Vec<CostParts>,
    /// Individuals by ascending cost (ties: ascending index).
    pub order: Vec<u32>,
    /// Number of children of each individual in the next generation, as [`offspring`] counts them; empty for the last
    /// generation.
    pub offspring: Vec<u32>,
}

impl Generation {
    /// Genes of an individual.
    pub fn chromosome(&self, individual: usize) -> &[u8] {
        self.genes.get(individual * self.exams..(individual + 1) * self.exams).unwrap_or_default()
    }
}

/// Recording of a run.
#[derive(Debug)]
pub struct Journal {
    /// Search whose population is that of the generation looked at last.
    search: CpuEvolution,
    keyframes: Keyframes<Population>,
    statistics: Vec<GenerationStatistics>,
    digest: u64,
    interruption: Control,
    notice: Option<String>,
}

impl Journal {
    /// Repeats a run on the CPU with `threads` threads (0: all) and records it in about `bound` bytes at most.
    /// `tell(done, all)` receives the progress in generations; a cancelled run is recorded up to the cancellation.
    ///
    /// # Errors
    /// [`Error::Usage`] if not even three populations fit into the bound; [`Error::Cancelled`] if the run is cancelled
    /// before its first population; as [`CpuEvolution::new`].
    pub(crate) fn record<'a>(
        origin: impl Into<Origin<'a>>, run: &RecordedRun<'_>, bound: usize, threads: usize, control: &Control,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Self> {
        let origin = origin.into();
        let RecordedRun { parameters, seed, generations, constructed } = *run;
        let exams = Model::new(&origin.instance).nodes();
        // Parents, children and one keyframe.
        let least = parameters.population as usize * (3 * exams + 2 * size_of::<u32>());
        if least > bound {
            return Err(Error::Usage(format!(
                "a recording of {} individuals takes at least {} MB, and it may take {} MB; choose a smaller population",
                numbers::grouped(parameters.population),
                numbers::grouped((least >> 20) as u64),
                numbers::grouped((bound >> 20) as u64)
            )));
        }
        let construction = Construction::recorded(control, constructed);
        let search = CpuEvolution::new(origin, parameters, seed, thread_pool(threads)?, &construction)?;
        let mut search = search.with_control(control.clone());
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let most = bound / 4 / size_of::<GenerationStatistics>();
        let mut keyframes = Keyframes::new(Population::of(&search), Population::bytes, bound / 4 * 3, 1);
        let mut statistics = vec![GenerationStatistics::of(&search)];
        let mut notice = None;
        for generation in 1..=generations {
            if statistics.len() >= most.max(2) {
                notice = Some(format!(
                    "the recording takes all of its {} MB after generation {}; later ones are not shown",
                    bound >> 20,
                    numbers::grouped(generation - 1)
                ));
                break;
            }
            match search.advance(1) {
                Err(Error::Cancelled) => break,
                advanced => advanced?,
            }
            statistics.push(GenerationStatistics::of(&search));
            if generation % keyframes.spacing() == 0 {
                keyframes.keep(generation, Population::of(&search));
            }
            tell(generation, generations);
            control.wait_while_paused();
        }
        if keyframes.is_thinned() {
            notice.get_or_insert_with(|| keyframes::slower(bound, "a generation"));
        }
        let (digest, interruption) = (search.snapshot()?.digest, Control::new());
        let mut journal = Self {
            search: search.with_control(interruption.clone()),
            keyframes,
            statistics,
            digest,
            interruption,
            notice,
        };
        // A cancelled generation may have left the search without a whole population.
        let (at, first) = journal.keyframes.nearer(u64::MAX, 0).ok_or(Error::Cancelled)?;
        journal.search.restore(at as u32, &first.genes, &first.costs);
        Ok(journal)
    }

    /// Last generation that can be shown.
    pub fn generations(&self) -> u64 {
        self.statistics.len() as u64 - 1
    }

    /// Number of individuals in a generation.
    pub fn individuals(&self) -> usize {
        self.search.population().1.len()
    }

    /// Digest of the last generation, as the result of the run has it; of no meaning after a cancellation.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        let (genes, costs) = self.search.population();
        let search = 2 * genes.len() + size_of_val(costs);
        self.keyframes.bytes() + search + size_of_val(&self.statistics[..])
    }

    /// Message for the user if the recording reached its memory bound.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Statistics of every generation, from the initial population on.
    pub fn statistics(&self) -> &[GenerationStatistics] {
        &self.statistics
    }

    /// Exam indices of each gene; several where exams must share a period.
    pub fn exams_of_genes(&self) -> Vec<Vec<usize>> {
        let model = self.search.model();
        let exams = |gene| if model.is_plain() { vec![gene] } else { model.exams_of(gene).to_vec() };
        (0..model.nodes()).map(exams).collect()
    }

    /// Handle whose cancellation interrupts a seek in another thread; the recording can then no longer be used.
    pub fn interruption(&self) -> Control {
        self.interruption.clone()
    }

    /// Goes to a generation, at most the last one.
    fn seek(&mut self, generation: u64) -> Result<()> {
        let wanted = generation.min(self.generations());
        if let Some((at, state)) = self.keyframes.nearer(u64::from(self.search.generations()), wanted) {
            self.search.restore(at as u32, &state.genes, &state.costs);
        }
        self.search.advance(wanted as u32 - self.search.generations())
    }

    /// Population of a generation, at most [`Self::generations`].
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the seek is interrupted.
    pub fn generation(&mut self, generation: u64) -> Result<Generation> {
        self.seek(generation)?;
        let (genes, costs) = self.search.population();
        let exams = self.search.tables().exams;
        let mut order: Vec<u32> = (0..costs.len() as u32).collect();
        order.sort_by_key(|&individual| (costs[individual as usize], individual));
        let is_last = u64::from(self.search.generations()) == self.generations();
        let offspring = if is_last { Vec::new() } else { offspring(&self.search.matings(), costs.len(), exams) };
        Ok(Generation {
            number: u64::from(self.search.generations()),
            exams,
            genes: genes.to_vec(),
            costs: costs.to_vec(),
            parts: genes.chunks(exams).map(|genes| CostParts::of(self.search.tables(), genes)).collect(),
            order,
            offspring,
        })
    }

    /// Explains how a child of a generation came from the generation before; `None` for the initial population and for a
    /// child that does not exist.
    ///
    /// # Errors
    /// As [`Self::generation`].
    pub fn child(&mut self, generation: u64, child: usize) -> Result<Option<ChildSteps>> {
        let exists = child < self.search.population().1.len() && (1..=self.generations()).contains(&generation);
        if !exists {
            return Ok(None);
        }
        self.seek(generation - 1)?;
        Ok(Some(self.search.explain(child)))
    }

    /// Follows the genes of the best individual of generation `from`, at most [`Self::generations`], to the end.
    ///
    /// # Errors
    /// As [`Self::generation`].
    pub fn take_over(&mut self, from: u64) -> Result<TakeOver> {
        self.seek(from)?;
        let (costs, exams) = (self.search.population().1, self.search.tables().exams);
        let best = costs.iter().enumerate().min_by_key(|&(individual, &cost)| (cost, individual));
        let best = best.map_or(0, |(individual, _)| individual);
        let mut take_over = TakeOver::begin(u64::from(self.search.generations()), best, costs.len(), exams);
        while u64::from(self.search.generations()) < self.generations() {
            let (matings, before) = (self.search.matings(), self.search.population().0.to_vec());
            let next = u64::from(self.search.generations()) + 1;
            self.seek(next)?;
            let after = self.search.population().0;
            take_over.follow(|child, exam| {
                let source = matings[child / 2].source(child % 2, exam);
                (before[source * exams + exam] == after[child * exams + exam]).then_some(source)
            });
        }
        Ok(take_over)
    }
}

#[cfg(test)]
mod tests;
