//! iCalendar files of the operations and set-ups of the whole shop, and of each machine ([`gridwright_core::export::calendar`]).
//!
//! The identifier of an event depends only on the names of instance, job and machine, so that a later plan moves the event. Times that
//! the clocks show twice are the first of both; the second one is written in UTC.

use chrono::{DateTime, NaiveDateTime, Utc};
use gridwright_core::export::archive::{Archive, file_name};
use gridwright_core::export::calendar::{self, CalendarDateTime, CalendarHead, Component, Event, EventLike, one_line};
use gridwright_core::export::time_zone::TimeZone;
use gridwright_core::{Error, Result};

use super::dispatch::{self, Line};
use crate::real_time::PlanStart;
use crate::{Instance, Schedule};

/// Kind of plan in the head of a file.
const PRODUCT: &str = "Schedule";

/// Sentence about a plan without dates.
pub(super) const NEEDS_START: &str =
    "a calendar needs dates; state when the plan starts (in a table, a column “plan start”; in the window, Data, Plan)";

/// Dated schedule from which events are made.
pub(super) struct ShopCalendar<'a> {
    instance: &'a Instance,
    schedule: &'a Schedule,
    start: &'a PlanStart,
    lines: Vec<Line>,
    now: DateTime<Utc>,
}

impl<'a> ShopCalendar<'a> {
    /// Calendar of a schedule.
    ///
    /// # Errors
    /// [`Error::Usage`] if the start of the plan is not stated.
    pub(super) fn of(instance: &'a Instance, schedule: &'a Schedule, now: DateTime<Utc>) -> Result<Self> {
        let refused = || Error::Usage(format!("{}: {NEEDS_START}", instance.name));
        let start = instance.plan_start().ok_or_else(refused)?;
        Ok(Self { instance, schedule, start, lines: dispatch::lines(instance, schedule), now })
    }

    /// Formats the calendar of the whole shop.
    pub(super) fn shop(&self) -> String {
        self.calendar(&self.instance.name, self.lines.iter())
    }

    /// Calendars of all machines with an operation: a ZIP archive with a file `MACHINE.ics` each, in a folder named after the instance.
    ///
    /// # Errors
    /// [`Error::Usage`] if the archive cannot be written.
    pub(super) fn machines(&self) -> Result<Vec<u8>> {
        let mut archive = Archive::new(self.now);
        let folder = file_name(&self.instance.name);
        for lines in self.lines.chunk_by(|a, b| a.machine == b.machine) {
            let machine = &self.instance.machines[lines[0].machine];
            let text = self.calendar(&format!("{} · {machine}", self.instance.name), lines.iter());
            archive.add_named(&folder, machine, "ics", text.as_bytes())?;
        }
        archive.finish()
    }

