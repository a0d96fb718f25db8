//! Campaigns in the window: opened, checked, run, paused, stopped, gone on with, reported.

use std::path::{Path, PathBuf};

use egui::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_campaign::folder::read_rows;
use gridwright_campaign::row::Row;
use gridwright_core::files::try_lock;
use gridwright_core::store::Store;
use gridwright_terminal::arguments::campaign::{Campaign, CampaignRun};
use gridwright_terminal::command;
use gridwright_window::services::Services;
use gridwright_window::window::App;

use crate::pictures::painted_window;
use crate::support::Documents as _;
use crate::support::overlap::{overlaps, unreachable};
use crate::support::person::{Window, at_home, drop_file, enter, key, keys, open, press, settle, shows, sized, wait};
use crate::support::picture::Pictures;

/// Services without dialogs of the system.
fn services() -> Services {
    Services { dialogs: false, ..Services::default() }
}

/// Text of a plan with two algorithms and two seeds.
fn plan_text(instance: &str, steps: u64) -> String {
    format!(
        "(\n    format: 1,\n    name: \"toys\",\n    parts: [(\n        instances: [\"{instance}\"],\n        algorithms: \
         [(name: \"sgs-b\"), (name: \"random\")],\n        seeds: \"1..=2\",\n        limit: Steps({steps}),\n    )],\n)\n"
    )
}

/// Writes a plan into a folder; its path.
fn plan(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("toys.ron");
    std::fs::write(&path, text).unwrap();
    path
}

/// Shows the campaigns and opens a plan in them.
fn show(window: &mut Window, plan: PathBuf) {
    press(window, "Run");
    press(window, "Campaign…");
    assert!(shows(window, "Compare algorithms by many runs"));
    drop_file(window, plan);
    wait(window, "the plan to be open", |window| shows(window, "Text of the plan") || shows(window, "Runs: "));
}

/// Returns `true` if something to press has this name and can be pressed.
fn is_enabled(window: &Harness<'_, App>, name: &str) -> bool {
    let mut nodes = window.query_all_by_label(name).filter(|node| node.accesskit_node().role() == Role::Button);
    nodes.next().is_some_and(|node| !node.accesskit_node().is_disabled())
}

/// Puts another text into the editor.
fn write(window: &mut Window, text: &str) {
    window.get_by_role_and_label(Role::MultilineTextInput, "Text of the plan").set_text_value_accesskit(text);
    window.run_steps(2);
}

/// Opens a tab of the campaign.
fn tab(window: &mut Window, name: &str) {
    let mut nodes = window.get_all_by_label_contains(name).filter(|node| node.accesskit_node().role() == Role::Tab);
    nodes.next().unwrap().click();
    drop(nodes);
    window.run_steps(3);
}

/// Rows by key, without what differs from one performance to the next.
fn comparable(folder: &Path) -> Vec<Row> {
    let mut rows = read_rows(folder).unwrap();
    for row in &mut rows {
        (row.seconds, row.seconds_to_best, row.started) = (0.0, 0.0, String::new());
    }
    rows.sort_by(|a, b| a.key.cmp(&b.key));
    rows
}

