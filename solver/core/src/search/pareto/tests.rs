//! Dominance, archives and indicators: by hand, by brute force, and by `moocore`.

use proptest::prelude::*;

use super::*;

fn point(values: &[u64]) -> Point {
    std::array::from_fn(|axis| values.get(axis).copied().unwrap_or(0))
}

fn wide(points: &[Point]) -> Vec<[u128; MAX_OBJECTIVES]> {
    points.iter().map(|point| point.map(u128::from)).collect()
}

fn volume_of(points: &[Point], objectives: usize, reference: u64) -> u128 {
    hypervolume(&wide(points), objectives, &[u128::from(reference); MAX_OBJECTIVES])
}

#[test]
fn dominance_by_hand() {
    let [a, b, c] = [point(&[1, 5]), point(&[1, 6]), point(&[2, 4])];
    assert!(dominates(&a, &b) && covers(&a, &b) && !covers(&b, &a));
    assert!(!dominates(&a, &c) && !dominates(&c, &a));
    assert!(!dominates(&a, &a) && covers(&a, &a));
}

/// (3,3) comes, (1,5) stands beside it, (2,2) drops (3,3), an equal (2,2) and a worse (2,6) are refused.
#[test]
fn an_archive_by_hand() {
    let mut archive = Archive::default();
    assert!(archive.insert(point(&[3, 3]), 'a'));
    assert!(archive.insert(point(&[1, 5]), 'b'));
    assert!(archive.insert(point(&[2, 2]), 'c'));
    assert!(!archive.insert(point(&[2, 2]), 'd'), "the first of equal ones stays");
    assert!(!archive.insert(point(&[2, 6]), 'e'));
    assert_eq!((archive.items(), archive.points()), (&['b', 'c'][..], &[point(&[1, 5]), point(&[2, 2])][..]));
}

/// Reference (4, 4): (1, 3) covers 3 × 1, (2, 1) covers 2 × 3, both cover 2 × 1: 3 + 6 − 2 = 7. A point on the reference or
/// beyond adds nothing.
#[test]
fn areas_by_hand() {
    let points = [point(&[1, 3]), point(&[2, 1]), point(&[4, 0]), point(&[0, 9])];
    assert_eq!(volume_of(&points, 2, 4), 7);
    assert_eq!(volume_of(&points[..1], 1, 4), 3);
    assert_eq!(volume_of(&[], 2, 4), 0);
}

/// Reference (3, 3, 3): (0, 2, 2) is 3·1·1 = 3, (2, 0, 2) likewise, (1, 1, 1) is 8; the first two share 1·1·1, each shares
/// 2·1·1 with the third and all three 1·1·1: 3 + 3 + 8 − 1 − 2 − 2 + 1 = 10.
#[test]
fn a_volume_by_hand() {
    let points = [point(&[0, 2, 2]), point(&[2, 0, 2]), point(&[1, 1, 1])];
    assert_eq!(volume_of(&points, 3, 3), 10);
    // Unused objectives make no difference where they are equal; as a fourth, 0 below 3, they triple it.
    assert_eq!(volume_of(&points, 4, 3), 30);
}

/// (1, 5) and (4, 2) against (2, 2): one is max(−1, 3) worse, the other max(2, 0): ε = 2.
#[test]
fn epsilon_by_hand() {
    let set = [[1.0, 5.0, 0.0, 0.0], [4.0, 2.0, 0.0, 0.0]];
    assert_eq!(additive_epsilon(&set, &[[2.0, 2.0, 0.0, 0.0]], 2), Some(2.0));
    assert_eq!(additive_epsilon(&set, &set, 2), Some(0.0));
    assert_eq!(additive_epsilon(&[], &set, 2), None);
    assert_eq!(additive_epsilon(&set, &[], 2), None);
}

#[test]
fn normalising_puts_the_ends_at_1_and_2() {
    let points = [point(&[10, 7]), point(&[20, 7])];
    let [low, high] = [point(&[10, 7]), point(&[20, 7])];
    assert_eq!(normalised(&points, 2, &low, &high), [[1.0, 1.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0]]);
}

/// Points around a slope, by the generator x ← 16807·x mod (2³¹ − 1): the same that `.ci/hypervolume/compare.py` hands to moocore.
fn slope(seed: u64, count: usize, objectives: usize, most: u64) -> Vec<Point> {
    let mut x = seed;
    let mut draw = || {
        x = 16_807 * x % 2_147_483_647;
        x / 1_000 % most
    };
    let of = |_| {
        let mut point = [0; MAX_OBJECTIVES];
        point[..objectives].iter_mut().for_each(|value| *value = draw());
        let last = objectives - 1;
        point[last] = most - point[..last].iter().sum::<u64>() / last as u64 + point[last] / 5;
        point
    };
    (0..count).map(of).collect()
}

/// Objectives, points, largest value, reference.
type Asked = (usize, usize, u64, u64);

/// Hypervolume, points that none dominates, hypervolume of these normalised to [1, 2] with reference 2.1, additive ε against another
/// such set.
type Answered = (u128, usize, f64, f64);

/// All by moocore 0.3.2: `.ci/hypervolume/compare.py --constants`.
const BY_MOOCORE: [(Asked, Answered); 4] = [
    ((2, 50, 1000, 1100), (633744, 18, 0.6563833500031923, 63.0)),
    ((3, 60, 1000, 1100), (582973323, 46, 0.6597125529882423, 191.0)),
    ((3, 200, 50, 45), (25474, 89, 0.7156621447412785, 4.0)),
    ((4, 40, 1000, 1100), (471253687155, 40, 0.5465979837171486, 220.0)),
];

