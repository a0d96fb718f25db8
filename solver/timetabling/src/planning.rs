//! Examination sessions as everything that knows no problem asks for them: opening, runs, checks, exports, comparison.

use std::path::Path;

use chrono::Utc;
use gridwright_core::data::FormerNames;
use gridwright_core::export::formats::Format;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::numbers::{self, counted, quantity};
use gridwright_core::planning::{
    AssignedDuties, Compared, Decision, DutyRequest, ExportOptions, ExportOrigin, Fact, Judged, Measure, MissingData,
    Planning, Published, ReadSolution, Remark, Settings,
};
use gridwright_core::problem::{Overrides, Problem};
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::scene::fonts;
use gridwright_core::search::run::Judgement;
use gridwright_core::search::{Control, Progress, Snapshot};
use gridwright_core::{Error, Result, registry};
use serde_json::json;

use crate::formats::solution::{SolutionOptions, read_solution_with};
use crate::formats::{self, LoadOptions};
use crate::problem::{Timetabling, extra_time_place, is_fewest_exams, language};
use crate::project::{self, SessionDemands};
use crate::published;
use crate::report::Background;
use crate::run::holding::Held;
use crate::run::{self, Algorithm};
use crate::{
    ExtraTimePlace, Instance, Objective, Rules, StudentLimits, Timetable, around, check, comparison, comparison_text,
    contradictions, decisions, export, facts, invigilating, measures, objective, publishing, stored,
};

/// Violations of one kind of the timetable to stay close to that are listed.
const LISTED: usize = 20;

/// The timetable of a file, perhaps of an earlier state of the session, and what does not match.
fn former(instance: &Instance, path: &Path) -> Result<(Timetable, Vec<String>)> {
    if !registry::is_result(path) {
        let read = read_solution_with(path, instance, SolutionOptions::default())?;
        return Ok((read.timetable, read.mismatches));
    }
    let result = registry::load_result(path)?;
    let before = run::calendar_of(&result);
    let before = if before.is_empty() { &instance.periods } else { &before };
    let timetable = stored::decode_carried(instance, &result.solution, before);
    let timetable = timetable.ok_or_else(|| Error::file(path, "it holds no timetable; name a result of a session"))?;
    Ok((timetable, Vec::new()))
}

/// The session in which as few exams, or as few students, as possible shall have no place.
fn leaving_out(instance: &Instance, fewest_exams: bool) -> Instance {
    let mut instance = instance.clone();
    instance.rules.fewest_exams = fewest_exams;
    instance
}

