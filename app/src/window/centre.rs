//! The middle: the picture, or what stands there while there is none. And the right side.

use egui::{CentralPanel, Frame, Margin, Panel, RichText, ScrollArea, Stroke, Ui};
use gridwright_solver::project;

use super::arrangement::Front;
use super::command::Command;
use super::{App, short_name};
use crate::document::ProblemView;
use crate::registry;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, placeholder, primary, section, tabs};
use crate::widgets::icons::Icon;

impl App {
    pub(super) fn centre(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let frame = Frame::new().fill(palette.surface);
        let front = self.front();
        let frame = if front == Front::Plan { frame } else { Frame::new().fill(palette.panel) };
        CentralPanel::default().frame(frame).show(ui, |ui| {
            self.middle = ui.max_rect();
            if front != Front::Plan {
                self.folded(ui, front);
            } else if let Some(loading) = &self.loading {
                opening(ui, &loading.source, loading.began.elapsed());
            } else if self.failure.is_some() {
                self.failed(ui);
            } else if let Some(open) = &mut self.open {
                desk_view(ui, &mut **open, self.lost.as_deref(), &mut self.commands);
            } else {
                self.welcome(ui);
            }
        });
    }

    /// Draws a part of the window that has no room beside the plan.
    fn folded(&mut self, ui: &mut Ui, front: Front) {
        match front {
            Front::Plan => {}
            Front::Settings => self.folded_settings(ui),
            Front::Library => {
                let frame = Frame::new().inner_margin(Margin::symmetric(8, 12));
                frame.show(ui, |ui| self.library_contents(ui));
            }
            Front::Bottom => self.bottom_contents(ui),
            Front::Inspector => {
                let view = self.open.as_deref().map(ProblemView::view);
                self.inspector(ui);
                // A number that leads to a view was pressed.
                if self.open.as_deref().map(ProblemView::view) != view {
                    self.front = Front::Plan;
                }
            }
        }
    }

    fn welcome(&mut self, ui: &mut Ui) {
        let text = format!(
            "Open {} and press Solve: the plan improves before your eyes, and you take it away as a table, a drawing or a \
             picture.",
            kinds()
        );
        let mut commands = Vec::new();
        let last = self.state.recent.iter().find(|recent| !self.missing.contains(&recent.source));
        placeholder(ui, Icon::Grid, "Nothing is open yet", &text, |ui| {
            side_by_side(ui, |ui| {
                let open = primary(ui, Icon::Open, "Open a file…", self.picking.is_none());
                if open.on_hover_text(Command::Open.tooltip(ui.ctx())).clicked() {
                    commands.push(Command::Open);
                }
                match last {
                    Some(recent) => {
                        let words = format!("Continue with {}", recent.name);
                        if button(ui, Icon::Undo, &words, true).on_hover_text(&recent.source).clicked() {
                            let (source, options) = (recent.source.clone(), recent.options.clone());
                            commands.push(Command::Load { source, options });
                        }
                    }
                    None => {
                        let sample = registry::problems().find_map(|problem| Some((problem, problem.samples.first()?)));
                        if let Some((problem, (source, name, _))) = sample {
                            let words = format!("Try the {} sample", name.to_lowercase());
                            if button(ui, problem.icon, &words, true).clicked() {
                                commands.push(Command::load(*source));
                            }
                        }
                    }
                }
            });
            let keys = Command::Palette.keys(ui.ctx()).into_iter().next().unwrap_or_default();
            let hint = format!("or drop a file anywhere on this window; {keys} lists everything else");
            ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
        });
        self.commands.append(&mut commands);
    }

    fn failed(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let Some(failure) = &self.failure else { return };
        let heading = format!("{} could not be opened", short_name(&failure.source));
        let mut commands = Vec::new();
        let mut is_locating = false;
        ui.add_space((ui.available_height() * 0.18).max(space::XL));
        ui.vertical_centered(|ui| {
            let frame = Frame::new()
                .fill(palette.bad_soft)
                .stroke(Stroke::new(1.0, palette.bad.gamma_multiply(0.4)))
                .corner_radius(10)
                .inner_margin(Margin::same(20));
            let width = (ui.available_width() - 64.0).clamp(240.0, 720.0);
            ui.allocate_ui(egui::vec2(width, 0.0), |ui| {
                frame.show(ui, |ui| {
                    ui.with_layout(egui::Layout::top_down(egui::Align::LEFT), |ui| {
                        ui.set_width(width - 40.0);
                        ui.horizontal(|ui| {
                            let (rect, _) = ui.allocate_exact_size(egui::vec2(18.0, 18.0), egui::Sense::hover());
                            Icon::Warning.paint(ui.painter(), rect, palette.bad);
                            ui.label(theme::title(heading));
                        });
                        ui.add_space(space::XS);
                        for line in failure.text.lines() {
                            ui.add(egui::Label::new(RichText::new(line).color(palette.text)).wrap().selectable(true));
                        }
                        ui.add_space(space::S);
                        ui.horizontal(|ui| {
                            if button(ui, Icon::Reset, "Try again", true).clicked() {
                                commands.push(Command::load(failure.source.clone()));
                            }
                            if failure.importable && button(ui, Icon::Import, "Import without these…", true).clicked()
                            {
                                commands.push(Command::Import(Some(failure.source.clone())));
                            }
                            let is_project = project::is_project(std::path::Path::new(&failure.source));
                            if is_project && button(ui, Icon::File, "Locate its data…", true).clicked() {
                                is_locating = true;
                            }
                            if button(ui, Icon::Open, "Open another file…", true).clicked() {
                                commands.push(Command::Open);
                            }
                            let back = if self.open.is_some() { "Back" } else { "Close" };
                            if button(ui, Icon::Cross, back, true).clicked() {
                                commands.push(Command::Back);
                            }
                        });
                    });
                });
            });
        });
        if is_locating {
            self.pick_instance(ui.ctx());
        }
        self.commands.append(&mut commands);
    }

