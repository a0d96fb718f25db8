//! `gridwright bench timetabling`.

use anyhow::bail;
use gridwright_core::backend;
use gridwright_core::search::report::Report;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::{Instance, bench};

use crate::arguments::bench::Bench;
use crate::command::paths::data_folder;
use crate::command::text;
use crate::problem::Suite;

/// The suites of measurements.
pub const SUITES: [Suite; 4] = [
    Suite { name: "stages", help: "Milliseconds per stage of a generation: one thread, all threads" },
    Suite { name: "speed", help: "Steps and proposals of annealing per second: one thread, all threads" },
    Suite {
        name: "evolution-stages",
        help: "Milliseconds per stage of a generation: CPU and every CUDA device, all variants",
    },
    Suite {
        name: "tables",
        help: "A generation and its evaluation in all ways as the paper's tables have them: one core, all cores, every CUDA device, with transfers apart",
    },
];

/// The instances of the published speed figures.
const SPEED: [&str; 4] = ["hec-s-92", "lse-f-91", "car-s-91", "pur-s-93"];

/// Populations of the published speed figures that a CPU finishes in minutes.
const POPULATIONS: [u32; 2] = [256, 2_048];

/// Populations of the published speed figures.
const DEVICE_POPULATIONS: [u32; 4] = [256, 2_048, 8_192, 16_384];

/// Generations of each measurement of stages where nothing is said.
const GENERATIONS: u32 = 20;

/// Seconds of a run where nothing is said.
const SECONDS: f64 = 60.0;

/// Measures searches for timetables.
///
/// # Errors
/// Error if an instance cannot be opened or a search fails.
pub fn run(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    let chosen = arguments.suite.as_deref().unwrap_or("stages");
    let all = backend::available_threads();
    let threads = if arguments.threads == 0 { all } else { arguments.threads };
    let mut both = vec![1, threads];
    both.dedup();
    let tell = &mut |what: &str| text::note(what);
    let suite = |names: &[&str]| instances(arguments, names);
    let seconds = arguments.seconds.unwrap_or(SECONDS);
    let generations = arguments.generations.unwrap_or(GENERATIONS);
    let populations = |usual: &[u32]| match arguments.populations.as_slice() {
        [] => usual.to_vec(),
        named => named.to_vec(),
    };
    let (usual, published) = (populations(&POPULATIONS), populations(&DEVICE_POPULATIONS));
    Ok(vec![match chosen {
        "stages" => bench::stages(&suite(&SPEED)?, &usual, &both, generations, tell)?,
        "evolution-stages" => bench::device_stages(&suite(&SPEED)?, &published, &both, generations, tell)?,
        "tables" => return Ok(bench::tables::tables(&suite(&SPEED)?, &published, threads, generations, tell)?),
        "speed" => bench::speed(&suite(&SPEED)?, &both, seconds, tell)?,
        other => bail!("there is no suite “{other}” for timetables"),
    }])
}

/// The named instances, or the suite's from the published data; without these, the shipped samples.
fn instances(arguments: &Bench, names: &[&str]) -> anyhow::Result<Vec<Instance>> {
    let options = LoadOptions::default();
    if !arguments.instances.is_empty() {
        return Ok(arguments.instances.iter().map(|source| open(source, &options)).collect::<Result<_, _>>()?);
    }
    let toronto = data_folder().join("toronto");
    let sources: Vec<String> = if toronto.is_dir() {
        names.iter().map(|name| toronto.join(format!("{name}.stu")).display().to_string()).collect()
    } else {
        text::note(&format!(
            "the Toronto instances are not in {}, so the shipped samples are measured; set GRIDWRIGHT_DATA to the \
             folder that holds toronto/",
            toronto.display()
        ));
        ["school", "faculty", "university"].map(|name| format!("sample:{name}")).to_vec()
    };
    Ok(sources.iter().map(|source| open(source, &options)).collect::<Result<_, _>>()?)
}
