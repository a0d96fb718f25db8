//! Slow operations such as reading files, in threads of their own.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use egui::Context;
use gridwright_core::result::Encoded;
use gridwright_core::search::driver::guarded;
use gridwright_core::text::sheets;
use gridwright_core::{Error, project, registry as problems};

use super::command::Command;
use super::importing::{Importable, importable};
use super::{App, Failure, short_name};
use crate::file_dialog::{self, FileRequest, Mode};
pub(crate) use crate::later::Later;
use crate::problem::{OpenRequest, OpenedDocument, ProblemUi};
use crate::projects;
use crate::registry;
use crate::widgets::notice::Notice;
use gridwright_core::recognition::{not_an_instance, with_alternatives};

pub(crate) struct Loading {
    pub(super) source: String,
    pub(super) began: Instant,
    options: BTreeMap<String, String>,
    answer: Later<Result<OpenedDocument, (Error, Importable)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Open,
    Export,
    Import,
    /// Fresh versions of the tables of the open document.
    Update,
    /// The project that the import dialog makes.
    ImportTarget,
    Project,
    /// The instance of a project that names a file which is no longer there.
    Locate,
    /// A widget that asked with [`file_dialog::request`].
    Widget(egui::Id),
}

/// The endings of the files that a problem reads; whoever has tables reads workbooks.
fn endings(problem: &ProblemUi) -> Vec<&'static str> {
    let workbooks = sheets::ENDINGS.iter().filter(|_| !problem.descriptor().tables.is_empty());
    problem.endings.iter().chain(workbooks).copied().collect()
}

