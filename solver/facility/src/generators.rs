//! The generator of layout problems, as `gridwright generate layout` and tests call it.

use std::path::Path;

use gridwright_core::Result;
use gridwright_core::formats::written;
use gridwright_core::numbers::{counted, quantity};
use gridwright_core::planning::generators::{CommandOption, Generated, Generator, check_target, share};
use gridwright_core::problem::{Overrides, any_text, parses};

use crate::{facts, formats, generator};

/// The generators of layout problems.
pub(crate) const GENERATORS: [Generator; 1] = [Generator {
    name: "layout",
    about: "A layout problem: departments, areas and flows in a plant",
    options: &[
        CommandOption {
            values: &[
                (
                    "uniform",
                    "A plant of 45 x 45, areas uniform, a flow from 1 to 10 between two departments with probability --density",
                ),
                ("plant", "A factory with names, usual areas, and products on their routes"),
            ],
            ..CommandOption::new("preset", "PRESET", "Pattern of areas and flows", any_text).or("uniform")
        },
        CommandOption::new("departments", "N", "Number of departments", parses::<usize>).or("40"),
        CommandOption::new(
            "density",
            "D",
            "Probability of a flow between two departments of a uniform problem, 0 to 1",
            share,
        )
        .or("0.2"),
        CommandOption::new("seed", "N", "The seed of all random numbers", parses::<u64>).or("1"),
    ],
    out: ("FILE", "NAME.csv for one table, NAME.ron for this program's own format"),
    run: generate,
}];

fn generate(options: &Overrides, out: &Path) -> Result<Generated> {
    let what = "a layout problem is written as .csv (one table) or .ron (everything); choose one of these endings";
    check_target(out, &written(formats::FORMATS), what)?;
    let preset = match options.text("preset") {
        Some("plant") => generator::Preset::Plant,
        _ => generator::Preset::Uniform,
    };
    let instance = generator::generate(&generator::GeneratorOptions {
        name: String::new(),
        preset,
        departments: options.required("departments")?,
        density: options.required("density")?,
        seed: options.required("seed")?,
    })?;
    formats::save(&instance, out)?;
    let [width, height] = [instance.width, instance.height].map(quantity);
    let (departments, pairs) = (counted(instance.len(), "department"), facts::pairs(&instance));
    let summary = format!("{departments} in a plant of {width} × {height}, {pairs}");
    Ok(Generated { files: vec![out.to_path_buf()], summary, warnings: instance.warnings })
}
