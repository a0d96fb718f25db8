//! Binary problems in the window, as a person uses them: solve, play back, look at cells, compare flavours, take it away.

use std::time::Duration;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::data::Tables;
use gridwright_core::numbers::grouped;
use gridwright_core::search::{Algorithms, Control};
use gridwright_core::store::Store;
use gridwright_systolic::formats::{self, LoadOptions};
use gridwright_systolic::grid::Flavour;
use gridwright_systolic::run::Algorithm;
use gridwright_systolic::{Instance, Kind, genetic, run};
use gridwright_systolic_views::methods::*;
use gridwright_systolic_views::widgets::grid_playback::Cell;
use gridwright_systolic_views::{Document, View, inspector};
use gridwright_window::data_view::edits;
use gridwright_window::runs::Shown;
use gridwright_window::window::App;
use strum::VariantArray;

use crate::support;
use crate::support::Documents as _;
use support::person::{
    self, Window, at_home, enter, file, keys, names, press, press_like, settle, shows, wait, written,
};

fn binary<'a>(window: &'a Harness<'_, App>) -> &'a Document {
    window.state().binary().expect("a binary problem is open")
}

fn document(window: &mut Window) -> &mut Document {
    window.state_mut().document_mut().expect("a binary problem is open")
}

fn view(window: &mut Window, view: View) {
    let place = View::VARIANTS.iter().position(|other| *other == view).unwrap();
    let digits = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8];
    keys(window, Modifiers::COMMAND, digits[place]);
    assert_eq!(binary(window).view, view);
}

/// Runs once and waits for the recording.
fn solve(window: &mut Window) {
    let runs = binary(window).runs.len();
    press(window, "Solve");
    wait(window, "the end", |window| !binary(window).is_solving() && binary(window).runs.len() == runs + 1);
    wait(window, "the recording", |window| shows(window, "To the beginning"));
    wait(window, "all figures", |window| binary(window).is_recorded());
    settle(window);
}

fn solved(home: &std::path::Path, source: &str) -> Window {
    let mut window = file(home, source);
    solve(&mut window);
    window
}

/// Presses a button that copies and returns the text on the clipboard.
fn copied(window: &mut Window, label: &str) -> String {
    window.get_by_label(label).click();
    for _ in 0..4 {
        window.step();
        for command in &window.output().platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                return text.clone();
            }
        }
    }
    panic!("nothing was copied");
}

const STRIP: &str = "Position in the run, iteration";
const GRID: &str = "Grid of ";

fn grid_name(window: &Harness<'_, App>) -> String {
    names(window, GRID).into_iter().next().expect("there is a grid")
}

#[test]
fn an_optimum_is_found_shown_and_still_there_after_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "sample:backpack");
    assert!(shows(&window, "No solution yet") && shows(&window, "knapsack problem, 8 items, capacity"));
    solve(&mut window);
    let run = binary(&window).runs.run(1).unwrap();
    assert_eq!((run.words.as_str(), binary(&window).shown), ("57", Shown::Run(1)));
    assert!(shows(&window, "0, the optimum"), "the inspector says that it cannot be better");
    assert!(shows(&window, "roven optimal"), "more than checked");
    drop(window);
    let mut again = file(home.path(), "sample:backpack");
    assert_eq!(binary(&again).runs.len(), 1);
    wait(&mut again, "the recording", |window| shows(window, "To the beginning"));
    let (runs, problems) = Store::at(home.path()).runs(&binary(&again).key(), &gridwright_systolic::problem::Systolic);
    assert_eq!((runs.len(), problems.len()), (1, 0));
    let result = &runs[0].result;
    let report = run::replay(&binary(&again).instance, result, "cpu", 1, &Control::new(), &mut |_| {});
    assert!(report.unwrap().is_equal(), "the same seed, the same answer");
}

