//! Files of layouts.
//!
//! * Text: `vertical` or `horizontal`, then one bay per line, departments separated by commas; or all bays on one line
//!   separated by `|`.
//! * Table: department, bay, place, optionally bays (vertical or horizontal) and x, y, width, height; or department, x, y,
//!   width, height.
//! * RON, with the orientation or with rectangles.
//!
//! Rectangles that are bays but for rounding are read as bays, all others as a layout of rectangles.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::names::Names;
use crate::stored::names;
use crate::{Instance, Layout, Orientation, Placed, Plan, Rectangle};
use gridwright_core::formats::{self, FileFormat};
use gridwright_core::problem::Detection;
use gridwright_core::text::columns::{Column, plain};
use gridwright_core::text::lines::{self, Problems, counted, listed, quoted};
use gridwright_core::text::notation::written;
use gridwright_core::text::table::{Numbers, Row, Table, write_table};
use gridwright_core::text::{Source, decoding, ending, other_kind, ron};
use gridwright_core::{Error, Result, files};

/// Version of the RON format of layouts of rectangles.
const FORMAT: u32 = 2;
/// Version of the RON format of layouts with bays, which older versions of the program read.
const FORMAT_OF_BAYS: u32 = 1;

/// Layout read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct SolutionFile {
    /// Layout with every department once.
    pub layout: Layout,
    /// True if the file states the orientation; otherwise vertical bays are assumed.
    pub(crate) is_oriented: bool,
    /// True if the bays were taken although the rectangles of the file differ from theirs by more than six digits explain.
    pub(crate) is_rounded: bool,
}

impl SolutionFile {
    /// Remarks on what the file leaves open, one sentence each.
    pub fn remarks(&self) -> Vec<(&'static str, &'static str)> {
        let assumed = ("orientation_assumed", "does not say how its bays lie; they are taken as vertical");
        let rounded = ("rectangles_rounded", "rounds its rectangles; those of its bays are taken");
        let all = [(!self.is_oriented, assumed), (self.is_rounded, rounded)];
        all.into_iter().filter(|(holds, _)| *holds).map(|(_, remark)| remark).collect()
    }
}

/// Deviation of rectangles from their bays that six significant digits explain, as a share of the plant's longer side.
const SIX_DIGITS: f64 = 1e-5;

/// Deviation of rectangles from the bays that a file names that coarser rounding explains, as a share of the plant's longer
/// side.
const ROUNDED: f64 = 1e-3;

const DEPARTMENT: usize = 0;
const BAY: usize = 1;
const PLACE: usize = 2;
const BAYS: usize = 3;
/// x, y, width, height follow.
const X: usize = 4;

const COLUMNS: [Column; 8] = [
    Column::required("department", "name abteilung bereich τμήμα département"),
    Column::required("bay", "streifen bucht"),
    Column::optional("place", "position platz"),
    Column::optional("bays", "orientation"),
    Column::optional("x", "left"),
    Column::optional("y", "bottom"),
    Column::optional("width", "w breite"),
    Column::optional("height", "h höhe"),
];

/// Columns of a layout of rectangles; the positions are those of [`COLUMNS`].
const RECTANGLES: [Column; 8] = [
    COLUMNS[DEPARTMENT],
    Column::optional("bay", "streifen bucht"),
    COLUMNS[PLACE],
    COLUMNS[BAYS],
    Column::required("x", "left"),
    Column::required("y", "bottom"),
    Column::required("width", "w breite"),
    Column::required("height", "h höhe"),
];

/// RON form of a layout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLayout {
    /// Version of the file format.
    layout_format: u32,
    /// Name and SHA-256 of the instance.
    instance: (String, String),
    orientation: Orientation,
    /// Department names, bay by bay.
    bays: Vec<Vec<String>>,
    /// Department names with their rectangles, for a layout without bays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rectangles: Vec<(String, Rectangle)>,
}

