//! Objectives: named sets of weights for the components of the cost, and their tables.
//!
//! ```text
//! cost = Σ_{i<j} c_ij · W[t_i][t_j]  +  Σ_e price[e][t_e]  +  Σ room terms
//! ```
//!
//! c_ij is the number of students who sit both exams, W a symmetric table over periods that follows from calendar and
//! weights, `price` holds penalties of periods and large exams late in the session; room terms are penalties of rooms,
//! different durations in one room and period, and further rooms of one sitting.
//!
//! Sources: M. W. Carter, G. Laporte, S. Y. Lee, «Examination timetabling: algorithmic strategies and applications», Journal of
//! the Operational Research Society 47(3), 1996 (Toronto); B. McCollum, P. McMullan, E. K. Burke, A. J. Parkes, R. Qu, «The
//! second International Timetabling Competition: examination timetabling track», technical report
//! QUB/IEEE/Tech/ITC2007/Exam/v4.0/17, 2007 (ITC-2007).

use serde::{Deserialize, Serialize};

use super::timetable::weight;
use super::{Instance, Timetable, counts};
use crate::numbers;

/// Named objective.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray, strum::IntoStaticStr,
)]
pub enum ObjectiveKind {
    /// Proximity cost per student, as the Toronto instances are compared.
    #[default]
    #[strum(serialize = "toronto")]
    Toronto,
    /// Weights of the examination track of the International Timetabling Competition 2007.
    #[strum(serialize = "itc-2007")]
    Itc2007,
    /// Days of students first: no two exams in a row, few days with two, then days between exams.
    #[strum(serialize = "office")]
    Office,
}

impl ObjectiveKind {
    /// All kinds, in the order of the enum.
    pub const ALL: [Self; 3] = crate::variants();

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Toronto => "Toronto",
            Self::Itc2007 => "ITC-2007",
            Self::Office => "Office",
        }
    }
}

/// Weights of the components, in cost units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Weights {
    /// Factor of 16, 8, 4, 2, 1 for a student with two exams 1 to 5 periods apart.
    pub proximity: u32,
    /// Number of periods that each night adds to a distance of `proximity`.
    pub night: u32,
    /// A student has two exams in adjacent periods of one day.
    pub in_a_row: u32,
    /// A student has two exams on one day, not in adjacent periods.
    pub in_a_day: u32,
    /// A student has two exams at most `spread_periods` apart, on whatever days.
    pub spread: u32,
    /// Distance in periods within which `spread` counts.
    pub spread_periods: u32,
    /// Factor of 4, 2, 1 for a student with exams on days that follow each other, or 2 or 3 days apart.
    pub days: u32,
    /// One of the `large_exams` largest exams is in one of the last `late_periods` periods.
    pub late: u32,
    /// Number of largest exams that should not be late; of equal ones the first in the file.
    pub large_exams: u32,
    /// Number of last periods of the session that are late.
    pub late_periods: u32,
    /// Factor of the penalty of a period, for each exam in it.
    pub period: u32,
    /// Factor of the penalty of a room, for each sitting in it.
    pub room: u32,
    /// Each duration beyond the first in one room and period.
    pub mixed_durations: u32,
    /// Each room beyond the first of one sitting.
    pub part: u32,
}

impl Weights {
    /// Weights of an objective; those of a competition's file stand in the file.
    pub fn of(kind: ObjectiveKind) -> Self {
        match kind {
            ObjectiveKind::Toronto => Self { proximity: 1, ..Self::default() },
            ObjectiveKind::Itc2007 => Self {
                in_a_row: 7,
                in_a_day: 5,
                spread: 1,
                spread_periods: 5,
                mixed_durations: 10,
                late: 5,
                large_exams: 100,
                late_periods: 30,
                period: 1,
                room: 1,
                ..Self::default()
            },
            ObjectiveKind::Office => Self {
                in_a_row: 120,
                in_a_day: 60,
                days: 2,
                late: 50,
                large_exams: 20,
                late_periods: 4,
                period: 1,
                room: 1,
                mixed_durations: 10,
                part: 20,
                ..Self::default()
            },
        }
    }
}

/// Objective of a session: its name and its weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objective {
    /// Name.
    pub kind: ObjectiveKind,
    /// Weights, which may differ from those of the name.
    pub weights: Weights,
}

impl Default for Objective {
    fn default() -> Self {
        Self::of(ObjectiveKind::Toronto)
    }
}

impl Objective {
    /// Objective with the weights of its name.
    pub fn of(kind: ObjectiveKind) -> Self {
        Self { kind, weights: Weights::of(kind) }
    }

    /// Returns `true` for the published proximity cost, unchanged.
    pub fn is_toronto(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if the cost is shown divided by the number of students.
    pub fn is_per_student(&self) -> bool {
        self.kind == ObjectiveKind::Toronto
    }
}

/// Cost W[t][u] of one student with exams in the periods t and u, t ≠ u; 0 for t = u.
#[derive(Debug, Clone)]
pub enum PairCosts {
    /// Published proximity weights by the distance of the periods.
    Proximity,
    /// Table over pairs of periods, row by row.
    Table {
        /// Number of periods.
        periods: usize,
        /// W[t][u] at t · periods + u.
        cells: Vec<u32>,
    },
}

impl PairCosts {
    /// Costs of a session.
    pub fn of(instance: &Instance) -> Self {
        if instance.objective.is_toronto() {
            return Self::Proximity;
        }
        let periods = instance.period_count();
        let days = Days::of(instance);
        let cost = |(t, u): (usize, usize)| pair_cost(&instance.objective.weights, &days, t.min(u), t.max(u));
        let pairs = (0..periods).flat_map(|t| (0..periods).map(move |u| (t, u)));
        Self::Table { periods, cells: pairs.map(cost).collect() }
    }

