//! The dialog of an update from files: fresh versions of the tables are compared with those of the open document, and the ticked
//! differences are taken over as one edit. Files whose columns nobody has named yet go to the import dialog first.

mod list;

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Align, Context, Frame, Label, Layout, Margin, RichText, Ui, vec2};
use gridwright_core::Result;
use gridwright_core::data::Dataset;
use gridwright_core::data::import::{Mapped, SheetReading};
use gridwright_core::data::update::Update;
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::planning::updating::{FilesRead, Present, read_files};
use gridwright_core::problem::Problem;

use crate::later::Later;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, primary};
use crate::widgets::dialog;
use crate::widgets::icons::Icon;
use list::List;

/// Result of the dialog, for the window.
pub(crate) enum Wish {
    /// Nothing is taken over.
    Close,
    /// A person has to name the columns; the sentence says why.
    Assign(Vec<Mapped>, String),
    /// Other files are to be chosen.
    Choose,
    /// The data become those of the document, unless rules or edits do not fit them and the person has not seen that.
    TakeOver(Box<Taken>),
}

/// Data to take over.
pub(crate) struct Taken {
    /// The data.
    pub(crate) data: Dataset,
    /// How the tables were read.
    pub(crate) readings: Vec<SheetReading>,
    /// True if the person knows what does not fit.
    pub(crate) is_confirmed: bool,
}

pub(crate) struct Dialog {
    problem: &'static dyn Problem,
    present: Present,
    reading: Later<Result<FilesRead>>,
    error: Option<String>,
    list: Option<List>,
    /// Faults of the data that were to be taken over.
    lost: Vec<String>,
}

impl Dialog {
    /// The dialog for files, which a thread reads.
    pub(crate) fn of(ctx: &Context, problem: &'static dyn Problem, present: Present, files: Vec<PathBuf>) -> Self {
        let mut dialog =
            Self { problem, present, reading: Later::default(), error: None, list: None, lost: Vec::new() };
        let present = dialog.present.clone();
        dialog.reading.begin(ctx, "read fresh data", move || read_files(problem.descriptor(), &present, &files));
        dialog
    }

    /// The dialog for data that a person has assigned.
    pub(crate) fn compared(problem: &'static dyn Problem, present: Present, update: Update) -> Self {
        let list = Some(List::new(update));
        Self { problem, present, reading: Later::default(), error: None, list, lost: Vec::new() }
    }

    /// The data that the files are compared with.
    pub(crate) fn present(&self) -> &Present {
        &self.present
    }

    /// Says what would be lost by taking over, or why that is not possible.
    pub(crate) fn tell(&mut self, lost: Vec<String>, error: Option<&str>) {
        (self.lost, self.error) = (lost, error.map(str::to_owned));
    }

    /// Takes in what threads have done; returns what the window is to do.
    pub(crate) fn poll(&mut self, ctx: &Context) -> Option<Wish> {
        if let Some(list) = &mut self.list
            && let Err(why) = list.poll(ctx, self.problem)
        {
            self.error = Some(why);
        }
        match self.reading.take_result()? {
            Ok(Ok(FilesRead::Compared(update))) => self.list = Some(List::new(*update)),
            Ok(Ok(FilesRead::Unclear { sheets, why })) => return Some(Wish::Assign(sheets, why)),
            Ok(Err(error)) => self.error = Some(error.to_string()),
            Err(why) => self.error = Some(format!("Reading broke off: {why}")),
        }
        None
    }

