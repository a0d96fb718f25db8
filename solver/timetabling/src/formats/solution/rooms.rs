//! Rooms of sittings in timetable files, and the numbers of students in them.

use std::collections::BTreeSet;

use super::codes;
use crate::sittings::{LOST_ROOM, Sitting};
use crate::{Instance, Seats};
use gridwright_core::text::lines::{self, counted, listed, number, quoted};

/// Index of the room with this code, or [`LOST_ROOM`]; codes that the session does not have are added to `unknown`.
pub(super) fn room_of(code: &str, instance: &Instance, unknown: &mut BTreeSet<String>) -> u16 {
    let room = instance.resources.room_index(code).map_or(LOST_ROOM, |room| room as u16);
    if room == LOST_ROOM {
        unknown.insert(code.to_owned());
    }
    room
}

/// Reads the rooms of an exam's sittings: `H1:120, "H2, left":30; R5:3`.
pub(super) fn rooms_of(
    text: &str, instance: &Instance, unknown: &mut BTreeSet<String>,
) -> lines::Read<Vec<Vec<Seats>>> {
    let mut seats = |text: &str| {
        let (code, students) = text
            .trim()
            .rsplit_once(':')
            .ok_or_else(|| format!("expected a room and its students, such as H1:30; found {}", quoted(text.trim())))?;
        // A quotation mark may be a sign of the code.
        let is_known = |code: &String| instance.resources.room_index(code).is_some();
        let code = codes::unquoted(code.trim()).filter(is_known).unwrap_or_else(|| code.trim().to_owned());
        Ok(Seats { room: room_of(&code, instance, unknown), students: number(students.trim(), u32::MAX)? })
    };
    let mut sitting = |text: &str| {
        codes::split(text, ',').into_iter().filter(|text| !text.trim().is_empty()).map(&mut seats).collect()
    };
    codes::split(text, ';').into_iter().map(&mut sitting).collect()
}

/// Reads the rooms of one line of a table, with a semicolon between sittings: `H1 (120), H2 (30); R5 (3)`; or the code of one room,
/// in which the `students` of the line sit or, if it does not say how many, all of the sitting. In a table `is_of_room` each line has
/// the code of one room.
pub(super) fn rooms_of_line(
    text: &str, students: &str, is_of_room: bool, instance: &Instance, unknown: &mut BTreeSet<String>,
) -> lines::Read<Vec<Vec<Seats>>> {
    if text.is_empty() {
        return Ok(vec![Vec::new()]);
    }
    if let Some(known) = known_rooms(text, instance).filter(|_| !is_of_room) {
        return Ok(known);
    }
    if instance.resources.room_index(text).is_some() || !text.ends_with(')') {
        let students = if students.is_empty() { 0 } else { number(students, u32::MAX)? };
        return Ok(vec![vec![Seats { room: room_of(text, instance, unknown), students }]]);
    }
    let mut seats = |text: &str| {
        let expected = || format!("expected a room and its students, such as H1 (30); found {}", quoted(text));
        let (code, students) = text.trim().trim_end_matches(')').rsplit_once(" (").ok_or_else(expected)?;
        Ok(Seats { room: room_of(code, instance, unknown), students: number(students, u32::MAX)? })
    };
    text.split("); ").map(|sitting| sitting.split("), ").map(&mut seats).collect()).collect()
}

/// Reads `H1 (120), H2 (30); R5 (3)` if all of its codes are rooms of the session, whatever signs they have; `None` otherwise.
fn known_rooms(text: &str, instance: &Instance) -> Option<Vec<Vec<Seats>>> {
    for (at, _) in text.match_indices(')') {
        let (head, rest) = (&text[..at], &text[at + 1..]);
        let Some((code, students)) = head.rsplit_once(" (") else { continue };
        let Some(room) = instance.resources.room_index(code) else { continue };
        let Ok(students) = number(students, u32::MAX) else { continue };
        let seats = Seats { room: room as u16, students };
        if rest.is_empty() {
            return Some(vec![vec![seats]]);
        }
        let is_next = rest.starts_with("; ");
        let Some(rest) = rest.strip_prefix("; ").or_else(|| rest.strip_prefix(", ")) else { continue };
        let Some(mut sittings) = known_rooms(rest, instance) else { continue };
        match sittings.first_mut().filter(|_| !is_next) {
            Some(first) => first.insert(0, seats),
            None => sittings.insert(0, vec![seats]),
        }
        return Some(sittings);
    }
    None
}

