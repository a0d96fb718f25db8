//! The state of the window as far as commands depend on it: which commands there are, what they would do, and why one is not
//! possible.

use std::borrow::Cow;

use gridwright_core::store::{Part, State, TEXT_SIZES, ThemeChoice};

use super::command::{Command, Group, LessonEntry};
use crate::campaign_view::{Activity, CampaignView};
use crate::document::{ProblemView, Refusal};
use crate::importing;

/// State that decides if a command is possible.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The shown document; `None` while a file is read or after it could not be opened.
    pub open: Option<&'a dyn ProblemView>,
    /// Preferences.
    pub state: &'a State,
    /// Parts of the window that cannot be seen.
    pub hidden: &'a [Part],
    /// The runs that are marked for comparison.
    pub marked: &'a [usize],
    /// True while a file dialog is open.
    pub picking: bool,
    /// The guided lessons.
    pub lessons: &'a [LessonEntry],
    /// True while a lesson goes on.
    pub is_guided: bool,
    /// True if the document that is open shows algorithms and their views.
    pub studies: bool,
    /// True while the view is shown alone.
    pub is_presenting: bool,
    /// The campaigns while they are shown in the place of the plan.
    pub campaigns: Option<&'a CampaignView>,
}

/// Refusal of a command that needs an open instance.
pub const NO_INSTANCE: Refusal = "Open an instance first";
const IN_CAMPAIGNS: Refusal = "Close the campaigns first";
const NO_PROJECTS: Refusal =
    "Nothing is changed by hand here, so there is nothing to save: runs are kept by themselves";
/// Refusal of a command that another problem has.
pub const OTHER_PROBLEM: Refusal = "This is for instances of another problem";

impl<'a> Situation<'a> {
    /// The commands that menus, palette and keys offer, in the order of the menus.
    pub fn commands(&self) -> Vec<Command> {
        let mut all = vec![Command::Open];
        let new = importing::problems().filter(|problem| (problem.descriptor().template)().is_some());
        all.extend(new.map(|problem| Command::New(problem.problem.id())));
        all.extend([Command::Import(None), Command::Update(Vec::new())]);
        let own = self.open.map_or(&[][..], |open| open.commands());
        let of = |group| own.iter().filter(move |command| command.group == group).copied().map(Command::Problem);
        if self.open.is_none_or(|open| open.project_contents().is_some()) {
            all.extend([Command::SaveProject, Command::SaveProjectAs]);
        }
        all.extend((0..self.open.map_or(0, |open| open.formats().len())).map(Command::Export));
        all.extend([Command::Quit, Command::Undo, Command::Redo]);
        all.extend(of(Group::Edit));
        all.push(Command::ShowDraft);
        all.extend(self.open.is_some_and(ProblemView::keeps_drafts).then_some(Command::KeepDraft));
        all.extend([Command::DiscardDraft, Command::Find, Command::Deselect, Command::Preferences]);
        all.extend(self.open.into_iter().flat_map(ProblemView::tabs).map(Command::Show));
        all.extend(of(Group::View));
        all.extend([Command::Fit, Command::ZoomIn, Command::ZoomOut]);
        all.extend([Part::Library, Part::Inspector, Part::Bottom].map(Command::Toggle));
        all.extend([Command::Study, Command::Present]);
        all.extend(self.is_presenting.then_some(Command::EndPresentation));
        all.extend([ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark].map(Command::Theme));
        all.extend([Command::TextLarger, Command::TextSmaller, Command::TextNormal, Command::Solve]);
        all.extend(self.open.is_some_and(ProblemView::improves).then_some(Command::Improve));
        all.extend([Command::Pause, Command::Stop]);
        all.extend(self.open.is_some_and(ProblemView::decides).then_some(Command::WhatIf));
        all.push(Command::Campaigns);
        all.extend(of(Group::Run));
        all.extend(self.open.is_some_and(ProblemView::compares).then_some(Command::CompareMarked));
        all.extend([Command::Palette, Command::Glossary, Command::Shortcuts]);
        all.extend(self.lessons.iter().copied().map(Command::Lesson));
        all.extend([Command::EndLesson, Command::Messages, Command::About]);
        all
    }

