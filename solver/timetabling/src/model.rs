//! The search model of an instance: a graph of nodes in which exams that must share a period are one node, with the
//! rules as sets, lists and prices per node.
//!
//! Without rules, seats and reference timetable the nodes are the exams. Otherwise
//!
//! * exams that must be in the same period are merged into one node, whose enrolments and conflicts are added up;
//! * exams that must be in different periods are joined by an edge with 0 shared students;
//! * pins, forbidden periods, durations, precedences and seat limits become a set of allowed periods per node, narrowed by bounds
//!   consistency of the precedences until a fixed point is reached;
//! * a reference timetable to stay close to becomes a price per node and period.

use std::sync::Arc;

use super::components::connected;
use super::costs::PairCosts;
use super::rules::RelationKind;
use super::{Conflicts, Instance, Timetable, UNPLACED};

/// Set of periods below 256, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PeriodSet([u64; 4]);

impl PeriodSet {
    /// The set {0, …, `count` − 1}; `count` is cut at 256.
    pub(crate) fn below(count: usize) -> Self {
        let mut set = Self::default();
        (0..count.min(256)).for_each(|period| set.insert(period));
        set
    }

    /// Returns `true` if `period` is in the set.
    #[inline(always)]
    pub fn contains(self, period: usize) -> bool {
        self.0[period / 64 % 4] >> (period % 64) & 1 == 1
    }

    /// Adds a period.
    pub(crate) fn insert(&mut self, period: usize) {
        self.0[period / 64 % 4] |= 1 << (period % 64);
    }

    /// Removes every period for which `keep` returns `false`.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for period in 0..256 {
            if self.contains(period) && !keep(period) {
                self.0[period / 64] &= !(1 << (period % 64));
            }
        }
    }

    /// The periods that are in at least one of two sets.
    pub(crate) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Number of periods in the set.
    pub(crate) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns `true` if the set holds no period.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// Iterates over the periods, ascending.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..256).filter(move |&period| self.contains(period))
    }

    /// The period at position `index` (from 0) in ascending order; `None` if the set is smaller.
    pub(crate) fn nth(self, index: usize) -> Option<usize> {
        self.iter().nth(index)
    }
}

/// Precedence constraint of one node with another: one of the two must be in an earlier period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Precedence {
    /// Index of the other node.
    pub other: u16,
    /// True if the other node must be in the later period, false if in the earlier one.
    pub(crate) other_later: bool,
}

impl Precedence {
    /// Returns `true` if the constraint holds with this node in `period` and the other node in period `other`.
    #[inline(always)]
    pub(crate) fn holds(self, period: usize, other: usize) -> bool {
        if self.other_later { period < other } else { other < period }
    }
}

/// Constraints and prices beyond «no clashes», by node of the [`Model`].
#[derive(Debug, Clone, PartialEq)]
pub struct Restrictions {
    /// Allowed periods of each node.
    pub allowed: Vec<PeriodSet>,
    /// Precedence constraints of each node; every constraint is listed at both of its nodes.
    pub(crate) precedences: Vec<Vec<Precedence>>,
    /// Nodes that must be in another period than this one by a rule, ascending, for each node.
    pub different: Vec<Vec<u16>>,
    /// Enrolment of each node: the sum over its exams.
    pub enrolment: Vec<u32>,
    /// Seats of each period, `u32::MAX` for a period without a limit; empty if no period has one.
    pub seats: Vec<u32>,
    /// Price of node n in period t, in raw cost units, at index n·periods + t; empty without a reference timetable.
    pub prices: Vec<u32>,
    /// Period of each node in the reference timetable, if there is one.
    pub reference: Option<Timetable>,
}

impl Restrictions {
    /// Price of `node` in `period`, in raw cost units; 0 without a reference timetable.
    #[inline(always)]
    pub(crate) fn price(&self, node: usize, period: usize) -> u32 {
        if self.prices.is_empty() { 0 } else { self.prices[node * (self.prices.len() / self.allowed.len()) + period] }
    }
}

