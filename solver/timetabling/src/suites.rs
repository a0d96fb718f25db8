//! Measurements of the searches for timetables, as `gridwright bench timetabling` makes them.

use gridwright_core::planning::generators::{CommandOption, Measurement, Measurements, Suite};
use gridwright_core::problem::number_where;
use gridwright_core::search::report::Report;
use gridwright_core::source::data_folder;
use gridwright_core::{Error, Result};

use crate::formats::{LoadOptions, open};
use crate::{Instance, bench};

/// The measurements.
pub(crate) static MEASUREMENTS: Measurements = Measurements {
    suites: &[
        Suite { name: "stages", help: "Milliseconds per stage of a generation: one thread, all threads" },
        Suite {
            name: "holding",
            help: "Milliseconds until the others make room for a held exam, and how many of them move",
        },
        Suite { name: "speed", help: "Steps and proposals of annealing per second: one thread, all threads" },
        Suite {
            name: "evolution-stages",
            help: "Milliseconds per stage of a generation: CPU and every CUDA device, all variants",
        },
        Suite {
            name: "tables",
            help: "A generation and its evaluation in all ways as the paper's tables have them: one core, all cores, every CUDA device, with transfers apart",
        },
    ],
    options: &[
        CommandOption::new(
            "population",
            "N",
            "Populations for “stages”, “evolution-stages” and “tables”; may be repeated",
            |text| number_where(text, || "expected a number from 2 on".to_owned(), |&population: &u32| population >= 2),
        )
        .repeated(),
        CommandOption::new(
            "generations",
            "N",
            "Generations of each measurement of “stages”, “evolution-stages” and “tables”",
            |text| {
                number_where(text, || "expected a number from 1 on".to_owned(), |&generations: &u32| generations >= 1)
            },
        )
        .or("20"),
    ],
    run: measure,
};

/// The instances of the published speed figures.
const SPEED: [&str; 4] = ["hec-s-92", "lse-f-91", "car-s-91", "pur-s-93"];

/// Populations of the published speed figures that a CPU finishes in minutes.
const POPULATIONS: [u32; 2] = [256, 2_048];

/// Populations of the published speed figures.
const DEVICE_POPULATIONS: [u32; 4] = [256, 2_048, 8_192, 16_384];

/// Seconds of a run if none are given.
const SECONDS: f64 = 60.0;

fn measure(asked: &Measurement, tell: &mut dyn FnMut(&str)) -> Result<Vec<Report>> {
    let threads = asked.thread_count();
    let mut both = vec![1, threads];
    both.dedup();
    let instances = instances(asked, tell)?;
    let seconds = asked.seconds.unwrap_or(SECONDS);
    let generations = asked.options.required("generations")?;
    let named: Vec<u32> = asked.options.list("population")?;
    let populations = |usual: &[u32]| if named.is_empty() { usual.to_vec() } else { named.clone() };
    let (usual, published) = (populations(&POPULATIONS), populations(&DEVICE_POPULATIONS));
    Ok(vec![match asked.suite.as_deref().unwrap_or("stages") {
        "stages" => bench::stages(&instances, &usual, &both, generations, tell)?,
        "evolution-stages" => bench::device_stages(&instances, &published, &both, generations, tell)?,
        "tables" => return bench::tables::tables(&instances, &published, threads, generations, tell),
        "holding" => bench::holding(&instances, seconds, tell)?,
        "speed" => bench::speed(&instances, &both, seconds, tell)?,
        other => return Err(Error::Usage(format!("there is no suite “{other}” for timetables"))),
    }])
}

/// The named instances, or the suite's from the published data; without these, the shipped samples.
fn instances(asked: &Measurement, tell: &mut dyn FnMut(&str)) -> Result<Vec<Instance>> {
    let toronto = data_folder().join("toronto");
    let sources: Vec<String> = if toronto.is_dir() || !asked.instances.is_empty() {
        SPEED.iter().map(|name| toronto.join(format!("{name}.stu")).display().to_string()).collect()
    } else {
        tell(&format!(
            "the Toronto instances are not in {}, so the shipped samples are measured; set GRIDWRIGHT_DATA to the \
             folder that holds toronto/",
            toronto.display()
        ));
        ["school", "faculty", "university"].map(|name| format!("sample:{name}")).to_vec()
    };
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    asked.opened(&sources, |source| open(source, &LoadOptions::default()))
}
