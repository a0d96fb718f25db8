//! `gridwright bench systolic`.

use gridwright_core::backend;
use gridwright_core::search::report::Report;
use gridwright_systolic as systolic;
use gridwright_systolic::cuda::Tuning;

use crate::arguments::bench::Bench;
use crate::command::text;

/// Seconds of a run where nothing is said.
const SECONDS: f64 = 60.0;

/// Measures children per second.
///
/// # Errors
/// Error if an instance cannot be opened or a search fails.
pub fn run(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    let threads = if arguments.threads == 0 { backend::available_threads() } else { arguments.threads };
    let tell = &mut |what: &str| text::note(what);
    let open = |names: &[&str]| -> anyhow::Result<Vec<systolic::Instance>> {
        let named: Vec<&str> = arguments.instances.iter().map(String::as_str).collect();
        let sources = if named.is_empty() { names } else { &named };
        let options = systolic::formats::LoadOptions::default();
        Ok(sources.iter().map(|source| systolic::formats::open(source, &options)).collect::<Result<_, _>>()?)
    };
    let instances = open(&systolic::bench::INSTANCES)?;
    let seconds = arguments.seconds.unwrap_or(SECONDS);
    Ok(vec![systolic::bench::stages(&instances, threads, seconds, &tunings(arguments), tell)?])
}

/// Every way to use a device that is asked for; 0 stands for what is chosen.
fn tunings(arguments: &Bench) -> Vec<Tuning> {
    let or_chosen = |numbers: &[u32]| if numbers.is_empty() { vec![0] } else { numbers.to_vec() };
    let (lanes, blocks, global) = (or_chosen(&arguments.lanes), or_chosen(&arguments.blocks), arguments.global);
    let of = |lanes: &u32| blocks.iter().map(|&blocks| Tuning { lanes: *lanes, blocks, block: 0, global }).collect();
    lanes.iter().flat_map(|lanes| -> Vec<Tuning> { of(lanes) }).collect()
}
