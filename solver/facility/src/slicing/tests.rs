mod few;
mod site;

use proptest::prelude::*;

use super::evaluation::{Slices, Tree};
use super::moves::propose;
use super::tree::{self, is_cut};
use super::*;
use crate::check::check;
use crate::run::{Algorithm, Settings, improve, replay, solve};
use crate::{Department, Distance, Layout, Limit, Orientation, library};
use gridwright_core::random::Philox;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms as _, Budget, Control, Stop};

/// Instances of 2 to 12 departments that leave up to a tenth of the plant free, some with limits and pairs to keep apart.
fn instances() -> impl Strategy<Value = Instance> {
    let flow = prop_oneof![Just(0.0), 0.1..50.0];
    (2..=12_usize, any::<bool>(), 1.0..1.1_f64, 1.5..6.0_f64, any::<bool>()).prop_flat_map(
        move |(n, euclidean, slack, limit, apart)| {
            let areas = proptest::collection::vec(0.5..60.0, n);
            let flows = proptest::collection::vec(flow.clone(), n * n);
            (areas, flows).prop_map(move |(areas, flows)| {
                let total: f64 = areas.iter().sum();
                let department = |(at, &area): (usize, &f64)| Department {
                    name: format!("D{at}"),
                    area,
                    limit: [Limit::None, Limit::Aspect(limit), Limit::MinSide(limit / 2.0), Limit::Range(0.4, 2.5)]
                        [at % 4],
                    ..Department::default()
                };
                let mut instance = Instance {
                    name: "cut".to_owned(),
                    width: (total * slack * 1.3).sqrt(),
                    height: (total * slack / 1.3).sqrt(),
                    departments: areas.iter().enumerate().map(department).collect(),
                    flows: flows
                        .iter()
                        .enumerate()
                        .map(|(at, flow)| if at % (n + 1) == 0 { 0.0 } else { *flow })
                        .collect(),
                    distance: if euclidean { Distance::Euclidean } else { Distance::Rectilinear },
                    ..Instance::default()
                };
                instance.rules.apart = if apart { vec![(0, 1)] } else { Vec::new() };
                instance.validated().unwrap()
            })
        },
    )
}

/// Returns `true` if tokens are a tree of all departments.
fn is_tree(tokens: &[u16], departments: usize) -> bool {
    let mut open = 0_usize;
    let is_postfix = tokens.iter().all(|&token| {
        open = if is_cut(token) { open.saturating_sub(1) } else { open + 1 };
        open > 0
    });
    let mut leaves: Vec<usize> = tokens.iter().filter(|token| !is_cut(**token)).map(|&one| usize::from(one)).collect();
    leaves.sort_unstable();
    is_postfix && open == 1 && leaves.into_iter().eq(0..departments) && tokens.len() == 2 * departments - 1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Trees that are changed again and again stay trees, and cost what the checker says of their rectangles.
    #[test]
    fn every_tree_is_evaluated_as_the_checker_does(instance in instances(), seed in any::<u64>()) {
        let (slices, philox, n) = (Slices::new(&instance), Philox::new(seed), instance.len());
        let mut tree = Tree::of(tree::random(philox, 0, 0, (0..n as u16).collect()));
        let (mut proposed, mut places) = (tree.clone(), slices.places());
        slices.evaluate(&mut tree, &mut places);
        for draw in 0..24 {
            prop_assert!(is_tree(&tree.tokens, n), "{:?}", tree.tokens);
            let again = slices.evaluate(&mut tree.clone(), &mut places);
            let layout = slices.layout(&instance, &tree.tokens);
            let verdict = check(&instance, &layout);
            prop_assert!((again.cost - verdict.cost).abs() <= 1e-9 * verdict.cost.max(1.0), "{} {}", again.cost, verdict.cost);
            prop_assert_eq!(again.is_feasible(), verdict.feasible, "{:?}", verdict.violations);
            let words = philox.words(draw, 1, 0, 0);
            if propose(&tree, words, false, &mut proposed.tokens) {
                slices.evaluate(&mut proposed, &mut places);
                std::mem::swap(&mut tree, &mut proposed);
            }
        }
    }

    /// A layout with bays is a tree, whose rectangles are those of the bays; a tree comes back from its rectangles.
    #[test]
    fn bays_are_trees_and_trees_come_back(instance in instances(), seed in any::<u64>(), horizontal in any::<bool>()) {
        let mut genes = vec![0; instance.len()];
        crate::population::random_genes(Philox::new(seed), 0, 0, None, &mut genes);
        let orientation = Orientation::ALL[usize::from(horizontal)];
        let layout = crate::genes::to_layout(&genes, orientation);
        let slices = Slices::new(&instance);
        let tokens = tree::of_layout(&layout, &[]).unwrap();
        prop_assert!(is_tree(&tokens, instance.len()));
        // One bay is as long as the plant; one cut leaves the rest of the plant at its other end.
        prop_assume!(layout.bays.len() > 1);
        prop_assert_eq!(check(&instance, &slices.layout(&instance, &tokens)).feasible, check(&instance, &layout).feasible);
        let cost = check(&instance, &slices.layout(&instance, &tokens)).cost;
        prop_assert!((cost - check(&instance, &layout).cost).abs() <= 1e-9 * cost.max(1.0));
        let random = tree::random(Philox::new(seed), 0, 0, slices.departments());
        let drawn = slices.layout(&instance, &random);
        let again = slices.layout(&instance, &tree::of_layout(&drawn, &[]).unwrap());
        let costs = [&drawn, &again].map(|layout| check(&instance, layout).cost);
        prop_assert!((costs[0] - costs[1]).abs() <= 1e-9 * costs[0].max(1.0), "{costs:?}");
    }
}

