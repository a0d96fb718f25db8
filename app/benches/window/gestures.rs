//! What a person does with mouse and keys, frame by frame.

use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, pos2, vec2};

/// The events of every frame.
pub type Frames = Vec<Vec<Event>>;

fn wheel(by: f32) -> Event {
    let (unit, phase) = (MouseWheelUnit::Point, TouchPhase::Move);
    let source = egui::MouseWheelSource::Unknown;
    Event::MouseWheel { unit, delta: vec2(0.0, by), phase, source, modifiers: Modifiers::NONE }
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// A click.
pub fn click(at: Pos2) -> Vec<Event> {
    vec![Event::PointerMoved(at), button(at, true), button(at, false)]
}

/// A key is pressed and let go.
pub fn key(modifiers: Modifiers, key: Key) -> Vec<Event> {
    let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
    vec![event(true), event(false)]
}

/// A text letter by letter, with a frame between.
pub fn typed(text: &str) -> Frames {
    text.chars().flat_map(|letter| [vec![Event::Text(letter.to_string())], Vec::new()]).collect()
}

/// Frames in which nothing is done.
pub fn still(count: usize) -> Frames {
    vec![Vec::new(); count]
}

/// Points all over the picture.
fn points(count: usize) -> impl Iterator<Item = Pos2> {
    let share = |index: usize, by: f32| (index as f32 * by).fract();
    (0..count).map(move |index| pos2(250.0 + 840.0 * share(index, 0.618_034), 200.0 + 420.0 * share(index, 0.754_878)))
}

/// Down, up beyond the top, and until it has come to rest.
pub fn scrolled(at: Pos2) -> Frames {
    let mut frames: Frames = vec![vec![Event::PointerMoved(at)]];
    frames.extend((0..45).map(|_| vec![wheel(60.0)]).chain(still(6)));
    frames.extend((0..60).map(|_| vec![wheel(-60.0)]).chain(still(6)));
    frames
}

/// Held, carried over six places and let go; a question that it raises is left by Escape.
fn carried(from: Pos2) -> Frames {
    let mut frames = vec![vec![Event::PointerMoved(from)], vec![button(from, true)]];
    frames.extend((1..=6).map(|step| vec![Event::PointerMoved(from + vec2(40.0 * step as f32, 0.0))]));
    frames.extend([vec![button(from + vec2(240.0, 0.0), false)], key(Modifiers::NONE, Key::Escape), Vec::new()]);
    frames
}

/// What is done in every view, by name.
pub fn everywhere() -> Vec<(&'static str, Frames)> {
    let middle = pos2(640.0, 400.0);
    let hover = points(90).map(|at| vec![Event::PointerMoved(at)]).collect();
    let mut zoom: Frames = vec![vec![Event::PointerMoved(middle)]];
    zoom.extend((0..45).map(|_| vec![Event::Zoom(1.08)]));
    zoom.extend((0..60).map(|_| vec![Event::Zoom(0.93)]).chain(still(6)));
    let select = points(30).flat_map(|at| [click(at), Vec::new(), Vec::new()]).collect();
    let drag = points(10).flat_map(carried).collect();
    vec![("hover", hover), ("scroll", scrolled(middle)), ("zoom", zoom), ("select", select), ("drag", drag)]
}

/// What is opened over every view, written into and left again.
pub fn dialogs() -> Vec<(&'static str, Frames)> {
    let escape = || key(Modifiers::NONE, Key::Escape);
    let over = |open: Vec<Event>, text: &str| -> Frames {
        let mut frames = vec![open];
        frames.extend(still(3).into_iter().chain(typed(text)));
        frames.extend([escape(), Vec::new(), escape(), Vec::new()]);
        frames
    };
    vec![
        ("find", over(key(Modifiers::COMMAND, Key::F), "12")),
        ("palette", over(key(Modifiers::COMMAND, Key::P), "go to 1")),
        ("export dialog", over(key(Modifiers::COMMAND, Key::E), "")),
        ("dialog of solving around", over(key(Modifiers::NONE, Key::F6), "")),
    ]
}
