//! The import dialog: files, columns, problems and summary in one window. Reading and counting happen in threads.

mod columns;
mod files;
mod problems;
mod summary;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Align, Context, Frame, Layout, Margin, Modal, Ui, vec2};
use gridwright_solver::timetabling::formats::import::{
    self, BadLines, Encoding, Mapped, Preview, Request, Sheet, TableKind, UnknownExams,
};

use crate::later::Later;
use crate::problem::{ImportRequest, Importer};
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, primary, tabs};
use crate::widgets::icons::Icon;

/// Action that the dialog requests from the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Opens the system's dialog to choose a file.
    Choose(TableKind),
    /// Opens the system's dialog to choose the folder.
    ChooseFolder,
    /// Closes the dialog.
    Close,
}

/// Steps of the import, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
enum Step {
    #[default]
    Files,
    Columns,
    Problems,
    Summary,
}

impl Step {
    const ALL: [Self; 4] = gridwright_solver::variants();
}

type ReadTable = (String, gridwright_solver::Result<Sheet>);

/// Input file of enrolments, exams or periods.
#[derive(Default)]
struct File {
    path: String,
    /// The path that is being or was read.
    asked: String,
    encoding: Option<Encoding>,
    delimiter: Option<u8>,
    reading: Later<ReadTable>,
    table: Option<Mapped>,
    error: Option<String>,
}

/// Preview of an import, and the request that it was counted for.
struct Counted {
    request: Request,
    preview: Preview,
}

/// The dialog while it is open.
#[derive(Default)]
pub struct Dialog {
    step: Step,
    /// True if the first preview moves the dialog to the step that needs attention.
    leads: bool,
    files: [File; 3],
    /// Files whose kind is still to be seen.
    dropped: VecDeque<PathBuf>,
    sorting: Later<ReadTable>,
    chosen: Vec<(TableKind, PathBuf)>,
    bad_lines: BadLines,
    unknown_exams: UnknownExams,
    folder: String,
    /// The proposed folder; any other one was chosen by the user.
    proposed: String,
    /// True if the preview is older than the last change.
    stale: bool,
    counting: Later<Counted>,
    counted: Option<Arc<Counted>>,
    writing: Later<gridwright_solver::Result<PathBuf>>,
    error: Option<String>,
    columns: columns::State,
    problems: problems::State,
}

impl Dialog {
    /// Creates the dialog for a table that could not be opened; it opens at the step that needs attention.
    pub fn of(ctx: &Context, table: &str) -> Self {
        let mut dialog = Self { leads: true, ..Self::default() };
        dialog.drop_file(PathBuf::from(table));
        // It is read at the next opportunity.
        ctx.request_repaint();
        dialog
    }

    fn file(&mut self, kind: TableKind) -> &mut File {
        &mut self.files[kind as usize]
    }

    fn table(&self, kind: TableKind) -> Option<&Mapped> {
        self.files[kind as usize].table.as_ref()
    }

    /// Sets the file of a table and starts to read it.
    pub fn set_path(&mut self, ctx: &Context, kind: TableKind, path: &str) {
        let file = self.file(kind);
        file.path = path.to_owned();
        (file.encoding, file.delimiter) = (None, None);
        self.read(ctx, kind);
    }

    /// As [`Dialog::set_path`], at the next opportunity.
    pub fn choose_later(&mut self, kind: TableKind, path: PathBuf) {
        self.chosen.push((kind, path));
    }

    /// Starts to read a file for the table that it seems to be.
    pub fn drop_file(&mut self, path: PathBuf) {
        self.dropped.push_back(path);
    }

    /// The folder into which the tables go.
    pub fn set_folder(&mut self, folder: &Path) {
        self.folder = folder.display().to_string();
    }

    /// Reads the file whose path stands in the field, as encoding and delimiter say.
    fn read(&mut self, ctx: &Context, kind: TableKind) {
        let file = self.file(kind);
        let path = file.path.trim().to_owned();
        // An answer to an earlier question is no longer wanted.
        file.reading = Later::default();
        (file.table, file.error) = (None, None);
        file.asked.clone_from(&path);
        if !path.is_empty() {
            let (encoding, delimiter) = (file.encoding, file.delimiter);
            file.reading.begin(ctx, "read table", move || {
                let sheet = Sheet::read(Path::new(&path), encoding, delimiter);
                (path, sheet)
            });
        }
        self.changed();
    }

    /// Something was changed on which the counts depend.
    fn changed(&mut self) {
        self.stale = true;
        self.error = None;
    }

    fn add_table(&mut self, kind: TableKind, read: ReadTable) {
        let file = self.file(kind);
        let (path, sheet) = read;
        file.path.clone_from(&path);
        file.asked = path;
        match sheet {
            Ok(sheet) => {
                let mapping = sheet.guess(kind);
                file.table = Some(Mapped { sheet: Arc::new(sheet), mapping });
                file.error = None;
            }
            Err(error) => (file.table, file.error) = (None, Some(error.to_string())),
        }
        if kind == TableKind::Enrolments && (self.folder.is_empty() || self.folder == self.proposed) {
            let folder = import::default_folder(Path::new(self.files[0].path.trim()));
            self.proposed = folder.display().to_string();
            self.folder.clone_from(&self.proposed);
        }
        self.columns.kind = kind;
        self.changed();
    }

