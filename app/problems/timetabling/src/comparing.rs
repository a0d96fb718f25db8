//! Two timetables of one instance side by side: figures, who gains and who loses, what moved.
//!
//! Knows nothing of the rest of the window: it takes a [`Comparison`] and says which exam was clicked.

mod rooms;

use std::cmp::Ordering;

use egui::{
    Align2, Color32, Frame, Label, Margin, Rect, RichText, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2,
    vec2,
};
use egui_extras::{Column, TableRow};
use gridwright_core::numbers;
use gridwright_core::numbers::{counted, grouped};
use gridwright_timetabling::Instance;
use gridwright_timetabling::comparison::{Class, Comparison, Row};

use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::controls::right;
use gridwright_window::widgets::controls::{placeholder, section, segmented};
use gridwright_window::widgets::entry::Field;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::table::{SortOrder, Table, TableColumn, label_row};

/// Width of the figures at most; the lists take the rest.
const FIGURES: f32 = 480.0;

/// Below this width the list of moved exams goes without their titles.
const TITLED: f32 = 580.0;

/// Height in points of the lists if they are drawn under the figures.
const LISTS: f32 = 360.0;

/// Below this width the lists stand under the figures.
const NARROW: f32 = 700.0;

/// List that is open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum List {
    #[default]
    Moved,
    Reseated,
    Losers,
    Gainers,
}

/// View state of the comparison; kept in egui's memory under the id of the view.
#[derive(Debug, Clone, Default)]
struct State {
    list: List,
    filter: String,
}

/// Shows a comparison under the names of the two timetables, the first as the one before; returns the exam that was
/// clicked; `None` if none was.
pub fn show(ui: &mut Ui, comparison: &Comparison, instance: &Instance, names: [&str; 2]) -> Option<usize> {
    if comparison.is_empty() {
        let what = format!("{} and {} give every exam the same period and the same rooms.", names[0], names[1]);
        placeholder(ui, Icon::Check, "No difference", &what, |_| {});
        return None;
    }
    let id = ui.scope_id().with("comparing");
    let mut state: State = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
    let palette = palette(ui.visuals());
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette.surface);
    let full = ui.available_rect_before_wrap();
    let below = full.width() < NARROW;
    let clicked = if below {
        let all = ScrollArea::vertical().id_salt("comparison").show(ui, |ui| {
            panel(ui, |ui| figures(ui, comparison, instance, names));
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LISTS), Sense::hover());
            within(ui, rect, |ui| lists(ui, comparison, instance, names, &mut state))
        });
        all.inner
    } else {
        let middle = full.left() + (full.width() * 0.46).min(FIGURES);
        let left = Rect::from_min_max(full.min, pos2(middle, full.bottom()));
        let rest = Rect::from_min_max(pos2(middle, full.top()), full.max);
        ui.painter().vline(middle, full.y_range(), Stroke::new(1.0, palette.border));
        ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
            ScrollArea::vertical().id_salt("comparison").auto_shrink(false).show(ui, |ui| {
                panel(ui, |ui| figures(ui, comparison, instance, names));
            });
        });
        within(ui, rest, |ui| lists(ui, comparison, instance, names, &mut state))
    };
    ui.data_mut(|data| data.insert_temp(id, state));
    clicked
}

/// Draws the placeholder shown while there are fewer than two timetables.
pub(crate) fn show_nothing(ui: &mut Ui) {
    let what = "Solve twice, or change a timetable by hand: what moved, who gains and who loses is shown here.";
    placeholder(ui, Icon::Grid, "Two timetables are needed", what, |_| {});
}

fn panel<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    Frame::new().inner_margin(Margin::same(space::M as i8)).show(ui, contents).inner
}

fn within<R>(ui: &mut Ui, rect: Rect, contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| panel(ui, contents)).inner
}

