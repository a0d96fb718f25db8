//! Semi-active schedules: the reference implementation of the recurrence and of the objectives.

use serde::{Deserialize, Serialize};

use super::real_time::{MachineClocks, OperationTimes};
use super::{Instance, Objective, frozen};

/// A job permutation: job indices in processing order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Order(pub Vec<u16>);

/// A job order with the completion times that follow from it: every operation starts as early as possible.
///
/// The order may be partial, so that constructive heuristics can evaluate subsequences; [`super::check::check`] tells
/// whether it is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// π: job indices by position.
    pub order: Vec<u16>,
    /// Completion times C, row-major, positions × machines: `completions[position * machines + machine]`.
    pub completions: Vec<u32>,
    /// Start on the first machine by position; later than the previous job's end only if the release date or a set-up is.
    first_starts: Vec<u32>,
    /// Set-up time before each operation, laid out like `completions`; empty if there are no set-ups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    setups: Vec<u32>,
    /// Times where the instance has working times, ready times or transport.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clocked: Option<ClockedTimes>,
}

/// Times of operations that completion times alone do not tell, each laid out like [`Schedule::completions`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ClockedTimes {
    /// Start of the work.
    starts: Vec<u32>,
    /// Arrival of the job at the machine.
    arrivals: Vec<u32>,
    /// Start of the set-up.
    setup_starts: Vec<u32>,
    /// End of the set-up; without one, the time from which the machine is free.
    ready: Vec<u32>,
    /// True for machines that the job does not visit; empty if all jobs visit all machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    skips: Vec<bool>,
}

/// A block of the critical path: a maximal run of consecutive positions on one machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The machine.
    pub machine: usize,
    /// First position of the block.
    pub first: usize,
    /// Last position of the block, where the path moves on to the next machine.
    pub last: usize,
}

/// A critical path: a longest chain of operations without gaps but for set-ups, transport and times without work; its length is the
/// makespan minus the start of its first operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CriticalPath {
    /// (position, machine) of each operation, in order of time.
    pub operations: Vec<(usize, usize)>,
    /// The path's blocks, one per machine from that of the first operation on, in machine order.
    pub blocks: Vec<Block>,
}

impl Schedule {
    /// Computes C_{i,π(k)} = max(C_{i−1,π(k)}, C_{i,π(k−1)} + s_{i,π(k−1),π(k)}) + p_{i,π(k)} with C_{0,j} = r_j for the jobs of
    /// `order`, or the recurrence of [`super::real_time`].
    ///
    /// # Panics
    /// If `order` holds a job index that the instance does not have. An order that repeats a job may overflow; check
    /// orders from outside with [`super::check::check`] first.
    pub fn new(instance: &Instance, order: &[u16]) -> Self {
        if let Some(clocks) = &instance.clocks {
            return Self::with_clocks(instance, clocks, order);
        }
        let machines = instance.machine_count();
        let mut free = vec![0_u32; machines];
        let mut schedule = Self {
            order: order.to_vec(),
            completions: Vec::with_capacity(order.len() * machines),
            first_starts: Vec::with_capacity(order.len()),
            setups: Vec::new(),
            clocked: None,
        };
        let mut last = None;
        for &job in order {
            if let Some(setups) = &instance.setups {
                let between = setups.between(last.replace(job), job);
                schedule.setups.extend_from_slice(between);
                free.iter_mut().zip(between).for_each(|(free, setup)| *free += setup);
            }
            let mut ready = instance.jobs[usize::from(job)].release;
            for (machine, &time) in instance.row(usize::from(job)).iter().enumerate() {
                let start = ready.max(free[machine]);
                if machine == 0 {
                    schedule.first_starts.push(start);
                }
                ready = start + time;
                free[machine] = ready;
            }
            schedule.completions.extend_from_slice(&free);
        }
        schedule
    }