#[test]
fn a_run_is_played_paused_stepped_and_scrubbed() {
    let mut window = at_home(|home| solved(home.path(), "onemax:40"));
    let last = 240;
    assert!(shows(&window, "Iteration 240") && grid_name(&window).contains("iteration 240"));
    press(&mut window, "To the beginning");
    assert!(grid_name(&window).contains("iteration 0,"));
    press(&mut window, "Play");
    window.run_steps(30);
    press(&mut window, "Pause playing");
    let at = binary(&window).player.at();
    assert!(at > 0 && at < last, "{at}");
    press(&mut window, "One step on");
    press(&mut window, "One step on");
    press(&mut window, "One step back");
    assert_eq!(binary(&window).player.at(), at + 1);
    assert!(grid_name(&window).contains(&format!("iteration {},", at + 1)));
    window.get_by_label(STRIP).set_value_accesskit(17.0);
    window.run_steps(3);
    assert!(shows(&window, "Iteration 17"));
    window.get_by_label(STRIP).focus();
    window.run_steps(2);
    keys(&mut window, Modifiers::NONE, Key::ArrowRight);
    keys(&mut window, Modifiers::NONE, Key::Home);
    keys(&mut window, Modifiers::NONE, Key::PageDown);
    assert_eq!(binary(&window).player.at(), 20);
    settle(&mut window);
    assert_eq!(window.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay, Duration::MAX, "idle");
}

#[test]
fn playing_stops_at_the_first_optimum() {
    let mut window = at_home(|home| solved(home.path(), "onemax:24"));
    let first = binary(&window).runs.run(1).unwrap().since.unwrap();
    assert!(first > 0);
    press(&mut window, "To the beginning");
    press(&mut window, "Stop playing at");
    press(&mut window, "the first optimum");
    press(&mut window, "Play");
    wait(&mut window, "the stop", |window| !binary(window).player.is_playing());
    assert_eq!(binary(&window).player.at(), first, "the recording and the result agree");
    assert!(shows(&window, "First optimum"));
}

