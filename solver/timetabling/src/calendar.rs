//! Calendar of a session: a pattern of days and times of day with exceptions that generates the periods, and the
//! recognition of such a pattern in given periods.
//!
//! Pattern: first day, weekdays, and the same slots every day. Exceptions: days and single periods that are removed or
//! added. Dates and times are local wall-clock times: daylight saving shifts nothing.

mod correspondence;
mod flaws;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use chrono::{Datelike, Days, NaiveDate, NaiveTime, TimeDelta};

use super::{MAX_PERIODS, Period};

pub use correspondence::correspondence;
pub use flaws::{Flaw, FlawKind, flaws, mend};

pub use super::formats::values::{DateOrder, date as read_date, time as read_time};

/// Maximum length of a session in days, days without periods included.
pub(crate) const MAX_DAYS: usize = 731;

/// Time slot of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// Start.
    pub start: NaiveTime,
    /// End, if known.
    pub end: Option<NaiveTime>,
}

impl Slot {
    /// A slot of `minutes` minutes; `None` if it would not end on the same day or `minutes` is 0.
    pub fn lasting(start: NaiveTime, minutes: u32) -> Option<Self> {
        let (end, days) = start.overflowing_add_signed(TimeDelta::minutes(i64::from(minutes)));
        (days == 0 && minutes > 0).then_some(Self { start, end: Some(end) })
    }

    /// Duration in minutes, if the end is known.
    pub fn minutes(&self) -> Option<i64> {
        self.end.map(|end| (end - self.start).num_minutes())
    }

    /// Formats «09:00–11:00», or «09:00» without a known end.
    pub fn label(&self) -> String {
        match self.end {
            Some(end) => format!("{}–{}", self.start.format("%H:%M"), end.format("%H:%M")),
            None => self.start.format("%H:%M").to_string(),
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let ends = |slot: &Self| slot.end.unwrap_or(slot.start);
        self.start == other.start || (self.start < ends(other) && other.start < ends(self))
    }
}

/// Criterion that ends the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Last day, inclusive.
    LastDay(NaiveDate),
    /// Number of periods, days without exams not counted.
    Periods(usize),
}

/// Key of a period: day and start.
pub type Place = (NaiveDate, NaiveTime);

/// Pattern of periods with its exceptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    /// First day.
    pub first: NaiveDate,
    /// End of the session.
    pub extent: Extent,
    /// True for each weekday with exams, from Monday.
    pub weekdays: [bool; 7],
    /// Slots of each day with exams.
    pub slots: Vec<Slot>,
    /// Days without exams although their weekday has some: holidays.
    pub removed_days: BTreeSet<NaiveDate>,
    /// Days with exams although their weekday has none.
    pub added_days: BTreeSet<NaiveDate>,
    /// Single periods that are removed.
    pub removed: BTreeSet<Place>,
    /// Single periods added to the pattern, with their ends; one that starts with a slot of the pattern replaces it.
    pub extra: BTreeMap<Place, Option<NaiveTime>>,
    /// Default number of seats of a period.
    pub seats: Option<u32>,
    /// Seats of the periods that differ from the default.
    pub seats_at: BTreeMap<Place, Option<u32>>,
    /// Penalties of the periods that have one.
    pub penalties: BTreeMap<Place, u32>,
}

/// Use of a slot on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Period with this index, from 0.
    Period(usize),
    /// Removed by an exception.
    Removed,
    /// After the last of the requested periods.
    Beyond,
}

/// Slot on a particular day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaySlot {
    /// Start and end.
    pub slot: Slot,
    /// Use of the slot.
    pub used: Use,
    /// Number of seats, if limited.
    pub seats: Option<u32>,
}

/// Day of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// Date.
    pub date: NaiveDate,
    /// True if there are exams on this day.
    pub open: bool,
    /// Slots including the removed ones; empty on a day without exams.
    pub slots: Vec<DaySlot>,
}

