//! Stated operation times against the raw data: whether they hold together, and what they are worth.

use super::hours::Clock;
use super::{Verdict, Violation, ViolationKind, passes_by, set_up_at_start, set_up_time, transport, verdict};
use crate::Instance;
use crate::common_order::{as_named, common_order};

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
    let setup_time = one_after_the_other(instance, &named, &stated, &mut violations);
    let last = |job: usize| {
        let machine = (0..machines).rev().find(|&machine| !passes_by(instance, job, machine))?;
        stated[job * machines + machine]
    };
    let (sequence, ends): (Vec<usize>, Vec<u64>) =
        (0..jobs).filter_map(|job| last(job).map(|operation| (job, u64::from(operation.end)))).unzip();
    verdict(instance, &sequence, &ends, setup_time, violations)
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

/// Reports overlapping operations and deviating job orders on each machine, and returns the sum of all set-up times. Jobs at the same
/// times are in the order of `named`.
fn one_after_the_other(
    instance: &Instance, named: &[usize], stated: &[Option<Operation>], violations: &mut Vec<Violation>,
) -> u64 {
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
                violations.push(Violation::new(ViolationKind::Order, text));
                return 0;
            }
        }
    }
    let mut setup_time = 0;
    for (machine, called) in instance.machines.iter().enumerate() {
        let there: Vec<Operation> = sequence.iter().filter_map(|&job| on(job, machine)).collect();
        setup_time += set_up_in_time(instance, machine, &there, violations);
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
    setup_time
}

/// Reports operations of a machine that begin before it can be set up for them, and returns the sum of the set-up times.
fn set_up_in_time(instance: &Instance, machine: usize, there: &[Operation], violations: &mut Vec<Violation>) -> u64 {
    let (called, clock) = (&instance.machines[machine], Clock::new(instance, machine));
    let (mut before, mut sum): (Option<&Operation>, u64) = (None, 0);
    let at_start = set_up_at_start(instance, machine);
    for operation in there {
        let job = usize::from(operation.job);
        let setup = set_up_time(instance, before.map(|before| before.job.into()).or(at_start), job, machine);
        sum += setup;
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
    sum
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::tests::example;

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
    fn stated_operations_begin_after_their_release() {
        let mut instance = example();
        instance.jobs[1].release = 1;
        let early = operations([(1, 0, 0, 1), (1, 1, 1, 5), (0, 0, 1, 4), (0, 1, 5, 7)]);
        assert_eq!(check_operations(&instance, &early).violations[0].kind, ViolationKind::Release);
    }
}
