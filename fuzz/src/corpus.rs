//! Inputs from which mutations begin: files that Gridwright writes itself, and those kept in `fuzz/corpus/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use gridwright_core::project::{Project, ProjectData, StoredDraft};
use gridwright_core::registry;
use gridwright_core::store::{Recent, State, Store};
use gridwright_terminal::arguments;
use gridwright_terminal::command::{self, Exit};
use rust_xlsxwriter::Workbook;

use crate::mutation::pack;
use crate::{Bench, FORMATS, Format, kept_corpus};

/// Commands that make instances: format and arguments without `--out`.
const GENERATED: [(&str, &str); 12] = [
    ("carter", "timetabling --preset school --exams 12 --students 40 --out a.stu"),
    ("enrolments", "timetabling --preset school --exams 12 --students 40 --out enrolments.csv"),
    ("flowshop-table", "flowshop --jobs 6 --machines 3 --out a.csv"),
    ("flowshop-table", "flowshop --jobs 6 --machines 3 --due-dates --out b.csv"),
    ("flowshop-numbers", "flowshop --jobs 6 --machines 3 --out a.txt"),
    ("flowshop-numbers", "flowshop --jobs 6 --machines 3 --due-dates --out b.txt"),
    ("layout-table", "layout --departments 6 --out departments.csv"),
    ("layout-ron", "layout --preset plant --departments 6 --out a.ron"),
    ("bits-table", "knapsack --items 8 --out a.csv"),
    ("bits-table", "nrp --customers 3 --requirements 6 --out b.csv"),
    ("bits-numbers", "knapsack --items 8 --out a.txt"),
    ("bits-ron", "nrp --customers 3 --requirements 6 --out a.ron"),
];

/// A run that makes results and solutions: instance, settings, and exports as pairs of format and ending.
type Solved = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Runs that make results and solutions.
const SOLVED: [Solved; 5] = [
    ("sample:school", "--seconds 1", &[("timetable-sol", "sol"), ("timetable-csv", "csv")]),
    ("sample:workshop", "--generations 3", &[("shop-sol", "sol"), ("shop-csv", "csv"), ("shop-ron", "ron")]),
    ("sample:workshop", "--objective pareto --generations 3", &[]),
    (
        "sample:layout-workshop",
        "--algorithm memetic --generations 3",
        &[("layout-sol", "sol"), ("layout-csv", "csv"), ("layout-solution-ron", "ron")],
    ),
    ("sample:backpack", "--generations 9", &[("bits-sol", "sol"), ("bits-csv", "csv"), ("bits-solution-ron", "ron")]),
];

/// Command lines of solves.
const SETTINGS: [&str; 6] = [
    "solve sample:school --algorithm annealing --seconds 5 --seed 3 --threads 2 --set chains=4 --set kempe=0.3",
    "solve sample:workshop --algorithm greedy --generations 100 --objective flowtime --target 100 --stall 5",
    "solve sample:layout-workshop --algorithm memetic --generations 20 --bays vertical --set islands=2",
    "solve knapsack:100-1000 --algorithm sgs-b --generations 10 --backend cuda:1 --export x.gif --export grid.png",
    "solve mmdp:300 --algorithm ega --seconds 0.5 --backend cpu --json --set crossover=0.9 --set mutation=0.01",
    "solve taillard:ta001 --objective pareto --algorithm pls --generations 10 --out r.ron --quiet",
];

/// Instance of the competition of 2007 with every section.
const ITC2007: &str = "[Exams:4]\n180, 0, 1, 2\n120, 1, 3\n90, 2\n60, 3, 4\n[Periods:3]\n15:04:2005, 09:30:00, 210, 0\n\
    15:04:2005, 14:00:00, 120, 0\n16:04:2005, 09:30:00, 180, 10\n[Rooms:2]\n60, 0\n30, 5\n[PeriodHardConstraints]\n\
    0, AFTER, 1\n1, EXCLUSION, 2\n2, EXAM_COINCIDENCE, 3\n[RoomHardConstraints]\n0, ROOM_EXCLUSIVE\n\
    [InstitutionalWeightings]\nTWOINAROW,7\nTWOINADAY,5\nPERIODSPREAD,5\nNONMIXEDDURATIONS,10\nFRONTLOAD,2,1,5\n";

/// Tables as offices have them: title lines, headers in other languages, totals, several spellings of one name.
const TABLES: [&str; 3] = [
    "Prüfungen;Sommer 2026\n;\nMatrikel;Modul\ns1;MAT\ns1;PHY\ns2; mat \ns3;PHY\nSumme;4\n",
    "Student,MAT,PHY,CHE\ns1,x,,x\ns2,x,x,\ns3,,x,x\n",
    "Orders of week 23\nAuftrag;Menge;Termin;Saw;Mill\nDesk;3;20;4;2\nChair;1;30;1;3\nSumme;4;;5;5\n",
];

