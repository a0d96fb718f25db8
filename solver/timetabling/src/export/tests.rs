use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use chrono::{NaiveDate, NaiveTime, TimeZone};
use resvg::usvg::roxmltree;

use super::*;
use crate::occupancy::tests::seated;
use crate::{Exam, InstanceParts, Period, UNPLACED};
use gridwright_core::text::cells::bare;

/// Codes and titles with characters that are special in some format.
const NAMES: [(&str, &str); 5] = [
    ("A,1", "Analysis, part \"one\""),
    ("B;2", "R&D <basics> 'quoted'"),
    ("C\n3", "Line\r\nbreak\tand tab"),
    ("=D4", "=1+1 🎓 emoji"),
    ("Ω5", "Ωμέγα, Прüfung \u{0}\u{b}"),
];

/// Five exams, four students, four periods, on two days if `dated`.
fn instance(dated: bool) -> Instance {
    let time = |hour| NaiveTime::from_hms_opt(hour, 0, 0).filter(|_| dated);
    let period = |p: u32| Period {
        date: NaiveDate::from_ymd_opt(2026, 6, 1 + p / 2).filter(|_| dated),
        start: time(9 + 5 * (p % 2)),
        end: time(11 + 5 * (p % 2)),
        ..Period::default()
    };
    let exam = |(code, title): (&str, &str)| Exam {
        code: code.to_owned(),
        title: title.to_owned(),
        duration: Some(90),
        ..Exam::default()
    };
    Instance::build(InstanceParts {
        name: "spring & <summer>, \"2026\"".to_owned(),
        exams: NAMES.map(exam).to_vec(),
        students: vec![vec![0, 1], vec![0, 2], vec![3, 4], vec![1, 2, 3]],
        student_codes: ["s,1", "s\"2", "=s3", "s4"].map(str::to_owned).to_vec(),
        periods: (0..4).map(period).collect(),
        ..InstanceParts::default()
    })
    .unwrap()
}

fn feasible() -> Timetable {
    Timetable::of(vec![0, 1, 2, 3, 0])
}

/// A and B share a student and a period; E has no period.
fn infeasible() -> Timetable {
    Timetable::of(vec![0, 0, 2, 3, UNPLACED])
}

fn now() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 5, 4, 12, 30, 0).unwrap()
}

fn export_bytes_at(instance: &Instance, timetable: &Timetable, ending: &str) -> Result<Vec<u8>> {
    export_bytes_with(instance, timetable, ending, &ExportOptions::default(), now())
}

fn text(instance: &Instance, timetable: &Timetable, ending: &str) -> String {
    String::from_utf8(export_bytes_at(instance, timetable, ending).unwrap()).unwrap()
}

fn sheets(timetable: &Timetable) -> Xlsx<Cursor<Vec<u8>>> {
    let bytes = export_bytes_at(&instance(true), timetable, "xlsx").unwrap();
    Xlsx::new(Cursor::new(bytes)).unwrap()
}

#[test]
fn every_format_gives_the_same_bytes_again() {
    let (seated, with_rooms) = seated();
    for ending in FORMATS.map(|format| format.ending) {
        for timetable in [feasible(), infeasible()] {
            let bytes = || match needs_rooms(ending) {
                true => export_bytes_at(&seated, &with_rooms, ending).unwrap(),
                false => export_bytes_at(&instance(true), &timetable, ending).unwrap(),
            };
            let first = bytes();
            assert!(!first.is_empty());
            assert!(first == bytes(), "{ending} differs");
        }
    }
}

#[test]
fn the_table_holds_every_exam_in_its_line() {
    let table = text(&instance(true), &infeasible(), "csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    assert_eq!(reader.headers().unwrap(), vec!["code", "title", "enrolment", "period", "date", "start", "end"]);
    let records: Vec<csv::StringRecord> = reader.records().map(|record| record.unwrap()).collect();
    assert_eq!(records.len(), 5);
    for (record, (code, title)) in records.iter().zip(NAMES) {
        assert_eq!((bare(&record[0]), bare(&record[1])), (code, title));
    }
    // No cell is one that a spreadsheet computes.
    assert_eq!((&records[3][0], &records[3][1]), ("'=D4", "'=1+1 🎓 emoji"));
    for record in &records {
        assert!(!record.iter().any(|cell| cell.starts_with(['=', '+', '-', '@'])), "{record:?}");
    }
    assert_eq!(records[3].iter().skip(2).collect::<Vec<_>>(), ["2", "4", "2026-06-02", "14:00", "15:30"]);
    assert_eq!(records[4].iter().skip(2).collect::<Vec<_>>(), ["1", "", "", "", ""]);
}

fn lines(timetable: &Timetable, ending: &str) -> Vec<Vec<String>> {
    let table = text(&instance(true), timetable, ending);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(|cell| bare(cell).to_owned()).collect()).collect()
}

