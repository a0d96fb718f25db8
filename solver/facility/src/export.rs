//! Export of layouts to files.
//!
//! Every layout is checked first: one that cannot be drawn is refused, and one that breaks limits or rules carries a stamp.

mod document;
mod dxf;
mod spreadsheet;

use std::sync::Arc;

use chrono::NaiveDate;

use super::check::{NOUNS, check};
use super::drawing::{self, floor_plan};
use super::formats::solution;
use super::underlay::Underlay;
use super::{Instance, Layout};
use gridwright_core::Result;
use gridwright_core::export::stamp::{Stamp, stamped};
use gridwright_core::export::{self, Format};
use gridwright_core::letterhead::Letterhead;

/// All formats, the commonest first.
pub const FORMATS: [Format; 8] = [
    Format {
        name: "PDF document",
        ending: "pdf",
        help: "The floor plan to print, with flows and without, a chart of the flows, and all departments",
    },
    Format {
        name: "DXF drawing",
        ending: "dxf",
        help: "For drawing programs, to scale: walls, bays, departments, names, flows",
    },
    Format { name: "SVG picture", ending: "svg", help: "The floor plan, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The floor plan as pixels" },
    Format { name: "CSV table", ending: "csv", help: "One line per department: bay and place, position, size, shape" },
    Format { name: "Excel workbook", ending: "xlsx", help: "Sheets of departments, bays and costs by pair" },
    Format { name: "Layout", ending: "ron", help: "The departments bay by bay, or their rectangles, for gridwright" },
    Format { name: "Layout as text", ending: "sol", help: "The names of the departments, a bay a line" },
];

/// Options of an export.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExportOptions {
    /// Smallest flow that is drawn; `None` draws as many of the largest as a reader can tell apart.
    pub threshold: Option<f64>,
    /// True to draw no flows.
    pub without_flows: bool,
    /// Date in the title block of documents; `None` for none.
    pub date: Option<NaiveDate>,
    /// Institution and logo of printed documents.
    pub letterhead: Letterhead,
    /// Picture or drawing of the building below the departments.
    pub underlay: Option<Arc<Underlay>>,
}

impl ExportOptions {
    fn drawing(&self) -> drawing::Options {
        let Self { threshold, without_flows, date, .. } = *self;
        let underlay = self.underlay.clone();
        drawing::Options { flows: !without_flows, threshold, date, underlay, ..drawing::Options::default() }
    }
}

/// Encodes a layout in the format of a file's ending.
///
/// # Errors
/// [`Usage`](gridwright_core::Error::Usage) if the ending is unknown or the layout cannot be drawn.
pub fn bytes(instance: &Instance, layout: &Layout, ending: &str, options: &ExportOptions) -> Result<Vec<u8>> {
    let verdict = check(instance, layout);
    if let Some(violation) = verdict.violations.iter().find(|violation| !violation.kind.is_drawable()) {
        return Err(export::rejected("layout", &instance.name, &violation.text));
    }
    let stamp = Stamp::of(&verdict.stored_violations(), &NOUNS);
    let stamp = stamp.as_ref();
    let text = match ending {
        "pdf" => return document::document(instance, layout, options, stamp),
        "xlsx" => return spreadsheet::workbook(instance, layout, stamp),
        "png" | "svg" => {
            let plan = floor_plan(instance, layout, &options.drawing());
            return export::picture(&stamped(plan, stamp), ending);
        }
        "dxf" => dxf::write(instance, layout),
        "csv" => solution::write_table_of(instance, layout),
        "ron" => solution::write_ron(instance, layout)?,
        "sol" => solution::write_text(instance, layout)?,
        other => return Err(export::unknown("layouts", &FORMATS, other)),
    };
    Ok(text.into_bytes())
}

#[cfg(test)]
mod tests;
