//! Effects of the move of one job on the plan: the change of the objective, and the jobs that are done later or earlier.
//!
//! The schedule of the changed order is computed as a whole: O(nm) operations, also where machines have working times.

use std::cmp::Reverse;

use gridwright_core::numbers::{counted, grouped};
use gridwright_core::planning::MeasureTable;

use crate::{Instance, Objective, Schedule, frozen, measures};

/// Change of the completion time of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    /// Job index.
    pub job: u16,
    /// Time units by which the job is done later; negative if it is done earlier.
    pub by: i64,
    /// True if the job was in time and is late now.
    pub(crate) is_late_now: bool,
}

/// Effects of moving one job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveEffects {
    /// Objective that is told.
    pub objective: Objective,
    /// Value of the objective before and after.
    pub values: [u64; 2],
    /// The moved job.
    pub moved: Shift,
    /// The other jobs that are done later or earlier: the latest change first, jobs that are done earlier last.
    pub others: Vec<Shift>,
}

impl MoveEffects {
    /// Effects of taking the job in position `from` out of a schedule and putting it back in position `to`; the schedule has all jobs.
    ///
    /// # Errors
    /// A sentence if there is no such position, or if the job would stand among those that have started.
    pub fn of(
        instance: &Instance, schedule: &Schedule, [from, to]: [usize; 2], objective: Objective,
    ) -> Result<Self, String> {
        let count = schedule.order.len();
        if from >= count || to >= count {
            return Err("There is no such position".to_owned());
        }
        let job = schedule.order[from];
        let order = instance.rules.moved(&schedule.order, [from, to]);
        if frozen::first(instance, &order) != order {
            return Err("Jobs that have started stay before all others, in their order".to_owned());
        }
        let is_own = |position: usize| order.get(position) != Some(&job);
        if instance.rules.pinned(job.into()).is_some_and(is_own) {
            return Err(format!("{} is pinned to its position; unpin it first", instance.jobs[usize::from(job)].name));
        }
        if let Some(rule) = instance.rules.broken_precedence(&order) {
            let [first, then] = [rule.first, rule.then].map(|job| &instance.jobs[usize::from(job)].name);
            return Err(format!("{then} must not be before {first}"));
        }
        let after = Schedule::new(instance, &order);
        let values = [schedule, &after].map(|schedule| schedule.value(instance, objective));
        let mut done = vec![0_u32; instance.job_count()];
        schedule.order.iter().enumerate().for_each(|(at, &job)| done[usize::from(job)] = schedule.done(at));
        let shift = |(at, &job): (usize, &u16)| {
            let (before, now) = (done[usize::from(job)], after.done(at));
            let due = instance.jobs[usize::from(job)].due;
            let is_late_now = due.is_some_and(|due| before <= due && now > due);
            Shift { job, by: i64::from(now) - i64::from(before), is_late_now }
        };
        let moved = shift((order.iter().position(|other| *other == job).unwrap_or(to), &job));
        let all = order.iter().enumerate().map(shift);
        let mut others: Vec<Shift> = all.filter(|shift| shift.by != 0 && shift.job != job).collect();
        // What becomes earlier by most comes first among what becomes earlier.
        others.sort_by_key(|shift| (shift.by < 0, Reverse(shift.by.unsigned_abs())));
        Ok(Self { objective, values, moved, others })
    }

    /// Lines for people: the objective, the moved job, and at most `most` of the other jobs, the worst change first.
    pub fn lines(&self, instance: &Instance, most: usize) -> Vec<String> {
        let row = |value| (String::new(), vec![measures::of_objective(instance, self.objective, Some(value))]);
        let table = MeasureTable::new(self.values.map(row).into(), 0);
        let label = self.objective.label_in(instance);
        let mut lines = vec![match table.change(1, 0) {
            Some((change, order)) if order.is_ne() => {
                let verdict = gridwright_core::planning::measures::verdict(order);
                format!("{label} {change}{verdict}: {}", table.rows()[1].1[0].text)
            }
            _ => format!("{label} unchanged"),
        }];
        let told = |shift: &Shift| words(instance, shift);
        lines.extend((self.moved.by != 0).then(|| told(&self.moved)));
        lines.extend(self.others.iter().take(most).map(told));
        let hidden = &self.others[self.others.len().min(most)..];
        let later = hidden.iter().filter(|shift| shift.by > 0).count();
        match [later, hidden.len() - later] {
            [0, 0] => {}
            [later, 0] => lines.push(format!("{} more later", grouped(later as u64))),
            [0, earlier] => lines.push(format!("{} earlier", counted(earlier, "other job"))),
            [later, earlier] => {
                lines.push(format!("{} more later, {} earlier", grouped(later as u64), grouped(earlier as u64)));
            }
        }
        lines
    }
}

