//! State that the views of a binary problem keep from one frame to the next.

mod generations;

use std::sync::Arc;

use gridwright_systolic::grid::{Flavour, Place};
use gridwright_systolic::run::Algorithm;
use gridwright_systolic::run::batch::BatchRun;
use gridwright_systolic::{Frame, Grid, Instance};

pub(crate) use self::generations::{Evolving, Mode};
use super::recording::Recording;
use crate::widgets::grid_playback::{self, Cell, Mark};
use gridwright_window::widgets::playback::Player;
use gridwright_window::work::Work;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ItemOrder {
    /// Falling profit per weight.
    #[default]
    Worth,
    File,
}

/// Settings of a batch of runs, and its results so far.
pub struct Batching {
    /// The first seed.
    pub first: u64,
    /// Number of seeds.
    pub count: u64,
    /// `chosen[i]` is true if algorithm `i` in the order of the batch view takes part.
    pub chosen: [bool; 7],
    /// Selected lane.
    pub selected: Option<usize>,
    pub(super) work: Option<Work<Vec<Lane>>>,
    /// The lanes of the last batch on this instance, which another document made.
    earlier: Option<Vec<Lane>>,
    /// True once the end of `work` is among the [`FinishedBatches`].
    is_kept: bool,
}

/// Last batches of the instances that were opened in this window, the newest one at the end.
#[derive(Clone, Default)]
struct FinishedBatches(Arc<Vec<(Arc<Instance>, Vec<Lane>)>>);

/// Number of instances whose last batch is kept.
const KEPT: usize = 12;

/// The runs of one algorithm.
#[derive(Debug, Clone)]
pub struct Lane {
    /// Algorithm of the lane's runs.
    pub algorithm: Algorithm,
    /// The runs that have ended.
    pub runs: Vec<BatchRun>,
    /// Number of runs that the batch makes with this algorithm.
    pub wanted: u64,
}

impl Lane {
    /// Iterations at which the successful runs found the optimum first.
    pub(super) fn hits(&self, optimum: f64) -> Vec<u64> {
        self.runs.iter().filter_map(|run| run.hit(optimum)).collect()
    }

    /// The mean cost of the runs.
    pub(super) fn mean(&self) -> Option<f64> {
        let sum: f64 = self.runs.iter().map(|run| run.cost).sum();
        (!self.runs.is_empty()).then(|| sum / self.runs.len() as f64)
    }
}

impl Default for Batching {
    fn default() -> Self {
        let chosen = [true, true, true, true, false, false, false];
        Self { first: 1, count: 50, chosen, selected: None, work: None, earlier: None, is_kept: false }
    }
}

impl Batching {
    /// Forgets the runs.
    pub fn clear(&mut self) {
        (self.work, self.selected, self.earlier) = (None, None, None);
    }

    /// Keeps a batch that has ended as long as the window is open, or finds the last one on the instance.
    pub(super) fn keep(&mut self, ctx: &egui::Context, instance: &Arc<Instance>) {
        let finished = || ctx.data_mut(|data| data.get_temp_mut_or_default::<FinishedBatches>(egui::Id::NULL).clone());
        if self.work.is_none() {
            self.is_kept = false;
            if self.earlier.is_none() {
                let of_instance = |(of, _): &&(Arc<Instance>, Vec<Lane>)| Arc::ptr_eq(of, instance) || of == instance;
                self.earlier =
                    Some(finished().0.iter().find(of_instance).map_or_else(Vec::new, |(_, lanes)| lanes.clone()));
            }
            return;
        }
        if self.is_going() {
            self.is_kept = false;
        } else if !self.is_kept {
            let mut all = finished();
            let batches = Arc::make_mut(&mut all.0);
            batches.retain(|(of, _)| of != instance);
            batches.push((Arc::clone(instance), self.lanes()));
            batches.drain(..batches.len().saturating_sub(KEPT));
            ctx.data_mut(|data| data.insert_temp(egui::Id::NULL, all));
            self.is_kept = true;
        }
    }

    /// Returns `true` while the batch is running.
    pub fn is_going(&self) -> bool {
        self.work.as_ref().is_some_and(Work::is_going)
    }

    /// Returns the lanes with the runs that have ended so far.
    pub fn lanes(&self) -> Vec<Lane> {
        match &self.work {
            Some(work) => work.look(|lanes, _| lanes.clone()),
            None => self.earlier.clone().unwrap_or_default(),
        }
    }
}

/// Property of a bit that is drawn black in the raster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Inked {
    #[default]
    Ones,
    /// Bits that are not those of the optimum.
    Wrong,
}

/// Bits packed into 64-bit words, as the raster expects.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(super) frame: Arc<Frame>,
    pub(super) inked: Inked,
    pub(super) words: Vec<u64>,
    pub(super) shares: Vec<f32>,
    pub(super) revision: u64,
}

