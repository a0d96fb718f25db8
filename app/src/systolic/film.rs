//! A run to be played back, recorded in a thread of its own: the same seed gives the same run again.
//!
//! Nothing of it is kept with the run: whoever opens a result sees it beat as it did when it was found.

use std::sync::Arc;

use gridwright_solver::Result;
use gridwright_solver::result::RunResult;
use gridwright_solver::systolic::journal::Journal;
use gridwright_solver::systolic::run::Algorithm;
use gridwright_solver::systolic::{Frame, Instance};

use super::projector::Projector;
use crate::work::{State, Work};

/// Samples of the whole population over a run, about.
const SAMPLES: u64 = 600;

/// What to record.
#[derive(Debug, Clone)]
pub struct Order {
    /// The instance, with its weight where it has one.
    pub instance: Arc<Instance>,
    /// The algorithm with its iterations.
    pub algorithm: Algorithm,
    /// The seed.
    pub seed: u64,
    /// Bytes that it may take.
    pub bound: usize,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
}

impl Order {
    /// What has to be recorded to see a result again; `None` where its algorithm is not known here.
    pub fn of(instance: Arc<Instance>, result: &RunResult, bound: usize, threads: usize) -> Option<Self> {
        let mut algorithm = Algorithm::named(&result.algorithm).ok()?;
        for (name, value) in &result.parameters {
            algorithm.set(name, &value.to_string()).ok()?;
        }
        // A run that was stopped is shown as far as it went.
        algorithm.set("iterations", &result.generations.to_string()).ok()?;
        (result.generations > 0).then_some(Self { instance, algorithm, seed: result.seed, bound, threads })
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

/// What there is so far.
#[derive(Default)]
struct Reel {
    done: u64,
    /// The recording, until somebody looks at it.
    journal: Option<Journal>,
    is_recorded: bool,
    notice: Option<String>,
    best: Vec<f64>,
    accepting: Vec<Option<usize>>,
    samples: Vec<Sample>,
    last: Option<Arc<Frame>>,
}

/// A recording.
pub struct Film {
    work: Work<Reel>,
    order: Order,
    wake: Arc<dyn Fn() + Send + Sync>,
    projector: Option<Projector>,
    curves: Option<(u64, Arc<Curves>)>,
}

/// What happened over the iterations: one value for each, from the start on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curves {
    /// The least cost so far.
    pub best: Vec<f64>,
    /// The mean cost of all solutions.
    pub mean: Vec<f64>,
    /// The highest cost of all solutions.
    pub worst: Vec<f64>,
    /// In how many bits two solutions differ on average.
    pub diversity: Vec<f32>,
    /// Cells that accepted a child, 0…1 of the most in any iteration.
    pub activity: Vec<f32>,
    /// How many cells accepted a child; `None` where that was not recorded.
    pub accepting: Vec<Option<usize>>,
}

impl Curves {
    /// The first iteration after which nothing costs more than this.
    pub fn first(&self, cost: f64) -> Option<u64> {
        let first = self.best.iter().position(|best| *best <= cost)?;
        Some(first as u64)
    }
}

impl Film {
    /// Starts to record.
    pub fn start(order: Order, wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let recorded = order.clone();
        let work = Work::start("record", Reel::default(), Arc::clone(&wake), move |teller| record(&recorded, teller));
        Self { work, order, wake, projector: None, curves: None }
    }

    /// Iterations of the run.
    pub fn iterations(&self) -> u64 {
        self.order.algorithm.iterations()
    }

    /// What was recorded.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// How much of it is recorded, 0 to 1.
    pub fn share(&self) -> f32 {
        let done = self.work.look(|reel, _| reel.done);
        done as f32 / self.iterations().max(1) as f32
    }

    /// Whether it can be played.
    pub fn is_ready(&self) -> bool {
        self.work.look(|reel, _| reel.is_recorded)
    }

    /// Whether everything is there.
    pub fn is_complete(&self) -> bool {
        !self.work.is_going()
    }

    /// Changes with everything that is added.
    pub fn revision(&self) -> u64 {
        self.work.revision()
    }

    /// Why there is nothing to play, where that is so.
    pub fn failure(&self) -> Option<String> {
        match self.work.state() {
            State::Failed(why) => Some(why),
            _ => self.projector.as_ref().and_then(Projector::failure),
        }
    }

    /// That the recording has reached the memory that it may take, and what that means.
    pub fn notice(&self) -> Option<String> {
        self.work.look(|reel, _| reel.notice.clone())
    }

    /// All solutions after so many iterations, or what was found last while they are being looked for: the window is woken
    /// when they are there. Where there is no grid, the last ones.
    pub fn frame(&mut self, at: u64) -> Option<Arc<Frame>> {
        match self.projector() {
            Some(projector) => projector.frame(at).or_else(|| projector.newest()),
            None => self.work.look(|reel, _| reel.last.clone()),
        }
    }

    /// All solutions after so many iterations and no others, where they are there.
    pub fn exact_frame(&mut self, at: u64) -> Option<Arc<Frame>> {
        self.projector()?.frame(at)
    }

