//! Instances of binary problems: maximise or minimise a function of a string of bits.

use serde::{Deserialize, Serialize};

use super::grid::FEWEST_BITS;
use gridwright_core::text::lines::{counted, quoted};
use gridwright_core::{Error, Result};

/// Smallest number of bits of an instance.
pub(crate) const MIN_BITS: usize = FEWEST_BITS;

/// Largest number of bits of an instance; its grid has 140,000 cells, its solutions take 350 MB.
pub(crate) const MAX_BITS: usize = 10_000;

/// Largest sum of profits, weights, costs or values, and largest penalty: 2⁶³ − 1.
pub(crate) const MAX_SUM: u64 = i64::MAX as u64;

/// Weight w of the omitted value against the cost of a release, in tenths: 0…10.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight(pub u8);

impl std::fmt::Display for Weight {
    /// Writes `0`, `0.3`, `1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("0"),
            10 => f.write_str("1"),
            tenths => write!(f, "0.{tenths}"),
        }
    }
}

impl std::str::FromStr for Weight {
    type Err = Error;

    /// Parses one of the eleven weights.
    ///
    /// # Errors
    /// [`Error::Usage`] for anything but the eleven weights.
    fn from_str(text: &str) -> Result<Self> {
        let value = text.trim().parse::<f64>().ok().map(|value| 10.0 * value);
        // Decimal fractions are not exact tenths in binary.
        let tenths = value.filter(|value| (value - value.round()).abs() < 1e-9 && (-0.5..10.5).contains(value));
        tenths
            .map(|value| Self(value.round() as u8))
            .ok_or_else(|| Error::Usage(format!("{} is no weight; choose 0, 0.1, 0.2 and so on to 1", quoted(text))))
    }
}

/// Kind of problem with its data. Bits are counted from 0; [`Instance::validated`] guarantees that all sums fit into 63
/// bits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Kind {
    /// 0–1 knapsack: select items of maximum profit within a capacity.
    ///
    /// ```text
    /// P = Σ p_i·x_i,   w = Σ w_i·x_i,   fitness = P if w ≤ W, else P − (w − W)·W·k²
    /// ```
    ///
    /// With k = 1 this is equation 5 of the paper, whose capacities exceed all profits; see [`Kind::weight_parts`].
    Knapsack {
        /// Profits p_i.
        profits: Vec<u64>,
        /// Weights w_i.
        weights: Vec<u64>,
        /// Capacity W.
        capacity: u64,
    },
    /// Massively multimodal deceptive problem (MMDP): maximise the sum over blocks of 6 bits, in millionths.
    Deceptive {
        /// Number of blocks of six bits.
        blocks: usize,
    },
    /// Next release problem: select requirements that minimise
    ///
    /// ```text
    /// max((1 − w)·C/C_total, w·(1 − V/V_total)),   w = tenths/10
    /// ```
    ///
    /// compared exactly as max((10 − tenths)·C·V_total, tenths·(V_total − V)·C_total) in 128 bits; ties are broken by
    /// dominance.
    NextRelease {
        /// Costs r_j.
        costs: Vec<u64>,
        /// Values Σ_i c_i·v_ij, in units of `1 / value_scale`.
        values: Vec<u64>,
        /// Divisor for displaying values: 1, or 100 for values with two decimals.
        value_scale: u64,
        /// Weight of the omitted value in tenths, 0…10.
        tenths: u8,
    },
    /// OneMax: maximise the number of ones.
    OneMax {
        /// Number of bits.
        bits: usize,
    },
}

/// Binary problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Short name, such as `1000-1000`.
    pub name: String,
    /// Kind and data.
    pub kind: Kind,
    /// Names of items or requirements; empty if they have none.
    pub names: Vec<String>,
    /// Warnings of the reader, one sentence each.
    pub warnings: Vec<String>,
    /// SHA-256 of the file, or of the generated instance as text, in hexadecimal.
    pub hash: String,
}

