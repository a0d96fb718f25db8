//! Tables of duties of invigilators, as exports write them and people change them.

use std::path::Path;

use super::columns::{INVIGILATORS, PERIODS};
use super::values;
use crate::Instance;
use crate::invigilators::{Duty, Post};
use crate::publication::When;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::{Problems, Read, quoted};
use gridwright_core::text::table::{Row, Table};
use gridwright_core::text::values::DateOrder;
use gridwright_core::text::{Source, decoding};
use gridwright_core::{Error, Result, files};

const COLUMNS: [Column; 8] = [
    INVIGILATORS[0],
    Column::required("duty", "post aufgabe einsatz tâche"),
    Column::optional("period", "slot timeslot periodnumber periode"),
    PERIODS[1],
    PERIODS[2],
    PERIODS[3],
    Column::optional("room", "raum saal salle αίθουσα"),
    Column::optional("building", "gebäude bâtiment κτίριο"),
];

/// Reads a table of duties.
///
/// # Errors
/// [`Error::File`], [`Error::Line`] or [`Error::Lines`] that name every invalid line.
pub(crate) fn read(path: &Path, instance: &Instance) -> Result<Vec<Duty>> {
    let text = decoding::text(path, files::read(path)?, &mut Vec::new())?;
    parse(Source { path, text: &text }, instance)
}

/// As [`read`], from a text.
///
/// # Errors
/// As [`read`].
pub(crate) fn parse(source: Source, instance: &Instance) -> Result<Vec<Duty>> {
    let table = Table::open(source, &COLUMNS)?;
    if !table.has(2) && !table.has(3) {
        return Err(Error::file(source.path, "the header names no period and no date; name one of these columns"));
    }
    let mut problems = Problems::new(source.path);
    let mut duties = Vec::new();
    table.rows(&mut problems, |problems, row| match duty(&row, instance) {
        Ok(duty) => duties.push(duty),
        Err(what) => problems.line(row.line, what),
    });
    problems.finish()?;
    Ok(duties)
}

/// A cell that may be empty.
fn stated<T>(text: &str, read: impl Fn(&str) -> Read<T>) -> Read<Option<T>> {
    if text.is_empty() { Ok(None) } else { read(text).map(Some) }
}

fn duty(row: &Row, instance: &Instance) -> Read<Duty> {
    let invigilator = row.get(0).to_owned();
    if invigilator.is_empty() {
        return Err("the code of the invigilator is missing; write it, or remove the line".to_owned());
    }
    let (room, building) = (row.get(6).to_owned(), row.get(7).to_owned());
    let post = match row.get(1).to_lowercase().as_str() {
        "chief" => Post::Chief(building),
        "room" if !room.is_empty() => Post::Room(room),
        "room" => return Err("the room of the duty is missing; write its code".to_owned()),
        "reserve" => Post::Reserve,
        other => return Err(format!("{} is no duty; write chief, room or reserve", quoted(other))),
    };
    let date = stated(row.get(3), |text| values::date(text, DateOrder::DayFirst))?;
    let start = stated(row.get(4), values::time)?;
    let end = stated(row.get(5), values::time)?;
    let number = stated(row.get(2), |text| {
        let most = instance.period_count() as u32;
        gridwright_core::text::lines::number(text, most)
            .ok()
            .filter(|&number| number > 0)
            .ok_or_else(|| format!("{} is no period; there are {most}", quoted(text)))
    })?;
    let mut when = When { period: number.unwrap_or(0) as u16, date, start, end };
    let period = instance.period_of(&when).ok_or_else(|| {
        "the session has no period at this date and start; correct them, or write the number of the period".to_owned()
    })?;
    when.period = period as u16 + 1;
    Ok(Duty { invigilator, when, post })
}
