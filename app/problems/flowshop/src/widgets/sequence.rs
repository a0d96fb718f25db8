//! Sequence of things as chips that wrap like words, each of which can be dragged to another position.
//!
//! A chip is dragged by the pointer to where the marker stands. Keys, while the strip has the keyboard: arrows, Home and
//! End select; with Alt they move what is selected, by one place, by a row, to an end. Only what is visible is visited.
//!
//! ```ignore
//! let outcome = sequence::show(ui, &source, &mut view, selected_position);
//! if let Some(sequence::Moved { from, to }) = outcome.moved {
//!     let job = order.remove(from);
//!     order.insert(to, job);
//! }
//! ```

mod layout;
mod paint;

use egui::scroll_area::ScrollSource;
use egui::{Color32, Key, Modifiers, Pos2, Response, ScrollArea, Sense, Ui, WidgetInfo, vec2};

pub use layout::Layout;

use gridwright_window::theme;
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::{focus_ring, keys, stepped};

/// One thing in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Chip {
    /// Text on the chip.
    pub name: String,
    /// A strip of this colour at its left end.
    pub colour: Option<Color32>,
    /// Short warning, such as «+7» for a job that is late by 7.
    pub mark: Option<String>,
    /// True if searches leave the thing in its position.
    pub is_pinned: bool,
    /// Position to which the thing would follow the carried one, counted from 1.
    pub goes_to: Option<usize>,
}

/// Content of the widget.
pub trait Source {
    /// Number of things in the sequence.
    fn count(&self) -> usize;
    /// The thing in a position, from 0.
    fn chip(&self, position: usize) -> Chip;
    /// The longest name, which decides how wide all chips are.
    fn longest(&self) -> &str;
    /// Describes the thing in a position.
    fn describe(&self, position: usize) -> String;
    /// Returns `true` if things can be moved.
    fn can_move(&self) -> bool {
        true
    }
    /// Effects of a move, a line each; the first one is the most important.
    fn preview(&self, _moved: Moved) -> Vec<String> {
        Vec::new()
    }
    /// Describes the whole sequence.
    fn summary(&self) -> String;
}

/// A move of a thing: taken out of position `from` and put back so that it is in position `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// Present position.
    pub from: usize,
    /// Position afterwards.
    pub to: usize,
}

/// Where a person has scrolled to and what is being carried.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    reveal: Option<usize>,
    /// Scrolled distance in points.
    offset: f32,
    /// Scroll position of the next frame in points.
    scroll_to: Option<f32>,
    held: Option<usize>,
}

impl View {
    pub(crate) fn reveal(&mut self, position: usize) {
        self.reveal = Some(position);
    }
}

/// Input of a person in this frame.
pub struct Outcome {
    pub(crate) response: Response,
    /// The position to select from now on; `None` within for a click beside all chips.
    pub picked: Option<Option<usize>>,
    /// Requested move.
    pub moved: Option<Moved>,
    /// True if the requested move is that of a chip that was dropped.
    pub is_dropped: bool,
    /// Move of the carried chip, if it were dropped now.
    pub carried: Option<Moved>,
}

/// Points per frame by which the strip scrolls while something is held at its edge.
const CREEP: f32 = 8.0;