/// Reader of layouts.
type Reader = fn(Source<'_>, &Instance) -> Result<SolutionFile>;

/// Formats of layouts.
static FORMATS: &[FileFormat<Reader>] = &[
    FileFormat::reading(
        &["ron"],
        |file| Detection::certain(ron::begins_with(file.source.text.as_bytes(), "layout_format")),
        read_ron,
    ),
    FileFormat::reading(
        &["csv", "tsv"],
        |file| {
            let Ok(table) = table(file.source) else { return Detection::No };
            let names = |known: &str| table.unused.iter().filter(|name| plain(name).starts_with(known)).count();
            let is_certain = match table.has(BAY) {
                // A table of departments may have a column of bays beside that of areas.
                true => table.has(PLACE) || table.has(BAYS) || names("area") == 0,
                // It may also say where they lie, beside areas and flows.
                false => names("area") + names("aspect") == table.unused.len(),
            };
            Detection::certain(is_certain).or_possible(|| true)
        },
        |source, instance| read_table(source, &table(source)?, instance),
    ),
    FileFormat::reading(
        &[],
        |file| {
            let first = lines::of(file.source.text).find(|(_, line)| !line.is_empty());
            Detection::certain(first.is_some_and(|(_, line)| orientation(line).is_some())).or_possible(|| true)
        },
        read_text,
    ),
];

/// Opens a table of departments in bays, or else of rectangles.
///
/// # Errors
/// That of a table in bays if columns are missing of both.
fn table(source: Source<'_>) -> Result<Table<'_>> {
    Table::open(source, &COLUMNS).or_else(|error| Table::open(source, &RECTANGLES).map_err(|_| error))
}

/// Returns `true` if a file that begins with these bytes is a layout.
pub fn begins(start: &[u8]) -> bool {
    formats::detect(FORMATS, Path::new(""), start, usize::MAX) == Detection::Certain
}

/// Returns `true` if a file is a layout by its ending or its beginning.
pub fn is_layout(path: &Path) -> bool {
    /// Number of bytes that are looked at.
    const HEAD: usize = 4096;
    match ending(path).as_str() {
        "sol" => true,
        "ron" | "csv" | "tsv" | "txt" => begins(&files::beginning(path, HEAD)),
        _ => false,
    }
}

/// Reason why a layout cannot be opened as an instance, with the instance to open first if the file names it.
pub(crate) fn no_instance(path: &Path) -> Error {
    let name = files::read(path).ok().and_then(|bytes| {
        let stored: StoredLayout = ::ron::from_str(&String::from_utf8(bytes).ok()?).ok()?;
        Some(format!(" of {}", quoted(&stored.instance.0)))
    });
    let of = name.unwrap_or_default();
    let what =
        format!("this is a layout{of}, not a layout problem; open the problem that it belongs to, and then this file");
    other_kind(path, &what)
}

/// Reads a layout of all departments.
///
/// # Errors
/// As [`parse`].
pub fn read(path: &Path, instance: &Instance) -> Result<SolutionFile> {
    let text = decoding::text(path, files::read(path)?, &mut Vec::new())?;
    parse(Source { path, text: &text }, instance)
}

/// Reads a layout from text.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for unknown, repeated and missing departments and for invalid numbers.
pub fn parse(source: Source, instance: &Instance) -> Result<SolutionFile> {
    let Some(format) = formats::of_text(FORMATS, source) else { return read_text(source, instance) };
    (format.read)(source, instance)
}

/// State of reading a layout.
struct Reading<'a> {
    instance: &'a Instance,
    names: Names,
    /// Line of each department's first occurrence.
    lines: Vec<Option<usize>>,
}

impl<'a> Reading<'a> {
    fn new(instance: &'a Instance) -> Self {
        Self { instance, names: Names::of(&instance.departments), lines: vec![None; instance.len()] }
    }

    /// Looks up a department named in a line; line 0 stands for formats without meaningful lines.
    fn take(&mut self, problems: &mut Problems, line: usize, name: &str) -> Option<u16> {
        let mut complain = |what: String| if line == 0 { problems.file(what) } else { problems.line(line, what) };
        let Some(department) = self.names.find(name) else {
            let of = &self.instance.name;
            complain(format!("{} is no department of {of}; correct the name", quoted(name)));
            return None;
        };
        if let Some(first) = self.lines[department].replace(line) {
            let place = if first == 0 { String::new() } else { format!(", in line {first}") };
            complain(format!("department {} is there already{place}; each has one place", quoted(name)));
            return None;
        }
        Some(department as u16)
    }

    /// Reports missing departments.
    fn complete(&self, problems: &mut Problems, line: usize) {
        let without = self.instance.departments.iter().zip(&self.lines).filter(|(_, line)| line.is_none());
        let missing: Vec<String> = without.map(|(one, _)| quoted(&one.name)).collect();
        if !missing.is_empty() {
            let (what, verb) = (counted(missing.len(), "department"), if missing.len() == 1 { "has" } else { "have" });
            problems.line(
                line.max(1),
                format!("the file ends, and {what} {verb} no place: {}; add what is missing", listed(&missing)),
            );
        }
    }
}

fn orientation(text: &str) -> Option<Orientation> {
    let word = text.trim().trim_end_matches(':').to_lowercase();
    let word = word.strip_suffix("bays").unwrap_or(&word).trim();
    Orientation::ALL.into_iter().find(|orientation| orientation.name() == word)
}

/// Splits the text of a bay into names: at commas or semicolons, else at blanks.
fn pieces<'t>(text: &'t str, names: &Names) -> Vec<&'t str> {
    let text = text.trim();
    if names.find(text).is_some() {
        return vec![text];
    }
    let pieces: Vec<&str> =
        if text.contains([',', ';']) { text.split([',', ';']).collect() } else { text.split_whitespace().collect() };
    pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty()).collect()
}

