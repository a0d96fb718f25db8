//! iCalendar files (RFC 5545).
//!
//! Times are local times of a time zone, which the file defines (VTIMEZONE); without a zone they are local times of whoever reads
//! («floating»). The identifier (UID) of an event depends only on names, and its SEQUENCE is the moment since which the event is as it
//! is, in seconds, so that a later plan replaces an earlier one in every calendar.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use icalendar::{Calendar, Property, ValueType};

use super::time_zone::TimeZone;
use crate::files;

pub use icalendar::{CalendarDateTime, Component, Event, EventLike};

/// First second that SEQUENCE counts: 1 January 2020, UTC.
const SEQUENCE_START: i64 = 1_577_836_800;

/// Head of a calendar file.
#[derive(Debug, Clone, Copy)]
pub struct CalendarHead<'a> {
    /// Kind of plan that made the file, in English.
    pub product: &'a str,
    /// Name that calendar programs show.
    pub name: &'a str,
    /// Remark on the whole calendar.
    pub description: Option<&'a str>,
    /// Time zone of the times; `None` for floating times.
    pub time_zone: Option<TimeZone>,
    /// First and last day of the events; `None` without events.
    pub days: Option<(NaiveDate, NaiveDate)>,
}

impl CalendarHead<'_> {
    /// Formats the calendar with these events.
    pub fn with_events(&self, events: impl Iterator<Item = Event>) -> String {
        let mut calendar = Calendar::empty();
        let product = format!("-//Gridwright//{}//EN", self.product);
        for (name, value) in [("VERSION", "2.0"), ("PRODID", product.as_str()), ("CALSCALE", "GREGORIAN")] {
            calendar.append_property(Property::new(name, value));
        }
        let name = one_line(self.name);
        for key in ["NAME", "X-WR-CALNAME"] {
            calendar.append_property(text_property(key, &name));
        }
        for (key, description) in ["DESCRIPTION", "X-WR-CALDESC"].into_iter().zip(self.description.into_iter().cycle())
        {
            calendar.append_property(text_property(key, description));
        }
        if let Some(zone) = self.time_zone {
            calendar.timezone(zone.name());
        }
        for event in events {
            calendar.push(event);
        }
        let mut text = calendar.to_string();
        if let Some((zone, (first, last))) = self.time_zone.zip(self.days) {
            // The crate cannot make components of this kind.
            let end = text.rfind("END:VCALENDAR").unwrap_or(text.len());
            let at = text.find("BEGIN:VEVENT").unwrap_or(end);
            text.insert_str(at, &zone.component(first, last));
        }
        text
    }
}

/// Property with a text. The crate escapes the signs of texts in the properties that it knows to have one.
fn text_property(key: &str, text: &str) -> Property {
    let property = Property::new(key, text);
    match property.value_type() {
        Some(ValueType::Text) => property,
        _ => {
            let escaped = text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,").replace('\n', "\\n");
            Property::new(key, escaped)
        }
    }
}

/// Event with the identifier of these names, which is as it is since this moment.
pub fn event(names: &[&[u8]], since: DateTime<Utc>) -> Event {
    let mut event = Event::with_uid(&identifier(names));
    event.add_property("SEQUENCE", sequence(since).to_string());
    event.timestamp(since);
    event
}

/// Identifier (UID) of the event of these names, equal in all calendars.
pub fn identifier(names: &[&[u8]]) -> String {
    let hash = files::hash(names);
    format!("{}@gridwright", hash.get(..32).unwrap_or(&hash))
}

/// SEQUENCE of the events that are as they are since this moment.
pub fn sequence(since: DateTime<Utc>) -> i64 {
    (since.timestamp() - SEQUENCE_START).clamp(0, i64::from(i32::MAX))
}

/// Local time in a time zone, if there is one.
pub fn local(time_zone: Option<TimeZone>, date_time: NaiveDateTime) -> CalendarDateTime {
    match time_zone {
        Some(zone) => CalendarDateTime::WithTimezone { date_time, tzid: zone.name().to_owned() },
        None => CalendarDateTime::Floating(date_time),
    }
}

/// Replaces line ends by spaces, because a summary is a single line.
pub fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_names_and_remarks_are_escaped() {
        let name = "Summer 2027, part; \\ two";
        let head =
            CalendarHead { product: "Plan", name, description: Some("1 clash, 2 others"), time_zone: None, days: None };
        let text = head.with_events(std::iter::empty()).replace("\r\n ", "");
        for key in ["NAME", "X-WR-CALNAME"] {
            assert!(text.contains(&format!("\r\n{key}:Summer 2027\\, part\\; \\\\ two\r\n")), "{text}");
        }
        for key in ["DESCRIPTION", "X-WR-CALDESC"] {
            assert!(text.contains(&format!("\r\n{key}:1 clash\\, 2 others\r\n")), "{text}");
        }
    }
}
