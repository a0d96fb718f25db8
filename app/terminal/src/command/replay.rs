//! `gridwright replay`: a result run again, its digests compared epoch by epoch.

use gridwright_core::Error;
use gridwright_core::planning::{InstanceSource, opening};
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::RunResult;
use gridwright_core::search::Control;
use serde_json::json;

use super::progress::Display;
use super::{Exit, interrupt, text};
use crate::arguments::Replay;

/// Runs a result again.
///
/// # Errors
/// The result or its instance cannot be opened, the instance is another one now, or the backend is not there.
pub(super) fn run(arguments: &Replay) -> anyhow::Result<Exit> {
    let result = gridwright_core::registry::load_result(&arguments.result)?;
    let source = arguments.instance.clone().unwrap_or_else(|| result.instance.source.clone());
    let named = InstanceSource::of(source.clone());
    let problem = opening::open_for(&result, &arguments.result, &named).map_err(|error| match error {
        Error::File { path, what } if arguments.instance.is_none() => {
            Error::File { path, what: format!("{what}; or say where it is now with --instance FILE") }
        }
        other => other,
    })?;
    if problem.identity().file_hash != result.instance.hash {
        let name = &result.instance.name;
        let what = format!(
            "the result was made of other data than {source} holds now; find the {name} of then and name it with --instance FILE"
        );
        return Err(Error::file(&arguments.result, what).into());
    }
    let control = Control::new();
    interrupt::cancels(&control, !arguments.json);
    let mut display = Display::new(!arguments.json, problem.step_noun(Some(&result.algorithm)));
    let ended =
        problem.replay(&result, &arguments.backend, arguments.threads, &control, &mut |pulse| display.show(pulse));
    display.finish();
    let comparison = ended?;
    if control.is_cancelled() {
        text::note("stopped by hand; what was compared until then:");
    }
    let equal = comparison.first_difference.is_none() && (comparison.cost_equal || control.is_cancelled());
    if arguments.json {
        text::answer(&text::json(&json!({
            "problem": result.problem,
            "instance": result.instance.name,
            "equal": equal,
            "epochs": comparison.epochs,
            "first_difference": comparison.first_difference,
            "cost_equal": comparison.cost_equal,
            "seconds": comparison.seconds,
        })));
    } else {
        text::answer(&listing(&result, &comparison));
    }
    if equal {
        return Ok(Exit::Done);
    }
    text::error(&difference(&result, &comparison));
    Ok(Exit::Infeasible)
}

fn listing(result: &RunResult, comparison: &ReplayReport) -> String {
    let equal = match comparison.first_difference {
        None => "all equal".to_owned(),
        Some(epoch) => format!("equal until epoch {epoch}"),
    };
    text::table(&[
        ("Instance", result.instance.name.clone()),
        ("Run", format!("{}, seed {}, made by {}", result.algorithm, result.seed, result.program)),
        ("Digests", format!("{} compared, {equal}", text::grouped(comparison.epochs as u64))),
        ("Cost", if comparison.cost_equal { "equal".to_owned() } else { "differs".to_owned() }),
        ("Time", text::duration(comparison.seconds)),
    ])
}

fn difference(result: &RunResult, comparison: &ReplayReport) -> String {
    let what = match comparison.first_difference {
        Some(epoch) => format!("the run differs from the result from epoch {epoch} on"),
        None => "the run ended with another cost than the result".to_owned(),
    };
    let this = concat!("gridwright ", env!("CARGO_PKG_VERSION"));
    if result.program == this {
        format!(
            "{what}; the same version made both: either the file was changed by hand, or this is a fault, which please report with the result"
        )
    } else {
        format!("{what}; it was made by {}, this is {this}: replay it with the version that made it", result.program)
    }
}