impl Calendar {
    /// Default calendar of `periods` periods: 9:00 and 14:00 for three hours each, Monday to Friday.
    pub fn usual(first: NaiveDate, periods: usize) -> Self {
        let slot = |hour| NaiveTime::from_hms_opt(hour, 0, 0).and_then(|start| Slot::lasting(start, 180));
        Self {
            first,
            extent: Extent::Periods(periods.clamp(1, MAX_PERIODS)),
            weekdays: [true, true, true, true, true, false, false],
            slots: [9, 14].into_iter().filter_map(slot).collect(),
            removed_days: BTreeSet::new(),
            added_days: BTreeSet::new(),
            removed: BTreeSet::new(),
            extra: BTreeMap::new(),
            seats: None,
            seats_at: BTreeMap::new(),
            penalties: BTreeMap::new(),
        }
    }

    /// Returns `true` if there are exams on `date`, a day within the session.
    pub fn is_open(&self, date: NaiveDate) -> bool {
        let usual = self.weekdays[date.weekday().num_days_from_monday() as usize];
        if usual { !self.removed_days.contains(&date) } else { self.added_days.contains(&date) }
    }

    /// Slots of a day with exams, by start.
    fn slots_on(&self, date: NaiveDate) -> Vec<Slot> {
        let day: RangeInclusive<Place> =
            (date, NaiveTime::MIN)..=(date, NaiveTime::from_hms_opt(23, 59, 59).unwrap_or_default());
        let extra = self.extra.range(day).map(|(&(_, start), &end)| Slot { start, end });
        let usual = self.slots.iter().filter(|slot| !self.extra.contains_key(&(date, slot.start))).copied();
        let mut slots: Vec<Slot> = usual.chain(extra).collect();
        slots.sort_unstable();
        slots.dedup_by_key(|slot| slot.start);
        slots
    }

    /// All days from the first to the last with the use of their slots; at most [`MAX_DAYS`].
    pub fn days(&self) -> Vec<Day> {
        let (mut days, mut count) = (Vec::new(), 0);
        for date in self.first.iter_days().take(MAX_DAYS) {
            let ended = match self.extent {
                Extent::LastDay(last) => date > last,
                Extent::Periods(periods) => count >= periods,
            };
            if ended {
                break;
            }
            let open = self.is_open(date);
            let mut slots = Vec::new();
            for slot in self.slots_on(date).into_iter().filter(|_| open) {
                let place = (date, slot.start);
                let used = match self.extent {
                    _ if self.removed.contains(&place) => Use::Removed,
                    Extent::Periods(periods) if count >= periods => Use::Beyond,
                    _ => {
                        count += 1;
                        Use::Period(count - 1)
                    }
                };
                slots.push(DaySlot { slot, used, seats: self.seats_of(place) });
            }
            days.push(Day { date, open, slots });
        }
        days
    }

    /// Number of seats of a period; `None` if unlimited.
    pub fn seats_of(&self, place: Place) -> Option<u32> {
        self.seats_at.get(&place).copied().unwrap_or(self.seats)
    }

    /// Sets the seats of one period; the default number removes an exception.
    pub fn set_seats(&mut self, place: Place, seats: Option<u32>) {
        if seats == self.seats {
            self.seats_at.remove(&place);
        } else {
            self.seats_at.insert(place, seats);
        }
    }

    /// Changes the times of slot `index`; exceptions of single periods move with it. Nothing happens to the exceptions
    /// if another slot starts at the same time.
    pub fn set_slot(&mut self, index: usize, slot: Slot) {
        let taken = self.slots.iter().enumerate().any(|(at, other)| at != index && other.start == slot.start);
        let Some(old) = self.slots.get_mut(index) else { return };
        let from = std::mem::replace(old, slot).start;
        if from == slot.start || taken {
            return;
        }
        let moved = |place: Place| if place.1 == from { (place.0, slot.start) } else { place };
        self.removed = std::mem::take(&mut self.removed).into_iter().map(moved).collect();
        let seats = std::mem::take(&mut self.seats_at).into_iter();
        self.seats_at = seats.map(|(place, seats)| (moved(place), seats)).collect();
        let penalties = std::mem::take(&mut self.penalties).into_iter();
        self.penalties = penalties.map(|(place, penalty)| (moved(place), penalty)).collect();
    }

