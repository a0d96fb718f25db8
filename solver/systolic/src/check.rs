//! Independent checker: computes objective and violations of a string of bits from the raw data.
//!
//! It shares no code with the searches: it visits the bits one by one and adds in 128 bits. Every result that is shown
//! or exported has passed it.

use super::{Instance, Kind};
use gridwright_core::export::stamp::Noun;
use gridwright_core::result;
use gridwright_core::text::lines::counted;
use gridwright_core::{Error, Result};

/// Words for the kinds of violations that a solution may have and still be drawn.
pub(crate) const NOUNS: [Noun; 1] = [("overweight", "overload", "overloads")];

/// Kind of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::AsRefStr)]
#[strum(serialize_all = "lowercase")]
pub enum ViolationKind {
    /// Fewer bits than the instance has.
    Missing,
    /// More bits than the instance has.
    Unknown,
    /// Items heavier than the capacity of the knapsack.
    Overweight,
}

/// Violation of a limit by a solution.
pub type Violation = result::Violation<ViolationKind>;

/// Value of a block of the deceptive problem in millionths, by its number of ones (Table 2 of the paper).
pub const BLOCK: [u64; 7] = [1_000_000, 0, 360_384, 640_576, 360_384, 0, 1_000_000];

/// Objective of a string of bits and its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// Knapsack.
    Knapsack {
        /// Σ p_i·x_i.
        profit: u64,
        /// Σ w_i·x_i.
        weight: u64,
        /// Excess of the weight over the capacity; 0 if everything fits.
        overweight: u64,
        /// Profit − overweight · capacity · k², with the [parts](Kind::weight_parts) k of a unit of weight.
        fitness: i64,
    },
    /// Deceptive problem.
    Deceptive {
        /// Sum over all blocks in millionths.
        millionths: u64,
        /// Number of blocks with six zeros or six ones.
        solved: usize,
        /// Number of blocks with three ones: the deceptive local optimum.
        deceived: usize,
    },
    /// Next release.
    NextRelease {
        /// Total cost C of the selected requirements.
        cost: u64,
        /// Total value V in the unit of the instance.
        value: u64,
        /// max((10 − tenths)·C·V_total, tenths·(V_total − V)·C_total).
        numerator: u128,
        /// 10·C_total·V_total.
        denominator: u128,
    },
    /// OneMax.
    OneMax {
        /// Number of ones.
        ones: u64,
    },
}

impl Worth {
    /// Cost that the searches minimise; [`Kind::fitness`] converts it for people.
    pub fn cost(self) -> f64 {
        match self {
            Self::Knapsack { fitness, .. } => -(fitness as f64),
            Self::Deceptive { millionths, .. } => -(millionths as f64),
            Self::NextRelease { numerator, denominator, .. } => numerator as f64 / denominator as f64,
            Self::OneMax { ones } => -(ones as f64),
        }
    }
}

/// Verdict of the checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// True if the number of bits is that of the instance and a knapsack is not overweight.
    pub feasible: bool,
    /// Objective; missing bits count as 0, surplus bits are ignored.
    pub worth: Worth,
    /// Number of ones.
    pub ones: usize,
    /// Violations.
    pub violations: Vec<Violation>,
}

impl Verdict {
    /// Cost that the searches minimise.
    pub fn cost(&self) -> f64 {
        self.worth.cost()
    }
}

/// Checks a string of bits against the raw data of the instance.
pub fn check(instance: &Instance, bits: &[bool]) -> Verdict {
    let expected = match &instance.kind {
        Kind::Knapsack { weights, .. } => weights.len(),
        Kind::Deceptive { blocks } => blocks * BLOCK.len().saturating_sub(1),
        Kind::NextRelease { costs, .. } => costs.len(),
        Kind::OneMax { bits } => *bits,
    };
    let mut violations = Vec::new();
    match (bits.len(), expected) {
        (found, expected) if found < expected => {
            let text =
                format!("{} where there must be {expected}; {} missing", counted(found, "bit"), expected - found);
            violations.push(Violation { kind: ViolationKind::Missing, text });
        }
        (found, expected) if found > expected => {
            let text =
                format!("{found} bits where there must be {expected}; the last {} belong to nothing", found - expected);
            violations.push(Violation { kind: ViolationKind::Unknown, text });
        }
        _ => {}
    }
    let bits = &bits[..bits.len().min(expected)];
    let worth = match &instance.kind {
        Kind::Knapsack { profits, weights, capacity } => {
            knapsack(profits, weights, *capacity, || instance.kind.weight_parts(), bits)
        }
        Kind::Deceptive { .. } => deceptive(bits, expected),
        Kind::NextRelease { costs, values, tenths, .. } => next_release(costs, values, *tenths, bits),
        Kind::OneMax { .. } => Worth::OneMax { ones: count(bits) as u64 },
    };
    if let Worth::Knapsack { weight, overweight, .. } = worth
        && overweight > 0
    {
        let text =
            format!("the items taken weigh {weight}, {overweight} more than the capacity of {}", weight - overweight);
        violations.push(Violation { kind: ViolationKind::Overweight, text });
    }
    Verdict { feasible: violations.is_empty(), worth, ones: count(bits), violations }
}