/// Shows chips in all the room there is, scrolled where they need more.
pub fn show(ui: &mut Ui, source: &dyn Source, view: &mut View, selected: Option<usize>) -> Outcome {
    let palette = theme::palette(ui.visuals());
    let full = ui.available_rect_before_wrap();
    ui.painter().rect_filled(full, 0.0, palette.surface);
    let selected = selected.filter(|&position| position < source.count());
    let width = paint::chip_width(ui, source);
    // Bars of scrolling lie over the chips' own margin.
    let plan = Layout::new(full, width, source.count());
    if let Some(position) = view.reveal.take() {
        view.scroll_to = plan.scrolled_to(position, view.offset, full.height()).or(view.scroll_to);
    }
    let mut area = ScrollArea::vertical().auto_shrink(false).scroll_source(ScrollSource::ALL);
    if source.can_move() {
        area = area.scroll_source(ScrollSource::MOUSE_WHEEL | ScrollSource::SCROLL_BAR);
    }
    if let Some(offset) = view.scroll_to.take() {
        area = area.vertical_scroll_offset(offset.max(0.0));
    }
    // Rows that are cut say well enough that there are more.
    let fade = std::mem::take(&mut ui.spacing_mut().scroll.fade.strength);
    let output = area.show_viewport(ui, |ui, viewport| {
        let size = vec2(ui.available_width(), plan.height().max(full.height()));
        let (response, _) = ui.allocate_painter(size, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, source.summary()));
        let layout = plan.at(response.rect.min, viewport.translate(response.rect.min.to_vec2()));
        (response, layout)
    });
    ui.spacing_mut().scroll.fade.strength = fade;
    view.offset = output.state.clamped_offset().y;
    let (response, layout) = output.inner;
    let hovered = response.hover_pos().and_then(|position| layout.hit(position));
    let mut picked = response.interact_pointer_pos().filter(|_| response.clicked()).map(|position| {
        response.request_focus();
        layout.hit(position)
    });
    let drag = drag(ui, source, view, &response, &layout);
    let pressed = press(ui, source, view, &response, &layout, selected);
    if response.secondary_clicked() {
        // The menu is that of the thing under the pointer.
        picked = hovered.map(Some).or(picked);
    }
    picked = pressed.picked.map(Some).or(picked);
    let painter = ui.painter().with_clip_rect(full.intersect(ui.clip_rect()));
    let looked_at = paint::Attention { selected, hovered: hovered.filter(|_| drag.held.is_none()), held: drag.held };
    paint::paint(&painter, source, &layout, looked_at, palette);
    if let Some((position, pointer, gap)) = drag.carried {
        paint::marker(&painter, &layout, (gap, pointer), palette);
        let layer = egui::LayerId::new(egui::Order::Foreground, response.id.with("carried"));
        let above = ui.ctx().layer_painter(layer);
        let carried = paint::carried(&above, source, &layout, (position, pointer), palette);
        if let Some(moved) = moved(position, gap) {
            paint::preview(ui, response.id.with("preview"), &source.preview(moved), carried);
        }
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    focus_ring(ui, &response, full);
    if nodes::wanted(ui, &response) {
        if let Some(position) = selected.filter(|_| response.has_focus()) {
            nodes::describe(ui, &response, source.describe(position));
        }
        let key = nodes::add(ui, &response, &parts(source, &layout, selected));
        picked = key.map(|key| Some(key as usize)).or(picked);
    }
    if let Some(position) = hovered.filter(|_| drag.held.is_none()) {
        response.clone().on_hover_text_at_pointer(source.describe(position));
    }
    let carried = drag.carried.and_then(|(position, _, gap)| moved(position, gap));
    Outcome { response, picked, moved: drag.dropped.or(pressed.moved), is_dropped: drag.dropped.is_some(), carried }
}

#[derive(Default)]
struct Drag {
    held: Option<usize>,
    /// The position, where the pointer is, and the gap between chips that is nearest to it.
    carried: Option<(usize, Pos2, usize)>,
    dropped: Option<Moved>,
}

