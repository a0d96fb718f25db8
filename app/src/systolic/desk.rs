//! An open binary problem with everything around it: settings, the run that goes on, runs that ended, what is looked at.

use std::sync::Arc;

use egui::Context;
use gridwright_solver::Result;
use gridwright_solver::systolic::check::check;
use gridwright_solver::systolic::exact::{self, Front};
use gridwright_solver::systolic::formats::LoadOptions;
use gridwright_solver::systolic::grid::Flavour;
use gridwright_solver::systolic::run::Settings;
use gridwright_solver::systolic::{Found, Frame, Grid, Instance, Kind, journal};

use super::batch::Batching;
use super::bits::Packing;
use super::film::{self, Film};
use super::flavours::Flavours;
use super::grid::Gridding;
use super::operators::Operating;
use super::releases::Releasing;
use super::solving::{self, Answer, Ended, Run};
use super::view::View;
use crate::runs::{Shelf, Shown, Standing};
use crate::session::{Kept, Session};
use crate::widgets::beating::Cell;
use crate::widgets::convergence::Look;
use crate::widgets::notice::Notice;
use crate::widgets::parameters::grouped;
use crate::widgets::playback::Player;
use crate::widgets::raster;

/// What opens instances; tests put another one in its place.
pub type Opener = Arc<dyn Fn(&str, &LoadOptions) -> Result<Instance> + Send + Sync>;

/// A run that goes on.
pub struct Live {
    /// Its thread.
    pub session: Session<Found, Ended>,
    /// What it was started with.
    pub settings: Settings,
    /// Where it stands.
    pub kept: Option<Kept<Found>>,
}

/// The best that there is.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    /// Its bits.
    pub bits: Arc<Vec<bool>>,
    /// What it costs, as searches count it.
    pub cost: f64,
    /// The same for people.
    pub words: String,
}

