//! Every view of every problem in windows of all sizes and with large text: nothing overlaps and nothing is lost.

use std::path::Path;
use std::time::{Duration, Instant};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::search::Algorithms as _;
use gridwright_facility as facility;
use gridwright_facility_views::FacilityViews;
use gridwright_flowshop_views::FlowShopViews;
use gridwright_flowshop_views::widgets::gantt::Selection;
use gridwright_systolic_views::SystolicViews;
use gridwright_systolic_views::methods::*;
use gridwright_systolic_views::widgets::grid_playback::Cell;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling_views::TimetablingViews;
use gridwright_window::services::Services;
use gridwright_window::window::App;

use crate::pictures::window_of;
use crate::support::overlap::{overlaps, unreachable};
use crate::support::person::{self, Window, at_home, keys, press, settle};
use crate::support::picture::Pictures;
use crate::support::{self, Documents as _};

/// A window in points on the screen and its size of text in percent.
#[derive(Clone, Copy)]
struct Size {
    window: [f32; 2],
    text: f32,
}

impl Size {
    /// The window's size in the points in which its parts are laid out.
    fn points(self) -> egui::Vec2 {
        egui::Vec2::from(self.window) * 100.0 / self.text
    }
}

const SMALLEST: Size = Size { window: [1024.0, 640.0], text: 100.0 };
const SMALLEST_LARGE: Size = Size { window: [1024.0, 640.0], text: 150.0 };
const USUAL_LARGE: Size = Size { window: [1440.0, 900.0], text: 150.0 };
const USUAL_LARGEST: Size = Size { window: [1440.0, 900.0], text: 200.0 };
const SCREEN: Size = Size { window: [1920.0, 1080.0], text: 100.0 };
const ALL: [Size; 5] = [SCREEN, SMALLEST, USUAL_LARGE, USUAL_LARGEST, SMALLEST_LARGE];

/// Keys of the views, in their order.
const KEYS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

/// A document of each problem with a run.
#[derive(Clone, Copy)]
pub struct Case {
    /// Name in pictures.
    pub name: &'static str,
    /// Makes the window.
    pub app: fn(&Path) -> App,
    /// Selects an item.
    select: fn(&mut App),
}

pub const CASES: [Case; 4] = [
    Case {
        name: "timetabling",
        app: |home| {
            let instance = open("sample:school", &LoadOptions::default()).unwrap();
            let timetable = support::constructed(&instance);
            support::planned(instance, timetable, home)
        },
        select: |app| app.document_mut::<TimetablingViews>().unwrap().selected = Some(3),
    },
    Case {
        name: "flowshop",
        app: |home| support::scheduled("sample:workshop", "tardiness".parse().unwrap(), home),
        select: |app| {
            let job = Selection { job: 3, machine: None };
            app.document_mut::<FlowShopViews>().unwrap().selected = Some(job);
        },
    },
    Case {
        name: "facility",
        app: |home| {
            let memetic = facility::run::Algorithm::named("memetic").unwrap();
            support::laid_out("sample:layout-workshop", memetic, &[1, 2], home)
        },
        select: |app| app.document_mut::<FacilityViews>().unwrap().selected = Some(3),
    },
    Case {
        name: "systolic",
        app: |home| support::recorded_run("knapsack:100-1000", "sgs-b", home),
        select: |app| {
            app.document_mut::<SystolicViews>().unwrap().selected = Some(Cell { row: 2, column: 20 });
        },
    },
];

/// Steps until what threads compute for the views is there.
pub fn ready(harness: &mut Harness<'_, App>) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while harness.state().binary().is_some_and(|document| !document.is_recorded()) {
        assert!(Instant::now() < deadline, "the run is not recorded");
        harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    settle(harness);
}

/// Opens the view at this place by its key.
pub fn show(harness: &mut Window, index: usize) {
    match KEYS.get(index) {
        Some(key) => harness.key_press_modifiers(Modifiers::COMMAND, *key),
        // The last view has no key where there are many.
        None => {
            let name = harness.state().view().unwrap().tabs()[index].name;
            harness.get_by_role_and_label(egui::Role::Tab, name).click();
        }
    }
    harness.run_steps(4);
    settle(harness);
}

/// The parts of the window that this one folds, by the words of their switch.
fn folded(harness: &Window) -> Vec<&'static str> {
    let is_button = |words: &&str| {
        let mut nodes = harness.query_all_by_label(words);
        nodes.any(|node| node.accesskit_node().role() == egui::Role::Button)
    };
    ["Settings", "Inspector", "Runs", "Library"].into_iter().filter(is_button).collect()
}

#[test]
fn the_plan_has_half_of_a_small_window() {
    for case in CASES {
        let mut harness = at_home(|home| person::window((case.app)(home.path())));
        ready(&mut harness);
        for size in [[1180.0, 700.0], [1280.0, 800.0], [1440.0, 900.0]] {
            harness.set_size(size.into());
            settle(&mut harness);
            let plan = harness.state().middle().size();
            let half = egui::Vec2::from(size) / 2.0;
            assert!(plan.x >= half.x && plan.y >= half.y, "{} at {size:?}: {plan:?}", case.name);
        }
    }
}

