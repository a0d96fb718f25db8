//! State of the built-in file dialog: the folder, the list, the chosen files and the path or name that is typed.
//!
//! Folders are read in threads. Nothing here draws; `view.rs` does, and `keyboard.rs` holds the keys.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui::{Context, Id};
use gridwright_core::files;

use super::listing::{self, Entry, Place, SortBy};
use super::{FileRequest, Filter, Mode};
use crate::later::Later;
use crate::widgets::table::SortOrder;

/// Most completions of a typed path that are shown.
const COMPLETIONS: usize = 8;

#[derive(Debug, Default)]
struct Folder {
    path: PathBuf,
    entries: Vec<Entry>,
    error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    List,
    Path,
    Name,
    NewFolder,
}

impl Part {
    pub(super) fn id(self) -> Id {
        Id::unique(("file dialog", self as u8))
    }
}

/// A built-in file dialog that is open.
pub(super) struct Browser {
    pub(super) request: FileRequest,
    folder: Folder,
    /// The folder that is being read, with the name of the entry to put the cursor on.
    reading: Later<Folder>,
    stand_on: Option<String>,
    places: Vec<Place>,
    reading_places: Later<Vec<Place>>,
    /// Folder of the typed path, read for completions.
    typed_folder: Folder,
    reading_typed: Later<Folder>,
    /// Indices of the listed entries.
    listed: Vec<usize>,
    pub(super) filter: usize,
    pub(super) order: SortOrder<SortBy>,
    pub(super) shows_hidden: bool,
    /// Position in the list.
    pub(super) cursor: Option<usize>,
    /// Position at which the marked range began.
    pub(super) anchor: usize,
    /// Marked files, where several can be chosen.
    marked: BTreeSet<PathBuf>,
    pub(super) path: String,
    /// True while completions of the path are shown.
    pub(super) shows_completions: bool,
    pub(super) name: String,
    /// Name of the folder that is being made.
    pub(super) new_folder: Option<String>,
    /// Why the last attempt failed.
    pub(super) error: Option<String>,
    /// File that exists and would be replaced, while the person is asked.
    pub(super) replaced: Option<PathBuf>,
    /// Part that gets the keyboard in the next frame.
    pub(super) wants_focus: Option<Part>,
    /// True once the cursor moved, until the list has scrolled to it.
    pub(super) scrolls: bool,
    /// Letters typed in the list, and when.
    pub(super) searched: (String, f64),
    answer: Option<Vec<PathBuf>>,
}

impl Browser {
    pub(super) fn new(ctx: &Context, request: FileRequest) -> Self {
        let user = directories::UserDirs::new();
        let documents = user.as_ref().and_then(|user| user.document_dir().map(Path::to_path_buf));
        let home = user.as_ref().map(|user| user.home_dir().to_path_buf());
        let usual = documents.filter(|folder| folder.is_dir()).or(home);
        let current = || std::env::current_dir().ok();
        let start = request.folder.clone().or(usual).or_else(current).unwrap_or_else(|| PathBuf::from("/"));
        let start = std::path::absolute(&start).unwrap_or(start);
        let (name, focus) =
            (request.name.clone(), if request.mode == Mode::SaveFile { Part::Name } else { Part::List });
        let mut browser = Self {
            request,
            folder: Folder::default(),
            reading: Later::default(),
            stand_on: None,
            places: Vec::new(),
            reading_places: Later::default(),
            typed_folder: Folder::default(),
            reading_typed: Later::default(),
            listed: Vec::new(),
            filter: 0,
            order: SortOrder::ascending(SortBy::Name),
            shows_hidden: false,
            cursor: None,
            anchor: 0,
            marked: BTreeSet::new(),
            path: String::new(),
            shows_completions: false,
            name,
            new_folder: None,
            error: None,
            replaced: None,
            wants_focus: Some(focus),
            scrolls: false,
            searched: Default::default(),
            answer: None,
        };
        browser.reading_places.begin(ctx, "places", listing::places);
        browser.go(ctx, start, None);
        browser
    }

    /// Shows another folder and puts the cursor on the entry of this name.
    pub(super) fn go(&mut self, ctx: &Context, folder: PathBuf, stand_on: Option<String>) {
        self.path = with_separator(&folder);
        (self.stand_on, self.error, self.replaced) = (stand_on, None, None);
        // Nothing of the folder that is left can be chosen meanwhile.
        self.take_folder(Folder { path: folder.clone(), ..Folder::default() });
        self.searched.0.clear();
        // An answer about an earlier folder is no longer wanted.
        self.reading = Later::default();
        self.reading.begin(ctx, "folder", move || read(folder));
    }

