//! State of an open binary problem: settings, the run in progress, runs that ended, view and selection.

use std::sync::Arc;

use egui::Context;
use gridwright_solver::Result;
use gridwright_solver::numbers::grouped;
use gridwright_solver::systolic::check::check;
use gridwright_solver::systolic::exact::{self, Front};
use gridwright_solver::systolic::formats::LoadOptions;
use gridwright_solver::systolic::grid::Flavour;
use gridwright_solver::systolic::run::Settings;
use gridwright_solver::systolic::{BestBits, Frame, Grid, Instance, Kind, journal};

use super::batch::Batching;
use super::bits::Packing;
use super::flavours::Flavours;
use super::grid::Gridding;
use super::operators::Operating;
use super::recording::{self, Recording};
use super::releases::Releasing;
use super::solving::{self, Answer, Ended, Run};
use super::view::View;
use crate::problems::systolic::widgets::grid_playback::Cell;
use crate::problems::systolic::widgets::raster;
use crate::runs::{Shelf, Shown, Standing};
use crate::session::{Kept, Session};
use crate::widgets::convergence::Look;
use crate::widgets::notice::Notice;
use crate::widgets::playback::Player;
use gridwright_solver::search::Algorithms;

/// Function that opens instances; tests replace it.
pub type Opener = Arc<dyn Fn(&str, &LoadOptions) -> Result<Instance> + Send + Sync>;

/// Run in progress.
pub struct Live {
    /// Worker thread of the run.
    pub session: Session<BestBits, Ended>,
    /// Settings that the run was started with.
    pub settings: Settings,
    /// Last progress report and checkpoint of the run.
    pub kept: Option<Kept<BestBits>>,
}

/// An optimal solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    /// Its bits.
    pub bits: Arc<Vec<bool>>,
    /// Cost as minimised by the searches.
    pub cost: f64,
    /// Fitness in words.
    pub words: String,
}

/// An open instance.
pub struct Desk {
    /// Instance that is to be solved.
    pub instance: Arc<Instance>,
    /// Source of the instance: a path, `sample:…`, `knapsack:…` and the like.
    pub source: String,
    /// Settings of the next run.
    pub settings: Settings,
    /// Runs that ended, whatever weight they had.
    pub runs: Shelf<Answer>,
    /// The run in progress.
    pub live: Option<Live>,
    /// Run that is shown.
    pub shown: Shown,
    /// View that is shown.
    pub view: View,
    /// Selected cell.
    pub selected: Option<Cell>,
    /// True while the picture has the keyboard focus.
    pub canvas_focused: bool,
    pub(crate) had_focus: bool,
    /// Display options of the convergence plot.
    pub look: Look,
    /// True to show the runs where only one of convergence and runs fits.
    pub runs_instead: bool,
    /// Notices to be shown next.
    pub sayings: Vec<Notice>,
    /// Position in the recording of the shown run.
    pub player: Player,
    /// View state of the grid.
    pub gridding: Gridding,
    /// View state of the operators.
    pub operating: Operating,
    /// Zoom and position of the raster of bits.
    pub raster: raster::View,
    /// Colours of the raster, with the packed bits.
    pub packing: Packing,
    /// Solution whose bits are shown.
    pub solution: Option<usize>,
    /// The four flavours side by side.
    pub flavours: Flavours,
    /// Many seeds.
    pub batching: Batching,
    /// Eleven weights.
    pub releasing: Releasing,
    /// Bytes that a recording may take.
    pub recording_bound: usize,
    /// Pareto front of the releases.
    pub front: Option<Arc<Front>>,
    optimum: Option<Optimum>,
    recording: Option<(usize, Recording)>,
    /// The last that was seen of a run while it went on.
    ended: Option<(usize, Arc<Frame>)>,
}

