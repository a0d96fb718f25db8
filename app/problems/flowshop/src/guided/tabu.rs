//! The guided lesson on tabu search: moves, tabu list, local optimum, dominance and the archive.

use std::any::Any;

use gridwright_core::search::pareto::history::Effect;
use gridwright_core::search::{Budget, Stop};
use gridwright_flowshop::Objective;
use gridwright_flowshop::multiobjective::tabu::trace::{Reason, TabuTrace};
use gridwright_flowshop::multiobjective::{Goal, Objectives, TabuParameters};
use gridwright_flowshop::run::Algorithm;

use super::{SECONDS, change, has_solved};
use crate::Document;
use crate::lesson::state::Mode;
use crate::methods::*;
use gridwright_window::lessons::{Action, Lesson, Moment, Step};
use gridwright_window::window::command::LessonEntry;

/// A tenure with which all jobs of the workshop are soon tabu.
const LONG: u32 = 10;

/// First step or candidate of the recording at which a condition holds, the first one if it never does; `None` before
/// there is a recording.
fn first(document: &Document, count: fn(&TabuTrace) -> usize, holds: fn(&TabuTrace, usize) -> bool) -> Option<u64> {
    let recorded = document.lesson.recorded()?;
    let trace = &recorded.trace;
    Some((1..=count(trace)).find(|&at| holds(trace, at)).unwrap_or(1) as u64)
}

/// First step to an order with a higher sum.
fn rise(document: &Document) -> Option<u64> {
    first(document, |trace| trace.steps.len(), |trace, at| trace.states[at].sum > trace.states[at - 1].sum)
}

/// First step that leaves out a better move because it is tabu.
fn skipped(document: &Document) -> Option<u64> {
    first(document, |trace| trace.steps.len(), |trace, at| trace.steps[at - 1].reason == Reason::BestAllowed)
}

/// First step at which all moves are tabu.
fn blocked(document: &Document) -> Option<u64> {
    first(document, |trace| trace.steps.len(), |trace, at| trace.steps[at - 1].reason == Reason::AllTabu)
}

/// First candidate that removes members.
fn removal(document: &Document) -> Option<u64> {
    first(
        document,
        |trace| trace.offers.len(),
        |trace, at| matches!(&trace.history.effects()[at - 1], Effect::Entered { removed } if !removed.is_empty()),
    )
}

fn last(document: &Document) -> Option<u64> {
    document.lesson.recorded().map(|recorded| recorded.trace.offers.len() as u64)
}

/// Goes to a step of the recording.
fn go(open: &mut dyn Any, step: fn(&Document) -> Option<u64>) {
    change(open, |document| {
        if let Some(at) = step(document) {
            document.lesson.go_to(at);
        }
    });
}

/// The objectives of the run at the end.
const PAIR: [Objective; 2] = [Objective::FlowTime, Objective::Tardiness];

/// Returns `true` if both objectives of the run at the end are minimised, and no other one.
fn is_both(goal: Goal) -> bool {
    matches!(goal, Goal::Front(chosen)
        if chosen.count() == PAIR.len() && PAIR.iter().all(|objective| chosen.as_slice().contains(objective)))
}

/// Returns `true` if this step or a later one is shown.
fn is_at(now: &Moment<'_>, mode: Mode, step: fn(&Document) -> Option<u64>) -> bool {
    now.holds(|document: &Document| {
        document.lesson.mode == mode && step(document).is_some_and(|step| document.lesson.at() >= step)
    })
}

/// Returns `true` if a recording is shown in this mode.
fn shows(now: &Moment<'_>, mode: Mode) -> bool {
    now.holds(|document: &Document| document.lesson.mode == mode && document.lesson.recorded().is_some())
}

