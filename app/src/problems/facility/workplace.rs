//! A layout problem as the frame of the window sees it.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Frame, Margin, Ui, vec2};
use gridwright_solver::backend::Device;
use gridwright_solver::facility::export::ExportOptions;
use gridwright_solver::facility::formats;
use gridwright_solver::facility::run::memory_need;
use gridwright_solver::facility::{BestLayout, Instance};
use gridwright_solver::search::{Algorithms, Snapshot};

use crate::device_memory::Question;
use crate::exporting::Format;
use crate::problems::facility::desk::Live;
use crate::problems::facility::exporting::{format_of, with_format};
use crate::problems::facility::plan::{Plan, cost_words};
use crate::problems::facility::settings::{algorithm_name, short_name};
use crate::problems::facility::solving::{Run, instance_key};
use crate::problems::facility::{self, Desk, alternatives, bays, floor, flows, inspector, islands, pairs, settings};
use crate::projects::Keeping;
use crate::run_list::{Going, List, Row};
use crate::runs::Shown;
use crate::session::Ongoing;
use crate::store::{Problem, Store};
use crate::theme::{self, Palette, palette, space};
use crate::widgets::convergence::Look;
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;
use crate::window::workplace::shared::{self, Edited, Instead, Nothing};
use crate::window::workplace::{Export, Listed, Removed, Standing, View, Workplace};
use crate::window::{Command, Services};

impl Workplace for Desk {
    fn problem(&self) -> Problem {
        Problem::Facility
    }

    fn name(&self) -> &str {
        &self.instance.name
    }

    fn facts_line(&self) -> String {
        Self::facts_line(self)
    }

