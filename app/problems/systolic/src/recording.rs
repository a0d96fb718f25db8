//! A run to be played back, recorded again from its seed.

use std::sync::Arc;

use gridwright_core::Result;
use gridwright_core::result::RunResult;
use gridwright_core::search::selection::TakeOver;
use gridwright_core::search::{Algorithms, Control};
use gridwright_systolic::genetic::ChildSteps;
use gridwright_systolic::genetic::journal::{self as generations, Generation, GenerationStatistics};
use gridwright_systolic::journal::Journal;
use gridwright_systolic::run::Algorithm;
use gridwright_systolic::{Frame, Instance};

use gridwright_window::loader::PartKey;
use gridwright_window::recorder::{self, Recorder, RecordingProgress};
use gridwright_window::work::Teller;

/// Samples of the whole population over a run, about.
const SAMPLES: u64 = 600;

/// Request to record a run.
#[derive(Debug, Clone)]
pub(crate) struct RecordingRequest {
    /// The instance, with its weight where it has one.
    pub instance: Arc<Instance>,
    /// The algorithm with its iterations.
    pub algorithm: Algorithm,
    pub seed: u64,
    /// Bytes that it may take.
    pub bound: usize,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
}

impl RecordingRequest {
    /// Returns the request that repeats a result's run within `bound` bytes on `threads` threads (0: all); `None` if its
    /// algorithm is unknown.
    pub fn of(instance: Arc<Instance>, result: &RunResult, bound: usize, threads: usize) -> Option<Self> {
        let mut algorithm = Algorithm::named(&result.algorithm).ok()?;
        for (name, value) in &result.parameters {
            algorithm.set(name, &value.to_string()).ok()?;
        }
        // A run that was stopped is shown as far as it went.
        algorithm.set("iterations", &result.generations.to_string()).ok()?;
        let seed = result.seed;
        (result.generations > 0).then_some(Self { instance, algorithm, seed, bound, threads })
    }
}

/// All solutions at one moment, in a few numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sample {
    at: u64,
    mean: f64,
    worst: f64,
    best: f64,
    diversity: f64,
}

/// Part of a recording that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// All solutions after some iterations.
    Frame(u64),
    /// Population of a generation with the number of its children.
    Generation(u64),
    /// Child of a generation by its index.
    Child(u64, usize),
    /// Spread of the best individual of a generation.
    TakeOver(u64),
}

impl PartKey for Wanted {
    fn stands_beside(self, other: Self) -> bool {
        match (self, other) {
            // A frame is shown with the one before it.
            (Self::Frame(a), Self::Frame(b)) => a.abs_diff(b) <= 1,
            (a, b) => std::mem::discriminant(&a) != std::mem::discriminant(&b) || a == b,
        }
    }
}

enum Part {
    Frame(Arc<Frame>),
    Generation(Arc<Generation>),
    Child(Arc<ChildSteps>),
    TakeOver(Arc<TakeOver>),
    /// A part that does not exist.
    Nothing,
}

/// The recording of a grid or of generations.
enum Recorded {
    Grid(Box<Journal>),
    Generations(Box<generations::Journal>),
}

impl recorder::Journal for Recorded {
    type Key = Wanted;
    type Part = Part;

    fn load(&mut self, wanted: Wanted) -> Result<Part> {
        Ok(match (self, wanted) {
            (Self::Grid(journal), Wanted::Frame(at)) => Part::Frame(Arc::new(journal.frame(at)?)),
            (Self::Generations(journal), Wanted::Frame(at)) => Part::Frame(Arc::new(journal.frame(at)?)),
            (Self::Generations(journal), Wanted::Generation(at)) => Part::Generation(Arc::new(journal.generation(at)?)),
            (Self::Generations(journal), Wanted::TakeOver(from)) => Part::TakeOver(Arc::new(journal.take_over(from)?)),
            (Self::Generations(journal), Wanted::Child(at, child)) => {
                journal.child(at, child)?.map_or(Part::Nothing, |steps| Part::Child(Arc::new(steps)))
            }
            (Self::Grid(_), _) => Part::Nothing,
        })
    }

    fn interruption(&self) -> Option<Control> {
        match self {
            Self::Grid(_) => None,
            Self::Generations(journal) => Some(journal.interruption()),
        }
    }
}

/// Facts about the recorded iterations.
#[derive(Default)]
struct Facts {
    /// Statistics of all generations; empty for a grid.
    statistics: Arc<Vec<GenerationStatistics>>,
    is_recorded: bool,
    notice: Option<String>,
    best: Vec<f64>,
    accepting: Vec<Option<usize>>,
    samples: Vec<Sample>,
    last: Option<Arc<Frame>>,
}

