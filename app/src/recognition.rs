//! Which problem a source belongs to: by its name, its ending or the beginning of its content.

use std::io::Read;
use std::path::Path;

use gridwright_solver::facility::formats as facility;
use gridwright_solver::facility::library as layouts;
use gridwright_solver::flowshop::formats as flowshop;
use gridwright_solver::flowshop::library as shops;
use gridwright_solver::project;
use gridwright_solver::result::RunResult;
use gridwright_solver::systolic::formats as systolic;
use gridwright_solver::systolic::library as binary;
use gridwright_solver::timetabling::formats as timetabling;
use gridwright_solver::timetabling::generator;
use gridwright_solver::{Error, Result};

use crate::store;

/// A problem that the program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Examination timetabling.
    Timetabling,
    /// The permutation flow shop.
    FlowShop,
    /// Unequal-area facility layout.
    Facility,
    /// A binary problem on a systolic grid.
    Systolic,
}

impl Problem {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Timetabling, Self::FlowShop, Self::Facility, Self::Systolic];

    /// The name in results and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timetabling => "timetabling",
            Self::FlowShop => "flowshop",
            Self::Facility => "facility",
            Self::Systolic => "systolic",
        }
    }

    /// The problem of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|problem| problem.name() == name)
    }

    /// What an instance of it is.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Timetabling => "an examination session",
            Self::FlowShop => "a flow shop",
            Self::Facility => "a layout problem",
            Self::Systolic => "a binary problem",
        }
    }

    /// What instances of it are.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Timetabling => "examination sessions",
            Self::FlowShop => "flow shops",
            Self::Facility => "layout problems",
            Self::Systolic => "binary problems",
        }
    }
}

/// Whether this names an instance that the program makes itself, rather than a file.
pub fn is_named(source: &str) -> bool {
    let beginnings = ["sample:", "taillard:", "layout:"];
    beginnings.iter().chain(&binary::NAMED).any(|beginning| source.starts_with(beginning))
}

/// The instance that a person means who leaves out the beginning of its name: `taillard:ta054` for `ta054`. None where
/// there is a file of that name, or no such instance.
pub fn meant(source: &str) -> Option<String> {
    let source = source.trim();
    let samples = generator::PRESETS.iter().chain(&shops::SAMPLES).chain(&layouts::SAMPLES).chain(&binary::SAMPLES);
    let samples = samples.map(|name| format!("sample:{name}"));
    let shops = shops::entries().iter().map(|entry| format!("taillard:{}", entry.name));
    let plants = layouts::GENERATED.iter().map(|name| format!("layout:{name}"));
    // Numbers alone, as of knapsacks, could mean several.
    let mut all = samples.chain(shops).chain(plants);
    let name = all.find(|name| name.split_once(':').is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(source)))?;
    (!Path::new(source).exists()).then_some(name)
}

/// What can be said of a source before it is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// It belongs to this problem.
    Is(Problem),
    /// It may be a flow shop that is written wrongly; should nobody else be able to open it, its reader says what is
    /// wrong with it.
    MayBeFlowShop,
    /// It may be a layout problem that is written wrongly, in the same way.
    MayBeLayout,
    /// Nothing is known of it, or it cannot be read.
    Unknown,
}

/// Looks at a name or at the beginning of a file.
pub fn look(source: &str) -> Look {
    let start = beginning(Path::new(source));
    // What is certainly one is not looked at further: a list of students may have a column for jobs.
    if let Some(problem) = project::problem_of(Path::new(source), &start).and_then(|name| Problem::named(&name)) {
        Look::Is(problem)
    } else if facility::is_folder(Path::new(source)) {
        Look::Is(Problem::Facility)
    } else if timetabling::looks_like(source, &start) || Path::new(source).is_dir() {
        Look::Is(Problem::Timetabling)
    } else if flowshop::looks_like(source, &start) {
        Look::Is(Problem::FlowShop)
    } else if facility::looks_like(source, &start) {
        Look::Is(Problem::Facility)
    } else if systolic::looks_like(source, &start) {
        Look::Is(Problem::Systolic)
    } else if facility::resembles(source, &start) {
        Look::MayBeLayout
    } else if flowshop::resembles(source, &start) {
        Look::MayBeFlowShop
    } else {
        Look::Unknown
    }
}

