//! Exact solutions by dynamic programming over weights or costs; the reference for the searches.
//!
//! Source: R. Bellman, «Dynamic programming», Princeton University Press, 1957; for knapsacks H. Kellerer, U. Pferschy,
//! D. Pisinger, «Knapsack problems», Springer, 2004, section 2.3.

use super::{Instance, Kind};

/// Largest table in bits, (items + [`PROFIT`]) × (capacity + 1): 64 MiB and about a second of work.
const MOST_BITS: u128 = 1 << 29;

/// Bits of the largest profit of a load.
const PROFIT: u128 = u64::BITS as u128;

/// Computes an optimal string of bits; `None` if the table would be too large.
///
/// Among several optima it returns the lightest knapsack or the cheapest release.
pub fn optimum(instance: &Instance) -> Option<Vec<bool>> {
    match &instance.kind {
        Kind::Knapsack { profits, weights, capacity } => {
            let table = Table::new(profits, weights, *capacity)?;
            let last = table.best.last().copied()?;
            let lightest = table.best.iter().position(|&profit| profit == last)?;
            Some(table.taken_at(lightest))
        }
        Kind::NextRelease { tenths, .. } => {
            let front = Front::of(instance)?;
            Some(front.bits(front.best(*tenths)))
        }
        Kind::Deceptive { .. } | Kind::OneMax { .. } => Some(vec![true; instance.bits()]),
    }
}

/// Table of the dynamic program: the largest profit for every load up to a limit.
///
/// ```text
/// best_0(c) = 0,   best_k(c) = max(best_{k−1}(c), best_{k−1}(c − w_k) + p_k)
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
struct Table {
    /// Loads divided by their greatest common divisor.
    loads: Vec<u64>,
    divisor: u64,
    /// Largest profit for each load.
    best: Vec<u64>,
    /// Bits, items × loads: the optimum over items 0…k at this load takes item k.
    taken: Vec<u64>,
}

impl Table {
    /// Fills the table; `None` if it would be too large.
    fn new(profits: &[u64], loads: &[u64], limit: u64) -> Option<Self> {
        let divisor = loads.iter().fold(0, |divisor, &load| gcd(divisor, load)).max(1);
        let total = loads.iter().map(|&load| u128::from(load)).sum::<u128>();
        let limit = u128::from(limit).min(total) / u128::from(divisor);
        if (limit + 1).checked_mul(loads.len() as u128 + PROFIT)? > MOST_BITS {
            return None;
        }
        let width = usize::try_from(limit).ok()? + 1;
        let loads: Vec<u64> = loads.iter().map(|load| load / divisor).collect();
        let (mut best, mut taken) = (vec![0_u64; width], vec![0_u64; (loads.len() * width).div_ceil(64)]);
        for (item, (&profit, &load)) in profits.iter().zip(&loads).enumerate() {
            let Some(load) = usize::try_from(load).ok().filter(|&load| load < width) else { continue };
            // Descending loads, so that entries read do not contain this item yet.
            for at in (load..width).rev() {
                let with = best[at - load] + profit;
                if with > best[at] {
                    best[at] = with;
                    let entry = item * width + at;
                    taken[entry / 64] |= 1 << (entry % 64);
                }
            }
        }
        Some(Self { loads, divisor, best, taken })
    }

    /// Items of the optimum of a load.
    fn taken_at(&self, mut at: usize) -> Vec<bool> {
        let mut bits = vec![false; self.loads.len()];
        for item in (0..bits.len()).rev() {
            let entry = item * self.best.len() + at;
            if self.taken[entry / 64] >> (entry % 64) & 1 == 1 {
                bits[item] = true;
                // Only loads below the width are taken.
                at -= self.loads[item] as usize;
            }
        }
        bits
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Non-dominated release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Cost C.
    pub cost: u64,
    /// Value V in the unit of the instance.
    pub value: u64,
}

/// Exact Pareto front of a next release problem (minimal cost, maximal value).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Front {
    /// Points in ascending order of cost and value.
    pub points: Vec<Point>,
    table: Table,
    totals: Point,
}

impl Front {
    /// Computes the front; `None` for other problems, or if the table would be too large.
    pub fn of(instance: &Instance) -> Option<Self> {
        let Kind::NextRelease { costs, values, .. } = &instance.kind else { return None };
        let totals = Point { cost: costs.iter().sum(), value: values.iter().sum() };
        let table = Table::new(values, costs, totals.cost)?;
        let mut points: Vec<Point> = Vec::new();
        for (at, &value) in table.best.iter().enumerate() {
            if points.last().is_none_or(|last| last.value < value) {
                points.push(Point { cost: at as u64 * table.divisor, value });
            }
        }
        Some(Self { points, table, totals })
    }

    /// Index of the point that minimises max((1 − w)·C/C_total, w·(1 − V/V_total)), w in tenths; the cheapest among
    /// equals.
    pub fn best(&self, tenths: u8) -> usize {
        let [all_cost, all_value] = [self.totals.cost, self.totals.value].map(u128::from);
        let tenths = u128::from(tenths.min(10));
        let objective = |point: &Point| {
            let expensive = (10 - tenths) * u128::from(point.cost) * all_value;
            expensive.max(tenths * (all_value - u128::from(point.value)) * all_cost)
        };
        let members = self.points.iter().enumerate();
        members.min_by_key(|(at, point)| (objective(point), *at)).map_or(0, |(at, _)| at)
    }

