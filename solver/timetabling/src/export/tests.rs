//! Exports of timetables: tables, workbooks, pictures, documents.

mod calendars;
mod languages;
mod reading_back;
mod rooms;

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use chrono::{NaiveDate, NaiveTime, TimeZone};
use resvg::usvg::roxmltree;

use super::*;
use crate::occupancy::tests::{common_room, seated};
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
    let (mut seated, with_rooms) = seated();
    seated.resources.rooms[0].seat_plan = "2 x 3".to_owned();
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
    assert!(listed.contains(&"period 1 (Mon 1 Jun, 09:00) has 1 seat, but 4 are needed".to_owned()), "{listed:?}");
    let svg = text(&crowded, &infeasible(), "svg");
    assert!(svg.contains(line) && svg.contains("period 1 (Mon 1 Jun, 09:00) has 1 seat,"), "{svg}");
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
