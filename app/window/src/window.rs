//! The window: open document, commands of each frame, arrangement of the parts.
//!
//! Menus, buttons and shortcuts all send a [`Command`]; one match runs them. [`App::logic`] takes in what threads have to
//! say, [`App::ui`] paints. Nothing here waits: files are read, solved and written in threads.

mod about;
mod arrangement;
mod bottom;
mod campaigns;
mod centre;
pub mod command;
#[cfg(target_os = "linux")]
mod desktop;
mod dialogs;
mod export;
mod files;
mod focus;
mod folders;
pub(crate) mod fuzzy;
mod glossary;
mod importing;
pub mod keys;
mod lessons;
mod library;
mod menus;
mod messages;
mod open_dialog;
mod opened;
mod palette;
mod preferences;
mod presenting;
mod recents;
mod running;
mod runs;
mod saving;
mod shortcuts;
pub mod situation;
mod start;
mod top;
mod updating;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use egui::{Context, Ui};
use gridwright_core::backend::Device;
use gridwright_core::recognition::is_campaign;

pub use command::{Command, Group};
pub use files::openable;
pub use files::wait_for_saves;
pub use running::{WindowError, run_window};
pub use situation::Situation;

use open_dialog::{Dialog, Glossary, Palette, Scope};

use crate::campaign_view::CampaignView;
use crate::device_memory::Watch;
use crate::document::{Document, DocumentKind, ProblemView};
use crate::file_dialog::FileDialogs;
use crate::registry;
use crate::services::Services;
use crate::session::Ongoing;
use crate::settings;
use crate::widgets::notice::{Action, Kind, Notice, Notices};
use gridwright_core::crash;
use gridwright_core::store::{Part, State, Store, TEXT_SIZES, ThemeChoice};