    /// Requirements of a point.
    pub fn bits(&self, member: usize) -> Vec<bool> {
        let cost = self.points.get(member).map_or(0, |point| point.cost);
        self.table.taken_at((cost / self.table.divisor) as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::check::{Worth, check};
    use crate::library::{self, KNAPSACKS, TENTHS};

    fn of(kind: Kind) -> Instance {
        Instance { name: "test".into(), kind, names: Vec::new(), warnings: Vec::new(), hash: String::new() }
    }

    #[test]
    fn the_optima_of_the_paper_are_found() {
        for (items, range, profit, weight) in KNAPSACKS {
            let instance = library::named(&format!("knapsack:{items}-{range}"), TENTHS).unwrap();
            let verdict = check(&instance, &optimum(&instance).unwrap());
            let worth = Worth::Knapsack { profit, weight, overweight: 0, fitness: profit as i64 };
            assert_eq!((verdict.feasible, verdict.worth), (true, worth), "{items}-{range}");
        }
    }

    /// The best is 57, as the table's readme shows: tent, sleeping bag and food.
    #[test]
    fn the_sample_is_packed_as_by_hand() {
        let instance = library::sample("backpack", TENTHS).unwrap();
        let bits = optimum(&instance).unwrap();
        let names: Vec<String> = (0..8).filter(|&bit| bits[bit]).map(|bit| instance.bit_name(bit)).collect();
        assert_eq!(names, ["Tent", "Sleeping bag", "Food"]);
        assert_eq!(check(&instance, &bits).cost(), -57.0);
    }

    #[test]
    fn few_items_with_large_loads_need_too_large_a_table() {
        let table = |load: u64| Table::new(&[5, 3, 2], &[load, load - 1, 1], 2 * load);
        assert!(table(1_000_000).is_some());
        assert_eq!(table(50_000_000), None, "800 MB of profits");
    }

    #[test]
    fn known_optima_need_no_search() {
        let instance = library::named("mmdp:300", TENTHS).unwrap();
        let worth = check(&instance, &optimum(&instance).unwrap()).worth;
        assert_eq!(worth, Worth::Deceptive { millionths: 50_000_000, solved: 50, deceived: 0 });
        let instance = library::named("onemax:100", TENTHS).unwrap();
        assert_eq!(check(&instance, &optimum(&instance).unwrap()).cost(), -100.0);
    }

    #[test]
    fn what_would_take_too_long_is_not_begun() {
        let kind =
            |weight: u64| Kind::Knapsack { profits: vec![1; 1000], weights: vec![weight; 1000], capacity: 1 << 20 };
        // Weights of 1024 are as good as weights of 1.
        assert!(optimum(&of(kind(1024))).is_some_and(|bits| bits.iter().all(|&bit| bit)));
        assert!(optimum(&of(kind(2999))).is_some());
        let weights = (0..1000).map(|item| 100_000 + item).collect();
        let kind = Kind::Knapsack { profits: vec![1; 1000], weights, capacity: 1 << 20 };
        assert_eq!(optimum(&of(kind)), None);
    }

    fn strings(bits: usize) -> impl Iterator<Item = Vec<bool>> {
        (0..1_u32 << bits).map(move |code| (0..bits).map(|bit| code >> bit & 1 == 1).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_knapsack_is_better((items, capacity) in (proptest::collection::vec((0..30_u64, 0..20_u64), 4..9), 1..60_u64)) {
            let (profits, weights) = items.into_iter().unzip();
            let instance = of(Kind::Knapsack { profits, weights, capacity });
            let best = optimum(&instance).unwrap();
            let verdict = check(&instance, &best);
            prop_assert!(verdict.feasible);
            for other in strings(best.len()).map(|bits| check(&instance, &bits)) {
                prop_assert!(other.cost() > verdict.cost() || other.feasible && other.cost() == verdict.cost());
            }
        }

        #[test]
        fn no_release_is_better((items, tenths) in (proptest::collection::vec((0..30_u64, 0..9_u64), 4..9), 0..=10_u8)) {
            let (costs, values): (Vec<u64>, Vec<u64>) = items.into_iter().unzip();
            let instance = of(Kind::NextRelease { costs, values, value_scale: 1, tenths });
            prop_assume!(instance.clone().validated().is_ok());
            let front = Front::of(&instance).unwrap();
            let objective = |bits: &[bool]| match check(&instance, bits).worth {
                Worth::NextRelease { cost, value, numerator, .. } => (cost, value, numerator),
                _ => unreachable!(),
            };
            for (at, point) in front.points.iter().enumerate() {
                let (cost, value, _) = objective(&front.bits(at));
                prop_assert_eq!(Point { cost, value }, *point);
            }
            let best = objective(&optimum(&instance).unwrap()).2;
            for (cost, value, numerator) in strings(instance.bits()).map(|bits| objective(&bits)) {
                prop_assert!(front.points.iter().any(|point| point.cost <= cost && point.value >= value));
                prop_assert!(numerator >= best);
            }
        }
    }
}
