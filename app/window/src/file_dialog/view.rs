//! Drawing of the built-in file dialog.

use chrono::{DateTime, Local};
use egui::{
    Align, Context, EventFilter, Frame, Label, Layout, Margin, Rect, Response, RichText, ScrollArea, Sense, TextEdit,
    Ui, WidgetInfo, pos2, vec2,
};
use gridwright_core::numbers;
use strum::VariantArray;

use super::Mode;
use super::browser::{Browser, Part};
use super::keyboard::select;
use super::listing::{Entry, SortBy};
use crate::theme::{self, palette, size, space};
use crate::widgets::choices::Choices;
use crate::widgets::controls::{TextRow, button, icon_button, named, primary, text_row};
use crate::widgets::dialog::{Wish, dialog, heading, room};
use crate::widgets::icons::Icon;
use crate::widgets::painting::truncated;
use crate::widgets::table::label_heading;

/// Width of the dialog, of the places at its side and of the columns for sizes and dates, in points.
const WIDTHS: [f32; 4] = [820.0, 160.0, 76.0, 124.0];

/// Narrowest dialog with places and with dates.
const NARROW: f32 = 560.0;

pub(super) fn show(browser: &mut Browser, ctx: &Context) {
    let response = dialog(ctx, "file dialog", WIDTHS[0], |ui| {
        let mut wish = Wish::Stay;
        heading(ui, &browser.request.title, &mut wish);
        path_row(ui, browser);
        new_folder_row(ui, browser);
        let is_wide = ui.available_width() >= NARROW;
        let height = (room(ui.ctx()).height() - 330.0).clamp(4.0 * size::ROW, 15.0 * size::ROW);
        ui.horizontal_top(|ui| {
            if is_wide {
                let layout = Layout::top_down(Align::Min);
                ui.allocate_ui_with_layout(vec2(WIDTHS[1], height), layout, |ui| places(ui, browser, height));
            }
            ui.vertical(|ui| {
                headings(ui, browser, is_wide);
                list(ui, browser, height - size::ROW, is_wide);
            });
        });
        remarks(ui, browser);
        if browser.request.mode == Mode::SaveFile {
            name_row(ui, browser);
        }
        if buttons(ui, browser) {
            wish = Wish::Close;
        }
        wish
    });
    // Keys were taken already; Escape is one of them.
    if response.inner == Wish::Close || response.backdrop_response.clicked() {
        browser.cancel();
    }
    if let Some(part) = browser.wants_focus.take() {
        ctx.memory_mut(|memory| memory.request_focus(part.id()));
        ctx.request_repaint();
        if part == Part::Name {
            // The ending stays where the name is typed anew.
            let stem = browser.name.rfind('.').filter(|at| *at > 0).unwrap_or(browser.name.len());
            select(ctx, Part::Name, 0, browser.name[..stem].chars().count());
        }
    }
}

/// A field of this width, which keeps the keyboard where the Tab key completes its text.
fn field(ui: &mut Ui, part: Part, text: &mut String, name: &str, width: f32, is_completed: bool) -> Response {
    let edit = TextEdit::singleline(text).id(part.id()).desired_width(width).margin(Margin::symmetric(8, 6));
    let edit = edit.lock_focus(is_completed);
    named(ui, name, "", |ui| ui.add(edit))
}

/// Button for the folder above, the path, and buttons for hidden files and for a new folder.
fn path_row(ui: &mut Ui, browser: &mut Browser) {
    let mut is_edited = false;
    ui.horizontal(|ui| {
        let above = browser.folder().parent().is_some();
        if icon_button(ui, Icon::Up, "Folder above (Alt+Up)", above).clicked() {
            browser.go_up(ui.ctx());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Plus, "New folder", browser.folder_error().is_none()).clicked() {
                (browser.new_folder, browser.wants_focus) = (Some(String::new()), Some(Part::NewFolder));
            }
            let (width, is_completed) = (ui.available_width() - 18.0, !browser.completions().is_empty());
            let response = field(ui, Part::Path, &mut browser.path, "Path of the file or folder", width, is_completed);
            if response.changed() {
                browser.look_up_typed(ui.ctx());
            }
            is_edited = response.has_focus();
        });
    });
    // A press on a completion takes the keyboard from the field before it becomes a click.
    let is_pressed = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    browser.shows_completions = is_edited || browser.shows_completions && is_pressed;
    if browser.shows_completions {
        completions(ui, browser);
    }
}

