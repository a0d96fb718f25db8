//! Readers of Gridwright fed with damaged input: instances, workbooks, imports, solutions, results, projects, preferences
//! and settings of runs.
//!
//! [`FORMATS`] lists every file format with the reader that takes it; [`Bench::feed`] gives one input to a reader, which may
//! refuse it and must neither panic nor abort nor exceed memory and time. Two programs make the inputs: cargo-fuzz with
//! the targets in `fuzz_targets/`, and `mutate`, which needs no sanitizer and is deterministic ([`mutation`]). Both start
//! from inputs that Gridwright writes itself ([`corpus`]) and from those in `fuzz/corpus/`, among them every input that
//! was once read wrongly.

pub mod corpus;
pub mod mutation;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_core::data::import::{self, BadLines, Mapped, Mapping, Request, Sheet, UnknownNames};
use gridwright_core::planning::ExportOrigin;
use gridwright_core::planning::InstanceSource;
use gridwright_core::planning::opening;
use gridwright_core::registry;
use gridwright_core::store::Store;
use gridwright_terminal::arguments::{self, Command};

/// Reader of a file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Instance, recognised by name and content; the text is the value of `--periods`, empty for none.
    Instance(&'static str),
    /// Solution of the instance with this name.
    Solution(&'static str),
    /// Result of a run.
    Result,
    /// Sheets that the import dialog reads for every problem with tables, as it guesses their columns.
    Import,
    /// Project.
    Project,
    /// Preferences of the window.
    State,
    /// Command line of a solve.
    Settings,
}

/// File format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Name, also of the folder in `fuzz/corpus/`.
    pub name: &'static str,
    /// Fuzz target that covers the format.
    pub group: &'static str,
    /// File name, whose ending tells the format.
    pub file: &'static str,
    /// Reader.
    pub reader: Reader,
}

const fn instance(name: &'static str, file: &'static str) -> Format {
    Format { name, group: "instances", file, reader: Reader::Instance("") }
}

const fn workbook(name: &'static str, file: &'static str) -> Format {
    Format { name, group: "workbooks", file, reader: Reader::Instance("") }
}

const fn solution(name: &'static str, file: &'static str, of: &'static str) -> Format {
    Format { name, group: "solutions", file, reader: Reader::Solution(of) }
}

/// All formats.
pub const FORMATS: [Format; 34] = [
    Format { name: "carter", group: "instances", file: "a.stu", reader: Reader::Instance("6") },
    Format { name: "enrolments", group: "instances", file: "a.csv", reader: Reader::Instance("6") },
    instance("itc2007", "a.exam"),
    instance("flowshop-table", "a.csv"),
    instance("flowshop-numbers", "a.txt"),
    instance("layout-table", "departments.csv"),
    instance("layout-json", "a.json"),
    instance("layout-ron", "a.ron"),
    instance("bits-table", "a.csv"),
    instance("bits-numbers", "a.txt"),
    instance("bits-ron", "a.ron"),
    workbook("xlsx", "a.xlsx"),
    workbook("ods", "a.ods"),
    Format { name: "import-csv", group: "imports", file: "a.csv", reader: Reader::Import },
    Format { name: "import-xlsx", group: "imports", file: "a.xlsx", reader: Reader::Import },
    Format { name: "import-ods", group: "imports", file: "a.ods", reader: Reader::Import },
    solution("timetable-sol", "a.sol", "sample:school"),
    solution("timetable-csv", "a.csv", "sample:school"),
    solution("shop-sol", "a.sol", "sample:workshop"),
    solution("shop-csv", "a.csv", "sample:workshop"),
    solution("shop-ron", "a.ron", "sample:workshop"),
    solution("layout-sol", "a.sol", "sample:layout-workshop"),
    solution("layout-csv", "a.csv", "sample:layout-workshop"),
    solution("layout-solution-ron", "a.ron", "sample:layout-workshop"),
    solution("bits-sol", "a.sol", "sample:backpack"),
    solution("bits-csv", "a.csv", "sample:backpack"),
    solution("bits-solution-ron", "a.ron", "sample:backpack"),
    Format { name: "result", group: "results", file: "a.ron", reader: Reader::Result },
    Format { name: "result-with-check", group: "results", file: "a.ron", reader: Reader::Solution("sample:workshop") },
    Format { name: "project", group: "projects", file: "a.gridwright", reader: Reader::Project },
    Format { name: "former-project", group: "projects", file: "a.gridwright", reader: Reader::Project },
    Format { name: "state", group: "state", file: "state.ron", reader: Reader::State },
    Format { name: "stored-project", group: "state", file: "a.gridwright", reader: Reader::Project },
    Format { name: "settings", group: "settings", file: "arguments.txt", reader: Reader::Settings },
];