#[test]
fn the_table_of_periods_is_in_the_order_of_the_session() {
    let period_and_code = |timetable: &Timetable| -> Vec<(String, String)> {
        lines(timetable, "periods.csv").into_iter().map(|line| (line[0].clone(), line[5].clone())).collect()
    };
    let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(period, code)| ((*period).to_owned(), (*code).to_owned())).collect()
    };
    let [a, b, c, d, e] = NAMES.map(|name| name.0);
    assert_eq!(period_and_code(&feasible()), pairs(&[("1", a), ("1", e), ("2", b), ("3", c), ("4", d)]));
    // Period 2 is empty and has a line all the same; E has no period and stands at the end.
    assert_eq!(period_and_code(&infeasible()), pairs(&[("1", a), ("1", b), ("2", ""), ("3", c), ("4", d), ("", e)]));
}

#[test]
fn the_table_of_students_has_every_enrolment() {
    let all = lines(&feasible(), "students.csv");
    assert_eq!(all.len(), 9);
    // s4 sits B, C, D in periods 2, 3, 4.
    let last: Vec<[&str; 4]> =
        all[6..].iter().map(|line| [&line[0], &line[1], &line[3], &line[7]].map(|cell| cell.as_str())).collect();
    assert_eq!(last, [["s4", "B;2", "2", ""], ["s4", "C\n3", "3", "1"], ["s4", "=D4", "4", "1"]]);
    assert_eq!(all[8][4..7], ["2026-06-02", "14:00", "15:30"]);
    // A clash is 0 periods after the exam before; without a period there is nothing to count.
    let all = lines(&infeasible(), "students.csv");
    assert_eq!((all[1][1].as_str(), all[1][7].as_str()), ("B;2", "0"));
    assert_eq!(all.iter().filter(|line| line[3].is_empty() && line[7].is_empty()).count(), 1);
}

fn wish(code: &str) -> ExportOptions<'_> {
    ExportOptions { student: Some(code), ..ExportOptions::default() }
}

#[test]
fn a_student_has_a_calendar_alone_and_among_all() {
    let (instance, timetable) = (instance(true), feasible());
    let alone = export_bytes_with(&instance, &timetable, "ics", &wish("s,1"), now()).unwrap();
    let text = String::from_utf8(alone.clone()).unwrap();
    assert_eq!(text.matches("BEGIN:VEVENT\r\n").count(), 2);
    let session = export_bytes_at(&instance, &timetable, "ics").unwrap();
    let session = String::from_utf8(session).unwrap();
    assert!(text.lines().filter(|line| line.starts_with("UID:")).all(|line| session.contains(line)));
    let bytes = export_bytes_at(&instance, &timetable, "students.zip").unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    // Codes that would be the same name are told apart.
    let expected = ["s_1", "s_2", "_s3", "s4"].map(|name| format!("spring____summer____2026_/{name}.ics"));
    assert_eq!(names, expected);
    let mut first = Vec::new();
    std::io::copy(&mut archive.by_index(0).unwrap(), &mut first).unwrap();
    assert!(first == alone);
}

#[test]
fn names_in_the_archive_are_distinct_and_students_without_exams_have_none() {
    let mut twins = instance(true);
    std::sync::Arc::make_mut(&mut twins.students).codes = ["a/1", "A_1", "", ".."].map(str::to_owned).to_vec();
    let names = |instance: &Instance, timetable: &Timetable| -> Vec<String> {
        let bytes = export_bytes_at(instance, timetable, "students.zip").unwrap();
        let archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        archive.file_names().map(|name| name.unwrap().rsplit('/').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&twins, &feasible()), ["a_1.ics", "A_1-2.ics", "unnamed.ics", "unnamed-2.ics"]);
    // Of A, B and E only E keeps its period: s1 and s2 … who sit none that is placed have no calendar.
    let only_e = Timetable::of(vec![UNPLACED, UNPLACED, UNPLACED, UNPLACED, 0]);
    assert_eq!(names(&instance(true), &only_e), ["_s3.ics"]);
}

