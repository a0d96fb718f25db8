//! The frame of the window: commands, dialogs, messages, runs, what is remembered, sizes, idleness.

mod quick;
use egui::Key;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::{Recent, State, Store, ThemeChoice};
use gridwright_timetabling_views::state::{Shown, View};
use gridwright_window::window::{Command, Situation};

use crate::support;
use crate::support::Documents as _;
use quick::*;
use support::person::{Window, at_home, key, keys, press, shows, wait};

#[test]
fn the_palette_runs_what_a_few_letters_name() {
    let mut window = at_home(|home| open(services(quick()), home.path(), Some("chain.stu")));
    solve(&mut window, 1.0);
    keys(&mut window, egui::Modifiers::COMMAND, Key::P);
    type_text(&mut window, "perview");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().session().unwrap().view, View::Periods);
    assert!(!shows(&window, "A command, a file or a name in the plan"), "it has closed");

    keys(&mut window, egui::Modifiers::COMMAND, Key::P);
    type_text(&mut window, "go exam c3");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().session().unwrap().selected, Some(2));

    // Where a timetable is shown, the field above it finds exams and students.
    keys(&mut window, egui::Modifiers::COMMAND, Key::F);
    assert!(window.get_by_label("Find exam or student").is_focused());
    type_text(&mut window, "course d");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().session().unwrap().selected, Some(3), "by the title");
}

#[test]
fn the_palette_says_why_something_is_not_possible() {
    let mut window = at_home(|home| open(services(quick()), home.path(), None));
    keys(&mut window, egui::Modifiers::COMMAND, Key::P);
    type_text(&mut window, "solve");
    window.get_by_label("Solve, Open an instance first");
    key(&mut window, Key::Enter);
    assert!(shows(&window, "A command, a file or a name in the plan"), "what is not possible is not run");
    key(&mut window, Key::Escape);
    assert!(!shows(&window, "A command, a file or a name in the plan"));
    keys(&mut window, egui::Modifiers::COMMAND, Key::P);
    type_text(&mut window, "sample scho");
    key(&mut window, Key::Enter);
    wait(&mut window, "the sample", |window| window.state().session().is_some());
}

#[test]
fn every_key_stands_in_the_overview() {
    let mut window = at_home(|home| open(services(quick()), home.path(), Some("chain.stu")));
    for key in [Key::F1, Key::Questionmark] {
        keys(&mut window, egui::Modifiers::NONE, key);
        window.get_by_label("In pictures and everywhere");
        let ctx = window.ctx.clone();
        for command in window.state().situation().commands() {
            for name in command.keys(&ctx) {
                assert!(window.query_all_by_label(&name).next().is_some(), "{name} of {command:?} is missing");
            }
        }
        keys(&mut window, egui::Modifiers::NONE, Key::Escape);
        assert!(window.query_by_label("In pictures and everywhere").is_none(), "Escape closes it");
    }
}

#[test]
fn menus_offer_the_table_and_grey_what_is_not_possible() {
    let mut window = at_home(|home| open(services(quick()), home.path(), Some("chain.stu")));
    press(&mut window, "View");
    press(&mut window, "Hide library");
    assert!(window.query_by_label("Library").is_none());
    keys(&mut window, egui::Modifiers::COMMAND, Key::B);
    window.get_by_label("Library");
    press(&mut window, "Run");
    let node = window.get_all_by_label("Stop").next().unwrap();
    assert!(node.accesskit_node().is_disabled(), "nothing runs");
    key(&mut window, Key::Escape);
    press(&mut window, "Help");
    press(&mut window, "About Gridwright");
    window.get_by_label_contains("Gridwright 0.");
    assert!(copy(&mut window, "Copy details").contains("Gridwright"), "for reports of errors");
    press(&mut window, "Close");
    assert!(window.query_by_label("Copy details").is_none());
}

#[test]
fn keys_that_mean_nothing_now_say_why() {
    let mut window = at_home(|home| open(services(quick()), home.path(), Some("chain.stu")));
    keys(&mut window, egui::Modifiers::COMMAND, Key::E);
    let notice = window.state().notices()[0].clone();
    assert_eq!(notice.text, "Solve first; there is nothing to export yet");
}

