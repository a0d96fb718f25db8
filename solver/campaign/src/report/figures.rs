//! Figures of a section.

use std::collections::{BTreeMap, BTreeSet};

use gridwright_core::numbers::{counted_as, figure, significant};
use gridwright_core::scene::palette::Palette;
use gridwright_core::scene::plot::{Axis, Plot, legend, paragraph, series_colour};
use gridwright_core::scene::{Anchor, Area, Scene};
use gridwright_core::search::Improvement;
use gridwright_core::statistics::LEVEL;
use gridwright_core::statistics::friedman::{critical_difference, equal_groups};
use gridwright_core::statistics::summary::{five_numbers, quantile};

use super::data::Section;
use super::tables::{self, LEAST_RUNS};
use crate::folder::Curves;
use crate::row::Row;

/// Width of all figures in points.
const WIDTH: f32 = 778.0;

const EDGE: f32 = 16.0;

/// Width of captions: fonts that a browser takes in the place of Inter are up to a tenth wider.
const CAPTION: f32 = (WIDTH - 2.0 * EDGE) * 0.9;

/// Most instances that have a panel of their own.
const MOST_PANELS: usize = 12;

/// A figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Word for file names, such as `ranks`.
    pub name: &'static str,
    /// Title.
    pub title: String,
    /// One line that says how to read the figure.
    pub reading: String,
    /// The drawing, with title and reading.
    pub scene: Scene,
}

/// All figures that the section has enough runs for.
pub(crate) fn all(section: &Section<'_>, curves: &Curves) -> Vec<Figure> {
    let effort = Effort { is_timed: section.is_timed };
    let figures = [
        ranks(section),
        boxes(section),
        targets(section, curves, effort),
        times_to_target(section, curves, effort),
        convergence(section, curves, effort),
        sweeps(section),
    ];
    figures.into_iter().flatten().collect()
}

/// A figure with its title, its reading and, if it has curves of algorithms, their legend; `draw` gets the first free line and
/// returns the last one.
fn begin(
    name: &'static str, title: &str, reading: String, series: &[String], draw: impl FnOnce(&mut Scene, f32) -> f32,
) -> Figure {
    let mut scene = Scene::new(WIDTH, 0.0, title, Palette::LIGHT.background);
    scene.bold_text((EDGE, 24.0), 13.0, Palette::LIGHT.ink, Anchor::Start, title);
    let mut top = 42.0;
    top += paragraph(&mut scene, &reading, EDGE, top, CAPTION);
    top += legend(&mut scene, series, EDGE, top - 4.0, WIDTH - 2.0 * EDGE);
    scene.height = draw(&mut scene, top) + EDGE;
    Figure { name, title: title.to_owned(), reading, scene }
}

/// Areas of `count` panels below `top`, `across` in a row, and the end of the last one.
fn panels(count: usize, across: usize, height: f32, top: f32) -> (Vec<Area>, f32) {
    const LEFT: f32 = 66.0;
    const BELOW: f32 = 56.0;
    let width = (WIDTH - EDGE) / across as f32;
    let area = |number: usize| {
        let (column, row) = (number % across, number / across);
        Area::new(column as f32 * width + LEFT, top + 20.0 + row as f32 * (height + BELOW), width - LEFT - 8.0, height)
    };
    let rows = count.div_ceil(across) as f32;
    ((0..count).map(area).collect(), top + rows * (height + BELOW))
}

/// Number of panels in a row, for so many panels.
fn across(count: usize) -> usize {
    if count == 1 { 1 } else { 2 + usize::from(count > 4) }
}

/// Addition to the reading of a figure that shows some instances only.
fn shown_instances(section: &Section<'_>) -> (usize, String) {
    let all = section.instances.len();
    let shown = all.min(MOST_PANELS);
    let rest = if shown < all { format!(" The first {shown} of {all} instances are shown.") } else { String::new() };
    (shown, rest)
}

