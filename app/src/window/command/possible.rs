//! When a command is possible, and why not.

use super::Command;
use crate::store::{Part, State, TEXT_SIZES};
use crate::timetabling::Desk;

/// What decides whether a command is possible.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// What is open and shown; none while a file is read or could not be.
    pub desk: Option<&'a Desk>,
    /// Preferences.
    pub state: &'a State,
    /// The runs that are marked for comparison.
    pub marked: &'a [usize],
    /// Whether a file dialog is open.
    pub picking: bool,
}

pub(super) const NO_INSTANCE: &str = "Open an instance first";

impl Command {
    /// Whether it is possible now.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn possible(&self, now: &Situation<'_>) -> Result<(), &'static str> {
        let desk = now.desk.ok_or(NO_INSTANCE);
        let when = |holds: bool, why: &'static str| if holds { Ok(()) } else { Err(why) };
        match self {
            Self::Open => when(!now.picking, "A file dialog is open"),
            Self::Solve => desk?.ready(),
            Self::SolveAround => {
                let desk = desk?;
                desk.ready()?;
                when(desk.picture().is_some(), "There is no timetable yet")
            }
            Self::Undo => desk?.undo_names().0.map(|_| ()).ok_or("Nothing has been changed"),
            Self::Redo => desk?.undo_names().1.map(|_| ()).ok_or("Nothing has been taken back"),
            Self::SaveProject | Self::SaveProjectAs => desk.map(|_| ()),
            Self::Calendar => when(!desk?.is_solving(), "Can be changed when the run has ended"),
            Self::MoveEarlier | Self::MoveLater | Self::MoveToBest | Self::PinExam => {
                let desk = desk?;
                when(desk.selected.is_some(), "Select an exam first")?;
                when(desk.picture().is_some(), "There is no timetable yet")
            }
            Self::ShowDraft | Self::DiscardDraft | Self::CompareDraft => {
                when(desk?.draft().is_some(), "No timetable is being edited")
            }
            Self::Pause | Self::Stop => {
                let live = desk?.live.as_ref().ok_or("No run goes on")?;
                when(!live.session.is_stopping(), "The run is being stopped")
            }
            Self::ShowRun(number) | Self::NameRun(number) | Self::DeleteRun(number) => {
                when(desk?.run(*number).is_some(), "This run is no longer there")
            }
            Self::Compare(a, b) => {
                let desk = desk?;
                when(a != b, "Choose another run to compare with")?;
                when(desk.run(*a).is_some() && desk.run(*b).is_some(), "One of the runs is no longer there")
            }
            Self::CompareMarked => {
                desk?;
                when(now.marked.len() == 2, "Mark two runs in the list first: Ctrl and a click")
            }
            Self::Export(_) => desk?.exportable().map(|_| ()),
            Self::Show(_) | Self::Find | Self::GoTo(_) => desk.map(|_| ()),
            Self::Toggle(Part::Inspector | Part::Bottom) => desk.map(|_| ()),
            Self::Deselect => when(desk?.selected.is_some(), "No exam is selected"),
            Self::Fit | Self::ZoomIn | Self::ZoomOut => {
                let desk = desk?;
                when(desk.view.zooms(), "This view has no zoom")?;
                when(desk.picture().is_some(), "There is no timetable yet")
            }
            Self::TextLarger => when(now.state.text_size < TEXT_SIZES.1, "It cannot be larger"),
            Self::TextSmaller => when(now.state.text_size > TEXT_SIZES.0, "It cannot be smaller"),
            _ => Ok(()),
        }
    }
}
