//! The open instance: commands that need one, runs, settings, and replacement by another instance.

use std::sync::Arc;

use egui::Context;
use gridwright_solver::facility as layouts;
use gridwright_solver::flowshop as shops;
use gridwright_solver::systolic as grids;
use gridwright_solver::timetabling::run;

use super::workplace::Open;
use super::{App, Command};
use crate::problems::timetabling::Desk;
use crate::problems::timetabling::desk::default_settings;
use crate::problems::{facility, flowshop, systolic};
use crate::session::Ongoing;
use crate::store::Recent;
use crate::widgets::notice::Notice;

impl App {
    /// Commands that need an open instance.
    pub(super) fn run_on_desk(&mut self, ctx: &Context, command: Command) {
        let Some(open) = &mut self.open else { return };
        let place = open.place_mut();
        let done = match command {
            Command::Solve => return self.solve(ctx, false),
            Command::Improve => return self.solve(ctx, true),
            Command::Pause => return place.ongoing().into_iter().for_each(Ongoing::pause_or_resume),
            Command::Stop => return place.ongoing().into_iter().for_each(Ongoing::stop),
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
            Command::ShowRun(number) => {
                place.show_run(number);
                Ok(())
            }
            Command::Show(view) => {
                place.set_view(view);
                Ok(())
            }
            Command::Fit => {
                place.fit();
                Ok(())
            }
            Command::ZoomIn => {
                place.zoom(1.25);
                Ok(())
            }
            Command::ZoomOut => {
                place.zoom(0.8);
                Ok(())
            }
            Command::Deselect => {
                place.deselect();
                Ok(())
            }
            Command::Undo => place.undo(),
            Command::Redo => place.redo(),
            Command::ShowDraft => {
                place.show_draft();
                Ok(())
            }
            Command::DiscardDraft => place.discard_draft(),
            Command::KeepDraft => return self.keep_draft(),
            command => match open {
                Open::Facility(desk) => match command {
                    Command::GoTo(department) => {
                        desk.go_to(department);
                        Ok(())
                    }
                    Command::Layout(action) => desk.act(action),
                    Command::Compare(a, b) => {
                        desk.compare(a, b);
                        Ok(())
                    }
                    _ => Ok(()),
                },
                Open::FlowShop(shop) => match command {
                    Command::GoTo(job) => {
                        shop.go_to(job);
                        Ok(())
                    }
                    Command::JobEarlier => shop.step_job(-1),
                    Command::JobLater => shop.step_job(1),
                    Command::JobToBest => shop.job_to_best(),
                    _ => Ok(()),
                },
                Open::Systolic(desk) => match command {
                    Command::Play(what) => desk.play(what),
                    Command::GoTo(bit) => {
                        desk.go_to(bit);
                        Ok(())
                    }
                    _ => Ok(()),
                },
                Open::Timetabling(_) => return self.work(command),
            },
        };
        if let Err(why) = done {
            self.notices.push(Notice::warning("This is not possible now", why));
        }
    }

    /// Begins a run; from the plan that is shown, where that is wanted.
    fn solve(&mut self, ctx: &Context, from_here: bool) {
        let Some(open) = &mut self.open else { return };
        self.lost = None;
        let wake = {
            let ctx = ctx.clone();
            // At once: the worker itself asks no more than 20 times a second.
            Arc::new(move || ctx.request_repaint())
        };
        let place = open.place_mut();
        let refused = match from_here {
            true => place.improve(&self.services, &self.store, wake),
            false => place.begin(&self.services, &self.store, wake),
        };
        match refused {
            Some(notice) => self.notices.push(notice),
            None => self.notices.leave_runs(),
        }
        self.remember_settings();
        self.save_state();
    }

    /// Lists the draft as a run, for problems that do so; notifies the person if it could not be stored.
    pub(super) fn keep_draft(&mut self) {
        let Some(open) = self.open.as_mut() else { return };
        if let Err(why) = open.place_mut().keep_draft(&self.store) {
            self.notices.push(Notice::error("The edits could not be kept on disk", why));
        }
    }

    /// Leaves a draft in its project, where it is still a draft when the project is opened again; without a project it becomes
    /// a run.
    pub(super) fn leave_draft(&mut self) {
        if self.open.as_ref().is_some_and(|open| open.place().keeping().is_none()) {
            self.keep_draft();
        }
    }

    /// The settings of what is open are those of the next instance of its problem.
    pub(super) fn remember_settings(&mut self) {
        match &self.open {
            Some(Open::Timetabling(desk)) => self.state.timetabling = Some(desk.settings_to_remember()),
            Some(Open::FlowShop(shop)) => self.state.flowshop = Some(shop.settings.clone()),
            Some(Open::Facility(desk)) => self.state.facility = Some(desk.settings.clone()),
            Some(Open::Systolic(desk)) => self.state.systolic = Some(desk.settings.clone()),
            None => {}
        }
    }

    /// The settings with which the next examination session opens.
    pub(super) fn session_settings(&self) -> run::Settings {
        let open = self.desk().map(Desk::settings_to_remember);
        open.or_else(|| self.state.timetabling.clone()).unwrap_or_else(default_settings)
    }

    /// The settings with which the next flow shop opens.
    pub(super) fn shop_settings(&self) -> shops::run::Settings {
        let open = self.shop().map(|shop| shop.settings.clone());
        open.or_else(|| self.state.flowshop.clone()).unwrap_or_else(flowshop::settings::defaults)
    }

    /// The settings with which the next layout problem opens.
    pub(super) fn layout_settings(&self) -> layouts::run::Settings {
        let open = self.layouts().map(|desk| desk.settings.clone());
        open.or_else(|| self.state.facility.clone()).unwrap_or_else(facility::settings::defaults)
    }

    /// The settings with which the next binary problem opens.
    pub(super) fn grid_settings(&self) -> grids::run::Settings {
        let open = self.binary().map(|desk| desk.settings.clone());
        open.or_else(|| self.state.systolic.clone()).unwrap_or_else(systolic::settings::defaults)
    }

    pub(super) fn show_desk(&mut self, mut open: Open, periods: Option<usize>) {
        if let Some(before) = self.desk() {
            self.state.look = before.remembered();
        }
        self.save_project(None, true);
        self.leave_draft();
        if let Some(desk) = open.timetabling_mut() {
            desk.look_as_before(&self.state.look);
        }
        let place = open.place();
        self.state.remember(Recent {
            source: place.opened(),
            name: place.name().to_owned(),
            facts: place.facts_line(),
            periods,
            problem: place.problem(),
            pinned: false,
        });
        self.save_state();
        self.look_again = true;
        (self.failure, self.lost) = (None, None);
        self.marked.clear();
        let Some(before) = self.open.replace(open) else { return };
        if let Some(run) = before.place().ongoing() {
            run.stop();
            let (name, plan) = (before.place().name(), before.place().plan());
            let text = format!("Its best {plan} was kept.");
            self.notices.push(Notice::success(format!("The run of {name} was stopped"), text));
            self.leaving.push(before);
        }
    }
}
