//! The search model of a session with rooms: nodes, sittings, rooms, the table W and the prices of periods.

mod tables;

use std::sync::Arc;

use self::tables::{
    DIFFERENT, EARLIER, JUST_AFTER, JUST_BEFORE, LATER, LIMITED, OTHER_DAY, SAME_DAY, allowed, pair_costs, prices,
    tables,
};
use super::limits::CountedLimits;
use crate::annealing::board::Cell;
use crate::annealing::{AnnealingParameters, Schedule};
use crate::day_loads::DayShares;
use crate::model::{Model, PeriodSet};
use crate::{Instance, RelationKind, Seats, Timetable, UNPLACED};

/// Neighbour of a node in the conflict graph.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour {
    /// Index of the other node.
    pub node: u16,
    /// Number of shared students; 0 if only a rule or a person keeps the two apart.
    pub shared: i32,
}

/// Constraint between the periods of two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Related {
    /// Index of the other node.
    pub node: u16,
    /// Index of the table of allowed periods of the other node.
    pub table: u8,
}

/// Kind of a relation between the rooms of two sittings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoomTie {
    /// They must not share a room.
    Apart,
    /// They must be in one room.
    Together,
    /// They are of one exam, so that they may share a room that holds one exam only.
    OfOneExam,
}

/// Relation between the rooms of two sittings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoomRelated {
    /// Index of the other sitting.
    pub sitting: u16,
    /// Kind of the relation.
    pub tie: RoomTie,
}

impl RoomRelated {
    /// Returns `true` if a sitting may be in a room that the other sitting is in, or is not in.
    #[inline(always)]
    pub(crate) fn allows(self, is_other_in: bool) -> bool {
        match self.tie {
            RoomTie::Apart => !is_other_in,
            RoomTie::Together => is_other_in,
            RoomTie::OfOneExam => true,
        }
    }
}

/// Home of a sitting that has no single room in a reference timetable.
pub(crate) const NO_HOME: u16 = u16::MAX;

/// Students who sit one exam together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitting {
    /// Index of its node.
    pub node: u16,
    /// Number of seats that it needs.
    pub students: u32,
    /// Class of its duration; sittings of one class last equally long.
    pub duration: u16,
    /// True if no other sitting may be in the room, but those that [`RoomTie::OfOneExam`] names.
    pub own_room: bool,
    /// Largest number of rooms.
    pub most_rooms: u16,
    /// Room in the reference timetable, or [`NO_HOME`]; each part elsewhere costs [`SeatingModel::leaving_room`].
    pub home: u16,
    /// Rooms that it may use, by ascending penalty, then by ascending number of seats.
    pub rooms: Vec<u16>,
}

/// Nodes of a model; `None` for what is left out.
struct Numbers {
    /// Node of each exam.
    of_exam: Vec<Option<u16>>,
    /// Node of each node of the model without rooms.
    of_node: Vec<Option<u16>>,
}

