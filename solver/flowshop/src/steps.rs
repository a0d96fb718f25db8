//! Algorithms as sequences of steps for students: the recurrence cell by cell, NEH insertion by insertion, and one
//! insertion with Taillard's tables.
//!
//! Everything is computed as in textbooks, independently of the tables of [`super::insertion`]; tests compare both.

use super::insertion::FlowShopProblem;
use super::neh::priority;
use super::{Instance, Schedule};

/// Largest number of jobs shown step by step.
pub const MOST_JOBS: usize = 20;

/// Largest number of machines shown step by step.
pub const MOST_MACHINES: usize = 10;

/// One evaluation of the recurrence C_{i,π(k)} = max(C_{i−1,π(k)}, C_{i,π(k−1)} + s_{i,π(k−1),π(k)}) + p_{i,π(k)}.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// k: the position in the order, from 0.
    pub position: usize,
    /// i: the machine, from 0.
    pub machine: usize,
    /// C_{i−1,π(k)}: arrival of the job; its release date on the first machine.
    pub ready: u32,
    /// C_{i,π(k−1)}: end of the previous job on the machine; 0 for the first job.
    pub free: u32,
    /// s_{i,π(k−1),π(k)}: set-up time of the machine; 0 if there are no set-ups.
    pub setup: u32,
    /// p_{i,π(k)}.
    pub time: u32,
}

impl Completion {
    /// C_{i,π(k)}.
    pub fn end(&self) -> u32 {
        self.ready.max(self.free + self.setup) + self.time
    }

    /// Index i + k of the anti-diagonal, whose cells are independent of each other.
    pub fn diagonal(&self) -> usize {
        self.position + self.machine
    }
}

/// Cells of the whole schedule, anti-diagonal by anti-diagonal, within a diagonal by ascending machine.
pub fn recurrence(instance: &Instance, schedule: &Schedule) -> Vec<Completion> {
    let (positions, machines) = (schedule.order.len(), schedule.machine_count());
    let of = |position: usize, machine: usize| {
        let job = usize::from(schedule.order[position]);
        let release = instance.jobs[job].release;
        Completion {
            position,
            machine,
            ready: if machine == 0 { release } else { schedule.completion(position, machine - 1) },
            free: if position == 0 { 0 } else { schedule.completion(position - 1, machine) },
            setup: schedule.setup(position, machine),
            time: instance.time(job, machine),
        }
    };
    let diagonals = (positions + machines).saturating_sub(1);
    let on = |diagonal: usize| {
        let first = (diagonal + 1).saturating_sub(positions);
        (first..machines.min(diagonal + 1)).map(move |machine| (diagonal - machine, machine))
    };
    (0..diagonals).flat_map(on).map(|(position, machine)| of(position, machine)).collect()
}

/// One insertion of NEH: a job and the values of all its positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// Job index.
    pub job: u16,
    /// Order before the insertion.
    pub order: Vec<u16>,
    /// Objective value by insertion position; length = order length + 1.
    pub values: Vec<u64>,
    /// Chosen position.
    pub chosen: usize,
}

impl Insertion {
    /// Order with the job inserted at `position`.
    pub fn with(&self, position: usize) -> Vec<u16> {
        let mut order = self.order.clone();
        order.insert(position.min(order.len()), self.job);
        order
    }
}

/// Runs NEH and returns every insertion with the values of all positions.
pub fn neh(problem: &FlowShopProblem) -> Vec<Insertion> {
    let mut tables = super::insertion::Tables::new(problem);
    let mut order: Vec<u16> = Vec::with_capacity(problem.jobs());
    let mut steps = Vec::with_capacity(problem.jobs());
    for job in priority(problem) {
        let chosen = tables.insert(problem, &order, job).position;
        let mut step = Insertion { job, order: order.clone(), values: Vec::new(), chosen };
        let value = |position| problem.shown(problem.cost(&step.with(position)));
        step.values = (0..=order.len()).map(value).collect();
        order = step.with(chosen);
        steps.push(step);
    }
    steps
}

