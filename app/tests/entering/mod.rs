//! A text that a person types stays in the field in which it was typed, however the field is left; Escape takes it back.

mod cells;
mod dialogs;
mod every_field;
mod exports;
mod imports;
mod lists;
mod random_cells;
pub mod scenes;
mod settings;

use egui::{Event, Key, Modifiers, Pos2, Rect, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::support::person::Window;

/// A name and what a person does to leave a field.
type Way<'a> = (&'a str, &'a dyn Fn(&mut Window));

/// Clicks at a place, as a person does.
pub fn click(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.drag_at(at);
    window.drop_at(at);
    window.run_steps(5);
}

/// Types a text where the keyboard is.
pub fn type_in(window: &mut Window, text: &str) {
    for letter in text.chars() {
        window.event(Event::Text(letter.to_string()));
    }
    window.run_steps(2);
}

/// True for the roles of fields of text and of numbers.
pub fn is_field(role: Role) -> bool {
    matches!(role, Role::TextInput | Role::SpinButton | Role::MultilineTextInput)
}

/// Scrolls to a field, if there is one of this name.
pub fn reveal(window: &mut Window, name: &str) {
    let mut nodes = window.query_all_by_label(name).filter(|node| is_field(node.accesskit_node().role()));
    let Some(node) = nodes.next() else { return };
    node.scroll_to_me();
    drop(nodes);
    window.run_steps(4);
}

/// Place of the field of this name.
#[track_caller]
pub fn place(window: &Window, field: &str) -> Rect {
    let mut fields = window.get_all_by_label(field).filter(|node| is_field(node.accesskit_node().role()));
    let node = fields.next().unwrap_or_else(|| panic!("no field is called {field}"));
    assert!(fields.next().is_none(), "two fields are called {field}");
    node.rect()
}

/// Text that stands in the field of this name.
#[track_caller]
pub fn value(window: &Window, field: &str) -> String {
    let mut fields = window.query_all_by_label(field).filter(|node| is_field(node.accesskit_node().role()));
    let node = fields.next().unwrap_or_else(|| panic!("no field is called {field}"));
    node.accesskit_node().value().unwrap_or_default()
}

/// Clicks into a field and types a text in place of its own; the field keeps the keyboard.
#[track_caller]
pub fn replace(window: &mut Window, field: &str, text: &str) {
    let at = place(window, field).center();
    click(window, at);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    type_in(window, text);
}