    /// Shows the parent folder and puts the cursor on the one that was shown.
    pub(super) fn go_up(&mut self, ctx: &Context) {
        let name = self.folder.path.file_name().map(|name| name.to_string_lossy().into_owned());
        if let Some(above) = self.folder.path.parent().map(Path::to_path_buf) {
            self.go(ctx, above, name);
        }
    }

    /// Takes in what threads have read, and keys.
    pub(super) fn poll(&mut self, ctx: &Context) {
        if let Some(places) = self.reading_places.take() {
            self.places = places;
        }
        match self.reading.take_result() {
            Some(Ok(folder)) => self.take_folder(folder),
            Some(Err(why)) => self.error = Some(format!("Reading the folder broke off: {why}.")),
            None => {}
        }
        if let Some(folder) = self.reading_typed.take() {
            self.typed_folder = folder;
        }
        self.take_keys(ctx);
    }

    fn take_folder(&mut self, folder: Folder) {
        self.folder = folder;
        self.marked.clear();
        self.list();
        self.cursor = self
            .stand_on
            .as_ref()
            .and_then(|name| (0..self.len()).find(|&row| self.row(row).is_some_and(|e| e.name == *name)));
        self.scrolls = true;
    }

    /// Lists anew after the filter, the order or the hidden files have changed; the cursor stays on its file.
    pub(super) fn list(&mut self) {
        let stood_on = self.cursor.and_then(|row| self.row(row)).map(|entry| entry.path.clone());
        self.listed = listing::listed(&self.folder.entries, self.filter(), self.shows_hidden, self.order);
        if self.request.mode == Mode::OpenFolder {
            self.listed.retain(|&index| self.folder.entries[index].is_folder);
        }
        self.cursor =
            stood_on.and_then(|path| (0..self.len()).find(|&row| self.row(row).is_some_and(|e| e.path == path)));
        self.scrolls = true;
    }

    pub(super) fn filter(&self) -> Option<&Filter> {
        self.request.filters.get(self.filter)
    }

    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// Why the folder is not listed.
    pub(super) fn folder_error(&self) -> Option<&str> {
        self.folder.error.as_deref()
    }

    pub(super) fn is_reading(&self) -> bool {
        self.reading.is_busy()
    }

    /// Number of rows of the list.
    pub(super) fn len(&self) -> usize {
        self.listed.len()
    }

    /// Number of entries that the filter or the setting for hidden files leaves out.
    pub(super) fn left_out(&self) -> usize {
        self.folder.entries.len() - self.listed.len()
    }

    pub(super) fn row(&self, row: usize) -> Option<&Entry> {
        self.folder.entries.get(*self.listed.get(row)?)
    }

    /// Returns `true` if a row is chosen: marked, or under the cursor.
    pub(super) fn is_chosen(&self, row: usize) -> bool {
        match self.marked.is_empty() {
            true => self.cursor == Some(row),
            false => self.row(row).is_some_and(|entry| self.marked.contains(&entry.path)),
        }
    }

    /// Puts the cursor on a row; with a name field, the file's name goes there.
    pub(super) fn stand_on(&mut self, row: usize) {
        (self.cursor, self.anchor, self.scrolls, self.error) = (Some(row), row, true, None);
        self.marked.clear();
        let file = self.row(row).filter(|entry| !entry.is_folder && self.request.mode == Mode::SaveFile);
        if let Some(name) = file.map(|entry| entry.name.clone()) {
            (self.name, self.replaced) = (name, None);
        }
    }

    /// Marks a file or takes its mark away, where several can be chosen.
    pub(super) fn toggle(&mut self, row: usize) {
        if self.request.mode != Mode::OpenFiles {
            return self.stand_on(row);
        }
        let stood = self.cursor.and_then(|row| self.row(row)).filter(|entry| !entry.is_folder);
        // What was chosen by the cursor alone stays chosen.
        let stood = stood.filter(|_| self.marked.is_empty()).map(|entry| entry.path.clone());
        let clicked = self.row(row).filter(|entry| !entry.is_folder).map(|entry| entry.path.clone());
        self.marked.extend(stood.filter(|path| Some(path) != clicked.as_ref()));
        if let Some(path) = clicked.filter(|path| !self.marked.remove(path)) {
            self.marked.insert(path);
        }
        (self.cursor, self.anchor, self.scrolls) = (Some(row), row, true);
    }