#[test]
fn an_unknown_student_and_a_student_in_another_format_are_refused() {
    let write = |ending: &str, code: &str| {
        export_bytes_with(&instance(true), &feasible(), ending, &wish(code), now()).unwrap_err().to_string()
    };
    let error = write("ics", "nobody");
    assert!(error.contains("no student “nobody”") && error.contains("“s,1”"), "{error}");
    assert!(write("pdf", "s4").contains("calendar (.ics)"));
}

#[test]
fn the_solution_counts_from_nought() {
    let plain = Instance::build(InstanceParts {
        exams: ["0001", "0002"].map(|code| Exam { code: code.to_owned(), ..Exam::default() }).to_vec(),
        students: vec![vec![0]],
        periods: vec![Period::default(); 3],
        ..InstanceParts::default()
    })
    .unwrap();
    assert_eq!(text(&plain, &Timetable::of(vec![2, UNPLACED]), "sol"), "0001 2\n0002 -\n");
}

#[test]
fn the_calendar_has_one_event_per_placed_exam() {
    let count = |calendar: &str| calendar.matches("BEGIN:VEVENT\r\n").count();
    let calendar = text(&instance(true), &feasible(), "ics");
    assert_eq!(count(&calendar), 5);
    assert!(calendar.starts_with("BEGIN:VCALENDAR\r\n") && calendar.ends_with("END:VCALENDAR\r\n"));
    assert_eq!(calendar.matches("DTSTAMP:20260504T123000Z\r\n").count(), 5);
    // D sits in period 3, the second one of 2 June, and takes 90 minutes of its two hours.
    assert!(calendar.contains("DTSTART:20260602T140000\r\n") && calendar.contains("DTEND:20260602T153000\r\n"));
    let unfolded = calendar.replace("\r\n ", "");
    assert!(unfolded.contains("SUMMARY:A\\,1 Analysis\\, part \"one\"\r\n"), "{unfolded}");
    assert!(unfolded.contains("SUMMARY:C 3 Line  break and tab\r\n"), "{unfolded}");
    assert!(
        unfolded.contains("DESCRIPTION:A\\,1 Analysis\\, part \"one\"\\n2 students\\nPeriod 1\\n90 minutes\r\n"),
        "{unfolded}"
    );
    let ids = |calendar: &str| {
        calendar.lines().filter(|line| line.starts_with("UID:")).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut distinct = ids(&calendar);
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 5);
    // Another plan of the same session updates the same events; what has no period has no event.
    let other = text(&instance(true), &infeasible(), "ics");
    assert_eq!(count(&other), 4);
    assert_eq!(ids(&other), ids(&calendar)[..4]);
    assert!(other.replace("\r\n ", "").contains("Not feasible: 1 clash\\, 1 exam without a period"));
}

/// Times of a calendar file carry the time zone, which the file defines; the zone of an option replaces that of the session.
#[test]
fn calendars_define_the_time_zone_of_the_session() {
    let zoned = Instance { time_zone: Some("Europe/Berlin".parse().unwrap()), ..instance(true) };
    let calendar = text(&zoned, &feasible(), "ics");
    let header = calendar.split("BEGIN:VEVENT").next().unwrap();
    assert_eq!(header.matches("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n").count(), 1, "{calendar}");
    assert!(header.contains("TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n"), "{calendar}");
    assert!(calendar.contains("DTSTART;TZID=Europe/Berlin:20260602T140000\r\n"), "{calendar}");
    assert_eq!(calendar.matches(";TZID=Europe/Berlin:").count(), 10, "start and end of five exams");
    assert!(!calendar.contains("DTSTART:20260602") && calendar.ends_with("END:VCALENDAR\r\n"));
    let time_zone = Some("America/New_York".parse().unwrap());
    let student = zoned.students.code(0);
    let options = ExportOptions { time_zone, student: Some(&student), ..ExportOptions::default() };
    let other = export_bytes_with(&zoned, &feasible(), "ics", &options, now()).unwrap();
    let other = String::from_utf8(other).unwrap();
    assert!(other.contains("DTSTART;TZID=America/New_York:") && !other.contains("Berlin"), "{other}");
    // Without a zone, times are those of the reader.
    assert!(!text(&instance(true), &feasible(), "ics").contains("TZID"));
}

