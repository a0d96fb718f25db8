//! Flow shops in the window, as a person uses them: solve, look, change the order by hand, compare, take it away.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::search::Control;
use gridwright_core::store::Store;
use gridwright_flowshop::check::check;
use gridwright_flowshop::effects::MoveEffects;
use gridwright_flowshop::stored::Demands;
use gridwright_flowshop::{Instance, Objective, run};
use gridwright_flowshop_views::methods::*;
use gridwright_flowshop_views::{Document, View};
use gridwright_window::runs::Shown;
use gridwright_window::window::App;

mod following;
mod lessons;
mod projects;
mod rules;
use crate::support;
use crate::support::Documents as _;
use support::person::{
    Window, at_home, drag, enter, file, keys, names, press, press_like, settle, shows, wait, written,
};

fn shop<'a>(window: &'a Harness<'_, App>) -> &'a Document {
    window.state().shop().expect("a flow shop is open")
}

/// The open flow shop, to be changed.
fn shop_mut(window: &mut Window) -> &mut Document {
    window.state_mut().document_mut().expect("a flow shop is open")
}

/// The order that is shown.
fn order(window: &Window) -> Vec<u16> {
    shop(window).plan().expect("a plan is shown").order.0.clone()
}

fn value(window: &Window, objective: Objective) -> u64 {
    shop(window).plan().unwrap().value(objective).unwrap()
}

/// The workshop after a run of a moment.
fn solved(home: &std::path::Path) -> Window {
    let mut window = file(home, "sample:workshop");
    solve(&mut window);
    window
}

fn solve(window: &mut Window) {
    solve_within(window, 0.2);
}

fn solve_within(window: &mut Window, seconds: f64) {
    let runs = shop(window).runs.len();
    window.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(seconds);
    window.run_steps(2);
    press(window, "Solve");
    wait(window, "the end", |window| !shop(window).is_solving() && shop(window).runs.len() == runs + 1);
    settle(window);
}

fn type_text(window: &mut Window, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(3);
}

#[test]
fn a_plan_is_found_shown_and_still_there_after_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "sample:workshop");
    // Eight jobs on four machines: 40 320 orders, the best of which everybody finds. The proof ends the run long
    // before its limit, unless all cores are busy with other tests.
    solve_within(&mut window, 20.0);
    assert_eq!((value(&window, Objective::Makespan), shop(&window).shown), (132, Shown::Run(1)));
    let bar = "Desk on Saw";
    assert!(names(&window, bar).len() + names(&window, "Job Desk").len() > 0, "bars have names");
    assert!(shows(&window, "Run 1: proven optimal") && shows(&window, "no order is better"));
    assert!(window.state().view().unwrap().progress().left.starts_with("took "), "its time is no limit");
    drop(window);
    let again = file(home.path(), "sample:workshop");
    assert_eq!((shop(&again).runs.len(), value(&again, Objective::Makespan)), (1, 132));
}

#[test]
fn objectives_have_their_own_runs() {
    let mut window = at_home(|home| solved(home.path()));
    press(&mut window, "Minimise");
    press(&mut window, "Total tardiness");
    assert!(shop(&window).plan().is_none() && shows(&window, "No schedule yet"), "nothing minimised that yet");
    assert!(shows(&window, "Not listed: 1 run of another objective."), "the run is not lost");
    solve(&mut window);
    let (late, makespan) = (value(&window, Objective::Tardiness), value(&window, Objective::Makespan));
    assert!(shows(&window, "Run 2: ") && makespan >= 132);
    press(&mut window, "Minimise");
    press(&mut window, "Makespan");
    assert_eq!(shop(&window).shown, Shown::Run(1));
    assert!(value(&window, Objective::Tardiness) >= late);
    press(&mut window, "Minimise");
    press(&mut window, "Total flow time");
    solve(&mut window);
    assert!(shows(&window, "Run 3: proven optimal") && shows(&window, "no order is better"));
}

