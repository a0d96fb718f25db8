//! Measurements of the searches for layouts, as `gridwright bench facility` makes them.

use gridwright_core::Result;
use gridwright_core::planning::generators::{Measurement, Measurements, Suite};
use gridwright_core::search::report::Report;

use crate::bench;
use crate::formats::{LoadOptions, open};

pub(crate) static MEASUREMENTS: Measurements = Measurements {
    suites: &[
        Suite { name: "layouts", help: "Layouts evaluated per second: one thread, all threads, every CUDA device" },
        Suite {
            name: "holding",
            help: "Milliseconds until others follow a held department, and how many of them move",
        },
        Suite { name: "repeats", help: "Repeated comparisons of tournaments of layouts with each way to seed them" },
    ],
    options: &[],
    run: measure,
};

/// Seconds of each run if none are given.
const SECONDS: f64 = 5.0;

fn measure(asked: &Measurement, tell: &mut dyn FnMut(&str)) -> Result<Vec<Report>> {
    if asked.suite.as_deref() == Some("repeats") {
        return Ok(vec![bench::repeats()]);
    }
    let opened = |names: &[&str]| asked.opened(names, |source| open(source, &LoadOptions::default()));
    let seconds = asked.seconds.unwrap_or(SECONDS);
    if asked.suite.as_deref() == Some("holding") {
        return Ok(vec![bench::holding::holding(&opened(&bench::holding::INSTANCES)?, seconds, tell)?]);
    }
    let instances = opened(&bench::INSTANCES)?;
    Ok(vec![bench::stages(&instances, asked.thread_count(), seconds, tell)?])
}
