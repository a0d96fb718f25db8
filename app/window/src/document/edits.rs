//! Edits by hand: the draft, the demands, and the history that undoes and redoes them.

use std::sync::Arc;

use gridwright_core::letterhead::Letterhead;

use super::kind::DocumentKind;
use super::tables::Data;
use crate::document::kind::{Instance, Solution};

/// A solution that is being edited.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft<S> {
    /// Name of the solution that the draft was made from, such as «run 3».
    pub from: String,
    /// The solution that the draft was made from.
    pub base: Arc<S>,
    /// The present solution.
    pub solution: Arc<S>,
}

/// Everything that edits change and undo restores.
pub struct Work<K: DocumentKind> {
    /// The solution that is being edited, if there is one.
    pub draft: Option<Draft<Solution<K>>>,
    /// The demands.
    pub demands: K::Demands,
    /// The data.
    pub data: Arc<Data<Instance<K>>>,
    /// Institution and logo of printed documents.
    pub letterhead: Arc<Letterhead>,
}

impl<K: DocumentKind> Clone for Work<K> {
    fn clone(&self) -> Self {
        let Self { draft, demands, data, letterhead } = self;
        let (data, letterhead) = (Arc::clone(data), Arc::clone(letterhead));
        Self { draft: draft.clone(), demands: demands.clone(), data, letterhead }
    }
}

impl<K: DocumentKind> PartialEq for Work<K> {
    fn eq(&self, other: &Self) -> bool {
        let is_same_plan = self.draft == other.draft && self.demands == other.demands;
        is_same_plan && Arc::ptr_eq(&self.data, &other.data) && self.letterhead == other.letterhead
    }
}

/// Maximum number of edits that can be undone.
const DEPTH: usize = 500;

struct Step<W> {
    /// Name of the change in the menu.
    name: String,
    /// State before the change if it is done, after it if it was undone.
    state: W,
    /// The next change with the same series is merged into this one.
    series: Option<&'static str>,
}

/// The present state and the changes that led to it.
pub struct History<W> {
    present: W,
    done: Vec<Step<W>>,
    undone: Vec<Step<W>>,
}

impl<W: Clone + PartialEq> History<W> {
    /// A history without changes.
    pub fn new(present: W) -> Self {
        Self { present, done: Vec::new(), undone: Vec::new() }
    }

    /// The present state.
    pub fn present(&self) -> &W {
        &self.present
    }

    /// The state from which a change of this series goes on: changes of one series that follow each other are one change.
    pub fn before_series(&self, series: Option<&'static str>) -> &W {
        match self.done.last() {
            Some(step) if self.continues(series) => &step.state,
            _ => &self.present,
        }
    }

    fn continues(&self, series: Option<&'static str>) -> bool {
        series.is_some() && self.undone.is_empty() && self.done.last().is_some_and(|step| step.series == series)
    }

    /// Makes a change; returns `false` if the state is the same.
    pub fn change(&mut self, name: &str, state: W, series: Option<&'static str>) -> bool {
        if state == self.present {
            return false;
        }
        let merges = self.continues(series);
        let now = std::mem::replace(&mut self.present, state);
        let before = self.done.pop_if(|_| merges).map_or(now, |step| step.state);
        self.undone.clear();
        if before != self.present {
            self.done.push(Step { name: name.to_owned(), state: before, series });
            if self.done.len() > DEPTH {
                self.done.remove(0);
            }
        }
        true
    }

    /// Undoes the last change; returns `false` if there is none.
    pub fn undo(&mut self) -> bool {
        Self::go(&mut self.present, &mut self.done, &mut self.undone)
    }

    /// Redoes the change that was undone last; returns `false` if there is none.
    pub fn redo(&mut self) -> bool {
        Self::go(&mut self.present, &mut self.undone, &mut self.done)
    }

    fn go(present: &mut W, from: &mut Vec<Step<W>>, to: &mut Vec<Step<W>>) -> bool {
        let Some(step) = from.pop() else { return false };
        let left = std::mem::replace(present, step.state);
        // A series ends where somebody went back or forth.
        to.push(Step { state: left, name: step.name, series: None });
        true
    }

    /// Names of the changes that «Undo» and «Redo» would apply.
    pub fn names(&self) -> (Option<&str>, Option<&str>) {
        (self.done.last().map(|step| step.name.as_str()), self.undone.last().map(|step| step.name.as_str()))
    }

    /// States that «Undo» and «Redo» would lead to.
    pub fn neighbours(&self) -> (Option<&W>, Option<&W>) {
        (self.done.last().map(|step| &step.state), self.undone.last().map(|step| &step.state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_undone_and_redone_in_order() {
        let mut history = History::new(0);
        assert!(!history.change("nothing", 0, None), "the state is the same");
        for state in 1..=3 {
            assert!(history.change(&format!("to {state}"), state, None));
        }
        assert_eq!(history.names(), (Some("to 3"), None));
        assert!(history.undo() && history.undo());
        assert_eq!((*history.present(), history.names()), (1, (Some("to 1"), Some("to 2"))));
        assert_eq!(history.neighbours(), (Some(&0), Some(&2)));
        assert!(history.redo());
        assert!(history.change("to 9", 9, None));
        assert!(!history.redo(), "a change takes what was undone away");
        assert!(history.undo() && history.undo() && history.undo() && !history.undo());
        assert_eq!(*history.present(), 0);
    }

    #[test]
    fn a_series_is_one_change_until_somebody_goes_back() {
        let mut history = History::new(10);
        for count in [11, 12, 13] {
            assert_eq!(*history.before_series(Some("count")), 10);
            history.change("count", count, Some("count"));
        }
        history.change("count", 10, Some("count"));
        assert_eq!(history.names(), (None, None), "back at the beginning nothing has changed");
        history.change("count", 12, Some("count"));
        assert!(history.undo() && history.redo());
        assert_eq!(*history.before_series(Some("count")), 12, "this is a series of its own");
        history.change("count", 14, Some("count"));
        assert!(history.undo());
        assert_eq!(*history.present(), 12);
    }

    #[test]
    fn the_oldest_changes_are_forgotten() {
        let mut history = History::new(0);
        for state in 1..=DEPTH + 10 {
            history.change("more", state, None);
        }
        while history.undo() {}
        assert_eq!(*history.present(), 10);
    }
}
