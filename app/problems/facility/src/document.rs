//! Layout problems as documents of the window.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use egui::Ui;
use gridwright_core::Result;
use gridwright_core::backend::{Backend, Device, Limits, MemoryNeed};
use gridwright_core::data::FormerNames;
use gridwright_core::numbers::counted;
use gridwright_core::project::Attachments;
use gridwright_core::result::{Encoded, RunResult, Violation};
use gridwright_facility::carrying;
use gridwright_facility::check::check;
use gridwright_facility::evaluation::Score;
use gridwright_facility::export::{self, ExportOptions};
use gridwright_facility::formats::solution;
use gridwright_facility::run::{self, Algorithm};
use gridwright_facility::slicing::SlicingParameters;
use gridwright_facility::stored::{self, Demands};
use gridwright_facility::{BestLayout, Instance, Layout, Rules, library, problem};

use super::action::{self, Action};
use super::history::IslandHistory;
use super::plan::{Plan, cost_words, is_whole};
use super::state::{Document, FacilityViews, Run};
use super::view::View;
use super::{alternatives, banner, bays, distances, floor, flows, inspector, islands, pairs, settings};
use crate::methods::*;
use gridwright_core::export::Writing;
use gridwright_core::export::formats::Format;
use gridwright_window::document::{
    CheckedRun, DocumentKind, Draft, Drawn, ExportedSolution, Refusal, SolveRequest, Texts, Work, frames,
};
use gridwright_window::runs::{self, RunList, RunStatus};
use gridwright_window::session::Checkpoint;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::convergence::{Quantity, Reference};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::Notice;
use gridwright_window::window::command::{Command, ProblemCommand};

/// Solution of a run with the checker's figures.
#[derive(Debug, Clone)]
pub struct CheckedLayout {
    /// Departments bay by bay, by their positions in the instance.
    pub layout: Arc<Layout>,
    /// True if every department of the instance is in the layout exactly once.
    pub is_whole: bool,
    /// Material handling cost by the checker.
    pub cost: f64,
    /// Rules of the run.
    pub rules: Rules,
}

/// Layout of an export, with the rules that it was found under.
pub struct Exported {
    instance: Instance,
    plan: Arc<Plan>,
    options: ExportOptions,
}

/// Lines of violations that a tooltip holds.
const LISTED: usize = 12;

/// Keys of the view state in a project file; files of older versions may lack any of them.
const SELECTED: &str = "selected";
const FLOWS: &str = "flows";
const LEAST: &str = "least flow";
const UNDERLAY: &str = "underlay";

/// The rules under which a result was found.
fn rules_of(result: &RunResult) -> Rules {
    run::demands_of(result).0
}

impl CheckedRun<FacilityViews> for CheckedLayout {
    fn validate(instance: &Instance, result: RunResult) -> Option<Run> {
        let rules = rules_of(&result);
        let (layout, unknown) = match stored::decode(instance, &result.solution) {
            Ok(layout) => (layout, rules.check(instance).err().map(|error| error.to_string())),
            Err(why) => (Layout::default(), Some(why)),
        };
        let then = Instance { rules, ..instance.clone() };
        let verdict = check(&then, &layout);
        let lines = || Violation::lines(&verdict.stored_violations(), LISTED).join("\n");
        let status = RunStatus::of(&result.verdict, verdict.feasible, verdict.cost, lines, unknown);
        let found = CheckedLayout {
            is_whole: is_whole(instance, &layout),
            cost: verdict.cost,
            rules: then.rules,
            layout: Arc::new(layout),
        };
        Some(Run::new(result, status, found))
    }

    fn cost(&self) -> f64 {
        self.cost
    }

    fn solution(_document: &Document, run: &Run) -> Option<Arc<Layout>> {
        run.is_whole.then(|| Arc::clone(&run.layout))
    }
}

impl Drawn<FacilityViews> for Plan {
    fn of(document: &Document, solution: Arc<Layout>) -> Self {
        document.plan_of(solution)
    }

