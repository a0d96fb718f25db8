//! State of an open layout problem: settings, the run in progress, runs that ended, view and selection.

use std::collections::HashMap;
use std::sync::Arc;

use gridwright_solver::Result;
use gridwright_solver::facility::formats::LoadOptions;
use gridwright_solver::facility::run::Settings;
use gridwright_solver::facility::{BestLayout, Instance, Layout, library};
use gridwright_solver::numbers::grouped;

use super::editing::{Draft, History};
use super::flows::Matrix;
use super::islands::IslandHistory;
use super::pairs::Table;
use super::plan::{self, Plan};
use super::settings;
use super::solving::{Ended, Found, Run};
use super::view::View;
use crate::problems::facility::widgets::floorplan::{self, Link, strongest};
use crate::runs::{Shelf, Shown, Standing};
use crate::session::{Kept, Session};
use crate::widgets::convergence::Look;
use crate::widgets::notice::Notice;

/// Function that opens instances; tests replace it.
pub type Opener = Arc<dyn Fn(&str, &LoadOptions) -> Result<Instance> + Send + Sync>;

/// Run in progress.
pub struct Live {
    /// Worker thread of the run.
    pub session: Session<BestLayout, Ended>,
    /// Settings that the run was started with.
    pub settings: Settings,
    /// Last progress report and checkpoint of the run.
    pub kept: Option<Kept<BestLayout>>,
}

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
    /// True to draw names of bays, lengths and a scale around the plan.
    pub dimensions: bool,
    /// Layout that the plan is compared with: a run, or the layout before the edits.
    pub ghost: Option<Shown>,
}

/// An open instance.
pub struct Desk {
    /// The plant, the departments and the rules in force.
    pub instance: Arc<Instance>,
    /// Source of the instance: a path, `sample:…` or `layout:…`.
    pub source: String,
    /// Settings of the next run.
    pub settings: Settings,
    /// Runs that ended, oldest first.
    pub runs: Shelf<Found>,
    /// The run in progress.
    pub live: Option<Live>,
    /// Layout that is shown.
    pub shown: Shown,
    /// View that is shown.
    pub view: View,
    /// Selected department.
    pub selected: Option<usize>,
    /// True while the picture has the keyboard focus.
    pub canvas_focused: bool,
    /// Display options of the convergence plot.
    pub look: Look,
    /// True to show the runs where only one of convergence and runs fits.
    pub runs_instead: bool,
    /// Display options of the floor plan.
    pub floor: Floor,
    /// View state of the from-to matrix.
    pub matrix: Matrix,
    /// View state of the table of pairs.
    pub table: Table,
    /// Notices to be shown next.
    pub sayings: Vec<Notice>,
    /// Histories of the islands, by run number.
    pub histories: HashMap<usize, IslandHistory>,
    pub(super) draft: Option<Draft>,
    pub(super) history: History,
    /// Project file of the instance and the state of its unsaved changes.
    pub(super) keeper: crate::projects::Keeper,
    links: Arc<[Link]>,
    plan: Option<Arc<Plan>>,
    other: Option<(Shown, Arc<Plan>)>,
}

impl Desk {
    /// An instance with the runs that were kept of it; the best is shown.
    pub(super) fn of(instance: Instance, source: &str, settings: Settings, runs: Shelf<Found>) -> Self {
        let links = plan::links(&instance);
        let threshold = strongest(&links, LINES);
        let settings = settings::fitting(settings, &instance);
        let mut desk = Self {
            instance: Arc::new(instance),
            source: source.to_owned(),
            settings,
            runs,
            live: None,
            shown: Shown::Nothing,
            view: View::default(),
            selected: None,
            canvas_focused: false,
            look: Look::default(),
            runs_instead: false,
            floor: Floor {
                view: floorplan::View::default(),
                other: floorplan::View::default(),
                lines: true,
                threshold,
                dimensions: true,
                ghost: None,
            },
            matrix: Matrix::default(),
            table: Table::default(),
            sayings: Vec::new(),
            histories: HashMap::new(),
            draft: None,
            history: History::default(),
            keeper: crate::projects::Keeper::default(),
            links,
            plan: None,
            other: None,
        };
        desk.show_best();
        desk
    }

