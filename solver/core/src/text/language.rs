//! Languages of documents for people: dates, plurals, and texts that stand in six languages beside each other.

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantArray};

/// Language of documents that are handed on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString, VariantArray)]
pub enum Language {
    /// English.
    #[default]
    #[strum(serialize = "en")]
    English,
    /// German.
    #[strum(serialize = "de")]
    German,
    /// French.
    #[strum(serialize = "fr")]
    French,
    /// Spanish.
    #[strum(serialize = "es")]
    Spanish,
    /// Italian.
    #[strum(serialize = "it")]
    Italian,
    /// Greek.
    #[strum(serialize = "el")]
    Greek,
}

/// Number of languages.
const COUNT: usize = Language::VARIANTS.len();

/// A text in every language, in the order of [`Language`]. `{}` stands for what is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text(pub [&'static str; COUNT]);

impl Text {
    /// The text in a language.
    pub const fn of(self, language: Language) -> &'static str {
        self.0[language as usize]
    }

    /// The text in a language with `values` in place of its braces, in their order.
    pub fn with(self, language: Language, values: &[&str]) -> String {
        let mut parts = self.of(language).split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (part, value) in parts.zip(values.iter().chain(std::iter::repeat(&""))) {
            text.push_str(value);
            text.push_str(part);
        }
        text
    }
}

/// Noun behind a number, for one and for another number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noun {
    /// Behind 1, in French behind 0 as well.
    pub one: Text,
    /// Behind other numbers.
    pub many: Text,
}

impl Noun {
    /// A number of items: «1 Prüfung», «12 Prüfungen».
    pub fn counted(self, count: u64, language: Language) -> String {
        let is_one = count == 1 || count == 0 && language == Language::French;
        let noun = if is_one { self.one } else { self.many };
        format!("{} {}", crate::numbers::grouped(count), noun.of(language))
    }
}

const WEEKDAYS: [[&str; 7]; COUNT] = [
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
    ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
    ["Δευτέρα", "Τρίτη", "Τετάρτη", "Πέμπτη", "Παρασκευή", "Σάββατο", "Κυριακή"],
];

const SHORT_WEEKDAYS: [[&str; 7]; COUNT] = [
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"],
    ["lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim."],
    ["lun", "mar", "mié", "jue", "vie", "sáb", "dom"],
    ["lun", "mar", "mer", "gio", "ven", "sab", "dom"],
    ["Δευ", "Τρί", "Τετ", "Πέμ", "Παρ", "Σάβ", "Κυρ"],
];

/// Months as they stand behind a day, in Greek in the genitive.
const MONTHS: [[&str; 12]; COUNT] = [
    [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ],
    [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ],
    [
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
        "décembre",
    ],
    [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
        "diciembre",
    ],
    [
        "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
        "novembre", "dicembre",
    ],
    [
        "Ιανουαρίου", "Φεβρουαρίου", "Μαρτίου", "Απριλίου", "Μαΐου", "Ιουνίου", "Ιουλίου", "Αυγούστου", "Σεπτεμβρίου",
        "Οκτωβρίου", "Νοεμβρίου", "Δεκεμβρίου",
    ],
];

const SHORT_MONTHS: [[&str; 12]; COUNT] = [
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."],
    ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
    ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
    ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"],
    ["Ιαν", "Φεβ", "Μαρ", "Απρ", "Μαΐ", "Ιουν", "Ιουλ", "Αυγ", "Σεπ", "Οκτ", "Νοε", "Δεκ"],
];