    fn solution(&self) -> &Arc<Layout> {
        &self.layout
    }
}

impl ExportedSolution<FacilityViews> for Exported {
    fn of(document: &Document, _format: &Format) -> std::result::Result<Self, Refusal> {
        let plan = Arc::clone(document.plan().ok_or("Solve first; there is no layout yet")?);
        // A run is judged by the rules that it was found under.
        let rules = document.shown_run().map_or_else(|| document.instance.rules.clone(), |run| run.rules.clone());
        let instance = FacilityViews::with_demands(&document.instance, &rules);
        // As many flows as were seen.
        let (threshold, without_flows) = (Some(document.floor.threshold), !document.floor.lines);
        let (date, letterhead) = (Some(chrono::Local::now().date_naive()), document.letterhead().clone());
        let underlay = document.underlay.drawn().cloned();
        let options = ExportOptions { threshold, without_flows, date, letterhead, underlay };
        Ok(Exported { instance, plan, options })
    }

    fn bytes(&self, ending: &str, _writing: &Writing) -> Result<Vec<u8>> {
        export::bytes(&self.instance, &self.plan.layout, ending, &self.options)
    }
}

impl DocumentKind for FacilityViews {
    type Problem = problem::Facility;
    type Demands = Rules;
    type Checked = CheckedLayout;
    type Picture = Plan;
    type View = View;
    type Selection = usize;
    type Exported = Exported;

    const TEXTS: Texts = Texts {
        icon: Icon::FloorPlan,
        lacks: "Some departments are missing or stand twice.",
        preparing: "The first layouts are being made.",
        watch: "Press Solve and watch it get better",
        project: Some(
            "The rules, the layout that is being edited, all runs and how you look at them in one file. It is kept up to \
             date as you work.",
        ),
        by_hand: "the layout was made by hand",
        foreign_edits: "The departments are no longer those of this instance",
        incomplete: "not valid",
        elsewhere: "of other settings",
    };
    const COMMANDS: &'static [ProblemCommand] = &action::COMMANDS;
    const COMPARES: bool = true;
    const IMPROVES: bool = true;
    const KEEPS_DRAFTS: bool = true;

    fn new(instance: &Instance) -> Self {
        Self::of(instance)
    }

    fn fit_settings(settings: run::Settings, instance: &Instance) -> run::Settings {
        settings::fitting(settings, instance)
    }

    fn is_comparable(run: &Run, other: &Run) -> bool {
        run.checked.layout.is_free() == other.checked.layout.is_free()
    }

    fn fit_to_start(settings: &mut run::Settings, start: &Layout) {
        // Rectangles are no bays; of the others one algorithm alone begins with bays that lie as they lie.
        if start.is_free() && !matches!(settings.algorithm, Algorithm::Slicing(_)) {
            settings.algorithm = Algorithm::Slicing(SlicingParameters::default());
        } else if !matches!(settings.algorithm, Algorithm::Memetic(_) | Algorithm::Slicing(_)) {
            settings.algorithm = Algorithm::default();
        }
        let is_slicing = matches!(settings.algorithm, Algorithm::Slicing(_));
        settings.goal = settings.goal.filter(|_| !is_slicing).map(|_| start.orientation);
    }

    fn memory_need(
        instance: &Instance, settings: &run::Settings, backend: Backend, limits: &Limits,
    ) -> Result<Option<MemoryNeed>> {
        run::memory_need(instance, &settings.algorithm, backend, limits)
    }

    fn figure(_document: &Document, run: &Run) -> String {
        cost_words(run.cost)
    }

    fn value(_document: &Document, run: &Run) -> String {
        match run.status {
            RunStatus::Valid => cost_words(run.cost),
            RunStatus::Incomplete(_) if run.is_whole => format!("{}, breaks limits", cost_words(run.cost)),
            RunStatus::Incomplete(_) => Self::TEXTS.incomplete.to_owned(),
            RunStatus::Wrong(_) => "wrong".to_owned(),
        }
    }

