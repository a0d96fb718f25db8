//! The middle: the picture, or what stands there while there is none. And the right side.

use egui::{CentralPanel, Frame, Margin, Panel, RichText, ScrollArea, Stroke, Ui};

use super::{App, Command, short_name};
use crate::theme::{self, palette, size, space};
use crate::timetabling::describe::counted;
use crate::timetabling::desk::{Shown, View};
use crate::timetabling::solving::Standing;
use crate::timetabling::{Desk, inspector, settings};
use crate::widgets::controls::{bare_icon_button, button, placeholder, primary, section, tabs};
use crate::widgets::icons::Icon;
use crate::widgets::notice::message;

impl App {
    pub(super) fn centre(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let frame = Frame::new().fill(palette.surface);
        CentralPanel::default().frame(frame).show(ui, |ui| {
            if let Some(loading) = &self.loading {
                opening(ui, &loading.source, loading.began.elapsed());
            } else if self.failure.is_some() {
                self.failed(ui);
            } else if let Some(desk) = &mut self.desk {
                desk_view(ui, desk, self.lost.as_deref(), &mut self.commands);
            } else {
                self.welcome(ui);
            }
        });
    }

    fn welcome(&mut self, ui: &mut Ui) {
        let text = "Open an instance and press Solve: the timetable improves before your eyes, and you take it away as a \
                    workbook, a calendar or a picture.";
        let mut commands = Vec::new();
        let last = self.state.recent.iter().find(|recent| !self.missing.contains(&recent.source));
        placeholder(ui, Icon::Grid, "Examination timetables", text, |ui| {
            side_by_side(ui, |ui| {
                let open = primary(ui, Icon::Open, "Open a file…", self.picking.is_none());
                if open.on_hover_text(Command::Open.tooltip(ui.ctx())).clicked() {
                    commands.push(Command::Open);
                }
                match last {
                    Some(recent) => {
                        let words = format!("Continue with {}", recent.name);
                        if button(ui, Icon::Undo, &words, true).on_hover_text(&recent.source).clicked() {
                            let (source, periods) = (recent.source.clone(), recent.periods);
                            commands.push(Command::Load { source, periods });
                        }
                    }
                    None => {
                        if button(ui, Icon::Grid, "Try the school sample", true).clicked() {
                            commands.push(Command::Load { source: "sample:school".to_owned(), periods: None });
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
                                commands.push(Command::Load { source: failure.source.clone(), periods: None });
                            }
                            if failure.importable && button(ui, Icon::Import, "Import without these…", true).clicked()
                            {
                                commands.push(Command::Import(Some(failure.source.clone())));
                            }
                            if button(ui, Icon::Open, "Open another file…", true).clicked() {
                                commands.push(Command::Open);
                            }
                            let back = if self.desk.is_some() { "Back" } else { "Close" };
                            if button(ui, Icon::Cross, back, true).clicked() {
                                commands.push(Command::Back);
                            }
                        });
                    });
                });
            });
        });
        self.commands.append(&mut commands);
    }

    pub(super) fn right(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let Some(desk) = &mut self.desk else { return };
        let frame = Frame::new().fill(palette.panel);
        Panel::right("right").default_size(size::INSPECTOR).size_range(240.0..=520.0).frame(frame).show(ui, |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                Frame::new().inner_margin(Margin::symmetric(16, 12)).show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = space::XS;
                    inspector::show(ui, desk);
                    ui.add_space(space::M);
                    ui.separator();
                    ui.add_space(space::XS);
                    let name = settings::algorithm_name(desk.settings.algorithm.name()).to_owned();
                    section(ui, "Parameters", |ui| {
                        ui.label(theme::small(name).color(palette.weak));
                    });
                    settings::panel(ui, desk);
                });
            });
        });
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

fn desk_view(ui: &mut Ui, desk: &mut Desk, lost: Option<&str>, commands: &mut Vec<Command>) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.y = 0.0;
    Frame::new().fill(palette.panel).inner_margin(Margin { left: 4, right: 4, top: 0, bottom: 0 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            let names = View::ALL.map(|view| (view.name(), view.help()));
            let open = View::ALL.iter().position(|view| *view == desk.view).unwrap_or(0);
            if let Some(view) = tabs(ui, &names, open).and_then(|index| View::ALL.get(index)) {
                commands.push(Command::Show(*view));
            }
            ui.set_min_width(ui.available_width());
        });
    });
    let line = ui.available_rect_before_wrap();
    ui.painter().hline(line.x_range(), line.top(), Stroke::new(1.0, palette.border));
    ui.add_space(1.0);
    banner(ui, desk);
    edited(ui, desk, commands);
    if desk.picture().is_none() {
        nothing_yet(ui, desk, lost, commands);
        return;
    }
    Frame::new().inner_margin(Margin { left: 12, right: 12, top: 8, bottom: 8 }).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        desk.show_view(ui);
    });
}

/// A picture of what is not a timetable says so.
fn banner(ui: &mut Ui, desk: &Desk) {
    let palette = palette(ui.visuals());
    let Some(Standing::Incomplete(text)) = desk.shown_run().map(|run| &run.standing) else { return };
    let notes = desk.shown_run().map(|run| run.result.notes.join("\n")).unwrap_or_default();
    Frame::new().fill(palette.bad_soft).inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.label(theme::bold("This is not a valid timetable").color(palette.bad));
        message(ui, if notes.is_empty() { text } else { &notes });
    });
}

