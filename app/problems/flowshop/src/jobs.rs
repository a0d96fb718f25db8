//! All jobs as a table: the same data as the picture, for the keyboard, for screen readers and for sorting.

use egui::{Align, Label, Layout, RichText, Sense, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder};
use gridwright_core::numbers::grouped;
use gridwright_flowshop::Instance;

use super::Document;
use super::plan::Plan;
use crate::methods::*;
use crate::widgets::gantt::Selection;
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::controls::right;

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

fn lines(instance: &Instance, plan: &Plan, by: By, descending: bool) -> Vec<Line> {
    let line = |(position, &job): (usize, &u16)| {
        let job = usize::from(job);
        Line {
            job,
            position,
            work: instance.row(job).iter().map(|&time| u64::from(time)).sum(),
            start: plan.schedule.start(position, 0),
            done: plan.schedule.done(position),
            due: instance.jobs[job].due,
        }
    };
    let mut lines: Vec<Line> = plan.order.0.iter().enumerate().map(line).collect();
    match by {
        By::Position => {}
        By::Name => lines.sort_by_key(|line| line.job),
        By::Work => lines.sort_by_key(|line| line.work),
        By::Start => lines.sort_by_key(|line| line.start),
        By::Done => lines.sort_by_key(|line| line.done),
        By::Due => lines.sort_by_key(|line| line.due),
        By::Late => lines.sort_by_key(Line::late),
    }
    if descending {
        lines.reverse();
    }
    lines
}

/// Shows the table; a click selects the job.
pub(crate) fn show(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    let Some(plan) = document.plan().cloned() else { return };
    let id = ui.scope_id().with("sorted by");
    let (mut by, mut descending): (usize, bool) = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let due = document.instance.has_due_dates();
    let columns = &COLUMNS[..if due { COLUMNS.len() } else { COLUMNS.len() - 2 }];
    let lines = lines(&document.instance, &plan, columns.get(by).map_or(By::Position, |column| column.0), descending);
    let table_width = ui.available_width();
    ui.spacing_mut().item_spacing.x = space::S;
    let mut table = TableBuilder::new(ui)
        .id_salt("jobs")
        .striped(true)
        .cell_layout(Layout::left_to_right(Align::Center))
        .auto_shrink(false)
        .sense(Sense::click());
    let width = ((table_width - 96.0) / (columns.len() - 1) as f32 - 8.0).clamp(48.0, 92.0);
    for (of, ..) in columns {
        let column = if *of == By::Name { Column::exact(96.0) } else { Column::exact(width) };
        table = table.column(column.clip(true));
    }
    let mut clicked = None;
    let table = table.column(Column::remainder()).header(size::ROW, |mut header| {
        for (index, (_, name, help, to_right)) in columns.iter().enumerate() {
            header.col(|ui| {
                let arrow = match (index == by, descending) {
                    (false, _) => "",
                    (true, false) => " ↑",
                    (true, true) => " ↓",
                };
                let align = if *to_right { Align::Max } else { Align::Min };
                ui.with_layout(Layout::top_down(align), |ui| {
                    let words = RichText::new(format!("{name}{arrow}")).color(palette.weak).size(theme::text::SMALL);
                    let response = ui.add(Label::new(words).sense(Sense::click())).on_hover_text(*help);
                    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Sort by {name}")));
                    if response.clicked() {
                        clicked = Some(index);
                    }
                });
            });
        }
    });
    let selected = document.selected.map(|selection| selection.job);
    let mut picked = None;
    table.body(|body| {
        body.rows(size::ROW, lines.len(), |mut row| {
            let line = &lines[row.index()];
            row.set_selected(selected == Some(line.job));
            for (of, ..) in columns {
                row.col(|ui| cell(ui, document, line, *of));
            }
            row.col(|_| {});
            let response = row.response();
            response.widget_info(|| {
                let words = words(document, line);
                WidgetInfo::selected(egui::Role::Row, true, selected == Some(line.job), words)
            });
            if response.clicked() {
                picked = Some(line.job);
            }
        });
    });
    if let Some(index) = clicked {
        (by, descending) = if index == by { (by, !descending) } else { (index, false) };
        ui.data_mut(|data| data.insert_temp(id, (by, descending)));
    }
    if let Some(job) = picked {
        document.selected = Some(Selection { job, machine: None });
    }
    ui.add_space(space::XS);
}

fn cell(ui: &mut Ui, document: &Document, line: &Line, of: By) {
    let palette = palette(ui.visuals());
    let number = |value: u32| grouped(i64::from(value));
    match of {
        By::Position => right(ui, &(line.position + 1).to_string(), palette.text),
        By::Name => {
            ui.add(Label::new(&document.instance.jobs[line.job].name).truncate());
        }
        By::Work => right(ui, &grouped(line.work as i64), palette.text),
        By::Start => right(ui, &number(line.start), palette.text),
        By::Done => right(ui, &number(line.done), palette.text),
        By::Due => right(ui, &line.due.map_or_else(|| "–".to_owned(), number), palette.text),
        By::Late if line.late() == 0 => right(ui, "–", palette.weak),
        By::Late => right(ui, &number(line.late()), palette.bad),
    }
}

fn words(document: &Document, line: &Line) -> String {
    let name = &document.instance.jobs[line.job].name;
    let late = if line.late() > 0 { format!(", {} late", line.late()) } else { String::new() };
    format!("Position {}: job {name}, from {} to {}{late}", line.position + 1, line.start, line.done)
}
