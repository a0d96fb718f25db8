//! `gridwright bench`: speed stage by stage, costs against published ones.

use std::path::PathBuf;

use anyhow::bail;
use gridwright_solver::backend;
use gridwright_solver::facility;
use gridwright_solver::flowshop;
use gridwright_solver::search::Parameters as _;
use gridwright_solver::search::report::Report;
use gridwright_solver::systolic;
use gridwright_solver::systolic::cuda::Tuning;
use gridwright_solver::timetabling::annealing::AnnealingParameters;
use gridwright_solver::timetabling::evolution::EvolutionParameters;
use gridwright_solver::timetabling::formats::{LoadOptions, open};
use gridwright_solver::timetabling::{Instance, bench};
use serde_json::json;

use super::{Exit, text};
use crate::arguments::{Bench, BenchProblem, Suite};

/// The instances of the published speed figures.
const SPEED: [&str; 4] = ["hec-s-92", "lse-f-91", "car-s-91", "pur-s-93"];
/// The instances with published means at population 256.
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

/// Measures and prints a table.
///
/// # Errors
/// Instances that cannot be opened, searches that break off.
pub fn run(arguments: &Bench) -> anyhow::Result<Exit> {
    let reports = match arguments.problem {
        BenchProblem::Timetabling => timetabling(arguments)?,
        BenchProblem::Flowshop => flow_shop(arguments)?,
        BenchProblem::Facility => layouts(arguments)?,
        BenchProblem::Systolic => binary(arguments)?,
    };
    let machine = machine();
    text::answer(&if arguments.json {
        let (report, further) = (reports.first(), reports.get(1..).unwrap_or_default());
        text::json(&json!({ "machine": machine, "report": report, "further": further }))
    } else if arguments.csv {
        reports.iter().map(Report::csv).collect::<Vec<_>>().join("\n")
    } else {
        let tables: Vec<String> = reports.iter().map(Report::markdown).collect();
        format!("{}\n{machine}\n", tables.join("\n"))
    });
    Ok(Exit::Done)
}

fn timetabling(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    let chosen = arguments.suite.unwrap_or(Suite::Stages);
    let reaches_costs = !arguments.tables && matches!(chosen, Suite::Annealing | Suite::Evolution);
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
        Suite::Stages => {
            let populations = match arguments.populations.as_slice() {
                [] => &POPULATIONS[..],
                named => named,
            };
            bench::stages(&suite(&SPEED)?, populations, &both, generations, tell)?
        }
        Suite::EvolutionStages => {
            let populations = match arguments.populations.as_slice() {
                [] => &DEVICE_POPULATIONS[..],
                named => named,
            };
            bench::device_stages(&suite(&SPEED)?, populations, &both, generations, tell)?
        }
        Suite::Speed => bench::speed(&suite(&SPEED)?, &both, seconds, tell)?,
        Suite::Annealing => {
            let mut parameters = AnnealingParameters::default();
            for (name, value) in &arguments.parameters {
                parameters.set(name, value)?;
            }
            bench::annealing_results(&suite(&TORONTO)?, &parameters, on, seconds, arguments.seeds, tell)?
        }
        Suite::Around => bench::around_results(&suite(&AROUND)?, threads, seconds, arguments.seeds, tell)?,
        Suite::Evolution => {
            let mut parameters = EvolutionParameters::default();
            for (name, value) in &arguments.parameters {
                parameters.set(name, value)?;
            }
            // Those with a published mean for this population.
            let all = parameters.population == bench::PUBLISHED_POPULATION;
            let named = suite(if all { &TORONTO } else { &EVOLUTION })?;
            let generations = arguments.generations.unwrap_or(bench::PUBLISHED_GENERATIONS);
            bench::evolution_results(&named, &parameters, on, generations, arguments.seeds, tell)?
        }
        Suite::Greedy => bail!("“greedy” measures flow shops: gridwright bench flowshop --suite greedy"),
        Suite::Wavefront => bail!("“wavefront” measures flow shops: gridwright bench flowshop --suite wavefront"),
        Suite::Insertion => bail!("“insertion” measures flow shops: gridwright bench flowshop --suite insertion"),
        Suite::Neighbourhoods => {
            bail!("“neighbourhoods” measures flow shops: gridwright bench flowshop --suite neighbourhoods")
        }
    }])
}

/// Generations of each measurement of stages where nothing is said.
const GENERATIONS: u32 = 20;

/// Seconds of a run where nothing is said.
const SECONDS: f64 = 60.0;