impl Restrictions {
    /// The restrictions after renumbering: node `order[k]` becomes node k; `number` is the inverse permutation.
    fn reordered(&self, order: &[usize], number: &[u16]) -> Self {
        let renamed = |node: &u16| number[usize::from(*node)];
        let different = |&old: &usize| {
            let mut list: Vec<u16> = self.different[old].iter().map(renamed).collect();
            list.sort_unstable();
            list
        };
        let precedences = |&old: &usize| {
            self.precedences[old]
                .iter()
                .map(|precedence| Precedence { other: renamed(&precedence.other), ..*precedence })
                .collect()
        };
        let periods = self.prices.len() / order.len().max(1);
        Self {
            allowed: order.iter().map(|&old| self.allowed[old]).collect(),
            precedences: order.iter().map(precedences).collect(),
            different: order.iter().map(different).collect(),
            enrolment: order.iter().map(|&old| self.enrolment[old]).collect(),
            seats: self.seats.clone(),
            prices: order.iter().flat_map(|&old| &self.prices[old * periods..(old + 1) * periods]).copied().collect(),
            reference: self
                .reference
                .as_ref()
                .map(|reference| Timetable::of(order.iter().map(|&old| reference.periods[old]).collect())),
        }
    }
}

/// Search model of an instance; see the [module](self) for its relation to the exams.
#[derive(Debug, Clone)]
pub struct Model {
    /// Number of periods.
    pub periods: usize,
    /// Conflict graph of the nodes, edges weighted with the number of shared students.
    pub conflicts: Arc<Conflicts>,
    /// Constraints beyond «no clashes»; `None` for an unrestricted instance.
    pub restrictions: Option<Restrictions>,
    /// Exam indices of each node; empty if every node is one exam.
    groups: Vec<Vec<usize>>,
    exams: usize,
    largest: u32,
}

/// Edges and pairwise constraints of an instance after merging its exams into nodes.
struct Merged {
    /// Edges (a, b, shared students) of the conflict graph; 0 students for nodes that a rule keeps apart.
    edges: Vec<(u16, u16, u32)>,
    /// True for each node whose own exams exclude each other.
    impossible: Vec<bool>,
    /// As [`Restrictions::different`].
    different: Vec<Vec<u16>>,
    /// As [`Restrictions::precedences`].
    precedences: Vec<Vec<Precedence>>,
}

impl Merged {
    /// Merges conflicts and relations; exam e belongs to node `node_of[e]` of `nodes`.
    fn new(instance: &Instance, node_of: &[u16], nodes: usize) -> Self {
        let related = |kind: RelationKind| {
            instance
                .rules
                .relations
                .iter()
                .filter(move |relation| relation.kind == kind)
                .map(move |relation| (node_of[usize::from(relation.first)], node_of[usize::from(relation.second)]))
        };
        let mut edges = Vec::new();
        let mut impossible = vec![false; nodes];
        for exam in 0..instance.exam_count() {
            for (other, shared) in instance.conflicts.of(exam).filter(|&(other, _)| other > exam) {
                if node_of[exam] == node_of[other] {
                    impossible[usize::from(node_of[exam])] = true;
                } else {
                    edges.push((node_of[exam], node_of[other], shared));
                }
            }
        }
        let mut different = vec![Vec::new(); nodes];
        for (a, b) in related(RelationKind::Different) {
            if a == b {
                impossible[usize::from(a)] = true;
                continue;
            }
            edges.push((a, b, 0));
            different[usize::from(a)].push(b);
            different[usize::from(b)].push(a);
        }
        for list in &mut different {
            list.sort_unstable();
            list.dedup();
        }
        let mut precedences: Vec<Vec<Precedence>> = vec![Vec::new(); nodes];
        for (first, second) in related(RelationKind::Before) {
            if first == second {
                impossible[usize::from(first)] = true;
                continue;
            }
            for (node, precedence) in [
                (first, Precedence { other: second, other_later: true }),
                (second, Precedence { other: first, other_later: false }),
            ] {
                if !precedences[usize::from(node)].contains(&precedence) {
                    precedences[usize::from(node)].push(precedence);
                }
            }
        }
        Self { edges, impossible, different, precedences }
    }
}

