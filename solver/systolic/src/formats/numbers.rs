//! Numbers of binary problems: integers up to 63 bits, and values with two decimals.

use crate::MAX_SUM;
use gridwright_core::numbers::grouped;
use gridwright_core::text::lines::{Read, is_number, quoted};

/// Parses an integer of at most [`MAX_SUM`]; the error says what is wrong.
pub(super) fn whole(text: &str) -> Read<u64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if is_number(digits) {
        let fits = digits.parse().ok().filter(|&value| value <= MAX_SUM);
        return fits.ok_or_else(|| format!("{} is too large; at most {MAX_SUM} can be handled", quoted(text)));
    }
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let why = if text.is_empty() {
        "it is missing; write 0 where there is none".to_owned()
    } else if unsigned.len() < digits.len() && unsigned.parse::<f64>().is_ok() {
        format!("{} is negative; write numbers from 0", quoted(text))
    } else if unsigned.replacen(',', ".", 1).parse::<f64>().is_ok() {
        format!("{} is not a whole number; use a unit that has no fractions (grams instead of kilograms)", quoted(text))
    } else {
        let remedy = if digits.contains(|letter: char| letter.is_ascii_digit()) {
            "; write digits alone, without unit and separators, in a unit that has no fractions"
        } else {
            ""
        };
        format!("{} is not a whole number{remedy}", quoted(text))
    };
    Err(why)
}

/// Parses a number with at most two decimals into hundredths; returns whether it has decimals.
pub(super) fn hundredths(text: &str) -> Read<(u64, bool)> {
    let Some((before, after)) = text.split_once(['.', ',']).filter(|(_, after)| is_number(after)) else {
        return Ok((whole(text)?.saturating_mul(100), false));
    };
    let significant = after.trim_end_matches('0');
    if significant.len() > 2 {
        return Err(format!("{} has more than two decimals; round it", quoted(text)));
    }
    let fraction = format!("{significant:0<2}").parse::<u64>().unwrap_or(0);
    let units = if before.is_empty() { 0 } else { whole(before)? };
    Ok((units.saturating_mul(100).saturating_add(fraction), true))
}

/// Writes a value given in units of `1 / scale`, with the decimals of the scale, for files.
pub(crate) fn scaled(value: u64, scale: u64) -> String {
    match scale {
        0 | 1 => value.to_string(),
        100 => format!("{}.{:02}", value / 100, value % 100),
        scale => format!("{:.6}", value as f64 / scale as f64),
    }
}

/// Writes a value given in units of `1 / scale` for people, thousands set apart.
pub(crate) fn readable(value: u64, scale: u64) -> String {
    match scale {
        100 => format!("{}.{:02}", grouped(value / 100), value % 100),
        0 | 1 => grouped(value),
        scale => scaled(value, scale),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_say_what_is_wrong_with_them() {
        assert_eq!(whole("9223372036854775807"), Ok(MAX_SUM));
        assert!(whole("9223372036854775808").unwrap_err().contains("at most 9223372036854775807"));
        assert!(whole("-3").unwrap_err().contains("negative"));
        assert!(whole("2.5").unwrap_err().contains("no fractions"));
        assert!(whole("").unwrap_err().contains("missing"));
        assert!(whole("1.234,50 €").unwrap_err().contains("without unit and separators"));
        assert!(whole("heavy").unwrap_err().contains("«heavy» is not a whole number"));
    }

    #[test]
    fn values_have_two_decimals() {
        for (text, value) in [("3", (300, false)), ("3.5", (350, true)), ("0,07", (7, true)), (".25", (25, true))] {
            assert_eq!(hundredths(text), Ok(value), "{text}");
        }
        assert_eq!(hundredths("1.500"), Ok((150, true)), "zeros say nothing");
        assert!(hundredths("1.234").unwrap_err().contains("two decimals"));
        assert!(hundredths("-1.5").unwrap_err().contains("negative"));
        assert!(hundredths("1.x").unwrap_err().contains("not a whole number"));
        assert_eq!((scaled(1234, 1), scaled(1234, 100)), ("1234".to_owned(), "12.34".to_owned()));
        assert_eq!(
            (readable(1234, 1), readable(123_456, 100)),
            ("1\u{2009}234".to_owned(), "1\u{2009}234.56".to_owned())
        );
    }
}
