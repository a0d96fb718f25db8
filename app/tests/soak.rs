//! A day of work in short: an instance of each problem is opened, solved, edited, exported and closed again and again, in one
//! window after the other, and memory, handles and the program's folder stay as they are.
//!
//! `GRIDWRIGHT_CYCLES` says how often; `packaging/soak` takes 10,000.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::time::Instant;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use gridwright_core::search::{Budget, Stop};
use gridwright_facility_views::FacilityViews;
use gridwright_flowshop_views::FlowShopViews;
use gridwright_systolic_views::SystolicViews;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_window::document::{Document, DocumentKind, ProblemView};
use gridwright_window::services::Services;
use gridwright_window::window::Group;

use crate::support::person::{Window, enter, key, keys, open, press, shows, wait};

/// Cycles where nobody says how many: two of each problem.
const CYCLES: usize = 8;
/// Cycles after which the window is closed and another one opened.
const IN_A_WINDOW: usize = 40;
/// Cycles after which caches are as full as they become.
const WARM: usize = 200;
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

/// A window over this folder, without a document.
fn started(home: &Path) -> Window {
    open(Services { dialogs: false, ..Services::default() }, home, None)
}

/// Opens an instance, which closes the one before, solves it, edits the plan and exports it.
fn cycle<K: DocumentKind>(window: &mut Window, home: &Path, source: &str, steps: u64)
where
    Document<K>: ProblemView,
{
    enter(window, "Path of a file to open", source);
    window.get_by_label("Path of a file to open").focus();
    window.run_steps(2);
    key(window, Key::Enter);
    wait(window, "the instance", |window| window.state().view().is_some_and(|view| view.source() == source));
    let opened = window.state_mut().document_mut::<K>().expect("it is open");
    opened.settings.stop = Stop::after(Budget::Steps(steps));
    let before = opened.runs().len();
    key(window, Key::F5);
    wait(window, "the run", |window| {
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
    key(window, Key::Escape);

    let ending = window.state().view().expect("it is open").formats()[0].ending;
    let export = home.parent().unwrap().join("export").with_added_extension(ending);
    keys(window, Modifiers::COMMAND, Key::E);
    enter(window, "Path of the export", &export.display().to_string());
    press(window, "Write file");
    wait(window, "the export", |_| export.exists());
    wait(window, "the end of the export", |window| !shows(window, "Path of the export"));
    std::fs::remove_file(export).unwrap();
}

/// Closes the window as the program does at its end.
fn close(mut window: Window) {
    window.state_mut().close();
    drop(window);
    gridwright_window::window::wait_for_saves();
}

#[test]
#[ignore = "takes as long as it is told; packaging/soak starts it"]
fn cycles_of_work_leave_nothing_behind() {
    let cycles = std::env::var("GRIDWRIGHT_CYCLES").map_or(CYCLES, |text| text.parse().expect("a number of cycles"));
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let (mut warm, began, mut window) = (None, Instant::now(), started(&home));
    for number in 0..cycles {
        match number % 4 {
            0 => cycle::<TimetablingViews>(&mut window, &home, "sample:school", 200),
            1 => cycle::<FlowShopViews>(&mut window, &home, "sample:workshop", 5),
            2 => cycle::<FacilityViews>(&mut window, &home, "sample:layout-workshop", 5),
            _ => cycle::<SystolicViews>(&mut window, &home, "sample:release", 5),
        }
        let done = number + 1;
        if done % IN_A_WINDOW.min(cycles / 2) == 0 {
            close(window);
            if done % TIDIED == 0 {
                std::fs::remove_dir_all(home.join("runs")).unwrap();
            }
            let now = measured(&home);
            println!("{done} cycles, {:.0} s: {now:?}", began.elapsed().as_secs_f64());
            warm = warm.or(Some(now).filter(|_| done >= WARM.min(cycles / 2)));
            window = started(&home);
        }
    }
    close(window);
    let (warm, end) = (warm.expect("at least two cycles"), measured(&home));
    println!("memory (MiB), open files, threads, files, bytes: warm {warm:?}, after {cycles} cycles {end:?}");
    // A short run says little of memory: caches are still being filled.
    for (what, bound) in BOUNDS.iter().enumerate().filter(|(what, _)| *what > 0 || cycles > WARM) {
        assert!(end[what] <= warm[what] + bound, "figure {what} grew from {} to {}", warm[what], end[what]);
    }
}
