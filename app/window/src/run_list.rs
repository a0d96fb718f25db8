//! The list of runs: algorithm, seed, device, best, time, why it stopped.

use egui::{
    Align, Button, Color32, Id, Key, Label, Layout, Modifiers, Popup, Rect, Response, RichText, Sense, Ui, UiBuilder,
    WidgetInfo, vec2,
};
use egui_extras::{Column, TableBuilder, TableRow};
use gridwright_core::numbers::{counted, duration};

use crate::runs::{Run, RunStatus, Shown};
use crate::theme::{self, Palette, palette, size, text};
use crate::widgets::controls::{icon_button, right};
use crate::widgets::icons::Icon;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Show(Shown),
    /// Mark a run for comparison, or no longer.
    Mark(usize),
    CompareMarked,
    Compare(usize, usize),
    Name(usize),
    Delete(usize),
}

/// Words of the parameters of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParameterWords {
    /// Parameters that tell the run from a usual one or from other runs of its algorithm: «tournament 256, constructed 0».
    pub telling: String,
    /// All parameters, one a line, with the usual value where it differs.
    pub all: String,
}

/// Contents of one row.
#[derive(Debug, Clone)]
pub struct Row {
    number: usize,
    shown: Shown,
    name: String,
    cells: [String; 6],
    /// Parameters that tell the run from others, after the algorithm.
    telling: String,
    colour: Color32,
    best_colour: Color32,
    help: String,
}

/// Contents of the list.
#[derive(Debug, Clone)]
pub struct List {
    /// The run that goes on, then those that ended, newest first.
    pub rows: Vec<Row>,
    /// Which of them is shown.
    pub shown: Shown,
    /// Sentence about the runs that are kept and not listed; empty if there are none.
    pub(crate) elsewhere: String,
    /// True if two runs can be compared.
    pub(crate) compares: bool,
}

/// Headings of [`Row::cells`]; `true` for numbers, which are right-aligned.
const HEADINGS: [(&str, bool); 6] =
    [("Algorithm", false), ("Seed", true), ("Device", false), ("Best", true), ("Time", true), ("Stopped", false)];

/// Index of the device in [`Row::cells`].
const DEVICE: usize = 2;
/// Index of the reason why the run stopped in [`Row::cells`].
const STOPPED: usize = 5;

/// Least and largest widths of the columns name, algorithm, seed, device, best and time.
const LIMITS: [(f32, f32); 6] =
    [(84.0, 260.0), (66.0, 200.0), (34.0, 90.0), (40.0, 120.0), (58.0, 130.0), (50.0, 80.0)];
const NUMBER: f32 = 32.0;
/// Least and usual width of the reason why a run stopped.
const LEAST_STOPPED: f32 = 40.0;
const USUAL_STOPPED: f32 = 130.0;
/// Space between two columns.
const GAP: f32 = 10.0;

/// Which of [`Row::cells`] have a column: a narrow list leaves out the device, then the reason why a run stopped; the tooltip
/// of a row has both.
fn columns(available: f32, named: bool) -> [bool; 6] {
    let mut shown = [true; 6];
    for column in [DEVICE, STOPPED] {
        shown[column] = least_width(named, shown, LEAST_STOPPED) <= available;
    }
    shown
}

/// Width of a list in which the columns are as narrow as they may be.
fn least_width(named: bool, shown: [bool; 6], stopped: f32) -> f32 {
    let name = if named { LIMITS[0].0 + GAP } else { 0.0 };
    let of_cell = |cell: usize| LIMITS.get(cell + 1).map_or(stopped, |limits| limits.0);
    let cells: f32 = (0..6).filter(|&cell| shown[cell]).map(|cell| of_cell(cell) + GAP).sum();
    let nothing = if shown[STOPPED] { 0.0 } else { GAP };
    NUMBER + GAP + name + cells + nothing + size::ROW
}

