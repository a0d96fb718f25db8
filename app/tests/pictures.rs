//! Every view as a picture, compared with the stored one; `UPDATE_PICTURES=1` stores what is drawn now.
//!
//! A new picture is one more call of [`look`]; a window in another state goes through [`window`] and [`Pictures::take`].

use std::path::Path;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::search::Algorithms;
use gridwright_core::store::{State, Store, ThemeChoice};
use gridwright_facility::run::Algorithm;
use gridwright_flowshop::multiobjective::Goal;
use gridwright_systolic_views::methods::*;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::{Instance, Timetable};
use gridwright_timetabling_views::state::View;
use gridwright_window::document::ViewKind;
use gridwright_window::window::App;
use strum::VariantArray;

use crate::support;
use crate::support::Documents as _;
use crate::support::person::{self, wait};
use crate::support::picture::{Pictures, painted};

const SMALL: [f32; 2] = [1100.0, 680.0];
/// Where the view lies in a window of this size, between library, bottom and inspector.
const VIEW: egui::Rect = egui::Rect { min: egui::pos2(240.0, 160.0), max: egui::pos2(780.0, 532.0) };
/// The same with the inspector.
const INSPECTED: egui::Rect = egui::Rect { min: VIEW.min, max: egui::pos2(1092.0, 532.0) };

/// The usual window, and what lies in it between library, top and bottom, with the inspector.
const USUAL: [f32; 2] = [1440.0, 900.0];
pub const SHOP: egui::Rect = egui::Rect { min: VIEW.min, max: egui::pos2(1424.0, 676.0) };

/// A window of this size and theme in which a timetable is shown.
fn window(exams: (Instance, Timetable), size: [f32; 2], dark: bool) -> Harness<'static, App> {
    window_of(|home| support::planned(exams.0, exams.1, home), size, dark)
}

/// A window of this size and theme over a home of its own, when something is open in it.
pub fn window_of(app: impl FnOnce(&Path) -> App, size: [f32; 2], dark: bool) -> Harness<'static, App> {
    let home = tempfile::tempdir().unwrap();
    let theme = if dark { ThemeChoice::Dark } else { ThemeChoice::Light };
    Store::at(home.path()).save_state(&State { theme, ..State::default() }).unwrap();
    let mut harness = painted_window(app(home.path()), size, dark);
    let deadline = Instant::now() + Duration::from_secs(60);
    while !harness.state().is_open() {
        assert!(Instant::now() < deadline, "the instance is not open after a minute");
        harness.step();
        std::thread::sleep(Duration::from_millis(10));
    }
    harness
}

/// A window of this size and theme that can be painted, in its first frame.
pub fn painted_window(app: App, size: [f32; 2], dark: bool) -> Harness<'static, App> {
    let builder = Harness::builder().with_size(size).with_max_steps(40).with_theme(if dark {
        egui::Theme::Dark
    } else {
        egui::Theme::Light
    });
    painted(builder).build_ui_state(
        |ui, app: &mut App| {
            app.logic(ui.ctx());
            app.ui(ui);
        },
        app,
    )
}

/// The school that ships, with dates and seats, and a timetable of it.
fn school() -> (Instance, Timetable) {
    let instance = open("sample:school", &LoadOptions::default()).unwrap();
    let timetable = support::constructed(&instance);
    (instance, timetable)
}

/// The faculty that ships, in which some exams stand where they must not, or nowhere.
fn troubled() -> (Instance, Timetable) {
    let instance = open("sample:faculty", &LoadOptions::default()).unwrap();
    let mut timetable = support::constructed(&instance);
    for exam in [3, 40, 77] {
        let other = instance.conflicts.of(exam).next().map_or(0, |(other, _)| other);
        timetable.periods[exam] = timetable.periods[other];
    }
    timetable.periods[10] = u16::MAX;
    (instance, timetable)
}

fn key_of(view: View) -> egui::Key {
    use egui::Key::{Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8};
    let keys = [Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8];
    let mut views = View::VARIANTS.iter().filter(|view| !matches!(view, View::Rooms | View::Duties));
    keys[views.position(|other| *other == view).unwrap()]
}

