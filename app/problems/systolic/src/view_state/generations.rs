//! State of the view of generations.

use gridwright_window::widgets::generations::GenerationsState;

/// Part of the view that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
pub enum Mode {
    /// All individuals of a generation.
    #[default]
    Population,
    /// Quantities over the generations.
    Curves,
    /// The origin of one child, step by step.
    Child,
}

/// State of the view of generations.
#[derive(Default)]
pub struct Evolving {
    /// Part that is shown.
    pub mode: Mode,
    /// State that does not depend on the problem.
    pub generations: GenerationsState,
}

impl Evolving {
    /// Shows all of the picture.
    pub fn fit(&mut self) {
        self.generations.fit(self.mode == Mode::Child);
    }

    /// Enlarges the picture by a factor.
    pub(crate) fn zoom(&mut self, factor: f32) {
        self.generations.zoom(self.mode == Mode::Child, factor);
    }
}