impl Model {
    /// Builds the model of an instance. Contradictory rules leave nodes with an empty set of allowed periods.
    pub fn new(instance: &Instance) -> Self {
        let exams = instance.exam_count();
        let largest = instance.exams.iter().map(|exam| exam.enrolment).max().unwrap_or(0);
        if !instance.is_restricted() {
            return Self {
                periods: instance.period_count(),
                conflicts: Arc::clone(&instance.conflicts),
                restrictions: None,
                groups: Vec::new(),
                exams,
                largest,
            };
        }
        let groups = groups(instance);
        let mut node_of = vec![0_u16; exams];
        for (node, group) in groups.iter().enumerate() {
            for &exam in group {
                node_of[exam] = node as u16;
            }
        }
        let Merged { edges, impossible, different, precedences } = Merged::new(instance, &node_of, groups.len());
        let enrolment: Vec<u32> =
            groups.iter().map(|group| group.iter().map(|&exam| instance.exams[exam].enrolment).sum()).collect();
        let mut restrictions = Restrictions {
            allowed: allowed(instance, &groups, &impossible, &enrolment),
            precedences,
            different,
            seats: seats(instance),
            prices: prices(instance, &groups),
            reference: reference(instance, &groups),
            enrolment,
        };
        narrow(&mut restrictions, instance.period_count());
        let largest = restrictions.enrolment.iter().copied().max().unwrap_or(0);
        Self {
            periods: instance.period_count(),
            conflicts: Arc::new(Conflicts::from_edges(groups.len(), edges)),
            restrictions: Some(restrictions),
            groups: if groups.len() == exams { Vec::new() } else { groups },
            exams,
            largest,
        }
    }

    /// Renumbers the nodes by descending `rank(conflicts, node)`; nodes of equal rank keep their order.
    pub fn by_rank(&self, rank: impl Fn(&Conflicts, usize) -> u64) -> Self {
        let mut order: Vec<usize> = (0..self.nodes()).collect();
        order.sort_by_cached_key(|&node| std::cmp::Reverse(rank(&self.conflicts, node)));
        let mut number = vec![0_u16; order.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new as u16;
        }
        Self {
            periods: self.periods,
            conflicts: Arc::new(self.conflicts.renumbered(&order, &number)),
            restrictions: self.restrictions.as_ref().map(|restrictions| restrictions.reordered(&order, &number)),
            groups: order.iter().map(|&old| self.groups.get(old).cloned().unwrap_or_else(|| vec![old])).collect(),
            exams: self.exams,
            largest: self.largest,
        }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.conflicts.exams()
    }

    /// Returns `true` if there is a reference timetable, so that nodes have prices.
    pub(crate) fn has_prices(&self) -> bool {
        self.restrictions.as_ref().is_some_and(|restrictions| !restrictions.prices.is_empty())
    }

    /// Highest price of a node in any period, in raw cost units; `None` without a reference timetable.
    pub(crate) fn highest_price(&self) -> Option<u32> {
        self.restrictions.as_ref().and_then(|restrictions| restrictions.prices.iter().copied().max())
    }

    /// Returns `true` if every node is one exam and nodes and exams have the same indices.
    pub(crate) fn is_plain(&self) -> bool {
        self.groups.is_empty()
    }

    /// Exam indices of a merged node; empty if the model [is plain](Self::is_plain).
    pub fn exams_of(&self, node: usize) -> &[usize] {
        self.groups.get(node).map_or(&[], Vec::as_slice)
    }

    /// Largest enrolment of a node: an upper bound on the students that a node shares with the nodes of one period.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// Converts a timetable of nodes into the timetable of all exams.
    pub fn expand(&self, nodes: &Arc<Timetable>) -> Arc<Timetable> {
        if self.groups.is_empty() {
            return Arc::clone(nodes);
        }
        let mut timetable = Timetable::unplaced(self.exams);
        for (group, &period) in self.groups.iter().zip(&nodes.periods) {
            for &exam in group {
                timetable.periods[exam] = period;
            }
        }
        Arc::new(timetable)
    }

    /// Converts a timetable of all exams, in which those of a node share their period, into one of the nodes.
    pub(crate) fn reduce(&self, exams: &Timetable) -> Timetable {
        let mut nodes = Timetable::unplaced(self.nodes());
        for (node, period) in nodes.periods.iter_mut().enumerate() {
            *period = exams.periods[self.exams_of(node).first().copied().unwrap_or(node)];
        }
        nodes
    }

