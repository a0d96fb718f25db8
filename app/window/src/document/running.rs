//! Runs of a document from the press of the button to their place in the list, and how their costs fall.

use std::path::Path;
use std::sync::Arc;

use egui::Ui;
use gridwright_core::export::Writing;
use gridwright_core::export::formats::Format;
use gridwright_core::planning::{OUR_BEST, Planning as _};
use gridwright_core::result::RunResult;
use gridwright_core::search::partial::{BY_HAND, partial_result};
use gridwright_core::search::{Control, CurvePoint, Progress, StopReason};
use gridwright_core::store::Store;
use gridwright_core::{Result, files};

use super::kind::DocumentKind;
use super::kind::{CheckedRun as _, ExportedSolution as _};
use super::{Document, Live, Opener, Run, SolveRequest};
use crate::document::kind::{Best, Solution};
use crate::runs::{self, Ended, RunStatus, Shown, curves};
use crate::session::Checkpoint;
use crate::theme::palette;
use crate::widgets::convergence::{self, Curve, Reference};
use crate::widgets::notice::Notice;

/// Solves; tests replace it.
pub type Solver<K> =
    Arc<dyn Fn(&SolveRequest<K>, &Control, &mut dyn FnMut(&Progress<Best<K>>)) -> Result<RunResult> + Send + Sync>;

/// Writes an export in a format to a file of any name, unless it is cancelled before; tests replace it.
pub(crate) type Exporter<K> =
    Arc<dyn Fn(&<K as DocumentKind>::Exported, &Format, &Path, &Writing) -> Result<()> + Send + Sync>;

/// The slow operations of a problem, which run in threads; tests replace them.
pub struct Operations<K: DocumentKind> {
    /// Opens instances.
    pub open: Opener<K>,
    /// Solves them.
    pub solve: Solver<K>,
    /// Writes solutions.
    pub export: Exporter<K>,
}

impl<K: DocumentKind> Default for Operations<K> {
    fn default() -> Self {
        Self {
            open: Arc::new(<K::Problem>::open),
            solve: Arc::new(|request, control, observer| {
                let SolveRequest { instance, settings, start, .. } = request;
                <K::Problem>::solve(instance, settings, start.as_deref(), control, observer)
            }),
            export: Arc::new(|exported, format, path, writing| {
                let bytes = exported.bytes(format.ending, writing)?;
                writing.check()?;
                files::write(path, &bytes)
            }),
        }
    }
}

impl<K: DocumentKind> Clone for Operations<K> {
    fn clone(&self) -> Self {
        Self { open: Arc::clone(&self.open), solve: Arc::clone(&self.solve), export: Arc::clone(&self.export) }
    }
}

impl<K: DocumentKind> runs::Request for SolveRequest<K> {
    type Solution = Best<K>;
    type Checked = K::Checked;

