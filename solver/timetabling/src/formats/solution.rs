//! Timetable files: `.sol` with `exam period` per line, a table with a column for each, or the solution format of
//! ITC-2007, `period, room` for each exam in the order of the instance, all counted from 0.
//!
//! Where a session plans rooms, a line goes on with `@` and the rooms of each sitting: `MATH1 4 @ H1:120, H2:30; R5:3`; codes with
//! signs that separate stand in quotation marks. A table has a column of rooms and a line for each sitting, `H1 (120), H2 (30)`, or
//! one for all, `H1 (120), H2 (30); R5 (3)`; a table by student has the room of each. Numbers of students that differ from those of
//! the session are reported; a sitting in one room is seated there as a whole.
//!
//! In a workbook the sheet with a line for each exam is read as the table by exam is.
//!
//! Published timetables of the Toronto instances count periods from 0, tables for people from 1. The reader detects the
//! convention where the numbers show it, and reports which one it used; tables with dates are read by these. `-` is the
//! period of an unplaced exam.

mod codes;
mod rooms;
pub(crate) mod students;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use chrono::{NaiveDate, NaiveTime};

use super::carter::Index;
use super::columns::{Column, EXAM, PERIODS};
use crate::stored::{StoredSolution, decode, decode_known};
use crate::{Instance, ObjectiveKind, Period, Seats, Timetable, UNPLACED, export};
use gridwright_core::result::Encoded;
use gridwright_core::text::columns::plain;
use gridwright_core::text::lines::{self, Problems, counted, listed, number, quoted};
use gridwright_core::text::table::{Row, Table};
use gridwright_core::text::{Source, ending};
use gridwright_core::text::{sheets, values};
use gridwright_core::{Error, Result, files};
use rooms::{Line, gathered, miscounted, room_of, rooms_of, rooms_of_line, sittings_of};
use students::StudentRooms;

/// Options for reading a timetable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SolutionOptions {
    /// Number of the first period, 0 or 1; `None`: detect.
    pub counted_from: Option<u16>,
}

/// Timetable read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionFile {
    /// The timetable, periods from 0 regardless of the file.
    pub timetable: Timetable,
    /// Number of the first period in the file: 0 or 1.
    pub counted_from: u16,
    /// Differences between the session of the file and that of the instance, a sentence each.
    pub mismatches: Vec<String>,
}

/// Reads a timetable.
///
/// # Errors
/// As [`read_solution_with`].
pub fn read_solution(path: &Path, instance: &Instance) -> Result<SolutionFile> {
    read_solution_with(path, instance, SolutionOptions::default())
}

/// Reads a timetable file.
///
/// Exams are found by their codes. The file may be of an earlier state of the session: exams that it does not name, and
/// those in periods that the session no longer has, are unplaced; both, and codes that the session does not have, are
/// listed.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every exam with two periods and every period that is no number;
/// [`Error::File`] if less than half of the lines fit the instance; [`Error::Usage`] if the instance has no periods yet.
pub fn read_solution_with(path: &Path, instance: &Instance, options: SolutionOptions) -> Result<SolutionFile> {
    let bytes = files::read(path)?;
    if sheets::is_named_workbook(path) {
        return of_workbook(path, &bytes, instance, options);
    }
    let text = files::text(path, bytes)?;
    parse(Source { path, text: &text }, instance, options)
}

/// Reads the sheet with a line for each exam of a workbook that was exported, or the first of another workbook that has columns of
/// exams and periods.
fn of_workbook(path: &Path, bytes: &[u8], instance: &Instance, options: SolutionOptions) -> Result<SolutionFile> {
    let sheets = sheets::sheets(path, bytes)?;
    let exported = PathBuf::from(format!("{}:{}", path.display(), export::EXAM_SHEET));
    let is_plan = |(path, text): &&(PathBuf, String)| Table::open(Source { path, text }, &COLUMNS).is_ok();
    let plan = sheets.iter().filter(is_plan).min_by_key(|(sheet, _)| *sheet != exported);
    let Some((path, text)) = plan else {
        let what = "no sheet of the workbook has columns of exams and periods; export the plan as a workbook or a table (.csv) \
                    and name that file";
        return Err(Error::file(path, what));
    };
    parse(Source { path, text }, instance, options)
}

