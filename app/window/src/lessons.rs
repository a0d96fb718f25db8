//! Guided lessons: steps that operate the window with an instance of their own.
//!
//! A lesson is data in the table of its problem. Its steps may be done by the person or, with «Do it», by the window; either
//! way a step is done when its condition holds.

use std::any::Any;

use egui::Context;
use gridwright_core::store::Part;

use crate::document::ProblemView;
use crate::window::command::LessonEntry;

/// A guided lesson.
#[derive(Debug)]
pub struct Lesson {
    /// Identifier, title and purpose.
    pub entry: LessonEntry,
    /// Instance with which it begins, such as `sample:workshop`.
    pub source: &'static str,
    /// Its steps, in their order.
    pub steps: &'static [Step],
    /// Computes what the runs of the person show at a step, by its index; `None` where the text says all. Texts of steps say
    /// only what holds for every run or is tested for the instance.
    pub observed: fn(usize, &Moment<'_>) -> Option<String>,
}

/// A step of a lesson.
#[derive(Debug)]
pub struct Step {
    /// One to three sentences: what is to be done, and what is to be seen then.
    pub text: &'static str,
    /// The change that the window makes on «Do it».
    pub action: Action,
    /// Name of the control that the step is about, as screen readers hear it; empty if it is about none. Of several names,
    /// separated by `|`, the first one that is on the screen counts.
    pub mark: &'static str,
    /// Returns `true` when the step is done.
    pub is_done: fn(&Moment<'_>) -> bool,
}

impl Step {
    /// A step that is to be read, with something in the window to look at.
    pub const fn read(text: &'static str, mark: &'static str) -> Self {
        Self { text, action: Action::Read, mark, is_done: |_| true }
    }
}

/// The change that a step makes.
#[derive(Debug, Clone, Copy)]
pub enum Action {
    /// None: the step is read.
    Read,
    /// Opens the view with this label.
    View(&'static str),
    /// Begins a run.
    Solve,
    /// Shows a part of the window.
    Show(Part),
    /// Changes the document of the lesson.
    Change(fn(&mut dyn Any, &Context)),
}

/// State of the window as far as steps depend on it.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The document of the lesson.
    pub open: &'a dyn ProblemView,
    /// Parts of the window that cannot be seen.
    pub hidden: &'a [Part],
}

impl<'a> Moment<'a> {
    /// Returns `true` if the view with this label is open.
    pub fn shows_view(&self, name: &str) -> bool {
        self.open.tabs().iter().any(|tab| tab.name == name && tab.index == self.open.view())
    }

    /// Returns `true` if a part of the window can be seen.
    pub fn shows_part(&self, part: Part) -> bool {
        !self.hidden.contains(&part)
    }

    /// The document, if it is of this type.
    pub fn document<D: 'static>(&self) -> Option<&'a D> {
        self.open.as_any().downcast_ref()
    }

    /// Returns `true` if the document is of this type and the condition holds for it.
    pub fn holds<D: 'static>(&self, condition: impl FnOnce(&D) -> bool) -> bool {
        self.document().is_some_and(condition)
    }
}
