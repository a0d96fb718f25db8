//! Fields of text and of numbers: a text that was typed is taken over when its field is left, in whatever way; Escape gives
//! the former value back.
//!
//! [`FieldGuard`] sees to the order: a click elsewhere, a key of a command, a file that is let go or the end of the window
//! waits for one frame, in which the field loses the keyboard and hands its text over. No view, dialog or command therefore
//! has to know that something was half typed. The identifier of a field follows from its name and from the scope of its
//! surroundings, never from what stands before it; a field keeps the keyboard when buttons appear or vanish beside it.
//! Tests: `app/tests/entering`.

mod guard;
mod number;

use egui::text_edit::TextEditState;
use egui::{Align2, Context, Id, Key, Margin, Rect, Response, TextEdit, Ui, UiBuilder, Vec2, WidgetInfo};

pub(crate) use self::guard::{EnteredNumber, take_entered};
pub use self::guard::{FieldGuard, is_handing_over};
use self::guard::{FieldState, is_taken_back, keep_guard};
pub use self::number::Number;
use crate::theme::palette;

/// Text in a field that has the keyboard.
#[derive(Debug, Clone)]
struct Typed {
    text: String,
    /// Text of the value when the field got the keyboard.
    from: String,
    /// Pass in which the field was drawn last.
    pass: u64,
}

impl Typed {
    /// The text of a field that was drawn in the last pass; a text that was left otherwise belongs to another document.
    fn load(ctx: &Context, id: Id) -> Option<Self> {
        let typed: Option<Self> = ctx.data(|data| data.get_temp(id));
        typed.filter(|typed| typed.pass + 1 >= ctx.cumulative_pass_nr())
    }

    /// Keeps the text for the next pass, while the field has the keyboard.
    fn store(mut self, ctx: &Context, id: Id) {
        self.pass = ctx.cumulative_pass_nr();
        ctx.data_mut(|data| data.insert_temp(id, self));
    }

    fn forget(ctx: &Context, id: Id) {
        ctx.data_mut(|data| data.remove::<Self>(id));
    }
}

/// A field after it was drawn.
#[derive(Debug)]
pub struct Entry {
    /// Response of the field.
    pub response: Response,
    /// Text that was taken over this frame; it differs from the former value.
    pub entered: Option<String>,
    /// Text that stands in the field now.
    pub text: String,
}

/// A field of text.
pub struct Field<'a> {
    name: &'a str,
    hint: &'a str,
    help: &'a str,
    width: Option<f32>,
    height: f32,
    rows: Option<usize>,
    limit: usize,
    margin: Option<Margin>,
    is_enabled: bool,
    is_wrong: bool,
    takes_focus: bool,
}

impl<'a> Field<'a> {
    /// A field of one line; its name is the label for assistive technology and unique in its surroundings.
    pub fn new(name: &'a str) -> Self {
        Self {
            name,
            hint: "",
            help: "",
            width: None,
            height: 0.0,
            rows: None,
            limit: usize::MAX,
            margin: None,
            is_enabled: true,
            is_wrong: false,
            takes_focus: false,
        }
    }

    /// Explanation of an empty field.
    pub fn hint(self, hint: &'a str) -> Self {
        Self { hint, ..self }
    }

    /// Tooltip.
    pub fn help(self, help: &'a str) -> Self {
        Self { help, ..self }
    }

    /// Width in points of the text.
    pub fn width(self, width: f32) -> Self {
        Self { width: Some(width), ..self }
    }

    /// Least height in points.
    pub fn height(self, height: f32) -> Self {
        Self { height, ..self }
    }

    /// A field of several lines.
    pub fn rows(self, rows: usize) -> Self {
        Self { rows: Some(rows), ..self }
    }

    /// Largest number of characters.
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// Blank around the text in points, at the sides and above.
    pub fn margin(self, side: i8, above: i8) -> Self {
        Self { margin: Some(Margin::symmetric(side, above)), ..self }
    }

    /// Grey and not to be changed unless `is_enabled`.
    pub fn enabled(self, is_enabled: bool) -> Self {
        Self { is_enabled, ..self }
    }

    /// Shows the text in the colour of errors if `is_wrong`.
    pub fn wrong(self, is_wrong: bool) -> Self {
        Self { is_wrong, ..self }
    }

    /// Gives the field the keyboard if `takes_focus`.
    pub fn focused(self, takes_focus: bool) -> Self {
        Self { takes_focus, ..self }
    }

    /// Shows a value whose text is `present`; a typed text counts when the field is left.
    pub fn show(self, ui: &mut Ui, present: &str) -> Entry {
        let id = self.id(ui);
        let typed = Typed::load(ui.ctx(), id);
        let mut text = typed.as_ref().map_or_else(|| present.to_owned(), |typed| typed.text.clone());
        let response = self.draw(ui, id, &mut text);
        if is_taken_back(ui.ctx(), id) {
            Typed::forget(ui.ctx(), id);
            return Entry { response, entered: None, text: present.to_owned() };
        }
        if response.has_focus() {
            let from = typed.map_or_else(|| present.to_owned(), |typed| typed.from);
            keep_guard(ui.ctx(), FieldState { id, rect: response.rect, waits: true, is_changed: text != from });
            Typed { text: text.clone(), from, pass: 0 }.store(ui.ctx(), id);
            return Entry { response, entered: None, text };
        }
        Typed::forget(ui.ctx(), id);
        let entered = (typed.is_some() || response.changed()) && text != present;
        Entry { response, entered: entered.then(|| text.clone()), text }
    }

