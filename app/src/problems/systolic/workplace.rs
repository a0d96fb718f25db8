//! A binary problem as the frame of the window sees it.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Frame, Margin, Ui};
use gridwright_solver::backend::Device;
use gridwright_solver::systolic::cuda::memory_need;
use gridwright_solver::systolic::{BestBits, Kind};

use crate::device_memory::Question;
use crate::exporting::Format;
use crate::problems::systolic::desk::Live;
use crate::problems::systolic::exporting::{format_of, needs_grid, with_format};
use crate::problems::systolic::settings::{algorithm_name, short_name};
use crate::problems::systolic::solving::{Run, instance_key};
use crate::problems::systolic::{
    Desk, batch, bits, diversity, flavours, grid, inspector, operators, releases, settings,
};
use crate::run_list::{Going, List, Row};
use crate::runs::{Shown, Standing as Verdict};
use crate::session::{Kept, Ongoing};
use crate::store::{Problem, Store};
use crate::theme::{self, Palette, palette, space};
use crate::widgets::convergence::Look;
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;
use crate::window::workplace::shared::{self, Instead, Nothing};
use crate::window::workplace::{Export, Listed, Removed, Standing, View, Workplace};
use crate::window::{Command, Services};
use gridwright_solver::search::Algorithms;

const NO_EDITS: &str = "Binary problems are not changed by hand";

impl Workplace for Desk {
    fn problem(&self) -> Problem {
        Problem::Systolic
    }

    fn name(&self) -> &str {
        &self.instance.name
    }

    fn facts_line(&self) -> String {
        Self::facts_line(self)
    }

    fn opened(&self) -> String {
        self.source.clone()
    }

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn plan(&self) -> &'static str {
        "solution"
    }

    fn ready(&self) -> Result<(), &'static str> {
        Self::ready(self)
    }

    fn begin(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        self.solve(Arc::clone(&services.systolic.solve), store, wake)
    }

    fn ongoing(&self) -> Option<&dyn Ongoing> {
        self.live.as_ref().map(|live| &live.session as &dyn Ongoing)
    }

    fn poll(&mut self) -> Vec<Notice> {
        Self::poll(self)
    }

    fn standing(&self) -> Standing {
        standing(self)
    }

    fn memory(&self) -> Option<Question> {
        let (instance, algorithm) = (Arc::clone(&self.instance), self.settings.algorithm.clone());
        Some(Question {
            backend: self.settings.backend.clone(),
            subject: Arc::clone(&self.instance) as _,
            settings: format!("{algorithm:?}"),
            needs: Box::new(move |_, limits| memory_need(&instance, &algorithm, limits).map(Some)),
        })
    }

    fn settings_bar(&mut self, ui: &mut Ui, devices: &[Device]) {
        settings::bar(ui, self, devices);
    }

    fn algorithm(&self) -> String {
        algorithm_name(self.settings.algorithm.name()).to_owned()
    }

    fn parameters(&mut self, ui: &mut Ui) {
        settings::panel(ui, self);
    }

    fn inspector(&mut self, ui: &mut Ui) {
        inspector::show(ui, self);
    }

    fn centre(&mut self, ui: &mut Ui, lost: Option<&str>, commands: &mut Vec<Command>) {
        if self.view.needs_run() && !has_run(self) {
            nothing_yet(ui, self, lost, commands);
            return;
        }
        Frame::new().inner_margin(Margin { left: 12, right: 12, top: 8, bottom: 8 }).show(ui, |ui| {
            use crate::problems::systolic::View as Of;
            ui.spacing_mut().item_spacing.y = space::S;
            self.had_focus = std::mem::take(&mut self.canvas_focused);
            match self.view {
                Of::Grid => grid::show(ui, self),
                Of::Operators => operators::show(ui, self),
                Of::Diversity => diversity::show(ui, self),
                Of::Bits => bits::show(ui, self),
                Of::Flavours => flavours::show(ui, self),
                Of::Batch => batch::show(ui, self),
                Of::Releases => releases::show(ui, self),
            }
        });
    }

    fn view(&self) -> View {
        View::Systolic(self.view)
    }

    fn set_view(&mut self, view: View) {
        if let View::Systolic(view) = view {
            self.view = view;
        }
    }

    fn has_picture(&self) -> bool {
        has_run(self) || !self.view.needs_run()
    }

    fn fit(&mut self) {
        use crate::problems::systolic::View as Of;
        match self.view {
            Of::Operators => self.operating.view.fit(),
            Of::Bits => self.raster.fit(),
            _ => self.gridding.view.fit(),
        }
    }

    fn zoom(&mut self, factor: f32) {
        use crate::problems::systolic::View as Of;
        match self.view {
            Of::Operators => self.operating.view.zoom(factor),
            Of::Bits => self.raster.zoom(factor),
            _ => self.gridding.view.zoom(factor),
        }
    }

    fn canvas_focused(&self) -> bool {
        self.canvas_focused
    }

    fn has_selection(&self) -> bool {
        self.selected.is_some() || self.solution.is_some()
    }

    fn deselect(&mut self) {
        (self.selected, self.solution) = (None, None);
    }

    fn list(&self, palette: &Palette) -> List {
        let valid = self.listed().filter(|run| run.standing == Verdict::Valid);
        let best = valid.map(|run| run.cost).fold(f64::INFINITY, f64::min);
        let mut rows: Vec<Row> = self.live.iter().map(|live| going(live, self, palette)).collect();
        rows.extend(self.listed().map(|run| {
            Row::ended(run, short_name(&run.result.algorithm), run.words.clone(), run.cost <= best, palette)
        }));
        List { rows, shown: self.shown, compares: false }
    }

    fn runs(&self) -> Vec<Listed> {
        let listed = |run: &Run| Listed {
            number: run.number,
            title: run.title(),
            detail: format!("{}, {}", short_name(&run.result.algorithm), run.words),
        };
        self.listed().map(listed).collect()
    }

    fn shown(&self) -> Shown {
        self.shown
    }

    fn show_run(&mut self, number: usize) {
        Self::show_run(self, number);
    }

    fn show_live(&mut self) {
        Self::show_live(self);
    }

    fn take_run(&mut self, number: usize) -> Option<Removed> {
        self.remove_run(number).map(shared::removed)
    }

    fn put_run(&mut self, run: Box<dyn Any + Send>) {
        if let Ok(run) = run.downcast::<Run>() {
            self.insert_run(*run);
        }
    }

    fn run_name(&self, number: usize) -> Option<String> {
        self.runs.run(number).map(|run| run.name.clone())
    }

    fn set_run_name(&mut self, number: usize, name: &str) -> Option<PathBuf> {
        self.runs.rename(number, name)?
    }

    fn has_curves(&self) -> bool {
        Self::has_curves(self)
    }

    fn convergence(&self, ui: &mut Ui) {
        self.show_convergence(ui);
    }

    fn bottom(&mut self) -> (&mut Look, &mut bool) {
        (&mut self.look, &mut self.runs_instead)
    }

    fn undo_names(&self) -> (Option<&str>, Option<&str>) {
        (None, None)
    }

    fn undo(&mut self) -> Result<(), &'static str> {
        Err(NO_EDITS)
    }

    fn redo(&mut self) -> Result<(), &'static str> {
        Err(NO_EDITS)
    }

    fn has_draft(&self) -> bool {
        false
    }

    fn show_draft(&mut self) {}

    fn discard_draft(&mut self) -> Result<(), &'static str> {
        Err(NO_EDITS)
    }

    fn exportable(&self) -> Result<(), &'static str> {
        Self::exportable(self).map(|_| ())
    }

    fn export_wishes(&mut self, ui: &mut Ui, format: &Format) {
        if needs_grid(format) {
            let words = "The run is made again from its seed, which takes as long as it took.";
            ui.label(theme::small(words).color(palette(ui.visuals()).weak));
            ui.add_space(space::XS);
        }
    }

    fn format_of(&self, path: &Path) -> Option<&'static Format> {
        format_of(path)
    }

    fn export_path(&self, path: &Path, format: &Format) -> PathBuf {
        let wanted = with_format(path, format);
        shared::harmless(wanted, format, "solution", |path| self.forbidden(path).is_none())
    }

    fn forbidden(&self, path: &Path) -> Option<&'static str> {
        shared::is_same(path, Path::new(&self.source)).then_some(shared::SOURCE)
    }

    fn export(&self, services: &Services, format: &Format, path: PathBuf) -> Result<Export, &'static str> {
        let run = Self::exportable(self)?;
        let is_release = matches!(self.instance.kind, Kind::NextRelease { .. });
        match format.ending {
            "front.csv" if !is_release => return Err("Only next release problems have a front"),
            _ if needs_grid(format) && self.flavour().is_none() => {
                return Err("This search has no grid; show a run of one of the systolic searches");
            }
            _ => {}
        }
        let (result, bits) = (Arc::clone(&run.result), Arc::clone(&run.bits));
        let (instance, exporter) = (Arc::clone(&self.instance), Arc::clone(&services.systolic.export));
        Ok(Box::new(move || exporter(&instance, &result, &bits, &path)))
    }
}

