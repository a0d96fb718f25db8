//! Sheets that are read again: what the person has chosen for them stays, as far as their columns are still there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_core::data::import::{Encoding, Mapped, Mapping, Sheet};
use gridwright_core::data::{Dataset, TableSpec};

use super::correcting::Corrections;
use super::{Dialog, Input};
use crate::problem::ProblemUi;

/// Number of lines among which the names of the columns are looked for again.
const HEADER_LINES: usize = 12;

/// Choices of the person that outlive another reading of the files.
#[derive(Default)]
pub(super) struct Choices {
    /// Files that were read, or were to be read.
    files: BTreeSet<PathBuf>,
    /// Encoding and delimiter of the text files for which they were chosen.
    texts: BTreeMap<PathBuf, (Encoding, u8)>,
    /// Sheets that were left out: their file and name.
    left_out: Vec<(PathBuf, String)>,
    /// Meaning of the sheets and rows of the forms for each problem that was chosen before.
    problems: BTreeMap<&'static str, (Vec<Mapped>, Dataset)>,
    pub(super) corrections: Corrections,
}

impl Choices {
    /// Remembers what was chosen for a problem before another one is chosen.
    pub(super) fn leave_problem(&mut self, problem: &ProblemUi, sheets: &[Mapped], base: &Dataset) {
        self.problems.insert(problem.problem.id(), (sheets.to_vec(), base.clone()));
    }

    /// Gives the sheets the meaning that they had for this problem, or a guessed one; returns the rows of its forms.
    pub(super) fn return_to(&mut self, problem: &ProblemUi, sheets: &mut [Mapped]) -> Option<Dataset> {
        let (known, base) = self.problems.remove(problem.problem.id()).unzip();
        let known = known.unwrap_or_default();
        for mapped in sheets {
            let former = known.iter().find(|former| is_same(&former.sheet, &mapped.sheet));
            mapped.mapping = match former {
                Some(former) => carried(former, &mapped.sheet),
                None => Mapping::guess(&mapped.sheet, problem.descriptor().tables),
            };
        }
        base
    }

    /// Leaves out a sheet, also when its file is read again.
    pub(super) fn leave_out(&mut self, sheet: &Sheet) {
        self.left_out.push((sheet.path().to_path_buf(), sheet.name().to_owned()));
    }

    /// Reads a text file in this way from now on.
    pub(super) fn read_as(&mut self, path: &Path, encoding: Encoding, delimiter: u8) {
        self.texts.insert(path.to_path_buf(), (encoding, delimiter));
    }

    /// Input of a file, with encoding and delimiter where they were chosen.
    pub(super) fn input(&mut self, path: PathBuf) -> Input {
        self.files.insert(path.clone());
        let (encoding, delimiter) = self.texts.get(&path).copied().unzip();
        Input::File { path, encoding, delimiter }
    }

    /// Puts the sheets of a file in the place of those that were read from it before; returns the index of the first sheet of
    /// a new file.
    pub(super) fn replace(
        &mut self, sheets: &mut Vec<Mapped>, input: &Input, read: Vec<Sheet>, tables: &[TableSpec],
    ) -> Option<usize> {
        let path = match input {
            Input::File { path, .. } => path.clone(),
            Input::Clipboard(_) => PathBuf::new(),
        };
        let is_known = |mapped: &Mapped| mapped.sheet.path() == path;
        let at = sheets.iter().position(is_known);
        if at.is_none() {
            // A file that is chosen anew is taken with all its sheets.
            self.left_out.retain(|(of, _)| *of != path);
        }
        let former: Vec<Mapped> = sheets.extract_if(.., |mapped| is_known(mapped)).collect();
        let mapped = |sheet: Sheet| {
            let known = former.iter().find(|former| former.sheet.name() == sheet.name());
            let mapping = known.map_or_else(|| Mapping::guess(&sheet, tables), |known| carried(known, &sheet));
            Mapped { mapping, sheet: Arc::new(sheet) }
        };
        let is_left_out = |sheet: &Sheet| self.left_out.iter().any(|(of, name)| *of == path && name == sheet.name());
        let place = at.unwrap_or(sheets.len());
        let read: Vec<Mapped> = read.into_iter().filter(|sheet| !is_left_out(sheet)).map(mapped).collect();
        sheets.splice(place..place, read);
        at.is_none().then_some(place)
    }
}

fn is_same(one: &Sheet, other: &Sheet) -> bool {
    one.path() == other.path() && one.name() == other.name()
}

/// Meaning of the columns of a sheet that was read again: columns are found by their names, also where lines or columns were
/// added before them.
fn carried(former: &Mapped, sheet: &Sheet) -> Mapping {
    let Mapped { sheet: before, mapping } = former;
    let header = mapping.header.map(|row| {
        let names = before.row(row).1;
        let used = mapping.columns.iter().flatten().chain(&mapping.listed);
        let used: Vec<&String> = used.filter_map(|&at| names.get(at)).collect();
        let mut lines = 0..sheet.len().min(HEADER_LINES.max(row + 1));
        let is_header = |fields: &[String]| !used.is_empty() && used.iter().all(|name| fields.contains(name));
        lines.find(|&line| is_header(&sheet.row(line).1)).unwrap_or(row)
    });
    let header = header.filter(|&row| row < sheet.len());
    let (old, new) = (before.names(mapping.header), sheet.names(header));
    let find = |at: usize| {
        let name = old.get(at)?;
        if new.get(at) == Some(name) { Some(at) } else { new.iter().position(|other| other == name) }
    };
    let columns = mapping.columns.iter().map(|column| column.and_then(find)).collect();
    let listed = mapping.listed.iter().copied().filter_map(find).collect();
    Mapping { header, columns, listed, ..mapping.clone() }
}

impl Dialog {
    /// Returns `true` if files were chosen.
    pub(super) fn has_files(&self) -> bool {
        !self.choices.files.is_empty()
    }

    /// Reads all files again; what was chosen for their sheets stays.
    pub(super) fn read_again(&mut self) {
        let is_used = |path: &PathBuf| {
            let is_unread = self.unread.iter().any(|(name, _)| *name == path.display().to_string());
            is_unread || self.sheets.iter().any(|mapped| mapped.sheet.path() == path)
        };
        let files: Vec<PathBuf> = self.choices.files.iter().filter(|path| is_used(path)).cloned().collect();
        let inputs: Vec<Input> = files.into_iter().map(|path| self.choices.input(path)).collect();
        self.queue.extend(inputs);
    }
}
