//! Minimum-cost flow from people to needs: source → person → person in a slot (capacity 1) → need → sink.
//!
//! An arc from the source to a person costs the person's number of duties so far, so that the sum of the squares of all loads is
//! smallest. The vectors of loads that cover the same needs are the bases of an integral polymatroid, in which a smallest sum of squares
//! has the smallest possible largest load and, at once, the largest possible smallest load (A. Federgruen, H. Groenevelt, «The greedy
//! procedure for resource allocation problems: necessary and sufficient conditions for optimality», Operations Research 34(6), 1986).
//!
//! Needs are covered one person after the other along a shortest path of the residual network (successive shortest paths: R. G. Busacker,
//! P. J. Gowen, 1961; see R. K. Ahuja, T. L. Magnanti, J. B. Orlin, «Network Flows», 1993, section 9.7). A path is searched from the need
//! back to the source by label correction; from several needs it ends at the one with the cheapest path. A need without a path stays uncovered in every larger flow, so that the cover is the largest
//! possible. All numbers are integers and ties go to the smaller index.
//!
//! Invariant: a person holds at most one need in each slot, `held` and `holders` say the same.

use std::collections::VecDeque;

/// Cost of a duty beyond the least that a person shall have; far more than any sum of loads.
const BEYOND_LEAST: i64 = 1 << 40;

/// Cost of giving a duty to somebody who did not have it before; more than any sum of loads.
pub(super) const MOVED: i64 = 1 << 20;

/// People, needs, and who may hold what.
#[derive(Debug, Clone, Default)]
pub(super) struct Network {
    /// Number of slots.
    pub slots: usize,
    /// Slot of each need.
    pub(crate) slot_of: Vec<usize>,
    /// Number of people that each need asks for.
    pub counts: Vec<usize>,
    /// `eligible[n]` = people who may hold need n, ascending.
    pub(crate) eligible: Vec<Vec<usize>>,
    /// Fewest duties of each person.
    pub least: Vec<usize>,
    /// Most duties of each person.
    pub most: Vec<usize>,
}

/// A flow: who holds what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flow {
    /// `holders[n]` = people who hold need n.
    pub holders: Vec<Vec<usize>>,
    /// `held[p][s]` = need that person p holds in slot s.
    pub held: Vec<Vec<Option<usize>>>,
    /// Number of duties of each person.
    pub loads: Vec<usize>,
}

/// How a need gets a person in a path, seen from the need.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// The path ends here: the need that is to be covered.
    End,
    /// A person gives this need up and takes the one that the person was reached from.
    Given(usize),
    /// A person goes from this need to another one in the same slot.
    Exchanged(usize, usize),
}

/// Labels of a search for a path.
struct Labels {
    /// Distance and next step of each need that was reached.
    needs: Vec<Option<(i64, Step)>>,
    /// Distance of each person, and the need that the person would take.
    people: Vec<Option<(i64, usize)>>,
}

/// The needs and people that a search for a path has reached without finding one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bottleneck {
    /// Needs, ascending.
    pub needs: Vec<usize>,
    /// People, ascending.
    pub people: Vec<usize>,
}

impl Network {
    /// A flow without duties.
    pub fn empty(&self) -> Flow {
        let people = self.most.len();
        Flow {
            holders: vec![Vec::new(); self.counts.len()],
            held: vec![vec![None; self.slots]; people],
            loads: vec![0; people],
        }
    }

    /// Covers as many needs as possible at the smallest cost, beginning with no duty; the first needs come first. Returns the
    /// flow and the first bottleneck for each need that is not covered completely.
    pub fn solve(&self) -> (Flow, Vec<(usize, Bottleneck)>) {
        let mut flow = self.empty();
        let mut lacking = Vec::new();
        for need in 0..self.counts.len() {
            while flow.holders[need].len() < self.counts[need] {
                if let Err(bottleneck) = self.augment(&mut flow, &[need], &|_, _| 0) {
                    lacking.push((need, bottleneck));
                    break;
                }
            }
        }
        (flow, lacking)
    }