/// Sittings of an exam from the lines of a table: those of the table by exam have a line each, in their order; in the table of rooms a
/// sitting has a line for each of its rooms, in any order, and is found by its number or, in tables of former versions, by its extra
/// time and its number of students. Lines that belong to no sitting follow the sittings.
pub(super) fn gathered(mut left: Vec<Line>, sittings: &[Sitting]) -> Vec<Vec<Seats>> {
    if !left.iter().any(|line| line.is_of_room) {
        return left.into_iter().map(|line| line.seats).collect();
    }
    if left.iter().all(|line| line.sitting.is_some()) {
        return numbered(left, sittings.len());
    }
    let count = |line: &Line| line.seats.iter().map(|seats| seats.students).sum::<u32>();
    let take = |sitting: &Sitting| {
        let mut taken = Vec::new();
        let alone = |line: &Line| line.extra == Some(sitting.extra) && count(line) == sitting.students;
        if let Some(at) = left.iter().position(alone) {
            return left.remove(at).seats;
        }
        let mut missing = sitting.students;
        left.retain(|line| {
            let belongs = line.extra.is_none_or(|extra| extra == sitting.extra) && count(line) <= missing;
            if belongs {
                missing -= count(line);
                taken.extend(line.seats.iter().copied());
            }
            !belongs
        });
        taken
    };
    let mut rooms: Vec<Vec<Seats>> = sittings.iter().map(take).collect();
    rooms.extend(left.into_iter().map(|line| line.seats));
    rooms
}

/// Rooms of `count` sittings from lines that state the number of their sitting, from 1.
fn numbered(lines: Vec<Line>, count: usize) -> Vec<Vec<Seats>> {
    let mut rooms = vec![Vec::new(); count];
    for Line { seats, sitting, .. } in lines {
        let index = sitting.and_then(|number| (number as usize).checked_sub(1));
        match index.and_then(|index| rooms.get_mut(index)) {
            Some(rooms) => rooms.extend(seats),
            None => rooms.push(seats),
        }
    }
    rooms
}

/// Rooms of a sitting, or a part of them, in one line of a table.
pub(super) struct Line {
    pub(super) seats: Vec<Seats>,
    /// Minutes of extra time, if the line says them.
    pub(super) extra: Option<u32>,
    /// Number of the sitting among those of its exam, from 1, if the line says it.
    pub(super) sitting: Option<u32>,
    /// True if a sitting has a line for each of its rooms.
    pub(super) is_of_room: bool,
}

/// Sentence about exams whose rooms, as a file states them, seat another number of students than their sittings have; `None` if
/// there are none. `rooms` has the rooms of each exam's sittings; a room without a number, or with 0, has as many as it needs.
pub(super) fn miscounted(instance: &Instance, sittings: &[Sitting], rooms: &[Vec<Vec<Seats>>]) -> Option<String> {
    let total = |seats: &[Seats]| seats.iter().map(|seats| u64::from(seats.students)).sum::<u64>();
    let is_stated = |seats: &[Seats]| !seats.is_empty() && seats.iter().all(|seats| seats.students > 0);
    let of_exam = |(exam, rooms): (usize, &Vec<Vec<Seats>>)| {
        let own: Vec<u64> = sittings_of(sittings, exam).iter().map(|sitting| u64::from(sitting.students)).collect();
        let differs = |(at, seats): (usize, &Vec<Seats>)| {
            is_stated(seats) && own.get(at).is_none_or(|students| *students != total(seats))
        };
        let stated = rooms.iter().map(|seats| total(seats)).sum::<u64>();
        let code = &instance.exams[exam].code;
        let needed = own.iter().sum::<u64>();
        rooms.iter().enumerate().any(differs).then(|| match stated == needed {
            true => format!("{code} (other sittings)"),
            false => format!("{code} ({stated} instead of {needed})"),
        })
    };
    let exams: Vec<String> = rooms.iter().enumerate().filter_map(of_exam).collect();
    let what = if exams.len() == 1 { "seats another number" } else { "seat other numbers" };
    (!exams.is_empty()).then(|| {
        let (count, name) = (counted(exams.len(), "exam"), &instance.name);
        format!("{count} of the file {what} of students than {name} has: {}", listed(&exams))
    })
}

