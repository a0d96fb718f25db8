//! Files of several problems in one window: each is opened by what it is, and kept apart from the others.

use egui_kittest::kittest::Queryable;
use gridwright_core::registry;
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::store::Store;
use gridwright_flowshop::stored::StoredSolution;
use gridwright_flowshop_views::methods::*;
use gridwright_window::runs::Shown;
use gridwright_window::services::Services;

use crate::support;
use crate::support::Documents as _;
use support::person::{open, shows, wait};
use support::{chain, constructed, planned};

fn into_order(result: &mut RunResult) {
    result.problem = "flowshop".to_owned();
    result.instance.source = "shop.csv".to_owned();
    result.solution = Encoded::of(&StoredSolution::Order(vec!["J1".to_owned()]));
}

#[test]
fn flow_shops_and_sessions_follow_each_other() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("shop.csv");
    std::fs::write(&file, "job,Saw\nDesk,4\n").unwrap();
    let services = || Services { dialogs: false, ..Services::default() };
    for source in [file.to_str().unwrap(), "taillard:ta001", "sample:workshop"] {
        let harness = open(services(), home.path(), Some(source));
        let shop = harness.state().shop().expect(source);
        assert_eq!(shop.source, source);
        assert!(harness.state().session().is_none() && shows(&harness, "No schedule yet"), "{source}");
        assert!(!shows(&harness, "Calendar"), "what only sessions have is not offered");
    }
    let mut harness = open(services(), home.path(), Some("sample:workshop"));
    support::person::press(&mut harness, "School, 40 exams, 400 students");
    wait(&mut harness, "the session", |harness| harness.state().session().is_some());
    assert!(harness.state().shop().is_none() && shows(&harness, "Calendar"));
    // Both are recent, each under its own heading.
    let state = Store::at(home.path()).load_state().unwrap_or_default();
    let problems: Vec<String> = state.recent.iter().map(|recent| recent.problem.clone()).collect();
    assert!(problems.contains(&"flowshop".to_owned()), "{problems:?}");
}

#[test]
fn a_schedule_without_its_data_says_what_to_open() {
    let home = tempfile::tempdir().unwrap();
    let schedule = home.path().join("a.ron");
    std::fs::write(&schedule, "(schedule_format: 1)").unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let harness = open(services, home.path(), schedule.to_str());
    assert!(shows(&harness, "gridwright verify") && !harness.state().is_open());
}

#[test]
fn a_bad_flow_shop_is_not_offered_for_import_as_a_session() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("shop.csv");
    std::fs::write(&file, "job,Saw\nDesk,long\n").unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let harness = open(services, home.path(), file.to_str());
    assert!(shows(&harness, "shop.csv could not be opened") && shows(&harness, "shop.csv:2"));
    assert!(!harness.state().is_open());
}

/// A result that was kept of the chain, changed.
#[test]
fn results_of_another_problem_are_left_where_they_are() {
    gridwright::register();
    let home = tempfile::tempdir().unwrap();
    drop(planned(chain(4), constructed(&chain(4)), home.path()));
    let store = Store::at(home.path());
    let key = gridwright_core::store::document_key("chain", &chain(4).file_hash, "planned");
    let mut result = store.runs(&key, registry::by_id("timetabling").unwrap()).0[0].result.clone();
    into_order(&mut result);
    let path = store.keep(&key, &result).unwrap();
    let (runs, problems) = store.runs(&key, registry::by_id("timetabling").unwrap());
    assert_eq!((runs.len(), problems.len()), (1, 1));
    let text = problems[0].to_string();
    assert!(text.contains("of the problem “flowshop”") && text.contains("shop.csv"), "{text}");
    assert_eq!(RunResult::load(&path).unwrap(), result);
}

/// Opens a file through the field at the left.
fn load(window: &mut support::person::Window, path: &std::path::Path) {
    window.get_by_label("Path of a file to open").focus();
    window.get_by_label("Path of a file to open").type_text(path.to_str().unwrap());
    window.run_steps(2);
    support::person::keys(window, egui::Modifiers::NONE, egui::Key::Enter);
    support::person::settle(window);
}

#[test]
fn a_solution_file_of_what_is_open_becomes_a_run() {
    let home = tempfile::tempdir().unwrap();
    let order = home.path().join("plan.sol");
    // Without an instance the message says what to open first.
    std::fs::write(&order, "Stool\n").unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let alone = open(services, home.path(), order.to_str());
    assert!(shows(&alone, "open the instance that it belongs to first") && !alone.state().is_open());
    drop(alone);
    let mut window = support::person::file(home.path(), "sample:workshop");
    let jobs: Vec<String> = window.state().shop().unwrap().instance.jobs.iter().map(|job| job.name.clone()).collect();
    std::fs::write(&order, jobs.iter().rev().map(|job| format!("{job}\n")).collect::<String>()).unwrap();
    load(&mut window, &order);
    wait(&mut window, "the run", |window| window.state().shop().unwrap().runs.len() == 1);
    let shop = window.state().shop().unwrap();
    let reversed: Vec<u16> = (0..jobs.len() as u16).rev().collect();
    assert_eq!((&shop.plan().unwrap().order.0, shop.shown), (&reversed, Shown::Run(1)));
    assert!(shop.runs[0].result.verdict.confirmed && shop.runs[0].path.is_some());
    std::fs::write(&order, "Desk\nMoon\n").unwrap();
    load(&mut window, &order);
    assert!(shows(&window, "«Moon» is no job of") && window.state().shop().unwrap().runs.len() == 1);
    // A layout is no solution of a flow shop.
    let layout = home.path().join("layout.ron");
    std::fs::write(&layout, "(\n    layout_format: 1,").unwrap();
    load(&mut window, &layout);
    wait(&mut window, "the message", |window| shows(window, "this is a layout and not a layout problem"));
}

#[test]
fn bits_in_a_file_become_a_run() {
    let home = tempfile::tempdir().unwrap();
    let mut window = support::person::file(home.path(), "sample:backpack");
    let bits = home.path().join("bits.sol");
    std::fs::write(&bits, "10000001\n").unwrap();
    load(&mut window, &bits);
    wait(&mut window, "the run", |window| window.state().binary().unwrap().runs.len() == 1);
    let run = &window.state().binary().unwrap().runs[0];
    assert!(run.result.verdict.confirmed && run.result.verdict.cost < 0.0);
}