/// Search model of a session with rooms; shared by all chains.
#[derive(Debug, Clone)]
pub struct SeatingModel {
    /// Number of periods.
    pub periods: usize,
    /// Length of a row of the tables over periods.
    pub stride: usize,
    /// Number of 64-bit words of a set of nodes.
    pub words: usize,
    offsets: Vec<u32>,
    neighbours: Vec<Neighbour>,
    adjacency: Vec<u64>,
    /// W[t][u] at t · stride + u.
    pub pair_costs: Vec<i32>,
    /// Price of node n in period t at n · stride + t.
    pub prices: Vec<i32>,
    /// Allowed periods of each node.
    pub(crate) allowed: Vec<PeriodSet>,
    /// Constraints of each node on the periods of others.
    pub related: Vec<Vec<Related>>,
    /// For each kind of constraint and each period of a node: the allowed periods of the other node.
    pub(crate) tables: Vec<Vec<PeriodSet>>,
    /// Limits that count several exams of a student, if there are any.
    pub(super) limits: Option<Arc<CountedLimits>>,
    /// Constraints of each sitting on the rooms of others.
    pub(crate) room_related: Vec<Vec<RoomRelated>>,
    /// All sittings, ordered by node.
    pub sittings: Vec<Sitting>,
    first_sitting: Vec<u32>,
    /// Index of each sitting in the order of the instance.
    original: Vec<usize>,
    /// Number of rooms.
    pub rooms: usize,
    /// Seats of room r in period p at p · rooms + r.
    pub capacity: Vec<u32>,
    /// True at p · rooms + r where the room cannot be used.
    pub closed: Vec<bool>,
    /// Cost of a sitting in each room.
    pub penalties: Vec<i64>,
    /// True for rooms that hold one sitting at a time.
    pub single: Vec<bool>,
    /// Number of classes of durations.
    pub durations: usize,
    /// Cost of each duration beyond the first in a room and period.
    pub mixed_durations: i64,
    /// Cost of a room that is used in a period.
    pub opened: i64,
    /// Cost of each room beyond the first of a sitting.
    pub part: i64,
    /// Cost of each building beyond the first of a sitting.
    pub(crate) further_building: i64,
    /// Index of the building of each room.
    pub buildings: Vec<u16>,
    /// Price of a part of a sitting outside of its home.
    pub leaving_room: i64,
    /// Upper bound on what other rooms and more even days save for each node when it moves, alone or together with others.
    pub(super) most_saved: Vec<i64>,
    /// Shares of the days, if an uneven load has a price.
    pub(super) days: Option<Arc<DayShares>>,
    /// Students of each node.
    pub(super) students: Vec<i64>,
    /// True if the one room stands for the seats of all rooms together.
    pub(crate) is_total: bool,
    exams: usize,
    groups: Vec<Vec<usize>>,
    /// Number of sittings of the instance.
    all_sittings: usize,
    highest_price: Option<u32>,
    largest: u32,
}

/// Students of exams, each counted once for every exam.
fn students(instance: &Instance, exams: &[usize]) -> i64 {
    exams.iter().map(|&exam| i64::from(instance.exams[exam].enrolment)).sum()
}

impl SeatingModel {
    /// Builds the model of an instance. Contradictory rules leave nodes without an allowed period.
    pub fn new(instance: &Instance) -> Self {
        Self::without(instance, &[])
    }

    /// Builds the model without some of its nodes, by ascending index.
    pub(super) fn without(instance: &Instance, left_out: &[usize]) -> Self {
        let plain = Model::new(instance);
        let periods = instance.period_count();
        let origins: Vec<usize> = (0..plain.nodes()).filter(|node| left_out.binary_search(node).is_err()).collect();
        let nodes = origins.len();
        let mut numbers = Numbers { of_exam: vec![None; instance.exam_count()], of_node: vec![None; plain.nodes()] };
        let groups: Vec<Vec<usize>> = origins
            .iter()
            .map(|&node| match plain.exams_of(node) {
                [] => vec![node],
                exams => exams.to_vec(),
            })
            .collect();
        for (node, exams) in groups.iter().enumerate() {
            numbers.of_node[origins[node]] = Some(node as u16);
            exams.iter().for_each(|&exam| numbers.of_exam[exam] = Some(node as u16));
        }
        let stride = periods.next_multiple_of(16).max(16);
        let limits = &instance.rules.limits;
        let windows = limits.windows(instance);
        let mut model = Self {
            periods,
            stride,
            words: nodes.div_ceil(64),
            offsets: vec![0],
            neighbours: Vec::new(),
            adjacency: Vec::new(),
            pair_costs: pair_costs(instance, stride),
            prices: prices(instance, &plain, &groups, &origins, stride),
            allowed: allowed(instance, &plain, &groups, &origins),
            related: vec![Vec::new(); nodes],
            tables: tables(instance, limits.pairs(instance, &windows)),
            limits: CountedLimits::of(instance, &windows, &groups).map(Arc::new),
            room_related: Vec::new(),
            sittings: Vec::new(),
            first_sitting: vec![0],
            original: Vec::new(),
            rooms: 0,
            capacity: Vec::new(),
            closed: Vec::new(),
            penalties: Vec::new(),
            single: Vec::new(),
            durations: 1,
            mixed_durations: i64::from(instance.objective.weights.mixed_durations),
            opened: i64::from(instance.objective.weights.opened),
            part: i64::from(instance.objective.weights.part),
            further_building: i64::from(instance.objective.weights.building),
            buildings: Vec::new(),
            leaving_room: i64::from(instance.rules.room_price),
            most_saved: vec![0; nodes],
            days: DayShares::of(instance).map(Arc::new),
            students: groups.iter().map(|exams| students(instance, exams)).collect(),
            is_total: false,
            exams: instance.exam_count(),
            groups,
            all_sittings: 0,
            highest_price: plain.highest_price(),
            largest: plain.largest(),
        };
        model.relate(instance, &plain, &numbers);
        model.connect(&plain, &origins, &numbers);
        model.add_rooms(instance);
        model.add_sittings(instance);
        model.relate_rooms(instance, &numbers);
        if model.rooms > 0 {
            model.most_saved = (0..nodes).map(|node| model.most_saved(node)).collect();
        }
        if let Some(days) = &model.days {
            let students = model.most_saved.iter_mut().zip(&model.students);
            students.for_each(|(saved, &students)| *saved += days.most_saved(students));
        }
        model
    }

