//! How soon exams make room for one that is held, and how many of them move.

use std::time::Instant;

use super::anneal;
use crate::moves::by_hand;
use crate::run::holding::{Held, rearranged};
use crate::{Instance, stored};
use gridwright_core::random::{Philox, index};
use gridwright_core::search::report::Report;
use gridwright_core::statistics::summary::quantile_of;
use gridwright_core::{Error, Result};

/// Places of exams that are asked for in each instance.
const PLACES: u32 = 200;

/// Repairs that compete for an answer.
const ATTEMPTS: [u32; 2] = [1, 2];

/// Measures the answers for exams that are held where others are in their way, in timetables of runs of so many `seconds`.
///
/// # Errors
/// As [`crate::run::solve`].
pub fn holding(instances: &[Instance], seconds: f64, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let columns = [
        "instance", "exams", "repairs", "places", "answered", "ms, median", "ms, 95 %", "moved, median", "moved, 95 %",
    ];
    let mut report = Report::new("Room for a held exam: time to the answer, other exams that move", &columns);
    for instance in instances {
        tell(&instance.name);
        let result = anneal(instance, 1, seconds)?;
        let timetable = stored::decode_complete(instance, &result.solution).map_err(Error::Search)?;
        let random = Philox::new(1);
        let drawn = (0..).map(|number| {
            let words = random.words(number, 0, 0, 0);
            let exam = index(words[0], instance.exam_count() as u32) as usize;
            Held { exam, period: index(words[1], instance.period_count() as u32) as usize }
        });
        let is_blocked =
            |held: &Held| by_hand(instance, &timetable, held.exam).get(held.period).is_some_and(|one| !one.is_free());
        let places: Vec<Held> = drawn.take(100 * PLACES as usize).filter(is_blocked).take(PLACES as usize).collect();
        for attempts in ATTEMPTS {
            let (mut times, mut moved) = (Vec::new(), Vec::new());
            for &held in &places {
                let began = Instant::now();
                let answer = rearranged(instance, &timetable, held, (attempts, 1), &|| false)?;
                times.push(began.elapsed().as_secs_f64() * 1e3);
                moved.extend(answer.map(|answer| answer.moved.len() as f64));
            }
            let counts = [instance.exam_count(), attempts as usize, places.len(), moved.len()];
            let times = [quantile_of(&times, 0.5), quantile_of(&times, 0.95)].map(|time| format!("{time:.1}"));
            let moved = [quantile_of(&moved, 0.5), quantile_of(&moved, 0.95)].map(|count| format!("{count:.0}"));
            let name = std::iter::once(instance.name.clone());
            report.rows.push(name.chain(counts.map(|count| count.to_string())).chain(times).chain(moved).collect());
        }
    }
    report.notes.push(format!(
        "Up to {PLACES} places with others in the way, drawn by a seed, in the timetable of a run of {seconds} s; one thread. Answered are \
         those for which room was found; nothing that held before is broken."
    ));
    Ok(report)
}
