//! `gridwright campaign`: plans are run, watched, merged and reported.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use gridwright_solver::campaign::exchange;
use gridwright_solver::campaign::execution::perform;
use gridwright_solver::campaign::folder::{self, Curves, Folder};
use gridwright_solver::campaign::measured::Benches;
use gridwright_solver::campaign::plan::{self, Campaign as Plan};
use gridwright_solver::campaign::report::figures::Figure;
use gridwright_solver::campaign::report::tables::Table;
use gridwright_solver::campaign::report::{self, Report, html, latex, markdown, pdf};
use gridwright_solver::campaign::row::Row;
use gridwright_solver::campaign::{Improvement, OpenedInstance, Opener, RunSpec, script};
use gridwright_solver::problem::{OptionScope, Overrides};
use gridwright_solver::result::RunResult;
use gridwright_solver::scene::svg::to_svg;
use gridwright_solver::search::Control;
use gridwright_solver::{Result, backend, files};
use serde_json::json;

use super::problem::OpenInstance;
use super::{Exit, interrupt, opening, paths, text};
use crate::arguments::campaign::{Campaign, CampaignRun, CampaignScript, Engine};
use crate::arguments::{InstanceArguments, SolveRequest, declared};

/// Runs a command on campaigns.
///
/// # Errors
/// Faults of the plan, of a folder or of a file to be written.
pub fn run(arguments: &Campaign) -> anyhow::Result<Exit> {
    match arguments {
        Campaign::Run(arguments) => perform_plan(arguments),
        Campaign::Status { folder, json } => status(folder, *json),
        Campaign::Merge { folders, out } => merge(folders, out),
        Campaign::Report { folder, to } => report(folder, to),
        Campaign::Script(arguments) => write_script(arguments),
    }
}

/// Opens instances for campaigns through the registry.
struct Instances;

/// An instance of any problem, as a campaign sees it.
struct Opened(Box<dyn OpenInstance>);

impl Opener for Instances {
    fn open(&self, source: &str, options: &Overrides) -> Result<Box<dyn OpenedInstance>> {
        let overrides = options_with(options, |scope| matches!(scope, OptionScope::Instance { .. }));
        let instance = InstanceArguments { source: source.to_owned(), overrides };
        Ok(Box::new(Opened(opening::open(&instance)?)))
    }
}

