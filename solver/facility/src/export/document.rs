//! PDF document of a layout: plan with flows, plan alone, distance–intensity chart, table of departments.

use super::ExportOptions;
use crate::drawing::floor::Floor;
use crate::drawing::{Options, floor_plan};
use crate::intensity::{Chart, FlowPoint};
use crate::{Instance, Layout, Limit, Plan, Rectangle};
use gridwright_core::Result;
use gridwright_core::export::stamp::Stamp;
use gridwright_core::numbers::{aligned, figure};
use gridwright_core::scene::Scene;
use gridwright_core::scene::fonts::elide;
use gridwright_core::scene::paper::{self, A4_ACROSS, FOOT};
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::scene::sheet_table::{SIZE, SheetColumn, SheetRow, table_sheets};

/// Columns of the table: title, x position in points, and whether it holds numbers (aligned right).
const COLUMNS: [(&str, f32, bool); 9] = [
    ("Department", 0.0, false),
    ("Bay", 250.0, true),
    ("Place", 295.0, true),
    ("x", 355.0, true),
    ("y", 415.0, true),
    ("Width", 480.0, true),
    ("Height", 545.0, true),
    ("Area", 620.0, true),
    ("Shape", 778.0, true),
];

/// Writes the document.
///
/// # Errors
/// As for [`pages_to_pdf`].
pub fn document(
    instance: &Instance, layout: &Layout, options: &ExportOptions, stamp: Option<&Stamp>,
) -> Result<Vec<u8>> {
    let (pages, bookmarks) = pages(instance, layout, options, stamp);
    pages_to_pdf(&pages, &bookmarks)
}

/// Sheets and their bookmarks.
pub(super) fn pages(
    instance: &Instance, layout: &Layout, options: &ExportOptions, stamp: Option<&Stamp>,
) -> (Vec<Scene>, Vec<Bookmark>) {
    let (letterhead, options) = (&options.letterhead, options.drawing());
    // The sheet has the orientation of the plant.
    let upright = instance.height > instance.width;
    let (width, height) = if upright { (A4_ACROSS.1, A4_ACROSS.0) } else { A4_ACROSS };
    let sheet = |flows: bool| {
        // The foot of the sheet holds the page number.
        let page = Some((width, height - FOOT - letterhead.height()));
        let mut scene = floor_plan(instance, layout, &Options { page, flows, ..options.clone() });
        scene.height = height - letterhead.height();
        letterhead.above(&mut scene);
        scene
    };
    let (mut pages, mut bookmarks) = (Vec::new(), Vec::new());
    let mut add = |text: Option<&str>, page: Scene| {
        bookmarks.extend(text.map(|text| Bookmark { text: text.to_owned(), page: pages.len() }));
        pages.push(page);
    };
    if options.flows && instance.flowing_pairs().next().is_some() {
        add(Some("Floor plan with flows"), sheet(true));
    }
    add(Some("Floor plan"), sheet(false));
    if instance.flowing_pairs().next().is_some() {
        let mut scene = chart(instance, layout).scene(width, height - FOOT - letterhead.height(), false);
        scene.height = height - letterhead.height();
        letterhead.above(&mut scene);
        add(Some("Distance and intensity"), scene);
    }
    let floor = Floor::new(instance, layout);
    for (at, page) in table(&floor).into_iter().enumerate() {
        add((at == 0).then_some("Departments"), page);
    }
    if let Some(stamp) = stamp {
        bookmarks.push(Bookmark { text: "Violations".to_owned(), page: pages.len() });
        pages.extend(stamp.sheets(&instance.name));
        stamp.mark(&mut pages);
    }
    paper::number_pages(&mut pages, &letterhead.titled(&instance.name));
    (pages, bookmarks)
}

/// Chart of the flows, with today's layout behind where it is another one.
fn chart<'a>(instance: &'a Instance, layout: &Layout) -> Chart<'a> {
    let points = |layout: &Layout| FlowPoint::all(instance, &Plan::new(instance, layout));
    let today = instance.todays_layout().filter(|today| today != layout);
    Chart::new(instance, points(layout), today.map(|today| ("today", points(&today))), None)
}

/// Number of decimals with which all numbers of a column are written: none for whole numbers, otherwise two.
fn decimals_of(mut values: impl Iterator<Item = f64>) -> usize {
    if values.all(|value| value.fract() == 0.0) { 0 } else { 2 }
}

/// Draws the table of departments.
fn table(floor: &Floor<'_>) -> Vec<Scene> {
    let instance = floor.instance;
    let is_free = floor.layout.is_free();
    // Without bays their columns are left out.
    let columns = COLUMNS.into_iter().filter(|(title, ..)| !is_free || !matches!(*title, "Bay" | "Place"));
    let columns: Vec<SheetColumn> = columns
        .map(|(title, x, is_number)| {
            let title = match title {
                "x" | "y" | "Width" | "Height" => instance.length_heading(title),
                "Area" => instance.area_heading(title),
                _ => title.to_owned(),
            };
            SheetColumn { title, x, is_number }
        })
        .collect();
    let lengths_of = |room: &Rectangle| [room.x, room.y, room.width, room.height];
    let decimals = decimals_of(floor.rooms.iter().flat_map(|room| lengths_of(&room.rectangle)));
    let decimals_of_areas = decimals_of(instance.departments.iter().map(|department| department.area));
    let rows = floor.rooms.iter().map(|room| {
        let department = &instance.departments[usize::from(room.department)];
        let rectangle = &room.rectangle;
        let allowed = match department.limit {
            _ if department.dummy => "free floor".to_owned(),
            Limit::None => "any".to_owned(),
            Limit::Aspect(most) => format!("at most {} : 1", figure(most, 2)),
            Limit::MinSide(least) => format!("no side below {}", figure(least, 2)),
            Limit::Range(low, high) => format!("height / width {} to {}", figure(low, 2), figure(high, 2)),
        };
        let [x, y, wide, high] = lengths_of(rectangle).map(|value| aligned(value, decimals));
        let area = aligned(department.area, decimals_of_areas);
        let name = elide(&department.name, SIZE, false, 205.0);
        let shape = format!("{} : 1 ({allowed})", aligned(rectangle.aspect(), 2));
        let places = room.place.into_iter().flatten().map(|place| (place + 1).to_string());
        let cells = std::iter::once(name).chain(places).chain([x, y, wide, high, area, shape]).collect();
        SheetRow { cells, is_alarming: room.is_at_fault }
    });
    let name = format!("{}: departments", instance.name);
    table_sheets(&instance.name, &name, &columns, &rows.collect::<Vec<_>>())
}
