//! C_{i,π(k)} = max(C_{i−1,π(k)}, C_{i,π(k−1)} + s_{i,π(k−1),π(k)}) + p_{i,π(k)}, cell by cell or a whole anti-diagonal at a time.

use egui::{Ui, vec2};
use gridwright_core::numbers::counted;
use gridwright_flowshop::Schedule;
use gridwright_flowshop::steps::{self, Completion};

use super::{Formula, Lesson, explain, play, scrolled};
use crate::Document;
use crate::methods::*;
use crate::widgets::cells::{self, Cell, Cells, Look};
use crate::widgets::gantt::Selection;
use gridwright_window::theme::palette;
use gridwright_window::widgets::playback::Tape;

pub(super) fn switches(ui: &mut Ui, document: &mut Document) {
    let help = "What lies on one anti-diagonal is computed at once, by as many processors";
    if ui.checkbox(&mut document.lesson.diagonals, "Whole diagonals").on_hover_text(help).changed() {
        document.lesson.player().go_to(0);
    }
}

pub(super) fn show(ui: &mut Ui, document: &mut Document, lesson: &Lesson) {
    let schedule = Schedule::new(&lesson.instance, &lesson.order);
    let all = steps::recurrence(&lesson.instance, &schedule);
    let diagonals = document.lesson.diagonals;
    let last = all.last().map_or(0, |cell| if diagonals { cell.diagonal() + 1 } else { all.len() });
    let (at, changed) = play(ui, document, Tape::of_length(last as u64));
    let moment = Moment { all: &all, at: (at as usize).min(last), diagonals };
    let (sentence, formula) = words(ui, lesson, &moment, &schedule);
    explain(ui, &sentence, &formula);
    let columns = lesson.heads(&lesson.order);
    let cell = |machine: usize, position: usize| moment.cell(lesson, machine, position);
    let table = Cells {
        name: "Completion times",
        corner: "C",
        columns: &columns,
        rows: &lesson.instance.machines,
        arrows: true,
        reveal: moment.now().filter(|_| changed).map(|now| (now.machine, now.position)),
        cell: &cell,
    };
    let room = ui.available_size();
    scrolled(ui, "recurrence", |ui| {
        cells::show(ui, &table, room - vec2(12.0, 8.0));
    });
    // What is computed is what inspector and chart show.
    if let Some(now) = moment.now().filter(|_| changed && document.plan().is_some()) {
        let job = usize::from(lesson.order[now.position]);
        document.selected = Some(Selection { job, machine: Some(now.machine) });
    }
}

/// Completion times known before a step, and those computed in the step.
struct Moment<'a> {
    all: &'a [Completion],
    at: usize,
    diagonals: bool,
}

impl Moment<'_> {
    /// The cell that is computed, of a diagonal the first one.
    fn now(&self) -> Option<&Completion> {
        let step = self.at.checked_sub(1)?;
        if self.diagonals { self.all.iter().find(|cell| cell.diagonal() == step) } else { self.all.get(step) }
    }

    fn look(&self, cell: &Completion) -> Look {
        let Some(now) = self.now() else { return Look::Empty };
        let place = self.all.iter().position(|other| other == cell).unwrap_or(usize::MAX);
        if self.diagonals {
            return match cell.diagonal().cmp(&now.diagonal()) {
                std::cmp::Ordering::Less => Look::Known,
                std::cmp::Ordering::Equal => Look::Now,
                std::cmp::Ordering::Greater => Look::Empty,
            };
        }
        match (cell.position, cell.machine) {
            _ if cell == now => Look::Now,
            (position, machine) if position == now.position && machine + 1 == now.machine => Look::Above,
            (position, machine) if position + 1 == now.position && machine == now.machine => Look::Left,
            _ if cell.diagonal() == now.diagonal() => Look::Beside,
            _ if place < self.at => Look::Known,
            _ => Look::Empty,
        }
    }

    fn cell(&self, lesson: &Lesson, machine: usize, position: usize) -> Cell {
        let found = self.all.iter().position(|cell| (cell.machine, cell.position) == (machine, position));
        let Some((place, cell)) = found.and_then(|place| Some((place, self.all.get(place)?))) else {
            return Cell::default();
        };
        let look = self.look(cell);
        let known = if self.diagonals { look != Look::Empty } else { place < self.at };
        let (job, machine) = (lesson.job(lesson.order[position]), &lesson.instance.machines[machine]);
        match known {
            true => {
                let words = format!("{job} on {machine}: {}", sum(cell));
                Cell { text: cell.end().to_string(), look, words }
            }
            false if look == Look::Beside => {
                Cell { text: String::new(), look, words: format!("{job} on {machine}: could be computed now, too") }
            }
            false => Cell { text: String::new(), look, words: format!("{job} on {machine}: not known yet") },
        }
    }
}

