//! Fuzz target: imports. The first byte of an input chooses the format within the group.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| gridwright_fuzz::feed_group("imports", input));