/// Calendars take over an event only if its SEQUENCE is not smaller than that of the event that they hold.
#[test]
fn a_later_export_has_higher_sequences() {
    let sequences = |now| {
        let bytes = export_bytes_with(&instance(true), &feasible(), "ics", &ExportOptions::default(), now).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let of_events = text.lines().filter_map(|line| line.strip_prefix("SEQUENCE:"));
        of_events.map(|number| number.parse::<u32>().unwrap()).collect::<Vec<_>>()
    };
    let [first, second] = [sequences(now()), sequences(now() + chrono::TimeDelta::seconds(1))];
    assert_eq!(first.len(), 5);
    assert!(first.iter().zip(&second).all(|(first, second)| first < second), "{first:?} {second:?}");
}

#[test]
fn a_calendar_without_dates_says_what_to_do_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["plan.ics", "students.zip"] {
        let path = folder.path().join("deeper").join(name);
        let error = export(&instance(false), &feasible(), &path).unwrap_err();
        assert!(matches!(error, Error::Usage(_)));
        assert!(error.to_string().contains("periods.csv") && error.to_string().contains("date,start,end"), "{error}");
        assert!(!path.exists() && !folder.path().join("deeper").exists());
    }
}

#[test]
fn days_without_times_become_whole_days() {
    let mut whole = instance(true);
    for period in &mut whole.periods {
        (period.start, period.end) = (None, None);
    }
    let calendar = text(&whole, &feasible(), "ics");
    // C in period 3 and D in period 4 take the whole of 2 June, which ends where the 3rd begins.
    assert_eq!(calendar.matches("DTSTART;VALUE=DATE:20260602\r\n").count(), 2, "{calendar}");
    assert_eq!(calendar.matches("DTEND;VALUE=DATE:20260603\r\n").count(), 2, "{calendar}");
}

/// Exam A lasts 150 minutes, half an hour longer than its period; the others last 90 minutes.
#[test]
fn an_exam_ends_at_the_same_time_in_every_format() {
    let mut long = instance(true);
    long.exams[0].duration = Some(150);
    long.exams[1].duration = None;
    let plan = feasible();
    let calendar = text(&long, &plan, "ics");
    let ends: Vec<&str> = calendar.lines().filter_map(|line| line.strip_prefix("DTEND:20260")).collect();
    assert_eq!(ends, ["601T113000", "601T160000", "602T103000", "602T153000", "601T103000"]);
    let column = |ending: &str, code: usize, end: usize| -> Vec<String> {
        let table = text(&long, &plan, ending);
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let lines: Vec<csv::StringRecord> = reader.records().map(|record| record.unwrap()).collect();
        let of = |name: &str| lines.iter().find(|line| bare(&line[code]) == name).unwrap()[end].to_owned();
        NAMES.iter().map(|(name, _)| of(name)).collect()
    };
    let expected = ["11:30", "16:00", "10:30", "15:30", "10:30"];
    assert_eq!(column("csv", 0, 6), expected);
    assert_eq!(column("periods.csv", 5, 3), expected);
    assert_eq!(column("students.csv", 1, 6), expected);
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(export_bytes_at(&long, &plan, "xlsx").unwrap())).unwrap();
    let exams = book.worksheet_range("Exams").unwrap();
    let minutes = |row: u32| match exams.get_value((row, 6)) {
        Some(Data::DateTime(time)) => (time.as_f64() * 24.0 * 60.0).round() as u32,
        other => panic!("no time: {other:?}"),
    };
    assert_eq!((1..6).map(minutes).collect::<Vec<_>>(), [690, 960, 630, 930, 630]);
    let (pages, _) = document::pages(&long, &plan, Default::default(), None);
    let said: Vec<String> = pages.iter().flat_map(texts).collect();
    assert!(said.contains(&"until 11:30 · 2".to_owned()) && said.contains(&"2".to_owned()), "{said:?}");
    assert!(!said.iter().any(|text| text.starts_with("until 16:00")), "that is the end of the period");
}

