//! What an export of the window writes, and what it never writes over.

use std::sync::{Arc, Mutex};

use egui::Key;
use egui_kittest::kittest::Queryable;
use gridwright_timetabling::Timetable;
use gridwright_timetabling::drawing::Sort;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::exporting::Extras;
use gridwright_timetabling_views::methods::*;
use gridwright_window::services::Services;

use crate::support;
use support::person::{Window, document, enter, key, keys, press, press_like, settle, shows, wait, window};

type Seen = Arc<Mutex<Vec<Extras>>>;

/// A window with a run of the five exams, and what its exports take along.
fn with_run(home: &tempfile::TempDir) -> (Window, Seen) {
    let seen = Seen::default();
    let told = Arc::clone(&seen);
    let plan = Timetable::of(vec![0, 1, 0, 1, 3]);
    let services = Services::default().replace::<TimetablingViews>(|own| {
        own.export = Arc::new(move |exported, _, _, _| {
            told.lock().unwrap().push(exported.extras.clone());
            Ok(())
        });
    });
    (window(support::planned_with(services, support::chain(6), plan, home.path())), seen)
}

/// Opens the dialog, chooses a format and writes.
fn write(harness: &mut Window, format: &str, seen: &Seen) -> Extras {
    keys(harness, egui::Modifiers::COMMAND, Key::E);
    press(harness, format);
    press(harness, "Write file");
    wait(harness, "the export", |_| !seen.lock().unwrap().is_empty());
    harness.run_steps(3);
    seen.lock().unwrap().pop().unwrap()
}

#[test]
fn the_table_that_an_instance_came_from_is_never_replaced() {
    let home = tempfile::tempdir().unwrap();
    let source = home.path().join("summer.csv");
    let table = "student,exam\nann,A\nann,B\nbob,B\n";
    std::fs::write(&source, table).unwrap();
    let (mut harness, seen) = with_run(&home);
    keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
    enter(&mut harness, "Path of the export", &source.with_extension("xlsx").display().to_string());
    press(&mut harness, "CSV table");
    let field = |harness: &Window| {
        use egui_kittest::kittest::NodeT;
        harness.get_by_label("Path of the export").accesskit_node().value().unwrap_or_default()
    };
    assert_eq!(field(&harness), source.with_file_name("summer-timetable.csv").display().to_string());
    // Who types its name is told and nothing is written.
    enter(&mut harness, "Path of the export", &source.display().to_string());
    assert!(shows(&harness, "was not written by an export"));
    press(&mut harness, "Write file");
    assert!(shows(&harness, "The file was not written"));
    assert!(seen.lock().unwrap().is_empty());
    assert_eq!(std::fs::read_to_string(&source).unwrap(), table);
}

#[test]
fn a_report_says_which_run_it_is_and_is_compared_with_what_the_person_chooses() {
    let home = tempfile::tempdir().unwrap();
    let (mut harness, seen) = with_run(&home);
    let plain = write(&mut harness, "PDF report", &seen);
    assert_eq!(plain.result.as_deref(), Some(&*document(&harness).run(1).unwrap().result));
    assert!(plain.before.is_none(), "there is nothing to compare with");
    // A draft is compared with what it was made from, unless the person says otherwise.
    press_like(&mut harness, "Exam E5, period ");
    press_like(&mut harness, "Move to period 6: ");
    assert!(document(&harness).draft().is_some());
    let base = Arc::clone(&document(&harness).draft().unwrap().base);
    let edited = write(&mut harness, "PDF report", &seen);
    assert!(edited.result.is_none(), "no run made it");
    assert_eq!(edited.before, Some(("Run 1 as it was".to_owned(), base)));
    keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
    press(&mut harness, "PDF report");
    press(&mut harness, "Compared with");
    press(&mut harness, "nothing");
    press(&mut harness, "Write file");
    wait(&mut harness, "the export", |_| !seen.lock().unwrap().is_empty());
    assert!(seen.lock().unwrap()[0].before.is_none());
}