/// Shows the list; a click shows the plan of that run, Ctrl and a click marks it for comparison. `marked` holds the
/// numbers of the marked runs; `None` if nothing was clicked.
pub(crate) fn show(ui: &mut Ui, list: &List, marked: &[usize]) -> Option<Action> {
    let palette = palette(ui.visuals());
    let rows = &list.rows;
    if !list.elsewhere.is_empty() {
        ui.add(Label::new(theme::small(&list.elsewhere).color(palette.weak)).wrap());
        ui.add_space(theme::space::XS);
    } else if rows.is_empty() {
        ui.add_space(theme::space::S);
        ui.label(
            theme::small("Runs are listed here and kept: open the file again and they are back.").color(palette.weak),
        );
    }
    if rows.is_empty() {
        return None;
    }
    let named = rows.iter().any(|row| !row.name.is_empty());
    let mut action = None;
    ui.spacing_mut().item_spacing.x = GAP;
    let right_edge = ui.max_rect().right();
    let shown = columns(ui.available_width(), named);
    let [name, algorithm, seed, device, best, time] = widths(ui, rows, named, shown);
    // The cells sense nothing: each row is one control, not one for every cell.
    let mut table = TableBuilder::new(ui)
        .id_salt(("runs", named, shown))
        .cell_layout(Layout::left_to_right(Align::Center))
        .auto_shrink(false)
        .column(Column::exact(NUMBER));
    if named {
        table = table.column(Column::exact(name).clip(true));
    }
    table = table.column(Column::exact(algorithm).clip(true)).column(Column::exact(seed).clip(true));
    if shown[DEVICE] {
        table = table.column(Column::exact(device).clip(true));
    }
    let table = table
        .column(Column::exact(best))
        .column(Column::exact(time))
        .column(Column::remainder().at_least(if shown[STOPPED] { LEAST_STOPPED } else { 0.0 }).clip(true))
        .column(Column::exact(size::ROW));
    let table = table.header(22.0, |mut header| {
        header.col(|ui| heading(ui, "Run", false, palette));
        if named {
            header.col(|ui| heading(ui, "Name", false, palette));
        }
        for (index, (name, to_right)) in HEADINGS.into_iter().enumerate() {
            match (shown[index], index) {
                (true, _) => _ = header.col(|ui| heading(ui, name, to_right, palette)),
                (false, STOPPED) => _ = header.col(|_| {}),
                (false, _) => {}
            }
        }
        header.col(|_| {});
    });
    table.body(|body| {
        body.rows(size::ROW, rows.len(), |mut line| {
            let row = &rows[line.index()];
            line.set_selected(list.shown == row.shown);
            let look = Look { named, shown, marked: marked.contains(&row.number), right_edge, palette };
            let (response, more) = cells(&mut line, row, &look);
            if let Some(response) = response {
                action = action.take().or(outcome(&response, more, row, list, marked));
            }
        });
    });
    action
}

/// Widths of the columns name, algorithm, seed, device, best and time: what their longest cells need, as far as the list is
/// wide enough; the costs come first.
fn widths(ui: &Ui, rows: &[Row], named: bool, shown: [bool; 6]) -> [f32; 6] {
    const BY_NEED: [usize; 6] = [4, 0, 1, 2, 3, 5];
    let needed = |index: usize| {
        let cell = |row: &Row| match index {
            0 => row.name.clone(),
            1 if !row.telling.is_empty() => format!("{} {}", row.cells[0], row.telling),
            _ => row.cells[index - 1].clone(),
        };
        let longest = rows.iter().map(cell).max_by_key(|cell| cell.chars().count()).unwrap_or_default();
        let galley = ui.painter().layout_no_wrap(longest, theme::font(text::BODY), Color32::PLACEHOLDER);
        (galley.size().x + 2.0).clamp(LIMITS[index].0, LIMITS[index].1)
    };
    let mut widths = LIMITS.map(|limits| limits.0);
    let mut free = (ui.available_width() - least_width(named, shown, USUAL_STOPPED)).max(0.0);
    let is_shown = |index: usize| index.checked_sub(1).map_or(named, |cell| shown[cell]);
    for index in BY_NEED.into_iter().filter(|&index| is_shown(index)) {
        let more = (needed(index) - widths[index]).min(free);
        widths[index] += more;
        free -= more;
    }
    widths
}

