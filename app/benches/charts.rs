//! Time of frames of the charts and floor plans: `cargo bench --workspace --bench charts`.
//!
//! Needs no display: egui runs headless, shapes are tessellated as for the screen. Each chart has 1440 × 900 points and the
//! largest instance: 500 jobs on 20 machines, 10,000 bars; 4,000 solutions; 120 departments with a flow between every two, 7,140 lines;
//! 1,500 × 11 cells in two streams, which are shown another iteration in every frame where they play.

use std::time::Instant;

use egui::{
    Context, Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect, TouchPhase, Ui, Vec2, pos2, vec2,
};
use gridwright_flowshop::Schedule;
use gridwright_flowshop::drawing::GanttRows;
use gridwright_flowshop_views::widgets::gantt::Selection;
use gridwright_window::theme;

#[path = "../tests/support/picture.rs"]
mod picture;
#[path = "../tests/charts/support.rs"]
mod support;

#[path = "../tests/charts/recorded.rs"]
mod recorded;

use recorded::{Hits, Lines, Recorded};
use support::{Floor, Gantt, Order, Solutions, taillard};

/// What a frame may take: 60 of them in a second.
const LIMIT: f64 = 16.0;
/// Every gesture is made so often, and of each frame the fastest counts: other programs on the machine are not measured.
const REPEATS: usize = 3;
const SIZE: Vec2 = vec2(1440.0, 900.0);

type Gesture = (&'static str, Vec<Vec<Event>>);

/// A canvas of one chart.
struct Canvas<'a> {
    ctx: Context,
    time: f64,
    ui: &'a mut dyn FnMut(&mut Ui),
}

impl Canvas<'_> {
    /// One frame; milliseconds from input to meshes.
    fn frame(&mut self, events: Vec<Event>) -> f64 {
        self.time += 1.0 / 60.0;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, SIZE));
        let input = RawInput { screen_rect, time: Some(self.time), events, focused: true, ..RawInput::default() };
        let began = Instant::now();
        let ui = &mut self.ui;
        let mut output = self.ctx.run_ui(input, |root| ui(root));
        output.textures_delta.clear();
        std::hint::black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
        began.elapsed().as_secs_f64() * 1000.0
    }
}

fn wheel(by: f32) -> Vec<Event> {
    let (unit, phase, source) = (MouseWheelUnit::Point, TouchPhase::Move, egui::MouseWheelSource::Unknown);
    vec![Event::MouseWheel { unit, delta: vec2(0.0, by), phase, source, modifiers: Modifiers::NONE }]
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

fn gestures() -> Vec<Gesture> {
    let middle = pos2(700.0, 450.0);
    let share = |index: usize, by: f32| (index as f32 * by).fract();
    let point = |index: usize| pos2(180.0 + 1200.0 * share(index, 0.618_034), 100.0 + 700.0 * share(index, 0.754_878));
    let still = vec![Vec::new(); 20];
    let hover = (0..90).map(|index| vec![Event::PointerMoved(point(index))]).collect();
    let mut zoom = vec![vec![Event::PointerMoved(middle)]];
    zoom.extend((0..30).map(|_| wheel(40.0)).chain((0..30).map(|_| wheel(-40.0))));
    // Closer, then dragged to and fro.
    let mut pan = vec![vec![Event::PointerMoved(middle)]];
    pan.extend((0..12).map(|_| wheel(40.0)).chain(vec![Vec::new(); 6]));
    pan.push(vec![button(middle, true)]);
    pan.extend((0..60).map(|step| {
        let by = 300.0 * (step as f32 * 0.2).sin();
        vec![Event::PointerMoved(middle + vec2(by, by * 0.2))]
    }));
    pan.push(vec![button(middle, false)]);
    pan.extend((0..20).map(|_| wheel(-80.0)));
    let select = (0..30).flat_map(|index| {
        let at = point(index);
        [vec![Event::PointerMoved(at), button(at, true), button(at, false)], Vec::new(), Vec::new()]
    });
    vec![("still", still), ("hover", hover), ("zoom", zoom), ("pan", pan), ("select", select.collect())]
}

/// Prints a line of the table for each gesture; how many are too slow.
fn measure(name: &str, ui: &mut dyn FnMut(&mut Ui)) -> usize {
    let ctx = Context::default();
    theme::install(&ctx);
    let mut canvas = Canvas { ctx, time: 0.0, ui };
    (0..3).for_each(|_| {
        canvas.frame(Vec::new());
    });
    let mut slow = 0;
    for (gesture, frames) in gestures() {
        let mut times = vec![f64::INFINITY; frames.len()];
        for _ in 0..REPEATS {
            for (time, events) in times.iter_mut().zip(&frames) {
                *time = time.min(canvas.frame(events.clone()));
            }
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        let (median, high, most) = (at(0.5), at(0.99), at(1.0));
        let mark = if high > LIMIT { " !" } else { "" };
        println!("| {name} | {gesture} | {} | {median:.2} | {high:.2}{mark} | {most:.2} |", times.len());
        slow += usize::from(high > LIMIT);
    }
    slow
}

fn main() {
    // `cargo test --benches` only wants to know that it builds; cargo bench says so.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("| chart | gesture | frames | median ms | 99 % ms | max ms |\n| --- | --- | ---: | ---: | ---: | ---: |");
    let largest = taillard("ta111");
    let chart = |rows: GanttRows| Gantt::new(largest.clone(), rows);
    let mut slow = 0;
    let mut gantt = |name: &str, mut gantt: Gantt| slow += measure(name, &mut |ui| gantt.ui(ui));
    gantt("machines", chart(GanttRows::Machines));
    gantt("jobs", chart(GanttRows::Jobs));
    let mut selected = chart(GanttRows::Machines);
    selected.selected = Some(Selection { job: 77, machine: Some(3) });
    gantt("selected", selected);
    let order: Vec<u16> = largest.1.order.iter().rev().copied().collect();
    let other = Schedule::new(&largest.0, &order);
    gantt("compared", chart(GanttRows::Machines).compared(other.clone()));
    gantt("compared jobs", chart(GanttRows::Jobs).compared(other));
    let mut order = Order::new(largest.clone());
    slow += measure("sequence", &mut |ui| order.ui(ui));
    let mut solutions = Solutions::invented(4_000);
    slow += measure("scatter", &mut |ui| solutions.ui(ui));
    let mut floor = Floor::invented(120, true, 1.0);
    slow += measure("floor plan", &mut |ui| floor.ui(ui));
    let mut still = Recorded::new(11, 1_500, 16_500);
    slow += measure("beating", &mut |ui| still.ui(ui));
    let mut playing = Recorded::new(11, 1_500, 16_500);
    slow += measure("beating, playing", &mut |ui| {
        playing.player.go_to((playing.player.at() + 1) % 16_500);
        playing.ui(ui);
    });
    let mut lines = Lines::new(16_500);
    slow += measure("history", &mut |ui| lines.ui(ui));
    let mut rows = recorded::Rows::new(33_000, 1_500);
    slow += measure("raster", &mut |ui| rows.ui(ui));
    let mut hits = Hits::new();
    slow += measure("histogram", &mut |ui| hits.ui(ui));
    println!("\n{slow} of them over {LIMIT} ms at 99 %");
}