/// A file that could not be opened.
#[derive(Debug, Clone)]
struct Failure {
    source: String,
    text: String,
    /// True for a table that could be imported without its bad lines.
    importable: bool,
    /// Option whose value the file lacks, and the value that the person enters.
    missing: Option<(&'static str, String)>,
}

/// The program's window.
pub struct App {
    services: Services,
    store: Store,
    state: State,
    open: Option<Box<dyn ProblemView>>,
    loading: Option<files::Loading>,
    failure: Option<Failure>,
    /// A project and the file of its instance that the person located for it.
    located: Option<(String, std::path::PathBuf)>,
    /// Why the last run broke off before anything was found.
    lost: Option<String>,
    file_dialogs: FileDialogs,
    /// Purpose of the file dialog that is open.
    picking: Option<files::Purpose>,
    export: Option<export::Dialog>,
    /// Files that exports have written.
    written: export::Written,
    dialog: Option<Dialog>,
    importing: Option<crate::importing::Dialog>,
    updating: Option<crate::updating::Dialog>,
    project_saved: Option<std::time::Instant>,
    /// True while the person waits for the result of saving the project.
    tell_saved: bool,
    /// True while it is asked what to do with work that could not be saved before the window closes.
    is_closing: bool,
    /// True once the person has decided to lose work that could not be saved.
    gives_up: bool,
    /// True once the system has asked the program to end.
    signalled: Arc<AtomicBool>,
    /// Result of writing a project, from the writing thread.
    unsaved: Arc<std::sync::Mutex<Option<Notice>>>,
    path: String,
    devices: files::Later<Vec<Device>>,
    device_list: Vec<Device>,
    /// Device memory of the next run.
    memory: Watch,
    /// Recent files that are no longer there.
    missing: library::Missing,
    looking: files::Later<library::Missing>,
    look_again: bool,
    notices: Notices,
    /// Commands that were refused, with the headings of the messages about them.
    refused: Vec<(String, Command)>,
    commands: Vec<Command>,
    leaving: Vec<Box<dyn ProblemView>>,
    /// Runs that are marked for comparison.
    marked: Vec<usize>,
    trash: runs::Trash,
    /// True while the focus is moved by keys and must be visible.
    by_keys: bool,
    shaped: Option<(ThemeChoice, f32)>,
    /// Size of the window in points.
    size: egui::Vec2,
    /// Part shown in the middle while parts are folded.
    front: arrangement::Front,
    /// Parts of the window that cannot be seen.
    hidden: Vec<Part>,
    /// Runs that were set against each other last, and the view that shows them.
    compared: Option<([usize; 2], usize)>,
    /// Selection that the inspector showed in the last frame; `None` before a document is shown.
    inspected: Option<String>,
    /// Place of the middle in the last frame.
    middle: egui::Rect,
    thumbnails: start::Thumbnails,
    /// The campaigns, also while they are not shown.
    campaigns: CampaignView,
    /// True while the campaigns are shown instead of the plan.
    shows_campaigns: bool,
    guide: Option<lessons::Guide>,
    /// True while the view is to be shown alone.
    is_presenting: bool,
    /// The guided lessons of all problems.
    lesson_entries: Vec<command::LessonEntry>,
}

impl App {
    /// A window over this store; `open` is opened at once, or what was open before where the person wants that.
    pub fn new(services: Services, store: Store, open: Option<String>) -> Self {
        let mut notices = Notices::default();
        let state = store.load_state().unwrap_or_else(|error| {
            notices.push(Notice::warning("Preferences start anew", error.to_string()).of_program());
            State::default()
        });
        if let Some(report) = crash::take_report(&store) {
            let text = format!(
                "A report is in {}. It holds no personal data and was sent to nobody: please read it and send it to the \
                 developers.",
                report.display()
            );
            let show = Action::ShowFolder(report);
            notices.push(Notice::warning("The program met an error of its own", text).offering(show).of_program());
        }
        let swept = store.clone();
        files::save_in_order(move || swept.sweep());
        let written = export::Written(store.clone());
        let last = state.recent.first().filter(|_| state.reopen);
        let last = last.map(|recent| Command::Load { source: recent.source.clone(), options: recent.options.clone() });
        let commands = open.map(Command::load).or(last).into_iter().collect();
        Self {
            services,
            store,
            state,
            open: None,
            loading: None,
            failure: None,
            located: None,
            lost: None,
            file_dialogs: FileDialogs::default(),
            picking: None,
            export: None,
            written,
            dialog: None,
            importing: None,
            updating: None,
            project_saved: None,
            tell_saved: false,
            is_closing: false,
            gives_up: false,
            signalled: Arc::default(),
            unsaved: Arc::default(),
            path: String::new(),
            devices: files::Later::default(),
            device_list: Vec::new(),
            memory: Watch::default(),
            missing: library::Missing::new(),
            looking: files::Later::default(),
            look_again: true,
            notices,
            refused: Vec::new(),
            commands,
            leaving: Vec::new(),
            marked: Vec::new(),
            trash: runs::Trash::default(),
            by_keys: false,
            shaped: None,
            size: egui::Vec2::INFINITY,
            front: arrangement::Front::default(),
            hidden: Vec::new(),
            compared: None,
            inspected: None,
            middle: egui::Rect::NOTHING,
            thumbnails: start::Thumbnails::default(),
            campaigns: CampaignView::default(),
            shows_campaigns: false,
            guide: None,
            is_presenting: false,
            lesson_entries: crate::registry::lessons().map(|lesson| lesson.entry).collect(),
        }
    }

    /// The open document, if it is of this kind.
    pub fn document<K: DocumentKind>(&self) -> Option<&Document<K>> {
        self.open.as_deref().and_then(|open| open.as_any().downcast_ref())
    }

    /// The open document, if it is of this kind, to be changed.
    pub fn document_mut<K: DocumentKind>(&mut self) -> Option<&mut Document<K>> {
        self.open.as_deref_mut().and_then(|open| open.as_any_mut().downcast_mut())
    }

    /// The open document of any problem; `None` if nothing is open.
    pub fn view(&self) -> Option<&dyn ProblemView> {
        self.open.as_deref()
    }

