//! Campaign view for all problems: plans are written, checked and run; runs appear as they end.
//!
//! * [`home`] offers campaigns, [`form`] writes a plan from a few entries ([`plan_text`]), [`editor`] shows its text.
//! * [`opened`] is an open campaign: [`check`] reads its plan, [`runner`] performs it in a thread, [`board`] and [`layout`] hold
//!   the states of its runs, [`summary`] their report so far.
//! * [`page`] shows it, with [`grid`], [`tables`], [`figures`], [`failed`] and [`report_dialog`].
//!
//! The window shows the view in the place of the plan. Command line and view use the same functions of `campaign`.

mod board;
mod check;
mod editor;
mod failed;
mod figures;
mod form;
mod grid;
mod home;
mod layout;
mod opened;
mod page;
mod plan_text;
mod report_dialog;
mod runner;
mod summary;
mod tables;

use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{Align, Context, Frame, Id, Layout, Margin, Ui};
use gridwright_core::backend::Device;
use gridwright_core::problem::Problem;

pub(crate) use opened::{Activity, Tab};

use check::PlanFile;
use form::Form;
use opened::{OpenCampaign, Origin};

use crate::file_dialog::{self, FileRequest, Mode};
use crate::later::Later;
use crate::theme::{self, palette, space};
use crate::widgets::controls::{button, primary};
use crate::widgets::dialog::{Wish as Stays, closes, dialog};
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;

/// Refusal to open a campaign while another one goes on.
const BUSY: &str = "A campaign goes on; stop it first";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Page {
    #[default]
    Home,
    Form,
    Campaign,
}

/// Step that waits for the decision about a plan that is not saved.
enum Next {
    Open(PathBuf),
    Take(PlanFile, Origin),
    CloseWindow,
}

/// Surroundings of the view.
pub struct Surroundings<'a> {
    /// Devices that can compute.
    pub devices: &'a [Device],
    /// Plans that were open before, newest first.
    pub recent: &'a [String],
    /// Problem and source of the open instance.
    pub open: Option<(&'a dyn Problem, &'a str)>,
    /// Folder that is proposed for a new plan.
    pub folder: &'a dyn Fn() -> PathBuf,
}

/// Requests of the view to the window.
#[derive(Default)]
pub struct Requests {
    /// Messages for the person.
    pub notices: Vec<Notice>,
    /// True if the view is to be left.
    pub closes: bool,
    /// True if the window is to be closed although a plan is not saved.
    pub(crate) closes_window: bool,
    /// Plan to be remembered among the recent ones.
    pub remember: Option<String>,
}

/// The campaign view.
#[derive(Default)]
pub struct CampaignView {
    page: Page,
    form: Option<Form>,
    open: Option<OpenCampaign>,
    loading: Later<gridwright_core::Result<PlanFile>>,
    report: Option<report_dialog::Dialog>,
    waiting: Option<Next>,
}

impl CampaignView {
    /// Opens a plan or the folder of a campaign, unless one goes on.
    pub fn open(&mut self, ctx: &Context, path: &Path) {
        self.begin(ctx, Next::Open(path.to_path_buf()));
    }

    /// Activity of the open campaign; `None` if none is open.
    pub fn activity(&self) -> Option<Activity> {
        self.open.as_ref().map(OpenCampaign::activity)
    }

    /// Name of the campaign that goes on if the clock matters to its runs; `None` otherwise.
    pub(crate) fn timed(&self) -> Option<String> {
        let open = self.open.as_ref().filter(|open| open.activity() == Activity::Running)?;
        let is_timed = open.board().is_some_and(|board| runner::lock(board).has_timed());
        is_timed.then(|| open.name())
    }

    /// Progress of the campaign that goes on, in words; `None` if none does.
    pub fn progress(&self) -> Option<String> {
        let open = self.open.as_ref().filter(|open| open.activity() != Activity::Idle)?;
        Some(format!("{}: {}", open.name(), open.words()))
    }

    /// Returns `true` while the view goes beyond its first page.
    pub(crate) fn shows_campaign(&self) -> bool {
        self.page == Page::Campaign && self.open.is_some()
    }

    /// Returns `true` while a dialog of the view lies over the window.
    pub(crate) fn is_asking(&self) -> bool {
        self.report.is_some() || self.waiting.is_some()
    }

