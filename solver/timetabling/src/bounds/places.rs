//! Cheapest places of the exams of single students, by dynamic programming over the periods.
//!
//! The state before period t is the set of the last periods that hold exams of the student, as far as a later exam is charged
//! for them (5 periods under the published objective, some days under weights by days), and how many exams with each set of
//! allowed periods have a place. Students whose exams have the same sets of allowed periods are one *family* and one dynamic
//! program; those who have equally many exams with each set are one *member* of the family.
//!
//! A family whose program would be too large sees fewer periods back, or its exams are allowed in all periods that one of them
//! is allowed in. Both only lower the costs.

use std::collections::BTreeMap;

use crate::Instance;
use crate::model::{Model, PeriodSet};

/// Units of the dynamic programs for one unit of cost, so that prices are finer than costs.
pub(super) const SCALE: i64 = 1024;

/// Largest table of costs of a further exam, over periods and sets of periods before.
const TABLE: usize = 1 << 20;
/// Cells of the dynamic programs of all families, and of one family.
const CELLS: usize = 1 << 25;
const FAMILY_CELLS: usize = 1 << 22;

/// Cost of a state that cannot be reached.
const NEVER: i64 = i64::MAX;

/// Allowed periods of each exam.
pub(super) fn allowed(instance: &Instance, model: &Model) -> Vec<PeriodSet> {
    let mut allowed = vec![PeriodSet::below(instance.period_count()); instance.exam_count()];
    for (node, &set) in model.restrictions.iter().flat_map(|restrictions| restrictions.allowed.iter().enumerate()) {
        let group = model.exams_of(node);
        if group.is_empty() {
            allowed[node] = set;
        }
        group.iter().for_each(|&exam| allowed[exam] = set);
    }
    allowed
}

/// Students with equally many exams of each set of allowed periods.
pub(super) struct Member {
    /// Number of exams of each.
    pub exams: usize,
    /// Number of the students.
    pub students: u64,
    /// Index of the numbers of exams among the counts of the family.
    counts: usize,
}

/// Students whose exams have the same sets of allowed periods.
struct Family {
    sets: Vec<PeriodSet>,
    /// Largest number of exams of each set, plus 1: the radix of its digit in an index of counts.
    radix: Vec<usize>,
    /// Number of last periods that a state holds.
    reach: usize,
    members: Vec<Member>,
}

impl Family {
    fn counts(&self) -> usize {
        self.radix.iter().product()
    }

    fn cells(&self, periods: usize) -> usize {
        periods * (self.counts() << self.reach) * (self.sets.len() + 1)
    }
}

/// Cheapest places under prices of the periods.
#[derive(Clone)]
pub(super) struct Places {
    /// Lowest cost of one student of each member, in units of 1/[`SCALE`].
    pub members: Vec<i64>,
    /// Sum over all students.
    pub value: i64,
    /// Number of students in each period.
    pub loads: Vec<i64>,
}

/// Students of a session by family, with the costs of pairs of periods.
pub(super) struct Cheapest {
    periods: usize,
    reach: usize,
    /// Cost of an exam in period t if those of the last `reach` periods in the set s hold exams, at t · 2^reach + s; bit d of s
    /// stands for period t − 1 − d.
    added: Vec<i64>,
    families: Vec<Family>,
}

/// Numbers of exams of each set of allowed periods with the number of students who have them.
type Counts = BTreeMap<Vec<usize>, u64>;

impl Cheapest {
    /// Groups the students of a session. Students with more exams than periods, who have no timetable, are left out.
    pub fn of(instance: &Instance, model: &Model) -> Self {
        let periods = instance.period_count();
        let (reach, added) = added(instance);
        let allowed = allowed(instance, model);
        let mut grouped: BTreeMap<Vec<PeriodSet>, Counts> = BTreeMap::new();
        for exams in instance.students.iter().filter(|exams| (1..=periods).contains(&exams.len())) {
            let mut sets: BTreeMap<PeriodSet, usize> = BTreeMap::new();
            exams.iter().for_each(|&exam| *sets.entry(allowed[usize::from(exam)]).or_default() += 1);
            let (sets, counts): (Vec<_>, Vec<_>) = sets.into_iter().unzip();
            *grouped.entry(sets).or_default().entry(counts).or_default() += 1;
        }
        let limit = (CELLS / grouped.len().max(1)).min(FAMILY_CELLS);
        let families = grouped.into_iter().map(|(sets, counts)| family(sets, counts, (periods, reach), limit));
        Self { periods, reach, added, families: families.collect() }
    }

