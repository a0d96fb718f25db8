//! Costs, diversity, selection pressure and take-over over the generations.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::{grouped, significant};
use gridwright_core::search::Algorithms;
use gridwright_timetabling::evolution::EvolutionParameters;
use gridwright_timetabling::evolution::journal::{GenerationStatistics, TakeOver};
use gridwright_timetabling::run::Algorithm;

use super::play;
use super::recording::Facts;
use crate::Document;
use crate::describe::per_student;
use gridwright_window::theme::{palette, space};
use gridwright_window::widgets::controls::button;
use gridwright_window::widgets::generations::{self, number_words, of_children, panel, percentages, take_over_words};
use gridwright_window::widgets::history::Line;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::playback::Event;

/// Lower than this, the take-over is told in a tooltip only.
const LOW: f32 = 210.0;
/// Shows the player and the charts.
pub(super) fn show(ui: &mut Ui, document: &mut Document, facts: &Arc<Facts>) {
    let at = play(ui, document, facts);
    let followed = document.evolution.generations.followed.min(facts.last());
    let Some((_, recording)) = &mut document.state.evolution.recording else { return };
    let take_over = recording.take_over(followed);
    follow(ui, document, facts, take_over.as_deref());
    charts(ui, document, facts, take_over.as_deref(), at);
}

/// Draws the choice of the generation whose best timetable is followed, and how far its genes spread.
fn follow(ui: &mut Ui, document: &mut Document, facts: &Facts, take_over: Option<&TakeOver>) {
    let parameters = parameters(document);
    let state = &mut document.state.evolution;
    let at = state.player.at();
    let is_low = ui.available_height() < LOW;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        state.generations.follow_field(ui, facts.last(), ["timetable", "genes"]);
        let enabled = state.generations.followed != at;
        let words = format!("Follow {}", grouped(at as i64));
        let help = "Follow the best timetable of the generation that is shown";
        let pressed = button(ui, Icon::StepForward, &words, enabled).on_hover_text(help);
        if pressed.clicked() {
            state.generations.followed = at;
        }
        let words = match take_over {
            None => "Following its genes…".to_owned(),
            Some(take_over) => {
                let selection = parameters.map(|parameters| (parameters.population, parameters.tournament_size()));
                take_over_words(take_over, "genes", selection)
            }
        };
        if is_low {
            pressed.on_hover_text(words);
        } else {
            generations::remark(ui, words);
        }
    });
}

/// Parameters of the shown run.
fn parameters(document: &Document) -> Option<EvolutionParameters> {
    let result = &document.shown_run()?.result;
    match Algorithm::of_result(&result.algorithm, &result.parameters) {
        Ok(Algorithm::Evolution(parameters)) => Some(parameters),
        _ => None,
    }
}

/// Values of all charts, one for each generation.
struct Values {
    /// Cost of close exams: highest, mean, and that of the best valid timetable.
    near: [Vec<f32>; 3],
    /// Violations: most, mean, fewest.
    violations: [Vec<f32>; 3],
    /// Diversity in percent.
    diversity: Vec<f32>,
    /// Most children of a timetable, and timetables without children.
    offspring: [Vec<f32>; 2],
    /// Genes and timetables that descend from the followed one, in percent.
    take_over: [Vec<f32>; 2],
}

impl Values {
    fn of(facts: &Facts, take_over: Option<&TakeOver>, scale: f64) -> Self {
        let line = |value: &dyn Fn(&GenerationStatistics) -> f64| -> Vec<f32> {
            facts.statistics.iter().map(|generation| value(generation) as f32).collect()
        };
        let best = |it: &GenerationStatistics| if it.feasible > 0 { it.cost.least as f64 * scale } else { f64::NAN };
        Self {
            near: [line(&|it| it.proximity.most as f64 * scale), line(&|it| it.proximity.mean * scale), line(&best)],
            violations: [
                line(&|it| it.violations.most as f64),
                line(&|it| it.violations.mean),
                line(&|it| it.violations.least as f64),
            ],
            diversity: line(&|it| 100.0 * it.diversity),
            offspring: [
                of_children(line(&|it| f64::from(it.offspring.childless))),
                of_children(line(&|it| f64::from(it.offspring.largest))),
            ],
            take_over: [percentages(take_over, |it| &it.individuals), percentages(take_over, |it| &it.genes)],
        }
    }
}

fn charts(ui: &mut Ui, document: &mut Document, facts: &Facts, take_over: Option<&TakeOver>, at: u64) {
    let palette = palette(ui.visuals());
    let values = Values::of(facts, take_over, document.instance.shown(1));
    let line = |name, curve: usize, values, dashed| Line { name, colour: palette.curve(curve), values, dashed };
    let [highest, mean, best] = &values.near;
    let near = [
        line("highest", 1, &highest[..], true),
        line("mean", 2, mean, false),
        line("best valid timetable", 0, best, false),
    ];
    let [most, mean, fewest] = &values.violations;
    let violations = [line("most", 1, &most[..], true), line("mean", 2, mean, false), line("fewest", 0, fewest, false)];
    let diversity = [line("diversity", 3, &values.diversity[..], false)];
    let [childless, largest] = &values.offspring;
    let offspring =
        [line("without children", 1, &childless[..], true), line("most children of one", 5, largest, false)];
    let [holders, genes] = &values.take_over;
    let spread = [
        line("timetables with such a gene", 1, &holders[..], true),
        line("genes that descend from it", 0, genes, false),
    ];
    let percent = |value: f64| format!("{} %", number_words(value));
    let near_title = format!("Cost of close exams{}", per_student(&document.instance));
    let spread_title =
        format!("Take-over by the best of generation {}", grouped(document.evolution.generations.followed as i64));
    let panels = [
        panel(&near_title, &near, false, &significant),
        panel("Violations", &violations, true, &number_words),
        panel("Exams in which two timetables differ", &diversity, true, &percent),
        panel("Selection pressure, timetables and children", &offspring, true, &number_words),
        panel(&spread_title, &spread, true, &percent),
    ];
    let events = [Event { at: facts.best, name: "Best timetable".to_owned() }];
    let outcome = generations::charts(ui, &panels, Some(at), &events);
    document.canvas_focused |= outcome.has_focus;
    if let Some(at) = outcome.picked {
        document.state.evolution.player.go_to(at);
    }
}
