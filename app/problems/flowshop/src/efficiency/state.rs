//! State of the view of efficiency: the chosen efficiency and the measurements.

use gridwright_flowshop::wavefront::measuring::Measurement;

use crate::widgets::curves::Dot;
use gridwright_window::work::Work;

/// Measurements on one kind of processor.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name of the processor, such as «Threads of this machine» or «cuda:0, a block».
    pub name: String,
    /// Measurements by rising p.
    pub measured: Vec<Measurement>,
}

/// State of the view: the chosen efficiency, the selected dot and the running measurement.
pub struct State {
    /// c: the efficiency to be kept, above 0 and below 1.
    pub kept: f64,
    pub(super) selected: Option<Dot>,
    pub(super) work: Option<Work<Vec<Series>>>,
}

impl Default for State {
    fn default() -> Self {
        Self { kept: 0.5, selected: None, work: None }
    }
}

impl State {
    /// Returns the measurements so far.
    pub fn measured(&self) -> Vec<Series> {
        self.work.as_ref().map(|work| work.look(|series, _| series.clone())).unwrap_or_default()
    }

    /// Returns `true` while a measurement is running.
    pub fn is_measuring(&self) -> bool {
        self.work.as_ref().is_some_and(Work::is_going)
    }
}
