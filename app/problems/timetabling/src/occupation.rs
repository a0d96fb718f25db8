//! Use of rooms by a timetable: the students in every room and period.

use std::ops::Range;

use gridwright_core::numbers::grouped;
use gridwright_timetabling::{Instance, Room, Sitting, Timetable};

use super::analysis::days;

/// Students of an exam in one room and period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seated {
    /// Index of the exam.
    pub exam: usize,
    /// Number of the sitting.
    pub sitting: usize,
    /// Number of students.
    pub students: u32,
    /// Minutes of extra time.
    pub extra: u32,
    /// True if no other exam may be in the room.
    pub own_room: bool,
    /// True if no other sitting may be in the room.
    is_alone: bool,
}

/// Sittings in one room and period.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// Students by sitting, in the order of the exams.
    pub seated: Vec<Seated>,
    /// Number of students.
    pub students: u64,
    /// True if the room cannot be used in the period.
    pub closed: bool,
    /// Reason why the sittings must not be there together; empty if they may.
    pub fault: String,
}

/// Use of all rooms by a timetable.
#[derive(Debug, Default)]
pub(crate) struct Occupation {
    /// Cell of room r and period p at r · periods + p; after the rooms a row of students without a seat, if there are any.
    cells: Vec<Cell>,
    /// Number of periods.
    pub periods: usize,
    /// Periods of each day with its name; empty if a period has no date.
    pub days: Vec<(Range<usize>, String)>,
}

impl Occupation {
    /// Use of the rooms of a session by a timetable.
    pub fn of(instance: &Instance, timetable: &Timetable) -> Self {
        let (rooms, periods) = (&instance.resources.rooms, instance.period_count());
        let mut cells = vec![Cell::default(); (rooms.len() + 1) * periods];
        for (row, room) in rooms.iter().enumerate() {
            for &period in room.unavailable.iter().filter(|&&period| usize::from(period) < periods) {
                cells[row * periods + usize::from(period)].closed = true;
            }
        }
        for (number, sitting) in instance.sittings().iter().enumerate() {
            let Some(period) = timetable.period_of(sitting.exam).filter(|&period| period < periods) else { continue };
            let seats = timetable.rooms.get(number).map_or(&[][..], Vec::as_slice);
            let mut put = |row: usize, students: u32| {
                let cell = &mut cells[row * periods + period];
                cell.students += u64::from(students);
                let Sitting { exam, extra, own_room, is_alone, .. } = *sitting;
                cell.seated.push(Seated { exam, sitting: number, students, extra, own_room, is_alone });
            };
            let known = seats.iter().filter(|seats| usize::from(seats.room) < rooms.len());
            let mut missing = sitting.students;
            for seats in known {
                put(seats.room.into(), seats.students);
                missing = missing.saturating_sub(seats.students);
            }
            if missing > 0 {
                put(rooms.len(), missing);
            }
        }
        for (row, cells) in cells.chunks_mut(periods.max(1)).enumerate() {
            cells.iter_mut().for_each(|cell| cell.fault = fault(rooms.get(row), cell));
        }
        if cells.iter().skip(rooms.len() * periods).all(|cell| cell.seated.is_empty()) {
            cells.truncate(rooms.len() * periods);
        }
        Self { cells, periods, days: days(instance) }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.periods.max(1)
    }

    /// The cell of a row and a period.
    pub fn cell(&self, row: usize, period: usize) -> Option<&Cell> {
        self.cells.get(row * self.periods + period).filter(|_| period < self.periods)
    }

    /// Number of cells with a fault.
    pub fn faults(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.fault.is_empty()).count()
    }

    /// First row with the exam.
    pub fn row_of(&self, exam: usize) -> Option<usize> {
        let at = self.cells.iter().position(|cell| cell.seated.iter().any(|seated| seated.exam == exam))?;
        Some(at / self.periods.max(1))
    }
}

/// Reason why the sittings of a cell must not be there; `None` as the room stands for none at all.
fn fault(room: Option<&Room>, cell: &Cell) -> String {
    let Some(room) = room else {
        let is_empty = cell.seated.is_empty();
        return if is_empty { String::new() } else { "these students have no seat".to_owned() };
    };
    let own = cell.seated.iter().any(|seated| seated.own_room);
    let is_alone = cell.seated.iter().any(|seated| seated.is_alone);
    let is_shared = cell.seated.iter().any(|seated| seated.exam != cell.seated[0].exam);
    match cell.seated.len() {
        0 => String::new(),
        _ if cell.closed => "the room cannot be used here".to_owned(),
        _ if cell.students > u64::from(room.seats) => {
            let over = cell.students - u64::from(room.seats);
            format!("{} too many for the seats", grouped(over))
        }
        1 => String::new(),
        _ if is_alone => "a student needs the room for himself or herself".to_owned(),
        _ if room.single && is_shared => "the room holds one exam at a time".to_owned(),
        _ if own && is_shared => "an exam needs the room for itself".to_owned(),
        _ => String::new(),
    }
}
