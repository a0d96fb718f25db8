//! A guided lesson in the window: its own document, the panel with the steps, the mark around what a step is about.
//!
//! The document that was open before lies aside, with its run, edits and history, and comes back when the lesson is closed.
//! Runs of a lesson are kept in a folder of their own, which is removed then.

use egui::{Align, Context, Frame, Layout, Margin, Panel, ProgressBar, Rect, RichText, Stroke, StrokeKind, Ui, vec2};
use gridwright_core::store::{LessonStore, Store};

use super::App;
use super::arrangement::Front;
use super::command::Command;
use crate::document::ProblemView;
use crate::lessons::{Action, Lesson, Moment};
use crate::registry;
use crate::screen_names::ScreenNames;
use crate::theme::{self, palette, space};
use crate::widgets::controls::{button, icon_button, primary};
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;

pub(super) struct Guide {
    lesson: &'static Lesson,
    /// Index of the step that is shown.
    step: usize,
    /// `done[i]` is true once the condition of step `i` has held while it was shown.
    done: Vec<bool>,
    /// Sentence about the runs of the person, for the step that is shown; `None` where the text says all.
    observed: Option<String>,
    /// The document that was open before.
    aside: Option<Box<dyn ProblemView>>,
    /// Store of the lesson's runs.
    store: LessonStore,
    /// Place of the panel in the last frame.
    panel: Rect,
}

/// A button that was pressed in the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pressed {
    Back,
    Do,
    Next,
    Close,
}

fn lesson(id: &str) -> Option<&'static Lesson> {
    registry::lessons().find(|lesson| lesson.entry.id == id)
}

impl App {
    /// The store of the document that is open: a lesson has one of its own.
    pub(super) fn own_store(&self) -> Store {
        self.guide.as_ref().map_or(&self.store, |guide| guide.store.store()).clone()
    }

    /// Returns `true` while a lesson goes on.
    pub(super) fn is_guided(&self) -> bool {
        self.guide.is_some()
    }

    /// Height of the panel of the lesson in points; 0 without a lesson.
    pub(super) fn guide_height(&self) -> f32 {
        self.guide.as_ref().map_or(0.0, |guide| guide.panel.height())
    }

    /// Lays what is open aside and begins a lesson with its own instance.
    pub(super) fn begin_lesson(&mut self, ctx: &Context, id: &str) {
        let Some(lesson) = lesson(id) else { return };
        self.end_lesson();
        if !self.is_saved() {
            let text = "The changes of what is open now could not be saved. Save them elsewhere first: Ctrl+Shift+S";
            self.notices.push(Notice::error("The lesson did not begin", text));
            return;
        }
        self.save_project(None, true);
        self.remember_settings();
        let store = self.store.clone();
        super::files::save_in_order(move || store.remove_left_lessons());
        let aside = self.open.take();
        self.guide = Some(Guide {
            lesson,
            step: 0,
            done: vec![false; lesson.steps.len()],
            observed: None,
            aside,
            store: self.store.lesson(),
            panel: Rect::ZERO,
        });
        (self.failure, self.lost, self.inspected, self.front) = (None, None, None, Front::Plan);
        self.marked.clear();
        self.compared = None;
        self.load(ctx, lesson.source.to_owned(), std::collections::BTreeMap::new());
    }

    /// The document of the lesson has been opened.
    pub(super) fn show_lesson(&mut self, open: Box<dyn ProblemView>) {
        (self.failure, self.inspected, self.front) = (None, None, Front::Plan);
        self.open = Some(open);
    }

    /// Ends the lesson, if one goes on, and shows what was open before it.
    pub(super) fn end_lesson(&mut self) {
        let Some(guide) = self.guide.take() else { return };
        // A project that the person has made of the lesson is up to date.
        self.save_project(None, false);
        let own = std::mem::replace(&mut self.open, guide.aside);
        if let Some(own) = own.filter(|own| own.ongoing().is_some()) {
            own.ongoing().into_iter().for_each(crate::session::Ongoing::stop);
            self.leaving.push(own);
        }
        (self.loading, self.failure, self.lost, self.inspected) = (None, None, None, None);
        self.front = Front::Plan;
        self.marked.clear();
        self.compared = None;
        self.trash.forget(guide.store.store());
        super::files::save_in_order(move || guide.store.remove());
    }

