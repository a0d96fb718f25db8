//! PDF document of a layout: plan with flows, plan alone, table of departments.

use super::ExportOptions;
use crate::Result;
use crate::export::stamp::Stamp;
use crate::facility::drawing::floor::Floor;
use crate::facility::drawing::{Options, floor_plan};
use crate::facility::{Instance, Layout, Limit};
use crate::numbers::figure;
use crate::scene::fonts::elide;
use crate::scene::palette::Palette;
use crate::scene::paper::{self, A4_ACROSS, FOOT, MARGIN};
use crate::scene::pdf::{Bookmark, pages_to_pdf};
use crate::scene::{Anchor, Scene};

/// Table rows per sheet, row height and font size in points.
const LINES: usize = 28;
const LINE: f32 = 16.0;
const SIZE: f32 = 9.5;

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
    if options.flows && instance.flow_pairs() > 0 {
        add(Some("Floor plan with flows"), sheet(true));
    }
    add(Some("Floor plan"), sheet(false));
    let floor = Floor::new(instance, layout);
    let rows = floor.rooms.len();
    for (at, first) in (0..rows).step_by(LINES).enumerate() {
        let page = table(&floor, first..(first + LINES).min(rows));
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

/// Draws one sheet of the table.
fn table(floor: &Floor<'_>, rows: std::ops::Range<usize>) -> Scene {
    let palette = Palette::LIGHT;
    let (width, height) = A4_ACROSS;
    let mut scene = Scene::new(width, height, format!("{}: departments", floor.instance.name), palette.background);
    let name = elide(&floor.instance.name, 14.0, true, width - 2.0 * MARGIN);
    scene.bold_text((MARGIN, MARGIN + 12.0), 14.0, palette.ink, Anchor::Start, name);
    let head = MARGIN + 38.0;
    for (title, x, is_number) in COLUMNS {
        let anchor = if is_number { Anchor::End } else { Anchor::Start };
        let title = match title {
            "x" | "y" | "Width" | "Height" => floor.instance.length_heading(title),
            "Area" => floor.instance.area_heading(title),
            _ => title.to_owned(),
        };
        scene.bold_text((MARGIN + x, head), SIZE, palette.muted, anchor, title);
    }
    scene.line((MARGIN, head + 5.0), (width - MARGIN, head + 5.0), 0.8, palette.muted);
    for (line, room) in floor.rooms[rows].iter().enumerate() {
        let base = head + LINE * (line + 1) as f32 + 2.0;
        let department = &floor.instance.departments[usize::from(room.department)];
        let rectangle = &room.rectangle;
        let allowed = match department.limit {
            _ if department.dummy => "free floor".to_owned(),
            Limit::None => "any".to_owned(),
            Limit::Aspect(most) => format!("at most {} : 1", figure(most, 2)),
            Limit::MinSide(least) => format!("no side below {}", figure(least, 2)),
            Limit::Range(low, high) => format!("height / width {} to {}", figure(low, 2), figure(high, 2)),
        };
        let [x, y, wide, high, area, aspect] =
            [rectangle.x, rectangle.y, rectangle.width, rectangle.height, department.area, rectangle.aspect()]
                .map(|value| figure(value, 2));
        let name = elide(&department.name, SIZE, false, 205.0);
        let shape = format!("{aspect} : 1 ({allowed})");
        let cells = [name, (room.bay + 1).to_string(), (room.place + 1).to_string(), x, y, wide, high, area, shape];
        if line % 2 == 1 {
            scene.rectangle(MARGIN, base - LINE + 4.0, width - 2.0 * MARGIN, LINE, palette.panel);
        }
        let colour = if room.is_at_fault { palette.alarm } else { palette.ink };
        for ((_, x, is_number), text) in COLUMNS.into_iter().zip(cells) {
            let anchor = if is_number { Anchor::End } else { Anchor::Start };
            scene.text((MARGIN + x, base), SIZE, colour, anchor, text);
        }
    }
    scene
}