fn heading(ui: &mut Ui, name: &str, to_right: bool, palette: &Palette) {
    let layout = if to_right { Layout::right_to_left(Align::Center) } else { Layout::left_to_right(Align::Center) };
    ui.with_layout(layout, |ui| ui.label(theme::small(name).color(palette.weak)));
}

/// Colours and widths of rows.
struct Look {
    named: bool,
    /// Which of [`Row::cells`] have a column.
    shown: [bool; 6],
    marked: bool,
    right_edge: f32,
    palette: &'static Palette,
}

/// Paints the cells of a row; returns the row, and the button with the three dots of a run that ended.
fn cells(line: &mut TableRow<'_, '_>, row: &Row, look: &Look) -> (Option<Response>, Option<Response>) {
    let palette = look.palette;
    let (mut whole, mut more) = (None, None);
    line.col(|ui| {
        let rect = ui.max_rect().with_max_x(look.right_edge);
        // The cell shows nothing beyond itself, the row does.
        let clip = Rect::from_x_y_ranges(rect.x_range(), ui.clip_rect().y_range());
        let mut whole_row = ui.new_child(UiBuilder::new().max_rect(rect));
        whole_row.set_clip_rect(clip);
        let response = whole_row.interact(rect, Id::unique(("run", row.number)), Sense::click());
        if response.hovered() {
            whole_row.painter().rect_filled(rect, 4.0, palette.raised_hover.gamma_multiply(0.6));
        }
        whole = Some(response);
        let (rect, _) = ui.allocate_exact_size(vec2(9.0, 9.0), Sense::hover());
        if look.marked {
            // A tick is seen by everyone; a colour is not.
            Icon::Check.paint(ui.painter(), rect.expand(2.0), palette.accent);
        } else {
            ui.painter().circle_filled(rect.center(), 4.0, row.colour);
        }
        ui.add_space(-5.0);
        ui.label(RichText::new(row.number.to_string()).color(palette.text));
    });
    let words = |ui: &mut Ui, words: &str| {
        ui.add(Label::new(RichText::new(words).size(text::BODY).color(palette.text)).truncate());
    };
    if look.named {
        line.col(|ui| words(ui, &row.name));
    }
    for (index, cell) in row.cells.iter().enumerate().filter(|&(index, _)| look.shown[index] || index == STOPPED) {
        line.col(|ui| match index {
            STOPPED if !look.shown[STOPPED] => {}
            0 if !row.telling.is_empty() => {
                ui.spacing_mut().item_spacing.x = theme::space::XS;
                ui.add(Label::new(RichText::new(cell).size(text::BODY).color(palette.text)));
                ui.add(Label::new(theme::small(&row.telling).color(palette.weak)).truncate());
            }
            1 | 3 | 4 => right(ui, cell, if index == 3 { row.best_colour } else { palette.text }),
            _ => words(ui, cell),
        });
    }
    line.col(|ui| {
        if matches!(row.shown, Shown::Run(_)) {
            more = Some(icon_button(ui, Icon::More, &format!("More about run {}", row.number), true));
        }
    });
    (whole, more)
}

