//! An open campaign: its plan as text, the check of the text, the runs and the thread that performs them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use egui::Context;
use gridwright_core::numbers::{counted, duration};

use super::board::RunState;
use super::check::{self, Fault, PlanFile};
use super::editor::Editor;
use super::form::Form;
use super::runner::{self, Job, SharedBoard, lock};
use super::summary::Summaries;
use super::{board::Board, figures, grid};
use crate::later::Later;
use crate::widgets::notice::{Action, Notice};
use crate::work::{State, Work};

/// Pause after the last change of the text before it is checked.
const CHECK_AFTER: Duration = Duration::from_millis(400);

/// The window looks at a campaign that goes on at least so often, for the time that is left.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Part of the view of an open campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
pub(crate) enum Tab {
    #[default]
    Plan,
    Runs,
    Tables,
    Plots,
    /// Failed runs with their reasons.
    Failed,
}

/// Activity of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Nothing is performed.
    Idle,
    /// Runs are performed.
    Running,
    /// The runs wait for the end of a pause.
    Paused,
    /// The runs are being ended.
    Stopping,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    File,
    /// A plan that ships with the program.
    Shipped,
    /// The form, in which the person has written the plan.
    Form,
}

/// Runs of a plan, and its form or why the form cannot hold the plan.
type CheckedPlan = (Board, Result<Form, String>);

pub(crate) struct OpenCampaign {
    /// File of the plan.
    pub plan: PathBuf,
    /// Folder of the rows.
    pub folder: PathBuf,
    pub(crate) editor: Editor,
    /// Part that is shown.
    pub tab: Tab,
    /// Scroll position of the grid and the cell with the keyboard's cursor.
    pub grid: grid::View,
    /// Figures in the colours of the theme.
    pub figures: figures::Cache,
    /// Report and expected time.
    pub(crate) summaries: Summaries,
    /// Text that the file of the plan holds; `None` if the plan has no file yet.
    saved: Option<String>,
    /// True once the window has been asked to remember the plan.
    is_remembered: bool,
    /// Text of a shipped plan, which is never lost.
    shipped: Option<String>,
    saving: Later<gridwright_core::Result<String>>,
    /// Text that was checked last, and that is being checked.
    checked: String,
    asked: String,
    checking: Later<Result<CheckedPlan, Fault>>,
    changed_at: Option<Instant>,
    fault: Option<Fault>,
    /// The form of the checked text, or why the form cannot hold it.
    form: Option<Result<Form, String>>,
    board: Option<SharedBoard>,
    work: Option<Work<bool>>,
    /// Number of runs that count as ended and as failed when the work begins.
    began_with: (usize, usize),
    /// Why the last work broke off.
    broken: Option<String>,
}

impl OpenCampaign {
    pub(super) fn new(file: PlanFile, origin: Origin) -> Self {
        let PlanFile { plan, folder, text } = file;
        Self {
            plan,
            folder,
            saved: (origin == Origin::File).then(|| text.clone()),
            is_remembered: false,
            shipped: (origin == Origin::Shipped).then(|| text.clone()),
            editor: Editor::new(text),
            tab: Tab::default(),
            grid: grid::View::default(),
            figures: figures::Cache::default(),
            summaries: Summaries::default(),
            saving: Later::default(),
            checked: String::new(),
            asked: String::new(),
            checking: Later::default(),
            changed_at: None,
            fault: None,
            form: None,
            board: None,
            work: None,
            began_with: (0, 0),
            broken: None,
        }
    }

    /// Name of the campaign: that of its plan, or of its file while the plan has a fault.
    pub(super) fn name(&self) -> String {
        let named = self.board.as_ref().map(|board| lock(board).campaign.name.clone()).filter(|name| !name.is_empty());
        named.unwrap_or_else(|| self.plan.file_stem().unwrap_or_default().to_string_lossy().into_owned())
    }

    /// The runs of the last text without a fault; `None` before one was checked.
    pub(crate) fn board(&self) -> Option<&SharedBoard> {
        self.board.as_ref()
    }

    /// Fault of the present text.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The form with the entries of the present text.
    ///
    /// # Errors
    /// Why there is none, in a sentence.
    pub(crate) fn form(&self) -> Result<&Form, String> {
        match &self.form {
            _ if self.is_checking() => Err("The plan is being checked.".to_owned()),
            _ if self.fault.is_some() => Err("The plan has a fault; put it right first.".to_owned()),
            Some(Ok(form)) => Ok(form),
            Some(Err(why)) => Err(format!("The form cannot hold this plan: {why}. Change it as text here.")),
            None => Err("The plan is being checked.".to_owned()),
        }
    }

