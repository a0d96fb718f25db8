//! Runs of a document from the press of the button to their place in the list, and how their costs fall.

use std::path::Path;
use std::sync::Arc;

use egui::Ui;
use gridwright_solver::result::{Encoded, RunResult};
use gridwright_solver::search::{Control, CurvePoint, Progress, StopReason};
use gridwright_solver::{Result, files};

use super::kind::DocumentKind;
use super::{Document, Live, Opener, SolveRequest};
use crate::runs::{self, Ended, Shown, curves, partial_result};
use crate::session::Checkpoint;
use crate::store::Store;
use crate::theme::palette;
use crate::widgets::convergence::{self, Curve};
use crate::widgets::notice::Notice;

/// Solves; tests replace it.
pub type Solver<K> = Arc<
    dyn Fn(&SolveRequest<K>, &Control, &mut dyn FnMut(&Progress<<K as DocumentKind>::Best>)) -> Result<RunResult>
        + Send
        + Sync,
>;

/// Writes an export; tests replace it.
pub type Exporter<K> = Arc<dyn Fn(&<K as DocumentKind>::Exported, &Path) -> Result<()> + Send + Sync>;

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
            open: Arc::new(K::open_instance),
            solve: Arc::new(K::solve),
            export: Arc::new(|exported, path| files::write(path, &K::export_bytes(exported, path)?)),
        }
    }
}

impl<K: DocumentKind> Clone for Operations<K> {
    fn clone(&self) -> Self {
        Self { open: Arc::clone(&self.open), solve: Arc::clone(&self.solve), export: Arc::clone(&self.export) }
    }
}

impl<K: DocumentKind> runs::Request for SolveRequest<K> {
    type Solution = K::Best;
    type Checked = K::Checked;

    fn key(&self) -> String {
        runs::instance_key(K::name(&self.instance), K::hash(&self.instance))
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn interrupted(&self, checkpoint: &Checkpoint<K::Best>, why: StopReason) -> RunResult {
        let judgement = K::judge(self, checkpoint);
        let instance = gridwright_solver::result::InstanceReference {
            name: K::name(&self.instance).to_owned(),
            source: self.source.clone(),
            hash: K::hash(&self.instance).to_owned(),
            options: K::run_options(self),
        };
        partial_result(judgement, K::PROBLEM.id(), instance, &self.settings, checkpoint, why)
    }

    fn validate(&self, result: RunResult) -> Option<runs::Run<K::Checked>> {
        K::validate(&self.instance, result)
    }
}

/// The run of a solution that a person made; `None` if solutions of the problem are not made by hand.
pub fn by_hand<K: DocumentKind>(request: &SolveRequest<K>, made: &Arc<K::Solution>) -> Option<RunResult> {
    unsearched(request, made, (runs::BY_HAND, StopReason::ByHand, K::TEXTS.by_hand.to_owned()))
}

/// The run of a solution that no search has found; `origin` is the name instead of an algorithm's, the reason for the end and
/// a note.
fn unsearched<K: DocumentKind>(
    request: &SolveRequest<K>, made: &Arc<K::Solution>, (name, reason, note): (&str, StopReason, String),
) -> Option<RunResult> {
    use runs::Request;
    let (best, cost) = K::made_by_hand(request, made)?;
    let result = request.interrupted(&Checkpoint::made(best, cost), reason);
    Some(RunResult { algorithm: name.to_owned(), parameters: Default::default(), notes: vec![note], ..result })
}

impl<K: DocumentKind> Document<K> {
    /// Starts a run, from a solution or anew; returns a notice if that is not possible.
    pub fn solve(
        &mut self, start: Option<Arc<K::Solution>>, solver: Solver<K>, store: &Store, wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Option<Notice> {
        if self.ready().is_err() {
            return None;
        }
        let mut settings = self.settings.clone();
        if let Some(start) = &start {
            K::fit_to_start(&mut settings, start);
        }
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let request = SolveRequest { instance, source, settings: settings.clone(), start };
        match runs::start(request, solver, store.clone(), wake) {
            Ok(session) => {
                self.live = Some(Live { session, settings, instance: Arc::clone(&self.instance), checkpoint: None });
                self.shown = Shown::Live;
                K::run_begins(self);
                self.refresh();
                None
            }
            Err(notice) => Some(notice),
        }
    }

    /// Takes in the messages of the worker thread; returns the notices for the user.
    pub fn poll(&mut self) -> Vec<Notice> {
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
            self.runs.push(run);
            self.keeper.touch_runs();
        }
        K::run_ended(self, number, is_listed, last.as_deref());
        match (was_shown, is_listed) {
            (true, true) => self.shown = Shown::Run(number),
            (true, false) => self.show_best(),
            _ => {}
        }
        self.refresh();
        notices
    }

    /// Lists the draft as a run and keeps it on disk; the edits end with that.
    ///
    /// # Errors
    /// Why it could not be kept, in words; the edits stay.
    pub fn keep_draft(&mut self, store: &Store) -> std::result::Result<(), String> {
        let Some(draft) = self.draft().cloned() else { return Ok(()) };
        // Where everything stands where it stood, that solution is listed already.
        let made = if draft.solution == draft.base { None } else { by_hand(&self.hand_request(), &draft.solution) };
        let Some(result) = made else {
            self.end_edits();
            self.show_best();
            return Ok(());
        };
        let number = self.list_kept(result, store)?;
        self.end_edits();
        number.into_iter().for_each(|number| self.show_run(number));
        Ok(())
    }

    /// Lists a solution that was read from a file as a run, keeps it on disk and shows it.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub fn take_solution(&mut self, path: &Path, solution: &Encoded, store: &Store) -> std::result::Result<(), String> {
        let foreign = || format!("{}: {}", path.display(), K::TEXTS.foreign_edits);
        let made = Arc::new(K::decode_draft(&self.instance, solution).ok_or_else(foreign)?);
        let origin = (runs::FROM_FILE, StopReason::FromFile, format!("read from {}", path.display()));
        let result = unsearched(&self.hand_request(), &made, origin).ok_or_else(foreign)?;
        if let Some(number) = self.list_kept(result, store)? {
            self.show_run(number);
        }
        Ok(())
    }

    fn hand_request(&self) -> SolveRequest<K> {
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        SolveRequest { instance, source, settings: K::hand_settings(self), start: None }
    }

    /// Keeps a result on disk and lists it; returns its number, `None` if it cannot be listed.
    ///
    /// # Errors
    /// Why it could not be kept, in words.
    fn list_kept(&mut self, result: RunResult, store: &Store) -> std::result::Result<Option<usize>, String> {
        let path = store.keep(&self.key(), &result).map_err(|error| error.to_string())?;
        let run = K::validate(&self.instance, result);
        Ok(run.map(|run| self.runs.push(runs::Run { path: Some(path), ..run })))
    }

    /// Returns `true` if there is a curve to plot.
    pub fn has_curves(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.checkpoint.is_some())
            || curves::plotted(self.listed()).next().is_some()
    }

    /// Draws best, mean and worst cost of all listed runs.
    pub fn show_convergence(&self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let mut lines = curves::ended(self.listed(), self.shown, palette);
        if let Some(checkpoint) = self.live.as_ref().and_then(|live| live.checkpoint.as_ref()) {
            lines.push(curves::going(checkpoint, self.next_number(), K::live_is_priced(self), self.shown, palette));
        }
        let (quantity, references, scale) = (K::quantity(self), K::references(self), K::curve_scale(self));
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