    fn key(&self) -> String {
        self.key.clone()
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn validate(&self, result: RunResult) -> Option<runs::Run<K::Checked>> {
        K::Checked::validate(&self.instance, result)
    }
}

/// The run of a solution that a person made; `None` if solutions of the problem are not made by hand.
pub(crate) fn by_hand<K: DocumentKind>(request: &SolveRequest<K>, made: &Arc<Solution<K>>) -> Option<RunResult> {
    let (best, cost) = K::made_by_hand(request, made)?;
    let progress = Checkpoint::made(best, cost).progress;
    let SolveRequest { instance, source, settings, start, .. } = request;
    let judgement = <K::Problem>::judge(instance, settings, start.as_deref(), &progress.snapshot);
    let reference = <K::Problem>::reference(instance, source.clone(), K::run_options(request));
    let id = <K::Problem>::PROBLEM.id();
    let result = partial_result(judgement, id, reference, settings, &progress, Vec::new(), StopReason::ByHand);
    let notes = vec![K::TEXTS.by_hand.to_owned()];
    Some(RunResult { algorithm: BY_HAND.to_owned(), parameters: Default::default(), notes, ..result })
}

impl<K: DocumentKind> Document<K> {
    /// Starts a run, from a solution or anew; returns a notice if that is not possible.
    pub fn solve(
        &mut self, start: Option<Arc<Solution<K>>>, solver: Solver<K>, store: &Store, wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Option<Notice> {
        if self.ready().is_err() {
            return None;
        }
        let mut settings = self.settings.clone();
        if let Some(start) = &start {
            K::fit_to_start(&mut settings, start);
        }
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let key = self.key();
        let request = SolveRequest { instance, source, key, settings: settings.clone(), start };
        match runs::start(request, solver, store.clone(), wake) {
            Ok(session) => {
                self.live = Some(Live { session, settings, instance: Arc::clone(&self.instance), checkpoint: None });
                self.shown = Shown::Live;
                K::run_begins(self);
                self.refresh();
                None
            }
            Err(error) => {
                let why = format!("The system gives no thread: {error}");
                Some(Notice::error("The run could not begin", why))
            }
        }
    }

    /// Takes in the messages of the worker thread; returns the notices for the user.
    pub(crate) fn poll(&mut self) -> Vec<Notice> {
        self.poll_data();
        self.poll_source();
        let mut notices = std::mem::take(&mut self.sayings);
        let Some(live) = &mut self.live else { return notices };
        let news = live.session.poll();
        if let Some(checkpoint) = news.progress {
            live.checkpoint = Some(checkpoint);
            K::run_progressed(self);
            self.refresh();
        }
        let Some(ending) = news.ending else { return notices };
        let last =
            self.live.take().and_then(|live| live.checkpoint).map(|checkpoint| checkpoint.progress.snapshot.best);
        let ended = ending.unwrap_or_else(Ended::broken);
        notices.extend(K::ending(&ended));
        let (number, was_shown) = (self.next_number(), self.shown == Shown::Live);
        let is_listed = ended.run.is_some();
        if let Some(run) = ended.run {
            // The data may have changed while the search went on.
            let judged = self.judge_run((*run.result).clone()).filter(|judged| judged.earlier.is_some());
            self.runs.push(match judged {
                Some(judged) => Run::<K> { path: run.path, ..judged },
                None => run,
            });
            self.keeper.touch_runs();
        }
        K::run_ended(self, number, is_listed, last.as_deref());
        match (was_shown, is_listed) {
            (true, true) if self.awaited.take() == Some(number) => self.shown = Shown::Run(number),
            (true, true) => self.shown = self.shown_after(number, &mut notices),
            (true, false) => self.show_best(),
            _ => {}
        }
        self.refresh();
        notices
    }

    /// Solution to show when run `number` has ended: an earlier run if that is better by the same demands; a notice says so.
    fn shown_after(&self, number: usize, notices: &mut Vec<Notice>) -> Shown {
        let ended = Shown::Run(number);
        let Some(run) = self.run(number).filter(|_| K::SHOWS_BEST) else { return ended };
        let is_alike = |other: &&Run<K>| {
            let (now, then) = (&run.result, &other.result);
            other.number != number
                && K::is_comparable(run, other)
                && other.status == RunStatus::Valid
                && (&now.demands, &now.instance.hash, &now.instance.options)
                    == (&then.demands, &then.instance.hash, &then.instance.options)
        };
        let before = self.listed().filter(is_alike);
        let Some(best) = before.min_by(|a, b| a.checked.cost().total_cmp(&b.checked.cost())) else {
            return ended;
        };
        if run.status == RunStatus::Valid && run.checked.cost() <= best.checked.cost() {
            return ended;
        }
        let heading = format!("{} is shown, which is better than run {number}", best.title());
        let text = format!("{}: {}\nRun {number}: {}", best.title(), K::value(self, best), K::value(self, run));
        notices.push(Notice::warning(heading, text).of_run());
        Shown::Run(best.number)
    }

    /// Lists the draft as a run and keeps it on disk; the edits end with that.
    ///
    /// # Errors
    /// Why it could not be kept, in words; the edits stay.
    pub(crate) fn keep_draft(&mut self, store: &Store) -> std::result::Result<(), String> {
        let Some(draft) = self.draft().cloned() else { return Ok(()) };
        // If nothing was moved, the solution is listed already.
        let is_new = draft.solution != draft.base;
        let listed = if is_new { self.list(&draft.solution, Vec::new(), store)? } else { None };
        self.end_edits();
        match listed {
            Some(number) => self.show_run(number),
            None => self.show_best(),
        }
        Ok(())
    }

    /// Lists a solution that no search has found as a run and keeps it on disk; `notes` say where it comes from; without any it
    /// was made by hand. Returns its number; `None` if the problem has no such runs.
    fn list(
        &mut self, made: &Arc<Solution<K>>, notes: Vec<String>, store: &Store,
    ) -> std::result::Result<Option<usize>, String> {
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let key = self.key();
        let request = SolveRequest { instance, source, key, settings: K::hand_settings(self), start: None };
        let Some(mut result) = by_hand::<K>(&request, made) else { return Ok(None) };
        if !notes.is_empty() {
            result.notes = notes;
        }
        let path = store.keep(&self.key(), &result).map_err(|error| error.to_string())?;
        let Some(run) = K::Checked::validate(&self.instance, result) else { return Ok(None) };
        self.keeper.touch_runs();
        Ok(Some(self.runs.push(runs::Run { path: Some(path), ..run })))
    }

    /// Lists the solution in a file as a run and shows it; `None` if the file is no solution of the problem.
    pub(crate) fn take_solution(&mut self, path: &Path, store: &Store) -> Option<std::result::Result<Notice, String>> {
        let read = K::read_solution(&self.instance, path)?;
        Some(read.map_err(|error| error.to_string()).and_then(|(solution, mismatches)| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let notes = std::iter::once(format!("read from {name}")).chain(mismatches.iter().cloned()).collect();
            let Some(number) = self.list(&Arc::new(solution), notes, store)? else {
                return Err(format!("{name} holds nothing that could be listed"));
            };
            self.show_run(number);
            let heading = format!("{name} was read as run {number}");
            Ok(match mismatches.is_empty() {
                true => Notice::success(heading, ""),
                false => Notice::warning(heading, mismatches.join("\n")),
            })
        }))
    }