    fn opened(&self) -> String {
        self.project_file().map_or_else(|| self.source.clone(), |path| path.display().to_string())
    }

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn plan(&self) -> &'static str {
        "layout"
    }

    fn keeping(&self) -> Option<&dyn Keeping> {
        Some(self)
    }

    fn keeping_mut(&mut self) -> Option<&mut dyn Keeping> {
        Some(self)
    }

    fn ready(&self) -> Result<(), &'static str> {
        Self::ready(self)
    }

    fn begin(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        self.solve(None, Arc::clone(&services.facility.solve), store, wake)
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
            needs: Box::new(move |backend, limits| memory_need(&instance, &algorithm, backend, limits)),
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
        edited(ui, self, commands);
        // From-to flows are there before any layout is.
        let needs_plan = self.view != facility::View::Flows;
        let plan = Self::plan(self).cloned();
        if needs_plan && plan.is_none() {
            nothing_yet(ui, self, lost, commands);
            return;
        }
        if let Some(plan) = plan.filter(|plan| !plan.verdict.feasible) {
            broken(ui, self, &plan);
        }
        Frame::new().inner_margin(Margin { left: 12, right: 12, top: 8, bottom: 8 }).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            self.canvas_focused = false;
            match self.view {
                facility::View::Plan => floor::show(ui, self),
                facility::View::Compare => alternatives::show(ui, self),
                facility::View::Flows => flows::show(ui, self),
                facility::View::Pairs => pairs::show(ui, self),
                facility::View::Bays => bays::show(ui, self),
                facility::View::Islands => islands::show(ui, self),
            }
        });
    }

    fn view(&self) -> View {
        View::Facility(self.view)
    }

    fn set_view(&mut self, view: View) {
        if let View::Facility(view) = view {
            self.view = view;
        }
    }

    fn has_picture(&self) -> bool {
        Self::plan(self).is_some()
    }

    fn fit(&mut self) {
        if self.view == facility::View::Flows {
            self.matrix.view.fit();
        } else {
            self.floor.view.fit();
            self.floor.other.fit();
        }
    }

    fn zoom(&mut self, factor: f32) {
        if self.view == facility::View::Flows {
            self.matrix.view.zoom(factor);
        } else {
            self.floor.view.zoom(f64::from(factor));
            self.floor.other.zoom(f64::from(factor));
        }
    }

    fn canvas_focused(&self) -> bool {
        self.canvas_focused
    }

    fn has_selection(&self) -> bool {
        self.selected.is_some()
    }

    fn deselect(&mut self) {
        self.selected = None;
    }

    fn list(&self, palette: &Palette) -> List {
        let best = self.best_run().map(|run| run.cost);
        let mut rows: Vec<Row> = self.live.iter().map(|live| going(live, self, palette)).collect();
        rows.extend(self.listed().map(|run| {
            Row::ended(run, short_name(&run.result.algorithm), cost_words(run.cost), best == Some(run.cost), palette)
        }));
        List { rows, shown: self.shown, compares: true }
    }

    fn runs(&self) -> Vec<Listed> {
        let listed = |run: &Run| Listed { number: run.number, title: run.title(), detail: cost_words(run.cost) };
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
        self.run(number).map(|run| run.name.clone())
    }

    fn set_run_name(&mut self, number: usize, name: &str) -> Option<PathBuf> {
        let path = self.runs.rename(number, name)?;
        self.runs_have_changed();
        path
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
        Self::undo_names(self)
    }

    fn undo(&mut self) -> Result<(), &'static str> {
        Self::undo(self)
    }

    fn redo(&mut self) -> Result<(), &'static str> {
        Self::redo(self)
    }

    fn has_draft(&self) -> bool {
        self.draft().is_some()
    }

    fn show_draft(&mut self) {
        Self::show_draft(self);
    }

    fn discard_draft(&mut self) -> Result<(), &'static str> {
        self.discard()
    }

    fn exportable(&self) -> Result<(), &'static str> {
        Self::exportable(self).map(|_| ())
    }

    fn export_wishes(&mut self, ui: &mut Ui, format: &Format) {
        if matches!(format.ending, "pdf" | "svg" | "png") {
            let words = match self.floor.lines {
                true => "With the flows that the floor plan shows while nothing is selected",
                false => "Without flows, as in the floor plan",
            };
            ui.label(theme::small(words).color(palette(ui.visuals()).weak));
            ui.add_space(space::XS);
        }
    }

    fn format_of(&self, path: &Path) -> Option<&'static Format> {
        format_of(path)
    }

    fn export_path(&self, path: &Path, format: &Format) -> PathBuf {
        let wanted = with_format(path, format);
        shared::harmless(wanted, format, "layout", |path| self.forbidden(path).is_none())
    }

    fn forbidden(&self, path: &Path) -> Option<&'static str> {
        let real = std::fs::canonicalize(path).ok()?;
        let same = |file: &PathBuf| std::fs::canonicalize(file).is_ok_and(|file| file == real);
        let own = formats::files_of(&self.source).iter().any(same);
        own.then_some("The file that lies here is one that the instance came from; choose another name")
    }

    fn export(&self, services: &Services, _format: &Format, path: PathBuf) -> Result<Export, &'static str> {
        let plan = Arc::clone(Self::exportable(self)?);
        // A run is judged by the rules that it was found under.
        let rules = self.shown_run().map_or_else(|| self.instance.rules.clone(), |run| run.rules.clone());
        let instance = Instance { rules, ..(*self.instance).clone() };
        let exporter = Arc::clone(&services.facility.export);
        // As many flows as were seen.
        let options = ExportOptions { threshold: Some(self.floor.threshold), without_flows: !self.floor.lines };
        Ok(Box::new(move || exporter(&instance, &plan.layout, &path, &options)))
    }

    fn keep_draft(&mut self, store: &Store) -> Result<(), String> {
        Self::keep_draft(self, store)
    }

    fn improve(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        let start = Self::plan(self).map(|plan| Arc::clone(&plan.layout));
        self.solve(start, Arc::clone(&services.facility.solve), store, wake)
    }
}

