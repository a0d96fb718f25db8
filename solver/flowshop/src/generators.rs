//! The generator of flow shops, as `gridwright generate flowshop` and tests call it.

use std::path::Path;

use gridwright_core::Result;
use gridwright_core::formats::written;
use gridwright_core::numbers::counted;
use gridwright_core::planning::generators::{CommandOption, Generated, Generator, check_target};
use gridwright_core::problem::{Overrides, parses};

use crate::{formats, generator};

pub(crate) const GENERATORS: [Generator; 1] = [Generator {
    name: "flowshop",
    about: "A flow shop with times from 1 to 99, as Taillard's are made, and due dates as Liefooghe's",
    options: &[
        CommandOption::new("jobs", "N", "Number of jobs", parses::<usize>).or("50"),
        CommandOption::new("machines", "M", "Number of machines", parses::<usize>).or("10"),
        CommandOption::new("seed", "N", "The seed of all random numbers, 1 to 2147483646", parses::<u64>).or("1"),
        CommandOption::switch("due-dates", "Give the jobs due dates"),
    ],
    out: ("FILE", "NAME.csv for a table, NAME.txt for numbers"),
    run: generate,
}];

fn generate(options: &Overrides, out: &Path) -> Result<Generated> {
    let what =
        "a flow shop is written as .csv (a table with names) or .txt (numbers only); choose one of these endings";
    check_target(out, &written(formats::FORMATS), what)?;
    let due_dates = options.is_on("due-dates");
    let instance = generator::generate(&generator::GeneratorOptions {
        name: String::new(),
        jobs: options.required("jobs")?,
        machines: options.required("machines")?,
        seed: options.required("seed")?,
        due_dates,
    })?;
    formats::save(&instance, out)?;
    let dated = if due_dates { "with due dates" } else { "without due dates" };
    let (jobs, machines) = (counted(instance.job_count(), "job"), counted(instance.machine_count(), "machine"));
    let summary = format!("{jobs}, {machines}, {dated}");
    Ok(Generated { files: vec![out.to_path_buf()], summary, warnings: instance.warnings })
}
