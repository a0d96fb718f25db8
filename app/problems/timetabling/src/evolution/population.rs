//! The population of a generation as a raster of genes, with the distribution of its costs.

use std::sync::Arc;

use egui::{Frame, Margin, Sense, Ui, vec2};
use gridwright_core::numbers::{figure, grouped, significant};
use gridwright_timetabling::evolution::journal::{Generation, GenerationStatistics};

use super::recording::Facts;
use super::{Mode, cost_words, mean_words, play};
use crate::Document;
use crate::describe::{counted, per_student};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::bars::{self, Bars};
use gridwright_window::widgets::generations;
use gridwright_window::widgets::genes::{self, Genes};

/// Width of the distribution beside the population.
const BESIDE: f32 = 320.0;
/// Lower than this, the costs are explained in a tooltip only.
const LOW: f32 = 210.0;
/// Number of bars of the distribution of costs.
const BINS: usize = 20;

/// Shows the player, one sentence about the costs, the population and the distribution of its costs.
pub(super) fn show(ui: &mut Ui, document: &mut Document, facts: &Arc<Facts>) {
    let at = play(ui, document, facts);
    let Some((_, recording)) = &mut document.state.evolution.recording else { return };
    let Some(generation) = recording.generation(at) else { return };
    let Some(statistics) = facts.statistics.get(generation.number as usize) else { return };
    let is_low = ui.available_height() < LOW;
    let explanation = costs(document, statistics, generation.costs.len());
    let row = ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        document.state.evolution.generations.part_choice(
            ui,
            [
                ("Timetables", "Every timetable of the generation as a row"),
                ("Costs", "How the costs of the timetables are distributed"),
            ],
        );
        periods(ui, document);
    });
    if is_low {
        row.response.on_hover_text(explanation);
    } else {
        generations::remark(ui, explanation);
    }
    let parts = document.evolution.generations.parts(ui.available_width());
    generations::population(ui, parts, BESIDE, |ui, is_distribution| match is_distribution {
        true => distributions(ui, document, facts, &generation),
        false => raster(ui, document, facts, &generation),
    });
}

/// Draws the colours of the periods, and what the mark before a row means.
fn periods(ui: &mut Ui, document: &Document) {
    let palette = palette(ui.visuals());
    let count = document.instance.period_count();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        ui.label(theme::small("Period 1").color(palette.weak));
        let side = (144.0 / count.max(1) as f32).clamp(3.0, 12.0);
        let (rect, response) = ui.allocate_exact_size(vec2(side * count as f32, 10.0), Sense::hover());
        for period in 0..count {
            let part = rect.with_min_x(rect.left() + period as f32 * side);
            let gap = if side >= 5.0 { 1.0 } else { 0.0 };
            let part = part.with_max_x(part.left() + side - gap);
            ui.painter().rect_filled(part, 0.0, palette.category(period));
        }
        let hovered = response.hover_pos().map(|at| ((at.x - rect.left()) / side) as usize);
        let words = hovered.filter(|&period| period < count).map(|period| document.instance.period_label(period));
        response.on_hover_text(words.unwrap_or_else(|| "Colours of the periods".to_owned()));
        ui.label(theme::small(grouped(count as i64)).color(palette.weak));
        for (colour, words, help) in [
            (palette.good, "valid", "No clash and no broken rule"),
            (palette.clash, "violations", "Students with two exams in one period, or broken rules"),
        ] {
            ui.add_space(space::S);
            let (rect, _) = ui.allocate_exact_size(vec2(8.0, 12.0), Sense::hover());
            ui.painter().rect_filled(rect, 0.0, colour);
            ui.label(theme::small(words).color(palette.weak)).on_hover_text(help);
        }
    });
}

