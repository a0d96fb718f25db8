//! Edits of an order by hand: moves of jobs.

use easy_ext::ext;
use gridwright_flowshop::Order;
use gridwright_flowshop::insertion::{FlowShopProblem, Tables};

use super::Document;
use crate::methods::*;

#[ext(EditingMethods)]
impl Document {
    /// Moves the job at position `from` to position `to`.
    ///
    /// # Errors
    /// Error if there is no plan or no such position.
    pub(crate) fn move_job(&mut self, from: usize, to: usize) -> Result<(), &'static str> {
        let plan = self.plan().ok_or("There is no plan yet")?;
        let mut order = plan.order.0.clone();
        if from >= order.len() || to >= order.len() {
            return Err("There is no such position");
        }
        if from == to {
            return Ok(());
        }
        let job = order.remove(from);
        order.insert(to, job);
        let name = format!("move job {} to position {}", self.instance.jobs[usize::from(job)].name, to + 1);
        self.edit(&name, Order(order))
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
        let now = plan.value(self.objective());
        let mut order = plan.order.0.clone();
        let job = order.remove(position);
        let problem = FlowShopProblem::new(&self.instance, self.objective());
        let place = Tables::new(&problem).insert(&problem, &order, job);
        if now.is_none_or(|now| problem.shown(place.cost) >= now) {
            return Err("No other position is better for this job");
        }
        self.move_job(position, place.position)
    }
}
