//! Parallel computation of one makespan: a schedule of the recurrence over p processors.
//!
//! C_{i,π(k)} depends only on C_{i−1,π(k)} and C_{i,π(k−1)}, which both lie on the anti-diagonal before its own. The
//! n_d operations of anti-diagonal d = i + k are therefore independent, and p processors compute them in ⌈n_d/p⌉
//! rounds.
//!
//! ```text
//! Theorem 1   m processors:      steps = n + m − 1
//! Theorem 2   p ≤ m processors:  steps = Σ_d ⌈n_d/p⌉ ≤ nm/p + n + m − 1
//!             speedup            nm / steps
//!             efficiency         nm / (p · steps) ≥ nm / (nm + p·(n + m − 1))
//!             efficiency c       p = nm/(n + m − 1) · (1/c − 1)
//! ```
//!
//! Both theorems also hold for the sum of completion times: one processor computes all operations of the last machine,
//! at most one per step, and accumulates them without an additional step.
//!
//! Operation (k, i) is computed in round ⌊(i − lowest machine of d)/p⌋ of its diagonal by processor i mod p.
//! Neighbouring machines belong to different processors, so a round is full whenever p operations remain, and each
//! machine's completion times stay with one processor. Steps, speedup and efficiency are exact fractions. [`execution`]
//! carries the schedule out with concurrent reads and exclusive writes and is tested against the checker; [`cpu`] and
//! [`cuda`] compute many orders side by side, [`measuring`] measures one order by p processors.
//!
//! Source: W. Bożejko, C. Smutnicki, M. Uchroński, «Parallel calculating of the goal function in metaheuristics using
//! GPU», ICCS 2009, theorems 1 and 2. Indices are counted from 0 here.

pub mod cpu;
pub mod cuda;
pub(crate) mod execution;
pub mod measuring;

pub use cpu::{OrderValues, Orders};
pub use execution::execute;

use super::{MAX_JOBS, MAX_MACHINES};
use gridwright_core::{Error, Result};

/// An exact fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    numerator: u64,
    /// Divisor; never 0.
    denominator: u64,
}

impl Ratio {
    /// Quotient as floating point.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// One operation computed by one processor in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Task {
    /// Processor, below p.
    pub processor: usize,
    /// Position k in the order.
    pub position: usize,
    /// Machine i.
    pub machine: usize,
}

/// One parallel step: a round of an anti-diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Anti-diagonal d = i + k.
    pub diagonal: usize,
    /// Round within the diagonal, from 0.
    pub round: usize,
}

/// Schedule of the recurrence of n jobs on m machines over p processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wavefront {
    jobs: usize,
    machines: usize,
    processors: usize,
}

impl Wavefront {
    /// Plans the computation for `jobs` × `machines` operations on `processors` processors.
    ///
    /// # Errors
    /// [`Error::Usage`] if a size is outside of its range or `processors` is not in 1..=m; more than m processors would
    /// idle.
    pub fn new(jobs: usize, machines: usize, processors: usize) -> Result<Self> {
        if !(1..=MAX_JOBS).contains(&jobs) || !(1..=MAX_MACHINES).contains(&machines) {
            return Err(Error::Usage(format!(
                "{jobs} jobs on {machines} machines; there can be 1 to {MAX_JOBS} jobs and 1 to {MAX_MACHINES} machines"
            )));
        }
        if !(1..=machines).contains(&processors) {
            return Err(Error::Usage(format!(
                "{processors} processors for {machines} machines; from 1 to {machines} of them have something to do"
            )));
        }
        Ok(Self { jobs, machines, processors })
    }

    /// Number of jobs n.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Number of machines m.
    pub fn machines(&self) -> usize {
        self.machines
    }

    /// Number of processors p.
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// Number of operations n·m.
    pub fn operations(&self) -> u64 {
        self.jobs as u64 * self.machines as u64
    }