impl Packed {
    /// The bits of a frame, or where they differ from `optimum`.
    pub(super) fn of(frame: &Arc<Frame>, optimum: Option<&[bool]>, revision: u64) -> Self {
        let (bits, stride, count) =
            (frame.grid.bits.min(frame.ones.len()), frame.ones.len().div_ceil(64), frame.count());
        let mask = |index: usize| -> u64 {
            let Some(optimum) = optimum else { return 0 };
            let part = optimum.iter().skip(64 * index).take(64);
            part.enumerate().fold(0, |word, (bit, one)| word | u64::from(*one) << bit)
        };
        let masks: Vec<u64> = (0..stride).map(mask).collect();
        let mut words = vec![0_u64; stride * count];
        for (number, row) in words.chunks_mut(stride.max(1)).enumerate() {
            repack(frame.packed(number), frame.per_word, row);
            row.iter_mut().zip(&masks).for_each(|(word, mask)| *word ^= mask);
        }
        let share = |(bit, &ones): (usize, &u32)| {
            let wrong = optimum.and_then(|optimum| optimum.get(bit)).copied().unwrap_or(false);
            let share = ones as f32 / count.max(1) as f32;
            if wrong { 1.0 - share } else { share }
        };
        let shares = frame.ones.iter().enumerate().take(bits).map(share).collect();
        let inked = if optimum.is_some() { Inked::Wrong } else { Inked::Ones };
        Self { frame: Arc::clone(frame), inked, words, shares, revision }
    }
}

/// View state of the bits, with the packed raster.
#[derive(Debug, Default)]
pub struct Packing {
    /// Property of a bit that is drawn black.
    pub(crate) inked: Inked,
    pub(super) packed: Option<Packed>,
    pub(super) revision: u64,
}

/// Key of cached shades: the iteration, and for each run its recorded length and the iteration of the frame that is loaded.
pub(super) type Moment = (u64, Vec<u64>, Vec<Option<u64>>);

/// The shades and marks of a grid.
pub(super) type Shades = (Vec<f32>, Vec<Mark>);

/// The four recordings.
#[derive(Default)]
pub struct Flavours {
    pub(super) recordings: Vec<(Flavour, Recording)>,
    /// Position in the recordings.
    pub player: Player,
    /// Zoom and position of the grids.
    pub view: grid_playback::View,
    pub(super) seed: u64,
    pub(super) shades: Option<(Moment, Vec<Shades>)>,
    pub(super) revision: u64,
    pub(super) journeys: Option<(usize, Vec<Journey>)>,
}

impl Flavours {
    /// Forgets the recordings.
    pub fn clear(&mut self) {
        self.recordings.clear();
        self.shades = None;
    }

    /// Returns `true` if the recordings of all four flavours can be played.
    pub(crate) fn is_ready(&self) -> bool {
        !self.recordings.is_empty() && self.recordings.iter().all(|(_, recording)| recording.is_ready())
    }

    /// The last iteration, where all four can be played.
    pub fn last(&self) -> Option<u64> {
        self.recordings.iter().map(|(_, recording)| recording.iterations()).max().filter(|_| self.is_ready())
    }

    /// Returns `true` if the recordings of all four flavours are complete.
    pub fn is_complete(&self) -> bool {
        self.is_ready() && self.recordings.iter().all(|(_, recording)| recording.is_complete())
    }
}

/// Quantity that colours the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Colouring {
    /// Fitness of the solution.
    #[default]
    Fitness,
    /// Number of iterations since the last change.
    Change,
    /// The bit that is flipped here.
    Mutation,
}

/// View state of the grid.
#[derive(Debug, Default)]
pub(crate) struct Gridding {
    /// Zoom and position of the grid.
    pub view: grid_playback::View,
    /// Quantity that colours the cells.
    pub(crate) colouring: Colouring,
    pub(super) picture: Option<Picture>,
    pub(super) revision: u64,
}

/// Shades and marks of both streams.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) frame: Arc<Frame>,
    pub(super) colouring: Colouring,
    pub(super) scale: Scale,
    pub(super) shades: [Vec<f32>; 2],
    pub(super) marks: [Vec<Mark>; 2],
}

/// Scale from costs to shades.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// Cost of the strongest shade: the optimum if known, otherwise the best of the run.
    pub(super) best: f64,
    /// Cost of the weakest shade.
    pub(super) worst: f64,
    /// True if shades follow the logarithm of the distance: overweight knapsacks are far away from everything else.
    pub(super) logarithmic: bool,
    /// True if `best` is the optimum, false if it is only the best cost of the run.
    pub(super) known: bool,
}

