//! Dates and times of day in workbooks: numbers of days whose format says that they are dates (ECMA-376-1:2016, §18.8.30 and
//! §18.17.4.1).

use chrono::{Days, NaiveDate};

use crate::text::notation::written;

/// Days by which the dates of workbooks with the epoch 1904 differ from those with the epoch 1900.
const DAYS_TO_1904: f64 = 1462.0;

/// Number of days until the end of the year 9999.
const MOST_DAYS: f64 = 2_958_466.0;

/// Parts of a moment that a number format shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Shown {
    has_date: bool,
    has_time: bool,
    /// True if the number is shown as per cent.
    has_share: bool,
}

impl Shown {
    /// Parts that the built-in format of this number shows; formats 50 to 58 are East Asian ones.
    pub(super) fn of_number(format: u32) -> Self {
        Self {
            has_date: matches!(format, 14..=17 | 22 | 27..=31 | 36 | 50..=54 | 57 | 58),
            has_time: matches!(format, 18..=22 | 32..=35 | 45..=47 | 55 | 56),
            has_share: matches!(format, 9 | 10),
        }
    }

    /// Parts that a format code such as `dd.mm.yyyy hh:mm` shows.
    pub(super) fn of_code(code: &str) -> Self {
        let (mut letters, mut rest) = (String::new(), code.chars());
        while let Some(letter) = rest.next() {
            match letter {
                ';' => break,
                '"' => drop(rest.by_ref().find(|&letter| letter == '"')),
                '\\' | '_' | '*' => drop(rest.next()),
                // Colours, locales and conditions, or elapsed hours, minutes and seconds.
                '[' => {
                    let inside: String = rest.by_ref().take_while(|&letter| letter != ']').collect();
                    if matches!(inside.to_ascii_lowercase().trim_matches(['h', 'm', 's']), "") {
                        letters.push_str(&inside);
                    }
                }
                _ => letters.push(letter),
            }
        }
        let letters = letters.to_ascii_lowercase();
        if letters.contains("general") {
            return Self::default();
        }
        let has_time = letters.contains(['h', 's']);
        // An m without hours or seconds is a month, with them it may be minutes.
        let has_date = letters.contains(['d', 'y']) || letters.contains("mmm") || letters.contains('m') && !has_time;
        Self { has_date, has_time, has_share: letters.contains('%') }
    }

    /// A share, which per cent are shown of.
    pub(super) const SHARE: Self = Self { has_date: false, has_time: false, has_share: true };

    /// A number as text: dates and times as such, shares in per cent, others with a decimal point and one reading.
    pub(super) fn number(self, number: f64, is_1904: bool) -> String {
        if let Some(moment) = self.text(number, is_1904) {
            return moment;
        }
        match self.has_share {
            // Binary fractions such as 0.07 are not exact: 7.000000000000001 %.
            true => format!("{} %", (number * 1e12).round() / 1e10),
            false => written(number),
        }
    }

    /// True if numbers of this format are dates or times.
    pub(super) fn is_moment(self) -> bool {
        self.has_date || self.has_time
    }

    /// A number of days as `2026-06-01`, `2026-06-01 09:00` or `09:00`; `None` if it is no such moment.
    pub(super) fn text(self, days: f64, is_1904: bool) -> Option<String> {
        let seconds = (days.fract() * 86_400.0).round();
        let (hours, minutes, seconds) =
            ((seconds / 3600.0).floor(), ((seconds % 3600.0) / 60.0).floor(), seconds % 60.0);
        let clock = |hours: f64| match seconds {
            0.0 => format!("{hours:02}:{minutes:02}"),
            _ => format!("{hours:02}:{minutes:02}:{seconds:02}"),
        };
        if !self.is_moment() || !(0.0..MOST_DAYS).contains(&days) {
            return None;
        }
        if !self.has_date {
            return Some(clock(hours + 24.0 * days.floor()));
        }
        let whole = days.floor() + if is_1904 { DAYS_TO_1904 } else { 0.0 };
        // The 29 February 1900 of workbooks never was.
        let epoch = NaiveDate::from_ymd_opt(1899, 12, if whole < 60.0 { 31 } else { 30 })?;
        let date = epoch.checked_add_days(Days::new(whole as u64))?;
        let has_clock = self.has_time && (hours, minutes, seconds) != (0.0, 0.0, 0.0);
        Some(if has_clock { format!("{date} {}", clock(hours)) } else { date.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_tell_dates_times_and_plain_numbers_apart() {
        let parts = |shown: Shown| (shown.has_date, shown.has_time);
        for (code, expected) in [
            ("dd.mm.yyyy", (true, false)),
            ("[$-407]d. mmm yyyy;@", (true, false)),
            ("mmm", (true, false)),
            ("hh:mm", (false, true)),
            ("[h]:mm", (false, true)),
            ("yyyy-mm-dd hh:mm:ss", (true, true)),
            ("General", (false, false)),
            ("#,##0.00 \"days\"", (false, false)),
            ("[Red]0\\d", (false, false)),
            ("@", (false, false)),
        ] {
            assert_eq!(parts(Shown::of_code(code)), expected, "{code}");
        }
        assert_eq!([14, 20, 22, 0, 4, 49].map(|format| parts(Shown::of_number(format))), {
            let none = (false, false);
            [(true, false), (false, true), (true, true), none, none, none]
        });
    }

    #[test]
    fn shares_are_written_in_per_cent_and_numbers_with_one_reading() {
        let text = |code: &str, number| Shown::of_code(code).number(number, false);
        let texts = [text("0%", 0.25), text("0.0 %", 0.07), text("0.00", 1.125), text("General", 1250.0)];
        assert_eq!(texts, ["25 %", "7 %", "1.1250", "1250"]);
        assert_eq!(
            (Shown::of_number(9).number(0.5, false), Shown::SHARE.number(1.0, false)),
            ("50 %".into(), "100 %".into())
        );
        assert_eq!(text("\"50%\"0", 3.0), "3", "a quoted sign is none");
    }

    #[test]
    fn numbers_of_days_become_dates_and_times() {
        let text = |code: &str, days| Shown::of_code(code).text(days, false);
        assert_eq!(text("dd.mm.yyyy", 46_147.0).as_deref(), Some("2026-05-05"));
        assert_eq!(text("dd.mm.yyyy", 1.0).as_deref(), Some("1900-01-01"));
        assert_eq!(text("dd.mm.yyyy hh:mm", 46_147.375).as_deref(), Some("2026-05-05 09:00"));
        assert_eq!(text("hh:mm", 0.375).as_deref(), Some("09:00"));
        assert_eq!(text("hh:mm:ss", 0.3750116).as_deref(), Some("09:00:01"));
        assert_eq!(text("[h]:mm", 1.5).as_deref(), Some("36:00"));
        assert_eq!(Shown::of_code("dd.mm.yyyy").text(44_685.0, true).as_deref(), Some("2026-05-05"));
        for (code, days) in [("0.00", 46_147.0), ("dd.mm.yyyy", -1.0), ("dd.mm.yyyy", 1e9), ("dd.mm.yyyy", f64::NAN)] {
            assert_eq!(text(code, days), None, "{code} {days}");
        }
    }
}
