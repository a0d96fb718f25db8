//! Changes since the published version as a printed document, a table for each group and then a letter for each student, and as a
//! workbook with a sheet for each group.
//!
//! Extra time and rooms of those who are apart stand in the letters of these persons alone.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};

use super::sheets::{self, BOTTOM, Column, Sheets, heading, height, row};
use super::tables::contacts_by_code;
use crate::publication::{Affected, Appointment, Change};
use crate::words::letters;
use crate::{Contact, Instance, words};
use gridwright_core::Result;
use gridwright_core::data::key;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::scene::Scene;
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::text::language::{Language, Text};
use gridwright_core::workbook::{self, Value, text};

/// Groups with a table each.
const GROUPS: [(Affected, Text, Text); 3] = [
    (Affected::Student, words::STUDENTS, words::STUDENT),
    (Affected::Examiner, words::EXAMINERS, words::EXAMINER),
    (Affected::Room, words::ROOMS, words::ROOM),
];

/// Least height of a row in points.
const LINE: f32 = 16.0;

/// Writes the document as PDF; letters have this date.
///
/// # Errors
/// As for [`pages_to_pdf`].
pub(super) fn document(
    instance: &Instance, changes: &[Change], letterhead: &Letterhead, date: NaiveDate,
) -> Result<Vec<u8>> {
    let (pages, bookmarks) = pages(instance, changes, letterhead, date);
    pages_to_pdf(&pages, &bookmarks)
}

/// Pages of the document with their bookmarks.
pub(super) fn pages(
    instance: &Instance, changes: &[Change], letterhead: &Letterhead, date: NaiveDate,
) -> (Vec<Scene>, Vec<Bookmark>) {
    let (contacts, language) = (contacts_by_code(instance), letterhead.language);
    let mut sheets = Sheets::new(letterhead, &instance.name);
    for (group, title, head) in GROUPS {
        let of_group: Vec<&Change> = changes.iter().filter(|change| change.affected == group).collect();
        table(&mut sheets, (title.of(language), head.of(language)), &of_group, &contacts, language);
    }
    if sheets.pages.is_empty() {
        sheets.open();
        sheets.text(MARGIN, 16.0, true, words::NOTHING_CHANGED.of(language));
    }
    let students: Vec<&Change> = changes.iter().filter(|change| change.affected == Affected::Student).collect();
    sheets::number(&mut sheets.pages, letterhead, &instance.name, false);
    for of_student in students.chunk_by(|one, next| one.who == next.who) {
        let first = sheets.pages.len();
        letter(&mut sheets, of_student, contacts.get(&key(&of_student[0].who)).copied(), date, language);
        // A letter is for its reader alone: it is neither posted nor a page of the list.
        let own = &mut sheets.pages[first..];
        if own.len() > 1 {
            sheets::number(own, letterhead, &instance.name, true);
        }
    }
    let Sheets { pages, bookmarks, .. } = sheets;
    (pages, bookmarks)
}

/// Code or name of whom a change concerns, with the name of a student where it is known.
fn named(change: &Change, contacts: &HashMap<String, &Contact>) -> String {
    let contact = contacts.get(&key(&change.who)).filter(|_| change.affected == Affected::Student);
    let name = contact.map(|contact| contact.full_name()).unwrap_or_default();
    [change.who.clone(), name].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Exam of a change for everyone: which exam is in the room of somebody who is apart is confidential.
fn exam(change: &Change, language: Language) -> String {
    let is_apart = |appointment: &Option<Appointment>| appointment.as_ref().is_some_and(|it| !it.is_public);
    if change.affected == Affected::Room && (is_apart(&change.before) || is_apart(&change.now)) {
        return words::RESERVED_CELL.of(language).to_owned();
    }
    [&change.exam, &change.title].into_iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(" · ")
}

/// Kind of a change for everyone.
fn kind(change: &Change, language: Language) -> &'static str {
    if change.is_confidential() { words::OWN_LETTER.of(language) } else { change.for_everyone().kind().words(language) }
}

