//! Dialogs, and the end of the window: what was typed in them counts when they are left.

use egui::{Key, Modifiers, ViewportEvent, ViewportId};
use egui_kittest::kittest::Queryable;
use gridwright_core::data::Dataset;
use gridwright_timetabling::objective::WeightName;
use gridwright_timetabling::{Objective, ObjectiveKind};

use super::{Way, click, replace, value};
use crate::rooms;
use crate::support::Documents as _;
use crate::support::person::{Window, at_home, document, enter, file, key, keys, press, settle, shows};

/// Value of the first weight of the open session.
fn weight(window: &Window) -> u32 {
    let Objective { mut weights, .. } = document(window).instance.objective.clone();
    *WeightName::ALL[0].place(&mut weights)
}

#[test]
fn weights_count_when_the_dialog_is_left_and_escape_takes_them_back() {
    for (leave, counts) in [("Done", true), ("Close", true), ("", true), ("Escape", false)] {
        let mut window = at_home(rooms::open);
        assert_eq!(document(&window).instance.objective.kind, ObjectiveKind::Office);
        let before = weight(&window);
        press(&mut window, "Objective: Office");
        settle(&mut window);
        replace(&mut window, WeightName::ALL[0].label, "123");
        match leave {
            "" => click(&mut window, egui::pos2(8.0, 8.0)),
            "Escape" => {
                key(&mut window, Key::Escape);
                assert!(shows(&window, "Use these weights"), "the field is taken back first");
                replace(&mut window, WeightName::ALL[0].label, "123");
                key(&mut window, Key::Tab);
                key(&mut window, Key::Escape);
            }
            button => press(&mut window, button),
        }
        window.run_steps(4);
        assert!(!shows(&window, "Use these weights"), "{leave}");
        assert_eq!(weight(&window), if counts { 123 } else { before }, "{leave}");
    }
}

#[test]
fn a_typed_holiday_counts_when_the_calendar_is_applied() {
    let mut window = at_home(|home| {
        let path = home.path().join("small.csv");
        std::fs::write(&path, "student,exam\ns1,MAT\ns1,PHY\ns2,PHY\ns2,CHE\n").unwrap();
        file(&home.path().join("home"), path.to_str().unwrap())
    });
    press(&mut window, "Calendar…");
    enter(&mut window, "First day", "2026-06-01");
    press(&mut window, "on a day");
    enter(&mut window, "Last day", "2026-06-05");
    let field = "Day to leave out or take in";
    replace(&mut window, field, "2026-06-0");
    press(&mut window, "Apply");
    assert!(shows(&window, "Day to leave out or take in: «2026-06-0» is no date"), "nothing is dropped silently");
    replace(&mut window, field, "2026-06-03");
    press(&mut window, "Apply");
    let periods = &document(&window).instance.periods;
    assert!(!periods.is_empty());
    let holiday = chrono::NaiveDate::from_ymd_opt(2026, 6, 3);
    assert!(periods.iter().all(|period| period.date != holiday));
    assert!(periods.iter().any(|period| period.date == chrono::NaiveDate::from_ymd_opt(2026, 6, 4)));
}

/// Tables of the open layout problem.
fn tables(window: &Window) -> std::sync::Arc<Dataset> {
    window.state().layouts().unwrap().tables()
}

/// A plant whose form is shown; the index of its table.
fn plant() -> (crate::support::person::AtHome, usize) {
    let mut window = at_home(|home| file(home.path(), "sample:layout-workshop"));
    press(&mut window, "Data");
    press(&mut window, "Plant");
    let specs = window.state().layouts().unwrap().table_specs();
    let form = specs.iter().position(|spec| spec.is_form).unwrap();
    (window, form)
}

#[test]
fn a_typed_width_counts_when_the_window_is_closed() {
    let quit = |window: &mut Window| keys(window, Modifiers::COMMAND, Key::Q);
    let save = |window: &mut Window| keys(window, Modifiers::COMMAND, Key::S);
    let cross = |window: &mut Window| {
        let viewport = window.input_mut().viewports.get_mut(&ViewportId::ROOT).unwrap();
        viewport.events.push(ViewportEvent::Close);
        window.run_steps(4);
    };
    let view = |window: &mut Window| keys(window, Modifiers::COMMAND, Key::Num1);
    let other = |window: &mut Window| {
        let at = super::place(window, "Height").center();
        click(window, at);
    };
    let ways: [Way; 5] =
        [("Ctrl+Q", &quit), ("Ctrl+S", &save), ("the cross", &cross), ("a view", &view), ("the next field", &other)];
    for (way, leave) in ways {
        let (mut window, form) = plant();
        replace(&mut window, "Width", "77");
        leave(&mut window);
        assert_eq!(tables(&window).tables[form].rows.get(0).unwrap().cell(0), "77", "{way}");
    }
}

#[test]
fn a_number_stays_in_the_summary_of_an_import_when_the_next_field_is_clicked() {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        std::fs::write(home.path().join(name), text).unwrap();
        home.path().join(name)
    };
    let areas = write("areas.csv", "department,area\nSaw,10\nMill,20\nStore,15\n");
    let flows = write("flows.csv", "from,to,flow\nSaw,Mill,4\nMill,Store,5\n");
    let app = crate::support::app(
        gridwright_window::services::Services { dialogs: false, ..Default::default() },
        gridwright_core::store::Store::at(home.path().join("home")),
        None,
    );
    let mut window = crate::support::person::sized(app, [1440.0, 900.0], 1.0);
    window.run();
    press(&mut window, "Import tables…");
    press(&mut window, "Facility layouts");
    crate::support::person::drop_file(&mut window, areas);
    crate::support::person::drop_file(&mut window, flows);
    crate::support::person::wait(&mut window, "the count", |window| shows(window, "Enter it in the summary"));
    press(&mut window, "4 Summary");
    window.run();
    replace(&mut window, "Width", "12");
    let height = super::place(&window, "Height").center();
    click(&mut window, height);
    assert_eq!(value(&window, "Width"), "12");
    super::type_in(&mut window, "9");
    let name = super::place(&window, "Name of the instance").center();
    click(&mut window, name);
    crate::support::person::wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    assert_eq!((value(&window, "Width"), value(&window, "Height")), ("12".to_owned(), "9".to_owned()));
    assert!(window.query_by_label("Read again").is_some());
}
