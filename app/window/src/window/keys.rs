//! Which commands the pressed keys mean now.

use egui::{Context, Key, KeyboardShortcut};

use super::command::Command;
use super::situation::Situation;

/// Keys with more modifiers first, so that Ctrl+Shift+P is not taken for Ctrl+P.
pub fn by_keys(situation: &Situation<'_>) -> Vec<(KeyboardShortcut, Command)> {
    let commands = situation.commands().into_iter();
    let mut all: Vec<(KeyboardShortcut, Command)> =
        commands.flat_map(|command| command.shortcuts().into_iter().map(move |keys| (keys, command.clone()))).collect();
    all.sort_by_key(|(keys, _)| std::cmp::Reverse(usize::from(keys.modifiers.shift) + usize::from(keys.modifiers.alt)));
    all
}

/// Returns `true` if a key without modifiers belongs to the focused widget first.
fn is_plain(shortcut: &KeyboardShortcut) -> bool {
    let function = matches!(shortcut.logical_key, Key::F1 | Key::F2 | Key::F5 | Key::F6 | Key::F11);
    shortcut.modifiers.is_none() && !function
}

/// The commands whose keys were pressed and that are possible now; and, where keys with Ctrl mean something that is not,
/// why not. Only those that are `wanted` take their keys.
pub(crate) fn pressed(
    ctx: &Context, situation: &Situation<'_>, wanted: impl Fn(&Command) -> bool,
) -> (Vec<Command>, Vec<(Command, &'static str)>) {
    let (mut commands, mut refused) = (Vec::new(), Vec::new());
    if !ctx.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Key { pressed: true, .. }))) {
        return (commands, refused);
    }
    // Keys without Ctrl belong to the widget that has the focus, to menus and to fields first.
    let taken = ctx.text_edit_focused()
        || egui::Popup::is_any_open(ctx)
        || (ctx.memory(|memory| memory.focused().is_some())
            && !situation.open.is_some_and(|open| open.canvas_focused()));
    let typing = ctx.text_edit_focused();
    for (keys, command) in by_keys(situation) {
        if typing && command.belongs_to_fields() {
            continue;
        }
        let plain = is_plain(&keys);
        let possible = situation.possible(&command);
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
