//! Time of frames, view by view: `cargo bench --workspace --bench window [-- FILE]`.
//!
//! Needs no display: egui runs headless, shapes are tessellated as for the screen. Without a file pur-s-93 is opened where
//! `GRIDWRIGHT_DATA` is set, otherwise an invented session of its size. Every gesture runs in the whole window, 1440 × 900.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{
    Context, Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect, TouchPhase, Vec2, pos2, vec2,
};
use gridwright::theme;
use gridwright::timetabling::desk::View;
use gridwright::window::App;
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::formats::{LoadOptions, open};
use gridwright_solver::timetabling::generator::{GeneratorOptions, generate};

#[path = "../tests/support/mod.rs"]
mod support;

/// What a frame may take: 60 of them in a second.
const LIMIT: f64 = 16.0;
/// Every gesture is made so often, and of each frame the fastest counts: other programs on the machine are not measured.
const REPEATS: usize = 3;
const SIZE: Vec2 = vec2(1440.0, 900.0);

struct Window {
    ctx: Context,
    app: App,
    time: f64,
}

impl Window {
    /// One frame; milliseconds from input to meshes.
    fn frame(&mut self, events: Vec<Event>) -> f64 {
        self.time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.time),
            events,
            focused: true,
            ..RawInput::default()
        };
        let began = Instant::now();
        let app = &mut self.app;
        let mut output = self.ctx.run_ui(input, |ui| {
            app.logic(ui.ctx());
            app.ui(ui);
        });
        output.textures_delta.clear();
        let meshes = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        std::hint::black_box(&meshes);
        began.elapsed().as_secs_f64() * 1000.0
    }

    /// One frame per list of events.
    fn frames(&mut self, gesture: impl IntoIterator<Item = Vec<Event>>) -> Vec<f64> {
        gesture.into_iter().map(|events| self.frame(events)).collect()
    }

    fn press(&mut self, key: egui::Key) {
        let event =
            |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::COMMAND };
        self.frame(vec![event(true), event(false)]);
    }
}

fn wheel(by: f32) -> Event {
    let (unit, phase) = (MouseWheelUnit::Point, TouchPhase::Move);
    let source = egui::MouseWheelSource::Unknown;
    Event::MouseWheel { unit, delta: vec2(0.0, by), phase, source, modifiers: Modifiers::NONE }
}

fn click(at: Pos2) -> Vec<Event> {
    let button =
        |pressed| Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
    vec![Event::PointerMoved(at), button(true), button(false)]
}

/// Points all over the picture.
fn points(count: usize) -> impl Iterator<Item = Pos2> {
    let share = |index: usize, by: f32| (index as f32 * by).fract();
    (0..count).map(move |index| pos2(250.0 + 840.0 * share(index, 0.618_034), 200.0 + 420.0 * share(index, 0.754_878)))
}