/// The first bytes of a file; none where it cannot be read, which whoever opens it says.
fn beginning(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // A file that breaks off while it is read is told by its reader.
        let _ = file.take(flowshop::LOOK as u64).read_to_end(&mut start);
    }
    start
}

/// The problem whose desk opens a source: by a look at it, or by what a result says.
pub fn desk_of(source: &str) -> Problem {
    let path = Path::new(source);
    let is_ron = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    if is_ron {
        let of_result = || RunResult::load(path).ok().and_then(|result| Problem::named(&result.problem));
        return match look(source) {
            Look::Is(problem) => problem,
            Look::MayBeLayout => Problem::Facility,
            _ if is_bits(path) => Problem::Systolic,
            _ if is_schedule(path) => Problem::FlowShop,
            _ => of_result().unwrap_or(Problem::Timetabling),
        };
    }
    match look(source) {
        Look::Is(problem) => problem,
        Look::MayBeFlowShop => Problem::FlowShop,
        Look::MayBeLayout => Problem::Facility,
        Look::Unknown => Problem::Timetabling,
    }
}

/// Whether a result was found for the data of the instance that its file names: `of`, with this hash.
///
/// # Errors
/// What to do where it was not.
pub fn result_is_for(result: &RunResult, path: &Path, of: &str, hash: &str) -> Result<()> {
    if result.instance.hash.is_empty() || result.instance.hash == hash {
        return Ok(());
    }
    let what = format!("this result was found for other data than {of}; bring back the original files, or solve again");
    Err(Error::file(path, what))
}

/// Whether a result that was kept at `path` is of this problem.
///
/// # Errors
/// [`Error::File`] that says what it is, and what to do.
pub fn result_is_of(result: &RunResult, path: &Path, problem: store::Problem) -> Result<()> {
    let wanted = match problem {
        store::Problem::Timetabling => Problem::Timetabling,
        store::Problem::FlowShop => Problem::FlowShop,
        store::Problem::Facility => Problem::Facility,
        store::Problem::Systolic => Problem::Systolic,
    };
    if result.problem == wanted.name() {
        return Ok(());
    }
    let source = &result.instance.source;
    let what = format!(
        "this is a result of the problem “{}” and not of {}; it stays where it is. Opened as a file it is shown with \
         {source}",
        result.problem,
        wanted.noun()
    );
    Err(Error::file(path, what))
}

/// Where the instance of a result lies: as it was named, or beside the result.
pub fn result_source(path: &Path, result: &RunResult) -> String {
    let stated = Path::new(&result.instance.source);
    let beside = path.parent().zip(stated.file_name()).map(|(folder, name)| folder.join(name));
    match beside {
        Some(beside) if !stated.exists() && beside.exists() => beside.display().to_string(),
        _ => result.instance.source.clone(),
    }
}

/// Whether a file of RON may be the result of a run: it is nothing else that is written so.
pub fn is_result(path: &Path) -> bool {
    let is_ron = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    is_ron && !is_schedule(path) && !is_bits(path) && look(&path.to_string_lossy()) == Look::Unknown
}

/// Whether a file of RON is the bits of a solution, and not the result of a run.
pub fn is_bits(path: &Path) -> bool {
    let is_ron = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    is_ron && systolic::solution::begins(&beginning(path))
}

/// Whether a file of RON is the schedule of a flow shop, and not the result of a run.
pub fn is_schedule(path: &Path) -> bool {
    let is_ron = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    is_ron && flowshop::solution::begins_schedule(&beginning(path))
}

