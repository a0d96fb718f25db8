//! Workbook (XLSX) of a timetable: summary, exams, periods, rooms, students.

use chrono::{DateTime, Utc};

use crate::check::Verdict;
use crate::counts::{TimetableStatistics, grouped, placed};
use crate::figures::{self, Value as Fact};
use crate::occupancy::Occupancy;
use crate::who_sits_where::WhoSitsWhere;
use crate::{Exam, Instance, Timetable};
use gridwright_core::Result;
use gridwright_core::export::stamp::{self, Stamp};
use gridwright_core::workbook::{self, Book, MAX_ROWS, Sheet, Style, Value, Written, count, text, words};

use super::tables::{Sitting, end_of, examiners, sittings, sittings_of};

/// Name of the sheet with a line for each exam and sitting, from which the plan is read back.
pub(crate) const EXAM_SHEET: &str = "Exams";

/// Heads of the columns of [`period_cells`].
const PERIOD: [(&str, f64); 4] = [("Period", 9.0), ("Date", 18.0), ("Start", 9.0), ("End", 9.0)];

/// Writes the workbook with the sheets `Summary`, `Exams`, `Periods`, `Rooms` if the timetable has rooms, and `Students`;
/// `now` is its time stamp.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if the workbook cannot be written, for instance because a sheet would have too many rows.
pub(super) fn workbook(
    instance: &Instance, timetable: &Timetable, verdict: &Verdict, stamp: Option<&Stamp>, now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    write(instance, timetable, verdict, stamp, now, MAX_ROWS)
}

/// As [`workbook`], with another limit on the rows of a sheet.
pub(super) fn write(
    instance: &Instance, timetable: &Timetable, verdict: &Verdict, stamp: Option<&Stamp>, now: DateTime<Utc>,
    max_rows: usize,
) -> Result<Vec<u8>> {
    let clashing = clashing(instance, timetable);
    let occupancy = Occupancy::of(instance, timetable);
    let occupancy = occupancy.as_ref();
    workbook::write(&instance.name, Some(now), |book| {
        summary(book, instance, timetable, (verdict, stamp), max_rows)?;
        let of_exam = |exam: usize| {
            let period = placed(instance, timetable, exam);
            sittings_of(occupancy, exam).into_iter().map(move |sitting| Line { period, exam: Some(exam), sitting })
        };
        let by_exam: Vec<Line> = (0..instance.exam_count()).flat_map(of_exam).collect();
        exam_sheet(book, instance, occupancy, &by_exam, &clashing, false)?;
        exam_sheet(book, instance, occupancy, &by_period(instance, by_exam), &clashing, true)?;
        occupancy.map_or(Ok(()), |occupancy| room_sheet(book, instance, occupancy, max_rows))?;
        student_sheet(book, instance, timetable, occupancy, max_rows)?;
        stamp.map_or(Ok(()), |stamp| stamp.sheet(book))
    })
}

/// `clashing[e]` = exams in the same period that share students with exam e.
fn clashing(instance: &Instance, timetable: &Timetable) -> Vec<Vec<usize>> {
    (0..instance.exam_count())
        .map(|exam| match placed(instance, timetable, exam) {
            None => Vec::new(),
            period => {
                let others = instance.conflicts.of(exam).map(|(other, _)| other);
                others.filter(|&other| placed(instance, timetable, other) == period).collect()
            }
        })
        .collect()
}

/// Line of a sheet: period and exam, either of which may be missing, and the sitting if the timetable has rooms.
#[derive(Clone, Copy)]
struct Line {
    period: Option<usize>,
    exam: Option<usize>,
    sitting: Option<usize>,
}

/// Lines of the sheet of periods: by period, one for each period without exams; unplaced exams last.
fn by_period(instance: &Instance, mut lines: Vec<Line>) -> Vec<Line> {
    let mut is_empty = vec![true; instance.period_count()];
    lines.iter().filter_map(|line| line.period).for_each(|period| is_empty[period] = false);
    let empty = (0..is_empty.len()).filter(|&period| is_empty[period]);
    lines.extend(empty.map(|period| Line { period: Some(period), exam: None, sitting: None }));
    lines.sort_by_key(|line| (line.period.unwrap_or(usize::MAX), line.exam, line.sitting));
    lines
}

/// Number from 1, date and start of a period, and the end of the exam or, without one, of the period; empty cells without a
/// period.
fn period_cells(instance: &Instance, occupancy: Option<&Occupancy<'_>>, line: Line) -> [Value; 4] {
    let stated = line.period.and_then(|number| instance.periods.get(number).map(|period| (number, period)));
    let Some((number, period)) = stated else { return [const { Value::Blank }; 4] };
    let end = end_of(instance, occupancy, line.exam, line.sitting, line.period);
    let [start, end] = [period.start, end].map(|time| time.map_or(Value::Blank, Value::Time));
    [ordinal(number), period.date.map_or(Value::Blank, Value::Date), start, end]
}

