//! Measurements of the searches for binary problems, as `gridwright bench systolic` makes them.

use gridwright_core::Result;
use gridwright_core::planning::generators::{CommandOption, Measurement, Measurements};
use gridwright_core::problem::number_where;
use gridwright_core::search::report::Report;

use crate::bench;
use crate::cuda::Tuning;
use crate::formats::{LoadOptions, open};

pub(crate) static MEASUREMENTS: Measurements = Measurements {
    suites: &[],
    options: &[
        CommandOption::new(
            "lanes",
            "N",
            "Lanes that a device lets work on a cell of the grid: 1, 2, 4 or 8; may be repeated, chosen where nothing is said",
            |text| number_where(text, || "expected a number from 1 to 8".to_owned(), |lanes| (1..=8).contains::<u32>(lanes)),
        )
        .repeated(),
        CommandOption::new(
            "blocks",
            "N",
            "Blocks that a device lets work on a run of the grid; may be repeated, chosen where nothing is said",
            |text| {
                let expected = || "expected a number from 1 to 65535".to_owned();
                number_where(text, expected, |blocks| (1..=65_535).contains::<u32>(blocks))
            },
        )
        .repeated(),
        CommandOption::switch("global", "Keep small grids in a device's global memory, too"),
    ],
    run: measure,
};

/// Seconds of a run if none are given.
const SECONDS: f64 = 60.0;

fn measure(asked: &Measurement, tell: &mut dyn FnMut(&str)) -> Result<Vec<Report>> {
    let instances = asked.opened(&bench::INSTANCES, |source| open(source, &LoadOptions::default()))?;
    let seconds = asked.seconds.unwrap_or(SECONDS);
    Ok(vec![bench::stages(&instances, asked.thread_count(), seconds, &tunings(asked)?, tell)?])
}

/// All combinations of the given lanes and blocks; 0 stands for the usual number.
fn tunings(asked: &Measurement) -> Result<Vec<Tuning>> {
    let numbers = |name: &str| {
        let given: Vec<u32> = asked.options.list(name)?;
        Ok::<_, gridwright_core::Error>(if given.is_empty() { vec![0] } else { given })
    };
    let (lanes, blocks, global) = (numbers("lanes")?, numbers("blocks")?, asked.options.is_on("global"));
    let of = |lanes: &u32| blocks.iter().map(|&blocks| Tuning { lanes: *lanes, blocks, block: 0, global }).collect();
    Ok(lanes.iter().flat_map(|lanes| -> Vec<Tuning> { of(lanes) }).collect())
}