    /// One line: sizes.
    pub fn facts_line(&self) -> String {
        let count = |number: usize, noun: &str| {
            format!("{} {noun}{}", grouped(number as i64), if number == 1 { "" } else { "s" })
        };
        let (departments, flows) = (self.instance.len(), self.links.len());
        let size = format!("{} × {}", floorplan::length(self.instance.width), floorplan::length(self.instance.height));
        format!("{}, {}, {size}", count(departments, "department"), count(flows, "flow"))
    }

    /// One line about a department, for lists.
    pub fn department_line(&self, department: usize) -> String {
        let flow: f64 = self
            .links
            .iter()
            .filter(|link| link.from == department || link.to == department)
            .map(|link| link.weight)
            .sum();
        let area = floorplan::length(self.instance.departments[department].area);
        format!("area {area}, flow {}", floorplan::length(flow))
    }

    /// All flows, the strongest first.
    pub fn links(&self) -> &Arc<[Link]> {
        &self.links
    }

    /// The least cost that anybody has published.
    pub fn best_known(&self) -> Option<f64> {
        library::best_known(&self.instance)
    }

    /// Runs, newest first.
    pub fn listed(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter().rev()
    }

    /// The run with this number.
    pub fn run(&self, number: usize) -> Option<&Run> {
        self.runs.run(number)
    }

    /// The run that is shown, if it is one that ended.
    pub fn shown_run(&self) -> Option<&Run> {
        match self.shown {
            Shown::Run(number) => self.run(number),
            _ => None,
        }
    }

    /// Number of the run in progress.
    pub fn next_number(&self) -> usize {
        self.runs.next_number()
    }

    /// The best valid run.
    pub fn best_run(&self) -> Option<&Run> {
        let valid = self.listed().filter(|run| run.standing == Standing::Valid);
        valid.min_by(|one, other| one.cost.total_cmp(&other.cost))
    }

    /// Shows the best run.
    pub fn show_best(&mut self) {
        self.shown = match self.best_run().or_else(|| self.listed().next()) {
            Some(run) => Shown::Run(run.number),
            None => Shown::Nothing,
        };
        self.refresh();
    }

    /// Shows a run.
    pub fn show_run(&mut self, number: usize) {
        if self.run(number).is_some() {
            self.shown = Shown::Run(number);
            self.refresh();
        }
    }

    /// Shows the best solution so far of the run in progress.
    pub fn show_live(&mut self) {
        if self.live.is_some() {
            self.shown = Shown::Live;
            self.refresh();
        }
    }

    /// Returns `true` while a run is in progress.
    pub fn is_solving(&self) -> bool {
        self.live.is_some()
    }

