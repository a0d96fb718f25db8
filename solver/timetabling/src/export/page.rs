//! Page for students: one HTML file without any request, with the whole timetable for everyone and, encrypted, the exams of each
//! student.
//!
//! The entry of a student, in lower case and without blanks, is stretched by PBKDF2 (RFC 8018) with HMAC-SHA-256 to 32 bytes: the
//! first nine find the record, the last sixteen are its key for AES-GCM (NIST SP 800-38D). Each key encrypts one record of one
//! page, so that the nonce is zero. The salt is the digest of all records. Records have multiples of [`BLOCK`] bytes and are in
//! the order of their identifiers, so that neither length nor place tells whose they are.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Key, Nonce};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use rayon::prelude::*;
use serde::Serialize;
use sha2::Sha256;

use super::sheets;
use crate::counts::placed;
use crate::occupancy::Occupancy;
use crate::resources::Contact;
use crate::who_sits_where::WhoSitsWhere;
use crate::{Instance, TimeZone, Timetable, words};
use gridwright_core::export::calendar;
use gridwright_core::export::stamp::Stamp;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::scene::svg::escape;
use gridwright_core::text::language::Language;
use gridwright_core::{Error, Result, files};

/// The page around its data, which replace the words in double braces.
const TEMPLATE: &str = include_str!("page.html");

/// Rounds of PBKDF2: a tenth of a second on an old telephone.
const ITERATIONS: u32 = 2_000;

/// Length in bytes of which the length of a record is a multiple.
const BLOCK: usize = 64;

/// Exam as everyone may see it.
#[derive(Serialize)]
struct Exam<'a> {
    code: &'a str,
    title: &'a str,
    /// Identifier of the event in calendars.
    uid: String,
    /// Date in words, or «Period 3».
    day: String,
    /// Local times such as «09:00»; empty if unknown.
    start: String,
    end: String,
    /// Moments as calendars write them; empty without a date.
    from: String,
    until: String,
}

/// Data of the page that are not encrypted.
#[derive(Serialize)]
struct Session<'a> {
    salt: String,
    iterations: u32,
    sequence: i64,
    stamp: String,
    /// True if the session plans rooms.
    rooms: bool,

    exams: Vec<Exam<'a>>,
}

/// Content of the record of a student.
#[derive(Serialize)]
struct Own {
    code: String,
    name: String,
    exams: Vec<OwnSitting>,
}

#[derive(Serialize)]
struct OwnSitting {
    /// Position among the exams of the page.
    exam: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    room: String,
    /// Minutes of extra time.
    #[serde(skip_serializing_if = "is_zero")]
    extra: u32,
    /// Local time and moment of the end, where extra time makes it another than for most.
    #[serde(skip_serializing_if = "String::is_empty")]
    end: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    until: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Writes the page.
///
/// # Errors
/// [`Error::Usage`] if the session has no students, or two of them have one entry.
pub(super) fn page(
    instance: &Instance, timetable: &Timetable, zone: Option<TimeZone>, letterhead: &Letterhead, stamp: Option<&Stamp>,
    now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    if instance.students.is_empty() {
        let what = "has no students; a page for students needs a table of enrolments";
        return Err(Error::Usage(format!("{} {what}", instance.name)));
    }
    let zone = zone.or(instance.time_zone);
    let occupancy = Occupancy::of(instance, timetable);
    let who = occupancy.as_ref().map(|occupancy| WhoSitsWhere::of(instance, occupancy));
    let contacts = instance.resources.contacts_by_student();
    let language = letterhead.language;
    let page = Page { instance, timetable, language, zone, occupancy: occupancy.as_ref(), who: who.as_ref(), contacts };
    let mut placed: Vec<usize> = (0..instance.exam_count()).filter(|&exam| page.period(exam).is_some()).collect();
    placed.sort_by_key(|&exam| (page.period(exam), &instance.exams[exam].code));
    let number: HashMap<usize, usize> = placed.iter().enumerate().map(|(number, &exam)| (exam, number)).collect();
    let plain: Vec<(String, Vec<u8>)> =
        (0..instance.students.len()).map(|student| page.record(student, &number)).collect::<Result<_>>()?;
    let mut entries: HashMap<String, &str> = HashMap::new();
    for (student, (entry, _)) in plain.iter().enumerate() {
        if entries.insert(normalised(entry), entry).is_some() {
            return Err(Error::Usage(format!(
                "student {} has a personal code or number that another student has, too; correct it in the table of students",
                instance.students.code(student)
            )));
        }
    }
    let parts: Vec<&[u8]> = plain.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    let salt = files::hash(&parts).into_bytes();
    let records = encrypted(&plain, &salt)?;
    let session = Session {
        salt: STANDARD.encode(&salt),
        iterations: ITERATIONS,
        sequence: calendar::sequence(now),
        stamp: now.format("%Y%m%dT%H%M%SZ").to_string(),
        rooms: occupancy.is_some(),
        exams: placed.iter().map(|&exam| page.exam(exam)).collect(),
    };
    // Nothing in the data may end the element around them.
    let session = json(&session)?.replace('<', "\\u003c");
    let institution = match letterhead.institution.as_str() {
        "" => String::new(),
        name => format!("<p class=\"soft\">{}</p>\n", escape(name)),
    };
    let stamp = stamp.map_or_else(String::new, |stamp| format!("<p class=\"warning\">{}</p>\n", escape(stamp.line())));
    let with_code = (0..instance.students.len()).filter(|&student| page.personal_code(student).is_some()).count();
    let entry = match with_code {
        0 => 0,
        all if all == instance.students.len() => 1,
        _ => 2,
    };
    let [label, protection] = words::ENTRIES[entry].map(|text| text.of(language));
    let texts = words::ON_PAGE.iter().map(|(name, text)| (*name, text.of(language).to_owned()));
    let values = [
        ("language", language.code().to_owned()),
        (
            "words",
            json(
                &words::ON_PAGE.map(|(name, text)| (name, text.of(language))).into_iter().collect::<BTreeMap<_, _>>(),
            )?,
        ),
        ("name", escape(&instance.name)),
        ("institution", institution),
        ("stamp", stamp),
        ("facts", escape(&page.facts(placed.len(), now))),
        ("label", label.to_owned()),
        ("protection", protection.to_owned()),
        ("timetable", page.whole(&placed)),
        ("session", session),
        ("records", records),
    ];
    let values: Vec<(&str, String)> = values.into_iter().chain(texts).collect();
    Ok(filled(TEMPLATE, &values).into_bytes())
}

/// The template with values for its words; nothing is looked for in the values.
fn filled(template: &str, words: &[(&str, String)]) -> String {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, behind)) = rest.split_once("{{") {
        text.push_str(before);
        let Some((word, behind)) = behind.split_once("}}") else { break };
        text.push_str(words.iter().find(|(name, _)| *name == word).map_or("", |(_, value)| value));
        rest = behind;
    }
    text.push_str(rest);
    text
}

