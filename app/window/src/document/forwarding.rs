//! The window's interface to a document of any problem, implemented by forwarding to the document and its kind.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Context, Frame, Margin, Ui};
use gridwright_core::backend::Device;
use gridwright_core::data::Dataset;
use gridwright_core::data::import::SheetReading;
use gridwright_core::export::formats::Format;
use gridwright_core::export::stamp::Stamp;
use gridwright_core::numbers::counted;
use gridwright_core::planning::Planning as _;
use gridwright_core::planning::updating::Present;
use gridwright_core::problem::Problem;
use gridwright_core::result::Encoded;
use gridwright_core::search::Algorithms;
use gridwright_core::store::Store;

use super::kind::{CheckedRun as _, Drawn as _, ExportedSolution as _};
use super::kind::{DocumentKind, Refusal, ViewKind};
use super::view::{Export, Listed, Possible, ProblemView, Progress, Removed};
use super::{Document, Live, Run, frames};
use crate::device_memory::Question;
use crate::document::kind::Algorithm;
use crate::projects::{Keeper, Saving};
use crate::run_list::{Going, List, Row};
use crate::runs::{BY_HAND, Shown};
use crate::services::Services;
use crate::session::Ongoing;
use crate::theme::{Palette, space};
use crate::widgets::convergence::Look;
use crate::widgets::notice::{Cause, Notice};
use crate::window::command::{Command, ProblemCommand, ViewGroup, ViewTab};