fn count(bits: &[bool]) -> usize {
    bits.iter().filter(|&&bit| bit).count()
}

/// Sum over the bits that are 1.
fn total(of: &[u64], bits: &[bool]) -> u64 {
    let mut sum = 0_u128;
    for (one, &taken) in of.iter().zip(bits) {
        if taken {
            sum += u128::from(*one);
        }
    }
    // Validated instances do not exceed 64 bits.
    u64::try_from(sum).unwrap_or(u64::MAX)
}

/// Fitness: profit P, or P − (w − W)·W·k² if the weight w exceeds the capacity W.
fn knapsack(profits: &[u64], weights: &[u64], capacity: u64, parts: impl Fn() -> u64, bits: &[bool]) -> Worth {
    let (profit, weight) = (total(profits, bits), total(weights, bits));
    let overweight = weight.saturating_sub(capacity);
    let parts = if overweight > 0 { i128::from(parts()) } else { 1 };
    let penalty = (i128::from(capacity) * parts).saturating_mul(parts);
    let fitness = i128::from(profit).saturating_sub(i128::from(overweight).saturating_mul(penalty));
    let fitness = i64::try_from(fitness).unwrap_or(if fitness < 0 { i64::MIN } else { i64::MAX });
    Worth::Knapsack { profit, weight, overweight, fitness }
}

fn deceptive(bits: &[bool], expected: usize) -> Worth {
    let (mut millionths, mut solved, mut deceived) = (0, 0, 0);
    let per_block = BLOCK.len() - 1;
    for block in 0..expected / per_block {
        let ones = (0..per_block).filter(|at| bits.get(block * per_block + at) == Some(&true)).count();
        millionths += BLOCK[ones];
        solved += usize::from(ones == 0 || ones == per_block);
        deceived += usize::from(ones == 3);
    }
    Worth::Deceptive { millionths, solved, deceived }
}

fn next_release(costs: &[u64], values: &[u64], tenths: u8, bits: &[bool]) -> Worth {
    let (cost, value) = (total(costs, bits), total(values, bits));
    let everything = vec![true; costs.len()];
    let [all_cost, all_value] = [total(costs, &everything), total(values, &everything)].map(u128::from);
    let tenths = u128::from(tenths.min(10));
    let expensive = (10 - tenths) * u128::from(cost) * all_value;
    let left_out = tenths * (all_value - u128::from(value)) * all_cost;
    Worth::NextRelease { cost, value, numerator: expensive.max(left_out), denominator: 10 * all_cost * all_value }
}

