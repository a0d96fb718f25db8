//! NEH: the list by priority, and for every job what each position would cost.

use egui::{Ui, vec2};
use gridwright_core::numbers::{counted, grouped};
use gridwright_flowshop::Objective;
use gridwright_flowshop::steps::{self, Insertion};

use super::{Formula, Lesson, explain, play, scrolled};
use crate::Document;
use crate::widgets::cells::{self, Cell, Cells, Head, Look};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::playback::Tape;

pub(super) fn show(ui: &mut Ui, document: &mut Document, lesson: &Lesson) {
    let all = steps::neh(&lesson.problem);
    // Each position is a step, and so is the choice.
    let last: usize = all.iter().map(|insertion| insertion.values.len() + 1).sum();
    let (at, changed) = play(ui, document, Tape::of_length(last as u64));
    let moment = Moment::new(&all, at as usize);
    let (sentence, formula) = words(ui, lesson, &moment);
    explain(ui, &sentence, &formula);
    let room = ui.available_size();
    scrolled(ui, "neh", |ui| {
        let weak = palette(ui.visuals()).weak;
        ui.label(theme::small(list_heading(lesson.objective)).color(weak));
        list(ui, lesson, &moment, room.x - 12.0);
        ui.add_space(space::S);
        let height = room.y - 116.0;
        if let Some((insertion, tried, _)) = moment.now() {
            let words = format!("Positions for {}", lesson.job(insertion.job));
            ui.label(theme::small(words).color(weak));
            positions(ui, lesson, (insertion, tried, moment.is_chosen()), changed, vec2(room.x - 12.0, height));
        }
    });
}

/// Present insertion, the number of positions tried, and the choice if one is made.
struct Moment<'a> {
    all: &'a [Insertion],
    done: usize,
    /// Positions of the present insertion that were tried; one more than there are once the best is chosen.
    tried: usize,
}

impl<'a> Moment<'a> {
    fn new(all: &'a [Insertion], at: usize) -> Self {
        let mut left = at;
        for (done, insertion) in all.iter().enumerate() {
            let own = insertion.values.len() + 1;
            // The last step of an insertion is still its own.
            if left <= own {
                return Self { all, done, tried: left };
            }
            left -= own;
        }
        Self { all, done: all.len(), tried: 0 }
    }

    fn now(&self) -> Option<(&'a Insertion, usize, usize)> {
        let insertion = self.all.get(self.done).filter(|_| self.tried > 0)?;
        Some((insertion, self.tried.min(insertion.values.len()), self.done))
    }

    fn is_chosen(&self) -> bool {
        self.all.get(self.done).is_some_and(|insertion| self.tried > insertion.values.len())
    }
}

fn list_heading(objective: Objective) -> &'static str {
    match objective {
        Objective::Makespan => "In this order: the most work first",
        Objective::FlowTime => "In this order: the least work first",
        Objective::Tardiness | Objective::Tardy => "In this order: the earliest due date first",
    }
}

/// Draws the jobs by priority, with their sort keys.
fn list(ui: &mut Ui, lesson: &Lesson, moment: &Moment<'_>, width: f32) {
    let jobs: Vec<u16> = moment.all.iter().map(|insertion| insertion.job).collect();
    let columns = lesson.heads(&jobs);
    let due = matches!(lesson.objective, Objective::Tardiness | Objective::Tardy);
    let cell = |_: usize, column: usize| {
        let job = jobs[column];
        let data = &lesson.instance.jobs[usize::from(job)];
        let work: u64 = lesson.problem.row(job).iter().map(|&time| u64::from(time)).sum();
        let key = if due { data.due.map_or_else(|| "–".to_owned(), |due| due.to_string()) } else { work.to_string() };
        let (look, state) = match column.cmp(&moment.done) {
            std::cmp::Ordering::Less => (Look::Known, "has its place"),
            std::cmp::Ordering::Equal if moment.tried > 0 => (Look::Now, "is inserted now"),
            _ => (Look::Empty, "waits"),
        };
        let what = if due { "due at" } else { "work" };
        Cell { words: format!("{}: {what} {key}, {state}", data.name), text: key, look }
    };
    let rows = [if due { "Due" } else { "Work" }.to_owned()];
    let name = "Jobs by priority";
    let table = Cells { name, corner: "", columns: &columns, rows: &rows, arrows: false, reveal: None, cell: &cell };
    cells::show(ui, &table, vec2(width, 56.0));
}

