//! The built-in file dialog as a person uses it where the system has none.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_window::services::Services;
use gridwright_window::window::App;

use crate::support::person::{self, Window, enter, key, keys, names, press, settle, shows, wait};

/// A window over a home with a folder of instances.
fn at(folder: &Path, source: Option<&str>) -> Window {
    let files = folder.join("files");
    std::fs::create_dir_all(files.join("Archive")).unwrap();
    std::fs::create_dir_all(files.join("Autumn")).unwrap();
    std::fs::write(files.join("session10.csv"), "Student,Exam\nS1,MAT\nS2,PHY\nS1,PHY\n").unwrap();
    std::fs::write(files.join("session9.csv"), "Student,Exam\nS1,MAT\nS2,PHY\n").unwrap();
    std::fs::write(files.join("notes.odt"), "no instance").unwrap();
    std::fs::write(files.join(".hidden.csv"), "Student,Exam\nS1,MAT\nS2,PHY\n").unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    person::open(services, &folder.join("home"), source)
}

/// Opens the dialog and shows the folder.
fn open_at(window: &mut Window, folder: &Path) {
    keys(window, Modifiers::COMMAND, Key::O);
    wait(window, "the dialog", |window| shows(window, "Open an instance"));
    go_to(window, folder);
}

/// Enters a folder by its path.
fn go_to(window: &mut Window, folder: &Path) {
    keys(window, Modifiers::COMMAND, Key::L);
    enter(window, "Path of the file or folder", &folder.display().to_string());
    key(window, Key::Enter);
    wait(window, "the folder", |window| path(window) == format!("{}/", folder.display()));
    wait(window, "its list", |window| !shows(window, "The folder is being read"));
    window.run_steps(3);
}

/// The text of the path field.
fn path(window: &Harness<'_, App>) -> String {
    let field = window.get_by_role_and_label(egui::Role::TextInput, "Path of the file or folder");
    field.accesskit_node().value().unwrap_or_default()
}

/// Names of the listed files and folders, in their order on the screen.
fn listed(window: &Harness<'_, App>) -> Vec<String> {
    let rows =
        [", folder", ", file"].map(|kind| names(window, "").into_iter().filter(move |name| name.ends_with(kind)));
    rows.into_iter().flatten().collect()
}

/// Names of the chosen rows.
fn chosen(window: &Harness<'_, App>) -> Vec<String> {
    let nodes =
        window.query_all_by(|node| node.is_selected() == Some(true) && node.role() == egui::Role::ListBoxOption);
    let names = nodes.map(|node| node.accesskit_node().label().unwrap_or_default());
    names.filter(|name| name.ends_with(", file") || name.ends_with(", folder")).collect()
}

#[test]
fn a_file_is_found_by_arrows_and_opened_by_enter() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = at(folder.path(), None);
    open_at(&mut window, &folder.path().join("files"));
    assert_eq!(listed(&window), ["Archive, folder", "Autumn, folder", "session9.csv, file", "session10.csv, file"]);
    for expected in ["Archive, folder", "Autumn, folder", "session9.csv, file"] {
        key(&mut window, Key::ArrowDown);
        assert_eq!(chosen(&window), [expected]);
    }
    // Down and up again, to the ends, and by letters.
    key(&mut window, Key::Home);
    assert_eq!(chosen(&window), ["Archive, folder"]);
    key(&mut window, Key::End);
    assert_eq!(chosen(&window), ["session10.csv, file"]);
    window.event(egui::Event::Text("au".to_owned()));
    window.run_steps(2);
    assert_eq!(chosen(&window), ["Autumn, folder"]);
    key(&mut window, Key::Enter);
    wait(&mut window, "the folder", |window| path(window).ends_with("Autumn/"));
    wait(&mut window, "its emptiness", |window| shows(window, "This folder is empty."));
    key(&mut window, Key::Backspace);
    wait(&mut window, "the folder above", |window| path(window).ends_with("files/"));
    wait(&mut window, "the folder that was left", |window| chosen(window) == ["Autumn, folder"]);
    key(&mut window, Key::ArrowDown);
    key(&mut window, Key::Enter);
    wait(&mut window, "the instance", |window| window.state().is_open());
    assert!(window.state().view().unwrap().source().ends_with("files/session9.csv"));
    assert!(!shows(&window, "Path of the file or folder"));
}

#[test]
fn filters_hidden_files_and_sorting_change_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = at(folder.path(), None);
    open_at(&mut window, &folder.path().join("files"));
    press(&mut window, "Hidden files");
    assert!(listed(&window).contains(&".hidden.csv, file".to_owned()), "{:?}", listed(&window));
    keys(&mut window, Modifiers::COMMAND, Key::H);
    assert!(!listed(&window).contains(&".hidden.csv, file".to_owned()));
    press(&mut window, "Files that are listed");
    press(&mut window, "All files");
    assert!(listed(&window).contains(&"notes.odt, file".to_owned()), "{:?}", listed(&window));
    press(&mut window, "Sort by Size");
    let files = ["notes.odt, file", "session9.csv, file", "session10.csv, file"];
    assert_eq!(listed(&window)[2..], files);
    press(&mut window, "Sort by Size");
    assert_eq!(listed(&window)[2..], [files[2], files[1], files[0]]);
}

