//! The list of problems, and what is asked of all of them at once.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::problem::{DETECTION_BYTES, Detection, Problem, SAMPLE};
use crate::project::{self, Project};
use crate::result::RunResult;
use crate::text::ending;
use crate::{Error, Result, files};
use crate::{facility, flowshop, systolic, timetabling};

/// The problems that ship, in the order in which lists show them. The first one opens sources that no problem recognises.
static SHIPPED: [&dyn Problem; 4] = [
    &timetabling::problem::Timetabling,
    &flowshop::problem::FlowShop,
    &facility::problem::Facility,
    &systolic::problem::Systolic,
];

static ADDED: OnceLock<Vec<&'static dyn Problem>> = OnceLock::new();

/// Adds problems to those that ship, before the registry is first used; for tests of the interface.
///
/// # Panics
/// If problems were added before.
pub fn add(problems: Vec<&'static dyn Problem>) {
    assert!(ADDED.set(problems).is_ok(), "problems are added once, at the start of the program");
}

/// All problems, in the order in which lists show them.
pub fn problems() -> impl Iterator<Item = &'static dyn Problem> {
    SHIPPED.into_iter().chain(ADDED.get().into_iter().flatten().copied())
}

/// The problem with this identifier; `None` if no problem has it.
pub fn by_id(id: &str) -> Option<&'static dyn Problem> {
    problems().find(|problem| problem.id() == id)
}

/// True if a source names an instance that the program makes itself, rather than a file.
pub fn is_generated(source: &str) -> bool {
    source.starts_with(SAMPLE)
        || problems().any(|problem| problem.prefixes().iter().any(|prefix| source.starts_with(prefix)))
}

/// The source that is meant by a name without its prefix: `taillard:ta054` for `ta054`. `None` if there is a file of that
/// name, or no such instance.
pub fn completed(source: &str) -> Option<String> {
    let source = source.trim();
    let samples = problems().flat_map(|problem| problem.samples()).map(|name| format!("{SAMPLE}{name}"));
    let generated = problems().flat_map(|problem| problem.generated());
    let mut all = samples.chain(generated);
    let name = all.find(|name| name.split_once(':').is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(source)))?;
    (!crate::source::path(source).exists()).then_some(name)
}

/// The problem that claims a source with the greatest certainty; of several, the first in the list. `None` if no problem
/// recognises it.
pub fn detect(source: &str) -> Option<(&'static dyn Problem, Detection)> {
    if let Some(name) = source.strip_prefix(SAMPLE) {
        let owner = problems().find(|problem| problem.samples().contains(&name.trim()));
        return owner.map(|problem| (problem, Detection::Certain));
    }
    claims(source).into_iter().reduce(|best, claim| if claim.1 > best.1 { claim } else { best })
}

/// The problems that a source other than a sample may belong to, in the order of the list; only its own for a project.
pub fn claims(source: &str) -> Vec<(&'static dyn Problem, Detection)> {
    let start = beginning(&crate::source::path(source));
    if let Some(problem) = project::problem_of(&crate::source::path(source), &start).and_then(|id| by_id(&id)) {
        return vec![(problem, Detection::Exclusive)];
    }
    let claims = problems().map(|problem| (problem, problem.detect(source, &start)));
    claims.filter(|claim| claim.1 > Detection::No).collect()
}

/// The problem that certainly owns a source; `None` if the source is certain for no problem.
pub fn recognized(source: &str) -> Option<&'static dyn Problem> {
    detect(source).filter(|claim| claim.1 >= Detection::Certain).map(|claim| claim.0)
}

/// The problem whose reader opens a source in the window: the one that recognises it, the one that a result names, or the
/// first of the list.
pub fn owner(source: &str) -> &'static dyn Problem {
    let path = &crate::source::path(source);
    let claim = detect(source);
    if let Some((problem, Detection::Certain | Detection::Exclusive)) = claim {
        return problem;
    }
    let start = beginning(path);
    let of_solution = problems().find(|problem| problem.is_solution(&start));
    let likely = claim.filter(|claim| claim.1 == Detection::Likely).map(|claim| claim.0);
    let of_result =
        || if ending(path) == "ron" { by_id(&RunResult::load(path).ok()?.problem) } else { claim.map(|claim| claim.0) };
    of_solution.or(likely).or_else(of_result).unwrap_or(SHIPPED[0])
}