#[test]
fn a_cell_is_selected_by_keys_and_says_what_it_did() {
    let mut window = at_home(|home| solved(home.path(), "onemax:20"));
    window.get_by_label(STRIP).set_value_accesskit(3.0);
    window.run_steps(3);
    let name = grid_name(&window);
    window.get_by_label(&name).focus();
    window.run_steps(2);
    keys(&mut window, Modifiers::NONE, Key::ArrowRight);
    keys(&mut window, Modifiers::NONE, Key::ArrowRight);
    keys(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(binary(&window).selected, Some(Cell { row: 1, column: 1 }));
    assert!(shows(&window, "Cell 2, 2") && shows(&window, "In iteration 3"));
    assert!(shows(&window, "child accepted") || shows(&window, "parent stays"));
    // What the inspector makes of the parents is what the search has made of them.
    let mut accepted = 0;
    for at in 1..=30 {
        document(&mut window).player.go_to(at);
        window.run_steps(2);
        let document = document(&mut window);
        let now = document.frame().unwrap();
        let before = document.frame_before(&now).unwrap();
        for cell in (0..5).flat_map(|row| (0..20).map(move |column| Cell { row, column })) {
            let made = inspector::made(document, &before, &now, cell).unwrap();
            let numbers = gridwright_systolic_views::grid::solutions(&now, cell).unwrap();
            for (made, number) in made.into_iter().zip(numbers) {
                let expected = if made.accepted { &made.child } else { &made.parent };
                assert_eq!(now.bits(number), *expected, "iteration {at}, {cell:?}");
                assert_eq!(made.accepted, made.child_cost < made.parent_cost, "only what is better is accepted");
                accepted += usize::from(made.accepted);
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
    press(&mut window, "Edit");
    press(&mut window, "Select nothing");
    assert_eq!(binary(&window).selected, None);
    // The space bar plays while the picture has the keyboard; full stop and comma step.
    let name = grid_name(&window);
    window.get_by_label(&name).focus();
    window.run_steps(2);
    keys(&mut window, Modifiers::NONE, Key::Period);
    assert_eq!(binary(&window).player.at(), 31);
    keys(&mut window, Modifiers::NONE, Key::Comma);
    assert_eq!(binary(&window).player.at(), 30);
    keys(&mut window, Modifiers::NONE, Key::Space);
    assert!(binary(&window).player.is_playing());
    // The same from the menu and its keys, wherever the keyboard is.
    press(&mut window, "Run");
    press(&mut window, "Play or pause the recording");
    assert!(!binary(&window).player.is_playing());
    keys(&mut window, Modifiers::ALT, Key::Home);
    assert_eq!(binary(&window).player.at(), 0);
    keys(&mut window, Modifiers::ALT, Key::ArrowRight);
    keys(&mut window, Modifiers::ALT, Key::ArrowRight);
    keys(&mut window, Modifiers::ALT, Key::ArrowLeft);
    assert_eq!(binary(&window).player.at(), 1);
}

#[test]
fn flavours_and_rivals_are_chosen_and_each_shows_what_it_has() {
    let mut window = at_home(|home| file(home.path(), "onemax:20"));
    press(&mut window, "Algorithm");
    press(&mut window, "Systolic, torus (T)");
    solve(&mut window);
    assert_eq!(binary(&window).flavour(), Some(Flavour::Torus));
    assert_eq!(binary(&window).runs.run(1).unwrap().result.algorithm, "sgs-t");
    press(&mut window, "Algorithm");
    press(&mut window, "Genetic, elitist");
    press(&mut window, "Solve");
    wait(&mut window, "the end", |window| binary(window).runs.len() == 2);
    // The strip of the recording comes between, and moves the buttons.
    wait(&mut window, "the recording", |window| {
        shows(window, "No grid") && shows(window, "Position in the run, generation")
    });
    press(&mut window, "Show diversity");
    wait(&mut window, "the charts", |window| shows(window, "by iteration"));
    view(&mut window, View::Bits);
    assert!(names(&window, "Bits of ").len() == 1);
    // The first run is shown again with its grid.
    keys(&mut window, Modifiers::COMMAND, Key::P);
    window.event(egui::Event::Text("show run 1".to_owned()));
    window.run_steps(3);
    keys(&mut window, Modifiers::NONE, Key::Enter);
    view(&mut window, View::Grid);
    wait(&mut window, "the grid", |window| shows(window, GRID));
}

#[test]
fn operators_say_why_the_torus_fails() {
    let mut window = at_home(|home| file(home.path(), "onemax:100"));
    view(&mut window, View::Operators);
    let map = "Crossover and mutation points of 7 rows and 100 columns";
    assert!(shows(&window, map), "without any run");
    press(&mut window, "T");
    press(&mut window, "Vertical solution");
    assert!(shows(&window, "in 700 iterations 7 of 100 bits are flipped"));
    press(&mut window, "V");
    assert!(shows(&window, "in 700 iterations 100 of 100 bits are flipped"));
    window.get_by_label(map).focus();
    window.run_steps(2);
    keys(&mut window, Modifiers::NONE, Key::ArrowRight);
    let node = window.get_by_label(map).accesskit_node().value().unwrap_or_default();
    assert!(node.contains("Row 1, column 1: exchanges bits 2 to 4, flips bit 1"), "{node}");
}

#[test]
fn four_flavours_run_side_by_side_from_one_seed() {
    let mut window = at_home(|home| file(home.path(), "knapsack:20-100"));
    view(&mut window, View::Flavours);
    press(&mut window, "Run all four");
    wait(&mut window, "all four", |window| binary(window).flavours.is_complete());
    settle(&mut window);
    assert!(shows(&window, "Vertical streams of the four flavours, iteration 100"));
    assert!(shows(
        &window,
        "Distinct mutation points that a vertical solution meets: Torus (T) 5 of 20, Exchange (E) 20 of 20"
    ));
    press(&mut window, "To the beginning");
    assert!(shows(&window, "Vertical streams of the four flavours, iteration 0"));
    press(&mut window, "Play");
    window.run_steps(20);
    assert!(binary(&window).flavours.player.at() > 0);
}

#[test]
fn why_the_torus_fails_is_told_only_where_it_failed() {
    use gridwright_systolic_views::flavours::{TorusResult, torus_result};
    let all_four = |source: &str| {
        let mut window = at_home(|home| file(home.path(), source));
        view(&mut window, View::Flavours);
        assert!(!shows(&window, "Why the torus fails"), "nothing has failed yet");
        press(&mut window, "Run all four");
        wait(&mut window, "all four", |window| binary(window).flavours.is_complete());
        settle(&mut window);
        window
    };
    let mut window = all_four("onemax:100");
    assert_eq!(torus_result(document(&mut window)), TorusResult::KeptUp);
    assert!(shows(&window, "Ways of a solution") && !shows(&window, "Why the torus fails"));
    assert!(shows(&window, "Here the torus ended as well as the others"));
    let mut window = all_four("knapsack:100-1000");
    assert_eq!(torus_result(document(&mut window)), TorusResult::Failed);
    assert!(shows(&window, "Why the torus fails"));
    // The inspector shows the iteration that the player of this view shows, not that of a run.
    for at in [0, 12, 700] {
        window.get_by_label(STRIP).set_value_accesskit(f64::from(at));
        window.run_steps(3);
        wait(&mut window, "the solutions", |window| !shows(window, "being loaded"));
        assert!(shows(&window, &format!("Iteration {at}")), "{at}");
    }
    assert!(shows(&window, "5\u{2009}676"), "the others have found the optimum");
    document(&mut window).selected = Some(Cell { row: 1, column: 5 });
    window.run_steps(3);
    assert!(shows(&window, "Cell 2, 6") && shows(&window, "Iteration 700"));
    assert!(shows(&window, "The vertical solution that is in the cell"));
}

#[test]
fn the_paper_has_knapsacks_and_deceptive_problems_only() {
    let collection = gridwright_systolic_views::UI.collection.unwrap();
    assert_eq!(collection.heading, "All of the paper");
    let lines = (collection.lines)();
    assert!(lines.len() > 10);
    let is_of_paper = |source: &str| source.starts_with("knapsack:") || source.starts_with("mmdp:");
    assert!(lines.iter().all(|line| is_of_paper(&line.source)), "{lines:?}");
}

#[test]
fn the_contents_are_the_items_taken_or_the_blocks_on_the_function() {
    let mut window = at_home(|home| file(home.path(), "sample:backpack"));
    view(&mut window, View::Contents);
    assert!(shows(&window, "No solution yet"));
    press(&mut window, "Solve now");
    wait(&mut window, "the end", |window| !binary(window).is_solving() && binary(window).runs.len() == 1);
    settle(&mut window);
    let Kind::Knapsack { profits, weights, capacity } = binary(&window).instance.kind.clone() else { panic!() };
    let bits = binary(&window).runs.run(1).unwrap().bits.clone();
    let taken: Vec<usize> = (0..profits.len()).filter(|&item| bits[item]).collect();
    let profit: u64 = taken.iter().map(|&item| profits[item]).sum();
    let weight: u64 = taken.iter().map(|&item| weights[item]).sum();
    assert!(shows(&window, &format!("{} of 8 items taken, profit {profit}", taken.len())));
    assert!(shows(&window, &format!("Weight {weight} of {capacity} (")));
    assert_eq!(window.get_all_by_label("taken").count(), taken.len(), "a badge for each item");
    // The best item for its weight stands first, then the order is that of the file.
    let first = |window: &Window| {
        let items = window.get_all_by_label_contains("Item ");
        let name = |node: egui_kittest::Node<'_>| {
            (
                node.rect().top() as i32,
                node.accesskit_node().value().or(node.accesskit_node().label()).unwrap_or_default(),
            )
        };
        items.map(name).filter(|(_, name)| name.contains(": ")).min().unwrap().1
    };
    let worth = |item: usize| profits[item] as f64 / weights[item] as f64;
    let best = (0..8).max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a))).unwrap();
    assert!(first(&window).starts_with(&format!("Item {}: ", best + 1)), "{}", first(&window));
    press(&mut window, "As in the file");
    assert!(first(&window).starts_with("Item 1: "), "{}", first(&window));

    let mut window = at_home(|home| solved(home.path(), "mmdp:24"));
    view(&mut window, View::Contents);
    let bits = binary(&window).runs.run(1).unwrap().bits.clone();
    let ones: Vec<usize> = bits.chunks(6).map(|block| block.iter().filter(|bit| **bit).count()).collect();
    let solved = ones.iter().filter(|ones| **ones == 0 || **ones == 6).count();
    assert!(shows(&window, &format!("{solved} of 4 blocks solved")));
    let six = ones.iter().filter(|ones| **ones == 6).count();
    assert!(shows(&window, &format!("6 ones: {six} block")) && shows(&window, "3 ones: "), "{ones:?}");

    let mut window = at_home(|home| file(home.path(), "onemax:20"));
    view(&mut window, View::Contents);
    assert!(shows(&window, "No contents here"));
}

