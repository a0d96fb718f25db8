//! Everything a person can ask for, in one table: what it is called, what it does, which keys mean it, where it stands in
//! the menus, and when it is possible. Menus, buttons, shortcuts and the palette all read it.
//!
//! A new command is a variant of [`Command`], a line in [`Command::entry`], a line in [`Command::every`] where menus and
//! palette should offer it, an arm in [`Command::possible`] where it is not always possible, and an arm where the window
//! runs it.

mod keys;
mod possible;

use std::borrow::Cow;
use std::path::PathBuf;

use egui::{Key, KeyboardShortcut, Modifiers};
use gridwright_solver::timetabling::Period;

use super::workplace::{View, formats};
use crate::problems::facility::Action;
use crate::problems::systolic::Playing;
use crate::store::{Part, Problem, ThemeChoice};
use crate::widgets::icons::Icon;

pub use keys::pressed;
pub use possible::Situation;

/// Something a person asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Choose a file in a dialog.
    Open,
    /// Open a path or `sample:NAME`.
    Load {
        /// The path or name.
        source: String,
        /// Number of periods, where the person said it.
        periods: Option<usize>,
    },
    /// Take a file from the list of recent ones.
    Forget(String),
    /// Keep a recent file at the top of the list, or no longer.
    Pin(String),
    /// Leave the message about a file that could not be opened.
    Back,
    /// Begin a run.
    Solve,
    /// Let the run wait, or go on.
    Pause,
    /// End the run with the best so far.
    Stop,
    /// Show the run with this number.
    ShowRun(usize),
    /// Compare two runs by their numbers.
    Compare(usize, usize),
    /// Compare the two runs that are marked in the list.
    CompareMarked,
    /// Ask for a name for the run with this number.
    NameRun(usize),
    /// Take a run from the list; its file goes to the trash.
    DeleteRun(usize),
    /// Bring back what the deletion with this number took away.
    UndoDelete(u64),
    /// Open a view.
    Show(View),
    /// Show all of the picture.
    Fit,
    /// Enlarge the picture.
    ZoomIn,
    /// Make the picture smaller.
    ZoomOut,
    /// Look for an exam or a job by its name.
    Find,
    /// Select the exam or job with this index.
    GoTo(usize),
    /// Select nothing.
    Deselect,
    /// Ask where to write the plan, in the format of its problem with this index.
    Export(usize),
    /// Choose in a dialog where to write it.
    ChooseExport,
    /// Write it.
    WriteExport,
    /// Import tables whose columns the person names; the first may be known already.
    Import(Option<String>),
    /// Write calendar, rules, edits and runs to the project's file; asks where if there is none.
    SaveProject,
    /// Ask where to write them.
    SaveProjectAs,
    /// Make or change the calendar of the session.
    Calendar,
    /// Take these periods for those of the session.
    SetCalendar(Vec<Period>),
    /// Take the last change back.
    Undo,
    /// Make a change again that was taken back.
    Redo,
    /// Put the selected exam one period earlier.
    MoveEarlier,
    /// Put the selected exam one period later.
    MoveLater,
    /// Put the selected exam where it does best.
    MoveToBest,
    /// Pin the selected exam where it is, or let it go.
    PinExam,
    /// Put the selected job one position earlier.
    JobEarlier,
    /// Put the selected job one position later.
    JobLater,
    /// Put the selected job where it does best.
    JobToBest,
    /// Change what is selected in a layout, or the layout itself.
    Layout(Action),
    /// Play the recording of a run on the grid, or show another moment of it.
    Play(Playing),
    /// Search on from the plan that is shown.
    Improve,
    /// List the plan that is being edited as a run.
    KeepDraft,
    /// Show the plan that is being edited.
    ShowDraft,
    /// Give up the plan that is being edited.
    DiscardDraft,
    /// Compare what is being edited with what it was made from.
    CompareDraft,
    /// Ask how close the next run should stay to the timetable that is shown.
    SolveAround,
    /// Show or hide a part of the window.
    Toggle(Part),
    /// Light, dark or as the system says.
    Theme(ThemeChoice),
    /// Everything larger.
    TextLarger,
    /// Everything smaller.
    TextSmaller,
    /// Everything as large as usual.
    TextNormal,
    /// Switches reopening of the last instance at the next start.
    Reopen(bool),
    /// List all commands.
    Palette,
    /// List all keys.
    Shortcuts,
    /// Show the preferences.
    Preferences,
    /// Show all messages of this session.
    Messages,
    /// Say what this program is and what it runs on.
    About,
    /// Put a text on the clipboard.
    Copy(String),
    /// Show a folder in the file manager.
    ShowFolder(PathBuf),
    /// Close the window.
    Quit,
}

