use proptest::prelude::*;

use super::*;
use crate::Placed;
use crate::{Department, Lock, Plan, Rules};

fn example() -> Instance {
    Instance::example().validated().unwrap()
}

fn vertical(bays: &[&[u16]]) -> Layout {
    Layout::of_bays(Orientation::Vertical, bays.iter().map(|bay| bay.to_vec()).collect())
}

fn placed(department: u16, [x, y, width, height]: [f64; 4]) -> Placed {
    Placed { department, rectangle: Rectangle { x, y, width, height } }
}

fn kinds(verdict: &Verdict) -> Vec<&str> {
    verdict.violations.iter().map(|one| one.kind.name()).collect()
}

/// Bays A over B (12 / 4 = 3 wide) and C (3 wide). A is 3 × 8/3, centre (1.5, 4 − 4/3 = 8/3); B is 3 × 4/3, centre
/// (1.5, 2/3); C is 3 × 4, centre (4.5, 2).
///
/// A–B: (2 + 1) · (0 + 2) = 6; A–C: 5 · (3 + 2/3) = 55/3; B–C: 1 · (3 + 4/3) = 13/3; together 86/3.
///
/// Horizontal, the same bays are 12 / 6 = 2 high: A is 4 × 2 at the left, centre (2, 1); B is 2 × 2, centre (5, 1); C is
/// 6 × 2, centre (3, 3). A–B: 3 · 3 = 9; A–C: 5 · (1 + 2) = 15; B–C: 1 · (2 + 2) = 4; together 28.
#[test]
fn costs_are_what_the_hand_computes() {
    let mut instance = example();
    let bays = vertical(&[&[0, 1], &[2]]);
    let verdict = check(&instance, &bays);
    assert!(verdict.feasible && (verdict.cost - 86.0 / 3.0).abs() < 1e-12, "{verdict:?}");
    let horizontal = Layout { orientation: Orientation::Horizontal, ..bays.clone() };
    assert!((check(&instance, &horizontal).cost - 28.0).abs() < 1e-12);
    // Euclidean: 3 · 2 + 5 · √(9 + 4/9) + √(9 + 16/9).
    instance.distance = Distance::Euclidean;
    let expected = 6.0 + 5.0 * (9.0_f64 + 4.0 / 9.0).sqrt() + (9.0_f64 + 16.0 / 9.0).sqrt();
    assert!((check(&instance, &bays).cost - expected).abs() < 1e-12);
}

#[test]
fn what_is_not_there_once_is_named() {
    let instance = example();
    let texts = |bays: &[&[u16]]| {
        let verdict = check(&instance, &vertical(bays));
        assert!(!verdict.feasible);
        verdict.violations.iter().map(|one| format!("{}: {}", one.kind.name(), one.text)).collect::<Vec<_>>()
    };
    assert_eq!(texts(&[&[0], &[2]]), ["missing: department B has no place"]);
    assert_eq!(texts(&[&[0, 1], &[1, 2]]), ["twice: department B lies in bay 1 and again in bay 2"]);
    assert_eq!(texts(&[&[0, 1, 2, 3]]), ["unknown: bay 1 holds department number 4, but there are only 3"]);
    assert_eq!(texts(&[&[0, 1, 2], &[]]), ["empty: bay 2 holds no department; leave it out"]);
    assert!(belongs(&instance, &vertical(&[&[0]])).is_ok());
    assert!(belongs(&instance, &vertical(&[&[9]])).unwrap_err().to_string().contains("number 10"));
    assert_eq!(
        result::Violation::lines(&check(&instance, &vertical(&[])).stored_violations(), 1),
        ["department A has no place", "… and 2 more"]
    );
}

