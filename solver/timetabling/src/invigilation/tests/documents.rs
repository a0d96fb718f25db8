//! Documents of duties: tables, workbooks, calendars.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use chrono::DateTime;

use super::people;
use crate::export::{ExportOptions, export_bytes_with};
use crate::formats::duties;
use crate::invigilating::answer;
use crate::invigilation::assign;
use crate::invigilators::{Duty, InvigilationRules, Invigilator, Post};
use crate::project::SessionDemands;
use crate::{ExtraTimePlace, Instance, Seats, Timetable, occupancy};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::planning::DutyRequest;
use gridwright_core::text::Source;

/// The session of [`occupancy::tests::seated`] with invigilators and duties.
fn with_duties() -> (Instance, Timetable) {
    let (mut instance, timetable) = occupancy::tests::seated();
    instance.resources.invigilators = people(4);
    instance.resources.invigilators[1].name = "=1+1".to_owned();
    instance.resources.invigilators[2].email = "k2@example.org".to_owned();
    instance.resources.invigilation = Some(InvigilationRules { reserves: Some(1), ..InvigilationRules::default() });
    let duties = assign(&instance, &timetable).unwrap().duties;
    (Instance { duties: Arc::new(duties), ..instance }, timetable)
}

fn exported(instance: &Instance, timetable: &Timetable, ending: &str, seconds: i64) -> Vec<u8> {
    let now = DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap();
    export_bytes_with(instance, timetable, ending, &ExportOptions::default(), now).unwrap()
}

fn source(text: &str) -> Source<'_> {
    Source { path: Path::new("x.duties.csv"), text }
}

/// Rows of an exported table as columns by name.
fn rows(bytes: &[u8]) -> Vec<HashMap<String, String>> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn duties_end_with_the_last_student_of_the_room() {
    let (mut instance, timetable) = with_duties();
    for place in [ExtraTimePlace::Apart, ExtraTimePlace::SameRoom] {
        instance.resources.extra_time = place;
        // Those with extra time only sit in the room of the others in the second case, but for the one alone in a room.
        let timetable = match place {
            ExtraTimePlace::Apart => timetable.clone(),
            _ => {
                let seats = |room, students| vec![Seats { room, students }];
                Timetable { rooms: vec![seats(0, 3), seats(2, 1), seats(0, 2)], ..timetable.clone() }
            }
        };
        instance.duties = Arc::new(assign(&instance, &timetable).unwrap().duties);
        let mut ends: HashMap<String, String> = HashMap::new();
        for row in rows(&exported(&instance, &timetable, "students.csv", 0)) {
            let end = ends.entry(row["room"].clone()).or_default();
            *end = end.clone().max(row["end"].clone());
        }
        let duties = rows(&exported(&instance, &timetable, "duties.csv", 0));
        let of_rooms: Vec<_> = duties.iter().filter(|row| row["duty"] == "room").collect();
        assert_eq!(of_rooms.len(), ends.len());
        for row in of_rooms {
            assert_eq!(row["end"], ends[&row["room"]], "{row:?}");
        }
        let last = ends.values().max().unwrap();
        assert!(duties.iter().any(|row| row["duty"] == "reserve" && row["end"] == *last));
    }
}

