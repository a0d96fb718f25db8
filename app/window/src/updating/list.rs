//! The list of differences: ticks by line and by table, a filter, and the check of what the ticked lines make.

use std::ops::Range;
use std::sync::Arc;

use egui::{Align, Checkbox, Context, Label, RichText, ScrollArea, Ui, WidgetInfo};
use egui_extras::Column;
use gridwright_core::data::update::{Change, Contradiction, Counts, Update};
use gridwright_core::data::{Dataset, Issue, TableSpec};
use gridwright_core::numbers::grouped;
use gridwright_core::problem::Problem;

use super::ticked_words;
use crate::later::Later;
use crate::theme::{palette, space};
use crate::widgets::controls::button;
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;
use crate::widgets::table::{SortOrder, Table, TableColumn, label_row};

/// Largest number of contradictions and faults that are shown.
const SHOWN: usize = 40;

/// Data that the ticked lines make.
pub(super) struct Checked {
    pub(super) data: Arc<Dataset>,
    contradictions: Vec<Contradiction>,
    issues: Vec<Issue>,
}

pub(super) struct List {
    pub(super) update: Arc<Update>,
    ticked: Vec<bool>,
    counts: Vec<Counts>,
    filter: String,
    /// Lines that pass the filter, and the filter that they were found for.
    passed: Vec<usize>,
    made_for: Option<String>,
    /// True if the check is older than the last tick.
    stale: bool,
    checking: Later<Checked>,
    checked: Option<Checked>,
}

impl List {
    /// The list with all lines ticked.
    pub(super) fn new(update: Update) -> Self {
        let (ticked, counts) = (vec![true; update.changes.len()], update.counts());
        let (update, checking) = (Arc::new(update), Later::default());
        let (filter, passed) = (String::new(), Vec::new());
        Self { update, ticked, counts, filter, passed, made_for: None, stale: true, checking, checked: None }
    }

    /// Starts and takes in the check of the ticked lines.
    ///
    /// # Errors
    /// Why the check broke off.
    pub(super) fn poll(&mut self, ctx: &Context, problem: &'static dyn Problem) -> Result<(), String> {
        match self.checking.take_result() {
            Some(Ok(checked)) => self.checked = Some(checked),
            Some(Err(why)) => return Err(format!("The check broke off: {why}")),
            None => {}
        }
        if self.stale && !self.checking.is_busy() {
            self.stale = false;
            let (update, ticked) = (Arc::clone(&self.update), self.ticked.clone());
            self.checking.begin(ctx, "check update", move || {
                let data = update.applied(&ticked);
                let contradictions = update.contradictions(&data, &ticked);
                let issues = (problem.descriptor().check_data)(&data).err().unwrap_or_default();
                Checked { data: Arc::new(data), contradictions, issues }
            });
        }
        Ok(())
    }

    /// The data that the ticked lines make; `None` while they are being checked.
    pub(super) fn checked(&self) -> Option<&Checked> {
        self.checked.as_ref().filter(|_| !self.stale && !self.checking.is_busy())
    }

    /// Number of ticked lines in words.
    pub(super) fn total(&self) -> String {
        ticked_words(self.ticked.iter().filter(|is_ticked| **is_ticked).count(), self.ticked.len())
    }

    /// Reason why the ticked lines cannot be taken over.
    pub(super) fn obstacle(&self, specs: &[TableSpec]) -> Option<String> {
        if !self.ticked.contains(&true) {
            return Some("Tick the lines to take over".to_owned());
        }
        let Some(checked) = self.checked() else { return Some("Checking the ticked lines".to_owned()) };
        let first = checked.contradictions.first().map(|one| one.text.clone());
        first.or_else(|| Some(checked.issues.first()?.text(specs)))
    }

    fn tick(&mut self, lines: impl Iterator<Item = usize>, is_ticked: bool) {
        for line in lines {
            if let Some(place) = self.ticked.get_mut(line) {
                *place = is_ticked;
            }
        }
        self.stale = true;
    }

    /// Lines of a table, which follow each other.
    fn lines_of(&self, table: usize) -> Range<usize> {
        let before = |end: usize| self.update.changes.partition_point(|(of, _)| *of < end);
        before(table)..before(table + 1)
    }

    fn refresh(&mut self) {
        if self.made_for.as_ref() == Some(&self.filter) {
            return;
        }
        let wanted = self.filter.trim().to_lowercase();
        let passes = |line: &usize| wanted.is_empty() || self.update.text(*line).to_lowercase().contains(&wanted);
        self.passed = (0..self.update.changes.len()).filter(passes).collect();
        self.made_for = Some(self.filter.clone());
    }

    /// Draws the list; returns `true` if a tick was changed.
    pub(super) fn show(&mut self, ui: &mut Ui, specs: &'static [TableSpec]) -> bool {
        let before = self.stale;
        self.stale = false;
        self.table_ticks(ui, specs);
        self.filter_line(ui);
        self.faults(ui, specs);
        self.refresh();
        self.rows(ui, specs);
        let is_changed = self.stale;
        self.stale |= before;
        if self.stale {
            ui.ctx().request_repaint();
        }
        is_changed
    }

