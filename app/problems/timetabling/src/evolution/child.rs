//! One child in slow motion: tournaments, crossover, mutation, descent, and the finished child.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_timetabling::Instance;
use gridwright_timetabling::evolution::cpu::{Candidate, ChildSteps, GeneChange};
use gridwright_timetabling::evolution::evaluation::CostParts;

use super::cost_words;
use super::recording::Facts;
use crate::Document;
use crate::describe::counted;
use gridwright_window::theme::{Palette, palette};
use gridwright_window::widgets::candidates::{self, CandidateOutcome, Card};
use gridwright_window::widgets::child_choice::{self, Child};
use gridwright_window::widgets::controls::placeholder;
use gridwright_window::widgets::explanation::{Formula, explain};
use gridwright_window::widgets::generations::Step;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::strips::{self, Strip, Strips};

/// Steps of reproduction.
const STEPS: [Step; 6] = [Step::First, Step::Second, Step::Crossover, Step::Mutation, Step::Descent, Step::Finished];

/// Draws the choice of the generation and of the child.
pub(super) fn switches(ui: &mut Ui, document: &mut Document, facts: &Facts) {
    let state = &mut document.state.evolution;
    let shown = Child { generation: state.player.at(), child: state.generations.child };
    if let Some(chosen) = child_choice::show(ui, shown, facts.last(), facts.individuals) {
        state.player.go_to(chosen.generation);
        state.generations.open(chosen.child);
    }
}

/// Shows the steps of the chosen child.
pub(super) fn show(ui: &mut Ui, document: &mut Document, facts: &Arc<Facts>) {
    let at = document.evolution.player.at();
    if at == 0 {
        let text = "Timetables of generation 0 have no parents: some were built one exam after the other, the others are \
                    random. Choose a later generation.";
        return placeholder(ui, Icon::Cells, "The initial population", text, |_| {});
    }
    let has_focus = document.canvas_had_focus();
    let state = &mut document.state.evolution;
    let step = state.generations.step(ui, &STEPS, has_focus);
    let child = state.generations.child;
    let Some((_, recording)) = &mut state.recording else { return };
    let Some(steps) = recording.child(at, child) else { return };
    let instance = Arc::clone(&document.instance);
    let told = Told { instance: &instance, facts, steps: &steps, generation: at };
    let (statement, sentence) = told.words(step, palette(ui.visuals()));
    explain(ui, &sentence, &statement);
    match step {
        Step::First | Step::Second => {
            let number = usize::from(step == Step::Second);
            told.candidates(ui, number);
            told.strips(ui, document, step);
        }
        _ => told.strips(ui, document, step),
    }
}

/// A child with everything that its steps are told with.
struct Told<'a> {
    instance: &'a Instance,
    facts: &'a Facts,
    steps: &'a ChildSteps,
    /// Generation of the child.
    generation: u64,
}

