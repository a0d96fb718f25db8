//! The dialog that writes the report of a campaign.

use std::path::{Path, PathBuf};

use egui::{Align, Context, Id, Label, Layout, RichText, Ui, vec2};
use gridwright_campaign::report::files::{Reported, USUAL};
use gridwright_core::store::outputs::Outputs;

use crate::file_dialog::{self, FileRequest, Mode};
use crate::later::Later;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, confirmed, primary};
use crate::widgets::dialog::{Wish, closes, dialog, heading};
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;
use crate::widgets::notice::{Action, Notice};

/// Files and folders of a report: name, label and purpose.
const OUTPUTS: [(&str, &str, &str); 7] = [
    ("report.html", "Web page", "Everything in one file, with values where marks are pointed at"),
    ("report.pdf", "PDF", "Everything for printing"),
    ("tables.tex", "LaTeX", "The tables for a paper, with booktabs"),
    ("tables", "CSV", "Each table in a file of the folder tables"),
    ("figures", "SVG", "Each figure in a file of the folder figures"),
    ("report.md", "Markdown", "Tables for a page of a repository"),
    ("iohanalyzer", "IOHanalyzer", "Improvements of all runs for that program"),
];

fn folder_dialog() -> Id {
    Id::unique("folder of a report")
}

pub(crate) struct Dialog {
    campaign: PathBuf,
    folder: String,
    chosen: [bool; OUTPUTS.len()],
    writing: Later<gridwright_core::Result<()>>,
    error: Option<String>,
}

impl Dialog {
    /// A dialog that writes the usual files into the folder of the campaign.
    pub(super) fn new(campaign: PathBuf) -> Self {
        let folder = campaign.display().to_string();
        Self {
            campaign,
            folder,
            chosen: OUTPUTS.map(|(name, ..)| USUAL.contains(&name)),
            writing: Later::default(),
            error: None,
        }
    }

    fn write(&mut self, ctx: &Context) {
        let (campaign, folder) = (self.campaign.clone(), PathBuf::from(self.folder.trim()));
        let names: Vec<&str> =
            OUTPUTS.iter().zip(self.chosen).filter(|(_, is_on)| *is_on).map(|((name, ..), _)| *name).collect();
        self.error = None;
        self.writing.begin(ctx, "campaign report", move || {
            let reported = Reported::read(&campaign)?;
            let inputs = gridwright_campaign::folder::files_of(&campaign);
            let targets = Outputs { remedy: "choose another folder", ..Outputs::of_user(inputs, false) };
            names.into_iter().try_for_each(|name| reported.write(&folder.join(name), &targets))
        });
    }

    /// Shows the dialog; returns `true` if it is to be closed, and the message about what was written.
    pub(super) fn show(&mut self, ctx: &Context) -> (bool, Option<Notice>) {
        match self.writing.take_result() {
            None => {}
            Some(Ok(Ok(()))) => {
                let folder = self.folder.trim().to_owned();
                let notice = Notice::success("The report was written", folder.clone()).of_program();
                return (true, Some(notice.offering(Action::ShowFolder(PathBuf::from(folder)))));
            }
            Some(Ok(Err(error))) => self.error = Some(format!("{error:#}")),
            Some(Err(why)) => self.error = Some(format!("writing broke off: {why}")),
        }
        if let Some(path) = file_dialog::take_answer(ctx, folder_dialog()).and_then(|paths| paths.into_iter().next()) {
            self.folder = path.display().to_string();
        }
        let response = dialog(ctx, "Write report", 560.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, "Write the report", &mut wish);
            self.choices(ui);
            ui.label(theme::small("Folder").color(palette(ui.visuals()).weak));
            let row = vec2(ui.available_width(), size::CONTROL);
            ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
                if button(ui, Icon::Open, "Choose…", true).on_hover_text("Choose the folder of the report").clicked()
                {
                    let request = FileRequest::new(Mode::OpenFolder, "Folder of the report");
                    file_dialog::request(ui.ctx(), folder_dialog(), request.at(Path::new(self.folder.trim())));
                }
                let field = Field::new("Folder of the report").hint("path of the folder").width(f32::INFINITY);
                field.margin(8, 6).live(ui, &mut self.folder);
            });
            if let Some(error) = &self.error {
                ui.add(Label::new(RichText::new(error).color(palette(ui.visuals()).bad)).wrap().selectable(true));
            }
            ui.add_space(space::S);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let is_ready = !self.writing.is_busy() && self.chosen.contains(&true) && !self.folder.trim().is_empty();
                if primary(ui, Icon::Export, "Write", is_ready).clicked() || is_ready && confirmed(ui) {
                    self.write(ui.ctx());
                }
                if ui.add(egui::Button::new("Cancel").min_size(vec2(0.0, size::CONTROL))).clicked() {
                    wish = Wish::Close;
                }
                if self.writing.is_busy() {
                    // Beside the buttons, which keep their places.
                    ui.label(theme::small("Writing…").color(palette(ui.visuals()).weak));
                }
            });
            wish
        });
        (closes(&response), None)
    }

    fn choices(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        for ((name, label, purpose), is_on) in OUTPUTS.iter().zip(&mut self.chosen) {
            ui.horizontal(|ui| {
                let room = vec2(120.0, 24.0);
                ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
                    ui.set_width(room.x);
                    ui.checkbox(is_on, *label).on_hover_text(*name);
                });
                ui.add(Label::new(theme::small(*purpose).color(palette.weak)).truncate());
            });
        }
    }
}