    /// W[t][u].
    #[inline]
    pub fn cost(&self, t: usize, u: usize) -> u64 {
        match self {
            Self::Proximity => weight(t.abs_diff(u)),
            Self::Table { periods, cells } => {
                let inside = t < *periods && u < *periods;
                if inside { u64::from(cells[t * periods + u]) } else { 0 }
            }
        }
    }
}

/// Days of the periods: number of the day in the session and the date, if all periods have one.
struct Days(Option<Vec<(usize, i64)>>);

impl Days {
    fn of(instance: &Instance) -> Self {
        let firsts = counts::days(instance);
        let dates = instance.periods.iter().map(|period| period.date.map(|date| date - chrono::NaiveDate::default()));
        let ordinals = firsts.map(|firsts| {
            let mut distinct = firsts.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let number = |first: &usize| distinct.iter().position(|other| other == first).unwrap_or(0);
            firsts.iter().map(number).zip(dates.map(|days| days.map_or(0, |days| days.num_days()))).collect()
        });
        Self(ordinals)
    }
}

/// W[t][u] for t < u; 0 for t = u.
fn pair_cost(weights: &Weights, days: &Days, t: usize, u: usize) -> u32 {
    /// Factors by days between two exams.
    const BY_DAYS: [u32; 4] = [0, 4, 2, 1];
    let distance = u - t;
    if distance == 0 {
        return 0;
    }
    let mut cost = 0;
    let mut nights = 0;
    let is_same_day = match &days.0 {
        None => distance == 1,
        Some(days) => {
            let apart = (days[u].1 - days[t].1).unsigned_abs() as usize;
            cost += weights.days * BY_DAYS.get(apart).copied().unwrap_or(0);
            nights = days[u].0.abs_diff(days[t].0);
            days[u].0 == days[t].0
        }
    };
    cost += weights.proximity * weight(distance + weights.night as usize * nights) as u32;
    if is_same_day {
        cost += if distance == 1 { weights.in_a_row } else { weights.in_a_day };
    }
    if distance <= weights.spread_periods as usize {
        cost += weights.spread;
    }
    cost
}

impl Instance {
    /// Label of the shown cost, with the name of an objective that is not the published one.
    pub fn cost_label(&self) -> &'static str {
        match self.objective.kind {
            ObjectiveKind::Toronto => "Cost per student",
            ObjectiveKind::Itc2007 => "Cost (ITC-2007)",
            ObjectiveKind::Office => "Cost (Office)",
        }
    }

    /// Shown cost in words: with decimals for each student, a whole number for other objectives.
    pub fn cost_text(&self, raw: u64) -> String {
        if self.objective.is_per_student() { numbers::cost(self.shown(raw)) } else { numbers::grouped(raw) }
    }

    /// Costs of pairs of exams of one student by their periods.
    pub fn pair_costs(&self) -> PairCosts {
        PairCosts::of(self)
    }

    /// True for each exam that is one of the largest, which should not be late.
    pub fn large_exams(&self) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.exams.len()).collect();
        order.sort_by_key(|&exam| (std::cmp::Reverse(self.exams[exam].enrolment), exam));
        let mut large = vec![false; order.len()];
        for &exam in order.iter().take(self.objective.weights.large_exams as usize) {
            large[exam] = true;
        }
        large
    }

    /// price[e][t] of the objective at e · periods + t, without the price of leaving a reference timetable; empty if all
    /// prices are 0.
    pub fn period_prices(&self) -> Vec<u32> {
        let weights = &self.objective.weights;
        let periods = self.period_count();
        let is_priced = weights.period > 0 && self.periods.iter().any(|period| period.penalty > 0);
        if !is_priced && (weights.late == 0 || weights.large_exams == 0 || weights.late_periods == 0) {
            return Vec::new();
        }
        let first_late = periods.saturating_sub(weights.late_periods as usize);
        let large = self.large_exams();
        let price = |exam: usize, period: usize| {
            let late = if large[exam] && period >= first_late { weights.late } else { 0 };
            weights.period.saturating_mul(self.periods[period].penalty).saturating_add(late)
        };
        (0..self.exams.len())
            .flat_map(|exam| (0..periods).map(move |period| (exam, period)))
            .map(|(e, t)| price(e, t))
            .collect()
    }

    /// Cost of the rooms of a timetable: penalties, different durations in one room and period, and further rooms.
    pub fn room_costs(&self, timetable: &Timetable) -> u64 {
        let weights = &self.objective.weights;
        let mut durations: std::collections::BTreeMap<(u16, u16), Vec<Option<u32>>> = std::collections::BTreeMap::new();
        let mut cost = 0;
        for (sitting, rooms) in self.sittings().iter().zip(&timetable.rooms) {
            let Some(period) = timetable.period_of(sitting.exam) else { continue };
            for seats in rooms {
                let penalty = self.resources.rooms.get(usize::from(seats.room)).map_or(0, |room| room.penalty);
                cost += u64::from(weights.room) * u64::from(penalty);
                let minutes = self.exams[sitting.exam].duration.map(|minutes| minutes + sitting.extra);
                durations.entry((period as u16, seats.room)).or_default().push(minutes);
            }
            cost += u64::from(weights.part) * rooms.len().saturating_sub(1) as u64;
        }
        for mut minutes in durations.into_values() {
            minutes.sort_unstable();
            minutes.dedup();
            cost += u64::from(weights.mixed_durations) * (minutes.len() as u64 - 1);
        }
        cost
    }
}