#[test]
fn the_size_of_text_is_remembered() {
    let home = tempfile::tempdir().unwrap();
    let mut window = open(services(quick()), home.path(), None);
    for _ in 0..2 {
        keys(&mut window, egui::Modifiers::COMMAND, Key::Plus);
    }
    assert_eq!(window.ctx.zoom_factor(), 1.2);
    window.state_mut().close();
    let mut window = open(services(quick()), home.path(), None);
    assert_eq!(window.ctx.zoom_factor(), 1.2);
    keys(&mut window, egui::Modifiers::COMMAND, Key::Minus);
    assert_eq!(window.ctx.zoom_factor(), 1.1);
    keys(&mut window, egui::Modifiers::COMMAND, Key::Num0);
    assert_eq!(window.ctx.zoom_factor(), 1.0);
}

#[test]
fn the_theme_follows_the_system_while_it_runs() {
    let home = tempfile::tempdir().unwrap();
    let mut window = open(services(quick()), home.path(), None);
    for theme in [egui::Theme::Light, egui::Theme::Dark, egui::Theme::Light] {
        window.input_mut().system_theme = Some(theme);
        window.run_steps(2);
        assert_eq!(window.ctx.theme(), theme);
    }
    press(&mut window, "Edit");
    press(&mut window, "Preferences…");
    press(&mut window, "Dark");
    assert_eq!(window.ctx.theme(), egui::Theme::Dark, "what was chosen is stronger than the system");
    window.state_mut().close();
    assert_eq!(Store::at(home.path()).load_state().unwrap().theme, ThemeChoice::Dark);
}

#[test]
fn what_was_open_is_opened_again_where_the_person_wants_it() {
    let home = tempfile::tempdir().unwrap();
    let mut window = open(services(quick()), home.path(), Some("chain.stu"));
    solve(&mut window, 1.0);
    keys(&mut window, egui::Modifiers::COMMAND, Key::Num2);
    keys(&mut window, egui::Modifiers::COMMAND, Key::J);
    keys(&mut window, egui::Modifiers::COMMAND, Key::Comma);
    assert_eq!(copy(&mut window, "Copy path"), home.path().join("runs").display().to_string());
    window.state_mut().close();
    drop(window);
    let mut window = open(services(quick()), home.path(), None);
    assert!(window.state().session().is_none(), "not without being asked");
    window.get_by_label("Continue with chain");
    keys(&mut window, egui::Modifiers::COMMAND, Key::Comma);
    press(&mut window, "Reopen what was open");
    window.state_mut().close();
    drop(window);

    let mut window = open(services(quick()), home.path(), None);
    wait(&mut window, "what was open", |window| window.state().session().is_some());
    window.run();
    let document = window.state().session().unwrap();
    assert_eq!((document.source.as_str(), document.view), ("chain.stu", View::Periods));
    assert!(window.query_by_label("Runs").is_none(), "what was hidden stays hidden");
}

#[test]
fn recent_files_that_are_gone_are_grey_and_others_can_be_pinned_and_removed() {
    let home = tempfile::tempdir().unwrap();
    let recent = |source: &str, name: &str| Recent {
        source: source.to_owned(),
        name: name.to_owned(),
        facts: "5 exams".to_owned(),
        ..Recent::default()
    };
    let recent = vec![recent("gone.stu", "gone"), recent("chain.stu", "chain")];
    Store::at(home.path()).save_state(&State { recent, ..State::default() }).unwrap();
    let mut window = open(services(quick()), home.path(), None);
    wait(&mut window, "the look", |window| window.query_by_label("gone, no longer there").is_some());
    assert!(window.get_by_label("gone, no longer there").accesskit_node().is_disabled());
    press(&mut window, "gone, no longer there");
    assert!(!shows(&window, "could not be opened"));

    let top = |window: &Window, label: &str| window.get_by_label(label).rect().top();
    assert!(top(&window, "gone, no longer there") < top(&window, "chain, 5 exams"));
    press(&mut window, "More about chain");
    press(&mut window, "Keep at the top");
    assert!(top(&window, "gone, no longer there") > top(&window, "chain, 5 exams"));
    press(&mut window, "More about gone");
    press(&mut window, "Remove from the list");
    assert!(window.query_by_label("gone, no longer there").is_none());
    window.state_mut().close();
    let state = Store::at(home.path()).load_state().unwrap();
    assert_eq!(state.recent.len(), 1);
    assert!(state.recent[0].pinned);
}

