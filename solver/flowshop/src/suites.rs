//! Measurements of the searches for flow shops, as `gridwright bench flowshop` makes them.

use gridwright_core::planning::generators::{CommandOption, Measurement, Measurements, Suite};
use gridwright_core::problem::{any_text, number_where, parses};
use gridwright_core::search::Parameters as _;
use gridwright_core::search::report::Report;
use gridwright_core::{Error, Result};

use crate::formats::{LoadOptions, open};
use crate::greedy::IteratedGreedyParameters;
use crate::{Instance, Objective, bench};

pub(crate) static MEASUREMENTS: Measurements = Measurements {
    suites: &[
        Suite {
            name: "insertion",
            help: "Places for a job that iterated greedy looks at in a second, size by size: one thread, all threads, every CUDA device",
        },
        Suite {
            name: "features",
            help: "Places for a job that iterated greedy looks at in a second with set-ups, working times and rules, beside the plain rate, size by size",
        },
        Suite {
            name: "holding",
            help: "Milliseconds until others follow a held job, and how many of them move, size by size, with set-ups, working times and rules",
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
    ],
    options: &[
        CommandOption::new(
            "warps",
            "N",
            "Warps that walk a chain of “insertion” on a device; 0 measures several",
            |text| number_where(text, || "expected a number from 0 to 8".to_owned(), |&warps: &u32| warps <= 8),
        )
        .or("0"),
        CommandOption::new(
            "objective",
            "OBJECTIVE",
            "Objective of “insertion”, “features” and “holding”",
            parses::<Objective>,
        )
        .or("makespan"),
        CommandOption::new("set", "NAME=VALUE", "A parameter of “insertion” and “features”; may be repeated", any_text)
            .repeated(),
        CommandOption::new(
            "iterations",
            "N",
            "Iterations of each search of “fronts”; the published tables have 10000",
            |text| number_where(text, || "expected a number from 1 on".to_owned(), |&iterations: &u32| iterations >= 1),
        )
        .or("20"),
        CommandOption::new(
            "algorithm",
            "NAME",
            "A search of “fronts”: tabu, pls-dominating, pls; may be repeated, all where none is named",
            any_text,
        )
        .repeated(),
    ],
    run: measure,
};

fn measure(asked: &Measurement, tell: &mut dyn FnMut(&str)) -> Result<Vec<Report>> {
    let threads = asked.thread_count();
    let opened = |names: &[&str]| -> Result<Vec<Instance>> {
        let usual: Vec<String> = names.iter().map(|name| format!("taillard:{name}")).collect();
        let usual: Vec<&str> = usual.iter().map(String::as_str).collect();
        asked.opened(&usual, |source| open(source, &LoadOptions::default()))
    };
    Ok(vec![match asked.suite.as_deref().unwrap_or("insertion") {
        "wavefront" => return bench::wavefront::wavefront(&opened(&bench::wavefront::INSTANCES)?, threads, tell),
        "holding" => {
            let (objective, seconds) = (asked.options.required("objective")?, asked.seconds.unwrap_or(3.0));
            bench::holding::holding(&opened(&bench::features::INSTANCES)?, objective, seconds, tell)?
        }
        suite @ ("insertion" | "features") => {
            let mut parameters = IteratedGreedyParameters::default();
            for assignment in asked.options.list::<String>("set")? {
                let expected = || Error::Usage("expected NAME=VALUE, such as chains=4, with --set".to_owned());
                let (name, value) = assignment.split_once('=').ok_or_else(expected)?;
                parameters.set(name.trim(), value.trim())?;
            }
            let (seconds, warps) = (asked.seconds.unwrap_or(1.0), asked.options.required("warps")?);
            let effort = bench::insertion::Effort { seconds, parameters, warps };
            let objective = asked.options.required("objective")?;
            if suite == "features" {
                let instances = opened(&bench::features::INSTANCES)?;
                return Ok(vec![bench::features::features(&instances, objective, threads, &effort, tell)?]);
            }
            bench::insertion::insertion(&opened(&bench::wavefront::INSTANCES)?, objective, threads, &effort, tell)?
        }
        "neighbourhoods" => {
            bench::neighbourhoods::neighbourhoods(&opened(&bench::neighbourhoods::INSTANCES)?, threads, tell)?
        }
        "fronts" => {
            let (iterations, searches) = (asked.options.required("iterations")?, asked.options.list("algorithm")?);
            let scope = bench::tables::Scope { iterations, threads, searches: &searches };
            bench::tables::tables(&opened(&bench::tables::INSTANCES)?, scope, tell)?
        }
        other => return Err(Error::Usage(format!("there is no suite “{other}” for flow shops"))),
    }])
}
