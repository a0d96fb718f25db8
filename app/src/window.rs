//! The window: what is open, who is told what, where things stand.
//!
//! Menus, buttons and shortcuts all send a [`Command`]; one match runs them. [`App::logic`] takes in what threads have to
//! say, [`App::ui`] paints. Nothing here waits: files are read, solved and written in threads.

mod bottom;
mod centre;
mod command;
mod dialogs;
mod export;
mod files;
mod library;
mod running;
mod top;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use egui::{Context, Ui};
use gridwright_solver::backend::{self, Device};
use gridwright_solver::timetabling::{formats, run};

pub use command::Command;
pub use library::SAMPLES;
pub use running::{WindowError, run_window};

use crate::store::{Recent, State, Store, ThemeChoice};
use crate::timetabling::desk::{Opener, default_settings};
use crate::timetabling::exporting::{self, Exporter};
use crate::timetabling::solving::Solver;
use crate::timetabling::{Desk, calendar, importing};
use crate::widgets::notice::{Notice, Notices};

/// What the window calls that may take its time; tests put others in their place.
#[derive(Clone)]
pub struct Services {
    /// Opens instances.
    pub open: Opener,
    /// Solves them.
    pub solve: Solver,
    /// Writes timetables.
    pub export: Exporter,
    /// Whether the system can be asked for file dialogs.
    pub dialogs: bool,
}

impl Default for Services {
    fn default() -> Self {
        Self {
            open: Arc::new(formats::open),
            solve: Arc::new(|instance, settings, control, observer| run::solve(instance, settings, control, observer)),
            export: exporting::exporter(),
            dialogs: true,
        }
    }
}

/// A file that could not be opened.
#[derive(Debug, Clone)]
struct Failure {
    source: String,
    text: String,
    /// Whether it is a table that could be imported without its bad lines.
    importable: bool,
}

/// The program's window.
pub struct App {
    services: Services,
    store: Store,
    state: State,
    desk: Option<Desk>,
    loading: Option<files::Loading>,
    failure: Option<Failure>,
    picking: Option<files::Picking>,
    export: Option<export::Dialog>,
    importing: Option<importing::Dialog>,
    calendar: Option<calendar::Dialog>,
    path: String,
    devices: files::Later<Vec<Device>>,
    device_list: Vec<Device>,
    notices: Notices,
    commands: Vec<Command>,
    leaving: Vec<Desk>,
    theme: Option<ThemeChoice>,
}

impl App {
    /// A window over this store; `open` is opened at once.
    pub fn new(services: Services, store: Store, open: Option<String>) -> Self {
        let mut notices = Notices::default();
        let state = store.load_state().unwrap_or_else(|error| {
            notices.push(Notice::warning("Preferences start anew", error.to_string()));
            State::default()
        });
        let commands = open.map(|source| Command::Load { source, periods: None }).into_iter().collect();
        Self {
            services,
            store,
            state,
            desk: None,
            loading: None,
            failure: None,
            picking: None,
            export: None,
            importing: None,
            calendar: None,
            path: String::new(),
            devices: files::Later::default(),
            device_list: Vec::new(),
            notices,
            commands,
            leaving: Vec::new(),
            theme: None,
        }
    }

    /// What is open, for tests.
    pub fn desk(&self) -> Option<&Desk> {
        self.desk.as_ref()
    }

    /// The messages that are shown, for tests.
    pub fn notices(&self) -> &[Notice] {
        self.notices.list()
    }

    /// Takes in what threads have to say and runs what was asked for. Paints nothing.
    pub fn logic(&mut self, ctx: &Context) {
        if self.theme != Some(self.state.theme) {
            self.theme = Some(self.state.theme);
            ctx.set_theme(match self.state.theme {
                ThemeChoice::System => egui::ThemePreference::System,
                ThemeChoice::Light => egui::ThemePreference::Light,
                ThemeChoice::Dark => egui::ThemePreference::Dark,
            });
        }
        if self.device_list.is_empty() {
            self.devices.begin(ctx, "devices", backend::devices);
            if let Some(devices) = self.devices.take() {
                self.device_list = devices;
            }
        }
        self.take_loaded();
        self.take_picked();
        self.take_exported();
        self.poll_dialogs(ctx);
        if let Some(desk) = &mut self.desk {
            for notice in desk.poll() {
                self.notices.push(notice);
            }
        }
        // Runs of instances that were left end by themselves and are kept by their own thread.
        self.leaving.retain(|desk| desk.live.as_ref().is_some_and(|live| !live.session.has_ended()));
        self.notices.age(ctx);
        for command in std::mem::take(&mut self.commands) {
            self.run(ctx, command);
        }
    }

    /// Paints everything.
    pub fn ui(&mut self, ui: &mut Ui) {
        self.take_input(ui);
        self.top(ui);
        self.library(ui);
        if self.loading.is_none() && self.failure.is_none() && self.desk.is_some() {
            self.right(ui);
            self.bottom(ui);
        }
        self.centre(ui);
        self.export_dialog(ui.ctx());
        self.show_dialogs(ui.ctx());
        self.notices.show(ui.ctx());
        if !self.commands.is_empty() {
            // What was pressed now is run before the next frame.
            ui.ctx().request_repaint();
        }
    }