impl Scale {
    /// 0 for the worst, 1 for the best.
    pub fn share(&self, cost: f64) -> f32 {
        let (away, most) = ((cost - self.best).max(0.0), (self.worst - self.best).max(f64::MIN_POSITIVE));
        let share = if self.logarithmic { away.ln_1p() / most.ln_1p() } else { away / most };
        (1.0 - share.clamp(0.0, 1.0)) as f32
    }

    /// Returns `true` if a cost is that of the optimum.
    pub(crate) fn is_optimum(&self, cost: f64) -> bool {
        self.known && cost <= self.best
    }
}

/// View state of the operators.
#[derive(Debug, Default)]
pub(crate) struct Operating {
    /// Zoom and position of the maps.
    pub view: grid_playback::View,
    /// Solution of the cell that is followed: 0 the horizontal one, 1 the vertical one.
    pub stream: usize,
    /// The flavour whose ways are shown; `None`: that of the run.
    pub flavour: Option<Flavour>,
    pub(super) maps: Option<(Grid, [Vec<f32>; 3])>,
    /// Changes with the maps.
    pub(super) revision: u64,
    pub(super) journey: Option<(Key, Journey)>,
}

pub(super) type Key = (Grid, Flavour, Cell, usize);

/// The way of a solution through the grid, from a cell on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Journey {
    /// The cells that it passes, the first one it starts in.
    pub cells: Vec<Cell>,
    /// `met[bit]` is true if the bit may be flipped on the way.
    pub met: Vec<bool>,
}

impl Journey {
    /// Computes the way of the horizontal (0) or vertical (1) solution of a cell through `iterations` iterations.
    pub fn of(grid: Grid, flavour: Flavour, start: Cell, stream: usize, iterations: u64) -> Self {
        let place: Place = grid.meeting(flavour, 0, start.row, start.column)[stream];
        let mut journey = Self { cells: Vec::new(), met: vec![false; grid.bits] };
        for iteration in 0..iterations {
            let Some((row, column, _)) = grid.cell_of(flavour, iteration, place) else { break };
            journey.met[grid.cell(row, column).mutated as usize] = true;
            journey.cells.push(Cell { row, column });
        }
        journey
    }

    /// Number of different bits that the cells of the journey may flip.
    pub(crate) fn distinct(&self) -> usize {
        self.met.iter().filter(|met| **met).count()
    }
}

/// The eleven weights.
#[derive(Default)]
pub struct Releasing {
    /// Selected weight, in tenths.
    pub selected: Option<usize>,
    pub(super) work: Option<Work<Vec<Release>>>,
}

impl Releasing {
    /// Returns `true` while the front is computed.
    pub fn is_going(&self) -> bool {
        self.work.as_ref().is_some_and(Work::is_going)
    }

    /// Returns the releases found so far, by rising weight.
    pub fn found(&self) -> Vec<Release> {
        self.work.as_ref().map(|work| work.look(|found, _| found.clone())).unwrap_or_default()
    }
}

/// Release that was found with a weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The weight of the value that is left out, in tenths.
    pub tenths: u8,
    /// C, as the checker counts it.
    pub cost: u64,
    /// V, as the instance counts it.
    pub value: u64,
    /// True if the release is optimal for this weight.
    pub is_best: bool,
}

/// Converts words of fewer bits to 64-bit words.
pub(super) fn repack(from: &[u64], per_word: usize, to: &mut [u64]) {
    if per_word == 64 {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        return;
    }
    for (index, &word) in from.iter().enumerate() {
        let bit = index * per_word;
        let (at, shift) = (bit / 64, bit % 64);
        if let Some(slot) = to.get_mut(at) {
            *slot |= word << shift;
        }
        if shift + per_word > 64
            && let Some(slot) = to.get_mut(at + 1)
        {
            *slot |= word >> (64 - shift);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last batch on an instance is there again after another instance was open, and a new one takes its place.
    #[test]
    fn a_batch_outlives_its_document() {
        let ctx = egui::Context::default();
        let open = |source: &str| Arc::new(gridwright_systolic::library::named(source, 5).unwrap());
        let (one, other) = (open("onemax:20"), open("onemax:30"));
        let lanes_of = |instance: &Arc<Instance>| {
            let mut batching = Batching::default();
            batching.keep(&ctx, instance);
            batching.lanes().len()
        };
        assert_eq!(lanes_of(&one), 0);
        for count in [2, 3] {
            let lane = || Lane { algorithm: Algorithm::default(), runs: Vec::new(), wanted: 5 };
            let lanes: Vec<Lane> = std::iter::repeat_with(lane).take(count).collect();
            let work = Work::start("batch", lanes, Arc::new(|| {}), |_| Ok(()));
            let mut batching = Batching { work: Some(work), ..Batching::default() };
            while batching.is_going() {
                batching.keep(&ctx, &one);
                std::thread::yield_now();
            }
            batching.keep(&ctx, &one);
            assert_eq!([lanes_of(&one), lanes_of(&other)], [count, 0]);
        }
    }
}
