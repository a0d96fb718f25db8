//! The problem as searches see it: exams that must stand together are one node, rules are sets and lists.
//!
//! Without rules the nodes are the exams. With rules
//!
//! * exams that must be in the same period become one node, which shares the students of all of them;
//! * exams that must be in different periods get an edge with 0 shared students;
//! * pins, forbidden periods, the order of exams and seats that no exam of a node could find become a set of periods
//!   for every node, narrowed until nothing follows any more;
//! * a timetable to stay close to becomes a price for every node and period.

use std::sync::Arc;

use super::rules::RelationKind;
use super::{Conflicts, Instance, Timetable, UNPLACED};

/// A set of periods.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PeriodSet([u64; 4]);

impl PeriodSet {
    /// All periods below `count`.
    pub fn below(count: usize) -> Self {
        let mut set = Self::default();
        (0..count.min(256)).for_each(|period| set.insert(period));
        set
    }

    /// Whether a period is in it.
    #[inline(always)]
    pub fn contains(self, period: usize) -> bool {
        self.0[period / 64 % 4] >> (period % 64) & 1 == 1
    }

    /// Adds a period.
    pub fn insert(&mut self, period: usize) {
        self.0[period / 64 % 4] |= 1 << (period % 64);
    }

    /// Keeps only the periods for which the answer is yes.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        for period in 0..256 {
            if self.contains(period) && !keep(period) {
                self.0[period / 64] &= !(1 << (period % 64));
            }
        }
    }

    /// Number of periods in it.
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no period is in it.
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// The periods, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..256).filter(move |&period| self.contains(period))
    }

    /// The `index`-th period, ascending.
    pub fn nth(self, index: usize) -> Option<usize> {
        self.iter().nth(index)
    }
}

/// A node that must stand earlier or later than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// The other node.
    pub other: u16,
    /// Whether the other must be the later one.
    pub other_later: bool,
}

impl Order {
    /// Whether «this node in `period`, the other in `other`» is in order.
    #[inline(always)]
    pub fn holds(self, period: usize, other: usize) -> bool {
        if self.other_later { period < other } else { other < period }
    }
}

/// What is demanded beyond «no clashes», per node.
#[derive(Debug, Clone, PartialEq)]
pub struct Restrictions {
    /// The periods in which a node may stand.
    pub allowed: Vec<PeriodSet>,
    /// Nodes that must be earlier or later.
    pub orders: Vec<Vec<Order>>,
    /// Nodes that must be elsewhere though they share no student, ascending.
    pub different: Vec<Vec<u16>>,
    /// Students of every node, all its exams together.
    pub enrolment: Vec<u32>,
    /// Seats of every period, `u32::MAX` where any number is right; empty where no period has a limit.
    pub seats: Vec<u32>,
    /// Price of node n in period t at n·periods + t; empty where there is no timetable to stay close to.
    pub prices: Vec<u32>,
    /// Where the nodes stood in the timetable to stay close to.
    pub reference: Option<Timetable>,
}

impl Restrictions {
    /// Price of a node in a period.
    #[inline(always)]
    pub fn price(&self, node: usize, period: usize) -> u32 {
        if self.prices.is_empty() { 0 } else { self.prices[node * (self.prices.len() / self.allowed.len()) + period] }
    }
}

impl Restrictions {
    /// With node `order[k]` as number k; `number` is the inverse.
    fn reordered(&self, order: &[usize], number: &[u16]) -> Self {
        let renamed = |node: &u16| number[usize::from(*node)];
        let different = |&old: &usize| {
            let mut list: Vec<u16> = self.different[old].iter().map(renamed).collect();
            list.sort_unstable();
            list
        };
        let orders = |&old: &usize| {
            self.orders[old].iter().map(|order| Order { other: renamed(&order.other), ..*order }).collect()
        };
        let periods = self.prices.len() / order.len().max(1);
        Self {
            allowed: order.iter().map(|&old| self.allowed[old]).collect(),
            orders: order.iter().map(orders).collect(),
            different: order.iter().map(different).collect(),
            enrolment: order.iter().map(|&old| self.enrolment[old]).collect(),
            seats: self.seats.clone(),
            prices: order.iter().flat_map(|&old| &self.prices[old * periods..(old + 1) * periods]).copied().collect(),
            reference: self
                .reference
                .as_ref()
                .map(|reference| Timetable { periods: order.iter().map(|&old| reference.periods[old]).collect() }),
        }
    }
}

/// The problem as searches see it.
#[derive(Debug, Clone)]
pub struct Model {
    /// Number of periods.
    pub periods: usize,
    /// Who shares students with whom, among nodes.
    pub conflicts: Arc<Conflicts>,
    /// What is demanded beyond «no clashes»; `None`: nothing.
    pub restrictions: Option<Restrictions>,
    /// The exams of every node; empty where nodes are exams.
    groups: Vec<Vec<usize>>,
    exams: usize,
    largest: u32,
}

