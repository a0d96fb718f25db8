//! A flow shop as the frame of the window sees it.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Frame, Margin, Ui};
use gridwright_solver::backend::Device;
use gridwright_solver::flowshop::export::ExportOptions;
use gridwright_solver::flowshop::run::memory_need;
use gridwright_solver::numbers::grouped;
use gridwright_solver::search::{Algorithms, Snapshot};

use crate::device_memory::Question;
use crate::exporting::Format;
use crate::problems::flowshop::desk::Live;
use crate::problems::flowshop::exporting::{Extras, format_of, with_format};
use crate::problems::flowshop::plan::Plan;
use crate::problems::flowshop::settings::{algorithm_name, short_name};
use crate::problems::flowshop::solving::{Best, Run, instance_key, plans};
use crate::problems::flowshop::{self, Desk, efficiency, front, gantt, inspector, jobs, lesson, settings, tardiness};
use crate::projects::Keeping;
use crate::run_list::{Going, List, Row};
use crate::runs::{Shown, Standing as Verdict};
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
        Problem::FlowShop
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
        "plan"
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
        self.solve(None, Arc::clone(&services.flowshop.solve), store, wake)
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
        let goal = self.settings.goal;
        Some(Question {
            backend: self.settings.backend.clone(),
            subject: Arc::clone(&self.instance) as _,
            settings: format!("{algorithm:?}, {goal:?}"),
            needs: Box::new(move |backend, limits| memory_need(&instance, &algorithm, goal, backend, limits)),
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
        if Self::plan(self).is_none() && !self.view.needs_no_plan() {
            nothing_yet(ui, self, lost, commands);
            return;
        }
        Frame::new().inner_margin(Margin { left: 12, right: 12, top: 8, bottom: 8 }).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            self.canvas_focused = false;
            match self.view {
                flowshop::View::Gantt => gantt::show(ui, self),
                flowshop::View::Front => front::show(ui, self),
                flowshop::View::Jobs => jobs::show(ui, self),
                flowshop::View::Lateness => tardiness::show(ui, self),
                flowshop::View::Efficiency => efficiency::show(ui, self),
                flowshop::View::Steps => lesson::show(ui, self, commands),
            }
        });
    }

    fn view(&self) -> View {
        View::FlowShop(self.view)
    }

    fn set_view(&mut self, view: View) {
        if let View::FlowShop(view) = view {
            self.view = view;
        }
    }

    fn has_picture(&self) -> bool {
        Self::plan(self).is_some()
    }

    fn fit(&mut self) {
        self.charting.view.fit();
    }

    fn zoom(&mut self, factor: f32) {
        self.charting.view.zoom(f64::from(factor));
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
        let best = self.listed().filter(|run| run.standing == Verdict::Valid).map(|run| run.value).min();
        let mut rows: Vec<Row> = self.live.iter().map(|live| going(live, self, palette)).collect();
        rows.extend(self.listed().map(|run| {
            Row::ended(run, short_name(&run.result.algorithm), run.figure.clone(), best == Some(run.value), palette)
        }));
        List { rows, shown: self.shown, compares: false }
    }

    fn runs(&self) -> Vec<Listed> {
        let listed = |run: &Run| Listed {
            number: run.number,
            title: run.title(),
            detail: run.result.verdict.cost_display.clone(),
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

    fn keep_draft(&mut self, store: &Store) -> Result<(), String> {
        Self::keep_draft(self, store)
    }

    fn improve(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        let start = Self::plan(self).map(|plan| Arc::clone(&plan.order));
        self.solve(start, Arc::clone(&services.flowshop.solve), store, wake)
    }

    fn exportable(&self) -> Result<(), &'static str> {
        Self::exportable(self).map(|_| ())
    }

    fn export_wishes(&mut self, ui: &mut Ui, format: &Format) {
        if matches!(format.ending, "pdf" | "svg" | "png") {
            let rows = if self.charting.rows == ExportOptions::default().rows { "machine" } else { "job" };
            let words = format!("Rows as in the chart: one for each {rows}");
            ui.label(theme::small(words).color(palette(ui.visuals()).weak));
            ui.add_space(space::XS);
        }
    }

    fn format_of(&self, path: &Path) -> Option<&'static Format> {
        format_of(path)
    }

    fn export_path(&self, path: &Path, format: &Format) -> PathBuf {
        let wanted = with_format(path, format);
        shared::harmless(wanted, format, "plan", |path| self.forbidden(path).is_none())
    }

    fn forbidden(&self, path: &Path) -> Option<&'static str> {
        shared::is_same(path, Path::new(&self.source)).then_some(shared::SOURCE)
    }

    fn export(&self, services: &Services, format: &Format, path: PathBuf) -> Result<Export, &'static str> {
        let plan = Arc::clone(Self::exportable(self)?);
        let (instance, exporter) = (Arc::clone(&self.instance), Arc::clone(&services.flowshop.export));
        let front = self.shown_run().filter(|run| run.members.is_some()).map(|run| Arc::clone(&run.result));
        if front.is_none() && format.ending == "front.csv" {
            return Err("No front is shown; minimise several objectives first");
        }
        let extras = Extras { wishes: ExportOptions { rows: self.charting.rows }, front };
        Ok(Box::new(move || exporter(&instance, &plan.schedule, &path, &extras)))
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

