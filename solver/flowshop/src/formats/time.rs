//! Processing times and dates in files of flow shops.

use crate::{Instance, MAX_TOTAL};
use gridwright_core::text::lines::{Read, number};
use gridwright_core::text::values::{as_date_or_time, duration};

/// Parses a time in the unit of an instance, or one such as `1:30` where the unit is minutes.
///
/// # Errors
/// The problem with its remedy.
pub(super) fn amount(instance: &Instance, text: &str) -> Read<u32> {
    let is_minutes = instance.seconds_per_unit() == 60 && instance.plan_start().is_some();
    time(text).or_else(|why| if is_minutes { duration(text).map_err(|_| why) } else { Err(why) })
}

/// Parses a processing time or date; the error names the problem and its remedy.
pub(super) fn time(text: &str) -> Read<u32> {
    number(text, MAX_TOTAL as u32).map_err(|why| {
        let general = || format!("{why}; write whole numbers from 0, in a unit of time that has no fractions");
        as_date_or_time(text).unwrap_or_else(general)
    })
}

/// Parses a whole number in a range, both ends included.
///
/// # Errors
/// The problem with its remedy.
pub(super) fn number_from(text: &str, least: u32, most: u64) -> Read<u32> {
    let value = number(text, most as u32)?;
    (value >= least).then_some(value).ok_or_else(|| format!("{value} is less than {least}; correct it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole_numbers_and_no_clock_times() {
        assert_eq!((time("8"), time("0")), (Ok(8), Ok(0)));
        assert!(time("8.5").unwrap_err().contains("unit of time that has no fractions"));
        let why = time("8:00").unwrap_err();
        assert!(why.contains("in hours and minutes") && why.ends_with("such as 480 for minutes"), "{why}");
        for date in ["2025-11-28", "28.11.2025", "28/11/2025"] {
            let why = time(date).unwrap_err();
            assert!(why.contains("is a date and no number") && why.ends_with("counted from the start"), "{why}");
        }
    }
}
