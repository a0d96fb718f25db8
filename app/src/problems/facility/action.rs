//! Actions on the selected department by keys, menu and palette.

use egui::{Key, Modifiers};

use crate::problems::facility::widgets::floorplan::Side;

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
    /// Lock it to its bay or its place, or let it go.
    Lock {
        /// True to lock the department to its place, false to lock it to its bay.
        place: bool,
    },
}

impl Action {
    /// All actions, in the order of the menu.
    pub const ALL: [Self; 12] = [
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
    ];

    /// The words in menu and palette.
    pub fn text(self) -> &'static str {
        match self {
            Self::Nudge(Side::Left) => "Move the department left",
            Self::Nudge(Side::Right) => "Move the department right",
            Self::Nudge(Side::Up) => "Move the department up",
            Self::Nudge(Side::Down) => "Move the department down",
            Self::Best => "Move to the best place",
            Self::OwnBay => "Give it a bay of its own",
            Self::Reverse => "Reverse its bay",
            Self::BayBack => "Exchange its bay with the one before",
            Self::BayOn => "Exchange its bay with the next",
            Self::Turn => "Turn the bays",
            Self::Lock { place: false } => "Lock or unlock its bay",
            Self::Lock { place: true } => "Lock or unlock its place",
        }
    }

    /// Tooltip of the action, one sentence.
    pub fn help(self) -> &'static str {
        match self {
            Self::Nudge(_) => "One place along its bay, or into the bay on that side",
            Self::Best => "Where fewest limits are broken and the cost is least, everything else as it is",
            Self::OwnBay => "A new bay beside the one in which it lies",
            Self::Reverse => "The departments of its bay in the opposite order",
            Self::BayBack | Self::BayOn => "Two bays with all their departments change places",
            Self::Turn => "Vertical bays become horizontal ones, and the other way round",
            Self::Lock { place: false } => "Searches leave it in its bay",
            Self::Lock { place: true } => "Searches leave it at its place in its bay",
        }
    }

    /// Keyboard shortcut of the action, if there is one.
    pub fn key(self) -> Option<(Modifiers, Key)> {
        match self {
            Self::Nudge(Side::Left) => Some((Modifiers::ALT, Key::ArrowLeft)),
            Self::Nudge(Side::Right) => Some((Modifiers::ALT, Key::ArrowRight)),
            Self::Nudge(Side::Up) => Some((Modifiers::ALT, Key::ArrowUp)),
            Self::Nudge(Side::Down) => Some((Modifiers::ALT, Key::ArrowDown)),
            Self::Best => Some((Modifiers::ALT, Key::Home)),
            Self::Lock { place: false } => Some((Modifiers::SHIFT, Key::P)),
            Self::Lock { place: true } => Some((Modifiers::NONE, Key::P)),
            _ => None,
        }
    }

    /// Returns `true` if the menu draws a separator above the action.
    pub fn begins_section(self) -> bool {
        matches!(self, Self::Nudge(Side::Left) | Self::Reverse | Self::Lock { place: false })
    }

    /// Returns `true` if the action needs a selected department.
    pub fn needs_department(self) -> bool {
        self != Self::Turn
    }
}
