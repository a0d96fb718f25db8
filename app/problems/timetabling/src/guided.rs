//! The guided lesson of examination timetables: selection pressure in evolution.

use std::any::Any;

use gridwright_core::search::{Budget, Stop, Value};
use gridwright_timetabling::evolution::EvolutionParameters;
use gridwright_timetabling::run::Algorithm;

use super::Document;
use super::view_state::comparison::Side;
use crate::methods::*;
use gridwright_core::store::Part;
use gridwright_window::lessons::{Action, Lesson, Step};
use gridwright_window::window::command::LessonEntry;

/// Sizes of the two tournaments: the least, and the whole population.
const TOURNAMENTS: [u32; 2] = [2, 256];
/// Generations of each run.
const GENERATIONS: u64 = 150;

fn change(open: &mut dyn Any, change: impl FnOnce(&mut Document)) {
    if let Some(document) = open.downcast_mut() {
        change(document);
    }
}

/// Size of the tournament in the settings; `None` if another algorithm is chosen.
fn tournament(document: &Document) -> Option<u32> {
    match &document.settings.algorithm {
        Algorithm::Evolution(parameters) => Some(parameters.tournament_size()),
        Algorithm::Annealing(_) => None,
    }
}

fn set_tournament(document: &mut Document, size: u32) {
    if let Algorithm::Evolution(parameters) = &mut document.settings.algorithm {
        parameters.tournament = size;
    }
}

/// The newest run with a tournament of this size, while no run goes on.
fn run_with(document: &Document, size: u32) -> Option<usize> {
    let wanted = Value::Integer(i64::from(size));
    let is_wanted = |run: &&super::state::Run| run.result.parameters.get("tournament") == Some(&wanted);
    let run = document.runs.iter().rev().find(is_wanted)?;
    (!document.is_solving()).then_some(run.number)
}

/// The lessons.
pub static LESSONS: [Lesson; 1] = [Lesson {
    entry: LessonEntry {
        id: "selection-pressure",
        title: "Selection pressure",
        learns: "What a small and a large tournament do to an evolution, in its curves and in its results",
        minutes: 6,
    },
    source: "sample:school",
    steps: &[
        Step::read(
            "Evolution keeps a population of timetables. Parents are chosen by tournaments: some timetables are drawn at random, and \
             the best of them becomes a parent. How many take part decides how much the good ones are preferred.",
            "",
        ),
        Step {
            text: "Choose Evolution as the algorithm. «Do it» also begins with random timetables only and sets 150 generations, so that \
                   the effect is seen clearly.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    let parameters = EvolutionParameters { constructed: 0, ..EvolutionParameters::default() };
                    document.settings.algorithm = Algorithm::Evolution(parameters);
                    document.settings.stop = Stop::after(Budget::Steps(GENERATIONS));
                    document.settings.seed = 1;
                });
            }),
            mark: "Algorithm",
            is_done: |now| now.holds(|document: &Document| tournament(document).is_some()),
        },
        Step {
            text: "Set the tournament to 2, in the inspector under Advanced. Of two timetables the better one becomes a parent: a low \
                   pressure.",
            action: Action::Change(|open, _| change(open, |document| set_tournament(document, TOURNAMENTS[0]))),
            mark: "Tournament|Advanced",
            is_done: |now| now.holds(|document: &Document| tournament(document) == Some(TOURNAMENTS[0])),
        },
        Step {
            text: "Press Solve and watch the curve of the best timetable until the run ends.",
            action: Action::Solve,
            mark: "Solve",
            is_done: |now| now.holds(|document: &Document| run_with(document, TOURNAMENTS[0]).is_some()),
        },
        Step {
            text: "Now set the tournament to 256, the whole population. The best of 256 timetables that are drawn is nearly always one of the very best: a high pressure.",
            action: Action::Change(|open, _| change(open, |document| set_tournament(document, TOURNAMENTS[1]))),
            mark: "Tournament|Advanced",
            is_done: |now| now.holds(|document: &Document| tournament(document) == Some(TOURNAMENTS[1])),
        },
        Step {
            text: "Solve again, with the same seed: both runs begin with the same timetables.",
            action: Action::Solve,
            mark: "Solve",
            is_done: |now| now.holds(|document: &Document| run_with(document, TOURNAMENTS[1]).is_some()),
        },
        Step {
            text: "Compare the curves below: the best timetable and the mean of each generation.",
            action: Action::Show(Part::Bottom),
            mark: "Convergence",
            is_done: |now| now.shows_part(Part::Bottom),
        },
        Step {
            text: "Set both results against each other in the view Compare: the cost, and the students who gain or lose.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    let runs = [TOURNAMENTS[1], TOURNAMENTS[0]].map(|size| run_with(document, size));
                    if let [Some(before), Some(after)] = runs {
                        document.compare_sides([Side::Run(before), Side::Run(after)]);
                    }
                });
            }),
            mark: "Compare",
            is_done: |now| now.shows_view("Compare"),
        },
        Step::read("Try 8, and other seeds: one run of each proves nothing, and a batch of seeds decides.", ""),
    ],
    observed: |step, now| {
        let document: &Document = now.document()?;
        match step {
            CURVES => {
                Some(TOURNAMENTS.map(|size| pace(document, size)).into_iter().collect::<Option<Vec<_>>>()?.join(" "))
            }
            END => results(document),
            _ => None,
        }
    },
}];

/// Indices of the steps about the curves and about what follows from both results.
const CURVES: usize = 6;
const END: usize = 8;

/// How far the mean of a run came to its best timetable, and when that was last improved, from its curve.
fn pace(document: &Document, size: u32) -> Option<String> {
    /// Share of the best cost within which the mean counts as near.
    const NEAR: f64 = 0.05;
    let run = document.run(run_with(document, size)?)?;
    let curve = &run.result.curve;
    let end = curve.last()?;
    let last_gain = curve.iter().find(|point| point.best <= end.best)?.step;
    let near = curve.iter().find(|point| point.mean <= point.best * (1.0 + NEAR));
    let mean = match near {
        Some(point) => format!("the mean was first within 5 % of the best in generation {}", point.step),
        None => "the mean never came within 5 % of the best".to_owned(),
    };
    Some(format!("With {size} in a tournament {mean}, and the best was last improved in generation {last_gain}."))
}

/// Costs of both runs.
fn results(document: &Document) -> Option<String> {
    let cost = |size| Some(document.run(run_with(document, size)?)?.result.verdict.cost);
    let [low, high] = [cost(TOURNAMENTS[0])?, cost(TOURNAMENTS[1])?];
    let words = |cost| gridwright_core::numbers::cost(cost);
    let end = match low.total_cmp(&high) {
        std::cmp::Ordering::Less => "so that the low pressure ended better",
        std::cmp::Ordering::Greater => "so that the high pressure ended better",
        std::cmp::Ordering::Equal => "so that both ended alike",
    };
    let [small, large] = TOURNAMENTS;
    Some(format!("Here the run with {small} ended at {}, that with {large} at {}, {end}.", words(low), words(high)))
}
