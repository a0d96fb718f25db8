//! An examination session as the frame of the window sees it.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{ComboBox, Frame, Margin, Ui};
use gridwright_solver::backend::Device;
use gridwright_solver::numbers::{compact, significant};
use gridwright_solver::timetabling::export::is_foreign_table;
use gridwright_solver::timetabling::run::memory_need;

use crate::device_memory::Question;
use crate::exporting::Format;
use crate::problems::timetabling::against::Side;
use crate::problems::timetabling::describe::counted;
use crate::problems::timetabling::desk::{Live, Shown};
use crate::problems::timetabling::editing::Edit;
use crate::problems::timetabling::exporting::{format_of, with_format, without_harm};
use crate::problems::timetabling::settings::algorithm_name;
use crate::problems::timetabling::solving::{Run, instance_key};
use crate::problems::timetabling::views::sort_words;
use crate::problems::timetabling::{Desk, in_force, inspector, settings};
use crate::projects::Keeping;
use crate::run_list::{Going, List, Row};
use crate::runs::Standing as Verdict;
use crate::session::Ongoing;
use crate::store::{Problem, Store};
use crate::theme::{self, Palette, palette, space};
use crate::widgets::controls::{bare_icon_button, button, named, placeholder};
use crate::widgets::convergence::Look;
use crate::widgets::icons::Icon;
use crate::widgets::notice::{Notice, message};
use crate::window::workplace::shared::{self, Instead, Nothing};
use crate::window::workplace::{Export, Listed, Removed, Standing, View, Workplace};
use crate::window::{Command, Services};
use gridwright_solver::search::Algorithms;

impl Workplace for Desk {
    fn problem(&self) -> Problem {
        Problem::Timetabling
    }

    fn name(&self) -> &str {
        &self.instance.name
    }

    fn facts_line(&self) -> String {
        Self::facts_line(self)
    }

