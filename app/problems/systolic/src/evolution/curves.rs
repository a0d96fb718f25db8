//! Fitness, diversity, selection pressure and take-over over the generations of SGA and EGA.

use egui::{ScrollArea, Ui};
use gridwright_core::numbers::{grouped, significant};
use gridwright_core::search::selection::{TakeOver, expected_takeover};
use gridwright_systolic::genetic::journal::GenerationStatistics;

use crate::Document;
use crate::diversity::Shown as Scale;
use crate::grid::events_of;
use crate::methods::*;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::entry::Number;
use gridwright_window::widgets::history::{self, History, Line, Panel};

/// Least height of a chart with its heading; lower views scroll.
const LEAST: f32 = 92.0;
/// From this width on, charts stand in two columns.
const WIDE: f32 = 700.0;

/// Shows the take-over in words and the charts.
pub(super) fn show(ui: &mut Ui, document: &mut Document, statistics: &[GenerationStatistics]) {
    let last = statistics.len().saturating_sub(1) as u64;
    let followed = document.evolving.followed.min(last);
    let take_over = document.recorded().and_then(|recording| recording.take_over(followed));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        ui.label("Follow the best of generation");
        let name = "Generation whose best individual is followed";
        let field = Number::new(name, &mut document.state.evolving.followed).range(0..=last).speed(0.2);
        ui.add(field.help("Take-over: how far the bits of this individual spread"));
        let words = take_over.as_deref().map_or_else(|| "Following its bits…".to_owned(), |it| words(document, it));
        let label = egui::Label::new(theme::small(&words).color(palette(ui.visuals()).weak)).truncate();
        ui.add(label).on_hover_text(words);
    });
    let room = ui.available_size();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let rows = if room.x >= WIDE { 2.0 } else { 4.0 };
        ui.set_height(room.y.max(rows * LEAST));
        ui.set_width(room.x);
        charts(ui, document, statistics, take_over.as_deref());
    });
}

/// How far the bits of the individual spread, beside selection alone.
fn words(document: &Document, take_over: &TakeOver) -> String {
    let most = take_over.genes.iter().copied().fold(0.0, f32::max);
    let spread = match take_over.reaches(0.5) {
        Some(at) => format!("Its bits are half of all after {} generations", grouped((at - take_over.from) as i64)),
        None => format!("Its bits never are half of all, at most {:.0} %", 100.0 * most),
    };
    let individuals = 2 * document.grid().cells() as u32;
    let expected = expected_takeover(individuals, 2).map(|generations| {
        let generations = significant(generations);
        format!(
            "; under selection alone, tournaments of 2 would fill the population in about {generations} generations"
        )
    });
    format!("{spread}{}.", expected.unwrap_or_default())
}

fn charts(ui: &mut Ui, document: &mut Document, statistics: &[GenerationStatistics], take_over: Option<&TakeOver>) {
    let palette = palette(ui.visuals());
    let scale = Scale::of(document);
    let of = |value: &dyn Fn(&GenerationStatistics) -> f32| statistics.iter().map(value).collect::<Vec<f32>>();
    let cost = |value: &dyn Fn(&GenerationStatistics) -> f64| of(&|it| scale.plotted(document, value(it)));
    let [worst, mean, best] = [cost(&|it| it.worst), cost(&|it| it.mean), cost(&|it| it.best)];
    let distances = of(&|it| it.diversity as f32);
    // Children of the last generation were never made.
    let made = |mut values: Vec<f32>| {
        if let Some(last) = values.last_mut() {
            *last = f32::NAN;
        }
        values
    };
    let childless = made(of(&|it| it.offspring.childless as f32));
    let largest = made(of(&|it| it.offspring.largest as f32));
    let whole = |shares: &[f32]| -> Vec<f32> {
        let before = take_over.map_or(0, |it| it.from as usize);
        std::iter::repeat_n(f32::NAN, before).chain(shares.iter().map(|share| 100.0 * share)).collect()
    };
    let holders = whole(take_over.map_or(&[][..], |it| &it.individuals));
    let bits = whole(take_over.map_or(&[][..], |it| &it.genes));
    let line = |name, curve: usize, values, dashed| Line { name, colour: palette.curve(curve), values, dashed };
    let fitness =
        [line("worst", 1, &worst[..], true), line("mean", 2, &mean, false), line("best so far", 0, &best, false)];
    let distance = [line("distance", 3, &distances[..], false)];
    let offspring =
        [line("without children", 1, &childless[..], true), line("most children of one", 5, &largest, false)];
    let spread = [
        line("individuals with such a bit", 1, &holders[..], true),
        line("bits that descend from it", 0, &bits, false),
    ];
    let reference = scale.reference(document);
    let worth = |value: f64| scale.words(value);
    let number = |value: f64| if value.fract() == 0.0 { grouped(value as i64) } else { significant(value) };
    let percent = |value: f64| format!("{} %", number(value));
    let spread_title = format!("Take-over by the best of generation {}", grouped(document.evolving.followed as i64));
    let panel = |title, lines, words, from_zero| Panel { title, lines, reference: None, from_zero, weight: 1.0, words };
    let panels = [
        Panel {
            reference: reference.as_ref().map(|(value, name)| (*value, name.as_str())),
            ..panel(scale.title, &fitness[..], &worth as &dyn Fn(f64) -> String, false)
        },
        panel("Mean Hamming distance of two individuals, bits", &distance, &number, true),
        panel("Selection pressure, individuals and children", &offspring, &number, true),
        panel(&spread_title, &spread, &percent, true),
    ];
    let at = document.frame().map(|frame| frame.iteration);
    let events = events_of(document);
    let mut draw = |ui: &mut Ui, panels: &[Panel<'_>]| {
        let (unit, nothing) = ("Generation", "Nothing was recorded");
        let outcome = history::show(ui, &History { panels, first: 0, unit, at, events: &events, nothing });
        document.canvas_focused |= outcome.response.has_focus();
        if let Some(at) = outcome.picked {
            document.player.go_to(at);
        }
    };
    if ui.available_width() < WIDE {
        return draw(ui, &panels);
    }
    let (left, right) = panels.split_at(2);
    ui.columns(2, |columns| {
        draw(&mut columns[0], left);
        draw(&mut columns[1], right);
    });
}
