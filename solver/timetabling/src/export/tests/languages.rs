//! Documents in every language: no word of another one, nothing cut, and the page for students is whole.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use gridwright_core::scene::Scene;
use gridwright_core::testing::{assert_inside, texts};
use gridwright_core::text::language::Language;
use strum::VariantArray as _;

use super::super::*;
use crate::invigilation::assign;
use crate::invigilators::{Invigilator, Post};
use crate::occupancy::tests::seated;
use crate::publication::Publication;
use crate::words as texts_of;
use crate::{Instance, Seats, Timetable};

/// A session with rooms, extra time, invigilators and a published version that differs.
fn session() -> (Instance, Timetable) {
    let (mut instance, timetable) = seated();
    instance.resources.rooms[0].seat_plan = "2 x 3".to_owned();
    let mut former = timetable.clone();
    former.periods = vec![1, 0];
    let version = Publication::of(&instance, &former, 1, DateTime::UNIX_EPOCH);
    instance.publications = Arc::new(vec![version]);
    let person = |code: &str| Invigilator { code: code.to_owned(), name: code.to_owned(), ..Invigilator::default() };
    instance.resources.invigilators = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo"].map(person).to_vec();
    let mut duties = assign(&instance, &timetable).unwrap().duties;
    // One room has nobody.
    duties.remove(duties.iter().position(|duty| matches!(duty.post, Post::Room(_))).unwrap());
    instance.duties = Arc::new(duties);
    (instance, timetable)
}

/// Texts of every printed document, by its name.
fn printed(language: Language) -> Vec<(&'static str, Vec<String>)> {
    let (instance, timetable) = session();
    let letterhead = Letterhead { language, ..Letterhead::default() };
    let changes = instance.changes_since_publication(&timetable).unwrap();
    let list = |kind| lists::pages(kind, &instance, &timetable, &letterhead, None).unwrap().0;
    // What is wrong is told to the office, in English.
    let duties = |kind| {
        let (mut pages, marks) = duty_lists::pages(kind, &instance, &timetable, &letterhead);
        let wrong = marks.iter().find(|mark| mark.text == "What is wrong").map_or(pages.len(), |mark| mark.page);
        pages.truncate(wrong);
        pages
    };
    let documents: [(&str, Vec<Scene>); 8] = [
        ("notice board", document::pages(&instance, &timetable, &letterhead, None).0),
        ("doors", list(lists::Kind::Doors)),
        ("registers", list(lists::Kind::Registers)),
        ("packing", list(lists::Kind::Packing)),
        ("seats", list(lists::Kind::Seats)),
        ("changes", changes::pages(&instance, &changes, &letterhead, super::now().date_naive()).0),
        ("duties", duties(duty_lists::Kind::Own)),
        ("invigilators", duties(duty_lists::Kind::Rooms)),
    ];
    let read = |(name, pages): (&'static str, Vec<Scene>)| {
        pages.iter().for_each(assert_inside);
        (name, pages.iter().flat_map(texts).map(str::to_owned).collect())
    };
    documents.map(read).to_vec()
}

/// Words of a document without those of the data, in lower case.
fn words(texts: &[String]) -> Vec<String> {
    let words = texts.iter().flat_map(|text| text.split(|letter: char| !letter.is_alphabetic()));
    words.filter(|word| word.chars().count() > 2).map(str::to_lowercase).collect()
}

/// Words that only this language has among the labels of the documents.
const OWN: [(&str, &[&str]); 6] = [
    ("en", &["room", "rooms", "students", "exam", "exams", "until", "reserved", "before", "now", "monday"]),
    ("de", &["raum", "räume", "studierende", "prüfung", "prüfungen", "bis", "bisher", "seite", "unterschrift"]),
    ("fr", &["salle", "salles", "étudiants", "examens", "avant", "maintenant", "surveillants", "sur"]),
    ("es", &["estudiantes", "exámenes", "antes", "ahora", "vigilantes", "página"]),
    ("it", &["studenti", "esami", "prima", "sorveglianti", "pagina", "fascia"]),
    ("el", &["αίθουσα", "φοιτητές", "εξετάσεις", "πριν", "τώρα", "σελίδα"]),
];

