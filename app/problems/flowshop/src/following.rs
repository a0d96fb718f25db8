//! Jobs that follow one which is dragged or was moved: what they would do, before it is done.

use std::sync::Arc;

use easy_ext::ext;
use egui::{Context, Ui};
use gridwright_core::numbers::counted_as;
use gridwright_flowshop::run::holding::{Held, Rearranged, rearranged};
use gridwright_flowshop::{Instance, Objective, Order};

use super::Document;
use super::plan::Plan;
use crate::methods::*;
use crate::widgets::sequence::Moved;
use gridwright_window::live::{Live, Others, Same};
use gridwright_window::theme::space;
use gridwright_window::widgets::controls::section;
use gridwright_window::widgets::following;

/// Seed of the random words of an answer.
const SEED: u64 = 1;

/// Order in which others follow a job.
pub(crate) struct Following {
    /// The order and the jobs that have moved.
    pub found: Rearranged,
    /// The order as it is drawn.
    pub plan: Plan,
}

/// Instance and order before, the objective, and the job with its position.
pub(crate) type Question = (Same<Instance>, Same<Order>, Objective, Held);

/// Answers for the job that is dragged or was moved last.
pub(crate) type Answers = Live<Question, Option<Arc<Following>>>;

/// Move of a job by hand that others may follow.
pub(crate) struct LastMove {
    /// Order before.
    pub before: Arc<Order>,
    /// The job and its new position.
    pub held: Held,
    /// Order behind the move.
    pub after: Order,
}

/// Answers a question.
fn answer((instance, order, objective, held): &Question, is_over: &dyn Fn() -> bool) -> Option<Following> {
    let found = rearranged(&instance.0, &order.0.0, *objective, *held, SEED, is_over)?;
    let plan = Plan::of(&instance.0, Arc::new(Order(found.order.clone())));
    Some(Following { found, plan })
}

/// Others that follow a job in the order that is shown.
#[ext(FollowingMethods)]
pub(crate) impl Document {
    fn question(&self, before: &Arc<Order>, held: Held) -> Option<Question> {
        let is_resting = self.is_solving();
        let question = (Same(Arc::clone(&self.instance)), Same(Arc::clone(before)), self.objective(), held);
        (!is_resting).then_some(question)
    }

    /// Jobs that follow one which is held in a position of an order; a thread looks for them while they are asked for.
    fn others_for(&mut self, ctx: &Context, before: &Arc<Order>, held: Held) -> Others<Following> {
        let question = self.question(before, held);
        self.state.following.others(ctx, question.as_ref(), |question, is_over| answer(question, is_over))
    }

    /// Moves the job at a position, and others with it, as one change.
    ///
    /// # Errors
    /// Why that is not possible.
    fn move_with_others(&mut self, ctx: &Context, Moved { from, to }: Moved) -> Result<(), &'static str> {
        let before = Arc::clone(&self.plan().ok_or("There is no plan yet")?.order);
        let job = *before.0.get(from).ok_or("There is no such position")?;
        let held = Held { job: job.into(), position: to };
        let found = match self.others_for(ctx, &before, held) {
            Others::Resting => {
                return Err("Other jobs follow only while no run goes on; stop it first, or drop without Shift");
            }
            Others::Made(found) => Some(found),
            // The answer is soon there, and the same at any time.
            Others::Wanted => {
                self.question(&before, held).and_then(|question| answer(&question, &|| false)).map(Arc::new)
            }
            Others::Missing => None,
        };
        let found = found.ok_or("No order was found in which others follow it there; drop it without Shift")?;
        let name = format!("move job {} to position {}", self.job_name(held.job), to + 1);
        let others = counted_as(found.found.moved.len(), "other", "others");
        self.take_over(&format!("{name} with {others}"), held, &found)
    }

    /// Takes an order over in which others follow a job.
    fn take_over(&mut self, name: &str, held: Held, following: &Following) -> Result<(), &'static str> {
        let words = following.found.words(&self.instance, self.objective());
        self.edit(name, Order(following.found.order.clone()))?;
        self.tell_of_edit(format!("{} is in position {} now", self.job_name(held.job), held.position + 1), words);
        Ok(())
    }
}

/// Line beside the pointer about the jobs that follow.
pub(crate) fn hint(instance: &Instance, objective: Objective, others: &Others<Following>) -> String {
    following::hint(others, "job", |following| {
        let found = &following.found;
        (!found.moved.is_empty()).then(|| found.words(instance, objective))
    })
}

/// Offers that others follow the job that was moved last, as long as nothing else has changed since.
pub(crate) fn offer(ui: &mut Ui, document: &mut Document, job: usize) {
    let Some(last) = document.state.last_move.as_ref().filter(|last| last.held.job == job) else { return };
    // Questions about a job that is carried come first.
    let is_carrying = document.state.charting.carried.is_some();
    let is_shown = !is_carrying && document.plan().is_some_and(|plan| *plan.order == last.after);
    let (before, held) = (Arc::clone(&last.before), last.held);
    if !is_shown {
        return;
    }
    let (instance, objective) = (Arc::clone(&document.instance), document.objective());
    let others = document.others_for(ui.ctx(), &before, held);
    ui.add_space(space::S);
    section(ui, "Other jobs", |_| {});
    let words = match &others {
        Others::Resting => "They follow only while no run goes on.".to_owned(),
        Others::Wanted => "Looking for jobs that follow…".to_owned(),
        Others::Missing => "None can follow the job there.".to_owned(),
        Others::Made(found) if found.found.moved.is_empty() => "No other job has to follow.".to_owned(),
        Others::Made(found) => {
            let words = found.found.words(&instance, objective);
            format!("If they follow, {words} compared to before the move.")
        }
    };
    let ready = match &others {
        Others::Made(following) if !following.found.moved.is_empty() => Some(following),
        _ => None,
    };
    let help = "Moves the jobs that make up most for the move; one change, which Undo takes back";
    if following::offer(ui, words, ready.is_some(), "Let others follow", help)
        && let Some(following) = ready
    {
        let count = counted_as(following.found.moved.len(), "job", "jobs");
        let name = format!("let {count} follow {}", document.job_name(job));
        if let Err(why) = document.take_over(&name, held, following) {
            document.say(why);
        }
    }
}
