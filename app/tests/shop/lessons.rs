//! Lateness, the efficiency of many processors, and algorithms step by step.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use gridwright_core::search::Algorithms as _;
use gridwright_core::search::pareto::history::Effect;
use gridwright_flowshop::Objective;
use gridwright_flowshop::multiobjective::tabu::trace::Reason;
use gridwright_flowshop::run::Algorithm;
use gridwright_flowshop_views::lesson::Recorded;
use gridwright_flowshop_views::methods::*;

use super::{keys, shop, shop_mut, solve, solved, value};
use crate::support::person::{Window, at_home, file, names, press, settle, shows, wait, written};

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
    assert_eq!(shop(&window).late_by, gridwright_flowshop_views::tardiness::By::Position);
    keys(&mut window, Modifiers::COMMAND, Key::Num1);
    assert_eq!(shop(&window).selected.map(|selection| selection.job), Some(selected), "the chart shows the same job");
}

#[test]
fn without_due_dates_the_lateness_view_says_so() {
    let mut window = at_home(|home| written(home.path(), "plain.csv", "job,Saw,Mill\nDesk,4,2\nChair,1,3\n"));
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
    let mut window = at_home(|home| written(home.path(), "two.csv", "job,Saw,Mill\nDesk,3,2\nChair,1,4\n"));
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
    let mut window = at_home(|home| written(home.path(), "two.csv", "job,Saw,Mill\nDesk,3,2\nChair,1,4\n"));
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
    let mut window = at_home(|home| written(home.path(), "two.csv", "job,Saw,Mill\nDesk,3,2\nChair,1,4\n"));
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

/// Chooses a lesson on the recorded tabu search and waits for the recording.
fn recorded(window: &mut Window, mode: &str, unit: &str) -> std::sync::Arc<Recorded> {
    press(window, mode);
    wait(window, "the recorded search", |window| shows(window, &format!("Position in the run, {unit}")));
    settle(window);
    shop(window).lesson.recorded().expect("the search is recorded")
}

/// The chair before the desk has makespan 7 and flow time 5 + 7, the desk before the chair 9 and 5 + 9.
#[test]
fn tabu_search_of_two_jobs_leaves_the_optimum_and_comes_back() {
    let mut window = at_home(|home| written(home.path(), "two.csv", "job,Saw,Mill\nDesk,3,2\nChair,1,4\n"));
    // Tabu search as it is set up beside Solve begins with an order of NEH.
    let settings = &mut shop_mut(&mut window).settings;
    settings.goal = "makespan,flowtime".parse().unwrap();
    settings.algorithm = Algorithm::named("tabu").unwrap();
    keys(&mut window, Modifiers::COMMAND, Key::Num6);
    recorded(&mut window, "Tabu search", "step");
    assert!(shows(&window, "of makespan and total flow time, weighted 50:50"));
    press(&mut window, "One step on");
    // Both moves lead to the only other order; of equal ones the first is made.
    assert!(shows(&window, "Chair moves from position 1 to 2: the sum rises from "));
    assert!(shows(&window, "It is the best of 2 moves, although the sum rises: the search leaves a local optimum."));
    assert!(shows(&window, "The archive refuses it; with the orders of all trajectories it has 1 member, 1 before."));
    assert!(shows(&window, "Position 1 before: Chair") && shows(&window, "Position 2 after: Chair, tabu for "));
    press(&mut window, "One step on");
    assert!(shows(&window, "Desk moves from position 1 to 2: the sum falls from "), "the chair is tabu");
    recorded(&mut window, "Archive", "candidate");
    let go = |window: &mut Window, candidate: f64| {
        window.get_by_label("Position in the run, candidate").set_value_accesskit(candidate);
        window.run_steps(3);
    };
    go(&mut window, 1.0);
    assert!(shows(&window, "Candidate 1 (7, 12) enters") && shows(&window, "The archive has 1 member."));
    go(&mut window, 2.0);
    assert!(
        shows(&window, "Candidate 2 (7, 12) is equal to 1") && shows(&window, "It is the order of the member again")
    );
    // Thirteen trajectories begin; the fourteenth candidate is the first move.
    go(&mut window, 14.0);
    assert!(shows(&window, "Candidate 14 (9, 14) is dominated by 1") && shows(&window, "Member 1: dominates"));
    assert!(shows(&window, "It comes from step 1 of the trajectory with weights 100:0."));
}

#[test]
fn the_steps_of_tabu_search_are_those_of_the_recording() {
    let mut window = at_home(|home| file(home.path(), "sample:workshop"));
    keys(&mut window, Modifiers::COMMAND, Key::Num6);
    let before = recorded(&mut window, "Tabu search", "step");
    let names: Vec<String> = shop(&window).instance.jobs.iter().map(|job| job.name.clone()).collect();
    for step in [1, 2, 9, 30] {
        go_to(&mut window, step);
        let state = &before.trace.states[step as usize];
        for (position, &job) in state.order.iter().enumerate() {
            let name = &names[usize::from(job)];
            let words = match state.tabu[usize::from(job)] {
                0 => format!("Position {} after: {name}", position + 1),
                1 => format!("Position {} after: {name}, tabu for 1 step", position + 1),
                steps => format!("Position {} after: {name}, tabu for {steps} steps", position + 1),
            };
            assert!(window.query_by_label(&words).is_some(), "step {step}: {words}");
        }
        let chosen = &before.trace.steps[step as usize - 1];
        let [x, y] = [0, 1].map(|axis| chosen.moves[chosen.chosen].point[axis]);
        assert!(shows(&window, &format!("Total flow time {x}, Total tardiness {y}")), "the chosen move is a point");
    }
    // Other rules make another recording, from the start.
    window.get_by_role_and_label(egui::Role::SpinButton, "Tenure").set_value_accesskit(9.0);
    window.run_steps(2);
    let after = recorded(&mut window, "Tabu search", "step");
    assert_eq!(shop(&window).lesson.at(), 0);
    let longest = |recorded: &Recorded| recorded.trace.states[1].tabu.iter().copied().max().unwrap();
    assert!((2..=4).contains(&longest(&before)) && (9..=18).contains(&longest(&after)));
    press(&mut window, "Aspiration");
    wait(&mut window, "the recording without aspiration", |window| {
        let trace = shop(window).lesson.recorded();
        trace.is_some_and(|it| it.trace.steps.iter().all(|step| step.reason != Reason::Aspiration))
    });
}

#[test]
fn members_that_leave_the_archive_are_named() {
    let mut window = at_home(|home| file(home.path(), "sample:workshop"));
    keys(&mut window, Modifiers::COMMAND, Key::Num6);
    let recorded = recorded(&mut window, "Archive", "candidate");
    let removed = |effect: &Effect| match effect {
        Effect::Entered { removed } => removed.clone(),
        _ => Vec::new(),
    };
    let effects = recorded.trace.history.effects();
    let (candidate, gone) =
        effects.iter().map(removed).enumerate().find(|(_, removed)| !removed.is_empty()).expect("members leave");
    window.get_by_label("Position in the run, candidate").set_value_accesskit(candidate as f64 + 1.0);
    window.run_steps(3);
    let numbers: Vec<String> = gone.iter().map(|member| (member + 1).to_string()).collect();
    assert!(shows(&window, &format!("enters and removes {}", numbers.join(", "))));
    for number in numbers {
        assert!(shows(&window, &format!("Member {number}: leaves")));
    }
    assert!(shows(
        &window,
        &format!("Archive of {} by total flow time", recorded.trace.history.members(candidate).count())
    ));
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
