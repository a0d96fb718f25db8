//! Rules for the order: jobs that are pinned to a position, and jobs that must not be before another one.

use std::sync::Arc;

use easy_ext::ext;
use egui::Ui;
use gridwright_flowshop::rules::{Pin, Precedence, Rules};

use super::Document;
use crate::methods::*;
use gridwright_window::document::Work;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::{button, rule_line, section};
use gridwright_window::widgets::icons::Icon;

/// Effect of a pin.
const PINS: &str = "Searches leave the job in this position of the order; what is in the positions before may change";

/// Rules for the order of the jobs.
#[ext(RulesMethods)]
impl Document {
    /// Pins the selected job to its position in the plan that is shown, or removes its pin.
    ///
    /// # Errors
    /// Error if no job is selected, if it has no position, or if the pin contradicts other rules.
    pub(crate) fn pin_selected(&mut self) -> Result<(), String> {
        let job = self.selected.ok_or("Select a job first")?.job;
        let mut rules = self.instance.rules.clone();
        let name = self.job_name(job);
        if rules.pinned(job).is_some() {
            rules.pins.retain(|pin| usize::from(pin.job) != job);
            return self.demand(format!("remove the pin of {name}"), rules);
        }
        let position = self.selected_position().ok_or("There is no plan yet")?;
        rules.pins.push(Pin { job: job as u16, position: position as u16 });
        rules.pins.sort_by_key(|pin| pin.position);
        self.demand(format!("pin {name} to position {}", position + 1), rules)
    }

    /// Forbids a job to be before another one.
    ///
    /// # Errors
    /// Error if the rule contradicts other rules.
    pub(crate) fn keep_behind(&mut self, [then, first]: [usize; 2]) -> Result<(), String> {
        let mut rules = self.instance.rules.clone();
        let pair = Precedence { first: first as u16, then: then as u16 };
        if !rules.precedences.contains(&pair) {
            rules.precedences.push(pair);
        }
        self.demand(format!("keep {} behind {}", self.job_name(then), self.job_name(first)), rules)
    }

    pub(crate) fn job_name(&self, job: usize) -> String {
        self.instance.jobs.get(job).map_or_else(String::new, |job| job.name.clone())
    }

    /// Sets the rules for further searches.
    pub(crate) fn demand(&mut self, name: String, rules: Rules) -> Result<(), String> {
        rules.check(&self.instance).map_err(|error| error.to_string())?;
        let work = Work { demands: rules, ..self.work().clone() };
        self.change(&name, work, None).map_err(str::to_owned)
    }

    /// Tells the reason if a rule was refused.
    pub(crate) fn told(&mut self, outcome: Result<(), String>) {
        if let Err(why) = outcome {
            self.say(why);
        }
    }
}

/// All rules, if there are any, each with a button that removes it, and the rules that the shown plan does not keep.
pub(crate) fn list(ui: &mut Ui, document: &mut Document) {
    let instance = Arc::clone(&document.instance);
    let palette = palette(ui.visuals());
    if instance.rules.is_empty() {
        return;
    }
    section(ui, "Rules for the order", |_| {});
    let (pins, mut removed) = (instance.rules.pins.len(), None);
    for (number, words) in instance.rules.sentences(&instance).iter().enumerate() {
        let icon = if number < pins { Icon::Pin } else { Icon::Compare };
        if rule_line(ui, icon, words) {
            removed = Some((number, words.clone()));
        }
    }
    if let Some((number, words)) = removed {
        let mut rules = instance.rules.clone();
        match number.checked_sub(pins) {
            Some(pair) => drop(rules.precedences.remove(pair)),
            None => drop(rules.pins.remove(number)),
        }
        let outcome = document.demand(format!("remove the rule {words}"), rules);
        document.told(outcome);
    }
    let broken: Vec<String> = document
        .plan()
        .map(|plan| plan.verdict.violations.iter().map(|violation| violation.text.clone()).collect())
        .unwrap_or_default();
    for text in broken {
        ui.label(theme::small(text).color(palette.bad));
    }
    let hint = "In force when the next run begins; results keep the rules they were found under.";
    ui.label(theme::small(hint).color(palette.weak));
    ui.add_space(space::S);
}

/// Words of the command that pins a job to its present position, or removes its pin.
fn pin_words(document: &Document, job: usize) -> String {
    match (document.instance.rules.pinned(job), document.selected_position()) {
        (Some(position), _) => format!("Remove the pin to position {}", position + 1),
        (None, Some(position)) => format!("Pin to position {}", position + 1),
        (None, None) => "Pin to its position".to_owned(),
    }
}

/// Rules of one job: its pin, and the jobs that it must not be before.
pub(crate) fn of_job(ui: &mut Ui, document: &mut Document, job: usize) {
    ui.add_space(space::XS);
    let is_possible = document.selected_position().is_some() || document.instance.rules.pinned(job).is_some();
    if button(ui, Icon::Pin, &pin_words(document, job), is_possible).on_hover_text(PINS).clicked() {
        let outcome = document.pin_selected();
        document.told(outcome);
    }
    ui.add_space(space::XS);
    let instance = Arc::clone(&document.instance);
    let mut chosen = None;
    Choices::new("Not before", "Not before…").width(180.0).help("Another job that stays before this one").show(
        ui,
        |ui| {
            for (other, data) in instance.jobs.iter().enumerate().filter(|(other, _)| *other != job) {
                if ui.selectable_label(false, &data.name).clicked() {
                    chosen = Some(other);
                }
            }
        },
    );
    if let Some(first) = chosen {
        let outcome = document.keep_behind([job, first]);
        document.told(outcome);
    }
    ui.add_space(space::S);
}

/// Context menu of the selected job: its pin, and a rule with the job before or behind it.
pub(crate) fn menu(ui: &mut Ui, document: &mut Document) {
    let Some(job) = document.selected.map(|selection| selection.job) else {
        ui.label("No job is selected");
        return;
    };
    ui.set_min_width(200.0);
    ui.label(theme::bold(format!("Job {}", document.job_name(job))));
    if ui.button(pin_words(document, job)).on_hover_text(PINS).clicked() {
        let outcome = document.pin_selected();
        document.told(outcome);
        ui.close();
    }
    let Some((plan, position)) = document.plan().cloned().zip(document.selected_position()) else { return };
    let at = |position: Option<usize>| Some(usize::from(*plan.order.0.get(position?)?));
    let before =
        at(position.checked_sub(1)).map(|first| ([job, first], format!("Not before {}", document.job_name(first))));
    let behind = at(Some(position + 1)).map(|then| ([then, job], format!("{} not before it", document.job_name(then))));
    for (pair, words) in before.into_iter().chain(behind) {
        if ui.button(words).on_hover_text("Searches keep this order of the two jobs").clicked() {
            let outcome = document.keep_behind(pair);
            document.told(outcome);
            ui.close();
        }
    }
}
