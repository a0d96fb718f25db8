//! Messages to the person: what went well goes by itself, what went wrong stays until it was read.

use std::time::{Duration, Instant};

use egui::{Align, Context, Frame, Layout, Margin, RichText, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::controls::icon_button;
use super::icons::Icon;
use crate::theme::{self, palette, size, space};

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something was done.
    Success,
    /// Something to know.
    Warning,
    /// Something went wrong.
    Error,
}

/// A message.
#[derive(Debug, Clone)]
pub struct Notice {
    /// How much it matters.
    pub kind: Kind,
    /// What happened, in a few words.
    pub heading: String,
    /// The whole of it; several lines are kept apart.
    pub text: String,
    born: Instant,
}

/// How long a success is shown.
const SUCCESS_LASTS: Duration = Duration::from_secs(8);

impl Notice {
    /// A message born now.
    pub fn new(kind: Kind, heading: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind, heading: heading.into(), text: text.into(), born: Instant::now() }
    }

    /// Something went wrong.
    pub fn error(heading: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(Kind::Error, heading, text)
    }

    /// Something to know.
    pub fn warning(heading: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(Kind::Warning, heading, text)
    }

    /// Something was done.
    pub fn success(heading: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(Kind::Success, heading, text)
    }
}

/// The messages that are shown.
#[derive(Debug, Default)]
pub struct Notices {
    list: Vec<Notice>,
}

impl Notices {
    /// Adds a message; the same one is not shown twice.
    pub fn push(&mut self, notice: Notice) {
        self.list.retain(|other| (&other.heading, &other.text) != (&notice.heading, &notice.text));
        self.list.push(notice);
        let surplus = self.list.len().saturating_sub(4);
        self.list.drain(..surplus);
    }

    /// Those that are shown now, oldest first.
    pub fn list(&self) -> &[Notice] {
        &self.list
    }

    /// Takes away what has been shown long enough and asks to be called again when the next one is due.
    pub fn age(&mut self, ctx: &Context) {
        self.list.retain(|notice| notice.kind != Kind::Success || notice.born.elapsed() < SUCCESS_LASTS);
        let next = self.list.iter().filter(|notice| notice.kind == Kind::Success);
        if let Some(left) = next.map(|notice| SUCCESS_LASTS.saturating_sub(notice.born.elapsed())).min() {
            ctx.request_repaint_after(left);
        }
    }

    /// Shows them above everything, at the bottom in the middle.
    pub fn show(&mut self, ctx: &Context) {
        if self.list.is_empty() {
            return;
        }
        let mut closed = None;
        let area = egui::Area::new(egui::Id::unique("notices")).order(egui::Order::Foreground);
        area.anchor(egui::Align2::CENTER_BOTTOM, vec2(0.0, -space::L)).show(ctx, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            for (index, notice) in self.list.iter().enumerate() {
                if card(ui, notice) {
                    closed = Some(index);
                }
            }
        });
        if let Some(index) = closed {
            self.list.remove(index);
        }
    }
}

/// One message; says whether it was closed.
fn card(ui: &mut Ui, notice: &Notice) -> bool {
    let palette = palette(ui.visuals());
    let (icon, colour) = match notice.kind {
        Kind::Success => (Icon::Check, palette.good),
        Kind::Warning => (Icon::Info, palette.warn),
        Kind::Error => (Icon::Warning, palette.bad),
    };
    let frame = Frame::popup(ui.style()).inner_margin(Margin::symmetric(12, 8)).stroke(Stroke::new(1.0, colour));
    let mut closed = false;
    let response = frame.show(ui, |ui| {
        ui.set_width(560.0);
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(18.0, size::CONTROL), Sense::hover());
            icon.paint(ui.painter(), rect.shrink2(vec2(1.0, 6.0)), colour);
            ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
                closed = icon_button(ui, Icon::Cross, "Close this message", true).clicked();
                ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                    ui.spacing_mut().item_spacing.y = space::XS;
                    ui.add_space(5.0);
                    ui.label(theme::bold(&notice.heading));
                    message(ui, &notice.text);
                });
            });
        });
    });
    response
        .response
        .widget_info(|| WidgetInfo::labeled(egui::Role::Alert, true, format!("{}: {}", notice.heading, notice.text)));
    closed
}

/// Text of one or many lines, such as `file:line: what is wrong`; long ones scroll and can be copied.
pub fn message(ui: &mut Ui, text: &str) {
    if text.is_empty() {
        return;
    }
    let palette = palette(ui.visuals());
    ScrollArea::vertical().max_height(180.0).id_salt(text).show(ui, |ui| {
        for line in text.lines() {
            ui.add(egui::Label::new(RichText::new(line).color(palette.weak)).wrap().selectable(true));
        }
    });
}