#[test]
fn a_batch_counts_hits_and_can_be_stopped() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "onemax:20");
    view(&mut window, View::Batch);
    window.get_by_role_and_label(egui::Role::SpinButton, "Number of runs").set_value_accesskit(6.0);
    window.run_steps(2);
    press(&mut window, "Run the batch");
    wait(&mut window, "the batch", |window| {
        let batching = &binary(window).batching;
        !batching.is_going() && batching.lanes().len() == 4
    });
    settle(&mut window);
    let lanes = binary(&window).batching.lanes();
    assert!(lanes.iter().all(|lane| lane.runs.len() == 6));
    assert!(lanes[3].runs.iter().all(|run| run.cost == -20.0), "B finds twenty ones from every seed");
    assert!(lanes[3].runs.windows(2).all(|pair| pair[0].seed + 1 == pair[1].seed), "in the order of seeds");
    let copied = copied(&mut window, "Copy as CSV");
    assert_eq!(copied.lines().count(), 1 + 4 * 6);
    assert_eq!(
        copied.lines().filter(|line| line.starts_with("sgs-b,") && line.contains(",20,0,")).count(),
        6,
        "{copied}"
    );
    press_like(&mut window, "SGS B: 6 of 6, from ");
    assert_eq!(binary(&window).batching.selected, Some(3));
    // A large one is stopped, and what had ended stays.
    let mut window = file(home.path(), "knapsack:500-1000");
    view(&mut window, View::Batch);
    press(&mut window, "Run the batch");
    wait(&mut window, "the beginning", |window| binary(window).batching.is_going());
    press(&mut window, "Stop the batch");
    wait(&mut window, "the end", |window| !binary(window).batching.is_going());
    window.run_steps(3);
    assert!(shows(&window, "Stopped after "));
}

