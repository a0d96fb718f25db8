//! View of a batch of seeds: hits of the optimum and their iterations, mean errors beside those of the paper.

use std::sync::Arc;

use egui::{Grid as Table, ScrollArea, Ui};
use gridwright_core::numbers::grouped;
use gridwright_systolic::run::Algorithm;
use gridwright_systolic::run::batch::{BatchRun, batch, confirm};

use super::published;
use super::state::{Document, wake};
use super::view_state::Lane;
use crate::methods::*;
use crate::widgets::histogram::{self, Histogram, Series};
use gridwright_core::search::{AlgorithmDescriptor, Algorithms};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{button, primary};
use gridwright_window::widgets::entry::Number;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;
use gridwright_window::work::{State, Work};

/// Algorithms in the order in which they are offered: the flavours as the paper has them, then the baselines.
const ORDER: [&str; 7] = ["sgs-t", "sgs-e", "sgs-v", "sgs-b", "sga", "ega", "random"];

/// Shows the settings, the histogram and the table.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let instance = Arc::clone(&document.instance);
    document.batching.keep(ui.ctx(), &instance);
    settings(ui, document);
    let lanes = document.batching.lanes();
    progress(ui, document, &lanes);
    let Some(optimum) = document.optimum().map(|optimum| optimum.cost) else {
        ui.label("The optimum of this instance is not known: runs are compared by their best value alone.");
        table(ui, document, &lanes, f64::NEG_INFINITY);
        return;
    };
    let height = ui.available_height();
    if lanes.iter().any(|lane| !lane.runs.is_empty()) {
        let below = egui::Panel::bottom(("batch table", lanes.len())).resizable(true).frame(egui::Frame::new());
        let wanted = (38.0 + 26.0 * lanes.len() as f32).min(height * 0.5);
        below.default_size(wanted).size_range(40.0..=height * 0.7).show(ui, |ui| table(ui, document, &lanes, optimum));
    }
    egui::CentralPanel::default().frame(egui::Frame::new()).show(ui, |ui| lanes_of(ui, document, &lanes, optimum));
}

fn settings(ui: &mut Ui, document: &mut Document) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        let going = document.batching.is_going();
        let weak = palette(ui.visuals()).weak;
        ui.add_enabled_ui(!going, |ui| {
            ui.label(theme::small("Seeds from").color(weak));
            let field = Number::new("First seed", &mut document.batching.first).speed(0.2);
            ui.add(field.help("The seed of the first run; the others follow"));
            ui.label(theme::small("runs").color(weak));
            let field = Number::new("Number of runs", &mut document.batching.count).range(1..=10_000).speed(0.5);
            ui.add(field.help("How many seeds for each algorithm; the paper has 50"));
            ui.add_space(space::XS);
            for (name, chosen) in ORDER.iter().zip(&mut document.batching.chosen) {
                let Some(algorithm) = Algorithm::with_defaults(name) else { continue };
                let AlgorithmDescriptor { label, short_label, help, .. } = algorithm.descriptor();
                ui.checkbox(chosen, *short_label).on_hover_text(format!("{label}\n{help}"));
            }
        });
        ui.add_space(space::XS);
        if going {
            if button(ui, Icon::Stop, "Stop the batch", true).clicked()
                && let Some(work) = &document.batching.work
            {
                work.stop();
            }
            return;
        }
        let lanes = document.batching.lanes();
        if lanes.iter().any(|lane| !lane.runs.is_empty()) {
            let help = "Put all runs of the batch on the clipboard as CSV, one a line; they are kept until the window is closed";
            if button(ui, Icon::Copy, "Copy as CSV", true).on_hover_text(help).clicked() {
                ui.ctx().copy_text(csv(document, &lanes));
            }
        }
        let any = document.batching.chosen.contains(&true);
        let words = "Run the batch";
        let response = primary(ui, Icon::Play, words, any && !document.is_solving());
        let response = response.on_disabled_hover_text("Choose an algorithm; and no other run may go on");
        if response.clicked() {
            begin(ui.ctx(), document);
        }
    });
}