/// Shows views one after the other, in one theme.
fn look(views: &[View], exams: (Instance, Timetable), name: &str, dark: bool, select: Option<&str>) {
    let mut harness = window(exams, SMALL, dark);
    harness.run();
    if let Some(code) = select {
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::F);
        harness.run_steps(2);
        harness.get_by_label("Find exam or student").type_text(code);
        harness.run_steps(2);
        harness.key_press(egui::Key::Enter);
        harness.run_steps(2);
        harness.get_by_label("Find exam or student").set_text_value_accesskit("");
        harness.run_steps(2);
        harness.key_press(egui::Key::Escape);
        harness.run_steps(2);
    }
    let part = if select.is_some() { INSPECTED } else { VIEW };
    let mut shots = Pictures::default();
    for view in views {
        harness.key_press_modifiers(egui::Modifiers::COMMAND, key_of(*view));
        harness.run_steps(4);
        let theme = if dark { "dark" } else { "light" };
        shots.take(&mut harness, part, &format!("{}-{name}-{theme}", view.name().to_lowercase()));
    }
}

/// All views of one timetable without rooms; the comparison needs two.
fn single() -> Vec<View> {
    View::VARIANTS
        .iter()
        .copied()
        .filter(|view| !matches!(view, View::Rooms | View::Duties | View::Compare | View::Evolution))
        .collect()
}

#[test]
fn every_view_in_light() {
    look(&single(), school(), "school", false, None);
}

#[test]
fn every_view_in_dark() {
    look(&single(), school(), "school", true, None);
}

#[test]
fn clashes_are_unmistakable() {
    let views = [View::Grid, View::Periods, View::Conflicts];
    let exams = troubled();
    let code = exams.0.exams[3].code.clone();
    look(&views, exams, "clashes", false, Some(&code));
}

#[test]
fn what_is_in_force_and_what_the_filter_leaves() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        let mut harness = window(school(), SMALL, dark);
        harness.run();
        harness.get_by_label_contains("In the last 3 periods: ").click();
        harness.run_steps(4);
        for (view, name) in [(View::Periods, "periods"), (View::Conflicts, "conflicts")] {
            harness.key_press_modifiers(egui::Modifiers::COMMAND, key_of(view));
            harness.run_steps(4);
            shots.take(&mut harness, VIEW, &format!("{name}-filtered-{theme}"));
        }
        harness.get_by_label("Show all exams").click();
        harness.run_steps(2);
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::F);
        harness.run_steps(2);
        let code = harness.state().session().unwrap().instance.exams[3].code.clone();
        harness.get_by_label("Find exam or student").type_text(&code);
        harness.run_steps(2);
        harness.key_press(egui::Key::Enter);
        harness.run_steps(4);
        let offers = harness.query_all_by_label_contains(" (").filter_map(|node| node.accesskit_node().label());
        let is_change =
            |label: &String| label.ends_with(')') && ["(+", "(−", "(no change"].iter().any(|sign| label.contains(sign));
        let offer = offers.into_iter().find(is_change).unwrap();
        harness.get_by_label(&offer).click();
        harness.run_steps(4);
        harness.key_press_modifiers(egui::Modifiers::COMMAND, key_of(View::Compare));
        harness.run_steps(4);
        shots.take(&mut harness, VIEW, &format!("compare-edited-{theme}"));
        harness.get_by_label_contains("Pin to ").click();
        harness.run_steps(4);
        let line = harness.get_by_label("The next run: 1 exam pinned").rect();
        let part = egui::Rect::from_x_y_ranges(0.0..=SMALL[0], line.top() - 12.0..=line.bottom() + 44.0);
        shots.take(&mut harness, part, &format!("in-force-{theme}"));
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::E);
        harness.run_steps(4);
        person::press(&mut harness, "PDF report");
        harness.run_steps(4);
        let middle = egui::Rect::from_center_size(egui::pos2(550.0, 340.0), egui::vec2(800.0, 640.0));
        // The folder is another one on every machine.
        harness.get_by_label("Path of the export").set_text_value_accesskit("plan.report.pdf");
        shots.take(&mut harness, middle, &format!("export-{theme}"));
    }
}