fn going(live: &Live, desk: &Desk, palette: &Palette) -> Row {
    let progress = live.kept.as_ref().map(|kept| &kept.progress);
    let going = Going {
        number: desk.next_number(),
        algorithm: short_name(live.settings.algorithm.name()).to_owned(),
        seed: live.settings.seed,
        best: progress.map_or_else(String::new, |progress| best_words(&progress.snapshot)),
        seconds: progress.map(|progress| progress.seconds),
        paused: live.session.is_paused(),
    };
    Row::going(going, palette)
}

/// The best so far: its cost, and whether it breaks limits.
fn best_words(snapshot: &Snapshot<BestLayout>) -> String {
    let words = cost_words(snapshot.best.score.cost);
    if snapshot.best.score.is_feasible() { words } else { format!("{words}, breaks limits") }
}

fn standing(desk: &Desk) -> Standing {
    match (&desk.live, desk.shown_run()) {
        (Some(live), _) => shared::going(&live.session, live.kept.as_ref(), |kept| best_words(&kept.progress.snapshot)),
        (None, Some(run)) => {
            let whole = format!("{}, breaks limits", cost_words(run.cost));
            let incomplete = if run.is_whole { whole } else { "incomplete".to_owned() };
            shared::ended(run, || cost_words(run.cost), incomplete)
        }
        (None, None) => {
            let draft = desk.draft().filter(|_| desk.shown == Shown::Draft).zip(desk.plan());
            let edited = draft.map(|(draft, plan)| (draft.from.as_str(), cost_words(plan.cost())));
            shared::idle(edited, desk.ready())
        }
    }
}

/// Draws the bar of the edited layout: its cost and its buttons.
fn edited(ui: &mut Ui, desk: &Desk, commands: &mut Vec<Command>) {
    let Some(draft) = desk.draft() else { return };
    let count = draft.displaced();
    let edited = Edited {
        from: &draft.from,
        what: format!("{count} department{} elsewhere", if count == 1 { "" } else { "s" }),
        change: desk.draft_change().map(|(change, better)| (format!("cost {change}"), better)),
        here: desk.shown == Shown::Draft,
        icon: Icon::FloorPlan,
    };
    edited.show(ui, commands);
}

/// Departments that are named where a layout breaks limits; the inspector names all of them.
const NAMED: usize = 4;

/// Draws the warning that the shown layout violates limits or rules.
fn broken(ui: &mut Ui, desk: &mut Desk, plan: &Plan) {
    let palette = palette(ui.visuals());
    let names = plan.concerned(&desk.instance);
    let more = names.len().saturating_sub(NAMED);
    let mut listed = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if more > 0 {
        listed.push_str(&format!(" and {more} more"));
    }
    // Rules are newer than the layout, perhaps; shapes are not.
    let by_rules = plan.verdict.violations.iter().all(|one| matches!(one.kind.as_str(), "lock" | "apart"));
    let words = match by_rules {
        true => format!("This layout does not meet the rules: {listed}"),
        false => format!("This layout breaks limits: {listed}"),
    };
    Frame::new().fill(palette.bad_soft).inner_margin(Margin::symmetric(16, 6)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), egui::Sense::hover());
            Icon::Warning.paint(ui.painter(), rect, palette.bad);
            let label = ui.add(egui::Label::new(theme::bold(words).color(palette.text)).truncate());
            label.on_hover_text(plan.verdict.lines(12).join("\n"));
        });
    });
}

/// Texts of the empty state, shown while there is no layout.
const NOTHING: Nothing = Nothing {
    icon: Icon::FloorPlan,
    noun: "layout",
    lacks: "Some departments are missing or stand twice.",
    preparing: "The first layouts are being made.",
    watch: "Press Solve and watch it get better",
};

fn nothing_yet(ui: &mut Ui, desk: &Desk, lost: Option<&str>, commands: &mut Vec<Command>) {
    let standing = desk.shown_run().map(|run| &run.standing);
    let instead = Instead { standing, prepares: desk.shown == Shown::Live, lost, ready: desk.ready().is_ok() };
    NOTHING.show(ui, instead, &desk.facts_line(), commands);
}
