//! Parameters of searches, presets and what becomes of them.

use egui::Key;
use gridwright_core::search::{Algorithms, Budget};
use gridwright_systolic::run::Algorithm as GridAlgorithm;

use super::{Way, click, place, replace, type_in, value};
use crate::support::Documents as _;
use crate::support::person::{Window, at_home, document, file, key, keys, press, shows, written};

#[test]
fn every_parameter_takes_all_of_a_number() {
    let mut window = at_home(|home| file(home.path(), "sample:school"));
    press(&mut window, "Advanced");
    let algorithm = document(&window).settings.algorithm.clone();
    let mut driven = 0;
    for parameter in algorithm.list() {
        use gridwright_core::search::Kind;
        let text = match parameter.kind {
            Kind::Integer { min, max } => (min + 23).min(max).to_string(),
            Kind::Real { min, max } => format!("{:.3}", min * 0.75 + max * 0.25),
            Kind::Choice(_) | Kind::Switch => continue,
        };
        let at = place(&window, parameter.label);
        if !window.ctx.content_rect().contains_rect(at) {
            use egui_kittest::kittest::Queryable;
            window.get_all_by_label(parameter.label).last().unwrap().scroll_to_me();
            window.run_steps(4);
        }
        replace(&mut window, parameter.label, &text);
        click(&mut window, egui::pos2(720.0, 420.0));
        let set = document(&window).settings.algorithm.parameters().get(parameter.name).unwrap();
        let number: f64 = text.parse().unwrap();
        assert_eq!(set.real(), number, "{}: typed {text}", parameter.label);
        driven += 1;
    }
    assert!(driven >= 3, "{driven} parameters");
}

#[test]
fn a_number_counts_when_its_run_begins_and_escape_takes_it_back() {
    let mut window = at_home(|home| file(home.path(), "sample:school"));
    let before = document(&window).settings.seed;
    replace(&mut window, "Seed", "4711");
    assert_eq!(document(&window).settings.seed, before, "it is half typed");
    key(&mut window, Key::Escape);
    assert_eq!((document(&window).settings.seed, value(&window, "Seed")), (before, before.to_string()));
    replace(&mut window, "Seed", "4711");
    keys(&mut window, egui::Modifiers::COMMAND, Key::Enter);
    crate::support::person::wait(&mut window, "the run", |window| document(window).is_solving());
    assert_eq!(document(&window).settings.seed, 4711);
    window.state_mut().close();
}

#[test]
fn numbers_are_read_as_they_are_written_here_and_there() {
    let mut window = at_home(|home| file(home.path(), "sample:school"));
    for (text, seconds) in [("2,5", 2.5), ("7 s", 7.0), ("12.5", 12.5), ("nonsense", 12.5)] {
        replace(&mut window, "Time limit", text);
        key(&mut window, Key::Tab);
        assert_eq!(document(&window).settings.stop.budget, Budget::Seconds(seconds), "{text}");
    }
}

#[test]
fn a_preset_is_what_it_says_whatever_ran_before() {
    let mut window = at_home(|home| file(home.path(), "onemax:100"));
    let usual = window.state().binary().unwrap().settings.clone();
    let published = GridAlgorithm::with_defaults(usual.algorithm.name()).unwrap();
    assert_eq!(usual.algorithm, published);
    {
        let document: &mut gridwright_systolic_views::Document = window.state_mut().document_mut().unwrap();
        document.settings.algorithm.set("segment", "one-point").unwrap();
    }
    window.run_steps(2);
    let is_on = |window: &crate::support::person::Window| {
        use egui_kittest::kittest::{NodeT, Queryable};
        let node = window.get_by_label("As published");
        node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
            || node.accesskit_node().is_selected() == Some(true)
    };
    assert!(!is_on(&window), "other values are not those of the preset");
    press(&mut window, "As published");
    assert!(is_on(&window));
    assert_eq!(window.state().binary().unwrap().settings, usual, "all values of the preset are set");
}

