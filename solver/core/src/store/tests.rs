use super::*;
use crate::testing::{Toy, result, toy as profile};

/// The problem of the runs.
fn toy() -> &'static dyn Problem {
    static TOY: Toy = Toy(&profile("toy"));
    registry::register(&[&TOY]);
    &TOY
}

#[test]
fn finished_runs_come_back_oldest_first_and_equal_names_do_not_collide() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    store.keep("abc", &result(2, 20)).unwrap();
    store.keep("abc", &result(1, 10)).unwrap();
    store.keep("abc", &result(1, 10)).unwrap();
    store.keep("other", &result(9, 5)).unwrap();
    let (runs, problems) = store.runs("abc", toy());
    assert!(problems.is_empty());
    assert_eq!(runs.iter().map(|run| run.result.seed).collect::<Vec<_>>(), [1, 1, 2]);
}

#[test]
fn an_interrupted_run_is_recovered_once_and_a_running_one_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let running = store.begin("abc").unwrap();
    running.save(&result(3, 30)).unwrap();
    assert!(store.runs("abc", toy()).0.is_empty(), "it still runs");
    // The program dies: the system lets go of the lock, the files stay.
    drop(running);
    assert_eq!(store.runs("abc", toy()).0.len(), 1);
    assert_eq!(store.runs("abc", toy()).0.len(), 1, "recovered, not doubled");
    let finished = store.begin("abc").unwrap();
    finished.save(&result(4, 40)).unwrap();
    finished.discard();
    assert_eq!(store.runs("abc", toy()).0.len(), 1, "nothing is left of a run that was kept elsewhere");
}

#[test]
fn a_run_that_is_kept_elsewhere_leaves_no_folder() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let [first, second] = [(), ()].map(|()| store.begin("abc").unwrap());
    first.discard();
    second.save(&result(4, 40)).unwrap();
    assert!(home.path().join("runs/abc").exists(), "the other run goes on");
    second.discard();
    assert_eq!(std::fs::read_dir(home.path().join("runs")).unwrap().count(), 0);
}

#[test]
fn a_run_that_the_store_cannot_take_lies_where_only_its_user_reads() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("runs"), "a file, no folder").unwrap();
    let paths = [1, 2].map(|seed| {
        let (path, why) = Store::at(home.path()).keep_somewhere("abc", &result(seed, 10)).unwrap();
        assert!(why.is_some() && registry::load_result(&path).is_ok());
        path
    });
    assert_ne!(paths[0].parent(), paths[1].parent());
    for folder in paths.iter().map(|path| path.parent().unwrap()) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_broken_file_is_reported_and_hides_no_other() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let path = store.keep("abc", &result(1, 10)).unwrap();
    std::fs::write(path.with_file_name("11-broken.ron"), "(").unwrap();
    let (runs, problems) = store.runs("abc", toy());
    assert_eq!((runs.len(), problems.len()), (1, 1));
    assert!(problems[0].to_string().contains("11-broken.ron:1"));
}

#[test]
fn preferences_survive_and_unknown_ones_do_not_break_them() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    assert_eq!(store.load_state().unwrap(), State::default());
    let mut state = State { theme: ThemeChoice::Dark, ..State::default() };
    for number in 0..20 {
        let name = format!("file {}", number % 15);
        let problem = "toy".to_owned();
        state.remember(Recent { source: name.clone(), name, problem, ..Recent::default() });
    }
    assert_eq!(state.recent.len(), RECENT);
    assert_eq!(state.recent[0].name, "file 4");
    store.save_state(&state).unwrap();
    assert_eq!(store.load_state().unwrap(), state);
    std::fs::write(home.path().join("state.ron"), "(theme: Light)").unwrap();
    let read = store.load_state().unwrap();
    assert_eq!((read.theme, read.text_size, read.reopen), (ThemeChoice::Light, 100, false));
}

#[test]
fn damaged_preferences_are_put_aside_under_a_free_name() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let path = home.path().join("state.ron");
    let damaged: [&[u8]; 3] = [b"(theme: Dark, recent: [", b"(theme: \xff)", b"(theme: Purple)"];
    for (content, name) in damaged.iter().zip(["state.unreadable", "state.unreadable-2", "state.unreadable-3"]) {
        std::fs::write(&path, content).unwrap();
        let error = store.load_state().unwrap_err().to_string();
        assert!(error.contains("state.ron") && error.contains(name), "{error}");
        store.save_state(&State::default()).unwrap();
        assert_eq!(store.load_state().unwrap(), State::default());
        assert_eq!(&std::fs::read(home.path().join(name)).unwrap(), content, "nothing is overwritten");
    }
}

#[test]
fn what_died_while_writing_is_swept_from_all_folders() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let run = store.keep("abc", &result(1, 10)).unwrap();
    let rest = [home.path().join(".gridwright-aaaaaa.tmp"), run.with_file_name(".gridwright-bbbbbb.tmp")];
    for path in &rest {
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(90);
        File::create(path).unwrap().set_modified(old).unwrap();
    }
    store.sweep();
    assert!(rest.iter().all(|path| !path.exists()) && run.exists());
    Store::at(home.path().join("nowhere")).sweep();
}

#[test]
fn pinned_files_stay_in_the_list_and_pinned() {
    let file = |name: &str, pinned| Recent { source: name.to_owned(), pinned, ..Recent::default() };
    let mut state = State::default();
    state.remember(file("kept", true));
    for number in 0..30 {
        state.remember(file(&format!("{number}"), false));
    }
    assert_eq!(state.recent.len(), RECENT);
    assert!(state.recent.iter().any(|recent| recent.source == "kept"));
    state.remember(file("kept", false));
    assert!(state.recent[0].source == "kept" && state.recent[0].pinned, "opening it again does not unpin it");
}

#[test]
fn what_a_killed_lesson_left_is_removed_and_other_lessons_are_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path());
    let fill = |lesson: &LessonStore| files::write(&lesson.store().home().join("runs/x.ron"), b"x").unwrap();
    let (killed, going_on) = (store.lesson(), store.lesson());
    [&killed, &going_on].into_iter().for_each(fill);
    // The lock of a program that is killed is free.
    drop(killed);
    store.remove_left_lessons();
    let entries = || paths_in(&home.path().join("lessons"), &|_| true).len();
    assert_eq!(entries(), 2, "the lesson that goes on and its lock");
    assert!(going_on.store().home().join("runs/x.ron").exists());
    going_on.remove();
    assert_eq!(entries(), 0);
}
