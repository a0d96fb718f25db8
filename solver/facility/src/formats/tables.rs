//! Layout problems as tables: departments, flows and closeness ratings in adjacent files, in the sheets of a workbook,
//! or in one table.
//!
//! * departments: `department, area`, optionally `aspect limit`, `least side`, `free floor`, `moving price`, `moving price per
//!   length`, and one column per department for the from-to chart;
//! * flows: a from-to chart (one row and column per department) or a list `from, to, flow`, whose repeated pairs are
//!   added up;
//! * products: `product, quantity, route`, optionally the pieces per trip; their trips are added to the flows;
//! * building: fixed things, floor outside of the outline, and departments with a fixed rectangle;
//! * today: where departments lie today, which prices of moving refer to;
//! * doors: `door, x, y`, and flows to doors: `department, door, flow`, optionally the direction;
//! * plant: width and height, optionally the unit of lengths;
//! * closeness: a chart of the letters A E I O U X or a list `from, to, rating`.
//!
//! Lines that begin with `#` are comments; these have a meaning: `# plant: 20 x 30`, `# distance: euclidean`, `# aspect
//! limit: 5`, `# unit: m`, `# flows: symmetric` (one weight per pair) and `# weights: A=64 E=16 I=4 O=1`. The plant may also be
//! given by columns `plant width` and `plant height` of the departments, or by an option.
//!
//! Ratings are an objective of their own, the closeness score ([`crate::closeness`]), and are never added to flows;
//! only where no table holds flows do their weights stand in for them. X keeps two departments apart unless its weight is 0.

mod building;
mod charts;
mod doors;
mod plant;
mod products;
mod rooms;
mod today;
mod workbook;

use std::path::{Path, PathBuf};

pub(crate) use self::workbook::{is_unreadable_workbook, is_workbook};
use super::kinds::Chart;
use super::options::LoadOptions;
use crate::closeness::{RATINGS, Weights};
use crate::data::{MOVE_COLUMN, MOVE_RATE_COLUMN};
use crate::{Building, DEFAULT_ASPECT, Instance, Limit, Rectangle, RelocationPrice, Unit};
use gridwright_core::data::lists;
use gridwright_core::text::cells::records;
use gridwright_core::text::columns::{Column, plain};
use gridwright_core::text::lines::{Problems, Read, quoted};
use gridwright_core::text::notation::{Evidence, written};
use gridwright_core::text::table::{Numbers, Row, write_table};
use gridwright_core::text::{Source, sheets, stem};
use gridwright_core::{Error, Result};

/// Table that makes a folder a layout problem.
pub const DEPARTMENTS: &str = "departments.csv";

/// Tables that are read along with the table of departments.
const BESIDE: [&str; 8] = [
    "flows.csv", "closeness.csv", "plant.csv", "products.csv", "building.csv", "today.csv", "doors.csv",
    "door-flows.csv",
];

/// Existing files that are read along with a table of departments.
pub fn beside(path: &Path) -> Vec<PathBuf> {
    candidates(path).into_iter().filter_map(|names| names.into_iter().find(|file| file.is_file())).collect()
}

/// Paths, existing or not, of each file that is read along with a table of departments: `flows.csv`, `closeness.csv`,
/// `plant.csv`, `products.csv`, `building.csv`, `today.csv`, `doors.csv` and `door-flows.csv` beside `departments.csv`, `shop.flows.csv` (or with «-» or «_»)
/// beside `shop.csv`. Of each, the first one is read.
pub fn candidates(path: &Path) -> [Vec<PathBuf>; 8] {
    let own = stem(path);
    let split = own.len().checked_sub("departments".len()).and_then(|at| Some((own.get(..at)?, own.get(at..)?)));
    BESIDE.map(|name| match split {
        Some((prefix, rest)) if rest.eq_ignore_ascii_case("departments") => {
            vec![path.with_file_name(format!("{prefix}{name}"))]
        }
        _ => ['.', '-', '_'].map(|mark| named_after(path, &format!("{mark}{name}"))).to_vec(),
    })
}

/// Rectangle in a row of a table whose columns `sides` hold x, y, width and height; `None`, with a problem, where one of them is no
/// number.
fn rectangle(
    numbers: &Numbers, row: &Row, columns: &[Column], sides: [usize; 4], problems: &mut Problems,
) -> Option<Rectangle> {
    let mut read = [0.0; 4];
    for (side, column) in read.iter_mut().zip(sides) {
        match numbers.read(row, column) {
            Ok(number) => *side = number,
            Err(why) => {
                problems.line(row.line, format!("{}: {why}", columns[column].name));
                return None;
            }
        }
    }
    let [x, y, width, height] = read;
    Some(Rectangle { x, y, width, height })
}

