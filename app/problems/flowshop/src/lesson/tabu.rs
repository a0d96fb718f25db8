//! Tabu search: all moves of a step in the plane of the objectives, the chosen one, and the tabu list before and after.

use egui::{Frame, Ui};
use gridwright_core::numbers::{cost, counted, grouped};
use gridwright_core::search::pareto::history::Effect;
use gridwright_core::search::pareto::{Point, is_covered};
use gridwright_flowshop::multiobjective::exploration::Neighbourhood;
use gridwright_flowshop::multiobjective::tabu::trace::{Reason, State, Step, TabuTrace};

use super::points::{Dot, Points};
use super::recording;
use super::{Formula, Lesson, beside, explain, play};
use crate::Document;
use crate::widgets::cells::{self, Cell, Cells, Head, Look};
use crate::widgets::scatter::{self, Glyph, Mark};
use gridwright_window::theme::{Palette, palette};
use gridwright_window::widgets::playback::{Stop, Tape};

pub(super) fn show(ui: &mut Ui, document: &mut Document, lesson: &Lesson) {
    let Some(recorded) = recording::recorded(ui, document) else { return };
    let trace = &recorded.trace;
    let pair = |at: u64| trace.states.get((at as usize).wrapping_sub(1)).zip(trace.states.get(at as usize));
    let is_best = |at: u64, _: u64| pair(at).is_some_and(|(before, after)| after.best < before.best);
    let is_worse = |at: u64, _: u64| pair(at).is_some_and(|(before, after)| after.sum > before.sum);
    let has =
        |at: u64, reason: Reason| trace.steps.get((at as usize).wrapping_sub(1)).is_some_and(|it| it.reason == reason);
    let (is_aspired, is_skipped) =
        (|at: u64, _: u64| has(at, Reason::Aspiration), |at: u64, _: u64| has(at, Reason::BestAllowed));
    let stop = |name, help, holds| Stop { name, help, counts: false, holds };
    let stops = [
        stop(
            "Lowest sum so far",
            "A step that finds a lower sum than all steps before",
            &is_best as &dyn Fn(u64, u64) -> bool,
        ),
        stop("Higher sum", "A step to an order that is worse than the present one", &is_worse),
        stop("Better move tabu", "A step that leaves out a better move because it is tabu", &is_skipped),
        stop("Aspiration", "A step that makes a tabu move because it leads to the lowest sum", &is_aspired),
    ];
    let tape = Tape {
        activity: &recorded.sums,
        activity_name: "Height: weighted sum of the order",
        stops: &stops,
        ..Tape::of_length(trace.steps.len() as u64)
    };
    let (at, changed) = play(ui, document, tape);
    let moment = Moment::new(lesson, trace, at as usize);
    let (sentence, formula) = moment.words(palette(ui.visuals()));
    explain(ui, &sentence, &formula);
    beside(ui, "tabu list", WIDTH, |ui, room| moment.list(ui, changed, room));
    egui::CentralPanel::default().frame(Frame::new()).show(ui, |ui| {
        let (points, chosen) = moment.points(palette(ui.visuals()));
        let outcome = scatter::show(ui, &points, &mut document.state.lesson.scatter, chosen);
        document.canvas_focused |= outcome.response.has_focus();
    });
}

/// Greatest width of the tabu list.
const WIDTH: f32 = 430.0;

/// A step of the followed trajectory with the states before and after.
struct Moment<'a> {
    lesson: &'a Lesson,
    trace: &'a TabuTrace,
    at: usize,
    /// State before the step, and the step; `None` at the start.
    step: Option<(&'a State, &'a Step)>,
    after: &'a State,
}

impl<'a> Moment<'a> {
    fn new(lesson: &'a Lesson, trace: &'a TabuTrace, at: usize) -> Self {
        let at = at.min(trace.steps.len());
        let step = at.checked_sub(1).map(|before| (&trace.states[before], &trace.steps[before]));
        Self { lesson, trace, at, step, after: &trace.states[at] }
    }

    /// Jobs that a move moves, and the move in words.
    fn moved(&self, state: &State, id: u64) -> (Vec<u16>, String) {
        let (from, to) = self.trace.neighbourhood.positions(id, state.order.len());
        let name = |position: usize| self.lesson.job(state.order[position]);
        match self.trace.neighbourhood {
            Neighbourhood::Insertion => {
                (vec![state.order[from]], format!("{} moves from position {} to {}", name(from), from + 1, to + 1))
            }
            Neighbourhood::Exchange => {
                let words = format!("{} and {} change places", name(from), name(to));
                (vec![state.order[from], state.order[to]], words)
            }
        }
    }