    /// Marks the files from the anchor to a row, where several can be chosen.
    pub(super) fn mark_to(&mut self, row: usize) {
        if self.request.mode != Mode::OpenFiles {
            return self.stand_on(row);
        }
        let range = self.anchor.min(row)..=self.anchor.max(row);
        let files = range.filter_map(|row| self.row(row)).filter(|entry| !entry.is_folder);
        self.marked = files.map(|entry| entry.path.clone()).collect();
        (self.cursor, self.scrolls) = (Some(row), true);
    }

    /// Marks all files, where several can be chosen.
    pub(super) fn mark_all(&mut self) {
        if self.request.mode == Mode::OpenFiles {
            let files = (0..self.len()).filter_map(|row| self.row(row)).filter(|entry| !entry.is_folder);
            self.marked = files.map(|entry| entry.path.clone()).collect();
        }
    }

    /// Number of files that would be opened.
    pub(super) fn chosen_files(&self) -> usize {
        let stood = self.cursor.and_then(|row| self.row(row)).filter(|entry| !entry.is_folder);
        if self.marked.is_empty() { usize::from(stood.is_some()) } else { self.marked.len() }
    }

    /// Returns `true` if the main button does something.
    pub(super) fn can_accept(&self) -> bool {
        match self.request.mode {
            Mode::SaveFile => !self.name.trim().is_empty() || self.stands_on_folder(),
            Mode::OpenFile | Mode::OpenFiles => !self.marked.is_empty() || self.cursor.is_some(),
            Mode::OpenFolder => self.folder.error.is_none(),
        }
    }

    fn stands_on_folder(&self) -> bool {
        self.cursor.and_then(|row| self.row(row)).is_some_and(|entry| entry.is_folder)
    }

    /// Opens the row under the cursor: enters a folder, chooses a file.
    pub(super) fn open_row(&mut self, ctx: &Context) {
        let Some(entry) = self.cursor.and_then(|row| self.row(row)) else { return };
        let (path, is_folder) = (entry.path.clone(), entry.is_folder);
        match self.request.mode {
            _ if is_folder => self.go(ctx, path, None),
            Mode::SaveFile => self.save_as(ctx, path),
            Mode::OpenFile | Mode::OpenFiles | Mode::OpenFolder => self.answer = Some(vec![path]),
        }
    }

    /// The main button.
    pub(super) fn accept(&mut self, ctx: &Context) {
        if let Some(path) = self.replaced.take() {
            self.answer = Some(vec![path]);
        } else if self.request.mode == Mode::SaveFile {
            match self.name.trim() {
                "" => self.open_row(ctx),
                name => self.save_as(ctx, listing::resolved(name, &self.folder.path)),
            }
        } else if self.request.mode == Mode::OpenFolder {
            // The folder under the cursor, or the one that is shown.
            let chosen = self.cursor.and_then(|row| self.row(row)).map(|entry| entry.path.clone());
            self.answer = Some(vec![chosen.unwrap_or_else(|| self.folder.path.clone())]);
        } else if !self.marked.is_empty() {
            self.answer = Some(self.marked.iter().cloned().collect());
        } else {
            self.open_row(ctx);
        }
    }

