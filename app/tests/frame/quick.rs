//! A window over an instance of five exams and a search that ends at once.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_core::search::{Control, Progress, Snapshot, StopReason};
use gridwright_core::store::Store;
use gridwright_timetabling::Timetable;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_window::document::{SolveRequest, Solver};
use gridwright_window::services::Services;
use gridwright_window::window::App;

use crate::support::Documents as _;
use crate::support::chain;
use crate::support::person::{self, Window, press, wait};

/// Finds at once a timetable whose last exam stands where the seed says.
pub fn quick() -> Solver<TimetablingViews> {
    Arc::new(|request: &SolveRequest<TimetablingViews>, _: &Control, observer: &mut dyn FnMut(&_)| {
        let (instance, settings) = (&request.instance, &request.settings);
        let best = Timetable::of(vec![0, 1, 0, 1, 2 + (settings.seed % 3) as u16]);
        let best_cost = best.cost(instance).proximity as f64;
        let progress = |step: u64| Progress {
            snapshot: Snapshot {
                step,
                evaluations: step * 1000,
                best: Arc::new(best.clone()),
                best_cost,
                mean: best_cost + 1.0,
                worst: best_cost + 2.0,
                digest: step,
                share: None,
            },
            seconds: step as f64,
            share: step as f64 / 5.0,
        };
        (0..=5).for_each(|step| observer(&progress(step)));
        let point = |step: u64| gridwright_core::search::CurvePoint {
            seconds: step as f64,
            step,
            best: best_cost + (5 - step) as f64,
            mean: best_cost + 6.0,
            worst: best_cost + 7.0,
        };
        let checkpoint = gridwright_window::session::Checkpoint {
            progress: progress(5),
            curve: (0..=5).map(point).collect(),
            rate: 0.0,
        };
        Ok(crate::support::run_at(request, &checkpoint, StopReason::Budget))
    })
}

/// Breaks off before anything was found.
pub fn broken() -> Solver<TimetablingViews> {
    Arc::new(|_: &SolveRequest<TimetablingViews>, _: &Control, _: &mut dyn FnMut(&_)| panic!("the device was lost"))
}

pub fn services(solve: Solver<TimetablingViews>) -> Services {
    let exists = Arc::new(|source: &str| source == "chain.stu");
    Services { dialogs: false, exists, ..Services::default() }.replace::<TimetablingViews>(|own| {
        let usual = Arc::clone(&own.open);
        own.open = Arc::new(move |source, options| match source {
            "chain.stu" => Ok(chain(6)),
            other => usual(other, options),
        });
        own.solve = solve;
    })
}

pub fn open_sized(services: Services, home: &Path, source: Option<&str>, size: [f32; 2], pixels: f32) -> Window {
    let app = crate::support::app(services, Store::at(home), source.map(str::to_owned));
    let mut harness = person::sized(app, size, pixels);
    if source.is_some() {
        person::wait_for_document(&mut harness);
    }
    harness.run();
    harness
}

pub fn open(services: Services, home: &Path, source: Option<&str>) -> Window {
    open_sized(services, home, source, [1440.0, 900.0], 1.0)
}

/// Types into what has the focus.
pub fn type_text(harness: &mut Window, text: &str) {
    harness.event(egui::Event::Text(text.to_owned()));
    harness.run_steps(2);
}

/// Solves with this seed.
pub fn solve(harness: &mut Window, seed: f64) {
    harness.get_by_role_and_label(egui::Role::SpinButton, "Seed").set_value_accesskit(seed);
    harness.run_steps(2);
    let before = runs(harness);
    press(harness, "Solve");
    wait(harness, "the run", |harness| runs(harness) > before);
    harness.run();
}

pub fn runs(harness: &Harness<'_, App>) -> usize {
    harness.state().session().map_or(0, |document| document.runs.len())
}

/// Presses what has this name and returns what that puts on the clipboard.
pub fn copy(harness: &mut Window, label: &str) -> String {
    harness.get_by_label(label).click();
    for _ in 0..5 {
        harness.step();
        for command in &harness.output().platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                return text.clone();
            }
        }
    }
    panic!("{label} copies nothing");
}

/// Asserts that nothing asks for another frame.
pub fn assert_idle(harness: &mut Window, state: &str) {
    // Threads that look for devices and files, and the end of a run, ask for one frame each when they are done.
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut idle = 0;
    while idle < 8 {
        harness.step();
        idle += 1;
        if harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay < Duration::MAX {
            assert!(Instant::now() < deadline, "{state}: another frame is asked for");
            idle = 0;
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