    /// Draws a tick for each table with differences.
    fn table_ticks(&mut self, ui: &mut Ui, specs: &[TableSpec]) {
        ui.horizontal_wrapped(|ui| {
            for (table, spec) in specs.iter().enumerate() {
                let words = self.counts[table].text();
                if words.is_empty() {
                    continue;
                }
                let lines = self.lines_of(table);
                let ticked = self.ticked[lines.clone()].iter().filter(|is_ticked| **is_ticked).count();
                let mut is_ticked = ticked == lines.len();
                let label = format!("{}: {words}", spec.title);
                let tick = Checkbox::new(&mut is_ticked, label).indeterminate(ticked > 0 && ticked < lines.len());
                if ui.add(tick).on_hover_text("Tick all lines of the table, or none").changed() {
                    self.tick(lines, is_ticked);
                }
                ui.add_space(space::M);
            }
        });
    }

    fn filter_line(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let field = Field::new("Filter of the differences").hint("Filter").margin(8, 5).width(240.0);
            field.live(ui, &mut self.filter);
            let shown = format!("{} of {}", grouped(self.passed.len() as u64), grouped(self.ticked.len() as u64));
            ui.label(RichText::new(shown).color(palette(ui.visuals()).weak));
            for (words, icon, is_ticked) in [("Tick shown", Icon::Check, true), ("Untick shown", Icon::Cross, false)] {
                if button(ui, icon, words, !self.passed.is_empty()).clicked() {
                    self.tick(self.passed.clone().into_iter(), is_ticked);
                }
            }
        });
    }

    /// Draws what contradicts itself or makes no sense.
    fn faults(&mut self, ui: &mut Ui, specs: &[TableSpec]) {
        let Some(checked) = self.checked() else { return };
        if checked.contradictions.is_empty() && checked.issues.is_empty() {
            return;
        }
        let colour = palette(ui.visuals()).bad;
        let needed: Vec<(usize, bool)> = checked
            .contradictions
            .iter()
            .map(|one| (one.line, matches!(self.update.changes[one.line].1, Change::Added { .. })))
            .collect();
        let texts = checked.contradictions.iter().map(|one| one.text.clone());
        // References to rows that are not there are contradictions in other words.
        let issues = checked.issues.iter().filter(|_| needed.is_empty()).map(|issue| issue.text(specs));
        let all = needed.len() + if needed.is_empty() { checked.issues.len() } else { 0 };
        let mut texts: Vec<String> = texts.chain(issues).take(SHOWN).collect();
        if all > texts.len() {
            texts.push(format!("… and {} more", grouped((all - texts.len()) as u64)));
        }
        ScrollArea::vertical().id_salt("faults").max_height(96.0).auto_shrink([false, true]).show(ui, |ui| {
            for text in texts {
                ui.add(Label::new(RichText::new(text).color(colour)).wrap().selectable(true));
            }
        });
        if !needed.is_empty() {
            let help = "Tick added rows that ticked lines name; keep rows that other lines name";
            if button(ui, Icon::Check, "Tick what belongs together", true).on_hover_text(help).clicked() {
                for (line, is_ticked) in needed {
                    self.tick(std::iter::once(line), is_ticked);
                }
            }
        }
    }

    fn rows(&mut self, ui: &mut Ui, specs: &[TableSpec]) {
        let text = |name: &'static str, width: f32| {
            TableColumn::text(name, Column::initial(width).at_least(48.0).clip(true).resizable(true))
        };
        let table = Table {
            id: "differences",
            columns: vec![
                TableColumn::<()>::text("", Column::exact(28.0)),
                text("Table", 110.0),
                text("What", 72.0),
                text("Row", 170.0),
                text("Column", 130.0),
                text("Before", 200.0),
                TableColumn::text("After", Column::remainder().at_least(120.0).clip(true)),
            ],
            order: SortOrder::ascending(()),
            is_striped: true,
            reveal: None,
        };
        let (update, passed, ticked) = (&self.update, &self.passed, &mut self.ticked);
        let mut is_changed = false;
        let colours = palette(ui.visuals());
        let outcome = table.show(ui, passed.len(), |row, at| {
            let Some(&line) = passed.get(at) else { return };
            let words = update.line(line);
            let title = update.changes.get(line).map_or("", |(table, _)| specs[*table].title);
            let Some(is_ticked) = ticked.get_mut(line) else { return };
            row.col(|ui| {
                let response = ui.add(Checkbox::without_text(is_ticked));
                is_changed |= response.changed();
                let label = format!("Tick {}", update.text(line));
                response.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, *is_ticked, &label));
            });
            let colour = match words.kind {
                "Added" => colours.good,
                "Removed" => colours.bad,
                _ => colours.text,
            };
            let cells = [
                (title, colours.weak),
                (words.kind, colour),
                (words.row.as_str(), colours.text),
                (words.column.as_str(), colours.text),
                (words.before.as_str(), colours.weak),
                (words.after.as_str(), colours.text),
            ];
            for (cell, colour) in cells {
                row.col(|ui| {
                    ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| {
                        ui.add(Label::new(RichText::new(cell).color(colour)).truncate().selectable(false));
                    });
                });
            }
            label_row(row, *is_ticked, || update.text(line));
        });
        if let Some(line) = outcome.row.and_then(|at| self.passed.get(at).copied()) {
            let is_ticked = self.ticked[line];
            self.tick(std::iter::once(line), !is_ticked);
        }
        self.stale |= is_changed;
    }
}