#[test]
fn a_deleted_run_goes_to_the_trash_and_comes_back() {
    let home = tempfile::tempdir().unwrap();
    let mut window = open(services(quick()), home.path(), Some("chain.stu"));
    solve(&mut window, 1.0);
    solve(&mut window, 2.0);
    let path = window.state().session().unwrap().run(2).unwrap().path.clone().unwrap();
    press(&mut window, "More about run 2");
    press(&mut window, "Delete Delete");
    assert_eq!(runs(&window), 1);
    assert_eq!(window.state().session().unwrap().shown, Shown::Run(1), "the other one is shown");
    let trash = home.path().join("trash");
    let in_trash = || walk(&trash).len();
    wait(&mut window, "the file to move", |_| !path.exists() && in_trash() == 1);
    press(&mut window, "Undo");
    assert_eq!(runs(&window), 2);
    wait(&mut window, "the file to come back", |_| path.exists() && in_trash() == 0);
    assert!(!shows(&window, "was deleted"), "the offer is gone");
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.flat_map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { vec![entry.path()] }).collect()
}

#[test]
fn two_marked_runs_are_compared() {
    let mut window = at_home(|home| open(services(quick()), home.path(), Some("chain.stu")));
    solve(&mut window, 1.0);
    solve(&mut window, 2.0);
    for number in [1, 2] {
        window.get_by_label_contains(&format!("Run {number}: Annealing")).click_modifiers(egui::Modifiers::COMMAND);
        window.run_steps(3);
    }
    press(&mut window, "Compare runs");
    window.run();
    assert_eq!(window.state().session().unwrap().view, View::Compare);
    assert!(shows(&window, "Figures"));
}

#[test]
fn the_name_of_a_run_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let mut window = open(services(quick()), home.path(), Some("chain.stu"));
    solve(&mut window, 1.0);
    window.get_by_label_contains("Run 1: Annealing").focus();
    window.run_steps(2);
    key(&mut window, Key::F2);
    type_text(&mut window, "for the dean");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().session().unwrap().run(1).unwrap().name, "for the dean");
    window.state_mut().close();
    drop(window);
    let window = open(services(quick()), home.path(), Some("chain.stu"));
    assert!(shows(&window, "for the dean"));
}

#[test]
fn messages_can_be_read_again() {
    let mut window = at_home(|home| open(services(broken()), home.path(), Some("chain.stu")));
    press(&mut window, "Solve");
    wait(&mut window, "the message", |window| !window.state().notices().is_empty());
    window.run();
    window.get_by_label("The run was lost");
    assert!(shows(&window, "Try once more"));
    assert!(shows(&window, "Solve again"), "the message offers it, too");
    press(&mut window, "Close this message");
    press(&mut window, "Messages, 1 new");
    assert!(shows(&window, "the device was lost"));
    assert!(copy(&mut window, "Copy all").contains("the device was lost"));
    press(&mut window, "Clear");
    assert!(shows(&window, "There is nothing yet"));
    key(&mut window, Key::Escape);
    window.get_by_label("Messages");
}

#[test]
fn a_written_export_offers_its_path() {
    let home = tempfile::tempdir().unwrap();
    let mut window = open(services(quick()), home.path(), Some("chain.stu"));
    solve(&mut window, 1.0);
    keys(&mut window, egui::Modifiers::COMMAND, Key::E);
    let target = home.path().join("plan.csv");
    press(&mut window, "CSV table");
    window.get_by_label("Path of the export").set_text_value_accesskit(&target.display().to_string());
    window.run_steps(2);
    press(&mut window, "Write file");
    wait(&mut window, "the notice", |window| !window.state().notices().is_empty());
    window.run_steps(2);
    assert_eq!(copy(&mut window, "Copy path"), target.display().to_string());
    assert!(shows(&window, "Show folder"));
}