/// As above: A 3 × 8/3 (1.125 to 1), B 3 × 4/3 (2.25 to 1), C 3 × 4 (1.3333 to 1, 1.3333 times as high as wide).
#[test]
fn shapes_are_judged_with_a_tolerance() {
    let bays = vertical(&[&[0, 1], &[2]]);
    let with = |limit: Limit| {
        let mut instance = example();
        instance.departments.iter_mut().for_each(|department| department.limit = limit);
        let verdict = check(&instance, &bays);
        (verdict.concerned.clone(), verdict.violations.first().map(|one| one.text.clone()).unwrap_or_default())
    };
    assert_eq!(with(Limit::Aspect(2.25)).0, [0_u16; 0]);
    assert_eq!(with(Limit::Aspect(2.25 - 0.9e-6)).0, [0_u16; 0]);
    assert_eq!(
        with(Limit::Aspect(2.0)),
        (vec![1], "department B is 3 × 1.3333, 2.25 to 1; at most 2 to 1 is allowed".to_owned())
    );
    assert_eq!(with(Limit::Aspect(2.25 - 1.1e-6)).0, [1]);
    assert_eq!(with(Limit::MinSide(4.0 / 3.0)).0, [0_u16; 0]);
    assert_eq!(
        with(Limit::MinSide(1.5)),
        (vec![1], "department B is 3 × 1.3333; no side may be shorter than 1.5".to_owned())
    );
    // Height / width: 8/9, 4/9, 4/3.
    assert_eq!(with(Limit::Range(4.0 / 9.0, 4.0 / 3.0)).0, [0_u16; 0]);
    assert_eq!(
        with(Limit::Range(0.5, 1.0)),
        (vec![1, 2], "department B is 3 × 1.3333, 0.4444 times as high as wide; 0.5 to 1 is allowed".to_owned())
    );
}

#[test]
fn locks_and_forbidden_neighbours_are_minded() {
    let bays = vertical(&[&[0, 1], &[2]]);
    let with = |locks: &[(u16, u16, Option<u16>)], apart: &[(u16, u16)]| {
        let mut instance = example();
        let lock = |&(department, bay, place): &(u16, u16, Option<u16>)| Lock { department, bay, place };
        instance.rules = Rules { locks: locks.iter().map(lock).collect(), apart: apart.to_vec(), ..Rules::default() };
        check(&instance, &bays).violations.into_iter().map(|one| one.text).collect::<Vec<_>>()
    };
    assert!(with(&[(0, 0, None), (1, 0, Some(1)), (2, 1, Some(0))], &[]).is_empty());
    assert_eq!(with(&[(0, 1, None)], &[]), ["department A is locked to bay 2 and lies in bay 1"]);
    assert_eq!(
        with(&[(1, 0, Some(0))], &[]),
        ["department B is locked to place 1 of bay 1 and lies in place 2 of bay 1"]
    );
    assert_eq!(with(&[], &[(0, 1)]), ["departments A and B must not share a wall, and share 3 of one"]);
    assert_eq!(with(&[], &[(2, 1)]), ["departments C and B must not share a wall, and share 1.3333 of one"]);
    // Four quarters of a square: A and D touch at a corner only.
    let quarter = |name: &str| Department { name: name.to_owned(), area: 4.0, ..Department::default() };
    let mut square = Instance {
        width: 4.0,
        height: 4.0,
        departments: ["A", "B", "C", "D"].map(quarter).to_vec(),
        flows: vec![0.0; 16],
        ..Instance::default()
    };
    square.rules.apart = vec![(0, 3), (1, 2)];
    assert!(check(&square, &vertical(&[&[0, 1], &[2, 3]])).feasible);
    square.rules.apart = vec![(0, 2)];
    assert_eq!(kinds(&check(&square, &vertical(&[&[0, 1], &[2, 3]]))), ["apart"]);
}

