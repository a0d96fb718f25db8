//! The export dialog: format and path, with the system's dialog where there is one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::{Align, Context, Frame, Layout, Margin, RichText, ScrollArea};
use gridwright_core::export::Writing;
use gridwright_core::export::formats::{Format, harmless};
use gridwright_core::files;
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::store::Store;

use super::command::Command;
use super::{App, files::Later};
use crate::document::ProblemView;
use crate::theme::{self, palette, space};
use crate::widgets::controls::{button, confirmed, primary};
use crate::widgets::dialog::{modal, room, scrolled_above};
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;
use crate::widgets::notice::{Action, Notice, message};

/// Files that exports have written, by their content in the list of the store.
#[derive(Debug)]
pub(crate) struct Written(pub(super) Store);

impl Written {
    /// Returns `true` if the program wrote the file that lies here and nobody has changed it since.
    fn is_own(&self, path: &Path) -> bool {
        files::read(path).is_ok_and(|content| self.0.has_written(&content))
    }

    fn remember(&self, path: &Path) {
        if let Ok(content) = files::read(path) {
            self.0.note_written(&content);
        }
    }
}

/// Kind of file at the path of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Occupant {
    Nothing,
    /// A file that an export has written and nobody has changed.
    Own,
    /// Another file: its size and age in words.
    Foreign(String),
    /// A file that must not be replaced, and why.
    Forbidden(&'static str),
}

impl Occupant {
    fn of(path: &Path, place: &dyn ProblemView, written: &Written) -> Self {
        match place.forbidden(path) {
            Some(why) => Self::Forbidden(why),
            None if !path.is_file() => Self::Nothing,
            None if written.is_own(path) => Self::Own,
            None => Self::Foreign(described(path)),
        }
    }
}

/// Size of a file and the time of its last change, in words.
fn described(path: &Path) -> String {
    let Ok(facts) = std::fs::metadata(path) else { return "a file that cannot be looked at".to_owned() };
    let bytes = facts.len();
    let size = if bytes < 10_000 { counted(bytes, "byte") } else { format!("{} kB", grouped((bytes / 1_000) as i64)) };
    let Ok(changed) = facts.modified() else { return size };
    let age = changed.elapsed().unwrap_or_default().as_secs();
    let age = match age {
        0..60 => "less than a minute ago".to_owned(),
        60..3_600 => format!("{} ago", counted(age / 60, "minute")),
        3_600..172_800 => format!("{} ago", counted(age / 3_600, "hour")),
        _ => format!("{} ago", counted(age / 86_400, "day")),
    };
    let at = chrono::DateTime::<chrono::Local>::from(changed).format("%-d %B %Y, %H:%M");
    format!("{size}, last changed {age} ({at})")
}

pub(crate) struct Dialog {
    format: &'static Format,
    formats: &'static [Format],
    path: String,
    /// The path that was looked at last, and what lies there.
    looked: Option<(PathBuf, Occupant)>,
    /// A file that the program did not write and that the person is asked about.
    asked: Option<PathBuf>,
    error: Option<String>,
    answer: Later<gridwright_core::Result<()>>,
    /// The export that is being written.
    writing: Option<Arc<Writing>>,
    /// Number of frames in which the list of formats still scrolls to the chosen one.
    frames_to_reveal: u8,
}

impl Dialog {
    /// A dialog that proposes a file of this format in `folder`.
    fn new(format: &'static Format, place: &dyn ProblemView, folder: &Path, written: &Written) -> Self {
        let path = folder.join(place.name()).with_added_extension(format.ending);
        Self {
            format,
            formats: place.formats(),
            path: suggested(&path, format, place, written),
            looked: None,
            asked: None,
            error: None,
            answer: Later::default(),
            writing: None,
            // The list knows its height in the second frame and scrolls from then on.
            frames_to_reveal: 3,
        }
    }

    /// The file that is written: the typed path, with the format's ending where it has none.
    fn target(&self) -> PathBuf {
        gridwright_core::export::formats::completed(self.formats, Path::new(self.path.trim()), self.format)
    }

    /// The format that the typed ending stands for, if another one is chosen.
    fn contradiction(&self) -> Option<&'static Format> {
        gridwright_core::export::formats::contradiction(self.formats, Path::new(self.path.trim()), self.format)
    }

    /// Kind of file at the path of the export; the file system is asked again whenever the path changes.
    fn occupant(&mut self, place: &dyn ProblemView, written: &Written) -> Occupant {
        let target = self.target();
        match &self.looked {
            Some((path, occupant)) if *path == target => occupant.clone(),
            _ => {
                let occupant = Occupant::of(&target, place, written);
                (self.looked, self.asked) = (Some((target, occupant.clone())), None);
                occupant
            }
        }
    }

    fn choose(&mut self, format: &'static Format, place: &dyn ProblemView, written: &Written) {
        self.format = format;
        self.path = suggested(Path::new(self.path.trim()), format, place, written);
        self.error = None;
    }
}