fn named_after(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(ending);
    path.with_file_name(name)
}

/// Table with its comment lines.
struct Sheet<'a> {
    path: &'a Path,
    /// Text with comment lines blanked, so that line numbers stay valid.
    text: String,
    /// Comments: line number, normalised key, value.
    remarks: Vec<(usize, String, String)>,
}

impl<'a> Sheet<'a> {
    fn of(source: Source<'a>) -> Self {
        // Spreadsheets quote a comment that contains a comma.
        let is_remark = |line: &str| line.trim_start_matches([' ', '"']).starts_with('#');
        let is_hollow = |line: &str| line.trim_matches([',', ';', '\t', ' ', '"', '\r']).is_empty();
        let (mut text, mut remarks) = (String::with_capacity(source.text.len()), Vec::new());
        let end = if source.text.contains('\n') { '\n' } else { '\r' };
        let mut begun = false;
        for (number, line) in records(source.text) {
            if number > 1 {
                text.push(end);
            }
            if !is_remark(line) {
                // Empty rows above the header are dropped; those below are reported.
                begun |= !is_hollow(line);
                text.push_str(if begun { line } else { "" });
                continue;
            }
            // Spreadsheets pad a line with separators.
            let line = line.trim().trim_start_matches(['"', '#']).trim_end_matches([',', ';', '\t', '"']);
            if let Some((key, value)) = line.split_once(':') {
                remarks.push((number, plain(key), value.trim().to_owned()));
            }
        }
        Self { path: source.path, text, remarks }
    }

    fn source(&self) -> Source<'_> {
        Source { path: self.path, text: &self.text }
    }

    fn remark(&self, keys: &[&str]) -> Option<(usize, &str)> {
        let of = |(_, key, _): &&(usize, String, String)| keys.contains(&key.as_str());
        self.remarks.iter().find(of).map(|(line, _, value)| (*line, value.as_str()))
    }
}

/// Returns `true` if a text begins with a table of departments whose first area is a number.
pub(super) fn begins(source: Source) -> bool {
    rooms::begins(Sheet::of(source).source())
}

/// Returns `true` if a text was probably meant as a table of a layout problem.
pub(super) fn resembles(source: Source) -> bool {
    let sheet = Sheet::of(source);
    rooms::has_header(sheet.source()) || charts::is_list(sheet.source()) || sheet.remark(&["plant"]).is_some()
}

/// Reads an instance from the bytes of a workbook (.xlsx, .ods).
///
/// # Errors
/// As [`parse`]; messages name sheet and line.
pub(crate) fn parse_workbook(path: &Path, bytes: &[u8], options: &LoadOptions) -> Result<Instance> {
    let sheets = sheets::sheets(path, bytes)?;
    let sources: Vec<Source> = sheets.iter().map(|(path, text)| Source { path, text }).collect();
    let (belonging, others): (Vec<Source>, Vec<Source>) = workbook::belonging(&sources);
    let mut instance = parse(&belonging, options)?;
    let names = others.iter().map(|sheet| quoted(&gridwright_core::text::lines::file_name(sheet.path)));
    instance
        .warnings
        .extend(names.map(|name| format!("{name} holds no departments, flows or ratings and is not used")));
    if belonging.iter().all(|source| Sheet::of(*source).remark(&["name"]).is_none()) {
        instance.name = stem(path);
    }
    Ok(instance)
}