    /// Takes in what the document that lies aside has to say.
    pub(super) fn poll_aside(&mut self) {
        let aside = self.guide.as_mut().and_then(|guide| guide.aside.as_deref_mut());
        for notice in aside.map(|aside| aside.poll()).unwrap_or_default() {
            self.notices.push(notice);
        }
    }

    /// Notes whether the step that is shown is done, and looks for the control that it is about.
    pub(super) fn follow_lesson(&mut self, ctx: &Context) {
        let is_free =
            self.dialog.is_none() && self.export.is_none() && self.importing.is_none() && self.updating.is_none();
        let Some(guide) = &mut self.guide else { return ScreenNames::look_for(ctx, None) };
        let Some(step) = guide.lesson.steps.get(guide.step) else { return };
        if let Some(open) = self.open.as_deref().filter(|_| self.loading.is_none()) {
            let now = Moment { open, hidden: &self.hidden };
            guide.done[guide.step] |= (step.is_done)(&now);
            guide.observed = (guide.lesson.observed)(guide.step, &now);
        }
        let is_read = matches!(step.action, Action::Read);
        let wanted = Some(step.mark).filter(|mark| !mark.is_empty() && is_free && (is_read || !guide.done[guide.step]));
        ScreenNames::look_for(ctx, wanted);
    }

    /// Draws the panel of the lesson; nothing without one.
    pub(super) fn lesson_panel(&mut self, ui: &mut Ui) {
        let Some(guide) = &mut self.guide else { return };
        let palette = palette(ui.visuals());
        let frame = Frame::new()
            .fill(palette.accent_soft)
            .stroke(Stroke::new(1.0, palette.border))
            .inner_margin(Margin::symmetric(16, 10));
        let is_open = self.open.is_some() && self.loading.is_none();
        let panel = Panel::bottom("lesson").resizable(false).frame(frame);
        let mut pressed = None;
        let response = panel.show(ui, |ui| pressed = contents(ui, guide, is_open));
        let panel = response.response.rect;
        if (panel.height() - guide.panel.height()).abs() > 0.5 {
            ui.ctx().request_repaint();
        }
        guide.panel = panel;
        match pressed {
            Some(Pressed::Back) => guide.step = guide.step.saturating_sub(1),
            Some(Pressed::Next) if guide.step + 1 < guide.lesson.steps.len() => guide.step += 1,
            Some(Pressed::Next | Pressed::Close) => self.commands.push(Command::EndLesson),
            Some(Pressed::Do) => self.do_step(ui.ctx()),
            None => {}
        }
    }

    fn do_step(&mut self, ctx: &Context) {
        let step = self.guide.as_ref().and_then(|guide| guide.lesson.steps.get(guide.step));
        let (Some(step), Some(open)) = (step, self.open.as_deref_mut()) else { return };
        self.front = Front::Plan;
        match step.action {
            Action::Read => {}
            Action::View(name) => {
                let tab = open.tabs().into_iter().find(|tab| tab.name == name);
                self.commands.extend(tab.map(Command::Show));
            }
            Action::Solve => self.commands.push(Command::Solve),
            Action::Show(part) if self.hidden.contains(&part) => self.commands.push(Command::Toggle(part)),
            Action::Show(_) => {}
            Action::Change(change) => change(open.as_any_mut(), ctx),
        }
        ctx.request_repaint();
    }

    /// Draws the outline around the control that the step is about.
    pub(super) fn lesson_mark(&self, ctx: &Context) {
        let (Some(found), Some(guide)) = (ScreenNames::found(ctx), &self.guide) else { return };
        let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("mark of the lesson"));
        let Some(rect) = outline(found, ctx.content_rect(), guide.panel) else { return };
        let colour = palette(&ctx.global_style().visuals).warn;
        ctx.layer_painter(layer).rect_stroke(rect, 6.0, Stroke::new(2.0, colour), StrokeKind::Inside);
    }
}

/// Outline around a control within the window, above the panel of the lesson, whose buttons it must not cover; `None` if nothing
/// of it is left.
fn outline(control: Rect, window: Rect, panel: Rect) -> Option<Rect> {
    let mut rect = control.expand(4.0).intersect(window.shrink(1.0));
    if rect.intersects(panel) {
        rect.max.y = panel.min.y;
    }
    (rect.width() > 8.0 && rect.height() > 8.0).then_some(rect)
}

/// Narrower than this, the buttons are below the text.
const NARROW: f32 = 560.0;
/// Width of the buttons beside the text.
const BUTTONS: f32 = 268.0;

