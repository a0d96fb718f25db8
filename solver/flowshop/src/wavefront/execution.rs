//! Execution of a [`Wavefront`]: literally, step by step with every processor in turn, and by synchronised threads.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{OrderValues, Wavefront};
use crate::Instance;
use crate::check::check;
use gridwright_core::{Error, Result};

/// Result of executing a [`Wavefront`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// Makespan and sum of completion times.
    pub values: OrderValues,
    /// Number of steps taken.
    pub steps: u64,
    /// Number of operations computed by each processor; length p.
    pub operations: Vec<u64>,
    /// Completion times C, row-major, positions × machines.
    pub completions: Vec<u32>,
}

/// Executes the schedule on a shared memory with concurrent reads and exclusive writes (CREW): in every step all
/// processors read, then all write, each to a cell that no other has written.
///
/// # Errors
/// [`Error::Usage`] if the order is not a permutation of all jobs or the wavefront is for another size;
/// [`Error::Search`] if the schedule reads a cell before it is written or writes one twice, which is a fault of this
/// program.
pub fn execute(instance: &Instance, order: &[u16], wavefront: &Wavefront) -> Result<Execution> {
    fits(instance, order, wavefront)?;
    let machines = wavefront.machines();
    let mut memory: Vec<Option<u32>> = vec![None; order.len() * machines];
    // One accumulator per processor for the sum of completion times on the last machine.
    let mut sums = vec![0_u64; wavefront.processors()];
    let mut operations = vec![0; wavefront.processors()];
    let mut steps = 0;
    let fault = |what: &str| Error::Search(format!("the computation {what}; this is a fault of the program"));
    for step in wavefront.steps() {
        let mut written = Vec::with_capacity(wavefront.processors());
        for task in wavefront.tasks(step) {
            let job = usize::from(order[task.position]);
            let cell = task.position * machines + task.machine;
            let read = |cell: usize| memory[cell].ok_or_else(|| fault("reads what is not there yet"));
            let ready = if task.machine == 0 { instance.jobs[job].release } else { read(cell - 1)? };
            let free = if task.position == 0 { 0 } else { read(cell - machines)? };
            let before = task.position.checked_sub(1).map(|before| order[before]);
            let set_up = free + instance.setup(before, order[task.position], task.machine);
            let end = ready.max(set_up) + instance.time(job, task.machine);
            written.push((cell, end));
            operations[task.processor] += 1;
            if task.machine + 1 == machines {
                sums[task.processor] += u64::from(end);
            }
        }
        for (cell, end) in written {
            if memory[cell].replace(end).is_some() {
                return Err(fault("writes twice"));
            }
        }
        steps += 1;
    }
    let completions: Vec<u32> = memory.into_iter().flatten().collect();
    if completions.len() != order.len() * machines {
        return Err(fault("leaves operations out"));
    }
    let makespan = completions.last().copied().unwrap_or(0);
    let values = OrderValues { makespan, flow_time: sums[(machines - 1) % wavefront.processors()] };
    Ok(Execution { values, steps, operations, completions })
}

/// Computes an order `repeats` times by p threads with a barrier after every anti-diagonal; returns the values and the
/// mean time of one computation. Threads are started once.
///
/// A barrier takes microseconds and a diagonal at most m operations of a few nanoseconds, so that this is slower than
/// one thread; it serves as a measurement.
///
/// # Errors
/// See [`execute`].
pub(crate) fn with_threads(
    instance: &Instance, order: &[u16], wavefront: &Wavefront, repeats: u32,
) -> Result<(OrderValues, Duration)> {
    fits(instance, order, wavefront)?;
    let (machines, processors) = (wavefront.machines(), wavefront.processors());
    let row = || (0..machines).map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
    // Completion times by machine on the previous and the current diagonal, alternating.
    let fronts = [row(), row()];
    let (barrier, sum) = (Barrier::new(processors), AtomicU64::new(0));
    let run = |processor: usize| {
        for _ in 0..repeats.max(1) {
            let mut own_sum = 0;
            for diagonal in 0..wavefront.diagonals() {
                let (before, now) = (&fronts[(diagonal + 1) % 2], &fronts[diagonal % 2]);
                let on = wavefront.machines_on(diagonal);
                let first = on.start + (processor + processors - on.start % processors) % processors;
                for machine in (first..on.end).step_by(processors) {
                    let position = diagonal - machine;
                    let job = usize::from(order[position]);
                    // The barrier after every diagonal orders reads and writes.
                    let read = |machine: usize| before[machine].load(Ordering::Relaxed);
                    let ready = if machine == 0 { instance.jobs[job].release } else { read(machine - 1) };
                    let free = if position == 0 { 0 } else { read(machine) };
                    let last = position.checked_sub(1).map(|last| order[last]);
                    let set_up = free + instance.setup(last, order[position], machine);
                    let end = ready.max(set_up) + instance.time(job, machine);
                    now[machine].store(end, Ordering::Relaxed);
                    if machine + 1 == machines {
                        own_sum += u64::from(end);
                    }
                }
                barrier.wait();
            }
            if processor == (machines - 1) % processors {
                sum.store(own_sum, Ordering::Relaxed);
            }
        }
    };
    let began = Instant::now();
    std::thread::scope(|scope| {
        for processor in 1..processors {
            scope.spawn(move || run(processor));
        }
        run(0);
    });
    let mean = began.elapsed() / repeats.max(1);
    let makespan = fronts[(wavefront.diagonals() - 1) % 2][machines - 1].load(Ordering::Relaxed);
    Ok((OrderValues { makespan, flow_time: sum.load(Ordering::Relaxed) }, mean))
}