/// Names that complete the typed path; a click takes one, Tab what they share.
fn completions(ui: &mut Ui, browser: &mut Browser) {
    let found = browser.completions();
    if found.is_empty() {
        return;
    }
    let mut taken = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(theme::small("Tab completes:").color(palette(ui.visuals()).weak));
        for (name, is_folder) in &found {
            let shown = if *is_folder { format!("{name}{}", std::path::MAIN_SEPARATOR) } else { name.clone() };
            // Without the focus, which stays in the field.
            if ui.add(egui::Button::new(theme::small(&shown)).sense(Sense::CLICK).small()).clicked() {
                taken = Some((name.clone(), *is_folder));
            }
        }
    });
    if let Some((name, is_folder)) = taken {
        browser.put_name(ui.ctx(), &name, is_folder);
        browser.wants_focus = Some(Part::Path);
        browser.cursor_to_end(ui.ctx(), Part::Path);
    }
}

fn new_folder_row(ui: &mut Ui, browser: &mut Browser) {
    let Some(mut name) = browser.new_folder.take() else { return };
    let (mut makes, mut gives_up) = (false, false);
    ui.horizontal(|ui| {
        ui.label("New folder");
        field(ui, Part::NewFolder, &mut name, "Name of the new folder", 240.0, false);
        makes = button(ui, Icon::Check, "Make folder", !name.trim().is_empty()).clicked();
        gives_up = icon_button(ui, Icon::Cross, "Make no folder", true).clicked();
    });
    browser.new_folder = (!gives_up).then_some(name);
    if makes {
        browser.make_folder(ui.ctx());
    }
}

fn places(ui: &mut Ui, browser: &mut Browser, height: f32) {
    let mut chosen = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("places").max_height(height).auto_shrink(false);
    area.show(ui, |ui| {
        for place in browser.places() {
            let row = TextRow {
                icon: Some(Icon::Open),
                text: &place.name,
                places: &[],
                detail: "",
                keys: "",
                enabled: true,
                chosen: place.path == browser.folder(),
                height: size::ROW,
            };
            if text_row(ui, &row).on_hover_text(place.path.display().to_string()).clicked() {
                chosen = Some(place.path.clone());
            }
        }
    });
    if let Some(path) = chosen {
        browser.wants_focus = Some(Part::List);
        browser.go(ui.ctx(), path, None);
    }
}

/// Right edges of the columns for names and sizes within a row.
fn columns(rect: Rect, is_wide: bool) -> [f32; 2] {
    let dates = if is_wide { WIDTHS[3] } else { 0.0 };
    let sizes = rect.right() - 12.0 - dates;
    [sizes - WIDTHS[2], sizes]
}

/// The headings of the columns, which sort.
fn headings(ui: &mut Ui, browser: &mut Browser, is_wide: bool) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    let [names, sizes] = columns(rect, is_wide);
    let colour = palette(ui.visuals()).weak;
    for by in SortBy::VARIANTS.iter().copied().filter(|by| is_wide || *by != SortBy::Changed) {
        let (left, right) = match by {
            SortBy::Name => (rect.left(), names),
            SortBy::Size => (names, sizes),
            SortBy::Changed => (sizes, rect.right()),
        };
        let place = Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
        let response = ui.interact(place, ui.scope_id().with(("sort", by.heading())), Sense::click());
        let words = browser.order.heading(&by, by.heading());
        label_heading(&response, by.heading());
        let colour = if response.hovered() { palette(ui.visuals()).text } else { colour };
        paint(ui, &words, place, by != SortBy::Name, colour);
        if response.on_hover_text("Sort by this column; once more for the other direction").clicked() {
            browser.order = browser.order.clicked(by);
            browser.list();
        }
    }
}

/// Paints a text into a cell, at its right edge where it is a number.
fn paint(ui: &Ui, words: &str, cell: Rect, is_number: bool, colour: egui::Color32) {
    let font = theme::font(if is_number { theme::text::SMALL } else { theme::text::BODY });
    let galley = truncated(ui.painter(), words, font, colour, cell.width() - 12.0);
    let x = if is_number { cell.right() - 8.0 - galley.size().x } else { cell.left() + 8.0 };
    ui.painter().galley(pos2(x, cell.center().y - galley.size().y / 2.0), galley, colour);
}

