//! A single-machine problem as a document of the window.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::Result;
use gridwright_core::export::formats::Format;
use gridwright_core::result::RunResult;
use gridwright_window::document::{self, Checked, Document, DocumentKind, Refusal, Run, SolutionView, Texts};
use gridwright_window::problem::ProblemUi;
use gridwright_window::runs::RunStatus;
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
    type Exported = (Arc<Instance>, Arc<Vec<usize>>);

    const TEXTS: Texts = Texts { lacks: "Some jobs are missing or stand twice.", ..Texts::NEUTRAL };

    fn new(_instance: &Instance) -> Self {
        Self
    }

    fn validate(instance: &Instance, result: RunResult) -> Option<Run<Self>> {
        document::validate::<Self>(instance, result)
    }

    fn cost(checked: &Checked<Vec<usize>>) -> f64 {
        checked.cost
    }

    fn quantity(_document: &Document<Self>) -> Quantity {
        Quantity { name: "Weighted tardiness", help: "The sum over all late jobs of weight × tardiness" }
    }

    fn best_solution(_instance: &Instance, best: &Arc<Vec<usize>>) -> Option<Arc<Vec<usize>>> {
        Some(Arc::clone(best))
    }

    fn run_solution(_document: &Document<Self>, run: &Run<Self>) -> Option<Arc<Vec<usize>>> {
        (run.status == RunStatus::Valid).then(|| Arc::clone(&run.solution))
    }

    fn picture(_document: &Document<Self>, solution: Arc<Vec<usize>>) -> Arc<Vec<usize>> {
        solution
    }

    fn solution(picture: &Arc<Vec<usize>>) -> &Arc<Vec<usize>> {
        picture
    }

    fn demands(_instance: &Instance) {}

    fn show_view(ui: &mut Ui, document: &mut Document<Self>, _commands: &mut Vec<Command>) {
        let Some(sequence) = document.picture().cloned() else { return };
        let selected = document.selected.and_then(|job| sequence.iter().position(|&other| other == job));
        let instance = Arc::clone(&document.instance);
        let draw = |width, height, dark| drawing::gantt(&instance, &sequence, [width, height], dark);
        if let Some(picked) = scene::show(ui, selected, draw).picked {
            document.selected = picked.and_then(|index| sequence.get(index).copied());
        }
    }

    fn exported(document: &Document<Self>, _format: &Format) -> std::result::Result<Self::Exported, Refusal> {
        let sequence = document.picture().ok_or("Solve first; there is no sequence yet")?;
        Ok((Arc::clone(&document.instance), Arc::clone(sequence)))
    }

    fn export_bytes((instance, sequence): &Self::Exported, ending: &str) -> Result<Vec<u8>> {
        drawing::encode(instance, sequence, ending)
    }
}