/// Critical-difference diagram.
fn ranks(section: &Section<'_>) -> Option<Figure> {
    let found = tables::ranked(section).ok()?;
    let count = section.algorithms.len();
    let difference = critical_difference(count, found.blocks, LEVEL);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| found.mean_ranks[a].total_cmp(&found.mean_ranks[b]));
    let sorted: Vec<f64> = order.iter().map(|&at| found.mean_ranks[at]).collect();
    let reading = format!(
        "Mean ranks on {} instances; 1, at the left, is the best. Algorithms that a bar connects do not differ \
            significantly (Nemenyi, level 0.05, critical difference {}).",
        found.blocks,
        figure(difference, 3)
    );
    Some(begin("ranks", "Mean ranks", reading, &[], |scene, top| {
        let (left, right, axis) = (230.0, WIDTH - 230.0, top + 46.0);
        let (ink, muted) = (Palette::LIGHT.ink, Palette::LIGHT.muted);
        let place = |rank: f64| left + ((rank - 1.0) / (count as f64 - 1.0)) as f32 * (right - left);
        scene.line((left, axis), (right, axis), 1.2, ink);
        for rank in 1..=count {
            let x = place(rank as f64);
            scene.line((x, axis - 5.0), (x, axis), 1.0, ink);
            scene.text((x, axis - 9.0), 9.0, muted, Anchor::Middle, rank.to_string());
        }
        scene.text(((left + right) / 2.0, top + 6.0), 9.0, ink, Anchor::Middle, "Mean rank");
        let end = place(1.0 + difference).min(right);
        scene.line((left, top + 18.0), (end, top + 18.0), 2.0, ink);
        scene.text((end + 6.0, top + 21.0), 9.0, ink, Anchor::Start, format!("CD {}", figure(difference, 3)));
        let groups = equal_groups(&sorted, difference);
        for (level, &(first, last)) in groups.iter().enumerate() {
            let y = axis + 8.0 + level as f32 * 7.0;
            scene.line((place(sorted[first]) - 3.0, y), (place(sorted[last]) + 3.0, y), 4.0, ink);
        }
        let below = axis + 16.0 + groups.len() as f32 * 7.0;
        let half = count.div_ceil(2);
        for (position, &at) in order.iter().enumerate() {
            let is_left = position < half;
            let line = if is_left { position } else { count - 1 - position };
            let (x, y) = (place(sorted[position]), below + 8.0 + line as f32 * 18.0);
            let label = format!("{} ({})", section.algorithms[at], figure(sorted[position], 2));
            let (end, anchor) = if is_left { (left - 8.0, Anchor::End) } else { (right + 8.0, Anchor::Start) };
            scene.line((x, axis), (x, y), 0.8, muted);
            scene.line((x, y), (end, y), 0.8, muted);
            let label = gridwright_core::scene::fonts::elide(&label, 9.0, false, 210.0);
            scene.text((if is_left { end - 4.0 } else { end + 4.0 }, y + 3.0), 9.0, ink, anchor, label);
        }
        below + 8.0 + half as f32 * 18.0
    }))
}

fn boxes(section: &Section<'_>) -> Option<Figure> {
    let (shown, rest) = shown_instances(section);
    let valid = |instance: usize, algorithm: usize| {
        let rows = section.runs[instance][algorithm].iter().filter(|row| row.is_valid());
        rows.filter_map(|row| row.cost_display).collect::<Vec<f64>>()
    };
    let places =
        (0..shown).flat_map(|instance| (0..section.algorithms.len()).map(move |algorithm| (instance, algorithm)));
    let is_small = |&(instance, algorithm): &(usize, usize)| {
        !section.runs[instance][algorithm].is_empty() && valid(instance, algorithm).len() < LEAST_RUNS
    };
    let few = match places.filter(is_small).count() {
        0 => String::new(),
        count => format!(
            " {} with fewer than {LEAST_RUNS} feasible runs.",
            counted_as(count as u64, "box is one", "boxes are ones")
        ),
    };
    let reading = format!(
        "A box holds the middle half of the feasible runs, the line in it is the median, and its whiskers end at the \
            smallest and the largest {}.{few}{rest}",
        section.quantity().to_lowercase()
    );
    Some(begin("boxes", &format!("{}s of the runs", section.quantity()), reading, &section.algorithms, |scene, top| {
        let (areas, end) = panels(shown, across(shown), 150.0, top);
        for (instance, area) in areas.into_iter().enumerate() {
            let samples: Vec<Vec<f64>> =
                (0..section.algorithms.len()).map(|algorithm| valid(instance, algorithm)).collect();
            let y = Axis::around(section.axis_name(), samples.iter().flatten().copied());
            let x = Axis { name: "Algorithm, as in the legend".to_owned(), from: 0.0, to: 0.0, is_logarithmic: false };
            let mut plot = Plot::new(scene, area, &section.instances[instance], x, y);
            let width = area.width / samples.len() as f32;
            for (number, sample) in samples.iter().enumerate() {
                let Some(numbers) = five_numbers(sample) else { continue };
                let [low, lower, median, upper, high] = numbers.map(significant);
                let title = format!(
                    "{}: median {median}, middle half {lower} to {upper}, all {low} to {high}",
                    section.algorithms[number]
                );
                let x = area.x + (number as f32 + 0.5) * width;
                plot.five_number_box(x, (width * 0.7).min(40.0), numbers, series_colour(number), title);
            }
        }
        end
    }))
}