fn contents(ui: &mut Ui, guide: &Guide, is_open: bool) -> Option<Pressed> {
    let palette = palette(ui.visuals());
    let (lesson, count) = (guide.lesson, guide.lesson.steps.len());
    let mut pressed = None;
    ui.spacing_mut().item_spacing = vec2(space::S, space::XS);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Cross, "Close the lesson", true).clicked() {
                pressed = Some(Pressed::Close);
            }
            let place = format!("{} of {count}", guide.step + 1);
            ui.add(
                ProgressBar::new((guide.step + 1) as f32 / count.max(1) as f32)
                    .desired_width(96.0)
                    .desired_height(6.0)
                    .fill(palette.accent),
            );
            ui.label(theme::small(place).color(palette.weak));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(theme::heading(lesson.entry.title)).truncate());
            });
        });
    });
    let Some(step) = lesson.steps.get(guide.step) else { return pressed };
    let words = match &guide.observed {
        Some(observed) => format!("{} {observed}", step.text),
        None => step.text.to_owned(),
    };
    let text = |ui: &mut Ui| ui.add(egui::Label::new(RichText::new(&words).color(palette.text)).wrap());
    let mut buttons = |ui: &mut Ui| pressed = pressed.or(step_buttons(ui, guide, is_open));
    if ui.available_width() < NARROW {
        text(ui);
        ui.horizontal(|ui| ui.with_layout(Layout::right_to_left(Align::Center), |ui| buttons(ui)));
        return pressed;
    }
    ui.horizontal_top(|ui| {
        let width = ui.available_width() - BUTTONS;
        ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::LEFT), |ui| {
            ui.set_width(width);
            // As high for one line as for two, so that the window does not leap from step to step.
            ui.set_min_height(36.0);
            text(ui);
        });
        ui.with_layout(Layout::right_to_left(Align::TOP), |ui| buttons(ui));
    });
    pressed
}

/// Back, «Do it» and Next, from the right.
fn step_buttons(ui: &mut Ui, guide: &Guide, is_open: bool) -> Option<Pressed> {
    let step = guide.lesson.steps.get(guide.step)?;
    let (is_done, is_read) = (guide.done[guide.step], matches!(step.action, Action::Read));
    let is_last = guide.step + 1 == guide.lesson.steps.len();
    let mut pressed = None;
    let (words, help) = match is_last {
        true => ("Finish", "Close the lesson and go back to what was open"),
        false => ("Next", "The next step"),
    };
    let icon = if is_last { Icon::Check } else { Icon::StepForward };
    let next = if is_done { primary(ui, icon, words, true) } else { button(ui, icon, words, is_open) };
    if next.on_hover_text(help).clicked() {
        pressed = Some(Pressed::Next);
    }
    if !is_read {
        let words = if is_done { "Step done" } else { "Do it" };
        let icon = if is_done { Icon::Check } else { Icon::Play };
        let response = match is_done {
            true => button(ui, icon, words, false),
            false => primary(ui, icon, words, is_open),
        };
        let response = response.on_disabled_hover_text(if is_done { "This step is done" } else { "Opening" });
        if response.on_hover_text("Let the window do what the step says").clicked() {
            pressed = Some(Pressed::Do);
        }
    }
    let back = button(ui, Icon::StepBack, "Back", guide.step > 0);
    if back.on_hover_text("Read the step before again").clicked() {
        pressed = Some(Pressed::Back);
    }
    pressed
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn an_outline_covers_nothing_of_the_lesson() {
        let rect = |min: [f32; 2], max: [f32; 2]| Rect::from_min_max(pos2(min[0], min[1]), pos2(max[0], max[1]));
        let (window, panel) = (rect([0.0, 0.0], [800.0, 600.0]), rect([0.0, 500.0], [800.0, 600.0]));
        let above = rect([100.0, 100.0], [200.0, 140.0]);
        assert_eq!(outline(above, window, panel), Some(above.expand(4.0)));
        let long = rect([100.0, 100.0], [200.0, 580.0]);
        assert_eq!(outline(long, window, panel), Some(rect([96.0, 96.0], [204.0, 500.0])));
        assert_eq!(outline(rect([100.0, 520.0], [200.0, 580.0]), window, panel), None);
        assert_eq!(outline(rect([100.0, 900.0], [200.0, 950.0]), window, panel), None);
    }
}
