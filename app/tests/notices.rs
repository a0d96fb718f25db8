//! Messages: how long they stay.

use egui::{Key, Modifiers};
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::methods::*;

use crate::adjusting::with_selected;
use crate::support::person::{Window, at_home, document, keys, press};

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
