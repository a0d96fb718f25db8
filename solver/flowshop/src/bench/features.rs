//! Benchmark of iterated greedy with what searches evaluate beside processing times: the rates of a plain instance, with set-up times and
//! with working times, measured one after the other in the same run.

use std::sync::Arc;

use crate::bench::insertion::{Effort, rate};
use crate::multiobjective::Goal;
use crate::real_time::{PlanStart, RealTime, WorkingHours};
use crate::rules::{Precedence, Rules};
use crate::{Instance, Objective, Setups};
use gridwright_core::numbers::counted;
use gridwright_core::search::report::Report;
use gridwright_core::{Error, Result};

/// Instances with 50, 100 and 200 jobs on 20 machines.
pub(crate) const INSTANCES: [&str; 3] = ["ta051", "ta081", "ta101"];

/// Longest set-up time: half of the longest processing time of Taillard's instances.
const LONGEST: u32 = 49;

/// An instance with set-up times between all pairs of jobs, spread evenly over 1 to [`LONGEST`].
fn with_setups(instance: &Instance) -> std::result::Result<Instance, String> {
    let (mut instance, machines) = (instance.clone(), instance.machine_count());
    let mut setups = Setups::of(&instance.jobs, machines)?;
    for before in (0..setups.family_count()).map(Some).chain([None]) {
        for after in 0..setups.family_count() {
            let number = before.map_or(0, |before| before + 1) * 131 + after * 37;
            let times = setups.between_families_mut(before, after).iter_mut().enumerate();
            times.for_each(|(machine, time)| *time = 1 + ((number + machine * 17) % LONGEST as usize) as u32);
        }
    }
    instance.setups = Some(setups.into());
    Ok(instance)
}

/// An instance in minutes with two shifts on weekdays, a break in each and a shorter Friday.
fn with_hours(instance: &Instance) -> std::result::Result<Instance, String> {
    let lines = [
        ["Mon–Thu", "6:00", "22:00", ""],
        ["Fri", "6:00", "14:00", ""],
        ["daily", "9:00", "9:15", "break"],
        ["daily", "18:00", "18:30", "break"],
    ];
    let hours = lines.map(|texts| WorkingHours::parse(None, texts));
    let hours = hours.into_iter().collect::<std::result::Result<Vec<_>, _>>().map_err(|(_, why)| why)?;
    let start = PlanStart::parse(["2026-11-30", "6:00", "Europe/Berlin"]).map_err(|(_, why)| why)?;
    let real_time = RealTime { start: Some(start), hours, machines: Vec::new() };
    Ok(Instance { real_time: Some(Arc::new(real_time)), ..instance.clone() })
}

/// An instance in which every tenth job is not before the one in front of it.
fn with_rules(instance: &Instance) -> Instance {
    let pairs = (0..instance.job_count() as u16).step_by(10).skip(1);
    let precedences = pairs.map(|then| Precedence { first: then - 1, then }).collect();
    Instance { rules: Rules { pins: Vec::new(), precedences }, ..instance.clone() }
}

/// An instance as it is and with what searches evaluate beside processing times, each with its name.
///
/// # Errors
/// [`Error::Usage`] if the instance has set-ups or working times already.
pub(super) fn kinds(instance: &Instance) -> Result<[(&'static str, Instance); 4]> {
    let about = |what: String| Error::Usage(format!("{}: {what}", instance.name));
    Ok([
        ("plain", instance.clone()),
        ("set-ups", with_setups(instance).map_err(about)?.validated()?),
        ("working times", with_hours(instance).map_err(about)?.validated()?),
        ("rules", with_rules(instance)),
    ])
}

/// Measures the CPU with one and with `threads` threads.
///
/// # Errors
/// [`Error::Usage`] if the objective needs due dates and there are none, or if an instance has set-ups or working times already.
pub(crate) fn features(
    instances: &[Instance], objective: Objective, threads: usize, effort: &Effort, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let columns = ["jobs × machines", "evaluated", "threads", "10⁶ places/s", "% of plain"];
    let title = format!(
        "Iterated greedy with set-ups and working times: places for a job, {}",
        objective.label().to_lowercase()
    );
    let mut report = Report::new(title, &columns);
    for instance in instances {
        Goal::One(objective).check(instance)?;
        let kinds = kinds(instance)?;
        for count in super::thread_counts(threads) {
            let mut plain = None;
            for (kind, instance) in &kinds {
                tell(&format!("{}, {kind}, {}", instance.name, counted(count, "thread")));
                let rate = rate(instance, objective, count, effort)?;
                let of_plain = 100.0 * rate / *plain.get_or_insert(rate);
                report.rows.push(vec![
                    super::size(instance),
                    (*kind).to_owned(),
                    count.to_string(),
                    format!("{:.2}", rate / 1e6),
                    format!("{of_plain:.0}"),
                ]);
            }
        }
    }
    report.notes.push(
        "A place is an insertion neighbour: one removed job in one position. The instances are Taillard's, with generated set-up \
         times, or with working times of two shifts a day."
            .to_owned(),
    );
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::greedy::IteratedGreedyParameters;
    use crate::library;

    #[test]
    fn every_kind_has_a_row_and_is_evaluated_in_its_own_way() {
        let instance = library::taillard("ta001").unwrap();
        let hours = with_hours(&instance).unwrap().validated().unwrap();
        assert!(hours.has_clocks() && !instance.has_clocks());
        let setups = with_setups(&instance).unwrap().validated().unwrap();
        assert!(setups.setups.is_some_and(|setups| setups.longest() == LONGEST));
        let effort = Effort { seconds: 0.0, parameters: IteratedGreedyParameters::default(), warps: 0 };
        for objective in [Objective::Makespan, Objective::Tardiness] {
            let report = features(std::slice::from_ref(&instance), objective, 2, &effort, &mut |_| {}).unwrap();
            let kinds: Vec<&str> = report.rows.iter().map(|row| row[1].as_str()).collect();
            assert_eq!(kinds, ["plain", "set-ups", "working times", "rules"].repeat(2));
            assert!(report.rows.iter().all(|row| row.len() == report.columns.len()));
            assert!(report.rows.iter().all(|row| row[3].parse::<f64>().unwrap().is_finite()), "{:?}", report.rows);
        }
        assert!(features(&[hours], Objective::Makespan, 1, &effort, &mut |_| {}).is_ok(), "measured with what it has");
    }
}
