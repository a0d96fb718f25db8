//! Lists of choices lie above the dialog from which they open.

use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::kittest::{NodeT, Queryable};

use super::{click, type_in};
use crate::rooms;
use crate::support::person::{Window, at_home, key, keys, shows};

/// Presses and releases the button in one frame, as a fast finger does where frames are slow.
fn tap(window: &mut Window, at: egui::Pos2) {
    window.hover_at(at);
    window.run_steps(2);
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        window.input_mut().events.push(Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    window.run_steps(4);
}

/// Opens the dialog of a rule for many exams.
fn open_dialog(window: &mut Window) {
    keys(window, Modifiers::COMMAND, Key::P);
    type_in(window, "Rule for many exams");
    key(window, Key::Enter);
    window.run_steps(6);
}

/// The list of rules in their dialog.
fn list(window: &Window) -> egui::Pos2 {
    let mut nodes = window.get_all_by_label("Rule");
    nodes.find(|node| node.accesskit_node().role() == egui::Role::ComboBox).unwrap().rect().center()
}

/// Chooses another kind of rule by the pointer; true if that was possible.
fn chooses(window: &mut Window) -> bool {
    let at = list(window);
    tap(window, at);
    let Some(other) = window.query_by_label("different days").map(|node| node.rect().center()) else {
        return false;
    };
    click(window, other);
    let mut nodes = window.get_all_by_label("Rule");
    let node = nodes.find(|node| node.accesskit_node().role() == egui::Role::ComboBox).unwrap();
    node.accesskit_node().value().as_deref() == Some("different days")
}

#[test]
fn a_list_that_was_closed_by_a_click_beside_it_opens_above_the_dialog_again() {
    let mut window = at_home(rooms::open);
    open_dialog(&mut window);
    let at = list(&window);
    click(&mut window, at);
    // A click on the heading of the dialog closes the list, and brings the dialog before it.
    let heading = window.get_by_label("A rule for many exams").rect().center();
    click(&mut window, heading);
    assert!(!shows(&window, "different days"));
    assert!(chooses(&mut window), "the list lies behind the dialog");
}

#[test]
fn a_stored_state_hides_no_list() {
    let stored = include_str!("window-with-hidden-lists.ron");
    let stored: std::collections::HashMap<String, String> = ron::from_str(stored).unwrap();
    let mut window = at_home(|home| {
        let app = crate::support::planned(rooms::instance(), rooms::plan(), home.path());
        let builder = egui_kittest::Harness::builder().with_size([1440.0, 900.0]).with_max_steps(60);
        let memory: egui::Memory = ron::from_str(&stored["egui"]).unwrap();
        let setup = move |ctx: &egui::Context| {
            ctx.memory_mut(|own| *own = memory.clone());
            gridwright_window::theme::install(ctx);
        };
        let mut window = builder.with_context_setup(setup).build_ui_state(
            |ui, app: &mut gridwright_window::window::App| {
                app.logic(ui.ctx());
                app.ui(ui);
            },
            app,
        );
        crate::support::person::wait_for_document(&mut window);
        window
    });
    open_dialog(&mut window);
    assert!(chooses(&mut window), "the list lies behind the dialog");
}
