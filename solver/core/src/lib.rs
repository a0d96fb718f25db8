//! The ground that all planning problems stand on; it knows none of them.
//!
//! A problem implements [`problem::Problem`] and [`planning::Planning`] in its own crate, and a program registers it
//! ([`registry`]). Problems share addressed random numbers ([`random`]), the loop of a search ([`search`]), drawings as data
//! ([`scene`]), texts from outside ([`text`]), data of instances as tables ([`data`]), workbooks ([`workbook`]), files
//! ([`files`]), and the devices that compute ([`backend`]).

pub mod backend;
pub mod crash;
pub mod data;
pub mod encoded;
pub mod error;
pub mod export;
pub mod files;
pub mod formats;
pub mod lanes;
pub mod letterhead;
pub mod marks;
pub mod moves;
pub mod numbers;
pub mod planning;
pub mod problem;
pub mod project;
pub mod random;
pub mod recognition;
pub mod registry;
pub mod replay;
pub mod result;
pub mod run_status;
pub mod scene;
pub mod search;
pub mod source;
pub mod statistics;
pub mod store;
pub mod testing;
pub mod text;
pub mod workbook;

pub use error::{Error, Result};

/// Text in the first two lines, or in the properties, of every output that has room for it.
pub const MARK: &str = "Made with Gridwright";

/// All variants of an enum in the order of their declaration; `N` must be their number, or the program does not compile.
pub const fn variants<T: strum::VariantArray + Copy, const N: usize>() -> [T; N] {
    assert!(T::VARIANTS.len() == N, "N is not the number of variants");
    match T::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => panic!("N is not the number of variants"),
    }
}