/// Explains the mean beside the best: «Best 12.4, mean 50.2 per student. The mean is 13.9 for close exams and 36.3 for violations: 91 of 256 …».
fn costs(document: &Document, statistics: &GenerationStatistics, individuals: usize) -> String {
    let GenerationStatistics { cost, proximity, violations, feasible, .. } = statistics;
    let words = |mean: f64| mean_words(&document.instance, mean);
    let per = per_student(&document.instance);
    let begin = format!("Best {}, mean {}{per}.", words(cost.least as f64), words(cost.mean));
    let invalid = individuals as u64 - u64::from(*feasible);
    if invalid == 0 {
        return format!("{begin} No timetable has a violation: all of the cost is for exams that are close.");
    }
    let share = words((cost.mean - proximity.mean).max(0.0));
    let each = figure(violations.mean * individuals as f64 / invalid as f64, 1);
    format!(
        "{begin} Of the mean, {} is for close exams and {share} for violations: {} of {} have some, {each} each \
         on average.",
        words(proximity.mean),
        grouped(invalid),
        counted(individuals as u64, "timetable")
    )
}

/// Shows the rows by ascending cost; a click or Enter shows how a row came about.
fn raster(ui: &mut Ui, document: &mut Document, facts: &Facts, generation: &Arc<Generation>) {
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
    let state = &mut document.state.evolution;
    let revision = state.generations.revision((Arc::as_ptr(generation) as usize, generation.number));
    let individual = |row: usize| generation.order.get(row).map_or(0, |&individual| individual as usize);
    let gene = |row: usize, exam: usize| {
        let genes = generation.chromosome(individual(row));
        genes.get(exam).map_or(0, |&period| usize::from(period))
    };
    let describe = |row: usize, exam: usize| {
        let (index, period) = (individual(row), gene(row, exam));
        let children = generation.offspring.get(index).map_or_else(String::new, |&count| match count {
            0 => ", no children".to_owned(),
            1 => ", 1 child".to_owned(),
            count => format!(", {} children", grouped(count)),
        });
        format!(
            "Individual {}: cost {}{children}\n{} in period {}",
            grouped(index as i64 + 1),
            cost_words(&instance, &generation.parts[index]),
            facts.name(exam),
            period + 1
        )
    };
    let text = |row: usize, exam: usize| {
        let period = gene(row, exam);
        ((period + 1).to_string(), palette.on_category(period))
    };
    let mark = |row: usize| match generation.parts[individual(row)].is_feasible() {
        true => palette.good,
        false => palette.clash,
    };
    let summary = format!(
        "Generation {}: {} by {}, sorted by cost",
        grouped(generation.number as i64),
        counted(generation.order.len() as u64, "timetable"),
        counted(generation.exams as u64, "exam")
    );
    let genes = Genes {
        rows: generation.order.len(),
        columns: generation.exams,
        colour: &|row, exam| palette.category(gene(row, exam)),
        mark: &mark,
        text: &text,
        label: &|exam| facts.name(exam).to_owned(),
        noun: "timetables",
        revision,
        describe: &describe,
        summary: &summary,
    };
    let row = state.generations.row;
    let outcome = genes::show(ui, &genes, &mut state.generations.genes, row);
    if let Some(row) = outcome.picked {
        state.generations.row = row;
    }
    if let Some(row) = outcome.opened {
        state.mode = Mode::Child;
        state.generations.open(individual(row));
    }
    document.canvas_focused |= outcome.response.has_focus();
}

