//! Underlay of the floor plan: menu, scale by two clicks and a length, corner by a click.

mod view_state;

use std::path::PathBuf;
use std::sync::Arc;

use easy_ext::ext;
use egui::{Id, Popup, PopupCloseBehavior, Slider, Ui};
use gridwright_core::project::Attachments;
use gridwright_facility::Instance;
use gridwright_facility::underlay::{ENDINGS, FAINTEST, Placement, Underlay};

use super::Document;
use gridwright_window::file_dialog::{self, FileRequest, Mode};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{button, named};
use gridwright_window::widgets::entry::Number;
use gridwright_window::widgets::entry::scope;
use gridwright_window::widgets::icons::Icon;

use view_state::{Clicks, Opened};

pub use view_state::UnderlayView;

/// Heading of messages about a file that cannot be the underlay.
const REFUSED: &str = "This file cannot be the underlay";

/// Changes of the underlay.
#[ext(UnderlayMethods)]
impl Document {
    /// Shows the underlay or hides it.
    ///
    /// # Errors
    /// Error with the reason in words if there is none.
    pub fn toggle_underlay(&mut self) -> Result<(), &'static str> {
        let shown = self.underlay.underlay().ok_or("There is no underlay yet")?.placement.is_shown;
        self.change_underlay(|underlay| underlay.placement.is_shown = !shown);
        Ok(())
    }

    /// Changes the underlay, which the project keeps.
    pub fn change_underlay(&mut self, change: impl FnOnce(&mut Underlay)) {
        if let Some(underlay) = &mut self.state.underlay.underlay {
            change(Arc::make_mut(underlay));
            self.touch_views();
        }
    }

    /// Takes the underlay of a project; says so if it is damaged.
    pub fn restore_underlay(&mut self, placement: &str, files: &Attachments) {
        match Underlay::of_project(placement, files) {
            Ok(underlay) => {
                self.state.underlay.underlay = underlay.map(Arc::new);
                self.state.underlay.files.clone_from(files);
            }
            Err(why) => {
                self.tell_error("The underlay of the project cannot be shown", format!("{why}; open its file again"))
            }
        }
    }

    /// Takes a clicked point of the floor.
    pub fn mark_point(&mut self, point: [f64; 2]) {
        match &mut self.state.underlay.clicks {
            Some(Clicks::Scale(points, _)) if points.len() < 2 => points.push(point),
            Some(Clicks::Corner) => {
                self.state.underlay.clicks = None;
                self.change_underlay(|underlay| underlay.put_corner(point));
            }
            _ => {}
        }
    }

    /// Sets the scale by the two clicked points and the entered length; what is wrong with them is told and asked for
    /// again.
    pub fn set_scale(&mut self) {
        let Some(Clicks::Scale(points, length)) = self.state.underlay.clicks.take() else { return };
        let &[one, other] = points.as_slice() else { return };
        let (unit, mut refused) = (self.instance.unit, None);
        self.change_underlay(|underlay| refused = underlay.measure([one, other], length, unit).err());
        if let Some(why) = refused {
            let points = if length > 0.0 { Vec::new() } else { points };
            self.state.underlay.clicks = Some(Clicks::Scale(points, length));
            self.say(why);
        }
    }

    /// Opens a chosen file, and takes it once it is read.
    pub fn poll_underlay(&mut self, ui: &Ui) {
        let asker = Id::unique("file of the underlay");
        if std::mem::take(&mut self.state.underlay.asks) {
            let request = FileRequest::new(Mode::OpenFile, "Choose a picture or a drawing of the building");
            file_dialog::request(ui.ctx(), asker, request.filter("Pictures and drawings", &ENDINGS).all_files());
        }
        if let Some(path) = file_dialog::take_answer(ui.ctx(), asker).and_then(|paths| paths.into_iter().next()) {
            let instance = Arc::clone(&self.instance);
            self.state.underlay.opening.begin(ui.ctx(), "open an underlay", move || open(path, &instance));
        }
        match self.state.underlay.opening.take_result().map(|read| read.and_then(|read| read)) {
            Some(Ok((underlay, files, remarks))) => {
                let name = &underlay.placement.name;
                if !remarks.is_empty() {
                    self.warn_of_edit(format!("{name} lies below the floor plan"), format!("{}.", remarks.join(". ")));
                }
                self.state.underlay =
                    UnderlayView { underlay: Some(Arc::new(underlay)), files, ..UnderlayView::default() };
                self.touch_views();
            }
            Some(Err(why)) => self.tell_error(REFUSED, why),
            None => {}
        }
    }
}

