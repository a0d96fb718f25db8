//! The export dialog: format and path, with the system's dialog where there is one.

use std::path::{Path, PathBuf};

use egui::{Align, Context, Frame, Layout, Margin, Modal, RichText, TextEdit};
use gridwright_solver::timetabling::export::is_foreign_table;

use super::{App, Command, files::Later};
use crate::theme::{self, palette, space};
use crate::timetabling::Desk;
use crate::timetabling::against::Side;
use crate::timetabling::exporting::{FORMATS, Format, format_of, with_format, without_harm};
use crate::timetabling::views::sort_words;
use crate::widgets::controls::{button, named, primary};
use crate::widgets::icons::Icon;
use crate::widgets::notice::{Action, Notice, message};

/// The dialog while it is open.
pub struct Dialog {
    format: usize,
    path: String,
    /// The path that was looked at last, and whether a table lies there that no export has written.
    foreign: (String, bool),
    /// What a report compares the timetable with.
    before: Option<Side>,
    error: Option<String>,
    answer: Later<gridwright_solver::Result<()>>,
    busy: bool,
}

fn folder() -> PathBuf {
    let directories = directories::UserDirs::new();
    let documents = directories.as_ref().and_then(|user| user.document_dir().map(Path::to_path_buf));
    let home = directories.as_ref().map(|user| user.home_dir().to_path_buf());
    documents.filter(|path| path.is_dir()).or(home).unwrap_or_else(|| PathBuf::from("."))
}

impl Dialog {
    fn new(format: usize, desk: &Desk) -> Self {
        let path = folder().join(&desk.instance.name).with_added_extension(FORMATS[format].ending);
        Self {
            format,
            path: without_harm(path).display().to_string(),
            foreign: (String::new(), false),
            before: desk.report_side(),
            error: None,
            answer: Later::default(),
            busy: false,
        }
    }

    /// Whether a table lies at the path that no export has written; looked at anew whenever the path changes.
    fn is_foreign(&mut self) -> bool {
        if self.foreign.0 != self.path {
            self.foreign = (self.path.clone(), is_foreign_table(Path::new(self.path.trim())));
        }
        self.foreign.1
    }

    fn choose(&mut self, format: usize) {
        if let Some(chosen) = FORMATS.get(format) {
            self.format = format;
            self.path = without_harm(with_format(Path::new(&self.path), chosen)).display().to_string();
            self.error = None;
        }
    }

    fn chosen(&self) -> &'static Format {
        &FORMATS[self.format.min(FORMATS.len() - 1)]
    }
}

/// Why a table is not replaced.
const FOREIGN: &str = "The table that lies here was not written by an export and may be the one that the instance came \
                       from; choose another name";

/// What goes along beside the timetable: a comparison with the report, the rows of a picture.
fn taken_along(ui: &mut egui::Ui, dialog: &mut Dialog, desk: &Desk) {
    let palette = palette(ui.visuals());
    if dialog.chosen().is_picture() {
        let order = sort_words(desk.grid_sort()).0.to_lowercase();
        let rows = match desk.is_filtered() {
            false => "all exams".to_owned(),
            true => format!("{} of {} exams, as filtered", desk.grid_rows().len(), desk.instance.exam_count()),
        };
        ui.label(theme::small(format!("Rows as in the grid: {rows}, sorted by {order}")).color(palette.weak));
        ui.add_space(space::XS);
    }
    if dialog.chosen().is_report() {
        let sides = desk.report_sides();
        let name = |side: Option<Side>| {
            let named = sides.iter().find(|(other, _)| Some(*other) == side);
            named.map_or("nothing", |(_, name)| name.as_str()).to_owned()
        };
        ui.horizontal(|ui| {
            ui.label("Compared with");
            named(ui, "Compared with", "What moved since that timetable, who gains and who loses", |ui| {
                let menu = egui::ComboBox::from_id_salt("before").width(200.0).selected_text(name(dialog.before));
                menu.show_ui(ui, |ui| {
                    for side in std::iter::once(None).chain(sides.iter().map(|(side, _)| Some(*side))) {
                        ui.selectable_value(&mut dialog.before, side, name(side));
                    }
                })
                .response
            });
        });
        ui.add_space(space::XS);
    }
}

/// The formats to choose from.
fn formats(ui: &mut egui::Ui, dialog: &mut Dialog) {
    let mut chosen = dialog.format;
    for (index, format) in FORMATS.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.set_min_height(24.0);
            ui.radio_value(&mut chosen, index, format.name);
            ui.label(theme::small(format.help).color(palette(ui.visuals()).weak));
        });
    }
    if chosen != dialog.format {
        dialog.choose(chosen);
    }
}

