//! Feeds mutated inputs to every reader of Gridwright and reports panics, aborts, and excesses of memory or time.
//!
//! `mutate --inputs 1000` needs neither a sanitizer nor a nightly toolchain and is deterministic: the same seed gives the
//! same inputs on every machine. Inputs are fed by processes of their own with a limit of memory; a process is started again
//! behind an input that ended it. Findings are written to a folder, as files that can be kept in `fuzz/corpus/FORMAT/`.

use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use gridwright_fuzz::{Bench, FORMATS, Format, corpus, format, mutation};

/// Feeds mutated inputs to every reader.
#[derive(Debug, Clone, Parser)]
struct Arguments {
    /// Number of inputs per format
    #[arg(long, default_value_t = 1000)]
    inputs: u32,
    /// Number of the first input
    #[arg(long, default_value_t = 0)]
    first: u32,
    /// Seed of all random decisions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Formats, separated by commas; all if left out
    #[arg(long, value_delimiter = ',')]
    formats: Vec<String>,
    /// Number of processes that feed inputs at the same time
    #[arg(long, default_value_t = 2)]
    processes: usize,
    /// Limit of time for one input in seconds
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Limit of the address space of a process in MiB; 0 for none
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Folder for the inputs that were found
    #[arg(long, default_value = "fuzz/artifacts")]
    found: PathBuf,
    /// Writes the inputs from which mutations begin to a folder; used by the program itself
    #[arg(long, hide = true)]
    generate: Option<PathBuf>,
    /// Feeds the inputs of one format from a corpus folder; used by the program itself
    #[arg(long, hide = true)]
    worker: Option<PathBuf>,
}

/// Number of inputs that a process feeds, unless it is ended earlier.
const SHARE: usize = 2_000;

/// Reason for reporting an input.
struct Finding {
    number: u32,
    what: String,
    is_panic: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match (&arguments.generate, &arguments.worker) {
        (Some(folder), _) => corpus::generate(folder).map(|()| true),
        (None, Some(folder)) => work(&arguments, folder).map(|()| true),
        (None, None) => supervise(&arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Feeds the inputs of one format; a line on the standard output names each input before it is fed, and each panic.
fn work(arguments: &Arguments, folder: &Path) -> Result<()> {
    static PANIC: Mutex<String> = Mutex::new(String::new());
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let message = info.payload_as_str().unwrap_or("panic").replace('\n', " ");
        if let Ok(mut panic) = PANIC.lock() {
            *panic = format!("{place}: {message}");
        }
    }));
    let (index, format) = chosen(&arguments.formats[0])?;
    let (inputs, bench) = (corpus::load(folder, format)?, Bench::new()?);
    let mut out = std::io::stdout().lock();
    for number in arguments.first..arguments.first.saturating_add(arguments.inputs) {
        let input = input(arguments, index, number, &inputs);
        writeln!(out, "{number}")?;
        out.flush()?;
        match catch_unwind(AssertUnwindSafe(|| bench.feed(format, &input))) {
            Ok(fed) => drop(fed?),
            Err(_) => writeln!(out, "{number} panic: {}", PANIC.lock().map(|panic| panic.clone()).unwrap_or_default())?,
        }
    }
    writeln!(out, "done")?;
    Ok(())
}

/// Input of a format; the first ones are those of the corpus, unchanged.
fn input(arguments: &Arguments, format: usize, number: u32, inputs: &[Vec<u8>]) -> Vec<u8> {
    match inputs.get(number as usize) {
        Some(input) => input.clone(),
        None => mutation::input(arguments.seed, format as u32, number, inputs),
    }
}

fn chosen(name: &str) -> Result<(usize, &'static Format)> {
    let found = format(name).with_context(|| format!("there is no format {name}; known are {}", corpus::names()))?;
    let index = FORMATS.iter().position(|format| format == found).unwrap_or(0);
    Ok((index, found))
}

/// Inputs of one format that one process feeds.
struct Share {
    format: &'static Format,
    numbers: Range<u32>,
}

