//! An open instance with everything around it: settings, the run that goes on, runs that ended, what is selected.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use egui::Ui;
use gridwright_solver::result::RunResult;
use gridwright_solver::timetabling::formats::LoadOptions;
use gridwright_solver::timetabling::project::{self, Project};
use gridwright_solver::timetabling::run::Settings;
use gridwright_solver::timetabling::{Instance, MAX_PERIODS, Timetable};
use gridwright_solver::{Error, Result};

use super::analysis::{Facts, Picture};
use super::editing::Edit;
use super::solving::{self, Ended, Order, Run, Solver, Standing};
use super::working::Bench;
use super::{adjusting, against, conflicts, exams, gaps, grid, load, periods, settings, students, views};
use crate::session::{Kept, Session};
use crate::store::Store;
use crate::widgets::convergence::{self, Curve, Look, Reference};
use crate::widgets::notice::{Action, Notice};
use crate::widgets::parameters::grouped;

/// What opens instances; tests put another one in its place.
pub type Opener = Arc<dyn Fn(&str, &LoadOptions) -> Result<Instance> + Send + Sync>;

/// The views of a timetable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// Exams × periods.
    #[default]
    Grid,
    /// Periods as columns, exams as chips.
    Periods,
    /// Exams × exams.
    Conflicts,
    /// Students and exams per period.
    Load,
    /// How far apart the exams of a student are.
    Gaps,
    /// All students as a table.
    Students,
    /// All exams as a table.
    Exams,
    /// Two timetables against each other.
    Compare,
}

impl View {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Grid,
        Self::Periods,
        Self::Conflicts,
        Self::Load,
        Self::Gaps,
        Self::Students,
        Self::Exams,
        Self::Compare,
    ];

    /// Whether it can be enlarged.
    pub fn zooms(self) -> bool {
        matches!(self, Self::Grid | Self::Periods | Self::Conflicts)
    }

    /// The word on its tab.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => "Grid",
            Self::Periods => "Periods",
            Self::Conflicts => "Conflicts",
            Self::Load => "Load",
            Self::Gaps => "Gaps",
            Self::Students => "Students",
            Self::Exams => "Exams",
            Self::Compare => "Compare",
        }
    }

    /// What it shows.
    pub fn help(self) -> &'static str {
        match self {
            Self::Grid => "Exams by periods, coloured by their share of the cost",
            Self::Periods => "The exams of every period",
            Self::Conflicts => "Which exams share students, and how many",
            Self::Load => "Students and exams in every period",
            Self::Gaps => "How far apart the exams of a student are, and what that costs",
            Self::Students => "All students as a table, and their exams in time",
            Self::Exams => "All exams as a table",
            Self::Compare => "Two timetables against each other: what moved, who gains, who loses",
        }
    }
}

/// Which timetable is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// None yet.
    Nothing,
    /// The best so far of the run that goes on.
    Live,
    /// The run with this number.
    Run(usize),
    /// The timetable that is being edited.
    Draft,
}

/// A run that goes on.
pub struct Live {
    /// Its thread.
    pub session: Session<Timetable, Ended>,
    /// What it was started with.
    pub settings: Settings,
    /// Where it stands.
    pub kept: Option<Kept<Timetable>>,
}

/// An open instance.
pub struct Desk {
    /// What is to be timetabled.
    pub instance: Arc<Instance>,
    /// Where it comes from: a path or `sample:…`.
    pub source: String,
    /// What takes a moment to count.
    pub facts: Facts,
    /// How the next run will be made.
    pub settings: Settings,
    /// Runs that ended, oldest first, whatever number of periods they were for.
    pub runs: Vec<Run>,
    /// The run that goes on.
    pub live: Option<Live>,
    /// Which timetable is shown.
    pub shown: Shown,
    /// How it is shown.
    pub view: View,
    /// The exam that is looked at.
    pub selected: Option<usize>,
    /// Whether the keyboard works on the picture.
    pub canvas_focused: bool,
    /// How convergence is shown.
    pub look: Look,
    /// Whether the runs stand where only one of convergence and runs fits.
    pub runs_instead: bool,
    pub(super) bench: Bench,
    /// A move that was asked for and has something against it.
    pub doubt: Option<adjusting::Doubt>,
    /// What is being demanded of the selected exam.
    pub relating: adjusting::Relating,
    /// What the person should be told next.
    pub sayings: Vec<Notice>,
    pub(super) grid: grid::State,
    pub(super) exams: exams::State,
    pub(super) periods: periods::State,
    pub(super) views: views::Views,
    pub(super) against: against::State,
    picture: Option<Arc<Picture>>,
    revision: u64,
}

