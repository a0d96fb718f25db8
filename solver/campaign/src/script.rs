//! Scripts that let a scheduler perform a campaign in shards, or a configurator call the program.

use gridwright_core::search::Budget;
use gridwright_core::{Error, Result};

use super::plan::Campaign;

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
        !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter));
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

/// A target runner of irace for the algorithm of the plan's first run. The switches in irace's file of parameters are
/// `--set NAME=`.
fn irace(campaign: &Campaign) -> Result<Vec<String>> {
    let Some(first) = campaign.runs.first() else { return Err(Error::Usage("the plan has no runs".to_owned())) };
    let limit = match first.budget {
        None => String::new(),
        Some(Budget::Steps(steps)) => format!(" --generations {steps}"),
        Some(Budget::Evaluations(count)) => format!(" --evaluations {count}"),
        Some(Budget::Seconds(seconds)) => format!(" --seconds {seconds}"),
    };
    let options: String =
        first.options.values().iter().map(|(name, value)| format!(" --{name} {}", quoted(value))).collect();
    let (algorithm, backend, threads) = (quoted(&first.algorithm), &first.backend, first.threads);
    Ok(vec![
        "# Target runner of irace; a parameter has the switch \"--set NAME=\" in parameters.txt.".to_owned(),
        format!("\"${{GRIDWRIGHT:-gridwright}}\" solve \"$4\" --seed \"$3\" --algorithm {algorithm}{limit} \\"),
        format!("    --backend {backend} --threads {threads}{options} \"${{@:5}}\" --json |"),
        "    sed -E 's/.*\"cost\":([^,}]*).*/\\1/'".to_owned(),
    ])
}