#[test]
fn rectangles_are_judged_as_they_lie() {
    let instance = example();
    let of = |rooms: &[(u16, f64, f64, f64, f64)]| {
        let placed = rooms.iter().map(|&(department, x, y, width, height)| placed(department, [x, y, width, height]));
        check(&instance, &Layout { rectangles: placed.collect(), ..Layout::default() })
    };
    // B in the corner, A beside it, C on top: no bays, and yet a plan. Centres (1, 1), (4, 1), (3, 3).
    let good = of(&[(1, 0.0, 0.0, 2.0, 2.0), (0, 2.0, 0.0, 4.0, 2.0), (2, 0.0, 2.0, 6.0, 2.0)]);
    // A–B: 3 · 3 = 9; A–C: 5 · (1 + 2) = 15; B–C: 2 + 2 = 4.
    assert!(good.feasible && (good.cost - 28.0).abs() < 1e-12, "{good:?}");
    let moved = of(&[(1, 0.5, 0.0, 2.0, 2.0), (0, 2.0, 0.0, 4.0, 2.0), (2, 0.0, 2.5, 6.0, 2.0)]);
    assert_eq!(kinds(&moved), ["overlap", "outside"]);
    assert_eq!(moved.concerned, [0, 1, 2]);
    let small = of(&[(1, 0.0, 0.0, 2.0, 1.9), (0, 2.0, 0.0, 4.0, 2.0), (2, 0.0, 2.0, 6.0, 2.0)]);
    assert_eq!(small.violations[0].text, "department B is 2 × 1.9 and so 3.8, but needs 4");
    assert_eq!(
        kinds(&of(&[(0, 2.0, 0.0, 4.0, 2.0), (0, 2.0, 0.0, 4.0, 2.0), (7, 0.0, 0.0, 1.0, 1.0)]))[..2],
        ["twice", "unknown"]
    );
    assert_eq!(kinds(&of(&[(0, f64::NAN, 0.0, f64::NAN, 2.0)]))[0], "area");
    let mut locked = instance.clone();
    locked.rules.locks = vec![Lock { department: 2, bay: 0, place: None }];
    let verdict = check(&locked, &Layout::of_rectangles(vec![placed(2, [0.0, 2.0, 6.0, 2.0])]));
    let text = "department C is locked to bay 1, and the layout has rectangles and no bays";
    assert_eq!(verdict.violations[0].text, text);
}

/// Instances of up to 9 departments with flows in both directions, half of them without, and a layout of theirs.
fn planned() -> impl Strategy<Value = (Instance, Layout)> {
    let flow = prop_oneof![Just(0.0), 0.1..50.0];
    (1..=9_usize)
        .prop_flat_map(move |n| {
            let order = Just((0..n as u16).collect::<Vec<_>>()).prop_shuffle();
            let areas = proptest::collection::vec(0.2..60.0, n);
            let flows = proptest::collection::vec(flow.clone(), n * n);
            (
                areas,
                flows,
                order,
                proptest::collection::vec(any::<bool>(), n),
                1.0..80.0,
                1.0..1.3,
                any::<(bool, bool)>(),
            )
        })
        .prop_map(|(areas, flows, order, ends, width, slack, (is_vertical, is_euclidean))| {
            let (total, n): (f64, usize) = (areas.iter().sum(), areas.len());
            let named = areas.into_iter().enumerate();
            let instance = Instance {
                name: "test".to_owned(),
                width,
                height: total / width * slack,
                departments: named
                    .map(|(at, area)| Department { name: format!("D{at}"), area, ..Department::default() })
                    .collect(),
                flows,
                distance: if is_euclidean { Distance::Euclidean } else { Distance::Rectilinear },
                ..Instance::default()
            };
            assert_eq!(instance.flows.len(), n * n);
            let orientation = if is_vertical { Orientation::Vertical } else { Orientation::Horizontal };
            (instance, Layout::of_sequence(orientation, &order, &ends))
        })
}

proptest! {
    /// Shares of areas and sums of lengths: two ways to the same rectangles. The cost as the formula has it, over
    /// unordered pairs of the rectangles of a plan.
    #[test]
    fn agrees_with_the_plan((instance, layout) in planned()) {
        let (verdict, plan) = (check(&instance, &layout), Plan::new(&instance, &layout));
        prop_assert!(verdict.feasible, "{:?}", verdict.violations);
        let n = instance.len();
        let mut cost = 0.0;
        for i in 0..n {
            for j in i + 1..n {
                let ((x, y), (u, v)) = (plan.departments[i].centre(), plan.departments[j].centre());
                let distance = match instance.distance {
                    Distance::Rectilinear => (x - u).abs() + (y - v).abs(),
                    Distance::Euclidean => (x - u).hypot(y - v),
                };
                cost += (instance.flows[i * n + j] + instance.flows[j * n + i]) * distance;
            }
        }
        prop_assert!((verdict.cost - cost).abs() <= 1e-9 * cost.max(1.0), "{} {cost}", verdict.cost);
        // The rectangles of the plan are without fault and cost the same.
        let stated = (0..n as u16).map(|department| Placed { department, rectangle: plan.departments[usize::from(department)] });
        let again = check(&instance, &Layout::of_rectangles(stated.collect()));
        prop_assert!(again.feasible, "{:?}", again.violations);
        prop_assert!((again.cost - cost).abs() <= 1e-9 * cost.max(1.0));
    }

    /// A limit is kept exactly where the rectangles of the plan keep it.
    #[test]
    fn judges_shapes_as_the_plan((instance, layout) in planned(), limit in 1.0..6.0_f64) {
        let plan = Plan::new(&instance, &layout);
        let mut instance = instance;
        for one in &mut instance.departments {
            one.limit = Limit::Aspect(limit);
        }
        let near = plan.departments.iter().any(|room| (room.aspect() - limit - TOLERANCE).abs() < 1e-9);
        prop_assume!(!near);
        let wide = (0..instance.len() as u16).filter(|&at| plan.departments[usize::from(at)].aspect() > limit + TOLERANCE);
        prop_assert_eq!(check(&instance, &layout).concerned, wide.collect::<Vec<_>>());
    }
}

