//! Latest times at which the machines must be ready for the jobs of an order, so that the makespan stays below a bound.
//!
//! In real time the makespan with a job in a position is no sum of heads and tails, but c_i never decreases, so that it has latest starts:
//! with L_i(t, p) the latest time from which work of length p on machine i ends by t, and D_{i,k} the latest end of the job in position k,
//!
//! ```text
//! S_{i,k} = L_i(D_{i,k}, p_{i,π(k)}),   D_{i,k} = min(L_i(S_{i,k+1}, s_{i,π(k),π(k+1)}), S_{i+1,k} − lag_i)
//! ```
//!
//! with the largest makespan wanted as D behind the last job and the last machine. A job in position k keeps the makespan below the bound
//! exactly if every machine, set up for the job behind it, is ready by S_{i,k}. All positions together are tested in O(n·m).

use super::FlowShopProblem;
use super::setups::LatestStarts;
use crate::Objective;
use crate::real_time::MachineClocks;

impl LatestStarts {
    pub(super) fn new(problem: &FlowShopProblem) -> Self {
        let (jobs, machines) = (problem.jobs(), problem.machines);
        Self { starts: vec![0; jobs * machines], ends: vec![0; machines], first: 0, most: 0 }
    }

    /// Computes the latest times of an order for a makespan below `bound`; `false` where they do not tell the makespan.
    pub(super) fn prepare(&mut self, problem: &FlowShopProblem, order: &[u16], bound: u64) -> bool {
        let most = bound.checked_sub(1).and_then(|most| u32::try_from(most).ok());
        let (Some(clocks), Some(most)) = (&problem.clocks, most) else { return false };
        if problem.objective != Objective::Makespan || !problem.skips.is_empty() {
            return false;
        }
        (self.most, self.first) = (most, 0);
        self.ends.fill(most);
        for position in (0..order.len()).rev() {
            if let Err(first) = self.step(problem, clocks, order, position) {
                self.first = first;
                break;
            }
        }
        true
    }

    /// Computes the latest starts of a position and the latest ends of the one before it.
    ///
    /// # Errors
    /// First position that all jobs from there on allow.
    fn step(
        &mut self, problem: &FlowShopProblem, clocks: &MachineClocks, order: &[u16], position: usize,
    ) -> Result<(), usize> {
        let (machines, job) = (problem.machines, order[position]);
        let (times, starts) = (problem.row(job), &mut self.starts[position * problem.machines..][..machines]);
        let mut due = self.most;
        for machine in (0..machines).rev() {
            let clock = &clocks.0[machine];
            let start = clock.latest(self.ends[machine].min(due), times[machine]).ok_or(position + 1)?;
            starts[machine] = start;
            let before = machine.checked_sub(1).filter(|&before| times[before] > 0);
            let lag = before.map_or(0, |before| clocks.0[before].transport);
            due = start.checked_sub(lag).ok_or(position + 1)?;
        }
        if problem.release[usize::from(job)] > starts[0] {
            return Err(position + 1);
        }
        let setups =
            position.checked_sub(1).and_then(|before| Some(problem.setups()?.between(Some(order[before]), job)));
        for (machine, (end, &start)) in self.ends.iter_mut().zip(starts.iter()).enumerate() {
            let setup = setups.map_or(0, |setups| setups[machine]);
            *end = clocks.0[machine].latest(start, setup).ok_or(position)?;
        }
        Ok(())
    }

    /// Returns `true` if a job in a position keeps the makespan below the bound; `free` has the times from which the machines are free
    /// behind the jobs before it.
    #[inline]
    pub(super) fn allows(
        &self, problem: &FlowShopProblem, clocks: &MachineClocks, order: &[u16], job: u16, position: usize,
        free: &[u32],
    ) -> bool {
        if position < self.first {
            return false;
        }
        let machines = problem.machines;
        let starts = self.starts.get(position * machines..(position + 1) * machines).filter(|_| position < order.len());
        let before = position.checked_sub(1).map(|before| order[before]);
        let arriving = problem.setups().map(|setups| setups.between(before, job));
        let leaving = order.get(position).and_then(|&next| Some(problem.setups()?.between(Some(job), next)));
        let mut arrival = problem.release[usize::from(job)];
        for (machine, (clock, &takes)) in clocks.0.iter().zip(problem.row(job)).enumerate() {
            let ready = arriving.map_or(free[machine], |setups| clock.end(free[machine], setups[machine]));
            let end = clock.end(ready.max(arrival), takes);
            let next = leaving.map_or(end, |setups| clock.end(end, setups[machine]));
            if next > starts.map_or(self.most, |starts| starts[machine]) {
                return false;
            }
            arrival = clock.arrival(end, takes);
        }
        true
    }
}