    /// Processes the results of threads and starts what is due; returns the path to open once the import was written.
    pub fn poll(&mut self, ctx: &Context) -> Option<String> {
        for (kind, path) in std::mem::take(&mut self.chosen) {
            self.set_path(ctx, kind, &path.display().to_string());
        }
        for kind in TableKind::ALL {
            match self.file(kind).reading.take_result() {
                Some(Ok(read)) => self.add_table(kind, read),
                Some(Err(why)) => self.file(kind).error = Some(format!("Reading broke off: {why}")),
                None => {}
            }
        }
        self.poll_dropped(ctx);
        match self.counting.take_result() {
            Some(Ok(counted)) => {
                if std::mem::take(&mut self.leads) {
                    self.step = match &counted.preview {
                        preview if preview.counts[0].lines == 0 => Step::Columns,
                        preview if preview.losses() > 0 => Step::Problems,
                        _ => Step::Columns,
                    };
                }
                self.counted = Some(Arc::new(counted));
            }
            Some(Err(why)) => self.error = Some(format!("Counting broke off: {why}")),
            None => {}
        }
        if self.stale && !self.counting.is_busy() && !self.is_reading() {
            self.stale = false;
            self.counted = None;
            if let Some(request) = self.request() {
                self.counting.begin(ctx, "count import", move || {
                    let preview = import::preview(&request);
                    Counted { request, preview }
                });
            }
        }
        match self.writing.take_result()? {
            Ok(Ok(path)) => Some(path.display().to_string()),
            Ok(Err(error)) => {
                self.error = Some(error.to_string());
                None
            }
            Err(why) => {
                self.error = Some(format!("Writing broke off: {why}"));
                None
            }
        }
    }

    fn poll_dropped(&mut self, ctx: &Context) {
        match self.sorting.take_result() {
            Some(Ok((path, sheet))) => {
                let kind = sheet.as_ref().map_or(TableKind::Enrolments, Sheet::kind);
                (self.file(kind).encoding, self.file(kind).delimiter) = (None, None);
                self.add_table(kind, (path, sheet));
            }
            Some(Err(why)) => self.error = Some(format!("Reading broke off: {why}")),
            None => {}
        }
        if !self.sorting.is_busy()
            && let Some(path) = self.dropped.pop_front()
        {
            self.sorting.begin(ctx, "read table", move || (path.display().to_string(), Sheet::read(&path, None, None)));
        }
    }

    fn is_reading(&self) -> bool {
        self.files.iter().any(|file| file.reading.is_busy())
    }

    fn request(&self) -> Option<Request> {
        Some(Request {
            enrolments: self.table(TableKind::Enrolments)?.clone(),
            exams: self.table(TableKind::Exams).cloned(),
            periods: self.table(TableKind::Periods).cloned(),
            bad_lines: self.bad_lines,
            unknown_exams: self.unknown_exams,
        })
    }

    /// Returns the preview, unless something has changed since.
    fn counted(&self) -> Option<&Arc<Counted>> {
        self.counted.as_ref().filter(|_| !self.stale)
    }

    /// Returns the reason why the import cannot be written now, if there is one.
    fn obstacle(&self) -> Option<String> {
        let unread = TableKind::ALL.into_iter().zip(&self.files).find(|(_, file)| file.error.is_some());
        if self.writing.is_busy() {
            return Some("The tables are being written".to_owned());
        }
        if let Some((kind, _)) = unread {
            return Some(format!("{}: the file cannot be read; choose another or leave the field empty", kind.name()));
        }
        if self.stale || self.is_reading() || self.counting.is_busy() || self.sorting.is_busy() {
            return Some("Reading and counting".to_owned());
        }
        let Some(counted) = &self.counted else {
            return Some("Choose the file with the enrolments".to_owned());
        };
        let folder = || self.folder.trim().is_empty().then(|| "Name the folder in the summary".to_owned());
        counted.preview.obstacle.clone().or_else(folder)
    }

    fn take_over(&mut self, ctx: &Context) {
        let Some(counted) = self.counted().cloned().filter(|_| self.obstacle().is_none()) else { return };
        let folder = PathBuf::from(self.folder.trim());
        self.error = None;
        self.writing.begin(ctx, "write import", move || import::write(&counted.request, &counted.preview, &folder));
    }

