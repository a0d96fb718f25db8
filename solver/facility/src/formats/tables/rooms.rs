//! Reader of the table of departments.

use std::collections::HashMap;

use super::Sheet;
use crate::data::{AREA_COLUMN, ASPECT_COLUMN, DEPARTMENT, FREE_COLUMN, MOVE_COLUMN, MOVE_RATE_COLUMN, SIDE_COLUMN};
use crate::formats::{PlantSize, kinds};
use crate::names::{Names, folded};
use crate::{Department, Instance, Limit, MAX_DEPARTMENTS, RelocationPrice, Unit};
use gridwright_core::Result;
use gridwright_core::text::columns::{Column, plain};
use gridwright_core::text::lines::{Problems, Read, listed, quoted};
use gridwright_core::text::notation::{self, Evidence};
use gridwright_core::text::table::{self, Numbers, Row, Table};
use gridwright_core::text::{Source, look_alikes};

const NAME: usize = 0;
const AREA: usize = 1;
const ASPECT: usize = 2;
const SIDE: usize = 3;
const FREE: usize = 4;
const WIDTH: usize = 5;
const HEIGHT: usize = 6;
/// Fixed price of moving, and price per length.
const PRICES: [usize; 2] = [7, 8];

/// Departments may have a width and a height as well, so that of the plant is named as such.
const PLANT_SIDES: [Column; 2] = [
    Column::optional("plant width", "hallwidth plantx"),
    Column::optional("plant height", "hallheight plantdepth plantlength planty"),
];

const COLUMNS: [Column; 9] = [
    DEPARTMENT, AREA_COLUMN, ASPECT_COLUMN, SIDE_COLUMN, FREE_COLUMN, PLANT_SIDES[0], PLANT_SIDES[1], MOVE_COLUMN,
    MOVE_RATE_COLUMN,
];

/// Content of a table of departments.
pub(super) struct Rooms {
    pub(super) instance: Instance,
    pub(super) plant: Option<PlantSize>,
    /// Notation of all numbers of the table.
    pub(super) evidence: Evidence,
    /// Columns of the from-to chart: (column, department index); empty without a chart.
    pub(super) chart: Vec<(usize, usize)>,
}

/// Returns `true` if a text begins with the header of a table of departments.
pub(super) fn has_header(source: Source) -> bool {
    Table::open(source, &COLUMNS).is_ok()
}

/// Returns `true` if such a header is followed by a first row whose area is a number.
pub(super) fn begins(source: Source) -> bool {
    let Ok(table) = Table::open(source, &COLUMNS) else { return false };
    let mut fits = None;
    table.rows(&mut Problems::up_to(source.path, 0), |_, row| fits = fits.or(Some(notation::is_number(row.get(AREA)))));
    fits == Some(true)
}

pub(super) fn open<'s>(sheet: &'s Sheet) -> Result<Table<'s>> {
    Table::open(sheet.source(), &COLUMNS)
}

/// Reads the departments; those without a limit get `limit`.
pub(super) fn read(sheet: &Sheet, limit: Limit, problems: &mut Problems) -> Result<Rooms> {
    let table = open(sheet)?;
    let mut rooms =
        Rooms { instance: Instance::default(), plant: None, evidence: Evidence::default(), chart: Vec::new() };
    let mut lines: HashMap<String, usize> = HashMap::new();
    let (mut sizes, numbers) = ([None; 2], table.numbers());
    let count = table.rows(problems, |problems, row| {
        for (size, column) in sizes.iter_mut().zip([WIDTH, HEIGHT]) {
            if size.is_none() && !row.get(column).is_empty() {
                let name = COLUMNS[column].name;
                *size = numbers
                    .read(&row, column)
                    .map_err(|why| problems.value(row.line, format!("the {name}: {why}")))
                    .ok();
            }
        }
        let name = row.get(NAME);
        if name.is_empty() {
            return problems.line(row.line, "the department's name is missing; give each department a name of its own");
        }
        if let Some(first) = lines.insert(folded(name), row.line) {
            let name = quoted(name);
            return problems.line(row.line, format!("department {name} is there already, in line {first}; rename one"));
        }
        if rooms.instance.departments.len() == MAX_DEPARTMENTS {
            return problems
                .line(row.line, format!("more than {MAX_DEPARTMENTS} departments; that many cannot be handled"));
        }
        match department(&row, &numbers, limit) {
            Ok(department) => rooms.instance.departments.push(department),
            Err(why) => problems.line(row.line, format!("department {}: {why}", quoted(name))),
        }
    });
    if rooms.instance.departments.is_empty() && problems.is_empty() {
        problems.file("there is no department below the header; add a line for each");
    }
    if let [Some(width), Some(height)] = sizes {
        rooms.plant = Some(PlantSize { width, height });
    }
    rooms.evidence = numbers.table;
    rooms.instance.unit = [AREA, WIDTH, SIDE].into_iter().find_map(|column| Unit::of(numbers.unit(column)));
    let names = rooms.instance.departments.iter().map(|department| department.name.as_str());
    let alike = look_alikes(names, "department name");
    let alike = alike.map(|what| format!("{}: {what}; delete a line if two mean one department", table.file_name()));
    rooms.instance.warnings.extend(alike);
    let unused = chart_columns(&table, &mut rooms, problems);
    table::leftovers(&table, &unused, &count, &mut rooms.instance.warnings);
    Ok(rooms)
}