/// The name of a solution in a report: its file name without the folders.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl Planning for Timetabling {
    type Instance = Instance;
    type Solution = Timetable;
    type Algorithm = Algorithm;
    type Goal = ();
    type Best = Timetable;

    const PROBLEM: &'static dyn Problem = &Timetabling;
    const FORMATS: &'static [Format] = &export::FORMATS;
    const HAS_DECISIONS: bool = true;

    fn open(source: &str, options: &Overrides) -> Result<Instance> {
        let mut instance = formats::open(source, &LoadOptions { periods: options.value("periods")? })?;
        if let Some(text) = options.text("minimise") {
            instance.objective = Objective::parse(text, &instance.objective).map_err(Error::Usage)?;
            instance.objective.check(&instance).map_err(Error::Usage)?;
        }
        if let Some(text) = options.text("extra-time") {
            instance.resources.extra_time = extra_time_place(text).map_err(Error::Usage)?;
            let is_given = options.text("minimise").is_some_and(|text| text.contains(objective::MIXED_DURATIONS));
            if instance.resources.extra_time == ExtraTimePlace::Apart && !is_given {
                instance.objective.weights.keep_durations_apart();
            }
        }
        if let Some(text) = options.text("limits") {
            instance.rules.limits = StudentLimits::parse(text).map_err(Error::Usage)?;
        }
        Ok(instance)
    }

    fn identity(instance: &Instance) -> (&str, &str) {
        (&instance.name, &instance.file_hash)
    }

    fn warnings(instance: &Instance) -> Vec<String> {
        let resources = &instance.resources;
        let exams = instance.exams.iter().flat_map(|exam| [&exam.code, &exam.title]);
        let rooms = resources.rooms.iter().flat_map(|room| [&room.code, &room.building]);
        let students = resources.contacts.iter().flat_map(|contact| [&contact.name, &contact.first_name]);
        let people = resources.people.iter().map(|person| &person.name);
        let names = exams.chain(rooms).chain(students).chain(people).map(String::as_str);
        instance.remarks().into_iter().chain(fonts::undrawn(names)).collect()
    }

    fn summary(instance: &Instance) -> String {
        let mut parts = vec![counted(instance.exam_count(), "exam"), counted(instance.students.len(), "student")];
        if instance.period_count() > 0 {
            parts.push(counted(instance.period_count(), "period"));
        }
        parts.join(", ")
    }

    fn facts(instance: &Instance, _goal: &()) -> Vec<Fact> {
        facts::of(instance)
    }

    fn contradictions(instance: &Instance) -> Vec<String> {
        contradictions::contradictions(instance)
    }

    fn check_complete(instance: &Instance) -> Result<()> {
        if instance.period_count() > 0 {
            return Ok(());
        }
        let name = &instance.name;
        Err(Error::Usage(format!("{name}: its files do not say how many periods there are; say it with --periods N")))
    }

    fn fitted(instance: &Instance, mut settings: Settings<Self>) -> Result<Settings<Self>> {
        // Costs are integers; what people read has at most four decimals of them.
        let divisor = if instance.objective.is_per_student() { instance.divisor } else { 1 };
        settings.stop.target = settings.stop.target.map(|shown| (shown * f64::from(divisor)).round());
        Ok(settings)
    }

    /// The session with what `--leave-out` says and the timetable of `--around` to stay close to, and what of that timetable no
    /// longer holds.
    fn demanded(instance: &Instance, options: &Overrides) -> Result<Option<(Instance, Vec<String>)>> {
        let (price, room_price) = (options.value("price")?, options.value("room-price")?);
        let held = options.text("hold").map(|text| Held::of(instance, text)).transpose()?;
        let fewest_exams = options.text("leave-out").map(is_fewest_exams).transpose().map_err(Error::Usage)?;
        let Some(file) = options.text("around") else {
            if price.is_some() || room_price.is_some() || held.is_some() {
                let what = "a price or a held exam belongs to a timetable to stay close to; name it with --around FILE";
                return Err(Error::Usage(what.to_owned()));
            }
            return Ok(fewest_exams.map(|fewest_exams| (leaving_out(instance, fewest_exams), Vec::new())));
        };
        let (timetable, mut remarks) = former(instance, Path::new(file))?;
        let weight = price.unwrap_or_else(|| around::price_of_a_move(instance, &timetable));
        let room_price = room_price.unwrap_or_else(|| around::price_of_a_room(instance, weight));
        remarks.extend(around::by_kind(&check::check(instance, &timetable), LISTED));
        let mut instance = leaving_out(instance, fewest_exams.unwrap_or_default());
        if let Some(Held { exam, period }) = held {
            instance.rules.pins.insert(exam as u16, period as u16);
        }
        Ok(Some((instance.around(timetable, weight, room_price), remarks)))
    }

    fn solve(
        instance: &Instance, settings: &Settings<Self>, _start: Option<&Timetable>, control: &Control,
        observer: &mut dyn FnMut(&Progress<Timetable>),
    ) -> Result<RunResult> {
        run::solve(instance, settings, control, observer)
    }

    fn judge(
        instance: &Instance, _settings: &Settings<Self>, _start: Option<&Timetable>, snapshot: &Snapshot<Timetable>,
    ) -> Judgement {
        run::judged(instance, snapshot)
    }

    fn replay(
        instance: &Instance, result: &RunResult, (backend, threads): (&str, usize), control: &Control,
        observer: &mut dyn FnMut(&Progress<Timetable>),
    ) -> Result<ReplayReport> {
        run::replay(instance, result, backend, threads, control, observer)
    }

    /// Rules of the run where the data have none; a timetable that the run was to stay close to is none of them.
    fn asked(instance: &Instance, result: &RunResult) -> Result<Instance> {
        if result.demands.is_none() || !instance.rules.is_empty() {
            return Ok(instance.clone());
        }
        let mut asked = run::with_demands(instance, result)?;
        (asked.rules.reference, asked.rules.room_price) = (None, 0);
        Ok(asked)
    }

    fn decisions(instance: &Instance, timetable: &Timetable) -> Vec<Decision<Instance>> {
        decisions::of(instance, timetable)
    }

    fn close_to(instance: &Instance, timetable: &Timetable) -> Instance {
        decisions::close_to(instance, timetable)
    }

    fn moved(_instance: &Instance, [before, after]: [&Timetable; 2]) -> usize {
        before.periods.iter().zip(&after.periods).filter(|(before, after)| before != after).count()
    }

    fn measures(instance: &Instance, _goal: &(), timetable: &Timetable) -> Result<Vec<Measure>> {
        Ok(measures::of(instance, timetable))
    }

    /// The best cost so far, or what the best timetable lacks.
    fn best_text(instance: &Instance, _goal: &(), snapshot: &Snapshot<Timetable>) -> String {
        let cost = snapshot.best.cost(instance);
        match (cost.unplaced, cost.clashes) {
            (0, 0) => instance.cost_text(cost.proximity),
            (0, clashes) => format!("{} with a clash", counted(clashes, "student")),
            (unplaced, _) => format!("{unplaced} unplaced"),
        }
    }

    fn shown(instance: &Instance, cost: f64) -> f64 {
        if instance.objective.is_per_student() { cost / f64::from(instance.divisor) } else { cost }
    }

    fn shown_text(instance: &Instance, shown: f64) -> String {
        if instance.objective.is_per_student() { numbers::cost(shown) } else { quantity(shown) }
    }

    fn cost_line(instance: &Instance, _goal: &(), cost: f64) -> String {
        match instance.objective.is_per_student() {
            true => format!("{} ({} undivided)", numbers::cost(Self::shown(instance, cost)), quantity(cost)),
            false => format!("{}, objective {}", quantity(cost), instance.objective.kind.label()),
        }
    }

    fn best_known(instance: &Instance, _goal: &()) -> Option<f64> {
        published::best_known(instance)
    }

    fn best_known_source(instance: &Instance, _goal: &()) -> Option<String> {
        published::best_known_source(instance).map(str::to_owned)
    }

    fn our_best(instance: &Instance, _goal: &()) -> Option<f64> {
        published::our_best(instance)
    }

    fn encode(instance: &Instance, timetable: &Timetable) -> Encoded {
        stored::encode(instance, timetable)
    }

    fn decode(instance: &Instance, solution: &Encoded) -> std::result::Result<Timetable, String> {
        stored::decode_complete(instance, solution)
    }

    fn renamed(solution: &Encoded, names: &FormerNames) -> Option<Encoded> {
        stored::renamed(solution, names)
    }

    fn carry(instance: &Instance, solution: &Encoded) -> Option<(Encoded, Vec<String>)> {
        let (timetable, mismatches) = formats::solution::carried(instance, solution)?;
        Some((stored::encode(instance, &timetable), mismatches))
    }

    fn carry_demands(
        from: &Instance, to: &Instance, demands: &Encoded,
    ) -> std::result::Result<(Encoded, Vec<String>), String> {
        let stored: SessionDemands = demands.read()?;
        let demanded = stored.apply(from.clone()).map_err(|error| error.to_string())?;
        let (carried, remarks) = project::carry(from, to, &demanded.periods, &demanded.rules, &FormerNames::default());
        let SessionDemands { time_zone, published, duties, .. } = stored;
        Ok((Encoded::of(&SessionDemands { time_zone, published, duties, ..carried }), remarks))
    }

    fn publish(instance: &Instance, timetable: &Timetable, demands: Option<&Encoded>) -> Result<Published> {
        let stored = demands.map_or_else(|| Ok(SessionDemands::of(instance)), Encoded::read).map_err(Error::Usage)?;
        Ok(publishing::publish(instance, timetable, stored, Utc::now()))
    }

    fn assign_duties(instance: &Instance, timetable: &Timetable, request: &DutyRequest<'_>) -> Result<AssignedDuties> {
        let stored = request.demands.map_or_else(|| Ok(SessionDemands::of(instance)), Encoded::read);
        invigilating::answer(instance, timetable, stored.map_err(Error::Usage)?, request, Utc::now())
    }

    fn read_solution(instance: &Instance, _goal: &(), path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
        let read = read_solution_with(path, instance, SolutionOptions { counted_from })?;
        let counted = Remark {
            key: "periods_counted_from",
            value: json!(read.counted_from),
            text: format!("periods are counted from {} in {}", read.counted_from, path.display()),
        };
        let differing = Some(Remark::mismatches(&read.mismatches)).filter(|_| !read.mismatches.is_empty());
        let solution = stored::encode(instance, &read.timetable);
        Ok(ReadSolution {
            solution,
            stated: None,
            unlike: None,
            remarks: [counted].into_iter().chain(differing).collect(),
        })
    }

    fn verify(instance: &Instance, _goal: &(), timetable: &Timetable, result: Option<&RunResult>) -> Result<Judged> {
        let mut verdict = check::check(instance, timetable);
        let mut changes = Vec::new();
        if let Some(result) = result.filter(|result| result.demands.is_some()) {
            // A file without rules of its own demands nothing but what the run was asked to obey, which may be that seats
            // are ignored; a project's own rules stay.
            let asked = run::with_demands(instance, result)?;
            let then = check::check(&asked, timetable);
            changes = facts::of_changes(&asked, timetable, &then);
            if instance.rules.is_empty() {
                let rules = Rules { ignore_durations: false, ..asked.rules };
                verdict = check::check(&Instance { rules, ..instance.clone() }, timetable);
            }
            let new = |violation: &check::Violation| !verdict.violations.contains(violation);
            let further: Vec<_> = then.violations.into_iter().filter(new).collect();
            verdict.feasible &= further.is_empty();
            verdict.violations.extend(further);
        }
        let mut figures = vec![facts::of_components(instance, &verdict.components)];
        figures.extend(facts::of_bound(instance));
        figures.extend(facts::of_risk(instance, timetable));
        figures.extend(changes);
        figures.extend(facts::of_free_places(instance, timetable));
        Ok(Judged { verdict: verdict.into(), figures })
    }

    fn check_export(
        instance: &Instance, _goal: &(), ending: &str, _origin: ExportOrigin<'_>,
    ) -> std::result::Result<(), MissingData> {
        export::check(instance, None, ending)
    }

    fn export(
        instance: &Instance, timetable: &Timetable, _path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        let decoded = |(solution, path): (&Encoded, &Path)| {
            let timetable = Self::decode(instance, solution).map_err(|what| Error::file(path, what))?;
            Ok::<_, Error>((name_of(path), timetable))
        };
        let before = options.before.map(decoded).transpose()?;
        let before = before.as_ref().map(|(name, timetable)| (name.as_str(), timetable));
        let background = Background { result: options.result, before };
        let text = |name: &str| options.options.and_then(|options| options.text(name));
        let student = text("student");
        let time_zone = text("time-zone").map(str::parse).transpose().map_err(Error::Usage)?;
        let language = text("language").map(language).transpose().map_err(Error::Usage)?;
        let letterhead = options.letterhead.clone();
        let letterhead = &Letterhead { language: language.unwrap_or(letterhead.language), ..letterhead };
        let options =
            export::ExportOptions { background, student, time_zone, letterhead, ..export::ExportOptions::default() };
        export::export_bytes_with(instance, timetable, ending, &options, Utc::now())
    }

    fn compare(
        instance: &Instance, _goal: &(), [before, after]: [&Timetable; 2], paths: [&Path; 2],
    ) -> Result<Compared> {
        let comparison = comparison::Comparison::of(instance, before, after)?;
        Ok(comparison_text::compared(instance, &comparison, paths))
    }
}
