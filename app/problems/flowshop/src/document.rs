//! Flow shops as documents of the window.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use egui::Ui;
use gridwright_core::backend::{Backend, Device, Limits, MemoryNeed};
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::{Error, Result};
use gridwright_flowshop::check::check;
use gridwright_flowshop::comparison;
use gridwright_flowshop::drawing::layout::GanttRows;
use gridwright_flowshop::export::{self, ExportOptions};
use gridwright_flowshop::formats::solution::{self, SolutionOptions};
use gridwright_flowshop::multiobjective::Goal;
use gridwright_flowshop::multiobjective::weights::PARTS;
use gridwright_flowshop::rules::Rules;
use gridwright_flowshop::run::{self, Algorithm};
use gridwright_flowshop::stored::{self};
use gridwright_flowshop::{Best, Instance, Objective, Order, Schedule, best_known_source, frozen, problem};

use super::commands::{BEST, EARLIER, LATER, PIN};
use super::plan::Plan;
use super::results::{self, CheckedOrder};
use super::state::{Document, FlowShopViews, Run};
use super::view::View;
use super::{comparing, efficiency, front, gantt, inspector, jobs, lesson, settings, tardiness};
use crate::methods::*;
use crate::widgets::gantt::Selection;
use gridwright_core::data::FormerNames;
use gridwright_core::export::Writing;
use gridwright_core::export::formats::Format;
use gridwright_core::planning::Planning as _;
use gridwright_core::recognition::is_solution_of;
use gridwright_window::document::{CheckedRun, DocumentKind, Draft, Drawn, ExportedSolution, Refusal, Texts, frames};
use gridwright_window::runs::{RunList, RunStatus, Shown};
use gridwright_window::session::Checkpoint;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::convergence::{Quantity, Reference};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::window::command::{Command, ProblemCommand};

type SolveRequest = gridwright_window::document::SolveRequest<FlowShopViews>;

/// Schedule of an export.
pub struct Exported {
    instance: Arc<Instance>,
    schedule: Schedule,
    options: ExportOptions,
    /// The front that is shown: for its table.
    front: Option<Arc<RunResult>>,
}

/// Keys of the view state in a project file; files of older versions may lack any of them.
const GOAL: &str = "minimise";
const ROWS: &str = "rows";
const SELECTED: &str = "selected";
const PATH: &str = "critical path";
const DUE: &str = "due dates";
const KEPT: &str = "efficiency to keep";

/// Returns `true` if a project stores the switch as on; `otherwise` if the project lacks the key.
fn on(view: &BTreeMap<String, String>, key: &str, otherwise: bool) -> bool {
    view.get(key).map_or(otherwise, |text| text == "on")
}

impl CheckedRun<FlowShopViews> for CheckedOrder {
    fn validate(instance: &Instance, result: RunResult) -> Option<Run> {
        Some(results::validate(instance, result))
    }

    fn cost(&self) -> f64 {
        self.value as f64
    }

    fn solution(document: &Document, run: &Run) -> Option<Arc<Order>> {
        if run.status != RunStatus::Valid {
            return None;
        }
        let chosen = document.member.filter(|_| document.shown == Shown::Run(run.number));
        let member = chosen.and_then(|at| run.members.as_ref()?.orders.get(at));
        Some(Arc::clone(member.unwrap_or(&run.order)))
    }
}

impl Drawn<FlowShopViews> for Plan {
    fn of(document: &Document, solution: Arc<Order>) -> Self {
        Plan::of(&document.instance, solution)
    }

    fn solution(&self) -> &Arc<Order> {
        &self.order
    }
}

impl ExportedSolution<FlowShopViews> for Exported {
    fn of(document: &Document, _format: &Format) -> std::result::Result<Self, Refusal> {
        let plan = document.plan().ok_or("Solve first; there is no plan yet")?;
        let front = document.shown_run().filter(|run| run.members.is_some()).map(|run| Arc::clone(&run.result));
        let options = ExportOptions { rows: document.charting.rows, letterhead: document.letterhead().clone() };
        Ok(Exported { instance: Arc::clone(&document.instance), schedule: plan.schedule.clone(), options, front })
    }

