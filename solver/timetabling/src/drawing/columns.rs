//! Picture of a timetable with periods as columns and exams as chips whose height grows with the enrolment.

use super::header::{MARGIN, column_label, day_label, draw_head};
use super::{Drawing, Facts, readable_on};
use crate::counts::{day_groups, grouped};
use crate::{Instance, Timetable, words};
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::{Anchor, Area, Scene, Shape};
use gridwright_core::text::language::Language;

/// Reader of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The person at the program: cost, figures, and the exams' part in the cost.
    #[default]
    Planner,
    /// The office, which keeps the picture apart from what is pinned up: all of that.
    Office,
    /// Everyone who reads a notice board in this language: which exam is when, without cost and figures.
    Everyone(Language),
}

impl Audience {
    /// Returns `true` for everyone who reads a notice board.
    pub(super) fn is_public(self) -> bool {
        matches!(self, Self::Everyone(_))
    }

    /// Language of the reader.
    pub(super) fn language(self) -> Language {
        match self {
            Self::Everyone(language) => language,
            Self::Planner | Self::Office => Language::default(),
        }
    }
}

/// Options of [`period_columns`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ColumnsOptions {
    /// True for a dark background.
    pub dark: bool,
    /// Size in points that the picture has to fit, such as a sheet of paper; `None`: as large as necessary.
    pub page: Option<(f32, f32)>,
    /// Reader of the picture.
    pub(crate) audience: Audience,
}

/// Draws one column per period, in as many rows of columns as keep the codes legible. Chips are coloured by the exam's
/// share in the cost and stacked by descending enrolment.
pub(crate) fn period_columns(instance: &Instance, timetable: &Timetable, options: &ColumnsOptions) -> Scene {
    draw_columns(instance, timetable, options).scene
}

/// As [`period_columns`], with the areas of the chips.
pub(crate) fn draw_columns(instance: &Instance, timetable: &Timetable, options: &ColumnsOptions) -> Drawing {
    let facts = Facts { audience: options.audience, ..Facts::new(instance, timetable, options.dark) };
    let columns = columns(&facts);
    let title = format!("{}: the exams of each period", instance.name);
    let (width, height) = options.page.unwrap_or_else(|| (free_width(&facts, &columns), 0.0));
    let mut scene = Scene::new(width, height, title, facts.palette.background);
    let note = if options.audience == Audience::Office { " · for the office, not for the notice board" } else { "" };
    let top = draw_head(&mut scene, &facts, MARGIN, MARGIN.min(width * 0.036), note);
    let inner = Area::new(MARGIN, top + 4.0, width - 2.0 * MARGIN, height - MARGIN - top - 4.0);
    let layout = match options.page {
        Some(_) => ColumnsLayout::fitted(&facts, &columns, inner),
        None => ColumnsLayout::free(&facts, &columns, inner.width),
    };
    let mut exams = Vec::with_capacity(instance.exam_count());
    let mut y = inner.y;
    for band in &layout.bands {
        y = draw_band(&mut scene, &facts, &layout, (band, &columns), (inner.x, y), &mut exams)
            + ColumnsLayout::BAND_GAP;
    }
    if options.page.is_none() {
        scene.height = y - ColumnsLayout::BAND_GAP + MARGIN;
    }
    Drawing { scene, exams }
}

/// Exams of each period by descending enrolment; unplaced exams form an additional last column.
fn columns(facts: &Facts<'_>) -> Vec<Vec<usize>> {
    let periods = facts.instance.period_count();
    let mut columns = vec![Vec::new(); periods + usize::from(facts.counts.unplaced > 0)];
    for (exam, period) in facts.periods.iter().enumerate() {
        columns[period.unwrap_or(periods)].push(exam);
    }
    for column in &mut columns {
        column.sort_by_key(|&exam| (std::cmp::Reverse(facts.instance.exams[exam].enrolment), exam));
    }
    columns
}

const FREE_BAND: usize = 12;

fn free_width(facts: &Facts<'_>, columns: &[Vec<usize>]) -> f32 {
    let widest = bands(facts, columns.len(), FREE_BAND).iter().map(Vec::len).max().unwrap_or(1);
    (2.0 * MARGIN + widest as f32 * 92.0).max(960.0)
}