/// The endings of everything that can be opened, each once.
pub fn openable() -> Vec<&'static str> {
    let of_problems = registry::problems().flat_map(endings);
    let mut all: Vec<&str> = of_problems.chain([project::ENDING, RESULT, SOLUTION]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

const RESULT: &str = "ron";

const SOLUTION: &str = "sol";

impl App {
    /// Opens a file or a sample in a thread.
    pub(super) fn load(&mut self, ctx: &Context, source: String, options: BTreeMap<String, String>) {
        // Recent files are found again from wherever the program is started next.
        let source = problems::completed(&source).unwrap_or_else(|| projects::absolute(source.trim()));
        if source.is_empty() || self.take_solution(&source) {
            return;
        }
        let mut answer = Later::default();
        let (services, store, name) = (self.services.clone(), self.own_store(), source.clone());
        let settings: BTreeMap<&str, Encoded> = registry::problems()
            .filter_map(|problem| Some((problem.problem.id(), self.settings_for(problem.problem.id())?)))
            .collect();
        let given = options.clone();
        let is_guided = self.is_guided();
        let former = self.state.recent.iter().find(|recent| recent.source == source && !is_guided);
        let former = former.map(|recent| recent.key.clone());
        let located = self.located.take().filter(|(of, _)| *of == source).map(|(_, path)| path);
        answer.begin(ctx, "load", move || {
            if let Some(refused) = not_an_instance(&name) {
                return Err((refused, Importable::No));
            }
            let problem = problems::owner(&name);
            let ui = registry::ui_of(problem).map_err(|error| (error, Importable::No))?;
            let options = given.into_iter().collect();
            let settings = settings.get(ui.problem.id());
            let (former, located) = (former.as_deref().filter(|key| !key.is_empty()), located.as_deref());
            let (source, options) = (name.as_str(), &options);
            let request =
                OpenRequest { source, options, services: &services, store: &store, settings, former, located };
            (ui.open_document)(&request)
                .map_err(|error| (with_alternatives(error, &name, problem), importable(Path::new(&name))))
        });
        self.failure = None;
        // An answer to an earlier question is no longer wanted.
        self.loading = Some(Loading { source, began: Instant::now(), options, answer });
    }

    /// Lists a solution file of what is open as a run; returns `false` if the file is none.
    fn take_solution(&mut self, source: &str) -> bool {
        let store = self.own_store();
        let Some(open) = self.open.as_deref_mut() else { return false };
        let taken = open.take_solution(&gridwright_core::source::path(source), &store);
        match taken {
            None => return false,
            Some(Ok(notice)) => self.notices.push(notice),
            Some(Err(why)) => self.notices.push(Notice::error(format!("{} was not read", short_name(source)), why)),
        }
        true
    }

    pub(super) fn take_loaded(&mut self) {
        let Some(loading) = &mut self.loading else { return };
        let Some(answer) = loading.answer.take_result() else { return };
        let (source, options) = (loading.source.clone(), loading.options.clone());
        self.loading = None;
        match answer {
            Ok(Ok((document, notices))) => {
                self.notices.leave_document();
                if self.is_guided() {
                    self.show_lesson(document);
                } else {
                    self.show_document(document, options);
                }
                self.tell_opening(notices);
            }
            // A table whose header says nothing to the program may say something to the person.
            Ok(Err((_, Importable::UnknownHeader))) => {
                self.commands.push(Command::Import(Some(source)));
            }
            Ok(Err((error, importable))) => {
                let (text, importable) = (error.to_string(), importable == Importable::BadLines);
                let missing = match error {
                    Error::Missing { option, proposal, .. } => Some((option, proposal)),
                    _ => None,
                };
                self.failure = Some(Failure { source, text, importable, missing });
            }
            Err(why) => {
                let text = format!("{}: reading broke off ({why}); please report the file", short_name(&source));
                self.failure = Some(Failure { source, text, importable: false, missing: None });
            }
        }
    }

    pub(super) fn pick_file(&mut self, ctx: &Context) {
        let request =
            FileRequest::new(Mode::OpenFile, "Open an instance").filter("All that can be opened", &openable());
        let add = |request: FileRequest, problem: &ProblemUi| {
            request.filter(problem.problem.nouns().heading, &endings(problem))
        };
        let request = registry::problems().fold(request, add).filter("Projects", &[project::ENDING]);
        self.pick(ctx, Purpose::Open, request.filter("Results and solutions", &[RESULT, SOLUTION]).all_files());
    }

    /// Asks for the file of the instance of a project that could not be opened.
    pub(super) fn pick_instance(&mut self, ctx: &Context) {
        let request = FileRequest::new(Mode::OpenFile, "Locate the file of the instance");
        self.pick(ctx, Purpose::Locate, request.all_files());
    }

    pub(super) fn pick_target(&mut self, ctx: &Context, path: &Path, name: &str, ending: &str) {
        let request = FileRequest::new(Mode::SaveFile, "Export").filter(name, &[ending]).at(path);
        self.pick(ctx, Purpose::Export, request);
    }

    pub(super) fn pick_tables(&mut self, ctx: &Context) {
        let endings = [&["csv", "tsv", "tab", "txt"], sheets::ENDINGS.as_slice()].concat();
        let request = FileRequest::new(Mode::OpenFiles, "Choose files with tables").filter("Tables", &endings);
        self.pick(ctx, Purpose::Import, request.all_files());
    }

    pub(super) fn pick_update(&mut self, ctx: &Context) {
        let request = FileRequest::new(Mode::OpenFiles, "Choose fresh versions of the files");
        self.pick(ctx, Purpose::Update, request.filter("All that can be opened", &openable()).all_files());
    }

    /// Asks for the file of the project that an import makes.
    pub(super) fn pick_import_target(&mut self, ctx: &Context) {
        let target = self.importing.as_ref().map(|dialog| dialog.target().to_owned()).unwrap_or_default();
        let request = FileRequest::new(Mode::SaveFile, "Keep the imported project").at(Path::new(&target));
        self.pick(ctx, Purpose::ImportTarget, request.filter("Projects", &[project::ENDING]));
    }

    /// Asks where a project is to be kept.
    pub(super) fn pick_project_file(&mut self, ctx: &Context, path: &Path) {
        let request =
            FileRequest::new(Mode::SaveFile, "Save the project").filter("Projects", &[project::ENDING]).at(path);
        self.pick(ctx, Purpose::Project, request);
    }

    fn pick(&mut self, ctx: &Context, purpose: Purpose, request: FileRequest) {
        if !self.file_dialogs.is_open() {
            self.picking = Some(purpose);
            self.file_dialogs.begin(ctx, request, self.services.dialogs);
        }
    }

    pub(super) fn take_picked(&mut self, ctx: &Context) {
        if let Some((asker, request)) = file_dialog::take_request(ctx) {
            self.pick(ctx, Purpose::Widget(asker), request);
        }
        let Some(paths) = self.file_dialogs.poll(ctx) else { return };
        let Some(purpose) = self.picking.take() else { return };
        if let Purpose::Widget(asker) = purpose {
            file_dialog::answer(ctx, asker, paths);
            return;
        }
        if purpose == Purpose::Update && !paths.is_empty() {
            self.commands.push(Command::Update(paths));
            return;
        }
        for path in paths {
            match purpose {
                Purpose::Open => self.commands.push(Command::load(path.display().to_string())),
                Purpose::Export => self.set_export_path(&path),
                Purpose::Import => self.add_import_file(&path),
                Purpose::ImportTarget => self.set_import_target(&path),
                Purpose::Project => {
                    self.dialog = None;
                    self.set_project_file(ctx, &path);
                }
                Purpose::Locate => {
                    if let Some(failure) = &self.failure {
                        self.located = Some((failure.source.clone(), path));
                        self.commands.push(Command::load(failure.source.clone()));
                    }
                }
                Purpose::Update | Purpose::Widget(_) => {}
            }
        }
    }
}

impl App {
    /// Finds out in a thread which recent files are no longer there.
    pub(super) fn look_for_files(&mut self, ctx: &Context) {
        if let Some(missing) = self.looking.take() {
            self.missing = missing;
        }
        if std::mem::take(&mut self.look_again) {
            let sources: Vec<String> = self.state.recent.iter().map(|recent| recent.source.clone()).collect();
            let exists = self.services.exists.clone();
            self.looking.begin(ctx, "recent files", move || {
                let gone = |source: &String| !problems::is_generated(source) && !exists(source);
                sources.into_iter().filter(gone).collect()
            });
        }
    }

    /// Shows a folder, or the folder of a file, in the system's file manager.
    pub(super) fn show_folder(&mut self, ctx: &Context, path: &std::path::Path) {
        let folder = if path.is_file() { path.parent().unwrap_or(path) } else { path };
        if !folder.is_dir() {
            let text = format!("{} is not there yet; it is made when the first run is kept.", folder.display());
            self.notices.push(Notice::warning("There is no folder to show", text));
            return;
        }
        if let Err(error) = open::that_detached(folder) {
            let text = format!("No file manager could be started ({error}); the path is on the clipboard.");
            ctx.copy_text(folder.display().to_string());
            self.notices.push(Notice::warning("The folder could not be shown", text));
        }
    }
}

type Work = Box<dyn FnOnce() + Send>;

/// One thread for all preferences, so that they are written in the order in which they were asked for.
fn clerk() -> Sender<Work> {
    static CLERK: Mutex<Option<Sender<Work>>> = Mutex::new(None);
    let mut clerk = CLERK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let sender = clerk.get_or_insert_with(|| {
        let (sender, receiver) = channel::<Work>();
        // Without a thread the channel closes and sends below do the work themselves.
        let _ = std::thread::Builder::new().name("preferences".to_owned()).spawn(move || {
            for work in receiver {
                let _ = guarded(|| {
                    work();
                    Ok(())
                });
            }
        });
        sender
    });
    sender.clone()
}

/// Queues short work with a file for the thread that saves, which does it after all that was queued before.
pub(crate) fn save_in_order(work: impl FnOnce() + Send + 'static) {
    if let Err(refused) = clerk().send(Box::new(work)) {
        (refused.0)();
    }
}

/// Waits until everything that was asked for is done, at most some seconds.
pub fn wait_for_saves() {
    let (sender, receiver) = channel();
    save_in_order(move || {
        // The one who waits may have lost patience.
        let _ = sender.send(());
    });
    let _ = receiver.recv_timeout(Duration::from_secs(3));
}