    /// Computes the recurrence of [`super::real_time`].
    fn with_clocks(instance: &Instance, clocks: &MachineClocks, order: &[u16]) -> Self {
        let mut schedule = Self {
            order: order.to_vec(),
            completions: Vec::new(),
            first_starts: Vec::new(),
            setups: Vec::new(),
            clocked: None,
        };
        let (mut times, mut free) = (ClockedTimes::default(), clocks.ready().collect::<Vec<u32>>());
        let mut last = frozen::set_up_for(instance);
        for &job in order {
            let index = usize::from(job);
            let mut arrival = instance.jobs[index].release;
            let mut done = arrival;
            for (machine, (clock, &takes)) in clocks.0.iter().zip(instance.row(index)).enumerate() {
                let is_visited = instance.visits(index, machine);
                let before = if is_visited { last[machine].replace(job) } else { last[machine] };
                let setup = if is_visited { instance.setup(before, job, machine) } else { 0 };
                let mut operation = clock.operation(free[machine], setup, arrival, takes);
                times.arrivals.push(arrival);
                times.setup_starts.push(clock.begin(free[machine], setup));
                if is_visited {
                    (free[machine], done) = (operation.end, operation.end);
                    arrival = clock.arrival(operation.end, takes);
                } else {
                    operation = OperationTimes { ready: free[machine], start: done, end: done };
                }
                times.ready.push(operation.ready);
                times.starts.push(operation.start);
                schedule.setups.extend(instance.setups.is_some().then_some(setup));
                schedule.completions.push(operation.end);
            }
        }
        if !instance.skips.is_empty() {
            let all = order.iter().flat_map(|&job| (0..clocks.0.len()).map(move |machine| (job, machine)));
            times.skips = all.map(|(job, machine)| !instance.visits(job.into(), machine)).collect();
        }
        schedule.clocked = Some(times);
        schedule
    }

    /// Returns `true` if the job in `position` visits `machine`. Otherwise start and end are the time at which the job is done before, and
    /// [`Self::ready`] is the time from which the machine is free.
    pub fn visits(&self, position: usize, machine: usize) -> bool {
        let skips = self.clocked.as_ref().map_or(&[][..], |times| &times.skips);
        !skips.get(self.index(position, machine)).is_some_and(|&skips| skips)
    }

    /// Position of the job before on a machine; `None` for its first job.
    pub fn position_before(&self, position: usize, machine: usize) -> Option<usize> {
        (0..position).rev().find(|&before| self.visits(before, machine))
    }

    /// Machine from which the job in `position` comes; `None` for its first machine.
    pub fn machine_before(&self, position: usize, machine: usize) -> Option<usize> {
        (0..machine).rev().find(|&before| self.visits(position, before))
    }

    /// Index of an operation in arrays that are laid out like `completions`.
    fn index(&self, position: usize, machine: usize) -> usize {
        position * self.machine_count() + machine
    }

    /// Number of machines m; 0 if the order is empty.
    pub fn machine_count(&self) -> usize {
        self.completions.len().checked_div(self.order.len()).unwrap_or(0)
    }

    /// C: completion time of the operation in `position` on `machine`.
    pub fn completion(&self, position: usize, machine: usize) -> u32 {
        self.completions[position * self.machine_count() + machine]
    }

    /// Start time of the operation in `position` on `machine`.
    pub fn start(&self, position: usize, machine: usize) -> u32 {
        if let Some(times) = &self.clocked {
            return times.starts[self.index(position, machine)];
        }
        if machine == 0 {
            return self.first_starts[position];
        }
        self.ready(position, machine).max(self.completion(position, machine - 1))
    }

    /// Set-up time before the operation in `position` on `machine`; 0 if there is none.
    pub fn setup(&self, position: usize, machine: usize) -> u32 {
        self.setups.get(position * self.machine_count() + machine).copied().unwrap_or(0)
    }

    /// Start and end of the set-up before the operation in `position` on `machine`; `None` if there is none. Set-ups are as late as
    /// possible, but with working times as early as possible.
    pub fn setup_span(&self, position: usize, machine: usize) -> Option<(u32, u32)> {
        if let Some(times) = &self.clocked {
            let at = self.index(position, machine);
            return (self.setup(position, machine) > 0).then(|| (times.setup_starts[at], times.ready[at]));
        }
        let (setup, end) = (self.setup(position, machine), self.start(position, machine));
        (setup > 0).then(|| (end - setup, end))
    }

    /// Start of the job in `position` on the first machine that it visits.
    pub fn begin(&self, position: usize) -> u32 {
        let first = (0..self.machine_count()).find(|&machine| self.visits(position, machine));
        self.start(position, first.unwrap_or(0))
    }