    pub(super) fn right(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let frame = Frame::new().fill(palette.panel);
        let most = (self.size.x * 0.36).clamp(240.0, 520.0);
        let panel = Panel::right("right").default_size(size::INSPECTOR).size_range(240.0..=most);
        panel.frame(frame).show(ui, |ui| self.inspector(ui));
    }

    /// Draws the inspector and, folded, the parameters of the search.
    fn inspector(&mut self, ui: &mut Ui) {
        let Some(place) = self.open.as_deref_mut() else { return };
        let mut area = ScrollArea::vertical().auto_shrink(false);
        // What is selected anew is read from its beginning.
        let inspected = Some(place.selection());
        if self.inspected != inspected {
            self.inspected = inspected;
            area = area.vertical_scroll_offset(0.0);
        }
        area.show(ui, |ui| {
            Frame::new().inner_margin(Margin::symmetric(16, 12)).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = space::XS;
                place.inspector(ui);
                ui.add_space(space::M);
                ui.separator();
                let advanced = egui::CollapsingHeader::new(theme::heading("Advanced")).id_salt("advanced");
                advanced.show_unindented(ui, |ui| {
                    section(ui, place.algorithm(), |_| {});
                    place.parameters(ui);
                    self.memory.show_need(ui);
                });
            });
        });
    }
}

/// The kinds of instances in words: «an examination session, a flow shop or a layout problem».
fn kinds() -> String {
    let kinds: Vec<&str> = registry::problems().map(|problem| problem.problem.nouns().instance).collect();
    match &kinds[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Puts buttons beside each other in the middle.
fn side_by_side(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    // The width is known from the frame before; the first one is not shown.
    let id = ui.scope_id().with("side by side");
    let known: Option<f32> = ui.data(|data| data.get_temp(id));
    let width = known.unwrap_or(320.0);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let response = ui.allocate_ui_with_layout(egui::vec2(width, size::CONTROL), layout, add);
    let now = response.response.rect.width();
    if known != Some(now) {
        ui.data_mut(|data| data.insert_temp(id, now));
        ui.ctx().request_discard("buttons are put in the middle");
    }
}

/// While a file is read: its name and a bar that moves, 20 times a second.
fn opening(ui: &mut Ui, source: &str, elapsed: std::time::Duration) {
    let palette = palette(ui.visuals());
    placeholder(ui, Icon::File, &format!("Opening {}", short_name(source)), source, |ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(240.0, 4.0), egui::Sense::hover());
        ui.painter().rect_filled(rect, 2.0, palette.border);
        let phase = (elapsed.as_secs_f32() * 0.8).fract() * 1.3 - 0.3;
        let part = rect.with_min_x(rect.left() + rect.width() * phase.max(0.0));
        let part = part.with_max_x(rect.left() + rect.width() * (phase + 0.3).min(1.0));
        ui.painter().rect_filled(part, 2.0, palette.accent);
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(50));
    });
}

/// The tabs and what is chosen by them.
fn desk_view(ui: &mut Ui, place: &mut dyn ProblemView, lost: Option<&str>, commands: &mut Vec<Command>) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.y = 0.0;
    Frame::new().fill(palette.panel).inner_margin(Margin { left: 4, right: 4, top: 0, bottom: 0 }).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let views = place.tabs();
            let names: Vec<(&str, &str)> = views.iter().map(|view| (view.name, view.help)).collect();
            if let Some(view) = tabs(ui, &names, place.view()).and_then(|index| views.get(index)) {
                commands.push(Command::Show(*view));
            }
        });
    });
    let line = ui.available_rect_before_wrap();
    ui.painter().hline(line.x_range(), line.top(), Stroke::new(1.0, palette.border));
    ui.add_space(1.0);
    place.centre(ui, lost, commands);
}
