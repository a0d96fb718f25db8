//! Helpers shared by the tests of all problems.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Asserts that a message contains these pieces in this order.
#[track_caller]
pub fn assert_says(message: &str, pieces: &[&str]) {
    let mut rest = message;
    for piece in pieces {
        let Some(at) = rest.find(piece) else { panic!("«{piece}» is missing in:\n{message}") };
        rest = &rest[at + piece.len()..];
    }
}

/// Strategy: one of the valid texts with parts removed, inserted or overwritten, among them `pieces`.
pub fn changed(valid: &'static [&'static str], pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..4);
    let piece = prop_oneof![bytes, select(pieces).prop_map(|piece| piece.as_bytes().to_vec())];
    let change = (any::<Index>(), 0..6_usize, piece);
    (select(valid), proptest::collection::vec(change, 1..5)).prop_map(|(text, changes)| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, length, piece) in changes {
            let at = at.index(bytes.len() + 1);
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, piece);
        }
        bytes
    })
}
