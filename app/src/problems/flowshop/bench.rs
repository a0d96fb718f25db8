//! `gridwright bench flowshop`.

use anyhow::bail;
use gridwright_core::backend;
use gridwright_core::search::Parameters as _;
use gridwright_core::search::report::Report;
use gridwright_flowshop as flowshop;

use crate::arguments::bench::Bench;
use crate::command::text;
use crate::problem::Suite;

/// The suites of measurements.
pub const SUITES: [Suite; 4] = [
    Suite {
        name: "insertion",
        help: "Places for a job that iterated greedy looks at in a second, size by size: one thread, all threads, every CUDA device",
    },
    Suite {
        name: "wavefront",
        help: "One order of a flow shop computed in parallel, size by size, and many orders side by side: CPU and every CUDA device",
    },
    Suite {
        name: "neighbourhoods",
        help: "Neighbours of an order of a flow shop per second, with and without archiving: CPU and every CUDA device, with each kind of memory",
    },
    Suite {
        name: "fronts",
        help: "Shares of evaluation and archiving in the time of searches for fronts: CPU and a CUDA device, size by size",
    },
];

/// Measures searches for flow shops.
///
/// # Errors
/// Error if an instance cannot be opened, a search fails, or options contradict each other.
pub fn run(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    let threads = if arguments.threads == 0 { backend::available_threads() } else { arguments.threads };
    let tell = &mut |what: &str| text::note(what);
    match arguments.suite.as_deref().unwrap_or("insertion") {
        "wavefront" => wavefront(arguments, threads),
        "insertion" => insertion(arguments, threads),
        "neighbourhoods" => {
            let instances = flow_shops(arguments, &flowshop::bench::neighbourhoods::INSTANCES)?;
            Ok(vec![flowshop::bench::neighbourhoods::neighbourhoods(&instances, threads, tell)?])
        }
        "fronts" => {
            let instances = flow_shops(arguments, &flowshop::bench::tables::INSTANCES)?;
            let scope = flowshop::bench::tables::Scope {
                iterations: arguments.iterations,
                threads,
                searches: &arguments.algorithms,
            };
            Ok(vec![flowshop::bench::tables::tables(&instances, scope, tell)?])
        }
        other => bail!("there is no suite “{other}” for flow shops"),
    }
}

/// Places for a job that iterated greedy looks at in a second.
fn insertion(arguments: &Bench, threads: usize) -> anyhow::Result<Vec<Report>> {
    let instances = flow_shops(arguments, &flowshop::bench::wavefront::INSTANCES)?;
    let mut parameters = flowshop::greedy::IteratedGreedyParameters::default();
    for (name, value) in &arguments.parameters {
        parameters.set(name, value)?;
    }
    let seconds = arguments.seconds.unwrap_or(1.0);
    let effort = flowshop::bench::insertion::Effort { seconds, parameters, warps: arguments.warps };
    let tell = &mut |what: &str| text::note(what);
    Ok(vec![flowshop::bench::insertion::insertion(&instances, arguments.objective.parse()?, threads, &effort, tell)?])
}

/// One order in parallel, and many side by side.
fn wavefront(arguments: &Bench, threads: usize) -> anyhow::Result<Vec<Report>> {
    let instances = flow_shops(arguments, &flowshop::bench::wavefront::INSTANCES)?;
    Ok(flowshop::bench::wavefront::wavefront(&instances, threads, &mut |what| text::note(what))?)
}

/// The named instances, or these of Taillard's.
fn flow_shops(arguments: &Bench, names: &[&str]) -> anyhow::Result<Vec<flowshop::Instance>> {
    let open = |source: &str| flowshop::formats::open(source, &flowshop::formats::LoadOptions::default());
    let named: Result<_, _> = match arguments.instances.as_slice() {
        [] => names.iter().map(|name| open(&format!("taillard:{name}"))).collect(),
        sources => sources.iter().map(|source| open(source)).collect(),
    };
    Ok(named?)
}