fn list(ui: &mut Ui, browser: &mut Browser, height: f32, is_wide: bool) {
    let colours = palette(ui.visuals());
    let frame = Frame::new().fill(colours.surface).stroke((1.0, colours.border)).corner_radius(size::RADIUS);
    let inner = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.set_height(height);
        ui.spacing_mut().item_spacing.y = 0.0;
        if browser.len() == 0 {
            nothing(ui, browser);
            return;
        }
        let offset_id = ui.scope_id().with("offset");
        let mut area = ScrollArea::vertical().id_salt("files").max_height(height).auto_shrink(false);
        if std::mem::take(&mut browser.scrolls) {
            let offset = ui.data(|data| data.get_temp::<f32>(offset_id)).unwrap_or(0.0);
            let top = browser.cursor.unwrap_or(0) as f32 * size::ROW;
            area = area.vertical_scroll_offset(offset.clamp((top + size::ROW - height).max(0.0), top));
        }
        let output = area.show_rows(ui, size::ROW, browser.len(), |ui, rows| {
            for row in rows {
                show_row(ui, browser, row, is_wide);
            }
        });
        ui.data_mut(|data| data.insert_temp(offset_id, output.state.clamped_offset().y));
    });
    let list = ui.interact(inner.response.rect, Part::List.id(), Sense::focusable_noninteractive());
    list.widget_info(|| WidgetInfo::labeled(egui::Role::ListBox, true, "Files"));
    if list.has_focus() {
        let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, escape: true, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(Part::List.id(), filter));
    }
}

/// The words where no file is listed.
fn nothing(ui: &mut Ui, browser: &Browser) {
    let colours = palette(ui.visuals());
    let (words, colour) = match (browser.is_reading(), browser.folder_error(), browser.left_out()) {
        (true, ..) => ("The folder is being read…".to_owned(), colours.weak),
        (false, Some(why), _) => (why.to_owned(), colours.bad),
        (false, None, 0) => ("This folder is empty.".to_owned(), colours.weak),
        (false, None, _) if browser.request.mode == Mode::OpenFolder => {
            ("There are no folders in this folder.".to_owned(), colours.weak)
        }
        (false, None, count) => {
            let files = numbers::counted_as(count as u64, "file or folder is", "files and folders are");
            (format!("{files} not listed: choose “All files” or show hidden files."), colours.weak)
        }
    };
    Frame::new()
        .inner_margin(Margin::same(12))
        .show(ui, |ui| ui.add(Label::new(RichText::new(words).color(colour)).wrap()));
}

fn show_row(ui: &mut Ui, browser: &mut Browser, row: usize, is_wide: bool) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::CLICK);
    let (is_chosen, is_at_cursor) = (browser.is_chosen(row), browser.cursor == Some(row));
    let Some(entry) = browser.row(row) else { return };
    let kind = if entry.is_folder { "folder" } else { "file" };
    response.widget_info(|| {
        WidgetInfo::selected(egui::Role::ListBoxOption, true, is_chosen, format!("{}, {kind}", entry.name))
    });
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_selected(is_chosen));
    paint_row(ui, rect, entry, [is_chosen, is_at_cursor, response.hovered()], is_wide);
    if response.double_clicked() {
        browser.stand_on(row);
        browser.open_row(ui.ctx());
    } else if response.clicked() {
        ui.memory_mut(|memory| memory.request_focus(Part::List.id()));
        match ui.input(|input| (input.modifiers.command, input.modifiers.shift)) {
            (true, _) => browser.toggle(row),
            (false, true) => browser.mark_to(row),
            (false, false) => browser.stand_on(row),
        }
    }
}

fn paint_row(ui: &Ui, rect: Rect, entry: &Entry, states: [bool; 3], is_wide: bool) {
    let colours = palette(ui.visuals());
    let [is_chosen, is_at_cursor, is_hovered] = states;
    let radius = f32::from(size::RADIUS);
    if is_chosen {
        ui.painter().rect_filled(rect, radius, colours.accent_soft);
    } else if is_hovered {
        ui.painter().rect_filled(rect, radius, colours.raised_hover);
    }
    if is_at_cursor && !is_chosen {
        ui.painter().rect_stroke(rect, radius, (1.0, colours.border_strong), egui::StrokeKind::Inside);
    }
    let [names, sizes] = columns(rect, is_wide);
    let icon = if entry.is_folder { Icon::Open } else { Icon::File };
    let square = Rect::from_center_size(pos2(rect.left() + 16.0, rect.center().y), vec2(size::ICON, size::ICON));
    icon.paint(ui.painter(), square, if entry.is_folder { colours.accent } else { colours.weak });
    let cell = |left: f32, right: f32| Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
    paint(ui, &entry.name, cell(rect.left() + 24.0, names), false, colours.text);
    if !entry.is_folder {
        paint(ui, &bytes(entry.bytes), cell(names, sizes), true, colours.weak);
    }
    if let Some(changed) = entry.changed.filter(|_| is_wide) {
        let changed = DateTime::<Local>::from(changed).format("%-d %b %Y %H:%M").to_string();
        paint(ui, &changed, cell(sizes, rect.right()), true, colours.weak);
    }
}