/// An export whose dialog is closed is no longer wanted.
impl Drop for Dialog {
    fn drop(&mut self) {
        if let Some(writing) = &self.writing {
            writing.cancel();
        }
    }
}

/// The path with the ending of the format, or one beside it where a file lies that the program did not write.
fn suggested(path: &Path, format: &'static Format, place: &dyn ProblemView, written: &Written) -> String {
    let is_free = |path: &Path| matches!(Occupant::of(path, place, written), Occupant::Nothing | Occupant::Own);
    harmless(place.export_path(path, format), format, place.plan(), is_free).display().to_string()
}

/// The formats to choose from; one that is not possible says why.
fn choices(ui: &mut egui::Ui, dialog: &mut Dialog, place: &dyn ProblemView, written: &Written) {
    let palette = palette(ui.visuals());
    let mut chosen = dialog.format;
    let width = |name: &str| {
        ui.painter().layout_no_wrap(name.to_owned(), theme::font(theme::text::BODY), palette.text).size().x
    };
    let widest = dialog.formats.iter().map(|format| width(format.name)).fold(0.0, f32::max);
    // All explanations begin below each other.
    let column = widest + ui.spacing().icon_width + ui.spacing().icon_spacing + space::M;
    // Many formats fit into a window of usual height.
    let between = std::mem::replace(&mut ui.spacing_mut().item_spacing.y, 2.0);
    let height = std::mem::replace(&mut ui.spacing_mut().interact_size.y, 20.0);
    for format in dialog.formats {
        let refused = place.may_export(format).err();
        ui.horizontal(|ui| {
            let choice = egui::RadioButton::new(chosen == format, format.name);
            let response = ui.add_enabled(refused.is_none(), choice);
            if response.clicked() {
                chosen = format;
            }
            if dialog.frames_to_reveal > 0 && dialog.format == format {
                response.scroll_to_me(None);
            }
            ui.add_space((column - response.rect.width() - ui.spacing().item_spacing.x).max(0.0));
            let (words, colour) = match &refused {
                Some(why) => (*why, palette.warn),
                None => (format.help, palette.weak),
            };
            ui.add(egui::Label::new(theme::small(words).color(colour)).wrap());
        });
    }
    (ui.spacing_mut().item_spacing.y, ui.spacing_mut().interact_size.y) = (between, height);
    dialog.frames_to_reveal = dialog.frames_to_reveal.saturating_sub(1);
    if chosen != dialog.format {
        dialog.choose(chosen, place, written);
    }
}

/// Asks which is meant where the typed ending stands for another format than the chosen one.
fn contradiction(ui: &mut egui::Ui, dialog: &mut Dialog, place: &dyn ProblemView, written: &Written) {
    let Some(stated) = dialog.contradiction() else { return };
    let chosen = dialog.format;
    let words = format!("The name ends in .{}, but the format is {} (.{})", stated.ending, chosen.name, chosen.ending);
    ui.label(theme::small(words).color(palette(ui.visuals()).bad));
    ui.horizontal_wrapped(|ui| {
        let renamed = suggested(Path::new(dialog.path.trim()), chosen, place, written);
        let name = Path::new(&renamed).file_name().unwrap_or_default().to_string_lossy();
        if ui.button(format!("Name it {name}")).clicked() {
            dialog.choose(chosen, place, written);
        }
        if place.may_export(stated).is_ok() && ui.button(format!("Write {}", stated.name)).clicked() {
            (dialog.format, dialog.error) = (stated, None);
        }
    });
}

