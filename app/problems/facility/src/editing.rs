//! Edits of a layout by hand and of the rules for searches.

use easy_ext::ext;
use std::sync::Arc;

use gridwright_facility::check::check;
use gridwright_facility::{Layout, Rules};

use super::Document;
use super::action::Action;
use super::following::answers::LastMove;
use super::following::held;
use super::moves;
use super::plan::change_words;
use super::view::View;
use crate::methods::*;
use crate::widgets::floorplan::{Judgement, Moved, Target};
use gridwright_window::document::Work;
use gridwright_window::runs::Shown;

/// Reason why edits and locks to bays do not go with a layout of rectangles.
pub const WITHOUT_BAYS: &str = "This layout has rectangles and no bays: it is costed, compared and exported as it lies, and its departments can be locked \
     to their places, but not edited or locked to bays";

/// Changes of a layout by hand.
#[ext(EditingMethods)]
impl Document {
    /// Returns the shown layout if it may be changed by hand.
    ///
    /// # Errors
    /// Error with the reason in words during a run, or if there is no layout.
    pub fn editable(&self) -> Result<&Arc<Layout>, &'static str> {
        if self.shown == Shown::Live {
            return Err("The layout still changes by itself; stop the run first, or show another one");
        }
        Ok(&self.plan().ok_or("There is no layout yet")?.layout)
    }

    /// Returns the shown layout if its bays may be changed by hand.
    ///
    /// # Errors
    /// As [`Self::editable`]; the reason in words if the layout has no bays.
    pub fn bays(&self) -> Result<&Arc<Layout>, &'static str> {
        let layout = self.editable()?;
        if layout.is_free() { Err(WITHOUT_BAYS) } else { Ok(layout) }
    }

    /// Describes the effect of a move on the cost.
    pub fn judge(&self, to: Moved) -> Judgement {
        let Some((plan, layout)) = self.plan().and_then(|plan| Some((plan, moves::moved(&plan.layout, to)?))) else {
            return Judgement::default();
        };
        let verdict = check(&self.instance, &layout);
        let new = verdict.concerned.iter().filter(|one| !plan.verdict.concerned.contains(one)).count();
        let change = change_words(verdict.cost, plan.cost());
        let words = match new {
            0 => format!("cost {change}"),
            1 => format!("cost {change}, 1 department more against its limits"),
            more => format!("cost {change}, {more} departments more against their limits"),
        };
        let better = match verdict.cost - plan.cost() {
            _ if new > 0 => Some(false),
            less if less < 0.0 => Some(true),
            more if more > 0.0 => Some(false),
            _ => None,
        };
        Judgement { words, better }
    }

    /// Moves a department to another place.
    ///
    /// # Errors
    /// Error if there is no layout or no such place.
    pub fn move_department(&mut self, to: Moved) -> Result<(), &'static str> {
        let before = Arc::clone(self.bays()?);
        let held = held(&before, to).ok_or("There is no such place")?;
        let layout = held.dropped.clone();
        let name = |at: usize| self.instance.departments.get(at).map_or("", |one| one.name.as_str());
        let words = match to.to {
            Target::Swap(other) => format!("exchange {} and {}", name(to.room), name(other)),
            Target::Into { bay, .. } => format!("move {} within bay {}", name(to.room), bay + 1),
            Target::NewBay(_) => format!("give {} a bay of its own", name(to.room)),
        };
        let words = match (to.to, moves::place_of(self.bays()?, to.room as u16)) {
            (Target::Into { bay, .. }, Some((from, _))) if from != bay => {
                format!("move {} into bay {}", name(to.room), bay + 1)
            }
            _ => words,
        };
        self.edit(&words, layout)?;
        self.state.last_move = Some(LastMove { before, held });
        Ok(())
    }

    /// Carries out a change by hand.
    ///
    /// # Errors
    /// Error with the reason in words if the action is not possible.
    pub fn act(&mut self, action: Action) -> Result<(), &'static str> {
        match action {
            Action::Lock { place } => return self.lock_selected(place),
            Action::Underlay => {
                self.view = View::Plan;
                self.underlay.ask();
                return Ok(());
            }
            Action::ShowUnderlay => return self.toggle_underlay(),
            Action::Turn => {
                let layout = moves::turned(self.bays()?);
                let name = format!("turn to {} bays", layout.orientation.name());
                return self.edit(&name, layout);
            }
            _ => {}
        }
        let layout = Arc::clone(self.bays()?);
        let department = self.selected.and_then(|at| u16::try_from(at).ok()).ok_or("Select a department first")?;
        let (bay, _) = moves::place_of(&layout, department).ok_or("Select a department first")?;
        match action {
            Action::Nudge(side) => self.move_department(moves::nudged(&layout, department, side)?),
            Action::OwnBay => self.move_department(moves::own_bay(&layout, department)?),
            Action::Best => {
                let best = self.best_place(&layout, department).ok_or("No other place is better for it")?;
                self.move_department(best)
            }
            Action::Reverse => self.reverse_bay(bay),
            Action::BayBack => self.swap_bays(bay.checked_sub(1).ok_or("It is the first bay already")?, bay),
            Action::BayOn => self.swap_bays(bay, bay + 1),
            Action::Lock { .. } | Action::Turn | Action::Underlay | Action::ShowUnderlay => Ok(()),
        }
    }

    /// Reverses the order of the departments in a bay.
    ///
    /// # Errors
    /// Error if reversing changes nothing.
    pub fn reverse_bay(&mut self, bay: usize) -> Result<(), &'static str> {
        let layout = moves::reversed(self.bays()?, bay).ok_or("One department has no other order")?;
        self.edit(&format!("reverse bay {}", bay + 1), layout)
    }

    /// Lets two bays change places.
    ///
    /// # Errors
    /// Error if one of the bays does not exist.
    pub fn swap_bays(&mut self, one: usize, other: usize) -> Result<(), &'static str> {
        let layout = moves::swapped(self.bays()?, one, other).ok_or("It is the last bay already")?;
        self.edit(&format!("exchange bays {} and {}", one + 1, other + 1), layout)
    }

    /// Returns the place for a department with fewest violations and least cost; `None` if it is the present one.
    pub fn best_place(&self, layout: &Layout, department: u16) -> Option<Moved> {
        let rate = |layout: &Layout| {
            let verdict = check(&self.instance, layout);
            (verdict.violations.len(), verdict.cost)
        };
        let all = moves::everywhere(layout, department).into_iter();
        let rated = all.filter_map(|to| Some((rate(&moves::moved(layout, to)?), to)));
        let order = |one: &(usize, f64), other: &(usize, f64)| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1));
        let (best, to) = rated.min_by(|one, other| order(&one.0, &other.0))?;
        let now = rate(layout);
        // What differs by rounding alone is no better.
        let better = best.0 < now.0 || (best.0 == now.0 && best.1 < now.1 * (1.0 - 1e-12));
        better.then_some(to)
    }

    /// Demands something else from now on.
    ///
    /// # Errors
    /// Error in words if the rules contradict themselves or the instance.
    pub fn demand(&mut self, name: String, rules: Rules) -> Result<(), String> {
        rules.check(&self.instance).map_err(|error| error.to_string())?;
        let work = Work { demands: rules, ..self.work().clone() };
        self.change(&name, work, None).map_err(str::to_owned)
    }

    /// Change of the cost by the edits, in words, and `true` if the cost is lower now.
    pub fn draft_change(&self) -> Option<(String, bool)> {
        let before = check(&self.instance, &self.draft()?.base).cost;
        let now = self.plan().filter(|_| self.shown == Shown::Draft)?.cost();
        Some((change_words(now, before), now < before))
    }
}
