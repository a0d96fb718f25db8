//! Notices: successes disappear by themselves, errors stay until they are closed; the history keeps all of them to be
//! read again later. [`strip`] draws those of the moment.

pub mod strip;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chrono::{DateTime, Local};
use egui::{Align, Color32, Context, Layout, RichText, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use super::controls::icon_button;
use super::icons::Icon;
use crate::theme::{self, Palette, palette, space};

/// Severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something was done.
    Success,
    /// Something to know.
    Warning,
    /// Something went wrong.
    Error,
}

impl Kind {
    fn look(self, palette: &Palette) -> (Icon, Color32) {
        match self {
            Self::Success => (Icon::Check, palette.good),
            Self::Warning => (Icon::Info, palette.warn),
            Self::Error => (Icon::Warning, palette.bad),
        }
    }
}

/// Remedy or follow-up that a message offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Put a text on the clipboard; the word on the button, and the text.
    Copy(&'static str, String),
    /// Show a folder in the file manager.
    ShowFolder(PathBuf),
    /// Take back what the message tells; the number says what.
    Undo(u64),
    /// Solve again with the same settings.
    SolveAgain,
    /// Take over the data of a file that has changed.
    TakeOverFile,
    /// Take over runs and rules of other documents with equal data.
    UseElsewhere,
    /// Leave runs and rules where they are, and offer them no more.
    LeaveElsewhere,
    /// Show all messages.
    AllMessages,
}

impl Action {
    /// Text of the button.
    pub fn text(&self) -> &'static str {
        match self {
            Self::Copy(text, _) => text,
            Self::ShowFolder(_) => "Show folder",
            Self::Undo(_) => "Undo",
            Self::SolveAgain => "Solve again",
            Self::TakeOverFile => "Take over",
            Self::UseElsewhere => "Use them",
            Self::LeaveElsewhere => "Leave them there",
            Self::AllMessages => "All messages",
        }
    }

    /// True if closing the message is the same answer as the action.
    fn is_refusal(&self) -> bool {
        *self == Self::LeaveElsewhere
    }

    /// True if the action changes the document that is open.
    fn is_of_document(&self) -> bool {
        match self {
            Self::Undo(_) | Self::SolveAgain | Self::TakeOverFile | Self::UseElsewhere | Self::LeaveElsewhere => true,
            Self::Copy(..) | Self::ShowFolder(_) | Self::AllMessages => false,
        }
    }

    fn icon(&self) -> Icon {
        match self {
            Self::AllMessages => Icon::Info,
            Self::Copy(..) => Icon::Copy,
            Self::ShowFolder(_) => Icon::Open,
            Self::Undo(_) => Icon::Undo,
            Self::SolveAgain => Icon::Play,
            Self::TakeOverFile | Self::UseElsewhere => Icon::Check,
            Self::LeaveElsewhere => Icon::Cross,
        }
    }
}

/// State of the open document that a message is about, until which the message stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The edits of the document up to this number: another edit, undo and redo end it.
    Edits(u64),
    /// The file of the data differs from what is open, or cannot be read.
    ChangedFile,
    /// Other documents with equal data have runs or rules that this one lacks.
    EqualData,
}

/// Subject of a message; a message whose subject is gone is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The program, independent of the open document.
    Program,
    Document,
    /// A state of the document.
    State(Cause),
    /// The last run of the document.
    Run,
    /// Something that was asked for and is not possible at the moment.
    Refusal,
}

/// A message.
#[derive(Debug, Clone)]
pub struct Notice {
    /// Severity.
    pub kind: Kind,
    /// Heading in a few words.
    pub heading: String,
    /// Text; line breaks are kept.
    pub text: String,
    pub(crate) actions: Vec<Action>,
    /// Time of the message.
    pub at: DateTime<Local>,
    subject: Subject,
    born: Instant,
}

/// Time for which a success is shown; longer where an action is offered or refused.
const SUCCESS_LASTS: Duration = Duration::from_secs(8);
const OFFER_LASTS: Duration = Duration::from_secs(16);
/// Number of messages kept in the history.
const KEPT: usize = 200;

