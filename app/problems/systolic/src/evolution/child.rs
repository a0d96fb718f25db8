//! One child of SGA or EGA in slow motion: tournaments, crossover, mutation, and for EGA the contest for its slot.

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_systolic::genetic::ChildSteps;
use gridwright_systolic::genetic::journal::GenerationStatistics;

use super::bit_colour;
use crate::Document;
use crate::methods::*;
use crate::operators::bit_name;
use gridwright_window::theme::{Palette, palette};
use gridwright_window::widgets::candidates::{self, CandidateOutcome, Card};
use gridwright_window::widgets::child_choice::{self, Child};
use gridwright_window::widgets::controls::placeholder;
use gridwright_window::widgets::explanation::{Formula, explain};
use gridwright_window::widgets::generations::Step;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::strips::{self, Strip, Strips};

/// Steps of reproduction.
const STEPS: [Step; 5] = [Step::First, Step::Second, Step::Crossover, Step::Mutation, Step::Finished];

/// Draws the choice of the generation and of the child.
pub(super) fn switches(ui: &mut Ui, document: &mut Document, statistics: &[GenerationStatistics]) {
    let last = statistics.len().saturating_sub(1) as u64;
    let shown = Child { generation: document.at(), child: document.evolving.generations.child };
    if let Some(chosen) = child_choice::show(ui, shown, last, 2 * document.grid().cells()) {
        document.player.go_to(chosen.generation);
        document.evolving.generations.open(chosen.child);
    }
}

/// Shows the steps of the chosen child.
pub(super) fn show(ui: &mut Ui, document: &mut Document) {
    let at = document.at();
    if at == 0 {
        let text = "Individuals of generation 0 have no parents: they are random. Choose a later generation.";
        return placeholder(ui, Icon::Cells, "The initial population", text, |_| {});
    }
    let has_focus = document.canvas_had_focus();
    let step = document.evolving.generations.step(ui, &STEPS, has_focus);
    let child = document.evolving.generations.child;
    let Some(steps) = document.recorded().and_then(|recording| recording.child(at, child)) else { return };
    let mut view = std::mem::take(&mut document.evolving.generations.strips);
    let told = Told { document, steps: &steps, generation: at };
    let (statement, sentence) = told.words(step, palette(ui.visuals()));
    explain(ui, &sentence, &statement);
    match step {
        Step::First => told.candidates(ui, 0),
        Step::Second => told.candidates(ui, 1),
        _ => {}
    }
    let has_focus = told.strips(ui, step, &mut view);
    document.evolving.generations.strips = view;
    document.canvas_focused |= has_focus;
}

/// A child with everything that its steps are told with.
struct Told<'a> {
    document: &'a Document,
    steps: &'a ChildSteps,
    generation: u64,
}