/// In which menu a command stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::VariantArray)]
pub enum Group {
    /// Opening and writing.
    File,
    /// Changing and finding.
    Edit,
    /// Visible parts, theme and zoom.
    View,
    /// Solving.
    Run,
    /// Explanations.
    Help,
}

impl Group {
    /// All of them, in the order of the menus.
    pub const ALL: [Self; 5] = gridwright_solver::variants();

    /// The word on the menu.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Run => "Run",
            Self::Help => "Help",
        }
    }
}

/// A row of the table.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The word on its button.
    pub text: &'static str,
    /// One sentence about the effect of the command.
    pub help: &'static str,
    /// The menu it belongs to.
    pub group: Group,
    /// Icon before the label.
    pub icon: Option<Icon>,
    /// The keys that mean it.
    pub keys: Vec<KeyboardShortcut>,
    /// True if a line in the menu separates the entry from the previous one.
    pub section: bool,
}

impl Entry {
    fn new(group: Group, text: &'static str, help: &'static str) -> Self {
        Self { text, help, group, icon: None, keys: Vec::new(), section: false }
    }

    fn icon(self, icon: Icon) -> Self {
        Self { icon: Some(icon), ..self }
    }

    fn key(mut self, modifiers: Modifiers, key: Key) -> Self {
        self.keys.push(KeyboardShortcut::new(modifiers, key));
        self
    }

    fn section(self) -> Self {
        Self { section: true, ..self }
    }
}

const COMMAND: Modifiers = Modifiers::COMMAND;
const NONE: Modifiers = Modifiers::NONE;

impl Command {
    /// Its row of the table.
    pub fn entry(&self) -> Entry {
        match self {
            Self::Open
            | Self::Load { .. }
            | Self::Forget(_)
            | Self::Pin(_)
            | Self::Back
            | Self::Export(_)
            | Self::ChooseExport
            | Self::WriteExport
            | Self::Copy(_)
            | Self::ShowFolder(_)
            | Self::Import(_)
            | Self::SaveProject
            | Self::SaveProjectAs
            | Self::Quit => self.file_entry(),
            Self::Find
            | Self::GoTo(_)
            | Self::Deselect
            | Self::Preferences
            | Self::UndoDelete(_)
            | Self::Calendar
            | Self::SetCalendar(_) => self.edit_entry(),
            Self::Undo
            | Self::Redo
            | Self::MoveEarlier
            | Self::MoveLater
            | Self::MoveToBest
            | Self::PinExam
            | Self::JobEarlier
            | Self::JobLater
            | Self::JobToBest
            | Self::KeepDraft
            | Self::ShowDraft
            | Self::Layout(_)
            | Self::DiscardDraft => self.change_entry(),
            Self::Solve
            | Self::Pause
            | Self::Stop
            | Self::ShowRun(_)
            | Self::Compare(..)
            | Self::CompareMarked
            | Self::CompareDraft
            | Self::SolveAround
            | Self::Play(_)
            | Self::Improve
            | Self::NameRun(_)
            | Self::DeleteRun(_) => self.run_entry(),
            Self::Palette | Self::Shortcuts | Self::Messages | Self::About => self.help_entry(),
            _ => self.view_entry(),
        }
    }