#[test]
fn eleven_weights_lie_on_the_front() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("release.csv");
    let rows: String = (1..=12).map(|item| format!("R{item},{},{}\n", 3 + item * 7 % 11, 1 + item * 5 % 13)).collect();
    std::fs::write(&path, format!("requirement,cost,value\n{rows}")).unwrap();
    let mut window = file(home.path(), path.to_str().unwrap());
    view(&mut window, View::Releases);
    press(&mut window, "Search with all eleven weights");
    wait(&mut window, "all weights", |window| binary(window).releasing.found().len() == 11);
    settle(&mut window);
    let found = binary(&window).releasing.found();
    assert_eq!((found[0].cost, found[0].value), (0, 0), "only cost counts: nothing is in the release");
    let best = found.iter().filter(|release| release.is_best).count();
    assert!(best >= 9, "{best} of 11");
    assert!(shows(&window, &format!("{best} of 11 are the best there is")));
    press_like(&mut window, "w = 0: cost 0, value 0, the best there is");
    assert_eq!(binary(&window).releasing.selected, Some(0));
    // Each weight has its own runs.
    view(&mut window, View::Grid);
    solve(&mut window);
    press(&mut window, "Weight");
    press(&mut window, "0.4");
    assert!(shows(&window, "No solution yet"), "nothing was sought with this weight");
    press(&mut window, "Weight");
    press(&mut window, "0.5");
    assert_eq!(binary(&window).shown, Shown::Run(1));
    // Other problems have no releases, and say so.
    let mut window = file(home.path(), "sample:backpack");
    view(&mut window, View::Releases);
    assert!(shows(&window, "No releases here"));
}

