use super::*;
use crate::enumeration::EnumerationParameters;
use crate::stored::StoredSolution;
use crate::{Lock, Plan, Rectangle, library};
use gridwright_core::search::{Budget, Control, Stop};

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
    let StoredSolution::Layout(_, bays) = free.solution.decode().unwrap() else { panic!("no bays") };
    // The first department has to go where it is not.
    let first = &instance.departments[0].name;
    let bay = bays.iter().position(|bay| bay.contains(first)).unwrap();
    let elsewhere = if bay == 0 { 1 } else { 0 };
    instance.rules.locks = vec![Lock { department: 0, bay: elsewhere, place: Some(0) }];
    let result = solve(&instance, &settings(Algorithm::default(), 60), &Control::new(), &mut |_| {}).unwrap();
    let StoredSolution::Layout(_, bays) = result.solution.decode().unwrap() else { panic!("no bays") };
    assert!(result.verdict.feasible && result.verdict.confirmed, "{:?}", result.verdict);
    assert_eq!(&bays[usize::from(elsewhere)][0], &instance.departments[0].name);
    assert!(again(&workshop(), &result).is_equal(), "the rules are in the result");
    let refused =
        solve(&instance, &settings(Algorithm::named("enumeration").unwrap(), 1), &Control::new(), &mut |_| {});
    assert!(refused.unwrap_err().to_string().contains("memetic"));
}

fn rectangle(instance: &Instance, result: &RunResult, department: u16) -> (Layout, Rectangle) {
    let layout = stored::decode(instance, &result.solution).unwrap();
    let rectangle = Plan::new(instance, &layout).departments[usize::from(department)];
    (layout, rectangle)
}

/// Departments that are locked keep their rectangles in every search, whatever bays and mirror images would cost less, and
/// whatever the number of threads.
#[test]
fn locked_rectangles_are_kept() {
    let mut instance = workshop();
    let few = |name: &str, steps| {
        let mut algorithm = Algorithm::named(name).unwrap();
        if name == "genetic" {
            algorithm.set("individuals", "64").unwrap();
        }
        settings(algorithm, steps)
    };
    let free = solve(&instance, &few("memetic", 40), &Control::new(), &mut |_| {}).unwrap();
    let (layout, _) = rectangle(&instance, &free, 0);
    let is_long = |bay: &&Vec<u16>| bay.len() > 2;
    let middle = layout.bays.iter().find(is_long).map_or(layout.bays[0][0], |bay| bay[1]);
    let last = *layout.bays.last().unwrap().last().unwrap();
    for department in [middle, last] {
        instance.rules.fix(&instance.clone(), &layout, department);
    }
    let wanted = instance.rules.fixed.clone();
    assert_eq!(wanted.len(), if middle == last { 1 } else { 2 });
    for name in ["memetic", "genetic"] {
        let result = solve(&instance, &few(name, 60), &Control::new(), &mut |_| {}).unwrap();
        assert!(result.verdict.feasible && result.verdict.confirmed, "{name}: {:?}", result.verdict);
        for fixed in &wanted {
            let (found, place) = rectangle(&instance, &result, fixed.department);
            assert_eq!(found.orientation, fixed.orientation, "{name}");
            assert!(place.deviation(&fixed.rectangle) < 1e-6 * 24.0, "{name}: {place:?} instead of {fixed:?}");
        }
        assert!(again(&workshop(), &result).is_equal(), "the locks are in the result");
        assert!(result.notes.iter().any(|note| note.contains("on the CPU only")), "{:?}", result.notes);
    }
    // A device is refused with the reason, and bays of the other orientation as well.
    let mut device = few("memetic", 1);
    device.backend = "cuda".to_owned();
    let refused = solve(&instance, &device, &Control::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(refused.contains("unlock the departments"), "{refused}");
    let other =
        if layout.orientation == Orientation::Vertical { Orientation::Horizontal } else { Orientation::Vertical };
    let turned = Settings { goal: Some(other), ..few("memetic", 1) };
    let refused = solve(&instance, &turned, &Control::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(refused.contains("or unlock them"), "{refused}");
    // A layout that has moved them is nothing to begin with.
    let mirrored = layout.images()[1].clone();
    let refused = improve(&instance, &few("memetic", 1), Some(&mirrored), &Control::new(), &mut |_| {});
    assert!(refused.unwrap_err().to_string().contains("does not keep a locked rectangle"));
}

/// The areas have changed since: no layout keeps the rectangle, and the violation says why.
#[test]
fn a_rectangle_that_cannot_be_kept_is_explained() {
    let mut instance = workshop();
    let free = solve(&instance, &settings(Algorithm::default(), 20), &Control::new(), &mut |_| {}).unwrap();
    let (layout, _) = rectangle(&instance, &free, 0);
    instance.rules.fix(&instance.clone(), &layout, layout.bays[0][0]);
    instance.departments[usize::from(layout.bays[0][0])].area -= 7.5;
    let result = solve(&instance, &settings(Algorithm::default(), 40), &Control::new(), &mut |_| {}).unwrap();
    assert!(!result.verdict.feasible && result.verdict.confirmed);
    let lock = result.verdict.violations.iter().find(|one| one.kind == "lock").unwrap();
    assert!(lock.text.contains("is locked to"), "{}", lock.text);
}

/// Closeness is an objective of its own: with a price the search gives up cost for it, and the cost stays that of transport.
#[test]
fn searches_count_closeness_with_the_price_that_is_asked() {
    let mut instance = workshop();
    instance.closeness = vec![(0, 6, 'A'), (3, 10, 'A'), (1, 9, 'E'), (7, 2, 'X')];
    let solved = |price: &str| {
        let mut algorithm = Algorithm::default();
        algorithm.set("closeness", price).unwrap();
        let result = solve(&instance, &settings(algorithm, 60), &Control::new(), &mut |_| {}).unwrap();
        assert!(result.verdict.confirmed && again(&instance, &result).is_equal(), "{price}: {:?}", result.verdict);
        let layout = stored::decode(&instance, &result.solution).unwrap();
        (result.verdict.cost, check(&instance, &layout).closeness.score, result)
    };
    let ((cost, score, free), (dear_cost, best, dear)) = (solved("0"), solved("100"));
    assert!(best > score && best == 64.0 + 64.0 + 16.0, "{best} after {score}");
    assert!(dear_cost > cost, "wishes cost transport: {dear_cost} after {cost}");
    assert!(dear.notes.iter().any(|note| note.contains("100 for each point")) && free.notes.len() == 1);
}

#[test]
fn small_plants_that_are_not_proven_say_so() {
    let mut instance = workshop();
    instance.distance = crate::Distance::Euclidean;
    let algorithm = Algorithm::for_instance(&instance);
    assert_eq!(algorithm.name(), "memetic");
    let result = solve(&instance, &settings(algorithm, 4), &Control::new(), &mut |_| {}).unwrap();
    let why =
        "not proven: it has Euclidean distances and 12 departments, of which at most 10 can be enumerated with them";
    assert!(result.notes.contains(&why.to_owned()), "{:?}", result.notes);
}

#[test]
fn a_search_begins_with_a_layout() {
    let instance = workshop();
    let all = settings(Algorithm::default(), 400);
    let good = solve(&instance, &all, &Control::new(), &mut |_| {}).unwrap();
    let StoredSolution::Layout(orientation, bays) = good.solution.decode().unwrap() else { panic!("no bays") };
    let place = |name: &String| instance.department_index(name).unwrap() as u16;
    let bays = bays.iter().map(|bay| bay.iter().map(place).collect()).collect();
    let start = Layout::of_bays(orientation, bays);
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
