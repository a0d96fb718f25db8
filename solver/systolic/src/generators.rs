//! The generators of binary problems, as `gridwright generate knapsack`, `nrp`, `mmdp` and `onemax` and tests call them.

use std::path::Path;

use gridwright_core::Result;
use gridwright_core::formats::written;
use gridwright_core::numbers::counted;
use gridwright_core::planning::generators::{CommandOption, Generated, Generator, check_target};
use gridwright_core::problem::parses;

use crate::generator::{self, KnapsackOptions, ReleaseOptions};
use crate::{Instance, formats, library};

/// Placeholder and help of the file of problems that are written in every format.
const ANY_FILE: (&str, &str) = ("FILE", "NAME.csv for a table, NAME.txt for numbers, NAME.ron for a document");

/// Options of problems that only have a size.
const BITS: [CommandOption; 1] = [CommandOption::new("bits", "N", "Number of bits", parses::<usize>).or("300")];

/// The generators of binary problems.
pub(crate) const GENERATORS: [Generator; 4] = [
    Generator {
        name: "knapsack",
        about: "A knapsack, made by the generator of the systolic genetic search's instances",
        options: &[
            CommandOption::new("items", "N", "Number of items", parses::<usize>).or("100"),
            CommandOption::new("range", "R", "Profits and weights are drawn from 1 to this", parses::<u64>).or("1000"),
            CommandOption::new(
                "seed",
                "N",
                "The seed of all random numbers, 1 to 1000; with it grows how many of the items fit (1: few, 500: half of them)",
                parses::<u64>,
            )
            .or("1"),
        ],
        out: ANY_FILE,
        run: |options, out| {
            let [items, range, number] = ["items", "range", "seed"];
            let knapsack = || {
                generator::knapsack(&KnapsackOptions {
                    items: options.required(items)?,
                    range: options.required(range)?,
                    number: options.required(number)?,
                })
            };
            write(out, knapsack)
        },
    },
    Generator {
        name: "nrp",
        about: "A next release problem: costs of requirements, values that customers see in them",
        options: &[
            CommandOption::new("customers", "C", "Number of customers", parses::<usize>).or("100"),
            CommandOption::new("requirements", "N", "Number of requirements", parses::<usize>).or("140"),
            CommandOption::new("seed", "N", "The seed of all random numbers", parses::<u64>).or("1"),
        ],
        out: ANY_FILE,
        run: |options, out| {
            let release = || {
                let release = ReleaseOptions {
                    customers: options.required("customers")?,
                    requirements: options.required("requirements")?,
                    seed: options.required("seed")?,
                };
                generator::release(&release, library::TENTHS)
            };
            write(out, release)
        },
    },
    Generator {
        name: "mmdp",
        about: "The massively multimodal deceptive problem",
        options: &BITS,
        out: ("FILE", "NAME.ron"),
        run: |options, out| write(out, || generator::deceptive(options.required("bits")?)),
    },
    Generator {
        name: "onemax",
        about: "OneMax: as many ones as possible",
        options: &BITS,
        out: ("FILE", "NAME.ron"),
        run: |options, out| write(out, || generator::one_max(options.required("bits")?)),
    },
];

/// Makes a binary problem and writes it.
fn write(out: &Path, make: impl FnOnce() -> Result<Instance>) -> Result<Generated> {
    let what = "a binary problem is written as .csv (a table with names), .txt (numbers only) or .ron (a document that \
                holds any kind); choose one of these endings";
    check_target(out, &written(formats::FORMATS), what)?;
    let instance = make()?;
    formats::save(&instance, out)?;
    let summary = format!("{}, {}", instance.kind.noun(), counted(instance.bits(), instance.kind.bit_noun()));
    Ok(Generated { files: vec![out.to_path_buf()], summary, warnings: instance.warnings })
}
