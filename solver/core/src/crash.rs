//! Reports of errors of the program itself (panics): a text file that a person can read and send. Nothing is sent by itself.
//!
//! A report names version, system, place in the sources and message; texts in quotes, which may come from a person's data, and
//! the person's home folder are left out of it.

use std::backtrace::Backtrace;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};

use crate::files;
use crate::search::driver::panic_text;

use crate::store::Store;

/// File name of a report that no window has told the person about.
const NEW: &str = "crash-report.txt";
/// File name of the last report that a window has told the person about.
const TOLD: &str = "last-crash-report.txt";

/// Writes a report of every panic from here on and tells the person where it lies.
pub fn report_panics(tell: fn(&str)) {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let path = Store::of_user().home().join(NEW);
        match files::write(&path, report(panic).as_bytes()) {
            Ok(()) => tell(&format!(
                "the program met an error of its own; a report is in {}, it holds no personal data: please read it and send \
                 it to the developers",
                path.display()
            )),
            Err(_) => default(panic),
        }
    }));
}

/// Marks the report of an earlier start as told and returns its path; `None` if there is none.
pub fn take_report(store: &Store) -> Option<PathBuf> {
    let (new, told) = (store.home().join(NEW), store.home().join(TOLD));
    if !new.exists() {
        return None;
    }
    files::rename(&new, &told).is_ok().then_some(told)
}

fn report(panic: &PanicHookInfo<'_>) -> String {
    let message = panic_text(panic.payload()).unwrap_or_else(|| "no message".to_owned());
    let place = panic.location().map_or_else(|| "unknown".to_owned(), ToString::to_string);
    let thread = std::thread::current().name().unwrap_or("without a name").to_owned();
    let calls = own_calls(&Backtrace::force_capture().to_string());
    let home = directories::BaseDirs::new().map(|folders| folders.home_dir().to_path_buf());
    let facts = format!(
        "Gridwright {version} met an error of its own.\n\
         This report was not sent to anybody. Quoted texts and your home folder were left out of it.\n\n\
         System:  {system} {processor}\n\
         Thread:  {thread}\n\
         Place:   {place}\n\
         Message: {message}\n\
         {calls}",
        version = env!("CARGO_PKG_VERSION"),
        system = std::env::consts::OS,
        processor = std::env::consts::ARCH,
    );
    anonymous(&facts, home.as_deref())
}

/// Calls of this program in a stack trace, outermost last; empty for a program without symbols.
fn own_calls(trace: &str) -> String {
    let calls = trace.lines().filter(|line| line.contains("gridwright")).map(|line| format!("  {}\n", line.trim()));
    let calls: String = calls.take(60).collect();
    if calls.is_empty() { calls } else { format!("Calls:\n{calls}") }
}

/// Text without the contents of quotes and without the home folder.
fn anonymous(text: &str, home: Option<&Path>) -> String {
    let home = home.map(|home| home.display().to_string()).filter(|home| home.len() > 1);
    let text = home.map_or_else(|| text.to_owned(), |home| text.replace(&home, "~"));
    let (mut shown, mut closing) = (String::new(), None);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (closing, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (Some(end), _) if end == letter => {
                shown.extend(['…', letter]);
                closing = None;
            }
            (Some(_), _) => {}
            (None, _) => {
                shown.push(letter);
                closing = match letter {
                    '"' => Some('"'),
                    '“' => Some('”'),
                    '‘' => Some('’'),
                    _ => None,
                };
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_leave_out_names_paths_and_data() {
        let text =
            "Err(Line { path: \"/home/ada/plan \\\" x.csv\", what: “Ada L.” }) in /home/ada/bin at solver/src/a.rs:3:4";
        let shown = anonymous(text, Some(Path::new("/home/ada")));
        assert_eq!(shown, "Err(Line { path: \"…\", what: “…” }) in ~/bin at solver/src/a.rs:3:4");
    }

    #[test]
    fn only_calls_of_the_program_are_listed() {
        let trace = "   0: std::panicking::begin\n   1: gridwright::window::App::run\n             at /build/x.rs:3\n";
        assert_eq!(own_calls(trace), "Calls:\n  1: gridwright::window::App::run\n");
        assert_eq!(own_calls("   0: <unknown>\n"), "");
    }

    /// The process that panics; it is started by the test below.
    #[test]
    #[ignore = "is started by the other test"]
    fn a_program_that_panics() {
        if std::env::var_os("GRIDWRIGHT_PANICS").is_some() {
            report_panics(|text| eprintln!("{text}"));
            panic!("no room for “Ada L.”");
        }
    }

    #[test]
    fn a_panic_leaves_a_report_and_says_where() {
        let folder = tempfile::tempdir().unwrap();
        let mut program = std::process::Command::new(std::env::current_exe().unwrap());
        program.args(["--exact", "crash::tests::a_program_that_panics", "--ignored", "--nocapture"]);
        let answer = program.env("GRIDWRIGHT_PANICS", "1").env("GRIDWRIGHT_HOME", folder.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&answer.stderr).into_owned();
        let path = folder.path().join(NEW);
        assert!(errors.contains(&path.display().to_string()) && !errors.contains("panicked"), "{errors}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("no room for “…”") && text.contains("crash.rs") && !text.contains("Ada"), "{text}");
    }

    #[test]
    fn a_report_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        assert_eq!(take_report(&store), None);
        std::fs::write(folder.path().join(NEW), "text").unwrap();
        let told = take_report(&store).unwrap();
        assert_eq!(std::fs::read_to_string(told).unwrap(), "text");
        assert_eq!(take_report(&store), None);
    }
}
