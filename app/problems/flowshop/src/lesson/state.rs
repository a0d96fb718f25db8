//! State of the lessons: the algorithm, the step that is shown, and the recorded tabu search.

use std::sync::Arc;

use gridwright_flowshop::Instance;
use gridwright_flowshop::multiobjective::tabu::trace::TabuTrace;
use gridwright_flowshop::multiobjective::{Objectives, TabuParameters};

use crate::widgets::scatter;
use gridwright_window::widgets::playback::Player;
use gridwright_window::work::Work;

/// Algorithm that the lesson demonstrates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
pub enum Mode {
    /// C_{i,π(k)}, cell by cell.
    #[default]
    Recurrence,
    /// NEH, insertion by insertion.
    Neh,
    /// One insertion with heads, tails and f.
    Insertion,
    /// Tabu search, move by move.
    Tabu,
    /// Dominance and archiving, candidate by candidate.
    Archive,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 5] = gridwright_core::variants();

    /// Label of the button.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recurrence => "Recurrence",
            Self::Neh => "NEH",
            Self::Insertion => "One insertion",
            Self::Tabu => "Tabu search",
            Self::Archive => "Archive",
        }
    }

    /// Tooltip of the mode.
    pub fn help(self) -> &'static str {
        match self {
            Self::Recurrence => "How every completion time follows from two others, and which can be computed at once",
            Self::Neh => "The heuristic of Nawaz, Enscore and Ham: job after job where it costs least",
            Self::Insertion => "Taillard's trick: what all positions of a job cost, from three tables",
            Self::Tabu => {
                "Move by move: all neighbours, the one that is chosen, and the jobs that may not be moved again"
            }
            Self::Archive => "Candidate by candidate: which orders the archive takes, refuses and removes",
        }
    }
}

/// State of the lesson.
pub struct State {
    /// Algorithm that is demonstrated.
    pub mode: Mode,
    players: [Player; 5],
    /// True if a step of the recurrence advances a whole anti-diagonal.
    pub diagonals: bool,
    /// The job that is inserted, where none is selected.
    pub(crate) inserted: Option<usize>,
    /// Rules of the tabu search that is shown.
    pub rules: Rules,
    pub(super) recorder: Recorder,
    pub(super) scatter: scatter::View,
}

impl Default for State {
    fn default() -> Self {
        let mut player = Player::default();
        player.go_to(0);
        // Slow enough to follow.
        player.set_speed(0);
        Self {
            mode: Mode::default(),
            players: std::array::from_fn(|_| player.clone()),
            diagonals: false,
            inserted: None,
            rules: Rules::default(),
            recorder: Recorder::default(),
            scatter: scatter::View::default(),
        }
    }
}

impl State {
    pub(super) fn player(&mut self) -> &mut Player {
        &mut self.players[self.mode as usize]
    }

    /// Shows a step of the chosen algorithm from now on.
    pub fn go_to(&mut self, step: u64) {
        self.player().go_to(step);
    }

    /// The recording of tabu search that is shown; `None` before there is one.
    pub fn recorded(&self) -> Option<Arc<Recorded>> {
        self.recorder.recorded()
    }

    /// The step that is shown.
    pub fn at(&self) -> u64 {
        self.players[self.mode as usize].at()
    }
}

/// Rules of the recorded search; `None` stands for the value of the search that is set up beside Solve.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules {
    /// Index of the trajectory that is followed, in the order of the weights.
    pub trajectory: Option<usize>,
    /// Steps for which a moved job is tabu.
    pub tenure: Option<u32>,
    /// True if a tabu move to a new best sum is allowed.
    pub aspiration: Option<bool>,
}

/// Everything that a recording depends on.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) instance: Arc<Instance>,
    pub(super) objectives: Objectives,
    pub(super) parameters: TabuParameters,
    pub(super) seed: u64,
    pub(super) trajectory: usize,
}

impl PartialEq for Request {
    fn eq(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.objectives, it.parameters.clone(), it.seed, it.trajectory);
        Arc::ptr_eq(&self.instance, &other.instance) && key(self) == key(other)
    }
}

/// A recorded search with what its timelines and charts need in every frame.
pub struct Recorded {
    /// The recording.
    pub trace: TabuTrace,
    /// Height of the sum after each step, from 0 for the least to 1.
    pub sums: Vec<f32>,
    /// Size of the archive before and after each offer, as a share of the largest.
    pub sizes: Vec<f32>,
}

impl Recorded {
    pub(super) fn of(trace: TabuTrace) -> Self {
        let sums = || trace.states.iter().map(|state| state.sum as f64);
        let (low, high) = (sums().fold(f64::INFINITY, f64::min), sums().fold(0.0, f64::max));
        let sums = sums().map(|sum| ((sum - low) / (high - low).max(1.0)) as f32).collect();
        let sizes: Vec<usize> = (0..=trace.offers.len()).map(|offers| trace.history.members(offers).count()).collect();
        let most = sizes.iter().copied().max().unwrap_or(1).max(1);
        let sizes = sizes.into_iter().map(|size| size as f32 / most as f32).collect();
        Self { trace, sums, sizes }
    }
}

/// The recording in progress, or the last one.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(super) work: Option<(Request, Work<Option<Arc<Recorded>>>)>,
}

impl Recorder {
    /// The recording, once there is one.
    pub(crate) fn recorded(&self) -> Option<Arc<Recorded>> {
        self.work.as_ref()?.1.look(|recorded, _| recorded.clone())
    }
}
