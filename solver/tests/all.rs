//! Tests of the solver's public functions, one program: a module per subject, chosen by `cargo test --release -- SUBJECT::`.

mod calendar;
mod data;
mod flowshop;
mod formats;
mod support;
mod timetabling_rules;
mod timetabling_runs;
