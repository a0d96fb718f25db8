//! State of the views of an open layout problem.

use easy_ext::ext;
use std::collections::HashMap;
use std::sync::Arc;

use gridwright_facility::library;
use gridwright_facility::{Instance, Layout};

use super::flows::Matrix;
use super::following::answers::{Answers, LastMove};
use super::history::IslandHistory;
use super::migration::IslandViews;
use super::pairs::Table;
use super::plan::{self, Plan};
use super::underlay::UnderlayView;
use super::view::View;
use crate::widgets::floorplan::{self, Link, Moved, strongest};
use gridwright_window::document;
use gridwright_window::runs::Shown;

/// An open layout problem.
pub type Document = document::Document<FacilityViews>;

/// A listed run.
pub type Run = document::Run<FacilityViews>;

/// Default number of flows that are drawn.
const LINES: usize = 60;

/// Display options of the floor plan.
#[derive(Debug, Clone)]
pub struct Floor {
    /// Zoom and position of the plan.
    pub view: floorplan::View,
    /// Zoom and position of the compared layout.
    pub other: floorplan::View,
    /// True to draw flows.
    pub lines: bool,
    /// The least flow that is drawn.
    pub threshold: f64,
    /// True to draw the compared layout over the plan.
    pub(crate) overlay: bool,
    /// True to draw names of bays, lengths and a scale around the plan.
    pub dimensions: bool,
}

/// State of the views of a layout problem.
pub struct FacilityViews {
    /// Display options of the floor plan.
    pub floor: Floor,
    pub(crate) matrix: Matrix,
    /// View state of the table of pairs.
    pub(crate) table: Table,
    /// Histories of the islands, by run number.
    pub(crate) histories: HashMap<usize, IslandHistory>,
    /// State of the view of islands and migrations.
    pub islands: IslandViews,
    /// Picture or drawing of the building below the floor plan.
    pub underlay: UnderlayView,
    /// Departments that follow one which is dragged or was moved.
    pub(crate) following: Answers,
    /// Move of the department that is carried, if it were dropped now.
    pub(crate) carried: Option<Moved>,
    /// Last move of a department by hand.
    pub(crate) last_move: Option<LastMove>,
    links: Arc<[Link]>,
}

impl FacilityViews {
    /// The state with which an instance is opened.
    pub fn of(instance: &Instance) -> Self {
        let links = plan::links(instance);
        let floor = Floor {
            view: floorplan::View::default(),
            other: floorplan::View::default(),
            lines: true,
            threshold: strongest(&links, LINES),
            overlay: false,
            dimensions: true,
        };
        let (matrix, table) = (Matrix::default(), Table::default());
        let (histories, islands) = (HashMap::new(), IslandViews::default());
        let (underlay, following) = (UnderlayView::default(), Answers::default());
        Self { floor, matrix, table, histories, islands, underlay, following, carried: None, last_move: None, links }
    }

    /// All flows, the strongest first.
    pub fn links(&self) -> &Arc<[Link]> {
        &self.links
    }
}

/// Shown run and selected department of a layout.
#[ext(StateMethods)]
impl Document {
    /// One line about a department, for lists.
    pub fn department_line(&self, department: usize) -> String {
        let touches = |link: &&Link| link.from == department || link.to == department;
        let flow: f64 = self.links().iter().filter(touches).map(|link| link.weight).sum();
        let area = floorplan::area_in(self.instance.unit, self.instance.departments[department].area);
        format!("area {area}, flow {}", floorplan::length(flow))
    }

    /// Unit of the flows for the end of a text, such as «, in pallets/day»; empty if unknown.
    pub fn flow_unit(&self) -> String {
        let unit = &self.instance.flow_unit;
        if unit.is_empty() { String::new() } else { format!(", in {unit}") }
    }

    /// The least cost that anybody has published; `None` if no cost was published.
    pub fn best_known(&self) -> Option<f64> {
        library::best_known(&self.instance)
    }

    /// The layout that is shown, checked; it may break limits, which it then says; `None` if nothing is shown.
    pub fn plan(&self) -> Option<&Arc<Plan>> {
        self.picture()
    }

    /// The plan of a layout by the present rules.
    pub fn plan_of(&self, layout: Arc<Layout>) -> Plan {
        Plan::of(&self.instance, layout, Arc::clone(&self.links))
    }

    /// Display name of the shown layout.
    pub fn shown_name(&self) -> String {
        self.name_of(self.shown)
    }

    /// Shows one run beside another one.
    pub fn compare(&mut self, a: usize, b: usize) {
        let (now, before) = if self.shown == Shown::Run(a) { (a, b) } else { (b, a) };
        self.show_run(now);
        self.compare_with(Some(Shown::Run(before)));
        self.view = View::Compare;
    }

    /// Selects a department and brings it into view.
    pub fn go_to(&mut self, department: usize) {
        if department < self.instance.len() {
            self.selected = Some(department);
            self.floor.view.reveal(department);
            self.matrix.reveal(department);
        }
    }
}