#[test]
fn the_gap_to_the_lower_bound_is_said_where_there_are_too_many_jobs_for_a_proof() {
    let row = |job: usize| format!("Job {job},{},{}\n", 3 + 7 * job % 11, 2 + 5 * job % 13);
    let text: String = std::iter::once("job,Saw,Mill\n".to_owned()).chain((1..=12).map(row)).collect();
    let mut window = at_home(|home| written(home.path(), "twelve.csv", text));
    press(&mut window, "Minimise");
    press(&mut window, "Total flow time");
    solve(&mut window);
    assert!(shows(&window, "Run 1: time limit reached") && shows(&window, "% to bound"));
}

#[test]
fn a_name_without_its_beginning_opens_what_is_meant() {
    let mut window = at_home(|home| file(home.path(), "sample:workshop"));
    window.get_by_label("Path of a file to open").focus();
    window.get_by_label("Path of a file to open").type_text(" TA054");
    window.run_steps(2);
    keys(&mut window, Modifiers::NONE, Key::Enter);
    wait(&mut window, "the instance", |window| shop(window).instance.name == "ta054");
    assert_eq!(shop(&window).source, "taillard:ta054");
}

#[test]
fn without_due_dates_nothing_can_be_late() {
    let mut window = at_home(|home| written(home.path(), "plain.csv", "job,Saw,Mill\nDesk,4,2\nChair,1,3\n"));
    press(&mut window, "Minimise");
    let node = window.get_all_by_label("Total tardiness").next().unwrap();
    assert!(node.accesskit_node().is_disabled());
    keys(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!shows(&window, "Due dates"));
}

#[test]
fn a_job_is_moved_by_drag_and_keys_and_everything_is_taken_back() {
    let mut window = at_home(|home| solved(home.path()));
    let before = order(&window);
    let place = |window: &Window, position: usize| {
        let name = names(window, &format!("Position {position}: ")).remove(0);
        window.get_by_label(&name).rect()
    };
    let (from, to) = (place(&window, 1), place(&window, 3));
    drag(&mut window, from.center(), to.right_center() - egui::vec2(3.0, 0.0));
    let mut expected = before.clone();
    let job = expected.remove(0);
    expected.insert(2, job);
    assert_eq!((order(&window), shop(&window).shown), (expected.clone(), Shown::Draft));
    assert!(shows(&window, "Edited from run 1: 1 job moved"));
    assert_eq!(value(&window, Objective::Makespan), check(&shop(&window).instance, &expected).makespan);

    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(shop(&window).draft().is_none());
    assert_eq!((order(&window), shop(&window).shown), (before.clone(), Shown::Run(1)));
    keys(&mut window, Modifiers::COMMAND, Key::Y);
    assert_eq!(order(&window), expected);

    // The moved job is selected: Alt and arrows take it further.
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    assert_eq!(order(&window)[3], job);
    press(&mut window, "Discard");
    assert_eq!((order(&window), shop(&window).draft()), (before, None));
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(order(&window)[3], job, "giving up is taken back, too");
}

#[test]
fn the_best_position_of_a_job_is_found() {
    let mut window = at_home(|home| solved(home.path()));
    press_like(&mut window, "Position 1: ");
    for _ in 0..4 {
        press(&mut window, "Edit");
        press(&mut window, "Move one position later");
    }
    let worse = value(&window, Objective::Makespan);
    press(&mut window, "Edit");
    press(&mut window, "Move to the best position");
    let better = value(&window, Objective::Makespan);
    assert!(better <= worse, "{better} after {worse}");
    press(&mut window, "Edit");
    press(&mut window, "Move to the best position");
    assert!(shows(&window, "No other position is better for this job"), "and it is told when there is none");
}

