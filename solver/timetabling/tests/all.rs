//! Tests of the public functions, one program: a module per subject, chosen by `cargo test --release -- SUBJECT::`.

mod calendar;
mod formats;
mod partial;
mod rules;
mod runs;
#[path = "../../../tests/support.rs"]
mod support;
mod without_place;