#[test]
fn typed_paths_are_completed_and_wrong_ones_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = at(folder.path(), None);
    let files = folder.path().join("files");
    open_at(&mut window, &files);
    keys(&mut window, Modifiers::COMMAND, Key::L);
    enter(&mut window, "Path of the file or folder", &files.join("se").display().to_string());
    wait(&mut window, "completions", |window| shows(window, "Tab completes:"));
    key(&mut window, Key::Tab);
    assert_eq!(path(&window), files.join("session").display().to_string());
    press(&mut window, "session10.csv");
    assert_eq!(path(&window), files.join("session10.csv").display().to_string());
    enter(&mut window, "Path of the file or folder", "/none/such");
    key(&mut window, Key::Enter);
    assert!(shows(&window, "There is no file or folder /none/such."));
    press(&mut window, "Computer, ");
    wait(&mut window, "the root", |window| path(window) == "/");
    wait(&mut window, "its list", |window| shows(window, "etc, folder"));
    key(&mut window, Key::Escape);
    wait(&mut window, "the dialog to close", |window| !shows(window, "Open an instance"));
    assert!(!window.state().is_open());
}

#[test]
fn saving_asks_before_a_file_is_replaced_and_makes_folders() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("files");
    let mut window = at(folder.path(), Some("sample:workshop"));
    std::fs::write(files.join("plan.gridwright"), "another project").unwrap();
    let save = |window: &mut Window| {
        keys(window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
        wait(window, "the dialog", |window| shows(window, "Save project"));
        settle(window);
        press(window, "Choose…");
        wait(window, "the file dialog", |window| shows(window, "Name of the file"));
        go_to(window, &files);
    };
    save(&mut window);
    enter(&mut window, "Name of the file", "plan");
    press_in_dialog(&mut window, "Save");
    assert!(shows(&window, "plan.gridwright exists already."));
    // A second Enter replaces nothing, Escape takes the question away.
    key(&mut window, Key::Enter);
    key(&mut window, Key::Escape);
    assert!(!shows(&window, "exists already") && shows(&window, "Name of the file"));
    assert_eq!(std::fs::read_to_string(files.join("plan.gridwright")).unwrap(), "another project");
    press(&mut window, "New folder");
    enter(&mut window, "Name of the new folder", "Plans");
    key(&mut window, Key::Enter);
    wait(&mut window, "the new folder", |window| path(window).ends_with("files/Plans/"));
    enter(&mut window, "Name of the file", "plan");
    press_in_dialog(&mut window, "Save");
    let kept = files.join("Plans/plan.gridwright");
    wait(&mut window, "the project", |_| kept.is_file());
    save(&mut window);
    enter(&mut window, "Name of the file", "plan.gridwright");
    press_in_dialog(&mut window, "Save");
    press_in_dialog(&mut window, "Replace");
    let replaced = files.join("plan.gridwright");
    wait(&mut window, "the replaced project", |_| {
        std::fs::read(&replaced).is_ok_and(|text| text != b"another project")
    });
}

/// Presses the last button of this name, which is the one of the dialog above all others.
fn press_in_dialog(window: &mut Window, name: &str) {
    let nodes = window.get_all_by_role_and_label(egui::Role::Button, name);
    nodes.last().expect("the button").click();
    window.run_steps(4);
}

#[test]
fn several_tables_are_chosen_for_an_import() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = at(folder.path(), None);
    window.run();
    press(&mut window, "Import tables…");
    window.run();
    press(&mut window, "Choose…");
    wait(&mut window, "the dialog", |window| shows(window, "Choose files with tables"));
    go_to(&mut window, &folder.path().join("files"));
    keys(&mut window, Modifiers::COMMAND, Key::A);
    assert_eq!(chosen(&window), ["session9.csv, file", "session10.csv, file"]);
    press(&mut window, "Open 2 files");
    wait(&mut window, "both files", |window| shows(window, "session9.csv") && shows(window, "session10.csv"));
}

#[test]
fn a_folder_that_cannot_be_read_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = at(folder.path(), None);
    let files: PathBuf = folder.path().join("files");
    open_at(&mut window, &files);
    std::fs::remove_dir_all(files.join("Archive")).unwrap();
    key(&mut window, Key::ArrowDown);
    key(&mut window, Key::Enter);
    wait(&mut window, "the reason", |window| shows(window, "Archive does not exist."));
    press(&mut window, "Folder above (Alt+Up)");
    wait(&mut window, "the folder above", |window| listed(window).contains(&"Autumn, folder".to_owned()));
}
