//! Device tables of a session with rooms.

use std::collections::HashMap;

use gridwright_kernels::seating::{self as kernels, Part, SET_WORDS, SPLIT, Session, Shape, Sizes};

use super::board::{Board, Kept};
use super::cpu::Thresholds;
use super::model::{RoomTie, SeatingModel};
use crate::annealing::Schedule;
use crate::annealing::board::Cell;
use crate::device::{packed, set_words};
use gridwright_core::{Error, Result};

/// Builds the device tables of a session.
///
/// # Errors
/// [`Error::Device`] if students or costs exceed the integer widths of the kernels, or further buildings have a weight.
pub fn session(model: &SeatingModel, schedule: &Schedule) -> Result<(Sizes, Session)> {
    if model.largest() > u32::from(u16::MAX) || model.sittings.len() >= usize::from(SPLIT) {
        let what = "an exam has more than 65,535 students, or there are more than 65,533 exams and parts; use the CPU";
        return Err(Error::Device(what.to_owned()));
    }
    let dearest =
        model.penalties.iter().copied().max().unwrap_or(0) + model.dearest_duration() + model.part + model.leaving_room;
    if dearest > i64::from(i32::MAX) {
        let what = "the cost of a room is too high for the device; choose lower weights, or use the CPU";
        return Err(Error::Device(what.to_owned()));
    }
    if let Some(why) = model.cpu_only() {
        return Err(Error::Device(why.to_owned()));
    }
    if model.further_building > 0 && model.sittings.iter().any(|sitting| sitting.most_rooms > 1) {
        let what = "further buildings of split exams are weighed by the CPU only; set the weight building to 0, or use the CPU";
        return Err(Error::Device(what.to_owned()));
    }
    if model.capacity.iter().any(|&seats| seats > kernels::SEATS) {
        let what = "a room has more than 1,073,741,823 seats; enter fewer, or use the CPU";
        return Err(Error::Device(what.to_owned()));
    }
    let mut session = Session { offsets: vec![0], related_offsets: vec![0], ..Session::default() };
    for node in 0..model.nodes() {
        for neighbour in model.neighbours(node) {
            session.neighbours.push(packed(neighbour.node, neighbour.shared as u32)?);
        }
        session.offsets.push(session.neighbours.len() as u32);
        let words = model.adjacent(node).iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
        session.adjacency.extend(words.take(model.nodes().div_ceil(32)));
        session.allowed.extend(set_words(model.allowed[node]));
        let related = model.related[node].iter();
        session.related.extend(related.map(|related| u32::from(related.node) | u32::from(related.table) << 16));
        session.related_offsets.push(session.related.len() as u32);
    }
    session.tables = model.tables.iter().flatten().flat_map(|&set| set_words(set)).collect();
    debug_assert_eq!(session.tables.len(), model.tables.len() * model.periods * SET_WORDS);
    session.penalties = model.penalties.iter().map(|&penalty| penalty as u32).collect();
    let most_saved = model.most_saved.iter().map(|&saved| u32::try_from(saved).unwrap_or(u32::MAX));
    session.most_saved = most_saved.collect();
    session.levels = schedule.acceptance.levels().to_vec();
    let parts = add_sittings(model, &mut session);
    let sizes = Sizes {
        nodes: model.nodes() as u32,
        periods: model.periods as u32,
        sittings: model.sittings.len() as u32,
        rooms: model.rooms as u32,
        durations: model.durations as u32,
        choices: session.choices.len() as u32,
        parts,
        is_narrow: is_narrow(model) && session.levels.iter().all(|&level| level <= u32::from(u16::MAX)),
    };
    let stride = sizes.stride() as usize;
    let row = |period: usize| model.pair_costs[period * model.stride..].iter().take(stride);
    session.pair_costs = (0..model.periods).flat_map(|period| row(period).map(|&cost| cost as u32)).collect();
    Ok((sizes, session))
}

/// Computes [`Sizes::is_narrow`]: near(e, t) is at most the price of e in t and the dearest pair of periods for each student
/// whom e shares with another node, and s(e, t) the number of these students.
fn is_narrow(model: &SeatingModel) -> bool {
    let dearest = model.pair_costs.iter().copied().max().unwrap_or(0);
    let fits = |node: usize| {
        let prices = &model.prices[node * model.stride..(node + 1) * model.stride];
        let shared: i64 = model.neighbours(node).iter().map(|neighbour| i64::from(neighbour.shared)).sum();
        let most = i64::from(prices.iter().copied().max().unwrap_or(0)) + shared * i64::from(dearest);
        prices.iter().all(|&price| price >= 0) && most <= i64::from(u16::MAX) && shared < 1 << 15
    };
    let saved: i64 = model.most_saved.iter().fold(0, |sum, &saved| sum.saturating_add(saved));
    // A sitting pays or saves at most this much more in its rooms.
    let room = model.penalties.iter().copied().max().unwrap_or(0) + model.dearest_duration() + model.leaving_room;
    let saved = saved.saturating_add(room.saturating_mul(model.sittings.len() as i64));
    // A change of a node is at most that of near(e, t), and twice the dearest pair for its students.
    let sum = (model.nodes() as i64 * 3 * i64::from(u16::MAX)).saturating_add(saved);
    let is_positive = dearest <= i32::from(u16::MAX)
        && model.pair_costs.iter().all(|&cost| cost >= 0)
        && model.most_saved.iter().all(|&saved| saved >= 0);
    is_positive && sum <= i64::from(i32::MAX) && (0..model.nodes()).all(fits)
}

