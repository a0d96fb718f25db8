//! What the window says of what it cannot show yet.

use std::path::Path;

use gridwright::store::Store;
use gridwright::timetabling::Desk;
use gridwright::timetabling::desk::default_settings;
use gridwright::window::Services;
use gridwright_solver::result::{RunResult, Solution};
use gridwright_solver::timetabling::formats::LoadOptions;

mod support;
use support::person::{open, shows};
use support::{chain, constructed, planned};

/// What opening says; nothing of it may be open then.
fn refusal(source: &str, home: &Path) -> String {
    let (services, options) = (Services::default(), LoadOptions::default());
    let opened = Desk::open(source, &options, &services.open, &Store::at(home), default_settings());
    match opened {
        Ok(_) => panic!("{source} was opened"),
        Err(error) => error.to_string(),
    }
}

/// A result that was kept of the chain, changed.
fn kept(home: &Path, change: impl Fn(&mut RunResult)) -> (Store, String) {
    drop(planned(chain(4), constructed(&chain(4)), home));
    let store = Store::at(home);
    let key = chain(4).file_hash;
    let (runs, problems) = store.runs(&key);
    assert_eq!((runs.len(), problems.len()), (1, 0));
    let mut result = runs[0].result.clone();
    change(&mut result);
    store.keep(&key, &result).unwrap();
    (store, key)
}

fn into_order(result: &mut RunResult) {
    result.problem = "flowshop".to_owned();
    result.instance.source = "shop.csv".to_owned();
    result.solution = Solution::Order(vec!["J1".to_owned()]);
}

#[test]
fn flow_shops_are_refused_with_the_commands_that_work() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("shop.csv");
    std::fs::write(&file, "job,Saw\nDesk,4\n").unwrap();
    for source in [file.to_str().unwrap(), "taillard:ta001", "sample:workshop"] {
        let text = refusal(source, home.path());
        let command = format!("gridwright solve {source}");
        assert!(text.contains("timetables only so far") && text.contains(&command), "{text}");
    }
    let schedule = home.path().join("a.ron");
    std::fs::write(&schedule, "(schedule_format: 1)").unwrap();
    assert!(refusal(schedule.to_str().unwrap(), home.path()).contains("gridwright verify"));
    let services = Services { dialogs: false, ..Services::default() };
    let harness = open(services, home.path(), Some(file.to_str().unwrap()));
    assert!(shows(&harness, "timetables only so far"), "and no import of a session is offered instead");
    assert!(harness.state().desk().is_none());
}

#[test]
fn results_of_flow_shops_are_refused_and_left_where_they_are() {
    let home = tempfile::tempdir().unwrap();
    let (store, key) = kept(home.path(), into_order);
    let (runs, problems) = store.runs(&key);
    assert_eq!((runs.len(), problems.len()), (1, 1));
    let text = problems[0].to_string();
    assert!(text.contains("timetables only so far") && text.contains("gridwright verify shop.csv"), "{text}");
    let mut result = runs[0].result.clone();
    into_order(&mut result);
    let path = home.path().join("r.ron");
    result.save(&path).unwrap();
    let text = refusal(path.to_str().unwrap(), home.path());
    assert!(text.contains("timetables only so far") && text.contains("gridwright export shop.csv"), "{text}");
    assert_eq!(RunResult::load(&path).unwrap(), result);
}