pub(crate) const LESSON: Lesson = Lesson {
    entry: LessonEntry {
        id: "tabu-search",
        title: "Tabu search",
        learns: "How a search leaves a local optimum, what a tabu list forbids, and which orders an archive keeps",
        minutes: 8,
    },
    source: "sample:workshop",
    steps: &[
        Step::read(
            "Eight jobs of a workshop wait for four machines. Wanted are orders with a small total flow time and a \
             small total tardiness. Seldom is one order best in both, so that the search keeps several.",
            "",
        ),
        Step {
            text: "Open the view «Step by step».",
            action: Action::View("Step by step"),
            mark: "Step by step",
            is_done: |now| now.shows_view("Step by step"),
        },
        Step {
            text: "Choose «Tabu search». It begins with a random order and minimises a weighted sum of both objectives.",
            action: Action::Change(|open, _| change(open, |document| document.lesson.mode = Mode::Tabu)),
            mark: "Tabu search",
            is_done: |now| shows(now, Mode::Tabu),
        },
        Step {
            text: "Press «One step on». Each point is an order that one move of a job leads to; less is better, so that good \
                   orders lie at the lower left. The ring is around the move that is made.",
            action: Action::Change(|open, _| change(open, |document| document.lesson.go_to(1))),
            mark: "One step on",
            is_done: |now| is_at(now, Mode::Tabu, |_| Some(1)),
        },
        Step::read(
            "The table shows the order before and after the move. The job that was moved is tabu now: for so many steps it may not \
             be moved again. All jobs with a number form the tabu list.",
            "Order and tabu list",
        ),
        Step {
            text: "Go on until the sum rises. No move would lower it: this is a local optimum, where a descent ends. Tabu search \
                   makes the best move all the same.",
            action: Action::Change(|open, _| go(open, rise)),
            mark: "One step on",
            is_done: |now| is_at(now, Mode::Tabu, rise),
        },
        Step {
            text: "Go on to a step that leaves out a better move because it is tabu, drawn as a cross. Without the tabu list the \
                   search would go back at once and walk in a circle.",
            action: Action::Change(|open, _| go(open, skipped)),
            mark: "One step on",
            is_done: |now| is_at(now, Mode::Tabu, skipped),
        },
        Step {
            text: "Set the tenure to 10 or more. Eight jobs are soon all tabu, and the list says nothing any more: then the best \
                   of all moves is made.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    document.lesson.rules.tenure = Some(LONG);
                    document.lesson.go_to(0);
                });
            }),
            mark: "Tenure",
            is_done: |now| {
                now.holds(|document: &Document| document.lesson.rules.tenure.is_some_and(|tenure| tenure >= LONG))
                    && shows(now, Mode::Tabu)
            },
        },
        Step {
            text: "Go on to a step at which all moves are tabu. The sentence above the picture says why the move was made.",
            action: Action::Change(|open, _| go(open, blocked)),
            mark: "One step on",
            is_done: |now| is_at(now, Mode::Tabu, blocked),
        },
        Step {
            text: "Choose «Archive». The search has a trajectory for each weighting, and each offers the orders that it comes to. \
                   The archive keeps those that no other one dominates.",
            action: Action::Change(|open, _| change(open, |document| document.lesson.mode = Mode::Archive)),
            mark: "Archive",
            is_done: |now| shows(now, Mode::Archive),
        },
        Step {
            text: "Go on to a candidate that removes members. It is no worse than they are in either objective and better in at least one: \
                   they lie in the region above and to the right of it.",
            action: Action::Change(|open, _| go(open, removal)),
            mark: "One step on",
            is_done: |now| is_at(now, Mode::Archive, removal),
        },
        Step {
            text: "Go to the end. The stairs of the members bound everything that they dominate: this is the front that the search \
                   has found.",
            action: Action::Change(|open, _| go(open, last)),
            mark: "To the end",
            is_done: |now| is_at(now, Mode::Archive, last),
        },
        Step {
            text: "Minimise total flow time and total tardiness by tabu search for two seconds: press Solve when both are chosen above.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    document.set_goal(Objectives::new(&PAIR).map_or(document.settings.goal, Goal::Front));
                    document.settings.algorithm = Algorithm::Tabu(TabuParameters::default());
                    document.settings.stop = Stop::after(Budget::Seconds(SECONDS));
                });
            }),
            mark: "Minimise",
            is_done: |now| {
                now.holds(|document: &Document| {
                    let is_tabu = matches!(document.settings.algorithm, Algorithm::Tabu(_));
                    is_tabu && is_both(document.settings.goal)
                })
            },
        },
        Step {
            text: "Press Solve. All trajectories make such steps; when the run has ended, the view Front shows what \
                   the archive holds.",
            action: Action::Solve,
            mark: "Solve",
            is_done: |now| now.holds(has_solved),
        },
    ],
    observed: |_, _| None,
};