/// Implements functions of a trait by functions of the same name of a type, which take the document as their first argument.
macro_rules! forward {
    ($target:ty, &mut $this:ident: $($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+) => {$(
        fn $name(&mut $this, $($argument: $type),*) $(-> $result)? {
            <$target>::$name($this, $($argument),*)
        }
    )+};
    ($target:ty, &$this:ident: $($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+) => {$(
        fn $name(&$this, $($argument: $type),*) $(-> $result)? {
            <$target>::$name($this, $($argument),*)
        }
    )+};
}

/// Short name of an algorithm for narrow places; a result may name one that there no longer is.
fn short_name<K: DocumentKind>(name: &str) -> &str {
    let known = <Algorithm<K>>::ALL.iter().find(|descriptor| descriptor.name == name);
    match known {
        Some(descriptor) => descriptor.short_label,
        None if name == BY_HAND => "By hand",
        None => name,
    }
}

impl<K: DocumentKind> ProblemView for Document<K> {
    forward! { K, &self:
        remembered() -> Option<Encoded>;
        has_picture() -> bool;
        has_selection() -> bool;
        items() -> Vec<(usize, String, String)>;
        is_chosen(command: &ProblemCommand) -> bool;
        possible(command: &ProblemCommand) -> Possible;
        exportable() -> Possible;
        export_path(path: &Path, format: &Format) -> PathBuf;
        forbidden(path: &Path) -> Option<Refusal>;
        may_export(format: &Format) -> Possible;
    }

    forward! { K, &mut self:
        look_as_before(remembered: &Encoded);
        fit();
        zoom(factor: f32);
        deselect();
        go_to(item: usize);
        find() -> bool;
        run_command(command: &ProblemCommand) -> Possible;
        compare(runs: [usize; 2]);
        begin_export();
    }

    forward! { Self, &self:
        facts_line() -> String;
        key() -> String;
        project_file() -> Option<&Path>;
        ready() -> Possible;
        may_decide() -> Possible;
        present_data() -> Option<Present>;
        unfitting(data: &Dataset) -> Vec<String>;
        has_curves() -> bool;
        parameter_difference(runs: [usize; 2]) -> Option<String>;
        undo_names() -> (Option<&str>, Option<&str>);
    }

    forward! { Self, &mut self:
        set_project_file(path: PathBuf);
        decide_newer(take: bool) -> std::result::Result<(), String>;
        look_at_source(ctx: &Context);
        take_over_source() -> Possible;
        update_data(data: Dataset, readings: Vec<SheetReading>) -> Possible;
        saving(always: bool) -> Option<Saving>;
        poll() -> Vec<Notice>;
        show_run(number: usize);
        show_live();
        undo() -> Possible;
        begin_deciding() -> Possible;
        redo() -> Possible;
        show_draft();
        keep_draft(store: &Store) -> std::result::Result<(), String>;
        use_elsewhere(store: &Store) -> std::result::Result<(), String>;
        take_solution(path: &Path, store: &Store) -> Option<std::result::Result<Notice, String>>;
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn problem(&self) -> &'static dyn Problem {
        <K::Problem>::PROBLEM
    }

    fn name(&self) -> &str {
        <K::Problem>::name(&self.instance)
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn opened(&self) -> String {
        self.project_file().map_or_else(|| self.source.clone(), |path| path.display().to_string())
    }

    fn settings(&self) -> Encoded {
        Encoded::of(&self.settings)
    }

    fn project_contents(&self) -> Option<&'static str> {
        K::TEXTS.project
    }

    fn is_so(&self, cause: Cause) -> bool {
        match cause {
            Cause::Edits(number) => self.edits == number,
            Cause::ChangedFile => self.watch.differs(),
            Cause::EqualData => !self.of_equal_data.is_empty(),
        }
    }

    fn elsewhere(&self) -> Option<String> {
        self.offer_elsewhere()
    }

    fn has_changed(&self) -> bool {
        K::TEXTS.project.is_some() && self.keeper.has_changed()
    }

    fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    fn keeper_mut(&mut self) -> &mut Keeper {
        &mut self.keeper
    }

    fn newer(&self) -> Option<String> {
        self.keeper.newer()
    }

    fn begin(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        self.solve(None, services.operations::<K>().solve, store, wake)
    }

    fn improves(&self) -> bool {
        K::IMPROVES
    }

    fn decides(&self) -> bool {
        <K::Problem>::HAS_DECISIONS
    }

    fn improvable(&self) -> Possible {
        self.ready()?;
        if self.picture().is_none() {
            return Err("There is nothing yet to begin with; solve first");
        }
        K::improvable(self)
    }

    fn improve(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        let start = self.picture().map(|picture| Arc::clone(K::Picture::solution(picture)));
        self.solve(start, services.operations::<K>().solve, store, wake)
    }

    fn ongoing(&self) -> Option<&dyn Ongoing> {
        self.live.as_ref().map(|live| &live.session as &dyn Ongoing)
    }

    fn take_sayings(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.sayings)
    }

    fn progress(&self) -> Progress {
        frames::progress(self)
    }

    fn memory(&self) -> Question {
        let (instance, settings) = (Arc::clone(&self.instance), self.settings.clone());
        Question {
            backend: self.settings.backend.clone(),
            subject: Arc::clone(&self.instance) as _,
            settings: format!("{:?}, {:?}", settings.algorithm, settings.goal),
            needs: Box::new(move |backend, limits| K::memory_need(&instance, &settings, backend, limits)),
        }
    }

    fn settings_bar(&mut self, ui: &mut Ui, devices: &[Device]) {
        K::settings_bar(ui, self, devices);
    }

    fn active_rules(&mut self, ui: &mut Ui) {
        K::active_rules(ui, self);
    }

    fn algorithm(&self) -> &'static str {
        self.settings.algorithm.descriptor().label
    }

    fn parameters(&mut self, ui: &mut Ui) {
        K::parameters(ui, self);
    }

    fn inspector(&mut self, ui: &mut Ui) {
        K::inspector(ui, self);
    }

    fn centre(&mut self, ui: &mut Ui, lost: Option<&str>, commands: &mut Vec<Command>) {
        if self.data_open {
            let margin = Margin { left: 12, right: 12, top: 8, bottom: 8 };
            Frame::new().inner_margin(margin).show(ui, |ui| self.show_data(ui));
            return;
        }
        self.data_open |= frames::unusable_data_bar(ui, self);
        K::banners(ui, self, commands);
        if !K::has_picture(self) && !K::needs_no_picture(self) {
            if !K::instead(ui, self, commands) {
                frames::nothing_yet(ui, self, lost, commands);
            }
            return;
        }
        Frame::new().inner_margin(Margin { left: 12, right: 12, top: 8, bottom: 8 }).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            self.had_focus = std::mem::take(&mut self.canvas_focused);
            K::show_view(ui, self, commands);
        });
    }

    fn show_dialogs(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        self.show_deciding(ctx);
        K::show_dialogs(ctx, self, commands);
    }

    fn is_asking(&self) -> bool {
        let is_deciding = self.deciding.as_ref().is_some_and(|deciding| deciding.is_open());
        is_deciding || self.keeper.newer().is_some() || self.keeper.is_contested() || K::is_asking(self)
    }

    fn tabs(&self) -> Vec<ViewTab> {
        let views = K::views(&self.instance);
        let tab = |(index, view): (usize, &K::View)| ViewTab {
            index,
            name: view.name(),
            help: view.help(),
            group: view.group(),
        };
        let help = "The data as tables, to be edited";
        let data = ViewTab { index: views.len(), name: "Data", help, group: ViewGroup::Data };
        let data = (!self.table_specs().is_empty()).then_some(data);
        views.iter().enumerate().map(tab).chain(data).collect()
    }

    fn view(&self) -> usize {
        let views = K::views(&self.instance);
        let open = || views.iter().position(|view| *view == self.view);
        if self.data_open { views.len() } else { open().unwrap_or_default() }
    }

    fn set_view(&mut self, index: usize) {
        let views = K::views(&self.instance);
        self.data_open = index == views.len() && !self.table_specs().is_empty();
        self.view = views.get(index).copied().unwrap_or(self.view);
    }

    fn zooms(&self) -> bool {
        !self.data_open && self.view.zooms()
    }

    fn canvas_focused(&self) -> bool {
        self.canvas_focused
    }

    fn selection(&self) -> String {
        self.selected.as_ref().map_or_else(String::new, |item| format!("{item:?}"))
    }

    fn commands(&self) -> &'static [ProblemCommand] {
        K::COMMANDS
    }

    fn list(&self, palette: &Palette) -> List {
        let best = self.best_run().map(|run| run.checked.cost());
        let going = |live: &Live<K>| {
            let going = Going {
                number: self.next_number(),
                algorithm: live.settings.algorithm.descriptor().short_label.to_owned(),
                seed: live.settings.seed,
                best: live.checkpoint.as_ref().map_or_else(String::new, |checkpoint| K::best_value(self, checkpoint)),
                seconds: live.checkpoint.as_ref().map(|checkpoint| checkpoint.progress.seconds),
                paused: live.session.is_paused(),
            };
            Row::going(going, palette)
        };
        let ended = |run: &Run<K>| {
            let is_best = best == Some(run.checked.cost());
            let words = (K::figure(self, run), K::TEXTS.incomplete);
            let parameters = self.parameter_words(run);
            Row::ended(run, short_name::<K>(&run.result.algorithm), parameters, words, is_best, palette)
        };
        let rows = self.live.iter().map(going).chain(self.listed().map(ended)).collect();
        let elsewhere = match self.runs.len() - self.listed().count() {
            0 => String::new(),
            runs => format!(
                "Not listed: {} {}. Go back to it and they are here.",
                counted(runs as u64, "run"),
                K::TEXTS.elsewhere
            ),
        };
        List { rows, shown: self.shown, elsewhere, compares: K::COMPARES }
    }

    fn best(&self) -> String {
        self.best_run().map_or_else(String::new, |run| K::figure(self, run))
    }

    fn runs(&self) -> Vec<Listed> {
        let listed = |run: &Run<K>| Listed {
            number: run.number,
            title: run.title(),
            detail: format!("{}, {}", short_name::<K>(&run.result.algorithm), K::figure(self, run)),
        };
        self.listed().map(listed).collect()
    }

    fn shown(&self) -> Shown {
        self.shown
    }

    fn compares(&self) -> bool {
        K::COMPARES
    }

    fn take_run(&mut self, number: usize) -> Option<Removed> {
        let run = self.remove_run(number)?;
        Some(Removed { title: run.title(), path: run.path.clone(), run: Box::new(run) })
    }

    fn put_run(&mut self, run: Box<dyn Any + Send>) {
        if let Ok(run) = run.downcast::<Run<K>>() {
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

    fn convergence(&self, ui: &mut Ui) {
        self.show_convergence(ui);
    }

    fn bottom(&mut self) -> (&mut Look, &mut bool) {
        (&mut self.look, &mut self.runs_instead)
    }

    fn has_draft(&self) -> bool {
        self.draft().is_some()
    }

    fn discard_draft(&mut self) -> Possible {
        self.discard()
    }

    fn keeps_drafts(&self) -> bool {
        K::KEEPS_DRAFTS
    }

    fn formats(&self) -> &'static [Format] {
        <K::Problem>::FORMATS
    }

    fn export_options(&mut self, ui: &mut Ui, format: &Format) {
        K::export_options(ui, self, format);
    }

    fn stamp(&self) -> Option<String> {
        let stamp = Stamp::of(&K::violations(self), <K::Problem>::PROBLEM.violation_nouns());
        stamp.map(|stamp| stamp.line().to_owned())
    }

    fn export(&self, services: &Services, format: &Format, path: PathBuf) -> std::result::Result<Export, String> {
        K::exportable(self)?;
        K::may_export(self, format)?;
        let exported = K::Exported::of(self, format)?;
        let (write, format) = (services.operations::<K>().export, *format);
        Ok(Box::new(move |writing| write(&exported, &format, &path, writing)))
    }
}
