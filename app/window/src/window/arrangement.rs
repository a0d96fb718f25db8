//! Arrangement of the window for its size in points: parts stand beside the plan where there is room; where there is none,
//! they are folded, and a switch beside the progress puts one of them in the place of the plan.

use egui::{Ui, Vec2};
use gridwright_core::store::Part;
use gridwright_core::text::sentence_case;
use strum::VariantArray as _;

use super::App;
use super::command::Command;
use crate::widgets::controls::segmented;

/// Contents of the middle of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::VariantArray)]
pub(super) enum Front {
    /// The view of the plan, or the start page.
    #[default]
    Plan,
    /// The settings of the next run.
    Settings,
    Inspector,
    /// Convergence and runs.
    Bottom,
    Library,
}

impl Front {
    /// The front of a part of the window that is folded.
    fn of(part: Part) -> Self {
        match part {
            Part::Library => Self::Library,
            Part::Inspector => Self::Inspector,
            Part::Bottom => Self::Bottom,
        }
    }

    /// Returns `true` if the part does not fit next to the plan in a window of this size in points.
    fn is_folded(self, size: Vec2, has_document: bool) -> bool {
        match self {
            Self::Plan => false,
            Self::Settings => has_document && size.y < 520.0,
            Self::Inspector => has_document && size.x < 840.0,
            // The rows above the plan and the runs together would leave less than half of the height to the plan.
            Self::Bottom => has_document && size.y < 840.0,
            Self::Library => size.x < if has_document { 1100.0 } else { 700.0 },
        }
    }
}

impl App {
    /// Returns `true` if a part does not fit next to the plan.
    pub(super) fn folds(&self, front: Front) -> bool {
        front.is_folded(self.size, self.shows_document())
    }

    /// Returns `true` if a part is shown next to the plan.
    pub(super) fn shows_beside(&self, part: Part) -> bool {
        let is_there = match part {
            Part::Library => true,
            Part::Inspector => self.shows_document(),
            Part::Bottom => self.shows_document() && !(self.is_guided() && self.has_no_runs()),
        };
        is_there && !self.presents() && !self.state.hides(part) && !self.folds(Front::of(part))
    }

    /// Returns `true` if what is open has no run, and none goes on. A lesson then has the room for its plan.
    fn has_no_runs(&self) -> bool {
        self.open.as_deref().is_some_and(|open| open.runs().is_empty() && open.ongoing().is_none())
    }

    /// The contents of the middle.
    pub(super) fn front(&self) -> Front {
        if self.folds(self.front) && !self.presents() { self.front } else { Front::Plan }
    }

    /// Takes in the size of the window in points.
    pub(super) fn arrange(&mut self, size: Vec2) {
        self.size = size;
        let is_hidden = |part: &Part| match Front::of(*part) {
            front if self.folds(front) => self.front != front,
            _ => self.state.hides(*part),
        };
        self.hidden = [Part::Library, Part::Inspector, Part::Bottom].into_iter().filter(is_hidden).collect();
    }

    /// Shows or hides a part; one that is folded takes the place of the plan, or gives it back.
    pub(super) fn toggle(&mut self, part: Part) {
        let front = Front::of(part);
        if self.folds(front) {
            self.front = if self.front == front { Front::Plan } else { front };
        } else {
            self.prefer(|state| state.toggle(part));
        }
    }

    /// The plan and the parts that are folded.
    pub(super) fn fronts(&self) -> Vec<Front> {
        if self.shows_campaigns {
            return vec![Front::Plan];
        }
        Front::VARIANTS.iter().copied().filter(|front| *front == Front::Plan || self.folds(*front)).collect()
    }

    /// Draws the switch between the plan and the parts that are folded; nothing where none is.
    pub(super) fn front_switch(&mut self, ui: &mut Ui) {
        let fronts = self.fronts();
        if fronts.len() < 2 {
            return;
        }
        let open = self.open.as_deref().filter(|_| self.shows_document());
        let plan = open.map_or("Start".to_owned(), |open| sentence_case(open.plan()));
        let words = |front: &Front| match front {
            Front::Plan => (plan.as_str(), "The views", true),
            Front::Settings => ("Settings", "What the next run is to do", true),
            Front::Inspector => ("Inspector", Command::Toggle(Part::Inspector).help(), true),
            Front::Bottom => ("Runs", Command::Toggle(Part::Bottom).help(), true),
            Front::Library => ("Library", Command::Toggle(Part::Library).help(), true),
        };
        let words: Vec<_> = fronts.iter().map(words).collect();
        let chosen = fronts.iter().position(|front| *front == self.front());
        if let Some(front) = segmented(ui, &words, chosen).and_then(|index| fronts.get(index)) {
            self.front = *front;
        }
    }
}
