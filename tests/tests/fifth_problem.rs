//! The fifth problem through the real command line and the real window, and the recipe that walks through it.

#[path = "../fifth_problem/mod.rs"]
mod fifth_problem;
#[path = "../../app/tests/support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui_kittest::kittest::Queryable;
use gridwright_core::store::Store;
use gridwright_tests::{gridwright_with_fifth_problem, output_of, workspace};
use gridwright_window::services::Services;
use gridwright_window::window::App;
use serde_json::Value;

use fifth_problem::UI;
use support::person::{enter, file, press, press_like, settle, shows, wait};
use support::picture::{Pictures, painted};

/// Three jobs. The sequence A C B ends at 2, 3 and 6 and costs 1·(2−1) + 3·0 + 1·(6−4) = 3; C A B ends at 1, 3 and 6 and costs
/// 3·0 + 1·(3−1) + 1·(6−4) = 4. No sequence costs less than 3.
const THREE: &str = "job,time,weight,due\nA,2,1,1\nB,3,1,4\nC,1,3,3\n";

/// Adds the problem to the registry of this process.
fn register() {
    let problems: Vec<_> = gridwright::PROBLEMS.into_iter().chain([&UI]).collect();
    gridwright_window::registry::register(&problems);
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Runs the program with the fifth problem; returns exit code, standard output and standard error.
fn program<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> (Option<i32>, String, String) {
    let output = output_of(gridwright_with_fifth_problem().args(arguments));
    let [text, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), text, errors)
}

/// The answer of a command that ends well.
fn answer(arguments: &[&str]) -> String {
    let (code, text, errors) = program(arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {text}{errors}");
    text
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(arguments)).unwrap()
}

#[test]
fn the_command_line_solves_verifies_exports_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let [table, csv, svg] = ["three.csv", "plan.csv", "plan.svg"].map(|name| folder.path().join(name));
    let [table, csv, svg] = [&table, &csv, &svg].map(|path| path.to_str().unwrap());
    written(folder.path(), "three.csv", THREE);
    let info = json(&["info", table, "--json"]);
    assert_eq!((&info["problem"], &info["jobs"], &info["total_time"]), (&"tardiness".into(), &3.into(), &6.into()));
    let result = folder.path().join("run.ron");
    let result = result.to_str().unwrap();
    let solved = json(&["solve", table, "--generations", "2000", "--out", result, "--json"]);
    assert_eq!((&solved["cost"], &solved["checked"]), (&3.into(), &true.into()), "{solved}");
    let verdict = json(&["verify", table, result, "--json"]);
    assert_eq!((&verdict["feasible"], &verdict["cost"]), (&true.into(), &3.into()));
    answer(&["replay", result]);
    answer(&["export", table, result, "--to", csv, "--to", svg]);
    let lines = "job,start,end,due,tardiness,cost\nA,0,2,1,1,1\nC,2,3,3,0,0\nB,3,6,4,2,2\n";
    assert_eq!(std::fs::read_to_string(csv).unwrap(), lines);
    assert!(std::fs::read_to_string(svg).unwrap().contains("A: 0 to 2, due 1, 1 late × weight 1 = 1"));
}

#[test]
fn runs_do_not_depend_on_the_number_of_threads() {
    let digest = |threads: &str| {
        let run =
            ["solve", "sample:forty-jobs", "--generations", "3000", "--seed", "7", "--json", "--threads", threads];
        json(&run)["digest"].clone()
    };
    let first = digest("1");
    assert!(first.is_string());
    assert_eq!([digest("2"), digest("8")], [first.clone(), first]);
}

#[test]
fn bad_lines_are_named_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "bad.csv", "job,time,weight,due\nA,two,1,1\nB,1,1,1\nB,1,-3,1\n");
    let (code, _, errors) = program(&["info", path.to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("bad.csv:2: the time of job «A»: «two» is not a whole number"), "{errors}");
    assert!(errors.contains("bad.csv:4: job «B» stands in line 3 already"), "{errors}");
}

#[test]
fn the_window_opens_solves_pauses_and_exports() {
    register();
    let home = tempfile::tempdir().unwrap();
    let table = written(home.path(), "three.csv", THREE);
    let mut window = file(home.path(), table.to_str().unwrap());
    assert!(shows(&window, "No sequence yet") && shows(&window, "3 jobs, total time 6"));
    window.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(600.0);
    window.run_steps(2);
    press(&mut window, "Solve");
    wait(&mut window, "the first sequence", |window| shows(window, "Solving"));
    press(&mut window, "Pause");
    wait(&mut window, "the pause", |window| shows(window, "Paused"));
    press(&mut window, "Resume");
    wait(&mut window, "the run to go on", |window| shows(window, "Solving"));
    press(&mut window, "Stop");
    wait(&mut window, "the end", |window| window.state().view().is_some_and(|view| view.ongoing().is_none()));
    settle(&mut window);
    assert!(shows(&window, "B: 3 to 6, due 4, 2 late × weight 1 = 2"), "the optimum is shown");
    let export = home.path().join("plan.csv");
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::E);
    window.run_steps(3);
    enter(&mut window, "Path of the export", export.to_str().unwrap());
    press(&mut window, "Write file");
    wait(&mut window, "the export", |_| export.exists());
    assert_eq!(std::fs::read_to_string(&export).unwrap().lines().count(), 4);
}

#[test]
fn the_view_shows_late_jobs() {
    register();
    let home = tempfile::tempdir().unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let app = App::new(services, Store::at(home.path()), Some("sample:forty-jobs".to_owned()));
    let builder = painted(egui_kittest::Harness::builder().with_size([1200.0, 800.0]).with_max_steps(60));
    let mut window = builder.build_ui_state(
        |ui, app: &mut App| {
            app.logic(ui.ctx());
            app.ui(ui);
        },
        app,
    );
    wait(&mut window, "the sample", |window| window.state().is_open());
    press(&mut window, "Kind of limit");
    press(&mut window, "Stop after steps");
    press(&mut window, "Solve");
    let has_ended = |app: &App| app.view().is_some_and(|view| view.ongoing().is_none() && view.has_picture());
    wait(&mut window, "the end", |window| has_ended(window.state()));
    settle(&mut window);
    press_like(&mut window, "J1: ");
    let part = window.get_by_label("forty-jobs: sequence of the jobs").rect();
    Pictures::default().take(&mut window, part, "sequence-forty-jobs");
}

/// Every `name` in the recipe is a path of the repository or a name in its sources.
#[test]
fn the_recipe_names_what_there_is() {
    let recipe = std::fs::read_to_string(workspace().join("docs/adding-a-problem.md")).unwrap();
    let words = recipe.split_whitespace().count();
    assert!(words <= 700, "{words} words");
    let mut sources = String::new();
    for folder in ["app", "solver", "tests/fifth_problem"] {
        read_all(&workspace().join(folder), &mut sources);
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let known: BTreeSet<&str> = sources.split(|letter| !is_part(letter)).collect();
    // Blocks of commands are not names.
    let prose = recipe.split("```").step_by(2);
    for name in prose.flat_map(|part| part.split('`').skip(1).step_by(2)) {
        let is_path = name.contains('/') || [".rs", ".md", ".toml"].iter().any(|ending| name.ends_with(ending));
        let exists = match is_path {
            true => ["", "tests/fifth_problem"].iter().any(|folder| workspace().join(folder).join(name).exists()),
            false => name.split(|letter| !is_part(letter)).all(|part| known.contains(part)),
        };
        assert!(exists, "the recipe names `{name}`");
    }
}

fn read_all(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_all(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}
