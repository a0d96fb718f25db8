//! `gridwright bench facility`.

use gridwright_solver::backend;
use gridwright_solver::facility;
use gridwright_solver::search::report::Report;

use crate::arguments::bench::Bench;
use crate::command::text;

/// Measures individuals per second, or the tables and figures of the paper.
///
/// # Errors
/// Error if an instance cannot be opened or a search fails.
pub fn run(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    let threads = if arguments.threads == 0 { backend::available_threads() } else { arguments.threads };
    let tell = &mut |what: &str| text::note(what);
    let open = |names: &[&str]| -> anyhow::Result<Vec<facility::Instance>> {
        let named: Vec<&str> = arguments.instances.iter().map(String::as_str).collect();
        let sources = if named.is_empty() { names } else { &named };
        let options = facility::formats::LoadOptions::default();
        Ok(sources.iter().map(|source| facility::formats::open(source, &options)).collect::<Result<_, _>>()?)
    };
    if arguments.tables {
        let instances = open(&["layout:F40"])?;
        let most = arguments.iterations.max(facility::bench::tables::BASELINE[2]);
        return Ok(facility::bench::tables::tables(&instances, arguments.seeds, threads, most, tell)?);
    }
    let instances = open(&facility::bench::INSTANCES)?;
    Ok(vec![facility::bench::stages(&instances, threads, arguments.seconds.unwrap_or(5.0), tell)?])
}
