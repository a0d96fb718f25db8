use super::*;
use crate::check::{Worth, check};

/// Numbers of a small generator.
fn numbers(count: usize, seed: u64, most: u64) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    (0..count).map(|_| next()).collect()
}

/// Compares sums, flips and exchanges with the checker, and with evaluation from scratch.
fn compare<E: Evaluation>(evaluation: &E, kind: &Kind) {
    let instance = Instance {
        name: "made up".to_owned(),
        kind: kind.clone(),
        names: Vec::new(),
        warnings: Vec::new(),
        hash: String::new(),
    };
    let bits = evaluation.bits();
    assert_eq!(bits, instance.bits());
    let solution = |individual| {
        let mut words = vec![0; evaluation.words()];
        random_words::<E>(bits, Philox::new(9), 0, individual, 0, &mut words);
        words
    };
    for individual in 0..20 {
        let (one, other) = (solution(2 * individual), solution(2 * individual + 1));
        let unpacked = unpack(&one, E::PER_WORD, bits);
        assert_eq!(crate::textbook::pack(&unpacked, E::PER_WORD), one);
        let checked = check(&instance, &unpacked);
        assert_eq!(evaluation.cost(evaluation.sums(&one)), checked.cost());
        assert_eq!(evaluation.feasible(evaluation.sums(&one)), checked.feasible);
        let sums = evaluation.sums(&one);
        match checked.worth {
            Worth::Knapsack { profit, weight, .. } => {
                assert_eq!(sums, [profit as i64, (weight * kind.weight_parts()) as i64]);
            }
            Worth::NextRelease { cost, value, .. } => assert_eq!(sums, [value as i64, cost as i64]),
            Worth::Deceptive { millionths, .. } => assert_eq!(sums, [millionths as i64, 0]),
            Worth::OneMax { ones } => assert_eq!(sums, [ones as i64, 0]),
        }
        for bit in 0..bits {
            let mut flipped = one.clone();
            flipped[bit / E::PER_WORD] ^= 1 << (bit % E::PER_WORD);
            let gain = evaluation.flip(bit, one[bit / E::PER_WORD]);
            assert_eq!(evaluation.sums(&flipped), [sums[0] + gain[0], sums[1] + gain[1]]);
        }
        let masks = numbers(one.len(), u64::from(individual), u64::MAX);
        let (mut gains, mut children) = ([[0; 2]; 2], [one.clone(), other.clone()]);
        for (word, &mask) in masks.iter().enumerate() {
            let differing = (one[word] ^ other[word]) & mask.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            evaluation.exchange(word, one[word], other[word], differing, &mut gains);
            children.iter_mut().for_each(|child| child[word] ^= differing);
        }
        for (parent, (child, gains)) in [&one, &other].into_iter().zip(children.iter().zip(gains)) {
            let parent = evaluation.sums(parent);
            assert_eq!(evaluation.sums(child), [parent[0] + gains[0], parent[1] + gains[1]]);
        }
        let [a, b] = [&one, &other].map(|words| evaluation.sums(words));
        let [unpacked_a, unpacked_b] = [&one, &other].map(|words| unpack(words, E::PER_WORD, bits));
        let better = crate::textbook::better(&instance, &unpacked_a, &unpacked_b);
        assert_eq!(evaluation.better(a, b), better);
        assert!(!better || evaluation.key(a) < evaluation.key(b));
    }
}

/// As [`compare`], with the evaluation that the searches have.
fn compare_as_searched(kind: &Kind) {
    struct Compared<'a>(&'a Kind);

    impl Visitor for Compared<'_> {
        type Output = ();

        fn visit<E: Evaluation>(self, evaluation: E) {
            compare(&evaluation, self.0);
        }
    }

    let (name, hash) = ("made up".to_owned(), String::new());
    let instance = Instance { name, kind: kind.clone(), names: Vec::new(), warnings: Vec::new(), hash };
    with_evaluation(&instance, Compared(kind)).unwrap();
}

#[test]
fn every_problem_equals_the_checker_and_deltas_equal_full_counts() {
    for bits in [4, 6, 12, 35, 64, 65, 90, 128, 131] {
        let (one, other) = (numbers(bits, 1, 1_000), numbers(bits, 2, 1_000));
        // Of small numbers there are ties.
        let (few, cheap) = (numbers(bits, 3, 3), numbers(bits, 4, 3));
        for (profits, weights) in [(&one, &other), (&few, &cheap)] {
            for capacity in [weights.iter().sum::<u64>() / 2, weights.iter().copied().min().unwrap_or(0).max(1)] {
                let kind = Kind::Knapsack { profits: profits.clone(), weights: weights.clone(), capacity };
                compare_as_searched(&kind);
            }
            for tenths in [0, 3, 5, 10] {
                let values = profits.iter().map(|value| value + 1).collect::<Vec<_>>();
                let costs = weights.iter().map(|cost| cost + 1).collect::<Vec<_>>();
                let evaluation = NextRelease::new(&costs, &values, tenths).unwrap();
                compare(&evaluation, &Kind::NextRelease { costs, values, value_scale: 1, tenths });
            }
        }
        compare(&OneMax::new(bits), &Kind::OneMax { bits });
    }
    for blocks in [1, 9, 10, 11, 50] {
        compare(&Deceptive::new(blocks), &Kind::Deceptive { blocks });
    }
}

/// Equal worth, less cost for the same value: what dominates is better, and what neither dominates is not.
#[test]
fn ties_of_releases_go_to_whoever_dominates() {
    // Costs 10 + 10, values 5 + 5, w = 0.5: the worth of (value, cost) is max(5·C·10, 5·(10 − V)·20).
    let release = NextRelease::new(&[10, 10, 1, 1], &[5, 5, 1, 1], 5).unwrap();
    assert!(release.better([6, 4], [6, 5]) && !release.better([6, 5], [6, 4]));
    assert!(!release.better([6, 5], [6, 5]));
    assert!(release.better([7, 11], [6, 11]) && release.key([7, 11]) < release.key([6, 11]));
    // With no weight on value, everything that costs nothing is worth the same.
    let cheap = NextRelease::new(&[10, 0, 1, 1], &[5, 5, 1, 1], 0).unwrap();
    assert!(cheap.better([5, 0], [0, 0]));
}