/// Measure of the work that a run has done: seconds if runs end by the clock, else evaluations.
#[derive(Clone, Copy)]
struct Effort {
    is_timed: bool,
}

impl Effort {
    fn name(self) -> &'static str {
        if self.is_timed { "Seconds" } else { "Evaluations" }
    }

    fn of(self, state: &Improvement) -> f64 {
        if self.is_timed { state.seconds.max(1e-3) } else { state.evaluations.max(1) as f64 }
    }
}

fn states<'a>(row: &Row, curves: &'a Curves) -> &'a [Improvement] {
    curves.get(&row.key).map(Vec::as_slice).unwrap_or_default()
}

/// Effort at each improvement after the first state, and at the end, of all runs of a section.
fn efforts(section: &Section<'_>, curves: &Curves, effort: Effort) -> Vec<f64> {
    let rows = section.runs.iter().flatten().flatten();
    let later = rows.flat_map(|row| {
        let states = states(row, curves);
        states.iter().skip(1).chain(states.last())
    });
    later.map(|state| effort.of(state)).collect()
}

/// Effort after which a run first has at most the cost `target`; `None` if it never has.
fn reached(row: &Row, curves: &Curves, target: f64, effort: Effort) -> Option<f64> {
    let state = states(row, curves).iter().find(|state| row.is_valid() && state.cost <= target)?;
    Some(effort.of(state))
}

/// Draws the share of `total` that the ascending `efforts` have reached, up to the end of the axis.
fn draw_share(plot: &mut Plot<'_>, mut efforts: Vec<f64>, total: usize, axis: (f64, f64), number: usize, label: &str) {
    efforts.sort_by(f64::total_cmp);
    let share = |count: usize| count as f64 / total.max(1) as f64;
    let mut points = vec![(axis.0, 0.0)];
    points.extend(efforts.iter().enumerate().map(|(at, &effort)| (effort, share(at + 1))));
    points.push((axis.1, share(efforts.len())));
    plot.steps(&points, 1.6, series_colour(number));
    if let Some(last) = efforts.last() {
        let title = format!("{label}: {} % reached", figure(100.0 * share(efforts.len()), 1));
        plot.mark((*last, share(efforts.len())), 6.0, series_colour(number), title);
    }
}

/// Share from 0 to 1.
fn share_axis(name: &str) -> Axis {
    Axis { name: name.to_owned(), from: 0.0, to: 1.0, is_logarithmic: false }
}

/// Targets of an instance: from the median first cost towards the best cost of all runs, 20 steps that divide the distance by
/// 10^(1/5) each, and the best cost itself.
fn targets_of(section: &Section<'_>, instance: usize, curves: &Curves) -> Vec<f64> {
    let rows = || section.runs[instance].iter().flatten();
    let best = rows().map(|row| row.ranked_cost()).fold(f64::INFINITY, f64::min);
    let firsts: Vec<f64> = rows().filter_map(|row| states(row, curves).first()).map(|state| state.cost).collect();
    let Some([_, _, first, _, _]) = five_numbers(&firsts).filter(|_| best.is_finite()) else { return Vec::new() };
    let distances = (0..20).map(|step| (first - best).max(0.0) * 10_f64.powf(-f64::from(step) / 5.0));
    distances.map(|distance| best + distance).chain([best]).collect()
}