/// Number of a period, from 1.
fn ordinal(period: usize) -> Value {
    Value::Number((period + 1) as f64, Style::Ordinal)
}

fn plain(number: impl Into<f64>) -> Value {
    Value::Number(number.into(), Style::Plain)
}

/// Widths of the columns with codes and titles of exams, in characters.
fn exam_widths(instance: &Instance) -> (f64, f64) {
    let longest = |text: fn(&Exam) -> &str| instance.exams.iter().map(|exam| text(exam).chars().count()).max();
    let (code, title) = (longest(|exam| &exam.code), longest(|exam| &exam.title));
    (code.unwrap_or(0).clamp(8, 30) as f64 + 2.0, title.unwrap_or(0).clamp(8, 48) as f64 + 2.0)
}

fn exam_sheet(
    book: &mut Book, instance: &Instance, occupancy: Option<&Occupancy<'_>>, lines: &[Line], clashing: &[Vec<usize>],
    by_period: bool,
) -> Written {
    let (codes, titles) = exam_widths(instance);
    let exam = [("Code", codes), ("Title", titles), ("Students", 11.0)];
    let rooms: &[(&str, f64)] = if occupancy.is_some() { &[("Extra minutes", 10.0), ("Rooms", 30.0)] } else { &[] };
    let people = examiners(instance);
    let named: &[(&str, f64)] = if people.is_some() { &[("Examiners", 28.0)] } else { &[] };
    let rest = [&[("Minutes", 10.0)][..], rooms, named, &[("Conflicting exams", 12.0), ("Remark", 44.0)]].concat();
    let (name, heads) = match by_period {
        true => ("Periods", [&PERIOD[..], &exam, &rest].concat()),
        false => (EXAM_SHEET, [&exam[..], &PERIOD, &rest].concat()),
    };
    let mut sheet = book.table(name, &heads, lines.len())?;
    for (row, &line) in (1..).zip(lines) {
        let Line { period, exam, sitting } = line;
        let times = period_cells(instance, occupancy, line).into_iter();
        let seated = occupancy.zip(sitting).map(|(occupancy, at)| (occupancy.sitting(at), occupancy.words(at)));
        let Some(exam) = exam else {
            sheet.row(row, times)?;
            continue;
        };
        let data = &instance.exams[exam];
        let remark = match period {
            None => Value::Text("no period".to_owned(), Style::Bad),
            Some(_) if clashing[exam].is_empty() => Value::Blank,
            Some(_) => {
                let codes = clashing[exam].iter().map(|&other| instance.exams[other].code.as_str());
                Value::Text(format!("clashes with {}", codes.collect::<Vec<_>>().join(", ")), Style::Bad)
            }
        };
        let students = seated.as_ref().map_or(data.enrolment, |(sitting, _)| sitting.students);
        let exam_cells = [text(&data.code), text(&data.title), count(students.into())].into_iter();
        let minutes = data.duration.map_or(Value::Blank, plain);
        let rooms = seated.into_iter().flat_map(|(sitting, rooms)| [plain(sitting.extra), text(rooms)]);
        let people = people.as_ref().map(|people| text(&people[exam]));
        let further = [plain(instance.conflicts.degree(exam) as f64), remark];
        let rest = [minutes].into_iter().chain(rooms).chain(people).chain(further);
        match by_period {
            true => sheet.row(row, times.chain(exam_cells).chain(rest))?,
            false => sheet.row(row, exam_cells.chain(times).chain(rest))?,
        }
    }
    Ok(())
}

/// Writes the use of the rooms by period: exams, students, seats and free seats.
fn room_sheet(book: &mut Book, instance: &Instance, occupancy: &Occupancy<'_>, max_rows: usize) -> Written {
    let uses = occupancy.uses();
    let (codes, titles) = exam_widths(instance);
    let room = [("Room", 12.0), ("Building", 16.0), ("Code", codes), ("Title", titles)];
    let numbers = [("Students", 11.0), ("Extra minutes", 10.0), ("Seats", 9.0), ("Free", 9.0)];
    let people = examiners(instance);
    let named: &[(&str, f64)] = if people.is_some() { &[("Examiners", 28.0)] } else { &[] };
    let heads = [&PERIOD[..], &room, &numbers, named].concat();
    let mut sheet = book.table("Rooms", &heads, uses.len().min(max_rows))?;
    for (row, of) in (1..).zip(uses.iter().take(max_rows)) {
        let (sitting, room) = (occupancy.sitting(of.sitting), &instance.resources.rooms[of.room]);
        let data = &instance.exams[sitting.exam];
        let line = Line { period: Some(of.period), exam: Some(sitting.exam), sitting: Some(of.sitting) };
        let texts = [&room.code, &room.building, &data.code, &data.title].map(text);
        let free = Value::Number(of.free as f64, if of.free < 0 { Style::Bad } else { Style::Plain });
        let numbers = [count(of.students.into()), plain(sitting.extra), count(room.seats.into()), free];
        let people = people.as_ref().map(|people| text(&people[sitting.exam]));
        let times = period_cells(instance, Some(occupancy), line).into_iter();
        sheet.row(row, times.chain(texts).chain(numbers).chain(people))?;
    }
    Ok(())
}