#[test]
fn what_was_made_by_hand_is_kept_and_improved() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press_like(&mut window, "Position 1: ");
    for _ in 0..5 {
        keys(&mut window, Modifiers::NONE, Key::Escape);
        press(&mut window, "Edit");
        press(&mut window, "Move one position later");
    }
    let made = order(&window);
    press(&mut window, "Keep as a run");
    let run = shop(&window).run(2).unwrap();
    assert_eq!((&run.order.0, shop(&window).shown, shop(&window).draft()), (&made, Shown::Run(2), None));
    assert!(run.path.as_ref().is_some_and(|path| path.is_file()) && shows(&window, "Run 2: made by hand"));
    let replayed = replay(&shop(&window).instance, &run.result);
    assert!(replayed.unwrap_err().contains("made by hand"), "there is nothing to run again");

    press(&mut window, "Run");
    press(&mut window, "Improve from here");
    wait(&mut window, "the end", |window| !shop(window).is_solving() && shop(window).runs.len() == 3);
    let run = shop(&window).run(3).unwrap();
    assert_eq!(run.value, 132);
    let start = made.iter().map(|&job| shop(&window).instance.jobs[usize::from(job)].name.clone()).collect();
    assert_eq!(
        run.result.demands,
        Some(Encoded::of(&Demands::FlowShop { start, rules: Default::default() })),
        "the result says with what it began"
    );
    assert!(replay(&shop(&window).instance, &run.result).unwrap(), "and replays from there");

    // What is being edited when the window is closed is still being edited when it is opened again.
    press_like(&mut window, "Position 1: ");
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let made = order(&window);
    window.state_mut().close();
    drop(window);
    let again = file(home.path(), "sample:workshop");
    assert_eq!((order(&again), shop(&again).shown), (made, Shown::Draft));
    assert_eq!(shop(&again).runs.len(), 3, "and is no run before it is kept as one");
}

/// Whether a result runs again to the bit, or why it cannot.
fn replay(instance: &Instance, result: &RunResult) -> Result<bool, String> {
    let report = run::replay(instance, result, "cpu", 1, &Control::new(), &mut |_| {});
    report.map(|report| report.is_equal()).map_err(|error| error.to_string())
}

#[test]
fn two_plans_are_laid_over_each_other() {
    let mut window = at_home(|home| solved(home.path()));
    solve(&mut window);
    press(&mut window, "Compare with");
    press(&mut window, "Run 1");
    assert_eq!(shop(&window).ghost, Some(Shown::Run(1)));
    assert_eq!(shop(&window).compared().map(|(name, _)| name), Some("Run 1".to_owned()));
    // The other one is deleted: nothing is left of it.
    keys(&mut window, Modifiers::COMMAND, Key::P);
    type_text(&mut window, "show run 1");
    keys(&mut window, Modifiers::NONE, Key::Enter);
    press(&mut window, "More about run 1");
    press(&mut window, "Delete Delete");
    assert_eq!((shop(&window).runs.len(), shop(&window).shown), (1, Shown::Run(2)));
    assert!(shop(&window).ghost.is_none());
    press(&mut window, "Undo");
    assert_eq!(shop(&window).runs.len(), 2, "and it comes back");
}

#[test]
fn all_plans_stand_beside_each_other_with_their_differences() {
    let mut window = at_home(|home| solved(home.path()));
    press(&mut window, "Compare");
    assert!(shows(&window, "There is nothing to compare with yet"));
    press(&mut window, "Minimise");
    press(&mut window, "Total tardiness");
    solve(&mut window);
    let instance = shop(&window).instance.clone();
    let orders = [1, 2].map(|number| shop(&window).solution(Shown::Run(number)).unwrap());
    let [first, second] = orders.each_ref().map(|order| check(&instance, &order.0));
    // The shown run is the one to which differences refer, until another one is chosen.
    let row = |window: &Window, number: usize| {
        let all = names(window, &format!("Run {number}: "));
        all.into_iter().find(|name| name.contains("Makespan")).unwrap()
    };
    let lateness = |value: i64| if value < 0 { format!("−{}", -value) } else { value.to_string() };
    for (number, verdict) in [(1, &first), (2, &second)] {
        let words = row(&window, number);
        let told = format!("Makespan {}", verdict.makespan);
        assert!(words.contains(&told), "{words}: {told}");
        let told = format!("Maximum lateness {}", lateness(verdict.maximum_lateness.unwrap()));
        assert!(words.contains(&told), "{words}: {told}");
    }
    assert!(!row(&window, 2).contains("better") && !row(&window, 2).contains("worse"), "{}", row(&window, 2));
    let better = first.tardiness.unwrap() - second.tardiness.unwrap();
    assert!(better > 0, "each plan is the best for its objective");
    press(&mut window, "Compare with");
    press(&mut window, "Run 1");
    let told = format!("Total tardiness {}, −{better} better", second.tardiness.unwrap());
    assert!(row(&window, 2).contains(&told), "{}: {told}", row(&window, 2));
    press(&mut window, "Copy the table");
    let first = row(&window, 1);
    press(&mut window, &first);
    assert_eq!(shop(&window).shown, Shown::Run(1), "a click shows the plan");
    press(&mut window, "Sort by Makespan");
    assert_eq!(names(&window, "Run ").iter().filter(|name| name.contains("Makespan")).count(), 2);
}