    /// Paints the dialog.
    pub fn show(&mut self, ctx: &Context) -> Option<Wish> {
        let style = ctx.style_of(ctx.theme());
        let palette = palette(&style.visuals);
        let frame = Frame::window(&style).inner_margin(Margin::same(20));
        let screen = ctx.content_rect().size();
        let modal = Modal::new(egui::Id::unique("import")).backdrop_color(palette.backdrop).frame(frame);
        let mut wish = None;
        let response = modal.show(ctx, |ui| {
            ui.set_width((screen.x - 96.0).clamp(640.0, 1040.0));
            let height = (screen.y - 96.0).clamp(420.0, 700.0);
            ui.set_height(height);
            ui.label(theme::title("Import tables"));
            ui.add_space(space::XS);
            self.steps(ui);
            ui.separator();
            ui.add_space(space::S);
            let body = vec2(ui.available_width(), ui.available_height() - 58.0);
            ui.allocate_ui_with_layout(body, Layout::top_down(Align::LEFT), |ui| {
                ui.set_min_size(body);
                match self.step {
                    Step::Files => wish = self.show_files(ui),
                    Step::Columns => self.show_columns(ui),
                    Step::Problems => self.show_problems(ui),
                    Step::Summary => wish = self.show_summary(ui),
                }
            });
            self.foot(ui).or(wish)
        });
        let wish = response.inner.or(wish);
        let to_count = self.stale && !self.counting.is_busy() && !self.is_reading();
        if to_count || (!self.dropped.is_empty() && !self.sorting.is_busy()) {
            // Threads are started before the next frame.
            ctx.request_repaint();
        }
        // A thread that writes is waited for, so that nothing is left half done behind the person's back.
        wish.or((response.should_close() && !self.writing.is_busy()).then_some(Wish::Close))
    }

    fn steps(&mut self, ui: &mut Ui) {
        let problems =
            self.counted().map_or(0, |counted| counted.preview.problems.len() + counted.preview.more_problems);
        let problems = if problems > 0 { format!("3 Problems ({problems})") } else { "3 Problems".to_owned() };
        let names = [
            ("1 Files", "Which files to read"),
            ("2 Columns", "What their columns mean"),
            (problems.as_str(), "Lines that cannot be used, and what else to know"),
            ("4 Summary", "What would be taken over"),
        ];
        let open = Step::ALL.iter().position(|step| *step == self.step).unwrap_or(0);
        ui.horizontal(|ui| {
            if let Some(step) = tabs(ui, &names, open).and_then(|index| Step::ALL.get(index)) {
                self.step = *step;
            }
        });
    }

    /// Draws the obstacle, if there is one, and the buttons.
    fn foot(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        ui.add_space(space::S);
        ui.separator();
        let obstacle = self.obstacle();
        let visuals = palette(ui.visuals());
        ui.horizontal(|ui| {
            ui.set_height(size::CONTROL + space::S);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let text = if self.writing.is_busy() { "Taking over…" } else { "Take over" };
                let response = primary(ui, Icon::Check, text, obstacle.is_none());
                let response = response.on_hover_text("Write the tables in standard form and open them");
                let response = match &obstacle {
                    Some(why) => response.on_disabled_hover_text(why),
                    None => response,
                };
                if response.clicked() {
                    self.take_over(ui.ctx());
                }
                let next = Step::ALL.iter().position(|step| *step == self.step).and_then(|at| Step::ALL.get(at + 1));
                if let Some(next) = next
                    && button(ui, Icon::Play, "Next", true).clicked()
                {
                    self.step = *next;
                }
                let cancel = egui::Button::new("Cancel").min_size(vec2(0.0, size::CONTROL));
                if ui.add_enabled(!self.writing.is_busy(), cancel).clicked() {
                    wish = Some(Wish::Close);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let (words, colour) = match (&self.error, &obstacle) {
                        (Some(error), _) => (error.clone(), visuals.bad),
                        (_, Some(why)) => (why.clone(), visuals.weak),
                        _ => ("Everything is ready to be taken over".to_owned(), visuals.good),
                    };
                    ui.add(egui::Label::new(egui::RichText::new(words).color(colour)).wrap().selectable(true));
                });
            });
        });
        wish
    }
}

impl Importer for Dialog {
    fn show(&mut self, ctx: &Context) -> Option<ImportRequest> {
        Some(match Self::show(self, ctx)? {
            Wish::Choose(kind) => {
                ImportRequest::Choose { table: kind as usize, title: format!("{}: choose a table", kind.name()) }
            }
            Wish::ChooseFolder => ImportRequest::ChooseFolder,
            Wish::Close => ImportRequest::Close,
        })
    }

    fn poll(&mut self, ctx: &Context) -> Option<String> {
        Self::poll(self, ctx)
    }

    fn drop_file(&mut self, path: PathBuf) {
        Self::drop_file(self, path);
    }

    fn choose(&mut self, table: usize, path: PathBuf) {
        if let Some(kind) = TableKind::ALL.get(table) {
            self.choose_later(*kind, path);
        }
    }

    fn set_folder(&mut self, folder: &Path) {
        Self::set_folder(self, folder);
    }
}
