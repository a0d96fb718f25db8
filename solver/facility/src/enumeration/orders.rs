//! Optimal orders within bays: dynamic programming over sets for one bay, branch and bound over several.

use super::PRECISION;
use super::sets::{Point, Set, Sets, members};

/// Bay whose order is optimised by dynamic programming over the set of departments placed before.
#[derive(Debug)]
pub struct Line {
    members: Vec<usize>,
    /// Members as a set of the instance's departments.
    set: Set,
    width: f64,
}

impl Line {
    /// The bay that holds the departments of `set`, whose order is open.
    pub fn new(sets: &Sets, set: Set) -> Self {
        Self { members: members(set).collect(), set, width: sets.width(set) }
    }

    /// Minimum over all orders of `share` · (cost within the bay and to doors) + Σ `beside(department, centroid)`.
    pub fn best(&self, sets: &Sets, share: f64, beside: impl Fn(usize, f64) -> f64) -> f64 {
        let mut best = vec![f64::INFINITY; 1 << self.members.len()];
        self.fill(sets, share, beside, &mut best);
        best[best.len() - 1]
    }

    /// Order that attains [`Self::best`], as department indices.
    pub fn order(&self, sets: &Sets, share: f64, beside: impl Fn(usize, f64) -> f64) -> Vec<usize> {
        let mut best = vec![f64::INFINITY; 1 << self.members.len()];
        let last = self.fill(sets, share, beside, &mut best);
        let mut order = Vec::with_capacity(self.members.len());
        let mut before = best.len() - 1;
        while before != 0 {
            let one = usize::from(last[before]);
            order.push(self.members[one]);
            before &= !(1 << one);
        }
        order.reverse();
        order
    }

    /// Fills `best[T]` for all subsets T placed first; returns the last department of each. With v_j the centroid of j
    /// behind the set T, the cost within the bay is Σ_j v_j·(F(j, T) − F(j, rest)).
    #[inline(always)]
    fn fill(&self, sets: &Sets, share: f64, beside: impl Fn(usize, f64) -> f64, best: &mut [f64]) -> Vec<u8> {
        let count = self.members.len();
        let mut last = vec![0; best.len()];
        // Instance-wide set of each subset of this bay.
        let mut words = vec![0 as Set; best.len()];
        for before in 1..best.len() {
            let lowest = before.trailing_zeros() as usize;
            words[before] = words[before & (before - 1)] | 1 << self.members[lowest];
        }
        best[0] = 0.0;
        for before in 0..best.len() - 1 {
            let (set, cost) = (words[before], best[before]);
            let begin = sets.area[set as usize];
            for place in (0..count).filter(|place| before >> place & 1 == 0) {
                let one = self.members[place];
                let at = (begin + sets.areas[one] / 2.0) / self.width;
                let balance = sets.flow_to(one, set) - sets.flow_to(one, self.set & !set & !(1 << one));
                let mut with = cost + share * at * balance + beside(one, at);
                if !sets.is_symmetric() {
                    with += share * sets.to_doors(one, at);
                }
                let after = before | 1 << place;
                if with < best[after] {
                    best[after] = with;
                    last[after] = place as u8;
                }
            }
        }
        last
    }
}

/// Calls `tell` with every permutation of `order` (B. R. Heap, «Permutations by interchanges», The Computer Journal
/// 6(3), 1963).
pub(crate) fn permutations(order: &mut [usize], tell: &mut impl FnMut(&[usize])) {
    fn rest(count: usize, order: &mut [usize], tell: &mut impl FnMut(&[usize])) {
        if count <= 1 {
            tell(order);
            return;
        }
        for at in 0..count {
            rest(count - 1, order, tell);
            if at + 1 < count {
                order.swap(if count.is_multiple_of(2) { at } else { 0 }, count - 1);
            }
        }
    }
    rest(order.len(), order, tell);
}

/// Optimal orders in all bays of a partition with their cost; `None` if it is not below `limit`. With rectilinear distances it is
/// the cost along the bays, with Euclidean ones the whole cost, which depends on the centre lines of the bays, `centres`.
pub(crate) fn best_orders(sets: &Sets, bays: &[Set], centres: &[f64], limit: f64) -> Option<(f64, Vec<Vec<usize>>)> {
    // Bays with few departments are branched on first; the last and largest is solved by dynamic programming.
    let mut by_size: Vec<usize> = (0..bays.len()).collect();
    by_size.sort_by_key(|&bay| (bays[bay].count_ones(), bays[bay]));
    let lines = by_size.iter().map(|&bay| Line::new(sets, bays[bay])).collect();
    let mut branch = Branch {
        sets,
        bays: by_size.iter().map(|&bay| bays[bay]).collect(),
        centres: by_size.iter().map(|&bay| centres[bay]).collect(),
        lines,
        limit,
        placed: Vec::with_capacity(sets.len()),
        chosen: Vec::new(),
        found: None,
    };
    branch.go(0, 0.0);
    let (cost, orders) = branch.found?;
    let mut of_bays = vec![Vec::new(); bays.len()];
    by_size.iter().zip(orders).for_each(|(&bay, order)| of_bays[bay] = order);
    Some((cost, of_bays))
}

struct Branch<'a> {
    sets: &'a Sets,
    bays: Vec<Set>,
    centres: Vec<f64>,
    lines: Vec<Line>,
    limit: f64,
    placed: Vec<Point>,
    chosen: Vec<Vec<usize>>,
    found: Option<(f64, Vec<Vec<usize>>)>,
}

impl Branch<'_> {
    /// Branches over the orders of bay `depth`; the bays before it are placed at cost `cost`.
    fn go(&mut self, depth: usize, cost: f64) {
        if depth + 1 == self.bays.len() {
            let across = self.centres[depth];
            let beside = |one: usize, at: f64| self.sets.to_placed((one, across, at), &self.placed);
            let all = cost + self.lines[depth].best(self.sets, 1.0, beside);
            if all < self.limit {
                let mut orders = self.chosen.clone();
                orders.push(self.lines[depth].order(self.sets, 1.0, beside));
                self.limit = all * (1.0 - PRECISION);
                self.found = Some((all, orders));
            }
            return;
        }
        let mut order: Vec<usize> = members(self.bays[depth]).collect();
        let all = {
            let mut all = Vec::new();
            permutations(&mut order, &mut |order| {
                // Without doors a layout and its mirror image cost the same.
                if depth > 0 || order.len() < 2 || !self.sets.is_symmetric() || order[0] < order[order.len() - 1] {
                    all.push(order.to_vec());
                }
            });
            all
        };
        for order in all {
            let known = self.placed.len();
            let (placed, within) = self.sets.placed(&order, self.bays[depth], self.centres[depth]);
            let beside: f64 = placed.iter().map(|&point| self.sets.to_placed(point, &self.placed[..known])).sum();
            let now = cost + within + beside;
            self.placed.extend(placed);
            if now + self.rest(depth + 1) < self.limit {
                self.chosen.push(order);
                self.go(depth + 1, now);
                self.chosen.pop();
            }
            self.placed.truncate(known);
        }
    }

    /// Lower bound of the bays from `depth` on: each optimised alone beside the placed departments.
    fn rest(&self, depth: usize) -> f64 {
        let least = |(line, &across): (&Line, &f64)| {
            line.best(self.sets, 1.0, |one, at| self.sets.to_placed((one, across, at), &self.placed))
        };
        self.lines[depth..].iter().zip(&self.centres[depth..]).map(least).sum()
    }
}
