//! Algorithms step by step, for students: the recurrence of completion times, NEH, one insertion with Taillard's tables,
//! tabu search, and dominance with archiving. Steps are played, paused, gone forwards and back.

mod archiving;
mod insertion;
mod neh;
mod points;
mod recording;
mod recurrence;
mod tabu;

use std::sync::Arc;

use egui::{Align, Color32, Layout, ScrollArea, Ui, vec2};
use gridwright_flowshop::drawing::job_colour;
use gridwright_flowshop::insertion::FlowShopProblem;
use gridwright_flowshop::steps::{MOST_JOBS, MOST_MACHINES};
use gridwright_flowshop::{Instance, Objective, neh as constructed};

use self::recording::Recorder;
pub use self::recording::{Recorded, Rules};
use super::Document;
use crate::methods::*;
use crate::widgets::cells::Head;
use crate::widgets::scatter;
use gridwright_window::runs::Shown;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{placeholder, primary, segmented};
use gridwright_window::widgets::explanation::{Formula, explain};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::playback::{self, Player, Tape};
use gridwright_window::window::command::Command;

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
    recorder: Recorder,
    scatter: scatter::View,
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
    fn player(&mut self) -> &mut Player {
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

/// Checks that an instance is small enough to be followed by eye.
///
/// # Errors
/// Error with the reason in words if the instance is too large.
fn is_small(instance: &Instance) -> Result<(), String> {
    let (jobs, machines) = (instance.job_count(), instance.machine_count());
    if jobs <= MOST_JOBS && machines <= MOST_MACHINES {
        return Ok(());
    }
    Err(format!(
        "This instance has {jobs} jobs on {machines} machines; steps can be followed by eye up to {MOST_JOBS} jobs on \
         {MOST_MACHINES} machines. The workshop has eight jobs on four."
    ))
}

/// Width in points below which the name of what is gone through is left out.
const LEAST: f32 = 100.0;

/// Shows the choice of the lesson, the player and the tables.
pub fn show(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
    if let Err(why) = is_small(&document.instance) {
        placeholder(ui, Icon::StepForward, "Too large to be gone through", &why, |ui| {
            if primary(ui, Icon::Open, "Open the workshop", true).clicked() {
                commands.push(Command::load("sample:workshop".to_owned()));
            }
        });
        return;
    }
    let lesson = Lesson::of(document);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let choices = Mode::ALL.map(|mode| (mode.name(), mode.help(), true));
        if let Some(choice) = segmented(ui, &choices, Some(document.lesson.mode as usize)) {
            document.lesson.mode = Mode::ALL[choice];
        }
        match document.lesson.mode {
            Mode::Recurrence => recurrence::switches(ui, document),
            Mode::Neh | Mode::Archive => {}
            Mode::Insertion => insertion::switches(ui, document, &lesson),
            Mode::Tabu => recording::switches(ui, document),
        }
        // A second line would take the room of the tables.
        let room = ui.available_size_before_wrap().x;
        if room >= LEAST {
            let of = theme::small(&lesson.of).color(palette(ui.visuals()).weak);
            let layout = Layout::left_to_right(Align::Center);
            let line = vec2(room, ui.spacing().interact_size.y);
            ui.allocate_ui_with_layout(line, layout, |ui| ui.add(egui::Label::new(of).truncate()));
        }
    });
    match document.lesson.mode {
        Mode::Recurrence => recurrence::show(ui, document, &lesson),
        Mode::Neh => neh::show(ui, document, &lesson),
        Mode::Insertion => insertion::show(ui, document, &lesson),
        Mode::Tabu => tabu::show(ui, document, &lesson),
        Mode::Archive => archiving::show(ui, document),
    }
}

struct Lesson {
    instance: Arc<Instance>,
    problem: FlowShopProblem,
    objective: Objective,
    /// The order that is gone through: the plan that is shown, or what NEH finds.
    order: Vec<u16>,
    of: String,
}

impl Lesson {
    fn of(document: &Document) -> Self {
        let instance = Arc::clone(&document.instance);
        let objective = document.objective();
        let problem = FlowShopProblem::new(&instance, objective);
        let (order, of) = match (document.plan(), document.shown) {
            (Some(plan), Shown::Run(number)) => (plan.order.0.clone(), format!("The order of run {number}")),
            (Some(plan), Shown::Draft) => (plan.order.0.clone(), "The order that is being edited".to_owned()),
            (Some(plan), _) => (plan.order.0.clone(), "The best order so far".to_owned()),
            (None, _) => (constructed::neh(&problem).0, "The order that NEH finds; nothing is solved yet".to_owned()),
        };
        let of = match document.lesson.mode {
            Mode::Neh => format!("Minimises the {}", objective.label().to_lowercase()),
            Mode::Tabu | Mode::Archive => format!("Minimises {}", recording::pair(&recording::objectives(document))),
            _ => of,
        };
        Self { instance, problem, objective, order, of }
    }

    fn job(&self, job: u16) -> &str {
        &self.instance.jobs[usize::from(job)].name
    }

    /// Jobs as heads of columns.
    fn heads(&self, order: &[u16]) -> Vec<Head> {
        let head = |&job: &u16| Head { text: self.job(job).to_owned(), colour: Some(colour(job)) };
        order.iter().map(head).collect()
    }
}

fn colour(job: u16) -> Color32 {
    let colour = job_colour(usize::from(job));
    Color32::from_rgb(colour.red, colour.green, colour.blue)
}

/// Draws the player's buttons and timeline; returns the shown step, and `true` if the step changed in this frame.
fn play(ui: &mut Ui, document: &mut Document, tape: Tape<'_>) -> (u64, bool) {
    let tape = Tape { unit: if tape.unit.is_empty() { "Step" } else { tape.unit }, ..tape };
    let player = document.lesson.player();
    let changed = playback::show(ui, player, &tape);
    (player.at(), changed)
}

/// Tables that may be larger than their room.
fn scrolled(ui: &mut Ui, salt: &str, contents: impl FnOnce(&mut Ui)) {
    ScrollArea::both().id_salt(salt).auto_shrink(false).show(ui, contents);
}

/// «4 cells», «1 cell».
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
