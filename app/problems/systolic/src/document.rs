//! Binary problems as documents of the window.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use egui::Ui;
use gridwright_core::Result;
use gridwright_core::backend::{Backend, Device, Limits, MemoryNeed};
use gridwright_core::data::{Dataset, Tables};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::result::{Encoded, RunResult};
use gridwright_systolic::check::check;
use gridwright_systolic::cuda::memory_need;
use gridwright_systolic::export;
use gridwright_systolic::formats::solution;
use gridwright_systolic::run::{self};
use gridwright_systolic::stored;
use gridwright_systolic::{BestBits, Grid, Instance, Kind, problem};

use super::playing::{self, Playing};
use super::results::{self, CheckedBits};
use super::state::{Document, Run, SystolicViews};
use super::view::View;
use super::{
    batch, bits, contents, diversity, evolution, flavours, grid, inspector, operators, releases, rules, settings,
};
use crate::methods::*;
use crate::widgets::grid_playback::Cell;
use gridwright_core::export::Writing;
use gridwright_core::export::formats::Format;
use gridwright_core::planning::Planning as _;
use gridwright_core::recognition::is_solution_of;
use gridwright_window::document::{CheckedRun, DocumentKind, ExportedSolution, Refusal, Texts};
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::session::Checkpoint;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::convergence::{Look, Quantity, Reference};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::window::command::{Command, ProblemCommand};

type SolveRequest = gridwright_window::document::SolveRequest<SystolicViews>;

/// Bits of an export, with the run that found them.
pub struct Exported {
    instance: Arc<Instance>,
    result: Arc<RunResult>,
    bits: Arc<Vec<bool>>,
    letterhead: Letterhead,
}

impl CheckedRun<SystolicViews> for CheckedBits {
    fn validate(instance: &Instance, result: RunResult) -> Option<Run> {
        Some(results::validate(instance, result))
    }

    fn cost(&self) -> f64 {
        self.cost
    }
}

impl ExportedSolution<SystolicViews> for Exported {
    fn of(document: &Document, _format: &Format) -> std::result::Result<Self, Refusal> {
        let run = document.shown_run().ok_or("Solve first; there is no solution yet")?;
        let (instance, result) = (Arc::clone(&document.instance), Arc::clone(&run.result));
        Ok(Exported { instance, result, bits: Arc::clone(&run.bits), letterhead: document.letterhead().clone() })
    }

    fn bytes(&self, ending: &str, _writing: &Writing) -> Result<Vec<u8>> {
        let Exported { instance, result, bits, letterhead } = self;
        export::any(instance, bits, Some(result), letterhead, ending)
    }
}

impl DocumentKind for SystolicViews {
    type Problem = problem::Systolic;
    type Demands = ();
    type Checked = CheckedBits;
    type Picture = Arc<Vec<bool>>;
    type View = View;
    type Selection = Cell;
    type Exported = Exported;

    const TEXTS: Texts = Texts {
        icon: Icon::Cells,
        lacks: "",
        preparing: "The first solutions are being drawn.",
        watch: "Press Solve and watch it beat",
        project: Some("The data, all runs and how you look at them in one file. It is kept up to date as you work."),
        by_hand: "the solution was made by hand",
        foreign_edits: "The bits are no longer those of this instance",
        incomplete: "does not fit",
        elsewhere: "of another weight of cost and value",
    };
    const SHOWS_BEST: bool = false;
    const COMMANDS: &'static [ProblemCommand] = &playing::COMMANDS;

    fn stored_options(instance: &Instance) -> BTreeMap<String, String> {
        results::options(instance)
    }

    fn new(instance: &Instance) -> Self {
        Self::of(instance)
    }

    fn opened(document: &mut Document) {
        // Knapsacks that are too heavy are worth so little that nothing else would be seen.
        let logarithmic = matches!(document.instance.kind, Kind::Knapsack { .. });
        document.look = Look { steps: true, logarithmic };
    }

    fn default_settings() -> run::Settings {
        settings::defaults()
    }

    fn fit_settings(settings: run::Settings, instance: &Instance) -> run::Settings {
        settings::fitted(settings, instance)
    }

    fn memory_need(
        instance: &Instance, settings: &run::Settings, _backend: Backend, limits: &Limits,
    ) -> Result<Option<MemoryNeed>> {
        memory_need(instance, &settings.algorithm, limits).map(Some)
    }

    fn is_listed(document: &Document, run: &Run) -> bool {
        run.tenths == document.tenths()
    }

    fn figure(_document: &Document, run: &Run) -> String {
        run.words.clone()
    }

    fn best_value(document: &Document, checkpoint: &Checkpoint<BestBits>) -> String {
        document.words(checkpoint.progress.snapshot.best_cost)
    }

    fn run_ended(document: &mut Document, number: usize, listed: bool, last: Option<&BestBits>) {
        if let Some(last) = last.filter(|_| listed) {
            document.remember_last(number, Arc::clone(&last.frame));
        }
    }

    fn best_solution(_instance: &Instance, _best: &Arc<BestBits>) -> Option<Arc<Vec<bool>>> {
        None
    }

    fn run_removed(document: &mut Document, number: usize) {
        document.forget_recording(number);
        document.ruling.forget(number);
    }

    fn quantity(document: &Document) -> Quantity {
        match (document.optimum().is_some(), &document.instance.kind) {
            (true, Kind::Knapsack { .. }) => Quantity {
                name: "Profit missing",
                help: "How much profit is missing to the optimum; knapsacks that are too heavy are far below it",
            },
            (true, _) => Quantity { name: "Fitness missing", help: "How much fitness is missing to the optimum" },
            (false, _) => Quantity { name: "Fitness", help: "What solutions are worth" },
        }
    }

