//! Tables and documents of timetables with rooms, and of changes since publication.

use super::*;

/// Cells of a table of the timetable with rooms ([`seated`]).
fn seated_lines(ending: &str) -> Vec<Vec<String>> {
    let (instance, timetable) = seated();
    let table = text(&instance, &timetable, ending);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes());
    let lines = reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>());
    lines
        .map(|mut line| {
            line[0] = line[0].trim_start_matches('\u{feff}').to_owned();
            line
        })
        .collect()
}

#[test]
fn exported_tables_without_students_are_timetables_and_no_sessions() {
    let is_timetable = |head: &[String]| begins_timetable(format!("\u{feff}{}\r\nA,", head.join(",")).as_bytes());
    for (ending, expected) in [("csv", true), ("periods.csv", true), (SEATING, true), ("students.csv", false)] {
        assert_eq!(is_timetable(&seated_lines(ending)[0]), expected, "{ending}");
    }
    assert!(!is_timetable(&["student".to_owned(), "exam".to_owned()]));
}

#[test]
fn tables_name_the_rooms_and_give_extra_time_a_line_of_its_own() {
    let by_exam = seated_lines("csv");
    let joined = |lines: &[Vec<String>]| lines.iter().map(|line| line.join("|")).collect::<Vec<_>>();
    assert_eq!(
        joined(&by_exam),
        [
            "code|title|enrolment|period|date|start|end|students|extra_minutes|rooms",
            "A||4|1|2026-06-01|09:00|10:30|2|0|H1 (2)",
            "A||4|1|2026-06-01|09:00|10:53|1|23|R5 (1)",
            "A||4|1|2026-06-01|09:00|11:15|1|45|R6 (1)",
            "B||2|1|2026-06-01|09:00|10:00|2|0|H1 (2)",
        ]
    );
    let by_period = seated_lines("periods.csv");
    assert_eq!(by_period.len(), 6, "four sittings, a head and an empty period");
    assert_eq!(by_period[5].join("|"), format!("2|2026-06-01|14:00|17:00{}", "|".repeat(7)));
    // Student 4 of the file has 50 % more and is alone, student 2 has 25 %.
    let by_student = seated_lines("students.csv");
    let of = |line: &Vec<String>| [&line[0], &line[6], &line[8], &line[9]].map(String::clone).join("|");
    assert_eq!(
        by_student[1..5].iter().map(of).collect::<Vec<_>>(),
        ["1|10:30|0|H1", "2|10:53|23|R5", "3|10:30|0|H1", "4|11:15|45|R6"]
    );
    let rooms = seated_lines(SEATING);
    assert_eq!(
        joined(&rooms[1..]),
        [
            "1|2026-06-01|09:00|10:30|H1|Main|A||1|2|0|5|1",
            "1|2026-06-01|09:00|10:00|H1|Main|B||1|2|0|5|1",
            "1|2026-06-01|09:00|10:53|R5|Main|A||2|1|23|2|1",
            "1|2026-06-01|09:00|11:15|R6|Main|A||3|1|45|1|0",
        ]
    );
    let (instance, timetable) = seated();
    for ending in ["csv", "periods.csv", "students.csv", SEATING] {
        assert!(is_exported(text(&instance, &timetable, ending).trim_start_matches('\u{feff}')), "{ending}");
    }
}

#[test]
fn tables_name_the_examiners_and_are_read_back() {
    use crate::formats::solution::{SolutionOptions, parse};
    use gridwright_core::text::Source;
    let (mut instance, timetable) = seated();
    let person = |name: &str, exams: &[u16]| crate::Person {
        name: name.to_owned(),
        exams: exams.iter().copied().collect(),
        ..Default::default()
    };
    instance.resources.people = vec![person("Roth", &[0, 1]), person("Weiß, Eva", &[1])];
    for ending in ["csv", "periods.csv", SEATING] {
        let table = text(&instance, &timetable, ending);
        let table = table.trim_start_matches('\u{feff}');
        assert!(is_exported(table), "{ending}");
        let ends = |end: &str| table.lines().filter(|line| line.ends_with(end)).count();
        assert_eq!((ends(",Roth"), ends(",\"Roth; Weiß, Eva\"")), (3, 1), "{table}");
        let source = Source { path: std::path::Path::new("plan.csv"), text: table };
        let file = parse(source, &instance, SolutionOptions::default()).unwrap();
        assert_eq!((file.timetable, file.mismatches), (timetable.clone(), Vec::new()), "{ending}");
    }
    let mut book = Xlsx::new(Cursor::new(export_bytes_at(&instance, &timetable, "xlsx").unwrap())).unwrap();
    for sheet in ["Exams", "Periods", "Rooms"] {
        let cells = book.worksheet_range(sheet).unwrap();
        assert!(cells.rows().flatten().any(|cell| *cell == "Roth; Weiß, Eva"), "{sheet}");
    }
}

