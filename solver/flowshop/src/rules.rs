//! Rules of the user for the order of jobs: jobs that are pinned to a position, and jobs that must not be before another one.
//!
//! An order that meets all rules is a schedule of unit jobs on one machine: job j takes one of the positions r_j ≤ t < d_j, where a pin
//! sets both limits and r_b ≥ r_a + 1, d_a ≤ d_b − 1 where b is not before a. The job with the earliest limit d_j goes first among those
//! that may stand in a position; that finds an order whenever there is one.

use gridwright_core::numbers::counted;
use gridwright_core::text::lines::{listed_of, quoted};
use gridwright_core::{Error, Result};

use super::Instance;

/// Largest number of rules.
pub(crate) const MAX_RULES: usize = 4_096;

/// Largest number of jobs of which an order is repaired job by job; that takes time quadratic in their number.
const REPAIRED: usize = 4_000;

/// Rules that a message lists.
const LISTED: usize = 6;

/// Job that stays in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// Job index.
    pub job: u16,
    /// Position in the order, counted from 0.
    pub position: u16,
}

/// Two jobs of which the second is not before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precedence {
    /// Job index of the first job.
    pub first: u16,
    /// Job index of the job that stands behind it.
    pub then: u16,
}

/// Rules for the order of jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Jobs that stay in a position.
    pub pins: Vec<Pin>,
    /// Jobs that are not before another one.
    pub precedences: Vec<Precedence>,
}

/// Positions that each job may take: from `from` to `until` − 1.
struct Window {
    from: Vec<usize>,
    until: Vec<usize>,
}

impl Rules {
    /// Returns `true` if there are no rules.
    pub fn is_empty(&self) -> bool {
        self.pins.is_empty() && self.precedences.is_empty()
    }

    /// Position to which a job is pinned; `None` if it is not.
    pub fn pinned(&self, job: usize) -> Option<usize> {
        self.pins.iter().find(|pin| usize::from(pin.job) == job).map(|pin| pin.position.into())
    }

    /// The rules as sentences without full stops.
    pub fn sentences(&self, instance: &Instance) -> Vec<String> {
        let pin = |pin: &Pin| format!("{} in position {}", name(instance, pin.job), pin.position + 1);
        let precedence =
            |pair: &Precedence| format!("{} not before {}", name(instance, pair.then), name(instance, pair.first));
        self.pins.iter().map(pin).chain(self.precedences.iter().map(precedence)).collect()
    }

    /// Checks that some order of the jobs meets all rules.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the rules that contradict each other, the jobs that have started, or the number of jobs.
    pub fn check(&self, instance: &Instance) -> Result<()> {
        self.contradiction(instance).map_or(Ok(()), |what| Err(Error::Usage(format!("{}: {what}", instance.name))))
    }

    /// First contradiction, with its remedy.
    fn contradiction(&self, instance: &Instance) -> Option<String> {
        let jobs = instance.job_count();
        let count = self.pins.len() + self.precedences.len();
        if count > MAX_RULES {
            return Some(format!("{count} rules for the order; at most {MAX_RULES} can be handled, remove some"));
        }
        let named = self.pins.iter().map(|pin| pin.job);
        let mut named = named.chain(self.precedences.iter().flat_map(|pair| [pair.first, pair.then]));
        if named.any(|job| usize::from(job) >= jobs) {
            return Some("a rule for the order names a job that does not exist; remove it".to_owned());
        }
        self.pin_fault(instance).or_else(|| self.precedence_fault(instance)).or_else(|| {
            let job = self.earliest(instance, &vec![0; jobs]).err()?;
            let rules = self.concerning(job).sentences(instance);
            Some(format!(
                "no order meets the rules {}: there is no position for {}; remove one of them",
                listed_of(&rules, String::clone),
                name(instance, job)
            ))
        })
    }

    /// First pin that another pin, the number of jobs or the jobs that have started contradict.
    fn pin_fault(&self, instance: &Instance) -> Option<String> {
        let (jobs, started) = (instance.job_count(), &instance.frozen.order);
        for (at, pin) in self.pins.iter().enumerate() {
            let (job, position) = (name(instance, pin.job), usize::from(pin.position));
            if self.pins[..at].contains(pin) {
                continue;
            }
            if let Some(other) = self.pins[..at].iter().find(|other| other.job == pin.job) {
                let [one, other] = [other.position, pin.position].map(|position| position + 1);
                return Some(format!("{job} is pinned to the positions {one} and {other}; remove one pin"));
            }
            if let Some(other) = self.pins[..at].iter().find(|other| other.position == pin.position) {
                let other = name(instance, other.job);
                let number = position + 1;
                return Some(format!("{other} and {job} are both pinned to position {number}; remove one pin"));
            }
            if position >= jobs {
                let number = position + 1;
                return Some(format!("{job} is pinned to position {number} of {jobs}; choose a position up to {jobs}"));
            }
            let own = started.iter().position(|other| *other == pin.job);
            if own == Some(position) {
                continue;
            }
            if own.is_some() {
                return Some(format!(
                    "{job} has started and keeps another position than that of its pin; remove the pin"
                ));
            }
            if position < started.len() {
                let (number, free) = (position + 1, started.len() + 1);
                let started = counted(started.len() as u64, "job");
                return Some(format!(
                    "{job} is pinned to position {number}, but {started} that started come first; choose a position from \
                     {free} on"
                ));
            }
        }
        None
    }

