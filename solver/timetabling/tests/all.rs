//! Tests of the public functions, one program: a module per subject, chosen by `cargo test --release -- SUBJECT::`.

mod calendar;
mod check_sheets;
mod common_room;
mod formats;
mod limits;
mod partial;
mod planted;
mod rules;
mod runs;
mod small_sessions;
#[path = "../../../tests/support.rs"]
mod support;
mod without_place;
