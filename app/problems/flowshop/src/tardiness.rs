//! View of the lateness of the jobs against their due dates: a bar for each, counts, and the chart of the plan below.

use std::sync::Arc;

use egui::{Frame, Panel, Ui};
use gridwright_core::numbers::{count_change, counted, grouped};
use gridwright_flowshop::Instance;

use super::Document;
use super::plan::Plan;
pub use super::state::By;
use crate::methods::*;
use crate::widgets::gantt::Selection;
use crate::widgets::signed;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{placeholder, segmented};
use gridwright_window::widgets::icons::Icon;

/// Height in points below which the bars take the whole view.
const CHART: f32 = 300.0;

/// A job with a due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The job.
    pub job: usize,
    /// Its position.
    pub position: usize,
    /// d_j.
    pub due: u32,
    /// C_j.
    pub done: u32,
}

impl Line {
    /// L_j = C_j − d_j; negative where it is early.
    pub fn late(&self) -> i64 {
        i64::from(self.done) - i64::from(self.due)
    }
}

/// All jobs with due dates, sorted.
pub fn lines(instance: &Instance, plan: &Plan, by: By) -> Vec<Line> {
    let line = |(position, &job): (usize, &u16)| {
        let job = usize::from(job);
        let due = instance.jobs[job].due?;
        Some(Line { job, position, due, done: plan.schedule.done(position) })
    };
    let mut lines: Vec<Line> = plan.order.0.iter().enumerate().filter_map(line).collect();
    match by {
        By::Lateness => lines.sort_by_key(|line| (std::cmp::Reverse(line.late()), line.position)),
        By::Position => {}
        By::Due => lines.sort_by_key(|line| (line.due, line.position)),
    }
    lines
}

/// «3 of 8 jobs late · 41 in all · worst 22 (Document) · 5 early by 13 on average».
pub fn counts(instance: &Instance, lines: &[Line]) -> String {
    let late: Vec<&Line> = lines.iter().filter(|line| line.late() > 0).collect();
    let mut words = format!("{} of {} late", grouped(late.len() as u64), counted(lines.len(), "job"));
    if let Some(worst) = late.iter().max_by_key(|line| line.late()) {
        let total: i64 = late.iter().map(|line| line.late()).sum();
        let name = &instance.jobs[worst.job].name;
        words += &format!(" · {} in all · worst {} ({name})", instance.span(total), instance.span(worst.late()));
    }
    let spare: Vec<i64> = lines.iter().map(|line| -line.late()).filter(|spare| *spare > 0).collect();
    if !spare.is_empty() {
        let mean = spare.iter().sum::<i64>() as f64 / spare.len() as f64;
        words += &format!(" · {} early by {} on average", spare.len(), instance.span(mean.round() as i64));
    }
    words
}

struct Bars<'a> {
    instance: &'a Instance,
    lines: &'a [Line],
}

impl signed::Source for Bars<'_> {
    fn count(&self) -> usize {
        self.lines.len()
    }

    fn value(&self, bar: usize) -> i64 {
        self.lines[bar].late()
    }

    fn name(&self, bar: usize) -> String {
        self.instance.jobs[self.lines[bar].job].name.clone()
    }

    fn describe(&self, bar: usize) -> String {
        let line = &self.lines[bar];
        let moment = |time: u32| self.instance.moment(time);
        let how = match line.late() {
            0 => "on time".to_owned(),
            late if late > 0 => format!("{} late", self.instance.span(late)),
            early => format!("{} early", self.instance.span(-early)),
        };
        let name = &self.instance.jobs[line.job].name;
        format!(
            "Job {name}, {how}: done {}, due {}, position {}",
            moment(line.done),
            moment(line.due),
            line.position + 1
        )
    }

    fn change(&self, bar: usize) -> String {
        let late = self.lines[bar].late();
        match self.instance.plan_start() {
            Some(_) if late > 0 => format!("+{}", self.instance.span(late)),
            Some(_) => self.instance.span(late),
            None => count_change(late),
        }
    }

    fn scale(&self) -> (f64, &'static str) {
        let furthest = self.lines.iter().map(|line| line.late().unsigned_abs()).max().unwrap_or(0);
        match self.instance.plan_start() {
            Some(_) => time_scale(furthest, self.instance.seconds_per_unit()),
            None => (1.0, ""),
        }
    }

    fn above(&self) -> &'static str {
        "Late"
    }

    fn below(&self) -> &'static str {
        "Early"
    }

    fn line(&self) -> &'static str {
        "due date of each job"
    }

    fn summary(&self) -> String {
        format!("Lateness of {} jobs", self.lines.len())
    }
}

