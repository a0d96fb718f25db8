//! CSV tables of a timetable by exam, by period, by student, and of its rooms.
//!
//! Periods are counted from 1; dates and times are ISO 8601, empty if unknown; an exam ends after its own duration if that
//! is known. Unplaced exams come last. Where the timetable has rooms, each sitting has a line. The tables are for people and begin with a byte order mark.

use super::heads::{ROOM, ROOM_AND_SEAT, ROOMS, changes_head, heads, rooms_head, students_head};
use std::collections::HashMap;

use crate::counts::placed;
use crate::occupancy::Occupancy;
use crate::publication::{Affected, Appointment, Change};
use crate::who_sits_where::WhoSitsWhere;
use crate::{Contact, Instance, Period, Resources, Timetable};
use gridwright_core::data::key;
use gridwright_core::text::language::Language;
use gridwright_core::text::table::for_people;

/// Examiners of each exam: «Roth; Weiß»; `None` if the session has no people.
pub(super) fn examiners(instance: &Instance) -> Option<Vec<String>> {
    let people = &instance.resources.people;
    let of = |exam: usize| {
        let present = people.iter().filter(|person| person.exams.contains(&(exam as u16)));
        present.map(|person| person.name.as_str()).collect::<Vec<_>>().join("; ")
    };
    (!people.is_empty()).then(|| (0..instance.exam_count()).map(of).collect())
}

/// Sittings of an exam; one `None` if the timetable has no rooms.
pub(crate) fn sittings_of(occupancy: Option<&Occupancy<'_>>, exam: usize) -> Vec<Option<usize>> {
    occupancy.map_or_else(|| vec![None], |occupancy| occupancy.of_exam(exam).map(Some).collect())
}

/// Cells of [`ROOMS`]; none if the timetable has no rooms.
fn room_cells(occupancy: Option<&Occupancy<'_>>, sitting: Option<usize>) -> Vec<String> {
    let Some(occupancy) = occupancy else { return Vec::new() };
    let Some(at) = sitting else { return vec![String::new(); ROOMS.len()] };
    let sitting = occupancy.sitting(at);
    vec![sitting.students.to_string(), sitting.extra.to_string(), occupancy.words(at)]
}

/// Formats one line per exam, in the order of the instance.
pub(crate) fn by_exam(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let occupancy = Occupancy::of(instance, timetable);
    let occupancy = occupancy.as_ref();
    let people = examiners(instance);
    let people = people.as_deref();
    let lines = (0..instance.exam_count()).flat_map(|exam| {
        let period = placed(instance, timetable, exam);
        let line = move |sitting| {
            let times = period_cells(instance, end_of(instance, occupancy, Some(exam), sitting, period), period);
            let people = people.map(|people| people[exam].clone());
            let rooms = room_cells(occupancy, sitting);
            exam_cells(instance, exam).into_iter().chain(times).chain(rooms).chain(people).collect()
        };
        sittings_of(occupancy, exam).into_iter().map(line)
    });
    let [head, _] = heads(occupancy.is_some(), people.is_some());
    for_people(&head, lines)
}

/// Formats one line per exam by period, the period in front; a period without exams has a line of its own.
pub(super) fn by_period(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let occupancy = Occupancy::of(instance, timetable);
    let occupancy = occupancy.as_ref();
    let seats = |period: Option<usize>| {
        let seats = period.and_then(|period| instance.periods.get(period)?.seats);
        seats.map(|seats| seats.to_string()).unwrap_or_default()
    };
    let people = examiners(instance);
    let line = |period: Option<usize>, exam: Option<usize>, sitting: Option<usize>| -> Vec<String> {
        let times = period_cells(instance, end_of(instance, occupancy, exam, sitting, period), period);
        let people = people.as_ref().map(|people| exam.map_or_else(String::new, |exam| people[exam].clone()));
        let exam = exam.map_or_else(Default::default, |exam| exam_cells(instance, exam));
        let rooms = room_cells(occupancy, sitting);
        times.into_iter().chain([seats(period)]).chain(exam).chain(rooms).chain(people).collect()
    };
    let mut lines = Vec::with_capacity(instance.exam_count());
    let of_exam = |period: Option<usize>, exam: usize| -> Vec<Vec<String>> {
        sittings_of(occupancy, exam).into_iter().map(|sitting| line(period, Some(exam), sitting)).collect()
    };
    for (period, exams) in timetable.by_period(instance.period_count()).iter().enumerate() {
        match exams.as_slice() {
            [] => lines.push(line(Some(period), None, None)),
            exams => exams.iter().for_each(|&exam| lines.extend(of_exam(Some(period), exam))),
        }
    }
    let missing = (0..instance.exam_count()).filter(|&exam| placed(instance, timetable, exam).is_none());
    lines.extend(missing.flat_map(|exam| of_exam(None, exam)));
    let [_, head] = heads(occupancy.is_some(), people.is_some());
    for_people(&head, lines.into_iter())
}