/// The options whose scope is accepted by `is_meant`.
fn options_with(options: &Overrides, is_meant: impl Fn(&OptionScope) -> bool) -> Overrides {
    let meant =
        options.values().iter().filter(|(name, _)| declared(name).is_some_and(|(_, option)| is_meant(&option.scope)));
    meant.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn request(spec: &RunSpec) -> SolveRequest {
    SolveRequest {
        algorithm: Some(spec.algorithm.clone()),
        backend: spec.backend.clone(),
        threads: spec.threads,
        seed: spec.seed,
        budget: spec.budget,
        target: spec.target,
        stall: spec.stall,
        parameters: spec.parameters.clone().into_iter().collect(),
        options: options_with(&spec.options, |scope| *scope == OptionScope::Solve),
    }
}

impl OpenedInstance for Opened {
    fn problem(&self) -> &'static str {
        self.0.problem().id()
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn digest(&self) -> &str {
        self.0.identity().file_hash
    }

    fn shown(&self, cost: f64) -> f64 {
        self.0.shown(cost)
    }

    fn best_known(&self) -> Option<f64> {
        self.0.best_known()
    }

    fn check(&self, spec: &RunSpec) -> Result<()> {
        self.0.check_request(&request(spec))
    }

    fn solve(&self, spec: &RunSpec, control: &Control, observer: &mut dyn FnMut(Improvement)) -> Result<RunResult> {
        self.0.solve(&request(spec), control, &mut |report| {
            let (step, evaluations, seconds) = (report.step, report.evaluations, report.seconds);
            observer(Improvement { step, evaluations, seconds, cost: report.cost });
        })
    }
}

/// The folder of a plan's campaign where none is named.
fn usual_folder(plan: &Path) -> PathBuf {
    plan.file_stem().map_or_else(|| PathBuf::from("campaign"), PathBuf::from)
}

fn perform_plan(arguments: &CampaignRun) -> anyhow::Result<Exit> {
    let campaign = plan::read(&arguments.plan, &paths::data_folder(), &Instances)?;
    let (index, count) = arguments.shard.unwrap_or((1, 1));
    let own: Vec<&RunSpec> = campaign.runs.iter().skip(index - 1).step_by(count).collect();
    let out = arguments.out.clone().unwrap_or_else(|| {
        let usual = usual_folder(&arguments.plan);
        if count == 1 { usual } else { PathBuf::from(format!("{}-{index}-of-{count}", usual.display())) }
    });
    let mut folder = Folder::open(&out, &campaign, &own)?;
    let is_left = |run: &&RunSpec| is_wanted(run, arguments) && !folder.is_done(&run.key(), arguments.retry);
    let left: Vec<&RunSpec> = own.iter().copied().filter(is_left).collect();
    let wanted = own.iter().filter(|run| is_wanted(run, arguments)).count();
    let jobs = match arguments.jobs {
        0 => backend::available_threads() / left.iter().map(|run| run.threads.max(1)).max().unwrap_or(1),
        jobs => jobs,
    }
    .max(1);
    let spoken = !arguments.quiet;
    if spoken {
        begin(&campaign, &out, wanted, &left, jobs);
    }
    let control = Control::new();
    interrupt::cancels_saying(
        &control,
        spoken.then_some("stopping, finished runs are kept; Ctrl-C again ends at once"),
    );
    let (began, mut done, mut failed) = (Instant::now(), 0, 0);
    perform(&left, jobs, &Instances, &mut folder, &control, &mut |row| {
        done += 1;
        failed += usize::from(!row.failure.is_empty());
        if spoken {
            let remaining = began.elapsed().as_secs_f64() / done as f64 * (left.len() - done) as f64;
            text::note(&progress(row, done, left.len(), remaining));
        }
    })?;
    if spoken {
        let (out, rest) = (out.display(), left.len() - done);
        let stopped = if rest == 0 { String::new() } else { format!(", {rest} left: run the command again to go on") };
        text::note(&format!("{done} runs done, {failed} failed{stopped}; rows are in {out}"));
    }
    Ok(match (done == left.len(), failed) {
        (true, 0) => Exit::Done,
        (true, _) => Exit::Infeasible,
        (false, _) => Exit::Interrupted,
    })
}

/// True if the options of the command line do not leave the run to a later call.
fn is_wanted(run: &RunSpec, arguments: &CampaignRun) -> bool {
    arguments.backend.as_ref().is_none_or(|backend| run.backend == *backend)
        && arguments.threads.is_none_or(|threads| run.threads == threads)
        && arguments.seeds.is_none_or(|most| run.seed <= most)
}

/// Says what is about to be done.
fn begin(campaign: &Plan, out: &Path, all: usize, left: &[&RunSpec], jobs: usize) {
    let (name, out) = (&campaign.name, out.display());
    let timed = left.iter().filter(|run| run.is_timed()).count();
    let skipped = all - left.len();
    let mut line = format!("{name}: {}, {skipped} done before, {jobs} at a time, in {out}", text::plural(all, "run"));
    if timed > 0 {
        line.push_str(&format!("; {timed} whose time counts go one by one"));
    }
    text::note(&line);
}

fn progress(row: &Row, done: usize, all: usize, remaining: f64) -> String {
    let outcome = match (row.failure.as_str(), row.cost_display) {
        ("", Some(cost)) if row.feasible => text::quantity(text::rounded(cost)),
        ("", _) => "infeasible".to_owned(),
        (why, _) => format!("failed: {why}"),
    };
    let (instance, label, seed, time) = (&row.instance, &row.label, row.seed, text::duration(row.seconds));
    format!("{done}/{all}  {instance}, {label}, seed {seed}: {outcome} in {time}; {} left", text::duration(remaining))
}

fn status(folder: &Path, as_json: bool) -> anyhow::Result<Exit> {
    let status = folder::status(folder)?;
    let failed: usize = status.failures.values().sum();
    let left = status.total - status.done;
    text::answer(&if as_json {
        text::json(&json!({
            "total": status.total, "done": status.done, "failed": failed, "infeasible": status.infeasible,
            "left": left, "seconds_left": status.seconds_left, "failures": status.failures,
        }))
    } else {
        let mut rows = vec![
            ("Done", format!("{} of {}", status.done, text::plural(status.total, "run"))),
            ("Failed", failed.to_string()),
            ("Infeasible", status.infeasible.to_string()),
            ("Left", left.to_string()),
        ];
        if let Some(seconds) = status.seconds_left.filter(|_| left > 0) {
            rows.push(("Expected", format!("{} if one run follows the other", text::duration(seconds))));
        }
        let reasons = status.failures.iter().map(|(why, count)| ("Reason", format!("{count} × {why}")));
        rows.extend(reasons);
        text::table(&rows)
    });
    Ok(Exit::Done)
}

fn merge(folders: &[PathBuf], out: &Path) -> anyhow::Result<Exit> {
    let merged = folder::merge(folders, out)?;
    if merged.plans_differ {
        text::note("the plans of the folders differ; the first one was kept");
    }
    if let [first, ..] = &merged.differing[..] {
        let count = text::plural(merged.differing.len(), "run");
        text::note(&format!(
            "{count} gave different results in different folders, such as {first}; the first one was kept"
        ));
    }
    text::note(&format!("{} are in {}", text::plural(merged.rows, "row"), out.display()));
    Ok(Exit::Done)
}

/// Files that [`report`] writes by default.
const USUAL: [&str; 5] = ["report.html", "report.pdf", "tables.tex", "tables", "figures"];

fn report(folder: &Path, to: &[PathBuf]) -> anyhow::Result<Exit> {
    let (rows, curves) = (folder::read_rows(folder)?, folder::read_curves(folder)?);
    if rows.is_empty() {
        anyhow::bail!("{} holds no finished run; start the campaign with “gridwright campaign run”", folder.display());
    }
    let (name, published) = folder::published(folder)?;
    let benches = Benches::read(folder, &published)?;
    let report = report::of(&name, &published, &benches, &rows, &curves);
    let usual: Vec<PathBuf> = USUAL.iter().map(|name| folder.join(name)).collect();
    for path in if to.is_empty() { &usual } else { to } {
        for (path, content) in outputs(path, &report, &rows, &curves)? {
            files::write(&path, &content)?;
        }
        text::note(&format!("written: {}", path.display()));
    }
    Ok(Exit::Done)
}

/// The files that are written for a path of `--to`: one by its ending, or those of a folder by its name.
fn outputs(path: &Path, report: &Report, rows: &[Row], curves: &Curves) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let one = |content: Vec<u8>| Ok(vec![(path.to_path_buf(), content)]);
    let parts = || report.sections.iter();
    match (ending.as_deref(), name.as_str()) {
        (Some("html"), _) => one(html::write(report).into_bytes()),
        (Some("pdf"), _) => one(pdf::write(report)?),
        (Some("md"), _) => one(markdown::write(report, rows).into_bytes()),
        (Some("tex"), _) => one(latex::write(report).into_bytes()),
        (None, "figures") => {
            let files = parts().flat_map(|part| part.figures.iter().map(move |figure| (part.number, figure)));
            let file = |(number, figure): (usize, &Figure)| {
                (path.join(format!("{number}-{}.svg", figure.name)), to_svg(&figure.scene).into_bytes())
            };
            Ok(files.map(file).collect())
        }
        (None, "tables") => {
            let files = parts().flat_map(|part| part.tables.iter().map(move |table| (part.number, table)));
            let file = |(number, table): (usize, &Table)| {
                (path.join(format!("{number}-{}.csv", table.name)), table.csv().into_bytes())
            };
            Ok(files.map(file).collect())
        }
        (None, "iohanalyzer") => {
            let files = exchange::iohanalyzer(rows, curves).into_iter();
            Ok(files.map(|(name, text)| (path.join(name), text.into_bytes())).collect())
        }
        _ => anyhow::bail!(
            "{} is no part of a report; write NAME.html, NAME.pdf, NAME.tex or NAME.md, or a folder called tables, figures or \
                iohanalyzer",
            path.display()
        ),
    }
}

fn write_script(arguments: &CampaignScript) -> anyhow::Result<Exit> {
    let campaign = plan::read(&arguments.plan, &paths::data_folder(), &Instances)?;
    let engine = match arguments.engine {
        Engine::Slurm => script::Engine::Slurm,
        Engine::Hyperqueue => script::Engine::HyperQueue,
        Engine::Parallel => script::Engine::Parallel,
        Engine::Irace => script::Engine::Irace,
    };
    let out = arguments.out.clone().unwrap_or_else(|| usual_folder(&arguments.plan));
    let [plan, out] =
        [&arguments.plan, &out].map(|path| path.to_str().context("the path is not Unicode; rename the file or folder"));
    let script = script::script(engine, &campaign, plan?, out?, arguments.shards, arguments.cores)?;
    text::answer(&script);
    Ok(Exit::Done)
}