/// Layout problem as collected from papers.
const JSON: &str = "{\"name\": \"a\", \"n\": 3, \"plant\": {\"width\": 8, \"height\": 6}, \"departments\": [{\"id\": 1, \
    \"name\": \"A\", \"area\": 20}, {\"id\": 2, \"name\": \"B\", \"area\": 16}, {\"id\": 3, \"name\": \"C\", \"area\": 12}], \
    \"shape\": {\"type\": \"aspect\", \"max\": 4}, \"distance\": \"rectilinear\", \"flow_layout\": \"upper triangle\", \"flow\": \
    [[0, 3, 1.5], [0, 0, 2], [0, 0, 0]]}";

/// Runs a command of Gridwright in this process.
fn run(line: &str) -> Result<()> {
    let arguments = std::iter::once("gridwright").chain(line.split(' ').filter(|word| !word.is_empty()));
    let exit = command::run(&arguments::parse(arguments)?, &|_, _| anyhow::bail!("there is no window"));
    ensure!(exit == Exit::Done, "gridwright {line} failed; correct the corpus in fuzz/src/corpus.rs");
    Ok(())
}

/// Writes all inputs to `folder`, one folder per format.
///
/// # Errors
/// A command of Gridwright failed, or the folder cannot be written to.
pub fn generate(folder: &Path) -> Result<()> {
    crate::register();
    let work = tempfile::tempdir()?;
    let mut counts = BTreeMap::new();
    let mut keep = |format: &str, path: &Path| -> Result<()> {
        let number = counts.entry(format.to_owned()).and_modify(|number| *number += 1).or_insert(0_usize);
        let target = folder.join(format).join(number.to_string());
        std::fs::create_dir_all(folder.join(format))?;
        std::fs::copy(path, &target).with_context(|| format!("{} cannot be copied", path.display()))?;
        Ok(())
    };
    let place = |name: &str| work.path().join(name);
    for (at, (format, line)) in GENERATED.iter().enumerate() {
        let (line, name) = line.split_once(" --out ").context("a command names its output")?;
        let path = place(&at.to_string()).join(name);
        std::fs::create_dir(place(&at.to_string()))?;
        run(&format!("generate {line} --out {}", path.display()))?;
        keep(format, &path)?;
    }
    for (at, (instance, settings, exports)) in SOLVED.iter().enumerate() {
        let result = place(&format!("result{at}.ron"));
        let targets: Vec<PathBuf> =
            exports.iter().map(|(format, ending)| place(&format!("{format}.{ending}"))).collect();
        let options: String = targets.iter().map(|target| format!(" --export {}", target.display())).collect();
        run(&format!("solve {instance} {settings} --backend cpu --quiet --out {}{options}", result.display()))?;
        for ((format, _), target) in exports.iter().zip(&targets) {
            keep(format, target)?;
        }
        keep("result", &result)?;
        if *instance == "sample:workshop" {
            keep("result-with-check", &result)?;
        }
        let project = place("a.gridwright");
        project_of(&result)?.save(&project)?;
        keep("project", &project)?;
        keep("stored-project", &project)?;
        project_with_data(&result)?.save(&project)?;
        keep("project", &project)?;
    }
    let texts =
        [("itc2007", ITC2007), ("layout-json", JSON)].into_iter().chain(TABLES.map(|text| ("import-csv", text)));
    for (format, text) in texts.chain(SETTINGS.map(|line| ("settings", line))) {
        std::fs::write(place("text"), text)?;
        keep(format, &place("text"))?;
    }
    std::fs::write(place("a.xlsx"), workbook()?)?;
    std::fs::write(place("a.ods"), spreadsheet())?;
    for format in ["xlsx", "ods"] {
        keep(format, &place(&format!("a.{format}")))?;
        keep(&format!("import-{format}"), &place(&format!("a.{format}")))?;
    }
    for former in ["joinery", "school", "shop"] {
        keep("former-project", &former_projects().join(former).with_extension("gridwright"))?;
    }
    let store = Store::at(work.path().join("home"));
    store.save_state(&state())?;
    keep("state", &store.home().join("state.ron"))
}

/// Folder of projects that version 0.2.0 wrote.
fn former_projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../app/tests/files_of_0_2_0/projects")
}

/// Project with a draft and a run.
fn project_of(result: &Path) -> Result<Project> {
    let run = registry::load_result(result)?;
    let (solution, base) = (run.solution.clone(), run.solution.clone());
    let draft = Some(StoredDraft { name: "run 1".to_owned(), solution, base });
    let project = Project::of(&run.problem, run.instance.clone());
    let view = [("saved", "1750000000000"), ("shown", "0"), ("name 0", "the best of May")];
    let view = view.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    // A run may store its demands in another form than a project.
    let problem = registry::by_id(&run.problem).context("results name a problem of the registry")?;
    let demands = run.demands.clone().filter(|demands| problem.check_demands(demands, false).is_ok());
    Ok(Project { draft, demands, view, runs: vec![run], ..project })
}