/// True if a file holds a solution and neither an instance nor the result of a run.
pub fn is_solution(path: &Path) -> bool {
    solution_owner(path).is_some() || ending(path) == "sol"
}

/// The problem that a solution file shows to belong to; `None` if the file does not show that.
pub fn solution_owner(path: &Path) -> Option<&'static dyn Problem> {
    let start = beginning(path);
    problems().find(|problem| problem.is_solution(&start))
}

/// True if a file may be the result of a run: RON that is nothing else which is written so.
pub fn is_result(path: &Path) -> bool {
    let start = beginning(path);
    ending(path) == "ron"
        && !problems().any(|problem| problem.is_solution(&start))
        && crate::source::of(path).and_then(|source| detect(&source)).is_none()
}

/// Files that are read for a source and must not be overwritten; none for a generated instance. Of a project these are the
/// project itself and the files of its instance.
pub fn input_files(source: &str) -> Vec<PathBuf> {
    if is_generated(source) {
        return Vec::new();
    }
    let path = &crate::source::path(source);
    let mut files: Vec<PathBuf> = problems().flat_map(|problem| problem.input_files(source)).collect();
    if project::is_project(path)
        && let Ok(project) = load_project(path)
    {
        let named = project::source(&project.instance, path);
        // A project that names a project is refused when it is opened.
        if !project::is_project(Path::new(&named)) {
            files.extend(input_files(&named));
        }
    }
    files.dedup();
    files
}

/// Opens a saved result; its solution is one of its problem.
///
/// # Errors
/// As [`RunResult::load`]; [`Error::File`] if the result contradicts itself. Results of unknown problems are not checked.
pub fn load_result(path: &Path) -> Result<RunResult> {
    let result = RunResult::load(path)?;
    let Some(problem) = by_id(&result.problem) else { return Ok(result) };
    if !problem.holds_solution(&result.solution) {
        let held = problems().find(|problem| problem.holds_solution(&result.solution));
        let held = held.map_or("something else", |problem| problem.nouns().solution);
        let what = format!(
            "it is a result of the problem “{}” and holds {held}; the file was changed by hand, use the original",
            result.problem
        );
        return Err(Error::file(path, what));
    }
    problem.check_result(&result, path)?;
    Ok(result)
}

/// Opens a project, not yet its instance; its solutions are those of its problem.
///
/// # Errors
/// As [`Project::load`]; [`Error::File`] if it holds solutions of another problem.
pub fn load_project(path: &Path) -> Result<Project> {
    let old = problems().find_map(|problem| problem.load_old_project(path));
    let project = old.unwrap_or_else(|| Project::load(path))?;
    let Some(problem) = by_id(&project.problem) else { return Ok(project) };
    let foreign = {
        let drafts = project.draft.iter().flat_map(|draft| [&draft.solution, &draft.base]);
        let mut solutions = drafts.chain(project.runs.iter().map(|run| &run.solution));
        solutions.find(|solution| !problem.holds_solution(solution)).cloned()
    };
    let Some(other) = foreign else { return Ok(project) };
    let held = problems().find(|problem| problem.holds_solution(&other));
    let held = held.map_or("something else", |problem| problem.nouns().solution);
    let what = format!(
        "it is a project of the problem “{}” and holds {held}; the file was changed by hand, use the original",
        project.problem
    );
    Err(Error::file(path, what))
}

