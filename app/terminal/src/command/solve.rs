//! `gridwright solve`: from an instance to a result, pictures and tables.

use std::path::PathBuf;

use gridwright_core::Error;
use gridwright_core::planning::{ExportOptions, ExportOrigin, Fact, OUR_BEST, OpenInstance, opening, whole};
use gridwright_core::result::RunResult;
use gridwright_core::search::{Control, Improvement, StopReason};
use gridwright_core::store::outputs::Outputs;
use gridwright_core::store::{Checkpoints, Store, document_key};
use serde_json::{Value, json};

use super::progress::Display;
use super::{Exit, interrupt, outputs, text};
use crate::arguments::{Reporting, Solve};

/// Solves an instance.
///
/// # Errors
/// Faults of the instance, the request or the output paths; in that case nothing was written.
pub(super) fn run(arguments: &Solve) -> anyhow::Result<Exit> {
    let problem = opening::open(&arguments.instance)?;
    opening::check_request(problem.as_ref(), &arguments.request)?;
    let kept: Vec<PathBuf> = arguments.out.iter().cloned().collect();
    let inputs = gridwright_core::registry::input_files(&arguments.instance.source);
    let origin = ExportOrigin::Request(&arguments.request);
    let targets = Outputs::of_user(inputs, arguments.overwrites);
    outputs::check(&*problem, origin, &arguments.exports, &kept, &targets)?;
    let letterhead = opening::letterhead(&arguments.instance.source)?;
    let (result, checkpoints) = search(&*problem, arguments)?;
    let mut written = Vec::new();
    let mut failures = Vec::new();
    let mut keep = |path: &PathBuf, ended: gridwright_core::Result<()>| match ended {
        Ok(()) => written.push(path.clone()),
        Err(error) => failures.push(error.to_string()),
    };
    let mut is_lost = false;
    for path in &kept {
        let saved = result.to_bytes().and_then(|bytes| targets.write(path, &bytes));
        keep(path, saved.map_err(|error| rescue(&result, error, &mut is_lost)));
    }
    if !is_lost {
        checkpoints.discard();
    }
    for path in arguments.exports.iter().filter(|_| result.verdict.confirmed) {
        let options = ExportOptions { result: Some(&result), letterhead: &letterhead, ..ExportOptions::default() };
        let encoded = problem.export_bytes(&result.solution, path, outputs::ending_of(&*problem, path), &options);
        keep(path, encoded.and_then(|bytes| targets.write(path, &bytes)));
    }
    match arguments.reporting {
        Reporting::Json => text::answer(&text::json(&object(&*problem, &result))),
        Reporting::Spoken => text::answer(&summary(&*problem, &result, &written)),
        Reporting::Quiet => {}
    }
    failures.iter().for_each(|failure| text::error(failure));
    let exit = judge(&*problem, &result, &kept, &arguments.exports);
    Ok(if failures.is_empty() { exit } else { Exit::Usage })
}

/// Solves; the checkpoints that are returned with the result are needed until that is kept.
fn search(problem: &dyn OpenInstance, arguments: &Solve) -> gridwright_core::Result<(RunResult, Checkpoints)> {
    let spoken = arguments.reporting == Reporting::Spoken;
    if spoken {
        text::note(&format!("{}: {}", problem.name(), problem.summary()));
        problem.identity().warnings.iter().for_each(|warning| text::note(&format!("warning: {warning}")));
        problem.contradictions().iter().for_each(|why| text::note(&format!("impossible: {why}")));
    }
    let control = Control::new();
    interrupt::cancels(&control, spoken);
    let source = gridwright_core::registry::absolute(&arguments.instance.source)?;
    let key = document_key(problem.name(), problem.identity().file_hash, &source);
    let overrides = problem.overrides();
    let checkpoints = kept_while_it_runs(&Store::of_user(), &key, spoken);
    checkpoints.receive(&control, source.clone(), overrides.clone());
    let noun = problem.step_noun(arguments.request.algorithm.as_deref());
    let mut display = Display::new(spoken, noun);
    let result = problem.solve(&arguments.request, &control, &mut |pulse| display.show(pulse));
    display.finish();
    let mut result = match result {
        Ok(result) => result,
        Err(error) => {
            checkpoints.discard();
            return Err(error);
        }
    };
    result.instance.source = source;
    result.instance.options.extend(overrides);
    Ok((result, checkpoints))
}

