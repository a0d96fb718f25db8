//! Late changes: what of a timetable no longer holds under changed data, and the prices of solving around it.
//!
//! The timetable is the reference of the rules ([`Reference`]): every exam in another period and every sitting in another
//! room has a price. By default moving an exam costs more than any exam can save by moving, so that as few exams move as
//! possible, and another room costs a quarter of that.

use super::check::{NOUNS, Verdict};
use super::{Instance, Reference, Timetable};
use gridwright_core::numbers::counted_as;

/// Price of another room as a divisor of the price of another period.
const ROOMS_PER_PERIOD: u32 = 4;

/// Highest price, so that sums of prices and costs stay within the searches' integers.
pub const HIGHEST_PRICE: u32 = 1_000_000;

/// Price of a moved exam, in raw cost units, with which no exam leaves its period for its own cost alone: one more than the
/// largest cost of an exam, with its pairs, its period and its rooms.
pub fn price_of_a_move(instance: &Instance, timetable: &Timetable) -> u32 {
    let prices = instance.period_prices();
    let periods = instance.period_count();
    let mut costs = timetable.cost_shares(instance);
    for (exam, cost) in costs.iter_mut().enumerate() {
        let at = timetable.period_of(exam).map(|period| exam * periods + period);
        *cost += at.and_then(|at| prices.get(at)).map_or(0, |&price| u64::from(price));
    }
    for (sitting, rooms) in instance.sittings().iter().zip(&timetable.rooms) {
        costs[sitting.exam] += rooms.len() as u64 * dearest_room(instance);
    }
    (costs.into_iter().max().unwrap_or(0) + 1).min(HIGHEST_PRICE.into()) as u32
}

/// Price of another room beside a price of a moved exam, in raw cost units; no exam leaves its room for the cost of that alone.
pub fn price_of_a_room(instance: &Instance, price_of_a_move: u32) -> u32 {
    let least = (dearest_room(instance) + 1).min(HIGHEST_PRICE.into()) as u32;
    price_of_a_move.div_ceil(ROOMS_PER_PERIOD).max(least)
}

/// Highest cost of a part of an exam in a room: penalty, a room that is opened or another duration, a further room and
/// building.
fn dearest_room(instance: &Instance) -> u64 {
    let weights = &instance.objective.weights;
    let penalty = instance.resources.rooms.iter().map(|room| room.penalty).max().unwrap_or(0);
    let further = u64::from(weights.part) + u64::from(weights.building);
    let of_duration = u64::from(weights.mixed_durations.max(weights.opened));
    u64::from(weights.room) * u64::from(penalty) + of_duration + further
}

/// Lists violations, one line for each kind with its number and the texts of at most `most` violations: «2
/// clashes: exams A and B …».
pub fn by_kind(verdict: &Verdict, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for &(kind, one, several) in &NOUNS {
        let texts: Vec<&str> = verdict
            .violations
            .iter()
            .filter(|found| found.kind.as_ref() == kind)
            .map(|found| found.text.as_str())
            .collect();
        if texts.is_empty() {
            continue;
        }
        let mut line = counted_as(texts.len() as u64, one, several);
        line += ": ";
        line += &texts[..texts.len().min(most)].join("; ");
        if texts.len() > most {
            line += &format!("; and {} more", texts.len() - most);
        }
        lines.push(line);
    }
    lines
}

impl Instance {
    /// The instance with a timetable to stay close to, at these prices in raw cost units.
    #[must_use]
    pub fn around(&self, timetable: Timetable, weight: u32, room_price: u32) -> Self {
        let mut instance = self.clone();
        instance.rules.reference = Some(Reference { timetable, weight });
        instance.rules.room_price = room_price;
        instance
    }
}