/// Distributes columns over rows (bands) of at most `most`; a day is split only if it is longer than a row.
fn bands(facts: &Facts<'_>, count: usize, most: usize) -> Vec<Vec<usize>> {
    let groups = day_groups(facts.instance);
    let known = groups.len() > 1;
    let parts: Vec<Vec<usize>> = if known {
        groups
            .into_iter()
            .flat_map(|group| group.collect::<Vec<_>>().chunks(most).map(<[usize]>::to_vec).collect::<Vec<_>>())
            .collect()
    } else {
        (0..facts.instance.period_count()).map(|period| vec![period]).collect()
    };
    let mut bands: Vec<Vec<usize>> = Vec::new();
    for part in parts.into_iter().chain((facts.instance.period_count()..count).map(|column| vec![column])) {
        match bands.last_mut() {
            Some(band) if band.len() + part.len() <= most => band.extend(part),
            _ => bands.push(part),
        }
    }
    bands
}

/// Dimensions of the picture in points.
struct ColumnsLayout {
    bands: Vec<Vec<usize>>,
    column_width: f32,
    /// Height of a chip of an exam without students; each student adds `per_student`.
    base: f32,
    per_student: f32,
    text: f32,
    gap: f32,
    head: f32,
}

impl ColumnsLayout {
    const BAND_GAP: f32 = 14.0;
    const COLUMN_GAP: f32 = 4.0;
    const DAY_GAP: f32 = 6.0;
    /// Largest font size.
    const MAX_TEXT: f32 = 9.5;
    /// Smallest font size; text that would be smaller is omitted.
    const MIN_TEXT: f32 = 3.5;

    fn free(facts: &Facts<'_>, columns: &[Vec<usize>], width: f32) -> Self {
        let bands = bands(facts, columns.len(), FREE_BAND);
        let column_width = column_width(facts, &bands, width).min(150.0);
        let largest = facts.instance.exams.iter().map(|exam| exam.enrolment).max().unwrap_or(0).max(1);
        let (base, text, gap) = (16.0, Self::MAX_TEXT, 2.0);
        Self { bands, column_width, base, per_student: 40.0 / largest as f32, text, gap, head: head_height(facts) }
    }

    /// The number of rows with the largest font within `inner`.
    fn fitted(facts: &Facts<'_>, columns: &[Vec<usize>], inner: Area) -> Self {
        let count = columns.len().max(1);
        let mut best: Option<Self> = None;
        for rows in 1..=6 {
            let candidate = Self::with_rows(facts, columns, inner, count.div_ceil(rows));
            if best.as_ref().is_none_or(|best| candidate.text > best.text + 0.2) {
                best = Some(candidate);
            }
        }
        best.unwrap_or_else(|| Self::free(facts, columns, inner.width))
    }

    fn with_rows(facts: &Facts<'_>, columns: &[Vec<usize>], inner: Area, most: usize) -> Self {
        let bands = bands(facts, columns.len(), most);
        let (column_width, head) = (column_width(facts, &bands, inner.width), head_height(facts));
        let rows = bands.len().max(1) as f32;
        let height = ((inner.height - (rows - 1.0) * Self::BAND_GAP) / rows - head).max(1.0);
        let fullest = columns.iter().map(Vec::len).max().unwrap_or(0).max(1) as f32;
        let gap = (height / fullest * 0.1).min(1.5);
        // Most of the height is independent of the enrolment, so that small exams keep their labels.
        let base = (0.75 * (height / fullest - gap)).clamp(0.1, 20.0);
        let students = |column: &Vec<usize>| {
            column.iter().map(|&exam| facts.instance.exams[exam].enrolment as f32).sum::<f32>().max(1.0)
        };
        let room = |column: &Vec<usize>| (height - (base + gap) * column.len() as f32).max(0.0) / students(column);
        let largest = facts.instance.exams.iter().map(|exam| exam.enrolment).max().unwrap_or(0).max(1) as f32;
        let per_student = columns.iter().map(room).fold(70.0 / largest, f32::min);
        let longest = facts.instance.exams.iter().map(|exam| text_width(&exam.code, 1.0, true)).fold(0.1, f32::max);
        // Padding takes one em; longer codes are elided rather than set in tiny letters.
        let room = 0.98 * (column_width - Self::COLUMN_GAP - 3.0);
        let text = (base * 0.8).min(room / (longest.min(8.0) + 1.0)).min(Self::MAX_TEXT);
        Self { bands, column_width, base, per_student, text, gap, head }
    }

