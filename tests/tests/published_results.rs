//! What the searches reach on published instances, in seconds of work; `gridwright bench` measures the long runs.
//!
//! Budgets are numbers of steps, so that every machine gets the same costs.

use gridwright_core::planning::InstanceSource;
use gridwright_core::search::{Algorithms, Budget, Control, Stop, StopReason};
use gridwright_tests::published_data;
use gridwright_timetabling::Instance;
use gridwright_timetabling::formats::{LoadOptions, load};
use gridwright_timetabling::published::{self, published_mean};
use gridwright_timetabling::run::{Algorithm, Settings, solve};

fn toronto(name: &str) -> Instance {
    load(&published_data("toronto").join(format!("{name}.stu")), &LoadOptions::default()).unwrap()
}

/// The checker's cost per student, which the search's own must equal.
fn cost(instance: &Instance, algorithm: Algorithm, seed: u64, steps: u64) -> f64 {
    let stop = Stop::after(Budget::Steps(steps));
    let settings = Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 2, seed, stop };
    let result = solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    assert!(result.verdict.feasible && result.verdict.confirmed, "{}: {:?}", instance.name, result.notes);
    instance.shown(result.verdict.cost as u64)
}

/// Every value that is listed as best known says where it comes from, whatever the problem.
#[test]
fn best_known_values_name_their_sources() {
    gridwright::register();
    let mut known = Vec::new();
    for problem in gridwright_core::registry::problems() {
        let samples = problem.profile().samples.iter().map(|name| format!("sample:{name}"));
        for source in samples.chain(problem.generated().into_iter().take(12)) {
            let open = gridwright_core::planning::opening::open(&InstanceSource::of(source.as_str())).unwrap();
            assert_eq!(open.best_known().is_some(), open.best_known_source().is_some(), "{source}");
            let facts = open.facts();
            let stated = facts.iter().find(|fact| fact.key == "best_known_source").and_then(|fact| fact.value.as_str());
            assert_eq!(stated, open.best_known_source().as_deref(), "{source}");
            known.extend(stated.is_some().then(|| problem.id()));
        }
    }
    known.dedup();
    assert_eq!(known, ["flowshop", "systolic"]);
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn best_known_costs_of_sessions_name_their_sources() {
    let source = |name: &str| published::best_known_source(&toronto(name));
    assert_eq!(source("hec-s-92"), Some("calculated from a published timetable"));
    assert_eq!(source("ute-s-92"), Some("cost printed in the literature"));
    let facts = gridwright_timetabling::facts::of(&toronto("hec-s-92"));
    assert!(
        facts
            .iter()
            .any(|fact| fact.key == "best_known" && fact.text.ends_with("(calculated from a published timetable)"))
    );
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn annealing_beats_the_published_algorithm_in_a_moment() {
    // Far fewer steps than an office would allow; the published means took 200 generations of 16,384 timetables.
    for (name, at_most) in [("hec-s-92", 11.39), ("sta-f-83", 157.39), ("yor-f-83", 40.05), ("ute-s-92", 25.58)] {
        let instance = toronto(name);
        let mut algorithm = Algorithm::default();
        algorithm.set("chains", "2").unwrap();
        let reached = cost(&instance, algorithm, 1, 600_000);
        assert!(reached <= at_most, "{name}: {reached}");
    }
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn the_evolutionary_algorithm_reaches_the_published_means() {
    const SEEDS: u64 = 3;
    for name in ["hec-s-92", "sta-f-83", "ute-s-92"] {
        let instance = toronto(name);
        let evolution = || Algorithm::named("evolution").unwrap();
        let sum: f64 = (1..=SEEDS).map(|seed| cost(&instance, evolution(), seed, 200)).sum();
        let (mean, published) = (sum / SEEDS as f64, published_mean(name, 256).unwrap());
        assert!(mean <= published * 1.02, "{name}: {mean}, published {published}");
    }
}

/// (instance, optimum with vertical bays, optimum with horizontal bays), as the exhaustive enumerations of others state them; `None` where
/// only the better one is stated.
const PROVEN_LAYOUTS: [(&str, Option<f64>, Option<f64>); 10] = [
    ("O7", Some(134.1901), Some(136.5802)),
    ("O8", Some(245.5056), Some(251.3667)),
    ("O9", Some(254.3873), Some(241.0616)),
    ("FO7", Some(18.8846), None),
    ("FO8", None, Some(22.3865)),
    ("FO9", None, Some(23.4643)),
    ("vC10R-a", Some(20_142.132_3), Some(21_463.068_8)),
    ("vC10R-s", Some(23_054.122_4), Some(22_899.651_0)),
    ("Garment11", Some(8_585.083_1), None),
    ("MB12", Some(125.0), None),
];

/// The enumeration finds the stated optima and no better ones, and the checker confirms what they cost.
#[test]
#[cfg_attr(not(published_data), ignore = "needs flp/ in GRIDWRIGHT_DATA or ../shared/data")]
fn layouts_are_proven_as_published() {
    use gridwright_facility::{Orientation, formats, run};
    let folder = published_data("flp");
    for (name, vertical, horizontal) in PROVEN_LAYOUTS {
        let source = folder.join(format!("{name}.json")).display().to_string();
        let instance = formats::open(&source, &formats::LoadOptions::default()).unwrap();
        for (orientation, expected) in Orientation::ALL.into_iter().zip([vertical, horizontal]) {
            let Some(expected) = expected else { continue };
            let settings = run::Settings {
                algorithm: run::Algorithm::named("enumeration").unwrap(),
                goal: Some(orientation),
                backend: "cpu".to_owned(),
                threads: 2,
                seed: 1,
                stop: Stop::after(Budget::Steps(u64::MAX)),
            };
            let result = run::solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
            assert_eq!(result.stop_reason, StopReason::Proven, "{name}");
            assert!(result.verdict.feasible && result.verdict.confirmed, "{name}: {:?}", result.verdict);
            let off = (result.verdict.cost - expected).abs();
            assert!(off < 5.1e-5, "{name}, {orientation:?}: {} and not {expected}", result.verdict.cost);
        }
    }
}

fn kept(name: &str) -> std::path::PathBuf {
    gridwright_tests::workspace().join(format!("docs/results/{name}.sol"))
}

/// Every solution file that is kept belongs to one of the tables above.
#[test]
fn all_kept_solutions_are_listed() {
    let folder = std::fs::read_dir(gridwright_tests::workspace().join("docs/results")).unwrap();
    let is_solution = |path: &std::path::PathBuf| path.extension().is_some_and(|ending| ending == "sol");
    let kept = folder.map(|entry| entry.unwrap().path()).filter(is_solution).count();
    assert_eq!(
        kept,
        published::OUR_BEST.len()
            + gridwright_facility::library::OUR_BEST.len()
            + gridwright_flowshop::library::OUR_BEST.len()
    );
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn kept_timetables_cost_what_is_stated() {
    use gridwright_timetabling::{check::check, formats::solution::read_solution};
    for (name, cost) in published::OUR_BEST {
        let instance = toronto(name);
        let verdict = check(&instance, &read_solution(&kept(name), &instance).unwrap().timetable);
        assert_eq!((verdict.raw, verdict.violations.len()), (cost.into(), 0), "{name}");
    }
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs flp/ in GRIDWRIGHT_DATA or ../shared/data")]
fn kept_layouts_cost_what_is_stated() {
    use gridwright_facility::{check::check, formats, formats::solution};
    let folder = published_data("flp");
    for (name, cost) in gridwright_facility::library::OUR_BEST {
        let source = folder.join(format!("{name}.json")).display().to_string();
        let instance = formats::open(&source, &formats::LoadOptions::default()).unwrap();
        let verdict = check(&instance, &solution::read(&kept(name), &instance).unwrap().layout);
        assert!(verdict.feasible && (verdict.cost - cost).abs() < 5.1e-5, "{name}: {verdict:?}");
    }
}

#[test]
fn kept_orders_have_the_stated_flow_times() {
    use gridwright_flowshop::{Objective, formats, formats::solution};
    for (name, flow_time) in gridwright_flowshop::library::OUR_BEST {
        let instance = formats::open(&format!("taillard:{name}"), &formats::LoadOptions::default()).unwrap();
        let file = solution::read(&kept(name), &instance, solution::SolutionOptions::default()).unwrap();
        let verdict = file.verdict(&instance);
        assert!(verdict.violations.is_empty(), "{name}: {verdict:?}");
        assert_eq!(verdict.value(Objective::FlowTime), Some(flow_time), "{name}");
    }
}
