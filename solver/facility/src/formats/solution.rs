//! Files of layouts.
//!
//! * Text: `vertical` or `horizontal`, then one bay per line, departments separated by commas; or all bays on one line
//!   separated by `|`.
//! * Table: department, bay, place; optionally bays (vertical or horizontal) and x, y, width, height.
//! * RON, with the orientation.
//!
//! Rectangles in a table are checked as stated.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::check::{self, Stated, Verdict};
use crate::names::Names;
use crate::{Instance, Layout, Orientation, Plan, Rectangle};
use gridwright_core::formats::{self, FileFormat};
use gridwright_core::problem::Detection;
use gridwright_core::text::columns::{Column, plain};
use gridwright_core::text::lines::{self, Problems, counted, listed, quoted};
use gridwright_core::text::notation::written;
use gridwright_core::text::table::{Numbers, Row, Table, write_table};
use gridwright_core::text::{Source, decoding, ending, other_kind, ron};
use gridwright_core::{Error, Result, files};

/// Version of the RON format.
const FORMAT: u32 = 1;

/// Layout read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct SolutionFile {
    /// Layout with every department once.
    pub layout: Layout,
    /// True if the file states the orientation; otherwise vertical bays are assumed.
    pub is_oriented: bool,
    /// Rectangles that the file states; empty if it states none.
    pub(crate) stated: Vec<Stated>,
}

impl SolutionFile {
    /// Verdict of the independent checker on the stated rectangles; `None` without any.
    pub(crate) fn stated_verdict(&self, instance: &Instance) -> Option<Verdict> {
        (!self.stated.is_empty()).then(|| check::check_stated(instance, &self.stated, &self.layout))
    }

    /// Why the bays of the layout are not what the file states, if its rectangles lie elsewhere.
    pub fn unlike(&self, instance: &Instance) -> Option<String> {
        /// Deviation that rounding explains, as a share of the plant's longer side.
        const ROUNDED: f64 = 1e-3;
        if self.stated.is_empty() {
            return None;
        }
        let plan = Plan::new(instance, &self.layout);
        let most = ROUNDED * instance.width.max(instance.height);
        let differs = |one: &&Stated| {
            let Stated { x, y, width, height, .. } = **one;
            let stated = Rectangle { x, y, width, height };
            plan.departments.get(usize::from(one.department)).is_none_or(|bay| bay.deviation(&stated) > most)
        };
        let astray = self.stated.iter().find(differs)?;
        let name = instance.departments.get(usize::from(astray.department)).map_or("", |department| &department.name);
        Some(format!(
            "its rectangles are no bays: {} lies elsewhere than its bay and place would put it. They are checked and costed as they \
             stand, but not drawn or edited; leave out the columns x, y, width and height if the bays alone are meant",
            quoted(name)
        ))
    }
}

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

/// RON form of a layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLayout {
    /// Version of the file format.
    layout_format: u32,
    /// Name and SHA-256 of the instance.
    instance: (String, String),
    orientation: Orientation,
    /// Department names, bay by bay.
    bays: Vec<Vec<String>>,
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
            let Ok(table) = Table::open(file.source, &COLUMNS) else { return Detection::No };
            // A table of departments may have a column of bays beside that of areas.
            let has_areas = table.unused.iter().any(|name| plain(name).starts_with("area"));
            Detection::certain(table.has(PLACE) || table.has(BAYS) || !has_areas).or_possible(|| true)
        },
        |source, instance| read_table(source, &Table::open(source, &COLUMNS)?, instance),
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
    let layout = Layout { orientation: stated.unwrap_or_default(), bays };
    Ok(SolutionFile { layout, is_oriented: stated.is_some(), stated: Vec::new() })
}

/// Row of a table of departments.
struct Placed {
    bay: u32,
    place: u32,
    department: u16,
}

fn read_table(source: Source, table: &Table, instance: &Instance) -> Result<SolutionFile> {
    let mut problems = Problems::new(source.path);
    let mut reading = Reading::new(instance);
    let (mut placed, mut stated) = (Vec::new(), Vec::new());
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
        let bay = counted(BAY, "bay");
        let place = if table.has(PLACE) { counted(PLACE, "place") } else { Some(placed.len() as u32) };
        if let (Some(bay), Some(place)) = (bay, place) {
            placed.push(Placed { bay, place, department });
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
            stated.extend(rectangle(problems, &row, &numbers, department));
        }
    });
    reading.complete(&mut problems, last);
    problems.finish()?;
    placed.sort_by_key(|one| (one.bay, one.place));
    let bays = placed.chunk_by(|one, other| one.bay == other.bay);
    let bays = bays.map(|bay| bay.iter().map(|one| one.department).collect()).collect();
    let layout = Layout { orientation: oriented.unwrap_or_default(), bays };
    unshorten(instance, &layout, &mut stated);
    Ok(SolutionFile { layout, is_oriented: oriented.is_some(), stated })
}

fn rectangle(problems: &mut Problems, row: &Row, numbers: &Numbers, department: u16) -> Option<Stated> {
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
    Some(Stated { department, x, y, width, height })
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
    reading.complete(&mut problems, lines::of(source.text).count());
    problems.finish()?;
    let layout = Layout { orientation: stored.orientation, bays };
    Ok(SolutionFile { layout, is_oriented: true, stated: Vec::new() })
}

fn names(instance: &Instance, bay: &[u16]) -> Vec<String> {
    let known = bay.iter().filter_map(|&one| instance.departments.get(usize::from(one)));
    known.map(|department| department.name.clone()).collect()
}

/// Encodes a layout as text: the orientation, then one bay per line.
///
/// # Errors
/// [`Error::Usage`] if a name contains a separator.
pub(crate) fn write_text(instance: &Instance, layout: &Layout) -> Result<String> {
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

/// Encodes a layout as CSV with the columns [`HEADER`], one row per department, bay by bay; bays and places count from
/// 1.
pub(crate) fn write_table_of(instance: &Instance, layout: &Layout) -> String {
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

/// Replaces rectangles that state the lengths of the layout with [`short`] digits by those of the layout itself.
fn unshorten(instance: &Instance, layout: &Layout, stated: &mut [Stated]) {
    let plan = Plan::new(instance, layout);
    for one in stated {
        let room = plan.departments[usize::from(one.department)];
        if [one.x, one.y, one.width, one.height]
            == [room.x, room.y, room.width, room.height].map(|value| short(instance, value))
        {
            (one.x, one.y, one.width, one.height) = (room.x, room.y, room.width, room.height);
        }
    }
}

/// Encodes a layout as RON.
///
/// # Errors
/// [`Error::Usage`] if it cannot be encoded.
pub(crate) fn write_ron(instance: &Instance, layout: &Layout) -> Result<String> {
    let stored = StoredLayout {
        layout_format: FORMAT,
        instance: (instance.name.clone(), instance.hash.clone()),
        orientation: layout.orientation,
        bays: layout.bays.iter().map(|bay| names(instance, bay)).collect(),
    };
    ron::write(&stored, "layout", 2)
}
