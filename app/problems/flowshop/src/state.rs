//! State of the views of an open flow shop.

use easy_ext::ext;
use std::sync::Arc;

use gridwright_core::numbers::grouped;
use gridwright_flowshop::check::check;
use gridwright_flowshop::drawing::layout::GanttRows;
use gridwright_flowshop::multiobjective::{Front, Goal};
use gridwright_flowshop::run::Algorithm;
use gridwright_flowshop::{Instance, Objective, bounds};

use super::comparing::Row;
use super::efficiency::state as efficiency;
use super::following::{Answers, Following, LastMove};
use super::lesson::state as lesson;
use super::plan::Plan;
use super::results::Members;
use super::view::View;
use crate::widgets::gantt::{self, Selection};
use crate::widgets::{scatter, sequence};
use gridwright_window::document;
use gridwright_window::runs::Shown;

/// An open flow shop.
pub type Document = document::Document<FlowShopViews>;

/// A listed run.
pub(crate) type Run = document::Run<FlowShopViews>;

#[derive(Debug, Clone)]
pub(crate) struct Charting {
    /// Rows of the chart: machines or jobs.
    pub rows: GanttRows,
    pub critical_path: bool,
    /// True to flag due dates.
    pub due_dates: bool,
    /// Zoom and position of the chart.
    pub view: gantt::View,
    /// Scroll position of the order below the chart.
    pub strip: sequence::View,
    /// Move of the job that is carried, if it were dropped now.
    pub carried: Option<sequence::Moved>,
}

impl Default for Charting {
    fn default() -> Self {
        Self {
            rows: GanttRows::Machines,
            critical_path: true,
            due_dates: true,
            view: gantt::View::default(),
            strip: sequence::View::default(),
            carried: None,
        }
    }
}

/// Sort order of the bars of lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
pub enum By {
    /// The latest first.
    #[default]
    Lateness,
    /// As in the plan.
    Position,
    /// The earliest due date first.
    Due,
}

impl By {
    /// All sort orders.
    pub(crate) const ALL: [Self; 3] = gridwright_core::variants();

    pub(crate) fn choice(self) -> (&'static str, &'static str, bool) {
        match self {
            Self::Lateness => ("Latest first", "Sorted by how late they are", true),
            Self::Position => ("As in the plan", "In the order of the jobs", true),
            Self::Due => ("By due date", "The earliest due date first", true),
        }
    }
}

/// State of the views of a flow shop.
pub struct FlowShopViews {
    pub(crate) charting: Charting,
    /// Selected member of the front; `None` for the best compromise.
    pub member: Option<usize>,
    /// View state of the scatter plot of the front.
    pub scatter: scatter::View,
    /// Sort order of the late jobs.
    pub late_by: By,
    /// The efficiency of many processors.
    pub efficiency: efficiency::State,
    /// Algorithms step by step.
    pub lesson: lesson::State,
    /// Plans that are compared, with their figures.
    pub(crate) plans: Vec<Row>,
    /// Jobs that follow one which is dragged or was moved.
    pub(crate) following: Answers,
    /// Order that is drawn over the chart while a job is dragged: the one in which others follow.
    pub(crate) follows: Option<Arc<Following>>,
    /// Last move of a job by hand.
    pub(crate) last_move: Option<LastMove>,
    /// Lower bounds of the objectives, in the order of [`Objective::ALL`].
    bounds: [Option<u64>; 4],
    /// Front of the run in progress, from its last progress report.
    growing: Option<(Arc<Front>, Arc<Members>)>,
}

impl FlowShopViews {
    /// The state with which an instance is opened.
    pub fn of(instance: &Instance) -> Self {
        let known = |objective: Objective| !objective.needs_due_dates() || instance.has_due_dates();
        let bound = |objective| known(objective).then(|| bounds::lower_bound(instance, objective));
        Self {
            charting: Charting::default(),
            member: None,
            scatter: scatter::View::default(),
            late_by: By::default(),
            efficiency: efficiency::State::default(),
            lesson: lesson::State::default(),
            plans: Vec::new(),
            following: Answers::default(),
            follows: None,
            last_move: None,
            bounds: Objective::ALL.map(bound),
            growing: None,
        }
    }

