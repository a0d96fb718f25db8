//! Algorithms step by step, for students: the recurrence of completion times, NEH, one insertion with Taillard's tables,
//! tabu search, and dominance with archiving. Steps are played, paused, gone forwards and back.

mod archiving;
mod insertion;
mod neh;
mod points;
mod recording;
mod recurrence;
pub(crate) mod state;
mod tabu;

use std::sync::Arc;

use egui::{Align, Color32, Frame, Layout, Margin, Panel, ScrollArea, Ui, Vec2, vec2};
use gridwright_flowshop::drawing::job_colour;
use gridwright_flowshop::insertion::FlowShopProblem;
use gridwright_flowshop::steps::{MOST_JOBS, MOST_MACHINES};
use gridwright_flowshop::{Instance, Objective, neh as constructed};

use self::state::Mode;
pub use self::state::Recorded;
use super::Document;
use crate::methods::*;
use crate::widgets::cells::Head;
use gridwright_window::runs::Shown;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{placeholder, primary, segmented};
use gridwright_window::widgets::explanation::{Formula, explain};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::playback::{self, Tape};
use gridwright_window::window::command::Command;

/// Checks that an instance is small enough to be followed by eye, and without working times.
///
/// # Errors
/// Error with the reason in words if the instance is not.
fn is_small(instance: &Instance) -> Result<(), String> {
    if instance.has_clocks() {
        return Err("The algorithms are shown for machines that work around the clock, are ready at once and next to each other. The \
                    workshop has such machines."
            .to_owned());
    }
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
        let heading =
            if document.instance.has_clocks() { "No working times here" } else { "Too large to be gone through" };
        placeholder(ui, Icon::StepForward, heading, &why, |ui| {
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

/// Draws a scrolled list to the right of the chart, at most `width` points and half of the view wide; `list` gets the
/// size of its room.
fn beside(ui: &mut Ui, salt: &'static str, width: f32, list: impl FnOnce(&mut Ui, Vec2)) {
    let width = (ui.available_width() * 0.5).min(width);
    let frame = Frame::new().inner_margin(Margin { left: 12, ..Margin::ZERO });
    Panel::right(salt).exact_size(width).resizable(false).show_separator_line(false).frame(frame).show(ui, |ui| {
        let room = ui.available_size() - vec2(space::M, 0.0);
        scrolled(ui, salt, |ui| list(ui, room));
    });
}