fn student_sheet(
    book: &mut Book, instance: &Instance, timetable: &Timetable, occupancy: Option<&Occupancy<'_>>, max_rows: usize,
) -> Written {
    let rows = instance.enrolments().min(max_rows);
    let (codes, titles) = exam_widths(instance);
    let exam = [("Student", 14.0), ("Code", codes), ("Title", titles)];
    const ROOM: [(&str, f64); 3] = [("Extra minutes", 10.0), ("Room", 16.0), ("Seat", 8.0)];
    let has_seats = instance.resources.has_seat_plans();
    let room = if occupancy.is_some() { &ROOM[..2 + usize::from(has_seats)] } else { &[] };
    let contacts = instance.resources.contacts_by_student();
    let has_names = !contacts.is_empty();
    let name: &[(&str, f64)] = if has_names { &[("Name", 28.0)] } else { &[] };
    let heads = [&exam[..1], name, &exam[1..], &PERIOD, &[("Periods since the exam before", 17.0)], room].concat();
    let who = occupancy.map(|occupancy| (occupancy, WhoSitsWhere::of(instance, occupancy)));
    let mut sheet = book.table("Students", &heads, rows)?;
    let students = 0..instance.students.len();
    let all = students.flat_map(|student| {
        let code = instance.students.code(student);
        sittings(instance, timetable, student).into_iter().map(move |sitting| (student, code.clone(), sitting))
    });
    for (row, (student, code, Sitting { exam, period, gap })) in (1..).zip(all.take(rows)) {
        let data = &instance.exams[exam];
        let gap = match gap {
            Some(0) => Value::Number(0.0, Style::Bad),
            gap => gap.map_or(Value::Blank, |gap| plain(gap as f64)),
        };
        let name = contacts.get(&student).map_or_else(String::new, |contact| contact.full_name());
        let name = has_names.then(|| text(name));
        let cells = std::iter::once(text(code)).chain(name).chain([text(&data.code), text(&data.title)]);
        let mut times = period_cells(instance, occupancy, Line { period, exam: Some(exam), sitting: None });
        let mut room = None;
        if let Some((occupancy, who)) = &who {
            let end = period.and_then(|period| occupancy.end_for(student, exam, period));
            times[3] = end.map_or(Value::Blank, |(end, _)| Value::Time(end));
            let seat = has_seats.then(|| text(who.seat_label(student, exam)));
            let cells = [plain(occupancy.extra_of(student, exam)), text(who.room_words(student, exam))];
            room = Some(cells.into_iter().chain(seat));
        }
        sheet.row(row, cells.chain(times).chain([gap]).chain(room.into_iter().flatten()))?;
    }
    Ok(())
}

fn summary(
    book: &mut Book, instance: &Instance, timetable: &Timetable, (verdict, stamp): (&Verdict, Option<&Stamp>),
    max_rows: usize,
) -> Written {
    let counts = TimetableStatistics::of(instance, timetable);
    let found = stamp::verdict(stamp, "Clash-free and complete, as checked");
    let mut sheet = book.summary(&instance.name, found, stamp.is_none())?;
    let figures = figures::of_timetable(instance, &counts, verdict.raw).into_iter();
    let components = figures::of_components(instance, &verdict.components);
    let figures = figures.chain(components).chain(figures::of_instance(instance)).map(|fact| match fact.value {
        Fact::Text(text) => (fact.label, words(text)),
        Fact::Count(number) => (fact.label, count(number)),
        Fact::Cost(cost) => (fact.label, Value::Number(cost, Style::Cost)),
    });
    let mut row = sheet.figures(3, figures)?;
    if instance.enrolments() > max_rows {
        let text = format!(
            "The sheet “Students” ends after {} of {} rows, because a sheet cannot hold more; the students of the last rows are missing there",
            grouped(max_rows as u64),
            grouped(instance.enrolments() as u64)
        );
        sheet.put(row + 1, 0, Value::Text(text, Style::Bad))?;
        row += 2;
    }
    loads(&mut sheet, instance, &counts, row + 1)
}

/// Writes exams, students and seats of each period.
fn loads(sheet: &mut Sheet<'_>, instance: &Instance, counts: &TimetableStatistics, first: u32) -> Written {
    sheet.heads(first, ["Period", "When", "Exams", "Students", "Seats"])?;
    let lines = counts.loads.iter().zip(&instance.periods).enumerate();
    for (row, (number, (load, period))) in (first + 1..).zip(lines) {
        let is_full = period.seats.is_some_and(|seats| load.students > seats);
        let students = Value::Number(load.students.into(), if is_full { Style::Bad } else { Style::Count });
        let seats = period.seats.map_or(Value::Blank, |seats| count(seats.into()));
        let when = text(instance.period_label(number));
        sheet.row(row, [ordinal(number), when, count(load.exams.into()), students, seats])?;
    }
    Ok(())
}
