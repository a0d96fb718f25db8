//! A folder of its own for each test, and the program run in it.

use std::path::PathBuf;
use std::process::Output;
#[cfg(unix)]
use std::{
    process::Command,
    time::{Duration, Instant},
};

#[cfg(unix)]
use gridwright_core::result::RunResult;
#[cfg(unix)]
use gridwright_core::search::StopReason;
#[cfg(unix)]
use gridwright_tests::RunningProgram;
use gridwright_tests::{gridwright, output_of};
use serde_json::Value;

/// A folder of its own for each test, and the program run in it.
pub struct TestFolder {
    pub folder: tempfile::TempDir,
}

impl TestFolder {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn run(&self, line: &str) -> Answer {
        Answer::of(&output_of(gridwright().args(line.split_whitespace()).current_dir(self.folder.path())))
    }

    /// Starts a search, interrupts it as Ctrl-C does after its first line of progress, and waits for its end. `line` must
    /// not contain `--json` or `--quiet`, which show no progress.
    #[cfg(unix)]
    pub fn interrupted(&self, line: &str) -> Answer {
        self.interrupted_after(line, "a line of progress", |running| running.errors().contains(" %  "))
    }

    /// Interrupts a search that writes `r.ron`: what it has found is kept, feasible, and can be replayed.
    #[cfg(unix)]
    pub fn kept_after_interrupt(&self, line: &str) -> RunResult {
        let answer = self.interrupted(line);
        assert_eq!(answer.code, 0, "{}", answer.errors);
        assert!(answer.text.contains("stopped by hand after"), "{}", answer.text);
        let kept = RunResult::load(&self.path("r.ron")).unwrap();
        assert_eq!(kept.stop_reason, StopReason::Cancelled);
        assert!(kept.verdict.feasible && kept.verdict.confirmed);
        self.done("replay r.ron --threads 2 --json");
        kept
    }

    /// Starts a search that prints JSON, interrupts it as soon as it listens to Ctrl-C, and waits for its end.
    #[cfg(target_os = "linux")]
    pub fn interrupted_at_once(&self, line: &str) -> Answer {
        self.interrupted_after(line, "a handler of Ctrl-C", |running| {
            const INTERRUPT: u64 = 1 << 1;
            let status = std::fs::read_to_string(format!("/proc/{}/status", running.id())).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & INTERRUPT != 0)
        })
    }

    #[cfg(unix)]
    fn interrupted_after(&self, line: &str, what: &str, is_reached: impl Fn(&RunningProgram) -> bool) -> Answer {
        let mut running =
            RunningProgram::start(gridwright().args(line.split_whitespace()).current_dir(self.folder.path()));
        running.wait_until(what, Duration::from_secs(60), is_reached);
        let began = Instant::now();
        let sent = Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let answer = Answer::of(&running.output_within(Duration::from_secs(60)));
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}: {}", began.elapsed(), answer.errors);
        answer
    }

    /// Runs what has to work.
    pub fn done(&self, line: &str) -> Answer {
        let answer = self.run(line);
        assert_eq!(answer.code, 0, "{line}: {}{}", answer.text, answer.errors);
        answer
    }

    /// Runs what cannot work because of the user's input; the message contains all `parts`.
    pub fn refuses(&self, line: &str, parts: &[&str]) {
        let answer = self.refused(line);
        assert_eq!(answer.code, 2, "{line}: {}", answer.errors);
        for part in parts {
            assert!(answer.errors.contains(part), "{line}: {} lacks “{part}”", answer.errors);
        }
    }

    /// Runs lines that cannot work, each with a part of its message.
    pub fn refuses_each<const N: usize>(&self, lines: [(&str, &str); N]) {
        lines.into_iter().for_each(|(line, expected)| self.refuses(line, &[expected]));
    }

    /// Runs `lines`, none of which can work with `file` in place of `FILE`.
    pub fn refuses_file(&self, file: &str, parts: &[&str], lines: &[&str]) {
        lines.iter().for_each(|line| self.refuses(&line.replace("FILE", file), parts));
    }

    /// Runs `lines`, none of which can work with each of the files, given with its text (empty: there is none), the options
    /// after its name and the parts of the message.
    pub fn refuses_files<const N: usize>(&self, files: [(&str, &str, &str, &[&str]); N], lines: &[&str]) {
        for (name, text, options, parts) in files {
            match text {
                "" => assert!(!self.path(name).exists()),
                text => self.write(name, text),
            }
            self.refuses_file(&format!("{name} {options}"), parts, lines);
        }
    }

    /// Runs what cannot work: nothing may be written and nothing may read like a breakdown.
    pub fn refused(&self, line: &str) -> Answer {
        let before = self.files();
        let answer = self.run(line);
        assert_eq!(self.files(), before, "{line} wrote something");
        assert!(answer.errors.starts_with("error: "), "{line}: {}", answer.errors);
        for sign in ["panicked", "RUST_BACKTRACE", "Error {", "Some(", "Err("] {
            assert!(!answer.errors.contains(sign), "{line}: {}", answer.errors);
        }
        assert_eq!(answer.text, "", "{line}");
        answer
    }
}

pub struct Answer {
    pub code: i32,
    pub text: String,
    pub errors: String,
}

impl Answer {
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            text: String::from_utf8(output.stdout.clone()).unwrap(),
            errors: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// The JSON that has to be all of the standard output, on one line.
    pub fn json(&self) -> Value {
        assert_eq!(self.text.lines().count(), 1, "{}{}", self.text, self.errors);
        serde_json::from_str(&self.text).unwrap()
    }
}