    /// Returns `true` if an instance is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Returns `true` while changes wait to be written to disk.
    pub fn has_changed(&self) -> bool {
        self.open.as_deref().is_some_and(|open| open.has_changed())
    }

    /// Place of the middle of the window in the last frame, for tests.
    pub fn middle(&self) -> egui::Rect {
        self.middle
    }

    /// Takes in what threads have to say and runs what was asked for. Paints nothing.
    pub fn logic(&mut self, ctx: &Context) {
        self.shape(ctx);
        self.arrange(ctx.content_rect().size() - egui::vec2(0.0, self.guide_height()));
        self.look_for_files(ctx);
        self.take_told();
        self.notice_return(ctx);
        if self.device_list.is_empty() {
            let look = Arc::clone(&self.services.devices);
            self.devices.begin(ctx, "devices", move || look());
            if let Some(devices) = self.devices.take() {
                self.device_list = devices;
            }
        }
        self.take_loaded();
        self.take_picked(ctx);
        self.take_exported();
        self.poll_import(ctx);
        self.poll_update(ctx);
        if let Some(place) = self.open.as_deref_mut() {
            for notice in place.poll() {
                if notice.kind == Kind::Error && place.ongoing().is_none() && !place.has_picture() {
                    self.lost = Some(notice.text.clone());
                }
                self.notices.push(notice);
            }
        }
        self.poll_campaigns(ctx);
        self.poll_aside();
        self.follow_lesson(ctx);
        self.watch_memory(ctx);
        self.take_asked_term(ctx);
        self.keep_project(ctx);
        self.guard_close(ctx);
        self.tell_unsaved();
        // Runs of instances that were left end by themselves and are kept by their own thread.
        self.leaving.retain(|open| open.ongoing().is_some_and(|run| !run.has_ended()));
        self.withdraw_notices();
        self.tell_refused_numbers(ctx);
        self.notices.age(ctx);
        for command in std::mem::take(&mut self.commands) {
            self.run(ctx, command);
        }
    }

    /// Looks at the file of the open instance when the person comes back from another program.
    fn notice_return(&mut self, ctx: &Context) {
        let returns = ctx.input(|input| input.events.contains(&egui::Event::WindowFocused(true)));
        if let Some(open) = self.open.as_deref_mut().filter(|_| returns) {
            open.look_at_source(ctx);
        }
    }

    /// Asks what the next run needs of a device, unless one goes on.
    fn watch_memory(&mut self, ctx: &Context) {
        let open = self.open.as_deref().filter(|open| open.ongoing().is_none());
        let question = open.map(|open| open.memory());
        self.memory.poll(ctx, question, &self.device_list, &self.services.limits);
    }

    /// Theme and size of text, where they have changed.
    fn shape(&mut self, ctx: &Context) {
        self.tell_presentation(ctx);
        let wanted = (self.state.theme, self.text_factor());
        if self.shaped == Some(wanted) {
            return;
        }
        self.shaped = Some(wanted);
        ctx.set_theme(match self.state.theme {
            ThemeChoice::System => egui::ThemePreference::System,
            ThemeChoice::Light => egui::ThemePreference::Light,
            ThemeChoice::Dark => egui::ThemePreference::Dark,
        });
        ctx.set_zoom_factor(wanted.1);
    }

    /// Paints everything.
    pub fn ui(&mut self, ui: &mut Ui) {
        self.take_input(ui);
        settings::set_study(ui.ctx(), self.studies());
        if !self.presents() {
            self.top(ui);
            self.lesson_panel(ui);
        }
        self.messages(ui);
        if self.shows_beside(Part::Library) && !self.shows_campaigns {
            self.library(ui);
        }
        if self.shows_beside(Part::Inspector) {
            self.right(ui);
        }
        if self.shows_beside(Part::Bottom) {
            self.bottom(ui);
        }
        if self.shows_campaigns {
            self.campaign_page(ui);
        } else {
            self.centre(ui);
        }
        self.campaign_dialogs(ui.ctx());
        self.export_dialog(ui.ctx());
        self.show_import(ui.ctx());
        self.show_update(ui.ctx());
        self.show_questions(ui.ctx());
        self.dialogs(ui.ctx());
        self.file_dialogs.show(ui.ctx());
        self.focus_ring(ui.ctx());
        if !self.presents() {
            self.lesson_mark(ui.ctx());
        }
        if !self.commands.is_empty() {
            // What was pressed now is run before the next frame.
            ui.ctx().request_repaint();
        }
    }

