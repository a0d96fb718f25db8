//! What stays in force after a solve, and that the window says so.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_timetabling::{Relation, RelationKind};
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::editing::Edit;
use gridwright_timetabling_views::methods::*;
use gridwright_timetabling_views::state::Shown;
use gridwright_window::window::App;

use super::{idle, undo, undo_name, with_selected};
use crate::support::person::{at_home, document, names, press, press_like, shows, wait};

/// Solves around the changes for a moment.
fn solve_around(harness: &mut Harness<'_, App>, runs: usize) {
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.3);
    harness.run_steps(2);
    super::solve_around(harness, runs);
}

#[test]
fn what_the_next_run_minds_is_said_where_it_is_started_and_can_be_dropped() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    assert!(!shows(&harness, "The next run: "), "nothing is demanded");
    press_like(&mut harness, "Move to period 3: ");
    press(&mut harness, "Move anyway");
    solve_around(&mut harness, 2);
    harness.get_by_label("The next run: stays close to the timetable of Run 1, 1 exam pinned");
    idle(&mut harness);
    press(&mut harness, "Drop closeness");
    assert!(document(&harness).rules().reference.is_none());
    harness.get_by_label("The next run: 1 exam pinned");
    assert!(harness.query_by_label("Drop closeness").is_none());
    assert_eq!(undo_name(&harness), "stay close to nothing");
    press(&mut harness, "Unpin all");
    assert!(document(&harness).rules().is_empty() && !shows(&harness, "The next run: "));
    undo(&mut harness);
    undo(&mut harness);
    harness.get_by_label("The next run: stays close to the timetable of Run 1, 1 exam pinned");
    // While a run goes on it is that run's business: nothing of it can be dropped.
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(30.0);
    harness.run_steps(2);
    press(&mut harness, "Solve");
    harness.get_by_label("This run: stays close to the timetable of Run 1, 1 exam pinned");
    assert!(harness.query_by_label("Drop closeness").is_none());
    // What is told of it is the cost alone: A1 is away from where it stood, which has a price.
    wait(&mut harness, "a timetable", |harness| {
        document(harness).live.as_ref().is_some_and(|live| live.checkpoint.is_some())
    });
    let live = document(&harness).live.as_ref().unwrap();
    let best = &live.checkpoint.as_ref().unwrap().progress.snapshot;
    let proximity = best.best.cost(&live.instance).proximity as f64;
    assert!(live.cost() == Some(proximity) && best.best_cost > proximity, "{:?} {}", live.cost(), best.best_cost);
    press(&mut harness, "Stop");
    wait(&mut harness, "the end", |harness| !document(harness).is_solving());
}

#[test]
fn several_pins_are_taken_away_together() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press(&mut harness, "Pin to period 1");
    super::select(&mut harness, "B2");
    press(&mut harness, "Pin to period 3");
    harness.get_by_label("The next run: 2 exams pinned");
    press(&mut harness, "Unpin all");
    assert_eq!((document(&harness).rules().pins.len(), undo_name(&harness)), (0, "unpin 2 exams"));
    undo(&mut harness);
    assert_eq!(document(&harness).rules().pins.len(), 2);
}

/// Relations of all kinds between all pairs of six exams: more than are listed at first.
#[test]
fn the_last_of_many_relations_can_be_reached() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    let pairs = (0..6).flat_map(|first| (first + 1..6).map(move |second| (first, second)));
    let of_pair = |(first, second)| RelationKind::ALL.map(|kind| Edit::Relate(Relation::new(kind, first, second)));
    let edits: Vec<Edit> = pairs.flat_map(of_pair).collect();
    let document = harness.state_mut().document_mut::<TimetablingViews>().unwrap();
    document.apply(edits).unwrap();
    document.selected = None;
    harness.run_steps(3);
    let shown = |harness: &Harness<'_, App>| names(harness, "No longer demand: ").len();
    // A few at first, so that the facts of the instance below them are seen.
    assert_eq!(shown(&harness), 12);
    for (button, count) in [("Show 60 more relations", 72), ("Show 48 more relations", 120)] {
        // The button may lie below what the panel shows.
        harness.get_by_label(button).click_accesskit();
        harness.run_steps(3);
        assert_eq!(shown(&harness), count);
    }
    assert!(!shows(&harness, "more relations"));
}

#[test]
fn a_curve_with_a_price_in_it_says_so() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press_like(&mut harness, "Move to period 3: ");
    press(&mut harness, "Move anyway");
    assert!(!shows(&harness, "with the price of moved exams"));
    solve_around(&mut harness, 2);
    assert!(shows(&harness, "Convergence, cost per student, with the price of moved exams: Run 2 + "));
    harness.get_by_label("Cost per student, with the price of moved exams").hover();
    wait(&mut harness, "the tooltip", |harness| shows(harness, "their curves add the price of every exam"));
    // A run without a price is a cost again, as soon as no curve with one is there.
    assert!(document(&harness).run(2).unwrap().priced && !document(&harness).run(1).unwrap().priced);
}

#[test]
fn a_draft_is_called_a_draft_at_the_top() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    assert!(!shows(&harness, "Draft: "));
    press(&mut harness, "Period 8 (−1.0000)");
    let role = egui::Role::ProgressIndicator;
    assert!(shows(&harness, "Draft: 1 exam moved, not saved as a run "));
    press_like(&mut harness, "Move to period 3: ");
    press(&mut harness, "Move anyway");
    harness.get_by_role_and_label(role, "Draft: 1 exam moved, not saved as a run, not valid");
    assert!(!shows(&harness, "Ready to solve"));
    press(&mut harness, "Discard");
    assert_eq!(document(&harness).shown, Shown::Run(1));
    assert!(!shows(&harness, "Draft: "));
}
