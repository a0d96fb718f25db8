//! Flow shops in the window, as a person uses them: solve, look, change the order by hand, compare, take it away.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright::flowshop::{Desk, View};
use gridwright::runs::Shown;
use gridwright::store::Store;
use gridwright::window::App;
use gridwright_solver::flowshop::check::check;
use gridwright_solver::flowshop::{Instance, Objective, run};
use gridwright_solver::result::{Demands, RunResult};
use gridwright_solver::search::Control;

mod support;
use support::person::{Window, drag, enter, file, names, press, press_like, settle, shows, wait};

fn shop<'a>(window: &'a Harness<'_, App>) -> &'a Desk {
    window.state().shop().expect("a flow shop is open")
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
    let runs = shop(window).runs.len();
    window.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.2);
    window.run_steps(2);
    press(window, "Solve");
    wait(window, "the end", |window| !shop(window).is_solving() && shop(window).runs.len() == runs + 1);
    settle(window);
}

fn keys(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
}

fn type_text(window: &mut Window, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(3);
}

#[test]
fn a_plan_is_found_shown_and_still_there_after_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let window = solved(home.path());
    // Eight jobs on four machines: 40 320 orders, the best of which everybody finds.
    assert_eq!((value(&window, Objective::Makespan), shop(&window).shown), (132, Shown::Run(1)));
    let bar = "Desk on Saw";
    assert!(names(&window, bar).len() + names(&window, "Job Desk").len() > 0, "bars have names");
    assert!(shows(&window, "Run 1: time limit reached"));
    assert!(shows(&window, "+23.4 % to bound"), "the gap to the lower bound is said");
    drop(window);
    let again = file(home.path(), "sample:workshop");
    assert_eq!((shop(&again).runs.len(), value(&again, Objective::Makespan)), (1, 132));
}

#[test]
fn objectives_have_their_own_runs() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press(&mut window, "Minimise");
    press(&mut window, "Total tardiness");
    assert!(shop(&window).plan().is_none() && shows(&window, "No plan yet"), "nothing minimised that yet");
    solve(&mut window);
    let (late, makespan) = (value(&window, Objective::Tardiness), value(&window, Objective::Makespan));
    assert!(shows(&window, "Run 2: ") && makespan >= 132);
    press(&mut window, "Minimise");
    press(&mut window, "Makespan");
    assert_eq!(shop(&window).shown, Shown::Run(1));
    assert!(value(&window, Objective::Tardiness) >= late);
}

#[test]
fn without_due_dates_nothing_can_be_late() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("plain.csv");
    std::fs::write(&path, "job,Saw,Mill\nDesk,4,2\nChair,1,3\n").unwrap();
    let mut window = file(home.path(), path.to_str().unwrap());
    press(&mut window, "Minimise");
    let node = window.get_all_by_label("Total tardiness").next().unwrap();
    assert!(node.accesskit_node().is_disabled());
    keys(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!shows(&window, "Due dates"));
}

#[test]
fn a_job_is_moved_by_drag_and_keys_and_everything_is_taken_back() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
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
    assert!(shows(&window, "Edited from run 1: 3 jobs in another position"));
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
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
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
    assert_eq!(run.result.demands, Some(Demands::FlowShop { start }), "the result says with what it began");
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
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    solve(&mut window);
    press(&mut window, "Compare with");
    press(&mut window, "Run 1");
    assert_eq!(shop(&window).charting.ghost, Some(Shown::Run(1)));
    assert_eq!(shop(&window).compared().map(|(name, _)| name), Some("Run 1".to_owned()));
    // The other one is deleted: nothing is left of it.
    keys(&mut window, Modifiers::COMMAND, Key::P);
    type_text(&mut window, "show run 1");
    keys(&mut window, Modifiers::NONE, Key::Enter);
    press(&mut window, "More about run 1");
    press(&mut window, "Delete Delete");
    assert_eq!((shop(&window).runs.len(), shop(&window).shown), (1, Shown::Run(2)));
    assert!(shop(&window).charting.ghost.is_none());
    press(&mut window, "Undo");
    assert_eq!(shop(&window).runs.len(), 2, "and it comes back");
}

#[test]
fn jobs_are_found_listed_and_looked_at() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
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
        let names = gridwright::flowshop::exporting::FORMATS.map(|format| (format.ending, format.name));
        let name = names.iter().find(|(of, _)| *of == ending).unwrap().1;
        press(&mut window, name);
        enter(&mut window, "Path of the export", target.to_str().unwrap());
        press(&mut window, "Write file");
        wait(&mut window, "the file", |_| target.is_file());
        wait(&mut window, "the notice", |window| shows(window, "The plan was exported"));
    }
    keys(&mut window, Modifiers::COMMAND, Key::E);
    enter(&mut window, "Path of the export", path.to_str().unwrap());
    press(&mut window, "Write file");
    assert!(shows(&window, "is the one that the instance came from"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), data);
}