/// Units of an axis that reaches so far: how many time units it has, and its name.
fn time_scale(furthest: u64, seconds_per_unit: u32) -> (f64, &'static str) {
    let seconds = furthest * u64::from(seconds_per_unit);
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let (size, name) = units.into_iter().find(|(size, _)| seconds >= 2 * size).unwrap_or((1, "s"));
    (size as f64 / f64::from(seconds_per_unit), name)
}

/// Shows the counts, the bars and the chart.
pub fn show(ui: &mut Ui, document: &mut Document) {
    if !document.instance.has_due_dates() {
        let text = "No job of this instance has a due date, so nothing can be late. Tables may have a column “due date”; \
                    taillard:ta001 … ta120 have Liefooghe's.";
        placeholder(ui, Icon::Calendar, "No due dates", text, |_| {});
        return;
    }
    let Some(plan) = document.plan().cloned() else { return };
    let instance = Arc::clone(&document.instance);
    let lines = lines(&instance, &plan, document.late_by);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let chosen = By::ALL.iter().position(|by| *by == document.late_by);
        if let Some(choice) = segmented(ui, &By::ALL.map(By::choice), chosen) {
            document.late_by = By::ALL[choice];
        }
        let late = lines.iter().any(|line| line.late() > 0);
        let palette = palette(ui.visuals());
        let words = theme::bold(counts(&instance, &lines)).color(if late { palette.text } else { palette.good });
        ui.add(egui::Label::new(words).wrap());
    });
    let height = ui.available_height();
    if height >= CHART {
        let below = Panel::bottom("chart of the late plan").default_size(height * 0.4).size_range(72.0..=height * 0.6);
        below.resizable(true).frame(Frame::new()).show(ui, |ui| super::gantt::compact(ui, document, true));
    }
    egui::CentralPanel::default().frame(Frame::new()).show(ui, |ui| {
        let bars = Bars { instance: &instance, lines: &lines };
        let selected = document.selected.and_then(|selected| lines.iter().position(|line| line.job == selected.job));
        let outcome = signed::show(ui, &bars, selected);
        document.canvas_focused |= outcome.response.has_focus();
        if let Some(picked) = outcome.picked {
            document.selected = picked.map(|bar| Selection { job: lines[bar].job, machine: None });
            if let Some(selection) = document.selected {
                document.charting.view.reveal(selection);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_flowshop::Order;

    /// Job 1 takes 3 then 2 and is due at 4, job 2 takes 1 then 4 and is due at 12: in order 1, 2 they are done at 5 and 9.
    #[test]
    fn lines_are_sorted_and_counted() {
        let mut instance = Instance::of_times("by hand", 2, vec![3, 2, 1, 4]).unwrap();
        (instance.jobs[0].due, instance.jobs[1].due) = (Some(4), Some(12));
        let plan = Plan::of(&instance, Arc::new(Order(vec![0, 1])));
        let late = |by| lines(&instance, &plan, by).iter().map(Line::late).collect::<Vec<_>>();
        assert_eq!((late(By::Lateness), late(By::Position), late(By::Due)), (vec![1, -3], vec![1, -3], vec![1, -3]));
        let first = instance.jobs[0].name.clone();
        let words = counts(&instance, &lines(&instance, &plan, By::Lateness));
        assert_eq!(words, format!("1 of 2 jobs late · 1 in all · worst 1 ({first}) · 1 early by 3 on average"));
        let plan = Plan::of(&instance, Arc::new(Order(vec![1, 0])));
        let told = lines(&instance, &plan, By::Lateness);
        assert_eq!(told.iter().map(|line| (line.job, line.late())).collect::<Vec<_>>(), [(0, 3), (1, -7)]);
        instance.jobs[0].due = None;
        assert_eq!(lines(&instance, &plan, By::Due).len(), 1, "who is never due is not listed");
    }
}
