//! The middle: the picture, or its replacement while there is none; and the right side.

use egui::{CentralPanel, Frame, Margin, Panel, RichText, ScrollArea, Stroke, Ui};
use gridwright_core::planning::opening::declared;
use gridwright_core::project;
use gridwright_core::text::sentence_case;

use super::arrangement::Front;
use super::command::{Command, ViewGroup, ViewTab};
use super::{App, Failure, short_name};
use crate::document::ProblemView;
use crate::settings;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{TabName, button, placeholder, section, tabs};
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;

impl App {
    pub(super) fn centre(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let frame = Frame::new().fill(palette.surface);
        let (front, is_alone) = (self.front(), self.presents());
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
                let compared = self.compared.filter(|(_, view)| *view == open.view());
                let difference = compared.and_then(|(runs, _)| open.parameter_difference(runs));
                if is_alone {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    open.centre(ui, self.lost.as_deref(), &mut self.commands);
                } else {
                    let words = (self.lost.as_deref(), difference.as_deref());
                    desk_view(ui, &mut **open, words, &mut self.commands);
                }
            } else {
                self.start_page(ui);
            }
        });
    }

    /// Draws a part of the window that does not fit next to the plan.
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

    fn failed(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let Some(failure) = &mut self.failure else { return };
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
                        commands.extend(ask_for_missing(ui, failure));
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
                if settings::studies(ui) {
                    let advanced = egui::CollapsingHeader::new(theme::heading("Advanced")).id_salt("advanced");
                    advanced.show_unindented(ui, |ui| {
                        section(ui, place.algorithm(), |_| {});
                        place.parameters(ui);
                    });
                }
                self.memory.show_need(ui);
            });
        });
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

/// The tabs and what is chosen by them; `difference` tells the parameters of two runs that are compared apart.
fn desk_view(
    ui: &mut Ui, place: &mut dyn ProblemView, (lost, difference): (Option<&str>, Option<&str>),
    commands: &mut Vec<Command>,
) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.y = 0.0;
    Frame::new().fill(palette.panel).inner_margin(Margin { left: 4, right: 4, top: 0, bottom: 0 }).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let (open, studies) = (place.view(), settings::studies(ui));
            let is_shown = |view: &ViewTab| studies || view.group != ViewGroup::Algorithm || view.index == open;
            let views: Vec<ViewTab> = place.tabs().into_iter().filter(is_shown).collect();
            let begins_group = |at: usize| at > 0 && views[at - 1].group != views[at].group;
            let tab = |(at, view): (usize, &ViewTab)| TabName {
                is_apart: begins_group(at),
                ..TabName::new(view.name, view.help)
            };
            let names: Vec<TabName<'_>> = views.iter().enumerate().map(tab).collect();
            let open = views.iter().position(|view| view.index == open).unwrap_or_default();
            if let Some(view) = tabs(ui, &names, open).and_then(|index| views.get(index)) {
                commands.push(Command::Show(*view));
            }
        });
    });
    let line = ui.available_rect_before_wrap();
    ui.painter().hline(line.x_range(), line.top(), Stroke::new(1.0, palette.border));
    ui.add_space(1.0);
    if let Some(difference) = difference {
        Frame::new().fill(palette.accent_soft).inner_margin(Margin::symmetric(12, 6)).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.add(egui::Label::new(RichText::new(difference).color(palette.text)).wrap());
        });
    }
    place.centre(ui, lost, commands);
}

/// A field for the option whose value the file lacks; returns the command that opens the file with that value.
fn ask_for_missing(ui: &mut Ui, failure: &mut Failure) -> Option<Command> {
    let (name, value) = failure.missing.as_mut()?;
    let (_, option) = declared(name)?;
    let mut wanted = None;
    ui.horizontal(|ui| {
        let title = sentence_case(name);
        ui.label(&title).on_hover_text(option.help);
        let response = Field::new(&title).hint(option.value_name).width(160.0).live(ui, value);
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let checked = (option.check)(value);
        if button(ui, Icon::Open, "Open with this", checked.is_ok()).clicked() || (entered && checked.is_ok()) {
            let options = [((*name).to_owned(), value.trim().to_owned())].into_iter().collect();
            wanted = Some(Command::Load { source: failure.source.clone(), options });
        }
        if let Err(why) = checked {
            ui.label(theme::small(why).color(palette(ui.visuals()).bad));
        }
    });
    ui.add_space(space::S);
    wanted
}