const COLUMNS: [Column; 9] = [
    EXAM,
    Column::required("period", "slot timeslot periodnumber periodno session periode"),
    PERIODS[1],
    PERIODS[2],
    Column::optional("rooms", "room raum räume hörsaal saal salle salles αίθουσα αίθουσες"),
    Column::optional("students", ""),
    Column::optional("extra_minutes", ""),
    Column::optional("student", "studentid matrikelnummer"),
    Column::optional("sitting", ""),
];
const ROOMS: usize = 4;
const STUDENTS: usize = 5;
const EXTRA: usize = 6;
const STUDENT: usize = 7;
const SITTING: usize = 8;

/// Returns `true` if a file is a timetable by its ending or, a table, by its header: exams with periods and no students,
/// or a table that was exported.
pub fn is_timetable(path: &Path) -> bool {
    /// Maximum length of a header in bytes.
    const HEAD: usize = 4096;
    match ending(path).as_str() {
        "sol" => true,
        "csv" | "tsv" => {
            let start = files::beginning(path, HEAD);
            let text = String::from_utf8_lossy(&start);
            let text = text.trim_start_matches('\u{feff}');
            let has = |columns| Table::open(Source { path: Path::new(""), text }, columns).is_ok();
            has(&COLUMNS) && (!super::csv::has_enrolment_header(text) || export::heads::is_exported(text))
        }
        _ => false,
    }
}

/// Parses a timetable.
///
/// # Errors
/// As [`read_solution_with`].
pub fn parse(source: Source, instance: &Instance, options: SolutionOptions) -> Result<SolutionFile> {
    if instance.period_count() == 0 {
        let name = &instance.name;
        return Err(Error::Usage(format!("{name}: the number of periods is not known; say how many there are")));
    }
    if let Some(timetable) = of_competition(source.text, instance) {
        return Ok(SolutionFile { timetable, counted_from: 0, mismatches: Vec::new() });
    }
    let mut problems = Problems::new(source.path);
    let mut entries = Vec::new();
    let (mut in_doubt, mut lacks_rooms) = (0, false);
    match Table::open(source, &COLUMNS) {
        Ok(table) => {
            in_doubt = 1;
            let is_by_student = table.has(STUDENT);
            let is_of_room = table.header.names.iter().any(|name| plain(name) == "room");
            // Tables by student of former versions have all rooms of the exam.
            lacks_rooms = is_by_student && !is_of_room && table.has(ROOMS) && instance.has_rooms();
            let mut dates = Vec::new();
            table.rows(&mut Problems::up_to(source.path, 0), |_, row| dates.push(row.get(2).to_owned()));
            let order = values::order_of(dates.iter().map(String::as_str)).unwrap_or_default();
            table.rows(&mut problems, |problems, row| {
                let [exam, period, date, start] = [0, 1, 2, 3].map(|column| row.get(column).to_owned());
                let date = stated(problems, &row, &date, |text| values::date(text, order));
                let start = stated(problems, &row, &start, values::time);
                let extra = stated(problems, &row, row.get(EXTRA), values::duration);
                // A period without exams has a line, too.
                if !exam.is_empty() {
                    entries.push(Entry {
                        line: row.line,
                        exam,
                        period,
                        date,
                        start,
                        rooms: (table.has(ROOMS) && !lacks_rooms).then(|| match is_by_student {
                            true => RoomCells::Student {
                                student: row.get(STUDENT).to_owned(),
                                room: row.get(ROOMS).to_owned(),
                            },
                            false => RoomCells::Table {
                                rooms: row.get(ROOMS).to_owned(),
                                students: row.get(STUDENTS).to_owned(),
                                extra,
                                sitting: number(row.get(SITTING), u32::MAX).ok(),
                                is_of_room,
                            },
                        }),
                    });
                }
            });
        }
        Err(error) if matches!(ending(source.path).as_str(), "csv" | "tsv") => return Err(error),
        Err(_) => read_pairs(source, &Index::of(instance), &mut problems, &mut entries),
    }
    let mut file = place(source, instance, options, problems, &entries, in_doubt)?;
    if lacks_rooms {
        let what = "the rooms are not read, since the table names those of the whole exam for each student and not who sits in which; use \
                    the table by exam";
        file.mismatches.push(what.to_owned());
    }
    Ok(file)
}

