//! Published instances of each problem: sizes, seeds and tables.

mod flowshop;
mod tables;
mod timetabling;
