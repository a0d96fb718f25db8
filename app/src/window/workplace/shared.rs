//! Messages and controls that the frame shows alike for every problem.

use std::path::{Path, PathBuf};

use egui::{Frame, Margin, Ui, vec2};

use gridwright_solver::numbers::{compact, duration};

use super::{Removed, Standing};
use crate::exporting::Format;
use crate::runs::{Run, Standing as Verdict};
use crate::session::{Kept, Ongoing};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{bare_icon_button, button, placeholder, primary};
use crate::widgets::icons::Icon;
use crate::widgets::notice::message;
use crate::window::Command;

/// A run that goes on; `value` is the best so far in words.
pub fn going<S>(session: &dyn Ongoing, kept: Option<&Kept<S>>, value: impl FnOnce(&Kept<S>) -> String) -> Standing {
    let word = match (session.is_stopping(), session.is_paused()) {
        (true, _) => "Stopping",
        (_, true) => "Paused",
        _ if kept.is_none() => "Preparing",
        _ => "Solving",
    };
    let word = word.to_owned();
    let Some(kept) = kept else { return Standing { word, ..Standing::default() } };
    let progress = &kept.progress;
    let left = match progress.share {
        share if share > 0.01 => format!("{} left", duration(progress.seconds * (1.0 - share) / share)),
        _ => duration(progress.seconds),
    };
    let rate = if kept.rate > 0.0 { format!("{} evaluations/s", compact(kept.rate)) } else { String::new() };
    Standing { word, value: value(kept), share: progress.share as f32, rate, left }
}

/// A run that ended; `valid` and `incomplete` say what it is worth.
pub fn ended<F>(run: &Run<F>, valid: impl FnOnce() -> String, incomplete: String) -> Standing {
    Standing {
        word: format!("Run {}: {}", run.number, run.result.stop_reason),
        value: match run.standing {
            Verdict::Valid => valid(),
            Verdict::Incomplete(_) => incomplete,
            Verdict::Wrong(_) => "wrong".to_owned(),
        },
        share: 1.0,
        rate: match run.result.evaluations {
            1 => "1 evaluation".to_owned(),
            count => format!("{} evaluations", compact(count as f64)),
        },
        left: format!("in {}", duration(run.result.seconds)),
    }
}

/// No run is shown: what is being edited, from what and how good it is, or whether a run could begin.
pub fn idle(edited: Option<(&str, String)>, ready: Result<(), &'static str>) -> Standing {
    match edited {
        Some((from, value)) => {
            Standing { word: format!("Edited from {from}, not saved as a run"), value, ..Standing::default() }
        }
        None => Standing { word: ready.err().unwrap_or("Ready to solve").to_owned(), ..Standing::default() },
    }
}

/// A run that was taken from the list.
pub fn removed<F: Send + 'static>(run: Run<F>) -> Removed {
    Removed { title: run.title(), path: run.path.clone(), run: Box::new(run) }
}

/// Texts of a problem for the state without a picture.
pub struct Nothing {
    /// Icon of the problem.
    pub icon: Icon,
    /// Noun of the solution: «layout».
    pub noun: &'static str,
    /// Sentence about a result that is no solution.
    pub lacks: &'static str,
    /// Sentence while the search has no solution yet.
    pub preparing: &'static str,
    /// Invitation to begin a run: «Press Solve and watch it get better».
    pub watch: &'static str,
}

/// State of a view without a picture.
#[derive(Clone, Copy)]
pub struct Instead<'a> {
    /// Message about the run that is shown.
    pub standing: Option<&'a Verdict>,
    /// True while a run is being prepared.
    pub prepares: bool,
    /// Why the last run broke off.
    pub lost: Option<&'a str>,
    /// True if a run could begin.
    pub ready: bool,
}