/// Checkpoints in the store's folder for runs of the instance; tells about runs whose program ended abruptly.
fn kept_while_it_runs(store: &Store, key: &str, speaks: bool) -> Checkpoints {
    for path in store.recover(key) {
        text::note(&format!(
            "a run of this instance that broke off was kept in {}; “gridwright open” shows it, “gridwright export” writes \
             its solution",
            path.display()
        ));
    }
    // The search runs even if the result cannot be saved; a note says so.
    let running = store.begin(key).inspect_err(|error| {
        if speaks {
            text::note(&format!("warning: {error}; the search is lost if the program ends abruptly"));
        }
    });
    Checkpoints::of(running.ok())
}

/// Keeps a result that could not be written where it was to go; the returned error says where it is. Sets `is_lost` if no place
/// could be found.
fn rescue(result: &RunResult, error: Error, is_lost: &mut bool) -> Error {
    let (path, what) = match error {
        Error::File { path, what } => (path, what),
        other => return other,
    };
    let key = document_key(&result.instance.name, &result.instance.hash, &result.instance.source);
    let what = match Store::of_user().keep_somewhere(&key, result) {
        Ok((place, _)) => format!("{what}\nThe result was kept in {} instead", place.display()),
        Err(other) => {
            *is_lost = true;
            format!("{what}\nThe result could not be kept elsewhere either: {other}")
        }
    };
    Error::File { path, what }
}

/// Tells what keeps the result from being a plan, and gives the exit code.
fn judge(problem: &dyn OpenInstance, result: &RunResult, kept: &[PathBuf], exports: &[PathBuf]) -> Exit {
    let verdict = &result.verdict;
    if let StopReason::Failed(why) = &result.stop_reason {
        text::error(&format!("the search broke off ({why}); the best until then was kept"));
    }
    if !verdict.confirmed {
        text::error(
            "the checker does not confirm the cost that the search reported; please report this with the result",
        );
    }
    if !verdict.feasible {
        let mut lines = vec!["no feasible solution was found".to_owned()];
        lines.extend(if result.notes.is_empty() { violations(result) } else { result.notes.clone() });
        lines.extend(result.device_notes.iter().map(ToString::to_string));
        lines.push(
            "a longer run or other parameters may find one, unless a reason above says that there is none".to_owned(),
        );
        text::error(&lines.join("\n"));
    }
    let is_plan = verdict.feasible && verdict.confirmed;
    if !is_plan {
        for path in kept {
            text::note(&format!("the incomplete plan was kept in {}", path.display()));
        }
        for path in exports.iter().filter(|_| !verdict.confirmed) {
            text::note(&format!("{} was not written: only checked plans are exported", path.display()));
        }
        if let Some(stamp) = outputs::stamp(problem, &verdict.violations).filter(|_| !exports.is_empty()) {
            text::note(&format!("what was exported is stamped: {stamp}"));
        }
    }
    let broke_off = matches!(result.stop_reason, StopReason::Failed(_));
    if is_plan && !broke_off { Exit::Done } else { Exit::Infeasible }
}

/// Number of violations that are listed on a terminal.
const LISTED: usize = 20;

fn violations(result: &RunResult) -> Vec<String> {
    let all = &result.verdict.violations;
    let mut lines: Vec<String> = all.iter().take(LISTED).map(|violation| violation.text.clone()).collect();
    if all.len() > LISTED {
        lines.push(format!("… and {} more", all.len() - LISTED));
    }
    lines
}

