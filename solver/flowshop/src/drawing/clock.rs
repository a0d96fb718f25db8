//! Time axis and breaks of a chart: numbers, or dates and times of day where the start of the plan is stated.

use std::ops::Range;

use chrono::{Datelike, Days, NaiveDateTime, TimeDelta};

use super::layout::{GanttLayout, GanttRows, Piece};
use crate::real_time::{day_text, midnight};
use gridwright_core::numbers::grouped;
use gridwright_core::scene::axis::whole_ticks;

/// Distances of ticks within a day, in minutes.
const MINUTES: [i64; 8] = [5, 15, 30, 60, 120, 180, 360, 720];

/// Distances of ticks in days; whole weeks begin on Mondays.
const DAYS: [u32; 7] = [1, 2, 7, 14, 28, 91, 364];

/// Label of the widest kind on an axis of dates.
const WIDEST: &str = "Wed 30 Nov";

/// A tick of the time axis.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeTick {
    /// Time in time units.
    pub time: f64,
    /// Label, such as «120», «06:00» or «Mon 30 Nov».
    pub label: String,
}

impl GanttLayout<'_> {
    /// Widest label of the ticks of an axis that ends at `end`.
    pub fn widest_tick(&self, end: f64) -> String {
        match self.instance.plan_start() {
            Some(_) => WIDEST.to_owned(),
            None => grouped(end.max(0.0).round() as u64),
        }
    }

    /// Round times between two times that are at least `least` time units apart.
    pub fn ticks(&self, time: &Range<f64>, least: f64) -> Vec<TimeTick> {
        let Some(start) = self.instance.plan_start() else {
            let ticks = whole_ticks(time.start, time.end, least);
            return ticks.map(|tick| TimeTick { time: tick as f64, label: grouped(tick) }).collect();
        };
        let unit = f64::from(self.instance.seconds_per_unit());
        let first = start.local_after((time.start.max(0.0) * unit) as i64);
        let at = |local: NaiveDateTime| start.seconds_to(local) as f64 / unit;
        let mut ticks: Vec<TimeTick> = Vec::new();
        for local in round_times(first, least * unit) {
            let time_of = at(local);
            if time_of > time.end {
                break;
            }
            // Skipped hours have one tick together.
            if time_of >= time.start && ticks.last().is_none_or(|last| last.time < time_of) {
                let is_day = local == midnight(local.date());
                let label = if is_day { day_text(local.date()) } else { local.format("%H:%M").to_string() };
                ticks.push(TimeTick { time: time_of, label });
            }
        }
        ticks
    }

    /// Unit of the axis in words; empty for dates.
    pub fn axis_unit(&self) -> &str {
        if self.instance.plan_start().is_some() { "" } else { self.instance.time_unit() }
    }

    /// Times without work of the machine of a row between two times, if they last longer than `finest`.
    pub fn breaks(&self, row: usize, time: &Range<f64>, finest: f64) -> impl Iterator<Item = (u32, u32)> + use<'_> {
        let clock = match self.rows {
            GanttRows::Machines => self.instance.clocks.as_ref().and_then(|clocks| clocks.0.get(row)),
            GanttRows::Jobs => None,
        };
        let (from, to) = (time.start.max(0.0) as u32, time.end.max(0.0).ceil() as u32);
        let hours = clock.and_then(|clock| clock.hours.as_deref());
        let breaks = hours.into_iter().flat_map(move |hours| hours.breaks(from, to));
        breaks.filter(move |(start, end)| f64::from(end - start) > finest)
    }

    /// Work of a bar of one operation in time units, without breaks; the whole length of several.
    pub fn work(&self, piece: &Piece) -> u32 {
        if !piece.is_single() {
            return piece.end - piece.start;
        }
        let (position, machine) = self.operation(piece.row, piece.first);
        self.instance.time(self.job(position), machine)
    }
}

/// Round local times from the last one before `first` on, at least so many seconds apart.
fn round_times(first: NaiveDateTime, least: f64) -> Box<dyn Iterator<Item = NaiveDateTime>> {
    let day = midnight(first.date());
    if let Some(minutes) = MINUTES.into_iter().find(|&minutes| minutes as f64 * 60.0 >= least) {
        let step = TimeDelta::minutes(minutes);
        let passed = (first - day).num_minutes() / minutes;
        let begin = day + step * passed as i32;
        return Box::new(std::iter::successors(Some(begin), move |time| time.checked_add_signed(step)));
    }
    let days = DAYS.into_iter().find(|&days| f64::from(days) * 86_400.0 >= least).unwrap_or(DAYS[DAYS.len() - 1]);
    let days = if f64::from(days) * 86_400.0 >= least { days } else { (least / 86_400.0).ceil() as u32 };
    let passed = (first.date().num_days_from_ce() - 1).rem_euclid(days as i32);
    let begin = day - TimeDelta::days(i64::from(passed));
    Box::new(std::iter::successors(Some(begin), move |time| time.checked_add_days(Days::new(days.into()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real_time::{PlanStart, RealTime};
    use crate::{Instance, Schedule};

    #[test]
    fn ticks_are_round_times_of_clocks_and_days() {
        let mut instance = Instance::of_times("shop", 1, vec![300, 300]).unwrap();
        let start = PlanStart::parse(["2026-11-28 22:30", "", "Europe/Berlin"]).unwrap();
        let schedule = Schedule::new(&instance, &[0, 1]);
        let labels = |instance: &Instance, time: Range<f64>, least: f64| {
            let layout = GanttLayout::new(instance, &schedule, GanttRows::Machines);
            layout.ticks(&time, least).into_iter().map(|tick| (tick.time, tick.label)).collect::<Vec<_>>()
        };
        assert_eq!(
            labels(&instance, 0.0..250.0, 90.0),
            [(0.0, "0".into()), (100.0, "100".into()), (200.0, "200".into())]
        );
        instance.real_time = Some(RealTime { start: Some(start), ..RealTime::default() }.into());
        let expected =
            [(30.0, "23:00"), (90.0, "Sun 29 Nov"), (150.0, "01:00")].map(|(at, text)| (at, text.to_owned()));
        assert_eq!(labels(&instance, 0.0..200.0, 50.0), expected);
        let day = 1_440.0;
        let expected = [(90.0, "Sun 29 Nov"), (90.0 + day, "Mon 30 Nov")].map(|(at, text)| (at, text.to_owned()));
        assert_eq!(labels(&instance, 0.0..2.0 * day, 800.0), expected);
        let weeks = labels(&instance, 0.0..20.0 * day, 6.0 * day);
        assert_eq!(
            weeks.iter().map(|week| week.1.as_str()).collect::<Vec<_>>(),
            ["Mon 30 Nov", "Mon 7 Dec", "Mon 14 Dec"]
        );
    }
}
