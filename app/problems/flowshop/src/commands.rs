//! Commands of flow shops in menus and palette.

use egui::{Key, Modifiers};
use gridwright_window::window::command::{Group, ProblemCommand};

pub(crate) const EARLIER: ProblemCommand = ProblemCommand {
    keys: &[(Modifiers::ALT, Key::ArrowLeft)],
    section: true,
    ..ProblemCommand::new(
        "job-earlier",
        Group::Edit,
        "Move one position earlier",
        "Put the selected job one position earlier",
    )
};
pub(crate) const LATER: ProblemCommand = ProblemCommand {
    keys: &[(Modifiers::ALT, Key::ArrowRight)],
    ..ProblemCommand::new(
        "job-later",
        Group::Edit,
        "Move one position later",
        "Put the selected job one position later",
    )
};
pub(crate) const BEST: ProblemCommand = ProblemCommand {
    keys: &[(Modifiers::ALT, Key::ArrowDown)],
    ..ProblemCommand::new(
        "job-best",
        Group::Edit,
        "Move to the best position",
        "Put the selected job where the objective is least",
    )
};
pub(crate) const PIN: ProblemCommand = ProblemCommand {
    keys: &[(Modifiers::NONE, Key::P)],
    ..ProblemCommand::new(
        "job-pin",
        Group::Edit,
        "Pin or unpin the job",
        "Searches leave the selected job in its position",
    )
};