/// The field of the path, and what lies there.
fn file(ui: &mut egui::Ui, Parts { dialog, place, commands, written }: &mut Parts<'_>) {
    let palette = palette(ui.visuals());
    ui.label(theme::small("File").color(palette.weak));
    ui.horizontal(|ui| {
        let field = Field::new("Path of the export").hint("Path of the file").margin(8, 5);
        field.width(ui.available_width() - 104.0).live(ui, &mut dialog.path);
        if button(ui, Icon::Open, Command::ChooseExport.text(), true).clicked() {
            commands.push(Command::ChooseExport);
        }
    });
    let target = dialog.target();
    if !dialog.path.trim().is_empty() && target != Path::new(dialog.path.trim()) {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        ui.label(theme::small(format!("The file will be named {name}")).color(palette.weak));
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match dialog.occupant(*place, written) {
        Occupant::Nothing => {}
        Occupant::Own => {
            ui.label(theme::small("The file of the last export is replaced").color(palette.warn));
        }
        Occupant::Forbidden(why) => {
            ui.label(theme::small(why).color(palette.bad));
        }
        Occupant::Foreign(what) => {
            let words =
                format!("{name} is there already: {what}. The program did not write it, or it was changed since.");
            ui.add(egui::Label::new(theme::small(words).color(palette.warn)).wrap());
        }
    }
}

/// Asks whether a file of somebody else is to be replaced; above the buttons, where the person has just clicked.
fn question(ui: &mut egui::Ui, Parts { dialog, place, commands, written }: &mut Parts<'_>) {
    if dialog.asked.is_none() {
        return;
    }
    let palette = palette(ui.visuals());
    let target = dialog.target();
    let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let frame = Frame::new().fill(palette.bad_soft).corner_radius(6).inner_margin(Margin::same(8));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(format!("Replace {name}? Its contents would be lost.")).color(palette.bad));
        ui.horizontal(|ui| {
            if button(ui, Icon::Cross, "Choose another name", true).clicked() {
                dialog.path = suggested(&target, dialog.format, *place, written);
            }
            if button(ui, Icon::Export, "Replace it", true).clicked() {
                commands.push(Command::ReplaceByExport);
            }
        });
    });
    ui.add_space(space::S);
}

/// The dialog with what it shows and the commands that it gives.
struct Parts<'a> {
    dialog: &'a mut Dialog,
    place: &'a mut (dyn ProblemView + 'static),
    commands: &'a mut Vec<Command>,
    written: &'a Written,
}

/// The heading and the formats. Whether these scroll follows from the window alone, so that nothing moves when a question or an error
/// comes below them.
fn contents(ui: &mut egui::Ui, parts: &mut Parts<'_>) {
    /// Height in points of a format in the list, and of the heading.
    const ROW: f32 = 22.0;
    const HEADING: f32 = 36.0;
    /// Height in points of everything else, with the longest question.
    const OTHERS: f32 = 336.0;
    /// Least height in points of the list.
    const LEAST: f32 = 8.0 * ROW + HEADING;
    let most = (room(ui.ctx()).height() - OTHERS).max(LEAST);
    let is_high = parts.place.formats().len() as f32 * ROW + HEADING > most;
    let mut choices = |ui: &mut egui::Ui| {
        ui.label(theme::title(format!("Export the {}", parts.place.plan())));
        ui.add_space(space::S);
        choices(ui, parts.dialog, parts.place, parts.written);
    };
    if is_high {
        ui.set_max_height(most);
        let area = ScrollArea::vertical().id_salt("formats").max_height(most).min_scrolled_height(most);
        area.auto_shrink(false).show(ui, choices);
    } else {
        choices(ui);
    }
}

/// The options of the format, the file, and what is to be known before it is written; always in view.
fn target(ui: &mut egui::Ui, parts: &mut Parts<'_>) {
    let palette = palette(ui.visuals());
    ui.add_space(space::S);
    parts.place.export_options(ui, parts.dialog.format);
    file(ui, parts);
    let Parts { dialog, place, written, .. } = parts;
    contradiction(ui, dialog, *place, written);
    if let Some(stamp) = place.stamp() {
        ui.add_space(space::XS);
        let words = format!("{stamp}. Pictures, PDF files and workbooks say so in a stamp.");
        ui.add(egui::Label::new(theme::small(words).color(palette.warn)).wrap());
    }
    if let Some(error) = &dialog.error {
        ui.add_space(space::XS);
        let frame = Frame::new().fill(palette.bad_soft).corner_radius(6).inner_margin(Margin::same(8));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(RichText::new("The file was not written").color(palette.bad).family(theme::semi_bold()));
            message(ui, error);
        });
    }
}

/// The buttons below the dialog; returns `true` if it is to be closed.
fn buttons(ui: &mut egui::Ui, Parts { dialog, place, commands, .. }: &mut Parts<'_>) -> bool {
    let refused = place.may_export(dialog.format).err().map(str::to_owned);
    let doubt = dialog.contradiction().map(|_| "Say first whether the name or the format is meant".to_owned());
    let asked = dialog.asked.as_ref().map(|_| "Say first whether the file is to be replaced".to_owned());
    let obstacle = refused.or(doubt).or(asked);
    let ready = dialog.writing.is_none() && obstacle.is_none();
    let write = primary(ui, Icon::Export, "Write file", ready).on_disabled_hover_text(obstacle.unwrap_or_default());
    // In the field, too: Enter takes the focus from it.
    if write.clicked() || ready && confirmed(ui) {
        commands.push(Command::WriteExport);
    }
    let cancel = ui.add(egui::Button::new("Cancel").min_size(egui::vec2(0.0, theme::size::CONTROL))).clicked();
    if let Some(writing) = &dialog.writing {
        // Beside the buttons, which keep their places.
        let words = writing.progress().map_or_else(
            || "Writing…".to_owned(),
            |(done, all)| format!("Writing… {done} of {}", counted(all, "document")),
        );
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
        ui.ctx().request_repaint_after(Duration::from_millis(100));
    }
    cancel
}