impl Desk {
    /// An instance with the runs that were kept of it; the best is shown. Finds the optimum, which may take a second.
    pub(super) fn of(instance: Instance, source: &str, settings: Settings, runs: Shelf<Answer>) -> Self {
        let front = Front::of(&instance).map(Arc::new);
        let optimum = optimum(&instance, front.as_deref());
        let settings = super::settings::fitted(settings, &instance);
        // Knapsacks that are too heavy are worth so little that nothing else would be seen.
        let look = Look { steps: true, logarithmic: matches!(instance.kind, Kind::Knapsack { .. }) };
        let mut desk = Self {
            instance: Arc::new(instance),
            source: source.to_owned(),
            settings,
            runs,
            live: None,
            shown: Shown::Nothing,
            view: View::default(),
            selected: None,
            canvas_focused: false,
            had_focus: false,
            look,
            runs_instead: false,
            sayings: Vec::new(),
            player: Player::default(),
            gridding: Gridding::default(),
            operating: Operating::default(),
            raster: raster::View::default(),
            packing: Packing::default(),
            solution: None,
            flavours: Flavours::default(),
            batching: Batching::default(),
            releasing: Releasing::default(),
            recording_bound: journal::DEFAULT_BYTES,
            front,
            optimum,
            recording: None,
            ended: None,
        };
        desk.show_best();
        desk
    }

    /// Returns `true` if the picture had the keyboard focus when it was painted last.
    pub fn canvas_had_focus(&self) -> bool {
        self.had_focus
    }

    /// The grid of the instance.
    pub fn grid(&self) -> Grid {
        Grid::new(self.instance.bits())
    }

    /// One line: sizes.
    pub fn facts_line(&self) -> String {
        let (bits, noun) = (self.instance.bits(), self.instance.kind.bit_noun());
        let grid = self.grid();
        format!("{} {noun}s, grid of {} × {}", grouped(bits as i64), grid.rows, grouped(grid.bits as i64))
    }

