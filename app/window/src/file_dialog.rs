//! File dialogs: the system's, or one of the program's own where the system has none.
//!
//! [`FileDialogs`] is the one place that decides. The window holds one and asks through it; widgets that do not know the window
//! leave a request with [`request`] and take the answer with [`take_answer`].

mod browser;
mod keyboard;
mod listing;
mod system;
mod view;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use browser::Browser;
use egui::{Context, Id};

use crate::later::Later;

/// A dialog that answers faster than a person can was never shown.
const NO_DIALOG: Duration = Duration::from_millis(250);

/// Kind of a file dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Chooses one file that exists.
    OpenFile,
    /// Chooses any number of files that exist.
    OpenFiles,
    /// Chooses the path of a file to write.
    SaveFile,
    /// Chooses one folder that exists.
    OpenFolder,
}

/// Files that a dialog lists together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Name that the person reads.
    pub name: String,
    /// Endings without a dot, in lower case; empty for all files.
    pub endings: Vec<String>,
}

/// A file dialog to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRequest {
    mode: Mode,
    title: String,
    filters: Vec<Filter>,
    folder: Option<PathBuf>,
    name: String,
}

impl FileRequest {
    /// A request without filters and without a folder to begin with.
    pub fn new(mode: Mode, title: &str) -> Self {
        Self { mode, title: title.to_owned(), filters: Vec::new(), folder: None, name: String::new() }
    }

    /// Adds a filter; the first one is chosen at the beginning.
    #[must_use]
    pub fn filter(mut self, name: &str, endings: &[&str]) -> Self {
        let endings = endings.iter().map(|ending| (*ending).to_owned()).collect();
        self.filters.push(Filter { name: name.to_owned(), endings });
        self
    }

    /// Adds a filter that lists all files.
    #[must_use]
    pub fn all_files(self) -> Self {
        self.filter("All files", &[])
    }

    /// Begins with the folder and the name of a path, as far as they exist.
    #[must_use]
    pub(crate) fn at(mut self, path: &Path) -> Self {
        self.folder = path.parent().filter(|folder| folder.is_dir()).map(Path::to_path_buf);
        self.name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self
    }
}

/// Answer of the system's dialog.
enum Answer {
    /// Paths that were chosen; empty if the person chose none.
    Chosen(Vec<PathBuf>),
    NoDialog,
}

enum Open {
    /// The system's dialog, and what is asked if it turns out that the system has none.
    System { request: FileRequest, began: Instant, answer: Later<Answer> },
    /// The built-in dialog.
    BuiltIn(Box<Browser>),
}

/// The file dialog of a window, one at a time.
#[derive(Default)]
pub(crate) struct FileDialogs {
    open: Option<Open>,
    last_folder: Option<PathBuf>,
}

impl FileDialogs {
    /// Opens a dialog unless one is open; `system` allows the system's.
    pub(crate) fn begin(&mut self, ctx: &Context, mut request: FileRequest, system: bool) {
        if self.open.is_some() {
            return;
        }
        request.folder = request.folder.or_else(|| self.last_folder.clone().filter(|folder| folder.is_dir()));
        if !system {
            self.open = Some(Open::BuiltIn(Box::new(Browser::new(ctx, request))));
            return;
        }
        let mut answer = Later::default();
        let asked = request.clone();
        answer.begin(ctx, "file dialog", move || match system::is_available() {
            true => Answer::Chosen(system::show(&asked)),
            false => Answer::NoDialog,
        });
        self.open = Some(Open::System { request, began: Instant::now(), answer });
    }

    /// Returns `true` while a dialog is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Returns `true` while the built-in dialog covers the window.
    pub(crate) fn covers_window(&self) -> bool {
        matches!(self.open, Some(Open::BuiltIn(_)))
    }

    /// Takes keys for the built-in dialog before anything else sees them. Returns the chosen paths once a dialog has ended;
    /// none if the person chose none.
    pub(crate) fn poll(&mut self, ctx: &Context) -> Option<Vec<PathBuf>> {
        let chosen = match self.open.as_mut()? {
            Open::System { request, began, answer } => match answer.take_result()? {
                Ok(Answer::Chosen(paths)) if !paths.is_empty() || began.elapsed() >= NO_DIALOG => paths,
                _ => {
                    self.open = Some(Open::BuiltIn(Box::new(Browser::new(ctx, request.clone()))));
                    return None;
                }
            },
            Open::BuiltIn(browser) => {
                browser.poll(ctx);
                browser.take_answer()?
            }
        };
        self.open = None;
        if let Some(path) = chosen.first() {
            self.note_folder(path);
        }
        Some(chosen)
    }

    /// Folder of the file that was chosen or written last; `None` at first.
    pub(crate) fn last_folder(&self) -> Option<&Path> {
        self.last_folder.as_deref()
    }

    /// Notes that a file was chosen or written here.
    pub(crate) fn note_folder(&mut self, path: &Path) {
        if let Some(folder) = path.parent() {
            self.last_folder = Some(folder.to_path_buf());
        }
    }

    /// Draws the built-in dialog, if it is open, above everything that was drawn before.
    pub(crate) fn show(&mut self, ctx: &Context) {
        if let Some(Open::BuiltIn(browser)) = &mut self.open {
            view::show(browser, ctx);
        }
    }
}

/// Requests of widgets that do not know the window, each with the identifier of the widget.
fn requests() -> Id {
    Id::unique("requests of file dialogs")
}

/// Asks the window for a file; the answer is taken with [`take_answer`] under this identifier.
pub fn request(ctx: &Context, asker: Id, request: FileRequest) {
    ctx.data_mut(|data| data.insert_temp(requests(), Some((asker, request))));
    ctx.request_repaint();
}

/// The request that a widget left, once.
pub(crate) fn take_request(ctx: &Context) -> Option<(Id, FileRequest)> {
    ctx.data_mut(|data| data.remove_temp::<Option<(Id, FileRequest)>>(requests())).flatten()
}

/// Leaves the answer for the widget that asked.
pub(crate) fn answer(ctx: &Context, asker: Id, paths: Vec<PathBuf>) {
    ctx.data_mut(|data| data.insert_temp(asker.with("answer of a file dialog"), paths));
    ctx.request_repaint();
}

/// The answer for a widget, once: the chosen paths, none if the person chose none.
pub fn take_answer(ctx: &Context, asker: Id) -> Option<Vec<PathBuf>> {
    ctx.data_mut(|data| data.remove_temp(asker.with("answer of a file dialog")))
}
