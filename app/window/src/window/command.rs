//! Everything a person can ask for, in one table: what it is called, what it does, which keys mean it, where it stands in
//! the menus, and when it is possible. Menus, buttons, shortcuts and the palette all read it.
//!
//! A new command is a variant of [`Command`], a line in [`Command::entry`], a line in `Situation::commands` where menus and
//! palette should offer it, an arm in `Situation::possible` where it is not always possible, and an arm where the window
//! runs it. A command of one problem is a [`ProblemCommand`] in the table of that problem.

use std::collections::BTreeMap;
use std::path::PathBuf;

use egui::{Context, Key, KeyboardShortcut, Modifiers, Response};
use gridwright_core::store::{Part, ThemeChoice};

use crate::widgets::icons::Icon;

/// Purpose of a view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ViewGroup {
    /// Shows the plan itself.
    #[default]
    Plan,
    /// Explains the plan and compares it with others.
    Analyse,
    /// Shows how an algorithm works; for study mode.
    Algorithm,
    /// Shows the data.
    Data,
}

/// A view of a problem, as its tab shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewTab {
    /// Position among the views of the document.
    pub index: usize,
    /// Purpose of the view.
    pub group: ViewGroup,
    /// Label of the tab.
    pub name: &'static str,
    /// One sentence about the contents of the view.
    pub help: &'static str,
}

/// A guided lesson, as menus and the start page offer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LessonEntry {
    /// Identifies the lesson among those of all problems.
    pub id: &'static str,
    /// Title of the lesson.
    pub title: &'static str,
    /// Subject of the lesson, one sentence without a full stop.
    pub learns: &'static str,
    /// Time that it takes, in minutes.
    pub minutes: u32,
}

/// A command that only one problem has, as its table declares it.
#[derive(Debug, Clone, Copy)]
pub struct ProblemCommand {
    /// Identifies the command among those of its problem.
    pub id: &'static str,
    /// Label of the button.
    pub text: &'static str,
    /// One sentence about the effect of the command.
    pub help: &'static str,
    /// The menu it belongs to.
    pub group: Group,
    /// Icon before the label.
    pub icon: Option<Icon>,
    /// Keyboard shortcuts of the command.
    pub keys: &'static [(Modifiers, Key)],
    /// True if a line in the menu separates the command from the previous one.
    pub section: bool,
    /// True if a button in the title line offers the command.
    pub in_title: bool,
}

impl ProblemCommand {
    /// A command without icon and keys; a table changes what it needs.
    pub const fn new(id: &'static str, group: Group, text: &'static str, help: &'static str) -> Self {
        Self { id, text, help, group, icon: None, keys: &[], section: false, in_title: false }
    }

    fn entry(&self) -> Entry {
        let keys = self.keys.iter().map(|(modifiers, key)| KeyboardShortcut::new(*modifiers, *key)).collect();
        Entry { text: self.text, help: self.help, group: self.group, icon: self.icon, keys, section: self.section }
    }
}

