//! Search for the exams that a timetable leaves out where not all of them fit.
//!
//! Exams that rules, durations or rooms leave no period even in an empty timetable are left out first, and admitted again one
//! after the other, the largest first, while all that remain have a period: so that of exams whose rules contradict each other
//! as few as possible stay out. Then a tabu search walks over partial timetables without violations. A step places the unplaced
//! node in the period where the nodes in the way have the least weight, less its own, and takes these out; a node that was taken
//! out does not return to the period for a number of steps that grows with the number of unplaced nodes, unless that gives the
//! best timetable so far. Attempts after the first take a random unplaced node in each step, and the price of taking a node
//! out grows with the number of times that it took out others.
//!
//! Sources: I. Blöchliger, N. Zufferey, «A graph coloring heuristic using partial solutions and a reactive tabu scheme»,
//! Computers & Operations Research 35(3), 2008; for the growing prices: Y. Nagata, O. Bräysy, «A powerful route minimization
//! heuristic for the vehicle routing problem with time windows», Operations Research Letters 37(5), 2009.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::board::{Board, Kept};
use super::construct::{Partial, hopeless};
use super::model::SeatingModel;
use crate::annealing::board::Cell;
use crate::model::Model;
use crate::{Instance, Relation, RelationKind, Timetable};
use gridwright_core::random::{Philox, index};

/// Bits of the number of a node in random words, above which the number of the attempt is counted down.
const ATTEMPT: u32 = 20;

/// Purpose field of the random words of the search.
const PURPOSE: u32 = 0x14;

/// Steps between two questions whether the search goes on.
const ROUND: u32 = 64;

/// Steps without a better timetable after which the search ends: a fixed number and as many for each node.
const PATIENCE: (u32, u32) = (50_000, 500);

/// Answers, after each round, whether the search goes on; `true` while it makes its first timetable.
pub(crate) type GoesOn<'a> = dyn FnMut(bool) -> bool + 'a;

/// Steps for which a period that could not be cleared for a node is not tried again.
const STUCK: u32 = 1_000;

/// Largest number of unplaced nodes that a step considers.
const CONSIDERED: usize = 48;

/// Weight of an exam that has no place: its students, or 1 where as few exams as possible shall have none.
pub(crate) fn weight(instance: &Instance) -> impl Fn(usize) -> u64 {
    |exam| match instance.rules.fewest_exams {
        true => 1,
        false => u64::from(instance.exams[exam].enrolment.max(1)),
    }
}

/// Model of a session without some of its exams, and without the rules that name these.
#[derive(Clone)]
pub(crate) struct Remaining {
    /// Exams that are left out.
    pub(crate) left_out: BTreeSet<u16>,
    /// Model of the others.
    pub(crate) model: SeatingModel,
}

impl Remaining {
    /// Steps of a round of the search.
    pub(crate) const ROUND: u32 = ROUND;

    /// Leaves out these exams.
    pub(crate) fn without(instance: &Instance, left_out: BTreeSet<u16>) -> Self {
        let is_related = |exam: u16| left_out.contains(&exam);
        let mut instance = Cow::Borrowed(instance);
        if instance.rules.relations.iter().any(|rule| is_related(rule.first) || is_related(rule.second)) {
            let relations = &mut instance.to_mut().rules.relations;
            relations.retain(|rule| !is_related(rule.first) && !is_related(rule.second));
        }
        // An exam without rules is a node of its own.
        let nodes: Vec<usize> = match left_out.is_empty() {
            true => Vec::new(),
            false => {
                let plain = Model::new(&instance);
                let exams_of = |node: usize| plain.exams_of(node).first().copied().unwrap_or(node);
                (0..plain.nodes()).filter(|&node| left_out.contains(&(exams_of(node) as u16))).collect()
            }
        };
        let model = SeatingModel::without(&instance, &nodes);
        Self { left_out, model }
    }

