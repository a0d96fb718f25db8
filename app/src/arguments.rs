//! The command line in two stages: as typed ([`Typed`]), and as the commands need it ([`Command`]).
//!
//! What can be judged without opening a file is judged here, so that a wrong argument is told before anything is done.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use gridwright_solver::search::Budget;

use crate::window::Renderer;

/// What the program is to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Open the window, with this file or without one.
    Window {
        /// The instance to show.
        open: Option<PathBuf>,
        /// What paints it.
        renderer: Renderer,
    },
    /// List what can solve here.
    Devices {
        /// As JSON.
        json: bool,
        /// With what each kernel uses.
        verbose: bool,
    },
    /// Say what an instance holds.
    Info(Info),
    /// Solve an instance.
    Solve(Solve),
    /// Check a solution.
    Verify(Verify),
    /// Run a result again.
    Replay(Replay),
    /// Write a solution in other formats.
    Export(Export),
    /// Compare two solutions.
    Compare(Compare),
    /// Make an instance.
    Generate(Generate),
    /// Measure.
    Bench(Bench),
}

/// An instance as a person names it.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct InstanceArguments {
    /// The instance: a file (.stu with its .crs beside it, .csv, .exam), or sample:school, sample:faculty,
    /// sample:university
    #[arg(value_name = "INSTANCE")]
    pub source: String,
    /// Number of periods, instead of the file's or the published one
    #[arg(long, value_name = "N", value_parser = periods, allow_negative_numbers = true)]
    pub periods: Option<usize>,
}

/// `gridwright info`, as needed.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Info {
    /// What to look at.
    #[command(flatten)]
    pub instance: InstanceArguments,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How much a command says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reporting {
    /// Progress while it works, then a summary.
    Spoken,
    /// One JSON object on the standard output and nothing else there.
    Json,
    /// Errors only.
    Quiet,
}

/// `gridwright solve`, as needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Solve {
    /// What to solve.
    pub instance: InstanceArguments,
    /// How to solve it.
    pub order: Order,
    /// Where the result goes, where it is to be kept.
    pub out: Option<PathBuf>,
    /// Pictures and tables to write; the ending says the format.
    pub exports: Vec<PathBuf>,
    /// How much to say.
    pub reporting: Reporting,
}

/// What a run depends on beside the instance; what is `None` is chosen by the problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The name of the algorithm.
    pub algorithm: Option<String>,
    /// `auto`, `cpu` or `cuda:N`.
    pub backend: String,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How much work the run may do.
    pub budget: Option<Budget>,
    /// Stop at this cost, as people read it.
    pub target: Option<f64>,
    /// Stop after this many generations or steps without improvement.
    pub stall: Option<u64>,
    /// Parameters of the algorithm by name.
    pub parameters: Vec<(String, String)>,
}

/// An instance and a solution for it.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct PairArguments {
    /// What the solution is for.
    #[command(flatten)]
    pub instance: InstanceArguments,
    /// The solution: .sol, .csv or a RESULT.ron
    #[arg(value_name = "SOLUTION")]
    pub solution: PathBuf,
    /// What the solution calls the first period, 0 or 1, where the file itself leaves it open
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u16).range(0..=1))]
    pub counted_from: Option<u16>,
}

/// `gridwright verify`, as needed.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Verify {
    /// What to check.
    #[command(flatten)]
    pub pair: PairArguments,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright replay`, as needed.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Replay {
    /// A result that “gridwright solve --out” or the window has kept
    #[arg(value_name = "RESULT.ron")]
    pub result: PathBuf,
    /// The instance, where it no longer is where it was
    #[arg(long, value_name = "FILE")]
    pub instance: Option<String>,
    /// What computes: auto, cpu, cuda or cuda:N
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = backend)]
    pub backend: String,
    /// Threads of the CPU; 0 takes all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright export`, as needed.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Export {
    /// What to write.
    #[command(flatten)]
    pub pair: PairArguments,
    /// Files to write; the ending says the format: csv, xlsx, ics, pdf, svg, png, sol; and, as in plan.students.csv or
    /// just students.csv: periods.csv, students.csv, students.zip (a calendar each), report.pdf
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub to: Vec<PathBuf>,
    /// Another solution of the instance: report.pdf says what differs from it
    #[arg(long, value_name = "SOLUTION")]
    pub compare: Option<PathBuf>,
    /// The code of the one student whose calendar (.ics) is written
    #[arg(long, value_name = "CODE")]
    pub student: Option<String>,
}

