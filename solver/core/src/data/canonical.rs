//! Values as people and spreadsheets write them, in the form in which datasets hold them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use chrono::{Days, NaiveDate, NaiveTime, Timelike};

use super::ValueKind;
use super::lists::{self, Moment, joined, moments};
use crate::text::columns::plain;
use crate::text::lines::quoted;
use crate::text::notation::{self, Evidence};
use crate::text::values::{self, DateOrder};

/// Days of spreadsheets that are taken for dates: from 1955 to 2119.
const SERIAL_DAYS: std::ops::Range<f64> = 20_000.0..80_000.0;

/// Words for a mark, without case and accents, and the signs for it.
const YES: [&str; 14] = ["1", "x", "yes", "y", "true", "ja", "j", "wahr", "oui", "o", "vrai", "ναι", "χ", "si"];

/// Words for no mark.
const NO: [&str; 9] = ["0", "no", "n", "false", "nein", "falsch", "non", "faux", "οχι"];

/// A text as a value of this kind, where the numbers of its column show nothing about their notation.
pub fn canonical(kind: ValueKind, text: &str, dates: DateOrder) -> String {
    canonical_in(kind, text, dates, Evidence::default())
}

/// A text as a value of this kind: without blanks around it, numbers with a decimal point and without separators, dates as
/// `2026-06-01`, times as `09:00`, choices and marks as declared. Text that is no such value stays as it is, and becomes an issue
/// when the data are read. `numbers` tells how the column writes numbers. A number with two readings of which nothing tells the
/// right one stays as it is; all others have one reading.
pub fn canonical_in(kind: ValueKind, text: &str, dates: DateOrder, numbers: Evidence) -> String {
    let text = text.trim();
    let converted = match kind {
        _ if text.is_empty() => None,
        ValueKind::Text | ValueKind::Name | ValueKind::Reference(_) | ValueKind::References(_) => None,
        ValueKind::Moments => moments(text, dates).ok().map(|found| joined(found.iter().map(Moment::to_string))),
        ValueKind::Whole { .. } => numbers.read_whole(text.trim_end_matches('%').trim_end()),
        ValueKind::Number { .. } => numbers.read(text).ok().map(|number| notation::unmistakable(&number)),
        ValueKind::Minutes => values::duration(text).ok().map(|minutes| minutes.to_string()),
        ValueKind::Date => date(text, dates).map(|date| date.format("%Y-%m-%d").to_string()),
        ValueKind::Time => time(text).map(written_time),
        ValueKind::Choice(choices) => {
            let of = |text: &str| choices.iter().find(|choice| choice.is_meant(text)).map(|choice| choice.text);
            // A code of one letter may have the number or the text of a reason behind it.
            let coded = || of(lists::without_reason(text)).filter(|choice| choice.chars().count() == 1);
            of(text).or_else(coded).map(str::to_owned)
        }
        ValueKind::Mark => mark(text),
    };
    converted.unwrap_or_else(|| text.to_owned())
}

/// A time of day as datasets hold it.
pub fn written_time(time: NaiveTime) -> String {
    let form = if time.second() == 0 { "%H:%M" } else { "%H:%M:%S" };
    time.format(form).to_string()
}

/// Returns `true` if a text is a number, whole or not.
pub(super) fn is_number(text: &str) -> bool {
    notation::is_number(text)
}

fn date(text: &str, order: DateOrder) -> Option<NaiveDate> {
    let serial = || {
        let days = text.replace(',', ".").parse::<f64>().ok().filter(|days| SERIAL_DAYS.contains(days))?;
        NaiveDate::from_ymd_opt(1899, 12, 30)?.checked_add_days(Days::new(days as u64))
    };
    serial().or_else(|| values::date(text, order).ok())
}

fn time(text: &str) -> Option<NaiveTime> {
    let fraction = || {
        let days = text.replace(',', ".").parse::<f64>().ok()?;
        let is_time = text.contains(['.', ',']) && (days < 1.0 || SERIAL_DAYS.contains(&days));
        let minutes = (days.fract() * 24.0 * 60.0).round() as u32 % (24 * 60);
        if is_time { NaiveTime::from_hms_opt(minutes / 60, minutes % 60, 0) } else { None }
    };
    // «9.30» is a time, too; as a fraction it would be 9 days.
    fraction().or_else(|| values::time(text).ok())
}

fn mark(text: &str) -> Option<String> {
    let word = plain(text);
    let is_yes = YES.contains(&word.as_str()) || word.is_empty() && matches!(text, "✓" | "✔" | "+" | "*");
    let is_no = NO.contains(&word.as_str()) || word.is_empty() && matches!(text, "-" | "–" | "—");
    if is_yes { Some("yes".to_owned()) } else { is_no.then(String::new) }
}

/// Spellings of the names in a table: names are compared without regard to case, to blanks around them, to the kind of a hyphen and
/// to letters without width.
#[derive(Debug, Clone, Default)]
pub struct Spellings(HashMap<String, String>);

