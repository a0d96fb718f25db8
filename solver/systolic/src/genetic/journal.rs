//! Recording of a run of SGA or EGA: random access to every generation, forwards and backwards, to the origin of every
//! child, and to the spread of a generation's best individual.
//!
//! A generation follows from the one before it with the addressed random words. The recording keeps populations at some
//! generations only ([`Keyframes`]) and computes those between them anew. Memory is bounded: populations take at most the
//! bound; where they would take more, every second one is dropped, and finding a generation takes longer.
//! [`Journal::notice`] reports that.

use std::sync::Arc;

use super::explain::Origin;
use super::{ChildSteps, Genetic, GeneticParameters};
use crate::evaluation::{Evaluation, Visitor, with_evaluation};
use crate::grid::Grid;
use crate::run::Algorithm;
use crate::state::{Frame, State};
use crate::{Instance, Search};
use gridwright_core::search::keyframes::{self, Keyframes};
use gridwright_core::search::selection::{Offspring, TakeOver};
use gridwright_core::search::{Control, Epochs};
use gridwright_core::{Error, Result, backend};

/// Facts about one generation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenerationStatistics {
    /// Smallest cost so far.
    pub best: f64,
    /// Mean cost of the generation.
    pub mean: f64,
    /// Largest cost of the generation.
    pub worst: f64,
    /// Mean Hamming distance of two individuals, in bits.
    pub diversity: f64,
    /// Selection among the individuals of this generation, from which the next one comes; zeros for the last one.
    pub offspring: Offspring,
}

/// Population of one generation, as a picture needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    /// All individuals; the number of the generation is that of the frame's iteration.
    pub frame: Arc<Frame>,
    /// Individuals by ascending cost (ties: ascending index).
    pub order: Vec<u32>,
    /// Number of children of each individual in the next generation; empty for the last generation.
    pub offspring: Vec<u32>,
}

/// Recording of a run.
#[derive(Debug)]
pub struct Journal {
    replay: Box<dyn Replay>,
    keyframes: Keyframes<State>,
    statistics: Vec<GenerationStatistics>,
    interruption: Control,
    notice: Option<String>,
}

/// A search at some generation, independent of the kind of problem.
trait Replay: Send + std::fmt::Debug {
    fn generation(&self) -> u64;
    fn state(&self) -> &State;
    fn restore(&mut self, generation: u64, state: &State);
    fn advance(&mut self, steps: u64) -> Result<()>;
    fn reached(&mut self) -> Result<f64>;
    fn frame(&self) -> Frame;
    fn origins(&self) -> Vec<Origin>;
    fn explain(&self, child: usize) -> ChildSteps;
    /// True if two individuals, the second one of `after`, have the same bit.
    fn is_same(&self, before: &State, individual: usize, after: (&State, usize), bit: usize) -> bool;
}

impl<E: Evaluation> Replay for Genetic<E> {
    fn generation(&self) -> u64 {
        self.iteration
    }

    fn state(&self) -> &State {
        &self.population
    }

    fn restore(&mut self, generation: u64, state: &State) {
        self.population.clone_from(state);
        self.iteration = generation;
    }

    fn advance(&mut self, steps: u64) -> Result<()> {
        Epochs::advance(self, steps as u32)
    }

    fn reached(&mut self) -> Result<f64> {
        Search::reached(self).map(|(cost, _)| cost)
    }

    fn frame(&self) -> Frame {
        let evaluation = &self.operators.evaluation;
        Frame::new(evaluation, self.population.clone(), self.iteration, (Grid::new(evaluation.bits()), None))
    }

    fn origins(&self) -> Vec<Origin> {
        Self::origins(self)
    }

    fn explain(&self, child: usize) -> ChildSteps {
        Self::explain(self, child)
    }

    fn is_same(&self, before: &State, individual: usize, (after, child): (&State, usize), bit: usize) -> bool {
        let (word, at) = (bit / E::PER_WORD, bit % E::PER_WORD);
        (before.solution(individual)[word] ^ after.solution(child)[word]) >> at & 1 == 0
    }
}