/// Action on a row by pointer, keys or menu.
fn outcome(line: &Response, more: Option<Response>, row: &Row, list: &List, marked: &[usize]) -> Option<Action> {
    let [algorithm, seed, device, best, time, stopped] = &row.cells;
    let with = if row.telling.is_empty() { String::new() } else { format!(" with {}", row.telling) };
    let label = format!("Run {}: {algorithm}{with}, seed {seed}, {device}, best {best}, {time}, {stopped}", row.number);
    let label = if row.name.is_empty() { label } else { format!("{label}, {}", row.name) };
    line.widget_info(|| WidgetInfo::selected(egui::Role::Row, true, list.shown == row.shown, &label));
    let mut action = None;
    if line.clicked() {
        let marking = line.ctx.input(|input| input.modifiers.command);
        action = Some(match row.shown {
            Shown::Run(number) if marking && list.compares => Action::Mark(number),
            shown => Action::Show(shown),
        });
    }
    let Shown::Run(number) = row.shown else {
        line.clone().on_hover_text(&row.help);
        return action;
    };
    if line.has_focus() {
        let pressed = |key| line.ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if pressed(Key::Delete) {
            action = Some(Action::Delete(number));
        } else if pressed(Key::F2) {
            action = Some(Action::Name(number));
        }
    }
    line.context_menu(|ui| action = action.take().or(menu(ui, number, list, marked)));
    if let Some(more) = more {
        Popup::menu(&more).show(|ui| action = action.take().or(menu(ui, number, list, marked)));
    }
    line.clone().on_hover_text(&row.help);
    action
}

fn menu(ui: &mut Ui, number: usize, list: &List, marked: &[usize]) -> Option<Action> {
    let mut chosen = None;
    let mut item = |ui: &mut Ui, icon: Icon, words: &str, key: &str, enabled: bool, action: Action| {
        let button = Button::new((icon.atom(), words)).shortcut_text(key);
        if ui.add_enabled(enabled, button).clicked() {
            chosen = Some(action);
            ui.close();
        }
    };
    ui.set_min_width(220.0);
    item(ui, Icon::Grid, "Show", "", list.shown != Shown::Run(number), Action::Show(Shown::Run(number)));
    if list.compares {
        if let Shown::Run(shown) = list.shown {
            let words = format!("Compare with run {shown}");
            item(ui, Icon::Compare, &words, "", shown != number, Action::Compare(shown, number));
        }
        let words = if marked.contains(&number) { "No longer mark" } else { "Mark for comparison" };
        item(ui, Icon::Check, words, "Ctrl+click", true, Action::Mark(number));
    }
    ui.separator();
    item(ui, Icon::Pencil, "Name…", "F2", true, Action::Name(number));
    item(ui, Icon::Trash, "Delete", "Delete", true, Action::Delete(number));
    chosen
}

/// The state of a run that goes on.
#[derive(Debug, Clone)]
pub(crate) struct Going {
    /// The number it will have.
    pub number: usize,
    /// Display name of the algorithm.
    pub algorithm: String,
    /// Its seed.
    pub seed: u64,
    /// The best so far; empty before there is one.
    pub best: String,
    /// Seconds it took so far.
    pub seconds: Option<f64>,
    /// True while the run is paused.
    pub paused: bool,
}

impl Row {
    pub(crate) fn going(going: Going, palette: &Palette) -> Self {
        let state = if going.paused { "paused" } else { "solving" };
        Self {
            number: going.number,
            shown: Shown::Live,
            name: String::new(),
            telling: String::new(),
            cells: [
                going.algorithm,
                going.seed.to_string(),
                "CPU".to_owned(),
                going.best,
                going.seconds.map_or_else(String::new, duration),
                state.to_owned(),
            ],
            colour: palette.curve(going.number - 1),
            best_colour: palette.text,
            help: "The best so far".to_owned(),
        }
    }