/// Tables of Taillard's acceleration for one job and an order without it; each is positions × machines.
///
/// ```text
/// e_{i,k} = max(e_{i,k−1}, e_{i−1,k}) + p_{i,π(k)}        head: completion of position k on machine i
/// q_{i,k} = max(q_{i,k+1}, q_{i+1,k}) + p_{i,π(k)}        tail: from the start of position k on machine i to the end
/// f_{i,k} = max(f_{i−1,k}, e_{i,k−1}) + p_{i,job}         completion of the job on machine i in position k
/// makespan(k) = max_i (f_{i,k} + q_{i,k})
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceleration {
    /// heads[k][i] = e of position k on machine i.
    pub heads: Vec<Vec<u32>>,
    /// tails[k][i] = q of position k on machine i.
    pub tails: Vec<Vec<u32>>,
    /// done[k][i] = f with the job in position k; one row more than `heads`.
    pub done: Vec<Vec<u32>>,
    /// makespans[k] = makespan with the job in position k.
    pub makespans: Vec<u32>,
    /// First position of least makespan.
    pub best: usize,
}

impl Acceleration {
    /// Computes the tables for a job and an order that does not hold it. Release dates, set-ups and working times are ignored; with
    /// them the acceleration is not valid, see [`FlowShopProblem::is_accelerated`].
    pub fn new(instance: &Instance, order: &[u16], job: u16) -> Self {
        let machines = instance.machine_count();
        let forwards = |before: &[u32], job: u16| {
            let mut ready = 0;
            let row = before.iter().zip(instance.row(usize::from(job)));
            row.map(|(&before, &time)| {
                ready = before.max(ready) + time;
                ready
            })
            .collect::<Vec<u32>>()
        };
        let nothing = vec![0; machines];
        let mut heads: Vec<Vec<u32>> = Vec::with_capacity(order.len());
        for &of in order {
            heads.push(forwards(heads.last().unwrap_or(&nothing), of));
        }
        let mut tails: Vec<Vec<u32>> = vec![nothing.clone(); order.len()];
        let mut behind = nothing.clone();
        for (position, &of) in order.iter().enumerate().rev() {
            let mut left = 0;
            for machine in (0..machines).rev() {
                left = behind[machine].max(left) + instance.time(usize::from(of), machine);
                behind[machine] = left;
            }
            tails[position].clone_from(&behind);
        }
        let before = |position: usize| position.checked_sub(1).map_or(&nothing, |before| &heads[before]);
        let done: Vec<Vec<u32>> = (0..=order.len()).map(|position| forwards(before(position), job)).collect();
        let longest = |(position, done): (usize, &Vec<u32>)| {
            let behind = tails.get(position).unwrap_or(&nothing);
            done.iter().zip(behind).map(|(done, tail)| done + tail).max().unwrap_or(0)
        };
        let makespans: Vec<u32> = done.iter().enumerate().map(longest).collect();
        let best = (0..makespans.len()).min_by_key(|&position| makespans[position]).unwrap_or(0);
        Self { heads, tails, done, makespans, best }
    }

