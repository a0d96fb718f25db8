//! Files of several problems in one window: each is opened by what it is, and kept apart from the others.

use gridwright::services::Services;
use gridwright::store::Store;
use gridwright_solver::flowshop::stored::StoredSolution;
use gridwright_solver::registry;
use gridwright_solver::result::{Encoded, RunResult};

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
    let home = tempfile::tempdir().unwrap();
    drop(planned(chain(4), constructed(&chain(4)), home.path()));
    let store = Store::at(home.path());
    let key = chain(4).file_hash;
    let mut result = store.runs(&key, registry::by_id("timetabling").unwrap()).0[0].result.clone();
    into_order(&mut result);
    let path = store.keep(&key, &result).unwrap();
    let (runs, problems) = store.runs(&key, registry::by_id("timetabling").unwrap());
    assert_eq!((runs.len(), problems.len()), (1, 1));
    let text = problems[0].to_string();
    assert!(text.contains("of the problem “flowshop”") && text.contains("shop.csv"), "{text}");
    assert_eq!(RunResult::load(&path).unwrap(), result);
}