    /// The words of a command in menus and palette, which say what it would do now.
    pub fn text(&self, command: &Command) -> Cow<'static, str> {
        if let Some(campaigns) = self.campaigns {
            match command {
                Command::Solve => return "Start campaign".into(),
                Command::Pause if campaigns.activity() == Some(Activity::Paused) => return "Resume".into(),
                Command::SaveProject => return "Save plan".into(),
                Command::SaveProjectAs => return "Save plan as…".into(),
                _ => {}
            }
        }
        let place = self.open;
        let paused = place.and_then(|place| place.ongoing()).is_some_and(|run| run.is_paused());
        let (undo, redo) = place.map_or((None, None), |place| place.undo_names());
        match command {
            Command::Undo if undo.is_some() => format!("Undo: {}", undo.unwrap_or_default()).into(),
            Command::Redo if redo.is_some() => format!("Redo: {}", redo.unwrap_or_default()).into(),
            Command::New(problem) => {
                let noun = gridwright_core::registry::by_id(problem).map_or("", |problem| problem.nouns().instance);
                format!("New {}", noun.split_once(' ').map_or(noun, |(_, noun)| noun)).into()
            }
            Command::Present if self.is_presenting => Command::EndPresentation.text().into(),
            Command::Pause if paused => "Resume".into(),
            Command::Toggle(part) => {
                let verb = if self.hidden.contains(part) { "Show" } else { "Hide" };
                format!("{verb} {}", command.text().to_lowercase()).into()
            }
            Command::Theme(_) => format!("Theme: {}", command.text().to_lowercase()).into(),
            Command::Show(_) => format!("{} view", command.text()).into(),
            Command::Lesson(lesson) => format!("Lesson: {}", lesson.title).into(),
            Command::Export(index) => match self.open.and_then(|open| open.formats().get(*index)) {
                Some(format) => format!("Export {}…", format.name).into(),
                None => command.text().into(),
            },
            _ => command.text().into(),
        }
    }

    /// One sentence about the effect of a command in the present state.
    pub fn help(&self, command: &Command) -> &'static str {
        match command {
            Command::Export(index) => {
                let format = self.open.and_then(|open| open.formats().get(*index));
                format.map_or(command.help(), |format| format.help)
            }
            _ => command.help(),
        }
    }

    /// Checks that a command is possible now.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn possible(&self, command: &Command) -> Result<(), Refusal> {
        if let Some(possible) = self.campaigns.and_then(|campaigns| possible_in(campaigns, command)) {
            return possible;
        }
        let open = self.open.ok_or(if self.campaigns.is_some() { IN_CAMPAIGNS } else { NO_INSTANCE });
        let when = |holds: bool, why: Refusal| if holds { Ok(()) } else { Err(why) };
        match command {
            Command::Open => when(!self.picking, "A file dialog is open"),
            Command::EndLesson => when(self.is_guided, "No lesson goes on"),
            Command::Update(_) => {
                when(!open?.problem().descriptor().tables.is_empty(), "The data of this problem are no tables")
            }
            Command::Solve => open?.ready(),
            Command::Improve => open?.improvable(),
            Command::WhatIf => open?.may_decide(),
            Command::Problem(command) => {
                let open = open?;
                when(open.commands().contains(command), OTHER_PROBLEM)?;
                open.possible(command)
            }
            Command::Undo => open?.undo_names().0.map(|_| ()).ok_or("Nothing has been changed"),
            Command::Redo => open?.undo_names().1.map(|_| ()).ok_or("Nothing has been taken back"),
            Command::SaveProject | Command::SaveProjectAs => when(open?.project_contents().is_some(), NO_PROJECTS),
            Command::ShowDraft | Command::DiscardDraft | Command::KeepDraft => {
                when(open?.has_draft(), "Nothing is being edited")
            }
            Command::Pause | Command::Stop => {
                let run = open?.ongoing().ok_or("No run goes on")?;
                when(!run.is_stopping(), "The run is being stopped")
            }
            Command::ShowRun(number) | Command::NameRun(number) | Command::DeleteRun(number) => {
                when(open?.run_name(*number).is_some(), "This run is no longer there")
            }
            Command::Compare(a, b) => {
                let open = open?;
                when(a != b, "Choose another run to compare with")?;
                let there = open.run_name(*a).is_some() && open.run_name(*b).is_some();
                when(there, "One of the runs is no longer there")
            }
            Command::CompareMarked => {
                open?;
                when(self.marked.len() == 2, "Mark two runs in the list first: Ctrl and a click")
            }
            Command::Export(_) => open?.exportable(),
            Command::Study => {
                open?;
                when(!self.is_guided, "A lesson shows all of it")
            }
            Command::Present => when(self.is_presenting || open.is_ok(), NO_INSTANCE),
            Command::Show(_) | Command::Toggle(Part::Inspector | Part::Bottom) => open.map(|_| ()),
            Command::Find | Command::GoTo(_) => open.map(|_| ()),
            Command::Deselect => when(open?.has_selection(), "Nothing is selected"),
            Command::Fit | Command::ZoomIn | Command::ZoomOut => {
                let open = open?;
                when(open.zooms(), "This view has no zoom")?;
                when(open.has_picture(), "There is nothing to be seen yet")
            }
            Command::TextLarger => when(self.state.text_size < TEXT_SIZES.1, "It cannot be larger"),
            Command::TextSmaller => when(self.state.text_size > TEXT_SIZES.0, "It cannot be smaller"),
            _ => Ok(()),
        }
    }
}

/// Checks a command that means something for a campaign that is shown; `None` for every other command.
fn possible_in(campaigns: &CampaignView, command: &Command) -> Option<Result<(), Refusal>> {
    let activity = campaigns.activity().filter(|activity| *activity != Activity::Idle);
    let when = |holds: bool, why: Refusal| Some(if holds { Ok(()) } else { Err(why) });
    match command {
        Command::Solve => Some(campaigns.may_start()),
        Command::Pause | Command::Stop => match activity {
            Some(activity) => when(activity != Activity::Stopping, "The campaign is being stopped"),
            None => when(false, "No campaign goes on"),
        },
        Command::SaveProject => {
            when(campaigns.shows_campaign() && campaigns.is_unsaved() && activity.is_none(), "The plan has no changes")
        }
        Command::SaveProjectAs => {
            when(campaigns.shows_campaign() && activity.is_none(), "Open a campaign that does not run")
        }
        _ => None,
    }
}