#[test]
fn a_front_is_found_chosen_from_and_written() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "sample:workshop");
    press(&mut window, "Front");
    assert!(shows(&window, "No plan yet"), "first there has to be a run");
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
    assert_eq!((text.lines().count(), text.lines().next()), (last + 1, Some("makespan,tardiness,order")));
    // The front comes back with its run.
    drop(window);
    let again = file(home.path(), "sample:workshop");
    assert!(shop(&again).runs[0].members.as_ref().is_some_and(|again| **again == *members));
}

#[test]
fn pause_and_stop_keep_what_was_found() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "taillard:ta031");
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
    assert!(run.value >= 2724, "no order of ta031 is better than its best known makespan");
    assert!(shows(&window, "best known"), "the library's instances know it");
    let (runs, problems) =
        Store::at(home.path()).runs(&shop(&window).instance.hash, gridwright::store::Problem::FlowShop);
    assert_eq!((runs.len(), problems.len()), (1, 0));
}

#[test]
fn a_result_opens_with_its_instance_and_an_altered_one_is_not_shown_as_a_plan() {
    let home = tempfile::tempdir().unwrap();
    let window = solved(home.path());
    let path = shop(&window).runs[0].path.clone().unwrap();
    drop(window);
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

#[test]
fn lateness_is_sorted_counted_and_linked_with_the_chart() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press(&mut window, "Lateness");
    let jobs = names(&window, "Job ");
    let bars: Vec<&String> = jobs.iter().filter(|name| name.contains(", due ")).collect();
    assert_eq!(bars.len(), 8, "{jobs:?}");
    let late = value(&window, Objective::Tardy);
    assert!(shows(&window, &format!("{late} of 8 jobs late")));
    assert!(late == 0 || shows(&window, &format!(" · {} in all", value(&window, Objective::Tardiness))));
    // The latest one stands first; pressing it selects the job in the chart, too.
    let first = bars[0].clone();
    press(&mut window, &first);
    let selected = shop(&window).selected.expect("a job is selected").job;
    let instance = std::sync::Arc::clone(&shop(&window).instance);
    assert!(first.starts_with(&format!("Job {}, ", instance.jobs[selected].name)));
    let plan = shop(&window).plan().unwrap().clone();
    let lateness = |job: usize| {
        let done = plan.schedule.done(plan.position(job).unwrap());
        i64::from(done) - i64::from(instance.jobs[job].due.unwrap())
    };
    assert!((0..8).all(|job| lateness(job) <= lateness(selected)));
    press(&mut window, "As in the plan");
    assert_eq!(shop(&window).late_by, gridwright::flowshop::tardiness::By::Position);
    keys(&mut window, Modifiers::COMMAND, Key::Num1);
    assert_eq!(shop(&window).selected.map(|selection| selection.job), Some(selected), "the chart shows the same job");
}

#[test]
fn without_due_dates_the_lateness_view_says_so() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("plain.csv");
    std::fs::write(&path, "job,Saw,Mill\nDesk,4,2\nChair,1,3\n").unwrap();
    let mut window = file(home.path(), path.to_str().unwrap());
    solve(&mut window);
    press(&mut window, "Lateness");
    assert!(shows(&window, "No due dates"));
}

#[test]
fn the_efficiency_of_processors_is_chosen_and_measured() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "taillard:ta011");
    press(&mut window, "Efficiency");
    // 20 jobs on 10 machines: 200/29 · (1/0.5 − 1) = 6.9.
    assert!(shows(&window, "p = 200/29 · (1/0.50 − 1) = 6.9: so 6 processors"), "before anything is solved");
    assert!(shows(&window, "Promised by theorem 2, processors 6: efficiency 0.53"));
    window.get_by_role_and_label(egui::Role::Slider, "Efficiency to keep").set_value_accesskit(0.8);
    window.run_steps(3);
    assert!(shows(&window, "p = 200/29 · (1/0.80 − 1) = 1.7: so 1 processor"));
    press(&mut window, "Measure on this machine");
    wait(&mut window, "the measurements", |window| !shop(window).efficiency.is_measuring());
    settle(&mut window);
    let measured = shop(&window).efficiency.measured();
    assert_eq!(measured[0].measured[0].processors, 1);
    assert!((measured[0].measured[0].efficiency() - 1.0).abs() < 1e-9);
    assert!(shows(&window, "Threads of this machine, processors 1: efficiency 1.00"));
    press(&mut window, "Measure on this machine");
    press(&mut window, "Stop measuring");
    wait(&mut window, "the end", |window| !shop(window).efficiency.is_measuring());
}