/// Sittings of an exam among those of all exams.
pub(super) fn sittings_of(sittings: &[Sitting], exam: usize) -> &[Sitting] {
    let first = sittings.partition_point(|sitting| sitting.exam < exam);
    let end = sittings.partition_point(|sitting| sitting.exam <= exam);
    sittings.get(first..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{SolutionFile, SolutionOptions, parse};
    use crate::Seats;
    use crate::occupancy::tests::seated;
    use gridwright_core::text::Source;

    /// A file of this name for exam A, with sittings of 2, 1 and 1 students, and exam B, with one of 2.
    fn read(name: &str, text: &str) -> SolutionFile {
        let (instance, _) = seated();
        parse(Source { path: std::path::Path::new(name), text }, &instance, SolutionOptions::default()).unwrap()
    }

    #[test]
    fn seats_that_do_not_add_up_are_reported() {
        let whole = "A 0 @ H1:2; R5:1; R6:1\nB 0 @ H1:2\n";
        assert_eq!(read("plan.sol", whole).mismatches, [""; 0]);
        let one_room = read("plan.sol", &whole.replace("B 0 @ H1:2", "B 0 @ H1:1")).mismatches;
        assert_eq!(
            one_room,
            ["1 exam of the file seats another number of students than seated has: B (1 instead of 2)"]
        );
        let both = read("plan.sol", "A 0 @ H1:1, R5:2; R5:1; R6:1\nB 0 @ H1:2; R5:4\n").mismatches;
        assert!(both[0].starts_with("2 exams of the file seat other numbers"), "{both:?}");
        assert!(both[0].ends_with("A (5 instead of 4), B (6 instead of 2)"), "{both:?}");
        let moved = read("plan.sol", "A 0 @ H1:1; R5:2; R6:1\nB 0 @ H1:2\n").mismatches;
        assert!(moved[0].ends_with("A (other sittings)"), "{moved:?}");
    }

    #[test]
    fn rooms_of_a_table_are_counted_however_they_are_separated() {
        let table = |rooms: &str| {
            let sittings = "A\t1\tH1 (2); R5 (1); R6 (1)";
            read("plan.tsv", &format!("exam\tperiod\trooms\n{sittings}\nB\t1\t{rooms}\n"))
        };
        let seats = |room, students| Seats { room, students };
        for rooms in ["H1 (1), R5 (1)", "H1 (1); R5 (1)"] {
            let file = table(rooms);
            let of_sittings = [vec![seats(0, 2)], vec![seats(1, 1)], vec![seats(2, 1)], vec![seats(0, 1), seats(1, 1)]];
            assert_eq!((file.timetable.rooms.as_slice(), file.mismatches), (&of_sittings[..], vec![]), "{rooms}");
        }
        let short = table("H1 (1)").mismatches;
        assert!(short[0].ends_with("B (1 instead of 2)"), "{short:?}");
        assert!(table("H1").mismatches.is_empty(), "a room without a number seats all");
    }

    #[test]
    fn lines_of_rooms_that_belong_to_no_sitting_are_reported() {
        let text = "room,exam,period,students,extra_minutes\nH1,B,1,2,0\nR5,B,1,1,0\nH1,A,1,4,0\n";
        let file = read("plan.csv", text);
        assert!(file.mismatches.iter().any(|what| what.contains("B (3 instead of 2)")), "{:?}", file.mismatches);
    }

    /// A length of time is read however it is written; what cannot be read is named, and not taken for an empty cell.
    #[test]
    fn extra_time_dates_and_starts_are_read_or_named() {
        let table = |extra: &str, date: &str, start: &str| {
            let text = format!(
                "exam,period,date,start,rooms,students,extra_minutes\nA,1,{date},{start},H1,2,{extra}\nA,1,{date},{start},R5,1,15\nB,1,,,H1,2,\n"
            );
            let (instance, _) = seated();
            let source = Source { path: std::path::Path::new("plan.csv"), text: &text };
            parse(source, &instance, SolutionOptions::default()).map(drop).map_err(|error| error.to_string())
        };
        for (extra, date, start) in [("0", "", ""), ("1:00", "2026-06-01", "9:00"), ("90 min", "06/25/2026", "9.30")] {
            assert_eq!(table(extra, date, start), Ok(()), "{extra} {date} {start}");
        }
        for (extra, date, start) in [("soon", "", ""), ("", "2026-02-31", ""), ("", "", "late")] {
            let why = table(extra, date, start).unwrap_err();
            let cell = [extra, date, start].concat();
            assert!(why.contains("plan.csv:2: ") && why.contains(&format!("«{cell}»")), "{why}");
        }
    }
}
