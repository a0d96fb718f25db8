//! An export replaces no file that the program did not write, unless the person says so.

use egui::{Event, Key, Modifiers};

use super::{replace, reveal, value};
use crate::support::person::{Window, at_home, enter, file, keys, press, shows, wait};
use crate::{rooms, support};

const FIELD: &str = "Path of the export";

/// Opens the dialog with this format and path.
fn begin(window: &mut Window, format: &str, path: &std::path::Path) {
    keys(window, Modifiers::COMMAND, Key::E);
    press(window, format);
    enter(window, FIELD, &path.display().to_string());
}

fn write(window: &mut Window, button: &str) {
    press(window, button);
    wait(window, "the file", |window| !shows(window, FIELD));
}

#[test]
fn a_workbook_of_somebody_else_is_asked_about_with_its_age() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("session.xlsx");
    std::fs::write(&own, "a workbook of the office").unwrap();
    let hours = std::time::SystemTime::now() - std::time::Duration::from_secs(3 * 86_400);
    std::fs::File::options().write(true).open(&own).unwrap().set_modified(hours).unwrap();
    let mut window = at_home(rooms::open);
    begin(&mut window, "Excel workbook", &own);
    assert!(shows(&window, "session.xlsx is there already: 24 bytes, last changed 3 days ago ("));
    press(&mut window, "Write file");
    assert!(shows(&window, "Replace session.xlsx? Its contents would be lost."));
    window.key_press(Key::Enter);
    window.run_steps(4);
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "a workbook of the office", "Enter replaces nothing");
    press(&mut window, "Choose another name");
    assert_eq!(value(&window, FIELD), folder.path().join("session-timetable.xlsx").display().to_string());
    write(&mut window, "Write file");
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "a workbook of the office");
    // Its own file is replaced without a question, unless somebody has changed it since.
    let written = folder.path().join("session-timetable.xlsx");
    begin(&mut window, "Excel workbook", &written);
    assert!(shows(&window, "The file of the last export is replaced"));
    write(&mut window, "Write file");
    std::fs::write(&written, "changed by the office").unwrap();
    begin(&mut window, "Excel workbook", &written);
    press(&mut window, "Write file");
    assert!(shows(&window, "Replace session-timetable.xlsx?"));
    write(&mut window, "Replace it");
    assert_ne!(std::fs::read(&written).unwrap(), b"changed by the office");
}

#[test]
fn no_file_of_somebody_else_is_suggested() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["plan.pdf", "plan.xlsx", "plan-timetable.xlsx"] {
        std::fs::write(folder.path().join(name), "of the office").unwrap();
    }
    let plan = support::constructed(&support::chain(6));
    let mut window = at_home(|home| support::person::window(support::planned(support::chain(6), plan, home.path())));
    begin(&mut window, "CSV table", &folder.path().join("plan.csv"));
    press(&mut window, "Excel workbook");
    assert_eq!(value(&window, FIELD), folder.path().join("plan-timetable-2.xlsx").display().to_string());
}

/// Folder of the path in a field.
fn folder(window: &Window, field: &str) -> std::path::PathBuf {
    std::path::Path::new(&value(window, field)).parent().unwrap().to_path_buf()
}

#[test]
fn new_files_are_proposed_in_the_folder_of_the_document_or_the_one_used_last() {
    let office = tempfile::tempdir().unwrap();
    let source = office.path().join("small.csv");
    std::fs::write(&source, "student,exam\ns1,MAT\ns1,PHY\ns2,PHY\n").unwrap();
    let mut window = at_home(|home| file(home.path(), source.to_str().unwrap()));
    keys(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    assert_eq!(folder(&window, "Path of the project"), office.path());
    press(&mut window, "Cancel");
    press(&mut window, "Run");
    press(&mut window, "Campaign…");
    press(&mut window, "New campaign…");
    assert_eq!(folder(&window, "Path of the plan"), office.path());
    // A sample has no folder: the last export counts, and never the folder in which the program was started.
    let mut window = at_home(rooms::open);
    keys(&mut window, Modifiers::COMMAND, Key::E);
    let first = folder(&window, FIELD);
    assert!(first.parent().is_some() && first != std::env::current_dir().unwrap(), "{}", first.display());
    enter(&mut window, FIELD, &office.path().join("plan.csv").display().to_string());
    press(&mut window, "CSV table");
    write(&mut window, "Write file");
    keys(&mut window, Modifiers::COMMAND, Key::E);
    assert_eq!(folder(&window, FIELD), office.path());
    press(&mut window, "Cancel");
    keys(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    assert_eq!(folder(&window, "Path of the project"), office.path());
}

/// The hint under the path makes the dialog higher while it is typed, so that it begins to scroll.
#[test]
fn a_path_is_typed_whole_in_a_window_of_any_height() {
    for height in (520..920).step_by(20) {
        let mut window = at_home(rooms::open);
        window.set_size([1280.0, height as f32].into());
        window.run_steps(4);
        keys(&mut window, Modifiers::COMMAND, Key::E);
        reveal(&mut window, FIELD);
        replace(&mut window, FIELD, "");
        let path = "/nowhere/at/all/plan.xlsx";
        for (at, letter) in path.chars().enumerate() {
            window.event(Event::Text(letter.to_string()));
            window.run_steps(2);
            assert!(at != 3 || shows(&window, "The file will be named"), "{height} points high");
        }
        assert_eq!(value(&window, FIELD), path, "{height} points high");
    }
}
