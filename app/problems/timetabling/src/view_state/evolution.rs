//! State of the view of an evolution.

use gridwright_timetabling::evolution::journal;
use gridwright_timetabling::run::Algorithm;

use crate::evolution::recording::Recording;

use gridwright_window::widgets::generations::GenerationsState;
use gridwright_window::widgets::playback::Player;
use gridwright_window::widgets::rule_change::RuleChange;

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
    /// State that does not depend on the problem.
    pub generations: GenerationsState,
    /// Bytes that a recording may take.
    pub bound: usize,
    /// Number of the recorded run, with its recording.
    pub(crate) recording: Option<(usize, Recording)>,
    /// Rules of the next run, and the run beside the shown one.
    pub rules: RuleChange<Algorithm, Recording>,
}

impl Default for State {
    fn default() -> Self {
        let mut player = Player::default();
        player.go_to(0);
        Self {
            mode: Mode::default(),
            player,
            generations: GenerationsState::default(),
            bound: journal::DEFAULT_BYTES,
            recording: None,
            rules: RuleChange::default(),
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
        self.generations.fit(self.mode == Mode::Child);
    }

    /// Enlarges the picture by a factor.
    pub(crate) fn zoom(&mut self, factor: f32) {
        self.generations.zoom(self.mode == Mode::Child, factor);
    }

    /// Drops the recording of a run.
    pub(crate) fn forget(&mut self, number: usize) {
        self.recording.take_if(|(of, _)| *of == number);
        self.rules.forget(number);
    }
}