/// Number of children of each individual: the individuals of the next generation `after`, made in generation `made`, that
/// have at least one bit from it.
fn offspring(origins: &[Origin], after: &State, made: u64, bits: usize) -> Vec<u32> {
    let mut children = vec![0; after.count()];
    for child in (0..after.count()).filter(|&child| u64::from(after.since[child]) == made) {
        let origin = &origins[child / 2];
        // A parent whose bits lie on both sides of the segment has the first or the last one.
        let mut sources = [0, bits - 1, origin.middle()].map(|bit| origin.source(child % 2, bit));
        sources.sort_unstable();
        for (index, &source) in sources.iter().enumerate() {
            children[source] += u32::from(index == 0 || sources[index - 1] != source);
        }
    }
    children
}

impl Journal {
    /// Repeats a run on the CPU with `threads` threads (0: all) and records it in about `bound` bytes at most. `tell(done,
    /// all)` receives the progress in generations; a cancelled run is recorded up to the cancellation.
    ///
    /// # Errors
    /// [`Error::Usage`] if the algorithm has no population, or not even two populations fit into the bound; as
    /// [`Algorithm::search`].
    pub fn record(
        instance: &Instance, algorithm: &Algorithm, seed: u64, bound: usize, threads: usize, control: &Control,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Self> {
        let label = algorithm.label();
        let (elitist, parameters) = match algorithm.clone().resolved_for(instance.bits()) {
            Algorithm::Generational(parameters) => (false, parameters),
            Algorithm::Elitist(parameters) => (true, parameters),
            _ => {
                return Err(Error::Usage(format!("{label} has no generations to be played back; choose sga or ega")));
            }
        };
        with_evaluation(instance, Record { elitist, parameters, seed, bound, threads, control, tell })?
    }

    /// Last generation that can be shown.
    pub fn generations(&self) -> u64 {
        self.statistics.len() as u64 - 1
    }

    /// Statistics of every generation, from the initial population on.
    pub fn statistics(&self) -> &[GenerationStatistics] {
        &self.statistics
    }

    /// Message for the user if the recording reached its memory bound.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Handle whose cancellation interrupts a seek in another thread; the recording can then no longer be used.
    pub fn interruption(&self) -> Control {
        self.interruption.clone()
    }

    /// Goes to a generation, at most the last one.
    fn seek(&mut self, generation: u64) -> Result<()> {
        let wanted = generation.min(self.generations());
        if let Some((at, state)) = self.keyframes.nearer(self.replay.generation(), wanted) {
            self.replay.restore(at, state);
        }
        self.replay.advance(wanted - self.replay.generation())
    }

    /// All individuals of a generation, at most [`Self::generations`].
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the seek is interrupted.
    pub fn frame(&mut self, generation: u64) -> Result<Frame> {
        self.seek(generation)?;
        Ok(self.replay.frame())
    }

    /// Population of a generation, at most [`Self::generations`].
    ///
    /// # Errors
    /// As [`Self::frame`].
    pub fn generation(&mut self, generation: u64) -> Result<Generation> {
        let frame = self.frame(generation)?;
        let mut order: Vec<u32> = (0..frame.count() as u32).collect();
        let cost = |individual: u32| frame.costs[individual as usize];
        order.sort_by(|&a, &b| cost(a).total_cmp(&cost(b)).then(a.cmp(&b)));
        let mut children = Vec::new();
        if frame.iteration < self.generations() {
            let (state, origins) = (self.replay.state().clone(), self.replay.origins());
            self.replay.advance(1)?;
            children = offspring(&origins, self.replay.state(), frame.iteration + 1, frame.grid.bits);
            self.replay.restore(frame.iteration, &state);
        }
        Ok(Generation { frame: Arc::new(frame), order, offspring: children })
    }

    /// Explains how a child of a generation came from the generation before; `None` for the initial population and for a
    /// child that does not exist.
    ///
    /// # Errors
    /// As [`Self::frame`].
    pub fn child(&mut self, generation: u64, child: usize) -> Result<Option<ChildSteps>> {
        let exists = child < self.replay.state().count() && (1..=self.generations()).contains(&generation);
        if !exists {
            return Ok(None);
        }
        self.seek(generation - 1)?;
        Ok(Some(self.replay.explain(child)))
    }

    /// Follows the bits of the best individual of generation `from`, at most [`Self::generations`], to the end.
    ///
    /// # Errors
    /// As [`Self::frame`].
    pub fn take_over(&mut self, from: u64) -> Result<TakeOver> {
        let first = self.frame(from)?;
        let best = first.costs.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(number, _)| number);
        let mut take_over = TakeOver::begin(first.iteration, best, first.count(), first.grid.bits);
        while self.replay.generation() < self.generations() {
            let (before, origins) = (self.replay.state().clone(), self.replay.origins());
            self.replay.advance(1)?;
            let (replay, after, made) = (&self.replay, self.replay.state(), self.replay.generation());
            take_over.follow(|child, bit| {
                if u64::from(after.since[child]) != made {
                    return Some(child);
                }
                let source = origins[child / 2].source(child % 2, bit);
                replay.is_same(&before, source, (after, child), bit).then_some(source)
            });
        }
        Ok(take_over)
    }
}

