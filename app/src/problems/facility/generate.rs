//! `gridwright generate layout`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gridwright_core::Result;
use gridwright_facility::{formats, generator};

use crate::arguments::values::density;
use crate::command::generate::{check_target, written};
use crate::command::text;
use crate::problem::Generator;

/// The generators of layout problems.
pub const GENERATORS: [Generator; 1] = [Generator {
    name: "layout",
    about: "A layout problem: departments, areas and flows in a plant",
    augment: GenerateLayout::augment_args,
    run: |matches| Generator::with::<GenerateLayout>(matches, layout),
}];

/// A layout problem to be made.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct GenerateLayout {
    /// Pattern of areas and flows
    #[arg(long, value_enum, default_value = "uniform")]
    pub preset: LayoutPreset,
    /// Number of departments
    #[arg(long, value_name = "N", default_value_t = 40, allow_negative_numbers = true)]
    pub departments: usize,
    /// Probability of a flow between two departments of a uniform problem, 0 to 1
    #[arg(long, value_name = "D", default_value_t = 0.2, value_parser = density, allow_negative_numbers = true)]
    pub density: f64,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.csv for one table, NAME.ron for this program's own format
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Layout problems that the generator knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LayoutPreset {
    /// A plant of 45 x 45, areas uniform, a flow from 1 to 10 between two departments with probability --density
    Uniform,
    /// A factory with names, usual areas, and products on their routes
    Plant,
}

fn layout(arguments: &GenerateLayout) -> Result<()> {
    let GenerateLayout { preset, departments, density, seed, out } = arguments;
    let what = "a layout problem is written as .csv (one table) or .ron (everything); choose one of these endings";
    check_target(out, &formats::WRITTEN, what)?;
    let preset = match preset {
        LayoutPreset::Uniform => generator::Preset::Uniform,
        LayoutPreset::Plant => generator::Preset::Plant,
    };
    let options = generator::GeneratorOptions {
        name: String::new(),
        preset,
        departments: *departments,
        density: *density,
        seed: *seed,
    };
    let instance = generator::generate(&options)?;
    formats::save(&instance, out)?;
    let summary = format!(
        "{} in a plant of {} × {}, {}",
        text::plural(*departments, "department"),
        text::quantity(instance.width),
        text::quantity(instance.height),
        text::plural(instance.flow_pairs(), "pair with flow"),
    )
    .replace("pair with flows", "pairs with flow");
    written(std::slice::from_ref(out), &summary, &instance.warnings);
    Ok(())
}