/// A value that a row of a table states; one that cannot be read becomes a problem. `None` if the cell is empty.
fn stated<T>(problems: &mut Problems, row: &Row, text: &str, read: impl Fn(&str) -> lines::Read<T>) -> Option<T> {
    let value = (!text.is_empty()).then(|| read(text))?;
    value.map_err(|why| problems.line(row.line, why)).ok()
}

/// Reads the competition's format: as many lines `period, room` as the session has exams. `None` if a line differs.
fn of_competition(text: &str, instance: &Instance) -> Option<Timetable> {
    if !instance.has_rooms() || instance.sittings().len() != instance.exam_count() {
        return None;
    }
    let mut timetable = Timetable::default();
    let exams = &instance.exams;
    for (exam, (_, line)) in lines::of(text).filter(|(_, line)| !line.is_empty()).enumerate() {
        let (period, room) = line.split_once(',')?;
        let [period, room]: [u16; 2] = [period.trim().parse().ok()?, room.trim().parse().ok()?];
        let is_known = usize::from(period) < instance.period_count()
            && usize::from(room) < instance.resources.rooms.len()
            && exam < exams.len();
        if !is_known {
            return None;
        }
        timetable.periods.push(period);
        let students = exams[exam].needs.seats.unwrap_or(exams[exam].enrolment);
        timetable.rooms.push(vec![Seats { room, students }]);
    }
    (timetable.periods.len() == exams.len()).then_some(timetable)
}

/// Rooms of an exam as written in the file.
enum RoomCells {
    /// All sittings, as in a `.sol`.
    Sittings(String),
    /// Line of a table: rooms, students, minutes of extra time and number of the sitting, and whether each room has a line.
    Table { rooms: String, students: String, extra: Option<u32>, sitting: Option<u32>, is_of_room: bool },
    /// Line of a table by student: the student and his or her room.
    Student { student: String, room: String },
}

/// Exam and period as written in the file.
struct Entry {
    line: usize,
    exam: String,
    period: String,
    /// Day and start of the period, if the file says them.
    date: Option<NaiveDate>,
    start: Option<NaiveTime>,
    /// Rooms of the exam's sittings, or of one of them, if the file says them.
    rooms: Option<RoomCells>,
}

/// Parses the lines of a `.sol`; `exams` are those of the session.
fn read_pairs(source: Source, exams: &Index<'_>, problems: &mut Problems, entries: &mut Vec<Entry>) {
    for (line, text) in lines::of(source.text).filter(|(_, text)| !text.is_empty()) {
        // A quotation mark may be a sign of the code.
        let code = |quoted: &str| codes::unquoted(quoted).filter(|code| exams.find(code).is_some());
        let behind = codes::split_quoted(text).filter(|(quoted, _)| code(quoted).is_some());
        let start = behind.map_or(0, |(quoted, _)| quoted.len());
        let (text, rooms) = match text[start..].find(" @ ").map(|at| text.split_at(start + at)) {
            Some((text, rooms)) => (text.trim_end(), Some(RoomCells::Sittings(rooms[3..].to_owned()))),
            None => (text, None),
        };
        // Codes may contain blanks; the period is the last token.
        match text.rsplit_once(char::is_whitespace) {
            Some((exam, period)) => {
                let exam = code(exam.trim_end()).unwrap_or_else(|| exam.trim_end().to_owned());
                let period = period.to_owned();
                entries.push(Entry { line, exam, period, date: None, start: None, rooms });
            }
            None => problems.line(line, format!("expected an exam and its period, found {}", quoted(text))),
        }
    }
}