    /// First precedence that the jobs that have started contradict, or first cycle of them.
    fn precedence_fault(&self, instance: &Instance) -> Option<String> {
        let started = &instance.frozen.order;
        let rank = |job: u16| started.iter().position(|other| *other == job).unwrap_or(started.len());
        for pair in &self.precedences {
            let (first, then) = (name(instance, pair.first), name(instance, pair.then));
            if pair.first == pair.then {
                return Some(format!("{first} cannot be behind itself; remove the rule"));
            }
            if rank(pair.then) < rank(pair.first) {
                return Some(format!("{then} has started, so it stands before {first}; remove the rule between them"));
            }
        }
        let cycle = self.cycle()?;
        let links = cycle.iter().zip(cycle.iter().cycle().skip(1));
        let links: Vec<String> = links
            .map(|(&first, &then)| format!("{} not before {}", name(instance, then), name(instance, first)))
            .collect();
        Some(format!("the rules {} form a circle; remove one of them", listed_of(&links, String::clone)))
    }

    /// Jobs of a circle of precedences, each before the next; `None` without one.
    fn cycle(&self) -> Option<Vec<u16>> {
        // Pairs whose first job is behind nothing belong to no circle.
        let mut open = self.precedences.clone();
        loop {
            let left: Vec<Precedence> =
                open.iter().filter(|pair| open.iter().any(|other| other.then == pair.first)).copied().collect();
            if left.len() == open.len() {
                break;
            }
            open = left;
        }
        // Backwards from any pair, some job is met again.
        let mut path = vec![open.first()?.first];
        loop {
            let last = path[path.len() - 1];
            let before = open.iter().find(|pair| pair.then == last)?.first;
            if let Some(at) = path.iter().position(|job| *job == before) {
                let mut circle = path.split_off(at);
                circle.reverse();
                return Some(circle);
            }
            path.push(before);
        }
    }

    /// The rules that are connected with a job, as many as a message lists.
    fn concerning(&self, job: u16) -> Self {
        let mut jobs = vec![job];
        let mut at = 0;
        while let Some(&job) = jobs.get(at).filter(|_| jobs.len() <= LISTED) {
            for pair in self.precedences.iter().filter(|pair| pair.first == job || pair.then == job) {
                let other = if pair.first == job { pair.then } else { pair.first };
                if !jobs.contains(&other) {
                    jobs.push(other);
                }
            }
            at += 1;
        }
        let is_near = |pair: &&Precedence| jobs.contains(&pair.first) && jobs.contains(&pair.then);
        // Pins of other jobs take positions, too.
        let own = self.pins.iter().filter(|pin| jobs.contains(&pin.job));
        let others = self.pins.iter().filter(|pin| !jobs.contains(&pin.job));
        Self {
            pins: own.chain(others).take(LISTED).copied().collect(),
            precedences: self.precedences.iter().filter(is_near).take(LISTED).copied().collect(),
        }
    }

    /// Positions that each job may take by its own rules and those of jobs before and behind it; the rules have no circle.
    fn window(&self, instance: &Instance) -> Window {
        let jobs = instance.job_count();
        let started = &instance.frozen.order;
        let mut window = Window { from: vec![started.len().min(jobs); jobs], until: vec![jobs; jobs] };
        let fixed = started.iter().enumerate().map(|(position, &job)| (usize::from(job), position));
        let pins = self.pins.iter().map(|pin| (usize::from(pin.job), usize::from(pin.position)));
        for (job, position) in fixed.chain(pins).filter(|(job, _)| *job < jobs) {
            (window.from[job], window.until[job]) = (position, position + 1);
        }
        // Each round is one step along the longest chain.
        for _ in 0..=self.precedences.len() {
            let mut is_changed = false;
            for pair in &self.precedences {
                let [first, then] = [pair.first, pair.then].map(usize::from);
                let (from, until) = (window.from[first] + 1, window.until[then].saturating_sub(1));
                is_changed |= window.from[then] < from || window.until[first] > until;
                window.from[then] = window.from[then].max(from);
                window.until[first] = window.until[first].min(until);
            }
            if !is_changed {
                break;
            }
        }
        window
    }