    /// Shows a text that changes as it is typed, such as a filter or a path in a dialog.
    pub fn live(self, ui: &mut Ui, text: &mut String) -> Response {
        let id = self.id(ui);
        let before = text.clone();
        let mut response = self.draw(ui, id, text);
        let from = Typed::load(ui.ctx(), id).map_or(before, |typed| typed.from);
        if is_taken_back(ui.ctx(), id) {
            *text = from;
            response.mark_changed();
            Typed::forget(ui.ctx(), id);
        } else if response.has_focus() {
            keep_guard(ui.ctx(), FieldState { id, rect: response.rect, waits: false, is_changed: *text != from });
            Typed { text: String::new(), from, pass: 0 }.store(ui.ctx(), id);
        } else {
            Typed::forget(ui.ctx(), id);
        }
        response
    }

    fn id(&self, ui: &Ui) -> Id {
        ui.scope_id().with(("field", self.name))
    }

    fn draw(&self, ui: &mut Ui, id: Id, text: &mut String) -> Response {
        let edit = match self.rows {
            Some(rows) => TextEdit::multiline(text).desired_rows(rows),
            None => TextEdit::singleline(text),
        };
        let mut edit = edit.id(id).hint_text(self.hint).char_limit(self.limit);
        if let Some(width) = self.width {
            edit = edit.desired_width(width);
        }
        if let Some(margin) = self.margin {
            edit = edit.margin(margin);
        }
        if self.is_wrong {
            edit = edit.text_color(palette(ui.visuals()).bad);
        }
        if self.height > 0.0 {
            edit = edit.min_size(Vec2::new(0.0, self.height)).align(Align2::LEFT_CENTER);
        }
        let response = ui.add_enabled(self.is_enabled, edit);
        let role = if self.rows.is_some() { egui::Role::MultilineTextInput } else { egui::Role::TextInput };
        let is_enabled = self.is_enabled && ui.is_enabled();
        response.widget_info(|| WidgetInfo::labeled(role, is_enabled, self.name));
        if self.takes_focus {
            response.request_focus();
        }
        if self.help.is_empty() { response } else { response.on_hover_text(self.help) }
    }
}

/// Draws something whose identifiers follow from a name and from the scope of its surroundings, wherever it stands.
pub fn scope<R>(ui: &mut Ui, name: &str, is_enabled: bool, add: impl FnOnce(&mut Ui) -> R) -> R {
    let id = ui.scope_id().with(("field", name));
    let size: Option<Vec2> = ui.data(|data| data.get_temp(id));
    // A scope does not wrap by itself.
    if ui.layout().main_wrap() && size.is_some_and(|size| size.x > ui.available_size_before_wrap().x) {
        ui.end_row();
    }
    let builder = UiBuilder::new().scope_id(id);
    let inner = ui.scope_builder(if is_enabled { builder } else { builder.disabled() }, add);
    let drawn = inner.response.rect.size();
    if size != Some(drawn) {
        ui.data_mut(|data| data.insert_temp(id, drawn));
    }
    inner.inner
}

/// How the field of a cell was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// The text is taken over; the key is Enter or Tab, or `None` if the field was left otherwise.
    Entered(Option<Key>),
    /// Escape: the cell keeps its former text.
    TakenBack,
}

/// Draws the field of the cell that is being edited; returns how it was left this frame.
pub(crate) fn cell(ui: &mut Ui, rect: Rect, id: Id, text: &mut String, takes_focus: bool) -> Option<Left> {
    // Tab is handled here: as a key of egui it would give the focus to the next cell.
    let edit = TextEdit::singleline(text).id(id).margin(Vec2::new(5.0, 2.0)).lock_focus(true);
    let response = ui.put(rect.shrink(1.0), edit.desired_width(rect.width() - 10.0));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Cell"));
    if takes_focus {
        response.request_focus();
        set_cursor_to_end(ui.ctx(), id, text);
    }
    if is_taken_back(ui.ctx(), id) {
        return Some(Left::TakenBack);
    }
    let key = |key| ui.input(|input| input.key_pressed(key));
    let is_tab = response.has_focus() && key(Key::Tab);
    if response.has_focus() && !is_tab {
        keep_guard(ui.ctx(), FieldState { id, rect: response.rect, waits: true, is_changed: true });
        return None;
    }
    let enter = key(Key::Enter).then_some(Key::Enter);
    Some(Left::Entered(if is_tab { Some(Key::Tab) } else { enter }))
}

fn set_cursor_to_end(ctx: &Context, id: Id, text: &str) {
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    let end = egui::text::CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
    state.store(ctx, id);
}