/// Date, time with the end, and rooms of an appointment; a dash without one.
fn when(appointment: &Option<Appointment>, language: Language) -> String {
    let Some(appointment) = appointment else { return "–".to_owned() };
    let (when, place) = (&appointment.when, appointment.place(language));
    let end = when.end.filter(|_| when.start.is_some());
    let time = when.words_in(language) + &end.map_or_else(String::new, |end| end.format("–%H:%M").to_string());
    if place.is_empty() { time } else { format!("{time}, {place}") }
}

/// Draws the table of a group; nothing without changes.
fn table(
    sheets: &mut Sheets<'_>, (title, head): (&'static str, &'static str), changes: &[&Change],
    contacts: &HashMap<String, &Contact>, language: Language,
) {
    let columns: [Column; 5] = [
        (head, 0.0, false),
        (words::EXAM.of(language), 110.0, false),
        (words::CHANGE.of(language), 215.0, false),
        (words::BEFORE.of(language), 285.0, false),
        (words::NOW.of(language), 400.0, false),
    ];
    let open = |sheets: &mut Sheets<'_>| {
        sheets.open();
        sheets.text(MARGIN, 16.0, true, &words::CHANGES_OF.with(language, &[title]));
        sheets.y += 8.0;
        heading(sheets, &columns);
    };
    for (number, change) in changes.iter().enumerate() {
        let public = change.for_everyone();
        let cells = [
            named(change, contacts),
            exam(change, language),
            kind(change, language).to_owned(),
            when(&public.before, language),
            when(&public.now, language),
        ];
        if number == 0 {
            open(sheets);
            sheets.bookmark(title.to_owned());
        } else if sheets.y + height(&columns, &cells, LINE) > BOTTOM {
            open(sheets);
        }
        row(sheets, &columns, &cells, LINE);
    }
}

/// Draws the letter of a student.
fn letter(
    sheets: &mut Sheets<'_>, changes: &[&Change], contact: Option<&Contact>, date: NaiveDate, language: Language,
) {
    let columns: [Column; 4] = [
        (words::EXAM.of(language), 0.0, false),
        (words::CHANGE.of(language), 130.0, false),
        (words::BEFORE.of(language), 215.0, false),
        (words::NOW.of(language), 360.0, false),
    ];
    let who = &changes[0].who;
    sheets.open();
    if let Some(contact) = contact {
        let lines = [contact.full_name(), contact.programme.clone()];
        lines.iter().filter(|line| !line.is_empty()).for_each(|line| sheets.text(MARGIN, 11.0, false, line));
    }
    sheets.text(MARGIN, 11.0, false, who);
    sheets.y += 18.0;
    sheets.text(MARGIN, 11.0, false, &language.date(date));
    sheets.y += 24.0;
    sheets.text(MARGIN, 16.0, true, words::YOURS_CHANGED.of(language));
    sheets.y += 12.0;
    sheets.text(MARGIN, 11.0, false, &salutation(contact, language));
    sheets.y += 4.0;
    sheets.text(MARGIN, 11.0, false, letters::LETTER_TEXT.of(language));
    sheets.y += 8.0;
    heading(sheets, &columns);
    sheets.bookmark(words::LETTER_TO.with(language, &[who]));
    for change in changes {
        let kind = change.kind().words(language).to_owned();
        let cells = [exam(change, language), kind, when(&change.before, language), when(&change.now, language)];
        if sheets.y + height(&columns, &cells, LINE) > BOTTOM {
            sheets.open();
            heading(sheets, &columns);
        }
        row(sheets, &columns, &cells, LINE);
    }
    if sheets.y + 40.0 > BOTTOM {
        sheets.open();
    }
    sheets.y += 20.0;
    sheets.text(MARGIN, 11.0, false, letters::REGARDS.of(language));
}

/// Salutation of a student with the name, first names first, where it is known.
fn salutation(contact: Option<&Contact>, language: Language) -> String {
    let name = contact.map(|contact| match contact.name.split_once(',') {
        Some((surname, first)) if contact.first_name.is_empty() => format!("{} {}", first.trim(), surname.trim()),
        _ => format!("{} {}", contact.first_name, contact.name),
    });
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    name.map_or_else(|| letters::DEAR.of(language).to_owned(), |name| letters::DEAR_NAMED.with(language, &[&name]))
}