#[test]
fn texts_never_overlap_and_every_control_can_be_reached() {
    let mut faults = Vec::new();
    for case in CASES {
        let mut harness = at_home(|home| person::window((case.app)(home.path())));
        ready(&mut harness);
        for size in ALL {
            harness.set_size(size.points());
            let mut look = |harness: &mut Window, place: &str| {
                settle(harness);
                let place = format!("{}, {place}, {:?} at {} %", case.name, size.window, size.text);
                let mut found = overlaps(harness);
                found.extend(unreachable(harness));
                faults.extend(found.into_iter().map(|fault| format!("{place}: {fault}")));
            };
            let views = harness.state().view().unwrap().tabs();
            for view in &views {
                show(&mut harness, view.index);
                look(&mut harness, view.name);
            }
            show(&mut harness, 0);
            (case.select)(harness.state_mut());
            look(&mut harness, "selected");
            for part in folded(&harness) {
                press(&mut harness, part);
                look(&mut harness, part);
            }
            harness.key_press(Key::Escape);
            harness.run_steps(4);
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// The recorded tabu search, its archive and what is in them at all sizes, with pictures at the smallest two.
#[test]
fn the_steps_of_tabu_search_fit_into_every_window() {
    let mut shots = Pictures::default();
    let mut faults = Vec::new();
    for (size, name) in [(SMALLEST, "small"), (USUAL_LARGE, "large-text"), (USUAL_LARGEST, ""), (SMALLEST_LARGE, "")] {
        let mut harness = window_of(CASES[1].app, size.points().into(), name == "large-text");
        ready(&mut harness);
        show(&mut harness, 5);
        for (mode, unit, step) in [("Tabu search", "step", 12.0), ("Archive", "candidate", 60.0)] {
            harness.get_by_role_and_label(egui::Role::Button, mode).click();
            let slider = format!("Position in the run, {unit}");
            person::wait(&mut harness, "the recorded search", |harness| harness.query_by_label(&slider).is_some());
            harness.get_by_label(&slider).set_value_accesskit(step);
            harness.run_steps(4);
            settle(&mut harness);
            let mut found = overlaps(&harness);
            found.extend(unreachable(&mut harness));
            let place = format!("{mode}, {:?} at {} %", size.window, size.text);
            faults.extend(found.into_iter().map(|fault| format!("{place}: {fault}")));
            if !name.is_empty() {
                let middle = harness.state().middle();
                shots.take(
                    &mut harness,
                    middle,
                    &format!("size-{name}-flowshop-steps-{}", unit.replace("step", "tabu")),
                );
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// The four grids of the flavours beside each other, and their captions.
#[test]
fn four_recorded_flavours_fit_into_every_window() {
    let mut shots = Pictures::default();
    let mut faults = Vec::new();
    let mut harness = window_of(CASES[3].app, SMALLEST.points().into(), false);
    ready(&mut harness);
    show(&mut harness, 4);
    press(&mut harness, "Run all four");
    let flavours = |harness: &Harness<'_, App>| harness.state().binary().unwrap().flavours.is_complete();
    person::wait(&mut harness, "all four", flavours);
    for size in ALL {
        harness.set_size(size.points());
        harness.run_steps(8);
        settle(&mut harness);
        let mut found = overlaps(&harness);
        found.extend(unreachable(&mut harness));
        let place = format!("{:?} at {} %", size.window, size.text);
        faults.extend(found.into_iter().map(|fault| format!("{place}: {fault}")));
        if size.text > SMALLEST_LARGE.text {
            let middle = harness.state().middle();
            shots.take(&mut harness, middle, "size-large-text-systolic-flavours-recorded");
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_start_page_and_dialogs_fit_into_every_window() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = person::window((CASES[0].app)(home.path()));
    harness.state_mut().close();
    let mut faults = Vec::new();
    let mut look = |harness: &mut Window, what: &str, size: Size| {
        harness.run_steps(8);
        settle(harness);
        let mut found = overlaps(harness);
        found.extend(unreachable(harness));
        let place = format!("{what}, {:?} at {} %", size.window, size.text);
        faults.extend(found.into_iter().map(|fault| format!("{place}: {fault}")));
    };
    let dialogs = [
        ("preferences", Modifiers::COMMAND, Key::Comma),
        ("shortcuts", Modifiers::NONE, Key::F1),
        ("palette", Modifiers::COMMAND, Key::P),
        ("export", Modifiers::COMMAND, Key::E),
        ("project", Modifiers::COMMAND, Key::S),
    ];
    for size in ALL {
        harness.set_size(size.points());
        for (name, modifiers, key) in dialogs {
            keys(&mut harness, modifiers, key);
            look(&mut harness, name, size);
            keys(&mut harness, Modifiers::NONE, Key::Escape);
        }
        press(&mut harness, "Calendar…");
        look(&mut harness, "calendar", size);
        keys(&mut harness, Modifiers::NONE, Key::Escape);
    }
    let mut start = person::open(Services { dialogs: false, ..Services::default() }, home.path(), None);
    press(&mut start, "A tour in two minutes");
    for size in ALL {
        start.set_size(size.points());
        look(&mut start, "start page", size);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_view_is_drawn_as_intended_at_three_sizes() {
    let mut shots = Pictures::default();
    for (size, dark, name) in [(SMALLEST, false, "small"), (USUAL_LARGE, true, "large-text"), (SCREEN, false, "screen")]
    {
        for case in CASES {
            let mut harness = window_of(case.app, size.points().into(), dark);
            ready(&mut harness);
            for view in harness.state().view().unwrap().tabs() {
                show(&mut harness, view.index);
                let word = view.name.to_lowercase().replace(' ', "-");
                let middle = harness.state().middle();
                shots.take(&mut harness, middle, &format!("size-{name}-{}-{word}", case.name));
            }
        }
    }
}
