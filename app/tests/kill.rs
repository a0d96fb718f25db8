//! The program is killed at random moments, while it solves and while it saves: what it had on disk is whole afterwards.
//!
//! Each time this test starts itself as another process: a window without a display that solves again and again while
//! exams are moved, pinned and let go by keys, and that says on its standard output what it has. It is ended by SIGKILL.
//! Then the same folder is opened by another window, and what comes back is compared with what was said.
//!
//! `GRIDWRIGHT_KILLS` says how often (`.ci/kill`).

#![cfg(unix)]

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_core::project::{self, Project};
use gridwright_core::random::Philox;
use gridwright_core::search::Budget;
use gridwright_core::store::Store;
use gridwright_core::store::document_key;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::run;
use gridwright_timetabling_views::Document;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_window::document::ProblemView;
use gridwright_window::runs::RunStatus;
use gridwright_window::services::Services;
use gridwright_window::theme;
use gridwright_window::window::App;

use crate::support::Documents as _;

/// Kills where nobody says how many.
const KILLS: u32 = 2;
/// Length of the runs that the process makes, in seconds: some end before the kill.
const RUN: f64 = 6.0;
/// Changes are on disk after half a second, better timetables after one; the rest is for threads that wait their turn.
const CHANGES_WITHIN: f64 = 0.5;
const BEST_WITHIN: f64 = 1.0;
const SLACK: f64 = 1.5;
/// The person's own project file is written after the program's.
const SECOND_FILE: f64 = 1.0;
/// The process ends by itself after so long, should nobody kill it.
const LIFE: Duration = Duration::from_secs(60);
const FOLDER: &str = "GRIDWRIGHT_KILL_FOLDER";

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64()
}

/// One line, whole or not at all: what has no dot at its end was cut off.
pub fn say(word: &str, what: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n@{word}|{:.4}|{what}|.", now()).unwrap();
    out.flush().unwrap();
}

/// What a person has made of the session, without how it is looked at.
fn state(mut project: Project) -> String {
    project.runs.clear();
    project.view.clear();
    ron::to_string(&project).unwrap()
}

type Window = Harness<'static, App>;