    /// Leaves out the exams that have no period even in an empty timetable, but of exams that exclude each other as few as
    /// possible; an exam of greater `weight` rather stays. Exams that `goes_on` leaves no time to try stay out.
    pub(crate) fn of(instance: &Instance, weight: &dyn Fn(usize) -> u64, goes_on: &mut GoesOn<'_>) -> Self {
        let whole = Self::without(instance, BTreeSet::new());
        let without_period = hopeless(&whole.model);
        if without_period.is_empty() {
            return whole;
        }
        let exams = without_period.iter().flat_map(|&node| whole.model.exams_of(node)).map(|&exam| exam as u16);
        let mut exams: Vec<u16> = exams.collect();
        let mut remaining = Self::without(instance, exams.iter().copied().collect());
        // No rule is to blame for these.
        let mut alone = instance.clone();
        alone.rules.relations.clear();
        let alone = SeatingModel::new(&alone);
        let never: Vec<u16> = hopeless(&alone).into_iter().map(|exam| exam as u16).collect();
        exams.retain(|exam| never.binary_search(exam).is_err());
        exams.sort_by_key(|&exam| (Reverse(weight(exam.into())), exam));
        remaining.admit(instance, &exams, goes_on);
        let total = |remaining: &Self| remaining.left_out.iter().map(|&exam| weight(exam.into())).sum::<u64>();
        let least = total(&remaining);
        let fewer = Self::by_removal(instance, never, weight, goes_on);
        fewer.filter(|fewer| total(fewer) < least).unwrap_or(remaining)
    }

    /// Leaves out these exams and, one after the other, the exam without which the fewest others have no period, until all have
    /// one; then admits again what has a period in the end. `None` if that takes too long.
    fn by_removal(
        instance: &Instance, never: Vec<u16>, weight: &dyn Fn(usize) -> u64, goes_on: &mut GoesOn<'_>,
    ) -> Option<Self> {
        let out = |left_out: BTreeSet<u16>| {
            let remaining = Self::without(instance, left_out);
            let nodes = hopeless(&remaining.model);
            let exams = nodes.iter().flat_map(|&node| remaining.model.exams_of(node)).map(|&exam| exam as u16);
            let exams: Vec<u16> = exams.collect();
            (exams, remaining)
        };
        let mut left_out: BTreeSet<u16> = never.iter().copied().collect();
        let mut remaining = loop {
            let (exams, remaining) = out(left_out.clone());
            if exams.is_empty() {
                break remaining;
            }
            if exams.len() > CONSIDERED || !goes_on(false) {
                return None;
            }
            let rank = |&exam: &u16| {
                let others = out(left_out.iter().copied().chain([exam]).collect()).0;
                let weights = others.into_iter().chain([exam]).map(|exam| weight(exam.into()));
                (weights.sum::<u64>(), exam)
            };
            left_out.insert(exams.into_iter().min_by_key(rank)?);
        };
        let mut again: Vec<u16> = left_out.iter().copied().filter(|exam| !never.contains(exam)).collect();
        again.sort_by_key(|&exam| (Reverse(weight(exam.into())), exam));
        again.iter().for_each(|&exam| remaining.admit(instance, &[exam], goes_on));
        Some(remaining)
    }

    /// Admits as many of these exams, in this order, as have a period together with all others.
    fn admit(&mut self, instance: &Instance, exams: &[u16], goes_on: &mut GoesOn<'_>) {
        if exams.is_empty() || !goes_on(false) {
            return;
        }
        let fewer = self.left_out.iter().copied().filter(|exam| !exams.contains(exam)).collect();
        let with_exams = Self::without(instance, fewer);
        if hopeless(&with_exams.model).is_empty() {
            *self = with_exams;
        } else if exams.len() > 1 {
            let (first, second) = exams.split_at(exams.len() / 2);
            self.admit(instance, first, goes_on);
            self.admit(instance, second, goes_on);
        }
    }

    /// Weight of each node: the sum of those of its exams, at least 1.
    pub(crate) fn weights(&self, weight: &dyn Fn(usize) -> u64) -> Vec<u64> {
        let of = |node: usize| self.model.exams_of(node).iter().map(|&exam| weight(exam)).sum::<u64>().max(1);
        (0..self.model.nodes()).map(of).collect()
    }