/// Shows how costs are distributed: close exams apart from violations.
fn distributions(ui: &mut Ui, document: &Document, facts: &Facts, generation: &Generation) {
    let palette = palette(ui.visuals());
    let scale = document.instance.shown(1);
    Frame::new().fill(palette.surface).inner_margin(Margin::symmetric(8, 6)).show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = space::XS;
        let height = ((ui.available_height() - 76.0) / 2.0).clamp(40.0, 220.0);
        let near: Vec<u64> = generation.parts.iter().map(|parts| parts.proximity + parts.price).collect();
        let bins = Bins::of(facts, near.iter().copied().min().unwrap_or(0));
        let title = format!("Cost of close exams{}", per_student(&document.instance));
        let words = |cost: f64| significant(cost * scale);
        let (label, counts) = (|bin: usize| words(bins.start(bin)), bins.counts(&near));
        let remark = format!("mean {}", words(near.iter().sum::<u64>() as f64 / near.len().max(1) as f64));
        chart(ui, (&title, &counts, remark), &label, (palette.bar, None), height, |bin| {
            if bin + 1 == BINS {
                format!("{} or more", words(bins.start(bin)))
            } else {
                format!("{} to {}", words(bins.start(bin)), words(bins.start(bin + 1)))
            }
        });
        ui.add_space(space::S);
        let broken: Vec<u64> = generation.parts.iter().map(|parts| parts.violations()).collect();
        let most = facts.statistics.iter().map(|statistics| statistics.violations.most).max().unwrap_or(0);
        let steps = steps(most);
        let counts = counts_between(&steps, &broken);
        let valid = broken.iter().filter(|&&count| count == 0).count();
        let remark = format!("{} of {} without", grouped(valid as i64), grouped(broken.len() as i64));
        let label = |bin: usize| steps.get(bin).map_or_else(String::new, |&first| grouped(first));
        let title = if document.instance.is_restricted() { "Violations" } else { "Students with a clash" };
        chart(ui, (title, &counts, remark), &label, (palette.clash, Some(0)), height, |bin| {
            let first = steps.get(bin).copied().unwrap_or(0);
            match steps.get(bin + 1) {
                Some(&next) if next == first + 1 => grouped(first),
                Some(&next) => format!("{} to {}", grouped(first), grouped(next - 1)),
                None => format!("{} or more", grouped(first)),
            }
        });
    });
}

/// Draws one distribution; `range` says what a bar stands for, the chosen bar has the accent.
fn chart(
    ui: &mut Ui, (title, values, remark): (&str, &[u64], String), label: &dyn Fn(usize) -> String,
    (colour, chosen): (egui::Color32, Option<usize>), height: f32, range: impl Fn(usize) -> String,
) {
    let bars = Bars { title, values, remark, label, limits: &[], groups: &[], chosen, colour };
    let (response, hovered) = bars::show(ui, &bars, height);
    if let Some(bin) = hovered {
        let count = counted(values[bin], "timetable");
        response.on_hover_text_at_pointer(format!("{title}: {}\n{count}", range(bin)));
    }
}

/// Bars of equal width over the costs of all generations but the first, which begins far away; the last bar holds
/// everything beyond.
struct Bins {
    first: f64,
    step: f64,
}

impl Bins {
    fn of(facts: &Facts, least: u64) -> Self {
        let later = || facts.statistics.iter().skip(usize::from(facts.statistics.len() > 1));
        let first = later().map(|it| it.proximity.least).min().unwrap_or(0).min(least) as f64;
        let last = later().map(|it| it.proximity.most).max().unwrap_or(0) as f64;
        Self { first, step: ((last - first) / (BINS - 1) as f64).max(1.0) }
    }

    /// Smallest cost of a bar.
    fn start(&self, bin: usize) -> f64 {
        self.first + bin as f64 * self.step
    }

    fn counts(&self, values: &[u64]) -> Vec<u64> {
        let mut counts = vec![0; BINS];
        for &value in values {
            counts[(((value as f64 - self.first) / self.step) as usize).min(BINS - 1)] += 1;
        }
        counts
    }
}

/// First counts of the bars of a distribution up to `most`: 0, 1, 2, 5, 10, 20, 50, ….
fn steps(most: u64) -> Vec<u64> {
    let decades = (0..19).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
    std::iter::once(0).chain(decades.take_while(|&first| first <= most.max(1))).collect()
}

fn counts_between(steps: &[u64], values: &[u64]) -> Vec<u64> {
    let mut counts = vec![0; steps.len()];
    for &value in values {
        counts[steps.partition_point(|&first| first <= value).saturating_sub(1)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_timetable_is_counted_once() {
        assert_eq!(steps(60), [0, 1, 2, 5, 10, 20, 50]);
        assert_eq!(steps(0), [0, 1]);
        assert_eq!(counts_between(&steps(60), &[0, 0, 1, 3, 4, 5, 19, 60]), [2, 1, 2, 1, 1, 0, 1]);
        let bins = Bins { first: 100.0, step: 10.0 };
        let counts = bins.counts(&[100, 109, 110, 289, 290, 5_000]);
        assert_eq!((counts[0], counts[1], counts[18], counts[19]), (2, 1, 1, 2));
    }
}