/// Reads an instance from its tables, one of which lists the departments; the caller sets the hash.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every invalid line; [`Error::File`] if departments, flows or the plant size
/// are missing.
pub fn parse(sources: &[Source], options: &LoadOptions) -> Result<Instance> {
    let sheets: Vec<Sheet> = sources.iter().map(|&source| Sheet::of(source)).collect();
    let at = sheets.iter().position(|sheet| rooms::has_header(sheet.source())).unwrap_or(0);
    let Some(main) = sheets.get(at) else { return Err(Error::Usage("there is no table to read".to_owned())) };
    if charts::is_list(main.source()) {
        let what =
            "this is a list of flows or ratings; open the table of departments (department,area) that lies beside it";
        return Err(Error::line(main.path, 1, what));
    }
    let mut problems = Problems::new(main.path);
    let limit = default_limit(main, &mut problems);
    let mut rooms = rooms::read(main, limit, &mut problems)?;
    rooms.instance.name = name_of(main);
    distance(main, &mut rooms.instance, &mut problems);
    unit(main, &mut rooms.instance, &mut problems);
    let mut stated = plant::of_departments(main, &rooms, &mut problems);
    // Flows of unreadable departments would only repeat the error.
    problems.finish()?;
    let mut errors = Vec::new();
    let mut pairs = charts::Pairs::new(&rooms.instance);
    if !rooms.chart.is_empty() {
        let mut problems = Problems::new(main.path);
        pairs.own_chart(main, &rooms.chart, &mut problems);
        errors.extend(problems.into_errors());
    }
    let (mut products, mut whole, mut places) = (Vec::new(), Building::default(), Vec::new());
    let beside = || sheets.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, sheet)| sheet);
    let (mut doors, mut door_flows) = (doors::Doors::default(), Vec::new());
    for sheet in beside().filter(|sheet| doors::is_doors(sheet)) {
        let mut problems = Problems::new(sheet.path);
        doors.read(sheet, &mut pairs, &mut problems);
        errors.extend(problems.into_errors());
    }
    for sheet in beside().filter(|sheet| !doors::is_doors(sheet)) {
        let mut problems = Problems::new(sheet.path);
        if building::is_building(sheet) {
            let Building { parts, places } = building::read(sheet, &mut pairs, &mut problems);
            whole.parts.extend(parts);
            whole.places.extend(places);
        } else if today::is_today(sheet) {
            places.extend(today::read(sheet, &mut pairs, &mut problems));
        } else if doors::is_door_flows(sheet) {
            door_flows.extend(doors.read_flows(sheet, &mut pairs, &mut problems));
        } else if plant::is_plant(sheet) {
            stated = plant::read(sheet, &mut rooms.instance, &mut problems).or(stated);
        } else if products::is_products(sheet) {
            products.extend(products::read(sheet, &doors, &mut pairs, &mut problems));
        } else {
            pairs.read(sheet, &mut problems);
        }
        errors.extend(problems.into_errors());
    }
    Error::from_lines(errors)?;
    (rooms.instance.building, rooms.instance.today) = (whole, places);
    rooms.instance.weights = weights(&sheets)?;
    pairs.finish(&mut rooms.instance, main.path)?;
    rooms.instance.door_flows = door_flows;
    let mut instance = rooms.instance.with_products(products);
    let Some(plant) = options.plant.or(stated) else {
        let (total, proposal) = (instance.total_area(), plant::proposed(&instance).to_string());
        let what = format!(
            "the size of the plant is missing; give it with --plant {proposal} (width x height; the areas add up to {total}), \
             or in a line “# plant: 20 x 30” above the departments, or in a table plant with the columns width and height"
        );
        return Err(Error::Missing { path: main.path.to_path_buf(), option: "plant", proposal, what });
    };
    (instance.width, instance.height) = (plant.width, plant.height);
    doors.finish(&mut instance)?;
    Ok(instance)
}

/// Name of the instance: the `# name:` comment, the file's stem, or the folder of `departments.csv`.
fn name_of(sheet: &Sheet) -> String {
    if let Some((_, name)) = sheet.remark(&["name"]).filter(|(_, name)| !name.is_empty()) {
        return name.to_owned();
    }
    let own = stem(sheet.path);
    if !own.eq_ignore_ascii_case("departments") {
        return own;
    }
    let whole = std::fs::canonicalize(sheet.path).unwrap_or_else(|_| sheet.path.to_path_buf());
    whole.parent().and_then(Path::file_name).map_or(own, |folder| folder.to_string_lossy().into_owned())
}

/// Limit of departments without one in the table.
fn default_limit(sheet: &Sheet, problems: &mut Problems) -> Limit {
    let Some((line, text)) = sheet.remark(&["aspectlimit", "aspect", "shapelimit"]) else {
        return Limit::Aspect(DEFAULT_ASPECT);
    };
    match decimal(text).and_then(super::kinds::aspect) {
        Ok(limit) => limit,
        Err(why) => {
            problems.line(line, format!("aspect limit: {why}"));
            Limit::None
        }
    }
}

fn distance(sheet: &Sheet, instance: &mut Instance, problems: &mut Problems) {
    let Some((line, text)) = sheet.remark(&["distance", "distances"]) else { return };
    match text.parse() {
        Ok(distance) => instance.distance = distance,
        Err(error) => problems.line(line, error.to_string()),
    }
}

/// Unit of lengths from a comment; otherwise that of the headings stays.
fn unit(sheet: &Sheet, instance: &mut Instance, problems: &mut Problems) {
    let Some((line, text)) = sheet.remark(&["unit", "units"]) else { return };
    match Unit::of(text) {
        Some(unit) => instance.unit = Some(unit),
        None => {
            let (found, known) = (quoted(text), Unit::ALL.map(Unit::symbol).join(", "));
            problems.line(line, format!("{found} is no unit of length; known are {known}"));
        }
    }
}