impl Language {
    /// Its own name.
    pub fn name(self) -> &'static str {
        ["English", "Deutsch", "Français", "Español", "Italiano", "Ελληνικά"][self as usize]
    }

    /// Its code (ISO 639-1), such as «de».
    pub fn code(self) -> &'static str {
        ["en", "de", "fr", "es", "it", "el"][self as usize]
    }

    /// Returns `true` for the language of documents for which nobody chose one.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Day and month: «1 June», «1. Juni», «1er juin», «1 de junio», «1 giugno», «1 Ιουνίου».
    pub fn day(self, date: NaiveDate) -> String {
        self.with_month(date, MONTHS[self as usize][date.month0() as usize])
    }

    fn with_month(self, date: NaiveDate, month: &str) -> String {
        match (self, date.day()) {
            (Self::German, day) => format!("{day}. {month}"),
            (Self::French, 1) => format!("1er {month}"),
            (Self::Spanish, day) => format!("{day} de {month}"),
            (_, day) => format!("{day} {month}"),
        }
    }

    /// Day, month and year: «1 June 2026», «1 de junio de 2026».
    pub fn date(self, date: NaiveDate) -> String {
        let of = if self == Self::Spanish { " de" } else { "" };
        format!("{}{of} {}", self.day(date), date.year())
    }

    /// Weekday, day, month and year: «Monday 1 June 2026», «Montag, 1. Juni 2026», «lundi 1er juin 2026».
    pub fn long_date(self, date: NaiveDate) -> String {
        let comma = if matches!(self, Self::German | Self::Spanish) { "," } else { "" };
        let weekday = WEEKDAYS[self as usize][date.weekday().num_days_from_monday() as usize];
        format!("{weekday}{comma} {}", self.date(date))
    }

    /// Short weekday and day with the short month: «Mon 1 Jun», «Mo, 1. Juni».
    pub fn short_day(self, date: NaiveDate) -> String {
        let comma = if matches!(self, Self::German | Self::Spanish) { "," } else { "" };
        let weekday = SHORT_WEEKDAYS[self as usize][date.weekday().num_days_from_monday() as usize];
        format!("{weekday}{comma} {}", self.short_month(date))
    }

    /// Day with the short month: «1 Jun», «1. Juni».
    pub fn short_month(self, date: NaiveDate) -> String {
        let month = SHORT_MONTHS[self as usize][date.month0() as usize];
        match (self, date.day()) {
            // «1 de jun» takes the place of the date that is to be short.
            (Self::Spanish, day) => format!("{day} {month}"),
            _ => self.with_month(date, month),
        }
    }

    /// Short weekday, day, short month and year: «Mon 1 Jun 2026».
    pub fn short_date(self, date: NaiveDate) -> String {
        format!("{} {}", self.short_day(date), date.year())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, month, day).unwrap()
    }

    #[test]
    fn dates_are_as_each_language_writes_them() {
        let long = |language: &Language| language.long_date(date(6, 1));
        let texts: Vec<String> = Language::VARIANTS.iter().map(long).collect();
        assert_eq!(
            texts,
            [
                "Monday 1 June 2026", "Montag, 1. Juni 2026", "lundi 1er juin 2026", "lunes, 1 de junio de 2026",
                "lunedì 1 giugno 2026", "Δευτέρα 1 Ιουνίου 2026"
            ]
        );
        let short = |language: &Language| language.short_date(date(3, 12));
        let texts: Vec<String> = Language::VARIANTS.iter().map(short).collect();
        assert_eq!(
            texts,
            [
                "Thu 12 Mar 2026", "Do, 12. März 2026", "jeu. 12 mars 2026", "jue, 12 mar 2026", "gio 12 mar 2026",
                "Πέμ 12 Μαρ 2026"
            ]
        );
    }

    /// Names of days and months are no copies of each other, and dates are read back by the program's own reader of weekdays.
    #[test]
    fn every_day_and_month_has_a_name_of_its_own() {
        for language in Language::VARIANTS {
            let months: std::collections::BTreeSet<String> =
                (1..=12).map(|month| language.day(date(month, 2))).collect();
            assert_eq!(months.len(), 12, "{language:?}");
            for day in 1..=7 {
                let name = language.long_date(date(6, day));
                let name = name.split([' ', ',']).next().unwrap();
                assert_eq!(crate::text::values::weekday(name), Some(date(6, day).weekday()), "{name}");
            }
        }
    }

    #[test]
    fn plurals_and_values_stand_where_each_language_has_them() {
        let exam = Noun {
            one: Text(["exam", "Prüfung", "examen", "examen", "esame", "εξέταση"]),
            many: Text(["exams", "Prüfungen", "examens", "exámenes", "esami", "εξετάσεις"]),
        };
        let counted = |count| Language::VARIANTS.iter().map(|it| exam.counted(count, *it)).collect::<Vec<_>>();
        assert_eq!(counted(1)[1..3], ["1 Prüfung", "1 examen"]);
        assert_eq!(counted(0)[1..4], ["0 Prüfungen", "0 examen", "0 exámenes"]);
        assert_eq!(counted(2)[5], "2 εξετάσεις");
        let text = Text(["{} of {}", "{} von {}", "{} sur {}", "{} de {}", "{} di {}", "{} από {}"]);
        assert_eq!(text.with(Language::German, &["1", "3"]), "1 von 3");
        assert_eq!("de".parse(), Ok(Language::German));
    }
}
