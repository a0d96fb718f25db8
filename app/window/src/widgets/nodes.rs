//! Nodes of painted pictures for assistive technology: one for each visible part, made only while somebody listens.

use egui::accesskit::{self, Action};
use egui::{Id, Rect, Response, Role, Ui};

/// Greatest number of nodes of one picture; zooming in makes room for other parts.
pub const MOST: usize = 500;

/// A visible part of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Key, unique among the parts of a picture.
    pub key: u64,
    /// Place on the screen.
    pub rect: Rect,
    /// Description in words.
    pub name: String,
    /// True for the selected part.
    pub selected: bool,
}

/// Returns `true` while assistive technology listens; only then are the parts worth gathering.
pub fn wanted(ui: &Ui, canvas: &Response) -> bool {
    ui.ctx().has_accesskit_node(canvas.id)
}

/// Sets the value of the canvas: the description of the item at the keyboard's cursor.
pub fn describe(ui: &Ui, canvas: &Response, words: String) {
    ui.ctx().accesskit_node_builder(canvas.id, |node| node.set_value(words));
}

/// Puts parts under the node of their canvas; returns the key of the one that was pressed without a pointer.
///
/// The canvas must have a node of its own (`Response::widget_info`).
pub fn add(ui: &Ui, canvas: &Response, parts: &[Part]) -> Option<u64> {
    let ctx = ui.ctx();
    let root = egui::accesskit_root_id();
    let children = ctx.accesskit_node_builder(root, |node| node.children().to_vec())?;
    let mut pressed = None;
    let mut own = Vec::with_capacity(parts.len().min(MOST));
    for part in parts.iter().take(MOST) {
        let id: Id = canvas.id.with(part.key);
        let visible = part.rect.intersect(canvas.interact_rect);
        let made = ctx.accesskit_node_builder(id, |node| {
            node.set_role(Role::Cell);
            node.set_label(part.name.as_str());
            node.set_bounds(accesskit::Rect {
                x0: visible.min.x.into(),
                y0: visible.min.y.into(),
                x1: visible.max.x.into(),
                y1: visible.max.y.into(),
            });
            node.add_action(Action::Click);
            if part.selected {
                node.set_selected(true);
            }
        });
        if made.is_some() {
            own.push(id.accesskit_id());
        }
        if ui.input(|input| input.has_accesskit_action_request(id, Action::Click)) {
            pressed = Some(part.key);
        }
    }
    // egui hangs nodes of its own making under the window; they belong under the canvas.
    ctx.accesskit_node_builder(root, |node| node.set_children(children));
    ctx.accesskit_node_builder(canvas.id, |node| node.set_children(own));
    pressed
}
