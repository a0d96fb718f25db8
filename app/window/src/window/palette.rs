//! The command palette: all commands, files and exams in one list, found by a few letters.

use std::borrow::Cow;

use egui::{Align2, Area, Context, Id, Key, Margin, Modal, Modifiers, Order, ScrollArea, TextEdit, Ui, vec2};
use gridwright_core::registry;

use super::command::Command;
use super::open_dialog::{Palette, Scope};
use super::recents::Distinctions;
use super::situation::Situation;
use super::{App, library};
use crate::document::Listed;
use crate::glossary::shared;
use crate::registry::problems;
use crate::runs::Shown;
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::{TextRow, text_row};
use crate::widgets::dialog::room;
use crate::widgets::icons::Icon;
use crate::window::fuzzy::Query;

/// Something that the palette offers.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// Its name, which is searched first.
    pub text: Cow<'static, str>,
    /// More about it, searched, too.
    pub detail: Cow<'static, str>,
    /// The names of its keys.
    pub keys: String,
    /// Icon before the entry.
    pub icon: Option<Icon>,
    /// Why it is not possible now, where it is not.
    pub refused: Option<&'static str>,
    /// Command of the entry.
    pub command: Command,
}

/// State that providers of entries may read.
pub(crate) struct Sources<'a> {
    /// Open instance and preferences.
    pub now: Situation<'a>,
    /// The window's context, for the names of keys.
    pub ctx: &'a Context,
    /// Sources of files that are no longer there.
    pub missing: &'a library::Missing,
}

/// Adds items; a new kind of thing that can be found is one more provider.
pub(crate) type Provider = fn(&Sources<'_>, &mut Vec<Item>);

/// Maximum number of lines; another letter narrows the search.
const LISTED: usize = 200;
/// The score of about two letters more.
const AHEAD: u32 = 40;
const ROW: f32 = 32.0;

impl Scope {
    fn providers(self) -> &'static [Provider] {
        match self {
            Self::All => &[commands, runs, files, terms, items],
            Self::Items => &[items],
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::All => "A command, a file or a name in the plan",
            Self::Items => "A name in the plan",
        }
    }
}

impl Palette {
    /// A palette over these things.
    pub(super) fn of(scope: Scope) -> Self {
        Self { scope, ..Self::default() }
    }

    /// Listed entries, best first, with the positions of the letters that matched.
    pub(super) fn list(&self, sources: &Sources<'_>) -> Vec<(Item, Vec<u32>)> {
        let mut items = Vec::new();
        for provider in self.scope.providers() {
            provider(sources, &mut items);
        }
        if self.query.trim().is_empty() {
            // Items of the plan are too many to be listed before anything was typed, unless they were asked for.
            items.retain(|item| {
                self.scope == Scope::Items || !matches!(item.command, Command::GoTo(_) | Command::Explain(_))
            });
            items.truncate(LISTED);
            return items.into_iter().map(|item| (item, Vec::new())).collect();
        }
        let mut query = Query::new(&self.query);
        let found =
            items.into_iter().filter_map(|item| query.find(&item.text, &item.detail).map(|found| (item, found)));
        let mut found: Vec<_> = found.collect();
        // Exams are many: where they match as well, what can be done comes first, and what is possible before what is
        // not. Equals keep their order.
        found.sort_by_key(|(item, found)| {
            let is_other = matches!(item.command, Command::GoTo(_) | Command::Explain(_));
            let ahead = if is_other || self.names_a_step(&item.command) { 0 } else { AHEAD };
            (std::cmp::Reverse(found.score + ahead), item.refused.is_some())
        });
        found.truncate(LISTED);
        found.into_iter().map(|(item, found)| (item, found.places)).collect()
    }

    /// Returns `true` for undo and redo where what was typed is a word of the change and not of the command.
    fn names_a_step(&self, command: &Command) -> bool {
        let typed = self.query.trim().to_lowercase();
        matches!(command, Command::Undo | Command::Redo) && !command.text().to_lowercase().starts_with(&typed)
    }

