//! The recurrence of an instance in real time, for schedules and searches.

use std::sync::Arc;

use super::WorkingTime;
use crate::Setups;

/// Working time, ready time and transport of one machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MachineClock {
    /// Time from which the machine can be used.
    pub ready: u32,
    /// Time from the end of an operation to the arrival of its job at the next machine.
    pub transport: u32,
    /// Working time; `None` if the machine works around the clock.
    pub hours: Option<Arc<WorkingTime>>,
}

/// Times of an operation and of what precedes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OperationTimes {
    /// Time at which the machine is set up.
    pub ready: u32,
    /// Start of the work.
    pub start: u32,
    /// End of the work.
    pub end: u32,
}

/// Visits of one job to the machines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visits<'a> {
    /// Index of the job.
    pub job: u16,
    /// Processing times by machine.
    pub times: &'a [u32],
    /// True for machines that the job does not visit any more.
    pub skips: &'a [bool],
    /// Work that is done by machine; empty if none is.
    pub done: &'a [u32],
    /// Set-up times, if there are any.
    pub setups: Option<&'a Setups>,
}

/// Clocks of all machines, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MachineClocks(pub(crate) Vec<MachineClock>);

impl MachineClock {
    /// End of work that can begin at `time`.
    #[inline(always)]
    pub(crate) fn end(&self, time: u32, takes: u32) -> u32 {
        self.hours.as_ref().map_or_else(|| time + takes, |hours| hours.end(time, takes))
    }

    /// Latest time from which work of this length ends by `end`; `None` if it never does.
    #[inline(always)]
    pub(crate) fn latest(&self, end: u32, takes: u32) -> Option<u32> {
        self.hours.as_ref().map_or_else(|| end.checked_sub(takes), |hours| hours.latest(end, takes))
    }

    /// Start of work that can begin at `time`.
    pub(crate) fn begin(&self, time: u32, takes: u32) -> u32 {
        self.hours.as_ref().map_or(time, |hours| hours.begin(time, takes))
    }

    /// Arrival at the next machine of a job that this machine completes at `end`.
    #[inline(always)]
    pub(crate) fn arrival(&self, end: u32, takes: u32) -> u32 {
        if takes == 0 { end } else { end + self.transport }
    }

    /// Times of an operation on the machine, which is free from `free` on and whose job arrives at `arrival`.
    pub(crate) fn operation(&self, free: u32, setup: u32, arrival: u32, takes: u32) -> OperationTimes {
        let ready = self.end(free, setup);
        let earliest = ready.max(arrival);
        OperationTimes { ready, start: self.begin(earliest, takes), end: self.end(earliest, takes) }
    }
}

impl MachineClocks {
    /// The working time of all machines if it is all that there is to their clocks and work goes on after breaks.
    ///
    /// Then the recurrence is that without clocks, in working time instead of time.
    pub(crate) fn common(&self) -> Option<&Arc<WorkingTime>> {
        let hours = self.0.first()?.hours.as_ref().filter(|hours| hours.is_interrupted())?;
        let is_plain =
            |clock: &MachineClock| (clock.ready, clock.transport) == (0, 0) && clock.hours.as_ref() == Some(hours);
        self.0.iter().all(is_plain).then_some(hours)
    }

    /// Ready times of all machines.
    pub(crate) fn ready(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(|clock| clock.ready)
    }

    /// Completion time of a job on the last machine. `free` has the times from which the machines are free and takes the job's completion
    /// times; `times` and `setups` are by machine, `setups` empty if there are none.
    #[inline]
    pub(crate) fn append(&self, free: &mut [u32], release: u32, times: &[u32], setups: &[u32]) -> u32 {
        let (mut arrival, mut end) = (release, release);
        for (machine, ((clock, free), &takes)) in self.0.iter().zip(free).zip(times).enumerate() {
            let ready = setups.get(machine).map_or(*free, |&setup| clock.end(*free, setup));
            end = clock.end(ready.max(arrival), takes);
            (arrival, *free) = (clock.arrival(end, takes), end);
        }
        end
    }

    /// Completion time of a job that does not visit all machines. `state` has the times from which the machines are free and, if there are
    /// set-ups, behind them for each machine the index of its last job plus 1, or 0.
    pub(crate) fn append_visits(&self, state: &mut [u32], release: u32, visits: Visits<'_>) -> u32 {
        let (free, last) = state.split_at_mut(self.0.len());
        let (mut arrival, mut end) = (release, release);
        for (machine, (clock, &takes)) in self.0.iter().zip(visits.times).enumerate() {
            if visits.skips[machine] {
                continue;
            }
            let has_begun = visits.done.get(machine).is_some_and(|&done| done > 0);
            let mut ready = free[machine];
            if let (Some(setups), Some(last)) = (visits.setups, last.get_mut(machine)) {
                let before = last.checked_sub(1).map(|before| before as u16);
                *last = u32::from(visits.job) + 1;
                if !has_begun {
                    ready = clock.end(ready, setups.between(before, visits.job)[machine]);
                }
            }
            end = clock.end(ready.max(arrival), takes);
            (arrival, free[machine]) = (clock.arrival(end, takes), end);
        }
        end
    }
}
