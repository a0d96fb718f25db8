//! The start page: what can be planned, how to begin, and what was open before.

use std::collections::HashMap;

use chrono::{DateTime, Local};
use egui::{
    Align, ColorImage, Frame, Layout, Margin, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextureHandle, Ui,
    WidgetInfo, pos2, vec2,
};
use gridwright_core::export::Writing;
use gridwright_core::store::Recent;

use super::command::{Command, LessonEntry};
use super::library::kinds;
use super::recents::Distinctions;
use super::{App, files, short_name};
use crate::later::Later;
use crate::problem::ProblemUi;
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::{button, primary};
use crate::widgets::icons::Icon;
use crate::widgets::painting::truncated;

/// Largest width of the page in points.
const WIDTH: f32 = 1000.0;
/// Least width of a card in points.
const CARD: f32 = 240.0;
/// Width of the button of a lesson in points.
const LESSON: f32 = 252.0;
/// Height of the picture of a card in points.
const PICTURE: f32 = 84.0;
/// Size of a thumbnail in points.
const THUMBNAIL: egui::Vec2 = vec2(108.0, 70.0);

/// Introduction for new users: heading and explanation of each step.
const TOUR: [(&str, &str); 6] = [
    (
        "1. Begin",
        "Open a file of your own, or press “Try” on a card. “Import tables…” reads tables of any form: you say what each \
         column means.",
    ),
    ("2. Solve", "Press “Solve”. The plan improves while you watch. “Pause” and “Stop” keep the best plan so far."),
    (
        "3. Read",
        "The tabs above the plan show it from several sides. Click something in it: the panel at the right tells all about \
         it.",
    ),
    (
        "4. Change",
        "Drag things, or press Alt and the arrow keys. Pin what must stay, then solve again. “Undo” takes every change back.",
    ),
    ("5. Compare", "Every run stays in the list at the bottom. Mark two with Ctrl and a click to see what differs."),
    (
        "6. Hand on",
        "“Export” writes tables, pictures, calendars and reports. “Save project” keeps everything in one file.",
    ),
];

/// Thumbnails of recent plans, read in a thread when the start page is shown first.
#[derive(Default)]
pub(super) struct Thumbnails {
    has_begun: bool,
    reading: Later<Vec<(String, ColorImage)>>,
    textures: HashMap<String, TextureHandle>,
}

