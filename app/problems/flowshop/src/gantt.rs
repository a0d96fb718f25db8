//! The Gantt chart with its switches above it and the order of the jobs below.

use egui::{Frame, Margin, Panel, Ui};
use gridwright_flowshop::drawing::job_colour;
use gridwright_flowshop::drawing::layout::{GanttLayout, GanttRows};
use gridwright_flowshop::effects::MoveEffects;
use gridwright_flowshop::run::holding::Held;
use gridwright_flowshop::{Instance, Objective};

use super::following::{self, Following};
use super::plan::Plan;
use super::{Document, rules};
use crate::methods::*;
use crate::widgets::gantt::{self, Chart, Ghost, Selection};
use crate::widgets::sequence::{self, Chip, Moved};
use gridwright_window::document::frames;
use gridwright_window::live::Others;
use gridwright_window::theme::space;
use gridwright_window::widgets::controls::segmented;

/// Height in points below which the chart has no legend; its marks explain themselves in tooltips.
const LEGEND: f32 = 360.0;
/// Height in points below which the chart takes the whole view.
const ORDER: f32 = 150.0;
/// Height in points below which the chart has no line of due dates.
const DUE: f32 = 180.0;
/// Number of other jobs that are told while a job is dragged.
const PREVIEWED: usize = 4;
/// Width in points below which there are no zoom buttons beside wheel, keys and menu.
const BUTTONS: f32 = 640.0;

/// Shows the chart, its switches and the order.
pub(crate) fn show(ui: &mut Ui, document: &mut Document) {
    let Some(plan) = document.plan().cloned() else { return };
    let roomy = ui.available_height() >= LEGEND;
    switches(ui, document);
    if roomy {
        legend(ui, document, &plan);
    }
    let height = ui.available_height();
    if height >= ORDER {
        let wanted = (height * 0.26).clamp(48.0, 180.0);
        let frame = Frame::new().inner_margin(Margin { left: 0, right: 0, top: 6, bottom: 0 });
        let strip = Panel::bottom("order of jobs").default_size(wanted).size_range(44.0..=height * 0.6).resizable(true);
        strip.frame(frame).show(ui, |ui| order(ui, document, &plan));
    }
    egui::CentralPanel::default().frame(Frame::new()).show(ui, |ui| chart(ui, document, &plan));
}

fn switches(ui: &mut Ui, document: &mut Document) {
    ui.horizontal_wrapped(|ui| {
        let wide = ui.available_width() >= BUTTONS;
        ui.spacing_mut().item_spacing.x = if wide { space::M } else { space::S };
        let choices =
            [("Machines", "A row for each machine", true), ("Jobs", "A row for each job, in their order", true)];
        let chosen = usize::from(document.state.charting.rows == GanttRows::Jobs);
        if let Some(choice) = segmented(ui, &choices, Some(chosen)) {
            document.state.charting.rows = if choice == 1 { GanttRows::Jobs } else { GanttRows::Machines };
            document.state.charting.view.fit();
        }
        if wide {
            gantt::controls(ui, &mut document.state.charting.view, document.selected.is_some());
        }
        let help = "The operations that decide when everything is done: a chain without gaps";
        ui.checkbox(&mut document.state.charting.critical_path, "Critical path").on_hover_text(help);
        if document.instance.has_due_dates() {
            ui.checkbox(&mut document.state.charting.due_dates, "Due dates")
                .on_hover_text("When jobs are due, and which are late");
        }
        let help = "Another plan as thin outlines below the bars";
        frames::compare_with(ui, document, "Compare with…", help, 104.0);
    });
}

/// Draws the legend of the marks in a line of its own; a mark and its label stay together.
fn legend(ui: &mut Ui, document: &Document, plan: &Plan) {
    ui.horizontal(|ui| {
        let layout = GanttLayout::new(&document.instance, &plan.schedule, document.state.charting.rows);
        let chart = Chart {
            critical_path: document.state.charting.critical_path,
            due_dates: document.state.charting.due_dates,
            ..Chart::new(layout, plan.facts(document.state.charting.rows))
        };
        gantt::legend(ui, &chart);
    });
}

/// Draws the chart alone, with a row for each machine and marks at due dates if `due_dates`, below another view of the
/// same plan.
pub(crate) fn compact(ui: &mut Ui, document: &mut Document, due_dates: bool) {
    let Some(plan) = document.plan().cloned() else { return };
    let instance = std::sync::Arc::clone(&document.instance);
    let layout = GanttLayout::new(&instance, &plan.schedule, GanttRows::Machines);
    let due_dates = due_dates && ui.available_height() >= DUE;
    let chart = Chart { due_dates, ..Chart::new(layout, plan.facts(GanttRows::Machines)) };
    let outcome = gantt::show(ui, &chart, &mut document.state.charting.view, document.selected);
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.selected = picked;
    }
}

fn chart(ui: &mut Ui, document: &mut Document, plan: &Plan) {
    let rows = document.state.charting.rows;
    let instance = std::sync::Arc::clone(&document.instance);
    let ghost = document.compared().map(|(name, plan)| (name, std::sync::Arc::clone(plan)));
    let ghost = ghost.as_ref().map(|(name, plan)| (name.as_str(), &**plan));
    // While a job is dragged, the order in which others follow is what matters.
    let follows = document.state.follows.clone();
    let ghost = follows.as_ref().map(|following| ("With others that follow", &following.plan)).or(ghost);
    let chart = Chart {
        ghost: ghost.map(|(name, plan)| Ghost { schedule: &plan.schedule, facts: plan.facts(rows), name }),
        critical_path: document.state.charting.critical_path,
        // Where there is little room, bars come first; late ones are marked themselves.
        due_dates: document.state.charting.due_dates && ui.available_height() >= DUE,
        ..Chart::new(GanttLayout::new(&instance, &plan.schedule, rows), plan.facts(rows))
    };
    let outcome = gantt::show(ui, &chart, &mut document.state.charting.view, document.selected);
    document.canvas_focused |= outcome.response.has_focus();
    outcome.response.context_menu(|ui| rules::menu(ui, document));
    if let Some(picked) = outcome.picked {
        document.selected = picked;
        if let Some(position) = document.selected_position() {
            document.state.charting.strip.reveal(position);
        }
    }
}