/// Opens a file and prepares it for the project.
fn open(path: PathBuf, instance: &Instance) -> Result<Opened, String> {
    let (underlay, remarks) = Underlay::open(&path, instance).map_err(|error| error.to_string())?;
    let files = underlay.to_attachments()?;
    Ok((underlay, files, remarks))
}

/// Draws the button with the menu of the underlay.
pub(super) fn menu(ui: &mut Ui, document: &mut Document) {
    document.poll_underlay(ui);
    let open = button(ui, Icon::File, "Underlay", true)
        .on_hover_text("A picture or a drawing of the building below the floor plan");
    Popup::menu(&open).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_min_width(260.0);
        match document.underlay.underlay().cloned() {
            Some(underlay) => settings(ui, document, &underlay),
            None => {
                let words = "PNG, JPEG, SVG or DXF. A DXF drawing with units has its scale already";
                ui.label(theme::small(words).color(palette(ui.visuals()).weak));
            }
        }
        ui.add_space(space::S);
        if button(ui, Icon::Open, "Choose a file…", true).clicked() {
            document.state.underlay.ask();
            ui.close();
        }
    });
}

/// Draws what can be changed on an underlay.
fn settings(ui: &mut Ui, document: &mut Document, underlay: &Underlay) {
    let unit = document.instance.unit.map_or("", gridwright_facility::Unit::symbol);
    let mut placement: Placement = underlay.placement.clone();
    ui.label(theme::bold(placement.name.as_str()));
    ui.checkbox(&mut placement.is_shown, "Show").on_hover_text("Also in pictures and PDF documents");
    scope(ui, "opacity", true, |ui| {
        let slider = Slider::new(&mut placement.opacity, FAINTEST..=1.0).show_value(false);
        named(ui, "Opacity of the underlay", "How strongly the underlay is drawn", |ui| ui.add(slider));
    });
    let [x, y] = &mut placement.origin;
    let help = "Place of the lower left corner of a picture, or of the origin of a drawing, in the plant";
    ui.horizontal(|ui| {
        ui.label(theme::small("Origin at x"));
        ui.add(Number::new("x of its origin", x).unit(unit).speed(0.1).help(help));
        ui.label(theme::small("y"));
        ui.add(Number::new("y of its origin", y).unit(unit).speed(0.1).help(help));
    });
    if placement != underlay.placement {
        document.change_underlay(|underlay| underlay.placement = placement);
    }
    let mut begins = None;
    if button(ui, Icon::Search, "Set the scale…", true).on_hover_text("Two clicks and a length").clicked() {
        begins = Some(Clicks::Scale(Vec::new(), 0.0));
    }
    let help = "One click: this point of the underlay becomes the lower left corner of the plant";
    if button(ui, Icon::Pin, "Set the corner…", true).on_hover_text(help).clicked() {
        begins = Some(Clicks::Corner);
    }
    if begins.is_some() {
        document.state.underlay.clicks = begins;
        document.change_underlay(|underlay| underlay.placement.is_shown = true);
        ui.close();
    }
    if button(ui, Icon::Trash, "Remove the underlay", true).clicked() {
        document.state.underlay = UnderlayView::default();
        document.touch_views();
        ui.close();
    }
}

/// Draws what is asked for while points are clicked.
pub(super) fn strip(ui: &mut Ui, document: &mut Document) {
    let Some(mut clicks) = document.state.underlay.clicks.clone() else { return };
    let unit = document.instance.unit.map_or("", gridwright_facility::Unit::symbol);
    // In a field, Escape takes the text back.
    let is_typing = ui.ctx().text_edit_focused();
    let (mut is_set, mut is_ended) = (false, false);
    ui.horizontal_wrapped(|ui| {
        match &mut clicks {
            Clicks::Corner => drop(ui.label("Click the point that is the lower left corner of the plant")),
            Clicks::Scale(points, _) if points.is_empty() => {
                drop(ui.label("Click the first of two points whose distance you know"))
            }
            Clicks::Scale(points, _) if points.len() == 1 => drop(ui.label("Click the second point")),
            Clicks::Scale(_, length) => {
                ui.label("Length between the two points");
                let field = Number::new("Length between the two points", length).range(0.0..=1e6).unit(unit);
                ui.add(field.speed(0.1));
                is_set = button(ui, Icon::Check, "Set the scale", true).clicked();
            }
        }
        is_ended = button(ui, Icon::Cross, "Cancel", true).clicked();
    });
    is_ended |= !is_typing && ui.input(|input| input.key_pressed(egui::Key::Escape));
    document.state.underlay.clicks = (!is_ended).then_some(clicks);
    if is_set {
        document.set_scale();
    }
}