#[test]
fn printed_documents_have_the_words_of_their_language_alone_and_nothing_is_cut() {
    for &language in Language::VARIANTS {
        let documents = printed(language);
        let mut used = std::collections::BTreeSet::new();
        for (name, texts) in &documents {
            assert!(texts.iter().all(|text| !text.contains(['…', '{'])), "{language:?}, {name}: {texts:?}");
            let words = words(texts);
            for (code, own) in OWN.iter().filter(|(code, _)| *code != language.code()) {
                let foreign = words.iter().find(|word| own.contains(&word.as_str()));
                assert_eq!(foreign, None, "{language:?}, {name}: a word of {code}");
            }
            used.extend(words);
        }
        let rooms = &documents.iter().find(|(name, _)| *name == "invigilators").unwrap().1;
        let nobody = crate::words::NOBODY_YET.of(language);
        assert_eq!(rooms.iter().filter(|text| text.as_str() == nobody).count(), 1, "{language:?}: {rooms:?}");
        let (_, own) = OWN.iter().find(|(code, _)| *code == language.code()).unwrap();
        let missing: Vec<&&str> = own.iter().filter(|word| !used.contains(**word)).collect();
        assert!(missing.is_empty(), "{language:?}: {missing:?} stand nowhere in {used:?}");
    }
}

/// The times and identifiers of calendars are the same in every language; page and calendars have their words.
#[test]
fn calendars_and_the_page_for_students_are_translated() {
    let (instance, timetable) = session();
    let now = DateTime::<Utc>::UNIX_EPOCH;
    let written = |language: Language, ending: &str| {
        let letterhead = Letterhead { language, ..Letterhead::default() };
        let options = ExportOptions { letterhead: &letterhead, ..ExportOptions::default() };
        String::from_utf8(export_bytes_with(&instance, &timetable, ending, &options, now).unwrap()).unwrap()
    };
    let facts = |calendar: &str| {
        let kept = ["UID", "DTSTART", "DTEND", "SEQUENCE", "SUMMARY", "LOCATION"];
        let is_kept = |line: &&str| kept.iter().any(|name| line.starts_with(name));
        calendar.lines().filter(is_kept).map(str::to_owned).collect::<Vec<_>>()
    };
    let english = written(Language::English, "ics");
    for (language, period, show) in [
        (Language::German, "Zeitfenster 1", "Meine Prüfungen zeigen"),
        (Language::French, "Créneau 1", "Afficher mes examens"),
        (Language::Spanish, "Turno 1", "Mostrar mis exámenes"),
        (Language::Italian, "Fascia 1", "Mostra i miei esami"),
        (Language::Greek, "Περίοδος 1", "Οι εξετάσεις μου"),
    ] {
        let calendar = written(language, "ics");
        assert!(calendar.contains(period) && !calendar.contains("Period 1"), "{calendar}");
        assert_eq!(facts(&calendar), facts(&english));
        let page = written(language, "page.html");
        assert!(page.contains(&format!("<html lang=\"{}\">", language.code())) && page.contains(show));
        assert!(!page.contains("{{") && !page.contains("Show my exams"));
        let asked: Vec<&str> = page.split("word(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(asked.len() >= 8, "{asked:?}");
        for name in asked {
            assert!(crate::words::ON_PAGE.iter().any(|(known, _)| *known == name), "the page asks for {name}");
        }
    }
}

/// One room is a room and no rooms, and what is wrong with a plan stands in the language of the document.
#[test]
fn rooms_are_counted_and_the_stamp_is_in_the_language() {
    let (instance, timetable) = crate::occupancy::tests::seated();
    for language in Language::VARIANTS.iter().copied() {
        let letterhead = Letterhead { language, ..Letterhead::default() };
        let options = ExportOptions { letterhead: &letterhead, ..ExportOptions::default() };
        let calendar = |timetable: &Timetable| {
            let bytes = export_bytes_with(&instance, timetable, "ics", &options, super::now()).unwrap();
            String::from_utf8(bytes).unwrap().replace("\r\n ", "")
        };
        let text = calendar(&timetable);
        assert_eq!(text.matches(&texts_of::OF_ROOM.with(language, &["H1"])).count(), 2, "{text}");
        assert!(!text.contains(&texts_of::IN_ROOMS.with(language, &["H1"])), "{text}");
        let several = Timetable {
            rooms: vec![vec![Seats { room: 0, students: 1 }, Seats { room: 1, students: 1 }]],
            ..timetable.clone()
        };
        let several =
            Timetable { rooms: several.rooms.iter().chain(&timetable.rooms[1..]).cloned().collect(), ..several };
        assert!(
            calendar(&several).contains(&texts_of::IN_ROOMS.with(language, &["H1\\, R5"])),
            "{}",
            calendar(&several)
        );
        let unseated = calendar(&Timetable { rooms: vec![Vec::new(); 4], ..timetable.clone() });
        let verdict =
            crate::check::belongs(&instance, &Timetable { rooms: vec![Vec::new(); 4], ..timetable.clone() }).unwrap();
        let line = texts_of::letters::not_feasible(&verdict.violations, language).replace(',', "\\,");
        assert!(unseated.contains(&line), "{line}: {unseated}");
        assert_eq!(unseated.contains("Not feasible"), language == Language::English);
    }
}