#[test]
fn while_a_job_is_dragged_it_is_told_what_happens_to_others() {
    let mut window = at_home(|home| solved(home.path()));
    let place = |window: &Window, position: usize| {
        let name = names(window, &format!("Position {position}: ")).remove(0);
        window.get_by_label(&name).rect()
    };
    let (from, to) = (place(&window, 1).center(), place(&window, 5).right_center() - egui::vec2(3.0, 0.0));
    window.hover_at(from);
    window.run_steps(2);
    window.drag_at(from);
    window.run_steps(2);
    for share in [0.5, 1.0] {
        window.hover_at(from + (to - from) * share);
        window.run_steps(2);
    }
    let document = shop(&window);
    let plan = document.plan().unwrap();
    let effects = MoveEffects::of(&document.instance, &plan.schedule, [0, 4], document.objective()).unwrap();
    let lines = effects.lines(&document.instance, 4);
    assert!(lines.len() > 2, "{lines:?}");
    for line in &lines {
        assert!(shows(&window, line), "{line}");
    }
    window.drop_at(to);
    window.run_steps(3);
    assert_eq!(value(&window, Objective::Makespan), effects.values[1]);
    assert!(!shows(&window, &lines[1]), "only while it is dragged");
}

#[test]
fn jobs_are_found_listed_and_looked_at() {
    let mut window = at_home(|home| solved(home.path()));
    keys(&mut window, Modifiers::COMMAND, Key::F);
    type_text(&mut window, "wardrobe");
    keys(&mut window, Modifiers::NONE, Key::Enter);
    let selected = shop(&window).selected.map(|selection| selection.job);
    let wardrobe = shop(&window).instance.jobs.iter().position(|job| job.name == "Wardrobe");
    assert!(selected.is_some() && selected == wardrobe);
    assert!(shows(&window, "Job Wardrobe"), "the inspector shows it");
    keys(&mut window, Modifiers::COMMAND, Key::Num3);
    assert_eq!(shop(&window).view, View::Jobs);
    press(&mut window, "Sort by Late by");
    assert_eq!(names(&window, "Position ").len(), 8);
    press_like(&mut window, "Position 1: ");
    assert_ne!(shop(&window).selected.map(|selection| selection.job), wardrobe);
}

#[test]
fn a_plan_is_written_in_all_formats_but_never_over_its_own_data() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("plain.csv");
    let data = "job,Saw,Mill\nDesk,4,2\nChair,1,3\n";
    std::fs::write(&path, data).unwrap();
    let mut window = file(home.path(), path.to_str().unwrap());
    assert!(window.get_all_by_label("Export").next().unwrap().accesskit_node().is_disabled());
    solve(&mut window);
    for ending in ["pdf", "svg", "png", "csv", "xlsx", "ron", "sol"] {
        keys(&mut window, Modifiers::COMMAND, Key::E);
        let target = home.path().join(format!("out.{ending}"));
        let names = gridwright_flowshop::export::FORMATS.map(|format| (format.ending, format.name));
        let name = names.iter().find(|(of, _)| *of == ending).unwrap().1;
        press(&mut window, name);
        enter(&mut window, "Path of the export", target.to_str().unwrap());
        press(&mut window, "Write file");
        wait(&mut window, "the file", |_| target.is_file());
        wait(&mut window, "the end of the dialog", |window| !shows(window, "Path of the export"));
    }
    keys(&mut window, Modifiers::COMMAND, Key::E);
    enter(&mut window, "Path of the export", path.to_str().unwrap());
    press(&mut window, "Write file");
    assert!(shows(&window, "is one that the instance came from"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), data);
}