    /// Checks that a run could be started.
    ///
    /// # Errors
    /// Error with the reason in words if a run is in progress.
    pub fn ready(&self) -> std::result::Result<(), &'static str> {
        if self.is_solving() { Err("A run goes on") } else { Ok(()) }
    }

    /// The layout that is shown, checked; it may break limits, which it then says. A result that contradicts the checker is
    /// never shown.
    pub fn plan(&self) -> Option<&Arc<Plan>> {
        self.plan.as_ref()
    }

    /// The layout that is to be shown, if there is one.
    fn layout(&self, shown: Shown) -> Option<Arc<Layout>> {
        match shown {
            Shown::Nothing => None,
            Shown::Live => {
                let layout = &self.live.as_ref()?.kept.as_ref()?.progress.snapshot.best.layout;
                plan::is_whole(&self.instance, layout).then(|| Arc::new(layout.clone()))
            }
            Shown::Run(number) => {
                let run = self.run(number).filter(|run| run.is_whole && !matches!(run.standing, Standing::Wrong(_)))?;
                Some(Arc::clone(&run.layout))
            }
            Shown::Draft => self.draft.as_ref().map(|draft| Arc::clone(&draft.layout)),
        }
    }

    /// Drops the plans that were computed with other rules.
    pub(super) fn forget_pictures(&mut self) {
        (self.plan, self.other) = (None, None);
    }

    fn plan_of(&self, layout: Arc<Layout>) -> Arc<Plan> {
        Arc::new(Plan::of(&self.instance, layout, Arc::clone(&self.links)))
    }

    pub(super) fn refresh(&mut self) {
        let wanted = self.layout(self.shown);
        let same = match (&wanted, &self.plan) {
            (Some(wanted), Some(plan)) => **wanted == *plan.layout,
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.plan = wanted.map(|layout| self.plan_of(layout));
        }
        // What it is compared with may have gone.
        let ghost = self.floor.ghost.and_then(|ghost| Some((ghost, self.compared_layout(ghost)?)));
        self.floor.ghost = ghost.as_ref().map(|ghost| ghost.0);
        let known = |(of, layout): &(Shown, Arc<Layout>)| {
            self.other.as_ref().is_some_and(|(known, plan)| known == of && *plan.layout == **layout)
        };
        if !ghost.as_ref().is_some_and(known) {
            self.other = ghost.map(|(of, layout)| (of, self.plan_of(layout)));
        }
    }

    fn compared_layout(&self, with: Shown) -> Option<Arc<Layout>> {
        match with {
            Shown::Draft => self.draft.as_ref().map(|draft| Arc::clone(&draft.base)),
            other => self.layout(other),
        }
    }

    /// Returns the plan that the layout is compared with, and its display name.
    pub fn compared(&self) -> Option<(String, &Arc<Plan>)> {
        let (of, plan) = self.other.as_ref().filter(|(of, _)| *of != self.shown || *of == Shown::Draft)?;
        Some((self.compared_name(*of), plan))
    }

    /// Returns the layouts that the shown one can be compared with, and their names.
    pub fn comparable(&self) -> Vec<(Shown, String)> {
        let sound = |run: &&Run| run.is_whole && !matches!(run.standing, Standing::Wrong(_));
        let runs = self.runs.iter().rev().filter(sound);
        let mut all: Vec<Shown> = runs.map(|run| Shown::Run(run.number)).filter(|run| *run != self.shown).collect();
        if self.shown == Shown::Draft {
            all.insert(0, Shown::Draft);
        }
        all.into_iter().map(|of| (of, self.compared_name(of))).collect()
    }

    fn compared_name(&self, of: Shown) -> String {
        match of {
            Shown::Run(number) => self.run(number).map_or_else(|| format!("Run {number}"), Run::title),
            _ => "Before the edits".to_owned(),
        }
    }

    /// Display name of the shown layout.
    pub fn shown_name(&self) -> String {
        match self.shown {
            Shown::Run(number) => self.compared_name(Shown::Run(number)),
            Shown::Live => format!("Run {}, best so far", self.next_number()),
            Shown::Draft => "Edited".to_owned(),
            Shown::Nothing => "Nothing".to_owned(),
        }
    }

    /// Compares the layout with this from now on.
    pub fn compare_with(&mut self, with: Option<Shown>) {
        self.floor.ghost = with;
        self.refresh();
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

    /// Removes a run from the list; if it was shown, the best of the others is shown.
    pub fn remove_run(&mut self, number: usize) -> Option<Run> {
        let run = self.runs.remove(number)?;
        self.keeper.touch_runs();
        if self.shown == Shown::Run(number) {
            self.show_best();
        }
        self.refresh();
        Some(run)
    }

    /// Puts a run back into the list, and shows it if nothing else is shown.
    pub fn insert_run(&mut self, run: Run) {
        let number = self.runs.insert(run);
        self.keeper.touch_runs();
        if self.shown == Shown::Nothing {
            self.show_run(number);
        }
    }

    /// Adds a notice that an action is not possible now.
    pub fn say(&mut self, words: impl Into<String>) {
        self.sayings.push(Notice::warning("This is not possible now", words.into()));
    }

    /// Returns the shown plan if it may be exported.
    ///
    /// # Errors
    /// Error with the reason in words during a run, or if there is no layout or only an infeasible one.
    pub fn exportable(&self) -> std::result::Result<&Arc<Plan>, &'static str> {
        let sound = self.shown_run().map(|run| run.standing == Standing::Valid);
        match (self.shown, self.plan()) {
            (Shown::Live, _) => Err("Stop the run first; a layout can be exported when it has been checked"),
            (_, Some(plan)) if sound.unwrap_or(plan.verdict.feasible) => Ok(plan),
            (_, Some(_)) => Err("This layout breaks limits, which are marked; it cannot be exported as a plan"),
            (Shown::Run(_), None) => Err("This is not a valid layout and cannot be exported"),
            _ => Err("Solve first; there is no layout yet"),
        }
    }
}
