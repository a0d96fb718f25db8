//! Cost of a timetable under the objective of its session: the tables of [`super::objective`], computed from calendar and
//! weights.

use super::day_loads::DayShares;
use super::objective::Weights;
use super::timetable::weight;
use super::{Conflicts, Cost, Instance, Objective, ObjectiveKind, Period, Seats, Timetable, counts};
use gridwright_core::numbers;

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
    pub(crate) fn of(instance: &Instance) -> Self {
        if instance.objective.is_toronto() {
            return Self::Proximity;
        }
        let periods = instance.period_count();
        let days = Days::of(instance);
        let breaks = Breaks::of(instance);
        let weights = &instance.objective.weights;
        let cost = |(t, u): (usize, usize)| {
            let is_short = t != u && breaks.minutes(t, u).is_some_and(|minutes| minutes < weights.break_minutes.into());
            pair_cost(weights, &days, t.min(u), t.max(u)) + if is_short { weights.short_break } else { 0 }
        };
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
pub(crate) struct Days(pub(crate) Option<Vec<(usize, i64)>>);

impl Days {
    pub(crate) fn of(instance: &Instance) -> Self {
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

/// Start and end of each period in minutes from a common origin; `None` unless all periods have dates and times.
pub(crate) struct Breaks(Option<Vec<(i64, i64)>>);

impl Breaks {
    pub(crate) fn of(instance: &Instance) -> Self {
        let times = |period: &Period| {
            let days = (period.date? - chrono::NaiveDate::default()).num_days();
            let start = days * 24 * 60 + (period.start? - chrono::NaiveTime::MIN).num_minutes();
            Some((start, start + i64::from(period.minutes()?)))
        };
        Self(instance.periods.iter().map(times).collect())
    }

    /// Returns `true` if all periods have dates and times.
    pub(crate) fn are_known(&self) -> bool {
        self.0.is_some()
    }

    /// Minutes between two periods; negative if they overlap.
    pub(crate) fn minutes(&self, t: usize, u: usize) -> Option<i64> {
        let times = self.0.as_ref()?;
        Some((times[u].0 - times[t].1).max(times[t].0 - times[u].1))
    }
}

/// Number of buildings beyond the first of the rooms of one sitting; rooms without a building count as one building.
pub(super) fn further_buildings(instance: &Instance, rooms: &[Seats]) -> u64 {
    let building = |seats: &Seats| instance.resources.rooms.get(usize::from(seats.room)).map(|room| &room.building);
    let mut buildings: Vec<_> = rooms.iter().filter_map(building).collect();
    buildings.sort_unstable();
    buildings.dedup();
    buildings.len().saturating_sub(1) as u64
}

/// W[t][u] for t < u without breaks; 0 for t = u.
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

impl Objective {
    /// Objective of an imported session with these periods: that of offices if all have dates, the published one otherwise.
    pub fn usual(periods: &[Period]) -> Self {
        let is_dated = !periods.is_empty() && periods.iter().all(|period| period.date.is_some());
        Self::of(if is_dated { ObjectiveKind::Office } else { ObjectiveKind::Toronto })
    }

    /// Checks that a session can have the objective.
    ///
    /// # Errors
    /// A sentence with the remedy.
    pub fn check(&self, instance: &Instance) -> Result<(), String> {
        let counts_days =
            [self.weights.in_a_day, self.weights.days, self.weights.uneven_days].iter().any(|&weight| weight > 0);
        if self.kind == ObjectiveKind::Office && counts_days && !instance.is_dated() {
            return Err("Every period needs a date for the objective Office; give the periods dates".to_owned());
        }
        Ok(())
    }
}

impl Instance {
    /// Label of the shown cost, with the name of an objective that is not the published one.
    pub(crate) fn cost_label(&self) -> &'static str {
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
    pub(crate) fn period_prices(&self) -> Vec<u32> {
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

    /// Cost of the rooms of a timetable: penalties, rooms in use, different durations in one room and period, further rooms and
    /// buildings.
    pub(crate) fn room_costs(&self, timetable: &Timetable) -> u64 {
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
            if weights.building > 0 {
                cost += u64::from(weights.building) * further_buildings(self, rooms);
            }
        }
        for mut minutes in durations.into_values() {
            minutes.sort_unstable();
            minutes.dedup();
            cost += u64::from(weights.opened) + u64::from(weights.mixed_durations) * (minutes.len() as u64 - 1);
        }
        cost
    }
}

impl Timetable {
    /// Computes the cost over the conflict graph: that of the session's objective, raw = Σ_{i<j} c_ij · w(|t_i − t_j|) for
    /// the published one, clashes and unplaced exams.
    pub fn cost(&self, instance: &Instance) -> Cost {
        let mut cost = Cost::default();
        let pairs = instance.pair_costs();
        for exam in 0..instance.exam_count() {
            let Some(period) = self.period_of(exam) else {
                cost.unplaced += 1;
                continue;
            };
            for (other, shared) in instance.conflicts.of(exam).skip_while(|&(other, _)| other <= exam) {
                match self.period_of(other) {
                    Some(other) if other == period => cost.clashes += u64::from(shared),
                    Some(other) => cost.proximity += u64::from(shared) * pairs.cost(period, other),
                    None => {}
                }
            }
        }
        if !instance.objective.is_toronto() {
            let prices = instance.period_prices();
            let periods = instance.period_count();
            let placed = self.periods.iter().take(instance.exam_count()).enumerate();
            let price = |(exam, &period): (usize, &u16)| {
                let inside = usize::from(period) < periods && !prices.is_empty();
                if inside { u64::from(prices[exam * periods + usize::from(period)]) } else { 0 }
            };
            cost.proximity += placed.map(price).sum::<u64>() + instance.room_costs(self);
            if let Some(shares) = DayShares::of(instance) {
                cost.proximity += shares.total(&shares.loads(instance, self));
            }
        }
        cost
    }

    /// Share of each exam in the cost of pairs of exams: Σ_j c_ij · W[t_i][t_j]; the shares add up to twice that cost.
    pub(crate) fn cost_shares(&self, instance: &Instance) -> Vec<u64> {
        let pairs = instance.pair_costs();
        (0..instance.exam_count())
            .map(|exam| match self.period_of(exam) {
                Some(period) => share_at(&instance.conflicts, &pairs, self, exam, period).1,
                None => 0,
            })
            .collect()
    }

    /// (clashes, cost of pairs) of `exam` if it were in `period`, the others as they are.
    pub fn share_at(&self, instance: &Instance, exam: usize, period: usize) -> (u64, u64) {
        share_at(&instance.conflicts, &instance.pair_costs(), self, exam, period)
    }
}

/// (clashes, Σ_j c_ij · W[t][t_j]) of `exam` in `period` t, the others as they are.
pub(super) fn share_at(
    conflicts: &Conflicts, pairs: &PairCosts, timetable: &Timetable, exam: usize, period: usize,
) -> (u64, u64) {
    let (mut clashes, mut proximity) = (0, 0);
    for (other, shared) in conflicts.of(exam) {
        match timetable.period_of(other) {
            Some(other) if other == period => clashes += u64::from(shared),
            Some(other) => proximity += u64::from(shared) * pairs.cost(period, other),
            None => {}
        }
    }
    (clashes, proximity)
}
