//! Tests that cross crates, one program: a module per subject, chosen by `cargo test --release -p gridwright-tests -- SUBJECT::`.

mod architecture;
mod backends_agree;
mod characters;
mod command_line;
mod dependencies;
mod documents;
mod exports;
mod golden;
mod imports;
mod improvements;
mod old_preferences;
mod project_files;
mod projects;
mod ptx_is_fresh;
mod published_instances;
mod published_results;
mod recognition;
mod table_cells;
mod updates;