impl Spellings {
    /// The spelling that is known for a name; a new name is remembered as it is written.
    pub fn learn(&mut self, name: &str) -> &str {
        let name = name.trim();
        self.0.entry(key(name)).or_insert_with(|| name.to_owned())
    }

    /// Takes `name` for the name `known` from now on.
    pub(crate) fn learn_as(&mut self, name: &str, known: &str) {
        self.0.insert(key(name.trim()), known.to_owned());
    }

    /// The known spelling of a name; `None` if the name is new.
    pub fn known(&self, name: &str) -> Option<&str> {
        self.0.get(&key(name.trim())).map(String::as_str)
    }
}

/// Positions of things by their names. A name that is written as it is known comes first, otherwise the only one that [`Spellings`]
/// takes for the same.
#[derive(Debug, Clone, Default)]
pub struct NameIndex<'a> {
    exact: HashMap<Cow<'a, str>, usize>,
    /// Positions by the form in which spellings are compared; `None` for several.
    by_key: HashMap<String, Option<usize>>,
}

impl<'a> NameIndex<'a> {
    /// Positions of names in a list.
    pub fn of(names: impl IntoIterator<Item = impl Into<Cow<'a, str>>>) -> Self {
        let mut index = Self::default();
        for (at, name) in names.into_iter().enumerate() {
            index.insert(name, at);
        }
        index
    }

    /// Adds a name; the first position of a name counts.
    pub fn insert(&mut self, name: impl Into<Cow<'a, str>>, at: usize) {
        if let Entry::Vacant(entry) = self.exact.entry(name.into()) {
            self.by_key.entry(key(entry.key())).and_modify(|known| *known = None).or_insert(Some(at));
            entry.insert(at);
        }
    }

    /// Position of a name that is written exactly so.
    pub fn exact(&self, name: &str) -> Option<usize> {
        self.exact.get(name).copied()
    }

    /// Position of a name in any spelling; `None` if the name is unknown, or several are the same but for their spelling.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.exact(name).or_else(|| *self.by_key.get(&key(name))?)
    }
}

/// Returns `true` if two names are the same but for their spelling.
pub fn is_same_name(one: &str, other: &str) -> bool {
    one == other || key(one) == key(other)
}

/// Characters that look like a hyphen, like a blank or like nothing, with their names.
const LOOK_ALIKES: [(char, &str); 16] = [
    ('\u{a0}', "a non-breaking space"),
    ('\u{2007}', "a figure space"),
    ('\u{2009}', "a thin space"),
    ('\u{202f}', "a narrow non-breaking space"),
    ('\u{2010}', "a typographic hyphen"),
    ('\u{2011}', "a non-breaking hyphen"),
    ('\u{2012}', "a figure dash"),
    ('\u{2013}', "an en dash"),
    ('\u{2014}', "an em dash"),
    ('\u{2212}', "a minus sign"),
    ('\u{ad}', "a soft hyphen"),
    ('\u{200b}', "a zero-width space"),
    ('\u{200c}', "a zero-width non-joiner"),
    ('\u{200d}', "a zero-width joiner"),
    ('\u{2060}', "a word joiner"),
    ('\u{feff}', "a byte order mark"),
];

/// A known name in quotation marks, with the characters in brackets by which `name` differs from it although both may look alike.
pub fn told_apart(known: &str, name: &str) -> String {
    let only_in = |text: &str, other: &str| {
        let found = LOOK_ALIKES.iter().filter(|(letter, _)| text.contains(*letter) && !other.contains(*letter));
        let mut found: Vec<&str> = found.map(|(_, words)| *words).collect();
        if text.contains("  ") && !other.contains("  ") {
            found.push("two blanks in a row");
        }
        found.join(" and ")
    };
    let (here, there) = (only_in(name, known), only_in(known, name));
    let difference = match (here.is_empty(), there.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!(" (the cell has {here})"),
        (true, false) => format!(" (with {there})"),
        (false, false) => format!(" (with {there}; the cell has {here})"),
    };
    format!("{}{difference}", quoted(known))
}