#[test]
fn duties_are_read_back_from_their_table_and_from_projects() {
    let (instance, timetable) = with_duties();
    let text = String::from_utf8(exported(&instance, &timetable, "duties.csv", 0)).unwrap();
    assert!(text.contains(",'=1+1,"), "{text}");
    assert!(crate::export::heads::is_exported(&text));
    let mut read = duties::parse(source(&text), &instance).unwrap();
    let mut wanted = instance.duties.to_vec();
    let by_code = |duties: &mut Vec<Duty>| duties.sort_by(|a, b| a.invigilator.cmp(&b.invigilator));
    by_code(&mut read);
    by_code(&mut wanted);
    assert_eq!(read, wanted);
    let stored = ron::to_string(&SessionDemands::of(&instance)).unwrap();
    let demands: SessionDemands = ron::from_str(&stored).unwrap();
    assert_eq!(demands.apply(Instance { duties: Arc::default(), ..instance.clone() }).unwrap().duties, instance.duties);
    for (line, why) in [
        ("K0,boss,1,,,,H1,", "x.duties.csv:2: «boss» is no duty"),
        ("K0,room,1,,,,,", "x.duties.csv:2: the room of the duty is missing"),
        (",room,1,,,,H1,", "x.duties.csv:2: the code of the invigilator is missing"),
        ("K0,room,9,,,,H1,", "x.duties.csv:2: «9» is no period; there are 2"),
        ("K0,room,1,2030-01-01,09:00,,H1,", "x.duties.csv:2: the session has no period at this date"),
    ] {
        let text = format!("invigilator,duty,period,date,start,end,room,building\n{line}\n");
        let error = duties::parse(source(&text), &instance).unwrap_err().to_string();
        assert!(error.contains(why), "{line}: {error}");
    }
}

#[test]
fn calendars_keep_the_identifier_of_a_duty_whose_room_changes() {
    let (mut instance, timetable) = with_duties();
    let calendar = |instance: &Instance, seconds: i64| {
        let bytes = exported(instance, &timetable, "duties.zip", seconds);
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
        assert_eq!(archive.len(), 4);
        std::io::read_to_string(archive.by_name("seated/K0.ics").unwrap()).unwrap()
    };
    let value = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {text}"));
        line[name.len()..].to_owned()
    };
    let before = calendar(&instance, 0);
    assert!(before.contains("DTSTART:20260601T090000"), "{before}");
    let duties = Arc::make_mut(&mut instance.duties);
    let own = duties.iter().position(|duty| duty.invigilator == "K0").unwrap();
    let other = duties.iter().position(|duty| duty.post != duties[own].post && duty.post != Post::Reserve).unwrap();
    duties[own].post = duties[other].post.clone();
    let after = calendar(&instance, 60);
    assert_eq!(value(&before, "UID:"), value(&after, "UID:"));
    assert_ne!(value(&before, "SUMMARY:"), value(&after, "SUMMARY:"));
    let sequence = |text: &str| value(text, "SEQUENCE:").parse::<i64>().unwrap();
    assert_eq!(sequence(&after) - sequence(&before), 60);
}

/// A duty that fell away is a cancelled event for whoever had it, after a publication and after an adjustment.
#[test]
fn duties_that_fall_away_are_cancelled() {
    let (mut instance, timetable) = with_duties();
    let calendars = |instance: &Instance, former: &[Duty], seconds: i64| {
        let now = DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap();
        let options = ExportOptions { former_duties: former, ..ExportOptions::default() };
        let bytes = export_bytes_with(instance, &timetable, "duties.zip", &options, now).unwrap();
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        names
            .into_iter()
            .map(|name| std::io::read_to_string(archive.by_name(&name).unwrap()).unwrap())
            .collect::<Vec<_>>()
    };
    let uid = |text: &str| text.lines().find(|line| line.starts_with("UID:")).unwrap().to_owned();
    let former = instance.duties.to_vec();
    let whose = former[0].invigilator.clone();
    assert_eq!(former.iter().filter(|duty| duty.invigilator == whose).count(), 1);
    let before = calendars(&instance, &[], 0);
    Arc::make_mut(&mut instance.duties).remove(0);
    let check = |after: Vec<String>| {
        let cancelled: Vec<&String> = after.iter().filter(|text| text.contains("STATUS:CANCELLED")).collect();
        assert_eq!((after.len(), cancelled.len()), (before.len(), 1));
        let same = before.iter().find(|text| uid(text) == uid(cancelled[0])).unwrap();
        let start = |text: &str| text.lines().find(|line| line.starts_with("DTSTART")).unwrap().to_owned();
        assert_eq!(start(same), start(cancelled[0]));
    };
    check(calendars(&instance, &former, 10));
    let published = Instance { duties: Arc::new(former), ..instance.clone() };
    let at = DateTime::from_timestamp(1_800_000_005, 0).unwrap();
    let version = crate::publication::Publication::of(&published, &timetable, 1, at);
    instance.publications = Arc::new(vec![version]);
    check(calendars(&instance, &[], 10));
}

