//! Exchanges of duties that keep cover and loads.
//!
//! To minimise are, in this order: pairs of colleagues who must not share a room, duties beyond the most in a row, changes of the
//! building within a day. Three exchanges are tried until none of them helps: two people of one slot change places; a person hands a
//! duty to a free one who has exactly one duty less; two people change duties of different slots. People and needs are tried in
//! ascending order, and the first exchange that helps is made.

use super::flow::{Flow, Network};
use super::needs::Needs;
use crate::Instance;

/// Weights of pairs of colleagues and of duties beyond the most in a row; a change of the building counts 1.
const PAIR: u64 = 1_000_000;
const ROW: u64 = 1_000;

/// Largest number of passes over all exchanges.
const PASSES: usize = 40;

/// Needs and people as exchanges see them.
pub(super) struct Exchange<'a> {
    needs: &'a Needs,
    network: &'a Network,
    most_in_a_row: usize,
    /// `is_eligible[n][p]` = true if person p may hold need n.
    is_eligible: Vec<Vec<bool>>,
    /// Colleagues with whom each person must not share a room, in both directions.
    forbidden: Vec<Vec<usize>>,
}

/// A change of the holders of needs: person, need given up, need taken.
type Change = (usize, Option<usize>, Option<usize>);

impl<'a> Exchange<'a> {
    /// Exchanges between the people of a session.
    pub fn new(instance: &Instance, needs: &'a Needs, network: &'a Network, most_in_a_row: usize) -> Self {
        let people = &instance.resources.invigilators;
        let row = |eligible: &Vec<usize>| {
            let mut row = vec![false; people.len()];
            eligible.iter().for_each(|&person| row[person] = true);
            row
        };
        let mut forbidden = vec![Vec::new(); people.len()];
        for (person, data) in people.iter().enumerate() {
            for &other in &data.forbidden_colleagues {
                forbidden[person].push(usize::from(other));
                forbidden[usize::from(other)].push(person);
            }
        }
        let is_eligible = network.eligible.iter().map(row).collect();
        Self { needs, network, most_in_a_row, is_eligible, forbidden }
    }

    /// Duties beyond the most in a row, and changes of the building within a day.
    pub(crate) fn rows_and_changes(&self, flow: &Flow) -> (usize, usize) {
        let of_people = (0..flow.held.len()).map(|person| self.row_and_changes(flow, person));
        of_people.fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1))
    }

    fn row_and_changes(&self, flow: &Flow, person: usize) -> (usize, usize) {
        let (mut beyond, mut changes, mut row) = (0, 0, 0);
        let (mut day, mut building) = (None, "");
        for (slot, held) in flow.held[person].iter().enumerate() {
            // Slots without a date are days of their own.
            if self.needs.slots[slot].is_none() || self.needs.slots[slot] != day {
                (day, building, row) = (self.needs.slots[slot], "", 0);
            }
            let Some(need) = held else {
                row = 0;
                continue;
            };
            row += 1;
            beyond += usize::from(row > self.most_in_a_row);
            let own = self.needs.all[*need].building.as_str();
            if !own.is_empty() {
                changes += usize::from(!building.is_empty() && building != own);
                building = own;
            }
        }
        (beyond, changes)
    }

    /// Pairs of a person and holders of a need who must not share a room.
    fn pairs(&self, flow: &Flow, person: usize, need: usize) -> u64 {
        let holders = &flow.holders[need];
        self.forbidden[person].iter().filter(|other| holders.contains(other)).count() as u64
    }

    /// Cost of a person: own rows and changes, and all pairs that the person is in.
    fn cost(&self, flow: &Flow, person: usize) -> u64 {
        let (beyond, changes) = self.row_and_changes(flow, person);
        let pairs: u64 = flow.held[person].iter().flatten().map(|&need| self.pairs(flow, person, need)).sum();
        PAIR * pairs + ROW * beyond as u64 + changes as u64
    }

    /// Makes changes of two people if their cost becomes smaller; returns `true` if it does.
    fn attempt(&self, flow: &mut Flow, changes: [Change; 2]) -> bool {
        let people = changes.map(|(person, ..)| person);
        let cost = |flow: &Flow| people.iter().map(|&person| self.cost(flow, person)).sum::<u64>();
        let before = cost(flow);
        self.apply(flow, changes);
        let is_better = cost(flow) < before;
        if !is_better {
            self.apply(flow, changes.map(|(person, given, taken)| (person, taken, given)));
        }
        is_better
    }

    fn apply(&self, flow: &mut Flow, changes: [Change; 2]) {
        let slot = |need: usize| self.network.slot_of[need];
        for (person, given, _) in changes {
            given.into_iter().for_each(|need| flow.give(person, need, slot(need)));
        }
        for (person, _, taken) in changes {
            taken.into_iter().for_each(|need| flow.take(person, need, slot(need)));
        }
        for (person, given, taken) in changes {
            flow.loads[person] = flow.loads[person] + usize::from(taken.is_some()) - usize::from(given.is_some());
        }
    }

    /// Improves a flow until no exchange helps.
    pub fn improve(&self, flow: &mut Flow) {
        for _ in 0..PASSES {
            let mut is_improved = false;
            for person in 0..flow.held.len() {
                for slot in 0..self.network.slots {
                    if flow.held[person][slot].is_some() && self.cost(flow, person) > 0 {
                        is_improved |= self.improve_duty(flow, person, slot);
                    }
                }
            }
            if !is_improved {
                return;
            }
        }
    }

    /// Tries all exchanges of the duty of a person in a slot; returns `true` if one was made.
    fn improve_duty(&self, flow: &mut Flow, person: usize, slot: usize) -> bool {
        let Some(own) = flow.held[person][slot] else { return false };
        for other in (0..flow.held.len()).filter(|&other| other != person) {
            let is_made = match flow.held[other][slot] {
                Some(need) if need == own => false,
                Some(need) => {
                    let is_possible = self.is_eligible[own][other] && self.is_eligible[need][person];
                    let swap = [(person, Some(own), Some(need)), (other, Some(need), Some(own))];
                    is_possible && self.attempt(flow, swap)
                }
                None if self.is_eligible[own][other] => {
                    self.hand_over(flow, person, other, own) || self.change(flow, person, other, own)
                }
                None => false,
            };
            if is_made {
                return true;
            }
        }
        false
    }

    /// Hands a duty to a free person who has one duty less, so that the two loads change places.
    fn hand_over(&self, flow: &mut Flow, person: usize, other: usize, need: usize) -> bool {
        let Network { least, most, .. } = self.network;
        let (load, others) = (flow.loads[person], flow.loads[other]);
        let is_possible = load == others + 1 && load <= most[other] && others >= least[person];
        is_possible && self.attempt(flow, [(person, Some(need), None), (other, None, Some(need))])
    }

    /// Changes a duty for one of another slot in which the person is free and the other is not.
    fn change(&self, flow: &mut Flow, person: usize, other: usize, own: usize) -> bool {
        for slot in 0..self.network.slots {
            let Some(need) = flow.held[other][slot].filter(|_| flow.held[person][slot].is_none()) else { continue };
            let swap = [(person, Some(own), Some(need)), (other, Some(need), Some(own))];
            if self.is_eligible[need][person] && self.attempt(flow, swap) {
                return true;
            }
        }
        false
    }
}