    /// Chooses a path to write, with the ending of the filter where it has none of its endings. Asks before a file is replaced.
    fn save_as(&mut self, ctx: &Context, path: PathBuf) {
        if path.is_dir() {
            self.name.clear();
            return self.go(ctx, path, None);
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let ending = self.filter().and_then(|filter| filter.endings.first());
        let path = match ending.filter(|_| !listing::passes(self.filter(), &name)) {
            Some(ending) => path.with_added_extension(ending),
            None => path,
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
            self.error = Some(format!("There is no folder {}. Choose one that exists, or make it.", folder.display()));
        } else if path.exists() {
            (self.replaced, self.error) = (Some(path), None);
        } else {
            self.answer = Some(vec![path]);
        }
    }

    /// Enter in the path field: enters a folder, chooses a file.
    pub(super) fn accept_path(&mut self, ctx: &Context) {
        let path = listing::resolved(&self.path, &self.folder.path);
        if path.is_dir() {
            self.wants_focus = Some(if self.request.mode == Mode::SaveFile { Part::Name } else { Part::List });
            self.go(ctx, path, None);
        } else if self.request.mode == Mode::SaveFile {
            self.save_as(ctx, path);
        } else if path.is_file() {
            self.answer = Some(vec![path]);
        } else {
            self.error = Some(format!("There is no file or folder {}.", path.display()));
        }
    }

    /// Reads the folder of the typed path, if it is another one, so that its names can be completed.
    pub(super) fn look_up_typed(&mut self, ctx: &Context) {
        self.error = None;
        let (folder, _) = listing::split_typed(&self.path, &self.folder.path);
        if folder != self.folder.path && folder != self.typed_folder.path {
            self.reading_typed = Later::default();
            self.reading_typed.begin(ctx, "completions", move || read(folder));
        }
    }

    /// Names that complete the typed path, each with `true` for a folder; empty where nothing is typed after the folder.
    pub(super) fn completions(&self) -> Vec<(String, bool)> {
        let (folder, begins) = listing::split_typed(&self.path, &self.folder.path);
        let known = [&self.folder, &self.typed_folder].into_iter().find(|known| same(&known.path, &folder));
        let Some(known) = known.filter(|_| !begins.is_empty()) else { return Vec::new() };
        let order = SortOrder::ascending(SortBy::Name);
        let listed = listing::listed(&known.entries, self.filter(), begins.starts_with('.'), order);
        let found = listing::completions(&known.entries, &listed, &begins, COMPLETIONS);
        found.into_iter().map(|index| (known.entries[index].name.clone(), known.entries[index].is_folder)).collect()
    }

    /// Completes the typed path as far as the possible names agree; returns `true` if the path changed.
    pub(super) fn complete(&mut self, ctx: &Context) -> bool {
        let found = self.completions();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let (_, begins) = listing::split_typed(&self.path, &self.folder.path);
        let shared = listing::shared_beginning(&names);
        let is_folder = matches!(found.as_slice(), [(_, true)]);
        if shared.chars().count() <= begins.chars().count() && !is_folder {
            return false;
        }
        self.put_name(ctx, &shared, is_folder);
        true
    }

    /// Puts a name at the end of the typed path.
    pub(super) fn put_name(&mut self, ctx: &Context, name: &str, is_folder: bool) {
        let (folder, _) = listing::split_typed(&self.path, &self.folder.path);
        let path = folder.join(name);
        self.path = if is_folder { with_separator(&path) } else { path.display().to_string() };
        self.look_up_typed(ctx);
    }

    pub(super) fn make_folder(&mut self, ctx: &Context) {
        let Some(name) = self.new_folder.take().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
        else {
            return;
        };
        let path = self.folder.path.join(&name);
        match files::create_new_folder(&path) {
            Ok(()) => {
                self.wants_focus = Some(if self.request.mode == Mode::SaveFile { Part::Name } else { Part::List });
                self.go(ctx, path, None);
            }
            Err(error) => {
                let why = match error.kind() {
                    std::io::ErrorKind::AlreadyExists => "a file or folder of this name exists already".to_owned(),
                    std::io::ErrorKind::PermissionDenied => "you may not write to this folder".to_owned(),
                    _ => error.to_string(),
                };
                self.error = Some(format!("The folder “{name}” was not made: {why}."));
            }
        }
    }

    /// Ends the dialog without an answer.
    pub(super) fn cancel(&mut self) {
        self.answer = Some(Vec::new());
    }

    /// The answer, once the dialog has ended.
    pub(super) fn take_answer(&mut self) -> Option<Vec<PathBuf>> {
        self.answer.take()
    }
}

fn read(path: PathBuf) -> Folder {
    match listing::read(&path) {
        Ok(entries) => Folder { path, entries, error: None },
        Err(error) => Folder { path, entries: Vec::new(), error: Some(error) },
    }
}

/// Compares folders without regard to a separator at their ends.
fn same(one: &Path, other: &Path) -> bool {
    one.components().eq(other.components())
}

/// The path of a folder as it is shown: with a separator at its end.
fn with_separator(folder: &Path) -> String {
    let text = folder.display().to_string();
    if text.ends_with(std::path::is_separator) { text } else { format!("{text}{}", std::path::MAIN_SEPARATOR) }
}
