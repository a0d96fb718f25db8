//! Departments that follow one which is dragged or was moved: what they would do, before it is done.

pub(crate) mod answers;

use std::sync::Arc;

use easy_ext::ext;
use egui::{Context, Ui};
use gridwright_core::numbers::counted_as;
use gridwright_facility::run::holding::{Held, Rearranged, rearranged};
use gridwright_facility::{Instance, Layout};

use super::Document;
use super::moves;
use super::plan::{Plan, change_words};
use crate::methods::*;
use crate::widgets::floorplan::{Link, Moved};
use answers::{Following, LastMove, Question};
use gridwright_window::live::{Others, Same};
use gridwright_window::theme::space;
use gridwright_window::widgets::controls::section;
use gridwright_window::widgets::following;

/// Seed of the random words of an answer.
const SEED: u64 = 1;

/// Answers a question.
fn answer((instance, layout, held): &Question, links: Arc<[Link]>, is_over: &dyn Fn() -> bool) -> Option<Following> {
    let found = rearranged(&instance.0, &layout.0, held, SEED, is_over)?;
    let plan = Plan::of(&instance.0, Arc::new(found.layout.clone()), links);
    Some(Following { found, plan })
}

/// Others that follow a department in the layout that is shown.
#[ext(FollowingMethods)]
pub(crate) impl Document {
    fn question(&self, before: &Arc<Layout>, held: Held) -> Option<Question> {
        let is_resting = self.is_solving();
        (!is_resting).then(|| (Same(Arc::clone(&self.instance)), Same(Arc::clone(before)), held))
    }

    /// Departments that follow one which is held in a layout; a thread looks for them while they are asked for.
    fn others_for(&mut self, ctx: &Context, before: &Arc<Layout>, held: Held) -> Others<Following> {
        let (question, links) = (self.question(before, held), Arc::clone(self.links()));
        let work = |question: &Question, is_over: &(dyn Fn() -> bool + Sync)| answer(question, links, is_over);
        self.state.following.others(ctx, question.as_ref(), work)
    }

    /// Moves a department, and others with it, as one change.
    ///
    /// # Errors
    /// Why that is not possible.
    fn move_with_others(&mut self, ctx: &Context, to: Moved) -> Result<(), &'static str> {
        let before = Arc::clone(self.bays()?);
        let held = held(&before, to).ok_or("There is no such place")?;
        let found = match self.others_for(ctx, &before, held.clone()) {
            Others::Resting => {
                return Err("Other departments follow only while no run goes on; stop it first, or drop without Shift");
            }
            Others::Made(found) => Some(found),
            // The answer is soon there, and the same at any time.
            Others::Wanted => {
                let links = Arc::clone(self.links());
                self.question(&before, held).and_then(|question| answer(&question, links, &|| false)).map(Arc::new)
            }
            Others::Missing => None,
        };
        let found = found.ok_or("No layout was found in which others follow it there; drop it without Shift")?;
        let others = counted_as(found.found.moved.len(), "other", "others");
        self.take_over(&format!("move {} with {others}", self.department_name(to.room)), to.room, &found)
    }

    /// Name of a department.
    fn department_name(&self, department: usize) -> String {
        self.instance.departments.get(department).map_or_else(String::new, |one| one.name.clone())
    }

    /// Takes a layout over in which others follow a department.
    fn take_over(&mut self, name: &str, department: usize, following: &Following) -> Result<(), &'static str> {
        let words = words(&self.instance, &following.found);
        self.edit(name, following.found.layout.clone())?;
        self.tell_of_edit(format!("{} lies elsewhere now", self.department_name(department)), words);
        Ok(())
    }
}

/// The department of a move with the layout behind it; `None` if there is no such place.
pub(crate) fn held(before: &Layout, to: Moved) -> Option<Held> {
    Some(Held { department: u16::try_from(to.room).ok()?, dropped: moves::moved(before, to)? })
}

/// Sentence without a full stop: «2 other departments move: Saw to bay 3, Paint to bay 1; cost −2.3 %».
fn words(instance: &Instance, found: &Rearranged) -> String {
    format!("{}; cost {}", found.words(instance), change_words(found.costs[2], found.costs[0]))
}

/// Line beside the pointer about the departments that follow.
pub(crate) fn hint(instance: &Instance, others: &Others<Following>) -> String {
    following::hint(others, "department", |following| {
        let found = &following.found;
        (!found.moved.is_empty()).then(|| words(instance, found))
    })
}

/// Offers that others follow the department that was moved last, as long as nothing else has changed since.
pub(crate) fn offer(ui: &mut Ui, document: &mut Document, department: usize) {
    let is_own = |last: &&LastMove| usize::from(last.held.department) == department;
    let Some(last) = document.state.last_move.as_ref().filter(is_own) else { return };
    // Questions about a department that is carried come first.
    let is_carrying = document.state.carried.is_some();
    let is_shown = !is_carrying && document.plan().is_some_and(|plan| *plan.layout == last.held.dropped);
    let (before, held) = (Arc::clone(&last.before), last.held.clone());
    if !is_shown {
        return;
    }
    let instance = Arc::clone(&document.instance);
    let others = document.others_for(ui.ctx(), &before, held);
    ui.add_space(space::S);
    section(ui, "Other departments", |_| {});
    let told = match &others {
        Others::Resting => "They follow only while no run goes on.".to_owned(),
        Others::Wanted => "Looking for departments that follow…".to_owned(),
        Others::Missing => "None can follow the department there.".to_owned(),
        Others::Made(found) if found.found.moved.is_empty() => "No other department has to follow.".to_owned(),
        Others::Made(found) => {
            let words = words(&instance, &found.found);
            format!("If they follow, {words} compared to before the move.")
        }
    };
    let ready = match &others {
        Others::Made(following) if following.found.layout != *before && !following.found.moved.is_empty() => {
            Some(following)
        }
        _ => None,
    };
    let help = "Moves the departments that make up most for the move; one change, which Undo takes back";
    if following::offer(ui, told, ready.is_some(), "Let others follow", help)
        && let Some(following) = ready
    {
        let count = counted_as(following.found.moved.len(), "department", "departments");
        let name = format!("let {count} follow {}", document.department_name(department));
        if let Err(why) = document.take_over(&name, department, following) {
            document.say(why);
        }
    }
}
