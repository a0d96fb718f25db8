//! Set-up times in tables: a line per pair of families or jobs, and a column per machine.
//!
//! The table stands below the jobs behind an empty line, or in another sheet of the workbook. Without families in the table of jobs its
//! lines name jobs. An empty `from` means the first job of a machine; pairs that are not listed need no time.

use std::collections::HashMap;

use super::headings::{HOURS_COLUMNS, JOB, JOB_MARK, MACHINE_MARK, SETUP_COLUMNS, marked, unmarked};
use super::time::time;
use crate::{Instance, Setups};
use gridwright_core::data::NameIndex;
use gridwright_core::text::Source;
use gridwright_core::text::columns::{find, with_unit};
use gridwright_core::text::lines::{Problems, quoted};
use gridwright_core::text::table::{self, Row, Table, write_table};
use gridwright_core::{Error, Result};

const FROM: usize = 0;
const TO: usize = 1;

/// Reads a table of set-ups into an instance with jobs, families and machines.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every line that names what the instance lacks or that holds no times.
pub(super) fn read(source: Source<'_>, instance: &mut Instance) -> Result<()> {
    let table = Table::open(source, &SETUP_COLUMNS)?;
    let wrong = |what: String| Error::line(source.path, table.header.line, what);
    let machines = machines_of(&table, instance).map_err(wrong)?;
    let setups = Setups::of(&instance.jobs, instance.machine_count()).map_err(wrong)?;
    let mut reading = Reading { names: setups.by_name(&instance.jobs), setups, lines: HashMap::new() };
    let (mut problems, numbers) = (Problems::new(source.path), table.numbers());
    table.rows(&mut problems, |problems, row| {
        let Some((before, after)) = reading.pair(problems, &row) else { return };
        let times = reading.setups.between_families_mut(before, after);
        for &(at, machine) in machines.iter().filter(|(at, _)| !row.at(*at).is_empty()) {
            match numbers.plain_at(&row, at).and_then(|text| time(&text)) {
                Ok(time) => times[machine] = time,
                Err(why) => {
                    let name = quoted(&instance.machines[machine]);
                    problems.value(row.line, format!("the set-up time of {name}: {why}"));
                }
            }
        }
    });
    problems.finish()?;
    instance.setups = Some(reading.setups.into());
    Ok(())
}

/// Columns of the table with the machines that they belong to.
///
/// # Errors
/// A sentence about a column that is no machine, or in another unit of time.
fn machines_of(table: &Table<'_>, instance: &Instance) -> std::result::Result<Vec<(usize, usize)>, String> {
    let mut machines = Vec::new();
    for (at, heading) in table.other_columns().into_iter().filter(|(_, heading)| !heading.is_empty()) {
        let heading = unmarked(&heading, MACHINE_MARK).unwrap_or(&heading);
        let bare = |name: &str| with_unit(name).0.to_owned();
        let named = |is_it: &dyn Fn(&str) -> bool| instance.machines.iter().position(|machine| is_it(machine));
        // A unit may stand in one of the two tables only.
        let found = named(&|machine| machine == heading)
            .or_else(|| named(&|machine| machine == bare(heading) || bare(machine) == heading));
        let Some(machine) = found else {
            let name = quoted(heading);
            return Err(match named(&|machine| bare(machine) == bare(heading)) {
                Some(other) => {
                    let other = quoted(&instance.machines[other]);
                    format!("{name} is {other} in the table of jobs; write all times in one unit, and the unit alike")
                }
                None => format!("{name} is no machine of the table of jobs; call it as there, or delete the column"),
            });
        };
        machines.push((at, machine));
    }
    if machines.is_empty() {
        return Err(
            "the table of set-ups names no machine; give each machine that is set up a column with its name".to_owned()
        );
    }
    Ok(machines)
}

/// State of the reader.
struct Reading {
    /// Families or jobs by name.
    names: NameIndex<'static>,
    setups: Setups,
    /// Line of each pair.
    lines: HashMap<(Option<usize>, usize), usize>,
}

impl Reading {
    /// The pair of a line; `None` with a problem if it cannot be used.
    fn pair(&mut self, problems: &mut Problems, row: &Row<'_>) -> Option<(Option<usize>, usize)> {
        let mut found = [None, None];
        for (place, column) in found.iter_mut().zip([FROM, TO]) {
            let name = unmarked(row.get(column), JOB_MARK).unwrap_or(row.get(column));
            *place = self.names.get(name);
            if place.is_none() && !(name.is_empty() && column == FROM) {
                let (found, noun) = (quoted(name), self.setups.noun());
                problems
                    .line(row.line, format!("{found} is no {noun} of the table of jobs; add it there, or correct it"));
                return None;
            }
        }
        let [before, Some(after)] = found else { return None };
        match self.lines.insert((before, after), row.line) {
            None => Some((before, after)),
            Some(first) => {
                problems
                    .line(row.line, format!("these two are there already, in line {first}; delete one of the lines"));
                None
            }
        }
    }
}

/// Renders `from,to,MACHINE…` with one line per pair that needs time, behind an empty line. Names that would not be read as such are
/// marked. Empty without set-ups.
pub(super) fn write(instance: &Instance) -> String {
    let Some(setups) = &instance.setups else { return String::new() };
    let name = |family: usize| {
        let name = setups.name(&instance.jobs, family);
        marked(name, JOB_MARK, table::names_total(name))
    };
    let rows = setups.pairs().map(|(before, after, times)| {
        let names = [before.map(name).unwrap_or_default(), name(after)];
        names.into_iter().chain(times.iter().map(u32::to_string)).collect()
    });
    // A column of days would make the table one of working times.
    let columns = [SETUP_COLUMNS[FROM], SETUP_COLUMNS[TO], HOURS_COLUMNS[1], JOB];
    let is_doubtful = |name: &str| find(std::iter::once(name), &columns).iter().any(Option::is_some);
    let machines = instance.machines.iter().map(|name| marked(name, MACHINE_MARK, is_doubtful(name)));
    let header: Vec<String> = ["from", "to"].into_iter().map(str::to_owned).chain(machines).collect();
    format!("\n{}", write_table(&header, rows))
}