/// Whether a file of RON is a layout, and not the result of a run.
pub fn is_layout(path: &Path) -> bool {
    let is_ron = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    is_ron && facility::solution::begins(&beginning(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_their_beginning_are_understood() {
        let names = ["ta054", " TA001 ", "school", "workshop", "layout-plant", "f40", "backpack"];
        let full = [
            "taillard:ta054",
            "taillard:ta001",
            "sample:school",
            "sample:workshop",
            "sample:layout-plant",
            "layout:F40",
            "sample:backpack",
        ];
        assert_eq!(names.map(|name| meant(name).unwrap()), full);
        assert!(full.iter().all(|name| is_named(name) && meant(name).is_none()), "nothing is left out");
        assert_eq!(["", "ta121", "moon", "school.stu", "300", "src"].map(meant), [const { None }; 6]);
    }

    #[test]
    fn sources_are_told_apart_by_name_and_content() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            look(path.to_str().unwrap())
        };
        let [session, shop, plant, bits] = Problem::ALL.map(Look::Is);
        assert_eq!(["sample:backpack", "knapsack:100-1000", "mmdp:300", "onemax:9", "nrp:2-5"].map(look), [bits; 5]);
        assert_eq!(of("d.csv", "# capacity: 3\nitem,profit,weight\nTent,1,2\n"), bits);
        assert_eq!(of("d.txt", "3 10\n5 4\n3 3\n9 8\n"), bits);
        assert_eq!(of("e.txt", "100\t3\n50\t2\n300\t1\n80\t0\n"), bits);
        assert_eq!(of("f.ron", "(\n    binary_problem: 1,"), bits);
        assert_eq!(["sample:school", "sample:workshop", "taillard:ta001"].map(look), [session, shop, shop]);
        assert_eq!(["sample:moon", "nowhere.txt"].map(look), [Look::Unknown; 2]);
        assert_eq!(look(folder.path().to_str().unwrap()), session);
        assert_eq!(of("a.stu", "2 2\n3 1\n2 4\n"), session, "the ending says it");
        assert_eq!(of("a.csv", "student,exam,job\n1,2,3\n"), session);
        assert_eq!(of("a.txt", "2 2\n3 1\n2 4\n"), shop);
        assert_eq!(of("b.csv", "job,Saw\nDesk,4\n"), shop);
        assert_eq!(of("c.csv", "job,Saw\nDesk,long\n"), Look::MayBeFlowShop);
        assert_eq!(of("b.txt", "3 2\n1 2\n"), Look::MayBeFlowShop);
        assert_eq!(of("c.txt", "0001 0002\n0003\n"), Look::Unknown);
        assert_eq!(["sample:layout-workshop", "layout:F40", "layout:F41"].map(look), [plant; 3]);
        assert_eq!(of("d.csv", "# plant: 20 x 30\nname,area\nSaw,40\n"), plant);
        assert_eq!(of("d.json", "{ \"departments\": [ { \"area\": 4 } ] }"), plant);
        assert_eq!(of("d.ron", "(\n    facility_format: 1,"), plant);
        assert_eq!(of("e.csv", "name,area\nSaw,large\n"), Look::MayBeLayout);
        assert_eq!(of("f.csv", "from,to,flow\nSaw,Press,4\n"), Look::MayBeLayout);
        assert_eq!(of("e.ron", "(\n    layout_format: 1,"), Look::MayBeLayout);
        assert_eq!(of("f.ron", "(\n    format: 1,"), Look::Unknown);
        assert_eq!(of("g.gridwright", "(\n    plan_project: 1,\n    problem: \"flowshop\","), shop);
        assert_eq!(of("h.gridwright", "(\n    format: 1,"), session, "projects of sessions begin otherwise");
        let tables = folder.path().join("tables");
        std::fs::create_dir(&tables).unwrap();
        assert_eq!(look(tables.to_str().unwrap()), session);
        std::fs::write(tables.join("departments.csv"), "").unwrap();
        assert_eq!(look(tables.to_str().unwrap()), plant);
    }

    #[test]
    fn schedules_are_no_results() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        std::fs::write(&path, " (\n    schedule_format: 1,").unwrap();
        assert!(is_schedule(&path));
        std::fs::write(&path, "(\n    format: 1,").unwrap();
        assert!(!is_schedule(&path) && !is_schedule(&folder.path().join("b.ron")));
    }
}