    fn file_entry(&self) -> Entry {
        let entry = |text, help| Entry::new(Group::File, text, help);
        match self {
            Self::Load { .. } => entry("Open", "Open this file").icon(Icon::File),
            Self::Forget(_) => entry("Remove from the list", "The file itself stays where it is").icon(Icon::Cross),
            Self::Pin(_) => {
                entry("Keep at the top", "Keep this file at the top of the list, or no longer").icon(Icon::Pin)
            }
            Self::Back => entry("Back", "Back to what was open"),
            Self::Export(index) => {
                let entry = entry("Export…", "Write the plan that is shown to a file").icon(Icon::Export);
                if *index == 0 { entry.key(COMMAND, Key::E) } else { entry }
            }
            Self::ChooseExport => entry("Choose…", "Choose folder and name").icon(Icon::Open),
            Self::WriteExport => entry("Write file", "Write the file").icon(Icon::Export),
            Self::Copy(_) => entry("Copy", "Put this text on the clipboard").icon(Icon::Copy),
            Self::ShowFolder(_) => entry("Show folder", "Show the folder in the file manager").icon(Icon::Open),
            Self::Import(_) => {
                let help = "Read tables of any form: name their columns, see what is wrong, then take them over";
                entry("Import tables…", help).icon(Icon::Import)
            }
            Self::SaveProject => {
                let help = "Keep rules, edits, runs and views in one file; from then on it is kept up to date";
                entry("Save project", help).icon(Icon::File).key(COMMAND, Key::S).section()
            }
            Self::SaveProjectAs => entry("Save project as…", "Choose another file for the project")
                .key(COMMAND.plus(Modifiers::SHIFT), Key::S),
            Self::Quit => {
                let help = "Close the window; a run that goes on is stopped and its best plan kept";
                entry("Quit", help).key(COMMAND, Key::Q).section()
            }
            _ => entry("Open…", "Choose a file: an examination session, a flow shop, a layout problem, a binary problem, a project or a result")
                .icon(Icon::Open)
                .key(COMMAND, Key::O),
        }
    }

    fn change_entry(&self) -> Entry {
        let entry = |text, help| Entry::new(Group::Edit, text, help);
        match self {
            Self::Undo => entry("Undo", "Take the last change back").icon(Icon::Undo).key(COMMAND, Key::Z),
            Self::Redo => entry("Redo", "Make a change again that was taken back")
                .key(COMMAND.plus(Modifiers::SHIFT), Key::Z)
                .key(COMMAND, Key::Y),
            Self::MoveEarlier => entry("Move one period earlier", "Put the selected exam one period earlier")
                .key(Modifiers::ALT, Key::ArrowLeft)
                .section(),
            Self::MoveLater => entry("Move one period later", "Put the selected exam one period later")
                .key(Modifiers::ALT, Key::ArrowRight),
            Self::MoveToBest => {
                let help = "Put the selected exam where it costs least without a clash or a broken rule";
                entry("Move to the best period", help).key(Modifiers::ALT, Key::ArrowDown)
            }
            Self::PinExam => entry("Pin or unpin the exam", "Searches leave a pinned exam where it is")
                .icon(Icon::Pin)
                .key(NONE, Key::P),
            Self::JobEarlier => entry("Move one position earlier", "Put the selected job one position earlier")
                .key(Modifiers::ALT, Key::ArrowLeft)
                .section(),
            Self::JobLater => entry("Move one position later", "Put the selected job one position later")
                .key(Modifiers::ALT, Key::ArrowRight),
            Self::JobToBest => entry("Move to the best position", "Put the selected job where the objective is least")
                .key(Modifiers::ALT, Key::ArrowDown),
            Self::Layout(action) => {
                let entry = entry(action.text(), action.help());
                let entry = if action.begins_section() { entry.section() } else { entry };
                action.key().map_or(entry.clone(), |(modifiers, key)| entry.key(modifiers, key))
            }
            Self::KeepDraft => {
                entry("Keep the edits as a run", "List what was made by hand beside what was found, and keep it")
                    .icon(Icon::Check)
            }
            Self::DiscardDraft => {
                entry("Discard the edits", "Give up what is being edited; Undo brings it back").icon(Icon::Trash)
            }
            _ => entry("Show the edits", "Back to what is being edited").section(),
        }
    }

    fn edit_entry(&self) -> Entry {
        let entry = |text, help| Entry::new(Group::Edit, text, help);
        match self {
            Self::GoTo(_) => entry("Go to", "Select this and show it").icon(Icon::Search),
            Self::Deselect => entry("Select nothing", "Back to the whole plan"),
            Self::UndoDelete(_) => entry("Undo", "Bring the run back"),
            Self::Calendar => {
                entry("Calendar…", "Dates, times and seats of the periods").icon(Icon::Calendar).section()
            }
            Self::SetCalendar(_) => entry("Apply", "Take these periods for those of the session"),
            Self::Preferences => entry("Preferences…", "Theme, text size, what is opened at the start")
                .icon(Icon::Settings)
                .key(COMMAND, Key::Comma)
                .section(),
            _ => entry("Find…", "Look for an exam, a job or a department by its name")
                .icon(Icon::Search)
                .key(COMMAND, Key::F),
        }
    }