#[test]
fn tables_with_rooms_are_read_with_their_rooms() {
    use crate::formats::solution::{SolutionOptions, parse};
    use gridwright_core::text::Source;
    let (instance, timetable) = seated();
    let read = |name: &str, text: &str| {
        parse(Source { path: std::path::Path::new(name), text }, &instance, SolutionOptions::default()).unwrap()
    };
    for ending in ["csv", "periods.csv", SEATING, "students.csv"] {
        let table = text(&instance, &timetable, ending);
        let file = read("plan.csv", table.trim_start_matches('\u{feff}'));
        assert_eq!((file.timetable, file.mismatches), (timetable.clone(), Vec::new()), "{ending}");
    }
    // A table of a person names one room for each exam.
    let file = read("plan.csv", "exam;period;room\nA;1;H1\nB;1;H9\n");
    assert_eq!(file.timetable.rooms[0], [crate::Seats { room: 0, students: 2 }]);
    assert!(file.mismatches[0].contains("1 room of the file is not in"), "{:?}", file.mismatches);
}

/// Texts of all pages of a printed list.
fn listed(kind: lists::Kind, instance: &Instance, timetable: &Timetable) -> (Vec<Vec<String>>, Vec<String>) {
    let (pages, bookmarks) = lists::pages(kind, instance, timetable, Default::default(), None).unwrap();
    pages.iter().for_each(gridwright_core::testing::assert_inside);
    (pages.iter().map(texts).collect(), bookmarks.into_iter().map(|bookmark| bookmark.text).collect())
}

#[test]
fn registers_have_a_line_for_every_enrolment() {
    let (instance, timetable) = seated();
    let (pages, _) = listed(lists::Kind::Registers, &instance, &timetable);
    assert_eq!(pages.len(), 4, "a page for each exam and room");
    let find = |text: &str| pages.iter().find(|page| page.contains(&text.to_owned())).unwrap().clone();
    let alone = find("+45 min, until 11:15");
    assert!(alone.contains(&"Monday 1 June 2026 · 09:00–10:30 · Room R6 (Main)".to_owned()), "{alone:?}");
    assert!(alone.contains(&"1 student".to_owned()) && alone.contains(&"4".to_owned()), "{alone:?}");
    assert!(pages.iter().all(|page| page.iter().any(|text| text.starts_with("CONFIDENTIAL"))));
    // In the room of the exam, with the names of students.
    let mut instance = instance;
    instance.resources.extra_time = crate::ExtraTimePlace::SameRoom;
    let named = |student, name: &str| crate::Contact { student, name: name.to_owned(), ..Default::default() };
    instance.resources.contacts = vec![named(0, "Roth, Ada"), named(1, "Öz, Bo"), named(2, "Abt, Cy")];
    let seats = |room, students| crate::Seats { room, students };
    let rooms = vec![vec![seats(0, 2), seats(1, 1)], vec![seats(2, 1)], vec![seats(0, 2)]];
    let (pages, bookmarks) = listed(lists::Kind::Registers, &instance, &Timetable { rooms, ..timetable });
    assert_eq!(bookmarks[0], "Monday 1 June 2026 · H1 · A");
    let at = |page: &[String], wanted: &str| page.iter().position(|text| text == wanted).unwrap();
    let first = &pages[0];
    assert!(at(first, "Abt, Cy") < at(first, "Öz, Bo") && at(first, "Öz, Bo") < at(first, "+23 min, until 10:53"));
    assert!(first.contains(&"2 students · A–Ö".to_owned()), "{first:?}");
}