    fn bytes(&self, ending: &str, _writing: &Writing) -> Result<Vec<u8>> {
        let Exported { instance, schedule, options, front } = self;
        let front = front.as_ref().and_then(|result| result.front.as_ref());
        match front.filter(|_| ending == export::FRONT) {
            Some(front) => export::front_bytes(instance, front),
            None => export::bytes_with(instance, schedule, ending, options),
        }
    }
}

impl DocumentKind for FlowShopViews {
    type Problem = problem::FlowShop;
    type Demands = Rules;
    type Checked = CheckedOrder;
    type Picture = Plan;
    type View = View;
    type Selection = Selection;
    type Exported = Exported;

    const TEXTS: Texts = Texts {
        icon: Icon::Gantt,
        lacks: "Some jobs are missing or stand twice.",
        preparing: "The first order is being built.",
        watch: "Press Solve and watch it get better",
        project: Some(
            "The rules, the order that is being edited, all runs and how you look at them in one file. It is kept up to date as you \
             work.",
        ),
        by_hand: "the order was made by hand",
        foreign_edits: "The jobs are no longer those of this instance",
        incomplete: "not valid",
        elsewhere: "of another objective",
    };
    const COMMANDS: &'static [ProblemCommand] = &[EARLIER, LATER, BEST, PIN];
    const COMPARES: bool = true;
    const IMPROVES: bool = true;
    const KEEPS_DRAFTS: bool = true;

    fn run_options(request: &SolveRequest) -> BTreeMap<String, String> {
        BTreeMap::from([("objective".to_owned(), request.settings.goal.to_string())])
    }

    fn new(instance: &Instance) -> Self {
        Self::of(instance)
    }

    fn opened(document: &mut Document) {
        if !document.is_possible(document.settings.goal) {
            document.take_goal(Goal::One(Objective::Makespan));
        }
    }

    fn ready(document: &Document) -> std::result::Result<(), Refusal> {
        if document.instance.job_count() == 0 { Err("There are no jobs") } else { Ok(()) }
    }

    fn improvable(document: &Document) -> std::result::Result<(), Refusal> {
        match document.minimises_one() {
            true => Ok(()),
            false => Err("A front has no single plan to begin with; minimise one objective"),
        }
    }

    fn memory_need(
        instance: &Instance, settings: &run::Settings, backend: Backend, limits: &Limits,
    ) -> Result<Option<MemoryNeed>> {
        run::memory_need(instance, &settings.algorithm, settings.goal, backend, limits)
    }

    fn is_listed(document: &Document, run: &Run) -> bool {
        run.goal == document.settings.goal
    }

    fn figure(_document: &Document, run: &Run) -> String {
        run.figure.clone()
    }

    fn value(_document: &Document, run: &Run) -> String {
        match run.status {
            RunStatus::Valid => run.words.clone(),
            RunStatus::Incomplete(_) => Self::TEXTS.incomplete.to_owned(),
            RunStatus::Wrong(_) => "wrong".to_owned(),
        }
    }

    fn best_value(_document: &Document, checkpoint: &Checkpoint<Best>) -> String {
        let snapshot = &checkpoint.progress.snapshot;
        match &snapshot.best.front {
            Some(front) => counted(front.points.len(), "plan"),
            None => grouped(snapshot.best_cost as i64),
        }
    }

    fn quantity(document: &Document) -> Quantity {
        match document.settings.goal {
            Goal::One(objective) => {
                let instance = &document.instance;
                Quantity { name: objective.label_in(instance), help: objective.help_in(instance) }
            }
            Goal::Front(_) => Quantity {
                name: "Missing hypervolume, %",
                help: "What the front lacks of the volume between the lower bounds and the reference: less is better",
            },
        }
    }