    /// Shortcuts and dropped files.
    fn take_input(&mut self, ui: &Ui) {
        let ctx = ui.ctx();
        if self.export.is_none() && self.importing.is_none() && self.calendar.is_none() {
            self.commands.extend(command::pressed(ctx, self.desk.as_ref()));
        }
        if self.drop_on_dialog(ctx) {
            return;
        }
        let dropped = ui.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()));
        if let Some(path) = dropped {
            self.commands.push(Command::Load { source: path.display().to_string(), periods: None });
        }
    }

    /// The one place where commands are run.
    fn run(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Open => self.pick_file(ctx),
            Command::Load { source, periods } => self.load(ctx, source, periods),
            Command::Forget(source) => {
                self.state.recent.retain(|recent| recent.source != source);
                self.save_state();
            }
            Command::Back => self.failure = None,
            Command::Solve => self.solve(ctx),
            Command::Pause => {
                if let Some(live) = self.desk.as_ref().and_then(|desk| desk.live.as_ref()) {
                    if live.session.is_paused() { live.session.resume() } else { live.session.pause() }
                }
            }
            Command::Stop => {
                if let Some(live) = self.desk.as_ref().and_then(|desk| desk.live.as_ref()) {
                    live.session.stop();
                }
            }
            Command::Show(view) => {
                if let Some(desk) = &mut self.desk {
                    desk.view = view;
                }
            }
            Command::Fit => {
                if let Some(desk) = &mut self.desk {
                    desk.fit();
                }
            }
            Command::Export(format) => self.begin_export(format),
            Command::ChooseExport => self.choose_export(ctx),
            Command::WriteExport => self.write_export(ctx),
            Command::Import(source) => self.begin_import(ctx, source),
            Command::Calendar => self.begin_calendar(),
            Command::SetCalendar(periods) => {
                if let Some(desk) = &mut self.desk {
                    desk.set_calendar(periods);
                }
            }
            Command::Theme(theme) => {
                self.state.theme = theme;
                self.save_state();
                ctx.request_repaint();
            }
        }
    }

    fn solve(&mut self, ctx: &Context) {
        let Some(desk) = &mut self.desk else { return };
        let wake = {
            let ctx = ctx.clone();
            // At once: the worker itself asks no more than 20 times a second.
            Arc::new(move || ctx.request_repaint())
        };
        if let Some(notice) = desk.solve(Arc::clone(&self.services.solve), &self.store, wake) {
            self.notices.push(notice);
        }
        self.state.timetabling = Some(desk.settings_to_remember());
        self.save_state();
    }

    /// The settings with which the next instance opens.
    fn settings(&self) -> run::Settings {
        let open = self.desk.as_ref().map(Desk::settings_to_remember);
        open.or_else(|| self.state.timetabling.clone()).unwrap_or_else(default_settings)
    }

    fn show_desk(&mut self, desk: Desk, periods: Option<usize>) {
        self.state.remember(Recent {
            source: desk.source.clone(),
            name: desk.instance.name.clone(),
            facts: desk.facts_line(),
            periods,
        });
        self.save_state();
        self.failure = None;
        if let Some(before) = self.desk.replace(desk)
            && let Some(live) = &before.live
        {
            live.session.stop();
            let name = before.instance.name.clone();
            self.notices
                .push(Notice::success(format!("The run of {name} was stopped"), "Its best timetable was kept."));
            self.leaving.push(before);
        }
    }

    /// Writes preferences in a thread of its own; the last one to be asked for is the one that stays.
    fn save_state(&mut self) {
        let (store, state) = (self.store.clone(), self.state.clone());
        files::save_in_order(move || {
            // Preferences are a convenience: where they cannot be written, runs say so.
            let _ = store.save_state(&state);
        });
    }

    /// Stops what runs and waits a little for it to be kept; what takes longer is recovered at the next start.
    pub fn close(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(3);
        for desk in self.desk.iter().chain(&self.leaving) {
            if let Some(live) = &desk.live {
                live.session.stop();
            }
        }
        for desk in self.desk.iter().chain(&self.leaving) {
            desk.finish(PATIENCE);
        }
        if let Some(desk) = &self.desk {
            self.state.timetabling = Some(desk.settings_to_remember());
        }
        let (store, state) = (self.store.clone(), self.state.clone());
        files::save_in_order(move || {
            let _ = store.save_state(&state);
        });
        files::wait_for_saves();
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        self.logic(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.ui(ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.close();
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        crate::theme::palette(visuals).panel.to_normalized_gamma_f32()
    }
}

/// The last part of a path or name, for headings.
fn short_name(source: &str) -> String {
    let name = source.strip_prefix("sample:").unwrap_or(source);
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned())
}