#[test]
fn a_campaign_is_started_paused_stopped_and_gone_on_with() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    let path = plan(home.path(), &plan_text("mmdp:600", 1_500));
    show(&mut window, path.clone());
    wait(&mut window, "the check", |window| shows(window, "4 runs") && is_enabled(window, "Start"));
    // Nothing is known of the time before the first run.
    wait(&mut window, "the expected time", |window| shows(window, "time unknown until runs have ended"));
    press(&mut window, "Start");
    wait(&mut window, "a finished run", |window| shows(window, " of 4 runs"));
    press(&mut window, "Pause");
    wait(&mut window, "the pause", |window| is_enabled(window, "Resume"));
    settle(&mut window);
    let rows = read_rows(&home.path().join("toys")).unwrap().len();
    assert!((1..4).contains(&rows), "{rows} rows");
    std::thread::sleep(std::time::Duration::from_millis(300));
    window.run_steps(3);
    assert_eq!(read_rows(&home.path().join("toys")).unwrap().len(), rows, "nothing ends during a pause");
    press(&mut window, "Resume");
    press(&mut window, "Stop");
    wait(&mut window, "the end", |window| is_enabled(window, "Go on"));
    assert!(window.state().notices().iter().any(|notice| notice.heading == "The campaign toys was stopped"));

    press(&mut window, "Go on");
    wait(&mut window, "all runs", |window| shows(window, "4 of 4 runs") && is_enabled(window, "Write report…"));
    wait(&mut window, "the end", |window| {
        window.state().notices().iter().any(|notice| notice.heading.ends_with("is done"))
    });
    let described = window.get_by_label_contains("Runs: 0 waiting, 0 running, 4 done");
    assert_eq!(described.accesskit_node().role(), Role::Grid);

    let other = home.path().join("by-command");
    let arguments = CampaignRun {
        plan: path,
        out: Some(other.clone()),
        shard: None,
        jobs: 1,
        instance: Vec::new(),
        algorithm: Vec::new(),
        backend: None,
        threads: None,
        seeds: None,
        retry: false,
        quiet: true,
    };
    command::campaign::run(&Campaign::Run(arguments)).unwrap();
    assert_eq!(comparable(&home.path().join("toys")), comparable(&other), "the command line writes the same rows");
    assert_eq!(comparable(&other).len(), 4);

    press(&mut window, "Write report…");
    press(&mut window, "Markdown");
    press(&mut window, "Write");
    wait(&mut window, "the report", |window| {
        window.state().notices().iter().any(|notice| notice.heading == "The report was written")
    });
    for name in ["report.html", "report.pdf", "tables.tex", "tables/1-summary.csv", "report.md"] {
        assert!(home.path().join("toys").join(name).is_file(), "{name}");
    }
    tab(&mut window, "Tables");
    wait(&mut window, "the table", |window| shows(window, "Instance mmdp:600, Algorithm random, Runs 2"));
    tab(&mut window, "Plots");
    wait(&mut window, "the plots", |window| shows(window, "Share of targets") || shows(window, "Convergence"));
}

#[test]
fn a_fault_is_told_with_its_place_and_nothing_starts_before_it_is_put_right() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    let good = plan_text("mmdp:60", 5);
    let wrong = good.replace("\"random\"", "\"radnom\"");
    let column = wrong.lines().nth(5).unwrap().find("\"radnom\"").unwrap() + 1;
    let place = format!("Line 6, column {column}: ");
    show(&mut window, plan(home.path(), &wrong));
    wait(&mut window, "the fault", |window| shows(window, &place));
    assert!(shows(&window, "there is no algorithm “radnom”"));
    assert!(!is_enabled(&window, "Start"));
    press(&mut window, &format!("The plan has a fault in line 6, column {column}"));
    assert!(
        window.get_by_role_and_label(Role::MultilineTextInput, "Text of the plan").is_focused(),
        "leads to the place"
    );

    write(&mut window, &good);
    wait(&mut window, "the check", |window| shows(window, "4 runs") && is_enabled(window, "Start"));
    assert!(!shows(&window, "Line 6"));
    press(&mut window, "Start");
    wait(&mut window, "all runs", |window| shows(window, "4 of 4 runs"));
    let saved = std::fs::read_to_string(home.path().join("toys.ron")).unwrap();
    assert_eq!(saved, good, "starting saves the plan");
}

#[test]
fn a_file_that_is_no_plan_says_so() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    show(&mut window, plan(home.path(), "GIF89a"));
    wait(&mut window, "the fault", |window| shows(window, "Line 1, column 1: this is no plan of a campaign"));
    let picture = home.path().join("picture.ron");
    std::fs::write(&picture, [0x89, b'P', b'N', b'G', 0, 0xFF, 0xFE]).unwrap();
    drop_file(&mut window, picture);
    wait(&mut window, "a message", |window| shows(window, "The campaign could not be opened"));
    assert!(shows(&window, "Text of the plan"), "what was open stays");
}

#[test]
fn a_plan_opens_as_a_campaign_wherever_a_file_may_be_opened() {
    let home = tempfile::tempdir().unwrap();
    let path = plan(home.path(), &plan_text("mmdp:60", 5));
    let app = crate::support::app(services(), Store::at(home.path()), Some(path.display().to_string()));
    let mut named = sized(app, [1280.0, 800.0], 1.0);
    wait(&mut named, "the plan that the command line names", |window| shows(window, "Text of the plan"));
    let mut window = open(services(), home.path(), None);
    drop_file(&mut window, path);
    wait(&mut window, "the plan that was dropped", |window| shows(window, "Text of the plan"));
}