/// Weights of the ratings: those of a comment, and the usual ones of the letters that it does not name.
fn weights(sheets: &[Sheet]) -> Result<Weights> {
    let mut weights = Weights::default();
    let Some((sheet, (line, text))) =
        sheets.iter().find_map(|sheet| sheet.remark(&["weights", "weight"]).map(|remark| (sheet, remark)))
    else {
        return Ok(weights);
    };
    let wrong = |what: String| Error::line(sheet.path, line, what);
    for piece in text.split([' ', ',', ';', '\t']).filter(|piece| !piece.is_empty()) {
        let pair = piece.split_once('=').and_then(|(letter, weight)| Some((rating(letter)?, weight)));
        let Some((letter, weight)) = pair else {
            return Err(wrong(format!(
                "{} is no weight of a letter; write them as in A=64 E=16 I=4 O=1",
                quoted(piece)
            )));
        };
        let weight = decimal(weight)
            .and_then(|weight| super::kinds::weight(letter, weight))
            .map_err(|why| wrong(format!("the weight of {letter}: {why}")))?;
        weights.set(letter, weight);
    }
    Ok(weights)
}

/// Parses a letter of [`RATINGS`], case-insensitively; the code or text of a reason may follow: `A/1`, `E3`, `X (fire)`.
fn rating(text: &str) -> Option<char> {
    let mut letters = lists::without_reason(text.trim()).chars();
    let letter = letters.next()?.to_ascii_uppercase();
    (letters.next().is_none() && RATINGS.contains(&letter)).then_some(letter)
}

/// Parses a number of a comment, which stands alone.
fn decimal(text: &str) -> Read<f64> {
    let read = Evidence::default().read(text)?;
    read.parse().map_err(|_| format!("{} is not a number", quoted(text)))
}

/// Writes everything in one table, with the from-to chart as columns.
///
/// # Errors
/// [`Error::Usage`] if the instance holds something that a table cannot express.
pub fn write(instance: &Instance) -> Result<String> {
    let is_range = instance.departments.iter().any(|department| matches!(department.limit, Limit::Range(..)));
    let is_open = instance.building.is_empty() && instance.today.is_empty() && instance.doors.is_empty();
    let has_further = !instance.closeness.is_empty() || !is_open;
    if is_range || !instance.rules.is_empty() || has_further {
        let what = "ranges of shapes, wishes of closeness, the building, doors, today's layout, locks and forbidden neighbours have no place in \
                    one table; write a .ron file";
        return Err(Error::Usage(format!("{}: {what}", instance.name)));
    }
    let n = instance.len();
    let priced = instance.departments.iter().any(|department| !department.relocation.is_free());
    let fixed = ["department", "area", "aspect limit", "least side", "free floor"];
    let prices = [MOVE_COLUMN, MOVE_RATE_COLUMN].into_iter().filter(|_| priced).map(|column| column.name);
    let names = instance.departments.iter().map(|department| department.name.as_str());
    let header: Vec<&str> = fixed.into_iter().chain(prices).chain(names).collect();
    let rows = instance.departments.iter().enumerate().map(|(at, department)| {
        let (aspect, side) = match department.limit {
            Limit::Aspect(most) => (written(most), String::new()),
            Limit::MinSide(least) => (String::new(), written(least)),
            Limit::None | Limit::Range(..) => ("none".to_owned(), String::new()),
        };
        let free = if department.dummy { "yes" } else { "" }.to_owned();
        let flows = instance.flows[at * n..(at + 1) * n].iter().map(|&flow| written(flow));
        let RelocationPrice { fixed, per_length } = department.relocation;
        let prices = [fixed, per_length].into_iter().filter(|_| priced).map(written);
        let cells = [department.name.clone(), written(department.area), aspect, side, free];
        cells.into_iter().chain(prices).chain(flows).collect()
    });
    // A comment is one line.
    let (name, distance) = (instance.name.replace(['\n', '\r'], " "), instance.distance.name());
    let unit = instance.unit.map_or_else(String::new, |unit| format!("# unit: {}\n", unit.symbol()));
    let [width, height] = [instance.width, instance.height].map(written);
    let head = format!("# name: {name}\n# plant: {width} x {height}\n{unit}# distance: {distance}\n");
    Ok(head + &write_table(&header, rows))
}

/// Chart type that a comment declares.
fn promised(sheet: &Sheet) -> Chart {
    Chart::named(sheet.remark(&["flows", "flow", "chart"]).map_or("", |(_, text)| text))
}

#[cfg(test)]
mod tests;