fn figures(ui: &mut Ui, comparison: &Comparison, instance: &Instance, names: [&str; 2]) {
    let palette = palette(ui.visuals());
    section(ui, "Figures", |_| {});
    heads(ui, names);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        // Which period is the largest is no gain or loss.
        for row in comparison.rows(instance).iter().filter(|row| row.is_number) {
            figure(ui, row, names);
        }
    });
    ui.add_space(space::M);
    section(ui, "Students", |_| {});
    let tally = comparison.tally();
    let parts = [
        (tally.better, "better off", palette.good),
        (tally.worse, "worse off", palette.bad),
        (tally.equal, "as before", palette.weak),
    ];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::L;
        for (count, words, colour) in parts {
            ui.label(theme::bold(format!("{} {words}", grouped(count as i64))).color(colour));
        }
    });
    ui.add_space(space::XS);
    histogram(ui, comparison.histogram());
    let caption = match instance.objective.is_toronto() {
        true => {
            "Students by how much their own cost changes: 16 for exams in adjacent periods, 8, 4, 2, 1 for two to five \
             periods apart"
        }
        false => "Students by how much the days and distances of their own exams cost",
    };
    ui.label(theme::small(caption).color(palette.weak));
}

/// Widths of the three columns of numbers; the label takes the rest.
fn widths(ui: &Ui) -> [f32; 4] {
    let number = (ui.available_width() * 0.2).clamp(56.0, 66.0);
    let change = number + 18.0;
    [(ui.available_width() - 2.0 * number - change).max(60.0), number, number, change]
}

fn heads(ui: &mut Ui, names: [&str; 2]) {
    let palette = palette(ui.visuals());
    let widths = widths(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    let label = format!("{} is compared with {}", names[1], names[0]);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &label));
    let mut x = rect.left() + widths[0];
    // As the two are called above; their names would be cut off.
    for (words, width) in ["Before", "After", "Change"].into_iter().zip(&widths[1..]) {
        x += width;
        put(ui, words, (x, rect.center().y), width - space::S, (true, palette.weak), theme::bold_font(text::SMALL));
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, palette.border));
}

fn figure(ui: &mut Ui, row: &Row, names: [&str; 2]) {
    let palette = palette(ui.visuals());
    let widths = widths(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    let (colour, word, arrow) = match row.trend {
        Ordering::Less => (palette.good, "better", "▼ "),
        Ordering::Greater => (palette.bad, "worse", "▲ "),
        Ordering::Equal => (palette.weak, "as before", ""),
    };
    let [before, after] = &row.texts;
    let label = format!("{}: {} {before}, {} {after}, {word}", row.label, names[0], names[1]);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &label));
    let y = rect.center().y;
    let font = theme::font(text::BODY);
    put(ui, row.short, (rect.left(), y), widths[0] - space::S, (false, palette.text), font.clone());
    let change = if row.change.is_empty() { String::new() } else { format!("{arrow}{}", row.change) };
    let mut x = rect.left() + widths[0];
    for (index, (words, width)) in [before, after, &change].into_iter().zip(&widths[1..]).enumerate() {
        x += width;
        let look = if index == 2 { (true, colour) } else { (true, palette.text) };
        let font = if index == 2 { theme::bold_font(text::BODY) } else { font.clone() };
        put(ui, words, (x, y), width - space::S, look, font);
    }
    response.on_hover_text(label);
}

/// Draws a text from `at` to the right or to the left; a text that is too long ends with «…».
fn put(ui: &Ui, words: &str, at: (f32, f32), room: f32, look: (bool, Color32), font: egui::FontId) {
    let (to_left, colour) = look;
    let mut job = egui::text::LayoutJob::simple_singleline(words.to_owned(), font, colour);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room);
    let galley = ui.painter().layout_job(job);
    let x = if to_left { at.0 - galley.size().x } else { at.0 };
    ui.painter().galley(pos2(x, at.1 - galley.size().y / 2.0), galley, colour);
}

