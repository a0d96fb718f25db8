//! State of the view of generations.

use gridwright_window::widgets::playback::Player;
use gridwright_window::widgets::{genes, strips};

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
pub struct Evolving {
    /// Part that is shown.
    pub mode: Mode,
    /// Position in the steps of a child.
    pub steps: Player,
    /// Index of the child whose origin is shown.
    pub child: usize,
    /// Selected row of the population.
    pub row: Option<usize>,
    /// Generation whose best individual is followed.
    pub followed: u64,
    /// True if the distribution is shown where there is no room for it beside the population.
    pub(crate) shows_distribution: bool,
    pub(crate) genes: genes::View,
    pub(crate) strips: strips::View,
    /// Generation that was painted last, with the revision of the picture.
    pub(crate) painted: (Option<(usize, u64)>, u64),
}

impl Default for Evolving {
    fn default() -> Self {
        let mut steps = Player::default();
        steps.go_to(0);
        // Slow enough to follow.
        steps.set_speed(0);
        Self {
            mode: Mode::default(),
            steps,
            child: 0,
            row: None,
            followed: 0,
            shows_distribution: false,
            genes: genes::View::default(),
            strips: strips::View::default(),
            painted: (None, 0),
        }
    }
}

impl Evolving {
    /// Shows all of the picture.
    pub fn fit(&mut self) {
        match self.mode {
            Mode::Child => self.strips.fit(),
            Mode::Population | Mode::Curves => self.genes.axes.fit(),
        }
    }

    /// Enlarges the picture by a factor.
    pub(crate) fn zoom(&mut self, factor: f32) {
        match self.mode {
            Mode::Child => self.strips.zoom(factor),
            Mode::Population | Mode::Curves => self.genes.axes.zoom(factor),
        }
    }
}