    fn chip_height(&self, enrolment: u32) -> f32 {
        self.base + self.per_student * enrolment as f32
    }
}

fn head_height(facts: &Facts<'_>) -> f32 {
    if day_groups(facts.instance).len() > 1 { 45.0 } else { 31.0 }
}

fn day_gaps(facts: &Facts<'_>, band: &[usize]) -> usize {
    let groups = day_groups(facts.instance);
    let group = |column: usize| groups.iter().position(|group| group.contains(&column));
    band.windows(2).filter(|pair| group(pair[0]) != group(pair[1])).count()
}

fn column_width(facts: &Facts<'_>, bands: &[Vec<usize>], width: f32) -> f32 {
    let gaps = |band: &Vec<usize>| day_gaps(facts, band) as f32 * ColumnsLayout::DAY_GAP;
    bands.iter().map(|band| (width - gaps(band)) / band.len().max(1) as f32).fold(f32::MAX, f32::min).min(width)
}

/// Draws one row of columns at `(left, top)`, appends the areas of its chips and returns its lower edge.
fn draw_band(
    scene: &mut Scene, facts: &Facts<'_>, layout: &ColumnsLayout, (band, columns): (&[usize], &[Vec<usize>]),
    (left, top): (f32, f32), areas: &mut Vec<(usize, Area)>,
) -> f32 {
    let groups = day_groups(facts.instance);
    let dated = groups.len() > 1;
    let width = layout.column_width - ColumnsLayout::COLUMN_GAP;
    let stack = |column: usize| -> f32 {
        columns[column].iter().map(|&exam| layout.chip_height(facts.instance.exams[exam].enrolment) + layout.gap).sum()
    };
    let tallest = band.iter().map(|&column| stack(column)).fold(0.0, f32::max).max(6.0);
    let (mut x, mut day, mut day_start) = (left, None, left);
    for (position, &column) in band.iter().enumerate() {
        let group = groups.iter().position(|group| group.contains(&column));
        if position == 0 || group != day {
            x += if position == 0 { 0.0 } else { ColumnsLayout::DAY_GAP };
            (day, day_start) = (group, x);
        }
        let last_of_day = band.get(position + 1).is_none_or(|next| !group.is_some_and(|g| groups[g].contains(next)));
        if let Some(group) = group.filter(|_| dated && last_of_day) {
            let room = x + width - day_start;
            let label = day_label(facts, &groups[group], 9.5, room);
            scene.bold_text((day_start + 1.0, top + 10.0), 9.5, facts.palette.ink, Anchor::Start, label);
            scene.rectangle(day_start, top + 14.0, room, 1.2, facts.palette.bar);
        }
        let head = Area::new(x, top + if dated { 14.0 } else { 0.0 }, width, 31.0);
        draw_column_head(scene, facts, column, head);
        let body = Area::new(x, top + layout.head, width, tallest + 3.0);
        let ground = if group.is_none() { facts.palette.alarm.with_alpha(20) } else { facts.palette.panel };
        scene.shapes.push(plain(body, 3.0, ground));
        let mut y = body.y + 1.5;
        for &exam in &columns[column] {
            let height = layout.chip_height(facts.instance.exams[exam].enrolment);
            let chip = Area::new(x + 1.5, y, width - 3.0, height);
            draw_chip(scene, facts, layout, exam, chip);
            areas.push((exam, chip));
            y += height + layout.gap;
        }
        x += layout.column_width;
    }
    top + layout.head + tallest + 3.0
}

fn plain(area: Area, radius: f32, fill: gridwright_core::scene::Colour) -> Shape {
    let Area { x, y, width, height } = area;
    Shape::Rectangle { x, y, width, height, radius, fill, stroke: None, title: String::new() }
}

