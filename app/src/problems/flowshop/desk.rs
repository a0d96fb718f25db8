//! State of an open flow shop: settings, the run in progress, runs that ended, view and selection.

use std::sync::Arc;

use gridwright_solver::Result;
use gridwright_solver::flowshop::check::check;
use gridwright_solver::flowshop::drawing::layout::GanttRows;
use gridwright_solver::flowshop::formats::LoadOptions;
use gridwright_solver::flowshop::multiobjective::{Front, Goal};
use gridwright_solver::flowshop::run::{Algorithm, Settings};
use gridwright_solver::flowshop::{Instance, Objective, Order as Sequence, bounds};
use gridwright_solver::numbers::grouped;

use super::editing::{Draft, History};
use super::plan::Plan;
use super::solving::{Best, Ended, Found, Members, Run};
use super::view::View;
use crate::problems::flowshop::widgets::gantt::{self, Selection};
use crate::problems::flowshop::widgets::scatter;
use crate::problems::flowshop::widgets::sequence;
use crate::runs::{Shelf, Shown, Standing};
use crate::session::{Kept, Session};
use crate::widgets::convergence::Look;
use crate::widgets::notice::Notice;

/// Function that opens instances; tests replace it.
pub type Opener = Arc<dyn Fn(&str, &LoadOptions) -> Result<Instance> + Send + Sync>;

/// Run in progress.
pub struct Live {
    /// Worker thread of the run.
    pub session: Session<Best, Ended>,
    /// Settings that the run was started with.
    pub settings: Settings,
    /// Last progress report and checkpoint of the run.
    pub kept: Option<Kept<Best>>,
}

/// Display options of the Gantt chart.
#[derive(Debug, Clone)]
pub struct Charting {
    /// Rows of the chart: machines or jobs.
    pub rows: GanttRows,
    /// True to outline the critical path.
    pub critical_path: bool,
    /// True to flag due dates.
    pub due_dates: bool,
    /// Plan that the chart is compared with: a run, or the order before the edits.
    pub ghost: Option<Shown>,
    /// Zoom and position of the chart.
    pub view: gantt::View,
    /// Scroll position of the order below the chart.
    pub strip: sequence::View,
}

impl Default for Charting {
    fn default() -> Self {
        Self {
            rows: GanttRows::Machines,
            critical_path: true,
            due_dates: true,
            ghost: None,
            view: gantt::View::default(),
            strip: sequence::View::default(),
        }
    }
}

/// An open instance.
pub struct Desk {
    /// The jobs and machines.
    pub instance: Arc<Instance>,
    /// Source of the instance: a path, `sample:…` or `taillard:…`.
    pub source: String,
    /// Settings of the next run.
    pub settings: Settings,
    /// Runs that ended, oldest first, whatever they minimised.
    pub runs: Shelf<Found>,
    /// The run in progress.
    pub live: Option<Live>,
    /// Plan that is shown.
    pub shown: Shown,
    /// View that is shown.
    pub view: View,
    /// Selected job, and one of its operations if that was clicked.
    pub selected: Option<Selection>,
    /// True while the picture has the keyboard focus.
    pub canvas_focused: bool,
    /// Display options of the convergence plot.
    pub look: Look,
    /// True to show the runs where only one of convergence and runs fits.
    pub runs_instead: bool,
    /// Display options of the Gantt chart.
    pub charting: Charting,
    /// Notices to be shown next.
    pub sayings: Vec<Notice>,
    pub(super) draft: Option<Draft>,
    pub(super) history: History,
    bounds: [Option<u64>; 4],
    /// Selected member of the front; `None` for the best compromise.
    pub member: Option<usize>,
    /// View state of the scatter plot of the front.
    pub scatter: scatter::View,
    /// Sort order of the late jobs.
    pub late_by: super::tardiness::By,
    /// The efficiency of many processors.
    pub efficiency: super::efficiency::State,
    /// Algorithms step by step.
    pub lesson: super::lesson::State,
    /// Project file of the instance and the state of its unsaved changes.
    pub(super) keeper: crate::projects::Keeper,
    plan: Option<Arc<Plan>>,
    /// Front of the run in progress, from its last progress report.
    growing: Option<(Arc<Front>, Arc<Members>)>,
    ghost: Option<(Shown, Arc<Plan>)>,
}