    fn run_entry(&self) -> Entry {
        let entry = |text, help| Entry::new(Group::Run, text, help);
        match self {
            Self::SolveAround => {
                let help = "Mend and improve the timetable that is shown, and move as few exams as possible";
                entry("Solve around the changes…", help).icon(Icon::Play).key(NONE, Key::F6)
            }
            Self::Improve => {
                let help = "Search on from the plan that is shown instead of from the beginning";
                entry("Improve from here", help).icon(Icon::Play).key(NONE, Key::F6)
            }
            Self::CompareDraft => {
                let help = "What was moved by hand, who gains and who loses";
                entry("Compare the edited timetable", help)
            }
            Self::Pause => entry("Pause", "Let the search wait, or go on").icon(Icon::Pause).key(NONE, Key::Space),
            Self::Stop => {
                entry("Stop", "End the search; the best so far is the result").icon(Icon::Stop).key(NONE, Key::Escape)
            }
            Self::Play(what) => {
                let (modifiers, key) = what.key();
                let entry = entry(what.text(), what.help()).key(modifiers, key);
                if *what == Playing::Toggle { entry.icon(Icon::Systolic).section() } else { entry }
            }
            Self::ShowRun(_) => entry("Show", "Show what this run found").icon(Icon::Grid).section(),
            Self::Compare(..) => entry("Compare with the shown run", "What differs between the two"),
            Self::CompareMarked => {
                entry("Compare runs", "What differs between the two runs that are marked").icon(Icon::Compare).section()
            }
            Self::NameRun(_) => {
                entry("Name…", "Give this run a name or a remark").icon(Icon::Pencil).key(NONE, Key::F2).section()
            }
            Self::DeleteRun(_) => {
                entry("Delete", "Take this run from the list; its file goes to the trash of the runs' folder")
                    .icon(Icon::Trash)
                    .key(NONE, Key::Delete)
            }
            _ => entry("Solve", "Search for something better with these settings")
                .icon(Icon::Play)
                .key(COMMAND, Key::Enter)
                .key(NONE, Key::F5),
        }
    }

    fn help_entry(&self) -> Entry {
        let entry = |text, help| Entry::new(Group::Help, text, help);
        match self {
            Self::Shortcuts => entry("Keyboard shortcuts", "All keys and what they do")
                .icon(Icon::Keyboard)
                .key(NONE, Key::F1)
                .key(NONE, Key::Questionmark),
            Self::Messages => entry("Messages", "Everything that this program has told since it was started")
                .icon(Icon::Bell)
                .key(COMMAND.plus(Modifiers::SHIFT), Key::M),
            Self::About => entry("About Gridwright", "Version, devices, folders").icon(Icon::Info).section(),
            _ => entry(
                "Command palette…",
                "All commands, files, exams, jobs and departments, by a few letters of their names",
            )
            .icon(Icon::Search)
            .key(COMMAND, Key::P)
            .key(COMMAND.plus(Modifiers::SHIFT), Key::P),
        }
    }

    fn view_entry(&self) -> Entry {
        let entry = |text, help| Entry::new(Group::View, text, help);
        match self {
            Self::Show(view) => {
                let number = View::all(view.problem()).iter().position(|other| other == view);
                let key = number.and_then(|number| DIGITS.get(number));
                let entry = entry(view.name(), view.help());
                key.map_or(entry.clone(), |key| entry.key(COMMAND, *key))
            }
            Self::ZoomIn => entry("Zoom in", "Enlarge the picture; also by the wheel").icon(Icon::Plus),
            Self::ZoomOut => entry("Zoom out", "Make the picture smaller; also by the wheel").icon(Icon::Minus),
            Self::Toggle(Part::Library) => {
                entry("Library", "Show or hide samples and recent files").key(COMMAND, Key::B).section()
            }
            Self::Toggle(Part::Inspector) => {
                entry("Inspector", "Show or hide inspector and parameters").key(COMMAND, Key::I)
            }
            Self::Toggle(Part::Bottom) => {
                entry("Convergence and runs", "Show or hide the part at the bottom").key(COMMAND, Key::J)
            }
            Self::Theme(ThemeChoice::System) => entry("As the system", "Light or dark as the system says").section(),
            Self::Theme(ThemeChoice::Light) => entry("Light", "Always light"),
            Self::Theme(ThemeChoice::Dark) => entry("Dark", "Always dark"),
            Self::TextLarger => entry("Larger text", "Everything in the window one step larger")
                .key(COMMAND, Key::Plus)
                .key(COMMAND, Key::Equals)
                .section(),
            Self::TextSmaller => {
                entry("Smaller text", "Everything in the window one step smaller").key(COMMAND, Key::Minus)
            }
            Self::TextNormal => entry("Normal text", "Everything as large as usual").key(COMMAND, Key::Num0),
            Self::Reopen(_) => entry("Reopen what was open", "Open the last instance when the program starts"),
            _ => entry("Fit", "Show all of the picture").icon(Icon::Fit).key(NONE, Key::Home).section(),
        }
    }