/// Period of an exam as a file states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// No period.
    Nowhere,
    /// Number of the period in the file.
    Number(u32),
    /// Index of the period with the stated date and start; `None` if the session has none.
    Dated(Option<u16>),
}

impl Place {
    /// Place of an entry; the date decides where the session has dates.
    fn of(entry: &Entry, instance: &Instance) -> lines::Read<Self> {
        if entry.period.is_empty() || entry.period == "-" {
            return Ok(Self::Nowhere);
        }
        let number = number(&entry.period, u32::MAX)?;
        if entry.date.is_none() || instance.periods.iter().all(|period| period.date.is_none()) {
            return Ok(Self::Number(number));
        }
        let is_there = |period: &Period| (period.date, period.start) == (entry.date, entry.start);
        Ok(Self::Dated(instance.periods.iter().position(is_there).map(|period| period as u16)))
    }
}

/// Resolves exams and periods; collects errors and what does not match the session.
fn place(
    source: Source, instance: &Instance, options: SolutionOptions, mut problems: Problems, entries: &[Entry],
    in_doubt: u16,
) -> Result<SolutionFile> {
    let (exams, sittings) = (Index::of(instance), instance.sittings());
    let mut places: Vec<Option<(usize, Place)>> = vec![None; instance.exam_count()];
    let mut rooms: Vec<Vec<Vec<Seats>>> = vec![Vec::new(); instance.exam_count()];
    let mut lines: Vec<Vec<Line>> = (0..instance.exam_count()).map(|_| Vec::new()).collect();
    let (mut unknown, mut beyond, mut lost) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut by_student = StudentRooms::of(instance);
    for entry in entries {
        let place = match Place::of(entry, instance) {
            Ok(place) => place,
            Err(why) => {
                problems.line(entry.line, format!("the period of exam {}: {why}", quoted(&entry.exam)));
                continue;
            }
        };
        let Some(exam) = exams.find(&entry.exam).map(usize::from) else {
            unknown.push(entry.exam.as_str());
            continue;
        };
        match places[exam] {
            Some((first, other)) if other != place => {
                let code = quoted(&entry.exam);
                problems.line(entry.line, format!("exam {code} has another period already, in line {first}"));
                continue;
            }
            Some(_) => {}
            None => places[exam] = Some((entry.line, place)),
        }
        let read = match entry.rooms.as_ref().filter(|_| instance.has_rooms()) {
            None => Ok(()),
            Some(RoomCells::Sittings(text)) => {
                rooms_of(text, instance, &mut lost).map(|sittings| rooms[exam] = sittings)
            }
            Some(RoomCells::Student { student, room }) => {
                if by_student.is_room(room) {
                    by_student.add(student, exam, room_of(room, instance, &mut lost), &sittings);
                }
                Ok(())
            }
            Some(RoomCells::Table { rooms, students, extra, sitting, is_of_room }) => {
                let line = |seats| Line { seats, extra: *extra, sitting: *sitting, is_of_room: *is_of_room };
                let is_of_all = |read: &[Vec<Seats>]| read.len() == sittings_of(&sittings, exam).len();
                rooms_of_line(rooms, students, *is_of_room, instance, &mut lost).map(|read| match is_of_all(&read) {
                    true => lines[exam].extend(read.into_iter().map(line)),
                    false => lines[exam].push(line(read.concat())),
                })
            }
        };
        if let Err(why) = read {
            problems.line(entry.line, format!("the rooms: {why}"));
        }
    }
    problems.finish()?;
    for (exam, lines) in lines.into_iter().enumerate().filter(|(_, lines)| !lines.is_empty()) {
        rooms[exam] = gathered(lines, sittings_of(&sittings, exam));
    }
    by_student.fill(&mut rooms, &sittings);
    let periods = instance.period_count();
    let numbers = places.iter().flatten().filter_map(|(_, place)| match place {
        Place::Number(number) => Some(*number as usize),
        _ => None,
    });
    let counted_from = options.counted_from.unwrap_or_else(|| first_period(numbers, periods).unwrap_or(in_doubt));
    let mut timetable = Timetable::unplaced(instance.exam_count());
    for (exam, (_, place)) in places.iter().enumerate().filter_map(|(exam, place)| Some((exam, (*place)?))) {
        let period = match place {
            Place::Nowhere => continue,
            Place::Number(number) => (number as usize).checked_sub(usize::from(counted_from)),
            Place::Dated(period) => period.map(usize::from),
        };
        match period.filter(|&period| period < periods) {
            Some(period) => timetable.periods[exam] = period as u16,
            None => beyond.push(instance.exams[exam].code.as_str()),
        }
    }
    let fits = 2 * (unknown.len() + beyond.len()) <= entries.len() && !entries.is_empty();
    // A table has a line for each room of an exam.
    let mut seen = HashSet::new();
    unknown.retain(|code| seen.insert(*code));
    if !fits {
        let what = format!(
            "less than half of its lines fit {}: {} not known and {} not in its periods; open the session that it was made for",
            instance.name,
            counted(unknown.len(), "exam"),
            counted(beyond.len(), "exam")
        );
        return Err(Error::file(source.path, what));
    }
    let miscounted = miscounted(instance, &sittings, &rooms);
    timetable.rooms = instance.seated(rooms);
    let missing: Vec<&str> = (0..places.len())
        .filter(|&exam| places[exam].is_none())
        .map(|exam| instance.exams[exam].code.as_str())
        .collect();
    let mut mismatches = mismatches(instance, &unknown, &beyond, &missing);
    if instance.has_rooms() && !lost.is_empty() {
        let name = &instance.name;
        let verb = if lost.len() == 1 { "is" } else { "are" };
        let codes: Vec<&str> = lost.iter().map(String::as_str).collect();
        let rooms = counted(lost.len(), "room");
        mismatches.push(format!(
            "{rooms} of the file {verb} not in {name}, so the students there have no seat: {}",
            listed(&codes)
        ));
    }
    mismatches.extend(by_student.mismatch());
    mismatches.extend(miscounted);
    Ok(SolutionFile { timetable, counted_from, mismatches })
}