    fn best_value(_document: &Document, checkpoint: &Checkpoint<BestLayout>) -> String {
        let best = &checkpoint.progress.snapshot.best;
        let words = cost_words(best.cost());
        if best.score.is_feasible() { words } else { format!("{words}, breaks limits") }
    }

    /// Names the departments concerned, if the layout violates limits.
    fn ending(ended: &runs::Ended<CheckedLayout>) -> Vec<Notice> {
        match &ended.run {
            Some(Run { status: RunStatus::Incomplete(text), checked, .. })
                if ended.failure.is_none() && checked.is_whole =>
            {
                let first = text.lines().next().unwrap_or_default();
                let text = format!(
                    "The best layout found breaks limits, which are marked: {first}. Allow longer shapes or more floor, \
                     remove a rule, or search longer."
                );
                let unkept = ended.unkept.iter();
                let unkept = unkept.map(|why| Notice::error("The run could not be kept on disk", why.clone()));
                let lacking = Notice::error("No layout within all limits was found", text).of_run();
                std::iter::once(lacking).chain(unkept).collect()
            }
            _ => ended.notices("layout"),
        }
    }

    fn run_begins(document: &mut Document) {
        let number = document.next_number();
        document.histories.insert(number, IslandHistory::default());
    }

    fn run_progressed(document: &mut Document) {
        let number = document.next_number();
        let Some(checkpoint) = document.live.as_ref().and_then(|live| live.checkpoint.as_ref()) else { return };
        let snapshot = &checkpoint.progress.snapshot;
        document.state.histories.entry(number).or_default().tell(snapshot.step, &snapshot.best);
    }

    fn run_ended(document: &mut Document, number: usize, listed: bool, _last: Option<&BestLayout>) {
        if !listed {
            document.histories.remove(&number);
        }
    }

    fn quantity(document: &Document) -> Quantity {
        if document.instance.has_moving_cost() {
            let help = "Flow × distance over all pairs of departments, and the prices of those that leave their places of today; a \
                        layout that breaks limits costs more";
            return Quantity { name: "Cost", help };
        }
        Quantity {
            name: "Material handling cost",
            help: "The sum over all pairs of departments of flow × distance of their centres; a layout that breaks limits \
                   costs more",
        }
    }

    fn references(document: &Document) -> Vec<Reference> {
        let source = library::best_known_source(&document.instance).unwrap_or_default();
        let best = document.best_known().map(|value| Reference { name: "Best known".to_owned(), value, source });
        best.into_iter().collect()
    }

    fn demands(instance: &Instance) -> Rules {
        instance.rules.clone()
    }

    fn best_solution(instance: &Instance, best: &Arc<BestLayout>) -> Option<Arc<Layout>> {
        is_whole(instance, &best.layout).then(|| Arc::new(best.layout.clone()))
    }

    fn with_demands(instance: &Instance, demands: &Rules) -> Instance {
        Instance { rules: demands.clone(), ..instance.clone() }
    }

    fn last_demands(runs: &RunList<CheckedLayout>, instance: &Instance) -> Option<Rules> {
        // What was demanded last is demanded again.
        runs.last().map(|run| run.rules.clone()).filter(|rules| rules.check(instance).is_ok())
    }

    fn edited(document: &mut Document, before: &Work<Self>) {
        if document.instance.rules == before.demands {
            return;
        }
        // Not every algorithm minds rules.
        if document.settings.algorithm.check(&document.instance).is_err() {
            document.settings.algorithm = Algorithm::for_instance(&document.instance);
        }
        // Bays lie as they do around locked rectangles.
        let locked = document.instance.rules.orientation();
        document.settings.goal = document.settings.goal.map(|wanted| locked.unwrap_or(wanted));
    }

    fn read_solution(instance: &Instance, path: &Path) -> Option<Result<(Layout, Vec<String>)>> {
        solution::is_layout(path).then(|| {
            let file = solution::read(path, instance)?;
            let remarks = file.remarks().into_iter().map(|(_, words)| format!("the file {words}")).collect();
            Ok((file.layout, remarks))
        })
    }