/// Format of this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// Registers the problems that ship.
pub(crate) fn register() {
    registry::register(&[
        &gridwright_timetabling::problem::Timetabling,
        &gridwright_flowshop::problem::FlowShop,
        &gridwright_facility::problem::Facility,
        &gridwright_systolic::problem::Systolic,
    ]);
}

/// Folder in which inputs become files.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// Empty folder; the problems that ship are registered.
    ///
    /// # Errors
    /// The system's folder for temporary files cannot be written to.
    pub fn new() -> std::io::Result<Self> {
        register();
        Ok(Self { folder: tempfile::tempdir()? })
    }

    /// Gives an input to the reader of a format; returns `true` if the reader accepts it.
    ///
    /// # Errors
    /// The input could not be written to a file.
    pub fn feed(&self, format: &Format, input: &[u8]) -> std::io::Result<bool> {
        let path = self.folder.path().join(format.file);
        std::fs::write(&path, input)?;
        let is_accepted = match format.reader {
            Reader::Instance(periods) => open_instance(&path, periods),
            Reader::Solution(of) => check_solution(&path, of),
            Reader::Result => registry::load_result(&path).is_ok(),
            Reader::Import => import(&path),
            Reader::Project => open_project(&path),
            Reader::State => Store::at(self.folder.path()).load_state().is_ok(),
            Reader::Settings => check_settings(&String::from_utf8_lossy(input)),
        };
        std::fs::remove_file(&path).or_else(|_| remove_what_was_put_aside(self.folder.path()))?;
        Ok(is_accepted)
    }
}

/// Removes files that a reader has renamed.
fn remove_what_was_put_aside(folder: &Path) -> std::io::Result<()> {
    std::fs::read_dir(folder)?.flatten().try_for_each(|entry| std::fs::remove_file(entry.path()))
}

fn open_instance(path: &Path, periods: &str) -> bool {
    let mut arguments = InstanceSource::of(path.display().to_string());
    if !periods.is_empty() {
        arguments.overrides.set("periods", periods);
    }
    let _ = registry::input_files(&arguments.source);
    let Ok(instance) = opening::open(&arguments) else { return false };
    let _ = (instance.summary(), instance.facts(), instance.best_known());
    true
}

fn check_solution(path: &Path, of: &str) -> bool {
    opening::open_pair(&InstanceSource::of(of), path, None).is_ok_and(|pair| pair.judge(path).is_ok())
}

/// Imports the sheets of a file for every problem with tables; returns `true` if one of them gets data.
fn import(path: &Path) -> bool {
    let mut is_accepted = false;
    for problem in registry::problems().filter(|problem| !problem.descriptor().tables.is_empty()) {
        let specs = problem.descriptor().tables;
        let Ok(sheets) = Sheet::read(path, specs, None, None) else { continue };
        let mapped = |sheet: Sheet| Mapped { mapping: Mapping::guess(&sheet, specs), sheet: Arc::new(sheet) };
        let request = Request {
            name: "a".to_owned(),
            sheets: sheets.into_iter().map(mapped).collect(),
            base: (problem.descriptor().empty_data)("a"),
            bad_lines: BadLines::LeaveOut,
            unknown: UnknownNames::AreAdded.into(),
        };
        let outcome = import::run(specs, &request);
        let _ = import::problems_csv(&request, &outcome);
        is_accepted |= outcome.obstacle.is_none();
        let _ = (problem.descriptor().check_data)(&outcome.data);
    }
    is_accepted
}

fn open_project(path: &Path) -> bool {
    let is_project = registry::load_project(path).is_ok();
    // Not every problem opens its instances from projects on the command line.
    let _ = open_instance(path, "");
    is_project
}

/// Parses a command line without the program's name and checks the settings of a solve.
fn check_settings(line: &str) -> bool {
    let words = std::iter::once("gridwright").chain(line.split_whitespace());
    let Ok(Command::Solve(solve)) = arguments::parse(words) else { return false };
    // Files of the machine are no input of this target.
    if !registry::is_generated(&solve.instance.source) {
        return false;
    }
    let Ok(instance) = opening::open(&solve.instance) else { return false };
    let is_accepted = instance.check_request(&solve.request).is_ok();
    if is_accepted {
        for ending in instance.export_endings() {
            let _ = instance.check_export(ending, ExportOrigin::Request(&solve.request));
        }
    }
    is_accepted
}

/// Gives an input of cargo-fuzz to a format of a group, which the first byte chooses.
pub fn feed_group(group: &str, input: &[u8]) {
    thread_local!(static BENCH: Bench = Bench::new().expect("the system has a folder for temporary files"));
    let formats: Vec<&Format> = FORMATS.iter().filter(|format| format.group == group).collect();
    let Some((first, rest)) = input.split_first() else { return };
    let format = formats[usize::from(*first) % formats.len()];
    let _ = BENCH.with(|bench| bench.feed(format, rest).expect("the system's folder for temporary files is writable"));
}

/// Folder of the inputs that are kept in the repository.
pub(crate) fn kept_corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}
