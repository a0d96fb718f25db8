//! The presentation: the view alone, with large text, and its keys.

use egui::{Key, Rect};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use gridwright_systolic_views::SystolicViews;

use crate::sizes::{CASES, ready, show};
use crate::support::Documents as _;
use crate::support::overlap::{overlaps, within};
use crate::support::person::{self, Window, at_home, key, names, settle};

/// Margin around the view in points.
const MARGIN: f32 = 8.0;

/// The whole window in points.
fn all(window: &Window) -> Rect {
    window.ctx.content_rect()
}

#[test]
fn the_presentation_shows_the_view_alone() {
    let mut faults = Vec::new();
    for case in CASES {
        let mut window = at_home(|home| person::window((case.app)(home.path())));
        ready(&mut window);
        show(&mut window, 0);
        let before = window.state().middle();
        key(&mut window, Key::F11);
        assert!(names(&window, "Presentation: Esc or F11 goes back").len() == 1, "{}: the keys are told", case.name);
        person::press(&mut window, "Close this message");
        settle(&mut window);
        assert_eq!(
            (window.ctx.zoom_factor(), window.state().middle()),
            (1.5, all(&window).shrink(MARGIN)),
            "{}",
            case.name
        );
        for word in ["Solve", "Seed", "Runs", "Library", "File"] {
            assert!(window.query_by_label(word).is_none(), "{}: {word} is shown", case.name);
        }
        // As large as before, in the points of large text.
        window.set_size([960.0, 600.0].into());
        // Views beyond the ninth have no key.
        for view in window.state().view().unwrap().tabs().into_iter().take(9) {
            show(&mut window, view.index);
            let place = format!("{}, {}", case.name, view.name);
            assert!(!within(&window, all(&window), &[]).is_empty(), "{place} is empty");
            faults.extend(overlaps(&window).into_iter().map(|fault| format!("{place}: {fault}")));
        }
        show(&mut window, 0);
        key(&mut window, Key::Escape);
        settle(&mut window);
        assert_eq!((window.ctx.zoom_factor(), window.state().middle()), (1.0, before), "{}", case.name);
        assert!(window.query_by_label("Solve").is_some());
        for _ in 0..2 {
            key(&mut window, Key::F11);
        }
        assert!(window.query_by_label("Solve").is_some(), "F11 goes back, too");
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_recording_is_played_by_the_keys_of_a_presenter() {
    let mut window = at_home(|home| person::window((CASES[3].app)(home.path())));
    ready(&mut window);
    show(&mut window, 0);
    key(&mut window, Key::F11);
    window.state_mut().document_mut::<SystolicViews>().unwrap().player.go_to(10);
    let at = |window: &Window| window.state().binary().unwrap().player.at();
    for (pressed, shown) in
        [(Key::ArrowRight, 11), (Key::PageDown, 12), (Key::ArrowLeft, 11), (Key::PageUp, 10), (Key::PageUp, 9)]
    {
        key(&mut window, pressed);
        assert_eq!(at(&window), shown, "{pressed:?}");
    }
    let speed = |window: &Window| window.get_by_label("Speed").accesskit_node().value().unwrap_or_default();
    let usual = speed(&window);
    key(&mut window, Key::ArrowUp);
    let faster = speed(&window);
    for _ in 0..2 {
        key(&mut window, Key::ArrowDown);
    }
    assert_eq!([usual, faster, speed(&window)], ["10 a second", "30 a second", "5 a second"]);
    window.key_press(Key::Space);
    window.run_steps(3);
    assert!(window.state().binary().unwrap().player.is_playing());
    window.key_press(Key::Space);
    window.run_steps(3);
    assert!(!window.state().binary().unwrap().player.is_playing());
    // Arrows have no such meaning in the usual window.
    key(&mut window, Key::Escape);
    let shown = at(&window);
    key(&mut window, Key::ArrowRight);
    assert_eq!(at(&window), shown);
}
