//! When a command is possible, and why not.

use super::Command;
use crate::store::{Part, Problem, State, TEXT_SIZES};
use crate::window::workplace::{Open, Workplace};

/// State that decides if a command is possible.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The shown instance; `None` while a file is read or after it could not be opened.
    pub open: Option<&'a Open>,
    /// Preferences.
    pub state: &'a State,
    /// The runs that are marked for comparison.
    pub marked: &'a [usize],
    /// True while a file dialog is open.
    pub picking: bool,
}

impl<'a> Situation<'a> {
    /// The open instance.
    pub fn place(&self) -> Option<&'a dyn Workplace> {
        self.open.map(Open::place)
    }

    /// The problem whose commands are offered.
    pub fn problem(&self) -> Problem {
        self.place().map_or_else(Problem::default, Workplace::problem)
    }
}

pub(super) const NO_INSTANCE: &str = "Open an instance first";
const NO_PROJECTS: &str = "Nothing is changed by hand here, so there is nothing to save: runs are kept by themselves";
const OTHER_PROBLEM: &str = "This is for instances of another problem";

impl Command {
    /// Checks that the command is possible now.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn possible(&self, now: &Situation<'_>) -> Result<(), &'static str> {
        let place = now.place().ok_or(NO_INSTANCE);
        let desk = now.open.ok_or(NO_INSTANCE).and_then(|open| open.timetabling().ok_or(OTHER_PROBLEM));
        let when = |holds: bool, why: &'static str| if holds { Ok(()) } else { Err(why) };
        match self {
            Self::Open => when(!now.picking, "A file dialog is open"),
            Self::Solve => place?.ready(),
            Self::SolveAround => {
                let desk = desk?;
                desk.ready()?;
                when(desk.picture().is_some(), "There is no timetable yet")
            }
            Self::Undo => place?.undo_names().0.map(|_| ()).ok_or("Nothing has been changed"),
            Self::Redo => place?.undo_names().1.map(|_| ()).ok_or("Nothing has been taken back"),
            Self::SaveProject | Self::SaveProjectAs => when(place?.keeping().is_some(), NO_PROJECTS),
            Self::Calendar => when(!desk?.is_solving(), "Can be changed when the run has ended"),
            Self::MoveEarlier | Self::MoveLater | Self::MoveToBest | Self::PinExam => {
                let desk = desk?;
                when(desk.selected.is_some(), "Select an exam first")?;
                when(desk.picture().is_some(), "There is no timetable yet")
            }
            Self::JobEarlier | Self::JobLater | Self::JobToBest => {
                let desk = now.open.ok_or(NO_INSTANCE)?.flowshop().ok_or(OTHER_PROBLEM)?;
                when(desk.selected.is_some(), "Select a job first")?;
                when(desk.plan().is_some(), "There is no plan yet")
            }
            Self::Layout(action) => {
                let desk = now.open.ok_or(NO_INSTANCE)?.facility().ok_or(OTHER_PROBLEM)?;
                when(desk.selected.is_some() || !action.needs_department(), "Select a department first")?;
                desk.editable().map(|_| ())
            }
            Self::Improve if now.open.is_some_and(|open| open.facility().is_some()) => {
                place?.ready()?;
                when(place?.has_picture(), "There is no layout yet")
            }
            Self::Play(_) => now.open.ok_or(NO_INSTANCE)?.systolic().map(|_| ()).ok_or(OTHER_PROBLEM),
            Self::Improve => {
                let desk = now.open.ok_or(NO_INSTANCE)?.flowshop().ok_or(OTHER_PROBLEM)?;
                desk.ready()?;
                when(desk.plan().is_some(), "There is no plan yet")?;
                when(desk.minimises_one(), "A front has no single plan to begin with; minimise one objective")
            }
            Self::ShowDraft | Self::DiscardDraft | Self::KeepDraft => {
                when(place?.has_draft(), "Nothing is being edited")
            }
            Self::CompareDraft => when(desk?.draft().is_some(), "No timetable is being edited"),
            Self::Pause | Self::Stop => {
                let run = place?.ongoing().ok_or("No run goes on")?;
                when(!run.is_stopping(), "The run is being stopped")
            }
            Self::ShowRun(number) | Self::NameRun(number) | Self::DeleteRun(number) => {
                when(place?.run_name(*number).is_some(), "This run is no longer there")
            }
            Self::Compare(a, b) => {
                let place = place?;
                when(a != b, "Choose another run to compare with")?;
                let there = place.run_name(*a).is_some() && place.run_name(*b).is_some();
                when(there, "One of the runs is no longer there")
            }
            Self::CompareMarked => {
                place?;
                when(now.marked.len() == 2, "Mark two runs in the list first: Ctrl and a click")
            }
            Self::Export(_) => place?.exportable(),
            Self::Show(_) | Self::Toggle(Part::Inspector | Part::Bottom) => place.map(|_| ()),
            Self::Find | Self::GoTo(_) => place.map(|_| ()),
            Self::Deselect => when(place?.has_selection(), "Nothing is selected"),
            Self::Fit | Self::ZoomIn | Self::ZoomOut => {
                let place = place?;
                when(place.view().zooms(), "This view has no zoom")?;
                when(place.has_picture(), "There is nothing to be seen yet")
            }
            Self::TextLarger => when(now.state.text_size < TEXT_SIZES.1, "It cannot be larger"),
            Self::TextSmaller => when(now.state.text_size > TEXT_SIZES.0, "It cannot be smaller"),
            _ => Ok(()),
        }
    }
}