    /// Returns `true` if an open instance is shown, and not a file that is being read or could not be opened.
    fn shows_document(&self) -> bool {
        self.loading.is_none() && self.failure.is_none() && self.open.is_some() && !self.shows_campaigns
    }

    /// State that decides if commands are possible.
    pub fn situation(&self) -> Situation<'_> {
        Situation {
            open: self.open.as_deref().filter(|_| self.shows_document()),
            state: &self.state,
            hidden: &self.hidden,
            marked: &self.marked,
            picking: self.file_dialogs.is_open(),
            lessons: &self.lesson_entries,
            is_guided: self.is_guided(),
            studies: self.studies(),
            is_presenting: self.presents(),
            campaigns: Some(&self.campaigns).filter(|_| self.shows_campaigns),
        }
    }

    /// Shortcuts and dropped files.
    fn take_input(&mut self, ui: &Ui) {
        let ctx = ui.ctx();
        let covered = self.is_covered();
        if !covered {
            self.ask_for_term(ctx);
        }
        let (pressed, refused) = keys::pressed(ctx, &self.situation(), |command| {
            !covered || matches!(command, Command::TextLarger | Command::TextSmaller | Command::TextNormal)
        });
        self.commands.extend(pressed);
        for (command, why) in refused {
            let heading = format!("Not possible now: {}", self.situation().text(&command).trim_end_matches('…'));
            self.notices.push(Notice::refusal(&heading, why));
            self.refused.push((heading, command));
        }
        if self.take_dropped(ctx) {
            return;
        }
        self.look_again |= ui.input(|input| input.events.contains(&egui::Event::WindowFocused(true)));
    }

    /// True while a dialog lies over the window.
    fn is_covered(&self) -> bool {
        self.export.is_some()
            || self.dialog.is_some()
            || self.importing.is_some()
            || self.updating.is_some()
            || self.is_asking()
            || self.campaigns.is_asking()
            || self.file_dialogs.covers_window()
    }