impl Notice {
    /// A message about the open document, born now.
    pub fn new(kind: Kind, heading: impl Into<String>, text: impl Into<String>) -> Self {
        let (heading, text) = (heading.into(), text.into());
        Self {
            kind,
            heading,
            text,
            actions: Vec::new(),
            subject: Subject::Document,
            at: Local::now(),
            born: Instant::now(),
        }
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

    /// A command is not possible now: disappears after a while, or as soon as it is possible.
    pub(crate) fn refusal(heading: impl Into<String>, text: impl Into<String>) -> Self {
        Self { subject: Subject::Refusal, ..Self::new(Kind::Warning, heading, text) }
    }

    #[must_use]
    pub(crate) fn offering(mut self, action: Action) -> Self {
        self.actions.push(action);
        self
    }

    /// Ties the message to the present run: another run or another document takes the message away.
    #[must_use]
    pub fn of_run(mut self) -> Self {
        self.subject = Subject::Run;
        self
    }

    /// Ties the message to a state of the document: the end of that state takes the message away.
    #[must_use]
    pub(crate) fn because_of(mut self, cause: Cause) -> Self {
        self.subject = Subject::State(cause);
        self
    }

    /// Ties the message to the program: another document does not take it away.
    #[must_use]
    pub(crate) fn of_program(mut self) -> Self {
        self.subject = Subject::Program;
        self
    }

    /// Returns `true` if the message offers an action.
    pub(crate) fn offers(&self, action: &Action) -> bool {
        self.actions.contains(action)
    }

    /// The whole message as text, for the clipboard.
    pub fn copied(&self) -> String {
        let time = self.at.format("%Y-%m-%d %H:%M:%S");
        if self.text.is_empty() {
            format!("{time} {}", self.heading)
        } else {
            format!("{time} {}\n{}", self.heading, self.text)
        }
    }

    fn time_left(&self) -> Option<Duration> {
        let is_refusal = self.subject == Subject::Refusal;
        let lasts = if self.actions.is_empty() && !is_refusal { SUCCESS_LASTS } else { OFFER_LASTS };
        (self.kind == Kind::Success || is_refusal).then(|| lasts.saturating_sub(self.born.elapsed()))
    }
}

/// Messages shown at present, and the history.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    list: Vec<Notice>,
    history: VecDeque<Notice>,
    unread: usize,
}

impl Notices {
    /// Adds a message; a message that is shown already is not shown twice.
    pub(crate) fn push(&mut self, notice: Notice) {
        self.list.retain(|other| (&other.heading, &other.text) != (&notice.heading, &notice.text));
        self.history.push_front(notice.clone());
        self.history.truncate(KEPT);
        self.unread += 1;
        self.list.push(notice);
    }

    /// Messages shown at present, oldest first.
    pub(crate) fn list(&self) -> &[Notice] {
        &self.list
    }

    /// All that were told, newest first.
    pub(crate) fn history(&self) -> impl ExactSizeIterator<Item = &Notice> {
        self.history.iter()
    }

    /// Number of messages since the history was opened last.
    pub(crate) fn unread(&self) -> usize {
        self.unread
    }