/// «FA-104 2 days 3 h later, now late».
fn words(instance: &Instance, shift: &Shift) -> String {
    let direction = if shift.by > 0 { "later" } else { "earlier" };
    let late = if shift.is_late_now { ", now late" } else { "" };
    let name = &instance.jobs[usize::from(shift.job)].name;
    format!("{name} {} {direction}{late}", instance.length_text(shift.by.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::check::check;
    use crate::tests::planned;

    /// Jobs 1 to 4 take 1, 2, 3 and 4 on one machine; all are due at 6.
    fn four() -> Instance {
        let mut instance = Instance::of_times("four", 1, vec![1, 2, 3, 4]).unwrap();
        instance.jobs.iter_mut().for_each(|job| job.due = Some(6));
        instance
    }

    /// Job 4 goes from the end (10) to the front (4): the jobs 1 to 3 are done at 5, 7 and 10 instead of 1, 3 and 6.
    #[test]
    fn the_jobs_that_make_room_are_told_worst_first() {
        let instance = four();
        let schedule = Schedule::new(&instance, &[0, 1, 2, 3]);
        let effects = MoveEffects::of(&instance, &schedule, [3, 0], Objective::Tardiness).unwrap();
        assert_eq!((effects.values, effects.moved.by), ([4, 5], -6));
        let lines = effects.lines(&instance, 2);
        assert_eq!(
            lines,
            ["Total tardiness +1 worse: 5", "J4 6 earlier", "J1 4 later", "J2 4 later, now late", "1 more later"]
        );
        let back = MoveEffects::of(&instance, &schedule, [0, 0], Objective::Makespan).unwrap();
        assert_eq!(back.lines(&instance, 2), ["Makespan unchanged"]);
        assert!(MoveEffects::of(&instance, &schedule, [0, 4], Objective::Makespan).is_err());
    }

    #[test]
    fn what_becomes_earlier_comes_last_and_times_are_those_of_clocks() {
        let mut instance = four();
        let start = crate::real_time::PlanStart::parse(["2026-11-30", "6:00", ""]).unwrap();
        instance.real_time = Some(crate::real_time::RealTime { start: Some(start), ..Default::default() }.into());
        instance.times = vec![60, 120, 180, 1_440];
        let instance = instance.validated().unwrap();
        let schedule = Schedule::new(&instance, &[3, 0, 1, 2]);
        let lines = MoveEffects::of(&instance, &schedule, [0, 3], Objective::Makespan).unwrap().lines(&instance, 3);
        assert_eq!(
            lines,
            ["Makespan unchanged", "J4 6 h later", "J1 1 day earlier", "J2 1 day earlier", "J3 1 day earlier"]
        );
        let mut started = instance.clone();
        started.jobs[3].progress.percent = Some(50);
        let started = started.validated().unwrap();
        let why = MoveEffects::of(&started, &Schedule::new(&started, &[3, 0, 1, 2]), [0, 3], Objective::Makespan);
        assert!(why.unwrap_err().contains("have started stay"));
    }

    proptest! {
        /// Values are those of the checker, and every other job is done when its shift says.
        #[test]
        fn effects_are_those_of_the_changed_order((instance, order) in planned(), from in 0_usize..12, to in 0_usize..12) {
            let (from, to) = (from % order.len(), to % order.len());
            let schedule = Schedule::new(&instance, &order);
            let Ok(effects) = MoveEffects::of(&instance, &schedule, [from, to], Objective::Tardiness) else {
                return Ok(());
            };
            let mut after = order.clone();
            let job = after.remove(from);
            after.insert(to, job);
            let values = [&order, &after].map(|order| check(&instance, order).value(Objective::Tardiness));
            prop_assert_eq!(effects.values.map(Some), values);
            let now = Schedule::new(&instance, &after);
            for (at, &job) in after.iter().enumerate() {
                let shift = effects.others.iter().chain([&effects.moved]).find(|shift| shift.job == job);
                let before = order.iter().position(|&other| other == job).unwrap();
                let by = i64::from(now.done(at)) - i64::from(schedule.done(before));
                prop_assert_eq!(shift.map_or(0, |shift| shift.by), by);
            }
            prop_assert!(effects.others.windows(2).all(|pair| pair[0].by >= pair[1].by || pair[1].by < 0));
        }
    }
}
