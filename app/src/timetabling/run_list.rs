//! The list of runs: algorithm, seed, device, best, time, why it stopped.

use egui::{Align, Color32, Label, Layout, RichText, Sense, Ui, WidgetInfo, vec2};
use egui_extras::{Column, TableBuilder};

use super::desk::{Desk, Shown};
use super::exams::right;
use super::settings::algorithm_name;
use super::solving::{Run, Standing};
use crate::theme::{self, palette, size, text};
use crate::widgets::convergence::{number, seconds};

/// What one row says.
struct Row {
    number: usize,
    shown: Shown,
    cells: [String; 6],
    colour: Color32,
    best_colour: Color32,
    help: String,
}

/// Shows the list; a click shows the timetable of that run.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let palette = palette(ui.visuals());
    let best = desk.listed().filter(|run| run.standing == Standing::Valid).map(|run| run.raw).min();
    let mut rows = Vec::new();
    if let Some(live) = &desk.live {
        let number_ = desk.next_number();
        let progress = live.kept.as_ref().map(|kept| &kept.progress);
        let state = if live.session.is_paused() { "paused" } else { "solving" };
        rows.push(Row {
            number: number_,
            shown: Shown::Live,
            cells: [
                algorithm_name(live.settings.algorithm.name()).to_owned(),
                live.settings.seed.to_string(),
                "CPU".to_owned(),
                progress.map_or_else(String::new, |p| number(p.snapshot.best_cost / f64::from(desk.instance.divisor))),
                progress.map_or_else(String::new, |p| seconds(p.seconds)),
                state.to_owned(),
            ],
            colour: palette.curve(number_ - 1),
            best_colour: palette.text,
            help: "The best timetable so far".to_owned(),
        });
    }
    rows.extend(desk.listed().map(|run| row(run, desk, best, palette)));
    if rows.is_empty() {
        ui.add_space(theme::space::S);
        ui.label(
            theme::small("Runs are listed here and kept: open the file again and they are back.").color(palette.weak),
        );
        return;
    }
    let mut clicked = None;
    ui.spacing_mut().item_spacing.x = 10.0;
    let table = TableBuilder::new(ui)
        .id_salt("runs")
        .sense(Sense::click())
        .cell_layout(Layout::left_to_right(Align::Center))
        .auto_shrink(false)
        .column(Column::exact(30.0))
        .column(Column::exact(66.0).clip(true))
        .column(Column::exact(40.0).clip(true))
        .column(Column::exact(44.0).clip(true))
        .column(Column::exact(58.0))
        .column(Column::exact(54.0))
        .column(Column::remainder().at_least(40.0).clip(true));
    let table = table.header(22.0, |mut header| {
        for (name, to_right) in [
            ("Run", false),
            ("Algorithm", false),
            ("Seed", true),
            ("Device", false),
            ("Best", true),
            ("Time", true),
            ("Stopped", false),
        ] {
            header.col(|ui| {
                let layout =
                    if to_right { Layout::right_to_left(Align::Center) } else { Layout::left_to_right(Align::Center) };
                ui.with_layout(layout, |ui| ui.label(theme::small(name).color(palette.weak)));
            });
        }
    });
    table.body(|body| {
        body.rows(size::ROW, rows.len(), |mut line| {
            let row = &rows[line.index()];
            line.set_selected(desk.shown == row.shown);
            line.col(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
                ui.painter().circle_filled(rect.center(), 4.0, row.colour);
                ui.add_space(-6.0);
                ui.label(RichText::new(row.number.to_string()).color(palette.text));
            });
            for (index, cell) in row.cells.iter().enumerate() {
                line.col(|ui| match index {
                    1 | 3 | 4 => right(ui, cell, if index == 3 { row.best_colour } else { palette.text }),
                    _ => {
                        ui.add(Label::new(RichText::new(cell).size(text::BODY).color(palette.text)).truncate());
                    }
                });
            }
            let response = line.response();
            let [algorithm, seed, device, best, time, stopped] = &row.cells;
            let label =
                format!("Run {}: {algorithm}, seed {seed}, {device}, best {best}, {time}, {stopped}", row.number);
            response.widget_info(|| WidgetInfo::selected(egui::Role::Row, true, desk.shown == row.shown, &label));
            if response.clicked() {
                clicked = Some(row.shown);
            }
            response.on_hover_text(&row.help);
        });
    });
    match clicked {
        Some(Shown::Run(number)) => desk.show_run(number),
        Some(Shown::Live) => desk.show_live(),
        _ => {}
    }
}

fn row(run: &Run, desk: &Desk, best: Option<u64>, palette: &theme::Palette) -> Row {
    let result = &run.result;
    let shown = number(desk.instance.shown(run.raw));
    let (best_text, best_colour, help) = match &run.standing {
        Standing::Valid if best == Some(run.raw) => (shown, palette.good, "The best of these runs, checked".to_owned()),
        Standing::Valid => (shown, palette.text, "Checked".to_owned()),
        Standing::Incomplete(text) => ("incomplete".to_owned(), palette.bad, text.clone()),
        Standing::Wrong(text) => ("wrong".to_owned(), palette.bad, text.clone()),
    };
    let device = if result.backend == "cpu" { "CPU".to_owned() } else { result.device.clone() };
    Row {
        number: run.number,
        shown: Shown::Run(run.number),
        cells: [
            algorithm_name(&result.algorithm).to_owned(),
            result.seed.to_string(),
            device,
            best_text,
            seconds(result.seconds),
            result.stop_reason.to_string(),
        ],
        colour: palette.curve(run.number - 1),
        best_colour,
        help: format!("{help}\n{} on {}, {} thread(s)", result.program, result.device, result.threads),
    }
}