    /// Returns `true` while the open plan differs from its file, or has none.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.open.as_ref().is_some_and(OpenCampaign::is_unsaved)
    }

    /// Returns `true` if changes of the person would be lost without saving.
    pub(crate) fn would_lose(&self) -> bool {
        self.open.as_ref().is_some_and(OpenCampaign::would_lose)
    }

    /// Checks that the campaign can be started.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn may_start(&self) -> Result<(), &'static str> {
        self.open.as_ref().filter(|_| self.page == Page::Campaign).ok_or("Open a campaign first")?.may_start(false)
    }

    /// Starts the campaign, or goes on with it.
    pub fn start(&mut self, ctx: &Context) {
        if let Some(open) = &mut self.open {
            open.start(ctx, false);
        }
    }

    /// Pauses the campaign, or resumes it.
    pub fn pause(&self) {
        if let Some(open) = &self.open {
            open.pause();
        }
    }

    /// Stops the campaign; runs that have ended are kept.
    pub fn stop(&self) {
        if let Some(open) = &self.open {
            open.stop();
        }
    }

    /// Waits for the end of the campaign's thread, at most so long.
    pub fn wait(&self, patience: Duration) {
        if let Some(open) = &self.open {
            open.wait(patience);
        }
    }

    /// Saves the plan.
    pub fn save(&mut self, ctx: &Context) {
        if let Some(open) = &mut self.open {
            open.save(ctx);
        }
    }

    /// Asks where the plan is to be kept.
    pub(crate) fn save_as(&self, ctx: &Context) {
        if let Some(open) = &self.open {
            let request = FileRequest::new(Mode::SaveFile, "Save the plan").filter("Plans of campaigns", &["ron"]);
            file_dialog::request(ctx, save_dialog(), request.at(&open.plan));
        }
    }

    /// Asks what is to be done with a plan that is not saved before the window closes.
    pub(crate) fn ask_before_closing(&mut self) {
        self.waiting = Some(Next::CloseWindow);
    }

    /// Takes the next step, or asks first where a plan would be lost.
    fn begin(&mut self, ctx: &Context, next: Next) {
        if self.open.as_ref().is_some_and(|open| open.activity() != Activity::Idle) {
            self.page = Page::Campaign;
        } else if self.would_lose() {
            self.waiting = Some(next);
        } else {
            self.go(ctx, next);
        }
    }

    fn go(&mut self, ctx: &Context, next: Next) {
        match next {
            Next::Open(path) => self.loading.begin(ctx, "open campaign", move || check::read(&path)),
            Next::Take(file, origin) => self.show_campaign(OpenCampaign::new(file, origin)),
            Next::CloseWindow => {}
        }
    }

    fn show_campaign(&mut self, open: OpenCampaign) {
        (self.open, self.page, self.form) = (Some(open), Page::Campaign, None);
    }

    /// Takes in what threads and file dialogs have to say.
    pub(crate) fn poll(&mut self, ctx: &Context, requests: &mut Requests) {
        match self.loading.take_result() {
            None => {}
            Some(Ok(Ok(file))) => {
                let has_rows = file.folder.is_dir();
                self.show_campaign(OpenCampaign::new(file, Origin::File));
                if let Some(open) = self.open.as_mut().filter(|_| has_rows) {
                    open.tab = Tab::Runs;
                }
            }
            Some(Ok(Err(error))) => {
                requests.notices.push(Notice::error("The campaign could not be opened", error.to_string()).of_program())
            }
            Some(Err(why)) => {
                requests.notices.push(Notice::error("The campaign could not be opened", why).of_program())
            }
        }
        let chosen = |asker| file_dialog::take_answer(ctx, asker).and_then(|paths| paths.into_iter().next());
        if let Some(path) = chosen(open_dialog()) {
            self.open(ctx, &path);
        }
        if let (Some(path), Some(open)) = (chosen(save_dialog()), &mut self.open) {
            open.save_as(ctx, &path);
        }
        if let Some(open) = &mut self.open {
            requests.notices.extend(open.poll(ctx));
            requests.remember = open.take_path();
        }
    }

    /// Shows the view in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, surroundings: &Surroundings<'_>, requests: &mut Requests) {
        let inner = Frame::new().inner_margin(Margin::symmetric(16, 12));
        inner.show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            match (self.page, &mut self.form, &mut self.open) {
                (Page::Form, Some(_), _) => self.show_form(ui, surroundings.devices),
                (Page::Campaign, _, Some(_)) => self.show_open(ui, requests),
                _ => self.show_home(ui, surroundings, requests),
            }
        });
    }

    fn show_home(&mut self, ui: &mut Ui, surroundings: &Surroundings<'_>, requests: &mut Requests) {
        ui.horizontal(|ui| {
            ui.label(theme::small("Campaigns").color(palette(ui.visuals()).weak));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                requests.closes |=
                    button(ui, Icon::Cross, "Close campaigns", true).on_hover_text("Back to what was open").clicked();
            });
        });
        let name = self.open.as_ref().map(OpenCampaign::name);
        let is_busy = self.open.as_ref().is_some_and(|open| open.activity() != Activity::Idle);
        let wish = home::show(ui, surroundings.recent, name.as_deref(), is_busy.then_some(BUSY));
        match wish {
            None => {}
            Some(home::Wish::New) => {
                self.form = Form::new(surroundings.open, &(surroundings.folder)());
                self.page = if self.form.is_some() { Page::Form } else { Page::Home };
            }
            Some(home::Wish::Choose) => {
                let request = FileRequest::new(Mode::OpenFile, "Open a plan").filter("Plans of campaigns", &["ron"]);
                file_dialog::request(ui.ctx(), open_dialog(), request.all_files());
            }
            Some(home::Wish::ChooseFolder) => {
                let request = FileRequest::new(Mode::OpenFolder, "Open the folder of a campaign");
                file_dialog::request(ui.ctx(), open_dialog(), request);
            }
            Some(home::Wish::Open(path)) => self.open(ui.ctx(), &path),
            Some(home::Wish::Copy(name, text)) => {
                let plan = check::free_path(&(surroundings.folder)().join(name).with_extension("ron"));
                let file = PlanFile { folder: plan.with_extension(""), plan, text: text.to_owned() };
                self.begin(ui.ctx(), Next::Take(file, Origin::Shipped));
            }
            Some(home::Wish::Back) => self.page = Page::Campaign,
        }
    }

    fn show_form(&mut self, ui: &mut Ui, devices: &[Device]) {
        let wish = self.form.as_mut().and_then(|form| form.show(ui, devices));
        match wish {
            None => {}
            Some(form::Wish::Write(plan, text)) => {
                let is_change = self.form.as_ref().and_then(Form::changed) == Some(plan.as_path());
                if let Some(open) = self.open.as_mut().filter(|open| is_change && open.plan == plan) {
                    open.editor.replace(text);
                    (self.form, self.page) = (None, Page::Campaign);
                    return;
                }
                let file = PlanFile { folder: check::folder_of(&plan), plan, text };
                self.begin(ui.ctx(), Next::Take(file, Origin::Form));
            }
            Some(form::Wish::Leave) => {
                let is_change = self.form.take().is_some_and(|form| form.changed().is_some());
                self.page = if is_change { Page::Campaign } else { Page::Home };
            }
        }
    }

    fn show_open(&mut self, ui: &mut Ui, requests: &mut Requests) {
        let Some(open) = &mut self.open else { return };
        match page::show(ui, open) {
            None => {}
            Some(page::Wish::Home) => self.page = Page::Home,
            Some(page::Wish::Close) => requests.closes = true,
            Some(page::Wish::Form) => {
                if let Ok(form) = open.form() {
                    (self.form, self.page) = (Some(form.clone()), Page::Form);
                }
            }
            Some(page::Wish::Report) => self.report = Some(report_dialog::Dialog::new(open.folder.clone())),
        }
    }

    /// Shows the dialogs of the view.
    pub fn dialogs(&mut self, ctx: &Context, requests: &mut Requests) {
        if let Some(report) = &mut self.report {
            let (closes, notice) = report.show(ctx);
            requests.notices.extend(notice);
            if closes {
                self.report = None;
            }
        }
        if self.waiting.is_some() {
            self.ask_unsaved(ctx, requests);
        }
    }

    /// Asks what is to be done with a plan that is not saved.
    fn ask_unsaved(&mut self, ctx: &Context, requests: &mut Requests) {
        let Some(open) = &mut self.open else {
            self.waiting = None;
            return;
        };
        let (mut saves, mut discards) = (false, false);
        let response = dialog(ctx, "Plan not saved", 480.0, |ui| {
            let mut wish = Stays::Stay;
            ui.label(theme::title("The plan is not saved"));
            ui.label(format!("Save {}, or lose the changes since it was saved last.", open.plan.display()));
            ui.add_space(space::S);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                saves = primary(ui, Icon::Check, "Save", true).clicked();
                discards = button(ui, Icon::Trash, "Do not save", true).clicked();
                if button(ui, Icon::Reset, "Stay", true).clicked() {
                    wish = Stays::Close;
                }
            });
            wish
        });
        if saves {
            // The step follows once the file is written; where that fails, a message tells why.
            requests.notices.extend(open.save_now(ctx));
        }
        if discards || saves && !open.is_unsaved() {
            match self.waiting.take() {
                Some(Next::CloseWindow) => requests.closes_window = true,
                Some(next) => {
                    self.open = None;
                    self.go(ctx, next);
                }
                None => {}
            }
        } else if saves || closes(&response) {
            self.waiting = None;
        }
    }
}

fn open_dialog() -> Id {
    Id::unique("open a campaign")
}

fn save_dialog() -> Id {
    Id::unique("save a plan")
}