/// A over B, and C to the right of both: all three share walls. In a row A, B, C only A and C do not.
#[test]
fn closeness_counts_shared_walls_apart_from_the_cost() {
    let mut instance = example();
    let cost = check(&instance, &vertical(&[&[0, 1], &[2]])).cost;
    instance.closeness = vec![(0, 1, 'E'), (0, 2, 'X'), (1, 2, 'O'), (0, 2, 'U')];
    let closeness = |bays: &[&[u16]]| check(&instance, &vertical(bays)).closeness;
    let all = closeness(&[&[0, 1], &[2]]);
    assert_eq!(
        (all.score, all.best, all.met, all.wishes, all.violated, all.forbidden),
        (16.0 - 64.0 + 1.0, 17.0, 2, 2, 1, 1)
    );
    let row = closeness(&[&[0], &[1], &[2]]);
    assert_eq!((row.score, row.met, row.violated, row.violated_words()), (17.0, 2, 0, "none of 1".to_owned()));
    let far = closeness(&[&[1], &[0], &[2]]);
    assert_eq!((far.score, far.met, far.score_words()), (16.0 - 64.0, 1, "−48 of 17".to_owned()));
    assert_eq!(check(&instance, &vertical(&[&[0, 1], &[2]])).cost, cost, "ratings are no part of the cost");
}

/// A over B, then C: B is 3 × 4/3 in the lower left corner. Its mirror images, turned bays and other areas are elsewhere.
#[test]
fn locked_rectangles_are_checked_whatever_the_orientation_and_mirror_image() {
    let mut instance = example();
    let layout = vertical(&[&[0, 1], &[2]]);
    instance.rules.fix(&instance.clone(), &layout, 1);
    assert!(check(&instance, &layout).feasible);
    let text = |layout: &Layout| {
        let verdict = check(&instance, layout);
        assert_eq!((kinds(&verdict), verdict.concerned.as_slice()), (vec!["lock"], &[1][..]));
        verdict.violations[0].text.clone()
    };
    let locked = "department B is locked to 3 × 1.3333 at x 0, y 0";
    assert_eq!(text(&vertical(&[&[1, 0], &[2]])), format!("{locked} and is 3 × 1.3333 at x 0, y 2.6667"));
    assert_eq!(text(&vertical(&[&[2], &[0, 1]])), format!("{locked} and is 3 × 1.3333 at x 3, y 0"));
    assert!(
        text(&Layout { orientation: Orientation::Horizontal, ..layout })
            .ends_with("in vertical bays, and bays are horizontal")
    );
    let wide = text(&vertical(&[&[2, 1], &[0]]));
    assert!(wide.contains("the areas in its bay add up to 16, and it is as wide as locked only with 12"), "{wide}");
    // Layouts of rectangles are checked alike.
    let locks = |x: f64| {
        let verdict = check(&instance, &Layout::of_rectangles(vec![placed(1, [x, 0.0, 3.0, 4.0 / 3.0])]));
        verdict.violations.iter().filter(|one| one.kind == ViolationKind::Lock).count()
    };
    assert_eq!((locks(0.0), locks(1e-7), locks(1e-4)), (0, 0, 1));
}