#[test]
fn a_folder_that_another_program_uses_is_told_with_a_remedy() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    show(&mut window, plan(home.path(), &plan_text("mmdp:60", 5)));
    wait(&mut window, "the check", |window| is_enabled(window, "Start"));
    let lock = try_lock(&home.path().join("toys/.lock"), true).unwrap().unwrap();
    press(&mut window, "Start");
    wait(&mut window, "a message", |window| {
        shows(window, "another program runs a campaign in this folder; wait for its end")
    });
    drop(lock);
    wait(&mut window, "the button", |window| is_enabled(window, "Start"));
    press(&mut window, "Start");
    wait(&mut window, "all runs", |window| shows(window, "4 of 4 runs"));
}

#[test]
fn failed_runs_are_listed_with_their_reason_and_repeated() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    let items = home.path().join("items.csv");
    let text = include_str!("../../datasets/systolic/backpack.csv");
    std::fs::write(&items, text).unwrap();
    show(&mut window, plan(home.path(), &plan_text("items.csv", 5)));
    wait(&mut window, "the check", |window| is_enabled(window, "Start"));
    std::fs::remove_file(&items).unwrap();
    press(&mut window, "Start");
    wait(&mut window, "the failures", |window| shows(window, "Failed (4)") && shows(window, "4 of 4 runs, 4 failed"));
    tab(&mut window, "Failed");
    assert!(shows(&window, "4 runs: ") && shows(&window, "items.csv"), "the reason names the file");
    std::fs::write(&items, text).unwrap();
    wait(&mut window, "the button", |window| is_enabled(window, "Repeat failed runs"));
    press(&mut window, "Repeat failed runs");
    wait(&mut window, "all runs", |window| shows(window, "Runs: 0 waiting, 0 running, 4 done"));
    tab(&mut window, "Failed");
    assert!(shows(&window, "No run has failed"));
}

#[test]
fn the_form_writes_a_plan_that_runs_and_the_folder_opens_again() {
    let mut window = at_home(|home| open(services(), home.path(), Some("mmdp:60")));
    let home = tempfile::tempdir().unwrap();
    press(&mut window, "Run");
    press(&mut window, "Campaign…");
    press(&mut window, "New campaign…");
    let path = home.path().join("mine.ron");
    enter(&mut window, "Path of the plan", &path.display().to_string());
    enter(&mut window, "Target cost", "low");
    assert!(!is_enabled(&window, "Write the plan"), "“low” is no cost");
    enter(&mut window, "Target cost", "");
    press(&mut window, "Write the plan");
    wait(&mut window, "the check", |window| shows(window, "10 runs") && is_enabled(window, "Start"));
    assert!(!path.exists(), "nothing is written before it is asked for");
    press(&mut window, "Save plan");
    wait(&mut window, "the plan", |window| {
        path.is_file() && !shows(window, "Save plan") && is_enabled(window, "Start")
    });
    press(&mut window, "Start");
    wait(&mut window, "all runs", |window| shows(window, "10 of 10 runs"));
    press(&mut window, "All campaigns");
    press(&mut window, "Close campaigns");
    assert!(window.state().is_open(), "the document is there again");
    let folder = home.path().join("mine");
    drop_file(&mut window, folder);
    wait(&mut window, "the campaign", |window| shows(window, "Runs: 0 waiting, 0 running, 10 done"));
}

