//! State of the search for what a timetable depends on.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use gridwright_timetabling::run::failing::Fragility;
use gridwright_window::live::Live;

use super::rooms::Of;

/// Known consequences of failures, for the timetable that a person has asked about.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) asked: Option<Of>,
    pub(crate) answers: Live<Of, Vec<Fragility>>,
    /// Failures that have been looked at, and all.
    pub(crate) progress: Arc<(AtomicUsize, AtomicUsize)>,
    /// True if all are listed.
    pub(crate) all: bool,
}
