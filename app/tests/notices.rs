//! Messages: how long they stay, and their place.

use egui::{Key, Modifiers, Rect, Role};
use egui_kittest::kittest::Queryable as _;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::methods::*;
use gridwright_window::widgets::notice::Notice;

use crate::adjusting::with_selected;
use crate::pictures::window_of;
use crate::sizes::{CASES, ready, show};
use crate::support::overlap::within;
use crate::support::person::{Window, at_home, document, keys, press, settle};

fn headings(window: &Window) -> Vec<&str> {
    window.state().notices().iter().map(|notice| notice.heading.as_str()).collect()
}

#[test]
fn a_message_about_an_edit_goes_when_that_is_undone() {
    let mut window = at_home(|home| with_selected(home, "E5"));
    press(&mut window, "Pin to period 8");
    let shorten = |window: &mut Window| {
        let document = window.state_mut().document_mut::<TimetablingViews>().unwrap();
        let calendar = document.instance.periods[..7].to_vec();
        document.set_calendar(calendar, None).unwrap();
        window.run_steps(3);
    };
    shorten(&mut window);
    assert!(headings(&window).contains(&"Pins were taken away"), "{:?}", headings(&window));
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert!(!headings(&window).contains(&"Pins were taken away"), "{:?}", headings(&window));
    assert_eq!(document(&window).rules().pins.len(), 1);
    // Another edit ends it, too.
    shorten(&mut window);
    assert!(headings(&window).contains(&"Pins were taken away"));
    crate::adjusting::select(&mut window, "B2");
    press(&mut window, "Pin to period 3");
    assert!(!headings(&window).contains(&"Pins were taken away"), "{:?}", headings(&window));
}

/// Tells four messages, each longer than a line.
fn tell(window: &mut Window) {
    for number in 1..=4 {
        let text = "A text that is longer than a line, as those about files and what is wrong in them are. ".repeat(4);
        window.state_mut().tell(Notice::warning(format!("Message {number}"), text));
    }
    settle(window);
}

/// Names of what is covered by the messages.
fn covered(window: &Window) -> Vec<String> {
    let strip = window.get_all_by_role(Role::Alert).map(|card| card.rect()).fold(Rect::NOTHING, Rect::union);
    assert!(strip.height() > 100.0, "{strip:?}");
    within(window, strip, &["Message ", "A text that is longer", "Close this message", "1 more"])
}

#[test]
fn messages_cover_nothing_in_a_small_window() {
    let mut faults = Vec::new();
    for case in CASES {
        let mut window = window_of(case.app, [1024.0, 640.0], false);
        ready(&mut window);
        tell(&mut window);
        assert!(window.query_by_label("1 more").is_some(), "three of four are shown");
        for view in window.state().view().unwrap().tabs() {
            show(&mut window, view.index);
            faults.extend(covered(&window).into_iter().map(|fault| format!("{}, {}: {fault}", case.name, view.name)));
        }
        show(&mut window, 0);
        keys(&mut window, Modifiers::COMMAND, Key::Comma);
        settle(&mut window);
        faults.extend(covered(&window).into_iter().map(|fault| format!("{}, preferences: {fault}", case.name)));
        keys(&mut window, Modifiers::NONE, Key::Escape);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