fn settings(steps: u64, threads: usize) -> Settings {
    let mut algorithm = Algorithm::named("slicing").unwrap();
    algorithm.set("before", "1").unwrap();
    let stop = Stop::after(Budget::Steps(steps));
    Settings { threads, seed: 7, ..Settings { stop, ..Settings::of(algorithm, Budget::Steps(steps)) } }
}

fn run(instance: &Instance, settings: &Settings) -> RunResult {
    solve(instance, settings, &Control::new(), &mut |_| {}).unwrap()
}

#[test]
fn every_number_of_threads_gives_the_same_trees() {
    let mut instance = library::sample("layout-workshop").unwrap();
    instance.rules.locks.clear();
    let one = run(&instance, &settings(200, 1));
    assert!(one.verdict.confirmed && one.verdict.feasible, "{:?}", one.verdict);
    for threads in [2, 8] {
        let other = run(&instance, &settings(200, threads));
        assert_eq!((&other.solution, other.verdict.cost), (&one.solution, one.verdict.cost), "{threads} threads");
        let report = replay(&instance, &one, "cpu", threads, &Control::new(), &mut |_| {}).unwrap();
        assert!(report.is_equal(), "{report:?}");
    }
    // Under a time limit the clock decides the cycles, and a replay needs none.
    let timed = Settings { stop: Stop::after(Budget::Seconds(1.0)), ..settings(1, 2) };
    let result = run(&instance, &timed);
    let report = replay(&instance, &result, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
    assert!(report.is_equal(), "{report:?}");
}

/// A search begins with the layout that another search of trees has found; bays and locks are refused with the remedy.
#[test]
fn trees_begin_with_bays_and_with_trees() {
    let instance = Instance { rules: crate::Rules::default(), ..library::sample("layout-workshop").unwrap() };
    let first = run(&instance, &settings(150, 2));
    let layout = crate::stored::decode(&instance, &first.solution).unwrap();
    let again = |algorithm: &str, start: &Layout| {
        let settings = Settings { algorithm: Algorithm::named(algorithm).unwrap(), ..settings(1, 2) };
        improve(&instance, &settings, Some(start), &Control::new(), &mut |_| {})
    };
    let better = again("slicing", &layout).unwrap();
    assert!(
        better.verdict.cost <= first.verdict.cost * (1.0 + 1e-9),
        "{} after {}",
        better.verdict.cost,
        first.verdict.cost
    );
    assert!(replay(&instance, &better, "cpu", 1, &Control::new(), &mut |_| {}).unwrap().is_equal());
    if layout.is_free() {
        assert!(again("memetic", &layout).unwrap_err().to_string().contains("choose --algorithm slicing"));
    }
    assert!(again("genetic", &layout).unwrap_err().to_string().contains("can begin with a layout"));
    // Five rectangles around a sixth, as a pinwheel, have no wall from one side to the other.
    let rectangle = |x, y, width, height| crate::Rectangle { x, y, width, height };
    let pinwheel = [
        rectangle(0.0, 0.0, 2.0, 1.0),
        rectangle(2.0, 0.0, 1.0, 2.0),
        rectangle(1.0, 2.0, 2.0, 1.0),
        rectangle(0.0, 1.0, 1.0, 2.0),
        rectangle(1.0, 1.0, 1.0, 1.0),
    ];
    let placed = pinwheel.into_iter().zip(0..).map(|(rectangle, department)| crate::Placed { department, rectangle });
    assert_eq!(tree::of_layout(&Layout::of_rectangles(placed.collect()), &[]), None);
    let mut locked = instance.clone();
    locked.rules.locks = vec![crate::Lock { department: 0, bay: 0, place: None }];
    assert!(check_rules(&locked).contains("which slicing trees do not keep"));
    let vertical = Settings { goal: Some(Orientation::Vertical), ..settings(1, 1) };
    let refused = solve(&instance, &vertical, &Control::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(refused.contains("leave out --bays"), "{refused}");
}

fn check_rules(instance: &Instance) -> String {
    super::check(instance).unwrap_err().to_string()
}

/// A department alone is a tree without a cut.
#[test]
fn a_department_alone_is_a_tree() {
    let mut instance = Instance::example();
    instance.departments.truncate(1);
    (instance.flows, instance.width) = (vec![0.0], 3.0);
    let single = run(&instance.validated().unwrap(), &settings(3, 1));
    assert!(single.verdict.feasible && single.verdict.confirmed);
}