/// All runs as CSV: plain digits, one line for each run; the iteration of the optimum is empty where it was not found.
fn csv(document: &Document, lanes: &[Lane]) -> String {
    let optimum = document.optimum().map(|optimum| optimum.cost);
    let line = |lane: &Lane, run: &BatchRun| {
        let fitness = document.instance.kind.fitness(run.cost);
        let error = document.error(run.cost).map_or_else(String::new, |error| error.to_string());
        let hit = optimum.and_then(|optimum| run.hit(optimum)).map_or_else(String::new, |hit| hit.to_string());
        let (name, seed, iterations) = (lane.algorithm.name(), run.seed, run.iterations);
        format!("{name},{seed},{fitness},{error},{hit},{iterations}\n")
    };
    let lines = lanes.iter().flat_map(|lane| lane.runs.iter().map(move |run| line(lane, run)));
    format!("algorithm,seed,fitness,error,iteration of the optimum,iterations\n{}", lines.collect::<String>())
}

/// Runs the chosen algorithms with all seeds.
pub(super) fn begin(ctx: &egui::Context, document: &mut Document) {
    let iterations = document.instance.cells() as u64;
    let (first, count) = (document.batching.first, document.batching.count);
    let chosen = ORDER.iter().zip(document.batching.chosen).filter(|(_, chosen)| *chosen);
    let algorithms = chosen.filter_map(|(name, _)| Algorithm::named(name).ok());
    let algorithms: Vec<Algorithm> = algorithms.map(|algorithm| algorithm.resolved(iterations)).collect();
    let lane = |algorithm: &Algorithm| Lane { algorithm: algorithm.clone(), runs: Vec::new(), wanted: count };
    let lanes: Vec<Lane> = algorithms.iter().map(lane).collect();
    let (instance, threads) = (Arc::clone(&document.instance), document.settings.threads);
    let target = document.optimum().map(|optimum| optimum.cost);
    document.batching.selected = None;
    document.batching.work = Some(Work::start("batch", lanes, wake(ctx), move |teller| {
        for (index, algorithm) in algorithms.iter().enumerate() {
            let tell = |run: &BatchRun, _: usize| teller.tell(|lanes| lanes[index].runs.push(run.clone()));
            let runs = batch(&instance, algorithm, [first, count], target, threads, teller.control(), &tell)?;
            confirm(&instance, &runs)?;
            // In the order of their seeds, whichever thread was faster.
            teller.tell(|lanes| lanes[index].runs = runs);
            if teller.is_cancelled() {
                break;
            }
        }
        Ok(())
    }));
}

/// Draws the progress of the batch, or the reason why it failed.
fn progress(ui: &mut Ui, document: &Document, lanes: &[Lane]) {
    let Some(work) = &document.batching.work else { return };
    let (done, all) = lanes.iter().fold((0, 0), |(done, all), lane| (done + lane.runs.len() as u64, all + lane.wanted));
    match work.state() {
        State::Failed(why) => message(ui, &format!("The batch broke off: {why}")),
        State::Going => {
            let share = done as f32 / all.max(1) as f32;
            let words = format!("{} of {} runs", grouped(done as i64), grouped(all as i64));
            let bar = egui::ProgressBar::new(share).text(words).desired_height(16.0);
            ui.add(bar);
        }
        State::Done if done < all => {
            let words = format!("Stopped after {} of {} runs", grouped(done as i64), grouped(all as i64));
            ui.label(theme::small(words).color(palette(ui.visuals()).warn));
        }
        State::Done => {}
    }
}

