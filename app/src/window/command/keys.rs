//! The keys of commands: their names, and which commands they mean now.

use egui::{Context, Key, KeyboardShortcut};

use super::{Command, Situation};
use crate::store::Problem;

impl Command {
    /// Tooltip: effect and keys of the command.
    pub fn tooltip(&self, ctx: &Context) -> String {
        let keys = self.keys(ctx);
        if keys.is_empty() { self.help().to_owned() } else { format!("{} ({})", self.help(), keys.join(" or ")) }
    }

    /// Returns `true` if its keys have a meaning in a text field.
    fn belongs_to_fields(&self) -> bool {
        use Command::{JobEarlier, JobLater, JobToBest, Layout, MoveEarlier, MoveLater, MoveToBest, Redo, Undo};
        matches!(
            self,
            Undo | Redo | MoveEarlier | MoveLater | MoveToBest | JobEarlier | JobLater | JobToBest | Layout(_)
        )
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

/// Keys with more modifiers first, so that Ctrl+Shift+P is not taken for Ctrl+P.
pub(super) fn by_keys(problem: Problem) -> Vec<(KeyboardShortcut, Command)> {
    let commands = Command::every(problem).into_iter();
    let mut all: Vec<(KeyboardShortcut, Command)> =
        commands.flat_map(|command| command.shortcuts().into_iter().map(move |keys| (keys, command.clone()))).collect();
    all.sort_by_key(|(keys, _)| std::cmp::Reverse(usize::from(keys.modifiers.shift) + usize::from(keys.modifiers.alt)));
    all
}

/// Returns `true` if a key without modifiers belongs to the focused widget first.
fn is_plain(shortcut: &KeyboardShortcut) -> bool {
    let function = matches!(shortcut.logical_key, Key::F1 | Key::F2 | Key::F5 | Key::F6);
    shortcut.modifiers.is_none() && !function
}

/// The commands whose keys were pressed and that are possible now; and, where keys with Ctrl mean something that is not,
/// why not. Only those that are `wanted` take their keys.
pub fn pressed(
    ctx: &Context,
    situation: &Situation<'_>,
    wanted: impl Fn(&Command) -> bool,
) -> (Vec<Command>, Vec<(Command, &'static str)>) {
    let (mut commands, mut refused) = (Vec::new(), Vec::new());
    if !ctx.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Key { pressed: true, .. }))) {
        return (commands, refused);
    }
    // Keys without Ctrl belong to the widget that has the focus, to menus and to fields first.
    let taken = ctx.text_edit_focused()
        || egui::Popup::is_any_open(ctx)
        || (ctx.memory(|memory| memory.focused().is_some())
            && !situation.place().is_some_and(|place| place.canvas_focused()));
    let typing = ctx.text_edit_focused();
    for (keys, command) in by_keys(situation.problem()) {
        if typing && command.belongs_to_fields() {
            continue;
        }
        let plain = is_plain(&keys);
        let possible = command.possible(situation);
        if !wanted(&command)
            || (plain && (taken || possible.is_err()))
            || !ctx.input_mut(|input| input.consume_shortcut(&keys))
        {
            continue;
        }
        match possible {
            Ok(()) => commands.push(command),
            Err(why) => refused.push((command, why)),
        }
    }
    (commands, refused)
}