impl Desk {
    /// Opens an instance and the runs that were kept of it; for a thread that may take its time. A result file opens
    /// the instance that it belongs to and is shown.
    ///
    /// # Errors
    /// What is wrong with the files.
    pub fn open(
        source: &str,
        options: &LoadOptions,
        opener: &Opener,
        store: &Store,
        settings: Settings,
    ) -> Result<(Self, Vec<Notice>)> {
        let path = Path::new(source);
        if project::is_project(path) {
            return Self::open_project(path, opener, store, settings);
        }
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("ron")) {
            return Ok(Self::with_instance(opener(source, options)?, source, store, settings, None));
        }
        let result = RunResult::load(path)?;
        let of = result_source(path, &result);
        let periods = result.instance.options.get("periods").and_then(|text| text.parse().ok());
        let options = LoadOptions { periods: options.periods.or(periods) };
        let (mut desk, notices) = Self::with_instance(opener(&of, &options)?, &of, store, settings, None);
        if !result.instance.hash.is_empty() && result.instance.hash != desk.instance.file_hash {
            let what = format!(
                "this result was found for other data than {of}; bring back the original files, or solve again"
            );
            return Err(Error::file(path, what));
        }
        desk.add_result(path, result);
        Ok((desk, notices))
    }

    /// A project file: its instance, and everything that was kept with it.
    fn open_project(path: &Path, opener: &Opener, store: &Store, settings: Settings) -> Result<(Self, Vec<Notice>)> {
        let project = Project::load(path)?;
        let (instance, source) = project.open_source(path, |source, options| opener(source, options))?;
        // What contradicts the instance is an error before anything is shown.
        project.apply(instance.clone())?;
        let (mut desk, notices) = Self::with_instance(instance, &source, store, settings, Some(&project));
        desk.bench.project = Some(path.to_path_buf());
        // The program's own copy may be of another state.
        desk.bench.changed = true;
        Ok((desk, notices))
    }

    fn with_instance(
        instance: Instance,
        source: &str,
        store: &Store,
        settings: Settings,
        project: Option<&Project>,
    ) -> (Self, Vec<Notice>) {
        let key = solving::instance_key(&instance);
        let (stored, problems) = store.runs(&key);
        let mut notices: Vec<Notice> = problems
            .iter()
            .map(|problem| Notice::warning("A kept run could not be read", problem.to_string()))
            .collect();
        let mut by_periods: HashMap<usize, Option<Instance>> = HashMap::new();
        let mut runs = Vec::new();
        for stored in stored {
            let periods = solving::periods_of(&stored.result, &instance);
            let fitted = by_periods.entry(periods).or_insert_with(|| instance.clone().with_periods(periods).ok());
            if let Some(fitted) = fitted {
                let mut run = solving::admit(fitted, stored.result);
                run.name = Store::name_of(&stored.path);
                (run.number, run.path) = (runs.len() + 1, Some(stored.path));
                runs.push(run);
            }
        }
        let kept = match project {
            Some(project) => Some(project.clone()),
            None => store.load_project(&key).unwrap_or_else(|error| {
                notices.push(Notice::warning("Calendar, rules and edits could not be read", error.to_string()));
                None
            }),
        };
        let (bench, fitted) = Bench::new(instance, kept.as_ref());
        if let Err(error) = fitted {
            notices.push(Notice::warning("Calendar, rules and edits could not be taken over", error.to_string()));
        }
        let instance = bench.instance();
        let mut desk = Self {
            facts: Facts::of(&instance),
            instance: Arc::new(instance),
            bench,
            doubt: None,
            relating: adjusting::Relating::default(),
            sayings: Vec::new(),
            source: source.to_owned(),
            settings,
            runs,
            live: None,
            shown: Shown::Nothing,
            view: View::default(),
            selected: None,
            canvas_focused: false,
            look: Look::default(),
            runs_instead: false,
            grid: grid::State::default(),
            exams: exams::State::default(),
            periods: periods::State::default(),
            views: views::Views::default(),
            against: against::State::default(),
            picture: None,
            revision: 0,
        };
        if let Some(kept) = &kept {
            desk.take_runs(kept);
        }
        desk.show_best();
        if let Some(kept) = &kept {
            desk.restore_view(kept);
        }
        (desk, notices)
    }

    /// Lists and shows a result from a file, unless it is listed already.
    fn add_result(&mut self, path: &Path, result: RunResult) {
        let listed = self.runs.iter().find(|run| *run.result == result).map(|run| run.number);
        let number = listed.unwrap_or_else(|| {
            let mut run = solving::admit(&self.instance, result);
            (run.number, run.path) = (self.next_number(), Some(path.to_path_buf()));
            self.runs.push(run);
            self.next_number() - 1
        });
        self.show_run(number);
    }

    /// One line: sizes.
    pub fn facts_line(&self) -> String {
        facts_line(&self.instance)
    }

    /// Runs for the present number of periods, newest first.
    pub fn listed(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter().rev().filter(|run| run.periods == self.instance.period_count())
    }

    /// The run with this number.
    pub fn run(&self, number: usize) -> Option<&Run> {
        self.runs.iter().find(|run| run.number == number)
    }

    /// The run that is shown, if it is one that ended.
    pub fn shown_run(&self) -> Option<&Run> {
        match self.shown {
            Shown::Run(number) => self.run(number),
            _ => None,
        }
    }

    /// Shows the best run that there is.
    pub(super) fn show_best(&mut self) {
        let valid = self.listed().filter(|run| run.standing == Standing::Valid).min_by_key(|run| run.raw);
        self.shown = match valid.or_else(|| self.listed().next()) {
            Some(run) => Shown::Run(run.number),
            None => Shown::Nothing,
        };
        self.refresh();
    }

    /// Shows a run.
    pub fn show_run(&mut self, number: usize) {
        self.shown = Shown::Run(number);
        self.refresh();
    }

    /// Shows the best so far of the run that goes on.
    pub fn show_live(&mut self) {
        if self.live.is_some() {
            self.shown = Shown::Live;
            self.refresh();
        }
    }

    /// Whether a run goes on.
    pub fn is_solving(&self) -> bool {
        self.live.is_some()
    }

    /// Whether a run could begin, or what is missing.
    ///
    /// # Errors
    /// What is missing, in words.
    pub fn ready(&self) -> std::result::Result<(), &'static str> {
        match () {
            () if self.is_solving() => Err("A run goes on"),
            () if self.instance.exam_count() == 0 => Err("There are no exams"),
            () if self.instance.period_count() == 0 => Err("Say first in how many periods"),
            () => Ok(()),
        }
    }

    /// The same session in another number of periods.
    pub fn set_periods(&mut self, count: usize) {
        // The field allows nothing that could fail, and is not there while a run goes on.
        if (1..=MAX_PERIODS).contains(&count) {
            let _ = self.edit(vec![Edit::PeriodCount(count)]);
        }
    }

    /// Begins a run.
    pub fn solve(&mut self, solver: Solver, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        if self.ready().is_err() {
            return None;
        }
        let order = Order {
            instance: Arc::clone(&self.instance),
            source: self.source.clone(),
            settings: self.settings.clone(),
        };
        match solving::start(order, solver, store.clone(), wake) {
            Ok(session) => {
                self.live = Some(Live { session, settings: self.settings.clone(), kept: None });
                self.shown = Shown::Live;
                self.refresh();
                None
            }
            Err(error) => {
                Some(Notice::error("The run could not begin", format!("The system gives no thread: {error}")))
            }
        }
    }

    /// Takes in what the worker has to say; returns what the person should know.
    pub fn poll(&mut self) -> Vec<Notice> {
        let Some(live) = &mut self.live else { return Vec::new() };
        let news = live.session.poll();
        if let Some(kept) = news.progress {
            live.kept = Some(kept);
            self.refresh();
        }
        let Some(ending) = news.ending else { return Vec::new() };
        self.live = None;
        let ended = ending.unwrap_or_else(|why| Ended { run: None, failure: Some(why), unkept: None });
        self.conclude(ended)
    }

    fn conclude(&mut self, ended: Ended) -> Vec<Notice> {
        let mut notices = Vec::new();
        // The project's file holds the runs, too.
        self.bench.changed |= self.bench.project.is_some();
        let was_shown = self.shown == Shown::Live;
        if let Some(mut run) = ended.run {
            run.number = self.runs.last().map_or(1, |last| last.number + 1);
            let number = run.number;
            let text = match &run.standing {
                Standing::Incomplete(_) => {
                    let text = "What was found is shown, with the reasons above it. Allow more periods or more time.";
                    Some(("No feasible timetable was found", text.to_owned()))
                }
                Standing::Wrong(text) => Some(("The result did not pass the check", text.clone())),
                Standing::Valid => None,
            };
            self.runs.push(run);
            if was_shown {
                self.shown = Shown::Run(number);
            }
            if let (Some((heading, text)), None) = (text, &ended.failure) {
                notices.push(Notice::error(heading, text));
            }
            if let Some(why) = &ended.failure {
                let text = format!("{why}\nThe best timetable so far was kept.");
                notices.push(Notice::error("The run broke off", text).offering(Action::SolveAgain));
            }
        } else {
            if was_shown {
                self.show_best();
            }
            if let Some(why) = &ended.failure {
                notices.push(Notice::error("The run failed", why.clone()).offering(Action::SolveAgain));
            }
        }
        if let Some(why) = ended.unkept {
            notices.push(Notice::error("The run could not be kept on disk", why));
        }
        self.refresh();
        notices
    }

    /// Tells the person something at the next occasion.
    pub fn say(&mut self, words: &'static str) {
        self.sayings.push(Notice::warning("This is not possible now", words));
    }

    /// Asks the run to stop and waits a little for it to be kept; for closing.
    pub fn finish(&self, patience: Duration) {
        if let Some(live) = &self.live {
            live.session.stop();
            live.session.wait(patience);
        }
    }

    /// The timetable that is shown, with what follows from it. A result that contradicts the checker is never shown.
    pub fn picture(&self) -> Option<&Arc<Picture>> {
        self.picture.as_ref()
    }

    /// Changes with every other picture.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The picture is made anew even of the same timetable.
    pub(super) fn forget_picture(&mut self) {
        self.picture = None;
    }

    pub(super) fn refresh(&mut self) {
        let wanted = match self.shown {
            Shown::Nothing => None,
            Shown::Live => {
                let kept = self.live.as_ref().and_then(|live| live.kept.as_ref());
                kept.map(|kept| Arc::clone(&kept.progress.snapshot.best))
            }
            Shown::Run(number) => {
                let run = self.run(number).filter(|run| !matches!(run.standing, Standing::Wrong(_)));
                run.map(|run| Arc::clone(&run.timetable))
            }
            Shown::Draft => self.draft().map(|draft| Arc::clone(&draft.timetable)),
        };
        let same = match (&wanted, &self.picture) {
            (Some(wanted), Some(picture)) => Arc::ptr_eq(wanted, &picture.timetable),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.picture = wanted.map(|timetable| Arc::new(Picture::of(&self.instance, timetable)));
            self.revision += 1;
        }
        self.judge();
    }

    /// The timetable that may be exported.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn exportable(&self) -> std::result::Result<Arc<Timetable>, &'static str> {
        match (self.shown, self.shown_run()) {
            (Shown::Live, _) => Err("Stop the run first; a timetable can be exported when it has been checked"),
            (Shown::Draft, _) => match (self.draft(), self.verdict()) {
                (Some(draft), Some(verdict)) if verdict.feasible => Ok(Arc::clone(&draft.timetable)),
                _ => Err("The edited timetable has clashes or breaks rules; mend it or solve again around the changes"),
            },
            (_, Some(run)) if run.standing == Standing::Valid => Ok(Arc::clone(&run.timetable)),
            (_, Some(_)) => Err("This is not a valid timetable and cannot be exported"),
            _ => Err("Solve first; there is no timetable yet"),
        }
    }

    /// Paints the chosen view.
    pub fn show_view(&mut self, ui: &mut Ui) {
        self.canvas_focused = false;
        match self.view {
            View::Grid => grid::show(ui, self),
            View::Periods => periods::show(ui, self),
            View::Conflicts => conflicts::show(ui, self),
            View::Load => load::show(ui, self),
            View::Gaps => gaps::show(ui, self),
            View::Students => students::show(ui, self),
            View::Exams => exams::show(ui, self),
            View::Compare => against::show(ui, self),
        }
    }

    /// Shows all of the picture.
    pub fn fit(&mut self) {
        match self.view {
            View::Periods => self.periods.view.fit(),
            View::Conflicts => self.views.conflicts.view.fit(),
            _ => self.grid.view.fit(),
        }
    }

    /// Enlarges the picture by a factor.
    pub fn zoom(&mut self, factor: f32) {
        match self.view {
            View::Periods => self.periods.view.zoom(factor),
            View::Conflicts => self.views.conflicts.view.zoom(factor),
            _ => self.grid.view.zoom(factor),
        }
    }

    /// Best, mean and worst of all listed runs.
    pub fn show_convergence(&self, ui: &mut Ui) {
        let palette = crate::theme::palette(ui.visuals());
        let mut curves: Vec<Curve<'_>> = self
            .listed()
            .take(12)
            .filter(|run| !run.result.curve.is_empty() && !matches!(run.standing, Standing::Wrong(_)))
            .map(|run| Curve {
                name: format!("Run {}", run.number),
                colour: palette.curve(run.number - 1),
                points: &run.result.curve,
                chosen: self.shown == Shown::Run(run.number),
            })
            .collect();
        if let Some(kept) = self.live.as_ref().and_then(|live| live.kept.as_ref()) {
            let number = self.next_number();
            let colour = palette.curve(number - 1);
            let chosen = self.shown == Shown::Live;
            curves.push(Curve { name: format!("Run {number}"), colour, points: &kept.curve, chosen });
        }
        let scale = 1.0 / f64::from(self.instance.divisor);
        convergence::show(ui, "Cost per student", &curves, &self.references(), self.look, scale);
    }

    /// Whether there is anything to plot.
    pub fn has_curves(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.kept.is_some())
            || self.listed().any(|run| !run.result.curve.is_empty())
    }

    /// The number that the run which goes on will have.
    pub fn next_number(&self) -> usize {
        self.runs.last().map_or(1, |last| last.number + 1)
    }

    /// Values from the literature, for the published number of periods.
    pub fn references(&self) -> Vec<Reference> {
        use gridwright_solver::timetabling::instance::{best_known, published, published_mean};
        let name = self.instance.name.as_str();
        if published(name).is_none_or(|row| row.0 != self.instance.period_count()) {
            return Vec::new();
        }
        let mut references = Vec::new();
        if let Some(value) = best_known(name) {
            references.push(Reference { name: "Best known".to_owned(), value });
        }
        if let Some(value) = published_mean(name) {
            references.push(Reference { name: "Published mean".to_owned(), value });
        }
        references
    }

    /// The settings of a person who opens the next instance.
    pub fn settings_to_remember(&self) -> Settings {
        self.settings.clone()
    }
}

/// Where the instance of a result lies: as it was named, or beside the result.
fn result_source(path: &Path, result: &RunResult) -> String {
    let stated = Path::new(&result.instance.source);
    let beside = path.parent().zip(stated.file_name()).map(|(folder, name)| folder.join(name));
    match beside {
        Some(beside) if !stated.exists() && beside.exists() => beside.display().to_string(),
        _ => result.instance.source.clone(),
    }
}

/// Settings to begin with.
pub fn default_settings() -> Settings {
    settings::defaults()
}

/// «81 exams, 2823 students, 18 periods».
pub fn facts_line(instance: &Instance) -> String {
    let count =
        |number: usize, noun: &str| format!("{} {noun}{}", grouped(number as i64), if number == 1 { "" } else { "s" });
    let mut parts = vec![count(instance.exam_count(), "exam"), count(instance.students.len(), "student")];
    if instance.period_count() > 0 {
        parts.push(count(instance.period_count(), "period"));
    }
    parts.join(", ")
}
