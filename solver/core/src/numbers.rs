//! Numbers as people read them, in the window, on the command line, in drawings and documents alike: thousands are set
//! apart by thin spaces, the minus sign is U+2212. CSV and JSON get plain digits and do not come here.
//!
//! A cost is a quotient of integers, so exact ties occur (100,191 / 20,000 = 5.00955). Formatting the binary number
//! rounds such a tie by its last bit, multiplying first by the last bit of the product; [`rounded`] is the one rounding
//! rule, so that a cost reads the same everywhere.

/// Number of decimals that a cost is shown with; the most that publications print.
pub const COST_DECIMALS: usize = 4;

/// Character between groups of three digits: U+2009 THIN SPACE.
pub(crate) const THIN_SPACE: char = '\u{2009}';

/// Rounds to [`COST_DECIMALS`] decimals, ties away from zero.
pub fn rounded(value: f64) -> f64 {
    const SCALE: f64 = 1e4;
    // Division and multiplication may leave a tie a bit below itself. What is no tie is 1 / (2 · divisor) away from one.
    const BELOW_A_TIE: f64 = 1e-6;
    (value * SCALE + BELOW_A_TIE.copysign(value)).round() / SCALE
}

/// A cost with exactly [`COST_DECIMALS`] decimals: 10.0337, 5.0100.
pub fn cost(value: f64) -> String {
    fixed(rounded(value), COST_DECIMALS)
}

/// A number of any size with at most [`COST_DECIMALS`] decimals: 3 615 914.11, 241.0616, 125.
pub fn quantity(value: f64) -> String {
    figure(rounded(value), COST_DECIMALS)
}

/// A difference of costs with its sign and exactly [`COST_DECIMALS`] decimals: +0.0123, −1.5000, 0.0000.
pub fn cost_change(value: f64) -> String {
    signed(rounded(value), |size| fixed(size, COST_DECIMALS))
}

/// A difference of counts with its sign: +1 204, −3, 0.
pub fn count_change(value: i64) -> String {
    signed(value as f64, |size| grouped(size as u64))
}

/// An integer with its thousands set apart: 20 000, −1 204.
pub fn grouped(number: impl Into<i128>) -> String {
    let number: i128 = number.into();
    let sign = if number < 0 { "−" } else { "" };
    format!("{sign}{}", grouped_digits(&number.unsigned_abs().to_string()))
}

/// A number of items, of any unsigned type.
pub trait Count {
    /// The number as 64 bits.
    fn count(self) -> u64;
}

macro_rules! counts {
    ($($type:ty),*) => {
        $(impl Count for $type {
            fn count(self) -> u64 {
                self as u64
            }
        })*
    };
}

counts!(u8, u16, u32, u64, usize);

/// A count and its noun, with a plural s unless the count is 1: «1 exam», «2 000 exams».
pub fn counted(count: impl Count, noun: &str) -> String {
    let count = count.count();
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A count and its noun, whose plural is `several`: «1 clash», «3 clashes».
pub fn counted_as(count: impl Count, one: &str, several: &str) -> String {
    let count = count.count();
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

/// A number with at most `decimals` decimals and without trailing zeros: 1 204.5, 0.25, 12. Ties are rounded away from
/// zero, as [`rounded`] does.
pub fn figure(value: f64, decimals: usize) -> String {
    let text = aligned(value, decimals);
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "−0" { "0".to_owned() } else { short.to_owned() }
}

/// A number with exactly `decimals` decimals, as in columns: 1 204.50, 0.25, 12.00. Ties are rounded as by [`figure`].
pub fn aligned(value: f64, decimals: usize) -> String {
    let scale = 10_f64.powi(decimals as i32);
    fixed(((value.abs() * scale + 1e-6).round() / scale).copysign(value), decimals)
}

/// A number with at least three significant digits, as lists and charts show costs: 12 345, 157.0, 10.03, 0.125.
pub fn significant(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        _ => 3,
    };
    fixed(value, decimals)
}

/// A count or rate shortened by an SI prefix: 9 500, 12.3 k, 4.6 M, 123 G.
pub fn compact(value: f64) -> String {
    let (scaled, prefix) = match value.abs() {
        size if size >= 1e9 => (value / 1e9, " G"),
        size if size >= 1e6 => (value / 1e6, " M"),
        size if size >= 1e4 => (value / 1e3, " k"),
        _ => (value, ""),
    };
    let decimals = if prefix.is_empty() || scaled.abs() >= 100.0 { 0 } else { 1 };
    format!("{}{prefix}", fixed(scaled, decimals))
}

/// A duration of so many seconds: 4 ms, 0.4 s, 12 s, 3:05 min, 1:02:00 h.
pub fn duration(seconds: f64) -> String {
    let seconds = seconds.max(0.0);
    let whole = seconds.round() as u64;
    match whole {
        0 if (0.0005..0.0995).contains(&seconds) => format!("{:.0} ms", seconds * 1000.0),
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02}:{:02} h", grouped(whole / 3600), whole / 60 % 60, whole % 60),
    }
}

