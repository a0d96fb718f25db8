//! View settings kept from one instance to the next and from one start of the program to the next.

use easy_ext::ext;
use gridwright_window::document::{DocumentKind, ViewKind};
use serde::{Deserialize, Serialize};

use super::Document;
use super::state::TimetablingViews;
use super::views::{Sort, sort_words};

/// View, order, zoom and what convergence shows. Views are kept by name, so that old files stay readable.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remembered {
    /// The name of the view.
    pub view: String,
    /// The name of the order of the grid.
    pub sort: String,
    /// Height of a row of the grid in points; `None`: all rows fit.
    pub row_height: Option<f32>,
    /// Convergence against steps instead of seconds.
    pub steps: bool,
    /// Logarithmic instead of linear costs.
    pub logarithmic: bool,
    /// Runs instead of convergence, where only one of them fits.
    pub runs_instead: bool,
}

/// Settings of the views that the next session begins with.
#[ext(RememberedMethods)]
impl Document {
    /// Returns the present view settings.
    pub fn view_settings(&self) -> Remembered {
        Remembered {
            view: self.view.name().to_owned(),
            sort: sort_words(self.grid.sort).0.to_owned(),
            row_height: self.grid.view.row_height(),
            steps: self.look.steps,
            logarithmic: self.look.logarithmic,
            runs_instead: self.runs_instead,
        }
    }

    /// Applies remembered view settings; unknown values are ignored.
    pub fn apply_remembered(&mut self, before: &Remembered) {
        let mut views = TimetablingViews::views(&self.instance).into_iter();
        if let Some(view) = views.find(|view| view.name() == before.view) {
            self.view = view;
        }
        if let Some(sort) = Sort::ALL.into_iter().find(|sort| sort_words(*sort).0 == before.sort) {
            self.grid.sort = sort;
        }
        self.grid.view.set_row_height(before.row_height);
        self.look.steps = before.steps;
        self.look.logarithmic = before.logarithmic;
        self.runs_instead = before.runs_instead;
    }
}
