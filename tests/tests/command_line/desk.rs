//! A folder of its own for each test, and the program run in it.

use std::path::PathBuf;
use std::process::Output;
#[cfg(unix)]
use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use gridwright_tests::gridwright;
use serde_json::Value;

/// A folder of its own for each test, and the program run in it.
pub struct Desk {
    pub folder: tempfile::TempDir,
}

impl Desk {
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
        let output = gridwright().args(line.split_whitespace()).current_dir(self.folder.path()).output().unwrap();
        Answer::of(&output)
    }

    /// Starts a search, interrupts it as Ctrl-C does after its first line of progress, and waits for its end.
    #[cfg(unix)]
    pub fn interrupted(&self, line: &str) -> Answer {
        let mut program = gridwright();
        program.args(line.split_whitespace()).current_dir(self.folder.path());
        let mut running = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::new(running.stderr.take().unwrap());
        let mut errors = String::new();
        while !errors.contains(" %  ") {
            assert!(reader.read_line(&mut errors).unwrap() > 0, "the search ended without progress: {errors}");
        }
        let began = Instant::now();
        let sent = Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
        assert!(sent.success());
        reader.read_to_string(&mut errors).unwrap();
        let answer = Answer::of(&running.wait_with_output().unwrap());
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        Answer { errors, ..answer }
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
