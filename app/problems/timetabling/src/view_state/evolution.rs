//! State of the view of an evolution.

use gridwright_timetabling::evolution::journal;
use gridwright_timetabling::run::Algorithm;

use crate::evolution::recording::Recording;

use gridwright_window::widgets::playback::Player;
use gridwright_window::widgets::rule_change::RuleChange;
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
    /// Changed rules, with their effect beside a previous run.
    Rules,
}

/// View state of an evolution as chosen by the user.
pub struct State {
    /// Part that is shown.
    pub mode: Mode,
    /// Position in the generations.
    pub player: Player,
    /// Position in the steps of a child.
    pub steps: Player,
    /// Index of the child whose origin is shown.
    pub child: usize,
    /// Selected row of the population.
    pub row: Option<usize>,
    /// True if the distribution of costs is shown where there is no room for it beside the population.
    pub shows_costs: bool,
    /// Generation whose best individual is followed.
    pub followed: u64,
    /// Bytes that a recording may take.
    pub bound: usize,
    pub(crate) genes: genes::View,
    pub(crate) strips: strips::View,
    /// Number of the recorded run, with its recording.
    pub(crate) recording: Option<(usize, Recording)>,
    /// Rules of the next run, and the run beside the shown one.
    pub rules: RuleChange<Algorithm, Recording>,
    /// Generation and theme that were painted last, with the revision of the picture.
    pub(crate) painted: (Option<(usize, u64)>, u64),
}

impl Default for State {
    fn default() -> Self {
        let mut player = Player::default();
        player.go_to(0);
        let mut steps = player.clone();
        // Slow enough to follow.
        steps.set_speed(0);
        Self {
            mode: Mode::default(),
            player,
            steps,
            child: 0,
            row: None,
            shows_costs: false,
            followed: 0,
            bound: journal::DEFAULT_BYTES,
            genes: genes::View::default(),
            strips: strips::View::default(),
            recording: None,
            rules: RuleChange::default(),
            painted: (None, 0),
        }
    }
}

impl State {
    /// The recording of the run that was looked at last.
    pub fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref().map(|(_, recording)| recording)
    }

    /// Shows all of the picture.
    pub(crate) fn fit(&mut self) {
        match self.mode {
            Mode::Child => self.strips.fit(),
            Mode::Population | Mode::Curves | Mode::Rules => self.genes.axes.fit(),
        }
    }

    /// Enlarges the picture by a factor.
    pub(crate) fn zoom(&mut self, factor: f32) {
        match self.mode {
            Mode::Child => self.strips.zoom(factor),
            Mode::Population | Mode::Curves | Mode::Rules => self.genes.axes.zoom(factor),
        }
    }

    /// Drops the recording of a run.
    pub(crate) fn forget(&mut self, number: usize) {
        self.recording.take_if(|(of, _)| *of == number);
        self.rules.forget(number);
    }
}