/// Every student of the room with a plan has a seat of his or her own, on the plan, in the register, the table, the calendar and on
/// the page; documents of rooms without plans stay as they are.
#[test]
fn seats_stand_in_every_document() {
    let (mut instance, timetable) = seated();
    assert!(check(&instance, Some(&timetable), "seats.pdf").is_err());
    instance.resources.rooms[0].seat_plan = "2 x 3; without A1".to_owned();
    assert!(check(&instance, Some(&timetable), "seats.pdf").is_ok());
    let (pages, bookmarks) = listed(lists::Kind::Seats, &instance, &timetable);
    assert_eq!((pages.len(), bookmarks), (1, vec!["Monday 1 June 2026 · 09:00 · H1".to_owned()]));
    let page = &pages[0];
    for label in ["Front", "A2", "A3", "B1", "B2", "B3", "A · 2 students", "B · 2 students"] {
        assert!(page.contains(&label.to_owned()), "{label}: {page:?}");
    }
    assert!(!page.contains(&"A1".to_owned()), "{page:?}");
    assert!(page.iter().any(|text| text.starts_with("CONFIDENTIAL")));
    let csv = text(&instance, &timetable, "students.csv");
    let mut seats: Vec<&str> =
        csv.lines().skip(1).filter_map(|line| line.rsplit_once(",H1,")).map(|(_, seat)| seat).collect();
    let place = |seat: &str| page.iter().position(|text| text == seat).unwrap();
    for line in csv.lines().skip(1).filter(|line| line.contains(",H1,")) {
        let (code, seat) = (line.split(',').next().unwrap(), line.rsplit(',').next().unwrap());
        assert_eq!(page[place(seat) + 1], code, "the number stands on the seat");
    }
    seats.sort_unstable();
    seats.dedup();
    assert_eq!(seats.len(), 4, "two exams with two students each: {csv}");
    assert!(is_exported(csv.trim_start_matches('\u{feff}')));
    let (registers, _) = listed(lists::Kind::Registers, &instance, &timetable);
    assert!(registers.iter().any(|page| page.contains(&"Seat".to_owned()) && page.contains(&seats[0].to_owned())));
    let options = ExportOptions { student: Some("1"), ..Default::default() };
    let calendar = export_bytes_with(&instance, &timetable, "ics", &options, DateTime::UNIX_EPOCH).unwrap();
    let calendar = String::from_utf8(calendar).unwrap();
    assert!(calendar.contains("LOCATION:H1\\, seat "), "{calendar}");
    // Ten seats of a row are too narrow for these numbers, which stand in a table then.
    instance.resources.rooms[0].seat_plan = "20 x 30".to_owned();
    let (pages, _) = listed(lists::Kind::Seats, &instance, &timetable);
    assert_eq!(pages.len(), 2);
    assert!(
        pages[1].contains(&"Room H1 (continued)".to_owned()) && pages[1].contains(&"A4".to_owned()),
        "{:?}",
        pages[1]
    );
}

#[test]
fn packing_lists_count_papers_and_extra_time() {
    let (mut instance, timetable) = seated();
    instance.exams[0].needs.features = ["calculator".to_owned()].into();
    let (pages, bookmarks) = listed(lists::Kind::Packing, &instance, &timetable);
    assert_eq!(bookmarks, ["Monday 1 June 2026 · 09:00 · Period 1"]);
    for wanted in ["R5", "1: +23 min, until 10:53", "calculator", "2", "3"] {
        assert!(pages[0].contains(&wanted.to_owned()), "{wanted}: {pages:?}");
    }
}