/// Parameters of a recording.
struct Record<'a> {
    elitist: bool,
    parameters: GeneticParameters,
    seed: u64,
    bound: usize,
    threads: usize,
    control: &'a Control,
    tell: &'a mut dyn FnMut(u64, u64),
}

impl Visitor for Record<'_> {
    type Output = Result<Journal>;

    fn visit<E: Evaluation>(self, evaluation: E) -> Result<Journal> {
        let Self { elitist, parameters, seed, bound, threads, control, tell } = self;
        let (generations, bits) = (parameters.iterations, evaluation.bits());
        let threads = backend::thread_pool(threads)?;
        let mut search = Genetic::new(evaluation, elitist, &parameters, seed, Some(threads));
        let first = search.population.clone();
        if 2 * first.bytes() > bound {
            return Err(Error::Usage(format!(
                "a recording of {} individuals takes at least {} MB, and it may take {} MB; allow more memory for playback",
                gridwright_core::numbers::grouped(first.count() as u64),
                gridwright_core::numbers::grouped(((2 * first.bytes()) >> 20) as u64),
                gridwright_core::numbers::grouped((bound >> 20) as u64)
            )));
        }
        let mut keyframes = Keyframes::new(first.clone(), State::bytes, bound, 1);
        let mut statistics = vec![statistics_of(&mut search)?];
        for generation in 1..=generations {
            if control.is_cancelled() {
                break;
            }
            let origins = search.origins();
            Replay::advance(&mut search, 1)?;
            if let Some(before) = statistics.last_mut() {
                before.offspring = Offspring::of(&offspring(&origins, &search.population, generation, bits));
            }
            statistics.push(statistics_of(&mut search)?);
            if generation % keyframes.spacing() == 0 {
                keyframes.keep(generation, search.population.clone());
            }
            tell(generation, generations);
            control.wait_while_paused();
        }
        let notice = keyframes.is_thinned().then(|| keyframes::slower(bound, "a generation"));
        let interruption = Control::new();
        search.set_control(&interruption);
        search.restore(0, &first);
        Ok(Journal { replay: Box::new(search), keyframes, statistics, interruption, notice })
    }
}

