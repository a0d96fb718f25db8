//! Keyboard and menu actions on the shown recording.

use easy_ext::ext;
use egui::{Key, Modifiers};

use super::{Document, View};
use crate::methods::*;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::playback::Tape;
use gridwright_window::window::command::{Group, ProblemCommand};

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
    pub const ALL: [Self; 5] = gridwright_core::variants();

    /// The action of a command; `None` if the command is of another problem.
    pub fn of(command: &ProblemCommand) -> Option<Self> {
        COMMANDS.iter().position(|known| known == command).and_then(|at| Self::ALL.get(at).copied())
    }
}

const fn command(id: &'static str, text: &'static str, help: &'static str) -> ProblemCommand {
    ProblemCommand::new(id, Group::Run, text, help)
}

/// The commands of the actions, in the order of [`Playing::ALL`].
pub(crate) const COMMANDS: [ProblemCommand; Playing::ALL.len()] = [
    ProblemCommand {
        icon: Some(Icon::Cells),
        keys: &[(Modifiers::COMMAND, Key::Space)],
        section: true,
        ..command(
            "play-toggle",
            "Play or pause the recording",
            "Play the run from the iteration that is shown, or stand still there",
        )
    },
    ProblemCommand {
        keys: &[(Modifiers::ALT, Key::ArrowLeft)],
        ..command("play-back", "One iteration back", "Show the iteration before the one that is shown")
    },
    ProblemCommand {
        keys: &[(Modifiers::ALT, Key::ArrowRight)],
        ..command("play-on", "One iteration on", "Show the iteration after the one that is shown")
    },
    ProblemCommand {
        keys: &[(Modifiers::ALT, Key::Home)],
        ..command("play-start", "To the first iteration", "Show the solutions that the run began with")
    },
    ProblemCommand {
        keys: &[(Modifiers::ALT, Key::End)],
        ..command("play-end", "To the last iteration", "Show the solutions that the run ended with")
    },
];

/// Playback of runs.
#[ext(PlayingMethods)]
impl Document {
    /// The last iteration of what can be played in the view that is open, where anything can.
    pub fn playable(&mut self) -> Option<u64> {
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