impl App {
    pub(super) fn start_page(&mut self, ui: &mut Ui) {
        self.read_thumbnails(ui);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let width = (ui.available_width() - 2.0 * space::XL).min(WIDTH);
            let margin = ((ui.available_width() - width) / 2.0).max(0.0);
            ui.add_space(space::XL);
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                ui.add_space(margin);
                ui.vertical(|ui| {
                    ui.set_width(width);
                    ui.spacing_mut().item_spacing = vec2(space::M, space::S);
                    ui.label(theme::title("What do you plan?"));
                    self.beginnings(ui);
                    ui.add_space(space::S);
                    self.cards(ui);
                    ui.add_space(space::S);
                    self.lessons(ui);
                    ui.add_space(space::S);
                    tour(ui);
                    ui.add_space(space::S);
                    self.recent_plans(ui);
                });
            });
        });
    }

    /// Draws the buttons that all problems share.
    fn beginnings(&mut self, ui: &mut Ui) {
        let last = self.state.recent.iter().find(|recent| !self.missing.contains(&recent.source));
        let last = last.map(|recent| {
            let name = Distinctions::of(&self.state.recent).name(recent);
            (format!("Continue with {name}"), load(recent))
        });
        ui.horizontal_wrapped(|ui| {
            let open = primary(ui, Icon::Open, "Open a file…", !self.file_dialogs.is_open());
            Command::Open.offer(open, &mut self.commands);
            Command::Import(None).offer(button(ui, Icon::Import, "Import…", true), &mut self.commands);
            if let Some((words, command)) = last
                && button(ui, Icon::Undo, &words, true).clicked()
            {
                self.commands.push(command);
            }
        });
        let keys = Command::Palette.keys(ui.ctx()).into_iter().next().unwrap_or_default();
        let hint = format!("Or drop a file anywhere on this window; {keys} lists everything else.");
        ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
    }

    /// Draws a card for each kind of plan.
    fn cards(&mut self, ui: &mut Ui) {
        let kinds = kinds(&self.state);
        let fit = ((ui.available_width() + space::M) / (CARD + space::M)).floor().max(1.0);
        let columns = fit.min(kinds.len().max(1) as f32);
        let width = ((ui.available_width() + space::M) / columns - space::M).floor();
        // All cards are as high as the highest one of the frame before; the first frame is not shown.
        let id = ui.scope_id().with(("heights of cards", width as u32));
        let known: Vec<f32> = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let highest = known.iter().copied().fold(0.0, f32::max);
        let mut heights = Vec::new();
        for (row, problems) in kinds.chunks(columns as usize).enumerate() {
            ui.horizontal_top(|ui| {
                for (column, problem) in problems.iter().enumerate() {
                    let own = known.get(row * columns as usize + column).copied().unwrap_or(highest);
                    ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::LEFT), |ui| {
                        heights.push(self.card(ui, problem, width, highest - own));
                    });
                }
            });
        }
        if heights != known {
            ui.data_mut(|data| data.insert_temp(id, heights));
            ui.ctx().request_discard("heights of cards");
        }
    }

    /// Draws a card with `extra` space above its buttons; returns its height without that space.
    fn card(&mut self, ui: &mut Ui, problem: &ProblemUi, width: f32, extra: f32) -> f32 {
        let palette = palette(ui.visuals());
        let frame = Frame::new()
            .fill(palette.panel)
            .stroke(Stroke::new(1.0, palette.border))
            .corner_radius(10)
            .inner_margin(Margin::same(12));
        let response = frame.show(ui, |ui| {
            ui.set_width(width - 26.0);
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), PICTURE), Sense::hover());
            match problem.card {
                Some(card) => {
                    (card.picture)(&ui.painter().with_clip_rect(rect), rect, palette);
                    ui.label(theme::heading(card.title));
                    ui.label(RichText::new(card.purpose).color(palette.weak));
                }
                None => {
                    problem.icon.paint(
                        ui.painter(),
                        Rect::from_center_size(rect.center(), vec2(40.0, 40.0)),
                        palette.accent,
                    );
                    ui.label(theme::heading(problem.problem.nouns().heading));
                }
            }
            ui.add_space(extra);
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = space::S;
                if let Some((source, name, facts)) = problem.samples.first() {
                    let open = egui::Button::new(format!("Try “{name}”")).min_size(vec2(0.0, size::CONTROL));
                    if ui.add(open).on_hover_text(*facts).clicked() {
                        self.commands.push(Command::load(*source));
                    }
                }
                if (problem.descriptor().template)().is_some() {
                    let new = Command::New(problem.problem.id());
                    if button(ui, Icon::Plus, "New…", true).on_hover_text(new.help()).clicked() {
                        self.commands.push(new);
                    }
                }
            });
        });
        response.response.rect.height() - extra
    }

    /// Draws the guided lessons of the kinds that are shown.
    fn lessons(&mut self, ui: &mut Ui) {
        let lessons: Vec<LessonEntry> =
            kinds(&self.state).iter().flat_map(|problem| problem.lessons).map(|lesson| lesson.entry).collect();
        if lessons.is_empty() {
            return;
        }
        ui.label(theme::heading("Guided lessons"));
        for lesson in lessons {
            let command = Command::Lesson(lesson);
            ui.horizontal(|ui| {
                let room = vec2(LESSON, size::CONTROL);
                ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
                    ui.set_width(room.x);
                    if button(ui, Icon::Play, lesson.title, true).on_hover_text(command.help()).clicked() {
                        self.commands.push(command);
                    }
                });
                let words = format!("{}. About {} minutes.", lesson.learns, lesson.minutes);
                ui.add(egui::Label::new(RichText::new(words).color(palette(ui.visuals()).weak)).truncate());
            });
        }
    }

    /// Draws what was open before: a picture of the plan, the best result, when that was.
    fn recent_plans(&mut self, ui: &mut Ui) {
        let there = |recent: &&Recent| !self.missing.contains(&recent.source);
        let recent: Vec<&Recent> = self.state.recent.iter().filter(there).collect();
        if recent.is_empty() {
            return;
        }
        ui.label(theme::heading("Recent"));
        let distinctions = Distinctions::of(&self.state.recent);
        let mut pressed = None;
        for recent in recent {
            if recent_row(ui, recent, &distinctions, self.thumbnails.textures.get(&recent.source)) {
                pressed = Some(load(recent));
            }
        }
        self.commands.extend(pressed);
    }

    /// Reads the thumbnails of recent plans in a thread, once.
    fn read_thumbnails(&mut self, ui: &Ui) {
        let thumbnails = &mut self.thumbnails;
        for (source, image) in thumbnails.reading.take().into_iter().flatten() {
            let texture = ui.ctx().load_texture(&source, image, egui::TextureOptions::LINEAR);
            thumbnails.textures.insert(source, texture);
        }
        if std::mem::replace(&mut thumbnails.has_begun, true) {
            return;
        }
        let (store, recent) = (self.store.clone(), self.state.recent.clone());
        thumbnails.reading.begin(ui.ctx(), "thumbnails", move || {
            let image = |recent: Recent| {
                let (width, height, pixels) = store.thumbnail(&recent.source)?;
                let pixels = pixels.into_iter().map(|[red, green, blue]| egui::Color32::from_rgb(red, green, blue));
                Some((recent.source, ColorImage::new([width, height], pixels.collect())))
            };
            recent.into_iter().filter_map(image).collect()
        });
    }

    /// Keeps what the start page tells about the open document, which is about to be left.
    pub(super) fn keep_overview(&mut self) {
        let Some(open) = self.open.as_deref().filter(|_| !self.is_guided()) else { return };
        let source = open.opened();
        let Some(recent) = self.state.recent.iter_mut().find(|recent| recent.source == source) else { return };
        (recent.facts, recent.best, recent.left_at) = (open.facts_line(), open.best(), Local::now().timestamp());
        let Some(format) = open.formats().iter().find(|format| format.ending == "svg") else { return };
        let store = self.store.clone();
        let path = store.thumbnail_path(&source, "svg");
        let Ok(draw) = open.export(&self.services, format, path) else { return };
        files::save_in_order(move || {
            // Without a thumbnail the start page shows an icon.
            let _ = store.keep_thumbnail(&source, || draw(&Writing::default()));
        });
    }
}