/// The first bytes of a file; none if it cannot be read, which whoever opens it reports.
fn beginning(path: &Path) -> Vec<u8> {
    files::beginning(path, DETECTION_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_their_beginning_are_understood() {
        let names = ["ta054", " TA001 ", "school", "workshop", "layout-plant", "f40", "backpack"];
        let full = [
            "taillard:ta054", "taillard:ta001", "sample:school", "sample:workshop", "sample:layout-plant",
            "layout:F40", "sample:backpack",
        ];
        assert_eq!(names.map(|name| completed(name).unwrap()), full);
        assert!(full.iter().all(|name| is_generated(name) && completed(name).is_none()), "nothing is left out");
        assert_eq!(["", "ta121", "moon", "school.stu", "300", "src"].map(completed), [const { None }; 6]);
    }

    #[test]
    fn sources_are_told_apart_by_name_and_content() {
        let folder = tempfile::tempdir().unwrap();
        let look = |source: &str| detect(source).map(|(problem, detection)| (problem.id(), detection));
        let of = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            look(path.to_str().unwrap())
        };
        let [session, shop, plant, bits] =
            ["timetabling", "flowshop", "facility", "systolic"].map(|id| Some((id, Detection::Certain)));
        assert_eq!(["sample:backpack", "knapsack:100-1000", "mmdp:300", "onemax:9", "nrp:2-5"].map(look), [bits; 5]);
        assert_eq!(of("d.csv", "# capacity: 3\nitem,profit,weight\nTent,1,2\n"), bits);
        assert_eq!(of("d.txt", "3 10\n5 4\n3 3\n9 8\n"), bits);
        assert_eq!(of("e.txt", "100\t3\n50\t2\n300\t1\n80\t0\n"), bits);
        assert_eq!(of("f.ron", "(\n    binary_problem: 1,"), bits);
        assert_eq!(["sample:school", "sample:workshop", "taillard:ta001"].map(look), [session, shop, shop]);
        assert_eq!(["sample:moon", "nowhere.txt"].map(look), [None; 2]);
        assert_eq!(look(folder.path().to_str().unwrap()), session);
        assert_eq!(of("a.stu", "2 2\n3 1\n2 4\n"), session, "the ending says it");
        assert_eq!(of("a.csv", "student,exam,job\n1,2,3\n"), session);
        assert_eq!(of("a.txt", "2 2\n3 1\n2 4\n"), shop);
        assert_eq!(of("b.csv", "job,Saw\nDesk,4\n"), shop);
        assert_eq!(of("c.csv", "job,Saw\nDesk,long\n"), Some(("flowshop", Detection::Possible)));
        assert_eq!(of("b.txt", "3 2\n1 2\n"), Some(("flowshop", Detection::Possible)));
        assert_eq!(of("c.txt", "0001 0002\n0003\n"), None);
        for huge in ["9223372036854775808", "18446744073709551615"] {
            for sizes in [format!("6 {huge}"), format!("{huge} {huge}")] {
                let claim = of("c.txt", &format!("{sizes}\n1 2\n"));
                assert!(claim.is_none_or(|claim| claim.1 == Detection::Possible), "{sizes}: {claim:?}");
            }
        }
        assert_eq!(["sample:layout-workshop", "layout:F40", "layout:F41"].map(look), [plant; 3]);
        assert_eq!(of("d.csv", "# plant: 20 x 30\nname,area\nSaw,40\n"), plant);
        assert_eq!(of("d.json", "{ \"departments\": [ { \"area\": 4 } ] }"), plant);
        assert_eq!(of("d.ron", "(\n    facility_format: 1,"), plant);
        let likely = Some(("facility", Detection::Likely));
        assert_eq!(of("e.csv", "name,area\nSaw,large\n"), likely);
        assert_eq!(of("f.csv", "from,to,flow\nSaw,Press,4\n"), likely);
        assert_eq!(of("e.ron", "(\n    layout_format: 1,"), likely);
        assert_eq!(of("f.ron", "(\n    format: 1,"), None);
        let project = Some(("flowshop", Detection::Exclusive));
        assert_eq!(of("g.gridwright", "(\n    plan_project: 1,\n    problem: \"flowshop\","), project);
        assert_eq!(of("h.gridwright", "(\n    format: 1,"), session, "projects of sessions begin otherwise");
        let tables = folder.path().join("tables");
        std::fs::create_dir(&tables).unwrap();
        assert_eq!(look(tables.to_str().unwrap()), session);
        std::fs::write(tables.join("departments.csv"), "").unwrap();
        assert_eq!(look(tables.to_str().unwrap()), Some(("facility", Detection::Exclusive)));
    }

    #[test]
    fn solutions_are_no_results() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let is_result_with = |content: &str| {
            std::fs::write(&path, content).unwrap();
            is_result(&path)
        };
        assert!(!is_result_with(" (\n    schedule_format: 1,"));
        assert!(!is_result_with("(\n    layout_format: 1,"));
        assert!(is_result_with("(\n    format: 1,"));
        assert!(!is_result(&folder.path().join("a.csv")), "another ending");
    }
}