    fn curve_scale(document: &Document) -> f64 {
        if document.minimises_one() { 1.0 } else { 100.0 / PARTS as f64 }
    }

    /// The best that is known, otherwise the value that no order can be better than.
    fn references(document: &Document) -> Vec<Reference> {
        let Goal::One(objective) = document.settings.goal else { return Vec::new() };
        let of = |name: &str, value: Option<u64>, source: Option<String>| {
            let (name, source) = (name.to_owned(), source.unwrap_or_default());
            value.filter(|&value| value > 0).map(|value| Reference { name, value: value as f64, source })
        };
        let source = best_known_source(&document.instance, objective);
        let best = of("Best known", document.instance.best_known.value(objective), source);
        best.or_else(|| of("Lower bound", document.lower_bound(objective), None)).into_iter().collect()
    }

    fn best_solution(_instance: &Instance, best: &Arc<Best>) -> Option<Arc<Order>> {
        Some(Arc::clone(&best.order))
    }

    fn before_run(document: &mut Document, number: usize) {
        if let Some(goal) = document.run(number).map(|run| run.goal).filter(|_| !document.is_solving()) {
            document.take_goal(goal);
        }
        document.member = None;
    }

    fn refreshed(document: &mut Document) {
        document.refresh_front();
    }

    fn draft_words(_document: &Document, draft: &Draft<Order>) -> String {
        let count = comparison::moves(&draft.base.0, &draft.solution.0).len();
        format!("{} moved", counted(count as u64, "job"))
    }

    fn draft_value(document: &Document) -> String {
        let value = document.plan().and_then(|plan| plan.value(document.objective()));
        value.map_or_else(String::new, |value| grouped(value as i64))
    }

    fn made_by_hand(request: &SolveRequest, made: &Arc<Order>) -> Option<(Arc<Best>, f64)> {
        let objective = request.settings.goal.first();
        let cost = check(&request.instance, &made.0).value(objective).unwrap_or_default() as f64;
        Some((Arc::new(Best { order: Arc::clone(made), front: None }), cost))
    }

    fn read_solution(instance: &Instance, path: &Path) -> Option<Result<(Order, Vec<String>)>> {
        let read = || {
            let file = solution::read(path, instance, SolutionOptions::default())?;
            match file.verdict(instance).violations.first() {
                None => Ok((Order(file.order), Vec::new())),
                Some(violation) => Err(Error::file(path, format!("this is no valid schedule: {}", violation.text))),
            }
        };
        is_solution_of(path, <Self::Problem>::PROBLEM).then(read)
    }

    fn hand_settings(document: &Document) -> run::Settings {
        let goal = Goal::One(document.objective());
        run::Settings { goal, algorithm: Algorithm::for_goal(goal), ..document.settings.clone() }
    }

    fn demands(instance: &Instance) -> Rules {
        instance.rules.clone()
    }

    fn with_demands(instance: &Instance, demands: &Rules) -> Instance {
        Instance { rules: demands.clone(), ..instance.clone() }
    }

    fn last_demands(runs: &RunList<CheckedOrder>, instance: &Instance) -> Option<Rules> {
        runs.last().map(|run| run.rules.clone()).filter(|rules| rules.check(instance).is_ok())
    }

    fn carry_demands(from: &Instance, to: &Instance, demands: &Rules, names: &FormerNames) -> (Rules, Vec<String>) {
        stored::carried_rules(from, to, demands, names)
    }

    fn encode_demands(document: &Document) -> Option<Encoded> {
        stored::demands(&document.instance, None)
    }

    fn decode_demands(instance: &Instance, demands: &Encoded) -> std::result::Result<Option<Rules>, String> {
        let stored::Demands::FlowShop { rules, .. } = demands.read()?;
        let rules = rules.resolved(instance);
        rules.check(instance).map_err(|error| error.to_string())?;
        Ok(Some(rules))
    }