/// Formats one line per student and exam: students in the order of the instance, the exams of each by period, with the
/// number of periods since the previous exam and, where the timetable has rooms, the student's extra time and room.
pub(crate) fn by_student(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let occupancy = Occupancy::of(instance, timetable);
    let seated = occupancy.as_ref().map(|occupancy| (occupancy, WhoSitsWhere::of(instance, occupancy)));
    let has_seats = instance.resources.has_seat_plans();
    let contacts = instance.resources.contacts_by_student();
    let mut lines = Vec::with_capacity(instance.enrolments());
    for student in 0..instance.students.len() {
        let mut who = vec![instance.students.code(student)];
        if !contacts.is_empty() {
            let Contact { name, first_name, programme, email, .. } =
                contacts.get(&student).map_or_else(Contact::default, |contact| (*contact).clone());
            who.extend([name, first_name, programme, email]);
        }
        for Sitting { exam, period, gap } in sittings(instance, timetable, student) {
            let end = period.and_then(|period| match &seated {
                Some((occupancy, _)) => occupancy.end_for(student, exam, period),
                None => instance.exam_end(exam, period),
            });
            let times = period_cells(instance, end.map(|(end, _)| end), period);
            let [code, title, _] = exam_cells(instance, exam);
            let gap = gap.map(|gap| gap.to_string()).unwrap_or_default();
            let room = seated.iter().flat_map(|(occupancy, seated)| {
                let seat = has_seats.then(|| seated.seat_label(student, exam));
                let room = [occupancy.extra_of(student, exam).to_string(), seated.room_words(student, exam).to_owned()];
                room.into_iter().chain(seat)
            });
            lines.push(who.iter().cloned().chain([code, title]).chain(times).chain([gap]).chain(room).collect());
        }
    }
    let room = match (occupancy.is_some(), has_seats) {
        (false, _) => &[],
        (true, false) => &ROOM[..],
        (true, true) => &ROOM_AND_SEAT[..],
    };
    for_people(&students_head(!contacts.is_empty(), room), lines.into_iter())
}

/// Formats one line per period, room and sitting in it, with the seats that are free; no line if the timetable has no rooms.
pub(crate) fn by_room(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let occupancy = Occupancy::of(instance, timetable);
    let people = examiners(instance);
    let uses = occupancy.iter().flat_map(|occupancy| occupancy.uses().into_iter().map(move |of| (occupancy, of)));
    let lines = uses.map(|(occupancy, of)| {
        let (sitting, room) = (occupancy.sitting(of.sitting), &instance.resources.rooms[of.room]);
        let end = end_of(instance, Some(occupancy), Some(sitting.exam), Some(of.sitting), Some(of.period));
        let [code, title, _] = exam_cells(instance, sitting.exam);
        let numbers = [of.students.to_string(), sitting.extra.to_string(), room.seats.to_string(), of.free.to_string()];
        let sitting_of_exam = of.sitting - occupancy.of_exam(sitting.exam).start + 1;
        let texts = [room.code.clone(), room.building.clone(), code, title, sitting_of_exam.to_string()];
        let people = people.as_ref().map(|people| people[sitting.exam].clone());
        period_cells(instance, end, Some(of.period)).into_iter().chain(texts).chain(numbers).chain(people).collect()
    });
    for_people(&rooms_head(people.is_some()), lines)
}

