//! Changed rules of an algorithm: run again, and both runs stand beside each other.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_systolic_views::methods::*;
use gridwright_systolic_views::{Document as Binary, SystolicViews};
use gridwright_window::window::App;

use crate::pictures::SHOP;
use crate::support;
use crate::support::Documents as _;
use crate::support::person::{Window, at_home, document, keys, names, press, settle, shows, wait, window};
use crate::support::picture::show_in_guide;

/// Shows view and inspector of a window in which all charts have room on the pages of `docs/`.
fn picture(window: &mut Window, name: &str) {
    const HIGHER: f32 = 160.0;
    window.set_size(egui::vec2(1440.0, 900.0 + HIGHER));
    settle(window);
    show_in_guide(window, Some(SHOP.with_max_y(SHOP.bottom() + HIGHER)), name);
}

/// Presses «Run again» and waits for the end of the run and for the charts of both.
fn run_again(window: &mut Window) {
    let runs = window.state().session_of_any();
    press(window, "Run again");
    wait(window, "the run", |window| window.state().session_of_any() == runs + 1);
    wait(window, "both runs", |window| shows(window, "Run 2 ends with") && shows(window, "Run 1 ends with"));
    settle(window);
}

trait Runs {
    /// Number of runs of what is open.
    fn session_of_any(&self) -> usize;
}

impl Runs for App {
    fn session_of_any(&self) -> usize {
        self.session().map(|open| open.runs.len()).or(self.binary().map(|open| open.runs.len())).unwrap_or(0)
    }
}

/// Values of the charts at the last step, told when a person goes there.
fn last_step(window: &mut Window, charts: &str) -> String {
    let name = names(window, charts).into_iter().next().unwrap_or_else(|| panic!("there is no {charts}"));
    window.get_by_label(&name).focus();
    window.run_steps(2);
    keys(window, egui::Modifiers::NONE, egui::Key::End);
    window.get_by_label(&name).accesskit_node().value().unwrap_or_default()
}

#[test]
fn a_changed_probability_of_an_evolution_stands_beside_the_previous_run() {
    let mut window = at_home(|home| window(support::evolved("sample:school", 30, home.path())));
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::Num9);
    wait(&mut window, "the recording", |window| shows(window, "To the beginning"));
    press(&mut window, "Change the rules");
    settle(&mut window);
    assert!(shows(&window, "Run 1 ends with a cost of") && shows(&window, "Change a rule and run again"));
    assert!(!document(&window).evolution.rules.is_changed());
    // A changed value moves no control.
    let place = |window: &Window| window.get_by_label("Run again").rect();
    let before = place(&window);
    window.get_by_role_and_label(egui::Role::SpinButton, "Tournament").set_value_accesskit(3.0);
    window.run_steps(3);
    assert!(shows(&window, "Tournament, was automatic"));
    assert_eq!(place(&window), before);
    press(&mut window, "Put back");
    window.get_by_role_and_label(egui::Role::SpinButton, "Crossover").set_value_accesskit(0.9);
    window.run_steps(3);
    assert!(shows(&window, "Crossover, was 0.5") && document(&window).evolution.rules.is_changed());
    press(&mut window, "Put back");
    assert!(!document(&window).evolution.rules.is_changed());
    window.get_by_role_and_label(egui::Role::SpinButton, "Crossover").set_value_accesskit(0.9);
    window.run_steps(3);
    run_again(&mut window);
    assert!(shows(&window, "Run 2 and run 1 differ in crossover (0.9 and 0.5). "), "{:?}", names(&window, ""));
    picture(&mut window, "evolution-rules");
    let results: Vec<_> = document(&window).runs.results();
    assert_eq!((results[0].seed, results[0].generations), (results[1].seed, results[1].generations));
    let measured = results.iter().map(|result| document(&window).evolution.rules.measured(result));
    let measured: Vec<_> = measured.map(|measured| measured.expect("both runs have curves")).collect();
    assert!(measured.iter().flat_map(|it| it.iter().flatten()).all(|line| line.len() == 31));
    assert_ne!(measured[0][0], measured[1][0], "another rule, other costs");
    let told = last_step(&mut window, "Cost of close exams");
    for line in ["Run 2, mean", "Run 1, mean", "Run 2, diversity", "Run 1, diversity"] {
        assert!(told.contains(line), "{line} is missing: {told}");
    }
}

fn binary<'a>(window: &'a Harness<'_, App>) -> &'a Binary {
    window.state().binary().expect("a binary problem is open")
}

#[test]
fn changed_rules_of_a_grid_stand_beside_the_previous_run() {
    let mut window = at_home(|home| window(support::recorded_run("knapsack:100-1000", "sgs-t", home.path())));
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::Num9);
    wait(&mut window, "the curves", |window| {
        let open = binary(window);
        open.ruling.measured(&open.runs.run(1).unwrap().result).is_some()
    });
    settle(&mut window);
    window.get_by_role_and_label(egui::Role::SpinButton, "Rows").set_value_accesskit(3.0);
    window.run_steps(3);
    press(&mut window, "First solutions");
    press(&mut window, "Zeros");
    assert!(shows(&window, "Rows, was as published") && shows(&window, "First solutions, was random"));
    run_again(&mut window);
    wait(&mut window, "the curves of both", |window| {
        let open = binary(window);
        open.runs.results().iter().all(|result| open.ruling.measured(result).is_some())
    });
    settle(&mut window);
    let told = "Run 2 and run 1 differ in rows (3 and as published), first solutions (Zeros and Random). ";
    assert!(shows(&window, told), "{:?}", names(&window, "Run 2"));
    picture(&mut window, "systolic-rules");
    let open = binary(&window);
    assert_eq!(open.grid().rows, 3, "all views have the grid of the run");
    let results = open.runs.results();
    let [before, now] = [0, 1].map(|run| open.ruling.measured(&results[run]).expect("both runs have curves"));
    assert_eq!(now[1][0][0], 0.0, "zeros everywhere do not differ");
    assert!(before[1][0][0] > 40.0, "random solutions differ in half of their bits");
    assert_eq!([now[0][1].len(), before[0][1].len()], [701; 2]);
    let told = last_step(&mut window, "Profit missing");
    for line in ["Run 2, best", "Run 1, best", "Run 2, distance", "Run 1, distance"] {
        assert!(told.contains(line), "{line} is missing: {told}");
    }
    // The cells of the changed grid are played, and the ones it lacks are no longer selected.
    let open: &mut Binary = window.state_mut().document_mut::<SystolicViews>().unwrap();
    open.selected = Some(gridwright_systolic_views::widgets::grid_playback::Cell { row: 6, column: 2 });
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::Num1);
    wait(&mut window, "the grid", |window| shows(window, "Grid of 3 rows and 100 columns"));
    assert!(binary(&window).selected_cell().is_none());
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::Num2);
    assert!(shows(&window, "Crossover and mutation points of 3 rows and 100 columns"));
}

#[test]
fn random_search_has_no_rules() {
    let mut window = at_home(|home| window(support::recorded_run("onemax:40", "random", home.path())));
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::Num9);
    settle(&mut window);
    assert!(shows(&window, "Random search has no rules to be changed"));
}
