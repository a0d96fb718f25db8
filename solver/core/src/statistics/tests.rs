use super::friedman::{critical_difference, equal_groups, friedman};
use super::kruskal::{dunn, kruskal_wallis};
use super::pairs::{holm, vargha_delaney, wilcoxon};
use super::summary::five_numbers;
use super::{LEVEL, ranks::ranks};

/// Values of scipy 1.17.1 for the first data sets; `.ci/statistics/run` compares 200.
const SCIPY: &str = include_str!("scipy.csv");

/// x ← 16807·x mod (2³¹ − 1), as `.ci/statistics/compare.py` has it.
fn draw(seed: u64, count: usize, most: u64) -> Vec<u64> {
    let mut x = seed;
    let mut next = || {
        x = 16_807 * x % 2_147_483_647;
        x / 1_000 % most
    };
    (0..count).map(|_| next()).collect()
}

/// Samples as `.ci/statistics/compare.py` has them.
fn data_set(number: u64) -> Vec<Vec<f64>> {
    let (groups, size, most) = (3 + number % 4, 6 + number % 25, [7, 100, 100_000][number as usize % 3]);
    let numbers = draw(number + 1, (groups * size) as usize, most);
    let shifted = |(group, sample): (usize, &[u64])| {
        sample.iter().map(|value| (value + group as u64 * most / 40) as f64).collect()
    };
    numbers.chunks(size as usize).enumerate().map(shifted).collect()
}

fn row(samples: &[Vec<f64>]) -> Vec<f64> {
    let blocks: Vec<Vec<f64>> =
        (0..samples[0].len()).map(|at| samples.iter().map(|sample| sample[at]).collect()).collect();
    let ranked = friedman(&blocks).unwrap();
    let differences: Vec<f64> = samples[0].iter().zip(&samples[1]).map(|(one, other)| one - other).collect();
    let [_, lower, median, upper, _] = five_numbers(&samples[0]).unwrap();
    vec![
        ranked.chi_squared,
        ranked.chi_squared_p,
        ranked.f,
        ranked.f_p,
        wilcoxon(&differences),
        kruskal_wallis(samples),
        dunn(samples)[0][1],
        vargha_delaney(&samples[0], &samples[1]),
        critical_difference(samples.len(), blocks.len(), LEVEL),
        lower,
        median,
        upper,
    ]
}

#[test]
fn statistics_are_those_of_scipy() {
    let more = std::env::var_os("GRIDWRIGHT_SCIPY").map(|path| std::fs::read_to_string(path).unwrap());
    let table = more.as_deref().unwrap_or(SCIPY);
    let names: Vec<&str> = table.lines().next().unwrap().split(',').skip(1).collect();
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let (number, expected) = line.split_once(',').unwrap();
        let found = row(&data_set(number.parse().unwrap()));
        for ((name, expected), found) in names.iter().zip(expected.split(',')).zip(found) {
            let expected: f64 = expected.parse().unwrap();
            let near = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
            assert!(near, "data set {number}, {name}: {found:e}, scipy {expected:e}");
            compared += 1;
        }
    }
    assert!(compared >= 20 * names.len(), "{compared} values");
}

/// Means of five methods on the twelve sets of the International Timetabling Competition 2007, as the methods' authors
/// published them.
const MEANS: [[f64; 5]; 12] = [
    [4799.0, 4008.0, 5469.0, 3927.0, 5231.6],
    [425.0, 404.0, 450.0, 407.7, 405.1],
    [9251.0, 8012.0, 10444.0, 8849.5, 9940.1],
    [15821.0, 13312.0, 20241.0, 15617.8, 12992.5],
    [3072.0, 2582.0, 3185.0, 2849.0, 3490.4],
    [25935.0, 25448.0, 26150.0, 26081.4, 26008.5],
    [4187.0, 3893.0, 4568.0, 3661.6, 4534.7],
    [7599.0, 6944.0, 8081.0, 7729.5, 7602.6],
    [1071.0, 949.0, 1061.0, 991.6, 1017.6],
    [14552.0, 12985.0, 15294.0, 13999.6, 13631.7],
    [29358.0, 25194.0, 44820.0, 27781.5, 31792.2],
    [5699.0, 5181.0, 5464.0, 5550.2, 5204.8],
];

#[test]
fn five_methods_on_twelve_sets_rank_as_published() {
    let ranked = friedman(&MEANS.map(|row| row.to_vec())).unwrap();
    let round = |value: f64| (value * 1e4).round() / 1e4;
    assert_eq!(
        ranked.mean_ranks.iter().copied().map(round).collect::<Vec<_>>(),
        [3.4167, 1.25, 4.6667, 2.5833, 3.0833]
    );
    assert_eq!((round(ranked.chi_squared), round(ranked.f)), (29.7333, 17.9051));
    // Published tables have the quantile 2.728 with three decimals, which gives 1.7609; 2.72777 is the exact one.
    let quantile = critical_difference(5, 12, LEVEL) / (30.0_f64 / 72.0).sqrt();
    assert_eq!((quantile * 1e3).round() / 1e3, 2.728);
    assert_eq!(round((quantile * 1e3).round() / 1e3 * (30.0_f64 / 72.0).sqrt()), 1.7609);
    assert!(ranked.chi_squared_p < 1e-5 && ranked.f_p < 1e-7);
}

#[test]
fn ties_share_their_mean_rank_and_infinities_are_last() {
    let (found, ties) = ranks(&[3.0, f64::INFINITY, 1.0, 3.0, f64::INFINITY]);
    assert_eq!((found, ties), (vec![2.5, 4.5, 1.0, 2.5, 4.5], 12.0));
}

#[test]
fn holm_adjusts_by_hand_and_keeps_the_order() {
    assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
    assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    assert!(holm(&[]).is_empty());
}

#[test]
fn equal_algorithms_do_not_differ() {
    let same = vec![vec![5.0; 3]; 4];
    let ranked = friedman(&same).unwrap();
    assert_eq!((ranked.chi_squared, ranked.chi_squared_p, ranked.f, ranked.f_p), (0.0, 1.0, 0.0, 1.0));
    assert_eq!((wilcoxon(&[0.0; 8]), kruskal_wallis(&same), dunn(&same)[0][1]), (1.0, 1.0, 1.0));
    assert_eq!(vargha_delaney(&same[0], &same[1]), 0.5);
    assert_eq!(friedman(&[]), None);
    // In equal order on all instances: n(k − 1) is the largest χ².
    let clear = friedman(&vec![vec![1.0, 2.0, 3.0]; 6]).unwrap();
    assert_eq!((clear.chi_squared, clear.f, clear.f_p), (12.0, f64::INFINITY, 0.0));
}

#[test]
fn groups_of_equal_algorithms_are_as_large_as_they_can_be() {
    assert_eq!(equal_groups(&[1.0, 1.5, 2.2, 4.0], 1.0), [(0, 1), (1, 2)]);
    assert_eq!(equal_groups(&[1.0, 1.5, 1.9, 4.0], 1.0), [(0, 2)]);
    assert_eq!(equal_groups(&[1.0, 3.0], 1.0), []);
}
