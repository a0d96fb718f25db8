//! State of the views of an open binary problem.

use easy_ext::ext;
use std::sync::Arc;

use egui::Context;
use gridwright_core::numbers::grouped;
use gridwright_core::search::Algorithms;
use gridwright_systolic::check::check;
use gridwright_systolic::exact::{self, Front};
use gridwright_systolic::grid::Flavour;
use gridwright_systolic::run::Algorithm;
use gridwright_systolic::{Frame, Grid, Instance, Kind, journal};

use super::recording::{self, Recording};
use super::results;
use super::view::View;
use super::view_state::{Batching, Evolving, Flavours, Gridding, ItemOrder, Operating, Packing, Releasing};
use crate::widgets::grid_playback::Cell;
use crate::widgets::raster;
use gridwright_window::document;
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::widgets::playback::Player;
use gridwright_window::widgets::rule_change::RuleChange;

/// An open binary problem.
pub type Document = document::Document<SystolicViews>;

/// A listed run.
pub type Run = document::Run<SystolicViews>;

/// An optimal solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    pub bits: Arc<Vec<bool>>,
    /// Cost as minimised by the searches.
    pub cost: f64,
    /// Fitness in words.
    pub words: String,
}

/// State of the views of a binary problem.
pub struct SystolicViews {
    /// Position in the recording of the shown run.
    pub player: Player,
    /// View state of the grid.
    pub(crate) gridding: Gridding,
    /// View state of the operators.
    pub(crate) operating: Operating,
    /// Zoom and position of the raster of bits.
    pub raster: raster::View,
    /// Colours of the raster, with the packed bits.
    pub(crate) packing: Packing,
    /// Solution whose bits are shown.
    pub solution: Option<usize>,
    /// The four flavours side by side.
    pub flavours: Flavours,
    /// Many seeds.
    pub batching: Batching,
    /// Eleven weights.
    pub releasing: Releasing,
    /// Changed rules.
    pub ruling: RuleChange<Algorithm, Recording>,
    /// Generations of the genetic algorithms.
    pub evolving: Evolving,
    /// Order of the items of a knapsack.
    pub(crate) item_order: ItemOrder,
    /// Bytes that a recording may take.
    pub recording_bound: usize,
    /// Pareto front of the releases.
    pub front: Option<Arc<Front>>,
    optimum: Option<Optimum>,
    recording: Option<(usize, Recording)>,
    /// The last that was seen of a run while it went on.
    ended: Option<(usize, Arc<Frame>)>,
}

impl SystolicViews {
    /// The state with which an instance is opened. Finds the optimum, which may take a second.
    pub fn of(instance: &Instance) -> Self {
        let front = Front::of(instance).map(Arc::new);
        let optimum = optimum(instance, front.as_deref());
        Self {
            player: Player::default(),
            gridding: Gridding::default(),
            operating: Operating::default(),
            raster: raster::View::default(),
            packing: Packing::default(),
            solution: None,
            flavours: Flavours::default(),
            batching: Batching::default(),
            releasing: Releasing::default(),
            ruling: RuleChange::default(),
            evolving: Evolving::default(),
            item_order: ItemOrder::default(),
            recording_bound: journal::DEFAULT_BYTES,
            front,
            optimum,
            recording: None,
            ended: None,
        }
    }

    /// The optimum, if it could be computed quickly.
    pub fn optimum(&self) -> Option<&Optimum> {
        self.optimum.as_ref()
    }

    /// Keeps the last frame of a run that has ended, until its recording is available.
    pub(super) fn remember_last(&mut self, number: usize, frame: Arc<Frame>) {
        self.ended = Some((number, frame));
    }

    /// Drops the recording of a run.
    pub(super) fn forget_recording(&mut self, number: usize) {
        self.recording.take_if(|(of, _)| *of == number);
    }
}

/// Shown run, iteration and selected cell of a binary problem.
#[ext(StateMethods)]
impl Document {
    /// The grid of the shown run, or of the next run if none is shown. The flavours stand side by side under the published
    /// rules.
    pub fn grid(&self) -> Grid {
        let bits = self.instance.bits();
        if self.view == View::Flavours {
            return Grid::new(bits);
        }
        match (self.shown, self.shown_run()) {
            (Shown::Live, _) => self.live.as_ref().map(|live| live.settings.algorithm.grid(bits)),
            (_, Some(run)) => self.algorithm_of(run.number).map(|algorithm| algorithm.grid(bits)),
            _ => Some(self.settings.algorithm.grid(bits)),
        }
        .unwrap_or_else(|| Grid::new(bits))
    }

    /// The selected cell, if the grid has it.
    pub fn selected_cell(&self) -> Option<Cell> {
        let grid = self.grid();
        self.selected.filter(|cell| cell.row < grid.rows && cell.column < grid.bits)
    }

    /// Looks at a bit among those of all solutions.
    pub fn go_to(&mut self, bit: usize) {
        if bit < self.instance.bits() {
            self.view = View::Bits;
            self.raster.look_at(bit);
        }
    }

    /// One line about a bit, for lists.
    pub fn bit_line(&self, bit: usize) -> String {
        let number = |list: &[u64]| grouped(list.get(bit).copied().unwrap_or_default() as i64);
        match &self.instance.kind {
            Kind::Knapsack { profits, weights, .. } => {
                format!("profit {}, weight {}", number(profits), number(weights))
            }
            Kind::NextRelease { costs, values, value_scale, .. } => {
                let value = values.get(bit).copied().unwrap_or_default();
                format!("cost {}, value {}", number(costs), results::value_words(value as f64, *value_scale))
            }
            Kind::Deceptive { .. } => format!("block {}", bit / 6 + 1),
            Kind::OneMax { .. } => String::new(),
        }
    }