impl Kind {
    /// Name in files, JSON and on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Knapsack { .. } => "knapsack",
            Self::Deceptive { .. } => "mmdp",
            Self::NextRelease { .. } => "nrp",
            Self::OneMax { .. } => "onemax",
        }
    }

    /// Name for people.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Knapsack { .. } => "knapsack problem",
            Self::Deceptive { .. } => "massively multimodal deceptive problem",
            Self::NextRelease { .. } => "next release problem",
            Self::OneMax { .. } => "OneMax",
        }
    }

    /// Returns `true` if the data are a list of items or requirements.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Self::Knapsack { .. } | Self::NextRelease { .. })
    }

    /// Noun for what a bit stands for.
    pub fn bit_noun(&self) -> &'static str {
        match self {
            Self::Knapsack { .. } => "item",
            Self::NextRelease { .. } => "requirement",
            Self::Deceptive { .. } | Self::OneMax { .. } => "bit",
        }
    }

    /// Number k of parts of a unit of weight in which knapsacks are weighed; 1 for other problems.
    ///
    /// It is 1 if equation 5 as printed is known to make every solution that is too heavy worse than the best one that fits: if
    /// all profits are below the capacity, or, for small knapsacks, if all sums show it. Otherwise it is the smallest number with
    /// k²·W > p_i for all i, or less if sums would exceed [`MAX_SUM`]. Then at most w − W items have to be taken out until the
    /// others fit, and their profits are together less than the penalty.
    pub(crate) fn weight_parts(&self) -> u64 {
        let Self::Knapsack { profits, weights, capacity } = self else { return 1 };
        if is_penalised_enough(profits, weights, *capacity) {
            return 1;
        }
        let total = |numbers: &[u64]| numbers.iter().map(|&number| u128::from(number)).sum::<u128>();
        let most = profits.iter().copied().max().unwrap_or(0);
        let wanted = (most / (*capacity).max(1)).isqrt() + 1;
        let left = u128::from(MAX_SUM).saturating_sub(total(profits));
        let possible = (left / (total(weights) * u128::from(*capacity)).max(1)).isqrt();
        wanted.min(u64::try_from(possible).unwrap_or(u64::MAX)).max(1)
    }

    /// Weights and capacity of a knapsack in [parts](Kind::weight_parts) of a unit, as searches count them; no weights and 0 for
    /// other problems.
    pub(super) fn weights_in_parts(&self) -> (Vec<u64>, u64) {
        let Self::Knapsack { weights, capacity, .. } = self else { return (Vec::new(), 0) };
        let parts = self.weight_parts();
        (weights.iter().map(|weight| weight * parts).collect(), capacity.saturating_mul(parts))
    }

    /// Converts a cost, which falls as solutions improve, into the fitness that people read.
    ///
    /// A cost is the negative fitness, in millionths for [`Kind::Deceptive`]; for [`Kind::NextRelease`] it is the
    /// minimised objective, and the fitness is 1 − cost.
    pub fn fitness(&self, cost: f64) -> f64 {
        match self {
            Self::Knapsack { .. } | Self::OneMax { .. } => 0.0 - cost,
            Self::Deceptive { .. } => (0.0 - cost) / 1e6,
            Self::NextRelease { .. } => 1.0 - cost,
        }
    }

    /// Converts a fitness into a cost; inverse of [`Kind::fitness`].
    pub fn cost(&self, fitness: f64) -> f64 {
        match self {
            Self::Knapsack { .. } | Self::OneMax { .. } => 0.0 - fitness,
            Self::Deceptive { .. } => 0.0 - (fitness * 1e6).round(),
            Self::NextRelease { .. } => 1.0 - fitness,
        }
    }
}

impl Instance {
    /// Returns the instance if it can be solved: every sum and penalty fits into 63 bits.
    ///
    /// # Errors
    /// [`Error::Usage`] with reason and remedy: fewer bits than [`MIN_BITS`] or more than [`MAX_BITS`], lists of
    /// different lengths, sums beyond [`MAX_SUM`], a knapsack in which nothing fits, a total cost or value of 0,
    /// duplicate names.
    pub fn validated(self) -> Result<Self> {
        let what = match &self.kind {
            Kind::Deceptive { blocks } if *blocks > MAX_BITS / 6 => {
                Some(format!("{blocks} blocks; at most {} can be handled", MAX_BITS / 6))
            }
            kind => sized(kind, self.bits()).or_else(|| match kind {
                Kind::Knapsack { profits, weights, capacity } => knapsack(profits, weights, *capacity),
                Kind::NextRelease { costs, values, value_scale, tenths } => {
                    next_release(costs, values, *value_scale, *tenths)
                }
                Kind::Deceptive { .. } | Kind::OneMax { .. } => None,
            }),
        };
        match what.or_else(|| self.misnamed()) {
            None => Ok(self),
            Some(what) => Err(Error::Usage(format!("{}: {what}", self.name))),
        }
    }

