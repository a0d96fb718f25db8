//! Time of a job in the shop by what it waits for: the reasons why it is late, in words.

use super::{Instance, Schedule};
use gridwright_core::numbers::grouped;
use gridwright_core::text::lines::listed;

/// Number of machines that a sentence names.
const NAMED: usize = 4;

/// Time units from the release of a job to its completion, by cause. Their sum is the completion time minus the release date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeInShop {
    /// Release date.
    pub release: u32,
    /// Waiting for each machine, which is not ready or busy with the jobs before.
    pub machines: Vec<u32>,
    /// Waiting for set-ups of machines, breaks within them included.
    pub setups: u32,
    /// Waiting for working times and interruptions by breaks.
    pub breaks: u32,
    /// Transport between machines.
    pub transport: u32,
    /// Work on all machines.
    pub work: u32,
}

impl TimeInShop {
    /// Time of the job in a position of a schedule.
    pub fn of(instance: &Instance, schedule: &Schedule, position: usize) -> Self {
        let job = usize::from(schedule.order[position]);
        let release = instance.jobs[job].release;
        let mut time = Self { release, ..Self::default() };
        let mut before = release;
        for machine in 0..schedule.machine_count() {
            if !schedule.visits(position, machine) {
                time.machines.push(0);
                continue;
            }
            let arrival = if machine == 0 { release } else { schedule.arrival(position, machine) };
            let usable = || instance.real_time.as_ref().map_or(0, |real_time| real_time.of_machine(machine).ready);
            let last = schedule.position_before(position, machine);
            let free = last.map_or_else(usable, |last| schedule.completion(last, machine));
            let (ready, start) = (schedule.ready(position, machine), schedule.start(position, machine));
            let (end, takes) = (schedule.completion(position, machine), instance.time(job, machine));
            time.transport += arrival - before;
            time.machines.push(free.saturating_sub(arrival));
            time.setups += ready.saturating_sub(free.max(arrival));
            time.breaks += start - ready.max(arrival) + (end - start - takes);
            time.work += takes;
            before = end;
        }
        time
    }

    /// A sentence such as «Works 40, waits 30 for Saw, 12 for Paint, 5 for set-ups, released at 20.»
    pub fn words(&self, instance: &Instance) -> String {
        let mut longest: Vec<(u32, &str)> =
            self.machines.iter().zip(&instance.machines).map(|(&time, name)| (time, name.as_str())).collect();
        longest.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
        let others: u32 = longest.iter().skip(NAMED).map(|(time, _)| time).sum();
        let named = longest.into_iter().take(NAMED);
        let causes = named.chain([
            (others, "other machines"),
            (self.setups, "set-ups"),
            (self.breaks, "working times"),
            (self.transport, "transport"),
        ]);
        let waits = causes.filter(|(time, _)| *time > 0).map(|(time, cause)| format!("{} for {cause}", grouped(time)));
        let waits: Vec<String> = waits.collect();
        let work = grouped(self.work);
        let waits = if waits.is_empty() { ", never waits".to_owned() } else { format!(", waits {}", listed(&waits)) };
        let released = match self.release {
            0 => String::new(),
            release => format!(", released at {}", instance.moment(release)),
        };
        format!("Works {work}{waits}{released}.")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::planned;

    /// Order 1, 2 on two machines: job 1 from 0 to 3 and from 3 to 5, job 2 from 3 to 4 and from 5 to 9.
    #[test]
    fn a_job_waits_for_the_jobs_before_it() {
        let instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        let schedule = Schedule::new(&instance, &[0, 1]);
        let words = [0, 1].map(|position| TimeInShop::of(&instance, &schedule, position).words(&instance));
        assert_eq!(words, ["Works 5, never waits.", "Works 5, waits 3 for M1, 1 for M2."]);
    }

    proptest! {
        #[test]
        fn all_causes_together_are_the_time_in_the_shop((instance, order) in planned()) {
            let schedule = Schedule::new(&instance, &order);
            for position in 0..order.len() {
                let time = TimeInShop::of(&instance, &schedule, position);
                let sum = time.machines.iter().sum::<u32>() + time.setups + time.breaks + time.transport + time.work;
                prop_assert_eq!(time.release + sum, schedule.done(position));
            }
        }
    }
}
