//! The glossary: its tables, F1 on what is hovered or focused, and the dialog.

use std::collections::BTreeSet;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use gridwright_window::glossary::{Term, shared};
use gridwright_window::registry;
use gridwright_window::services::Services;

use crate::support::person::{Window, at_home, file, key, keys, open, press, shows, wait};

/// The terms that a person with an instance of each problem sees, by problem.
fn scopes() -> Vec<(&'static str, Vec<&'static Term>)> {
    gridwright::register();
    let all = |ui: &'static gridwright_window::problem::ProblemUi| ui.terms.iter().chain(&shared::TERMS).collect();
    registry::problems().map(|ui| (ui.problem.id(), all(ui))).collect()
}

/// The sentences of a text: parts that end with a full stop before a capital letter or the end.
fn sentences(text: &str) -> usize {
    let letters: Vec<char> = text.chars().collect();
    let ends = |at: usize| {
        letters[at] == '.'
            && letters.get(at + 1).is_none_or(|next| *next == ' ')
            && letters.get(at + 2).is_none_or(|next| next.is_uppercase())
    };
    (0..letters.len()).filter(|&at| ends(at)).count()
}

#[test]
fn names_are_unique_definitions_are_sentences_and_references_lead_somewhere() {
    gridwright::register();
    for (problem, terms) in scopes() {
        let mut names = BTreeSet::new();
        for term in &terms {
            for name in term.names() {
                assert!(names.insert(name.to_lowercase()), "{problem}: two entries are called {name}");
            }
        }
        let own = terms.len() - shared::TERMS.len();
        assert!((8..=20).contains(&own), "{problem} has {own} terms");
        for term in &terms {
            let Term { name, definition, seen, source, related, .. } = term;
            for text in [definition, seen] {
                let begins = text.chars().next().is_some_and(|first| first.is_uppercase() || !first.is_alphabetic());
                assert!(begins && text.ends_with('.'), "{name}: {text}");
                assert!((1..=3).contains(&sentences(text)), "{name}: {} sentences: {text}", sentences(text));
                assert!(!text.contains("  "), "{name}: two blanks");
            }
            assert!(definition.split_whitespace().count() >= 8, "{name} is not explained");
            assert!(!source.ends_with('.'), "{name}");
            for other in *related {
                assert!(
                    terms.iter().any(|term| term.name == *other),
                    "{problem}: {name} leads to {other}, which is not there"
                );
                assert!(other != name, "{name} leads to itself");
            }
        }
    }
    for table in registry::problems().map(|ui| ui.terms).chain([&shared::TERMS[..]]) {
        assert!(table.is_sorted_by_key(|term| term.name.to_lowercase()), "the terms stand in alphabetical order");
    }
}

/// The heading of the entry that is open; empty if the glossary is closed.
fn entry(window: &Window) -> String {
    if !shows(window, "Find a term") {
        return String::new();
    }
    let terms = scopes().into_iter().flat_map(|(_, terms)| terms);
    let is_open = |term: &&Term| shows(window, term.definition);
    terms.into_iter().find(is_open).map_or_else(String::new, |term| term.name.to_owned())
}

/// Presses F1 and waits for the answer.
fn ask(window: &mut Window) {
    key(window, Key::F1);
    window.run_steps(4);
}

/// Points at the thing of this name that is painted, and asks.
fn ask_at(window: &mut Window, label: &str) {
    let place = window.get_all_by_label(label).next().unwrap().rect().center();
    window.hover_at(place);
    window.run_steps(2);
    ask(window);
}

#[test]
fn f1_explains_what_is_hovered_or_focused() {
    let mut window = at_home(|home| file(home.path(), "sample:workshop"));
    ask_at(&mut window, "Seed");
    assert_eq!(entry(&window), "Seed");
    key(&mut window, Key::Escape);
    assert_eq!(entry(&window), "");
    // A tab, whose text is painted and whose name is «Front».
    ask_at(&mut window, "Front");
    assert_eq!(entry(&window), "Pareto front");
    key(&mut window, Key::Escape);
    // By the keyboard alone: the pointer is where nothing is called anything.
    window.hover_at(egui::pos2(500.0, 600.0));
    window.get_by_role_and_label(egui::Role::SpinButton, "Seed").focus();
    window.run_steps(2);
    ask(&mut window);
    assert_eq!(entry(&window), "Seed");
    // What is explained elsewhere is one click away.
    window.get_by_role_and_label(egui::Role::Link, "Run").click();
    window.run_steps(3);
    assert_eq!(entry(&window), "Run");
    key(&mut window, Key::Escape);
    // Another name of a term counts, too.
    ask_at(&mut window, "Lateness");
    assert_eq!(entry(&window), "Due date");
    key(&mut window, Key::Escape);
    window.hover_at(egui::pos2(500.0, 600.0));
    window.ctx.memory_mut(|memory| memory.stop_text_input());
    let focused = window.ctx.memory(|memory| memory.focused());
    if let Some(focused) = focused {
        window.ctx.memory_mut(|memory| memory.surrender_focus(focused));
    }
    window.run_steps(2);
    ask(&mut window);
    assert!(shows(&window, "In pictures and everywhere"), "where nothing is named, F1 lists the keys");
}

#[test]
fn the_glossary_is_found_searched_and_read_in_small_windows() {
    let mut window = at_home(|home| open(Services { dialogs: false, ..Services::default() }, home.path(), None));
    press(&mut window, "Help");
    press(&mut window, "Glossary");
    window.get_by_role_and_label(egui::Role::SearchInput, "Find a term").type_text("hyperv");
    window.run_steps(3);
    assert!(!shows(&window, "Kempe chain") && shows(&window, "Hypervolume, "));
    press(&mut window, "Hypervolume, ");
    assert_eq!(entry(&window), "Hypervolume");
    press(&mut window, "Pareto front");
    assert_eq!(entry(&window), "Pareto front");
    key(&mut window, Key::Escape);
    keys(&mut window, Modifiers::COMMAND, Key::P);
    window.event(egui::Event::Text("what is seed".to_owned()));
    window.run_steps(3);
    key(&mut window, Key::Enter);
    assert_eq!(entry(&window), "Seed");
    key(&mut window, Key::Escape);
    keys(&mut window, Modifiers::SHIFT, Key::F1);
    window.get_by_role_and_label(egui::Role::SearchInput, "Find a term").type_text("zzz");
    window.run_steps(3);
    assert!(shows(&window, "No term is called “zzz”"));
    key(&mut window, Key::Escape);
    wait(&mut window, "it to close", |window| !shows(window, "Find a term"));
    let mut window = at_home(|home| {
        let app = gridwright_window::window::App::new(
            Services::default(),
            gridwright_core::store::Store::at(home.path()),
            None,
        );
        crate::support::person::sized(app, [512.0, 400.0], 1.0)
    });
    window.run_steps(3);
    keys(&mut window, Modifiers::SHIFT, Key::F1);
    press(&mut window, "Backend, ");
    assert!(shows(&window, "A backend is the part") && window.query_by_label("Find a term").is_none());
    let text = window.get_by_label_contains("A backend is the part").rect();
    assert!(text.right() <= 512.0 && text.left() >= 0.0, "{text:?}");
    press(&mut window, "All terms");
    assert!(window.query_by_label("Find a term").is_some());
}