impl Desk {
    /// An instance with the runs that were kept of it; the best is shown.
    pub(super) fn of(instance: Instance, source: &str, settings: Settings, runs: Shelf<Found>) -> Self {
        let known = |objective: Objective| !objective.needs_due_dates() || instance.has_due_dates();
        let bound = |objective| known(objective).then(|| bounds::lower_bound(&instance, objective));
        let bounds = Objective::ALL.map(bound);
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
            charting: Charting::default(),
            sayings: Vec::new(),
            draft: None,
            history: History::default(),
            bounds,
            member: None,
            scatter: scatter::View::default(),
            late_by: super::tardiness::By::default(),
            efficiency: super::efficiency::State::default(),
            lesson: super::lesson::State::default(),
            keeper: crate::projects::Keeper::default(),
            plan: None,
            growing: None,
            ghost: None,
        };
        if !desk.is_possible(desk.settings.goal) {
            desk.take_goal(Goal::One(Objective::Makespan));
        }
        desk.show_best();
        desk
    }

    /// The objective that is minimised, or the first of several.
    pub fn objective(&self) -> Objective {
        self.settings.goal.first()
    }

    /// Returns `true` if a single objective is minimised.
    pub fn minimises_one(&self) -> bool {
        matches!(self.settings.goal, Goal::One(_))
    }

    /// Returns `true` if the instance holds the data that a goal needs.
    pub fn is_possible(&self, goal: Goal) -> bool {
        match goal {
            Goal::One(objective) => self.lower_bound(objective).is_some(),
            Goal::Front(objectives) => objectives.as_slice().iter().all(|one| self.lower_bound(*one).is_some()),
        }
    }

    /// One line: sizes.
    pub fn facts_line(&self) -> String {
        let count = |number: usize, noun: &str| {
            format!("{} {noun}{}", grouped(number as i64), if number == 1 { "" } else { "s" })
        };
        let due = if self.instance.has_due_dates() { ", due dates" } else { "" };
        let (jobs, machines) = (self.instance.job_count(), self.instance.machine_count());
        format!("{}, {}{due}", count(jobs, "job"), count(machines, "machine"))
    }

    /// One line about a job, for lists.
    pub fn job_line(&self, job: usize) -> String {
        let work: u64 = self.instance.row(job).iter().map(|&time| u64::from(time)).sum();
        let due =
            self.instance.jobs[job].due.map_or_else(String::new, |due| format!(", due at {}", grouped(i64::from(due))));
        format!("{} time units of work{due}", grouped(work as i64))
    }

    /// Lower bound of an objective; `None` if the objective needs due dates that the instance lacks.
    pub fn lower_bound(&self, objective: Objective) -> Option<u64> {
        let at = Objective::ALL.iter().position(|other| *other == objective)?;
        self.bounds[at]
    }

    /// The best value that was ever listed.
    pub fn best_known(&self, objective: Objective) -> Option<u64> {
        match objective {
            Objective::Makespan => self.instance.best_known.makespan,
            Objective::FlowTime => self.instance.best_known.flow_time,
            Objective::Tardiness | Objective::Tardy => None,
        }
    }

    /// Runs with the present goal, newest first.
    pub fn listed(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter().rev().filter(|run| run.goal == self.settings.goal)
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

    /// Shows the best run with the present objective.
    pub fn show_best(&mut self) {
        let valid = self.listed().filter(|run| run.standing == Standing::Valid).min_by_key(|run| run.value);
        self.shown = match valid.or_else(|| self.listed().next()) {
            Some(run) => Shown::Run(run.number),
            None => Shown::Nothing,
        };
        self.refresh();
    }

    /// Shows a run, whatever it minimised.
    pub fn show_run(&mut self, number: usize) {
        if let Some(goal) = self.run(number).map(|run| run.goal) {
            if !self.is_solving() {
                self.take_goal(goal);
            }
            self.member = None;
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

    /// Minimises this from now on and shows the best run that did; what is edited stays shown.
    pub fn set_goal(&mut self, goal: Goal) {
        self.take_goal(goal);
        if matches!(self.shown, Shown::Run(_) | Shown::Nothing) {
            self.show_best();
        }
    }

    /// An algorithm that does not fit the goal gives way to the usual one.
    fn take_goal(&mut self, goal: Goal) {
        self.settings.goal = goal;
        if self.settings.algorithm.check(goal).is_err() {
            self.settings.algorithm = Algorithm::for_goal(goal);
        }
    }

    /// The front that is shown: of a run that ended, or as it grows.
    pub fn front(&self) -> Option<&Arc<Members>> {
        match self.shown {
            Shown::Live => self.growing.as_ref().map(|growing| &growing.1),
            _ => self.shown_run().and_then(|run| run.members.as_ref()),
        }
    }

    /// Looks at a member of the front.
    pub fn choose_member(&mut self, member: Option<usize>) {
        self.member = member;
        self.refresh();
    }

    /// Returns `true` while a run is in progress.
    pub fn is_solving(&self) -> bool {
        self.live.is_some()
    }

    /// Checks that a run could be started.
    ///
    /// # Errors
    /// Error with the reason in words during a run, or if the instance is incomplete.
    pub fn ready(&self) -> std::result::Result<(), &'static str> {
        match () {
            () if self.is_solving() => Err("A run goes on"),
            () if self.instance.job_count() == 0 => Err("There are no jobs"),
            () => Ok(()),
        }
    }

    /// The plan that is shown. A result that contradicts the checker is never shown.
    pub fn plan(&self) -> Option<&Arc<Plan>> {
        self.plan.as_ref()
    }

    /// The position of the selected job in the plan that is shown.
    pub fn selected_position(&self) -> Option<usize> {
        self.plan.as_ref()?.position(self.selected?.job)
    }

    /// The order that is to be shown, if there is one.
    fn order(&self, shown: Shown) -> Option<Arc<Sequence>> {
        match shown {
            Shown::Nothing => None,
            Shown::Live => {
                let best = &self.live.as_ref()?.kept.as_ref()?.progress.snapshot.best;
                Some(Arc::clone(&best.order))
            }
            Shown::Run(number) => {
                let run = self.run(number).filter(|run| run.standing == Standing::Valid)?;
                let chosen = self.member.filter(|_| shown == self.shown);
                let member = chosen.and_then(|at| run.members.as_ref()?.orders.get(at));
                Some(Arc::clone(member.unwrap_or(&run.order)))
            }
            Shown::Draft => self.draft.as_ref().map(|draft| Arc::clone(&draft.order)),
        }
    }

    pub(super) fn refresh(&mut self) {
        let kept = self.live.as_ref().and_then(|live| live.kept.as_ref());
        let front = kept.and_then(|kept| kept.progress.snapshot.best.front.clone());
        let known = |front: &Arc<Front>| self.growing.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, front));
        if !front.as_ref().is_some_and(known) {
            self.growing = front.map(|front| (Arc::clone(&front), Arc::new(Members::of_front(&front))));
        }
        let wanted = self.order(self.shown);
        let same = match (&wanted, &self.plan) {
            (Some(wanted), Some(plan)) => Arc::ptr_eq(wanted, &plan.order),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.plan = wanted.map(|order| Arc::new(Plan::of(&self.instance, order)));
        }
        // What it is compared with may have gone.
        let ghost = self.charting.ghost.and_then(|ghost| Some((ghost, self.compared_order(ghost)?)));
        self.charting.ghost = ghost.as_ref().map(|ghost| ghost.0);
        let known = |(of, order): &(Shown, Arc<Sequence>)| {
            self.ghost.as_ref().is_some_and(|(known, plan)| known == of && Arc::ptr_eq(&plan.order, order))
        };
        if !ghost.as_ref().is_some_and(known) {
            self.ghost = ghost.map(|(of, order)| (of, Arc::new(Plan::of(&self.instance, order))));
        }
    }

    fn compared_order(&self, with: Shown) -> Option<Arc<Sequence>> {
        match with {
            Shown::Draft => self.draft.as_ref().map(|draft| Arc::clone(&draft.base)),
            other => self.order(other),
        }
    }

    /// Returns the plan that the chart is compared with, and its display name.
    pub fn compared(&self) -> Option<(String, &Arc<Plan>)> {
        let (of, plan) = self.ghost.as_ref().filter(|(of, _)| *of != self.shown || *of == Shown::Draft)?;
        Some((self.compared_name(*of), plan))
    }

    /// Returns the plans that the shown one can be compared with, and their names.
    pub fn comparable(&self) -> Vec<(Shown, String)> {
        let runs = self.runs.iter().rev().filter(|run| run.standing == Standing::Valid);
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

    /// Compares the chart with this from now on.
    pub fn compare_with(&mut self, with: Option<Shown>) {
        self.charting.ghost = with;
        self.refresh();
    }

    /// Selects a job and brings it into view.
    pub fn go_to(&mut self, job: usize) {
        if job < self.instance.job_count() {
            let selection = Selection { job, machine: None };
            self.selected = Some(selection);
            self.charting.view.reveal(selection);
            if let Some(position) = self.selected_position() {
                self.charting.strip.reveal(position);
            }
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
    pub fn say(&mut self, words: &'static str) {
        self.sayings.push(Notice::warning("This is not possible now", words));
    }

    /// The value of the order that the edits began with.
    pub fn base_value(&self, objective: Objective) -> Option<u64> {
        let base = &self.draft.as_ref()?.base;
        check(&self.instance, &base.0).value(objective)
    }

    /// Returns the shown plan if it may be exported.
    ///
    /// # Errors
    /// Error with the reason in words during a run, or if there is no plan or only an infeasible one.
    pub fn exportable(&self) -> std::result::Result<&Arc<Plan>, &'static str> {
        match (self.shown, self.plan()) {
            (Shown::Live, _) => Err("Stop the run first; a plan can be exported when it has been checked"),
            (_, Some(plan)) if plan.verdict.feasible => Ok(plan),
            (Shown::Run(_), _) => Err("This is not a valid plan and cannot be exported"),
            _ => Err("Solve first; there is no plan yet"),
        }
    }
}