#[test]
fn the_form_opens_a_plan_and_says_which_ones_it_cannot_hold() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    show(&mut window, plan(home.path(), &plan_text("mmdp:60", 5)));
    wait(&mut window, "the check", |window| is_enabled(window, "Edit in the form"));
    press(&mut window, "Edit in the form");
    assert!(shows(&window, "Change the campaign"));
    let steps = window.get_by_role_and_label(Role::SpinButton, "Steps of a run");
    assert_eq!(steps.accesskit_node().numeric_value(), Some(5.0));
    let seeds = window.get_by_role_and_label(Role::SpinButton, "Seeds");
    assert_eq!(seeds.accesskit_node().numeric_value(), Some(2.0));
    seeds.set_value_accesskit(3.0);
    window.run_steps(2);
    press(&mut window, "Write the plan");
    wait(&mut window, "the check", |window| shows(window, "6 runs") && is_enabled(window, "Start"));
    assert!(std::fs::read_to_string(home.path().join("toys.ron")).unwrap().contains("1..=2"), "it is not saved yet");
    press(&mut window, "Save plan");
    wait(&mut window, "the plan", |window| !shows(window, "Save plan"));
    let saved = std::fs::read_to_string(home.path().join("toys.ron")).unwrap();
    assert!(saved.contains("name: \"toys\"") && saved.contains("seeds: \"1..=3\""), "{saved}");
    let remarked = saved.replacen("    parts", "    // quick ones\n    parts", 1);
    write(&mut window, &remarked);
    let why = "The form cannot hold this plan: it has comments";
    wait(&mut window, "the sentence", |window| shows(window, why) && is_enabled(window, "Start"));
    assert!(!is_enabled(&window, "Edit in the form"));
}

#[test]
fn a_run_that_goes_on_tells_its_best_cost_so_far() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    show(&mut window, plan(home.path(), &plan_text("mmdp:600", 200_000)));
    wait(&mut window, "the check", |window| is_enabled(window, "Start"));
    press(&mut window, "Start");
    wait(&mut window, "a cost", |window| shows(window, "running, best cost so far "));
    press(&mut window, "Stop");
    wait(&mut window, "the end", |window| is_enabled(window, "Start"));
    assert!(!shows(&window, "best cost so far"), "a run that was ended has none");
}

#[test]
fn solving_beside_a_campaign_that_measures_time_asks_first() {
    let mut window = at_home(|home| open(services(), home.path(), Some("mmdp:60")));
    let home = tempfile::tempdir().unwrap();
    let text = plan_text("mmdp:600", 5).replace("Steps(5)", "Seconds(100.0)");
    show(&mut window, plan(home.path(), &text));
    wait(&mut window, "the check", |window| is_enabled(window, "Start"));
    press(&mut window, "Start");
    wait(&mut window, "the campaign", |window| shows(window, "1 running"));
    press(&mut window, "Close campaigns");
    press(&mut window, "Solve");
    assert!(shows(&window, "The campaign toys goes on, and its runs have a time limit"));
    press(&mut window, "Cancel");
    let runs = |window: &Window| window.state().binary().unwrap().runs.len();
    let is_solving = |window: &Window| window.state().binary().unwrap().is_solving();
    assert!(!is_solving(&window) && runs(&window) == 0);
    press(&mut window, "Solve");
    press(&mut window, "Pause the campaign");
    wait(&mut window, "the run", |window| window.state().binary().unwrap().runs.len() == 1);
    press(&mut window, "Run");
    press(&mut window, "Campaign…");
    wait(&mut window, "the campaign", |window| is_enabled(window, "Resume"));
    press(&mut window, "Resume");
    press(&mut window, "Close campaigns");
    press(&mut window, "Solve");
    press(&mut window, "Solve anyway");
    wait(&mut window, "the run", |window| window.state().binary().unwrap().runs.len() == 2);
    assert!(!shows(&window, "A campaign measures time"));
}

#[test]
fn the_folder_of_a_campaign_is_chosen_in_a_folder_dialog() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    let (folder, text) = (home.path().join("first"), plan_text("mmdp:60", 5));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("plan.ron"), &text).unwrap();
    std::fs::write(home.path().join("notes.txt"), "no folder").unwrap();
    press(&mut window, "Run");
    press(&mut window, "Campaign…");
    press(&mut window, "Open a folder…");
    wait(&mut window, "the dialog", |window| shows(window, "Open the folder of a campaign"));
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::L);
    enter(&mut window, "Path of the file or folder", &home.path().display().to_string());
    key(&mut window, egui::Key::Enter);
    wait(&mut window, "the folders", |window| shows(window, "first, folder"));
    assert!(!shows(&window, "notes.txt"), "files cannot be chosen");
    press(&mut window, "first, folder");
    press(&mut window, "Choose folder first");
    wait(&mut window, "the campaign", |window| shows(window, "Text of the plan") && shows(window, "4 runs"));
}

