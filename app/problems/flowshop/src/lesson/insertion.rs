//! One insertion with Taillard's tables: heads e, tails q, f, and the makespan of every position.

use egui::{Ui, Vec2, vec2};
use gridwright_core::numbers::counted;
use gridwright_flowshop::steps::Acceleration;

use super::{Formula, Lesson, colour, explain, play, scrolled};
use crate::Document;
use crate::methods::*;
use crate::widgets::cells::{self, Cell, Cells, Head, Look};
use crate::widgets::gantt::Selection;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::notice::message;
use gridwright_window::widgets::playback::Tape;

/// The job that is inserted: the selected one, the one that was chosen last, or the last of the order.
fn inserted(document: &Document, lesson: &Lesson) -> Option<u16> {
    let chosen = document.lesson.inserted.or(document.selected.map(|selection| selection.job));
    let chosen = chosen.and_then(|job| lesson.order.iter().copied().find(|&other| usize::from(other) == job));
    chosen.or(lesson.order.last().copied())
}

pub(super) fn switches(ui: &mut Ui, document: &mut Document, lesson: &Lesson) {
    let Some(job) = inserted(document, lesson) else { return };
    let mut chosen = job;
    Choices::new("Job to insert", lesson.job(job))
        .width(120.0)
        .cut()
        .help("It is taken out of the order, and tried in every position")
        .show(ui, |ui| {
            for &other in &lesson.order {
                ui.selectable_value(&mut chosen, other, lesson.job(other));
            }
        });
    if chosen != job {
        document.lesson.inserted = Some(usize::from(chosen));
        document.selected = document.plan().map(|_| Selection { job: usize::from(chosen), machine: None });
        document.lesson.player().go_to(0);
    }
}

pub(super) fn show(ui: &mut Ui, document: &mut Document, lesson: &Lesson) {
    let Some(job) = inserted(document, lesson) else { return };
    if lesson.instance.setups.is_some() {
        message(
            ui,
            "Machines of this instance are set up between jobs, which these tables leave out. NEH, step by step, minds set-ups.",
        );
        return;
    }
    if lesson.instance.jobs.iter().any(|job| job.release > 0) {
        message(
            ui,
            "Jobs of this instance have release dates: with them the trick does not hold, and every position is computed anew.",
        );
        return;
    }
    let order: Vec<u16> = lesson.order.iter().copied().filter(|&other| other != job).collect();
    let tables = Acceleration::new(&lesson.instance, &order, job);
    let last = 3 * order.len() + 2;
    let (at, changed) = play(ui, document, Tape::of_length(last as u64));
    let now = Now::at((at as usize).min(last), order.len());
    let drawn = Drawn { lesson, order: &order, job, tables: &tables, now, changed };
    let (sentence, formula) = drawn.words(ui);
    explain(ui, &sentence, &formula);
    let room = ui.available_size() - vec2(14.0, 0.0);
    scrolled(ui, "insertion", |ui| drawn.show(ui, room));
}

/// Part of the insertion that is computed in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Now {
    /// No table is computed yet.
    Nothing,
    /// The heads of a position.
    Head(usize),
    /// The tails of a position.
    Tail(usize),
    /// f and the makespan of a position.
    Done(usize),
    /// The least makespan.
    Chosen,
}

impl Now {
    /// Returns the part of a step: heads from the front, tails from the back, then the positions in turn.
    fn at(step: usize, jobs: usize) -> Self {
        match step.checked_sub(1) {
            None => Self::Nothing,
            Some(step) if step < jobs => Self::Head(step),
            Some(step) if step < 2 * jobs => Self::Tail(2 * jobs - 1 - step),
            Some(step) if step <= 3 * jobs => Self::Done(step - 2 * jobs),
            Some(_) => Self::Chosen,
        }
    }
}

/// Table of the demonstration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Head,
    Tail,
    Done,
}

struct Drawn<'a> {
    lesson: &'a Lesson,
    order: &'a [u16],
    job: u16,
    tables: &'a Acceleration,
    now: Now,
    /// True if the step differs from the one in the last frame.
    changed: bool,
}