fn object(problem: &dyn OpenInstance, result: &RunResult) -> Value {
    let mut notes = result.all_notes();
    if let StopReason::Failed(why) = &result.stop_reason {
        notes.push(format!("the search broke off: {why}"));
    }
    let mut object = json!({
        "problem": result.problem,
        "instance": result.instance.name,
        "file_hash": result.instance.hash,
        "algorithm": result.algorithm,
        "parameters": result.parameters,
        "seed": result.seed,
        "backend": result.backend,
        "device": result.device,
        "threads": result.threads,
        "cost": whole(result.verdict.cost),
        "cost_display": whole(text::rounded(problem.shown(result.verdict.cost))),
        "feasible": result.verdict.feasible,
        "checked": result.verdict.confirmed,
        "generations": result.generations,
        "evaluations": result.evaluations,
        "seconds": result.seconds,
        "stop_reason": result.stop_reason.word(),
        "digest": result.digests.last(),
        "curve": result.curve,
        "improvements": result.improvements.iter().map(improvement).collect::<Vec<Value>>(),
        "notes": notes,
    });
    for figure in figures(problem, result).into_iter().filter(|figure| !figure.key.is_empty()) {
        object[figure.key] = figure.value;
    }
    object
}

/// An improvement with the fields that `curve.csv` of a campaign has.
fn improvement(improvement: &Improvement) -> Value {
    let Improvement { step, evaluations, seconds, cost, exact } = *improvement;
    json!({ "step": step, "evaluations": evaluations, "seconds": seconds, "cost": whole(cost), "exact": exact })
}

/// Figures of the solution in addition to its cost.
fn figures(problem: &dyn OpenInstance, result: &RunResult) -> Vec<Fact> {
    let judged =
        problem.verify(&result.solution, &gridwright_core::source::path(&result.instance.source), Some(result));
    // A solution of the instance that was just solved belongs to it.
    judged.map(|judged| judged.figures).unwrap_or_default()
}

fn summary(problem: &dyn OpenInstance, result: &RunResult, written: &[PathBuf]) -> String {
    let cost = problem.shown(result.verdict.cost);
    let mut rows = vec![
        ("Cost", problem.cost_line(result.verdict.cost)),
        (
            "Feasible",
            match (result.verdict.feasible, result.verdict.confirmed) {
                (true, true) => "yes, confirmed by the independent checker".to_owned(),
                (_, false) => "not confirmed by the independent checker".to_owned(),
                (false, true) => format!("no, {}", text::counted(result.verdict.violations.len(), "violation")),
            },
        ),
    ];
    if let Some(best) = problem.best_known().filter(|_| result.verdict.feasible) {
        let gap = problem.gap(cost).map(|gap| format!(", gap {gap:.2} %")).unwrap_or_default();
        let warning = problem.best_known_warning().map(|warning| format!(" ({warning})")).unwrap_or_default();
        let source = problem.best_known_source().map(|source| format!("; {source}")).unwrap_or_default();
        rows.push(("Best known", format!("{}{gap}{warning}{source}", problem.shown_text(best))));
    }
    if let Some(best) = problem.our_best().filter(|_| result.verdict.feasible) {
        let gap = gridwright_core::statistics::summary::gap_percent(cost, best);
        rows.push((OUR_BEST, format!("{}, gap {gap:.2} %", problem.shown_text(best))));
    }
    let figures = figures(problem, result);
    let named = figures.iter().filter(|figure| !figure.label.is_empty());
    rows.extend(named.map(|figure| (figure.label, figure.text.clone())));
    let by = format!("{}, seed {}, {} ({})", result.algorithm, result.seed, result.backend, result.device);
    rows.push(("Solved by", by));
    let noun = problem.step_noun(Some(&result.algorithm));
    let effort = [(result.generations, noun), (result.evaluations, "evaluations")]
        .map(|(count, noun)| text::effort(count, noun));
    let effort = effort.join(", ");
    rows.push(("Stopped", format!("{} after {}, {effort}", result.stop_reason, text::duration(result.seconds))));
    let notes = result.all_notes().into_iter().filter(|_| result.verdict.feasible);
    rows.extend(notes.enumerate().map(|(index, note)| (if index == 0 { "Notes" } else { "" }, note)));
    let files = written.iter().enumerate();
    rows.extend(files.map(|(index, path)| (if index == 0 { "Written" } else { "" }, path.display().to_string())));
    text::table(&rows)
}
