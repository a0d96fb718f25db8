//! The import dialog keeps what a person has chosen when files are read again.

use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::Store;
use gridwright_window::services::Services;

use crate::support;
use crate::support::person::{Window, drop_file, press, press_like, shows, sized, wait};

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
