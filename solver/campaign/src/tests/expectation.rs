//! The expected time of the runs that are left.

use super::{campaign, run};
use crate::RunSpec;
use crate::expectation::expected_seconds;

#[test]
fn the_time_that_is_left_is_expected_from_limits_and_finished_runs() {
    let folder = tempfile::tempdir().unwrap();
    let plans = tempfile::tempdir().unwrap();
    let part = "instances: [\"sample:1\"], algorithms: [(name: \"good\")], seeds: \"1..=4\", limit: ";
    let timed = campaign(plans.path(), &format!("{part}Seconds(3.0)")).unwrap();
    let all: Vec<&RunSpec> = timed.runs.iter().collect();
    assert_eq!(expected_seconds(&all, &[], 4), Some(12.0), "runs with a time limit go one by one");

    let stepped = campaign(plans.path(), &format!("{part}Steps(5)")).unwrap();
    let all: Vec<&RunSpec> = stepped.runs.iter().collect();
    assert_eq!(expected_seconds(&all, &[], 2), None, "nothing is known before the first run has ended");
    let mut rows = run(folder.path(), &format!("{part}Steps(5)"), 1).unwrap();
    rows.truncate(2);
    (rows[0].seconds, rows[1].seconds) = (2.0, 4.0);
    assert_eq!(expected_seconds(&all, &rows, 2), Some(6.0), "four runs of three seconds, two at a time");
    rows[1].failure = "no device".to_owned();
    assert_eq!(expected_seconds(&all[..1], &rows, 1), Some(2.0), "runs that failed say nothing about time");
}