    fn projector(&mut self) -> Option<&mut Projector> {
        if self.projector.is_none() {
            let journal = self.work.look(|reel, _| reel.journal.take())?;
            self.projector = Some(Projector::new(journal, Arc::clone(&self.wake)));
        }
        self.projector.as_mut()
    }

    /// What happened over the iterations.
    pub fn curves(&mut self) -> Arc<Curves> {
        let revision = self.revision();
        if let Some((known, curves)) = &self.curves
            && *known == revision
        {
            return Arc::clone(curves);
        }
        let iterations = self.iterations() as usize;
        let curves = Arc::new(self.work.look(|reel, _| curves(reel, iterations)));
        self.curves = Some((revision, Arc::clone(&curves)));
        curves
    }
}

fn curves(reel: &Reel, iterations: usize) -> Curves {
    let of = |value: &dyn Fn(&Sample) -> f64| {
        let mut values = vec![f64::NAN; if reel.samples.is_empty() { 0 } else { iterations + 1 }];
        // Between two samples what was seen last stands for all.
        for pair in reel.samples.windows(2) {
            values[pair[0].at as usize..pair[1].at as usize].fill(value(&pair[0]));
        }
        if let Some(last) = reel.samples.last() {
            values[last.at as usize] = value(last);
        }
        values
    };
    let accepting = reel.accepting.clone();
    let most = accepting.iter().flatten().copied().max().unwrap_or(0).max(1) as f32;
    // The most accept at the very beginning: a root lets what comes later be seen.
    let activity = accepting.iter().map(|count| (count.unwrap_or(0) as f32 / most).sqrt()).collect();
    let best = if reel.best.is_empty() { of(&|sample| sample.best) } else { reel.best.clone() };
    Curves {
        best,
        mean: of(&|sample| sample.mean),
        worst: of(&|sample| sample.worst),
        diversity: of(&|sample| sample.diversity).into_iter().map(|value| value as f32).collect(),
        activity,
        accepting,
    }
}

fn record(order: &Order, teller: &crate::work::Teller<Reel>) -> Result<()> {
    let Order { instance, algorithm, seed, bound, threads } = order;
    let iterations = algorithm.iterations();
    if algorithm.flavour().is_some() {
        let tell = &mut |done: u64, _: u64| teller.tell(|reel| reel.done = done);
        let journal = Journal::record(instance, algorithm, *seed, *bound, *threads, teller.control(), tell)?;
        let accepting = (0..=iterations).map(|at| journal.accepting(at)).collect();
        teller.tell(|reel| {
            (reel.best, reel.accepting) = (journal.best().to_vec(), accepting);
            reel.notice = journal.notice().map(str::to_owned);
            (reel.journal, reel.is_recorded) = (Some(journal), true);
        });
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
        teller.tell(|reel| {
            reel.samples.push(sample);
            reel.done = reel.done.max(at);
            reel.last = (at == iterations).then_some(frame);
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use gridwright_solver::systolic::journal::DEFAULT_BYTES;
    use gridwright_solver::systolic::library;

    fn recorded(name: &str, iterations: u64, bound: usize) -> Film {
        let instance = Arc::new(library::named("onemax:40", 5).unwrap());
        let algorithm = Algorithm::named(name).unwrap().resolved(iterations);
        let film = Film::start(Order { instance, algorithm, seed: 3, bound, threads: 1 }, Arc::new(|| {}));
        let deadline = Instant::now() + Duration::from_secs(60);
        while !film.is_complete() {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(2));
        }
        film
    }

    #[test]
    fn a_film_shows_every_iteration_and_its_figures() {
        let mut film = recorded("sgs-b", 50, DEFAULT_BYTES);
        assert!(film.is_ready() && film.failure().is_none() && film.notice().is_none());
        let exact = |film: &mut Film, at: u64| {
            let deadline = Instant::now() + Duration::from_secs(10);
            loop {
                if let Some(frame) = film.exact_frame(at) {
                    return frame;
                }
                assert!(Instant::now() < deadline, "iteration {at} is not found");
            }
        };
        for at in [50, 3, 4, 0, 50] {
            assert_eq!(exact(&mut film, at).iteration, at);
        }
        let curves = film.curves();
        assert_eq!([curves.best.len(), curves.mean.len(), curves.accepting.len()], [51; 3]);
        let frame = exact(&mut film, 20);
        assert_eq!((curves.mean[20], curves.best[20]), (frame.mean, frame.best));
        assert!(curves.diversity[50] < curves.diversity[0], "solutions become alike");
        assert_eq!(curves.first(f64::NEG_INFINITY), None);
        assert_eq!(curves.first(curves.best[0]), Some(0));
    }

    #[test]
    fn what_has_no_grid_has_figures_and_its_last_solutions() {
        let mut film = recorded("ega", 40, DEFAULT_BYTES);
        assert!(!film.is_ready() && film.failure().is_none());
        assert_eq!(film.frame(7).unwrap().iteration, 40);
        assert_eq!(film.curves().best.len(), 41);
    }

    #[test]
    fn too_little_memory_is_said() {
        let film = recorded("sgs-v", 50, 20_000);
        assert!(film.notice().is_some());
    }
}
