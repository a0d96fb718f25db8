//! Examination sessions as documents of the window.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::Utc;
use egui::{Context, Ui};
use gridwright_core::Result;
use gridwright_core::backend::{Backend, Device, Limits, MemoryNeed};
use gridwright_core::data::{Dataset, FormerNames, Tables};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::numbers::{compact, counted_as, grouped};
use gridwright_core::problem::Overrides;
use gridwright_core::result::{Encoded, RunResult, Violation};
use gridwright_timetabling::export::{self, ExportOptions, Rows, is_foreign_table};
use gridwright_timetabling::formats::solution;
use gridwright_timetabling::report::Background;
use gridwright_timetabling::run::{self};
use gridwright_timetabling::{Instance, Period, Timetable, check, problem, project, published, stored};
use strum::VariantArray;

use super::analysis::Picture;
use super::describe::{counted, short_cost};
use super::editing::{Draft, SessionDemands, Work};
use super::exporting::{Extras, FOREIGN, without_harm};
use super::remembered::Remembered;
use super::results::{self, CheckedTimetable};
use super::state::{Document, Run, TimetablingViews};
use super::view::View;
use super::view_state::comparison::Side;
use super::{
    active_rules, adjusting, banners, calendar, commands, comparison, conflicts, duties, evolution, exams, gaps, grid,
    inspector, limits, load, objective, periods, rooms, settings, students,
};
use crate::methods::*;
use gridwright_core::export::Writing;
use gridwright_core::export::formats::Format;
use gridwright_core::planning::Planning as _;
use gridwright_window::document::{CheckedRun, DocumentKind, Drawn, ExportedSolution, Refusal, Texts};
use gridwright_window::runs::{Shown, curves};
use gridwright_window::session::Checkpoint;
use gridwright_window::theme::{self, palette};
use gridwright_window::widgets::controls::{button, placeholder};
use gridwright_window::widgets::convergence::{Quantity, Reference};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::window::command::{Command, ProblemCommand};

type SolveRequest = gridwright_window::document::SolveRequest<TimetablingViews>;

/// Timetable of an export.
pub struct Exported {
    /// The session.
    pub instance: Arc<Instance>,
    /// The timetable.
    pub timetable: Arc<Timetable>,
    /// Run, comparison and rows of the grid.
    pub extras: Extras,
    /// Institution and logo.
    pub letterhead: Letterhead,
}

/// Option of a session that says its number of periods.
const PERIODS: &str = "periods";

/// Calendar among stored demands; that of the instance if they hold none.
fn calendar_among(demands: Option<&Encoded>, instance: &Instance) -> Vec<Period> {
    let of_session = demands.and_then(Encoded::decode::<project::SessionDemands>).map(|demands| demands.calendar);
    let of_result = || demands.and_then(Encoded::decode).map(|stored::Demands::Timetabling(rules)| rules.calendar);
    let calendar = of_session.or_else(of_result).filter(|calendar| !calendar.is_empty());
    calendar.unwrap_or_else(|| instance.periods.clone())
}

const CALENDAR: Command = Command::Problem(commands::CALENDAR);

impl CheckedRun<TimetablingViews> for CheckedTimetable {
    fn validate(instance: &Instance, result: RunResult) -> Option<Run> {
        let periods = results::periods_of(&result, instance);
        if periods == instance.period_count() {
            return Some(results::validate(instance, result));
        }
        let fitted = instance.clone().with_periods(periods).ok()?;
        Some(results::validate(&fitted, result))
    }

    fn cost(&self) -> f64 {
        self.raw as f64
    }

    fn solution(document: &Document, run: &Run) -> Option<Arc<Timetable>> {
        Some(run.timetable_in(&document.instance.periods))
    }
}

impl Drawn<TimetablingViews> for Picture {
    fn of(document: &Document, solution: Arc<Timetable>) -> Self {
        Picture::of(&document.instance, solution)
    }

    fn solution(&self) -> &Arc<Timetable> {
        &self.timetable
    }
}

