//! Legends of charts: the names of all lines with their samples. Names that have no room are in a list that opens on a click.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Color32, Galley, LayerId, Order, Painter, Popup, PopupCloseBehavior, Pos2, Rect, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::presentation;
use crate::theme::{self, palette, text};

/// Width of the sample of a line and of the space behind it.
const KEY: f32 = 24.0;

/// Least width in points to which a name is shortened.
const SHORTEST: f32 = 56.0;

/// Height of a line of the list.
const ROW: f32 = 18.0;

/// Tallest list without scrolling.
const TALLEST: f32 = 320.0;

/// Paints the sample of the line with this index from a place on, 18 points wide.
pub type Key<'a> = &'a dyn Fn(&Painter, usize, Pos2);

/// Makes a place of a chart open the list of all names with their samples; the label tells the names. `salt` distinguishes the
/// legends of one view.
pub(crate) fn list(ui: &Ui, salt: &str, place: Rect, names: &[&str], key: Key<'_>) {
    let response = ui.interact(place, ui.scope_id().with(("legend", salt)), Sense::click());
    let label = format!("Show all names: {}", names.join(", "));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &label));
    Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ScrollArea::vertical().max_height(TALLEST).show(ui, |ui| {
            for (index, name) in names.iter().enumerate() {
                ui.horizontal(|ui| {
                    let (rect, _) = ui.allocate_exact_size(vec2(KEY, ROW), Sense::hover());
                    key(ui.painter(), index, rect.left_center());
                    ui.add(egui::Label::new(theme::small(*name)).extend());
                });
            }
        });
    });
    response.on_hover_text("Show all names");
}

/// Names that were laid out for one row.
struct Row {
    galleys: Vec<Arc<Galley>>,
    gap: f32,
    /// Number of names that have no place in the row.
    hidden: usize,
    is_shortened: bool,
}

impl Row {
    fn new(painter: &Painter, names: &[&str], width: f32, ink: Color32) -> Self {
        let font = theme::font(text::SMALL);
        let laid = |name: &str, width: f32| {
            let mut job = LayoutJob::simple_singleline(name.to_owned(), font.clone(), ink);
            job.wrap = TextWrapping { max_width: width, ..TextWrapping::truncate_at_width(width) };
            painter.layout_job(job)
        };
        let natural: Vec<f32> = names.iter().map(|name| laid(name, f32::INFINITY).size().x).collect();
        let room = |count: usize, gap: f32| width - count as f32 * KEY - count.saturating_sub(1) as f32 * gap;
        let is_wide = natural.iter().sum::<f32>() <= room(names.len(), theme::space::L);
        let gap = if is_wide { theme::space::L } else { theme::space::S };
        let most = shared_width(&natural, room(names.len(), gap));
        if most >= SHORTEST {
            let cut = |(name, width): (&&str, &f32)| laid(name, if *width <= most { f32::INFINITY } else { most });
            let is_shortened = natural.iter().any(|width| *width > most);
            return Self { galleys: names.iter().zip(&natural).map(cut).collect(), gap, hidden: 0, is_shortened };
        }
        let more = |hidden: usize| laid(&format!("{hidden} more"), f32::INFINITY);
        let needed = |shown: usize| {
            natural[..shown].iter().map(|width| width + KEY + gap).sum::<f32>() + more(names.len() - shown).size().x
        };
        let shown = (0..names.len()).rev().find(|&shown| needed(shown) <= width).unwrap_or(0);
        let hidden = names.len() - shown;
        let names = names[..shown].iter().map(|name| laid(name, f32::INFINITY));
        Self { galleys: names.chain([more(hidden)]).collect(), gap, hidden, is_shortened: false }
    }
}