/// The best so far: its cost, or how many plans there are to choose from.
fn best_words(snapshot: &Snapshot<Best>) -> String {
    match &snapshot.best.front {
        Some(front) => plans(front.points.len()),
        None => grouped(snapshot.best_cost as i64),
    }
}

fn standing(desk: &Desk) -> Standing {
    match (&desk.live, desk.shown_run()) {
        (Some(live), _) => shared::going(&live.session, live.kept.as_ref(), |kept| best_words(&kept.progress.snapshot)),
        (None, Some(run)) => shared::ended(run, || run.words.clone(), "incomplete".to_owned()),
        (None, None) => {
            let draft = desk.draft().filter(|_| desk.shown == Shown::Draft).zip(desk.plan());
            let value =
                |plan: &Plan| plan.value(desk.objective()).map_or_else(String::new, |value| grouped(value as i64));
            let edited = draft.map(|(draft, plan)| (draft.from.as_str(), value(plan)));
            shared::idle(edited, desk.ready())
        }
    }
}

/// Draws the bar of the edited plan: its value and its buttons.
fn edited(ui: &mut Ui, desk: &Desk, commands: &mut Vec<Command>) {
    let Some(draft) = desk.draft() else { return };
    let count = draft.displaced();
    let edited = Edited {
        from: &draft.from,
        what: format!("{count} job{} in another position", if count == 1 { "" } else { "s" }),
        change: change(desk),
        here: desk.shown == Shown::Draft,
        icon: Icon::Gantt,
    };
    edited.show(ui, commands);
}

/// Change of the objective by the edits, in words, and `true` if the objective is better now.
fn change(desk: &Desk) -> Option<(String, bool)> {
    let objective = desk.objective();
    let now = desk.plan()?.value(objective)? as i64;
    let before = desk.base_value(objective)? as i64;
    let words = match now - before {
        0 => "unchanged".to_owned(),
        more if more > 0 => format!("+{}", grouped(more)),
        less => format!("−{}", grouped(-less)),
    };
    Some((format!("{} {words}", objective.label().to_lowercase()), now < before))
}

/// Texts of the empty state, shown while there is no plan.
const NOTHING: Nothing = Nothing {
    icon: Icon::Gantt,
    noun: "plan",
    lacks: "Some jobs are missing or stand twice.",
    preparing: "The first order is being built.",
    watch: "Press Solve and watch it get better",
};

fn nothing_yet(ui: &mut Ui, desk: &Desk, lost: Option<&str>, commands: &mut Vec<Command>) {
    let standing = desk.shown_run().map(|run| &run.standing);
    let instead = Instead { standing, prepares: desk.shown == Shown::Live, lost, ready: desk.ready().is_ok() };
    NOTHING.show(ui, instead, &desk.facts_line(), commands);
}
