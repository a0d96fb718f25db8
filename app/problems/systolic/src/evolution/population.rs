//! The population of a generation as a raster of bits, the best individual at the top, with the distribution of its worth.

use std::sync::Arc;

use egui::{Frame, Margin, Ui};
use gridwright_core::numbers::grouped;
use gridwright_systolic::genetic::journal::{Generation, GenerationStatistics};

use super::{Mode, bit_colour};
use crate::Document;
use crate::diversity::Shown as Scale;
use crate::methods::*;
use crate::operators::bit_name;
use gridwright_window::theme::{palette, space};
use gridwright_window::widgets::bars::{self, Bars};
use gridwright_window::widgets::generations;
use gridwright_window::widgets::genes::{self, Genes};

/// Width of the distribution beside the population.
const BESIDE: f32 = 300.0;
/// Number of bars of the distribution.
const BINS: usize = 16;

/// Shows one sentence about the generation, the population and the distribution of what it is worth.
pub(super) fn show(ui: &mut Ui, document: &mut Document, statistics: &[GenerationStatistics]) {
    let at = document.at();
    let Some(generation) = document.recorded().and_then(|recording| recording.generation(at)) else { return };
    document.evolving.generations.part_choice(
        ui,
        [
            ("Individuals", "Every individual of the generation as a row"),
            ("Distribution", "How the worth of the individuals is distributed"),
        ],
    );
    generations::remark(ui, sentence(document, &generation));
    let parts = document.evolving.generations.parts(ui.available_width());
    generations::population(ui, parts, BESIDE, |ui, is_distribution| match is_distribution {
        true => distributions(ui, document, statistics, &generation),
        false => raster(ui, document, &generation),
    });
}

/// «Best 5 676, mean 5 200. Two individuals differ in 12.3 of 100 bits on average; 610 of 1 400 have no children.».
fn sentence(document: &Document, generation: &Generation) -> String {
    let frame = &generation.frame;
    let childless = generation.offspring.iter().filter(|&&count| count == 0).count();
    let children = match generation.offspring.is_empty() {
        true => String::new(),
        false => format!("; {} of {} have no children", grouped(childless as i64), grouped(frame.count() as i64)),
    };
    format!(
        "Best {}, mean {}. Two individuals differ in {:.1} of {} bits on average{children}.",
        document.words(frame.best),
        document.words(frame.mean),
        frame.diversity,
        grouped(frame.grid.bits as i64)
    )
}

/// Shows the rows by ascending cost; a click or Enter shows how a row came about.
fn raster(ui: &mut Ui, document: &mut Document, generation: &Arc<Generation>) {
    let palette = palette(ui.visuals());
    let (frame, state) = (&generation.frame, &mut document.state.evolving.generations);
    let revision = state.revision((Arc::as_ptr(generation) as usize, frame.iteration));
    let (mut view, row) = (std::mem::take(&mut state.genes), state.row);
    let individual = |row: usize| generation.order.get(row).map_or(0, |&individual| individual as usize);
    let bit = |row: usize, bit: usize| {
        (frame.packed(individual(row))[bit / frame.per_word] >> (bit % frame.per_word) & 1) as u8
    };
    let optimum = document.optimum().map(|optimum| optimum.cost);
    let mark = |row: usize| match individual(row) {
        number if optimum.is_some_and(|optimum| frame.costs[number] <= optimum) => palette.good,
        number if frame.accepted(number) => palette.accent,
        _ => palette.border_strong,
    };
    let describe = |row: usize, place: usize| {
        let number = individual(row);
        let children = match generation.offspring.get(number) {
            None => String::new(),
            Some(0) => ", no children".to_owned(),
            Some(1) => ", 1 child".to_owned(),
            Some(count) => format!(", {} children", grouped(i64::from(*count))),
        };
        let since = match frame.since[number] {
            0 => "as at the start".to_owned(),
            since => format!("made in generation {}", grouped(i64::from(since))),
        };
        format!(
            "Individual {}: {}, {since}{children}\n{}: {}",
            grouped(number as i64 + 1),
            document.words(frame.costs[number]),
            bit_name(document, place),
            bit(row, place)
        )
    };
    let summary = format!(
        "Generation {}: {} individuals by {} bits, the best first",
        grouped(frame.iteration as i64),
        grouped(frame.count() as i64),
        grouped(frame.grid.bits as i64)
    );
    let genes = Genes {
        rows: generation.order.len(),
        columns: frame.grid.bits,
        colour: &|row, place| bit_colour(palette, bit(row, place)),
        mark: &mark,
        text: &|row, place| {
            (bit(row, place).to_string(), if bit(row, place) == 1 { palette.surface } else { palette.weak })
        },
        label: &|place| bit_name(document, place),
        noun: "individuals",
        revision,
        describe: &describe,
        summary: &summary,
    };
    let outcome = genes::show(ui, &genes, &mut view, row);
    let opened = outcome.opened.map(individual);
    document.state.evolving.generations.genes = view;
    if let Some(row) = outcome.picked {
        document.state.evolving.generations.row = row;
    }
    if let Some(child) = opened {
        document.state.evolving.mode = Mode::Child;
        document.state.evolving.generations.open(child);
    }
    document.canvas_focused |= outcome.response.has_focus();
}

