//! Editing of an order by hand: moves of jobs, undo and redo.

use std::sync::Arc;

use gridwright_solver::flowshop::Order;
use gridwright_solver::flowshop::insertion::{FlowShopProblem, Tables};

use super::Desk;
use crate::runs::Shown;

/// Order of jobs that is being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Display name of the order that it was made from.
    pub from: String,
    /// Order that it was made from.
    pub base: Arc<Order>,
    /// Present order.
    pub order: Arc<Order>,
}

impl Draft {
    /// Number of jobs that stand in another position than before.
    pub fn displaced(&self) -> usize {
        self.base.0.iter().zip(&self.order.0).filter(|(before, now)| before != now).count()
    }
}

/// Change with the states before and after.
#[derive(Debug, Clone)]
struct Change {
    name: String,
    before: Option<Draft>,
    after: Option<Draft>,
}

/// Undo history of the edits.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Change>,
    undone: Vec<Change>,
}

impl Desk {
    /// The order that is being edited.
    pub fn draft(&self) -> Option<&Draft> {
        self.draft.as_ref()
    }

    /// Names of the edits that «Undo» and «Redo» would apply.
    pub fn undo_names(&self) -> (Option<&str>, Option<&str>) {
        (
            self.history.done.last().map(|change| change.name.as_str()),
            self.history.undone.last().map(|change| change.name.as_str()),
        )
    }

    /// Undoes the last change.
    ///
    /// # Errors
    /// Error if there is no change to undo.
    pub fn undo(&mut self) -> Result<(), &'static str> {
        let change = self.history.done.pop().ok_or("Nothing has been changed")?;
        self.set_draft(change.before.clone());
        self.history.undone.push(change);
        Ok(())
    }

    /// Makes a change again that was taken back.
    ///
    /// # Errors
    /// Error if there is no change to redo.
    pub fn redo(&mut self) -> Result<(), &'static str> {
        let change = self.history.undone.pop().ok_or("Nothing has been taken back")?;
        self.set_draft(change.after.clone());
        self.history.done.push(change);
        Ok(())
    }

    /// Moves the job at position `from` to position `to`.
    ///
    /// # Errors
    /// Error if there is no plan or no such position.
    pub fn move_job(&mut self, from: usize, to: usize) -> Result<(), &'static str> {
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
        self.change(name, order);
        Ok(())
    }

    /// Moves the selected job by so many positions.
    ///
    /// # Errors
    /// Error if no job is selected or there is no such position.
    pub fn step_job(&mut self, by: isize) -> Result<(), &'static str> {
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
    pub fn job_to_best(&mut self) -> Result<(), &'static str> {
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

    /// Discards the edited order.
    ///
    /// # Errors
    /// Error if nothing is edited.
    pub fn discard(&mut self) -> Result<(), &'static str> {
        if self.draft.is_none() {
            return Err("Nothing is being edited");
        }
        self.keep(Change { name: "discard the edits".to_owned(), before: self.draft.clone(), after: None });
        self.set_draft(None);
        Ok(())
    }

    /// Shows the draft.
    pub fn show_draft(&mut self) {
        if self.draft.is_some() {
            self.shown = Shown::Draft;
            self.refresh();
        }
    }

    fn change(&mut self, name: String, order: Vec<u16>) {
        let before = self.draft.clone();
        let (from, base) = match (&before, self.shown) {
            (Some(draft), Shown::Draft) => (draft.from.clone(), Arc::clone(&draft.base)),
            _ => {
                let from = match self.shown {
                    Shown::Run(number) => format!("run {number}"),
                    _ => format!("run {}", self.next_number()),
                };
                let order = self.plan().map(|plan| Arc::clone(&plan.order));
                (from, order.unwrap_or_default())
            }
        };
        let draft = Draft { from, base, order: Arc::new(Order(order)) };
        self.keep(Change { name, before, after: Some(draft.clone()) });
        self.set_draft(Some(draft));
    }

    fn keep(&mut self, change: Change) {
        self.history.undone.clear();
        self.history.done.push(change);
    }

    /// Goes on from another draft, as a change of this name.
    pub(super) fn go_on_from(&mut self, draft: Option<Draft>, name: &str) {
        self.keep(Change { name: name.to_owned(), before: self.draft.clone(), after: draft.clone() });
        self.set_draft(draft);
    }

    /// Clears the draft and the undo history, after the edited order was kept elsewhere.
    pub(super) fn end_edits(&mut self) {
        self.keeper.touch();
        self.draft = None;
        self.history = History::default();
    }

    fn set_draft(&mut self, draft: Option<Draft>) {
        self.keeper.touch();
        let there = draft.is_some();
        self.draft = draft;
        if there {
            self.shown = Shown::Draft;
            self.refresh();
        } else {
            self.show_best();
        }
    }
}