/// A size as a person reads it.
fn bytes(bytes: u64) -> String {
    let (mut value, mut units) = (bytes as f64, ["B", "kB", "MB", "GB", "TB"].into_iter());
    let mut unit = units.next().unwrap_or_default();
    for next in units {
        if value < 1000.0 {
            break;
        }
        (value, unit) = (value / 1000.0, next);
    }
    let decimals = usize::from(unit != "B" && value < 10.0);
    format!("{} {unit}", numbers::figure(value, decimals))
}

/// Why something failed, and the question whether a file is replaced.
fn remarks(ui: &mut Ui, browser: &Browser) {
    let colours = palette(ui.visuals());
    let replaced = browser.replaced.as_ref().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (format!("{name} exists already. Replacing it overwrites its contents."), colours.warn)
    });
    let folder = browser.folder_error().filter(|_| browser.len() > 0).map(|why| (why.to_owned(), colours.bad));
    let failed = browser.error.clone().map(|why| (why, colours.bad));
    if let Some((words, colour)) = failed.or(replaced).or(folder) {
        ui.add(Label::new(RichText::new(words).color(colour)).wrap());
    }
}

fn name_row(ui: &mut Ui, browser: &mut Browser) {
    ui.horizontal(|ui| {
        ui.label("Name");
        let width = ui.available_width() - 18.0;
        if field(ui, Part::Name, &mut browser.name, "Name of the file", width, false).changed() {
            (browser.replaced, browser.error) = (None, None);
        }
    });
}

/// Filter, hidden files and the buttons; returns `true` if the dialog is to be closed.
fn buttons(ui: &mut Ui, browser: &mut Browser) -> bool {
    ui.add_space(space::XS);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let count = browser.chosen_files();
        let (icon, words) = match (browser.request.mode, &browser.replaced) {
            (Mode::SaveFile, Some(_)) => (Icon::Warning, "Replace".to_owned()),
            (Mode::SaveFile, None) => (Icon::Check, "Save".to_owned()),
            (Mode::OpenFolder, _) => {
                let row = browser.cursor.and_then(|row| browser.row(row)).map(|entry| entry.name.clone());
                let shown = browser.folder().file_name().map(|name| name.to_string_lossy().into_owned());
                (Icon::Check, format!("Choose folder {}", row.or(shown).unwrap_or_default()))
            }
            _ if count > 1 => (Icon::Check, format!("Open {} files", numbers::grouped(count as u64))),
            _ => (Icon::Check, "Open".to_owned()),
        };
        if primary(ui, icon, &words, browser.can_accept()).clicked() {
            browser.accept(ui.ctx());
        }
        let closes = ui.add(egui::Button::new("Cancel").min_size(vec2(0.0, size::CONTROL))).clicked();
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            filters(ui, browser);
            if ui.checkbox(&mut browser.shows_hidden, "Hidden files").changed() {
                browser.list();
            }
        });
        closes
    })
    .inner
}

fn filters(ui: &mut Ui, browser: &mut Browser) {
    if browser.request.filters.len() < 2 {
        return;
    }
    let present = browser.filter().map(|filter| filter.name.clone()).unwrap_or_default();
    let mut chosen = browser.filter;
    let list = |ui: &mut Ui| {
        for (index, filter) in browser.request.filters.iter().enumerate() {
            let endings: Vec<String> = filter.endings.iter().map(|ending| format!(".{ending}")).collect();
            ui.selectable_value(&mut chosen, index, &filter.name).on_hover_text(endings.join(" "));
        }
    };
    Choices::new("Files that are listed", present).width(190.0).cut().show(ui, list);
    if chosen != browser.filter {
        browser.filter = chosen;
        browser.list();
    }
}
