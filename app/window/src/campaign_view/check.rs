//! Reading and checking of plans before anything runs; for threads, because instances are opened.

use std::path::{Path, PathBuf};

use gridwright_campaign::{folder, plan};
use gridwright_core::recognition::PLAN;
use gridwright_core::source::data_folder;
use gridwright_core::{Error, Result, files};

use super::board::Board;

/// Table of rows in the folder of a campaign.
const ROWS: &str = "runs.csv";

/// Fault of a plan or of the folder of its campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Line and column in the plan, counted from 1; `None` if the fault has no place there.
    pub place: Option<(usize, usize)>,
    /// Cause and remedy.
    pub text: String,
}

impl Fault {
    /// A fault without a place in the plan.
    pub(crate) fn elsewhere(text: impl Into<String>) -> Self {
        Self { place: None, text: text.into() }
    }

    /// The fault that an error of reading a plan tells.
    fn of_plan(error: &Error) -> Self {
        let Error::Line { line, column, what, .. } = error else { return Self::elsewhere(error.to_string()) };
        Self { place: Some((*line, column.unwrap_or(1))), text: what.clone() }
    }

    /// The fault in one sentence, with its place.
    pub(super) fn sentence(&self) -> String {
        match self.place {
            Some((line, column)) => format!("Line {line}, column {column}: {}", self.text),
            None => self.text.clone(),
        }
    }
}

/// A plan that was read, and the folder of its campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlanFile {
    /// File of the plan.
    pub plan: PathBuf,
    /// Folder of rows.
    pub folder: PathBuf,
    /// Text of the plan.
    pub text: String,
}

/// Folder of the rows of a plan: beside the plan, with its name; the folder that the plan lies in if that holds its rows.
pub(crate) fn folder_of(plan: &Path) -> PathBuf {
    let parent = plan.parent().unwrap_or(Path::new(""));
    let is_kept = plan.file_name().is_some_and(|name| name == PLAN) && parent.join(ROWS).is_file();
    if is_kept { parent.to_path_buf() } else { plan.with_extension("") }
}

/// Reads a plan, or the plan of a campaign whose folder or table of rows `path` is.
///
/// The plan in a folder is a copy. Where the plan that it was copied from lies beside the folder, that one is taken, because
/// its instances are named from there.
///
/// # Errors
/// The file cannot be read or is no text.
pub(crate) fn read(path: &Path) -> Result<PlanFile> {
    let path = &std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let inside = match path.is_dir() {
        true => Some(path.as_path()),
        false => path
            .parent()
            .filter(|parent| path.file_name().is_some_and(|name| name == ROWS) && parent.join(PLAN).is_file()),
    };
    let plan = inside.map_or_else(|| path.clone(), |folder| folder.join(PLAN));
    if !plan.is_file() {
        let what = "there is no plan of a campaign; open a .ron file or the folder of a campaign";
        return Err(Error::file(&plan, what));
    }
    let text = files::read_text(&plan)?;
    let folder = folder_of(&plan);
    let original = folder.with_extension("ron");
    let is_original =
        original != plan && original.is_file() && files::read_text(&original).is_ok_and(|other| other == text);
    Ok(PlanFile { plan: if is_original { original } else { plan }, folder, text })
}

/// Checks the text of a plan that lies, or will lie, in a file, and reads the rows of its folder.
///
/// # Errors
/// The first fault of the plan, or of the tables of its folder.
pub(super) fn check(file: PlanFile) -> std::result::Result<Board, Fault> {
    let PlanFile { plan, folder, text } = file;
    let campaign = plan::of_text(&plan, text, &data_folder(), &gridwright_campaign::open)
        .map_err(|error| Fault::of_plan(&error))?;
    let kept = folder::read_rows(&folder).and_then(|rows| Ok((rows, folder::read_curves(&folder)?)));
    let (rows, curves) = kept.map_err(|error| Fault::elsewhere(error.to_string()))?;
    Ok(Board::new(campaign, rows, curves))
}

/// Writes a plan unless the file holds another text than `known`; `None` stands for a file that is not there.
///
/// # Errors
/// The file was changed by another program, or cannot be written.
pub(crate) fn save(plan: &Path, text: &str, known: Option<&str>) -> Result<()> {
    let present = if plan.exists() { Some(files::read_text(plan)?) } else { None };
    match present.as_deref() {
        Some(present) if present == text => Ok(()),
        present if present.is_some() && present != known => {
            let what = "the file holds another plan than the one that was opened; save yours under another name";
            Err(Error::file(plan, what))
        }
        _ => files::write(plan, text.as_bytes()),
    }
}

/// A path beside `plan` that neither a file nor a folder of rows takes.
pub(crate) fn free_path(plan: &Path) -> PathBuf {
    let is_free = |path: &PathBuf| !path.exists() && !path.with_extension("").exists();
    let stem = plan.file_stem().unwrap_or_default().to_string_lossy();
    let numbered = (2..1000).map(|number| plan.with_file_name(format!("{stem}-{number}.ron")));
    std::iter::once(plan.to_path_buf()).chain(numbered).find(is_free).unwrap_or_else(|| plan.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_is_found_by_plan_folder_and_rows() {
        let home = tempfile::tempdir().unwrap();
        let (plan, folder) = (home.path().join("first.ron"), home.path().join("first"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&plan, "the plan").unwrap();
        std::fs::write(folder.join(PLAN), "the plan").unwrap();
        std::fs::write(folder.join(ROWS), "key\n").unwrap();
        let expected = PlanFile { plan: plan.clone(), folder: folder.clone(), text: "the plan".to_owned() };
        for path in [&plan, &folder, &folder.join(ROWS), &folder.join(PLAN)] {
            assert_eq!(read(path).unwrap(), expected, "{}", path.display());
        }
        std::fs::write(&plan, "another plan").unwrap();
        assert_eq!(read(&folder).unwrap().plan, folder.join(PLAN), "the plan beside it is another one by now");
        assert!(read(&home.path().join("none.ron")).unwrap_err().to_string().contains("open a .ron file"));
    }

    #[test]
    fn a_plan_that_another_program_has_changed_is_not_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let plan = home.path().join("first.ron");
        save(&plan, "one", None).unwrap();
        save(&plan, "two", Some("one")).unwrap();
        std::fs::write(&plan, "theirs").unwrap();
        let refused = save(&plan, "three", Some("two")).unwrap_err().to_string();
        assert!(refused.contains("under another name"), "{refused}");
        assert_eq!(std::fs::read_to_string(&plan).unwrap(), "theirs");
        assert_eq!(free_path(&plan), home.path().join("first-2.ron"));
    }

    #[test]
    fn the_place_of_a_fault_is_told_apart_from_its_text() {
        let path = Path::new("plan.ron");
        let fault = Fault::of_plan(&Error::at(path, (7, 12), "there is no algorithm: “x”"));
        assert_eq!((fault.place, fault.text.as_str()), (Some((7, 12)), "there is no algorithm: “x”"));
        assert_eq!(Fault::of_plan(&Error::line(path, 3, "not text")).place, Some((3, 1)));
        assert_eq!(Fault::of_plan(&Error::file(path, "too large")).place, None);
    }
}