/// Project that contains its data: those with which a person begins a new instance, beside a run.
fn project_with_data(result: &Path) -> Result<Project> {
    let project = project_of(result)?;
    let problem = registry::by_id(&project.problem).context("results name a problem of the registry")?;
    let specs = problem.descriptor().tables;
    let data = (problem.descriptor().template)();
    Ok(Project { data: data.map(|data| ProjectData::Tables { data: Arc::new(data), specs }), ..project })
}

fn state() -> State {
    let mut state = State { reopen: true, ..State::default() };
    for source in ["sample:school", "/a/b/shop.csv"] {
        let problem = "flowshop".to_owned();
        state.remember(Recent { source: source.to_owned(), name: source.to_owned(), problem, ..Recent::default() });
    }
    state
}

/// Workbook of a layout problem with a sheet of departments and a from-to chart.
fn workbook() -> Result<Vec<u8>> {
    let mut book = Workbook::new();
    let rooms = book.add_worksheet().set_name("Rooms")?;
    rooms.write_string(0, 0, "# plant: 6 x 4")?;
    let chart = ["A", "B", "C"];
    for (at, head) in (0..).zip(["Department", "Area", "Free floor"]) {
        rooms.write_string(1, at, head)?;
    }
    for (row, name) in (0..).zip(chart) {
        rooms.write_string(2 + row, 0, name)?.write_number(2 + row, 1, 8.0)?.write_boolean(2 + row, 2, row == 2)?;
    }
    let flows = book.add_worksheet().set_name("From-to")?;
    for (at, name) in (1..).zip(chart) {
        flows.write_string(0, at, name)?.write_string(u32::from(at), 0, name)?.write_number(1, at, f64::from(at))?;
    }
    Ok(book.save_to_buffer()?)
}

/// OpenDocument spreadsheet of a layout problem.
fn spreadsheet() -> Vec<u8> {
    let cell = |text: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let number = |number: usize| format!("<table:table-cell office:value-type=\"float\" office:value=\"{number}\"/>");
    let row = |cells: String| format!("<table:table-row table:number-rows-repeated=\"1\">{cells}</table:table-row>");
    let names = ["A", "B", "C"];
    // The from-to chart stands beside the departments.
    let flows = |from: usize| (0..names.len()).map(|to| number(to.saturating_sub(from))).collect::<String>();
    let rooms = names.iter().enumerate().map(|(at, name)| row(cell(name) + &number(8) + &flows(at)));
    let rows: String = rooms.collect();
    let head = row(cell("# plant: 6 x 4")) + &row(["Department", "Area", "A", "B", "C"].map(cell).concat());
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"Rooms\">{head}{rows}\
         </table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let mimetype = b"application/vnd.oasis.opendocument.spreadsheet".to_vec();
    pack(&[("mimetype".to_owned(), mimetype), ("content.xml".to_owned(), content.into_bytes())])
}

/// Inputs of a format: those generated into `folder`, and those kept in the repository.
///
/// # Errors
/// A folder cannot be read, or there is no input.
pub fn load(folder: &Path, format: &Format) -> Result<Vec<Vec<u8>>> {
    let mut inputs = Vec::new();
    for folder in [folder.to_path_buf(), kept_corpus()].map(|folder| folder.join(format.name)) {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        paths.sort();
        for path in paths {
            inputs.push(std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?);
        }
    }
    ensure!(!inputs.is_empty(), "there is no input of the format {}; add one in fuzz/src/corpus.rs", format.name);
    Ok(inputs)
}

/// Makes sure that the reader of a format accepts the inputs that Gridwright has written to `folder`.
///
/// # Errors
/// An input is refused: nothing behind the first check of the reader would be tested.
pub fn check(folder: &Path, format: &Format) -> Result<()> {
    let (bench, inputs) = (Bench::new()?, load(folder, format)?);
    for (number, input) in inputs.iter().enumerate().take(generated(folder, format)) {
        ensure!(
            bench.feed(format, input)?,
            "input {number} of {} is refused; correct it in fuzz/src/corpus.rs",
            format.name
        );
    }
    Ok(())
}

/// Number of inputs of a format in a folder.
fn generated(folder: &Path, format: &Format) -> usize {
    std::fs::read_dir(folder.join(format.name)).map_or(0, Iterator::count)
}

/// Names of all formats, for messages.
pub fn names() -> String {
    FORMATS.map(|format| format.name).join(", ")
}
