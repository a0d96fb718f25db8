//! Keys of the built-in file dialog, taken before anything below it sees them.

use egui::{Context, Event, Key, Modifiers};

use super::Mode;
use super::browser::{Browser, Part};

/// Rows of a page of the list.
const PAGE: usize = 10;

/// Seconds after which typed letters begin a new search.
const PAUSE: f64 = 1.0;

impl Browser {
    /// The part that has the keyboard; `None` if a button has it.
    fn focused(ctx: &Context) -> Option<Part> {
        match ctx.memory(|memory| memory.focused()) {
            None => Some(Part::List),
            Some(id) => [Part::List, Part::Path, Part::Name, Part::NewFolder].into_iter().find(|part| part.id() == id),
        }
    }

    pub(super) fn take_keys(&mut self, ctx: &Context) {
        if egui::Popup::is_any_open(ctx) {
            return;
        }
        let focused = Self::focused(ctx);
        let pressed = |modifiers, key| ctx.input_mut(|input| input.consume_key(modifiers, key));
        if pressed(Modifiers::ALT, Key::ArrowUp) {
            self.go_up(ctx);
        }
        if pressed(Modifiers::COMMAND, Key::H) {
            self.shows_hidden = !self.shows_hidden;
            self.list();
        }
        if pressed(Modifiers::COMMAND, Key::L) {
            self.wants_focus = Some(Part::Path);
        }
        match focused {
            Some(Part::List) => self.take_keys_of_list(ctx),
            Some(Part::Path) => {
                let is_completed = !self.completions().is_empty() && pressed(Modifiers::NONE, Key::Tab);
                if is_completed && self.complete(ctx) {
                    self.cursor_to_end(ctx, Part::Path);
                }
                if pressed(Modifiers::NONE, Key::Enter) {
                    self.accept_path(ctx);
                }
            }
            Some(Part::Name) if pressed(Modifiers::NONE, Key::Enter) => {
                // A file is replaced by its button, not by a second Enter.
                if self.replaced.is_none() && self.can_accept() {
                    self.accept(ctx);
                }
            }
            Some(Part::NewFolder) if pressed(Modifiers::NONE, Key::Enter) => self.make_folder(ctx),
            Some(Part::Name | Part::NewFolder) | None => {}
        }
        if pressed(Modifiers::NONE, Key::Escape) {
            match (self.new_folder.take(), self.replaced.take()) {
                (None, None) => self.cancel(),
                _ => self.wants_focus = Some(Part::List),
            }
        }
    }

    fn take_keys_of_list(&mut self, ctx: &Context) {
        let pressed = |modifiers, key| ctx.input_mut(|input| input.count_and_consume_key(modifiers, key));
        let last = self.len().saturating_sub(1);
        let (here, is_new) = (self.cursor.unwrap_or(0), self.cursor.is_none());
        for (modifiers, marks) in [(Modifiers::SHIFT, true), (Modifiers::NONE, false)] {
            let down = pressed(modifiers, Key::ArrowDown) + PAGE * pressed(modifiers, Key::PageDown);
            let up = pressed(modifiers, Key::ArrowUp) + PAGE * pressed(modifiers, Key::PageUp);
            let (first, end) = (pressed(modifiers, Key::Home) > 0, pressed(modifiers, Key::End) > 0);
            if self.len() == 0 || down + up == 0 && !first && !end {
                continue;
            }
            // The first arrow goes to the first row.
            let moved = if is_new { here } else { (here + down).min(last).saturating_sub(up) };
            let row = if first {
                0
            } else if end {
                last
            } else {
                moved
            };
            if marks {
                self.mark_to(row);
            } else {
                self.stand_on(row);
            }
        }
        if pressed(Modifiers::COMMAND, Key::A) > 0 {
            self.mark_all();
        }
        if pressed(Modifiers::NONE, Key::Backspace) > 0 {
            self.go_up(ctx);
        }
        if pressed(Modifiers::NONE, Key::Enter) > 0 && self.replaced.is_none() && self.can_accept() {
            // A folder is chosen by its button, not while a person goes through folders.
            if self.request.mode == Mode::OpenFolder { self.open_row(ctx) } else { self.accept(ctx) }
        }
        self.search(ctx);
    }

    /// Puts the cursor on the first row whose name begins with the letters that were typed; a space marks a file.
    fn search(&mut self, ctx: &Context) {
        let (letters, now) = ctx.input_mut(|input| {
            let mut letters = String::new();
            input.events.retain(|event| match event {
                Event::Text(text) => {
                    letters.push_str(text);
                    false
                }
                _ => true,
            });
            (letters, input.time)
        });
        if letters.is_empty() {
            return;
        }
        if now - self.searched.1 > PAUSE {
            self.searched.0.clear();
        }
        self.searched.1 = now;
        if letters == " " && self.searched.0.is_empty() {
            if let Some(row) = self.cursor {
                self.toggle(row);
            }
            return;
        }
        if self.searched.0.is_empty() && letters.starts_with(['/', '~']) {
            (self.path, self.wants_focus) = (letters, Some(Part::Path));
            self.cursor_to_end(ctx, Part::Path);
            return;
        }
        self.searched.0.push_str(&letters.to_lowercase());
        let begins = |row: &usize| self.row(*row).is_some_and(|e| e.name.to_lowercase().starts_with(&self.searched.0));
        if let Some(row) = (0..self.len()).find(begins) {
            self.stand_on(row);
        }
    }

    /// Puts the cursor of a field behind its last letter.
    pub(super) fn cursor_to_end(&self, ctx: &Context, part: Part) {
        let text = if part == Part::Path { &self.path } else { &self.name };
        select(ctx, part, text.chars().count(), text.chars().count());
    }
}

pub(super) fn select(ctx: &Context, part: Part, from: usize, to: usize) {
    let mut state = egui::text_edit::TextEditState::load(ctx, part.id()).unwrap_or_default();
    let cursor = |at: usize| egui::text::CCursor::new(at);
    state.cursor.set_char_range(Some(egui::text::CCursorRange::two(cursor(from), cursor(to))));
    state.store(ctx, part.id());
}