/// Public documents hold neither the rooms of students with extra time nor their ends nor a word of it.
#[test]
fn no_public_document_tells_extra_time() {
    use crate::ExtraTimePlace;
    let (instance, timetable) = seated();
    let place = |place: ExtraTimePlace, rooms: Vec<Vec<crate::Seats>>| {
        let mut instance = instance.clone();
        instance.resources.extra_time = place;
        (instance, Timetable { rooms, ..timetable.clone() })
    };
    let seats = |room, students| vec![crate::Seats { room, students }];
    let sessions = [
        place(ExtraTimePlace::Apart, timetable.rooms.clone()),
        place(ExtraTimePlace::SameRoom, vec![seats(0, 3), seats(2, 1), seats(0, 2)]),
        place(ExtraTimePlace::OwnRoom, vec![seats(0, 2), seats(1, 1), seats(2, 1), seats(0, 2)]),
    ];
    for (instance, timetable) in &sessions {
        let (notice, _) = document::pages(instance, timetable, Default::default(), None);
        let notice: Vec<String> = notice.iter().flat_map(texts).collect();
        assert!(notice.contains(&"until 10:30 · H1".to_owned()), "{notice:?}");
        let (doors, _) = listed(lists::Kind::Doors, instance, timetable);
        let door = |room: &str| doors.iter().find(|page| page.contains(&room.to_owned())).unwrap();
        assert!(door("H1").contains(&"09:00–10:30".to_owned()));
        assert!(door("R6").contains(&"Reserved for an examination".to_owned()), "{doors:?}");
        let session = text(instance, timetable, "ics");
        let doors = doors.concat();
        let public = [notice.join("\n"), session, doors.join("\n")];
        for document in &public {
            for word in ["10:53", "105300", "11:15", "111500", "extra", "Extra", "+23", "+45", "R5 (", "R6 ("] {
                assert!(!document.contains(word), "{word}: {document}");
            }
        }
        // Only doors name the rooms, without the exam.
        assert!(!public[0].contains("R6") && !public[1].contains("R6"));
        let svg = text(instance, timetable, "svg");
        assert!(!svg.contains("R6") && !svg.contains("R5"), "{svg}");
    }
}

#[test]
fn doors_have_a_sheet_per_room_and_day() {
    let (instance, timetable) = seated();
    let (pages, bookmarks) = listed(lists::Kind::Doors, &instance, &timetable);
    assert_eq!(bookmarks, ["H1: Monday 1 June 2026", "R5: Monday 1 June 2026", "R6: Monday 1 June 2026"]);
    for wanted in ["H1", "Main", "Monday 1 June 2026", "09:00–10:30", "A", "2 students", "09:00–10:00", "B"] {
        assert!(pages[0].contains(&wanted.to_owned()), "{wanted}: {:?}", pages[0]);
    }
    let none = Timetable { rooms: vec![Vec::new(); 4], ..timetable };
    assert!(lists::pages(lists::Kind::Doors, &instance, &none, Default::default(), None).is_none());
}

/// A common room that students of two exams with extra time share.
#[test]
fn a_common_room_is_one_entry_at_its_door_and_one_register() {
    let (mut instance, timetable) = common_room();
    let (doors, _) = listed(lists::Kind::Doors, &instance, &timetable);
    let door = doors.iter().find(|page| page.contains(&"R5".to_owned())).unwrap();
    let count = |text: &str| door.iter().filter(|line| line.as_str() == text).count();
    assert_eq!((count("from 09:00"), count("Reserved for an examination")), (1, 1), "{door:?}");
    assert!(!doors.concat().iter().any(|text| text.contains("xtra")));
    let (registers, bookmarks) = listed(lists::Kind::Registers, &instance, &timetable);
    let day = "Monday 1 June 2026";
    assert_eq!(bookmarks, ["H1 · A", "H1 · B", "R5 · Extra time"].map(|text| format!("{day} · {text}")));
    for wanted in [
        "Extra time",
        "Monday 1 June 2026 · from 09:00 · Room R5 (Main)",
        "2 students",
        "Exam",
        "A",
        "B",
        "+23 min, until 10:53",
        "+30 min, until 10:30",
    ] {
        assert!(registers[2].contains(&wanted.to_owned()), "{wanted}: {:?}", registers[2]);
    }
    // Students apart from the others of their exam sign on a page for each exam.
    instance.resources.extra_time = crate::ExtraTimePlace::Apart;
    assert_eq!(listed(lists::Kind::Registers, &instance, &timetable).1.len(), 4);
}