#[test]
fn documents_need_duties_and_tell_faults() {
    let (instance, timetable) = with_duties();
    let without = Instance { duties: Arc::default(), ..instance.clone() };
    for ending in ["duties.csv", "duties.xlsx", "duties.pdf", "duties.zip", "invigilators.pdf"] {
        assert!(crate::export::check(&without, Some(&timetable), ending).is_err(), "{ending}");
        assert!(crate::export::check(&instance, Some(&timetable), ending).is_ok(), "{ending}");
        assert!(!exported(&instance, &timetable, ending, 0).is_empty());
    }
    let sheets = |instance: &Instance| {
        use calamine::Reader;
        let bytes = exported(instance, &timetable, "duties.xlsx", 0);
        let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
        let names = book.sheet_names();
        let cells = book.worksheet_range("Invigilators").unwrap();
        assert!(cells.rows().any(|row| row[1] == calamine::Data::String("=1+1".to_owned())));
        assert!(book.worksheet_formula("Invigilators").unwrap().is_empty(), "a name is no formula");
        names
    };
    assert_eq!(sheets(&instance), ["Summary", "Rooms", "Invigilators", "Loads"]);
    let mut damaged = instance;
    Arc::make_mut(&mut damaged.duties).remove(0);
    assert_eq!(sheets(&damaged).last().map(String::as_str), Some("Faults"));
}

#[test]
fn answers_tell_cover_replacements_and_faults() {
    let (mut instance, timetable) = with_duties();
    let letterhead = Letterhead::default();
    let ask_with = |instance: &Instance, absent: &[&str], adjusts: bool| {
        let absent: Vec<String> = absent.iter().map(|text| (*text).to_owned()).collect();
        let request = DutyRequest {
            duties: None,
            adjusts,
            absent: &absent,
            demands: None,
            endings: &["duties.csv"],
            letterhead: &letterhead,
        };
        answer(instance, &timetable, SessionDemands::of(instance), &request, DateTime::UNIX_EPOCH)
    };
    let ask = |instance: &Instance, absent: &[&str]| ask_with(instance, absent, false);
    let told = ask(&instance, &[]).unwrap();
    assert!(told.text.starts_with("4 of 4 duties are covered by 4 invigilators\nLoads: 1 to 1; "), "{}", told.text);
    assert_eq!((told.faults.len(), told.json["duties"].as_array().map(Vec::len)), (0, Some(4)));
    assert_eq!(rows(&told.documents[0]).len(), 4);
    let kept: SessionDemands = told.demands.read().unwrap();
    assert_eq!(kept.duties, *instance.duties);
    let told = ask(&instance, &["K0"]).unwrap();
    assert!(told.text.contains("nobody can replace K0\n  reserve on duty: "), "{}", told.text);
    assert_eq!(told.faults.len(), 1, "{:?}", told.faults);
    instance.resources.invigilators.push(Invigilator { code: "K4".to_owned(), ..Invigilator::default() });
    let told = ask(&instance, &["K0=1"]).unwrap();
    assert!(told.text.contains(": K4 instead of K0\n"), "{}", told.text);
    assert!(told.text.contains("1 duty replaced or open; nobody else moves\n"), "{}", told.text);
    assert_eq!(told.faults, [""; 0]);
    let told = ask_with(&instance, &["K0=1"], true).unwrap();
    assert_eq!(told.text, "4 of 4 duties are covered; 3 duties stay as they were, 1 is given anew\n");
    assert_eq!((told.faults, &told.json["kept"]), (vec![], &3.into()));
    let without = Instance { duties: Arc::default(), ..instance };
    assert!(ask(&without, &["K1"]).unwrap_err().to_string().contains("no duties to begin with"));
    assert!(ask_with(&without, &[], true).unwrap_err().to_string().contains("no duties to begin with"));
}