impl ExportedSolution<TimetablingViews> for Exported {
    fn of(document: &Document, format: &Format) -> std::result::Result<Self, Refusal> {
        let timetable = document.solution(document.shown).ok_or("Solve first; there is no timetable yet")?;
        let extras = document.extras(document.report_against());
        if extras.rows.as_ref().is_some_and(|(exams, _)| exams.is_empty()) && format.is_picture() {
            return Err("The filter leaves no exam to draw; show all exams first");
        }
        let letterhead = document.letterhead().clone();
        Ok(Exported { instance: Arc::clone(&document.instance), timetable, extras, letterhead })
    }

    fn bytes(&self, ending: &str, writing: &Writing) -> Result<Vec<u8>> {
        let Exported { instance, timetable, extras, letterhead } = self;
        let before = extras.before.as_ref().map(|(name, timetable)| (name.as_str(), &**timetable));
        let options = ExportOptions {
            background: Background { result: extras.result.as_deref(), before },
            student: None,
            time_zone: None,
            rows: extras.rows.as_ref().map(|(exams, sort)| Rows { exams, sort: *sort }),
            letterhead,
            writing: Some(writing),
            ..ExportOptions::default()
        };
        export::export_bytes_with(instance, timetable, ending, &options, Utc::now())
    }
}

impl DocumentKind for TimetablingViews {
    type Problem = problem::Timetabling;
    type Demands = SessionDemands;
    type Checked = CheckedTimetable;
    type Picture = Picture;
    type View = View;
    type Selection = usize;
    type Exported = Exported;

    const TEXTS: Texts = Texts {
        icon: Icon::Grid,
        lacks: "",
        preparing: "The first timetable is being built, and the number of steps that fit into the time is measured.",
        watch: "Press Solve and watch it get better",
        project: Some(
            "Calendar, rules, the edited timetable and all runs in one file. It is kept up to date as you work.",
        ),
        by_hand: "the timetable was made by hand",
        foreign_edits: "The exams are no longer those of this instance",
        incomplete: "not valid",
        elsewhere: "for another number of periods",
    };
    const COMMANDS: &'static [ProblemCommand] = &commands::COMMANDS;
    const COMPARES: bool = true;
    const LANGUAGES: bool = true;

    fn options_of(stored: &BTreeMap<String, String>) -> Overrides {
        let periods = stored.get(PERIODS).filter(|text| text.as_str() != "0");
        periods.map(|text| (PERIODS.to_owned(), text.clone())).into_iter().collect()
    }

    fn stored_options(instance: &Instance) -> BTreeMap<String, String> {
        BTreeMap::from([(PERIODS.to_owned(), instance.period_count().to_string())])
    }

    /// Rooms only where the session plans them, generations only where the evolutionary algorithm can solve the session.
    fn views(instance: &Instance) -> Vec<View> {
        let is_shown = |view: &View| match view {
            View::Rooms => instance.has_rooms(),
            View::Duties => instance.has_rooms() && !instance.resources.invigilators.is_empty(),
            View::Evolution => !instance.is_session(),
            _ => true,
        };
        View::VARIANTS.iter().copied().filter(is_shown).collect()
    }

    fn new(instance: &Instance) -> Self {
        Self::of(instance)
    }

    fn default_settings() -> run::Settings {
        settings::defaults()
    }

    fn ready(document: &Document) -> std::result::Result<(), Refusal> {
        match () {
            () if document.instance.exam_count() == 0 => Err("There are no exams"),
            () if document.instance.period_count() == 0 => Err("Enter the number of periods first"),
            () => Ok(()),
        }
    }

    fn memory_need(
        instance: &Instance, settings: &run::Settings, backend: Backend, limits: &Limits,
    ) -> Result<Option<MemoryNeed>> {
        run::memory_need(instance, &settings.algorithm, backend, limits)
    }