#[test]
fn a_number_with_two_readings_is_refused_with_both_of_them() {
    use gridwright_core::search::Kind;
    let mut window = at_home(|home| file(home.path(), "sample:school"));
    press(&mut window, "Advanced");
    let algorithm = document(&window).settings.algorithm.clone();
    let is_large = |kind: &Kind| matches!(kind, Kind::Real { min, max } if *min <= 1.5 && *max >= 1_500.0);
    let parameter = algorithm.list().iter().find(|parameter| is_large(&parameter.kind)).unwrap();
    let set = |window: &Window| document(window).settings.algorithm.parameters().get(parameter.name).unwrap().real();
    let before = set(&window);
    let ways: [Way; 3] = [
        ("Enter", &|window| key(window, Key::Enter)),
        ("Tab", &|window| key(window, Key::Tab)),
        ("elsewhere", &|window| click(window, egui::pos2(330.0, 620.0))),
    ];
    for (way, leave) in ways {
        for text in ["1.500", "1,500"] {
            replace(&mut window, parameter.label, text);
            leave(&mut window);
            window.run_steps(3);
            assert_eq!(set(&window), before, "{way}: {text}");
            let heading = format!("{} stays as it was", parameter.label);
            let told: Vec<&str> =
                window.state().notices().iter().filter(|it| it.heading == heading).map(|it| it.text.as_str()).collect();
            let [told] = told[..] else { panic!("{way}: {told:?}") };
            let both = if text == "1.500" { "write 1500 or 1.5" } else { "write 1.5 or 1500" };
            assert!(told.contains(both), "{way}: {told}");
        }
        for (text, number) in [("1500", 1_500.0), ("1.5000", 1.5), ("0.125", 0.125)] {
            replace(&mut window, parameter.label, text);
            leave(&mut window);
            window.run_steps(3);
            assert_eq!(set(&window), number, "{way}: {text}");
            assert!(window.state().notices().iter().all(|notice| !notice.heading.contains("stays as it was")));
            assert!(!shows(&window, "no other number tells which"), "{way}: the reason goes with the refused text");
        }
        replace(&mut window, parameter.label, &before.to_string());
        leave(&mut window);
        assert_eq!(set(&window), before);
    }
}

#[test]
fn a_number_beyond_the_range_of_its_field_is_told() {
    let mut window = at_home(|home| file(home.path(), "sample:school"));
    for (text, seconds, told) in [("0", 0.1, true), ("5", 5.0, false)] {
        replace(&mut window, "Time limit", text);
        key(&mut window, Key::Enter);
        window.run_steps(3);
        assert_eq!(document(&window).settings.stop.budget, Budget::Seconds(seconds));
        assert_eq!(shows(&window, "0.1 s is the least that can be entered here"), told, "{text}");
    }
}

#[test]
fn a_whole_number_is_not_rounded_silently() {
    let mut window = at_home(|home| file(home.path(), "sample:school"));
    let before = document(&window).settings.seed;
    replace(&mut window, "Seed", "12,5");
    key(&mut window, Key::Tab);
    window.run_steps(3);
    assert_eq!(document(&window).settings.seed, before);
    let told = window.state().notices().iter().find(|notice| notice.heading == "Seed stays as it was");
    assert_eq!(told.unwrap().text, "«12,5» is not a whole number");
}

#[test]
fn digits_never_get_into_the_word_of_an_empty_field() {
    let mut window = at_home(|home| written(home.path(), "a.stu", "1 2\n2 3\n3 1\n"));
    assert_eq!(
        (document(&window).instance.period_count(), value(&window, "Number of periods")),
        (0, "how many?".to_owned())
    );
    let before = place(&window, "Number of periods");
    for _ in 0..3 {
        let at = place(&window, "Number of periods");
        assert!((at.width() - before.width()).abs() < 12.0, "{at:?} is as wide as {before:?}");
        click(&mut window, at.center());
    }
    type_in(&mut window, "12");
    click(&mut window, egui::pos2(720.0, 420.0));
    assert_eq!(document(&window).instance.period_count(), 12);
    assert!(window.state().notices().is_empty(), "{:?}", window.state().notices());
}