fn read_text(source: Source, instance: &Instance) -> Result<SolutionFile> {
    let mut problems = Problems::new(source.path);
    let mut reading = Reading::new(instance);
    let mut lines_read = lines::of(source.text).filter(|(_, line)| !line.is_empty()).peekable();
    let stated = lines_read.peek().and_then(|(_, line)| orientation(line));
    if stated.is_some() {
        lines_read.next();
    }
    let (mut bays, mut last) = (Vec::new(), 1);
    for (number, line) in lines_read {
        last = number;
        for part in line.split('|') {
            let names = pieces(part, &reading.names);
            let bay: Vec<u16> =
                names.into_iter().filter_map(|name| reading.take(&mut problems, number, name)).collect();
            bays.push(bay);
        }
    }
    bays.retain(|bay| !bay.is_empty());
    reading.complete(&mut problems, last);
    problems.finish()?;
    let layout = Layout::of_bays(stated.unwrap_or_default(), bays);
    Ok(SolutionFile { layout, is_oriented: stated.is_some(), is_rounded: false })
}

/// Row of a table of departments in bays.
struct InBay {
    bay: u32,
    place: u32,
    department: u16,
}

fn read_table(source: Source, table: &Table, instance: &Instance) -> Result<SolutionFile> {
    let mut problems = Problems::new(source.path);
    let mut reading = Reading::new(instance);
    let (mut placed, mut rectangles) = (Vec::new(), Vec::new());
    let (mut oriented, mut last) = (None, 1);
    let numbers = table.numbers();
    let is_measured = (X..COLUMNS.len()).all(|column| table.has(column));
    table.rows(&mut problems, |problems, row| {
        last = row.line;
        let Some(department) = reading.take(problems, row.line, row.get(DEPARTMENT)) else { return };
        let mut counted = |column: usize, what: &str| {
            let number = lines::number(row.get(column), u32::MAX).map_err(|why| format!("the {what}: {why}"));
            number.map_err(|why| problems.line(row.line, why)).ok()
        };
        let bay = if table.has(BAY) { counted(BAY, "bay") } else { None };
        let place = if table.has(PLACE) { counted(PLACE, "place") } else { Some(placed.len() as u32) };
        if let (Some(bay), Some(place)) = (bay, place) {
            placed.push(InBay { bay, place, department });
        }
        if !row.get(BAYS).is_empty() {
            match (orientation(row.get(BAYS)), oriented) {
                (None, _) => {
                    let found = quoted(row.get(BAYS));
                    problems.line(row.line, format!("bays are vertical or horizontal, not {found}"));
                }
                (Some(here), Some(before)) if here != before => {
                    let (here, before): (Orientation, Orientation) = (here, before);
                    let what =
                        format!("bays are {} here and {} above; all lie the same way", here.name(), before.name());
                    problems.line(row.line, what);
                }
                (here, _) => oriented = here,
            }
        }
        if is_measured {
            rectangles.extend(rectangle(problems, &row, &numbers, department));
        }
    });
    reading.complete(&mut problems, last);
    problems.finish()?;
    placed.sort_by_key(|one| (one.bay, one.place));
    let bays = placed.chunk_by(|one, other| one.bay == other.bay);
    let bays = bays.map(|bay| bay.iter().map(|one| one.department).collect()).collect();
    let bays = Layout::of_bays(oriented.unwrap_or_default(), bays);
    if rectangles.is_empty() {
        return Ok(SolutionFile { layout: bays, is_oriented: oriented.is_some(), is_rounded: false });
    }
    Ok(as_stated(instance, &Layout::of_rectangles(rectangles), bays, oriented))
}

