//! How soon others follow a held department, how many of them move, and how good the answers are.

use std::time::Instant;

use crate::check::check;
use crate::memetic::MemeticParameters;
use crate::run::holding::{Held, rearranged, without};
use crate::run::{Algorithm, Settings, improve};
use crate::{Instance, Layout, Lock, Orientation, Rules, stored};
use gridwright_core::random::{Philox, index};
use gridwright_core::search::report::Report;
use gridwright_core::search::{Budget, Control};
use gridwright_core::statistics::summary::{gap_percent, quantile_of};
use gridwright_core::{Error, Result};

/// Instances with 40, 60 and 120 departments, and one with limits of shape that are hard to keep.
pub(crate) const INSTANCES: [&str; 4] = ["layout:F40", "layout:F60", "layout:F120", "sample:layout-plant"];

/// Places that are asked for in each instance.
const PLACES: u32 = 200;

/// Places at which a longer search tells how good the answers are.
const SEARCHED: usize = 5;

/// Seed of the answers.
const SEED: u64 = 1;

/// Layout in vertical bays that a search of so many seconds finds, from `start` where there is one.
fn searched(instance: &Instance, start: Option<&Layout>, seconds: f64) -> Result<Layout> {
    let algorithm = Algorithm::Memetic(MemeticParameters::default());
    let goal = Some(Orientation::Vertical);
    let settings = Settings { goal, threads: 1, ..Settings::of(algorithm, Budget::Seconds(seconds)) };
    let result = improve(instance, &settings, start, &Control::new(), &mut |_| {})?;
    stored::decode(instance, &result.solution).map_err(Error::Search)
}

/// Department in a bay at a place, all of which are drawn.
fn drawn(layout: &Layout, count: usize, number: u32) -> Held {
    let words = Philox::new(SEED).words(number, 0, 0, 0);
    let department = index(words[0], count as u32) as u16;
    let mut bays = without(layout, department);
    let bay = index(words[1], bays.len() as u32) as usize;
    let place = index(words[2], bays[bay].len() as u32 + 1) as usize;
    bays[bay].insert(place, department);
    Held { department, dropped: Layout::of_bays(layout.orientation, bays) }
}

/// The instance with a department locked to its place in a layout.
fn locked(instance: &Instance, layout: &Layout, department: u16) -> Instance {
    let mut locked = instance.clone();
    for (bay, departments) in layout.bays.iter().enumerate() {
        let place = departments.iter().position(|&other| other == department);
        let lock = |place| Lock { department, bay: bay as u16, place: Some(place as u16) };
        locked.rules.locks.extend(place.map(lock));
    }
    locked
}

/// Measures the answers for departments that are held elsewhere, in layouts of runs of so many `seconds`.
///
/// # Errors
/// As [`improve`].
pub(crate) fn holding(instances: &[Instance], seconds: f64, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let columns = [
        "instance", "departments", "places", "answered", "ms, median", "ms, 95 %", "moved, median", "moved, 95 %",
        "dropped, %", "answer, %", "search, %",
    ];
    let title = "Others follow a held department: time to the answer, departments that move";
    let mut report = Report::new(title, &columns);
    for instance in instances {
        tell(&instance.name);
        let instance = &Instance { rules: Rules::default(), ..instance.clone() };
        report.rows.push(measured(instance, seconds)?);
    }
    report.notes.push(format!(
        "{PLACES} places, drawn by a seed, in the layout of a run of {seconds} s; one thread. Answered are those for which a layout was \
         found in which nothing is broken that held before. Medians of the change of the cost: with the held department alone, with \
         others that follow, and, for {SEARCHED} of the places, by a search of {seconds} s with the department locked to its place, \
         which moves as many others as it likes."
    ));
    Ok(report)
}

/// Row of an instance.
fn measured(instance: &Instance, seconds: f64) -> Result<Vec<String>> {
    let layout = searched(instance, None, seconds)?;
    let cost = check(instance, &layout).cost;
    let (mut times, mut moved) = (Vec::new(), Vec::new());
    let [mut dropped, mut answered, mut found] = [const { Vec::new() }; 3];
    for number in 0..PLACES {
        let held = drawn(&layout, instance.len(), number);
        let began = Instant::now();
        let answer = rearranged(instance, &layout, &held, SEED, &|| false);
        times.push(began.elapsed().as_secs_f64() * 1e3);
        let Some(answer) = answer else { continue };
        moved.push(answer.moved.len() as f64);
        dropped.push(gap_percent(answer.costs[1], cost));
        answered.push(gap_percent(answer.costs[2], cost));
        if found.len() < SEARCHED {
            let locked = locked(instance, &answer.layout, held.department);
            let layout = searched(&locked, Some(&answer.layout), seconds)?;
            found.push(gap_percent(check(&locked, &layout).cost, cost));
        }
    }
    let counts = [instance.len(), PLACES as usize, moved.len()].map(|count| count.to_string());
    let times = [0.5, 0.95].map(|share| format!("{:.1}", quantile_of(&times, share)));
    let moved = [0.5, 0.95].map(|share| format!("{:.0}", quantile_of(&moved, share)));
    let changes = [dropped, answered, found].map(|values| format!("{:+.2}", quantile_of(&values, 0.5)));
    let name = std::iter::once(instance.name.clone());
    Ok(name.chain(counts).chain(times).chain(moved).chain(changes).collect())
}