    /// Number of anti-diagonals n + m − 1.
    pub fn diagonals(&self) -> usize {
        self.jobs + self.machines - 1
    }

    /// Machines that have an operation on a diagonal.
    pub(crate) fn machines_on(&self, diagonal: usize) -> std::ops::Range<usize> {
        let first = (diagonal + 1).saturating_sub(self.jobs);
        first..(diagonal + 1).min(self.machines).max(first)
    }

    /// Rounds of a diagonal: ⌈n_d/p⌉.
    pub fn rounds(&self, diagonal: usize) -> usize {
        self.machines_on(diagonal).len().div_ceil(self.processors)
    }

    /// Total number of steps: Σ_d ⌈n_d/p⌉.
    pub fn step_count(&self) -> u64 {
        (0..self.diagonals()).map(|diagonal| self.rounds(diagonal) as u64).sum()
    }

    /// All steps in order.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let this = *self;
        (0..this.diagonals())
            .flat_map(move |diagonal| (0..this.rounds(diagonal)).map(move |round| Step { diagonal, round }))
    }

    /// Operations of a step by ascending machine; processors that are not listed idle.
    pub(crate) fn tasks(&self, step: Step) -> impl Iterator<Item = Task> + use<> {
        let (processors, machines) = (self.processors, self.machines_on(step.diagonal));
        let first = machines.start.saturating_add(step.round.saturating_mul(processors)).min(machines.end);
        let last = first.saturating_add(processors).min(machines.end);
        (first..last).map(move |machine| Task {
            processor: machine % processors,
            position: step.diagonal - machine,
            machine,
        })
    }

    /// Speedup over one processor: nm / steps.
    pub fn speedup(&self) -> Ratio {
        Ratio { numerator: self.operations(), denominator: self.step_count() }
    }

    /// Efficiency: nm / (p · steps).
    pub fn efficiency(&self) -> Ratio {
        Ratio { numerator: self.operations(), denominator: self.processors as u64 * self.step_count() }
    }

    /// Upper bound of the number of steps by theorem 2: nm/p + n + m − 1.
    pub fn step_bound(&self) -> Ratio {
        let processors = self.processors as u64;
        Ratio { numerator: self.operations() + processors * self.diagonals() as u64, denominator: processors }
    }

    /// Lower bound of the efficiency by theorem 2: nm / (nm + p·(n + m − 1)).
    pub fn efficiency_bound(&self) -> Ratio {
        let overhead = self.processors as u64 * self.diagonals() as u64;
        Ratio { numerator: self.operations(), denominator: self.operations() + overhead }
    }
}

