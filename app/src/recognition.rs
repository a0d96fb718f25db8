//! Which problem a source belongs to: by its name, its ending or the beginning of its content.

use std::io::Read;
use std::path::Path;

use gridwright_solver::flowshop::formats as flowshop;
use gridwright_solver::result::RunResult;
use gridwright_solver::timetabling::formats as timetabling;
use gridwright_solver::{Error, Result};

/// A problem that the program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Examination timetabling.
    Timetabling,
    /// The permutation flow shop.
    FlowShop,
}

impl Problem {
    /// The name in results and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timetabling => "timetabling",
            Self::FlowShop => "flowshop",
        }
    }

    /// What an instance of it is.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Timetabling => "an examination session",
            Self::FlowShop => "a flow shop",
        }
    }
}

/// What can be said of a source before it is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// It belongs to this problem.
    Is(Problem),
    /// It may be a flow shop that is written wrongly; should nobody else be able to open it, its reader says what is
    /// wrong with it.
    MayBeFlowShop,
    /// Nothing is known of it, or it cannot be read.
    Unknown,
}

/// Looks at a name or at the beginning of a file.
pub fn look(source: &str) -> Look {
    let start = beginning(Path::new(source));
    // What is certainly one is not looked at further: a list of students may have a column for jobs.
    if timetabling::looks_like(source, &start) || Path::new(source).is_dir() {
        Look::Is(Problem::Timetabling)
    } else if flowshop::looks_like(source, &start) {
        Look::Is(Problem::FlowShop)
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

/// Whether the window can show a source, as far as a look at it tells.
///
/// # Errors
/// [`Error::Usage`] with the commands that work.
pub fn shown_in_window(source: &str) -> Result<()> {
    match look(source) {
        Look::Is(problem @ Problem::FlowShop) => Err(Error::Usage(format!(
            "{source} is {}; the window shows timetables only so far. In a terminal “gridwright info {source}” and \
             “gridwright solve {source}” work",
            problem.noun()
        ))),
        _ => Ok(()),
    }
}

/// Whether the window can show a result that was opened from `path`.
///
/// # Errors
/// [`Error::File`] with the commands that work.
pub fn result_shown_in_window(result: &RunResult, path: &Path) -> Result<()> {
    if result.problem == Problem::Timetabling.name() {
        return Ok(());
    }
    let (source, file) = (&result.instance.source, path.display());
    let what = format!(
        "this is a result of the problem “{}”; the window shows timetables only so far. In a terminal “gridwright \
         verify {source} {file}” and “gridwright export {source} {file} --to FILE” work",
        result.problem
    );
    Err(Error::file(path, what))
}

/// Whether a file of RON is the schedule of a flow shop, and not the result of a run.
pub fn is_schedule(path: &Path) -> bool {
    let is_ron = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    is_ron && flowshop::solution::begins_schedule(&beginning(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_apart_by_name_and_content() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            look(path.to_str().unwrap())
        };
        let [session, shop] = [Problem::Timetabling, Problem::FlowShop].map(Look::Is);
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