    /// Cost of one more duty of a person.
    fn marginal(&self, flow: &Flow, person: usize) -> i64 {
        let load = flow.loads[person];
        load as i64 + if load < self.least[person] { 0 } else { BEYOND_LEAST }
    }

    /// Gives one of the needs one more person along a cheapest path to any of them; `cost` is that of a person at a need.
    ///
    /// # Errors
    /// The bottleneck if there is no path.
    pub fn augment(
        &self, flow: &mut Flow, needs: &[usize], cost: &dyn Fn(usize, usize) -> i64,
    ) -> Result<(), Bottleneck> {
        let labels = self.labels(flow, needs, cost);
        let reached = labels.people.iter().enumerate().filter_map(|(person, label)| label.map(|(at, _)| (person, at)));
        let free = reached.filter(|&(person, _)| flow.loads[person] < self.most[person]);
        let first = free.min_by_key(|&(person, at)| (at + self.marginal(flow, person), person));
        let Some((mut person, _)) = first else {
            let reached = |is_reached: Vec<bool>| (0..is_reached.len()).filter(|&index| is_reached[index]).collect();
            return Err(Bottleneck {
                needs: reached(labels.needs.iter().map(Option::is_some).collect()),
                people: reached(labels.people.iter().map(Option::is_some).collect()),
            });
        };
        flow.loads[person] += 1;
        // Follows the labels from the person to the need.
        while let Some((_, mut taken)) = labels.people[person] {
            flow.take(person, taken, self.slot_of[taken]);
            loop {
                match labels.needs[taken].map(|(_, step)| step) {
                    None | Some(Step::End) => return Ok(()),
                    Some(Step::Exchanged(other, next)) => {
                        flow.give(other, taken, self.slot_of[taken]);
                        flow.take(other, next, self.slot_of[next]);
                        taken = next;
                    }
                    Some(Step::Given(other)) => {
                        flow.give(other, taken, self.slot_of[taken]);
                        person = other;
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Distances of needs and people to the nearest of `ends` in the residual network.
    fn labels(&self, flow: &Flow, ends: &[usize], cost: &dyn Fn(usize, usize) -> i64) -> Labels {
        let mut labels = Labels { needs: vec![None; self.counts.len()], people: vec![None; self.most.len()] };
        ends.iter().for_each(|&need| labels.needs[need] = Some((0, Step::End)));
        let (mut queue, mut is_queued) = (VecDeque::from(ends.to_vec()), vec![false; self.counts.len()]);
        while let Some(at) = queue.pop_front() {
            is_queued[at] = false;
            let Some((distance, _)) = labels.needs[at] else { continue };
            for &person in &self.eligible[at] {
                let through = distance + cost(person, at);
                let before = flow.held[person][self.slot_of[at]];
                let reached: Vec<(usize, i64, Step)> = match before {
                    Some(own) if own == at => continue,
                    Some(other) => vec![(other, through - cost(person, other), Step::Exchanged(person, at))],
                    None => {
                        if labels.people[person].is_some_and(|(known, _)| known <= through) {
                            continue;
                        }
                        labels.people[person] = Some((through, at));
                        let held = flow.held[person].iter().flatten();
                        held.map(|&other| (other, through - cost(person, other), Step::Given(person))).collect()
                    }
                };
                for (other, through, step) in reached {
                    if labels.needs[other].is_none_or(|(known, _)| through < known) {
                        labels.needs[other] = Some((through, step));
                        if !std::mem::replace(&mut is_queued[other], true) {
                            queue.push_back(other);
                        }
                    }
                }
            }
        }
        labels
    }
}

impl Flow {
    /// Adds a person to the holders of a need; the load stays to the caller.
    pub fn take(&mut self, person: usize, need: usize, slot: usize) {
        self.held[person][slot] = Some(need);
        self.holders[need].push(person);
    }

    /// Removes a person from the holders of a need; the load stays to the caller.
    pub fn give(&mut self, person: usize, need: usize, slot: usize) {
        if self.held[person][slot] == Some(need) {
            self.held[person][slot] = None;
        }
        self.holders[need].retain(|&holder| holder != person);
    }

    /// Number of duties of all people.
    pub fn covered(&self) -> usize {
        self.loads.iter().sum()
    }
}
