//! Scripts that let a scheduler perform a campaign in shards, or a configurator call the program.

use std::collections::BTreeSet;

use gridwright_core::search::Budget;
use gridwright_core::{Error, Result};

use super::RunSpec;
use super::plan::Campaign;
use super::row::joined;

/// Program that performs the shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// An array of jobs of Slurm.
    Slurm,
    /// An array of tasks of HyperQueue.
    HyperQueue,
    /// GNU parallel.
    Parallel,
    /// A target runner of irace.
    Irace,
}

/// Text as one word of a shell.
fn quoted(text: &str) -> String {
    let is_plain =
        !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./=".contains(letter));
    if is_plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Writes the script for an engine. `plan` is the file of the plan, `out` the folder for the folders of the shards, `cores` the
/// number of cores of a shard; `None`: those of the run with most threads.
///
/// # Errors
/// [`Error::Usage`] if irace cannot run the plan.
pub fn script(
    engine: Engine, campaign: &Campaign, plan: &str, out: &str, shards: usize, cores: Option<usize>,
) -> Result<String> {
    let threads = campaign.runs.iter().map(|run| run.threads).max().unwrap_or(1).max(1);
    let cores = cores.unwrap_or(threads);
    let jobs = (cores / threads).max(1);
    let (name, plan, folder) = (quoted(&campaign.name), quoted(plan), quoted(out));
    let run = |shard: &str| {
        format!(
            "\"${{GRIDWRIGHT:-gridwright}}\" campaign run {plan} --shard {shard}/{shards} --jobs {jobs} --out \
                {folder}/shard-{shard}"
        )
    };
    let merge = format!("# When all shards have ended: gridwright campaign merge {folder}/shard-* --out {folder}/all");
    let lines = match engine {
        Engine::Slurm => vec![
            "# Start with sbatch. A shard that is started again skips the runs that it has finished.".to_owned(),
            merge,
            format!("#SBATCH --job-name={name}"),
            format!("#SBATCH --array=1-{shards}"),
            format!("#SBATCH --cpus-per-task={cores}"),
            "#SBATCH --requeue".to_owned(),
            run("$SLURM_ARRAY_TASK_ID"),
        ],
        Engine::HyperQueue => vec![
            "# Needs a running server of HyperQueue and a worker.".to_owned(),
            merge,
            format!("hq submit --name {name} --array 1-{shards} --cpus {cores} --wait -- \\"),
            format!("    bash -c {}", quoted(&run("$HQ_TASK_ID"))),
        ],
        Engine::Parallel => vec![
            format!("# Runs as many shards at a time as there are processors for {cores} each."),
            merge,
            format!("seq 1 {shards} | parallel --jobs $(( ($(nproc) + {cores} - 1) / {cores} )) --halt soon,fail=1 \\"),
            format!("    {}", quoted(&run("{}"))),
        ],
        Engine::Irace => irace(campaign)?,
    };
    Ok(format!("#!/bin/bash\n{}\n", lines.join("\n")))
}

/// Algorithms of a plan, of which a target runner of irace tunes the first one.
pub fn algorithms(campaign: &Campaign) -> Vec<&str> {
    let mut entries: Vec<&str> = Vec::new();
    for run in &campaign.runs {
        if !entries.contains(&run.entry.as_str()) {
            entries.push(&run.entry);
        }
    }
    entries
}

/// A target runner of irace for the first algorithm of the plan. Parameters with one value in the plan are fixed; the others
/// are those of irace, whose switches in its file of parameters are `--set NAME=`.
///
/// # Errors
/// [`Error::Usage`] if the runs of the algorithm differ in more than parameters, instances and seeds.
fn irace(campaign: &Campaign) -> Result<Vec<String>> {
    let Some(first) = campaign.runs.first() else { return Err(Error::Usage("the plan has no runs".to_owned())) };
    let runs: Vec<&RunSpec> = campaign.runs.iter().filter(|run| run.entry == first.entry).collect();
    let one = |noun: &str, value: &dyn Fn(&RunSpec) -> String| {
        let values: BTreeSet<String> = runs.iter().map(|run| value(run)).collect();
        if values.len() < 2 {
            return Ok(());
        }
        let named = values.into_iter().collect::<Vec<_>>().join("; ");
        let what = format!("irace tunes in one setting, and the plan has several {noun}: {named}");
        Err(Error::Usage(format!("{what}; leave the others out of the plan")))
    };
    one("limits", &RunSpec::limit)?;
    one("backends", &RunSpec::backend_name)?;
    one("options", &|run| joined(run.options.values().iter()))?;
    let is_fixed =
        |(name, value): &(&String, &String)| runs.iter().all(|run| run.parameters.get(*name) == Some(*value));
    let fixed: Vec<(&String, &String)> = first.parameters.iter().filter(is_fixed).collect();
    let all = runs.iter().flat_map(|run| run.parameters.iter()).filter(|pair| !is_fixed(pair));
    let varied: BTreeSet<&str> = all.map(|(name, _)| name.as_str()).collect();
    let mut about =
        "# Target runner of irace; a parameter has the switch \"--set NAME=\" in parameters.txt.".to_owned();
    if !varied.is_empty() {
        about.push_str(&format!("\n# The plan varies {}.", Vec::from_iter(varied).join(", ")));
    }
    if let [one, others @ ..] = &algorithms(campaign)[..]
        && !others.is_empty()
    {
        let text = format!("It tunes {one}; the plan also has {}: choose with --algorithm.", others.join(", "));
        // A label may have several lines.
        about.push_str(&format!("\n# {}", text.replace(char::is_control, " ")));
    }
    let (limits, switches) = (limits_of(first), switches(first, &fixed));
    let (algorithm, backend, threads) = (quoted(&first.algorithm), &first.backend, first.threads);
    Ok(vec![
        about,
        format!(
            "found=$(\"${{GRIDWRIGHT:-gridwright}}\" solve \"$4\" --seed \"$3\" --algorithm {algorithm}{limits} \\"
        ),
        format!("    --backend {backend} --threads {threads}{switches} \"${{@:5}}\" --json)"),
        "status=$?".to_owned(),
        "cost=$(sed -nE 's/.*\"cost\":([^,]*),\"cost_display\".*/\\1/p' <<<\"$found\")".to_owned(),
        "# irace rejects a configuration that finds no feasible solution.".to_owned(),
        "if [[ $status == 1 && $found == *'\"feasible\":false'* ]]; then cost=Inf status=0; fi".to_owned(),
        "if [[ $status != 0 || -z $cost ]]; then exit $(( status > 0 ? status : 1 )); fi".to_owned(),
        "echo \"$cost\"".to_owned(),
    ])
}

/// Limits of a run as switches of `gridwright solve`.
fn limits_of(run: &RunSpec) -> String {
    let budget = match run.budget {
        None => None,
        Some(Budget::Steps(steps)) => Some(("generations", steps.to_string())),
        Some(Budget::Evaluations(count)) => Some(("evaluations", count.to_string())),
        Some(Budget::Seconds(seconds)) => Some(("seconds", seconds.to_string())),
    };
    let target = run.target.map(|target| ("target", target.to_string()));
    let stall = run.stall.map(|stall| ("stall", stall.to_string()));
    let limits = [budget, target, stall].into_iter().flatten();
    limits.map(|(name, value)| format!(" --{name} {}", quoted(&value))).collect()
}

/// Options of a run and some of its parameters as switches of `gridwright solve`.
fn switches(run: &RunSpec, parameters: &[(&String, &String)]) -> String {
    let options = run.options.values().iter().map(|(name, value)| format!(" --{name} {}", quoted(value)));
    let parameters = parameters.iter().map(|(name, value)| format!(" --set {}", quoted(&format!("{name}={value}"))));
    options.chain(parameters).collect()
}