fn window(services: Services, home: &Path, source: &Path, told: Option<&'static str>) -> Window {
    let app = crate::support::app(services, Store::at(home), Some(source.display().to_string()));
    let last = RefCell::new(String::new());
    let builder = Harness::builder().with_size([1440.0, 900.0]).with_max_steps(40).with_context_setup(theme::install);
    let mut harness = builder.build_ui_state(
        move |ui, app: &mut App| {
            app.logic(ui.ctx());
            app.ui(ui);
            // Saving begins in the next frame at the earliest: it is said before it can be on disk.
            if let (Some(word), Some(document)) = (told, app.session()) {
                let now = state(document.to_project());
                if *last.borrow() != now {
                    say(word, &now);
                    last.replace(now);
                }
            }
        },
        app,
    );
    let deadline = Instant::now() + Duration::from_secs(20);
    while harness.state().session().is_none() {
        assert!(Instant::now() < deadline, "{} does not open: {:?}", source.display(), harness.state().notices());
        harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    harness
}

fn press(harness: &mut Window, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(2);
}

/// Solves as the program does, for a shorter time, and says how good the best is.
fn telling() -> Services {
    Services { dialogs: false, ..Services::default() }.replace::<TimetablingViews>(|own| {
        own.solve = Arc::new(|request, control, observer| {
            let mut settings = request.settings.clone();
            settings.stop.budget = Budget::Seconds(RUN);
            say("begin", "");
            let mut best = f64::INFINITY;
            run::solve(&request.instance, &settings, control, &mut |progress| {
                if progress.snapshot.best_cost < best {
                    best = progress.snapshot.best_cost;
                    say("best", &best.to_string());
                }
                observer(progress);
            })
        });
    })
}

/// The process that is killed.
#[test]
#[ignore = "is started and killed by the other test"]
fn a_program_at_work() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let began = Instant::now();
    // Who has a project opens it again.
    let entries = std::fs::read_dir(folder.join("session")).unwrap();
    let project = entries.map(|entry| entry.unwrap().path()).find(|path| project::is_project(path));
    let source = project.clone().unwrap_or_else(|| folder.join("session/enrolments.csv"));
    let mut harness = window(telling(), &folder.join("home"), &source, Some("state"));
    use_newer(&mut harness);
    if project.is_none() {
        press(&mut harness, Modifiers::COMMAND, Key::S);
        press(&mut harness, Modifiers::NONE, Key::Enter);
    }
    let random = Philox::new(u64::from(std::process::id()));
    let codes: Vec<String> = document(&harness).instance.exams.iter().map(|exam| exam.code.clone()).collect();
    let mut listed = document(&harness).runs.len();
    for round in 0.. {
        if began.elapsed() > LIFE {
            return;
        }
        if !document(&harness).is_solving() {
            press(&mut harness, Modifiers::NONE, Key::F5);
        }
        let [exam, what, pause, _] = random.words(0, round, 0, 0);
        select(&mut harness, &codes[exam as usize % codes.len()]);
        match what % 8 {
            0..4 => press(&mut harness, Modifiers::NONE, Key::P),
            4 => press(&mut harness, Modifiers::COMMAND, Key::Z),
            5 => press(&mut harness, Modifiers::ALT, Key::ArrowLeft),
            6 => press(&mut harness, Modifiers::ALT, Key::ArrowRight),
            _ => press(&mut harness, Modifiers::ALT, Key::ArrowDown),
        }
        if document(&harness).move_warning.is_some() {
            press(&mut harness, Modifiers::NONE, Key::Escape);
        }
        let until = Instant::now() + Duration::from_millis(u64::from(pause % 250));
        while Instant::now() < until {
            harness.step();
            std::thread::sleep(Duration::from_millis(15));
        }
        if document(&harness).runs.len() > listed {
            listed = document(&harness).runs.len();
            say("listed", &listed.to_string());
        }
    }
}

fn document(harness: &Window) -> &Document {
    harness.state().session().expect("it is open")
}

/// Where the kill fell between the program's own file and the person's, the newer changes are offered: they are used.
fn use_newer(harness: &mut Window) -> bool {
    if document(harness).newer().is_none() {
        return false;
    }
    harness.run_steps(2);
    harness.get_by_label("Use them").click();
    harness.run_steps(3);
    assert!(document(harness).newer().is_none());
    true
}

/// Goes to an exam by the palette.
fn select(harness: &mut Window, code: &str) {
    press(harness, Modifiers::COMMAND, Key::P);
    harness.event(egui::Event::Text(format!("go to exam {code}")));
    harness.run_steps(2);
    press(harness, Modifiers::NONE, Key::Enter);
}

/// What the process said.
#[derive(Debug)]
pub struct Said {
    pub word: String,
    pub at: f64,
    pub what: String,
}

fn read(line: &str) -> Option<Said> {
    let mut parts = line.strip_prefix('@')?.strip_suffix("|.")?.splitn(3, '|').map(str::to_owned);
    Some(Said { word: parts.next()?, at: parts.next()?.parse().ok()?, what: parts.next()? })
}

/// Starts a test as a process, waits until it begins its work, and kills it so long afterwards; returns what it said and when it died.
pub fn killed(test: &str, folder: &Path, variables: &[(&str, String)], after: Duration) -> (Vec<Said>, f64) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--ignored", "--nocapture"])
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(folder.join("errors")).unwrap())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (begun, wait) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        for one in lines.map_while(Result::ok).filter_map(|line| read(&line)) {
            if one.word == "begin" {
                let _ = begun.send(());
            }
            said.push(one);
        }
        said
    });
    let began = wait.recv_timeout(Duration::from_secs(30));
    std::thread::sleep(after);
    let ended = child.try_wait().unwrap();
    let at = now();
    child.kill().unwrap();
    child.wait().unwrap();
    let said = reader.join().unwrap();
    let errors = std::fs::read_to_string(folder.join("errors")).unwrap();
    assert!(began.is_ok() && ended.is_none(), "the process ended by itself ({ended:?}):\n{errors}");
    (said, at)
}

