//! Search for the departments that follow a held one, and the places that they take.

use super::kept::Former;
use super::{Held, breaks_nothing};
use crate::check::{Verdict, check};
use crate::evaluation::{Places, Problem, Score};
use crate::genes::END;
use crate::{Fixed, Instance, Layout};
use gridwright_core::random::{Philox, index};

/// Work of an answer in nanoseconds of [`work_of`].
const WORK: u64 = 50_000_000;

/// Largest number of layouts that are evaluated for an answer.
const EVALUATIONS: u64 = 20_000;

/// Part of what holding the department costs that each other department must save which moves.
const SHARE: f64 = 16.0;

/// Least price of a department that moves, as a part of the cost before.
const LEAST: f64 = 1e-3;

/// Largest number of other departments that move, but for those that a limit makes move.
const MOST: usize = 10;

/// Purpose of the random words; see [`Philox::words`].
const DRAWN: u32 = 0x60;

/// Change of the bays without the held department.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    /// A department goes into a bay, before the department at a place there.
    Into(u16, usize, usize),
    /// Two departments exchange their places.
    Exchange(u16, u16),
}

/// Bays without the held department, evaluated with it.
#[derive(Debug, Clone)]
struct Arrangement {
    bays: Vec<Vec<u16>>,
    score: Score,
    /// Number of other departments that do not keep their place.
    moved: usize,
}

/// Search around a held department.
pub(super) struct Repair<'a> {
    instance: &'a Instance,
    before: &'a Verdict,
    held: &'a Held,
    problem: Problem,
    places: Places,
    genes: Vec<u16>,
    former: Former,
    /// Bay and place of the held department.
    at: (usize, usize),
    price: f64,
    /// Evaluations that are left.
    left: u64,
}

impl<'a> Repair<'a> {
    /// Prepares the search; `before` is the verdict on the layout before. `None` if the held department has no place.
    pub(super) fn new(instance: &'a Instance, layout: &Layout, held: &'a Held, before: &'a Verdict) -> Option<Self> {
        let own = |bay: &Vec<u16>| bay.iter().position(|&other| other == held.department);
        let at = held.dropped.bays.iter().enumerate().find_map(|(number, bay)| Some((number, own(bay)?)))?;
        let problem = problem(instance, layout);
        Some(Self {
            instance,
            before,
            held,
            places: problem.places(),
            genes: Vec::with_capacity(problem.len()),
            former: Former::of(&layout.bays, held.department),
            at,
            price: before.cost * LEAST,
            left: (WORK / work_of(problem.len() as u64)).min(EVALUATIONS),
            problem,
        })
    }

    /// The layout in which others follow the held department; `None` if the search `is_over`.
    pub(super) fn run(mut self, seed: u64, is_over: &dyn Fn() -> bool) -> Option<Layout> {
        let own = self.held.department;
        let others = |bay: &Vec<u16>| bay.iter().copied().filter(|&other| other != own).collect();
        let bays: Vec<Vec<u16>> = self.held.dropped.bays.iter().map(others).collect();
        let mut best = Arrangement { score: self.evaluate(&bays), moved: self.moved(&bays), bays };
        self.price = self.price.max((best.score.cost - self.before.cost) / SHARE);
        while !self.is_done(&best) && self.descend(&mut best, seed, is_over) {}
        let mut step = 0;
        while !self.is_done(&best) && !is_over() && self.problem.len() > 2 {
            self.draw_pair(&mut best, seed, step);
            step += 1;
        }
        (!is_over()).then(|| self.layout(&best.bays))
    }

    /// True if nothing is broken that held before and the cost is no greater, or if the work is done.
    fn is_done(&self, best: &Arrangement) -> bool {
        let is_cheap = best.score.cost <= self.before.cost * (1.0 + 1e-12);
        let is_whole = || {
            let is_new = best.score.violation > 0.0;
            !is_new
                || !self.before.feasible && breaks_nothing(self.before, &check(self.instance, &self.layout(&best.bays)))
        };
        self.left == 0 || is_cheap && is_whole()
    }

    fn layout(&self, bays: &[Vec<u16>]) -> Layout {
        let mut bays = bays.to_vec();
        bays[self.at.0].insert(self.at.1, self.held.department);
        Layout::of_bays(self.held.dropped.orientation, bays)
    }

    /// Number of others that do not keep their place.
    fn moved(&self, bays: &[Vec<u16>]) -> usize {
        self.problem.len() - 1 - self.former.kept(bays)
    }

    fn evaluate(&mut self, bays: &[Vec<u16>]) -> Score {
        self.left = self.left.saturating_sub(1);
        self.genes.clear();
        for (number, bay) in bays.iter().enumerate() {
            let (before, behind) = bay.split_at(if number == self.at.0 { self.at.1 } else { bay.len() });
            self.genes.extend(before);
            self.genes.extend((number == self.at.0).then_some(self.held.department));
            self.genes.extend(behind);
            if let Some(last) = self.genes.last_mut() {
                *last |= END;
            }
        }
        self.problem.evaluate(&self.genes, &mut self.places)
    }

    /// Violation, and cost with prices.
    fn value(&self, arrangement: &Arrangement) -> Score {
        let Score { violation, cost } = arrangement.score;
        Score { violation, cost: cost + self.price * arrangement.moved as f64 }
    }

