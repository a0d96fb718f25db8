//! Counts of students that were made last.

use std::sync::Arc;
use std::time::Instant;

use gridwright_timetabling::Instance;

use crate::analysis::People;

/// Statistics that were counted last.
#[derive(Default)]
pub struct State {
    pub(crate) last: Option<Last>,
    pub(crate) number: u64,
}

pub(crate) struct Last {
    pub(crate) at: Instant,
    pub(crate) instance: Arc<Instance>,
    pub(crate) people: Arc<People>,
}