    /// Lower bound of an objective; `None` if the objective needs due dates that the instance lacks.
    pub fn lower_bound(&self, objective: Objective) -> Option<u64> {
        let at = Objective::ALL.iter().position(|other| *other == objective)?;
        self.bounds[at]
    }

    /// Returns `true` if the instance holds the data that a goal needs.
    pub(crate) fn is_possible(&self, goal: Goal) -> bool {
        match goal {
            Goal::One(objective) => self.lower_bound(objective).is_some(),
            Goal::Front(objectives) => objectives.as_slice().iter().all(|one| self.lower_bound(*one).is_some()),
        }
    }
}

/// Shown run, objective and selected job of a flow shop.
#[ext(StateMethods)]
impl Document {
    /// The objective that is minimised, or the first of several.
    pub fn objective(&self) -> Objective {
        self.settings.goal.first()
    }

    /// Returns `true` if a single objective is minimised.
    pub fn minimises_one(&self) -> bool {
        matches!(self.settings.goal, Goal::One(_))
    }

    /// One line about a job, for lists.
    pub fn job_line(&self, job: usize) -> String {
        let work: u64 = self.instance.row(job).iter().map(|&time| u64::from(time)).sum();
        let due = self.instance.jobs[job].due;
        let due = due.map_or_else(String::new, |due| format!(", due {}", self.instance.due_moment(due)));
        format!("{} {} of work{due}", grouped(work as i64), self.instance.time_unit())
    }

    /// Shows one run with the differences of all others to another run.
    pub fn compare(&mut self, a: usize, b: usize) {
        let (now, before) = if self.shown == Shown::Run(a) { (a, b) } else { (b, a) };
        self.show_run(now);
        self.compare_with(Some(Shown::Run(before)));
        self.view = View::Compare;
    }

    /// Sets the goal of further runs and shows the best run that has it; an order that is being edited stays shown.
    pub fn set_goal(&mut self, goal: Goal) {
        self.take_goal(goal);
        if matches!(self.shown, Shown::Run(_) | Shown::Nothing) {
            self.show_best();
        }
    }

    /// Minimises this from now on; an algorithm that does not fit the goal gives way to the usual one.
    pub fn take_goal(&mut self, goal: Goal) {
        self.settings.goal = goal;
        if self.settings.algorithm.check(goal).is_err() {
            self.settings.algorithm = Algorithm::for_goal(goal);
        }
    }

    /// The front that is shown: of a run that ended, or as it grows; `None` if no front is shown.
    pub fn front(&self) -> Option<&Arc<Members>> {
        match self.shown {
            Shown::Live => self.growing.as_ref().map(|growing| &growing.1),
            _ => self.shown_run().and_then(|run| run.members.as_ref()),
        }
    }

    /// The member of the front whose plan is shown: the one that was chosen, at first the best compromise.
    pub fn shown_member(&self) -> Option<usize> {
        let order = || {
            let order = &self.plan()?.order;
            self.front()?.orders.iter().position(|other| other == order)
        };
        self.member.or_else(order)
    }

    /// Brings the growing front up to date with the run in progress.
    pub fn refresh_front(&mut self) {
        let checkpoint = self.live.as_ref().and_then(|live| live.checkpoint.as_ref());
        let front = checkpoint.and_then(|checkpoint| checkpoint.progress.snapshot.best.front.clone());
        let known = |front: &Arc<Front>| self.growing.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, front));
        if !front.as_ref().is_some_and(known) {
            self.state.growing = front.map(|front| (Arc::clone(&front), Arc::new(Members::of_front(&front))));
        }
    }

    /// Shows the plan of a member of the front.
    pub fn choose_member(&mut self, member: Option<usize>) {
        self.member = member;
        self.refresh();
    }

    /// The plan that is shown; `None` if nothing is shown.
    pub fn plan(&self) -> Option<&Arc<Plan>> {
        self.picture()
    }

    /// The position of the selected job in the plan that is shown; `None` if no job is selected or nothing is shown.
    pub fn selected_position(&self) -> Option<usize> {
        self.plan()?.position(self.selected?.job)
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

    /// The value of the order that the edits began with; `None` without edits or due dates.
    pub fn base_value(&self, objective: Objective) -> Option<u64> {
        let base = &self.draft()?.base;
        check(&self.instance, &base.0).value(objective)
    }
}