/// Timetable from which a page is made.
struct Page<'a> {
    instance: &'a Instance,
    timetable: &'a Timetable,
    language: Language,
    zone: Option<TimeZone>,
    occupancy: Option<&'a Occupancy<'a>>,
    who: Option<&'a WhoSitsWhere<'a>>,
    contacts: HashMap<usize, &'a Contact>,
}

impl<'a> Page<'a> {
    fn period(&self, exam: usize) -> Option<usize> {
        placed(self.instance, self.timetable, exam)
    }

    /// Local end and the moment of the end of an exam with so many minutes of extra time; empty if unknown.
    fn end(&self, exam: usize, extra: u32) -> (String, String) {
        let of = || {
            let period = self.period(exam)?;
            let (end, midnights) = self.instance.end_with(exam, period, extra)?;
            let date = self.instance.periods[period].date;
            let day = date.and_then(|date| date.checked_add_days(Days::new(midnights.into())));
            let moment = day.map_or_else(String::new, |day| self.moment(day, end));
            Some((clock(end), moment))
        };
        of().unwrap_or_default()
    }

    /// A moment as calendars write it: in UTC where the time zone is known, otherwise as local time.
    fn moment(&self, day: NaiveDate, time: NaiveTime) -> String {
        let local = day.and_time(time);
        match self.zone {
            Some(zone) => zone.utc(local).format("%Y%m%dT%H%M%SZ").to_string(),
            None => local.format("%Y%m%dT%H%M%S").to_string(),
        }
    }

