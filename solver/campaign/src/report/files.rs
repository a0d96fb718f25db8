//! The report of a campaign's folder, and the files it is written to.

use std::path::{Path, PathBuf};

use gridwright_core::scene::svg::to_svg;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::text::ending;

use crate::exchange;
use crate::folder::{self, Curves};
use crate::measured::Benches;
use crate::report::figures::Figure;
use crate::report::tables::Table;
use crate::report::{self, Report, html, latex, markdown, pdf};
use crate::row::Row;

/// Files and folders of a usual report.
pub const USUAL: [&str; 5] = ["report.html", "report.pdf", "tables.tex", "tables", "figures"];

/// The rows of a campaign and their report.
pub struct Reported {
    rows: Vec<Row>,
    curves: Curves,
    report: Report,
}

impl Reported {
    /// Reads the folder of a campaign and makes its report, which says how many runs are missing.
    ///
    /// # Errors
    /// The folder holds no plan or no finished run, or one of its files cannot be read.
    pub fn read(folder: &Path) -> gridwright_core::Result<Self> {
        let (rows, curves) = (folder::read_rows(folder)?, folder::read_curves(folder)?);
        if rows.is_empty() {
            return Err(gridwright_core::Error::Usage(format!(
                "{} holds no finished run; start the campaign with “gridwright campaign run”",
                folder.display()
            )));
        }
        let (name, published) = folder::published(folder)?;
        let benches = Benches::read(folder, &published)?;
        let report = report::of(&name, &published, &benches, &rows, &curves).of_part(folder::progress(folder)?);
        Ok(Self { rows, curves, report })
    }

    /// Writes the file or the folder of files that `path` names.
    ///
    /// # Errors
    /// The path is no part of a report, or a file cannot be written or must not be replaced; of several files, then none is written.
    pub fn write(&self, path: &Path, targets: &Outputs) -> gridwright_core::Result<()> {
        let files = outputs(path, &self.report, &self.rows, &self.curves)?;
        files.iter().try_for_each(|(path, _)| targets.check(path))?;
        files.iter().try_for_each(|(path, content)| targets.write(path, content))
    }
}

/// The files that are written for a path: one by its ending, or those of a folder by its name.
fn outputs(
    path: &Path, report: &Report, rows: &[Row], curves: &Curves,
) -> gridwright_core::Result<Vec<(PathBuf, Vec<u8>)>> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let one = |content: Vec<u8>| Ok(vec![(path.to_path_buf(), content)]);
    let parts = || report.sections.iter();
    match (ending(path).as_str(), name.as_str()) {
        ("html", _) => one(html::write(report).into_bytes()),
        ("pdf", _) => one(pdf::write(report)?),
        ("md", _) => one(markdown::write(report, rows).into_bytes()),
        ("tex", _) => one(latex::write(report).into_bytes()),
        ("", "figures") => {
            let files = parts().flat_map(|part| part.figures.iter().map(move |figure| (part.number, figure)));
            let file = |(number, figure): (usize, &Figure)| {
                (path.join(format!("{number}-{}.svg", figure.name)), to_svg(&figure.scene).into_bytes())
            };
            Ok(files.map(file).collect())
        }
        ("", "tables") => {
            let files = parts().flat_map(|part| part.tables.iter().map(move |table| (part.number, table)));
            let file = |(number, table): (usize, &Table)| {
                (path.join(format!("{number}-{}.csv", table.name)), table.csv().into_bytes())
            };
            Ok(files.map(file).collect())
        }
        ("", "iohanalyzer") => {
            let files = exchange::iohanalyzer(rows, curves).into_iter();
            Ok(files.map(|(name, text)| (path.join(name), text.into_bytes())).collect())
        }
        _ => Err(gridwright_core::Error::Usage(format!(
            "{} is no part of a report; write NAME.html, NAME.pdf, NAME.tex or NAME.md, or a folder called tables, figures or \
                iohanalyzer",
            path.display()
        ))),
    }
}
