//! Header and legend of a chart: name, sizes, objective values with reference values, and the meaning of the marks.

use super::ChartContext;
use super::chart::{closed, waiting};
use super::layout::{GanttRows, SETUP_HEIGHT, flags_within};
use crate::{BestKnown, Objective, bounds, measures};
use gridwright_core::numbers::{self, grouped};
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::tiles::{Tile, draw_tiles, draw_title};
use gridwright_core::scene::{Anchor, Area, Scene, Shape};

/// Height of the legend below the chart.
pub(crate) const LEGEND_HEIGHT: f32 = 22.0;
const SMALL: f32 = 9.0;

/// Draws name, sizes and figures from `top` down; returns the lower edge.
pub(crate) fn draw_head(scene: &mut Scene, facts: &ChartContext<'_>, top: f32) -> f32 {
    let palette = facts.palette;
    let edges = (MARGIN, scene.width - MARGIN);
    let top = draw_title(scene, &palette, (&facts.layout.instance.name, &facts_line(facts)), edges, top);
    draw_tiles(scene, &palette, tiles(facts), edges, top)
}

/// Draws one line above a section of the chart: its range and the instance's name; returns the lower edge.
pub(crate) fn draw_slim_head(scene: &mut Scene, facts: &ChartContext<'_>, top: f32) -> f32 {
    let palette = facts.palette;
    let right = scene.width - MARGIN;
    let part = part(facts);
    scene.bold_text((MARGIN, top + 10.0), 14.0, palette.ink, Anchor::Start, part.clone());
    let room = right - MARGIN - text_width(&part, 14.0, true) - 18.0;
    let name = elide(&facts.layout.instance.name, 12.0, true, room);
    scene.bold_text((right, top + 10.0), 12.0, palette.muted, Anchor::End, name);
    scene.line((MARGIN, top + 19.0), (right, top + 19.0), 0.8, palette.line);
    top + 30.0
}

/// Text such as «Time 2,000 to 4,000», with the rows if only some are shown.
pub(crate) fn part(facts: &ChartContext<'_>) -> String {
    let (view, layout) = (&facts.view, &facts.layout);
    let [from, to] = [view.time.start, view.time.end].map(|time| layout.instance.moment(time.max(0.0).round() as u32));
    let rows = if view.rows.len() < layout.row_count() && !view.rows.is_empty() {
        let what = match layout.rows {
            GanttRows::Machines => "Machines",
            GanttRows::Jobs => "Positions",
        };
        let [first, last] = [view.rows.start + 1, view.rows.end].map(|row| grouped(row as u64));
        format!("{what} {first} to {last} · time")
    } else {
        "Time".to_owned()
    };
    format!("{rows} {from} to {to}")
}

/// Text such as «50 jobs · 20 machines · a row per machine».
fn facts_line(facts: &ChartContext<'_>) -> String {
    let (layout, view) = (&facts.layout, &facts.view);
    let instance = layout.instance;
    let count = |count: usize, noun: &str| numbers::counted(count as u64, noun);
    let mut parts = vec![count(instance.job_count(), "job"), count(instance.machine_count(), "machine")];
    parts.push(match layout.rows {
        GanttRows::Machines => "a row per machine".to_owned(),
        GanttRows::Jobs => "a row per job, in the order of the schedule".to_owned(),
    });
    let placed = layout.schedule.order.len();
    match placed {
        0 => parts.push("no job is placed".to_owned()),
        placed if placed < instance.job_count() => parts.push(format!("only {} placed", count(placed, "job"))),
        _ => {}
    }
    if view.rows.len() < layout.row_count() {
        parts.push(format!("the first {} rows are shown", grouped(view.rows.len() as u64)));
    }
    parts.join(" · ")
}

