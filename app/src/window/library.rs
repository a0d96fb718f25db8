//! The left side: samples, recent files, and a path to type.

use egui::{Frame, Margin, Panel, Rect, Response, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};

use super::{App, Command};
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::button;
use crate::widgets::icons::Icon;

/// The instances that ship: name for opening, name for people, facts.
pub const SAMPLES: [(&str, &str, &str); 3] = [
    ("sample:school", "School", "40 exams, 400 students"),
    ("sample:faculty", "Faculty", "200 exams, 3000 students"),
    ("sample:university", "University", "600 exams, 20\u{202f}000 students"),
];

impl App {
    pub(super) fn library(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let frame = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(8, 12));
        Panel::left("library").default_size(size::LIBRARY).size_range(180.0..=420.0).frame(frame).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.add_space(space::S);
                ui.label(theme::heading("Library"));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let open = button(ui, Icon::Open, Command::Open.text(), self.picking.is_none());
                    if open.on_hover_text(Command::Open.tooltip(ui.ctx())).clicked() {
                        self.commands.push(Command::Open);
                    }
                });
            });
            ui.add_space(space::XS);
            self.path_field(ui);
            self.import_button(ui);
            ui.add_space(space::S);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                caption(ui, "Samples");
                let open = self.desk.as_ref().map(|desk| desk.source.clone());
                for (source, name, facts) in SAMPLES {
                    if entry(ui, Icon::Grid, name, facts, open.as_deref() == Some(source)).clicked() {
                        self.commands.push(Command::Load { source: source.to_owned(), periods: None });
                    }
                }
                let recent = self.state.recent.iter().filter(|recent| !recent.source.starts_with("sample:"));
                let mut recent = recent.peekable();
                if recent.peek().is_some() {
                    ui.add_space(space::M);
                    caption(ui, "Recent");
                }
                for recent in recent {
                    let on = open.as_deref() == Some(recent.source.as_str());
                    let response = entry(ui, Icon::File, &recent.name, &recent.facts, on);
                    let response = response.on_hover_text(&recent.source);
                    if response.clicked() {
                        let (source, periods) = (recent.source.clone(), recent.periods);
                        self.commands.push(Command::Load { source, periods });
                    }
                    let forget = Command::Forget(recent.source.clone());
                    response.context_menu(|ui| {
                        if ui.button(forget.text()).on_hover_text(forget.help()).clicked() {
                            self.commands.push(forget);
                            ui.close();
                        }
                    });
                }
            });
        });
    }

    /// For tables of any form.
    fn import_button(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.add_space(space::S);
            let command = Command::Import(None);
            let import = button(ui, Icon::Import, command.text(), true);
            if import.on_hover_text(command.tooltip(ui.ctx())).clicked() {
                self.commands.push(command);
            }
        });
    }

    /// Works where no file dialog does.
    fn path_field(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.add_space(space::S);
            let field =
                TextEdit::singleline(&mut self.path).hint_text("or a path, then Enter").margin(Margin::symmetric(8, 5));
            let response = ui.add(field.desired_width(ui.available_width() - space::XS));
            response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Path of a file to open"));
            if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                let source = std::mem::take(&mut self.path);
                self.commands.push(Command::Load { source, periods: None });
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

/// A line of the library: name above, facts under it.
fn entry(ui: &mut Ui, icon: Icon, name: &str, facts: &str, open: bool) -> Response {
    let palette = palette(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, open, format!("{name}, {facts}")));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let radius = f32::from(size::RADIUS);
    if open {
        ui.painter().rect_filled(rect, radius, palette.accent_soft);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, radius, palette.raised_hover);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, radius, egui::Stroke::new(1.5, palette.accent), egui::StrokeKind::Inside);
    }
    let colour = if open { palette.accent } else { palette.weak };
    let place = Rect::from_center_size(pos2(rect.left() + 18.0, rect.center().y), vec2(size::ICON, size::ICON));
    icon.paint(ui.painter(), place, colour);
    let painter = ui.painter().with_clip_rect(rect.shrink(4.0).intersect(ui.clip_rect()));
    let left = rect.left() + 36.0;
    let line = |words: &str, font, colour| {
        let mut job = egui::text::LayoutJob::simple_singleline(words.to_owned(), font, colour);
        job.wrap = egui::text::TextWrapping::truncate_at_width(rect.right() - left - 8.0);
        painter.layout_job(job)
    };
    let name = line(name, theme::bold_font(text::BODY), palette.text);
    let facts = line(facts, theme::font(text::SMALL), palette.weak);
    let centre = rect.center().y;
    painter.galley(pos2(left, centre - 1.0 - name.size().y), name, palette.text);
    painter.galley(pos2(left, centre + 2.0), facts, palette.weak);
    response
}
