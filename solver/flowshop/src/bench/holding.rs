//! How soon others follow a held job, how many of them move, and how good the answers are.

use std::time::Instant;

use super::features::kinds;
use crate::multiobjective::Goal;
use crate::rules::Pin;
use crate::run::holding::{Held, rearranged};
use crate::run::{Algorithm, Settings, improve};
use crate::{Instance, Objective, stored};
use gridwright_core::random::{Philox, index};
use gridwright_core::search::report::Report;
use gridwright_core::search::{Budget, Control};
use gridwright_core::statistics::summary::{gap_percent, quantile_of};
use gridwright_core::{Error, Result};

/// Places of jobs that are asked for in each instance.
const PLACES: u32 = 200;

/// Places at which a longer search tells how good the answers are.
const SEARCHED: usize = 5;

/// Seed of the answers.
const SEED: u64 = 1;

/// Order that a search of so many seconds finds, from `start` where there is one, and its cost.
fn searched(instance: &Instance, objective: Objective, start: Option<&[u16]>, seconds: f64) -> Result<(Vec<u16>, f64)> {
    let goal = Goal::One(objective);
    let settings = Settings { goal, threads: 1, ..Settings::of(Algorithm::for_goal(goal), Budget::Seconds(seconds)) };
    let result = improve(instance, &settings, start, &Control::new(), &mut |_| {})?;
    let order = stored::decode(instance, &result.solution).map_err(Error::Search)?;
    Ok((order, result.verdict.cost))
}

/// Measures the answers for jobs that are held elsewhere, in orders of runs of so many `seconds`.
///
/// # Errors
/// As [`improve`] and [`kinds`].
pub(crate) fn holding(
    instances: &[Instance], objective: Objective, seconds: f64, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let columns = [
        "jobs × machines", "evaluated", "answered", "ms, median", "ms, 95 %", "moved, median", "moved, 95 %",
        "dropped, %", "answer, %", "search, %",
    ];
    let title =
        format!("Others follow a held job: time to the answer, jobs that move, {}", objective.label().to_lowercase());
    let mut report = Report::new(title, &columns);
    for instance in instances {
        for (kind, instance) in kinds(instance)? {
            tell(&format!("{}, {kind}", instance.name));
            let (order, cost) = searched(&instance, objective, None, seconds)?;
            let figures = measured(&instance, objective, (&order, cost), seconds)?;
            report.rows.push([super::size(&instance), kind.to_owned()].into_iter().chain(figures).collect());
        }
    }
    report.notes.push(format!(
        "{PLACES} places, drawn by a seed, in the order of a run of {seconds} s; one thread. Medians of the change of the objective: with \
         the held job alone, with others that follow, and, for {SEARCHED} of the places, by a search of {seconds} s with the job pinned, \
         which moves as many others as it likes."
    ));
    Ok(report)
}

/// Cells of a row behind the evaluation.
fn measured(
    instance: &Instance, objective: Objective, (order, cost): (&[u16], f64), seconds: f64,
) -> Result<Vec<String>> {
    let random = Philox::new(SEED);
    let jobs = instance.job_count() as u32;
    let (mut times, mut moved) = (Vec::new(), Vec::new());
    let [mut dropped, mut answered, mut found] = [const { Vec::new() }; 3];
    for number in 0..PLACES {
        let words = random.words(number, 0, 0, 0);
        let held = Held { job: index(words[0], jobs) as usize, position: index(words[1], jobs) as usize };
        let began = Instant::now();
        let answer = rearranged(instance, order, objective, held, SEED, &|| false);
        times.push(began.elapsed().as_secs_f64() * 1e3);
        let Some(answer) = answer else { continue };
        let from = order.iter().position(|&job| usize::from(job) == held.job).unwrap_or(0);
        let alone = crate::check::check(instance, &instance.rules.moved(order, [from, held.position])).value(objective);
        dropped.push(gap_percent(alone.unwrap_or(0) as f64, cost));
        answered.push(100.0 * answer.change as f64 / cost);
        moved.push(answer.moved.len() as f64);
        if found.len() < SEARCHED {
            let mut pinned = instance.clone();
            pinned.rules.pins.push(Pin { job: held.job as u16, position: held.position as u16 });
            found.push(gap_percent(searched(&pinned, objective, Some(&answer.order), seconds)?.1, cost));
        }
    }
    let count = moved.len();
    let times = [0.5, 0.95].map(|share| format!("{:.1}", quantile_of(&times, share)));
    let moved = [0.5, 0.95].map(|share| format!("{:.0}", quantile_of(&moved, share)));
    let changes = [dropped, answered, found].map(|values| format!("{:+.2}", quantile_of(&values, 0.5)));
    Ok([count.to_string()].into_iter().chain(times).chain(moved).chain(changes).collect())
}
