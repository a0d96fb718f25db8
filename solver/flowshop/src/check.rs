//! The independent checker: recomputes objectives and lists violations from raw data and a job order, or from stated
//! operation times.
//!
//! The checker shares no code with [`super::schedule`] and the searches: it proceeds machine by machine where they
//! proceed job by job, and adds in 64 bits; working times are walked through day by day (`hours`).
//! Everything shown or exported as a result has passed it.

mod hours;
mod stated;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use hours::Clock;
pub use stated::Operation;
pub(crate) use stated::check_operations;

use super::{Instance, Objective};
use gridwright_core::numbers;
use gridwright_core::result;

/// Kind of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::AsRefStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ViolationKind {
    /// A job or machine that the instance lacks.
    Unknown,
    /// A job with two positions, or twice on a machine.
    Twice,
    /// A job without a position or not on a machine, or a front without members.
    Missing,
    /// A stated operation that begins before its machine is ready.
    Ready,
    /// A stated operation of another length than the processing time, breaks of the machine not counted.
    Duration,
    /// Stated operations that overlap on a machine.
    Overlap,
    /// Stated operations that leave too little time for the set-up between them.
    Setup,
    /// A stated operation that begins before the machine before is done with the job.
    Route,
    /// A stated operation that begins before the release date.
    Release,
    /// Another order of jobs than on the first machine.
    Order,
    /// A job that has started behind one that has not, or started jobs in another order.
    Started,
    /// A pinned job in another position.
    Pin,
    /// A job before one that it must not be before.
    NotBefore,
    /// Other objective values than stated.
    Values,
    /// A member of a front that another one equals or dominates.
    Dominated,
}

/// Violation by an order of jobs, by stated operations or by a front.
pub type Violation = result::Violation<ViolationKind>;

/// Result of a check: objective values and violations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// True if every job stands in the order exactly once and nothing else does.
    pub feasible: bool,
    /// max C_j over the jobs that are present.
    pub makespan: u64,
    /// Σ C_j over the jobs that are present.
    pub flow_time: u64,
    /// Σ w_j · max(0, C_j − d_j); `None` if the jobs have no due dates.
    pub tardiness: Option<u64>,
    /// |{j : C_j > d_j}|; `None` if the jobs have no due dates.
    pub tardy: Option<u64>,
    /// Σ w_j over the jobs with C_j > d_j; `None` if the jobs have no due dates.
    pub weighted_tardy: Option<u64>,
    /// max (C_j − d_j), negative if all jobs are early; `None` if the jobs have no due dates.
    pub maximum_lateness: Option<i64>,
    /// Sum of the set-up times of all machines; stated operations without length that are at one time may be in any order.
    pub setup_time: u64,
    /// Violations; only stated operations can violate durations, routes, release dates and the order.
    pub violations: Vec<Violation>,
}

impl Verdict {
    /// Value of an objective; `None` if it needs due dates and there are none.
    pub fn value(&self, objective: Objective) -> Option<u64> {
        match objective {
            Objective::Makespan => Some(self.makespan),
            Objective::FlowTime => Some(self.flow_time),
            Objective::Tardiness => self.tardiness,
            Objective::Tardy => self.tardy,
        }
    }

    /// The verdict as results store it, with the value of an objective; a value that the jobs lack counts as 0.
    pub fn stored(self, objective: Objective) -> result::Verdict {
        let value = self.value(objective).unwrap_or_default();
        result::Verdict::of(value as f64, Violation::stored(&self.violations)).displayed(numbers::grouped(value))
    }
}

/// Checks an order of job indices against the raw data. Objectives cover the jobs present, each at its first
/// occurrence.
pub fn check(instance: &Instance, order: &[u16]) -> Verdict {
    let mut violations = Vec::new();
    let mut first_places: Vec<Option<usize>> = vec![None; instance.jobs.len()];
    let mut sequence = Vec::with_capacity(order.len());
    for (place, &job) in order.iter().enumerate() {
        let job = usize::from(job);
        match first_places.get_mut(job) {
            None => {
                let (number, jobs) = (job + 1, instance.jobs.len());
                let text = format!("position {} holds job number {number}, but there are only {jobs}", place + 1);
                violations.push(Violation::new(ViolationKind::Unknown, text));
            }
            Some(Some(first)) => {
                let name = &instance.jobs[job].name;
                let text = format!("job {name} stands in position {} and again in {}", *first + 1, place + 1);
                violations.push(Violation::new(ViolationKind::Twice, text));
            }
            Some(free) => {
                *free = Some(place);
                sequence.push(job);
            }
        }
    }
    for (job, _) in instance.jobs.iter().zip(&first_places).filter(|(_, place)| place.is_none()) {
        violations.push(Violation::new(ViolationKind::Missing, format!("job {} has no position", job.name)));
    }
    started_first(instance, &sequence, &mut violations);
    rules_kept(instance, &sequence, &mut violations);
    let (ends, setup_time) = ends(instance, &sequence);
    verdict(instance, &sequence, &ends, setup_time, violations)
}

