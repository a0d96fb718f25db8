//! The report of a campaign: tables, tests and figures of its rows.
//!
//! * [`data`] groups the rows into sections: one problem, one limit and one set of options each.
//! * [`tables`] summarises and tests; blocks of the tests across instances are instances, never single runs.
//! * [`figures`] draws.
//! * [`fronts`] lists values of the objectives of fronts.
//! * [`beside`] compares printed figures with ours.
//! * [`html`], [`latex`], [`markdown`] and [`pdf`] write everything into one file each.
//!
//! A report depends on the rows and improvements alone, not on their order or the present time.

pub(crate) mod beside;
pub(crate) mod data;
pub(crate) mod figures;
pub mod files;
mod fronts;
pub(crate) mod html;
pub(crate) mod latex;
pub(crate) mod markdown;
pub(crate) mod pdf;
pub mod tables;

use data::Section;
use figures::Figure;
use gridwright_core::numbers::{counted, counted_as};
use tables::Table;

use super::folder::Curves;
use super::measured::Benches;
use super::published::PublishedTable;
use super::row::Row;

/// Tables and figures of a campaign.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Name of the campaign.
    pub name: String,
    /// Remarks before the tables: versions, failures, unchecked runs.
    pub remarks: Vec<String>,
    /// The sections.
    pub sections: Vec<Part>,
}

/// Tables and figures of a section.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Heading.
    pub title: String,
    /// Number in file names; 0 for «Beside the paper».
    pub number: usize,
    /// Tables.
    pub tables: Vec<Table>,
    /// Figures.
    pub figures: Vec<Figure>,
}

/// Makes the report of these rows; `published` are the printed figures that the plan carries, `benches` figures of
/// `gridwright bench` that they name.
pub fn of(name: &str, published: &[PublishedTable], benches: &Benches, rows: &[Row], curves: &Curves) -> Report {
    let sections = data::sections(rows);
    let part = |(index, section): (usize, &Section<'_>)| Part {
        title: section.title.clone(),
        number: index + 1,
        tables: tables::all(section),
        figures: figures::all(section, curves),
    };
    let parts = beside::part(published, rows, benches).into_iter().chain(sections.iter().enumerate().map(part));
    Report { name: name.to_owned(), remarks: remarks(name, rows), sections: parts.collect() }
}

impl Report {
    /// The report with a remark first that says how many of all runs of the plan are missing, if any are.
    #[must_use]
    pub(crate) fn of_part(mut self, status: Progress) -> Self {
        let Progress { total, done } = status;
        let missing = total.saturating_sub(done) as u64;
        if missing > 0 {
            let are_missing = counted_as(missing, "run is", "runs are");
            self.remarks.insert(
                0,
                format!(
                    "{are_missing} missing of the {} of the plan: the tables, tests and figures below are those of a part of \
                     the campaign. The other runs may lie in folders that were not merged, or are still to be made.",
                    counted(total, "run")
                ),
            );
        }
        self
    }
}

/// Numbers of runs of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Runs of the plan.
    pub total: usize,
    /// Runs with a row, those that failed included.
    pub done: usize,
}

fn remarks(name: &str, rows: &[Row]) -> Vec<String> {
    let mut remarks = Vec::new();
    let versions = data::versions(rows);
    if let [one] = &versions[..] {
        remarks.push(format!("All {} runs were made by gridwright {one}.", rows.len()));
    } else if versions.len() > 1 {
        let list = versions.join(", ");
        remarks.push(format!(
            "The runs were made by several versions of gridwright ({list}); each version has its own lines."
        ));
    }
    let failed = rows.iter().filter(|row| !row.failure.is_empty()).count() as u64;
    let infeasible = rows.iter().filter(|row| row.failure.is_empty() && !row.is_valid()).count() as u64;
    if failed > 0 {
        remarks.push(format!("{} failed.", counted(failed, "run")));
    }
    if infeasible > 0 {
        remarks.push(format!("{} ended without a feasible solution.", counted(infeasible, "run")));
    }
    if failed + infeasible > 0 {
        remarks.push("In ranks and tests such runs count as worse than every feasible run.".to_owned());
    }
    remarks.push(format!(
        "The runs of one line again, with the names of its instance and algorithm: gridwright campaign run {name}.ron \
         --instance INSTANCE --algorithm ALGORITHM --out again. The plan also lies in the folder of the campaign: plan.ron."
    ));
    remarks
}