    /// An order that meets the rules; among jobs that are equally urgent the one of lower rank stands first. `ranks[j]` = rank of job j.
    ///
    /// # Errors
    /// A job for which there is no position.
    fn earliest(&self, instance: &Instance, ranks: &[usize]) -> std::result::Result<Vec<u16>, u16> {
        filled(&self.window(instance), 0, &(0..instance.job_count() as u16).collect::<Vec<_>>(), ranks)
    }

    /// An order of all jobs that meets the rules and is otherwise like `order`: each position takes the first of the remaining jobs with
    /// which the rest can still meet the rules; of many jobs, the most urgent ones come first. The order itself if it meets the rules, or if
    /// no order does.
    pub fn repaired(&self, instance: &Instance, order: &[u16]) -> Vec<u16> {
        if self.is_empty() || self.is_met(order) {
            return order.to_vec();
        }
        let mut ranks = vec![0; instance.job_count()];
        for (rank, &job) in order.iter().enumerate() {
            if let Some(own) = ranks.get_mut(usize::from(job)) {
                *own = rank;
            }
        }
        if order.len() > REPAIRED {
            return self.earliest(instance, &ranks).unwrap_or_else(|_| order.to_vec());
        }
        let window = self.window(instance);
        let mut left = order.to_vec();
        let mut repaired = Vec::with_capacity(order.len());
        while !left.is_empty() {
            let position = repaired.len();
            let fits = |at: &usize| {
                let job = usize::from(left[*at]);
                let is_next = window.from[job] <= position && position < window.until[job];
                let waits = |pair: &Precedence| usize::from(pair.then) == job && left.contains(&pair.first);
                let rest: Vec<u16> = left.iter().copied().filter(|other| usize::from(*other) != job).collect();
                is_next && !self.precedences.iter().any(waits) && filled(&window, position + 1, &rest, &ranks).is_ok()
            };
            let Some(at) = (0..left.len()).find(fits) else { return order.to_vec() };
            repaired.push(left.remove(at));
        }
        repaired
    }

    /// Returns `true` if an order of all jobs meets the rules.
    pub fn is_met(&self, order: &[u16]) -> bool {
        self.pins.iter().all(|pin| order.get(usize::from(pin.position)) == Some(&pin.job))
            && self.broken_precedence(order).is_none()
    }

    /// First pair of jobs that stand in an order of all jobs against a rule.
    pub(crate) fn broken_precedence(&self, order: &[u16]) -> Option<Precedence> {
        let place = |job: u16| order.iter().position(|other| *other == job);
        self.precedences.iter().copied().find(|pair| place(pair.first) > place(pair.then))
    }

    /// The order with the job in position `from` in position `to`; pinned jobs other than this one keep their positions, and the job takes
    /// the nearest position that is none of theirs.
    pub fn moved(&self, order: &[u16], [from, to]: [usize; 2]) -> Vec<u16> {
        let (Some(&job), count) = (order.get(from), order.len()) else { return order.to_vec() };
        let keeps = |position: usize| {
            position != from
                && self.pins.iter().any(|pin| usize::from(pin.position) == position && pin.job == order[position])
        };
        let free: Vec<usize> = (0..count).filter(|&position| !keeps(position)).collect();
        let mut jobs: Vec<u16> = free.iter().map(|&position| order[position]).filter(|other| *other != job).collect();
        let nearest = (0..free.len()).min_by_key(|&at| (free[at].abs_diff(to), at)).unwrap_or(0);
        jobs.insert(nearest.min(jobs.len()), job);
        let mut moved = order.to_vec();
        free.into_iter().zip(jobs).for_each(|(position, job)| moved[position] = job);
        moved
    }
}

/// Fills the positions from `first` on with `jobs`, the most urgent first.
///
/// # Errors
/// A job for which there is no position.
fn filled(window: &Window, first: usize, jobs: &[u16], ranks: &[usize]) -> std::result::Result<Vec<u16>, u16> {
    let mut waiting: Vec<u16> = jobs.to_vec();
    waiting.sort_by_key(|&job| std::cmp::Reverse(window.from[usize::from(job)]));
    let mut urgent = std::collections::BinaryHeap::new();
    let mut order = Vec::with_capacity(jobs.len());
    for position in first..first + jobs.len() {
        while let Some(job) = waiting.pop_if(|job| window.from[usize::from(*job)] <= position) {
            let at = usize::from(job);
            urgent.push(std::cmp::Reverse((window.until[at], ranks.get(at).copied().unwrap_or(0), job)));
        }
        match urgent.pop() {
            Some(std::cmp::Reverse((until, _, job))) if position < until => order.push(job),
            Some(std::cmp::Reverse((_, _, job))) => return Err(job),
            None => return Err(waiting.pop().unwrap_or_default()),
        }
    }
    Ok(order)
}

/// Name of a job in quotation marks.
fn name(instance: &Instance, job: u16) -> String {
    quoted(instance.jobs.get(usize::from(job)).map_or("", |job| job.name.as_str()))
}

#[cfg(test)]
mod tests;