    /// The one place where commands are run.
    fn run(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Open => self.pick_file(ctx),
            Command::Load { source, .. } if is_campaign(Path::new(&source)) => {
                self.open_campaign(ctx, Path::new(&source));
            }
            Command::Campaigns => self.show_campaigns(ctx),
            Command::OpenCampaign(path) => self.open_campaign(ctx, &path),
            Command::LeaveCampaigns => self.shows_campaigns = false,
            Command::Solve if self.shows_campaigns => self.campaigns.start(ctx),
            Command::Pause if self.shows_campaigns => self.campaigns.pause(),
            Command::Stop if self.shows_campaigns => self.campaigns.stop(),
            Command::SaveProject if self.shows_campaigns => self.campaigns.save(ctx),
            Command::SaveProjectAs if self.shows_campaigns => self.campaigns.save_as(ctx),
            Command::Load { source, options } => {
                self.shows_campaigns = false;
                self.end_lesson();
                self.load(ctx, source, options);
            }
            Command::Lesson(lesson) => {
                self.shows_campaigns = false;
                self.begin_lesson(ctx, lesson.id);
            }
            Command::EndLesson => self.end_lesson(),
            Command::Present => self.present(ctx, !self.presents()),
            Command::EndPresentation => self.present(ctx, false),
            Command::Forget(source) => self.prefer(|state| state.recent.retain(|recent| recent.source != source)),
            Command::Pin(source) => self.prefer(|state| {
                for recent in state.recent.iter_mut().filter(|recent| recent.source == source) {
                    recent.pinned = !recent.pinned;
                }
            }),
            Command::Back => self.failure = None,
            Command::New(problem) => self.begin_new(problem),
            Command::Update(files) => self.begin_update(ctx, files),
            Command::Import(source) => self.begin_import(ctx, source),
            Command::Export(format) => self.begin_export(format),
            Command::ChooseExport => self.choose_export(ctx),
            Command::WriteExport => self.write_export(ctx, false),
            Command::ReplaceByExport => self.write_export(ctx, true),
            Command::Copy(text) => ctx.copy_text(text),
            Command::ShowFolder(path) => self.show_folder(ctx, &path),
            Command::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            Command::Toggle(part) => self.toggle(part),
            Command::Theme(theme) => self.prefer(|state| state.theme = theme),
            Command::TextLarger => self.set_text_size(self.state.text_size.saturating_add(10)),
            Command::TextSmaller => self.set_text_size(self.state.text_size.saturating_sub(10)),
            Command::TextNormal => self.set_text_size(100),
            Command::Reopen(on) => self.prefer(|state| state.reopen = on),
            Command::ShowKind(kind, on) => self.prefer(|state| {
                state.hidden_kinds.retain(|hidden| hidden != kind);
                state.hidden_kinds.extend((!on).then(|| kind.to_owned()));
            }),
            Command::Study => self.switch_study(),
            Command::StudyKind(kind, on) => self.prefer(|state| _ = state.study.insert(kind.to_owned(), on)),
            Command::Palette => self.dialog = Some(Dialog::Palette(Palette::of(Scope::All))),
            Command::Find => {
                if !self.open.as_deref_mut().is_some_and(|open| open.find()) {
                    self.dialog = Some(Dialog::Palette(Palette::of(Scope::Items)));
                }
            }
            Command::Shortcuts => self.dialog = Some(Dialog::Shortcuts),
            Command::Glossary => self.dialog = Some(Dialog::Glossary(Glossary::at(None))),
            Command::Explain(term) => self.dialog = Some(Dialog::Glossary(Glossary::at(Some(term)))),
            Command::Preferences => self.dialog = Some(Dialog::Preferences),
            Command::Messages => self.dialog = Some(Dialog::Messages),
            Command::About => self.dialog = Some(Dialog::About),
            command => self.run_on_document(ctx, command),
        }
        // What it changed is seen in the frame that follows, and by what has been painted already in this one.
        ctx.request_repaint();
    }

    fn prefer(&mut self, change: impl FnOnce(&mut State)) {
        change(&mut self.state);
        self.save_state();
    }

    /// Returns `true` if the document that is open shows algorithms and their views, as it does in a lesson.
    pub(crate) fn studies(&self) -> bool {
        let Some(open) = self.open.as_deref() else { return self.is_guided() };
        let usual = registry::ui_of(open.problem()).is_ok_and(|ui| ui.is_of_algorithms);
        self.is_guided() || self.studies_kind(open.problem().id(), usual)
    }

    fn studies_kind(&self, kind: &str, usual: bool) -> bool {
        self.state.studies(kind, self.services.studies || usual)
    }

    fn switch_study(&mut self) {
        let on = !self.studies();
        let Some(kind) = self.open.as_deref().map(|open| open.problem().id()) else { return };
        self.prefer(|state| _ = state.study.insert(kind.to_owned(), on));
    }

    fn set_text_size(&mut self, percent: u16) {
        self.prefer(|state| state.text_size = percent.clamp(TEXT_SIZES.0, TEXT_SIZES.1));
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
        self.end_lesson();
        let runs = || self.open.iter().chain(&self.leaving).filter_map(|open| open.ongoing());
        runs().for_each(Ongoing::stop);
        self.campaigns.stop();
        for run in runs() {
            run.wait(PATIENCE);
        }
        self.campaigns.wait(PATIENCE);
        self.save_project(None, true);
        self.remember_settings();
        self.keep_overview();
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
