//! The left side: samples, recent files, and a path to type.

use std::collections::HashSet;

use egui::{Frame, Margin, Panel, Rect, Response, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::registry::is_generated;
use gridwright_core::store::{Recent, State};

use super::App;
use super::command::Command;
use super::recents::Distinctions;
use crate::problem::ProblemUi;
use crate::registry;
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::button;
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;
use crate::widgets::painting::truncated;

/// Sources of recent files that are no longer there.
pub(crate) type Missing = HashSet<String>;

/// The problems that library and start page show.
pub(crate) fn kinds(state: &State) -> Vec<&'static ProblemUi> {
    registry::problems().filter(|problem| state.shows_kind(problem.problem.id())).collect()
}

/// Why a recent file cannot be opened.
pub(crate) fn gone(source: &str) -> String {
    format!("{source} is no longer there; bring it back, or remove it from the list")
}

impl App {
    pub(super) fn library(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let frame = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(8, 12));
        let most = (self.size.x * 0.25).clamp(180.0, 420.0);
        let panel = Panel::left("library").default_size(size::LIBRARY).size_range(180.0..=most);
        panel.frame(frame).show(ui, |ui| self.library_contents(ui));
    }

    /// Draws samples, recent files and the field for a path.
    pub(super) fn library_contents(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.add_space(space::S);
            ui.label(theme::heading("Library"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let open = button(ui, Icon::Open, Command::Open.text(), !self.file_dialogs.is_open());
                Command::Open.offer(open, &mut self.commands);
            });
        });
        ui.add_space(space::XS);
        self.path_field(ui);
        self.import_button(ui);
        ui.add_space(space::S);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for problem in kinds(&self.state) {
                ui.add_space(space::XS);
                ui.horizontal(|ui| {
                    ui.add_space(space::S);
                    ui.label(theme::bold(problem.problem.nouns().heading));
                });
                ui.add_space(space::XS);
                self.recent_files(ui, problem);
                self.samples(ui, problem);
            }
        });
    }

    /// For tables of any form.
    fn import_button(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.add_space(space::S);
            let command = Command::Import(None);
            let import = button(ui, Icon::Import, command.text(), true);
            command.offer(import, &mut self.commands);
        });
    }

    fn samples(&mut self, ui: &mut Ui, problem: &ProblemUi) {
        let open = self.open.as_ref().map(|open| open.opened());
        caption(ui, "Samples");
        let mut line = |ui: &mut Ui, source: &str, name: &str, facts: &str| {
            let line = Line { icon: problem.icon, name, facts, open: open.as_deref() == Some(source), there: true };
            if entry(ui, &line).clicked() {
                self.commands.push(Command::load(source.to_owned()));
            }
        };
        for (source, name, facts) in problem.samples {
            line(ui, source, name, facts);
        }
        let Some(collection) = problem.collection else { return };
        let is_shipped = open.as_deref().is_some_and(|open| problem.samples.iter().any(|sample| sample.0 == open));
        let lines = (collection.lines)();
        let is_open = !is_shipped && lines.iter().any(|line| open.as_deref() == Some(line.source.as_str()));
        let header = egui::CollapsingHeader::new(collection.heading).id_salt(collection.heading).default_open(is_open);
        header.show(ui, |ui| {
            for one in &lines {
                line(ui, &one.source, &one.name, &one.facts);
            }
        });
    }

    /// Files that were opened before, those that are pinned first.
    fn recent_files(&mut self, ui: &mut Ui, problem: &ProblemUi) {
        let recent = self.state.recent.iter();
        let mut recent: Vec<&Recent> =
            recent.filter(|recent| recent.problem == problem.problem.id() && !is_generated(&recent.source)).collect();
        recent.sort_by_key(|recent| !recent.pinned);
        if recent.is_empty() {
            return;
        }
        caption(ui, "Recent");
        let distinctions = Distinctions::of(&self.state.recent);
        let mut commands = Vec::new();
        for recent in recent {
            let there = !self.missing.contains(&recent.source);
            let on = self.open.as_ref().is_some_and(|open| open.opened() == recent.source);
            let icon = if recent.pinned { Icon::Pin } else { Icon::File };
            // The data of what is open may have changed.
            let present = self.open.as_deref().filter(|_| on).map(|open| open.facts_line());
            let facts = present.as_deref().unwrap_or(if there { &recent.facts } else { "no longer there" });
            let facts = &distinctions.facts(recent, facts);
            let response = entry(ui, &Line { icon, name: &recent.name, facts, open: on, there });
            let hint = if there { recent.source.clone() } else { gone(&recent.source) };
            let response = response.on_hover_text(hint);
            if response.clicked() && there {
                commands.push(Command::Load { source: recent.source.clone(), options: recent.options.clone() });
            }
            let more = more_button(ui, &response, &recent.name);
            let mut menu = |ui: &mut Ui| file_menu(ui, recent, there, &mut commands);
            egui::Popup::menu(&more).show(&mut menu);
            response.context_menu(menu);
        }
        ui.add_space(space::M);
        self.commands.append(&mut commands);
    }

    /// Works where no file dialog does.
    fn path_field(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.add_space(space::S);
            let field = Field::new("Path of a file to open").hint("or a path, then Enter").margin(8, 5);
            let response = field.width(ui.available_width() - space::XS).live(ui, &mut self.path);
            if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                let source = std::mem::take(&mut self.path);
                self.commands.push(Command::load(source));
            }
        });
    }
}

