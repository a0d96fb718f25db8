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

use super::history::{ExamHistory, Told, ToldExam, ends, exam_key};
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
    /// SEQUENCE and time stamp of events by the moment since which they are as they are.
    moments: Vec<(i64, String)>,
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
    /// Exams that were published and fell away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cancelled: Vec<Cancelled>,
}

/// Exam that a student was told before and does not sit.
#[derive(Serialize)]
struct Cancelled {
    uid: String,
    name: String,
    from: String,
    until: String,
    /// Position of the moment of cancellation among the moments of the page.
    since: usize,
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
    /// Position of the moment since which the event is as it is among the moments of the page.
    since: usize,
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
    let history = ExamHistory::of(instance, timetable, now);
    let mut moments: Vec<DateTime<Utc>> = instance.publications.iter().map(|version| version.at).chain([now]).collect();
    moments.sort_unstable();
    moments.dedup();
    let (occupancy, who) = (occupancy.as_ref(), who.as_ref());
    let page = Page { instance, timetable, language, zone, occupancy, who, contacts, history, moments };
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
        moments: page.moments.iter().map(moment_words).collect(),
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

/// SEQUENCE and time stamp of the events of a moment.
fn moment_words(moment: &DateTime<Utc>) -> (i64, String) {
    (calendar::sequence(*moment), moment.format("%Y%m%dT%H%M%SZ").to_string())
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
    /// Exams that were told before.
    history: ExamHistory,
    /// Moments since which events are as they are, ascending.
    moments: Vec<DateTime<Utc>>,
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
                let since = self.since(self.history.since(&exam_key(&code, &self.instance.exams[exam].code)));
                Some(OwnSitting { exam: *number.get(&exam)?, room, extra, since, end, until })
            })
            .collect();
        exams.sort_by_key(|sitting| sitting.exam);
        let name = self.who.map_or_else(String::new, |who| who.name(student));
        let cancelled = self.history.cancelled_of(&code).filter_map(|told| self.cancelled(told)).collect();
        let mut bytes = json(&Own { code: code.clone(), name, exams, cancelled })?.into_bytes();
        bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
        Ok((self.personal_code(student).map_or(code, str::to_owned), bytes))
    }

    /// Position of a moment among those of the page.
    fn since(&self, moment: DateTime<Utc>) -> usize {
        self.moments.binary_search(&moment).unwrap_or(self.moments.len() - 1)
    }

    /// An exam that fell away; `None` if it had no date.
    fn cancelled(&self, told: &Told<ToldExam>) -> Option<Cancelled> {
        let when = &told.what.appointment.when;
        let (first, last) = ends(when)?;
        let (from, until) = match when.start {
            Some(start) => (self.moment(first, start), when.end.map_or_else(String::new, |end| self.moment(last, end))),
            None => (first.format("%Y%m%d").to_string(), last.format("%Y%m%d").to_string()),
        };
        let uid = calendar::identifier(&[self.instance.name.as_bytes(), told.what.code.as_bytes()]);
        Some(Cancelled { uid, name: told.what.summary(), from, until, since: self.since(told.since) })
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
mod tests;
