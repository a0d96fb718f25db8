//! Lateness, the efficiency of many processors, and algorithms step by step.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use gridwright_solver::flowshop::Objective;

use super::{keys, shop, solve, solved, value};
use crate::support::person::{Window, at_home, file, names, press, settle, shows, wait};

#[test]
fn lateness_is_sorted_counted_and_linked_with_the_chart() {
    let mut window = at_home(|home| solved(home.path()));
    press(&mut window, "Lateness");
    let jobs = names(&window, "Job ");
    let bars: Vec<&String> = jobs.iter().filter(|name| name.contains(": done ")).collect();
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
    assert_eq!(shop(&window).late_by, gridwright::problems::flowshop::tardiness::By::Position);
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
    let mut window = at_home(|home| file(home.path(), "taillard:ta011"));
    press(&mut window, "Parallel efficiency");
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
    keys(&mut window, Modifiers::COMMAND, Key::Num6);
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
    keys(&mut window, Modifiers::COMMAND, Key::Num6);
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
    keys(&mut window, Modifiers::COMMAND, Key::Num6);
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
    let mut window = at_home(|home| file(home.path(), "taillard:ta031"));
    keys(&mut window, Modifiers::COMMAND, Key::Num6);
    assert!(shows(&window, "Too large to be gone through"));
    assert!(shows(&window, "This instance has 50 jobs on 5 machines"));
    press(&mut window, "Open the workshop");
    wait(&mut window, "the workshop", |window| shop(window).instance.name.to_lowercase().contains("workshop"));
}
