//! The import dialog keeps what a person has chosen when files are read again.

use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::Store;
use gridwright_window::services::Services;

use super::type_in;
use crate::support;
use crate::support::person::{
    AtHome, Window, at_home, document, drop_file, key, press, press_like, shows, sized, wait,
};

/// The chosen entry of a list of choices.
fn chosen(window: &Window, list: &str) -> String {
    let mut nodes = window.get_all_by_label(list).filter(|node| node.accesskit_node().role() == egui::Role::ComboBox);
    nodes.next().unwrap().accesskit_node().value().unwrap_or_default()
}

/// Chooses the entry that begins like this.
fn choose(window: &mut Window, list: &str, entry: &str) {
    press(window, list);
    press_like(window, entry);
}

#[test]
fn a_corrected_file_is_read_again_and_every_choice_stays() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("summer.csv");
    let bad = "List of the office;;\nwho;mark;what\ns1;1;MAT\ns1;2;\ns2;1;PHY\n";
    std::fs::write(&path, bad).unwrap();
    let app =
        support::app(Services { dialogs: false, ..Services::default() }, Store::at(home.path().join("home")), None);
    let mut window = sized(app, [1440.0, 900.0], 1.0);
    window.run();
    press(&mut window, "Import tables…");
    drop_file(&mut window, path.clone());
    wait(&mut window, "the sheet", |window| shows(window, "summer.csv"));
    press(&mut window, "2 Columns");
    window.run();
    if chosen(&window, "Line of the header") != "in line 2" {
        choose(&mut window, "Line of the header", "in line 2: ");
    }
    choose(&mut window, "Column for Student", "who");
    choose(&mut window, "Column for Exam", "what");
    wait(&mut window, "the count", |window| shows(window, "cannot be used"));
    // The office adds a line of titles and a column before the others, and the missing exam.
    let good = "List of the office;;;\nPrinted today;;;\nno;who;mark;what\n1;s1;1;MAT\n2;s1;2;CHE\n3;s2;1;PHY\n";
    std::fs::write(&path, good).unwrap();
    press(&mut window, "Read again");
    wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    assert_eq!(chosen(&window, "Line of the header"), "in line 3");
    assert_eq!(
        (chosen(&window, "Column for Student"), chosen(&window, "Column for Exam")),
        ("who".into(), "what".into())
    );
    // Adding the file once more, and another kind of problem and back, keep all of it as well.
    press(&mut window, "1 Files");
    drop_file(&mut window, path);
    wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    press(&mut window, "Flow shops");
    press(&mut window, "Examination timetables");
    press(&mut window, "Examination timetables");
    wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    press(&mut window, "2 Columns");
    window.run();
    assert_eq!(
        (chosen(&window, "Column for Student"), chosen(&window, "Column for Exam")),
        ("who".into(), "what".into())
    );
}

/// The dialog over a file of this text, once its lines are counted.
fn dialog(text: &'static str, counted: &'static str) -> (AtHome, std::path::PathBuf) {
    let mut at = std::path::PathBuf::new();
    let window = at_home(|home| {
        at = home.path().join("summer.csv");
        std::fs::write(&at, text).unwrap();
        let services = Services { dialogs: false, ..Services::default() };
        let mut window = sized(support::app(services, Store::at(home.path().join("home")), None), [1440.0, 900.0], 1.0);
        window.run();
        press(&mut window, "Import tables…");
        drop_file(&mut window, at.clone());
        wait(&mut window, "the count", |window| shows(window, counted));
        window
    });
    (window, at)
}

#[test]
fn no_button_of_the_dialog_moves_from_step_to_step() {
    let (mut window, _) = dialog("student,exam\ns1,MAT\ns2,\n", "cannot be used");
    let places = |window: &Window| {
        let names = ["Cancel", "Read again", "Next", "Take over", "4 Summary"];
        names.map(|name| window.get_by_label(name).rect().left())
    };
    let before = places(&window);
    for step in ["2 Columns", "3 Problems (1)", "4 Summary", "1 Files"] {
        press(&mut window, step);
        window.run_steps(4);
        assert_eq!(places(&window), before, "{step}");
    }
    // Nor when the number of problems changes.
    press(&mut window, "2 Columns");
    window.run_steps(4);
    press(&mut window, "Line 3, exam: ");
    type_in(&mut window, "PHY");
    key(&mut window, egui::Key::Enter);
    assert_eq!(places(&window), before, "while it is counted");
    wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    assert_eq!(places(&window), before);
}

