//! `gridwright bench`: speed stage by stage.

use anyhow::bail;
use gridwright_core::planning::generators::Measurements;
use gridwright_core::search::report::Report;
use gridwright_core::{backend, registry};
use serde_json::json;

use super::{Exit, text};
use crate::arguments::Bench;

/// Measures and prints a table.
///
/// # Errors
/// A suite of another problem, instances that cannot be opened, searches that break off.
pub(super) fn run(arguments: &Bench) -> anyhow::Result<Exit> {
    let measured = registry::problems().filter_map(|problem| Some((problem, problem.profile().measurements?)));
    let all: Vec<_> = measured.collect();
    let Some((problem, measurements)) = all.iter().find(|(problem, _)| problem.id() == arguments.problem) else {
        bail!("there is no problem “{}”", arguments.problem);
    };
    let has = |measurements: &Measurements, name: &str| measurements.suites.iter().any(|suite| suite.name == name);
    if let Some(suite) = arguments.measurement.suite.as_deref().filter(|suite| !has(measurements, suite)) {
        let own: Vec<&str> = measurements.suites.iter().map(|suite| suite.name).collect();
        let (many, own) = (problem.nouns().instances, own.join(", "));
        let owner = all.iter().find(|(_, other)| has(other, suite)).map(|(owner, _)| owner);
        let hint = owner.map_or_else(String::new, |owner| {
            format!(", it measures {}: gridwright bench {} --suite {suite}", owner.nouns().instances, owner.id())
        });
        match own.as_str() {
            "" => bail!("{many} have no suites; leave --suite out: the speed is measured"),
            own => bail!("--suite {suite} does not measure {many}{hint}; for {many} there are {own}"),
        }
    }
    let reports = (measurements.run)(&arguments.measurement, &mut |line| text::note(line))?;
    let machine = machine();
    text::answer(&if arguments.json {
        let (report, further) = (reports.first(), reports.get(1..).unwrap_or_default());
        text::json(&json!({ "machine": machine, "report": report, "further": further }))
    } else if arguments.csv {
        reports.iter().map(Report::csv).collect::<Vec<_>>().join("\n")
    } else {
        let tables: Vec<String> = reports.iter().map(Report::markdown).collect();
        format!("{}\n{machine}\n", tables.join("\n"))
    });
    Ok(Exit::Done)
}

/// Description of the machine for every figure: processor, threads, vector unit, version, build.
fn machine() -> String {
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| {
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    format!(
        "{}, {} threads, {}; gridwright {}{}",
        model.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        backend::available_threads(),
        backend::vector_unit(),
        env!("CARGO_PKG_VERSION"),
        if cfg!(debug_assertions) { ", not a release build" } else { "" }
    )
}