    fn draft_words(_document: &Document, draft: &Draft<Layout>) -> String {
        format!("{} elsewhere", counted(draft.base.displaced(&draft.solution) as u64, "department"))
    }

    fn draft_value(document: &Document) -> String {
        let valid = document.plan().filter(|plan| plan.verdict.feasible);
        valid.map_or_else(String::new, |plan| cost_words(plan.cost()))
    }

    fn made_by_hand(request: &SolveRequest<Self>, made: &Arc<Layout>) -> Option<(Arc<BestLayout>, f64)> {
        let verdict = check(&request.instance, made);
        // As a search with these settings would report the layout.
        let lacking = request.settings.algorithm.price() * (verdict.closeness.best - verdict.closeness.score);
        let score = Score { violation: if verdict.feasible { 0.0 } else { 1.0 }, cost: verdict.cost + lacking };
        let (layout, islands, migrations) = (Layout::clone(made), Vec::new(), Vec::new());
        let best = BestLayout { layout, score, lacking, islands, migrations, proven: false };
        Some((Arc::new(best), verdict.cost))
    }

    fn carry(instance: &Instance, solution: &Encoded, _demands: Option<&Encoded>) -> Option<(Layout, Vec<String>)> {
        let (layout, [gone, new]) = carrying::layout(instance, solution)?;
        let broken = check(instance, &layout).concerned.len();
        let departments = |count: usize, words: &str| format!("{} {words}", counted(count as u64, "department"));
        let parts = [(gone, "left out"), (new, "added"), (broken, "against a limit or a rule")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        Some((layout, parts.map(|(count, words)| departments(count, words)).collect()))
    }

    fn carry_demands(from: &Instance, to: &Instance, demands: &Rules, names: &FormerNames) -> (Rules, Vec<String>) {
        let (rules, lost) = carrying::rules(from, to, demands, names);
        (rules, carrying::lost_rules(from, to, demands, lost))
    }

    fn decode_draft(instance: &Instance, solution: &Encoded) -> Option<Layout> {
        let layout = stored::decode(instance, solution).ok()?;
        (is_whole(instance, &layout) && layout.bays.iter().all(|bay| !bay.is_empty())).then_some(layout)
    }

    fn encode_demands(document: &Document) -> Option<Encoded> {
        Some(Encoded::of(&Demands::Facility { rules: document.instance.rules.clone(), start: None }))
    }

    fn decode_demands(instance: &Instance, demands: &Encoded) -> std::result::Result<Option<Rules>, String> {
        let Demands::Facility { rules, .. } = demands.read()?;
        rules.check(instance).map_err(|error| error.to_string())?;
        Ok(Some(rules))
    }

    fn save_view(document: &Document, view: &mut BTreeMap<String, String>) {
        view.insert(FLOWS.to_owned(), if document.floor.lines { "on" } else { "off" }.to_owned());
        view.insert(LEAST.to_owned(), document.floor.threshold.to_string());
        if let Some(underlay) = document.underlay.underlay() {
            view.insert(UNDERLAY.to_owned(), underlay.placement_text());
        }
        if let Some(department) = document.selected.and_then(|at| document.instance.departments.get(at)) {
            view.insert(SELECTED.to_owned(), department.name.clone());
        }
    }

    fn restore_view(document: &mut Document, view: &BTreeMap<String, String>) {
        let stored_text = |key: &str| view.get(key).map(String::as_str);
        document.floor.lines = stored_text(FLOWS).map_or(document.floor.lines, |text| text == "on");
        let least = stored_text(LEAST).and_then(|text| text.parse().ok()).filter(|least: &f64| least.is_finite());
        document.floor.threshold = least.unwrap_or(document.floor.threshold);
        let named = |name: &str| document.instance.departments.iter().position(|one| one.name == name);
        document.selected = stored_text(SELECTED).and_then(named);
    }

    fn attachments(document: &Document) -> Attachments {
        document.underlay.files().clone()
    }

    fn restore_attachments(document: &mut Document, view: &BTreeMap<String, String>, attachments: &Attachments) {
        document.restore_underlay(view.get(UNDERLAY).map_or("", String::as_str), attachments);
    }

    fn keep_attachments(document: &mut Document, before: Self) {
        document.state.underlay = before.underlay;
    }

    fn settings_bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
        settings::bar(ui, document, devices);
    }