fn tiles(facts: &ChartContext<'_>) -> Vec<Tile> {
    let (instance, schedule) = (facts.layout.instance, facts.layout.schedule);
    let complete = schedule.order.len() == instance.job_count();
    let value = |objective| schedule.value(instance, objective);
    let words = |objective: Objective, value: u64| measures::of_objective(instance, objective, Some(value)).text;
    let tile = |objective: Objective| Tile::new(objective.label_in(instance), words(objective, value(objective)));
    let bounded = |objective: Objective| {
        let stated = instance.best_known.makespan_lower.filter(|_| objective == Objective::Makespan);
        let computed = bounds::lower_bound(instance, objective);
        let words = |value| words(objective, value);
        let note = if complete { bound_note(value(objective), computed, stated, &words) } else { String::new() };
        tile(objective).note(note)
    };
    let mut tiles = vec![bounded(Objective::Makespan)];
    let BestKnown { makespan, flow_time, of_file, .. } = instance.best_known;
    let label = if of_file { "Makespan stated in the file" } else { "Best known makespan" };
    tiles.extend(makespan.filter(|_| complete).map(|best| {
        Tile::new(label, words(Objective::Makespan, best)).note(best_note(value(Objective::Makespan), best))
    }));
    // The lower bound of the flow time is weak: the best-known value is more informative.
    tiles.push(match flow_time.filter(|_| complete) {
        Some(best) => {
            let known = words(Objective::FlowTime, best);
            let note = format!("best known {known}, {}", best_note(value(Objective::FlowTime), best));
            tile(Objective::FlowTime).note(note)
        }
        None => bounded(Objective::FlowTime),
    });
    if instance.has_due_dates() {
        let latest = (0..schedule.order.len()).max_by_key(|&k| (facts.layout.late(k), usize::MAX - k));
        let note = latest.filter(|&position| facts.layout.late(position) > 0).map(|position| {
            let name = elide(&instance.jobs[facts.layout.job(position)].name, SMALL, false, 80.0);
            format!("at most {}: {name}", instance.span(i64::from(facts.layout.late(position))))
        });
        let best = if complete { "optimal" } else { "" };
        tiles.push(tile(Objective::Tardiness).note(note.unwrap_or_else(|| best.to_owned())));
        let of = format!("of {}", grouped(instance.job_count() as u64));
        tiles.push(tile(Objective::Tardy).note(of).alarm(value(Objective::Tardy) > 0));
    }
    tiles.extend(use_of_machines(facts));
    tiles
}

/// Text such as «lower bound 3 771 · gap 2.1 %»; empty if there is no bound. Only the bound that was computed proves that a
/// value is optimal: a bound that a file or a list states may be false.
fn bound_note(value: u64, computed: u64, stated: Option<u64>, words: &dyn Fn(u64) -> String) -> String {
    let gap = |bound: u64| format!("{:.1} %", 100.0 * (value as f64 - bound as f64) / bound as f64);
    match stated {
        _ if value <= computed => "equals the lower bound: optimal".to_owned(),
        Some(stated) if stated > value => format!("lower bound stated as {}, which is false", words(stated)),
        Some(stated) if stated > computed => format!("lower bound stated as {} · gap {}", words(stated), gap(stated)),
        _ if computed == 0 => String::new(),
        _ => format!("lower bound {} · gap {}", words(computed), gap(computed)),
    }
}

fn best_note(value: u64, best: u64) -> String {
    let percent = 100.0 * (value as f64 - best as f64) / best.max(1) as f64;
    match value.cmp(&best) {
        std::cmp::Ordering::Equal => "reached".to_owned(),
        std::cmp::Ordering::Less => format!("this is {:.2} % below", -percent),
        std::cmp::Ordering::Greater => format!("this is {percent:.2} % above"),
    }
}

/// Mean utilisation of the machines, and the busiest machine.
fn use_of_machines(facts: &ChartContext<'_>) -> Option<Tile> {
    let (instance, schedule) = (facts.layout.instance, facts.layout.schedule);
    if schedule.order.is_empty() {
        return None;
    }
    let layout = super::GanttLayout::new(instance, schedule, GanttRows::Machines);
    let busy: Vec<f64> = (0..layout.row_count()).map(|machine| layout.busy(machine)).collect();
    let mean = busy.iter().sum::<f64>() / busy.len().max(1) as f64;
    let most = (0..busy.len()).max_by(|&a, &b| busy[a].total_cmp(&busy[b]).then(b.cmp(&a)))?;
    let name = elide(&instance.machines[most], SMALL, false, 80.0);
    let note = format!("most: {name}, {:.0} %", 100.0 * busy[most]);
    Some(Tile::new("Machines busy", format!("{:.1} %", 100.0 * mean)).note(note))
}

