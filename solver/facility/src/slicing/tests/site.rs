use super::*;
use crate::building::{Building, Part, PartKind};
use crate::{Placed, Rectangle};

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle { x, y, width, height }
}

fn part(kind: PartKind, rectangle: Rectangle) -> Part {
    Part { name: String::new(), kind, rectangle }
}

/// Instances with up to 4 parts of a building, and up to 2 departments that are fixed, in a plant with a third more floor.
fn sites() -> impl Strategy<Value = Instance> {
    let share = 0.0..0.8_f64;
    let parts = proptest::collection::vec((share.clone(), share, 0.02..0.2_f64, 0.02..0.2_f64, any::<bool>()), 0..=4);
    (instances(), parts, 0..=2_usize).prop_map(|(mut instance, drawn, kept)| {
        let [width, height] = [1.3 * instance.width, 1.3 * instance.height];
        (instance.width, instance.height) = (width, height);
        let mut all: Vec<Rectangle> = Vec::new();
        let is_apart = |one: &Rectangle, all: &[Rectangle]| {
            let overlaps = |other: &Rectangle| one.overlap(other).0 > 0.0 && one.overlap(other).1 > 0.0;
            one.x + one.width <= width && one.y + one.height <= height && !all.iter().any(overlaps)
        };
        for department in 0..kept.min(instance.len() - 1) {
            let side = instance.departments[department].area.sqrt();
            let place = rectangle(0.1 * width + side * department as f64, 0.2 * height, side, side);
            // A square keeps every limit but a least side.
            if is_apart(&place, &all) && !matches!(instance.departments[department].limit, Limit::MinSide(_)) {
                all.push(place);
                instance.building.places.push(Placed { department: department as u16, rectangle: place });
            }
        }
        for (x, y, wide, high, outside) in drawn {
            let one = rectangle(x * width, y * height, wide * width, high * height);
            if is_apart(&one, &all) {
                all.push(one);
                let kind = if outside { PartKind::Outside } else { PartKind::Fixed };
                instance.building.parts.push(part(kind, one));
            }
        }
        instance.validated().unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// The search takes for feasible what the checker takes for feasible, at the same cost, whatever the tree and its modes;
    /// departments that keep no place never overlap each other.
    #[test]
    fn trees_around_obstacles_are_judged_as_the_checker_judges((instance, seed) in (sites(), any::<u64>())) {
        let (slices, philox) = (Slices::new(&instance), Philox::new(seed));
        let mut places = slices.places();
        let mut tree = Tree::of(tree::random(philox, 0, 0, slices.departments()));
        for step in 0..20 {
            let score = slices.evaluate(&mut tree, &mut places);
            let layout = slices.layout(&instance, &tree.tokens);
            let verdict = check(&instance, &layout);
            prop_assert!((verdict.cost - score.cost).abs() <= 1e-9 * score.cost.max(1.0));
            prop_assert_eq!(score.is_feasible(), verdict.feasible, "{:?} {:?}", score, verdict.violations);
            let is_kept = |one: &u16| instance.building.places.iter().any(|placed| placed.department == *one);
            let bad = |one: &&crate::check::Violation| match one.kind.name() {
                "overlap" => !one.departments.iter().any(is_kept),
                kind => matches!(kind, "area" | "place" | "lock" | "missing"),
            };
            prop_assert_eq!(verdict.violations.iter().find(bad), None);
            if slices.len() < 2 {
                break;
            }
            let mut tokens = tree.tokens.clone();
            if propose(&tree, philox.words(step, 1, 2, 3), slices.site.is_some(), &mut tokens) {
                tree.tokens = tokens;
                prop_assert!(tree.tokens.iter().filter(|token| is_cut(**token)).count() + 1 == slices.len());
            }
        }
    }
}

/// The L-shaped plant of the trial: 108 × 66 m without its upper right corner, stairs, two columns, 24 departments.
fn trial() -> Instance {
    let mut instance = Instance {
        name: "trial".to_owned(),
        width: 108.0,
        height: 66.0,
        departments: (0..24)
            .map(|at| Department {
                name: format!("D{at}"),
                area: 90.0 + 20.0 * f64::from(at % 9),
                limit: Limit::Aspect(4.0),
                ..Department::default()
            })
            .collect(),
        flows: vec![0.0; 24 * 24],
        ..Instance::default()
    };
    for at in 0..24 {
        instance.flows[at * 24 + (at * 7 + 1) % 24] += 5.0;
        instance.flows[at * 24 + (at + 1) % 24] += 2.0;
        instance.flows[at * 25] = 0.0;
    }
    instance.building.parts = vec![
        part(PartKind::Outside, rectangle(70.0, 40.0, 38.0, 26.0)),
        part(PartKind::Fixed, rectangle(0.0, 30.0, 4.0, 6.0)),
        part(PartKind::Fixed, rectangle(35.0, 20.0, 0.6, 0.6)),
        part(PartKind::Fixed, rectangle(70.0, 20.0, 0.6, 0.6)),
    ];
    instance.validated().unwrap()
}

#[test]
fn an_l_shaped_plant_with_stairs_and_columns_gets_a_feasible_layout() {
    let instance = trial();
    assert_eq!(Algorithm::for_instance(&instance).name(), "slicing");
    let one = run(&instance, &settings(400, 2));
    assert!(one.verdict.feasible && one.verdict.confirmed, "{:?}", one.verdict);
    assert!(
        one.notes.iter().any(|note| note.contains("slicing trees, because the plant has fixed things")),
        "{:?}",
        one.notes
    );
    assert!(replay(&instance, &one, "cpu", 1, &Control::new(), &mut |_| {}).unwrap().is_equal());
    for algorithm in ["memetic", "genetic", "enumeration"] {
        let settings = Settings { algorithm: Algorithm::named(algorithm).unwrap(), ..settings(1, 1) };
        let refused = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap_err().to_string();
        assert!(refused.contains("cannot go around; use --algorithm slicing"), "{refused}");
    }
    // Without room, the least violating layout is the result, and says so.
    let mut full = trial();
    full.departments[0].area += full.usable_area() - full.total_area();
    full.departments.iter_mut().for_each(|one| one.limit = Limit::None);
    let full = run(&full.validated().unwrap(), &settings(20, 2));
    assert!(full.verdict.confirmed && !full.verdict.feasible, "{:?}", full.verdict);
}

/// 200 solves with random locks of departments to their rectangles, found in bays of both orientations and in rectangles.
#[test]
fn every_locked_rectangle_stays_where_it_was() {
    let sample = Instance { rules: crate::Rules::default(), ..library::sample("layout-workshop").unwrap() };
    let roomy = Instance { width: 1.1 * sample.width, height: 1.1 * sample.height, ..sample };
    let philox = Philox::new(11);
    for seed in 0..200_u32 {
        let mut instance = roomy.clone();
        let order: Vec<u16> = (0..12).map(|at| (at * 5 + seed as u16) % 12).collect();
        let bays = order.chunks(3 + (seed as usize % 3)).map(<[u16]>::to_vec).collect();
        let orientation = Orientation::ALL[seed as usize % 2];
        let layout = Layout::of_bays(orientation, bays);
        let plan = crate::Plan::new(&instance, &layout);
        let words = philox.words(seed, 0, 0, 0);
        let locked: Vec<u16> = (0..12).filter(|at| words[0] >> at & 1 == 1).take(1 + words[1] as usize % 5).collect();
        instance.departments.iter_mut().for_each(|one| one.limit = Limit::None);
        let placed = |&department: &u16| Placed { department, rectangle: plan.departments[usize::from(department)] };
        let free = Layout::of_rectangles((0..12).map(|at| placed(&at)).collect());
        let mut rules = crate::Rules::default();
        for &department in &locked {
            // Both ways to lock a rectangle: in its bays, and in the building.
            rules.fix(&instance, if seed % 3 == 0 { &layout } else { &free }, department);
        }
        instance.rules = rules;
        // A few begin with bays of their own.
        let start = (seed % 20 > 0).then_some(&layout);
        let result = improve(&instance, &settings(3, 1), start, &Control::new(), &mut |_| {}).unwrap();
        let found = crate::stored::decode(&instance, &result.solution).unwrap();
        assert!(result.verdict.confirmed, "{seed}: {:?}", result.verdict);
        let plan_of_found = crate::Plan::new(&instance, &found);
        for &department in &locked {
            let at = usize::from(department);
            let deviation = plan_of_found.departments[at].deviation(&plan.departments[at]);
            assert!(deviation <= 1e-6, "seed {seed}, department {department}: {deviation}");
        }
    }
}

/// A building of fixed departments alone leaves nothing to search.
#[test]
fn fixed_departments_alone_are_a_layout() {
    let mut instance = Instance { width: 8.0, ..Instance::example() };
    let place = |department, rectangle| Placed { department, rectangle };
    instance.building = Building {
        parts: Vec::new(),
        places: vec![
            place(0, rectangle(0.0, 0.0, 2.0, 4.0)),
            place(1, rectangle(2.0, 0.0, 1.0, 4.0)),
            place(2, rectangle(5.0, 0.0, 3.0, 4.0)),
        ],
    };
    let result = run(&instance.validated().unwrap(), &settings(2, 1));
    assert!(result.verdict.feasible && result.verdict.confirmed, "{:?}", result.verdict);
}
