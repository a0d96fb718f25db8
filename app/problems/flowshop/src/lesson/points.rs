//! Points of a lesson in the plane of two objectives, with the region that an archive dominates.

use gridwright_core::search::pareto::Point;
use gridwright_flowshop::multiobjective::Objectives;

use crate::widgets::scatter::{Mark, Source};

/// A point.
pub(crate) struct Dot {
    /// Objective values.
    pub point: Point,
    /// Name.
    pub name: String,
    /// Remark in sentence case.
    pub(crate) remark: Option<&'static str>,
    /// Appearance; `None`: a member of the archive like others.
    pub mark: Option<Mark>,
    /// True for members of the archive, which bound the dominated region.
    pub(crate) is_member: bool,
}

pub(crate) struct Points<'a> {
    /// Objectives of both axes.
    pub objectives: &'a Objectives,
    /// The points; those that come later lie above.
    pub dots: Vec<Dot>,
    /// Marks with their names.
    pub legend: Vec<(&'static str, Mark)>,
    /// Changes with the points.
    pub revision: u64,
    pub summary: String,
}

impl Source for Points<'_> {
    fn objectives(&self) -> usize {
        self.objectives.count()
    }

    fn name(&self, objective: usize) -> &str {
        self.objectives.as_slice()[objective].label()
    }

    fn count(&self) -> usize {
        self.dots.len()
    }

    fn value(&self, point: usize, objective: usize) -> f64 {
        self.dots[point].point[objective] as f64
    }

    fn is_excluded(&self, point: usize) -> bool {
        !self.dots[point].is_member
    }

    fn mark(&self, point: usize) -> Option<Mark> {
        self.dots[point].mark
    }

    fn remark(&self, point: usize) -> Option<&str> {
        self.dots[point].remark
    }

    fn legend(&self) -> &[(&'static str, Mark)] {
        &self.legend
    }

    fn label(&self, point: usize) -> String {
        self.dots[point].name.clone()
    }

    fn revision(&self) -> u64 {
        self.revision
    }

    fn summary(&self) -> String {
        self.summary.clone()
    }

    fn nothing(&self) -> &str {
        "Candidates appear here from the first step on"
    }
}