    /// Describes an error in the names.
    fn misnamed(&self) -> Option<String> {
        let (names, bits, noun) = (&self.names, self.bits(), self.kind.bit_noun());
        if !names.is_empty() && names.len() != bits {
            return Some(format!("{} names where there are {bits} {noun}s; name all of them or none", names.len()));
        }
        let mut places = std::collections::HashMap::with_capacity(names.len());
        names.iter().enumerate().find_map(|(at, name)| {
            let first = places.insert(name.as_str(), at)? + 1;
            Some(format!("{noun}s {first} and {} are both called {}; rename one", at + 1, quoted(name)))
        })
    }

    /// Name of a bit, or its number counted from 1.
    pub fn bit_name(&self, bit: usize) -> String {
        self.names.get(bit).cloned().unwrap_or_else(|| (bit + 1).to_string())
    }

    /// Number of bits, l.
    pub fn bits(&self) -> usize {
        match &self.kind {
            Kind::Knapsack { profits, .. } => profits.len(),
            Kind::Deceptive { blocks } => 6 * blocks,
            Kind::NextRelease { costs, .. } => costs.len(),
            Kind::OneMax { bits } => *bits,
        }
    }

    /// Rows of the grid, τ = ⌈log₂ l⌉.
    pub fn rows(&self) -> usize {
        self.bits().next_power_of_two().trailing_zeros() as usize
    }

    /// Number of cells of the grid, N = l·τ; also the published number of iterations.
    pub fn cells(&self) -> usize {
        self.bits() * self.rows()
    }
}

/// Message that a number of bits, such as `3 items`, is too small for a grid.
pub(super) fn too_few(bits: &str) -> String {
    format!("{bits}; a grid needs at least {MIN_BITS}, and so few can be tried by hand")
}

/// Describes an unsupported number of bits.
fn sized(kind: &Kind, bits: usize) -> Option<String> {
    let noun = kind.bit_noun();
    if bits < MIN_BITS {
        return Some(too_few(&counted(bits, noun)));
    }
    (bits > MAX_BITS)
        .then(|| format!("{bits} {noun}s; at most {MAX_BITS} can be handled, leave out the least important"))
}

/// Sum of a list, or an error text.
fn sum(what: &str, list: &[u64]) -> std::result::Result<u64, String> {
    let total = list.iter().map(|&one| u128::from(one)).sum::<u128>();
    u64::try_from(total)
        .ok()
        .filter(|&total| total <= MAX_SUM)
        .ok_or_else(|| format!("all {what} together are {total}; at most {MAX_SUM} can be handled, use a coarser unit"))
}

/// Number of items times their weight up to which [`is_penalised_enough`] is exact.
const FEW: u64 = 100_000;

/// Returns `true` if P − (w − W)·W of every solution that is too heavy is less than the profit of the best one that fits; for
/// large knapsacks only if all profits are below the capacity.
fn is_penalised_enough(profits: &[u64], weights: &[u64], capacity: u64) -> bool {
    if profits.iter().all(|&profit| profit < capacity) {
        return true;
    }
    let total = weights.iter().try_fold(0_u64, |sum, &weight| sum.checked_add(weight));
    let Some(total) = total.filter(|total| total.saturating_mul(profits.len() as u64) <= FEW) else { return false };
    // most[w] = largest profit of items that weigh w.
    let mut most = vec![None; total as usize + 1];
    most[0] = Some(0_i128);
    for (&profit, &weight) in profits.iter().zip(weights) {
        for at in (weight as usize..most.len()).rev() {
            let with = most[at - weight as usize].map(|sum| sum + i128::from(profit));
            most[at] = most[at].max(with);
        }
    }
    let worth = |(weight, profit): (usize, &Option<i128>)| {
        let over = (weight as i128 - i128::from(capacity)).max(0);
        profit.map(|profit| (over > 0, profit - over * i128::from(capacity)))
    };
    let best = |is_over: bool| most.iter().enumerate().filter_map(worth).filter(|it| it.0 == is_over).max();
    best(true).map(|it| it.1) < best(false).map(|it| it.1)
}

