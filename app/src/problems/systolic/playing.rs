//! Keyboard and menu actions on the shown recording.

use egui::{Key, Modifiers};

use super::{Desk, View};
use crate::widgets::playback::Tape;

/// A thing to do with a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Playing {
    /// Play, or stand still.
    Toggle,
    /// One iteration back.
    Back,
    /// One iteration on.
    On,
    /// Jumps to the beginning.
    Start,
    /// Jumps to the end.
    End,
}

impl Playing {
    /// All actions, in the order of the menu.
    pub const ALL: [Self; 5] = gridwright_solver::variants();

    /// Label of the action in the menu.
    pub fn text(self) -> &'static str {
        match self {
            Self::Toggle => "Play or pause the recording",
            Self::Back => "One iteration back",
            Self::On => "One iteration on",
            Self::Start => "To the first iteration",
            Self::End => "To the last iteration",
        }
    }

    /// Tooltip of the action.
    pub fn help(self) -> &'static str {
        match self {
            Self::Toggle => "Play the run from the iteration that is shown, or stand still there",
            Self::Back => "Show the iteration before the one that is shown",
            Self::On => "Show the iteration after the one that is shown",
            Self::Start => "Show the solutions that the run began with",
            Self::End => "Show the solutions that the run ended with",
        }
    }

    /// Its keys.
    pub fn key(self) -> (Modifiers, Key) {
        match self {
            Self::Toggle => (Modifiers::COMMAND, Key::Space),
            Self::Back => (Modifiers::ALT, Key::ArrowLeft),
            Self::On => (Modifiers::ALT, Key::ArrowRight),
            Self::Start => (Modifiers::ALT, Key::Home),
            Self::End => (Modifiers::ALT, Key::End),
        }
    }
}

impl Desk {
    /// The last iteration of what can be played in the view that is open, where anything can.
    fn playable(&mut self) -> Option<u64> {
        match self.view {
            View::Flavours => self.flavours.last(),
            _ => self.recorded().filter(|recording| recording.is_ready()).map(|recording| recording.iterations()),
        }
    }

    /// Does this with the recording.
    ///
    /// # Errors
    /// Error with the reason in words if the action is not possible.
    pub fn play(&mut self, what: Playing) -> Result<(), &'static str> {
        let Some(last) = self.playable() else { return Err("Nothing is recorded yet; solve first, and open the grid") };
        let tape = Tape::of_length(last);
        let player = if self.view == View::Flavours { &mut self.flavours.player } else { &mut self.player };
        match what {
            Playing::Toggle => player.toggle(&tape),
            Playing::Back => player.step(&tape, -1),
            Playing::On => player.step(&tape, 1),
            Playing::Start => player.go_to(0),
            Playing::End => player.go_to(last),
        }
        Ok(())
    }
}
