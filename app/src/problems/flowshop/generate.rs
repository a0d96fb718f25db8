//! `gridwright generate flowshop`.

use std::path::PathBuf;

use clap::Args;
use gridwright_core::Result;
use gridwright_flowshop::{formats, generator};

use crate::command::generate::{check_target, written};
use crate::command::text;
use crate::problem::Generator;

/// The generators of flow shops.
pub const GENERATORS: [Generator; 1] = [Generator {
    name: "flowshop",
    about: "A flow shop with times from 1 to 99, as Taillard's are made, and due dates as Liefooghe's",
    augment: GenerateFlowShop::augment_args,
    run: |matches| Generator::with::<GenerateFlowShop>(matches, flow_shop),
}];

/// A flow shop to be made.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct GenerateFlowShop {
    /// Number of jobs
    #[arg(long, value_name = "N", default_value_t = 50, allow_negative_numbers = true)]
    pub jobs: usize,
    /// Number of machines
    #[arg(long, value_name = "M", default_value_t = 10, allow_negative_numbers = true)]
    pub machines: usize,
    /// The seed of all random numbers, 1 to 2147483646
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Give the jobs due dates
    #[arg(long)]
    pub due_dates: bool,
    /// NAME.csv for a table, NAME.txt for numbers
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

fn flow_shop(arguments: &GenerateFlowShop) -> Result<()> {
    let GenerateFlowShop { jobs, machines, seed, due_dates, out } = arguments;
    let what =
        "a flow shop is written as .csv (a table with names) or .txt (numbers only); choose one of these endings";
    check_target(out, &formats::WRITTEN, what)?;
    let options = generator::GeneratorOptions {
        name: String::new(),
        jobs: *jobs,
        machines: *machines,
        seed: *seed,
        due_dates: *due_dates,
    };
    let instance = generator::generate(&options)?;
    formats::save(&instance, out)?;
    let dated = if *due_dates { "with due dates" } else { "without due dates" };
    let summary = format!("{}, {}, {dated}", text::plural(*jobs, "job"), text::plural(*machines, "machine"));
    written(std::slice::from_ref(out), &summary, &instance.warnings);
    Ok(())
}
