//! Tables of doors and of the flows between departments and doors.

use std::path::PathBuf;

use super::charts::Pairs;
use super::{Sheet, building, today};
use crate::data::building::{X_COLUMN, Y_COLUMN};
use crate::data::doors::{DIRECTION_COLUMN, DOOR_COLUMN, WAYS};
use crate::data::{DEPARTMENT as DEPARTMENT_COLUMN, FLOW_COLUMN};
use crate::formats::kinds;
use crate::names::Names;
use crate::{Door, DoorFlow, Instance, Way};
use gridwright_core::data::{DateOrder, ValueKind, canonical, is_same_name};
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::{Problems, listed, quoted};
use gridwright_core::text::table::{self, Row, Table};
use gridwright_core::{Error, Result};

const DOOR: usize = 0;
const X: usize = 1;
const Y: usize = 2;
const COLUMNS: [Column; 3] = [DOOR_COLUMN, X_COLUMN, Y_COLUMN];

const DEPARTMENT: usize = 0;
const THROUGH: usize = 1;
const FLOW: usize = 2;
const DIRECTION: usize = 3;
const FLOW_COLUMNS: [Column; 4] = [DEPARTMENT_COLUMN, DOOR_COLUMN, FLOW_COLUMN, DIRECTION_COLUMN];

/// Returns `true` if a file has this name, so that it is read as what the name says and lacks are told as such.
fn is_called(sheet: &Sheet, name: &str) -> bool {
    sheet.path.file_name().is_some_and(|own| own.eq_ignore_ascii_case(name))
}

/// Returns `true` if a sheet begins with the header of a table of doors, or its file is called as one.
pub(super) fn is_doors(sheet: &Sheet) -> bool {
    let is_table = Table::open(sheet.source(), &COLUMNS).is_ok();
    is_table && !today::is_today(sheet) && !building::is_building(sheet) || is_called(sheet, "doors.csv")
}

/// Returns `true` if a sheet begins with the header of a table of flows through doors, or its file is called as one.
pub(super) fn is_door_flows(sheet: &Sheet) -> bool {
    Table::open(sheet.source(), &FLOW_COLUMNS).is_ok() || is_called(sheet, "door-flows.csv")
}

/// Doors that have been read, with their places in the files.
#[derive(Default)]
pub(super) struct Doors {
    all: Vec<Door>,
    places: Vec<(PathBuf, usize)>,
    names: Names,
}

impl Doors {
    /// Reads a table of doors.
    pub(super) fn read(&mut self, sheet: &Sheet, pairs: &mut Pairs, problems: &mut Problems) {
        let Ok(table) = Table::open(sheet.source(), &COLUMNS).map_err(|error| problems.file(error.to_string())) else {
            return;
        };
        let numbers = table.numbers();
        let count = table.rows(problems, |problems, row| {
            let name = row.get(DOOR).to_owned();
            let first = self.all.iter().position(|other| is_same_name(&other.name, &name));
            match (numbers.read(&row, X), numbers.read(&row, Y)) {
                _ if name.is_empty() => problems.line(row.line, "the door has no name; give it one"),
                _ if first.is_some() => {
                    let line = first.map_or(0, |first| self.places[first].1);
                    let name = quoted(&name);
                    problems.line(row.line, format!("door {name} is there already, in line {line}; rename one"));
                }
                (Ok(x), Ok(y)) => {
                    self.all.push(Door { name, x, y });
                    self.places.push((sheet.path.to_path_buf(), row.line));
                }
                (Err(why), _) => problems.line(row.line, format!("x: {why}")),
                (_, Err(why)) => problems.line(row.line, format!("y: {why}")),
            }
        });
        table::leftovers(&table, &table.unused, &count, pairs.warnings());
        self.names = Names::listed(self.all.iter().map(|door| door.name.as_str()));
    }

    /// Index of a door; a problem of the line if there is none of this name.
    pub(super) fn find(&self, name: &str, line: usize, problems: &mut Problems) -> Option<u16> {
        let found = self.names.find(name).map(|at| at as u16);
        if found.is_none() {
            let all: Vec<String> = self.all.iter().map(|door| door.name.clone()).collect();
            let (name, known) = (quoted(name), if all.is_empty() { "none".to_owned() } else { listed(&all) });
            problems.line(line, format!("{name} is no door; correct the name, or add it to the doors ({known})"));
        }
        found
    }

    /// Reads a table of flows between departments and doors.
    pub(super) fn read_flows(&self, sheet: &Sheet, pairs: &mut Pairs, problems: &mut Problems) -> Vec<DoorFlow> {
        let mut flows = Vec::new();
        let Ok(table) = Table::open(sheet.source(), &FLOW_COLUMNS).map_err(|error| problems.file(error.to_string()))
        else {
            return flows;
        };
        let numbers = table.numbers();
        pairs.take_unit(numbers.unit(FLOW));
        let count = table.rows(problems, |problems, row| {
            let department = pairs.find(row.get(DEPARTMENT), row.line, problems);
            let door = self.find(row.get(THROUGH), row.line, problems);
            let amount = numbers.read(&row, FLOW).and_then(kinds::flow);
            let amount = amount.map_err(|why| problems.line(row.line, format!("the flow: {why}"))).ok();
            let found = department.zip(door).zip(amount).zip(way(&row, problems));
            flows.extend(found.map(|(((department, door), amount), way)| DoorFlow {
                department: department as u16,
                door,
                amount,
                way,
            }));
        });
        table::leftovers(&table, &table.unused, &count, pairs.warnings());
        pairs.state_flows();
        flows
    }

    /// Puts the doors into the instance, whose plant and building are known.
    ///
    /// # Errors
    /// [`Error::Lines`] for doors that cannot be where they are.
    pub(super) fn finish(self, instance: &mut Instance) -> Result<()> {
        let faults = self.all.iter().zip(&self.places).filter_map(|(door, (path, line))| {
            let why = instance.door_fault(door)?;
            Some(Error::line(path, *line, format!("door {} at {why}", quoted(&door.name))))
        });
        Error::from_lines(faults.collect())?;
        instance.doors = self.all;
        Ok(())
    }
}

/// Direction of a flow.
fn way(row: &Row, problems: &mut Problems) -> Option<Way> {
    let text = row.get(DIRECTION);
    if text.is_empty() {
        return Some(Way::default());
    }
    let way = Way::of(&canonical(ValueKind::Choice(&WAYS), text, DateOrder::DayFirst));
    if way.is_none() {
        problems.line(row.line, format!("{} is no direction; write in or out", quoted(text)));
    }
    way
}
