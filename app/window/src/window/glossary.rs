//! The glossary in the window: F1 explains what the pointer or the focus is on, and a dialog holds all terms.

use egui::{Context, Key, Margin, RichText, ScrollArea, TextEdit, Ui};

use super::App;
use super::command::Command;
use super::open_dialog::Glossary;
use crate::glossary::{self, Term, shared};
use crate::registry;
use crate::screen_names::{Pointed, ScreenNames};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{TextRow, button, text_row};
use crate::widgets::dialog::{Wish, closes, dialog, heading, room};
use crate::widgets::icons::Icon;

/// Width of the dialog in points.
const WIDTH: f32 = 760.0;
/// Narrower than this, the list and an entry do not fit side by side.
const BOTH: f32 = 560.0;
/// Width of the list next to an entry.
const LIST: f32 = 232.0;
const ROW: f32 = 26.0;

/// The terms of one heading: those of all problems, or of one.
struct Chapter {
    heading: &'static str,
    terms: &'static [Term],
}

impl App {
    /// The chapters: the open problem's first, then the common one, then those of the other problems.
    fn chapters(&self) -> Vec<Chapter> {
        let open = self.open.as_deref().map(|open| open.problem().id());
        let of = |is_open: bool| {
            let problems = registry::problems().filter(move |ui| (Some(ui.problem.id()) == open) == is_open);
            problems.map(|ui| Chapter { heading: ui.problem.nouns().heading, terms: ui.terms })
        };
        let common = Chapter { heading: "All problems", terms: &shared::TERMS };
        of(true).chain([common]).chain(of(false)).filter(|chapter| !chapter.terms.is_empty()).collect()
    }

    /// Asks for the names under the pointer and at the focus if F1 was pressed.
    pub(super) fn ask_for_term(&mut self, ctx: &Context) {
        let is_asking = |event: &egui::Event| matches!(event, egui::Event::Key { key: Key::F1, pressed: true, modifiers, .. } if modifiers.is_none());
        let asks = ctx.input_mut(|input| {
            let before = input.events.len();
            input.events.retain(|event| !is_asking(event));
            input.events.len() < before
        });
        if asks {
            let pointer = ctx.input(|input| input.pointer.latest_pos());
            ScreenNames::ask(ctx, Pointed { pointer, focus: ctx.memory(|memory| memory.focused()) });
        }
    }

    /// Opens the entry of the term that was asked for; where nothing names one, the list of keys.
    pub(super) fn take_asked_term(&mut self, ctx: &Context) {
        let Some(names) = ScreenNames::take(ctx) else { return };
        let chapters = self.chapters();
        let terms: Vec<&Term> = chapters.iter().flat_map(|chapter| chapter.terms).collect();
        let term = names.iter().find_map(|words| glossary::find(&terms, words));
        self.commands.push(term.map_or(Command::Shortcuts, |term| Command::Explain(term.name)));
    }

    /// Shows the glossary; returns `true` if it is to be closed.
    pub(super) fn glossary_dialog(&self, ctx: &Context, state: &mut Glossary) -> bool {
        let chapters = self.chapters();
        let response = dialog(ctx, "Glossary", WIDTH, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, "Glossary", &mut wish);
            let beside = ui.available_width() >= BOTH;
            if beside || state.term.is_none() {
                field(ui, state);
            }
            let height = (room(ui.ctx()).height() - 220.0).clamp(120.0, 420.0);
            if beside {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = space::L;
                    let room = egui::vec2(LIST, height);
                    ui.allocate_ui_with_layout(room, egui::Layout::top_down(egui::Align::LEFT), |ui| {
                        ui.set_width(LIST);
                        list(ui, state, &chapters, height);
                    });
                    ui.vertical(|ui| {
                        ui.set_width(ui.available_width());
                        entry(ui, state, &chapters, height);
                    });
                });
            } else if state.term.is_some() {
                if button(ui, Icon::First, "All terms", true).on_hover_text("Back to the list").clicked() {
                    state.term = None;
                }
                entry(ui, state, &chapters, height);
            } else {
                list(ui, state, &chapters, height);
            }
            wish
        });
        closes(&response)
    }
}

fn field(ui: &mut Ui, state: &mut Glossary) {
    let edit = TextEdit::singleline(&mut state.query)
        .id_salt("query")
        .hint_text("Find a term")
        .margin(Margin::symmetric(10, 6));
    let response = ui.add(edit.desired_width(f32::INFINITY));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Find a term"));
    if !std::mem::replace(&mut state.begun, true) {
        response.request_focus();
    }
}

/// The terms with the searched letters, chapter by chapter.
fn list(ui: &mut Ui, state: &mut Glossary, chapters: &[Chapter], height: f32) {
    let palette = palette(ui.visuals());
    let area = ScrollArea::vertical().id_salt("terms").max_height(height).min_scrolled_height(height);
    area.auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut is_empty = true;
        for chapter in chapters {
            let found = || chapter.terms.iter().filter(|term| glossary::matches(term, &state.query));
            if found().next().is_none() {
                continue;
            }
            if !std::mem::replace(&mut is_empty, false) {
                ui.add_space(space::S);
            }
            ui.label(theme::small(chapter.heading).color(palette.weak));
            let mut picked = None;
            for term in found() {
                let chosen = state.term == Some(term.name);
                let row = TextRow {
                    icon: None,
                    text: term.name,
                    places: &[],
                    detail: "",
                    keys: "",
                    enabled: true,
                    chosen,
                    height: ROW,
                };
                let response = text_row(ui, &row);
                if chosen && state.reveal {
                    response.scroll_to_me(Some(egui::Align::Center));
                    state.reveal = false;
                }
                if response.clicked() {
                    picked = Some(term.name);
                }
            }
            state.term = picked.or(state.term);
        }
        if is_empty {
            let text = format!("No term is called “{}”. Empty the field to see all.", state.query.trim());
            ui.label(RichText::new(text).color(palette.weak));
        }
    });
}

fn entry(ui: &mut Ui, state: &mut Glossary, chapters: &[Chapter], height: f32) {
    let palette = palette(ui.visuals());
    let term =
        state.term.and_then(|name| chapters.iter().flat_map(|chapter| chapter.terms).find(|term| term.name == name));
    let Some(term) = term else {
        let text = "Choose a term. Or close this, point at a word anywhere in the window and press F1.";
        ui.label(RichText::new(text).color(palette.weak));
        return;
    };
    let area = ScrollArea::vertical().id_salt(("entry", term.name)).max_height(height).auto_shrink([false, true]);
    area.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        ui.label(theme::title(term.name));
        if !term.synonyms.is_empty() {
            ui.label(theme::small(format!("Also: {}", term.synonyms.join(", "))).color(palette.weak));
        }
        ui.add(egui::Label::new(term.definition).wrap());
        ui.add_space(space::XS);
        ui.label(theme::bold("Where to see it"));
        ui.add(egui::Label::new(term.seen).wrap());
        if !term.source.is_empty() {
            ui.add_space(space::XS);
            ui.label(theme::bold("Source"));
            ui.add(egui::Label::new(term.source).wrap().selectable(true));
        }
        if !term.related.is_empty() {
            ui.add_space(space::XS);
            ui.horizontal_wrapped(|ui| {
                ui.label(theme::bold("See also"));
                for &name in term.related {
                    if ui.link(name).on_hover_text("Open this entry").clicked() {
                        (state.term, state.reveal, state.query) = (Some(name), true, String::new());
                    }
                }
            });
        }
    });
}