/// What students step through, in the middle of each lesson.
fn lessons(harness: &mut Harness<'_, App>, shots: &mut Pictures, theme: &str) {
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Num6);
    harness.run_steps(4);
    let mut shot = |harness: &mut Harness<'_, App>, step: f64, name: &str| {
        harness.get_by_label("Position in the run, step").set_value_accesskit(step);
        harness.run_steps(4);
        shots.take(harness, SHOP, &format!("shop-steps-{name}-{theme}"));
    };
    shot(harness, 17.0, "recurrence");
    harness.get_by_label("Whole diagonals").click();
    harness.run_steps(4);
    shot(harness, 6.0, "diagonals");
    harness.get_by_label("NEH").click();
    harness.run_steps(4);
    shot(harness, 27.0, "neh");
    harness.get_by_label("One insertion").click();
    harness.run_steps(4);
    shot(harness, 18.0, "insertion");
    for (mode, unit, step) in [("Tabu search", "step", 7.0), ("Archive", "candidate", 40.0)] {
        harness.get_by_role_and_label(egui::Role::Button, mode).click();
        let slider = format!("Position in the run, {unit}");
        wait(harness, "the recorded search", |harness| harness.query_by_label(&slider).is_some());
        harness.get_by_label(&slider).set_value_accesskit(step);
        harness.run_steps(4);
        shots.take(harness, SHOP, &format!("shop-steps-{}-{theme}", unit.replace("step", "tabu")));
    }
}

/// Every view of a flow shop: a small one with an edit, and one of Taillard's with a front.
#[test]
fn flow_shops() {
    let mut shots = Pictures::default();
    let goal = |text: &str| text.parse::<Goal>().unwrap();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        let show = |harness: &mut Harness<'_, App>, key: egui::Key| {
            harness.key_press_modifiers(egui::Modifiers::COMMAND, key);
            harness.run_steps(4);
        };
        let open = |source: &'static str, objective: Goal, size: [f32; 2]| {
            window_of(|home| support::scheduled(source, objective, home), size, dark)
        };
        let mut harness = open("sample:workshop", goal("tardiness"), USUAL);
        harness.run();
        shots.take(&mut harness, SHOP, &format!("shop-gantt-{theme}"));
        show(&mut harness, egui::Key::Num3);
        shots.take(&mut harness, SHOP, &format!("shop-jobs-{theme}"));
        show(&mut harness, egui::Key::Num4);
        shots.take(&mut harness, SHOP, &format!("shop-lateness-{theme}"));
        show(&mut harness, egui::Key::Num5);
        shots.take(&mut harness, SHOP, &format!("shop-efficiency-{theme}"));
        lessons(&mut harness, &mut shots, theme);
        show(&mut harness, egui::Key::Num1);
        let label = |harness: &Harness<'_, App>| {
            let nodes = harness.query_all_by_label_contains("Position 2: ");
            nodes.filter_map(|node| node.accesskit_node().label()).next().unwrap()
        };
        let name = label(&harness);
        harness.get_by_label(&name).click();
        harness.run_steps(4);
        harness.key_press_modifiers(egui::Modifiers::ALT, egui::Key::ArrowRight);
        harness.run_steps(4);
        shots.take(&mut harness, SHOP, &format!("shop-edited-{theme}"));
        let mut harness = open("taillard:ta031", goal("makespan,flowtime,tardiness"), USUAL);
        harness.run();
        show(&mut harness, egui::Key::Num2);
        shots.take(&mut harness, SHOP, &format!("shop-front-{theme}"));
        show(&mut harness, egui::Key::Num4);
        shots.take(&mut harness, SHOP, &format!("shop-lateness-50-{theme}"));
        show(&mut harness, egui::Key::Num6);
        shots.take(&mut harness, SHOP, &format!("shop-steps-large-{theme}"));
        let mut harness = open("sample:workshop", goal("tardiness"), SMALL);
        harness.run();
        shots.take(&mut harness, VIEW, &format!("shop-small-{theme}"));
        for (key, name) in [(egui::Key::Num4, "lateness"), (egui::Key::Num5, "efficiency"), (egui::Key::Num6, "steps")]
        {
            show(&mut harness, key);
            shots.take(&mut harness, VIEW, &format!("shop-small-{name}-{theme}"));
        }
    }
}