    fn inspector(ui: &mut Ui, document: &mut Document) {
        inspector::show(ui, document);
    }

    fn banners(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
        let change = document.draft_change().map(|(change, better)| (format!("cost {change}"), better));
        frames::edited_bar(ui, document, change, commands);
        if let Some(plan) = document.plan().filter(|plan| !plan.verdict.feasible) {
            banner::broken(ui, document, plan);
        }
    }

    fn needs_no_picture(document: &Document) -> bool {
        // From-to flows are there before any layout is.
        document.view == View::Flows
    }

    fn status_instead(document: &Document) -> Option<&RunStatus> {
        document.shown_run().map(|run| &run.status)
    }

    fn show_view(ui: &mut Ui, document: &mut Document, _commands: &mut Vec<Command>) {
        match document.view {
            View::Plan => floor::show(ui, document),
            View::Compare => alternatives::show(ui, document),
            View::Flows => flows::show(ui, document),
            View::Pairs => pairs::show(ui, document),
            View::Distances => distances::show(ui, document),
            View::Bays => bays::show(ui, document),
            View::Islands => islands::show(ui, document),
        }
    }

    fn fit(document: &mut Document) {
        if document.view == View::Flows {
            document.matrix.view.fit();
        } else {
            document.floor.view.fit();
            document.floor.other.fit();
        }
    }

    fn zoom(document: &mut Document, factor: f32) {
        if document.view == View::Flows {
            document.matrix.view.zoom(factor);
        } else {
            document.floor.view.zoom(f64::from(factor));
            document.floor.other.zoom(f64::from(factor));
        }
    }

    fn items(document: &Document) -> Vec<(usize, String, String)> {
        let departments = document.instance.departments.iter().enumerate();
        departments
            .map(|(index, one)| (index, format!("department {}", one.name), document.department_line(index)))
            .collect()
    }

    fn go_to(document: &mut Document, item: usize) {
        document.go_to(item);
    }

    fn compare(document: &mut Document, [a, b]: [usize; 2]) {
        document.compare(a, b);
    }

    fn possible(document: &Document, command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        let Some(action) = Action::of(command) else { return Ok(()) };
        if document.selected.is_none() && action.needs_department() {
            return Err("Select a department first");
        }
        match action {
            Action::ShowUnderlay => document.underlay.underlay().map(|_| ()).ok_or("There is no underlay yet"),
            Action::Lock { place: true } | Action::Underlay => {
                document.plan().map(|_| ()).ok_or("There is no layout yet")
            }
            _ => document.bays().map(|_| ()),
        }
    }

    fn is_chosen(document: &Document, command: &ProblemCommand) -> bool {
        Action::of(command) == Some(Action::ShowUnderlay) && document.underlay.drawn().is_some()
    }

    fn run_command(document: &mut Document, command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        Action::of(command).map_or(Ok(()), |action| document.act(action))
    }

    fn violations(document: &Document) -> Vec<Violation> {
        match (document.shown_run(), document.plan()) {
            (Some(run), _) => run.result.verdict.violations.clone(),
            (None, plan) => plan.map_or_else(Vec::new, |plan| plan.verdict.stored_violations()),
        }
    }

    fn export_options(ui: &mut Ui, document: &mut Document, format: &Format) {
        if matches!(format.ending, "pdf" | "svg" | "png") {
            let words = match document.floor.lines {
                true => "With the flows that the floor plan shows while nothing is selected",
                false => "Without flows, as in the floor plan",
            };
            ui.label(theme::small(words).color(palette(ui.visuals()).weak));
            ui.add_space(space::XS);
        }
    }
}