    /// Weight of the value that a release leaves out, in tenths; `None` if the instance is no next release problem.
    pub fn tenths(&self) -> Option<u8> {
        results::tenths(&self.instance)
    }

    /// Sets the weight of the value that a release leaves out, and shows the best run with this weight.
    pub fn set_tenths(&mut self, tenths: u8) {
        self.weigh(tenths);
        self.show_best();
    }

    /// Sets the weight of the value that a release leaves out.
    pub fn weigh(&mut self, tenths: u8) {
        if self.tenths().is_none_or(|present| present == tenths) {
            return;
        }
        self.instance = Arc::new(results::weighed(&self.instance, tenths));
        self.state.optimum = optimum(&self.instance, self.front.as_deref());
        self.recording = None;
        self.flavours.clear();
        self.batching.clear();
        self.state.ruling = RuleChange::default();
    }

    /// Returns the flavour of the shown run, or of the next run if none is shown.
    pub fn flavour(&self) -> Option<Flavour> {
        use gridwright_systolic::run::Algorithm;
        match (self.shown, self.shown_run()) {
            (Shown::Live, _) => self.live.as_ref().and_then(|live| live.settings.algorithm.flavour()),
            (_, Some(run)) => Algorithm::named(&run.result.algorithm).ok().and_then(|algorithm| algorithm.flavour()),
            _ => self.settings.algorithm.flavour(),
        }
    }

    /// Returns the recording of the shown run; starts it if there is none yet.
    pub fn recording(&mut self, ctx: &Context) -> Option<&mut Recording> {
        // The data of an earlier run are no longer there.
        let is_known = |run: &&Run| !matches!(run.status, RunStatus::Wrong(_)) && run.earlier.is_none();
        let run = self.shown_run().filter(is_known)?;
        let (number, result) = (run.number, Arc::clone(&run.result));
        let known = self
            .recording
            .as_ref()
            .is_some_and(|(of, recording)| *of == number && recording.request().bound == self.recording_bound);
        if !known {
            let (bound, threads) = (self.recording_bound, self.settings.threads);
            let order = recording::RecordingRequest::of(Arc::clone(&self.instance), &result, bound, threads)?;
            self.recording = Some((number, Recording::start(order, wake(ctx))));
        }
        self.recording.as_mut().map(|(_, recording)| recording)
    }

    /// Returns the recording of the shown run, if it was started.
    pub fn recorded(&mut self) -> Option<&mut Recording> {
        let number = self.shown_run()?.number;
        self.recording.as_mut().filter(|(of, _)| *of == number).map(|(_, recording)| recording)
    }

    /// Returns `true` if the recording of the shown run is complete.
    pub fn is_recorded(&self) -> bool {
        let number = self.shown_run().map(|run| run.number);
        self.recording.as_ref().is_some_and(|(of, recording)| Some(*of) == number && recording.is_complete())
    }

    /// All solutions at the shown iteration; `None` if nothing is shown or the iteration is still being computed.
    pub fn frame(&mut self) -> Option<Arc<Frame>> {
        if self.shown == Shown::Live {
            let checkpoint = self.live.as_ref()?.checkpoint.as_ref()?;
            return Some(Arc::clone(&checkpoint.progress.snapshot.best.frame));
        }
        let at = self.at();
        let number = self.shown_run()?.number;
        let ended = self.ended.as_ref().filter(|(of, _)| *of == number).map(|(_, frame)| Arc::clone(frame));
        self.recorded().and_then(|recording| recording.frame(at)).or(ended)
    }

    /// All solutions one iteration earlier, where there was one and it is recorded.
    pub fn frame_before(&mut self, frame: &Frame) -> Option<Arc<Frame>> {
        let at = frame.iteration.checked_sub(1)?;
        self.recorded()?.exact_frame(at)
    }

    /// The shown iteration.
    pub fn at(&mut self) -> u64 {
        let following = self.player.is_following();
        match self.recorded().map(|recording| recording.iterations()) {
            Some(last) if following => last,
            Some(last) => self.player.at().min(last),
            None => self.player.at(),
        }
    }

    /// Returns the distance of a cost to the optimum, in units of fitness; `None` if the optimum is not known.
    pub fn error(&self, cost: f64) -> Option<f64> {
        let optimum = self.optimum.as_ref()?;
        Some(self.instance.kind.fitness(optimum.cost) - self.instance.kind.fitness(cost))
    }

    /// Formats a cost as the fitness.
    pub fn words(&self, cost: f64) -> String {
        results::fitness_words(&self.instance, cost)
    }
}

/// Returns a callback that makes the window repaint.
pub(crate) fn wake(ctx: &Context) -> Arc<dyn Fn() + Send + Sync> {
    let ctx = ctx.clone();
    Arc::new(move || ctx.request_repaint())
}

/// Returns the optimum if it can be computed quickly.
fn optimum(instance: &Instance, front: Option<&Front>) -> Option<Optimum> {
    let bits = match (front, &instance.kind) {
        (Some(front), Kind::NextRelease { tenths, .. }) => front.bits(front.best(*tenths)),
        _ => exact::optimum(instance)?,
    };
    let cost = check(instance, &bits).cost();
    Some(Optimum { bits: Arc::new(bits), cost, words: results::fitness_words(instance, cost) })
}