    /// Objective of a conflict-free timetable of nodes: raw proximity cost plus prices. Unplaced nodes cost nothing.
    pub fn objective(&self, nodes: &Timetable) -> u64 {
        let mut cost = 0;
        for (node, &period) in nodes.periods.iter().enumerate().filter(|&(_, &period)| period != UNPLACED) {
            let (_, near) =
                super::costs::share_at(&self.conflicts, &PairCosts::Proximity, nodes, node, usize::from(period));
            let price = self.restrictions.as_ref().map_or(0, |r| r.price(node, usize::from(period)));
            // Every pair is met from both of its ends.
            cost += near + 2 * u64::from(price);
        }
        cost / 2
    }

    /// Connected components of the graph of conflicts and precedences, each ascending, ordered by their smallest node.
    /// With seat limits all nodes are one component.
    pub fn components(&self) -> Vec<Vec<usize>> {
        let Some(restrictions) = &self.restrictions else { return self.conflicts.components() };
        if !restrictions.seats.is_empty() {
            return vec![(0..self.nodes()).collect()];
        }
        let conflicts = |node: usize| self.conflicts.of(node).map(|(other, _)| other);
        let precedences =
            |node: usize| restrictions.precedences[node].iter().map(|precedence| usize::from(precedence.other));
        connected(self.nodes(), |node| conflicts(node).chain(precedences(node)).collect())
    }
}

/// Groups of exams that must be in the same period; an exam without such a relation is a group of its own.
pub(super) fn groups(instance: &Instance) -> Vec<Vec<usize>> {
    let mut same: Vec<Vec<usize>> = vec![Vec::new(); instance.exam_count()];
    for relation in instance.rules.relations.iter().filter(|relation| relation.kind == RelationKind::Same) {
        same[usize::from(relation.first)].push(usize::from(relation.second));
        same[usize::from(relation.second)].push(usize::from(relation.first));
    }
    connected(instance.exam_count(), |exam| same[exam].clone())
}

fn seats(instance: &Instance) -> Vec<u32> {
    let limits: Vec<Option<u32>> = (0..instance.period_count()).map(|period| instance.seat_limit(period)).collect();
    if limits.iter().all(Option::is_none) {
        return Vec::new();
    }
    limits.into_iter().map(|limit| limit.unwrap_or(u32::MAX)).collect()
}

fn allowed(instance: &Instance, groups: &[Vec<usize>], impossible: &[bool], enrolment: &[u32]) -> Vec<PeriodSet> {
    let of = |(node, group): (usize, &Vec<usize>)| {
        let mut set = PeriodSet::below(instance.period_count());
        set.retain(|period| {
            !impossible[node]
                && group.iter().all(|&exam| instance.rules.allows(exam, period) && instance.has_time_for(exam, period))
                && instance.seat_limit(period).is_none_or(|seats| enrolment[node] <= seats)
        });
        set
    };
    groups.iter().enumerate().map(of).collect()
}

fn prices(instance: &Instance, groups: &[Vec<usize>]) -> Vec<u32> {
    let Some(reference) = &instance.rules.reference else { return Vec::new() };
    let mut prices = Vec::with_capacity(groups.len() * instance.period_count());
    for group in groups {
        for period in 0..instance.period_count() {
            let moved = group.iter().filter(|&&exam| reference.is_moved(exam, Some(period))).count();
            prices.push(reference.weight.saturating_mul(moved as u32));
        }
    }
    prices
}

fn reference(instance: &Instance, groups: &[Vec<usize>]) -> Option<Timetable> {
    let reference = instance.rules.reference.as_ref()?;
    let of = |group: &Vec<usize>| reference.timetable.periods.get(group[0]).copied().unwrap_or(UNPLACED);
    Some(Timetable::of(groups.iter().map(of).collect()))
}

/// Removes allowed periods that violate a precedence with every allowed period of the other node, until a fixed point.
fn narrow(restrictions: &mut Restrictions, periods: usize) {
    // Each round takes at least one period away from a node.
    for _ in 0..restrictions.allowed.len() * periods {
        let mut changed = false;
        for node in 0..restrictions.allowed.len() {
            for at in 0..restrictions.precedences[node].len() {
                let precedence = restrictions.precedences[node][at];
                let other = restrictions.allowed[usize::from(precedence.other)];
                let bound = if precedence.other_later { other.iter().last() } else { other.iter().next() };
                let before = restrictions.allowed[node];
                restrictions.allowed[node].retain(|period| bound.is_some_and(|bound| precedence.holds(period, bound)));
                changed |= restrictions.allowed[node] != before;
            }
        }
        if !changed {
            break;
        }
    }
}