impl App {
    pub(super) fn begin_export(&mut self, format: usize) {
        let folder = self.proposed_folder();
        let Some(place) = self.open.as_deref_mut() else { return };
        let formats = place.formats();
        let Some(format) = formats.get(format).or(formats.first()) else { return };
        match place.exportable() {
            Ok(()) => {
                place.begin_export();
                self.export = Some(Dialog::new(format, place, &folder, &self.written));
            }
            Err(why) => self.notices.push(Notice::refusal("Nothing to export", why)),
        }
    }

    pub(super) fn choose_export(&mut self, ctx: &Context) {
        if let Some(dialog) = &self.export {
            let (format, path) = (dialog.format, PathBuf::from(&dialog.path));
            self.pick_target(ctx, &path, format.name, format.ending);
        }
    }

    /// Takes the path that was chosen in the system's dialog; the format stays the chosen one.
    pub(super) fn set_export_path(&mut self, path: &Path) {
        let Some(dialog) = &mut self.export else { return };
        dialog.error = None;
        dialog.path =
            gridwright_core::export::formats::completed(dialog.formats, path, dialog.format).display().to_string();
    }

    /// Writes the file; a file that the program did not write is replaced only if `replaces`.
    pub(super) fn write_export(&mut self, ctx: &Context, replaces: bool) {
        let (Some(dialog), Some(open)) = (&mut self.export, &self.open) else { return };
        let path = dialog.target();
        // Looked at anew: what lay there when the dialog was opened may be another file by now.
        let occupant = Occupant::of(&path, open.as_ref(), &self.written);
        let is_asked = dialog.asked.as_deref() == Some(path.as_path());
        dialog.looked = Some((path.clone(), occupant.clone()));
        dialog.asked = None;
        let refused = match occupant {
            _ if dialog.path.trim().is_empty() => Some("Give the file a name"),
            Occupant::Forbidden(why) => Some(why),
            Occupant::Foreign(_) if !(replaces && is_asked) => {
                dialog.asked = Some(path);
                return;
            }
            _ => None,
        };
        let export = match refused {
            Some(why) => Err(why.to_owned()),
            None => open.export(&self.services, dialog.format, path),
        };
        match export {
            Ok(export) => {
                let writing = Arc::new(Writing::default());
                dialog.writing = Some(Arc::clone(&writing));
                dialog.error = None;
                dialog.answer.begin(ctx, "export", move || export(&writing));
            }
            Err(why) => dialog.error = Some(why),
        }
    }

    pub(super) fn take_exported(&mut self) {
        let plan = self.open.as_deref().map_or("plan", |open| open.plan());
        let Some(dialog) = &mut self.export else { return };
        let Some(answer) = dialog.answer.take_result() else { return };
        dialog.writing = None;
        let error = match answer {
            Ok(Ok(())) => {
                self.written.remember(&dialog.target());
                self.file_dialogs.note_folder(&dialog.target());
                let path = dialog.target().display().to_string();
                let mut notice = Notice::success(format!("The {plan} was exported"), path.clone())
                    .offering(Action::Copy("Copy path", path.clone()));
                if let Some(folder) = Path::new(&path).parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    notice = notice.offering(Action::ShowFolder(folder.to_path_buf()));
                }
                self.notices.push(notice);
                self.export = None;
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(why) => format!("writing broke off: {why}"),
        };
        dialog.error = Some(error);
    }

    pub(super) fn export_dialog(&mut self, ctx: &Context) {
        let (Some(dialog), Some(place)) = (&mut self.export, self.open.as_deref_mut()) else { return };
        let written = &self.written;
        let mut commands = Vec::new();
        let frame = Frame::window(&ctx.style_of(ctx.theme())).inner_margin(Margin::same(20));
        let response = modal(ctx, "export", frame).show(ctx, |ui| {
            ui.set_width((room(ctx).width() - 64.0).clamp(400.0, 600.0));
            let mut parts = Parts { dialog, place, commands: &mut commands, written };
            let contents = |ui: &mut egui::Ui, parts: &mut Parts<'_>| contents(ui, parts);
            scrolled_above(ui, &mut parts, contents, |ui, parts, ()| {
                target(ui, parts);
                ui.add_space(space::M);
                question(ui, parts);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| buttons(ui, parts)).inner
            })
        });
        if response.inner || response.should_close() {
            self.export = None;
        }
        self.commands.append(&mut commands);
    }
}