/// Reports the first job that has started and is not in its place before all others.
fn started_first(instance: &Instance, sequence: &[usize], violations: &mut Vec<Violation>) {
    let name = |job: usize| &instance.jobs[job].name;
    for (position, &job) in instance.frozen.order.iter().enumerate() {
        let job = usize::from(job);
        let Some(&there) = sequence.get(position).filter(|&&there| there != job) else { continue };
        let why = if instance.jobs[there].progress.has_begun() { "started later" } else { "has not started" };
        let text = format!("job {} has started and stands behind {}, which {why}", name(job), name(there));
        return violations.push(Violation::new(ViolationKind::Started, text));
    }
}

/// Reports every rule for the order that a sequence does not keep.
fn rules_kept(instance: &Instance, sequence: &[usize], violations: &mut Vec<Violation>) {
    let name = |job: usize| instance.jobs.get(job).map_or("", |job| job.name.as_str());
    let places: HashMap<usize, usize> = sequence.iter().enumerate().map(|(place, &job)| (job, place + 1)).collect();
    for pin in &instance.rules.pins {
        let (job, position) = (usize::from(pin.job), usize::from(pin.position) + 1);
        if let Some(place) = places.get(&job).filter(|place| **place != position) {
            let text = format!("job {} is pinned to position {position} and stands in {place}", name(job));
            violations.push(Violation::new(ViolationKind::Pin, text));
        }
    }
    for pair in &instance.rules.precedences {
        let [first, then] = [pair.first, pair.then].map(usize::from);
        let Some((of_first, of_then)) = places.get(&first).zip(places.get(&then)) else { continue };
        if of_then < of_first {
            let text = format!("job {} stands before {}, which a rule forbids", name(then), name(first));
            violations.push(Violation::new(ViolationKind::NotBefore, text));
        }
    }
}

/// Completion times of a sequence on the last machine, computed machine by machine (same length as `sequence`), and the sum of all
/// set-up times.
fn ends(instance: &Instance, sequence: &[usize]) -> (Vec<u64>, u64) {
    let (machines, mut setups) = (instance.machines.len(), 0);
    let mut ends: Vec<u64> = sequence.iter().map(|&job| u64::from(instance.jobs[job].release)).collect();
    let mut on_the_way = vec![0; sequence.len()];
    for machine in 0..machines {
        let clock = Clock::new(instance, machine);
        let (mut idle_from, mut before) = (clock.ready(), set_up_at_start(instance, machine));
        for ((end, way), &job) in ends.iter_mut().zip(&mut on_the_way).zip(sequence) {
            if passes_by(instance, job, machine) {
                continue;
            }
            let setup = set_up_time(instance, before, job, machine);
            setups += setup;
            let set_up = clock.end(idle_from, setup);
            let takes = u64::from(instance.times[job * machines + machine]);
            idle_from = clock.end(u64::max(set_up, *end + *way), takes);
            (*end, *way, before) = (idle_from, transport(instance, job, machine), Some(job));
        }
    }
    (ends, setups)
}

/// Work of a job that is done on a machine when the plan starts.
fn work_done(instance: &Instance, job: usize, machine: usize) -> u32 {
    instance.frozen.done.get(job * instance.machines.len() + machine).copied().unwrap_or(0)
}

/// Last started job that a machine is done with when the plan starts.
fn set_up_at_start(instance: &Instance, machine: usize) -> Option<usize> {
    let is_complete = |&job: &usize| passes_by(instance, job, machine) && work_done(instance, job, machine) > 0;
    instance.frozen.order.iter().map(|&job| usize::from(job)).rfind(is_complete)
}

/// Returns `true` if a job does not visit a machine.
fn passes_by(instance: &Instance, job: usize, machine: usize) -> bool {
    instance.skips.get(job * instance.machines.len() + machine) == Some(&true)
}