    fn take_keys(&mut self, ctx: &Context, count: usize) -> bool {
        let last = count.saturating_sub(1);
        ctx.input_mut(|input| {
            let mut pressed = |key| input.count_and_consume_key(Modifiers::NONE, key);
            let (down, up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
            let (pages_down, pages_up) = (pressed(Key::PageDown), pressed(Key::PageUp));
            let by = |steps: usize, pages: usize| steps + 10 * pages;
            self.chosen = (self.chosen + by(down, pages_down)).min(last).saturating_sub(by(up, pages_up));
            pressed(Key::Enter) > 0
        })
    }
}

impl App {
    /// Shows the palette; says whether it is to be closed.
    pub(super) fn palette(&mut self, ctx: &Context, state: &mut Palette) -> bool {
        let sources = Sources { now: self.situation(), ctx, missing: &self.missing };
        let list = state.list(&sources);
        let entered = state.take_keys(ctx, list.len());
        let mut picked = None;
        let area =
            Area::new(Id::unique("palette")).order(Order::Foreground).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
        let modal =
            Modal::new(Id::unique("palette")).area(area).backdrop_color(palette(&ctx.global_style().visuals).backdrop);
        let frame = egui::Frame::popup(&ctx.global_style()).inner_margin(Margin::same(8));
        let width = (ctx.content_rect().width() - 64.0).min(640.0);
        let response = modal.frame(frame).show(ctx, |ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = space::XS;
            field(ui, state);
            if list.is_empty() {
                nothing_found(ui, state);
            }
            picked = rows(ui, state, &list);
        });
        let picked = if entered { Some(state.chosen) } else { picked };
        let item = picked.and_then(|index| list.get(index)).filter(|(item, _)| item.refused.is_none());
        if let Some((item, _)) = item {
            self.commands.push(item.command.clone());
            return true;
        }
        response.should_close()
    }
}

fn field(ui: &mut Ui, state: &mut Palette) {
    let hint = state.scope.hint();
    let edit = TextEdit::singleline(&mut state.query).id_salt("query").hint_text(hint).margin(Margin::symmetric(10, 8));
    let response = ui.add(edit.desired_width(f32::INFINITY).font(theme::font(text::HEADING)));
    let query = state.query.clone();
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::SearchInput, true, hint);
        info.current_text_value = Some(query.clone());
        info
    });
    if response.changed() {
        state.chosen = 0;
    }
    if !response.has_focus() {
        response.request_focus();
    }
}

fn nothing_found(ui: &mut Ui, state: &Palette) {
    let palette = palette(ui.visuals());
    ui.add_space(space::S);
    let text = match (state.scope, state.query.trim().is_empty()) {
        (Scope::Items, true) => "There is nothing to choose from".to_owned(),
        _ => format!("Nothing is called “{}”", state.query.trim()),
    };
    ui.horizontal(|ui| {
        ui.add_space(space::S);
        ui.label(egui::RichText::new(text).color(palette.weak));
    });
    ui.add_space(space::S);
}

