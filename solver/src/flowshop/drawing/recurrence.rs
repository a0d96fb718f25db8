//! The recurrence as a table for small instances: each completion time with its two predecessors.
//!
//! ```text
//! C_{i,π(k)} = max(C_{i−1,π(k)}, C_{i,π(k−1)}) + p_{i,π(k)},   C_{0,j} = r_j,   C_{i,π(0)} = 0
//! ```

use super::job_colour;
use crate::flowshop::{Instance, Schedule};
use crate::numbers::grouped;
use crate::scene::fonts::{elide, text_width};
use crate::scene::palette::Palette;
use crate::scene::paper::MARGIN;
use crate::scene::{Anchor, Area, Colour, Scene, Shape};

/// Options of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecurrenceOptions {
    /// True for a dark background.
    pub dark: bool,
    /// True to mark the cells of a critical path.
    pub critical_path: bool,
    /// Largest number of positions shown; omitted ones are mentioned in the picture.
    pub positions: usize,
    /// Largest number of machines shown.
    pub machines: usize,
}

impl Default for RecurrenceOptions {
    fn default() -> Self {
        Self { dark: false, critical_path: true, positions: 14, machines: 12 }
    }
}

/// Size of a cell in points, and the gap between cells.
const CELL: (f32, f32) = (104.0, 50.0);
const GAP: f32 = 13.0;
/// Width of the machine names, and of the column of zeros before the first position.
const NAMES: f32 = 92.0;
const ZERO: f32 = 34.0;
const SMALL: f32 = 8.5;

/// Operands of the recurrence in one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    /// C_{i−1,π(k)}: arrival of the job from the previous machine, or its release date.
    job: u32,
    /// C_{i,π(k−1)}: end of the previous job on the machine.
    machine: u32,
    /// p_{i,π(k)}.
    time: u32,
}

impl Cell {
    fn of(instance: &Instance, schedule: &Schedule, position: usize, machine: usize) -> Self {
        let job = usize::from(schedule.order[position]);
        let before = |from: bool, value: &dyn Fn() -> u32, otherwise: u32| if from { value() } else { otherwise };
        Self {
            job: before(machine > 0, &|| schedule.completion(position, machine - 1), instance.jobs[job].release),
            machine: before(position > 0, &|| schedule.completion(position - 1, machine), 0),
            time: instance.time(job, machine),
        }
    }

    fn waits_for_job(&self) -> bool {
        self.job >= self.machine
    }

    fn waits_for_machine(&self) -> bool {
        self.machine >= self.job
    }
}

/// Draws a column per position and a row per machine; each cell shows C, its sum, and an arrow from the operand that
/// determines it (from above for the job, from the left for the machine, both if they are equal). A critical path is
/// marked.
pub fn recurrence_table(instance: &Instance, schedule: &Schedule, options: &RecurrenceOptions) -> Scene {
    let positions = schedule.order.len().min(options.positions);
    let machines = schedule.machine_count().min(options.machines);
    let palette = Palette::of(options.dark);
    let width = 2.0 * MARGIN + NAMES + ZERO + positions.max(4) as f32 * (CELL.0 + GAP);
    let title = format!("{}: completion times", instance.name);
    let mut scene = Scene::new(width, 0.0, title, palette.background);
    let critical = if options.critical_path { schedule.critical_path().operations } else { Vec::new() };
    let mut table = Table { instance, schedule, palette, scene: &mut scene, critical, top: 0.0 };
    table.draw_head(positions, machines);
    (0..positions).for_each(|position| table.draw_column_head(position));
    for machine in 0..machines {
        table.draw_row_head(machine);
        (0..positions).for_each(|position| table.draw_cell(position, machine));
    }
    let bottom = table.cell(0, machines).y - GAP + 7.0;
    let whole = machines == instance.machine_count();
    if whole && instance.has_due_dates() {
        table.draw_due_dates(positions, bottom);
    }
    let bottom = bottom + if whole && instance.has_due_dates() { 26.0 } else { 4.0 };
    table.draw_legend(bottom);
    scene.height = bottom + 20.0 + MARGIN;
    scene
}

struct Table<'a, 's> {
    instance: &'a Instance,
    schedule: &'a Schedule,
    palette: Palette,
    scene: &'s mut Scene,
    /// Operations of the critical path as (position, machine), ascending.
    critical: Vec<(usize, usize)>,
    /// Upper edge of the cells.
    top: f32,
}

impl Table<'_, '_> {
    fn cell(&self, position: usize, machine: usize) -> Area {
        let x = MARGIN + NAMES + ZERO + position as f32 * (CELL.0 + GAP);
        Area::new(x, self.top + machine as f32 * (CELL.1 + GAP), CELL.0, CELL.1)
    }