/// Writes the names of all lines side by side, ending at `right`. Where they have no room right of `left`, the longest are
/// shortened, and if that is not enough, the last ones are counted only: the list of all then opens on a click; a presentation
/// shows the list. Returns the left end of what was written.
pub fn names(
    ui: &Ui, salt: &str, names: &[&str], (left, right, y): (f32, f32, f32), key: Key<'_>, ink: Color32,
) -> f32 {
    let painter = ui.painter();
    let row = Row::new(painter, names, right - left, ink);
    if presentation::is_on(ui.ctx()) && (row.hidden > 0 || row.is_shortened) {
        complete(ui, names, right, y, key);
        return right;
    }
    let shown = names.len() - row.hidden;
    let mut end = right;
    for (index, galley) in row.galleys.iter().enumerate().rev() {
        let sample = if index < shown { KEY } else { 0.0 };
        let start = end - galley.size().x - sample;
        painter.galley(pos2(start + sample, y - galley.size().y / 2.0), Arc::clone(galley), ink);
        if index < shown {
            key(painter, index, pos2(start, y));
        } else {
            // A word that can be clicked.
            let under = y + galley.size().y / 2.0 - 1.0;
            painter.hline(start..=end, under, Stroke::new(1.0, palette(ui.visuals()).accent));
        }
        end = start - row.gap;
    }
    if row.hidden > 0 || row.is_shortened {
        let place = Rect::from_x_y_ranges((end + row.gap).max(left)..=right, y - ROW / 2.0..=y + ROW / 2.0);
        list(ui, salt, place, names, key);
    }
    end
}

/// Writes all names below each other over the chart, for an audience that cannot open a list.
fn complete(ui: &Ui, names: &[&str], right: f32, y: f32, key: Key<'_>) {
    let palette = palette(ui.visuals());
    // Above what the chart paints after its legend.
    let painter = ui.painter().clone().with_layer_id(LayerId::new(Order::Middle, ui.scope_id().with("legend")));
    let font = theme::font(text::SMALL);
    let laid = |name: &&str| painter.layout_no_wrap((*name).to_owned(), font.clone(), palette.text);
    let galleys: Vec<_> = names.iter().map(laid).collect();
    let width = galleys.iter().map(|galley| galley.size().x).fold(0.0, f32::max) + KEY + 2.0 * theme::space::S;
    let size = vec2(width, names.len() as f32 * ROW + theme::space::S);
    let rect = Rect::from_min_size(pos2(right - width, y - ROW / 2.0), size);
    painter.rect(rect, 4.0, palette.surface, Stroke::new(1.0, palette.border), StrokeKind::Inside);
    for (index, galley) in galleys.into_iter().enumerate() {
        let at = rect.min + vec2(theme::space::S, theme::space::XS + (index as f32 + 0.5) * ROW);
        key(&painter, index, at);
        painter.galley(pos2(at.x + KEY, at.y - galley.size().y / 2.0), galley, palette.text);
    }
}

/// Largest width to which `widths` have to be cut so that their sum is at most `room`.
fn shared_width(widths: &[f32], room: f32) -> f32 {
    let mut ascending = widths.to_vec();
    ascending.sort_by(f32::total_cmp);
    let mut left = room.max(0.0);
    for (index, &width) in ascending.iter().enumerate() {
        let share = left / (ascending.len() - index) as f32;
        if width > share {
            return share;
        }
        left -= width;
    }
    f32::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_names_are_shortened_first() {
        assert_eq!(shared_width(&[10.0, 50.0, 40.0], 100.0), f32::INFINITY);
        assert_eq!(shared_width(&[10.0, 50.0, 40.0], 80.0), 35.0);
        assert_eq!(shared_width(&[10.0, 50.0, 40.0], -5.0), 0.0);
        assert_eq!(shared_width(&[], 5.0), f32::INFINITY);
    }

    /// Seven names in a chart of any width: each is written with its sample, or counted among those in the list.
    #[test]
    fn no_name_is_left_out_silently() {
        let ctx = egui::Context::default();
        for width in [0.0_f32, 60.0, 200.0, 400.0, 900.0] {
            let _ = ctx.run_ui(egui::RawInput::default(), |ui| {
                let seen = std::cell::RefCell::new(Vec::new());
                let all = ["Torus", "Exchange", "Vertical", "Both", "Generational", "Elitist", "Random search"];
                let key = |_: &Painter, index: usize, _: Pos2| seen.borrow_mut().push(index);
                names(ui, "names", &all, (0.0, width, 8.0), &key, Color32::BLACK);
                let row = Row::new(ui.painter(), &all, width, Color32::BLACK);
                let mut written = seen.borrow().clone();
                written.reverse();
                assert_eq!(written, (0..all.len() - row.hidden).collect::<Vec<_>>(), "{width} points");
                assert_eq!(row.hidden == 0, width >= 900.0, "{width} points");
                let last = row.galleys.last().unwrap().text().to_owned();
                assert_eq!(last.ends_with(" more"), row.hidden > 0, "{last}");
                assert!(row.hidden == 0 || last == format!("{} more", row.hidden));
            });
        }
    }
}