/// Checks a string of bits and rejects one whose length is not that of the instance.
///
/// # Errors
/// [`Error::Usage`] naming the difference.
pub fn belongs(instance: &Instance, bits: &[bool]) -> Result<Verdict> {
    let verdict = check(instance, bits);
    match verdict.violations.iter().find(|violation| violation.kind != ViolationKind::Overweight) {
        None => Ok(verdict),
        Some(violation) => Err(Error::Usage(format!(
            "the solution does not belong to {}: {}; choose the instance that it was made for",
            instance.name, violation.text
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind) -> Instance {
        Instance { name: "test".into(), kind, names: Vec::new(), warnings: Vec::new(), hash: String::new() }
    }

    fn bits(text: &str) -> Vec<bool> {
        text.chars().map(|letter| letter == '1').collect()
    }

    fn backpack() -> Instance {
        of(Kind::Knapsack { profits: vec![10, 7, 4, 1], weights: vec![5, 4, 3, 1], capacity: 8 })
    }

    /// Items 1 and 3: profit 10 + 4 = 14, weight 5 + 3 = 8, which just fits. Items 1 and 2: weight 9, 1 too much:
    /// 10 + 7 − 1 · 8 = 9. All: 22 − (13 − 8) · 8 = −18. With a capacity of 3 the best that fits is item 3 with 4, and items 1 and
    /// 2 would be worth 17 − 6 · 3 = −1, but item 1 alone 10 − 2 · 3 = 4, which is not less: weights count in halves, since
    /// 2² · 3 > 10, and item 1 is worth 10 − 2 · 3 · 2² = −14.
    #[test]
    fn knapsacks_are_what_the_hand_computes() {
        let verdict = check(&backpack(), &bits("1010"));
        assert!(verdict.feasible && verdict.cost() == -14.0 && verdict.ones == 2);
        assert_eq!(verdict.worth, Worth::Knapsack { profit: 14, weight: 8, overweight: 0, fitness: 14 });
        let verdict = check(&backpack(), &bits("1100"));
        assert!(!verdict.feasible && verdict.cost() == -9.0);
        assert_eq!(verdict.violations[0].kind, ViolationKind::Overweight);
        assert_eq!(verdict.violations[0].text, "the items taken weigh 9, 1 more than the capacity of 8");
        assert_eq!(check(&backpack(), &bits("1111")).cost(), 18.0);
        let tight = of(Kind::Knapsack { profits: vec![10, 7, 4, 1], weights: vec![5, 4, 3, 1], capacity: 3 });
        assert_eq!((backpack().kind.weight_parts(), tight.kind.weight_parts()), (1, 2));
        assert_eq!(check(&tight, &bits("1000")).cost(), 14.0);
    }

    #[test]
    fn the_bits_have_to_be_those_of_the_instance() {
        let verdict = check(&backpack(), &bits("101"));
        assert_eq!((verdict.cost(), verdict.violations[0].kind), (-14.0, ViolationKind::Missing));
        let verdict = check(&backpack(), &bits("10101"));
        assert_eq!((verdict.cost(), verdict.violations[0].kind), (-14.0, ViolationKind::Unknown));
        assert!(belongs(&backpack(), &bits("1111")).is_ok(), "too heavy, but of this instance");
        let error = belongs(&backpack(), &bits("1")).unwrap_err().to_string();
        assert!(error.contains("1 bit where there must be 4; 3 missing"), "{error}");
    }

    /// No ones: 1; one: 0; two: 0.360384; three: 0.640576; six: 1.
    #[test]
    fn blocks_deceive() {
        let instance = of(Kind::Deceptive { blocks: 5 });
        let verdict = check(&instance, &bits("000000100000110000010101111111"));
        assert_eq!(verdict.worth, Worth::Deceptive { millionths: 3_000_960, solved: 2, deceived: 1 });
        assert_eq!(instance.kind.fitness(verdict.cost()), 3.00096);
        // What is missing counts as zeros.
        assert_eq!(check(&instance, &[]).worth, Worth::Deceptive { millionths: 5_000_000, solved: 5, deceived: 0 });
    }

    /// Costs 100 altogether, values 10. Requirement 1 costs 40 and is worth 6: with w = 0.5,
    /// max(0.5 · 0.4, 0.5 · (1 − 0.6)) = 0.2; with w = 0.2, max(0.8 · 0.4, 0.2 · 0.4) = 0.32.
    #[test]
    fn releases_weigh_cost_against_value() {
        let instance = |tenths| {
            of(Kind::NextRelease { costs: vec![40, 30, 20, 10], values: vec![6, 2, 1, 1], value_scale: 1, tenths })
        };
        let verdict = check(&instance(5), &bits("1000"));
        let worth = Worth::NextRelease { cost: 40, value: 6, numerator: 2_000, denominator: 10_000 };
        assert_eq!((verdict.worth, verdict.cost(), verdict.feasible), (worth, 0.2, true));
        assert_eq!(check(&instance(2), &bits("1000")).cost(), 0.32);
        assert_eq!(check(&instance(0), &bits("0000")).cost(), 0.0);
        assert_eq!(check(&instance(10), &bits("0000")).cost(), 1.0);
    }

    #[test]
    fn ones_are_counted() {
        let verdict = check(&of(Kind::OneMax { bits: 6 }), &bits("101101"));
        assert_eq!((verdict.worth, verdict.cost()), (Worth::OneMax { ones: 4 }, -4.0));
    }
}