    /// Time at which the job in `position` arrives at `machine`: its release date on the first one. Without working times, ready times and
    /// transport the start on the first machine, which may be later.
    pub fn arrival(&self, position: usize, machine: usize) -> u32 {
        match (&self.clocked, machine) {
            (Some(times), _) => times.arrivals[self.index(position, machine)],
            (None, 0) => self.first_starts[position],
            (None, _) => self.completion(position, machine - 1),
        }
    }

    /// Time at which `machine` is set up for the job in `position`.
    pub fn ready(&self, position: usize, machine: usize) -> u32 {
        if let Some(times) = &self.clocked {
            return times.ready[self.index(position, machine)];
        }
        let before = if position == 0 { 0 } else { self.completion(position - 1, machine) };
        before + self.setup(position, machine)
    }

    /// Sum of all set-up times.
    #[cfg(test)]
    pub(crate) fn total_setup(&self) -> u64 {
        self.setups.iter().map(|&setup| u64::from(setup)).sum()
    }

    /// C_j of the job in `position`: its completion time on the last machine.
    pub fn done(&self, position: usize) -> u32 {
        self.completion(position, self.machine_count() - 1)
    }

    /// Makespan max C_j; 0 for an empty order.
    pub fn makespan(&self) -> u32 {
        if self.clocked.as_ref().is_some_and(|times| !times.skips.is_empty()) {
            return (0..self.order.len()).map(|position| self.done(position)).max().unwrap_or(0);
        }
        self.completions.last().copied().unwrap_or(0)
    }

    /// Value of an objective over the jobs of the order; a job without a due date is never late.
    pub fn value(&self, instance: &Instance, objective: Objective) -> u64 {
        let late = |position: usize| {
            let due = instance.jobs[usize::from(self.order[position])].due;
            due.map_or(0, |due| self.done(position).saturating_sub(due))
        };
        let positions = 0..self.order.len();
        match objective {
            Objective::Makespan => u64::from(self.makespan()),
            Objective::FlowTime => positions.map(|position| u64::from(self.done(position))).sum(),
            Objective::Tardiness => {
                let weight = |position: usize| instance.weight(usize::from(self.order[position]));
                positions.map(|position| u64::from(weight(position)) * u64::from(late(position))).sum()
            }
            Objective::Tardy => positions.filter(|&position| late(position) > 0).count() as u64,
        }
    }

