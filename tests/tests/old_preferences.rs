//! Preferences of version 0.2.0, which named what problems share after one of them.

use std::collections::BTreeMap;

use gridwright_core::registry;
use gridwright_core::store::{Part, State, ThemeChoice};

#[test]
fn preferences_of_version_0_2_0_are_read() {
    gridwright::register();
    let problems: Vec<&str> = registry::problems().map(|problem| problem.id()).collect();
    let text = format!(
        "(theme: Dark, recent: [(source: \"a.stu\", name: \"a\", facts: \"3 exams\", periods: Some(18), problem: \
         {}, pinned: true), (source: \"b\", periods: None)], {}: Some((seed: 7)), {}: None, text_size: 120, hidden: \
         [Bottom], reopen: true, look: (view: \"Load\"))",
        "FlowShop", problems[0], problems[2]
    );
    let state: State = ron::from_str(&text).unwrap();
    assert_eq!((state.theme, state.text_size, state.reopen), (ThemeChoice::Dark, 120, true));
    assert_eq!(state.hidden, [Part::Bottom]);
    let recent = &state.recent[0];
    assert_eq!((recent.problem.as_str(), recent.pinned), ("flowshop", true));
    assert_eq!(recent.options, BTreeMap::from([("periods".to_owned(), "18".to_owned())]));
    assert!(state.recent[1].options.is_empty());
    assert_eq!(state.settings.keys().collect::<Vec<_>>(), [problems[0]], "None is no setting");
    assert_eq!(format!("{:?}", state.looks[problems[0]]), "(view:\"Load\")");
    let again: State = ron::from_str(&ron::to_string(&state).unwrap()).unwrap();
    assert_eq!(again, state);
}
