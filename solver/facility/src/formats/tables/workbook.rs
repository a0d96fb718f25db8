//! Recognition of the sheets of a workbook (.xlsx, .ods) that hold a layout problem.

use std::path::Path;

use super::{Sheet, building, charts, doors, plant, products, rooms, today};
use crate::Limit;
use crate::names::folded;
use gridwright_core::files;
use gridwright_core::text::Source;
use gridwright_core::text::lines::Problems;
use gridwright_core::text::sheets::sheets;

/// Returns `true` if the file is a workbook with a sheet of departments.
pub(crate) fn is_workbook(path: &Path) -> bool {
    let Ok(bytes) = files::read(path) else { return false };
    let Ok(sheets) = sheets(path, &bytes) else { return false };
    sheets.iter().any(|(path, text)| rooms::has_header(Sheet::of(Source { path, text }).source()))
}

/// Returns `true` if the file is there and its sheets cannot be read, for instance because they exceed a limit.
pub(crate) fn is_unreadable_workbook(path: &Path) -> bool {
    files::read(path).is_ok_and(|bytes| sheets(path, &bytes).is_err())
}

/// Splits sheets into those of a layout problem (departments, flow or rating lists, tables naming departments) and
/// others.
pub(super) fn belonging<'a>(sources: &[Source<'a>]) -> (Vec<Source<'a>>, Vec<Source<'a>>) {
    let sheet = |source: &Source<'a>| Sheet::of(*source);
    let departments = sources.iter().find(|source| rooms::has_header(sheet(source).source()));
    let mut problems = Problems::up_to(Path::new(""), 0);
    let rooms = departments.and_then(|source| rooms::read(&sheet(source), Limit::None, &mut problems).ok());
    let departments = rooms.into_iter().flat_map(|rooms| rooms.instance.departments);
    let names: Vec<String> = departments.map(|department| folded(&department.name)).collect();
    sources.iter().partition(|source| {
        let sheet = sheet(source);
        let is_name = |cell: &str| names.contains(&folded(cell.trim_matches('"')));
        let has_name = |text: &str| text.split(',').any(is_name);
        let is_own = rooms::has_header(sheet.source())
            || charts::is_list(sheet.source())
            || plant::is_plant(&sheet)
            || products::is_products(&sheet)
            || building::is_building(&sheet)
            || today::is_today(&sheet)
            || doors::is_doors(&sheet)
            || doors::is_door_flows(&sheet);
        is_own || sheet.text.lines().any(has_name)
    })
}
