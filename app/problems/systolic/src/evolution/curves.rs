//! Fitness, diversity, selection pressure and take-over over the generations of SGA and EGA.

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_core::search::selection::TakeOver;
use gridwright_systolic::genetic::journal::GenerationStatistics;

use crate::Document;
use crate::diversity::Shown as Scale;
use crate::grid::events_of;
use crate::methods::*;
use gridwright_window::theme::{palette, space};
use gridwright_window::widgets::generations::{self, number_words, of_children, panel, percentages, take_over_words};
use gridwright_window::widgets::history::{Line, Panel};

/// Shows the take-over in words and the charts.
pub(super) fn show(ui: &mut Ui, document: &mut Document, statistics: &[GenerationStatistics]) {
    let last = statistics.len().saturating_sub(1) as u64;
    let followed = document.evolving.generations.followed.min(last);
    let take_over = document.recorded().and_then(|recording| recording.take_over(followed));
    let individuals = 2 * document.grid().cells() as u32;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        document.state.evolving.generations.follow_field(ui, last, ["individual", "bits"]);
        let words = take_over.as_deref().map(|it| take_over_words(it, "bits", Some((individuals, 2))));
        generations::remark(ui, words.unwrap_or_else(|| "Following its bits…".to_owned()));
    });
    charts(ui, document, statistics, take_over.as_deref());
}

fn charts(ui: &mut Ui, document: &mut Document, statistics: &[GenerationStatistics], take_over: Option<&TakeOver>) {
    let palette = palette(ui.visuals());
    let scale = Scale::of(document);
    let of = |value: &dyn Fn(&GenerationStatistics) -> f32| statistics.iter().map(value).collect::<Vec<f32>>();
    let cost = |value: &dyn Fn(&GenerationStatistics) -> f64| of(&|it| scale.plotted(document, value(it)));
    let [worst, mean, best] = [cost(&|it| it.worst), cost(&|it| it.mean), cost(&|it| it.best)];
    let distances = of(&|it| it.diversity as f32);
    let childless = of_children(of(&|it| it.offspring.childless as f32));
    let largest = of_children(of(&|it| it.offspring.largest as f32));
    let holders = percentages(take_over, |it| &it.individuals);
    let bits = percentages(take_over, |it| &it.genes);
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
    let percent = |value: f64| format!("{} %", number_words(value));
    let spread_title =
        format!("Take-over by the best of generation {}", grouped(document.evolving.generations.followed as i64));
    let panels = [
        Panel {
            reference: reference.as_ref().map(|(value, name)| (*value, name.as_str())),
            ..panel(scale.title, &fitness, false, &worth)
        },
        panel("Mean Hamming distance of two individuals, bits", &distance, true, &number_words),
        panel("Selection pressure, individuals and children", &offspring, true, &number_words),
        panel(&spread_title, &spread, true, &percent),
    ];
    let at = document.frame().map(|frame| frame.iteration);
    let outcome = generations::charts(ui, &panels, at, &events_of(document));
    document.canvas_focused |= outcome.has_focus;
    if let Some(at) = outcome.picked {
        document.player.go_to(at);
    }
}
