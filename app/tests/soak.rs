//! A day of work in short: an instance of each problem is opened, solved, edited, exported and closed again and again, and
//! memory, handles and the program's folder stay as they are.
//!
//! `GRIDWRIGHT_CYCLES` says how often; `packaging/soak` takes 10,000.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::time::Instant;

use egui::{Key, Modifiers};
use gridwright::document::{Document, DocumentKind, ProblemView};
use gridwright::problems::facility::FacilityViews;
use gridwright::problems::flowshop::FlowShopViews;
use gridwright::problems::systolic::SystolicViews;
use gridwright::problems::timetabling::TimetablingViews;
use gridwright::services::Services;
use gridwright::window::Group;
use gridwright_solver::search::{Budget, Stop};

use crate::support::person::{enter, key, keys, open, press, settle, shows, wait};

/// Cycles where nobody says how many: two of each problem.
const CYCLES: usize = 8;
/// Cycles after which caches are as full as they become.
const WARM: usize = 40;
/// Kept runs are removed after so many cycles, as a person does who tidies up; all others stay as they are.
const TIDIED: usize = 200;
/// Largest growth from warm to the end: memory in MiB, open files and threads, files and bytes beside the kept runs.
const BOUNDS: [u64; 5] = [64, 4, 4, 4, 64 << 10];

/// Memory in MiB, open files, threads, files and bytes of the folder beside the kept runs.
fn measured(home: &Path) -> [u64; 5] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let value = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    let open = std::fs::read_dir("/proc/self/fd").unwrap().count() as u64;
    let (mut files, mut bytes, mut folders) = (0, 0, vec![home.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                folders.extend((entry.path() != home.join("runs")).then(|| entry.path()));
            } else {
                files += 1;
                bytes += entry.metadata().unwrap().len();
            }
        }
    }
    [value("VmRSS:") / 1024, open, value("Threads:"), files, bytes]
}

/// Opens, solves, edits, exports and closes an instance.
fn cycle<K: DocumentKind>(home: &Path, source: &str, steps: u64)
where
    Document<K>: ProblemView,
{
    let services = Services { dialogs: false, ..Services::default() };
    let mut window = open(services, home, Some(source));
    let opened = window.state_mut().document_mut::<K>().expect("it is open");
    opened.settings.stop = Stop::after(Budget::Steps(steps));
    let before = opened.runs().len();
    key(&mut window, Key::F5);
    wait(&mut window, "the run", |window| {
        let view = window.state().view().expect("it is open");
        view.runs().len() > before && view.ongoing().is_none()
    });
    let opened = window.state_mut().document_mut::<K>().expect("it is open");
    opened.go_to(0);
    window.run_steps(2);
    let opened = window.state_mut().document_mut::<K>().expect("it is open");
    let mut edits = opened.commands().iter().filter(|command| command.group == Group::Edit && !command.keys.is_empty());
    let edited = edits.any(|edit| opened.run_command(edit).is_ok() && opened.undo_names().0.is_some());
    // Plans without keys for edits are changed by the pointer alone.
    if edited {
        opened.undo().expect("an edit can be undone");
    }
    // A warning about the edit goes with it.
    key(&mut window, Key::Escape);

    let ending = window.state().view().expect("it is open").formats()[0].ending;
    let export = home.parent().unwrap().join("export").with_added_extension(ending);
    keys(&mut window, Modifiers::COMMAND, Key::E);
    enter(&mut window, "Path of the export", &export.display().to_string());
    press(&mut window, "Write file");
    wait(&mut window, "the export", |window| shows(window, "was exported"));
    std::fs::remove_file(export).unwrap();
    settle(&mut window);
}

#[test]
#[ignore = "takes as long as it is told; packaging/soak starts it"]
fn cycles_of_work_leave_nothing_behind() {
    let cycles = std::env::var("GRIDWRIGHT_CYCLES").map_or(CYCLES, |text| text.parse().expect("a number of cycles"));
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let (mut warm, began) = (None, Instant::now());
    for number in 0..cycles {
        match number % 4 {
            0 => cycle::<TimetablingViews>(&home, "sample:school", 200),
            1 => cycle::<FlowShopViews>(&home, "sample:workshop", 5),
            2 => cycle::<FacilityViews>(&home, "sample:layout-workshop", 5),
            _ => cycle::<SystolicViews>(&home, "sample:release", 5),
        }
        gridwright::window::wait_for_saves();
        if number % TIDIED == TIDIED - 1 {
            std::fs::remove_dir_all(home.join("runs")).unwrap();
        }
        if number + 1 == WARM.min(cycles / 2) {
            warm = Some(measured(&home));
        }
        if number % 100 == 99 {
            println!("{} cycles, {:.0} s: {:?}", number + 1, began.elapsed().as_secs_f64(), measured(&home));
        }
    }
    let (warm, end) = (warm.expect("at least two cycles"), measured(&home));
    println!("memory (MiB), open files, threads, files, bytes: warm {warm:?}, after {cycles} cycles {end:?}");
    // A short run says little of memory: caches are still being filled.
    for (what, bound) in BOUNDS.iter().enumerate().filter(|(what, _)| *what > 0 || cycles > WARM) {
        assert!(end[what] <= warm[what] + bound, "figure {what} grew from {} to {}", warm[what], end[what]);
    }
}