/// «max(4, 5) + 4 = 9», or «max(4, 5 + 2) + 4 = 11» with a set-up.
fn sum(cell: &Completion) -> String {
    format!("max({}, {}{}) + {} = {}", cell.ready, cell.free, set_up(cell), cell.time, cell.end())
}

/// « + 2» for a set-up of 2; empty for none.
fn set_up(cell: &Completion) -> String {
    if cell.setup == 0 { String::new() } else { format!(" + {}", cell.setup) }
}

fn words(ui: &Ui, lesson: &Lesson, moment: &Moment<'_>, schedule: &Schedule) -> (String, Formula) {
    let palette = palette(ui.visuals());
    let general = || {
        Formula::new("C(machine, job) = max(")
            .coloured("C(machine before, job)", cells::above(palette))
            .then(", ")
            .coloured("C(machine, job before)", cells::left(palette))
            .then(if lesson.instance.setups.is_some() { " + set-up) + time" } else { ") + time" })
    };
    let (jobs, machines) = (lesson.order.len(), lesson.instance.machine_count());
    let Some(now) = moment.now() else {
        let steps = (jobs + machines).saturating_sub(1);
        let text = format!(
            "{} for one processor, one after the other; {machines} processors need {} for the {steps} anti-diagonals",
            counted(jobs * machines, "step"),
            counted(steps, "step")
        );
        return (text, general());
    };
    let beside = moment.all.iter().filter(|cell| cell.diagonal() == now.diagonal()).count();
    let done = if moment.at == moment.all.len() || (moment.diagonals && now.diagonal() + 2 == jobs + machines) {
        format!(" This was the last one: the makespan is {}.", schedule.makespan())
    } else {
        String::new()
    };
    if moment.diagonals {
        let own = moment.all.iter().filter(|cell| cell.diagonal() == now.diagonal());
        let sums: Vec<String> = own.map(|cell| cell.end().to_string()).collect();
        let formula = Formula::new(format!("Diagonal {}: {}", now.diagonal() + 1, sums.join(", ")));
        let text = format!(
            "{} need nothing from each other, so as many processors compute them in one step.{done}",
            counted(beside, "cell")
        );
        return (text, formula);
    }
    let (job, machine) = (lesson.job(lesson.order[now.position]), &lesson.instance.machines[now.machine]);
    let formula = Formula::new(format!("C({machine}, {job}) = max("))
        .coloured(now.ready.to_string(), cells::above(palette))
        .then(", ")
        .coloured(now.free.to_string(), cells::left(palette))
        .then(format!("{}) + {} = {}", set_up(now), now.time, now.end()));
    let before = |from: Option<usize>, name: &dyn Fn(usize) -> String, otherwise: &str| {
        from.map_or_else(|| otherwise.to_owned(), name)
    };
    let ready = before(
        now.machine.checked_sub(1),
        &|before| format!("The job leaves {} at {}", lesson.instance.machines[before], now.ready),
        &format!("The job is there at {}", now.ready),
    );
    let free = before(
        now.position.checked_sub(1),
        &|before| format!("{machine} is done with {} at {}", lesson.job(lesson.order[before]), now.free),
        &format!("{machine} is free from the beginning"),
    );
    let others = match beside - 1 {
        0 => String::new(),
        others => {
            format!(" {} of the same diagonal could be computed at the same time.", counted(others, "other cell"))
        }
    };
    let setup = match now.setup {
        0 => String::new(),
        setup => format!(", and is then set up for {setup}"),
    };
    (format!("{ready} and {free}{setup}.{others}{done}"), formula)
}