    fn draw_head(&mut self, positions: usize, machines: usize) {
        let (palette, width) = (self.palette, self.scene.width - 2.0 * MARGIN);
        let name = elide(&format!("{}: completion times", self.instance.name), 16.0, true, width);
        self.scene.bold_text((MARGIN, MARGIN + 14.0), 16.0, palette.ink, Anchor::Start, name);
        let mut line = "C(i, π(k)) = max(C(i−1, π(k)), C(i, π(k−1))) + p(i, π(k))".to_owned();
        let (all, rows) = (self.schedule.order.len(), self.schedule.machine_count());
        if positions < all || machines < rows {
            let [shown, all, part, rows] = [positions, all, machines, rows].map(|count| grouped(count as u64));
            line = format!("{line} · {shown} of {all} positions and {part} of {rows} machines are shown");
        } else if all > 0 {
            line = format!("{line} · makespan {}", grouped(u64::from(self.schedule.makespan())));
        } else {
            line = format!("{line} · no job is placed");
        }
        let line = elide(&line, 10.0, false, width);
        self.scene.text((MARGIN, MARGIN + 32.0), 10.0, palette.muted, Anchor::Start, line);
        self.top = MARGIN + 96.0;
    }

    /// Draws position, job and release date above a column.
    fn draw_column_head(&mut self, position: usize) {
        let (palette, cell) = (self.palette, self.cell(position, 0));
        let job = usize::from(self.schedule.order[position]);
        let data = &self.instance.jobs[job];
        let middle = cell.x + cell.width / 2.0;
        let name = elide(&data.name, 10.5, true, cell.width);
        self.scene.bold_text((middle, cell.y - 34.0), 10.5, palette.ink, Anchor::Middle, name);
        self.scene.titled_rectangle(
            Area::new(cell.x, cell.y - 28.0, cell.width, 4.0),
            1.0,
            job_colour(job),
            &data.name,
        );
        let mut place = format!("k = {}", position + 1);
        if data.release > 0 {
            place.push_str(&format!(" · released at {}", grouped(u64::from(data.release))));
        }
        self.scene.text((middle, cell.y - 11.0), SMALL, palette.muted, Anchor::Middle, place);
    }

    fn draw_row_head(&mut self, machine: usize) {
        let (palette, cell) = (self.palette, self.cell(0, machine));
        let base = cell.y + cell.height / 2.0;
        let name = elide(&self.instance.machines[machine], 10.5, true, NAMES - 4.0);
        self.scene.bold_text((MARGIN, base), 10.5, palette.ink, Anchor::Start, name);
        self.scene.text((MARGIN, base + 12.0), SMALL, palette.muted, Anchor::Start, format!("i = {}", machine + 1));
        let at = (MARGIN + NAMES + ZERO / 2.0 - 2.0, base + 4.0);
        self.scene.text(at, 10.0, palette.muted, Anchor::Middle, "0");
    }

    fn draw_cell(&mut self, position: usize, machine: usize) {
        let (palette, area) = (self.palette, self.cell(position, machine));
        let cell = Cell::of(self.instance, self.schedule, position, machine);
        let critical = self.is_critical((position, machine));
        let colour = job_colour(usize::from(self.schedule.order[position]));
        let fill = if critical { palette.background.mix(colour, 0.45) } else { palette.panel };
        let stroke = if critical { (1.6, palette.ink) } else { (0.6, palette.line) };
        let Area { x, y, width, height } = area;
        let (job, on) = (usize::from(self.schedule.order[position]), &self.instance.machines[machine]);
        let title = format!("{} on {on}", self.instance.jobs[job].name);
        self.scene.shapes.push(Shape::Rectangle {
            x,
            y,
            width,
            height,
            radius: 3.0,
            fill,
            stroke: Some(stroke),
            title,
        });
        let middle = x + width / 2.0;
        let value = grouped(u64::from(self.schedule.completion(position, machine)));
        let size = (width * 0.9 / text_width(&value, 1.0, true)).min(16.0);
        self.scene.bold_text((middle, y + 21.0), size, palette.ink, Anchor::Middle, value);
        self.draw_sum(&cell, middle, y + 39.0, width - 6.0);
        let mark = |of: bool| if of { (palette.ink, 2.2) } else { (palette.muted, 0.9) };
        let before =
            |k: Option<usize>, i: Option<usize>| k.zip(i).is_some_and(|place| critical && self.is_critical(place));
        let from_job = before(Some(position), machine.checked_sub(1));
        let from_machine = before(position.checked_sub(1), Some(machine));
        // The first operation waits for nothing.
        if cell.waits_for_job() && (machine > 0 || cell.job > 0) {
            arrow(self.scene, (middle, y - GAP + 1.5), (middle, y - 1.5), mark(from_job));
        }
        if cell.waits_for_machine() && position > 0 {
            let base = y + height / 2.0;
            arrow(self.scene, (x - GAP + 1.5, base), (x - 1.5, base), mark(from_machine));
        }
    }

    fn is_critical(&self, place: (usize, usize)) -> bool {
        self.critical.binary_search(&place).is_ok()
    }