impl Drawn<'_> {
    fn show(&self, ui: &mut Ui, room: Vec2) {
        ui.spacing_mut().item_spacing = vec2(space::XL, space::XS);
        let machines = self.lesson.instance.machine_count() as f32;
        // So high that all three fit, where they do.
        let each = ((room.y - 112.0) / (2.0 * machines + 1.0)).clamp(27.0, 39.0);
        let rows = machines * each + 24.0;
        let half = (room.x - space::XL) / 2.0;
        let least = self.order.len() as f32 * 41.0 + 90.0;
        if least <= half {
            ui.horizontal_top(|ui| {
                ui.vertical(|ui| self.titled(ui, Kind::Head, vec2(half, rows)));
                ui.vertical(|ui| self.titled(ui, Kind::Tail, vec2(half, rows)));
            });
        } else {
            self.titled(ui, Kind::Head, vec2(room.x, rows));
            ui.add_space(space::S);
            self.titled(ui, Kind::Tail, vec2(room.x, rows));
        }
        ui.add_space(space::S);
        self.titled(ui, Kind::Done, vec2(room.x, rows + each));
    }

    fn titled(&self, ui: &mut Ui, kind: Kind, room: Vec2) {
        let (name, title) = match kind {
            Kind::Head => ("Heads", "e: when the machine is done, from the front"),
            Kind::Tail => ("Tails", "q: what is still to come, from the back"),
            Kind::Done => ("Positions", "f: when the job is done in each position, and the makespan with it"),
        };
        ui.label(theme::small(title).color(palette(ui.visuals()).weak));
        let columns = match kind {
            Kind::Done => (1..=self.order.len() + 1)
                .map(|place| Head { text: place.to_string(), colour: Some(colour(self.job)) })
                .collect(),
            _ => self.lesson.heads(self.order),
        };
        let mut rows = self.lesson.instance.machines.clone();
        let corner = match kind {
            Kind::Head => "e",
            Kind::Tail => "q",
            Kind::Done => {
                rows.push("Makespan".to_owned());
                "f"
            }
        };
        let cell = |row: usize, column: usize| match kind {
            Kind::Done if row + 1 == rows.len() => self.makespan(column),
            _ => self.cell(kind, row, column),
        };
        let reveal = match (self.now, kind) {
            _ if !self.changed => None,
            (Now::Head(at), Kind::Head) | (Now::Tail(at), Kind::Tail) => Some((0, at)),
            (Now::Done(at), Kind::Done) => Some((rows.len() - 1, at)),
            (Now::Chosen, Kind::Done) => Some((rows.len() - 1, self.tables.best)),
            _ => None,
        };
        let table = Cells { name, corner, columns: &columns, rows: &rows, arrows: false, reveal, cell: &cell };
        cells::show(ui, &table, room);
    }

    fn cell(&self, kind: Kind, machine: usize, at: usize) -> Cell {
        let name = &self.lesson.instance.machines[machine];
        let (value, known, what) = match kind {
            Kind::Head => (self.tables.heads[at][machine], self.knows_head(at), format!("e of {}", self.name(at))),
            Kind::Tail => (self.tables.tails[at][machine], self.knows_tail(at), format!("q of {}", self.name(at))),
            Kind::Done => (self.tables.done[at][machine], self.knows_done(at), format!("f in position {}", at + 1)),
        };
        if !known {
            return Cell::default();
        }
        let look = match (self.now, kind) {
            (Now::Head(now), Kind::Head) if now == at => Look::Now,
            (Now::Tail(now), Kind::Tail) if now == at => Look::Now,
            (Now::Done(now), Kind::Done) if now == at => {
                if self.tables.bottleneck(at) == machine {
                    Look::Best
                } else {
                    Look::Now
                }
            }
            (Now::Done(now), Kind::Head) if at + 1 == now => Look::Left,
            (Now::Done(now), Kind::Tail) if at == now => Look::Above,
            _ => Look::Known,
        };
        Cell { text: value.to_string(), look, words: format!("{what} on {name}: {value}") }
    }

    fn makespan(&self, at: usize) -> Cell {
        if !self.knows_done(at) {
            return Cell::default();
        }
        let value = self.tables.makespans[at];
        let chosen = self.now == Now::Chosen && at == self.tables.best;
        let look = match self.now {
            Now::Chosen if chosen => Look::Best,
            Now::Done(now) if now == at => Look::Now,
            _ => Look::Known,
        };
        let mark = if chosen { ", the least" } else { "" };
        Cell { text: value.to_string(), look, words: format!("Makespan in position {}: {value}{mark}", at + 1) }
    }

    fn name(&self, at: usize) -> &str {
        self.lesson.job(self.order[at])
    }

    fn knows_head(&self, at: usize) -> bool {
        match self.now {
            Now::Nothing => false,
            Now::Head(now) => at <= now,
            _ => true,
        }
    }

    fn knows_tail(&self, at: usize) -> bool {
        match self.now {
            Now::Nothing | Now::Head(_) => false,
            Now::Tail(now) => at >= now,
            _ => true,
        }
    }

    fn knows_done(&self, at: usize) -> bool {
        match self.now {
            Now::Done(now) => at <= now,
            Now::Chosen => true,
            _ => false,
        }
    }

    fn words(&self, ui: &Ui) -> (String, Formula) {
        let palette = palette(ui.visuals());
        let (name, machines) = (self.lesson.job(self.job), &self.lesson.instance.machines);
        let positions = self.order.len() + 1;
        match self.now {
            Now::Nothing => {
                let text = format!(
                    "{name} is taken out. Three tables of {} × {} tell the makespan of all {positions} positions, instead of \
                     computing each order anew.",
                    self.order.len(),
                    machines.len()
                );
                let formula = Formula::new("makespan(k) = max over machines of (f")
                    .then(" + ")
                    .coloured("q", cells::above(palette))
                    .then("), f = max(f of the machine before, ")
                    .coloured("e before k", cells::left(palette))
                    .then(") + time");
                (text, formula)
            }
            Now::Head(at) => {
                let ends: Vec<String> = self.tables.heads[at].iter().map(u32::to_string).collect();
                let formula = Formula::new(format!("e({}) = {}", self.name(at), ends.join(", ")));
                ("When each machine is done with it, from the front: the recurrence.".to_owned(), formula)
            }
            Now::Tail(at) => {
                let left: Vec<String> = self.tables.tails[at].iter().map(u32::to_string).collect();
                let formula = Formula::new(format!("q({}) = {}", self.name(at), left.join(", ")));
                (
                    "From its start on each machine to the end of everything: the recurrence backwards.".to_owned(),
                    formula,
                )
            }
            Now::Done(at) => {
                let machine = self.tables.bottleneck(at);
                let done = self.tables.done[at][machine];
                let tail = self.tables.tails.get(at).map_or(0, |tails| tails[machine]);
                let formula = Formula::new(format!("Position {}: makespan = {done} + ", at + 1))
                    .coloured(tail.to_string(), cells::above(palette))
                    .then(format!(" = {}", self.tables.makespans[at]));
                let behind = match self.order.get(at) {
                    Some(&next) => format!("what follows from {} on takes {tail}", self.lesson.job(next)),
                    None => "nothing follows".to_owned(),
                };
                let text = format!(
                    "{name} is done on {} at {done}, {behind}; no other machine takes longer.",
                    machines[machine]
                );
                (text, formula)
            }
            Now::Chosen => {
                let least = self.tables.makespans[self.tables.best];
                let formula = Formula::new(format!("Position {} is best: ", self.tables.best + 1))
                    .coloured(format!("makespan {least}"), palette.good);
                let ties = self.tables.makespans.iter().filter(|&&value| value == least).count();
                let tie = if ties > 1 { format!(" {ties} positions are as good.") } else { String::new() };
                (format!("The least of {}.{tie}", counted(positions, "position")), formula)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_come_first_then_tails_from_the_back_then_positions() {
        let told: Vec<Now> = (0..=8).map(|step| Now::at(step, 2)).collect();
        let expected = [
            Now::Nothing,
            Now::Head(0),
            Now::Head(1),
            Now::Tail(1),
            Now::Tail(0),
            Now::Done(0),
            Now::Done(1),
            Now::Done(2),
            Now::Chosen,
        ];
        assert_eq!(told, expected);
    }
}