    /// Returns one critical path. Among several, it is the path that, followed backwards from the end, prefers staying
    /// on the machine to following the job.
    pub fn critical_path(&self) -> CriticalPath {
        let (positions, machines) = (self.order.len(), self.machine_count());
        if positions == 0 || machines == 0 {
            return CriticalPath::default();
        }
        // The last position, unless jobs are overtaken.
        let mut position = (0..positions).max_by_key(|&position| self.done(position)).unwrap_or(positions - 1);
        let mut machine = self.machine_before(position, machines).unwrap_or(machines - 1);
        let mut operations = vec![(position, machine)];
        loop {
            let (ready, arrival) = (self.ready(position, machine), self.arrival(position, machine));
            match (self.position_before(position, machine), self.machine_before(position, machine)) {
                (Some(before), _) if ready >= arrival => position = before,
                (_, Some(before)) if arrival >= ready => machine = before,
                // The first operation, or one that waits for its release date or for the first set-up of its machine.
                _ => break,
            }
            operations.push((position, machine));
        }
        operations.reverse();
        let blocks = operations.chunk_by(|a, b| a.1 == b.1).filter_map(|run| {
            let (&(first, machine), &(last, _)) = (run.first()?, run.last()?);
            Some(Block { machine, first, last })
        });
        CriticalPath { blocks: blocks.collect(), operations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setups;

    /// Job 1 takes 3 then 2, job 2 takes 1 then 4.
    fn example() -> Instance {
        Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap()
    }

    /// Order 1, 2: machine 1 ends at 3 and 3 + 1 = 4; machine 2 at 3 + 2 = 5 and max(4, 5) + 4 = 9.
    /// Order 2, 1: machine 1 ends at 1 and 1 + 3 = 4; machine 2 at 1 + 4 = 5 and max(4, 5) + 2 = 7.
    #[test]
    fn completes_when_the_hand_says() {
        let instance = example();
        let forwards = Schedule::new(&instance, &[0, 1]);
        assert_eq!(forwards.completions, [3, 5, 4, 9]);
        assert_eq!((forwards.makespan(), forwards.value(&instance, Objective::FlowTime)), (9, 5 + 9));
        let backwards = Schedule::new(&instance, &[1, 0]);
        assert_eq!(backwards.completions, [1, 5, 4, 7]);
        assert_eq!((backwards.makespan(), backwards.value(&instance, Objective::FlowTime)), (7, 5 + 7));
        assert_eq!([(0, 0), (0, 1), (1, 0), (1, 1)].map(|(k, i)| backwards.start(k, i)), [0, 1, 1, 5]);
    }

    /// Due at 4 and 8: order 1, 2 is done at 5 and 9, each 1 late; order 2, 1 at 5 (3 early) and 7 (3 late).
    #[test]
    fn lateness_counts_and_earliness_does_not() {
        let mut instance = example();
        (instance.jobs[0].due, instance.jobs[1].due) = (Some(4), Some(8));
        let values = |order: &[u16]| {
            let schedule = Schedule::new(&instance, order);
            [Objective::Tardiness, Objective::Tardy].map(|objective| schedule.value(&instance, objective))
        };
        assert_eq!((values(&[0, 1]), values(&[1, 0])), ([2, 2], [3, 1]));
    }

    /// Order 1, 2: 3 (job 1, machine 1) + 2 (job 1, machine 2) + 4 (job 2, machine 2) = 9.
    #[test]
    fn the_critical_path_is_as_long_as_the_makespan() {
        let path = Schedule::new(&example(), &[0, 1]).critical_path();
        assert_eq!(path.operations, [(0, 0), (0, 1), (1, 1)]);
        let [a, b] = [Block { machine: 0, first: 0, last: 0 }, Block { machine: 1, first: 0, last: 1 }];
        assert_eq!(path.blocks, [a, b]);
    }

    #[test]
    fn release_dates_delay_the_first_machine() {
        let mut instance = example();
        instance.jobs[1].release = 10;
        let schedule = Schedule::new(&instance, &[0, 1]);
        assert_eq!(schedule.completions, [3, 5, 11, 15]);
        assert_eq!((schedule.start(1, 0), schedule.start(1, 1)), (10, 11));
        assert_eq!(schedule.critical_path().operations, [(1, 0), (1, 1)]);
    }

    /// Machine 1 needs 2 before job 1 and 5 between job 1 and job 2, machine 2 needs 1 between them: job 1 from 2 to 5 and from 5 to 7;
    /// job 2 from 5 + 5 = 10 to 11 and from 11 to 15.
    #[test]
    fn set_ups_keep_machines_from_starting() {
        let mut instance = example();
        let mut setups = Setups::of_jobs(2, 2).unwrap();
        setups.between_families_mut(None, 0)[0] = 2;
        setups.between_families_mut(Some(0), 1).copy_from_slice(&[5, 1]);
        instance.setups = Some(setups.into());
        let schedule = Schedule::new(&instance, &[0, 1]);
        assert_eq!(schedule.completions, [5, 7, 11, 15]);
        assert_eq!([(0, 0), (0, 1), (1, 0), (1, 1)].map(|(k, i)| schedule.start(k, i)), [2, 5, 10, 11]);
        assert_eq!(
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(k, i)| schedule.setup_span(k, i)),
            [Some((0, 2)), None, Some((5, 10)), Some((10, 11))]
        );
        assert_eq!((schedule.total_setup(), schedule.critical_path().operations), (8, vec![(0, 0), (1, 0), (1, 1)]));
        assert_eq!(
            Schedule::new(&instance, &[1, 0]).completions,
            [1, 5, 4, 7],
            "nothing is set up the other way round"
        );
    }

    #[test]
    fn an_empty_order_is_done_at_once() {
        let schedule = Schedule::new(&example(), &[]);
        assert_eq!((schedule.makespan(), schedule.critical_path()), (0, CriticalPath::default()));
    }
}