/// Every view of a layout problem: a small one that is proven optimal and then edited, and one of thirty departments with two
/// runs.
#[test]
fn layouts() {
    let mut shots = Pictures::default();
    let algorithm = |name: &str| Algorithm::named(name).unwrap();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        let show = |harness: &mut Harness<'_, App>, key: egui::Key| {
            harness.key_press_modifiers(egui::Modifiers::COMMAND, key);
            harness.run_steps(4);
        };
        let open = |source: &'static str, name: &'static str, seeds: &'static [u64], size: [f32; 2]| {
            window_of(|home| support::laid_out(source, algorithm(name), seeds, home), size, dark)
        };
        let proven = |home: &Path| support::laid_out(&support::small_plant(home), algorithm("enumeration"), &[1], home);
        let mut harness = window_of(proven, USUAL, dark);
        harness.run();
        shots.take(&mut harness, SHOP, &format!("layout-proven-{theme}"));
        let mut harness = open("sample:layout-workshop", "memetic", &[1], USUAL);
        harness.run();
        shots.take(&mut harness, SHOP, &format!("layout-plan-{theme}"));
        show(&mut harness, egui::Key::Num3);
        shots.take(&mut harness, SHOP, &format!("layout-flows-{theme}"));
        show(&mut harness, egui::Key::Num4);
        shots.take(&mut harness, SHOP, &format!("layout-pairs-{theme}"));
        show(&mut harness, egui::Key::Num5);
        shots.take(&mut harness, SHOP, &format!("layout-bays-{theme}"));
        show(&mut harness, egui::Key::Num6);
        shots.take(&mut harness, SHOP, &format!("layout-distances-{theme}"));
        show(&mut harness, egui::Key::Num1);
        let label = |harness: &Harness<'_, App>, begins: &str| {
            let nodes = harness.query_all_by_label_contains(begins);
            let labels = nodes.filter_map(|node| node.accesskit_node().label());
            labels.into_iter().find(|label| label.contains(", area")).unwrap()
        };
        let name = harness.state().layouts().unwrap().instance.departments[3].name.clone();
        let name = label(&harness, &name);
        harness.get_by_label(&name).click();
        harness.run_steps(4);
        harness.get_by_label("Lock to bay").click();
        harness.run_steps(4);
        harness.key_press_modifiers(egui::Modifiers::ALT, egui::Key::ArrowRight);
        harness.run_steps(4);
        shots.take(&mut harness, SHOP, &format!("layout-edited-{theme}"));
        let mut harness = open("sample:layout-plant", "memetic", &[1, 2], USUAL);
        harness.run();
        shots.take(&mut harness, SHOP, &format!("layout-plant-{theme}"));
        show(&mut harness, egui::Key::Num2);
        shots.take(&mut harness, SHOP, &format!("layout-alternatives-{theme}"));
        show(&mut harness, egui::Key::Num3);
        shots.take(&mut harness, SHOP, &format!("layout-plant-flows-{theme}"));
        let mut harness = open("sample:layout-plant", "genetic", &[1], SMALL);
        harness.run();
        shots.take(&mut harness, VIEW, &format!("layout-small-{theme}"));
    }
}

/// Steps until something holds of what is shown.
fn until(harness: &mut Harness<'_, App>, what: &str, holds: impl Fn(&App) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !holds(harness.state()) {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    harness.run_steps(4);
}

/// The evolution of a run: the population, its curves, and a child in slow motion.
#[test]
fn evolution_of_timetables() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        for (name, size, part) in [("evolution", USUAL, SHOP), ("evolution-small", SMALL, VIEW)] {
            let mut harness = window_of(|home| support::evolved("sample:school", 60, home), size, dark);
            harness.run_steps(4);
            harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Num9);
            harness.run_steps(2);
            until(&mut harness, "the recording", |app| {
                let recording = app.session().and_then(|document| document.evolution.recording());
                recording.is_some_and(|recording| recording.facts().is_some())
            });
            harness.get_by_label("Position in the run, generation").set_value_accesskit(6.0);
            let settle = |harness: &mut Harness<'_, App>| {
                harness.run_steps(3);
                std::thread::sleep(Duration::from_millis(100));
                harness.run_steps(4);
            };
            settle(&mut harness);
            shots.take(&mut harness, part, &format!("{name}-population-{theme}"));
            harness.get_by_label("Curves").click();
            settle(&mut harness);
            shots.take(&mut harness, part, &format!("{name}-curves-{theme}"));
            harness.get_by_label("One child").click();
            settle(&mut harness);
            for step in ["first", "second", "crossover", "mutation", "descent", "child"] {
                if matches!(step, "second" | "crossover" | "descent") || (step == "child" && size == USUAL) {
                    shots.take(&mut harness, part, &format!("{name}-{step}-{theme}"));
                }
                if step != "child" {
                    harness.get_by_label("One step on").click();
                    settle(&mut harness);
                }
            }
        }
    }
}