    /// An arrangement after a change; `None` if a bay would be empty, or the held department would lose its place.
    fn changed(&self, bays: &[Vec<u16>], change: Change) -> Option<Vec<Vec<u16>>> {
        let mut bays = bays.to_vec();
        match change {
            Change::Into(department, bay, place) => {
                let (from, at) = place_of(&bays, department)?;
                bays[from].remove(at);
                let target = bays.get_mut(bay)?;
                target.insert(place.min(target.len()), department);
            }
            Change::Exchange(one, other) => {
                let ((bay, place), (other_bay, other_place)) = (place_of(&bays, one)?, place_of(&bays, other)?);
                (bays[bay][place], bays[other_bay][other_place]) = (other, one);
            }
        }
        let keeps = |(number, bay): (usize, &Vec<u16>)| {
            if number == self.at.0 { bay.len() >= self.at.1 } else { !bay.is_empty() }
        };
        bays.iter().enumerate().all(keeps).then_some(bays)
    }

    /// The arrangement after a change if it is better than `best`, prices included, and does not move too many departments.
    fn better(&mut self, best: &Arrangement, change: Change) -> Option<Arrangement> {
        let bays = self.changed(&best.bays, change)?;
        let score = self.evaluate(&bays);
        // Counting departments takes longer than the evaluation.
        if !score.is_better(&self.value(best)) {
            return None;
        }
        let next = Arrangement { score, moved: self.moved(&bays), bays };
        let is_few = next.moved <= MOST || next.score.violation < best.score.violation;
        (is_few && self.value(&next).is_better(&self.value(best))).then_some(next)
    }

    /// Makes the changes that save most, one after the other; returns `false` if none is better.
    fn descend(&mut self, best: &mut Arrangement, seed: u64, is_over: &dyn Fn() -> bool) -> bool {
        let mut gains: Vec<(Score, Change)> = Vec::new();
        for change in self.changes(&best.bays, seed) {
            if is_over() || self.left == 0 {
                break;
            }
            gains.extend(self.better(best, change).map(|next| (self.value(&next), change)));
        }
        let by_value = |one: &Score, other: &Score| {
            one.violation.total_cmp(&other.violation).then(one.cost.total_cmp(&other.cost))
        };
        gains.sort_by(|one, other| by_value(&one.0, &other.0));
        let mut is_better = false;
        for (_, change) in gains {
            if self.is_done(best) {
                break;
            }
            if let Some(next) = self.better(best, change) {
                (*best, is_better) = (next, true);
            }
        }
        is_better
    }

    /// Changes of one or two departments: all, or as many drawn as half of the evaluations that are left.
    fn changes(&self, bays: &[Vec<u16>], seed: u64) -> Vec<Change> {
        let departments: Vec<u16> = bays.iter().flatten().copied().collect();
        let mut changes = Vec::new();
        for (at, &department) in departments.iter().enumerate() {
            let places = bays.iter().enumerate().flat_map(|(bay, others)| (0..=others.len()).map(move |at| (bay, at)));
            changes.extend(places.map(|(bay, place)| Change::Into(department, bay, place)));
            changes.extend(departments[at + 1..].iter().map(|&other| Change::Exchange(department, other)));
        }
        let most = (self.left / 2).max(1) as usize;
        if changes.len() > most {
            let random = Philox::new(seed);
            for place in 0..most {
                let word = random.words(place as u32, 0, 1, DRAWN)[0];
                let other = place + index(word, (changes.len() - place) as u32) as usize;
                changes.swap(place, other);
            }
            changes.truncate(most);
        }
        changes
    }

    /// Makes a change that is drawn and then the best one of another department, and keeps both if that is better.
    fn draw_pair(&mut self, best: &mut Arrangement, seed: u64, step: u32) {
        let departments: Vec<u16> = best.bays.iter().flatten().copied().collect();
        let count = departments.len() as u32;
        let words = Philox::new(seed).words(0, step, 0, DRAWN);
        let [one, other] = [words[0], words[1]].map(|word| departments[index(word, count) as usize]);
        let bay = index(words[2], best.bays.len() as u32) as usize;
        let place = index(words[3], best.bays[bay].len() as u32 + 1) as usize;
        self.left = self.left.saturating_sub(1);
        let Some(bays) = self.changed(&best.bays, Change::Into(one, bay, place)).filter(|_| one != other) else {
            return;
        };
        // The first change alone counts as worse than everything.
        let start = Arrangement { bays, score: best.score, moved: best.moved };
        let mut chosen: Option<Arrangement> = None;
        for bay in 0..start.bays.len() {
            for place in 0..=start.bays[bay].len() {
                let bound = chosen.as_ref().unwrap_or(&*best).clone();
                let from = Arrangement { bays: start.bays.clone(), ..bound };
                chosen = self.better(&from, Change::Into(other, bay, place)).or(chosen);
            }
        }
        if let Some(next) = chosen {
            *best = next;
        }
    }
}

/// Work of evaluating a layout of so many departments: nanoseconds of a thread, roughly.
fn work_of(departments: u64) -> u64 {
    departments * departments / 2 + 30 * departments
}

/// Bay of a department and its place there.
fn place_of(bays: &[Vec<u16>], department: u16) -> Option<(usize, usize)> {
    let own = |bay: &Vec<u16>| bay.iter().position(|&other| other == department);
    bays.iter().enumerate().find_map(|(number, bay)| Some((number, own(bay)?)))
}

/// The instance prepared for bays as those of a layout. Rectangles that must be kept count by how far they are missed.
fn problem(instance: &Instance, layout: &Layout) -> Problem {
    let mut wanted = instance.clone();
    let orientation = layout.orientation;
    let placed = instance.rules.placed.iter();
    let fixed = placed.map(|placed| Fixed { department: placed.department, rectangle: placed.rectangle, orientation });
    wanted.rules.fixed.extend(fixed);
    let mut problem = Problem::new(&wanted, orientation);
    problem.frame = None;
    problem
}
