//! Costs as people read them: one rounding for the window, the command line, tables and documents.
//!
//! A cost is a quotient of integers, so exact ties occur (100,191 / 20,000 = 5.00955). Formatting the binary number
//! rounds such a tie by what its last bit happens to be, multiplying first by what the product's happens to be; two ways
//! would show two numbers for one cost.

/// How many decimals a cost is shown with: as many as are published at the most.
pub const COST_DECIMALS: usize = 4;

/// Rounded to [`COST_DECIMALS`], ties away from zero.
pub fn rounded(value: f64) -> f64 {
    const SCALE: f64 = 1e4;
    // Division and multiplication may leave a tie a bit below itself. What is no tie is 1 / (2 · divisor) away from one.
    const BELOW_A_TIE: f64 = 1e-6;
    (value * SCALE + BELOW_A_TIE.copysign(value)).round() / SCALE
}

/// A cost with exactly [`COST_DECIMALS`]: 10.0337, 5.0100.
pub fn cost(value: f64) -> String {
    format!("{:.*}", COST_DECIMALS, rounded(value))
}

/// A cost of any size as people read it, with at most [`COST_DECIMALS`] decimals: 3,615,914.11, 241.0616, 125.
pub fn quantity(value: f64) -> String {
    figure(rounded(value), COST_DECIMALS)
}

/// A difference of costs with its sign: +0.0123, −1.5000, 0.0000 where it rounds to nothing.
pub fn cost_change(value: f64) -> String {
    signed(rounded(value), |size| format!("{size:.*}", COST_DECIMALS))
}

/// A difference of counts with its sign: +1,204, −3, 0.
pub fn count_change(value: i64) -> String {
    signed(value as f64, |size| grouped(size as u64))
}

/// A count with thousands apart: 20,000.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with thousands apart and at most so many decimals, none that are 0: 1,204.5, 0.25, 12. Ties are rounded away
/// from zero, as [`rounded`] does.
pub fn figure(value: f64, decimals: usize) -> String {
    let scale = 10_f64.powi(decimals as i32);
    let near = (value.abs() * scale + 1e-6).round() / scale;
    let text = format!("{near:.decimals$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let rest = rest.trim_end_matches('0');
    // What has no whole part that fits is shown as it is.
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    let sign = if value < 0.0 && (whole != "0" || !rest.is_empty()) { "−" } else { "" };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{rest}")
}

fn signed(value: f64, size: impl Fn(f64) -> String) -> String {
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
        assert_eq!(all, ["3,615,914.11", "241.0616", "125", "−0.5", "0", "12,000,000,000"]);
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
        assert_eq!([1204.5, 0.25, 12.0, 0.999, -3.142_8, -0.001].map(of), ["1,204.5", "0.25", "12", "1", "−3.14", "0"]);
        assert_eq!([1.125, 1.005, 2.5].map(of), ["1.13", "1.01", "2.5"]);
        assert_eq!((figure(3_615_914.106_6, 4), figure(7.6, 0)), ("3,615,914.1066".to_owned(), "8".to_owned()));
    }

    #[test]
    fn changes_have_a_sign() {
        assert_eq!([1.5, -0.01234, 0.00001].map(cost_change), ["+1.5000", "−0.0123", "0.0000"]);
        assert_eq!([1204, -3, 0].map(count_change), ["+1,204", "−3", "0"]);
    }
}