/// Shows how the worth of the individuals is distributed, and how many children they have.
fn distributions(ui: &mut Ui, document: &Document, statistics: &[GenerationStatistics], generation: &Generation) {
    let palette = palette(ui.visuals());
    let scale = Scale::of(document);
    Frame::new().fill(palette.surface).inner_margin(Margin::symmetric(8, 6)).show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = space::XS;
        let height = ((ui.available_height() - 76.0) / 2.0).clamp(40.0, 220.0);
        let plotted = |cost: f64| f64::from(scale.plotted(document, cost));
        let bins = Bins::of(statistics, &plotted);
        let counts = bins.counts(generation.frame.costs.iter().map(|&cost| plotted(cost)));
        let remark = format!("mean {}", document.words(generation.frame.mean));
        let label = |bin: usize| scale.words(bins.start(bin));
        chart(ui, (scale.short, &counts, remark), &label, palette.bar, height);
        ui.add_space(space::S);
        let most = generation.offspring.iter().copied().max().unwrap_or(0) as usize;
        let mut children = vec![0_u64; most + 1];
        generation.offspring.iter().for_each(|&count| children[count as usize] += 1);
        if generation.offspring.is_empty() {
            children.clear();
        }
        let remark = if children.is_empty() { "the last generation has none" } else { "" };
        chart(
            ui,
            ("Children of an individual", &children, remark.to_owned()),
            &|bin| bin.to_string(),
            palette.curve(5),
            height,
        );
    });
}

/// Draws one distribution.
fn chart(
    ui: &mut Ui, (title, values, remark): (&str, &[u64], String), label: &dyn Fn(usize) -> String,
    colour: egui::Color32, height: f32,
) {
    let bars = Bars { title, values, remark, label, limits: &[], groups: &[], chosen: None, colour };
    let (response, hovered) = bars::show(ui, &bars, height);
    if let Some(bin) = hovered {
        let words = format!("{title}: {}\n{} individuals", label(bin), grouped(values[bin] as i64));
        response.on_hover_text_at_pointer(words);
    }
}

/// Bars of equal width over the values of all generations but the first, which begins far away; the first and the last
/// bar hold everything beyond.
struct Bins {
    first: f64,
    step: f64,
}

impl Bins {
    fn of(statistics: &[GenerationStatistics], plotted: &dyn Fn(f64) -> f64) -> Self {
        let later = statistics.iter().skip(usize::from(statistics.len() > 1));
        let values = later.flat_map(|it| [plotted(it.best), plotted(it.worst)]);
        let [low, high] =
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], it| [low.min(it), high.max(it)]);
        if low >= high {
            return Self { first: if low.is_finite() { low } else { 0.0 }, step: 1.0 };
        }
        Self { first: low, step: (high - low) / (BINS - 1) as f64 }
    }

    /// Smallest value of a bar.
    fn start(&self, bin: usize) -> f64 {
        self.first + bin as f64 * self.step
    }

    fn counts(&self, values: impl Iterator<Item = f64>) -> Vec<u64> {
        let mut counts = vec![0; BINS];
        values.for_each(|value| counts[(((value - self.first) / self.step).max(0.0) as usize).min(BINS - 1)] += 1);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_individual_is_counted_once() {
        let bins = Bins { first: 10.0, step: 2.0 };
        let counts = bins.counts([3.0, 10.0, 11.9, 12.0, 40.0, 900.0].into_iter());
        assert_eq!((counts[0], counts[1], counts[BINS - 1], counts.iter().sum::<u64>()), (3, 1, 2, 6));
    }
}
