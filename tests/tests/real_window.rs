//! The real window on a virtual display: it opens, solves by keyboard, and leaves a screenshot in `target/screenshots`.
//!
//! Needs Xvfb, openbox, xdotool and ImageMagick's `import`; without them the test says so and counts as passed, except in
//! CI, where they have to be there.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gridwright_tests::{gridwright, workspace};

const TOOLS: [&str; 4] = ["Xvfb", "openbox", "xdotool", "import"];

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The first of some display numbers on which Xvfb comes up.
fn display() -> (Running, String) {
    for number in 90..110 {
        let name = format!(":{number}");
        let mut xvfb = Command::new("Xvfb");
        let xvfb = xvfb.args([&name, "-screen", "0", "1440x900x24", "-nolisten", "tcp"]).stderr(Stdio::null());
        let mut running = Running(xvfb.spawn().unwrap());
        let socket = format!("/tmp/.X11-unix/X{number}");
        let came_up = wait_for(Duration::from_secs(10), || {
            Path::new(&socket).exists() || running.0.try_wait().unwrap().is_some()
        });
        if came_up && running.0.try_wait().unwrap().is_none() {
            return (running, name);
        }
    }
    panic!("no virtual display came up");
}

fn wait_for(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < limit {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    false
}

fn on(display: &str, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).env("DISPLAY", display).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Colours in a picture: a window that was not painted has a handful.
fn colours(display: &str, picture: &Path) -> usize {
    on(display, "identify", &["-format", "%k", &picture.display().to_string()]).trim().parse().unwrap_or(0)
}

#[test]
fn the_window_opens_solves_and_is_painted() {
    let missing: Vec<&str> = TOOLS
        .into_iter()
        .filter(|tool| !Command::new("which").arg(tool).output().is_ok_and(|found| found.status.success()))
        .collect();
    if !missing.is_empty() {
        assert!(std::env::var_os("CI").is_none(), "{} must be installed in CI", missing.join(", "));
        eprintln!("the real window is not tested: {} not installed", missing.join(", "));
        return;
    }
    let (_xvfb, display) = display();
    let _manager = Running(Command::new("openbox").env("DISPLAY", &display).stderr(Stdio::null()).spawn().unwrap());
    let home = tempfile::tempdir().unwrap();
    let sample = workspace().join("datasets/timetabling/faculty/enrolments.csv");
    let mut program = gridwright();
    program.arg("open").arg(&sample).env("DISPLAY", &display).env("GRIDWRIGHT_HOME", home.path());
    let mut window = Running(program.spawn().unwrap());
    let shown =
        wait_for(Duration::from_secs(60), || !on(&display, "xdotool", &["search", "--name", "Gridwright"]).is_empty());
    assert!(shown, "the window did not appear");
    std::thread::sleep(Duration::from_secs(3));
    let id = on(&display, "xdotool", &["search", "--onlyvisible", "--name", "Gridwright"]);
    let id = id.lines().last().unwrap_or_default();
    on(&display, "xdotool", &["windowactivate", "--sync", id]);
    on(&display, "xdotool", &["key", "--window", id, "F5"]);

    let folder = workspace().join("target/screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    let shot = |name: &str| -> PathBuf {
        let path = folder.join(name);
        on(&display, "import", &["-window", "root", &path.display().to_string()]);
        path
    };
    let finished = || {
        let runs = walk(home.path());
        runs.iter().any(|path| {
            path.extension().is_some_and(|ending| ending == "ron")
                && std::fs::read_to_string(path).is_ok_and(|text| text.contains("stop_reason: TimeLimit"))
        })
    };
    std::thread::sleep(Duration::from_secs(2));
    let solving = shot("solving.png");
    assert!(colours(&display, &solving) > 100, "nothing is painted in {}", solving.display());
    let kept = wait_for(Duration::from_secs(90), finished);
    std::thread::sleep(Duration::from_secs(1));
    let solved = shot("solved.png");
    assert!(kept, "no finished run was kept; see {}", solved.display());
    assert!(window.0.try_wait().unwrap().is_none(), "the window ended by itself");
    assert!(colours(&display, &solved) > 100, "nothing is painted in {}", solved.display());
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() { walk(&path) } else { vec![path] }
        })
        .collect()
}