/// Returns `true` if there is a run to be shown.
fn has_run(desk: &Desk) -> bool {
    let wrong = |run: &Run| matches!(run.standing, Verdict::Wrong(_));
    match (desk.shown, desk.shown_run()) {
        (Shown::Live, _) => true,
        (_, Some(run)) => !wrong(run),
        _ => false,
    }
}

fn going(live: &Live, desk: &Desk, palette: &Palette) -> Row {
    let progress = live.kept.as_ref().map(|kept| &kept.progress);
    let going = Going {
        number: desk.runs.next_number(),
        algorithm: short_name(live.settings.algorithm.name()).to_owned(),
        seed: live.settings.seed,
        best: progress.map_or_else(String::new, |progress| desk.words(progress.snapshot.best_cost)),
        seconds: progress.map(|progress| progress.seconds),
        paused: live.session.is_paused(),
    };
    Row::going(going, palette)
}

fn standing(desk: &Desk) -> Standing {
    match (&desk.live, desk.shown_run()) {
        (Some(live), _) => {
            let best = |kept: &Kept<BestBits>| desk.words(kept.progress.snapshot.best_cost);
            shared::going(&live.session, live.kept.as_ref(), best)
        }
        (None, Some(run)) => shared::ended(run, || run.words.clone(), "does not fit".to_owned()),
        (None, None) => shared::idle(None, desk.ready()),
    }
}

/// Texts of the empty state, shown while there is no solution.
const NOTHING: Nothing = Nothing {
    icon: Icon::Systolic,
    noun: "solution",
    lacks: "",
    preparing: "The first solutions are being drawn.",
    watch: "Press Solve and watch it beat",
};

fn nothing_yet(ui: &mut Ui, desk: &Desk, lost: Option<&str>, commands: &mut Vec<Command>) {
    // What weighs too much is shown all the same.
    let standing = desk.shown_run().map(|run| &run.standing).filter(|it| matches!(it, Verdict::Wrong(_)));
    let instead = Instead { standing, prepares: false, lost, ready: desk.ready().is_ok() };
    NOTHING.show(ui, instead, &desk.facts_line(), commands);
}
