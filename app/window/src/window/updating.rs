//! The update of the open document from files: how the dialog is opened, fed and closed, and files that are dropped on a document.

use std::path::PathBuf;

use egui::{Align, Context, Label, Layout};
use gridwright_core::data::import::Mapped;
use gridwright_core::planning::updating::Present;
use gridwright_core::problem::Detection;
use gridwright_core::text::lines::{file_name, listed, quoted};
use gridwright_core::text::{ending, sheets};
use gridwright_core::{project, registry, source};

use super::App;
use super::command::Command;
use super::open_dialog;
use crate::importing;
use crate::theme::space;
use crate::updating::{Dialog, Taken, Wish, is_present};
use crate::widgets::controls::{button, primary};
use crate::widgets::dialog::{self, closes, dialog, heading};
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;

impl App {
    /// Compares files with the data of the open document; asks for the files if there are none.
    pub(super) fn begin_update(&mut self, ctx: &Context, files: Vec<PathBuf>) {
        if files.is_empty() {
            return self.pick_update(ctx);
        }
        let Some(open) = self.open.as_deref() else { return };
        let Some(present) = open.present_data() else { return };
        self.export = None;
        self.updating = Some(Dialog::of(ctx, open.problem(), present, files));
    }

    pub(super) fn poll_update(&mut self, ctx: &Context) {
        let Some(dialog) = &mut self.updating else { return };
        if let Some(wish) = dialog.poll(ctx) {
            self.do_update(ctx, wish);
        }
    }

    pub(super) fn show_update(&mut self, ctx: &Context) {
        let Some(dialog) = &mut self.updating else { return };
        if let Some(wish) = dialog.show(ctx) {
            self.do_update(ctx, wish);
        }
    }

    fn do_update(&mut self, ctx: &Context, wish: Wish) {
        match wish {
            Wish::Close => self.updating = None,
            Wish::Choose => self.pick_update(ctx),
            Wish::Assign(sheets, why) => self.assign_columns(&sheets, &why),
            Wish::TakeOver(taken) => self.take_update(*taken),
        }
    }

    /// Opens the import dialog for files whose columns a person has to name.
    fn assign_columns(&mut self, sheets: &[Mapped], why: &str) {
        let (Some(dialog), Some(open)) = (self.updating.take(), self.open.as_deref()) else { return };
        self.importing = importing::Dialog::of_update(open.problem().id(), dialog.present().clone(), sheets, why);
    }

    /// Compares data that a person has assigned in the import dialog.
    pub(super) fn take_assigned(&mut self, present: Present, update: gridwright_core::data::update::Update) {
        let Some(open) = self.open.as_deref() else { return };
        self.updating = Some(Dialog::compared(open.problem(), present, update));
    }

    fn take_update(&mut self, taken: Taken) {
        let (Some(dialog), Some(open)) = (&mut self.updating, self.open.as_deref_mut()) else { return };
        let present = open.present_data();
        if !present.is_some_and(|present| is_present(dialog.present(), &present.data)) {
            return dialog.tell(Vec::new(), Some("The data have changed meanwhile; choose the files again"));
        }
        let lost = if taken.is_confirmed { Vec::new() } else { open.unfitting(&taken.data) };
        if !lost.is_empty() {
            return dialog.tell(lost, None);
        }
        match open.update_data(taken.data, taken.readings) {
            Ok(()) => self.updating = None,
            Err(why) => dialog.tell(Vec::new(), Some(why)),
        }
    }

    /// Returns `true` if files that were dropped may be fresh data of the open document: instances or tables of its problem.
    pub(super) fn may_update_from(&self, files: &[PathBuf]) -> bool {
        let Some(open) = self.open.as_deref().filter(|_| self.shows_document() && !self.is_guided()) else {
            return false;
        };
        let id = open.problem().id();
        let is_of_problem = |path: &PathBuf| {
            let is_other = project::is_project(path) || registry::is_solution(path) || registry::is_result(path);
            let Some(source) = source::of(path).filter(|_| !is_other && path.is_file()) else { return false };
            match registry::detect(&source) {
                Some((problem, Detection::Likely | Detection::Certain | Detection::Exclusive)) => problem.id() == id,
                _ => matches!(ending(path).as_str(), "csv" | "tsv" | "tab") || sheets::is_named_workbook(path),
            }
        };
        !open.problem().descriptor().tables.is_empty() && !files.is_empty() && files.iter().all(is_of_problem)
    }

    /// Asks what to do with files that were dropped; returns `true` if the dialog closes.
    pub(super) fn dropped_dialog(&mut self, ctx: &Context, files: &[PathBuf]) -> bool {
        let names: Vec<String> = files.iter().map(|file| quoted(&file_name(file))).collect();
        let name = self.open.as_deref().map_or_else(String::new, |open| quoted(open.name()));
        let response = dialog(ctx, "Dropped files", 520.0, |ui| {
            let mut wish = dialog::Wish::Stay;
            heading(ui, "Update or open?", &mut wish);
            let text = format!(
                "{} can update the data of {name}, whose rules and runs stay, or be opened as a new one.",
                listed(&names)
            );
            ui.add(Label::new(text).wrap());
            ui.add_space(space::S);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if primary(ui, Icon::Import, "Update this project", true).clicked() {
                    self.commands.push(Command::Update(files.to_vec()));
                    wish = dialog::Wish::Close;
                }
                if button(ui, Icon::Open, "Open as a new one", true).clicked() {
                    self.open_dropped(files);
                    wish = dialog::Wish::Close;
                }
            });
            wish
        });
        closes(&response)
    }

    /// Opens the first of several files and names the others.
    pub(super) fn open_dropped(&mut self, files: &[PathBuf]) {
        let Some((path, others)) = files.split_first() else { return };
        let is_plan = self.shows_campaigns && ending(path) == "ron";
        self.commands.push(if is_plan {
            Command::OpenCampaign(path.clone())
        } else {
            Command::load(path.display().to_string())
        });
        if !others.is_empty() {
            let names: Vec<String> = others.iter().map(|other| quoted(&file_name(other))).collect();
            let text = format!(
                "Files are opened one at a time; tables that belong to {} are read with it. Drop the others by themselves, or \
                 use Import tables….",
                quoted(&file_name(path)),
            );
            self.notices.push(Notice::warning(format!("Not opened: {}", listed(&names)), text).of_program());
        }
    }

    /// Offers files that were dropped on a document of their problem to it; opens others.
    pub(super) fn take_dropped_files(&mut self, files: Vec<PathBuf>) {
        if self.may_update_from(&files) {
            self.dialog = Some(open_dialog::Dialog::Dropped(files));
        } else {
            self.open_dropped(&files);
        }
    }
}