    /// Timetable of the nodes with as much weight as an attempt of the search finds a place for. It ends once the unplaced nodes
    /// have at most the weight `least`, after a number of steps without success, or when `goes_on` says so.
    pub(crate) fn place_most<C: Cell>(
        &self, weights: &[u64], least: u64, (seed, attempt): (u64, u32), goes_on: &mut GoesOn<'_>,
    ) -> Timetable {
        let mut search = Search::<C>::new(&self.model, weights, Philox::new(seed), attempt);
        search.fill(goes_on);
        search.walk(least, goes_on);
        search.best.timetable(&self.model)
    }

    /// Timetable that places more nodes than `timetable`, of all exams, does, as far as a search of so many rounds from there
    /// finds one before `goes_on` ends it.
    pub(crate) fn place_more(
        &self, weights: &[u64], timetable: &Timetable, rounds: usize, goes_on: &mut GoesOn<'_>,
    ) -> Timetable {
        let mut search = Search::<i32>::new(&self.model, weights, Philox::new(0), 0);
        search.settle(&self.model.reduce(timetable));
        let mut left = rounds;
        search.walk(0, &mut |is_first| {
            left = left.saturating_sub(1);
            left > 0 && goes_on(is_first)
        });
        search.best.timetable(&self.model)
    }

    /// Places exams of a timetable of all exams that only rules with other unplaced exams keep out of a period: those that are
    /// left out, and those that are related to an unplaced exam.
    pub(crate) fn complete_related(
        &self, instance: &Instance, timetable: &mut Timetable, weight: &dyn Fn(usize) -> u64,
    ) {
        let open = |timetable: &Timetable| -> BTreeSet<u16> {
            timetable.unplaced_exams().into_iter().map(|exam| exam as u16).collect()
        };
        let unplaced = open(timetable);
        let is_kept_out = |exam: &u16| {
            let mut relations = instance.rules.relations_of(usize::from(*exam));
            let is_related = relations.any(|it| [it.first, it.second].iter().all(|end| unplaced.contains(end)));
            is_related || self.left_out.contains(exam)
        };
        let mut exams: Vec<u16> = unplaced.iter().copied().filter(is_kept_out).collect();
        exams.sort_by_key(|&exam| (Reverse(weight(exam.into())), exam));
        for exam in exams {
            let others: BTreeSet<u16> = open(timetable).into_iter().filter(|&other| other != exam).collect();
            // Exams that must be in its period stay where they are.
            let mut single = instance.clone();
            let (own, rest) = single.rules.relations.into_iter().partition(|it| {
                it.kind == RelationKind::Same && [it.first, it.second].contains(&exam) && it.first != it.second
            });
            single.rules.relations = rest;
            let own: BTreeSet<Relation> = own;
            let partners = own.iter().flat_map(|it| [it.first, it.second]);
            let fixed: BTreeSet<usize> = partners.filter_map(|exam| timetable.period_of(exam.into())).collect();
            let alone = Self::without(&single, others);
            let mut nodes = alone.model.reduce(timetable);
            alone.complete(&mut nodes, &alone.weights(weight), &|period| fixed.iter().all(|&at| at == period));
            *timetable = Timetable::clone(&alone.model.expand(&Arc::new(nodes)));
        }
    }

    /// Places unplaced nodes in such periods wherever nothing is in the way, those of greater weight first and each where it costs
    /// least.
    pub(crate) fn complete(&self, timetable: &mut Timetable, weights: &[u64], is_possible: &dyn Fn(usize) -> bool) {
        let model = &self.model;
        let mut board = Board::<i32>::new(model, timetable);
        let mut open: Vec<usize> = timetable.unplaced_exams();
        open.sort_by_key(|&node| (Reverse(weights[node]), node));
        for node in open {
            let possible = (0..model.periods).filter(|&period| is_possible(period));
            let free = possible.filter(|&period| board.obstacle(model, node, period) == Board::<i32>::FREE);
            let cheapest = free.collect::<Vec<_>>().into_iter().min_by_key(|&at| (board.near_of(model, node, at), at));
            let Some(period) = cheapest else { continue };
            let sittings: Vec<usize> = model.sittings_of(node).filter(|_| model.rooms > 0).collect();
            if board.seating.seat_together(model, &sittings, period).is_some() {
                board.put(model, node, period);
            }
        }
        *timetable = board.timetable(model);
    }
}