    /// The optimum, whose place on a logarithmic axis nobody expects.
    fn references(document: &Document) -> Vec<Reference> {
        let optimum = || Reference {
            name: "Optimum".to_owned(),
            value: 0.0,
            source: <Self::Problem>::best_known_source(&document.instance, &()).unwrap_or_default(),
        };
        (document.look.logarithmic && document.optimum().is_some()).then(optimum).into_iter().collect()
    }

    /// Distance from the optimum where that is known, otherwise the fitness.
    fn curve_value(document: &Document) -> Option<Box<dyn Fn(f64) -> f64 + '_>> {
        let kind = &document.instance.kind;
        let is_known = document.optimum().is_some();
        Some(Box::new(move |cost| match is_known {
            true => document.error(cost).unwrap_or_default(),
            false => kind.fitness(cost),
        }))
    }

    fn has_picture(document: &Document) -> bool {
        let has_run = match (document.shown, document.shown_run()) {
            (Shown::Live, _) => true,
            (_, Some(run)) => !matches!(run.status, RunStatus::Wrong(_)),
            _ => false,
        };
        has_run || !document.view.needs_run()
    }

    fn before_run(document: &mut Document, number: usize) {
        let tenths = document.run(number).and_then(|run| run.tenths).filter(|_| !document.is_solving());
        if let Some(tenths) = tenths {
            document.weigh(tenths);
        }
    }

    fn shown_changed(document: &mut Document) {
        document.player.follow();
    }

    fn made_by_hand(request: &SolveRequest, made: &Arc<Vec<bool>>) -> Option<(Arc<BestBits>, f64)> {
        let instance = &request.instance;
        let verdict = check(instance, made);
        let best = BestBits::alone(Grid::new(instance.bits()), made, verdict.cost(), verdict.violations.is_empty());
        Some((Arc::new(best), verdict.cost()))
    }

    fn read_solution(instance: &Instance, path: &Path) -> Option<Result<(Vec<bool>, Vec<String>)>> {
        let read = || solution::read(path, instance).map(|file| (file.bits, file.warnings));
        is_solution_of(path, <Self::Problem>::PROBLEM).then(read)
    }

    /// The weight of a release is chosen beside the algorithm, too.
    fn present_tables(document: &Document) -> Option<Arc<Dataset>> {
        let data = &document.work().data;
        let is_weighed = document.tenths() != results::tenths(&data.instance);
        is_weighed.then(|| {
            let weighed = document.instance.to_data();
            Arc::new(Dataset { hash: data.tables.hash.clone(), rest: data.tables.rest.clone(), ..weighed })
        })
    }

    fn decode_draft(instance: &Instance, solution: &Encoded) -> Option<Vec<bool>> {
        stored::decode(instance, solution).ok()
    }

    fn settings_bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
        settings::bar(ui, document, devices);
    }

    fn parameters(ui: &mut Ui, document: &mut Document) {
        settings::panel(ui, document);
    }

    fn inspector(ui: &mut Ui, document: &mut Document) {
        inspector::show(ui, document);
    }

    fn banners(_ui: &mut Ui, _document: &mut Document, _commands: &mut Vec<Command>) {}

    fn show_view(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
        match document.view {
            View::Grid => grid::show(ui, document),
            View::Operators => operators::show(ui, document),
            View::Diversity => diversity::show(ui, document),
            View::Bits => bits::show(ui, document),
            View::Flavours => flavours::show(ui, document),
            View::Batch => batch::show(ui, document),
            View::Releases => releases::show(ui, document),
            View::Contents => contents::show(ui, document, commands),
            View::Rules => rules::show(ui, document, commands),
            View::Evolution => evolution::show(ui, document),
        }
    }

    fn fit(document: &mut Document) {
        match document.view {
            View::Operators => document.operating.view.fit(),
            View::Bits => document.raster.axes.fit(),
            View::Evolution => document.evolving.fit(),
            _ => document.gridding.view.fit(),
        }
    }

    fn zoom(document: &mut Document, factor: f32) {
        match document.view {
            View::Operators => document.operating.view.zoom(factor),
            View::Bits => document.raster.axes.zoom(factor),
            View::Evolution => document.evolving.zoom(factor),
            _ => document.gridding.view.zoom(factor),
        }
    }

    fn has_selection(document: &Document) -> bool {
        document.selected.is_some() || document.solution.is_some()
    }

    fn deselect(document: &mut Document) {
        document.selected = None;
        document.state.solution = None;
    }

    fn items(document: &Document) -> Vec<(usize, String, String)> {
        let item = |bit| (bit, operators::bit_name(document, bit).to_lowercase(), document.bit_line(bit));
        (0..document.instance.names.len()).map(item).collect()
    }

    fn go_to(document: &mut Document, item: usize) {
        document.go_to(item);
    }

    fn run_command(document: &mut Document, command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        Playing::of(command).map_or(Ok(()), |what| document.play(what))
    }

    fn exportable(document: &Document) -> std::result::Result<(), Refusal> {
        match (document.shown, document.shown_run()) {
            (Shown::Live, _) => Err("Stop the run first; a solution can be exported when it has been checked"),
            (_, Some(run)) if !matches!(run.status, RunStatus::Wrong(_)) => Ok(()),
            (_, Some(_)) => Err("This result did not pass the check and cannot be exported"),
            _ => Err("Solve first; there is no solution yet"),
        }
    }

    fn export_options(ui: &mut Ui, _document: &mut Document, format: &Format) {
        if export::run::shows_run(format.ending) {
            let words = "The run is made again from its seed, which takes as long as it took.";
            ui.label(theme::small(words).color(palette(ui.visuals()).weak));
            ui.add_space(space::XS);
        }
    }
}
