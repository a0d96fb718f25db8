//! Published instances of each problem: sizes, seeds and tables.

mod facility;
mod flowshop;
mod systolic;
mod tables;
mod timetabling;