fn department(row: &Row, numbers: &Numbers, limit: Limit) -> Read<Department> {
    let area = match row.get(AREA) {
        "" => Err("the area is missing; write it in square units of length".to_owned()),
        _ => numbers.read(row, AREA).and_then(kinds::area).map_err(|why| format!("the area: {why}")),
    }?;
    let dummy = is_true(row.get(FREE))?;
    let value = |column: usize| match plain(row.get(column)).as_str() {
        "none" | "any" | "no" => Ok(0.0),
        _ => numbers.read(row, column),
    };
    let limit = match (row.get(ASPECT), row.get(SIDE)) {
        _ if dummy => Limit::None,
        ("", "") => limit,
        (_, "") => value(ASPECT).and_then(kinds::aspect)?,
        ("", _) => value(SIDE).and_then(kinds::least_side)?,
        _ => return Err("it has an aspect limit and a least side; leave one of them out".to_owned()),
    };
    let mut prices = [0.0; 2];
    for (price, column) in prices.iter_mut().zip(PRICES) {
        if !row.get(column).is_empty() {
            let read = numbers.read(row, column).and_then(kinds::price);
            *price = read.map_err(|why| format!("the {}: {why}", COLUMNS[column].name))?;
        }
    }
    let [fixed, per_length] = prices;
    let relocation = RelocationPrice { fixed, per_length };
    Ok(Department { name: row.get(NAME).to_owned(), area, limit, dummy, relocation })
}

fn is_true(text: &str) -> Read<bool> {
    match plain(text).as_str() {
        "" | "no" | "n" | "0" | "false" | "nein" | "non" | "οχι" => Ok(false),
        "yes" | "y" | "1" | "true" | "x" | "ja" | "oui" | "ναι" => Ok(true),
        _ => Err(format!("{} does not say whether it is free floor; write yes or no", quoted(text))),
    }
}

/// Finds the from-to chart among the other columns; returns the names of unused columns.
fn chart_columns(table: &Table, rooms: &mut Rooms, problems: &mut Problems) -> Vec<String> {
    let others = table.other_columns();
    let names = Names::of(&rooms.instance.departments);
    let of = |name: &str| names.find(name);
    let chart: Vec<(usize, usize)> = others.iter().filter_map(|(at, name)| Some((*at, of(name)?))).collect();
    let has = |department: usize| chart.iter().any(|(_, of)| *of == department);
    let departments = &rooms.instance.departments;
    let without: Vec<String> =
        (0..departments.len()).filter(|&one| !has(one)).map(|one| quoted(&departments[one].name)).collect();
    let unused = others.iter().filter(|(at, name)| !name.is_empty() && !chart.iter().any(|(column, _)| column == at));
    let unused = unused.map(|(_, name)| name.clone()).collect();
    // The chart is incomplete, or columns happen to be named like departments.
    if !chart.is_empty() && !without.is_empty() && problems.is_empty() {
        problems.file(format!(
            "the from-to chart has {} columns for {} departments; add columns for {}, with 0 where nothing flows",
            chart.len(),
            departments.len(),
            listed(&without)
        ));
    }
    if without.is_empty() {
        rooms.chart = chart;
    }
    unused
}
