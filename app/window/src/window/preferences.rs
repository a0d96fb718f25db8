//! The preferences: theme, size of text, what is opened at the start, where runs are kept.

use egui::{Context, RichText, Ui};
use gridwright_core::store::ThemeChoice;

use super::command::Command;
use super::{App, library};
use crate::registry;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, icon_button, segmented};
use crate::widgets::dialog::{Wish, closes, dialog, heading};
use crate::widgets::icons::Icon;

const THEMES: [ThemeChoice; 3] = [ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark];

impl App {
    pub(super) fn preferences_dialog(&mut self, ctx: &Context) -> bool {
        let mut commands = Vec::new();
        let now = self.situation();
        let folder = self.store.runs_folder();
        let response = dialog(ctx, "Preferences", 520.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, "Preferences", &mut wish);
            row(ui, "Theme", "Light or dark, or as the system says", |ui| {
                let choices = THEMES.map(|theme| (Command::Theme(theme).text(), Command::Theme(theme).help(), true));
                let chosen = THEMES.iter().position(|theme| *theme == now.state.theme);
                if let Some(theme) = segmented(ui, &choices, chosen).and_then(|index| THEMES.get(index)) {
                    commands.push(Command::Theme(*theme));
                }
            });
            row(ui, "Text size", "Of everything in the window", |ui| {
                for (command, icon) in [(Command::TextSmaller, Icon::Minus), (Command::TextLarger, Icon::Plus)] {
                    if command == Command::TextLarger {
                        let words = RichText::new(format!("{} %", now.state.text_size));
                        ui.add_sized([52.0, size::CONTROL], egui::Label::new(words));
                    }
                    if icon_button(ui, icon, command.text(), now.possible(&command).is_ok()).clicked() {
                        commands.push(command);
                    }
                }
                let usual = egui::Button::new("Normal").min_size(egui::vec2(0.0, size::CONTROL));
                let response = ui.add_enabled(now.state.text_size != 100, usual);
                Command::TextNormal.offer(response, &mut commands);
            });
            row(ui, "At the start", "Otherwise the window opens with the library", |ui| {
                let mut reopen = now.state.reopen;
                if ui.checkbox(&mut reopen, "Reopen what was open").changed() {
                    commands.push(Command::Reopen(reopen));
                }
            });
            row(ui, "Kinds of plans", "In the library and on the start page", |ui| {
                ui.vertical(|ui| {
                    let shown = library::kinds(now.state).len();
                    for problem in registry::problems() {
                        let kind = problem.problem.id();
                        let mut on = now.state.shows_kind(kind);
                        // The last one stays.
                        let is_last = on && shown == 1;
                        let words = problem.problem.nouns().heading;
                        if ui.add_enabled(!is_last, egui::Checkbox::new(&mut on, words)).changed() {
                            commands.push(Command::ShowKind(kind, on));
                        }
                    }
                });
            });
            row(ui, "Study mode", "Algorithm, device, seed, and views of algorithms", |ui| {
                ui.vertical(|ui| {
                    for problem in registry::problems() {
                        let kind = problem.problem.id();
                        let mut on = self.studies_kind(kind, problem.is_of_algorithms);
                        let words = problem.problem.nouns().heading;
                        let response = ui.checkbox(&mut on, words);
                        let name = format!("Study mode: {words}");
                        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, on, &name));
                        if response.changed() {
                            commands.push(Command::StudyKind(kind, on));
                        }
                    }
                });
            });
            row(ui, "Runs are kept in", "Deleted ones in the folder “trash” beside it", |ui| {
                ui.vertical(|ui| {
                    let text = RichText::new(folder.display().to_string());
                    ui.add(egui::Label::new(text).wrap().selectable(true));
                    ui.horizontal(|ui| {
                        if button(ui, Icon::Copy, "Copy path", true).clicked() {
                            commands.push(Command::Copy(folder.display().to_string()));
                        }
                        if button(ui, Icon::Open, "Show folder", true).clicked() {
                            commands.push(Command::ShowFolder(folder.clone()));
                        }
                    });
                });
            });
            wish
        });
        let close = closes(&response);
        self.commands.append(&mut commands);
        close
    }
}

/// A preference: its name and a remark at the left, its controls at the right.
fn row(ui: &mut Ui, name: &str, remark: &str, controls: impl FnOnce(&mut Ui)) {
    ui.separator();
    ui.horizontal_top(|ui| {
        let left = egui::vec2(184.0, size::CONTROL);
        ui.allocate_ui_with_layout(left, egui::Layout::top_down(egui::Align::LEFT), |ui| {
            ui.set_width(left.x);
            ui.spacing_mut().item_spacing.y = space::XS;
            ui.label(theme::bold(name));
            ui.label(theme::small(remark).color(palette(ui.visuals()).weak));
        });
        ui.with_layout(egui::Layout::left_to_right(egui::Align::TOP).with_main_wrap(false), controls);
    });
}