fn caption(ui: &mut Ui, words: &str) {
    ui.horizontal(|ui| {
        ui.add_space(space::S);
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
    });
    ui.add_space(2.0);
}

/// The button with the three dots at the end of a line: what the pointer's other button opens, for everyone.
fn more_button(ui: &mut Ui, line: &Response, name: &str) -> Response {
    let side = 24.0;
    let rect = Rect::from_center_size(pos2(line.rect.right() - 16.0, line.rect.center().y), vec2(side, side));
    let response = ui.interact(rect, line.id.with("more"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("More about {name}")));
    let palette = palette(ui.visuals());
    if response.hovered() {
        ui.painter().rect_filled(rect, f32::from(size::RADIUS), palette.border);
    }
    if line.hovered() || response.hovered() || response.has_focus() || line.has_focus() {
        let place = Rect::from_center_size(rect.center(), vec2(size::ICON, size::ICON));
        Icon::More.paint(ui.painter(), place, palette.weak);
    }
    response
}

fn file_menu(ui: &mut Ui, recent: &Recent, there: bool, commands: &mut Vec<Command>) {
    ui.set_min_width(200.0);
    let mut item = |ui: &mut Ui, icon: Icon, text: &str, enabled: bool, command: Command| {
        let response = ui.add_enabled(enabled, egui::Button::new((icon.atom(), text)));
        if response.on_hover_text(command.help()).clicked() {
            commands.push(command);
            ui.close();
        }
    };
    let load = Command::Load { source: recent.source.clone(), options: recent.options.clone() };
    item(ui, Icon::File, "Open", there, load);
    let pin = if recent.pinned { "No longer keep at the top" } else { "Keep at the top" };
    item(ui, Icon::Pin, pin, true, Command::Pin(recent.source.clone()));
    item(ui, Icon::Copy, "Copy path", true, Command::Copy(recent.source.clone()));
    item(ui, Icon::Open, "Show folder", there, Command::ShowFolder(recent.source.clone().into()));
    let forget = Command::Forget(recent.source.clone());
    item(ui, Icon::Cross, forget.text(), true, forget);
}

struct Line<'a> {
    icon: Icon,
    name: &'a str,
    facts: &'a str,
    open: bool,
    there: bool,
}

/// A line of the library: name above, facts under it.
fn entry(ui: &mut Ui, line: &Line<'_>) -> Response {
    let palette = palette(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(egui::Role::Button, line.there, line.open, format!("{}, {}", line.name, line.facts))
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let radius = f32::from(size::RADIUS);
    if line.open {
        ui.painter().rect_filled(rect, radius, palette.accent_soft);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, radius, palette.raised_hover);
    }
    let colour = match (line.open, line.there) {
        (true, _) => palette.accent,
        (_, true) => palette.weak,
        _ => palette.faint,
    };
    let place = Rect::from_center_size(pos2(rect.left() + 18.0, rect.center().y), vec2(size::ICON, size::ICON));
    line.icon.paint(ui.painter(), place, colour);
    let painter = ui.painter().with_clip_rect(rect.shrink(4.0).intersect(ui.clip_rect()));
    let left = rect.left() + 36.0;
    let room = rect.right() - left - if response.hovered() { 32.0 } else { 8.0 };
    let lay = |words: &str, font, colour| truncated(&painter, words, font, colour, room);
    let ink = if line.there { palette.text } else { palette.weak };
    let name = lay(line.name, theme::bold_font(text::BODY), ink);
    let facts = lay(line.facts, theme::font(text::SMALL), palette.weak);
    let centre = rect.center().y;
    let is_cut = name.elided || facts.elided;
    painter.galley(pos2(left, centre - 1.0 - name.size().y), name, ink);
    painter.galley(pos2(left, centre + 2.0), facts, palette.weak);
    if is_cut { response.on_hover_text(format!("{}\n{}", line.name, line.facts)) } else { response }
}
