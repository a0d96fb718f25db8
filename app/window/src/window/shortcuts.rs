//! The overview of all keys, from the table of commands.

use egui::{Context, RichText, Ui};

use super::App;
use super::command::{Command, Group};
use super::situation::Situation;
use crate::theme::{self, palette, space};
use crate::widgets::controls::key_cap;
use crate::widgets::dialog::{Wish, closes, dialog, heading};

/// Gestures and keys in pictures, which are no commands.
const PICTURES: [(&str, &[&str]); 7] = [
    ("Next or previous item", &["↑", "↓"]),
    ("Twenty items on", &["Page up", "Page down"]),
    ("Enlarge or make smaller", &["+", "-", "Wheel"]),
    ("Move the picture", &["Drag"]),
    ("From one control to the next", &["Tab", "Shift+Tab"]),
    ("Explain the word under the pointer", &["F1"]),
    ("Close menu or dialog", &["Esc"]),
];

/// Narrower than this, two columns do not fit side by side.
const BOTH: f32 = 740.0;

impl App {
    pub(super) fn shortcuts_dialog(&mut self, ctx: &Context) -> bool {
        let now = self.situation();
        let response = dialog(ctx, "Keyboard shortcuts", 800.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, "Keyboard shortcuts", &mut wish);
            let everything = |columns: &mut [Ui]| {
                for column in columns.iter_mut() {
                    column.spacing_mut().item_spacing.y = 2.0;
                }
                if let Some(left) = columns.first_mut() {
                    for group in [Group::File, Group::Edit, Group::Run, Group::Help] {
                        commands(left, group, &now);
                    }
                }
                if let Some(right) = columns.last_mut() {
                    commands(right, Group::View, &now);
                    section(right, "In pictures and everywhere");
                    for (text, keys) in PICTURES {
                        row(right, text, keys.iter().map(|key| (*key).to_owned()).collect());
                    }
                }
            };
            let count = if ui.available_width() < BOTH { 1 } else { 2 };
            ui.columns(count, everything);
            wish
        });
        closes(&response)
    }
}

fn section(ui: &mut Ui, name: &str) {
    ui.add_space(space::S);
    ui.label(theme::bold(name).color(palette(ui.visuals()).accent));
}

fn commands(ui: &mut Ui, group: Group, now: &Situation<'_>) {
    section(ui, group.name());
    for command in now.commands() {
        let entry = command.entry();
        if entry.group != group || entry.keys.is_empty() {
            continue;
        }
        let text = match command {
            Command::Export(_) => "Export…".to_owned(),
            Command::Show(_) => format!("{} view", entry.text),
            Command::Toggle(_) => format!("Show or hide {}", entry.text.to_lowercase()),
            _ => entry.text.to_owned(),
        };
        row(ui, &text, command.keys(ui.ctx()));
    }
}

fn row(ui: &mut Ui, text: &str, keys: Vec<String>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 24.0;
        let left = egui::vec2(222.0, 20.0);
        ui.allocate_ui_with_layout(left, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_width(left.x);
            ui.add(egui::Label::new(RichText::new(text)).truncate());
        });
        ui.spacing_mut().item_spacing.x = space::XS;
        for key in keys {
            key_cap(ui, &key);
        }
    });
}
