//! Head of a picture of a timetable (name, facts, figures, legend) and labels of its columns.

use std::ops::Range;

use chrono::NaiveDate;

use super::{Audience, Facts};
use crate::counts::{LAST_PERIODS, grouped};
use crate::words;
use gridwright_core::numbers;
use gridwright_core::scene::fonts::text_width;
use gridwright_core::scene::palette::cost_colour;
pub(super) use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::tiles::{Tile, draw_tiles, draw_title};
use gridwright_core::scene::{Anchor, Area, Scene, Shape};
use gridwright_core::text::language::Language;

const LEGEND_WIDTH: f32 = 192.0;

/// Draws the head of a picture from `top` and returns its lower edge.
pub(crate) fn draw_head(scene: &mut Scene, facts: &Facts<'_>, left: f32, top: f32, note: &str) -> f32 {
    let palette = facts.palette;
    let right = scene.width - left;
    if let Audience::Everyone(language) = facts.audience {
        let line = public_line(facts, language);
        return draw_title(scene, &palette, (&facts.instance.name, &line), (left, right), top);
    }
    let room = right - LEGEND_WIDTH - 32.0 - left;
    let line = format!("{}{note}", facts_line(facts));
    let y = draw_title(scene, &palette, (&facts.instance.name, &line), (left, left + room), top);
    draw_legend(scene, facts, right - LEGEND_WIDTH, top);
    draw_tiles(scene, &palette, tiles(facts), (left, right), y)
}

/// First and last day of a session, as these formats have them; `None` if no period has a date.
fn dates(facts: &Facts<'_>, first: impl Fn(NaiveDate) -> String, last: impl Fn(NaiveDate) -> String) -> Option<String> {
    let dates = || facts.instance.periods.iter().filter_map(|period| period.date);
    Some(format!("{} – {}", first(dates().min()?), last(dates().max()?)))
}

/// Line for everyone: «1 June – 19 June 2026 · 139 exams».
fn public_line(facts: &Facts<'_>, language: Language) -> String {
    let exams = words::EXAMS_COUNTED.counted(facts.instance.exam_count() as u64, language);
    dates(facts, |date| language.day(date), |date| language.date(date))
        .map_or_else(|| exams.clone(), |dates| format!("{dates} · {exams}"))
}

/// Line of facts: «139 exams · 13 periods · 611 students · 1 Jun – 19 Jun 2026».
fn facts_line(facts: &Facts<'_>) -> String {
    let instance = facts.instance;
    let count = |count: usize, noun: &str| numbers::counted(count as u64, noun);
    let mut line = [
        count(instance.exam_count(), "exam"),
        count(instance.period_count(), "period"),
        count(instance.students.len(), "student"),
    ]
    .join(" · ");
    let format = |format: &'static str| move |date: NaiveDate| date.format(format).to_string();
    if let Some(dates) = dates(facts, format("%-d %b"), format("%-d %b %Y")) {
        line.push_str(&format!(" · {dates}"));
    }
    line
}

fn tiles(facts: &Facts<'_>) -> Vec<Tile> {
    let (counts, instance) = (&facts.counts, facts.instance);
    let number = |count: u32| grouped(u64::from(count));
    let share = |count: u32| match 100.0 * f64::from(count) / instance.students.len().max(1) as f64 {
        percent if count > 0 && percent < 0.05 => "< 0.1 % of students".to_owned(),
        percent => format!("{percent:.1} % of students"),
    };
    let (raw, clash) = (facts.cost.proximity, counts.students_with_clash);
    let mut tiles = vec![
        Tile::new(instance.cost_label(), instance.cost_text(raw)).note(match instance.objective.is_per_student() {
            true => format!("{} in all", grouped(raw)),
            false => String::new(),
        }),
        Tile::new("Students with a clash", number(clash)).note(share(clash)).alarm(clash > 0),
        Tile::new("Two exams in a row", number(counts.students_in_a_row)).note(share(counts.students_in_a_row)),
    ];
    if let (Some(two), Some(three)) = (counts.students_two_a_day, counts.students_three_a_day) {
        tiles.push(Tile::new("Two on a day", number(two)).note(share(two)));
        tiles.push(Tile::new("Three or more on a day", number(three)).note(share(three)));
    }
    if let Some((period, students)) = counts.largest_period() {
        let which = instance.period_label(period);
        tiles.push(Tile::new("Largest period", format!("{} students", number(students))).note(which));
    }
    let last = LAST_PERIODS.min(instance.period_count());
    let late = format!("of {} exams", grouped(instance.exam_count() as u64));
    tiles.push(Tile::new(&format!("In the last {last} periods"), number(counts.exams_at_the_end)).note(late));
    if let Some(overfull) = counts.overfull_periods {
        let note = if overfull > 0 { "seats do not suffice" } else { "seats suffice" }.to_owned();
        tiles.push(Tile::new("Overfull periods", number(overfull)).note(note).alarm(overfull > 0));
    }
    tiles
}

