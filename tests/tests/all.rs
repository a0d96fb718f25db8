//! Tests that cross crates, one program: a module per subject, chosen by `cargo test --release -p gridwright-tests -- SUBJECT::`.

mod architecture;
mod backends_agree;
mod command_line;
mod dependencies;
mod exports;
mod golden;
mod projects;
mod ptx_is_fresh;
mod published_results;