/// What is being edited, and what can be done with it.
fn edited(ui: &mut Ui, desk: &mut Desk, commands: &mut Vec<Command>) {
    let palette = palette(ui.visuals());
    let Some(draft) = desk.draft() else { return };
    let here = desk.shown == Shown::Draft;
    let verdict = desk.verdict().filter(|_| here);
    let against = verdict.map_or(0, |verdict| verdict.violations.len());
    let moved = counted(draft.moved().len() as u64, "exam");
    let problems = if against > 0 { format!(", {}", counted(against as u64, "problem")) } else { String::new() };
    let narrow = ui.available_width() < NARROW;
    let from = if narrow { "Edited".to_owned() } else { format!("Edited from {}", draft.from) };
    let words = format!("{from}: {moved} moved{problems}");
    let lines = verdict.map_or_else(Vec::new, |verdict| verdict.lines(PROBLEMS));
    let bad = against > 0;
    let fill = if bad { palette.bad_soft } else { palette.accent_soft };
    Frame::new().fill(fill).inner_margin(Margin::symmetric(16, 6)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.horizontal_wrapped(|ui| {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), egui::Sense::hover());
            let (icon, ink) = if bad { (Icon::Warning, palette.bad) } else { (Icon::Pencil, palette.accent) };
            icon.paint(ui.painter(), rect, ink);
            let label = ui.label(theme::bold(words).color(if bad { palette.bad } else { palette.text }));
            if bad {
                label.on_hover_text(lines.join("\n"));
            }
            ui.add_space(space::XS);
            let first = if here { Command::SolveAround } else { Command::ShowDraft };
            for command in [first, Command::CompareDraft, Command::DiscardDraft] {
                if edited_button(ui, desk, &command, narrow) {
                    commands.push(command);
                }
            }
        });
        // The first two at once; the others stand in the tooltip.
        let shown = if narrow { 0 } else { 2 };
        for line in lines.iter().take(shown) {
            let label = egui::Label::new(theme::small(line).color(palette.text)).truncate();
            ui.add(label).on_hover_text(lines.join("\n"));
        }
        if lines.len() > shown && !narrow {
            let more = theme::small(format!("and {} more", against - 2)).color(palette.weak);
            ui.label(more).on_hover_text(lines.join("\n"));
        }
    });
}

/// Narrower than this, the banner of an edited timetable is one line of short words.
const NARROW: f32 = 700.0;

/// What can be done with an edited timetable.
fn edited_button(ui: &mut Ui, desk: &Desk, command: &Command, narrow: bool) -> bool {
    let (words, icon) = match command {
        Command::SolveAround if narrow => ("Solve around…", Icon::Play),
        Command::SolveAround => ("Solve around the changes…", Icon::Play),
        Command::CompareDraft => ("Compare with before", Icon::Compare),
        Command::DiscardDraft => ("Discard", Icon::Trash),
        _ => ("Show", Icon::Grid),
    };
    let ready = if *command == Command::SolveAround { desk.ready() } else { Ok(()) };
    let short = narrow && matches!(command, Command::CompareDraft | Command::DiscardDraft);
    let response = match short {
        true => bare_icon_button(ui, icon, words, ready.is_ok()),
        false => button(ui, icon, words, ready.is_ok()),
    };
    let response = response.on_hover_text(command.tooltip(ui.ctx()));
    response.on_disabled_hover_text(ready.err().unwrap_or_default()).clicked()
}

/// Problems of an edited timetable that are listed in a tooltip.
const PROBLEMS: usize = 20;

/// A run that broke off before it had anything to show.
fn run_lost(ui: &mut Ui, desk: &Desk, why: &str, commands: &mut Vec<Command>) {
    let text = format!("It broke off before a timetable was found: {why}");
    placeholder(ui, Icon::Warning, "The run was lost", &text, |ui| {
        let again = primary(ui, Icon::Play, "Try once more", desk.ready().is_ok());
        if again.on_hover_text(Command::Solve.tooltip(ui.ctx())).clicked() {
            commands.push(Command::Solve);
        }
        let hint =
            "Another seed or the CPU as the device may help; what was told stands in the messages (the bell above).";
        ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
    });
}

/// No picture: nothing solved yet, being prepared, not knowing in how many periods, or a result that failed the check.
fn nothing_yet(ui: &mut Ui, desk: &mut Desk, lost: Option<&str>, commands: &mut Vec<Command>) {
    if let Some(Standing::Wrong(text)) = desk.shown_run().map(|run| &run.standing) {
        let heading = "This result did not pass the check";
        placeholder(ui, Icon::Warning, heading, &format!("It is not shown as a timetable: {text}."), |_| {});
        return;
    }
    if desk.shown == Shown::Live {
        let text = "The first timetable is being built, and the number of steps that fit into the time is measured.";
        placeholder(ui, Icon::Grid, "Preparing", text, |_| {});
        return;
    }
    if desk.instance.period_count() == 0 {
        let text = "The file does not say how many periods the session has. Enter the number above, then press Solve.";
        placeholder(ui, Icon::Info, "How many periods?", text, |_| {});
        return;
    }
    if let Some(why) = lost {
        run_lost(ui, desk, why, commands);
        return;
    }
    let text = format!("{}. Press Solve and watch it get better.", desk.facts_line());
    placeholder(ui, Icon::Grid, "No timetable yet", &text, |ui| {
        let ready = desk.ready().is_ok();
        if primary(ui, Icon::Play, "Solve now", ready).on_hover_text(Command::Solve.tooltip(ui.ctx())).clicked() {
            commands.push(Command::Solve);
        }
    });
}