    /// Points of the archive before the step, or of the first archive at the start.
    fn archive(&self) -> Vec<(usize, Point)> {
        let history = &self.trace.history;
        let members = history.members(self.trace.offers_after(self.at.saturating_sub(1)));
        members.map(|offer| (offer, history.points()[offer])).collect()
    }

    /// Archive, present order and all moves as points, and the index of the chosen move.
    fn points(&self, palette: &Palette) -> (Points<'a>, Option<usize>) {
        let archive = self.archive();
        let covering: Vec<Point> = archive.iter().map(|member| member.1).collect();
        let mark = |glyph, colour| Mark { glyph, colour };
        let present = mark(Glyph::Square, palette.text);
        let (open, dominated) = (mark(Glyph::Disc, palette.good), mark(Glyph::Disc, palette.bar));
        let tabu = mark(Glyph::Cross, palette.warn);
        let member = |(_, point): &(usize, Point)| {
            let name = "Member of the archive".to_owned();
            Dot { point: *point, name, remark: None, mark: None, is_member: true }
        };
        let mut dots: Vec<Dot> = archive.iter().map(member).collect();
        let state = self.step.map_or(self.after, |step| step.0);
        let moves = self.step.map_or(&[][..], |step| &step.1.moves);
        // The worst moves lie so far away that the others would be one spot.
        let mut sums: Vec<u64> = moves.iter().map(|one| one.sum).collect();
        sums.sort_unstable();
        let most = sums.get(sums.len() * 3 / 4).copied().unwrap_or(0);
        let taken = self.step.map(|step| step.1.chosen);
        let drawn = || moves.iter().enumerate().filter(|(index, one)| one.sum <= most || Some(*index) == taken);
        let chosen = drawn().position(|(index, _)| Some(index) == taken).map(|place| dots.len() + place);
        dots.extend(drawn().map(|(_, one)| {
            let (remark, mark) = match (one.is_tabu, is_covered(&covering, &one.point)) {
                (true, _) => ("Tabu", tabu),
                (_, true) => ("The archive holds an order that is as good or better in both objectives", dominated),
                _ => ("Not dominated by the archive", open),
            };
            let name = format!("{}: sum {}", self.moved(state, one.id).1, cost(TabuTrace::shown(one.sum)));
            Dot { point: one.point, name, remark: Some(remark), mark: Some(mark), is_member: false }
        }));
        let name = "Present order".to_owned();
        dots.push(Dot { point: state.point, name, remark: None, mark: Some(present), is_member: false });
        let legend = vec![
            ("Archive", mark(Glyph::Disc, palette.accent)),
            ("Present order", present),
            ("Dominated", dominated),
            ("Not dominated", open),
            ("Tabu", tabu),
            ("Chosen", mark(Glyph::Ring, palette.accent)),
        ];
        let summary =
            format!("Moves of step {}: {} by {}", self.at, moves.len(), recording::pair(&self.trace.objectives));
        (Points { objectives: &self.trace.objectives, dots, legend, revision: self.at as u64, summary }, chosen)
    }