#[test]
fn everything_is_written_but_never_over_its_own_data() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("bag.csv");
    let data = "# capacity: 9\nitem,profit,weight\nTent,24,5\nStove,9,4\nRope,4,3\nLamp,8,2\nMap,6,1\nCup,1,1\n";
    std::fs::write(&path, data).unwrap();
    let mut window = file(home.path(), path.to_str().unwrap());
    assert!(window.get_all_by_label("Export").next().unwrap().accesskit_node().is_disabled());
    solve(&mut window);
    let formats = gridwright_systolic::export::FORMATS;
    for format in formats.iter().filter(|format| format.ending != "front.csv") {
        keys(&mut window, Modifiers::COMMAND, Key::E);
        let target = home.path().join(format!("out.{}", format.ending));
        press(&mut window, format.name);
        enter(&mut window, "Path of the export", target.to_str().unwrap());
        press(&mut window, "Write file");
        wait(&mut window, "the file", |_| target.is_file());
        let told = format!("The solution was exported: {}", target.display());
        wait(&mut window, "the notice", |window| shows(window, &told));
    }
    assert!(std::fs::read(home.path().join("out.gif")).unwrap().starts_with(b"GIF89a"));
    keys(&mut window, Modifiers::COMMAND, Key::E);
    enter(&mut window, "Path of the export", path.to_str().unwrap());
    press(&mut window, "Write file");
    assert!(shows(&window, "one that the instance came from"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), data);
}

#[test]
fn wrong_files_say_what_is_wrong() {
    let home = tempfile::tempdir().unwrap();
    let of = |name: &str, text: &str| {
        let path = home.path().join(name);
        std::fs::write(&path, text).unwrap();
        file(home.path(), path.to_str().unwrap())
    };
    let window = of("bag.csv", "# capacity: 9\nitem,profit,weight\nTent,24,heavy\nStove,9,4\n");
    assert!(shows(&window, "bag.csv could not be opened") && shows(&window, "bag.csv:3") && !window.state().is_open());
    let window = of("small.csv", "# capacity: 9\nitem,profit,weight\nTent,24,5\nStove,9,4\n");
    assert!(shows(&window, "at least 4"), "a grid needs a few bits");
    let window = of("bits.ron", "(\n    bits_format: 1,\n)");
    assert!(!window.state().is_open());
}

#[test]
fn a_knapsack_without_capacity_opens_with_the_one_that_a_person_enters() {
    let home = tempfile::tempdir().unwrap();
    let mut window =
        written(home.path(), "things.csv", "item,profit,weight\nTent,24,5\nStove,9,4\nPan,5,2\nLamp,7,1\n");
    assert!(
        shows(&window, "things.csv could not be opened") && shows(&window, "the capacity of the knapsack is missing")
    );
    enter(&mut window, "Capacity", "8");
    press(&mut window, "Open with this");
    wait(&mut window, "the knapsack", |window| window.state().binary().is_some());
    assert!(matches!(binary(&window).instance.kind, Kind::Knapsack { capacity: 8, .. }));
}