pub struct Recording {
    recorder: Recorder<Recorded, Facts>,
    request: RecordingRequest,
    frame: Option<Arc<Frame>>,
    generation: Option<Arc<Generation>>,
    curves: Option<(u64, Arc<Curves>)>,
}

/// Curves of a run: one value per iteration, from the start on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curves {
    /// The least cost so far.
    pub best: Vec<f64>,
    /// The mean cost of all solutions.
    pub mean: Vec<f64>,
    /// The highest cost of all solutions.
    pub worst: Vec<f64>,
    /// Mean Hamming distance of two solutions.
    pub diversity: Vec<f32>,
    /// Cells that accepted a child, 0…1 of the most in any iteration.
    pub activity: Vec<f32>,
    /// Number of cells that accepted a child; `None` if it was not recorded.
    pub(crate) accepting: Vec<Option<usize>>,
}

impl Curves {
    /// The first iteration after which nothing costs more than this; `None` if there is none yet.
    pub fn first(&self, cost: f64) -> Option<u64> {
        let first = self.best.iter().position(|best| *best <= cost)?;
        Some(first as u64)
    }
}

impl Recording {
    pub(crate) fn start(request: RecordingRequest, wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let recorded = request.clone();
        let iterations = request.algorithm.iterations();
        let recorder = Recorder::start(iterations, wake, move |teller| record(&recorded, teller));
        Self { recorder, request, frame: None, generation: None, curves: None }
    }

    /// Iterations of the run.
    pub fn iterations(&self) -> u64 {
        self.recorder.steps()
    }

    pub(crate) fn request(&self) -> &RecordingRequest {
        &self.request
    }

    /// Returns the share of the iterations that is recorded, 0 to 1.
    pub fn share(&self) -> f32 {
        self.recorder.share()
    }

    /// Returns `true` if the recording can be played.
    pub(crate) fn is_ready(&self) -> bool {
        self.recorder.look(|facts| facts.is_recorded)
    }

    /// Returns `true` if the recording has ended.
    pub fn is_complete(&self) -> bool {
        self.recorder.is_complete()
    }

    /// Changes with everything that is added.
    pub fn revision(&self) -> u64 {
        self.recorder.revision()
    }

    /// Returns the reason why the recording cannot be played, if there is one.
    pub(crate) fn failure(&self) -> Option<String> {
        self.recorder.failure()
    }

    /// That the recording has reached the memory that it may take, and what that means.
    pub fn notice(&self) -> Option<String> {
        self.recorder.look(|facts| facts.notice.clone())
    }

    /// Returns all solutions after `at` iterations, or the newest loaded frame until they are loaded: the window is
    /// repainted when they arrive. Without a recording of all iterations, returns the last frame.
    pub fn frame(&mut self, at: u64) -> Option<Arc<Frame>> {
        if let Some(frame) = self.exact_frame(at) {
            self.frame = Some(frame);
        }
        self.frame.clone().or_else(|| self.recorder.look(|facts| facts.last.clone()))
    }

    /// Returns all solutions after exactly `at` iterations, if they are loaded.
    pub(crate) fn exact_frame(&mut self, at: u64) -> Option<Arc<Frame>> {
        match &*self.recorder.part(Wanted::Frame(at))? {
            Part::Frame(frame) => Some(Arc::clone(frame)),
            _ => None,
        }
    }

    /// Returns the population of a generation, or the one that was shown last until it is loaded.
    pub fn generation(&mut self, at: u64) -> Option<Arc<Generation>> {
        if self.generation.as_ref().is_none_or(|known| known.frame.iteration != at)
            && let Some(Part::Generation(found)) = self.recorder.part(Wanted::Generation(at)).as_deref()
        {
            self.generation = Some(Arc::clone(found));
        }
        self.generation.clone()
    }

    /// Returns the origin of a child of a generation; `None` until it is loaded, and for a child that does not exist.
    pub fn child(&mut self, at: u64, child: usize) -> Option<Arc<ChildSteps>> {
        match &*self.recorder.part(Wanted::Child(at, child))? {
            Part::Child(steps) => Some(Arc::clone(steps)),
            _ => None,
        }
    }

    /// Returns the spread of the best individual of a generation; `None` until it is computed.
    pub(crate) fn take_over(&mut self, from: u64) -> Option<Arc<TakeOver>> {
        match &*self.recorder.part(Wanted::TakeOver(from))? {
            Part::TakeOver(found) => Some(Arc::clone(found)),
            _ => None,
        }
    }

