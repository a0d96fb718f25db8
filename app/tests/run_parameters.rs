//! The parameters of runs: in the list, in its tooltips, and between two runs.

use egui_kittest::kittest::Queryable;
use gridwright_core::search::{Algorithms, Budget, Stop};
use gridwright_timetabling::run::Algorithm;
use gridwright_timetabling_views::Document;

use crate::support::Documents as _;
use crate::support::person::{Window, at_home, file, key, keys, names, press, settle, shows, wait};

/// Runs a few generations of evolution with these parameters.
fn evolve(window: &mut Window, parameters: &[(&str, &str)]) {
    let document: &mut Document = window.state_mut().document_mut().unwrap();
    let mut algorithm = Algorithm::named("evolution").unwrap();
    for (name, value) in parameters {
        algorithm.set(name, value).unwrap();
    }
    (document.settings.algorithm, document.settings.stop) = (algorithm, Stop::after(Budget::Steps(5)));
    let runs = document.runs.len();
    window.run_steps(2);
    press(window, "Solve");
    wait(window, "the end", |window| {
        let session = window.state().session().unwrap();
        !session.is_solving() && session.runs.len() == runs + 1
    });
    settle(window);
}

#[test]
fn every_run_shows_its_parameters_and_two_runs_what_differs() {
    let mut window = at_home(|home| file(home.path(), "sample:school"));
    evolve(&mut window, &[]);
    assert_eq!(names(&window, "Run 1: Evolution, seed 1").len(), 1, "a usual run needs no words");
    evolve(&mut window, &[("tournament", "64"), ("crossover", "0.9")]);
    assert_eq!(names(&window, "Run 2: Evolution with crossover 0.9, tournament 64, seed 1").len(), 1);
    assert_eq!(
        names(&window, "Run 1: Evolution with tournament automatic, seed 1").len(),
        1,
        "now it tells them apart"
    );
    let session = window.state().session().unwrap();
    let all = |number: usize| session.parameter_words(session.run(number).unwrap()).all;
    assert_eq!(all(2).lines().count(), Algorithm::named("evolution").unwrap().list().len(), "{}", all(2));
    assert!(
        all(2).contains("Tournament: 64 (usually automatic)") && all(2).contains("Population: 256\n"),
        "{}",
        all(2)
    );
    let difference = "Run 1 and run 2 differ in crossover (0.5 and 0.9), tournament (automatic and 64).";
    assert_eq!(session.parameter_difference([1, 2]).as_deref(), Some(difference));
    assert!(session.parameter_difference([1, 7]).is_none());
    // The tooltip of a run holds all of them.
    let row = window.get_by_label_contains("Run 2: Evolution with").rect();
    window.hover_at(row.left_center() + egui::vec2(60.0, 0.0));
    window.run_steps(8);
    std::thread::sleep(std::time::Duration::from_millis(600));
    wait(&mut window, "the tooltip", |window| shows(window, "Tournament: 64 (usually automatic)"));
    // Whoever compares two runs reads it above the comparison.
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::P);
    window.event(egui::Event::Text("compare run with run".to_owned()));
    window.run_steps(3);
    key(&mut window, egui::Key::Enter);
    window.run_steps(3);
    assert!(shows(&window, " differ in crossover ("));
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::Num1);
    assert!(!shows(&window, " differ in crossover ("), "above the comparison only");
}

#[test]
fn values_that_a_search_measures_tell_nothing() {
    let mut window = at_home(|home| file(home.path(), "sample:school"));
    for seconds in [0.2, 0.3] {
        let document: &mut Document = window.state_mut().document_mut().unwrap();
        document.settings.algorithm = Algorithm::named("annealing").unwrap();
        document.settings.stop = Stop::after(Budget::Seconds(seconds));
        let runs = document.runs.len();
        window.run_steps(2);
        press(&mut window, "Solve");
        wait(&mut window, "the end", |window| {
            let session = window.state().session().unwrap();
            !session.is_solving() && session.runs.len() == runs + 1
        });
    }
    settle(&mut window);
    assert!(
        names(&window, "Run 1: Annealing").iter().all(|name| !name.contains("temperature")),
        "{:?}",
        names(&window, "Run ")
    );
}
