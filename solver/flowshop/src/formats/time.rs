//! Processing times and dates in files of flow shops.

use crate::MAX_TOTAL;
use gridwright_core::text::lines::{Read, number};

/// Parses a processing time or date; the error names the problem and its remedy.
pub(super) fn time(text: &str) -> Read<u32> {
    number(text, MAX_TOTAL as u32)
        .map_err(|why| format!("{why}; write whole numbers from 0, in a unit of time that has no fractions"))
}