    /// A run that ended; `words` are its cost and the word for a solution that is not valid, and `best` is true if no other run of
    /// the list is better.
    pub fn ended<F>(
        run: &Run<F>, algorithm: &str, parameters: ParameterWords, words: (String, &str), best: bool, palette: &Palette,
    ) -> Self {
        let (value, invalid) = words;
        let result = &run.result;
        let (best_text, best_colour, help) = match &run.status {
            RunStatus::Valid if best => (value, palette.good, "The best of these runs, checked".to_owned()),
            RunStatus::Valid => (value, palette.text, "Checked".to_owned()),
            RunStatus::Incomplete(text) => (invalid.to_owned(), palette.bad, text.clone()),
            RunStatus::Wrong(text) => ("wrong".to_owned(), palette.bad, text.clone()),
        };
        let stopped = match run.earlier.as_deref() {
            // As long as fits into the column.
            None => result.stop_reason.to_string().trim_end_matches(" reached").to_owned(),
            Some("") => "earlier data".to_owned(),
            Some(remarks) => format!("{remarks} (earlier data)"),
        };
        let earlier = match run.earlier.as_deref() {
            None => String::new(),
            Some(remarks) => format!("Solved for earlier data; with the present data: {}\n", or_nothing(remarks)),
        };
        let device = if result.backend == "cpu" { "CPU".to_owned() } else { result.device.clone() };
        Self {
            number: run.number,
            shown: Shown::Run(run.number),
            name: run.name.clone(),
            telling: parameters.telling,
            cells: [
                algorithm.to_owned(),
                result.seed.to_string(),
                device,
                best_text,
                duration(result.seconds),
                stopped,
            ],
            colour: palette.curve(run.number - 1),
            best_colour,
            help: format!(
                "{earlier}{help}\n{} on {}, {}\n\n{}",
                result.program,
                result.device,
                counted(result.threads, "thread"),
                parameters.all
            )
            .trim_end()
            .to_owned(),
        }
    }
}

/// Remarks, or a word for none.
fn or_nothing(remarks: &str) -> &str {
    if remarks.is_empty() { "it fits" } else { remarks }
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;

    /// Places of the labels of a row with a long name and a cost of seven digits, in a list of this width.
    fn places(width: f32) -> [Rect; 4] {
        let cells = ["Iterated greedy", "1", "CPU", "1\u{2009}234\u{2009}567.25", "12 s", "time limit reached"];
        let row = Row {
            number: 1,
            shown: Shown::Run(1),
            name: "Before the second press came".to_owned(),
            cells: cells.map(str::to_owned),
            telling: String::new(),
            colour: Color32::RED,
            best_colour: Color32::GREEN,
            help: String::new(),
        };
        let list = List { rows: vec![row], shown: Shown::Nothing, elsewhere: String::new(), compares: false };
        let mut has_fonts = false;
        let harness = Harness::builder().with_size(vec2(width, 120.0)).build_ui(|ui| {
            // Fonts that are installed in a frame are there in the next one.
            if !std::mem::replace(&mut has_fonts, true) {
                theme::install(ui.ctx());
                return ui.ctx().request_repaint();
            }
            show(ui, &list, &[]);
        });
        [list.rows[0].name.as_str(), cells[0], cells[3], cells[4]].map(|text| harness.get_by_label(text).rect())
    }

    /// In every width that the window gives to the list, all columns that are shown fit.
    #[test]
    fn a_narrow_list_leaves_columns_out_and_fits() {
        for (available, named) in (438..700).flat_map(|width| [(width as f32, false), (width as f32, true)]) {
            let shown = columns(available, named);
            assert!(least_width(named, shown, LEAST_STOPPED) <= available, "{available}, {named}, {shown:?}");
            assert!(shown[DEVICE] || named, "{available}");
        }
        assert_eq!(columns(472.0, true), [true, true, false, true, true, true]);
        assert_eq!(columns(640.0, true), [true; 6]);
    }

    #[test]
    fn costs_of_seven_digits_have_their_room() {
        for width in [480.0, 760.0] {
            let places = places(width);
            assert!(places[0].left() >= 0.0 && places[3].right() <= width, "{width}: {places:?}");
            for pair in places.windows(2) {
                assert!(pair[0].right() <= pair[1].left() + 0.5, "{width}: {places:?}");
            }
        }
    }

    #[test]
    fn names_are_whole_where_there_is_room() {
        let [narrow, wide] = [480.0, 900.0].map(|width| places(width)[0].width());
        assert!(narrow < 100.0 && wide > 150.0, "{narrow} {wide}");
    }
}