/// The order as the strip below the chart shows it.
struct Strip<'a> {
    instance: &'a Instance,
    plan: &'a Plan,
    movable: bool,
    objective: Objective,
    /// Move of the job that is carried, and the jobs that would follow it.
    following: Option<(Moved, Others<Following>)>,
}

impl Strip<'_> {
    fn job(&self, position: usize) -> usize {
        usize::from(self.plan.order.0[position])
    }

    /// A length of time in a few letters: its largest unit, such as «2 days».
    fn roughly(&self, time: u32) -> String {
        match self.instance.plan_start() {
            Some(_) => self.instance.span(time.into()).split(' ').take(2).collect::<Vec<_>>().join(" "),
            None => time.to_string(),
        }
    }

    /// Position that a job would take which follows the carried one, counted from 1.
    fn goes_to(&self, job: usize) -> Option<usize> {
        let Some((_, Others::Made(following))) = &self.following else { return None };
        let found = &following.found;
        let is_moved = found.moved.iter().any(|&moved| usize::from(moved) == job);
        let place = found.order.iter().position(|&other| usize::from(other) == job).filter(|_| is_moved);
        place.map(|place| place + 1)
    }

    fn late(&self, position: usize) -> Option<u32> {
        let due = self.instance.jobs[self.job(position)].due?;
        self.plan.schedule.done(position).checked_sub(due).filter(|late| *late > 0)
    }
}

impl sequence::Source for Strip<'_> {
    fn count(&self) -> usize {
        self.plan.order.0.len()
    }

    fn chip(&self, position: usize) -> Chip {
        let job = self.job(position);
        let colour = job_colour(job);
        Chip {
            name: self.instance.jobs[job].name.clone(),
            colour: Some(egui::Color32::from_rgb(colour.red, colour.green, colour.blue)),
            mark: self.late(position).map(|late| format!("+{}", self.roughly(late))),
            is_pinned: self.instance.rules.pinned(job).is_some(),
            goes_to: self.goes_to(job),
        }
    }

    fn longest(&self) -> &str {
        self.instance.jobs.iter().map(|job| job.name.as_str()).max_by_key(|name| name.chars().count()).unwrap_or("")
    }

    fn describe(&self, position: usize) -> String {
        let late =
            self.late(position).map_or_else(String::new, |late| format!(", {} late", self.instance.span(late.into())));
        let job = self.job(position);
        let pinned = self.instance.rules.pinned(job).map_or_else(String::new, |to| format!(", pinned to {}", to + 1));
        format!("Position {}: job {}{late}{pinned}", position + 1, self.instance.jobs[job].name)
    }

    fn can_move(&self) -> bool {
        self.movable
    }

    fn preview(&self, moved: Moved) -> Vec<String> {
        let Moved { from, to } = moved;
        let mut lines = match MoveEffects::of(self.instance, &self.plan.schedule, [from, to], self.objective) {
            Ok(effects) => effects.lines(self.instance, PREVIEWED),
            Err(why) => vec![why],
        };
        let following = self.following.as_ref().filter(|(carried, _)| *carried == moved);
        lines.extend(following.map(|(_, others)| following::hint(self.instance, self.objective, others)));
        lines
    }

    fn summary(&self) -> String {
        format!("Order of {} jobs", self.count())
    }
}

fn order(ui: &mut Ui, document: &mut Document, plan: &Plan) {
    let instance = std::sync::Arc::clone(&document.instance);
    // While a run goes on the plan changes under the hand.
    let movable = document.shown != gridwright_window::runs::Shown::Live;
    let following = document.state.charting.carried.map(|moved| (moved, others_of(ui.ctx(), document, plan, moved)));
    document.state.follows = match &following {
        Some((_, Others::Made(following))) => Some(std::sync::Arc::clone(following)),
        _ => None,
    };
    let strip = Strip { instance: &instance, plan, movable, objective: document.objective(), following };
    let selected = document.selected_position();
    let outcome = sequence::show(ui, &strip, &mut document.state.charting.strip, selected);
    document.state.charting.carried = outcome.carried;
    document.canvas_focused |= outcome.response.has_focus();
    outcome.response.context_menu(|ui| rules::menu(ui, document));
    if let Some(picked) = outcome.picked {
        document.selected = picked.map(|position| Selection { job: strip.job(position), machine: None });
        if let Some(selection) = document.selected {
            document.state.charting.view.reveal(selection);
        }
    }
    if let Some(moved) = outcome.moved {
        document.selected = Some(Selection { job: strip.job(moved.from), machine: None });
        let others_follow = outcome.is_dropped && ui.input(|input| input.modifiers.shift);
        let done = match others_follow {
            true => document.move_with_others(ui.ctx(), moved),
            false => document.move_job(moved.from, moved.to),
        };
        if let Err(why) = done {
            document.say(why);
        }
    }
}

/// Jobs that would follow the carried one.
fn others_of(ctx: &egui::Context, document: &mut Document, plan: &Plan, moved: Moved) -> Others<Following> {
    let Some(&job) = plan.order.0.get(moved.from) else { return Others::Missing };
    document.others_for(ctx, &plan.order, Held { job: job.into(), position: moved.to })
}