/// How many seconds before its death the process had something else than what is on disk.
fn behind(said: &[&Said], on_disk: &str, death: f64) -> Option<f64> {
    let last = said.iter().rposition(|one| one.what == on_disk)?;
    Some(said.get(last + 1).map_or(0.0, |next| death - next.at))
}

/// What was found after one kill.
#[derive(Debug, Default)]
struct Found {
    /// Whether changes were newer than the project's file.
    newer: bool,
    /// Seconds that changes were behind.
    changes: f64,
    /// Changes that were made, and those that were lost.
    made: usize,
    lost: usize,
    /// Seconds that the recovered run was behind, where there had to be one.
    best: Option<f64>,
}

/// Checks the project on disk against what was said; returns seconds and changes behind.
fn check_project(path: &Path, said: &[&Said], death: f64, within: f64) -> (f64, usize) {
    let made = said.iter().skip(1).any(|one| death - one.at > within);
    if !path.exists() {
        assert!(!made, "{} was never written", path.display());
        return (0.0, said.len().saturating_sub(1));
    }
    let on_disk = state(Project::load(path).unwrap_or_else(|error| panic!("the project is damaged: {error}")));
    let seconds = behind(said, &on_disk, death);
    let seconds = seconds.unwrap_or_else(|| panic!("{} holds what never was:\n{on_disk}", path.display()));
    assert!(seconds <= within, "{} is {seconds:.2} s behind", path.display());
    let last = said.iter().rposition(|one| one.what == on_disk).unwrap_or(0);
    (seconds, said.len() - 1 - last)
}

/// Checks the runs that are there after the kill; returns how many seconds the recovered one is behind.
fn check_runs(runs: &[f64], said: &[Said], death: f64) -> Option<f64> {
    // The first better timetable is kept a second after the run began.
    let due = death - BEST_WITHIN - SLACK;
    let begin = said.iter().rposition(|one| one.word == "begin" && one.at <= due)?;
    let end = said[begin + 1..].iter().position(|one| one.word == "begin").map_or(said.len(), |at| begin + 1 + at);
    let bests: Vec<(f64, f64)> = said[begin..end]
        .iter()
        .filter(|one| one.word == "best")
        .map(|one| (one.at, one.what.parse().unwrap()))
        .collect();
    if bests.first().is_none_or(|(at, _)| *at > due) {
        return None;
    }
    let recovered =
        runs.iter().filter(|cost| bests.iter().any(|(_, best)| best == *cost)).fold(f64::INFINITY, |a, b| a.min(*b));
    assert!(recovered.is_finite(), "no run of the killed process was recovered among {runs:?}; it had {bests:?}");
    let better = bests.iter().find(|(_, best)| *best < recovered);
    let seconds = better.map_or(0.0, |(at, _)| death - at);
    assert!(seconds <= BEST_WITHIN + SLACK, "the recovered run ({recovered}) is {seconds:.2} s behind: {bests:?}");
    Some(seconds)
}

