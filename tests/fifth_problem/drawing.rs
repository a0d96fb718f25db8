//! The picture of a sequence and its exports: a row for each job, from start to end, with its due date.

use gridwright_core::export::formats::Format;
use gridwright_core::scene::axis::{round_step, whole_ticks};
use gridwright_core::scene::palette::Palette;
use gridwright_core::scene::{Anchor, Area, Scene};
use gridwright_core::text::table::write_table;
use gridwright_core::{Result, export};

use super::check::times;
use super::instance::Instance;

/// Export formats, the commonest first.
pub static FORMATS: [Format; 4] = [
    Format { name: "CSV table", ending: "csv", help: "One line per job: start, end, due date, tardiness, cost" },
    Format { name: "SVG picture", ending: "svg", help: "The bars of the jobs, to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The bars of the jobs as pixels" },
    Format { name: "PDF document", ending: "pdf", help: "The bars of the jobs to print" },
];

/// Room beside, above and below the bars, and greatest height of a row, in points.
const NAMES: f32 = 64.0;
const MARGIN: f32 = 16.0;
const AXIS: f32 = 28.0;
const MOST_ROW: f32 = 26.0;

/// Draws a sequence: the more a job costs, the redder its bar; a line marks its due date. Titled rectangles are the jobs in
/// the order of the sequence.
pub fn gantt(instance: &Instance, sequence: &[usize], [width, height]: [f32; 2], dark: bool) -> Scene {
    let (palette, rows) = (Palette::of(dark), times(instance, sequence));
    let mut scene = Scene::new(width, height, format!("{}: sequence of the jobs", instance.name), palette.background);
    let end = instance.jobs.iter().map(|job| job.due).chain(rows.iter().map(|row| row.end)).max().unwrap_or(1).max(1);
    let most = rows.iter().map(|row| row.cost).max().unwrap_or(0).max(1);
    let scale = (width - NAMES - 2.0 * MARGIN).max(1.0) / end as f32;
    let row = ((height - MARGIN - AXIS) / rows.len().max(1) as f32).min(MOST_ROW);
    let (x, bottom) = (|time: u64| NAMES + MARGIN + time as f32 * scale, MARGIN + row * rows.len() as f32);
    for tick in whole_ticks(0.0, end as f64, round_step(f64::from(80.0 / scale))) {
        scene.line((x(tick), MARGIN), (x(tick), bottom), 1.0, palette.line);
        scene.text((x(tick), bottom + 16.0), 11.0, palette.muted, Anchor::Middle, tick.to_string());
    }
    for (index, times) in rows.iter().enumerate() {
        let (job, top) = (times.job, MARGIN + row * index as f32);
        let (name, weight, cost) = (&job.name, job.weight, times.cost);
        let late = match times.tardiness {
            0 => "on time".to_owned(),
            tardiness => format!("{tardiness} late × weight {weight} = {cost}"),
        };
        let title = format!("{name}: {} to {}, due {}, {late}", times.start, times.end, job.due);
        let share = if cost == 0 { 0.0 } else { 0.3 + 0.7 * (cost as f32 / most as f32).sqrt() };
        let bar = Area::new(x(times.start), top + row * 0.1, x(times.end) - x(times.start), row * 0.8);
        scene.titled_rectangle(bar, (row * 0.15).min(3.0), palette.bar.mix(palette.alarm, share), title);
        let mark = x(job.due);
        scene.line((mark, top), (mark, top + row), 1.5, if cost > 0 { palette.alarm_edge } else { palette.muted });
        if row >= 8.0 {
            scene.text((NAMES, top + row * 0.7), row.min(16.0) * 0.7, palette.ink, Anchor::End, name);
        }
    }
    scene
}

/// Encodes a sequence in the format with this ending; fails if the picture is too large.
pub fn encode(instance: &Instance, sequence: &[usize], ending: &str) -> Result<Vec<u8>> {
    if ending != "csv" {
        let size = [900.0, MARGIN + AXIS + 16.0 * sequence.len() as f32];
        return export::picture(&gantt(instance, sequence, size, false), ending);
    }
    let rows = times(instance, sequence).into_iter().map(|times| {
        let numbers = [times.start, times.end, times.job.due, times.tardiness, times.cost];
        std::iter::once(times.job.name.clone()).chain(numbers.map(|number| number.to_string())).collect()
    });
    Ok(write_table(&["job", "start", "end", "due", "tardiness", "cost"], rows).into_bytes())
}
