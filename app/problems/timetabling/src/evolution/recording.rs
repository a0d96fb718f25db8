//! A run of the evolutionary algorithm to be played back, recorded on the processor from its result.

use std::sync::Arc;

use gridwright_core::Result;
use gridwright_core::result::RunResult;
use gridwright_core::search::Control;
use gridwright_timetabling::Instance;
use gridwright_timetabling::evolution::cpu::ChildSteps;
use gridwright_timetabling::evolution::journal::{Generation, GenerationStatistics, Journal, TakeOver};
use gridwright_timetabling::run::record_evolution;

use gridwright_window::loader::PartKey;
use gridwright_window::recorder::{self, Recorder};

/// Request for a part of the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Population of a generation.
    Generation(u64),
    /// Child of a generation by its index.
    Child(u64, usize),
    /// Spread of the best individual of a generation.
    TakeOver(u64),
}

impl PartKey for Wanted {
    fn stands_beside(self, other: Self) -> bool {
        match (self, other) {
            (Self::Generation(a), Self::Generation(b)) => a == b,
            (Self::Child(..), Self::Child(..)) | (Self::TakeOver(_), Self::TakeOver(_)) => self == other,
            _ => true,
        }
    }
}

/// Part of the recording.
pub enum Part {
    Generation(Arc<Generation>),
    Child(Arc<ChildSteps>),
    TakeOver(Arc<TakeOver>),
    /// A child that does not exist.
    Nothing,
}

/// Facts about a complete recording.
pub struct Facts {
    /// Statistics of every generation, from the initial population on.
    pub statistics: Vec<GenerationStatistics>,
    /// Name of each gene: the code of its exam, or of several exams that share a period.
    pub names: Vec<String>,
    /// Number of individuals in a generation.
    pub individuals: usize,
    /// Memory of the recording in bytes.
    pub bytes: usize,
    /// Message if the recording reached its memory bound.
    pub notice: Option<String>,
    /// First generation with the cheapest individual of the run.
    pub best: u64,
    /// First generation with an individual without violations; `None` if no individual ever has none.
    pub(crate) first_feasible: Option<u64>,
}

impl Facts {
    fn of(journal: &Journal, instance: &Instance) -> Self {
        let statistics = journal.statistics().to_vec();
        let codes = |exams: &Vec<usize>| {
            let codes = exams.iter().filter_map(|&exam| instance.exams.get(exam)).map(|exam| exam.code.as_str());
            codes.collect::<Vec<_>>().join(" + ")
        };
        let costs = || statistics.iter().map(|generation| generation.cost.least);
        let least = costs().min().unwrap_or(0);
        Self {
            names: journal.exams_of_genes().iter().map(codes).collect(),
            individuals: journal.individuals(),
            bytes: journal.bytes(),
            notice: journal.notice().map(str::to_owned),
            best: costs().position(|cost| cost == least).unwrap_or(0) as u64,
            first_feasible: statistics.iter().position(|generation| generation.feasible > 0).map(|at| at as u64),
            statistics,
        }
    }

    /// Last generation of the recording.
    pub fn last(&self) -> u64 {
        self.statistics.len().saturating_sub(1) as u64
    }

    /// Name of a gene.
    pub fn name(&self, gene: usize) -> &str {
        self.names.get(gene).map_or("", String::as_str)
    }
}

/// Journal of a recording.
pub struct Recorded(Box<Journal>);

impl recorder::Journal for Recorded {
    type Key = Wanted;
    type Part = Part;

    fn load(&mut self, wanted: Wanted) -> Result<Part> {
        Ok(match wanted {
            Wanted::Generation(at) => Part::Generation(Arc::new(self.0.generation(at)?)),
            Wanted::Child(at, child) => {
                self.0.child(at, child)?.map_or(Part::Nothing, |steps| Part::Child(Arc::new(steps)))
            }
            Wanted::TakeOver(from) => Part::TakeOver(Arc::new(self.0.take_over(from)?)),
        })
    }

    fn interruption(&self) -> Option<Control> {
        Some(self.0.interruption())
    }
}

/// A recording.
pub struct Recording {
    recorder: Recorder<Recorded, Option<Arc<Facts>>>,
    bound: usize,
    generation: Option<Arc<Generation>>,
    child: Option<(u64, Arc<ChildSteps>)>,
    take_over: Option<Arc<TakeOver>>,
}

impl Recording {
    /// Starts to record the run of a result within `bound` bytes on `threads` threads (0: all).
    pub fn start(
        instance: Arc<Instance>, result: Arc<RunResult>, bound: usize, threads: usize,
        wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Self {
        let recorder = Recorder::start(result.generations, wake, move |teller| {
            let tell = &mut |done: u64, _: u64| teller.tell(|progress| progress.done = done);
            let journal = record_evolution(&instance, &result, bound, threads, teller.control(), tell)?;
            let facts = Arc::new(Facts::of(&journal, &instance));
            teller
                .tell(|progress| (progress.journal, progress.facts) = (Some(Recorded(Box::new(journal))), Some(facts)));
            Ok(())
        });
        Self { recorder, bound, generation: None, child: None, take_over: None }
    }

    /// Generations of the run.
    pub fn generations(&self) -> u64 {
        self.recorder.steps()
    }

    /// Memory that the recording may take, in bytes.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Returns the share of the generations that is recorded, 0 to 1.
    pub fn share(&self) -> f32 {
        self.recorder.share()
    }

    /// Ends the recording; what is recorded can be played.
    pub fn stop(&self) {
        self.recorder.stop();
    }

    /// Facts about the recording once it can be played.
    pub fn facts(&self) -> Option<Arc<Facts>> {
        self.recorder.look(|facts| facts.clone())
    }

    /// Returns the reason why the recording cannot be played, if there is one.
    pub fn failure(&self) -> Option<String> {
        self.recorder.failure()
    }

    /// Returns the population of a generation, or the one that was shown last until it is loaded.
    pub fn generation(&mut self, at: u64) -> Option<Arc<Generation>> {
        if self.generation.as_ref().is_none_or(|known| known.number != at)
            && let Some(Part::Generation(found)) = self.recorder.part(Wanted::Generation(at)).as_deref()
        {
            self.generation = Some(Arc::clone(found));
        }
        self.generation.clone()
    }

    /// Returns the origin of a child of a generation; `None` until it is loaded, and for a child that does not exist.
    pub fn child(&mut self, at: u64, child: usize) -> Option<Arc<ChildSteps>> {
        let is_known = self.child.as_ref().is_some_and(|(of, steps)| (*of, steps.child) == (at, child));
        if !is_known {
            let part = self.recorder.part(Wanted::Child(at, child))?;
            let Part::Child(found) = &*part else { return None };
            self.child = Some((at, Arc::clone(found)));
        }
        self.child.as_ref().map(|(_, steps)| Arc::clone(steps))
    }

    /// Returns the spread of the best individual of a generation; `None` until it is computed.
    pub fn take_over(&mut self, from: u64) -> Option<Arc<TakeOver>> {
        if self.take_over.as_ref().is_none_or(|known| known.from != from) {
            let part = self.recorder.part(Wanted::TakeOver(from))?;
            let Part::TakeOver(found) = &*part else { return None };
            self.take_over = Some(Arc::clone(found));
        }
        self.take_over.clone()
    }
}