/// Layout of a table with rectangles: its bays if the rectangles are those of the bays but for rounding, otherwise the
/// rectangles. `bays` is empty if the table names none.
fn as_stated(instance: &Instance, rectangles: &Layout, bays: Layout, oriented: Option<Orientation>) -> SolutionFile {
    let side = instance.width.max(instance.height);
    if bays.bays.is_empty() {
        let layout = rectangles.as_bays(instance, SIX_DIGITS * side).unwrap_or_else(|| rectangles.clone());
        return SolutionFile { layout, is_oriented: true, is_rounded: false };
    }
    let deviation = rectangles.deviation(instance, &bays);
    if deviation > ROUNDED * side {
        return SolutionFile { layout: rectangles.clone(), is_oriented: true, is_rounded: false };
    }
    SolutionFile { layout: bays, is_oriented: oriented.is_some(), is_rounded: deviation > SIX_DIGITS * side }
}

fn rectangle(problems: &mut Problems, row: &Row, numbers: &Numbers, department: u16) -> Option<Placed> {
    let mut sides = [0.0; 4];
    for (side, column) in sides.iter_mut().zip(X..) {
        match numbers.read(row, column) {
            Ok(value) => *side = value,
            Err(why) => {
                problems.line(row.line, format!("the {}: {why}", COLUMNS[column].name));
                return None;
            }
        }
    }
    let [x, y, width, height] = sides;
    let rectangle = Rectangle { x, y, width, height };
    if !rectangle.is_sound() {
        let what = "width and height must be more than 0, and no number more than 10⁹; correct the rectangle";
        problems.line(row.line, what.to_owned());
        return None;
    }
    Some(Placed { department, rectangle })
}

fn read_ron(source: Source, instance: &Instance) -> Result<SolutionFile> {
    let stored: StoredLayout = ron::read(source, "layout", FORMAT, |why| {
        format!("this is not a layout ({why}); a result is opened as a result")
    })?;
    let mut problems = Problems::new(source.path);
    let mut reading = Reading::new(instance);
    let mut bays: Vec<Vec<u16>> = Vec::with_capacity(stored.bays.len());
    for bay in &stored.bays {
        bays.push(bay.iter().filter_map(|name| reading.take(&mut problems, 0, name)).collect());
    }
    bays.retain(|bay| !bay.is_empty());
    let mut rectangles = Vec::with_capacity(stored.rectangles.len());
    for (name, rectangle) in &stored.rectangles {
        if !rectangle.is_sound() {
            problems.file(format!("the rectangle of {} has no size; correct it", quoted(name)));
        }
        let department = reading.take(&mut problems, 0, name);
        rectangles.extend(department.map(|department| Placed { department, rectangle: *rectangle }));
    }
    if !bays.is_empty() && !rectangles.is_empty() {
        problems.file("a layout has bays or rectangles, and this file has both; leave one of them out".to_owned());
    }
    reading.complete(&mut problems, lines::of(source.text).count());
    problems.finish()?;
    let layout = match rectangles.is_empty() {
        true => Layout::of_bays(stored.orientation, bays),
        false => Layout::of_rectangles(rectangles),
    };
    Ok(SolutionFile { layout, is_oriented: true, is_rounded: false })
}

