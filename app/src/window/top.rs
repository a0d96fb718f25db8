//! The top: what is open, how it is solved, how far it is.

use egui::{Align, Frame, Layout, Margin, Panel, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::command::Command;
use super::{App, short_name};
use crate::document::{ProblemView, Progress};
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::{bare_icon_button, button, primary};
use crate::widgets::icons::Icon;

impl App {
    pub(super) fn top(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let frame = Frame::new().fill(palette.panel).inner_margin(Margin { left: 8, right: 16, top: 10, bottom: 10 });
        Panel::top("top").frame(frame).resizable(false).show(ui, |ui| {
            self.title_line(ui);
            // The words of the menus have room around them: what stands below begins where they begin.
            let inset = Frame::new().inner_margin(Margin { left: 8, right: 0, top: 0, bottom: 0 });
            let open = self.shows_document();
            if let Some(place) = self.open.as_deref_mut().filter(|_| open) {
                let mut commands = Vec::new();
                inset.show(ui, |ui| {
                    ui.add_space(space::S);
                    let narrow = ui.available_width() < NARROW;
                    egui::ScrollArea::horizontal().id_salt("settings").auto_shrink([false, true]).show(ui, |ui| {
                        ui.horizontal(|ui| {
                            ui.spacing_mut().item_spacing.x = space::M;
                            place.settings_bar(ui, &self.device_list);
                            if !narrow {
                                ui.vertical(|ui| {
                                    ui.spacing_mut().item_spacing.y = space::XS;
                                    // As high as the captions beside it, so that all controls stand on one line.
                                    ui.label(theme::small(" "));
                                    run_buttons(ui, place, &mut commands);
                                });
                            }
                        });
                    });
                    ui.add_space(space::S);
                    place.active_rules(ui);
                    self.memory.show_obstacle(ui);
                    ui.horizontal(|ui| {
                        // Where text is large or the window small, the buttons are never the ones to be pushed out.
                        if narrow {
                            run_buttons(ui, place, &mut commands);
                            ui.add_space(space::S);
                        }
                        progress(ui, &place.progress());
                    });
                });
                self.commands.append(&mut commands);
            }
        });
    }

    /// Menus, what is open, and what is always at hand, in one line.
    fn title_line(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        egui::MenuBar::new().style(menu_words).ui(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            self.menus(ui);
            ui.spacing_mut().item_spacing.x = space::S;
            ui.add_space(space::S);
            let (line, _) = ui.allocate_exact_size(vec2(1.0, 18.0), Sense::hover());
            ui.painter().rect_filled(line, 0.0, palette.border_strong);
            ui.add_space(space::XS);
            let style = ui.ctx().style_of(ui.theme());
            ui.set_style(style);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = space::XS;
                self.bell(ui);
                let response = bare_icon_button(ui, Icon::Search, "Command palette", true);
                if response.on_hover_text(Command::Palette.tooltip(ui.ctx())).clicked() {
                    self.commands.push(Command::Palette);
                }
                ui.add_space(space::XS);
                self.export_menu(ui);
                self.problem_buttons(ui);
                ui.add_space(space::S);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| self.title(ui));
            });
        });
    }

    fn title(&self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let open = self.open.as_deref();
        let (name, facts) = match (&self.loading, &self.failure, open) {
            (Some(loading), ..) => (short_name(&loading.source), "opening".to_owned()),
            (_, Some(failure), _) => (short_name(&failure.source), "could not be opened".to_owned()),
            (.., Some(place)) => (place.name().to_owned(), place.facts_line()),
            _ => ("Gridwright".to_owned(), "planning problems, solved before your eyes".to_owned()),
        };
        ui.spacing_mut().item_spacing.x = space::S;
        ui.add(egui::Label::new(theme::title(name)).truncate());
        ui.add(egui::Label::new(RichText::new(facts).color(palette.weak)).truncate());
    }

    /// The bell: how many messages came since they were looked at.
    fn bell(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let unread = self.notices.unread();
        let name = match unread {
            0 => "Messages".to_owned(),
            1 => "Messages, 1 new".to_owned(),
            _ => format!("Messages, {unread} new"),
        };
        let response = bare_icon_button(ui, Icon::Bell, &name, true);
        if unread > 0 {
            let words = if unread > 9 { "9+".to_owned() } else { unread.to_string() };
            let galley = ui.painter().layout_no_wrap(words, theme::bold_font(text::TINY), palette.on_accent);
            let size = vec2((galley.size().x + 6.0).max(14.0), 14.0);
            let badge = Rect::from_min_size(response.rect.right_top() + vec2(-size.x + 2.0, 0.0), size);
            ui.painter().rect_filled(badge, 7.0, palette.accent);
            ui.painter().galley(badge.center() - galley.size() / 2.0, galley, palette.on_accent);
        }
        if response.on_hover_text(Command::Messages.tooltip(ui.ctx())).clicked() {
            self.commands.push(Command::Messages);
        }
    }

    /// Buttons of the commands of the problem that belong into the title line.
    fn problem_buttons(&mut self, ui: &mut Ui) {
        let now = self.situation();
        let commands = now.open.map_or(&[][..], |open| open.commands());
        let mut pressed = None;
        for command in commands.iter().filter(|command| command.in_title).copied().map(Command::Problem) {
            let possible = now.possible(&command);
            let icon = command.entry().icon.unwrap_or(Icon::Settings);
            let response = button(ui, icon, command.text(), possible.is_ok()).on_hover_text(command.tooltip(ui.ctx()));
            if response.on_disabled_hover_text(possible.err().unwrap_or_default()).clicked() {
                pressed = Some(command);
            }
        }
        self.commands.extend(pressed);
    }

    fn export_menu(&mut self, ui: &mut Ui) {
        let Some(place) = self.open.as_deref() else { return };
        // What lies behind a message that another file could not be opened is not what a person would export.
        let ready =
            if self.shows_document() { place.exportable() } else { Err("Nothing is shown that could be exported") };
        let (formats, plan) = (place.formats(), place.plan());
        ui.add_enabled_ui(ready.is_ok(), |ui| {
            let menu = egui::containers::menu::MenuButton::new((Icon::Export.atom(), "Export"));
            let (response, _) = menu.ui(ui, |ui| {
                ui.set_min_width(260.0);
                for (index, format) in formats.iter().enumerate() {
                    let words = format!("{}…", format.name);
                    let item = egui::Button::new(words).shortcut_text(format!(".{}", format.ending));
                    if ui.add(item).on_hover_text(format.help).clicked() {
                        self.commands.push(Command::Export(index));
                        ui.close();
                    }
                }
            });
            let response = response.on_hover_text(format!("Write the {plan} that is shown to a file (Ctrl+E)"));
            if let Err(why) = ready {
                response.on_disabled_hover_text(why);
            }
        });
    }
}

