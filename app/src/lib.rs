//! The program `gridwright`: its command line and its window.

pub mod arguments;
pub mod command;