    /// Upper bound on the saving by other rooms of a node: all its parts leave the dearest room, which then is empty or has one
    /// duration less.
    fn most_saved(&self, node: usize) -> i64 {
        let of_sitting = |sitting: &Sitting| {
            let dearest = sitting.rooms.iter().map(|&room| self.room_price(sitting, room)).max().unwrap_or(0);
            let further = if sitting.most_rooms > 1 { self.part + self.further_building } else { 0 };
            let parts = i64::from(sitting.most_rooms) * (dearest + self.dearest_duration() + further);
            // Of nodes that move together, one may leave a room whose durations were mixed by another one only.
            parts + self.dearest_duration() - self.least_penalty(sitting)
        };
        self.sittings[self.sittings_of(node)].iter().map(of_sitting).sum()
    }

    /// Highest cost of a duration in a room and period, the first one or a further one.
    #[inline(always)]
    pub(crate) fn dearest_duration(&self) -> i64 {
        self.mixed_durations.max(self.opened)
    }

    /// Cost of a duration in a room and period beside `others` different ones.
    #[inline(always)]
    pub(crate) fn duration_cost(&self, others: u16) -> i64 {
        if others == 0 { self.opened } else { self.mixed_durations }
    }

    /// Schedule of a run: rooms tie all exams together, so that there is one component.
    pub fn schedule(&self, parameters: &AnnealingParameters) -> Schedule {
        Schedule::of_components(vec![(0..self.nodes()).collect()], self.periods, parameters)
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.groups.len()
    }

    /// Indices of the exams of a node.
    pub fn exams_of(&self, node: usize) -> &[usize] {
        &self.groups[node]
    }