fn drag(ui: &Ui, source: &dyn Source, view: &mut View, response: &Response, layout: &Layout) -> Drag {
    if response.drag_started() && source.can_move() {
        let origin = ui.input(|input| input.pointer.press_origin()).or(response.interact_pointer_pos());
        view.held = origin.and_then(|position| layout.hit(position));
    }
    let pointer = response.interact_pointer_pos().filter(|_| response.dragged() || response.drag_stopped());
    let Some((held, pointer)) = view.held.zip(pointer).filter(|&(held, _)| held < source.count()) else {
        view.held = None;
        return Drag::default();
    };
    let gap = layout.gap_at(pointer);
    if response.drag_stopped() {
        view.held = None;
        // Escape ends a drag as well, and means: not at all.
        let let_go = ui.input(|input| input.pointer.any_released());
        let moved = moved(held, gap).filter(|_| let_go && layout.visible().expand(24.0).contains(pointer));
        return Drag { dropped: moved, ..Drag::default() };
    }
    let visible = layout.visible();
    let creep = match pointer.y {
        y if y < visible.top() + 12.0 => -CREEP,
        y if y > visible.bottom() - 12.0 => CREEP,
        _ => 0.0,
    };
    let to = (view.offset + creep).clamp(0.0, (layout.height() - visible.height()).max(0.0));
    if creep != 0.0 && to != view.offset {
        view.scroll_to = Some(to);
        ui.ctx().request_repaint();
    }
    Drag { held: Some(held), carried: Some((held, pointer, gap)), dropped: None }
}

/// The move that follows from a drop into a gap: gap 0 is before everything; the two gaps beside the thing itself change
/// nothing.
fn moved(from: usize, gap: usize) -> Option<Moved> {
    let to = if gap > from { gap - 1 } else { gap };
    (to != from).then_some(Moved { from, to })
}

#[derive(Default)]
struct Pressed {
    picked: Option<usize>,
    moved: Option<Moved>,
}

fn press(
    ui: &Ui, source: &dyn Source, view: &mut View, response: &Response, layout: &Layout, selected: Option<usize>,
) -> Pressed {
    if !response.has_focus() {
        return Pressed::default();
    }
    let columns = layout.columns() as isize;
    let (count, all) = (source.count(), source.count() as isize);
    let with = |modifiers: Modifiers| {
        let pressed = |key| isize::from(ui.input_mut(|input| input.consume_key(modifiers, key)));
        let mut by = pressed(Key::ArrowRight) - pressed(Key::ArrowLeft);
        by += columns * (pressed(Key::ArrowDown) - pressed(Key::ArrowUp));
        by + all * (pressed(Key::End) - pressed(Key::Home))
    };
    // A key without a modifier matches with one, too: those with Alt come first.
    let carry = with(Modifiers::ALT);
    let moved = selected.filter(|_| carry != 0 && source.can_move()).and_then(|from| {
        let to = from.saturating_add_signed(carry).min(count.saturating_sub(1));
        (to != from).then_some(Moved { from, to })
    });
    let step = with(Modifiers::NONE);
    let keys = keys(ui, response);
    // Where nothing is selected, the end is still the end.
    let from = selected.or_else(|| (step >= all).then(|| count.saturating_sub(1)));
    let picked = stepped(from, step + columns * keys.down, count);
    if let Some(position) = moved.map(|moved| moved.to).or(picked) {
        view.reveal(position);
        ui.ctx().request_repaint();
    }
    Pressed { picked, moved }
}

/// The visible chips, for assistive technology.
fn parts(source: &dyn Source, layout: &Layout, selected: Option<usize>) -> Vec<Part> {
    let part = |position: usize| Part {
        key: position as u64,
        rect: layout.chip(position),
        name: source.describe(position),
        selected: selected == Some(position),
    };
    layout.visible_chips().take(nodes::MOST).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_a_place_without_what_is_carried() {
        let carried = |from, gap| {
            let mut order = vec!["a", "b", "c", "d"];
            let Some(Moved { from, to }) = moved(from, gap) else { return order.concat() };
            let thing = order.remove(from);
            order.insert(to, thing);
            order.concat()
        };
        assert_eq!(carried(0, 2), "bacd", "between b and c");
        assert_eq!(carried(0, 4), "bcda");
        assert_eq!(carried(3, 0), "dabc");
        assert_eq!(carried(2, 1), "acbd");
        assert_eq!([carried(1, 1), carried(1, 2)], ["abcd", "abcd"], "beside itself");
    }
}