/// Empirical distribution over targets.
fn targets(section: &Section<'_>, curves: &Curves, effort: Effort) -> Option<Figure> {
    let all = efforts(section, curves, effort);
    if all.is_empty() {
        return None;
    }
    let reading = format!(
        "Share of pairs of runs and targets that are reached after so many {}; higher is better. Each instance has 21 \
            targets from the median first cost to the best cost of this campaign.",
        effort.name().to_lowercase()
    );
    Some(begin("targets", "Targets reached", reading, &section.algorithms, |scene, top| {
        let (areas, end) = panels(1, 1, 240.0, top);
        let x = Axis::logarithmic(effort.name(), all.iter().copied());
        let range = (x.from, x.to);
        let mut plot = Plot::new(scene, areas[0], "", x, share_axis("Share of targets"));
        for (number, label) in section.algorithms.iter().enumerate() {
            let (mut efforts, mut total) = (Vec::new(), 0);
            for (instance, runs) in section.runs.iter().enumerate() {
                for target in targets_of(section, instance, curves) {
                    total += runs[number].len();
                    efforts.extend(runs[number].iter().filter_map(|row| reached(row, curves, target, effort)));
                }
            }
            draw_share(&mut plot, efforts, total, range, number, label);
        }
        end
    }))
}

fn times_to_target(section: &Section<'_>, curves: &Curves, effort: Effort) -> Option<Figure> {
    let all = efforts(section, curves, effort);
    let (shown, rest) = shown_instances(section);
    if all.is_empty() {
        return None;
    }
    let reading = format!(
        "Share of the runs that have reached the target after so many {}; higher and further left is better. The \
            target is the median final cost of all runs on the instance.{rest}",
        effort.name().to_lowercase()
    );
    Some(begin("time-to-target", "Time to target", reading, &section.algorithms, |scene, top| {
        let (areas, end) = panels(shown, across(shown), 130.0, top);
        for (instance, area) in areas.into_iter().enumerate() {
            let finals: Vec<f64> = section.samples(instance).concat();
            let target = five_numbers(&finals).map_or(f64::INFINITY, |numbers| numbers[2]);
            let x = Axis::logarithmic(effort.name(), all.iter().copied());
            let range = (x.from, x.to);
            let mut plot = Plot::new(scene, area, &section.instances[instance], x, share_axis("Share of runs"));
            for (number, label) in section.algorithms.iter().enumerate() {
                let runs = &section.runs[instance][number];
                let efforts =
                    runs.iter().filter(|_| target.is_finite()).filter_map(|row| reached(row, curves, target, effort));
                draw_share(&mut plot, efforts.collect(), runs.len(), range, number, label);
            }
        }
        end
    }))
}

/// Number of values of effort at which convergence is evaluated.
const SAMPLES: usize = 60;

/// Median and quartiles of the best cost over time.
fn convergence(section: &Section<'_>, curves: &Curves, effort: Effort) -> Option<Figure> {
    let all = efforts(section, curves, effort);
    let (shown, rest) = shown_instances(section);
    if all.is_empty() {
        return None;
    }
    let reading = format!(
        "Best {} so far: the thick line is the median of the runs, the thin lines are their quartiles; {} is better.{rest}",
        section.quantity().to_lowercase(),
        if section.is_maximised { "higher" } else { "lower" }
    );
    Some(begin("convergence", "Convergence", reading, &section.algorithms, |scene, top| {
        let (areas, end) = panels(shown, across(shown), 150.0, top);
        for (instance, area) in areas.into_iter().enumerate() {
            let x = Axis::logarithmic(effort.name(), all.iter().copied());
            let bands: Vec<[Vec<(f64, f64)>; 3]> =
                section.runs[instance].iter().map(|rows| band(rows, curves, &x, effort)).collect();
            let values = bands.iter().flatten().flatten().map(|point| point.1);
            let mut plot =
                Plot::new(scene, area, &section.instances[instance], x, Axis::around(section.axis_name(), values));
            for (number, [lower, median, upper]) in bands.iter().enumerate() {
                let colour = series_colour(number);
                plot.curve(lower, 0.6, colour);
                plot.curve(upper, 0.6, colour);
                plot.curve(median, 1.8, colour);
                if let Some(&last) = median.last() {
                    let title = format!("{}: median {}", section.algorithms[number], significant(last.1));
                    plot.mark(last, 5.0, colour, title);
                }
            }
        }
        end
    }))
}

