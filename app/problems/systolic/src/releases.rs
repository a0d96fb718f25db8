//! Cost and value of releases: what the search finds for eleven weights, on the front of all that no other release beats.

use std::sync::Arc;

use egui::{Grid as Table, ScrollArea, Ui};
use gridwright_core::numbers::grouped;
use gridwright_systolic::check::{Worth, check};
use gridwright_systolic::run::Algorithm;
use gridwright_systolic::run::batch::{batch, confirm};
use gridwright_systolic::{Kind, Weight};

use super::batch::figure;
use super::results::{value_words, weighed};
use super::state::{Document, wake};
use super::view_state::Release;
use crate::widgets::frontier::{self, FrontPoint, Frontier};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{placeholder, primary};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;
use gridwright_window::work::{State, Work};

/// Shows the front with the releases found, and a table of them.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Kind::NextRelease { value_scale, .. } = document.instance.kind else {
        let text = "Only next release problems weigh value against cost. Open one from the library, such as Release.";
        placeholder(ui, Icon::Cells, "No releases here", text, |_| {});
        return;
    };
    let found = document.releasing.found();
    top(ui, document, &found);
    let height = ui.available_height();
    if !found.is_empty() && height > 240.0 {
        let below = egui::Panel::bottom("releases").resizable(true).frame(egui::Frame::new());
        // Room for all eleven, even while the first are being found.
        let wanted = (height * 0.42).min(40.0 + 24.0 * 11.0);
        below
            .default_size(wanted)
            .size_range(60.0..=height * 0.6)
            .show(ui, |ui| table(ui, document, &found, value_scale));
    }
    egui::CentralPanel::default().frame(egui::Frame::new()).show(ui, |ui| chart(ui, document, &found, value_scale));
}

fn top(ui: &mut Ui, document: &mut Document, found: &[Release]) {
    let palette = palette(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let going = document.releasing.is_going();
        let words = if going { "Searching…" } else { "Search with all eleven weights" };
        if primary(ui, Icon::Play, words, !going && !document.is_solving()).clicked() {
            begin(ui, document);
        }
        let best = found.iter().filter(|release| release.is_best).count();
        let words = match (found.is_empty(), &document.front) {
            (true, Some(front)) => {
                format!("{} releases are beaten by no other one", grouped(front.points.len() as i64))
            }
            (true, None) => "The exact front would take too long to find".to_owned(),
            _ => format!("{best} of {} are the best there is", found.len()),
        };
        ui.label(theme::small(words).color(palette.weak));
        if let Some(State::Failed(why)) = document.releasing.work.as_ref().map(Work::state) {
            message(ui, &format!("The search broke off: {why}"));
        }
    });
}

fn begin(ui: &Ui, document: &mut Document) {
    let iterations = document.instance.cells() as u64;
    let algorithm = document.settings.algorithm.clone().resolved(iterations);
    let (instance, front) = (Arc::clone(&document.instance), document.front.clone());
    let (seed, threads) = (document.settings.seed, document.settings.threads);
    document.releasing.selected = None;
    document.releasing.work = Some(Work::start("releases", Vec::new(), wake(ui.ctx()), move |teller| {
        for tenths in 0..=10 {
            let instance = weighed(&instance, tenths);
            let Some(release) = release(&instance, tenths, &algorithm, front.as_deref(), (seed, threads), teller)?
            else {
                break;
            };
            teller.tell(|found: &mut Vec<Release>| found.push(release));
        }
        Ok(())
    }));
}

/// Searches a release with a weight; `None` if the search was cancelled.
fn release(
    instance: &gridwright_systolic::Instance, tenths: u8, algorithm: &Algorithm,
    front: Option<&gridwright_systolic::exact::Front>, (seed, threads): (u64, usize),
    teller: &gridwright_window::work::Teller<Vec<Release>>,
) -> gridwright_core::Result<Option<Release>> {
    let runs = batch(instance, algorithm, [seed, 1], None, threads, teller.control(), &|_, _| {})?;
    confirm(instance, &runs)?;
    let Some(run) = runs.first() else { return Ok(None) };
    let bits: Vec<bool> = run.bits.bytes().map(|letter| letter == b'1').collect();
    let Worth::NextRelease { cost, value, .. } = check(instance, &bits).worth else { return Ok(None) };
    let best = front.map(|front| check(instance, &front.bits(front.best(tenths))).cost());
    Ok(Some(Release { tenths, cost, value, is_best: best.is_some_and(|best| run.cost <= best) }))
}

fn chart(ui: &mut Ui, document: &mut Document, releases: &[Release], scale: u64) {
    let exact = document
        .front
        .as_ref()
        .map(|front| front.points.iter().map(|point| [point.cost as f64, point.value as f64]).collect::<Vec<_>>());
    let found = releases.iter().map(|release| FrontPoint {
        name: format!("w = {}", Weight(release.tenths)),
        cost: release.cost as f64,
        gain: release.value as f64,
        is_best: release.is_best,
    });
    let found: Vec<FrontPoint> = found.collect();
    let frontier = Frontier {
        exact: exact.as_deref().unwrap_or_default(),
        found: &found,
        cost: "Cost",
        gain: "Value",
        cost_words: &|cost| grouped(cost.round() as i64),
        gain_words: &|value| value_words(value, scale),
        nothing: "Press Search with all eleven weights",
    };
    let outcome = frontier::show(ui, &frontier, document.releasing.selected);
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.releasing.selected = picked;
    }
}

fn table(ui: &mut Ui, document: &mut Document, found: &[Release], scale: u64) {
    let palette = palette(ui.visuals());
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        Table::new("releases").num_columns(4).striped(true).spacing(egui::vec2(space::XL, 4.0)).show(ui, |ui| {
            for heading in ["Weight", "Cost", "Value", ""] {
                ui.label(theme::small(heading).color(palette.weak));
            }
            ui.end_row();
            for (index, release) in found.iter().enumerate() {
                let chosen = document.releasing.selected == Some(index);
                if ui.selectable_label(chosen, Weight(release.tenths).to_string()).clicked() {
                    document.releasing.selected = Some(index);
                }
                figure(ui, &grouped(release.cost as i64), palette.text);
                figure(ui, &value_words(release.value as f64, scale), palette.text);
                let (words, colour) = match (release.is_best, document.front.is_some()) {
                    (true, _) => ("the best there is", palette.good),
                    (_, true) => ("better ones exist", palette.bad),
                    _ => ("not compared", palette.weak),
                };
                ui.label(theme::small(words).color(colour));
                ui.end_row();
            }
        });
    });
}