    fn opened(&self) -> String {
        self.project_file().map_or_else(|| self.source.clone(), |path| path.display().to_string())
    }

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn plan(&self) -> &'static str {
        "timetable"
    }

    fn keeping(&self) -> Option<&dyn Keeping> {
        Some(self)
    }

    fn keeping_mut(&mut self) -> Option<&mut dyn Keeping> {
        Some(self)
    }

    fn ready(&self) -> Result<(), &'static str> {
        Self::ready(self)
    }

    fn begin(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        self.solve(Arc::clone(&services.solve), store, wake)
    }

    fn ongoing(&self) -> Option<&dyn Ongoing> {
        self.live.as_ref().map(|live| &live.session as &dyn Ongoing)
    }

    fn poll(&mut self) -> Vec<Notice> {
        Self::poll(self)
    }

    fn standing(&self) -> Standing {
        standing(self)
    }

    fn memory(&self) -> Option<Question> {
        let (instance, algorithm) = (Arc::clone(&self.instance), self.settings.algorithm.clone());
        Some(Question {
            backend: self.settings.backend.clone(),
            subject: Arc::clone(&self.instance) as _,
            settings: format!("{algorithm:?}"),
            needs: Box::new(move |backend, limits| memory_need(&instance, &algorithm, backend, limits)),
        })
    }

    fn settings_bar(&mut self, ui: &mut Ui, devices: &[Device]) {
        settings::bar(ui, self, devices);
    }

    fn in_force(&mut self, ui: &mut Ui) {
        in_force::show(ui, self);
    }

    fn algorithm(&self) -> String {
        algorithm_name(self.settings.algorithm.name()).to_owned()
    }

    fn parameters(&mut self, ui: &mut Ui) {
        settings::panel(ui, self);
    }

    fn inspector(&mut self, ui: &mut Ui) {
        inspector::show(ui, self);
    }

    fn centre(&mut self, ui: &mut Ui, lost: Option<&str>, commands: &mut Vec<Command>) {
        let desk = self;
        banner(ui, desk);
        edited(ui, desk, commands);
        if desk.picture().is_none() {
            nothing_yet(ui, desk, lost, commands);
            return;
        }
        Frame::new().inner_margin(Margin { left: 12, right: 12, top: 8, bottom: 8 }).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            desk.show_view(ui);
        });
    }

    fn view(&self) -> View {
        View::Timetabling(self.view)
    }

    fn set_view(&mut self, view: View) {
        if let View::Timetabling(view) = view {
            self.view = view;
        }
    }

    fn has_picture(&self) -> bool {
        self.picture().is_some()
    }

    fn fit(&mut self) {
        Self::fit(self);
    }

    fn zoom(&mut self, factor: f32) {
        Self::zoom(self, factor);
    }

    fn canvas_focused(&self) -> bool {
        self.canvas_focused
    }

    fn has_selection(&self) -> bool {
        self.selected.is_some()
    }

    fn deselect(&mut self) {
        self.selected = None;
    }

    fn list(&self, palette: &Palette) -> List {
        let best = self.listed().filter(|run| run.standing == Verdict::Valid).map(|run| run.raw).min();
        let mut rows: Vec<Row> = self.live.iter().map(|live| going(live, self, palette)).collect();
        rows.extend(self.listed().map(|run| {
            let value = significant(self.instance.shown(run.raw));
            let algorithm = algorithm_name(&run.result.algorithm);
            Row::ended(run, algorithm, value, best == Some(run.raw), palette)
        }));
        List { rows, shown: self.shown, compares: true }
    }

    fn runs(&self) -> Vec<Listed> {
        let listed = |run: &Run| Listed {
            number: run.number,
            title: run.title(),
            detail: run.result.verdict.cost_display.clone(),
        };
        self.listed().map(listed).collect()
    }

    fn shown(&self) -> Shown {
        self.shown
    }

    fn show_run(&mut self, number: usize) {
        Self::show_run(self, number);
    }

    fn show_live(&mut self) {
        Self::show_live(self);
    }

    fn take_run(&mut self, number: usize) -> Option<Removed> {
        self.remove_run(number).map(shared::removed)
    }

    fn put_run(&mut self, run: Box<dyn Any + Send>) {
        if let Ok(run) = run.downcast::<Run>() {
            self.insert_run(*run);
        }
    }

    fn run_name(&self, number: usize) -> Option<String> {
        self.run(number).map(|run| run.name.clone())
    }

    fn set_run_name(&mut self, number: usize, name: &str) -> Option<PathBuf> {
        let path = self.runs.rename(number, name)?;
        self.runs_have_changed();
        path
    }

    fn has_curves(&self) -> bool {
        Self::has_curves(self)
    }

    fn convergence(&self, ui: &mut Ui) {
        self.show_convergence(ui);
    }

    fn bottom(&mut self) -> (&mut Look, &mut bool) {
        (&mut self.look, &mut self.runs_instead)
    }

    fn undo_names(&self) -> (Option<&str>, Option<&str>) {
        Self::undo_names(self)
    }

    fn undo(&mut self) -> Result<(), &'static str> {
        Self::undo(self)
    }

    fn redo(&mut self) -> Result<(), &'static str> {
        Self::redo(self)
    }

    fn has_draft(&self) -> bool {
        self.draft().is_some()
    }

    fn show_draft(&mut self) {
        Self::show_draft(self);
    }

    fn discard_draft(&mut self) -> Result<(), &'static str> {
        self.edit(vec![Edit::Discard])
    }

    fn exportable(&self) -> Result<(), &'static str> {
        Self::exportable(self).map(|_| ())
    }

    fn begin_export(&mut self) {
        self.report_with(self.report_side());
    }

    fn export_wishes(&mut self, ui: &mut Ui, format: &Format) {
        taken_along(ui, self, format);
    }

    fn format_of(&self, path: &Path) -> Option<&'static Format> {
        format_of(path)
    }

    fn export_path(&self, path: &Path, format: &Format) -> PathBuf {
        without_harm(with_format(path, format))
    }

    fn forbidden(&self, path: &Path) -> Option<&'static str> {
        is_foreign_table(path).then_some(FOREIGN)
    }

    fn export(&self, services: &Services, format: &Format, path: PathBuf) -> Result<Export, &'static str> {
        let timetable = Self::exportable(self)?;
        let extras = self.extras(self.report_against());
        if extras.rows.as_ref().is_some_and(|(exams, _)| exams.is_empty()) && format.is_picture() {
            return Err("The filter leaves no exam to draw; show all exams first");
        }
        let (instance, exporter) = (Arc::clone(&self.instance), Arc::clone(&services.export));
        Ok(Box::new(move || exporter(&instance, &timetable, &path, &extras)))
    }
}

/// Reason shown when an export would replace a table that no export has written.
const FOREIGN: &str = "The table that lies here was not written by an export and may be the one that the instance came \
                       from; choose another name";