/// Sentences about codes that the session does not have, exams in periods that it does not have, and exams without a line.
fn mismatches(instance: &Instance, unknown: &[&str], beyond: &[&str], missing: &[&str]) -> Vec<String> {
    let name = &instance.name;
    let sentence = |codes: &[&str], one: &str, several: &str| {
        let what = if codes.len() == 1 { one } else { several };
        (!codes.is_empty()).then(|| format!("{} {what}: {}", counted(codes.len(), "exam"), listed(codes)))
    };
    let not_here = [format!("of the file is not in {name}"), format!("of the file are not in {name}")];
    let elsewhere = [
        format!("was in a period that {name} does not have and has none now"),
        format!("were in periods that {name} does not have and have none now"),
    ];
    let without =
        ["is not in the file and has no period".to_owned(), "are not in the file and have no period".to_owned()];
    [(unknown, not_here), (beyond, elsewhere), (missing, without)]
        .iter()
        .filter_map(|(codes, [one, several])| sentence(codes, one, several))
        .collect()
}

/// Timetable of former exams for the exams that the instance has still, and sentences about the others: as in a table, exams that are
/// not in it have no period. `None` if there are no others, or if less than half of the exams of either are exams of both.
pub(crate) fn carried(instance: &Instance, solution: &Encoded) -> Option<(Timetable, Vec<String>)> {
    let rows = solution.decode::<StoredSolution>()?.rows();
    let known = instance.exam_codes();
    let named: HashSet<usize> = rows.iter().filter_map(|row| known.get(&row.exam)).collect();
    let unknown: Vec<&str> =
        rows.iter().map(|row| row.exam.as_str()).filter(|exam| known.get(exam).is_none()).collect();
    let missing: Vec<&str> = (0..instance.exam_count())
        .filter(|exam| !named.contains(exam))
        .map(|exam| instance.exams[exam].code.as_str())
        .collect();
    let fits = 2 * unknown.len() <= rows.len() && 2 * missing.len() <= instance.exam_count();
    let carried = decode_known(instance, solution)?;
    let names_all = unknown.is_empty() && missing.is_empty();
    if !fits || names_all && decode(instance, solution).is_ok_and(|plain| plain == carried) {
        return None;
    }
    let mut told = mismatches(instance, &unknown, &[], &missing);
    if names_all {
        told.push(
            "rooms are for other numbers of students than the result has; who came since takes free seats".to_owned(),
        );
    }
    Some((carried, told))
}

