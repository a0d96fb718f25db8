//! The menus: the table of commands by group.

use egui::containers::menu::SubMenuButton;
use egui::{Button, Response, Ui, WidgetInfo};
use gridwright_core::registry;
use gridwright_core::store::ThemeChoice;

use super::command::{Command, Group};
use super::recents::Distinctions;
use super::situation::Situation;
use super::{App, library};
use crate::widgets::icons::Icon;

/// Width of a menu, so that keys are aligned.
const WIDTH: f32 = 250.0;

impl App {
    /// The words of the menu bar; to be called inside a bar.
    pub(super) fn menus(&mut self, ui: &mut Ui) {
        let mut commands = Vec::new();
        let now = self.situation();
        for group in Group::ALL {
            let below = room_below(ui);
            let response = ui.menu_button(group.name(), |ui| {
                ui.set_min_width(WIDTH);
                scrolled(ui, below, |ui| self.entries(ui, group, &now, &mut commands));
            });
            response.response.widget_info(|| WidgetInfo::labeled(egui::Role::MenuItem, true, group.name()));
        }
        self.commands.append(&mut commands);
    }

    /// Draws the commands of a menu.
    fn entries(&self, ui: &mut Ui, group: Group, now: &Situation<'_>, commands: &mut Vec<Command>) {
        let mut first = true;
        for command in now.commands().into_iter().filter(|command| command.entry().group == group) {
            if command.entry().section && !first {
                ui.separator();
            }
            first = false;
            match command {
                Command::Export(0) => exports(ui, now, commands),
                Command::Theme(ThemeChoice::System) => themes(ui, now, commands),
                Command::Export(_) | Command::Theme(_) => {}
                Command::Open => {
                    item(ui, &command, now, commands);
                    self.recent_menu(ui, commands);
                }
                command => {
                    item(ui, &command, now, commands);
                }
            }
        }
    }

    fn recent_menu(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let mut recent = self.state.recent.iter().filter(|recent| !registry::is_generated(&recent.source)).peekable();
        if recent.peek().is_none() {
            return;
        }
        SubMenuButton::new((Icon::File.atom(), "Open recent")).ui(ui, |ui| {
            ui.set_min_width(WIDTH);
            let distinctions = Distinctions::of(&self.state.recent);
            for recent in recent {
                let there = !self.missing.contains(&recent.source);
                let response = ui.add_enabled(there, Button::new(distinctions.name(recent)));
                let response = response.on_hover_text(&recent.source);
                if response.on_disabled_hover_text(library::gone(&recent.source)).clicked() {
                    commands.push(Command::Load { source: recent.source.clone(), options: recent.options.clone() });
                    ui.close();
                }
            }
        });
    }
}

/// Height in points below the bar that a button of a menu is in.
pub(super) fn room_below(ui: &Ui) -> f32 {
    /// Frame and margin of a menu.
    const FRAME: f32 = 24.0;
    (ui.ctx().content_rect().bottom() - ui.max_rect().bottom() - FRAME).max(0.0)
}

/// Draws a menu that scrolls where it would be higher than `most`, so that it never lies over the button that opened it. It opens at its
/// top.
pub(super) fn scrolled(ui: &mut Ui, most: f32, contents: impl FnOnce(&mut Ui)) {
    // Popups are 400 points high unless they are told otherwise.
    ui.set_max_height(most);
    let (shown, pass) = (ui.scope_id().with("shown in pass"), ui.ctx().cumulative_pass_nr());
    let before: Option<u64> = ui.data_mut(|data| data.get_temp(shown));
    ui.data_mut(|data| data.insert_temp(shown, pass));
    let area = egui::ScrollArea::vertical().max_height(most).auto_shrink(true);
    let is_open = before.is_some_and(|before| before + 1 >= pass);
    let area = if is_open { area } else { area.vertical_scroll_offset(0.0) };
    area.show(ui, contents);
}

fn exports(ui: &mut Ui, now: &Situation<'_>, commands: &mut Vec<Command>) {
    SubMenuButton::new((Icon::Export.atom(), "Export")).ui(ui, |ui| {
        ui.set_min_width(WIDTH);
        for index in 0..now.open.map_or(0, |open| open.formats().len()) {
            item(ui, &Command::Export(index), now, commands);
        }
    });
}

fn themes(ui: &mut Ui, now: &Situation<'_>, commands: &mut Vec<Command>) {
    SubMenuButton::new((Icon::Theme.atom(), "Theme")).ui(ui, |ui| {
        for choice in [ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark] {
            let command = Command::Theme(choice);
            if ui.radio(now.state.theme == choice, command.text()).clicked() {
                commands.push(command);
                ui.close();
            }
        }
    });
}

/// A command as an item of a menu: greyed with the reason where it is not possible.
pub(crate) fn item(ui: &mut Ui, command: &Command, now: &Situation<'_>, commands: &mut Vec<Command>) -> Response {
    let entry = command.entry();
    let possible = now.possible(command);
    let is_shown = |index: usize| now.open.is_some_and(|open| open.view() == index);
    let shown = match command {
        Command::Show(tab) => is_shown(tab.index),
        Command::Study => now.studies,
        Command::Problem(command) => now.open.is_some_and(|open| open.is_chosen(command)),
        _ => false,
    };
    let icon = if shown { Some(Icon::Check) } else { entry.icon };
    let words = match command {
        Command::Show(_) => entry.text.into(),
        _ => now.text(command),
    };
    let keys = command.keys(ui.ctx()).into_iter().next().unwrap_or_default();
    let atom = icon.map_or_else(Icon::nothing, Icon::atom);
    let response = ui.add_enabled(possible.is_ok(), Button::new((atom, words.as_ref())).shortcut_text(keys));
    response.widget_info(|| WidgetInfo {
        selected: shown.then_some(true),
        ..WidgetInfo::labeled(egui::Role::MenuItem, possible.is_ok(), words.as_ref())
    });
    let response = response.on_hover_text(now.help(command));
    let response = match possible {
        Ok(()) => response,
        Err(why) => response.on_disabled_hover_text(why),
    };
    if response.clicked() {
        commands.push(command.clone());
        ui.close();
    }
    response
}
