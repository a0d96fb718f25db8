use super::*;
use crate::facility::enumeration::EnumerationParameters;
use crate::facility::stored::StoredSolution;
use crate::facility::{Lock, library};
use crate::search::{Budget, Control, Stop};

/// The workshop without what a person demands of it.
fn workshop() -> Instance {
    Instance { rules: Rules::default(), ..library::sample("layout-workshop").unwrap() }
}

fn settings(algorithm: Algorithm, steps: u64) -> Settings {
    let stop = Stop::after(Budget::Steps(steps));
    Settings { algorithm, goal: None, backend: "cpu".into(), threads: 2, seed: 3, stop }
}

fn again(instance: &Instance, result: &RunResult) -> ReplayReport {
    replay(instance, result, "cpu", 1, &Control::new(), &mut |_| {}).unwrap()
}

#[test]
fn every_algorithm_is_confirmed_and_runs_again() {
    let instance = workshop();
    for name in Algorithm::names() {
        let mut algorithm = Algorithm::named(name).unwrap();
        if name == "genetic" {
            algorithm.set("individuals", "64").unwrap();
        }
        let settings = settings(algorithm, 40);
        let mut told = 0;
        let result = solve(&instance, &settings, &Control::new(), &mut |_| told += 1).unwrap();
        assert!(result.verdict.confirmed && told > 1, "{name}: {:?}", result.verdict);
        assert_eq!(result.generations, 40, "{name}");
        let report = again(&instance, &result);
        assert!(report.is_equal(), "{name}: {report:?}");
        let restored = Encoded::of(&StoredSolution::Layout(Orientation::Vertical, Vec::new()));
        assert_ne!(result.solution, restored);
    }
}

/// The default of a small plant ends with a proof, and the proof agrees with what long searching finds.
#[test]
fn a_small_plant_is_proven() {
    let mut instance = workshop();
    // Nine departments, so that a test can wait for the proof.
    instance.departments.truncate(9);
    instance.flows = (0..81).map(|at| workshop().flows[at / 9 * 12 + at % 9]).collect();
    instance.closeness.clear();
    instance.width = instance.total_area() / instance.height;
    let instance = instance.validated().unwrap();
    let algorithm = Algorithm::for_instance(&instance);
    assert_eq!(algorithm, Algorithm::Enumeration(EnumerationParameters::default()));
    let proven = solve(&instance, &settings(algorithm, u64::MAX), &Control::new(), &mut |_| {}).unwrap();
    assert_eq!(proven.stop_reason, StopReason::Proven);
    assert!(proven.notes[0].starts_with("proven optimal"), "{:?}", proven.notes);
    let long = solve(&instance, &settings(Algorithm::default(), 400), &Control::new(), &mut |_| {}).unwrap();
    assert!(
        (long.verdict.cost - proven.verdict.cost).abs() < 1e-6,
        "{} and {}",
        long.verdict.cost,
        proven.verdict.cost
    );
}

#[test]
fn rules_are_minded_and_kept_in_the_result() {
    let mut instance = workshop();
    let free = solve(&instance, &settings(Algorithm::default(), 60), &Control::new(), &mut |_| {}).unwrap();
    let StoredSolution::Layout(_, bays) = free.solution.decode().unwrap();
    // The first department has to go where it is not.
    let first = &instance.departments[0].name;
    let bay = bays.iter().position(|bay| bay.contains(first)).unwrap();
    let elsewhere = if bay == 0 { 1 } else { 0 };
    instance.rules.locks = vec![Lock { department: 0, bay: elsewhere, place: Some(0) }];
    let result = solve(&instance, &settings(Algorithm::default(), 60), &Control::new(), &mut |_| {}).unwrap();
    let StoredSolution::Layout(_, bays) = result.solution.decode().unwrap();
    assert!(result.verdict.feasible && result.verdict.confirmed, "{:?}", result.verdict);
    assert_eq!(&bays[usize::from(elsewhere)][0], &instance.departments[0].name);
    assert!(again(&workshop(), &result).is_equal(), "the rules are in the result");
    let refused =
        solve(&instance, &settings(Algorithm::named("enumeration").unwrap(), 1), &Control::new(), &mut |_| {});
    assert!(refused.unwrap_err().to_string().contains("memetic"));
}

#[test]
fn a_search_begins_with_a_layout() {
    let instance = workshop();
    let all = settings(Algorithm::default(), 400);
    let good = solve(&instance, &all, &Control::new(), &mut |_| {}).unwrap();
    let StoredSolution::Layout(orientation, bays) = good.solution.decode().unwrap();
    let place = |name: &String| instance.department_index(name).unwrap() as u16;
    let bays = bays.iter().map(|bay| bay.iter().map(place).collect()).collect();
    let start = Layout { orientation, bays };
    let few = Settings { seed: 9, ..settings(Algorithm::default(), 1) };
    let result = improve(&instance, &few, Some(&start), &Control::new(), &mut |_| {}).unwrap();
    assert!(result.verdict.cost <= good.verdict.cost + 1e-9, "{} after {}", result.verdict.cost, good.verdict.cost);
    assert!(again(&instance, &result).is_equal());
    let torn = Layout { bays: vec![vec![0, 1]], ..start };
    let refused = improve(&instance, &few, Some(&torn), &Control::new(), &mut |_| {});
    assert!(refused.unwrap_err().to_string().contains("all departments"));
}

#[test]
fn seconds_end_a_run_and_become_steps() {
    let instance = workshop();
    let stop = Stop::after(Budget::Seconds(0.4));
    let settings = Settings { stop, ..settings(Algorithm::default(), 0) };
    let result = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    assert_eq!(result.stop_reason, StopReason::TimeLimit);
    assert!(!result.plan.stages.is_empty() && again(&instance, &result).is_equal());
}
