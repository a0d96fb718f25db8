//! State of the views of changed rules and of generations.

use gridwright_solver::systolic::run::Algorithm;

use crate::problems::systolic::recording::Recording;
use crate::widgets::playback::Player;
use crate::widgets::rule_change::RuleChange;
use crate::widgets::{genes, strips};

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
    pub shows_distribution: bool,
    pub(in crate::problems::systolic) genes: genes::View,
    pub(in crate::problems::systolic) strips: strips::View,
    /// Generation that was painted last, with the revision of the picture.
    pub(in crate::problems::systolic) painted: (Option<(usize, u64)>, u64),
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
    pub fn zoom(&mut self, factor: f32) {
        match self.mode {
            Mode::Child => self.strips.zoom(factor),
            Mode::Population | Mode::Curves => self.genes.axes.zoom(factor),
        }
    }
}

/// State of the view of changed rules.
#[derive(Default)]
pub struct Ruling {
    /// Rules of the next run, and the run beside the shown one.
    pub change: RuleChange<Algorithm>,
    /// Number of the run beside the shown one, with its curves until they are complete.
    pub(in crate::problems::systolic) beside: Option<(usize, Recording)>,
}

impl Ruling {
    /// Drops the curves of a run that are not complete yet.
    pub(in crate::problems::systolic) fn forget(&mut self, number: usize) {
        self.beside.take_if(|(of, _)| *of == number);
    }
}
