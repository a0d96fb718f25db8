//! Calendars of sessions and of students.

use super::*;
use crate::publication::Publication;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Events of a calendar by UID: SEQUENCE, start, and true if cancelled.
fn events(text: &str) -> BTreeMap<String, (i64, String, bool)> {
    let text = text.replace("\r\n ", "");
    let event = |part: &str| {
        let value = |name: &str| part.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
        let is_cancelled = part.contains("STATUS:CANCELLED\r\n");
        (value("UID:"), (value("SEQUENCE:").parse().unwrap(), value("DTSTART"), is_cancelled))
    };
    let all: Vec<_> = text.split("BEGIN:VEVENT\r\n").skip(1).map(event).collect();
    let by_uid: BTreeMap<_, _> = all.iter().cloned().collect();
    assert_eq!(by_uid.len(), all.len(), "an event stands twice: {text}");
    by_uid
}

/// Calendars of all students by the names of their files, of an export so many seconds after [`now`].
fn of_students(instance: &Instance, timetable: &Timetable, seconds: i64) -> BTreeMap<String, String> {
    let at = now() + chrono::TimeDelta::seconds(seconds);
    let bytes = export_bytes_with(instance, timetable, "students.zip", &ExportOptions::default(), at).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    let text = |name: String| {
        let text = std::io::read_to_string(archive.by_name(&name).unwrap()).unwrap();
        (name.rsplit('/').next().unwrap().to_owned(), text)
    };
    names.into_iter().map(text).collect()
}

/// Publishes a timetable so many seconds after [`now`].
fn publish(instance: &mut Instance, timetable: &Timetable, seconds: i64) {
    let (version, at) = (instance.publications.len() as u32 + 1, now() + chrono::TimeDelta::seconds(seconds));
    let version = Publication::of(instance, timetable, version, at);
    Arc::make_mut(&mut instance.publications).push(version);
}

/// A program that imports the calendars of both versions, in any number, holds what the second says: what fell away is cancelled
/// under its UID and at its former time, and what has not changed keeps every byte.
#[test]
fn what_falls_away_after_publication_is_cancelled_and_the_rest_stays() {
    let (mut instance, before) = (instance(true), feasible());
    publish(&mut instance, &before, 10);
    let first = of_students(&instance, &before, 20);
    assert_eq!(first, of_students(&instance, &before, 30), "two exports of a version differ");
    // Exam E loses its period, so that the students of E lose an event.
    let mut after = before.clone();
    after.periods[4] = UNPLACED;
    let draft = of_students(&instance, &after, 40);
    publish(&mut instance, &after, 50);
    let second = of_students(&instance, &after, 60);
    assert_eq!(second, of_students(&instance, &after, 70));
    let sits = |student: usize| instance.students.exams_of(student).contains(&4);
    assert!((0..4).any(sits) && !(0..4).all(sits));
    let file = |student: usize| gridwright_core::export::archive::file_name(&instance.students.code(student)) + ".ics";
    assert_eq!(first.len(), 4);
    for student in 0..4 {
        let (name, text) = first.get_key_value(&file(student)).unwrap();
        if !sits(student) {
            assert_eq!(text, &second[name]);
            continue;
        }
        let (was, is, meanwhile) = (events(text), events(&second[name]), events(&draft[name]));
        assert!(was.keys().eq(is.keys()), "{name}");
        let cancelled: Vec<_> = is.iter().filter(|(_, event)| event.2).collect();
        assert_eq!(cancelled.len(), 1, "{name}");
        for (uid, (sequence, start, is_cancelled)) in &is {
            assert_eq!(start, &was[uid].1);
            assert_eq!(*sequence > was[uid].0, *is_cancelled, "{name}: only what changes has another SEQUENCE");
            assert!(*sequence >= meanwhile[uid].0);
        }
    }
    let session = |timetable| events(&text(&instance, timetable, "ics"));
    assert_eq!(session(&after).values().filter(|event| event.2).count(), 1);
    assert_eq!(session(&after).len(), 5);
    // An exam that comes back takes place, with a higher SEQUENCE than its cancellation.
    publish(&mut instance, &before, 80);
    let third = of_students(&instance, &before, 90);
    for (name, text) in &third {
        assert!(events(text).iter().all(|(uid, event)| !event.2 && event.0 >= events(&second[name])[uid].0));
    }
}

/// Who left the session has the events of before as cancelled ones.
#[test]
fn students_who_left_have_their_events_cancelled() {
    let (mut instance, timetable) = (instance(true), feasible());
    publish(&mut instance, &timetable, 10);
    let first = of_students(&instance, &timetable, 20);
    Arc::make_mut(&mut instance.students).codes[3] = "new".to_owned();
    let second = of_students(&instance, &timetable, 30);
    let (was, is) = (events(&first["s4.ics"]), events(&second["s4.ics"]));
    assert!(was.keys().eq(is.keys()) && is.values().all(|event| event.2));
    assert!(events(&second["new.ics"]).values().all(|event| !event.2));
    let alone = export_bytes_with(&instance, &timetable, "ics", &wish("s4"), now()).unwrap();
    assert_eq!(events(&String::from_utf8(alone).unwrap()).len(), was.len());
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

/// An event is that of its session and its exam by their names: another title, period or room changes it, another code or name of the
/// session makes a new one.
#[test]
fn events_are_known_by_the_names_of_session_and_exam() {
    let ids = |instance: &Instance| {
        let calendar = text(instance, &feasible(), "ics");
        calendar.lines().filter(|line| line.starts_with("UID:")).map(str::to_owned).collect::<Vec<_>>()
    };
    let plain = ids(&instance(true));
    let mut titled = instance(true);
    titled.exams.iter_mut().for_each(|exam| exam.title.push_str(" (written)"));
    assert_eq!(ids(&titled), plain);
    let mut recoded = instance(true);
    recoded.exams[1].code.push('x');
    let recoded = ids(&recoded);
    let kept: Vec<bool> = recoded.iter().zip(&plain).map(|(new, old)| new == old).collect();
    assert_eq!(kept, [true, false, true, true, true]);
    let renamed = ids(&Instance { name: "Another session".to_owned(), ..instance(true) });
    assert!(renamed.iter().all(|id| !plain.contains(id)), "{renamed:?}");
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