#[test]
fn workbook_and_document_list_the_rooms() {
    let (mut instance, timetable) = seated();
    instance.objective = crate::Objective::of(crate::ObjectiveKind::Office);
    let bytes = export_bytes_at(&instance, &timetable, "xlsx").unwrap();
    let mut book = Xlsx::new(Cursor::new(bytes)).unwrap();
    let rooms = book.worksheet_range("Rooms").unwrap();
    assert_eq!(rooms.height(), 5);
    let row: Vec<String> = rooms.rows().nth(4).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(
        (row[4].as_str(), row[6].as_str(), row[8].as_str(), &row[10..]),
        ("R6", "A", "1", &["1".to_owned(), "0".to_owned()][..])
    );
    let exams = book.worksheet_range("Exams").unwrap();
    assert_eq!(exams.height(), 5);
    assert!(exams.rows().any(|row| row.iter().any(|cell| *cell == "R5 (1)")));
    let summary = book.worksheet_range("Summary").unwrap();
    let cells: Vec<String> = summary.rows().flatten().map(ToString::to_string).collect();
    assert!(cells.iter().any(|cell| cell == "Office") && cells.iter().any(|cell| cell == "Cost (Office)"), "{cells:?}");
    assert!(cells.iter().any(|cell| cell == "Times that a student has two exams in a row: cost"), "{cells:?}");
    let (pages, _) = document::pages(&instance, &timetable, &Letterhead::default(), None);
    let texts: Vec<&str> = pages.iter().flat_map(|page| page.shapes.iter()).filter_map(shape_text).collect();
    for expected in ["until 10:30 · H1", "until 10:00 · H1"] {
        assert!(texts.contains(&expected), "{expected}: {texts:?}");
    }
    // Without rooms nothing of them is written.
    let plain = Timetable::of(timetable.periods.clone());
    let book = Xlsx::new(Cursor::new(export_bytes_at(&instance, &plain, "xlsx").unwrap())).unwrap();
    assert!(!book.sheet_names().contains(&"Rooms".to_owned()));
}

fn shape_text(shape: &gridwright_core::scene::Shape) -> Option<&str> {
    match shape {
        gridwright_core::scene::Shape::Text { text, .. } => Some(text),
        _ => None,
    }
}

/// Changes since the published version have a line for everyone whom they concern, with name and address where they are known.
#[test]
fn changes_are_listed_for_everyone_whom_they_concern() {
    use crate::publication::Publication;
    use crate::{Contact, Person};
    let (mut instance, timetable) = seated();
    instance.resources.people = vec![Person { name: "Roth".to_owned(), exams: [1].into(), ..Person::default() }];
    let contact = Contact { student: 4, name: "Kim".to_owned(), email: "kim@x.org".to_owned(), ..Contact::default() };
    instance.resources.contacts = vec![contact];
    let missing = check(&instance, Some(&timetable), CHANGES).unwrap_err();
    assert!(missing.in_window.contains("publish the timetable first"));
    instance.publications = vec![Publication::of(&instance, &timetable, 1, DateTime::UNIX_EPOCH)].into();
    let head = heads::changes_head(true).join(",");
    assert_eq!(text(&instance, &timetable, CHANGES).trim_start_matches('\u{feff}').trim_end(), head);
    assert!(heads::is_exported(&head));
    let moved = Timetable { periods: vec![0, 1], ..timetable };
    let listed = text(&instance, &moved, CHANGES);
    let lines: Vec<&str> = listed.trim_start_matches('\u{feff}').lines().skip(1).collect();
    let times = "B,,other time,1,2026-06-01,09:00,10:00,H1,2,2026-06-01,14:00,15:00,H1";
    let starts = ["exam,,,,,", "student,5,Kim,,,kim@x.org", "student,6,,,,", "examiner,Roth,,,,", "room,H1,,,,"];
    assert_eq!(lines.len(), starts.len(), "{listed}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start) && line.ends_with(times), "{line}");
    }
}

/// The archive of all documents has every other format, and nothing confidential in the folder for everyone.
#[test]
fn all_documents_are_in_one_archive() {
    use std::io::Read as _;
    let (instance, timetable) = seated();
    let bytes = export_bytes_with(&instance, &timetable, ALL, &ExportOptions::default(), DateTime::UNIX_EPOCH).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut names = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        let name = file.name().unwrap().into_owned();
        let ending = FORMATS.iter().map(|format| format.ending).find(|ending| {
            name == format!("seated/public/seated.{ending}") || name == format!("seated/confidential/seated.{ending}")
        });
        let ending = ending.unwrap_or_else(|| panic!("{name}"));
        let alone = export_bytes_with(&instance, &timetable, ending, &ExportOptions::default(), DateTime::UNIX_EPOCH);
        assert!(content == alone.unwrap(), "{name}");
        if name.contains("public") && !ending.ends_with("pdf") && ending != "png" {
            let content = String::from_utf8(content).unwrap();
            // Behind this, a page has encrypted records, in which any letters may follow each other.
            let content = content.split("<script type=").next().unwrap();
            assert!(!content.contains("105300") && !content.contains("R6"), "{name}");
        }
        names.push(ending);
    }
    let expected: Vec<&str> = FORMATS
        .iter()
        .map(|format| format.ending)
        .filter(|it| {
            *it != ALL && !is_of_changes(it) && !is_of_duties(it) && *it != "seats.pdf" && board_kind(it).is_none()
        })
        .collect();
    assert_eq!(names, expected);
}