    /// Returns the statistics of all generations; empty for a grid, and until they are recorded.
    pub(crate) fn statistics(&self) -> Arc<Vec<GenerationStatistics>> {
        self.recorder.look(|facts| Arc::clone(&facts.statistics))
    }

    /// Returns the curves of the iterations recorded so far.
    pub fn curves(&mut self) -> Arc<Curves> {
        let revision = self.revision();
        if let Some((known, curves)) = &self.curves
            && *known == revision
        {
            return Arc::clone(curves);
        }
        let iterations = self.iterations() as usize;
        let curves = Arc::new(self.recorder.look(|facts| curves(facts, iterations)));
        self.curves = Some((revision, Arc::clone(&curves)));
        curves
    }
}

fn curves(facts: &Facts, iterations: usize) -> Curves {
    let of = |value: &dyn Fn(&Sample) -> f64| {
        let mut values = vec![f64::NAN; if facts.samples.is_empty() { 0 } else { iterations + 1 }];
        // Between two samples what was seen last stands for all.
        for pair in facts.samples.windows(2) {
            values[pair[0].at as usize..pair[1].at as usize].fill(value(&pair[0]));
        }
        if let Some(last) = facts.samples.last() {
            values[last.at as usize] = value(last);
        }
        values
    };
    let accepting = facts.accepting.clone();
    let most = accepting.iter().flatten().copied().max().unwrap_or(0).max(1) as f32;
    // The most accept at the very beginning: a root lets what comes later be seen.
    let activity = accepting.iter().map(|count| (count.unwrap_or(0) as f32 / most).sqrt()).collect();
    let best = if facts.best.is_empty() { of(&|sample| sample.best) } else { facts.best.clone() };
    Curves {
        best,
        mean: of(&|sample| sample.mean),
        worst: of(&|sample| sample.worst),
        diversity: of(&|sample| sample.diversity).into_iter().map(|value| value as f32).collect(),
        activity,
        accepting,
    }
}

fn record(request: &RecordingRequest, teller: &Teller<RecordingProgress<Recorded, Facts>>) -> Result<()> {
    let RecordingRequest { instance, algorithm, seed, bound, threads } = request;
    let iterations = algorithm.iterations();
    if algorithm.flavour().is_some() {
        let tell = &mut |done: u64, _: u64| teller.tell(|progress| progress.done = done);
        let journal = Journal::record(instance, algorithm, *seed, *bound, *threads, teller.control(), tell)?;
        let accepting = (0..=iterations).map(|at| journal.accepting(at)).collect();
        teller.tell(|progress| {
            let facts = &mut progress.facts;
            (facts.best, facts.accepting, facts.is_recorded) = (journal.best().to_vec(), accepting, true);
            facts.notice = journal.notice().map(str::to_owned);
            progress.journal = Some(Recorded::Grid(Box::new(journal)));
        });
    }
    if matches!(algorithm, Algorithm::Generational(_) | Algorithm::Elitist(_)) {
        return record_generations(request, teller);
    }
    // Once more, to look at all solutions now and then: a journal only knows what was accepted.
    let mut search = algorithm.search(instance, *seed, None)?;
    let pace = iterations.div_ceil(SAMPLES).max(1);
    let mut at = 0;
    while !teller.is_cancelled() {
        let snapshot = search.snapshot()?;
        let frame = Arc::clone(&snapshot.best.frame);
        let sample =
            Sample { at, mean: frame.mean, worst: frame.worst, best: snapshot.best_cost, diversity: frame.diversity };
        teller.tell(|progress| {
            progress.done = progress.done.max(at);
            progress.facts.samples.push(sample);
            progress.facts.last = (at == iterations).then_some(frame);
        });
        if at >= iterations {
            break;
        }
        let steps = pace.min(iterations - at);
        search.advance(steps as u32)?;
        at += steps;
    }
    Ok(())
}

