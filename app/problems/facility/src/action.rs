//! Actions on the selected department by keys, menu and palette.

use egui::{Key, Modifiers};

use crate::widgets::floorplan::Side;
use gridwright_window::window::command::{Group, ProblemCommand};

/// Action on the selected department or on the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Move the department to one side.
    Nudge(Side),
    /// Move it where the cost is least.
    Best,
    /// Give it a bay of its own.
    OwnBay,
    /// Put the departments of its bay into the opposite order.
    Reverse,
    /// Let its bay and the one before change places.
    BayBack,
    /// Let its bay and the one after change places.
    BayOn,
    /// Let the bays lie the other way.
    Turn,
    /// Choose a picture or a drawing of the building below the plan.
    Underlay,
    /// Show the underlay or hide it.
    ShowUnderlay,
    /// Lock it to its bay or its place, or let it go.
    Lock {
        /// True to lock the department to its place, false to lock it to its bay.
        place: bool,
    },
}

impl Action {
    /// All actions, in the order of the menu.
    pub const ALL: [Self; 14] = [
        Self::Nudge(Side::Left),
        Self::Nudge(Side::Right),
        Self::Nudge(Side::Up),
        Self::Nudge(Side::Down),
        Self::Best,
        Self::OwnBay,
        Self::Reverse,
        Self::BayBack,
        Self::BayOn,
        Self::Turn,
        Self::Lock { place: false },
        Self::Lock { place: true },
        Self::Underlay,
        Self::ShowUnderlay,
    ];

    /// The action of a command; `None` if the command is of another problem.
    pub fn of(command: &ProblemCommand) -> Option<Self> {
        COMMANDS.iter().position(|known| known == command).and_then(|at| Self::ALL.get(at).copied())
    }

    pub fn command(self) -> &'static ProblemCommand {
        static ALL: [ProblemCommand; Action::ALL.len()] = COMMANDS;
        &ALL[Self::ALL.iter().position(|known| *known == self).unwrap_or_default()]
    }

    /// Returns `true` if the action needs a selected department.
    pub(crate) fn needs_department(self) -> bool {
        !matches!(self, Self::Turn | Self::Underlay | Self::ShowUnderlay)
    }
}

const fn command(id: &'static str, text: &'static str, help: &'static str) -> ProblemCommand {
    ProblemCommand::new(id, Group::Edit, text, help)
}

/// Effect of the two kinds of locks.
pub(super) const KEEPS_BAY: &str = "Searches leave it in its bay, counted from the left or from the bottom";
pub(super) const KEEPS_PLACE: &str = "Searches leave it where it is in the plant: position, size and, in bays, the way they lie; they run on the CPU then";

const NUDGE: &str = "One place along its bay, or into the bay on that side";
const EXCHANGE: &str = "Two bays with all their departments change places";

/// The commands of the actions, in the order of [`Action::ALL`].
pub(crate) const COMMANDS: [ProblemCommand; Action::ALL.len()] = [
    ProblemCommand {
        keys: &[(Modifiers::ALT, Key::ArrowLeft)],
        section: true,
        ..command("layout-left", "Move the department left", NUDGE)
    },
    ProblemCommand {
        keys: &[(Modifiers::ALT, Key::ArrowRight)],
        ..command("layout-right", "Move the department right", NUDGE)
    },
    ProblemCommand { keys: &[(Modifiers::ALT, Key::ArrowUp)], ..command("layout-up", "Move the department up", NUDGE) },
    ProblemCommand {
        keys: &[(Modifiers::ALT, Key::ArrowDown)],
        ..command("layout-down", "Move the department down", NUDGE)
    },
    ProblemCommand {
        keys: &[(Modifiers::ALT, Key::Home)],
        ..command(
            "layout-best",
            "Move to the best place",
            "Where fewest limits are broken and the cost is least, everything else as it is",
        )
    },
    command("layout-own-bay", "Give it a bay of its own", "A new bay beside the one in which it lies"),
    ProblemCommand {
        section: true,
        ..command("layout-reverse", "Reverse its bay", "The departments of its bay in the opposite order")
    },
    command("layout-bay-back", "Exchange its bay with the one before", EXCHANGE),
    command("layout-bay-on", "Exchange its bay with the next", EXCHANGE),
    command("layout-turn", "Turn the bays", "Vertical bays become horizontal ones, and the other way round"),
    ProblemCommand {
        keys: &[(Modifiers::NONE, Key::P)],
        section: true,
        ..command("layout-lock-bay", "Lock or unlock its bay", KEEPS_BAY)
    },
    ProblemCommand {
        keys: &[(Modifiers::SHIFT, Key::P)],
        ..command("layout-lock-place", "Lock or unlock its place", KEEPS_PLACE)
    },
    ProblemCommand {
        section: true,
        ..ProblemCommand::new(
            "layout-underlay",
            Group::View,
            "Underlay…",
            "A picture (PNG, JPEG, SVG) or a DXF drawing of the building below the floor plan",
        )
    },
    ProblemCommand::new(
        "layout-show-underlay",
        Group::View,
        "Show the underlay",
        "The picture or drawing of the building below the floor plan, also in pictures and PDF documents",
    ),
];
