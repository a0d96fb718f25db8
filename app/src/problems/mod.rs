//! The problems that the window and the command line know, a folder each.

pub mod facility;
pub mod flowshop;
pub mod systolic;
pub mod timetabling;
