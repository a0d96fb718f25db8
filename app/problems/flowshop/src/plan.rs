//! An order of the jobs with everything that follows from it.

use std::sync::Arc;

use gridwright_flowshop::check::{Verdict, check};
use gridwright_flowshop::drawing::layout::{GanttLayout, GanttRows};
use gridwright_flowshop::{Instance, Objective, Order, Schedule};

use crate::widgets::gantt::Facts;

/// Order of jobs with its schedule and the checker's verdict.
#[derive(Debug)]
pub struct Plan {
    /// The order of the jobs.
    pub order: Arc<Order>,
    /// Start and end of every operation.
    pub schedule: Schedule,
    /// Verdict of the checker.
    pub verdict: Verdict,
    machines: Facts,
    jobs: Facts,
}

impl Plan {
    /// Computes schedule, verdict and chart facts of an order of the instance's jobs.
    pub fn of(instance: &Instance, order: Arc<Order>) -> Self {
        let schedule = Schedule::new(instance, &order.0);
        let [machines, jobs] =
            [GanttRows::Machines, GanttRows::Jobs].map(|rows| Facts::of(&GanttLayout::new(instance, &schedule, rows)));
        Self { verdict: check(instance, &order.0), order, schedule, machines, jobs }
    }

    /// Returns the chart facts for these rows.
    pub fn facts(&self, rows: GanttRows) -> &Facts {
        match rows {
            GanttRows::Machines => &self.machines,
            GanttRows::Jobs => &self.jobs,
        }
    }

    /// Value of an objective by the checker; `None` if it needs due dates that the instance lacks.
    pub fn value(&self, objective: Objective) -> Option<u64> {
        self.verdict.value(objective)
    }

    /// The position of a job; `None` if the job is not in the order.
    pub fn position(&self, job: usize) -> Option<usize> {
        self.machines.position(job)
    }
}