#[test]
fn a_front_is_found_chosen_from_and_written() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "sample:workshop");
    press(&mut window, "Front");
    assert!(shows(&window, "No schedule yet"), "first there has to be a run");
    press(&mut window, "Minimise");
    press(&mut window, "Makespan, total tardiness");
    solve(&mut window);
    let members = shop(&window).front().unwrap().clone();
    assert!(members.orders.len() > 1 && members.objectives == [Objective::Makespan, Objective::Tardiness]);
    for (order, values) in members.orders.iter().zip(&members.values) {
        let verdict = check(&shop(&window).instance, &order.0);
        assert_eq!([verdict.makespan, verdict.tardiness.unwrap()].as_slice(), values.as_slice());
    }
    assert_eq!(members.values[0][0], 132, "one end is the best makespan");
    // The plan that is shown first is marked among the points.
    let shown = members.orders.iter().position(|other| other.0 == order(&window)).unwrap();
    let name = names(&window, &format!("Plan {}: ", shown + 1)).remove(0);
    assert_eq!(window.get_by_label(&name).accesskit_node().is_selected(), Some(true));
    let last = members.orders.len();
    press_like(&mut window, &format!("Plan {last}: "));
    assert_eq!((shop(&window).member, order(&window)), (Some(last - 1), members.orders[last - 1].0.clone()));
    // Its Gantt chart is that of the chosen one, and edits begin with it.
    press(&mut window, "Gantt");
    assert_eq!(order(&window), members.orders[last - 1].0);
    let target = home.path().join("out.front.csv");
    keys(&mut window, Modifiers::COMMAND, Key::E);
    press(&mut window, "CSV of the front");
    enter(&mut window, "Path of the export", target.to_str().unwrap());
    press(&mut window, "Write file");
    wait(&mut window, "the file", |_| target.is_file());
    let text = std::fs::read_to_string(&target).unwrap();
    let positions: Vec<String> = (1..=8).map(|position| format!("position {position}")).collect();
    let header = format!("makespan,tardiness,{}", positions.join(","));
    assert_eq!((text.lines().count(), text.lines().next()), (last + 1, Some(header.as_str())));
    // The front comes back with its run.
    drop(window);
    let again = file(home.path(), "sample:workshop");
    assert!(shop(&again).runs[0].members.as_ref().is_some_and(|again| **again == *members));
}

#[test]
fn pause_and_stop_keep_what_was_found() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "taillard:ta051");
    window.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(600.0);
    window.run_steps(2);
    press(&mut window, "Solve");
    wait(&mut window, "a first plan", |window| shop(window).plan().is_some());
    press(&mut window, "Pause");
    wait(&mut window, "the pause", |window| shows(window, "Paused"));
    press(&mut window, "Resume");
    press(&mut window, "Stop");
    wait(&mut window, "the end", |window| !shop(window).is_solving());
    settle(&mut window);
    let run = shop(&window).run(1).unwrap();
    assert!(run.value >= 3771, "no order of ta051 is better than its lower bound");
    assert!(shows(&window, "best known"), "the library's instances know it");
    // The name of the line in the curves tells the source.
    window.get_by_label("Best known").hover();
    wait(&mut window, "the source", |window| shows(window, "newest listed upper bound"));
    let (runs, problems) =
        Store::at(home.path()).runs(&shop(&window).key(), gridwright_core::registry::by_id("flowshop").unwrap());
    assert_eq!((runs.len(), problems.len()), (1, 0));
}

#[test]
fn a_result_opens_with_its_instance_and_an_altered_one_is_not_shown_as_a_plan() {
    let first = at_home(|home| solved(home.path()));
    let path = shop(&first).runs[0].path.clone().unwrap();
    let other = tempfile::tempdir().unwrap();
    let copy = other.path().join("mine.ron");
    std::fs::copy(&path, &copy).unwrap();
    let window = file(other.path(), copy.to_str().unwrap());
    assert_eq!((shop(&window).runs.len(), value(&window, Objective::Makespan)), (1, 132));
    drop(window);
    let altered = std::fs::read_to_string(&path).unwrap().replace("\"Desk\"", "\"Chair\"");
    std::fs::write(&copy, altered).unwrap();
    let window: Window = file(tempfile::tempdir().unwrap().path(), copy.to_str().unwrap());
    let state: &App = window.state();
    assert!(state.shop().is_some_and(|shop| shop.plan().is_none()));
    assert!(shows(&window, "This result did not pass the check"));
}
