//! `gridwright campaign`: plans are run, watched, merged and reported.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use gridwright_campaign::execution::{Event, Finished, perform, runs_at_a_time};
use gridwright_campaign::folder::{self, Folder};
use gridwright_campaign::plan::{self, Campaign as Plan};
use gridwright_campaign::report::files::{Reported, USUAL};
use gridwright_campaign::row::Row;
use gridwright_campaign::{RunSpec, backend_name, script};
use gridwright_core::Error;
use gridwright_core::search::Control;
use gridwright_core::store::outputs::Outputs;
use serde_json::json;

use super::{Exit, interrupt, text};
use crate::arguments::campaign::{Campaign, CampaignRun, CampaignScript, Engine};

/// Runs a command on campaigns.
///
/// # Errors
/// Faults of the plan, of a folder or of a file to be written.
pub fn run(arguments: &Campaign) -> anyhow::Result<Exit> {
    match arguments {
        Campaign::Run(arguments) => perform_plan(arguments),
        Campaign::Status { folder, json } => status(folder, *json),
        Campaign::Merge { folders, out } => merge(folders, out),
        Campaign::Report { folder, to, overwrites } => report(folder, to, *overwrites),
        Campaign::Script(arguments) => write_script(arguments),
    }
}

/// The folder of a plan's campaign where none is named.
fn usual_folder(plan: &Path) -> PathBuf {
    plan.file_stem().map_or_else(|| PathBuf::from("campaign"), PathBuf::from)
}

