//! The program as it is installed: data beside it, and what it says where no window can be opened.

use std::path::PathBuf;
use std::process::Command;

use gridwright_tests::{gridwright, output_of};

use super::test_folder::{Answer, TestFolder};

/// A copy of the program in a folder of its own.
fn copied(folder: &TestFolder) -> PathBuf {
    let program = gridwright().get_program().to_owned();
    let copy = folder.path(&format!("gridwright{}", std::env::consts::EXE_SUFFIX));
    // A program that was just written cannot be started while another test starts one of its own: a link is enough.
    std::fs::hard_link(&program, &copy).or_else(|_| std::fs::copy(&program, &copy).map(drop)).unwrap();
    copy
}

#[test]
fn a_portable_copy_keeps_its_data_beside_it_from_the_first_start_with_the_option() {
    let folder = TestFolder::new();
    let program = copied(&folder);
    let solve = |words: &[&str]| {
        let line = ["solve", "sample:workshop", "--seconds", "1.5", "--quiet"];
        let mut command = Command::new(&program);
        command.args(words).args(line).env_remove("GRIDWRIGHT_HOME").current_dir(folder.folder.path());
        for variable in ["HOME", "XDG_DATA_HOME", "APPDATA"] {
            command.env(variable, folder.path("home"));
        }
        Answer::of(&output_of(&mut command)).code
    };
    let (beside, home) = (folder.path("gridwright-data"), folder.path("home"));
    assert_eq!(solve(&["--portable"]), 0);
    assert!(beside.join("runs").is_dir() && !home.exists(), "{:?}", folder.files());
    assert_eq!(solve(&[]), 0);
    assert!(!home.exists(), "the copy stays portable");
    // Windows itself says where the person's folder is, whatever the variables say; a test leaves that folder alone.
    if cfg!(windows) {
        return;
    }
    std::fs::remove_dir_all(&beside).unwrap();
    assert_eq!(solve(&[]), 0);
    assert!(home.exists() && !beside.exists(), "a copy that nobody made portable uses the person's folder");
}

#[test]
fn two_places_for_data_are_refused() {
    let folder = TestFolder::new();
    let mut command = Command::new(copied(&folder));
    let home = folder.path("home");
    let answer = Answer::of(&output_of(command.args(["--portable", "devices"]).env("GRIDWRIGHT_HOME", home)));
    assert_eq!(answer.code, 2, "{}", answer.errors);
    assert!(answer.errors.contains("leave out --portable"), "{}", answer.errors);
    assert!(!folder.path("gridwright-data").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_no_window_can_show_is_told_in_one_sentence() {
    let folder = TestFolder::new();
    let mut command = gridwright();
    command.arg("sample:workshop").env("DISPLAY", ":9871").current_dir(folder.folder.path());
    let answer = Answer::of(&output_of(&mut command));
    assert_eq!(answer.code, 3, "{}", answer.errors);
    assert_eq!(answer.errors.lines().count(), 1, "{}", answer.errors);
    assert!(answer.errors.contains("gridwright solve sample:workshop"), "{}", answer.errors);
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}