    /// Returns `true` if there is a curve to plot.
    pub(crate) fn has_curves(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.checkpoint.is_some())
            || curves::plotted(self.listed()).next().is_some()
    }

    /// Draws best, mean and worst cost of all listed runs.
    pub(crate) fn show_convergence(&self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let mut lines = curves::ended(self.listed(), self.shown, palette);
        if let Some(checkpoint) = self.live.as_ref().and_then(|live| live.checkpoint.as_ref()) {
            lines.push(curves::going(checkpoint, self.next_number(), K::live_is_priced(self), self.shown, palette));
        }
        let (quantity, scale) = (K::quantity(self), K::curve_scale(self));
        let ours = <K::Problem>::our_best(&self.instance, &self.settings.goal);
        let ours = ours.map(|value| Reference {
            name: OUR_BEST.to_owned(),
            value,
            source: "best solution in the measured results of this program".to_owned(),
        });
        let references: Vec<Reference> = K::references(self).into_iter().chain(ours).collect();
        let Some(value) = K::curve_value(self) else {
            convergence::show(ui, quantity, &lines, &references, self.look, scale);
            return;
        };
        let converted = |point: &CurvePoint| CurvePoint {
            best: value(point.best),
            mean: value(point.mean),
            worst: value(point.worst),
            ..*point
        };
        let points: Vec<Vec<CurvePoint>> =
            lines.iter().map(|line| line.points.iter().map(converted).collect()).collect();
        let lines: Vec<_> = lines.into_iter().zip(&points).map(|(line, points)| Curve { points, ..line }).collect();
        convergence::show(ui, quantity, &lines, &references, self.look, scale);
    }
}
