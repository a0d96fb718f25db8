//! A single-machine problem as a document of the window.

use std::sync::Arc;

use egui::Ui;
use gridwright_window::document::solutions::{Checked, SolutionExport};
use gridwright_window::document::{Document, DocumentKind, SolutionView, Texts};
use gridwright_window::problem::ProblemUi;
use gridwright_window::widgets::convergence::Quantity;
use gridwright_window::widgets::scene;
use gridwright_window::window::command::Command;

use super::drawing;
use super::instance::Instance;
use super::problem::Tardiness;

/// Weighted tardiness: registration in the window.
pub static UI: ProblemUi = ProblemUi {
    samples: &[("sample:forty-jobs", "Forty jobs", "40 jobs")],
    endings: &["csv"],
    ..ProblemUi::of::<TardinessViews>()
};

/// State of the views, which have none.
pub struct TardinessViews;

impl DocumentKind for TardinessViews {
    type Problem = Tardiness;
    type Demands = ();
    type Checked = Checked<Vec<usize>>;
    type Picture = Arc<Vec<usize>>;
    type View = SolutionView;
    type Selection = usize;
    type Exported = SolutionExport<Self>;

    const TEXTS: Texts = Texts { lacks: "Some jobs are missing or stand twice.", ..Texts::NEUTRAL };

    fn new(_instance: &Instance) -> Self {
        Self
    }

    fn quantity(_document: &Document<Self>) -> Quantity {
        Quantity { name: "Weighted tardiness", help: "The sum over all late jobs of weight × tardiness" }
    }

    fn best_solution(_instance: &Instance, best: &Arc<Vec<usize>>) -> Option<Arc<Vec<usize>>> {
        Some(Arc::clone(best))
    }

    fn show_view(ui: &mut Ui, document: &mut Document<Self>, _commands: &mut Vec<Command>) {
        let Some(sequence) = document.picture().cloned() else { return };
        let selected = document.selected.and_then(|job| sequence.iter().position(|&other| other == job));
        let instance = Arc::clone(&document.instance);
        let draw = |width, height, dark| drawing::gantt(&instance, &sequence, [width, height], dark);
        if let Some(picked) = scene::show(ui, selected, draw).picked {
            document.selected = picked.and_then(|index| sequence.get(index).copied());
        }
    }
}