    /// Returns `true` if there are no exceptions.
    pub fn is_regular(&self) -> bool {
        let days = self.removed_days.is_empty() && self.added_days.is_empty();
        days && self.removed.is_empty() && self.extra.is_empty() && self.seats_at.is_empty()
    }

    /// Removes all exceptions.
    pub fn make_regular(&mut self) {
        self.removed_days.clear();
        self.added_days.clear();
        self.removed.clear();
        self.extra.clear();
        self.seats_at.clear();
    }

    /// Removes a day or takes it back.
    pub fn toggle_day(&mut self, date: NaiveDate) {
        let exceptions = match self.weekdays[date.weekday().num_days_from_monday() as usize] {
            true => &mut self.removed_days,
            false => &mut self.added_days,
        };
        if !exceptions.remove(&date) {
            exceptions.insert(date);
        }
    }

    /// Removes a period or takes it back; a slot beyond the last period extends the session up to it.
    pub fn toggle(&mut self, place: Place) {
        let days = self.days();
        let slots =
            || days.iter().flat_map(|day| day.slots.iter().map(|slot| ((day.date, slot.slot.start), slot.used)));
        match slots().find(|(other, _)| *other == place).map(|(_, used)| used) {
            Some(Use::Removed) => {
                self.removed.remove(&place);
            }
            Some(Use::Period(_)) => {
                self.removed.insert(place);
            }
            Some(Use::Beyond) => {
                let more = slots().filter(|(other, used)| *used == Use::Beyond && *other <= place).count();
                if let Extent::Periods(periods) = &mut self.extent {
                    *periods += more;
                }
            }
            None => {}
        }
    }