#[test]
fn an_altered_result_is_not_shown_as_a_solution() {
    let home = tempfile::tempdir().unwrap();
    let window = solved(home.path(), "sample:backpack");
    let path = binary(&window).runs.run(1).unwrap().path.clone().unwrap();
    drop(window);
    let text = std::fs::read_to_string(&path).unwrap();
    let bits = text.find("Bits(\"").unwrap() + 6;
    let mut altered = text.clone();
    let other = if &text[bits..=bits] == "1" { "0" } else { "1" };
    altered.replace_range(bits..=bits, other);
    let window = written(home.path(), "mine.ron", altered);
    assert!(shows(&window, "This result did not pass the check"));
    assert!(window.get_all_by_label("Export").next().unwrap().accesskit_node().is_disabled());
}

#[test]
fn a_recording_that_reaches_its_bound_says_so_and_still_plays() {
    let mut window = at_home(|home| file(home.path(), "onemax:60"));
    document(&mut window).recording_bound = 40_000;
    solve(&mut window);
    assert!(shows(&window, "the memory") || shows(&window, "Allow more memory"), "the person is told");
    press(&mut window, "To the beginning");
    window.get_by_label(STRIP).set_value_accesskit(300.0);
    wait(&mut window, "the iteration", |window| grid_name(window).contains("iteration 300,"));
}

#[test]
fn pause_and_stop_keep_what_was_found() {
    let mut window = at_home(|home| file(home.path(), "knapsack:500-10000"));
    press(&mut window, "Thorough");
    press(&mut window, "Solve");
    wait(&mut window, "a first solution", |window| {
        binary(window).live.as_ref().is_some_and(|live| live.checkpoint.is_some())
    });
    wait(&mut window, "the grid", |window| shows(window, GRID));
    press(&mut window, "Pause");
    wait(&mut window, "the pause", |window| shows(window, "Paused"));
    press(&mut window, "Resume");
    press(&mut window, "Stop");
    wait(&mut window, "the end", |window| !binary(window).is_solving());
    assert_eq!(binary(&window).runs.len(), 1);
    assert!(grid_name(&window).starts_with(GRID), "the last that was seen stays until the recording is there");
}

#[test]
fn changed_data_keep_the_runs_and_go_with_the_project() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path(), "sample:backpack");
    let profit = -binary(&window).runs[0].cost;
    let tables = binary(&window).tables();
    let edit = edits::set_cell(&tables, Instance::TABLES, 0, 0, 1, "40").unwrap();
    document(&mut window).change_data(edit, None).unwrap();
    let capacity = |kind: &Kind| matches!(kind, Kind::Knapsack { capacity: 40, .. });
    assert!(capacity(&binary(&window).instance.kind));
    // What was found fits into the larger backpack, too; it is no longer the optimum.
    let (run, optimum) = (&binary(&window).runs[0], binary(&window).optimum().unwrap().cost);
    assert_eq!((run.earlier.as_deref(), -run.cost), (Some(""), profit));
    assert!(optimum < run.cost && !binary(&window).is_recorded());
    let none = edits::set_cell(&binary(&window).tables(), Instance::TABLES, 0, 0, 1, "").unwrap();
    document(&mut window).change_data(none, None).unwrap();
    assert!(binary(&window).data_issues()[0].what.contains("needs a value here"));
    assert!(capacity(&binary(&window).instance.kind), "the last data that make sense");
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    keys(&mut window, Modifiers::COMMAND, Key::S);
    let path = home.path().join("bag.gridwright");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    gridwright_window::window::wait_for_saves();
    drop(window);
    let other = tempfile::tempdir().unwrap();
    let again = file(other.path(), path.to_str().unwrap());
    assert!(capacity(&binary(&again).instance.kind) && binary(&again).runs.len() == 1);
    let opened = formats::open(path.to_str().unwrap(), &LoadOptions { capacity: Some(20), tenths: None }).unwrap();
    assert!(matches!(opened.kind, Kind::Knapsack { capacity: 20, .. }));
}