    /// Every run is checked with its own number of periods.
    fn is_listed(document: &Document, run: &Run) -> bool {
        run.fits(&document.instance.periods)
    }

    fn figure(document: &Document, run: &Run) -> String {
        short_cost(&document.instance, run.raw)
    }

    /// The best so far: its clashes, or its cost.
    fn best_value(document: &Document, _checkpoint: &Checkpoint<Timetable>) -> String {
        match document.picture().filter(|_| document.shown == Shown::Live) {
            Some(picture) if !picture.cost.is_feasible() => {
                format!("{} clashes", compact((picture.cost.clashes + u64::from(picture.cost.unplaced)) as f64))
            }
            Some(picture) => short_cost(&document.instance, picture.cost.proximity),
            None => {
                let cost = document.live.as_ref().and_then(super::state::Live::cost);
                short_cost(&document.instance, cost.unwrap_or_default().max(0.0) as u64)
            }
        }
    }

    fn quantity(document: &Document) -> Quantity {
        let priced = Self::live_is_priced(document) || curves::plotted(document.listed()).any(|run| run.priced);
        if !document.instance.objective.is_per_student() {
            let name = if priced { "Cost, with the price of moved exams" } else { "Cost" };
            return Quantity { name, help: "The cost by the objective of the session, which the settings name" };
        }
        match priced {
            false => {
                Quantity { name: "Cost per student", help: "What two close exams of a student cost, for each student" }
            }
            // A search that stays close to a timetable minimises the sum, and its curve is that of the sum.
            true => Quantity {
                name: "Cost per student, with the price of moved exams",
                help: "Runs marked + stayed close to a timetable: to the cost per student their curves add the price of \
                       every exam that was moved. The list of runs shows costs without it",
            },
        }
    }

    fn curve_scale(document: &Document) -> f64 {
        document.instance.shown(1)
    }

    fn live_is_priced(document: &Document) -> bool {
        let reference = document.live.as_ref().and_then(|live| live.instance.rules.reference.as_ref());
        reference.is_some_and(|reference| reference.weight > 0)
    }

    /// Values from the literature, for the published number of periods; a published mean stands beside runs with its
    /// population only.
    fn references(document: &Document) -> Vec<Reference> {
        let name = document.instance.name.as_str();
        let is_published = published::conditions(name).is_some_and(|row| row.0 == document.instance.period_count());
        if !is_published || !document.instance.objective.is_toronto() {
            return Vec::new();
        }
        let source = published::best_known_source(&document.instance).unwrap_or_default().to_owned();
        let best = published::best_known(&document.instance);
        let best = best.map(|value| Reference { name: "Best known".to_owned(), value, source });
        let population = |run: &Run| run.result.parameters.get("population").map(|value| value.integer());
        let has = |wanted: u32| document.listed().any(|run| population(run) == Some(i64::from(wanted)));
        let means =
            published::PUBLISHED_POPULATIONS.into_iter().filter(|&wanted| has(wanted)).filter_map(|population| {
                let value = published::published_mean(name, population)?;
                let name = format!("Published mean, population {}", grouped(population));
                Some(Reference { name, value, source: published::MEANS_SOURCE.to_owned() })
            });
        best.into_iter().chain(means).collect()
    }

    fn best_solution(_instance: &Instance, best: &Arc<Timetable>) -> Option<Arc<Timetable>> {
        Some(Arc::clone(best))
    }

    fn run_removed(document: &mut Document, number: usize) {
        document.state.evolution.forget(number);
    }

    fn refreshed(document: &mut Document) {
        document.recount();
        document.judge();
    }

    fn demands(instance: &Instance) -> SessionDemands {
        SessionDemands::of(instance)
    }

    fn with_demands(instance: &Instance, demands: &SessionDemands) -> Instance {
        demands.applied_to(instance)
    }

    fn may_change_to(document: &Document, demands: &SessionDemands) -> std::result::Result<(), Refusal> {
        document.may_have_calendar(&demands.calendar)?;
        document.may_have_objective(&demands.objective)
    }

