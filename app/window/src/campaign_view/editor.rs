//! Text of a plan with line numbers, colours for comments and texts, and a mark on the line with a fault.

use std::sync::Arc;

use egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use egui::{Color32, Frame, Galley, Id, Margin, ScrollArea, Stroke, TextBuffer, TextEdit, Ui, WidgetInfo, pos2};

use super::check::Fault;
use crate::theme::{self, Palette, palette, size, space};

/// Room for the numbers of lines in points.
const NUMBERS: f32 = 44.0;

/// The text of a plan and its cursor.
pub(crate) struct Editor {
    text: String,
    has_changed: bool,
    /// Line and column, counted from 1, to which the cursor is to move.
    target: Option<(usize, usize)>,
}

impl Editor {
    pub(super) fn new(text: String) -> Self {
        Self { text, has_changed: false, target: None }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn replace(&mut self, text: String) {
        self.has_changed |= text != self.text;
        self.text = text;
    }

    /// Returns `true` once after every change by the person.
    pub(crate) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    /// Moves the cursor to a line and column, counted from 1.
    pub(super) fn go_to(&mut self, place: (usize, usize)) {
        self.target = Some(place);
    }

    /// Shows the text in all the room there is; it cannot be changed unless `enabled`.
    pub(super) fn show(&mut self, ui: &mut Ui, fault: Option<&Fault>, enabled: bool) {
        let palette = palette(ui.visuals());
        let line = fault.and_then(|fault| fault.place).map(|(line, _)| line);
        let id = Id::unique("text of the plan");
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _: f32| {
            ui.fonts_mut(|fonts| fonts.layout_job(coloured(text.as_str(), line, palette)))
        };
        let frame =
            Frame::new().fill(palette.surface).stroke(Stroke::new(1.0, palette.border)).corner_radius(size::RADIUS);
        frame.inner_margin(Margin::same(4)).show(ui, |ui| {
            let area = ScrollArea::both().id_salt("plan").auto_shrink(false);
            area.show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    ui.add_space(NUMBERS);
                    let rows = ((ui.clip_rect().height() - space::M) / 17.0).max(4.0) as usize;
                    let edit = TextEdit::multiline(&mut self.text)
                        .id(id)
                        .code_editor()
                        .interactive(enabled)
                        .frame(Frame::NONE)
                        .margin(Margin::same(2))
                        .desired_width(f32::INFINITY)
                        .desired_rows(rows)
                        .layouter(&mut layouter);
                    let output = edit.show(ui);
                    let response = &output.response.response;
                    response.widget_info(|| {
                        WidgetInfo::labeled(egui::Role::MultilineTextInput, enabled, "Text of the plan")
                    });
                    self.has_changed |= response.changed();
                    numbers(ui, &output.galley, output.galley_pos, line, palette);
                    if let Some(place) = self.target.take() {
                        let at = CCursor::new(index_of(&self.text, place));
                        let mut state = output.state.clone();
                        state.cursor.set_char_range(Some(CCursorRange::one(at)));
                        state.store(ui.ctx(), id);
                        response.request_focus();
                        let rect = output.galley.pos_from_cursor(at).translate(output.galley_pos.to_vec2());
                        ui.scroll_to_rect(rect.expand2(egui::vec2(24.0, 48.0)), None);
                    }
                });
            });
        });
    }
}

/// Position among the characters of a text of a line and column, counted from 1.
fn index_of(text: &str, (line, column): (usize, usize)) -> usize {
    let before: usize = text.split('\n').take(line.saturating_sub(1)).map(|line| line.chars().count() + 1).sum();
    let length = text.split('\n').nth(line.saturating_sub(1)).map_or(0, |line| line.chars().count());
    before + column.saturating_sub(1).min(length)
}

/// Paints the numbers of the visible lines at the left of the text.
fn numbers(ui: &Ui, galley: &Arc<Galley>, at: egui::Pos2, fault: Option<usize>, palette: &Palette) {
    let font = egui::FontId::new(theme::text::SMALL, egui::FontFamily::Monospace);
    let clip = ui.clip_rect();
    for (row, number) in galley.rows.iter().zip(1..) {
        let top = at.y + row.pos.y;
        if top > clip.bottom() || top + row.rect().height() < clip.top() {
            continue;
        }
        let is_wrong = fault == Some(number);
        let colour = if is_wrong { palette.bad } else { palette.faint };
        let place = pos2(at.x - space::M, top + row.rect().height() / 2.0);
        ui.painter().text(place, egui::Align2::RIGHT_CENTER, number.to_string(), font.clone(), colour);
    }
}

/// The text with comments and texts in colours of their own; the line with a fault has another background.
fn coloured(text: &str, fault: Option<usize>, palette: &Palette) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let background = if fault == Some(number) { palette.bad_soft } else { Color32::TRANSPARENT };
        for (part, kind) in parts(line) {
            let color = match kind {
                Kind::Plain => palette.text,
                Kind::Text => palette.accent,
                Kind::Comment => palette.weak,
            };
            let font_id = egui::FontId::new(theme::text::BODY, egui::FontFamily::Monospace);
            job.append(part, 0.0, TextFormat { font_id, color, background, ..TextFormat::default() });
        }
    }
    job
}

/// Returns `true` if a text has comments to the ends of lines, or begins one that goes over several lines.
pub(crate) fn has_comments(text: &str) -> bool {
    let is_comment = |(part, kind): (&str, Kind)| kind == Kind::Comment || kind == Kind::Plain && part.contains("/*");
    text.split_inclusive('\n').flat_map(parts).any(is_comment)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Text,
    Comment,
}

/// Parts of a line: texts in quotation marks, a comment at its end, and everything else.
fn parts(line: &str) -> Vec<(&str, Kind)> {
    let (mut parts, mut begin, mut is_text, mut is_escaped) = (Vec::new(), 0, false, false);
    for (at, letter) in line.char_indices() {
        match letter {
            '"' if is_text && !is_escaped => {
                parts.push((&line[begin..=at], Kind::Text));
                (begin, is_text) = (at + 1, false);
            }
            '"' if !is_text => {
                parts.push((&line[begin..at], Kind::Plain));
                (begin, is_text) = (at, true);
            }
            '/' if !is_text && line[at..].starts_with("//") => {
                parts.push((&line[begin..at], Kind::Plain));
                parts.push((&line[at..], Kind::Comment));
                return parts;
            }
            _ => {}
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    parts.push((&line[begin..], if is_text { Kind::Text } else { Kind::Plain }));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line_are_told_apart_and_nothing_is_lost() {
        let line = "name: \"a \\\" // b\", // said \"so\"\n";
        let found = parts(line);
        assert_eq!(found.iter().map(|(part, _)| *part).collect::<String>(), line);
        assert!(found.contains(&("\"a \\\" // b\"", Kind::Text)), "{found:?}");
        assert_eq!(found.last(), Some(&("// said \"so\"\n", Kind::Comment)));
    }

    #[test]
    fn places_are_counted_in_characters() {
        let text = "(\n  name: “é”,\n)";
        assert_eq!(text.chars().nth(index_of(text, (2, 9))), Some('“'));
        assert_eq!(index_of(text, (2, 900)), text.chars().take_while(|letter| *letter != ',').count() + 1);
        assert_eq!(index_of(text, (99, 1)), text.chars().count() + 1);
    }
}
