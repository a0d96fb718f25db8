//! Everything a person can ask for: what it is called, what it does, which keys mean it.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use crate::store::ThemeChoice;
use crate::timetabling::Desk;
use crate::timetabling::desk::View;

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
    /// Leave the message about a file that could not be opened.
    Back,
    /// Begin a run.
    Solve,
    /// Let the run wait, or go on.
    Pause,
    /// End the run with the best so far.
    Stop,
    /// Open a view.
    Show(View),
    /// Show all of the picture.
    Fit,
    /// Ask where to write the timetable, in the format with this index.
    Export(usize),
    /// Choose in a dialog where to write it.
    ChooseExport,
    /// Write it.
    WriteExport,
    /// Light, dark or as the system says.
    Theme(ThemeChoice),
}

impl Command {
    /// The word on its button.
    pub fn text(&self) -> &'static str {
        match self {
            Self::Open | Self::Load { .. } => "Open…",
            Self::Forget(_) => "Remove from the list",
            Self::Back => "Back",
            Self::Solve => "Solve",
            Self::Pause => "Pause",
            Self::Stop => "Stop",
            Self::Show(view) => view.name(),
            Self::Fit => "Fit",
            Self::Export(_) => "Export",
            Self::ChooseExport => "Choose…",
            Self::WriteExport => "Export",
            Self::Theme(ThemeChoice::System) => "As the system",
            Self::Theme(ThemeChoice::Light) => "Light",
            Self::Theme(ThemeChoice::Dark) => "Dark",
        }
    }

    /// What it does, in a sentence.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Open => "Choose a file: .stu or .crs, .csv, ITC-2007 .exam, or a result .ron",
            Self::Load { .. } => "Open this file",
            Self::Forget(_) => "The file itself stays where it is",
            Self::Back => "Back to what was open",
            Self::Solve => "Search for a better timetable with these settings",
            Self::Pause => "Let the search wait, or go on",
            Self::Stop => "End the search; the best timetable so far is the result",
            Self::Show(view) => view.help(),
            Self::Fit => "Show all of the picture",
            Self::Export(_) => "Write the timetable that is shown to a file",
            Self::ChooseExport => "Choose folder and name",
            Self::WriteExport => "Write the file",
            Self::Theme(_) => "Light or dark",
        }
    }

    /// The keys that mean it.
    pub fn shortcuts(&self) -> Vec<KeyboardShortcut> {
        let key = |modifiers, key| KeyboardShortcut::new(modifiers, key);
        let (plain, command) = (Modifiers::NONE, Modifiers::COMMAND);
        match self {
            Self::Open => vec![key(command, Key::O)],
            Self::Solve => vec![key(command, Key::Enter), key(plain, Key::F5)],
            Self::Pause => vec![key(plain, Key::Space)],
            Self::Stop => vec![key(plain, Key::Escape)],
            Self::Export(0) => vec![key(command, Key::E)],
            Self::Show(View::Grid) => vec![key(command, Key::Num1)],
            Self::Show(View::Periods) => vec![key(command, Key::Num2)],
            Self::Show(View::Conflicts) => vec![key(command, Key::Num3)],
            Self::Show(View::Load) => vec![key(command, Key::Num4)],
            Self::Show(View::Gaps) => vec![key(command, Key::Num5)],
            Self::Show(View::Students) => vec![key(command, Key::Num6)],
            Self::Show(View::Exams) => vec![key(command, Key::Num7)],
            Self::Fit => vec![key(plain, Key::Home)],
            _ => Vec::new(),
        }
    }

    /// Those that keys can send.
    fn with_shortcuts() -> Vec<Self> {
        let views = View::ALL.map(Self::Show);
        let others = [Self::Open, Self::Solve, Self::Pause, Self::Stop, Self::Export(0), Self::Fit];
        others.into_iter().chain(views).collect()
    }

    /// What it does and its keys, for a tooltip.
    pub fn tooltip(&self, ctx: &Context) -> String {
        let keys: Vec<String> = self.shortcuts().iter().map(|shortcut| ctx.format_shortcut(shortcut)).collect();
        if keys.is_empty() { self.help().to_owned() } else { format!("{} ({})", self.help(), keys.join(" or ")) }
    }
}

/// The commands whose keys were pressed and that mean something now.
pub fn pressed(ctx: &Context, desk: Option<&Desk>) -> Vec<Command> {
    let solving = desk.is_some_and(Desk::is_solving);
    // Keys without Ctrl belong to the widget that has the focus, to menus and to fields first.
    let taken = ctx.text_edit_focused()
        || egui::Popup::is_any_open(ctx)
        || (ctx.memory(|memory| memory.focused().is_some()) && !desk.is_some_and(|desk| desk.canvas_focused));
    let mut commands = Vec::new();
    for command in Command::with_shortcuts() {
        let usable = match command {
            Command::Pause | Command::Stop => solving,
            Command::Solve | Command::Show(_) | Command::Fit | Command::Export(_) => desk.is_some(),
            _ => true,
        };
        let mut shortcuts = command.shortcuts();
        shortcuts.retain(|shortcut| {
            let plain = shortcut.modifiers.is_none() && !matches!(shortcut.logical_key, Key::F5);
            usable && !(plain && taken)
        });
        if shortcuts.iter().any(|shortcut| ctx.input_mut(|input| input.consume_shortcut(shortcut))) {
            commands.push(command);
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_have_the_same_keys() {
        let mut seen = Vec::new();
        for command in Command::with_shortcuts() {
            for shortcut in command.shortcuts() {
                assert!(!seen.contains(&shortcut), "{command:?}");
                seen.push(shortcut);
            }
            assert!(!command.text().is_empty() && !command.help().is_empty());
        }
    }
}
