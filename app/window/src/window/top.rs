//! The top: what is open, how it is solved, how far it is.

use std::sync::Arc;

use egui::{
    Align, Frame, Layout, Margin, Panel, Rect, RichText, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::arrangement::Front;
use super::command::Command;
use super::{App, menus, short_name};
use crate::document::{ProblemView, Progress};
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::{bare_icon_button, button, icon_switch, labelled, primary};
use crate::widgets::icons::Icon;
use crate::widgets::painting::truncated;

impl App {
    pub(super) fn top(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let frame = Frame::new().fill(palette.panel).inner_margin(Margin { left: 8, right: 16, top: 10, bottom: 10 });
        Panel::top("top").frame(frame).resizable(false).show(ui, |ui| {
            self.title_line(ui);
            // The words of the menus have padding; the lines below are aligned with the words.
            let inset = Frame::new().inner_margin(Margin { left: 8, right: 0, top: 0, bottom: 0 });
            let is_open = self.shows_document();
            if is_open || self.fronts().len() > 1 {
                inset.show(ui, |ui| {
                    ui.add_space(space::S);
                    let is_folded = self.folds(Front::Settings);
                    // Where text is large or the window small, the buttons are never the ones to be pushed out.
                    let narrow = is_folded || ui.available_width() < NARROW;
                    if is_open && !is_folded {
                        self.settings(ui, !narrow);
                    }
                    self.progress_line(ui, narrow);
                });
            }
        });
    }

    /// Draws the settings of the next run, the active rules and what keeps the run from its device.
    fn settings(&mut self, ui: &mut Ui, with_buttons: bool) {
        let now = (self.studies(), self.is_guided());
        let Some(place) = self.open.as_deref_mut() else { return };
        let rows = Layout::left_to_right(Align::TOP).with_main_wrap(true);
        ui.allocate_ui_with_layout(vec2(ui.available_width(), 0.0), rows, |ui| {
            ui.spacing_mut().item_spacing = vec2(space::M, space::S);
            place.settings_bar(ui, &self.device_list);
            labelled(ui, "Study", |ui| study_switch(ui, &now, &mut self.commands));
            if with_buttons {
                // An empty caption, so that all controls are on one line.
                labelled(ui, " ", |ui| run_buttons(ui, place, &mut self.commands));
            }
        });
        ui.add_space(space::S);
        place.active_rules(ui);
        self.memory.show_obstacle(ui);
    }

    /// Draws the settings in the place of the plan.
    pub(super) fn folded_settings(&mut self, ui: &mut Ui) {
        let frame = Frame::new().inner_margin(Margin::symmetric(16, 12));
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| frame.show(ui, |ui| self.settings(ui, false)));
    }

    /// Draws the progress of the run, its buttons where they do not fit next to the settings, and the switch between the
    /// parts of a small window.
    fn progress_line(&mut self, ui: &mut Ui, with_buttons: bool) {
        ui.horizontal(|ui| {
            ui.set_min_height(if with_buttons { size::CONTROL } else { 24.0 });
            let is_open = self.shows_document();
            let Some(place) = self.open.as_deref().filter(|_| is_open) else { return self.front_switch(ui) };
            if with_buttons {
                run_buttons(ui, place, &mut self.commands);
                ui.add_space(space::S);
            }
            let state = place.progress();
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.front_switch(ui);
                progress(ui, &state);
            });
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
                Command::Palette.offer(response, &mut self.commands);
                ui.add_space(space::XS);
                self.campaign_button(ui);
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
            _ if self.shows_campaigns => ("Campaigns".to_owned(), "algorithms compared by many runs".to_owned()),
            (Some(loading), ..) => (short_name(&loading.source), "opening".to_owned()),
            (_, Some(failure), _) => (short_name(&failure.source), "could not be opened".to_owned()),
            (.., Some(place)) => (place.name().to_owned(), place.facts_line()),
            _ => ("Gridwright".to_owned(), "planning problems, solved before your eyes".to_owned()),
        };
        ui.spacing_mut().item_spacing.x = space::S;
        for text in [theme::title(name), RichText::new(facts).color(palette.weak)] {
            // Less would hold nothing but the sign of what is left out.
            if ui.available_width() >= LEAST {
                ui.add(egui::Label::new(text).truncate());
            }
        }
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
        Command::Messages.offer(response, &mut self.commands);
    }

    /// Button that leads to the campaign that goes on while something else is shown.
    fn campaign_button(&mut self, ui: &mut Ui) {
        let Some(progress) = self.campaigns.progress().filter(|_| !self.shows_campaigns) else { return };
        let response = button(ui, Icon::Cells, "Campaign", true);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Campaign {progress}")));
        if response.on_hover_text(progress).clicked() {
            self.commands.push(Command::Campaigns);
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
        let Some(place) = self.open.as_deref().filter(|_| !self.shows_campaigns) else { return };
        // What lies behind a message that another file could not be opened is not what a person would export.
        let ready =
            if self.shows_document() { place.exportable() } else { Err("Nothing is shown that could be exported") };
        let (formats, plan) = (place.formats(), place.plan());
        ui.add_enabled_ui(ready.is_ok(), |ui| {
            let menu = egui::containers::menu::MenuButton::new((Icon::Export.atom(), "Export"));
            let below = menus::room_below(ui);
            let (response, _) = menu.ui(ui, |ui| {
                ui.set_min_width(260.0);
                menus::scrolled(ui, below, |ui| {
                    for (index, format) in formats.iter().enumerate() {
                        let words = format!("{}…", format.name);
                        let item = egui::Button::new(words).shortcut_text(format!(".{}", format.ending));
                        if ui.add(item).on_hover_text(format.help).clicked() {
                            self.commands.push(Command::Export(index));
                            ui.close();
                        }
                    }
                });
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

/// Switches study mode; the state of the document is `studies`, and a lesson goes on if `is_guided`.
fn study_switch(ui: &mut Ui, &(studies, is_guided): &(bool, bool), commands: &mut Vec<Command>) {
    let command = Command::Study;
    let response = ui.add_enabled_ui(!is_guided, |ui| icon_switch(ui, Icon::Graduate, command.text(), studies)).inner;
    command.offer(response.on_disabled_hover_text("A lesson shows all of it"), commands);
}

/// Narrower than this, Solve does not fit next to the settings.
const NARROW: f32 = 960.0;

/// Solve, or Pause and Stop while a run goes on.
fn run_buttons(ui: &mut Ui, place: &dyn ProblemView, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        match place.ongoing() {
            None => {
                let ready = place.ready();
                let response = primary(ui, Icon::Play, Command::Solve.text(), ready.is_ok());
                let response = match ready {
                    Ok(()) => response,
                    Err(why) => response.on_disabled_hover_text(why),
                };
                Command::Solve.offer(response, commands);
            }
            Some(run) => {
                let paused = run.is_paused();
                let stopping = run.is_stopping();
                let (icon, text) = if paused { (Icon::Play, "Resume") } else { (Icon::Pause, Command::Pause.text()) };
                let response =
                    if paused { primary(ui, icon, text, !stopping) } else { button(ui, icon, text, !stopping) };
                Command::Pause.offer(response, commands);
                let text = if stopping { "Stopping…" } else { Command::Stop.text() };
                let response = button(ui, Icon::Stop, text, !stopping);
                Command::Stop.offer(response, commands);
            }
        }
    });
}

/// Least width in points of a text that may be cut.
const LEAST: f32 = 48.0;

/// State, best value, bar, rate and time left; always as high, so that nothing jumps.
fn progress(ui: &mut Ui, progress: &Progress) {
    let palette = palette(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let Progress { word, value, share, rate, left } = progress;
    let rate_words = rate;
    response.widget_info(|| {
        let text = [word.as_str(), value.as_str(), rate.as_str(), left.as_str()].join(" ");
        WidgetInfo::labeled(egui::Role::ProgressIndicator, true, text.trim())
    });
    let painter = ui.painter();
    let centre = rect.center().y;
    let lay = |words: &str, font, colour, room: f32| truncated(painter, words, font, colour, room);
    let put = |galley: Arc<egui::Galley>, left: f32| {
        painter.galley(pos2(left, centre - galley.size().y / 2.0), galley, palette.text);
    };
    let any = f32::INFINITY;
    let value_words = value;
    let value = lay(value, theme::bold_font(text::HEADING), palette.accent, rect.width());
    let left_words = left;
    let left = lay(left, theme::font(text::BODY), palette.text, any);
    // In the smallest windows the best value stands alone.
    let has_left = value.size().x + left.size().x + 2.0 * space::M <= rect.width();
    let left = if has_left { left } else { lay("", theme::font(text::BODY), palette.text, any) };
    let rate = lay(rate, theme::font(text::BODY), palette.weak, any);
    let whole = lay(word, theme::bold_font(text::BODY), palette.text, any);
    // Where room is short, the rate goes first; then the word is cut, which the tooltip tells in full.
    let has_rate = rect.width() - whole.size().x - value.size().x - 3.0 * space::M >= RATES;
    let room = rect.width() - value.size().x - left.size().x - 2.0 * space::M;
    let has_word = room >= LEAST.min(whole.size().x);
    let short = lay(if has_word { word } else { "" }, theme::bold_font(text::BODY), palette.text, room.max(0.0));
    let mut x = rect.left() + if has_word { short.size().x + space::M } else { 0.0 };
    put(short, rect.left());
    let value_width = value.size().x;
    put(value, x);
    x += if value_width > 0.0 { value_width + space::M } else { 0.0 };
    let left_width = left.size().x;
    put(left, rect.right() - left_width);
    if has_rate {
        let rate_width = rate.size().x;
        put(rate, rect.right() - 120.0 - rate_width);
    } else {
        response
            .on_hover_text([word, value_words, rate_words, left_words].map(String::as_str).join(" ").trim().to_owned());
    }
    // The place does not depend on the numbers, except behind a long word (why a run failed).
    let bar_left = x.max(rect.left() + 280.0);
    let bar_right = rect.right() - RATES;
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

/// Width of rate and time left at the end of the line of progress.
const RATES: f32 = 260.0;