impl Nothing {
    /// A result that failed the check, a run that is being prepared or was lost, or nothing solved yet; `facts` are the
    /// sizes of the instance.
    pub fn show(&self, ui: &mut Ui, instead: Instead<'_>, facts: &str, commands: &mut Vec<Command>) {
        let noun = self.noun;
        match instead.standing {
            Some(Verdict::Wrong(text)) => {
                let heading = "This result did not pass the check";
                placeholder(ui, Icon::Warning, heading, &format!("It is not shown as a {noun}: {text}."), |_| {});
                return;
            }
            Some(Verdict::Incomplete(text)) => {
                let heading = format!("This is not a valid {noun}");
                placeholder(ui, Icon::Warning, &heading, self.lacks, |ui| {
                    message(ui, text);
                });
                return;
            }
            _ => {}
        }
        if instead.prepares {
            placeholder(ui, self.icon, "Preparing", self.preparing, |_| {});
            return;
        }
        if let Some(why) = instead.lost {
            let text = format!("It broke off before a {noun} was found: {why}");
            placeholder(ui, Icon::Warning, "The run was lost", &text, |ui| {
                solve(ui, "Try once more", instead.ready, commands);
                let hint = "Another seed or the CPU as the device may help; what was told stands in the messages (the \
                            bell above).";
                ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
            });
            return;
        }
        let (heading, text) = (format!("No {noun} yet"), format!("{facts}. {}.", self.watch));
        placeholder(ui, self.icon, &heading, &text, |ui| solve(ui, "Solve now", instead.ready, commands));
    }
}

fn solve(ui: &mut Ui, words: &str, ready: bool, commands: &mut Vec<Command>) {
    if primary(ui, Icon::Play, words, ready).on_hover_text(Command::Solve.tooltip(ui.ctx())).clicked() {
        commands.push(Command::Solve);
    }
}

/// Narrower than this, the buttons beside what is being edited are signs.
const NARROW: f32 = 760.0;

/// Banner about the draft.
pub struct Edited<'a> {
    /// Name of the run that the draft was made from.
    pub from: &'a str,
    /// Difference to that run: «3 jobs in another position».
    pub what: String,
    /// By how much that changed what it costs, and whether it is better now.
    pub change: Option<(String, bool)>,
    /// True if the draft is shown.
    pub here: bool,
    /// Noun for the shown draft.
    pub icon: Icon,
}

impl Edited<'_> {
    /// A line about it, and what can be done with it.
    pub fn show(self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let palette = palette(ui.visuals());
        let narrow = ui.available_width() < NARROW;
        let from = if narrow { String::new() } else { format!(" from {}", self.from) };
        Frame::new().fill(palette.accent_soft).inner_margin(Margin::symmetric(16, 6)).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.horizontal_wrapped(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), egui::Sense::hover());
                Icon::Pencil.paint(ui.painter(), rect, palette.accent);
                ui.label(theme::bold(format!("Edited{from}: {}", self.what)).color(palette.text));
                if let Some((change, better)) = self.change.filter(|_| self.here) {
                    ui.label(theme::bold(change).color(if better { palette.good } else { palette.text }));
                }
                ui.add_space(space::XS);
                let mut item = |ui: &mut Ui, icon: Icon, text: &str, command: Command| {
                    let response =
                        if narrow { bare_icon_button(ui, icon, text, true) } else { button(ui, icon, text, true) };
                    if response.on_hover_text(command.tooltip(ui.ctx())).clicked() {
                        commands.push(command);
                    }
                };
                if self.here {
                    item(ui, Icon::Play, "Improve from here", Command::Improve);
                    item(ui, Icon::Check, "Keep as a run", Command::KeepDraft);
                } else {
                    item(ui, self.icon, "Show", Command::ShowDraft);
                }
                item(ui, Icon::Trash, "Discard", Command::DiscardDraft);
            });
        });
    }
}

/// Returns the first allowed path with a number before its ending: «plan-layout-2.csv».
pub fn harmless(wanted: PathBuf, format: &Format, noun: &str, allowed: impl Fn(&Path) -> bool) -> PathBuf {
    let name = wanted.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_suffix(format.ending).unwrap_or(&name).trim_end_matches('.').to_owned();
    let others = std::iter::once(wanted.clone()).chain((1..).map(|number| {
        let more = if number == 1 { String::new() } else { format!("-{number}") };
        wanted.with_file_name(format!("{stem}-{noun}{more}.{}", format.ending))
    }));
    // The iterator does not end, so there is always one.
    others.take(1_000).find(|path| allowed(path)).unwrap_or(wanted)
}

/// Returns `true` if both paths lead to one file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Why the file of an instance is not replaced.
pub const SOURCE: &str = "The file that lies here is the one that the instance came from; choose another name";