/// Draws the additional export options: the timetable that the report compares with, the rows of a picture.
fn taken_along(ui: &mut Ui, desk: &mut Desk, format: &Format) {
    let palette = palette(ui.visuals());
    if format.is_picture() {
        let order = sort_words(desk.grid_sort()).0.to_lowercase();
        let rows = match desk.is_filtered() {
            false => "all exams".to_owned(),
            true => format!("{} of {} exams, as filtered", desk.grid_rows().len(), desk.instance.exam_count()),
        };
        ui.label(theme::small(format!("Rows as in the grid: {rows}, sorted by {order}")).color(palette.weak));
        ui.add_space(space::XS);
    }
    if format.is_report() {
        let sides = desk.report_sides();
        let name = |side: Option<Side>| {
            let named = sides.iter().find(|(other, _)| Some(*other) == side);
            named.map_or("nothing", |(_, name)| name.as_str()).to_owned()
        };
        let mut before = desk.report_against();
        ui.horizontal(|ui| {
            ui.label("Compared with");
            named(ui, "Compared with", "What moved since that timetable, who gains and who loses", |ui| {
                let menu = ComboBox::from_id_salt("before").width(200.0).selected_text(name(before));
                menu.show_ui(ui, |ui| {
                    for side in std::iter::once(None).chain(sides.iter().map(|(side, _)| Some(*side))) {
                        ui.selectable_value(&mut before, side, name(side));
                    }
                })
                .response
            });
        });
        desk.report_with(before);
        ui.add_space(space::XS);
    }
}

fn going(live: &Live, desk: &Desk, palette: &Palette) -> Row {
    let best = live.cost().map_or_else(String::new, |cost| significant(cost / f64::from(desk.instance.divisor)));
    let going = Going {
        number: desk.next_number(),
        algorithm: algorithm_name(live.settings.algorithm.name()).to_owned(),
        seed: live.settings.seed,
        best,
        seconds: live.kept.as_ref().map(|kept| kept.progress.seconds),
        paused: live.session.is_paused(),
    };
    Row::going(going, palette)
}

/// Draws a warning over the picture of an invalid timetable.
fn banner(ui: &mut Ui, desk: &Desk) {
    let palette = palette(ui.visuals());
    let Some(Verdict::Incomplete(text)) = desk.shown_run().map(|run| &run.standing) else { return };
    let notes = desk.shown_run().map(|run| run.result.notes.join("\n")).unwrap_or_default();
    Frame::new().fill(palette.bad_soft).inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.label(theme::bold("This is not a valid timetable").color(palette.bad));
        let lines = if notes.is_empty() { text } else { &notes };
        message(ui, &lines.lines().map(sentence).collect::<Vec<_>>().join("\n"));
    });
}

/// Draws the bar of the edited timetable: its cost, its verdict and its buttons.
fn edited(ui: &mut Ui, desk: &mut Desk, commands: &mut Vec<Command>) {
    let palette = palette(ui.visuals());
    let Some(draft) = desk.draft() else { return };
    let here = desk.shown == Shown::Draft;
    let verdict = desk.verdict().filter(|_| here);
    let against = verdict.map_or(0, |verdict| verdict.violations.len());
    let moved = counted(draft.moved().len() as u64, "exam");
    let problems = if against > 0 { format!(", {}", counted(against as u64, "problem")) } else { String::new() };
    let narrow = ui.available_width() < NARROW;
    let from = if narrow { "Edited".to_owned() } else { format!("Edited from {}", draft.from) };
    let words = format!("{from}: {moved} moved{problems}");
    let lines = verdict.map_or_else(Vec::new, |verdict| verdict.lines(PROBLEMS));
    let bad = against > 0;
    let fill = if bad { palette.bad_soft } else { palette.accent_soft };
    Frame::new().fill(fill).inner_margin(Margin::symmetric(16, 6)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.horizontal_wrapped(|ui| {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), egui::Sense::hover());
            let (icon, ink) = if bad { (Icon::Warning, palette.bad) } else { (Icon::Pencil, palette.accent) };
            icon.paint(ui.painter(), rect, ink);
            let label = ui.label(theme::bold(words).color(if bad { palette.bad } else { palette.text }));
            if bad {
                label.on_hover_text(lines.join("\n"));
            }
            ui.add_space(space::XS);
            let first = if here { Command::SolveAround } else { Command::ShowDraft };
            for command in [first, Command::CompareDraft, Command::DiscardDraft] {
                if edited_button(ui, desk, &command, narrow) {
                    commands.push(command);
                }
            }
        });
        // The first two at once; the others stand in the tooltip.
        let shown = if narrow { 0 } else { 2 };
        for line in lines.iter().take(shown) {
            let label = egui::Label::new(theme::small(sentence(line)).color(palette.text)).truncate();
            ui.add(label).on_hover_text(lines.join("\n"));
        }
        if lines.len() > shown && !narrow {
            let more = theme::small(format!("and {} more", against - 2)).color(palette.weak);
            ui.label(more).on_hover_text(lines.join("\n"));
        }
    });
}