fn knapsack(profits: &[u64], weights: &[u64], capacity: u64) -> Option<String> {
    let (items, weighed) = (profits.len(), weights.len());
    if items != weighed {
        return Some(format!("{items} profits and {weighed} weights; each item needs one of both"));
    }
    let total = match sum("profits", profits).and_then(|_| sum("weights", weights)) {
        Ok(total) => total,
        Err(what) => return Some(what),
    };
    if capacity == 0 {
        return Some("the capacity is 0; it must be at least 1".to_owned());
    }
    let lightest = weights.iter().copied().min().unwrap_or(0);
    if lightest > capacity {
        return Some(format!(
            "no item fits: the capacity is {capacity} and the lightest item weighs {lightest}; use the same unit for both"
        ));
    }
    let excess = u128::from(total.saturating_sub(capacity));
    (excess * u128::from(capacity) > u128::from(MAX_SUM)).then(|| {
        format!(
            "the penalty for taking everything, {excess} too much × capacity {capacity}, is above {MAX_SUM}, the most \
             that can be handled; use a coarser unit of weight"
        )
    })
}

fn next_release(costs: &[u64], values: &[u64], value_scale: u64, tenths: u8) -> Option<String> {
    let (priced, valued) = (costs.len(), values.len());
    if priced != valued {
        return Some(format!("{priced} costs and {valued} values; each requirement needs one of both"));
    }
    if tenths > 10 {
        return Some(format!("a weight of {tenths} tenths; choose 0 to 10"));
    }
    if value_scale == 0 {
        return Some("values are divided by 0 to be shown; use 1 for whole numbers".to_owned());
    }
    let [cost, value] = match sum("costs", costs).and_then(|cost| Ok([cost, sum("values", values)?])) {
        Ok(totals) => totals,
        Err(what) => return Some(what),
    };
    if cost == 0 || value == 0 {
        let what = if cost == 0 { "cost" } else { "value" };
        return Some(format!(
            "all requirements have a {what} of 0, so that there is nothing to weigh; check the {what}s"
        ));
    }
    // Objectives are compared as signed 128-bit integers.
    let most = (u128::from(cost) * u128::from(value)).checked_mul(10);
    most.is_none_or(|most| most > i128::MAX as u128).then(|| {
        format!("total cost {cost} × total value {value} is too large to be compared exactly; use coarser units")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind) -> Instance {
        Instance { name: "test".into(), kind, names: Vec::new(), warnings: Vec::new(), hash: String::new() }
    }

    fn refused(kind: Kind) -> String {
        of(kind).validated().unwrap_err().to_string()
    }

    fn knapsack(profits: &[u64], weights: &[u64], capacity: u64) -> Kind {
        Kind::Knapsack { profits: profits.to_vec(), weights: weights.to_vec(), capacity }
    }

    fn release(costs: &[u64], values: &[u64], value_scale: u64, tenths: u8) -> Kind {
        Kind::NextRelease { costs: costs.to_vec(), values: values.to_vec(), value_scale, tenths }
    }

    /// ⌈log₂ 100⌉ = 7, and a power of two is its own: ⌈log₂ 4⌉ = 2.
    #[test]
    fn the_grid_follows_from_the_bits() {
        let instance = of(Kind::OneMax { bits: 100 }).validated().unwrap();
        assert_eq!((instance.rows(), instance.cells(), instance.bit_name(3)), (7, 700, "4".to_owned()));
        let instance = of(knapsack(&[1; 4], &[1; 4], 2)).validated().unwrap();
        assert_eq!((instance.rows(), instance.cells()), (2, 8));
        assert_eq!(of(Kind::Deceptive { blocks: 50 }).bits(), 300);
    }

    #[test]
    fn what_cannot_be_solved_is_refused_with_the_limit() {
        assert!(refused(Kind::OneMax { bits: 3 }).contains("at least 4"));
        assert!(refused(Kind::OneMax { bits: 0 }).contains("0 bits"));
        assert!(refused(Kind::OneMax { bits: MAX_BITS + 1 }).contains("at most 10000"));
        assert!(refused(Kind::Deceptive { blocks: 0 }).contains("at least 4"));
        assert!(refused(Kind::Deceptive { blocks: usize::MAX }).contains("at most 1666"));
        assert!(refused(knapsack(&[1; 4], &[1; 5], 2)).contains("4 profits and 5 weights"));
        assert!(refused(knapsack(&[1; 4], &[1; 4], 0)).contains("capacity is 0"));
        assert!(refused(knapsack(&[1; 4], &[5; 4], 4)).contains("lightest item weighs 5"));
        assert!(refused(release(&[1; 4], &[1; 3], 1, 5)).contains("4 costs and 3 values"));
        assert!(refused(release(&[1; 4], &[1; 4], 1, 11)).contains("0 to 10"));
        assert!(refused(release(&[1; 4], &[1; 4], 0, 5)).contains("divided by 0"));
        assert!(refused(release(&[0; 4], &[1; 4], 1, 5)).contains("a cost of 0"));
        assert!(refused(release(&[1; 4], &[0; 4], 1, 5)).contains("a value of 0"));
    }

    /// 2⁶³ − 1 is allowed and 2⁶³ is not; so with the penalty: (2³² + 8 − 2³¹)·2³¹ is above 2⁶² and below 2⁶³.
    #[test]
    fn sums_are_bounded_exactly() {
        let quarter = 1_u64 << 61;
        let profits = |last: u64| knapsack(&[quarter, quarter, quarter, last], &[1; 4], 2);
        assert!(of(profits(quarter - 1)).validated().is_ok());
        let error = refused(profits(quarter));
        assert!(error.contains("9223372036854775808") && error.contains("at most 9223372036854775807"), "{error}");
        assert!(of(knapsack(&[1; 4], &[(1 << 30) + 2; 4], 1 << 31)).validated().is_ok());
        assert!(refused(knapsack(&[1; 4], &[1 << 33; 4], 1 << 33)).contains("penalty"));
        let large = [1_u64 << 60; 4];
        assert!(refused(release(&large, &large, 1, 5)).contains("use coarser units"));
    }

    #[test]
    fn names_are_all_there_and_differ() {
        let named = |names: &[&str]| Instance {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            ..of(knapsack(&[1; 4], &[1; 4], 2))
        };
        assert_eq!(named(&["a", "b", "c", "d"]).validated().unwrap().bit_name(2), "c");
        let refused = |names: &[&str]| named(names).validated().unwrap_err().to_string();
        assert!(refused(&["a", "b"]).contains("2 names where there are 4 items"));
        assert!(refused(&["a", "b", "c", "b"]).contains("items 2 and 4 are both called «b»"));
    }

    #[test]
    fn costs_are_shown_as_fitness() {
        assert_eq!(Kind::OneMax { bits: 4 }.fitness(-3.0), 3.0);
        assert_eq!(Kind::Deceptive { blocks: 2 }.fitness(-1_360_384.0), 1.360384);
        assert_eq!(release(&[1; 4], &[1; 4], 1, 5).fitness(0.25), 0.75);
        assert!(Kind::OneMax { bits: 4 }.fitness(0.0).is_sign_positive());
        assert_eq!(Kind::Deceptive { blocks: 2 }.cost(1.360384), -1_360_384.0);
        assert_eq!((Kind::OneMax { bits: 4 }.cost(3.0), release(&[1; 4], &[1; 4], 1, 5).cost(0.75)), (-3.0, 0.25));
    }

    #[test]
    fn weights_are_tenths() {
        for (text, tenths) in [("0", 0), ("0.3", 3), (".7", 7), ("1", 10), ("1.0", 10), (" 0.60 ", 6)] {
            assert_eq!(text.parse::<Weight>().unwrap(), Weight(tenths));
        }
        assert_eq!([0, 3, 10].map(|tenths| Weight(tenths).to_string()), ["0", "0.3", "1"]);
        for wrong in ["", "0.35", "-0.1", "1.1", "half", "NaN"] {
            assert!(wrong.parse::<Weight>().unwrap_err().to_string().contains("0.1, 0.2"), "{wrong}");
        }
    }
}