/// An open instance.
pub struct Desk {
    /// What is to be solved.
    pub instance: Arc<Instance>,
    /// Where it comes from: a path, `sample:…`, `knapsack:…` and the like.
    pub source: String,
    /// How the next run will be made.
    pub settings: Settings,
    /// Runs that ended, whatever weight they had.
    pub runs: Shelf<Answer>,
    /// The run that goes on.
    pub live: Option<Live>,
    /// Which run is shown.
    pub shown: Shown,
    /// How it is shown.
    pub view: View,
    /// The cell that is looked at.
    pub selected: Option<Cell>,
    /// Whether the keyboard works on the picture.
    pub canvas_focused: bool,
    pub(crate) had_focus: bool,
    /// How convergence is shown.
    pub look: Look,
    /// Whether the runs stand where only one of convergence and runs fits.
    pub runs_instead: bool,
    /// What the person should be told next.
    pub sayings: Vec<Notice>,
    /// Where in the recording of the run a person is.
    pub player: Player,
    /// How the grid is shown.
    pub gridding: Gridding,
    /// How the operators are shown.
    pub operating: Operating,
    /// How the bits are shown.
    pub raster: raster::View,
    /// What of them is shown.
    pub packing: Packing,
    /// The solution whose bits are looked at.
    pub solution: Option<usize>,
    /// The four flavours side by side.
    pub flavours: Flavours,
    /// Many seeds.
    pub batching: Batching,
    /// Eleven weights.
    pub releasing: Releasing,
    /// Bytes that a recording may take.
    pub recording_bound: usize,
    /// Everything that no other release beats.
    pub front: Option<Arc<Front>>,
    optimum: Option<Optimum>,
    film: Option<(usize, Film)>,
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
            film: None,
            ended: None,
        };
        desk.show_best();
        desk
    }

    /// Whether the picture had the keyboard when it was painted last.
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

    /// The best that there is, where it was found in a moment.
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

    /// The weight of what a release leaves out, in tenths.
    pub fn tenths(&self) -> Option<u8> {
        solving::tenths(&self.instance)
    }

    /// Weighs what a release leaves out in another way from now on, and shows the best run that did.
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
        self.film = None;
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

    /// The same, if the checker has nothing against it.
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

    /// Shows the best so far of the run that goes on.
    pub fn show_live(&mut self) {
        if self.live.is_some() {
            self.shown = Shown::Live;
        }
    }

    /// Whether a run goes on.
    pub fn is_solving(&self) -> bool {
        self.live.is_some()
    }

    /// Whether a run could begin, or what is missing.
    ///
    /// # Errors
    /// What is missing, in words.
    pub fn ready(&self) -> std::result::Result<(), &'static str> {
        if self.is_solving() { Err("A run goes on") } else { Ok(()) }
    }

    /// How solutions flow in what is shown, or would flow in the next run.
    pub fn flavour(&self) -> Option<Flavour> {
        use gridwright_solver::systolic::run::Algorithm;
        match (self.shown, self.shown_run()) {
            (Shown::Live, _) => self.live.as_ref().and_then(|live| live.settings.algorithm.flavour()),
            (_, Some(run)) => Algorithm::named(&run.result.algorithm).ok().and_then(|algorithm| algorithm.flavour()),
            _ => self.settings.algorithm.flavour(),
        }
    }

    /// The recording of the run that is shown; begun where there is none yet.
    pub fn film(&mut self, ctx: &Context) -> Option<&mut Film> {
        let run = self.shown_run().filter(|run| !matches!(run.standing, Standing::Wrong(_)))?;
        let (number, result) = (run.number, Arc::clone(&run.result));
        let known =
            self.film.as_ref().is_some_and(|(of, film)| *of == number && film.order().bound == self.recording_bound);
        if !known {
            let (bound, threads) = (self.recording_bound, self.settings.threads);
            let order = film::Order::of(Arc::clone(&self.instance), &result, bound, threads)?;
            self.film = Some((number, Film::start(order, wake(ctx))));
        }
        self.film.as_mut().map(|(_, film)| film)
    }

    /// The recording of the run that is shown, where it was begun.
    pub fn recorded(&mut self) -> Option<&mut Film> {
        let number = self.shown_run()?.number;
        self.film.as_mut().filter(|(of, _)| *of == number).map(|(_, film)| film)
    }

    /// Whether the run that is shown is recorded with all its figures.
    pub fn is_recorded(&self) -> bool {
        let number = self.shown_run().map(|run| run.number);
        self.film.as_ref().is_some_and(|(of, film)| Some(*of) == number && film.is_complete())
    }

    /// All solutions at the moment that is looked at.
    pub fn frame(&mut self) -> Option<Arc<Frame>> {
        if self.shown == Shown::Live {
            let kept = self.live.as_ref()?.kept.as_ref()?;
            return Some(Arc::clone(&kept.progress.snapshot.best.frame));
        }
        let at = self.at();
        let number = self.shown_run()?.number;
        let ended = self.ended.as_ref().filter(|(of, _)| *of == number).map(|(_, frame)| Arc::clone(frame));
        self.recorded().and_then(|film| film.frame(at)).or(ended)
    }

    /// All solutions one iteration earlier, where there was one and it is recorded.
    pub fn frame_before(&mut self, frame: &Frame) -> Option<Arc<Frame>> {
        let at = frame.iteration.checked_sub(1)?;
        self.recorded()?.exact_frame(at)
    }

    /// The iteration that is looked at.
    fn at(&mut self) -> u64 {
        let following = self.player.is_following();
        match self.recorded().map(|film| film.iterations()) {
            Some(last) if following => last,
            Some(last) => self.player.at().min(last),
            None => self.player.at(),
        }
    }

    /// What was seen of the run that has ended, until its recording is there.
    pub(super) fn remember_last(&mut self, number: usize, frame: Arc<Frame>) {
        self.ended = Some((number, frame));
    }

    /// Takes a run from the list; where it was shown, the best of the others is shown.
    pub fn remove_run(&mut self, number: usize) -> Option<Run> {
        let run = self.runs.remove(number)?;
        if self.film.as_ref().is_some_and(|(of, _)| *of == number) {
            self.film = None;
        }
        if self.shown == Shown::Run(number) {
            self.show_best();
        }
        Some(run)
    }

    /// Puts a run back into the list and shows it where nothing else is shown.
    pub fn insert_run(&mut self, run: Run) {
        let number = self.runs.insert(run);
        if self.shown == Shown::Nothing {
            self.show_run(number);
        }
    }

    /// How far a cost is from the optimum, as people count it; `None` where that is not known.
    pub fn error(&self, cost: f64) -> Option<f64> {
        let optimum = self.optimum.as_ref()?;
        Some(self.instance.kind.fitness(optimum.cost) - self.instance.kind.fitness(cost))
    }

    /// A cost as people read it: the fitness.
    pub fn words(&self, cost: f64) -> String {
        solving::fitness_words(&self.instance, cost)
    }

    /// Whether what is shown may be exported.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn exportable(&self) -> std::result::Result<&Run, &'static str> {
        match (self.shown, self.shown_run()) {
            (Shown::Live, _) => Err("Stop the run first; a solution can be exported when it has been checked"),
            (_, Some(run)) if !matches!(run.standing, Standing::Wrong(_)) => Ok(run),
            (_, Some(_)) => Err("This result did not pass the check and cannot be exported"),
            _ => Err("Solve first; there is no solution yet"),
        }
    }
}

/// What tells the window that there is something new.
pub fn wake(ctx: &Context) -> Arc<dyn Fn() + Send + Sync> {
    let ctx = ctx.clone();
    Arc::new(move || ctx.request_repaint())
}

/// The best that there is, where it is found in a moment.
fn optimum(instance: &Instance, front: Option<&Front>) -> Option<Optimum> {
    let bits = match (front, &instance.kind) {
        (Some(front), Kind::NextRelease { tenths, .. }) => front.bits(front.best(*tenths)),
        _ => exact::optimum(instance)?,
    };
    let cost = check(instance, &bits).cost();
    Some(Optimum { bits: Arc::new(bits), cost, words: solving::fitness_words(instance, cost) })
}