/// Returns a line of the checker with its first letter in upper case.
fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Width in points below which the banner of an edited timetable is one line of short words.
const NARROW: f32 = 700.0;

/// Draws the button of a command on the edited timetable; returns `true` if it was clicked.
fn edited_button(ui: &mut Ui, desk: &Desk, command: &Command, narrow: bool) -> bool {
    let (words, icon) = match command {
        Command::SolveAround if narrow => ("Solve around…", Icon::Play),
        Command::SolveAround => ("Solve around the changes…", Icon::Play),
        Command::CompareDraft => ("Compare with before", Icon::Compare),
        Command::DiscardDraft => ("Discard", Icon::Trash),
        _ => ("Show", Icon::Grid),
    };
    let ready = if *command == Command::SolveAround { desk.ready() } else { Ok(()) };
    let short = narrow && matches!(command, Command::CompareDraft | Command::DiscardDraft);
    let response = match short {
        true => bare_icon_button(ui, icon, words, ready.is_ok()),
        false => button(ui, icon, words, ready.is_ok()),
    };
    let response = response.on_hover_text(command.tooltip(ui.ctx()));
    response.on_disabled_hover_text(ready.err().unwrap_or_default()).clicked()
}

/// Problems of an edited timetable that are listed in a tooltip.
const PROBLEMS: usize = 20;

/// Texts of the empty state, shown while there is no timetable.
const NOTHING: Nothing = Nothing {
    icon: Icon::Grid,
    noun: "timetable",
    lacks: "",
    preparing: "The first timetable is being built, and the number of steps that fit into the time is measured.",
    watch: "Press Solve and watch it get better",
};

/// Draws the empty state: not solved yet, preparing, number of periods unknown, or a result that failed the check.
fn nothing_yet(ui: &mut Ui, desk: &Desk, lost: Option<&str>, commands: &mut Vec<Command>) {
    // Timetables that lack something are shown all the same.
    let standing = desk.shown_run().map(|run| &run.standing).filter(|it| matches!(it, Verdict::Wrong(_)));
    let prepares = desk.shown == Shown::Live;
    if standing.is_none() && !prepares && desk.instance.period_count() == 0 {
        let text = "The file does not say how many periods the session has. Make a calendar with dates, or enter only the \
                    number above; then press Solve.";
        placeholder(ui, Icon::Info, "How many periods?", text, |ui| {
            let pressed = button(ui, Icon::Calendar, "Make a calendar…", true);
            if pressed.on_hover_text(Command::Calendar.tooltip(ui.ctx())).clicked() {
                commands.push(Command::Calendar);
            }
            let least = desk.facts.least_periods;
            let hint = format!("At least {least} are needed: so many exams share students, each with each");
            ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
        });
        return;
    }
    let instead = Instead { standing, prepares, lost, ready: desk.ready().is_ok() };
    NOTHING.show(ui, instead, &desk.facts_line(), commands);
}

fn standing(desk: &Desk) -> Standing {
    match (&desk.live, desk.shown_run()) {
        (Some(live), _) => shared::going(&live.session, live.kept.as_ref(), |_| best_words(desk, live)),
        (None, Some(run)) => shared::ended(run, || significant(desk.instance.shown(run.raw)), "incomplete".to_owned()),
        (None, None) if desk.shown == Shown::Draft => edited_standing(desk),
        (None, None) => shared::idle(None, desk.ready()),
    }
}

/// Status of the edited timetable, which belongs to no run.
fn edited_standing(desk: &Desk) -> Standing {
    let verdict = desk.verdict();
    let valid = verdict.is_some_and(|verdict| verdict.feasible);
    let raw = verdict.map_or(0, |verdict| verdict.raw);
    let moved = desk.draft().map_or(0, |draft| draft.moved().len()) as u64;
    let word = format!("Draft: {} moved, not saved as a run", counted(moved, "exam"));
    Standing {
        word: if valid { word } else { format!("{word}, not valid") },
        value: if valid { significant(desk.instance.shown(raw)) } else { String::new() },
        ..Standing::default()
    }
}

/// The best so far: its clashes, or its cost.
fn best_words(desk: &Desk, live: &Live) -> String {
    match desk.picture().filter(|_| desk.shown == Shown::Live) {
        Some(picture) if !picture.cost.is_feasible() => {
            format!("{} clashes", compact((picture.cost.clashes + u64::from(picture.cost.unplaced)) as f64))
        }
        Some(picture) => significant(desk.instance.shown(picture.cost.proximity)),
        None => significant(live.cost().unwrap_or_default() / f64::from(desk.instance.divisor)),
    }
}