/// `gridwright compare`, as needed.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Compare {
    /// The instance and the solution before.
    #[command(flatten)]
    pub pair: PairArguments,
    /// The solution after
    #[arg(value_name = "OTHER")]
    pub other: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright generate`, one kind per problem.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Generate {
    /// An examination session: faculties, programmes, years, core and elective courses, students
    Timetabling(GenerateTimetabling),
}

/// A session to be made; what is `None` is the preset's.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct GenerateTimetabling {
    /// The kind of institution, which gives every number that is not named
    #[arg(long, value_enum, default_value = "faculty")]
    pub preset: Preset,
    /// Number of exams
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub exams: Option<usize>,
    /// Number of students
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub students: Option<usize>,
    /// Share of ones in the conflict matrix, 0 to 1, to be approached
    #[arg(long, value_name = "D", value_parser = density, allow_negative_numbers = true)]
    pub density: Option<f64>,
    /// Number of periods
    #[arg(long, value_name = "N", value_parser = periods, allow_negative_numbers = true)]
    pub periods: Option<usize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.stu (with NAME.crs beside it), or a folder for enrolments.csv, exams.csv and periods.csv
    #[arg(long, value_name = "DIR_OR_FILE")]
    pub out: PathBuf,
}

/// `gridwright bench`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Bench {
    /// The problem whose searches are measured
    #[arg(value_enum, value_name = "PROBLEM")]
    pub problem: BenchProblem,
    /// What to measure
    #[arg(long, value_enum, default_value = "stages")]
    pub suite: Suite,
    /// Instances instead of the suite's own: files or sample:NAME; may be repeated
    #[arg(long = "instance", value_name = "INSTANCE")]
    pub instances: Vec<String>,
    /// Populations for “stages”; may be repeated
    #[arg(long = "population", value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub populations: Vec<u32>,
    /// Generations of each measurement of “stages”
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub generations: u32,
    /// Seconds of each run of “speed” and “annealing”
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub seconds: f64,
    /// Seeds 1 to N of each instance
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,
    /// Threads of “annealing” and “evolution”; 0 takes all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// Print one JSON object instead of Markdown
    #[arg(long)]
    pub json: bool,
}

/// Problems whose searches can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BenchProblem {
    /// Examination timetables.
    Timetabling,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Suite {
    /// Milliseconds per stage of a generation: one thread, all threads
    Stages,
    /// Steps and proposals of annealing per second: one thread, all threads
    Speed,
    /// Costs that annealing reaches in --seconds on the 13 Toronto instances
    Annealing,
    /// What solving around five exams moved by hand does, with --seconds before and after
    Around,
    /// Costs that the evolutionary algorithm reaches with the published settings
    Evolution,
    /// Milliseconds per stage of a generation: CPU and every CUDA device, all variants
    EvolutionStages,
}

/// Institutions that the generator knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// About 40 exams.
    School,
    /// About 200 exams.
    Faculty,
    /// About 600 exams and 20,000 students.
    University,
}

/// The command line as typed.
#[derive(Debug, Parser)]
#[command(
    name = "gridwright",
    version,
    about = "Solves planning problems, shows the plan as a picture and exports it",
    long_about = "Solves planning problems, shows the plan as a picture and exports it.\n\n\
        Without a command the window opens. Where there is no display, the shipped sample is solved instead and \
        written to out/.",
    after_help = "Exit codes: 0 done, 1 infeasible or no feasible solution found, 2 usage or bad input, \
        3 device unavailable.",
    disable_help_subcommand = true
)]
struct Typed {
    #[command(subcommand)]
    command: Option<TypedCommand>,
    #[command(flatten)]
    window: WindowArguments,
}

/// How the window is opened.
#[derive(Debug, Clone, Copy, Args)]
struct WindowArguments {
    /// What paints the window
    #[arg(long, value_enum, value_name = "RENDERER", default_value = "auto", hide = !cfg!(feature = "wgpu"))]
    renderer: Renderer,
}

#[derive(Debug, Subcommand)]
enum TypedCommand {
    /// Open the window with an instance
    Open {
        /// The instance to show
        file: PathBuf,
        #[command(flatten)]
        window: WindowArguments,
    },
    /// List what can solve here, and why a device cannot
    Devices {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        /// Also print the kernels: what they are made from, registers, shared and local memory, occupancy
        #[arg(long)]
        verbose: bool,
    },
    /// Say what an instance holds: sizes, density, bounds, warnings
    Info(Info),
    /// Solve an instance
    Solve(TypedSolve),
    /// Check a solution, independently of the searches
    Verify(Verify),
    /// Run a result again and compare digests, epoch by epoch
    Replay(Replay),
    /// Write a solution as tables, pictures, calendars or a report
    Export(Export),
    /// Say how two solutions differ: what moved, who gains, who loses
    Compare(Compare),
    /// Make an instance
    #[command(subcommand)]
    Generate(Generate),
    /// Measure searches: speed stage by stage, costs against published ones
    Bench(Bench),
}

#[derive(Debug, Args)]
struct TypedSolve {
    #[command(flatten)]
    instance: InstanceArguments,
    /// annealing (the default) or evolution
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// What computes: auto, cpu, cuda or cuda:N
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = backend)]
    backend: String,
    /// Threads of the CPU; 0 takes all. The result does not depend on it when --generations is given
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    threads: usize,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Time limit in seconds (30 where neither this nor --generations is given, for annealing)
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "generations", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Number of generations or steps, whatever time they take (200 by default for evolution)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    generations: Option<u64>,
    /// Stop as soon as the cost, as it is shown, is at most this
    #[arg(long, value_name = "C", value_parser = cost, allow_negative_numbers = true)]
    target: Option<f64>,
    /// Stop after this many generations or steps without improvement
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    stall: Option<u64>,
    /// A parameter of the algorithm; may be repeated. A wrong name lists them all
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    parameters: Vec<(String, String)>,
    /// Keep the result in this file; replay, verify, export and the window open it
    #[arg(long, value_name = "RESULT.ron")]
    out: Option<PathBuf>,
    /// Write the plan to this file; may be repeated. The ending says the format: csv, xlsx, ics, pdf, svg, png, sol,
    /// periods.csv, students.csv, students.zip, report.pdf
    #[arg(long = "export", value_name = "FILE")]
    exports: Vec<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

/// Understands the command line.
///
/// # Errors
/// What clap says, which is also how it answers `--help` and `--version`: print it and leave with its exit code.
pub fn parse<I, T>(arguments: I) -> Result<Command, clap::Error>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let Typed { command, window } = Typed::try_parse_from(arguments)?;
    Ok(match command {
        None => Command::Window { open: None, renderer: window.renderer },
        Some(TypedCommand::Open { file, window }) => Command::Window { open: Some(file), renderer: window.renderer },
        Some(TypedCommand::Devices { json, verbose }) => Command::Devices { json, verbose },
        Some(TypedCommand::Info(info)) => Command::Info(info),
        Some(TypedCommand::Solve(typed)) => Command::Solve(typed.needed()?),
        Some(TypedCommand::Verify(verify)) => Command::Verify(verify),
        Some(TypedCommand::Replay(replay)) => Command::Replay(replay),
        Some(TypedCommand::Export(export)) => Command::Export(export),
        Some(TypedCommand::Compare(compare)) => Command::Compare(compare),
        Some(TypedCommand::Generate(generate)) => Command::Generate(generate),
        Some(TypedCommand::Bench(bench)) => Command::Bench(bench),
    })
}

impl TypedSolve {
    fn needed(self) -> Result<Solve, clap::Error> {
        if let Some(out) = &self.out
            && !out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"))
        {
            let text =
                format!("--out {}: a result is a .ron file; for tables and pictures use --export", out.display());
            return Err(Typed::command().error(ErrorKind::ValueValidation, text));
        }
        let budget = self.seconds.map(Budget::Seconds).or(self.generations.map(Budget::Steps));
        Ok(Solve {
            instance: self.instance,
            order: Order {
                algorithm: self.algorithm,
                backend: self.backend,
                threads: self.threads,
                seed: self.seed,
                budget,
                target: self.target,
                stall: self.stall,
                parameters: self.parameters,
            },
            out: self.out,
            exports: self.exports,
            reporting: match (self.json, self.quiet) {
                (true, _) => Reporting::Json,
                (false, true) => Reporting::Quiet,
                (false, false) => Reporting::Spoken,
            },
        })
    }
}

/// More threads than any machine of today has; a number beyond is a slip of the finger.
const MAX_THREADS: usize = 4096;

fn threads(text: &str) -> Result<usize, String> {
    let wrong = || format!("expected a whole number from 0 (all threads) to {MAX_THREADS}");
    text.parse().ok().filter(|&count| count <= MAX_THREADS).ok_or_else(wrong)
}

fn periods(text: &str) -> Result<usize, String> {
    let most = gridwright_solver::timetabling::MAX_PERIODS;
    let wrong = || format!("expected a whole number from 1 to {most}");
    text.parse().ok().filter(|count| (1..=most).contains(count)).ok_or_else(wrong)
}

fn real(text: &str, expected: &str, allowed: impl Fn(f64) -> bool) -> Result<f64, String> {
    text.parse().ok().filter(|&value: &f64| value.is_finite() && allowed(value)).ok_or_else(|| expected.to_owned())
}

/// A year: beyond that a time limit is none, and the arithmetic of durations stays far from its ends.
const MAX_SECONDS: f64 = 366.0 * 86_400.0;

fn seconds(text: &str) -> Result<f64, String> {
    real(text, "expected a number of seconds above 0 and within a year", |value| value > 0.0 && value <= MAX_SECONDS)
}

fn cost(text: &str) -> Result<f64, String> {
    real(text, "expected a cost of 0 or more", |value| value >= 0.0)
}

fn density(text: &str) -> Result<f64, String> {
    real(text, "expected a share from 0 to 1", |value| (0.0..=1.0).contains(&value))
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected NAME=VALUE, such as kempe=0.3".to_owned()),
    }
}

/// `auto`, `cpu` or `cuda:N`; a plain `cuda` is the first of them.
fn backend(text: &str) -> Result<String, String> {
    match text.split_once(':') {
        None if text == "auto" || text == "cpu" => Ok(text.to_owned()),
        None if text == "cuda" => Ok("cuda:0".to_owned()),
        Some(("cuda", ordinal)) if ordinal.parse::<u16>().is_ok() => Ok(text.to_owned()),
        _ => Err("expected auto, cpu, cuda or cuda:N; “gridwright devices” lists what is there".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, clap::Error> {
        parse(std::iter::once("gridwright").chain(line.split_whitespace()))
    }

    #[test]
    fn the_definition_is_consistent() {
        Typed::command().debug_assert();
    }

    #[test]
    fn solve_is_understood_in_full() {
        let line = "solve a.stu --algorithm evolution --periods 18 --backend cuda --threads 2 --seed 7 --generations 5 \
            --target 10.5 --stall 9 --set mutation=0.01 --set descent=off --out r.ron --export a.pdf --export b.sol --json";
        let Ok(Command::Solve(solve)) = parsed(line) else { panic!("not understood") };
        assert_eq!(solve.instance, InstanceArguments { source: "a.stu".to_owned(), periods: Some(18) });
        assert_eq!(
            solve.order,
            Order {
                algorithm: Some("evolution".to_owned()),
                backend: "cuda:0".to_owned(),
                threads: 2,
                seed: 7,
                budget: Some(Budget::Steps(5)),
                target: Some(10.5),
                stall: Some(9),
                parameters: [("mutation", "0.01"), ("descent", "off")]
                    .map(|(a, b)| (a.to_owned(), b.to_owned()))
                    .to_vec(),
            }
        );
        assert_eq!(solve.out, Some(PathBuf::from("r.ron")));
        assert_eq!(solve.exports, ["a.pdf", "b.sol"].map(PathBuf::from));
        assert_eq!(solve.reporting, Reporting::Json);
    }

    #[test]
    fn nothing_typed_is_the_window() {
        let window = |open: Option<&str>, renderer| Command::Window { open: open.map(PathBuf::from), renderer };
        assert_eq!(parsed("").unwrap(), window(None, Renderer::Auto));
        assert_eq!(parsed("open a.stu").unwrap(), window(Some("a.stu"), Renderer::Auto));
        assert_eq!(parsed("open a.stu --renderer glow").unwrap(), window(Some("a.stu"), Renderer::Glow));
        assert_eq!(parsed("--renderer glow").unwrap(), window(None, Renderer::Glow));
    }

    #[test]
    fn wrong_arguments_say_what_is_expected() {
        for (line, expected) in [
            ("solve a.stu --seconds 0", "above 0"),
            ("solve a.stu --seconds NaN", "above 0"),
            ("solve a.stu --seconds inf", "above 0"),
            ("solve a.stu --seconds 1 --generations 1", "cannot be used with"),
            ("solve a.stu --generations 0", "0 is not in 1.."),
            ("solve a.stu --seed -1", "invalid digit"),
            ("solve a.stu --threads 99999", "4096"),
            ("solve a.stu --periods 0", "from 1 to 255"),
            ("solve a.stu --backend gpu", "gridwright devices"),
            ("solve a.stu --backend cuda:x", "gridwright devices"),
            ("solve a.stu --set kempe", "NAME=VALUE"),
            ("solve a.stu --out plan.pdf", "--export"),
            ("solve", "<INSTANCE>"),
            ("export a.stu a.sol", "--to"),
            ("generate timetabling --density 2 --out x", "from 0 to 1"),
            ("generate timetabling", "--out"),
            ("optimise a.stu", "unrecognized subcommand"),
        ] {
            let error = parsed(line).expect_err(line);
            assert!(error.to_string().contains(expected), "{line}: {error}");
            assert_eq!(error.exit_code(), 2, "{line}");
        }
        assert_eq!(parsed("--help").unwrap_err().exit_code(), 0);
    }
}