impl Told<'_> {
    fn winner(&self, tournament: usize) -> String {
        grouped(self.steps.tournaments[tournament].winner as i64 + 1)
    }

    fn parent_words(&self, parent: usize) -> String {
        self.document.words(self.steps.parent_cost(parent))
    }

    /// Statement and explanation of a step.
    fn words(&self, step: Step, palette: &Palette) -> (Formula, String) {
        match step {
            Step::First => self.tournament(0, palette),
            Step::Second => self.tournament(1, palette),
            Step::Crossover => self.crossover(),
            Step::Mutation | Step::Descent => self.mutation(),
            Step::Finished => self.finished(palette),
        }
    }

    fn tournament(&self, number: usize, palette: &Palette) -> (Formula, String) {
        let [one, other] = self.steps.tournaments[number].candidates;
        let worth = self.parent_words(number);
        let which = ["first", "second"][number];
        let statement = Formula::new(format!("Individual {} wins the tournament: ", self.winner(number)))
            .coloured(worth, palette.good)
            .then(".");
        let remark = match (one.individual == other.individual, one.cost == other.cost) {
            (true, _) => " Both draws were the same individual.",
            (_, true) => " Both are worth the same, so the lower number wins.",
            _ => "",
        };
        let sentence = format!(
            "Two individuals are drawn at random from generation {}; the better one becomes the {which} parent.{remark}",
            grouped(self.generation as i64 - 1)
        );
        (statement, sentence)
    }

    fn crossover(&self) -> (Formula, String) {
        let [begin, other] = [self.steps.begins_with, 1 - self.steps.begins_with].map(|parent| self.winner(parent));
        let worth = self.document.words(self.steps.costs[0]);
        match self.steps.segment {
            None => (
                Formula::new(format!("No crossover: the child is a copy of individual {begin}.")),
                format!("Parents are crossed with a probability only. The copy is worth {worth}."),
            ),
            Some([first, last]) => (
                Formula::new(format!(
                    "Bits {} to {} come from individual {other}, all others from individual {begin}.",
                    grouped(first as i64 + 1),
                    grouped(last as i64 + 1)
                )),
                format!(
                    "Both ends of the segment are random; the other child of the pair has the rest. This child is worth {worth} now."
                ),
            ),
        }
    }

    fn mutation(&self) -> (Formula, String) {
        let [before, after] = self.steps.costs.map(|cost| self.document.words(cost));
        match self.steps.mutated.len() {
            0 => (Formula::new("No bit mutates."), format!("The child stays as it is, worth {after}.")),
            1 => (
                Formula::new(format!("Mutation flips bit {}.", grouped(self.steps.mutated[0] as i64 + 1))),
                format!("The child was worth {before} and is worth {after} now."),
            ),
            count => (
                Formula::new(format!("Mutation flips {count} bits.")),
                format!("The child was worth {before} and is worth {after} now."),
            ),
        }
    }

    fn finished(&self, palette: &Palette) -> (Formula, String) {
        let own = self.steps.costs[1];
        let costs = [0, 1].map(|parent| self.steps.parent_cost(parent));
        let verdict = match costs.iter().filter(|&&cost| own < cost).count() {
            2 => "It is better than both parents.",
            1 => "It is better than one of its parents.",
            _ if costs.contains(&own) => "It is as good as one of its parents.",
            _ => "It is worse than both parents.",
        };
        let colour = if costs.iter().any(|&cost| own < cost) { palette.good } else { palette.warn };
        let statement = Formula::new("The child is worth ").coloured(self.document.words(own), colour).then(format!(
            "; its parents are worth {} and {}.",
            self.parent_words(0),
            self.parent_words(1)
        ));
        let slot = match &self.steps.occupant {
            None => " SGA keeps it in any case: children replace all individuals.".to_owned(),
            Some(occupant) => {
                let words = self.document.words(occupant.cost);
                match occupant.is_replaced {
                    true => format!(
                        " In its slot stood an individual worth {words}; the child is better and takes the slot."
                    ),
                    false => {
                        format!(" In its slot stands an individual worth {words}; the child is no better and is lost.")
                    }
                }
            }
        };
        (statement, format!("{verdict}{slot}"))
    }

    /// Draws both candidates of a tournament as cards.
    fn candidates(&self, ui: &mut Ui, number: usize) {
        let palette = palette(ui.visuals());
        let tournament = self.steps.tournaments[number];
        let winning = tournament.candidates.iter().position(|it| it.individual == tournament.winner);
        candidates::show(ui, tournament.candidates.len(), |index| {
            let candidate = tournament.candidates[index];
            let worth = self.document.words(candidate.cost);
            Card {
                name: format!("Individual {}", grouped(candidate.individual as i64 + 1)),
                cost: worth.clone(),
                short: worth,
                colour: palette.weak,
                outcome: if winning == Some(index) { CandidateOutcome::Wins } else { CandidateOutcome::Loses },
            }
        });
    }

    fn parent(&self, number: usize) -> Strip<'_> {
        let which = ["First parent", "Second parent"][number];
        let name = format!("{which}: individual {}", self.winner(number));
        self.strip(name, &self.steps.parents[number], self.steps.parent_cost(number))
    }

    fn strip<'s>(&self, name: String, genes: &'s [u8], cost: f64) -> Strip<'s> {
        Strip { name, remark: self.document.words(cost), genes, marked: None, has_ticks: false }
    }

    fn lanes(&self, step: Step) -> Vec<Strip<'_>> {
        let steps = self.steps;
        match step {
            Step::First => vec![self.parent(0)],
            Step::Second => vec![self.parent(0), self.parent(1)],
            Step::Crossover => {
                let is_inside = |bit: &usize| steps.segment.is_some_and(|[first, last]| (first..=last).contains(bit));
                let kept = |number: usize| -> Vec<usize> {
                    let is_own = number == steps.begins_with;
                    (0..steps.crossed.len()).filter(|bit| is_inside(bit) != is_own).collect()
                };
                let parent = |number: usize| Strip { marked: Some(kept(number)), ..self.parent(number) };
                let child = self.strip("Child after crossover".to_owned(), &steps.crossed, steps.costs[0]);
                vec![parent(0), parent(1), child]
            }
            Step::Mutation | Step::Descent => {
                let before = self.strip("Before mutation".to_owned(), &steps.crossed, steps.costs[0]);
                let after = self.strip("After mutation".to_owned(), &steps.bits, steps.costs[1]);
                let marked = Some(steps.mutated.clone());
                vec![Strip { marked: marked.clone(), ..before }, Strip { marked, has_ticks: true, ..after }]
            }
            Step::Finished => {
                let name = format!("Child {}", grouped(steps.child as i64 + 1));
                let child = self.strip(name, &steps.bits, steps.costs[1]);
                match &steps.occupant {
                    None => vec![self.parent(0), self.parent(1), child],
                    Some(occupant) => {
                        let name = format!("Individual {} in its slot", grouped(steps.child as i64 + 1));
                        vec![self.parent(0), self.parent(1), self.strip(name, &occupant.bits, occupant.cost), child]
                    }
                }
            }
        }
    }

    /// Draws the strips; returns `true` if they have the focus.
    fn strips(&self, ui: &mut Ui, step: Step, view: &mut strips::View) -> bool {
        let palette = palette(ui.visuals());
        let lanes = self.lanes(step);
        let describe = |strip: usize, bit: usize| {
            let Some(value) = lanes.get(strip).and_then(|strip| strip.genes.get(bit)) else { return String::new() };
            let is_flipped = step == Step::Mutation && self.steps.mutated.binary_search(&bit).is_ok();
            let flipped = if is_flipped { ", flipped" } else { "" };
            format!("{}\n{}: {value}{flipped}", lanes[strip].name, bit_name(self.document, bit))
        };
        let ink = |bit: u8| if bit == 1 { palette.surface } else { palette.weak };
        let strips = Strips {
            strips: &lanes,
            colour: &|bit| bit_colour(palette, bit),
            text: &|bit| (bit.to_string(), ink(bit)),
            cut: None,
            describe: &describe,
            summary: &format!("Child {}, step {}", self.steps.child + 1, step.name()),
        };
        strips::show(ui, &strips, view).response.has_focus()
    }
}
