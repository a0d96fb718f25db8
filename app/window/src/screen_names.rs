//! Names of what is on the screen: the texts under the pointer, and the place of a control with a given name.
//!
//! A plugin of egui reads painted texts and the tree for screen readers when a frame ends, so that no widget has to be
//! changed for it. The tree is built while somebody asks; where no screen reader wants it, it is switched off again.

use egui::accesskit::{Node, TreeUpdate};
use egui::{Context, FullOutput, Id, Plugin, Pos2, Rect, Shape, pos2};

use crate::glossary::Words;

/// Position of the pointer, and the widget with the focus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pointed {
    /// Place of the pointer in points.
    pub pointer: Option<Pos2>,
    /// Widget with the keyboard focus.
    pub focus: Option<Id>,
}

/// The plugin; one for each context.
#[derive(Debug, Default)]
pub(crate) struct ScreenNames {
    asked: Option<Pointed>,
    answer: Option<Vec<Words>>,
    wanted: Option<String>,
    found: Option<Rect>,
    /// True while the tree is built for this plugin alone.
    is_enabled_here: bool,
}

impl ScreenNames {
    pub(crate) fn ask(ctx: &Context, pointed: Pointed) {
        let names = ctx.plugin_or_default::<Self>();
        names.lock().asked = Some(pointed);
        ctx.request_repaint();
    }

    /// The names of what was pointed at, the ones that were most likely meant first; `None` while there is no answer.
    pub(crate) fn take(ctx: &Context) -> Option<Vec<Words>> {
        let names = ctx.plugin_opt::<Self>()?;
        let mut names = names.lock();
        if names.asked.is_some() {
            // The tree of the next frame holds the answer.
            ctx.request_repaint();
        }
        names.answer.take()
    }

    /// Looks for the control with this name in every frame from now on; `None` looks for nothing. Of several names,
    /// separated by `|`, the first one that is on the screen counts.
    pub(crate) fn look_for(ctx: &Context, name: Option<&str>) {
        if name.is_none() && ctx.plugin_opt::<Self>().is_none() {
            return;
        }
        let names = ctx.plugin_or_default::<Self>();
        let mut names = names.lock();
        if names.wanted.as_deref() != name {
            (names.wanted, names.found) = (name.map(str::to_owned), None);
            ctx.request_repaint();
        }
    }

    /// Place of the control that is looked for, as it was in the last frame; `None` if it is not on the screen.
    pub(crate) fn found(ctx: &Context) -> Option<Rect> {
        ctx.plugin_opt::<Self>().and_then(|names| names.lock().found)
    }
}

impl Plugin for ScreenNames {
    fn debug_name(&self) -> &'static str {
        "names on the screen"
    }

    fn output_hook(&mut self, ctx: &Context, output: &mut FullOutput) {
        let is_busy = self.asked.is_some() || self.wanted.is_some();
        let Some(tree) = &output.platform_output.accesskit_update else {
            if is_busy {
                self.is_enabled_here = true;
                ctx.enable_accesskit();
            }
            return;
        };
        if let Some(pointed) = self.asked.take() {
            self.answer = Some(words(output, tree, pointed));
        }
        if let Some(wanted) = &self.wanted {
            let found = wanted.split('|').find_map(|name| place_of(tree, name));
            if found != self.found {
                self.found = found;
                ctx.request_repaint();
            }
        }
        if self.wanted.is_none() && std::mem::take(&mut self.is_enabled_here) {
            ctx.disable_accesskit();
        }
    }
}

/// The text that is painted under the pointer, then the names of controls there, smallest first, then that of the focus.
fn words(output: &FullOutput, tree: &TreeUpdate, pointed: Pointed) -> Vec<Words> {
    let mut all = Vec::new();
    if let Some(pointer) = pointed.pointer {
        let painted = output.shapes.iter().rev().filter(|shape| shape.clip_rect.contains(pointer));
        all.extend(painted.filter_map(|shape| text_at(&shape.shape, pointer)).take(1));
        let mut nodes: Vec<(f32, String)> = tree
            .nodes
            .iter()
            .filter_map(|(_, node)| Some((rect_of(node).filter(|rect| rect.contains(pointer))?.area(), name_of(node)?)))
            .collect();
        nodes.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.extend(nodes.into_iter().map(|(_, text)| Words { text, at: None }));
    }
    let focused = pointed.focus.map(|id| id.accesskit_id());
    let focused = tree.nodes.iter().find(|(id, _)| Some(*id) == focused).and_then(|(_, node)| name_of(node));
    all.extend(focused.map(|text| Words { text, at: None }));
    all
}

/// The topmost text of a shape at a place, with the character there.
fn text_at(shape: &Shape, place: Pos2) -> Option<Words> {
    match shape {
        Shape::Vec(shapes) => shapes.iter().rev().find_map(|shape| text_at(shape, place)),
        Shape::Text(text) if text.visual_bounding_rect().expand(3.0).contains(place) => {
            let at = text.galley.cursor_from_pos(place - text.pos).index;
            Some(Words { text: text.galley.text().to_owned(), at: Some(at.into()) })
        }
        _ => None,
    }
}

fn name_of(node: &Node) -> Option<String> {
    let name = node.label().or_else(|| node.placeholder()).filter(|name| !name.is_empty());
    // The contents of a label are its value.
    name.or_else(|| node.value().filter(|_| node.role() == egui::Role::Label)).map(str::to_owned)
}

fn rect_of(node: &Node) -> Option<Rect> {
    let bounds = node.bounds()?;
    Some(Rect::from_min_max(pos2(bounds.x0 as f32, bounds.y0 as f32), pos2(bounds.x1 as f32, bounds.y1 as f32)))
}

/// Place of the control with a name; a control is preferred to a text of the same name, and what lies above to the rest.
fn place_of(tree: &TreeUpdate, name: &str) -> Option<Rect> {
    let named = tree.nodes.iter().filter(|(_, node)| name_of(node).as_deref() == Some(name));
    let placed = named.filter_map(|(_, node)| Some((node.role() == egui::Role::Label, rect_of(node)?)));
    let placed = placed.filter(|(_, rect)| rect.is_positive());
    placed.min_by(|a, b| a.0.cmp(&b.0).then(a.1.top().total_cmp(&b.1.top()))).map(|(_, rect)| rect)
}