    /// All members, family by family.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.families.iter().flat_map(|family| &family.members)
    }

    /// Highest cost of a further exam.
    pub fn highest_cost(&self) -> i64 {
        self.added.iter().copied().max().unwrap_or(0)
    }

    /// Cells of the dynamic programs of all families.
    pub fn cells(&self) -> u64 {
        self.families.iter().map(|family| family.cells(self.periods) as u64).sum()
    }

    /// Finds the cheapest places of every student if an exam in period t costs `prices[t]` more.
    pub fn with_prices(&self, prices: &[i64]) -> Places {
        let mut places = Places { members: Vec::new(), value: 0, loads: vec![0; self.periods] };
        for family in &self.families {
            self.solve(family, prices, &mut places);
        }
        places
    }

    /// Appends the cheapest places of a family. Members whose exams find no places together cost 0.
    fn solve(&self, family: &Family, prices: &[i64], places: &mut Places) {
        let (counts, full) = (family.counts(), (1_usize << family.reach) - 1);
        let mut costs = vec![NEVER; counts << family.reach];
        costs[0] = 0;
        let mut choices = Vec::with_capacity(self.periods);
        for period in 0..self.periods {
            let mut next = Step { costs: vec![NEVER; costs.len()], choices: vec![Choice::default(); costs.len()] };
            for (state, &cost) in costs.iter().enumerate().filter(|&(_, &cost)| cost < NEVER) {
                let (seen, count) = (state / counts, state % counts);
                let shifted = (seen << 1) & full;
                let forgotten = family.reach > 0 && seen >> (family.reach - 1) == 1;
                next.reach(shifted * counts + count, cost, Choice { exam_of: 0, forgotten });
                let price = self.added[(period << self.reach) + seen] * SCALE + prices[period];
                let mut stride = 1;
                for (set, &radix) in family.radix.iter().enumerate() {
                    if count / stride % radix + 1 < radix && family.sets[set].contains(period) {
                        let state = ((shifted | 1) & full) * counts + count + stride;
                        next.reach(state, cost + price, Choice { exam_of: set as u16 + 1, forgotten });
                    }
                    stride *= radix;
                }
            }
            costs = next.costs;
            choices.push(next.choices);
        }
        for member in &family.members {
            let states = (0..=full).map(|seen| seen * counts + member.counts);
            let state = states.min_by_key(|&state| costs[state]).unwrap_or(0);
            let cost = if costs[state] < NEVER { costs[state] } else { 0 };
            places.members.push(cost);
            places.value += cost * member.students as i64;
            if costs[state] < NEVER {
                family.follow(&choices, state, member.students as i64, &mut places.loads);
            }
        }
    }
}

/// How a state was reached: the set of the exam in the period, from 1, or 0 for none, and whether the period that the state
/// before holds and this one does not had an exam.
#[derive(Clone, Copy, Default)]
struct Choice {
    exam_of: u16,
    forgotten: bool,
}

/// States after a period.
struct Step {
    costs: Vec<i64>,
    choices: Vec<Choice>,
}

impl Step {
    #[inline(always)]
    fn reach(&mut self, state: usize, cost: i64, choice: Choice) {
        if cost < self.costs[state] {
            self.costs[state] = cost;
            self.choices[state] = choice;
        }
    }
}

impl Family {
    /// Adds students to the periods of the places that lead to a state.
    fn follow(&self, choices: &[Vec<Choice>], mut state: usize, students: i64, loads: &mut [i64]) {
        let counts = self.counts();
        for (period, choices) in choices.iter().enumerate().rev() {
            let Choice { exam_of, forgotten } = choices[state];
            let (seen, mut count) = (state / counts, state % counts);
            if exam_of > 0 {
                loads[period] += students;
                count -= self.radix[..usize::from(exam_of) - 1].iter().product::<usize>();
            }
            let before = if forgotten { (seen >> 1) | 1 << (self.reach - 1) } else { seen >> 1 };
            state = before * counts + count;
        }
    }
}

/// Number of periods back that a cost reaches, as far as the table is not too large, and the table.
fn added(instance: &Instance) -> (usize, Vec<i64>) {
    let (periods, pairs) = (instance.period_count(), instance.pair_costs());
    let costs = |distance: &usize| (*distance..periods).any(|period| pairs.cost(period - distance, period) > 0);
    let farthest = (1..periods).rev().find(costs).unwrap_or(0);
    let reach = farthest.min((TABLE / periods).ilog2() as usize);
    let mut added = vec![0; periods << reach];
    for period in 0..periods {
        let row = &mut added[period << reach..(period + 1) << reach];
        for seen in 1..row.len() {
            let distance = seen.trailing_zeros() as usize + 1;
            let cost = if distance <= period { pairs.cost(period - distance, period) } else { 0 };
            row[seen] = row[seen & (seen - 1)] + cost as i64;
        }
    }
    (reach, added)
}

/// The family of students with these counts of exams of each set, whose program has at most `limit` cells if possible.
fn family(sets: Vec<PeriodSet>, counts: Counts, (periods, reach): (usize, usize), limit: usize) -> Family {
    let most = |set: usize| counts.keys().map(|counts| counts[set]).max().unwrap_or(0);
    let radix: Vec<usize> = (0..sets.len()).map(|set| most(set) + 1).collect();
    let all = radix.iter().try_fold(1_usize, |all, &radix| all.checked_mul(radix));
    let fits = |reach: usize| all.is_some_and(|all| all <= limit >> reach && all << reach <= limit / periods);
    if sets.len() > 1 && !fits(reach.min(5)) {
        let union = sets.iter().fold(PeriodSet::default(), |union, &set| union.union(set));
        let mut together = Counts::new();
        counts
            .iter()
            .for_each(|(counts, students)| *together.entry(vec![counts.iter().sum()]).or_default() += students);
        return family(vec![union], together, (periods, reach), limit);
    }
    let reach = (0..=reach).rev().find(|&reach| fits(reach)).unwrap_or(0);
    let index = |counts: &[usize]| {
        let digits = counts.iter().zip(&radix).rev();
        digits.fold(0, |index, (count, radix)| index * radix + count)
    };
    let member = |(counts, &students): (&Vec<usize>, &u64)| Member {
        exams: counts.iter().sum(),
        students,
        counts: index(counts),
    };
    let members = counts.iter().map(member).collect();
    Family { sets, radix, reach, members }
}