    /// First machine that attains the maximum in makespan(`position`).
    pub fn bottleneck(&self, position: usize) -> usize {
        let sum = |machine: usize| {
            let tail = self.tails.get(position).map_or(0, |tails| tails[machine]);
            self.done[position][machine] + tail
        };
        let machines = self.done.get(position).map_or(0, Vec::len);
        (0..machines).find(|&machine| sum(machine) == self.makespans[position]).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::insertion::Tables;
    use crate::{Objective, library, neh as constructed};

    /// Job 1 takes 3 then 2, job 2 takes 1 then 4. Order 1, 2, diagonal by diagonal: 0 + 3 = 3; then on machine 1
    /// 3 + 1 = 4 and on machine 2 3 + 2 = 5; then max(4, 5) + 4 = 9.
    #[test]
    fn cells_come_diagonal_by_diagonal() {
        let instance = Instance::of_times("by hand", 2, vec![3, 2, 1, 4]).unwrap();
        let cells = recurrence(&instance, &Schedule::new(&instance, &[0, 1]));
        let told: Vec<_> =
            cells.iter().map(|cell| (cell.position, cell.machine, cell.ready, cell.free, cell.end())).collect();
        assert_eq!(told, [(0, 0, 0, 0, 3), (1, 0, 0, 3, 4), (0, 1, 3, 0, 5), (1, 1, 4, 5, 9)]);
        assert_eq!(cells.iter().map(Completion::diagonal).collect::<Vec<_>>(), [0, 1, 1, 2]);
    }

    /// Both jobs have work 5, so job 1 comes first and ends at 5 alone. Job 2 before it: 1 + 4 = 5 and
    /// max(4, 5) + 2 = 7; behind it 9. So it is inserted before.
    #[test]
    fn insertions_come_by_falling_work() {
        let instance = Instance::of_times("by hand", 2, vec![3, 2, 1, 4]).unwrap();
        let steps = neh(&FlowShopProblem::new(&instance, Objective::Makespan));
        let first = Insertion { job: 0, order: vec![], values: vec![5], chosen: 0 };
        let second = Insertion { job: 1, order: vec![0], values: vec![7, 9], chosen: 0 };
        assert_eq!((steps[1].with(0), steps), (vec![1, 0], vec![first, second]));
    }

    /// The heads of order (1) are 3 and 5, its tails 3 + 2 = 5 and 2. Job 2 before it: f = 1 and 5, makespan
    /// max(1 + 5, 5 + 2) = 7 over machine 2; behind it f = 4 and max(4, 5) + 4 = 9.
    #[test]
    fn tables_are_what_the_hand_computes() {
        let instance = Instance::of_times("by hand", 2, vec![3, 2, 1, 4]).unwrap();
        let tables = Acceleration::new(&instance, &[0], 1);
        assert_eq!((&tables.heads[0][..], &tables.tails[0][..]), (&[3, 5][..], &[5, 2][..]));
        assert_eq!((&tables.done[..], &tables.makespans[..]), (&[vec![1, 5], vec![4, 9]][..], &[7, 9][..]));
        assert_eq!((tables.best, tables.bottleneck(0)), (0, 1));
    }

    #[test]
    fn the_last_insertion_is_what_neh_finds() {
        for objective in Objective::ALL {
            let instance = library::sample("workshop").unwrap();
            let problem = FlowShopProblem::new(&instance, objective);
            let steps = neh(&problem);
            let last = steps.last().unwrap();
            let (order, cost) = constructed::neh(&problem);
            assert_eq!((last.with(last.chosen), last.values[last.chosen]), (order, problem.shown(cost)));
        }
    }

    proptest! {
        #[test]
        fn lessons_say_what_searches_compute(
            jobs in 1_usize..12,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 84),
            setups: bool,
        ) {
            let times = numbers[..jobs * machines].to_vec();
            let instance = Instance::of_times("random", machines, times).unwrap();
            let instance = crate::tests::with_setups(instance, setups, &numbers);
            let problem = FlowShopProblem::new(&instance, Objective::Makespan);
            let order: Vec<u16> = (1..jobs as u16).collect();
            let mut tables = Tables::new(&problem);
            let place = tables.insert(&problem, &order, 0);
            if !setups {
                let lesson = Acceleration::new(&instance, &order, 0);
                let found: Vec<u64> = lesson.makespans.iter().map(|&value| u64::from(value)).collect();
                prop_assert_eq!(&found[..], &tables.costs()[..=order.len()]);
                prop_assert_eq!(found[lesson.best], place.cost);
            }
            for (position, insertion) in neh(&problem).iter().flat_map(|step| (0..step.values.len()).map(move |at| (at, step))) {
                let makespan = Schedule::new(&instance, &insertion.with(position)).makespan();
                prop_assert_eq!(insertion.values[position], u64::from(makespan));
                prop_assert!(insertion.values[insertion.chosen] <= insertion.values[position]);
            }
            let schedule = Schedule::new(&instance, &(0..jobs as u16).collect::<Vec<_>>());
            let cells = recurrence(&instance, &schedule);
            prop_assert_eq!(cells.len(), jobs * machines);
            prop_assert!(cells.windows(2).all(|pair| pair[0].diagonal() <= pair[1].diagonal()));
            for cell in cells {
                prop_assert_eq!(cell.end(), schedule.completion(cell.position, cell.machine));
            }
        }
    }
}