    /// Why the last work broke off; `None` once another one has begun.
    pub(super) fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Returns `true` while the text differs from the file of the plan.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.saved.as_deref() != Some(self.editor.text())
    }

    /// Returns `true` if changes of the person would be lost without saving.
    pub(crate) fn would_lose(&self) -> bool {
        self.is_unsaved() && self.shipped.as_deref() != Some(self.editor.text())
    }

    /// Path of the plan once it has a file, for the list of recent ones; `None` after the first call.
    pub(crate) fn take_path(&mut self) -> Option<String> {
        let is_new = self.saved.is_some() && !std::mem::replace(&mut self.is_remembered, self.saved.is_some());
        is_new.then(|| self.plan.display().to_string())
    }

    /// Returns `true` while the text has not been checked.
    pub(crate) fn is_checking(&self) -> bool {
        self.checked != self.editor.text()
    }

    pub(super) fn activity(&self) -> Activity {
        match self.work.as_ref().map(Work::control) {
            None => Activity::Idle,
            Some(control) if control.is_cancelled() => Activity::Stopping,
            Some(control) if control.is_paused() => Activity::Paused,
            Some(_) => Activity::Running,
        }
    }

    /// Checks that runs can be started; `retries` repeats those that failed.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn may_start(&self, retries: bool) -> Result<(), &'static str> {
        if self.work.is_some() {
            return Err("The campaign goes on already");
        }
        if self.is_checking() {
            return Err("The plan is being checked");
        }
        let Some(board) = self.board.as_ref().filter(|_| self.fault.is_none()) else {
            return Err("The plan has a fault; the tab “Plan” shows it");
        };
        let board = lock(board);
        let failed = if retries { board.count(RunState::Failed) } else { 0 };
        if board.ended() - failed == board.total() { Err("All runs have ended") } else { Ok(()) }
    }

    /// Saves the plan and performs the runs that have no row yet.
    pub(super) fn start(&mut self, ctx: &Context, retries: bool) {
        if self.may_start(retries).is_err() {
            return;
        }
        let Some(board) = &self.board else { return };
        let (ctx, locked) = (ctx.clone(), lock(board));
        let (ended, failed) = (locked.ended(), locked.count(RunState::Failed));
        self.began_with = if retries { (ended - failed, 0) } else { (ended, failed) };
        drop(locked);
        let job = Job {
            plan: self.plan.clone(),
            known: self.saved.clone(),
            folder: self.folder.clone(),
            retries,
            board: Arc::clone(board),
        };
        (self.broken, self.tab) = (None, Tab::Runs);
        self.work = Some(runner::start(job, Arc::new(move || ctx.request_repaint())));
    }

    pub(super) fn pause(&self) {
        let Some(control) = self.work.as_ref().map(Work::control) else { return };
        if control.is_paused() { control.resume() } else { control.pause() }
    }

    /// Ends the campaign; runs that have ended are kept.
    pub(super) fn stop(&self) {
        if let Some(work) = &self.work {
            work.stop();
        }
    }

    /// Waits for the end of the campaign, at most so long.
    pub(super) fn wait(&self, patience: Duration) {
        let began = Instant::now();
        while self.work.as_ref().is_some_and(Work::is_going) && began.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Writes the plan to its file.
    pub(super) fn save(&mut self, ctx: &Context) {
        let (plan, text, known) = (self.plan.clone(), self.editor.text().to_owned(), self.saved.clone());
        self.saving.begin(ctx, "save plan", move || check::save(&plan, &text, known.as_deref()).map(|()| text));
    }

    /// Keeps the plan in another file from now on; the rows go into the folder of that name.
    pub(crate) fn save_as(&mut self, ctx: &Context, plan: &Path) {
        if self.work.is_some() {
            return;
        }
        let plan = if plan.extension().is_some() { plan.to_path_buf() } else { plan.with_extension("ron") };
        (self.folder, self.saved, self.is_remembered) = (check::folder_of(&plan), None, false);
        let is_same = self.plan == plan;
        self.plan = plan;
        // The dialog has asked before it names a file that exists.
        let (plan, text) = (self.plan.clone(), self.editor.text().to_owned());
        self.saving
            .begin(ctx, "save plan", move || gridwright_core::files::write(&plan, text.as_bytes()).map(|()| text));
        if !is_same {
            self.checked.clear();
        }
    }

    /// Takes in what threads have to say; returns messages for the person.
    pub(crate) fn poll(&mut self, ctx: &Context) -> Vec<Notice> {
        let mut notices = Vec::new();
        notices.extend(self.take_saved());
        self.poll_check(ctx);
        notices.extend(self.poll_work(ctx));
        if let Some(board) = &self.board {
            self.summaries.poll(ctx, &lock(board), &self.folder);
        }
        notices
    }

    /// Takes the result of saving; returns the message where the plan was not saved.
    fn take_saved(&mut self) -> Option<Notice> {
        let why = match self.saving.take_result()? {
            Ok(Ok(text)) => {
                self.saved = Some(text);
                return None;
            }
            Ok(Err(error)) => error.to_string(),
            Err(why) => why,
        };
        Some(Notice::error("The plan was not saved", why).of_program())
    }

    /// Saves the plan and waits for that, at most some seconds; returns the message where it was not saved.
    pub(crate) fn save_now(&mut self, ctx: &Context) -> Option<Notice> {
        const PATIENCE: Duration = Duration::from_secs(3);
        self.save(ctx);
        let began = Instant::now();
        while self.is_unsaved() && self.saving.is_busy() && began.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
            if let Some(notice) = self.take_saved() {
                return Some(notice);
            }
        }
        None
    }

    /// Checks the text some moments after its last change.
    fn poll_check(&mut self, ctx: &Context) {
        if let Some(answer) = self.checking.take_result() {
            self.checked = std::mem::take(&mut self.asked);
            match answer {
                Ok(Ok((board, form))) => {
                    (self.board, self.fault) = (Some(Arc::new(Mutex::new(board))), None);
                    self.form = Some(form);
                    (self.summaries, self.grid) = (Summaries::default(), grid::View::default());
                }
                Ok(Err(fault)) => self.fault = Some(fault),
                Err(why) => self.fault = Some(Fault::elsewhere(format!("the check broke off: {why}"))),
            }
        }
        if self.editor.take_change() {
            self.changed_at = Some(Instant::now());
        }
        if !self.is_checking() || self.checking.is_busy() || self.work.is_some() {
            return;
        }
        let since = self.changed_at.map_or(CHECK_AFTER, |at| at.elapsed());
        if since < CHECK_AFTER {
            ctx.request_repaint_after(CHECK_AFTER - since);
            return;
        }
        let (plan, folder, text) = (self.plan.clone(), self.folder.clone(), self.editor.text().to_owned());
        self.asked.clone_from(&text);
        self.checking.begin(ctx, "check plan", move || {
            let board = check::check(PlanFile { plan: plan.clone(), folder, text })?;
            let form = Form::of_campaign(&plan, &board.campaign);
            Ok((board, form))
        });
    }

    /// Looks at the thread that performs the runs; tells its end.
    fn poll_work(&mut self, ctx: &Context) -> Option<Notice> {
        let work = self.work.as_ref()?;
        if work.look(|is_saved, _| *is_saved) {
            self.saved = Some(self.editor.text().to_owned());
        }
        let (state, was_stopped) = (work.state(), work.control().is_cancelled());
        if state == State::Going {
            if !work.control().is_paused() {
                ctx.request_repaint_after(LOOK_EVERY);
            }
            return None;
        }
        self.work = None;
        let mut board = lock(self.board.as_ref()?);
        board.end();
        let (done, failed) = (board.ended(), board.count(RunState::Failed));
        let left = board.total() - done;
        drop(board);
        let name = self.name();
        Some(match state {
            State::Failed(why) => {
                self.broken = Some(why.clone());
                Notice::error(format!("The campaign {name} broke off"), why).of_program()
            }
            _ if was_stopped && left > 0 => {
                let text = format!("{} are left; “Start” goes on.", counted(left as u64, "run"));
                Notice::success(format!("The campaign {name} was stopped"), text).of_program()
            }
            _ => {
                let ended = counted(done.saturating_sub(self.began_with.0) as u64, "run");
                let failed = failed.saturating_sub(self.began_with.1);
                let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
                let folder = self.folder.clone();
                Notice::success(format!("The campaign {name} is done"), format!("{ended} ended{failures}."))
                    .offering(Action::ShowFolder(folder))
                    .of_program()
            }
        })
    }

    /// State of the campaign in words: fault, or number of runs and expected time.
    pub(super) fn words(&self) -> String {
        if let Some(fault) = self.fault.as_ref().filter(|_| !self.is_checking()) {
            return match fault.place {
                Some((line, column)) => format!("The plan has a fault in line {line}, column {column}"),
                None => fault.text.clone(),
            };
        }
        let Some(board) = &self.board else { return "The plan is being checked".to_owned() };
        let board = lock(board);
        let (ended, total) = (board.ended(), board.total());
        let mut words = match ended {
            0 => counted(total as u64, "run"),
            _ => format!("{ended} of {}", counted(total as u64, "run")),
        };
        for state in [RunState::Running, RunState::Infeasible, RunState::Failed] {
            let count = board.count(state);
            if count > 0 {
                words.push_str(&format!(", {count} {}", state.word()));
            }
        }
        words
    }

    /// Expected time of the runs that are left, in words; empty where all have ended.
    pub(crate) fn time_left(&self) -> String {
        let Some(board) = &self.board else { return String::new() };
        let board = lock(board);
        let has_ended = board.ended() == board.total();
        drop(board);
        if has_ended || self.fault.is_some() {
            return String::new();
        }
        match self.summaries.latest().map(|summary| summary.seconds_left) {
            Some(Some(seconds)) => format!("about {} left", duration(seconds)),
            Some(None) => "time unknown until runs have ended".to_owned(),
            None => String::new(),
        }
    }

    /// Share of the runs that have ended, 0…1.
    pub(super) fn share(&self) -> f32 {
        self.board.as_ref().map_or(0.0, |board| {
            let board = lock(board);
            board.ended() as f32 / board.total().max(1) as f32
        })
    }
}
