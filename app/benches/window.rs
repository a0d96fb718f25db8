//! Time of frames, view by view: `cargo bench --workspace --bench window [-- FILE]`.
//!
//! Needs no display: egui runs headless, shapes are tessellated as for the screen. Without a file pur-s-93 is opened where
//! `GRIDWRIGHT_DATA` is set, otherwise an invented session of its size. Every gesture runs in the whole window, 1440 × 900,
//! over a list of two runs, which are what is compared. Changes are carried out with the frames that follow them, in one of
//! which they are handed over to be written to disk.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Context, Event, Key, Modifiers, Pos2, RawInput, Rect, Vec2, pos2, vec2};
use gridwright_core::store::Store;
use gridwright_timetabling::Instance;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::generator::{GeneratorOptions, generate};
use gridwright_timetabling::moves::{alternatives, by_hand};
use gridwright_timetabling_views::Document;
use gridwright_timetabling_views::methods::*;
use gridwright_timetabling_views::state::View;
use gridwright_window::document::ViewKind;
use gridwright_window::services::Services;
use gridwright_window::theme;
use gridwright_window::window::App;
use strum::VariantArray;

use support::Documents as _;

#[path = "window/gestures.rs"]
mod gestures;
#[path = "../tests/support/mod.rs"]
mod support;

use gestures::{Frames, click, key, scrolled, still, typed};

/// What a frame may take: 60 of them in a second.
const LIMIT: f64 = 16.0;
/// Every gesture is made so often, and of each frame the fastest counts: other programs on the machine are not measured.
const REPEATS: usize = 3;
const SIZE: Vec2 = vec2(1440.0, 900.0);
/// Longer than changes wait to be kept on disk.
const KEPT: Duration = Duration::from_millis(520);

const KEYS: [Key; 8] = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8];

struct Window {
    ctx: Context,
    app: App,
    time: f64,
    /// Rows of the table with frames over the limit.
    slow: usize,
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

    fn document(&self) -> &Document {
        self.app.session().expect("the session is open")
    }

    /// Opens a view where another one is shown.
    fn show(&mut self, view: View) {
        let index = View::VARIANTS.iter().position(|one| *one == view).expect("all views are listed");
        if self.document().view != view {
            self.frame(key(Modifiers::COMMAND, KEYS[index]));
            self.frame(Vec::new());
        }
        assert_eq!(self.document().view, view, "the keys open the views in their order");
    }

    /// One frame per list of events, all of them in this view.
    fn frames(&mut self, view: View, gesture: &Frames) -> Vec<f64> {
        let one = |events: &Vec<Event>| {
            self.show(view);
            self.frame(events.clone())
        };
        gesture.iter().map(one).collect()
    }

    /// The same [`REPEATS`] times; a row of the table.
    fn measure(&mut self, view: View, name: &str, gesture: &Frames) {
        let mut times = self.frames(view, gesture);
        for _ in 1..REPEATS {
            let again = self.frames(view, gesture);
            times.iter_mut().zip(again).for_each(|(time, again)| *time = time.min(again));
        }
        self.row(view, name, &times);
    }

    /// Prints a line of the table.
    fn row(&mut self, view: View, gesture: &str, times: &[f64]) {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        let (median, high, most) = (at(0.5), at(0.99), at(1.0));
        let mark = if most > LIMIT { " !" } else { "" };
        println!("| {} | {gesture} | {} | {median:.2} | {high:.2} | {most:.2}{mark} |", view.name(), times.len());
        self.slow += usize::from(most > LIMIT);
    }