/// One kill and everything that has to hold after it. `known` runs were there before.
fn check(folder: &Path, known: &mut usize, after: Duration) -> Found {
    let (home, source) = (folder.join("home"), folder.join("session/enrolments.csv"));
    let variables = [(FOLDER, folder.display().to_string())];
    let (said, death) = killed("kill::a_program_at_work", folder, &variables, after);
    let states: Vec<&Said> = said.iter().filter(|one| one.word == "state").collect();
    let instance = open(&source.display().to_string(), &LoadOptions::default()).unwrap();
    let saved = source.with_file_name(format!("{}.{}", instance.name, project::ENDING));
    let key = |source: &Path| document_key(&instance.name, &instance.file_hash, &source.display().to_string());
    let keys = [key(&source), key(&saved)];
    // A document that is saved as a project is kept under the name of that from then on.
    let copies = keys.clone().map(|key| home.join("projects").join(format!("{key}.{}", project::ENDING)));
    let own = copies[usize::from(copies[1].exists())].clone();
    let (changes, lost) = check_project(&own, &states, death, CHANGES_WITHIN + SLACK);
    check_project(&saved, &states, death, CHANGES_WITHIN + SLACK + SECOND_FILE);

    // It opens again: nothing to complain about, everything there, nothing shown that the checker does not confirm.
    let services = Services { dialogs: false, ..Services::default() };
    let mut harness = window(services, &home, if saved.exists() { &saved } else { &source }, None);
    let newer = use_newer(&mut harness);
    assert!(harness.state().notices().is_empty(), "{:?}", harness.state().notices());
    let document = document(&harness);
    if own.exists() {
        let kept = state(Project::load(if saved.exists() && !newer { &saved } else { &own }).unwrap());
        assert_eq!(state(document.to_project()), kept, "what is on disk is what is opened");
    }
    let listed = said.iter().filter(|one| one.word == "listed").map(|one| one.what.parse().unwrap()).max();
    assert!(document.runs.len() >= listed.unwrap_or(*known), "a finished run is lost");
    for run in &document.runs {
        assert!(!matches!(run.status, RunStatus::Wrong(_)), "run {}: {:?}", run.number, run.status);
    }
    let fresh: Vec<f64> = document.runs[(*known).min(document.runs.len())..].iter().map(|run| run.raw as f64).collect();
    *known = document.runs.len();
    let folders = keys.iter().map(|key| home.join("runs").join(key));
    let rest = folders.flat_map(std::fs::read_dir).flatten().flatten();
    let rest = rest.filter(|entry| entry.file_name().to_string_lossy().starts_with("running-")).count();
    assert_eq!(rest, 0, "recovered runs leave nothing behind");
    Found { newer, changes, made: states.len().saturating_sub(1), lost, best: check_runs(&fresh, &said, death) }
}

#[test]
fn what_was_on_disk_is_whole_after_a_kill_at_any_moment() {
    let kills = std::env::var("GRIDWRIGHT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let mut found = Vec::new();
    let mut folder = tempfile::tempdir().unwrap();
    let mut known = 0;
    for kill in 0..kills {
        if kill % 10 == 0 {
            folder = tempfile::tempdir().unwrap();
            known = 0;
            let session = folder.path().join("session");
            std::fs::create_dir_all(&session).unwrap();
            let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/timetabling/faculty");
            for name in ["enrolments.csv", "exams.csv", "periods.csv"] {
                std::fs::copy(sample.join(name), session.join(name)).unwrap();
            }
        }
        // Uniform over a run and what follows it.
        let share = f64::from(Philox::new(1).words(kill, 0, 0, 0)[0]) / f64::from(u32::MAX);
        let after = Duration::from_secs_f64(0.1 + 4.4 * share);
        let one = check(folder.path(), &mut known, after);
        let best = one.best.map_or_else(|| "too young to be kept".to_owned(), |best| format!("{best:.2} s behind"));
        println!(
            "kill {:2} after {:.2} s: {} changes, {} lost ({:.2} s behind); run {best}",
            kill + 1,
            after.as_secs_f64(),
            one.made,
            one.lost,
            one.changes
        );
        found.push(one);
    }
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let judged = found.iter().filter(|one| one.best.is_some()).count();
    println!(
        "{kills} kills: changes at most {:.2} s behind, {} times none or one lost, {} times offered because the \
         project's file was older; {judged} runs at most {:.2} s behind",
        most(&mut found.iter().map(|one| one.changes)),
        found.iter().filter(|one| one.lost <= 1).count(),
        found.iter().filter(|one| one.newer).count(),
        most(&mut found.iter().filter_map(|one| one.best)),
    );
}
