//! Programs that tests start: their outputs are read as they are written, and no program runs longer than a test waits.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longest time that a test waits for a program that should end by itself.
const LIMIT: Duration = Duration::from_secs(300);

/// Interval between two looks at a running program.
const LOOK_INTERVAL: Duration = Duration::from_millis(5);

/// One output of a program, collected by a thread so that the program never waits for its reader.
#[derive(Debug)]
struct Collector {
    bytes: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl Collector {
    fn new(mut output: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let collected = Arc::clone(&bytes);
        let thread = std::thread::spawn(move || {
            let mut part = [0; 1 << 16];
            while let Ok(length @ 1..) = output.read(&mut part) {
                collected.lock().unwrap_or_else(PoisonError::into_inner).extend(&part[..length]);
            }
        });
        Self { bytes, thread }
    }

    fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns everything that was written until the program ended.
    fn all(self) -> Vec<u8> {
        // The thread cannot panic; if it ever did, the bytes before are all there is.
        let _ = self.thread.join();
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A program that a test has started; it is killed when the value is dropped.
#[derive(Debug)]
pub struct RunningProgram {
    name: String,
    child: Child,
    outputs: Option<(Collector, Collector)>,
}

impl RunningProgram {
    /// Starts a program without a standard input.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start(command: &mut Command) -> Self {
        let name = format!("{command:?}");
        let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap_or_else(|error| panic!("{name} cannot be started: {error}"));
        let outputs = (child.stdout.take(), child.stderr.take());
        let (Some(text), Some(errors)) = outputs else { unreachable!("both outputs are piped") };
        Self { name, child, outputs: Some((Collector::new(text), Collector::new(errors))) }
    }

    /// Process number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Standard error so far.
    pub fn errors(&self) -> String {
        let bytes = self.outputs.as_ref().map(|(_, errors)| errors.bytes()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Waits until `is_reached`, at most for `limit`; `what` names the condition.
    ///
    /// # Panics
    /// If the program ends before, or the time is over; the message holds everything that the program has printed.
    pub fn wait_until(&mut self, what: &str, limit: Duration, is_reached: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        loop {
            // First the end, then the condition: the last lines may be what was waited for.
            let status = self.status();
            if is_reached(self) {
                return;
            }
            assert!(status.is_none(), "ended ({status:?}) without {what}: {}", self.printed());
            assert!(began.elapsed() < limit, "{limit:?} without {what}: {}", self.printed());
            std::thread::sleep(LOOK_INTERVAL);
        }
    }

    /// Waits for the end, at most for `limit`; returns both outputs.
    ///
    /// # Panics
    /// If the program is not over then; the message holds everything that it has printed.
    pub fn output_within(mut self, limit: Duration) -> Output {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.status() {
                break status;
            }
            assert!(began.elapsed() < limit, "not over after {limit:?}: {}", self.printed());
            std::thread::sleep(LOOK_INTERVAL);
        };
        let (stdout, stderr) = self.outputs.take().map(|(text, errors)| (text.all(), errors.all())).unwrap_or_default();
        Output { status, stdout, stderr }
    }

    fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The command and both outputs, for the message of a failed test. Ends the program first.
    fn printed(&mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let (text, errors) = self.outputs.take().map(|(text, errors)| (text.all(), errors.all())).unwrap_or_default();
        let [text, errors] = [text, errors].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        format!("{}\nstandard output:\n{text}\nstandard error:\n{errors}", self.name)
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a program to its end; returns both outputs.
///
/// # Panics
/// If it cannot be started or is not over after five minutes.
pub fn output_of(command: &mut Command) -> Output {
    RunningProgram::start(command).output_within(LIMIT)
}
