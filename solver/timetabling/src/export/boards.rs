//! Notice boards by programme and by examiner: a table of exams with times and rooms for each. As the notice board by day they tell
//! neither cost nor extra time.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveTime;

use crate::counts::placed;
use crate::occupancy::Occupancy;
use crate::{Instance, Timetable, words};
use gridwright_core::Result;
use gridwright_core::export::stamp::Stamp;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::scene::Scene;
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::text::language::Language;
use gridwright_core::text::order::list_key;

use super::sheets::{self, BOTTOM, Column, Sheets, heading, height, row};

/// Groups of the exams on a notice board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Programme of the students.
    Programme,
    /// Examiner.
    Examiner,
}

/// Least height of a row in points.
const LINE: f32 = 18.0;

/// Writes a notice board as PDF.
///
/// # Errors
/// As for [`pages_to_pdf`].
pub(super) fn document(
    kind: Kind, instance: &Instance, timetable: &Timetable, letterhead: &Letterhead, stamp: Option<&Stamp>,
) -> Result<Vec<u8>> {
    let (pages, bookmarks) = pages(kind, instance, timetable, letterhead, stamp);
    pages_to_pdf(&pages, &bookmarks)
}

/// Pages of a notice board with their bookmarks: a programme begins a page, examiners follow each other.
pub(super) fn pages(
    kind: Kind, instance: &Instance, timetable: &Timetable, letterhead: &Letterhead, stamp: Option<&Stamp>,
) -> (Vec<Scene>, Vec<Bookmark>) {
    let board =
        Board { instance, timetable, occupancy: Occupancy::of(instance, timetable), language: letterhead.language };
    let mut sheets = Sheets::new(letterhead, &instance.name);
    for (name, exams) in board.groups(kind) {
        board.group(&mut sheets, kind, &name, &exams);
    }
    let Sheets { mut pages, bookmarks, .. } = sheets;
    if let Some(stamp) = stamp {
        stamp.mark(&mut pages);
    }
    sheets::number(&mut pages, letterhead, &instance.name, true);
    (pages, bookmarks)
}

/// Returns `true` if the session has what the exams are grouped by.
pub(super) fn has_groups(kind: Kind, instance: &Instance) -> bool {
    match kind {
        Kind::Programme => instance.resources.contacts.iter().any(|contact| !contact.programme.trim().is_empty()),
        Kind::Examiner => !instance.resources.people.is_empty(),
    }
}

struct Board<'a> {
    instance: &'a Instance,
    timetable: &'a Timetable,
    /// Rooms; `None` if the timetable has none.
    occupancy: Option<Occupancy<'a>>,
    language: Language,
}

