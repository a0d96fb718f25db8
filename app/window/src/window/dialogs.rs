//! The dialogs of the window, one at a time; Escape or a click outside closes them.

use egui::{Align, Context, Layout, RichText, ScrollArea};

use super::App;
use super::command::Command;
use super::open_dialog::{Dialog, Name, ProjectFile};
use crate::theme::{self, size, space};
use crate::widgets::controls::{button, primary};
use crate::widgets::dialog::{Wish, closes, dialog, heading, room};
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;
use crate::widgets::notice::{Action, history_row};

impl App {
    pub(super) fn dialogs(&mut self, ctx: &Context) {
        let Some(mut dialog) = self.dialog.take() else { return };
        let close = match &mut dialog {
            Dialog::Palette(state) => self.palette(ctx, state),
            Dialog::Shortcuts => self.shortcuts_dialog(ctx),
            Dialog::Glossary(state) => self.glossary_dialog(ctx, state),
            Dialog::Preferences => self.preferences_dialog(ctx),
            Dialog::Messages => self.messages_dialog(ctx),
            Dialog::About => self.about_dialog(ctx),
            Dialog::Name(name) => self.name_dialog(ctx, name),
            Dialog::Project(file) => self.project_dialog(ctx, file),
            Dialog::Dropped(files) => self.dropped_dialog(ctx, files),
            Dialog::SharedCores(campaign, from_here) => self.shared_cores_dialog(ctx, campaign, *from_here),
        };
        if close {
            // What was focused in it is gone.
            ctx.memory_mut(|memory| memory.stop_text_input());
        } else {
            self.dialog = Some(dialog);
        }
    }

    fn messages_dialog(&mut self, ctx: &Context) -> bool {
        self.notices.read();
        let mut pressed = None;
        let mut clear = false;
        let response = dialog(ctx, "Messages", 560.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, "Messages", &mut wish);
            if self.notices.history().len() == 0 {
                let text = "What the program has to tell stands here, newest first. There is nothing yet.";
                ui.label(RichText::new(text).color(theme::palette(ui.visuals()).weak));
                return wish;
            }
            let height = (room(ui.ctx()).height() - 260.0).max(120.0);
            ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                for (index, notice) in self.notices.history().enumerate() {
                    if index > 0 {
                        ui.separator();
                    }
                    ui.push_id(index, |ui| pressed = pressed.take().or(history_row(ui, notice)));
                }
            });
            ui.add_space(space::S);
            ui.horizontal(|ui| {
                if button(ui, Icon::Copy, "Copy all", true).clicked() {
                    let all: Vec<String> = self.notices.history().map(|notice| notice.copied()).collect();
                    pressed = Some(Action::Copy("Copy all", all.join("\n\n")));
                }
                clear = button(ui, Icon::Trash, "Clear", true).clicked();
            });
            wish
        });
        if clear {
            self.notices.clear();
        }
        if let Some(action) = pressed {
            self.act(&action);
        }
        closes(&response)
    }

    fn name_dialog(&mut self, ctx: &Context, name: &mut Name) -> bool {
        let response = dialog(ctx, "Name of the run", 420.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, &format!("Name of run {}", name.run), &mut wish);
            let field = Field::new("Name of the run").hint("such as: before the new rooms").limit(120).margin(8, 6);
            let field = field.width(f32::INFINITY).focused(!std::mem::replace(&mut name.begun, true));
            let field = field.live(ui, &mut name.text);
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            ui.add_space(space::S);
            let pressed = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let done = primary(ui, Icon::Check, "Keep name", true).clicked();
                if ui.add(egui::Button::new("Cancel").min_size(egui::vec2(0.0, size::CONTROL))).clicked() {
                    wish = Wish::Close;
                }
                done
            });
            if entered || pressed.inner {
                self.set_run_name(name.run, name.text.trim());
                wish = Wish::Close;
            }
            wish
        });
        // A click beside the dialog leaves it; «Cancel» and Escape give the name up.
        if response.backdrop_response.clicked() {
            self.set_run_name(name.run, name.text.trim());
        }
        closes(&response)
    }

    fn project_dialog(&mut self, ctx: &Context, file: &mut ProjectFile) -> bool {
        let mut choose = false;
        let text = self.open.as_deref().and_then(|open| open.project_contents()).unwrap_or_default();
        let response = dialog(ctx, "Save project", 520.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, "Save project", &mut wish);
            ui.label(RichText::new(text).color(theme::palette(ui.visuals()).weak));
            let field = Field::new("Path of the project").hint("path of the file").width(f32::INFINITY).margin(8, 6);
            let field = field.focused(!std::mem::replace(&mut file.begun, true)).live(ui, &mut file.path);
            if field.changed() {
                file.taken = self.is_taken(&file.path);
            }
            if file.taken {
                let words = "A project lies there already; saving replaces it.";
                ui.label(RichText::new(words).color(theme::palette(ui.visuals()).warn));
            }
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            ui.add_space(space::S);
            let pressed = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let words = if file.taken { "Replace" } else { "Save" };
                let done = primary(ui, Icon::Check, words, !file.path.trim().is_empty()).clicked();
                if ui.add(egui::Button::new("Cancel").min_size(egui::vec2(0.0, size::CONTROL))).clicked() {
                    wish = Wish::Close;
                }
                choose = button(ui, Icon::Open, "Choose…", !self.file_dialogs.is_open()).clicked();
                done
            });
            // Enter alone replaces nothing.
            if (pressed.inner || entered && !file.taken) && !file.path.trim().is_empty() {
                self.set_project_file(ctx, std::path::Path::new(file.path.trim()));
                wish = Wish::Close;
            }
            wish
        });
        if choose {
            self.pick_project_file(ctx, std::path::Path::new(file.path.trim()));
        }
        closes(&response)
    }

    /// Asks where the project is to be kept.
    pub(super) fn ask_project(&mut self) {
        let Some(open) = self.open.as_deref() else { return };
        let path = match open.project_file() {
            Some(path) => path.to_path_buf(),
            None => self.proposed_folder().join(format!("{}.gridwright", open.name())),
        };
        let path = path.display().to_string();
        let taken = self.is_taken(&path);
        self.dialog = Some(Dialog::Project(ProjectFile { path, begun: false, taken }));
    }

    /// Returns `true` if another project exists at this path.
    fn is_taken(&self, path: &str) -> bool {
        let path = gridwright_core::project::with_ending(std::path::Path::new(path.trim()));
        let open = self.open.as_deref();
        let own = open.filter(|open| !open.keeper().is_contested()).and_then(|open| open.project_file());
        path.exists() && own != Some(path.as_path())
    }

    /// Carries out what was pressed in a message.
    pub(super) fn act(&mut self, action: &Action) {
        self.commands.push(match action {
            Action::Copy(_, text) => Command::Copy(text.clone()),
            Action::ShowFolder(path) => Command::ShowFolder(path.clone()),
            Action::Undo(number) => Command::UndoDelete(*number),
            Action::SolveAgain => Command::Solve,
            Action::TakeOverFile => Command::TakeOverFile,
            Action::UseElsewhere => Command::UseElsewhere,
            Action::LeaveElsewhere => Command::LeaveElsewhere,
            Action::AllMessages => Command::Messages,
        });
        if !matches!(action, Action::Copy(..) | Action::ShowFolder(_) | Action::AllMessages) {
            self.notices.settle(action);
        }
    }
}