struct Search<'a, C> {
    partial: Partial<'a, C>,
    weights: &'a [u64],
    /// Price of taking out each node: its weight, or a number that grows during the search.
    prices: Cow<'a, [u64]>,
    philox: Philox,
    /// Number of the attempt.
    attempt: u32,
    /// Step before which node n does not return to period t, at n · periods + t.
    barred: Vec<u32>,
    /// Price of the neighbours of the node that is considered, in each period.
    neighbours: Vec<u64>,
    /// Weight of the unplaced nodes.
    open: u64,
    /// Best timetable so far and the weight of its unplaced nodes.
    best: Kept,
    best_open: u64,
}

impl<'a, C: Cell> Search<'a, C> {
    fn new(model: &'a SeatingModel, weights: &'a [u64], philox: Philox, attempt: u32) -> Self {
        let mut partial = Partial::new(model);
        let prices = if attempt > 0 { Cow::Owned(vec![1; model.nodes()]) } else { Cow::Borrowed(weights) };
        partial.weigh(&prices);
        let (barred, open) = (vec![0; model.nodes() * model.periods], weights.iter().sum());
        let mut best = Kept::default();
        partial.board.keep(&mut best);
        let neighbours = vec![0; model.periods];
        Self { partial, weights, prices, philox, attempt, barred, neighbours, open, best, best_open: open }
    }

    /// Random words of a step for one of its purposes; no two attempts have the same.
    fn words(&self, word: u32, step: u32, of: u32) -> [u32; 4] {
        self.philox.words(word, step, of.wrapping_sub(self.attempt << ATTEMPT), PURPOSE)
    }

    /// Places nodes as in a timetable of nodes.
    fn settle(&mut self, timetable: &Timetable) {
        for node in 0..self.partial.model.nodes() {
            let Some(period) = timetable.period_of(node).filter(|&period| period < self.partial.model.periods) else {
                continue;
            };
            if self.partial.is_free(node, period) && self.partial.seat_as(node, period, timetable, true) {
                self.partial.enter(node, period);
                self.open -= self.weights[node];
            }
        }
        self.keep_if_better();
    }

    /// Places the nodes with the fewest periods first, each in a free period if there is one.
    fn fill(&mut self, goes_on: &mut GoesOn<'_>) {
        let mut aside = Vec::new();
        for step in 0.. {
            if self.partial.open.is_empty() || (step % ROUND == ROUND - 1 && !goes_on(true)) {
                break;
            }
            let words = self.words(0, step, 0);
            let node = self.partial.most_saturated(words[0]);
            match self.partial.free_period(node, words[1]) {
                Some(period) if self.partial.place(node, period) => self.open -= self.weights[node],
                _ => {
                    self.partial.open.retain(|&other| usize::from(other) != node);
                    aside.push(node as u16);
                }
            }
        }
        self.partial.open.append(&mut aside);
        self.keep_if_better();
    }

    fn keep_if_better(&mut self) -> bool {
        let is_better = self.open < self.best_open;
        if is_better {
            self.best_open = self.open;
            self.partial.board.keep(&mut self.best);
        }
        is_better
    }

    fn walk(&mut self, least: u64, goes_on: &mut GoesOn<'_>) {
        let patience = PATIENCE.0 + PATIENCE.1 * self.partial.model.nodes() as u32;
        let mut improved_at = 0;
        for step in 1..u32::MAX {
            let is_over = self.best_open <= least || step - improved_at > patience;
            if is_over || (step % ROUND == 0 && !goes_on(false)) {
                return;
            }
            let Some((node, period)) = self.chosen(step) else { continue };
            self.force(step, node, period);
            if self.keep_if_better() {
                improved_at = step;
            }
        }
    }

