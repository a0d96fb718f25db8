//! View of the from-to matrix: flows between departments, and closeness ratings.

use std::sync::Arc;

use egui::Ui;
use gridwright_facility::Instance;

use super::Document;
use super::plan::Plan;
use crate::methods::*;
use crate::widgets::floorplan::{area_in, length};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::segmented;
use gridwright_window::widgets::heatmap::{self, Cell, Sizes, Source, View};

/// Order of the departments in the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
enum Sort {
    #[default]
    File,
    /// Most flow first.
    Flow,
    /// By bay, then by position in the bay.
    Place,
}

impl Sort {
    const ALL: [Self; 3] = gridwright_core::variants();
}

/// View state of the from-to matrix as chosen by the user.
#[derive(Default)]
pub(crate) struct Matrix {
    /// Zoom and position of the matrix.
    pub view: View,
    sort: Sort,
    reveal: Option<usize>,
}

impl Matrix {
    /// Brings a department into view.
    pub(crate) fn reveal(&mut self, department: usize) {
        self.reveal = Some(department);
    }
}

/// Colours have a scale of whole numbers.
const SCALE: f64 = 40.0;

struct Chart<'a> {
    instance: &'a Instance,
    order: Vec<usize>,
    /// The row of each department.
    rows: Vec<usize>,
    most: f64,
    revision: u64,
    plan: Option<&'a Plan>,
}

impl<'a> Chart<'a> {
    fn new(document: &'a Document, plan: Option<&'a Plan>) -> Self {
        let (instance, sort) = (&*document.instance, document.matrix.sort);
        let count = instance.len();
        let mut order: Vec<usize> = (0..count).collect();
        match (sort, plan) {
            (Sort::Flow, _) => {
                let mut totals = vec![0.0; count];
                for link in document.links().iter() {
                    for end in [link.from, link.to] {
                        // Doors are no rows.
                        totals.get_mut(end).into_iter().for_each(|total| *total += link.weight);
                    }
                }
                order.sort_by(|&one, &other| totals[other].total_cmp(&totals[one]));
            }
            (Sort::Place, Some(plan)) => {
                order = plan.layout.departments().map(usize::from).collect();
            }
            _ => {}
        }
        let mut rows = vec![0; count];
        order.iter().enumerate().for_each(|(row, &department)| rows[department] = row);
        let most = instance.flows.iter().copied().fold(0.0, f64::max).max(1e-12);
        // The plan decides the order of rows where they stand as they lie.
        let revision = match sort {
            Sort::File => 1,
            Sort::Flow => 2,
            Sort::Place => 3 + plan.map_or(0, |plan| plan.picture.revision),
        };
        Self { instance, order, rows, most, revision, plan }
    }

    fn flow(&self, from: usize, to: usize) -> f64 {
        self.instance.flows[from * self.instance.len() + to]
    }

    fn rating(&self, one: usize, other: usize) -> Option<char> {
        let pair = [(one, other), (other, one)].map(|(a, b)| (a as u16, b as u16));
        self.instance.closeness.iter().find(|(a, b, _)| pair.contains(&(*a, *b))).map(|wish| wish.2)
    }

    fn name(&self, department: usize) -> &str {
        &self.instance.departments[department].name
    }
}