/// The weight of the value stands beside the algorithm and in the tables.
#[test]
fn the_weight_of_a_release_is_part_of_its_tables() {
    let mut window = at_home(|home| file(home.path(), "sample:release"));
    document(&mut window).set_tenths(3);
    let tables = binary(&window).tables();
    assert_eq!(tables.tables[0].rows.get(0).unwrap().cell(2), "0.3");
    let edit = edits::set_cell(&tables, Instance::TABLES, 2, 0, 2, "40").unwrap();
    document(&mut window).change_data(edit, None).unwrap();
    assert_eq!(binary(&window).tenths(), Some(3), "other edits leave it");
}

/// A run of EGA generation by generation: the picture, the child of a row, its steps, back with the keys.
#[test]
fn generations_of_a_genetic_algorithm_are_played_and_a_child_is_followed() {
    let mut window = at_home(|home| person::window(support::recorded_run("knapsack:100-1000", "ega", home.path())));
    wait(&mut window, "the recording", |window| {
        shows(window, "Show evolution") && shows(window, "Position in the run, generation")
    });
    press(&mut window, "Show evolution");
    assert_eq!(binary(&window).view, View::Evolution);
    wait(&mut window, "the recording", |window| shows(window, "To the beginning"));
    window.get_by_label("Position in the run, generation").set_value_accesskit(12.0);
    let picture = "Generation 12: 1\u{2009}400 individuals by 100 bits, the best first";
    wait(&mut window, "the generation", |window| shows(window, picture));
    settle(&mut window);
    let run = std::sync::Arc::clone(&binary(&window).runs.run(1).unwrap().result);
    let algorithm = Algorithm::of_result(&run.algorithm, &run.parameters).unwrap();
    let instance = std::sync::Arc::clone(&binary(&window).instance);
    let record = genetic::journal::Journal::record;
    let mut journal = record(&instance, &algorithm, run.seed, 1 << 28, 1, &Control::new(), &mut |_, _| {}).unwrap();
    let generation = journal.generation(12).unwrap();
    let child = generation.order[2] as usize;
    let steps = journal.child(12, child).unwrap().unwrap();
    window.get_by_label(picture).focus();
    window.run_steps(2);
    for _ in 0..3 {
        keys(&mut window, Modifiers::NONE, Key::ArrowDown);
    }
    keys(&mut window, Modifiers::NONE, Key::Enter);
    settle(&mut window);
    assert_eq!(binary(&window).evolving.generations.child, child, "the third row is the third best");
    for tournament in &steps.tournaments {
        let told = format!("Individual {} wins the tournament", grouped(tournament.winner as i64 + 1));
        wait(&mut window, "the step", |window| shows(window, &told));
        press(&mut window, "One step on");
        settle(&mut window);
    }
    match steps.segment {
        Some([first, last]) => assert!(shows(&window, &format!("Bits {} to {} come from", first + 1, last + 1))),
        None => assert!(shows(&window, "No crossover")),
    }
    press(&mut window, "One step on");
    settle(&mut window);
    let flips = match steps.mutated.len() {
        0 => "No bit mutates".to_owned(),
        1 => format!("Mutation flips bit {}", steps.mutated[0] + 1),
        count => format!("Mutation flips {count} bits"),
    };
    assert!(shows(&window, &flips), "{flips}");
    press(&mut window, "One step on");
    settle(&mut window);
    let is_replaced = steps.occupant.unwrap().is_replaced;
    assert!(shows(&window, if is_replaced { "takes the slot" } else { "is lost" }));
    press(&mut window, "Curves");
    wait(&mut window, "the take-over", |window| shows(window, "under selection alone, tournaments of 2"));
    // The other views play the generations, too.
    view(&mut window, View::Bits);
    wait(&mut window, "the bits", |window| shows(window, "Bits of 1\u{2009}400 solutions, iteration 12"));
}
