//! Undoable edits of the layout by hand and of the rules for searches.

use std::sync::Arc;

use gridwright_solver::facility::check::check;
use gridwright_solver::facility::run::Algorithm;
use gridwright_solver::facility::{Instance, Layout, Rules};

use super::Desk;
use super::action::Action;
use super::moves;
use super::plan::change_words;
use crate::problems::facility::widgets::floorplan::{Judgement, Moved, Target};
use crate::runs::Shown;

/// Layout that is being edited.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Display name of the layout that it was made from.
    pub from: String,
    /// Layout that it was made from.
    pub base: Arc<Layout>,
    /// Cost of the layout that it was made from.
    pub base_cost: f64,
    /// Present layout.
    pub layout: Arc<Layout>,
}

impl Draft {
    /// Number of departments that lie elsewhere than before.
    pub fn displaced(&self) -> usize {
        moves::displaced(&self.base, &self.layout)
    }
}

/// State that edits change and undo restores.
#[derive(Debug, Clone, PartialEq, Default)]
struct Work {
    draft: Option<Draft>,
    rules: Rules,
}

/// Change with the states before and after.
#[derive(Debug, Clone)]
struct Change {
    name: String,
    before: Work,
    after: Work,
}

/// Undo history of the edits.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Change>,
    undone: Vec<Change>,
}

impl Desk {
    /// The layout that is being edited.
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
        self.set_work(change.before.clone());
        self.history.undone.push(change);
        Ok(())
    }

    /// Makes a change again that was taken back.
    ///
    /// # Errors
    /// Error if there is no change to redo.
    pub fn redo(&mut self) -> Result<(), &'static str> {
        let change = self.history.undone.pop().ok_or("Nothing has been taken back")?;
        self.set_work(change.after.clone());
        self.history.done.push(change);
        Ok(())
    }

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
        let layout = moves::moved(self.editable()?, to).ok_or("There is no such place")?;
        let name = |at: usize| self.instance.departments.get(at).map_or("", |one| one.name.as_str());
        let words = match to.to {
            Target::Swap(other) => format!("exchange {} and {}", name(to.room), name(other)),
            Target::Into { bay, .. } => format!("move {} within bay {}", name(to.room), bay + 1),
            Target::NewBay(_) => format!("give {} a bay of its own", name(to.room)),
        };
        let words = match (to.to, moves::place_of(self.editable()?, to.room as u16)) {
            (Target::Into { bay, .. }, Some((from, _))) if from != bay => {
                format!("move {} into bay {}", name(to.room), bay + 1)
            }
            _ => words,
        };
        self.change(words, layout);
        Ok(())
    }

    /// Carries out a change by hand.
    ///
    /// # Errors
    /// Error with the reason in words if the action is not possible.
    pub fn act(&mut self, action: Action) -> Result<(), &'static str> {
        match action {
            Action::Lock { place } => return self.lock_selected(place),
            Action::Turn => {
                let layout = moves::turned(self.editable()?);
                let name = format!("turn to {} bays", layout.orientation.name());
                self.change(name, layout);
                return Ok(());
            }
            _ => {}
        }
        let layout = Arc::clone(self.editable()?);
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
            Action::Lock { .. } | Action::Turn => Ok(()),
        }
    }

    /// Reverses the order of the departments in a bay.
    ///
    /// # Errors
    /// Error if reversing changes nothing.
    pub fn reverse_bay(&mut self, bay: usize) -> Result<(), &'static str> {
        let layout = moves::reversed(self.editable()?, bay).ok_or("One department has no other order")?;
        self.change(format!("reverse bay {}", bay + 1), layout);
        Ok(())
    }

    /// Lets two bays change places.
    ///
    /// # Errors
    /// Error if one of the bays does not exist.
    pub fn swap_bays(&mut self, one: usize, other: usize) -> Result<(), &'static str> {
        let layout = moves::swapped(self.editable()?, one, other).ok_or("It is the last bay already")?;
        self.change(format!("exchange bays {} and {}", one + 1, other + 1), layout);
        Ok(())
    }

    /// Returns the place for a department with fewest violations and least cost; `None` if it is the present one.
    fn best_place(&self, layout: &Layout, department: u16) -> Option<Moved> {
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

    /// Discards the edited layout; rules stay.
    ///
    /// # Errors
    /// Error if nothing is edited.
    pub fn discard(&mut self) -> Result<(), &'static str> {
        if self.draft.is_none() {
            return Err("Nothing is being edited");
        }
        let after = Work { draft: None, ..self.work() };
        self.make("discard the edits".to_owned(), after);
        Ok(())
    }

    /// Shows the draft.
    pub fn show_draft(&mut self) {
        if self.draft.is_some() {
            self.shown = Shown::Draft;
            self.refresh();
        }
    }

    /// Demands something else from now on.
    ///
    /// # Errors
    /// Error in words if the rules contradict themselves or the instance.
    pub fn demand(&mut self, name: String, rules: Rules) -> Result<(), String> {
        rules.check(&self.instance).map_err(|error| error.to_string())?;
        let after = Work { rules, ..self.work() };
        self.make(name, after);
        Ok(())
    }

    /// Change of the cost by the edits, in words, and `true` if the cost is lower now.
    pub fn draft_change(&self) -> Option<(String, bool)> {
        let before = self.draft.as_ref()?.base_cost;
        let now = self.plan().filter(|_| self.shown == Shown::Draft)?.cost();
        Some((change_words(now, before), now < before))
    }

    fn change(&mut self, name: String, layout: Layout) {
        let (from, base, base_cost) = match (&self.draft, self.shown) {
            (Some(draft), Shown::Draft) => (draft.from.clone(), Arc::clone(&draft.base), draft.base_cost),
            _ => {
                let from = match self.shown {
                    Shown::Run(number) => format!("run {number}"),
                    _ => format!("run {}", self.next_number()),
                };
                let plan = self.plan().map(|plan| (Arc::clone(&plan.layout), plan.cost()));
                let (base, cost) = plan.unwrap_or_default();
                (from, base, cost)
            }
        };
        let draft = Some(Draft { from, base, base_cost, layout: Arc::new(layout) });
        self.make(name, Work { draft, ..self.work() });
    }

    /// Goes on from another draft and other rules, as a change of this name.
    pub(super) fn go_on_from(&mut self, draft: Option<Draft>, rules: Rules, name: &str) {
        self.make(name.to_owned(), Work { draft, rules });
    }

    fn work(&self) -> Work {
        Work { draft: self.draft.clone(), rules: self.instance.rules.clone() }
    }

    fn make(&mut self, name: String, after: Work) {
        let before = self.work();
        if before == after {
            return;
        }
        self.history.undone.clear();
        self.history.done.push(Change { name, before, after: after.clone() });
        self.set_work(after);
    }

    /// Clears the draft and the undo history, after the edited layout was kept elsewhere.
    pub(super) fn end_edits(&mut self) {
        self.keeper.touch();
        self.draft = None;
        self.history = History::default();
    }

    fn set_work(&mut self, work: Work) {
        self.keeper.touch();
        let Work { draft, rules } = work;
        if rules != self.instance.rules {
            self.instance = Arc::new(Instance { rules, ..(*self.instance).clone() });
            // Not every algorithm minds rules.
            if self.settings.algorithm.check(&self.instance).is_err() {
                self.settings.algorithm = Algorithm::for_instance(&self.instance);
            }
            self.forget_pictures();
        }
        if draft == self.draft {
            self.refresh();
            return;
        }
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
