//! `gridwright bench facility`.

use gridwright_core::backend;
use gridwright_core::search::report::Report;
use gridwright_facility as facility;

use crate::arguments::bench::Bench;
use crate::command::text;
use crate::problem::Suite;

/// The suites of measurements.
pub const SUITES: [Suite; 2] = [
    Suite { name: "layouts", help: "Layouts evaluated per second: one thread, all threads, every CUDA device" },
    Suite { name: "repeats", help: "Repeated comparisons of tournaments of layouts with each way to seed them" },
];

/// Measures individuals per second, or counts repeated comparisons.
///
/// # Errors
/// Error if an instance cannot be opened or a search fails.
pub fn run(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    if arguments.suite.as_deref() == Some("repeats") {
        return Ok(vec![facility::bench::repeats()]);
    }
    let threads = if arguments.threads == 0 { backend::available_threads() } else { arguments.threads };
    let tell = &mut |what: &str| text::note(what);
    let open = |names: &[&str]| -> anyhow::Result<Vec<facility::Instance>> {
        let named: Vec<&str> = arguments.instances.iter().map(String::as_str).collect();
        let sources = if named.is_empty() { names } else { &named };
        let options = facility::formats::LoadOptions::default();
        Ok(sources.iter().map(|source| facility::formats::open(source, &options)).collect::<Result<_, _>>()?)
    };
    let instances = open(&facility::bench::INSTANCES)?;
    Ok(vec![facility::bench::stages(&instances, threads, arguments.seconds.unwrap_or(5.0), tell)?])
}
