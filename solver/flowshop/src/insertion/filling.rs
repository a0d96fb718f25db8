//! The remaining jobs of an order laid out position by position.

use super::FlowShopProblem;
use super::suffix::{FOLLOWED, SuffixTables};

impl SuffixTables {
    pub(super) fn new(problem: &FlowShopProblem) -> Self {
        let stride = if problem.accelerated { 0 } else { problem.jobs() + 2 * FOLLOWED };
        let [release, due, counts] = [0, u32::MAX, 0].map(|value| vec![value; stride]);
        Self { stride, times: vec![0; stride * problem.machines], release, due, counts }
    }

    #[inline(always)]
    pub(super) fn fill(&mut self, problem: &FlowShopProblem, order: &[u16]) {
        let (length, end) = (order.len(), order.len() + FOLLOWED);
        for (position, &job) in order.iter().enumerate() {
            for (times, &time) in self.times.chunks_exact_mut(self.stride).zip(problem.row(job)) {
                times[position] = time;
            }
            self.release[position] = problem.release[usize::from(job)];
            self.due[position] = problem.due[usize::from(job)];
        }
        self.counts[..length].fill(u32::MAX);
        for times in self.times.chunks_exact_mut(self.stride) {
            times[length..end].fill(0);
        }
        self.release[length..end].fill(0);
        self.due[length..end].fill(u32::MAX);
        self.counts[length..end].fill(0);
    }
}