    /// Errors of the calendar with their remedies; empty if it is valid.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if let Extent::LastDay(last) = self.extent {
            if last < self.first {
                problems.push("The last day comes before the first; choose a later one".to_owned());
            } else if (last - self.first).num_days() >= MAX_DAYS as i64 {
                problems.push(format!("The session is longer than {MAX_DAYS} days; choose an earlier last day"));
            }
        }
        for slot in &self.slots {
            if slot.end.is_some_and(|end| end <= slot.start) {
                problems.push(format!("The period {} does not end after it starts; correct its times", slot.label()));
            }
        }
        for (at, slot) in self.slots.iter().enumerate() {
            if let Some(other) = self.slots[..at].iter().find(|other| other.overlaps(slot)) {
                let (first, second) = (other.label(), slot.label());
                problems.push(format!("The periods {first} and {second} overlap; correct their times or remove one"));
            }
        }
        if !problems.is_empty() {
            return problems;
        }
        let count = self.count();
        match self.extent {
            _ if self.slots.is_empty() && self.extra.is_empty() => {
                problems.push("A day has no periods; add one".to_owned());
            }
            _ if count == 0 => {
                problems.push("The calendar has no periods; choose weekdays or a later last day".to_owned())
            }
            _ if count > MAX_PERIODS => {
                problems.push(format!("{count} periods; at most {MAX_PERIODS} can be handled: choose fewer days"));
            }
            Extent::Periods(periods) if count < periods => {
                problems.push(format!("Only {count} periods fit into {MAX_DAYS} days; allow more weekdays"));
            }
            _ => {}
        }
        problems
    }

    /// Number of periods that the calendar generates.
    pub fn count(&self) -> usize {
        let days = self.days();
        days.iter().flat_map(|day| &day.slots).filter(|slot| matches!(slot.used, Use::Period(_))).count()
    }

    /// The periods in chronological order.
    ///
    /// # Errors
    /// The first of [`Calendar::problems`], as a sentence.
    pub fn periods(&self) -> Result<Vec<Period>, String> {
        if let Some(problem) = self.problems().into_iter().next() {
            return Err(problem);
        }
        let days = self.days();
        let used = days.iter().flat_map(|day| day.slots.iter().map(|slot| (day.date, slot)));
        let used = used.filter(|(_, slot)| matches!(slot.used, Use::Period(_)));
        Ok(used
            .map(|(date, DaySlot { slot, seats, .. })| Period {
                date: Some(date),
                start: Some(slot.start),
                end: slot.end,
                seats: *seats,
                penalty: self.penalties.get(&(date, slot.start)).copied().unwrap_or(0),
            })
            .collect())
    }

    /// Recognises the pattern in `periods`: [`Calendar::periods`] of the result gives the same periods.
    ///
    /// # Errors
    /// The first of [`flaws`], or that the session is too long, as a sentence.
    pub fn recognise(periods: &[Period]) -> Result<Self, String> {
        if let Some(flaw) = flaws(periods).first() {
            return Err(flaw.text(periods));
        }
        let mut by_day: BTreeMap<NaiveDate, Vec<(Slot, Option<u32>)>> = BTreeMap::new();
        for period in periods {
            if let (Some(date), Some(start)) = (period.date, period.start) {
                by_day.entry(date).or_default().push((Slot { start, end: period.end }, period.seats));
            }
        }
        let (Some(&first), Some(&last)) = (by_day.keys().next(), by_day.keys().next_back()) else {
            return Err("There are no periods yet".to_owned());
        };
        if (last - first).num_days() >= MAX_DAYS as i64 {
            return Err(format!("The periods lie more than {MAX_DAYS} days apart"));
        }
        let mut calendar = Self { extent: Extent::LastDay(last), ..Self::usual(first, 1) };
        let penalised = periods.iter().filter(|period| period.penalty > 0);
        let penalties = penalised.filter_map(|period| Some(((period.date?, period.start?), period.penalty)));
        calendar.penalties = penalties.collect();
        calendar.slots = usual_slots(&by_day);
        calendar.seats = commonest(by_day.values().flatten().map(|&(_, seats)| seats)).unwrap_or(None);
        let days: Vec<NaiveDate> = first.iter_days().take_while(|&date| date <= last).collect();
        for (weekday, on) in calendar.weekdays.iter_mut().enumerate() {
            let of_weekday = days.iter().filter(|date| date.weekday().num_days_from_monday() as usize == weekday);
            let (all, used) =
                of_weekday.fold((0, 0), |(all, used), date| (all + 1, used + usize::from(by_day.contains_key(date))));
            *on = used > 0 && used * 2 >= all;
        }
        for &date in &days {
            let found = by_day.get(&date);
            if found.is_some() != calendar.is_open(date) {
                calendar.toggle_day(date);
            }
            let Some(found) = found else { continue };
            for slot in calendar.slots.iter().filter(|slot| !found.iter().any(|(other, _)| other.start == slot.start)) {
                calendar.removed.insert((date, slot.start));
            }
            for &(slot, seats) in found {
                if !calendar.slots.contains(&slot) {
                    calendar.extra.insert((date, slot.start), slot.end);
                }
                calendar.set_seats((date, slot.start), seats);
            }
        }
        Ok(calendar)
    }
}

/// Slots that at least half of the days have, without overlaps (the more common slot wins), by start; at least one
/// slot.
fn usual_slots(by_day: &BTreeMap<NaiveDate, Vec<(Slot, Option<u32>)>>) -> Vec<Slot> {
    let mut counts: BTreeMap<Slot, usize> = BTreeMap::new();
    for (slot, _) in by_day.values().flatten() {
        *counts.entry(*slot).or_default() += 1;
    }
    let mut ranked: Vec<(Slot, usize)> = counts.into_iter().collect();
    ranked.sort_by_key(|&(slot, count)| (std::cmp::Reverse(count), slot));
    let mut slots: Vec<Slot> = Vec::new();
    for (slot, count) in ranked {
        if (slots.is_empty() || count * 2 >= by_day.len()) && !slots.iter().any(|other| other.overlaps(&slot)) {
            slots.push(slot);
        }
    }
    slots.sort_unstable();
    slots
}

/// The most frequent value, the smallest of several.
fn commonest<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(value, count)| (count, std::cmp::Reverse(value))).map(|(value, _)| value)
}

/// The first Monday on or after `date`.
pub fn monday_from(date: NaiveDate) -> NaiveDate {
    let days = (7 - date.weekday().num_days_from_monday()) % 7;
    date.checked_add_days(Days::new(u64::from(days))).unwrap_or(date)
}
