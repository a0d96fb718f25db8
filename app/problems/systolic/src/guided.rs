//! The guided lesson of binary problems: why one data flow of the systolic grid fails.

use std::any::Any;

use gridwright_core::search::Algorithms as _;
use gridwright_systolic::grid::Flavour;

use super::{Document, batch, flavours};
use gridwright_window::lessons::{Action, Lesson, Step};
use gridwright_window::window::command::LessonEntry;

/// Number of seeds of the batch.
const SEEDS: u64 = 10;

fn change(open: &mut dyn Any, change: impl FnOnce(&mut Document)) {
    if let Some(document) = open.downcast_mut() {
        change(document);
    }
}

/// Returns `true` if the way of a solution under a flavour is shown; stream 0 is the horizontal, 1 the vertical one.
fn follows(document: &Document, flavour: Flavour, stream: usize) -> bool {
    document.operating.flavour == Some(flavour) && document.operating.stream == stream
}

/// Algorithms of the batch: torus and exchange.
const RIVALS: [&str; 2] = ["sgs-t", "sgs-e"];

/// Returns `true` if a batch has made at least [`SEEDS`] runs of each of [`RIVALS`].
fn has_counted(document: &Document) -> bool {
    let lanes = document.batching.lanes();
    let has_run = |name: &str| {
        lanes.iter().any(|lane| lane.algorithm.name() == name && lane.runs.len() as u64 == lane.wanted.max(SEEDS))
    };
    !document.batching.is_going() && RIVALS.into_iter().all(has_run)
}

pub(crate) static LESSONS: [Lesson; 1] = [Lesson {
    entry: LessonEntry {
        id: "why-the-torus-fails",
        title: "Why the torus fails",
        learns: "How solutions travel through a systolic grid, and why it matters which bits they meet on their way",
        minutes: 6,
    },
    source: "knapsack:100-1000",
    steps: &[
        Step::read(
            "A knapsack with 100 items: each bit says if an item is taken. A grid of 7 rows and 100 columns searches: in every cell \
             a horizontal and a vertical solution meet, exchange a segment, and one bit is flipped.",
            "",
        ),
        Step {
            text: "Open the view Operators. A cell always exchanges the same segment and flips the same bit; the third map shows \
                   which bit that is.",
            action: Action::View("Operators"),
            mark: "Operators",
            is_done: |now| now.shows_view("Operators"),
        },
        Step {
            text: "Choose T, the torus: a solution that leaves the grid comes back in the same row or column.",
            action: Action::Change(|open, _| {
                change(open, |document| document.operating.flavour = Some(Flavour::Torus))
            }),
            mark: "T",
            is_done: |now| now.holds(|document: &Document| document.operating.flavour == Some(Flavour::Torus)),
        },
        Step {
            text: "Follow the vertical solution. It stays in its column and passes the same seven cells again and again: only 7 of \
                   100 bits are ever flipped in it.",
            action: Action::Change(|open, _| change(open, |document| document.operating.stream = 1)),
            mark: "Vertical solution",
            is_done: |now| now.holds(|document: &Document| follows(document, Flavour::Torus, 1)),
        },
        Step {
            text: "Choose E, the exchange: after seven iterations the two solutions of a cell change places. Now all 100 bits are \
                   flipped somewhere on the way.",
            action: Action::Change(|open, _| {
                change(open, |document| document.operating.flavour = Some(Flavour::Exchange))
            }),
            mark: "E",
            is_done: |now| now.holds(|document: &Document| follows(document, Flavour::Exchange, 1)),
        },
        Step {
            text: "Does that matter? Open the view Flavours, which runs all four ways from the same solutions.",
            action: Action::View("Flavours"),
            mark: "Flavours",
            is_done: |now| now.shows_view("Flavours"),
        },
        Step {
            text: "Press «Run all four» and wait until all of them are recorded.",
            action: Action::Change(|open, ctx| change(open, |document| flavours::begin(ctx, document))),
            mark: "Run all four",
            is_done: |now| now.holds(|document: &Document| document.flavours.is_complete()),
        },
        Step {
            text: "Go to the beginning. All four begin alike: the same solutions, far from the optimum.",
            action: Action::Change(|open, _| change(open, |document| document.flavours.player.go_to(0))),
            mark: "To the beginning",
            is_done: |now| {
                now.holds(|document: &Document| {
                    let player = &document.flavours.player;
                    document.flavours.is_ready() && player.at() == 0 && !player.is_following()
                })
            },
        },
        Step {
            text: "Go to the end, or play, and read under each grid how far it came. The torus ends worse than the best of the \
                   others, because most bits of a vertical solution change by exchange alone.",
            action: Action::Change(|open, _| {
                change(open, |document| {
                    let last = document.flavours.last().unwrap_or_default();
                    document.flavours.player.go_to(last);
                });
            }),
            mark: "To the end",
            is_done: |now| {
                now.holds(|document: &Document| {
                    let last = document.flavours.last();
                    last.is_some_and(|last| document.flavours.player.at() >= last)
                })
            },
        },
        Step {
            text: "One seed may be bad luck. Open the view Batch, which repeats runs with many seeds.",
            action: Action::View("Batch"),
            mark: "Batch",
            is_done: |now| now.shows_view("Batch"),
        },
        Step {
            text: "Run ten seeds of torus and exchange, and look at how many find the optimum.",
            action: Action::Change(|open, ctx| {
                change(open, |document| {
                    document.batching.count = SEEDS;
                    document.batching.chosen = [true, true, false, false, false, false, false];
                    batch::begin(ctx, document);
                });
            }),
            mark: "Run the batch",
            is_done: |now| now.holds(has_counted),
        },
        Step::read(
            "A search finds only what its operators can reach: bits that a solution never meets change by exchange alone. On OneMax, \
             where no bit depends on another one, that is enough, and the torus does not fail.",
            "",
        ),
    ],
    observed: |_, _| None,
}];
