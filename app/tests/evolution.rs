//! The evolution of a run in the window, as a person looks at it: play, look at curves, follow one child.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::search::{Budget, Control};
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::run::{Algorithm, record_evolution};
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::evolution::Mode;
use gridwright_timetabling_views::view::View;
use gridwright_window::window::App;

use crate::support;
use support::person::{Window, at_home, document, keys, names, press, settle, shows, wait, window};

const STRIP: &str = "Position in the run, generation";

/// Opens the view of the evolution.
fn look(window: &mut Window) {
    keys(window, Modifiers::COMMAND, Key::Num9);
    assert_eq!(document(window).view, View::Evolution);
}

fn at(window: &Harness<'_, App>) -> u64 {
    document(window).evolution.player.at()
}

#[test]
fn generations_are_played_and_a_child_is_followed_step_by_step() {
    let mut window = at_home(|home| window(support::evolved("sample:school", 40, home.path())));
    look(&mut window);
    wait(&mut window, "the recording", |window| shows(window, "To the beginning"));
    let (instance, result) = support::evolution("sample:school", 40);
    let mut journal = record_evolution(&instance, &result, 1 << 28, 1, &Control::new(), &mut |_, _| {}).unwrap();
    window.get_by_label(STRIP).set_value_accesskit(12.0);
    settle(&mut window);
    assert_eq!(at(&window), 12);
    let picture = "Generation 12: 64 timetables by 40 exams, sorted by cost";
    window.get_by_label(picture).focus();
    window.run_steps(2);
    for (key, generation) in [(Key::Period, 13), (Key::Comma, 12), (Key::Comma, 11), (Key::Period, 12)] {
        keys(&mut window, Modifiers::NONE, key);
        settle(&mut window);
        assert_eq!(at(&window), generation);
    }
    // The third row is the third cheapest individual; Enter follows it.
    for _ in 0..3 {
        keys(&mut window, Modifiers::NONE, Key::ArrowDown);
    }
    keys(&mut window, Modifiers::NONE, Key::Enter);
    settle(&mut window);
    let generation = journal.generation(12).unwrap();
    let child = generation.order[2] as usize;
    let steps = journal.child(12, child).unwrap().unwrap();
    let state = &document(&window).evolution;
    assert_eq!((state.mode, state.generations.child), (Mode::Child, child));
    for number in 0..2 {
        let tournament = &steps.tournaments[number];
        let entrants = tournament.candidates.iter().filter(|candidate| !candidate.is_ignored).count();
        let told = format!("Individual {} wins the tournament", tournament.winner + 1);
        assert!(shows(&window, &told) && shows(&window, &format!("the lowest of {entrants}.")), "{told}");
        press(&mut window, "One step on");
        settle(&mut window);
    }
    let field =
        |name: &str| window.get_by_role_and_label(egui::Role::SpinButton, name).accesskit_node().numeric_value();
    let chosen = [field("Generation of the child"), field("Number of the child")];
    assert_eq!(chosen, [Some(12.0), Some(child as f64 + 1.0)]);
    match steps.cut {
        Some(cut) => assert!(shows(&window, &format!("The cut is before exam {} of 40", cut + 1))),
        None => assert!(shows(&window, "No crossover")),
    }
    press(&mut window, "One step on");
    settle(&mut window);
    let mutated = steps.mutated.len();
    assert!(shows(&window, &if mutated == 0 { "No gene mutates".to_owned() } else { format!("gives {mutated} exam") }));
    press(&mut window, "One step on");
    settle(&mut window);
    let moved = steps.descended.len();
    assert!(shows(
        &window,
        &if moved == 0 { "moves no exam".to_owned() } else { format!("Descent moves {moved} exam") }
    ));
    press(&mut window, "One step on");
    settle(&mut window);
    assert!(shows(&window, "The child costs"));
    // Back with the keys of every player.
    window.get_by_label(&format!("Child {}, step The child", child + 1)).focus();
    window.run_steps(2);
    keys(&mut window, Modifiers::NONE, Key::Comma);
    assert_eq!(document(&window).evolution.generations.steps.at(), 4);
    press(&mut window, "Curves");
    settle(&mut window);
    assert_eq!(names(&window, "Cost of close exams").len(), 1, "one picture with all curves");
    press(&mut window, "Follow 12");
    settle(&mut window);
    assert_eq!(document(&window).evolution.generations.followed, 12);
    wait(&mut window, "the take-over", |window| shows(window, "under selection alone, tournaments of 2"));
}

#[test]
fn runs_of_other_algorithms_say_what_to_choose() {
    let instance = open("sample:school", &LoadOptions::default()).unwrap();
    let timetable = support::constructed(&instance);
    let mut window = at_home(|home| window(support::planned(instance, timetable, home.path())));
    look(&mut window);
    assert!(shows(&window, "Run 1 was made by annealing and has no generations"));
    press(&mut window, "Choose evolution");
    settle(&mut window);
    let settings = &document(&window).settings;
    assert!(matches!(settings.algorithm, Algorithm::Evolution(_)) && settings.stop.budget == Budget::Steps(200));
    assert!(shows(&window, "press Solve, and every generation can be looked at"));
    assert!(document(&window).evolution.recording().is_none(), "nothing is recorded");
}

#[test]
fn a_recording_can_be_stopped_and_says_when_it_reaches_its_bound() {
    let home = tempfile::tempdir().unwrap();
    let (_, mut result) = support::evolution("sample:school", 20);
    // As long as nobody waits for.
    result.generations = 200_000;
    let mut window = window(support::kept("sample:school", &result, home.path()));
    look(&mut window);
    wait(&mut window, "the first generations", |window| {
        document(window).evolution.recording().is_some_and(|recording| recording.share() > 0.0)
    });
    press(&mut window, "Stop recording");
    wait(&mut window, "the end of the recording", |window| shows(window, "To the beginning"));
    let last = document(&window).evolution.recording().unwrap().facts().unwrap().last();
    assert!(last > 0 && last < 200_000 && shows(&window, "Recorded up to generation"));
    window.state_mut().document_mut::<TimetablingViews>().unwrap().evolution.bound = 150_000;
    wait(&mut window, "the bounded recording", |window| {
        let facts = document(window).evolution.recording().and_then(|recording| recording.facts());
        facts.is_some_and(|facts| facts.notice.is_some() && facts.bytes < 170_000)
    });
    settle(&mut window);
    assert!(shows(&window, "later ones are not shown"));
}