/// Feeds the inputs of all formats; returns `true` if nothing was found.
fn supervise(arguments: &Arguments) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    // In a process of its own: the commands that make the corpus say what they do.
    let made = Command::new(std::env::current_exe()?).arg("--generate").arg(folder.path()).output()?;
    ensure!(made.status.success(), "the corpus cannot be made: {}", String::from_utf8_lossy(&made.stderr));
    let all = || FORMATS.iter().map(|format| format.name.to_owned()).collect();
    let names: Vec<String> = if arguments.formats.is_empty() { all() } else { arguments.formats.clone() };
    let (first, end) = (arguments.first, arguments.first.saturating_add(arguments.inputs));
    let mut shares = Vec::new();
    for name in &names {
        let format = chosen(name)?.1;
        corpus::check(folder.path(), format)?;
        let starts = (first..end).step_by(SHARE);
        let numbers = starts.map(|start| start..end.min(start.saturating_add(SHARE as u32)));
        shares.extend(numbers.map(|numbers| Share { format, numbers }));
    }
    let mut total = 0;
    let fed = feed_all(arguments, &shares, folder.path())?;
    for name in &names {
        let of_format = || fed.iter().filter(|(share, ..)| share.format.name == *name);
        let mut findings: Vec<&Finding> = Vec::new();
        // Panics at the same place count once.
        for finding in of_format().flat_map(|(_, findings, _)| findings) {
            if !finding.is_panic || findings.iter().all(|known| known.what != finding.what) {
                findings.push(finding);
            }
        }
        let (index, format) = chosen(name)?;
        let inputs = corpus::load(folder.path(), format)?;
        for finding in &findings {
            let path = arguments.found.join(format.name).join(finding.number.to_string());
            std::fs::create_dir_all(arguments.found.join(format.name))?;
            std::fs::write(&path, input(arguments, index, finding.number, &inputs))?;
            println!("{name} {}: {} ({})", finding.number, finding.what, path.display());
        }
        let seconds: f64 = of_format().map(|(.., seconds)| seconds).sum();
        println!("{name}: {} inputs, {} found, {seconds:.1} s", arguments.inputs, findings.len());
        total += findings.len();
    }
    println!("{} inputs in all, {total} found", names.len() * arguments.inputs as usize);
    Ok(total == 0)
}

/// Feeds all shares, some at the same time; returns each with its findings and the seconds that it took.
fn feed_all<'a>(
    arguments: &Arguments, shares: &'a [Share], folder: &Path,
) -> Result<Vec<(&'a Share, Vec<Finding>, f64)>> {
    let (next, fed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let feed = || -> Result<()> {
        while let Some(share) = shares.get(next.fetch_add(1, Ordering::Relaxed)) {
            let began = Instant::now();
            let findings = findings_of(arguments, share, folder)?;
            let mut fed = fed.lock().unwrap_or_else(PoisonError::into_inner);
            fed.push((share, findings, began.elapsed().as_secs_f64()));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let feeders: Vec<_> = (0..arguments.processes.max(1)).map(|_| scope.spawn(feed)).collect();
        feeders.into_iter().try_for_each(|feeder| match feeder.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    Ok(fed.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Feeds the inputs of a share.
fn findings_of(arguments: &Arguments, share: &Share, folder: &Path) -> Result<Vec<Finding>> {
    let (mut findings, format): (Vec<Finding>, _) = (Vec::new(), share.format);
    let mut numbers = share.numbers.clone();
    while !numbers.is_empty() {
        let (mut child, lines) = start(arguments, format, folder, &numbers)?;
        let mut current = None;
        loop {
            match lines.recv_timeout(limit(arguments, current)) {
                Ok(line) if line == "done" => {
                    child.wait()?;
                    return Ok(findings);
                }
                Ok(line) => match line.split_once(" panic: ") {
                    Some((number, what)) => {
                        findings.push(Finding { number: number.parse()?, what: what.to_owned(), is_panic: true });
                    }
                    None => current = Some(line.parse().with_context(|| format!("the worker said “{line}”"))?),
                },
                Err(ended) => {
                    let what = match ended {
                        RecvTimeoutError::Timeout => {
                            child.kill()?;
                            format!("longer than {} s", arguments.seconds)
                        }
                        RecvTimeoutError::Disconnected => "aborted, or out of memory".to_owned(),
                    };
                    let status = child.wait()?;
                    let number: u32 =
                        current.with_context(|| format!("the worker of {} did not begin: {status}", format.name))?;
                    findings.push(Finding { number, what: format!("{what} ({status})"), is_panic: false });
                    numbers.start = number + 1;
                    break;
                }
            }
        }
    }
    Ok(findings)
}

/// Time for the next line of a worker: loading of the corpus, or one input.
fn limit(arguments: &Arguments, current: Option<u32>) -> Duration {
    current.map_or(Duration::from_secs(60), |_| Duration::from_secs_f64(arguments.seconds))
}

/// Starts a worker under the limit of memory; its lines arrive in the channel.
fn start(
    arguments: &Arguments, format: &Format, folder: &Path, numbers: &Range<u32>,
) -> Result<(Child, Receiver<String>)> {
    let own = std::env::current_exe()?;
    let mut command = if arguments.memory > 0 && cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -c 0; ulimit -v {}; exec \"$@\"", arguments.memory << 10), "sh"]).arg(own);
        shell
    } else {
        Command::new(own)
    };
    command.arg("--worker").arg(folder).args(["--formats", format.name]);
    let [first, inputs, seed] =
        [numbers.start.into(), numbers.len() as u64, arguments.seed].map(|number| number.to_string());
    command.args(["--first", &first, "--inputs", &inputs, "--seed", &seed]);
    let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn()?;
    let output = child.stdout.take().context("the worker has a standard output")?;
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(std::io::Result::ok).try_for_each(|line| sender.send(line))
    });
    Ok((child, receiver))
}