    /// Where something is that has a name which begins so.
    fn find(&mut self, name: &str) -> Pos2 {
        self.ctx.enable_accesskit();
        let mut found = None;
        for _ in 0..2 {
            self.time += 1.0 / 60.0;
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
                time: Some(self.time),
                focused: true,
                ..RawInput::default()
            };
            let app = &mut self.app;
            let output = self.ctx.run_ui(input, |ui| {
                app.logic(ui.ctx());
                app.ui(ui);
            });
            let nodes = output.platform_output.accesskit_update.map(|update| update.nodes).unwrap_or_default();
            let named = nodes.iter().find(|(_, node)| node.label().is_some_and(|label| label.starts_with(name)));
            found = named.and_then(|(_, node)| node.bounds()).or(found);
        }
        self.ctx.disable_accesskit();
        let bounds = found.unwrap_or_else(|| panic!("nothing is called {name}"));
        pos2((bounds.x0 + bounds.x1) as f32 / 2.0, (bounds.y0 + bounds.y1) as f32 / 2.0)
    }

    /// Selects an exam that has a better place and would clash in the next period, the one with most conflicts.
    fn select_worst(&mut self) -> usize {
        let document = self.document();
        let (instance, picture) = (&document.instance, document.picture().expect("a timetable is shown"));
        let mut exams: Vec<usize> = (0..instance.exam_count()).collect();
        exams.sort_by_key(|&exam| std::cmp::Reverse(instance.conflicts.degree(exam)));
        let fits = |&exam: &usize| {
            let found = by_hand(instance, &picture.timetable, exam);
            let here = picture.timetable.period_of(exam);
            let best = alternatives(&found, here, 1);
            let next = here.and_then(|here| found.get(here + 1));
            best.first().is_some_and(|&best| found[best].change < 0) && next.is_some_and(|next| !next.is_free())
        };
        let exam = exams.into_iter().find(fits).expect("an exam has a better place");
        let (code, view) = (instance.exams[exam].code.clone(), document.view);
        let mut gesture = vec![key(Modifiers::COMMAND, Key::P), Vec::new()];
        gesture.extend(typed(&format!("Go to exam {code}")));
        gesture.extend([key(Modifiers::NONE, Key::Enter), Vec::new(), Vec::new()]);
        self.frames(view, &gesture);
        assert_eq!(self.document().selected, Some(exam), "the palette finds exam {code}");
        exam
    }

    /// The frames in which changes are carried out, and those after them: a move, undo and redo, a pin, a question.
    fn changes(&mut self, view: View) {
        let exam = self.select_worst();
        let place = |document: &Document| document.picture().and_then(|picture| picture.timetable.period_of(exam));
        let here = place(self.document());
        let steps = [
            ("move", key(Modifiers::ALT, Key::ArrowDown)),
            ("undo", key(Modifiers::COMMAND, Key::Z)),
            ("redo", key(Modifiers::COMMAND, Key::Y)),
            ("undo", key(Modifiers::COMMAND, Key::Z)),
            ("pin", key(Modifiers::NONE, Key::P)),
            ("undo", key(Modifiers::COMMAND, Key::Z)),
            ("question", key(Modifiers::ALT, Key::ArrowRight)),
            ("answer", key(Modifiers::NONE, Key::Escape)),
        ];
        let mut times = vec![Vec::new(); steps.len()];
        for _ in 0..REPEATS {
            for ((what, events), times) in steps.iter().zip(&mut times) {
                std::thread::sleep(KEPT);
                let mut gesture = vec![events.clone()];
                gesture.extend(still(5));
                let again = self.frames(view, &gesture);
                if times.is_empty() {
                    *times = again;
                } else {
                    times.iter_mut().zip(again).for_each(|(time, again)| *time = time.min(again));
                }
                let document = self.document();
                let seen =
                    (place(document) != here, document.rules().pin_of(exam).is_some(), document.move_warning.is_some());
                let wanted = match *what {
                    "move" | "redo" => (true, false, false),
                    "pin" => (false, true, false),
                    "question" => (false, false, true),
                    _ => (false, false, false),
                };
                assert_eq!(seen, wanted, "{what} in {}: moved, pinned, asked", view.name());
            }
        }
        for ((what, _), times) in steps.iter().zip(times) {
            self.row(view, what, &times);
        }
    }

    /// The lists of the comparison: opened, scrolled, filtered.
    fn compared(&mut self) {
        let view = View::Compare;
        self.show(view);
        for name in ["Worse off", "Better off", "Moved exams"] {
            let tab = self.find(name);
            let mut gesture = vec![click(tab)];
            gesture.extend(still(3));
            self.measure(view, name, &gesture);
            self.measure(view, &format!("{name}, scrolled"), &scrolled(pos2(900.0, 450.0)));
        }
        let field = self.find("Filter by code or title");
        let mut gesture = vec![click(field)];
        gesture.extend(typed("1234"));
        gesture.extend((0..4).map(|_| key(Modifiers::NONE, Key::Backspace)));
        gesture.push(key(Modifiers::NONE, Key::Escape));
        self.measure(view, "filter", &gesture);
        let swap = self.find("Swap the two sides");
        let mut gesture = vec![click(swap)];
        gesture.extend(still(3));
        self.measure(view, "swap", &gesture);
    }
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

/// A window in which two runs of the instance are listed.
fn window(instance: Instance, home: &Path) -> Window {
    support::keep(&Store::at(home), &instance, support::constructed_from(&instance, 2), 2);
    let timetable = support::constructed(&instance);
    let ctx = Context::default();
    theme::install(&ctx);
    let app = support::planned_with(Services::default(), instance, timetable, home);
    let mut window = Window { ctx, app, time: 0.0, slow: 0 };
    let deadline = Instant::now() + Duration::from_secs(120);
    while window.app.session().is_none() && Instant::now() < deadline {
        window.frame(Vec::new());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(window.document().listed().count(), 2, "both runs are listed");
    window
}

fn main() {
    // `cargo test --benches` only wants to know that it builds; cargo bench says so.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let instance = instance();
    println!("{}: {} exams, {} periods", instance.name, instance.exam_count(), instance.period_count());
    let home = tempfile::tempdir().expect("a folder for the runs");
    let mut window = window(instance, home.path());
    println!("\n| view | gesture | frames | median ms | 99 % ms | longest ms |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    // The comparison first: of two runs that share next to nothing, before anything is edited.
    let (compare, rest) = View::VARIANTS.split_last().expect("there are views");
    for view in std::iter::once(compare).chain(rest).copied() {
        // The first look at a view counts, too.
        let index = View::VARIANTS.iter().position(|one| *one == view).expect("all views are listed");
        let mut opened = vec![window.frame(key(Modifiers::COMMAND, KEYS[index]))];
        opened.extend((0..4).map(|_| window.frame(Vec::new())));
        assert_eq!(window.document().view, view, "the keys open the views in their order");
        window.row(view, "open", &opened);
        if view == View::Compare {
            window.compared();
        }
        for (name, gesture) in gestures::dialogs() {
            window.measure(view, name, &gesture);
        }
        window.changes(view);
        for (name, gesture) in gestures::everywhere() {
            window.measure(view, name, &gesture);
        }
        window.measure(view, "still", &still(20));
    }
    println!("\n{} of them with a frame over {LIMIT} ms", window.slow);
}