impl Model {
    /// The model of an instance; demands that contradict each other leave nodes that may stand nowhere.
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
        let related = |kind: RelationKind| {
            let node_of = &node_of;
            instance
                .rules
                .relations
                .iter()
                .filter(move |relation| relation.kind == kind)
                .map(move |relation| (node_of[usize::from(relation.first)], node_of[usize::from(relation.second)]))
        };
        let mut edges = Vec::new();
        let mut impossible = vec![false; groups.len()];
        for exam in 0..exams {
            for (other, shared) in instance.conflicts.of(exam).filter(|&(other, _)| other > exam) {
                if node_of[exam] == node_of[other] {
                    impossible[usize::from(node_of[exam])] = true;
                } else {
                    edges.push((node_of[exam], node_of[other], shared));
                }
            }
        }
        let mut different = vec![Vec::new(); groups.len()];
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
        let mut orders: Vec<Vec<Order>> = vec![Vec::new(); groups.len()];
        for (first, second) in related(RelationKind::Before) {
            if first == second {
                impossible[usize::from(first)] = true;
                continue;
            }
            for (node, order) in [
                (first, Order { other: second, other_later: true }),
                (second, Order { other: first, other_later: false }),
            ] {
                if !orders[usize::from(node)].contains(&order) {
                    orders[usize::from(node)].push(order);
                }
            }
        }
        let enrolment: Vec<u32> =
            groups.iter().map(|group| group.iter().map(|&exam| instance.exams[exam].enrolment).sum()).collect();
        let mut restrictions = Restrictions {
            allowed: allowed(instance, &groups, &impossible, &enrolment),
            orders,
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

    /// The same with its nodes by falling rank, equal ones as they were.
    pub fn by_rank(&self, rank: impl Fn(&Conflicts, usize) -> u64) -> Self {
        let mut order: Vec<usize> = (0..self.nodes()).collect();
        order.sort_by_cached_key(|&node| std::cmp::Reverse(rank(&self.conflicts, node)));
        let mut number = vec![0_u16; order.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new as u16;
        }
        let edges = order.iter().flat_map(|&old| {
            let later = self.conflicts.of(old).filter(move |&(other, _)| other > old);
            later.map({
                let number = &number;
                move |(other, shared)| (number[old], number[other], shared)
            })
        });
        Self {
            periods: self.periods,
            conflicts: Arc::new(Conflicts::from_edges(order.len(), edges)),
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

    /// Whether there is a timetable to stay close to.
    pub fn has_prices(&self) -> bool {
        self.restrictions.as_ref().is_some_and(|restrictions| !restrictions.prices.is_empty())
    }

    /// The highest price of a node in a period; `None` where there is no timetable to stay close to.
    pub fn highest_price(&self) -> Option<u32> {
        self.restrictions.as_ref().and_then(|restrictions| restrictions.prices.iter().copied().max())
    }

    /// Whether every node is one exam.
    pub fn is_plain(&self) -> bool {
        self.groups.is_empty()
    }

    /// The exams of a node.
    pub fn exams_of(&self, node: usize) -> &[usize] {
        self.groups.get(node).map_or(&[], Vec::as_slice)
    }

    /// Most students that can meet in one cell of a table over nodes and periods.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// The timetable of all exams that a timetable of nodes means.
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

    /// What a search minimises over a conflict-free timetable of nodes: proximity and prices.
    pub fn objective(&self, nodes: &Timetable) -> u64 {
        let mut cost = 0;
        for (node, &period) in nodes.periods.iter().enumerate().filter(|&(_, &period)| period != UNPLACED) {
            let (_, near) = super::timetable::share_at(&self.conflicts, nodes, node, usize::from(period));
            let price = self.restrictions.as_ref().map_or(0, |r| r.price(node, usize::from(period)));
            // Every pair is met from both of its ends.
            cost += near + 2 * u64::from(price);
        }
        cost / 2
    }

    /// Sets of nodes that influence each other's cost or place, each ascending, ordered by their smallest node.
    pub fn components(&self) -> Vec<Vec<usize>> {
        let Some(restrictions) = &self.restrictions else { return self.conflicts.components() };
        if !restrictions.seats.is_empty() {
            return vec![(0..self.nodes()).collect()];
        }
        let conflicts = |node: usize| self.conflicts.of(node).map(|(other, _)| other);
        let orders = |node: usize| restrictions.orders[node].iter().map(|order| usize::from(order.other));
        connected(self.nodes(), |node| conflicts(node).chain(orders(node)).collect())
    }
}

/// Connected components, each ascending, ordered by their smallest member.
pub(super) fn connected(count: usize, neighbours: impl Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut seen = vec![false; count];
    let mut components = Vec::new();
    for first in 0..count {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut component = vec![first];
        let mut at = 0;
        while at < component.len() {
            for other in neighbours(component[at]) {
                if !std::mem::replace(&mut seen[other], true) {
                    component.push(other);
                }
            }
            at += 1;
        }
        component.sort_unstable();
        components.push(component);
    }
    components
}

/// Exams that must be in the same period, and every other exam alone.
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
                && group.iter().all(|&exam| instance.rules.allows(exam, period))
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
    Some(Timetable { periods: groups.iter().map(of).collect() })
}

/// Takes away periods that leave no room for what must be earlier or later, until nothing changes.
fn narrow(restrictions: &mut Restrictions, periods: usize) {
    // Each round takes at least one period away from a node.
    for _ in 0..restrictions.allowed.len() * periods {
        let mut changed = false;
        for node in 0..restrictions.allowed.len() {
            for at in 0..restrictions.orders[node].len() {
                let order = restrictions.orders[node][at];
                let other = restrictions.allowed[usize::from(order.other)];
                let bound = if order.other_later { other.iter().last() } else { other.iter().next() };
                let before = restrictions.allowed[node];
                restrictions.allowed[node].retain(|period| bound.is_some_and(|bound| order.holds(period, bound)));
                changed |= restrictions.allowed[node] != before;
            }
        }
        if !changed {
            break;
        }
    }
}