fn perform_plan(arguments: &CampaignRun) -> anyhow::Result<Exit> {
    let campaign = plan::read(&arguments.plan, &gridwright_core::source::data_folder(), &gridwright_campaign::open)?;
    check_names("instance", &arguments.instance, &campaign, RunSpec::is_on, |run| &run.source)?;
    check_names("algorithm", &arguments.algorithm, &campaign, RunSpec::is_by, |run| &run.entry)?;
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
    let jobs = runs_at_a_time(arguments.jobs, &left);
    let spoken = !arguments.quiet;
    if spoken {
        begin(&campaign, &out, wanted, &left, jobs);
    }
    let control = Control::new();
    interrupt::cancels_saying(
        &control,
        spoken.then_some("stopping, finished runs are kept; Ctrl-C again ends at once"),
    );
    let has_backends =
        left.windows(2).any(|pair| (&pair[0].backend, pair[0].threads) != (&pair[1].backend, pair[1].threads));
    let (began, mut done, mut failed) = (Instant::now(), 0, 0);
    perform(&left, jobs, &gridwright_campaign::open, &mut folder, &control, &mut |event| {
        let Event::Finished(Finished { row, .. }) = event else { return };
        done += 1;
        failed += usize::from(!row.failure.is_empty());
        if spoken {
            let remaining = began.elapsed().as_secs_f64() / done as f64 * (left.len() - done) as f64;
            text::note(&progress(row, has_backends, done, left.len(), remaining));
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

/// Makes sure that each name on the command line is that of a run.
///
/// # Errors
/// [`Error::Usage`] with the names that there are.
fn check_names(
    noun: &str, names: &[String], campaign: &Plan, is_meant: impl Fn(&RunSpec, &[String]) -> bool,
    known: impl Fn(&RunSpec) -> &String,
) -> Result<(), Error> {
    let is_unknown = |name: &&String| !campaign.runs.iter().any(|run| is_meant(run, std::slice::from_ref(*name)));
    let Some(name) = names.iter().find(is_unknown) else { return Ok(()) };
    let known: BTreeSet<&str> = campaign.runs.iter().map(|run| known(run).as_str()).collect();
    let known = known.into_iter().collect::<Vec<_>>().join(", ");
    Err(Error::Usage(format!("the plan has no {noun} “{name}”; there are {known}")))
}

/// True if the options of the command line do not leave the run to a later call.
fn is_wanted(run: &RunSpec, arguments: &CampaignRun) -> bool {
    (arguments.instance.is_empty() || run.is_on(&arguments.instance))
        && (arguments.algorithm.is_empty() || run.is_by(&arguments.algorithm))
        && arguments.backend.as_ref().is_none_or(|backend| run.backend == *backend)
        && arguments.threads.is_none_or(|threads| run.threads == threads)
        && arguments.seeds.is_none_or(|most| run.seed <= most)
}

/// Prints the number of runs and the expected time.
fn begin(campaign: &Plan, out: &Path, all: usize, left: &[&RunSpec], jobs: usize) {
    let (name, out) = (&campaign.name, out.display());
    let timed = left.iter().filter(|run| run.is_timed()).count();
    let skipped = all - left.len();
    let mut line = format!("{name}: {}, {skipped} done before, {jobs} at a time, in {out}", text::counted(all, "run"));
    if timed > 0 {
        line.push_str(&format!("; {timed} whose time counts go one by one"));
    }
    text::note(&line);
}

/// The line of a finished run; `has_backends` is true if runs differ in their backend or threads.
fn progress(row: &Row, has_backends: bool, done: usize, all: usize, remaining: f64) -> String {
    let outcome = match (row.failure.as_str(), row.cost_display) {
        ("", Some(cost)) if row.feasible => text::quantity(text::rounded(cost)),
        ("", _) => "infeasible".to_owned(),
        (why, _) => format!("failed: {why}"),
    };
    let (instance, label, seed, time) = (&row.instance, &row.label, row.seed, text::duration(row.seconds));
    let backend = if has_backends { format!(", {}", backend_name(&row.backend, row.threads)) } else { String::new() };
    let left = text::duration(remaining);
    format!("{done}/{all}  {instance}, {label}, seed {seed}{backend}: {outcome} in {time}; {left} left")
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
            ("Done", format!("{} of {}", status.done, text::counted(status.total, "run"))),
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
        let count = text::counted(merged.differing.len(), "run");
        text::note(&format!(
            "{count} gave different results in different folders, such as {first}; the first one was kept"
        ));
    }
    text::note(&format!("{} are in {}", text::counted(merged.rows, "row"), out.display()));
    Ok(Exit::Done)
}

fn report(folder: &Path, to: &[PathBuf], overwrites: bool) -> anyhow::Result<Exit> {
    let reported = Reported::read(folder)?;
    let targets = Outputs::of_user(gridwright_campaign::folder::files_of(folder), overwrites);
    let usual: Vec<PathBuf> = USUAL.iter().map(|name| folder.join(name)).collect();
    for path in if to.is_empty() { &usual } else { to } {
        reported.write(path, &targets)?;
        text::note(&format!("written: {}", path.display()));
    }
    Ok(Exit::Done)
}

fn write_script(arguments: &CampaignScript) -> anyhow::Result<Exit> {
    let mut campaign =
        plan::read(&arguments.plan, &gridwright_core::source::data_folder(), &gridwright_campaign::open)?;
    let chosen = Vec::from_iter(arguments.algorithm.clone());
    check_names("algorithm", &chosen, &campaign, RunSpec::is_by, |run| &run.entry)?;
    if !chosen.is_empty() {
        campaign.runs.retain(|run| run.is_by(&chosen));
    }
    let engine = match arguments.engine {
        Engine::Slurm => script::Engine::Slurm,
        Engine::Hyperqueue => script::Engine::HyperQueue,
        Engine::Parallel => script::Engine::Parallel,
        Engine::Irace => script::Engine::Irace,
    };
    let out = arguments.out.clone().unwrap_or_else(|| usual_folder(&arguments.plan));
    let [plan, out] =
        [&arguments.plan, &out].map(|path| path.to_str().context("the path is not Unicode; rename the file or folder"));
    if let ([first, rest @ ..], script::Engine::Irace) = (&script::algorithms(&campaign)[..], engine)
        && !rest.is_empty()
    {
        let rest = rest.join(", ");
        text::note(&format!("the script tunes {first}; the plan also has {rest}: choose with --algorithm"));
    }
    let script = script::script(engine, &campaign, plan?, out?, arguments.shards, arguments.cores)?;
    text::answer(&script);
    Ok(Exit::Done)
}