    fn edited(document: &mut Document, before: &Work) {
        if document.instance.period_count() != before.demands.calendar.len() {
            match document.draft() {
                Some(_) => document.show_draft(),
                None => document.show_best(),
            }
        }
        document.recount();
    }

    fn draft_name(number: usize) -> String {
        format!("Run {number}")
    }

    fn draft_words(document: &Document, draft: &Draft) -> String {
        banners::draft_counts(&document.instance, draft, 0)
    }

    fn made_by_hand(request: &SolveRequest, made: &Arc<Timetable>) -> Option<(Arc<Timetable>, f64)> {
        Some((Arc::clone(made), check::check(&request.instance, made).objective as f64))
    }

    fn read_solution(instance: &Instance, path: &Path) -> Option<Result<(Timetable, Vec<String>)>> {
        solution::is_timetable(path).then(|| {
            let read = solution::read_solution(path, instance)?;
            Ok((read.timetable, read.mismatches))
        })
    }

    fn draft_value(document: &Document) -> String {
        let valid = document.verdict().filter(|verdict| verdict.feasible);
        valid.map_or_else(String::new, |verdict| short_cost(&document.instance, verdict.raw))
    }

    fn present_tables(document: &Document) -> Option<Arc<Dataset>> {
        let data = &document.work().data;
        if document.instance.periods == data.instance.periods {
            return None;
        }
        // The calendar is edited in a dialog of its own, too.
        let tables = document.instance.to_data().tables;
        let edited = data.tables.tables.iter().zip(tables).zip(document.table_specs());
        let tables = edited.map(|((own, present), spec)| if spec.id == PERIODS { present } else { own.clone() });
        Some(Arc::new(Dataset { tables: tables.collect(), ..(*data.tables).clone() }))
    }

    fn carry(instance: &Instance, solution: &Encoded, demands: Option<&Encoded>) -> Option<(Timetable, Vec<String>)> {
        let timetable = stored::decode_carried(instance, solution, &calendar_among(demands, instance))?;
        let unplaced = (0..instance.exam_count()).filter(|&exam| timetable.period_of(exam).is_none()).count();
        let clashes = check::check(instance, &timetable)
            .violations
            .iter()
            .filter(|it| it.kind == check::ViolationKind::Clash)
            .count();
        let counts = [(unplaced, "exam without a period", "exams without a period"), (clashes, "clash", "clashes")];
        let words = counts.into_iter().filter(|(count, ..)| *count > 0);
        let words = words.map(|(count, one, more)| counted_as(count, one, more));
        let lost = stored::lost_rooms(instance, solution).into_iter();
        let lost = lost.map(|(room, exams)| format!("{} without room {room}", counted(exams as u64, "exam")));
        Some((timetable, words.chain(lost).collect()))
    }

    fn carry_demands(
        from: &Instance, to: &Instance, demands: &SessionDemands, names: &FormerNames,
    ) -> (SessionDemands, Vec<String>) {
        let (stored, remarks) = project::carry(from, to, &demands.calendar, &demands.rules, names);
        let to = Instance { periods: stored.calendar, ..to.clone() };
        let fitted = stored.rules.apply(to.clone());
        let mut carried = fitted.map_or_else(|_| SessionDemands::of(&to), |fitted| SessionDemands::of(&fitted));
        carried.rules.ignore_durations = false;
        carried.time_zone = demands.time_zone;
        carried.publications = Arc::clone(&demands.publications);
        carried.duties = Arc::clone(&demands.duties);
        if !names.is_empty() {
            let versions = demands.publications.iter().map(|version| version.clone().renamed(names));
            carried.publications = Arc::new(versions.collect());
            carried.duties = Arc::new(stored::renamed_duties(&demands.duties, names));
        }
        carried.objective.clone_from(&demands.objective);
        (carried, remarks)
    }