/// Goes to a step as assistive technology does.
fn go_to(window: &mut Window, step: u64) {
    window.get_by_label("Position in the run, step").set_value_accesskit(step as f64);
    window.run_steps(3);
}

#[test]
fn the_recurrence_is_gone_through_cell_by_cell() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("two.csv");
    std::fs::write(&path, "job,Saw,Mill\nDesk,3,2\nChair,1,4\n").unwrap();
    let mut window = file(home.path(), path.to_str().unwrap());
    press(&mut window, "Steps");
    assert!(shows(&window, "The order that NEH finds; nothing is solved yet"));
    assert!(shows(&window, "Desk on Mill: not known yet"));
    // NEH puts the chair first: 1 and 5, then max(0, 1) + 3 = 4 and max(4, 5) + 2 = 7.
    press(&mut window, "One step on");
    assert!(shows(&window, "C(Saw, Chair) = max(0, 0) + 1 = 1"));
    assert!(shows(&window, "Chair on Saw: max(0, 0) + 1 = 1"));
    press(&mut window, "One step on");
    assert!(shows(&window, "C(Saw, Desk) = max(0, 1) + 3 = 4"));
    assert!(shows(&window, "Chair on Mill: could be computed now, too"), "what lies on the same diagonal");
    assert!(shows(&window, "1 other cell of the same diagonal could be computed at the same time"));
    press(&mut window, "To the end");
    assert!(shows(&window, "C(Mill, Desk) = max(4, 5) + 2 = 7") && shows(&window, "the makespan is 7"));
    press(&mut window, "One step back");
    assert!(shows(&window, "C(Mill, Chair) = max(1, 0) + 4 = 5"));
    press(&mut window, "Whole diagonals");
    go_to(&mut window, 2);
    assert!(shows(&window, "Diagonal 2: 4, 5") && shows(&window, "2 cells need nothing from each other"));
    press(&mut window, "To the beginning");
    press(&mut window, "Play");
    wait(&mut window, "it to play to the end", |window| shows(window, "Diagonal 3: 7"));
}

#[test]
fn neh_is_gone_through_position_by_position() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("two.csv");
    std::fs::write(&path, "job,Saw,Mill\nDesk,3,2\nChair,1,4\n").unwrap();
    let mut window = file(home.path(), path.to_str().unwrap());
    press(&mut window, "Steps");
    press(&mut window, "NEH");
    assert!(shows(&window, "NEH for the makespan: 2 insertions"));
    assert!(shows(&window, "Desk: work 5, waits"));
    go_to(&mut window, 3);
    assert!(shows(&window, "Chair in position 1: makespan 7") && shows(&window, "Desk: work 5, has its place"));
    go_to(&mut window, 4);
    assert!(shows(&window, "Chair in position 2: makespan 9") && shows(&window, "the least so far is 7"));
    go_to(&mut window, 5);
    assert!(shows(&window, "Chair goes to position 1: makespan 7") && shows(&window, "The order is complete"));
    assert!(shows(&window, "Chair in position 1: 7, chosen"));
}

#[test]
fn one_insertion_is_gone_through_with_its_tables() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("two.csv");
    std::fs::write(&path, "job,Saw,Mill\nDesk,3,2\nChair,1,4\n").unwrap();
    let mut window = file(home.path(), path.to_str().unwrap());
    press(&mut window, "Steps");
    press(&mut window, "One insertion");
    press(&mut window, "Job to insert");
    press(&mut window, "Chair");
    go_to(&mut window, 1);
    assert!(shows(&window, "e(Desk) = 3, 5") && shows(&window, "e of Desk on Mill: 5"));
    go_to(&mut window, 2);
    assert!(shows(&window, "q(Desk) = 5, 2"));
    go_to(&mut window, 3);
    // Before the desk the chair is done at 1 and 5, and 5 and 2 follow: over the mill 5 + 2 = 7.
    assert!(shows(&window, "Position 1: makespan = 5 + 2 = 7"));
    go_to(&mut window, 4);
    assert!(shows(&window, "Position 2: makespan = 9 + 0 = 9"));
    go_to(&mut window, 5);
    assert!(shows(&window, "Position 1 is best: makespan 7") && shows(&window, "Makespan in position 1: 7, the least"));
}

#[test]
fn what_is_too_large_for_steps_offers_the_workshop() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "taillard:ta031");
    press(&mut window, "Steps");
    assert!(shows(&window, "Too large to be gone through"));
    assert!(shows(&window, "This instance has 50 jobs on 5 machines"));
    press(&mut window, "Open the workshop");
    wait(&mut window, "the workshop", |window| shop(window).instance.name.to_lowercase().contains("workshop"));
}

