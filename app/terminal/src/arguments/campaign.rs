//! `gridwright campaign`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `gridwright campaign`, as needed.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Campaign {
    /// Perform the runs of a plan; runs that are finished are skipped
    Run(CampaignRun),
    /// Say how far a campaign is: done, failed, left, expected time
    Status {
        /// Folder of the campaign
        folder: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Put the runs of shards and machines into one folder
    Merge {
        /// Folders of the shards
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// New folder for all runs
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
    /// Write tables, tests and figures
    Report {
        /// Folder of the campaign
        folder: PathBuf,
        /// Files and folders to write: NAME.html, NAME.pdf, NAME.tex, NAME.md, tables/, figures/, iohanalyzer/. Where nothing is said,
        /// report.html, report.pdf, tables.tex, tables/ and figures/ in the folder of the campaign
        #[arg(long, value_name = "FILE", num_args = 1..)]
        to: Vec<PathBuf>,
        /// Replace files that this program did not write
        #[arg(long = "overwrite")]
        overwrites: bool,
    },
    /// Print a script that performs a plan in shards on a cluster or on several cores
    Script(CampaignScript),
}

/// `gridwright campaign run`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct CampaignRun {
    /// The plan, a .ron file
    pub plan: PathBuf,
    /// Folder for the rows; the name of the plan, and of the shard, where nothing is said
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Perform a part of the runs only, such as 2/10
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(usize, usize)>,
    /// Runs at a time, of those that are limited by steps; 0 takes as many as there are cores. Runs with a time limit go one by one, or one on each
    /// of several devices
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = super::values::threads)]
    pub jobs: usize,
    /// Perform only runs on this instance, by its name or source in the plan; * and ? stand for other characters. May be repeated
    #[arg(long, value_name = "INSTANCE")]
    pub instance: Vec<String>,
    /// Perform only runs of this algorithm, by its name or label in the plan; * and ? stand for other characters. May be repeated
    #[arg(long, value_name = "ALGORITHM")]
    pub algorithm: Vec<String>,
    /// Perform only runs on this backend, as the plan names it, where a plan has several
    #[arg(long, value_name = "BACKEND")]
    pub backend: Option<String>,
    /// Perform only runs with so many threads, where a plan has several numbers
    #[arg(long, value_name = "N", value_parser = number)]
    pub threads: Option<usize>,
    /// Perform only runs with seeds up to this one; a later call without it performs the rest
    #[arg(long, value_name = "N")]
    pub seeds: Option<u64>,
    /// Repeat runs that failed
    #[arg(long)]
    pub retry: bool,
    /// Print errors only
    #[arg(long)]
    pub quiet: bool,
}

/// `gridwright campaign script`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct CampaignScript {
    /// The plan, a .ron file
    pub plan: PathBuf,
    /// Scheduler that performs the shards, or tool that calls the program
    #[arg(long = "for", value_name = "ENGINE")]
    pub engine: Engine,
    /// The algorithm that irace tunes, by its name or label in the plan, where a plan has several
    #[arg(long, value_name = "ALGORITHM")]
    pub algorithm: Option<String>,
    /// Number of shards
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number)]
    pub shards: usize,
    /// Cores of a shard; as many as a run of the plan has threads where nothing is said
    #[arg(long, value_name = "K", value_parser = number)]
    pub cores: Option<usize>,
    /// Folder for the folders of the shards; the name of the plan where nothing is said
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// Programs for which scripts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// An array of jobs of Slurm
    Slurm,
    /// An array of tasks of HyperQueue
    Hyperqueue,
    /// GNU parallel
    Parallel,
    /// A target runner of irace
    Irace,
}

/// Most shards of a campaign.
const MOST: usize = 100_000;

fn number(text: &str) -> Result<usize, String> {
    let wrong = || format!("expected a whole number from 1 to {MOST}");
    text.parse().ok().filter(|count| (1..=MOST).contains(count)).ok_or_else(wrong)
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parsed = || {
        let (index, count) = text.split_once('/')?;
        let (index, count) = (index.parse().ok()?, number(count).ok()?);
        (1..=count).contains(&index).then_some((index, count))
    };
    parsed().ok_or_else(|| "expected I/N with I from 1 to N, such as 2/10".to_owned())
}
