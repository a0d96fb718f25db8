//! What the tests that cross crates share: where the published data are, where the program is.

mod process;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub use process::{RunningProgram, output_of};

/// The folder of the workspace.
pub fn workspace() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// A folder of published data, such as `toronto`: in `GRIDWRIGHT_DATA`, or in `../shared/data` beside the workspace.
///
/// # Panics
/// Where it is absent, with what is missing: tests that call this are ignored without the data
/// (`#[cfg_attr(not(published_data), ignore = "…")]`).
pub fn published_data(folder: &str) -> PathBuf {
    let default = workspace().join("../shared/data");
    let path = std::env::var_os("GRIDWRIGHT_DATA").map_or(default, PathBuf::from).join(folder);
    assert!(path.is_dir(), "{} is missing: set GRIDWRIGHT_DATA to the folder that holds {folder}/", path.display());
    path
}

/// The program as a user starts it, freshly built once per test program, in the same profile as the tests; or the one that
/// `GRIDWRIGHT_PROGRAM` names, where tests run without Cargo.
///
/// # Panics
/// Where it cannot be built.
pub fn gridwright() -> Command {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let named = || std::env::var_os("GRIDWRIGHT_PROGRAM").map(PathBuf::from);
    let build = || named().unwrap_or_else(|| build(&["--package", "gridwright", "--bin", "gridwright"], "gridwright"));
    without_display(PROGRAM.get_or_init(build))
}

/// The program with the fifth problem, otherwise as [`gridwright`].
///
/// # Panics
/// Where it cannot be built.
pub fn gridwright_with_fifth_problem() -> Command {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    without_display(PROGRAM.get_or_init(|| build(&["--workspace", "--example", "fifth"], "examples/fifth")))
}

/// Tests see the program as it is where there is no display.
fn without_display(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command
}

/// Builds a target of the workspace; `path` is its place in the folder of the profile.
fn build(target: &[&str], path: &str) -> PathBuf {
    // The tests lie in target/<profile>/deps.
    let executable = std::env::current_exe().expect("a running test has a path");
    let folder = executable.ancestors().nth(2).expect("the folder of the profile");
    // The folder of a profile has its name, but for that of the profile `dev`.
    let name = folder.file_name().expect("the folder has a name");
    let profile = if name == "debug" { "dev".as_ref() } else { name };
    let all = folder.parent().expect("the target folder");
    // Tests and program have the same features, so nothing is built where the tests were built from the same sources.
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--profile"])
        .arg(profile)
        .args(target)
        .arg("--target-dir")
        .arg(all)
        .current_dir(workspace())
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "the program cannot be built");
    folder.join(format!("{path}{}", std::env::consts::EXE_SUFFIX))
}
