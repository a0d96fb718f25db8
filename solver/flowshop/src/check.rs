//! The independent checker: recomputes objectives and lists violations from raw data and a job order, or from stated
//! operation times.
//!
//! The checker shares no code with [`super::schedule`] and the searches: it proceeds machine by machine where they
//! proceed job by job, and adds in 64 bits; working times are walked through day by day (`hours`).
//! Everything shown or exported as a result has passed it.

mod hours;

use serde::{Deserialize, Serialize};

use hours::Clock;

use super::common_order::{as_named, common_order};
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

/// One operation of a schedule as a file states it; times in time units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// Job index.
    pub job: u16,
    /// Machine index.
    pub machine: u16,
    /// Stated start time.
    pub start: u32,
    /// Stated end time.
    pub end: u32,
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
    verdict(instance, &sequence, &ends(instance, &sequence), violations)
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

/// Completion times of a sequence on the last machine, computed machine by machine; same length as `sequence`.
fn ends(instance: &Instance, sequence: &[usize]) -> Vec<u64> {
    let machines = instance.machines.len();
    let mut ends: Vec<u64> = sequence.iter().map(|&job| u64::from(instance.jobs[job].release)).collect();
    let mut on_the_way = vec![0; sequence.len()];
    for machine in 0..machines {
        let clock = Clock::new(instance, machine);
        let (mut idle_from, mut before) = (clock.ready(), set_up_at_start(instance, machine));
        for ((end, way), &job) in ends.iter_mut().zip(&mut on_the_way).zip(sequence) {
            if passes_by(instance, job, machine) {
                continue;
            }
            let set_up = clock.end(idle_from, set_up_time(instance, before, job, machine));
            let takes = u64::from(instance.times[job * machines + machine]);
            idle_from = clock.end(u64::max(set_up, *end + *way), takes);
            (*end, *way, before) = (idle_from, transport(instance, job, machine), Some(job));
        }
    }
    ends
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
fn verdict(instance: &Instance, sequence: &[usize], ends: &[u64], violations: Vec<Violation>) -> Verdict {
    let dated = instance.jobs.iter().all(|job| job.due.is_some());
    let last_rank = instance.jobs.iter().filter_map(|job| job.rank).max().unwrap_or(0);
    let (mut tardiness, mut tardy) = (0, 0);
    for (&job, &end) in sequence.iter().zip(ends) {
        if let Some(due) = instance.jobs[job].due.map(u64::from).filter(|&due| due < end) {
            tardiness += weight(&instance.jobs[job], last_rank) * (end - due);
            tardy += 1;
        }
    }
    Verdict {
        feasible: violations.is_empty(),
        makespan: ends.iter().copied().max().unwrap_or(0),
        flow_time: ends.iter().sum(),
        tardiness: dated.then_some(tardiness),
        tardy: dated.then_some(tardy),
        violations,
    }
}

/// Checks stated operation times: every job once on every machine, for its processing time, in machine order, one job
/// at a time per machine, and in the same job order on all machines. Objectives are computed from the stated times.
pub(crate) fn check_operations(instance: &Instance, operations: &[Operation]) -> Verdict {
    let (jobs, machines) = (instance.jobs.len(), instance.machines.len());
    let mut violations = Vec::new();
    let mut stated: Vec<Option<Operation>> = vec![None; jobs * machines];
    for operation in operations {
        let (job, machine) = (usize::from(operation.job), usize::from(operation.machine));
        if job >= jobs || machine >= machines {
            let text = format!("there is no job number {} or no machine number {}", job + 1, machine + 1);
            violations.push(Violation::new(ViolationKind::Unknown, text));
        } else if stated[job * machines + machine].replace(*operation).is_some() {
            let (job, machine) = (&instance.jobs[job].name, &instance.machines[machine]);
            violations.push(Violation::new(ViolationKind::Twice, format!("job {job} is on machine {machine} twice")));
        }
    }
    for job in 0..jobs {
        along_the_route(instance, job, &stated[job * machines..(job + 1) * machines], &mut violations);
    }
    let named = as_named(jobs, operations.iter().map(|operation| operation.job.into()));
    one_after_the_other(instance, &named, &stated, &mut violations);
    let last = |job: usize| {
        let machine = (0..machines).rev().find(|&machine| !passes_by(instance, job, machine))?;
        stated[job * machines + machine]
    };
    let (sequence, ends): (Vec<usize>, Vec<u64>) =
        (0..jobs).filter_map(|job| last(job).map(|operation| (job, u64::from(operation.end)))).unzip();
    verdict(instance, &sequence, &ends, violations)
}

/// Reports what is wrong along one job's route: missing operations, durations, machine order and release date.
fn along_the_route(instance: &Instance, job: usize, row: &[Option<Operation>], violations: &mut Vec<Violation>) {
    let name = &instance.jobs[job].name;
    let mut ready = (u64::from(instance.jobs[job].release), ViolationKind::Release, "its release date".to_owned());
    for (machine, (stated, called)) in row.iter().zip(&instance.machines).enumerate() {
        if passes_by(instance, job, machine) {
            if stated.is_some() {
                let text = format!("job {name} does not visit machine {called}, but has times there");
                violations.push(Violation::new(ViolationKind::Unknown, text));
            }
            continue;
        }
        let Some(Operation { start, end, .. }) = *stated else {
            violations.push(Violation::new(ViolationKind::Missing, format!("job {name} is not on machine {called}")));
            continue;
        };
        let takes = instance.times[job * row.len() + machine];
        let clock = Clock::new(instance, machine);
        let due_end = clock.end(start.into(), takes.into());
        if due_end != u64::from(end) {
            let breaks = match due_end == u64::from(start) + u64::from(takes) {
                true => String::new(),
                false => format!("; with the breaks of the machine it ends at {due_end}"),
            };
            let text =
                format!("job {name} on machine {called} takes {takes}, but is there from {start} to {end}{breaks}");
            violations.push(Violation::new(ViolationKind::Duration, text));
        }
        if u64::from(start) < clock.ready() && takes > 0 {
            let ready = clock.ready();
            let text =
                format!("job {name} starts on machine {called} at {start}, before the machine is ready ({ready})");
            violations.push(Violation::new(ViolationKind::Ready, text));
        }
        let (earliest, kind, what) = &ready;
        if u64::from(start) < *earliest {
            let text = format!("job {name} starts on machine {called} at {start}, before {what} ({earliest})");
            violations.push(Violation::new(*kind, text));
        }
        let transport = transport(instance, job, machine);
        let transported = if transport > 0 { " and it is transported" } else { "" };
        let what = format!("machine {called} is done with it{transported}");
        ready = (u64::from(end) + transport, ViolationKind::Route, what);
    }
}

/// Reports overlapping operations and deviating job orders on each machine. Jobs at the same times are in the order of `named`.
fn one_after_the_other(
    instance: &Instance, named: &[usize], stated: &[Option<Operation>], violations: &mut Vec<Violation>,
) {
    let machines = instance.machines.len();
    let on = |job: usize, machine: usize| stated[job * machines + machine];
    let times = |job: usize| {
        (0..machines).map(move |machine| on(job, machine).map(|operation| (operation.start, operation.end)))
    };
    let mut sequence: Vec<usize> =
        named.iter().copied().filter(|&job| times(job).any(|times| times.is_some())).collect();
    if instance.skips.is_empty() {
        // Operations of length 0 may start together on the first machine; later machines break the tie.
        sequence.sort_by(|&a, &b| times(a).cmp(times(b)));
    } else {
        match common_order(named, machines, |job, machine| {
            on(job, machine).map(|operation| (operation.start, operation.end))
        }) {
            Some(order) => sequence = order,
            None => {
                let text = "no order of the jobs is that of all machines".to_owned();
                return violations.push(Violation::new(ViolationKind::Order, text));
            }
        }
    }
    for (machine, called) in instance.machines.iter().enumerate() {
        let there: Vec<Operation> = sequence.iter().filter_map(|&job| on(job, machine)).collect();
        set_up_in_time(instance, machine, &there, violations);
        for (before, after) in there.iter().zip(there.iter().skip(1)).filter(|(before, after)| after.start < before.end)
        {
            let [first, second] = [before, after].map(|operation| &instance.jobs[usize::from(operation.job)].name);
            if after.end <= before.start {
                let text =
                    format!("machine {called} takes job {second} before job {first}, the first machine after it");
                violations.push(Violation::new(ViolationKind::Order, text));
            } else {
                let (start, end) = (after.start, before.end);
                let text =
                    format!("machine {called}: job {second} starts at {start}, before job {first} ends at {end}");
                violations.push(Violation::new(ViolationKind::Overlap, text));
            }
        }
    }
}

/// Reports operations of a machine that begin before it can be set up for them.
fn set_up_in_time(instance: &Instance, machine: usize, there: &[Operation], violations: &mut Vec<Violation>) {
    let (called, clock) = (&instance.machines[machine], Clock::new(instance, machine));
    let mut before: Option<&Operation> = None;
    let at_start = set_up_at_start(instance, machine);
    for operation in there {
        let job = usize::from(operation.job);
        let setup = set_up_time(instance, before.map(|before| before.job.into()).or(at_start), job, machine);
        let (start, free) = (u64::from(operation.start), before.map_or(clock.ready(), |before| u64::from(before.end)));
        if setup > 0 && start >= free && start < clock.end(free, setup) {
            let name = &instance.jobs[job].name;
            let text = format!(
                "machine {called} needs {setup} to be set up for job {name} from {free} on, but the job starts there at {start}"
            );
            violations.push(Violation::new(ViolationKind::Setup, text));
        }
        before = Some(operation);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Schedule;
    use crate::tests::planned;

    /// Job 1 takes 3 then 2 and is due at 4, job 2 takes 1 then 4 and is due at 8.
    fn example() -> Instance {
        let mut instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        (instance.jobs[0].due, instance.jobs[1].due) = (Some(4), Some(8));
        instance
    }

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

    fn operations(times: [(u16, u16, u32, u32); 4]) -> Vec<Operation> {
        times.map(|(job, machine, start, end)| Operation { job, machine, start, end }).to_vec()
    }

    #[test]
    fn stated_times_are_judged_as_stated() {
        let instance = example();
        let of = |times| {
            let verdict = check_operations(&instance, &operations(times));
            let kinds: Vec<String> =
                Violation::stored(&verdict.violations).into_iter().map(|stored| stored.kind).collect();
            (kinds, verdict.makespan, verdict.tardiness)
        };
        let none: Vec<String> = Vec::new();
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 1, 5), (0, 0, 1, 4), (0, 1, 5, 7)]), (none.clone(), 7, Some(3)));
        // Later than it could be is allowed, and counts as stated: job 1 is done at 12, 8 late.
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 1, 5), (0, 0, 1, 4), (0, 1, 10, 12)]), (none, 12, Some(8)));
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 1, 5), (0, 0, 1, 4), (0, 1, 4, 6)]).0, ["overlap"]);
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 0, 4), (0, 0, 1, 4), (0, 1, 5, 7)]).0, ["route"]);
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 1, 6), (0, 0, 1, 4), (0, 1, 6, 8)]).0, ["duration"]);
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 8, 12), (0, 0, 1, 4), (0, 1, 4, 6)]).0, ["order"]);
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 6, 10), (0, 0, 1, 4), (0, 1, 4, 6)]).0, ["order"], "without a gap");
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 1, 5), (0, 0, 1, 4), (0, 0, 1, 4)]).0, ["twice", "missing"]);
        assert_eq!(of([(1, 0, 0, 1), (1, 1, 1, 5), (0, 0, 1, 4), (9, 1, 5, 7)]).0, ["unknown", "missing"]);
    }

    /// The machine needs 5 from job 1 to job 2, both of which take no time: they are in the order in which they are stated.
    #[test]
    fn operations_without_length_are_in_the_order_in_which_they_are_stated() {
        let mut instance = Instance::of_times("shop", 1, vec![0, 0]).unwrap();
        let mut setups = crate::Setups::of_jobs(2, 1).unwrap();
        setups.between_families_mut(Some(0), 1)[0] = 5;
        instance.setups = Some(setups.into());
        let of = |jobs: [u16; 2]| {
            let operations = jobs.map(|job| Operation { job, machine: 0, start: 7, end: 7 });
            check_operations(&instance, &operations).violations.into_iter().map(|one| one.kind).collect::<Vec<_>>()
        };
        assert_eq!((of([1, 0]), of([0, 1])), (vec![], vec![ViolationKind::Setup]));
    }

    /// Machine 1 needs 5 between the jobs 1 and 2.
    #[test]
    fn stated_times_leave_room_for_set_ups() {
        let mut instance = example();
        let mut setups = crate::Setups::of_jobs(2, 2).unwrap();
        setups.between_families_mut(Some(0), 1)[0] = 5;
        instance.setups = Some(setups.into());
        assert_eq!(check(&instance, &[0, 1]).makespan, 8 + 1 + 4);
        assert_eq!(check(&instance, &[1, 0]).makespan, 7);
        let of = |start| {
            let times = [(0, 0, 0, 3), (0, 1, 3, 5), (1, 0, start, start + 1), (1, 1, 9, 13)];
            Violation::lines(&check_operations(&instance, &operations(times)).violations, 9)
        };
        assert_eq!(of(8), Vec::<String>::new());
        assert_eq!(of(7).len(), 1);
        assert!(of(7)[0].contains("machine M1 needs 5 to be set up for job J2 from 3 on"), "{:?}", of(7));
    }

    #[test]
    fn release_dates_and_missing_due_dates_are_minded() {
        let mut instance = example();
        instance.jobs[1].release = 1;
        instance.jobs.iter_mut().for_each(|job| job.due = None);
        let verdict = check(&instance, &[1, 0]);
        assert_eq!((verdict.makespan, verdict.flow_time, verdict.tardiness, verdict.tardy), (8, 6 + 8, None, None));
        let early = operations([(1, 0, 0, 1), (1, 1, 1, 5), (0, 0, 1, 4), (0, 1, 5, 7)]);
        assert_eq!(check_operations(&instance, &early).violations[0].kind, ViolationKind::Release);
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
            prop_assert_eq!(check_operations(&instance, &operations), verdict);
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