    /// The optimum, if it could be computed quickly.
    pub fn optimum(&self) -> Option<&Optimum> {
        self.optimum.as_ref()
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
                format!("cost {}, value {}", number(costs), super::releases::value_words(value as f64, *value_scale))
            }
            Kind::Deceptive { .. } => format!("block {}", bit / 6 + 1),
            Kind::OneMax { .. } => String::new(),
        }
    }

    /// Weight of the value that a release leaves out, in tenths.
    pub fn tenths(&self) -> Option<u8> {
        solving::tenths(&self.instance)
    }

    /// Sets the weight of the value that a release leaves out, and shows the best run with this weight.
    pub fn set_tenths(&mut self, tenths: u8) {
        self.weigh(tenths);
        self.show_best();
    }

    fn weigh(&mut self, tenths: u8) {
        if self.tenths().is_none_or(|present| present == tenths) {
            return;
        }
        self.instance = Arc::new(solving::weighed(&self.instance, tenths));
        self.optimum = optimum(&self.instance, self.front.as_deref());
        self.recording = None;
        self.flavours.clear();
        self.batching.clear();
    }

    /// Runs with the present weight, newest first.
    pub fn listed(&self) -> impl DoubleEndedIterator<Item = &Run> {
        let tenths = self.tenths();
        self.runs.iter().rev().filter(move |run| run.tenths == tenths)
    }

    /// The run that is shown, if it is one that ended.
    pub fn shown_run(&self) -> Option<&Run> {
        match self.shown {
            Shown::Run(number) => self.runs.run(number),
            _ => None,
        }
    }

    /// Returns the shown run if the checker found it valid.
    pub fn valid_run(&self) -> Option<&Run> {
        self.shown_run().filter(|run| run.standing == Standing::Valid)
    }

    /// Shows the best run with the present weight.
    pub fn show_best(&mut self) {
        let valid = self.listed().filter(|run| run.standing == Standing::Valid);
        let best = valid.min_by(|a, b| a.cost.total_cmp(&b.cost)).or_else(|| self.listed().next());
        self.shown = best.map_or(Shown::Nothing, |run| Shown::Run(run.number));
        self.player.follow();
    }

    /// Shows a run, whatever weight it had.
    pub fn show_run(&mut self, number: usize) {
        let Some(tenths) = self.runs.run(number).map(|run| run.tenths) else { return };
        if let Some(tenths) = tenths.filter(|_| !self.is_solving()) {
            self.weigh(tenths);
        }
        self.shown = Shown::Run(number);
        self.player.follow();
    }

    /// Shows the best solution so far of the run in progress.
    pub fn show_live(&mut self) {
        if self.live.is_some() {
            self.shown = Shown::Live;
        }
    }

    /// Returns `true` while a run is in progress.
    pub fn is_solving(&self) -> bool {
        self.live.is_some()
    }

    /// Checks that a run could be started.
    ///
    /// # Errors
    /// Error with the reason in words if a run is in progress.
    pub fn ready(&self) -> std::result::Result<(), &'static str> {
        if self.is_solving() { Err("A run goes on") } else { Ok(()) }
    }

    /// Returns the flavour of the shown run, or of the next run if none is shown.
    pub fn flavour(&self) -> Option<Flavour> {
        use gridwright_solver::systolic::run::Algorithm;
        match (self.shown, self.shown_run()) {
            (Shown::Live, _) => self.live.as_ref().and_then(|live| live.settings.algorithm.flavour()),
            (_, Some(run)) => Algorithm::named(&run.result.algorithm).ok().and_then(|algorithm| algorithm.flavour()),
            _ => self.settings.algorithm.flavour(),
        }
    }

    /// Returns the recording of the shown run; starts it if there is none yet.
    pub fn recording(&mut self, ctx: &Context) -> Option<&mut Recording> {
        let run = self.shown_run().filter(|run| !matches!(run.standing, Standing::Wrong(_)))?;
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

    /// All solutions at the shown iteration.
    pub fn frame(&mut self) -> Option<Arc<Frame>> {
        if self.shown == Shown::Live {
            let kept = self.live.as_ref()?.kept.as_ref()?;
            return Some(Arc::clone(&kept.progress.snapshot.best.frame));
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
    fn at(&mut self) -> u64 {
        let following = self.player.is_following();
        match self.recorded().map(|recording| recording.iterations()) {
            Some(last) if following => last,
            Some(last) => self.player.at().min(last),
            None => self.player.at(),
        }
    }

    /// Keeps the last frame of a run that has ended, until its recording is available.
    pub(super) fn remember_last(&mut self, number: usize, frame: Arc<Frame>) {
        self.ended = Some((number, frame));
    }

    /// Removes a run from the list; if it was shown, the best of the others is shown.
    pub fn remove_run(&mut self, number: usize) -> Option<Run> {
        let run = self.runs.remove(number)?;
        if self.recording.as_ref().is_some_and(|(of, _)| *of == number) {
            self.recording = None;
        }
        if self.shown == Shown::Run(number) {
            self.show_best();
        }
        Some(run)
    }

    /// Puts a run back into the list, and shows it if nothing else is shown.
    pub fn insert_run(&mut self, run: Run) {
        let number = self.runs.insert(run);
        if self.shown == Shown::Nothing {
            self.show_run(number);
        }
    }

    /// Returns the distance of a cost to the optimum, in units of fitness; `None` if the optimum is not known.
    pub fn error(&self, cost: f64) -> Option<f64> {
        let optimum = self.optimum.as_ref()?;
        Some(self.instance.kind.fitness(optimum.cost) - self.instance.kind.fitness(cost))
    }

    /// Formats a cost as the fitness.
    pub fn words(&self, cost: f64) -> String {
        solving::fitness_words(&self.instance, cost)
    }

    /// Returns the shown run if it may be exported.
    ///
    /// # Errors
    /// Error with the reason in words during a run, or if there is no run or it did not pass the check.
    pub fn exportable(&self) -> std::result::Result<&Run, &'static str> {
        match (self.shown, self.shown_run()) {
            (Shown::Live, _) => Err("Stop the run first; a solution can be exported when it has been checked"),
            (_, Some(run)) if !matches!(run.standing, Standing::Wrong(_)) => Ok(run),
            (_, Some(_)) => Err("This result did not pass the check and cannot be exported"),
            _ => Err("Solve first; there is no solution yet"),
        }
    }
}

/// Returns a callback that makes the window repaint.
pub fn wake(ctx: &Context) -> Arc<dyn Fn() + Send + Sync> {
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
    Some(Optimum { bits: Arc::new(bits), cost, words: solving::fitness_words(instance, cost) })
}