fn lanes_of(ui: &mut Ui, document: &mut Document, lanes: &[Lane], optimum: f64) {
    let palette = palette(ui.visuals());
    let hits: Vec<Vec<u64>> = lanes.iter().map(|lane| lane.hits(optimum)).collect();
    let series = lanes.iter().zip(&hits).map(|(lane, values)| Series {
        name: lane.algorithm.descriptor().short_label.to_owned(),
        colour: palette.curve(ORDER.iter().position(|name| *name == lane.algorithm.name()).unwrap_or(0)),
        values,
        tried: lane.runs.len(),
    });
    let series: Vec<Series<'_>> = series.collect();
    let histogram = Histogram {
        series: &series,
        x: "Iteration in which the optimum was found first",
        missed: "no run found the optimum",
        nothing: "Choose algorithms and press Run the batch: each lane shows when its runs find the optimum",
    };
    let outcome = histogram::show(ui, &histogram, document.batching.selected);
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.batching.selected = picked;
    }
}

fn table(ui: &mut Ui, document: &Document, lanes: &[Lane], optimum: f64) {
    let palette = palette(ui.visuals());
    if lanes.iter().all(|lane| lane.runs.is_empty()) {
        return;
    }
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        let table = Table::new("batch").num_columns(6).striped(true).spacing(egui::vec2(space::XL, 6.0));
        table.show(ui, |ui| {
            for heading in ["Algorithm", "Found", "Mean first", "Mean error", "Best", "Error in the paper"] {
                ui.label(theme::small(heading).color(palette.weak));
            }
            ui.end_row();
            for lane in lanes {
                let hits = lane.hits(optimum);
                let mean_hit = hits.iter().sum::<u64>() as f64 / hits.len() as f64;
                let error = lane.mean().and_then(|cost| document.error(cost));
                let best = lane.runs.iter().map(|run| run.cost).fold(f64::INFINITY, f64::min);
                let paper = published::mean_error(&document.instance, lane.algorithm.label());
                ui.label(lane.algorithm.descriptor().label);
                let whole = hits.len() == lane.runs.len() && !lane.runs.is_empty();
                let colour = if whole { palette.good } else { palette.text };
                figure(ui, &format!("{} of {}", hits.len(), lane.runs.len()), colour);
                let mean = if hits.is_empty() { "–".to_owned() } else { grouped(mean_hit.round() as i64) };
                figure(ui, &mean, palette.text);
                figure(ui, &error.map_or("–".to_owned(), error_words), palette.text);
                figure(ui, &if best.is_finite() { document.words(best) } else { "–".to_owned() }, palette.text);
                let paper = paper.map_or_else(|| "–".to_owned(), error_with_deviation);
                ui.label(theme::small(paper).color(palette.weak));
                ui.end_row();
            }
        });
    });
}

/// A number in a row that is no higher than its text.
pub fn figure(ui: &mut Ui, words: &str, colour: egui::Color32) {
    ui.label(egui::RichText::new(words).color(colour));
}

/// «256 ± 115»: a published mean error with its standard deviation.
fn error_with_deviation((error, deviation): (f64, f64)) -> String {
    format!("{} ± {}", error_words(error), error_words(deviation))
}

/// An error with as many decimals as say something.
pub(crate) fn error_words(error: f64) -> String {
    match error.abs() {
        0.0 => "0".to_owned(),
        large if large >= 100.0 => grouped(error.round() as i64),
        middle if middle >= 0.1 => format!("{error:.2}"),
        _ => format!("{error:.6}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_count_what_was_found() {
        let run = |cost: f64, since: u64| BatchRun {
            seed: 1,
            cost,
            since,
            iterations: 700,
            seconds: 0.1,
            bits: String::new(),
        };
        let lane = Lane {
            algorithm: Algorithm::default(),
            runs: vec![run(-100.0, 20), run(-99.0, 3), run(-100.0, 40)],
            wanted: 3,
        };
        assert_eq!(lane.hits(-100.0), [20, 40]);
        assert!((lane.mean().unwrap() + 299.0 / 3.0).abs() < 1e-12);
        assert_eq!([0.0, 0.25, 233.4, 0.000_1].map(error_words), ["0", "0.25", "233", "0.000100"]);
    }

    #[test]
    fn every_algorithm_is_offered_once() {
        let mut names: Vec<&str> = Algorithm::names().collect();
        let mut offered = ORDER.to_vec();
        names.sort_unstable();
        offered.sort_unstable();
        assert_eq!(names, offered);
    }
}