impl PartialEq for ProblemCommand {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Something a person asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Choose a file in a dialog.
    Open,
    /// Open a path or `sample:NAME`.
    Load {
        /// The path or name.
        source: String,
        /// Options that the person gave.
        options: BTreeMap<String, String>,
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
    /// Show the campaigns.
    Campaigns,
    /// Open the plan or the folder of a campaign.
    OpenCampaign(PathBuf),
    /// Leave the campaigns.
    LeaveCampaigns,
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
    /// Take over the data of the instance's file, which has changed.
    TakeOverFile,
    /// Take over runs and rules of other documents with equal data.
    UseElsewhere,
    /// Offer runs and rules of other documents with equal data no more.
    LeaveElsewhere,
    /// Open a view.
    Show(ViewTab),
    /// Show all of the picture.
    Fit,
    /// Enlarge the picture.
    ZoomIn,
    /// Make the picture smaller.
    ZoomOut,
    /// Look for something in the plan by its name.
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
    /// Replace the file of the export dialog although the program did not write it.
    ReplaceByExport,
    /// Begin a new instance of the problem with this identifier.
    New(&'static str),
    /// Import tables whose columns the person names; the first may be known already.
    Import(Option<String>),
    /// Compare these files, or files that are chosen first, with the data of the open document.
    Update(Vec<PathBuf>),
    /// Write calendar, rules, edits and runs to the project's file; asks where if there is none.
    SaveProject,
    /// Ask where to write them.
    SaveProjectAs,
    /// Take the last change back.
    Undo,
    /// Make a change again that was taken back.
    Redo,
    /// A command of the open problem.
    Problem(ProblemCommand),
    /// Search on from the plan that is shown.
    Improve,
    /// Look at decisions about the plan that is shown.
    WhatIf,
    /// List the plan that is being edited as a run.
    KeepDraft,
    /// Show the plan that is being edited.
    ShowDraft,
    /// Give up the plan that is being edited.
    DiscardDraft,
    /// Show or hide a part of the window.
    Toggle(Part),
    /// Show the view alone, with large text, or the whole window again.
    Present,
    /// Show the whole window again.
    EndPresentation,
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
    /// Shows the problem with this identifier in library and start page, or leaves it out.
    ShowKind(&'static str, bool),
    /// Switch study mode of the kind of plan that is open.
    Study,
    /// Switch study mode of a kind of plan on or off.
    StudyKind(&'static str, bool),
    /// List all commands.
    Palette,
    /// List all keys.
    Shortcuts,
    /// List all terms.
    Glossary,
    /// Explain the term with this name.
    Explain(&'static str),
    /// Begin a guided lesson.
    Lesson(LessonEntry),
    /// Close the lesson that goes on.
    EndLesson,
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

/// Menu of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, strum::VariantArray)]
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
    pub const ALL: [Self; 5] = gridwright_core::variants();

    /// The word on the menu.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A row of the table.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Label of the button.
    pub text: &'static str,
    /// One sentence about the effect of the command.
    pub help: &'static str,
    /// The menu it belongs to.
    pub group: Group,
    /// Icon before the label.
    pub icon: Option<Icon>,
    /// Keyboard shortcuts of the command.
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

const STUDY: &str = "Show algorithm, device, seed, parameters, and the views that show how algorithms work";

const COMMAND: Modifiers = Modifiers::COMMAND;
const NONE: Modifiers = Modifiers::NONE;

impl Command {
    /// Name, help, icon and keys of the command.
    pub fn entry(&self) -> Entry {
        if let Self::Problem(command) = self {
            return command.entry();
        }
        let entry = self.file_entry().or_else(|| self.edit_entry()).or_else(|| self.change_entry());
        let entry = entry.or_else(|| self.run_entry()).or_else(|| self.help_entry());
        entry.unwrap_or_else(|| self.view_entry())
    }

    fn file_entry(&self) -> Option<Entry> {
        let entry = |text, help| Entry::new(Group::File, text, help);
        Some(match self {
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
            Self::ReplaceByExport => entry("Replace the file", "Replace a file that the program did not write"),
            Self::WriteExport => entry("Write file", "Write the file").icon(Icon::Export),
            Self::Copy(_) => entry("Copy", "Put this text on the clipboard").icon(Icon::Copy),
            Self::ShowFolder(_) => entry("Show folder", "Show the folder in the file manager").icon(Icon::Open),
            Self::New(_) => {
                let help = "Begin with a small example, whose tables you replace by your own data";
                entry("New instance", help).icon(Icon::Plus)
            }
            Self::Import(_) => {
                let help = "Read tables of any form: name their columns, see what is wrong, then take them over";
                entry("Import tables…", help).icon(Icon::Import)
            }
            Self::Update(_) => {
                let help = "Compare fresh versions of the tables with the data, and take over what has changed";
                entry("Update from files…", help).icon(Icon::Import)
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
            Self::Open => entry("Open…", "Choose the file of a problem, a project or a result")
                .icon(Icon::Open)
                .key(COMMAND, Key::O),
            _ => return None,
        })
    }

    fn change_entry(&self) -> Option<Entry> {
        let entry = |text, help| Entry::new(Group::Edit, text, help);
        Some(match self {
            Self::Undo => entry("Undo", "Take the last change back").icon(Icon::Undo).key(COMMAND, Key::Z),
            Self::Redo => entry("Redo", "Make a change again that was taken back")
                .key(COMMAND.plus(Modifiers::SHIFT), Key::Z)
                .key(COMMAND, Key::Y),
            Self::KeepDraft => {
                entry("Keep the edits as a run", "List what was made by hand beside what was found, and keep it")
                    .icon(Icon::Check)
            }
            Self::DiscardDraft => {
                entry("Discard the edits", "Give up what is being edited; Undo brings it back").icon(Icon::Trash)
            }
            Self::ShowDraft => entry("Show the edits", "Back to what is being edited").section(),
            _ => return None,
        })
    }

    fn edit_entry(&self) -> Option<Entry> {
        let entry = |text, help| Entry::new(Group::Edit, text, help);
        Some(match self {
            Self::GoTo(_) => entry("Go to", "Select this and show it").icon(Icon::Search),
            Self::Deselect => entry("Select nothing", "Back to the whole plan"),
            Self::UndoDelete(_) => entry("Undo", "Bring the run back"),
            Self::TakeOverFile => entry("Take over", "Take over the data of the changed file"),
            Self::LeaveElsewhere => {
                entry("Leave them there", "Use no runs and rules of another file, and offer them no more")
            }
            Self::UseElsewhere => entry("Use them", "Copy runs and rules of another file with equal data"),
            Self::Preferences => entry("Preferences…", "Theme, text size, what is opened at the start")
                .icon(Icon::Settings)
                .key(COMMAND, Key::Comma)
                .section(),
            Self::Find => {
                entry("Find…", "Look for something in the plan by its name").icon(Icon::Search).key(COMMAND, Key::F)
            }
            _ => return None,
        })
    }

    fn run_entry(&self) -> Option<Entry> {
        let entry = |text, help| Entry::new(Group::Run, text, help);
        Some(match self {
            Self::Improve => {
                let help = "Search on from the plan that is shown instead of from the beginning";
                entry("Improve from here", help).icon(Icon::Play).key(NONE, Key::F6)
            }
            Self::WhatIf => {
                let help = "What decisions would cost, such as something more or less or a rule dropped, each solved from the plan that is shown";
                entry("What if…", help).icon(Icon::Compare)
            }
            Self::Pause => entry("Pause", "Let the search wait, or go on").icon(Icon::Pause).key(NONE, Key::Space),
            Self::Stop => {
                entry("Stop", "End the search; the best so far is the result, though a search that cools down improves most near its end").icon(Icon::Stop).key(NONE, Key::Escape)
            }
            Self::Campaigns => {
                let help = "Compare algorithms by many runs: write a plan, run it, read tables and plots";
                entry("Campaign…", help).icon(Icon::Cells).section()
            }
            Self::OpenCampaign(_) => entry("Open campaign", "Open this plan, or the campaign in this folder"),
            Self::LeaveCampaigns => entry("Close campaigns", "Back to what was open; a campaign that runs goes on"),
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
            Self::Solve => entry("Solve", "Search for something better with these settings")
                .icon(Icon::Play)
                .key(COMMAND, Key::Enter)
                .key(NONE, Key::F5),
            _ => return None,
        })
    }

    fn help_entry(&self) -> Option<Entry> {
        let entry = |text, help| Entry::new(Group::Help, text, help);
        Some(match self {
            Self::Shortcuts => entry("Keyboard shortcuts", "All keys and what they do")
                .icon(Icon::Keyboard)
                .key(NONE, Key::Questionmark)
                .key(NONE, Key::F1),
            Self::Glossary => {
                entry("Glossary", "What the words in this window mean; F1 explains the word under the pointer")
                    .icon(Icon::Info)
                    .key(Modifiers::SHIFT, Key::F1)
            }
            Self::Lesson(lesson) => entry(lesson.title, lesson.learns).icon(Icon::StepForward),
            Self::EndLesson => entry("Close the lesson", "Back to what was open before the lesson").icon(Icon::Cross),
            Self::Explain(_) => entry("Explain", "Open the glossary at this term").icon(Icon::Info),
            Self::Messages => entry("Messages", "Everything that this program has told since it was started")
                .icon(Icon::Bell)
                .key(COMMAND.plus(Modifiers::SHIFT), Key::M),
            Self::About => entry("About Gridwright", "Version, devices, folders").icon(Icon::Info).section(),
            Self::Palette => entry("Command palette…", "All commands, files and names in the plan, by a few letters")
                .icon(Icon::Search)
                .key(COMMAND, Key::P)
                .key(COMMAND.plus(Modifiers::SHIFT), Key::P),
            _ => return None,
        })
    }

    fn view_entry(&self) -> Entry {
        let entry = |text, help| Entry::new(Group::View, text, help);
        match self {
            Self::Show(tab) => {
                let entry = entry(tab.name, tab.help);
                DIGITS.get(tab.index).map_or(entry.clone(), |key| entry.key(COMMAND, *key))
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
            Self::Present => entry("Presentation", "Show the view alone, in the whole screen and with large text")
                .key(NONE, Key::F11),
            Self::EndPresentation => entry("Leave the presentation", "Back to the whole window").key(NONE, Key::Escape),
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
            Self::ShowKind(..) => entry("Kinds of plans", "Show this kind in the library and on the start page"),
            Self::Study => entry("Study mode", STUDY).icon(Icon::Graduate).section(),
            Self::StudyKind(..) => entry("Study mode", STUDY),
            Self::Reopen(_) => entry("Reopen what was open", "Open the last instance when the program starts"),
            _ => entry("Fit", "Show all of the picture").icon(Icon::Fit).key(NONE, Key::Home).section(),
        }
    }

    /// The command that opens a source without options.
    pub fn load(source: impl Into<String>) -> Self {
        Self::Load { source: source.into(), options: BTreeMap::new() }
    }

    /// Label of the button.
    pub fn text(&self) -> &'static str {
        self.entry().text
    }

    /// One sentence about the effect of the command.
    pub fn help(&self) -> &'static str {
        self.entry().help
    }

    /// Keyboard shortcuts of the command.
    pub(crate) fn shortcuts(&self) -> Vec<KeyboardShortcut> {
        self.entry().keys
    }
}

const DIGITS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

impl Command {
    /// Tooltip: effect and keys of the command.
    pub fn tooltip(&self, ctx: &Context) -> String {
        let keys = self.keys(ctx);
        if keys.is_empty() { self.help().to_owned() } else { format!("{} ({})", self.help(), keys.join(" or ")) }
    }

    /// Gives the button of the command its tooltip; queues the command if the button was clicked this frame.
    pub(crate) fn offer(self, button: Response, commands: &mut Vec<Self>) {
        let tooltip = self.tooltip(&button.ctx);
        if button.on_hover_text(tooltip).clicked() {
            commands.push(self);
        }
    }

    /// Returns `true` if its keys have a meaning in a text field.
    pub(super) fn belongs_to_fields(&self) -> bool {
        match self {
            Self::Undo | Self::Redo => true,
            Self::Problem(command) => command.group == Group::Edit,
            _ => false,
        }
    }

    /// The names of its keys on this system.
    pub fn keys(&self, ctx: &Context) -> Vec<String> {
        let named = |shortcut: &KeyboardShortcut| {
            let text = ctx.format_shortcut(shortcut);
            let sign = SIGNS.into_iter().find(|(name, _)| text.ends_with(name));
            sign.map_or(text.clone(), |(name, sign)| text.replace(name, sign))
        };
        self.shortcuts().iter().map(named).collect()
    }
}

/// Keys that people know by what is printed on them.
const SIGNS: [(&str, &str); 5] =
    [("Comma", ","), ("Plus", "+"), ("Minus", "-"), ("Equals", "="), ("Questionmark", "?")];
