//! One migration between islands in the window: the run is recorded, migrations are picked in the strips and by the player.

use std::path::Path;

use egui::{Key, Modifiers, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_core::numbers::figure;
use gridwright_core::search::{Algorithms, Control};
use gridwright_facility::formats::{LoadOptions, open};
use gridwright_facility::journal::DEFAULT_BYTES;
use gridwright_facility::run::{Algorithm, record_migrations};
use gridwright_facility_views::migration::Mode;
use gridwright_window::window::App;

use crate::pictures::window_of;
use crate::support;
use crate::support::Documents as _;
use crate::support::overlap::{overlaps, unreachable};
use crate::support::person::{Window, at_home, keys, press, settle, shows, wait, window};
use crate::support::picture::Pictures;

/// The published algorithm with few layouts on its islands.
fn few() -> Algorithm {
    let mut algorithm = Algorithm::named("genetic").unwrap();
    for (name, value) in
        [("islands", "6"), ("individuals", "16"), ("interval", "10"), ("mutation", "0.2"), ("rate", "2")]
    {
        algorithm.set(name, value).unwrap();
    }
    algorithm
}

/// Opens the view with the islands of the only run.
fn look(window: &mut Harness<'_, App>) {
    keys(window, Modifiers::COMMAND, Key::Num7);
    settle(window);
}

fn at(window: &Window) -> u64 {
    window.state().layouts().unwrap().islands.at()
}

#[test]
fn a_migration_is_picked_in_the_strips_and_by_the_player() {
    let mut window = at_home(|home| window(support::laid_out("sample:layout-workshop", few(), &[1], home.path())));
    // High enough for populations and floor plans.
    window.set_size(egui::vec2(1440.0, 1000.0));
    look(&mut window);
    assert!(shows(&window, "Islands are not recorded yet"));
    press(&mut window, "Record the islands");
    wait(&mut window, "the islands", |window| shows(window, "Islands: the best cost of 6 islands"));
    let open = window.state().layouts().unwrap();
    let result = open.runs.results().remove(0);
    let instance = open_instance();
    let journal = record_migrations(&instance, &result, DEFAULT_BYTES, 1, &Control::new(), &mut |_| {}).unwrap();
    // The last mark stands at the end of the strips.
    let name = support::person::names(&window, "Island 3, vertical bays: best ").remove(0);
    let strip: Rect = window.get_by_label(&name).rect();
    window.hover_at(strip.right_center() - egui::vec2(1.0, 0.0));
    window.run_steps(2);
    window.drag_at(strip.right_center() - egui::vec2(1.0, 0.0));
    window.drop_at(strip.right_center() - egui::vec2(1.0, 0.0));
    settle(&mut window);
    assert_eq!(window.state().layouts().unwrap().islands.mode, Mode::Migration);
    let migrations = journal.migrations();
    let picked = migrations[at(&window) as usize - 1];
    assert_eq!((picked.generation, picked.from), (migrations.last().unwrap().generation, 2));
    assert!(shows(
        &window,
        &format!("Island 3 copies its 2 best layouts over the 2 worst of island {}.", picked.to + 1)
    ));
    for (button, index) in [("To the beginning", 0), ("One step on", 1), ("One step on", 2), ("One step back", 1)] {
        press(&mut window, button);
        settle(&mut window);
        let detail = journal.migration(index).unwrap();
        let [from, to] = [&detail.source, &detail.target].map(|change| change.island + 1);
        let told = format!("Generation {}: island {to} ", detail.migration.generation);
        assert!(at(&window) == index as u64 + 1 && shows(&window, &told), "{told}");
        let cost = figure(detail.source.populations[0][0].score.cost, 2);
        let copied = format!("Island {from} before, rank 1 of 16: cost {cost}");
        assert!(shows(&window, &copied) && shows(&window, "copied to the other island"), "{copied}");
        let cost = figure(detail.target.populations[0][15].score.cost, 2);
        let replaced = format!("Island {to} before, rank 16 of 16: cost {cost}");
        assert!(shows(&window, &replaced) && shows(&window, "replaced by a migrant"), "{replaced}");
        assert!(shows(&window, &format!("Best layout of island {from}, cost ")));
    }
    press(&mut window, "All islands");
    assert!(shows(&window, "Islands: the best cost of 6 islands"));
}

fn open_instance() -> gridwright_facility::Instance {
    open("sample:layout-workshop", &LoadOptions::default()).unwrap()
}

#[test]
fn runs_without_islands_and_without_migrations_say_what_to_do() {
    let proof = || Algorithm::named("enumeration").unwrap();
    let plant = |home: &Path| support::laid_out(&support::small_plant(home), proof(), &[1], home);
    let mut proven = at_home(|home| window(plant(home.path())));
    look(&mut proven);
    assert!(shows(&proven, "was not made by an algorithm with islands") && !shows(&proven, "One migration"));
    let mut alone = few();
    alone.set("rate", "0").unwrap();
    let mut window = at_home(|home| window(support::laid_out("sample:layout-workshop", alone, &[1], home.path())));
    look(&mut window);
    press(&mut window, "One migration");
    wait(&mut window, "the recording", |window| shows(window, "No migrations"));
    assert!(shows(&window, "its migration rate is 0"));
}

/// Sizes of windows in points: the smallest, a large one, and the smallest with text of 150 %.
const SIZES: [([f32; 2], &str); 3] =
    [([1024.0, 640.0], "small"), ([1440.0, 900.0], "usual"), ([682.7, 426.7], "large-text")];

/// Opens the first migration of a run.
fn first_migration(window: &mut Harness<'_, App>) {
    settle(window);
    look(window);
    press(window, "One migration");
    wait(window, "the recording", |window| shows(window, "To the beginning"));
    press(window, "One step on");
    settle(window);
}

#[test]
fn nothing_overlaps_and_everything_can_be_reached() {
    let mut window = at_home(|home| window(support::laid_out("sample:layout-workshop", few(), &[1], home.path())));
    first_migration(&mut window);
    let mut faults = Vec::new();
    for (size, name) in SIZES {
        window.set_size(size.into());
        window.run_steps(4);
        settle(&mut window);
        let found = overlaps(&window).into_iter().chain(unreachable(&mut window));
        faults.extend(found.map(|fault| format!("{name}: {fault}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_migration_as_a_picture() {
    let mut shots = Pictures::default();
    let mut many = Algorithm::named("genetic").unwrap();
    many.set("islands", "8").unwrap();
    for (size, name) in SIZES {
        for dark in [false, true] {
            let algorithm = if name == "usual" { many.clone() } else { few() };
            let open = |home: &Path| support::laid_out("sample:layout-workshop", algorithm, &[1], home);
            let mut window = window_of(open, size, dark);
            first_migration(&mut window);
            let theme = if dark { "dark" } else { "light" };
            let middle = window.state().middle();
            shots.take(&mut window, middle, &format!("migration-{name}-{theme}"));
        }
    }
}