    /// Why devices do not search with the model; `None` if they do.
    pub(crate) fn cpu_only(&self) -> Option<&'static str> {
        let of_limits = self.limits.as_ref().map(|_| super::limits::CPU_ONLY);
        of_limits.or_else(|| self.days.as_ref().map(|_| crate::day_loads::CPU_ONLY))
    }

    /// Returns `true` if exams are left out.
    pub(crate) fn leaves_out(&self) -> bool {
        self.groups.iter().map(Vec::len).sum::<usize>() < self.exams
    }

    /// Largest enrolment of a node.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// Highest price of leaving a reference timetable; `None` without one.
    pub(crate) fn highest_price(&self) -> Option<u32> {
        self.highest_price
    }

    /// Neighbours of a node, ascending.
    #[inline(always)]
    pub fn neighbours(&self, node: usize) -> &[Neighbour] {
        &self.neighbours[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }

    /// Set of the neighbours of a node.
    #[inline(always)]
    pub fn adjacent(&self, node: usize) -> &[u64] {
        &self.adjacency[node * self.words..(node + 1) * self.words]
    }

    /// Students whom two nodes share; 0 if none.
    #[inline(always)]
    pub fn shared(&self, node: usize, other: usize) -> i32 {
        let all = self.neighbours(node);
        all.binary_search_by_key(&(other as u16), |neighbour| neighbour.node).map_or(0, |at| all[at].shared)
    }

    /// Indices of the sittings of a node.
    #[inline(always)]
    pub(crate) fn sittings_of(&self, node: usize) -> std::ops::Range<usize> {
        self.first_sitting[node] as usize..self.first_sitting[node + 1] as usize
    }

    /// Returns `true` if two sittings may be in one room at once, as far as it holds one exam or they need a room of their own.
    pub(super) fn may_share(&self, sitting: usize, other: usize, room: u16) -> bool {
        let is_closed = [sitting, other].iter().any(|&at| self.sittings[at].own_room) || self.single[usize::from(room)];
        let mut related = self.room_related[sitting].iter();
        !is_closed || related.any(|it| usize::from(it.sitting) == other && it.tie == RoomTie::OfOneExam)
    }

    /// W[t][u].
    #[inline(always)]
    pub(crate) fn pair_cost(&self, t: usize, u: usize) -> i64 {
        i64::from(self.pair_costs[t * self.stride + u])
    }

    /// Cost of a part of a sitting in a room, without the durations of others: the penalty of the room and the price of
    /// leaving the sitting's home.
    #[inline(always)]
    pub fn room_price(&self, sitting: &Sitting, room: u16) -> i64 {
        let is_away = sitting.home != NO_HOME && sitting.home != room;
        self.penalties[usize::from(room)] + if is_away { self.leaving_room } else { 0 }
    }

    /// Lowest cost of a room of a sitting, without the durations of others; 0 if it may use none.
    #[inline(always)]
    pub(crate) fn least_penalty(&self, sitting: &Sitting) -> i64 {
        sitting.rooms.first().map_or(0, |&room| self.penalties[usize::from(room)])
    }

    /// Converts a timetable of nodes with the rooms of the model's sittings into one of exams.
    pub fn expand(&self, nodes: &Arc<Timetable>) -> Arc<Timetable> {
        let mut timetable = Timetable::unplaced(self.exams);
        for (exams, &period) in self.groups.iter().zip(&nodes.periods) {
            exams.iter().for_each(|&exam| timetable.periods[exam] = period);
        }
        if self.rooms > 0 && !self.is_total {
            timetable.rooms = vec![Vec::new(); self.all_sittings];
            for (&original, seats) in self.original.iter().zip(&nodes.rooms) {
                timetable.rooms[original] = seats.clone();
            }
        }
        Arc::new(timetable)
    }

    /// Reduces a timetable of exams to one of nodes with the rooms of the model's sittings.
    pub(crate) fn reduce(&self, timetable: &Timetable) -> Timetable {
        let period = |exams: &Vec<usize>| timetable.period_of(exams[0]).map_or(UNPLACED, |period| period as u16);
        let periods: Vec<u16> = self.groups.iter().map(period).collect();
        let rooms = |(sitting, &original): (&Sitting, &usize)| match self.is_total {
            // Timetables do not name the room that stands for all seats.
            true if periods[usize::from(sitting.node)] == UNPLACED => Vec::new(),
            true => vec![Seats { room: 0, students: sitting.students }],
            false => timetable.rooms.get(original).cloned().unwrap_or_default(),
        };
        let rooms = self.sittings.iter().zip(&self.original).map(rooms).collect();
        Timetable { periods, rooms }
    }

    /// Adds the constraints between periods of two nodes.
    fn relate(&mut self, instance: &Instance, plain: &Model, numbers: &Numbers) {
        let is_limited = self.tables.len() > usize::from(LIMITED);
        let mut add = |node: Option<u16>, other: Option<u16>, table: u8| {
            let (Some(node), Some(other)) = (node, other) else { return };
            let related = Related { node: other, table };
            if node == other {
                // Exams of one period, which the constraint does not allow.
                if table != SAME_DAY {
                    self.allowed[usize::from(node)] = PeriodSet::default();
                }
            } else if !self.related[usize::from(node)].contains(&related) {
                self.related[usize::from(node)].push(related);
            }
        };
        if let Some(restrictions) = &plain.restrictions {
            let of_node = &numbers.of_node;
            for (node, others) in restrictions.different.iter().enumerate() {
                others.iter().for_each(|&other| add(of_node[node], of_node[usize::from(other)], DIFFERENT));
            }
            for (node, precedences) in restrictions.precedences.iter().enumerate() {
                for precedence in precedences {
                    let other = of_node[usize::from(precedence.other)];
                    add(of_node[node], other, if precedence.other_later { LATER } else { EARLIER });
                }
            }
        }
        for relation in &instance.rules.relations {
            let [first, second] = [relation.first, relation.second].map(|exam| numbers.of_exam[usize::from(exam)]);
            let tables = match relation.kind {
                RelationKind::DirectlyBefore => (JUST_AFTER, JUST_BEFORE),
                RelationKind::SameDay => (SAME_DAY, SAME_DAY),
                RelationKind::DifferentDay => (OTHER_DAY, OTHER_DAY),
                _ => continue,
            };
            add(first, second, tables.0);
            add(second, first, tables.1);
        }
        for person in &instance.resources.people {
            let nodes: Vec<_> = person.exams.iter().map(|&exam| numbers.of_exam[usize::from(exam)]).collect();
            for (at, &node) in nodes.iter().enumerate() {
                for &other in &nodes[at + 1..] {
                    add(node, other, DIFFERENT);
                    add(other, node, DIFFERENT);
                }
            }
        }
        // The limits of students, where they forbid pairs of periods.
        for exam in (0..instance.exam_count()).filter(|_| is_limited) {
            for (other, _) in instance.conflicts.of(exam) {
                add(numbers.of_exam[exam], numbers.of_exam[other], LIMITED);
            }
        }
    }

    /// Builds the conflict graph: shared students, and the nodes that must be in different periods.
    fn connect(&mut self, plain: &Model, origins: &[usize], numbers: &Numbers) {
        let nodes = self.nodes();
        self.adjacency = vec![0; nodes * self.words];
        for node in 0..nodes {
            let number = |other: usize| numbers.of_node[other].map(usize::from);
            let of_origin = plain.conflicts.of(origins[node]);
            let mut row: Vec<(usize, i32)> =
                of_origin.filter_map(|(other, shared)| number(other).map(|other| (other, shared as i32))).collect();
            let apart = self.related[node].iter().filter(|related| related.table == DIFFERENT);
            row.extend(apart.map(|related| (usize::from(related.node), 0)));
            row.sort_unstable_by_key(|&(other, shared)| (other, -shared));
            row.dedup_by_key(|&mut (other, _)| other);
            for (other, shared) in row {
                self.neighbours.push(Neighbour { node: other as u16, shared });
                self.adjacency[node * self.words + other / 64] |= 1 << (other % 64);
            }
            self.offsets.push(self.neighbours.len() as u32);
        }
    }

    fn add_rooms(&mut self, instance: &Instance) {
        let rooms = &instance.resources.rooms;
        if rooms.is_empty() {
            let limits: Vec<Option<u32>> = (0..self.periods).map(|period| instance.seat_limit(period)).collect();
            if limits.iter().any(Option::is_some) {
                self.rooms = 1;
                self.is_total = true;
                self.capacity = limits.into_iter().map(|limit| limit.unwrap_or(u32::MAX / 4)).collect();
                self.closed = vec![false; self.periods];
                (self.penalties, self.single) = (vec![0], vec![false]);
                (self.mixed_durations, self.opened) = (0, 0);
            }
            return;
        }
        self.rooms = rooms.len();
        let weight = i64::from(instance.objective.weights.room);
        self.penalties = rooms.iter().map(|room| weight * i64::from(room.penalty)).collect();
        self.single = rooms.iter().map(|room| room.single).collect();
        let names: Vec<&str> = rooms.iter().map(|room| room.building.as_str()).collect();
        let first = |name: &str| names.iter().position(|other| *other == name).unwrap_or(0) as u16;
        self.buildings = names.iter().map(|name| first(name)).collect();
        let cells = (0..self.periods).flat_map(|period| rooms.iter().map(move |room| (period as u16, room)));
        self.capacity = cells.clone().map(|(_, room)| room.seats).collect();
        self.closed = cells.map(|(period, room)| room.unavailable.contains(&period)).collect();
    }

    fn add_sittings(&mut self, instance: &Instance) {
        let (all, most_rooms) = (instance.sittings(), instance.most_rooms());
        let mut minutes: Vec<Option<u32>> = all
            .iter()
            .map(|sitting| instance.exams[sitting.exam].duration.map(|duration| duration + sitting.extra))
            .collect();
        let lasts = minutes.clone();
        minutes.sort_unstable();
        minutes.dedup();
        self.durations = minutes.len().max(1);
        if self.durations == 1 {
            self.mixed_durations = 0;
        }
        let reference = instance.rules.reference.as_ref().filter(|_| !self.is_total && self.leaving_room > 0);
        let home = |number: usize| reference.and_then(|reference| reference.home(number)).unwrap_or(NO_HOME);
        let mut of_exams: Vec<Vec<usize>> = vec![Vec::new(); instance.exam_count()];
        all.iter().enumerate().for_each(|(number, sitting)| of_exams[sitting.exam].push(number));
        self.all_sittings = all.len();
        for (node, exams) in self.groups.iter().enumerate() {
            let mut own: Vec<usize> = exams.iter().flat_map(|&exam| of_exams[exam].iter().copied()).collect();
            // The largest is the hardest to place.
            own.sort_by_key(|&number| (std::cmp::Reverse(all[number].students), number));
            for number in own {
                let sitting = &all[number];
                let most_rooms = if self.is_total { 1 } else { most_rooms[all[number].exam] as u16 };
                let mut rooms: Vec<u16> = (0..self.rooms as u16)
                    .filter(|&room| {
                        let seats = instance.resources.rooms.get(usize::from(room));
                        let fits = seats.is_none_or(|room| most_rooms > 1 || room.seats >= sitting.students);
                        fits && (seats.is_none() || instance.admits(sitting, room))
                    })
                    .collect();
                let seats = |room: u16| instance.resources.rooms.get(usize::from(room)).map_or(0, |room| room.seats);
                rooms.sort_by_key(|&room| (self.penalties[usize::from(room)], seats(room), room));
                self.sittings.push(Sitting {
                    node: node as u16,
                    students: sitting.students,
                    duration: minutes.binary_search(&lasts[number]).unwrap_or(0) as u16,
                    own_room: sitting.own_room && !self.is_total,
                    most_rooms,
                    home: home(number),
                    rooms,
                });
                self.original.push(number);
            }
            self.first_sitting.push(self.sittings.len() as u32);
        }
    }

    fn relate_rooms(&mut self, instance: &Instance, numbers: &Numbers) {
        let mut room_related = vec![Vec::new(); self.sittings.len()];
        if self.is_total || self.rooms == 0 {
            self.room_related = room_related;
            return;
        }
        let all = instance.sittings();
        let shares = |sitting: usize| !all[self.original[sitting]].is_alone;
        let is_closed =
            |sitting: &Sitting| sitting.own_room || sitting.rooms.iter().any(|&room| self.single[usize::from(room)]);
        for node in 0..self.nodes() {
            let own = || self.sittings_of(node).filter(|&sitting| shares(sitting));
            for sitting in own().filter(|&sitting| is_closed(&self.sittings[sitting])) {
                let exam = |sitting: usize| all[self.original[sitting]].exam;
                let others = own().filter(|&other| other != sitting && exam(other) == exam(sitting));
                let related = |other: usize| RoomRelated { sitting: other as u16, tie: RoomTie::OfOneExam };
                room_related[sitting].extend(others.map(related));
            }
        }
        for relation in instance.rules.relations.iter().filter(|relation| relation.kind.is_of_rooms()) {
            let same = relation.kind == RelationKind::SameRoom;
            let tie = if same { RoomTie::Together } else { RoomTie::Apart };
            let of = |exam: u16| {
                let node = numbers.of_exam[usize::from(exam)].map(usize::from);
                let of_node = node.map_or(0..0, |node| self.sittings_of(node));
                of_node.filter(|&sitting| all[self.original[sitting]].exam == usize::from(exam)).collect::<Vec<_>>()
            };
            let (first, second) = (of(relation.first), of(relation.second));
            for (own, others) in [(&first, &second), (&second, &first)] {
                for &sitting in own {
                    // Sittings of one exam that are in the same room as another exam share their room, too.
                    let others = others.iter().chain(own.iter().filter(|_| same)).filter(|&&other| other != sitting);
                    room_related[sitting].extend(others.map(|&other| RoomRelated { sitting: other as u16, tie }));
                }
            }
        }
        self.room_related = room_related;
    }

    /// Returns `true` if the tables of students fit cells of this type.
    pub fn fits<C: Cell>(&self) -> bool {
        self.largest <= C::MAX
    }
}