impl Told<'_> {
    fn cost(&self, parts: &CostParts) -> String {
        cost_words(self.instance, parts)
    }

    /// Number of the individual that won a tournament, from 1.
    fn winner(&self, tournament: usize) -> String {
        grouped(self.steps.tournaments[tournament].winner as i64 + 1)
    }

    /// Statement and explanation of a step.
    fn words(&self, step: Step, palette: &Palette) -> (Formula, String) {
        let steps = self.steps;
        match step {
            Step::First | Step::Second => self.tournament(usize::from(step == Step::Second), palette),
            Step::Crossover => self.crossover(),
            Step::Mutation => {
                let changed = steps.mutated.iter().filter(|change| change.before != change.after).count();
                let [before, after] = [&steps.costs[0], &steps.costs[1]].map(|parts| self.cost(parts));
                let statement = match steps.mutated.len() {
                    0 => Formula::new("No gene mutates."),
                    count => Formula::new(format!("Mutation gives {} a random period.", counted(count as u64, "exam"))),
                };
                let sentence = match (steps.mutated.len(), changed) {
                    (0, _) => format!("The child stays as it is, with a cost of {after}."),
                    (count, changed) if count == changed => format!("The cost was {before} and is {after} now."),
                    (count, changed) => format!(
                        "{} drawn the period that the exam had already. The cost was {before} and is {after} now.",
                        if count - changed == 1 { "One has".to_owned() } else { format!("{} have", count - changed) }
                    ),
                };
                (statement, sentence)
            }
            Step::Descent => {
                let [before, after] = [&steps.costs[1], &steps.costs[2]].map(|parts| self.cost(parts));
                let statement = match steps.descended.len() {
                    0 => Formula::new("Descent moves no exam."),
                    count => Formula::new(format!(
                        "Descent moves {} to a cheaper period: cost ",
                        counted(count as u64, "exam")
                    ))
                    .then(format!("{before} → "))
                    .coloured(after, palette.good),
                };
                let sentence = "Exam after exam, from the left, moves to the period in which it costs least, while the others \
                                stay. Marked exams have moved.";
                (statement, sentence.to_owned())
            }
            Step::Finished => self.finished(palette),
        }
    }

    fn tournament(&self, number: usize, palette: &Palette) -> (Formula, String) {
        let tournament = &self.steps.tournaments[number];
        let entrants = tournament.candidates.iter().filter(|candidate| !candidate.is_ignored).count();
        let cost = self.cost(&self.steps.parent_costs[number]);
        let winner = self.winner(number);
        let which = ["first", "second"][number];
        if entrants == 0 {
            let statement = Formula::new(format!("Individual {winner} becomes the second parent."));
            let sentence =
                "The tournament drew only the first parent, which does not count; the individual after it is taken.";
            return (statement, sentence.to_owned());
        }
        let of = match entrants {
            1 => " is the only one that counts.".to_owned(),
            count => format!(" is the lowest of {}.", grouped(count as i64)),
        };
        let statement = Formula::new(format!("Individual {winner} wins the tournament: its cost "))
            .coloured(cost, palette.good)
            .then(of);
        let drawn = tournament.candidates.len();
        let ignored = drawn - entrants;
        let ignored = match ignored {
            0 => String::new(),
            1 => " One draw was the first parent and does not count.".to_owned(),
            count => format!(" {count} draws were the first parent and do not count."),
        };
        let cheapest =
            tournament.candidates.iter().filter(|it| it.individual == tournament.winner).map(|it| it.cost).next();
        let is_tied = tournament
            .candidates
            .iter()
            .any(|it| !it.is_ignored && Some(it.cost) == cheapest && it.individual != tournament.winner);
        let ties = if is_tied { " Of equal costs the lowest number wins." } else { "" };
        let sentence = format!(
            "{} drawn at random from generation {}; the cheapest becomes the {which} parent.{ties}{ignored}",
            if drawn == 1 {
                "One individual is".to_owned()
            } else {
                format!("{} individuals are", grouped(drawn as i64))
            },
            grouped(self.generation as i64 - 1)
        );
        (statement, sentence)
    }

    fn crossover(&self) -> (Formula, String) {
        let steps = self.steps;
        let [begin, end] = [steps.begins_with, 1 - steps.begins_with].map(|parent| self.winner(parent));
        let exams = steps.genes.len();
        let cost = self.cost(&steps.costs[0]);
        match steps.cut {
            None => (
                Formula::new(format!("No crossover: the child is a copy of individual {begin}.")),
                format!("Parents are crossed with a probability only. The cost of the copy is {cost}."),
            ),
            Some(cut) => (
                Formula::new(format!(
                    "The cut is before exam {} of {}: the first {cut} come from individual {begin}, the other {} from \
                     individual {end}.",
                    cut + 1,
                    grouped(exams as i64),
                    exams - cut
                )),
                format!("Exams stand in the order of descent, from {}. The cost is {cost} now.", self.facts.name(0)),
            ),
        }
    }

    fn finished(&self, palette: &Palette) -> (Formula, String) {
        let steps = self.steps;
        let own = steps.totals[2];
        // A second parent that was not drawn has no cost here.
        let parents = [0, 1].map(|parent| {
            let winner = steps.tournaments[parent].winner;
            let candidate = steps.tournaments[parent].candidates.iter().find(|it| it.individual == winner);
            (self.cost(&steps.parent_costs[parent]), candidate.map(|it| it.cost))
        });
        let costs = || parents.iter().filter_map(|(_, cost)| *cost);
        let better = costs().filter(|&cost| own < cost).count();
        let verdict = match (better, costs().any(|cost| own == cost), costs().count()) {
            (2, ..) => "It is better than both parents.",
            (1, ..) => "It is better than one of its parents.",
            (_, true, _) => "It is as good as one of its parents.",
            (_, _, 2) => "It is worse than both parents.",
            _ => "It is worse than its first parent.",
        };
        let colour = if better > 0 { palette.good } else { palette.warn };
        let statement = Formula::new("The child costs ")
            .coloured(self.cost(&steps.costs[2]), colour)
            .then(format!("; its parents cost {} and {}.", parents[0].0, parents[1].0));
        let from = |parent: usize| {
            let genes = &steps.parents[parent];
            genes.iter().zip(&steps.genes).filter(|(a, b)| a == b).count()
        };
        let sentence = format!(
            "{verdict} {} of its {} exams stand where they stand in the first parent, {} where they stand in the second.",
            from(0),
            grouped(steps.genes.len() as i64),
            from(1)
        );
        (statement, sentence)
    }

    /// Draws the candidates of a tournament as cards in the order of the draws.
    fn candidates(&self, ui: &mut Ui, number: usize) {
        let palette = palette(ui.visuals());
        let tournament = &self.steps.tournaments[number];
        let card = |candidate: &Candidate| {
            let is_feasible = candidate.parts.is_feasible();
            let cost = self.cost(&candidate.parts);
            let violations = || counted(candidate.parts.violations(), "violation");
            Card {
                name: format!("Individual {}", grouped(candidate.individual as i64 + 1)),
                short: if is_feasible { cost.clone() } else { violations() },
                cost,
                colour: if is_feasible { palette.weak } else { palette.bad },
                outcome: match (candidate.is_ignored, candidate.individual == tournament.winner) {
                    (true, _) => CandidateOutcome::Ignored,
                    (_, true) => CandidateOutcome::Wins,
                    _ => CandidateOutcome::Loses,
                },
            }
        };
        candidates::show(ui, tournament.candidates.len(), |index| card(&tournament.candidates[index]));
    }

    fn parent(&self, number: usize) -> Strip<'_> {
        let which = ["First parent", "Second parent"][number];
        Strip {
            name: format!("{which}: individual {}", self.winner(number)),
            remark: self.cost(&self.steps.parent_costs[number]),
            genes: &self.steps.parents[number],
            marked: None,
            has_ticks: false,
        }
    }

    /// The strips of a step.
    fn lanes(&self, step: Step) -> Vec<Strip<'_>> {
        let steps = self.steps;
        let plain = |name: &str, genes, parts| Strip {
            name: name.to_owned(),
            remark: self.cost(parts),
            genes,
            marked: None,
            has_ticks: false,
        };
        let genes_of = |changes: &[GeneChange]| changes.iter().map(|change| change.gene).collect::<Vec<_>>();
        match step {
            Step::First => vec![self.parent(0)],
            Step::Second => vec![self.parent(0), self.parent(1)],
            Step::Crossover => {
                let cut = steps.cut.unwrap_or(steps.genes.len());
                let halves = |number: usize| match number == steps.begins_with {
                    true => (0..cut).collect::<Vec<_>>(),
                    false => (cut..steps.genes.len()).collect(),
                };
                let parent = |number: usize| Strip { marked: Some(halves(number)), ..self.parent(number) };
                vec![parent(0), parent(1), plain("Child after crossover", &steps.crossed, &steps.costs[0])]
            }
            Step::Mutation => {
                let before = plain("Before mutation", &steps.crossed, &steps.costs[0]);
                let after = plain("After mutation", &steps.after_mutation, &steps.costs[1]);
                let genes = Some(genes_of(&steps.mutated));
                vec![Strip { marked: genes.clone(), ..before }, Strip { marked: genes, has_ticks: true, ..after }]
            }
            Step::Descent => {
                let before = plain("Before descent", &steps.after_mutation, &steps.costs[1]);
                let after = plain("After descent", &steps.genes, &steps.costs[2]);
                let genes = Some(genes_of(&steps.descended));
                vec![Strip { marked: genes.clone(), ..before }, Strip { marked: genes, has_ticks: true, ..after }]
            }
            Step::Finished => {
                let child = plain(&format!("Child {}", grouped(steps.child as i64 + 1)), &steps.genes, &steps.costs[2]);
                vec![self.parent(0), self.parent(1), child]
            }
        }
    }

    fn strips(&self, ui: &mut Ui, document: &mut Document, step: Step) {
        let palette = palette(ui.visuals());
        let lanes = self.lanes(step);
        let describe = |strip: usize, gene: usize| {
            let Some(period) = lanes.get(strip).and_then(|strip| strip.genes.get(gene)) else { return String::new() };
            let change = match step {
                Step::Mutation => self.steps.mutated.iter().find(|change| change.gene == gene),
                Step::Descent => self.steps.descended.iter().find(|change| change.gene == gene),
                _ => None,
            };
            let change = change.map_or_else(String::new, |change| {
                format!("\nmoved from period {} to {}", u16::from(change.before) + 1, u16::from(change.after) + 1)
            });
            format!("{}\n{} in period {}{change}", lanes[strip].name, self.facts.name(gene), u16::from(*period) + 1)
        };
        let strips = Strips {
            strips: &lanes,
            colour: &|period| palette.category(usize::from(period)),
            text: &|period| ((u16::from(period) + 1).to_string(), palette.on_category(usize::from(period))),
            cut: if step == Step::Crossover { self.steps.cut } else { None },
            describe: &describe,
            summary: &format!("Child {}, step {}", self.steps.child + 1, step.name()),
        };
        let outcome = strips::show(ui, &strips, &mut document.state.evolution.generations.strips);
        document.canvas_focused |= outcome.response.has_focus();
    }
}
