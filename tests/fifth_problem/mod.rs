//! A fifth problem, complete but small: weighted tardiness on a single machine, 1 || Σ wⱼTⱼ.
//!
//! It is registered in tests only and shows what a problem consists of; `docs/adding-a-problem.md` walks through it.

mod check;
mod document;
mod drawing;
mod instance;
mod problem;
mod search;

pub use document::UI;