    /// Draws «max(7, 5) + 4» with the larger operand in semi-bold, scaled down to fit.
    fn draw_sum(&mut self, cell: &Cell, middle: f32, base: f32, room: f32) {
        let (strong, weak) = (self.palette.ink, self.palette.muted);
        let [job, machine, time] = [cell.job, cell.machine, cell.time].map(|time| grouped(u64::from(time)));
        let parts = [
            ("max(".to_owned(), false),
            (job, cell.waits_for_job()),
            (", ".to_owned(), false),
            (machine, cell.waits_for_machine()),
            (format!(") + {time}"), false),
        ];
        let of = |size: f32| parts.iter().map(|(text, bold)| text_width(text, size, *bold)).sum::<f32>();
        let size = SMALL.min(SMALL * room / of(SMALL));
        let mut x = middle - of(size) / 2.0;
        for (text, bold) in parts {
            let (width, colour) = (text_width(&text, size, bold), if bold { strong } else { weak });
            if bold {
                self.scene.bold_text((x, base), size, colour, Anchor::Start, text);
            } else {
                self.scene.text((x, base), size, colour, Anchor::Start, text);
            }
            x += width;
        }
    }

    /// Draws due date and tardiness of each job below the last machine.
    fn draw_due_dates(&mut self, positions: usize, top: f32) {
        let palette = self.palette;
        let base = top + 9.0;
        self.scene.bold_text((MARGIN, base), 10.5, palette.ink, Anchor::Start, "due");
        for position in 0..positions {
            let middle = self.cell(position, 0).x + CELL.0 / 2.0;
            let Some(due) = self.instance.jobs[usize::from(self.schedule.order[position])].due else { continue };
            let (late, due) = (self.schedule.done(position).saturating_sub(due), grouped(u64::from(due)));
            if late > 0 {
                let text = format!("{due} · +{} late", grouped(u64::from(late)));
                self.scene.bold_text((middle, base), 9.5, palette.alarm, Anchor::Middle, text);
            } else {
                self.scene.text((middle, base), 9.5, palette.muted, Anchor::Middle, due);
            }
        }
    }

    fn draw_legend(&mut self, top: f32) {
        let palette = self.palette;
        let base = top + 12.0;
        let mut x = MARGIN;
        let mut words = vec![
            "↓ waits for the job to come from the machine above",
            "→ waits for the machine to be done with the job before",
            "both: at the same time",
        ];
        if !self.critical.is_empty() {
            words.push("outlined: critical path");
        }
        for text in words {
            self.scene.text((x, base), 9.0, palette.muted, Anchor::Start, text);
            x += text_width(text, 9.0, false) + 18.0;
        }
    }
}

/// Draws a short straight arrow to the right or downwards.
fn arrow(scene: &mut Scene, from: (f32, f32), to: (f32, f32), (colour, width): (Colour, f32)) {
    const HEAD: f32 = 3.4;
    scene.line(from, to, width, colour);
    let (dx, dy) = if (from.0 - to.0).abs() > (from.1 - to.1).abs() { (1.0, 0.0) } else { (0.0, 1.0) };
    let back = |side: f32| (to.0 - HEAD * dx + side * HEAD * dy, to.1 - HEAD * dy + side * HEAD * dx);
    let points = vec![back(1.0), to, back(-1.0)];
    scene.shapes.push(Shape::Line { points, width: width.max(1.2), colour });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::testing::texts;

    /// Job 1 takes 3 then 2, job 2 takes 1 then 4; order 1, 2: C = (3, 5), (4, 9). Job 2 reaches machine 2 at 4 and
    /// waits until 5.
    #[test]
    fn cells_say_what_they_waited_for() {
        let mut instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        (instance.jobs[0].due, instance.jobs[1].due) = (Some(6), Some(8));
        let schedule = Schedule::new(&instance, &[0, 1]);
        let cell = |position, machine| Cell::of(&instance, &schedule, position, machine);
        assert_eq!(cell(1, 1), Cell { job: 4, machine: 5, time: 4 });
        assert!(cell(1, 1).waits_for_machine() && !cell(1, 1).waits_for_job());
        assert!(cell(0, 1).waits_for_job() && !cell(0, 1).waits_for_machine());
        let scene = recurrence_table(&instance, &schedule, &RecurrenceOptions::default());
        let texts = texts(&scene);
        for expected in ["J1", "J2", "M1", "M2", "3", "5", "4", "9", "max(", ") + 4", "6", "8 · +1 late"] {
            assert!(texts.contains(&expected), "{expected} is missing in {texts:?}");
        }
        let outlined =
            |shape: &&Shape| matches!(shape, Shape::Rectangle { stroke: Some((width, _)), .. } if *width > 1.0);
        assert_eq!(scene.shapes.iter().filter(outlined).count(), 3, "J1 on M1, J1 on M2, J2 on M2");
    }

    #[test]
    fn what_is_left_out_is_said() {
        let instance = Instance::of_times("large", 20, vec![7; 20 * 30]).unwrap();
        let schedule = Schedule::new(&instance, &(0..30).collect::<Vec<u16>>());
        let scene = recurrence_table(&instance, &schedule, &RecurrenceOptions::default());
        assert!(texts(&scene).iter().any(|text| text.contains("14 of 30 positions and 12 of 20 machines")));
        let empty = recurrence_table(&instance, &Schedule::new(&instance, &[]), &RecurrenceOptions::default());
        assert!(texts(&empty).iter().any(|text| text.contains("no job is placed")));
        assert!(empty.height > 0.0 && empty.width > 0.0);
    }
}
