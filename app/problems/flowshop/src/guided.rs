//! The guided lessons of flow shops: completion times, a first order, and the insertion that searches repeat; tabu search.

mod tabu;

use std::any::Any;

use gridwright_core::search::{Budget, Stop};

use super::Document;
use super::lesson::state::Mode;
use gridwright_window::lessons::{Action, Lesson, Step};
use gridwright_window::window::command::LessonEntry;

/// Seconds of the run at the end.
const SECONDS: f64 = 2.0;

fn change(open: &mut dyn Any, change: impl FnOnce(&mut Document)) {
    if let Some(document) = open.downcast_mut() {
        change(document);
    }
}

/// Number of steps of NEH: every position of each job, and each choice.
fn neh_steps(document: &Document) -> u64 {
    let jobs = document.instance.job_count() as u64;
    jobs * (jobs + 1) / 2 + jobs
}

/// Number of steps of one insertion: heads and tails of all other jobs, their positions, and the choice.
fn insertion_steps(document: &Document) -> u64 {
    3 * document.instance.job_count() as u64 - 1
}

/// Returns `true` if a run has ended and none goes on.
fn has_solved(document: &Document) -> bool {
    !document.is_solving() && !document.runs.is_empty()
}

pub(crate) static LESSONS: [Lesson; 2] = [INSERTION, tabu::LESSON];

/// From completion times to the insertion that searches repeat.
const INSERTION: Lesson = Lesson {
    entry: LessonEntry {
        id: "flow-shop-insertion",
        title: "From the recurrence to insertion",
        learns: "How completion times are computed, how NEH makes a first order, and what searches repeat",
        minutes: 8,
    },
    source: "sample:workshop",
    steps: &[
        Step::read(
            "Eight jobs of a workshop wait for four machines. Every job visits all machines in the same order, and all machines \
             take the jobs in the same order. Wanted is the order whose last job is done earliest: the least makespan.",
            "",
        ),
        Step {
            text: "Open the view «Step by step». It goes through three algorithms, one step at a time.",
            action: Action::View("Step by step"),
            mark: "Step by step",
            is_done: |now| now.shows_view("Step by step"),
        },
        Step {
            text: "Press «One step on». The first job enters the first machine: it is done there after its working time.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    document.lesson.mode = Mode::Recurrence;
                    document.lesson.go_to(1);
                });
            }),
            mark: "One step on",
            is_done: |now| {
                now.holds(|document: &Document| document.lesson.mode == Mode::Recurrence && document.lesson.at() >= 1)
            },
        },
        Step {
            text: "Go on to step 10 or further. A completion time is the larger of the one above and the one at the left, plus the \
                   working time: the job must have come, and the machine must be free.",
            action: Action::Change(|open, _| change(open, |document| document.lesson.go_to(10))),
            mark: "One step on",
            is_done: |now| {
                now.holds(|document: &Document| document.lesson.mode == Mode::Recurrence && document.lesson.at() >= 10)
            },
        },
        Step {
            text: "Switch «Whole diagonals» on and go on to step 4 or further. The cells of a diagonal need nothing from each other, so as many \
                   processors can compute them at once. This is how a GPU computes many makespans.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    document.lesson.diagonals = true;
                    document.lesson.go_to(4);
                });
            }),
            mark: "Whole diagonals",
            is_done: |now| now.holds(|document: &Document| document.lesson.diagonals && document.lesson.at() >= 4),
        },
        Step {
            text: "So much for one order. Which order is good? Choose NEH: it takes the jobs by falling work and tries each in all \
                   positions.",
            action: Action::Change(|open, _| change(open, |document| document.lesson.mode = Mode::Neh)),
            mark: "NEH",
            is_done: |now| now.holds(|document: &Document| document.lesson.mode == Mode::Neh),
        },
        Step {
            text: "Go to the end and remember the makespan that NEH reaches. Each job stayed where it cost least at that moment, and \
                   was never moved again.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    let last = neh_steps(document);
                    document.lesson.go_to(last);
                });
            }),
            mark: "To the end",
            is_done: |now| {
                now.holds(|document: &Document| {
                    document.lesson.mode == Mode::Neh && document.lesson.at() >= neh_steps(document)
                })
            },
        },
        Step {
            text: "Trying all positions looks expensive. Choose «One insertion» to see Taillard’s trick.",
            action: Action::Change(|open, _| change(open, |document| document.lesson.mode = Mode::Insertion)),
            mark: "One insertion",
            is_done: |now| now.holds(|document: &Document| document.lesson.mode == Mode::Insertion),
        },
        Step {
            text: "Go to the end. Heads say when the jobs before a position are done, tails how long those behind it still take: \
                   their sum gives the makespan of every position from one pass over the tables.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    let last = insertion_steps(document);
                    document.lesson.go_to(last);
                });
            }),
            mark: "To the end",
            is_done: |now| {
                now.holds(|document: &Document| {
                    document.lesson.mode == Mode::Insertion && document.lesson.at() >= insertion_steps(document)
                })
            },
        },
        Step {
            text: "Set the limit of the next run to two seconds: eight jobs need no longer.",
            action: Action::Change(|open, _| {
                change(open, |document| document.settings.stop = Stop::after(Budget::Seconds(SECONDS)));
            }),
            mark: "Limit",
            is_done: |now| {
                let is_short = |budget| matches!(budget, Budget::Seconds(seconds) if seconds <= SECONDS);
                now.holds(|document: &Document| is_short(document.settings.stop.budget) || has_solved(document))
            },
        },
        Step {
            text: "Press Solve. Beam search first looks through many partial orders, and may prove its best one at once where there are so \
                   few jobs. Otherwise iterated greedy takes some jobs out of that order and inserts them again, over and over, \
                   with the tables that you have just seen.",
            action: Action::Solve,
            mark: "Solve",
            is_done: |now| now.holds(has_solved),
        },
        Step::read(
            "Compare the makespan with that of NEH: it is the same, for the order of NEH is already the best one of these eight jobs. Open \
             a larger shop, such as taillard:ta051, to see what a search adds there. The view Gantt shows the schedule; \
             point at a word anywhere and press F1 to have it explained.",
            "Gantt",
        ),
    ],
    observed: |_, _| None,
};

#[cfg(test)]
mod tests {
    use gridwright_flowshop::insertion::FlowShopProblem;
    use gridwright_flowshop::neh::neh;
    use gridwright_flowshop::{Objective, library};

    /// Least cost of all orders that begin with `order[..placed]`.
    fn least(problem: &FlowShopProblem, order: &mut [u16], placed: usize) -> u64 {
        if placed == order.len() {
            return problem.cost(order);
        }
        let mut best = u64::MAX;
        for next in placed..order.len() {
            order.swap(placed, next);
            best = best.min(least(problem, order, placed + 1));
            order.swap(placed, next);
        }
        best
    }

    /// The last step says so.
    #[test]
    fn the_order_of_neh_is_the_best_one_of_the_lesson() {
        let instance = library::sample("workshop").unwrap();
        let problem = FlowShopProblem::new(&instance, Objective::Makespan);
        let mut order: Vec<u16> = (0..instance.job_count() as u16).collect();
        assert_eq!((order.len(), neh(&problem).1), (8, least(&problem, &mut order, 0)));
    }
}