/// *Cancel* while documents are written: the dialog closes at once, and no file appears later.
#[test]
fn a_cancelled_export_leaves_no_file() {
    let home = tempfile::tempdir().unwrap();
    let (told, told_to) = std::sync::mpsc::channel::<bool>();
    let (let_go, gate) = std::sync::mpsc::channel::<()>();
    let gate = Mutex::new(gate);
    let services = Services::default().replace::<TimetablingViews>(|own| {
        let write = Arc::clone(&own.export);
        own.export = Arc::new(move |exported, format, path, writing| {
            writing.begin(12);
            writing.finish_part();
            gate.lock().unwrap().recv().unwrap();
            let written = write(exported, format, path, writing);
            told.send(written.is_ok()).unwrap();
            written
        });
    });
    let plan = Timetable::of(vec![0, 1, 0, 1, 3]);
    let mut harness = window(support::planned_with(services, support::chain(6), plan, home.path()));
    for (name, is_cancelled) in [("kept.csv", false), ("given-up.csv", true)] {
        keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
        press(&mut harness, "CSV table");
        let path = home.path().join(name);
        enter(&mut harness, "Path of the export", &path.display().to_string());
        press(&mut harness, "Write file");
        wait(&mut harness, "the progress", |harness| shows(harness, "Writing… 1 of 12 documents"));
        if is_cancelled {
            press(&mut harness, "Cancel");
            assert!(!shows(&harness, "Write file"));
        }
        let_go.send(()).unwrap();
        assert_eq!(told_to.recv().unwrap(), !is_cancelled);
        assert_eq!(path.exists(), !is_cancelled, "{name}");
        harness.run_steps(3);
        wait(&mut harness, "the end of the export", |harness| !shows(harness, "Write file"));
    }
}

#[test]
fn enter_writes_the_file_unless_it_is_meant_for_a_button() {
    let home = tempfile::tempdir().unwrap();
    let (mut harness, seen) = with_run(&home);
    // By the palette, whose own Enter writes nothing yet.
    keys(&mut harness, egui::Modifiers::COMMAND, Key::P);
    harness.event(egui::Event::Text("Export Excel".to_owned()));
    harness.run_steps(3);
    key(&mut harness, Key::Enter);
    assert!(shows(&harness, "Write file") && seen.lock().unwrap().is_empty());
    harness.get_by_label("Cancel").focus();
    harness.run_steps(2);
    key(&mut harness, Key::Enter);
    assert!(!shows(&harness, "Write file") && seen.lock().unwrap().is_empty(), "that was the button's");
    keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
    harness.key_press(Key::Enter);
    wait(&mut harness, "the export", |_| !seen.lock().unwrap().is_empty());
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[test]
fn a_picture_shows_the_rows_of_the_screen() {
    let home = tempfile::tempdir().unwrap();
    let (mut harness, seen) = with_run(&home);
    let whole = write(&mut harness, "SVG picture", &seen);
    assert_eq!(whole.rows, Some((document(&harness).grid_rows(), Sort::Degree)));
    assert_eq!(document(&harness).grid_rows().len(), 5);
    press(&mut harness, "Sort by");
    press(&mut harness, "Name");
    press(&mut harness, "Filter");
    enter(&mut harness, "Code or title contains", "3");
    key(&mut harness, Key::Escape);
    assert!(shows(&harness, "1 of 5 exams"));
    keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
    press(&mut harness, "PNG picture");
    assert!(shows(&harness, "Rows as in the grid: 1 of 5 exams, as filtered, sorted by name"));
    press(&mut harness, "Write file");
    wait(&mut harness, "the export", |_| !seen.lock().unwrap().is_empty());
    assert_eq!(seen.lock().unwrap().pop().unwrap().rows, Some((vec![2], Sort::Name)));
}

#[test]
fn a_low_window_shows_the_file_and_what_is_wrong_beside_the_chosen_format() {
    let home = tempfile::tempdir().unwrap();
    let (mut harness, _) = with_run(&home);
    harness.set_size(egui::vec2(1024.0, 640.0));
    settle(&mut harness);
    keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
    let visible = |harness: &Window, label: &str| {
        let bounds = harness.get_by_label_contains(label).rect();
        bounds.top() >= 0.0 && bounds.bottom() <= 640.0
    };
    let foreign = home.path().join("plan.xlsx");
    std::fs::write(&foreign, "written by somebody").unwrap();
    enter(&mut harness, "Path of the export", &foreign.display().to_string());
    harness.run_steps(4);
    for label in ["Path of the export", "plan.xlsx is there already", "Write file", "Cancel"] {
        assert!(visible(&harness, label), "{label}");
    }
    // A format from the end of the list is in view when the dialog opens with it.
    press(&mut harness, "Cancel");
    let formats = harness.state().view().unwrap().formats();
    let last = formats.last().unwrap();
    keys(&mut harness, egui::Modifiers::COMMAND, Key::P);
    harness.event(egui::Event::Text(format!("Export {}", last.name)));
    harness.run_steps(3);
    key(&mut harness, Key::Enter);
    settle(&mut harness);
    assert!(visible(&harness, last.name) && visible(&harness, "Path of the export"));
}

/// A window whose exports are written, with a run of the five exams.
fn writing(home: &tempfile::TempDir) -> Window {
    let plan = Timetable::of(vec![0, 1, 0, 1, 3]);
    window(support::planned_with(Services::default(), support::chain(6), plan, home.path()))
}

#[test]
fn the_chosen_format_is_written_whatever_the_name() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = writing(&home);
    let mut export = |format: &str, name: &str| {
        keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
        press(&mut harness, format);
        enter(&mut harness, "Path of the export", &home.path().join(name).display().to_string());
        press(&mut harness, "Write file");
        wait(&mut harness, "the file", |harness| !shows(harness, "Path of the export"));
    };
    let read = |name: &str| std::fs::read(home.path().join(name)).unwrap();
    export("CSV by period", "period.csv");
    assert!(String::from_utf8(read("period.csv")).unwrap().starts_with("\u{feff}period,date,start,end,seats,code"));
    export("CSV table", "exams.csv");
    assert!(String::from_utf8(read("exams.csv")).unwrap().starts_with("\u{feff}code,title"));
    export("PDF report", "Bericht.pdf");
    export("Notice board", "Plan.pdf");
    let is_report = |name: &str| String::from_utf8_lossy(&read(name)).contains("chain: report on the timetable");
    assert!(is_report("Bericht.pdf") && !is_report("Plan.pdf"));
    // A name without an ending gets that of the format.
    export("Solution file", "plan");
    assert_eq!(String::from_utf8(read("plan.sol")).unwrap(), "A1 0\nB2 1\nC3 0\nD4 1\nE5 3\n");
}

