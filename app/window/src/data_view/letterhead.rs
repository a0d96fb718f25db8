//! Button with the letterhead of printed documents: institution, logo and language.

use std::sync::Arc;

use egui::{Popup, PopupCloseBehavior, Ui};
use gridwright_core::letterhead::{LONGEST_NAME, Letterhead};
use gridwright_core::scene::raster::Raster;
use gridwright_core::text::language::Language;
use strum::VariantArray as _;

use crate::file_dialog::{self, FileRequest, Mode};
use crate::later::Later;
use crate::theme::{self, palette, space};
use crate::widgets::controls::button;
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;

/// Identifier under which the file dialog is asked for a logo.
fn asker() -> egui::Id {
    egui::Id::unique("logo of the letterhead")
}

/// Width in points of the field of the institution.
const WIDTH: f32 = 320.0;

/// Change of the letterhead.
#[derive(Debug, Clone, PartialEq)]
pub enum LetterheadEdit {
    /// Another institution.
    Institution(String),
    /// Another language.
    Language(Language),
    /// Another logo or none, or why the chosen file is no logo.
    Logo(Result<Option<Arc<Raster>>, String>),
}

#[derive(Default)]
pub(super) struct LetterheadEditor {
    /// Logo that is being read.
    chosen: Later<Result<Arc<Raster>, String>>,
}

impl std::fmt::Debug for LetterheadEditor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LetterheadEditor").finish_non_exhaustive()
    }
}

impl LetterheadEditor {
    /// Draws the button and its menu; returns a change.
    pub(super) fn show(&mut self, ui: &mut Ui, letterhead: &Letterhead, has_languages: bool) -> Option<LetterheadEdit> {
        if let Some(path) = file_dialog::take_answer(ui.ctx(), asker()).and_then(|paths| paths.into_iter().next()) {
            let read = move || Letterhead::read_logo(&path).map_err(|error| error.to_string());
            self.chosen.begin(ui.ctx(), "read a logo", read);
        }
        let mut edit = self.chosen.take().map(|read| LetterheadEdit::Logo(read.map(Some)));
        let open = button(ui, Icon::File, "Letterhead…", true).on_hover_text(match has_languages {
            true => "Institution, logo and language of what is handed on",
            false => "Institution and logo of printed documents and covers",
        });
        Popup::menu(&open).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
            ui.set_min_width(WIDTH);
            edit = edit.take().or(institution(ui, letterhead));
            ui.add_space(space::S);
            edit = edit.take().or(self.logo(ui, letterhead));
            if has_languages {
                ui.add_space(space::S);
                edit = edit.take().or(language(ui, letterhead));
            }
        });
        edit
    }

    /// Draws the size of the logo, and buttons to choose and to remove it.
    fn logo(&mut self, ui: &mut Ui, letterhead: &Letterhead) -> Option<LetterheadEdit> {
        let palette = palette(ui.visuals());
        let text = match &letterhead.logo {
            Some(logo) => format!("Logo: {} × {} pixels", logo.width, logo.height),
            None => "Logo: none. PNG, JPEG or SVG, at most 1 MiB".to_owned(),
        };
        ui.label(theme::small(text).color(palette.weak));
        ui.add_space(space::XS);
        let mut is_removed = false;
        ui.horizontal(|ui| {
            if button(ui, Icon::Open, "Choose a logo…", !self.chosen.is_busy()).clicked() {
                let request = FileRequest::new(Mode::OpenFile, "Choose a logo");
                let request = request.filter("Pictures", &["png", "jpg", "jpeg", "svg"]).all_files();
                file_dialog::request(ui.ctx(), asker(), request);
            }
            is_removed = letterhead.logo.is_some() && button(ui, Icon::Trash, "Remove the logo", true).clicked();
        });
        is_removed.then_some(LetterheadEdit::Logo(Ok(None)))
    }
}

/// Draws the list of languages; returns another one.
fn language(ui: &mut Ui, letterhead: &Letterhead) -> Option<LetterheadEdit> {
    let help = "Notices, sheets, letters, calendars and pages for other people are written in it. Tables, pictures and the report \
                are in English";
    let label = ui.label(theme::small("Language of what is handed on").color(palette(ui.visuals()).weak));
    label.on_hover_text(help);
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        for &language in Language::VARIANTS {
            let choice = ui.selectable_label(language == letterhead.language, language.name());
            if choice.on_hover_text(help).clicked() {
                chosen = Some(language);
            }
        }
    });
    chosen.filter(|language| *language != letterhead.language).map(LetterheadEdit::Language)
}

/// Draws the field of the institution; returns a changed name.
fn institution(ui: &mut Ui, letterhead: &Letterhead) -> Option<LetterheadEdit> {
    ui.label(theme::small("Institution").color(palette(ui.visuals()).weak));
    let field = Field::new("Institution").width(WIDTH).limit(LONGEST_NAME);
    let entered = field.help("Stands above the name in printed documents").show(ui, &letterhead.institution).entered;
    entered.filter(|text| text.trim() != letterhead.institution).map(LetterheadEdit::Institution)
}