    pub(crate) fn show(&mut self, ctx: &Context) -> Option<Wish> {
        let frame = Frame::window(&ctx.style_of(ctx.theme())).inner_margin(Margin::same(20));
        let room = dialog::room(ctx).size();
        let response = dialog::modal(ctx, "update", frame).show(ctx, |ui| {
            ui.set_width((room.x - 64.0).clamp(560.0, 1040.0));
            ui.set_height((room.y - 72.0).clamp(240.0, 700.0));
            ui.label(theme::title("Update from files"));
            ui.add_space(space::XS);
            let body = vec2(ui.available_width(), ui.available_height() - 58.0);
            ui.allocate_ui_with_layout(body, Layout::top_down(Align::LEFT), |ui| {
                ui.set_min_size(body);
                self.show_body(ui);
            });
            self.foot(ui)
        });
        // A click outside does not close the dialog, so that ticks are not lost by accident.
        response.inner
    }

    fn show_body(&mut self, ui: &mut Ui) {
        let colours = palette(ui.visuals());
        let Some(list) = &mut self.list else {
            if self.error.is_none() {
                ui.label(RichText::new("Reading and comparing…").color(colours.weak));
            }
            return;
        };
        for remark in &list.update.remarks {
            ui.add(Label::new(theme::small(remark).color(colours.weak)).wrap());
        }
        if list.update.changes.is_empty() {
            ui.label(theme::heading("The files hold the same data as this project."));
            return;
        }
        if list.show(ui, self.problem.descriptor().tables) {
            self.lost.clear();
        }
    }

    /// Reason why nothing can be taken over now.
    fn obstacle(&self) -> Option<String> {
        let Some(list) = &self.list else { return Some("The files are being read".to_owned()) };
        if list.update.changes.is_empty() {
            return Some("There is nothing to take over".to_owned());
        }
        list.obstacle(self.problem.descriptor().tables)
    }

    /// Draws what does not fit, the obstacle, and the buttons.
    fn foot(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        ui.add_space(space::S);
        ui.separator();
        let obstacle = self.obstacle();
        let visuals = palette(ui.visuals());
        ui.horizontal(|ui| {
            ui.set_height(size::CONTROL + space::S);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let words = if self.lost.is_empty() { "Take over" } else { "Take over without these" };
                let response = primary(ui, Icon::Check, words, obstacle.is_none());
                let response = response.on_hover_text("Take the ticked lines over as one edit, which undo takes back");
                let response = match &obstacle {
                    Some(why) => response.on_disabled_hover_text(why),
                    None => response,
                };
                if response.clicked() {
                    wish = self.taken();
                }
                if button(ui, Icon::Open, "Other files…", true).clicked() {
                    wish = Some(Wish::Choose);
                }
                if ui.add(egui::Button::new("Cancel").min_size(vec2(0.0, size::CONTROL))).clicked() {
                    wish = Some(Wish::Close);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let (words, colour) = match (&self.error, &obstacle, self.list.as_ref()) {
                        (Some(error), ..) => (error.clone(), visuals.bad),
                        (None, Some(why), _) => (why.clone(), visuals.weak),
                        _ if !self.lost.is_empty() => {
                            (format!("Would be left out: {}", self.lost.join("; ")), visuals.warn)
                        }
                        (None, None, list) => (list.map(List::total).unwrap_or_default(), visuals.good),
                    };
                    ui.add(Label::new(RichText::new(words).color(colour)).wrap().selectable(true));
                });
            });
        });
        wish
    }

    fn taken(&self) -> Option<Wish> {
        let list = self.list.as_ref()?;
        let data = Dataset::clone(&list.checked()?.data);
        let (readings, is_confirmed) = (list.update.readings.clone(), !self.lost.is_empty());
        Some(Wish::TakeOver(Box::new(Taken { data, readings, is_confirmed })))
    }
}

/// «3 of 12 lines are ticked».
fn ticked_words(ticked: usize, all: usize) -> String {
    format!("{} of {} ticked", grouped(ticked as u64), counted(all as u64, "line"))
}

/// Returns `true` if the data are those that the files were compared with.
pub(crate) fn is_present(present: &Present, data: &Arc<Dataset>) -> bool {
    Arc::ptr_eq(&present.data, data) || present.data.tables == data.tables
}