#[test]
fn an_ending_that_contradicts_the_format_is_asked_about() {
    use egui_kittest::kittest::NodeT;
    let home = tempfile::tempdir().unwrap();
    let mut harness = writing(&home);
    let field =
        |harness: &Window| harness.get_by_label("Path of the export").accesskit_node().value().unwrap_or_default();
    let at = |name: &str| home.path().join(name).display().to_string();
    keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
    press(&mut harness, "Excel workbook");
    enter(&mut harness, "Path of the export", &at("plan.pdf"));
    assert!(shows(&harness, "The name ends in .pdf, but the format is Excel workbook (.xlsx)"));
    assert!(harness.get_by_label("Write file").accesskit_node().is_disabled());
    press(&mut harness, "Name it plan.xlsx");
    assert_eq!(field(&harness), at("plan.xlsx"));
    assert!(!shows(&harness, "The name ends in"));
    enter(&mut harness, "Path of the export", &at("plan.sol"));
    press(&mut harness, "Write Solution file");
    assert!(!harness.get_by_label("Write file").accesskit_node().is_disabled());
    press(&mut harness, "Write file");
    wait(&mut harness, "the file", |harness| !shows(harness, "Path of the export"));
    assert!(std::fs::read_to_string(at("plan.sol")).unwrap().starts_with("A1 0\n"));
}

#[test]
fn a_format_that_is_not_possible_says_why() {
    use egui_kittest::kittest::NodeT;
    let home = tempfile::tempdir().unwrap();
    let mut harness = writing(&home);
    keys(&mut harness, egui::Modifiers::COMMAND, Key::E);
    for format in ["Calendar", "Calendars of students"] {
        let mut choices =
            harness.get_all_by_label(format).filter(|node| node.accesskit_node().role() == egui::Role::RadioButton);
        assert!(choices.next().unwrap().accesskit_node().is_disabled(), "{format}");
    }
    assert_eq!(harness.get_all_by_label("The periods have no dates; make a calendar first (menu Edit)").count(), 2);
}