/// The field of the path, and what lies there.
fn file(ui: &mut egui::Ui, dialog: &mut Dialog, commands: &mut Vec<Command>) {
    let palette = palette(ui.visuals());
    ui.label(theme::small("File").color(palette.weak));
    ui.horizontal(|ui| {
        let field =
            TextEdit::singleline(&mut dialog.path).hint_text("Path of the file").margin(Margin::symmetric(8, 5));
        let response = ui.add(field.desired_width(ui.available_width() - 104.0));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path of the export"));
        if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
            commands.push(Command::WriteExport);
        }
        if button(ui, Icon::Open, Command::ChooseExport.text(), true).clicked() {
            commands.push(Command::ChooseExport);
        }
    });
    if dialog.is_foreign() {
        ui.label(theme::small(FOREIGN).color(palette.bad));
    } else if Path::new(dialog.path.trim()).is_file() {
        ui.label(theme::small("The file is there already and will be replaced").color(palette.warn));
    }
}

impl App {
    pub(super) fn begin_export(&mut self, format: usize) {
        let Some(desk) = &self.desk else { return };
        match desk.exportable() {
            Ok(_) => self.export = Some(Dialog::new(format.min(FORMATS.len() - 1), desk)),
            Err(why) => self.notices.push(Notice::warning("Nothing to export", why)),
        }
    }

    pub(super) fn choose_export(&mut self, ctx: &Context) {
        if let Some(dialog) = &self.export {
            let format = dialog.chosen();
            self.pick_target(ctx, PathBuf::from(&dialog.path), format.name, format.ending);
        }
    }

    /// The path that was chosen in the system's dialog; its ending decides the format.
    pub(super) fn set_export_path(&mut self, path: &Path) {
        let Some(dialog) = &mut self.export else { return };
        dialog.error = None;
        match format_of(path) {
            Some(format) => {
                dialog.format = format;
                dialog.path = path.display().to_string();
            }
            None => dialog.path = path.with_added_extension(dialog.chosen().ending).display().to_string(),
        }
    }

    pub(super) fn write_export(&mut self, ctx: &Context) {
        let (Some(dialog), Some(desk)) = (&mut self.export, &self.desk) else { return };
        let timetable = match desk.exportable() {
            Ok(timetable) => timetable,
            Err(why) => {
                dialog.error = Some(why.to_owned());
                return;
            }
        };
        let path = PathBuf::from(dialog.path.trim());
        if path.as_os_str().is_empty() {
            dialog.error = Some("Give the file a name".to_owned());
            return;
        }
        // Looked at anew: what lay there when the dialog was opened may be another file by now.
        if is_foreign_table(&path) {
            dialog.error = Some(FOREIGN.to_owned());
            return;
        }
        let extras = desk.extras(dialog.before);
        if extras.rows.as_ref().is_some_and(|(exams, _)| exams.is_empty()) && dialog.chosen().is_picture() {
            dialog.error = Some("The filter leaves no exam to draw; show all exams first".to_owned());
            return;
        }
        let (instance, exporter) = (desk.instance.clone(), self.services.export.clone());
        dialog.busy = true;
        dialog.error = None;
        dialog.answer.begin(ctx, "export", move || exporter(&instance, &timetable, &path, &extras));
    }

    pub(super) fn take_exported(&mut self) {
        let Some(dialog) = &mut self.export else { return };
        let Some(answer) = dialog.answer.take_result() else { return };
        dialog.busy = false;
        let error = match answer {
            Ok(Ok(())) => {
                let path = dialog.path.trim().to_owned();
                let mut notice = Notice::success("The timetable was exported", path.clone())
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
        let (Some(dialog), Some(desk)) = (&mut self.export, &self.desk) else { return };
        let palette = palette(&ctx.style_of(ctx.theme()).visuals);
        let mut commands = Vec::new();
        let frame = Frame::window(&ctx.style_of(ctx.theme())).inner_margin(Margin::same(20));
        let modal = Modal::new(egui::Id::unique("export")).backdrop_color(palette.backdrop).frame(frame);
        let response = modal.show(ctx, |ui| {
            ui.set_width(480.0);
            ui.label(theme::title("Export the timetable"));
            ui.add_space(space::S);
            formats(ui, dialog);
            ui.add_space(space::S);
            taken_along(ui, dialog, desk);
            file(ui, dialog, &mut commands);
            if let Some(error) = &dialog.error {
                ui.add_space(space::XS);
                let frame = Frame::new().fill(palette.bad_soft).corner_radius(6).inner_margin(Margin::same(8));
                frame.show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    ui.label(RichText::new("The file was not written").color(palette.bad).family(theme::semi_bold()));
                    message(ui, error);
                });
            }
            ui.add_space(space::M);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let text = if dialog.busy { "Writing…" } else { "Write file" };
                if primary(ui, Icon::Export, text, !dialog.busy).clicked() {
                    commands.push(Command::WriteExport);
                }
                let cancel = egui::Button::new("Cancel").min_size(egui::vec2(0.0, theme::size::CONTROL));
                ui.add(cancel).clicked()
            })
            .inner
        });
        if response.inner || response.should_close() {
            self.export = None;
        }
        self.commands.append(&mut commands);
    }
}