/// Encodes a layout as text: the orientation, then one bay per line.
///
/// # Errors
/// [`Error::Usage`] for a layout of rectangles, and if a name contains a separator.
pub(crate) fn write_text(instance: &Instance, layout: &Layout) -> Result<String> {
    if layout.is_free() {
        let what = "this form of a layout lists bays, and the layout has rectangles; write a .ron or .csv file";
        return Err(Error::Usage(what.to_owned()));
    }
    let mut text = format!("{}\n", layout.orientation.name());
    for bay in &layout.bays {
        let names = names(instance, bay);
        if let Some(name) = names.iter().find(|name| name.contains([',', ';', '|'])) {
            let name = quoted(name);
            return Err(Error::Usage(format!(
                "the name {name} has a comma, semicolon or bar in it; write a .ron or .csv file"
            )));
        }
        // A trailing comma marks blanks as part of the name.
        let mark = if names.len() == 1 && names[0].contains(' ') { "," } else { "" };
        text.push_str(&names.join(", "));
        text.push_str(mark);
        text.push('\n');
    }
    Ok(text)
}

/// Columns of [`write_table_of`].
const HEADER: [&str; 10] = ["department", "bay", "place", "x", "y", "width", "height", "aspect", "area", "bays"];

/// Columns of [`write_table_of`] for a layout of rectangles.
const HEADER_OF_RECTANGLES: [&str; 7] = ["department", "x", "y", "width", "height", "aspect", "area"];

/// Encodes a layout of rectangles as CSV; lengths have all their digits, so that the same layout is read back.
fn write_rectangles(instance: &Instance, layout: &Layout) -> String {
    let rows = layout.rectangles.iter().filter_map(|placed| {
        let department = instance.departments.get(usize::from(placed.department))?;
        let Rectangle { x, y, width, height } = placed.rectangle;
        let mut row = vec![department.name.clone()];
        row.extend([x, y, width, height, short(instance, placed.rectangle.aspect()), department.area].map(written));
        Some(row)
    });
    write_table(&HEADER_OF_RECTANGLES, rows)
}

/// Encodes a layout as CSV with the columns [`HEADER`], one row per department, bay by bay; bays and places count from
/// 1. A layout of rectangles has the columns [`HEADER_OF_RECTANGLES`].
pub(crate) fn write_table_of(instance: &Instance, layout: &Layout) -> String {
    if layout.is_free() {
        return write_rectangles(instance, layout);
    }
    let plan = Plan::new(instance, layout);
    let mut rows = Vec::with_capacity(instance.len());
    for (bay, departments) in layout.bays.iter().enumerate() {
        for (place, &department) in departments.iter().enumerate() {
            let (data, room) =
                (&instance.departments[usize::from(department)], plan.departments[usize::from(department)]);
            let mut row = vec![data.name.clone(), (bay + 1).to_string(), (place + 1).to_string()];
            row.extend(
                [room.x, room.y, room.width, room.height, room.aspect()].map(|value| written(short(instance, value))),
            );
            row.push(written(data.area));
            row.push(layout.orientation.name().to_owned());
            rows.push(row);
        }
    }
    write_table(&HEADER, rows.into_iter())
}

/// The number with six significant digits that tables of layouts state for a length: 16.0396 for 16.03960396039604; 0 for what
/// subtraction leaves of a side of the plant.
fn short(instance: &Instance, value: f64) -> f64 {
    if value.abs() < 1e-9 * instance.width.max(instance.height) {
        return 0.0;
    }
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// Encodes a layout as RON.
///
/// # Errors
/// [`Error::Usage`] if it cannot be encoded.
pub(crate) fn write_ron(instance: &Instance, layout: &Layout) -> Result<String> {
    let stored = StoredLayout {
        layout_format: if layout.is_free() { FORMAT } else { FORMAT_OF_BAYS },
        instance: (instance.name.clone(), instance.hash.clone()),
        orientation: layout.orientation,
        bays: layout.bays.iter().map(|bay| names(instance, bay)).collect(),
        rectangles: (layout.rectangles.iter())
            .filter_map(|one| {
                Some((instance.departments.get(usize::from(one.department))?.name.clone(), one.rectangle))
            })
            .collect(),
    };
    ron::write(&stored, "layout", 2)
}