    fn carry(instance: &Instance, solution: &Encoded, _demands: Option<&Encoded>) -> Option<(Order, Vec<String>)> {
        let names = stored::stored_names(solution)?;
        let mut is_missing = vec![true; instance.job_count()];
        let known: std::collections::HashMap<&str, usize> =
            instance.jobs.iter().enumerate().map(|(index, job)| (job.name.as_str(), index)).collect();
        let kept = names.iter().filter_map(|name| known.get(name.as_str()).copied());
        let mut order: Vec<u16> =
            kept.filter(|&job| std::mem::take(&mut is_missing[job])).map(|job| job as u16).collect();
        let gone = names.len() - order.len();
        let new = is_missing.iter().filter(|missing| **missing).count();
        order.extend((0..instance.job_count()).filter(|&job| is_missing[job]).map(|job| job as u16));
        let mut remarks = Vec::new();
        if new > 0 {
            remarks.push(format!("{} at the end", counted(new as u64, "new job")));
        }
        if gone > 0 {
            remarks.push(format!("{} left out", counted(gone as u64, "job")));
        }
        let first = frozen::first(instance, &order);
        if first != order {
            remarks.push("jobs that have started put first".to_owned());
        }
        let repaired = instance.rules.repaired(instance, &first);
        if repaired != first {
            remarks.push("jobs moved to keep the rules".to_owned());
        }
        Some((Order(repaired), remarks))
    }

    fn decode_draft(instance: &Instance, solution: &Encoded) -> Option<Order> {
        let order = stored::decode(instance, solution).ok()?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        // Every job once: drafts are orders that can be shown.
        let whole = sorted.iter().enumerate().all(|(at, &job)| at == usize::from(job));
        (whole && order.len() == instance.job_count()).then_some(Order(order))
    }

    fn save_view(document: &Document, view: &mut BTreeMap<String, String>) {
        let mut keep = |key: &str, text: String| view.insert(key.to_owned(), text);
        let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
        keep(GOAL, document.settings.goal.to_string());
        keep(ROWS, if document.charting.rows == GanttRows::Jobs { "jobs" } else { "machines" }.to_owned());
        keep(PATH, switch(document.charting.critical_path));
        keep(DUE, switch(document.charting.due_dates));
        keep(KEPT, document.efficiency.kept.to_string());
        if let Some(job) = document.selected.and_then(|selection| document.instance.jobs.get(selection.job)) {
            keep(SELECTED, job.name.clone());
        }
    }

    fn restore_view(document: &mut Document, view: &BTreeMap<String, String>) {
        let stored_text = |key: &str| view.get(key).map(String::as_str);
        if let Some(goal) =
            stored_text(GOAL).and_then(|text| text.parse().ok()).filter(|goal| document.is_possible(*goal))
        {
            document.set_goal(goal);
        }
        document.charting.rows = if stored_text(ROWS) == Some("jobs") { GanttRows::Jobs } else { GanttRows::Machines };
        document.charting.critical_path = on(view, PATH, document.charting.critical_path);
        document.charting.due_dates = on(view, DUE, document.charting.due_dates);
        let kept = stored_text(KEPT).and_then(|text| text.parse().ok()).filter(|kept: &f64| kept.is_finite());
        document.efficiency.kept = kept.unwrap_or(document.efficiency.kept).clamp(0.05, 0.95);
        let job = stored_text(SELECTED).and_then(|name| document.instance.job_index(name));
        document.selected = job.map(|job| Selection { job, machine: None });
    }