/// Draws a row for each position: the order with the job there, and its objective.
fn positions(
    ui: &mut Ui, lesson: &Lesson, (insertion, tried, chosen): (&Insertion, usize, bool), changed: bool,
    room: egui::Vec2,
) {
    let count = insertion.values.len();
    let mut columns: Vec<Head> = (1..=count).map(|place| Head { text: place.to_string(), colour: None }).collect();
    columns.push(Head { text: lesson.objective.label().to_owned(), colour: None });
    let rows: Vec<String> = (1..=count).map(|place| format!("Position {place}")).collect();
    let name = lesson.job(insertion.job);
    let cell = |row: usize, column: usize| {
        if row >= tried {
            return Cell::default();
        }
        let best = chosen && row == insertion.chosen;
        if column == count {
            let value = grouped(insertion.values[row] as i64);
            let look = match (best, row + 1 == tried && !chosen) {
                (true, _) => Look::Best,
                (_, true) => Look::Now,
                _ => Look::Known,
            };
            let mark = if best { ", chosen" } else { "" };
            return Cell { words: format!("{name} in position {}: {value}{mark}", row + 1), text: value, look };
        }
        let job = insertion.with(row)[column];
        let look = match (job == insertion.job, best) {
            (true, true) => Look::Best,
            (true, false) => Look::Beside,
            _ => Look::Known,
        };
        Cell { text: lesson.job(job).to_owned(), look, words: String::new() }
    };
    let row = if chosen { insertion.chosen } else { tried.saturating_sub(1) };
    let reveal = changed.then_some((row, count));
    let table =
        Cells { name: "Positions", corner: "", columns: &columns, rows: &rows, arrows: false, reveal, cell: &cell };
    cells::show(ui, &table, room);
}

fn words(ui: &Ui, lesson: &Lesson, moment: &Moment<'_>) -> (String, Formula) {
    let good = palette(ui.visuals()).good;
    let what = lesson.objective.label().to_lowercase();
    let Some((insertion, tried, number)) = moment.now() else {
        let text = "Jobs are taken from the list one after the other; each is tried in every position of the order so far and \
                    stays where that is least.";
        return (
            text.to_owned(),
            Formula::new(format!("NEH for the {what}: {}", counted(moment.all.len(), "insertion"))),
        );
    };
    let name = lesson.job(insertion.job);
    let of = format!("Insertion {} of {}", number + 1, moment.all.len());
    if moment.is_chosen() {
        let least = insertion.values[insertion.chosen];
        let ties = insertion.values.iter().filter(|&&value| value == least).count();
        let tie = match (ties, lesson.problem.is_accelerated()) {
            (1, _) => String::new(),
            (_, true) => format!(" {ties} positions are as good; the one that leaves the least idle time is taken."),
            _ => format!(" {ties} positions are as good; the first is taken."),
        };
        let end = if number + 1 == moment.all.len() { " The order is complete." } else { "" };
        let formula = Formula::new(format!("{name} goes to position {}: ", insertion.chosen + 1))
            .coloured(format!("{what} {}", grouped(least as i64)), good);
        return (format!("{of}: the least of {}.{tie}{end}", counted(insertion.values.len(), "position")), formula);
    }
    let value = insertion.values[tried - 1];
    let least = insertion.values[..tried].iter().min().copied().unwrap_or(value);
    let formula = Formula::new(format!("{name} in position {tried}: {what} {}", grouped(value as i64)));
    (
        format!("{of}: position {tried} of {}; the least so far is {}.", insertion.values.len(), grouped(least as i64)),
        formula,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_through_every_position_and_every_choice() {
        let insertion =
            |job: u16| Insertion { job, order: (0..job).collect(), values: vec![7; usize::from(job) + 1], chosen: 0 };
        let all = [insertion(0), insertion(1), insertion(2)];
        let told = |at: usize| {
            let moment = Moment::new(&all, at);
            (moment.done, moment.tried, moment.is_chosen())
        };
        assert_eq!(told(0), (0, 0, false));
        assert_eq!([1, 2].map(told), [(0, 1, false), (0, 2, true)]);
        assert_eq!([3, 4, 5].map(told), [(1, 1, false), (1, 2, false), (1, 3, true)]);
        assert_eq!([6, 9].map(told), [(2, 1, false), (2, 4, true)]);
    }
}