/// Lower quartile, median and upper quartile of the best costs of `rows` along an axis, as long as all runs go on.
fn band(rows: &[&Row], curves: &Curves, axis: &Axis, effort: Effort) -> [Vec<(f64, f64)>; 3] {
    let mut band = [Vec::new(), Vec::new(), Vec::new()];
    let runs: Vec<(&Row, &[Improvement])> =
        rows.iter().map(|&row| (row, states(row, curves))).filter(|(_, states)| !states.is_empty()).collect();
    let longest = runs.iter().filter_map(|(_, states)| states.last()).map(|state| effort.of(state)).fold(0.0, f64::max);
    let (from, to) = (axis.from.ln(), axis.to.ln());
    let places = (0..=SAMPLES).map(|at| (from + (to - from) * at as f64 / SAMPLES as f64).exp());
    for place in places.filter(|place| *place < longest).chain([longest]) {
        let best = |(row, states): &(&Row, &[Improvement])| {
            let state = states.iter().take_while(|state| effort.of(state) <= place * 1.000_001).last();
            state.map(|state| row.shown(state.cost))
        };
        let mut costs: Vec<f64> = runs.iter().filter_map(best).collect();
        // A quartile of some of the runs would jump when the others come in.
        if costs.len() < runs.len() || costs.is_empty() {
            continue;
        }
        costs.sort_by(f64::total_cmp);
        for (line, share) in band.iter_mut().zip([0.25, 0.5, 0.75]) {
            line.extend(quantile(&costs, share).map(|cost| (place, cost)));
        }
    }
    band
}

/// Cost against each numerical parameter that takes at least three values.
fn sweeps(section: &Section<'_>) -> Option<Figure> {
    let rows = || section.runs.iter().flatten().flatten().copied();
    let mut values: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for row in rows() {
        for (name, value) in &row.set {
            values.entry((row.algorithm.clone(), name.clone())).or_default().insert(value.clone());
        }
    }
    let is_sweep =
        |values: &BTreeSet<String>| values.len() >= 3 && values.iter().all(|value| value.parse::<f64>().is_ok());
    let swept: Vec<(String, String)> =
        values.into_iter().filter(|(_, values)| is_sweep(values)).map(|(of, _)| of).collect();
    if swept.is_empty() {
        return None;
    }
    let reading = "Mean over all feasible runs of the distance from the best cost on the instance, in per cent of the \
        distance of the worst; all other parameters of the plan are averaged. Lower is better."
        .to_owned();
    Some(begin("sweeps", "Effect of parameters", reading, &[], |scene, top| {
        let (areas, end) = panels(swept.len(), across(swept.len()), 150.0, top);
        for ((algorithm, name), area) in swept.iter().zip(areas) {
            let mut points: Vec<(f64, f64)> = Vec::new();
            let mut by_value: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
            for runs in &section.runs {
                let costs = || runs.iter().flatten().filter(|row| row.is_valid()).map(|row| row.ranked_cost());
                let (low, high) = costs()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), cost| (low.min(cost), high.max(cost)));
                let own = runs.iter().flatten().filter(|row| row.algorithm == *algorithm && row.is_valid());
                for (row, value) in own.filter_map(|row| Some((row, row.set.get(name)?))) {
                    let share = if high > low { 100.0 * (row.ranked_cost() - low) / (high - low) } else { 0.0 };
                    by_value.entry(value).or_default().push(share);
                }
            }
            for (value, shares) in by_value {
                let mean = shares.iter().sum::<f64>() / shares.len() as f64;
                points.extend(value.parse().ok().map(|value| (value, mean)));
            }
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let x = Axis::around(name.clone(), points.iter().map(|point| point.0));
            let y = Axis::around("Distance, %", points.iter().map(|point| point.1));
            let mut plot = Plot::new(scene, area, algorithm, x, y);
            plot.curve(&points, 1.6, series_colour(0));
            for &point in &points {
                plot.mark(point, 6.0, series_colour(0), format!("{name} {}: {} %", point.0, figure(point.1, 2)));
            }
        }
        end
    }))
}
