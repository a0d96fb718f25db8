//! Published instances of each problem: sizes, seeds and tables.

mod flowshop;
mod systolic;
mod tables;
mod timetabling;