/// Adds the sittings with their rooms and rules; returns the number of parts that they have room for.
fn add_sittings(model: &SeatingModel, session: &mut Session) -> u32 {
    let mut by_rank: Vec<u32> = (0..model.sittings.len() as u32).collect();
    by_rank.sort_by_key(|&number| (std::cmp::Reverse(model.sittings[number as usize].students), number));
    let mut parts = 0;
    // Sittings with the same rooms share one list, so that the lists stay in the cache of a multiprocessor.
    let mut first_choices: HashMap<&[u16], u32> = HashMap::new();
    for (sitting, related) in model.sittings.iter().zip(&model.room_related) {
        // More parts than rooms are impossible.
        let most_rooms = u32::from(sitting.most_rooms).min((sitting.rooms.len() as u32).max(2));
        let choices = &mut session.choices;
        let first_choice = *first_choices.entry(&sitting.rooms).or_insert_with(|| {
            choices.extend(sitting.rooms.iter().map(|&room| u32::from(room)));
            (choices.len() - sitting.rooms.len()) as u32
        });
        let kinds = [
            (sitting.own_room, kernels::OWN_ROOM),
            (most_rooms > 1, kernels::MAY_SPLIT),
            (!related.is_empty(), kernels::TIED_ROOM),
            (sitting.home != kernels::NO_ROOM, kernels::HAS_HOME),
        ];
        session.sittings.push(kernels::Sitting {
            students_and_rank: sitting.students,
            kind: kinds.iter().fold(u32::from(sitting.duration), |kind, &(is, bit)| if is { kind | bit } else { kind }),
            first_choice,
            choices: sitting.rooms.len() as u32,
        });
        session.details.push(kernels::Details {
            node: u32::from(sitting.node),
            most_rooms,
            first_part: parts,
            first_related: session.room_related.len() as u32,
            related: related.len() as u32,
            home: u32::from(sitting.home),
        });
        parts += if most_rooms > 1 { most_rooms } else { 0 };
        let kind = |tie: RoomTie| match tie {
            RoomTie::Apart => 0,
            RoomTie::Together => kernels::TOGETHER,
            RoomTie::OfOneExam => kernels::OF_ONE_EXAM,
        };
        let related = related.iter().map(|related| u32::from(related.sitting) | kind(related.tie) << 16);
        session.room_related.extend(related);
    }
    for (rank, &number) in by_rank.iter().enumerate() {
        session.sittings[number as usize].students_and_rank |= (rank as u32) << 16;
    }
    session.by_rank = by_rank;
    session.first_sitting = vec![0];
    session.first_sitting.extend((0..model.nodes()).map(|node| model.sittings_of(node).end as u32));
    parts
}

/// Scalar parameters of a run with `chains` chains.
pub fn shape(model: &SeatingModel, schedule: &Schedule, chains: usize, seed: u64) -> Shape {
    let Thresholds { kempe, exchange, swaps, changes } = Thresholds::new(model, schedule);
    Shape {
        chains: chains as u32,
        seed,
        thresholds: [kempe, exchange, swaps, changes],
        mixed_durations: model.mixed_durations,
        opened: model.opened,
        part: model.part,
        leaving_room: model.leaving_room,
    }
}

/// State of a chain as the kernels read it.
pub(crate) fn state<C: Cell>(
    model: &SeatingModel, sizes: &Sizes, session: &Session, board: &Board<C>,
) -> (kernels::Solution, kernels::Tables) {
    let mut kept = Kept::default();
    board.keep(&mut kept);
    let stride = sizes.stride() as usize;
    let (mut near, mut students) = (Vec::new(), Vec::new());
    for node in 0..model.nodes() {
        for period in 0..stride {
            // Cells behind the last period are never read.
            let is_real = period < model.periods;
            near.push(if is_real { board.near_of(model, node, period) } else { 0 });
            let is_counted = is_real && model.allowed[node].contains(period);
            let cell = if is_real { board.students_of(model, node, period) } else { C::default() };
            let cell = if is_real && !is_counted { cell.minus(C::BLOCKED) } else { cell };
            students.push(cell.wide() as u16);
        }
    }
    let words = sizes.words() as usize;
    let period = |period: usize| &board.members[period * model.words..(period + 1) * model.words];
    let halves = |words: &[u64]| words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect::<Vec<_>>();
    let members = (0..model.periods).flat_map(|at| halves(period(at)).into_iter().take(words)).collect();
    let cell = |(at, [used, count, own, distinct]): (usize, [u32; 4])| {
        let single = if model.single[at % model.rooms] { kernels::SINGLE } else { 0 };
        let closed = if model.closed[at] { kernels::CLOSED } else { 0 };
        kernels::Cell::new(used, model.capacity[at] | single | closed, [count, own], distinct)
    };
    let cells = board.seating.states().enumerate().map(cell).collect();
    let tables = kernels::Tables { near, students, members, cells, lasts: board.seating.lasts().to_vec() };
    (solution(model, sizes, session, &kept), tables)
}

/// Periods, rooms and parts as the kernels read them.
fn solution(model: &SeatingModel, sizes: &Sizes, session: &Session, kept: &Kept) -> kernels::Solution {
    let mut parts = vec![Part { room: 0, students: 0 }; sizes.parts as usize];
    for (number, details) in session.details.iter().enumerate().filter(|(_, details)| details.most_rooms > 1) {
        let rooms = kept.rooms.of(model, number);
        if rooms.len() > 1 {
            for (at, seats) in rooms.iter().enumerate().take(details.most_rooms as usize) {
                parts[details.first_part as usize + at] =
                    Part { room: u32::from(seats.room), students: seats.students };
            }
        }
    }
    kernels::Solution { place: kept.place.clone(), room: kept.rooms.numbers().to_vec(), parts }
}