/// Writes the workbook, with `now` as its time stamp.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if it cannot be written.
pub(super) fn workbook(instance: &Instance, changes: &[Change], now: DateTime<Utc>) -> Result<Vec<u8>> {
    const TIMES: [(&str, f64); 5] = [("Period", 9.0), ("Date", 18.0), ("Start", 9.0), ("End", 9.0), ("Rooms", 20.0)];
    let contacts = contacts_by_code(instance);
    workbook::write(&instance.name, Some(now), |book| {
        let language = Language::English;
        for (group, title, head) in GROUPS {
            let of_group: Vec<&Change> = changes.iter().filter(|change| change.affected == group).collect();
            let mut heads = vec![(head.of(language), 16.0)];
            let is_named = group == Affected::Student && !contacts.is_empty();
            heads.extend(is_named.then_some([("Name", 28.0), ("E-mail", 28.0)]).into_iter().flatten());
            heads.extend([("Exam", 34.0), ("Change", 20.0)]);
            let before = ["Period before", "Date before", "Start before", "End before", "Rooms before"];
            heads.extend(before.into_iter().zip(TIMES.map(|(_, width)| width)));
            heads.extend(TIMES);
            let rows = of_group.len().min(workbook::MAX_ROWS);
            let mut sheet = book.table(title.of(language), &heads, rows)?;
            for (number, change) in (1..).zip(of_group.into_iter().take(rows)) {
                let public = change.for_everyone();
                let contact = contacts.get(&key(&change.who));
                let name = is_named.then(|| {
                    [contact.map(|contact| contact.full_name()), contact.map(|contact| contact.email.clone())]
                });
                let name = name.into_iter().flatten().map(|cell| text(cell.unwrap_or_default()));
                let change_cells = [text(exam(change, language)), text(kind(change, language))];
                let times = [&public.before, &public.now].into_iter().flat_map(cells);
                sheet.row(number, std::iter::once(text(&change.who)).chain(name).chain(change_cells).chain(times))?;
            }
        }
        Ok(())
    })
}