/// Time from the end of a job on a machine to its arrival at the next one; none if it takes no time there.
fn transport(instance: &Instance, job: usize, machine: usize) -> u64 {
    let takes = instance.times[job * instance.machines.len() + machine];
    let times = instance.real_time.as_ref().filter(|_| takes > 0).map(|real_time| real_time.of_machine(machine));
    times.map_or(0, |times| u64::from(times.transport))
}

/// Set-up time of a machine between two jobs, or before its first one.
fn set_up_time(instance: &Instance, before: Option<usize>, after: usize, machine: usize) -> u64 {
    instance.setups.as_ref().filter(|_| work_done(instance, after, machine) == 0).map_or(0, |setups| {
        let before = before.map(|job| setups.family(job));
        u64::from(setups.between_families(before, setups.family(after))[machine])
    })
}

/// Weight of a job's tardiness: as stated, or from its rank and the last rank of all jobs.
fn weight(job: &crate::Job, last: u32) -> u64 {
    match (job.weight, job.rank) {
        (Some(weight), _) => weight.into(),
        (None, Some(rank)) => u64::from(last) - u64::from(rank) + 1,
        (None, None) => 1,
    }
}

/// Verdict on the jobs of `sequence` with completion times `ends` (same length).
fn verdict(
    instance: &Instance, sequence: &[usize], ends: &[u64], setup_time: u64, violations: Vec<Violation>,
) -> Verdict {
    let dated = instance.jobs.iter().all(|job| job.due.is_some());
    let last_rank = instance.jobs.iter().filter_map(|job| job.rank).max().unwrap_or(0);
    let (mut tardiness, mut tardy, mut weighted_tardy, mut maximum_lateness) = (0, 0, 0, None);
    for (&job, &end) in sequence.iter().zip(ends) {
        let Some(due) = instance.jobs[job].due.map(u64::from) else { continue };
        maximum_lateness = maximum_lateness.max(Some(end as i64 - due as i64));
        if due < end {
            let weight = weight(&instance.jobs[job], last_rank);
            tardiness += weight * (end - due);
            weighted_tardy += weight;
            tardy += 1;
        }
    }
    Verdict {
        feasible: violations.is_empty(),
        makespan: ends.iter().copied().max().unwrap_or(0),
        flow_time: ends.iter().sum(),
        tardiness: dated.then_some(tardiness),
        tardy: dated.then_some(tardy),
        weighted_tardy: dated.then_some(weighted_tardy),
        maximum_lateness: maximum_lateness.filter(|_| dated),
        setup_time,
        violations,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Schedule;
    use crate::tests::{example, planned};

    /// Order 1, 2: machine 1 until 3 and 4, machine 2 until 3 + 2 = 5 and 5 + 4 = 9; both jobs 1 late.
    /// Order 2, 1: machine 1 until 1 and 4, machine 2 until 1 + 4 = 5 and 5 + 2 = 7; job 1 is 3 late.
    #[test]
    fn values_are_what_the_hand_computes() {
        let of = |order: &[u16]| {
            let verdict = check(&example(), order);
            assert!(verdict.feasible);
            Objective::ALL.map(|objective| verdict.value(objective).unwrap())
        };
        assert_eq!(of(&[0, 1]), [9, 14, 2, 2]);
        assert_eq!(of(&[1, 0]), [7, 12, 3, 1]);
    }

    /// Order 2, 1: job 1 is 3 late, job 2 is 3 early. With both due at 10, the later one is 3 early.
    #[test]
    fn weights_count_late_jobs_and_lateness_may_be_negative() {
        let mut instance = example();
        (instance.jobs[0].weight, instance.jobs[1].weight) = (Some(5), Some(2));
        let verdict = check(&instance, &[1, 0]);
        assert_eq!((verdict.tardiness, verdict.tardy, verdict.weighted_tardy), (Some(15), Some(1), Some(5)));
        assert_eq!((verdict.maximum_lateness, check(&instance, &[0, 1]).weighted_tardy), (Some(3), Some(7)));
        instance.jobs.iter_mut().for_each(|job| job.due = Some(10));
        assert_eq!(check(&instance, &[1, 0]).maximum_lateness, Some(-3));
        instance.jobs.iter_mut().for_each(|job| job.due = None);
        let verdict = check(&instance, &[1, 0]);
        assert_eq!((verdict.weighted_tardy, verdict.maximum_lateness), (None, None));
    }

    #[test]
    fn names_every_violation_of_an_order() {
        let instance = example();
        let texts = |order: &[u16]| {
            let verdict = check(&instance, order);
            assert!(!verdict.feasible);
            verdict
                .violations
                .iter()
                .map(|violation| format!("{}: {}", violation.kind.as_ref(), violation.text))
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(&[1]), ["missing: job J1 has no position"]);
        assert_eq!(texts(&[1, 0, 1]), ["twice: job J2 stands in position 1 and again in 3"]);
        assert_eq!(texts(&[1, 0, 2]), ["unknown: position 3 holds job number 3, but there are only 2"]);
        assert_eq!(texts(&[]).len(), 2);
        assert_eq!(texts(&[7])[0], "unknown: position 1 holds job number 8, but there are only 2");
        assert_eq!(Violation::lines(&check(&instance, &[1]).violations, 0), ["… and 1 more"]);
    }

    #[test]
    fn release_dates_are_kept_and_due_dates_may_be_missing() {
        let mut instance = example();
        instance.jobs[1].release = 1;
        instance.jobs.iter_mut().for_each(|job| job.due = None);
        let verdict = check(&instance, &[1, 0]);
        assert_eq!((verdict.makespan, verdict.flow_time, verdict.tardiness, verdict.tardy), (8, 6 + 8, None, None));
    }

    proptest! {
        /// The job-wise schedule and the machine-wise checker agree; a schedule's own times have no violations.
        #[test]
        fn agrees_with_the_schedule((instance, order) in planned()) {
            let (verdict, schedule) = (check(&instance, &order), Schedule::new(&instance, &order));
            prop_assert!(verdict.feasible);
            for objective in Objective::ALL {
                prop_assert_eq!(verdict.value(objective), Some(schedule.value(&instance, objective)));
            }
            let operations: Vec<Operation> = (0..order.len())
                .flat_map(|position| (0..instance.machine_count()).map(move |machine| (position, machine)))
                .filter(|&(position, machine)| schedule.visits(position, machine))
                .map(|(position, machine)| Operation {
                    job: order[position],
                    machine: machine as u16,
                    start: schedule.start(position, machine),
                    end: schedule.completion(position, machine),
                })
                .collect();
            prop_assert_eq!(verdict.setup_time, schedule.total_setup());
            let stated = check_operations(&instance, &operations);
            // Operations without length at one time may be in another order, with other set-ups.
            prop_assert_eq!(Verdict { setup_time: verdict.setup_time, ..stated }, verdict);
        }

        /// The path starts when its first job can, has no gap but for set-ups, visits the machines in order and ends with the schedule.
        #[test]
        fn the_critical_path_adds_up((instance, order) in planned()) {
            let schedule = Schedule::new(&instance, &order);
            let path = schedule.critical_path();
            let (first, last) = (path.operations[0], path.operations[path.operations.len() - 1]);
            prop_assert_eq!(schedule.completion(last.0, last.1), schedule.makespan());
            prop_assert!(path.blocks.windows(2).all(|pair| pair[0].last == pair[1].first));
            prop_assert!(path.operations.iter().all(|&(position, machine)| schedule.visits(position, machine)));
            if instance.has_clocks() {
                let waits = |pair: &[(usize, usize)]| {
                    let ((before, from), (position, machine)) = (pair[0], pair[1]);
                    match from == machine {
                        true => schedule.ready(position, machine) >= schedule.completion(before, from),
                        false => schedule.arrival(position, machine) >= schedule.completion(before, from),
                    }
                };
                prop_assert!(path.operations.windows(2).all(waits));
                return Ok(());
            }
            prop_assert_eq!(path.blocks.len(), instance.machine_count() - first.1);
            let start = schedule.start(first.0, first.1);
            let set_up = schedule.setup(first.0, first.1);
            prop_assert!(start == set_up || start == instance.jobs[usize::from(order[first.0])].release);
            let length: u32 = path.operations.iter().map(|&(k, i)| instance.time(usize::from(order[k]), i)).sum();
            let along_machines = path.operations.windows(2).filter(|pair| pair[0].1 == pair[1].1);
            let set_ups: u32 = along_machines.map(|pair| schedule.setup(pair[1].0, pair[1].1)).sum();
            prop_assert_eq!(start + length + set_ups, schedule.makespan());
            prop_assert!(first.1 == 0 || instance.setups.is_some());
            for (machine, block) in (first.1..).zip(&path.blocks) {
                prop_assert_eq!(block.machine, machine);
                prop_assert!(block.first <= block.last);
            }
        }
    }
}
