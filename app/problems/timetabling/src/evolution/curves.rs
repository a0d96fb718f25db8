//! Costs, diversity, selection pressure and take-over over the generations.

use std::sync::Arc;

use egui::{ScrollArea, Ui};
use gridwright_core::numbers::{figure, grouped, significant};
use gridwright_core::search::Algorithms;
use gridwright_timetabling::evolution::EvolutionParameters;
use gridwright_timetabling::evolution::journal::{GenerationStatistics, TakeOver, expected_takeover};
use gridwright_timetabling::run::Algorithm;

use super::play;
use super::recording::Facts;
use crate::Document;
use crate::describe::per_student;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::button;
use gridwright_window::widgets::entry::Number;
use gridwright_window::widgets::history::{self, History, Line, Panel};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::playback::Event;

/// Least height of a chart with its heading; lower views scroll.
const LEAST: f32 = 92.0;
/// Lower than this, the take-over is told in a tooltip only.
const LOW: f32 = 210.0;
/// From this width on, costs stand at the left, everything else at the right.
const WIDE: f32 = 700.0;

/// Shows the player and the charts.
pub(super) fn show(ui: &mut Ui, document: &mut Document, facts: &Arc<Facts>) {
    let at = play(ui, document, facts);
    let followed = document.evolution.followed.min(facts.last());
    let Some((_, recording)) = &mut document.state.evolution.recording else { return };
    let take_over = recording.take_over(followed);
    follow(ui, document, facts, take_over.as_deref());
    let room = ui.available_size();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let rows = if room.x >= WIDE { 3.0 } else { 5.0 };
        ui.set_height(room.y.max(rows * LEAST));
        ui.set_width(room.x);
        charts(ui, document, facts, take_over.as_deref(), at);
    });
}

/// Draws the choice of the generation whose best timetable is followed, and how far its genes spread.
fn follow(ui: &mut Ui, document: &mut Document, facts: &Facts, take_over: Option<&TakeOver>) {
    let palette = palette(ui.visuals());
    let parameters = parameters(document);
    let state = &mut document.state.evolution;
    let at = state.player.at();
    let is_low = ui.available_height() < LOW;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        ui.label("Follow the best of generation");
        let name = "Generation whose best timetable is followed";
        let field = Number::new(name, &mut state.followed).range(0..=facts.last()).speed(0.2);
        ui.add(field.help("Take-over: how far the genes of this timetable spread"));
        let enabled = state.followed != at;
        let words = format!("Follow {}", grouped(at as i64));
        let help = "Follow the best timetable of the generation that is shown";
        let pressed = button(ui, Icon::StepForward, &words, enabled).on_hover_text(help);
        if pressed.clicked() {
            state.followed = at;
        }
        let words = match take_over {
            None => "Following its genes…".to_owned(),
            Some(take_over) => take_over_words(take_over, parameters.as_ref()),
        };
        if is_low {
            pressed.on_hover_text(words);
        } else {
            ui.add(egui::Label::new(theme::small(&words).color(palette.weak)).truncate()).on_hover_text(words);
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

/// How far the genes of the individual spread, beside selection alone.
fn take_over_words(take_over: &TakeOver, parameters: Option<&EvolutionParameters>) -> String {
    let most = take_over.genes.iter().copied().fold(0.0, f32::max);
    let spread = match take_over.reaches(0.5) {
        Some(at) => {
            let after = at - take_over.from;
            let generations = if after == 1 { "generation" } else { "generations" };
            format!("Its genes are half of all after {} {generations}", grouped(after as i64))
        }
        None => format!("Its genes never are half of all, at most {:.0} %", 100.0 * most),
    };
    let expected = parameters.and_then(|parameters| {
        let size = parameters.tournament_size();
        let generations = expected_takeover(parameters.population, size)?;
        Some(format!(
            "; under selection alone, tournaments of {size} would fill the population in about {} generations",
            figure(generations, 1)
        ))
    });
    format!("{spread}{}.", expected.unwrap_or_default())
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
        // Children of the last generation were never made.
        let last = facts.statistics.len().saturating_sub(1);
        let made = |mut values: Vec<f32>| {
            values.iter_mut().skip(last).for_each(|value| *value = f32::NAN);
            values
        };
        let whole = |shares: &[f32]| -> Vec<f32> {
            let before = take_over.map_or(0, |it| it.from as usize);
            std::iter::repeat_n(f32::NAN, before).chain(shares.iter().map(|share| 100.0 * share)).collect()
        };
        Self {
            near: [line(&|it| it.proximity.most as f64 * scale), line(&|it| it.proximity.mean * scale), line(&best)],
            violations: [
                line(&|it| it.violations.most as f64),
                line(&|it| it.violations.mean),
                line(&|it| it.violations.least as f64),
            ],
            diversity: line(&|it| 100.0 * it.diversity),
            offspring: [
                made(line(&|it| f64::from(it.offspring.childless))),
                made(line(&|it| f64::from(it.offspring.largest))),
            ],
            take_over: [
                whole(take_over.map_or(&[][..], |it| &it.individuals)),
                whole(take_over.map_or(&[][..], |it| &it.genes)),
            ],
        }
    }
}

fn panel<'a>(title: &'a str, lines: &'a [Line<'a>], from_zero: bool, words: &'a dyn Fn(f64) -> String) -> Panel<'a> {
    Panel { title, lines, reference: None, from_zero, weight: 1.0, words }
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
    let cost = |value: f64| significant(value);
    let number = |value: f64| if value.fract() == 0.0 { grouped(value as i64) } else { significant(value) };
    let percent = |value: f64| format!("{} %", number(value));
    let near_title = format!("Cost of close exams{}", per_student(&document.instance));
    let spread_title = format!("Take-over by the best of generation {}", grouped(document.evolution.followed as i64));
    let panels = [
        panel(&near_title, &near, false, &cost),
        panel("Violations", &violations, true, &number),
        panel("Exams in which two timetables differ", &diversity, true, &percent),
        panel("Selection pressure, timetables and children", &offspring, true, &number),
        panel(&spread_title, &spread, true, &percent),
    ];
    let events = [Event { at: facts.best, name: "Best timetable".to_owned() }];
    let mut draw = |ui: &mut Ui, panels: &[Panel<'_>]| {
        let (unit, nothing) = ("Generation", "Nothing was recorded");
        let history = History { panels, first: 0, unit, at: Some(at), events: &events, nothing };
        let outcome = history::show(ui, &history);
        document.canvas_focused |= outcome.response.has_focus();
        if let Some(at) = outcome.picked {
            document.state.evolution.player.go_to(at);
        }
    };
    if ui.available_width() < WIDE {
        return draw(ui, &panels);
    }
    let (costs, others) = panels.split_at(2);
    ui.columns(2, |columns| {
        draw(&mut columns[0], costs);
        draw(&mut columns[1], others);
    });
}