/// Words of a menu bar: no frames until the pointer is there.
fn menu_words(style: &mut egui::Style) {
    egui::containers::menu::menu_style(style);
    style.spacing.button_padding = vec2(space::S, space::XS);
    style.spacing.interact_size.y = size::CONTROL;
}

/// Narrower than this, Solve does not fit beside the settings.
const NARROW: f32 = 960.0;

/// Solve, or Pause and Stop while a run goes on.
fn run_buttons(ui: &mut Ui, place: &dyn ProblemView, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        let mut add = |ui: &mut Ui, command: Command, response: egui::Response| {
            if response.on_hover_text(command.tooltip(ui.ctx())).clicked() {
                commands.push(command);
            }
        };
        match place.ongoing() {
            None => {
                let ready = place.ready();
                let response = primary(ui, Icon::Play, Command::Solve.text(), ready.is_ok());
                let response = match ready {
                    Ok(()) => response,
                    Err(why) => response.on_disabled_hover_text(why),
                };
                add(ui, Command::Solve, response);
            }
            Some(run) => {
                let paused = run.is_paused();
                let stopping = run.is_stopping();
                let (icon, text) = if paused { (Icon::Play, "Resume") } else { (Icon::Pause, Command::Pause.text()) };
                let response =
                    if paused { primary(ui, icon, text, !stopping) } else { button(ui, icon, text, !stopping) };
                add(ui, Command::Pause, response);
                let text = if stopping { "Stopping…" } else { Command::Stop.text() };
                let response = button(ui, Icon::Stop, text, !stopping);
                add(ui, Command::Stop, response);
            }
        }
    });
}

/// State, best value, bar, rate and time left; always as high, so that nothing jumps.
fn progress(ui: &mut Ui, progress: &Progress) {
    let palette = palette(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let Progress { word, value, share, rate, left } = progress;
    response.widget_info(|| {
        let text = [word.as_str(), value.as_str(), rate.as_str(), left.as_str()].join(" ");
        WidgetInfo::labeled(egui::Role::ProgressIndicator, true, text.trim())
    });
    let painter = ui.painter();
    let centre = rect.center().y;
    let put = |words: &str, font, colour, x: f32, from_right: bool| {
        let galley = painter.layout_no_wrap(words.to_owned(), font, colour);
        let left = if from_right { x - galley.size().x } else { x };
        let width = galley.size().x;
        painter.galley(pos2(left, centre - galley.size().y / 2.0), galley, colour);
        width
    };
    let mut x = rect.left();
    x += put(word, theme::bold_font(text::BODY), palette.text, x, false) + space::M;
    if !value.is_empty() {
        x += put(value, theme::bold_font(text::HEADING), palette.accent, x, false) + space::M;
    }
    // At the same place whatever the numbers say, but behind a long word (why a run failed).
    let bar_left = x.max(rect.left() + 280.0);
    let bar_right = rect.right() - 260.0;
    put(left, theme::font(text::BODY), palette.text, rect.right(), true);
    put(rate, theme::font(text::BODY), palette.weak, rect.right() - 120.0, true);
    if bar_right > bar_left + 40.0 {
        let bar = Rect::from_min_max(pos2(bar_left, centre - 3.0), pos2(bar_right, centre + 3.0));
        painter.rect_filled(bar, 3.0, palette.border);
        if *share > 0.0 {
            let done = bar.with_max_x(bar.left() + bar.width() * share.clamp(0.0, 1.0));
            painter.rect_filled(done, 3.0, palette.accent);
        }
    } else {
        painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, palette.border));
    }
}
