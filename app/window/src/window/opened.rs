//! The open document: commands that need one, runs, settings, and replacement by another document.

use std::sync::Arc;

use egui::Context;
use gridwright_core::result::Encoded;
use gridwright_core::store::Recent;

use super::App;
use super::arrangement::Front;
use super::command::Command;
use super::open_dialog::Dialog;
use crate::document::ProblemView;
use crate::session::Ongoing;
use crate::widgets::notice::{Action, Notice};

impl App {
    pub(super) fn run_on_document(&mut self, ctx: &Context, command: Command) {
        use Command::{Compare, Find, Fit, GoTo, Show, ShowDraft, ZoomIn, ZoomOut};
        if matches!(command, Show(_) | Fit | ZoomIn | ZoomOut | GoTo(_) | Compare(..) | ShowDraft | Find) {
            self.front = Front::Plan;
        }
        let Some(open) = self.open.as_deref_mut() else { return };
        let done = match command {
            Command::Solve => return self.ask_or_solve(ctx, false),
            Command::Improve => return self.ask_or_solve(ctx, true),
            Command::Pause => return open.ongoing().into_iter().for_each(Ongoing::pause_or_resume),
            Command::Stop => return open.ongoing().into_iter().for_each(Ongoing::stop),
            Command::CompareMarked => {
                if let [a, b] = self.marked[..] {
                    self.commands.push(Command::Compare(a, b));
                }
                return;
            }
            Command::SaveProject | Command::SaveProjectAs => return self.project_command(ctx, &command),
            Command::NameRun(number) => return self.ask_name(number),
            Command::DeleteRun(number) => return self.delete_run(ctx, number),
            Command::UndoDelete(number) => return self.undo_delete(ctx, number),
            Command::KeepDraft => return self.keep_draft(),
            Command::LeaveElsewhere => return self.leave_elsewhere(),
            Command::UseElsewhere => return self.use_elsewhere(),
            Command::ShowRun(number) => return open.show_run(number),
            Command::Compare(a, b) => {
                open.compare([a, b]);
                self.compared = Some(([a, b], open.view()));
                return;
            }
            Command::Show(tab) => return open.set_view(tab.index),
            Command::Fit => return open.fit(),
            Command::ZoomIn => return open.zoom(1.25),
            Command::ZoomOut => return open.zoom(0.8),
            Command::GoTo(item) => return open.go_to(item),
            Command::Deselect => return open.deselect(),
            Command::ShowDraft => return open.show_draft(),
            Command::TakeOverFile => open.take_over_source(),
            Command::Undo => open.undo(),
            Command::Redo => open.redo(),
            Command::WhatIf => open.begin_deciding(),
            Command::DiscardDraft => open.discard_draft(),
            Command::Problem(command) => open.run_command(&command),
            _ => return,
        };
        if let Err(why) = done {
            self.notices.push(Notice::refusal("This is not possible now", why));
        }
    }

    /// Begins a run, or asks first where it would take cores from a campaign that measures time.
    fn ask_or_solve(&mut self, ctx: &Context, from_here: bool) {
        match self.campaigns.timed() {
            Some(campaign) => self.dialog = Some(Dialog::SharedCores(campaign, from_here)),
            None => self.solve(ctx, from_here),
        }
    }

    /// Begins a run; from the plan that is shown, where that is wanted.
    pub(super) fn solve(&mut self, ctx: &Context, from_here: bool) {
        let store = self.own_store();
        let Some(open) = self.open.as_deref_mut() else { return };
        self.lost = None;
        let wake = {
            let ctx = ctx.clone();
            // At once: the worker itself asks no more than 20 times a second.
            Arc::new(move || ctx.request_repaint())
        };
        let refused = match from_here {
            true => open.improve(&self.services, &store, wake),
            false => open.begin(&self.services, &store, wake),
        };
        match refused {
            Some(notice) => self.notices.push(notice),
            None => self.notices.leave_runs(),
        }
        self.remember_settings();
        self.save_state();
    }

    /// Lists the draft as a run; notifies the person if it could not be stored.
    fn keep_draft(&mut self) {
        let store = self.own_store();
        let Some(open) = self.open.as_deref_mut() else { return };
        if let Err(why) = open.keep_draft(&store) {
            self.notices.push(Notice::error("The edits could not be kept on disk", why));
        }
    }

    /// Takes over runs and rules of other documents with equal data, as the person asked for.
    fn use_elsewhere(&mut self) {
        let store = self.own_store();
        let Some(open) = self.open.as_deref_mut() else { return };
        if let Err(why) = open.use_elsewhere(&store) {
            self.notices.push(Notice::error("Not everything could be taken over", why));
        }
    }

    /// Remembers that the person does not want the runs and rules of other documents with equal data here.
    fn leave_elsewhere(&mut self) {
        let offer = self.open.as_deref().and_then(ProblemView::elsewhere);
        self.prefer(|state| offer.into_iter().for_each(|offer| state.decline(offer)));
    }

    /// Shows the messages about an opening, without an offer that the person has declined before.
    pub(super) fn tell_opening(&mut self, notices: Vec<Notice>) {
        let offer = self.open.as_deref().and_then(ProblemView::elsewhere);
        let is_declined = offer.is_some_and(|offer| self.state.declined.contains(&offer));
        for notice in notices.into_iter().filter(|notice| !is_declined || !notice.offers(&Action::UseElsewhere)) {
            self.notices.push(notice);
        }
    }

    /// The settings of what is open are those of the next document of its problem; those of a lesson are not.
    pub(super) fn remember_settings(&mut self) {
        if self.is_guided() {
            return;
        }
        let Some(open) = self.open.as_deref() else { return };
        let id = open.problem().id();
        self.state.settings.insert(id.to_owned(), open.settings());
        if let Some(look) = open.remembered() {
            self.state.looks.insert(id.to_owned(), look);
        }
    }

    /// The settings with which the next document of a problem opens; `None`: the usual ones, as in a lesson.
    pub(super) fn settings_for(&self, problem: &str) -> Option<Encoded> {
        if self.is_guided() {
            return None;
        }
        let open = self.open.as_deref().filter(|open| open.problem().id() == problem);
        open.map(ProblemView::settings).or_else(|| self.state.settings.get(problem).cloned())
    }

    pub(super) fn show_document(
        &mut self, mut open: Box<dyn ProblemView>, options: std::collections::BTreeMap<String, String>,
    ) {
        self.remember_settings();
        if !self.is_saved() {
            let name = open.name().to_owned();
            let text = "The changes of what is open now could not be saved. Save them elsewhere first: Ctrl+Shift+S";
            self.notices.push(Notice::error(format!("{name} was not opened"), text));
            return;
        }
        self.save_project(None, true);
        self.keep_overview();
        if let Some(look) = self.state.looks.get(open.problem().id()) {
            open.look_as_before(look);
        }
        self.state.remember(Recent {
            source: open.opened(),
            name: open.name().to_owned(),
            facts: open.facts_line(),
            options,
            problem: open.problem().id().to_owned(),
            pinned: false,
            key: open.key(),
            ..Recent::default()
        });
        self.save_state();
        self.look_again = true;
        (self.failure, self.lost, self.inspected, self.front) = (None, None, None, Front::Plan);
        self.compared = None;
        self.marked.clear();
        let Some(before) = self.open.replace(open) else { return };
        if let Some(run) = before.ongoing() {
            run.stop();
            let text = format!("Its best {} was kept.", before.plan());
            self.notices.push(Notice::success(format!("The run of {} was stopped", before.name()), text));
            self.leaving.push(before);
        }
    }
}
