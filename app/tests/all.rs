//! Tests of the window, one program: a module per subject, chosen by `cargo test --release -p gridwright -- SUBJECT::`.

mod adjusting;
mod charts;
mod comparing;
mod data_edits;
mod device_memory;
mod dialogs;
mod exporting;
mod facility;
mod file_dialog;
mod frame;
mod kill;
mod kill_saves;
mod old_files;
mod other_problems;
mod panels;
mod pictures;
mod real_window;
mod rooms;
mod shop;
mod sizes;
mod soak;
mod start;
mod support;
mod systolic;
mod views;
mod window;