impl Board<'_> {
    /// Exams of each programme or examiner in the order of names, those without one last.
    fn groups(&self, kind: Kind) -> Vec<(String, Vec<usize>)> {
        let resources = &self.instance.resources;
        let mut groups: BTreeMap<_, (String, BTreeSet<usize>)> = BTreeMap::new();
        let mut add = |name: &str, exams: &mut dyn Iterator<Item = usize>| {
            groups.entry(list_key(name)).or_insert_with(|| (name.to_owned(), BTreeSet::new())).1.extend(exams);
        };
        match kind {
            Kind::Programme => {
                let present = |student: usize| student < self.instance.students.len();
                let contacts = resources.contacts.iter().filter(|contact| present(contact.student as usize));
                for contact in contacts.filter(|contact| !contact.programme.trim().is_empty()) {
                    let exams = self.instance.students.exams_of(contact.student as usize).iter();
                    add(contact.programme.trim(), &mut exams.map(|&exam| usize::from(exam)));
                }
            }
            Kind::Examiner => {
                for person in &resources.people {
                    add(&person.name, &mut person.exams.iter().map(|&exam| usize::from(exam)));
                }
            }
        }
        let mut groups: Vec<(String, BTreeSet<usize>)> =
            groups.into_values().filter(|(_, exams)| !exams.is_empty()).collect();
        let grouped: BTreeSet<usize> = groups.iter().flat_map(|(_, exams)| exams).copied().collect();
        let others: BTreeSet<usize> = (0..self.instance.exam_count()).filter(|exam| !grouped.contains(exam)).collect();
        if !others.is_empty() {
            groups.push((words::OTHER_EXAMS.of(self.language).to_owned(), others));
        }
        let sorted = |exams: BTreeSet<usize>| {
            let mut exams: Vec<usize> = exams.into_iter().collect();
            exams.sort_by_cached_key(|&exam| {
                let period = placed(self.instance, self.timetable, exam);
                (period.unwrap_or(usize::MAX), list_key(&self.instance.exams[exam].code))
            });
            exams
        };
        groups.into_iter().map(|(name, exams)| (name, sorted(exams))).collect()
    }

    /// Draws the exams of a programme or examiner.
    fn group(&self, sheets: &mut Sheets<'_>, kind: Kind, name: &str, exams: &[usize]) {
        let [date, time, exam] = [words::DATE, words::TIME, words::EXAM].map(|text| text.of(self.language));
        let rooms = words::ROOMS.of(self.language);
        let columns: Vec<Column> = match self.occupancy.is_some() {
            true => vec![(date, 0.0, false), (time, 135.0, false), (exam, 205.0, false), (rooms, 405.0, false)],
            false => vec![(date, 0.0, false), (time, 135.0, false), (exam, 205.0, false)],
        };
        let head = |sheets: &mut Sheets<'_>, title: &str| {
            sheets.text(MARGIN, 20.0, true, title);
            let count = words::EXAMS_COUNTED.counted(exams.len() as u64, self.language);
            sheets.text(MARGIN, 11.0, false, &format!("{} · {count}", self.instance.name));
            sheets.y += 4.0;
            heading(sheets, &columns);
        };
        let rows: Vec<Vec<String>> = exams.iter().map(|&exam| self.cells(exam)).collect();
        let needed = 80.0 + rows.iter().take(3).map(|cells| height(&columns, cells, LINE)).sum::<f32>();
        let begins_page = kind == Kind::Programme || sheets.pages.is_empty();
        if begins_page || sheets.y + needed > BOTTOM {
            sheets.open();
        } else {
            sheets.y += 16.0;
        }
        head(sheets, name);
        sheets.bookmark(name.to_owned());
        for cells in rows {
            if sheets.y + height(&columns, &cells, LINE) > BOTTOM {
                sheets.open();
                head(sheets, &words::CONTINUED.with(self.language, &[name]));
            }
            row(sheets, &columns, &cells, LINE);
        }
    }

    /// Date, time without extra time, code with title, and the rooms that everyone may read about, if there are rooms.
    fn cells(&self, exam: usize) -> Vec<String> {
        let data = &self.instance.exams[exam];
        let name = [&data.code, &data.title].into_iter().filter(|text| !text.is_empty()).cloned();
        let name = name.collect::<Vec<_>>().join(" · ");
        let (day, time) = match placed(self.instance, self.timetable, exam) {
            None => (words::NO_PERIOD.of(self.language).to_owned(), String::new()),
            Some(period) => (sheets::day(self.instance, period, self.language), self.times(exam, period)),
        };
        let rooms = self.occupancy.as_ref().map(|occupancy| occupancy.public_rooms(exam).join(", "));
        [day, time, name].into_iter().chain(rooms).collect()
    }

    /// Start and end without extra time: «09:00–11:00»; empty without a start.
    fn times(&self, exam: usize, period: usize) -> String {
        let time = |time: NaiveTime| time.format("%H:%M").to_string();
        let start = self.instance.periods[period].start.map(time);
        let end = self.instance.exam_end(exam, period).map(|(end, _)| time(end));
        [start, end].into_iter().flatten().collect::<Vec<_>>().join("–")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::occupancy::tests::seated;
    use crate::{Contact, Person};
    use gridwright_core::testing::{assert_inside, texts};

    /// The session of [`seated`] with two programmes, long names and two examiners.
    fn session() -> (Instance, Timetable) {
        let (mut instance, timetable) = seated();
        instance.exams[0].title =
            "Einführung in die Donaudampfschifffahrtsgesellschaftskunde für Fortgeschrittene".to_owned();
        let contact =
            |student, programme: &str| Contact { student, programme: programme.to_owned(), ..Contact::default() };
        instance.resources.contacts =
            vec![contact(0, "Maschinenbau"), contact(3, "Maschinenbau"), contact(4, "Biologie")];
        let person =
            |name: &str, exam| Person { name: name.to_owned(), exams: [exam].into(), unavailable: BTreeSet::new() };
        instance.resources.people = vec![person("Roth, Eva", 0), person("Abel", 0)];
        (instance, timetable)
    }

    fn board(kind: Kind) -> (Vec<Vec<String>>, Vec<(String, usize)>) {
        let (instance, timetable) = session();
        let letterhead = Letterhead { language: Language::German, ..Letterhead::default() };
        let (pages, bookmarks) = pages(kind, &instance, &timetable, &letterhead, None);
        pages.iter().for_each(assert_inside);
        (
            pages.iter().map(|page| texts(page).into_iter().map(str::to_owned).collect()).collect(),
            bookmarks.into_iter().map(|mark| (mark.text, mark.page)).collect(),
        )
    }

    #[test]
    fn exams_stand_under_programmes_and_examiners_without_extra_time() {
        let (programmes, marks) = board(Kind::Programme);
        assert_eq!(marks, [("Biologie".to_owned(), 0), ("Maschinenbau".to_owned(), 1)]);
        assert!(programmes[0].contains(&"B".to_owned()) && programmes[1].iter().any(|text| text.starts_with("A · ")));
        let (examiners, marks) = board(Kind::Examiner);
        let names: Vec<&str> = marks.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Abel", "Roth, Eva", "Weitere Prüfungen"]);
        assert_eq!(examiners.len(), 1);
        for text in programmes.iter().chain(&examiners).flatten() {
            // Students 2 and 4 end later, in rooms of their own.
            for word in ["10:53", "11:15", "R5", "R6", "Zeitzugabe"] {
                assert!(!text.contains(word), "{word} in {text}");
            }
        }
        assert!(examiners[0].contains(&"09:00–10:30".to_owned()) && examiners[0].contains(&"H1".to_owned()));
        assert!(programmes[1].concat().contains("Montag, 1. Juni 2026"), "{programmes:?}");
    }

    #[test]
    fn a_notice_board_needs_what_it_groups_by() {
        let (instance, timetable) = session();
        let (plain, _) = seated();
        for ending in ["programmes.pdf", "examiners.pdf"] {
            assert!(crate::export::check(&instance, Some(&timetable), ending).is_ok());
            assert!(crate::export::check(&plain, Some(&timetable), ending).is_err());
            assert!(crate::export::export_bytes(&instance, &timetable, ending).is_ok());
        }
    }
}
