//! Statistics of repeated runs: summaries, rank tests, effect sizes.
//!
//! Pure functions of samples. Smaller values are better wherever a direction matters; an infinite value stands for a run
//! without a solution and ranks behind all others. Distribution functions come from the crate statrs.
//!
//! * [`summary`]: mean, deviation, median, quartiles.
//! * [`ranks`]: mean ranks for ties, and the correction terms of the tests.
//! * [`friedman`]: several algorithms on several instances (Friedman, Iman–Davenport, Nemenyi).
//! * [`pairs`]: two algorithms (Wilcoxon signed rank, Vargha–Delaney) and Holm's adjustment.
//! * [`kruskal`]: several algorithms on one instance (Kruskal–Wallis, Dunn).
//! * [`means`]: means against printed ones (Student, Welch).
//!
//! Source of the choice of tests: J. Demšar, «Statistical comparisons of classifiers over multiple data sets», Journal of
//! Machine Learning Research 7, 2006. The tests compare every function with scipy (`.ci/statistics`).

pub mod friedman;
pub mod kruskal;
pub mod means;
pub mod pairs;
pub mod ranks;
pub mod summary;
#[cfg(test)]
mod tests;

/// Significance level of all tests.
pub const LEVEL: f64 = 0.05;