/// Form in which spellings are compared: in lower case, blanks inside taken together, with plain hyphens and without letters
/// that have no width.
pub fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        let visible = word
            .chars()
            .filter(|letter| !matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'));
        let plain = visible.map(|letter| match letter {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            letter => letter,
        });
        key.extend(plain.flat_map(char::to_lowercase));
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Word;

    #[test]
    fn names_are_found_in_any_spelling_unless_two_differ_in_it_alone() {
        let index = NameIndex::of(["MAT-101", "s1", "S1", "Bot any"]);
        let cases = [
            ("MAT-101", Some(0)),
            (" mat‐101", Some(0)),
            ("mat–101 ", Some(0)),
            ("MAT101", None),
            ("s1", Some(1)),
            ("S1", Some(2)),
            ("s1 ", None),
            ("BOT  ANY", Some(3)),
        ];
        for (name, found) in cases {
            assert_eq!(index.get(name), found, "{name}");
        }
    }

    #[test]
    fn values_are_understood_as_offices_write_them() {
        const WAYS: [Word; 2] = [Word::of("rectilinear"), Word::of("euclidean").or("luftlinie ευθεία über")];
        const CODES: [Word; 2] = [Word::of("A"), Word::of("X")];
        let whole = ValueKind::Whole { least: 0, most: 9_999_999 };
        let number = ValueKind::Number { least: 0.0, most: 1e9 };
        let (choices, codes) = (ValueKind::Choice(&WAYS), ValueKind::Choice(&CODES));
        let cases = [
            (whole, " 1 200 ", "1200"),
            (whole, "1'200", "1200"),
            (whole, "1.250", "1.250"),
            (number, "1,250", "1,250"),
            (number, "1.250", "1.250"),
            (number, "1.1250", "1.1250"),
            (whole, "12.0", "12"),
            (whole, "12.5", "12.5"),
            (whole, "soon", "soon"),
            (number, "12,5", "12.5"),
            (number, "1.234,5", "1234.5"),
            (number, "1,234.5", "1234.5"),
            (number, "1.234.567", "1234567"),
            (number, "-1,234,567", "-1234567"),
            (whole, "06.10.2026", "06.10.2026"),
            (number, "12.34,5", "12.34,5"),
            (number, "−3", "-3"),
            (number, "1,2,3.4.5", "1,2,3.4.5"),
            (whole, "25 %", "25"),
            (ValueKind::Moments, "1.6.2026 9:00, 3", "2026-06-01 09:00; 3"),
            (ValueKind::Moments, "soon", "soon"),
            (ValueKind::Minutes, "1:30", "90"),
            (ValueKind::Minutes, "2 h", "120"),
            (ValueKind::Date, "1.6.2026", "2026-06-01"),
            (ValueKind::Date, "46174", "2026-06-01"),
            (ValueKind::Date, "46174.375", "2026-06-01"),
            (ValueKind::Time, "0.375", "09:00"),
            (ValueKind::Time, "46174.375", "09:00"),
            (ValueKind::Time, "9.30", "09:30"),
            (ValueKind::Time, "2 pm", "14:00"),
            (choices, "Euclidean", "euclidean"),
            (choices, "Euclidean (straight)", "Euclidean (straight)"),
            (choices, "Luftlinie", "euclidean"),
            (choices, "ΕΥΘΕΙΑ", "euclidean"),
            (choices, "ueber", "euclidean"),
            (codes, "x (Lösemittel)", "X"),
            (codes, "A/1", "A"),
            (codes, "AB", "AB"),
            (ValueKind::Mark, "Ja", "yes"),
            (ValueKind::Mark, "-", ""),
            (ValueKind::Mark, "maybe", "maybe"),
            (ValueKind::Text, "  a b ", "a b"),
        ];
        for (kind, text, expected) in cases {
            assert_eq!(canonical(kind, text, DateOrder::DayFirst), expected, "{text} as {kind:?}");
        }
        assert_eq!(canonical(ValueKind::Date, "06/05/2026", DateOrder::MonthFirst), "2026-06-05");
    }

    #[test]
    fn names_that_look_alike_are_told_apart_by_their_characters() {
        let told = |name: &str| told_apart("INF-101", name);
        assert_eq!(told("INF\u{2011}101"), "«INF-101» (the cell has a non-breaking hyphen)");
        assert_eq!(told("INF-\u{ad}101"), "«INF-101» (the cell has a soft hyphen)");
        assert_eq!(told("inf-101"), "«INF-101»", "the case is seen");
        assert_eq!(told_apart("M\u{a0}1", "M 1"), format!("{} (with a non-breaking space)", quoted("M\u{a0}1")));
        assert_eq!(told_apart("M 1", "M  1"), "«M 1» (the cell has two blanks in a row)");
    }

    #[test]
    fn a_number_that_its_column_decides_has_one_reading_afterwards() {
        let number = ValueKind::Number { least: 0.0, most: 1e9 };
        let read = |text: &str, beside: &str| canonical_in(number, text, DateOrder::DayFirst, Evidence::of([beside]));
        assert_eq!(read("1.250", "12.5"), "1.2500");
        assert_eq!(read("1.250", "900,25"), "1250");
        assert_eq!(read("1,125", "900,25"), "1.1250");
        assert_eq!(read("1.250", "900"), "1.250");
    }

    #[test]
    fn the_first_spelling_counts() {
        let mut names = Spellings::default();
        assert_eq!(names.learn(" INF1212"), "INF1212");
        assert_eq!(names.learn("inf1212 "), "INF1212");
        // Non-breaking hyphen, en dash and soft hyphen.
        assert_eq!(names.learn("INF-101"), "INF-101");
        for name in ["INF\u{2011}101", "inf\u{2013}101", "INF\u{2212}101", "I\u{ad}NF-101\u{200b}"] {
            assert_eq!(names.known(name), Some("INF-101"), "{name:?}");
        }
        assert_eq!(names.known("INF101"), None);
        assert_eq!((names.known("Inf1212"), names.known("INF1213")), (Some("INF1212"), None));
        assert_eq!(names.learn("Operations  Research"), "Operations  Research");
        assert_eq!(names.known("operations research"), Some("Operations  Research"));
    }
}