/// Draws the head of a column: start or number of the period and its number of students.
fn draw_column_head(scene: &mut Scene, facts: &Facts<'_>, column: usize, area: Area) {
    let palette = facts.palette;
    let Some(load) = facts.counts.loads.get(column) else {
        let label = elide(words::NO_PERIOD.of(facts.audience.language()), 9.0, true, area.width);
        scene.bold_text((area.x + 1.0, area.y + 13.0), 9.0, palette.alarm, Anchor::Start, label);
        return;
    };
    let label = column_label(facts, column);
    let long = words::PERIOD.with(facts.audience.language(), &[&label]);
    let dated = facts.instance.periods.get(column).is_some_and(|period| period.date.is_some());
    let label = if !dated && text_width(&long, 9.0, true) <= area.width { long } else { label };
    // Narrow columns: reduce the font instead of cutting the time, equally for all columns.
    let size = (9.0 * area.width / text_width("00:00", 9.0, true)).min(9.0);
    let label = elide(&label, size, true, area.width + 1.0);
    scene.bold_text((area.x + 1.0, area.y + 13.0), size, palette.ink, Anchor::Start, label);
    if facts.audience.is_public() {
        return;
    }
    let students = grouped(u64::from(load.students));
    let long = format!("{students} students");
    let text = if text_width(&long, 8.0, false) <= area.width { long } else { students };
    // Narrow columns: reduce the font instead of cutting digits, equally for all columns.
    let largest = facts.counts.largest_period().map_or(0, |(_, students)| u64::from(students));
    let size = (8.0 * area.width / text_width(&grouped(largest), 8.0, false)).min(8.0);
    let overfull = facts.instance.periods[column].seats.is_some_and(|seats| load.students > seats);
    let colour = if overfull { palette.alarm } else { palette.muted };
    scene.text((area.x + 1.0, area.y + 25.0), size, colour, Anchor::Start, text);
}

fn draw_chip(scene: &mut Scene, facts: &Facts<'_>, layout: &ColumnsLayout, exam: usize, chip: Area) {
    let data = &facts.instance.exams[exam];
    let clash = facts.clashes[exam] > 0;
    let title = facts.describe(exam);
    let fill = if clash {
        let thick = (chip.height / 8.0).clamp(0.3, 1.2);
        let Area { x, y, width, height } = chip;
        scene.shapes.push(Shape::Rectangle {
            x,
            y,
            width,
            height,
            radius: (height / 4.0).min(2.0),
            fill: facts.palette.alarm,
            stroke: Some((thick, facts.palette.alarm_edge)),
            title,
        });
        facts.palette.alarm
    } else {
        let fill = if facts.periods[exam].is_none() { facts.palette.bar } else { facts.colour(exam) };
        scene.titled_rectangle(chip, (chip.height / 4.0).min(2.0), fill, title);
        fill
    };
    let size = layout.text;
    if size < ColumnsLayout::MIN_TEXT {
        return;
    }
    let ink = if clash { gridwright_core::scene::Colour::hex(0xFFFFFF) } else { readable_on(fill) };
    let pad = (size * 0.5).min(4.0);
    let room = chip.width - 2.0 * pad;
    let two_lines = !data.title.is_empty() && chip.height >= 2.7 * size && room > 7.0 * size;
    let middle = if two_lines { chip.y + chip.height / 2.0 - size * 0.6 } else { chip.y + chip.height / 2.0 };
    let base = middle + size * 0.36;
    let mark = if clash { "× " } else { "" };
    let code = elide(&format!("{mark}{}", data.code), size, true, room);
    let students = grouped(u64::from(data.enrolment));
    let small = size * 0.88;
    let both = !facts.audience.is_public()
        && text_width(&code, size, true) + text_width(&students, small, false) + size * 0.6 <= room;
    scene.bold_text((chip.x + pad, base), size, ink, Anchor::Start, code);
    if both {
        scene.text((chip.right() - pad, base), small, ink, Anchor::End, students);
    }
    if two_lines {
        let title = elide(&data.title, small, false, room);
        scene.text((chip.x + pad, base + size * 1.2), small, ink, Anchor::Start, title);
    }
}
