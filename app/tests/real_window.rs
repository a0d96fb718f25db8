//! The real window on a virtual display: it opens a sample, solves it by a key, keeps the run and leaves a screenshot.
//!
//! Needs Xvfb, xdotool and ImageMagick's `import`; where they are missing the test says so and does nothing, but in CI it fails.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(90);

/// Ends the process when the test ends, however it ends.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

/// A virtual display and its name.
fn display() -> (Ending, String) {
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Ending(server), format!(":{}", line.trim()))
}

fn wait<T>(what: &str, program: &mut Ending, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(program.0.try_wait().unwrap().is_none(), "the program ended while waiting for {what}");
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn finished_run(home: &Path) -> Option<PathBuf> {
    let folders = std::fs::read_dir(home.join("runs")).ok()?.flatten();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
    let mut paths = files.map(|file| file.path());
    paths.find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.ends_with(".ron") && !name.starts_with("running-") && !name.starts_with('.')
    })
}

#[test]
fn the_real_window_opens_solves_and_leaves_a_screenshot() {
    for program in ["Xvfb", "xdotool", "import"] {
        if !is_there(program) {
            assert!(std::env::var_os("CI").is_none(), "{program} has to be installed in CI");
            eprintln!("skipped: {program} is not installed, so the real window cannot be shown");
            return;
        }
    }
    let (_server, display) = display();
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("state.ron"), "(theme: Light)").unwrap();
    let tool = |program: &str, arguments: &[&str]| {
        // `xdotool --sync` waits for ever for a size or a focus that the server refuses.
        let mut command = Command::new("timeout");
        command.args(["30", program]).args(arguments).env("DISPLAY", &display);
        command.stderr(Stdio::null()).output().unwrap()
    };
    let mut program = Ending(
        Command::new(env!("CARGO_BIN_EXE_gridwright"))
            .args(["open", "sample:school"])
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("GRIDWRIGHT_HOME", home.path())
            .spawn()
            .unwrap(),
    );
    let window = wait("the window", &mut program, || {
        let found = tool("xdotool", &["search", "--onlyvisible", "--name", "Gridwright"]);
        let text = String::from_utf8_lossy(&found.stdout).into_owned();
        text.lines().next().map(str::to_owned)
    });
    tool("xdotool", &["windowsize", "--sync", &window, "1440", "900"]);
    tool("xdotool", &["windowmove", &window, "0", "0"]);
    // Without a window manager nobody gives the window the keyboard.
    tool("xdotool", &["windowfocus", "--sync", &window]);
    let began = Instant::now();
    let run = wait("a run that was solved and kept", &mut program, || {
        // Once the sample is open the key begins a run of ten seconds; before, it means nothing.
        if began.elapsed() < Duration::from_secs(20) && !home.path().join("runs").exists() {
            tool("xdotool", &["key", "--window", &window, "F5"]);
            tool("xdotool", &["key", "F5"]);
        }
        finished_run(home.path())
    });
    let result = gridwright_core::result::RunResult::load(&run).unwrap();
    assert!(result.verdict.feasible && result.verdict.confirmed);
    // The pointer leaves the picture; two looks in a row show the same when the last frame is painted.
    tool("xdotool", &["mousemove", "1200", "880"]);
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window.png");
    let mut before = None;
    wait("a picture that stays", &mut program, || {
        tool("import", &["-window", "root", &picture.display().to_string()]);
        let now = image::ImageReader::open(&picture).unwrap().decode().unwrap().to_rgb8();
        let colours: std::collections::HashSet<[u8; 3]> = now.pixels().map(|pixel| pixel.0).collect();
        let stays = colours.len() > 200 && before.as_ref() == Some(&now);
        assert_eq!(now.dimensions(), (1440, 900));
        before = Some(now);
        stays.then_some(())
    });
    println!("screenshot: {}", picture.display());
}