/// Number of processors for which theorem 2 guarantees the efficiency c in (0, 1]: p = nm/(n + m − 1) · (1/c − 1), not
/// rounded. The result may be below 1, where even one processor is guaranteed less, or above m.
pub fn processors_for(jobs: usize, machines: usize, efficiency: f64) -> f64 {
    let diagonals = (jobs + machines).saturating_sub(1).max(1);
    jobs as f64 * machines as f64 / diagonals as f64 * (1.0 / efficiency - 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Four jobs on three machines: diagonals of 1, 2, 3, 3, 2 and 1 operations. Three processors take a step for each, so
    /// 12 operations take 6 steps: speedup 2, efficiency 2/3. Two processors take 1 + 1 + 2 + 2 + 1 + 1 = 8 steps: speedup
    /// 3/2, efficiency 3/4; theorem 2 promises at most 12/2 + 6 = 12 steps.
    #[test]
    fn steps_are_what_the_hand_counts() {
        let of = |processors| Wavefront::new(4, 3, processors).unwrap();
        assert_eq!((0..6).map(|diagonal| of(3).machines_on(diagonal).len()).collect::<Vec<_>>(), [1, 2, 3, 3, 2, 1]);
        assert_eq!([1, 2, 3].map(|processors| of(processors).step_count()), [12, 8, 6]);
        assert_eq!((of(3).speedup().value(), of(2).speedup().value()), (2.0, 1.5));
        assert_eq!(of(3).efficiency(), Ratio { numerator: 12, denominator: 18 });
        assert_eq!((of(2).efficiency().value(), of(2).step_bound().value()), (0.75, 12.0));
        assert_eq!(of(2).efficiency_bound(), Ratio { numerator: 12, denominator: 24 });
        // The third diagonal, (k, i) = (2, 0), (1, 1), (0, 2): processors 0 and 1, then processor 0 again.
        let tasks =
            |number| of(2).steps().nth(number).map(|step| of(2).tasks(step).collect::<Vec<_>>()).unwrap_or_default();
        let task = |processor, position, machine| Task { processor, position, machine };
        assert_eq!((tasks(2), tasks(3)), (vec![task(0, 2, 0), task(1, 1, 1)], vec![task(0, 0, 2)]));
        assert_eq!(of(2).steps().count(), 8);
    }

    /// 100 jobs on 20 machines: 2000/119 · (1/0.5 − 1) = 16.8 processors keep half of their time busy, in theory.
    #[test]
    fn the_number_of_processors_for_an_efficiency() {
        assert!((processors_for(100, 20, 0.5) - 16.806_722_689).abs() < 1e-9);
        let promised = Wavefront::new(100, 20, 16).unwrap().efficiency_bound().value();
        let beyond = Wavefront::new(100, 20, 17).unwrap().efficiency_bound().value();
        assert!(promised >= 0.5 && beyond < 0.5, "{promised} {beyond}");
    }

    #[test]
    fn what_has_nothing_to_do_is_refused() {
        let refused = |jobs, machines, processors| Wavefront::new(jobs, machines, processors).unwrap_err().to_string();
        assert!(refused(4, 3, 4).contains("4 processors for 3 machines"));
        assert!(refused(4, 3, 0).contains("from 1 to 3"));
        assert!(refused(0, 3, 1).contains("0 jobs") && refused(1, 1 << 20, 1).contains("65535"));
    }

    proptest! {
        /// Every operation is computed once and after its predecessors, no processor computes two at a time, both
        /// theorems hold.
        #[test]
        fn the_schedule_is_one(jobs in 1..40_usize, machines in 1..25_usize) {
            for processors in 1..=machines {
                let wavefront = Wavefront::new(jobs, machines, processors).unwrap();
                let mut when = vec![None; jobs * machines];
                for (number, step) in wavefront.steps().enumerate() {
                    let mut busy = vec![false; processors];
                    for Task { processor, position, machine } in wavefront.tasks(step) {
                        prop_assert!(!std::mem::replace(&mut busy[processor], true));
                        prop_assert_eq!(when[position * machines + machine].replace(number), None);
                    }
                    prop_assert!(busy.contains(&true), "a step in which nobody does anything");
                }
                for position in 0..jobs {
                    for machine in 0..machines {
                        let own = when[position * machines + machine];
                        prop_assert!(own.is_some());
                        prop_assert!(position == 0 || when[(position - 1) * machines + machine] < own);
                        prop_assert!(machine == 0 || when[position * machines + machine - 1] < own);
                    }
                }
                let steps = Ratio { numerator: wavefront.step_count(), denominator: 1 };
                prop_assert_eq!(wavefront.steps().count() as u64, steps.numerator);
                // Compared exactly, by cross-multiplication.
                let at_most = |a: Ratio, b: Ratio| {
                    u128::from(a.numerator) * u128::from(b.denominator) <= u128::from(b.numerator) * u128::from(a.denominator)
                };
                prop_assert!(at_most(steps, wavefront.step_bound()), "theorem 2");
                prop_assert!(at_most(wavefront.efficiency_bound(), wavefront.efficiency()), "theorem 2");
                prop_assert!(processors < machines || steps.numerator == (jobs + machines - 1) as u64, "theorem 1");
                prop_assert!(processors > 1 || steps.numerator == wavefront.operations());
            }
        }
    }
}