/// Statistics of the present population of a search.
fn statistics_of<E: Evaluation>(search: &mut Genetic<E>) -> Result<GenerationStatistics> {
    let frame = search.frame();
    Ok(GenerationStatistics {
        best: Replay::reached(search)?,
        mean: frame.mean,
        worst: frame.worst,
        diversity: frame.diversity,
        offspring: Offspring::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::DEFAULT_BYTES;
    use crate::library;
    use gridwright_core::search::Algorithms;

    fn recorded(name: &str, source: &str, bound: usize) -> (Instance, Algorithm, Journal) {
        let instance = library::named(source, 5).unwrap();
        let algorithm = Algorithm::named(name).unwrap().resolved(40);
        let journal = Journal::record(&instance, &algorithm, 3, bound, 2, &Control::new(), &mut |_, _| {}).unwrap();
        (instance, algorithm, journal)
    }

    /// Frames obtained by seeking equal those of a search that runs there, however few keyframes there are.
    #[test]
    fn any_generation_is_found_again() {
        for (name, source, bound) in [
            ("sga", "knapsack:100-1000", DEFAULT_BYTES),
            ("ega", "mmdp:60", DEFAULT_BYTES),
            ("ega", "onemax:40", 70_000),
        ] {
            let (instance, algorithm, mut journal) = recorded(name, source, bound);
            assert_eq!((journal.generations(), journal.notice().is_some()), (40, bound < DEFAULT_BYTES), "{name}");
            for generation in [40, 0, 7, 8, 6, 39, 21, 40] {
                let mut search = algorithm.search(&instance, 3, None).unwrap();
                search.advance(generation as u32).unwrap();
                let expected = search.snapshot().unwrap();
                assert_eq!(journal.frame(generation).unwrap(), *expected.best.frame, "{name}, {generation}");
                let statistics = &journal.statistics()[generation as usize];
                assert_eq!((statistics.best, statistics.mean), (expected.best_cost, expected.mean));
            }
        }
    }

    /// The steps end with the individual that the search made, and begin with its parents.
    #[test]
    fn a_child_is_what_its_steps_make() {
        for (name, source) in [("sga", "knapsack:100-1000"), ("ega", "mmdp:60")] {
            let (_, _, mut journal) = recorded(name, source, DEFAULT_BYTES);
            let (mut crossed, mut stayed) = (0, 0);
            for child in (0..60).chain([1]) {
                let (before, after) = (journal.frame(11).unwrap(), journal.frame(12).unwrap());
                let steps = journal.child(12, child).unwrap().unwrap();
                let bits =
                    |frame: &Frame, number: usize| frame.bits(number).into_iter().map(u8::from).collect::<Vec<u8>>();
                for (tournament, parent) in steps.tournaments.iter().zip(&steps.parents) {
                    assert_eq!(*parent, bits(&before, tournament.winner));
                    let best = tournament.candidates.map(|it| it.cost).into_iter().fold(f64::INFINITY, f64::min);
                    assert_eq!(before.costs[tournament.winner], best);
                }
                crossed += usize::from(steps.segment.is_some());
                match &steps.occupant {
                    Some(occupant) if !occupant.is_replaced => {
                        stayed += 1;
                        assert_eq!((&occupant.bits, occupant.cost), (&bits(&after, child), after.costs[child]));
                    }
                    _ => assert_eq!((&steps.bits, steps.costs[1]), (&bits(&after, child), after.costs[child])),
                }
                let flipped = steps.crossed.iter().zip(&steps.bits).filter(|(a, b)| a != b).count();
                assert_eq!(flipped, steps.mutated.len());
            }
            assert!(crossed > 40, "nine of ten pairs are crossed");
            assert_eq!(stayed > 0, name == "ega");
            assert!(journal.child(0, 1).unwrap().is_none() && journal.child(12, 1 << 20).unwrap().is_none());
        }
    }

    #[test]
    fn children_are_counted_and_the_best_takes_over() {
        let (_, _, mut journal) = recorded("sga", "onemax:40", DEFAULT_BYTES);
        let generation = journal.generation(5).unwrap();
        let individuals = generation.frame.count();
        let total: u32 = generation.offspring.iter().sum();
        // Every child has one or two parents.
        assert!((individuals..=2 * individuals).contains(&(total as usize)), "{total} of {individuals}");
        assert_eq!(Offspring::of(&generation.offspring), journal.statistics()[5].offspring);
        assert!(journal.statistics()[5].offspring.childless > 0);
        let costs: Vec<f64> = generation.order.iter().map(|&it| generation.frame.costs[it as usize]).collect();
        assert!(costs.is_sorted());
        assert!(journal.generation(40).unwrap().offspring.is_empty(), "children of the last one were never made");
        let take_over = journal.take_over(3).unwrap();
        assert_eq!((take_over.from, take_over.genes.len()), (3, 38));
        assert!((take_over.genes[0] - 1.0 / individuals as f32).abs() < 1e-6);
        assert!(take_over.genes[8] > 2.0 * take_over.genes[0], "selection spreads the best");
    }

    #[test]
    fn what_has_no_generations_is_refused() {
        let instance = library::named("onemax:40", 5).unwrap();
        let record = |name: &str, bound| {
            let algorithm = Algorithm::named(name).unwrap();
            Journal::record(&instance, &algorithm, 1, bound, 1, &Control::new(), &mut |_, _| {})
                .unwrap_err()
                .to_string()
        };
        assert!(record("sgs-b", DEFAULT_BYTES).contains("choose sga or ega"));
        assert!(record("sga", 1_000).contains("allow more memory for playback"));
    }
}