fn fits(instance: &Instance, order: &[u16], wavefront: &Wavefront) -> Result<()> {
    let (jobs, machines) = (instance.job_count(), instance.machine_count());
    if (wavefront.jobs(), wavefront.machines()) != (jobs, machines) {
        return Err(Error::Usage(format!(
            "the computation is planned for {} jobs on {} machines, {} has {jobs} on {machines}",
            wavefront.jobs(),
            wavefront.machines(),
            instance.name
        )));
    }
    if instance.has_clocks() {
        let name = &instance.name;
        let times = instance.further_times().unwrap_or_default();
        return Err(Error::Usage(format!("{name} has {times}, which processors do not mind; take another flow shop")));
    }
    match check(instance, order).violations.first() {
        None => Ok(()),
        Some(violation) => Err(Error::Usage(format!("the order cannot be computed: {}", violation.text))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{planned, without_clocks};
    use crate::{Objective, Schedule};

    /// Job 1 takes 3 then 2, job 2 takes 1 then 4; two processors, 2 + 2 − 1 = 3 steps. Order 1, 2: step 1 gives 0 + 3 = 3;
    /// step 2 gives 3 + 1 = 4 on machine 1 and 3 + 2 = 5 on machine 2; step 3 gives max(4, 5) + 4 = 9. Makespan 9, sum
    /// 5 + 9 = 14. Order 2, 1: 1; 1 + 3 = 4 and 1 + 4 = 5; max(4, 5) + 2 = 7. Makespan 7, sum 5 + 7 = 12.
    #[test]
    fn the_hand_comes_to_the_same() {
        let instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        let wavefront = Wavefront::new(2, 2, 2).unwrap();
        let forwards = execute(&instance, &[0, 1], &wavefront).unwrap();
        assert_eq!((forwards.steps, &forwards.operations[..]), (3, &[2, 2][..]));
        assert_eq!(
            (forwards.completions, forwards.values),
            (vec![3, 5, 4, 9], OrderValues { makespan: 9, flow_time: 14 })
        );
        let backwards = execute(&instance, &[1, 0], &wavefront).unwrap();
        assert_eq!(
            (backwards.completions, backwards.values),
            (vec![1, 5, 4, 7], OrderValues { makespan: 7, flow_time: 12 })
        );
        let alone = execute(&instance, &[1, 0], &Wavefront::new(2, 2, 1).unwrap()).unwrap();
        assert_eq!((alone.steps, alone.values), (4, backwards.values));
    }

    #[test]
    fn what_cannot_be_computed_is_refused() {
        let instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        let refused = |order: &[u16], jobs| {
            execute(&instance, order, &Wavefront::new(jobs, 2, 1).unwrap()).unwrap_err().to_string()
        };
        assert!(refused(&[0, 1], 3).contains("planned for 3 jobs on 2 machines"));
        assert!(refused(&[0, 0], 2).contains("stands in position 1 and again in 2"));
        assert!(refused(&[0, 7], 2).contains("job number 8") && refused(&[1], 2).contains("J1 has no position"));
    }

    proptest! {
        /// Step-wise execution, threads, the schedule and the checker agree for every number of processors.
        #[test]
        fn every_number_of_processors_gives_what_the_checker_says((instance, order) in planned()) {
            let instance = without_clocks(instance);
            let (schedule, verdict) = (Schedule::new(&instance, &order), check(&instance, &order));
            let expected = OrderValues { makespan: schedule.makespan(), flow_time: verdict.flow_time };
            prop_assert_eq!(u64::from(expected.makespan), verdict.makespan);
            prop_assert_eq!(expected.flow_time, schedule.value(&instance, Objective::FlowTime));
            for processors in 1..=instance.machine_count() {
                let wavefront = Wavefront::new(order.len(), instance.machine_count(), processors).unwrap();
                let execution = execute(&instance, &order, &wavefront).unwrap();
                prop_assert_eq!(execution.values, expected);
                prop_assert_eq!(&execution.completions, &schedule.completions);
                prop_assert_eq!(execution.steps, wavefront.step_count());
                prop_assert_eq!(execution.operations.iter().sum::<u64>(), wavefront.operations());
            }
            let wavefront = Wavefront::new(order.len(), instance.machine_count(), instance.machine_count().min(3)).unwrap();
            prop_assert_eq!(with_threads(&instance, &order, &wavefront, 2).unwrap().0, expected);
        }
    }
}
