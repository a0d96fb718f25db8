//! Working times as the checker sees them: day by day from the lines that a person stated, without the intervals of the searches.

use chrono::{NaiveDate, NaiveDateTime};

use crate::Instance;
use crate::real_time::{HoursKind, PlanStart, WorkingHours, midnight, next_day};

/// Days without work after which the rest of the work is taken to go on without breaks. No valid instance comes so far.
const MOST_DAYS: usize = 40_000;

/// Clock of one machine.
pub(super) struct Clock<'a> {
    ready: u64,
    start: Option<&'a PlanStart>,
    lines: Vec<&'a WorkingHours>,
    is_uninterrupted: bool,
    /// Seconds of a time unit.
    unit: i64,
}

impl<'a> Clock<'a> {
    pub(super) fn new(instance: &'a Instance, machine: usize) -> Self {
        let real_time = instance.real_time.as_deref();
        let times = real_time.map(|real_time| real_time.of_machine(machine)).unwrap_or_default();
        let lines = real_time.map(|real_time| {
            real_time.hours_of(machine).into_iter().map(|line| &real_time.hours[line]).collect::<Vec<_>>()
        });
        Self {
            ready: times.ready.into(),
            start: instance.plan_start(),
            lines: lines.unwrap_or_default(),
            is_uninterrupted: times.is_uninterrupted,
            unit: instance.seconds_per_unit().into(),
        }
    }

    /// Time from which the machine can be used.
    pub(super) fn ready(&self) -> u64 {
        self.ready
    }

    /// End of work that can begin at `time`.
    pub(super) fn end(&self, time: u64, takes: u64) -> u64 {
        let (Some(start), false) = (self.start, self.lines.is_empty() || takes == 0) else { return time + takes };
        let seconds = |time: u64| i64::try_from(time).unwrap_or(i64::MAX / 2).saturating_mul(self.unit);
        let first = start.local_after(seconds(time)).date();
        let (mut left, mut span) = (takes as i64, None::<(i64, i64)>);
        let mut date = first.pred_opt().unwrap_or(first);
        for _ in 0..MOST_DAYS {
            for (from, to) in self.open_on(start, date) {
                span = match span {
                    Some((begin, end)) if end == from => Some((begin, to)),
                    Some(complete) => match self.worked(complete, time as i64, &mut left) {
                        Some(end) => return end as u64,
                        None => Some((from, to)),
                    },
                    None => Some((from, to)),
                };
            }
            // Work within a span that goes on after the day may be done on this day.
            if let Some(end) = span.and_then(|span| self.worked(span, time as i64, &mut left.clone())) {
                return end as u64;
            }
            date = next_day(date);
        }
        time + takes
    }

    /// End of the work if a span of work suffices for what is left, which is reduced otherwise. Spans are in seconds.
    fn worked(&self, (from, to): (i64, i64), time: i64, left: &mut i64) -> Option<i64> {
        let (from, to) = ((from + self.unit - 1).div_euclid(self.unit).max(time), to.div_euclid(self.unit));
        let room = (to - from).max(0);
        if *left <= room {
            return Some(from + *left);
        }
        if !self.is_uninterrupted {
            *left -= room;
        }
        None
    }

    /// Parts of a day in which the machine works, ascending, in seconds from the start of the plan, not before it.
    fn open_on(&self, start: &PlanStart, date: NaiveDate) -> Vec<(i64, i64)> {
        let (morning, night) = (midnight(date), midnight(next_day(date)));
        let of = |kind: HoursKind| {
            let dates = [date.pred_opt().unwrap_or(date), date];
            let lines = self.lines.iter().filter(move |line| line.kind == kind);
            lines.flat_map(move |line| dates.into_iter().filter_map(|date| line.on(date))).collect::<Vec<_>>()
        };
        let (mut work, closed) = (of(HoursKind::Work), of(HoursKind::Closed));
        if !self.lines.iter().any(|line| line.kind == HoursKind::Work) {
            work.push((morning, night));
        }
        let mut bounds: Vec<NaiveDateTime> = [morning, night, start.local].into();
        bounds.extend(work.iter().chain(&closed).flat_map(|(from, to)| [*from, *to]));
        bounds.retain(|at| (morning..=night).contains(at));
        bounds.sort_unstable();
        let within = |spans: &[(NaiveDateTime, NaiveDateTime)], at: NaiveDateTime| {
            spans.iter().any(|(from, to)| (*from..*to).contains(&at))
        };
        let pieces = bounds.windows(2).filter(|pair| within(&work, pair[0]) && !within(&closed, pair[0]));
        let seconds = pieces.map(|pair| (start.seconds_to(pair[0]).max(0), start.seconds_to(pair[1])));
        seconds.filter(|(from, to)| from < to).collect()
    }
}