#[test]
fn a_project_reopens_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press_like(&mut window, "Position 2: ");
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    press(&mut window, "Jobs");
    press(&mut window, "Gantt");
    let (made, selected) = (order(&window), shop(&window).selected.map(|selection| selection.job));
    keys(&mut window, Modifiers::COMMAND, Key::S);
    assert!(shows(&window, "The order that is being edited, all runs"));
    let path = home.path().join("mine").join("shop");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    let path = path.with_extension("gridwright");
    assert!(path.is_file());
    // A change after that reaches the file by itself, and a run, too.
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let later = order(&window);
    assert_ne!(later, made);
    settle(&mut window);
    window.state_mut().close();
    drop(window);
    // Another computer: nothing but the file.
    let other = tempfile::tempdir().unwrap();
    let copy = other.path().join("shop.gridwright");
    std::fs::copy(&path, &copy).unwrap();
    let mut window = file(other.path(), copy.to_str().unwrap());
    assert_eq!((order(&window), shop(&window).shown), (later, Shown::Draft));
    assert_eq!(shop(&window).selected.map(|selection| selection.job), selected);
    assert_eq!((shop(&window).runs.len(), shop(&window).project_file()), (1, Some(copy.as_path())));
    assert_eq!(shop(&window).run(1).unwrap().value, 132, "and its runs were checked anew");
    press(&mut window, "Discard");
    assert_eq!((shop(&window).shown, shop(&window).draft()), (Shown::Run(1), None));
    settle(&mut window);
    window.state_mut().close();
    let project = gridwright_solver::project::Project::load(&copy).unwrap();
    assert_eq!((project.draft, project.runs.len()), (None, 1), "what is given up is given up in the file");
}

#[test]
fn edits_survive_a_program_that_dies() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press_like(&mut window, "Position 1: ");
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let made = order(&window);
    settle(&mut window);
    gridwright::window::wait_for_saves();
    // It is not closed: it is no longer there.
    drop(window);
    let mut window = file(home.path(), "sample:workshop");
    assert_eq!((order(&window), shop(&window).shown), (made, Shown::Draft));
    assert!(shows(&window, "Edited from run 1: 2 jobs in another position"));
    press(&mut window, "Discard");
    settle(&mut window);
    gridwright::window::wait_for_saves();
    drop(window);
    let window = file(home.path(), "sample:workshop");
    assert_eq!((shop(&window).shown, shop(&window).draft()), (Shown::Run(1), None), "and what was given up stays so");
}

#[test]
fn newer_changes_than_the_file_are_offered() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press_like(&mut window, "Position 1: ");
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let old = order(&window);
    keys(&mut window, Modifiers::COMMAND, Key::S);
    let path = home.path().join("shop.gridwright");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    settle(&mut window);
    gridwright::window::wait_for_saves();
    let before = std::fs::read(&path).unwrap();
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let new = order(&window);
    settle(&mut window);
    gridwright::window::wait_for_saves();
    drop(window);
    // The program died before it wrote the file, but after it wrote its own copy.
    std::fs::write(&path, before).unwrap();
    for take in [false, true] {
        let store = home.path().join("projects");
        let own: Vec<_> = std::fs::read_dir(&store).unwrap().flatten().map(|entry| entry.path()).collect();
        let kept = (std::fs::read(&own[0]).unwrap(), std::fs::read(&path).unwrap());
        let mut window = file(home.path(), path.to_str().unwrap());
        assert!(shows(&window, "Newer changes from "));
        assert_eq!(order(&window), old, "until then it is as the file says");
        press(&mut window, if take { "Use them" } else { "Keep the file" });
        assert_eq!(order(&window), if take { new.clone() } else { old.clone() });
        if take {
            keys(&mut window, Modifiers::COMMAND, Key::Z);
            assert_eq!(order(&window), old, "using them is taken back");
        }
        settle(&mut window);
        gridwright::window::wait_for_saves();
        drop(window);
        std::fs::write(&own[0], kept.0).unwrap();
        std::fs::write(&path, kept.1).unwrap();
    }
}

#[test]
fn a_project_whose_data_have_changed_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("plain.csv");
    std::fs::write(&data, "job,Saw,Mill\nDesk,4,2\nChair,1,3\n").unwrap();
    let mut window = file(home.path(), data.to_str().unwrap());
    keys(&mut window, Modifiers::COMMAND, Key::S);
    let path = home.path().join("plain.gridwright");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    gridwright::window::wait_for_saves();
    drop(window);
    std::fs::write(&data, "job,Saw,Mill\nDesk,4,2\nChair,1,4\n").unwrap();
    let window = file(home.path(), path.to_str().unwrap());
    assert!(shows(&window, "have changed since the project was saved; bring back the original"));
}
