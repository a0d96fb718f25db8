//! `gridwright generate knapsack`, `nrp`, `mmdp` and `onemax`.

use std::path::{Path, PathBuf};

use clap::Args;
use gridwright_core::Result;
use gridwright_systolic::generator::{self, KnapsackOptions, ReleaseOptions};
use gridwright_systolic::{Instance, formats, library};

use crate::command::generate::{check_target, written};
use crate::command::text;
use crate::problem::Generator;

/// The generators of binary problems.
pub const GENERATORS: [Generator; 4] = [
    Generator {
        name: "knapsack",
        about: "A knapsack, made by the generator of the systolic genetic search's instances",
        augment: GenerateKnapsack::augment_args,
        run: |matches| {
            Generator::with::<GenerateKnapsack>(matches, |&GenerateKnapsack { items, range, seed, ref out }| {
                binary(out, || generator::knapsack(&KnapsackOptions { items, range, number: seed }))
            })
        },
    },
    Generator {
        name: "nrp",
        about: "A next release problem: costs of requirements, values that customers see in them",
        augment: GenerateNextRelease::augment_args,
        run: |matches| {
            Generator::with::<GenerateNextRelease>(matches, |arguments| {
                let &GenerateNextRelease { customers, requirements, seed, ref out } = arguments;
                let options = ReleaseOptions { customers, requirements, seed };
                binary(out, || generator::release(&options, library::TENTHS))
            })
        },
    },
    Generator {
        name: "mmdp",
        about: "The massively multimodal deceptive problem",
        augment: GenerateBits::augment_args,
        run: |matches| {
            Generator::with::<GenerateBits>(matches, |made| binary(&made.out, || generator::deceptive(made.bits)))
        },
    },
    Generator {
        name: "onemax",
        about: "OneMax: as many ones as possible",
        augment: GenerateBits::augment_args,
        run: |matches| {
            Generator::with::<GenerateBits>(matches, |made| binary(&made.out, || generator::one_max(made.bits)))
        },
    },
];

/// A knapsack to be made.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct GenerateKnapsack {
    /// Number of items
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true)]
    pub items: usize,
    /// Profits and weights are drawn from 1 to this
    #[arg(long, value_name = "R", default_value_t = 1_000, allow_negative_numbers = true)]
    pub range: u64,
    /// The seed of all random numbers, 1 to 1000; with it grows how many of the items fit (1: few, 500: half of them)
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.csv for a table, NAME.txt for numbers, NAME.ron for a document
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// A next release problem to be made.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct GenerateNextRelease {
    /// Number of customers
    #[arg(long, value_name = "C", default_value_t = 100, allow_negative_numbers = true)]
    pub customers: usize,
    /// Number of requirements
    #[arg(long, value_name = "N", default_value_t = 140, allow_negative_numbers = true)]
    pub requirements: usize,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.csv for a table, NAME.txt for numbers, NAME.ron for a document
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// A problem that only has a size.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct GenerateBits {
    /// Number of bits
    #[arg(long, value_name = "N", default_value_t = 300, allow_negative_numbers = true)]
    pub bits: usize,
    /// NAME.ron
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Makes a binary problem and writes it.
fn binary(out: &Path, make: impl FnOnce() -> Result<Instance>) -> Result<()> {
    let what = "a binary problem is written as .csv (a table with names), .txt (numbers only) or .ron (a document that \
                holds any kind); choose one of these endings";
    check_target(out, &formats::WRITTEN, what)?;
    let instance = make()?;
    formats::save(&instance, out)?;
    let bits = text::plural(instance.bits(), instance.kind.bit_noun());
    written(&[out.to_path_buf()], &format!("{}, {bits}", instance.kind.noun()), &instance.warnings);
    Ok(())
}