/// Every view of binary problems: a knapsack of the paper, and a next release.
#[test]
fn binary_problems() {
    use egui::Key::{Num1, Num2, Num3, Num4, Num5, Num6, Num7};
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        let show = |harness: &mut Harness<'_, App>, key: egui::Key| {
            harness.key_press_modifiers(egui::Modifiers::COMMAND, key);
            harness.run_steps(4);
        };
        let recorded = |harness: &Harness<'_, App>| harness.query_by_label("To the beginning").is_some();
        let wait = |harness: &mut Harness<'_, App>| {
            let deadline = Instant::now() + Duration::from_secs(120);
            while !recorded(harness) {
                assert!(Instant::now() < deadline);
                harness.step();
                std::thread::sleep(Duration::from_millis(5));
            }
            until(harness, "all figures", |app| app.binary().is_some_and(|document| document.is_recorded()));
        };
        let mut harness = window_of(|home| support::recorded_run("knapsack:100-1000", "sgs-b", home), USUAL, dark);
        wait(&mut harness);
        harness.get_by_label("Position in the run, iteration").set_value_accesskit(60.0);
        harness.run_steps(4);
        shots.take(&mut harness, SHOP, &format!("systolic-grid-{theme}"));
        let cell = gridwright_systolic_views::widgets::grid_playback::Cell { row: 2, column: 20 };
        harness.state_mut().document_mut::<gridwright_systolic_views::SystolicViews>().unwrap().selected = Some(cell);
        harness.run_steps(4);
        harness.get_by_label("Change").click();
        harness.run_steps(4);
        shots.take(&mut harness, SHOP, &format!("systolic-cell-{theme}"));
        show(&mut harness, Num2);
        harness.get_by_label("V").click();
        harness.run_steps(4);
        harness.get_by_label("Vertical solution").click();
        harness.run_steps(4);
        shots.take(&mut harness, SHOP, &format!("systolic-operators-{theme}"));
        harness.state_mut().document_mut::<gridwright_systolic_views::SystolicViews>().unwrap().selected = None;
        show(&mut harness, Num3);
        shots.take(&mut harness, SHOP, &format!("systolic-diversity-{theme}"));
        show(&mut harness, Num4);
        shots.take(&mut harness, SHOP, &format!("systolic-bits-{theme}"));
        show(&mut harness, Num5);
        shots.take(&mut harness, SHOP, &format!("systolic-flavours-nothing-{theme}"));
        harness.get_by_label("Run all four").click();
        harness.run_steps(2);
        until(&mut harness, "all four", |app| app.binary().is_some_and(|document| document.flavours.is_complete()));
        harness.get_by_label("Position in the run, iteration").set_value_accesskit(180.0);
        harness.run_steps(4);
        shots.take(&mut harness, SHOP, &format!("systolic-flavours-{theme}"));
        show(&mut harness, Num6);
        harness.get_by_role_and_label(egui::Role::SpinButton, "Number of runs").set_value_accesskit(20.0);
        harness.run_steps(2);
        harness.get_by_label("Run the batch").click();
        harness.run_steps(2);
        until(&mut harness, "the batch", |app| {
            app.binary().is_some_and(|document| !document.batching.is_going() && document.batching.lanes().len() == 4)
        });
        shots.take(&mut harness, SHOP, &format!("systolic-batch-{theme}"));
        show(&mut harness, Num7);
        shots.take(&mut harness, VIEW, &format!("systolic-releases-nothing-{theme}"));

        let mut harness = window_of(|home| support::recorded_run("sample:release", "sgs-b", home), USUAL, dark);
        wait(&mut harness);
        show(&mut harness, Num7);
        harness.get_by_label("Search with all eleven weights").click();
        harness.run_steps(2);
        until(&mut harness, "the weights", |app| {
            app.binary().is_some_and(|document| document.releasing.found().len() == 11)
        });
        until(&mut harness, "the end", |app| app.binary().is_some_and(|document| !document.releasing.is_going()));
        shots.take(&mut harness, SHOP, &format!("systolic-releases-{theme}"));
        let mut harness = window_of(|home| support::recorded_run("mmdp:300", "sgs-v", home), SMALL, dark);
        wait(&mut harness);
        harness.get_by_label("Position in the run, iteration").set_value_accesskit(900.0);
        show(&mut harness, Num1);
        shots.take(&mut harness, VIEW, &format!("systolic-small-{theme}"));
    }
}