    fn keep_published(demands: &mut SessionDemands, told: &SessionDemands) {
        if !demands.publications.starts_with(&told.publications) {
            demands.publications = Arc::clone(&told.publications);
        }
    }

    /// Exams that the draft does not name are unplaced, as are those in periods beyond the last.
    fn decode_draft(instance: &Instance, solution: &Encoded) -> Option<Timetable> {
        stored::decode_known(instance, solution)
    }

    fn encode_demands(document: &Document) -> Option<Encoded> {
        Some(Encoded::of(&project::SessionDemands::of(&document.instance)))
    }

    fn decode_demands(instance: &Instance, demands: &Encoded) -> std::result::Result<Option<SessionDemands>, String> {
        let stored: project::SessionDemands = demands.read()?;
        let fitted = stored.apply(instance.clone()).map_err(|error| error.to_string())?;
        Ok(Some(SessionDemands::of(&fitted)))
    }

    fn remembered(document: &Document) -> Option<Encoded> {
        Some(Encoded::of(&document.view_settings()))
    }

    fn look_as_before(document: &mut Document, remembered: &Encoded) {
        if let Some(remembered) = remembered.decode::<Remembered>() {
            document.apply_remembered(&remembered);
        }
    }

    fn settings_bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
        settings::bar(ui, document, devices);
    }

    fn active_rules(ui: &mut Ui, document: &mut Document) {
        active_rules::show(ui, document);
    }

    fn inspector(ui: &mut Ui, document: &mut Document) {
        inspector::show(ui, document);
    }

    fn is_outdated(document: &Document) -> bool {
        document.outdated() > 0
    }

    fn banners(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
        banners::invalid(ui, document);
        banners::outdated(ui, document);
        banners::edited(ui, document, commands);
    }

    fn instead(ui: &mut Ui, document: &Document, commands: &mut Vec<Command>) -> bool {
        let is_empty = document.shown == Shown::Nothing && document.instance.period_count() == 0;
        if !is_empty {
            return false;
        }
        let text = "The file does not say how many periods the session has. Make a calendar with dates, or enter only the \
                    number above; then press Solve.";
        placeholder(ui, Icon::Info, "How many periods?", text, |ui| {
            let pressed = button(ui, Icon::Calendar, "Make a calendar…", true);
            if pressed.on_hover_text(CALENDAR.tooltip(ui.ctx())).clicked() {
                commands.push(CALENDAR);
            }
            let least = document.facts.least_periods;
            let needed = counted_as(least, "period is", "periods are");
            let reason = if least > 1 { ": so many exams share students, each with each" } else { "" };
            let hint = format!("At least {needed} needed{reason}");
            ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
        });
        true
    }

    fn show_view(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
        match document.view {
            View::Grid => grid::show(ui, document),
            View::Periods => periods::show(ui, document),
            View::Rooms => rooms::show(ui, document),
            View::Duties => duties::show(ui, document),
            View::Conflicts => conflicts::show(ui, document),
            View::Load => load::show(ui, document),
            View::Gaps => gaps::show(ui, document),
            View::Students => students::show(ui, document),
            View::Exams => exams::show(ui, document),
            View::Compare => comparison::show(ui, document),
            View::Evolution => evolution::show(ui, document, commands),
        }
    }

    fn show_dialogs(ctx: &Context, document: &mut Document, commands: &mut Vec<Command>) {
        if document.move_warning.is_some() {
            adjusting::move_warning_dialog(ctx, document);
        }
        adjusting::room_dialog(ctx, document);
        adjusting::room_warning_dialog(ctx, document);
        duties::warning_dialog(ctx, document);
        if let Some(mut dialog) = document.calendar_dialog.take() {
            match dialog.show(ctx) {
                Some(calendar::Wish::Apply(periods, time_zone)) => {
                    if let Err(why) = document.set_calendar(periods, time_zone) {
                        document.say(why);
                    }
                }
                Some(calendar::Wish::Close) => {}
                None => document.calendar_dialog = Some(dialog),
            }
        }
        if document.choosing_objective {
            objective::choice(ctx, document);
        }
        limits::choice(ctx, document);
        adjusting::bulk_dialog(ctx, document);
        let Some(mut dialog) = document.resolving.take() else { return };
        match dialog.show(ctx, document) {
            None => document.resolving = Some(dialog),
            Some(false) => {}
            Some(true) => match document.stay_close(dialog.weight, dialog.room_price, dialog.moved) {
                Ok(()) => commands.push(Command::Solve),
                Err(why) => document.say(why),
            },
        }
    }

    fn is_asking(document: &Document) -> bool {
        document.move_warning.is_some()
            || document.rooms.warning.is_some()
            || document.rooms.dialog.is_some()
            || document.duties.warning.is_some()
            || document.calendar_dialog.is_some()
            || document.resolving.is_some()
            || document.bulk.is_some()
            || document.choosing_objective
            || document.limits_dialog.is_some()
    }

    fn fit(document: &mut Document) {
        match document.view {
            View::Periods => document.periods.view.fit(),
            View::Rooms => document.rooms.view.fit(),
            View::Duties => document.duties.view.fit(),
            View::Conflicts => document.views.conflicts.view.fit(),
            View::Evolution => document.state.evolution.fit(),
            _ => document.grid.view.fit(),
        }
    }

    fn zoom(document: &mut Document, factor: f32) {
        match document.view {
            View::Periods => document.periods.view.zoom(factor),
            View::Rooms => document.rooms.view.zoom(factor),
            View::Duties => document.duties.view.zoom(factor),
            View::Conflicts => document.views.conflicts.view.zoom(factor),
            View::Evolution => document.state.evolution.zoom(factor),
            _ => document.grid.view.zoom(factor),
        }
    }

    fn items(document: &Document) -> Vec<(usize, String, String)> {
        let item = |(index, exam): (usize, &gridwright_timetabling::Exam)| {
            let students = format!("{} students", grouped(i64::from(exam.enrolment)));
            let facts = if exam.title.is_empty() { students } else { format!("{} · {students}", exam.title) };
            (index, format!("exam {}", exam.code), facts)
        };
        document.instance.exams.iter().enumerate().map(item).collect()
    }

    fn go_to(document: &mut Document, item: usize) {
        if item < document.instance.exam_count() {
            document.selected = Some(item);
        }
    }

    fn find(document: &mut Document) -> bool {
        document.find_in_picture()
    }

    fn compare(document: &mut Document, [a, b]: [usize; 2]) {
        document.compare_sides([Side::Run(a.min(b)), Side::Run(a.max(b))]);
    }

    fn is_chosen(document: &Document, command: &ProblemCommand) -> bool {
        commands::is_chosen(document, command)
    }

    fn possible(document: &Document, command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        commands::possible(document, command)
    }

    fn run_command(document: &mut Document, command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        commands::run(document, command)
    }

    fn violations(document: &Document) -> Vec<Violation> {
        document.verdict().map_or_else(Vec::new, |verdict| Violation::stored(&verdict.violations))
    }

    fn may_export(document: &Document, format: &Format) -> std::result::Result<(), Refusal> {
        let timetable = document.picture().map(|picture| &*picture.timetable);
        export::check(&document.instance, timetable, format.ending).map_err(|missing| missing.in_window)
    }

    fn begin_export(document: &mut Document) {
        document.report_with(document.report_side());
    }

    fn export_options(ui: &mut Ui, document: &mut Document, format: &Format) {
        super::exporting::options(ui, document, format);
    }

    fn forbidden(_document: &Document, path: &Path) -> Option<Refusal> {
        is_foreign_table(path).then_some(FOREIGN)
    }

    fn export_path(_document: &Document, path: &Path, format: &Format) -> PathBuf {
        without_harm(gridwright_core::export::formats::with_format(
            <Self::Problem>::FORMATS,
            path,
            format,
            "timetable",
            &['.', '-', '_', ' '],
        ))
    }
}
