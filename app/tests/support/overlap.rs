//! Texts and controls that lie on each other or cannot be reached, from what is painted and from what screen readers hear.

use std::collections::HashMap;

use egui::accesskit::NodeId;
use egui::{Rect, Role, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT;
use gridwright_window::window::App;

/// Points by which two rectangles may share their edges: glyphs are rounded to whole pixels.
const TOUCH: f32 = 1.5;

/// Something legible in the window: its text, the part of its rectangle that is visible, and its place in the order of
/// painting.
struct Legible {
    text: String,
    rect: Rect,
    order: usize,
}

fn overlap(a: Rect, b: Rect) -> bool {
    let shared = a.intersect(b);
    shared.width() > TOUCH && shared.height() > TOUCH
}

fn pairs(found: &[Legible], harmless: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, one) in found.iter().enumerate() {
        for (place, other) in found.iter().enumerate().skip(index + 1) {
            if overlap(one.rect, other.rect) && !harmless(index, place) {
                faults.push(format!("“{}” {:?} lies on “{}” {:?}", one.text, one.rect, other.text, other.rect));
            }
        }
    }
    faults
}

/// What is painted, in order: texts, and areas that hide what lies under them.
#[derive(Default)]
struct Painted {
    texts: Vec<Legible>,
    areas: Vec<(usize, Rect)>,
    order: usize,
}

impl Painted {
    fn text(&mut self, text: &str, rect: Rect) {
        if rect.is_positive() {
            self.texts.push(Legible { text: text.to_owned(), rect, order: self.order });
        }
    }

    fn add(&mut self, shape: &Shape, clip: Rect) {
        self.order += 1;
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.add(shape, clip)),
            Shape::Rect(area) if area.fill.is_opaque() => self.areas.push((self.order, area.rect.intersect(clip))),
            Shape::Text(text) if text.angle == 0.0 => {
                for row in &text.galley.rows {
                    let bounds = row.row.visuals.mesh_bounds.translate(text.pos.to_vec2() + row.pos.to_vec2());
                    self.text(&row.row.text(), bounds.intersect(clip));
                }
            }
            Shape::Text(text) => self.text(text.galley.text(), text.visual_bounding_rect().intersect(clip)),
            _ => {}
        }
    }

    /// Returns `true` if the earlier of two texts is hidden where they meet.
    fn hides(&self, a: &Legible, b: &Legible) -> bool {
        let between = a.order.min(b.order)..a.order.max(b.order);
        let shared = a.rect.intersect(b.rect);
        self.areas.iter().any(|(order, area)| between.contains(order) && area.contains_rect(shared))
    }
}

/// Painted texts that intersect. A text that is painted twice at one place, as halos are, counts once.
fn painted(harness: &Harness<'_, App>) -> Vec<String> {
    let mut found = Painted::default();
    for clipped in &harness.output().shapes {
        found.add(&clipped.shape, clipped.clip_rect);
    }
    let same =
        |a: &Legible, b: &Legible| a.text == b.text && (a.rect.center() - b.rect.center()).length() < 2.0 * TOUCH;
    let texts = &found.texts;
    pairs(texts, |a, b| same(&texts[a], &texts[b]) || found.hides(&texts[a], &texts[b]))
}

/// Returns `true` for what a person presses or enters something into.
fn is_control(role: Role) -> bool {
    use Role::{Button, CheckBox, ComboBox, Link, MenuItem, SpinButton, Tab, TextInput};
    matches!(role, Button | CheckBox | ComboBox | Link | MenuItem | SpinButton | Tab | TextInput)
}

/// The visible parts of the widgets of the uppermost layer by their node: those of a dialog where one is open.
fn visible(harness: &Harness<'_, App>) -> HashMap<NodeId, Rect> {
    let upper = harness.ctx.memory(|memory| memory.top_modal_layer());
    harness.ctx.viewport(|viewport| {
        let layers = viewport.prev_pass.widgets.layers();
        let layers =
            layers.filter(|(layer, _)| upper.map_or(layer.order == egui::Order::Background, |it| it == **layer));
        let widgets = layers.flat_map(|(_, widgets)| widgets);
        widgets.map(|widget| (widget.id.accesskit_id(), widget.interact_rect)).collect()
    })
}

/// Labels and controls that intersect, as screen readers hear them. What lies wholly in another thing belongs to it.
fn heard(harness: &Harness<'_, App>) -> Vec<String> {
    let visible = visible(harness);
    let root = harness.root();
    let mut found = Vec::new();
    for node in root.children_recursive() {
        let role = node.accesskit_node().role();
        let rect = visible.get(&node.accesskit_node().locate().0).copied().filter(Rect::is_positive);
        let Some(rect) = rect.filter(|_| role == Role::Label || is_control(role)) else { continue };
        let text = node.accesskit_node().label().or_else(|| node.value()).unwrap_or_default();
        found.push(Legible { text, rect, order: found.len() });
    }
    let inside = |a: Rect, b: Rect| a.expand(TOUCH).contains_rect(b) || b.expand(TOUCH).contains_rect(a);
    pairs(&found, |a, b| inside(found[a].rect, found[b].rect))
}

/// Texts and controls that lie on each other, in words.
pub fn overlaps(harness: &Harness<'_, App>) -> Vec<String> {
    let mut faults = painted(harness);
    faults.extend(heard(harness));
    faults
}

/// Names of what is visible within a place, in the window or in the dialog that is open, other than these.
pub fn within(harness: &Harness<'_, App>, place: Rect, own: &[&str]) -> Vec<String> {
    let visible = visible(harness);
    let root = harness.root();
    let mut found = Vec::new();
    for node in root.children_recursive() {
        let name = node.accesskit_node().label().or_else(|| node.value()).unwrap_or_default();
        let rect = visible.get(&node.accesskit_node().locate().0).copied().filter(Rect::is_positive);
        let is_there = rect.is_some_and(|rect| overlap(rect, place));
        if is_there && !name.is_empty() && !own.iter().any(|own| name.starts_with(own)) {
            found.push(format!("“{name}” {rect:?}"));
        }
    }
    found
}

/// Controls that are not wholly visible and do not become so when they are scrolled to, in words.
pub fn unreachable(harness: &mut Harness<'_, App>) -> Vec<String> {
    let mut faults = Vec::new();
    for (id, name) in hidden(harness) {
        let root = harness.root();
        // A row of a long table may be gone once others were scrolled to.
        let Some(node) = root.children_recursive().find(|node| node.accesskit_node().locate().0 == id) else {
            continue;
        };
        node.scroll_to_me();
        harness.run_steps(8);
        if hidden(harness).iter().any(|(node, _)| *node == id) {
            let seen = visible(harness).get(&id).copied();
            faults.push(format!("“{name}” is cut at {seen:?} and cannot be scrolled to"));
        }
    }
    faults
}

/// Controls that are cut by more than some points.
fn hidden(harness: &Harness<'_, App>) -> Vec<(NodeId, String)> {
    let visible = visible(harness);
    let root = harness.root();
    let controls = root.children_recursive().filter(|node| is_control(node.accesskit_node().role()));
    let cut = controls.filter(|node| {
        let Some(seen) = visible.get(&node.accesskit_node().locate().0).map(Rect::size) else { return false };
        let whole = node.rect().size();
        seen.x < whole.x - 6.0 || seen.y < whole.y - 6.0
    });
    let name = |node: egui_kittest::Node<'_>| {
        (node.accesskit_node().locate().0, node.accesskit_node().label().unwrap_or_default())
    };
    cut.map(name).collect()
}
