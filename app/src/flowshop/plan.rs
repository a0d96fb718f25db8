//! An order of the jobs with everything that follows from it.

use std::sync::Arc;

use gridwright_solver::flowshop::check::{Verdict, check};
use gridwright_solver::flowshop::drawing::layout::{Layout, Rows};
use gridwright_solver::flowshop::{Instance, Objective, Order, Schedule};

use crate::widgets::gantt::Facts;

/// An order, its schedule, and what the checker says of it.
#[derive(Debug)]
pub struct Plan {
    /// The order of the jobs.
    pub order: Arc<Order>,
    /// When everything starts and ends.
    pub schedule: Schedule,
    /// The checker's own count.
    pub verdict: Verdict,
    machines: Facts,
    jobs: Facts,
}

impl Plan {
    /// What follows from an order of jobs of the instance.
    pub fn of(instance: &Instance, order: Arc<Order>) -> Self {
        let schedule = Schedule::new(instance, &order.0);
        let [machines, jobs] =
            [Rows::Machines, Rows::Jobs].map(|rows| Facts::of(&Layout::new(instance, &schedule, rows)));
        Self { verdict: check(instance, &order.0), order, schedule, machines, jobs }
    }

    /// What a chart with these rows needs to know.
    pub fn facts(&self, rows: Rows) -> &Facts {
        match rows {
            Rows::Machines => &self.machines,
            Rows::Jobs => &self.jobs,
        }
    }

    /// The checker's value of an objective; `None` where it needs due dates that are not there.
    pub fn value(&self, objective: Objective) -> Option<u64> {
        self.verdict.value(objective)
    }

    /// The position of a job.
    pub fn position(&self, job: usize) -> Option<usize> {
        self.machines.position(job)
    }
}
