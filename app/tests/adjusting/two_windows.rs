//! Two windows and a command line on one project: no edit is lost without a question.
//!
//! The windows are documents in processes of their own, which this test starts as itself, with the same project and the same
//! folder of the program. Each pins the exams of its own half one after the other, takes some pins back, saves at random
//! moments, and decides at random when it is asked whose changes stay. Every edit, and every edit that an answer gave up, is
//! a line on the standard output. Meanwhile the command line reads and solves the project. In the end every edit must be in
//! the project, in a copy that was saved elsewhere, or among those that were given up.
//!
//! `GRIDWRIGHT_EDITS` is the number of edits; 200 by default, 1,000 take about ten seconds.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use gridwright_core::files::Stamp;
use gridwright_core::problem::Overrides;
use gridwright_core::random::Philox;
use gridwright_core::store::Store;
use gridwright_timetabling_views::Document;
use gridwright_timetabling_views::editing::Edit;
use gridwright_timetabling_views::methods::*;
use gridwright_window::document::ProblemView;
use gridwright_window::problem::OpenRequest;
use gridwright_window::registry;
use gridwright_window::services::Services;

const EDITS: usize = 200;
const PERIODS: usize = 5;
const FOLDER: &str = "GRIDWRIGHT_TWO_WINDOWS";
const WINDOW: &str = "GRIDWRIGHT_TWO_WINDOWS_NUMBER";

fn edits() -> usize {
    std::env::var("GRIDWRIGHT_EDITS").ok().and_then(|text| text.parse().ok()).unwrap_or(EDITS)
}

fn project(folder: &Path) -> PathBuf {
    folder.join("ours.gridwright")
}

fn open(source: &Path, store: &Store) -> Box<dyn ProblemView> {
    gridwright::register();
    let options: Overrides = [("periods".to_owned(), PERIODS.to_string())].into_iter().collect();
    let none = Overrides::default();
    let options = if source.extension().is_some_and(|ending| ending == "csv") { &options } else { &none };
    let services = Services { dialogs: false, ..Services::default() };
    let source = source.display().to_string();
    let ui = registry::ui_of(gridwright_core::registry::owner(&source)).unwrap();
    let (source, options, services) = (source.as_str(), options, &services);
    let request = OpenRequest { source, options, services, store, settings: None, former: None, located: None };
    (ui.open_document)(&request).unwrap_or_else(|error| panic!("{source}: {error}")).0
}

fn session(document: &dyn ProblemView) -> &Document {
    document.as_any().downcast_ref().unwrap()
}

/// Exams that are pinned in a document.
fn pins(document: &dyn ProblemView) -> BTreeSet<usize> {
    session(document).rules().pins.keys().copied().map(usize::from).collect()
}

/// Exams that are pinned in a project file.
fn pins_in(path: &Path) -> BTreeSet<usize> {
    // A window of another person, with a folder of its own.
    let home = tempfile::tempdir().unwrap();
    pins(&*open(path, &Store::at(home.path())))
}

fn say(word: &str, exams: impl IntoIterator<Item = usize>) {
    let mut out = std::io::stdout().lock();
    let exams: Vec<String> = exams.into_iter().map(|exam| exam.to_string()).collect();
    writeln!(out, "\n@{word} {}", exams.join(" ")).unwrap();
}

/// A window without a display.
struct Window {
    store: Store,
    folder: PathBuf,
    number: usize,
    document: Box<dyn ProblemView>,
    random: Philox,
    drawn: u32,
    copies: usize,
}

impl Window {
    fn below(&mut self, end: u32) -> u32 {
        self.drawn += 1;
        self.random.words(self.number as u32, self.drawn, 0, 0)[0] % end
    }

    fn rest(&mut self) {
        let pause = self.below(8);
        std::thread::sleep(Duration::from_millis(u64::from(pause)));
    }

    fn edit(&mut self, edit: Edit) {
        let document: &mut Document = self.document.as_any_mut().downcast_mut().unwrap();
        document.apply(vec![edit]).unwrap();
    }

    /// Saves as the window does; answers questions about the changes of others.
    fn save(&mut self, always: bool) {
        if let Some(saving) = self.document.saving(always) {
            (saving.write)(&self.store).unwrap();
        }
        if self.document.keeper().is_contested() {
            self.answer();
        }
    }

    fn answer(&mut self) {
        // A person takes time to answer, and edits have been kept in the program's own copy only.
        self.rest();
        say("asked", []);
        match self.below(3) {
            0 => self.overwrite(),
            1 => {
                self.copies += 1;
                let copy = self.folder.join(format!("copy-{}-{}.gridwright", self.number, self.copies));
                self.document.set_project_file(copy);
                self.save(true);
                self.reopen();
            }
            _ => self.reopen(),
        }
    }

    /// Overwrites the changes of the other window, which gives up what they are at this moment.
    fn overwrite(&mut self) {
        let path = project(&self.folder);
        loop {
            let stamp = Stamp::of(&path);
            let theirs = pins_in(&path);
            self.document.keeper_mut().overwrite();
            if Stamp::of(&path) == stamp {
                return say("lost", theirs.difference(&pins(&*self.document)).copied());
            }
        }
    }