/// Names and addresses by the [`key`] of the codes of students, of those who have left the session, too.
pub(super) fn contacts_by_code(instance: &Instance) -> HashMap<String, &Contact> {
    let Resources { contacts, absent, .. } = &instance.resources;
    let present = contacts.iter().map(|contact| (key(&instance.students.code(contact.student as usize)), contact));
    present.chain(absent.contacts.iter().map(|(code, contact)| (key(code), contact))).collect()
}

/// Formats one line for each exam, student, examiner and room that something has changed for since the published version, with
/// the former and the present time and room.
pub(super) fn changes(instance: &Instance, changes: &[Change]) -> Vec<u8> {
    let contacts = contacts_by_code(instance);
    let line = |change: &Change| {
        let mut cells = vec![change.affected.word().to_owned(), change.who.clone()];
        if !contacts.is_empty() {
            let contact = contacts.get(&key(&change.who)).filter(|_| change.affected == Affected::Student).copied();
            let Contact { name, first_name, programme, email, .. } = contact.cloned().unwrap_or_default();
            cells.extend([name, first_name, programme, email]);
        }
        cells.extend([change.exam.clone(), change.title.clone(), change.kind().words(Language::English).to_owned()]);
        for appointment in [&change.before, &change.now] {
            let time = |time: Option<chrono::NaiveTime>| time.map(|time| time.format("%H:%M").to_string());
            cells.extend(match appointment {
                None => Default::default(),
                Some(appointment @ Appointment { when, .. }) => [
                    when.period.to_string(),
                    when.date.map(|date| date.to_string()).unwrap_or_default(),
                    time(when.start).unwrap_or_default(),
                    time(when.end).unwrap_or_default(),
                    appointment.place(Language::English),
                ],
            });
        }
        cells
    };
    for_people(&changes_head(!contacts.is_empty()), changes.iter().map(line))
}

/// End of a sitting or exam in its period or, without an exam, of the period.
pub(crate) fn end_of(
    instance: &Instance, occupancy: Option<&Occupancy<'_>>, exam: Option<usize>, sitting: Option<usize>,
    period: Option<usize>,
) -> Option<chrono::NaiveTime> {
    match (occupancy.zip(sitting), exam) {
        (Some((occupancy, sitting)), _) => occupancy.end(sitting, period?).map(|(end, _)| end),
        (None, Some(exam)) => instance.exam_end(exam, period?).map(|(end, _)| end),
        (None, None) => instance.periods.get(period?)?.end,
    }
}

/// Exam of a student.
pub(super) struct Sitting {
    /// Index of the exam.
    pub exam: usize,
    /// Period of the exam, from 0; `None` if unplaced.
    pub period: Option<usize>,
    /// Periods since the student's previous exam; 0 is a clash.
    pub gap: Option<usize>,
}

/// Exams of a student by period; unplaced ones last.
pub(super) fn sittings(instance: &Instance, timetable: &Timetable, student: usize) -> Vec<Sitting> {
    let sits = instance.students.exams_of(student).iter().map(|&exam| usize::from(exam));
    let mut sits: Vec<(usize, usize)> =
        sits.map(|exam| (placed(instance, timetable, exam).unwrap_or(usize::MAX), exam)).collect();
    sits.sort_unstable();
    let mut before = None;
    let sitting = |(period, exam)| {
        let period = Some(period).filter(|&period| period != usize::MAX);
        let gap = period.zip(before).map(|(now, before): (usize, usize)| now - before);
        before = period;
        Sitting { exam, period, gap }
    };
    sits.into_iter().map(sitting).collect()
}

fn exam_cells(instance: &Instance, exam: usize) -> [String; 3] {
    let data = &instance.exams[exam];
    [data.code.clone(), data.title.clone(), data.enrolment.to_string()]
}

/// Number from 1, date and start of a period, and this end.
fn period_cells(instance: &Instance, end: Option<chrono::NaiveTime>, period: Option<usize>) -> [String; 4] {
    let none = Period::default();
    let data = period.and_then(|period| instance.periods.get(period)).unwrap_or(&none);
    let time = |time: Option<chrono::NaiveTime>| time.map(|time| time.format("%H:%M").to_string()).unwrap_or_default();
    [
        period.map(|period| (period + 1).to_string()).unwrap_or_default(),
        data.date.map(|date| date.to_string()).unwrap_or_default(),
        time(data.start),
        time(end),
    ]
}
