//! Views of a timetable and their labels.

use gridwright_window::document::ViewKind;
use gridwright_window::window::command::ViewGroup;

/// The views of a timetable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
pub enum View {
    /// Exams × periods.
    #[default]
    Grid,
    /// Periods as columns, exams as chips.
    Periods,
    /// Rooms × periods.
    Rooms,
    /// Invigilators × periods.
    Duties,
    /// Exams × exams.
    Conflicts,
    /// Students and exams per period.
    Load,
    /// Gaps between the exams of a student.
    Gaps,
    /// All students as a table.
    Students,
    /// All exams as a table.
    Exams,
    /// Two timetables against each other.
    Compare,
    /// Generations of an evolution.
    Evolution,
}

impl ViewKind for View {
    fn name(self) -> &'static str {
        match self {
            Self::Grid => "Grid",
            Self::Periods => "Periods",
            Self::Rooms => "Rooms",
            Self::Duties => "Duties",
            Self::Conflicts => "Conflicts",
            Self::Load => "Load",
            Self::Gaps => "Gaps",
            Self::Students => "Students",
            Self::Exams => "Exams",
            Self::Compare => "Compare",
            Self::Evolution => "Evolution",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Grid => "Exams by periods, coloured by their share of the cost",
            Self::Periods => "The exams of every period",
            Self::Rooms => {
                "The exams in every room and period, which can be put elsewhere, and the seats that are taken"
            }
            Self::Duties => "The invigilators and their duties in every period, which can be given to others",
            Self::Conflicts => "Which exams share students, and how many",
            Self::Load => "Students and exams in every period",
            Self::Gaps => "How far apart the exams of a student are, and what that costs",
            Self::Students => "All students as a table, and their exams in time",
            Self::Exams => "All exams as a table",
            Self::Compare => "Two timetables against each other: what moved, who gains, who loses",
            Self::Evolution => "How the timetables of an evolutionary run came about, generation by generation",
        }
    }

    fn group(self) -> ViewGroup {
        match self {
            Self::Grid | Self::Periods | Self::Rooms | Self::Duties => ViewGroup::Plan,
            Self::Evolution => ViewGroup::Algorithm,
            _ => ViewGroup::Analyse,
        }
    }

    fn zooms(self) -> bool {
        matches!(self, Self::Grid | Self::Periods | Self::Rooms | Self::Duties | Self::Conflicts | Self::Evolution)
    }
}