/// Number of the first period as the numbers show it: a 0 decides, else the number of the last period. `None` if they do
/// not; then a shift changes dates, but no cost.
fn first_period(numbers: impl Iterator<Item = usize> + Clone, periods: usize) -> Option<u16> {
    match (numbers.clone().min()?, numbers.max()?) {
        (0, _) => Some(0),
        (_, last) if last == periods => Some(1),
        _ => None,
    }
}

/// Formats `exam period` per line, periods from 0, `-` for an unplaced exam; with the rooms where the session plans them.
/// Complete timetables of ITC-2007 are written in the competition's format.
pub fn write_solution(instance: &Instance, timetable: &Timetable) -> String {
    if let Some(text) = for_competition(instance, timetable) {
        return text;
    }
    let sittings = instance.sittings();
    let rooms = |exam: usize| {
        let own = sittings.iter().zip(&timetable.rooms).filter(|(sitting, _)| sitting.exam == exam);
        let room = |seats: &Seats| {
            let room = instance.resources.rooms.get(usize::from(seats.room));
            let code = room.map_or_else(|| "?".to_owned(), |room| codes::of_room(&room.code));
            format!("{code}:{}", seats.students)
        };
        let list = own.map(|(_, seats)| seats.iter().map(room).collect::<Vec<_>>().join(", "));
        let list = list.collect::<Vec<_>>().join("; ");
        if timetable.rooms.is_empty() { list } else { format!(" @ {list}") }
    };
    let periods = timetable.periods.iter().chain(std::iter::repeat(&UNPLACED));
    let lines = instance.exams.iter().zip(periods).enumerate().map(|(exam, (data, &period))| match period {
        UNPLACED => format!("{} -\n", codes::of_exam(&data.code)),
        period => format!("{} {period}{}\n", codes::of_exam(&data.code), rooms(exam)),
    });
    lines.collect()
}

/// `period, room` for each exam, if the session is one of ITC-2007 and every exam has a period and one room.
fn for_competition(instance: &Instance, timetable: &Timetable) -> Option<String> {
    let is_complete =
        timetable.periods.len() == instance.exam_count() && timetable.rooms.len() == instance.exam_count();
    if instance.objective.kind != ObjectiveKind::Itc2007 || !is_complete {
        return None;
    }
    let line = |(&period, rooms): (&u16, &Vec<Seats>)| match rooms[..] {
        [Seats { room, .. }] if period != UNPLACED => Some(format!("{period}, {room}\r\n")),
        _ => None,
    };
    timetable.periods.iter().zip(&timetable.rooms).map(line).collect()
}