#[test]
fn tables_for_people_begin_with_a_byte_order_mark_and_are_read_back() {
    for ending in ["csv", "periods.csv", "students.csv"] {
        assert!(
            export_bytes_at(&instance(true), &feasible(), ending).unwrap().starts_with(b"\xef\xbb\xbf"),
            "{ending}"
        );
    }
    assert!(text(&instance(true), &feasible(), "sol").starts_with("A,1 0"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.csv");
    let mut plain = instance(true);
    plain.exams.iter_mut().for_each(|exam| exam.title = "Prüfung".to_owned());
    export(&plain, &feasible(), &path).unwrap();
    let read = crate::formats::solution::read_solution(&path, &plain).unwrap();
    assert_eq!(read.timetable, feasible());
}

#[test]
fn the_sheet_of_periods_has_the_empty_ones() {
    let mut book = sheets(&infeasible());
    let sheet = book.worksheet_range("Periods").unwrap();
    let line =
        |row: u32| [0, 4].map(|column| sheet.get_value((row, column)).map_or(String::new(), ToString::to_string));
    let lines: Vec<[String; 2]> = (1..sheet.height() as u32).map(line).collect();
    let [a, b, c, d, e] = NAMES.map(|name| name.0.replace('\r', ""));
    let expected = [["1", &a], ["1", &b], ["2", ""], ["3", &c], ["4", &d], ["", &e]];
    assert_eq!(lines, expected.map(|line| line.map(str::to_owned)));
}

#[test]
fn every_sheet_of_a_document_is_stamped_and_the_violations_are_listed() {
    let mut crowded = instance(true);
    crowded.periods[0].seats = Some(1);
    let verdict = check::check(&crowded, &infeasible());
    let stamp = Stamp::of(&verdict.violations, &check::NOUNS).unwrap();
    let line = "Not feasible: 1 clash, 1 exam without a period, 1 period without enough seats";
    assert_eq!(stamp.line(), line);
    let (pages, bookmarks) = document::pages(&crowded, &infeasible(), Default::default(), Some(&stamp));
    assert!(pages.iter().all(|page| texts(page).contains(&line.to_owned())));
    assert_eq!(bookmarks.last().unwrap().text, "Violations");
    let listed = texts(pages.last().unwrap());
    assert!(listed.contains(&"period 1 has 1 seats, but 4 are needed".to_owned()), "{listed:?}");
    let svg = text(&crowded, &infeasible(), "svg");
    assert!(svg.contains(line) && svg.contains("period 1 has 1 seats"), "{svg}");
}

#[test]
fn the_workbook_reads_back() {
    let mut book = sheets(&feasible());
    assert_eq!(book.sheet_names(), ["Summary", "Exams", "Periods", "Students"]);
    let by_exam = book.worksheet_range("Exams").unwrap();
    assert_eq!(by_exam.height(), 6);
    for (row, (code, title)) in (1..).zip(NAMES) {
        assert_eq!(by_exam.get_value((row, 0)), Some(&Data::String(code.replace('\r', ""))), "row {row}");
        let read = by_exam.get_value((row, 1)).unwrap().to_string();
        assert_eq!(read.chars().next(), title.chars().next());
    }
    assert_eq!(by_exam.get_value((4, 2)), Some(&Data::Float(2.0)));
    assert_eq!(by_exam.get_value((4, 3)), Some(&Data::Float(4.0)));
    let Some(Data::DateTime(date)) = by_exam.get_value((4, 4)) else {
        panic!("no date: {:?}", by_exam.get_value((4, 4)))
    };
    // 2 June 2026 is day 46,175 of Excel's count.
    assert!((date.as_f64() - 46_175.0).abs() < 1e-9, "{}", date.as_f64());
    let by_period = book.worksheet_range("Periods").unwrap();
    let periods: Vec<f64> =
        (1..6).map(|row| by_period.get_value((row, 0)).unwrap().to_string().parse().unwrap()).collect();
    assert_eq!(periods, [1.0, 1.0, 2.0, 3.0, 4.0]);
    let by_student = book.worksheet_range("Students").unwrap();
    assert_eq!(by_student.height(), 1 + 9);
    assert_eq!(by_student.get_value((5, 0)), Some(&Data::String("=s3".to_owned())));
    // Student s4 sits B, C, D in periods 2, 3, 4.
    let gaps: Vec<String> =
        (7..10).map(|row| by_student.get_value((row, 7)).map_or(String::new(), ToString::to_string)).collect();
    assert_eq!(gaps, ["", "1", "1"]);
    let summary = book.worksheet_range("Summary").unwrap();
    assert_eq!(summary.get_value((0, 0)), Some(&Data::String("spring & <summer>, \"2026\"".to_owned())));
    assert_eq!(summary.get_value((1, 0)).unwrap().to_string(), "Clash-free and complete, as checked");
    // A B: 1 apart, 16; A C: 2 apart, 8; D E: 3 apart, 4; B C D: 16 + 16 + 8; 68 in all for 4 students.
    assert_eq!(summary.get_value((3, 1)), Some(&Data::Float(17.0)));
    assert_eq!(summary.get_value((4, 1)), Some(&Data::Float(68.0)));
}

#[test]
fn the_workbook_says_what_is_wrong() {
    let mut book = sheets(&infeasible());
    let summary = book.worksheet_range("Summary").unwrap();
    assert_eq!(summary.get_value((1, 0)).unwrap().to_string(), "Not feasible: 1 clash, 1 exam without a period");
    let list = book.worksheet_range("Violations").unwrap();
    let all: String = list.used_cells().map(|(_, _, cell)| format!("{cell}\n")).collect();
    assert!(all.contains("has no period") && all.contains("share 1 student"), "{all}");
    let by_exam = book.worksheet_range("Exams").unwrap();
    let remark = |row| by_exam.get_value((row, 9)).map_or(String::new(), ToString::to_string);
    assert_eq!((remark(1).as_str(), remark(5).as_str()), ("clashes with B;2", "no period"));
    assert_eq!(by_exam.get_value((5, 3)), Some(&Data::Empty));
}

#[test]
fn what_a_sheet_cannot_hold_is_said() {
    let (instance, timetable) = (instance(true), feasible());
    let verdict = check::check(&instance, &timetable);
    let bytes = spreadsheet::write(&instance, &timetable, &verdict, None, now(), 6).unwrap();
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    assert_eq!(book.worksheet_range("Students").unwrap().height(), 7);
    let summary = book.worksheet_range("Summary").unwrap();
    let all: String = summary.used_cells().map(|(_, _, cell)| format!("{cell}\n")).collect();
    assert!(all.contains("ends after 6 of 9 rows"), "{all}");
}

#[test]
fn pictures_and_documents_carry_the_warning() {
    for dated in [true, false] {
        let svg = text(&instance(dated), &infeasible(), "svg");
        let document = roxmltree::Document::parse(&svg).unwrap();
        let warning = "Not feasible: 1 clash, 1 exam without a period";
        assert!(document.descendants().any(|node| node.has_tag_name("text") && node.text() == Some(warning)));
        assert!(!text(&instance(dated), &feasible(), "svg").contains("Not feasible"));
        let png = export_bytes(&instance(dated), &infeasible(), "png").unwrap();
        assert!(png.starts_with(b"\x89PNG"));
        let pdf = export_bytes(&instance(dated), &infeasible(), "pdf").unwrap();
        assert!(pdf.starts_with(b"%PDF-"));
    }
}

fn texts(page: &gridwright_core::scene::Scene) -> Vec<String> {
    let text = |shape: &gridwright_core::scene::Shape| match shape {
        gridwright_core::scene::Shape::Text { text, y, .. } => {
            assert!(*y < page.height, "{text} lies below the page");
            Some(text.clone())
        }
        _ => None,
    };
    page.shapes.iter().filter_map(text).collect()
}

/// The document is pinned up: institution, name and dates, but no cost.
#[test]
fn the_notice_board_has_dates_and_no_figures() {
    let mut session = instance(true);
    session.periods.iter_mut().for_each(|period| period.seats = Some(1_000));
    let letterhead = Letterhead::default().with_institution("University of Anywhere");
    let (pages, bookmarks) = document::pages(&session, &feasible(), &letterhead, None);
    let cover = texts(&pages[0]);
    for wanted in ["University of Anywhere", "1 June – 2 June 2026 · 5 exams", "09:00"] {
        assert!(cover.contains(&wanted.to_owned()), "{cover:?}");
    }
    for figure in ["Cost per student", "Part in the cost", "Overfull periods", "Largest period"] {
        assert!(!cover.contains(&figure.to_owned()), "{cover:?}");
    }
    assert_ne!(bookmarks.last().unwrap().page, 0);
    for page in &pages {
        let all = texts(page).join("\n");
        assert!(["Cost", "Overfull", "suffice"].iter().all(|word| !all.contains(word)), "{all}");
    }
    let foot = "University of Anywhere · spring & <summer>";
    assert!(pages.iter().all(|page| texts(page).iter().any(|text| text.starts_with(foot))));
}

#[test]
fn each_day_begins_a_page_of_the_document() {
    let (pages, bookmarks) = document::pages(&instance(true), &feasible(), Default::default(), None);
    assert_eq!(pages.len(), 3);
    let titles: Vec<(&str, usize)> = bookmarks.iter().map(|bookmark| (bookmark.text.as_str(), bookmark.page)).collect();
    assert_eq!(
        titles,
        [
            ("Overview", 0),
            ("Monday 1 June 2026", 1),
            ("Period 1 · 09:00–11:00", 1),
            ("Period 2 · 14:00–16:00", 1),
            ("Tuesday 2 June 2026", 2),
            ("Period 3 · 09:00–11:00", 2),
            ("Period 4 · 14:00–16:00", 2),
        ]
    );
    for (page, day) in [(1, "Monday 1 June 2026"), (2, "Tuesday 2 June 2026")] {
        let words = texts(&pages[page]);
        assert!(words.contains(&day.to_owned()) && words.iter().any(|text| text.starts_with("spring & <summer>")));
        assert!(words.contains(&format!("Page {} of 3", page + 1)));
    }
    // Hundreds of exams in a day take as many pages as they need, and none is lost.
    let date = NaiveDate::from_ymd_opt(2026, 6, 1);
    let crowded = Instance::build(InstanceParts {
        name: "crowded".to_owned(),
        exams: (0..500).map(|i| Exam { code: format!("{i:04}"), ..Exam::default() }).collect(),
        students: vec![vec![0, 1]],
        periods: vec![Period { date, ..Period::default() }; 3],
        ..InstanceParts::default()
    })
    .unwrap();
    let timetable = Timetable::of((0..500).map(|exam| exam % 3).collect());
    let all = document::pages(&crowded, &timetable, Default::default(), None).0;
    let all: Vec<String> = all[1..].iter().flat_map(texts).collect();
    for exam in 0..500 {
        assert_eq!(all.iter().filter(|text| **text == format!("{exam:04}")).count(), 1, "{exam}");
    }
}

#[test]
fn the_document_has_a_place_for_every_period() {
    let many = Instance::build(InstanceParts {
        name: "many".to_owned(),
        exams: (0..700).map(|i| Exam { code: format!("{i:04}"), ..Exam::default() }).collect(),
        students: vec![vec![0, 1]],
        periods: vec![Period::default(); 7],
        ..InstanceParts::default()
    })
    .unwrap();
    let timetable = Timetable::of((0..700).map(|exam| exam % 7).collect());
    let pages = document::pages(&many, &timetable, Default::default(), None);
    let all: Vec<Vec<String>> = pages.0.iter().map(texts).collect();
    assert_eq!(all.len(), pages.0.len());
    assert!(all.len() > 4, "{} pages", all.len());
    for (number, page) in all.iter().enumerate() {
        assert!(page.contains(&format!("Page {} of {}", number + 1, all.len())));
    }
    for exam in 0..700 {
        let code = format!("{exam:04}");
        assert_eq!(all[1..].iter().flatten().filter(|text| **text == code).count(), 1, "{code}");
    }
    let titles: Vec<&str> = pages.1.iter().map(|bookmark| bookmark.text.as_str()).collect();
    assert_eq!(titles[..3], ["Overview", "Period 1", "Period 2"]);
    assert_eq!(titles.len(), 8);
}

#[test]
fn endings_are_known_by_either_case_and_listed_where_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.CSV");
    export(&instance(false), &feasible(), &path).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("\u{feff}code,title"));
    for name in ["plan.doc", "plan"] {
        let error = export(&instance(false), &feasible(), &folder.path().join(name)).unwrap_err().to_string();
        for ending in FORMATS.map(|format| format.ending) {
            assert!(error.contains(&format!(".{ending}")), "{error}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_timetable_of_another_instance_is_refused() {
    for periods in [vec![0, 1], vec![0, 1, 2, 3, 4]] {
        let timetable = Timetable::of(periods);
        for ending in FORMATS.map(|format| format.ending) {
            let error = export_bytes(&instance(true), &timetable, ending).unwrap_err().to_string();
            assert!(error.contains("does not belong to"), "{error}");
        }
    }
}

#[test]
fn only_tables_of_other_origin_are_foreign() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["csv", "periods.csv", "students.csv"] {
        let path = folder.path().join(format!("plan.{ending}"));
        export(&instance(true), &feasible(), &path).unwrap();
        assert!(!is_foreign_table(&path), "{ending}");
    }
    let at = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    for content in ["student,exam\ns1,A\n", "Matriculation number;Paper\n1;2\n", "", "code,title,enrolment\n"] {
        assert!(is_foreign_table(&at("summer.CSV", content)), "{content:?}");
    }
    assert!(!is_foreign_table(&at("summer.pdf", "student,exam\n")), "it cannot be imported");
    assert!(!is_foreign_table(&folder.path().join("nothing.csv")) && !is_foreign_table(folder.path()));
}

#[test]
fn pictures_show_the_rows_that_are_wished_for() {
    let (instance, exams) = (instance(false), [4, 1]);
    let options = ExportOptions { rows: Some(Rows { exams: &exams, sort: Sort::Name }), ..ExportOptions::default() };
    let svg = export_bytes_with(&instance, &feasible(), "svg", &options, now()).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    assert!(svg.contains("sorted by code · 2 of 5 exams are shown"), "{svg}");
    assert!(svg.find("Ω5").unwrap() < svg.find("B;2").unwrap() && !svg.contains("A,1"));
    let whole = export_bytes_at(&instance, &feasible(), "svg").unwrap();
    assert!(String::from_utf8(whole).unwrap().contains("A,1"));
    let png = |options: &ExportOptions<'_>| export_bytes_with(&instance, &feasible(), "png", options, now()).unwrap();
    assert_ne!(png(&options), png(&ExportOptions::default()));
}

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
            "1|2026-06-01|09:00|10:30|H1|Main|A||2|0|5|1",
            "1|2026-06-01|09:00|10:00|H1|Main|B||2|0|5|1",
            "1|2026-06-01|09:00|10:53|R5|Main|A||1|23|2|1",
            "1|2026-06-01|09:00|11:15|R6|Main|A||1|45|1|0",
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
    for ending in ["csv", "periods.csv", SEATING] {
        let table = text(&instance, &timetable, ending);
        let file = read("plan.csv", table.trim_start_matches('\u{feff}'));
        assert_eq!((file.timetable, file.mismatches), (timetable.clone(), Vec::new()), "{ending}");
    }
    let by_student = text(&instance, &timetable, "students.csv");
    let file = read("plan.csv", by_student.trim_start_matches('\u{feff}'));
    assert!(file.mismatches[0].contains("use the table by exam"), "{:?}", file.mismatches);
    // A table of a person names one room for each exam.
    let file = read("plan.csv", "exam;period;room\nA;1;H1\nB;1;H9\n");
    assert_eq!(file.timetable.rooms[0], [crate::Seats { room: 0, students: 2 }]);
    assert!(file.mismatches[0].contains("1 room of the file is not in"), "{:?}", file.mismatches);
}

#[test]
fn calendars_of_students_have_their_rooms_and_ends() {
    let (instance, timetable) = seated();
    let session = text(&instance, &timetable, "ics");
    assert_eq!(session.matches("BEGIN:VEVENT\r\n").count(), 2);
    assert_eq!(session.matches("LOCATION:H1\r\n").count(), 2, "{session}");
    let of = |code: &str| {
        let bytes = export_bytes_with(&instance, &timetable, "ics", &wish(code), now()).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert!(of("1").contains("DTEND:20260601T103000") && of("1").contains("LOCATION:H1"));
    assert!(of("2").contains("DTEND:20260601T105300") && of("2").contains("LOCATION:R5"));
    assert!(of("4").contains("DTEND:20260601T111500") && of("4").contains("LOCATION:R6"));
    // An exam has one identifier, for everyone and whether there are rooms or not.
    let plain = text(&instance, &Timetable::of(timetable.periods.clone()), "ics");
    let uids = |calendar: &str| {
        let lines = calendar.lines().filter(|line| line.starts_with("UID:")).map(str::to_owned);
        lines.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!((uids(&session).len(), uids(&plain)), (2, uids(&session)));
    assert!(uids(&of("2")).is_subset(&uids(&session)));
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
        .filter(|it| *it != ALL && !is_of_changes(it) && !is_of_duties(it))
        .collect();
    assert_eq!(names, expected);
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