/// Period, date, start, end and rooms of an appointment.
fn cells(appointment: &Option<Appointment>) -> [Value; 5] {
    let Some(appointment) = appointment else { return [const { Value::Blank }; 5] };
    let when = &appointment.when;
    let time = |time: Option<chrono::NaiveTime>| time.map_or(Value::Blank, Value::Time);
    let date = when.date.map_or(Value::Blank, Value::Date);
    let period = Value::Number(when.period.into(), workbook::Style::Ordinal);
    [period, date, time(when.start), time(when.end), text(appointment.place(Language::English))]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::publication::Publication;
    use crate::{Arrangement, Exam, ExtraTime, InstanceParts, Period, Resources, Room, Seats, Timetable};

    /// Student 2 of three gets 30 minutes and a room of his or her own after publication, and exam B moves.
    fn changed() -> (Instance, Vec<Change>) {
        let period = |day| Period {
            date: chrono::NaiveDate::from_ymd_opt(2027, 2, day),
            start: chrono::NaiveTime::from_hms_opt(9, 0, 0),
            end: chrono::NaiveTime::from_hms_opt(12, 0, 0),
            ..Period::default()
        };
        let exam = |code: &str| Exam { code: code.to_owned(), duration: Some(60), ..Exam::default() };
        let room = |code: &str| Room { code: code.to_owned(), seats: 9, ..Room::default() };
        let instance = Instance::build(InstanceParts {
            name: "session".to_owned(),
            exams: vec![exam("A"), exam("B")],
            students: vec![vec![0], vec![0], vec![1]],
            periods: vec![period(1), period(2)],
            resources: Resources { rooms: vec![room("H1"), room("R7")], ..Resources::default() },
            ..InstanceParts::default()
        });
        let instance = instance.unwrap();
        let seats = |room, students| vec![Seats { room, students }];
        let before = Timetable { periods: vec![0, 0], rooms: vec![seats(0, 2), seats(0, 1)] };
        let version = Publication::of(&instance, &before, 1, DateTime::UNIX_EPOCH);
        let mut now = Instance { publications: Arc::new(vec![version]), ..instance };
        now.resources.arrangements = vec![Arrangement { student: 1, extra: ExtraTime::Minutes(30), own_room: true }];
        let after = Timetable { periods: vec![0, 1], rooms: vec![seats(0, 1), seats(1, 1), seats(0, 1)] };
        let changes = now.changes_since_publication(&after).unwrap();
        (now, changes)
    }

    fn day() -> NaiveDate {
        NaiveDate::from_ymd_opt(2027, 1, 9).unwrap()
    }

    /// The sheet of a student is a letter in every language, and says nothing of a list that it would be a page of.
    #[test]
    fn letters_have_a_date_a_salutation_and_a_sentence() {
        let (mut instance, changes) = changed();
        let name = |name: &str, first: &str| Contact {
            student: 1,
            name: name.to_owned(),
            first_name: first.to_owned(),
            ..Contact::default()
        };
        for contact in [name("Bauer", "Ada"), name("Bauer, Ada", "")] {
            instance.resources.contacts = vec![contact];
            for language in <Language as strum::VariantArray>::VARIANTS.iter().copied() {
                let letterhead = Letterhead { language, ..Letterhead::default() };
                let pages = pages(&instance, &changes, &letterhead, day()).0;
                let text = |page: usize| gridwright_core::testing::texts(&pages[page]).join(" ");
                let wanted = [language.date(day()), letters::DEAR_NAMED.with(language, &["Ada Bauer"])];
                for part in wanted.iter().map(String::as_str).chain([letters::REGARDS.of(language)]) {
                    assert!(text(2).contains(part), "{part}: {}", text(2));
                }
                assert!(text(2).contains(letters::LETTER_TEXT.of(language)), "{}", text(2));
                assert!(text(3).contains(letters::DEAR.of(language)), "{}", text(3));
                let foot = words::CONFIDENTIAL.with(language, &[""]);
                assert!(text(0).contains(foot.trim()), "{}", text(0));
                let number = |of: &str| words::PAGE.with(language, &["3", of]);
                for unwanted in [foot.trim(), &number("4"), &words::PAGE.with(language, &["1", "1"])] {
                    assert!(!text(2).contains(unwanted), "{unwanted}: {}", text(2));
                }
            }
        }
    }

    #[test]
    fn extra_time_and_own_rooms_stand_in_the_letter_of_the_person_alone() {
        let (instance, changes) = changed();
        let (pages, bookmarks) = pages(&instance, &changes, &Letterhead::default(), day());
        pages.iter().for_each(gridwright_core::testing::assert_inside);
        let marks: Vec<(&str, usize)> = bookmarks.iter().map(|mark| (mark.text.as_str(), mark.page)).collect();
        assert_eq!(marks, [("Students", 0), ("Rooms", 1), ("Letter: 2", 2), ("Letter: 3", 3)]);
        let text = |page: usize| gridwright_core::testing::texts(&pages[page]).join("\n");
        for page in [0, 1, 3] {
            for word in ["10:30", "extra"] {
                assert!(!text(page).contains(word), "{word} on page {page}: {}", text(page));
            }
        }
        assert!(!text(0).contains("R7") && text(0).contains("see letter"), "{}", text(0));
        assert!(text(1).contains("reserved for an") && text(1).contains("R7"), "{}", text(1));
        assert!(text(2).contains("10:30") && text(2).contains("R7"), "{}", text(2));
        assert!(text(3).contains("other time") && text(3).contains("2 Feb 2027"), "{}", text(3));
        let empty = super::pages(&instance, &[], &Letterhead::default(), day()).0;
        assert_eq!(empty.len(), 1);
        assert!(workbook(&instance, &changes, DateTime::UNIX_EPOCH).is_ok());
    }
}