/// Records SGA or EGA, whose statistics say all that the curves show.
fn record_generations(request: &RecordingRequest, teller: &Teller<RecordingProgress<Recorded, Facts>>) -> Result<()> {
    let RecordingRequest { instance, algorithm, seed, bound, threads, .. } = request;
    let tell = &mut |done: u64, _: u64| teller.tell(|progress| progress.done = done);
    let journal = generations::Journal::record(instance, algorithm, *seed, *bound, *threads, teller.control(), tell)?;
    let sample = |(at, it): (usize, &GenerationStatistics)| Sample {
        at: at as u64,
        mean: it.mean,
        worst: it.worst,
        best: it.best,
        diversity: it.diversity,
    };
    teller.tell(|progress| {
        progress.facts = Facts {
            samples: journal.statistics().iter().enumerate().map(sample).collect(),
            statistics: Arc::new(journal.statistics().to_vec()),
            notice: journal.notice().map(str::to_owned),
            is_recorded: true,
            ..Facts::default()
        };
        progress.journal = Some(Recorded::Generations(Box::new(journal)));
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use gridwright_systolic::journal::DEFAULT_BYTES;
    use gridwright_systolic::library;

    fn recorded(name: &str, iterations: u64, bound: usize) -> Recording {
        let instance = Arc::new(library::named("onemax:40", 5).unwrap());
        let algorithm = Algorithm::named(name).unwrap().resolved(iterations);
        let recording =
            Recording::start(RecordingRequest { instance, algorithm, seed: 3, bound, threads: 1 }, Arc::new(|| {}));
        let deadline = Instant::now() + Duration::from_secs(60);
        while !recording.is_complete() {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(2));
        }
        recording
    }

    #[test]
    fn a_film_shows_every_iteration_and_its_figures() {
        let mut recording = recorded("sgs-b", 50, DEFAULT_BYTES);
        assert!(recording.is_ready() && recording.failure().is_none() && recording.notice().is_none());
        let exact = |recording: &mut Recording, at: u64| {
            let deadline = Instant::now() + Duration::from_secs(10);
            loop {
                if let Some(frame) = recording.exact_frame(at) {
                    return frame;
                }
                assert!(Instant::now() < deadline, "iteration {at} is not found");
            }
        };
        for at in [50, 3, 4, 0, 50] {
            assert_eq!(exact(&mut recording, at).iteration, at);
        }
        let curves = recording.curves();
        assert_eq!([curves.best.len(), curves.mean.len(), curves.accepting.len()], [51; 3]);
        let frame = exact(&mut recording, 20);
        assert_eq!((curves.mean[20], curves.best[20]), (frame.mean, frame.best));
        assert!(curves.diversity[50] < curves.diversity[0], "solutions become alike");
        assert_eq!(curves.first(f64::NEG_INFINITY), None);
        assert_eq!(curves.first(curves.best[0]), Some(0));
    }

    #[test]
    fn the_curves_of_costs_are_the_same_with_little_memory() {
        for (name, bytes) in [("sgs-b", 4 << 10), ("sga", 1 << 18)] {
            // More iterations than samples.
            let [large, small] = [DEFAULT_BYTES, bytes].map(|bound| {
                let mut recording = recorded(name, 700, bound);
                assert_eq!((recording.failure(), recording.notice().is_some()), (None, bound == bytes), "{name}");
                recording.curves()
            });
            assert_eq!((&large.best, &large.mean), (&small.best, &small.mean), "{name}");
        }
    }

    #[test]
    fn what_has_no_grid_has_figures_and_its_last_solutions() {
        // More iterations than samples, and no multiple of their distance.
        let iterations = 2_702;
        let mut recording = recorded("random", iterations, DEFAULT_BYTES);
        assert!(!recording.is_ready() && recording.failure().is_none());
        assert_eq!(recording.frame(7).unwrap().iteration, iterations);
        let curves = recording.curves();
        assert_eq!([curves.best.len(), curves.diversity.len()], [iterations as usize + 1; 2]);
        assert!(curves.diversity.iter().all(|distance| distance.is_finite()), "the curve goes to the end of the run");
    }

    #[test]
    fn generations_are_played_with_their_children() {
        let mut recording = recorded("ega", 30, DEFAULT_BYTES);
        assert!(recording.is_ready() && recording.failure().is_none() && recording.notice().is_none());
        let deadline = Instant::now() + Duration::from_secs(10);
        let (generation, steps, take_over) = loop {
            let parts = (recording.generation(12), recording.child(12, 5), recording.take_over(2));
            if let (Some(generation), Some(steps), Some(take_over)) = parts
                && generation.frame.iteration == 12
            {
                break (generation, steps, take_over);
            }
            assert!(Instant::now() < deadline, "the parts are not found");
        };
        let cost = generation.frame.costs[5];
        let occupant = steps.occupant.as_ref().unwrap();
        assert_eq!(cost, if occupant.is_replaced { steps.costs[1] } else { occupant.cost });
        assert_eq!(take_over.genes.len(), 29);
        let curves = recording.curves();
        assert_eq!((curves.mean.len(), curves.mean[12]), (31, generation.frame.mean));
        assert_eq!(recording.statistics().len(), 31);
    }

    #[test]
    fn too_little_memory_is_said() {
        let recording = recorded("sgs-v", 50, 20_000);
        assert!(recording.notice().is_some());
    }
}
