//! Page for students: records, and what stands in the open.

use super::*;
use crate::occupancy::tests::seated;
use serde_json::Value;

fn made(instance: &Instance, timetable: &Timetable, zone: Option<&str>) -> String {
    let now = DateTime::from_timestamp(1_780_000_000, 0).unwrap();
    let zone = zone.map(|zone| zone.parse().unwrap());
    String::from_utf8(page(instance, timetable, zone, &Letterhead::default(), None, now).unwrap()).unwrap()
}

fn part<'a>(text: &'a str, from: &str) -> &'a str {
    let behind = text.split_once(from).unwrap().1;
    behind.split_once("</script>").unwrap().0
}

/// The record that an entry opens; `None` without one.
fn opened(text: &str, entry: &str) -> Option<Value> {
    let session: Value = serde_json::from_str(part(text, "id=\"session\">")).unwrap();
    assert_eq!(session["iterations"], ITERATIONS);
    let salt = STANDARD.decode(session["salt"].as_str().unwrap()).unwrap();
    let (id, key) = derived(entry, &salt);
    let records = part(text, "id=\"records\">");
    let line = records.lines().find_map(|line| line.strip_prefix(&STANDARD.encode(id)))?;
    let cipher = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key));
    let plain = cipher.decrypt(&Nonce::from([0; 12]), STANDARD.decode(line).unwrap().as_slice()).unwrap();
    assert_eq!(plain.len() % BLOCK, 0);
    Some(serde_json::from_slice(&plain).unwrap())
}

/// Every student finds the own exams with room and end, and nobody else anything.
#[test]
fn every_student_opens_the_own_exams() {
    let (instance, timetable) = seated();
    let text = made(&instance, &timetable, Some("Europe/Berlin"));
    let session: Value = serde_json::from_str(part(&text, "id=\"session\">")).unwrap();
    let occupancy = Occupancy::of(&instance, &timetable).unwrap();
    let who = WhoSitsWhere::of(&instance, &occupancy);
    let mut with_extra = 0;
    for student in 0..instance.students.len() {
        let code = instance.students.code(student);
        let own = opened(&text, &format!(" {} ", code.to_uppercase())).unwrap();
        assert_eq!(own["code"], code.as_str());
        let placed_exams = instance.students.exams_of(student).iter().map(|&exam| usize::from(exam));
        let mut placed_exams: Vec<usize> =
            placed_exams.filter(|&exam| placed(&instance, &timetable, exam).is_some()).collect();
        placed_exams.sort_by_key(|&exam| (placed(&instance, &timetable, exam), &instance.exams[exam].code));
        assert_eq!(own["exams"].as_array().unwrap().len(), placed_exams.len());
        for (sitting, exam) in own["exams"].as_array().unwrap().iter().zip(placed_exams) {
            let public = &session["exams"][sitting["exam"].as_u64().unwrap() as usize];
            assert_eq!(public["code"], instance.exams[exam].code.as_str());
            assert_eq!(sitting["room"].as_str().unwrap_or_default(), who.place_words(student, exam, Language::English));
            let extra = occupancy.extra_of(student, exam);
            assert_eq!(sitting["extra"].as_u64().unwrap_or_default(), u64::from(extra));
            let period = placed(&instance, &timetable, exam).unwrap();
            let end = occupancy.end_for(student, exam, period).map_or_else(String::new, |(end, _)| clock(end));
            let told = if extra > 0 { &sitting["end"] } else { &public["end"] };
            assert_eq!(told.as_str().unwrap_or_default(), end);
            with_extra += u32::from(extra > 0);
        }
    }
    assert!(with_extra > 0);
    assert_eq!(opened(&text, "nobody"), None);
    // Two exports of one timetable are equal, and nothing asks for anything elsewhere.
    assert_eq!(made(&instance, &timetable, Some("Europe/Berlin")), text);
    for word in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!text.contains(word), "{word}");
    }
}

/// Names, numbers and extra time of students stand nowhere in the open, and texts with signs of HTML are texts.
#[test]
fn nothing_of_a_student_is_readable() {
    let (mut instance, timetable) = seated();
    instance.name = "</script><b>{{records}} & \"x\"".to_owned();
    instance.exams[0].title = "<i>A</i></script>".to_owned();
    let text = made(&instance, &timetable, None);
    assert_eq!(text.matches("</script>").count(), TEMPLATE.matches("</script>").count());
    assert!(!text.contains("<i>A") && !text.contains("<b>{{"));
    let open = text.replace(part(&text, "id=\"records\">"), "");
    let open = open.split_once("<h2>Whole timetable</h2>").unwrap().1.split_once("\"use strict\"").unwrap().0;
    for student in 0..instance.students.len() {
        let code = instance.students.code(student);
        let is_word = |text: &str| text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == code);
        assert!(code.len() < 3 || !is_word(open), "{code}");
    }
    assert!(!open.contains("\"extra\"") && !open.contains("extra time"));
}

/// A personal code opens what the number then does not, and no two students have one.
#[test]
fn a_personal_code_stands_for_the_number() {
    let (mut instance, timetable) = seated();
    let code = |student, code: &str| Contact { student, personal_code: code.to_owned(), ..Contact::default() };
    instance.resources.contacts = vec![code(0, "Q7 4x"), code(2, " ")];
    let text = made(&instance, &timetable, None);
    let number = |student: usize| instance.students.code(student);
    assert_eq!(opened(&text, "q74X").unwrap()["code"], number(0).as_str());
    assert_eq!(opened(&text, &number(0)), None);
    assert_eq!(opened(&text, &number(2)).unwrap()["code"], number(2).as_str());
    assert!(text.contains("or your number if you have none"));
    instance.resources.contacts.push(code(1, "q74x"));
    let refused = page(&instance, &timetable, None, &Letterhead::default(), None, Utc::now()).unwrap_err();
    assert!(refused.to_string().contains("another student has"), "{refused}");
}

/// Moments are those of the zone, on both sides of a change of the clocks and inside of it.
#[test]
fn local_times_become_moments() {
    let zone: TimeZone = "Europe/Berlin".parse().unwrap();
    let moment = |text: &str| {
        let local = chrono::NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap();
        zone.utc(local).format("%Y-%m-%d %H:%M").to_string()
    };
    assert_eq!(moment("2027-03-27 09:00"), "2027-03-27 08:00");
    assert_eq!(moment("2027-03-28 09:00"), "2027-03-28 07:00");
    assert_eq!(moment("2027-03-28 02:30"), "2027-03-28 01:30");
    assert_eq!(moment("2027-10-31 02:30"), "2027-10-31 00:30");
}
