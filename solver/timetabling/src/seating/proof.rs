//! Proof that no timetable has a place for all nodes of a small model: every period of every node and every room of every sitting
//! is tried, the node with the fewest periods first, up to a number of trials.
//!
//! A sitting that may be split and shares its rooms is counted against the free seats of its period only, so that some impossible
//! sessions are not recognised, and no possible one is called impossible.

use super::model::SeatingModel;
use super::rooms::Seating;
use crate::{Seats, UNPLACED};

/// Largest number of free rooms of which all sets are tried for a sitting that shares no room.
const MOST_ROOMS: usize = 10;

/// Returns `true` if certainly no timetable has a place for all nodes; each trial lowers `trials`, and at 0 nothing is proven.
pub(crate) fn is_impossible(model: &SeatingModel, trials: u32) -> bool {
    let open_seats = |period: usize| {
        let cells = period * model.rooms..(period + 1) * model.rooms;
        cells.filter(|&cell| !model.closed[cell]).map(|cell| u64::from(model.capacity[cell])).sum()
    };
    let mut search = Search {
        model,
        place: vec![UNPLACED; model.nodes()],
        seating: Seating::new(model),
        seats: (0..model.periods).map(open_seats).collect(),
        trials,
    };
    search.place_rest() == Some(false)
}

struct Search<'a> {
    model: &'a SeatingModel,
    place: Vec<u16>,
    seating: Seating,
    /// Seats of each period that nobody needs.
    seats: Vec<u64>,
    trials: u32,
}

impl Search<'_> {
    /// Returns whether all unplaced nodes have a place; `None` if the trials do not suffice to find out.
    fn place_rest(&mut self) -> Option<bool> {
        let open = (0..self.model.nodes()).filter(|&node| self.place[node] == UNPLACED);
        let with_periods = open.map(|node| {
            let periods = self.model.allowed[node].iter().filter(|&period| self.agrees(node, period));
            (node, periods.collect::<Vec<usize>>())
        });
        let Some((node, periods)) = with_periods.min_by_key(|(node, periods)| (periods.len(), *node)) else {
            return Some(true);
        };
        let sittings = if self.model.rooms > 0 { self.model.sittings_of(node) } else { 0..0 };
        for period in periods {
            self.trials = self.trials.checked_sub(1)?;
            self.place[node] = period as u16;
            let found = self.seat_rest(sittings.clone(), period);
            self.place[node] = UNPLACED;
            if found != Some(false) {
                return found;
            }
        }
        Some(false)
    }

    /// Returns `true` if neither students nor rules forbid a period.
    fn agrees(&self, node: usize, period: usize) -> bool {
        let is_there = |other: u16| usize::from(self.place[usize::from(other)]) == period;
        !self.model.neighbours(node).iter().any(|neighbour| is_there(neighbour.node))
            && self.model.related[node].iter().all(|related| {
                let other = self.place[usize::from(related.node)];
                let table = &self.model.tables[usize::from(related.table)][period];
                other == UNPLACED || table.contains(other.into())
            })
    }

    /// Seats sittings of a node, then places the other nodes; answers as [`Self::place_rest`].
    fn seat_rest(&mut self, mut sittings: std::ops::Range<usize>, period: usize) -> Option<bool> {
        let Some(sitting) = sittings.next() else { return self.place_rest() };
        let model = self.model;
        let data = &model.sittings[sitting];
        let students = u64::from(data.students);
        let Some(left) = self.seats[period].checked_sub(students) else { return Some(false) };
        let before = std::mem::replace(&mut self.seats[period], left);
        let mut answer = Some(false);
        if data.most_rooms > 1 {
            let free = |&room: &u16| Some((self.seating.free(model, sitting, period, room)?, room));
            let mut free: Vec<(u32, u16)> = data.rooms.iter().filter_map(free).collect();
            free.sort_unstable_by_key(|&(seats, room)| (std::cmp::Reverse(seats), room));
            let most = free.iter().take(data.most_rooms.into()).map(|&(seats, _)| u64::from(seats)).sum::<u64>();
            if data.own_room && free.len() <= MOST_ROOMS {
                answer = self.seat_alone(sitting, &free, &sittings, period);
            } else if !free.is_empty() && most >= students {
                answer = self.seat_rest(sittings, period);
            }
        } else {
            for &room in &data.rooms {
                if self.seating.free(model, sitting, period, room).is_none_or(|free| free < data.students) {
                    continue;
                }
                let Some(trials) = self.trials.checked_sub(1) else {
                    answer = None;
                    break;
                };
                self.trials = trials;
                self.seating.occupy(model, sitting, period, room);
                answer = self.seat_rest(sittings.clone(), period);
                self.seating.release(model, sitting, period);
                if answer != Some(false) {
                    break;
                }
            }
        }
        self.seats[period] = before;
        answer
    }

    /// Seats a sitting that shares no room in every smallest set of its free rooms, then the other sittings; answers as
    /// [`Self::place_rest`].
    fn seat_alone(
        &mut self, sitting: usize, free: &[(u32, u16)], others: &std::ops::Range<usize>, period: usize,
    ) -> Option<bool> {
        let data = &self.model.sittings[sitting];
        for set in 0_u32..1 << free.len() {
            let chosen: Vec<(u32, u16)> = (0..free.len()).filter(|at| set >> at & 1 == 1).map(|at| free[at]).collect();
            let seats: u32 = chosen.iter().map(|&(seats, _)| seats).sum();
            let is_smallest = chosen.iter().all(|&(own, _)| seats - own < data.students);
            if chosen.is_empty() || chosen.len() > data.most_rooms.into() || seats < data.students || !is_smallest {
                continue;
            }
            self.trials = self.trials.checked_sub(1)?;
            let mut left = data.students;
            let parts = chosen.into_iter().map(|(seats, room)| {
                let students = seats.min(left);
                left -= students;
                Seats { room, students }
            });
            let parts: Vec<Seats> = parts.collect();
            self.seating.assign(self.model, sitting, period, &parts);
            let answer = self.seat_rest(others.clone(), period);
            self.seating.release(self.model, sitting, period);
            if answer != Some(false) {
                return answer;
            }
        }
        Some(false)
    }
}