    fn settings_bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
        settings::bar(ui, document, devices);
    }

    fn inspector(ui: &mut Ui, document: &mut Document) {
        inspector::show(ui, document);
    }

    fn banners(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
        frames::edited_bar(ui, document, change(document), commands);
    }

    fn needs_no_picture(document: &Document) -> bool {
        document.view.needs_no_plan()
    }

    fn status_instead(document: &Document) -> Option<&RunStatus> {
        document.shown_run().map(|run| &run.status)
    }

    fn show_view(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
        match document.view {
            View::Gantt => gantt::show(ui, document),
            View::Front => front::show(ui, document),
            View::Jobs => jobs::show(ui, document),
            View::Lateness => tardiness::show(ui, document),
            View::Efficiency => efficiency::show(ui, document),
            View::Steps => lesson::show(ui, document, commands),
            View::Compare => comparing::show(ui, document),
        }
    }

    fn fit(document: &mut Document) {
        document.charting.view.fit();
    }

    fn zoom(document: &mut Document, factor: f32) {
        document.charting.view.zoom(f64::from(factor));
    }

    fn items(document: &Document) -> Vec<(usize, String, String)> {
        let jobs = document.instance.jobs.iter().enumerate();
        jobs.map(|(index, job)| (index, format!("job {}", job.name), document.job_line(index))).collect()
    }

    fn go_to(document: &mut Document, item: usize) {
        document.go_to(item);
    }

    fn compare(document: &mut Document, [a, b]: [usize; 2]) {
        document.compare(a, b);
    }

    fn possible(document: &Document, _command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        match (document.selected, document.plan()) {
            (None, _) => Err("Select a job first"),
            (_, None) => Err("There is no plan yet"),
            _ => Ok(()),
        }
    }

    fn run_command(document: &mut Document, command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        match command {
            command if *command == EARLIER => document.step_job(-1),
            command if *command == LATER => document.step_job(1),
            command if *command == PIN => {
                let outcome = document.pin_selected();
                document.told(outcome);
                Ok(())
            }
            _ => document.job_to_best(),
        }
    }

    fn exportable(document: &Document) -> std::result::Result<(), Refusal> {
        match (document.shown, document.plan()) {
            (Shown::Live, _) => Err("Stop the run first; a plan can be exported when it has been checked"),
            (_, Some(plan)) if plan.verdict.feasible => Ok(()),
            (Shown::Run(_), _) => Err("This is not a valid plan and cannot be exported"),
            _ => Err("Solve first; there is no plan yet"),
        }
    }

    fn may_export(document: &Document, format: &Format) -> std::result::Result<(), Refusal> {
        let has_front = document.shown_run().is_some_and(|run| run.members.is_some());
        let objective = document.objective();
        export::check_format(&document.instance, has_front, objective, format.ending)
            .map_err(|missing| missing.in_window)
    }

    fn export_options(ui: &mut Ui, document: &mut Document, format: &Format) {
        if matches!(format.ending, "pdf" | "svg" | "png") {
            let rows = if document.charting.rows == ExportOptions::default().rows { "machine" } else { "job" };
            let words = format!("Rows as in the chart: one for each {rows}");
            ui.label(theme::small(words).color(palette(ui.visuals()).weak));
            ui.add_space(space::XS);
        }
    }
}

/// Change of the objective by the edits, in words, and `true` if the objective is better now.
fn change(document: &Document) -> Option<(String, bool)> {
    let objective = document.objective();
    let now = document.plan()?.value(objective)? as i64;
    let before = document.base_value(objective)? as i64;
    let words = match now - before {
        0 => "unchanged".to_owned(),
        more if more > 0 => format!("+{}", grouped(more)),
        less => format!("−{}", grouped(-less)),
    };
    Some((format!("{} {words}", objective.label_in(&document.instance).to_lowercase()), now < before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_of_other_jobs_is_not_taken() {
        let instance = Instance::of_times("by hand", 2, vec![3, 2, 1, 4]).unwrap();
        let [one, two] = [0, 1].map(|job| instance.jobs[job].name.clone());
        let read = |names: &[&String]| {
            let names = names.iter().map(|name| (*name).clone()).collect();
            FlowShopViews::decode_draft(&instance, &Encoded::of(&stored::StoredSolution::Order(names)))
        };
        assert_eq!(read(&[&two, &one]), Some(Order(vec![1, 0])));
        assert_eq!(read(&[&one]), None, "jobs are missing");
        assert_eq!(read(&[&one, &one]), None, "one stands twice");
        assert_eq!(read(&[&"Moon".to_owned(), &one]), None, "nobody knows it");
    }
}