    /// The word on its button.
    pub fn text(&self) -> &'static str {
        self.entry().text
    }

    /// The words in menus and palette, which say what would happen now.
    pub fn text_now(&self, situation: &Situation<'_>) -> Cow<'static, str> {
        let place = situation.place();
        let paused = place.and_then(|place| place.ongoing()).is_some_and(|run| run.is_paused());
        let (undo, redo) = place.map_or((None, None), |place| place.undo_names());
        match self {
            Self::Undo if undo.is_some() => format!("Undo: {}", undo.unwrap_or_default()).into(),
            Self::Redo if redo.is_some() => format!("Redo: {}", redo.unwrap_or_default()).into(),
            Self::Pause if paused => "Resume".into(),
            Self::Toggle(part) => {
                let verb = if situation.state.hides(*part) { "Show" } else { "Hide" };
                format!("{verb} {}", self.text().to_lowercase()).into()
            }
            Self::Theme(_) => format!("Theme: {}", self.text().to_lowercase()).into(),
            Self::Show(_) => format!("{} view", self.text()).into(),
            Self::Export(index) => match formats(situation.problem()).get(*index) {
                Some(format) => format!("Export {}…", format.name).into(),
                None => self.text().into(),
            },
            _ => self.text().into(),
        }
    }

    /// One sentence about the effect of the command.
    pub fn help(&self) -> &'static str {
        self.entry().help
    }

    /// The keys that mean it.
    pub fn shortcuts(&self) -> Vec<KeyboardShortcut> {
        self.entry().keys
    }

    /// One sentence about the effect of the command in the present state.
    pub fn help_now(&self, situation: &Situation<'_>) -> &'static str {
        match self {
            Self::Export(index) => formats(situation.problem()).get(*index).map_or(self.help(), |format| format.help),
            _ => self.help(),
        }
    }

    /// The commands that menus, palette and keys offer for a problem, in the order of the menus.
    pub fn every(problem: Problem) -> Vec<Self> {
        let timetabling = problem == Problem::Timetabling;
        let mut all = vec![Self::Open, Self::Import(None)];
        if problem != Problem::Systolic {
            all.extend([Self::SaveProject, Self::SaveProjectAs]);
        }
        all.extend((0..formats(problem).len()).map(Self::Export));
        all.extend([Self::Quit, Self::Undo, Self::Redo]);
        all.extend(match problem {
            Problem::Timetabling => vec![Self::MoveEarlier, Self::MoveLater, Self::MoveToBest, Self::PinExam],
            Problem::FlowShop => vec![Self::JobEarlier, Self::JobLater, Self::JobToBest],
            Problem::Facility => Action::ALL.map(Self::Layout).to_vec(),
            Problem::Systolic => Vec::new(),
        });
        all.push(Self::ShowDraft);
        all.extend((!timetabling).then_some(Self::KeepDraft));
        all.push(Self::DiscardDraft);
        all.extend(timetabling.then_some(Self::Calendar));
        all.extend([Self::Find, Self::Deselect, Self::Preferences]);
        all.extend(View::all(problem).into_iter().map(Self::Show));
        all.extend([Self::Fit, Self::ZoomIn, Self::ZoomOut]);
        all.extend([Part::Library, Part::Inspector, Part::Bottom].map(Self::Toggle));
        all.extend([ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark].map(Self::Theme));
        all.extend([Self::TextLarger, Self::TextSmaller, Self::TextNormal, Self::Solve]);
        all.push(if timetabling { Self::SolveAround } else { Self::Improve });
        all.extend([Self::Pause, Self::Stop]);
        if problem == Problem::Systolic {
            all.extend(Playing::ALL.map(Self::Play));
        }
        if timetabling {
            all.extend([Self::CompareMarked, Self::CompareDraft]);
        }
        all.extend((problem == Problem::Facility).then_some(Self::CompareMarked));
        all.extend([Self::Palette, Self::Shortcuts, Self::Messages, Self::About]);
        all
    }
}

const DIGITS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

#[cfg(test)]
mod tests;