    /// Opens the file as it is now, and decides about this window's changes.
    fn reopen(&mut self) {
        let dropped = pins(&*self.document);
        let is_elsewhere = self.document.project_file() != Some(&project(&self.folder));
        self.document = open(&project(&self.folder), &self.store);
        if self.document.newer().is_none() {
            return;
        }
        let theirs = pins(&*self.document);
        // Undecided changes of a window that ended are always used first; then they are known.
        if is_elsewhere || self.below(2) == 0 {
            self.document.decide_newer(true).unwrap();
            let newer = pins(&*self.document);
            say("lost", theirs.difference(&newer).copied());
            if self.below(2) == 0 {
                self.document.undo().unwrap();
                say("lost", newer.difference(&pins(&*self.document)).copied());
            }
        } else {
            self.document.decide_newer(false).unwrap();
            say("lost", dropped.difference(&theirs).copied());
        }
    }
}

/// A process that stands for a window.
#[test]
#[ignore = "is started by the other test"]
fn a_window_at_work() {
    let (Some(folder), Some(number)) = (std::env::var_os(FOLDER), std::env::var(WINDOW).ok()) else { return };
    let (folder, number): (PathBuf, usize) = (folder.into(), number.parse().unwrap());
    let store = Store::at(folder.join("home"));
    let document = open(&project(&folder), &store);
    let mut window = Window { store, folder, number, document, random: Philox::new(1), drawn: 0, copies: 0 };
    for exam in (0..edits()).filter(|exam| exam % 2 == number) {
        let period = window.below(PERIODS as u32) as usize;
        window.edit(Edit::Pin { exam, period: Some(period) });
        say("edit", [exam]);
        if window.below(10) == 0 {
            let before = pins(&*window.document);
            window.document.undo().unwrap();
            say("lost", before.difference(&pins(&*window.document)).copied());
        }
        if window.below(3) > 0 {
            window.save(false);
        }
        window.rest();
    }
    // It is closed: everything is saved.
    while window.document.has_changed() || window.document.keeper().is_contested() {
        window.save(true);
    }
    say("end", []);
}

/// Reads and solves the project, and tries to overwrite it, until both windows have ended.
fn command_line(folder: &Path, windows: &mut [Child; 2]) -> usize {
    let path = project(folder);
    let run = |words: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_gridwright"));
        program.current_dir(folder).env("GRIDWRIGHT_HOME", folder.join("home"));
        let output = program.args(words).stdin(Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let source = path.to_str().unwrap();
    let mut commands = 0;
    while windows.iter_mut().any(|window| window.try_wait().unwrap().is_none()) {
        let solve = ["solve", source, "--seconds", "0.05", "--threads", "1", "--quiet", "--out"];
        for (words, code) in [
            (vec!["info", source, "--json"], 0),
            ([&solve[..], &["result.ron"]].concat(), 0),
            ([&solve[..], &[source]].concat(), 2),
        ] {
            let (ended, errors) = run(&words);
            assert_eq!(ended, Some(code), "{words:?}: {errors}");
            commands += 1;
        }
    }
    commands
}

#[test]
fn no_edit_of_two_windows_is_lost_without_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path().join("home"));
    let table = folder.path().join("enrolments.csv");
    let rows = (0..edits()).map(|exam| format!("s{exam},E{exam:04}\n"));
    std::fs::write(&table, format!("student,exam\n{}", rows.collect::<String>())).unwrap();
    let mut document = open(&table, &store);
    document.set_project_file(project(folder.path()));
    (document.saving(true).unwrap().write)(&store).unwrap();
    drop(document);

    let start = |number: usize| {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["adjusting::two_windows::a_window_at_work", "--exact", "--ignored", "--nocapture"]);
        program.env(FOLDER, folder.path()).env(WINDOW, number.to_string());
        let out = std::fs::File::create(folder.path().join(format!("window-{number}"))).unwrap();
        program.stdout(out).stdin(Stdio::null()).spawn().unwrap()
    };
    let mut windows = [start(0), start(1)];
    let commands = command_line(folder.path(), &mut windows);
    let said: String =
        [0, 1].map(|number| std::fs::read_to_string(folder.path().join(format!("window-{number}"))).unwrap()).concat();
    for mut window in windows {
        assert!(window.wait().unwrap().success(), "{said}");
    }
    let lines = |word: &str| {
        let lines = said.lines().filter_map(|line| line.strip_prefix('@')?.split_once(' '));
        lines.filter(|line| line.0 == word).map(|line| line.1.to_owned()).collect::<Vec<_>>()
    };
    let exams = |word: &str| -> BTreeSet<usize> {
        lines(word).iter().flat_map(|line| line.split_whitespace().map(|exam| exam.parse().unwrap())).collect()
    };
    let copies = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let saved = copies.filter(|path| path.extension().is_some_and(|ending| ending == "gridwright"));
    let kept: BTreeSet<usize> = saved.flat_map(|path| pins_in(&path)).collect();
    let (made, given_up) = (exams("edit"), exams("lost"));
    let asked = lines("asked").len();
    println!(
        "{} edits, {asked} questions, {} edits given up by answers or undone and in no file, {commands} commands",
        made.len(),
        given_up.difference(&kept).count()
    );
    assert_eq!((made.len(), lines("end").len()), (edits(), 2));
    assert!(asked > 0, "the windows never got into each other's way");
    let lost: Vec<&usize> = made.difference(&kept).filter(|exam| !given_up.contains(exam)).collect();
    assert!(lost.is_empty(), "lost without a question: {lost:?}");
}