type Gesture = (&'static str, Vec<Vec<Event>>);

fn gestures() -> Vec<Gesture> {
    let middle = pos2(640.0, 400.0);
    let hover = points(90).map(|at| vec![Event::PointerMoved(at)]).collect();
    let settle = || std::iter::repeat_n(Vec::new(), 6);
    let mut scroll: Vec<Vec<Event>> = vec![vec![Event::PointerMoved(middle)]];
    scroll.extend((0..45).map(|_| vec![wheel(60.0)]).chain(settle()));
    scroll.extend((0..60).map(|_| vec![wheel(-60.0)]).chain(settle()));
    let mut zoom: Vec<Vec<Event>> = vec![vec![Event::PointerMoved(middle)]];
    zoom.extend((0..45).map(|_| vec![Event::Zoom(1.08)]));
    zoom.extend((0..60).map(|_| vec![Event::Zoom(0.93)]).chain(settle()));
    let select = points(30).flat_map(|at| [click(at), Vec::new(), Vec::new()]).collect();
    // Held, carried over six places and let go; a question that it raises is left by Escape.
    let carry = |from: Pos2| {
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let key = |pressed| Event::Key {
            key: egui::Key::Escape,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let mut frames = vec![vec![Event::PointerMoved(from)], vec![button(from, true)]];
        frames.extend((1..=6).map(|step| vec![Event::PointerMoved(from + vec2(40.0 * step as f32, 0.0))]));
        frames.extend([vec![button(from + vec2(240.0, 0.0), false)], vec![key(true), key(false)], Vec::new()]);
        frames
    };
    let drag = points(10).flat_map(carry).collect();
    vec![("hover", hover), ("scroll", scroll), ("zoom", zoom), ("select", select), ("drag", drag)]
}

/// The instance to measure with.
fn instance() -> Instance {
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let published = std::env::var_os("GRIDWRIGHT_DATA").map(|data| Path::new(&data).join("toronto/pur-s-93.stu"));
    let path = named.map(PathBuf::from).or(published.filter(|path| path.exists()));
    match path {
        Some(path) => open(&path.display().to_string(), &LoadOptions::default()).expect("the file can be opened"),
        None => {
            let name = "as large as pur-s-93".to_owned();
            let options = GeneratorOptions {
                name,
                exams: 2_419,
                students: 30_029,
                density: 0.03,
                periods: Some(42),
                ..GeneratorOptions::default()
            };
            generate(&options).expect("such a session can be invented")
        }
    }
}

fn main() {
    // `cargo test --benches` only wants to know that it builds; cargo bench says so.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let instance = instance();
    println!("{}: {} exams, {} periods", instance.name, instance.exam_count(), instance.period_count());
    let home = tempfile::tempdir().expect("a folder for the runs");
    let timetable = support::constructed(&instance);
    let ctx = Context::default();
    theme::install(&ctx);
    let mut window = Window { ctx, app: support::planned(instance, timetable, home.path()), time: 0.0 };
    let deadline = Instant::now() + Duration::from_secs(120);
    while window.app.desk().is_none() && Instant::now() < deadline {
        window.frame(Vec::new());
        std::thread::sleep(Duration::from_millis(20));
    }
    let keys = [
        egui::Key::Num1,
        egui::Key::Num2,
        egui::Key::Num3,
        egui::Key::Num4,
        egui::Key::Num5,
        egui::Key::Num6,
        egui::Key::Num7,
    ];
    println!("\n| view | gesture | frames | median ms | 99 % ms | max ms |\n| --- | --- | ---: | ---: | ---: | ---: |");
    let mut slow = 0;
    for (view, key) in View::ALL.into_iter().zip(keys) {
        window.press(key);
        let opened = window.frames(std::iter::repeat_n(Vec::new(), 3));
        assert_eq!(window.app.desk().map(|desk| desk.view), Some(view), "the keys open the views in their order");
        slow += row(view, "open", &opened);
        for (name, gesture) in gestures() {
            if window.app.desk().map(|desk| desk.view) != Some(view) {
                window.press(key);
            }
            let mut times = window.frames(gesture.clone());
            for _ in 1..REPEATS {
                for (time, again) in times.iter_mut().zip(window.frames(gesture.clone())) {
                    *time = time.min(again);
                }
            }
            slow += row(view, name, &times);
        }
        let still = window.frames(std::iter::repeat_n(Vec::new(), 20));
        slow += row(view, "still", &still);
    }
    println!("\n{slow} of them over {LIMIT} ms at 99 %");
}

/// Prints a line of the table; 1 where it is too slow.
fn row(view: View, gesture: &str, times: &[f64]) -> usize {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    let (median, high, most) = (at(0.5), at(0.99), at(1.0));
    let mark = if high > LIMIT { " !" } else { "" };
    println!("| {} | {gesture} | {} | {median:.2} | {high:.2}{mark} | {most:.2} |", view.name(), times.len());
    usize::from(high > LIMIT)
}
