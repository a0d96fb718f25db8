//! Edits of an order by hand: moves of jobs.

use std::sync::Arc;

use easy_ext::ext;
use gridwright_flowshop::Order;
use gridwright_flowshop::insertion::{FlowShopProblem, moved_to_best};
use gridwright_flowshop::run::holding::Held;

use super::Document;
use super::following::LastMove;
use crate::methods::*;

/// Why a pinned job is not moved.
const PINNED: &str = "The job is pinned to its position; unpin it first, with P or in its menu";

#[ext(EditingMethods)]
impl Document {
    /// Moves the job at position `from` to position `to`.
    ///
    /// # Errors
    /// Error if there is no plan or no such position.
    pub(crate) fn move_job(&mut self, from: usize, to: usize) -> Result<(), &'static str> {
        let plan = self.plan().ok_or("There is no plan yet")?;
        let before = Arc::clone(&plan.order);
        let mut order = before.0.clone();
        if from >= order.len() || to >= order.len() {
            return Err("There is no such position");
        }
        if from == to {
            return Ok(());
        }
        let job = order[from];
        order = self.instance.rules.moved(&order, [from, to]);
        let position = order.iter().position(|other| *other == job).unwrap_or(to);
        // A pinned job that stands elsewhere may go to its own position.
        if self.instance.rules.pinned(job.into()).is_some_and(|own| own != position) {
            return Err(PINNED);
        }
        if position == from {
            return Err("Pinned jobs stand in the positions on that side; remove a pin first");
        }
        let name = format!("move job {} to position {}", self.instance.jobs[usize::from(job)].name, position + 1);
        let after = Order(order);
        self.edit(&name, after.clone())?;
        self.state.last_move = Some(LastMove { before, held: Held { job: job.into(), position }, after });
        Ok(())
    }

    /// Moves the selected job by so many positions.
    ///
    /// # Errors
    /// Error if no job is selected or there is no such position.
    pub(crate) fn step_job(&mut self, by: isize) -> Result<(), &'static str> {
        let position = self.selected_position().ok_or("Select a job first")?;
        let to = position.checked_add_signed(by).ok_or("The job is the first one already")?;
        let last = self.plan().map_or(0, |plan| plan.order.0.len());
        if to >= last {
            return Err("The job is the last one already");
        }
        self.move_job(position, to)
    }

    /// Moves the selected job to the position with the least objective.
    ///
    /// # Errors
    /// Error if no job is selected or the job is at its best position already.
    pub(crate) fn job_to_best(&mut self) -> Result<(), &'static str> {
        let position = self.selected_position().ok_or("Select a job first")?;
        let plan = self.plan().ok_or("There is no plan yet")?;
        let (now, order) = (plan.value(self.objective()), plan.order.0.clone());
        let job = order[position];
        if self.instance.rules.pinned(job.into()).is_some() {
            return Err(PINNED);
        }
        let problem = FlowShopProblem::new(&self.instance, self.objective());
        let (best, cost) = moved_to_best(&problem, &order, job);
        // A broken rule costs more than every schedule.
        let is_better = match self.instance.rules.is_empty() {
            true => now.is_some_and(|now| problem.shown(cost) < now),
            false => cost < problem.cost(&order),
        };
        if !is_better {
            return Err("No other position is better for this job");
        }
        let position = best.iter().position(|other| *other == job).unwrap_or(position);
        let name = format!("move job {} to position {}", self.instance.jobs[usize::from(job)].name, position + 1);
        self.edit(&name, Order(best))
    }
}