/// The archive tells how many of its documents are written, and ends without one that is no longer wanted.
#[test]
fn an_archive_counts_its_documents_and_can_be_cancelled() {
    let (instance, timetable) = seated();
    let writing = Writing::default();
    let options = ExportOptions { writing: Some(&writing), ..ExportOptions::default() };
    let written = || export_bytes_with(&instance, &timetable, ALL, &options, DateTime::UNIX_EPOCH);
    assert_eq!(writing.progress(), None);
    let documents = zip::ZipArchive::new(std::io::Cursor::new(written().unwrap())).unwrap().len() as u64;
    assert_eq!(writing.progress(), Some((documents, documents)));
    writing.cancel();
    assert!(matches!(written(), Err(gridwright_core::Error::Cancelled)));
    assert_eq!(writing.progress(), Some((documents, documents)), "no further document was written");
}

/// Violations of rooms would tell who sits alone: documents for everyone count them and name no exam.
#[test]
fn public_documents_do_not_describe_violations_of_rooms() {
    let (instance, timetable) = seated();
    let unseated = Timetable { rooms: vec![Vec::new(); 4], ..timetable };
    let svg = text(&instance, &unseated, "svg");
    assert!(svg.contains("Not feasible") && !svg.contains("of 1 student"), "{svg}");
    let report = export_bytes(&instance, &unseated, "xlsx").unwrap();
    assert!(!report.is_empty());
    let verdict = check::belongs(&instance, &unseated).unwrap();
    assert!(verdict.violations.iter().any(|violation| violation.text.contains("of 1 student")), "{verdict:?}");
}

/// A workbook for each programme or, without programmes, for each beginning of codes.
#[test]
fn check_sheets_list_the_exams_of_each_department() {
    let (mut instance, timetable) = seated();
    instance.exams[0].code = "MAT101".to_owned();
    instance.exams[1].code = "PHY 7".to_owned();
    let books = |instance: &Instance| -> Vec<(String, Vec<Vec<String>>)> {
        let bytes = export_bytes_at(instance, &timetable, "check-sheets.zip").unwrap();
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let read = |at: usize| {
            let mut file = archive.by_index(at).unwrap();
            let name = file.name().unwrap().rsplit('/').next().unwrap().to_owned();
            let mut bytes = Vec::new();
            std::io::copy(&mut file, &mut bytes).unwrap();
            let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).unwrap();
            let sheet = book.worksheet_range("Exams").unwrap();
            (name, sheet.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect())
        };
        (0..2).map(read).collect()
    };
    let heads = [
        "code", "title", "enrolled", "duration", "own room", "most rooms", "features", "allowed rooms", "seats",
        "wishes", "notes",
    ];
    let of_codes = books(&instance);
    assert_eq!(of_codes.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["MAT.xlsx", "PHY.xlsx"]);
    assert_eq!(of_codes[0].1[0], heads);
    assert_eq!(of_codes[0].1[1][..4], ["MAT101", "", "4", "90"]);
    assert_eq!((of_codes[0].1.len(), &of_codes[1].1[1][..4]), (2, &["PHY 7", "", "2", "60"].map(str::to_owned)[..]));
    // Of the four students of the first exam, two are in one programme and one in another.
    let of =
        |student, programme: &str| crate::Contact { student, programme: programme.to_owned(), ..Default::default() };
    instance.resources.contacts = vec![of(0, "Biology"), of(1, "Arts"), of(2, "Arts"), of(4, "Chemistry")];
    let of_programmes = books(&instance);
    assert_eq!(
        of_programmes.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["Arts.xlsx", "Chemistry.xlsx"]
    );
}