/// Mark that the legend explains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Path,
    Waiting,
    Setup,
    Closed,
    Due,
    Late,
}

pub(crate) fn legend(facts: &ChartContext<'_>) -> Vec<Mark> {
    if facts.layout.schedule.order.is_empty() {
        return Vec::new();
    }
    let mut marks = Vec::new();
    if !facts.path.outlines.is_empty() {
        marks.push(Mark::Path);
    }
    marks.push(Mark::Waiting);
    if facts.layout.rows == GanttRows::Machines && facts.layout.instance.setups.is_some() {
        marks.push(Mark::Setup);
    }
    let is_closed = |row| facts.layout.breaks(row, &facts.view.time, 0.0).next().is_some();
    if facts.view.rows.clone().any(is_closed) {
        marks.push(Mark::Closed);
    }
    let seen = match facts.layout.rows {
        GanttRows::Machines => !flags_within(&facts.flags, &facts.view).is_empty(),
        GanttRows::Jobs => !facts.flags.is_empty(),
    };
    if seen {
        marks.push(Mark::Due);
    }
    if facts.flags.iter().any(|flag| flag.late > 0) {
        marks.push(Mark::Late);
    }
    marks
}

/// Draws the legend below a chart that ends at `top`; one entry per mark.
pub(crate) fn draw_legend(scene: &mut Scene, facts: &ChartContext<'_>, marks: &[Mark], top: f32) {
    const KEY: f32 = 20.0;
    let palette = facts.palette;
    let base = top + LEGEND_HEIGHT - 2.0;
    let mut x = MARGIN;
    for &mark in marks {
        let key = Area::new(x, base - 8.0, KEY, 9.0);
        let words = match (mark, facts.layout.rows) {
            (Mark::Path, GanttRows::Machines) => "critical path, a block on each machine",
            (Mark::Path, GanttRows::Jobs) => "critical path",
            (Mark::Waiting, GanttRows::Machines) => "machine waits for a job",
            (Mark::Waiting, GanttRows::Jobs) => "job waits for a machine",
            (Mark::Setup, _) => "set-up",
            (Mark::Closed, _) => "no working time",
            (Mark::Due, _) => "due date",
            (Mark::Late, GanttRows::Machines) => "job is done later than due, + by how much",
            (Mark::Late, GanttRows::Jobs) => "job is done later than due",
        };
        match mark {
            Mark::Path => scene.shapes.push(Shape::Rectangle {
                x: key.x + 0.8,
                y: key.y + 0.8,
                width: key.width - 1.6,
                height: key.height - 1.6,
                radius: 0.0,
                fill: palette.panel,
                stroke: Some((1.6, palette.ink)),
                title: String::new(),
            }),
            Mark::Waiting => scene.rectangle(key.x, key.y, key.width, key.height, waiting(facts)),
            Mark::Setup => {
                let height = key.height * SETUP_HEIGHT;
                scene.rectangle(key.x, key.y + (key.height - height) / 2.0, key.width, height, palette.muted);
            }
            Mark::Closed => scene.rectangle(key.x, key.y, key.width, key.height, closed(facts)),
            Mark::Due => {
                let x = key.x + 8.0;
                scene.line((x, key.y - 1.0), (x, key.bottom() + 1.0), 1.0, palette.ink);
                scene.rectangle(x, key.y - 1.0, 6.0, 4.0, palette.ink);
            }
            Mark::Late => {
                scene.rectangle(key.x, key.y, key.width, key.height, palette.bar);
                scene.rectangle(key.x, key.bottom() - 2.5, key.width, 2.5, palette.alarm);
            }
        }
        scene.text((x + KEY + 6.0, base), SMALL, palette.muted, Anchor::Start, words);
        x += KEY + 6.0 + text_width(words, SMALL, false) + 20.0;
    }
}