#[test]
fn a_plan_with_changes_is_not_lost_without_a_question() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    let first = plan(home.path(), &plan_text("mmdp:60", 5));
    let second = home.path().join("second.ron");
    std::fs::write(&second, plan_text("mmdp:60", 6).replace("toys", "second")).unwrap();
    show(&mut window, first.clone());
    write(&mut window, &plan_text("mmdp:60", 7));
    drop_file(&mut window, second.clone());
    wait(&mut window, "the question", |window| shows(window, "The plan is not saved"));
    press(&mut window, "Stay");
    assert!(!shows(&window, "The plan is not saved"));
    drop_file(&mut window, second);
    wait(&mut window, "the question", |window| shows(window, "The plan is not saved"));
    press(&mut window, "Save");
    wait(&mut window, "the second plan", |window| shows(window, "second") && shows(window, "4 runs"));
    assert!(std::fs::read_to_string(first).unwrap().contains("Steps(7)"));
}

#[test]
fn closing_the_window_ends_the_campaign_and_keeps_its_rows() {
    let mut window = at_home(|home| open(services(), home.path(), None));
    let home = tempfile::tempdir().unwrap();
    show(&mut window, plan(home.path(), &plan_text("mmdp:600", 1_500)));
    wait(&mut window, "the check", |window| is_enabled(window, "Start"));
    press(&mut window, "Start");
    wait(&mut window, "a finished run", |window| shows(window, " of 4 runs"));
    window.state_mut().close();
    let folder = home.path().join("toys");
    assert!(try_lock(&folder.join(".lock"), true).unwrap().is_some(), "the folder is free again");
    assert!((1..4).contains(&read_rows(&folder).unwrap().len()));
}

/// Sizes of windows in points: the smallest, a large one, and the smallest with text of 150 %.
const SIZES: [[f32; 2]; 3] = [[1024.0, 640.0], [1920.0, 1080.0], [682.7, 426.7]];

#[test]
fn nothing_overlaps_and_everything_can_be_reached() {
    let home = tempfile::tempdir().unwrap();
    let mut window = open(services(), home.path(), None);
    let mut faults = Vec::new();
    let mut look = |window: &mut Window, place: &str| {
        for size in SIZES {
            window.set_size(size.into());
            window.run_steps(4);
            settle(window);
            let found = overlaps(window).into_iter().chain(unreachable(window));
            faults.extend(found.map(|fault| format!("{place} at {size:?}: {fault}")));
        }
    };
    press(&mut window, "Run");
    press(&mut window, "Campaign…");
    look(&mut window, "home");
    press(&mut window, "New campaign…");
    look(&mut window, "form");
    press(&mut window, "Cancel");
    drop_file(&mut window, plan(home.path(), &plan_text("mmdp:60", 5)));
    wait(&mut window, "the check", |window| is_enabled(window, "Start"));
    look(&mut window, "plan");
    press(&mut window, "Start");
    wait(&mut window, "all runs", |window| shows(window, "4 of 4 runs"));
    for name in ["Runs", "Tables", "Plots", "Failed"] {
        tab(&mut window, name);
        look(&mut window, name);
    }
    press(&mut window, "Write report…");
    look(&mut window, "report");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_grid_of_a_campaign() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let text = plan_text("mmdp:60", 5)
            .replace("\"1..=2\"", "\"1..=6\"")
            .replace("\"mmdp:60\"", "\"mmdp:60\", \"onemax:100\"");
        let path = plan(home.path(), &text);
        let size = [1024.0, 400.0];
        let mut window = painted_window(crate::support::app(services(), Store::at(home.path()), None), size, dark);
        show(&mut window, path);
        wait(&mut window, "the check", |window| is_enabled(window, "Start"));
        press(&mut window, "Start");
        wait(&mut window, "all runs", |window| shows(window, "24 of 24 runs") && is_enabled(window, "Write report…"));
        settle(&mut window);
        // Below the path of the plan.
        let part = egui::Rect::from_min_max(egui::pos2(0.0, 100.0), egui::pos2(1024.0, 400.0));
        let theme = if dark { "dark" } else { "light" };
        shots.take(&mut window, part, &format!("campaign-runs-{theme}"));
    }
}