impl Source for Chart<'_> {
    fn count(&self) -> usize {
        self.order.len()
    }

    fn cells(&self, row: usize, cells: &mut Vec<Cell>) {
        let Some(&from) = self.order.get(row) else { return };
        for (column, &to) in self.order.iter().enumerate() {
            let flow = self.flow(from, to);
            if flow > 0.0 {
                // So many steps up to the largest; what is above nought is never invisible.
                let value = ((flow / self.most * SCALE).ceil() as u32).max(1);
                cells.push(Cell { column, value, alarm: false });
            }
        }
    }

    fn highest(&self) -> u32 {
        SCALE as u32
    }

    fn label(&self, index: usize) -> String {
        self.order.get(index).map_or_else(String::new, |&department| self.name(department).to_owned())
    }

    fn text(&self, row: usize, cell: &Cell) -> String {
        let pair = self.order.get(row).zip(self.order.get(cell.column));
        pair.map_or_else(String::new, |(&from, &to)| length(self.flow(from, to)))
    }

    fn letters(&self, row: usize, letters: &mut Vec<(usize, char)>) {
        let Some(&department) = self.order.get(row) else { return };
        for &(one, other, rating) in &self.instance.closeness {
            let (one, other) = (usize::from(one), usize::from(other));
            match department {
                here if here == one => letters.push((self.rows[other], rating)),
                here if here == other => letters.push((self.rows[one], rating)),
                _ => {}
            }
        }
    }

    fn sizes(&self) -> Sizes {
        Sizes { fitted: 54.0, largest: 64.0, names: 108.0, heads: 96.0 }
    }

    fn describe(&self, row: usize, column: usize) -> String {
        let Some((&from, &to)) = self.order.get(row).zip(self.order.get(column)) else { return String::new() };
        if from == to {
            let area = area_in(self.instance.unit, self.instance.departments[from].area);
            return format!("{}, area {area}", self.name(from));
        }
        let flow = match self.flow(from, to) {
            0.0 => "nothing".to_owned(),
            flow => length(flow),
        };
        let mut words = format!("From {} to {}: {flow}", self.name(from), self.name(to));
        let products: Vec<String> = self
            .instance
            .products_between(from, to)
            .map(|(product, trips)| format!("{} {}", product.name, length(trips)))
            .collect();
        if !products.is_empty() {
            words.push_str(&format!(" (products: {})", products.join(", ")));
        }
        if let Some(rating) = self.rating(from, to) {
            words.push_str(&format!(", closeness {rating} ({})", rating_words(rating)));
            if let Some(plan) = self.plan.filter(|_| rating != 'U') {
                words.push_str(match (plan.meets(from, to, rating), rating) {
                    (true, 'X') => ", kept",
                    (false, 'X') => ", violated",
                    (true, _) => ", met",
                    (false, _) => ", not met",
                });
            }
        }
        words
    }

    fn revision(&self) -> u64 {
        self.revision
    }

    fn summary(&self) -> String {
        let flows = self.instance.flows.iter().filter(|flow| **flow > 0.0).count();
        format!("From-to matrix, {} departments, {flows} flows", self.count())
    }
}

/// Returns the meaning of a closeness rating.
pub(crate) fn rating_words(rating: char) -> &'static str {
    match rating {
        'A' => "absolutely necessary",
        'E' => "especially important",
        'I' => "important",
        'O' => "ordinary closeness",
        'X' => "not desirable",
        _ => "unimportant",
    }
}

/// Shows the matrix; a click selects the department of a row.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let plan = document.plan().cloned();
    let instance = Arc::clone(&document.instance);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let choices = [
            ("As in the file", "Departments in the order of the file", true),
            ("By flow", "Departments with most flow first", true),
            ("As they lie", "Bay by bay, as in the layout that is shown", plan.is_some()),
        ];
        let chosen = Sort::ALL.iter().position(|sort| *sort == document.matrix.sort);
        if let Some(sort) = segmented(ui, &choices, chosen).and_then(|index| Sort::ALL.get(index)) {
            document.matrix.sort = *sort;
        }
        let weak = palette(ui.visuals()).weak;
        let unit = document.flow_unit();
        ui.label(theme::small(format!("Rows: from, columns: to{unit}")).color(weak));
        if !instance.closeness.is_empty() {
            let help = "A absolutely necessary, E especially important, I important, O ordinary, U unimportant, X not desirable";
            ui.label(theme::small("Letters: closeness wished").color(weak)).on_hover_text(help);
        }
    });
    let mut view = std::mem::take(&mut document.matrix.view);
    let wanted = document.matrix.reveal.take();
    let (outcome, clicked) = {
        let chart = Chart::new(document, plan.as_deref());
        if let Some(row) = wanted.and_then(|department| chart.rows.get(department)) {
            view.reveal(*row);
        }
        let selected = document.selected.and_then(|department| chart.rows.get(department)).copied();
        let outcome = heatmap::show(ui, &chart, &mut view, selected);
        if let Some((row, column)) = outcome.hovered.filter(|_| !outcome.response.dragged()) {
            outcome.response.clone().on_hover_text_at_pointer(chart.describe(row, column));
        }
        let clicked = outcome.clicked.map(|cell| cell.and_then(|(row, _)| chart.order.get(row).copied()));
        (outcome, clicked)
    };
    document.matrix.view = view;
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(department) = clicked {
        document.selected = department;
    }
}
