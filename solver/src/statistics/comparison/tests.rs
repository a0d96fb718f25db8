use super::*;
use crate::statistics::LEVEL;

/// x ← 16807·x mod (2³¹ − 1), as `.ci/statistics/compare.py` has it.
pub(in crate::statistics) fn draw(seed: u64, count: usize, most: u64) -> Vec<u64> {
    let mut x = seed;
    let mut next = || {
        x = 16_807 * x % 2_147_483_647;
        x / 1_000 % most
    };
    (0..count).map(|_| next()).collect()
}

/// Sums of twelve numbers, which are nearly normal.
fn bell(seed: u64, shift: u64) -> Vec<f64> {
    draw(seed, 600, 100).chunks(12).map(|part| (part.iter().sum::<u64>() + shift) as f64).collect()
}

/// Cubes of few numbers, with many ties.
fn skew(seed: u64, scale: u64) -> Vec<f64> {
    draw(seed, 50, 7).into_iter().map(|number| (number * number * number * scale) as f64).collect()
}

/// Values of scipy 1.17.1 for the same samples; `.ci/statistics/compare.py --check` recomputes them.
const SCIPY: [(&str, f64); 19] = [
    ("kolmogorov_smirnov", 0.755873426261434),
    ("kolmogorov_smirnov", 0.10096593316353669),
    ("kolmogorov_smirnov", 0.9629444731214278),
    ("kolmogorov_smirnov", 0.008139786067034034),
    ("kolmogorov_smirnov", 0.01336336983547921),
    ("levene bells", 0.01944689382344115),
    ("anova bells", 0.0005048352139239431),
    ("kruskal_wallis bells", 0.0007860315240887578),
    ("levene all", 9.197837707649424e-08),
    ("anova all", 2.838848754867303e-100),
    ("kruskal_wallis all", 2.365989577054303e-38),
    ("t 0 1", 0.00019348945269377394),
    ("mann_whitney 0 1", 0.0004734308126439314),
    ("t 0 2", 0.6779977515660143),
    ("mann_whitney 0 2", 0.7251385782648555),
    ("t 3 4", 0.0011700640116077499),
    ("mann_whitney 3 4", 0.04194590384343068),
    ("t 0 3", 3.047164211536184e-50),
    ("mann_whitney 0 3", 6.239182496529948e-18),
];

#[test]
fn every_test_gives_what_scipy_gives() {
    let samples = vec![bell(1, 0), bell(2, 40), bell(3, 0), skew(4, 1), skew(5, 2)];
    let mut found: Vec<f64> = samples.iter().map(|sample| kolmogorov_smirnov(sample)).collect();
    for group in [&samples[..3], &samples] {
        found.extend([levene(group), anova(group), kruskal_wallis(group)]);
    }
    for (a, b) in [(0, 1), (0, 2), (3, 4), (0, 3)] {
        found.extend([student_t(&samples[a], &samples[b]), mann_whitney(&samples[a], &samples[b]).0]);
    }
    for ((name, expected), found) in SCIPY.into_iter().zip(found) {
        // Far below any level, what is left of 1 − p has few digits.
        let exact = (found / expected - 1.0).abs() < 1e-6 || (expected < 1e-14 && found < 1e-12);
        assert!(exact, "{name}: {found:e}, scipy {expected:e}");
    }
}

#[test]
fn samples_are_better_worse_or_the_same() {
    let comparison = compare(&[bell(1, 0), bell(2, 200), bell(3, 0)], LEVEL);
    use Sign::{Better, Same, Worse};
    assert_eq!(comparison.signs, [vec![Same, Better, Same], vec![Worse, Same, Worse], vec![Same, Better, Same]]);
    assert!(comparison.overall < 1e-6);
    // Equal variances and bells: means are compared.
    assert!(compare(&[bell(1, 0), bell(1, 40)], LEVEL).by_means);
    assert!(!compare(&[bell(1, 0), skew(4, 1)], LEVEL).by_means);
}

/// Algorithms that always find the optimum have errors of 0 throughout.
#[test]
fn samples_without_any_variation_are_compared() {
    let zeros = vec![0.0; 50];
    let same = compare(&[zeros.clone(), zeros.clone()], LEVEL);
    assert_eq!((same.overall, same.by_means), (1.0, false));
    assert!(same.signs.iter().flatten().all(|&sign| sign == Sign::Same));
    let differ = compare(&[zeros.clone(), skew(4, 1), vec![7.0; 50]], LEVEL);
    assert_eq!(differ.signs[0][1..], [Sign::Better; 2]);
    assert_eq!((differ.signs[2][0], differ.normal[0]), (Sign::Worse, 0.0));
    assert_eq!(Sign::Better.symbol(), '▲');
}