/// Exactly `decimals` decimals, thousands set apart.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let sign = if value < 0.0 && text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", grouped_digits(whole))
}

/// Sets [`THIN_SPACE`] before every third digit from the right; text that is not digits (inf, NaN) stays as it is.
fn grouped_digits(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digit.is_ascii_digit() {
            text.push(THIN_SPACE);
        }
        text.push(digit);
    }
    text
}

/// A value with its sign, whose size is formatted by `size`; no sign for 0.
pub(crate) fn signed(value: f64, size: impl Fn(f64) -> String) -> String {
    let sign = match value {
        value if value > 0.0 => "+",
        value if value < 0.0 => "−",
        _ => "",
    };
    format!("{sign}{}", size(value.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_grouped_and_short() {
        let all = [3_615_914.11, 241.061_624_6, 125.0, -0.5, 1e-9, 12e9].map(quantity);
        assert_eq!(
            all,
            ["3\u{2009}615\u{2009}914.11", "241.0616", "125", "−0.5", "0", "12\u{2009}000\u{2009}000\u{2009}000"]
        );
    }

    #[test]
    fn ties_read_the_same_everywhere() {
        // 100,191 / 20,000 = 5.00955 exactly; as a binary number it lies a little below.
        let tie = 100_191.0 / 20_000.0;
        assert_eq!(format!("{tie:.4}"), "5.0095");
        assert_eq!((cost(tie), rounded(tie)), ("5.0096".to_owned(), 5.0096));
        for raw in 0..200_000_u32 {
            let value = f64::from(raw) / 20_000.0;
            assert_eq!(cost(value), format!("{:.4}", rounded(value)));
            assert_eq!(cost(value).parse::<f64>().unwrap(), rounded(value));
            // Half up, as by hand: ⌊(raw · 10,000 + 10,000) / 20,000⌋ ten-thousandths.
            let by_hand = (u64::from(raw) * 10_000 + 10_000) / 20_000;
            assert_eq!((rounded(value) * 1e4).round() as u64, by_hand, "{raw}");
        }
    }

    #[test]
    fn figures_have_no_needless_decimals() {
        let of = |value: f64| figure(value, 2);
        assert_eq!(
            [1204.5, 0.25, 12.0, 0.999, -3.142_8, -0.001].map(of),
            ["1\u{2009}204.5", "0.25", "12", "1", "−3.14", "0"]
        );
        let in_column = |value: f64| aligned(value, 2);
        assert_eq!([1.125, 1.005, 2.5, 12.0, -0.001].map(in_column), ["1.13", "1.01", "2.50", "12.00", "0.00"]);
        assert_eq!([1.125, 1.005, 2.5].map(of), ["1.13", "1.01", "2.5"]);
        assert_eq!(
            (figure(3_615_914.106_6, 4), figure(7.6, 0)),
            ("3\u{2009}615\u{2009}914.1066".to_owned(), "8".to_owned())
        );
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1\u{2009}000", "1\u{2009}234\u{2009}567"]);
        assert_eq!((grouped(-65_536), counted(1_u64, "exam")), ("−65\u{2009}536".to_owned(), "1 exam".to_owned()));
        assert_eq!(counted(2000_u64, "exam"), "2\u{2009}000 exams");
    }

    #[test]
    fn sizes_and_times_read_well() {
        let sizes = [1.0, 9_500.0, 12_345.0, 4_560_000.0, 123e9].map(compact);
        assert_eq!(sizes, ["1", "9\u{2009}500", "12.3 k", "4.6 M", "123 G"]);
        let times = [0.0, 0.0042, 0.0996, 0.42, 12.4, 185.0, 3720.0].map(duration);
        assert_eq!(times, ["0.0 s", "4 ms", "0.1 s", "0.4 s", "12 s", "3:05 min", "1:02:00 h"]);
        assert_eq!([10.033_5, 157.033, 1234.6, -0.5].map(significant), ["10.03", "157.0", "1\u{2009}235", "−0.500"]);
    }

    #[test]
    fn changes_have_a_sign() {
        assert_eq!([1.5, -0.01234, 0.00001].map(cost_change), ["+1.5000", "−0.0123", "0.0000"]);
        assert_eq!([1204, -3, 0].map(count_change), ["+1\u{2009}204", "−3", "0"]);
    }
}