/// «−31 to −16», «32 or more».
fn class_words(class: &Class) -> String {
    match (class.from, class.to) {
        (from, i64::MAX) => format!("+{from} or more"),
        (from, to) if from == -i64::MAX => format!("{} or more", numbers::count_change(to)),
        (from, to) => format!("{} to {}", numbers::count_change(from), numbers::count_change(to)),
    }
}

/// The end of a class that lies nearer to nought, under its bar.
fn class_label(class: &Class) -> String {
    numbers::count_change(if class.from > 0 { class.from } else { class.to })
}

fn histogram(ui: &mut Ui, classes: &[Class]) {
    const HEIGHT: f32 = 96.0;
    let palette = palette(ui.visuals());
    let (full, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    response.widget_info(|| {
        let filled = classes.iter().filter(|class| class.students > 0);
        let words = filled.map(|class| format!("{}: {}", class_words(class), class.students)).collect::<Vec<_>>();
        WidgetInfo::labeled(egui::Role::Image, true, format!("Change of students' cost: {}", words.join(", ")))
    });
    let area = Rect::from_min_max(full.min + vec2(0.0, 16.0), full.max - vec2(0.0, 16.0));
    let highest = classes.iter().map(|class| class.students).max().unwrap_or(0).max(1);
    let width = area.width() / classes.len().max(1) as f32;
    let hovered =
        response.hover_pos().map(|at| ((at.x - area.left()) / width) as usize).filter(|&at| at < classes.len());
    let font = theme::font(text::TINY);
    for (index, class) in classes.iter().enumerate() {
        let (left, centre) = (area.left() + index as f32 * width, area.left() + (index as f32 + 0.5) * width);
        let height = (class.students as f32 / highest as f32 * area.height()).max(f32::from(class.students > 0) * 2.0);
        let bar = Rect::from_min_max(pos2(left + 3.0, area.bottom() - height), pos2(left + width - 3.0, area.bottom()));
        let colour = if class.from > 0 { palette.bad } else { palette.good };
        let faint = if hovered == Some(index) { 1.0 } else { 0.72 };
        ui.painter().rect_filled(bar, 2.0, colour.gamma_multiply(faint));
        let number = if class.students > 0 { grouped(class.students as i64) } else { String::new() };
        ui.painter().text(pos2(centre, bar.top() - 2.0), Align2::CENTER_BOTTOM, number, font.clone(), palette.text);
        let label = class_label(class);
        ui.painter().text(pos2(centre, area.bottom() + 3.0), Align2::CENTER_TOP, label, font.clone(), palette.weak);
    }
    ui.painter().hline(area.x_range(), area.bottom(), Stroke::new(1.0, palette.border_strong));
    if let Some(class) = hovered.and_then(|index| classes.get(index)) {
        let text = format!("{}\nOwn cost {}", counted(class.students, "student"), class_words(class));
        response.on_hover_text_at_pointer(text);
    }
}

fn lists(
    ui: &mut Ui, comparison: &Comparison, instance: &Instance, names: [&str; 2], state: &mut State,
) -> Option<usize> {
    let palette = palette(ui.visuals());
    let count = |count: usize| grouped(count as i64);
    let mut tabs = vec![
        (List::Moved, format!("Moved exams {}", count(comparison.moved.len())), "Exams with another period"),
        (List::Losers, format!("Worse off {}", count(comparison.losers().len())), "Students whose own cost rises"),
        (List::Gainers, format!("Better off {}", count(comparison.gainers().len())), "Students whose own cost falls"),
    ];
    if instance.has_rooms() {
        let name = format!("Other rooms {}", count(comparison.reseated.len()));
        tabs.insert(1, (List::Reseated, name, "Exams with other rooms"));
    }
    let choices: Vec<(&str, &str, bool)> = tabs.iter().map(|(_, name, help)| (name.as_str(), *help, true)).collect();
    ui.horizontal_wrapped(|ui| {
        if let Some(pressed) = segmented(ui, &choices, tabs.iter().position(|tab| tab.0 == state.list)) {
            state.list = tabs[pressed].0;
        }
        let is_of_exams = matches!(state.list, List::Moved | List::Reseated);
        let what = if is_of_exams { "Filter by code or title" } else { "Filter by student" };
        let width = ui.available_width().clamp(120.0, 220.0);
        Field::new(what).hint(what).margin(8, 5).width(width).live(ui, &mut state.filter);
    });
    ui.add_space(space::S);
    let wanted = state.filter.trim().to_lowercase();
    let fits = |words: &str| wanted.is_empty() || words.to_lowercase().contains(&wanted);
    match state.list {
        List::Moved => {
            let exam = |at: usize| &instance.exams[comparison.moved[at].exam];
            let shown: Vec<usize> =
                (0..comparison.moved.len()).filter(|&at| fits(&exam(at).code) || fits(&exam(at).title)).collect();
            if nothing(ui, shown.is_empty(), "No moved exam fits the filter", palette) {
                return None;
            }
            moved_table(ui, comparison, instance, names, &shown)
        }
        List::Reseated => {
            let exam = |at: usize| &instance.exams[comparison.reseated[at].exam];
            let shown: Vec<usize> =
                (0..comparison.reseated.len()).filter(|&at| fits(&exam(at).code) || fits(&exam(at).title)).collect();
            if nothing(ui, shown.is_empty(), "No exam with other rooms fits the filter", palette) {
                return None;
            }
            rooms::reseated_table(ui, comparison, instance, names, &shown)
        }
        list => {
            let all = if list == List::Losers { comparison.losers() } else { comparison.gainers() };
            let shown: Vec<usize> =
                all.iter().copied().filter(|&student| fits(&instance.students.code(student))).collect();
            let none = if all.is_empty() { "No student" } else { "No student fits the filter" };
            if !nothing(ui, shown.is_empty(), none, palette) {
                student_table(ui, comparison, instance, names, &shown);
            }
            None
        }
    }
}

/// Draws a note if a list is empty.
fn nothing(ui: &mut Ui, empty: bool, words: &str, palette: &Palette) -> bool {
    if empty {
        ui.label(theme::small(words).color(palette.weak));
    }
    empty
}

/// Draws a list whose rows are drawn by `draw`; returns the row that was clicked.
fn table(
    ui: &mut Ui, id: &str, columns: Vec<TableColumn<'_, ()>>, rows: usize,
    draw: impl FnMut(&mut TableRow<'_, '_>, usize),
) -> Option<usize> {
    ui.spacing_mut().item_spacing = vec2(if ui.available_width() < TITLED { 8.0 } else { 14.0 }, 0.0);
    let table = Table { id, columns, order: SortOrder::default(), is_striped: false, reveal: None };
    table.show(ui, rows, draw).row
}

/// The colour of a change of cost.
fn mood(change: i64, palette: &Palette) -> Color32 {
    match change {
        0 => palette.weak,
        change if change < 0 => palette.good,
        _ => palette.bad,
    }
}

/// Label of a period: «Mon 1 Jun 09:00», or «Period 7» if its date is unknown.
fn place_label(instance: &Instance, period: Option<usize>) -> String {
    let Some(period) = period else { return "none".to_owned() };
    let data = instance.periods.get(period).and_then(|data| Some((data.date?, data.start?)));
    match data {
        Some((date, start)) => format!("{} {}", date.format("%a %-d %b"), start.format("%H:%M")),
        None => instance.period_label(period),
    }
}

fn moved_table(
    ui: &mut Ui, comparison: &Comparison, instance: &Instance, names: [&str; 2], shown: &[usize],
) -> Option<usize> {
    let palette = palette(ui.visuals());
    let has_title = |at: &usize| !instance.exams[comparison.moved[*at].exam].title.is_empty();
    let titled = ui.available_width() >= TITLED && shown.iter().any(has_title);
    let [code, title] = [Column::remainder().at_least(64.0), Column::remainder().at_least(60.0)];
    let place = Column::exact(116.0).clip(true);
    let mut columns = match titled {
        true => vec![
            TableColumn::text("Exam", Column::exact(84.0).clip(true)),
            TableColumn::text("Title", title.clip(true)),
        ],
        false => vec![TableColumn::text("Exam", code.clip(true))],
    };
    columns.extend(names.map(|name| TableColumn::text(name, place)));
    columns.extend(
        [("Students", 58.0), ("Cost share", 72.0)].map(|(name, width)| TableColumn::number(name, Column::exact(width))),
    );
    let clicked = table(ui, "moved exams", columns, shown.len(), |row, index| {
        let at = &comparison.moved[shown[index]];
        let data = &instance.exams[at.exam];
        let (from, to) = (place_label(instance, at.from), place_label(instance, at.to));
        let [before, after] = comparison.shares[at.exam];
        let change = after as i64 - before as i64;
        row.col(|ui| {
            ui.add(Label::new(theme::bold(&data.code).color(palette.text)).truncate());
        });
        let title = titled.then_some((&data.title, false));
        for (words, missing) in title.into_iter().chain([(&from, at.from.is_none()), (&to, at.to.is_none())]) {
            let colour = if missing { palette.bad } else { palette.text };
            row.col(|ui| {
                ui.add(Label::new(RichText::new(words).color(colour)).truncate());
            });
        }
        row.col(|ui| right(ui, &grouped(i64::from(data.enrolment)), palette.text));
        row.col(|ui| right(ui, &numbers::count_change(change), mood(change, palette)));
        let long = |at: Option<usize>| at.map_or("none".to_owned(), |period| instance.period_label(period));
        let label = format!("Exam {} moved from {} to {}", data.code, long(at.from), long(at.to));
        label_row(row, false, || label.clone());
        let share = format!("Cost share, not divided: {before} before, {after} now");
        let lines = [label.as_str(), data.title.as_str(), share.as_str()];
        let lines = lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>();
        row.response().on_hover_text(lines.join("\n"));
    });
    clicked.map(|row| comparison.moved[shown[row]].exam)
}

fn student_table(ui: &mut Ui, comparison: &Comparison, instance: &Instance, names: [&str; 2], shown: &[usize]) {
    let palette = palette(ui.visuals());
    let number = |name, width| TableColumn::number(name, Column::exact(width));
    let columns = vec![
        TableColumn::text("Student", Column::remainder().at_least(80.0).clip(true)),
        number("Exams", 56.0),
        number(names[0], 84.0),
        number(names[1], 84.0),
        number("Change", 72.0),
        TableColumn::text("", Column::exact(92.0).clip(true)),
    ];
    table(ui, "students", columns, shown.len(), |row, index| {
        let student = shown[index];
        let [before, after] = &comparison.students[student];
        let (code, change) = (instance.students.code(student), comparison.change(student));
        // A clash or a missing exam matters more than what they save.
        let (clashes, missing) = (after.clashes > before.clashes, after.unplaced > before.unplaced);
        let remark = if missing {
            "misses an exam"
        } else if clashes {
            "has a clash"
        } else {
            ""
        };
        row.col(|ui| {
            ui.add(Label::new(theme::bold(&code).color(palette.text)).truncate());
        });
        row.col(|ui| right(ui, &instance.students.exams_of(student).len().to_string(), palette.text));
        for side in [before, after] {
            row.col(|ui| right(ui, &grouped(side.proximity as i64), palette.text));
        }
        row.col(|ui| right(ui, &numbers::count_change(change), mood(change, palette)));
        row.col(|ui| {
            ui.add(Label::new(theme::small(remark).color(palette.bad)).truncate());
        });
        label_row(row, false, || {
            let label =
                format!("Student {code}: own cost {} before, {} now {remark}", before.proximity, after.proximity);
            label.trim_end().to_owned()
        });
    });
}