    /// Draws the order before and after the step, each with the tabu list.
    fn list(&self, ui: &mut Ui, changed: bool, room: egui::Vec2) {
        let columns =
            ["Before", "Tabu for", "After", "Tabu for"].map(|text| Head { text: text.to_owned(), colour: None });
        let rows: Vec<String> = (1..=self.after.order.len()).map(|position| position.to_string()).collect();
        let step = self.step.map(|(state, step)| (state, self.moved(state, step.moves[step.chosen].id).0));
        let moved = step.as_ref().map_or(&[][..], |step| &step.1);
        let cell = |row: usize, column: usize| {
            let Some(state) = (if column < 2 { step.as_ref().map(|step| step.0) } else { Some(self.after) }) else {
                return Cell::default();
            };
            let job = state.order[row];
            let (name, tabu) = (self.lesson.job(job), state.tabu[usize::from(job)]);
            let is_moved = moved.contains(&job);
            let when = if column < 2 { "before" } else { "after" };
            match (column % 2, tabu) {
                (0, _) => {
                    let look = match (is_moved, column) {
                        (true, 0) => Look::Now,
                        (true, _) => Look::Best,
                        _ => Look::Known,
                    };
                    let state = if tabu == 0 { String::new() } else { format!(", tabu for {}", counted(tabu, "step")) };
                    Cell { text: name.to_owned(), look, words: format!("Position {} {when}: {name}{state}", row + 1) }
                }
                (_, 0) => Cell::default(),
                (_, tabu) => {
                    let look = if is_moved && column > 2 { Look::Best } else { Look::Beside };
                    Cell { text: grouped(tabu), look, words: String::new() }
                }
            }
        };
        let first = moved.first().and_then(|job| self.after.order.iter().position(|other| other == job));
        let reveal = first.filter(|_| changed).map(|row| (row, 2));
        let table = Cells {
            name: "Order and tabu list",
            corner: "",
            columns: &columns,
            rows: &rows,
            arrows: false,
            reveal,
            cell: &cell,
        };
        cells::show(ui, &table, room);
    }

    /// The step in a sentence, and the move with its sum.
    fn words(&self, palette: &Palette) -> (String, Formula) {
        let sum = |sum: u64| cost(TabuTrace::shown(sum));
        let Some((state, step)) = self.step else {
            let weights = recording::weights(&self.trace.weights[self.trace.followed]);
            let text = format!(
                "Each step makes the best move that is not tabu, even if the sum rises. {} of the search are recorded; the \
                 picture leaves out the worst quarter of the moves.",
                counted(self.trace.steps.len(), "step")
            );
            let names = recording::pair(&self.trace.objectives);
            let formula = Formula::new(format!("Start: sum {} of {names}, weighted {weights}", sum(self.after.sum)));
            return (text, formula);
        };
        let chosen = &step.moves[step.chosen];
        let (jobs, words) = self.moved(state, chosen.id);
        let change = match chosen.sum.cmp(&state.sum) {
            std::cmp::Ordering::Less => ("falls", palette.good),
            std::cmp::Ordering::Equal => ("stays", palette.text),
            std::cmp::Ordering::Greater => ("rises", palette.warn),
        };
        let formula = Formula::new(format!("{words}: the sum "))
            .coloured(format!("{} from {} to {}", change.0, sum(state.sum), sum(chosen.sum)), change.1);
        let all = counted(step.moves.len(), "move");
        let tabu = step.moves.iter().filter(|one| one.is_tabu).count();
        let better = step.moves.iter().filter(|one| one.is_tabu && one.sum < chosen.sum).count();
        let why = match step.reason {
            Reason::Best => format!("It is the best of {all}"),
            Reason::BestAllowed => {
                format!(
                    "{} of {all} are tabu, {} of them better; it is the best of the others",
                    grouped(tabu as u64),
                    grouped(better as u64)
                )
            }
            Reason::Aspiration => {
                format!("The move is tabu, but its sum is the lowest so far: aspiration allows the best of {all}")
            }
            Reason::AllTabu => format!("All {all} are tabu, so that the best of them is made"),
        };
        let is_optimum = step.moves.iter().all(|one| one.sum >= state.sum);
        let effect = match (chosen.sum < state.best, is_optimum && chosen.sum > state.sum) {
            (true, _) if step.reason != Reason::Aspiration => ", and its sum is the lowest so far.",
            (_, true) => ", although the sum rises: the search leaves a local optimum.",
            _ => ".",
        };
        let names: Vec<&str> = jobs.iter().map(|&job| self.lesson.job(job)).collect();
        let steps = jobs.iter().map(|&job| self.after.tabu[usize::from(job)]).max().unwrap_or(0);
        let history = &self.trace.history;
        let size = |steps: usize| history.members(self.trace.offers_after(steps)).count();
        let own = self.at * self.trace.trajectories() + self.trace.followed;
        let entry = match history.effects()[own] {
            Effect::Entered { .. } => "takes it",
            _ => "refuses it",
        };
        let text = format!(
            "{why}{effect} {} is now tabu for {}. The archive {entry}; with the orders of all trajectories it has {}, {} before.",
            names.join(" and "),
            counted(steps, "step"),
            counted(size(self.at), "member"),
            grouped(size(self.at - 1) as u64),
        );
        (text, formula)
    }
}