fn flow_shop(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    let threads = if arguments.threads == 0 { backend::available_threads() } else { arguments.threads };
    let tell = &mut |what: &str| text::note(what);
    if arguments.tables {
        let of_fronts = flow_shops(arguments, &flowshop::bench::tables::INSTANCES)?;
        let scope = flowshop::bench::tables::Scope {
            iterations: arguments.iterations,
            threads,
            searches: &arguments.algorithms,
            one_thread: !arguments.no_single_core,
        };
        let fronts = flowshop::bench::tables::tables(&of_fronts, scope, tell)?;
        // Whoever asks for some searches wants nothing else.
        let others = if arguments.algorithms.is_empty() { wavefront(arguments, threads)? } else { Vec::new() };
        return Ok([vec![fronts], others].concat());
    }
    match arguments.suite.unwrap_or(Suite::Greedy) {
        Suite::Greedy => {}
        Suite::Wavefront => return wavefront(arguments, threads),
        Suite::Insertion => return insertion(arguments, threads),
        Suite::Neighbourhoods => {
            let instances = flow_shops(arguments, &flowshop::bench::neighbourhoods::INSTANCES)?;
            return Ok(vec![flowshop::bench::neighbourhoods::neighbourhoods(&instances, threads, tell)?]);
        }
        _ => bail!(
            "that suite measures timetables; for flow shops there are --suite greedy, --suite insertion, --suite \
             neighbourhoods and --suite wavefront"
        ),
    }
    // The first, fourth and seventh of every size; the first where each takes as long as the others.
    let of_class: &[usize] = if arguments.seconds.is_some() { &[1] } else { &[1, 4, 7] };
    let name = |class: usize| of_class.iter().map(move |number| format!("ta{:03}", class * 10 + number));
    let names: Vec<String> = (0..12).flat_map(name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let instances = flow_shops(arguments, &names)?;
    let mut algorithm = flowshop::run::Algorithm::default();
    for (name, value) in &arguments.parameters {
        algorithm.set(name, value)?;
    }
    let limit = match arguments.seconds {
        Some(seconds) => flowshop::bench::Limit::Seconds(seconds),
        None => flowshop::bench::Limit::MillisecondsPerOperation(arguments.milliseconds),
    };
    let on = (arguments.backend.as_str(), threads);
    Ok(vec![flowshop::bench::greedy_results(&instances, arguments.objective, &algorithm, on, limit, tell)?])
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
    Ok(vec![flowshop::bench::insertion::insertion(&instances, arguments.objective, threads, &effort, tell)?])
}

/// One order in parallel, and many side by side.
fn wavefront(arguments: &Bench, threads: usize) -> anyhow::Result<Vec<Report>> {
    let instances = flow_shops(arguments, &flowshop::bench::wavefront::INSTANCES)?;
    Ok(flowshop::bench::wavefront::wavefront(&instances, threads, &mut |what| text::note(what))?)
}

/// Layouts: individuals per second, or the tables and figures of the paper.
fn layouts(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    if arguments.suite.is_some() {
        bail!("layouts have no suites: gridwright bench facility measures speed, --tables the tables of the paper");
    }
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

/// Binary problems: children per second, or the tables of the paper.
fn binary(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    if arguments.suite.is_some() {
        bail!(
            "binary problems have no suites: gridwright bench systolic measures speed, --tables the tables of the paper"
        );
    }
    let threads = if arguments.threads == 0 { backend::available_threads() } else { arguments.threads };
    let tell = &mut |what: &str| text::note(what);
    let open = |names: &[&str]| -> anyhow::Result<Vec<systolic::Instance>> {
        let named: Vec<&str> = arguments.instances.iter().map(String::as_str).collect();
        let sources = if named.is_empty() { names } else { &named };
        let options = systolic::formats::LoadOptions::default();
        Ok(sources.iter().map(|source| systolic::formats::open(source, &options)).collect::<Result<_, _>>()?)
    };
    if !arguments.tables {
        let instances = open(&systolic::bench::INSTANCES)?;
        let seconds = arguments.seconds.unwrap_or(SECONDS);
        return Ok(vec![systolic::bench::stages(&instances, threads, seconds, &tunings(arguments), tell)?]);
    }
    let names = match arguments.algorithms.as_slice() {
        [] => systolic::run::Algorithm::NAMES.map(str::to_owned).to_vec(),
        named => named.to_vec(),
    };
    let mut algorithms = Vec::with_capacity(names.len());
    for name in &names {
        let mut algorithm = systolic::run::Algorithm::named(name)?;
        for (name, value) in &arguments.parameters {
            algorithm.set(name, value)?;
        }
        algorithms.push(algorithm);
    }
    // The one next release problem of the paper that was published is not part of the program.
    let published = data_folder().join("nrp/motorola_35.txt").display().to_string();
    let mut known = systolic::bench::tables::INSTANCES.to_vec();
    if std::path::Path::new(&published).is_file() {
        known.push(&published);
    }
    let instances = systolic::bench::tables::with_all_weights(open(&known)?);
    Ok(systolic::bench::tables::tables(&instances, &algorithms, arguments.seeds, threads, tell)?)
}

/// Every way to use a device that is asked for; 0 stands for what is chosen.
fn tunings(arguments: &Bench) -> Vec<Tuning> {
    let or_chosen = |numbers: &[u32]| if numbers.is_empty() { vec![0] } else { numbers.to_vec() };
    let (lanes, blocks, global) = (or_chosen(&arguments.lanes), or_chosen(&arguments.blocks), arguments.global);
    let of = |lanes: &u32| blocks.iter().map(|&blocks| Tuning { lanes: *lanes, blocks, block: 0, global }).collect();
    lanes.iter().flat_map(|lanes| -> Vec<Tuning> { of(lanes) }).collect()
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

/// Where solving around changes is measured.
const AROUND: [&str; 1] = ["car-f-92"];

/// Where published data are looked for.
fn data_folder() -> PathBuf {
    std::env::var_os("GRIDWRIGHT_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from)
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

/// What has to stand beside every figure: processor, threads, vector unit, version, build.
fn machine() -> String {
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| {
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    format!(
        "{}, {} threads, {}; gridwright {}{}",
        model.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        backend::available_threads(),
        backend::vector_unit(),
        env!("CARGO_PKG_VERSION"),
        if cfg!(debug_assertions) { ", not a release build" } else { "" }
    )
}
