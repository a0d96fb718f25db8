//! `gridwright bench timetabling`.

use anyhow::bail;
use gridwright_solver::backend;
use gridwright_solver::search::Parameters as _;
use gridwright_solver::search::report::Report;
use gridwright_solver::timetabling::annealing::AnnealingParameters;
use gridwright_solver::timetabling::evolution::EvolutionParameters;
use gridwright_solver::timetabling::formats::{LoadOptions, open};
use gridwright_solver::timetabling::{Instance, bench};

use crate::arguments::bench::Bench;
use crate::command::paths::data_folder;
use crate::command::text;
use crate::problem::Suite;

/// The suites of measurements.
pub const SUITES: [Suite; 6] = [
    Suite { name: "stages", help: "Milliseconds per stage of a generation: one thread, all threads" },
    Suite { name: "speed", help: "Steps and proposals of annealing per second: one thread, all threads" },
    Suite {
        name: "annealing",
        help: "Costs that annealing reaches in --seconds on the 13 Toronto instances, on the CPU or on a device (--backend)",
    },
    Suite {
        name: "around",
        help: "What solving around five exams moved by hand does, with --seconds before and after",
    },
    Suite {
        name: "evolution",
        help: "Costs that the evolutionary algorithm reaches with the published settings, on the CPU or on a device (--backend); with --set population=16384 on the 13 Toronto instances",
    },
    Suite {
        name: "evolution-stages",
        help: "Milliseconds per stage of a generation: CPU and every CUDA device, all variants",
    },
];

/// The instances of the published speed figures.
const SPEED: [&str; 4] = ["hec-s-92", "lse-f-91", "car-s-91", "pur-s-93"];

/// Small instances, on which “evolution” runs with other populations than the largest published one.
const EVOLUTION: [&str; 6] = ["hec-s-92", "ear-f-83", "sta-f-83", "ute-s-92", "yor-f-83", "tre-s-92"];

/// All Toronto instances.
const TORONTO: [&str; 13] = [
    "car-f-92", "car-s-91", "ear-f-83", "hec-s-92", "kfu-s-93", "lse-f-91", "pur-s-93", "rye-s-93", "sta-f-83",
    "tre-s-92", "uta-s-92", "ute-s-92", "yor-f-83",
];

/// Populations of the published speed figures that a CPU finishes in minutes.
const POPULATIONS: [u32; 2] = [256, 2_048];

/// Populations of the published speed figures.
const DEVICE_POPULATIONS: [u32; 4] = [256, 2_048, 8_192, 16_384];

/// Generations of each measurement of stages where nothing is said.
const GENERATIONS: u32 = 20;

/// Seconds of a run where nothing is said.
const SECONDS: f64 = 60.0;

/// Instances on which solving around changes is measured.
const AROUND: [&str; 1] = ["car-f-92"];

/// Measures searches for timetables.
///
/// # Errors
/// Error if an instance cannot be opened, a search fails, or options contradict each other.
pub fn run(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    let chosen = arguments.suite.as_deref().unwrap_or("stages");
    let reaches_costs = !arguments.tables && matches!(chosen, "annealing" | "evolution");
    if !reaches_costs && (arguments.backend != "cpu" || !arguments.parameters.is_empty()) {
        bail!(
            "--backend and --set are for --suite annealing and --suite evolution; --tables and --suite evolution-stages \
             measure the CPU and every device"
        );
    }
    let all = backend::available_threads();
    let threads = if arguments.threads == 0 { all } else { arguments.threads };
    let mut both = vec![1, threads];
    both.dedup();
    let tell = &mut |what: &str| text::note(what);
    let suite = |names: &[&str]| instances(arguments, names);
    let seconds = arguments.seconds.unwrap_or(SECONDS);
    let generations = arguments.generations.unwrap_or(GENERATIONS);
    let on = bench::On { backend: &arguments.backend, threads };
    if arguments.tables {
        let populations = match arguments.populations.as_slice() {
            [] => &DEVICE_POPULATIONS[..],
            named => named,
        };
        return Ok(bench::tables::tables(&suite(&SPEED)?, populations, threads, generations, tell)?);
    }
    Ok(vec![match chosen {
        "stages" => {
            let populations = match arguments.populations.as_slice() {
                [] => &POPULATIONS[..],
                named => named,
            };
            bench::stages(&suite(&SPEED)?, populations, &both, generations, tell)?
        }
        "evolution-stages" => {
            let populations = match arguments.populations.as_slice() {
                [] => &DEVICE_POPULATIONS[..],
                named => named,
            };
            bench::device_stages(&suite(&SPEED)?, populations, &both, generations, tell)?
        }
        "speed" => bench::speed(&suite(&SPEED)?, &both, seconds, tell)?,
        "annealing" => {
            let mut parameters = AnnealingParameters::default();
            for (name, value) in &arguments.parameters {
                parameters.set(name, value)?;
            }
            bench::annealing_results(&suite(&TORONTO)?, &parameters, on, seconds, arguments.seeds, tell)?
        }
        "around" => bench::around_results(&suite(&AROUND)?, threads, seconds, arguments.seeds, tell)?,
        "evolution" => {
            let mut parameters = EvolutionParameters::default();
            for (name, value) in &arguments.parameters {
                parameters.set(name, value)?;
            }
            let all = parameters.population == bench::PUBLISHED_POPULATION;
            let named = suite(if all { &TORONTO } else { &EVOLUTION })?;
            let generations = arguments.generations.unwrap_or(bench::PUBLISHED_GENERATIONS);
            bench::evolution_results(&named, &parameters, on, generations, arguments.seeds, tell)?
        }
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
