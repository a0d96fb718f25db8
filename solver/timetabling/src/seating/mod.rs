//! Annealing of sessions with rooms: timetables in which every sitting has its rooms, under any objective.
//!
//! Only timetables without violations are visited. The room is chosen within each move: the cheapest room that has the
//! seats (penalty, then different durations in the room), of equal ones the one that it fills best.
//!
//! The trajectory of a chain is defined in steps. The control word of a step selects the neighbourhood:
//!
//! * **shift**: one node (exams that must be in one period) moves to another period, with new rooms;
//! * **swap**: two nodes exchange their periods, with new rooms;
//! * **room**: one sitting moves to another room of its period;
//! * **Kempe chain**: the connected component of a node in the conflict graph of two periods changes sides;
//! * **exchange**: two periods exchange all their exams.
//!
//! A step of the first three kinds draws 64 proposals in order and applies **each that is acceptable, unless one of its
//! nodes is tied to a node that has moved in the step**: it shares students with it, or a rule relates them. So what
//! students and periods cost can be evaluated for all proposals at once; only rooms are looked for in order. If none is
//! acceptable, the step draws the next 64, up to 256: at low temperature, where moves are rare, a step has more proposals. A
//! step of the last two kinds ends at its first acceptable proposal.
//!
//! The tables of a chain hold for each node e and period t the students s(e, t) that e shares with the exams of t, and
//! near(e, t) = price(e, t) + Σ_u s(e, u) · W[t][u], so that the change of the cost of a shift is the difference of two
//! entries, beside its rooms. An accepted move updates the rows of the neighbours.
//!
//! Sources: Y. Bykov, S. Petrovic, «A step counting hill climbing algorithm applied to university examination timetabling»,
//! Journal of Scheduling 19, 2016 (Kempe chains with rooms); R. Van Bulck, D. Goossens, A. Schaerf, «Multi-neighbourhood
//! simulated annealing for the ITC-2007 capacitated examination timetabling problem», Journal of Scheduling, 2023.

pub mod board;
mod chains;
pub mod construct;
pub(crate) mod cores;
pub mod cpu;
pub mod cuda;
mod days;
pub mod device_tables;
pub(crate) mod diagnosis;
pub(crate) mod leaving;
mod limited_board;
pub(crate) mod limits;
pub mod model;
mod moves;
mod proof;
mod proposals;
mod repair;
mod rooms;
#[cfg(test)]
mod tests;

use super::Timetable;
use super::annealing::board::Cell;
use super::annealing::sampled_median;
use super::objective::ObjectiveKind;

pub(crate) use self::board::Board;
pub use self::construct::construct;
pub(crate) use self::construct::construct_within;
pub use self::cpu::CpuSeating;
pub use self::cuda::DeviceSeating;
pub use self::model::SeatingModel;
pub(crate) use self::repair::BUDGET;

/// Start and end temperature as multiples of the median change of sampled moves, for an objective of this name.
///
/// Under Toronto and Office a cooler start leaves more students with two exams on a day; under ITC-2007 a hotter one takes time
/// from the lower temperatures. `docs/results.md` has the measurements.
pub(crate) fn temperatures(objective: ObjectiveKind) -> [f64; 2] {
    let first = match objective {
        ObjectiveKind::Toronto | ObjectiveKind::Office => 14.0,
        ObjectiveKind::Itc2007 => 1.7,
    };
    [first, 0.004]
}

/// Start temperature with a reference timetable, as multiples of the median change and of the price of a moved exam: the repair
/// has found the exams that have to give way, and a higher temperature loses them.
pub(crate) const CLOSE: [f64; 2] = [0.0, 0.12];

/// Purpose field of the random words that sample moves.
const SAMPLING: u32 = 0x2a;

/// Median |Δ| of the shifts of one node that students allow and that change the cost, without rooms, sampled over a
/// timetable.
pub(crate) fn median_change<C: Cell>(model: &SeatingModel, start: &Timetable, seed: u64) -> f64 {
    let board = Board::<C>::new(model, start);
    sampled_median(model.nodes(), model.periods, seed, SAMPLING, |node, period| {
        board.period_change(model, node, period)
    })
}