/// The lines; returns the one that was clicked.
fn rows(ui: &mut Ui, state: &mut Palette, list: &[(Item, Vec<u32>)]) -> Option<usize> {
    let mut picked = None;
    let height = (room(ui.ctx()).height() - 72.0 - 120.0).clamp(ROW * 4.0, ROW * 13.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let position = (state.query.clone(), state.chosen);
    let mut scroll = ScrollArea::vertical().max_height(height).auto_shrink([false, true]).id_salt("palette list");
    // A short list leaves little room; a longer one that follows takes what it needs again.
    scroll = scroll.min_scrolled_height(height);
    if state.shown.as_ref() != Some(&position) {
        // The chosen line is kept in view after any scrolling.
        let offset = ui.data(|data| data.get_temp::<f32>(Id::unique("palette offset")).unwrap_or(0.0));
        let top = state.chosen as f32 * ROW;
        scroll = scroll.vertical_scroll_offset(offset.clamp((top + ROW - height).max(0.0), top.max(0.0)));
        state.shown = Some(position);
    }
    let output = scroll.show_rows(ui, ROW, list.len(), |ui, range| {
        for index in range {
            let Some((item, places)) = list.get(index) else { continue };
            let row = TextRow {
                icon: item.icon,
                text: &item.text,
                places,
                detail: item.refused.unwrap_or(&item.detail),
                keys: &item.keys,
                enabled: item.refused.is_none(),
                chosen: index == state.chosen,
                height: ROW,
            };
            let response = text_row(ui, &row);
            if response.clicked() {
                picked = Some(index);
            }
        }
    });
    ui.data_mut(|data| data.insert_temp(Id::unique("palette offset"), output.state.clamped_offset().y));
    ui.add_space(size::CONTROL / 14.0);
    picked
}

/// Every command of the table.
fn commands(sources: &Sources<'_>, items: &mut Vec<Item>) {
    for command in sources.now.commands() {
        if matches!(command, Command::Palette) {
            continue;
        }
        items.push(Item {
            text: sources.now.text(&command),
            detail: sources.now.help(&command).into(),
            keys: command.keys(sources.ctx).into_iter().next().unwrap_or_default(),
            icon: command.entry().icon,
            refused: sources.now.possible(&command).err(),
            command,
        });
    }
}

/// The runs of the open instance: showing each of them, and what can be done with the one that is shown.
fn runs(sources: &Sources<'_>, items: &mut Vec<Item>) {
    let Some(place) = sources.now.open else { return };
    let compares = place.compares();
    let mut push = |text: String, detail: String, keys: &str, command: Command| {
        let (refused, icon) = (sources.now.possible(&command).err(), command.entry().icon);
        items.push(Item { text: text.into(), detail: detail.into(), keys: keys.to_owned(), icon, refused, command });
    };
    for Listed { number, title, detail } in place.runs() {
        let name = title.to_lowercase();
        if place.shown() == Shown::Run(number) {
            push(format!("Name {}…", name), detail.clone(), "", Command::NameRun(number));
            push(format!("Delete {}", name), detail, "", Command::DeleteRun(number));
        } else {
            push(format!("Show {}", name), detail.clone(), "", Command::ShowRun(number));
            if let (Shown::Run(shown), true) = (place.shown(), compares) {
                let text = format!("Compare {} with run {shown}", name);
                push(text, detail, "", Command::Compare(shown, number));
            }
        }
    }
}

/// Recent files and samples.
fn files(sources: &Sources<'_>, items: &mut Vec<Item>) {
    let mut push = |name: &str, facts: &str, command: Command, source: &str, icon: Icon| {
        items.push(Item {
            text: format!("Open {name}").into(),
            detail: facts.to_owned().into(),
            keys: String::new(),
            icon: Some(icon),
            refused: sources.missing.contains(source).then_some("The file is no longer there"),
            command,
        });
    };
    let distinctions = Distinctions::of(&sources.now.state.recent);
    for recent in sources.now.state.recent.iter().filter(|recent| !registry::is_generated(&recent.source)) {
        let load = Command::Load { source: recent.source.clone(), options: recent.options.clone() };
        push(&recent.name, &distinctions.facts(recent, &recent.facts), load, &recent.source, Icon::File);
    }
    for problem in problems() {
        for (source, name, facts) in problem.samples {
            push(&format!("sample {name}"), facts, Command::load(*source), source, problem.icon);
        }
    }
}

/// Terms of the glossary: those of all problems and of the open one.
fn terms(sources: &Sources<'_>, items: &mut Vec<Item>) {
    let own = problems().filter(|ui| sources.now.open.is_some_and(|open| open.problem().id() == ui.problem.id()));
    let all = own.flat_map(|ui| ui.terms).chain(&shared::TERMS);
    items.extend(all.map(|term| Item {
        text: format!("What is: {}", term.name).into(),
        detail: term.synonyms.join(", ").into(),
        keys: String::new(),
        icon: Some(Icon::Info),
        refused: None,
        command: Command::Explain(term.name),
    }));
}

/// Items of an open instance, such as exams or jobs.
fn items(sources: &Sources<'_>, items: &mut Vec<Item>) {
    let all = sources.now.open.into_iter().flat_map(|open| open.items());
    items.extend(all.map(|(index, name, facts)| Item {
        text: format!("Go to {name}").into(),
        detail: facts.into(),
        keys: String::new(),
        icon: Some(Icon::Search),
        refused: None,
        command: Command::GoTo(index),
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// «limits» means the command that chooses limits and not the one that takes the last choice back; «undo» means the latter.
    #[test]
    fn undo_is_found_by_its_own_name() {
        let typed = |query: &str| Palette { query: query.to_owned(), ..Palette::of(Scope::All) };
        assert!(typed("limits").names_a_step(&Command::Undo) && typed("choose").names_a_step(&Command::Redo));
        assert!(!typed("Und").names_a_step(&Command::Undo) && !typed("redo").names_a_step(&Command::Redo));
        assert!(!typed("limits").names_a_step(&Command::Solve));
    }
}