#[test]
fn a_single_value_is_corrected_in_the_dialog_and_stays_when_the_file_is_read_again() {
    let (mut window, path) = dialog("student,exam\ns1,MAT\ns2,\ns3,CHE\n", "cannot be used");
    press(&mut window, "2 Columns");
    window.run_steps(4);
    press(&mut window, "Line 3, exam: ");
    type_in(&mut window, "PHYS");
    key(&mut window, egui::Key::Escape);
    window.run_steps(4);
    assert!(shows(&window, "cannot be used"), "Escape takes it back");
    press(&mut window, "Line 3, exam: ");
    type_in(&mut window, "PHY");
    // A click elsewhere enters it.
    press(&mut window, "4 Summary");
    wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    assert!(shows(&window, "3 lines read, 1 value corrected here"));
    press(&mut window, "Read again");
    wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    assert!(shows(&window, "1 value corrected here"), "it outlives another reading");
    // A line is added before it: what was corrected is not put into another cell.
    let text = "student,exam\ns0,MAT\ns1,MAT\ns2,\ns3,CHE\n";
    std::fs::write(&path, text).unwrap();
    press(&mut window, "Read again");
    wait(&mut window, "the count", |window| shows(window, "The file has changed where you had corrected it"));
    assert!(shows(&window, "summer.csv, line 3: «PHY»"));
    press(&mut window, "2 Columns");
    wait(&mut window, "the count", |window| shows(window, "3 Problems (1)"));
    press(&mut window, "Line 4, exam: ");
    type_in(&mut window, "BIO");
    press(&mut window, "4 Summary");
    wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    press(&mut window, "Take over");
    wait(&mut window, "the instance", |window| window.state().is_open());
    let instance = &document(&window).instance;
    let codes: Vec<&str> = instance.exams.iter().map(|exam| exam.code.as_str()).collect();
    assert_eq!((codes.contains(&"BIO"), codes.contains(&"PHY"), codes.len()), (true, false, 3));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "the file stays as it is");
}

#[test]
fn the_columns_of_a_workbook_are_those_of_the_first_sheet_that_is_used() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("summer.xlsx");
    let mut book = rust_xlsxwriter::Workbook::new();
    let cover = book.add_worksheet().set_name("Cover").unwrap();
    cover.write(0, 0, "Examinations in summer").unwrap();
    let sheet = book.add_worksheet().set_name("Enrolments").unwrap();
    for (row, cells) in [["student", "exam"], ["s1", "MAT"], ["s2", ""]].iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            sheet.write(row as u32, column as u16, *cell).unwrap();
        }
    }
    book.save(&path).unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let mut window = sized(support::app(services, Store::at(home.path().join("home")), None), [1440.0, 900.0], 1.0);
    window.run();
    press(&mut window, "Import tables…");
    drop_file(&mut window, path);
    wait(&mut window, "the count", |window| shows(window, "cannot be used"));
    press(&mut window, "2 Columns");
    assert!(!shows(&window, "This sheet is not used"));
    assert!(shows(&window, "Column for Student"));
}

#[test]
fn names_that_a_table_lacks_are_decided_for_this_table() {
    let home = tempfile::tempdir().unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let mut window = sized(support::app(services, Store::at(home.path().join("home")), None), [1440.0, 900.0], 1.0);
    window.run();
    press(&mut window, "Import tables…");
    for (name, text) in [
        ("enrolments.csv", "student,exam\ns1,MA100\ns2,CH100\ns9,MA-100\n"),
        ("exams.csv", "code,title\nMA-100,Analysis\nCH-100,Basics\n"),
    ] {
        let path = home.path().join(name);
        std::fs::write(&path, text).unwrap();
        drop_file(&mut window, path);
        wait(&mut window, "the sheet", |window| shows(window, name));
    }
    wait(&mut window, "the count", |window| shows(window, "2 lines or values that cannot be used"));
    press(&mut window, "3 Problems (2)");
    assert!(shows(&window, "Names that “Exams” lacks: 2"));
    press(&mut window, "Mean similar ones");
    wait(&mut window, "the count", |window| shows(window, "Everything is ready"));
    assert!(shows(&window, "Names that “Exams” lacks: 2"), "the choice stays where it can be changed");
}