    fn calendar<'l>(&self, name: &str, lines: impl Iterator<Item = &'l Line>) -> String {
        let first = self.lines.iter().map(|line| line.setup.unwrap_or(line.start)).min();
        let last = self.lines.iter().map(|line| line.end).max();
        let days = first.zip(last).map(|(first, last)| (self.local(first).date(), self.local(last).date()));
        let head = CalendarHead { product: PRODUCT, name, description: None, time_zone: self.zone(), days };
        head.with_events(lines.flat_map(|line| self.setup(line).into_iter().chain([self.operation(line)])))
    }

    fn zone(&self) -> Option<TimeZone> {
        self.start.zone.map(TimeZone::from)
    }

    fn seconds(&self, time: u32) -> i64 {
        i64::from(time) * i64::from(self.instance.seconds_per_unit())
    }

    fn local(&self, time: u32) -> NaiveDateTime {
        self.start.local_after(self.seconds(time))
    }

    /// Moment of a time.
    fn moment(&self, time: u32) -> CalendarDateTime {
        let utc = self.start.utc_after(self.seconds(time));
        match self.zone().zip(utc).filter(|(zone, utc)| zone.is_repeated(utc.naive_utc())) {
            Some((_, utc)) => CalendarDateTime::Utc(utc),
            None => calendar::local(self.zone(), self.local(time)),
        }
    }

    /// Event of the set-up before an operation; `None` if there is none.
    fn setup(&self, line: &Line) -> Option<Event> {
        let (from, to) = self.schedule.setup_span(line.position, line.machine)?;
        Some(self.event(line, "set-up", &format!("Set-up for {}", self.job(line)), [from, to], &[]))
    }

    /// Event of an operation.
    fn operation(&self, line: &Line) -> Event {
        let job = usize::from(self.schedule.order[line.position]);
        let mut words = vec![format!("Position {} of {}", line.position + 1, self.schedule.order.len())];
        let takes = self.instance.time(job, line.machine);
        words.push(format!("Takes {}", self.instance.length_text(takes.into())));
        words.extend(self.instance.order_facts(job).into_iter().map(|(heading, text)| format!("{heading}: {text}")));
        if line.late > 0 {
            words.push(format!("The job is late by {}", self.instance.length_text(line.late.into())));
        }
        self.event(line, "operation", self.job(line), [line.start, line.end], &words)
    }

    fn job(&self, line: &Line) -> &str {
        &self.instance.jobs[usize::from(self.schedule.order[line.position])].name
    }

    fn event(&self, line: &Line, kind: &str, summary: &str, [from, to]: [u32; 2], words: &[String]) -> Event {
        let machine = &self.instance.machines[line.machine];
        let names = [self.instance.name.as_str(), kind, self.job(line), machine].map(str::as_bytes);
        let mut event = calendar::event(&names, self.now);
        let summary = one_line(&format!("{summary} · {machine}"));
        let mut description = vec![summary.clone()];
        description.extend(words.iter().map(|line| one_line(line)));
        event.summary(&summary).description(&description.join("\n")).location(&one_line(machine));
        event.starts(self.moment(from));
        // An event without an end takes no time.
        if to > from {
            event.ends(self.moment(to));
        }
        event.done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setups;
    use crate::real_time::RealTime;

    /// Two jobs of 60 and 90 minutes on a machine that is set up for 30 minutes between them, planned from `start`.
    fn shop(start: [&str; 3]) -> Instance {
        let mut instance = Instance::of_times("Shop, north", 1, vec![60, 90]).unwrap();
        instance.machines[0] = "Saw".to_owned();
        let mut setups = Setups::of_jobs(2, 1).unwrap();
        setups.between_families_mut(Some(0), 1)[0] = 30;
        instance.setups = Some(setups.into());
        let start = Some(PlanStart::parse(start).unwrap());
        instance.real_time = Some(RealTime { start, ..RealTime::default() }.into());
        instance.validated().unwrap()
    }

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_780_000_000, 0).unwrap()
    }

    fn text(instance: &Instance, order: &[u16]) -> String {
        let schedule = Schedule::new(instance, order);
        ShopCalendar::of(instance, &schedule, now()).unwrap().shop().replace("\r\n ", "").replace("\r\n", "\n")
    }

    fn lines<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
        text.lines().filter(|line| line.starts_with(start)).collect()
    }

    #[test]
    fn operations_and_set_ups_are_events_whose_identifiers_stay() {
        let instance = shop(["2026-11-30", "6:00", ""]);
        let calendar = text(&instance, &[0, 1]);
        let starts = ["DTSTART:20261130T060000", "DTSTART:20261130T070000", "DTSTART:20261130T073000"];
        assert_eq!(lines(&calendar, "DTSTART"), starts);
        let ends = ["DTEND:20261130T070000", "DTEND:20261130T073000", "DTEND:20261130T090000"];
        assert_eq!(lines(&calendar, "DTEND"), ends);
        assert_eq!(
            lines(&calendar, "SUMMARY"),
            ["SUMMARY:J1 · Saw", "SUMMARY:Set-up for J2 · Saw", "SUMMARY:J2 · Saw"]
        );
        assert!(!calendar.contains("TZID") && calendar.contains("LOCATION:Saw\n"), "{calendar}");
        // Another order has the same operations at other times.
        let other = text(&instance, &[1, 0]);
        let sorted = |text: &str| {
            let mut ids: Vec<String> = lines(text, "UID:").into_iter().map(str::to_owned).collect();
            ids.sort();
            ids
        };
        assert_eq!((lines(&other, "UID:").len(), sorted(&calendar).len()), (2, 3));
        assert!(sorted(&other).iter().all(|id| sorted(&calendar).contains(id)));
    }

    /// In Berlin the clocks go back from 3:00 to 2:00 on 25 October 2026: 2:30 comes twice.
    #[test]
    fn the_second_of_two_equal_times_of_clocks_is_written_in_utc() {
        let calendar = text(&shop(["2026-10-25", "1:30", "Europe/Berlin"]), &[0, 1]);
        let starts = lines(&calendar, "DTSTART;TZID=Europe/Berlin:20261025");
        assert_eq!(
            starts,
            ["DTSTART;TZID=Europe/Berlin:20261025T013000", "DTSTART;TZID=Europe/Berlin:20261025T023000"]
        );
        // Set up from the first 2:30 on, the job starts at the second 2:00, which is 1:00 UTC, and ends at the second 2:30.
        assert!(calendar.contains("DTSTART:20261025T010000Z\n"), "{calendar}");
        assert_eq!(lines(&calendar, "DTEND:2026"), ["DTEND:20261025T010000Z"], "{calendar}");
        assert_eq!(calendar.matches("BEGIN:VTIMEZONE").count(), 1);
    }

    #[test]
    fn every_machine_has_a_calendar_and_plans_without_dates_have_none() {
        let mut instance = shop(["2026-11-30", "6:00", ""]);
        (instance.machines, instance.times, instance.setups) =
            (vec!["Saw/1".to_owned(), "Drill".to_owned()], vec![1, 2, 3, 0], None);
        let instance = instance.validated().unwrap();
        let schedule = Schedule::new(&instance, &[0, 1]);
        let calendar = ShopCalendar::of(&instance, &schedule, now()).unwrap();
        let zip = String::from_utf8_lossy(&calendar.machines().unwrap()).into_owned();
        assert!(zip.contains("Shop__north/Saw_1.ics") && zip.contains("Shop__north/Drill.ics"));
        // A visit of no time has no end.
        assert_eq!((calendar.shop().matches("DTSTART").count(), calendar.shop().matches("DTEND").count()), (4, 3));
        let plain = Instance::of_times("plain", 1, vec![1]).unwrap();
        let why = ShopCalendar::of(&plain, &Schedule::new(&plain, &[0]), now()).err().unwrap().to_string();
        assert!(why.contains("plain: a calendar needs dates; state when the plan starts"), "{why}");
    }
}