    /// Marks the history as read and closes the messages shown.
    pub(crate) fn read(&mut self) {
        self.unread = 0;
        self.list.clear();
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// An action was carried out and is not offered again.
    pub(crate) fn settle(&mut self, action: &Action) {
        self.list.retain(|notice| !notice.actions.contains(action));
        for notice in &mut self.history {
            notice.actions.retain(|other| other != action);
        }
    }

    /// Takes away the messages about a run and what was refused before it; the history keeps them.
    pub(crate) fn leave_runs(&mut self) {
        self.list.retain(|notice| !matches!(notice.subject, Subject::Run | Subject::Refusal));
    }

    /// Takes away the messages about the open document; the history keeps them.
    pub(crate) fn leave_document(&mut self) {
        self.list.retain(|notice| notice.subject == Subject::Program);
        // What was offered about a document cannot be done in another one.
        for notice in self.history.iter_mut().filter(|notice| notice.subject != Subject::Program) {
            notice.actions.retain(|action| !action.is_of_document());
        }
    }

    /// Takes away the messages about states of the open document that have ended; the history keeps them.
    pub(crate) fn leave_states(&mut self, holds: impl Fn(Cause) -> bool) {
        self.list.retain(|notice| !matches!(notice.subject, Subject::State(cause) if !holds(cause)));
    }

    /// Takes away the messages with this heading, whose cause is gone; the history keeps them.
    pub(crate) fn withdraw(&mut self, heading: &str) {
        self.list.retain(|notice| notice.heading != heading);
    }

    /// Takes away what has been shown long enough and asks to be called again when the next one is due.
    pub(crate) fn age(&mut self, ctx: &Context) {
        self.list.retain(|notice| notice.time_left().is_none_or(|left| !left.is_zero()));
        if let Some(left) = self.list.iter().filter_map(Notice::time_left).min() {
            ctx.request_repaint_after(left);
        }
    }
}

fn actions(ui: &mut Ui, notice: &Notice) -> Option<Action> {
    let mut pressed = None;
    if !notice.actions.is_empty() {
        ui.horizontal_wrapped(|ui| {
            for action in &notice.actions {
                if super::controls::button(ui, action.icon(), action.text(), true).clicked() {
                    pressed = Some(action.clone());
                }
            }
        });
    }
    pressed
}

/// A line of the history: time, what happened, what can be done; returns what was pressed; `None` if nothing was.
pub(crate) fn history_row(ui: &mut Ui, notice: &Notice) -> Option<Action> {
    let palette = palette(ui.visuals());
    let (icon, colour) = notice.kind.look(palette);
    let mut pressed = None;
    let response = ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::hover());
        icon.paint(ui.painter(), rect.shrink(1.0), colour);
        ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
            if icon_button(ui, Icon::Copy, &format!("Copy “{}”", notice.heading), true).clicked() {
                pressed = Some(Action::Copy("Copy", notice.copied()));
            }
            ui.label(theme::small(notice.at.format("%H:%M:%S").to_string()).color(palette.weak));
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.spacing_mut().item_spacing.y = space::XS;
                ui.label(theme::bold(&notice.heading));
                message(ui, &notice.text);
                pressed = pressed.take().or(actions(ui, notice));
            });
        });
    });
    response.response.widget_info(|| {
        let text = format!("{} {}: {}", notice.at.format("%H:%M:%S"), notice.heading, notice.text);
        WidgetInfo::labeled(egui::Role::ListItem, true, text)
    });
    pressed
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_can_be_read_again() {
        let mut notices = Notices::default();
        for number in 0..7 {
            notices.push(Notice::error(format!("error {number}"), "why"));
        }
        notices.push(Notice::error("error 6", "why"));
        assert_eq!((notices.list().len(), notices.history().len(), notices.unread()), (7, 8, 8));
        assert_eq!(notices.history().next().unwrap().heading, "error 6", "newest first");
        notices.read();
        assert_eq!((notices.list().len(), notices.history().len(), notices.unread()), (0, 8, 0));
        notices.clear();
        assert_eq!(notices.history().len(), 0);
    }

    #[test]
    fn an_action_that_was_carried_out_is_not_offered_again() {
        let mut notices = Notices::default();
        notices.push(Notice::success("Deleted", "").offering(Action::Undo(3)));
        notices.push(Notice::success("Deleted", "another").offering(Action::Undo(4)));
        notices.settle(&Action::Undo(3));
        assert_eq!(notices.list().len(), 1);
        assert_eq!(notices.history().flat_map(|notice| &notice.actions).collect::<Vec<_>>(), [&Action::Undo(4)]);
    }

    #[test]
    fn what_was_told_of_a_run_goes_with_it_and_can_be_read_again() {
        let mut notices = Notices::default();
        notices.push(Notice::error("No feasible timetable was found", "").of_run());
        notices.push(Notice::error("The project could not be saved", "the disk is full"));
        notices.leave_runs();
        assert_eq!(
            notices.list().iter().map(|notice| &notice.heading).collect::<Vec<_>>(),
            ["The project could not be saved"]
        );
        notices.push(Notice::error("Preferences start anew", "").of_program());
        notices.leave_document();
        let kept: Vec<_> = notices.list().iter().map(|notice| &notice.heading).collect();
        assert_eq!(kept, ["Preferences start anew"]);
        assert_eq!(notices.history().len(), 3);
    }

    #[test]
    fn a_message_about_a_state_goes_with_it() {
        let mut notices = Notices::default();
        notices.push(Notice::warning("Pins were taken away", "").because_of(Cause::Edits(3)));
        notices.push(Notice::warning("The file has changed", "").because_of(Cause::ChangedFile));
        let headings =
            |notices: &Notices| notices.list().iter().map(|notice| notice.heading.clone()).collect::<Vec<_>>();
        notices.leave_states(|cause| [Cause::Edits(3), Cause::ChangedFile].contains(&cause));
        assert_eq!(notices.list().len(), 2);
        notices.leave_states(|cause| cause == Cause::ChangedFile);
        assert_eq!(headings(&notices), ["The file has changed"]);
        notices.leave_states(|_| false);
        assert!(notices.list().is_empty() && notices.history().len() == 2);
    }

    #[test]
    fn what_was_offered_about_a_document_is_not_done_in_another_one() {
        let mut notices = Notices::default();
        notices.push(Notice::warning("The file has changed", "").offering(Action::TakeOverFile));
        notices.push(Notice::success("Written", "").offering(Action::ShowFolder(PathBuf::from("a"))));
        notices.leave_document();
        let offered: Vec<_> = notices.history().flat_map(|notice| &notice.actions).collect();
        assert_eq!(offered, [&Action::ShowFolder(PathBuf::from("a"))]);
    }

    #[test]
    fn refusals_disappear_by_themselves_and_errors_do_not() {
        let mut notices = Notices::default();
        notices.push(Notice::refusal("Not possible now: Export", "Solve first"));
        notices.push(Notice::error("The disk is full", ""));
        let born = Instant::now().checked_sub(OFFER_LASTS).expect("the machine runs for longer");
        notices.list.iter_mut().for_each(|notice| notice.born = born);
        notices.age(&Context::default());
        assert_eq!(notices.list().iter().map(|notice| &notice.heading).collect::<Vec<_>>(), ["The disk is full"]);
    }

    #[test]
    fn the_copied_text_says_everything() {
        let notice = Notice::error("The run broke off", "out of memory");
        assert!(notice.copied().ends_with("The run broke off\nout of memory"));
    }
}
