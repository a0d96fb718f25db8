//! Export formats of a timetable, and the paths that exports are written to.

use std::path::PathBuf;
use std::sync::Arc;

use egui::Ui;
use gridwright_core::result::RunResult;
use gridwright_timetabling::Timetable;
use gridwright_timetabling::drawing::Sort;
use gridwright_timetabling::export::is_foreign_table;

use super::state::Document;
use super::view_state::comparison::Side;
use super::views::sort_words;
use crate::methods::*;
use gridwright_core::export::formats::Format;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices;

/// Returns the path, or a free one beside it if a table lies there that no export has written: that table may be the
/// source of the instance, and its path is never proposed.
pub(crate) fn without_harm(path: PathBuf) -> PathBuf {
    if !is_foreign_table(&path) {
        return path;
    }
    let ending = gridwright_timetabling::export::format_of(&path).unwrap_or("csv");
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.get(..name.len().saturating_sub(ending.len())).unwrap_or("").trim_end_matches(['.', '-', '_', ' ']);
    let numbers = std::iter::once(String::new()).chain((2..).map(|number| format!("-{number}")));
    let mut others = numbers.map(|number| {
        let before = if stem.is_empty() { String::new() } else { format!("{stem}-") };
        path.with_file_name(format!("{before}timetable{number}.{ending}"))
    });
    // The iterator does not end, so there is always one.
    others.find(|other| !is_foreign_table(other)).unwrap_or(path)
}

/// Additional input of an export beside the timetable.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// The run that made the timetable: for the report.
    pub result: Option<Arc<RunResult>>,
    /// Timetable that the report compares with, and its name.
    pub before: Option<(String, Arc<Timetable>)>,
    /// The exams that the grid shows, from the top, and how they are sorted: for pictures.
    pub rows: Option<(Vec<usize>, Sort)>,
}

/// Reason shown when an export would replace a table that no export has written.
pub(crate) const FOREIGN: &str = "The table that lies here was not written by an export and may be the one that the instance came \
                       from; choose another name";

/// Draws the additional export options: the timetable that the report compares with, the rows of a picture.
pub fn options(ui: &mut Ui, document: &mut Document, format: &Format) {
    let palette = palette(ui.visuals());
    if format.is_picture() {
        let order = sort_words(document.grid_sort()).0.to_lowercase();
        let rows = match document.is_filtered() {
            false => "all exams".to_owned(),
            true => format!("{} of {} exams, as filtered", document.grid_rows().len(), document.instance.exam_count()),
        };
        ui.label(theme::small(format!("Rows as in the grid: {rows}, sorted by {order}")).color(palette.weak));
        ui.add_space(space::XS);
    }
    if format.is_report() {
        let sides = document.report_sides();
        let name = |side: Option<Side>| {
            let named = sides.iter().find(|(other, _)| Some(*other) == side);
            named.map_or("nothing", |(_, name)| name.as_str()).to_owned()
        };
        let mut before = document.report_against();
        ui.horizontal(|ui| {
            ui.label("Compared with");
            Choices::new("Compared with", name(before))
                .width(200.0)
                .help("What moved since that timetable, who gains and who loses")
                .show(ui, |ui| {
                    for side in std::iter::once(None).chain(sides.iter().map(|(side, _)| Some(*side))) {
                        ui.selectable_value(&mut before, side, name(side));
                    }
                });
        });
        document.report_with(before);
        ui.add_space(space::XS);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use gridwright_timetabling::export::FORMATS;

    #[test]
    fn endings_of_two_parts_are_exchanged_as_a_whole() {
        let to = |path: &str, ending: &str| {
            let format = FORMATS.iter().find(|format| format.ending == ending).unwrap();
            let trimmed = ['.', '-', '_', ' '];
            let path =
                gridwright_core::export::formats::with_format(&FORMATS, Path::new(path), format, "timetable", &trimmed);
            path.display().to_string().replace('\\', "/")
        };
        assert_eq!(to("a/plan.csv", "students.csv"), "a/plan.students.csv");
        assert_eq!(to("a/plan.students.CSV", "report.pdf"), "a/plan.report.pdf");
        assert_eq!(to("a/plan.report.pdf", "sol"), "a/plan.sol");
        assert_eq!(to("a/v1.2", "pdf"), "a/v1.2.pdf");
        assert_eq!(to("students.csv", "csv"), "timetable.csv");
        assert_eq!(to("spring-students.zip", "periods.csv"), "spring.periods.csv");
        assert_eq!(
            gridwright_core::export::formats::format_of(&FORMATS, Path::new("plan.students.csv"))
                .map(|format| format.ending),
            Some("students.csv")
        );
        assert_eq!(gridwright_core::export::formats::format_of(&FORMATS, Path::new("plan")), None);
    }

    #[test]
    fn a_table_of_other_origin_is_never_proposed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let to = |name: &str| without_harm(at(name)).file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(to("summer.csv"), "summer.csv", "nothing lies there");
        std::fs::write(at("summer.csv"), "student,exam\ns1,A\n").unwrap();
        assert_eq!(to("summer.csv"), "summer-timetable.csv");
        assert_eq!(to("summer.pdf"), "summer.pdf");
        std::fs::write(at("summer-timetable.csv"), "Paper;Room\n").unwrap();
        assert_eq!(to("summer.csv"), "summer-timetable-2.csv");
        std::fs::write(at("students.csv"), "who;what\n").unwrap();
        assert_eq!(to("students.csv"), "timetable.students.csv");
    }
}
