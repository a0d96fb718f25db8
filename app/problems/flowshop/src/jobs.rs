//! All jobs as a table: the same data as the picture, for the keyboard, for screen readers and for sorting.

use egui::{Label, Ui};
use egui_extras::Column;
use gridwright_core::numbers::grouped;
use gridwright_flowshop::Instance;

use super::Document;
use super::plan::Plan;
use crate::methods::*;
use crate::widgets::gantt::Selection;
use gridwright_window::theme::{palette, space};
use gridwright_window::widgets::controls::right;
use gridwright_window::widgets::table::{SortColumn, SortOrder, Table, TableColumn, label_row};

/// Column that the table is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum By {
    #[default]
    Position,
    Name,
    Work,
    Start,
    Done,
    Due,
    Late,
}

impl SortColumn for By {}

const COLUMNS: [(By, &str, &str, bool); 7] = [
    (By::Position, "Position", "The place in the order", true),
    (By::Name, "Job", "The name of the job", false),
    (By::Work, "Work", "The sum of its processing times", true),
    (By::Start, "Start", "When the first machine begins with it", true),
    (By::Done, "Done", "When the last machine is done with it", true),
    (By::Due, "Due", "When it should be done", true),
    (By::Late, "Late by", "How much later than due it is done", true),
];

struct Line {
    job: usize,
    position: usize,
    work: u64,
    start: u32,
    done: u32,
    due: Option<u32>,
}

impl Line {
    fn late(&self) -> u32 {
        self.due.map_or(0, |due| self.done.saturating_sub(due))
    }
}

fn lines(instance: &Instance, plan: &Plan, order: SortOrder<By>) -> Vec<Line> {
    let line = |(position, &job): (usize, &u16)| {
        let job = usize::from(job);
        Line {
            job,
            position,
            work: instance.row(job).iter().map(|&time| u64::from(time)).sum(),
            start: plan.schedule.begin(position),
            done: plan.schedule.done(position),
            due: instance.jobs[job].due,
        }
    };
    let mut lines: Vec<Line> = plan.order.0.iter().enumerate().map(line).collect();
    match order.by {
        By::Position => {}
        By::Name => lines.sort_by_key(|line| line.job),
        By::Work => lines.sort_by_key(|line| line.work),
        By::Start => lines.sort_by_key(|line| line.start),
        By::Done => lines.sort_by_key(|line| line.done),
        By::Due => lines.sort_by_key(|line| line.due),
        By::Late => lines.sort_by_key(Line::late),
    }
    if order.is_descending {
        lines.reverse();
    }
    lines
}

/// Shows the table; a click selects the job.
pub(crate) fn show(ui: &mut Ui, document: &mut Document) {
    let Some(plan) = document.plan().cloned() else { return };
    let id = ui.scope_id().with("sorted by");
    let mut order: SortOrder<By> = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let due = document.instance.has_due_dates();
    let columns = &COLUMNS[..if due { COLUMNS.len() } else { COLUMNS.len() - 2 }];
    if columns.iter().all(|column| column.0 != order.by) {
        order = SortOrder::default();
    }
    let lines = lines(&document.instance, &plan, order);
    // Dates with times of day are longer than numbers.
    let widest = if document.instance.plan_start().is_some() { 116.0 } else { 92.0 };
    let width = ((ui.available_width() - 96.0) / (columns.len() - 1) as f32 - 8.0).clamp(48.0, widest);
    let column = |&(by, name, help, is_number): &(By, &'static str, &'static str, bool)| {
        let column = match is_number {
            true => TableColumn::number(name, Column::exact(width).clip(true)),
            false => TableColumn::text(name, Column::exact(96.0).clip(true)),
        };
        column.sorted(by, help)
    };
    let all = columns.iter().map(column).chain([TableColumn::text("", Column::remainder())]).collect();
    ui.spacing_mut().item_spacing.x = space::S;
    let selected = document.selected.map(|selection| selection.job);
    let table = Table { id: "jobs", columns: all, order, is_striped: true, reveal: None };
    let outcome = table.show(ui, lines.len(), |row, index| {
        let line = &lines[index];
        let is_selected = selected == Some(line.job);
        row.set_selected(is_selected);
        for (of, ..) in columns {
            row.col(|ui| cell(ui, document, line, *of));
        }
        row.col(|_| {});
        label_row(row, is_selected, || words(document, line));
    });
    ui.data_mut(|data| data.insert_temp(id, outcome.order.unwrap_or(order)));
    if let Some(line) = outcome.row.and_then(|row| lines.get(row)) {
        document.selected = Some(Selection { job: line.job, machine: None });
    }
    ui.add_space(space::XS);
}

fn cell(ui: &mut Ui, document: &Document, line: &Line, of: By) {
    let palette = palette(ui.visuals());
    let number = |value: u32| grouped(i64::from(value));
    let moment = |time: u32| document.instance.moment(time);
    match of {
        By::Position => right(ui, &(line.position + 1).to_string(), palette.text),
        By::Name => {
            ui.add(Label::new(&document.instance.jobs[line.job].name).truncate());
        }
        By::Work => right(ui, &grouped(line.work as i64), palette.text),
        By::Start => right(ui, &moment(line.start), palette.text),
        By::Done => right(ui, &moment(line.done), palette.text),
        By::Due => {
            right(ui, &line.due.map_or_else(|| "–".to_owned(), |due| document.instance.due_moment(due)), palette.text)
        }
        By::Late if line.late() == 0 => right(ui, "–", palette.weak),
        By::Late => right(ui, &number(line.late()), palette.bad),
    }
}

fn words(document: &Document, line: &Line) -> String {
    let name = &document.instance.jobs[line.job].name;
    let late = if line.late() > 0 { format!(", {} late", line.late()) } else { String::new() };
    let [start, done] = [line.start, line.done].map(|time| match document.instance.plan_start() {
        Some(_) => document.instance.moment(time),
        None => time.to_string(),
    });
    format!("Position {}: job {name}, from {start} to {done}{late}", line.position + 1)
}