    fn exam(&self, exam: usize) -> Exam<'a> {
        let (instance, data) = (self.instance, &self.instance.exams[exam]);
        let period = self.period(exam).unwrap_or_default();
        let of_period = &instance.periods[period];
        let (mut end, mut until) = self.end(exam, 0);
        let (start, from) = match (of_period.date, of_period.start) {
            (Some(date), Some(start)) => (clock(start), self.moment(date, start)),
            (None, Some(start)) => (clock(start), String::new()),
            // All day: the end is exclusive.
            (Some(date), None) => {
                let day = |date: NaiveDate| date.format("%Y%m%d").to_string();
                (end, until) = (String::new(), date.succ_opt().map_or_else(String::new, day));
                (String::new(), day(date))
            }
            (None, None) => Default::default(),
        };
        let uid = calendar::identifier(&[instance.name.as_bytes(), data.code.as_bytes()]);
        Exam { code: &data.code, title: &data.title, uid, day: self.day(period), start, end, from, until }
    }

    /// Date of a period in words or, without one, its number.
    fn day(&self, period: usize) -> String {
        sheets::day(self.instance, period, self.language)
    }

    /// Personal code of a student; `None` without one.
    fn personal_code(&self, student: usize) -> Option<&'a str> {
        let contact = self.contacts.get(&student)?;
        Some(contact.personal_code.as_str()).filter(|code| !code.trim().is_empty())
    }

    /// The entry that opens the record of a student, and the record, padded with blanks.
    fn record(&self, student: usize, number: &HashMap<usize, usize>) -> Result<(String, Vec<u8>)> {
        let code = self.instance.students.code(student);
        let exams = self.instance.students.exams_of(student).iter().map(|&exam| usize::from(exam));
        let mut exams: Vec<OwnSitting> = exams
            .filter_map(|exam| {
                let extra = self.occupancy.map_or(0, |occupancy| occupancy.extra_of(student, exam));
                let (end, until) = if extra > 0 { self.end(exam, extra) } else { Default::default() };
                let who = self.who.filter(|who| who.room(student, exam).is_some());
                let room = who.map_or_else(String::new, |who| who.place_words(student, exam, self.language));
                Some(OwnSitting { exam: *number.get(&exam)?, room, extra, end, until })
            })
            .collect();
        exams.sort_by_key(|sitting| sitting.exam);
        let name = self.who.map_or_else(String::new, |who| who.name(student));
        let mut bytes = json(&Own { code: code.clone(), name, exams })?.into_bytes();
        bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
        Ok((self.personal_code(student).map_or(code, str::to_owned), bytes))
    }

    /// Line below the heading.
    fn facts(&self, exams: usize, now: DateTime<Utc>) -> String {
        let zone = self.zone.map(|zone| words::TIMES_OF.with(self.language, &[&zone.to_string()]));
        let made = words::AS_OF.with(self.language, &[&self.language.date(now.date_naive())]);
        let exams = words::EXAMS_COUNTED.counted(exams as u64, self.language);
        [exams, made].into_iter().chain(zone).collect::<Vec<_>>().join(" · ")
    }

    /// Tables of exams in the order of their periods, by day, without a trace of extra time.
    fn whole(&self, placed: &[usize]) -> String {
        let mut days: BTreeMap<(Option<NaiveDate>, usize), Vec<usize>> = BTreeMap::new();
        for &exam in placed {
            let period = self.period(exam).unwrap_or_default();
            let date = self.instance.periods[period].date;
            days.entry((date, if date.is_some() { 0 } else { period })).or_default().push(exam);
        }
        let rooms = self.occupancy.is_some();
        let mut text = String::new();
        for exams in days.values() {
            let day = self.day(self.period(exams[0]).unwrap_or_default());
            let [time, exam, room] = [words::TIME, words::EXAM, words::ROOMS].map(|text| text.of(self.language));
            let head = if rooms { format!("<th>{room}</th>") } else { String::new() };
            // Writing to a string cannot fail.
            _ = write!(
                text,
                "<h3>{}</h3>\n<table><thead><tr><th>{time}</th><th>{exam}</th>{head}</tr></thead><tbody>\n",
                escape(&day)
            );
            for &exam in exams {
                let of = self.exam(exam);
                let time = [of.start.as_str(), of.end.as_str()].into_iter().filter(|part| !part.is_empty());
                let time = time.collect::<Vec<_>>().join("–");
                let name =
                    if of.title.is_empty() { of.code.to_owned() } else { format!("{} · {}", of.code, of.title) };
                let public = |occupancy: &Occupancy<'_>| escape(&occupancy.public_rooms(exam).join(", "));
                let rooms = self.occupancy.map_or_else(String::new, |it| format!("<td>{}</td>", public(it)));
                _ = writeln!(text, "<tr><td class=\"time\">{time}</td><td>{}</td>{rooms}</tr>", escape(&name));
            }
            text.push_str("</tbody></table>\n");
        }
        text
    }
}

/// The records as lines of identifier and content, each behind a line end.
fn encrypted(plain: &[(String, Vec<u8>)], salt: &[u8]) -> Result<String> {
    let line = |(code, record): &(String, Vec<u8>)| {
        let (id, key) = derived(code, salt);
        let cipher = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key));
        let content = cipher.encrypt(&Nonce::from([0; 12]), record.as_slice());
        let content = content.map_err(|_| Error::Usage("the records of the page could not be encrypted".to_owned()))?;
        Ok(format!("\n{}{}", STANDARD.encode(id), STANDARD.encode(content)))
    };
    let mut lines: Vec<String> = plain.par_iter().map(line).collect::<Result<_>>()?;
    lines.sort_unstable();
    Ok(lines.concat())
}

/// Entry in lower case and without blanks.
fn normalised(entry: &str) -> String {
    entry.to_lowercase().split_whitespace().collect()
}

/// Identifier and key of the record that an entry opens.
fn derived(entry: &str, salt: &[u8]) -> ([u8; 9], [u8; 16]) {
    let derived: [u8; 32] = pbkdf2::pbkdf2_hmac_array::<Sha256, 32>(normalised(entry).as_bytes(), salt, ITERATIONS);
    (std::array::from_fn(|at| derived[at]), std::array::from_fn(|at| derived[16 + at]))
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Usage(format!("the page could not be written ({error})")))
}

fn clock(time: NaiveTime) -> String {
    time.format("%H:%M").to_string()
}

#[cfg(test)]
mod tests {
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
                assert_eq!(
                    sitting["room"].as_str().unwrap_or_default(),
                    who.place_words(student, exam, Language::English)
                );
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
}