/// Draws the legend: colour scale with labels at its ends, and the mark of a clash.
fn draw_legend(scene: &mut Scene, facts: &Facts<'_>, left: f32, top: f32) {
    const STEPS: usize = 36;
    const SCALE: f32 = 148.0;
    let palette = facts.palette;
    scene.text((left, top + 9.0), 9.0, palette.muted, Anchor::Start, "Part in the cost");
    let step = SCALE / STEPS as f32;
    for at in 0..STEPS {
        let colour = cost_colour(at as f32 / (STEPS - 1) as f32, facts.dark);
        // Overlap slightly, so that no seam shows between two steps.
        scene.rectangle(left + at as f32 * step, top + 15.0, step + 0.3, 8.0, colour);
    }
    let largest = facts.largest_part;
    let labels =
        [(0.0, Anchor::Start, 0.0), (0.5, Anchor::Middle, largest as f64 / 4.0), (1.0, Anchor::End, largest as f64)];
    for (position, anchor, part) in labels {
        let percent = if facts.cost.proximity == 0 { 0.0 } else { 100.0 * part / facts.cost.proximity as f64 };
        let text = if part == 0.0 { "none".to_owned() } else { format!("{percent:.1} %") };
        scene.text((left + position * SCALE, top + 34.0), 9.0, palette.muted, anchor, text);
    }
    let right = left + LEGEND_WIDTH;
    scene.text((right, top + 9.0), 9.0, palette.muted, Anchor::End, "Clash");
    draw_clash(scene, facts, Area::new(right - 23.0, top + 13.5, 22.0, 12.0), "Clash");
}

/// Draws the cell of an exam with a clash.
pub(crate) fn draw_clash(scene: &mut Scene, facts: &Facts<'_>, area: Area, title: &str) {
    let Area { x, y, width, height } = area;
    let palette = facts.palette;
    let thick = (height / 6.0).clamp(0.4, 1.5);
    scene.shapes.push(Shape::Rectangle {
        x,
        y,
        width,
        height,
        radius: (height / 4.0).min(2.5),
        fill: palette.alarm,
        stroke: Some((thick, palette.alarm_edge)),
        title: title.to_owned(),
    });
    if height >= 7.0 && width >= 7.0 {
        let (half, middle) = ((height * 0.22).min(3.2), (x + width / 2.0, y + height / 2.0));
        let white = gridwright_core::scene::Colour::hex(0xFFFFFF);
        let stroke = (height / 9.0).clamp(0.9, 1.6);
        scene.line((middle.0 - half, middle.1 - half), (middle.0 + half, middle.1 + half), stroke, white);
        scene.line((middle.0 - half, middle.1 + half), (middle.0 + half, middle.1 - half), stroke, white);
    }
}

/// Label of a day, as long as fits into `room`: «Mon 1 Jun», «1 Jun» or «1».
pub(crate) fn day_label(facts: &Facts<'_>, group: &Range<usize>, size: f32, room: f32) -> String {
    let Some(date) = facts.instance.periods.get(group.start).and_then(|period| period.date) else {
        return String::new();
    };
    let language = facts.audience.language();
    [language.short_day(date), language.short_month(date), date.format("%-d").to_string()]
        .into_iter()
        .find(|text| text_width(text, size, true) <= room)
        .unwrap_or_default()
}

/// Label of a column: start of the period if known, otherwise its number.
pub(super) fn column_label(facts: &Facts<'_>, period: usize) -> String {
    let start = facts.instance.periods.get(period).filter(|p| p.date.is_some()).and_then(|p| p.start);
    start.map_or_else(|| (period + 1).to_string(), |start| start.format("%H:%M").to_string())
}