/// The command that opens a recent file.
fn load(recent: &Recent) -> Command {
    Command::Load { source: recent.source.clone(), options: recent.options.clone() }
}

/// Draws the short tour, folded.
fn tour(ui: &mut Ui) {
    let header = egui::CollapsingHeader::new(theme::heading("A tour in two minutes")).id_salt("tour");
    header.show(ui, |ui| {
        for (heading, explanation) in TOUR {
            ui.label(theme::bold(heading));
            ui.label(RichText::new(explanation).color(palette(ui.visuals()).weak));
            ui.add_space(space::XS);
        }
    });
}

/// Draws a recent plan; returns `true` if it was pressed.
fn recent_row(ui: &mut Ui, recent: &Recent, distinctions: &Distinctions, thumbnail: Option<&TextureHandle>) -> bool {
    let palette = palette(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), THUMBNAIL.y + space::S), Sense::click());
    let best = if recent.best.is_empty() { String::new() } else { format!("best {}", recent.best) };
    let date = DateTime::from_timestamp(recent.left_at, 0).filter(|_| recent.left_at > 0);
    let date = date.map_or_else(String::new, |date| date.with_timezone(&Local).format("%-d %B %Y").to_string());
    let facts = [recent.facts.as_str(), best.as_str(), date.as_str()];
    let facts = facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ");
    let name = distinctions.name(recent);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Open {name}: {facts}")));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, f32::from(size::RADIUS), palette.raised_hover);
    }
    let frame = Rect::from_min_size(rect.min + vec2(space::XS, space::XS), THUMBNAIL);
    ui.painter().rect_filled(frame, 4.0, palette.panel);
    match thumbnail {
        Some(texture) => {
            let scale = (frame.size() / texture.size_vec2()).min_elem();
            let place = Rect::from_center_size(frame.center(), texture.size_vec2() * scale);
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture.id(), place, whole, egui::Color32::WHITE);
        }
        None => Icon::File.paint(ui.painter(), Rect::from_center_size(frame.center(), vec2(20.0, 20.0)), palette.faint),
    }
    ui.painter().rect_stroke(frame, 4.0, Stroke::new(1.0, palette.border), StrokeKind::Inside);
    let (left, room) = (frame.right() + space::M, rect.right() - frame.right() - 2.0 * space::M);
    let lines = [
        (name.as_str(), theme::bold_font(text::BODY), palette.text),
        (facts.as_str(), theme::font(text::BODY), palette.weak),
        (&short_name(&recent.source), theme::font(text::SMALL), palette.weak),
    ];
    let mut y = frame.top() + space::S;
    for (words, font, colour) in lines {
        let galley = truncated(ui.painter(), words, font, colour, room);
        let height = galley.size().y;
        ui.painter().galley(pos2(left, y), galley, colour);
        y += height + space::XS;
    }
    response.on_hover_text(&recent.source).clicked()
}