#[test]
fn nothing_is_painted_while_nothing_happens() {
    let home = tempfile::tempdir().unwrap();
    let mut window = open(services(quick()), home.path(), None);
    assert_idle(&mut window, "welcome");
    drop(window);
    let mut window = open(services(quick()), home.path(), Some("chain.stu"));
    assert_idle(&mut window, "an open instance");
    solve(&mut window, 1.0);
    assert_idle(&mut window, "a finished run");
    for (command, key) in [("palette", Key::P), ("find", Key::F), ("preferences", Key::Comma), ("export", Key::E)] {
        keys(&mut window, egui::Modifiers::COMMAND, key);
        assert_idle(&mut window, command);
        keys(&mut window, egui::Modifiers::NONE, Key::Escape);
    }
    key(&mut window, Key::F1);
    assert_idle(&mut window, "keyboard shortcuts");
}

#[test]
fn tab_goes_from_the_menus_to_every_control_and_each_has_a_name() {
    let mut window = at_home(|home| open(services(quick()), home.path(), Some("chain.stu")));
    solve(&mut window, 1.0);
    let mut names = Vec::new();
    for _ in 0..60 {
        key(&mut window, Key::Tab);
        let root = window.root();
        let focused = root.children_recursive().find(|node| node.is_focused());
        let name = focused.and_then(|node| node.accesskit_node().label()).unwrap_or_default();
        let what = focused.map(|node| (node.accesskit_node().role(), node.rect()));
        assert!(!name.is_empty(), "after {names:?} comes something without a name: {what:?}");
        names.push(name);
    }
    assert_eq!(names[0], "File");
    let place =
        |name: &str| names.iter().position(|other| other == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
    assert!(place("File") < place("Help") && place("Help") < place("Quick") && place("Quick") < place("Solve"));
    assert!(place("Solve") < place("Path of a file to open"), "from above to below");
}

#[test]
fn everything_stays_inside_the_window_at_every_size_and_scale() {
    let home = tempfile::tempdir().unwrap();
    for size in [[1440.0, 900.0], [1100.0, 680.0]] {
        for pixels in [1.0, 1.5, 2.0] {
            let mut window = open_sized(services(quick()), home.path(), Some("chain.stu"), size, pixels);
            if runs(&window) == 0 {
                solve(&mut window, 1.0);
            }
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into()).expand(0.5);
            let root = window.root();
            let mut buttons: Vec<(String, egui::Rect)> = Vec::new();
            for node in root.children_recursive() {
                let role = node.accesskit_node().role();
                if matches!(role, egui::Role::Button | egui::Role::MenuItem | egui::Role::ComboBox | egui::Role::Tab) {
                    buttons.push((node.accesskit_node().label().unwrap_or_default(), node.rect()));
                }
            }
            assert!(buttons.len() > 15);
            let top = buttons.iter().filter(|(_, rect)| rect.bottom() < 140.0).collect::<Vec<_>>();
            for (index, (name, rect)) in top.iter().enumerate() {
                assert!(screen.contains_rect(*rect), "{name} leaves the window of {size:?}: {rect:?}");
                assert!(rect.height() >= 23.0, "{name} is too low to be pressed: {rect:?}");
                for (other, place) in &top[index + 1..] {
                    assert!(!rect.shrink(1.0).intersects(place.shrink(1.0)), "{name} lies on {other} in {size:?}");
                }
            }
        }
    }
}

#[test]
fn solve_stays_in_sight_where_text_is_large() {
    let home = tempfile::tempdir().unwrap();
    // The smallest window at 150 %.
    let window = open_sized(services(quick()), home.path(), Some("chain.stu"), [733.0, 453.0], 1.5);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(733.0, 453.0));
    assert!(screen.contains_rect(window.get_by_label("Solve").rect()));
    assert!(screen.contains_rect(window.get_by_label("Messages").rect()));
}

#[test]
fn the_situation_decides_what_is_possible() {
    let mut window = at_home(|home| open(services(quick()), home.path(), Some("chain.stu")));
    let possible = |window: &Window, command: Command| {
        let now: Situation<'_> = window.state().situation();
        now.possible(&command)
    };
    assert!(possible(&window, Command::Export(0)).is_err());
    assert_eq!(possible(&window, Command::Solve), Ok(()));
    assert!(possible(&window, Command::Fit).is_err(), "there is no picture yet");
    solve(&mut window, 1.0);
    assert_eq!(possible(&window, Command::Export(0)), Ok(()));
    assert_eq!(possible(&window, Command::Fit), Ok(()));
    assert!(possible(&window, Command::Compare(1, 1)).is_err());
    assert!(possible(&window, Command::ShowRun(9)).is_err());
}