    /// The node and the period of a step; `None` if all are barred.
    fn chosen(&mut self, step: u32) -> Option<(usize, usize)> {
        let model = self.partial.model;
        let open = self.partial.open.len();
        let considered = if self.has_growing_prices() { 1 } else { CONSIDERED };
        let start = index(self.words(0, step, 1)[0], open as u32) as usize;
        let mut best: Option<(i64, u32, usize, usize)> = None;
        for offset in 0..open.min(considered) {
            let node = usize::from(self.partial.open[(start + offset) % open]);
            let seatable = self.partial.seatable(node);
            self.weigh_neighbours(node);
            for period in seatable.iter() {
                let change = |out: u64| out as i64 - self.prices[node] as i64;
                // No less is in the way than the neighbours there.
                let least = change(self.neighbours[period]);
                let is_barred = self.barred[node * model.periods + period] > step;
                let can_be_best = self.is_best(least);
                if best.is_some_and(|best| least > best.0) || (is_barred && !can_be_best) {
                    continue;
                }
                let has_rules = !model.related[node].is_empty() || model.limits.is_some();
                let change = match model.rooms == 0 && !has_rules {
                    true => least,
                    false => {
                        let way = self.partial.in_the_way(node, period);
                        change(way.iter().map(|&other| self.prices[usize::from(other)]).sum())
                    }
                };
                if best.is_some_and(|best| change > best.0) || (is_barred && !self.is_best(change)) {
                    continue;
                }
                let word = self.words(1 + period as u32, step, 2 + node as u32)[0];
                if best.is_none_or(|best| (change, word) < (best.0, best.1)) {
                    best = Some((change, word, node, period));
                }
            }
        }
        best.map(|(.., node, period)| (node, period))
    }

    /// Returns `true` if prices grow during the search.
    fn has_growing_prices(&self) -> bool {
        matches!(self.prices, Cow::Owned(_))
    }

    /// Returns `true` if such a change of the weight of the unplaced nodes is known to give the best timetable so far.
    fn is_best(&self, change: i64) -> bool {
        !self.has_growing_prices() && self.open.saturating_add_signed(change) < self.best_open
    }

    /// Sums the prices of the neighbours of a node in each period.
    fn weigh_neighbours(&mut self, node: usize) {
        self.neighbours.fill(0);
        for neighbour in self.partial.model.neighbours(node) {
            let other = usize::from(neighbour.node);
            if let Some(sum) = self.neighbours.get_mut(usize::from(self.partial.board.place[other])) {
                *sum += self.prices[other];
            }
        }
    }

    /// Places a node in a period and takes out what is in the way.
    fn force(&mut self, step: u32, node: usize, period: usize) {
        let word = self.words(0, step, 1)[1];
        let tenure = 1 + (self.partial.open.len() * 3 / 5) as u32 + index(word, 10);
        let mut out = self.partial.in_the_way(node, period);
        if let Cow::Owned(prices) = &mut self.prices
            && !out.is_empty()
        {
            prices[node] += 1;
            self.partial.weigh(prices);
        }
        out.iter().for_each(|&other| self.partial.eject(usize::from(other)));
        // What is in the way in the rooms depends on the order in which sittings are seated.
        while !self.partial.place(node, period) {
            let Some(other) = self.partial.lightest(period) else {
                // Rules on rooms tie it to exams of other periods.
                self.barred[node * self.partial.model.periods + period] = step + STUCK;
                self.open += self.weights[node];
                break;
            };
            self.partial.eject(other);
            out.push(other as u16);
        }
        self.open -= self.weights[node];
        for other in out {
            self.open += self.weights[usize::from(other)];
            self.barred[usize::from(other) * self.partial.model.periods + period] = step + tenure;
        }
    }
}

impl SeatingModel {
    /// Builds the model of an instance without these exams and the rules that name them.
    pub fn of_others(instance: &Instance, left_out: &[u16]) -> Self {
        Remaining::without(instance, left_out.iter().copied().collect()).model
    }
}