#[test]
fn indicators_are_those_of_moocore() {
    for ((objectives, count, most, reference), (volume, size, normal, epsilon)) in BY_MOOCORE {
        let points = slope(2_011 + objectives as u64, count, objectives, most);
        assert_eq!(volume_of(&points, objectives, reference), volume, "{objectives} objectives");
        let mut archive = Archive::default();
        for &point in &points {
            archive.insert(point, ());
        }
        assert_eq!(archive.len(), size);
        assert_eq!(volume_of(archive.points(), objectives, reference), volume, "dominated points add nothing");
        let end = |choose: fn(u64, u64) -> u64| {
            archive
                .points()
                .iter()
                .copied()
                .reduce(|a, b| std::array::from_fn(|axis| choose(a[axis], b[axis])))
                .unwrap()
        };
        let (low, high) = (end(u64::min), end(u64::max));
        let scaled = normalised(archive.points(), objectives, &low, &high);
        let found = hypervolume(&scaled, objectives, &[NORMALISED_REFERENCE; MAX_OBJECTIVES]);
        assert!((found - normal).abs() < 1e-12, "{found} for {normal}");
        let real = |points: &[Point]| points.iter().map(|point| point.map(|value| value as f64)).collect::<Vec<_>>();
        let other = slope(99 + objectives as u64, count, objectives, most);
        assert_eq!(additive_epsilon(&real(&points), &real(&other), objectives), Some(epsilon));
    }
}

/// Number of dominated cells of a grid, by brute force.
fn counted(points: &[Point], objectives: usize, reference: u64) -> u128 {
    let cells = reference.pow(objectives as u32);
    let covered = |number: u64| {
        let cell: Point =
            std::array::from_fn(
                |axis| if axis < objectives { number / reference.pow(axis as u32) % reference } else { 0 },
            );
        points.iter().any(|point| covers(point, &cell))
    };
    (0..cells).filter(|&number| covered(number)).count() as u128
}

fn some_points() -> impl Strategy<Value = (usize, Vec<Point>)> {
    (1..=MAX_OBJECTIVES).prop_flat_map(|objectives| {
        let value = proptest::collection::vec(0_u64..8, objectives);
        let points = proptest::collection::vec(value.prop_map(|values| point(&values)), 0..30);
        (Just(objectives), points)
    })
}

proptest! {
    #[test]
    fn volumes_are_those_of_counting_cells((objectives, points) in some_points(), reference in 1_u64..8) {
        prop_assert_eq!(volume_of(&points, objectives, reference), counted(&points, objectives, reference));
        let real: Vec<_> = points.iter().map(|point| point.map(|value| value as f64)).collect();
        let volume = hypervolume(&real, objectives, &[reference as f64; MAX_OBJECTIVES]);
        prop_assert_eq!(volume, counted(&points, objectives, reference) as f64);
    }

    /// The members are the points that no other dominates, each with where it came first, in the order of coming.
    #[test]
    fn an_archive_holds_what_nothing_dominates((_, points) in some_points()) {
        let mut archive = Archive::default();
        for (number, &point) in points.iter().enumerate() {
            let covered = archive.covers(&point);
            prop_assert_eq!(archive.insert(point, number), !covered);
        }
        let first = |number: usize| points[..number].iter().all(|other| *other != points[number]);
        let best = |number: usize| points.iter().all(|other| !dominates(other, &points[number]));
        let expected: Vec<usize> = (0..points.len()).filter(|&number| first(number) && best(number)).collect();
        prop_assert_eq!(archive.items(), &expected[..]);
        for (point, &number) in archive.iter() {
            prop_assert_eq!(*point, points[number]);
        }
    }

    /// Points that come in portions, each checked against what was there before it: the same archive as one by one, also in long
    /// runs whose members leave here and there.
    #[test]
    fn portions_make_the_archive_that_single_points_make(
        points in prop::collection::vec((0_u64..60, 0_u64..60, 0_u64..60), 1..200),
        portion in 1_usize..40,
    ) {
        let points: Vec<Point> = points.into_iter().map(|(a, b, c)| point(&[a, b, c])).collect();
        let (mut one_by_one, mut in_portions) = (Archive::default(), Archive::default());
        for (number, portion) in points.chunks(portion).enumerate() {
            let known = in_portions.len();
            let left: Vec<(Point, usize)> =
                portion.iter().enumerate().filter(|(_, point)| !in_portions.covers(point)).map(|(at, point)| (*point, at)).collect();
            in_portions.insert_all(known, &left, |_, at| (number, at));
            for (at, &point) in portion.iter().enumerate() {
                one_by_one.insert(point, (number, at));
            }
            prop_assert_eq!(&one_by_one, &in_portions);
            for point in &points {
                prop_assert_eq!(in_portions.covers(point), is_covered(in_portions.points(), point));
            }
        }
        let mut copy = Archive::default();
        copy.mirror(&in_portions, |item| *item);
        prop_assert_eq!(&copy, &in_portions);
        prop_assert!(copy.insert(point(&[0, 0, 0]), (0, 0)) != points.contains(&point(&[0, 0, 0])));
        prop_assert_eq!(copy.len(), 1);
    }
}
